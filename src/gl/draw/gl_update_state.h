/* SPDX-License-Identifier: MIT */
/* Converts dirty state to driver state before draws and dispatches. */
#ifndef GL_UPDATE_STATE_H
#define GL_UPDATE_STATE_H

#include "gl/context/gl_context.h"

struct gl_executable;

/* Updates the driver's state for a draw, except vertex arrays, and clears the dirty bits other than
 * GL_DIRTY_ARRAYS. If gl_update_programs returns false, keeps the bits and returns false: the draw
 * must be skipped. */
bool gl_update_state(struct gl_context *ctx);
/* Updates the driver's compute state for a dispatch of exe's compute shader. Returns false if the
 * dispatch must be skipped; GL_OUT_OF_MEMORY was raised then. */
bool gl_update_compute_state(struct gl_context *ctx, struct gl_executable *exe);
/* Selects and binds the shader variants of the graphics stages, and sets ctx->vs_*. Does nothing if
 * the last call succeeded and no dirty bit that affects them has been set since. Returns false
 * without an error if there is no vertex shader (core profile, ES 2.0 and later), or after raising
 * an error. */
bool gl_update_programs(struct gl_context *ctx);
/* Passes the uniforms, state uniforms, uniform blocks and storage buffers of the bound graphics
 * shaders to the driver, as far as they are dirty. */
void gl_update_constants(struct gl_context *ctx);
/* Checks whether the current programs can draw primitives of a mode. If not, raises
 * GL_INVALID_OPERATION for the command `name` and returns false. Also sets
 * ctx->program.drawing_points and point_array, which affect the choice of variants. */
bool gl_validate_programs(struct gl_context *ctx, GLenum mode, const char *name);
/* Binds the variant of the current fragment shader that draws an image; kind is its enum
 * gl_image_kind. Call it after gl_update_state, and set GL_DIRTY_PROGRAM after drawing. If out of
 * memory, raises an error and returns false. */
bool gl_bind_image_program(struct gl_context *ctx, unsigned kind);
/* Binds the vertex shader of exe, with the current state lowered into it, as a compute shader
 * (gl_lower_capture.h). records: the storage buffer with an array of gl_capture_record. Stores in
 * *clip_distances a mask of the clip distances that the shader writes. If out of memory, raises an
 * error and returns false. */
bool gl_bind_capture(struct gl_context *ctx, struct gl_executable *exe,
                     const struct drv_storage_buffer *records, unsigned *clip_distances);
/* Unbinds the shader and the records; call it after the dispatch. The next dispatch by the
 * application binds its own compute shader again. */
void gl_unbind_capture(struct gl_context *ctx);

/* Binds a task or mesh shader of exe (`which`), converted to a compute shader (gl_lower_mesh.h),
 * with `count` storage buffers after its own. If out of memory, raises an error and returns
 * false. */
bool gl_bind_groups(struct gl_context *ctx, struct gl_executable *exe, enum shader_stage which,
                    const struct drv_storage_buffer *buffers, unsigned count);
/* Unbinds the shader and all storage buffers of the compute stage; call it after the dispatch. The
 * next dispatch by the application binds its own compute shader again. */
void gl_unbind_groups(struct gl_context *ctx);

#endif
