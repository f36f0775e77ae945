/* SPDX-License-Identifier: MIT */
/* Selection, feedback and the raster position (GL 4.6 compatibility §21.2, §21.3, §14.1.3). */
#include "gl/draw/gl_feedback.h"

#include <stdlib.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_transform.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_lower_capture.h"
#include "gl_entry.h"

#include "util/check.h"

#define NAME_STACK_MAX 64
#define MAX_PLANES     (6 + DRV_MAX_CLIP_PLANES)

struct gl_feedback {
    /* Selection. */
    GLuint *select_buffer;
    GLsizei select_size;
    unsigned select_used, hits;
    bool select_overflow;
    GLuint names[NAME_STACK_MAX];
    unsigned depth;
    bool hit;
    float min_z, max_z;
    /* Feedback. */
    GLfloat *buffer;
    GLsizei size;
    GLenum type;
    unsigned used;
    bool overflow;
    struct gl_sw_input *fetched; /* destination for the attributes of an array element */
};

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

static void hit_at(struct gl_feedback *f, float z)
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
    if (f->depth >= NAME_STACK_MAX)
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

static void put(struct gl_feedback *f, float value)
{
    if (f->used < (unsigned)f->size)
        f->buffer[f->used++] = value;
    else
        f->overflow = true;
}

static void put_vertex(struct gl_context *ctx, const struct gl_sw_vertex *v, const float color[4])
{
    struct gl_feedback *f = ctx->feedback;
    float win[4];
    gl_sw_window(ctx, v, win);
    put(f, win[0]);
    put(f, win[1]);
    if (f->type != GL_2D)
        put(f, win[2]);
    if (f->type == GL_4D_COLOR_TEXTURE)
        put(f, win[3]);
    if (f->type == GL_2D || f->type == GL_3D)
        return;
    for (unsigned i = 0; i < 4; i++)
        put(f, color[i]);
    if (f->type != GL_3D_COLOR)
        for (unsigned i = 0; i < 4; i++)
            put(f, v->texcoord[0][i]);
}

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
    put(ctx->feedback, GL_PASS_THROUGH_TOKEN);
    put(ctx->feedback, token);
}

