/* SPDX-License-Identifier: MIT */
/* Pixel formats: descriptions, conversion compared with the formulas of GL, round trips. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/format.h"
#include "util/format_planes.h"
#include "util/macros.h"
#include "util/srgb_half.h"

static bool is_plain_color(const struct drv_format_desc *desc)
{
    return desc->format && desc->layout == DRV_LAYOUT_PLAIN &&
           desc->colorspace != DRV_COLORSPACE_ZS;
}

static void test_descriptions(void **state)
{
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        const struct drv_format_desc *desc = drv_format_desc(f);
        assert_int_equal(desc->format, f);
        assert_non_null(desc->name);
        assert_true(desc->block_bytes > 0);
        unsigned bits = 0;
        for (unsigned c = 0; c < desc->nr_channels; c++)
            bits += desc->channel[c].bits;
        if (desc->layout == DRV_LAYOUT_PLAIN)
            assert_int_equal(bits, desc->block_bytes * 8);
    }
    assert_int_equal(drv_format_desc(DRV_FORMAT_NONE)->block_bytes, 0);
    assert_int_equal(util_format_component_bits(DRV_FORMAT_B5G6R5_UNORM, 1), 6);
    assert_int_equal(util_format_component_bits(DRV_FORMAT_L8_UNORM, 3), 0);
    assert_int_equal(util_format_depth_bits(DRV_FORMAT_Z24S8_UNORM), 24);
    assert_int_equal(util_format_stencil_bits(DRV_FORMAT_Z32S8X24_FLOAT), 8);
    assert_true(util_format_has_alpha(DRV_FORMAT_B8G8R8A8_UNORM));
    assert_false(util_format_has_alpha(DRV_FORMAT_B8G8R8X8_UNORM));
    assert_int_equal(util_format_linear(DRV_FORMAT_B8G8R8A8_SRGB), DRV_FORMAT_B8G8R8A8_UNORM);
}

/* The error is within the bound of the header, 0 and 1 are exact, and the function is monotonic. */
static void test_srgb_halves(void **state)
{
    for (unsigned i = 0; i < 256; i++) {
        double c = i / 255.0;
        double linear = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        double got = util_srgb_half((uint8_t)i);
        assert_true(fabs(got - linear * UTIL_SRGB_HALF_ONE) < 0.83);
        assert_true(i == 0 || got >= util_srgb_half((uint8_t)(i - 1)) + 9);
    }
    assert_int_equal(util_srgb_half(0), 0);
    assert_int_equal(util_srgb_half(255), UTIL_SRGB_HALF_ONE);
}

/* Every bit pattern of a channel survives unpacking and packing. */
static void test_round_trip(void **state)
{
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        const struct drv_format_desc *desc = drv_format_desc(f);
        if (!is_plain_color(desc) || desc->channel[0].bits > 24)
            continue;
        bool pure = util_format_is_pure_integer(f);
        for (unsigned seed = 0; seed < 600; seed++) {
            uint8_t texel[32] = {0}, back[32] = {0};
            float rgba[1][4];
            uint32_t ints[1][4];
            for (unsigned i = 0; i < desc->block_bytes; i++)
                texel[i] = (uint8_t)(seed * (2 * i + 1) + (seed >> 8) * 77);
            if (pure) {
                util_format_unpack_int(f, ints, texel, 1);
                util_format_pack_int(f, back, ints, util_format_is_pure_sint(f), 1);
            } else {
                util_format_unpack_float(f, rgba, texel, 1);
                /* canonicalizes padding, -MAX-1 and NaN */
                util_format_pack_float(f, texel, rgba, 1);
                util_format_unpack_float(f, rgba, texel, 1);
                util_format_pack_float(f, back, rgba, 1);
            }
            assert_memory_equal(texel, back, desc->block_bytes);
        }
    }
}

