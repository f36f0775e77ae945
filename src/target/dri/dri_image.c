/* SPDX-License-Identifier: MIT */
/*
 * __DRIimage: images that loaders create (for libgbm and for their windows), import from
 * descriptors, or create from textures and renderbuffers. Images in memory are linear.
 */
#include <stdlib.h>

#include "target/dri/dri_private.h"
#include "util/macros.h"
#include "winsys/linear/ws_drm.h"

/* Formats: number of the interface, fourcc, and component layout as loaders see it. */
static const struct dri_format {
    int format;
    uint32_t fourcc;
    int components;
} formats[] = {
    {__DRI_IMAGE_FORMAT_XRGB8888, DRM_FORMAT_XRGB8888, __DRI_IMAGE_COMPONENTS_RGB},
    {__DRI_IMAGE_FORMAT_ARGB8888, DRM_FORMAT_ARGB8888, __DRI_IMAGE_COMPONENTS_RGBA},
    {__DRI_IMAGE_FORMAT_XBGR8888, DRM_FORMAT_XBGR8888, __DRI_IMAGE_COMPONENTS_RGB},
    {__DRI_IMAGE_FORMAT_ABGR8888, DRM_FORMAT_ABGR8888, __DRI_IMAGE_COMPONENTS_RGBA},
    {__DRI_IMAGE_FORMAT_RGB565, DRM_FORMAT_RGB565, __DRI_IMAGE_COMPONENTS_RGB},
    {__DRI_IMAGE_FORMAT_ARGB1555, DRM_FORMAT_ARGB1555, __DRI_IMAGE_COMPONENTS_RGBA},
    {__DRI_IMAGE_FORMAT_ARGB2101010, DRM_FORMAT_ARGB2101010, __DRI_IMAGE_COMPONENTS_RGBA},
    {__DRI_IMAGE_FORMAT_XRGB2101010, DRM_FORMAT_XRGB2101010, __DRI_IMAGE_COMPONENTS_RGB},
    {__DRI_IMAGE_FORMAT_ABGR2101010, DRM_FORMAT_ABGR2101010, __DRI_IMAGE_COMPONENTS_RGBA},
    {__DRI_IMAGE_FORMAT_XBGR2101010, DRM_FORMAT_XBGR2101010, __DRI_IMAGE_COMPONENTS_RGB},
    {__DRI_IMAGE_FORMAT_R8, DRM_FORMAT_R8, __DRI_IMAGE_COMPONENTS_R},
    {__DRI_IMAGE_FORMAT_GR88, DRM_FORMAT_GR88, __DRI_IMAGE_COMPONENTS_RG},
    {__DRI_IMAGE_FORMAT_R16, DRM_FORMAT_R16, __DRI_IMAGE_COMPONENTS_R},
    {__DRI_IMAGE_FORMAT_GR1616, DRM_FORMAT_GR1616, __DRI_IMAGE_COMPONENTS_RG},
    {__DRI_IMAGE_FORMAT_ABGR16161616, DRM_FORMAT_ABGR16161616, __DRI_IMAGE_COMPONENTS_RGBA},
};

static const struct dri_format *find_format(int format, uint32_t fourcc)
{
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        if (formats[i].format == format || formats[i].fourcc == fourcc)
            return &formats[i];
    }
    return NULL;
}

unsigned dri_image_format(enum drv_format format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        const struct tgt_fourcc *f = tgt_fourcc_find(formats[i].fourcc);

        if (f->format == format)
            return formats[i].format;
    }
    return __DRI_IMAGE_FORMAT_NONE;
}

/* ------------------------------------------------------------------------ making and ending --- */

static __DRIimage *alloc_image(__DRIscreen *screen, void *loader_private)
{
    __DRIimage *image = calloc(1, sizeof *image);

    if (image) {
        image->screen = screen;
        image->loader_private = loader_private;
        image->refs = 1;
    }
    return image;
}

