/* SPDX-License-Identifier: MIT */
/* Material state: properties by name, and tracking of the current color. */
#ifndef GL_MATERIAL_H
#define GL_MATERIAL_H

#include "gl/context/gl_types.h"
#include "gl/state/gl_params.h"

struct gl_context;

/* Copies the current color to the properties of the current materials, and of pending ones
 * (gl_light_state.pending_material), that track it (glColorMaterial). If a current material
 * changes, sets GL_DIRTY_MATERIAL. */
void gl_material_track_color(struct gl_context *ctx);
/* Returns the error that glMaterial must raise for these arguments; GL_NO_ERROR if they are
 * valid. */
GLenum gl_material_check(const struct gl_context *ctx, GLenum face, GLenum pname, const float *v);
/* Returns a mask of the properties (bit i: property i, GL_MATERIAL_AMBIENT …) that glMaterial sets
 * for valid values of face and pname. It includes properties that track the current color, which
 * glMaterial doesn't change. Returns 0 for GL_COLOR_INDEXES. */
uint32_t gl_material_property_mask(GLenum face, GLenum pname);
/* Returns a mask of the properties that track the current color; 0 if GL_COLOR_MATERIAL is
 * disabled. */
uint32_t gl_material_tracked_properties(const struct gl_context *ctx);

/* Returns the number of values of a glMaterial parameter. */
unsigned gl_material_vector_size(GLenum pname);
/* Returns how the values of a glMaterial parameter are converted from and to integers. */
enum gl_param_kind gl_material_kind(GLenum pname);

#endif
