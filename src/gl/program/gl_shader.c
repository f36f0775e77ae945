/* SPDX-License-Identifier: MIT */
/* Shader objects (GL 4.6 §7.1), and the commands of ARB_shader_objects that accept both shaders and
 * programs. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_share.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/memory.h"
#include "util/refcount.h"

/* ---------------------------------------------------------------------------------- helpers --- */

void gl_copy_string(GLsizei size, GLsizei *length, GLchar *out, const char *text)
{
    GLsizei n = 0;
    if (out && size > 0) {
        n = (GLsizei)MIN2(strlen(text), (size_t)size - 1);
        memcpy(out, text, n);
        out[n] = '\0';
    }
    if (length)
        *length = n;
}

struct gl_shader_object *gl_shader_lookup(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_shader_object *shader = gl_names_lookup(&ctx->shared->programs, name);
    if (shader && !shader->is_program)
        return shader;
    gl_error(ctx, shader ? GL_INVALID_OPERATION : GL_INVALID_VALUE, "%s(shader=%u)", call, name);
    return NULL;
}

void gl_shader_reference(struct gl_shader_object **dst, struct gl_shader_object *src)
{
    struct gl_shader_object *dead = REF_REPLACE(dst, src);
    if (!dead)
        return;
    free(dead->label);
    free(dead->source);
    free(dead->module);
    talloc_free(dead->compiled);
    free(dead);
}

void gl_shader_release(struct gl_context *ctx, struct gl_shader_object *shader)
{
    struct gl_names *names = &ctx->shared->programs;
    gl_names_lock(names);
    if (shader->delete_pending && shader->refcount == 1)
        gl_names_remove(names, shader->name);
    gl_shader_reference(&shader, NULL);
    gl_names_unlock(names);
}

/* --------------------------------------------------------------------------------- lifetime --- */

enum shader_stage gl_shader_stage(const struct gl_context *ctx, GLenum type)
{
    const struct gl_extensions *e = &ctx->ext;
    unsigned v = ctx->consts.version;
    bool es = gl_is_es(ctx), tessellation = gl_has_tessellation(ctx);
    switch (type) {
    case GL_VERTEX_SHADER:
        return SHADER_VERTEX;
    case GL_FRAGMENT_SHADER:
        return SHADER_FRAGMENT;
    case GL_GEOMETRY_SHADER:
        return v >= 32 || e->OES_geometry_shader || e->EXT_geometry_shader ? SHADER_GEOMETRY
                                                                           : SHADER_STAGE_NONE;
    case GL_TESS_CONTROL_SHADER:
        return tessellation ? SHADER_TESS_CTRL : SHADER_STAGE_NONE;
    case GL_TESS_EVALUATION_SHADER:
        return tessellation ? SHADER_TESS_EVAL : SHADER_STAGE_NONE;
    case GL_COMPUTE_SHADER:
        return v >= (es ? 31 : 43) || e->ARB_compute_shader ? SHADER_COMPUTE : SHADER_STAGE_NONE;
    case GL_TASK_SHADER_EXT:
        return e->EXT_mesh_shader ? SHADER_TASK : SHADER_STAGE_NONE;
    case GL_MESH_SHADER_EXT:
        return e->EXT_mesh_shader ? SHADER_MESH : SHADER_STAGE_NONE;
    default:
        return SHADER_STAGE_NONE;
    }
}

GLuint gl_CreateShader(GLenum type)
{
    GL_CONTEXT(ctx);
    enum shader_stage stage = gl_shader_stage(ctx, type);
    GLuint name;
    if (stage == SHADER_STAGE_NONE) {
        gl_error(ctx, GL_INVALID_ENUM, "glCreateShader(type=%s)", gl_enum_name(type));
        return 0;
    }
    struct gl_shader_object *shader = calloc(1, sizeof *shader);
    if (!shader || !gl_names_gen(&ctx->shared->programs, 1, false, &name)) {
        free(shader);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCreateShader");
        return 0;
    }
    shader->refcount = 1;
    shader->name = name;
    shader->type = type;
    shader->stage = stage;
    if (!gl_names_insert(&ctx->shared->programs, name, shader)) {
        gl_names_remove(&ctx->shared->programs, name);
        free(shader);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCreateShader");
        return 0;
    }
    return name;
}

void gl_DeleteShader(GLuint name)
{
    GL_CONTEXT(ctx);
    if (!name)
        return;
    struct gl_names *names = &ctx->shared->programs;
    gl_names_lock(names);
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glDeleteShader");
    if (shader && !shader->delete_pending) {
        shader->delete_pending = true;
        /* The name stays valid while programs have the shader attached. */
        if (shader->refcount == 1)
            gl_names_remove(names, name);
        gl_shader_reference(&shader, NULL);
    }
    gl_names_unlock(names);
}

GLboolean gl_IsShader(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *shader = gl_names_lookup(&ctx->shared->programs, name);
    return shader && !shader->is_program;
}

