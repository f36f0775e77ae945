/* SPDX-License-Identifier: MIT */
/* Dispatches of compute shaders (GL 4.6 chapter 19, ARB_compute_variable_group_size). */
#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_update_state.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

static const nir_shader_info *compute_info(const struct gl_executable *exe)
{
    return &exe->stage[SHADER_COMPUTE]->nir->info;
}

/* Returns the current compute executable, or NULL after raising an error. variable: the call gives
 * the workgroup size. */
static struct gl_executable *validate_program(struct gl_context *ctx, bool variable,
                                              const char *call)
{
    struct gl_executable *exe = gl_stage_executable(ctx, SHADER_COMPUTE);
    const char *why = NULL;
    if (!exe || !exe->stage[SHADER_COMPUTE])
        why = "there is no compute shader";
    else if (exe->undrawable)
        why = exe->undrawable;
    else if (compute_info(exe)->cs.workgroup_size_variable != variable)
        why = variable ? "the program says how large groups are"
                       : "the program does not say how large groups are";
    else
        why = gl_pipeline_invalid(ctx);
    if (!why)
        gl_validate_samplers(exe, &why);
    if (!why)
        return exe;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call, why);
    return NULL;
}

static bool validate_groups(struct gl_context *ctx, const GLuint groups[3], const char *call)
{
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    for (unsigned i = 0; i < 3; i++) {
        if (groups[i] > l->max_compute_workgroup_count[i]) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(%u groups in dimension %u, the limit is %u)", call,
                     groups[i], i, l->max_compute_workgroup_count[i]);
            return false;
        }
    }
    return true;
}

static void launch(struct gl_context *ctx, struct gl_executable *exe, struct drv_grid_info *info,
                   const char *call)
{
    const nir_shader_info *nir = compute_info(exe);
    for (unsigned i = 0; i < 3 && !nir->cs.workgroup_size_variable; i++)
        info->block[i] = MAX2(nir->cs.workgroup_size[i], 1);
    if (!gl_update_compute_state(ctx, exe)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "compute shader");
        return;
    }
    ctx->drv->command.name = call;
    ctx->drv->command.program[SHADER_COMPUTE] = gl_stage_program(ctx, SHADER_COMPUTE);
    ctx->drv->ops->launch_grid(ctx->drv, info);
}

static void dispatch(const GLuint groups[3], const GLuint *size, const char *call)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    struct gl_executable *exe = validate_program(ctx, size, call);
    if (!exe || !validate_groups(ctx, groups, call))
        return;
    struct drv_grid_info info = {.grid = {groups[0], groups[1], groups[2]}};
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    uint64_t invocations = 1;
    for (unsigned i = 0; size && i < 3; i++) {
        if (!size[i] || size[i] > l->max_compute_workgroup_size[i]) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(group size %u in dimension %u)", call, size[i], i);
            return;
        }
        info.block[i] = size[i];
        invocations *= size[i];
    }
    const char *why =
        size ? glsl_derivative_group_error(compute_info(exe)->cs.derivative_group,
                                           (const uint16_t[]){size[0], size[1], size[2]})
             : NULL;
    if (why) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%s)", call, why);
        return;
    }
    if (size && invocations > l->max_compute_workgroup_invocations) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%llu invocations in a group)", call,
                 (unsigned long long)invocations);
        return;
    }
    if (groups[0] && groups[1] && groups[2])
        launch(ctx, exe, &info, call);
}

void gl_DispatchCompute(GLuint x, GLuint y, GLuint z)
{
    dispatch((const GLuint[]){x, y, z}, NULL, "glDispatchCompute");
}

void gl_DispatchComputeGroupSizeARB(GLuint x, GLuint y, GLuint z, GLuint size_x, GLuint size_y,
                                    GLuint size_z)
{
    dispatch((const GLuint[]){x, y, z}, (const GLuint[]){size_x, size_y, size_z},
             "glDispatchComputeGroupSizeARB");
}

/* Counts above the limits are undefined behavior (GL 4.6 §19); the driver then skips the
 * dispatch. */
void gl_DispatchComputeIndirect(GLintptr offset)
{
    GL_CONTEXT(ctx);
    const char *call = "glDispatchComputeIndirect";
    struct gl_buffer *b = ctx->dispatch_indirect_buffer;
    FLUSH_VERTICES(ctx, 0);
    struct gl_executable *exe = validate_program(ctx, false, call);
    if (!exe)
        return;
    if (offset < 0 || offset % 4) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(indirect=%td)", call, offset);
        return;
    }
    if (!gl_check_parameters(ctx, b, (uint64_t)offset, 3 * sizeof(GLuint), call))
        return;
    struct drv_grid_info info = {.indirect = b->resource, .indirect_offset = offset};
    launch(ctx, exe, &info, call);
}
