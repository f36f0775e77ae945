/* SPDX-License-Identifier: MIT */
/* Evaluators. */
#ifndef GL_EVAL_H
#define GL_EVAL_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Components of a control point of a one- or two-dimensional map; 0: no map target. */
unsigned gl_map_components(GLenum target);

bool gl_evaluators_init(struct gl_context *ctx); /* false: no memory */
void gl_evaluators_finish(struct gl_context *ctx);

#endif