static void destroy_image(__DRIimage *image)
{
    if (!image || __atomic_sub_fetch(&image->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (image->gl)
        image->screen->core->image_destroy(image->gl);
    tgt_picture_finish(&image->picture);
    free(image);
}

static __DRIimage *create_image(__DRIscreen *screen, int width, int height, int format,
                                unsigned use, void *loader_private)
{
    const struct dri_format *f = find_format(format, 0);
    const struct tgt_fourcc *fourcc = f ? tgt_fourcc_find(f->fourcc) : NULL;
    struct ws_linear *memory;
    __DRIimage *image;

    if (!fourcc || width <= 0 || height <= 0 ||
        !screen->core->image_format_supported(fourcc->format))
        return NULL;
    image = alloc_image(screen, loader_private);
    memory = image ? ws_linear_create(screen->fd, width, height, tgt_fourcc_bits(fourcc)) : NULL;
    if (!memory) {
        free(image);
        return NULL;
    }
    image->picture = (struct tgt_picture){
        .fourcc = fourcc,
        .width = width,
        .height = height,
        .plane = {{memory, memory->stride, 0}},
    };
    return image;
}

/* Only the linear layout is supported; fails if the list of modifiers lacks it. */
static __DRIimage *create_with_modifiers2(__DRIscreen *screen, int width, int height, int format,
                                          const uint64_t *modifiers, unsigned count, unsigned use,
                                          void *loader_private)
{
    for (unsigned i = 0; i < count; i++) {
        if (modifiers[i] == DRM_FORMAT_MOD_LINEAR || modifiers[i] == DRM_FORMAT_MOD_INVALID)
            return create_image(screen, width, height, format, use, loader_private);
    }
    return NULL;
}

static __DRIimage *create_with_modifiers(__DRIscreen *screen, int width, int height, int format,
                                         const uint64_t *modifiers, unsigned count,
                                         void *loader_private)
{
    return create_with_modifiers2(screen, width, height, format, modifiers, count, 0,
                                  loader_private);
}

static __DRIimage *dup_image(__DRIimage *from, void *loader_private)
{
    __DRIimage *image;

    /* in memory: the core image is created on demand */
    if (from->picture.fourcc) {
        image = alloc_image(from->screen, loader_private);
        if (image)
            tgt_picture_copy(&image->picture, &from->picture);
        return image;
    }
    __atomic_add_fetch(&from->refs, 1, __ATOMIC_RELAXED);
    return from;
}

/* ----------------------------------------------------------------------------- importing --- */

static unsigned error_of(enum tgt_picture_error error)
{
    static const uint8_t errors[] = {
        [TGT_PICTURE_OK] = __DRI_IMAGE_ERROR_SUCCESS,
        [TGT_PICTURE_NO_MEMORY] = __DRI_IMAGE_ERROR_BAD_ALLOC,
        [TGT_PICTURE_BAD_MATCH] = __DRI_IMAGE_ERROR_BAD_MATCH,
        [TGT_PICTURE_BAD_PARAMETER] = __DRI_IMAGE_ERROR_BAD_PARAMETER,
        [TGT_PICTURE_BAD_ACCESS] = __DRI_IMAGE_ERROR_BAD_ACCESS,
    };

    return errors[error];
}

static enum gl_yuv_space yuv_space(enum __DRIYUVColorSpace space)
{
    return space == __DRI_YUV_COLOR_SPACE_ITU_REC709    ? GL_YUV_BT709
           : space == __DRI_YUV_COLOR_SPACE_ITU_REC2020 ? GL_YUV_BT2020
                                                        : GL_YUV_BT601;
}

static __DRIimage *from_dma_bufs3(__DRIscreen *screen, int width, int height, int fourcc,
                                  uint64_t modifier, int *fds, int num_fds, int *strides,
                                  int *offsets, enum __DRIYUVColorSpace space,
                                  enum __DRISampleRange range, enum __DRIChromaSiting horizontal,
                                  enum __DRIChromaSiting vertical, uint32_t flags, unsigned *error,
                                  void *loader_private)
{
    struct tgt_planes planes = {.count = CLAMP(num_fds, 0, TGT_MAX_PLANES)};
    enum tgt_picture_error failed = TGT_PICTURE_BAD_MATCH;
    __DRIimage *image = alloc_image(screen, loader_private);

    for (unsigned i = 0; i < planes.count; i++) {
        planes.fds[i] = fds[i];
        planes.strides[i] = strides[i];
        planes.offsets[i] = offsets[i];
    }
    if (image && (modifier == DRM_FORMAT_MOD_LINEAR || modifier == DRM_FORMAT_MOD_INVALID))
        failed = tgt_picture_import(&image->picture, screen->fd, (uint32_t)fourcc, width, height,
                                    &planes);
    else if (!image)
        failed = TGT_PICTURE_NO_MEMORY;
    *error = error_of(failed);
    if (failed != TGT_PICTURE_OK) {
        free(image);
        return NULL;
    }
    image->picture.space = yuv_space(space);
    image->picture.full_range = range == __DRI_YUV_FULL_RANGE;
    return image;
}

static __DRIimage *from_dma_bufs2(__DRIscreen *screen, int width, int height, int fourcc,
                                  uint64_t modifier, int *fds, int num_fds, int *strides,
                                  int *offsets, enum __DRIYUVColorSpace space,
                                  enum __DRISampleRange range, enum __DRIChromaSiting horizontal,
                                  enum __DRIChromaSiting vertical, unsigned *error,
                                  void *loader_private)
{
    return from_dma_bufs3(screen, width, height, fourcc, modifier, fds, num_fds, strides, offsets,
                          space, range, horizontal, vertical, 0, error, loader_private);
}

static __DRIimage *from_dma_bufs(__DRIscreen *screen, int width, int height, int fourcc, int *fds,
                                 int num_fds, int *strides, int *offsets,
                                 enum __DRIYUVColorSpace space, enum __DRISampleRange range,
                                 enum __DRIChromaSiting horizontal, enum __DRIChromaSiting vertical,
                                 unsigned *error, void *loader_private)
{
    return from_dma_bufs3(screen, width, height, fourcc, DRM_FORMAT_MOD_INVALID, fds, num_fds,
                          strides, offsets, space, range, horizontal, vertical, 0, error,
                          loader_private);
}

static __DRIimage *from_fds2(__DRIscreen *screen, int width, int height, int fourcc, int *fds,
                             int num_fds, uint32_t flags, int *strides, int *offsets,
                             void *loader_private)
{
    unsigned error;

    return from_dma_bufs3(screen, width, height, fourcc, DRM_FORMAT_MOD_INVALID, fds, num_fds,
                          strides, offsets, __DRI_YUV_COLOR_SPACE_UNDEFINED,
                          __DRI_YUV_RANGE_UNDEFINED, __DRI_YUV_CHROMA_SITING_UNDEFINED,
                          __DRI_YUV_CHROMA_SITING_UNDEFINED, flags, &error, loader_private);
}

static __DRIimage *from_fds(__DRIscreen *screen, int width, int height, int fourcc, int *fds,
                            int num_fds, int *strides, int *offsets, void *loader_private)
{
    return from_fds2(screen, width, height, fourcc, fds, num_fds, 0, strides, offsets,
                     loader_private);
}

/* Names of other processes' memory (flink) are not supported. */
static __DRIimage *from_name(__DRIscreen *screen, int width, int height, int format, int name,
                             int pitch, void *loader_private)
{
    return NULL;
}

static __DRIimage *from_names(__DRIscreen *screen, int width, int height, int fourcc, int *names,
                              int num_names, int *strides, int *offsets, void *loader_private)
{
    return NULL;
}

/* Returns one plane of an image; an image with one plane returns a duplicate of itself. */
static __DRIimage *from_planar(__DRIimage *image, int plane, void *loader_private)
{
    if (plane != 0 || !image->picture.fourcc || image->picture.fourcc->planes != 1)
        return NULL;
    return dup_image(image, loader_private);
}

/* -------------------------------------------------------------- textures and renderbuffers --- */

static __DRIimage *from_gl(__DRIcontext *ctx, unsigned target, unsigned name, int level, int z,
                           unsigned *error, void *loader_private)
{
    static const uint8_t errors[] = {
        [GL_IMAGE_OK] = __DRI_IMAGE_ERROR_SUCCESS,
        [GL_IMAGE_NO_MEMORY] = __DRI_IMAGE_ERROR_BAD_ALLOC,
        [GL_IMAGE_BAD_PARAMETER] = __DRI_IMAGE_ERROR_BAD_PARAMETER,
        [GL_IMAGE_BAD_MATCH] = __DRI_IMAGE_ERROR_BAD_MATCH,
    };
    __DRIimage *image = alloc_image(ctx->screen, loader_private);
    enum gl_image_error failed = GL_IMAGE_NO_MEMORY;

    if (image)
        image->gl = ctx->screen->core->image_create(ctx->gl, target, name, level, z, &failed);
    *error = errors[failed];
    if (!image || !image->gl) {
        free(image);
        return NULL;
    }
    return image;
}

static __DRIimage *from_texture(__DRIcontext *ctx, int target, unsigned texture, int z, int level,
                                unsigned *error, void *loader_private)
{
    unsigned gl = target;

    /* cube map faces are passed as slices */
    if (target == GL_TEXTURE_CUBE_MAP) {
        gl = GL_TEXTURE_CUBE_MAP_POSITIVE_X + z;
        z = 0;
    }
    return from_gl(ctx, gl, texture, level, z, error, loader_private);
}

static __DRIimage *from_renderbuffer2(__DRIcontext *ctx, int renderbuffer, void *loader_private,
                                      unsigned *error)
{
    return from_gl(ctx, 0x8d41 /* GL_RENDERBUFFER */, renderbuffer, 0, 0, error, loader_private);
}

static __DRIimage *from_renderbuffer(__DRIcontext *ctx, int renderbuffer, void *loader_private)
{
    unsigned error;

    return from_renderbuffer2(ctx, renderbuffer, loader_private, &error);
}

struct gl_shared_image *dri_image_gl(__DRIimage *image)
{
    struct gl_shared_image *made, *old = NULL;

    if (__atomic_load_n(&image->gl, __ATOMIC_ACQUIRE))
        return image->gl;
    made = tgt_picture_image(image->screen->core, &image->picture);
    if (made && !__atomic_compare_exchange_n(&image->gl, &old, made, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE))
        image->screen->core->image_destroy(made); /* another thread was first */
    return image->gl;
}

/* ------------------------------------------------------------------------------- queries --- */

static unsigned char query_memory(const __DRIimage *image, int attribute, int *value)
{
    const struct tgt_picture *p = &image->picture;
    const struct dri_format *f = find_format(-1, p->fourcc->code);

    switch (attribute) {
    case __DRI_IMAGE_ATTRIB_STRIDE:
        *value = (int)p->plane[0].stride;
        return 1;
    case __DRI_IMAGE_ATTRIB_OFFSET:
        *value = (int)p->plane[0].offset;
        return 1;
    case __DRI_IMAGE_ATTRIB_HANDLE:
        *value = (int)ws_linear_handle(p->plane[0].memory);
        return *value != 0;
    case __DRI_IMAGE_ATTRIB_FD:
        *value = ws_linear_export(p->plane[0].memory);
        return *value >= 0;
    case __DRI_IMAGE_ATTRIB_FORMAT:
        *value = f ? f->format : __DRI_IMAGE_FORMAT_NONE;
        return 1;
    case __DRI_IMAGE_ATTRIB_COMPONENTS:
        *value = f ? f->components : 0;
        return f != NULL;
    case __DRI_IMAGE_ATTRIB_WIDTH:
        *value = p->width;
        return 1;
    case __DRI_IMAGE_ATTRIB_HEIGHT:
        *value = p->height;
        return 1;
    case __DRI_IMAGE_ATTRIB_FOURCC:
        *value = (int)p->fourcc->code;
        return 1;
    case __DRI_IMAGE_ATTRIB_NUM_PLANES:
        *value = p->fourcc->planes;
        return 1;
    case __DRI_IMAGE_ATTRIB_MODIFIER_LOWER:
    case __DRI_IMAGE_ATTRIB_MODIFIER_UPPER:
        *value = DRM_FORMAT_MOD_LINEAR; /* both halves are 0 */
        return 1;
    default:
        return 0;
    }
}

static unsigned char query_image(__DRIimage *image, int attribute, int *value)
{
    return image->picture.fourcc ? query_memory(image, attribute, value) : 0;
}

/* Linear memory suits all uses except cursors, whose size only the device knows. */
static unsigned char validate_usage(__DRIimage *image, unsigned use)
{
    return image->picture.fourcc != NULL;
}

static int capabilities(__DRIscreen *screen)
{
    return 0;
}

static unsigned char query_formats(__DRIscreen *screen, int max, int *list, int *count)
{
    const struct tgt_fourcc *f;
    int n = 0;

    for (unsigned i = 0; (f = tgt_fourcc_get(screen->core, i)); i++) {
        if (n < max)
            list[n] = (int)f->code;
        if (n < max || max == 0)
            n++;
    }
    *count = n;
    return 1;
}

static const struct tgt_fourcc *supported(__DRIscreen *screen, uint32_t code)
{
    const struct tgt_fourcc *f;

    for (unsigned i = 0; (f = tgt_fourcc_get(screen->core, i)); i++) {
        if (f->code == code)
            return f;
    }
    return NULL;
}

static unsigned char query_modifiers(__DRIscreen *screen, int fourcc, int max, uint64_t *modifiers,
                                     unsigned *external_only, int *count)
{
    const struct tgt_fourcc *f = supported(screen, (uint32_t)fourcc);

    if (!f)
        return 0;
    if (max > 0 && modifiers)
        modifiers[0] = DRM_FORMAT_MOD_LINEAR;
    if (max > 0 && external_only)
        external_only[0] = f->format == DRV_FORMAT_NONE;
    *count = 1;
    return 1;
}

static unsigned char query_modifier(__DRIscreen *screen, uint32_t fourcc, uint64_t modifier,
                                    int attribute, uint64_t *value)
{
    const struct tgt_fourcc *f = supported(screen, fourcc);

    if (!f || modifier != DRM_FORMAT_MOD_LINEAR ||
        attribute != __DRI_IMAGE_FORMAT_MODIFIER_ATTRIB_PLANE_COUNT)
        return 0;
    *value = f->planes;
    return 1;
}

/* ------------------------------------------------------------------------------- memory --- */

static uint8_t *texel(const __DRIimage *image, int x, int y)
{
    const struct tgt_picture *p = &image->picture;

    return p->plane[0].memory->map + p->plane[0].offset + (size_t)y * p->plane[0].stride +
           (size_t)x * tgt_fourcc_bits(p->fourcc) / 8;
}

static bool within(const __DRIimage *image, int x, int y, int width, int height)
{
    return image->picture.fourcc && image->picture.fourcc->format && x >= 0 && y >= 0 &&
           width > 0 && height > 0 && width <= image->picture.width - x &&
           height <= image->picture.height - y;
}

/* Loaders take *data != NULL as success. */
static void *map_image(__DRIcontext *ctx, __DRIimage *image, int x, int y, int width, int height,
                       unsigned flags, int *stride, void **data)
{
    if (!within(image, x, y, width, height))
        return NULL;
    *data = image;
    *stride = (int)image->picture.plane[0].stride;
    ws_linear_begin(image->picture.plane[0].memory, true);
    return texel(image, x, y);
}

static void unmap_image(__DRIcontext *ctx, __DRIimage *image, void *data)
{
    ws_linear_end(image->picture.plane[0].memory, true);
}

static void blit_image(__DRIcontext *ctx, __DRIimage *dst, __DRIimage *src, int dst_x, int dst_y,
                       int dst_width, int dst_height, int src_x, int src_y, int src_width,
                       int src_height, int flush_flag)
{
    if (flush_flag)
        indium_core_interface()->flush(flush_flag & __BLIT_FLAG_FINISH);
    /* loaders only copy between images of equal size and format */
    if (dst_width != src_width || dst_height != src_height ||
        !within(dst, dst_x, dst_y, dst_width, dst_height) ||
        !within(src, src_x, src_y, src_width, src_height) ||
        dst->picture.fourcc->format != src->picture.fourcc->format)
        return;
    ws_linear_begin(dst->picture.plane[0].memory, true);
    ws_linear_begin(src->picture.plane[0].memory, false);
    for (int y = 0; y < src_height; y++)
        memmove(texel(dst, dst_x, dst_y + y), texel(src, src_x, src_y + y),
                (size_t)src_width * tgt_fourcc_bits(src->picture.fourcc) / 8);
    ws_linear_end(src->picture.plane[0].memory, false);
    ws_linear_end(dst->picture.plane[0].memory, true);
}

const __DRIimageExtension dri_image_extension = {
    {__DRI_IMAGE, 20},
    .createImageFromName = from_name,
    .createImageFromRenderbuffer = from_renderbuffer,
    .destroyImage = destroy_image,
    .createImage = create_image,
    .queryImage = query_image,
    .dupImage = dup_image,
    .validateUsage = validate_usage,
    .createImageFromNames = from_names,
    .fromPlanar = from_planar,
    .createImageFromTexture = from_texture,
    .createImageFromFds = from_fds,
    .createImageFromDmaBufs = from_dma_bufs,
    .blitImage = blit_image,
    .getCapabilities = capabilities,
    .mapImage = map_image,
    .unmapImage = unmap_image,
    .createImageWithModifiers = create_with_modifiers,
    .createImageFromDmaBufs2 = from_dma_bufs2,
    .queryDmaBufFormats = query_formats,
    .queryDmaBufModifiers = query_modifiers,
    .queryDmaBufFormatModifierAttribs = query_modifier,
    .createImageFromRenderbuffer2 = from_renderbuffer2,
    .createImageFromDmaBufs3 = from_dma_bufs3,
    .createImageWithModifiers2 = create_with_modifiers2,
    .createImageFromFds2 = from_fds2,
};
