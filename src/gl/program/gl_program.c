/* SPDX-License-Identifier: MIT */
/* Program objects (GL 4.6 §7.3): attachments, bindings, linking, use. */
#include "gl/program/gl_program.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/memory.h"
#include "util/refcount.h"
#include "util/deep_stack.h"

/* --------------------------------------------------------------------------------- lifetime --- */

struct gl_program *gl_program_lookup(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_program *program = gl_names_lookup(&ctx->shared->programs, name);
    if (program && program->is_program)
        return program;
    gl_error(ctx, program ? GL_INVALID_OPERATION : GL_INVALID_VALUE, "%s(program=%u)", call, name);
    return NULL;
}

struct gl_program *gl_program_lookup_linked(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_program *program = gl_program_lookup(ctx, name, call);
    if (!program || program->exe)
        return program;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(program %u is not linked)", call, name);
    return NULL;
}

static void free_bound_names(struct gl_bound_name *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(names[i].name);
    free(names);
}

static void free_varyings(struct gl_program *p)
{
    for (unsigned i = 0; i < p->num_xfb_varyings; i++)
        free(p->xfb_varyings[i]);
    free(p->xfb_varyings);
    p->xfb_varyings = NULL;
    p->num_xfb_varyings = 0;
}

static void free_program(struct gl_context *ctx, struct gl_program *p)
{
    for (unsigned i = 0; i < p->num_shaders; i++)
        gl_shader_release(ctx, p->shaders[i]);
    free(p->shaders);
    free_bound_names(p->attribs, p->num_attribs);
    free_bound_names(p->frag_data, p->num_frag_data);
    free_varyings(p);
    gl_executable_reference(ctx, &p->exe, NULL);
    gl_executable_reference(ctx, &p->installed, NULL);
    free(p->info_log);
    free(p->label);
    free(p);
}

void gl_program_reference(struct gl_context *ctx, struct gl_program **dst, struct gl_program *src)
{
    struct gl_program *old = *dst;
    struct gl_names *names = &ctx->shared->programs;
    if (old == src)
        return;
    if (src)
        ref_take(&src->refcount);
    *dst = src;
    if (!old)
        return;
    gl_names_lock(names);
    if (ref_drop(&old->refcount)) {
        gl_names_remove(names, old->name);
        free_program(ctx, old);
    }
    gl_names_unlock(names);
}

GLuint gl_CreateProgram(void)
{
    GL_CONTEXT(ctx);
    GLuint name;
    struct gl_program *program = calloc(1, sizeof *program);
    if (!program || !gl_names_gen(&ctx->shared->programs, 1, false, &name)) {
        free(program);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCreateProgram");
        return 0;
    }
    program->is_program = true;
    program->refcount = 1;
    program->name = name;
    program->geometry.input = GL_TRIANGLES;
    program->geometry.output = GL_TRIANGLE_STRIP;
    if (!gl_names_insert(&ctx->shared->programs, name, program)) {
        gl_names_remove(&ctx->shared->programs, name);
        free(program);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCreateProgram");
        return 0;
    }
    return name;
}

void gl_DeleteProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    if (!name)
        return;
    gl_names_lock(&ctx->shared->programs);
    struct gl_program *program = gl_program_lookup(ctx, name, "glDeleteProgram");
    if (program && !program->delete_pending) {
        program->delete_pending = true;
        gl_program_reference(ctx, &program, NULL);
    }
    gl_names_unlock(&ctx->shared->programs);
}

GLboolean gl_IsProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_program *program = gl_names_lookup(&ctx->shared->programs, name);
    return program && program->is_program;
}

static void free_leftover_program(GLuint name, void *object, void *data)
{
    struct gl_program *program = object;
    if (program->is_program)
        gl_program_reference(data, &program, NULL);
}

static void free_leftover_shader(GLuint name, void *object, void *data)
{
    struct gl_shader_object *shader = object;
    gl_shader_reference(&shader, NULL);
}

void gl_programs_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    gl_names_foreach(&shared->programs, free_leftover_program, ctx);
    gl_names_foreach(&shared->programs, free_leftover_shader, NULL);
}

