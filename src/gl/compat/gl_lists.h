/* SPDX-License-Identifier: MIT */
/* Display lists, as the rest of the room sees them. */
#ifndef GL_LISTS_H
#define GL_LISTS_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_dispatch;

/* Whether a list is being compiled. */
bool gl_lists_compiling(const struct gl_context *ctx);
/* Where a list's label is; NULL: no such list. */
char **gl_list_label(struct gl_context *ctx, GLuint name);
/* Name of the list being compiled, 0: none; mode (may be NULL): GL_COMPILE … */
GLuint gl_lists_current(const struct gl_context *ctx, GLenum *mode);
/* Replaces the compilable commands of a table by those that record. */
void gl_save_install(struct gl_dispatch *table);

#endif
