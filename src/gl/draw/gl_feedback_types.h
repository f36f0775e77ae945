/* SPDX-License-Identifier: MIT */
/* State of selection and feedback (GL 4.6 compatibility §21.2, §21.3), and functions that store
 * hits and values. */
#ifndef GL_FEEDBACK_TYPES_H
#define GL_FEEDBACK_TYPES_H

#include "gl/context/gl_types.h"
#include "util/macros.h"

#define GL_NAME_STACK_MAX 64

struct gl_feedback_chunk;

struct gl_feedback {
    /* Selection. */
    GLuint *select_buffer;      /* the application's */
    GLsizei select_size;        /* in values */
    unsigned select_used, hits; /* values stored, hit records written */
    bool select_overflow;       /* a value did not fit */
    GLuint names[GL_NAME_STACK_MAX];
    unsigned depth;     /* number of names on the stack */
    bool hit;           /* a primitive was drawn since the stack last changed */
    float min_z, max_z; /* window depths of these primitives, if `hit` */
    /* Feedback. */
    GLfloat *buffer;                 /* the application's */
    GLsizei size;                    /* in values */
    GLenum type;                     /* GL_2D and so on */
    unsigned used;                   /* values stored */
    bool overflow;                   /* a value did not fit */
    struct gl_feedback_chunk *chunk; /* memory for draws; NULL before the first one */
};

/* Adds a window depth to the hit record of the current names. */
void gl_feedback_hit(struct gl_feedback *f, float z);

/* Appends a value to the feedback buffer. If the buffer is full, drops it and sets `overflow`. */
static inline void gl_feedback_put(struct gl_feedback *f, float value)
{
    if (f->used < (unsigned)f->size)
        f->buffer[f->used++] = value;
    else
        f->overflow = true;
}

#endif
