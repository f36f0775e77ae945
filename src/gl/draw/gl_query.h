/* SPDX-License-Identifier: MIT */
/* Query objects, conditional rendering, and sync objects. */
#ifndef GL_QUERY_H
#define GL_QUERY_H

#include "gl/context/gl_types.h"

struct gl_context;
struct gl_shared;

bool gl_queries_init(struct gl_context *ctx);               /* false: no memory */
char **gl_query_label(struct gl_context *ctx, GLuint name); /* NULL: no such query */
void gl_queries_finish(struct gl_context *ctx);
/* Around work of this layer that conditional rendering does not concern. */
void gl_condition_suspend(struct gl_context *ctx);
void gl_condition_resume(struct gl_context *ctx);
/* Where a sync object's label is; NULL: no such object. */
char **gl_sync_label(struct gl_context *ctx, const void *sync);
void gl_syncs_finish_shared(struct gl_shared *shared);

#endif
