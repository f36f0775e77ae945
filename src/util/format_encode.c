/* SPDX-License-Identifier: MIT */
/*
 * Encoders of S3TC, RGTC, LATC and FXT1 blocks (FXT1's opaque colors are encoded as S3TC). BPTC
 * encoders are in format_bptc.c, FXT1's alpha encoder is in format_fxt1.c, and decoders are in
 * format_compressed.c.
 *
 * Colors: the end points are the extremes along the principal axis of the block's colors (range
 * fit). A least-squares fit to the chosen codes then refines them if the error decreases. Single
 * channels: the encoder tries eight steps between the extremes, and six steps between the extremes
 * of the values that are not the ends of the range, and keeps the better one.
 */
#include <math.h>
#include <string.h>

#include "util/format.h"
#include "util/format_bptc.h"
#include "util/format_fxt1.h"
#include "util/macros.h"

#define REFINEMENTS  1
#define BLOCK_TEXELS 32 /* texels of the largest block */

/* Vectors of four of a block's 16 texels; their operations exist on every CPU. */
typedef float vec __attribute__((vector_size(16)));
typedef int32_t ivec __attribute__((vector_size(16)));

/* Returns a where the mask is set, else b. */
static inline vec choose(ivec mask, vec a, vec b)
{
    return (vec)((mask & (ivec)a) | (~mask & (ivec)b));
}

static inline vec min_vec(vec a, vec b)
{
    return choose(a < b, a, b);
}

static inline vec max_vec(vec a, vec b)
{
    return choose(a > b, a, b);
}

static inline vec all(float x)
{
    return (vec){x, x, x, x};
}

