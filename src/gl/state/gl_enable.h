/* SPDX-License-Identifier: MIT */
/* Capabilities: glEnable, glEnableClientState, and their indexed forms. */
#ifndef GL_ENABLE_H
#define GL_ENABLE_H

#include "gl/context/gl_context.h"

struct gl_vertex_array;

/* Gets the value of a capability. Returns false if the context doesn't have it. */
bool gl_enabled(struct gl_context *ctx, GLenum cap, bool *value);
/* Meaning of the index of indexed state: it addresses the state directly (GL_INDEX_DIRECT); or,
 * with EXT_direct_state_access, it is a texture unit, client texture unit or program matrix that is
 * selected temporarily to run a command without index. */
enum gl_index_kind { GL_INDEX_DIRECT, GL_INDEX_UNIT, GL_INDEX_CLIENT_UNIT, GL_INDEX_MATRIX };
/* Returns the meaning of an index for indexed commands on `target`. */
enum gl_index_kind gl_index_kind(const struct gl_context *ctx, GLenum target);
/* The selection to restore. */
struct gl_indexed_selection {
    GLuint active, client_active;
    GLenum matrix_mode;
};
/* Selects an index temporarily and saves the previous selection; end with gl_restore_selection.
 * Returns false if an error was raised. */
bool gl_select_indexed(struct gl_context *ctx, GLenum target, GLuint index,
                       struct gl_indexed_selection *saved, const char *call);
void gl_restore_selection(struct gl_context *ctx, const struct gl_indexed_selection *saved);
/* Enables or disables a client array: GL_VERTEX_ARRAY …, or GL_TEXTUREi for the texture coordinates
 * of that unit. The indexed variant takes GL_TEXTURE_COORD_ARRAY and the unit `index`. */
void gl_array_enable_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                            bool enable, const char *call);
void gl_array_enable_tex_coords(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                                GLuint index, bool enable, const char *call);

#endif
