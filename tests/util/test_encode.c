/* SPDX-License-Identifier: MIT */
/* Encoders of compressed formats, checked with the decoders: maximum error after a round trip. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "util/format.h"
#include "util/macros.h"
#include "util/simd.h"

#define SIZE 18 /* not a multiple of the block size */

static float image[SIZE * SIZE][4], back[SIZE * SIZE][4];

/* Encodes and decodes. Returns the root mean square error of a component. */
static float error_of(enum drv_format format, unsigned component)
{
    static uint8_t blocks[5 * 5 * 16], bytes[SIZE * SIZE][4];
    unsigned stride = 5 * drv_format_desc(format)->block_bytes;

    assert_true(util_format_can_compress(format));
    assert_true(
        util_format_compress(format, blocks, stride, (const float(*)[4])image, SIZE, SIZE, SIZE));
    if (util_format_decompress_rgba8(format, bytes[0], SIZE * 4, blocks, stride, SIZE, SIZE)) {
        for (unsigned i = 0; i < SIZE * SIZE; i++)
            for (unsigned c = 0; c < 4; c++)
                back[i][c] = (float)bytes[i][c] / 255.0f;
    } else {
        assert_true(
            util_format_decompress_float(format, back[0], SIZE * 16, blocks, stride, SIZE, SIZE));
    }
    float sum = 0.0f;
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        float d = back[i][component] - image[i][component];
        sum += d * d;
    }
    return sqrtf(sum / (SIZE * SIZE));
}

static void expect(enum drv_format format, unsigned components, float limit)
{
    for (unsigned c = 0; c < components; c++) {
        float error = error_of(format, c);
        if (!(error <= limit))
            fail_msg("%s component %u: off by %g", drv_format_desc(format)->name, c, (double)error);
    }
}

static void fill_gradient(float low)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        float x = (float)(i % SIZE) / (SIZE - 1), y = (float)(i / SIZE) / (SIZE - 1);
        const float value[4] = {x, 0.3f + 0.5f * x, 1.0f - x, y};
        for (unsigned c = 0; c < 4; c++)
            image[i][c] = low + (1.0f - low) * value[c];
    }
}

static void test_gradients(void **state)
{
    fill_gradient(0.0f);
    expect(DRV_FORMAT_DXT1_RGB, 3, 0.02f);
    expect(DRV_FORMAT_DXT3_RGBA, 3, 0.02f);
    assert_true(error_of(DRV_FORMAT_DXT3_RGBA, 3) <= 0.5f / 15.0f);
    expect(DRV_FORMAT_DXT5_RGBA, 3, 0.02f);
    assert_true(error_of(DRV_FORMAT_DXT5_RGBA, 3) <= 0.02f);
    expect(DRV_FORMAT_RGTC1_UNORM, 1, 0.015f);
    expect(DRV_FORMAT_RGTC2_UNORM, 2, 0.015f);
    assert_true(error_of(DRV_FORMAT_LATC2_UNORM, 3) <= 0.015f);
    fill_gradient(-1.0f);
    expect(DRV_FORMAT_RGTC1_SNORM, 1, 0.03f);
    expect(DRV_FORMAT_RGTC2_SNORM, 2, 0.03f);
    expect(DRV_FORMAT_LATC1_SNORM, 1, 0.03f);
}

/* Colors that 5:6:5 represents exactly are unchanged, in blocks of one and of two colors. */
static void test_exact_colors(void **state)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        bool second = i % 3 == 0 && i / SIZE > 7;
        const float value[4] = {1.0f, second, 0.0f, 1.0f};
        memcpy(image[i], value, sizeof value);
    }
    expect(DRV_FORMAT_DXT1_RGB, 4, 0.0f);
    expect(DRV_FORMAT_DXT1_RGBA, 4, 0.0f);
    expect(DRV_FORMAT_DXT5_RGBA, 4, 0.0f);
}

/* Half of each block is transparent; the other half keeps its color. */
static void test_punch_through(void **state)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        float shown = i % 2 ? 1.0f : 0.0f;
        const float value[4] = {shown, 0.0f, shown, shown};
        memcpy(image[i], value, sizeof value);
    }
    expect(DRV_FORMAT_DXT1_RGBA, 4, 0.0f);
}

