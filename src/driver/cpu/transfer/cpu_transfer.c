/* SPDX-License-Identifier: MIT */
/*
 * Maps. Buffers are mapped in place, images through linear staging memory. The context keeps one
 * staging buffer and one transfer object of earlier maps for reuse.
 */
#include "driver/cpu/transfer/cpu_transfer.h"

#include <stdlib.h>
#include <string.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "util/format.h"
#include "util/macros.h"

/* Limits of the bytes that a context copies between two submits instead of waiting for readers:
 * RENAME_COPY, and less if the recorded scene has little to draw, which its memory tells. */
#define RENAME_COPY       (1u << 20)
#define RENAME_COPY_LIGHT (16u << 10)
#define STAGING_KEPT      (64u << 20) /* maximum size of the staging memory that a context keeps */

struct transfer {
    struct drv_transfer base;
    void *staging; /* NULL if mapped in place */
    size_t size;
};

/* Returns whether the box covers the whole resource. */
static bool covers_all(const struct cpu_resource *r, const struct drv_box *box)
{
    if (r->base.target == DRV_BUFFER)
        return (uint32_t)box->width == r->base.width;
    const struct cpu_level_layout *l = &r->level[0];
    return r->base.last_level == 0 && (uint32_t)box->width == l->width &&
           (uint32_t)box->height == l->height && (uint32_t)box->depth == l->layers;
}

/* Gives the resource a copied storage if scenes read the current one and a copy is cheaper than
 * waiting. Returns false if the caller has to wait. */
static bool copy_for_write(struct cpu_context *ctx, struct cpu_resource *r)
{
    if (!__atomic_load_n(&r->storage->users, __ATOMIC_ACQUIRE))
        return true;
    bool light = cpu_context_idle(ctx) && ctx->recording &&
                 cpu_scene_memory(ctx->recording) <= CPU_INLINE_SCENE;
    size_t size = r->storage->size;
    if (size + ctx->rename_copy_bytes > (light ? RENAME_COPY_LIGHT : RENAME_COPY))
        return false;
    return cpu_context_rename_copy(ctx, r);
}

static bool synchronize(struct cpu_context *ctx, struct cpu_resource *r, unsigned flags,
                        const struct drv_box *box)
{
    bool write = flags & DRV_MAP_WRITE;
    if (flags & DRV_MAP_UNSYNCHRONIZED)
        return true;
    if (write && !r->blocks.data && !((r->base.map_flags | flags) & DRV_MAP_PERSISTENT)) {
        if (flags & DRV_MAP_DISCARD_WHOLE ||
            (flags & DRV_MAP_DISCARD_RANGE && covers_all(r, box))) {
            cpu_context_rename(ctx, r);
            return true;
        }
        if (copy_for_write(ctx, r))
            return true;
    }
    return cpu_context_wait(ctx, r->storage, write, flags & DRV_MAP_DONTBLOCK);
}

static void *take_staging(struct cpu_context *ctx, size_t size, size_t *got)
{
    if (ctx->staging && ctx->staging_size >= size && ctx->staging_size / 8 <= size) {
        void *p = ctx->staging;
        *got = ctx->staging_size;
        ctx->staging = NULL;
        return p;
    }
    *got = ALIGN_POT(size, 64);
    return aligned_alloc(64, *got);
}

static void put_staging(struct cpu_context *ctx, void *p, size_t size)
{
    if (ctx->staging || size > STAGING_KEPT) {
        free(p);
        return;
    }
    ctx->staging = p;
    ctx->staging_size = size;
}

/* Returns an uninitialized transfer, or NULL if out of memory. */
static struct transfer *take_transfer(struct cpu_context *ctx)
{
    struct transfer *t = ctx->idle_transfer;
    ctx->idle_transfer = NULL;
    return t ? t : malloc(sizeof *t);
}

static void put_transfer(struct cpu_context *ctx, struct transfer *t)
{
    free(ctx->idle_transfer);
    ctx->idle_transfer = t;
}

static bool needs_contents(unsigned flags)
{
    return flags & DRV_MAP_READ || !(flags & (DRV_MAP_DISCARD_RANGE | DRV_MAP_DISCARD_WHOLE));
}

static bool map_image(struct cpu_context *ctx, struct cpu_resource *r, struct transfer *t)
{
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    const struct drv_box *box = &t->base.box;
    uint64_t row = util_format_row_bytes(r->base.format, box->width);
    t->base.stride = ALIGN_POT(row, 16);
    t->base.layer_stride =
        (uint64_t)t->base.stride * DIV_ROUND_UP((uint32_t)box->height, d->block_height);
    t->staging = take_staging(ctx, MAX2(t->base.layer_stride * box->depth, 64), &t->size);
    if (!t->staging)
        return false;
    if (needs_contents(t->base.flags))
        cpu_resource_read(r, t->base.level, box, t->staging, t->base.stride, t->base.layer_stride);
    return true;
}

