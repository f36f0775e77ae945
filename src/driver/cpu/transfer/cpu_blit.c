/* SPDX-License-Identifier: MIT */
/*
 * Copies and blits, executed immediately by the calling thread: texels are read from tiles to
 * linear rows, converted if necessary, and written back.
 */
#include <math.h>
#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/transfer/cpu_resolve.h"
#include "driver/cpu/transfer/cpu_transfer.h"
#include "util/format.h"
#include "util/macros.h"

/* Copies every sample of multisampled images. Returns false if memory is short. */
static bool copy_samples(struct cpu_resource *d, unsigned dst_level, unsigned x, unsigned y,
                         unsigned z, struct cpu_resource *s, unsigned src_level,
                         const struct drv_box *box)
{
    size_t stride = (size_t)box->width * s->texel_bytes;
    uint8_t *linear = malloc(MAX2(stride * box->height, 1));
    const struct cpu_level_layout *sl = &s->level[src_level], *dl = &d->level[dst_level];
    unsigned samples = MIN2(sl->samples, dl->samples);
    for (unsigned i = 0; linear && i < box->depth * samples; i++) {
        unsigned layer = i / samples, sample = i % samples;
        cpu_layout_read(sl, cpu_resource_plane(s, src_level, box->z + layer, sample),
                        s->texel_bytes, box->x, box->y, box->width, box->height, linear, stride);
        cpu_layout_write(dl, cpu_resource_plane(d, dst_level, z + layer, sample), d->texel_bytes, x,
                         y, box->width, box->height, linear, stride);
    }
    free(linear);
    return linear;
}

