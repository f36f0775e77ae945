/* SPDX-License-Identifier: MIT */
/* Parameter vectors of commands that have versions for floats, integers and fixed-point numbers. */
#ifndef GL_PARAMS_H
#define GL_PARAMS_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Types of parameter vectors. Fixed-point numbers are 16.16. */
enum gl_param_type { GL_PARAM_FLOAT, GL_PARAM_INT, GL_PARAM_FIXED };

/* How integer and fixed-point versions of a command represent a parameter. Fixed-point numbers
 * represent their value, except for GL_PARAM_ENUM. */
enum gl_param_kind {
    GL_PARAM_PLAIN, /* integers have the same value as floats */
    GL_PARAM_COLOR, /* integers are normalized: the largest one is 1.0 (GL 4.6 §2.3.5) */
    GL_PARAM_ENUM,  /* enumerant: the same number in all versions */
};

/* Converts n parameters (at most 4) of a type to floats. Returns params itself if they are floats,
 * otherwise stores the result in buffer and returns buffer. */
const float *gl_params_read(float buffer[4], enum gl_param_type type, enum gl_param_kind kind,
                            const void *params, unsigned n);
/* Converts the n floats at v to `type` and stores them in params. Integers and fixed-point numbers
 * are rounded, and clamped to the range of GLint. kind is not GL_PARAM_ENUM. */
void gl_params_write(void *params, enum gl_param_type type, enum gl_param_kind kind, const float *v,
                     unsigned n);
/* Returns v rounded to the nearest integer, ties to even, and clamped to the range of GLint (GL 4.6
 * §2.2.2). */
GLint gl_nearest_int(double v);
/* Returns true if n, the number of values of pname, is 1. Otherwise raises GL_INVALID_ENUM for the
 * command `call`, which takes a single value, and returns false. */
bool gl_params_scalar(struct gl_context *ctx, unsigned n, const char *call, GLenum pname);

#endif
