/* SPDX-License-Identifier: MIT */
/*
 * Driver state objects, cached per context by the hash of their description. Zero the padding of descriptions.
 * A bind function that gets no memory raises GL_OUT_OF_MEMORY and binds nothing; draws then draw nothing.
 */
#ifndef GL_CSO_H
#define GL_CSO_H

#include "indium/driver.h"

struct gl_context;

bool gl_cso_init(struct gl_context *ctx); /* false: no memory */
void gl_cso_finish(struct gl_context *ctx);
void gl_cso_bind_blend(struct gl_context *ctx, const struct drv_blend_state *state);
void gl_cso_bind_rasterizer(struct gl_context *ctx, const struct drv_rasterizer_state *state);
void gl_cso_bind_depth_stencil(struct gl_context *ctx, const struct drv_depth_stencil_state *state);
void gl_cso_bind_vertex_elements(struct gl_context *ctx, unsigned count,
                                 const struct drv_vertex_element *elements);
/* The dirty bits of the kinds of which none is bound. */
uint64_t gl_cso_missing(const struct gl_context *ctx);

#endif
