/* SPDX-License-Identifier: MIT */
/* Commands of ARB_vertex_program, ARB_fragment_program and EXT_gpu_program_parameters. */
#include "gl/program/gl_asm.h"

#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_matrix.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "nir/nir_state_tokens.h"
#include "util/memory.h"
#include "util/refcount.h"

/* ---------------------------------------------------------------------------------- objects --- */

static struct gl_asm_program *create(GLuint name, unsigned target)
{
    struct gl_asm_program *p = talloc_zero(NULL, struct gl_asm_program);
    if (!p)
        return NULL;
    p->refcount = 1;
    p->name = name;
    p->target = target;
    return p;
}

static void unref(struct gl_context *ctx, struct gl_asm_program *p)
{
    if (!p || !ref_drop(&p->refcount))
        return;
    gl_executable_reference(ctx, &p->exe, NULL);
    talloc_free(p);
}

static void bind(struct gl_context *ctx, struct gl_asm_program *p)
{
    struct gl_asm_program **slot = &ctx->assembly.current[p->target];
    if (*slot == p)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_PARAMETERS);
    ref_take(&p->refcount);
    unref(ctx, *slot);
    *slot = p;
}

bool gl_asm_init(struct gl_context *ctx)
{
    struct gl_asm_state *s = &ctx->assembly;
    s->error_position = -1;
    for (unsigned t = 0; t < GL_ASM_TARGETS; t++) {
        s->initial[t] = s->current[t] = create(0, t);
        if (!s->initial[t])
            return false;
        s->initial[t]->refcount++;
    }
    return true;
}

void gl_asm_finish(struct gl_context *ctx)
{
    for (unsigned t = 0; t < GL_ASM_TARGETS; t++) {
        unref(ctx, ctx->assembly.current[t]);
        unref(ctx, ctx->assembly.initial[t]);
    }
    talloc_free(ctx->assembly.error);
}

static void finish_one(GLuint name, void *object, void *ctx)
{
    unref(ctx, object);
}

void gl_asm_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    gl_names_foreach(&shared->assembly, finish_one, ctx);
    gl_names_finish(&shared->assembly);
}

/* Returns the GL_ASM_… index of a target. -1: an error was raised. */
static int find_target(struct gl_context *ctx, GLenum target, const char *call)
{
    if (target == GL_VERTEX_PROGRAM_ARB && ctx->ext.ARB_vertex_program)
        return GL_ASM_VERTEX;
    if (target == GL_FRAGMENT_PROGRAM_ARB && ctx->ext.ARB_fragment_program)
        return GL_ASM_FRAGMENT;
    gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
    return -1;
}

void gl_GenProgramsARB(GLsizei n, GLuint *programs)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenProgramsARB(n=%d)", n);
    else if (!gl_names_gen(&ctx->shared->assembly, n, false, programs))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenProgramsARB");
}

void gl_DeleteProgramsARB(GLsizei n, const GLuint *programs)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteProgramsARB(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_asm_program *p =
            programs[i] ? gl_names_remove(&ctx->shared->assembly, programs[i]) : NULL;
        if (p && ctx->assembly.current[p->target] == p)
            bind(ctx, ctx->assembly.initial[p->target]);
        unref(ctx, p);
    }
}

GLboolean gl_IsProgramARB(GLuint program)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->shared->assembly, program) != NULL;
}

struct gl_asm_program *gl_get_or_create_asm(struct gl_context *ctx, GLuint program, GLenum target,
                                            const char *call)
{
    int t = find_target(ctx, target, call);
    if (t < 0)
        return NULL;
    struct gl_names *names = &ctx->shared->assembly;
    gl_names_lock(names);
    struct gl_asm_program *p = program ? gl_names_lookup(names, program) : ctx->assembly.initial[t];
    if (!p) {
        p = create(program, t);
        if (p && !gl_names_insert(names, program, p)) {
            unref(ctx, p);
            p = NULL;
        }
    }
    gl_names_unlock(names);
    if (p && p->target == (unsigned)t)
        return p;
    if (p)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(program=%u of another target)", call, program);
    else
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return NULL;
}

