/* SPDX-License-Identifier: MIT */
/* The calling thread's dispatch table, and the driver screen of the process. */
#ifndef GL_CURRENT_H
#define GL_CURRENT_H

#include "gl/context/gl_context.h"

/* Returns the driver screen of the process. The first call creates it. Returns NULL if no driver
 * works. */
struct drv_screen *gl_screen(void);
/* Selects one of ctx->tables by the context's mode (glBegin, list compilation, reset). If ctx is
 * current, the thread uses the table from then on. */
void gl_dispatch_select(struct gl_context *ctx);

#endif
