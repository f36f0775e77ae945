/* SPDX-License-Identifier: MIT */
/* Compares conversions that move bytes between formats with conversions through floats or
 * integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/pixel_moves.h"
#include "util/format.h"
#include "util/macros.h"

#define MAX_COUNT 217
#define GUARD     0xa5

static uint32_t random_state = 1;

static uint8_t random_byte(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 24;
}

/* Converts component values to bits, through floats or integers. */
static void convert(enum drv_format dst, enum drv_format src, const uint8_t swizzle[4],
                    const uint8_t *from, uint8_t *to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *s = from + i * drv_format_desc(src)->block_bytes;
        uint8_t *d = to + i * drv_format_desc(dst)->block_bytes;
        if (util_format_is_pure_integer(dst)) {
            uint32_t v[1][4], w[1][4];
            util_format_unpack_int(src, v, s, 1);
            for (unsigned c = 0; c < 4; c++)
                w[0][c] = swizzle[c] < 4 ? v[0][swizzle[c]] : swizzle[c] == DRV_SWIZZLE_1;
            util_format_pack_int(dst, d, (const uint32_t(*)[4])w, util_format_is_pure_sint(dst), 1);
        } else {
            float v[1][4], w[1][4];
            util_format_unpack_float(src, v, s, 1);
            for (unsigned c = 0; c < 4; c++)
                w[0][c] = swizzle[c] < 4 ? v[0][swizzle[c]] : swizzle[c] == DRV_SWIZZLE_1;
            util_format_pack_float(dst, d, (const float(*)[4])w, 1);
        }
    }
}

static void check(enum drv_format dst, enum drv_format src, const uint8_t swizzle[4],
                  unsigned count)
{
    struct util_pixel_moves m;
    uint8_t from[MAX_COUNT * 16], expected[MAX_COUNT * 16], to[MAX_COUNT * 16 + 16];
    const unsigned bytes = drv_format_desc(dst)->block_bytes * count;
    assert_true(util_pixel_moves_init(&m, dst, src, swizzle));
    util_pixel_moves_prepare(&m);
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = random_byte();
    /* exactly as large as the row, so that a sanitizer detects accesses outside of it */
    uint8_t *row = malloc(count * drv_format_desc(src)->block_bytes);
    assert_non_null(row);
    memcpy(row, from, count * drv_format_desc(src)->block_bytes);
    memset(to, GUARD, sizeof to);
    memset(expected, 0, sizeof expected);
    convert(dst, src, swizzle, from, expected, count);
    util_pixel_moves_row(&m, to, row, count);
    free(row);
    assert_memory_equal(to, expected, bytes);
    for (unsigned i = bytes; i < sizeof to; i++)
        assert_int_equal(to[i], GUARD);
}

static void test_against_values(void **state)
{
    static const enum drv_format groups[][6] = {
        {DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_B8G8R8A8_UNORM, DRV_FORMAT_R8G8B8_UNORM,
         DRV_FORMAT_R8G8_UNORM, DRV_FORMAT_R8_UNORM, DRV_FORMAT_A8B8G8R8_UNORM},
        {DRV_FORMAT_R8G8B8A8_UINT, DRV_FORMAT_R8G8_UINT, DRV_FORMAT_R8_UINT},
        {DRV_FORMAT_R16G16B16A16_UNORM, DRV_FORMAT_R16G16_UNORM, DRV_FORMAT_R16_UNORM},
        {DRV_FORMAT_R16G16B16A16_SINT, DRV_FORMAT_R16G16_SINT},
        {DRV_FORMAT_R32G32B32A32_UINT, DRV_FORMAT_R32G32B32_UINT, DRV_FORMAT_R32G32_UINT,
         DRV_FORMAT_R32_UINT},
        {DRV_FORMAT_L8_UNORM, DRV_FORMAT_A8_UNORM, DRV_FORMAT_L8A8_UNORM,
         DRV_FORMAT_R8G8B8A8_UNORM},
    };
    static const uint8_t swizzles[][4] = {{0, 1, 2, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}, {0, 0, 0, 5},
                                          {0, 1, 2, 5}, {4, 4, 4, 3}, {5, 4, 3, 0}};
    for (unsigned g = 0; g < ARRAY_SIZE(groups); g++)
        for (unsigned d = 0; d < 6; d++)
            for (unsigned s = 0; s < 6; s++)
                for (unsigned z = 0; z < ARRAY_SIZE(swizzles); z++)
                    if (groups[g][d] && groups[g][s])
                        for (unsigned count = 1; count <= MAX_COUNT; count += count < 37 ? 3 : 20)
                            check(groups[g][d], groups[g][s], swizzles[z], count);
}

static void test_one_of_each_kind(void **state)
{
    static const uint8_t ones[4] = {5, 5, 5, 5};
    static const enum drv_format formats[] = {
        DRV_FORMAT_R8G8B8A8_SNORM,     DRV_FORMAT_R16G16B16A16_SNORM,
        DRV_FORMAT_R16G16B16A16_FLOAT, DRV_FORMAT_R32G32B32A32_FLOAT,
        DRV_FORMAT_R8G8B8A8_SINT,      DRV_FORMAT_R16G16B16A16_UNORM};
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
        check(formats[i], formats[i], ones, 5);
}

