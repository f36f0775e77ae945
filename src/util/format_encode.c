/* SPDX-License-Identifier: MIT */
/*
 * Encoders of S3TC, RGTC, LATC and FXT1 blocks (FXT1's opaque colors are encoded as S3TC). BPTC
 * encoders are in format_bptc.c, FXT1's alpha encoder is in format_fxt1.c, and decoders are in
 * format_compressed.c.
 *
 * Colors: the end points are the extremes along the principal axis of the block's colors (range
 * fit). A least-squares fit to the chosen codes then refines them while the error decreases. Single
 * channels: the encoder tries eight steps between the extremes, and six steps between the extremes
 * of the values that are not the ends of the range, and keeps the better one.
 */
#include <math.h>
#include <string.h>

#include "util/format.h"
#include "util/format_bptc.h"
#include "util/format_fxt1.h"
#include "util/macros.h"

#define REFINEMENTS  3
#define BLOCK_TEXELS 32 /* texels of the largest block */

/* --------------------------------------------------------------------------- S3TC colors --- */

struct color_block {
    float color[16][3]; /* 0 … 255 */
    bool clear[16];     /* transparent texels: their color is ignored */
    bool three_colors;  /* palette: end points, their mean, and transparent black */
};

struct color_fit {
    uint16_t end[2];
    uint8_t code[16];
    float error; /* sum of squared errors */
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

/* Returns the weight of end point 1 in a code's color. */
static float code_weight(const struct color_block *b, unsigned code)
{
    static const float four[4] = {0.0f, 1.0f, 1.0f / 3.0f, 2.0f / 3.0f};
    return code == 2 && b->three_colors ? 0.5f : four[code];
}

/* Chooses the codes for fit->end. The end points are already in the order that the mode
 * requires. */
static void choose_codes(const struct color_block *b, struct color_fit *fit)
{
    unsigned codes = b->three_colors ? 3 : 4;
    float palette[4][3], end[2][3];

    if (b->three_colors ? fit->end[0] > fit->end[1] : fit->end[0] < fit->end[1]) {
        uint16_t swap = fit->end[0];
        fit->end[0] = fit->end[1];
        fit->end[1] = swap;
    }
    if (fit->end[0] == fit->end[1])
        codes = 1; /* equal end points select three-color mode in DXT1 */
    expand_565(end[0], fit->end[0]);
    expand_565(end[1], fit->end[1]);
    for (unsigned k = 0; k < codes; k++)
        for (unsigned c = 0; c < 3; c++)
            palette[k][c] = end[0][c] + (end[1][c] - end[0][c]) * code_weight(b, k);
    fit->error = 0.0f;
    for (unsigned i = 0; i < 16; i++) {
        if (b->clear[i]) {
            fit->code[i] = 3;
            continue;
        }
        float best = INFINITY;
        fit->code[i] = 0; /* for NaN colors */
        for (unsigned k = 0; k < codes; k++) {
            float error = 0.0f;
            for (unsigned c = 0; c < 3; c++) {
                float d = b->color[i][c] - palette[k][c];
                error += d * d;
            }
            if (error < best) {
                best = error;
                fit->code[i] = (uint8_t)k;
            }
        }
        fit->error += best;
    }
}

static void mean_color(const struct color_block *b, float mean[3])
{
    unsigned count = 0;
    memset(mean, 0, 3 * sizeof *mean);
    for (unsigned i = 0; i < 16; i++) {
        if (b->clear[i])
            continue;
        count++;
        for (unsigned c = 0; c < 3; c++)
            mean[c] += b->color[i][c];
    }
    for (unsigned c = 0; c < 3; c++)
        mean[c] /= (float)MAX2(count, 1);
}

/* Computes the first eigenvector of the covariance matrix by power iteration, not normalized. */
static void principal_axis(const struct color_block *b, const float mean[3], float axis[3])
{
    float matrix[3][3] = {{0}};

    for (unsigned i = 0; i < 16; i++) {
        if (b->clear[i])
            continue;
        for (unsigned r = 0; r < 3; r++)
            for (unsigned c = 0; c < 3; c++)
                matrix[r][c] += (b->color[i][r] - mean[r]) * (b->color[i][c] - mean[c]);
    }
    /* start with the column of the largest variance, which is not orthogonal to the eigenvector */
    unsigned largest = matrix[0][0] >= matrix[1][1] ? 0 : 1;
    largest = matrix[2][2] > matrix[largest][largest] ? 2 : largest;
    memcpy(axis, matrix[largest], 3 * sizeof *axis);
    for (unsigned step = 0; step < 8; step++) {
        float next[3], most = 0.0f;
        for (unsigned r = 0; r < 3; r++) {
            next[r] = matrix[r][0] * axis[0] + matrix[r][1] * axis[1] + matrix[r][2] * axis[2];
            most = fmaxf(most, fabsf(next[r]));
        }
        if (most < 1e-6f)
            return;
        for (unsigned r = 0; r < 3; r++)
            axis[r] = next[r] / most;
    }
}

static void range_fit(const struct color_block *b, struct color_fit *fit)
{
    float mean[3], axis[3], low = INFINITY, high = -INFINITY, length = 0.0f, end[3];

    mean_color(b, mean);
    principal_axis(b, mean, axis);
    for (unsigned c = 0; c < 3; c++)
        length += axis[c] * axis[c];
    for (unsigned i = 0; i < 16; i++) {
        float at = 0.0f;
        if (b->clear[i])
            continue;
        for (unsigned c = 0; c < 3; c++)
            at += (b->color[i][c] - mean[c]) * axis[c];
        low = fminf(low, at);
        high = fmaxf(high, at);
    }
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
    float aa = 0.0f, ab = 0.0f, bb = 0.0f, ax[3] = {0}, bx[3] = {0};

    for (unsigned i = 0; i < 16; i++) {
        if (b->clear[i])
            continue;
        float w = code_weight(b, fit->code[i]), v = 1.0f - w;
        aa += v * v;
        ab += v * w;
        bb += w * w;
        for (unsigned c = 0; c < 3; c++) {
            ax[c] += v * b->color[i][c];
            bx[c] += w * b->color[i][c];
        }
    }
    float determinant = aa * bb - ab * ab;
    if (fabsf(determinant) < 1e-4f)
        return false;
    float first[3], second[3];
    for (unsigned c = 0; c < 3; c++) {
        first[c] = (ax[c] * bb - bx[c] * ab) / determinant;
        second[c] = (bx[c] * aa - ax[c] * ab) / determinant;
    }
    end[0] = quantize_565(first);
    end[1] = quantize_565(second);
    return true;
}

static void write_color(uint8_t *dst, const struct color_fit *fit)
{
    uint32_t codes = 0;
    for (unsigned i = 0; i < 16; i++)
        codes |= (uint32_t)fit->code[i] << (2 * i);
    for (unsigned e = 0; e < 2; e++) {
        dst[2 * e] = (uint8_t)fit->end[e];
        dst[2 * e + 1] = (uint8_t)(fit->end[e] >> 8);
    }
    for (unsigned i = 0; i < 4; i++)
        dst[4 + i] = (uint8_t)(codes >> (8 * i));
}

static void encode_color(uint8_t *dst, const float texel[16][4], bool punch_through)
{
    struct color_block b = {.three_colors = false};
    struct color_fit best, next;

    for (unsigned i = 0; i < 16; i++) {
        b.clear[i] = punch_through && texel[i][3] < 0.5f;
        b.three_colors |= b.clear[i];
        for (unsigned c = 0; c < 3; c++)
            b.color[i][c] = CLAMP(texel[i][c], 0.0f, 1.0f) * 255.0f;
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

/* Chooses the nearest of eight levels for each value. min and max are the values of codes 6 and 7
 * if a0 <= a1. Returns the sum of squared errors. */
static float choose_levels(const float value[16], float a0, float a1, float min, float max,
                           uint64_t *codes)
{
    float level[8] = {a0, a1}, sum = 0.0f;

    for (unsigned k = 2; k < 8; k++)
        level[k] = a0 > a1 ? ((float)(8 - k) * a0 + (float)(k - 1) * a1) / 7.0f
                           : ((float)(6 - k) * a0 + (float)(k - 1) * a1) / 5.0f;
    if (!(a0 > a1)) {
        level[6] = min;
        level[7] = max;
    }
    *codes = 0;
    for (unsigned i = 0; i < 16; i++) {
        unsigned best = 0;
        for (unsigned k = 1; k < 8; k++)
            if (fabsf(value[i] - level[k]) < fabsf(value[i] - level[best]))
                best = k;
        float d = value[i] - level[best];
        sum += d * d;
        *codes |= (uint64_t)best << (3 * i);
    }
    return sum;
}

/* Encodes a single-channel block with values in [0, 1] or [-1, 1]. */
static void encode_channel(uint8_t *dst, const float texel[16][4], unsigned channel, bool is_signed)
{
    float scale = is_signed ? 127.0f : 255.0f, min = is_signed ? -127.0f : 0.0f;
    float value[16], low = scale, high = min, inner_low = scale, inner_high = min;
    uint64_t eight, six;

    for (unsigned i = 0; i < 16; i++) {
        float v = rintf(CLAMP(texel[i][channel], min / scale, 1.0f) * scale);
        value[i] = v;
        low = fminf(low, v);
        high = fmaxf(high, v);
        if (v > min && v < scale) {
            inner_low = fminf(inner_low, v);
            inner_high = fmaxf(inner_high, v);
        }
    }
    if (inner_low > inner_high)
        inner_low = inner_high = low;
    float eight_error = choose_levels(value, high, low, min, scale, &eight);
    float six_error = choose_levels(value, inner_low, inner_high, min, scale, &six);
    bool use_six = six_error < eight_error;
    int a0 = (int)(use_six ? inner_low : high), a1 = (int)(use_six ? inner_high : low);
    uint64_t codes = use_six ? six : eight;
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
