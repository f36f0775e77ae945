/* SPDX-License-Identifier: MIT */
/* Compares the tiled layout with the formula in cpu_kernel.h, and tests copies to and from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "driver/cpu/resource/cpu_layout.h"
#include "util/macros.h"

static uint64_t formula(const struct cpu_level_layout *l, uint32_t x, uint32_t y, uint32_t bytes)
{
    uint64_t block = ((y >> 6) * l->tiles_x + (x >> 6)) * 16 * l->tile_w +
                     (y >> 2 & 15) * l->tile_w + (x >> 2 & 15);
    uint64_t index = (y >> 1 & 1) * 8 + (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
    return (block * 16 + index) * bytes;
}

static void check_rect(uint32_t width, uint32_t height, uint32_t bytes, uint32_t x, uint32_t y,
                       uint32_t w, uint32_t h)
{
    struct cpu_level_layout l;
    uint64_t size = 0;
    cpu_layout_init(&l, width, height, 1, 1, bytes, &size);
    uint8_t *tiled = calloc(1, size);
    size_t stride = (size_t)w * bytes + 5;
    uint8_t *linear = malloc(stride * h), *back = calloc(1, stride * h);
    for (size_t i = 0; i < stride * h; i++)
        linear[i] = rand();
    cpu_layout_write(&l, tiled, bytes, x, y, w, h, linear, stride);
    for (uint32_t j = 0; j < h; j++) {
        for (uint32_t i = 0; i < w; i++) {
            uint64_t at = formula(&l, x + i, y + j, bytes);
            assert_true(at + bytes <= size);
            assert_memory_equal(tiled + at, linear + j * stride + i * bytes, bytes);
        }
    }
    /* upside down */
    cpu_layout_read(&l, tiled, bytes, x, y, w, h, back + stride * (h - 1), -(ptrdiff_t)stride);
    static const uint8_t untouched[5];
    for (uint32_t j = 0; j < h; j++) {
        const uint8_t *row = back + (h - 1 - j) * stride;
        assert_memory_equal(row, linear + j * stride, (size_t)w * bytes);
        assert_memory_equal(row + (size_t)w * bytes, untouched, sizeof untouched);
    }
    uint8_t *streamed = aligned_alloc(64, (size + 63) & ~(uint64_t)63);
    memset(streamed, 0, size);
    cpu_layout_stream(&l, streamed, bytes, x, y, w, h, linear, stride);
    assert_memory_equal(streamed, tiled, size);
    free(streamed);
    free(tiled);
    free(linear);
    free(back);
}

static void test_round_trip(void **state)
{
    static const uint32_t bytes[] = {1, 2, 3, 4, 6, 8, 12, 16};
    for (unsigned b = 0; b < ARRAY_SIZE(bytes); b++) {
        check_rect(1, 1, bytes[b], 0, 0, 1, 1);
        check_rect(5, 3, bytes[b], 0, 0, 5, 3);
        check_rect(64, 64, bytes[b], 0, 0, 64, 64);
        check_rect(130, 70, bytes[b], 0, 0, 130, 70);
        check_rect(130, 70, bytes[b], 3, 5, 120, 62);
        check_rect(130, 140, bytes[b], 3, 5, 60, 130);
        check_rect(130, 140, bytes[b], 64, 8, 64, 64);
        check_rect(40, 140, bytes[b], 4, 0, 36, 140);
        check_rect(200, 20, bytes[b], 61, 2, 70, 9);
        check_rect(300, 20, bytes[b], 3, 1, 290, 17);
        check_rect(7, 200, bytes[b], 1, 63, 5, 100);
    }
}

/* Each layer has a plane per sample, with the layout of a single-sampled image. */
static void test_samples(void **state)
{
    struct cpu_level_layout one, many;
    uint64_t size_one = 0, size_many = 0;
    cpu_layout_init(&one, 130, 70, 3, 1, 4, &size_one);
    cpu_layout_init(&many, 130, 70, 3, 8, 4, &size_many);
    assert_int_equal(one.sample_stride, one.layer_stride);
    assert_int_equal(many.sample_stride, one.layer_stride);
    assert_int_equal(many.layer_stride, 8 * one.layer_stride);
    assert_int_equal(size_many, 8 * size_one);
    assert_int_equal(many.tile_w, one.tile_w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
