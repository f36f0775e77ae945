/* SPDX-License-Identifier: MIT */
/* Parameter vectors of commands that exist for floats, integers and fixed-point numbers. */
#ifndef GL_PARAMS_H
#define GL_PARAMS_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Types of parameter vectors. Fixed-point numbers are 16.16. */
enum gl_param_type { GL_PARAM_FLOAT, GL_PARAM_INT, GL_PARAM_FIXED };

/* How a parameter is converted from and to integers. */
enum gl_param_kind {
    GL_PARAM_PLAIN,
    GL_PARAM_COLOR, /* integers are normalized: the largest one is 1.0 (GL 4.6 §2.3.5) */
    GL_PARAM_ENUM,  /* fixed-point commands pass it as an integer */
};

/* Returns n values as floats: params itself for floats, otherwise buffer. */
const float *gl_params_read(float buffer[4], enum gl_param_type type, enum gl_param_kind kind,
                            const void *params, unsigned n);
/* Writes n values to params, rounded and clamped to the type. */
void gl_params_write(void *params, enum gl_param_type type, enum gl_param_kind kind, const float *v,
                     unsigned n);
/* Returns whether a command with a single value accepts a parameter of n values. False: an error
 * was raised. */
bool gl_params_scalar(struct gl_context *ctx, unsigned n, const char *call, GLenum pname);

#endif