/* The ends of the range next to values close to each other: uses six steps and the two ends. */
static void test_six_steps(void **state)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        image[i][0] = i % 4 == 0 ? 0.0f : i % 4 == 1 ? 1.0f : 0.5f + (float)(i % 5) * 0.004f;
    expect(DRV_FORMAT_RGTC1_UNORM, 1, 0.003f);
}

/* Blocks of two colors, with floats above 1; and colors along a line. */
static void test_bptc(void **state)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const float value[2][4] = {{4.0f, 0.0f, 1.0f, 1.0f}, {0.5f, 3.0f, 0.0f, 1.0f}};
        memcpy(image[i], value[i % 5 == 0], sizeof value[0]);
    }
    expect(DRV_FORMAT_BPTC_RGB_UFLOAT, 4, 0.02f);
    expect(DRV_FORMAT_BPTC_RGB_FLOAT, 4, 0.05f);
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        image[i][0] = -image[i][0];
    expect(DRV_FORMAT_BPTC_RGB_FLOAT, 4, 0.05f);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        float x = (float)(i % SIZE) / (SIZE - 1);
        const float value[4] = {x, 0.3f + 0.5f * x, 1.0f - x, 0.5f + 0.5f * x};
        memcpy(image[i], value, sizeof value);
    }
    expect(DRV_FORMAT_BPTC_RGBA_UNORM, 4, 0.005f);
    /* steps are uniform in the bits of half floats, not in their values */
    expect(DRV_FORMAT_BPTC_RGB_UFLOAT, 3, 0.03f);
}

/* Encodes and decodes a BPTC block of two RGBA8 colors; bit t of `second`: texel t has color 1. */
static void code_bptc_pair(const uint8_t color[2][4], unsigned second, uint8_t texels[16][4])
{
    uint8_t block[16];
    float block_image[16][4];
    for (unsigned t = 0; t < 16; t++)
        for (unsigned c = 0; c < 4; c++)
            block_image[t][c] = (float)color[second >> t & 1][c] / 255.0f;
    assert_true(util_format_compress(DRV_FORMAT_BPTC_RGBA_UNORM, block, 16,
                                     (const float(*)[4])block_image, 4, 4, 4));
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_BPTC_RGBA_UNORM, texels[0], 16, block, 16, 4, 4));
}

/* Encodes a BPTC block of two colors. Alpha must be exact, and the other components off by at most
 * `limit`. */
static void check_bptc_pair(const uint8_t color[2][4], unsigned second, int limit)
{
    uint8_t texels[16][4];
    code_bptc_pair(color, second, texels);
    for (unsigned t = 0; t < 16; t++) {
        const uint8_t *want = color[second >> t & 1];
        assert_int_equal(texels[t][3], want[3]);
        for (unsigned c = 0; c < 3; c++)
            if (abs((int)texels[t][c] - (int)want[c]) > limit)
                fail_msg("texel %u, component %u: %u, not %u", t, c, texels[t][c], want[c]);
    }
}

/* Encodes an opaque BPTC block of two colors. Components that are 0, 255, or the same 0 or 255 in
 * both must be exact, and the others off by at most 1. */
static void check_bptc_ends(const uint8_t color[2][4], unsigned second)
{
    uint8_t texels[16][4];
    check_bptc_pair(color, second, 1);
    code_bptc_pair(color, second, texels);
    for (unsigned t = 0; t < 16; t++)
        for (unsigned c = 0; c < 3; c++) {
            const uint8_t want = color[second >> t & 1][c];
            if (want == 0 || want == 255)
                assert_int_equal(texels[t][c], want);
        }
}

/* Blocks of constant alpha: one color is exact, two are nearly so, and so is a gradient. Alpha is
 * exact. */
