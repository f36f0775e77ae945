/* SPDX-License-Identifier: MIT */
/* Creation and destruction of a context's program state. */
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_owned.h"
#include "gl/program/gl_program.h"
#include "gl/texture/gl_texture.h"
#include "glsl/glsl.h"

bool gl_programs_init(struct gl_context *ctx)
{
    gl_owned_init(ctx);
    ctx->program.compiler_threads = ~0u;
    ctx->program.patch_vertices = 3;
    for (unsigned i = 0; i < 4; i++)
        ctx->program.patch_outer[i] = ctx->program.patch_inner[i & 1] = 1.0f;
    for (unsigned i = 0; i < 8; i++)
        ctx->program.bounding_box[i] = i < 3 ? -1.0f : 1.0f;
    if (!gl_names_init(&ctx->program.pipelines))
        return false;
    struct glsl_options *o = talloc_zero(ctx, struct glsl_options);
    if (!o)
        return false;
    o->es = gl_is_es(ctx);
    o->core = ctx->api == GL_API_CORE;
    if (!o->es)
        o->max_version = ctx->consts.glsl_version;
    if (o->es)
        o->max_es_version = ctx->consts.glsl_version;
    else if (ctx->ext.ARB_ES3_2_compatibility)
        o->max_es_version = 320;
    else if (ctx->ext.ARB_ES3_1_compatibility)
        o->max_es_version = 310;
    else if (ctx->ext.ARB_ES3_compatibility)
        o->max_es_version = 300;
    else if (ctx->ext.ARB_ES2_compatibility)
        o->max_es_version = 100;
    o->default_version = o->es ? 100 : 110;
    gl_compiler_limits(ctx, &o->limits);
    gl_compiler_extensions(ctx, o);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        o->nir_options[s] = ctx->screen->nir_options[s];
    ctx->consts.glsl = o;
    return true;
}

void gl_programs_finish(struct gl_context *ctx)
{
    struct gl_program_state *s = &ctx->program;
    if (!s->owned.live.next)
        return;
    /* `bound` doesn't have the shaders that are bound since a draw that failed. */
    for (unsigned stage = 0; stage < SHADER_STAGE_COUNT; stage++)
        ctx->drv->ops->bind_shader(ctx->drv, stage, NULL);
    memset(s->bound, 0, sizeof s->bound);
    s->usable = false;
    gl_program_reference(ctx, &s->current, NULL);
    gl_executable_reference(ctx, &s->exe, NULL);
    for (unsigned stage = 0; stage < SHADER_STAGE_COUNT; stage++)
        gl_executable_reference(ctx, &s->executable[stage], NULL);
    gl_executable_reference(ctx, &s->no_fragment, NULL);
    gl_pipelines_finish(ctx);
    gl_textures_unbind(ctx);
    gl_owned_finish(ctx);
}