void gl_feedback_token(struct gl_context *ctx, GLenum token)
{
    const struct gl_current_state *c = &ctx->current_attribs;
    struct gl_feedback *f = ctx->feedback;
    if (ctx->render_mode != GL_FEEDBACK || !c->raster_valid)
        return;
    put(f, token);
    put(f, c->raster_pos[0]);
    put(f, c->raster_pos[1]);
    if (f->type != GL_2D)
        put(f, c->raster_pos[2]);
    if (f->type == GL_4D_COLOR_TEXTURE)
        put(f, c->raster_pos[3]);
    if (f->type == GL_2D || f->type == GL_3D)
        return;
    for (unsigned i = 0; i < 4; i++)
        put(f, c->raster_color[i]);
    if (f->type != GL_3D_COLOR)
        for (unsigned i = 0; i < 4; i++)
            put(f, c->raster_texcoord[0][i]);
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

/* --------------------------------------------------------------------------------- clipping --- */

static void lerp_vertex(struct gl_sw_vertex *out, const struct gl_sw_vertex *a,
                        const struct gl_sw_vertex *b, float t)
{
    const float *x = (const float *)a, *y = (const float *)b;
    float *o = (float *)out;
    for (unsigned i = 0; i < sizeof *out / sizeof(float); i++)
        o[i] = x[i] + t * (y[i] - x[i]);
}

static bool inside_planes(const struct gl_context *ctx, const struct gl_sw_vertex *v,
                          unsigned first)
{
    for (unsigned p = first; p < gl_sw_num_planes(ctx); p++)
        if (!(gl_sw_plane_distance(ctx, v, p) >= 0.0f))
            return false;
    return true;
}

/* Clips a line to all planes. Returns false if nothing is left. */
static bool clip_line(const struct gl_context *ctx, struct gl_sw_vertex v[2])
{
    for (unsigned p = 0; p < gl_sw_num_planes(ctx); p++) {
        float d0 = gl_sw_plane_distance(ctx, &v[0], p), d1 = gl_sw_plane_distance(ctx, &v[1], p);
        if (!(d0 >= 0.0f) && !(d1 >= 0.0f))
            return false;
        struct gl_sw_vertex cut;
        if (d0 < 0.0f || d1 < 0.0f) {
            lerp_vertex(&cut, &v[0], &v[1], d0 / (d0 - d1));
            v[d0 < 0.0f ? 0 : 1] = cut;
        }
    }
    return true;
}

/* Clips a polygon (Sutherland-Hodgman) and returns the number of vertices left. out and tmp must
 * have space for n + MAX_PLANES vertices. Edges along a plane are boundary edges, and the rest of a
 * clipped edge keeps its flag (GL 4.6 compatibility §13.7). */
static unsigned clip_polygon(const struct gl_context *ctx, struct gl_sw_vertex *out, unsigned n,
                             struct gl_sw_vertex *tmp)
{
    for (unsigned p = 0; p < gl_sw_num_planes(ctx) && n; p++) {
        unsigned kept = 0;
        memcpy(tmp, out, n * sizeof *tmp);
        for (unsigned i = 0; i < n; i++) {
            const struct gl_sw_vertex *a = &tmp[i], *b = &tmp[(i + 1) % n];
            float da = gl_sw_plane_distance(ctx, a, p), db = gl_sw_plane_distance(ctx, b, p);
            if (da >= 0.0f)
                out[kept++] = *a;
            if ((da >= 0.0f) != (db >= 0.0f)) {
                lerp_vertex(&out[kept], a, b, da / (da - db));
                out[kept++].edge_flag = da >= 0.0f ? 1.0f : a->edge_flag;
            }
        }
        n = kept;
    }
    return n;
}

/* ------------------------------------------------------------------------------- primitives --- */

struct sw_prim {
    struct gl_context *ctx;
    const struct gl_sw_vertex *v; /* vertices of the whole primitive */
    bool flat, two_side;          /* two_side: back faces have their own colors */
    bool edge_flags; /* the vertices' edge flags apply; otherwise, all edges are boundary edges */
};

/* Returns which of two vertices determines flat colors: `first` or `last`, by glProvokingVertex (GL
 * 4.6 compatibility table 13.2). */
static unsigned provoking(const struct sw_prim *p, unsigned first, unsigned last)
{
    return p->ctx->light.provoking_vertex == GL_FIRST_VERTEX_CONVENTION ? first : last;
}

/* Like provoking(), for quads. */
static unsigned provoking_of_quad(const struct sw_prim *p, unsigned first, unsigned last)
{
    return p->ctx->screen->caps.quads_follow_provoking_vertex ? provoking(p, first, last) : last;
}

/* Returns the color of vertex v of a front or back face if the vertex with index `flat` determines
 * flat colors. */
static const float *shade(const struct sw_prim *p, const struct gl_sw_vertex *v, unsigned flat,
                          bool back)
{
    const struct gl_sw_vertex *from = p->flat ? &p->v[flat] : v;
    return back ? from->back_color : from->color;
}

static void sw_point(const struct sw_prim *p, unsigned i)
{
    if (!inside_planes(p->ctx, &p->v[i], 0))
        return;
    if (p->ctx->render_mode == GL_SELECT) {
        float win[4];
        gl_sw_window(p->ctx, &p->v[i], win);
        hit_at(p->ctx->feedback, win[2]);
        return;
    }
    put(p->ctx->feedback, GL_POINT_TOKEN);
    put_vertex(p->ctx, &p->v[i], p->v[i].color);
}

static void sw_line(const struct sw_prim *p, unsigned a, unsigned b, bool reset)
{
    struct gl_sw_vertex v[2] = {p->v[a], p->v[b]};
    if (!clip_line(p->ctx, v))
        return;
    bool select = p->ctx->render_mode == GL_SELECT;
    if (!select)
        put(p->ctx->feedback, reset ? GL_LINE_RESET_TOKEN : GL_LINE_TOKEN);
    for (unsigned i = 0; i < 2; i++) {
        float win[4];
        gl_sw_window(p->ctx, &v[i], win);
        if (select)
            hit_at(p->ctx->feedback, win[2]);
        else
            put_vertex(p->ctx, &v[i], shade(p, &v[i], provoking(p, a, b), false));
    }
}

/* Returns twice the signed area of the clipped polygon in window space (GL 4.6 §14.6.1). */
static float area(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned n)
{
    float sum = 0.0f;
    for (unsigned i = 0; i < n; i++) {
        float a[4], b[4];
        gl_sw_window(ctx, &v[i], a);
        gl_sw_window(ctx, &v[(i + 1) % n], b);
        sum += a[0] * b[1] - b[0] * a[1];
    }
    return ctx->viewport.clip_origin == GL_UPPER_LEFT ? -sum : sum;
}

/* Puts a polygon with n vertices, which faces the viewer with its front or its back. */
static void put_polygon(const struct sw_prim *p, const struct gl_sw_vertex *v, unsigned n,
                        unsigned flat, bool front)
{
    struct gl_feedback *f = p->ctx->feedback;
    const GLenum mode = front ? p->ctx->polygon.front_mode : p->ctx->polygon.back_mode;
    const bool back = p->two_side && !front;
    if (mode == GL_FILL) {
        put(f, GL_POLYGON_TOKEN);
        put(f, n);
        for (unsigned i = 0; i < n; i++)
            put_vertex(p->ctx, &v[i], shade(p, &v[i], flat, back));
        return;
    }
    bool first = true;
    for (unsigned i = 0; i < n; i++) {
        if (v[i].edge_flag == 0.0f) /* GL 4.6 compatibility §14.6.4 */
            continue;
        put(f, mode == GL_POINT ? GL_POINT_TOKEN : first ? GL_LINE_RESET_TOKEN : GL_LINE_TOKEN);
        first = false;
        put_vertex(p->ctx, &v[i], shade(p, &v[i], flat, back));
        if (mode == GL_LINE)
            put_vertex(p->ctx, &v[(i + 1) % n], shade(p, &v[(i + 1) % n], flat, back));
    }
}

static void sw_polygon(const struct sw_prim *p, const unsigned *index, unsigned n, unsigned flat)
{
    const struct gl_polygon_state *s = &p->ctx->polygon;
    size_t room = n + MAX_PLANES;
    struct gl_sw_vertex *v = malloc(2 * room * sizeof *v);
    if (!v) {
        gl_error(p->ctx, GL_OUT_OF_MEMORY, "glRenderMode");
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        v[i] = p->v[index[i]];
        if (!p->edge_flags)
            v[i].edge_flag = 1.0f;
    }
    n = clip_polygon(p->ctx, v, n, v + room);
    if (n >= 3) {
        bool front = (area(p->ctx, v, n) >= 0.0f) == (s->front_face == GL_CCW);
        bool culled =
            s->cull && (s->cull_mode == GL_FRONT_AND_BACK || (s->cull_mode == GL_FRONT) == front);
        if (culled) {
            n = 0;
        } else if (p->ctx->render_mode == GL_SELECT) {
            for (unsigned i = 0; i < n; i++) {
                float win[4];
                gl_sw_window(p->ctx, &v[i], win);
                hit_at(p->ctx->feedback, win[2]);
            }
        } else {
            put_polygon(p, v, n, flat, front);
        }
    }
    free(v);
}

static void sw_whole_polygon(const struct sw_prim *p, unsigned n)
{
    unsigned *index = malloc(n * sizeof *index);
    if (!index) {
        gl_error(p->ctx, GL_OUT_OF_MEMORY, "glRenderMode");
        return;
    }
    for (unsigned i = 0; i < n; i++)
        index[i] = i;
    sw_polygon(p, index, n, 0);
    free(index);
}

static void assemble(const struct sw_prim *p, GLenum mode, unsigned n)
{
    switch (mode) {
    case GL_POINTS:
        for (unsigned i = 0; i < n; i++)
            sw_point(p, i);
        break;
    case GL_LINES:
        for (unsigned i = 0; i + 1 < n; i += 2)
            sw_line(p, i, i + 1, true);
        break;
    case GL_LINE_STRIP:
    case GL_LINE_LOOP:
        for (unsigned i = 0; i + 1 < n; i++)
            sw_line(p, i, i + 1, i == 0);
        if (mode == GL_LINE_LOOP && n > 1)
            sw_line(p, n - 1, 0, false);
        break;
    case GL_TRIANGLES:
        for (unsigned i = 0; i + 2 < n; i += 3)
            sw_polygon(p, (unsigned[]){i, i + 1, i + 2}, 3, provoking(p, i, i + 2));
        break;
    case GL_TRIANGLE_STRIP:
        for (unsigned i = 0; i + 2 < n; i++)
            sw_polygon(p, (unsigned[]){i + (i & 1), i + !(i & 1), i + 2}, 3,
                       provoking(p, i, i + 2));
        break;
    case GL_TRIANGLE_FAN:
        for (unsigned i = 1; i + 1 < n; i++)
            sw_polygon(p, (unsigned[]){0, i, i + 1}, 3, provoking(p, i, i + 1));
        break;
    case GL_QUADS:
        for (unsigned i = 0; i + 3 < n; i += 4)
            sw_polygon(p, (unsigned[]){i, i + 1, i + 2, i + 3}, 4, provoking_of_quad(p, i, i + 3));
        break;
    case GL_QUAD_STRIP:
        for (unsigned i = 0; i + 3 < n; i += 2)
            sw_polygon(p, (unsigned[]){i, i + 1, i + 3, i + 2}, 4, provoking_of_quad(p, i, i + 3));
        break;
    case GL_POLYGON:
        if (n >= 3)
            sw_whole_polygon(p, n);
        break;
    }
}

/* Transforms `count` vertices, which `fetch` provides, and processes the primitive. */
static void run_prim(struct gl_context *ctx, GLenum mode, unsigned count,
                     void (*fetch)(struct gl_context *ctx, void *data, unsigned i,
                                   struct gl_sw_input *in),
                     void *data)
{
    struct gl_sw_pipeline pipeline;
    if (!ctx->drv->ops->condition_passes(ctx->drv)) /* GL 4.6 §10.9 */
        return;
    struct gl_sw_vertex *v = calloc(MAX2(count, 1), sizeof *v);
    if (!v) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glRenderMode");
        return;
    }
    if (gl_sw_begin(ctx, &pipeline, MAX2(count, 1), v, "glBegin")) {
        struct gl_sw_input in;
        gl_sw_input_current(ctx, &in);
        for (unsigned i = 0; i < count; i++) {
            in.vertex_id = i;
            fetch(ctx, data, i, &in);
            gl_sw_transform(&pipeline, &in);
        }
        const struct sw_prim p = {
            .ctx = ctx,
            .v = v,
            .flat = ctx->light.shade_model == GL_FLAT,
            .two_side = gl_sw_two_sided(&pipeline),
            /* GL 4.6 compatibility §10.1.17 */
            .edge_flags = mode == GL_TRIANGLES || mode == GL_QUADS || mode == GL_POLYGON,
        };
        if (gl_sw_end(&pipeline))
            assemble(&p, mode, count);
    }
    free(v);
}

