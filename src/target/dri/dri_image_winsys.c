/* SPDX-License-Identifier: MIT */
/*
 * Winsys for a loader that takes images (DRI_IMAGE_LOADER). The loader chooses the image for the
 * next frame and presents it itself on a swap. The window size is the image's size. The image is
 * requested once per frame: during a swap, the loader would return a different image than the one
 * it presents.
 */
#include <stdlib.h>

#include "target/dri/dri_private.h"
#include "winsys/common/ws_buffer.h"

struct image_winsys {
    struct winsys base;
    const __DRIimageLoaderExtension *loader;
    bool loader_invalidates; /* see dri_image_winsys_create */
};

struct image_window {
    struct ws_window base;
    struct dri_window window;
    bool stale; /* the next image must be requested */
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

/* Requests the image for the next frame. */
static __DRIimage *next_image(const struct image_window *w)
{
    const __DRIimageLoaderExtension *loader = ((struct image_winsys *)w->base.base.ws)->loader;
    const bool back = w->window.double_buffered;
    struct __DRIimageList images = {0};
    uint32_t stamp = 0;

    if (!loader->getBuffers(w->window.drawable, dri_image_format(w->base.base.config.format),
                            &stamp, w->window.loader_private,
                            back ? __DRI_IMAGE_BUFFER_BACK : __DRI_IMAGE_BUFFER_FRONT, &images))
        return NULL;
    return back ? images.back : images.front;
}

static bool drawable_update(struct ws_drawable *d)
{
    struct image_window *w = (struct image_window *)d;
    const __DRIimage *image = w->stale ? next_image(w) : NULL;
    const struct tgt_picture *p = image ? &image->picture : NULL;

    /* a destroyed window, or an image that is not ours: keep the size */
    if (!p || !p->fourcc || p->fourcc->format != d->config.format)
        return true;
    w->stale = !((struct image_winsys *)d->ws)->loader_invalidates;
    d->width = p->width;
    d->height = p->height;
    ws_window_set_memory(&w->base, p->plane[0].memory, p->plane[0].stride, p->plane[0].offset);
    return true;
}

static struct ws_drawable *drawable_create(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                           int width, int height)
{
    struct image_window *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->base.base.ws = ws;
    w->base.base.width = w->base.base.height = 1; /* until the first frame */
    w->window = *(const struct dri_window *)native;
    w->stale = true;
    return &w->base.base;
}

/* The loader presents back buffers itself; front buffer changes are reported to it. */
static bool present(struct ws_drawable *d, struct ws_buffer *b, const struct ws_rect *rects,
                    unsigned n_rects, int interval)
{
    const __DRIimageLoaderExtension *loader = ((struct image_winsys *)d->ws)->loader;
    const struct dri_window *w = &((struct image_window *)d)->window;

    if (!w->double_buffered && loader->flushFrontBuffer)
        loader->flushFrontBuffer(w->drawable, w->loader_private);
    return true;
}

/* Nothing to read: the buffer is the image. */
static bool read_back(struct ws_drawable *d, struct ws_buffer *b)
{
    return true;
}

static const struct winsys_ops image_ops = {
    .name = "dri images",
    .destroy = destroy,
    .get_configs = get_configs,
    .drawable_create = drawable_create,
    .drawable_destroy = ws_window_destroy,
    .drawable_update = drawable_update,
    .defers_update_after_present = true,
    .buffer_create = ws_window_buffer,
    .buffer_destroy = ws_window_buffer_destroy,
    .present = present,
    .read_back = read_back,
};

void dri_image_winsys_invalidate(struct ws_drawable *d)
{
    ((struct image_window *)d)->stale = true;
}

struct winsys *dri_image_winsys_create(const __DRIimageLoaderExtension *loader,
                                       bool loader_invalidates)
{
    struct image_winsys *ws = calloc(1, sizeof *ws);

    if (!ws)
        return NULL;
    ws->base.ops = &image_ops;
    ws->loader = loader;
    ws->loader_invalidates = loader_invalidates;
    return &ws->base;
}
