/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: objects, what is being defined, and what of them draws. */
#ifndef GL_ATI_SHADER_H
#define GL_ATI_SHADER_H

#include "gl/context/gl_ati_types.h"

struct gl_context;
struct gl_executable;
struct gl_shared;

bool gl_ati_init(struct gl_context *ctx); /* false: no memory */
void gl_ati_finish(struct gl_context *ctx);
void gl_ati_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* What draws fragments in place of texture environments: the current shader's program, if the enable
 * and its definition let it. Owned by the shader. False: it does not draw; *exe NULL: no memory. */
bool gl_ati_fragment(struct gl_context *ctx, struct gl_executable **exe);

#endif
