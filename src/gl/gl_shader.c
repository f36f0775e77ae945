/* SPDX-License-Identifier: MIT */
/* Shader and program objects (GL 4.6 §7.1 to §7.3), with the entry points of ARB_shader_objects. */
#include <stdlib.h>
#include <talloc.h>

#include "gl/gl_context.h"
#include "glsl/glsl.h"
#include "gl_entry.h"

/* -------------------------------------------------------------------------------------- objects --- */

static void *lookup(struct gl_context *ctx, GLuint name)
{
    return gl_names_lookup(&ctx->shared->programs, name);
}

/* Both kinds begin with is_program. */
static bool is_program(const void *object)
{
    return *(const bool *)object;
}

struct gl_program *gl_program_lookup(struct gl_context *ctx, GLuint name, const char *call)
{
    void *object = lookup(ctx, name);
    if (object && is_program(object))
        return object;
    gl_error(ctx, object ? GL_INVALID_OPERATION : GL_INVALID_VALUE, "%s(program=%u)", call, name);
    return NULL;
}

static struct gl_shader_object *shader_lookup(struct gl_context *ctx, GLuint name,
                                              const char *call)
{
    void *object = lookup(ctx, name);
    if (object && !is_program(object))
        return object;
    gl_error(ctx, object ? GL_INVALID_OPERATION : GL_INVALID_VALUE, "%s(shader=%u)", call, name);
    return NULL;
}

static void shader_unreference(struct gl_context *ctx, struct gl_shader_object *s)
{
    if (!s || --s->refcount)
        return;
    gl_names_remove(&ctx->shared->programs, s->name);
    free(s->source);
    free(s->label);
    talloc_free(s->compiled);
    free(s);
}

static void free_bound_names(struct gl_bound_name *names, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        free(names[i].name);
    free(names);
}

static void free_executable(struct gl_context *ctx, struct gl_program *p)
{
    gl_executable_destroy(ctx, p->exe);
    p->exe = NULL;
    talloc_free(p->glsl);
    p->glsl = NULL;
    free(p->opaque_units);
    p->opaque_units = NULL;
}

static void program_free(struct gl_context *ctx, struct gl_program *p)
{
    gl_names_remove(&ctx->shared->programs, p->name);
    free_executable(ctx, p);
    for (unsigned i = 0; i < p->num_shaders; i++)
        shader_unreference(ctx, p->shaders[i]);
    free(p->shaders);
    free_bound_names(p->attribs, p->num_attribs);
    free_bound_names(p->frag_data, p->num_frag_data);
    free(p->info_log);
    free(p->label);
    free(p);
}

/* Programs count uses by contexts and their own name under the names' lock. */
void gl_program_reference(struct gl_context *ctx, struct gl_program **dst, struct gl_program *src)
{
    struct gl_program *old = *dst;
    if (old == src)
        return;
    gl_names_lock(&ctx->shared->programs);
    if (src)
        src->refcount++;
    *dst = src;
    if (old && --old->refcount == 0)
        program_free(ctx, old);
    gl_names_unlock(&ctx->shared->programs);
}

static bool shader_type_valid(const struct gl_context *ctx, GLenum type)
{
    return type == GL_VERTEX_SHADER || type == GL_FRAGMENT_SHADER;
}

static GLuint add_object(struct gl_context *ctx, void *object, GLuint *name, const char *call)
{
    if (!object || !gl_names_gen(&ctx->shared->programs, 1, false, name)) {
        free(object);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return 0;
    }
    if (!gl_names_insert(&ctx->shared->programs, *name, object)) {
        gl_names_remove(&ctx->shared->programs, *name);
        free(object);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return 0;
    }
    return *name;
}

GLuint gl_CreateShader(GLenum type)
{
    GL_CONTEXT(ctx);
    if (!shader_type_valid(ctx, type)) {
        gl_error(ctx, GL_INVALID_ENUM, "glCreateShader(type=%s)", gl_enum_name(type));
        return 0;
    }
    struct gl_shader_object *s = calloc(1, sizeof *s);
    if (!s)
        return add_object(ctx, NULL, NULL, "glCreateShader");
    s->refcount = 1;
    s->type = type;
    return add_object(ctx, s, &s->name, "glCreateShader");
}

