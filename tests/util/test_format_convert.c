/* SPDX-License-Identifier: MIT */
/*
 * Compares conversions of rows (util/format_convert.h) with the conversions of single texels of
 * util/format.h, for all pairs of formats, with special values, odd counts and odd addresses. meson
 * runs the program once per vector width.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/format.h"
#include "util/format_convert.h"
#include "util/macros.h"
#include "util/simd.h"

#define MAX_COUNT 300
#define GUARD     0xa5

static uint32_t random_state = 1;

static uint32_t random_word(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 16 | random_state << 16;
}

/* Fills count texels with random bits and with values at the limits of channels. */
static void fill(enum drv_format format, uint8_t *texels, unsigned count)
{
    static const float special[] = {
        0.0f,     -0.0f,    1.0f,     -1.0f,    0.5f,      INFINITY,  -INFINITY, NAN,
        1e-40f,   -1e-40f,  65504.0f, 65520.0f, 65519.9f,  6.1e-5f,   5.9e-8f,   2.98e-8f,
        3e-8f,    0.00015f, 1e10f,    -1e10f,   0x1p-126f, 0.999999f, 1.5f,      2.0f,
        0x1p-14f, 0x1p-24f, 0x1p-25f, 65024.0f, 64512.0f,  127.5f,    254.5f,    0x1.8p-25f};
    const struct drv_format_desc *d = drv_format_desc(format);
    for (unsigned i = 0; i < count * d->block_bytes; i++)
        texels[i] = random_word();
    for (unsigned i = 0; i < count; i++, texels += d->block_bytes) {
        if (d->channel[0].type == DRV_CHANNEL_FLOAT && d->channel[0].bits == 32) {
            for (unsigned c = 0; c < d->block_bytes / 4; c++) {
                float f = random_word() % 3 ? (float)random_word() / 4294967296.0f * 1.25f - 0.125f
                          : random_word() % 2 ? special[random_word() % ARRAY_SIZE(special)]
                                              : (float)(random_word() % 511) * 0.5f / 255.0f;
                memcpy(texels + 4 * c, &f, 4);
            }
        } else if (i % 8 == 0) {
            memset(texels, i % 16 ? 0xff : 0, d->block_bytes);
        }
    }
}

struct operations {
    uint8_t in[4], out[4];
    bool clamp, sum;
    const struct util_pixel_transfer *transfer;
};

static void transfer_pixel(const struct util_pixel_transfer *t, float v[4])
{
    for (unsigned c = 0; c < 4; c++) {
        v[c] = v[c] * t->scale[c] + t->bias[c];
        if (t->map_color) {
            float at = CLAMP(v[c], 0.0f, 1.0f) * (t->color_map[c].size - 1) + 0.5f;
            v[c] = t->color_map[c].values[at >= 0 ? (unsigned)at : 0];
        }
    }
}

/* Converts one pixel with the functions of util/format.h. */
static void convert(enum drv_format dst, enum drv_format src, const struct operations *ops,
                    const uint8_t *from, uint8_t *to)
{
    float v[1][4], rgba[6] = {[DRV_SWIZZLE_1] = 1.0f}, out[1][4];
    const bool integer = util_format_is_pure_integer(dst);
    if (integer) {
        util_format_unpack_int(src, (uint32_t(*)[4])v, from, 1);
        rgba[DRV_SWIZZLE_1] = uif(1);
    } else {
        util_format_unpack_float(src, v, from, 1);
    }
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = ops->in[c] <= DRV_SWIZZLE_W ? v[0][ops->in[c]] : rgba[ops->in[c]];
    if (ops->transfer && !integer)
        transfer_pixel(ops->transfer, rgba);
    if (ops->sum && !integer)
        rgba[0] += rgba[1] + rgba[2];
    for (unsigned c = 0; ops->clamp && !integer && c < 4; c++)
        rgba[c] = CLAMP(rgba[c], 0.0f, 1.0f);
    for (unsigned c = 0; c < 4; c++)
        out[0][c] = rgba[ops->out[c]];
    if (integer)
        util_format_pack_int(dst, to, (const uint32_t(*)[4])out, util_format_is_pure_sint(src), 1);
    else
        util_format_pack_float(dst, to, (const float(*)[4])out, 1);
}

