/* SPDX-License-Identifier: MIT */
/* Indexed binding points of buffers (GL 4.6 §6.1.1) and their queries (§6.7). */
#include <stddef.h>
#include <talloc.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

struct indexed_target {
    GLenum target, binding, start, size;
    /* offset in struct drv_caps of the offset alignment; 0: offsets must be multiples of 4 */
    size_t alignment;
};

#define CAP(field) offsetof(struct drv_caps, field)

static const struct indexed_target targets[GL_INDEXED_BUFFERS] = {
    [GL_INDEXED_UNIFORM] = {GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START,
                            GL_UNIFORM_BUFFER_SIZE, CAP(constant_buffer_offset_alignment)},
    [GL_INDEXED_STORAGE] = {GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING,
                            GL_SHADER_STORAGE_BUFFER_START, GL_SHADER_STORAGE_BUFFER_SIZE,
                            CAP(storage_buffer_offset_alignment)},
    [GL_INDEXED_ATOMIC_COUNTER] = {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING,
                                   GL_ATOMIC_COUNTER_BUFFER_START, GL_ATOMIC_COUNTER_BUFFER_SIZE,
                                   0},
    [GL_INDEXED_TRANSFORM_FEEDBACK] = {GL_TRANSFORM_FEEDBACK_BUFFER,
                                       GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
                                       GL_TRANSFORM_FEEDBACK_BUFFER_START,
                                       GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, 0},
};

static unsigned limit_of(const struct gl_context *ctx, enum gl_indexed_buffers which)
{
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    switch (which) {
    case GL_INDEXED_UNIFORM:
        return l->max_uniform_bindings;
    case GL_INDEXED_STORAGE:
        return l->max_storage_bindings;
    case GL_INDEXED_ATOMIC_COUNTER:
        return l->max_atomic_bindings;
    default:
        return l->max_transform_feedback_buffers;
    }
}

static unsigned alignment_of(const struct gl_context *ctx, enum gl_indexed_buffers which)
{
    const char *caps = (const char *)&ctx->screen->caps;
    size_t field = targets[which].alignment;
    return field ? MAX2(*(const unsigned *)(caps + field), 1) : 4;
}

static void set(struct gl_context *ctx, struct gl_indexed_buffer *place, struct gl_buffer *b,
                GLintptr offset, GLsizeiptr size)
{
    gl_buffer_reference(ctx, &place->buffer, b);
    place->offset = b ? offset : 0;
    place->size = b ? size : 0;
}

/* Returns the enum gl_indexed_buffers of a target; -1: it has no indexed binding points. */
static int indexed_kind(GLenum target)
{
    for (unsigned i = 0; i < GL_INDEXED_BUFFERS; i++)
        if (targets[i].target == target)
            return i;
    return -1;
}

/* size 0 binds the whole buffer. */
static void bind(struct gl_context *ctx, GLenum target, GLuint index, GLuint name, GLintptr offset,
                 GLsizeiptr size, const char *call)
{
    struct gl_buffer **general = gl_buffer_binding(ctx, target), *b;
    int which = indexed_kind(target);
    if (which < 0 || !general) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return;
    }
    unsigned limit = limit_of(ctx, which), alignment = alignment_of(ctx, which);
    if (index >= limit) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u, the limit is %u)", call, index, limit);
        return;
    }
    if (offset < 0 || (name && offset % alignment)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%lld, the alignment is %u)", call,
                 (long long)offset, alignment);
        return;
    }
    if (!ctx->indexed[which])
        ctx->indexed[which] = talloc_zero_array(ctx, struct gl_indexed_buffer, limit);
    if (!ctx->indexed[which]) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    if (which == GL_INDEXED_TRANSFORM_FEEDBACK && ctx->xfb.bound->active) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(transform feedback is active)", call);
        return;
    }
    if (!gl_buffer_for_bind(ctx, name, &b, call))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORM_BUFFERS | GL_DIRTY_STORAGE_BUFFERS);
    gl_buffer_reference(ctx, general, b);
    set(ctx, &ctx->indexed[which][index], b, offset, size);
}

/* Each binding succeeds or fails separately; the non-indexed binding point is unchanged
 * (ARB_multi_bind). */
