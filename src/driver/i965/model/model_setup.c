/* SPDX-License-Identifier: MIT */
/*
 * Setup: viewport transform, culling, points and lines as polygons, depth offset, attributes
 * (3DSTATE_SF, 3DSTATE_RASTER, 3DSTATE_SBE). Source: Sandy Bridge PRM, volume 2 part 1, "Strips and
 * Fans", "Windower"; Skylake PRM, volume 2a.
 */
#include <math.h>
#include <string.h>

#include "model_raster.h"

/* Coordinates are clamped to this, in pixels, so that edge functions fit into 64 bits. */
#define MAX_POSITION  0x1p20f
#define POSITION_SLOT 1

/* A vertex in screen space. */
struct screen_vertex {
    float x, y, z, inverse_w;
    int32_t fixed[2]; /* x and y in subpixels */
};

static uint32_t slot_value(const struct model_vertex *v, unsigned slot, unsigned component)
{
    return slot < v->num_slots ? v->slot[slot][component] : 0;
}

/* Returns false if the position is not a number. */
static bool transform(struct model_context *ctx, const struct model_vertex *v, unsigned viewport,
                      struct screen_vertex *out)
{
    const struct i965_sf_clip_viewport *m = &ctx->pixel->viewport[viewport];
    float p[4];

    for (unsigned c = 0; c < 4; c++)
        p[c] = uif(slot_value(v, POSITION_SLOT, c));
    out->inverse_w = p[3];
    if (!ctx->state.clip.perspective_divide_disable) {
        out->inverse_w = 1.0f / p[3];
        for (unsigned c = 0; c < 3; c++)
            p[c] *= out->inverse_w;
    }
    if (ctx->state.sf.viewport_transform_enable) {
        p[0] = p[0] * m->viewport_matrix_element_m00 + m->viewport_matrix_element_m30;
        p[1] = p[1] * m->viewport_matrix_element_m11 + m->viewport_matrix_element_m31;
        p[2] = p[2] * m->viewport_matrix_element_m22 + m->viewport_matrix_element_m32;
    }
    const struct i965_3dstate_drawing_rectangle *d = &ctx->state.drawing_rectangle;
    out->x = p[0] + (float)(int16_t)d->drawing_rectangle_origin_x;
    out->y = p[1] + (float)(int16_t)d->drawing_rectangle_origin_y;
    out->z = p[2];
    if (isnan(out->x) || isnan(out->y))
        return false;
    out->x = fminf(fmaxf(out->x, -MAX_POSITION), MAX_POSITION);
    out->y = fminf(fmaxf(out->y, -MAX_POSITION), MAX_POSITION);
    out->fixed[0] = (int32_t)rintf(out->x * MODEL_SUBPIXELS);
    out->fixed[1] = (int32_t)rintf(out->y * MODEL_SUBPIXELS);
    return true;
}

/* ------------------------------------------------------------------------------ attributes --- */

/* Where an attribute's values come from. */
struct source {
    unsigned slot;
    bool replaced[4]; /* Components with a constant value. */
    uint32_t value[4];
};

static uint32_t constant_component(unsigned source, unsigned component, uint32_t primitive_id)
{
    switch (source) {
    case I965_CONSTANT_SOURCE_CONST_0001_FLOAT:
        return component == 3 ? fui(1.0f) : 0;
    case I965_CONSTANT_SOURCE_CONST_1111_FLOAT:
        return fui(1.0f);
    case I965_CONSTANT_SOURCE_PRIM_ID:
        return primitive_id;
    default:
        return 0;
    }
}

static void find_source(struct model_context *ctx, const struct model_setup *s, unsigned i,
                        struct source *out)
{
    const struct i965_3dstate_sbe *sbe = &ctx->state.sbe;
    const uint32_t id = s->primitive->primitive_id;
    unsigned source = i;