/* Compares texels bit by bit, except that all NaNs are equal, and the two encodings of -1. */
static bool equal(enum drv_format format, const uint8_t *a, const uint8_t *b)
{
    float x[1][4], y[1][4];
    if (!memcmp(a, b, drv_format_desc(format)->block_bytes))
        return true;
    if (util_format_is_pure_integer(format))
        return false;
    util_format_unpack_float(format, x, a, 1);
    util_format_unpack_float(format, y, b, 1);
    for (unsigned c = 0; c < 4; c++)
        if (fui(x[0][c]) != fui(y[0][c]) && !(x[0][c] != x[0][c] && y[0][c] != y[0][c]))
            return false;
    return true;
}

static void check(enum drv_format dst, enum drv_format src, const struct operations *ops,
                  unsigned count)
{
    const unsigned s = drv_format_desc(src)->block_bytes, d = drv_format_desc(dst)->block_bytes;
    struct util_conversion v;
    struct util_conversion_desc desc = {.dst = dst,
                                        .src = src,
                                        .clamp = ops->clamp,
                                        .luminance_sum = ops->sum,
                                        .transfer = ops->transfer};
    memcpy(desc.in, ops->in, 4);
    memcpy(desc.out, ops->out, 4);
    assert_true(util_conversion_init(&v, &desc));
    /* exactly as large as the row, so that a sanitizer detects accesses outside of it */
    uint8_t *from = malloc(count * s + 1), *to = malloc(count * d + 17), expected[16];
    assert_non_null(from);
    assert_non_null(to);
    fill(src, from + 1, count);
    memset(to, GUARD, count * d + 17);
    util_convert_row(&v, to + 1, from + 1, count);
    for (unsigned i = 0; i < count; i++) {
        memset(expected, 0, sizeof expected);
        convert(dst, src, ops, from + 1 + i * s, expected);
        if (!equal(dst, to + 1 + i * d, expected))
            fail_msg("%s to %s, pixel %u of %u: %02x%02x%02x%02x from %02x%02x%02x%02x",
                     drv_format_desc(src)->name, drv_format_desc(dst)->name, i, count,
                     to[1 + i * d], to[2 + i * d], to[3 + i * d], to[4 + i * d], from[1 + i * s],
                     from[2 + i * s], from[3 + i * s], from[4 + i * s]);
    }
    assert_int_equal(to[0], GUARD);
    for (unsigned i = count * d + 1; i < count * d + 17; i++)
        assert_int_equal(to[i], GUARD);
    free(from);
    free(to);
}

static bool is_color(enum drv_format f)
{
    struct util_texel_layout l;
    return f && drv_format_desc(f)->colorspace != DRV_COLORSPACE_ZS &&
           util_texel_layout_init(&l, f, false);
}

static void test_all_pairs(void **state)
{
    static const struct operations same = {.in = {0, 1, 2, 3}, .out = {0, 1, 2, 3}};
    unsigned pairs = 0;
    for (unsigned d = 1; d < DRV_FORMAT_COUNT; d++)
        for (unsigned s = 1; s < DRV_FORMAT_COUNT; s++)
            if (is_color(d) && is_color(s) &&
                util_format_is_pure_integer(d) == util_format_is_pure_integer(s)) {
                check(d, s, &same, 33 + pairs % 3);
                pairs++;
            }
    assert_true(pairs > 5000);
}

static void test_counts(void **state)
{
    static const struct operations ops = {.in = {2, 1, 0, 3}, .out = {0, 1, 2, 3}};
    static const enum drv_format formats[] = {
        DRV_FORMAT_R8_UNORM,           DRV_FORMAT_R8G8_UNORM,         DRV_FORMAT_R8G8B8_UNORM,
        DRV_FORMAT_R16G16B16_UNORM,    DRV_FORMAT_R16G16B16A16_FLOAT, DRV_FORMAT_R32G32B32_FLOAT,
        DRV_FORMAT_R32G32B32A32_FLOAT, DRV_FORMAT_B5G6R5_UNORM,       DRV_FORMAT_R11G11B10_FLOAT};
    for (unsigned d = 0; d < ARRAY_SIZE(formats); d++)
        for (unsigned s = 0; s < ARRAY_SIZE(formats); s++)
            for (unsigned count = 1; count < MAX_COUNT; count += count < 20 ? 1 : 13)
                check(formats[d], formats[s], &ops, count);
}