static void test_unorm(void **state)
{
    const uint8_t bgra[] = {10, 20, 30, 255};
    float rgba[1][4];
    util_format_unpack_float(DRV_FORMAT_B8G8R8A8_UNORM, rgba, bgra, 1);
    assert_true(rgba[0][0] == 30 / 255.0f && rgba[0][1] == 20 / 255.0f &&
                rgba[0][2] == 10 / 255.0f && rgba[0][3] == 1.0f);
    util_format_unpack_float(DRV_FORMAT_R8G8B8X8_UNORM, rgba, bgra, 1);
    assert_true(rgba[0][0] == 10 / 255.0f && rgba[0][3] == 1.0f);
    const uint16_t rgb565 = 31 << 11 | 32 << 5;
    util_format_unpack_float(DRV_FORMAT_B5G6R5_UNORM, rgba, &rgb565, 1);
    assert_true(rgba[0][0] == 1.0f && rgba[0][1] == 32 / 63.0f && rgba[0][2] == 0.0f);
    const float bad[1][4] = {{NAN, -1.0f, 2.0f, 0.5f}};
    uint8_t out[4];
    util_format_pack_float(DRV_FORMAT_R8G8B8A8_UNORM, out, bad, 1);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], 255);
    assert_int_equal(out[3], 128);
}

static void test_srgb(void **state)
{
    for (unsigned i = 0; i < 256; i++) {
        uint8_t texel[4] = {(uint8_t)i, 0, 0, (uint8_t)i}, back[4];
        float rgba[1][4];
        util_format_unpack_float(DRV_FORMAT_R8G8B8A8_SRGB, rgba, texel, 1);
        double c = i / 255.0, l = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        assert_true(fabs(rgba[0][0] - l) < 1e-6);
        assert_true(rgba[0][3] == (float)i / 255.0f);
        util_format_pack_float(DRV_FORMAT_R8G8B8A8_SRGB, back, rgba, 1);
        assert_memory_equal(texel, back, 4);
    }
}

/* A byte is what the encoded value, computed in doubles, is rounded to (GL 4.6 §17.3.7): between
 * one byte and the next the step is where it should be. */
static void test_srgb_steps(void **state)
{
    for (unsigned i = 0; i < 255; i++) {
        double c = (i + 0.5) / 255.0, l = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        float below[4] = {(float)(l * (1 - 1e-6)), 0, 0, 0};
        float above[4] = {(float)(l * (1 + 1e-6)), 0, 0, 0};
        uint8_t texel[4];
        util_format_pack_float(DRV_FORMAT_R8G8B8A8_SRGB, texel, &below, 1);
        assert_int_equal(texel[0], i);
        util_format_pack_float(DRV_FORMAT_R8G8B8A8_SRGB, texel, &above, 1);
        assert_int_equal(texel[0], i + 1);
    }
}

/* Both encoders store the nearest byte also for the floats next to each step, and for a half float
 * whose encoding is 242.49992. */
static void test_srgb_nearest(void **state)
{
    enum { COUNT = 2 * UTIL_CHUNK };
    static float rgba[COUNT][4];
    static uint8_t want[COUNT], packed[COUNT][4], planar[UTIL_CHUNK][4];
    static struct util_planes planes;
    struct util_planes_format format;
    for (unsigned i = 0; i < 255; i++) {
        double c = (i + 0.5) / 255.0, l = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        float above = (float)l;
        if ((double)above < l)
            above = nextafterf(above, 1.0f);
        rgba[2 * i][0] = nextafterf(above, 0.0f);
        rgba[2 * i + 1][0] = above;
        want[2 * i] = (uint8_t)i;
        want[2 * i + 1] = (uint8_t)(i + 1);
    }
    rgba[COUNT - 2][0] = 0.89208984375f;
    want[COUNT - 2] = 242;
    rgba[COUNT - 1][0] = 1.0f;
    want[COUNT - 1] = 255;
    util_format_pack_float(DRV_FORMAT_R8G8B8A8_SRGB, packed, (const float(*)[4])rgba, COUNT);
    assert_true(util_planes_format_init(&format, DRV_FORMAT_R8G8B8A8_SRGB, false));
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(packed[i][0], want[i]);
        memcpy(&planes.value[0][i % UTIL_CHUNK], &rgba[i][0], 4);
        if (i % UTIL_CHUNK < UTIL_CHUNK - 1)
            continue;
        util_planes_to_texels(&format, planar, UTIL_CHUNK, &planes);
        for (unsigned k = 0; k < UTIL_CHUNK; k++)
            assert_int_equal(planar[k][0], want[i + 1 - UTIL_CHUNK + k]);
    }
}

