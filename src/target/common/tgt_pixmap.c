/* SPDX-License-Identifier: MIT */
/*
 * Core images of native pixmaps. The core calls back before it reads the image, which then gets the
 * pixmap's current contents, and after it has drawn to the image, which is then copied to the
 * pixmap. Once the pixmap or its connection is gone, the image keeps its last contents.
 */
#include <stdlib.h>
#include <string.h>

#include "target/common/tgt_surface.h"
#include "util/macros.h"

struct pixmap_image {
    struct tgt_surface *surface;
    struct ws_buffer pixels; /* `map` is allocated here */
    void (*release)(void *owner);
    void *owner;
};

static void begin(void *data, bool write)
{
    struct pixmap_image *p = data;
    struct tgt_surface *s = p->surface;

    if (write)
        return;
    pthread_mutex_lock(&s->mutex);
    if (s->native && !s->gone)
        s->native->ws->ops->read_back(s->native, &p->pixels);
    pthread_mutex_unlock(&s->mutex);
}

/* Copies the pixels to the native pixmap. Requires the mutex. */
static void put(struct tgt_surface *s, const struct ws_buffer *pixels)
{
    const struct winsys_ops *ws = s->native->ws->ops;
    struct ws_buffer *b =
        ws->buffer_create(s->native->ws, s->native, pixels->width, pixels->height);
    const size_t row = b ? MIN2(pixels->stride, b->stride) : 0;

    for (int y = 0; b && y < pixels->height; y++)
        memcpy(b->map + (size_t)y * b->stride, pixels->map + (size_t)y * pixels->stride, row);
    if (b) {
        ws->present(s->native, b, NULL, 0, 0);
        ws->buffer_destroy(b);
    }
}

static void end(void *data, bool write)
{
    struct pixmap_image *p = data;
    struct tgt_surface *s = p->surface;

    if (!write)
        return;
    pthread_mutex_lock(&s->mutex);
    if (s->native && !s->gone)
        put(s, &p->pixels);
    pthread_mutex_unlock(&s->mutex);
}

static void destroy(void *data)
{
    struct pixmap_image *p = data;

    p->release(p->owner);
    free(p->pixels.map);
    free(p);
}

struct gl_shared_image *tgt_surface_image(struct tgt_surface *s, void (*release)(void *owner),
                                          void *owner)
{
    static const struct gl_memory_ops ops = {begin, end, destroy};
    struct pixmap_image *p = calloc(1, sizeof *p);
    struct gl_memory_image memory = {.ops = &ops, .owner = p};
    struct gl_shared_image *image = NULL;

    pthread_mutex_lock(&s->mutex);
    if (p && s->native && !s->gone && s->core->image_format_supported(s->native->config.format)) {
        memory.width = s->native->width;
        memory.height = s->native->height;
        memory.format = s->native->config.format;
        memory.opaque = s->native->config.depth < 32;
        memory.stride =
            ALIGN_POT((uint32_t)memory.width * drv_format_desc(memory.format)->block_bytes, 64);
        memory.data = calloc((size_t)memory.stride, memory.height);
    }
    pthread_mutex_unlock(&s->mutex);
    if (memory.data) {
        *p = (struct pixmap_image){
            .surface = s,
            .pixels = {.width = memory.width,
                       .height = memory.height,
                       .format = memory.format,
                       .stride = memory.stride,
                       .map = memory.data},
            .release = release,
            .owner = owner,
        };
        image = s->core->image_import(&memory);
    }
    if (!image) {
        free(memory.data);
        free(p);
    }
    return image;
}
