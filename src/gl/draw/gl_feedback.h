/* SPDX-License-Identifier: MIT */
/* Selection and feedback (GL 4.6 compatibility §21.2, §21.3): draws and pixel commands in the
 * render modes GL_SELECT and GL_FEEDBACK. */
#ifndef GL_FEEDBACK_H
#define GL_FEEDBACK_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_prim;
struct gl_vertex_layout;

/* Executes glDrawPixels, glBitmap or glCopyPixels in these render modes, instead of drawing. In
 * GL_FEEDBACK mode, if the raster position is valid, writes the token (GL_BITMAP_TOKEN …) to the
 * feedback buffer, followed by those values of the raster position that glFeedbackBuffer selected.
 * In GL_SELECT mode, does nothing: pixel commands don't cause hits (GL 4.6 compatibility
 * appendix B, corollary 6). */
void gl_feedback_token(struct gl_context *ctx, GLenum token);

bool gl_feedback_init(struct gl_context *ctx); /* returns false if out of memory */
/* Executes one instance of a validated draw of arrays in GL_SELECT or GL_FEEDBACK mode: count
 * vertices from element `first` on. `instance` is its gl_InstanceID, which does not include
 * base_instance. */
void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count,
                        GLuint base_instance, GLuint instance);
/* Like gl_feedback_arrays, for a draw with indices: count indices of index_bytes bytes in memory,
 * none of which is the primitive restart index. base_vertex is added to each index. */
void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count, unsigned index_bytes,
                          const void *indices, int base_vertex, GLuint base_instance,
                          GLuint instance);
/* Executes draws of immediate mode and display lists in GL_SELECT or GL_FEEDBACK mode. The
 * parameters are those of gl_draw_vertices. */
void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, const struct gl_prim *prims,
                          unsigned num_prims);
/* Returns the value of GL_NAME_STACK_DEPTH, GL_FEEDBACK_BUFFER_SIZE, GL_FEEDBACK_BUFFER_TYPE or
 * GL_SELECTION_BUFFER_SIZE for glGet. */
GLint gl_feedback_get(const struct gl_context *ctx, GLenum pname);
/* Returns the value of GL_FEEDBACK_BUFFER_POINTER or GL_SELECTION_BUFFER_POINTER for
 * glGetPointerv. */
void *gl_feedback_pointer(struct gl_context *ctx, GLenum pname);

#endif
