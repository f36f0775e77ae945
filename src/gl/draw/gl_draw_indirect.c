/* SPDX-License-Identifier: MIT */
/*
 * Draws whose parameters are in a buffer (GL 4.6 §10.4, ARB_indirect_parameters). The CPU reads the
 * parameters here: it renders anyway, so leaving them to the driver would gain nothing. The regular
 * checks of draws (bounds of index buffers, feedback) then apply, too.
 */
#include <inttypes.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl_entry.h"

struct indirect {
    GLenum mode;
    GLenum type; /* type of the indices, 0: not indexed */
    const void *commands;
    GLsizei count, stride; /* stride in bytes, 0: tightly packed */
    const char *call;
};

static unsigned command_words(const struct indirect *d)
{
    return d->type ? 5 : 4;
}

bool gl_check_parameters(struct gl_context *ctx, const struct gl_buffer *b, uint64_t offset,
                         uint64_t bytes, const char *call)
{
    const char *why = NULL;
    if (!b)
        why = "there is no buffer";
    else if (gl_buffer_is_mapped(b))
        why = "the buffer is mapped";
    else if (offset > (uint64_t)b->size || bytes > (uint64_t)b->size - offset)
        why = "beyond the buffer";
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION,
                 "%s(%" PRIu64 " bytes of parameters at %" PRIu64 ": %s)", call, bytes, offset,
                 why);
    return !why;
}

bool gl_read_parameters(struct gl_context *ctx, struct gl_buffer *b, uint64_t offset, size_t bytes,
                        void *to, const char *call)
{
    struct drv_transfer *t;
    const void *p =
        gl_buffer_map_internal(ctx, b, (GLintptr)offset, (GLsizeiptr)bytes, DRV_MAP_READ, &t);
    if (!p) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return false;
    }
    memcpy(to, p, bytes);
    gl_buffer_unmap_internal(ctx, t);
    return true;
}

static bool array_lacks_buffer(const struct gl_vertex_array *vao)
{
    for (uint32_t enabled = vao->enabled; enabled;)
        if (!vao->binding[vao->attrib[u_bit_scan(&enabled)].binding].buffer)
            return true;
    return false;
}

static bool check(struct gl_context *ctx, const struct indirect *d)
{
    struct gl_buffer *b = ctx->draw_indirect_buffer;
    uintptr_t offset = (uintptr_t)d->commands;
    if (d->count < 0 || d->stride < 0 || d->stride % 4 || (b && offset % 4)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(indirect=%zu, drawcount=%d, stride=%d)", d->call,
                 (size_t)offset, d->count, d->stride);
        return false;
    }
    bool core = ctx->api != GL_API_COMPAT;
    if ((core && (!b || !ctx->array.vao->name)) || (d->type && !ctx->array.vao->index_buffer)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(indirect, index buffer or vertex array missing)",
                 d->call);
        return false;
    }
    if (gl_is_es(ctx) && array_lacks_buffer(ctx->array.vao)) { /* ES 3.2 §10.5 */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(an array has no buffer)", d->call);
        return false;
    }
    uint64_t bytes = command_words(d) * 4, stride = d->stride ? d->stride : bytes;
    return !b || !d->count ||
           gl_check_parameters(ctx, b, offset, (d->count - 1) * stride + bytes, d->call);
}

/* Runs one command. Clamps its counts to the range of GLsizei; no array or buffer has more
 * elements. */
static void draw_one(const struct indirect *d, const uint32_t *word)
{
    GLsizei count = MIN2(word[0], INT32_MAX), instances = MIN2(word[1], INT32_MAX);
    if (d->type) {
        unsigned bytes = d->type == GL_UNSIGNED_BYTE ? 1 : d->type == GL_UNSIGNED_SHORT ? 2 : 4;
        gl_draw_elements(d->mode, count, d->type, (const void *)((uintptr_t)word[2] * bytes),
                         instances, (GLint)word[3], word[4], d->call);
    } else {
        gl_draw_arrays(d->mode, word[2], count, instances, word[3], d->call);
    }
}

static void draw(const struct indirect *d)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    if (d->type && d->type != GL_UNSIGNED_BYTE && d->type != GL_UNSIGNED_SHORT &&
        d->type != GL_UNSIGNED_INT) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(type=%s)", d->call, gl_enum_name(d->type));
        return;
    }
    if (!gl_validate_draw(ctx, d->mode, d->call) || !check(ctx, d))
        return;
    unsigned bytes = command_words(d) * 4;
    size_t stride = d->stride ? (size_t)d->stride : bytes;
    gl_multi_draw_begin(ctx);
    for (GLsizei i = 0; i < d->count; i++) {
        uint32_t word[5];
        const char *at = (const char *)d->commands + i * stride;
        if (!ctx->draw_indirect_buffer)
            memcpy(word, at, bytes);
        else if (!gl_read_parameters(ctx, ctx->draw_indirect_buffer, (uintptr_t)at, bytes, word,
                                     d->call))
            break;
        ctx->array.draw_id = i;
        draw_one(d, word);
    }
    gl_multi_draw_end(ctx);
}

/* Returns the number of draws in the parameter buffer, at most max, or -1 after raising an
 * error. */
static GLsizei read_count(GLintptr offset, GLsizei max, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_buffer *b = ctx->parameter_buffer;
    uint32_t count;
    if (offset < 0 || offset % 4 || max < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(drawcount=%td, maxdrawcount=%d)", call, offset, max);
        return -1;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!gl_check_parameters(ctx, b, (uint64_t)offset, sizeof count, call) ||
        !gl_read_parameters(ctx, b, (uint64_t)offset, sizeof count, &count, call))
        return -1;
    return (GLsizei)MIN2(count, (uint32_t)max);
}

void gl_DrawArraysIndirect(GLenum mode, const void *indirect)
{
    draw(&(struct indirect){mode, 0, indirect, 1, 0, "glDrawArraysIndirect"});
}

void gl_DrawElementsIndirect(GLenum mode, GLenum type, const void *indirect)
{
    draw(&(struct indirect){mode, type ? type : GL_NONE + 1, indirect, 1, 0,
                            "glDrawElementsIndirect"});
}

void gl_MultiDrawArraysIndirect(GLenum mode, const void *indirect, GLsizei drawcount,
                                GLsizei stride)
{
    draw(&(struct indirect){mode, 0, indirect, drawcount, stride, "glMultiDrawArraysIndirect"});
}

void gl_MultiDrawElementsIndirect(GLenum mode, GLenum type, const void *indirect, GLsizei drawcount,
                                  GLsizei stride)
{
    draw(&(struct indirect){mode, type ? type : GL_NONE + 1, indirect, drawcount, stride,
                            "glMultiDrawElementsIndirect"});
}

void gl_MultiDrawArraysIndirectCount(GLenum mode, const void *indirect, GLintptr drawcount,
                                     GLsizei maxdrawcount, GLsizei stride)
{
    const char *call = "glMultiDrawArraysIndirectCount";
    GLsizei n = read_count(drawcount, maxdrawcount, call);
    if (n >= 0)
        draw(&(struct indirect){mode, 0, indirect, n, stride, call});
}

void gl_MultiDrawElementsIndirectCount(GLenum mode, GLenum type, const void *indirect,
                                       GLintptr drawcount, GLsizei maxdrawcount, GLsizei stride)
{
    const char *call = "glMultiDrawElementsIndirectCount";
    GLsizei n = read_count(drawcount, maxdrawcount, call);
    if (n >= 0)
        draw(&(struct indirect){mode, type ? type : GL_NONE + 1, indirect, n, stride, call});
}
