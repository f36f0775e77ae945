/* SPDX-License-Identifier: MIT */
/* Winsys without a window system. Drawables only have a size. Presented frames are written as PNG
 * files if a directory is given, and discarded otherwise. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "indium/winsys.h"
#include "util/macros.h"
#include "util/png.h"
#include "winsys/common/ws_buffer.h"

struct ws_headless {
    struct winsys base;
    char *dir; /* NULL: discard frames */
    atomic_uint frame;
};

static const struct ws_config headless_configs[] = {
    {.format = DRV_FORMAT_B8G8R8A8_UNORM, .depth = 32, .can_window = true},
    {.format = DRV_FORMAT_B8G8R8X8_UNORM, .depth = 24, .can_window = true},
    {.format = DRV_FORMAT_B5G6R5_UNORM, .depth = 16, .can_window = true},
};

static void headless_destroy(struct winsys *base)
{
    struct ws_headless *ws = (struct ws_headless *)base;

    if (!ws)
        return;
    free(ws->dir);
    free(ws);
}

static const struct ws_config *headless_get_configs(struct winsys *ws, unsigned *count)
{
    *count = ARRAY_SIZE(headless_configs);
    return headless_configs;
}

static struct ws_drawable *headless_drawable_create(struct winsys *ws, uintptr_t native,
                                                    bool is_pixmap, int width, int height)
{
    struct ws_drawable *d;

    if (is_pixmap || width < 0 || height < 0)
        return NULL;
    d = calloc(1, sizeof *d);
    if (d)
        *d = (struct ws_drawable){ws, headless_configs[0], width, height};
    return d;
}

static void headless_drawable_destroy(struct ws_drawable *d)
{
    free(d);
}

static bool headless_drawable_update(struct ws_drawable *d)
{
    return true;
}

static struct ws_buffer *headless_buffer_create(struct winsys *ws, struct ws_drawable *d, int width,
                                                int height)
{
    struct ws_buffer *b = ws_buffer_new(sizeof *b, d, width, height, 65536, 64);

    if (b && ws_buffer_alloc(b))
        return b;
    free(b);
    return NULL;
}

static void headless_buffer_destroy(struct ws_buffer *b)
{
    if (!b)
        return;
    free(b->map);
    free(b);
}

/* Converts a row of a ws_buffer to R, G, B, A bytes. */
static void convert_row(const void *image, int y, uint8_t *rgba)
{
    const struct ws_buffer *b = image;
    const uint8_t *src = b->map + (size_t)y * b->stride;

    for (int x = 0; x < b->width; x++, rgba += 4) {
        uint16_t p;

        switch (b->format) {
        case DRV_FORMAT_B5G6R5_UNORM:
            memcpy(&p, src + x * 2, sizeof p);
            rgba[0] = (p >> 11) * 255 / 31;
            rgba[1] = (p >> 5 & 63) * 255 / 63;
            rgba[2] = (p & 31) * 255 / 31;
            rgba[3] = 255;
            break;
        default:
            rgba[0] = src[x * 4 + 2];
            rgba[1] = src[x * 4 + 1];
            rgba[2] = src[x * 4];
            rgba[3] = b->format == DRV_FORMAT_B8G8R8A8_UNORM ? src[x * 4 + 3] : 255;
        }
    }
}

/* Writes the frame. A frame that cannot be written is dropped. */
static bool headless_present(struct ws_drawable *d, struct ws_buffer *b,
                             const struct ws_rect *rects, unsigned n_rects, int interval)
{
    struct ws_headless *ws = (struct ws_headless *)d->ws;
    char *path = NULL;
    FILE *file;

    if (!ws->dir)
        return true;
    if (asprintf(&path, "%s/frame-%05u.png", ws->dir, atomic_fetch_add(&ws->frame, 1)) < 0)
        return true;
    file = fopen(path, "wb");
    if (file) {
        bool ok = util_png_write(file, b->width, b->height, convert_row, b);

        if (fclose(file) != 0 || !ok)
            remove(path);
    }
    free(path);
    return true;
}

static bool headless_read_back(struct ws_drawable *d, struct ws_buffer *b)
{
    return false;
}

static const struct winsys_ops headless_ops = {
    .name = "headless",
    .destroy = headless_destroy,
    .get_configs = headless_get_configs,
    .drawable_create = headless_drawable_create,
    .drawable_destroy = headless_drawable_destroy,
    .drawable_update = headless_drawable_update,
    .buffer_create = headless_buffer_create,
    .buffer_destroy = headless_buffer_destroy,
    .present = headless_present,
    .read_back = headless_read_back,
};

struct winsys *ws_headless_create(const char *dir)
{
    struct ws_headless *ws = calloc(1, sizeof *ws);

    if (!ws)
        return NULL;
    ws->base.ops = &headless_ops;
    if (dir) {
        ws->dir = strdup(dir);
        if (!ws->dir || (mkdir(dir, 0777) != 0 && errno != EEXIST)) {
            headless_destroy(&ws->base);
            return NULL;
        }
    }
    return &ws->base;
}
