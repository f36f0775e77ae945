/* SPDX-License-Identifier: MIT */
/* Transform feedback objects. */
#ifndef GL_TRANSFORM_FEEDBACK_TYPES_H
#define GL_TRANSFORM_FEEDBACK_TYPES_H

#include "gl/context/gl_buffer_types.h"
#include "gl/context/gl_names.h"

struct gl_executable;

struct gl_transform_feedback {
    GLuint name; /* 0: the default object */
    bool active, paused, ever_bound;
    bool ended;                /* vertices are known */
    GLenum mode;               /* while active: GL_POINTS, GL_LINES, GL_TRIANGLES */
    struct gl_executable *exe; /* while active: whose outputs are captured; referenced */
    /* while it is not the bound one: its binding points, else ctx->indexed has them */
    struct gl_indexed_buffer *buffers;
    uint32_t offset[DRV_MAX_SO_BUFFERS];       /* while paused: bytes written */
    uint32_t vertices[DRV_MAX_VERTEX_STREAMS]; /* captured when it was active last */
    char *label;
};

struct gl_transform_feedback_state {
    struct gl_transform_feedback default_object, *bound;
    struct gl_names names;
};

#endif
