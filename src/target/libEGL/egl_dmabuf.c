/* SPDX-License-Identifier: MIT */
/*
 * EGLImages of dma-bufs, and export of images as dma-bufs (EGL_EXT_image_dma_buf_import,
 * EGL_EXT_image_dma_buf_import_modifiers, EGL_MESA_image_dma_buf_export). All memory is linear.
 */
#include <limits.h>
#include <stdlib.h>

#include "target/libEGL/egl_private.h"
#include "winsys/linear/ws_drm.h"

/* Attribute names; values are stored at the same index. */
static const EGLint names[] = {
    EGL_WIDTH,
    EGL_HEIGHT,
    EGL_LINUX_DRM_FOURCC_EXT,
    EGL_YUV_COLOR_SPACE_HINT_EXT,
    EGL_SAMPLE_RANGE_HINT_EXT,
    EGL_YUV_CHROMA_HORIZONTAL_SITING_HINT_EXT,
    EGL_YUV_CHROMA_VERTICAL_SITING_HINT_EXT,
    EGL_IMAGE_PRESERVED,
    EGL_DMA_BUF_PLANE0_FD_EXT,
    EGL_DMA_BUF_PLANE0_OFFSET_EXT,
    EGL_DMA_BUF_PLANE0_PITCH_EXT,
    EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
    EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
    EGL_DMA_BUF_PLANE1_FD_EXT,
    EGL_DMA_BUF_PLANE1_OFFSET_EXT,
    EGL_DMA_BUF_PLANE1_PITCH_EXT,
    EGL_DMA_BUF_PLANE1_MODIFIER_LO_EXT,
    EGL_DMA_BUF_PLANE1_MODIFIER_HI_EXT,
    EGL_DMA_BUF_PLANE2_FD_EXT,
    EGL_DMA_BUF_PLANE2_OFFSET_EXT,
    EGL_DMA_BUF_PLANE2_PITCH_EXT,
    EGL_DMA_BUF_PLANE2_MODIFIER_LO_EXT,
    EGL_DMA_BUF_PLANE2_MODIFIER_HI_EXT,
    EGL_DMA_BUF_PLANE3_FD_EXT,
    EGL_DMA_BUF_PLANE3_OFFSET_EXT,
    EGL_DMA_BUF_PLANE3_PITCH_EXT,
    EGL_DMA_BUF_PLANE3_MODIFIER_LO_EXT,
    EGL_DMA_BUF_PLANE3_MODIFIER_HI_EXT,
};
enum { FIRST_PLANE = 8 }; /* index of EGL_DMA_BUF_PLANE0_FD_EXT */
enum { PLANE_FD, PLANE_OFFSET, PLANE_PITCH, PLANE_MODIFIER_LO, PLANE_MODIFIER_HI, PLANE_COUNT };
enum { WIDTH, HEIGHT, FOURCC, SPACE, RANGE, SITING_X, SITING_Y };

struct request {
    EGLAttrib value[ARRAY_SIZE(names)];
    bool given[ARRAY_SIZE(names)];
};

/* Parses an attribute list. Returns false if an attribute is unknown. */
static bool parse(struct request *r, struct egl_attribs attribs)
{
    EGLAttrib name, value;

    while (egl_attribs_next(&attribs, &name, &value)) {
        unsigned at = 0;

        while (at < ARRAY_SIZE(names) && names[at] != name)
            at++;
        if (at == ARRAY_SIZE(names))
            return false;
        r->value[at] = value;
        r->given[at] = true;
    }
    return true;
}

/* Returns whether a value fits into an int. */
static bool fits(EGLAttrib value)
{
    return value >= INT_MIN && value <= INT_MAX;
}

/* Returns whether a value has 32 bits, signed or unsigned. */
static bool is_32bit(EGLAttrib value)
{
    return fits(value) || (value >= 0 && value <= UINT32_MAX);
}

/* Returns whether a hint is unset or between two tokens. */
static bool hint_ok(const struct request *r, unsigned at, EGLint first, EGLint last)
{
    return !r->given[at] || (r->value[at] >= first && r->value[at] <= last);
}

static unsigned plane_at(unsigned plane, unsigned what)
{
    return FIRST_PLANE + plane * PLANE_COUNT + what;
}

