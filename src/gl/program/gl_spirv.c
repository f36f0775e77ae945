/* SPDX-License-Identifier: MIT */
/*
 * Shaders from SPIR-V modules: GL_ARB_gl_spirv, GL_ARB_spirv_extensions (GL 4.6 §7.2, §7.2.1). A
 * shader object keeps a copy of its module until it gets another module or a source.
 */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_share.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/memory.h"

void gl_shader_free_module(struct gl_shader_object *shader)
{
    free(shader->module);
    shader->module = NULL;
    shader->module_words = 0;
    shader->specialized = false;
}

static bool load_module(struct gl_shader_object *shader, const void *binary, size_t words)
{
    uint32_t *copy = malloc(words * sizeof *copy);
    if (!copy)
        return false;
    memcpy(copy, binary, words * sizeof *copy);
    gl_shader_free_module(shader);
    shader->module = copy;
    shader->module_words = words;
    free(shader->source);
    shader->source = NULL;
    shader->source_length = 0;
    talloc_free(shader->compiled);
    shader->compiled = NULL;
    return true;
}

void gl_ShaderBinary(GLsizei count, const GLuint *shaders, GLenum format, const void *binary,
                     GLsizei length)
{
    GL_CONTEXT(ctx);
    uint32_t magic = 0;
    if (count < 0 || length < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glShaderBinary(count=%d, length=%d)", count, length);
        return;
    }
    if (format != GL_SHADER_BINARY_FORMAT_SPIR_V || !ctx->ext.ARB_gl_spirv) {
        gl_error(ctx, GL_INVALID_ENUM, "glShaderBinary(format=%s)", gl_enum_name(format));
        return;
    }
    for (GLsizei i = 0; i < count; i++)
        if (!gl_shader_lookup(ctx, shaders[i], "glShaderBinary"))
            return;
    if (length >= 20)
        memcpy(&magic, binary, sizeof magic);
    if (length % 4 || magic != SPIRV_MAGIC) {
        gl_error(ctx, GL_INVALID_VALUE, "glShaderBinary(binary is no SPIR-V module)");
        return;
    }
    for (GLsizei i = 0; i < count; i++) {
        struct gl_shader_object *shader = gl_shader_lookup(ctx, shaders[i], "glShaderBinary");
        if (!load_module(shader, binary, (size_t)length / 4)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "glShaderBinary");
            return;
        }
    }
}

/* Checks for errors of glSpecializeShader. Other problems are reported in the shader's log. */
static bool check(struct gl_context *ctx, const struct gl_shader_object *shader, GLuint name,
                  const GLchar *entry, GLuint count, const GLuint *index)
{
    if (!shader->module || shader->specialized) {
        gl_error(ctx, GL_INVALID_OPERATION, "glSpecializeShader(shader %u %s)", name,
                 shader->module ? "is specialized" : "has no SPIR-V module");
        return false;
    }
    enum spirv_entry found =
        spirv_find_entry_point(shader->module, shader->module_words, entry, shader->stage);
    if (found != SPIRV_HAS_ENTRY) {
        gl_error(ctx, found == SPIRV_NO_ENTRY ? GL_INVALID_VALUE : GL_INVALID_OPERATION,
                 "glSpecializeShader(entry point \"%s\" %s)", entry,
                 found == SPIRV_NO_ENTRY ? "does not exist" : "is of another stage");
        return false;
    }
    for (GLuint i = 0; i < count; i++) {
        if (spirv_has_specialization(shader->module, shader->module_words, index[i]))
            continue;
        gl_error(ctx, GL_INVALID_VALUE, "glSpecializeShader(constant %u does not exist)", index[i]);
        return false;
    }
    return true;
}

/* Returns the compiled shader. NULL: out of memory. */
static struct glsl_shader *specialize(struct gl_context *ctx, struct gl_shader_object *shader,
                                      const GLchar *entry, GLuint count, const GLuint *index,
                                      const GLuint *value)
{
    void *tmp = talloc_new(NULL);
    struct spirv_specialization *list = talloc_array(tmp, struct spirv_specialization, count + 1);
    uint32_t *words = talloc_memdup(tmp, shader->module, shader->module_words * sizeof *words);
    struct glsl_shader *compiled = NULL;
    for (GLuint i = 0; list && i < count; i++)
        list[i] = (struct spirv_specialization){index[i], value[i]};
    if (list && words) {
        /* Another context may replace the shader's module during compilation. */
        struct glsl_module module = {
            .stage = shader->stage,
            .words = words,
            .num_words = shader->module_words,
            .entry_point = entry,
            .specializations = list,
            .num_specializations = count,
        };
        struct gl_shader_object *held = NULL;
        gl_shader_reference(&held, shader);
        gl_share_pause(ctx);
        compiled = UTIL_ATTEMPT(glsl_specialize(NULL, ctx->consts.glsl, &module));
        gl_share_resume(ctx);
        if (compiled) {
            talloc_free(shader->compiled);
            shader->compiled = compiled;
            shader->specialized = compiled->compiled;
        }
        gl_shader_release(ctx, held);
    }
    talloc_free(tmp);
    return compiled;
}

void gl_SpecializeShader(GLuint name, const GLchar *entry, GLuint count, const GLuint *index,
                         const GLuint *value)
{
    GL_CONTEXT(ctx);
    struct gl_shader_object *shader = gl_shader_lookup(ctx, name, "glSpecializeShader");
    if (!shader || !check(ctx, shader, name, entry, count, index))
        return;
    if (!specialize(ctx, shader, entry, count, index, value))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glSpecializeShader");
}

/* Returns the extensions that src/spirv supports, for GL_SPIR_V_EXTENSIONS. */
const char *gl_spirv_extension(const struct gl_context *ctx, GLuint index)
{
    return ctx->ext.ARB_spirv_extensions ? spirv_extension(index) : NULL;
}

GLint gl_num_spirv_extensions(const struct gl_context *ctx)
{
    GLint n = 0;
    while (gl_spirv_extension(ctx, n))
        n++;
    return n;
}
