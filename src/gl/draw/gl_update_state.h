/* SPDX-License-Identifier: MIT */
/* Converts dirty state to driver state before draws and dispatches. */
#ifndef GL_UPDATE_STATE_H
#define GL_UPDATE_STATE_H

#include "gl/context/gl_context.h"

struct gl_executable;

/* Updates the driver's state for a draw. Returns false if nothing can be drawn. */
bool gl_update_state(struct gl_context *ctx);
/* Updates the driver's state for a dispatch of exe's compute shader. Returns false if out of
 * memory. */
bool gl_update_compute_state(struct gl_context *ctx, struct gl_executable *exe);
/* Selects the variants of the stages, binds their shaders, and sets ctx->vs_*. Returns false if
 * nothing can be drawn. */
bool gl_update_programs(struct gl_context *ctx);
/* Updates uniforms, state uniforms, uniform blocks and storage blocks of the bound shaders. */
void gl_update_constants(struct gl_context *ctx);
/* Checks the GL_INVALID_OPERATION conditions of a draw with the current programs. False: the error
 * was raised. */
bool gl_validate_programs(struct gl_context *ctx, GLenum mode, const char *name);
/* Binds the fragment shader for drawing an image (enum gl_image_kind) instead of primitives. Call
 * it after gl_update_state; after drawing, set GL_DIRTY_PROGRAM. Returns false if out of memory. */
bool gl_bind_image_program(struct gl_context *ctx, unsigned kind);
/* Binds the vertex shader of exe for the current state, converted to a compute shader by
 * gl_lower_capture. A work group has one invocation. records is the storage buffer with its
 * vertices. *clip_distances: mask of the clip distances that it writes. Returns false with an error
 * raised if out of memory. */
bool gl_bind_capture(struct gl_context *ctx, struct gl_executable *exe,
                     const struct drv_storage_buffer *records, unsigned *clip_distances);
/* Restores the application's compute shader after the dispatch. */
void gl_unbind_capture(struct gl_context *ctx);

#endif
