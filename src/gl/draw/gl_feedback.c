/* SPDX-License-Identifier: MIT */
/* Selection, feedback and the raster position (GL 4.6 compatibility §21.2, §21.3, §14.1.3). */
#include "gl/draw/gl_feedback.h"

#include <stdlib.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_feedback_types.h"
#include "gl/draw/gl_transform.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_lower_capture.h"
#include "gl_entry.h"

#include "util/check.h"

bool gl_feedback_init(struct gl_context *ctx)
{
    ctx->feedback = talloc_zero(ctx, struct gl_feedback);
    if (ctx->feedback)
        ctx->feedback->type = GL_2D;
    return ctx->feedback;
}

void *gl_feedback_pointer(struct gl_context *ctx, GLenum pname)
{
    return pname == GL_FEEDBACK_BUFFER_POINTER ? (void *)ctx->feedback->buffer
                                               : (void *)ctx->feedback->select_buffer;
}

GLint gl_feedback_get(const struct gl_context *ctx, GLenum pname)
{
    const struct gl_feedback *f = ctx->feedback;
    return pname == GL_NAME_STACK_DEPTH       ? (GLint)f->depth
           : pname == GL_FEEDBACK_BUFFER_SIZE ? f->size
           : pname == GL_FEEDBACK_BUFFER_TYPE ? (GLint)f->type
                                              : f->select_size;
}

/* -------------------------------------------------------------------------------- selection --- */

static void put_select(struct gl_feedback *f, GLuint value)
{
    if (f->select_used < (unsigned)f->select_size)
        f->select_buffer[f->select_used++] = value;
    else
        f->select_overflow = true;
}

/* Converts a depth to the nearest unsigned integer, which uses the whole range (§21.2). */
static GLuint depth_to_uint(float z)
{
    return (GLuint)(CLAMP(z, 0.0f, 1.0f) * 4294967295.0 + 0.5);
}

/* Writes the hit record for the primitives since the last change of the name stack. */
static void write_hit(struct gl_feedback *f)
{
    if (!f->hit)
        return;
    f->hit = false;
    f->hits++;
    put_select(f, f->depth);
    put_select(f, depth_to_uint(f->min_z));
    put_select(f, depth_to_uint(f->max_z));
    for (unsigned i = 0; i < f->depth; i++)
        put_select(f, f->names[i]);
}

void gl_feedback_hit(struct gl_feedback *f, float z)
{
    if (!f->hit) {
        f->min_z = f->max_z = z;
        f->hit = true;
    }
    f->min_z = MIN2(f->min_z, z);
    f->max_z = MAX2(f->max_z, z);
}

/* Flushes earlier vertices and writes their hit record, before the name stack changes. Returns the
 * selection state, or NULL outside selection mode. */
static struct gl_feedback *select_state(struct gl_context *ctx)
{
    FLUSH_VERTICES(ctx, 0);
    if (ctx->render_mode != GL_SELECT)
        return NULL;
    write_hit(ctx->feedback);
    return ctx->feedback;
}

void gl_InitNames(void)
{
    GL_CONTEXT(ctx);
    struct gl_feedback *f = select_state(ctx);
    if (f)
        f->depth = 0;
}

void gl_LoadName(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_feedback *f = select_state(ctx);
    if (!f)
        return;
    if (!f->depth)
        gl_error(ctx, GL_INVALID_OPERATION, "glLoadName(empty stack)");
    else
        f->names[f->depth - 1] = name;
}

void gl_PushName(GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_feedback *f = select_state(ctx);
    if (!f)
        return;
    if (f->depth >= GL_NAME_STACK_MAX)
        gl_error(ctx, GL_STACK_OVERFLOW, "glPushName");
    else
        NEXT_OF(f->names, f->depth) = name;
}

void gl_PopName(void)
{
    GL_CONTEXT(ctx);
    struct gl_feedback *f = select_state(ctx);
    if (!f)
        return;
    if (!f->depth)
        gl_error(ctx, GL_STACK_UNDERFLOW, "glPopName");
    else
        f->depth--;
}

void gl_SelectBuffer(GLsizei size, GLuint *buffer)
{
    GL_CONTEXT(ctx);
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glSelectBuffer(size=%d)", size);
        return;
    }
    if (ctx->render_mode == GL_SELECT) {
        gl_error(ctx, GL_INVALID_OPERATION, "glSelectBuffer(in GL_SELECT mode)");
        return;
    }
    ctx->feedback->select_buffer = buffer;
    ctx->feedback->select_size = size;
}

/* --------------------------------------------------------------------------------- feedback --- */

void gl_FeedbackBuffer(GLsizei size, GLenum type, GLfloat *buffer)
{
    GL_CONTEXT(ctx);
    if (ctx->render_mode == GL_FEEDBACK) {
        gl_error(ctx, GL_INVALID_OPERATION, "glFeedbackBuffer(in GL_FEEDBACK mode)");
        return;
    }
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glFeedbackBuffer(size=%d)", size);
        return;
    }
    if (type < GL_2D || type > GL_4D_COLOR_TEXTURE) {
        gl_error(ctx, GL_INVALID_ENUM, "glFeedbackBuffer(type=%s)", gl_enum_name(type));
        return;
    }
    ctx->feedback->buffer = buffer;
    ctx->feedback->size = size;
    ctx->feedback->type = type;
}

