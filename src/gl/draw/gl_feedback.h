/* SPDX-License-Identifier: MIT */
/* Selection and feedback: draws, and the pixel commands glDrawPixels, glBitmap, glCopyPixels. */
#ifndef GL_FEEDBACK_H
#define GL_FEEDBACK_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_prim;
struct gl_vertex_layout;

/* Outside of GL_RENDER mode: records a hit at the raster position (GL_SELECT), or the token
 * (GL_BITMAP_TOKEN …) with the raster position (GL_FEEDBACK). The caller then draws nothing. */
void gl_feedback_token(struct gl_context *ctx, GLenum token);

bool gl_feedback_init(struct gl_context *ctx); /* false: no memory */
/* Draws of array vertices, and of indices in memory, while not in GL_RENDER. */
void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count);
void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count, unsigned index_bytes,
                          const void *indices, int base_vertex);
/* The same for vertices of immediate mode and lists. */
void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, const struct gl_prim *prims,
                          unsigned num_prims);
/* GL_NAME_STACK_DEPTH, GL_FEEDBACK_BUFFER_SIZE, GL_FEEDBACK_BUFFER_TYPE, GL_SELECTION_BUFFER_SIZE */
GLint gl_feedback_get(const struct gl_context *ctx, GLenum pname);
void *gl_feedback_pointer(struct gl_context *ctx, GLenum pname);

#endif
