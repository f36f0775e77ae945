/* SPDX-License-Identifier: MIT */
/* Display lists: the interface for the other submodules. */
#ifndef GL_LISTS_H
#define GL_LISTS_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_dispatch;
struct gl_shared;
struct gl_slot_info;

/* Returns the address of the pointer to a display list's label, so that glObjectLabel can replace
 * it. Creates an empty list if the name is only reserved. Returns NULL if the name is unused, or if
 * out of memory. */
char **gl_list_label(struct gl_context *ctx, GLuint name);
/* Returns the name of the display list being compiled, and stores GL_COMPILE or
 * GL_COMPILE_AND_EXECUTE in *mode unless mode is NULL. Returns 0 and leaves *mode unchanged if no
 * list is being compiled. */
GLuint gl_lists_current(const struct gl_context *ctx, GLenum *mode);
/* Changes a dispatch table for compiling display lists: entries of commands that a list can contain
 * become functions that record the command. slots has GL_SLOT_COUNT rows; commands without an
 * implementation are skipped. */
void gl_save_install(struct gl_dispatch *table, const struct gl_slot_info *slots);

bool gl_lists_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_lists_finish(struct gl_context *ctx);
/* Frees the display lists of the share group. */
void gl_lists_finish_shared(struct gl_shared *shared);

#endif