char **gl_program_label(struct gl_context *ctx, GLenum identifier, GLuint name)
{
    struct gl_program *object = gl_names_lookup(&ctx->shared->programs, name);
    bool program = identifier == GL_PROGRAM;
    return object && object->is_program == program ? &object->label : NULL;
}

/* ------------------------------------------------------------------------------ attachments --- */

static bool can_attach(struct gl_context *ctx, const struct gl_program *p,
                       const struct gl_shader_object *shader)
{
    for (unsigned i = 0; i < p->num_shaders; i++) {
        if (p->shaders[i] == shader) {
            gl_error(ctx, GL_INVALID_OPERATION, "glAttachShader(shader %u is attached)",
                     shader->name);
            return false;
        }
        /* ES allows one shader per stage (ES 3.2 §7.3). */
        if (gl_is_es(ctx) && p->shaders[i]->stage == shader->stage) {
            gl_error(ctx, GL_INVALID_OPERATION,
                     "glAttachShader(a shader of that type is attached)");
            return false;
        }
    }
    return true;
}

void gl_AttachShader(GLuint program, GLuint shader)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glAttachShader");
    struct gl_shader_object *s = p ? gl_shader_lookup(ctx, shader, "glAttachShader") : NULL;
    if (!s || !can_attach(ctx, p, s))
        return;
    struct gl_shader_object **grown = realloc(p->shaders, (p->num_shaders + 1) * sizeof *grown);
    if (!grown) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glAttachShader");
        return;
    }
    p->shaders = grown;
    p->shaders[p->num_shaders] = NULL;
    gl_shader_reference(&p->shaders[p->num_shaders++], s);
}

void gl_DetachShader(GLuint program, GLuint shader)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glDetachShader");
    struct gl_shader_object *s = p ? gl_shader_lookup(ctx, shader, "glDetachShader") : NULL;
    if (!s)
        return;
    for (unsigned i = 0; i < p->num_shaders; i++) {
        if (p->shaders[i] != s)
            continue;
        memmove(&p->shaders[i], &p->shaders[i + 1], (--p->num_shaders - i) * sizeof *p->shaders);
        gl_names_lock(&ctx->shared->programs);
        gl_shader_release(ctx, s);
        gl_names_unlock(&ctx->shared->programs);
        return;
    }
    gl_error(ctx, GL_INVALID_OPERATION, "glDetachShader(shader %u is not attached)", shader);
}

void gl_GetAttachedShaders(GLuint program, GLsizei max, GLsizei *count, GLuint *shaders)
{
    GL_CONTEXT(ctx);
    if (max < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetAttachedShaders(maxCount=%d)", max);
        return;
    }
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetAttachedShaders");
    if (!p)
        return;
    GLsizei n = MIN2((GLsizei)p->num_shaders, max);
    for (GLsizei i = 0; i < n && shaders; i++)
        shaders[i] = p->shaders[i]->name;
    if (count)
        *count = n;
}

/* --------------------------------------------------------------------- bindings before link --- */