static void test_operations(void **state)
{
    float map[64];
    for (unsigned i = 0; i < ARRAY_SIZE(map); i++)
        map[i] = (float)(random_word() & 0xff) / 255.0f;
    const struct util_pixel_transfer scale = {.scale = {0.5f, 2.0f, 1.0f, 1.0f},
                                              .bias = {0.25f, -0.5f, 0.0f, 0.125f}};
    struct util_pixel_transfer maps = scale;
    maps.map_color = true;
    for (unsigned c = 0; c < 4; c++)
        maps.color_map[c] = (struct util_lookup){map, 16u << (c & 1)};
    const struct operations ops[] = {
        {{0, 1, 2, 3}, {0, 1, 2, 3}, true, false, NULL},
        {{0, 1, 2, 3}, {0, 3, 4, 5}, true, true, NULL},
        {{0, 1, 2, 3}, {0, 0, 0, 5}, false, true, &scale},
        {{3, 2, 1, 0}, {0, 1, 2, 3}, false, false, &scale},
        {{0, 0, 0, 5}, {0, 1, 2, 3}, true, false, &maps},
        {{4, 4, 4, 0}, {3, 1, 2, 3}, false, false, &maps},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++)
        for (unsigned d = 1; d < DRV_FORMAT_COUNT; d++)
            if (is_color(d) && !util_format_is_pure_integer(d)) {
                check(d, DRV_FORMAT_R8G8B8A8_UNORM, &ops[i], 21);
                check(d, DRV_FORMAT_R32G32B32A32_FLOAT, &ops[i], 40);
                check(d, DRV_FORMAT_R8G8_SNORM, &ops[i], 40);
            }
}

/* Exact results for every input: normalized channels, halves, and sRGB at each threshold. */
static void test_every_value(void **state)
{
    static const enum drv_format formats[] = {DRV_FORMAT_R16_UNORM, DRV_FORMAT_R16_SNORM,
                                              DRV_FORMAT_R16_FLOAT, DRV_FORMAT_L8A8_SRGB,
                                              DRV_FORMAT_R8G8_SNORM};
    static uint16_t in[65536];
    static float out[65536][4], expected[65536][4];
    for (unsigned i = 0; i < 65536; i++)
        in[i] = i;
    for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
        struct util_conversion v;
        struct util_conversion_desc desc = {.dst = DRV_FORMAT_R32G32B32A32_FLOAT,
                                            .src = formats[f],
                                            .in = {0, 1, 2, 3},
                                            .out = {0, 1, 2, 3}};
        assert_true(util_conversion_init(&v, &desc));
        util_convert_row(&v, out, in, 65536);
        util_format_unpack_float(formats[f], expected, in, 65536);
        assert_memory_equal(out, expected, sizeof out);
        uint16_t back[2] = {0}, packed[2] = {0};
        desc = (struct util_conversion_desc){.dst = formats[f],
                                             .src = DRV_FORMAT_R32G32B32A32_FLOAT,
                                             .in = {0, 1, 2, 3},
                                             .out = {0, 1, 2, 3}};
        assert_true(util_conversion_init(&v, &desc));
        for (unsigned i = 0; i < 65536; i++) {
            /* between two values, and next to the point between them */
            float middle = (expected[i][0] + expected[(i + 1) & 0xffff][0]) * 0.5f;
            for (int k = -1; k <= 1; k++) {
                float pixel[1][4] = {{uif(fui(middle) + k), middle, 0, middle}};
                util_convert_row(&v, back, pixel, 1);
                util_format_pack_float(formats[f], packed, (const float(*)[4])pixel, 1);
                if (middle == middle)
                    assert_int_equal(back[0], packed[0]);
            }
        }
    }
}

/* 32-bit normalized integers become the floats nearest to their quotients as doubles: around values
 * in the middle of two floats, the largest values, and elsewhere. */
static void test_words(void **state)
{
    enum { COUNT = 1 << 20 };
    static uint32_t in[COUNT];
    static float out[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        const unsigned bits = i % 9; /* less than a float's last bit */
        const uint32_t middle = 0x80000000u >> (8 - bits) | (random_word() << bits >> 1 << 1);
        in[i] = i & 1024 ? random_word() * 2654435761u >> i % 32
                         : (middle & ~((1u << bits) - 1)) + (1u << bits >> 1) + i % 3 - 1;
    }
    in[0] = 0;
    in[1] = 0x7fffffff;
    in[2] = 0x80000000;
    in[3] = 0xffffffff;
    for (unsigned i = 4; i < 4100; i++)
        in[i] = -i;
    for (unsigned k = 0; k < 2; k++) {
        struct util_conversion v;
        const enum drv_format format = k ? DRV_FORMAT_R32_SNORM : DRV_FORMAT_R32_UNORM;
        assert_true(
            util_conversion_init(&v, &(struct util_conversion_desc){.dst = DRV_FORMAT_R32_FLOAT,
                                                                    .src = format,
                                                                    .in = {0, 4, 4, 5},
                                                                    .out = {0, 1, 2, 3}}));
        util_convert_row(&v, out, in, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            const double d = k ? MAX2((int32_t)in[i] / 2147483647.0, -1.0) : in[i] / 4294967295.0;
            assert_true(fui(out[i]) == fui((float)d));
        }
    }
}

