/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: shader objects, their definitions, and the executables built from them. */
#ifndef GL_ATI_SHADER_H
#define GL_ATI_SHADER_H

#include "gl/context/gl_ati_types.h"

struct gl_context;
struct gl_executable;
struct gl_shared;

bool gl_ati_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_ati_finish(struct gl_context *ctx);
void gl_ati_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* Gets the executable that replaces the texture environments: the current shader's, if
 * ATI_fragment_shader is enabled and the shader is valid. The shader owns it. Returns false if none
 * is in effect; *exe is NULL if out of memory. */
bool gl_ati_fragment(struct gl_context *ctx, struct gl_executable **exe);

#endif