static void test_bptc_alpha(void **state)
{
    static const unsigned masks[4] = {0x8000, 0x5a5a, 0x0001, 0xfffe};
    uint32_t random = 1;
    for (unsigned v = 0; v < 256; v++) {
        const uint8_t gray[4] = {v, v, v, 255}, clear[4] = {v, v, v, 0};
        const uint8_t mixed[4] = {v, 255 - v, v / 2, v};
        const uint8_t *one[3] = {gray, clear, mixed};
        for (unsigned i = 0; i < 3; i++) {
            uint8_t pair[2][4];
            memcpy(pair[0], one[i], 4);
            memcpy(pair[1], one[i], 4);
            check_bptc_pair((const uint8_t(*)[4])pair, 0, 0);
        }
    }
    for (unsigned i = 0; i < 64; i++) {
        uint8_t pair[2][4];
        for (unsigned e = 0; e < 2; e++)
            for (unsigned c = 0; c < 4; c++) {
                random = random * 1664525 + 1013904223;
                pair[e][c] = c == 3 ? 255 : i == 0 ? e * 255 : random >> 24;
            }
        for (unsigned m = 0; m < ARRAY_SIZE(masks); m++)
            check_bptc_pair((const uint8_t(*)[4])pair, masks[m], i ? 1 : 0);
    }
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const float x = (float)(i % SIZE) / (SIZE - 1);
        const float value[4] = {x, 0.3f + 0.5f * x, 1.0f - x, 1.0f};
        memcpy(image[i], value, sizeof value);
    }
    expect(DRV_FORMAT_BPTC_RGBA_UNORM, 3, 0.01f);
    assert_true(error_of(DRV_FORMAT_BPTC_RGBA_UNORM, 3) == 0.0f);
}

/* Opaque blocks of two colors, and of black, white and two grays: components that are 0, 255, or
 * constant in the block are exact. */
static void test_bptc_ends(void **state)
{
    static const unsigned masks[4] = {0x8000, 0x5a5a, 0x0001, 0xfffe};
    uint8_t block[16], texels[16][4];
    float grays[16][4];
    uint32_t random = 7;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t pair[2][4] = {{0, 0, 0, 255}, {0, 0, 0, 255}};
        const uint8_t same = i % 2 ? 255 : 0;
        for (unsigned c = 0; c < 3; c++) {
            random = random * 1664525 + 1013904223;
            pair[1][c] = random >> 24;
        }
        for (unsigned m = 0; m < ARRAY_SIZE(masks); m++) {
            check_bptc_ends((const uint8_t(*)[4])pair, masks[m]);
            uint8_t other[2][4] = {{i * 3, same, pair[1][2] ^ 128, 255},
                                   {0, same, pair[1][2], 255}};
            check_bptc_ends((const uint8_t(*)[4])other, masks[m]);
        }
    }
    for (unsigned t = 0; t < 16; t++) {
        const float v = (float)(t % 4) / 3.0f, value[4] = {v, v, v, 1.0f};
        memcpy(grays[t], value, sizeof value);
    }
    assert_true(util_format_compress(DRV_FORMAT_BPTC_RGBA_UNORM, block, 16,
                                     (const float(*)[4])grays, 4, 4, 4));
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_BPTC_RGBA_UNORM, texels[0], 16, block, 16, 4, 4));
    for (unsigned t = 0; t < 16; t++)
        for (unsigned c = 0; c < 3; c++)
            assert_in_range(texels[t][c], t % 4 * 85 - (t % 4 % 3 != 0),
                            t % 4 * 85 + (t % 4 % 3 != 0));
}

/* Half-blocks with two colors each, and RGBA colors along a line. */
static void test_fxt1(void **state)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        unsigned half = i % SIZE / 4 % 2, second = (i + i / SIZE) % 3 == 0;
        const float value[4] = {(float)half, (float)second, 1.0f - (float)half, 1.0f};
        memcpy(image[i], value, sizeof value);
    }
    expect(DRV_FORMAT_FXT1_RGB, 4, 0.0f);
    expect(DRV_FORMAT_FXT1_RGBA, 4, 0.0f);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        float x = (float)(i % SIZE) / (SIZE - 1);
        const float value[4] = {x, 0.3f + 0.5f * x, 1.0f - x, 0.5f + 0.5f * x};
        memcpy(image[i], value, sizeof value);
    }
    expect(DRV_FORMAT_FXT1_RGB, 3, 0.02f);
    expect(DRV_FORMAT_FXT1_RGBA, 4, 0.05f);
}

