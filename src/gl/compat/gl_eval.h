/* SPDX-License-Identifier: MIT */
/* Evaluators, as display lists see them. */
#ifndef GL_EVAL_H
#define GL_EVAL_H

#include "gl/context/gl_types.h"

/* Components of a control point of a one- or two-dimensional map; 0: no map target. */
unsigned gl_map_components(GLenum target);

#endif