static inline float sum_of(vec v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static inline float min_of(vec v)
{
    return fminf(fminf(v[0], v[1]), fminf(v[2], v[3]));
}

static inline float max_of(vec v)
{
    return fmaxf(fmaxf(v[0], v[1]), fmaxf(v[2], v[3]));
}

/* Returns the channel of texels 4 * q to 4 * q + 3, limited to [low, 1] and multiplied by scale. A
 * NaN becomes low. */
static inline __attribute__((always_inline)) vec load_channel(const float texel[16][4], unsigned q,
                                                              unsigned channel, float low,
                                                              float scale)
{
    const vec v = {texel[4 * q][channel], texel[4 * q + 1][channel], texel[4 * q + 2][channel],
                   texel[4 * q + 3][channel]};
    return min_vec(max_vec(v, all(low)), all(1.0f)) * all(scale);
}

/* --------------------------------------------------------------------------- S3TC colors --- */

struct color_block {
    vec color[3][4];   /* 0 … 255 */
    vec used[4];       /* 0 for transparent texels, whose color is ignored; else 1 */
    bool three_colors; /* palette: end points, their mean, and transparent black */
};

struct color_fit {
    uint16_t end[2];
    ivec code[4];
    vec weight[4]; /* of end point 1 */
    float error;   /* sum of squared errors */
};

static uint16_t quantize_565(const float c[3])
{
    unsigned r = (unsigned)(CLAMP(c[0], 0.0f, 255.0f) * (31.0f / 255.0f) + 0.5f);
    unsigned g = (unsigned)(CLAMP(c[1], 0.0f, 255.0f) * (63.0f / 255.0f) + 0.5f);
    unsigned b = (unsigned)(CLAMP(c[2], 0.0f, 255.0f) * (31.0f / 255.0f) + 0.5f);
    return (uint16_t)(r << 11 | g << 5 | b);
}

static void expand_565(float dst[3], uint16_t c)
{
    unsigned r = c >> 11, g = c >> 5 & 63, b = c & 31;
    dst[0] = (float)(r << 3 | r >> 2);
    dst[1] = (float)(g << 2 | g >> 4);
    dst[2] = (float)(b << 3 | b >> 2);
}

/* Rounds values in [0, steps] to the nearest of the equal steps between two end points. Returns the
 * code of each step: the end points have codes 0 and 1. Stores the step in *step. */
static inline ivec nearest_step(vec at, int steps, vec *step)
{
    const ivec n = __builtin_convertvector(
        min_vec(max_vec(at, all(0.0f)), all((float)steps)) + all(0.5f), ivec);
    *step = __builtin_convertvector(n, vec);
    const ivec last = n == steps;
    return (last & 1) | (~last & (n + (ivec)((n > 0) & 1)));
}

/* Chooses the codes for fit->end, which are put in the order that the mode requires. The palette is
 * on a line, so the nearest color is found by projection. */
static void choose_codes(const struct color_block *b, struct color_fit *fit)
{
    const int steps = b->three_colors ? 2 : 3;
    float end[2][3], axis[3], length = 0.0f;
    vec errors = all(0.0f);

    if (b->three_colors ? fit->end[0] > fit->end[1] : fit->end[0] < fit->end[1]) {
        uint16_t swap = fit->end[0];
        fit->end[0] = fit->end[1];
        fit->end[1] = swap;
    }
    expand_565(end[0], fit->end[0]);
    expand_565(end[1], fit->end[1]);
    for (unsigned c = 0; c < 3; c++) {
        axis[c] = end[1][c] - end[0][c];
        length += axis[c] * axis[c];
    }
    /* Equal end points select three-color mode in DXT1; then all codes are 0. */
    const float scale = length > 0.0f ? (float)steps / length : 0.0f;
    for (unsigned q = 0; q < 4; q++) {
        const vec r = b->color[0][q] - all(end[0][0]), g = b->color[1][q] - all(end[0][1]),
                  blue = b->color[2][q] - all(end[0][2]);
        const ivec used = b->used[q] != all(0.0f);
        vec step;
        const ivec code = nearest_step(
            (r * all(axis[0]) + g * all(axis[1]) + blue * all(axis[2])) * all(scale), steps, &step);
        const vec weight = step * all(1.0f / (float)steps);
        const vec dr = r - weight * all(axis[0]), dg = g - weight * all(axis[1]),
                  db = blue - weight * all(axis[2]);
        errors += (vec)((ivec)(dr * dr + dg * dg + db * db) & used);
        fit->code[q] = (code & used) | (~used & 3);
        fit->weight[q] = weight;
    }
    fit->error = sum_of(errors);
}

static void mean_color(const struct color_block *b, float mean[3])
{
    const float count = sum_of((b->used[0] + b->used[1]) + (b->used[2] + b->used[3]));
    for (unsigned c = 0; c < 3; c++) {
        vec sum = all(0.0f);
        for (unsigned q = 0; q < 4; q++)
            sum += b->color[c][q] * b->used[q];
        mean[c] = sum_of(sum) / MAX2(count, 1.0f);
    }
}

/* Computes the first eigenvector of the covariance matrix by power iteration, not normalized. */
static void principal_axis(const struct color_block *b, const float mean[3], float axis[3])
{
    vec sum[3][3] = {{{0}}};
    float matrix[3][3];

    for (unsigned q = 0; q < 4; q++) {
        vec d[3];
        for (unsigned c = 0; c < 3; c++)
            d[c] = (b->color[c][q] - all(mean[c])) * b->used[q];
        for (unsigned r = 0; r < 3; r++)
            for (unsigned c = r; c < 3; c++)
                sum[r][c] += d[r] * d[c];
    }
    for (unsigned r = 0; r < 3; r++)
        for (unsigned c = r; c < 3; c++)
            matrix[r][c] = matrix[c][r] = sum_of(sum[r][c]);
    /* start with the column of the largest variance, which is not orthogonal to the eigenvector */
    unsigned largest = matrix[0][0] >= matrix[1][1] ? 0 : 1;
    largest = matrix[2][2] > matrix[largest][largest] ? 2 : largest;
    memcpy(axis, matrix[largest], 3 * sizeof *axis);
    for (unsigned step = 0; step < 4; step++) {
        float next[3], most = 0.0f;
        for (unsigned r = 0; r < 3; r++) {
            next[r] = matrix[r][0] * axis[0] + matrix[r][1] * axis[1] + matrix[r][2] * axis[2];
            most = fmaxf(most, fabsf(next[r]));
        }
        if (most < 1e-6f)
            return;
        const float scale = 1.0f / most;
        for (unsigned r = 0; r < 3; r++)
            axis[r] = next[r] * scale;
    }
}

static void range_fit(const struct color_block *b, struct color_fit *fit)
{
    float mean[3], axis[3], low, high, length = 0.0f, end[3];
    vec lows = all(INFINITY), highs = all(-INFINITY);

    mean_color(b, mean);
    principal_axis(b, mean, axis);
    for (unsigned c = 0; c < 3; c++)
        length += axis[c] * axis[c];
    for (unsigned q = 0; q < 4; q++) {
        const ivec used = b->used[q] != all(0.0f);
        vec at = all(0.0f);
        for (unsigned c = 0; c < 3; c++)
            at += (b->color[c][q] - all(mean[c])) * all(axis[c]);
        lows = min_vec(lows, choose(used, at, lows));
        highs = max_vec(highs, choose(used, at, highs));
    }
    low = min_of(lows);
    high = max_of(highs);
    if (length < 1e-12f || low > high)
        low = high = 0.0f, length = 1.0f;
    for (unsigned e = 0; e < 2; e++) {
        for (unsigned c = 0; c < 3; c++)
            end[c] = mean[c] + axis[c] * (e ? low : high) / length;
        fit->end[e] = quantize_565(end);
    }
    choose_codes(b, fit);
}

/* Computes the end points that fit the codes best. Returns false if the codes don't determine
 * both. */
static bool least_squares(const struct color_block *b, const struct color_fit *fit, uint16_t end[2])
{
    vec vv = {0}, vw = {0}, ww = {0}, vx[3] = {{0}}, wx[3] = {{0}};

    for (unsigned q = 0; q < 4; q++) {
        const vec w = fit->weight[q] * b->used[q], v = b->used[q] - w;
        vv += v * v;
        vw += v * w;
        ww += w * w;
        for (unsigned c = 0; c < 3; c++) {
            vx[c] += v * b->color[c][q];
            wx[c] += w * b->color[c][q];
        }
    }
    const float aa = sum_of(vv), ab = sum_of(vw), bb = sum_of(ww);
    const float determinant = aa * bb - ab * ab;
    if (fabsf(determinant) < 1e-4f)
        return false;
    float first[3], second[3];
    for (unsigned c = 0; c < 3; c++) {
        const float ax = sum_of(vx[c]), bx = sum_of(wx[c]);
        first[c] = (ax * bb - bx * ab) / determinant;
        second[c] = (bx * aa - ax * ab) / determinant;
    }
    end[0] = quantize_565(first);
    end[1] = quantize_565(second);
    return true;
}

static void write_color(uint8_t *dst, const struct color_fit *fit)
{
    uint32_t codes = 0;
    for (unsigned i = 0; i < 16; i++)
        codes |= (uint32_t)fit->code[i / 4][i % 4] << (2 * i);
    for (unsigned e = 0; e < 2; e++) {
        dst[2 * e] = (uint8_t)fit->end[e];
        dst[2 * e + 1] = (uint8_t)(fit->end[e] >> 8);
    }
    for (unsigned i = 0; i < 4; i++)
        dst[4 + i] = (uint8_t)(codes >> (8 * i));
}

static void encode_color(uint8_t *dst, const float texel[16][4], bool punch_through)
{
    struct color_block b;
    struct color_fit best, next;

    b.three_colors = false;
    for (unsigned q = 0; q < 4; q++) {
        for (unsigned c = 0; c < 3; c++)
            b.color[c][q] = load_channel(texel, q, c, 0.0f, 255.0f);
        b.used[q] = all(1.0f);
        for (unsigned i = 0; punch_through && i < 4; i++)
            if (texel[4 * q + i][3] < 0.5f) {
                b.used[q][i] = 0.0f;
                b.three_colors = true;
            }
    }
    range_fit(&b, &best);
    for (unsigned step = 0; step < REFINEMENTS && best.error > 0.0f; step++) {
        if (!least_squares(&b, &best, next.end))
            break;
        choose_codes(&b, &next);
        if (next.error >= best.error)
            break;
        best = next;
    }
    write_color(dst, &best);
}

static void encode_dxt3_alpha(uint8_t *dst, const float texel[16][4])
{
    memset(dst, 0, 8);
    for (unsigned i = 0; i < 16; i++) {
        unsigned a = (unsigned)ceilf(CLAMP(texel[i][3], 0.0f, 1.0f) * 15.0f - 0.5f);
        dst[i / 2] |= (uint8_t)(a << (i % 2 * 4));
    }
}

/* --------------------------------------------------------------- RGTC, LATC, DXT5's alpha --- */

/* Chooses the nearest level for each value, of those between a0 and a1: eight if a0 > a1, otherwise
 * six, and min and max with codes 6 and 7. Returns the sum of squared errors. */
static float choose_levels(const vec value[4], float a0, float a1, float min, float max,
                           uint64_t *codes)
{
    const bool eight = a0 > a1;
    const int steps = eight ? 7 : 5;
    const float size = (a1 - a0) / (float)steps, scale = a1 != a0 ? 1.0f / size : 0.0f;
    vec sum = all(0.0f);

    *codes = 0;
    for (unsigned q = 0; q < 4; q++) {
        const vec from = value[q] - all(a0);
        vec step;
        ivec code = nearest_step(from * all(scale), steps, &step);
        const vec d = from - step * all(size);
        vec error = d * d;
        if (!eight) {
            const vec low = value[q] - all(min), high = value[q] - all(max);
            const ivec lower = low * low < error;
            error = choose(lower, low * low, error);
            const ivec higher = high * high < error;
            error = choose(higher, high * high, error);
            code = (higher & 7) | (~higher & ((lower & 6) | (~lower & code)));
        }
        sum += error;
        *codes |= (uint64_t)(code[0] | code[1] << 3 | code[2] << 6 | code[3] << 9) << (12 * q);
    }
    return sum_of(sum);
}

/* Encodes a single-channel block with values in [0, 1] or [-1, 1]. */
static void encode_channel(uint8_t *dst, const float texel[16][4], unsigned channel, bool is_signed)
{
    const float scale = is_signed ? 127.0f : 255.0f, min = is_signed ? -127.0f : 0.0f;
    /* the addition rounds to an integer, to nearest even */
    const vec round = all(0x1.8p23f);
    vec value[4], lows = all(scale), highs = all(min), inner_lows = all(scale),
                  inner_highs = all(min);
    uint64_t codes, six;

    for (unsigned q = 0; q < 4; q++) {
        vec v = load_channel(texel, q, channel, is_signed ? -1.0f : 0.0f, scale);
        v = (v + round) - round;
        value[q] = v;
        lows = min_vec(lows, v);
        highs = max_vec(highs, v);
        inner_lows = min_vec(inner_lows, choose(v > all(min), v, inner_lows));
        inner_highs = max_vec(inner_highs, choose(v < all(scale), v, inner_highs));
    }
    const float low = min_of(lows), high = max_of(highs);
    float inner_low = min_of(inner_lows), inner_high = max_of(inner_highs);
    int a0 = (int)high, a1 = (int)low;
    float error = choose_levels(value, high, low, min, scale, &codes);
    /* six steps can only be finer if they leave out the ends of the range */
    if (error > 0.0f && (low == min || high == scale)) {
        if (inner_low > inner_high)
            inner_low = inner_high = low;
        if (choose_levels(value, inner_low, inner_high, min, scale, &six) < error) {
            codes = six;
            a0 = (int)inner_low;
            a1 = (int)inner_high;
        }
    }
    dst[0] = (uint8_t)a0;
    dst[1] = (uint8_t)a1;
    memcpy(dst + 2, &codes, 6);
}

/* -------------------------------------------------------------------------------- blocks --- */

/* Encodes each half of an opaque block as a four-color S3TC block. */
static void encode_fxt1(uint8_t *dst, const float texel[32][4], bool alpha)
{
    uint8_t colors[2][8];
    bool opaque = true;
    for (unsigned i = 0; i < 32; i++)
        opaque &= !alpha || texel[i][3] >= 1.0f - 0.5f / 255.0f;
    if (!opaque) {
        util_fxt1_encode_alpha(dst, texel);
        return;
    }
    for (unsigned h = 0; h < 2; h++) {
        float half[16][4];
        for (unsigned y = 0; y < 4; y++)
            memcpy(half[4 * y], texel[8 * y + 4 * h], 4 * sizeof *half);
        encode_color(colors[h], (const float(*)[4])half, false);
    }
    util_fxt1_join(dst, (const uint8_t(*)[8])colors);
}

static bool encode_block(enum drv_format format, uint8_t *dst, const float (*texel)[4])
{
    switch (format) {
    case DRV_FORMAT_DXT1_RGB:
    case DRV_FORMAT_DXT1_SRGB:
    case DRV_FORMAT_DXT1_RGBA:
    case DRV_FORMAT_DXT1_SRGBA:
        encode_color(dst, texel, format == DRV_FORMAT_DXT1_RGBA || format == DRV_FORMAT_DXT1_SRGBA);
        return true;
    case DRV_FORMAT_DXT3_RGBA:
    case DRV_FORMAT_DXT3_SRGBA:
        encode_dxt3_alpha(dst, texel);
        encode_color(dst + 8, texel, false);
        return true;
    case DRV_FORMAT_DXT5_RGBA:
    case DRV_FORMAT_DXT5_SRGBA:
        encode_channel(dst, texel, 3, false);
        encode_color(dst + 8, texel, false);
        return true;
    case DRV_FORMAT_RGTC1_UNORM:
    case DRV_FORMAT_RGTC1_SNORM:
    case DRV_FORMAT_LATC1_UNORM:
    case DRV_FORMAT_LATC1_SNORM:
        encode_channel(dst, texel, 0, util_format_is_snorm(format));
        return true;
    case DRV_FORMAT_RGTC2_UNORM:
    case DRV_FORMAT_RGTC2_SNORM:
        encode_channel(dst, texel, 0, util_format_is_snorm(format));
        encode_channel(dst + 8, texel, 1, util_format_is_snorm(format));
        return true;
    case DRV_FORMAT_LATC2_UNORM:
    case DRV_FORMAT_LATC2_SNORM:
        encode_channel(dst, texel, 0, util_format_is_snorm(format));
        encode_channel(dst + 8, texel, 3, util_format_is_snorm(format));
        return true;
    case DRV_FORMAT_BPTC_RGBA_UNORM:
    case DRV_FORMAT_BPTC_SRGBA:
        util_bptc_encode_unorm(dst, texel);
        return true;
    case DRV_FORMAT_BPTC_RGB_FLOAT:
    case DRV_FORMAT_BPTC_RGB_UFLOAT:
        util_bptc_encode_float(dst, texel, format == DRV_FORMAT_BPTC_RGB_FLOAT);
        return true;
    case DRV_FORMAT_FXT1_RGB:
    case DRV_FORMAT_FXT1_RGBA:
        encode_fxt1(dst, texel, format == DRV_FORMAT_FXT1_RGBA);
        return true;
    default:
        return false;
    }
}

bool util_format_can_compress(enum drv_format format)
{
    static const float black[BLOCK_TEXELS][4];
    uint8_t block[16];
    return encode_block(format, block, black);
}

bool util_format_compress(enum drv_format format, void *dst, unsigned dst_stride,
                          const float (*src)[4], unsigned src_width, unsigned width,
                          unsigned height)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    const unsigned w = d->block_width, h = d->block_height;
    float texel[BLOCK_TEXELS][4];

    if (!util_format_can_compress(format))
        return false;
    for (unsigned y = 0; y < height; y += h) {
        uint8_t *block = (uint8_t *)dst + (size_t)(y / h) * dst_stride;
        for (unsigned x = 0; x < width; x += w, block += d->block_bytes) {
            /* repeat the edge texels in blocks that extend past the image */
            for (unsigned i = 0; i < w * h; i++) {
                size_t row = MIN2(y + i / w, height - 1), column = MIN2(x + i % w, width - 1);
                memcpy(texel[i], src[row * src_width + column], sizeof texel[i]);
            }
            encode_block(format, block, (const float(*)[4])texel);
        }
    }
    return true;
}