static void copy_region(struct drv_context *base, struct drv_resource *dst, unsigned dst_level,
                        unsigned dst_x, unsigned dst_y, unsigned dst_z, struct drv_resource *src,
                        unsigned src_level, const struct drv_box *src_box)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_resource *d = cpu_resource(dst), *s = cpu_resource(src);
    cpu_context_sync(ctx, s->storage, false);
    cpu_context_sync(ctx, d->storage, true);
    if (dst->target == DRV_BUFFER) {
        memmove(d->storage->data + dst_x, s->storage->data + src_box->x, src_box->width);
        return;
    }
    if (s->level[src_level].samples > 1) {
        if (!copy_samples(d, dst_level, dst_x, dst_y, dst_z, s, src_level, src_box))
            ctx->base.out_of_memory = true;
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
    for (int z = 0; z < src_box->depth; z++) {
        struct drv_box from = *src_box;
        from.z += z;
        from.depth = 1;
        struct drv_box to = {dst_x,
                             dst_y,
                             (int)dst_z + z,
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

/* One axis of a blit: the center of destination pixel i maps to scale * (i + 0.5) + offset in the
 * source. */
struct axis {
    int dst0, dst1; /* destination pixels, dst1 exclusive, clipped */
    double scale, offset;
    int src0, src1; /* first and last source texel that exist */
};

/* Initializes an axis from the boxes of drv_blit_info; a negative size mirrors. */
static struct axis make_axis(int64_t dst_at, int64_t dst_size, int64_t src_at, int64_t src_size,
                             int64_t dst_limit, int64_t src_limit)
{
    struct axis a;
    a.scale = (double)src_size / dst_size;
    a.offset = src_at - a.scale * dst_at;
    a.dst0 = MAX2(MIN2(dst_at, dst_at + dst_size), 0);
    a.dst1 = MIN2(MAX2(dst_at, dst_at + dst_size), dst_limit);
    a.src0 = MAX2(MIN2(src_at, src_at + src_size), 0);
    a.src1 = MIN2(MAX2(src_at, src_at + src_size), src_limit);
    return a;
}

static double source_position(const struct axis *a, int i)
{
    return a->scale * (i + 0.5) + a->offset;
}

static int nearest(const struct axis *a, int i)
{
    int at = (int)floor(source_position(a, i));
    return CLAMP(at, a->src0, a->src1 - 1);
}

/* Computes the two source texels of destination pixel i and the weight of the second. */
static void linear(const struct axis *a, int i, int at[2], float *weight)
{
    double x = source_position(a, i) - 0.5;
    double base = floor(x);
    *weight = x - base;
    for (unsigned k = 0; k < 2; k++)
        at[k] = CLAMP((int)base + (int)k, a->src0, a->src1 - 1);
}

enum conversion { CONVERT_NONE, CONVERT_FLOAT, CONVERT_INT };

struct blit {
    struct cpu_resource *src, *dst;
    unsigned src_level, dst_level;
    enum drv_format src_format, dst_format;
    uint32_t src_bytes, dst_bytes; /* texel sizes */
    unsigned src_sample, dst_sample;
    unsigned resolved; /* number of samples averaged; 1: only src_sample is read */
    struct axis x, y;
    bool filter;
    enum conversion conversion;
    uint8_t mask;               /* drv_blit_info.mask */
    uint8_t *src_row, *dst_row; /* linear texels src0 to src1, and dst0 to dst1 */
    float (*row[2])[4];         /* unpacked source rows */
    float (*sample_row)[4];     /* unpacked source row of one sample */
    float (*out)[4];            /* destination row */
    int cached[2];              /* index of the source row in each row[] */
};

static void read_row(struct blit *b, int y, int z, unsigned sample, uint8_t *to)
{
    cpu_layout_read(&b->src->level[b->src_level],
                    cpu_resource_plane(b->src, b->src_level, z, sample), b->src_bytes, b->x.src0, y,
                    b->x.src1 - b->x.src0, 1, to, 0);
}

/* Replaces the first sample's values in `row` by the mean of all samples; sRGB values are averaged
 * linearly. */
static void average_row(struct blit *b, float (*row)[4], int y, int z)
{
    unsigned n = b->x.src1 - b->x.src0;
    for (unsigned s = 1; s < b->resolved; s++) {
        read_row(b, y, z, s, b->src_row);
        util_format_unpack_float(b->src_format, b->sample_row, b->src_row, n);
        for (unsigned i = 0; i < n; i++)
            for (unsigned c = 0; c < 4; c++)
                row[i][c] += b->sample_row[i][c];
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < 4; c++)
            row[i][c] /= b->resolved;
}

/* Returns the unpacked source row y. The last two rows are cached. */
static float (*unpacked_row(struct blit *b, int y, int z))[4]
{
    for (unsigned k = 0; k < 2; k++)
        if (b->cached[k] == y)
            return b->row[k];
    unsigned k = y & 1;
    b->cached[k] = y;
    read_row(b, y, z, b->src_sample, b->src_row);
    unsigned n = b->x.src1 - b->x.src0;
    if (b->conversion == CONVERT_INT)
        util_format_unpack_int(b->src_format, (uint32_t(*)[4])b->row[k], b->src_row, n);
    else
        util_format_unpack_float(b->src_format, b->row[k], b->src_row, n);
    if (b->resolved > 1)
        average_row(b, b->row[k], y, z);
    return b->row[k];
}

static void write_row(struct blit *b, int y, int z)
{
    cpu_layout_write(&b->dst->level[b->dst_level],
                     cpu_resource_plane(b->dst, b->dst_level, z, b->dst_sample), b->dst_bytes,
                     b->x.dst0, y, b->x.dst1 - b->x.dst0, 1, b->dst_row, 0);
}

static void filter_row(struct blit *b, int y, int z)
{
    int sy[2];
    float wy;
    linear(&b->y, y, sy, &wy);
    float(*r0)[4] = unpacked_row(b, sy[0], z);
    float(*r1)[4] = sy[1] == sy[0] ? r0 : unpacked_row(b, sy[1], z);
    for (int x = b->x.dst0; x < b->x.dst1; x++) {
        int sx[2];
        float wx;
        linear(&b->x, x, sx, &wx);
        const float *t00 = r0[sx[0] - b->x.src0], *t01 = r0[sx[1] - b->x.src0];
        const float *t10 = r1[sx[0] - b->x.src0], *t11 = r1[sx[1] - b->x.src0];
        for (unsigned c = 0; c < 4; c++) {
            float low = t00[c] + wx * (t01[c] - t00[c]), high = t10[c] + wx * (t11[c] - t10[c]);
            b->out[x - b->x.dst0][c] = low + wy * (high - low);
        }
    }
}

static void convert_row(struct blit *b, int y, int z)
{
    if (b->filter) {
        filter_row(b, y, z);
    } else {
        float(*r)[4] = unpacked_row(b, nearest(&b->y, y), z);
        for (int x = b->x.dst0; x < b->x.dst1; x++)
            memcpy(b->out[x - b->x.dst0], r[nearest(&b->x, x) - b->x.src0], 16);
    }
}

static void pack_row(struct blit *b)
{
    unsigned n = b->x.dst1 - b->x.dst0;
    if (b->conversion == CONVERT_INT)
        util_format_pack_int(b->dst_format, b->dst_row, (const uint32_t(*)[4])b->out,
                             util_format_is_pure_sint(b->src_format), n);
    else
        util_format_pack_float(b->dst_format, b->dst_row, (const float(*)[4])b->out, n);
}

/* Copies a row with nearest filtering, without conversion. */
static void copy_row(struct blit *b, int y, int z)
{
    read_row(b, nearest(&b->y, y), z, b->src_sample, b->src_row);
    for (int x = b->x.dst0; x < b->x.dst1; x++)
        memcpy(b->dst_row + (size_t)(x - b->x.dst0) * b->dst_bytes,
               b->src_row + (size_t)(nearest(&b->x, x) - b->x.src0) * b->src_bytes, b->src_bytes);
}

/* Copies depth and stencil of a row, except components that are not in the mask. */
static void zs_row(struct blit *b, int y, int sz, int dz)
{
    unsigned n = b->x.dst1 - b->x.dst0;
    cpu_layout_read(&b->dst->level[b->dst_level],
                    cpu_resource_plane(b->dst, b->dst_level, dz, b->dst_sample), b->dst_bytes,
                    b->x.dst0, y, n, 1, b->dst_row, 0);
    read_row(b, nearest(&b->y, y), sz, b->src_sample, b->src_row);
    uint8_t *picked = (uint8_t *)b->row[0];
    for (unsigned i = 0; i < n; i++)
        memcpy(picked + (size_t)i * b->src_bytes,
               b->src_row + (size_t)(nearest(&b->x, b->x.dst0 + i) - b->x.src0) * b->src_bytes,
               b->src_bytes);
    if (b->mask & 2 && util_format_has_depth(b->src_format) &&
        util_format_has_depth(b->dst_format)) {
        if (util_format_is_float(b->src_format) || util_format_is_float(b->dst_format)) {
            util_format_unpack_depth(b->src_format, (float *)b->out, picked, n);
            util_format_pack_depth(b->dst_format, b->dst_row, (const float *)b->out, n);
        } else {
            util_format_unpack_depth_u32(b->src_format, (uint32_t *)b->out, picked, n);
            util_format_pack_depth_u32(b->dst_format, b->dst_row, (const uint32_t *)b->out, n);
        }
    }
    if (b->mask & 4 && util_format_has_stencil(b->src_format) &&
        util_format_has_stencil(b->dst_format)) {
        util_format_unpack_stencil(b->src_format, (uint8_t *)b->out, picked, n);
        util_format_pack_stencil(b->dst_format, b->dst_row, (const uint8_t *)b->out, n);
    }
}

static void blit_layer(struct blit *b, int src_z, int dst_z)
{
    b->cached[0] = b->cached[1] = -1;
    for (int y = b->y.dst0; y < b->y.dst1; y++) {
        if (b->mask & 6) {
            zs_row(b, y, src_z, dst_z);
        } else if (b->conversion == CONVERT_NONE && !b->filter) {
            copy_row(b, y, src_z);
        } else {
            convert_row(b, y, src_z);
            pack_row(b);
        }
        write_row(b, y, dst_z);
    }
}

/* Blits to a multisampled destination: each sample from the same sample of the source, or all from
 * its only one. */
static void blit_samples(struct blit *b, int src_z, int dst_z)
{
    unsigned src = b->src->level[b->src_level].samples, dst = b->dst->level[b->dst_level].samples;
    for (unsigned s = 0; s < dst; s++) {
        b->dst_sample = s;
        b->src_sample = src > 1 && dst > 1 ? MIN2(s, src - 1) : 0;
        blit_layer(b, src_z, dst_z);
    }
}

static bool alloc_rows(struct blit *b)
{
    size_t src = b->x.src1 - b->x.src0, dst = b->x.dst1 - b->x.dst0, most = MAX2(src, dst);
    b->src_row = malloc(src * b->src_bytes);
    b->dst_row = malloc(dst * b->dst_bytes);
    b->row[0] = malloc(most * sizeof *b->row[0]);
    b->row[1] = malloc(most * sizeof *b->row[1]);
    b->out = malloc(dst * sizeof *b->out);
    b->sample_row = b->resolved > 1 ? malloc(src * sizeof *b->sample_row) : NULL;
    return (b->sample_row || b->resolved <= 1) && b->src_row && b->dst_row && b->row[0] &&
           b->row[1] && b->out;
}

static void free_rows(struct blit *b)
{
    free(b->src_row);
    free(b->dst_row);
    free(b->row[0]);
    free(b->row[1]);
    free(b->out);
    free(b->sample_row);
}

static void scissor_axis(struct axis *a, int min, int max)
{
    a->dst0 = MAX2(a->dst0, min);
    a->dst1 = MIN2(a->dst1, max);
}

/* Removes destination pixels whose center maps outside the source buffer. GL 4.6 §18.3.1 leaves
 * them undefined. */
static void clip_to_source(struct axis *a, int src_limit)
{
    double x;
    while (a->dst0 < a->dst1 && ((x = source_position(a, a->dst0)) < 0.0 || x >= src_limit))
        a->dst0++;
    while (a->dst0 < a->dst1 && ((x = source_position(a, a->dst1 - 1)) < 0.0 || x >= src_limit))
        a->dst1--;
}

/* Lets filters read texels outside the source rectangle but inside the buffer. GL 4.6 §18.3.1
 * allows it, and Mesa does it. */
static void widen_axis(struct axis *a, int src_limit)
{
    a->src0 = MAX2(a->src0 - 1, 0);
    a->src1 = MIN2(a->src1 + 1, src_limit);
}

/* Returns whether no destination pixel has a source. */
static bool is_empty(const struct axis *a)
{
    return a->dst0 >= a->dst1 || a->src0 >= a->src1;
}

static void blit(struct drv_context *base, const struct drv_blit_info *info)
{
    struct cpu_context *ctx = cpu_context(base);
    struct blit b = {
        .src = cpu_resource(info->src.resource),
        .dst = cpu_resource(info->dst.resource),
        .src_level = info->src.level,
        .dst_level = info->dst.level,
        .src_format = cpu_store_format(info->src.format),
        .dst_format = cpu_store_format(info->dst.format),
        .mask = info->mask,
    };
    const struct drv_blit_box *s = &info->src.box, *d = &info->dst.box;
    if (!cpu_context_condition(ctx) || !s->width || !s->height || !d->width || !d->height ||
        b.dst->blocks.data)
        return;
    cpu_context_sync(ctx, b.src->storage, false);
    cpu_context_sync(ctx, b.dst->storage, true);
    b.src_bytes = b.src->texel_bytes;
    b.dst_bytes = b.dst->texel_bytes;
    const struct cpu_level_layout *sl = &b.src->level[b.src_level],
                                  *dl = &b.dst->level[b.dst_level];
    b.x = make_axis(d->x, d->width, s->x, s->width, dl->width, sl->width);
    b.y = make_axis(d->y, d->height, s->y, s->height, dl->height, sl->height);
    if (info->scissor_enable) {
        scissor_axis(&b.x, info->scissor.minx, info->scissor.maxx);
        scissor_axis(&b.y, info->scissor.miny, info->scissor.maxy);
    }
    clip_to_source(&b.x, sl->width);
    clip_to_source(&b.y, sl->height);
    if (is_empty(&b.x) || is_empty(&b.y))
        return;
    bool integer = util_format_is_pure_integer(b.src_format);
    bool scaled = fabs(b.x.scale) != 1.0 || fabs(b.y.scale) != 1.0;
    b.filter = info->filter == DRV_FILTER_LINEAR && scaled && !integer && info->mask == 1;
    if (b.filter) {
        widen_axis(&b.x, sl->width);
        widen_axis(&b.y, sl->height);
    }
    /* GL 4.6 §18.3.1: integers, depth and stencil come from a single sample */
    b.resolved = dl->samples > 1 || integer || info->mask != 1 ? 1 : sl->samples;
    b.conversion = integer && b.src_format != b.dst_format          ? CONVERT_INT
                   : b.src_format != b.dst_format || b.resolved > 1 ? CONVERT_FLOAT
                                                                    : CONVERT_NONE;
    int layers = MAX2(MIN2(s->depth, d->depth), 1);
    if (b.resolved > 1 && b.x.scale == 1.0 && b.y.scale == 1.0 && b.src_format == b.dst_format) {
        const struct cpu_resolve r = {
            .dst = b.dst,
            .dst_level = b.dst_level,
            .src = b.src,
            .src_level = b.src_level,
            .box = {b.x.dst0, b.y.dst0, d->z, b.x.dst1 - b.x.dst0, b.y.dst1 - b.y.dst0, layers},
            .src_x = nearest(&b.x, b.x.dst0),
            .src_y = nearest(&b.y, b.y.dst0),
            .src_z = s->z,
        };
        if (cpu_resolve_blocks(&r, b.src_format))
            return;
    }
    if (alloc_rows(&b))
        for (int z = 0; z < layers; z++)
            blit_samples(&b, s->z + z, d->z + z);
    else
        ctx->base.out_of_memory = true;
    free_rows(&b);
}

void cpu_transfer_init_ops(struct drv_context_ops *ops)
{
    ops->map = cpu_map;
    ops->flush_region = cpu_flush_region;
    ops->unmap = cpu_unmap;
    ops->image_write = cpu_image_write;
    ops->image_read = cpu_image_read;
    ops->copy_region = copy_region;
    ops->blit = blit;
    ops->generate_mipmap = cpu_generate_mipmap;
}
