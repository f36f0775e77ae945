/* SPDX-License-Identifier: MIT */
/*
 * Coverage of smooth lines and points (GL 4.6 compatibility §14.4.2, §14.5.4). Coverage increases
 * linearly from 0 at half a pixel outside the edge to 1 at half a pixel inside, measured at the
 * pixel center. Along a line it is the part of a pixel-long interval that the line covers, so that
 * short lines that follow each other cover a pixel like one long line. Setup has enlarged the
 * rectangles of lines and the boxes of points by half a pixel, so that the blocks contain all
 * covered pixels.
 */
#include <math.h>

#include "driver/cpu/tile/cpu_scene.h"
#include "util/simd.h"

/* Values of the four pixels of a quad. */
typedef float vec4 __attribute__((vector_size(16)));
typedef int32_t ivec4 __attribute__((vector_size(16)));

static inline vec4 choose(ivec4 condition, vec4 yes, vec4 no)
{
    return (vec4)((condition & (ivec4)yes) | (~condition & (ivec4)no));
}

static inline vec4 smaller(vec4 x, vec4 y)
{
    return choose(x < y, x, y);
}

static inline vec4 saturate(vec4 x)
{
    const vec4 zero = {0}, one = zero + 1.0f;
    return choose(x < zero, zero, smaller(x, one));
}

static inline vec4 square_root(vec4 x)
{
#if defined(__SSE2__)
    return (vec4)_mm_sqrt_ps((__m128)x);
#elif defined(__aarch64__)
    return (vec4)vsqrtq_f32((float32x4_t)x);
#else
    return (vec4){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
#endif
}

/* Stores the coverage of a block's pixels; that of each quad is a vector. */
static inline void store(struct cpu_block_samples *samples, const vec4 coverage[4])
{
    ivec4 value[4];
    for (unsigned q = 0; q < 4; q++)
        value[q] = __builtin_convertvector(coverage[q] * 255.0f + 0.5f, ivec4);
#ifdef __SSE2__
    const __m128i low = _mm_packs_epi32((__m128i)value[0], (__m128i)value[1]);
    const __m128i high = _mm_packs_epi32((__m128i)value[2], (__m128i)value[3]);
    _mm_storeu_si128((__m128i *)samples->pixel, _mm_packus_epi16(low, high));
#else
    for (unsigned p = 0; p < 16; p++)
        samples->pixel[p] = (uint8_t)value[p / 4][p % 4];
#endif
}

/* Returns the columns or rows of the pixels of quad q within the block. */
static inline vec4 quad_x(unsigned q)
{
    return (vec4){0, 1, 0, 1} + (float)cpu_texel_x(4 * q);
}

static inline vec4 quad_y(unsigned q)
{
    return (vec4){0, 0, 1, 1} + (float)cpu_texel_y(4 * q);
}

static float saturate_length(float x)
{
    return x < 0.0f ? 0.0f : x < 1.0f ? x : 1.0f;
}

/* Edge functions scaled to distances in pixels. */
struct line_edges {
    const struct cpu_edges *edges;
    float scale[4];
    float longest; /* maximum coverage along the line: its length, at most 1 pixel */
};

static void init_line(struct line_edges *l, const struct cpu_edges *edges)
{
    l->edges = edges;
    for (unsigned i = 0; i < 4; i++) {
        double a = edges->a[i], b = edges->b[i], length = sqrt(a * a + b * b);
        l->scale[i] = length > 0.0 ? 1.0 / length : 0.0;
        if (i == 0) { /* along the line, which is half a pixel longer at both ends */
            l->longest = saturate_length((float)(length / 256.0 - 1.0));
        }
    }
}

static void line_block(const struct line_edges *l, const struct cpu_block *block,
                       struct cpu_block_samples *samples)
{
    const struct cpu_edges *e = l->edges;
    float first[4], dx[4], dy[4];
    vec4 coverage[4];
    for (unsigned i = 0; i < 4; i++) {
        int64_t at = e->c[i] + (int64_t)e->a[i] * block->x + (int64_t)e->b[i] * block->y;
        first[i] = ((float)at + e->fraction[i] * (1.0f / 256.0f)) * l->scale[i];
        dx[i] = (float)e->a[i] * l->scale[i];
        dy[i] = (float)e->b[i] * l->scale[i];
    }
    for (unsigned q = 0; q < 4; q++) {
        const vec4 x = quad_x(q), y = quad_y(q);
        vec4 d[4];
        for (unsigned i = 0; i < 4; i++)
            d[i] = first[i] + dx[i] * x + dy[i] * y;
        const vec4 across = saturate(smaller(d[0], d[2])), along = saturate(smaller(d[1], d[3]));
        const vec4 longest = (vec4){0} + l->longest;
        coverage[q] = across * smaller(along, longest);
    }
    store(samples, coverage);
}

static void point_block(const struct cpu_prim *prim, const struct cpu_block *block,
                        struct cpu_block_samples *samples)
{
    const float edge = prim->radius / 256.0f + 0.5f;
    vec4 coverage[4];
    for (unsigned q = 0; q < 4; q++) {
        const vec4 dx = quad_x(q) + (float)block->x + 0.5f - prim->p.x_ref;
        const vec4 dy = quad_y(q) + (float)block->y + 0.5f - prim->p.y_ref;
        coverage[q] = saturate(edge - square_root(dx * dx + dy * dy));
    }
    store(samples, coverage);
}

unsigned cpu_smooth_coverage(const struct cpu_prim *prim, struct cpu_block *block,
                             struct cpu_block_samples *samples, unsigned count)
{
    struct line_edges line = {0};
    unsigned kept = 0;
    if (!prim->radius)
        init_line(&line, &prim->edges);
    for (unsigned i = 0; i < count; i++) {
        const struct cpu_block b = block[i];
        if (prim->radius)
            point_block(prim, &b, &samples[kept]);
        else
            line_block(&line, &b, &samples[kept]);
        uint32_t mask = cpu_raster_mask_samples(&samples[kept], false, b.mask);
        if (mask)
            block[kept++] = (struct cpu_block){b.x, b.y, mask};
    }
    return kept;
}
