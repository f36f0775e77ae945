/* SPDX-License-Identifier: MIT */
/* The calling thread's dispatch table, and the process's driver screen. */
#ifndef GL_CURRENT_H
#define GL_CURRENT_H

#include "gl/context/gl_context.h"

/* Returns the process's driver screen. The first call creates it. Returns NULL if no driver works.
 * Any thread may call it. The screen is never destroyed. */
struct drv_screen *gl_screen(void);
/* Sets ctx->dispatch and ctx->exec_dispatch by the context's mode (glBegin, list compilation,
 * reset). If ctx is current to the calling thread, also sets the thread's dispatch table. */
void gl_dispatch_select(struct gl_context *ctx);

#endif
