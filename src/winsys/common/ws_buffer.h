/* SPDX-License-Identifier: MIT */
/* Code shared by winsys implementations: buffer descriptions, and windows whose frames go into
 * linear memory provided by another window system. */
#ifndef WS_BUFFER_H
#define WS_BUFFER_H

#include "indium/winsys.h"
#include "winsys/linear/ws_linear.h"

/* Allocates a zeroed struct of `bytes` bytes that begins with a struct ws_buffer, and describes the
 * drawable's next frame in it: the drawable's format, rows padded to row_align bytes, no pixels.
 * Returns NULL if a side is not in [1, most] or memory runs out. Free with free(). */
void *ws_buffer_new(size_t bytes, struct ws_drawable *d, int width, int height, int most,
                    unsigned row_align);
/* Allocates pixels with malloc. Returns false if memory runs out. */
bool ws_buffer_alloc(struct ws_buffer *b);

/* A drawable that receives different linear memory for each frame. A winsys embeds this struct,
 * sets the memory with ws_window_set_memory, and uses the functions below in its winsys_ops. */
struct ws_window {
    struct ws_drawable base;
    struct ws_linear *memory; /* owns a reference; NULL: none yet */
    struct ws_buffer buffer;  /* describes `memory`; the only buffer of the window */
};

/* Makes `memory` the target of the next frame. The frame has the drawable's size. */
void ws_window_set_memory(struct ws_window *w, struct ws_linear *memory, uint32_t stride,
                          uint32_t offset);
void ws_window_destroy(struct ws_drawable *d);
/* Returns the window's buffer, or NULL if it has another size or there is no memory yet. */
struct ws_buffer *ws_window_buffer(struct winsys *ws, struct ws_drawable *d, int width, int height);
void ws_window_buffer_destroy(struct ws_buffer *b);

#endif