/* Fills in *planes for the planes of the format. Returns EGL_SUCCESS or the error. */
static EGLint parse_planes(const struct request *r, const struct tgt_fourcc *f,
                           struct tgt_planes *planes)
{
    planes->count = f->planes;
    for (unsigned p = 0; p < TGT_MAX_PLANES; p++) {
        const bool *given = &r->given[plane_at(p, 0)];
        const EGLAttrib *value = &r->value[plane_at(p, 0)];
        uint64_t modifier =
            (uint32_t)value[PLANE_MODIFIER_LO] | (uint64_t)(uint32_t)value[PLANE_MODIFIER_HI] << 32;

        if (given[PLANE_MODIFIER_LO] != given[PLANE_MODIFIER_HI])
            return EGL_BAD_PARAMETER;
        if (p >= f->planes) {
            if (given[PLANE_FD] || given[PLANE_OFFSET] || given[PLANE_PITCH])
                return EGL_BAD_ATTRIBUTE;
            continue;
        }
        if (!given[PLANE_FD] || !given[PLANE_OFFSET] || !given[PLANE_PITCH])
            return EGL_BAD_PARAMETER;
        if (!is_32bit(value[PLANE_MODIFIER_LO]) || !is_32bit(value[PLANE_MODIFIER_HI]) ||
            (given[PLANE_MODIFIER_LO] && modifier != DRM_FORMAT_MOD_LINEAR &&
             modifier != DRM_FORMAT_MOD_INVALID))
            return EGL_BAD_MATCH;
        if (!fits(value[PLANE_FD]))
            return EGL_BAD_PARAMETER;
        if (!fits(value[PLANE_OFFSET]) || !fits(value[PLANE_PITCH]))
            return EGL_BAD_ACCESS;
        planes->fds[p] = (int)value[PLANE_FD];
        planes->offsets[p] = (int)value[PLANE_OFFSET];
        planes->strides[p] = (int)value[PLANE_PITCH];
    }
    return EGL_SUCCESS;
}

static EGLint import_error(enum tgt_picture_error error)
{
    static const EGLint errors[] = {
        [TGT_PICTURE_OK] = EGL_SUCCESS,
        [TGT_PICTURE_NO_MEMORY] = EGL_BAD_ALLOC,
        [TGT_PICTURE_BAD_MATCH] = EGL_BAD_MATCH,
        [TGT_PICTURE_BAD_PARAMETER] = EGL_BAD_PARAMETER,
        [TGT_PICTURE_BAD_ACCESS] = EGL_BAD_ACCESS,
    };

    return errors[error];
}

static EGLint import(const struct request *r, struct tgt_picture *picture)
{
    const struct tgt_fourcc *f;
    struct tgt_planes planes;
    EGLint error;

    if (!r->given[WIDTH] || !r->given[HEIGHT] || !r->given[FOURCC] || r->value[WIDTH] <= 0 ||
        r->value[HEIGHT] <= 0 || !fits(r->value[WIDTH]) || !fits(r->value[HEIGHT]))
        return EGL_BAD_PARAMETER;
    if (!hint_ok(r, SPACE, EGL_ITU_REC601_EXT, EGL_ITU_REC2020_EXT) ||
        !hint_ok(r, RANGE, EGL_YUV_FULL_RANGE_EXT, EGL_YUV_NARROW_RANGE_EXT) ||
        !hint_ok(r, SITING_X, EGL_YUV_CHROMA_SITING_0_EXT, EGL_YUV_CHROMA_SITING_0_5_EXT) ||
        !hint_ok(r, SITING_Y, EGL_YUV_CHROMA_SITING_0_EXT, EGL_YUV_CHROMA_SITING_0_5_EXT))
        return EGL_BAD_ATTRIBUTE;
    f = is_32bit(r->value[FOURCC]) ? tgt_fourcc_find((uint32_t)r->value[FOURCC]) : NULL;
    if (!f)
        return EGL_BAD_MATCH;
    error = parse_planes(r, f, &planes);
    if (error == EGL_SUCCESS)
        error = import_error(tgt_picture_import(picture, -1, f->code, (int)r->value[WIDTH],
                                                (int)r->value[HEIGHT], &planes));
    if (error != EGL_SUCCESS)
        return error;
    if (r->given[SPACE])
        picture->space = (enum gl_yuv_space)(r->value[SPACE] - EGL_ITU_REC601_EXT);
    picture->full_range = r->given[RANGE] && r->value[RANGE] == EGL_YUV_FULL_RANGE_EXT;
    return EGL_SUCCESS;
}

EGLImage egl_dmabuf_image(struct egl_display *d, EGLContext ctx, EGLClientBuffer buffer,
                          struct egl_attribs attribs)
{
    struct egl_image *image;
    struct request r = {0};
    EGLint error = EGL_BAD_ALLOC;