GLuint gl_CreateProgram(void)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = calloc(1, sizeof *p);
    if (!p)
        return add_object(ctx, NULL, NULL, "glCreateProgram");
    p->is_program = true;
    p->refcount = 1;
    return add_object(ctx, p, &p->name, "glCreateProgram");
}

static void delete_shader(struct gl_context *ctx, struct gl_shader_object *s)
{
    if (s->delete_pending)
        return;
    s->delete_pending = true;
    gl_names_lock(&ctx->shared->programs);
    shader_unreference(ctx, s);
    gl_names_unlock(&ctx->shared->programs);
}

static void delete_program(struct gl_context *ctx, struct gl_program *p)
{
    if (p->delete_pending)
        return;
    FLUSH_VERTICES(ctx, 0);
    p->delete_pending = true;
    gl_program_reference(ctx, &p, NULL);
}

void gl_DeleteShader(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *s = name ? shader_lookup(ctx, name, "glDeleteShader") : NULL;
    if (s)
        delete_shader(ctx, s);
}

void gl_DeleteProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = name ? gl_program_lookup(ctx, name, "glDeleteProgram") : NULL;
    if (p)
        delete_program(ctx, p);
}

void gl_DeleteObjectARB(GLhandleARB name)
{
    GL_CONTEXT(ctx);
    void *object = lookup(ctx, name);
    if (object && is_program(object))
        delete_program(ctx, object);
    else if (object)
        delete_shader(ctx, object);
    else if (name)
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteObjectARB(%u)", name);
}

GLboolean gl_IsShader(GLuint name)
{
    GL_CONTEXT(ctx);
    void *object = lookup(ctx, name);
    return object && !is_program(object);
}

GLboolean gl_IsProgram(GLuint name)
{
    GL_CONTEXT(ctx);
    void *object = lookup(ctx, name);
    return object && is_program(object);
}

/* ------------------------------------------------------------------------------------ attachment --- */

void gl_AttachShader(GLuint program, GLuint shader)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glAttachShader");
    struct gl_shader_object *s = p ? shader_lookup(ctx, shader, "glAttachShader") : NULL;
    if (!s)
        return;
    for (unsigned i = 0; i < p->num_shaders; i++)
        if (p->shaders[i] == s || (gl_is_es(ctx) && p->shaders[i]->type == s->type)) {
            gl_error(ctx, GL_INVALID_OPERATION, "glAttachShader(shader=%u is attached)", shader);
            return;
        }
    struct gl_shader_object **grown = realloc(p->shaders, (p->num_shaders + 1) * sizeof *grown);
    if (!grown) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glAttachShader");
        return;
    }
    p->shaders = grown;
    p->shaders[p->num_shaders++] = s;
    s->refcount++;
}

void gl_DetachShader(GLuint program, GLuint shader)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glDetachShader");
    struct gl_shader_object *s = p ? shader_lookup(ctx, shader, "glDetachShader") : NULL;
    if (!s)
        return;
    for (unsigned i = 0; i < p->num_shaders; i++)
        if (p->shaders[i] == s) {
            memmove(&p->shaders[i], &p->shaders[i + 1],
                    (p->num_shaders - i - 1) * sizeof *p->shaders);
            p->num_shaders--;
            gl_names_lock(&ctx->shared->programs);
            shader_unreference(ctx, s);
            gl_names_unlock(&ctx->shared->programs);
            return;
        }
    gl_error(ctx, GL_INVALID_OPERATION, "glDetachShader(shader=%u is not attached)", shader);
}

void gl_GetAttachedShaders(GLuint program, GLsizei max, GLsizei *count, GLuint *shaders)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetAttachedShaders");
    if (!p)
        return;
    if (max < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetAttachedShaders(maxCount=%d)", max);
        return;
    }
    GLsizei n = MIN2((GLsizei)p->num_shaders, max);
    for (GLsizei i = 0; i < n; i++)
        shaders[i] = p->shaders[i]->name;
    if (count)
        *count = n;
}