    memset(out, 0, sizeof *out);
    if (sbe->attribute_swizzle_enable && i < ARRAY_SIZE(ctx->state.sbe_swiz.attribute)) {
        const struct i965_sf_output_attribute_detail *d = &ctx->state.sbe_swiz.attribute[i];
        const bool override[4] = {d->component_override_x, d->component_override_y,
                                  d->component_override_z, d->component_override_w};
        source = d->source_attribute;
        if (!s->front && (d->swizzle_select == I965_SWIZZLE_SELECT_INPUTATTR_FACING ||
                          d->swizzle_select == I965_SWIZZLE_SELECT_INPUTATTR_FACING_W))
            source++;
        for (unsigned c = 0; c < 4; c++) {
            out->replaced[c] = override[c];
            out->value[c] = constant_component(d->constant_source, c, id);
        }
    }
    const bool primitive_id[4] = {
        sbe->primitive_id_override_component_x, sbe->primitive_id_override_component_y,
        sbe->primitive_id_override_component_z, sbe->primitive_id_override_component_w};
    for (unsigned c = 0; c < 4 && i == sbe->primitive_id_override_attribute_select; c++) {
        if (primitive_id[c]) {
            out->replaced[c] = true;
            out->value[c] = id;
        }
    }
    out->slot = ctx->pixel->read_offset + source;
}

/* The coordinates on a point sprite are the weights. */
static void set_sprite(struct model_context *ctx, struct model_setup *s, uint32_t (*plane)[4])
{
    const bool lower = ctx->state.sbe.point_sprite_texture_coordinate_origin ==
                       I965_POINT_SPRITE_TEXTURE_COORDINATE_ORIGIN_LOWERLEFT;

    memset(plane, 0, 4 * sizeof *plane);
    plane[0][0] = fui(1.0f);
    plane[1][1] = fui(lower ? -1.0f : 1.0f);
    plane[1][3] = fui(lower ? 1.0f : 0.0f);
    plane[3][3] = fui(1.0f);
}

/* Stores the payload of a component that is interpolated. */
static void set_plane(const struct model_primitive *p, unsigned slot, unsigned c, uint32_t plane[4])
{
    const uint32_t v0 = slot_value(&p->source[0], slot, c);
    const bool polygon = p->kind == MODEL_TRIANGLE || p->kind == MODEL_RECTANGLE || p->clipped;
    float d[2] = {0.0f, 0.0f};

    for (unsigned i = 0; i < 2; i++) {
        if (i == 0 ? p->kind != MODEL_POINT || p->clipped : polygon)
            d[i] = uif(slot_value(&p->source[i + 1], slot, c)) - uif(v0);
    }
    plane[3] = v0;
    if (p->kind == MODEL_POINT && p->clipped) { /* A corner of a polygon. */
        plane[3] = fui(uif(v0) + d[0] * p->weight[0][0][0] + d[1] * p->weight[0][0][1]);
        return;
    }
    plane[0] = fui(d[0]);
    plane[1] = fui(d[1]);
}

static void set_attribute(struct model_context *ctx, struct model_setup *s, unsigned i)
{
    const struct model_primitive *p = s->primitive;
    uint32_t(*plane)[4] = &s->attribute[i * 4];
    struct source source;

    if (s->point && ctx->state.sbe.point_sprite_texture_coordinate_enable >> i & 1) {
        set_sprite(ctx, s, plane);
        return;
    }
    find_source(ctx, s, i, &source);
    for (unsigned c = 0; c < 4; c++) {
        memset(plane[c], 0, sizeof plane[c]);
        if (source.replaced[c]) {
            plane[c][3] = source.value[c];
        } else if (ctx->state.sbe.constant_interpolation_enable >> i & 1) {
            plane[c][3] = slot_value(&p->provoking, source.slot, c);
        } else {
            set_plane(p, source.slot, c, plane[c]);
        }
    }
}

static void set_attributes(struct model_context *ctx, struct model_setup *s)
{
    s->num_attributes = MIN2(ctx->state.sbe.number_of_sf_output_attributes, MODEL_MAX_ATTRIBUTES);
    for (unsigned i = 0; i < s->num_attributes; i++)
        set_attribute(ctx, s, i);
}

/* --------------------------------------------------------------------------------- weights --- */

/* Stores the weights of vertices 1 and 2 on the screen. */
static void linear_weights(const struct model_setup *s, double x, double y, double b[2])
{
    x -= s->origin[0];
    y -= s->origin[1];
    for (unsigned i = 0; i < 2; i++)
        b[i] = s->weight[i][0] * x + s->weight[i][1] * y;
}

