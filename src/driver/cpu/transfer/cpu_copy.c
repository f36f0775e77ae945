/* SPDX-License-Identifier: MIT */
/* The driver's entries for copies and blits. They prepare what cpu_blit.c executes. */
#include <math.h>
#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/resource/cpu_sparse.h"
#include "driver/cpu/transfer/cpu_blit.h"
#include "driver/cpu/transfer/cpu_resolve.h"
#include "driver/cpu/transfer/cpu_transfer.h"
#include "util/format.h"
#include "util/macros.h"

/* Returns a blit between the images that copies texels without conversion. */
static struct cpu_blit plain_copy(struct cpu_resource *d, unsigned dst_level,
                                  struct cpu_resource *s, unsigned src_level)
{
    return (struct cpu_blit){
        .src = s,
        .dst = d,
        .src_level = src_level,
        .dst_level = dst_level,
        .src_bytes = s->texel_bytes,
        .dst_bytes = d->texel_bytes,
        .resolved = 1,
    };
}

/* Copies a box between two images with texels of one size, with all samples. */
static void copy_texels(struct cpu_resource *d, unsigned dst_level, unsigned x, unsigned y,
                        unsigned z, struct cpu_resource *s, unsigned src_level,
                        const struct drv_box *box)
{
    const struct cpu_level_layout *sl = &s->level[src_level], *dl = &d->level[dst_level];
    const unsigned samples = MIN2(sl->samples, dl->samples);
    struct cpu_blit b = plain_copy(d, dst_level, s, src_level);
    b.x = cpu_blit_axis(x, box->width, box->x, box->width, dl->width, sl->width);
    b.y = cpu_blit_axis(y, box->height, box->y, box->height, dl->height, sl->height);
    if (b.x.dst0 >= b.x.dst1 || b.y.dst0 >= b.y.dst1)
        return;
    for (unsigned i = 0; i < box->depth * samples; i++) {
        b.src_z = box->z + (int)(i / samples);
        b.dst_z = (int)(z + i / samples);
        b.src_sample = b.dst_sample = i % samples;
        cpu_blit_run(&b);
    }
}

/* Returns whether both images consist of blocks of the same size, which can be copied as they
 * are. */
static bool have_same_blocks(const struct cpu_resource *d, const struct cpu_resource *s)
{
    const struct drv_format_desc *df = drv_format_desc(d->base.format),
                                 *sf = drv_format_desc(s->base.format);
    return d->blocks.data && s->blocks.data && d != s && df->block_width == sf->block_width &&
           df->block_height == sf->block_height && df->block_bytes == sf->block_bytes;
}

static void copy_region(struct drv_context *base, struct drv_resource *dst, unsigned dst_level,
                        unsigned dst_x, unsigned dst_y, unsigned dst_z, struct drv_resource *src,
                        unsigned src_level, const struct drv_box *src_box)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_resource *d = cpu_resource(dst), *s = cpu_resource(src);
    cpu_context_wait(ctx, s->storage, false, false);
    cpu_context_wait(ctx, d->storage, true, false);
    if (have_same_blocks(d, s)) {
        cpu_resource_copy_blocks(d, dst_level, dst_x, dst_y, dst_z, s, src_level, src_box);
        return;
    }
    /* blocks are copied without their texels */
    if (!s->blocks.data)
        cpu_storage_resolve(s->storage, false);
    if (!d->blocks.data)
        cpu_storage_resolve(d->storage, true);
    if (dst->target == DRV_BUFFER) {
        memmove(d->storage->data + dst_x, s->storage->data + src_box->x, src_box->width);
        return;
    }
    if (!s->blocks.data && !d->blocks.data && s->texel_bytes == d->texel_bytes && s != d) {
        copy_texels(d, dst_level, dst_x, dst_y, dst_z, s, src_level, src_box);
        return;
    }
    const struct drv_format_desc *sf = drv_format_desc(src->format);
    const struct drv_format_desc *df = drv_format_desc(dst->format);
    uint32_t columns = DIV_ROUND_UP((uint32_t)src_box->width, sf->block_width);
    uint32_t rows = DIV_ROUND_UP((uint32_t)src_box->height, sf->block_height);
    size_t stride = (size_t)columns * sf->block_bytes;
    uint8_t *linear = malloc(MAX2(stride * rows, 1));
    if (!linear) {
        ctx->base.out_of_memory = true;
        return;
    }
    /* Samples are layers of their own here. */
    const int samples = (int)MIN2(s->level[src_level].samples, d->level[dst_level].samples);
    for (int z = 0; z < src_box->depth * samples; z++) {
        struct drv_box from = *src_box;
        from.z = src_box->z * samples + z;
        from.depth = 1;
        struct drv_box to = {dst_x,
                             dst_y,
                             (int)dst_z * samples + z,
                             (int)columns * df->block_width,
                             (int)rows * df->block_height,
                             1};
        /* blocks at the edges of small levels extend beyond the level */
        const struct cpu_level_layout *l = &d->level[dst_level];
        to.width = MIN2(to.width, (int)l->width - to.x);
        to.height = MIN2(to.height, (int)l->height - to.y);
        cpu_resource_read(s, src_level, &from, linear, stride, 0);
        cpu_resource_write(d, dst_level, &to, linear, stride, 0);
    }
    free(linear);
}

