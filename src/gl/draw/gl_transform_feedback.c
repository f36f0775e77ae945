/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (GL 4.6 §13.3). The driver has targets bound only while capturing; otherwise,
 * the object keeps the write offset of each buffer.
 */
#include "gl/draw/gl_transform_feedback.h"

#include <stdlib.h>
#include <talloc.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

/* ---------------------------------------------------------------------------------- objects --- */

bool gl_transform_feedback_init(struct gl_context *ctx)
{
    ctx->xfb.bound = &ctx->xfb.default_object;
    return gl_names_init(&ctx->xfb.names);
}

static void free_members(struct gl_context *ctx, struct gl_transform_feedback *t)
{
    for (unsigned i = 0; t->buffers && i < talloc_array_length(t->buffers); i++)
        gl_buffer_reference(ctx, &t->buffers[i].buffer, NULL);
    talloc_free(t->buffers);
    gl_executable_reference(ctx, &t->exe, NULL);
    free(t->label);
}

static void free_named(GLuint name, void *object, void *data)
{
    free_members(data, object);
    free(object);
}

void gl_transform_feedback_finish(struct gl_context *ctx)
{
    if (!ctx->xfb.names.table)
        return;
    free_members(ctx, &ctx->xfb.default_object);
    gl_names_foreach(&ctx->xfb.names, free_named, ctx);
    gl_names_finish(&ctx->xfb.names);
}

char **gl_transform_feedback_label(struct gl_context *ctx, GLuint name)
{
    struct gl_transform_feedback *t = gl_names_lookup(&ctx->xfb.names, name);
    return t ? &t->label : NULL;
}

void gl_GenTransformFeedbacks(GLsizei n, GLuint *ids)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenTransformFeedbacks(n=%d)", n);
    else if (!gl_names_gen(&ctx->xfb.names, n, false, ids))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenTransformFeedbacks");
}

GLboolean gl_IsTransformFeedback(GLuint id)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->xfb.names, id) != NULL;
}

static bool make_object(struct gl_context *ctx, GLuint id, GLenum target)
{
    struct gl_transform_feedback *t = calloc(1, sizeof *t);
    if (!t || !gl_names_insert(&ctx->xfb.names, id, t)) {
        free(t);
        return false;
    }
    t->name = id;
    return true;
}

void gl_CreateTransformFeedbacks(GLsizei n, GLuint *ids)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->xfb.names, n, ids, make_object, 0, gl_DeleteTransformFeedbacks,
                    "glCreateTransformFeedbacks");
}

/* Returns the object of a name, creating it on first use, or NULL after raising an error because
 * glGen didn't return that name. */
static struct gl_transform_feedback *find_or_create(struct gl_context *ctx, GLuint id)
{
    struct gl_transform_feedback *t =
        id ? gl_names_lookup(&ctx->xfb.names, id) : &ctx->xfb.default_object;
    if (t)
        return t;
    if (!gl_names_is_used(&ctx->xfb.names, id))
        gl_error(ctx, GL_INVALID_OPERATION, "glBindTransformFeedback(id=%u)", id);
    else if (!make_object(ctx, id, 0))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glBindTransformFeedback");
    return gl_names_lookup(&ctx->xfb.names, id);
}

/* Binds an object. While bound, its binding points are stored in the context; moves them from and
 * to the objects. */
static void bind_object(struct gl_context *ctx, struct gl_transform_feedback *t)
{
    struct gl_indexed_buffer **points = &ctx->indexed[GL_INDEXED_TRANSFORM_FEEDBACK];
    ctx->xfb.bound->buffers = *points;
    *points = t->buffers;
    t->buffers = NULL;
    ctx->xfb.bound = t;
}

void gl_BindTransformFeedback(GLenum target, GLuint id)
{
    GL_CONTEXT(ctx);
    if (target != GL_TRANSFORM_FEEDBACK) {
        gl_error(ctx, GL_INVALID_ENUM, "glBindTransformFeedback(target=%s)", gl_enum_name(target));
        return;
    }
    if (gl_transform_feedback_captures(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION,
                 "glBindTransformFeedback(transform feedback is active)");
        return;
    }
    struct gl_transform_feedback *t = find_or_create(ctx, id);
    if (t && t != ctx->xfb.bound)
        bind_object(ctx, t);
}