static void bind_name(struct gl_context *ctx, struct gl_bound_name **list, unsigned *count,
                      const GLchar *name, GLuint location, GLuint index, const char *call)
{
    if (!strncmp(name, "gl_", 3)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(name=%s)", call, name);
        return;
    }
    for (unsigned i = 0; i < *count; i++) {
        if (!strcmp((*list)[i].name, name)) {
            (*list)[i].location = location;
            (*list)[i].index = index;
            return;
        }
    }
    char *copy = strdup(name);
    struct gl_bound_name *grown = realloc(*list, (*count + 1) * sizeof *grown);
    if (grown)
        *list = grown;
    if (!copy || !grown) {
        free(copy);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    grown[(*count)++] = (struct gl_bound_name){copy, location, index};
}

void gl_BindAttribLocation(GLuint program, GLuint index, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glBindAttribLocation");
    if (!p || !name)
        return;
    if (index >= (GLuint)ctx->consts.max_vertex_attribs) {
        gl_error(ctx, GL_INVALID_VALUE, "glBindAttribLocation(index=%u)", index);
        return;
    }
    bind_name(ctx, &p->attribs, &p->num_attribs, name, index, 0, "glBindAttribLocation");
}

void gl_BindFragDataLocationIndexed(GLuint program, GLuint color, GLuint index, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glBindFragDataLocationIndexed");
    if (!p || !name)
        return;
    GLint limit = index ? ctx->consts.max_dual_source_draw_buffers : ctx->consts.max_draw_buffers;
    if (index > 1 || color >= (GLuint)limit) {
        gl_error(ctx, GL_INVALID_VALUE, "glBindFragDataLocationIndexed(colorNumber=%u, index=%u)",
                 color, index);
        return;
    }
    bind_name(ctx, &p->frag_data, &p->num_frag_data, name, color, index, "glBindFragDataLocation");
}

void gl_BindFragDataLocation(GLuint program, GLuint color, const GLchar *name)
{
    gl_BindFragDataLocationIndexed(program, color, 0, name);
}

/* Sets a parameter of ARB_geometry_shader4, or raises an error if the value is invalid. Returns
 * false if pname is not one. */
static bool set_geometry_parameter(struct gl_context *ctx, struct gl_program *p, GLenum pname,
                                   GLint value)
{
    bool ok;
    switch (pname) {
    case GL_GEOMETRY_VERTICES_OUT_ARB:
        ok = value >= 0 && value <= (GLint)ctx->screen->caps.max_gs_output_vertices;
        if (ok)
            p->geometry.vertices_out = value;
        break;
    case GL_GEOMETRY_INPUT_TYPE_ARB:
        ok = value == GL_POINTS || value == GL_LINES || value == GL_LINES_ADJACENCY ||
             value == GL_TRIANGLES || value == GL_TRIANGLES_ADJACENCY;
        if (ok)
            p->geometry.input = (GLenum)value;
        break;
    case GL_GEOMETRY_OUTPUT_TYPE_ARB:
        ok = value == GL_POINTS || value == GL_LINE_STRIP || value == GL_TRIANGLE_STRIP;
        if (ok)
            p->geometry.output = (GLenum)value;
        break;
    default:
        return false;
    }
    if (!ok)
        gl_error(ctx, GL_INVALID_VALUE, "glProgramParameteri(%s=%d)", gl_enum_name(pname), value);
    return true;
}

void gl_ProgramParameteri(GLuint program, GLenum pname, GLint value)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glProgramParameteri");
    if (!p)
        return;
    if (ctx->ext.ARB_geometry_shader4 && set_geometry_parameter(ctx, p, pname, value))
        return;
    if (value != GL_TRUE && value != GL_FALSE) {
        gl_error(ctx, GL_INVALID_VALUE, "glProgramParameteri(value=%d)", value);
        return;
    }
    switch (pname) {
    case GL_PROGRAM_SEPARABLE:
        p->separable = value;
        break;
    case GL_PROGRAM_BINARY_RETRIEVABLE_HINT:
        p->retrievable_next = value;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glProgramParameteri(pname=%s)", gl_enum_name(pname));
        break;
    }
}

/* GL 4.6 §11.1.2.1 */
void gl_TransformFeedbackVaryings(GLuint program, GLsizei count, const GLchar *const *varyings,
                                  GLenum mode)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glTransformFeedbackVaryings");
    if (!p)
        return;
    if (mode != GL_INTERLEAVED_ATTRIBS && mode != GL_SEPARATE_ATTRIBS) {
        gl_error(ctx, GL_INVALID_ENUM, "glTransformFeedbackVaryings(bufferMode=%s)",
                 gl_enum_name(mode));
        return;
    }
    const struct glsl_limits *limits = &ctx->consts.glsl->limits;
    unsigned most = limits->max_transform_feedback_separate_attribs;
    if (count < 0 || (mode == GL_SEPARATE_ATTRIBS && (unsigned)count > most)) {
        gl_error(ctx, GL_INVALID_VALUE, "glTransformFeedbackVaryings(count=%d)", count);
        return;
    }
    unsigned buffers = 1;
    bool separate = mode == GL_SEPARATE_ATTRIBS, pseudo_ok = true;
    for (GLsizei i = 0; ctx->ext.ARB_transform_feedback3 && i < count; i++) {
        bool next = !strcmp(varyings[i], "gl_NextBuffer");
        buffers += next;
        pseudo_ok &= !separate || (!next && !glsl_skipped_components(varyings[i]));
    }
    if (!pseudo_ok || buffers > limits->max_transform_feedback_buffers) {
        gl_error(ctx, GL_INVALID_OPERATION, "glTransformFeedbackVaryings(%s)",
                 pseudo_ok ? "too many gl_NextBuffer" : "gl_NextBuffer or gl_SkipComponents");
        return;
    }
    char **copy = calloc(MAX2(count, 1), sizeof *copy);
    bool ok = copy;
    for (GLsizei i = 0; ok && i < count; i++)
        ok = (copy[i] = strdup(varyings[i])) != NULL;
    if (!ok) {
        for (GLsizei i = 0; copy && i < count; i++)
            free(copy[i]);
        free(copy);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glTransformFeedbackVaryings");
        return;
    }
    free_varyings(p);
    p->xfb_varyings = copy;
    p->num_xfb_varyings = count;
    p->xfb_mode = mode;
}

