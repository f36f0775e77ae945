/* SPDX-License-Identifier: MIT */
/* Plain state: initial values, and helpers shared by setters. */
#ifndef GL_STATE_H
#define GL_STATE_H

#include "gl/context/gl_context.h"

/* Sets the initial values of plain state (GL 4.6 §23). Allocates no memory. */
void gl_context_init_state(struct gl_context *ctx);
/* Returns the enum nir_advanced_blend of a blend equation of KHR_blend_equation_advanced; -1 for
 * others. */
int gl_advanced_equation(GLenum equation);

#endif
