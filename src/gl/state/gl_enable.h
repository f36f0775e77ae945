/* SPDX-License-Identifier: MIT */
/* Capabilities: glEnable, glEnableClientState, and their indexed forms. */
#ifndef GL_ENABLE_H
#define GL_ENABLE_H

#include "gl/context/gl_context.h"

struct gl_vertex_array;

/* Stores in *value whether a capability of glEnable or a client array is enabled. Returns false,
 * without raising an error, if the context doesn't have the capability. */
bool gl_enabled(struct gl_context *ctx, GLenum cap, bool *value);
/*
 * Meaning of the index argument of indexed commands such as glEnablei and glGetIntegeri_v.
 * GL_INDEX_DIRECT: index of a draw buffer, viewport or binding point. The other kinds make the
 * indexed command run its version without index on a selected object, mostly for
 * EXT_direct_state_access: a texture unit (GL_INDEX_UNIT), a client texture unit
 * (GL_INDEX_CLIENT_UNIT) or a program matrix (GL_INDEX_MATRIX).
 */
enum gl_index_kind { GL_INDEX_DIRECT, GL_INDEX_UNIT, GL_INDEX_CLIENT_UNIT, GL_INDEX_MATRIX };
/* Returns the meaning of the index in indexed commands with this target (capability, pname). */
enum gl_index_kind gl_index_kind(const struct gl_context *ctx, GLenum target);
/* State that gl_select_indexed changes: active texture unit, client texture unit, matrix mode. */
struct gl_indexed_selection {
    GLuint active, client_active; /* indices of units */
    GLenum matrix_mode;
};
/* Saves the selection in *saved, then selects the unit or matrix `index`. The kind of index, which
 * depends on target, must not be GL_INDEX_DIRECT. If the index is out of range, raises
 * GL_INVALID_VALUE for the command `call` and returns false. gl_restore_selection restores the
 * selection, and may be called in both cases. */
bool gl_select_indexed(struct gl_context *ctx, GLenum target, GLuint index,
                       struct gl_indexed_selection *saved, const char *call);
void gl_restore_selection(struct gl_context *ctx, const struct gl_indexed_selection *saved);
/* Enables or disables a client array of a vertex array object: GL_VERTEX_ARRAY …, or GL_TEXTUREi
 * for the texture coordinates of unit i. For other values, raises GL_INVALID_ENUM. */
void gl_array_enable_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                            bool enable, const char *call);
/* Enables or disables the texture coordinates of unit `index`. Raises GL_INVALID_ENUM if array is
 * not GL_TEXTURE_COORD_ARRAY, and GL_INVALID_VALUE if there is no such unit. */
void gl_array_enable_tex_coords(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                                GLuint index, bool enable, const char *call);

#endif