/* Converts weights in the clipped primitive to those in the whole one. */
static void convert_weights(const float (*clip)[2], float weight[2])
{
    const float first = 1.0f - weight[0] - weight[1];
    float whole[2];

    for (unsigned i = 0; i < 2; i++)
        whole[i] = first * clip[0][i] + weight[0] * clip[1][i] + weight[1] * clip[2][i];
    memcpy(weight, whole, sizeof whole);
}

void model_weights_at(const struct model_setup *s, double x, double y, struct model_weights *w)
{
    double b[2];

    linear_weights(s, x, y, b);
    for (unsigned i = 0; i < 2; i++)
        w->linear[i] = w->perspective[i] = (float)b[i];
    if (!s->affine) { /* The vertices of a point are the same. */
        const double n[2] = {b[0] * s->inverse_w[1], b[1] * s->inverse_w[2]};
        const double sum = (1.0 - b[0] - b[1]) * s->inverse_w[0] + n[0] + n[1];
        for (unsigned i = 0; i < 2; i++)
            w->perspective[i] = (float)(n[i] / sum);
    }
    if (s->clipped) {
        convert_weights(s->clip_weight[0], w->perspective);
        convert_weights(s->clip_weight[1], w->linear);
    }
}

float model_depth_at(const struct model_setup *s, double x, double y)
{
    double b[2];

    linear_weights(s, x, y, b);
    return (float)(s->z[0] + s->z_offset + b[0] * (s->z[1] - s->z[0]) + b[1] * (s->z[2] - s->z[0]));
}

float model_w_at(const struct model_setup *s, double x, double y)
{
    double b[2];

    linear_weights(s, x, y, b);
    return (float)(1.0 / ((1.0 - b[0] - b[1]) * s->inverse_w[0] + b[0] * s->inverse_w[1] +
                          b[1] * s->inverse_w[2]));
}

/* Returns twice the area; positive if the corners are clockwise as seen on the screen. */
static int64_t double_area(const int32_t a[2], const int32_t b[2], const int32_t c[2])
{
    return (int64_t)(b[0] - a[0]) * (c[1] - a[1]) - (int64_t)(c[0] - a[0]) * (b[1] - a[1]);
}

static void set_vertices(struct model_setup *s, const struct screen_vertex v[3])
{
    for (unsigned i = 0; i < 2; i++)
        s->origin[i] = (double)v[0].fixed[i] / MODEL_SUBPIXELS;
    for (unsigned i = 0; i < 3; i++) {
        s->inverse_w[i] = (double)v[i].inverse_w;
        s->z[i] = (double)v[i].z;
    }
}

/* Weights inside a triangle. */
static void set_weights(struct model_setup *s, const struct screen_vertex v[3], int64_t area)
{
    const double scale = (double)MODEL_SUBPIXELS / (double)area;

    s->weight[0][0] = (v[2].fixed[1] - v[0].fixed[1]) * scale;
    s->weight[0][1] = -(v[2].fixed[0] - v[0].fixed[0]) * scale;
    s->weight[1][0] = -(v[1].fixed[1] - v[0].fixed[1]) * scale;
    s->weight[1][1] = (v[1].fixed[0] - v[0].fixed[0]) * scale;
}

/* -------------------------------------------------------------------------- depth offset --- */

/* Returns the difference that the depth buffer's format resolves. */
static double depth_unit(struct model_context *ctx, const struct model_setup *s)
{
    double most = fmax(fmax(fabs(s->z[0]), fabs(s->z[1])), fabs(s->z[2]));
    int exponent;

    switch (ctx->state.depth_buffer.surface_format) {
    case I965_DEPTH_FORMAT_D16_UNORM:
        return 0x1p-16;
    case I965_DEPTH_FORMAT_D24_UNORM_X8_UINT:
        return 0x1p-24;
    default:
        if (ctx->state.sf.legacy_global_depth_bias_enable)
            return 0x1p-24;
        frexp(most, &exponent);
        return ldexp(1.0, exponent - 24);
    }
}

static void set_depth_offset(struct model_context *ctx, struct model_setup *s, bool enabled)
{
    const struct i965_3dstate_raster *r = &ctx->state.raster;
    double slope[2] = {0.0, 0.0};

    if (!enabled)
        return;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned v = 0; v < 2; v++)
            slope[i] += s->weight[v][i] * (s->z[v + 1] - s->z[0]);
    }
    double offset = (double)r->global_depth_offset_constant * depth_unit(ctx, s) +
                    (double)r->global_depth_offset_scale * fmax(fabs(slope[0]), fabs(slope[1]));
    const double clamp = (double)r->global_depth_offset_clamp;
    if (clamp > 0.0)
        offset = fmin(offset, clamp);
    else if (clamp < 0.0)
        offset = fmax(offset, clamp);
    s->z_offset = offset;
}

