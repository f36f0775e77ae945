/* SPDX-License-Identifier: MIT */
/* What winsys have in common: the description of a buffer, and windows over a window system of others
 * that says which linear memory the next frame goes into. */
#ifndef WS_BUFFER_H
#define WS_BUFFER_H

#include "indium/winsys.h"
#include "winsys/linear/ws_linear.h"

/* A zeroed struct of so many bytes, which begins with the ws_buffer of a drawable's next frame: of its
 * format, rows padded to row_align bytes, without pixels. NULL: a side is not of 1 to `most` pixels, or
 * no memory. The caller frees it. */
void *ws_buffer_new(size_t bytes, struct ws_drawable *d, int width, int height, int most,
                    unsigned row_align);
/* Gives it pixels in plain memory, for free(). False: there is none. */
bool ws_buffer_alloc(struct ws_buffer *b);

/* A drawable of which each frame goes into other linear memory. A winsys derives from it, sets its
 * memory by ws_window_take, and has the functions below among its own. */
struct ws_window {
    struct ws_drawable base;
    struct ws_linear *memory; /* a reference; NULL: none yet */
    struct ws_buffer buffer;  /* that memory, as the only buffer of the window */
};

/* The next frame goes there; its size is the drawable's. */
void ws_window_take(struct ws_window *w, struct ws_linear *memory, uint32_t stride,
                    uint32_t offset);
void ws_window_destroy(struct ws_drawable *d);
/* The window's buffer; NULL: it is not of that size, or there is no memory. */
struct ws_buffer *ws_window_buffer(struct winsys *ws, struct ws_drawable *d, int width, int height);
void ws_window_buffer_destroy(struct ws_buffer *b);

#endif
