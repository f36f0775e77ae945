/* SPDX-License-Identifier: MIT */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <xcb/xcb.h>

#include "indium/winsys.h"
#include "xvfb.h"

static xcb_connection_t *connection;
static xcb_screen_t *screen;
static struct winsys *ws;

static void setup(const char *depth, const char *without)
{
    if (!xvfb_start(depth, without))
        exit(77); /* meson: skipped */
    connection = xcb_connect(NULL, NULL);
    assert_false(xcb_connection_has_error(connection));
    screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    ws = ws_x11_create(connection, 0);
    assert_non_null(ws);
}

static void teardown(void)
{
    /* no error of the winsys's requests may be in the application's queue */
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
    for (xcb_generic_event_t *e; (e = xcb_poll_for_event(connection)); free(e))
        assert_int_not_equal(e->response_type, 0);
    ws->ops->destroy(ws);
    xcb_disconnect(connection);
    xvfb_stop();
}

static xcb_window_t window(int width, int height)
{
    xcb_window_t w = xcb_generate_id(connection);

    xcb_create_window(connection, screen->root_depth, w, screen->root, 0, 0, width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_map_window(connection, w);
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
    return w;
}

/* Presents frames with both segments of a buffer, and reads them back. */
static void present_and_check(bool pixmap)
{
    xcb_drawable_t id;
    struct ws_drawable *d;
    struct ws_buffer *b, *back;
    unsigned bpp;

    if (pixmap) {
        id = xcb_generate_id(connection);
        xcb_create_pixmap(connection, screen->root_depth, id, screen->root, 33, 17);
    } else {
        id = window(33, 17);
    }
    d = ws->ops->drawable_create(ws, id, pixmap, 0, 0);
    assert_non_null(d);
    assert_int_equal(d->width, 33);
    bpp = d->config.depth == 16 ? 2 : 4;
    b = ws->ops->buffer_create(ws, d, 33, 17);
    back = ws->ops->buffer_create(ws, d, 33, 17);
    for (int frame = 1; frame < 5; frame++) {
        for (int y = 0; y < 17; y++)
            memset(b->map + y * b->stride, frame * 16 + y, 33 * bpp);
        assert_true(ws->ops->present(d, b, NULL, 0, 1));
        assert_true(ws->ops->read_back(d, back));
        for (int y = 0; y < 17; y++)
            assert_int_equal(back->map[y * back->stride + 32 * bpp], frame * 16 + y);
    }
    ws->ops->buffer_destroy(b);
    ws->ops->buffer_destroy(back);
    ws->ops->drawable_destroy(d);
}

static void test_present(void **state)
{
    static const struct {
        const char *depth, *without;
    } servers[] = {
        {"24", "GLX"}, {"16", "GLX"}, {"30", "GLX"}, {"24", "MIT-SHM"}, {"16", "MIT-SHM"},
    };

    for (unsigned i = 0; i < sizeof servers / sizeof *servers; i++) {
        setup(servers[i].depth, servers[i].without);
        present_and_check(false);
        present_and_check(true);
        teardown();
    }
}

static void test_rectangles(void **state)
{
    struct ws_drawable *d;
    struct ws_buffer *b;
    const struct ws_rect rects[] = {{2, 3, 4, 5}, {-5, -5, 7, 7}, {8, 8, 100, 100}};

    setup("24", "GLX");
    d = ws->ops->drawable_create(ws, window(10, 10), false, 0, 0);
    b = ws->ops->buffer_create(ws, d, 10, 10);
    memset(b->map, 0x55, b->stride * 10);
    assert_true(ws->ops->present(d, b, rects, 1, 1));
    assert_true(ws->ops->read_back(d, b));
    assert_int_equal(b->map[3 * b->stride + 2 * 4], 0x55);
    assert_int_not_equal(b->map[3 * b->stride + 1 * 4], 0x55);
    assert_int_not_equal(b->map[8 * b->stride + 2 * 4], 0x55);
    assert_true(ws->ops->present(d, b, rects, 3, 1));
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    teardown();
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* Frames with an interval are no faster than the server's blanks, 60 per second here. Waiting ends
 * soon if the window is destroyed. */
static void test_interval(void **state)
{
    struct ws_drawable *d;
    struct ws_buffer *b;
    xcb_window_t w;
    int64_t start;
    int frames = 0;

    setup("24", "GLX");
    w = window(40, 30);
    d = ws->ops->drawable_create(ws, w, false, 0, 0);
    b = ws->ops->buffer_create(ws, d, 40, 30);
    for (int interval = 1; interval <= 2; interval++) {
        assert_true(ws->ops->present(d, b, NULL, 0, interval));
        assert_true(ws->ops->present(d, b, NULL, 0, interval));
        start = now_ms();
        for (int i = 0; i < 6; i++)
            assert_true(ws->ops->present(d, b, NULL, 0, interval));
        assert_true(now_ms() - start >= 4 * interval * 1000 / 60);
    }
    assert_true(ws->ops->present(d, b, NULL, 0, 1000)); /* requests a blank far in the future */
    xcb_destroy_window(connection, w);
    start = now_ms();
    while (ws->ops->present(d, b, NULL, 0, 1) && frames < 5)
        frames++;
    assert_true(frames < 5);
    assert_true(now_ms() - start < 15000); /* less than the 16 s until that blank */
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    teardown();
}

/* A server without Present. */
static void test_no_blanks(void **state)
{
    struct ws_drawable *d;
    struct ws_buffer *b;

    setup("24", "Present");
    d = ws->ops->drawable_create(ws, window(40, 30), false, 0, 0);
    b = ws->ops->buffer_create(ws, d, 40, 30);
    for (int i = 0; i < 4; i++)
        assert_true(ws->ops->present(d, b, NULL, 0, 1));
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    teardown();
}

/* If the server dies, all calls fail and none hangs or crashes. */
static void test_lost_connection(void **state)
{
    struct ws_drawable *d;
    struct ws_buffer *b, *other;

    setup("24", "GLX");
    d = ws->ops->drawable_create(ws, window(40, 30), false, 0, 0);
    b = ws->ops->buffer_create(ws, d, 40, 30);
    other = ws->ops->buffer_create(ws, d, 40, 30);
    assert_true(ws->ops->present(d, b, NULL, 0, 1));
    xvfb_stop();
    while (ws->ops->present(d, b, NULL, 0, 1)) { /* until the loss is noticed */
    }
    assert_false(ws->ops->present(d, b, NULL, 0, 1));
    assert_false(ws->ops->present(d, other, NULL, 0, 0));
    assert_false(ws->ops->drawable_update(d));
    assert_int_equal(d->width, 40);
    assert_false(ws->ops->read_back(d, b));
    assert_null(ws->ops->drawable_create(ws, 0x200001, false, 0, 0));
    ws->ops->buffer_destroy(b);
    ws->ops->buffer_destroy(other);
    ws->ops->drawable_destroy(d);
    ws->ops->destroy(ws);
    xcb_disconnect(connection);
}

/* The application closes its connection; the memory may be reused by others. */
static void test_closed_connection(void **state)
{
    struct ws_drawable *d, *other;
    struct ws_buffer *b;
    void *memory[8];
    size_t bytes;

    setup("24", NULL);
    d = ws->ops->drawable_create(ws, window(40, 30), false, 0, 0);
    other = ws->ops->drawable_create(ws, window(40, 30), false, 0, 0);
    b = ws->ops->buffer_create(ws, d, 40, 30);
    for (int i = 0; i < 3; i++)
        assert_true(ws->ops->present(d, b, NULL, 0, 1));
    bytes = malloc_usable_size(connection);
    xcb_disconnect(connection);
    for (unsigned i = 0; i < 8; i++) {
        memory[i] = malloc(bytes);
        memset(memory[i], 0x55, bytes);
        memset(memory[i], 0, sizeof(int)); /* like a connection without an error */
    }
    assert_false(ws->ops->present(d, b, NULL, 0, 1));
    assert_false(ws->ops->drawable_update(d));
    assert_false(ws->ops->read_back(d, b));
    assert_null(ws->ops->drawable_create(ws, screen->root, false, 0, 0));
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    ws->ops->drawable_destroy(other);
    ws->ops->destroy(ws);
    for (unsigned i = 0; i < 8; i++)
        free(memory[i]);
    xvfb_stop();
}

/* present() updates the window's size, and notices its end, without waiting. */
static void test_poll(void **state)
{
    const uint32_t size[] = {60, 50};
    struct ws_drawable *d;
    struct ws_buffer *b;
    xcb_window_t w;
    int polls = 0;

    setup("24", "GLX");
    w = window(40, 30);
    d = ws->ops->drawable_create(ws, w, false, 0, 0);
    b = ws->ops->buffer_create(ws, d, 40, 30);
    assert_true(ws->ops->drawable_poll(d));
    assert_int_equal(d->width, 40);
    xcb_configure_window(connection, w, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
    for (; d->width == 40 && polls < 5; polls++) {
        assert_true(ws->ops->present(d, b, NULL, 0, 1));
        assert_true(ws->ops->drawable_poll(d));
    }
    assert_int_equal(d->width, 60);
    assert_int_equal(d->height, 50);
    assert_true(ws->ops->present(d, b, NULL, 0, 1));
    xcb_destroy_window(connection, w);
    assert_false(ws->ops->drawable_update(d)); /* not the reply to an earlier request */
    for (polls = 0; ws->ops->present(d, b, NULL, 0, 1) && polls < 5; polls++) {
    }
    assert_true(polls < 2);
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    teardown();
}

/* Windows that are destroyed, resized, or never existed. */
static void test_dead_window(void **state)
{
    const uint32_t size[] = {60, 50};
    xcb_window_t w;
    struct ws_drawable *d;
    struct ws_buffer *b;

    setup("24", "GLX");
    assert_null(ws->ops->drawable_create(ws, 0, false, 0, 0));
    assert_null(ws->ops->drawable_create(ws, 0x123456, false, 0, 0));
    w = window(40, 30);
    d = ws->ops->drawable_create(ws, w, false, 0, 0);
    xcb_configure_window(connection, w, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
    assert_true(ws->ops->drawable_update(d));
    assert_int_equal(d->width, 60);
    assert_int_equal(d->height, 50);
    b = ws->ops->buffer_create(ws, d, 60, 50);
    assert_true(ws->ops->present(d, b, NULL, 0, 1));
    xcb_destroy_window(connection, w);
    assert_false(ws->ops->drawable_update(d));
    assert_int_equal(d->width, 60);
    /* noticed by the second present at the latest */
    ws->ops->present(d, b, NULL, 0, 1);
    ws->ops->present(d, b, NULL, 0, 1);
    assert_false(ws->ops->present(d, b, NULL, 0, 1));
    assert_false(ws->ops->read_back(d, b));
    ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(d);
    teardown();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_present),         cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_interval),        cmocka_unit_test(test_no_blanks),
        cmocka_unit_test(test_lost_connection), cmocka_unit_test(test_poll),
        cmocka_unit_test(test_dead_window),     cmocka_unit_test(test_closed_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
