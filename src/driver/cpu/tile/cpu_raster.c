/* SPDX-License-Identifier: MIT */
/*
 * Rasterization inside a tile. Parts of 16×16 pixels are rejected, accepted, or divided into 4×4
 * blocks, whose pixels are tested by edge functions. The value of an edge function that crosses a
 * tile fits into 32 bits inside the tile: |a| and |b| are at most 2^23 (a guard band of 2^15 pixels
 * with 8 subpixel bits), and there are at most 63 steps of each. Edges that do not cross the tile
 * are dropped first, or reject the primitive.
 *
 * Multisampled primitives are tested at the samples: the value of an edge function there is its
 * value at the pixel center plus a constant per edge and sample. Smooth polygons also use samples,
 * whose number gives the coverage of the pixel.
 */
#include <stdlib.h>

#include "util/simd.h"
#include "driver/cpu/tile/cpu_scene.h"

/* Functions with arguments wider than the machine's vectors are always inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef cpu_v4i v4i;
typedef int16_t v8s __attribute__((vector_size(16)));
typedef int8_t v16c __attribute__((vector_size(16)));
typedef uint8_t v16uc __attribute__((vector_size(16)));

/* The edges of a primitive in a tile, one per vector element. Edges that do not cross the tile are
 * 0, so that they are never negative. */
struct tile_edges {
    bool fourth;  /* edge 3 crosses the tile */
    v4i crossing; /* all ones if the edge crosses the tile */
    v4i e;        /* values at the tile's first pixel */
    v4i a, b;
    /* Increments per pixel from the first pixel of a square to the pixels where the edge function
     * has its maximum and its minimum. */
    v4i best, worst;
    v4i lane[CPU_MAX_EDGES]
            [4]; /* increments from a block's first pixel to each pixel, in lane order */
};

/* Masks of a block's pixels: from column or row n on, and up to column or row n. */
static const uint16_t columns_from[4] = {0xffff, 0xfafa, 0xf0f0, 0xa0a0};
static const uint16_t columns_to[4] = {0x0505, 0x0f0f, 0x5f5f, 0xffff};
static const uint16_t rows_from[4] = {0xffff, 0xffcc, 0xff00, 0xcc00};
static const uint16_t rows_to[4] = {0x0033, 0x00ff, 0x33ff, 0xffff};

/* Sample positions relative to the pixel center in 1/16 pixel: the standard positions of Direct3D
 * 11. y increases from the top row of the displayed image to the bottom. */