void gl_GetAttachedObjectsARB(GLhandleARB program, GLsizei max, GLsizei *count, GLhandleARB *out)
{
    gl_GetAttachedShaders(program, max, count, out);
}

/* -------------------------------------------------------------------------------------- compiling --- */

void gl_ShaderSource(GLuint shader, GLsizei count, const GLchar *const *strings,
                     const GLint *lengths)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *s = shader_lookup(ctx, shader, "glShaderSource");
    if (!s)
        return;
    if (count < 0 || !strings) {
        gl_error(ctx, GL_INVALID_VALUE, "glShaderSource(count=%d)", count);
        return;
    }
    size_t total = 0;
    for (GLsizei i = 0; i < count; i++) {
        if (!strings[i]) {
            gl_error(ctx, GL_INVALID_OPERATION, "glShaderSource(string %d is NULL)", i);
            return;
        }
        total += lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i]);
    }
    char *source = malloc(total + 1), *to = source;
    if (!source) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glShaderSource");
        return;
    }
    for (GLsizei i = 0; i < count; i++) {
        size_t n = lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i]);
        memcpy(to, strings[i], n);
        to += n;
    }
    *to = 0;
    free(s->source);
    s->source = source;
    s->source_length = total;
}

void gl_CompileShader(GLuint shader)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *s = shader_lookup(ctx, shader, "glCompileShader");
    if (!s)
        return;
    enum shader_stage stage = s->type == GL_VERTEX_SHADER ? SHADER_VERTEX : SHADER_FRAGMENT;
    struct glsl_shader *compiled = glsl_compile(NULL, ctx->consts.glsl, stage,
                                                s->source ? s->source : "", s->source_length);
    if (!compiled) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCompileShader");
        return;
    }
    talloc_free(s->compiled);
    s->compiled = compiled;
    if (!compiled->compiled)
        gl_debug_message(ctx, GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_ERROR, 0,
                         GL_DEBUG_SEVERITY_HIGH, "glCompileShader(%u): %s", shader,
                         compiled->info_log);
}

static void set_log(struct gl_program *p, const char *text)
{
    free(p->info_log);
    p->info_log = strdup(text ? text : "");
}

static struct glsl_binding *bindings(const struct gl_bound_name *names, unsigned num)
{
    struct glsl_binding *b = calloc(MAX2(num, 1), sizeof *b);
    for (unsigned i = 0; b && i < num; i++)
        b[i] = (struct glsl_binding){names[i].name, names[i].location, names[i].index};
    return b;
}

static bool all_compiled(const struct gl_program *p)
{
    for (unsigned i = 0; i < p->num_shaders; i++)
        if (!p->shaders[i]->compiled || !p->shaders[i]->compiled->compiled)
            return false;
    return true;
}

static struct glsl_program *link(struct gl_context *ctx, struct gl_program *p)
{
    struct glsl_shader **shaders = calloc(p->num_shaders, sizeof *shaders);
    struct glsl_binding *attribs = bindings(p->attribs, p->num_attribs),
                        *frag_data = bindings(p->frag_data, p->num_frag_data);
    struct glsl_program *linked = NULL;
    if (shaders && attribs && frag_data) {
        for (unsigned i = 0; i < p->num_shaders; i++)
            shaders[i] = p->shaders[i]->compiled;
        linked = glsl_link(NULL, ctx->consts.glsl, &(struct glsl_link_input){
                                                       .shaders = shaders,
                                                       .num_shaders = p->num_shaders,
                                                       .attribs = attribs,
                                                       .num_attribs = p->num_attribs,
                                                       .frag_data = frag_data,
                                                       .num_frag_data = p->num_frag_data,
                                                       .separable = p->separable,
                                                   });
    }
    free(shaders);
    free(attribs);
    free(frag_data);
    return linked;
}

