/* SPDX-License-Identifier: MIT */
/*
 * Subroutines and subroutine uniforms per stage of a program (GL 4.6 §7.10). The values of the
 * uniforms belong to the context, not to the program.
 */
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

/* Raises GL_INVALID_ENUM and returns SHADER_STAGE_NONE if type is not a shader type. */
static enum shader_stage stage_of(struct gl_context *ctx, GLenum type, const char *call)
{
    static const GLenum types[SHADER_STAGE_COUNT] = {
        [SHADER_VERTEX] = GL_VERTEX_SHADER,
        [SHADER_TESS_CTRL] = GL_TESS_CONTROL_SHADER,
        [SHADER_TESS_EVAL] = GL_TESS_EVALUATION_SHADER,
        [SHADER_GEOMETRY] = GL_GEOMETRY_SHADER,
        [SHADER_FRAGMENT] = GL_FRAGMENT_SHADER,
        [SHADER_COMPUTE] = GL_COMPUTE_SHADER,
        [SHADER_TASK] = GL_TASK_SHADER_EXT,
        [SHADER_MESH] = GL_MESH_SHADER_EXT,
    };
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        if (types[s] == type && (s <= SHADER_COMPUTE || ctx->ext.EXT_mesh_shader))
            return s;
    gl_error(ctx, GL_INVALID_ENUM, "%s(shadertype=%s)", call, gl_enum_name(type));
    return SHADER_STAGE_NONE;
}

/* The interfaces of subroutine uniforms (GL 4.6 table 7.10). */
static const GLenum uniform_interfaces[SHADER_STAGE_COUNT] = {
    [SHADER_VERTEX] = GL_VERTEX_SUBROUTINE_UNIFORM,
    [SHADER_TESS_CTRL] = GL_TESS_CONTROL_SUBROUTINE_UNIFORM,
    [SHADER_TESS_EVAL] = GL_TESS_EVALUATION_SUBROUTINE_UNIFORM,
    [SHADER_GEOMETRY] = GL_GEOMETRY_SUBROUTINE_UNIFORM,
    [SHADER_FRAGMENT] = GL_FRAGMENT_SUBROUTINE_UNIFORM,
    [SHADER_COMPUTE] = GL_COMPUTE_SUBROUTINE_UNIFORM,
    [SHADER_TASK] = GL_TASK_SUBROUTINE_UNIFORM_EXT,
    [SHADER_MESH] = GL_MESH_SUBROUTINE_UNIFORM_EXT,
};

/* Returns the linked program if it has the stage. NULL: an error was raised. */
static const struct glsl_program *find_stage(struct gl_context *ctx, GLuint program, GLenum type,
                                             enum shader_stage *stage, const char *call)
{
    *stage = stage_of(ctx, type, call);
    if (*stage == SHADER_STAGE_NONE)
        return NULL;
    struct gl_program *p = gl_program_lookup_linked(ctx, program, call);
    if (!p)
        return NULL;
    if (p->exe->stage[*stage])
        return p->exe->glsl;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(the program has no such stage)", call);
    return NULL;
}

/* Returns subroutine uniform n of a stage; NULL if there are fewer. */
static const struct glsl_subroutine_uniform *nth_uniform(const struct glsl_program *glsl,
                                                         enum shader_stage stage, unsigned n)
{
    for (unsigned i = 0; i < glsl->num_subroutine_uniforms; i++)
        if (glsl->subroutine_uniforms[i].stage == stage && n-- == 0)
            return &glsl->subroutine_uniforms[i];
    return NULL;
}

static const struct glsl_subroutine *by_index(const struct glsl_program *glsl,
                                              enum shader_stage stage, unsigned index)
{
    for (unsigned i = 0; i < glsl->num_subroutines; i++)
        if (glsl->subroutines[i].stage == stage && glsl->subroutines[i].index == index)
            return &glsl->subroutines[i];
    return NULL;
}

static const struct glsl_subroutine_uniform *by_location(const struct glsl_program *glsl,
                                                         enum shader_stage stage, unsigned location)
{
    for (unsigned i = 0; i < glsl->num_subroutine_uniforms; i++) {
        const struct glsl_subroutine_uniform *u = &glsl->subroutine_uniforms[i];
        if (u->stage == stage && location >= u->location &&
            location - u->location < MAX2(u->array_size, 1))
            return u;
    }
    return NULL;
}

/* Returns the number of locations from 0 on, including unused ones. */
static unsigned num_locations(const struct glsl_program *glsl, enum shader_stage stage)
{
    unsigned n = 0;
    for (unsigned i = 0; i < glsl->num_subroutine_uniforms; i++) {
        const struct glsl_subroutine_uniform *u = &glsl->subroutine_uniforms[i];
        if (u->stage == stage)
            n = MAX2(n, u->location + MAX2(u->array_size, 1));
    }
    return n;
}