/* Exact results for every value of normalized channels that are converted to other sizes. */
static void test_every_size(void **state)
{
    static const enum drv_format formats[] = {
        DRV_FORMAT_R8_UNORM,       DRV_FORMAT_R16_UNORM,         DRV_FORMAT_R8G8_UNORM,
        DRV_FORMAT_B2G3R3_UNORM,   DRV_FORMAT_B5G6R5_UNORM,      DRV_FORMAT_A1B5G5R5_UNORM,
        DRV_FORMAT_A4B4G4R4_UNORM, DRV_FORMAT_R10G10B10A2_UNORM, DRV_FORMAT_R8G8B8A8_UNORM};
    static const uint8_t red[4] = {0, 0, 0, DRV_SWIZZLE_1}, last[4] = {2, 1, 0, 3};
    static uint32_t in[65536];
    for (unsigned d = 0; d < ARRAY_SIZE(formats); d++)
        for (unsigned s = 0; s < ARRAY_SIZE(formats); s++) {
            const unsigned bytes = drv_format_desc(formats[s])->block_bytes;
            struct util_conversion_desc desc = {
                .dst = formats[d], .src = formats[s], .in = {0, 1, 2, 3}};
            memcpy(desc.in, d & 1 ? red : last, 4);
            memcpy(desc.out, (const uint8_t[]){0, 1, 2, 3}, 4);
            const struct operations ops = {.in = {desc.in[0], desc.in[1], desc.in[2], desc.in[3]},
                                           .out = {0, 1, 2, 3}};
            struct util_conversion v;
            assert_true(util_conversion_init(&v, &desc));
            for (unsigned i = 0; i < 65536; i++) /* both ends of 32-bit texels */
                memcpy((uint8_t *)in + i * bytes, &(uint32_t){i | (i ^ 0x5a5a) << 16}, bytes);
            static uint8_t out[65536 * 4];
            util_convert_row(&v, out, in, 65536);
            const unsigned size = drv_format_desc(formats[d])->block_bytes;
            for (unsigned i = 0; i < 65536; i++) {
                uint8_t expected[16] = {0};
                convert(formats[d], formats[s], &ops, (const uint8_t *)in + i * bytes, expected);
                assert_memory_equal(out + i * size, expected, size);
            }
        }
}

static void swap_bytes(uint8_t *p, size_t size, unsigned unit)
{
    for (size_t i = 0; unit && i < size; i += unit)
        for (unsigned b = 0; b < unit / 2; b++) {
            const uint8_t low = p[i + b];
            p[i + b] = p[i + unit - 1 - b];
            p[i + unit - 1 - b] = low;
        }
}

/* Conversions with reversed bytes equal conversions of reversed rows. */
static void test_swapped(void **state)
{
    static const struct {
        enum drv_format format;
        unsigned unit;
    } rows[] = {{DRV_FORMAT_R16_UNORM, 2},          {DRV_FORMAT_R16G16B16_FLOAT, 2},
                {DRV_FORMAT_R16G16B16A16_SNORM, 2}, {DRV_FORMAT_B5G6R5_UNORM, 2},
                {DRV_FORMAT_A8B8G8R8_UNORM, 4},     {DRV_FORMAT_R10G10B10A2_UNORM, 4},
                {DRV_FORMAT_R32G32B32_FLOAT, 4},    {DRV_FORMAT_R32G32B32A32_UNORM, 4},
                {DRV_FORMAT_R8G8B8_UNORM, 0},       {DRV_FORMAT_R9G9B9E5_FLOAT, 4}};
    enum { COUNT = 83 };
    uint8_t src[COUNT * 16], swapped[COUNT * 16], dst[COUNT * 16], expected[COUNT * 16];
    for (unsigned d = 0; d < ARRAY_SIZE(rows); d++)
        for (unsigned s = 0; s < ARRAY_SIZE(rows); s++) {
            const size_t from = COUNT * drv_format_desc(rows[s].format)->block_bytes;
            const size_t to = COUNT * drv_format_desc(rows[d].format)->block_bytes;
            struct util_conversion_desc desc = {.dst = rows[d].format,
                                                .src = rows[s].format,
                                                .in = {2, 1, 0, 3},
                                                .out = {0, 1, 2, 3},
                                                .clamp = (d + s) & 1};
            struct util_conversion v;
            fill(rows[s].format, src, COUNT);
            memcpy(swapped, src, from);
            swap_bytes(swapped, from, rows[s].unit);
            assert_true(util_conversion_init(&v, &desc));
            util_convert_row(&v, expected, src, COUNT);
            swap_bytes(expected, to, rows[d].unit);
            desc.src_swap = rows[s].unit;
            desc.dst_swap = rows[d].unit;
            assert_true(util_conversion_init(&v, &desc));
            util_convert_row(&v, dst, swapped, COUNT);
            assert_memory_equal(dst, expected, to);
        }
}

