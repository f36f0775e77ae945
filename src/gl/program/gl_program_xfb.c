/* SPDX-License-Identifier: MIT */
/* Outputs that transform feedback captures, and whether it uses a program. */
#include <string.h>

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

static void add_output(const struct glsl_xfb_output *x, struct drv_stream_output *out)
{
    /* Array elements and matrix columns start in separate slots, at the same component as the first
     * one. Clip distances are packed instead. */
    bool compact = x->slot == VARYING_SLOT_CLIP_DIST0 || x->slot == VARYING_SLOT_CLIP_DIST1;
    unsigned row = x->type->vector_elements * (glsl_type_is_64bit(x->type) ? 2 : 1);
    unsigned slot = x->slot, at = x->offset / 4, end = at + x->num_components;
    if (compact)
        row = x->num_components;
    while (at < end) {
        unsigned component = x->component;
        for (unsigned left = row; left && out->num_outputs < DRV_MAX_SO_OUTPUTS;) {
            unsigned n = MIN2(left, 4 - component), i = out->num_outputs++;
            out->output[i].slot = slot++;
            out->output[i].start_component = component;
            out->output[i].num_components = n;
            out->output[i].buffer = x->buffer;
            out->output[i].stream = x->stream;
            out->output[i].dst_offset = at + row - left;
            component = 0;
            left -= n;
        }
        at += row;
    }
}

bool gl_stream_output_of(const struct gl_executable *exe, struct drv_stream_output *out)
{
    const struct glsl_program *glsl = exe->glsl;
    if (!glsl || !glsl->num_xfb)
        return false;
    memset(out, 0, sizeof *out);
    for (unsigned b = 0; b < DRV_MAX_SO_BUFFERS; b++)
        out->stride[b] = glsl->xfb_stride[b] / 4;
    for (unsigned i = 0; i < glsl->num_xfb; i++) {
        const struct glsl_xfb_output *x = &glsl->xfb[i];
        if (!x->type)
            continue;
        add_output(x, out);
    }
    return true;
}
