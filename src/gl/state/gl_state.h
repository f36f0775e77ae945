/* SPDX-License-Identifier: MIT */
/* Plain state: initial values, and helpers shared by setters. */
#ifndef GL_STATE_H
#define GL_STATE_H

#include "gl/context/gl_context.h"

/* Sets the initial values of the plain state in the context (gl_state_types.h; GL 4.6 §23), and all
 * dirty bits. Allocates no memory. */
void gl_context_init_state(struct gl_context *ctx);
/* Returns the enum nir_advanced_blend of a blend equation; -1 if it is not one of
 * KHR_blend_equation_advanced. */
int gl_advanced_equation(GLenum equation);

#endif