static void test_small_floats(void **state)
{
    for (uint32_t word = 0; word < 0x800; word++) {
        uint32_t back;
        float rgba[1][4];
        if ((word >> 6) == 31 && (word & 63))
            continue; /* NaN */
        util_format_unpack_float(DRV_FORMAT_R11G11B10_FLOAT, rgba, &word, 1);
        util_format_pack_float(DRV_FORMAT_R11G11B10_FLOAT, &back, rgba, 1);
        assert_int_equal(word, back);
    }
    const float hdr[1][4] = {{1.0f, 0.5f, 65408.0f, 1.0f}};
    float rgba[1][4];
    uint32_t word;
    util_format_pack_float(DRV_FORMAT_R9G9B9E5_FLOAT, &word, hdr, 1);
    util_format_unpack_float(DRV_FORMAT_R9G9B9E5_FLOAT, rgba, &word, 1);
    assert_true(rgba[0][2] == 65408.0f);
    const float small[1][4] = {{1.0f, 0.25f, 0.75f, 1.0f}};
    util_format_pack_float(DRV_FORMAT_R9G9B9E5_FLOAT, &word, small, 1);
    util_format_unpack_float(DRV_FORMAT_R9G9B9E5_FLOAT, rgba, &word, 1);
    assert_true(rgba[0][0] == 1.0f && rgba[0][1] == 0.25f && rgba[0][2] == 0.75f);
}

static void test_depth_stencil(void **state)
{
    const enum drv_format formats[] = {DRV_FORMAT_Z24S8_UNORM, DRV_FORMAT_S8Z24_UNORM,
                                       DRV_FORMAT_Z32S8X24_FLOAT};
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        uint8_t texel[8] = {0}, stencil = 0xa5, s;
        float depth = 0.25f, z;
        util_format_pack_stencil(formats[i], texel, &stencil, 1);
        util_format_pack_depth(formats[i], texel, &depth, 1);
        util_format_unpack_depth(formats[i], &z, texel, 1);
        util_format_unpack_stencil(formats[i], &s, texel, 1);
        assert_int_equal(s, stencil);
        assert_true(fabsf(z - depth) < 1e-7f);
    }
    for (uint32_t z24 = 0; z24 < 1 << 24; z24 += 4093) {
        uint32_t word = z24, wide, back = 0;
        float z;
        util_format_unpack_depth_u32(DRV_FORMAT_Z24X8_UNORM, &wide, &word, 1);
        util_format_pack_depth_u32(DRV_FORMAT_Z24X8_UNORM, &back, &wide, 1);
        assert_int_equal(back, z24);
        util_format_unpack_depth(DRV_FORMAT_Z24X8_UNORM, &z, &word, 1);
        back = 0;
        util_format_pack_depth(DRV_FORMAT_Z24X8_UNORM, &back, &z, 1);
        assert_int_equal(back, z24);
    }
    const float one = 1.0f;
    uint32_t word = 0;
    util_format_pack_depth(DRV_FORMAT_Z24X8_UNORM, &word, &one, 1);
    assert_int_equal(word, 0xffffff);
}

static void test_s3tc(void **state)
{
    /* colors red and blue; first row: both end points and the two interpolated colors */
    const uint8_t block[] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
    uint8_t out[4][4][4];
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_DXT1_RGB, &out[0][0][0], 16, block, 8, 4, 4));
    assert_int_equal(out[0][0][0], 255);
    assert_int_equal(out[0][1][2], 255);
    assert_int_equal(out[0][2][0], 170);
    assert_int_equal(out[0][3][0], 85);
    assert_int_equal(out[3][3][0], 255);
    uint8_t small[1][2][4];
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_DXT1_RGB, &small[0][0][0], 8, block, 8, 2, 1));
    assert_int_equal(small[0][1][2], 255);
}

/* Example of the extension: base color (231, 33, 24), differences -4, 2, 0, modifiers of table 2
 * (9, 29) on the left and of table 0 (2, 8) on the right. */
static void test_etc1(void **state)
{
    const uint8_t block[] = {0xe4, 0x22, 0x18, 0x42, 0, 0, 0, 0x01};
    static const uint8_t first[4] = {255, 62, 53, 255}, left[4] = {240, 42, 33, 255},
                         right[4] = {200, 51, 26, 255};
    uint8_t out[4][4][4];
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_ETC1_RGB8, &out[0][0][0], 16, block, 8, 4, 4));
    assert_memory_equal(out[0][0], first, 4);
    assert_memory_equal(out[3][1], left, 4);
    assert_memory_equal(out[0][2], right, 4);
    assert_memory_equal(out[3][3], right, 4);
}