typedef const int8_t positions[CPU_MAX_SAMPLES][2];
static positions center, positions2[2] = {{{4, 4}, {-4, -4}}, {{4, -4}, {-4, 4}}};
static positions positions4[2] = {{{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
                                  {{-2, 6}, {6, 2}, {-6, -2}, {2, -6}}};
static positions positions8[2] = {
    {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
    {{1, 3}, {-1, -3}, {5, -1}, {-3, 5}, {-5, -5}, {-7, 1}, {3, -7}, {7, 7}},
};
/* The last sample is on the lower border of the pixel. Flipped, it would be on the upper border,
 * which belongs to the next pixel, so it is 1/16 lower in windows. */
static positions positions16[2] = {
    {
        {1, 1},
        {-1, -3},
        {-3, 2},
        {4, -1},
        {-5, -2},
        {2, 5},
        {5, 3},
        {3, -5},
        {-2, 6},
        {0, -7},
        {-4, -6},
        {-6, 4},
        {-8, 0},
        {7, -4},
        {6, 7},
        {-7, -8},
    },
    {
        {1, -1},
        {-1, 3},
        {-3, -2},
        {4, 1},
        {-5, 2},
        {2, -5},
        {5, -3},
        {3, 5},
        {-2, -6},
        {0, 7},
        {-4, 6},
        {-6, -4},
        {-8, 0},
        {7, 4},
        {6, -7},
        {-7, 7},
    },
};

const int8_t (*cpu_sample_positions(unsigned samples, bool window))[2]
{
    return samples == 16  ? positions16[window]
           : samples == 8 ? positions8[window]
           : samples == 4 ? positions4[window]
           : samples == 2 ? positions2[window]
                          : center;
}

#define SMOOTH_SAMPLES 16 /* samples that are counted for the coverage of smooth polygons */

/* Increments of the edge functions from a pixel's center to its samples. */
struct sample_edges {
    unsigned count;
    uint8_t all;  /* bytes of a fully covered pixel: one bit per sample, or 255 */
    bool counted; /* samples are counted for the coverage of smooth polygons */
    bool high;    /* samples 8 to 15 are stored in separate bytes (CPU_HIGH_SAMPLES) */
    v4i of[CPU_MAX_SAMPLES];
    v4i most, least; /* maximum and minimum over all samples */
};

#define INLINE static inline __attribute__((always_inline))

static inline uint32_t sign_bits(v4i v)
{
#if defined(__SSE2__)
    return _mm_movemask_ps((__m128)v);
#elif defined(__aarch64__)
    return vaddvq_u32((uint32x4_t)((v >> 31) & (v4i){1, 2, 4, 8}));
#else
    return (v[0] < 0) | (v[1] < 0) << 1 | (v[2] < 0) << 2 | (v[3] < 0) << 3;
#endif
}

/* Returns the sign bits of 16 bytes. */
static inline uint32_t byte_signs(v16c v)
{
#if defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)v);
#elif defined(__aarch64__)
    static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t signs = vandq_u8((uint8x16_t)(v < 0), vld1q_u8(bits));
    return vaddv_u8(vget_low_u8(signs)) | vaddv_u8(vget_high_u8(signs)) << 8;
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < 16; i++)
        bits |= (uint32_t)(v[i] < 0) << i;
    return bits;
#endif
}

/* Returns bytes with the signs of 16 integers. */
static inline v16c narrow(const v4i v[4])
{
#ifdef __SSE2__
    /* Saturation keeps the sign. */
    __m128i low = _mm_packs_epi32((__m128i)v[0], (__m128i)v[1]);
    __m128i high = _mm_packs_epi32((__m128i)v[2], (__m128i)v[3]);
    return (v16c)_mm_packs_epi16(low, high);
#else
    /* the high halves of the integers, then those of the halves */
    const v8s low = __builtin_shufflevector((v8s)v[0], (v8s)v[1], 1, 3, 5, 7, 9, 11, 13, 15);
    const v8s high = __builtin_shufflevector((v8s)v[2], (v8s)v[3], 1, 3, 5, 7, 9, 11, 13, 15);
    return __builtin_shufflevector((v16c)low, (v16c)high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23,
                                   25, 27, 29, 31);
#endif
}

static inline uint32_t sign_bits16(const v4i v[4])
{
    return byte_signs(narrow(v));
}

#define SPLAT(v, i) __builtin_shufflevector(v, v, i, i, i, i)

/* Computes the increments from a block's first pixel to each pixel for an edge whose steps a and b
 * are in every element. */
static inline void init_lanes(v4i lane[4], v4i a, v4i b)
{
    v4i quad = (a & (v4i){0, -1, 0, -1}) + (b & (v4i){0, 0, -1, -1});
    lane[0] = quad;
    lane[1] = quad + 2 * a;
    lane[2] = quad + 2 * b;
    lane[3] = lane[1] + 2 * b;
}

static v4i load(const int32_t *p)
{
    return *(const v4i *)p;
}

#define E_LIMIT (INT64_C(1) << 30) /* bound of the value of an edge that crosses the tile */

static int32_t edge_at(const struct cpu_edges *edges, unsigned i, int x, int y)
{
    int64_t e = edges->c[i] + (int64_t)edges->a[i] * x + (int64_t)edges->b[i] * y;
    return (int32_t)CLAMP(e, -E_LIMIT, E_LIMIT);
}

/* Returns the values of all edge functions at a pixel. */
static inline v4i edges_at(const struct cpu_edges *edges, int x, int y)
{
    return (v4i){edge_at(edges, 0, x, y), edge_at(edges, 1, x, y), edge_at(edges, 2, x, y),
                 edge_at(edges, 3, x, y)};
}

/* Initializes all fields of *t but lane. e: the values at the tile's first pixel (edges_at). s is
 * NULL for coverage at pixel centers. Returns false if the tile is outside an edge. */
INLINE bool find_edges(struct tile_edges *t, const struct sample_edges *s,
                       const struct cpu_edges *edges, v4i e)
{
    v4i a = load(edges->a), b = load(edges->b), zero = {0};
    v4i best = (a & (a > zero)) + (b & (b > zero)), worst = (a & (a < zero)) + (b & (b < zero));
    if (sign_bits(e + best * (CPU_TILE - 1) + (s ? s->most : zero)))
        return false;
    v4i crossing = e + worst * (CPU_TILE - 1) + (s ? s->least : zero) < zero;
    t->fourth = sign_bits(crossing) & 8;
    t->crossing = crossing;
    t->e = e & crossing;
    t->a = a & crossing;
    t->b = b & crossing;
    t->best = best & crossing;
    t->worst = worst & crossing;
    return true;
}

static bool init_edges(struct tile_edges *t, const struct sample_edges *s,
                       const struct cpu_edges *edges, int x, int y)
{
    if (!find_edges(t, s, edges, edges_at(edges, x, y)))
        return false;
    init_lanes(t->lane[0], SPLAT(t->a, 0), SPLAT(t->b, 0));
    init_lanes(t->lane[1], SPLAT(t->a, 1), SPLAT(t->b, 1));
    init_lanes(t->lane[2], SPLAT(t->a, 2), SPLAT(t->b, 2));
    init_lanes(t->lane[3], SPLAT(t->a, 3), SPLAT(t->b, 3));
    return true;
}

static inline void add_negative(v4i out[4], const v4i lane[4], v4i e)
{
#pragma GCC unroll 4
    for (unsigned q = 0; q < 4; q++)
        out[q] |= lane[q] + e;
}

/* Returns the mask of pixels inside all three edges; e holds their values at the block's first
 * pixel. */
static inline uint32_t block_mask(const v4i (*lane)[4], v4i e)
{
    v4i out[4] = {{0}};
    add_negative(out, lane[0], SPLAT(e, 0));
    add_negative(out, lane[1], SPLAT(e, 1));
    add_negative(out, lane[2], SPLAT(e, 2));
    return sign_bits16(out) ^ 0xffff;
}

/* --- multisampling --- */

static v4i smaller(v4i a, v4i b)
{
    v4i less = a < b;
    return (a & less) | (b & ~less);
}

/* Returns the bytes of a pixel of which all samples are covered. */
static uint8_t all_bits(unsigned samples)
{
    return (uint8_t)((1u << samples) - 1);
}

/* The value of an edge at a sample is floor(E / 256), where E is its exact value there
 * (cpu_setup.c); edges->fraction has the low bits of E at the pixel center. */
static void init_samples(struct sample_edges *s, const struct cpu_edges *edges,
                         const int8_t (*position)[2], unsigned count, bool counted)
{
    v4i a = load(edges->a) * 16, b = load(edges->b) * 16, fraction = load(edges->fraction);
    s->count = count;
    s->counted = counted;
    s->high = count > CPU_LOW_SAMPLES && !counted;
    s->all = counted ? 255 : all_bits(count);
    s->most = (v4i){0} + INT32_MIN;
    s->least = (v4i){0} + INT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        s->of[i] = (fraction + a * position[i][0] + b * position[i][1]) >> 8;
        s->most = ~smaller(~s->most, ~s->of[i]);
        s->least = smaller(s->least, s->of[i]);
    }
}

/* Sets the increments of edges that do not cross the tile to 0. */
static void drop_sample_edges(struct sample_edges *s, v4i crossing)
{
    for (unsigned i = 0; i < s->count; i++)
        s->of[i] &= crossing;
    s->most &= crossing;
    s->least &= crossing;
}

/* Returns a byte per pixel of a block: all ones if the bit of the pixel in the mask is set. */

static v16c expand_mask(uint32_t mask)
{
    const v16c bit = {1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128};
    v16c low = (v16c){} + (int8_t)mask, high = (v16c){} + (int8_t)(mask >> 8);
    const v16c first = {-1, -1, -1, -1, -1, -1, -1, -1};
    return (((low & first) | (high & ~first)) & bit) != 0;
}

/* Clears the samples of pixels outside the mask. Returns the pixels that have samples left. */
static uint32_t keep_samples(struct cpu_block_samples *samples, v16c covered, uint32_t mask)
{
    covered &= expand_mask(mask);
    memcpy(samples, &covered, sizeof *samples);
    return byte_signs((v16c)(covered != 0));
}

/* Sets the bytes of the pixels in the mask, with `high` also those of samples 8 to 15. Returns the
 * mask. */
static uint32_t all_samples(struct cpu_block_samples *samples, uint8_t all, bool high,
                            uint32_t mask)
{
    if (high)
        keep_samples(samples + CPU_HIGH_SAMPLES, (v16c){} + (int8_t)all, mask);
    return keep_samples(samples, (v16c){} + (int8_t)all, mask);
}

static uint32_t mask_bytes(struct cpu_block_samples *samples, uint32_t mask)
{
    v16c covered;
    memcpy(&covered, samples, sizeof covered);
    return keep_samples(samples, covered, mask);
}

uint32_t cpu_raster_mask_samples(struct cpu_block_samples *samples, bool high, uint32_t mask)
{
    const uint32_t kept = mask_bytes(samples, mask);
    return high ? kept | mask_bytes(samples + CPU_HIGH_SAMPLES, mask) : kept;
}

static inline v16c not_negative(const v4i v[4])
{
    return narrow(v) >= 0;
}

/* Computes a byte per pixel for `count` samples whose increments start at *of: a bit for each one
 * that is inside all edges, or their number. */
INLINE v16c inside_samples(const struct tile_edges *t, const v4i *of, unsigned count, bool counted,
                           v4i e)
{
    v16c covered = {0};
    for (unsigned i = 0; i < count; i++) {
        v4i at = e + of[i], out[4] = {{0}};
        add_negative(out, t->lane[0], SPLAT(at, 0));
        add_negative(out, t->lane[1], SPLAT(at, 1));
        add_negative(out, t->lane[2], SPLAT(at, 2));
        if (t->fourth)
            add_negative(out, t->lane[3], SPLAT(at, 3));
        covered += not_negative(out) & (int8_t)(counted ? 1 : 1 << i);
    }
    return covered;
}

/* Computes the samples inside all edges for the pixels in the mask. Returns the pixels that have
 * any. */
static uint32_t block_samples(const struct tile_edges *t, const struct sample_edges *s, v4i e,
                              uint32_t mask, struct cpu_block_samples *samples)
{
    const unsigned low = s->high ? CPU_LOW_SAMPLES : s->count;
    v16c covered = inside_samples(t, s->of, low, s->counted, e);
    if (s->counted) /* scales 0 to 16 to 0 to 255 */
        covered = (v16c)(((v16uc)covered << 4) + (v16uc)(covered != 0));
    const uint32_t pixels = keep_samples(samples, covered, mask);
    if (!s->high)
        return pixels;
    covered = inside_samples(t, s->of + low, s->count - low, false, e);
    return pixels | keep_samples(samples + CPU_HIGH_SAMPLES, covered, mask);
}

/* --- blocks --- */

/* Returns the mask of the pixels between x0 and x1 in a column (or row) of blocks at x. */
static uint32_t span_mask(const uint16_t from[4], const uint16_t to[4], int x, int x0, int x1)
{
    uint32_t mask = 0xffff;
    if (x0 > x)
        mask &= from[x0 - x];
    if (x1 < x + 3)
        mask &= to[x1 - x];
    return mask;
}

/* Appends the blocks of the 16×16 part at px, py, and their samples. */
static unsigned raster_samples(const struct tile_edges *t, const struct sample_edges *s,
                               const struct cpu_rect *box, int px, int py, int tile_x, int tile_y,
                               struct cpu_block *block, struct cpu_block_samples *samples)
{
    unsigned count = 0;
    int y0 = MAX2(py, box->y0 & ~3), y1 = MIN2(py + 15, box->y1);
    int x0 = MAX2(px, box->x0 & ~3), x1 = MIN2(px + 15, box->x1);
    v4i row = t->e + t->a * x0 + t->b * y0;
    v4i reject = t->best * 3 + s->most, accept = t->worst * 3 + s->least;
    v4i step_x = t->a * 4, step_y = t->b * 4;
    uint32_t column[4];
    for (int x = x0; x <= x1; x += 4)
        column[(x - x0) / 4] = span_mask(columns_from, columns_to, x, box->x0, box->x1);
    for (int y = y0; y <= y1; y += 4, row += step_y) {
        uint32_t row_mask = span_mask(rows_from, rows_to, y, box->y0, box->y1);
        v4i e = row;
        for (int x = x0; x <= x1; x += 4, e += step_x) {
            if (sign_bits(e + reject))
                continue;
            uint32_t mask = row_mask & column[(x - x0) / 4];
            bool cut = sign_bits(e + accept);
            mask = cut ? block_samples(t, s, e, mask, &samples[count])
                       : all_samples(&samples[count], s->all, s->high, mask);
            if (mask)
                block[count++] = (struct cpu_block){tile_x + x, tile_y + y, mask};
        }
    }
    return count;
}

/* --- small primitives, whose coverage setup computes --- */

bool cpu_raster_small(const struct cpu_edges *edges, const struct cpu_rect *box, uint16_t mask[4])
{
    int x = box->x0 & ~3, y = box->y0 & ~3;
    v4i a = load(edges->a), b = load(edges->b);
    v4i e = {edge_at(edges, 0, x, y), edge_at(edges, 1, x, y), edge_at(edges, 2, x, y), 0};
    v4i lane[3][4];
    init_lanes(lane[0], SPLAT(a, 0), SPLAT(b, 0));
    init_lanes(lane[1], SPLAT(a, 1), SPLAT(b, 1));
    init_lanes(lane[2], SPLAT(a, 2), SPLAT(b, 2));
    uint32_t any = 0;
    for (unsigned i = 0; i < 4; i++) {
        int bx = x + (i & 1) * 4, by = y + (i >> 1) * 4;
        mask[i] = 0;
        if (bx > box->x1 || by > box->y1)
            continue;
        mask[i] = block_mask(lane, e + a * (bx - x) + b * (by - y)) &
                  span_mask(columns_from, columns_to, bx, box->x0, box->x1) &
                  span_mask(rows_from, rows_to, by, box->y0, box->y1);
        any |= mask[i];
    }
    return any;
}

void cpu_raster_box(const struct cpu_rect *box, uint16_t mask[4])
{
    const int x = box->x0 & ~3, y = box->y0 & ~3;
    const bool two_columns = box->x1 > x + 3, two_rows = box->y1 > y + 3;
    const uint32_t left = columns_from[box->x0 - x], right = columns_to[(unsigned)box->x1 % 4];
    const uint32_t low = rows_from[box->y0 - y], high = rows_to[(unsigned)box->y1 % 4];
    const uint32_t column[2] = {two_columns ? left : left & right, two_columns ? right : 0};
    const uint32_t row[2] = {two_rows ? low : low & high, two_rows ? high : 0};
    for (unsigned i = 0; i < 4; i++)
        mask[i] = column[i & 1] & row[i >> 1];
}

static unsigned small_blocks(const struct cpu_prim *prim, struct cpu_block *block)
{
    unsigned count = 0;
    uint16_t x = prim->box.x0 & ~3, y = prim->box.y0 & ~3;
    for (unsigned i = 0; i < 4; i++)
        if (prim->mask[i])
            block[count++] = (struct cpu_block){x + (i & 1) * 4, y + (i >> 1) * 4, prim->mask[i]};
    return count;
}

/* --- other primitives --- */

/* Appends all blocks of the 16×16 part at x, y. */
static unsigned full_part(int x, int y, struct cpu_block *block)
{
    for (unsigned i = 0; i < 16; i++)
        block[i] = (struct cpu_block){x + i % 4 * 4, y + i / 4 * 4, 0xffff};
    return 16;
}

static struct cpu_rect box_in_tile(const struct cpu_rect *box, int x, int y)
{
    return (struct cpu_rect){
        MAX2(box->x0 - x, 0),
        MAX2(box->y0 - y, 0),
        MIN2(box->x1 - x, CPU_TILE - 1),
        MIN2(box->y1 - y, CPU_TILE - 1),
    };
}

/* Stores the blocks inside the edges and their samples; blocks that no edge crosses have all
 * samples. */
static unsigned raster_sampled(const struct tile_edges *t, const struct sample_edges *s,
                               const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                               struct cpu_block_samples *samples)
{
    const struct cpu_rect box = box_in_tile(&prim->box, x, y);
    unsigned count = 0;
    for (int py = box.y0 & ~15; py <= box.y1; py += 16) {
        for (int px = box.x0 & ~15; px <= box.x1; px += 16) {
            v4i e = t->e + t->a * px + t->b * py;
            if (sign_bits(e + t->best * 15 + s->most))
                continue;
            bool full = !sign_bits(e + t->worst * 15 + s->least) && box.x0 <= px && box.y0 <= py &&
                        box.x1 >= px + 15 && box.y1 >= py + 15;
            if (full)
                memset(samples + count, s->all, 16 * sizeof *samples);
            if (full && s->high)
                memset(samples + count + CPU_HIGH_SAMPLES, s->all, 16 * sizeof *samples);
            count += full
                         ? full_part(x + px, y + py, block + count)
                         : raster_samples(t, s, &box, px, py, x, y, block + count, samples + count);
        }
    }
    return count;
}

/* Column and row of each of the 16 pixels of a block, or blocks of a part. */
static const int32_t lane_x[16]
    __attribute__((aligned(64))) = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
static const int32_t lane_y[16]
    __attribute__((aligned(64))) = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
/* x and y << 16 of the first pixel of each block of a part. */
static const uint32_t block_xy[16] = {
    0x00000, 0x00004, 0x40000, 0x40004, 0x00008, 0x0000c, 0x40008, 0x4000c,
    0x80000, 0x80004, 0xc0000, 0xc0004, 0x80008, 0x8000c, 0xc0008, 0xc000c,
};

/* lane_x and lane_y for the pixels of four blocks. */
#define REPEAT(a, b, c, d, e, f, g, h) a, b, c, d, e, f, g, h, a, b, c, d, e, f, g, h
static const int16_t pixel_x[64]
    __attribute__((aligned(64))) = {REPEAT(0, 1, 0, 1, 2, 3, 2, 3), REPEAT(4, 5, 4, 5, 6, 7, 6, 7),
                                    REPEAT(0, 1, 0, 1, 2, 3, 2, 3), REPEAT(4, 5, 4, 5, 6, 7, 6, 7)};
static const int16_t pixel_y[64] __attribute__((aligned(64))) = {
    0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3,
    4, 4, 5, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 7, 7, 4, 4, 5, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 7, 7};
#undef REPEAT

/* Masks of the pixels in the bounding box for each column and row of blocks of a part. */
struct part_masks {
    uint16_t column[4], row[4];
};

/* Computes the masks of the part at px, py. The box starts in the first block of the part or before
 * it. Returns the mask of blocks that have pixels in the box. */
static inline uint32_t part_masks(struct part_masks *m, const struct cpu_rect *box, int px, int py)
{
    const unsigned columns = MIN2(box->x1 - px, 15), rows = MIN2(box->y1 - py, 15);
    *m = (struct part_masks){{0xffff, 0xffff, 0xffff, 0xffff}, {0xffff, 0xffff, 0xffff, 0xffff}};
    m->column[0] = columns_from[MAX2(box->x0 - px, 0)];
    m->row[0] = rows_from[MAX2(box->y0 - py, 0)];
    m->column[columns / 4] &= columns_to[columns % 4];
    m->row[rows / 4] &= rows_to[rows % 4];
    return columns_to[columns / 4] & rows_to[rows / 4];
}

#define SIMD_FILE          "driver/cpu/tile/cpu_raster_lanes.h"
#define SIMD_LANES_DIVISOR 1
#include "util/simd_each.h"

#if CPU_RASTER_HAS_TINY
uint64_t cpu_raster_tiny(const int32_t a[3], const int32_t b[3], const int32_t e[3])
{
    return SIMD_CALL(tiny, a, b, e);
}
#endif

/* Bound of the coefficients of edges for cpu_raster_tiny(): 14 times the bound fits in 16 bits. */
#define TINY_LIMIT 2340

bool cpu_raster_line(const struct cpu_edges *edges, const struct cpu_rect *box, uint16_t mask[4])
{
#if CPU_RASTER_HAS_TINY
    const int32_t a[3] = {edges->a[0], edges->a[1]}, b[3] = {edges->b[0], edges->b[1]};
    const int x = box->x0 & ~3, y = box->y0 & ~3;
    if (abs(a[0]) <= TINY_LIMIT && abs(b[0]) <= TINY_LIMIT) { /* the edges are parallel */
        const int32_t e[3] = {edge_at(edges, 0, x, y), edge_at(edges, 1, x, y)};
        const uint64_t inside = cpu_raster_tiny(a, b, e);
        uint32_t any = 0;
        cpu_raster_box(box, mask);
        for (unsigned i = 0; i < 4; i++)
            any |= mask[i] &= inside >> 16 * i;
        return any;
    }
#endif
    return cpu_raster_small(edges, box, mask);
}

/* Returns the distance in 1/256 pixel from a coordinate to the pixel that starts at x. */
static uint32_t distance_to_pixel(int32_t coordinate, int x)
{
    return coordinate < x * 256         ? (uint32_t)(x * 256 - coordinate)
           : coordinate > x * 256 + 256 ? (uint32_t)(coordinate - x * 256 - 256)
                                        : 0;
}

/* Drops the pixels that a conservatively rasterized round point doesn't touch; returns the number
 * of blocks left. */
static unsigned keep_touched(const struct cpu_prim *prim, struct cpu_block *block, unsigned count)
{
    const int32_t cx = prim->p.x_ref * 256.0f, cy = prim->p.y_ref * 256.0f;
    const uint32_t limit = (uint32_t)prim->radius * prim->radius;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        struct cpu_block b = block[i];
        for (unsigned p = 0; p < 16; p++) {
            const uint32_t dx = distance_to_pixel(cx, b.x + (int)cpu_texel_x(p));
            const uint32_t dy = distance_to_pixel(cy, b.y + (int)cpu_texel_y(p));
            if (dx * dx + dy * dy > limit)
                b.mask &= ~(1u << p);
        }
        if (b.mask)
            block[kept++] = b;
    }
    return kept;
}

