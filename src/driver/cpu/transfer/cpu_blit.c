/* SPDX-License-Identifier: MIT */
/*
 * Blits, executed immediately. The destination is divided into chunks of one row of blocks, which
 * all workers process. Source texels are read from tiles to linear rows. Without filter, they are
 * picked and converted as texels (util/format_convert.h); otherwise they are filtered or averaged
 * as planes (util/format_planes.h).
 */
#include "driver/cpu/transfer/cpu_blit.h"

#include <math.h>
#include <string.h>

#include "driver/cpu/resource/cpu_sparse.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/thread_pool.h"

#define CHUNK UTIL_CHUNK /* maximum number of source and of destination texels of a chunk's row */
#define BAND  16         /* destination rows of a job */

/* The smallest destination whose stores bypass the caches, in bytes. STREAM_COPY is for blits without
 * conversion or filter, whose normal stores are long copies, which don't read the cache lines. */
#define STREAM      (12u << 20)
#define STREAM_COPY (24u << 20)

/* The smallest blit that several workers execute, in texels. */
#define PARALLEL_TEXELS 16384

/* --- axes --- */

struct cpu_axis cpu_blit_axis(int64_t dst_at, int64_t dst_size, int64_t src_at, int64_t src_size,
                              int64_t dst_limit, int64_t src_limit)
{
    struct cpu_axis a;
    a.scale = (double)src_size / dst_size;
    a.offset = src_at - a.scale * dst_at;
    a.dst0 = MAX2(MIN2(dst_at, dst_at + dst_size), 0);
    a.dst1 = MIN2(MAX2(dst_at, dst_at + dst_size), dst_limit);
    a.src0 = MAX2(MIN2(src_at, src_at + src_size), 0);
    a.src1 = MIN2(MAX2(src_at, src_at + src_size), src_limit);
    return a;
}

double cpu_blit_position(const struct cpu_axis *a, int i)
{
    return a->scale * (i + 0.5) + a->offset;
}

int cpu_blit_nearest(const struct cpu_axis *a, int i)
{
    int at = (int)floor(cpu_blit_position(a, i));
    return CLAMP(at, a->src0, a->src1 - 1);
}

/* Computes the two source texels of destination pixel i and the weight of the second. */
static void linear(const struct cpu_axis *a, int i, int at[2], float *weight)
{
    double x = cpu_blit_position(a, i) - 0.5;
    double base = floor(x);
    *weight = x - base;
    for (unsigned k = 0; k < 2; k++)
        at[k] = CLAMP((int)base + (int)k, a->src0, a->src1 - 1);
}

/* --- chunks --- */

/* A row of blocks of the source: texels, or planes if the blit filters or averages. */
struct strip {
    bool valid;
    int first; /* row of the source */
    union {
        uint8_t texels[CPU_BLOCK][CHUNK * CPU_MAX_TEXEL];
        struct util_planes planes[CPU_BLOCK];
    } __attribute__((aligned(64)));
};

struct chunk {
    int x, width;          /* destination columns */
    int x0, count;         /* source columns */
    bool adjacent;         /* at[0][i] is at[0][0] + i for all columns, and there is no filter */
    uint32_t at[2][CHUNK]; /* source columns of each column, less x0 */
    float weight[CHUNK];   /* weight of at[1] */
    struct strip strip[2]; /* adjacent rows of blocks */
};

/* Reads rows of texels as planes: of a sample, or the mean of all samples. Whole rows of blocks are
 * read at a time. */
static void read_planes(const struct cpu_blit *b, const struct chunk *c, int y, int rows, int z,
                        struct util_planes planes[CPU_BLOCK])
{
    const struct cpu_level_layout *l = &b->src->level[b->src_level];
    uint8_t texels[CPU_BLOCK][CHUNK * CPU_MAX_TEXEL] __attribute__((aligned(64)));
    struct util_planes other;
    for (unsigned s = 0; s < b->resolved; s++) {
        const unsigned sample = b->resolved > 1 ? s : b->src_sample;
        const float factor = s == b->resolved - 1 ? 1.0f / b->resolved : 1.0f;
        cpu_layout_fetch(l, cpu_resource_plane(b->src, b->src_level, z, sample), b->src_bytes,
                         c->x0, y, c->count, rows, texels[0], sizeof texels[0]);
        for (int i = 0; i < rows; i++) {
            util_texels_to_planes(&b->from, texels[i], c->count, s ? &other : &planes[i]);
            for (unsigned k = 0; s && k < 4; k++)
                if (b->from.components >> k & 1)
                    util_plane_add((float *)planes[i].value[k], (const float *)other.value[k],
                                   factor, c->count);
        }
    }
}

