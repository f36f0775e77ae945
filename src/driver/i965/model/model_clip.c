/* SPDX-License-Identifier: MIT */
/*
 * The clipper: rejects, accepts or clips points, lines and triangles. Triangles that are outside of
 * the viewport but inside of the guard band are not clipped in x and y. Polygons are clipped in
 * homogeneous coordinates (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).
 * Source: Sandy Bridge PRM, volume 2 part 1, "VertexClipTest", "ClipDetermination".
 */
#include "model_geometry.h"

#define MAX_SLOTS    4u /* Slots that are interpolated: header, position, clip distances. */
#define MAX_PLANES   15u
#define MAX_VERTICES (3 + MAX_PLANES)
#define MIN_W        0x1p-100f

struct clip_vertex {
    float slot[MAX_SLOTS][4];
    float weight[3]; /* Of the object's vertices. */
    bool edge;       /* The edge from this vertex to the next one is a boundary. */
};

/* Planes in clip space; a point is inside if the product is not negative. */
struct planes {
    unsigned count;
    float plane[MAX_PLANES][4];
    int8_t distance[MAX_PLANES]; /* Index of a user clip distance, or -1. */
};

struct clipper {
    struct model_draw *draw;
    const struct model_object *object;
    struct planes reject; /* An object outside of one of them is rejected. */
    struct planes clip;
    unsigned slots;
    uint32_t viewport, layer;
};

static void add_plane(struct planes *p, float x, float y, float z, float w)
{
    const float plane[4] = {x, y, z, w};
    memcpy(p->plane[p->count], plane, sizeof plane);
    p->distance[p->count++] = -1;
}

static void add_distances(struct planes *p, uint32_t mask)
{
    for (unsigned i = 0; i < 8; i++) {
        if (mask >> i & 1) {
            memset(p->plane[p->count], 0, sizeof p->plane[0]);
            p->distance[p->count++] = (int8_t)i;
        }
    }
}

static void add_xy(struct planes *p, float x_min, float x_max, float y_min, float y_max)
{
    add_plane(p, 1, 0, 0, -x_min);
    add_plane(p, -1, 0, 0, x_max);
    add_plane(p, 0, 1, 0, -y_min);
    add_plane(p, 0, -1, 0, y_max);
}

static float plane_distance(const struct planes *p, unsigned i, const uint32_t (*slot)[4])
{
    float v[4], distance;
    if (p->distance[i] >= 0) {
        memcpy(&distance, &slot[2 + p->distance[i] / 4][p->distance[i] % 4], 4);
        return distance;
    }
    memcpy(v, slot[1], sizeof v);
    return p->plane[i][0] * v[0] + p->plane[i][1] * v[1] + p->plane[i][2] * v[2] +
           p->plane[i][3] * v[3];
}

/* --- Planes --- */

static bool read_viewport(struct clipper *c, const struct i965_sf_clip_viewport **out)
{
    struct model_context *ctx = c->draw->ctx;
    struct model_clip_viewport *v = &c->draw->viewport[c->viewport];
    uint64_t address;
    *out = &v->state;
    if (v->valid)
        return true;
    v->valid = true;
    return model_state_address(ctx, "SF Clip Viewport Pointer", &ctx->state.dynamic,
                               ctx->state.viewport_sf_clip.sf_clip_viewport_pointer +
                                   c->viewport * 64ull,
                               64, &address) &&
           model_read_struct(ctx, "SF Clip Viewport Pointer", I965_SF_CLIP_VIEWPORT, address,
                             &v->state);
}

static bool find_planes(struct clipper *c)
{
    const struct model_state *s = &c->draw->ctx->state;
    const struct i965_sf_clip_viewport *v;
    if (s->clip.guardband_clip_test_enable) {
        if (!read_viewport(c, &v))
            return false;
        add_xy(&c->clip, v->x_min_clip_guardband, v->x_max_clip_guardband, v->y_min_clip_guardband,
               v->y_max_clip_guardband);
    } else if (s->clip.viewport_xy_clip_test_enable) {
        add_xy(&c->clip, -1, 1, -1, 1);
    }
    if (s->raster.viewport_z_near_clip_test_enable)
        add_plane(&c->clip, 0, 0, 1, s->clip.api_mode == I965_API_MODE_APIMODE_D3D ? 0 : 1);
    if (s->raster.viewport_z_far_clip_test_enable)
        add_plane(&c->clip, 0, 0, -1, 1);
    add_distances(&c->clip, c->draw->clip_mask);
    c->reject = c->clip;
    if (s->clip.guardband_clip_test_enable && s->clip.viewport_xy_clip_test_enable) {
        struct planes *p = &c->reject;
        const float xy[4][4] = {{1, 0, 0, 1}, {-1, 0, 0, 1}, {0, 1, 0, 1}, {0, -1, 0, 1}};
        memcpy(p->plane, xy, sizeof xy);
    }
    return true;
}

