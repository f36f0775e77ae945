/* SPDX-License-Identifier: MIT */
/* glMaterial. Its values can become attributes of immediate-mode vertices. */
#ifndef GL_SET_MATERIAL_H
#define GL_SET_MATERIAL_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Called by glBegin if properties are pending (gl_light_state.pending_material). Applies them to
 * the following vertices: as vertex attributes if vertices are queued, otherwise as state. */
void gl_material_begin(struct gl_context *ctx);
/* Called by glEnd. If properties are pending, draws the queued vertices and then applies the
 * properties. */
void gl_material_end(struct gl_context *ctx);
/* Makes the pending properties the current materials. The queued vertices, which need the old ones,
 * must have been drawn. */
void gl_material_apply_pending(struct gl_context *ctx);
/* Implements glMaterial. v has the values of pname. */
void gl_material_set(struct gl_context *ctx, GLenum face, GLenum pname, const float *v);
/* Sets a property (GL_MATERIAL_AMBIENT …) to v, unless it tracks the current color
 * (GL_COLOR_MATERIAL). Call it outside glBegin and glEnd. If vertices are queued,
 * gl_material_is_per_vertex() must be true. */
void gl_material_set_property(struct gl_context *ctx, unsigned property, const float *v);
/* Returns whether immediate-mode vertices may contain material properties as attributes: the render
 * mode is GL_RENDER and no shader in use reads materials. Fixed-function vertex processing can read
 * them from attributes; shaders read them as state. */
bool gl_material_is_per_vertex(const struct gl_context *ctx);

#endif