/* --- blits --- */

static void scissor_axis(struct cpu_axis *a, int min, int max)
{
    a->dst0 = MAX2(a->dst0, min);
    a->dst1 = MIN2(a->dst1, max);
}

/* Removes destination pixels whose center maps outside the source buffer. GL 4.6 §18.3.1 leaves
 * them undefined. */
static void clip_to_source(struct cpu_axis *a, int src_limit)
{
    double x;
    while (a->dst0 < a->dst1 && ((x = cpu_blit_position(a, a->dst0)) < 0.0 || x >= src_limit))
        a->dst0++;
    while (a->dst0 < a->dst1 && ((x = cpu_blit_position(a, a->dst1 - 1)) < 0.0 || x >= src_limit))
        a->dst1--;
}

/* Lets filters read texels outside the source rectangle but inside the buffer. GL 4.6 §18.3.1
 * allows it, and Mesa does it. */
static void widen_axis(struct cpu_axis *a, int src_limit)
{
    a->src0 = MAX2(a->src0 - 1, 0);
    a->src1 = MIN2(a->src1 + 1, src_limit);
}

/* Returns whether no destination pixel has a source. */
static bool is_empty(const struct cpu_axis *a)
{
    return a->dst0 >= a->dst1 || a->src0 >= a->src1;
}

/* Blits a layer to all samples of the destination: each from the same sample of the source, or all
 * from its only one. */
static void blit_samples(struct cpu_blit *b)
{
    unsigned src = b->src->level[b->src_level].samples, dst = b->dst->level[b->dst_level].samples;
    for (unsigned s = 0; s < dst; s++) {
        b->dst_sample = s;
        b->src_sample = src > 1 && dst > 1 ? MIN2(s, src - 1) : 0;
        cpu_blit_run(b);
    }
}

/* Chooses how texels are converted. Returns false if nothing is to be blitted. */
static bool init_conversion(struct cpu_context *ctx, struct cpu_blit *b, enum drv_format dst,
                            enum drv_format src, unsigned mask)
{
    struct util_conversion_desc d = {
        .dst = dst,
        .src = src,
        .in = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .out = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .any_depth = true,
    };
    b->planes = b->filter || b->resolved > 1;
    if (b->planes)
        return util_planes_format_init(&b->from, src, src == dst) &&
               util_planes_format_init(&b->to, dst, src == dst);
    if (mask & 2 && util_format_has_depth(src) && util_format_has_depth(dst))
        d.aspects |= UTIL_CONVERT_DEPTH;
    if (mask & 4 && util_format_has_stencil(src) && util_format_has_stencil(dst))
        d.aspects |= UTIL_CONVERT_STENCIL;
    const struct util_conversion *conversion =
        mask == 1 || d.aspects ? util_conversion_find(&ctx->conversions, &d) : NULL;
    if (!conversion)
        return false;
    b->conversion = util_conversion_is_copy(conversion) ? NULL : conversion;
    return true;
}

