/* SPDX-License-Identifier: MIT */
/* Internals of the core interface: dispatch tables and creation of contexts. */
#ifndef GL_CORE_H
#define GL_CORE_H

#include "gl/context/gl_context.h"

struct gl_dispatch;

/* Returns a dispatch table of an API. */
const struct gl_dispatch *gl_dispatch_get(enum gl_api api, enum gl_table table);

/* Returns the highest version of the API, 10 * major + minor; 0: the API is not supported. */
unsigned gl_max_version(enum gl_api api);

/* Creates a context. Returns NULL and sets *error if it fails. Free it with gl_context_free while
 * it is current to no thread. */
struct gl_context *gl_context_new(const struct gl_context_attribs *attribs,
                                  enum gl_create_error *error);
void gl_context_free(struct gl_context *ctx);
/* Implements glFlush, or glFinish if finish, without raising errors. */
void gl_context_flush(struct gl_context *ctx, bool finish);

/* Returns the number of shading language versions that glGetStringi lists. */
GLint gl_num_languages(const struct gl_context *ctx);

#endif
