/* SPDX-License-Identifier: MIT */
/* The calling thread's dispatch table, and the screen of the process. */
#ifndef GL_CURRENT_H
#define GL_CURRENT_H

#include "gl/context/gl_context.h"

/* The screen of the process. The first call creates it. NULL: no driver works. */
struct drv_screen *gl_screen(void);
/* Selects one of ctx->tables by the context's mode; if ctx is current, the thread uses it from now on. */
void gl_dispatch_select(struct gl_context *ctx);

#endif
