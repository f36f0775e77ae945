/* SPDX-License-Identifier: MIT */
/* Switches: glEnable, glEnableClientState, and their indexed forms. */
#ifndef GL_ENABLE_H
#define GL_ENABLE_H

#include "gl/context/gl_context.h"

struct gl_vertex_array;

/* Value of a capability; false: this context has no such one. */
bool gl_enabled(struct gl_context *ctx, GLenum cap, bool *value);
/* What the index of an indexed state means: something of its own; or, with EXT_direct_state_access,
 * which texture unit, client unit or program matrix is to be selected for a command without an
 * index. */
enum gl_index_kind { GL_INDEX_OWN, GL_INDEX_UNIT, GL_INDEX_CLIENT_UNIT, GL_INDEX_MATRIX };
enum gl_index_kind gl_index_kind(const struct gl_context *ctx, GLenum target);
/* What was selected before. */
struct gl_indexed_selection {
    GLuint active, client_active;
    GLenum matrix_mode;
};
/* Selects; to be followed by gl_select_again. False: error raised. */
bool gl_select_indexed(struct gl_context *ctx, GLenum target, GLuint index,
                       struct gl_indexed_selection *saved, const char *call);
void gl_select_again(struct gl_context *ctx, const struct gl_indexed_selection *saved);
/* GL_VERTEX_ARRAY …, or GL_TEXTUREi for the coordinates of that unit; GL_TEXTURE_COORD_ARRAY of unit
 * `index` (gl_enable.c). */
void gl_array_enable_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                            bool enable, const char *call);
void gl_array_enable_tex_coords(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                                GLuint index, bool enable, const char *call);

#endif
