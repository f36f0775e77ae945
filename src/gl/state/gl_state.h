/* SPDX-License-Identifier: MIT */
/* Plain state: initial values, and what setters share. */
#ifndef GL_STATE_H
#define GL_STATE_H

#include "gl/context/gl_context.h"

/* What plain state begins with (GL 4.6 §23); takes no memory. */
void gl_context_init_state(struct gl_context *ctx);
/* enum nir_advanced_blend of an equation of KHR_blend_equation_advanced; -1: it is none. */
int gl_advanced_equation(GLenum equation);

#endif