/* ------------------------------------------------------------------------ depth and stencil --- */

/* Depth of one pixel as a double, and back. */
static double depth_of(enum drv_format f, bool client, const uint8_t *p)
{
    uint32_t u;
    float v;
    if (client) {
        memcpy(&u, p, 4);
        return (u >> 8) / 16777215.0;
    }
    if (f == DRV_FORMAT_R32_FLOAT) {
        memcpy(&v, p, 4);
        return v;
    }
    if (f == DRV_FORMAT_Z32_FLOAT || f == DRV_FORMAT_Z32S8X24_FLOAT) {
        util_format_unpack_depth(f, &v, p, 1);
        return v;
    }
    util_format_unpack_depth_u32(f, &u, p, 1);
    return u / 4294967295.0;
}

static void put_depth(enum drv_format f, bool client, double d, uint8_t *p)
{
    float v = d;
    if (f == DRV_FORMAT_R32_FLOAT || f == DRV_FORMAT_R16_UNORM) {
        util_format_pack_float(f, p, &(const float[4]){v}, 1);
    } else if (f == DRV_FORMAT_Z32_FLOAT || f == DRV_FORMAT_Z32S8X24_FLOAT) {
        util_format_pack_depth(f, p, &v, 1);
    } else {
        uint32_t u =
            client ? (uint32_t)(d * 16777215.0 + 0.5) << 8 : (uint32_t)(d * 4294967295.0 + 0.5);
        util_format_pack_depth_u32(f, p, &u, 1);
    }
}

static void check_depth(enum drv_format dst, bool client_dst, enum drv_format src, bool client_src,
                        unsigned aspects, const struct util_pixel_transfer *t)
{
    enum { COUNT = 77 };
    const unsigned s = drv_format_desc(src)->block_bytes, d = drv_format_desc(dst)->block_bytes;
    uint8_t from[COUNT * 8], to[COUNT * 8], expected[COUNT * 8];
    struct util_conversion v;
    assert_true(util_conversion_init(&v, &(struct util_conversion_desc){.dst = dst,
                                                                        .src = src,
                                                                        .aspects = aspects,
                                                                        .client_src = client_src,
                                                                        .client_dst = client_dst,
                                                                        .transfer = t}));
    fill(src, from, COUNT);
    memset(to, v.keeps ? 0x5a : 0, sizeof to);
    memcpy(expected, to, sizeof to);
    util_convert_row(&v, to, from, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        if (aspects & UTIL_CONVERT_DEPTH) {
            double z = depth_of(src, client_src, from + i * s);
            z = t ? z * t->depth_scale + t->depth_bias : z;
            z = CLAMP(z, 0.0, 1.0);
            if (z == z)
                put_depth(dst, client_dst, z, expected + i * d);
            else
                memcpy(expected + i * d, to + i * d, d);
        }
        if (aspects & UTIL_CONVERT_STENCIL) {
            uint8_t stencil;
            util_format_unpack_stencil(src, &stencil, from + i * s, 1);
            stencil = t ? (stencil << t->index_shift) + t->index_offset : stencil;
            util_format_pack_stencil(dst, expected + i * d, &stencil, 1);
        }
        if (memcmp(to + i * d, expected + i * d, d))
            fail_msg("%s to %s, pixel %u: %02x%02x%02x%02x, expected %02x%02x%02x%02x",
                     drv_format_desc(src)->name, drv_format_desc(dst)->name, i, to[i * d],
                     to[i * d + 1], to[i * d + 2], to[i * d + 3], expected[i * d],
                     expected[i * d + 1], expected[i * d + 2], expected[i * d + 3]);
    }
}