void gl_BindProgramARB(GLenum target, GLuint program)
{
    GL_CONTEXT(ctx);
    struct gl_asm_program *p = gl_get_or_create_asm(ctx, program, target, "glBindProgramARB");
    if (p)
        bind(ctx, p);
}

bool gl_asm_bind_temporarily(struct gl_context *ctx, GLuint program, GLenum target,
                             struct gl_asm_program **before, const char *call)
{
    struct gl_asm_program *p = gl_get_or_create_asm(ctx, program, target, call);
    *before = NULL;
    if (!p)
        return false;
    *before = ctx->assembly.current[p->target];
    ref_take(&(*before)->refcount);
    bind(ctx, p);
    return true;
}

void gl_asm_restore_binding(struct gl_context *ctx, struct gl_asm_program *before)
{
    if (before)
        bind(ctx, before);
    unref(ctx, before);
}

/* ---------------------------------------------------------------------------------- strings --- */

static struct asm_limits limits_of(const struct gl_context *ctx, unsigned target)
{
    const struct gl_constants *k = &ctx->consts;
    bool vertex = target == GL_ASM_VERTEX;
    return (struct asm_limits){
        .instructions = 16384,
        .alu_instructions = vertex ? 0 : 16384,
        .tex_instructions = vertex ? 0 : 16384,
        .tex_indirections = vertex ? 0 : 16384,
        .temporaries = 256,
        .parameters = 1024,
        .attribs = 16,
        .address_registers = vertex,
        .env_parameters = GL_ASM_ENV,
        .local_parameters = GL_ASM_LOCAL,
        .texture_image_units = k->max_texture_image_units,
        .texture_coords = k->max_texture_coords,
        .texture_units = k->max_texture_units,
        .vertex_attribs = MIN2(k->max_vertex_attribs, 16),
        .lights = k->max_lights,
        .clip_planes = k->max_clip_planes,
        .program_matrices = GL_ASM_MATRICES,
        .draw_buffers = k->max_draw_buffers,
    };
}

static void set_samplers(struct gl_stage *stage, const struct asm_program *compiled)
{
    static const uint8_t index[] = {
        [GLSL_SAMPLER_DIM_1D] = GL_TEXTURE_INDEX_1D,
        [GLSL_SAMPLER_DIM_2D] = GL_TEXTURE_INDEX_2D,
        [GLSL_SAMPLER_DIM_3D] = GL_TEXTURE_INDEX_3D,
        [GLSL_SAMPLER_DIM_CUBE] = GL_TEXTURE_INDEX_CUBE,
        [GLSL_SAMPLER_DIM_RECT] = GL_TEXTURE_INDEX_RECT,
    };
    for (unsigned u = 0; u < MIN2(ASM_MAX_SAMPLERS, DRV_MAX_SAMPLERS); u++) {
        const struct asm_sampler *s = &compiled->sampler[u];
        if (!s->used)
            continue;
        stage->sampler[u] = (struct gl_sampler_use){
            .used = true, .shadow = s->shadow, .index = index[s->dim], .unit = u};
        stage->num_samplers = u + 1;
    }
}

/* Installs a compiled program and takes it over. Returns false and leaves the program unchanged if
 * out of memory. */
static bool install(struct gl_context *ctx, struct gl_asm_program *p, struct asm_program *compiled,
                    const char *string, GLsizei length)
{
    static const enum shader_stage stages[] = {SHADER_VERTEX, SHADER_FRAGMENT};
    char *copy = talloc_size(p, length + 1);
    nir_shader *nir = copy ? talloc_steal(NULL, compiled->nir) : NULL;
    struct gl_executable *exe = nir ? gl_executable_from_nir(nir) : NULL;
    if (!exe) {
        talloc_free(copy);
        return false;
    }
    memcpy(copy, string, length);
    copy[length] = '\0';
    set_samplers(exe->stage[stages[p->target]], compiled);
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM | GL_DIRTY_TEXTURES);
    talloc_free(p->string);
    gl_executable_reference(ctx, &p->exe, NULL);
    p->string = copy;
    p->length = length;
    p->counts = compiled->counts;
    p->exe = exe;
    return true;
}