/* One block of each kind, with bits placed as in 3DFX_texture_compression_FXT1. */
static void test_fxt1_blocks(void **state)
{
    static const struct {
        uint8_t block[16];
        struct {
            uint8_t texel, color[4];
        } want[4];
    } cases[] = {
        /* CC_HI: color 0 black, color 1 = (31, 0, 16) / 31; codes of texels 0 to 3: 0, 6, 3, 7 */
        {{0x30 | 0xc0, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x3e},
         {{0, {0, 0, 0, 255}}, {1, {255, 0, 132, 255}}, {2, {128, 0, 66, 255}}, {3, {0, 0, 0, 0}}}},
        /* CC_CHROMA: color 3 blue, color 1 red; codes of texels 0, 1: 1, 3; of texel 16: 3 */
        {{0x0d, 0, 0, 0, 0x03, 0, 0, 0, 0, 0, 0, 0x3e, 0, 0xe0, 0x03, 0x40},
         {{0, {255, 0, 0, 255}},
          {1, {0, 0, 255, 255}},
          {2, {0, 0, 0, 255}},
          {4, {0, 0, 255, 255}}}},
        /* CC_MIXED with alpha: color 1 has green 63; codes of texels 0 to 2: 2, 1, 3 */
        {{0x36, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x01, 0, 0, 0, 0xb0},
         {{0, {0, 255, 0, 255}}, {1, {0, 127, 0, 255}}, {2, {0, 0, 0, 0}}, {4, {0, 0, 0, 255}}}},
        /* CC_ALPHA without lerp: color 2 is white with alpha 16; codes of texels 0, 1: 2, 3 */
        {{0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x1f, 0, 0x68},
         {{0, {255, 255, 255, 132}}, {1, {0, 0, 0, 0}}, {2, {0, 0, 0, 0}}, {3, {0, 0, 0, 0}}}},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        uint8_t texels[32][4];
        assert_true(util_format_decompress_rgba8(DRV_FORMAT_FXT1_RGBA, texels[0], 32,
                                                 cases[i].block, 16, 8, 4));
        for (unsigned k = 0; k < 4; k++)
            assert_memory_equal(texels[cases[i].want[k].texel], cases[i].want[k].color, 4);
    }
}

/* Blocks that the encoder never writes: reserved modes, and mode 1 (two subsets, shared P-bits). */
static void test_bptc_blocks(void **state)
{
    static const uint8_t reserved[16] = {0}, reserved_float[16] = {0x13};
    uint8_t texel[16][4], mode_1[16] = {2};
    float color[16][4];
    memset(texel, 255, sizeof texel);
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_BPTC_RGBA_UNORM, texel[0], 16, reserved, 16, 4, 4));
    assert_int_equal(texel[15][3], 0);
    assert_true(util_format_decompress_float(DRV_FORMAT_BPTC_RGB_UFLOAT, color[0], 64,
                                             reserved_float, 16, 4, 4));
    assert_true(color[15][0] == 0.0f && color[15][3] == 1.0f);
    /* subset 1: all bits of red set in both endpoints, at bits 8 and 12; partition 0: columns 2 and
     * 3 */
    mode_1[2] = 0xf0;
    mode_1[3] = 0xff;
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_BPTC_RGBA_UNORM, texel[0], 16, mode_1, 16, 4, 4));
    assert_int_equal(texel[1][0], 0);
    assert_int_equal(texel[2][0], 0xfd); /* 1111110, high bit replicated */
    assert_int_equal(texel[2][1], 0);
    assert_int_equal(texel[2][3], 255);
}

/* NaN, infinity and out-of-range values don't crash. */
static void test_strange_values(void **state)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, 1e30f, -5.0f};
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        for (unsigned c = 0; c < 4; c++)
            image[i][c] = strange[(i + c) % ARRAY_SIZE(strange)];
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++)
        if (util_format_can_compress(f))
            error_of(f, 0);
}