/* Unsigned channels that become wider. */
static void test_widens(void **state)
{
    static const enum drv_format pairs[][2] = {
        {DRV_FORMAT_R16G16B16A16_UNORM, DRV_FORMAT_R8G8B8A8_UNORM},
        {DRV_FORMAT_R16G16B16_UNORM, DRV_FORMAT_B8G8R8A8_UNORM},
        {DRV_FORMAT_R16_UNORM, DRV_FORMAT_L8A8_UNORM},
        {DRV_FORMAT_R16G16B16A16_UINT, DRV_FORMAT_R8G8_UINT},
        {DRV_FORMAT_R32G32B32_UINT, DRV_FORMAT_R16G16B16A16_UINT},
        {DRV_FORMAT_R32G32B32A32_SINT, DRV_FORMAT_R8G8B8A8_UINT}};
    static const uint8_t swizzles[][4] = {{0, 1, 2, 3}, {2, 1, 0, 5}, {4, 5, 0, 0}};
    for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++)
        for (unsigned z = 0; z < ARRAY_SIZE(swizzles); z++)
            for (unsigned count = 1; count <= MAX_COUNT; count += count < 37 ? 3 : 20)
                check(pairs[i][0], pairs[i][1], swizzles[z], count);
}

/* Texels that are far apart in the source. */
static void test_sparse_sources(void **state)
{
    for (unsigned size = 1; size <= 16; size++)
        for (unsigned step = 1; step <= 8; step++)
            for (unsigned count = 1; count <= MAX_COUNT; count += count < 37 ? 3 : 20) {
                struct util_pixel_moves m;
                const size_t bytes = (size_t)count * size;
                uint8_t to[MAX_COUNT * 16 + 16], *row = malloc(bytes * step);
                assert_non_null(row);
                for (size_t i = 0; i < bytes * step; i++)
                    row[i] = random_byte();
                memset(to, GUARD, sizeof to);
                util_pixel_moves_clear(&m, size, size * step);
                for (unsigned b = 0; b < size; b++)
                    m.from[b] = b;
                util_pixel_moves_prepare(&m);
                util_pixel_moves_row(&m, to, row, count);
                for (unsigned i = 0; i < count; i++)
                    assert_memory_equal(to + i * size, row + (size_t)i * size * step, size);
                for (size_t i = bytes; i < sizeof to; i++)
                    assert_int_equal(to[i], GUARD);
                free(row);
            }
}

/* Fills of up to 130 texels, and of a little more than 1 MiB, which use another instruction. */
static void test_fills(void **state)
{
    static const unsigned sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 64};
    enum { LARGE = 1 << 20 };
    static uint8_t filled[LARGE + 64 * 12 + 2];
    for (unsigned s = 0; s < ARRAY_SIZE(sizes); s++)
        for (unsigned k = 0; k <= 141; k++) {
            uint8_t texel[64];
            const unsigned count = k <= 130 ? k : LARGE / sizes[s] + k - 130;
            const unsigned bytes = sizes[s] * count;
            for (unsigned i = 0; i < sizes[s]; i++)
                texel[i] = random_byte();
            memset(filled, GUARD, bytes + 2);
            util_fill_texels(filled + 1, bytes, texel, sizes[s]);
            for (unsigned i = 0; i < bytes; i++)
                if (filled[1 + i] != texel[i % sizes[s]])
                    fail_msg("texels of %u bytes: byte %u of %u", sizes[s], i, bytes);
            assert_int_equal(filled[0], GUARD);
            assert_int_equal(filled[1 + bytes], GUARD);
        }
}

static void test_refuses_conversions(void **state)
{
    static const uint8_t xyzw[4] = {0, 1, 2, 3}, yxzw[4] = {1, 0, 2, 3};
    struct util_pixel_moves m;
    assert_false(
        util_pixel_moves_init(&m, DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_R8G8B8A8_UINT, xyzw));
    assert_false(
        util_pixel_moves_init(&m, DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_R8G8B8A8_SNORM, xyzw));
    assert_false(
        util_pixel_moves_init(&m, DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_R16G16B16A16_UNORM, xyzw));
    assert_false(util_pixel_moves_init(&m, DRV_FORMAT_B5G6R5_UNORM, DRV_FORMAT_B5G6R5_UNORM, yxzw));
    assert_true(util_pixel_moves_init(&m, DRV_FORMAT_B5G6R5_UNORM, DRV_FORMAT_B5G6R5_UNORM, xyzw));
    assert_true(m.same);
    assert_false(util_pixel_moves_init(&m, DRV_FORMAT_R16G16_SINT, DRV_FORMAT_R8G8_SINT, xyzw));
    assert_false(util_pixel_moves_init(&m, DRV_FORMAT_R32G32_UNORM, DRV_FORMAT_R8G8_UNORM, xyzw));
    assert_false(util_pixel_moves_init(&m, DRV_FORMAT_NONE, DRV_FORMAT_R8G8B8A8_UNORM, xyzw));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_values), cmocka_unit_test(test_one_of_each_kind),
        cmocka_unit_test(test_widens),         cmocka_unit_test(test_fills),
        cmocka_unit_test(test_sparse_sources), cmocka_unit_test(test_refuses_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
