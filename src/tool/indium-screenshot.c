/* SPDX-License-Identifier: MIT */
/*
 * indium-screenshot FILE.png: saves an image of the largest window on the display, or of the whole
 * screen if there is none.
 */
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

static int fail(const char *why)
{
    fprintf(stderr, "indium-screenshot: %s\n", why);
    return 1;
}

/* Returns the largest viewable child of root, or root. */
static xcb_window_t largest_window(xcb_connection_t *c, xcb_window_t root)
{
    xcb_window_t best = root;
    uint32_t best_area = 0;
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(c, xcb_query_tree(c, root), NULL);
    if (!tree)
        return root;
    xcb_window_t *children = xcb_query_tree_children(tree);
    for (int i = 0; i < xcb_query_tree_children_length(tree); i++) {
        xcb_get_window_attributes_reply_t *attributes =
            xcb_get_window_attributes_reply(c, xcb_get_window_attributes(c, children[i]), NULL);
        xcb_get_geometry_reply_t *geometry =
            xcb_get_geometry_reply(c, xcb_get_geometry(c, children[i]), NULL);
        if (attributes && geometry && attributes->map_state == XCB_MAP_STATE_VIEWABLE &&
            (uint32_t)geometry->width * geometry->height > best_area) {
            best = children[i];
            best_area = (uint32_t)geometry->width * geometry->height;
        }
        free(attributes);
        free(geometry);
    }
    free(tree);
    return best;
}

static const xcb_visualtype_t *find_visual(const xcb_setup_t *setup, xcb_visualid_t id)
{
    xcb_screen_iterator_t screen = xcb_setup_roots_iterator(setup);
    for (; screen.rem; xcb_screen_next(&screen)) {
        xcb_depth_iterator_t depth = xcb_screen_allowed_depths_iterator(screen.data);
        for (; depth.rem; xcb_depth_next(&depth)) {
            xcb_visualtype_iterator_t visual = xcb_depth_visuals_iterator(depth.data);
            for (; visual.rem; xcb_visualtype_next(&visual))
                if (visual.data->visual_id == id)
                    return visual.data;
        }
    }
    return NULL;
}

static uint8_t channel(uint32_t pixel, uint32_t mask)
{
    if (!mask)
        return 0;
    int shift = __builtin_ctz(mask);
    return (uint64_t)((pixel & mask) >> shift) * 255 / (mask >> shift);
}

static bool write_png(const char *path, const uint8_t *rgb, unsigned width, unsigned height)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
    return png_image_write_to_file(&image, path, 0, rgb, width * 3, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fail("usage: indium-screenshot FILE.png");
    int screen_number;
    xcb_connection_t *c = xcb_connect(NULL, &screen_number);
    if (xcb_connection_has_error(c))
        return fail("cannot connect to the X display");
    const xcb_setup_t *setup = xcb_get_setup(c);
    xcb_screen_iterator_t screen = xcb_setup_roots_iterator(setup);
    while (screen_number-- > 0)
        xcb_screen_next(&screen);

    xcb_window_t window = largest_window(c, screen.data->root);
    xcb_get_geometry_reply_t *geometry =
        xcb_get_geometry_reply(c, xcb_get_geometry(c, window), NULL);
    xcb_get_window_attributes_reply_t *attributes =
        xcb_get_window_attributes_reply(c, xcb_get_window_attributes(c, window), NULL);
    if (!geometry || !attributes)
        return fail("the window no longer exists");
    xcb_get_image_reply_t *image =
        xcb_get_image_reply(c,
                            xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 0, 0,
                                          geometry->width, geometry->height, ~0u),
                            NULL);
    const xcb_visualtype_t *visual = find_visual(setup, attributes->visual);
    if (!image || !visual)
        return fail("the window cannot be read (is part of it off the screen?)");

    unsigned bytes_per_pixel = 0;
    xcb_format_iterator_t format = xcb_setup_pixmap_formats_iterator(setup);
    for (; format.rem; xcb_format_next(&format))
        if (format.data->depth == image->depth)
            bytes_per_pixel = format.data->bits_per_pixel / 8;
    unsigned width = geometry->width, height = geometry->height;
    const uint8_t *data = xcb_get_image_data(image);
    size_t stride = height ? xcb_get_image_data_length(image) / height : 0;
    if (bytes_per_pixel < 1 || bytes_per_pixel > 4 || stride < (size_t)width * bytes_per_pixel)
        return fail("unknown pixel format of the window");
    uint8_t *rgb = malloc((size_t)width * height * 3);
    if (!rgb)
        return fail("out of memory");
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            uint32_t pixel = 0;
            memcpy(&pixel, data + y * stride + (size_t)x * bytes_per_pixel, bytes_per_pixel);
            uint8_t *out = rgb + ((size_t)y * width + x) * 3;
            out[0] = channel(pixel, visual->red_mask);
            out[1] = channel(pixel, visual->green_mask);
            out[2] = channel(pixel, visual->blue_mask);
        }
    }
    bool written = write_png(argv[1], rgb, width, height);
    free(rgb);
    free(image);
    free(attributes);
    free(geometry);
    xcb_disconnect(c);
    return written ? 0 : fail("cannot write the file");
}