unsigned cpu_raster_prim(const struct cpu_prim *prim, int x, int y, struct cpu_block *block)
{
    if (prim->small)
        return small_blocks(prim, block);
    unsigned count = SIMD_CALL(raster, prim, x, y, block);
    if (prim->draw->conservative && !prim->polygon && prim->radius)
        count = keep_touched(prim, block, count);
    return count;
}

void cpu_raster_inner(const struct cpu_prim *prim, bool expand, struct cpu_block *block,
                      unsigned count)
{
    const struct cpu_edges *e = &prim->edges;
    if (!prim->polygon || !prim->has_area)
        return;
    int64_t inward[3];
    for (unsigned k = 0; k < 3; k++) {
        const int64_t extent = (int64_t)abs(e->a[k]) + abs(e->b[k]);
        /* From the value at the farthest point of the pixel to that at the nearest one, rounded up;
         * twice 1/512 pixel is 1/256. */
        inward[k] = expand ? extent + (extent + 255) / 256 : extent;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned p = 0; p < 16; p++) {
            const int x = block[i].x + (int)cpu_texel_x(p), y = block[i].y + (int)cpu_texel_y(p);
            bool inside = block[i].mask >> p & 1;
            for (unsigned k = 0; k < 3; k++)
                inside &= e->c[k] + (int64_t)e->a[k] * x + (int64_t)e->b[k] * y >= inward[k];
            block[i].mask |= (uint32_t)inside << (16 + p);
        }
    }
}

