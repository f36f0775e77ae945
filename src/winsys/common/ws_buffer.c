/* SPDX-License-Identifier: MIT */
#include "winsys/common/ws_buffer.h"

#include <stdlib.h>

#include "util/macros.h"

void *ws_buffer_new(size_t bytes, struct ws_drawable *d, int width, int height, int most,
                    unsigned row_align)
{
    struct ws_buffer *b;
    size_t row;

    if (width <= 0 || height <= 0 || width > most || height > most)
        return NULL;
    b = calloc(1, bytes);
    if (!b)
        return NULL;
    row = (size_t)width * drv_format_desc(d->config.format)->block_bytes;
    *b = (struct ws_buffer){d->ws, width, height, d->config.format, ALIGN_POT(row, row_align)};
    return b;
}

bool ws_buffer_alloc(struct ws_buffer *b)
{
    b->map = aligned_alloc(64, ALIGN_POT((size_t)b->stride * b->height, 64));
    return b->map;
}

void ws_window_set_memory(struct ws_window *w, struct ws_linear *memory, uint32_t stride,
                          uint32_t offset)
{
    ws_linear_ref(memory);
    ws_linear_unref(w->memory);
    w->memory = memory;
    w->buffer.stride = stride;
    w->buffer.map = memory->map + offset;
}

void ws_window_destroy(struct ws_drawable *d)
{
    ws_linear_unref(((struct ws_window *)d)->memory);
    free(d);
}

struct ws_buffer *ws_window_buffer(struct winsys *ws, struct ws_drawable *d, int width, int height)
{
    struct ws_window *w = (struct ws_window *)d;

    if (!w->memory || width != d->width || height != d->height)
        return NULL;
    w->buffer.ws = ws;
    w->buffer.width = width;
    w->buffer.height = height;
    w->buffer.format = d->config.format;
    return &w->buffer;
}

/* Nothing to do: the window owns its buffer. */
void ws_window_buffer_destroy(struct ws_buffer *b)
{
}
