/* SPDX-License-Identifier: MIT */
/* Transform feedback objects (GL 4.6 §13.3): what is captured where, and how much was. */
#ifndef GL_TRANSFORM_FEEDBACK_H
#define GL_TRANSFORM_FEEDBACK_H

#include "gl/context/gl_transform_feedback_types.h"

struct gl_context;
struct gl_executable;

bool gl_transform_feedback_init(struct gl_context *ctx); /* false: no memory */
void gl_transform_feedback_finish(struct gl_context *ctx);
/* Where an object's label is; NULL: no such object. */
char **gl_transform_feedback_label(struct gl_context *ctx, GLuint name);

/* Whether primitives of that mode may be drawn now; else raises GL_INVALID_OPERATION. */
bool gl_transform_feedback_allows(struct gl_context *ctx, GLenum mode, const char *call);

#endif