void gl_PassThrough(GLfloat token)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    if (ctx->render_mode != GL_FEEDBACK)
        return;
    gl_feedback_put(ctx->feedback, GL_PASS_THROUGH_TOKEN);
    gl_feedback_put(ctx->feedback, token);
}

void gl_feedback_token(struct gl_context *ctx, GLenum token)
{
    const struct gl_current_state *c = &ctx->current_attribs;
    struct gl_feedback *f = ctx->feedback;
    if (ctx->render_mode != GL_FEEDBACK || !c->raster_valid)
        return;
    gl_feedback_put(f, token);
    gl_feedback_put(f, c->raster_pos[0]);
    gl_feedback_put(f, c->raster_pos[1]);
    if (f->type != GL_2D)
        gl_feedback_put(f, c->raster_pos[2]);
    if (f->type == GL_4D_COLOR_TEXTURE)
        gl_feedback_put(f, c->raster_pos[3]);
    if (f->type == GL_2D || f->type == GL_3D)
        return;
    for (unsigned i = 0; i < 4; i++)
        gl_feedback_put(f, c->raster_color[i]);
    if (f->type != GL_3D_COLOR)
        for (unsigned i = 0; i < 4; i++)
            gl_feedback_put(f, c->raster_texcoord[0][i]);
}

/* Leaves the current render mode and returns the value that glRenderMode reports for it. */
static GLint leave_mode(struct gl_context *ctx)
{
    struct gl_feedback *f = ctx->feedback;
    GLint result = 0;
    if (ctx->render_mode == GL_SELECT) {
        write_hit(f);
        result = f->select_overflow ? -1 : (GLint)f->hits;
        f->depth = 0;
    } else if (ctx->render_mode == GL_FEEDBACK) {
        result = f->overflow ? -1 : (GLint)f->used;
    }
    f->select_used = f->hits = f->used = 0;
    f->select_overflow = f->overflow = f->hit = false;
    return result;
}

GLint gl_RenderMode(GLenum mode)
{
    GL_CONTEXT(ctx);
    const struct gl_feedback *f = ctx->feedback;
    if (mode != GL_RENDER && mode != GL_SELECT && mode != GL_FEEDBACK) {
        gl_error(ctx, GL_INVALID_ENUM, "glRenderMode(mode=%s)", gl_enum_name(mode));
        return 0;
    }
    FLUSH_VERTICES(ctx, 0);
    if ((mode == GL_SELECT && !f->select_buffer) || (mode == GL_FEEDBACK && !f->buffer)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glRenderMode(%s: no buffer)", gl_enum_name(mode));
        return 0;
    }
    GLint result = leave_mode(ctx);
    ctx->render_mode = mode;
    return result;
}

/* -------------------------------------------------------------------------- raster position --- */

/* Clamps a window depth to the depth range on the sides of the planes that depth clamping disables
 * (GL 4.6 compatibility §14.7). */
static float clamp_raster_depth(const struct gl_context *ctx, float z)
{
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    const bool reversed = vp->near_val > vp->far_val;
    if (ctx->transform.depth_clamp_near)
        z = reversed ? MIN2(z, vp->near_val) : MAX2(z, vp->near_val);
    if (ctx->transform.depth_clamp_far)
        z = reversed ? MAX2(z, vp->far_val) : MIN2(z, vp->far_val);
    return z;
}

/* Sets the raster position to a vertex at `pos` (GL 4.6 compatibility §14.7). The raster index
 * keeps its default value (appendix B, corollary 10). */
static void raster_pos(const float pos[4])
{
    GL_CONTEXT(ctx);
    struct gl_current_state *c = &ctx->current_attribs;
    struct gl_sw_input in;
    struct gl_sw_vertex v;
    struct gl_sw_pipeline pipeline;
    FLUSH_VERTICES(ctx, 0);
    if (!gl_sw_begin(ctx, &pipeline, 1, &v, GL_SW_ALL, "glRasterPos"))
        return;
    gl_sw_input_current(ctx, &in);
    memcpy(in.attrib[VERT_ATTRIB_POS], pos, 4 * sizeof *pos);
    gl_sw_transform(&pipeline, &in);
    if (!gl_sw_end(&pipeline))
        return;
    /* IBM_rasterpos_clip: x and y, the first four planes, do not invalidate the position. */
    c->raster_valid = gl_sw_inside(ctx, &v, ctx->transform.raster_unclipped ? 4 : 0);
    if (!c->raster_valid)
        return;
    gl_sw_window(ctx, v.clip, c->raster_pos);
    c->raster_pos[2] = clamp_raster_depth(ctx, c->raster_pos[2]);
    c->raster_distance = v.fog_distance;
    memcpy(c->raster_color, v.color, sizeof c->raster_color);
    memcpy(c->raster_secondary_color, v.secondary, sizeof c->raster_secondary_color);
    memcpy(c->raster_texcoord, v.texcoord, sizeof c->raster_texcoord);
    if (ctx->render_mode == GL_SELECT) /* §21.2 */
        gl_feedback_hit(ctx->feedback, c->raster_pos[2]);
}

