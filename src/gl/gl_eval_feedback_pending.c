/* SPDX-License-Identifier: MIT */
/* Evaluators, selection and feedback: weak until they are linked. */
#include "gl/gl_core.h"
#include "gl/gl_draw.h"

#define WEAK __attribute__((weak))
WEAK bool gl_evaluators_init(struct gl_context *ctx) { return true; }
WEAK void gl_evaluators_finish(struct gl_context *ctx) {}
WEAK bool gl_feedback_init(struct gl_context *ctx) { return true; }
WEAK void gl_feedback_finish(struct gl_context *ctx) {}
WEAK void *gl_feedback_pointer(struct gl_context *ctx, GLenum pname) { return NULL; }
WEAK void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count) {}
WEAK void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count,
                               unsigned index_bytes, const void *indices, int base_vertex)
{
}
WEAK void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                               const uint32_t *vertices, const struct gl_prim *prims,
                               unsigned num_prims)
{
}
WEAK GLint gl_feedback_get(const struct gl_context *ctx, GLenum pname) { return 0; }
