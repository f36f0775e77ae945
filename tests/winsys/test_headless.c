/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "indium/winsys.h"

static void test_buffers(void **state)
{
    struct winsys *ws = ws_headless_create(NULL);
    struct ws_drawable *d = ws->ops->drawable_create(ws, 0, false, 5, 3);
    struct ws_buffer *b = ws->ops->buffer_create(ws, d, 5, 3);
    unsigned count = 0;

    assert_non_null(b);
    assert_int_equal(b->stride % 64, 0);
    assert_true(ws->ops->drawable_update(d));
    assert_true(ws->ops->present(d, b, NULL, 0, 0));
    assert_non_null(ws->ops->get_configs(ws, &count));
    assert_true(count > 0);
    assert_null(ws->ops->drawable_create(ws, 0, true, 5, 3));
    assert_null(ws->ops->buffer_create(ws, d, 0, 3));
    assert_null(ws->ops->buffer_create(ws, d, 1 << 30, 1 << 30));
    ws->ops->buffer_destroy(b);
    ws->ops->buffer_destroy(NULL);
    ws->ops->drawable_destroy(d);
    ws->ops->destroy(ws);
}

static uint32_t be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* A presented frame becomes a PNG with the right size and pixels. */
static void test_png(void **state)
{
    char dir[] = "/tmp/indium-test-XXXXXX", path[64];
    uint8_t file[1024], raw[4 * (3 * 4 + 1)];
    uLong raw_size = sizeof raw;
    struct winsys *ws;
    struct ws_drawable *d;
    struct ws_buffer *b;
    size_t size;
    FILE *f;

    assert_non_null(mkdtemp(dir));
    ws = ws_headless_create(dir);
    d = ws->ops->drawable_create(ws, 0, false, 3, 4);
    b = ws->ops->buffer_create(ws, d, 3, 4);
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 3; x++)
            memcpy(b->map + y * b->stride + x * 4, (uint8_t[]){30 + x, 20, 10 + y, 255}, 4);
    }
    assert_true(ws->ops->present(d, b, NULL, 0, 0));
    snprintf(path, sizeof path, "%s/frame-00000.png", dir);
    f = fopen(path, "rb");
    assert_non_null(f);
    size = fread(file, 1, sizeof file, f);
    fclose(f);
    remove(path);
    rmdir(dir);

    assert_true(size > 57);
    assert_memory_equal(file, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(be32(file + 16), 3);
    assert_int_equal(be32(file + 20), 4);
    assert_int_equal(be32(file + 29), crc32(0, file + 12, 17));
    assert_memory_equal(file + 37, "IDAT", 4);
    assert_int_equal(uncompress(raw, &raw_size, file + 41, be32(file + 33)), Z_OK);
    assert_int_equal(raw_size, sizeof raw);
    for (int y = 0; y < 4; y++) {
        const uint8_t *row = raw + y * 13;

        assert_int_equal(row[0], 0);
        for (int x = 0; x < 3; x++)
            assert_memory_equal(row + 1 + x * 4, ((uint8_t[]){10 + y, 20, 30 + x, 255}), 4);
    }
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    ws->ops->destroy(ws);
}

static void test_bad_directory(void **state)
{
    assert_null(ws_headless_create("/proc/none/such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_bad_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