/* Returns the strip that contains source row y. */
static struct strip *find_strip(const struct cpu_blit *b, struct chunk *c, int y, int z)
{
    const struct cpu_level_layout *l = &b->src->level[b->src_level];
    struct strip *s = &c->strip[y / CPU_BLOCK & 1];
    const int first = y & ~(CPU_BLOCK - 1), rows = MIN2(CPU_BLOCK, (int)l->height - first);
    if (s->valid && s->first == first)
        return s;
    s->valid = true;
    s->first = first;
    if (b->planes) {
        read_planes(b, c, first, rows, z, s->planes);
    } else {
        cpu_layout_fetch(l, cpu_resource_plane(b->src, b->src_level, z, b->src_sample),
                         b->src_bytes, c->x0, first, c->count, rows, s->texels[0],
                         sizeof s->texels[0]);
    }
    return s;
}

static inline __attribute__((always_inline)) void pick_n(const struct chunk *c, const uint8_t *src,
                                                         uint8_t *dst, size_t n)
{
    for (int i = 0; i < c->width; i++)
        memcpy(dst + i * n, src + c->at[0][i] * n, n);
}

/* Copies the texels of the columns from a source row. */
static void pick_texels(const struct chunk *c, const uint8_t *src, uint8_t *dst, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        pick_n(c, src, dst, 1);
        break;
    case 2:
        pick_n(c, src, dst, 2);
        break;
    case 4:
        pick_n(c, src, dst, 4);
        break;
    case 8:
        pick_n(c, src, dst, 8);
        break;
    case 16:
        pick_n(c, src, dst, 16);
        break;
    default:
        pick_n(c, src, dst, bytes);
    }
}

static void texel_row(const struct cpu_blit *b, struct chunk *c, int y, int z, uint8_t *to)
{
    uint8_t picked[CHUNK * CPU_MAX_TEXEL] __attribute__((aligned(64)));
    const int sy = cpu_blit_nearest(&b->y, y);
    const uint8_t *row = find_strip(b, c, sy, z)->texels[sy % CPU_BLOCK];
    if (c->adjacent) {
        row += (size_t)c->at[0][0] * b->src_bytes;
    } else {
        pick_texels(c, row, picked, b->src_bytes);
        row = picked;
    }
    if (b->conversion)
        util_convert_row(b->conversion, to, row, c->width);
    else
        memcpy(to, row, (size_t)c->width * b->dst_bytes);
}

/* Sets the components that the source lacks to 0, 0, 0 and 1. */
static void add_components(const struct cpu_blit *b, struct util_planes *planes)
{
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; !(b->from.components >> k & 1) && i < CHUNK; i++)
            planes->value[k][i] = k == 3 ? 0x3f800000 : 0;
}

static void plane_row(const struct cpu_blit *b, struct chunk *c, int y, int z, uint8_t *to)
{
    int sy[2] = {0};
    float weight = 0.0f;
    struct util_planes out, mixed;
    if (b->filter)
        linear(&b->y, y, sy, &weight);
    else
        sy[0] = sy[1] = cpu_blit_nearest(&b->y, y);
    const struct util_planes *in = &find_strip(b, c, sy[0], z)->planes[sy[0] % CPU_BLOCK];
    if (sy[1] != sy[0]) {
        const struct util_planes *next = &find_strip(b, c, sy[1], z)->planes[sy[1] % CPU_BLOCK];
        for (unsigned k = 0; k < 4; k++)
            if (b->from.components >> k & 1)
                util_plane_mix((float *)mixed.value[k], (const float *)in->value[k],
                               (const float *)next->value[k], weight, c->count);
        in = &mixed;
    }
    for (unsigned k = 0; k < 4; k++) {
        const float *row = (const float *)in->value[k];
        float *result = (float *)out.value[k];
        if (!(b->from.components >> k & 1))
            continue;
        if (b->filter)
            util_plane_filter(result, row, c->at, c->weight, c->width);
        else
            util_plane_pick(result, row, c->at[0], c->width);
    }
    add_components(b, &out);
    util_planes_to_texels(&b->to, to, c->width, &out);
}

