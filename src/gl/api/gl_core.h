/* SPDX-License-Identifier: MIT */
/* Internals of the core interface: dispatch tables and creation of contexts. */
#ifndef GL_CORE_H
#define GL_CORE_H

#include "gl/context/gl_context.h"

struct gl_dispatch;

/* Returns the dispatch table of an API for a mode of contexts (enum gl_table). All contexts of the
 * API share it. */
const struct gl_dispatch *gl_dispatch_get(enum gl_api api, enum gl_table table);

/* Returns the version of the contexts of an API, 10 * major + minor, after overrides. Returns 0 if
 * the API is not supported. */
unsigned gl_max_version(enum gl_api api);

/* Creates a context and sets *error. Returns NULL if it fails. Destroy the context with
 * gl_context_free. */
struct gl_context *gl_context_new(const struct gl_context_attribs *attribs,
                                  enum gl_create_error *error);
/* Destroys a context that is current to no thread. ctx may be NULL. */
void gl_context_free(struct gl_context *ctx);
/* Draws queued vertices and flushes the driver, like glFlush. If `finish`, also waits for the
 * completion of all commands, like glFinish. */
void gl_context_flush(struct gl_context *ctx, bool finish);

/* Returns the number of shading language versions that glGetStringi(GL_SHADING_LANGUAGE_VERSION)
 * lists. */
GLint gl_num_languages(const struct gl_context *ctx);

#endif
