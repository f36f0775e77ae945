/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_memory.h"

#include <stdlib.h>

#include "util/macros.h"
#include "winsys/linear/ws_drm.h"

#define RGB(code, format)  {DRM_FORMAT_##code, 1, DRV_FORMAT_##format##_UNORM, true}
#define RGBA(code, format) {DRM_FORMAT_##code, 1, DRV_FORMAT_##format##_UNORM, false}
#define YUV(code, planes, ...)                                                                     \
    {                                                                                              \
        DRM_FORMAT_##code, planes, DRV_FORMAT_NONE, true,                                          \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Two planes: Y, and interleaved chroma. */
#define PAIRS(code, cb, cr, x, y) YUV(code, 2, {0, 0, 1, 0, 0}, {1, cb, 2, x, y}, {1, cr, 2, x, y})
/* Three planes; cb and cr are plane numbers. */
#define TRIPLE(code, cb, cr, x, y) YUV(code, 3, {0, 0, 1, 0, 0}, {cb, 0, 1, x, y}, {cr, 0, 1, x, y})
/* Two pixels in four bytes. */
#define PACKED(code, luma, cb, cr)                                                                 \
    YUV(code, 1, {0, luma, 2, 0, 0}, {0, cb, 4, 1, 0}, {0, cr, 4, 1, 0})

static const struct tgt_fourcc codes[] = {
    RGB(XRGB8888, B8G8R8X8),
    RGBA(ARGB8888, B8G8R8A8),
    RGB(XBGR8888, R8G8B8X8),
    RGBA(ABGR8888, R8G8B8A8),
    RGB(RGB565, B5G6R5),
    RGB(XRGB2101010, B10G10R10A2),
    RGBA(ARGB2101010, B10G10R10A2),
    RGB(XBGR2101010, R10G10B10A2),
    RGBA(ABGR2101010, R10G10B10A2),
    RGBA(ARGB1555, B5G5R5A1),
    RGBA(R8, R8),
    RGBA(GR88, R8G8),
    RGBA(R16, R16),
    RGBA(GR1616, R16G16),
    RGBA(ABGR16161616, R16G16B16A16),
    {DRM_FORMAT_XBGR16161616F, 1, DRV_FORMAT_R16G16B16A16_FLOAT, true},
    {DRM_FORMAT_ABGR16161616F, 1, DRV_FORMAT_R16G16B16A16_FLOAT, false},
    PAIRS(NV12, 0, 1, 1, 1),
    PAIRS(NV21, 1, 0, 1, 1),
    PAIRS(NV16, 0, 1, 1, 0),
    PAIRS(NV61, 1, 0, 1, 0),
    TRIPLE(YUV420, 1, 2, 1, 1),
    TRIPLE(YVU420, 2, 1, 1, 1),
    TRIPLE(YUV422, 1, 2, 1, 0),
    TRIPLE(YVU422, 2, 1, 1, 0),
    TRIPLE(YUV444, 1, 2, 0, 0),
    TRIPLE(YVU444, 2, 1, 0, 0),
    PACKED(YUYV, 0, 1, 3),
    PACKED(YVYU, 0, 3, 1),
    PACKED(UYVY, 1, 0, 2),
    PACKED(VYUY, 1, 2, 0),
};

const struct tgt_fourcc *tgt_fourcc_find(uint32_t code)
{
    for (unsigned i = 0; i < ARRAY_SIZE(codes); i++) {
        if (codes[i].code == code)
            return &codes[i];
    }
    return NULL;
}

static bool core_takes(const struct indium_core *core, const struct tgt_fourcc *f)
{
    return core->image_format_supported(f->format ? f->format : DRV_FORMAT_R8G8B8A8_UNORM);
}

const struct tgt_fourcc *tgt_fourcc_get(const struct indium_core *core, unsigned index)
{
    for (unsigned i = 0; i < ARRAY_SIZE(codes); i++) {
        if (core_takes(core, &codes[i]) && index-- == 0)
            return &codes[i];
    }
    return NULL;
}

unsigned tgt_fourcc_bits(const struct tgt_fourcc *f)
{
    return (f->format ? drv_format_desc(f->format)->block_bytes : f->component[0].step) * 8;
}

/* Returns the bytes from a plane's start to the end of its last texel, and the bytes of a row. */
static uint64_t plane_bytes(const struct tgt_fourcc *f, unsigned plane, int width, int height,
                            uint32_t stride, uint64_t *row)
{
    uint64_t rows = f->format ? (uint64_t)height : 1;

    *row = f->format ? (uint64_t)width * tgt_fourcc_bits(f) / 8 : 0;
    for (unsigned c = 0; c < 3 && !f->format; c++) {
        uint64_t last = ((uint64_t)width - 1) >> f->component[c].x_shift;

        if (f->component[c].plane != plane)
            continue;
        /* components that share a plane: the one that reaches furthest */
        *row = MAX2(*row, last * f->component[c].step + f->component[c].offset + 1);
        rows = MAX2(rows, (((uint64_t)height - 1) >> f->component[c].y_shift) + 1);
    }
    return (rows - 1) * stride + *row;
}

static enum tgt_picture_error import_plane(struct tgt_picture *p, unsigned i, int device,
                                           const struct tgt_planes *planes)
{
    uint64_t row, bytes = plane_bytes(p->fourcc, i, p->width, p->height,
                                      (uint32_t)MAX2(planes->strides[i], 0), &row);
    struct ws_linear *memory;

    if (planes->strides[i] <= 0 || planes->offsets[i] < 0 || row > (uint64_t)planes->strides[i])
        return TGT_PICTURE_BAD_ACCESS;
    memory = ws_linear_import(device, planes->fds[i]);
    if (!memory)
        return TGT_PICTURE_BAD_PARAMETER;
    p->plane[i].memory = memory;
    p->plane[i].stride = (uint32_t)planes->strides[i];
    p->plane[i].offset = (uint32_t)planes->offsets[i];
    return bytes + p->plane[i].offset > memory->size ? TGT_PICTURE_BAD_ACCESS : TGT_PICTURE_OK;
}

enum tgt_picture_error tgt_picture_import(struct tgt_picture *p, int device, uint32_t code,
                                          int width, int height, const struct tgt_planes *planes)
{
    enum tgt_picture_error error = TGT_PICTURE_OK;

    *p = (struct tgt_picture){tgt_fourcc_find(code), width, height};
    if (!p->fourcc)
        return TGT_PICTURE_BAD_MATCH;
    if (planes->count != p->fourcc->planes || width <= 0 || height <= 0 || width > 65536 ||
        height > 65536)
        return TGT_PICTURE_BAD_PARAMETER;
    for (unsigned i = 0; i < planes->count && error == TGT_PICTURE_OK; i++)
        error = import_plane(p, i, device, planes);
    if (error != TGT_PICTURE_OK)
        tgt_picture_finish(p);
    return error;
}

void tgt_picture_copy(struct tgt_picture *to, const struct tgt_picture *from)
{
    *to = *from;
    for (unsigned i = 0; i < TGT_MAX_PLANES; i++) {
        if (to->plane[i].memory)
            ws_linear_ref(to->plane[i].memory);
    }
}

void tgt_picture_finish(struct tgt_picture *p)
{
    for (unsigned i = 0; i < TGT_MAX_PLANES; i++) {
        ws_linear_unref(p->plane[i].memory);
        p->plane[i].memory = NULL;
    }
}

/* ------------------------------------------------------------------------- for the core --- */

static void begin(void *data, bool write)
{
    const struct tgt_picture *p = data;

    for (unsigned i = 0; i < p->fourcc->planes; i++)
        ws_linear_begin(p->plane[i].memory, write);
}

static void end(void *data, bool write)
{
    const struct tgt_picture *p = data;

    for (unsigned i = 0; i < p->fourcc->planes; i++)
        ws_linear_end(p->plane[i].memory, write);
}

static void drop(void *data)
{
    tgt_picture_finish(data);
    free(data);
}

static uint8_t *plane_data(const struct tgt_picture *p, unsigned plane)
{
    return p->plane[plane].memory->map + p->plane[plane].offset;
}

static const struct gl_memory_ops picture_ops = {begin, end, drop};

/* Describes the picture to the core. The owner is a copy of it. Returns false if out of memory. */
static bool describe(const struct tgt_picture *p, struct gl_memory_image *m)
{
    const struct tgt_fourcc *f = p->fourcc;
    struct tgt_picture *kept = malloc(sizeof *kept);

    if (!kept)
        return false;
    *m = (struct gl_memory_image){
        .width = p->width,
        .height = p->height,
        .format = f->format,
        .opaque = f->opaque,
        .data = plane_data(p, 0),
        .stride = p->plane[0].stride,
        .space = p->space,
        .full_range = p->full_range,
        .ops = &picture_ops,
        .owner = kept,
    };
    for (unsigned c = 0; c < 3 && !f->format; c++) {
        m->component[c].data = plane_data(p, f->component[c].plane) + f->component[c].offset;
        m->component[c].stride = p->plane[f->component[c].plane].stride;
        m->component[c].step = f->component[c].step;
        m->component[c].x_shift = f->component[c].x_shift;
        m->component[c].y_shift = f->component[c].y_shift;
    }
    tgt_picture_copy(kept, p);
    return true;
}

struct gl_shared_image *tgt_picture_image(const struct indium_core *core,
                                          const struct tgt_picture *p)
{
    struct gl_memory_image m;
    struct gl_shared_image *image;

    if (!core_takes(core, p->fourcc) || !describe(p, &m))
        return NULL;
    image = core->image_import(&m);
    if (!image)
        drop(m.owner);
    return image;
}

const struct tgt_fourcc *tgt_fourcc_of(enum drv_format format, bool opaque)
{
    const struct tgt_fourcc *found = NULL;

    for (unsigned i = 0; i < ARRAY_SIZE(codes); i++) {
        if (codes[i].format == format &&
            (!found || (found->opaque != opaque && codes[i].opaque == opaque)))
            found = &codes[i];
    }
    return format ? found : NULL;
}

bool tgt_picture_export(const struct indium_core *core, struct gl_shared_image *image,
                        struct tgt_picture *p)
{
    struct gl_memory_image m;
    const struct tgt_fourcc *f;
    struct ws_linear *memory;
    bool ok;

    *p = (struct tgt_picture){0};
    if (!core->image_describe(image, &m))
        return false;
    if (m.ops == &picture_ops)
        tgt_picture_copy(p, m.owner);
    if (m.ops) /* other memory, that of a pixmap, has no file descriptor */
        return p->fourcc;
    f = tgt_fourcc_of(m.format, m.opaque);
    memory =
        f ? ws_linear_create(-1, (unsigned)m.width, (unsigned)m.height, tgt_fourcc_bits(f)) : NULL;
    if (!memory)
        return false;
    *p = (struct tgt_picture){
        .fourcc = f, .width = m.width, .height = m.height, .plane = {{memory, memory->stride, 0}}};
    ok = describe(p, &m);
    if (ok && !core->image_attach(image, &m)) {
        drop(m.owner);
        ok = false;
    }
    if (!ok) {
        tgt_picture_finish(p);
        *p = (struct tgt_picture){0};
    }
    return ok;
}
