/* SPDX-License-Identifier: MIT */
/* Column-major 4×4 matrices and matrix stacks (GL 4.6 compatibility §12.1). */
#ifndef GL_MATRIX_H
#define GL_MATRIX_H

#include "gl/context/gl_matrix_types.h"

struct gl_context;

/* Returns the stack that the matrix mode (and, for textures, the active unit) selects. If there is
 * none, raises an error for the command `call` and returns NULL. */
struct gl_matrix_stack *gl_current_stack(struct gl_context *ctx, const char *call);

/* Sets the matrix mode, also to modes that only EXT_direct_state_access allows, such as
 * GL_TEXTUREi. If the mode is invalid, raises an error for the command `call` and returns false. */
bool gl_use_matrix_mode(struct gl_context *ctx, GLenum mode, const char *call);

/* Sets m to the identity. */
void gl_matrix_identity(float m[16]);
/* out = a · b; out may be a or b. */
void gl_matrix_mul(float out[16], const float a[16], const float b[16]);
/* Sets out to the inverse of m; out may be m. If m is singular, sets out to the identity and
 * returns false. */
bool gl_matrix_invert(float out[16], const float m[16]);
/* Sets out to the transpose of m; out may be m. */
void gl_matrix_transpose(float out[16], const float m[16]);
/* out = m · v; out may be v. */
void gl_matrix_transform(float out[4], const float m[16], const float v[4]);

/* Allocates the context's matrix stacks, each with an identity matrix. Returns false if out of
 * memory. */
bool gl_matrices_init(struct gl_context *ctx);
/* Frees the matrix stacks. Works also after gl_matrices_init failed. */
void gl_matrices_finish(struct gl_context *ctx);

#endif