/* Returns whether all vertices are outside of a plane or have a negative cull distance. */
static bool is_rejected(const struct clipper *c, const struct model_vue *v, unsigned count)
{
    struct planes all[2] = {c->reject, {0}};
    add_distances(&all[1], c->draw->cull_mask);
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < all[k].count; i++) {
            unsigned outside = 0;
            for (unsigned j = 0; j < count; j++)
                outside +=
                    !(plane_distance(&all[k], i,
                                     (const uint32_t(*)[4])model_slots(c->draw->ctx, v[j])) >= 0);
            if (outside == count)
                return true;
        }
    }
    return false;
}

/* Returns the planes that some vertex is outside of, and whether some w is not positive. */
static uint32_t crossed_planes(const struct clipper *c, const struct model_vue *v, unsigned count,
                               bool *negative_w)
{
    uint32_t crossed = 0;
    *negative_w = false;
    for (unsigned j = 0; j < count; j++) {
        const uint32_t(*slot)[4] = (const uint32_t(*)[4])model_slots(c->draw->ctx, v[j]);
        float w;
        memcpy(&w, &slot[1][3], 4);
        *negative_w |= !(w >= MIN_W);
        for (unsigned i = 0; i < c->clip.count; i++)
            crossed |= (uint32_t)!(plane_distance(&c->clip, i, slot) >= 0) << i;
    }
    return crossed;
}

/* --- Output --- */

static struct model_vertex vertex_of(const struct clipper *c, struct model_vue vue)
{
    return (struct model_vertex){(const uint32_t(*)[4])model_slots(c->draw->ctx, vue),
                                 c->draw->last_slots};
}

/* The topology that the last stage before the clipper writes. */
static uint8_t topology_of(const struct clipper *c)
{
    static const uint8_t tessellated[] = {
        [I965_TE_OUTPUT_TOPOLOGY_POINT] = I965_PRIMITIVE_TOPOLOGY_TYPE_POINTLIST,
        [I965_TE_OUTPUT_TOPOLOGY_LINE] = I965_PRIMITIVE_TOPOLOGY_TYPE_LINELIST,
        [I965_TE_OUTPUT_TOPOLOGY_TRI_CW] = I965_PRIMITIVE_TOPOLOGY_TYPE_TRILIST,
        [I965_TE_OUTPUT_TOPOLOGY_TRI_CCW] = I965_PRIMITIVE_TOPOLOGY_TYPE_TRILIST,
    };
    const struct model_draw *draw = c->draw;
    if (draw->has_gs)
        return (uint8_t)draw->output.topology;
    return draw->has_te ? tessellated[draw->ctx->state.te.output_topology & 3]
                        : (uint8_t)draw->topology;
}

static bool emit(const struct clipper *c, struct model_primitive *p)
{
    struct model_context *ctx = c->draw->ctx;
    if (ctx->state.clip.statistics_enable)
        ctx->counters.cl_primitives++;
    p->kind = c->object->kind;
    p->provoking = vertex_of(c, c->object->v[c->object->provoking]);
    p->primitive_id = c->object->primitive_id;
    p->topology = topology_of(c);
    p->viewport = c->viewport;
    p->layer = c->layer;
    p->line_start = c->object->line_start;
    if (!p->clipped)
        memcpy(p->source, p->v, sizeof p->source);
    return model_emit_primitive(ctx, p);
}

static bool emit_whole(const struct clipper *c, const struct model_vue *v, unsigned count)
{
    struct model_primitive p = {
        .edge = {c->object->edge[0], c->object->edge[1], c->object->edge[2]}};
    for (unsigned i = 0; i < count; i++)
        p.v[i] = vertex_of(c, v[i]);
    return emit(c, &p);
}

static struct model_vertex clipped_vertex(const struct clipper *c, const struct clip_vertex *v)
{
    return (struct model_vertex){(const uint32_t(*)[4])(const void *)v->slot, c->slots};
}

/* Stores the weights of the object's vertices v at a vertex of a clipped primitive. On the screen,
 * they are those in space times each vertex's w, divided by the point's w. */
