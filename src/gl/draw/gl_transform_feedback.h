/* SPDX-License-Identifier: MIT */
/* Transform feedback objects (GL 4.6 §13.3): captured outputs, their buffers, and vertex counts. */
#ifndef GL_TRANSFORM_FEEDBACK_H
#define GL_TRANSFORM_FEEDBACK_H

#include "gl/context/gl_transform_feedback_types.h"

struct gl_context;
struct gl_executable;

bool gl_transform_feedback_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_transform_feedback_finish(struct gl_context *ctx);
/* Returns the address of the pointer to a transform feedback object's label, so that glObjectLabel
 * can replace it. Returns NULL if there is no such object. */
char **gl_transform_feedback_label(struct gl_context *ctx, GLuint name);

/* Returns whether a draw with this mode is allowed: either transform feedback doesn't capture it,
 * or the rasterized primitives have the captured mode. Otherwise raises GL_INVALID_OPERATION for
 * the command `call`. */
bool gl_transform_feedback_allows(struct gl_context *ctx, GLenum mode, const char *call);

#endif
