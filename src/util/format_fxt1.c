/* SPDX-License-Identifier: MIT */
/*
 * FXT1 (3DFX_texture_compression_FXT1, appendix). A block consists of two 4×4 halves; the left one
 * holds texels 0 to 15. The high bits of the block select one of four kinds.
 */
#include "util/format_fxt1.h"

#include <math.h>
#include <string.h>

#include "util/check.h"
#include "util/macros.h"

/* Returns bits [first, first + count) of the 128-bit block; count <= 32. */
static uint32_t bits(const uint64_t block[2], unsigned first, unsigned count)
{
    uint64_t value = block[first / 64] >> (first % 64);
    if (first / 64 == 0 && first + count > 64)
        value |= block[1] << (64 - first);
    return (uint32_t)(value & ((1ull << count) - 1));
}

static void put_bits(uint64_t block[2], unsigned first, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++)
        block[(first + i) / 64] |= (uint64_t)(value >> i & 1) << ((first + i) % 64);
}

static uint8_t expand5(uint32_t v)
{
    return (uint8_t)(v << 3 | v >> 2);
}

static uint8_t expand6(uint32_t v)
{
    return (uint8_t)(v << 2 | v >> 4);
}

/* --------------------------------------------------------------------------------- decoding --- */

/* Decodes the n-th 5:5:5 color (blue, green, red) of an array that starts at bit `first`. */
static void color_555(const uint64_t block[2], unsigned first, unsigned n, uint8_t color[4])
{
    for (unsigned c = 0; c < 3; c++)
        color[c] = expand5(bits(block, first + 15 * n + 5 * (2 - c), 5));
    color[3] = 255;
}

static void mix(uint8_t dst[4], const uint8_t x[4], unsigned wx, const uint8_t y[4], unsigned wy,
                unsigned round)
{
    for (unsigned c = 0; c < 4; c++)
        dst[c] = (uint8_t)((wx * x[c] + wy * y[c] + round) / (wx + wy));
}

static void four_colors(uint8_t palette[4][4])
{
    mix(palette[1], palette[0], 2, palette[3], 1, 1);
    mix(palette[2], palette[0], 1, palette[3], 2, 1);
}

/* Mode 1, CC_HI: 3-bit codes. */
static void palette_hi(const uint64_t block[2], uint8_t palette[8][4])
{
    color_555(block, 96, 0, palette[0]);
    color_555(block, 96, 1, palette[6]);
    for (unsigned i = 1; i < 6; i++)
        mix(palette[i], palette[0], 6 - i, palette[6], i, 3);
    memset(palette[7], 0, 4);
}

/* Mode 3, CC_MIXED. half 0 holds texels 0 to 15. */
static void palette_mixed(const uint64_t block[2], unsigned half, uint8_t palette[4][4])
{
    bool clear = bits(block, 124, 1);
    uint32_t glsb = bits(block, 125 + half, 1), select = bits(block, half ? 33 : 1, 1);
    unsigned last = clear ? 2 : 3;
    for (unsigned i = 0; i < 2; i++)
        color_555(block, 64, 2 * half + i, palette[i ? last : 0]);
    uint32_t green[2] = {bits(block, 69 + 30 * half, 5), bits(block, 84 + 30 * half, 5)};
    palette[last][1] = expand6(green[1] << 1 | glsb);
    if (!clear) {
        palette[0][1] = expand6(green[0] << 1 | (select ^ glsb));
        four_colors(palette);
        return;
    }
    mix(palette[1], palette[0], 1, palette[2], 1, 0);
    memset(palette[3], 0, 4);
}

static void color_5555(const uint64_t block[2], unsigned n, uint8_t color[4])
{
    color_555(block, 64, n, color);
    color[3] = expand5(bits(block, 109 + 5 * n, 5));
}

