/* SPDX-License-Identifier: MIT */
/*
 * Driver state objects, cached per context and found by the bytes of their description. So clear a
 * description before filling it in, because padding counts. If a bind function runs out of memory,
 * it raises GL_OUT_OF_MEMORY and unbinds the previous object. The driver then skips draws until a
 * later bind succeeds. Without vertex elements, it draws with default attribute values instead.
 */
#ifndef GL_CSO_H
#define GL_CSO_H

#include "indium/driver.h"

struct gl_context;

/* Creates the empty cache. Returns false if out of memory. */
bool gl_cso_init(struct gl_context *ctx);
/* Unbinds and deletes all state objects. Works also after gl_cso_init failed. */
void gl_cso_finish(struct gl_context *ctx);
/* Bind the driver's state object for a description, and create it if needed. The description is
 * copied. count is at most DRV_MAX_ATTRIBS. */
void gl_cso_bind_blend(struct gl_context *ctx, const struct drv_blend_state *state);
void gl_cso_bind_rasterizer(struct gl_context *ctx, const struct drv_rasterizer_state *state);
void gl_cso_bind_depth_stencil(struct gl_context *ctx, const struct drv_depth_stencil_state *state);
void gl_cso_bind_vertex_elements(struct gl_context *ctx, unsigned count,
                                 const struct drv_vertex_element *elements);
/* Returns the dirty bits of those kinds of state objects for which no object is bound. The next
 * draw must set these bits, so that it tries to bind objects again. */
uint64_t gl_cso_missing(const struct gl_context *ctx);

#endif
