/* SPDX-License-Identifier: MIT */
/* Outputs that transform feedback captures, and whether it uses a program. */
#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "glsl/glsl.h"

bool gl_transform_feedback_captures(const struct gl_context *ctx)
{
    return ctx->xfb.bound->active && !ctx->xfb.bound->paused;
}

struct use {
    const struct gl_executable *exe;
    bool found;
};

static void check_use(GLuint name, void *object, void *data)
{
    const struct gl_transform_feedback *t = object;
    struct use *use = data;
    use->found |= t->active && t->exe == use->exe;
}

bool gl_transform_feedback_uses(struct gl_context *ctx, const struct gl_executable *exe)
{
    struct use use = {.exe = exe};
    if (!exe)
        return false;
    check_use(0, &ctx->xfb.default_object, &use);
    gl_names_foreach(&ctx->xfb.names, check_use, &use);
    return use.found;
}

bool gl_stream_output_of(const struct gl_executable *exe, struct drv_stream_output *out)
{
    return exe->glsl && glsl_stream_output(exe->glsl, out);
}
