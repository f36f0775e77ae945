/* SPDX-License-Identifier: MIT */
/* Materials as state: properties by name, and the color that they follow. */
#ifndef GL_MATERIAL_H
#define GL_MATERIAL_H

#include "gl/context/gl_types.h"
#include "gl/state/gl_params.h"

struct gl_context;

/* glColorMaterial: copies the current color into the materials that follow it. */
void gl_light_track_color(struct gl_context *ctx);
/* GL_NO_ERROR if that is valid. */
GLenum gl_light_material_check(const struct gl_context *ctx, GLenum face, GLenum pname,
                               const float *v);
/* The properties that it sets where none follows the color: bits. */
uint32_t gl_light_properties(GLenum face, GLenum pname);
/* The properties that follow the color: bits. */
uint32_t gl_light_tracked(const struct gl_context *ctx);

/* Values of a name of glMaterial, and how integers are converted to them. */
unsigned gl_material_vector_size(GLenum pname);
enum gl_param_kind gl_material_kind(GLenum pname);

#endif