void gl_ProgramStringARB(GLenum target, GLenum format, GLsizei length, const void *string)
{
    GL_CONTEXT(ctx);
    static const enum shader_stage stages[] = {SHADER_VERTEX, SHADER_FRAGMENT};
    struct gl_asm_state *s = &ctx->assembly;
    int t = find_target(ctx, target, "glProgramStringARB");
    if (t < 0)
        return;
    if (format != GL_PROGRAM_FORMAT_ASCII_ARB || length < 0) {
        gl_error(ctx, length < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM,
                 "glProgramStringARB(format=%s, len=%d)", gl_enum_name(format), length);
        return;
    }
    struct asm_options options = {
        .limits = limits_of(ctx, t),
        .fragment_program_shadow = ctx->ext.ARB_fragment_program_shadow,
        .draw_buffers = ctx->ext.ARB_draw_buffers,
        .fragment_coord_conventions = ctx->ext.ARB_fragment_coord_conventions,
        .nir_options = ctx->screen->nir_options[stages[t]],
    };
    struct asm_program *compiled =
        UTIL_ATTEMPT(asm_compile(NULL, stages[t], string, length, &options));
    bool installed =
        compiled && compiled->nir && install(ctx, s->current[t], compiled, string, length);
    talloc_free(s->error);
    s->error = compiled && !compiled->nir ? talloc_strdup(NULL, compiled->error) : NULL;
    s->error_position = compiled && !compiled->nir ? compiled->error_position : -1;
    if (compiled && !compiled->nir)
        gl_error(ctx, GL_INVALID_OPERATION, "glProgramStringARB: %s", compiled->error);
    else if (!installed)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glProgramStringARB");
    talloc_free(compiled);
}

struct gl_asm_program *gl_bound_asm(struct gl_context *ctx, GLenum target, const char *call)
{
    int t = find_target(ctx, target, call);
    return t < 0 ? NULL : ctx->assembly.current[t];
}

void gl_GetProgramStringARB(GLenum target, GLenum pname, void *string)
{
    GL_CONTEXT(ctx);
    const struct gl_asm_program *p = gl_bound_asm(ctx, target, "glGetProgramStringARB");
    if (!p)
        return;
    if (pname != GL_PROGRAM_STRING_ARB)
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramStringARB(pname=%s)", gl_enum_name(pname));
    else if (p->string)
        memcpy(string, p->string, p->length);
}

