/* SPDX-License-Identifier: MIT */
/*
 * Window-system drawables: the buffers of the default framebuffer. Made when first needed, in the
 * size that the face tells. Row 0 is the bottom row.
 *
 * GLX lets several threads draw to a drawable and show it at once (GLX 1.4, section 2.7, has the
 * application order what they draw). So a context works with a view of its drawable, which changes only
 * when a command begins to work with the framebuffer: sizes and buffers stay as they are until it ends,
 * whatever others do to the drawable meanwhile.
 */
#ifndef GL_DRAWABLE_H
#define GL_DRAWABLE_H

#include <pthread.h>

#include "gl/context/gl_drawable_types.h"
#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

static inline bool gl_buffer_is_front(unsigned buffer)
{
    return buffer == GL_BUFFER_FRONT_LEFT || buffer == GL_BUFFER_FRONT_RIGHT;
}

struct gl_drawable {
    int refcount; /* atomic; contexts hold it while it is current */
    struct gl_visual visual;
    const struct gl_drawable_ops *ops; /* NULL once the face has destroyed it */
    void *data;
    pthread_mutex_t mutex; /* of all that follows; nothing of the face is called with it */
    struct gl_buffers buffers;
    unsigned stamp;   /* atomic to read: raised whenever a buffer is another resource */
    bool shown;       /* the back buffer, when it was as large as now */
    bool front_stale; /* atomic to read: what the front buffer has to hold is the back buffer's */
    bool front_used;  /* since the back buffer was drawn to first after a swap */
};

/* Makes the drawables those of the context, which keeps references; NULL: none. */
void gl_windows_bind(struct gl_context *ctx, struct gl_drawable *draw, struct gl_drawable *read);
/* Brings the views up to date: where a command begins to use them. */
void gl_windows_refresh(struct gl_context *ctx);

/* The view that draws, or reads, go to; NULL: there is no drawable. */
struct gl_window *gl_draw_window(struct gl_context *ctx);
struct gl_window *gl_read_window(struct gl_context *ctx);

/* Asks the face for the size; drops the buffers when it changed. d is one of the context's. */
void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d);
/* Before the window's buffers are drawn to: a front buffer that a swap left as it was gets the picture
 * if it is wanted. front: this context wants it. */
void gl_window_settle(struct gl_context *ctx, struct gl_window *w, bool front);
/* NULL: no memory, or the visual has no such buffer. Not referenced for the caller: there until the
 * command ends. */
struct drv_resource *gl_window_buffer(struct gl_context *ctx, struct gl_window *w, unsigned buffer);
/* What has the contents of that buffer, referenced for the caller; NULL as above, and for a front buffer
 * that the window alone has. */
struct drv_resource *gl_drawable_take_color(struct gl_drawable *d, enum gl_buffer_index buffer);

/* Of the color buffers: sRGB ones keep encoded bytes. */
enum drv_format gl_visual_format(const struct gl_visual *visual);

/* Entries of struct indium_core (core.h): visual_supported, max_drawable_size, drawable_create,
 * _destroy, _read_depth, _resolve, _swap, _age, _copy_back. */
bool gl_visual_supported(const struct gl_visual *visual);
unsigned gl_drawable_max_size(void);
struct gl_drawable *gl_drawable_new(const struct gl_visual *visual,
                                    const struct gl_drawable_ops *ops, void *data);
void gl_drawable_free(struct gl_drawable *d);
bool gl_drawable_read_depth(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                            int height);
bool gl_drawable_read(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                      uint32_t stride, int x, int y, int width, int height);
void gl_drawable_swap(struct gl_drawable *d);
int gl_drawable_age(struct gl_drawable *d);
bool gl_drawable_copy_back(struct gl_drawable *d, int x, int y, int width, int height);

/* Before a command uses the framebuffer: brings the views up to date, and raises GL_DIRTY_FRAMEBUFFER if the
 * window's buffers or size changed. */
void gl_windows_check(struct gl_context *ctx);

#endif