/* Takes over a new link; the program in use changes with it (GL 4.6 §7.3). */
static bool adopt(struct gl_context *ctx, struct gl_program *p, struct glsl_program *linked)
{
    struct gl_executable *exe = gl_executable_create(ctx, NULL, linked);
    int *units = calloc(MAX2(linked->num_locations, 1), sizeof *units);
    if (!exe || !units) {
        gl_executable_destroy(ctx, exe);
        free(units);
        return false;
    }
    free_executable(ctx, p);
    p->glsl = linked;
    p->exe = exe;
    p->opaque_units = units;
    for (unsigned i = 0; i < linked->num_uniforms; i++) {
        const struct glsl_uniform *u = &linked->uniforms[i];
        for (unsigned k = 0; u->opaque && u->binding >= 0 && u->location >= 0 &&
                             k < MAX2(u->array_size, 1); k++) {
            units[u->location + k] = u->binding + k;
            for (unsigned s = 0; s < SHADER_STAGES; s++)
                if (exe->stage[s] && u->opaque_index[s] >= 0 &&
                    u->opaque_index[s] + k < DRV_MAX_SAMPLERS)
                    exe->stage[s]->sampler[u->opaque_index[s] + k].unit = u->binding + k;
        }
    }
    return true;
}

void gl_LinkProgram(GLuint program)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glLinkProgram");
    if (!p)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM);
    p->linked = p->validated = false;
    if (!p->num_shaders || !all_compiled(p)) {
        set_log(p, p->num_shaders ? "error: linking with a shader that is not compiled\n"
                                  : "error: no shaders attached\n");
        if (p->num_shaders || gl_is_es(ctx) || ctx->api == GL_API_CORE) {
            if (ctx->program.current != p)
                free_executable(ctx, p);
            return;
        }
        /* compatibility: an empty program is fixed function (GL 2.1 §2.15.2) */
        free_executable(ctx, p);
        p->linked = true;
        set_log(p, "");
        return;
    }
    struct glsl_program *linked = link(ctx, p);
    if (!linked) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glLinkProgram");
        return;
    }
    set_log(p, linked->info_log);
    p->linked = linked->linked;
    if (!linked->linked) {
        gl_debug_message(ctx, GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_ERROR, 0,
                         GL_DEBUG_SEVERITY_HIGH, "glLinkProgram(%u): %s", program,
                         linked->info_log);
        talloc_free(linked);
        /* a program in use keeps its executable until another is used */
        if (ctx->program.current != p)
            free_executable(ctx, p);
    } else if (!adopt(ctx, p, linked)) {
        p->linked = false;
        talloc_free(linked);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glLinkProgram");
    }
}

void gl_UseProgram(GLuint program)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = NULL;
    if (program) {
        p = gl_program_lookup(ctx, program, "glUseProgram");
        if (!p)
            return;
        if (!p->linked) {
            gl_error(ctx, GL_INVALID_OPERATION, "glUseProgram(program=%u is not linked)", program);
            return;
        }
    }
    if (p == ctx->program.current)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_UNIFORMS |
                            GL_DIRTY_TEXTURES | GL_DIRTY_RASTERIZER | GL_DIRTY_ARRAYS);
    gl_program_reference(ctx, &ctx->program.current, p);
}

void gl_ValidateProgram(GLuint program)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glValidateProgram");
    if (!p)
        return;
    p->validated = p->linked;
    if (!p->linked) {
        set_log(p, "error: the program is not linked\n");
        return;
    }
    /* samplers of different types on one unit: GL 4.6 §11.1.3.11 */
    const struct gl_executable *exe = p->exe;
    int target[GL_MAX_UNITS];
    memset(target, -1, sizeof target);
    for (unsigned s = 0; exe && s < SHADER_STAGES; s++)
        for (unsigned i = 0; exe->stage[s] && i < exe->stage[s]->num_samplers; i++) {
            const struct gl_sampler_use *use = &exe->stage[s]->sampler[i];
            if (!use->used || use->unit >= GL_MAX_UNITS)
                continue;
            if (target[use->unit] >= 0 && target[use->unit] != use->index)
                p->validated = false;
            target[use->unit] = use->index;
        }
    set_log(p, p->validated ? "" : "error: samplers of different types use one texture unit\n");
}

