/* SPDX-License-Identifier: MIT */
/* Query objects, conditional rendering, and sync objects. */
#ifndef GL_QUERY_H
#define GL_QUERY_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_shared;

bool gl_queries_init(struct gl_context *ctx); /* returns false if out of memory */
/* Returns the address of the pointer to a query object's label, so that glObjectLabel can replace
 * it. Returns NULL if there is no such object. */
char **gl_query_label(struct gl_context *ctx, GLuint name);
void gl_queries_finish(struct gl_context *ctx);
/* Returns whether conditional rendering or a query other than GL_TIME_ELAPSED is active. If so, a
 * draw must not be replaced by an equivalent copy. */
bool gl_queries_observe_draws(const struct gl_context *ctx);
/* Turn the driver's conditional rendering off and on again, if it is active. Between these calls,
 * internal draws and dispatches are executed unconditionally. */
void gl_condition_suspend(struct gl_context *ctx);
void gl_condition_resume(struct gl_context *ctx);
/* Like gl_query_label, for a sync object. `sync` is a GLsync of the application, valid or not. */
char **gl_sync_label(struct gl_context *ctx, const void *sync);
/* Frees the sync objects of the share group. */
void gl_syncs_finish_shared(struct gl_shared *shared);

#endif