static void bind_many(GLenum target, GLuint first, GLsizei count, const GLuint *names,
                      const GLintptr *offsets, const GLsizeiptr *sizes, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_buffer **general = gl_buffer_binding(ctx, target), *kept = NULL;
    int which = indexed_kind(target);
    if (which < 0 || !general) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return;
    }
    if (count < 0 || (uint64_t)first + count > limit_of(ctx, which)) {
        gl_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION, "%s(first=%u, count=%d)",
                 call, first, count);
        return;
    }
    gl_buffer_reference(ctx, &kept, *general);
    for (GLsizei i = 0; i < count; i++) {
        GLuint name = names ? names[i] : 0;
        GLintptr offset = name && offsets ? offsets[i] : 0;
        GLsizeiptr size = name && sizes ? sizes[i] : 0;
        if (name && !gl_buffer_lookup(ctx, name))
            gl_error(ctx, GL_INVALID_OPERATION, "%s(no buffer %u)", call, name);
        else if (name && sizes &&
                 (size <= 0 || (which == GL_INDEXED_TRANSFORM_FEEDBACK && size % 4)))
            gl_error(ctx, GL_INVALID_VALUE, "%s(size=%td)", call, size);
        else
            bind(ctx, target, first + i, name, offset, size, call);
    }
    gl_buffer_reference(ctx, general, kept);
    gl_buffer_reference(ctx, &kept, NULL);
}

void gl_BindBuffersBase(GLenum target, GLuint first, GLsizei count, const GLuint *buffers)
{
    bind_many(target, first, count, buffers, NULL, NULL, "glBindBuffersBase");
}

void gl_BindBuffersRange(GLenum target, GLuint first, GLsizei count, const GLuint *buffers,
                         const GLintptr *offsets, const GLsizeiptr *sizes)
{
    bind_many(target, first, count, buffers, offsets, sizes, "glBindBuffersRange");
}

void gl_BindBufferBase(GLenum target, GLuint index, GLuint buffer)
{
    GL_CONTEXT(ctx);
    bind(ctx, target, index, buffer, 0, 0, "glBindBufferBase");
}

void gl_BindBufferRange(GLenum target, GLuint index, GLuint buffer, GLintptr offset,
                        GLsizeiptr size)
{
    GL_CONTEXT(ctx);
    bool feedback = target == GL_TRANSFORM_FEEDBACK_BUFFER;
    if (buffer && (size <= 0 || (feedback && size % 4))) {
        gl_error(ctx, GL_INVALID_VALUE, "glBindBufferRange(size=%lld)", (long long)size);
        return;
    }
    bind(ctx, target, index, buffer, offset, size, "glBindBufferRange");
}

void gl_BindBufferOffsetEXT(GLenum target, GLuint index, GLuint buffer, GLintptr offset)
{
    GL_CONTEXT(ctx);
    if (target != GL_TRANSFORM_FEEDBACK_BUFFER)
        gl_error(ctx, GL_INVALID_ENUM, "glBindBufferOffsetEXT(target=%s)", gl_enum_name(target));
    else
        bind(ctx, target, index, buffer, offset, 0, "glBindBufferOffsetEXT");
}

void gl_indexed_buffers_unbind(struct gl_context *ctx, const struct gl_buffer *b)
{
    for (unsigned t = 0; t < GL_INDEXED_BUFFERS; t++)
        for (unsigned i = 0; ctx->indexed[t] && i < talloc_array_length(ctx->indexed[t]); i++)
            if (ctx->indexed[t][i].buffer && (!b || ctx->indexed[t][i].buffer == b)) {
                set(ctx, &ctx->indexed[t][i], NULL, 0, 0);
                ctx->dirty |= GL_DIRTY_UNIFORM_BUFFERS | GL_DIRTY_STORAGE_BUFFERS;
            }
}

bool gl_indexed_buffer_get(struct gl_context *ctx, GLenum pname, GLuint index, unsigned *limit,
                           double *value)
{
    static const struct gl_indexed_buffer none;
    for (unsigned t = 0; t < GL_INDEXED_BUFFERS; t++) {
        const struct indexed_target *d = &targets[t];
        if ((pname != d->binding && pname != d->start && pname != d->size) ||
            !gl_buffer_binding(ctx, d->target))
            continue;
        *limit = limit_of(ctx, t);
        const struct gl_indexed_buffer *b =
            ctx->indexed[t] && index < *limit ? &ctx->indexed[t][index] : &none;
        *value = pname == d->start  ? (double)b->offset
                 : pname == d->size ? (double)b->size
                 : b->buffer        ? (double)b->buffer->name
                                    : 0.0;
        return true;
    }
    return false;
}
