/* SPDX-License-Identifier: MIT */
/* Internals of the core interface: dispatch tables and creation of contexts. */
#ifndef GL_CORE_H
#define GL_CORE_H

#include "gl/context/gl_context.h"

struct gl_dispatch;

/* Returns the dispatch table that all contexts of an API use in a mode (enum gl_table). Never NULL.
 * GL_TABLE_BEGIN_END, GL_TABLE_SAVE and GL_TABLE_SAVE_BEGIN_END are tables of NULL pointers unless
 * api is GL_API_COMPAT. Thread-safe. */
const struct gl_dispatch *gl_dispatch_get(enum gl_api api, enum gl_table table);

/* Returns the version that contexts of an API have, 10 * major + minor. Environment variables can
 * override it. Returns 0 if the API is not supported, or if there is no driver. */
unsigned gl_max_version(enum gl_api api);

/* Creates a context, which is current to no thread; gl_context_free destroys it. Returns NULL on
 * failure and stores the reason in *error; on success, stores GL_CREATE_OK. */
struct gl_context *gl_context_new(const struct gl_context_attribs *attribs,
                                  enum gl_create_error *error);
/* Destroys a context that is current to no thread, and its share group with the last context. ctx
 * may be NULL. */
void gl_context_free(struct gl_context *ctx);
/* Draws queued vertices, writes mirrors back (gl_mirror.h), flushes the driver, and calls the
 * loader library's front_flushed if the front buffer is drawn to. If `finish`, also waits for the
 * completion of all commands, like glFinish. */
void gl_context_flush(struct gl_context *ctx, bool finish);

/* Returns the number of shading language versions that glGetStringi(GL_SHADING_LANGUAGE_VERSION)
 * lists (GL_NUM_SHADING_LANGUAGE_VERSIONS). */
GLint gl_num_languages(const struct gl_context *ctx);

#endif
