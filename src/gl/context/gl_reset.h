/* SPDX-License-Identifier: MIT */
/* Commands that the driver has stopped, and graphics resets (GL 4.6 §2.3.2). */
#ifndef GL_RESET_H
#define GL_RESET_H

#include "gl/context/gl_context.h"

/* Checks whether the driver has stopped a command of the context, and reports it.
 * - With GL_RESET_LOSE_CONTEXT, also checks for a reset of another context of the share group.
 *   After either, the context becomes lost. The function then raises GL_CONTEXT_LOST or, if
 *   `quiet`, only sends a debug message.
 * - Without, raises GL_OUT_OF_MEMORY: the results of the command are undefined. */
void gl_check_reset(struct gl_context *ctx, bool quiet);

#endif