bool gl_validate_samplers(struct gl_context *ctx, const char *name)
{
    const struct gl_executable *exe = ctx->program.current->exe;
    int target[GL_MAX_UNITS];
    memset(target, -1, sizeof target);
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        for (unsigned i = 0; exe->stage[s] && i < exe->stage[s]->num_samplers; i++) {
            const struct gl_sampler_use *use = &exe->stage[s]->sampler[i];
            if (!use->used || use->unit >= GL_MAX_UNITS)
                continue;
            if (target[use->unit] >= 0 && target[use->unit] != use->index) {
                gl_error(ctx, GL_INVALID_OPERATION, "%s(samplers of different types use unit %u)",
                         name, use->unit);
                return false;
            }
            target[use->unit] = use->index;
        }
    return true;
}

/* -------------------------------------------------------------------------------------- locations --- */

static void bind_name(struct gl_context *ctx, struct gl_bound_name **names, unsigned *num,
                      const char *name, GLuint location, GLuint index, const char *call)
{
    for (unsigned i = 0; i < *num; i++)
        if (!strcmp((*names)[i].name, name)) {
            (*names)[i].location = location;
            (*names)[i].index = index;
            return;
        }
    struct gl_bound_name *grown = realloc(*names, (*num + 1) * sizeof *grown);
    if (grown)
        *names = grown;
    char *copy = strdup(name);
    if (!grown || !copy) {
        free(copy);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    grown[(*num)++] = (struct gl_bound_name){copy, location, index};
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
    if (!strncmp(name, "gl_", 3)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBindAttribLocation(name=%s)", name);
        return;
    }
    bind_name(ctx, &p->attribs, &p->num_attribs, name, index, 0, "glBindAttribLocation");
}

void gl_BindFragDataLocation(GLuint program, GLuint color, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glBindFragDataLocation");
    if (!p || !name)
        return;
    if (color >= (GLuint)ctx->consts.max_draw_buffers || !strncmp(name, "gl_", 3)) {
        gl_error(ctx, strncmp(name, "gl_", 3) ? GL_INVALID_VALUE : GL_INVALID_OPERATION,
                 "glBindFragDataLocation(%u, %s)", color, name);
        return;
    }
    bind_name(ctx, &p->frag_data, &p->num_frag_data, name, color, 0, "glBindFragDataLocation");
}

static GLint find_location(const struct glsl_attrib *list, unsigned num, const GLchar *name)
{
    size_t length = strlen(name);
    if (length > 3 && !strcmp(name + length - 3, "[0]"))
        length -= 3;
    for (unsigned i = 0; i < num; i++)
        if (!strcmp(list[i].name, name) ||
            (strlen(list[i].name) == length && !strncmp(list[i].name, name, length)) ||
            (strlen(list[i].name) == length + 3 && !strncmp(list[i].name, name, length) &&
             !strcmp(list[i].name + length, "[0]")))
            return list[i].location;
    return -1;
}

GLint gl_GetAttribLocation(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetAttribLocation");
    if (!p)
        return -1;
    if (!p->linked) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGetAttribLocation(not linked)");
        return -1;
    }
    if (!name || !p->glsl || !p->glsl->nir[SHADER_VERTEX])
        return -1;
    return find_location(p->glsl->inputs, p->glsl->num_inputs, name);
}

GLint gl_GetFragDataLocation(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetFragDataLocation");
    if (!p)
        return -1;
    if (!p->linked) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGetFragDataLocation(not linked)");
        return -1;
    }
    if (!name || !p->glsl || !p->glsl->nir[SHADER_FRAGMENT])
        return -1;
    return find_location(p->glsl->outputs, p->glsl->num_outputs, name);
}

/* --------------------------------------------------------------------------------------- queries --- */

static void copy_text(const char *text, GLsizei size, GLsizei *length, GLchar *out)
{
    GLsizei n = 0;
    if (size > 0 && out) {
        n = MIN2((GLsizei)strlen(text), size - 1);
        memcpy(out, text, n);
        out[n] = 0;
    }
    if (length)
        *length = n;
}

static const char *shader_log(const struct gl_shader_object *s)
{
    return s->compiled && s->compiled->info_log ? s->compiled->info_log : "";
}

static GLint text_size(const char *text)
{
    return text && *text ? (GLint)strlen(text) + 1 : 0;
}

