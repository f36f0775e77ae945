/* SPDX-License-Identifier: MIT */
/* State of selection and feedback (GL 4.6 compatibility §21.2, §21.3), and functions with which
 * draws report hits and values. */
#ifndef GL_FEEDBACK_TYPES_H
#define GL_FEEDBACK_TYPES_H

#include "gl/context/gl_types.h"
#include "util/macros.h"

#define GL_NAME_STACK_MAX 64 /* GL_MAX_NAME_STACK_DEPTH */

struct gl_feedback_chunk;

/* Selection and feedback state of a context. The application owns both buffers. */
struct gl_feedback {
    /* Selection. select_size and select_used: elements of select_buffer. hits: number of hit
     * records, including those that didn't fit. */
    GLuint *select_buffer;
    GLsizei select_size;
    unsigned select_used, hits;
    bool select_overflow;            /* a value didn't fit */
    GLuint names[GL_NAME_STACK_MAX]; /* name stack, with `depth` names */
    unsigned depth;
    /* hit: since the name stack last changed, a primitive was hit, or a valid raster position was
     * set. min_z, max_z: range of the window depths of these primitives and positions, in [0, 1];
     * valid if `hit` is set. */
    bool hit;
    float min_z, max_z;
    /* Feedback. size and used: elements of buffer. */
    GLfloat *buffer;
    GLsizei size;
    GLenum type; /* of glFeedbackBuffer */
    unsigned used;
    bool overflow;                   /* a value didn't fit */
    struct gl_feedback_chunk *chunk; /* memory of draws; NULL before the first one */
};

/* Adds a window depth, in [0, 1], to the hit record of the current names. */
void gl_feedback_hit(struct gl_feedback *f, float z);

/* Appends a value to the feedback buffer. If the buffer is full, drops the value and sets
 * f->overflow. */
static inline void gl_feedback_put(struct gl_feedback *f, float value)
{
    if (f->used < (unsigned)f->size)
        f->buffer[f->used++] = value;
    else
        f->overflow = true;
}

#endif