void gl_DeleteTransformFeedbacks(GLsizei n, const GLuint *ids)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteTransformFeedbacks(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        const struct gl_transform_feedback *t = gl_names_lookup(&ctx->xfb.names, ids[i]);
        if (t && t->active) {
            gl_error(ctx, GL_INVALID_OPERATION, "glDeleteTransformFeedbacks(%u is active)", ids[i]);
            return;
        }
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_transform_feedback *t = gl_names_remove(&ctx->xfb.names, ids[i]);
        if (!t)
            continue;
        if (ctx->xfb.bound == t)
            bind_object(ctx, &ctx->xfb.default_object);
        free_named(ids[i], t, ctx);
    }
}

/* ---------------------------------------------------------------------- direct state access --- */

/* Returns the object that a direct state access call selects (0: the default object), or NULL after
 * raising an error. */
static struct gl_transform_feedback *named(struct gl_context *ctx, GLuint id, const char *call)
{
    struct gl_transform_feedback *t =
        id ? gl_names_lookup(&ctx->xfb.names, id) : &ctx->xfb.default_object;
    if (!t)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(xfb=%u)", call, id);
    return t;
}

static struct gl_indexed_buffer **points_of(struct gl_context *ctx, struct gl_transform_feedback *t)
{
    return t == ctx->xfb.bound ? &ctx->indexed[GL_INDEXED_TRANSFORM_FEEDBACK] : &t->buffers;
}

static bool point_ok(struct gl_context *ctx, GLuint index, const char *call)
{
    if (index < (GLuint)ctx->consts.glsl->limits.max_transform_feedback_buffers)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
    return false;
}

/* Sets a binding point. size 0: the whole buffer. */
static void set_point(GLuint xfb, GLuint index, GLuint name, GLintptr offset, GLsizeiptr size,
                      const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_transform_feedback *t = named(ctx, xfb, call);
    struct gl_buffer *b = gl_buffer_lookup(ctx, name);
    if (!t || !point_ok(ctx, index, call))
        return;
    if (name && !b) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(no buffer %u)", call, name);
        return;
    }
    if (t->active) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(active)", call);
        return;
    }
    struct gl_indexed_buffer **points = points_of(ctx, t);
    if (!*points)
        *points = talloc_zero_array(ctx, struct gl_indexed_buffer,
                                    ctx->consts.glsl->limits.max_transform_feedback_buffers);
    if (!*points) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    struct gl_indexed_buffer *p = &(*points)[index];
    gl_buffer_reference(ctx, &p->buffer, b);
    p->offset = b ? offset : 0;
    p->size = b ? size : 0;
}

void gl_TransformFeedbackBufferBase(GLuint xfb, GLuint index, GLuint buffer)
{
    set_point(xfb, index, buffer, 0, 0, "glTransformFeedbackBufferBase");
}

void gl_TransformFeedbackBufferRange(GLuint xfb, GLuint index, GLuint buffer, GLintptr offset,
                                     GLsizeiptr size)
{
    GL_CONTEXT(ctx);
    const char *call = "glTransformFeedbackBufferRange";
    /* Unlike in glBindBufferRange, sizes are checked without a buffer, too (GL 4.6 §13.3.2). */
    if (offset < 0 || offset % 4 || size <= 0 || size % 4)
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td, size=%td)", call, offset, size);
    else
        set_point(xfb, index, buffer, offset, size, call);
}