GLuint gl_GetSubroutineIndex(GLuint program, GLenum type, const GLchar *name)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage;
    const struct glsl_program *glsl =
        find_stage(ctx, program, type, &stage, "glGetSubroutineIndex");
    for (unsigned i = 0; glsl && name && i < glsl->num_subroutines; i++)
        if (glsl->subroutines[i].stage == stage && !strcmp(glsl->subroutines[i].name, name))
            return glsl->subroutines[i].index;
    return GL_INVALID_INDEX;
}

/* Equivalent to glGetProgramResourceLocation, whose rules for names of array elements apply. */
GLint gl_GetSubroutineUniformLocation(GLuint program, GLenum type, const GLchar *name)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage;
    const struct glsl_program *glsl =
        find_stage(ctx, program, type, &stage, "glGetSubroutineUniformLocation");
    return glsl ? gl_GetProgramResourceLocation(program, uniform_interfaces[stage], name) : -1;
}

/* Returns 1 plus the largest index of a subroutine of the stage. Explicit indices may leave others
 * below it unused, whose names are empty (ARB_explicit_uniform_location). */
static unsigned num_indices(const struct glsl_program *glsl, enum shader_stage stage)
{
    unsigned n = 0;
    for (unsigned i = 0; i < glsl->num_subroutines; i++)
        if (glsl->subroutines[i].stage == stage)
            n = MAX2(n, glsl->subroutines[i].index + 1u);
    return n;
}

void gl_GetActiveSubroutineName(GLuint program, GLenum type, GLuint index, GLsizei size,
                                GLsizei *length, GLchar *name)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage;
    const struct glsl_program *glsl =
        find_stage(ctx, program, type, &stage, "glGetActiveSubroutineName");
    if (!glsl)
        return;
    const struct glsl_subroutine *s = by_index(glsl, stage, index);
    if (size < 0 || (!s && index >= num_indices(glsl, stage)))
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveSubroutineName(index=%u)", index);
    else
        gl_copy_string(size, length, name, s ? s->name : "");
}

/* Equivalent to glGetProgramResourceName, which appends "[0]" to the names of arrays. */
void gl_GetActiveSubroutineUniformName(GLuint program, GLenum type, GLuint index, GLsizei size,
                                       GLsizei *length, GLchar *name)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage;
    const struct glsl_program *glsl =
        find_stage(ctx, program, type, &stage, "glGetActiveSubroutineUniformName");
    if (glsl)
        gl_GetProgramResourceName(program, uniform_interfaces[stage], index, size, length, name);
}

void gl_GetActiveSubroutineUniformiv(GLuint program, GLenum type, GLuint index, GLenum pname,
                                     GLint *values)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage;
    const struct glsl_program *glsl =
        find_stage(ctx, program, type, &stage, "glGetActiveSubroutineUniformiv");
    const struct glsl_subroutine_uniform *u = glsl ? nth_uniform(glsl, stage, index) : NULL;
    if (!glsl)
        return;
    if (!u) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveSubroutineUniformiv(index=%u)", index);
        return;
    }
    switch (pname) {
    case GL_NUM_COMPATIBLE_SUBROUTINES:
        *values = u->num_compatible;
        break;
    case GL_COMPATIBLE_SUBROUTINES:
        for (unsigned i = 0; i < u->num_compatible; i++)
            values[i] = u->compatible[i];
        break;
    case GL_UNIFORM_SIZE:
        *values = MAX2(u->array_size, 1);
        break;
    case GL_UNIFORM_NAME_LENGTH:
        gl_GetProgramResourceiv(program, uniform_interfaces[stage], index, 1,
                                &(const GLenum){GL_NAME_LENGTH}, 1, NULL, values);
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetActiveSubroutineUniformiv(pname=%s)",
                 gl_enum_name(pname));
        break;
    }
}

void gl_GetProgramStageiv(GLuint program, GLenum type, GLenum pname, GLint *values)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage = stage_of(ctx, type, "glGetProgramStageiv");
    struct gl_program *p =
        stage == SHADER_STAGE_NONE ? NULL : gl_program_lookup(ctx, program, "glGetProgramStageiv");
    if (!p)
        return;
    static const struct glsl_program none;
    const struct glsl_program *glsl = p->exe ? p->exe->glsl : &none;
    GLint functions = 0, uniforms = 0, longest = 0;
    for (unsigned i = 0; i < glsl->num_subroutines; i++) {
        if (glsl->subroutines[i].stage != stage)
            continue;
        functions++;
        longest = MAX2(longest, (GLint)strlen(glsl->subroutines[i].name) + 1);
    }
    for (unsigned i = 0; i < glsl->num_subroutine_uniforms; i++)
        uniforms += glsl->subroutine_uniforms[i].stage == stage;
    switch (pname) {
    case GL_ACTIVE_SUBROUTINES:
        *values = functions;
        break;
    case GL_ACTIVE_SUBROUTINE_UNIFORMS:
        *values = uniforms;
        break;
    case GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS:
        *values = num_locations(glsl, stage);
        break;
    case GL_ACTIVE_SUBROUTINE_MAX_LENGTH:
        *values = longest;
        break;
    case GL_ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH:
        gl_GetProgramInterfaceiv(program, uniform_interfaces[stage], GL_MAX_NAME_LENGTH, values);
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramStageiv(pname=%s)", gl_enum_name(pname));
        break;
    }
}

