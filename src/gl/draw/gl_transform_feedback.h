/* SPDX-License-Identifier: MIT */
/* Transform feedback objects (GL 4.6 §13.3): what is captured where, and how much was. */
#ifndef GL_TRANSFORM_FEEDBACK_H
#define GL_TRANSFORM_FEEDBACK_H

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_names.h"
#include "gl/context/gl_types.h"

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

bool gl_transform_feedback_init(struct gl_context *ctx); /* false: no memory */
void gl_transform_feedback_finish(struct gl_context *ctx);
/* Where an object's label is; NULL: no such object. */
char **gl_transform_feedback_label(struct gl_context *ctx, GLuint name);

/* Whether primitives are captured now: active and not paused. */
bool gl_transform_feedback_captures(const struct gl_context *ctx);
/* Whether any object is active with this executable, bound and paused or not. */
bool gl_transform_feedback_uses(struct gl_context *ctx, const struct gl_executable *exe);
/* Whether primitives of that mode may be drawn now; else raises GL_INVALID_OPERATION. */
bool gl_transform_feedback_allows(struct gl_context *ctx, GLenum mode, const char *call);

struct drv_stream_output;
/* What the driver is to capture of a program's outputs; false: nothing. */
bool gl_stream_output_of(const struct gl_executable *exe, struct drv_stream_output *out);

#endif
