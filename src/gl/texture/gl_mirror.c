/* SPDX-License-Identifier: MIT */
#include "gl/texture/gl_mirror.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "util/check.h"
#include "util/format.h"

struct mirror {
    struct drv_backing base;
    struct gl_memory_image memory;
    bool drawn; /* has newer contents than memory */
};

static void destroy(struct drv_backing *backing)
{
    struct mirror *m = (struct mirror *)backing;

    m->memory.ops->destroy(m->memory.owner);
    free(m);
}

static unsigned bindings(struct drv_screen *screen, enum drv_format format)
{
    const unsigned all = DRV_BIND_SAMPLER_VIEW | DRV_BIND_RENDER_TARGET;

    return screen->ops->is_format_supported(screen, format, DRV_TEXTURE_2D, 0, all)
               ? all
               : DRV_BIND_SAMPLER_VIEW;
}

bool gl_mirror_format_supported(struct drv_screen *screen, enum drv_format format)
{
    return screen->ops->is_format_supported(screen, format, DRV_TEXTURE_2D, 0,
                                            DRV_BIND_SAMPLER_VIEW);
}

struct drv_resource *gl_mirror_create(struct drv_screen *screen,
                                      const struct gl_memory_image *memory)
{
    const enum drv_format format = memory->format ? memory->format : DRV_FORMAT_R8G8B8A8_UNORM;
    struct drv_resource templ = {
        .target = DRV_TEXTURE_2D,
        .format = format,
        .width = memory->width,
        .height = memory->height,
        .depth = 1,
        .array_size = 1,
        .bind = memory->format ? bindings(screen, format) : DRV_BIND_SAMPLER_VIEW,
    };
    struct mirror *m = calloc(1, sizeof *m);
    struct drv_resource *resource = NULL;

    if (m && screen->ops->resource_fits(screen, &templ))
        resource = screen->ops->resource_create(screen, &templ);
    if (!resource) {
        free(m);
        return NULL;
    }
    *m = (struct mirror){{destroy}, *memory};
    resource->backing = &m->base;
    return resource;
}

/* ---------------------------------------------------------------------------- Y'CbCr to RGB --- */

/* Kr and Kb of ITU-R BT.601, BT.709 and BT.2020 */
static const float luma_weights[][2] = {
    [GL_YUV_BT601] = {0.299f, 0.114f},
    [GL_YUV_BT709] = {0.2126f, 0.0722f},
    [GL_YUV_BT2020] = {0.2627f, 0.0593f},
};

/* Coefficients in units of 1/65536. */
struct yuv_matrix {
    int32_t luma, red_cr, green_cb, green_cr, blue_cb;
    int black;
};

static struct yuv_matrix yuv_matrix(const struct gl_memory_image *m)
{
    const float kr = luma_weights[m->space][0], kb = luma_weights[m->space][1], kg = 1 - kr - kb;
    const float y = m->full_range ? 65536.0f : 65536.0f * 255 / 219;
    const float c = m->full_range ? 65536.0f : 65536.0f * 255 / 224;

    return (struct yuv_matrix){
        .luma = (int32_t)(y + 0.5f),
        .red_cr = (int32_t)(c * 2 * (1 - kr) + 0.5f),
        .green_cb = (int32_t)(c * 2 * (1 - kb) * kb / kg + 0.5f),
        .green_cr = (int32_t)(c * 2 * (1 - kr) * kr / kg + 0.5f),
        .blue_cb = (int32_t)(c * 2 * (1 - kb) + 0.5f),
        .black = m->full_range ? 0 : 16,
    };
}

static uint8_t unorm8(int32_t fixed)
{
    fixed = (fixed + 0x8000) >> 16;
    return (uint8_t)CLAMP(fixed, 0, 255);
}

static void rgb_row(const struct gl_memory_image *m, const struct yuv_matrix *k, int y,
                    uint8_t *rgba)
{
    const uint8_t *row[3];

    for (unsigned c = 0; c < 3; c++)
        row[c] =
            m->component[c].data + (size_t)(y >> m->component[c].y_shift) * m->component[c].stride;
#define SAMPLE(c) row[c][(size_t)(x >> m->component[c].x_shift) * m->component[c].step]
    for (int x = 0; x < m->width; x++, rgba += 4) {
        int32_t luma = (SAMPLE(0) - k->black) * k->luma;
        int cb = SAMPLE(1) - 128, cr = SAMPLE(2) - 128;

        rgba[0] = unorm8(luma + cr * k->red_cr);
        rgba[1] = unorm8(luma - cb * k->green_cb - cr * k->green_cr);
        rgba[2] = unorm8(luma + cb * k->blue_cb);
        rgba[3] = 255;
    }
#undef SAMPLE
}

/* --------------------------------------------------------------------------------- exchange --- */

static struct drv_pixels pixels_of(enum drv_format format, void *data, uint32_t stride)
{
    return (struct drv_pixels){
        .format = format,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .data = data,
        .stride = stride,
    };
}

/* Copies rows between memory in the resource's format and the resource. Returns false if out of
 * memory. */
