/* SPDX-License-Identifier: MIT */
/* Selection of the active texture unit. */
#ifndef GL_TEXENV_H
#define GL_TEXENV_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Makes the unit named by `texture` (GL_TEXTUREi) the active texture unit. Returns false if an
 * error was raised for the command `call`. */
bool gl_use_unit(struct gl_context *ctx, GLenum texture, const char *call);

#endif
