/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: shader objects, their definitions, and the executables built from them. */
#ifndef GL_ATI_SHADER_H
#define GL_ATI_SHADER_H

#include "gl/context/gl_ati_types.h"

struct gl_context;
struct gl_executable;
struct gl_shared;

/* Creates the context's shader object of name 0. Returns false if out of memory. */
bool gl_ati_init(struct gl_context *ctx);
/* Drops the context's references to shader objects. Works also after gl_ati_init failed. */
void gl_ati_finish(struct gl_context *ctx);
/* Drops the references that the names of the share group's shader objects hold, and frees the
 * names. */
void gl_ati_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* Returns whether an ATI fragment shader replaces the texture environments: GL_FRAGMENT_SHADER_ATI
 * is enabled and the current shader is valid. If so, stores in *exe the shader's executable for the
 * current state, which the shader owns, or NULL if out of memory; otherwise, leaves *exe unchanged.
 * Raises no error. */
bool gl_ati_fragment(struct gl_context *ctx, struct gl_executable **exe);

#endif