static void expect_texel(const uint8_t out[4][4][4], unsigned x, unsigned y, int r, int g, int b,
                         int a)
{
    const uint8_t *t = out[y][x];
    if (t[0] != r || t[1] != g || t[2] != b || t[3] != a)
        fail_msg("texel %u,%u is %u %u %u %u, not %d %d %d %d", x, y, t[0], t[1], t[2], t[3], r, g,
                 b, a);
}

/* Blocks whose differences overflow select one mode each, depending on the component. Expected
 * colors are computed by hand: 4 bits × 17, distance 3 for index 0, 6 for 1. */
static void test_etc2(void **state)
{
    uint8_t out[4][4][4];
    /* T mode, red 0 - 4: colors from nibbles (0, 1, 2) and (3, 4, 5); codes 0 1 2 3 in the first
     * column */
    const uint8_t t[] = {0x04, 0x12, 0x34, 0x52, 0x00, 0x0c, 0x00, 0x0a};
    util_format_decompress_rgba8(DRV_FORMAT_ETC2_RGB8, &out[0][0][0], 16, t, 8, 4, 4);
    expect_texel(out, 0, 0, 0, 17, 34, 255);
    expect_texel(out, 0, 1, 51 + 3, 68 + 3, 85 + 3, 255);
    expect_texel(out, 0, 2, 51, 68, 85, 255);
    expect_texel(out, 0, 3, 51 - 3, 68 - 3, 85 - 3, 255);
    expect_texel(out, 3, 3, 0, 17, 34, 255);
    /* the same with punch-through alpha, not opaque: code 2 is transparent black */
    const uint8_t t1[] = {0x04, 0x12, 0x34, 0x50, 0x00, 0x0c, 0x00, 0x0a};
    util_format_decompress_rgba8(DRV_FORMAT_ETC2_RGB8A1, &out[0][0][0], 16, t1, 8, 4, 4);
    expect_texel(out, 0, 0, 0, 17, 34, 255);
    expect_texel(out, 0, 2, 0, 0, 0, 0);
    expect_texel(out, 0, 3, 51 - 3, 68 - 3, 85 - 3, 255);
    /* H mode, green 0 - 4: the first color (0, 0, 0) is less than the second (1, 2, 3):
     * distance 3 */
    const uint8_t h[] = {0x00, 0x04, 0x00, 0x9a, 0x00, 0x0c, 0x00, 0x0a};
    util_format_decompress_rgba8(DRV_FORMAT_ETC2_RGB8, &out[0][0][0], 16, h, 8, 4, 4);
    expect_texel(out, 0, 0, 3, 3, 3, 255);
    expect_texel(out, 0, 1, 0, 0, 0, 255);
    /* planar mode, blue 0 - 4: all three colors black, except blue at the origin */
    const uint8_t planar[] = {0x00, 0x00, 0x04, 0x02, 0x00, 0x00, 0x00, 0x00};
    util_format_decompress_rgba8(DRV_FORMAT_ETC2_RGB8, &out[0][0][0], 16, planar, 8, 4, 4);
    expect_texel(out, 0, 0, 0, 0, 0, 255);
    /* individual and differential mode are the same as in ETC1 */
    const uint8_t etc1[] = {0xe4, 0x22, 0x18, 0x42, 0, 0, 0, 0x01};
    util_format_decompress_rgba8(DRV_FORMAT_ETC2_SRGB8, &out[0][0][0], 16, etc1, 8, 4, 4);
    expect_texel(out, 0, 0, 255, 62, 53, 255);
}