/* ----------------------------------------------------------------------------------- values --- */

/* Returns the values of the subroutine uniforms of a stage, by location. */
static GLuint *values_of(const struct gl_context *ctx, enum shader_stage stage)
{
    return ctx->program.subroutines +
           stage * ctx->consts.glsl->limits.max_subroutine_uniform_locations;
}

/* Sets the values of a stage to default functions. */
static void set_defaults(const struct gl_context *ctx, const struct glsl_program *glsl,
                         enum shader_stage stage)
{
    for (unsigned i = 0; i < glsl->num_subroutine_uniforms; i++) {
        const struct glsl_subroutine_uniform *u = &glsl->subroutine_uniforms[i];
        for (unsigned e = 0; u->stage == stage && e < MAX2(u->array_size, 1); e++)
            values_of(ctx, stage)[u->location + e] = u->num_compatible ? u->compatible[0] : 0;
    }
}

void gl_reset_subroutines(struct gl_context *ctx, unsigned stages, const char *call)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct gl_executable *exe = stages >> s & 1 ? gl_stage_executable(ctx, s) : NULL;
        if (!exe || !exe->glsl || !num_locations(exe->glsl, s))
            continue;
        if (!ctx->program.subroutines)
            ctx->program.subroutines = talloc_zero_array(
                ctx, GLuint,
                SHADER_STAGE_COUNT * ctx->consts.glsl->limits.max_subroutine_uniform_locations);
        if (!ctx->program.subroutines) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORMS);
        exe->stage[s]->stamp++;
        set_defaults(ctx, exe->glsl, s);
    }
}

void gl_store_subroutines(const struct gl_context *ctx, const struct gl_executable *exe,
                          enum shader_stage stage, uint8_t *constants)
{
    const struct glsl_program *glsl = exe->glsl;
    for (unsigned i = 0; glsl && ctx->program.subroutines && i < glsl->num_subroutine_uniforms;
         i++) {
        const struct glsl_subroutine_uniform *u = &glsl->subroutine_uniforms[i];
        if (u->stage == stage)
            memcpy(constants + u->offset, values_of(ctx, stage) + u->location,
                   MAX2(u->array_size, 1) * sizeof(GLuint));
    }
}

/* --------------------------------------------------------------------------------- commands --- */

static bool is_compatible(const struct glsl_subroutine_uniform *u, unsigned index)
{
    for (unsigned i = 0; i < u->num_compatible; i++)
        if (u->compatible[i] == index)
            return true;
    return false;
}

void gl_UniformSubroutinesuiv(GLenum type, GLsizei count, const GLuint *indices)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage = stage_of(ctx, type, "glUniformSubroutinesuiv");
    if (stage == SHADER_STAGE_NONE)
        return;
    struct gl_executable *exe = gl_stage_executable(ctx, stage);
    if (!exe) {
        gl_error(ctx, GL_INVALID_OPERATION, "glUniformSubroutinesuiv(no program)");
        return;
    }
    if (count < 0 || (unsigned)count != num_locations(exe->glsl, stage)) {
        gl_error(ctx, GL_INVALID_VALUE, "glUniformSubroutinesuiv(count=%d)", count);
        return;
    }
    for (GLsizei i = 0; i < count; i++) {
        const struct glsl_subroutine_uniform *u = by_location(exe->glsl, stage, i);
        if (!u || is_compatible(u, indices[i]))
            continue;
        bool known = by_index(exe->glsl, stage, indices[i]) != NULL;
        gl_error(ctx, known ? GL_INVALID_OPERATION : GL_INVALID_VALUE,
                 "glUniformSubroutinesuiv(index %u for %s)", indices[i], u->name);
        return;
    }
    if (!count || !ctx->program.subroutines)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORMS);
    exe->stage[stage]->stamp++;
    memcpy(values_of(ctx, stage), indices, count * sizeof *indices);
}

void gl_GetUniformSubroutineuiv(GLenum type, GLint location, GLuint *params)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage = stage_of(ctx, type, "glGetUniformSubroutineuiv");
    if (stage == SHADER_STAGE_NONE)
        return;
    struct gl_executable *exe = gl_stage_executable(ctx, stage);
    const struct glsl_subroutine_uniform *u =
        exe && location >= 0 ? by_location(exe->glsl, stage, location) : NULL;
    if (!exe)
        gl_error(ctx, GL_INVALID_OPERATION, "glGetUniformSubroutineuiv(no program)");
    else if (!u)
        gl_error(ctx, GL_INVALID_VALUE, "glGetUniformSubroutineuiv(location=%d)", location);
    else if (ctx->program.subroutines)
        *params = values_of(ctx, stage)[location];
}
