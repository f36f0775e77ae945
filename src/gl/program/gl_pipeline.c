/* SPDX-License-Identifier: MIT */
/*
 * Program pipelines (GL 4.6 §7.4), which combine the stages of several programs. A pipeline belongs
 * to one context, holds references to its programs and draws with their last successful links. So
 * its programs always have an installed executable.
 */
#include <stdlib.h>
#include <string.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

struct gl_pipeline {
    GLuint name;
    struct gl_program *program[SHADER_STAGE_COUNT]; /* referenced; NULL: none */
    struct gl_program *active;                      /* program that glUniform affects; referenced */
    /* Executables, referenced, for which `mismatched` says whether the interfaces between programs
     * do not match. */
    struct gl_executable *checked[SHADER_STAGE_COUNT];
    bool mismatched;
    bool validated;
    char *info_log, *label;
};

static const struct {
    GLbitfield bit;
    GLenum type;
} stages[SHADER_STAGE_COUNT] = {
    [SHADER_VERTEX] = {GL_VERTEX_SHADER_BIT, GL_VERTEX_SHADER},
    [SHADER_TESS_CTRL] = {GL_TESS_CONTROL_SHADER_BIT, GL_TESS_CONTROL_SHADER},
    [SHADER_TESS_EVAL] = {GL_TESS_EVALUATION_SHADER_BIT, GL_TESS_EVALUATION_SHADER},
    [SHADER_GEOMETRY] = {GL_GEOMETRY_SHADER_BIT, GL_GEOMETRY_SHADER},
    [SHADER_FRAGMENT] = {GL_FRAGMENT_SHADER_BIT, GL_FRAGMENT_SHADER},
    [SHADER_COMPUTE] = {GL_COMPUTE_SHADER_BIT, GL_COMPUTE_SHADER},
    [SHADER_TASK] = {GL_TASK_SHADER_BIT_EXT, GL_TASK_SHADER_EXT},
    [SHADER_MESH] = {GL_MESH_SHADER_BIT_EXT, GL_MESH_SHADER_EXT},
};

/* ---------------------------------------------------------------------------------- objects --- */

static void free_pipeline(struct gl_context *ctx, struct gl_pipeline *p)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        gl_program_reference(ctx, &p->program[s], NULL);
        gl_executable_reference(ctx, &p->checked[s], NULL);
    }
    gl_program_reference(ctx, &p->active, NULL);
    free(p->info_log);
    free(p->label);
    free(p);
}

/* Returns the object of a name, created on first use. Returns NULL with the error raised if the
 * name is not from glGenProgramPipelines. */
static struct gl_pipeline *lookup(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_names *names = &ctx->program.pipelines;
    struct gl_pipeline *p = gl_names_lookup(names, name);
    if (p)
        return p;
    if (!name || !gl_names_is_used(names, name)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(pipeline=%u)", call, name);
        return NULL;
    }
    p = calloc(1, sizeof *p);
    if (!p || !gl_names_insert(names, name, p)) {
        free(p);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return NULL;
    }
    p->name = name;
    return p;
}

char **gl_pipeline_label(struct gl_context *ctx, GLuint name)
{
    struct gl_pipeline *p = gl_names_lookup(&ctx->program.pipelines, name);
    return p ? &p->label : NULL;
}

static void pipeline_changes(struct gl_context *ctx)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES);
}

void gl_GenProgramPipelines(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenProgramPipelines(n=%d)", n);
    else if (!gl_names_gen(&ctx->program.pipelines, n, false, names))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenProgramPipelines");
}

void gl_CreateProgramPipelines(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glCreateProgramPipelines(n=%d)", n);
        return;
    }
    if (!gl_names_gen(&ctx->program.pipelines, n, false, names)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCreateProgramPipelines");
        return;
    }
    for (GLsizei i = 0; i < n; i++)
        lookup(ctx, names[i], "glCreateProgramPipelines");
}

void gl_DeleteProgramPipelines(GLsizei n, const GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteProgramPipelines(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_pipeline *p = gl_names_remove(&ctx->program.pipelines, names[i]);
        if (!p)
            continue;
        if (ctx->program.pipeline == p) {
            pipeline_changes(ctx);
            ctx->program.pipeline = NULL;
        }
        free_pipeline(ctx, p);
    }
}

