/* SPDX-License-Identifier: MIT */
/* Code shared by winsys implementations: allocation of buffers, and windows whose frames are drawn
 * to linear memory that the window system provides. */
#ifndef WS_BUFFER_H
#define WS_BUFFER_H

#include "indium/winsys.h"
#include "winsys/linear/ws_linear.h"

/* Allocates a struct of `bytes` bytes that begins with a struct ws_buffer and is otherwise zero.
 * Fills in the buffer's size (pixels), the drawable's format, and a stride that is a multiple of
 * row_align bytes, a power of two. `map` is NULL. Returns NULL if width or height is not in [1,
 * most] or when out of memory. The caller must free() the struct. */
void *ws_buffer_new(size_t bytes, struct ws_drawable *d, int width, int height, int most,
                    unsigned row_align);
/* Allocates b->map, aligned to 64 bytes, which the caller must free(). Returns false if out of
 * memory. */
bool ws_buffer_alloc(struct ws_buffer *b);

/* A drawable whose frames are drawn to memory that the window system chooses for each frame. A
 * winsys embeds this struct, sets the memory with ws_window_set_memory, and uses the other
 * functions below in its winsys_ops. */
struct ws_window {
    struct ws_drawable base;
    struct ws_linear *memory; /* owns a reference; NULL: none yet */
    struct ws_buffer buffer;  /* describes `memory`; the only buffer of the window */
};

/* Makes `memory` the target of the next frame, which has the drawable's size. Takes a reference to
 * it and drops that to the previous memory. stride is the number of bytes between rows, offset the
 * byte offset of the top left pixel. */
void ws_window_set_memory(struct ws_window *w, struct ws_linear *memory, uint32_t stride,
                          uint32_t offset);
/* Implements drawable_destroy: drops the reference to the memory and frees the window. */
void ws_window_destroy(struct ws_drawable *d);
/* Implements buffer_create: returns the window's only buffer. Returns NULL if the window has
 * another size or ws_window_set_memory was not called yet. */
struct ws_buffer *ws_window_buffer(struct winsys *ws, struct ws_drawable *d, int width, int height);
/* Implements buffer_destroy: does nothing, because the window owns its buffer. */
void ws_window_buffer_destroy(struct ws_buffer *b);

#endif
