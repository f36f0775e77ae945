/* SPDX-License-Identifier: MIT */
/* Dirty state → driver state, before draws and dispatches. */
#ifndef GL_UPDATE_STATE_H
#define GL_UPDATE_STATE_H

#include "gl/context/gl_context.h"

struct gl_executable;

/* Brings the driver's state up to date with what is dirty. False: nothing can be drawn. */
bool gl_update_state(struct gl_context *ctx);
/* The same for a dispatch of exe's compute shader. False: no memory. */
bool gl_update_compute_state(struct gl_context *ctx, struct gl_executable *exe);
/* Picks the variants of the stages, binds their shaders, and sets ctx->vs_*. False: nothing can be drawn. */
bool gl_update_programs(struct gl_context *ctx);
/* Uniforms, state uniforms, uniform and storage blocks of the bound shaders. */
void gl_update_constants(struct gl_context *ctx);
/* GL_INVALID_OPERATION reasons of a draw with the current programs; false: raised. */
bool gl_validate_programs(struct gl_context *ctx, GLenum mode, const char *name);
/* Binds what shades fragments, for an image (enum gl_image_kind) in place of primitives. After
 * gl_update_state; the caller raises GL_DIRTY_PROGRAM when it has drawn. False: no memory. */
bool gl_bind_image_program(struct gl_context *ctx, unsigned kind);
/* Binds an executable's vertex shader, by the current state, as a compute shader of one invocation a
 * group, with the storage buffer that gl_lower_capture has. *clip_distances: mask of those that it
 * gives. False: no memory, with the error. */
bool gl_bind_capture(struct gl_context *ctx, struct gl_executable *exe,
                     const struct drv_storage_buffer *records, unsigned *clip_distances);
/* After the dispatch: the application's compute shader counts again. */
void gl_unbind_capture(struct gl_context *ctx);

#endif
