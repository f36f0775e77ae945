/* SPDX-License-Identifier: MIT */
/* Attribute stacks: glPushAttrib, glPushClientAttrib. */
#ifndef GL_ATTRIB_STACK_H
#define GL_ATTRIB_STACK_H

#include "gl/context/gl_types.h"

struct gl_context;

/* glXCopyContext: the groups of state that glPushAttrib's mask names. */
void gl_context_copy_state(struct gl_context *src, struct gl_context *dst, GLbitfield mask);
bool gl_attrib_stack_init(struct gl_context *ctx); /* false: no memory */
void gl_attrib_stack_finish(struct gl_context *ctx);
/* Entries on glPushAttrib's, or glPushClientAttrib's stack. */
unsigned gl_attrib_stack_depth(const struct gl_context *ctx, bool client);

#endif
