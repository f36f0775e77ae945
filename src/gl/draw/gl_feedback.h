/* SPDX-License-Identifier: MIT */
/* Selection and feedback, for draws and for glDrawPixels, glBitmap and glCopyPixels. */
#ifndef GL_FEEDBACK_H
#define GL_FEEDBACK_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_prim;
struct gl_vertex_layout;

/* Handles a pixel command in GL_SELECT or GL_FEEDBACK mode: records a hit at the raster position,
 * or writes the token (GL_BITMAP_TOKEN …) and the raster position. The caller then draws
 * nothing. */
void gl_feedback_token(struct gl_context *ctx, GLenum token);

bool gl_feedback_init(struct gl_context *ctx); /* returns false if out of memory */
/* Process draws of arrays, and of indices in client memory, in GL_SELECT or GL_FEEDBACK mode. */
void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count);
void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count, unsigned index_bytes,
                          const void *indices, int base_vertex);
/* Processes vertices of immediate mode and display lists in these modes. */
void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, const struct gl_prim *prims,
                          unsigned num_prims);
/* Returns GL_NAME_STACK_DEPTH, GL_FEEDBACK_BUFFER_SIZE, GL_FEEDBACK_BUFFER_TYPE or
 * GL_SELECTION_BUFFER_SIZE. */
GLint gl_feedback_get(const struct gl_context *ctx, GLenum pname);
/* Returns the pointer of glGetPointerv for GL_FEEDBACK_BUFFER_POINTER or
 * GL_SELECTION_BUFFER_POINTER. */
void *gl_feedback_pointer(struct gl_context *ctx, GLenum pname);

#endif
