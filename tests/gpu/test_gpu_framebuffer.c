/* SPDX-License-Identifier: MIT */
/* Reads framebuffers with each tiling and format. */
#include "gpu/gpu_framebuffer.h"

#include <libdrm/drm_fourcc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

enum { TILE = 4096, PITCH = 1024, ROWS = 64 };

static uint8_t memory[PITCH * ROWS];

/* Fills the memory so that each byte's value depends on its offset. */
static uint8_t value_at(unsigned offset)
{
    return (uint8_t)(offset * 7 + offset / 256 * 3 + offset / TILE * 101);
}

static void check(uint64_t modifier, uint32_t x, uint32_t y, unsigned offset)
{
    const struct gpu_framebuffer fb = {.width = PITCH / 4,
                                       .height = ROWS,
                                       .pitch = PITCH,
                                       .format = DRM_FORMAT_XRGB8888,
                                       .modifier = modifier};
    uint8_t row[PITCH];

    gpu_framebuffer_read(&fb, memory, y, 0, row, PITCH);
    assert_int_equal(row[x], value_at(offset));
    gpu_framebuffer_read(&fb, memory, y, x, row, 1);
    assert_int_equal(row[0], value_at(offset));
}

static void test_tilings(void **state)
{
    for (unsigned i = 0; i < sizeof memory; i++)
        memory[i] = value_at(i);
    check(DRM_FORMAT_MOD_LINEAR, 5, 3, 3 * PITCH + 5);
    /* X: tiles of 512 bytes x 8 rows, two in a row of tiles. */
    check(I915_FORMAT_MOD_X_TILED, 5, 3, 3 * 512 + 5);
    check(I915_FORMAT_MOD_X_TILED, 512 + 7, 7, TILE + 7 * 512 + 7);
    check(I915_FORMAT_MOD_X_TILED, 1023, 17, 2 * 2 * TILE + TILE + 512 + 511);
    /* Y: tiles of 128 bytes x 32 rows, eight in a row of tiles, in columns of 16 bytes. */
    check(I915_FORMAT_MOD_Y_TILED, 5, 3, 3 * 16 + 5);
    check(I915_FORMAT_MOD_Y_TILED, 16 + 5, 31, 512 + 31 * 16 + 5);
    check(I915_FORMAT_MOD_Y_TILED, 128 + 127, 33, 8 * TILE + TILE + 7 * 512 + 16 + 15);
}

static void check_pixel(uint32_t format, uint32_t pixel, const uint8_t *expected)
{
    const struct gpu_framebuffer fb = {
        .width = 1, .height = 1, .pitch = 64, .format = format, .modifier = DRM_FORMAT_MOD_LINEAR};
    uint8_t rgba[4];

    gpu_framebuffer_read_rgba(&fb, (const uint8_t *)&pixel, 0, rgba);
    assert_memory_equal(rgba, expected, 4);
}

static void test_formats(void **state)
{
    check_pixel(DRM_FORMAT_XRGB8888, 0x00112233, (uint8_t[]){0x11, 0x22, 0x33, 0xff});
    check_pixel(DRM_FORMAT_ARGB8888, 0x44112233, (uint8_t[]){0x11, 0x22, 0x33, 0x44});
    check_pixel(DRM_FORMAT_XBGR8888, 0x00112233, (uint8_t[]){0x33, 0x22, 0x11, 0xff});
    check_pixel(DRM_FORMAT_ABGR8888, 0x44112233, (uint8_t[]){0x33, 0x22, 0x11, 0x44});
    check_pixel(DRM_FORMAT_XRGB2101010, 0x11u << 22 | 0x22u << 12 | 0x33u << 2,
                (uint8_t[]){0x11, 0x22, 0x33, 0xff});
    check_pixel(DRM_FORMAT_XBGR2101010, 0x11u << 22 | 0x22u << 12 | 0x33u << 2,
                (uint8_t[]){0x33, 0x22, 0x11, 0xff});
    check_pixel(DRM_FORMAT_RGB565, 31 << 11 | 63 << 5, (uint8_t[]){255, 255, 0, 255});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tilings),
        cmocka_unit_test(test_formats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