/* --------------------------------------------------------------------------- vertex sources --- */

struct layout_source {
    const struct gl_vertex_layout *layout;
    const uint32_t *vertices;
};

/* Stores the first n words of an attribute as floats, or as bit patterns of integers, with defaults
 * for the other components. */
static void store_words(struct gl_sw_input *in, unsigned attrib, unsigned n, GLenum type,
                        const uint32_t *v)
{
    uint32_t words[4];
    gl_convert_attrib(words, 4, GL_FLOAT, v, n, type);
    memcpy(in->attrib[attrib], words, sizeof words);
}

static void fetch_layout(struct gl_context *ctx, void *data, unsigned i, struct gl_sw_input *in)
{
    const struct layout_source *s = data;
    const uint32_t *v = s->vertices + (size_t)i * s->layout->vertex_words;
    uint32_t attribs = s->layout->attribs;
    while (attribs) {
        unsigned a = u_bit_scan(&attribs);
        store_words(in, a, s->layout->size[a], s->layout->type[a], v + s->layout->offset[a]);
    }
}

void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, const struct gl_prim *prims, unsigned num_prims)
{
    for (unsigned i = 0; i < num_prims; i++) {
        struct layout_source s = {layout, vertices + (size_t)prims[i].start * layout->vertex_words};
        run_prim(ctx, prims[i].mode, prims[i].count, fetch_layout, &s);
    }
}

