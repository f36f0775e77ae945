/* SPDX-License-Identifier: MIT */
/* Selection of the active texture unit. */
#ifndef GL_TEXENV_H
#define GL_TEXENV_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Makes the unit named by `texture` (GL_TEXTUREi) the active texture unit. If there is no such
 * unit, raises GL_INVALID_ENUM for the command `call` and returns false. */
bool gl_use_unit(struct gl_context *ctx, GLenum texture, const char *call);

#endif
