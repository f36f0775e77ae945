/* SPDX-License-Identifier: MIT */
/* Matrix stacks of a context. */
#ifndef GL_MATRIX_TYPES_H
#define GL_MATRIX_TYPES_H

#include "gl/context/gl_types.h"

#define GL_MATRIX_STACK_MAX 32 /* maximum depth of the modelview and projection stacks */

/* A matrix stack. */
struct gl_matrix_stack {
    float (*stack)[16]; /* max_depth column-major matrices; owned */
    unsigned depth;     /* index of the top matrix, from 0 */
    unsigned max_depth; /* number of matrices that the stack can hold */
    uint64_t dirty;     /* enum gl_dirty bits to set when the matrix changes */
};

/* Returns the current matrix of a stack, which is valid until a push or pop. */
static inline float *gl_matrix_top(const struct gl_matrix_stack *s)
{
    return s->stack[s->depth];
}

#endif