void gl_GetShaderiv(GLuint shader, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *s = shader_lookup(ctx, shader, "glGetShaderiv");
    if (!s)
        return;
    switch (pname) {
    case GL_SHADER_TYPE:
        *params = s->type;
        return;
    case GL_DELETE_STATUS:
        *params = s->delete_pending;
        return;
    case GL_COMPILE_STATUS:
        *params = s->compiled && s->compiled->compiled;
        return;
    case GL_INFO_LOG_LENGTH:
        *params = text_size(shader_log(s));
        return;
    case GL_SHADER_SOURCE_LENGTH:
        *params = s->source ? (GLint)s->source_length + 1 : 0;
        return;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetShaderiv(pname=%s)", gl_enum_name(pname));
    }
}

static GLint longest_uniform(const struct glsl_program *g)
{
    size_t longest = 0;
    for (unsigned i = 0; i < g->num_uniforms; i++)
        longest = MAX2(longest, strlen(g->uniforms[i].name) + 1);
    return longest;
}

static GLint longest_attrib(const struct glsl_program *g)
{
    size_t longest = 0;
    for (unsigned i = 0; i < g->num_inputs; i++)
        longest = MAX2(longest, strlen(g->inputs[i].name) + 1);
    return longest;
}

void gl_GetProgramiv(GLuint program, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramiv");
    if (!p)
        return;
    const struct glsl_program *g = p->glsl;
    bool vertex = g && g->nir[SHADER_VERTEX];
    switch (pname) {
    case GL_DELETE_STATUS:
        *params = p->delete_pending;
        return;
    case GL_LINK_STATUS:
        *params = p->linked;
        return;
    case GL_VALIDATE_STATUS:
        *params = p->validated;
        return;
    case GL_INFO_LOG_LENGTH:
        *params = text_size(p->info_log);
        return;
    case GL_ATTACHED_SHADERS:
        *params = p->num_shaders;
        return;
    case GL_ACTIVE_ATTRIBUTES:
        *params = vertex ? g->num_inputs : 0;
        return;
    case GL_ACTIVE_ATTRIBUTE_MAX_LENGTH:
        *params = vertex ? longest_attrib(g) : 0;
        return;
    case GL_ACTIVE_UNIFORMS:
        *params = g ? g->num_uniforms : 0;
        return;
    case GL_ACTIVE_UNIFORM_MAX_LENGTH:
        *params = g ? longest_uniform(g) : 0;
        return;
    case GL_ACTIVE_UNIFORM_BLOCKS:
        *params = 0;
        if (ctx->consts.version >= 30)
            return;
        break;
    case GL_PROGRAM_BINARY_RETRIEVABLE_HINT:
    case GL_PROGRAM_BINARY_LENGTH:
    case GL_TRANSFORM_FEEDBACK_VARYINGS:
        *params = 0;
        return;
    case GL_TRANSFORM_FEEDBACK_BUFFER_MODE:
        *params = GL_INTERLEAVED_ATTRIBS;
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glGetProgramiv(pname=%s)", gl_enum_name(pname));
}

void gl_GetShaderInfoLog(GLuint shader, GLsizei size, GLsizei *length, GLchar *log)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *s = shader_lookup(ctx, shader, "glGetShaderInfoLog");
    if (s && size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGetShaderInfoLog(bufSize=%d)", size);
    else if (s)
        copy_text(shader_log(s), size, length, log);
}

void gl_GetProgramInfoLog(GLuint program, GLsizei size, GLsizei *length, GLchar *log)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramInfoLog");
    if (p && size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGetProgramInfoLog(bufSize=%d)", size);
    else if (p)
        copy_text(p->info_log ? p->info_log : "", size, length, log);
}

void gl_GetInfoLogARB(GLhandleARB name, GLsizei size, GLsizei *length, GLcharARB *log)
{
    GL_CONTEXT(ctx);
    void *object = lookup(ctx, name);
    if (object && is_program(object))
        gl_GetProgramInfoLog(name, size, length, log);
    else
        gl_GetShaderInfoLog(name, size, length, log);
}

void gl_GetShaderSource(GLuint shader, GLsizei size, GLsizei *length, GLchar *source)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *s = shader_lookup(ctx, shader, "glGetShaderSource");
    if (s && size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGetShaderSource(bufSize=%d)", size);
    else if (s)
        copy_text(s->source ? s->source : "", size, length, source);
}

void gl_GetObjectParameterivARB(GLhandleARB name, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    void *object = lookup(ctx, name);
    if (!object) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetObjectParameterivARB(%u)", name);
        return;
    }
    bool program = is_program(object);
    switch (pname) {
    case GL_OBJECT_TYPE_ARB:
        *params = program ? GL_PROGRAM_OBJECT_ARB : GL_SHADER_OBJECT_ARB;
        return;
    case GL_OBJECT_SUBTYPE_ARB:
        if (program)
            break;
        gl_GetShaderiv(name, GL_SHADER_TYPE, params);
        return;
    default:
        /* the ARB's names have the values of GL 2.0's */
        if (program)
            gl_GetProgramiv(name, pname, params);
        else
            gl_GetShaderiv(name, pname, params);
        return;
    }
    gl_error(ctx, GL_INVALID_OPERATION, "glGetObjectParameterivARB(pname=%s)", gl_enum_name(pname));
}