GLboolean gl_IsProgramPipeline(GLuint name)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->program.pipelines, name) != NULL;
}

void gl_BindProgramPipeline(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_pipeline *p = name ? lookup(ctx, name, "glBindProgramPipeline") : NULL;
    if (name && !p)
        return;
    if (gl_transform_feedback_captures(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBindProgramPipeline(transform feedback is active)");
        return;
    }
    if (p != ctx->program.pipeline)
        pipeline_changes(ctx);
    ctx->program.pipeline = p;
    if (!ctx->program.current)
        gl_reset_subroutines(ctx, BITFIELD_MASK(SHADER_STAGE_COUNT), "glBindProgramPipeline");
}

static void free_leftover(GLuint name, void *object, void *data)
{
    free_pipeline(data, object);
}

void gl_pipelines_finish(struct gl_context *ctx)
{
    if (!ctx->program.pipelines.table)
        return;
    ctx->program.pipeline = NULL;
    gl_names_foreach(&ctx->program.pipelines, free_leftover, ctx);
    gl_names_finish(&ctx->program.pipelines);
}

/* ----------------------------------------------------------------------------------- stages --- */

struct gl_executable *gl_stage_executable(const struct gl_context *ctx, enum shader_stage stage)
{
    const struct gl_program_state *s = &ctx->program;
    struct gl_executable *exe = s->exe;
    if (s->mesh_vertex && stage < SHADER_FRAGMENT)
        return stage == SHADER_VERTEX ? s->mesh_vertex : NULL;
    if (!s->current && s->pipeline)
        exe = s->pipeline->program[stage] ? s->pipeline->program[stage]->installed : NULL;
    return exe && exe->stage[stage] ? exe : NULL;
}

GLuint gl_stage_program(const struct gl_context *ctx, enum shader_stage stage)
{
    const struct gl_program_state *s = &ctx->program;
    const struct gl_program *program = s->current;
    if (!program && s->pipeline)
        program = s->pipeline->program[stage];
    return program && gl_stage_executable(ctx, stage) ? program->name : 0;
}

bool gl_has_tessellation(const struct gl_context *ctx)
{
    const struct gl_extensions *e = &ctx->ext;
    return ctx->consts.version >= (gl_is_es(ctx) ? 32 : 40) || e->ARB_tessellation_shader ||
           e->OES_tessellation_shader || e->EXT_tessellation_shader;
}

GLenum gl_assembled_mode(const struct gl_context *ctx, GLenum mode)
{
    const struct gl_executable *exe = gl_stage_executable(ctx, SHADER_TESS_EVAL);
    if (!exe)
        return mode;
    const nir_shader_info *info = &exe->stage[SHADER_TESS_EVAL]->nir->info;
    if (info->tess.point_mode)
        return GL_POINTS;
    return info->tess.primitive_mode == nir_tess_primitive_isolines ? GL_LINES : GL_TRIANGLES;
}

GLenum gl_rasterized_mode(const struct gl_context *ctx, GLenum mode)
{
    const struct gl_executable *exe = gl_stage_executable(ctx, SHADER_GEOMETRY);
    return exe ? exe->stage[SHADER_GEOMETRY]->nir->info.gs.output_primitive
               : gl_assembled_mode(ctx, mode);
}

struct gl_executable *gl_uniform_executable(const struct gl_context *ctx)
{
    const struct gl_program_state *s = &ctx->program;
    if (s->current)
        return s->current->exe ? s->exe : NULL;
    const struct gl_program *active = s->pipeline ? s->pipeline->active : NULL;
    return active && active->exe ? active->installed : NULL;
}

unsigned gl_pipeline_stages(const struct gl_context *ctx, const struct gl_program *program)
{
    unsigned mask = 0;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        mask |= (ctx->program.pipeline->program[s] == program) << s;
    return mask;
}

static GLbitfield known_stages(const struct gl_context *ctx)
{
    GLbitfield bits = 0;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        if (gl_shader_stage(ctx, stages[s].type) != SHADER_STAGE_NONE)
            bits |= stages[s].bit;
    return bits;
}

void gl_UseProgramStages(GLuint pipeline, GLbitfield bits, GLuint program)
{
    GL_CONTEXT(ctx);
    if (bits != GL_ALL_SHADER_BITS && bits & ~known_stages(ctx)) {
        gl_error(ctx, GL_INVALID_VALUE, "glUseProgramStages(stages=0x%x)", bits);
        return;
    }
    struct gl_program *p = NULL;
    if (program) {
        p = gl_program_lookup_linked(ctx, program, "glUseProgramStages");
        if (!p)
            return;
        if (!p->exe->separable) {
            gl_error(ctx, GL_INVALID_OPERATION, "glUseProgramStages(program %u is not separable)",
                     program);
            return;
        }
    }
    struct gl_pipeline *pipe = lookup(ctx, pipeline, "glUseProgramStages");
    if (!pipe)
        return;
    if (pipe == ctx->program.pipeline && gl_transform_feedback_captures(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glUseProgramStages(transform feedback is active)");
        return;
    }
    if (pipe == ctx->program.pipeline)
        pipeline_changes(ctx);
    unsigned mask = 0;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!(bits & stages[s].bit))
            continue;
        gl_program_reference(ctx, &pipe->program[s], p && p->exe->stage[s] ? p : NULL);
        mask |= 1u << s;
    }
    pipe->validated = false;
    if (pipe == ctx->program.pipeline && !ctx->program.current)
        gl_reset_subroutines(ctx, mask, "glUseProgramStages");
}