void gl_asm_get_iv(struct gl_context *ctx, const struct gl_asm_program *p, GLenum pname,
                   GLint *params, const char *call)
{
    const struct asm_limits l = limits_of(ctx, p->target);
    const struct asm_counts *c = &p->counts;
    const struct {
        GLenum pname;
        unsigned value;
        bool fragment; /* the property exists only for fragment programs */
    } values[] = {
        {GL_PROGRAM_LENGTH_ARB, p->length, false},
        {GL_PROGRAM_FORMAT_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, false},
        {GL_PROGRAM_BINDING_ARB, ctx->assembly.current[p->target]->name, false},
        {GL_PROGRAM_UNDER_NATIVE_LIMITS_ARB, 1, false},
        {GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, GL_ASM_ENV, false},
        {GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, GL_ASM_LOCAL, false},
#define COUNT(NAME, field, fragment)                                                               \
    {GL_PROGRAM_##NAME##_ARB, c->field, fragment},                                                 \
        {GL_PROGRAM_NATIVE_##NAME##_ARB, c->field, fragment},                                      \
        {GL_MAX_PROGRAM_##NAME##_ARB, l.field, fragment},                                          \
    {                                                                                              \
        GL_MAX_PROGRAM_NATIVE_##NAME##_ARB, l.field, fragment                                      \
    }
        COUNT(INSTRUCTIONS, instructions, false),
        COUNT(TEMPORARIES, temporaries, false),
        COUNT(PARAMETERS, parameters, false),
        COUNT(ATTRIBS, attribs, false),
        COUNT(ADDRESS_REGISTERS, address_registers, false),
        COUNT(ALU_INSTRUCTIONS, alu_instructions, true),
        COUNT(TEX_INSTRUCTIONS, tex_instructions, true),
        COUNT(TEX_INDIRECTIONS, tex_indirections, true),
#undef COUNT
    };
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
        if (values[i].pname == pname && (p->target == GL_ASM_FRAGMENT || !values[i].fragment)) {
            *params = values[i].value;
            return;
        }
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

/* ------------------------------------------------------------------------------- parameters --- */

/* Returns the location of count parameters, starting at index, to read or write. NULL: an error was
 * raised, or no parameter to read was ever set. */
static float (*parameters(struct gl_context *ctx, GLenum target, GLuint index, GLsizei count,
                          bool local, bool write, const char *call))[4]
{
    int t = find_target(ctx, target, call);
    if (t < 0)
        return NULL;
    unsigned limit = local ? GL_ASM_LOCAL : GL_ASM_ENV;
    if (count < 0 || index >= limit || (unsigned)count > limit - index) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u, count=%d)", call, index, count);
        return NULL;
    }
    if (write)
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_PARAMETERS);
    if (!local)
        return &ctx->assembly.env[t][index];
    struct gl_asm_program *p = ctx->assembly.current[t];
    if (!p->local && write) {
        p->local = talloc_zero_size(p, GL_ASM_LOCAL * sizeof *p->local);
        if (!p->local)
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    }
    return p->local ? &p->local[index] : NULL;
}

static void set(GLenum target, GLuint index, GLsizei count, const float *v, bool local,
                const char *call)
{
    GL_CONTEXT(ctx);
    float(*place)[4] = parameters(ctx, target, index, count, local, true, call);
    if (place)
        memcpy(place, v, count * sizeof *place);
}

static void get(GLenum target, GLuint index, float v[4], bool local, const char *call)
{
    GL_CONTEXT(ctx);
    GLenum before = ctx->error;
    float(*place)[4] = parameters(ctx, target, index, 1, local, false, call);
    if (place)
        memcpy(v, *place, sizeof *place);
    else if (ctx->error == before)
        memset(v, 0, 4 * sizeof *v);
}

#define PARAMETER_COMMANDS(Kind, local)                                                            \
    void gl_Program##Kind##Parameter4fARB(GLenum target, GLuint index, GLfloat x, GLfloat y,       \
                                          GLfloat z, GLfloat w)                                    \
    {                                                                                              \
        set(target, index, 1, (float[]){x, y, z, w}, local, "glProgram" #Kind "Parameter4fARB");   \
    }                                                                                              \
    void gl_Program##Kind##Parameter4fvARB(GLenum target, GLuint index, const GLfloat *v)          \
    {                                                                                              \
        set(target, index, 1, v, local, "glProgram" #Kind "Parameter4fvARB");                      \
    }                                                                                              \
    void gl_Program##Kind##Parameter4dARB(GLenum target, GLuint index, GLdouble x, GLdouble y,     \
                                          GLdouble z, GLdouble w)                                  \
    {                                                                                              \
        set(target, index, 1, (float[]){x, y, z, w}, local, "glProgram" #Kind "Parameter4dARB");   \
    }                                                                                              \
    void gl_Program##Kind##Parameter4dvARB(GLenum target, GLuint index, const GLdouble *v)         \
    {                                                                                              \
        set(target, index, 1, (float[]){v[0], v[1], v[2], v[3]}, local,                            \
            "glProgram" #Kind "Parameter4dvARB");                                                  \
    }                                                                                              \
    void gl_Program##Kind##Parameters4fvEXT(GLenum target, GLuint index, GLsizei count,            \
                                            const GLfloat *v)                                      \
    {                                                                                              \
        set(target, index, count, v, local, "glProgram" #Kind "Parameters4fvEXT");                 \
    }                                                                                              \
    void gl_GetProgram##Kind##ParameterfvARB(GLenum target, GLuint index, GLfloat *v)              \
    {                                                                                              \
        get(target, index, v, local, "glGetProgram" #Kind "ParameterfvARB");                       \
    }                                                                                              \
    void gl_GetProgram##Kind##ParameterdvARB(GLenum target, GLuint index, GLdouble *v)             \
    {                                                                                              \
        float f[4] = {v[0], v[1], v[2], v[3]};                                                     \
        get(target, index, f, local, "glGetProgram" #Kind "ParameterdvARB");                       \
        for (unsigned i = 0; i < 4; i++)                                                           \
            v[i] = f[i];                                                                           \
    }

PARAMETER_COMMANDS(Env, false)
PARAMETER_COMMANDS(Local, true)

void gl_asm_parameter(const struct gl_context *ctx, const int16_t *tokens, float v[4])
{
    const struct gl_asm_state *s = &ctx->assembly;
    bool fragment =
        tokens[0] == STATE_FRAGMENT_PROGRAM_ENV || tokens[0] == STATE_FRAGMENT_PROGRAM_LOCAL;
    unsigned t = fragment ? GL_ASM_FRAGMENT : GL_ASM_VERTEX, i = tokens[1];
    if (tokens[0] == STATE_VERTEX_PROGRAM_ENV || tokens[0] == STATE_FRAGMENT_PROGRAM_ENV)
        memcpy(v, s->env[t][i % GL_ASM_ENV], 4 * sizeof *v);
    else if (s->current[t]->local)
        memcpy(v, s->current[t]->local[i % GL_ASM_LOCAL], 4 * sizeof *v);
    else
        memset(v, 0, 4 * sizeof *v);
}

/* ---------------------------------------------------------------------------------- queries --- */

/* Returns the current matrix of the matrix mode (ARB_vertex_program, table 6.X.1). */
static unsigned get_matrix(struct gl_context *ctx, bool transpose, double *v)
{
    const struct gl_matrix_stack *s = gl_current_stack(ctx, "glGet");
    float m[16];
    gl_matrix_identity(m);
    if (s && transpose)
        gl_matrix_transpose(m, gl_matrix_top(s));
    else if (s)
        memcpy(m, gl_matrix_top(s), sizeof m);
    for (unsigned i = 0; i < 16; i++)
        v[i] = m[i];
    return 16;
}

unsigned gl_asm_get(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    const struct gl_matrix_stack *s;
    if (!ctx->ext.ARB_vertex_program && !ctx->ext.ARB_fragment_program)
        return 0;
    switch (pname) {
    case GL_PROGRAM_ERROR_POSITION_ARB:
        v[0] = ctx->assembly.error_position;
        return 1;
    case GL_MAX_PROGRAM_MATRICES_ARB:
        v[0] = GL_ASM_MATRICES;
        return 1;
    case GL_MAX_PROGRAM_MATRIX_STACK_DEPTH_ARB:
        v[0] = GL_ASM_MATRIX_STACK;
        return 1;
    case GL_CURRENT_MATRIX_STACK_DEPTH_ARB:
        s = gl_current_stack(ctx, "glGet");
        v[0] = s ? s->depth + 1 : 1;
        return 1;
    case GL_CURRENT_MATRIX_ARB:
    case GL_TRANSPOSE_CURRENT_MATRIX_ARB:
        *type = GL_GET_FLOAT;
        return get_matrix(ctx, pname == GL_TRANSPOSE_CURRENT_MATRIX_ARB, v);
    default:
        return 0;
    }
}

/* ---------------------------------------------------------------------------------- drawing --- */

static int target_of(enum shader_stage stage)
{
    return stage == SHADER_VERTEX ? GL_ASM_VERTEX : stage == SHADER_FRAGMENT ? GL_ASM_FRAGMENT : -1;
}

struct gl_executable *gl_asm_executable(const struct gl_context *ctx, enum shader_stage stage)
{
    int t = target_of(stage);
    return t >= 0 && ctx->assembly.enabled[t] ? ctx->assembly.current[t]->exe : NULL;
}

bool gl_asm_invalid(const struct gl_context *ctx)
{
    static const enum shader_stage stages[] = {SHADER_VERTEX, SHADER_FRAGMENT};
    for (unsigned t = 0; t < GL_ASM_TARGETS; t++)
        if (ctx->assembly.enabled[t] && !ctx->assembly.current[t]->exe &&
            !gl_stage_executable(ctx, stages[t]))
            return true;
    return false;
}
