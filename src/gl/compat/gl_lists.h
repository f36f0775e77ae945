/* SPDX-License-Identifier: MIT */
/* Display lists: the interface for the rest of src/gl. */
#ifndef GL_LISTS_H
#define GL_LISTS_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_dispatch;
struct gl_shared;
struct gl_slot_info;

/* Where a list's label is; NULL: no such list. */
char **gl_list_label(struct gl_context *ctx, GLuint name);
/* Name of the list being compiled, 0: none; mode (may be NULL): GL_COMPILE … */
GLuint gl_lists_current(const struct gl_context *ctx, GLenum *mode);
/* Replaces the compilable commands of a table by functions that record them. slots: GL_SLOT_COUNT rows; a
 * command without an implementation stays as it is. */
void gl_save_install(struct gl_dispatch *table, const struct gl_slot_info *slots);

bool gl_lists_init(struct gl_context *ctx); /* false: no memory */
void gl_lists_finish(struct gl_context *ctx);
void gl_lists_finish_shared(struct gl_shared *shared);

#endif