/* ------------------------------------------------------------------------------------- link --- */

static struct glsl_binding *link_bindings(void *mem_ctx, const struct gl_bound_name *names,
                                          unsigned count)
{
    struct glsl_binding *out = talloc_array(mem_ctx, struct glsl_binding, MAX2(count, 1));
    for (unsigned i = 0; out && i < count; i++)
        out[i] = (struct glsl_binding){names[i].name, names[i].location, names[i].index};
    return out;
}

/* Returns a program without stages and resources. NULL: out of memory. */
static struct glsl_program *empty_program(void)
{
    struct glsl_program *glsl = talloc_zero(NULL, struct glsl_program);
    if (glsl)
        glsl->linked = true;
    return glsl;
}

/* Links the program. Returns NULL if linking could not start: *why is the reason, or NULL if out of
 * memory. */
static struct glsl_program *run_linker(struct gl_context *ctx, struct gl_program *p,
                                       const char **why)
{
    void *tmp = talloc_new(NULL);
    struct glsl_program *glsl = NULL;
    struct glsl_shader **shaders = talloc_array(tmp, struct glsl_shader *, MAX2(p->num_shaders, 1));
    struct glsl_link_input input = {
        .shaders = shaders,
        .num_shaders = p->num_shaders,
        .attribs = link_bindings(tmp, p->attribs, p->num_attribs),
        .num_attribs = p->num_attribs,
        .frag_data = link_bindings(tmp, p->frag_data, p->num_frag_data),
        .num_frag_data = p->num_frag_data,
        .xfb_varyings = (const char *const *)p->xfb_varyings,
        .num_xfb_varyings = p->num_xfb_varyings,
        .xfb_separate = p->xfb_mode == GL_SEPARATE_ATTRIBS,
        .separable = p->separable,
        .geometry_input = (uint8_t)p->geometry.input,
        .geometry_output = (uint8_t)p->geometry.output,
        .geometry_vertices = (unsigned)p->geometry.vertices_out,
    };
    *why = NULL;
    if (!shaders || !input.attribs || !input.frag_data)
        goto out;
    /* Programs need shaders (GL 4.6 §7.3), except in the compatibility profile, where fixed
     * function can replace all stages. */
    if (!p->num_shaders && !gl_is_compat(ctx))
        *why = "error: no shaders are attached\n";
    for (unsigned i = 0; i < p->num_shaders; i++) {
        shaders[i] = p->shaders[i]->compiled;
        if (!shaders[i] || !shaders[i]->compiled)
            *why = "error: linking with an uncompiled shader\n";
    }
    if (!*why && p->num_shaders)
        glsl = UTIL_ATTEMPT(glsl_link(NULL, ctx->consts.glsl, &input));
    else if (!*why && !p->num_shaders)
        glsl = empty_program();
out:
    talloc_free(tmp);
    return glsl;
}

static void set_log(struct gl_program *p, const char *text)
{
    free(p->info_log);
    p->info_log = strdup(text ? text : "");
}

void gl_program_copy_shader_log(struct gl_context *ctx, GLuint program, GLuint shader)
{
    struct gl_program *p = gl_program_lookup(ctx, program, "glCreateShaderProgramv");
    struct gl_shader_object *s = gl_shader_lookup(ctx, shader, "glCreateShaderProgramv");
    if (p && s && s->compiled)
        set_log(p, s->compiled->info_log);
}