    if (ctx != EGL_NO_CONTEXT || buffer || !parse(&r, attribs)) {
        egl_fail(EGL_BAD_PARAMETER);
        return EGL_NO_IMAGE;
    }
    image = calloc(1, sizeof *image);
    if (image)
        error = import(&r, &image->picture);
    if (error == EGL_SUCCESS) {
        image->gl = tgt_picture_image(indium_core_interface(), &image->picture);
        error = image->gl ? EGL_SUCCESS : EGL_BAD_ALLOC;
    }
    if (error != EGL_SUCCESS) {
        if (image)
            egl_image_free(image);
        egl_fail(error);
        return EGL_NO_IMAGE;
    }
    egl_ok();
    return egl_image_list(d, image);
}

/* ------------------------------------------------------------------------------- queries --- */

static const struct tgt_fourcc *find_supported(EGLint code)
{
    const struct indium_core *core = indium_core_interface();
    const struct tgt_fourcc *f;

    for (unsigned i = 0; (f = tgt_fourcc_get(core, i)); i++) {
        if (f->code == (uint32_t)code)
            return f;
    }
    return NULL;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryDmaBufFormatsEXT(EGLDisplay dpy, EGLint max,
                                                           EGLint *formats, EGLint *count)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    const struct tgt_fourcc *f;
    EGLint n = 0;

    if (!d)
        return EGL_FALSE;
    if (max < 0 || (max > 0 && !formats) || !count)
        return egl_fail(EGL_BAD_PARAMETER);
    while ((max == 0 || n < max) && (f = tgt_fourcc_get(indium_core_interface(), n))) {
        if (max > 0)
            formats[n] = (EGLint)f->code;
        n++;
    }
    *count = n;
    return egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryDmaBufModifiersEXT(EGLDisplay dpy, EGLint format,
                                                             EGLint max, EGLuint64KHR *modifiers,
                                                             EGLBoolean *external_only,
                                                             EGLint *count)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    const struct tgt_fourcc *f;

    if (!d)
        return EGL_FALSE;
    f = find_supported(format);
    if (!f || max < 0 || (max > 0 && !modifiers) || !count)
        return egl_fail(EGL_BAD_PARAMETER);
    if (max > 0)
        modifiers[0] = DRM_FORMAT_MOD_LINEAR;
    if (max > 0 && external_only)
        external_only[0] = f->format == DRV_FORMAT_NONE;
    *count = 1;
    return egl_ok();
}

/* ---------------------------------------------------------------------------- exporting --- */

/* Stores a copy of the picture of an image. An image of a texture or renderbuffer is moved to
 * shared memory first. Returns false after setting the error. */
static bool picture_of(EGLDisplay dpy, EGLImage handle, struct tgt_picture *picture)
{
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_image *image;
    bool in_memory;

    if (!d)
        return false;
    pthread_mutex_lock(&egl_image_mutex);
    pthread_mutex_lock(&egl_lock);
    image = egl_image_find(d, handle);
    pthread_mutex_unlock(&egl_lock);
    /* only holders of the mutex change the picture */
    in_memory = image && (image->picture.fourcc ||
                          tgt_picture_export(indium_core_interface(), image->gl, &image->picture));
    if (in_memory)
        tgt_picture_copy(picture, &image->picture);
    pthread_mutex_unlock(&egl_image_mutex);
    if (!in_memory)
        egl_fail(image ? EGL_BAD_MATCH : EGL_BAD_PARAMETER);
    return in_memory;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglExportDMABUFImageQueryMESA(EGLDisplay dpy, EGLImageKHR image,
                                                                int *fourcc, int *num_planes,
                                                                EGLuint64KHR *modifiers)
{
    EGL_COMMAND;
    struct tgt_picture p;

    if (!picture_of(dpy, image, &p))
        return EGL_FALSE;
    if (fourcc)
        *fourcc = (int)p.fourcc->code;
    if (num_planes)
        *num_planes = p.fourcc->planes;
    for (unsigned i = 0; modifiers && i < p.fourcc->planes; i++)
        modifiers[i] = DRM_FORMAT_MOD_LINEAR;
    tgt_picture_finish(&p);
    return egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglExportDMABUFImageMESA(EGLDisplay dpy, EGLImageKHR image,
                                                           int *fds, EGLint *strides,
                                                           EGLint *offsets)
{
    EGL_COMMAND;
    struct tgt_picture p;

    if (!picture_of(dpy, image, &p))
        return EGL_FALSE;
    for (unsigned i = 0; i < p.fourcc->planes; i++) {
        if (fds)
            fds[i] = ws_linear_export(p.plane[i].memory);
        if (strides)
            strides[i] = (EGLint)p.plane[i].stride;
        if (offsets)
            offsets[i] = (EGLint)p.plane[i].offset;
    }
    tgt_picture_finish(&p);
    return egl_ok();
}