void gl_GetObjectParameterfvARB(GLhandleARB name, GLenum pname, GLfloat *params)
{
    GLint v = 0;
    gl_GetObjectParameterivARB(name, pname, &v);
    *params = v;
}

GLhandleARB gl_GetHandleARB(GLenum pname)
{
    GL_CONTEXT(ctx);
    if (pname != GL_PROGRAM_OBJECT_ARB) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetHandleARB(%s)", gl_enum_name(pname));
        return 0;
    }
    return ctx->program.current ? ctx->program.current->name : 0;
}

void gl_ReleaseShaderCompiler(void)
{
}

void gl_ShaderBinary(GLsizei n, const GLuint *shaders, GLenum format, const void *binary,
                     GLsizei length)
{
    GL_CONTEXT(ctx);
    gl_error(ctx, n < 0 || length < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM,
             "glShaderBinary(binaryFormat=%s)", gl_enum_name(format));
}

void gl_GetShaderPrecisionFormat(GLenum shader, GLenum precision, GLint *range, GLint *bits)
{
    GL_CONTEXT(ctx);
    if (!shader_type_valid(ctx, shader)) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetShaderPrecisionFormat(shadertype=%s)",
                 gl_enum_name(shader));
        return;
    }
    switch (precision) {
    case GL_LOW_FLOAT:
    case GL_MEDIUM_FLOAT:
    case GL_HIGH_FLOAT:
        range[0] = range[1] = 127;
        *bits = 23;
        return;
    case GL_LOW_INT:
    case GL_MEDIUM_INT:
    case GL_HIGH_INT:
        range[0] = 31;
        range[1] = 30;
        *bits = 0;
        return;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetShaderPrecisionFormat(precisiontype=%s)",
                 gl_enum_name(precision));
    }
}

/* ------------------------------------------------------------------------------------ the context --- */

static void init_limits(const struct gl_context *ctx, struct glsl_limits *l)
{
    const struct gl_constants *k = &ctx->consts;
    *l = (struct glsl_limits){
        .max_lights = k->max_lights,
        .max_clip_planes = k->max_clip_planes,
        .max_texture_units = k->max_texture_units,
        .max_texture_coords = k->max_texture_coords,
        .max_vertex_attribs = k->max_vertex_attribs,
        .max_vertex_uniform_components = k->max_vertex_uniform_components,
        .max_fragment_uniform_components = k->max_fragment_uniform_components,
        .max_varying_components = k->max_varying_floats,
        .max_vertex_texture_image_units = k->max_vertex_texture_image_units,
        .max_texture_image_units = k->max_texture_image_units,
        .max_combined_texture_image_units = k->max_combined_texture_image_units,
        .max_draw_buffers = k->max_draw_buffers,
        .max_dual_source_draw_buffers = k->max_dual_source_draw_buffers,
        .max_clip_distances = 8,
        .max_cull_distances = 8,
        .max_combined_clip_and_cull_distances = 8,
        .max_uniform_locations = 4096,
        .max_uniform_block_size = k->max_uniform_block_size,
        .max_uniform_blocks = 12,
        .max_combined_uniform_blocks = 24,
        .max_samples = k->max_samples,
        .max_viewports = k->max_viewports,
        .min_program_texel_offset = -8,
        .max_program_texel_offset = 7,
    };
}