void gl_GetTransformFeedbackiv(GLuint xfb, GLenum pname, GLint *param)
{
    GL_CONTEXT(ctx);
    const char *call = "glGetTransformFeedbackiv";
    const struct gl_transform_feedback *t = named(ctx, xfb, call);
    if (!t)
        return;
    if (pname == GL_TRANSFORM_FEEDBACK_PAUSED)
        *param = t->paused;
    else if (pname == GL_TRANSFORM_FEEDBACK_ACTIVE)
        *param = t->active;
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

/* Returns a property of a binding point in *v. Returns false after raising an error. */
static bool get_point(GLuint xfb, GLenum pname, GLuint index, bool wide, GLint64 *v,
                      const char *call)
{
    GL_CONTEXT(ctx);
    static const struct gl_indexed_buffer none;
    struct gl_transform_feedback *t = named(ctx, xfb, call);
    if (!t || !point_ok(ctx, index, call))
        return false;
    const struct gl_indexed_buffer *points = *points_of(ctx, t);
    const struct gl_indexed_buffer *p = points ? &points[index] : &none;
    if (!wide && pname == GL_TRANSFORM_FEEDBACK_BUFFER_BINDING) {
        *v = p->buffer ? p->buffer->name : 0;
    } else if (wide && pname == GL_TRANSFORM_FEEDBACK_BUFFER_START) {
        *v = p->offset;
    } else if (wide && pname == GL_TRANSFORM_FEEDBACK_BUFFER_SIZE) {
        *v = p->size;
    } else {
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
        return false;
    }
    return true;
}

void gl_GetTransformFeedbacki_v(GLuint xfb, GLenum pname, GLuint index, GLint *param)
{
    GLint64 v;
    if (get_point(xfb, pname, index, false, &v, "glGetTransformFeedbacki_v"))
        *param = v;
}

void gl_GetTransformFeedbacki64_v(GLuint xfb, GLenum pname, GLuint index, GLint64 *param)
{
    GLint64 v;
    if (get_point(xfb, pname, index, true, &v, "glGetTransformFeedbacki64_v"))
        *param = v;
}

/* -------------------------------------------------------------------------------- capturing --- */

/* Returns the captured primitive type for the mode of a draw or the output of a geometry shader (GL
 * 4.6 compatibility tables 13.1 and 13.2). */
static GLenum captured_kind(GLenum mode)
{
    switch (mode) {
    case GL_POINTS:
        return GL_POINTS;
    case GL_LINES:
    case GL_LINE_LOOP:
    case GL_LINE_STRIP:
    case GL_LINES_ADJACENCY:
    case GL_LINE_STRIP_ADJACENCY:
        return GL_LINES;
    default:
        return GL_TRIANGLES;
    }
}

bool gl_transform_feedback_allows(struct gl_context *ctx, GLenum mode, const char *call)
{
    const struct gl_transform_feedback *t = ctx->xfb.bound;
    if (!gl_transform_feedback_captures(ctx))
        return true;
    mode = gl_rasterized_mode(ctx, mode);
    /* ES 3.0 §2.15.2 requires the exact mode, except with geometry shaders (EXT_geometry_shader).
     * Like Mesa, checks whether the driver supports them. */
    bool exact = gl_is_es(ctx) && !ctx->screen->caps.stage[SHADER_GEOMETRY].supported;
    bool same = t->mode == (exact ? mode : captured_kind(mode));
    if (!same)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(mode %s, transform feedback captures %s)", call,
                 gl_enum_name(mode), gl_enum_name(t->mode));
    return same;
}

/* Returns the executable of the last stage before rasterization, whose outputs are captured. */
static struct gl_executable *capturing_executable(const struct gl_context *ctx)
{
    static const enum shader_stage last_first[] = {SHADER_GEOMETRY, SHADER_TESS_EVAL,
                                                   SHADER_VERTEX};
    struct gl_executable *exe = NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(last_first) && !exe; i++)
        exe = gl_stage_executable(ctx, last_first[i]);
    return exe;
}

/* Returns a bit mask of the buffers that receive an executable's outputs. */
static unsigned buffers_used(const struct glsl_program *glsl)
{
    unsigned used = 0;
    for (unsigned i = 0; i < glsl->num_xfb; i++)
        if (glsl->xfb[i].type)
            used |= 1u << glsl->xfb[i].buffer;
    return used;
}

static const struct gl_indexed_buffer *binding_point(const struct gl_context *ctx, unsigned i)
{
    static const struct gl_indexed_buffer none;
    const struct gl_indexed_buffer *points = ctx->indexed[GL_INDEXED_TRANSFORM_FEEDBACK];
    return points && i < talloc_array_length(points) ? &points[i] : &none;
}

/* Starts capturing in the driver, at these offsets in bytes. */
static void start_capture(struct gl_context *ctx, const uint32_t offsets[DRV_MAX_SO_BUFFERS])
{
    struct drv_storage_buffer targets[DRV_MAX_SO_BUFFERS] = {0};
    for (unsigned i = 0; i < DRV_MAX_SO_BUFFERS; i++) {
        const struct gl_indexed_buffer *p = binding_point(ctx, i);
        if (!p->buffer || !p->buffer->resource || p->offset >= p->buffer->size)
            continue;
        GLsizeiptr rest = p->buffer->size - p->offset;
        targets[i].buffer = p->buffer->resource;
        targets[i].offset = p->offset;
        targets[i].size = p->size ? MIN2(p->size, rest) : rest;
    }
    ctx->drv->ops->set_stream_output_targets(ctx->drv, DRV_MAX_SO_BUFFERS, targets, offsets);
}

static void stop_capture(struct gl_context *ctx, struct gl_transform_feedback *t)
{
    ctx->drv->ops->get_stream_output_offsets(ctx->drv, t->offset);
    ctx->drv->ops->set_stream_output_targets(ctx->drv, 0, NULL, NULL);
}

