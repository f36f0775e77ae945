/* SPDX-License-Identifier: MIT */
/* glMaterial. Its values can become attributes of immediate-mode vertices. */
#ifndef GL_SET_MATERIAL_H
#define GL_SET_MATERIAL_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Called by glBegin and glEnd: apply pending material properties. */
void gl_material_begin(struct gl_context *ctx);
void gl_material_end(struct gl_context *ctx);
/* Makes the pending properties the current materials. Call it when no queued vertices need the old
 * ones. */
void gl_material_apply_pending(struct gl_context *ctx);
/* Implements glMaterial for a vector. */
void gl_material_set(struct gl_context *ctx, GLenum face, GLenum pname, const float *v);
/* Sets one property, unless it tracks the current color. It must not be called between glBegin and
 * glEnd, and only if gl_material_is_per_vertex() is true or no vertices are stored. */
void gl_material_set_property(struct gl_context *ctx, unsigned property, const float *v);
/* Returns whether vertices may contain material properties: only fixed-function vertex processing
 * reads materials, and no bound shader does. */
bool gl_material_is_per_vertex(const struct gl_context *ctx);

#endif