/* Computes the columns of the chunk that starts at x. */
static void init_chunk(const struct cpu_blit *b, struct chunk *c, int x)
{
    int at[2], low = INT32_MAX, high = 0;
    const int columns =
        fabs(b->x.scale) <= 1.0 ? CHUNK - 16 : (int)((CHUNK - 16) / fabs(b->x.scale));
    const int end = (x + columns) & ~(CPU_BLOCK - 1);
    c->x = x;
    c->width = MIN2(b->x.dst1, MAX2(end, x + 1)) - x;
    memset(c->weight, 0, sizeof c->weight);
    for (int i = 0; i < c->width; i++) {
        if (b->filter)
            linear(&b->x, x + i, at, &c->weight[i]);
        else
            at[0] = at[1] = cpu_blit_nearest(&b->x, x + i);
        low = MIN2(low, MIN2(at[0], at[1]));
        high = MAX2(high, MAX2(at[0], at[1]));
        c->at[0][i] = at[0];
        c->at[1][i] = at[1];
    }
    c->x0 = low & ~(CPU_BLOCK - 1);
    c->count = MIN2(ALIGN_POT(high + 1, CPU_BLOCK), (int)b->src->level[b->src_level].width) - c->x0;
    c->adjacent = !b->filter;
    for (int i = 0; i < ALIGN_POT(c->width, 16); i++) {
        for (unsigned k = 0; k < 2; k++)
            c->at[k][i] = i < c->width ? c->at[k][i] - c->x0 : 0;
        c->adjacent = c->adjacent && (i >= c->width || c->at[0][i] == c->at[0][0] + i);
    }
    c->strip[0].valid = c->strip[1].valid = false;
}

static bool is_streamed(const struct cpu_blit *b)
{
    const uint64_t texels = (uint64_t)(b->x.dst1 - b->x.dst0) * (b->y.dst1 - b->y.dst0);
    return texels * b->dst_bytes >= (b->conversion || b->planes ? STREAM : STREAM_COPY);
}

/* Blits the columns of a chunk in rows y0 to y1 - 1. */
static void blit_chunk(const struct cpu_blit *b, struct chunk *c, int y0, int y1)
{
    const struct cpu_level_layout *l = &b->dst->level[b->dst_level];
    uint8_t *plane = cpu_resource_plane(b->dst, b->dst_level, b->dst_z, b->dst_sample);
    const uint32_t stride = c->width * b->dst_bytes;
    const bool stream = is_streamed(b);
    uint8_t texels[CPU_BLOCK * CHUNK * CPU_MAX_TEXEL] __attribute__((aligned(64)));
    for (int y = y0, next; y < y1; y = next) {
        next = MIN2((y | (CPU_BLOCK - 1)) + 1, y1);
        if (b->conversion && b->conversion->keeps)
            cpu_layout_read(l, plane, b->dst_bytes, c->x, y, c->width, next - y, texels, stride);
        for (int i = y; i < next; i++) {
            if (b->planes)
                plane_row(b, c, i, b->src_z, texels + (i - y) * stride);
            else
                texel_row(b, c, i, b->src_z, texels + (i - y) * stride);
        }
        if (stream)
            cpu_layout_stream(l, plane, b->dst_bytes, c->x, y, c->width, next - y, texels, stride);
        else
            cpu_layout_write(l, plane, b->dst_bytes, c->x, y, c->width, next - y, texels, stride);
    }
}

static void blit_band(void *data, unsigned index)
{
    const struct cpu_blit *b = data;
    const int band = b->y.dst0 / BAND + (int)index;
    const int y0 = MAX2(band * BAND, b->y.dst0), y1 = MIN2((band + 1) * BAND, b->y.dst1);
    struct chunk c;
    for (int x = b->x.dst0; x < b->x.dst1; x += c.width) {
        init_chunk(b, &c, x);
        blit_chunk(b, &c, y0, y1);
    }
}

/* --- copies of whole blocks --- */

/* Returns whether an axis maps whole blocks to whole blocks, which may end at the levels' edges. */
static bool is_block_axis(const struct cpu_axis *a, int dst_size, int src_size)
{
    const int at = cpu_blit_nearest(a, a->dst0), end = at + a->dst1 - a->dst0;
    return a->scale == 1.0 && a->dst0 % CPU_BLOCK == 0 && at % CPU_BLOCK == 0 &&
           at + (a->dst1 - a->dst0) == cpu_blit_nearest(a, a->dst1 - 1) + 1 &&
           (a->dst1 % CPU_BLOCK == 0 || (a->dst1 == dst_size && end <= src_size));
}

