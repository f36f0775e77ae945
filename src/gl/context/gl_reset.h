/* SPDX-License-Identifier: MIT */
/* Commands that the driver has stopped, and graphics resets (GL 4.6 §2.3.2). */
#ifndef GL_RESET_H
#define GL_RESET_H

#include "gl/context/gl_context.h"

/* Checks whether the driver has stopped a command of the context, and reports it. Does nothing if
 * the context is already lost. The context's reset strategy (gl_context.reset) decides how:
 * - GL_RESET_LOSE_CONTEXT: the context becomes lost, also after a reset of another context of the
 *   share group. Sets ctx->lost, ctx->reset_status and the dispatch table. Raises GL_CONTEXT_LOST
 *   or, if `quiet`, only sends a debug message.
 * - GL_RESET_NO_NOTIFICATION: raises GL_OUT_OF_MEMORY even if `quiet`, because the results of the
 *   command are undefined. */
void gl_check_reset(struct gl_context *ctx, bool quiet);

#endif