void gl_ActiveShaderProgram(GLuint pipeline, GLuint program)
{
    GL_CONTEXT(ctx);
    struct gl_program *p =
        program ? gl_program_lookup_linked(ctx, program, "glActiveShaderProgram") : NULL;
    struct gl_pipeline *pipe =
        program && !p ? NULL : lookup(ctx, pipeline, "glActiveShaderProgram");
    if (pipe)
        gl_program_reference(ctx, &pipe->active, p);
}

/* Returns whether a stage of one program lies between two stages of another. */
static bool is_split(const struct gl_pipeline *p)
{
    for (unsigned s = 0; s < SHADER_COMPUTE; s++) {
        const struct gl_program *between = NULL;
        for (unsigned o = s + 1; p->program[s] && o < SHADER_COMPUTE; o++) {
            if (p->program[o] == p->program[s] && between)
                return true;
            if (p->program[o] && p->program[o] != p->program[s])
                between = p->program[o];
        }
    }
    return false;
}

/* Returns whether an interface between two programs has variables that do not match, which is an
 * error in ES (ES 3.2 §7.4.1). The result is kept until an executable changes. */
static bool is_mismatched(struct gl_context *ctx, struct gl_pipeline *p)
{
    static const enum shader_stage order[] = {SHADER_VERTEX,   SHADER_TESS_CTRL, SHADER_TESS_EVAL,
                                              SHADER_GEOMETRY, SHADER_MESH,      SHADER_FRAGMENT};
    const struct gl_executable *last = NULL;
    bool changed = false;
    for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
        const enum shader_stage s = order[i];
        struct gl_executable *exe = p->program[s] ? p->program[s]->installed : NULL;
        changed |= exe != p->checked[s];
        gl_executable_reference(ctx, &p->checked[s], exe);
    }
    if (!changed)
        return p->mismatched;
    p->mismatched = false;
    for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
        const struct gl_executable *exe = p->checked[order[i]];
        /* A mesh shader has no inputs; if there is one, it feeds the fragment shader. */
        if (exe && last && exe != last && order[i] != SHADER_MESH)
            p->mismatched |= !glsl_interfaces_match(last->glsl, exe->glsl);
        last = exe ? exe : last;
    }
    return p->mismatched;
}