/* Drops the samples outside of a round point; returns the number of blocks left. */
static unsigned cut_circle(const struct cpu_prim *prim, const int8_t (*position)[2],
                           unsigned num_positions, struct cpu_block *block,
                           struct cpu_block_samples *samples, unsigned count)
{
    int32_t cx = prim->p.x_ref * 256.0f, cy = prim->p.y_ref * 256.0f;
    uint32_t kept = 0, limit = (uint32_t)prim->radius * prim->radius;
    for (unsigned i = 0; i < count; i++) {
        uint32_t mask = 0;
        for (unsigned p = 0; p < 16; p++) {
            uint32_t covered = cpu_covered_samples(&samples[i], p, num_positions);
            int32_t x = (block[i].x + (int)cpu_texel_x(p)) * 256 + 128 - cx;
            int32_t y = (block[i].y + (int)cpu_texel_y(p)) * 256 + 128 - cy;
            for (uint32_t left = covered; left; left &= left - 1) {
                unsigned n = __builtin_ctz(left);
                uint32_t dx = abs(x + position[n][0] * 16), dy = abs(y + position[n][1] * 16);
                if (dx * dx + dy * dy > limit)
                    covered &= ~(1u << n);
            }
            cpu_set_covered_samples(&samples[kept], p, num_positions, covered);
            mask |= (uint32_t)(covered != 0) << p;
        }
        if (mask)
            block[kept++] = (struct cpu_block){block[i].x, block[i].y, mask};
    }
    return kept;
}

