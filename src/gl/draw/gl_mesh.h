/* SPDX-License-Identifier: MIT */
/* Draws by task and mesh shaders (EXT_mesh_shader). */
#ifndef GL_MESH_H
#define GL_MESH_H

struct gl_context;

/* Frees the buffers that the context uses for draws by mesh shaders. */
void gl_mesh_finish(struct gl_context *ctx);

#endif