/* --------------------------------------------------------------------- points and lines --- */

static bool emit(struct model_context *ctx, struct model_setup *s, const int32_t (*corner)[2],
                 unsigned corners)
{
    s->kind = s->primitive->kind;
    s->topology = s->primitive->topology;
    s->primitive_id = s->primitive->primitive_id;
    s->clipped = s->primitive->clipped && s->kind != MODEL_POINT;
    memcpy(s->clip_weight, s->primitive->weight, sizeof s->clip_weight);
    s->affine = s->inverse_w[0] == s->inverse_w[1] && s->inverse_w[0] == s->inverse_w[2];
    return model_queue_polygon(ctx, s, corner, corners);
}

static int32_t to_fixed(float v)
{
    return (int32_t)rintf(v * MODEL_SUBPIXELS);
}

static bool draw_point(struct model_context *ctx, struct model_setup *s,
                       const struct screen_vertex *v, const struct model_vertex *vertex)
{
    const struct i965_3dstate_sf *sf = &ctx->state.sf;
    float width = sf->point_width_source == I965_POINT_WIDTH_SOURCE_STATE
                      ? sf->point_width
                      : uif(slot_value(vertex, 0, 3));
    const bool smooth = (sf->smooth_point_enable || ctx->state.raster.smooth_point_enable) &&
                        ctx->pixel->samples == 1;

    width = width > 0.125f ? fminf(width, 255.875f) : 0.125f;
    const float half = width * 0.5f, grown = half + (smooth ? 0.5f : 0.0f);
    const int32_t x0 = to_fixed(v->x - grown), x1 = to_fixed(v->x + grown);
    const int32_t y0 = to_fixed(v->y - grown), y1 = to_fixed(v->y + grown);
    const int32_t corner[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    s->point = true;
    s->origin[0] = (double)(v->x - half);
    s->origin[1] = (double)(v->y - half);
    s->weight[0][0] = s->weight[1][1] = 1.0 / (double)width;
    for (unsigned i = 0; i < 3; i++) {
        s->inverse_w[i] = (double)v->inverse_w;
        s->z[i] = (double)v->z;
    }
    s->smooth = smooth;
    s->center[0] = v->x;
    s->center[1] = v->y;
    s->radius = half;
    set_attributes(ctx, s);
    return emit(ctx, s, corner, 4);
}

/* Continues the line stipple: the distance along the line's longer axis. */
static void set_stipple(struct model_context *ctx, struct model_setup *s,
                        const struct screen_vertex v[2], bool start)
{
    const float d[2] = {v[1].x - v[0].x, v[1].y - v[0].y};
    const unsigned axis = fabsf(d[0]) >= fabsf(d[1]) ? 0 : 1;
    const float sign = d[axis] < 0.0f ? -1.0f : 1.0f, first = axis ? v[0].y : v[0].x;

    if (start)
        ctx->pixel->stipple = 0;
    s->stippled = true;
    s->stipple[axis] = sign;
    s->stipple[2] = (float)ctx->pixel->stipple - sign * first;
    ctx->pixel->stipple = (ctx->pixel->stipple + (unsigned)rintf(fabsf(d[axis]))) & 0xfffff;
}

/* A line is a parallelogram with ends along the minor axis, or a rectangle if it is antialiased or
 * multisampled. */
static bool draw_line(struct model_context *ctx, struct model_setup *s,
                      const struct screen_vertex v[2], bool start)
{
    const bool smooth = ctx->state.raster.antialiasing_enable && !ctx->pixel->pattern;
    float width = ctx->state.sf.line_width, d[2] = {v[1].x - v[0].x, v[1].y - v[0].y};
    const float length = sqrtf(d[0] * d[0] + d[1] * d[1]);
    float across[2], along[2] = {0.0f, 0.0f};
    int32_t corner[4][2];

    if (!(length > 0.0f))
        return true;
    width = fmaxf(width, 1.0f);
    if (smooth || ctx->pixel->pattern) {
        const float half = width * 0.5f + (smooth ? 0.5f : 0.0f);
        for (unsigned i = 0; i < 2; i++)
            along[i] = smooth ? d[i] / length * 0.5f : 0.0f;
        across[0] = -d[1] / length * half;
        across[1] = d[0] / length * half;
    } else {
        /* Aliased lines have an integer number of pixels across. */
        const float half = rintf(width) * 0.5f;
        const bool steep = fabsf(d[1]) > fabsf(d[0]);
        across[0] = steep ? half : 0.0f;
        across[1] = steep ? 0.0f : half;
    }
    for (unsigned i = 0; i < 4; i++) {
        const struct screen_vertex *end = &v[i == 1 || i == 2];
        const float side = i < 2 ? -1.0f : 1.0f, out = end == &v[1] ? 1.0f : -1.0f;
        corner[i][0] = to_fixed(end->x + side * across[0] + out * along[0]);
        corner[i][1] = to_fixed(end->y + side * across[1] + out * along[1]);
    }
    const struct screen_vertex three[3] = {v[0], v[1], v[0]};
    set_vertices(s, three);
    for (unsigned i = 0; i < 2; i++)
        s->weight[0][i] = (double)(d[i] / (length * length));
    s->smooth = smooth;
    for (unsigned i = 0; i < 2 && smooth; i++) {
        const float axis[2] = {i ? d[0] / length : -d[1] / length,
                               i ? d[1] / length : d[0] / length};
        s->line[i][0] = axis[0];
        s->line[i][1] = axis[1];
        s->line[i][2] = -(axis[0] * v[0].x + axis[1] * v[0].y);
    }
    s->radius = width * 0.5f;
    s->reach = length;
    if (ctx->state.wm.line_stipple_enable)
        set_stipple(ctx, s, v, start);
    set_attributes(ctx, s);
    return emit(ctx, s, corner, 4);
}

/* ------------------------------------------------------------------------------- triangles --- */

static bool is_culled(const struct i965_3dstate_raster *r, bool front)
{
    switch ((enum i965_cull_mode)r->cull_mode) {
    case I965_CULL_MODE_BOTH:
        return true;
    case I965_CULL_MODE_FRONT:
        return front;
    case I965_CULL_MODE_BACK:
        return !front;
    default:
        return false;
    }
}

/* Draws the boundary edges, or the corners where they start, of a triangle. */
static bool draw_outline(struct model_context *ctx, const struct model_setup *triangle,
                         const struct screen_vertex v[3], bool points)
{
    const struct model_primitive *p = triangle->primitive;

    for (unsigned i = 0; i < 3; i++) {
        const unsigned next = (i + 1) % 3;
        struct model_primitive part = {
            .kind = points ? MODEL_POINT : MODEL_LINE,
            .v = {p->v[i], p->v[next], p->v[i]},
            .source = {p->v[i], p->v[next], p->v[i]},
            .clipped = p->clipped,
            .provoking = p->provoking,
            .primitive_id = p->primitive_id,
            .topology = p->topology,
        };
        const struct screen_vertex ends[2] = {v[i], v[next]};
        struct model_setup s = {.primitive = &part,
                                .front = triangle->front,
                                .viewport = triangle->viewport,
                                .layer = triangle->layer,
                                .z_offset = triangle->z_offset};
        if (!p->edge[i])
            continue;
        for (unsigned k = 0; k < 2 && p->clipped; k++) {
            memcpy(part.weight[k][0], p->weight[k][i], sizeof part.weight[k][0]);
            memcpy(part.weight[k][1], p->weight[k][next], sizeof part.weight[k][1]);
        }
        if (p->clipped)
            memcpy(part.source, p->source, sizeof part.source);
        if (!(points ? draw_point(ctx, &s, ends, &part.v[0]) : draw_line(ctx, &s, ends, true)))
            return false;
    }
    return true;
}

static bool draw_triangle(struct model_context *ctx, struct model_setup *s,
                          const struct screen_vertex v[3])
{
    const struct i965_3dstate_raster *r = &ctx->state.raster;
    const int64_t area = double_area(v[0].fixed, v[1].fixed, v[2].fixed);
    const bool clockwise = area > 0;

    if (!area)
        return true;
    s->front = clockwise == (r->front_winding == I965_FRONT_WINDING_CLOCKWISE);
    if (is_culled(r, s->front))
        return true;
    set_vertices(s, v);
    set_weights(s, v, area);
    const unsigned mode = s->front ? r->front_face_fill_mode : r->back_face_fill_mode;
    set_depth_offset(ctx, s,
                     mode == I965_FRONT_FACE_FILL_MODE_SOLID ? r->global_depth_offset_enable_solid
                     : mode == I965_FRONT_FACE_FILL_MODE_WIREFRAME
                         ? r->global_depth_offset_enable_wireframe
                         : r->global_depth_offset_enable_point);
    if (mode != I965_FRONT_FACE_FILL_MODE_SOLID)
        return draw_outline(ctx, s, v, mode == I965_FRONT_FACE_FILL_MODE_POINT);
    const int32_t corner[3][2] = {{v[0].fixed[0], v[0].fixed[1]},
                                  {v[clockwise ? 1 : 2].fixed[0], v[clockwise ? 1 : 2].fixed[1]},
                                  {v[clockwise ? 2 : 1].fixed[0], v[clockwise ? 2 : 1].fixed[1]}};
    set_attributes(ctx, s);
    return emit(ctx, s, corner, 3);
}

/* Three corners of a rectangle; the fourth is opposite of vertex 1. */
static bool draw_rectangle(struct model_context *ctx, struct model_setup *s,
                           const struct screen_vertex v[3])
{
    const int64_t area = double_area(v[0].fixed, v[1].fixed, v[2].fixed);
    int32_t corner[4][2];

    if (!area)
        return true;
    for (unsigned i = 0; i < 2; i++) {
        corner[0][i] = v[0].fixed[i];
        corner[area > 0 ? 1 : 3][i] = v[1].fixed[i];
        corner[2][i] = v[2].fixed[i];
        corner[area > 0 ? 3 : 1][i] = v[0].fixed[i] + v[2].fixed[i] - v[1].fixed[i];
    }
    s->front = true;
    set_vertices(s, v);
    set_weights(s, v, area);
    set_attributes(ctx, s);
    return emit(ctx, s, corner, 4);
}

bool model_setup_primitive(struct model_context *ctx, const struct model_primitive *p)
{
    static const uint8_t vertices[] = {
        [MODEL_POINT] = 1, [MODEL_LINE] = 2, [MODEL_TRIANGLE] = 3, [MODEL_RECTANGLE] = 3};
    struct model_setup s = {.primitive = p, .front = true, .layer = p->layer};
    struct screen_vertex v[3];

    s.viewport = MIN2(p->viewport, MODEL_VIEWPORTS - 1u);
    for (unsigned i = 0; i < vertices[p->kind]; i++) {
        if (!transform(ctx, &p->v[i], s.viewport, &v[i]))
            return true;
    }
    switch (p->kind) {
    case MODEL_POINT:
        return draw_point(ctx, &s, v, &p->v[0]);
    case MODEL_LINE:
        return draw_line(ctx, &s, v, p->line_start);
    case MODEL_TRIANGLE:
        return draw_triangle(ctx, &s, v);
    case MODEL_RECTANGLE:
        return draw_rectangle(ctx, &s, v);
    }
    return true;
}

bool model_setup_window(struct model_context *ctx, const struct model_primitive *rectangle,
                        struct model_window *window)
{
    const unsigned viewport = MIN2(rectangle->viewport, MODEL_VIEWPORTS - 1u);
    int32_t low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};

    for (unsigned i = 0; i < 3; i++) {
        struct screen_vertex v;
        if (!transform(ctx, &rectangle->v[i], viewport, &v))
            return false;
        for (unsigned c = 0; c < 2; c++) {
            /* First pixel whose center is at or after the position; 0 if that is negative. */
            const int32_t pixel = (v.fixed[c] + MODEL_SUBPIXELS / 2 - 1) / MODEL_SUBPIXELS;
            low[c] = MIN2(low[c], pixel);
            high[c] = MAX2(high[c], pixel);
        }
    }
    *window = ctx->pixel->window[viewport];
    window->x0 = MAX2(window->x0, low[0]);
    window->y0 = MAX2(window->y0, low[1]);
    window->x1 = MIN2(window->x1, high[0]);
    window->y1 = MIN2(window->y1, high[1]);
    return true;
}