/* The blocks of a primitive of which centers decide, with the same samples for all their pixels. */
static unsigned raster_centers(const struct cpu_prim *prim, int x, int y, uint8_t all, bool high,
                               struct cpu_block *block, struct cpu_block_samples *samples)
{
    unsigned count = cpu_raster_prim(prim, x, y, block);
    for (unsigned i = 0; i < count; i++)
        all_samples(&samples[i], all, high, block[i].mask);
    return count;
}

static unsigned raster_positions(const struct cpu_prim *prim, int x, int y,
                                 const int8_t (*position)[2], unsigned num_positions, bool counted,
                                 struct cpu_block *block, struct cpu_block_samples *samples)
{
    struct tile_edges t;
    struct sample_edges s;
    init_samples(&s, &prim->edges, position, num_positions, counted);
    if (!init_edges(&t, &s, &prim->edges, x, y))
        return 0;
    drop_sample_edges(&s, t.crossing);
    return raster_sampled(&t, &s, prim, x, y, block, samples);
}

unsigned cpu_raster_prim_smooth(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                struct cpu_block_samples *samples)
{
    if (prim->polygon && prim->draw->smooth_polygons)
        return raster_positions(prim, x, y, positions16[0], SMOOTH_SAMPLES, true, block, samples);
    unsigned count = raster_centers(prim, x, y, 255, false, block, samples);
    if (!prim->polygon && prim->smooth)
        count = cpu_smooth_coverage(prim, block, samples, count);
    return count;
}

unsigned cpu_raster_prim_samples(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                 struct cpu_block_samples *samples)
{
    const struct cpu_draw *draw = prim->draw;
    if (!draw->positions)
        return raster_centers(prim, x, y, all_bits(draw->samples), cpu_draw_has_high_samples(draw),
                              block, samples);
    unsigned count =
        raster_positions(prim, x, y, draw->positions, draw->samples, false, block, samples);
    if (!prim->polygon && prim->radius)
        count = cut_circle(prim, draw->positions, draw->samples, block, samples, count);
    return count;
}

unsigned cpu_raster_full(int x, int y, struct cpu_block *block)
{
    unsigned count = 0;
    for (int by = 0; by < CPU_TILE; by += 4)
        for (int bx = 0; bx < CPU_TILE; bx += 4)
            block[count++] = (struct cpu_block){x + bx, y + by, 0xffff};
    return count;
}
