/* SPDX-License-Identifier: MIT */
/* Parameter vectors of commands that come as floats, integers and fixed-point numbers. */
#ifndef GL_PARAMS_H
#define GL_PARAMS_H

#include "gl/context/gl_types.h"

struct gl_context;

enum gl_param_type { GL_PARAM_FLOAT, GL_PARAM_INT, GL_PARAM_FIXED /* 16.16 */ };

enum gl_param_kind {
    GL_PARAM_PLAIN,
    GL_PARAM_COLOR, /* the largest integer is 1.0 (GL 4.6 §2.3.5) */
    GL_PARAM_ENUM,  /* fixed-point commands take it as an integer */
};

/* Returns n values as floats: params itself if they are floats, else buffer. */
const float *gl_params_read(float buffer[4], enum gl_param_type type, enum gl_param_kind kind,
                            const void *params, unsigned n);
/* Writes n values to params as the type says, rounded and clamped. */
void gl_params_write(void *params, enum gl_param_type type, enum gl_param_kind kind, const float *v,
                     unsigned n);
/* Whether a command with one value takes a name of n values; false: error raised. */
bool gl_params_scalar(struct gl_context *ctx, unsigned n, const char *call, GLenum pname);

#endif