/* Returns why the pipeline can't draw (GL 4.6 §7.4.2, §11.1.3.11); NULL if it can. */
static const char *invalid_reason(struct gl_context *ctx, struct gl_pipeline *p)
{
    bool any = false;
    struct gl_unit_sampler_types types;
    memset(&types, GL_UNIT_FREE, sizeof types);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        const struct gl_program *program = p->program[s];
        if (!program)
            continue;
        any = true;
        if (!program->installed->separable)
            return "error: a program was linked again without GL_PROGRAM_SEPARABLE\n";
        for (unsigned o = 0; o < SHADER_STAGE_COUNT; o++)
            if (program->installed->stage[o] && p->program[o] != program)
                return "error: a program is active for some of its stages only\n";
        if (s != SHADER_COMPUTE && !gl_add_unit_sampler_types(&types, program->installed->stage[s]))
            return gl_samplers_conflict;
    }
    if (is_split(p))
        return "error: a program's stages have another's between them\n";
    bool graphics =
        p->program[SHADER_TESS_CTRL] || p->program[SHADER_TESS_EVAL] || p->program[SHADER_GEOMETRY];
    if (graphics && !p->program[SHADER_VERTEX])
        return "error: there is no vertex shader\n";
    if (gl_is_es(ctx) && is_mismatched(ctx, p))
        return "error: outputs of a program do not match the inputs of the next one\n";
    return any ? NULL : "error: there is no program\n";
}

const char *gl_pipeline_invalid(struct gl_context *ctx)
{
    const struct gl_program_state *s = &ctx->program;
    return s->current || !s->pipeline ? NULL : invalid_reason(ctx, s->pipeline);
}

void gl_ValidateProgramPipeline(GLuint pipeline)
{
    GL_CONTEXT(ctx);
    struct gl_pipeline *p = lookup(ctx, pipeline, "glValidateProgramPipeline");
    if (!p)
        return;
    const char *why = invalid_reason(ctx, p);
    p->validated = !why;
    free(p->info_log);
    p->info_log = why ? strdup(why) : NULL;
}

/* ---------------------------------------------------------------------------------- queries --- */

void gl_GetProgramPipelineiv(GLuint pipeline, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_pipeline *p = lookup(ctx, pipeline, "glGetProgramPipelineiv");
    if (!p)
        return;
    switch (pname) {
    case GL_ACTIVE_PROGRAM:
        *params = p->active ? p->active->name : 0;
        return;
    case GL_VALIDATE_STATUS:
        *params = p->validated;
        return;
    case GL_INFO_LOG_LENGTH:
        *params = p->info_log ? (GLint)strlen(p->info_log) + 1 : 0;
        return;
    default:
        break;
    }
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (stages[s].type == pname && gl_shader_stage(ctx, pname) != SHADER_STAGE_NONE) {
            *params = p->program[s] ? p->program[s]->name : 0;
            return;
        }
    }
    gl_error(ctx, GL_INVALID_ENUM, "glGetProgramPipelineiv(pname=%s)", gl_enum_name(pname));
}

void gl_GetProgramPipelineInfoLog(GLuint pipeline, GLsizei size, GLsizei *length, GLchar *out)
{
    GL_CONTEXT(ctx);
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetProgramPipelineInfoLog(bufSize=%d)", size);
        return;
    }
    struct gl_pipeline *p = lookup(ctx, pipeline, "glGetProgramPipelineInfoLog");
    if (p)
        gl_copy_string(size, length, out, p->info_log ? p->info_log : "");
}

GLuint gl_pipeline_name(const struct gl_context *ctx)
{
    return ctx->program.pipeline ? ctx->program.pipeline->name : 0;
}

/* Implemented with the commands that its definition lists (GL 4.6 §7.1). */
GLuint gl_CreateShaderProgramv(GLenum type, GLsizei count, const GLchar *const *strings)
{
    GL_CONTEXT(ctx);
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glCreateShaderProgramv(count=%d)", count);
        return 0;
    }
    GLuint shader = gl_CreateShader(type);
    if (!shader)
        return 0;
    gl_ShaderSource(shader, count, strings, NULL);
    gl_CompileShader(shader);
    GLuint program = gl_CreateProgram();
    GLint compiled = GL_FALSE;
    gl_GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (program) {
        gl_ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
        if (compiled) {
            gl_AttachShader(program, shader);
            gl_LinkProgram(program);
            gl_DetachShader(program, shader);
        } else {
            gl_program_copy_shader_log(ctx, program, shader);
        }
    }
    gl_DeleteShader(shader);
    return program;
}