void gl_BeginTransformFeedback(GLenum mode)
{
    GL_CONTEXT(ctx);
    struct gl_transform_feedback *t = ctx->xfb.bound;
    const char *name = "glBeginTransformFeedback";
    if (mode != GL_POINTS && mode != GL_LINES && mode != GL_TRIANGLES) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(mode=%s)", name, gl_enum_name(mode));
        return;
    }
    if (t->active) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(is active)", name);
        return;
    }
    struct gl_executable *exe = capturing_executable(ctx);
    if (!exe || !exe->glsl || !exe->glsl->num_xfb) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no program that has outputs to capture)", name);
        return;
    }
    unsigned used = buffers_used(exe->glsl);
    for (unsigned i = 0; i < DRV_MAX_SO_BUFFERS; i++) {
        if (used >> i & 1 && !binding_point(ctx, i)->buffer) {
            gl_error(ctx, GL_INVALID_OPERATION, "%s(no buffer %u)", name, i);
            return;
        }
    }
    FLUSH_VERTICES(ctx, 0);
    static const uint32_t zero[DRV_MAX_SO_BUFFERS];
    t->active = true;
    t->paused = false;
    t->mode = mode;
    gl_executable_reference(ctx, &t->exe, exe);
    start_capture(ctx, zero);
}

void gl_PauseTransformFeedback(void)
{
    GL_CONTEXT(ctx);
    struct gl_transform_feedback *t = ctx->xfb.bound;
    if (!gl_transform_feedback_captures(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glPauseTransformFeedback(not active, or paused)");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    stop_capture(ctx, t);
    t->paused = true;
}

void gl_ResumeTransformFeedback(void)
{
    GL_CONTEXT(ctx);
    struct gl_transform_feedback *t = ctx->xfb.bound;
    if (!t->active || !t->paused) {
        gl_error(ctx, GL_INVALID_OPERATION, "glResumeTransformFeedback(not paused)");
        return;
    }
    if (capturing_executable(ctx) != t->exe) {
        gl_error(ctx, GL_INVALID_OPERATION, "glResumeTransformFeedback(another program is used)");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    start_capture(ctx, t->offset);
    t->paused = false;
}

/* Computes the vertices captured per stream from the number of bytes written to one of its
 * buffers. */
static void count_vertices(struct gl_transform_feedback *t)
{
    const struct glsl_program *glsl = t->exe->glsl;
    memset(t->vertices, 0, sizeof t->vertices);
    for (unsigned i = 0; i < glsl->num_xfb; i++) {
        const struct glsl_xfb_output *x = &glsl->xfb[i];
        if (x->type && glsl->xfb_stride[x->buffer])
            t->vertices[x->stream] = t->offset[x->buffer] / glsl->xfb_stride[x->buffer];
    }
}

void gl_EndTransformFeedback(void)
{
    GL_CONTEXT(ctx);
    struct gl_transform_feedback *t = ctx->xfb.bound;
    if (!t->active) {
        gl_error(ctx, GL_INVALID_OPERATION, "glEndTransformFeedback(not active)");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!t->paused)
        stop_capture(ctx, t);
    count_vertices(t);
    t->active = t->paused = false;
    t->ended = true;
    gl_executable_reference(ctx, &t->exe, NULL);
}

/* ---------------------------------------------------------------- drawing captured vertices --- */

/* Draws as many vertices as the stream captured (GL 4.6 §13.3.3). */
static void draw_captured(GLenum mode, GLuint id, GLuint stream, GLsizei instances,
                          const char *name)
{
    GL_CONTEXT(ctx);
    const struct gl_transform_feedback *t =
        id ? gl_names_lookup(&ctx->xfb.names, id) : &ctx->xfb.default_object;
    if (!t) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(id=%u)", name, id);
        return;
    }
    if (stream >= ctx->consts.glsl->limits.max_vertex_streams) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(stream=%u)", name, stream);
        return;
    }
    if (!t->ended) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%u was never ended)", name, id);
        return;
    }
    gl_draw_arrays(mode, 0, t->vertices[stream], instances, 0, name);
}

void gl_DrawTransformFeedback(GLenum mode, GLuint id)
{
    draw_captured(mode, id, 0, 1, "glDrawTransformFeedback");
}

void gl_DrawTransformFeedbackStream(GLenum mode, GLuint id, GLuint stream)
{
    draw_captured(mode, id, stream, 1, "glDrawTransformFeedbackStream");
}

void gl_DrawTransformFeedbackInstanced(GLenum mode, GLuint id, GLsizei instancecount)
{
    draw_captured(mode, id, 0, instancecount, "glDrawTransformFeedbackInstanced");
}

void gl_DrawTransformFeedbackStreamInstanced(GLenum mode, GLuint id, GLuint stream,
                                             GLsizei instancecount)
{
    draw_captured(mode, id, stream, instancecount, "glDrawTransformFeedbackStreamInstanced");
}
