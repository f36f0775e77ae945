/* SPDX-License-Identifier: MIT */
/* Attribute stacks: glPushAttrib, glPushClientAttrib. */
#ifndef GL_ATTRIB_STACK_H
#define GL_ATTRIB_STACK_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Copies groups of state from src to dst for glXCopyContext. mask selects the groups, as in
 * glPushAttrib. Texture objects are not copied; texture bindings are copied only if the contexts
 * share objects. src must have no queued vertices and not be current to another thread; dst must
 * not be current. Does nothing if out of memory. */
void gl_context_copy_state(struct gl_context *src, struct gl_context *dst, GLbitfield mask);
bool gl_attrib_stack_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_attrib_stack_finish(struct gl_context *ctx);
/* Returns the number of entries on the stack of glPushClientAttrib if `client`, otherwise on that
 * of glPushAttrib. */
unsigned gl_attrib_stack_depth(const struct gl_context *ctx, bool client);

#endif