/* ----------------------------------------------------------------------- source and compile --- */

/* Concatenates the strings. NULL: out of memory, or the result is too large. */
static char *join_strings(GLsizei count, const GLchar *const *strings, const GLint *lengths,
                          size_t *total)
{
    *total = 0;
    for (GLsizei i = 0; i < count; i++)
        *total += lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i]);
    char *text = malloc(*total + 1), *at = text;
    if (!text)
        return NULL;
    for (GLsizei i = 0; i < count; i++) {
        size_t n = lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i]);
        memcpy(at, strings[i], n);
        at += n;
    }
    *at = '\0';
    return text;
}

void gl_ShaderSource(GLuint name, GLsizei count, const GLchar *const *string, const GLint *length)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glShaderSource");
    if (!shader)
        return;
    bool null = !string;
    for (GLsizei i = 0; i < count && !null; i++)
        null = !string[i];
    if (count < 0 || null) {
        gl_error(ctx, GL_INVALID_VALUE, "glShaderSource(count=%d%s)", count,
                 null ? ", a string is NULL" : "");
        return;
    }
    size_t total;
    char *text = join_strings(count, string, length, &total);
    if (!text) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glShaderSource");
        return;
    }
    gl_shader_free_module(shader);
    free(shader->source);
    shader->source = text;
    shader->source_length = total;
}

static struct glsl_shader *compile(struct gl_context *ctx, enum shader_stage stage,
                                   const struct glsl_includes *includes, const char *text,
                                   size_t length)
{
    return UTIL_ATTEMPT(glsl_compile_with(NULL, ctx->consts.glsl, includes, stage, text, length));
}

void gl_shader_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                       const struct glsl_includes *includes, GLuint name, const char *call)
{
    size_t length = shader->source_length;
    char *text = malloc(length + 1); /* another context may replace the source during compilation */
    struct gl_shader_object *held = NULL;
    struct glsl_shader *compiled = NULL;
    if (text) {
        memcpy(text, shader->source ? shader->source : "", length + 1);
        gl_shader_reference(&held, shader);
        gl_share_pause(ctx);
        compiled = compile(ctx, shader->stage, includes, text, length);
        gl_share_resume(ctx);
    }
    free(text);
    if (compiled) {
        talloc_free(shader->compiled);
        shader->compiled = compiled;
    } else {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    }
    if (compiled && !compiled->compiled)
        gl_debug_message(ctx, GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_ERROR, name,
                         GL_DEBUG_SEVERITY_HIGH, "shader %u does not compile:\n%s", name,
                         compiled->info_log);
    if (held)
        gl_shader_release(ctx, held);
}

void gl_CompileShader(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glCompileShader");
    if (shader && shader->module)
        gl_error(ctx, GL_INVALID_OPERATION, "glCompileShader(shader %u is a SPIR-V module)", name);
    else if (shader)
        gl_named_strings_compile(ctx, shader, NULL, 0, name, "glCompileShader");
}

void gl_ReleaseShaderCompiler(void)
{
}

/* ---------------------------------------------------------------------------------- queries --- */

static const char *shader_log(const struct gl_shader_object *shader)
{
    return shader->compiled && shader->compiled->info_log ? shader->compiled->info_log : "";
}

static GLint length_with_end(const char *text)
{
    return *text ? (GLint)strlen(text) + 1 : 0;
}

static bool shader_get(struct gl_shader_object *shader, GLenum pname, GLint *value)
{
    switch (pname) {
    case GL_SHADER_TYPE:
        *value = shader->type;
        return true;
    case GL_DELETE_STATUS:
        *value = shader->delete_pending;
        return true;
    case GL_COMPILE_STATUS:
        *value = shader->compiled && shader->compiled->compiled;
        return true;
    case GL_COMPLETION_STATUS_KHR:
        *value = GL_TRUE;
        return true;
    case GL_INFO_LOG_LENGTH:
        *value = length_with_end(shader_log(shader));
        return true;
    case GL_SPIR_V_BINARY:
        *value = shader->module != NULL;
        return true;
    case GL_SHADER_SOURCE_LENGTH:
        *value = shader->source ? (GLint)shader->source_length + 1 : 0;
        return true;
    default:
        return false;
    }
}

void gl_GetShaderiv(GLuint name, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glGetShaderiv");
    if (shader && !shader_get(shader, pname, params))
        gl_error(ctx, GL_INVALID_ENUM, "glGetShaderiv(pname=%s)", gl_enum_name(pname));
}

void gl_GetShaderInfoLog(GLuint name, GLsizei size, GLsizei *length, GLchar *out)
{
    GL_CONTEXT(ctx);
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetShaderInfoLog(bufSize=%d)", size);
        return;
    }
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glGetShaderInfoLog");
    if (shader)
        gl_copy_string(size, length, out, shader_log(shader));
}