static void test_depth(void **state)
{
    static const enum drv_format formats[] = {DRV_FORMAT_Z16_UNORM,   DRV_FORMAT_Z24X8_UNORM,
                                              DRV_FORMAT_X8Z24_UNORM, DRV_FORMAT_Z32_UNORM,
                                              DRV_FORMAT_Z32_FLOAT,   DRV_FORMAT_Z24S8_UNORM,
                                              DRV_FORMAT_S8Z24_UNORM, DRV_FORMAT_Z32S8X24_FLOAT};
    const struct util_pixel_transfer scale = {
        .depth_scale = 0.75f, .depth_bias = 0.2f, .index_shift = 1, .index_offset = 3};
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        const enum drv_format f = formats[i];
        const unsigned both = util_format_has_stencil(f) ? 3 : 1;
        for (unsigned k = 0; k < 2; k++) {
            const struct util_pixel_transfer *t = k ? &scale : NULL;
            check_depth(f, false, DRV_FORMAT_R32_FLOAT, false, 1, t);
            check_depth(f, false, DRV_FORMAT_Z32_UNORM, false, 1, t);
            check_depth(DRV_FORMAT_R32_FLOAT, false, f, false, 1, t);
            check_depth(DRV_FORMAT_R16_UNORM, false, f, false, 1, t);
            check_depth(DRV_FORMAT_Z32_UNORM, false, f, false, 1, t);
            check_depth(f, false, DRV_FORMAT_Z32S8X24_FLOAT, false, both, t);
            check_depth(DRV_FORMAT_S8Z24_UNORM, true, f, false, both == 3 ? 3 : 1, t);
            if (f != DRV_FORMAT_Z32_UNORM)
                check_depth(f, false, DRV_FORMAT_S8Z24_UNORM, true, both, t);
            if (both == 3)
                check_depth(f, false, DRV_FORMAT_S8Z24_UNORM, true, 2, t);
        }
    }
}

/* Depths that keep their bits, or repeat the upper ones, are moved as bytes. */
static void test_depth_moves(void **state)
{
    static const struct {
        enum drv_format dst, src;
        uint32_t to, from;
    } rows[] = {
        {DRV_FORMAT_Z32_UNORM, DRV_FORMAT_Z24X8_UNORM, 0xabcdefab, 0xabcdef},
        {DRV_FORMAT_Z32_UNORM, DRV_FORMAT_X8Z24_UNORM, 0xabcdefab, 0xabcdef01},
        {DRV_FORMAT_Z32_UNORM, DRV_FORMAT_Z24S8_UNORM, 0xabcdefab, 0x01abcdef},
        {DRV_FORMAT_Z32_UNORM, DRV_FORMAT_Z16_UNORM, 0xabcdabcd, 0xabcd},
        {DRV_FORMAT_Z24X8_UNORM, DRV_FORMAT_Z32_UNORM, 0xabcdef, 0xabcdef01},
        {DRV_FORMAT_Z16_UNORM, DRV_FORMAT_Z32_UNORM, 0xabcd, 0xabcdef01},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        struct util_conversion v;
        const struct util_conversion_desc d = {
            .dst = rows[i].dst, .src = rows[i].src, .aspects = UTIL_CONVERT_DEPTH};
        uint32_t to = 0;
        assert_true(util_conversion_init(&v, &d));
        assert_true(v.moves_only);
        util_convert_row(&v, &to, &rows[i].from, 1);
        assert_int_equal(to, rows[i].to);
    }
}

/* Depths that are floats are clamped without being decoded. */
static void test_depth_floats(void **state)
{
    const float from[] = {-1.0f, -0.0f, 0.25f, 1.0f, 1.5f}, expected[] = {0, 0, 0.25f, 1, 1};
    static const enum drv_format formats[][2] = {{DRV_FORMAT_R32_FLOAT, DRV_FORMAT_Z32_FLOAT},
                                                 {DRV_FORMAT_Z32_FLOAT, DRV_FORMAT_R32_FLOAT}};
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        const struct util_conversion_desc d = {
            .dst = formats[i][0], .src = formats[i][1], .aspects = UTIL_CONVERT_DEPTH};
        struct util_conversion v;
        float to[ARRAY_SIZE(from)];
        assert_true(util_conversion_init(&v, &d));
        assert_true(v.has_elements);
        util_convert_row(&v, to, from, ARRAY_SIZE(from));
        for (unsigned k = 0; k < ARRAY_SIZE(from); k++)
            assert_true(to[k] == expected[k]);
    }
}

