/* SPDX-License-Identifier: MIT */
/* Conversion of parameter vectors, see gl_params.h. */
#include "gl/state/gl_params.h"

#include <math.h>
#include <string.h>

#include "gl/context/gl_context.h"

const float *gl_params_read(float buffer[4], enum gl_param_type type, enum gl_param_kind kind,
                            const void *params, unsigned n)
{
    if (type == GL_PARAM_FLOAT)
        return params;
    const GLint *v = params; /* also for GLfixed */
    for (unsigned i = 0; i < n; i++) {
        if (type == GL_PARAM_FIXED && kind != GL_PARAM_ENUM)
            buffer[i] = v[i] / 65536.0f;
        else
            buffer[i] =
                kind == GL_PARAM_COLOR ? (float)MAX2(v[i] / 2147483647.0, -1.0) : (float)v[i];
    }
    return buffer;
}

GLint gl_nearest_int(double v)
{
    return (GLint)lrint(CLAMP(v, INT32_MIN, INT32_MAX));
}

static GLint to_int(float f, bool normalized)
{
    return gl_nearest_int(normalized ? f * 2147483647.0 : (double)f);
}

void gl_params_write(void *params, enum gl_param_type type, enum gl_param_kind kind, const float *v,
                     unsigned n)
{
    if (type == GL_PARAM_FLOAT) {
        memcpy(params, v, n * sizeof *v);
        return;
    }
    GLint *out = params;
    for (unsigned i = 0; i < n; i++)
        out[i] = type == GL_PARAM_FIXED ? to_int(v[i] * 65536.0f, false)
                                        : to_int(v[i], kind == GL_PARAM_COLOR);
}

bool gl_params_scalar(struct gl_context *ctx, unsigned n, const char *call, GLenum pname)
{
    if (n == 1)
        return true;
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}