static void set_weights(const struct clipper *c, struct model_primitive *p, unsigned i,
                        const struct clip_vertex *at, const struct model_vue *v, unsigned count)
{
    for (unsigned k = 1; k < 3; k++) {
        const float weight = k < count ? at->weight[k] : 0.0f, w = at->slot[1][3];
        float source_w = w;
        if (k < count)
            memcpy(&source_w, &model_slots(c->draw->ctx, v[k])[1][3], sizeof source_w);
        p->weight[0][i][k - 1] = weight;
        p->weight[1][i][k - 1] = w >= MIN_W ? weight * source_w / w : weight;
    }
}

/* Emits a part of an object. */
static bool emit_clipped(const struct clipper *c, struct model_primitive *p,
                         const struct clip_vertex *const *vertex, const struct model_vue *v,
                         unsigned count)
{
    p->clipped = true;
    for (unsigned i = 0; i < count; i++) {
        p->v[i] = clipped_vertex(c, vertex[i]);
        p->source[i] = vertex_of(c, v[i]);
        set_weights(c, p, i, vertex[i], v, count);
    }
    return emit(c, p);
}

/* --- Clipping --- */

/* Loads vertex i of the object. */
static void load(const struct clipper *c, struct clip_vertex *to, struct model_vue vue, unsigned i)
{
    memset(to->weight, 0, sizeof to->weight);
    to->weight[i] = 1.0f;
    memcpy(to->slot, model_slots(c->draw->ctx, vue), c->slots * sizeof to->slot[0]);
}

/* Stores the point at t between two vertices; the header is that of the first one. */
static void interpolate(const struct clipper *c, struct clip_vertex *to,
                        const struct clip_vertex *a, const struct clip_vertex *b, float t)
{
    memcpy(to->slot[0], a->slot[0], sizeof to->slot[0]);
    for (unsigned s = 1; s < c->slots; s++) {
        for (unsigned i = 0; i < 4; i++)
            to->slot[s][i] = a->slot[s][i] + t * (b->slot[s][i] - a->slot[s][i]);
    }
    for (unsigned i = 0; i < 3; i++)
        to->weight[i] = a->weight[i] + t * (b->weight[i] - a->weight[i]);
}

static float distance_of(const struct planes *p, unsigned plane, const struct clip_vertex *v)
{
    return plane_distance(p, plane, (const uint32_t(*)[4])(const void *)v->slot);
}

/* Clips a polygon to a plane. Returns the number of vertices. The intersection is computed from the
 * inside vertex, so that polygons that share an edge get the same point. */
static unsigned clip_polygon(const struct clipper *c, const struct planes *p, unsigned plane,
                             const struct clip_vertex *from, unsigned count, struct clip_vertex *to)
{
    unsigned n = 0;
    /* Distances that are not linear, such as infinite ones, may ask for more vertices. */
    for (unsigned i = 0; i < count && n < MAX_VERTICES; i++) {
        const struct clip_vertex *a = &from[i], *b = &from[(i + 1) % count];
        float da = distance_of(p, plane, a), db = distance_of(p, plane, b);
        bool a_inside = da >= 0, b_inside = db >= 0;
        if (a_inside)
            to[n++] = *a;
        if (a_inside == b_inside || n == MAX_VERTICES)
            continue;
        if (a_inside)
            interpolate(c, &to[n], a, b, da / (da - db));
        else
            interpolate(c, &to[n], b, a, db / (db - da));
        /* New edges on the plane are boundaries. Parts of other edges keep their flag. */
        to[n++].edge = a_inside || a->edge;
    }
    return n;
}

static bool clip_triangle(const struct clipper *c, const struct planes *p, uint32_t crossed,
                          const struct model_vue v[3])
{
    struct clip_vertex buffer[2][MAX_VERTICES], *from = buffer[0], *to = buffer[1];
    unsigned count = 3;
    for (unsigned i = 0; i < 3; i++) {
        load(c, &from[i], v[i], i);
        from[i].edge = c->object->edge[i];
    }
    for (unsigned i = 0; i < p->count && count; i++) {
        if (!(crossed >> i & 1))
            continue;
        count = clip_polygon(c, p, i, from, count, to);
        struct clip_vertex *swap = from;
        from = to;
        to = swap;
    }
    for (unsigned i = 1; i + 1 < count; i++) {
        const struct clip_vertex *const vertex[3] = {&from[0], &from[i], &from[i + 1]};
        struct model_primitive prim = {
            .edge = {i == 1 && from[0].edge, from[i].edge, i + 2 == count && from[i + 1].edge},
        };
        if (!emit_clipped(c, &prim, vertex, v, 3))
            return false;
    }
    return true;
}

