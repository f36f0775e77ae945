/* SPDX-License-Identifier: MIT */
/* glMaterial. Its values can become attributes of immediate-mode vertices. */
#ifndef GL_SET_MATERIAL_H
#define GL_SET_MATERIAL_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Pending properties are those that glMaterial set after vertices were queued that need the old
 * values. gl_material_begin makes them attributes of the next vertices. It is called before a
 * primitive whose vertices are added to the queued ones. gl_material_end, which glEnd calls,
 * flushes the queued vertices if any property is pending, which applies the pending ones. */
void gl_material_begin(struct gl_context *ctx);
void gl_material_end(struct gl_context *ctx);
/* Makes the pending properties the current materials. No vertices may be queued. */
void gl_material_apply_pending(struct gl_context *ctx);
/* Implements glMaterial for a vector. */
void gl_material_set(struct gl_context *ctx, GLenum face, GLenum pname, const float *v);
/* Sets one property for the next vertices, unless it tracks the current color. Must be called
 * outside glBegin and glEnd, and requires that gl_material_is_per_vertex() or no vertices are
 * queued. */
void gl_material_set_property(struct gl_context *ctx, unsigned property, const float *v);
/* Returns whether material properties can be vertex attributes: the render mode is GL_RENDER, and
 * no bound shader reads materials. */
bool gl_material_is_per_vertex(const struct gl_context *ctx);

#endif