struct array_source {
    int64_t first;
    unsigned index_bytes;
    const uint8_t *indices;
    GLuint base_instance, instance;
};

static void store_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
                         const uint32_t *v)
{
    if (attrib == VERT_ATTRIB_GENERIC0)
        attrib = VERT_ATTRIB_POS;
    store_words(ctx->feedback->fetched, attrib, gl_attrib_words(type), type, v);
}

static void fetch_array(struct gl_context *ctx, void *data, unsigned i, struct gl_sw_input *in)
{
    const struct array_source *s = data;
    uint32_t index = i;
    if (s->indices) {
        index = 0;
        memcpy(&index, s->indices + (size_t)i * s->index_bytes, s->index_bytes);
    }
    int64_t element = s->first + index;
    if (element < 0 || element > INT32_MAX)
        return;
    in->vertex_id = element;
    in->instance_id = s->instance;
    in->base_instance = s->base_instance;
    in->draw_id = ctx->array.draw_id;
    in->base_vertex = s->indices ? (uint32_t)s->first : 0;
    ctx->feedback->fetched = in;
    gl_array_element(ctx, element, s->base_instance, s->instance, store_attrib);
}

void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count,
                        GLuint base_instance, GLuint instance)
{
    struct array_source s = {.first = first, .base_instance = base_instance, .instance = instance};
    run_prim(ctx, mode, count, fetch_array, &s);
}