/* Copies the blocks of a row of tiles of the destination. */
static void copy_band(void *data, unsigned index)
{
    const struct cpu_blit *b = data;
    const struct cpu_level_layout *dl = &b->dst->level[b->dst_level],
                                  *sl = &b->src->level[b->src_level];
    const int tile = b->y.dst0 / CPU_TILE + (int)index;
    const int dx = b->x.dst0 - cpu_blit_nearest(&b->x, b->x.dst0);
    const int dy = b->y.dst0 - cpu_blit_nearest(&b->y, b->y.dst0);
    const int y0 = MAX2(tile * CPU_TILE, b->y.dst0), y1 = MIN2((tile + 1) * CPU_TILE, b->y.dst1);
    const bool stream = is_streamed(b) && b->dst_bytes % 4 == 0; /* blocks are whole cache lines */
    uint8_t *to = cpu_resource_plane(b->dst, b->dst_level, b->dst_z, b->dst_sample);
    const uint8_t *from = cpu_resource_plane(b->src, b->src_level, b->src_z, b->src_sample);
    for (int x = b->x.dst0, next; x < b->x.dst1; x = next) {
        const int sx = x - dx, most = CPU_TILE - MAX2(x % CPU_TILE, sx % CPU_TILE);
        next = MIN2(x + most, ALIGN_POT(b->x.dst1, CPU_BLOCK));
        const size_t bytes = (size_t)(next - x) * CPU_BLOCK * b->dst_bytes;
        /* the rows of blocks of a tile are adjacent in memory */
        for (int y = y0; y < y1; y += CPU_BLOCK) {
            uint8_t *dst = to + cpu_layout_block_offset(dl, x, y, b->dst_bytes);
            const uint8_t *src = from + cpu_layout_block_offset(sl, sx, y - dy, b->dst_bytes);
            if (stream)
                util_stream_copy(dst, src, bytes);
            else
                memcpy(dst, src, bytes);
        }
    }
    if (stream)
        util_stream_end();
}

/* Returns whether a block copy consists of whole rows of tiles that both levels store alike. Texels
 * past the ends of the levels are copied, too. */
static bool is_tile_copy(const struct cpu_blit *b)
{
    const struct cpu_level_layout *dl = &b->dst->level[b->dst_level],
                                  *sl = &b->src->level[b->src_level];
    const int sy = cpu_blit_nearest(&b->y, b->y.dst0);
    return dl->tile_w == sl->tile_w && dl->tiles_x == sl->tiles_x && dl->width == sl->width &&
           b->x.dst0 == 0 && b->x.dst1 == (int)dl->width && cpu_blit_nearest(&b->x, 0) == 0 &&
           b->y.dst0 % CPU_TILE == 0 && sy % CPU_TILE == 0 &&
           (b->y.dst1 % CPU_TILE == 0 ||
            (b->y.dst1 == (int)dl->height && dl->tiles_y > 1 && sl->tiles_y > 1 &&
             sy + b->y.dst1 - b->y.dst0 <= (int)sl->height));
}

/* Copies rows of tiles, which are adjacent in memory. */
static void copy_tiles(void *data, unsigned index)
{
    const struct cpu_blit *b = data;
    const struct cpu_level_layout *l = &b->dst->level[b->dst_level];
    const size_t bytes =
        (size_t)l->tiles_x * CPU_TILE_BLOCKS * l->tile_w * CPU_BLOCK * CPU_BLOCK * b->dst_bytes;
    const int sy = cpu_blit_nearest(&b->y, b->y.dst0);
    uint8_t *to = cpu_resource_plane(b->dst, b->dst_level, b->dst_z, b->dst_sample) +
                  (b->y.dst0 / CPU_TILE + index) * bytes;
    const uint8_t *from = cpu_resource_plane(b->src, b->src_level, b->src_z, b->src_sample) +
                          (sy / CPU_TILE + index) * bytes;
    if (!is_streamed(b)) {
        memcpy(to, from, bytes);
        return;
    }
    util_stream_copy(to, from, bytes);
    util_stream_end();
}

void cpu_blit_run(const struct cpu_blit *b)
{
    const struct cpu_level_layout *dl = &b->dst->level[b->dst_level],
                                  *sl = &b->src->level[b->src_level];
    unsigned bands = (b->y.dst1 - 1) / BAND - b->y.dst0 / BAND + 1;
    const bool blocks = !b->planes && !b->conversion &&
                        is_block_axis(&b->x, dl->width, sl->width) &&
                        is_block_axis(&b->y, dl->height, sl->height);
    void (*function)(void *, unsigned) = blit_band;
    if (blocks) {
        function = is_tile_copy(b) ? copy_tiles : copy_band;
        bands = (b->y.dst1 - 1) / CPU_TILE - b->y.dst0 / CPU_TILE + 1;
    }
    /* fast-cleared tiles are written to memory by one thread */
    cpu_resource_layer(b->dst, b->dst_level, 0);
    cpu_resource_layer(b->src, b->src_level, 0);
    if ((int64_t)(b->x.dst1 - b->x.dst0) * (b->y.dst1 - b->y.dst0) >= PARALLEL_TEXELS)
        thread_pool_run(function, (void *)b, bands);
    else
        thread_pool_run_here(function, (void *)b, bands);
    const struct drv_box written = {
        b->x.dst0, b->y.dst0, b->dst_z, b->x.dst1 - b->x.dst0, b->y.dst1 - b->y.dst0, 1};
    cpu_sparse_discard(b->dst, b->dst_level, &written);
}
