/* SPDX-License-Identifier: MIT */
/* Transform feedback objects. */
#ifndef GL_TRANSFORM_FEEDBACK_TYPES_H
#define GL_TRANSFORM_FEEDBACK_TYPES_H

#include "gl/context/gl_buffer_types.h"
#include "gl/context/gl_names.h"

struct gl_executable;

/* A transform feedback object. It belongs to one context. */
struct gl_transform_feedback {
    GLuint name; /* 0: the default object */
    /* active: between glBegin… and glEndTransformFeedback. paused: active, but not capturing. */
    bool active, paused;
    bool ended;  /* glEndTransformFeedback was called, so `vertices` is valid */
    GLenum mode; /* valid while active: GL_POINTS, GL_LINES, GL_TRIANGLES */
    /* valid while active: executable whose outputs are captured; referenced */
    struct gl_executable *exe;
    /* Buffer binding points of an object that is not bound, a talloc array; NULL: no buffers. Those
     * of the bound object are in ctx->indexed. */
    struct gl_indexed_buffer *buffers;
    uint32_t offset[DRV_MAX_SO_BUFFERS]; /* valid while paused: bytes written to each buffer */
    /* vertices captured per stream between the last glBeginTransformFeedback and its end */
    uint32_t vertices[DRV_MAX_VERTEX_STREAMS];
    char *label; /* set by glObjectLabel, malloc'ed; NULL: none */
};

/* Transform feedback state of a context. */
struct gl_transform_feedback_state {
    struct gl_transform_feedback default_object, *bound; /* bound is never NULL */
    struct gl_names names;                               /* of all other objects */
};

#endif
