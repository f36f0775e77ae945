/* SPDX-License-Identifier: MIT */
/* Material state: properties by name, and tracking of the current color. */
#ifndef GL_MATERIAL_H
#define GL_MATERIAL_H

#include "gl/context/gl_types.h"
#include "gl/state/gl_params.h"

struct gl_context;

/* Copies the current color to the material properties that track it (glColorMaterial). */
void gl_material_track_color(struct gl_context *ctx);
/* Checks the arguments of glMaterial. Returns GL_NO_ERROR if they are valid. */
GLenum gl_material_check(const struct gl_context *ctx, GLenum face, GLenum pname, const float *v);
/* Returns a mask of the properties that glMaterial sets for a face and name, not considering color
 * tracking. */
uint32_t gl_material_property_mask(GLenum face, GLenum pname);
/* Returns a mask of the properties that track the current color. */
uint32_t gl_material_tracked_properties(const struct gl_context *ctx);

/* Return the number of values of a glMaterial parameter, and how integers are converted to it. */
unsigned gl_material_vector_size(GLenum pname);
enum gl_param_kind gl_material_kind(GLenum pname);

#endif