/* Packed texels to four elements of 32 bits, for counts that are not multiples of a vector. */
static void test_spread(void **state)
{
    static const struct {
        enum drv_format dst, src;
        uint32_t from, to[4];
    } rows[] = {
        {DRV_FORMAT_R32G32B32A32_FLOAT,
         DRV_FORMAT_B5G6R5_UNORM,
         0xf81f,
         {0x3f800000, 0, 0x3f800000, 0x3f800000}},
        {DRV_FORMAT_R32G32B32A32_FLOAT,
         DRV_FORMAT_R10G10B10A2_UNORM,
         0x400003ff,
         {0x3f800000, 0, 0, 0x3eaaaaab}},
        {DRV_FORMAT_R32G32B32A32_FLOAT,
         DRV_FORMAT_B2G3R3_UNORM,
         0x1c,
         {0, 0x3f800000, 0, 0x3f800000}},
        {DRV_FORMAT_R32G32B32A32_UINT, DRV_FORMAT_R10G10B10A2_UINT, 0xc01007ff, {0x3ff, 1, 1, 3}},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        for (unsigned count = 1; count < 20; count++) {
            const unsigned bytes = drv_format_desc(rows[i].src)->block_bytes;
            const struct util_conversion_desc d = {
                .dst = rows[i].dst, .src = rows[i].src, .in = {0, 1, 2, 3}, .out = {0, 1, 2, 3}};
            uint8_t from[20 * 4];
            uint32_t to[20 * 4] = {0};
            struct util_conversion v;
            for (unsigned k = 0; k < count; k++)
                memcpy(from + k * bytes, &rows[i].from, bytes);
            assert_true(util_conversion_init(&v, &d));
            assert_int_equal(v.has_spread, simd_lanes() > 4);
            util_convert_row(&v, to, from, count);
            for (unsigned k = 0; k < count * 4; k++)
                assert_int_equal(to[k], rows[i].to[k % 4]);
            assert_int_equal(to[count * 4], 0);
        }
}

/* All 16-bit depths to each client's type. */
static void test_depth_16(void **state)
{
    static const enum drv_format clients[] = {
        DRV_FORMAT_R8_UNORM,  DRV_FORMAT_R8_SNORM,  DRV_FORMAT_R16_UNORM, DRV_FORMAT_R16_SNORM,
        DRV_FORMAT_R32_SNORM, DRV_FORMAT_R16_FLOAT, DRV_FORMAT_R32_FLOAT};
    static uint16_t depth[65536];
    static uint8_t to[65536 * 4];
    for (unsigned i = 0; i < ARRAY_SIZE(depth); i++)
        depth[i] = i;
    for (unsigned k = 0; k < ARRAY_SIZE(clients); k++) {
        const unsigned bytes = drv_format_desc(clients[k])->block_bytes;
        struct util_conversion v;
        assert_true(
            util_conversion_init(&v, &(struct util_conversion_desc){.dst = clients[k],
                                                                    .src = DRV_FORMAT_Z16_UNORM,
                                                                    .aspects = UTIL_CONVERT_DEPTH,
                                                                    .client_dst = true}));
        util_convert_row(&v, to, depth, ARRAY_SIZE(depth));
        for (unsigned i = 0; i < ARRAY_SIZE(depth); i++) {
            uint8_t expected[4];
            util_format_pack_float(clients[k], expected, &(const float[4]){(float)(i / 65535.0)},
                                   1);
            assert_memory_equal(to + i * bytes, expected, bytes);
        }
    }
}

/* Stencil indices to a client's pixels of one component. */
static void test_stencil(void **state)
{
    static const enum drv_format formats[] = {DRV_FORMAT_S8_UINT, DRV_FORMAT_Z24S8_UNORM,
                                              DRV_FORMAT_S8Z24_UNORM, DRV_FORMAT_Z32S8X24_FLOAT};
    static const enum drv_format clients[] = {
        DRV_FORMAT_R8_UINT,  DRV_FORMAT_R8_SINT,  DRV_FORMAT_R16_UINT,  DRV_FORMAT_R16_SINT,
        DRV_FORMAT_R32_UINT, DRV_FORMAT_R32_SINT, DRV_FORMAT_R16_FLOAT, DRV_FORMAT_R32_FLOAT};
    enum { COUNT = 267 };
    uint8_t from[COUNT * 8], stencil[COUNT], to[COUNT * 4], expected[COUNT * 4];
    for (unsigned i = 0; i < COUNT; i++)
        stencil[i] = i ^ 0x55;
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
        for (unsigned k = 0; k < ARRAY_SIZE(clients); k++) {
            const enum drv_format f = formats[i], client = clients[k];
            const struct drv_format_desc *d = drv_format_desc(client);
            const size_t bytes = COUNT * d->block_bytes;
            fill(f, from, COUNT);
            util_format_pack_stencil(f, from, stencil, COUNT);
            for (unsigned p = 0; p < COUNT; p++) {
                /* masked, GL 4.6 table 18.3 */
                const unsigned v = client == DRV_FORMAT_R8_SINT ? stencil[p] & 127 : stencil[p];
                uint8_t *at = expected + p * d->block_bytes;
                if (d->channel[0].type == DRV_CHANNEL_FLOAT)
                    util_format_pack_float(client, at, &(const float[4]){v}, 1);
                else
                    memcpy(at, &v, d->block_bytes);
            }
            for (unsigned unit = 0; unit <= d->block_bytes; unit += MAX2(d->block_bytes, 2)) {
                struct util_conversion v;
                assert_true(util_conversion_init(
                    &v, &(struct util_conversion_desc){.dst = client,
                                                       .src = f,
                                                       .aspects = UTIL_CONVERT_STENCIL,
                                                       .dst_swap = unit,
                                                       .client_dst = true}));
                util_convert_row(&v, to, from, COUNT);
                swap_bytes(to, bytes, unit);
                if (memcmp(to, expected, bytes))
                    fail_msg("%s to %s: %02x%02x, expected %02x%02x", drv_format_desc(f)->name,
                             d->name, to[0], to[1], expected[0], expected[1]);
            }
        }
}

/* A cached conversion is reused for an equal description only, and stays valid during the next
 * call. */
static void test_cache(void **state)
{
    struct util_conversion_desc desc = {
        .dst = DRV_FORMAT_R8G8B8A8_UNORM,
        .src = DRV_FORMAT_R16G16B16A16_UNORM,
        .in = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .out = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
    };
    struct util_pixel_transfer transfer = {.scale = {1, 1, 1, 1}};
    const struct util_conversion_desc zero = {0};
    struct util_conversion_cache *cache = calloc(1, sizeof *cache);
    assert_non_null(cache);
    assert_null(util_conversion_find(cache, &zero));
    const struct util_conversion *first = util_conversion_find(cache, &desc);
    assert_non_null(first);
    assert_ptr_equal(util_conversion_find(cache, &desc), first);
    /* transfer state without effect */
    desc.transfer = &transfer;
    assert_ptr_equal(util_conversion_find(cache, &desc), first);

    const uint16_t from[4] = {0xffff, 0x8000, 0x4000, 0};
    for (unsigned i = 0; i < 3 * UTIL_CACHED_CONVERSIONS; i++) {
        struct util_conversion_desc other = desc;
        uint8_t to[4];
        /* the same description with other values of the state */
        transfer.scale[0] = (float)(i + 1) / 16;
        const struct util_conversion *scaled = util_conversion_find(cache, &desc);
        assert_non_null(scaled);
        /* this call leaves `scaled` valid */
        other.transfer = NULL;
        other.in[i % 4] = i % 3 ? DRV_SWIZZLE_1 : DRV_SWIZZLE_0;
        const struct util_conversion *constant = util_conversion_find(cache, &other);
        assert_non_null(constant);
        assert_ptr_not_equal(constant, scaled);
        assert_ptr_equal(util_conversion_find(cache, &other), constant);
        util_convert_row(scaled, to, from, 1);
        assert_int_equal(to[0], (int)rintf(255 * transfer.scale[0]));
        assert_int_equal(to[1], 128);
        util_convert_row(constant, to, from, 1);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(to[c],
                             c == i % 4 ? (i % 3 ? 255 : 0) : (from[c] * 255 + 32767) / 65535);
    }
    /* each member of the description counts */
    struct util_conversion_desc changed[] = {desc, desc, desc, desc, desc, desc, desc, desc, desc};
    changed[0].dst = DRV_FORMAT_R8G8B8A8_SNORM;
    changed[1].src = DRV_FORMAT_R16G16B16A16_SNORM;
    changed[2].aspects = UTIL_CONVERT_DEPTH;
    changed[3].src_swap = 2;
    changed[4].dst_swap = 4;
    changed[5].clamp = true;
    changed[6].luminance_sum = true;
    changed[7].client_src = true;
    changed[8].client_dst = true;
    desc.transfer = NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(changed); i++) {
        changed[i].transfer = NULL;
        first = util_conversion_find(cache, &desc);
        assert_ptr_not_equal(util_conversion_find(cache, &changed[i]), first);
    }
    free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs),   cmocka_unit_test(test_counts),
        cmocka_unit_test(test_operations),  cmocka_unit_test(test_every_value),
        cmocka_unit_test(test_every_size),  cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_depth_moves), cmocka_unit_test(test_depth_floats),
        cmocka_unit_test(test_spread),      cmocka_unit_test(test_depth_16),
        cmocka_unit_test(test_words),       cmocka_unit_test(test_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