/* NaN is encoded as 0, in each component. */
static void test_nan(void **state)
{
    static uint8_t blocks[2][5 * 5 * 16];
    static float other[SIZE * SIZE][4];
    uint32_t random = 1;
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        for (unsigned c = 0; c < 4; c++) {
            random = random * 1664525 + 1013904223;
            const float value = (float)(random >> 8) / 0x1p23f - 1.0f;
            const bool is_nan = i / SIZE < 4 || random >> 10 & 1;
            image[i][c] = is_nan ? NAN : value;
            other[i][c] = is_nan ? 0.0f : value;
        }
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        if (!util_format_can_compress(f))
            continue;
        const unsigned stride = 5 * drv_format_desc(f)->block_bytes;
        memset(blocks, 0, sizeof blocks);
        for (unsigned i = 0; i < 2; i++)
            assert_true(util_format_compress(
                f, blocks[i], stride, (const float(*)[4])(i ? other : image), SIZE, SIZE, SIZE));
        if (memcmp(blocks[0], blocks[1], sizeof blocks[0]) != 0)
            fail_msg("%s encodes NaN other than 0", drv_format_desc(f)->name);
    }
}

/* The largest floats become the largest integers. */
static void test_large(void **state)
{
    static const float large[2][4] = {{INFINITY, 0, 0, 0}, {0x1p63f, 0, 0, 0}};
    uint64_t u[2];
    int64_t s[2];
    util_format_pack_float(DRV_FORMAT_R64_UINT, u, large, 2);
    util_format_pack_float(DRV_FORMAT_R64_SINT, s, large, 2);
    assert_true(u[0] == UINT64_MAX && u[1] == 1ull << 63);
    assert_true(s[0] == INT64_MAX && s[1] == INT64_MAX);
}

/* Every vector width writes the same blocks, also of the image's edges, of noise and of NaNs. */
static void test_widths(void **state)
{
    enum { WIDTH = 75, HEIGHT = 10, STRIDE = 19 * 16 };
    static float noise[WIDTH * HEIGHT][4];
    static uint8_t blocks[3][3 * STRIDE];
    const unsigned most = simd_find_lanes();
    uint32_t random = 1;

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        for (unsigned c = 0; c < 4; c++) {
            random = random * 1664525 + 1013904223;
            /* the columns have values of all ranges, few values, and gradients */
            const float value = (float)(random >> 8) / 0x1p24f;
            noise[i][c] = i % WIDTH < 20   ? value * 3.0f - 1.0f
                          : i % WIDTH < 40 ? (float)(random >> 30) / 3.0f
                          : i % WIDTH < 60 ? (float)(i % WIDTH + c * 5) / 80.0f
                          : random >> 28   ? value
                                           : NAN;
        }
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        if (!util_format_can_compress(f))
            continue;
        memset(blocks, 0, sizeof blocks);
        for (unsigned i = 0; i < 3 && 4u << i <= most; i++) {
            simd_known_lanes = 4u << i;
            assert_true(util_format_compress(f, blocks[i], STRIDE, (const float(*)[4])noise, WIDTH,
                                             WIDTH, HEIGHT));
            if (memcmp(blocks[i], blocks[0], sizeof blocks[0]) != 0)
                fail_msg("%s differs with %u lanes", drv_format_desc(f)->name, 4u << i);
        }
        simd_known_lanes = most;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),      cmocka_unit_test(test_exact_colors),
        cmocka_unit_test(test_punch_through),  cmocka_unit_test(test_six_steps),
        cmocka_unit_test(test_strange_values), cmocka_unit_test(test_bptc),
        cmocka_unit_test(test_bptc_blocks),    cmocka_unit_test(test_bptc_alpha),
        cmocka_unit_test(test_bptc_ends),      cmocka_unit_test(test_fxt1),
        cmocka_unit_test(test_fxt1_blocks),    cmocka_unit_test(test_nan),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