static bool clip_line(const struct clipper *c, const struct planes *p, uint32_t crossed,
                      const struct model_vue v[2])
{
    struct clip_vertex end[2], result[2];
    float t[2] = {0, 1};
    for (unsigned i = 0; i < 2; i++)
        load(c, &end[i], v[i], i);
    for (unsigned i = 0; i < p->count; i++) {
        if (!(crossed >> i & 1))
            continue;
        float a = distance_of(p, i, &end[0]), b = distance_of(p, i, &end[1]);
        if (!(a >= 0) && !(b >= 0))
            return true;
        if (!(a >= 0))
            t[0] = MAX2(t[0], a / (a - b));
        else if (!(b >= 0))
            t[1] = MIN2(t[1], a / (a - b));
    }
    if (!(t[0] < t[1]))
        return true;
    result[0] = end[0];
    result[1] = end[1];
    if (t[0] > 0)
        interpolate(c, &result[0], &end[0], &end[1], t[0]);
    if (t[1] < 1)
        interpolate(c, &result[1], &end[0], &end[1], t[1]);
    const struct clip_vertex *const vertex[2] = {&result[0], &result[1]};
    struct model_primitive prim = {.edge = {true, true, true}};
    return emit_clipped(c, &prim, vertex, v, 2);
}

static bool clip_object(struct clipper *c, const struct model_vue *v, unsigned count)
{
    bool negative_w;
    if (!find_planes(c))
        return false;
    if (is_rejected(c, v, count))
        return true;
    uint32_t crossed = crossed_planes(c, v, count, &negative_w);
    if (!crossed && !negative_w)
        return emit_whole(c, v, count);
    if (count == 1)
        return true;
    struct planes planes = {0};
    if (negative_w) /* Comes first, so that the others only clip points in front of the eye. */
        add_plane(&planes, 0, 0, 0, 1);
    for (unsigned i = 0; i < c->clip.count; i++) {
        memcpy(planes.plane[planes.count], c->clip.plane[i], sizeof planes.plane[0]);
        planes.distance[planes.count++] = c->clip.distance[i];
    }
    crossed = negative_w ? crossed << 1 | 1 : crossed;
    return count == 2 ? clip_line(c, &planes, crossed, v) : clip_triangle(c, &planes, crossed, v);
}

/* Takes viewport and layer from the provoking vertex. */
static void read_header(struct clipper *c)
{
    const struct i965_3dstate_clip *s = &c->draw->ctx->state.clip;
    const uint32_t *header = *model_slots(c->draw->ctx, c->object->v[c->object->provoking]);
    c->layer = s->force_zero_rta_index_enable ? 0 : header[1];
    c->viewport = header[2] <= s->maximum_vp_index ? header[2] : 0;
}

bool model_clip(struct model_draw *draw, const struct model_object *object)
{
    const struct i965_3dstate_clip *s = &draw->ctx->state.clip;
    struct clipper c = {.draw = draw, .object = object, .slots = MIN2(draw->last_slots, MAX_SLOTS)};
    struct model_vue v[3];
    unsigned count = object->kind == MODEL_POINT ? 1 : object->kind == MODEL_LINE ? 2 : 3;
    for (unsigned i = 0; i < count; i++)
        v[i] = object->v[!object->adjacency ? i : object->kind == MODEL_LINE ? i + 1 : 2 * i];
    if (draw->last_slots < 2)
        return model_error(draw->ctx, "URB Entry Allocation Size", "the VUE has no position");
    read_header(&c);
    if (!s->clip_enable || s->clip_mode == I965_CLIP_MODE_CLIPMODE_ACCEPT_ALL ||
        (object->kind == MODEL_RECTANGLE && s->clip_mode == I965_CLIP_MODE_CLIPMODE_NORMAL))
        return emit_whole(&c, v, count);
    if (s->statistics_enable)
        draw->ctx->counters.cl_invocations++;
    if (s->clip_mode == I965_CLIP_MODE_CLIPMODE_REJECT_ALL)
        return true;
    if (s->clip_mode != I965_CLIP_MODE_CLIPMODE_NORMAL)
        return model_error(draw->ctx, "3DSTATE_CLIP Clip Mode", "%u is reserved", s->clip_mode);
    if (draw->last_slots < 4 && (draw->clip_mask | draw->cull_mask))
        return model_error(draw->ctx, "URB Entry Allocation Size", "the VUE has no clip distances");
    if (s->perspective_divide_disable)
        return emit_whole(&c, v, count);
    return clip_object(&c, v, count);
}