void gl_GetShaderSource(GLuint name, GLsizei size, GLsizei *length, GLchar *out)
{
    GL_CONTEXT(ctx);
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetShaderSource(bufSize=%d)", size);
        return;
    }
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glGetShaderSource");
    if (shader)
        gl_copy_string(size, length, out, shader->source ? shader->source : "");
}

void gl_GetShaderPrecisionFormat(GLenum shader, GLenum type, GLint *range, GLint *precision)
{
    GL_CONTEXT(ctx);
    if (shader != GL_VERTEX_SHADER && shader != GL_FRAGMENT_SHADER) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetShaderPrecisionFormat(%s)", gl_enum_name(shader));
        return;
    }
    switch (type) {
    case GL_LOW_FLOAT:
    case GL_MEDIUM_FLOAT:
    case GL_HIGH_FLOAT:
        range[0] = range[1] = 127;
        *precision = 23;
        break;
    case GL_LOW_INT:
    case GL_MEDIUM_INT:
    case GL_HIGH_INT:
        range[0] = 31;
        range[1] = 30;
        *precision = 0;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetShaderPrecisionFormat(%s)", gl_enum_name(type));
        break;
    }
}

/* ----------------------------------------------------------------------- ARB_shader_objects --- */

/* Returns whether the object exists, and whether it is a program. Otherwise raises
 * GL_INVALID_VALUE. */
static bool object_kind(struct gl_context *ctx, GLuint name, bool *is_program, const char *call)
{
    struct gl_shader_object *object = gl_names_lookup(&ctx->shared->programs, name);
    if (object)
        *is_program = object->is_program;
    else
        gl_error(ctx, GL_INVALID_VALUE, "%s(%u)", call, name);
    return object;
}

void gl_DeleteObjectARB(GLhandleARB obj)
{
    GL_CONTEXT(ctx);
    bool is_program;
    if (!obj || !object_kind(ctx, obj, &is_program, "glDeleteObjectARB"))
        return;
    if (is_program)
        gl_DeleteProgram(obj);
    else
        gl_DeleteShader(obj);
}

GLhandleARB gl_GetHandleARB(GLenum pname)
{
    GL_CONTEXT(ctx);
    if (pname == GL_PROGRAM_OBJECT_ARB)
        return ctx->program.current ? ctx->program.current->name : 0;
    gl_error(ctx, GL_INVALID_ENUM, "glGetHandleARB(%s)", gl_enum_name(pname));
    return 0;
}

void gl_GetInfoLogARB(GLhandleARB obj, GLsizei size, GLsizei *length, GLcharARB *out)
{
    GL_CONTEXT(ctx);
    bool is_program;
    if (!object_kind(ctx, obj, &is_program, "glGetInfoLogARB"))
        return;
    if (is_program)
        gl_GetProgramInfoLog(obj, size, length, out);
    else
        gl_GetShaderInfoLog(obj, size, length, out);
}

static bool object_get(struct gl_context *ctx, GLuint name, GLenum pname, GLint *value)
{
    struct gl_shader_object *object = gl_names_lookup(&ctx->shared->programs, name);
    switch (pname) {
    case GL_OBJECT_TYPE_ARB:
        *value = object->is_program ? GL_PROGRAM_OBJECT_ARB : GL_SHADER_OBJECT_ARB;
        return true;
    case GL_OBJECT_SUBTYPE_ARB: /* equal to GL_SHADER_TYPE */
        if (object->is_program)
            return false;
        *value = object->type;
        return true;
    default: /* the others are equal to newer enumerants */
        if (object->is_program)
            return gl_program_get(ctx, (struct gl_program *)object, pname, value);
        return shader_get(object, pname, value);
    }
}

void gl_GetObjectParameterivARB(GLhandleARB obj, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    bool is_program;
    if (object_kind(ctx, obj, &is_program, "glGetObjectParameterivARB") &&
        !object_get(ctx, obj, pname, params))
        gl_error(ctx, GL_INVALID_ENUM, "glGetObjectParameterivARB(%s)", gl_enum_name(pname));
}

void gl_GetObjectParameterfvARB(GLhandleARB obj, GLenum pname, GLfloat *params)
{
    GL_CONTEXT(ctx);
    bool is_program;
    GLint value;
    if (!object_kind(ctx, obj, &is_program, "glGetObjectParameterfvARB"))
        return;
    if (object_get(ctx, obj, pname, &value))
        *params = (GLfloat)value;
    else
        gl_error(ctx, GL_INVALID_ENUM, "glGetObjectParameterfvARB(%s)", gl_enum_name(pname));
}

void gl_GetAttachedObjectsARB(GLhandleARB program, GLsizei size, GLsizei *count, GLhandleARB *obj)
{
    gl_GetAttachedShaders(program, size, count, obj);
}

/* Shaders are compiled synchronously by glCompileShader, so GL_COMPLETION_STATUS_KHR is always
 * true. */
void gl_MaxShaderCompilerThreadsKHR(GLuint count)
{
    GL_CONTEXT(ctx);
    ctx->program.compiler_threads = count;
}
