/* SPDX-License-Identifier: MIT */
/*
 * Winsys for a loader that takes pixels. The loader reports window sizes. Frames are passed to it
 * in a System V segment if it supports them, so that the X server copies directly from our memory.
 *
 * Loaders wait until the server has taken an image, so one buffer per window suffices.
 */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "target/dri/dri_private.h"
#include "util/macros.h"
#include "winsys/common/ws_buffer.h"

struct dri_winsys {
    struct winsys base;
    const __DRIswrastLoaderExtension *loader;
};

struct dri_native {
    struct ws_drawable base;
    struct dri_window window;
};

struct dri_buffer {
    struct ws_buffer base;
    int shm; /* segment id, or -1 */
};

static void destroy(struct winsys *ws)
{
    free(ws);
}

/* The driver lists configurations itself. */
static const struct ws_config *get_configs(struct winsys *ws, unsigned *count)
{
    *count = 0;
    return NULL;
}

static bool drawable_update(struct ws_drawable *d)
{
    const __DRIswrastLoaderExtension *loader = ((struct dri_winsys *)d->ws)->loader;
    const struct dri_window *w = &((struct dri_native *)d)->window;
    int x, y, width = 0, height = 0;

    loader->getDrawableInfo(w->drawable, &x, &y, &width, &height, w->loader_private);
    /* a destroyed window has no size; keep the last one */
    if (width > 0 && height > 0) {
        d->width = width;
        d->height = height;
    }
    return true;
}

static struct ws_drawable *drawable_create(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                           int width, int height)
{
    struct dri_native *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->base.ws = ws;
    d->base.width = d->base.height = 1;
    d->window = *(const struct dri_window *)native;
    drawable_update(&d->base);
    return &d->base;
}

static void drawable_destroy(struct ws_drawable *d)
{
    free(d);
}

static bool takes_segments(const __DRIswrastLoaderExtension *loader)
{
    return loader->base.version >= 4 && loader->putImageShm;
}

static bool takes_strides(const __DRIswrastLoaderExtension *loader)
{
    return loader->base.version >= 2 && loader->putImage2;
}

/* Creates a segment that is removed with its last user. */
static void *map_segment(size_t size, int *id)
{
    void *map;

    *id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (*id < 0)
        return NULL;
    map = shmat(*id, NULL, 0);
    shmctl(*id, IPC_RMID, NULL);
    if (map != (void *)-1)
        return map;
    *id = -1;
    return NULL;
}

static struct ws_buffer *buffer_create(struct winsys *ws, struct ws_drawable *d, int width,
                                       int height)
{
    const __DRIswrastLoaderExtension *loader = ((struct dri_winsys *)ws)->loader;
    /* version 1 loaders expect rows padded to four bytes, as in X */
    struct dri_buffer *b =
        ws_buffer_new(sizeof *b, d, width, height, 65536, takes_strides(loader) ? 64 : 4);

    if (!b)
        return NULL;
    b->shm = -1;
    if (takes_segments(loader))
        b->base.map = map_segment((size_t)b->base.stride * height, &b->shm);
    if (b->base.map || ws_buffer_alloc(&b->base))
        return &b->base;
    free(b);
    return NULL;
}

static void buffer_destroy(struct ws_buffer *base)
{
    struct dri_buffer *b = (struct dri_buffer *)base;

    if (!b)
        return;
    if (b->shm >= 0)
        shmdt(base->map);
    else
        free(base->map);
    free(b);
}

/* Presents whole rows; needed for segments and version 1 loaders. */
static void put_rows(const struct dri_winsys *ws, const struct dri_window *w,
                     const struct ws_buffer *base, const struct ws_rect *r)
{
    const struct dri_buffer *b = (const struct dri_buffer *)base;
    size_t offset = (size_t)r->y * base->stride;
    char *data = (char *)base->map + offset;

    if (b->shm >= 0)
        ws->loader->putImageShm(w->drawable, __DRI_SWRAST_IMAGE_OP_SWAP, 0, r->y, base->width,
                                r->height, base->stride, b->shm, (char *)base->map, offset,
                                w->loader_private);
    else if (takes_strides(ws->loader))
        ws->loader->putImage2(w->drawable, __DRI_SWRAST_IMAGE_OP_SWAP, 0, r->y, base->width,
                              r->height, base->stride, data, w->loader_private);
    else
        ws->loader->putImage(w->drawable, __DRI_SWRAST_IMAGE_OP_SWAP, 0, r->y, base->width,
                             r->height, data, w->loader_private);
}

static bool present(struct ws_drawable *d, struct ws_buffer *b, const struct ws_rect *rects,
                    unsigned n_rects, int interval)
{
    const struct ws_rect all = {0, 0, b->width, b->height};

    if (n_rects == 0) {
        rects = &all;
        n_rects = 1;
    }
    for (unsigned i = 0; i < n_rects; i++) {
        int y0 = CLAMP(rects[i].y, 0, b->height);
        int y1 = CLAMP(rects[i].y + rects[i].height, 0, b->height);

        if (y1 > y0)
            put_rows((struct dri_winsys *)d->ws, &((struct dri_native *)d)->window, b,
                     &(struct ws_rect){0, y0, b->width, y1 - y0});
    }
    return true;
}

static bool read_back(struct ws_drawable *d, struct ws_buffer *b)
{
    const __DRIswrastLoaderExtension *loader = ((struct dri_winsys *)d->ws)->loader;
    const struct dri_window *w = &((struct dri_native *)d)->window;

    if (loader->base.version >= 3 && loader->getImage2) {
        loader->getImage2(w->drawable, 0, 0, b->width, b->height, b->stride, (char *)b->map,
                          w->loader_private);
        return true;
    }
    /* without strides: row by row */
    for (int y = 0; y < b->height; y++)
        loader->getImage(w->drawable, 0, y, b->width, 1, (char *)b->map + (size_t)y * b->stride,
                         w->loader_private);
    return true;
}

static const struct winsys_ops dri_ops = {
    .name = "dri",
    .destroy = destroy,
    .get_configs = get_configs,
    .drawable_create = drawable_create,
    .drawable_destroy = drawable_destroy,
    .drawable_update = drawable_update,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .present = present,
    .read_back = read_back,
};

struct winsys *dri_copy_winsys_create(const __DRIswrastLoaderExtension *loader)
{
    struct dri_winsys *ws = calloc(1, sizeof *ws);

    if (!ws)
        return NULL;
    ws->base.ops = &dri_ops;
    ws->loader = loader;
    return &ws->base;
}