#define GLSL_EXTENSION(name)                                                                       \
    do {                                                                                           \
        if (ctx->ext.name)                                                                         \
            bitset_set(o->extensions, GLSL_EXT_##name);                                            \
    } while (0)

bool gl_programs_init(struct gl_context *ctx)
{
    gl_owned_init(ctx);
    struct glsl_options *o = talloc_zero(ctx, struct glsl_options);
    ctx->consts.glsl = o;
    if (!o || !gl_ff_init(ctx))
        return false;
    o->es = gl_is_es(ctx);
    o->core = ctx->api == GL_API_CORE;
    if (o->es) {
        o->max_es_version = MAX2(ctx->consts.glsl_version, 100);
        o->default_version = 100;
    } else {
        o->max_version = MAX2(ctx->consts.glsl_version, 120);
        o->default_version = 110;
    }
    init_limits(ctx, &o->limits);
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        o->nir_options[s] = ctx->screen->nir_options[s];
    GLSL_EXTENSION(ARB_texture_rectangle);
    GLSL_EXTENSION(ARB_draw_buffers);
    GLSL_EXTENSION(EXT_texture_array);
    return true;
}

void gl_programs_finish(struct gl_context *ctx)
{
    if (!ctx->program.owned.live.next)
        return;
    gl_program_reference(ctx, &ctx->program.current, NULL);
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        if (ctx->program.bound[s])
            ctx->drv->ops->bind_shader(ctx->drv, s, NULL);
    memset(ctx->program.bound, 0, sizeof ctx->program.bound);
    gl_ff_finish(ctx);
    gl_owned_finish(ctx);
}

static void free_object(GLuint name, void *object, void *data)
{
    struct gl_context *ctx = data;
    if (is_program(object)) {
        struct gl_program *p = object;
        free_executable(ctx, p);
        free(p->shaders);
        free_bound_names(p->attribs, p->num_attribs);
        free_bound_names(p->frag_data, p->num_frag_data);
        free(p->info_log);
        free(p->label);
    } else {
        struct gl_shader_object *s = object;
        talloc_free(s->compiled);
        free(s->source);
        free(s->label);
    }
    free(object);
}

void gl_programs_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    gl_names_foreach(&shared->programs, free_object, ctx);
}

unsigned gl_get_programs(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    *type = GL_GET_INT;
    switch (pname) {
    case GL_CURRENT_PROGRAM:
        *v = ctx->program.current ? ctx->program.current->name : 0;
        return 1;
    case GL_NUM_SHADER_BINARY_FORMATS:
    case GL_NUM_PROGRAM_BINARY_FORMATS:
        *v = 0;
        return 1;
    case GL_SHADER_COMPILER:
        *type = GL_GET_BOOL;
        *v = 1;
        return 1;
    default:
        return 0;
    }
}

char **gl_object_label(struct gl_context *ctx, GLenum identifier, GLuint name)
{
    void *object;
    switch (identifier) {
    case GL_TEXTURE: {
        struct gl_texture *t = gl_texture_lookup(ctx, name);
        return t ? &t->label : NULL;
    }
    case GL_SAMPLER: {
        struct gl_sampler *s = gl_names_lookup(&ctx->shared->samplers, name);
        return s ? &s->label : NULL;
    }
    case GL_RENDERBUFFER: {
        struct gl_renderbuffer *rb = gl_renderbuffer_lookup(ctx, name);
        return rb ? &rb->label : NULL;
    }
    case GL_FRAMEBUFFER: {
        struct gl_framebuffer *fb = gl_names_lookup(&ctx->framebuffer.names, name);
        return fb ? &fb->label : NULL;
    }
    case GL_SHADER:
        object = lookup(ctx, name);
        return object && !is_program(object) ? &((struct gl_shader_object *)object)->label : NULL;
    case GL_PROGRAM:
        object = lookup(ctx, name);
        return object && is_program(object) ? &((struct gl_program *)object)->label : NULL;
    default:
        return NULL;
    }
}