void *cpu_map(struct drv_context *base, struct drv_resource *resource, unsigned level,
              unsigned flags, const struct drv_box *box, struct drv_transfer **transfer)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_resource *r = cpu_resource(resource);
    struct transfer *t = take_transfer(ctx);
    if (!t)
        return NULL;
    *t = (struct transfer){.base = {.level = level, .flags = flags, .box = *box}};
    bool image = resource->target != DRV_BUFFER;
    if (!synchronize(ctx, r, flags, box) || (image && !map_image(ctx, r, t))) {
        put_transfer(ctx, t);
        return NULL;
    }
    drv_resource_reference(&t->base.resource, resource);
    *transfer = &t->base;
    return image ? t->staging : r->storage->data + box->x;
}

/* Returns the conversion between the pixels and texels of the view. sRGB values stay encoded.
 * Returns NULL if there is none. */
static const struct util_conversion *find_conversion(struct cpu_context *ctx,
                                                     const struct drv_pixels *pixels,
                                                     enum drv_format view, bool read)
{
    const enum drv_format texels = util_format_linear(view);
    const enum drv_format linear = util_format_linear(pixels->format);
    struct util_conversion_desc d = {
        .dst = read ? linear : texels,
        .src = read ? texels : linear,
        .out = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W}};
    if (pixels->conversion)
        return pixels->conversion;
    memcpy(d.in, pixels->swizzle, sizeof d.in);
    return util_conversion_find(&ctx->conversions, &d);
}

bool cpu_image_read(struct drv_context *base, struct drv_resource *resource, enum drv_format view,
                    unsigned level, const struct drv_box *box, const struct drv_pixels *dst)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_resource *r = cpu_resource(resource);
    const struct util_conversion *conversion = find_conversion(ctx, dst, view, true);
    if (r->blocks.data || !conversion)
        return false;
    if (ctx->recording && box->depth == 1) {
        const struct cpu_copy copy =
            cpu_resource_copy(r, level, box, 0, dst->data, dst->stride, true, conversion);
        if (cpu_context_read(ctx, &copy))
            return true;
    }
    cpu_context_wait(ctx, r->storage, false, false);
    cpu_resource_read_pixels(r, level, box, conversion, dst);
    return true;
}

bool cpu_image_write(struct drv_context *base, struct drv_resource *resource, enum drv_format view,
                     unsigned level, const struct drv_box *box, const struct drv_pixels *src)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_resource *r = cpu_resource(resource);
    const struct util_conversion *conversion = find_conversion(ctx, src, view, false);
    if (r->blocks.data || !conversion)
        return false;
    const unsigned discard = conversion->keeps ? 0 : DRV_MAP_DISCARD_RANGE;
    if (!synchronize(ctx, r, DRV_MAP_WRITE | discard, box))
        return false;
    cpu_resource_write_pixels(r, level, box, conversion, src);
    return true;
}

bool cpu_image_fill(struct drv_context *base, struct drv_resource *resource, unsigned level,
                    const struct drv_box *box, const uint8_t *texel)
{
    struct cpu_resource *r = cpu_resource(resource);
    if (r->blocks.data ||
        !synchronize(cpu_context(base), r, DRV_MAP_WRITE | DRV_MAP_DISCARD_RANGE, box))
        return false;
    return cpu_resource_fill(r, level, box, texel);
}

bool cpu_image_is_idle(struct drv_context *base, const struct drv_resource *resource)
{
    const struct cpu_resource *r = (const struct cpu_resource *)resource;
    return !__atomic_load_n(&r->storage->users, __ATOMIC_ACQUIRE);
}

/* Writes a box of the staging memory, relative to the transfer's box, to the resource. */
static void write_back(struct transfer *t, const struct drv_box *box)
{
    struct cpu_resource *r = cpu_resource(t->base.resource);
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    const uint8_t *from = (const uint8_t *)t->staging + box->z * t->base.layer_stride +
                          (size_t)(box->y / d->block_height) * t->base.stride +
                          (size_t)(box->x / d->block_width) * d->block_bytes;
    struct drv_box to = *box;
    to.x += t->base.box.x;
    to.y += t->base.box.y;
    to.z += t->base.box.z;
    cpu_resource_write(r, t->base.level, &to, from, t->base.stride, t->base.layer_stride);
}

void cpu_flush_region(struct drv_context *ctx, struct drv_transfer *transfer,
                      const struct drv_box *box)
{
    struct transfer *t = (struct transfer *)transfer;
    if (t->staging && transfer->flags & DRV_MAP_WRITE)
        write_back(t, box);
}

void cpu_unmap(struct drv_context *base, struct drv_transfer *transfer)
{
    struct cpu_context *ctx = cpu_context(base);
    struct transfer *t = (struct transfer *)transfer;
    if (t->staging) {
        if (transfer->flags & DRV_MAP_WRITE && !(transfer->flags & DRV_MAP_FLUSH_EXPLICIT)) {
            struct drv_box all = {.width = transfer->box.width,
                                  .height = transfer->box.height,
                                  .depth = transfer->box.depth};
            write_back(t, &all);
        }
        put_staging(ctx, t->staging, t->size);
    }
    drv_resource_reference(&t->base.resource, NULL);
    put_transfer(ctx, t);
}