static bool move_rows(struct drv_context *drv, struct drv_resource *r, int y, int height,
                      uint8_t *data, uint32_t stride, bool to_resource)
{
    const struct drv_context_ops *ops = drv->ops;
    const struct drv_box box = {0, y, 0, (int)r->width, height, 1};
    const struct drv_pixels pixels = pixels_of(r->format, data, stride);
    const size_t bytes = util_format_row_bytes(r->format, r->width);
    struct drv_transfer *transfer;
    uint8_t *map;

    if (to_resource ? ops->image_write(drv, r, r->format, 0, &box, &pixels)
                    : ops->image_read(drv, r, r->format, 0, &box, &pixels))
        return true;
    map = ops->map(drv, r, 0, to_resource ? DRV_MAP_WRITE | DRV_MAP_DISCARD_RANGE : DRV_MAP_READ,
                   &box, &transfer);
    for (int i = 0; map && i < height; i++) {
        uint8_t *texels = map + (size_t)i * transfer->stride, *out = data + (size_t)i * stride;

        memcpy(to_resource ? texels : out, to_resource ? out : texels, bytes);
    }
    if (map)
        ops->unmap(drv, transfer);
    return map;
}

/* Number of rows converted at a time. */
enum { BAND = 64 };

static bool read_yuv(struct drv_context *drv, struct drv_resource *r,
                     const struct gl_memory_image *m)
{
    const struct yuv_matrix matrix = yuv_matrix(m);
    const uint32_t stride = (uint32_t)m->width * 4;
    uint8_t *rows = malloc((size_t)stride * BAND);
    bool ok = rows;

    for (int y = 0; ok && y < m->height; y += BAND) {
        int height = MIN2(BAND, m->height - y);

        for (int i = 0; i < height; i++)
            rgb_row(m, &matrix, y + i, rows + (size_t)i * stride);
        ok = move_rows(drv, r, y, height, rows, stride, true);
    }
    free(rows);
    return ok;
}

static struct mirror *mirror_of(const struct drv_resource *r)
{
    return (struct mirror *)__atomic_load_n(&r->backing, __ATOMIC_ACQUIRE);
}

const struct gl_memory_image *gl_mirror_memory(const struct drv_resource *resource)
{
    return &mirror_of(resource)->memory;
}

void gl_mirror_read(struct gl_context *ctx, struct drv_resource *resource)
{
    struct mirror *m = mirror_of(resource);
    bool ok;

    ctx->texture.has_mirrors = true;
    if (__atomic_load_n(&m->drawn, __ATOMIC_ACQUIRE))
        return;
    m->memory.ops->begin(m->memory.owner, false);
    ok = m->memory.format ? move_rows(ctx->drv, resource, 0, m->memory.height, m->memory.data,
                                      m->memory.stride, true)
                          : read_yuv(ctx->drv, resource, &m->memory);
    m->memory.ops->end(m->memory.owner, false);
    if (!ok)
        gl_error(ctx, GL_OUT_OF_MEMORY, "reading an image's memory");
}

bool gl_mirror_attach(struct drv_context *drv, struct drv_resource *resource,
                      const struct gl_memory_image *memory)
{
    struct mirror *m = malloc(sizeof *m);
    bool ok;

    if (!m)
        return false;
    *m = (struct mirror){{destroy}, *memory};
    memory->ops->begin(memory->owner, true);
    ok = move_rows(drv, resource, 0, memory->height, memory->data, memory->stride, false);
    memory->ops->end(memory->owner, true);
    if (ok)
        __atomic_store_n(&resource->backing, &m->base, __ATOMIC_RELEASE);
    else
        free(m);
    return ok;
}

static void write_back(struct gl_context *ctx, struct drv_resource *resource)
{
    struct mirror *m = mirror_of(resource);
    bool ok;

    m->memory.ops->begin(m->memory.owner, true);
    ok =
        move_rows(ctx->drv, resource, 0, m->memory.height, m->memory.data, m->memory.stride, false);
    m->memory.ops->end(m->memory.owner, true);
    __atomic_store_n(&m->drawn, false, __ATOMIC_RELEASE);
    if (!ok)
        gl_error(ctx, GL_OUT_OF_MEMORY, "writing an image's memory");
}

void gl_mirror_draw(struct gl_context *ctx, struct drv_resource *resource)
{
    struct gl_texture_state *s = &ctx->texture;

    for (unsigned i = 0; i < s->mirrors.count; i++) {
        if (s->mirrors.data[i] == resource)
            return;
    }
    gl_mirror_read(ctx, resource);
    if (!mirror_of(resource)->memory.format)
        return;
    struct drv_resource *reference = NULL;
    if (!dynarray_append(&s->mirrors, reference)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "drawing to an image");
        return;
    }
    drv_resource_reference(&s->mirrors.data[s->mirrors.count - 1], resource);
    __atomic_store_n(&mirror_of(resource)->drawn, true, __ATOMIC_RELEASE);
}

void gl_mirrors_flush(struct gl_context *ctx)
{
    struct gl_texture_state *s = &ctx->texture;

    if (!s->has_mirrors)
        return;
    for (unsigned i = 0; i < s->mirrors.count; i++) {
        write_back(ctx, s->mirrors.data[i]);
        drv_resource_reference(&s->mirrors.data[i], NULL);
    }
    s->mirrors.count = 0;
    s->has_mirrors = false;
    ctx->dirty |= GL_DIRTY_TEXTURES | GL_DIRTY_FRAMEBUFFER | GL_DIRTY_IMAGES;
}
