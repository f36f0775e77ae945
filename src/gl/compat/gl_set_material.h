/* SPDX-License-Identifier: MIT */
/* glMaterial, whose values may become attributes of immediate mode's vertices. */
#ifndef GL_SET_MATERIAL_H
#define GL_SET_MATERIAL_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Between glBegin and glEnd, at their ends: material properties that waited for it. */
void gl_light_begin(struct gl_context *ctx);
void gl_light_end(struct gl_context *ctx);
/* What waits becomes the materials, when nothing is left to draw with the old ones. */
void gl_light_settle(struct gl_context *ctx);
/* glMaterial with a vector. */
void gl_light_material(struct gl_context *ctx, GLenum face, GLenum pname, const float *v);
/* Sets one property, unless it follows the color; not between glBegin and glEnd, and only where
 * gl_light_by_vertex is true or nothing is stored. */
void gl_light_set_property(struct gl_context *ctx, unsigned property, const float *v);
/* Whether nothing that is bound reads materials but the fixed function's vertices, which may then have
 * their own. */
bool gl_light_by_vertex(const struct gl_context *ctx);

#endif
