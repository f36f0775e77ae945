/* SPDX-License-Identifier: MIT */
/* Evaluators (GL 4.6 compatibility §21.1). */
#ifndef GL_EVAL_H
#define GL_EVAL_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Returns the number of components of a control point of a map target (GL_MAP1_COLOR_4,
 * GL_MAP2_COLOR_4 …); 0 for other enumerants. */
unsigned gl_map_components(GLenum target);

bool gl_evaluators_init(struct gl_context *ctx); /* returns false if out of memory */
/* Frees the maps. Works also after gl_evaluators_init failed. */
void gl_evaluators_finish(struct gl_context *ctx);

#endif