/* Mode 4, CC_ALPHA. */
static void palette_alpha(const uint64_t block[2], unsigned half, uint8_t palette[4][4])
{
    if (bits(block, 124, 1)) {
        color_5555(block, half ? 2 : 0, palette[0]);
        color_5555(block, 1, palette[3]);
        four_colors(palette);
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        color_5555(block, i, palette[i]);
    memset(palette[3], 0, 4);
}

void util_fxt1_decode(uint8_t dst[][4], const uint8_t src[16])
{
    uint64_t block[2];
    uint8_t palette[8][4];
    memcpy(block, src, sizeof block);
    uint32_t mode = bits(block, 125, 3);
    for (unsigned half = 0; half < 2; half++) {
        unsigned wide = mode < 2 ? 3 : 2; /* bits per code */
        if (mode < 2)
            palette_hi(block, palette);
        else if (mode >= 4)
            palette_mixed(block, half, palette);
        else if (mode == 3)
            palette_alpha(block, half, palette);
        else
            for (unsigned i = 0; i < 4; i++)
                color_555(block, 64, i, palette[i]);
        for (unsigned i = 0; i < 16; i++) {
            uint32_t code = bits(block, (16 * half + i) * wide, wide);
            memcpy(dst[i / 4 * 8 + 4 * half + i % 4], palette[code], 4);
        }
    }
}

/* --------------------------------------------------------------------------------- encoding --- */

void util_fxt1_join(uint8_t dst[16], const uint8_t dxt1[2][8])
{
    static const uint8_t code_of[4] = {0, 3, 1, 2}; /* DXT1 stores the end points first */
    uint64_t block[2] = {0};
    put_bits(block, 127, 1, 1);
    for (unsigned half = 0; half < 2; half++) {
        const uint8_t *s = dxt1[half];
        uint32_t color[2] = {s[0] | (uint32_t)s[1] << 8, s[2] | (uint32_t)s[3] << 8};
        unsigned flip = 0;
        /* the green LSB of color 0 is (high code bit of texel 0) xor (green LSB of color 1) */
        if ((code_of[s[4] & 3] >> 1 & 1) != ((color[0] ^ color[1]) >> 5 & 1))
            flip = 3;
        for (unsigned i = 0; i < 2; i++) {
            uint32_t c = color[flip ? 1 - i : i];
            uint32_t rgb = (c >> 11) << 10 | (c >> 6 & 31) << 5 | (c & 31);
            put_bits(block, 64 + 15 * (2 * half + i), 15, rgb);
        }
        put_bits(block, 125 + half, 1, color[flip ? 0 : 1] >> 5 & 1);
        for (unsigned i = 0; i < 16; i++)
            put_bits(block, 32 * half + 2 * i, 2, code_of[s[4 + i / 4] >> (i % 4 * 2) & 3] ^ flip);
    }
    memcpy(dst, block, sizeof block);
}

static float distance(const float a[4], const float b[4])
{
    float sum = 0.0f;
    for (unsigned c = 0; c < 4; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/* Returns the texel farthest from a color in half 0 or 1, or in both halves (half == 2). */
static unsigned farthest(const float texel[32][4], unsigned half, const float from[4])
{
    unsigned best = half == 1 ? 4 : 0;
    for (unsigned i = 0; i < 32; i++)
        if ((half == 2 || i / 4 % 2 == half) &&
            distance(texel[i], from) > distance(texel[best], from))
            best = i;
    return best;
}

/* Returns the nearest five-bit value of a float from 0 to 1. */
static uint32_t quantize5(float v)
{
    CHECK(v >= 0.0f && v <= 1.0f);
    return (uint32_t)(v * 31.0f + 0.5f);
}

/* Uses lerp mode: one end point shared by both halves, and one for each half. */
void util_fxt1_encode_alpha(uint8_t dst[16], const float texel[32][4])
{
    uint64_t block[2] = {0};
    const float *common = texel[farthest(texel, 2, texel[farthest(texel, 2, texel[0])])];
    const float *end[3] = {texel[farthest(texel, 0, common)], common,
                           texel[farthest(texel, 1, common)]};
    put_bits(block, 124, 4, 7); /* mode 011 with lerp */
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned c = 0; c < 3; c++)
            put_bits(block, 64 + 15 * n + 5 * (2 - c), 5, quantize5(end[n][c]));
        put_bits(block, 109 + 5 * n, 5, quantize5(end[n][3]));
    }
    for (unsigned half = 0; half < 2; half++) {
        uint8_t palette[4][4];
        palette_alpha(block, half, palette);
        for (unsigned i = 0; i < 16; i++) {
            const float *wanted = texel[i / 4 * 8 + 4 * half + i % 4];
            uint32_t best = 0;
            float least = INFINITY;
            for (uint32_t code = 0; code < 4; code++) {
                float color[4];
                for (unsigned c = 0; c < 4; c++)
                    color[c] = (float)palette[code][c] / 255.0f;
                if (distance(wanted, color) < least) {
                    least = distance(wanted, color);
                    best = code;
                }
            }
            put_bits(block, 32 * half + 2 * i, 2, best);
        }
    }
    memcpy(dst, block, sizeof block);
}