/* The parameters of check_shader. */
struct check_args {
    struct drv_screen *screen;
    nir_shader *nir;
    char **error;
};

static void *check_deep(void *data)
{
    struct check_args *a = data;
    return a->screen->ops->check_shader(a->screen, a->nir, a->error) ? a : NULL;
}

static bool driver_accepts_stage(struct drv_screen *screen, nir_shader *nir, char **error)
{
    struct check_args args = {screen, nir, error};
    return util_deep_attempt(check_deep, &args) != NULL;
}

/* Asks the driver whether it supports the stages. If not, appends the reason to the info log and
 * returns false. */
static bool driver_accepts(struct gl_context *ctx, struct gl_program *p,
                           const struct glsl_program *glsl)
{
    struct drv_screen *screen = ctx->screen;
    char *error = NULL, *log;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!glsl->nir[s] || !screen->ops->check_shader ||
            driver_accepts_stage(screen, glsl->nir[s], &error))
            continue;
        log =
            talloc_asprintf(NULL, "%serror: %s\n", glsl->info_log, error ? error : "out of memory");
        set_log(p, log);
        talloc_free(log);
        free(error);
        return false;
    }
    return true;
}

void gl_program_install(struct gl_context *ctx, struct gl_program *p, struct glsl_program *glsl,
                        const char *why, const char *call)
{
    p->linked = p->validated = false;
    p->retrievable = p->retrievable_next;
    set_log(p, glsl ? glsl->info_log : why);
    gl_executable_reference(ctx, &p->exe, NULL);
    if (!glsl || !glsl->linked || !driver_accepts(ctx, p, glsl)) {
        if (!glsl && !why)
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        gl_debug_message(ctx, GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_ERROR, p->name,
                         GL_DEBUG_SEVERITY_HIGH, "program %u does not link:\n%s", p->name,
                         p->info_log ? p->info_log : "");
        talloc_free(glsl);
        return;
    }
    p->exe = gl_executable_create(glsl);
    if (!p->exe) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    p->linked = true;
    p->exe->separable = p->separable;
    p->exe->undrawable = gl_undrawable_reason(ctx, p->exe);
    gl_executable_reference(ctx, &p->installed, p->exe);
    if (!ctx->program.current && ctx->program.pipeline) {
        ctx->dirty |= GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES;
        gl_reset_subroutines(ctx, gl_pipeline_stages(ctx, p), call);
    }
    if (ctx->program.current == p) {
        gl_executable_reference(ctx, &ctx->program.exe, p->exe);
        ctx->dirty |= GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES;
        gl_reset_subroutines(ctx, BITFIELD_MASK(SHADER_STAGE_COUNT), call);
    }
}

void gl_LinkProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, name, "glLinkProgram");
    if (!p)
        return;
    if (gl_transform_feedback_uses(ctx, p->installed)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glLinkProgram(transform feedback uses program %u)",
                 name);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    const char *why;
    struct glsl_program *glsl = run_linker(ctx, p, &why);
    gl_program_install(ctx, p, glsl, why, "glLinkProgram");
}

void gl_UseProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = NULL;
    if (name) {
        p = gl_program_lookup(ctx, name, "glUseProgram");
        if (!p)
            return;
        if (!p->exe) {
            gl_error(ctx, GL_INVALID_OPERATION, "glUseProgram(program %u is not linked)", name);
            return;
        }
    }
    if (gl_transform_feedback_captures(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glUseProgram(transform feedback is active)");
        return;
    }
    if (p != ctx->program.current || (p && p->exe != ctx->program.exe)) {
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES);
        gl_program_reference(ctx, &ctx->program.current, p);
        gl_executable_reference(ctx, &ctx->program.exe, p ? p->exe : NULL);
    }
    gl_reset_subroutines(ctx, BITFIELD_MASK(SHADER_STAGE_COUNT), "glUseProgram");
}

void gl_ValidateProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, name, "glValidateProgram");
    if (!p)
        return;
    const char *why = "error: the program is not linked\n";
    p->validated = p->exe && gl_validate_samplers(p->exe, &why);
    set_log(p, p->validated ? "" : why);
}