void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count, unsigned index_bytes,
                          const void *indices, int base_vertex, GLuint base_instance,
                          GLuint instance)
{
    struct array_source s = {base_vertex, index_bytes, indices, base_instance, instance};
    run_prim(ctx, mode, count, fetch_array, &s);
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
    if (!gl_sw_begin(ctx, &pipeline, 1, &v, "glRasterPos"))
        return;
    gl_sw_input_current(ctx, &in);
    memcpy(in.attrib[VERT_ATTRIB_POS], pos, 4 * sizeof *pos);
    gl_sw_transform(&pipeline, &in);
    if (!gl_sw_end(&pipeline))
        return;
    /* IBM_rasterpos_clip: x and y, the first four planes, do not invalidate the position. */
    c->raster_valid = inside_planes(ctx, &v, ctx->transform.raster_unclipped ? 4 : 0);
    if (!c->raster_valid)
        return;
    gl_sw_window(ctx, &v, c->raster_pos);
    c->raster_pos[2] = clamp_raster_depth(ctx, c->raster_pos[2]);
    c->raster_distance = v.fog_distance;
    memcpy(c->raster_color, v.color, sizeof c->raster_color);
    memcpy(c->raster_secondary_color, v.secondary, sizeof c->raster_secondary_color);
    memcpy(c->raster_texcoord, v.texcoord, sizeof c->raster_texcoord);
    if (ctx->render_mode == GL_SELECT) /* §21.2 */
        hit_at(ctx->feedback, c->raster_pos[2]);
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
        hit_at(ctx->feedback, c->raster_pos[2]);
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