#define RASTER_POS(suffix, T)                                                                      \
    void gl_RasterPos2##suffix(T x, T y)                                                           \
    {                                                                                              \
        raster_pos((const float[4]){x, y, 0, 1});                                                  \
    }                                                                                              \
    void gl_RasterPos3##suffix(T x, T y, T z)                                                      \
    {                                                                                              \
        raster_pos((const float[4]){x, y, z, 1});                                                  \
    }                                                                                              \
    void gl_RasterPos4##suffix(T x, T y, T z, T w)                                                 \
    {                                                                                              \
        raster_pos((const float[4]){x, y, z, w});                                                  \
    }                                                                                              \
    void gl_RasterPos2##suffix##v(const T *v)                                                      \
    {                                                                                              \
        raster_pos((const float[4]){v[0], v[1], 0, 1});                                            \
    }                                                                                              \
    void gl_RasterPos3##suffix##v(const T *v)                                                      \
    {                                                                                              \
        raster_pos((const float[4]){v[0], v[1], v[2], 1});                                         \
    }                                                                                              \
    void gl_RasterPos4##suffix##v(const T *v)                                                      \
    {                                                                                              \
        raster_pos((const float[4]){v[0], v[1], v[2], v[3]});                                      \
    }
RASTER_POS(d, GLdouble)
RASTER_POS(f, GLfloat)
RASTER_POS(i, GLint)
RASTER_POS(s, GLshort)

/* Sets the raster position in window coordinates (GL 4.6 compatibility §14.7, MESA_window_pos). It
 * gets the current colors. */
static void window_pos(float x, float y, float z, float w)
{
    GL_CONTEXT(ctx);
    struct gl_current_state *c = &ctx->current_attribs;
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    FLUSH_VERTICES(ctx, 0);
    gl_update_framebuffer_state(ctx); /* determines whether colors are clamped */
    const bool clamp = gl_clamps_vertices(ctx);
    c->raster_pos[0] = x;
    c->raster_pos[1] = y;
    c->raster_pos[2] = z <= 0.0f   ? vp->near_val
                       : z >= 1.0f ? vp->far_val
                                   : vp->near_val + z * (vp->far_val - vp->near_val);
    c->raster_pos[3] = w;
    c->raster_valid = true;
    c->raster_distance =
        ctx->fog.coord_source == GL_FOG_COORD ? c->attrib[VERT_ATTRIB_FOG][0] : 0.0f;
    for (unsigned i = 0; i < 4; i++) {
        const float color = c->attrib[VERT_ATTRIB_COLOR0][i];
        const float secondary = c->attrib[VERT_ATTRIB_COLOR1][i];
        c->raster_color[i] = clamp ? CLAMP(color, 0.0f, 1.0f) : color;
        c->raster_secondary_color[i] = clamp ? CLAMP(secondary, 0.0f, 1.0f) : secondary;
    }
    for (unsigned i = 0; i < GL_MAX_TEXTURE_COORD_UNITS; i++)
        memcpy(c->raster_texcoord[i], c->attrib[VERT_ATTRIB_TEX(i)], sizeof c->raster_texcoord[i]);
    if (ctx->render_mode == GL_SELECT) /* §21.2 */
        gl_feedback_hit(ctx->feedback, c->raster_pos[2]);
}

#define WINDOW_POS(suffix, T)                                                                      \
    void gl_WindowPos2##suffix(T x, T y)                                                           \
    {                                                                                              \
        window_pos(x, y, 0, 1);                                                                    \
    }                                                                                              \
    void gl_WindowPos3##suffix(T x, T y, T z)                                                      \
    {                                                                                              \
        window_pos(x, y, z, 1);                                                                    \
    }                                                                                              \
    void gl_WindowPos2##suffix##v(const T *v)                                                      \
    {                                                                                              \
        window_pos(v[0], v[1], 0, 1);                                                              \
    }                                                                                              \
    void gl_WindowPos3##suffix##v(const T *v)                                                      \
    {                                                                                              \
        window_pos(v[0], v[1], v[2], 1);                                                           \
    }                                                                                              \
    void gl_WindowPos4##suffix##MESA(T x, T y, T z, T w)                                           \
    {                                                                                              \
        window_pos(x, y, z, w);                                                                    \
    }                                                                                              \
    void gl_WindowPos4##suffix##vMESA(const T *v)                                                  \
    {                                                                                              \
        window_pos(v[0], v[1], v[2], v[3]);                                                        \
    }
WINDOW_POS(d, GLdouble)
WINDOW_POS(f, GLfloat)
WINDOW_POS(i, GLint)
WINDOW_POS(s, GLshort)
