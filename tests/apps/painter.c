/* SPDX-License-Identifier: MIT */
/*
 * painter FILE COLOR…: shows a window of each color (RRGGBB) in turn and prints the color that is
 * then on the screen, where a compositing manager may draw. Waits up to ten seconds for the color.
 * Then writes the screen to FILE: width, height (32 bits each), RGBA, bottom row first.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <xcb/xcb.h>

enum { X = 50, Y = 40, WIDTH = 200, HEIGHT = 150 };

/* Returns the pixels of a part of the screen with 32 bits each; the caller frees the reply. */
static xcb_get_image_reply_t *grab(xcb_connection_t *c, const xcb_screen_t *screen, int x, int y,
                                   int width, int height)
{
    xcb_get_image_reply_t *reply =
        xcb_get_image_reply(c,
                            xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->root, (int16_t)x,
                                          (int16_t)y, (uint16_t)width, (uint16_t)height, ~0u),
                            NULL);
    if (!reply || xcb_get_image_data_length(reply) < width * height * 4)
        exit(1);
    return reply;
}

static uint32_t on_screen(xcb_connection_t *c, const xcb_screen_t *screen)
{
    xcb_get_image_reply_t *reply = grab(c, screen, X + WIDTH / 2, Y + HEIGHT / 2, 1, 1);
    const uint32_t color = *(const uint32_t *)xcb_get_image_data(reply) & 0xffffff;

    free(reply);
    return color;
}

static void paint(xcb_connection_t *c, const xcb_screen_t *screen, xcb_window_t window,
                  xcb_gcontext_t gc, uint32_t color)
{
    const xcb_rectangle_t all = {0, 0, WIDTH, HEIGHT};

    xcb_change_gc(c, gc, XCB_GC_FOREGROUND, &color);
    xcb_poly_fill_rectangle(c, window, gc, 1, &all);
    xcb_flush(c);
    for (int i = 0; i < 100 && on_screen(c, screen) != color; i++)
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    printf("%06x\n", on_screen(c, screen));
}

static bool write_screen(xcb_connection_t *c, const xcb_screen_t *screen, const char *path)
{
    const uint32_t size[2] = {screen->width_in_pixels, screen->height_in_pixels};
    xcb_get_image_reply_t *reply = grab(c, screen, 0, 0, (int)size[0], (int)size[1]);
    const uint8_t *bgrx = xcb_get_image_data(reply);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(size, sizeof size, 1, file) == 1;

    for (uint32_t i = 0; ok && i < size[0] * size[1]; i++) {
        const uint8_t *p = bgrx + 4 * ((size[1] - 1 - i / size[0]) * size[0] + i % size[0]);
        const uint8_t rgba[4] = {p[2], p[1], p[0], 255};

        ok = fwrite(rgba, sizeof rgba, 1, file) == 1;
    }
    free(reply);
    return file && fclose(file) == 0 && ok;
}

int main(int argc, char **argv)
{
    xcb_connection_t *c = xcb_connect(NULL, NULL);

    if (argc < 3 || xcb_connection_has_error(c))
        return 1;
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    const xcb_window_t window = xcb_generate_id(c);
    const xcb_gcontext_t gc = xcb_generate_id(c);
    const uint32_t background = screen->white_pixel;

    xcb_create_window(c, XCB_COPY_FROM_PARENT, window, screen->root, X, Y, WIDTH, HEIGHT, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_BACK_PIXEL,
                      &background);
    xcb_create_gc(c, gc, window, 0, NULL);
    xcb_map_window(c, window);
    xcb_flush(c);
    nanosleep(&(struct timespec){1, 0},
              NULL); /* the compositing manager binds the window's pixmap */
    for (int i = 2; i < argc; i++)
        paint(c, screen, window, gc, (uint32_t)strtoul(argv[i], NULL, 16));
    const bool ok = write_screen(c, screen, argv[1]);
    xcb_disconnect(c);
    return !ok;
}