/* Alpha and 11-bit components: base + modifier × multiplier; texel 0 uses the high bits. */
static void test_eac(void **state)
{
    uint8_t out[4][4][4];
    float f[4][4][4];
    /* alpha 100, multiplier 2, table 0: codes 3 (-15), 7 (14), then 0 (-3) */
    const uint8_t rgba[16] = {100, 0x20, 0x7c, 0, 0, 0, 0, 0};
    util_format_decompress_rgba8(DRV_FORMAT_ETC2_RGBA8, &out[0][0][0], 16, rgba, 16, 4, 4);
    assert_int_equal(out[0][0][3], 70);
    assert_int_equal(out[1][0][3], 128);
    assert_int_equal(out[2][0][3], 94);
    const uint8_t r11[8] = {100, 0x20, 0x7c, 0, 0, 0, 0, 0};
    util_format_decompress_float(DRV_FORMAT_ETC2_R11_UNORM, &f[0][0][0], 64, r11, 8, 4, 4);
    assert_float_equal(f[0][0][0], (804 - 240) / 2047.0f, 1e-6);
    assert_float_equal(f[1][0][0], (804 + 224) / 2047.0f, 1e-6);
    assert_float_equal(f[0][0][3], 1.0f, 0.0f);
    const uint8_t rg11[16] = {0x80, 0x00, 0x7c, 0, 0, 0, 0, 0, 1, 0x00, 0x7c, 0, 0, 0, 0, 0};
    util_format_decompress_float(DRV_FORMAT_ETC2_RG11_SNORM, &f[0][0][0], 64, rg11, 16, 4, 4);
    assert_float_equal(f[0][0][0], -1.0f, 0.0f); /* -127 × 8 - 15, clamped */
    assert_float_equal(f[1][0][0], (-1016 + 14) / 1023.0f, 1e-6);
    assert_float_equal(f[1][0][1], (8 + 14) / 1023.0f, 1e-6);
}

/* A 4×4 block with one partition: luminance from 0 to 255 and 2-bit weights; the first row has each
 * weight (C.2.19 of KHR_texture_compression_astc_ldr, with sRGB expansion of endpoints). */
static void test_astc(void **state)
{
    const uint8_t block[16] = {0x42, 0, 0, 0xfe, 0x01, [15] = 0x27};
    const uint8_t purple[16] = {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                0x12, 0x80, 0x34, 0x00, 0x56, 0xff, 0x78, 0x40};
    const uint8_t reserved[16] = {0},
                  high_range[16] = {0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t gray[4] = {0, 84, 171, 255};
    uint8_t out[2][12][4];
    for (unsigned i = 0; i < 4; i++) {
        util_format_decompress_rgba8(DRV_FORMAT_ASTC_4x4, &out[0][0][0], 48, block, 16, 4, 2);
        assert_int_equal(out[0][i][0], gray[i]);
        assert_int_equal(out[0][i][2], gray[i]);
        assert_int_equal(out[0][i][3], 255);
        assert_int_equal(out[1][i][0], 0);
    }
    util_format_decompress_rgba8(DRV_FORMAT_ASTC_12x10_SRGB, &out[0][0][0], 48, purple, 16, 12, 2);
    assert_memory_equal(out[1][11], ((const uint8_t[]){0x80, 0x00, 0xff, 0x40}), 4);
    const uint8_t *const magenta[] = {reserved, high_range};
    for (unsigned i = 0; i < 2; i++) {
        util_format_decompress_rgba8(DRV_FORMAT_ASTC_5x4, &out[0][0][0], 48, magenta[i], 16, 5, 2);
        assert_memory_equal(out[1][4], ((const uint8_t[]){255, 0, 255, 255}), 4);
    }
}

/* Random blocks decode without errors, and equally for linear and sRGB formats. */
static void test_astc_noise(void **state)
{
    static uint8_t linear[144][4], srgb[144][4];
    uint32_t random = 1;
    for (unsigned n = 0; n < 20000; n++) {
        uint8_t block[16];
        for (unsigned i = 0; i < 16; i++)
            block[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        enum drv_format format = DRV_FORMAT_ASTC_4x4 + 2 * (n % 14);
        const struct drv_format_desc *d = drv_format_desc(format);
        unsigned w = d->block_width, h = d->block_height;
        assert_true(util_format_decompress_rgba8(format, linear[0], w * 4, block, 16, w, h));
        assert_true(util_format_decompress_rgba8(util_format_srgb(format), srgb[0], w * 4, block,
                                                 16, w, h));
        assert_memory_equal(linear, srgb, w * h * 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptions),  cmocka_unit_test(test_srgb_halves),
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_unorm),
        cmocka_unit_test(test_srgb),          cmocka_unit_test(test_srgb_steps),
        cmocka_unit_test(test_srgb_nearest),  cmocka_unit_test(test_small_floats),
        cmocka_unit_test(test_depth_stencil), cmocka_unit_test(test_s3tc),
        cmocka_unit_test(test_etc1),          cmocka_unit_test(test_etc2),
        cmocka_unit_test(test_eac),           cmocka_unit_test(test_astc),
        cmocka_unit_test(test_astc_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
