/* SPDX-License-Identifier: MIT */
/* Query objects, conditional rendering, and sync objects. */
#ifndef GL_QUERY_H
#define GL_QUERY_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_shared;

bool gl_queries_init(struct gl_context *ctx); /* returns false if out of memory */
/* location of the label; NULL: no such query */
char **gl_query_label(struct gl_context *ctx, GLuint name);
void gl_queries_finish(struct gl_context *ctx);
/* Suspend and resume conditional rendering for internal work of the API layer. */
void gl_condition_suspend(struct gl_context *ctx);
void gl_condition_resume(struct gl_context *ctx);
/* Returns the location of a sync object's label; NULL if there is no such object. */
char **gl_sync_label(struct gl_context *ctx, const void *sync);
void gl_syncs_finish_shared(struct gl_shared *shared);

#endif