/* Resolves whole blocks of the same format. Returns false if the blit does something else. */
static bool resolve_blocks(const struct cpu_blit *b, enum drv_format dst, enum drv_format src,
                           int layers)
{
    if (b->resolved == 1 || b->x.scale != 1.0 || b->y.scale != 1.0 || src != dst)
        return false;
    const struct cpu_resolve r = {
        .dst = b->dst,
        .dst_level = b->dst_level,
        .src = b->src,
        .src_level = b->src_level,
        .box = {b->x.dst0, b->y.dst0, b->dst_z, b->x.dst1 - b->x.dst0, b->y.dst1 - b->y.dst0,
                layers},
        .src_x = cpu_blit_nearest(&b->x, b->x.dst0),
        .src_y = cpu_blit_nearest(&b->y, b->y.dst0),
        .src_z = b->src_z,
    };
    return cpu_resolve_blocks(&r, src);
}

static void blit(struct drv_context *base, const struct drv_blit_info *info)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_blit b = {
        .src = cpu_resource(info->src.resource),
        .dst = cpu_resource(info->dst.resource),
        .src_level = info->src.level,
        .dst_level = info->dst.level,
        .src_z = info->src.box.z,
        .dst_z = info->dst.box.z,
    };
    const enum drv_format src_format = cpu_store_format(info->src.format);
    const enum drv_format dst_format = cpu_store_format(info->dst.format);
    const struct drv_blit_box *s = &info->src.box, *d = &info->dst.box;
    if (!s->width || !s->height || !d->width || !d->height || b.dst->blocks.data)
        return;
    cpu_context_sync(ctx, b.src->storage, false);
    cpu_context_sync(ctx, b.dst->storage, true);
    b.src_bytes = b.src->texel_bytes;
    b.dst_bytes = b.dst->texel_bytes;
    const struct cpu_level_layout *sl = &b.src->level[b.src_level],
                                  *dl = &b.dst->level[b.dst_level];
    b.x = cpu_blit_axis(d->x, d->width, s->x, s->width, dl->width, sl->width);
    b.y = cpu_blit_axis(d->y, d->height, s->y, s->height, dl->height, sl->height);
    if (info->scissor_enable) {
        scissor_axis(&b.x, info->scissor.minx, info->scissor.maxx);
        scissor_axis(&b.y, info->scissor.miny, info->scissor.maxy);
    }
    clip_to_source(&b.x, sl->width);
    clip_to_source(&b.y, sl->height);
    if (is_empty(&b.x) || is_empty(&b.y))
        return;
    bool integer = util_format_is_pure_integer(src_format);
    bool scaled = fabs(b.x.scale) != 1.0 || fabs(b.y.scale) != 1.0;
    b.filter = info->filter == DRV_FILTER_LINEAR && scaled && !integer && info->mask == 1;
    if (b.filter) {
        widen_axis(&b.x, sl->width);
        widen_axis(&b.y, sl->height);
    }
    /* GL 4.6 §18.3.1: integers, depth and stencil come from a single sample */
    b.resolved = dl->samples > 1 || integer || info->mask != 1 ? 1 : sl->samples;
    int layers = MAX2(MIN2(s->depth, d->depth), 1);
    if (resolve_blocks(&b, dst_format, src_format, layers) ||
        !init_conversion(ctx, &b, dst_format, src_format, info->mask))
        return;
    for (int z = 0; z < layers; z++, b.src_z++, b.dst_z++)
        blit_samples(&b);
}

static void page_commitment(struct drv_context *base, struct drv_resource *resource, unsigned level,
                            const struct drv_box *box, bool commit)
{
    struct cpu_resource *r = cpu_resource(resource);
    cpu_context_sync(cpu_context(base), r->storage, true);
    cpu_sparse_commit(r, level, box, commit);
}

void cpu_transfer_init_ops(struct drv_context_ops *ops)
{
    ops->page_commitment = page_commitment;
    ops->map = cpu_map;
    ops->flush_region = cpu_flush_region;
    ops->unmap = cpu_unmap;
    ops->image_write = cpu_image_write;
    ops->image_read = cpu_image_read;
    ops->image_fill = cpu_image_fill;
    ops->image_is_idle = cpu_image_is_idle;
    ops->copy_region = copy_region;
    ops->blit = blit;
    ops->generate_mipmap = cpu_generate_mipmap;
}
