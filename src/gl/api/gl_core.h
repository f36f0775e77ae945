/* SPDX-License-Identifier: MIT */
/* Inside of the core interface: dispatch tables, creation of contexts. */
#ifndef GL_CORE_H
#define GL_CORE_H

#include "gl/context/gl_context.h"

struct gl_dispatch;

const struct gl_dispatch *gl_dispatch_get(enum gl_api api, enum gl_table table);

/* Highest version of the API, 10 * major + minor; 0: none. */
unsigned gl_max_version(enum gl_api api);

/* NULL: *error says why. To be freed by gl_context_free, current to no thread. */
struct gl_context *gl_context_new(const struct gl_context_attribs *attribs,
                                  enum gl_create_error *error);
void gl_context_free(struct gl_context *ctx);
/* glFlush without errors. */
void gl_context_flush(struct gl_context *ctx, bool finish);

/* Versions of shading languages that glGetStringi names. */
GLint gl_num_languages(const struct gl_context *ctx);

#endif
