/* SPDX-License-Identifier: MIT */
/* Labels of objects (GL 4.6 §20.9, KHR_debug, EXT_debug_label). */
#include <stdlib.h>
#include <string.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/compat/gl_lists.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_query.h"
#include "gl/draw/gl_transform_feedback.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_program.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

/* Returns the address of an object's label, or NULL after raising an error. missing: error for a
 * missing object. Applications label buffers, arrays, framebuffers and renderbuffers between
 * glGen* and the first binding, which creates the object; Mesa accepts that, so it is created
 * here. */
static char **find_label(struct gl_context *ctx, const char *call, GLenum identifier, GLuint name,
                         GLenum missing)
{
    char **label = NULL;
    switch (identifier == GL_DISPLAY_LIST && !gl_is_compat(ctx) ? GL_NONE : identifier) {
    case GL_BUFFER: {
        struct gl_buffer *b = gl_names_is_used(&ctx->shared->buffers, name)
                                  ? gl_get_or_create_buffer(ctx, name, call)
                                  : NULL;
        label = b ? &b->label : NULL;
        break;
    }
    case GL_VERTEX_ARRAY: {
        struct gl_vertex_array *v = gl_names_is_used(&ctx->vertex_arrays, name)
                                        ? gl_get_or_create_arrays(ctx, name, call)
                                        : NULL;
        label = v ? &v->label : NULL;
        break;
    }
    case GL_DISPLAY_LIST:
        label = gl_list_label(ctx, name);
        break;
    case GL_QUERY:
        label = gl_query_label(ctx, name);
        break;
    case GL_SHADER:
    case GL_PROGRAM:
        label = gl_program_label(ctx, identifier, name);
        break;
    case GL_TEXTURE: {
        struct gl_texture *t = gl_texture_lookup(ctx, name);
        label = t && t->target ? &t->label : NULL;
        break;
    }
    case GL_SAMPLER: {
        struct gl_sampler *o = gl_names_lookup(&ctx->shared->samplers, name);
        label = o ? &o->label : NULL;
        break;
    }
    case GL_RENDERBUFFER: {
        struct gl_renderbuffer *r = gl_names_is_used(&ctx->shared->renderbuffers, name)
                                        ? gl_get_or_create_renderbuffer(ctx, name, call)
                                        : NULL;
        label = r ? &r->label : NULL;
        break;
    }
    case GL_FRAMEBUFFER: {
        struct gl_framebuffer *f = gl_names_is_used(ctx->framebuffer.names, name)
                                       ? gl_get_or_create_framebuffer(ctx, name, call)
                                       : NULL;
        label = f ? &f->label : NULL;
        break;
    }
    case GL_TRANSFORM_FEEDBACK:
        label = gl_transform_feedback_label(ctx, name);
        break;
    case GL_PROGRAM_PIPELINE:
        label = gl_pipeline_label(ctx, name);
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "%s(identifier=%s)", call, gl_enum_name(identifier));
        return NULL;
    }
    if (!label)
        gl_error(ctx, missing, "%s(no %s %u)", call, gl_enum_name(identifier), name);
    return label;
}

static void set_label(struct gl_context *ctx, const char *call, char **label, GLsizei length,
                      const GLchar *text)
{
    char *copy = NULL;
    if (text) {
        GLsizei n = gl_debug_message_length(ctx, call, length, text);
        if (n < 0)
            return;
        copy = strndup(text, n);
        if (!copy) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
            return;
        }
    }
    free(*label);
    *label = copy;
}

static void get_label(const char *label, GLsizei bufSize, GLsizei *length, GLchar *out)
{
    GLsizei n = label ? strlen(label) : 0;
    if (out && bufSize > 0) {
        n = MIN2(n, bufSize - 1);
        if (n)
            memcpy(out, label, n);
        out[n] = 0;
    }
    if (length)
        *length = n;
}

void gl_ObjectLabel(GLenum identifier, GLuint name, GLsizei length, const GLchar *label)
{
    GL_CONTEXT(ctx);
    char **where = find_label(ctx, "glObjectLabel", identifier, name, GL_INVALID_VALUE);
    if (where)
        set_label(ctx, "glObjectLabel", where, length, label);
}

void gl_GetObjectLabel(GLenum identifier, GLuint name, GLsizei bufSize, GLsizei *length,
                       GLchar *label)
{
    GL_CONTEXT(ctx);
    if (bufSize < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetObjectLabel(bufSize=%d)", bufSize);
        return;
    }
    char **where = find_label(ctx, "glGetObjectLabel", identifier, name, GL_INVALID_VALUE);
    if (where)
        get_label(*where, bufSize, length, label);
}

/* Like find_label(), but for EXT_debug_label, which has different names for some kinds of objects.
 * Applications also pass the names of KHR_debug. */
static char **find_label_ext(struct gl_context *ctx, const char *call, GLenum type, GLuint name)
{
    static const struct {
        GLenum type, identifier;
    } different[] = {
        {GL_BUFFER_OBJECT_EXT, GL_BUFFER},   {GL_SHADER_OBJECT_EXT, GL_SHADER},
        {GL_PROGRAM_OBJECT_EXT, GL_PROGRAM}, {GL_VERTEX_ARRAY_OBJECT_EXT, GL_VERTEX_ARRAY},
        {GL_QUERY_OBJECT_EXT, GL_QUERY},     {GL_PROGRAM_PIPELINE_OBJECT_EXT, GL_PROGRAM_PIPELINE},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(different); i++)
        if (different[i].type == type)
            type = different[i].identifier;
    return find_label(ctx, call, type, name, GL_INVALID_OPERATION);
}

void gl_LabelObjectEXT(GLenum type, GLuint object, GLsizei length, const GLchar *label)
{
    GL_CONTEXT(ctx);
    if (length < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glLabelObjectEXT(length=%d)", length);
        return;
    }
    char **where = find_label_ext(ctx, "glLabelObjectEXT", type, object);
    if (where) /* a length of 0 means null-terminated */
        set_label(ctx, "glLabelObjectEXT", where, length ? length : -1, label);
}

void gl_GetObjectLabelEXT(GLenum type, GLuint object, GLsizei bufSize, GLsizei *length,
                          GLchar *label)
{
    GL_CONTEXT(ctx);
    if (bufSize < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetObjectLabelEXT(bufSize=%d)", bufSize);
        return;
    }
    char **where = find_label_ext(ctx, "glGetObjectLabelEXT", type, object);
    if (where)
        get_label(*where, bufSize, length, label);
}

void gl_ObjectPtrLabel(const void *ptr, GLsizei length, const GLchar *label)
{
    GL_CONTEXT(ctx);
    char **where = gl_sync_label(ctx, ptr);
    if (where)
        set_label(ctx, "glObjectPtrLabel", where, length, label);
    else
        gl_error(ctx, GL_INVALID_VALUE, "glObjectPtrLabel(no sync object)");
}

void gl_GetObjectPtrLabel(const void *ptr, GLsizei bufSize, GLsizei *length, GLchar *label)
{
    GL_CONTEXT(ctx);
    char **where = bufSize < 0 ? NULL : gl_sync_label(ctx, ptr);
    if (where)
        get_label(*where, bufSize, length, label);
    else
        gl_error(ctx, GL_INVALID_VALUE, "glGetObjectPtrLabel");
}
