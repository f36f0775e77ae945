/* SPDX-License-Identifier: MIT */
/*
 * Primitive setup: converts snapped vertices to edge functions and plane equations. Positions have
 * 8 subpixel bits; edge functions are exact in 64 bits. A pixel is covered if its center is inside.
 * A center on an edge is inside if the edge is a left or lower (smaller y) edge of the primitive.
 *
 * An edge function at pixel centers is E0 + 256 * (a*x + b*y). Its sign equals that of
 * floor(E0/256) + a*x + b*y, which is what the primitive stores.
 *
 * With multisampling, a sample is covered if it is inside. cpu_raster.c derives the values at
 * samples from those at centers, which needs the remainder of the division; it is stored, too.
 */
#include <math.h>

#include "driver/cpu/front/cpu_front.h"
#include "util/macros.h"
#include "util/simd.h"

#define MAX_COORDINATE (2.0f * CPU_GUARD_BAND) /* in pixels; edge functions are exact up to this */

/* Rounds to the nearest integer like lrintf, for values in the range of int32_t. */
static inline int32_t nearest(float x)
{
#ifdef __SSE__
    return _mm_cvtss_si32(_mm_set_ss(x));
#else
    return lrintf(x);
#endif
}

/* Snaps a vertex to the subpixel grid. Returns false if it is out of range or NaN. */
static bool snap(const struct cpu_vertex *v, struct cpu_point *p)
{
    if (!(fabsf(v->window[0]) <= MAX_COORDINATE / 2 + 2.0f &&
          fabsf(v->window[1]) <= MAX_COORDINATE / 2 + 2.0f))
        return false;
    p->x = nearest(v->window[0] * CPU_SUBPIXEL_ONE);
    p->y = nearest(v->window[1] * CPU_SUBPIXEL_ONE);
    return true;
}

/* Returns the first pixel whose center is at or right of x. last_pixel() returns the last one whose
 * center is at or left of x. x is in subpixels. */
static int32_t first_pixel(int32_t x)
{
    return (x - CPU_SUBPIXEL_HALF + CPU_SUBPIXEL_ONE - 1) >> CPU_SUBPIXEL_BITS;
}

static int32_t last_pixel(int32_t x)
{
    return (x - CPU_SUBPIXEL_HALF) >> CPU_SUBPIXEL_BITS;
}

/* Computes the pixels in *limit whose center lies in the points' bounding box; with multisampling,
 * those of which any part does. Returns false if there are none. */
static bool bounding_box(const struct cpu_front *f, struct cpu_rect *box, const struct cpu_point *p,
                         unsigned n, const struct cpu_rect *limit)
{
    int32_t x0 = p[0].x, x1 = x0, y0 = p[0].y, y1 = y0;
    for (unsigned i = 1; i < n; i++) {
        x0 = MIN2(x0, p[i].x);
        x1 = MAX2(x1, p[i].x);
        y0 = MIN2(y0, p[i].y);
        y1 = MAX2(y1, p[i].y);
    }
    int32_t wide = f->multisample ? CPU_SUBPIXEL_HALF : 0;
    box->x0 = MAX2(first_pixel(x0 - wide), limit->x0);
    box->y0 = MAX2(first_pixel(y0 - wide), limit->y0);
    box->x1 = MIN2(last_pixel(x1 + wide), limit->x1);
    box->y1 = MIN2(last_pixel(y1 + wide), limit->y1);
    return box->x0 <= box->x1 && box->y0 <= box->y1;
}

/* Sets edge i, from a to b, with the inside on its left. inclusive: centers on the edge are
 * inside. */
static void set_edge(struct cpu_edges *edges, unsigned i, struct cpu_point a, struct cpu_point b,
                     bool inclusive)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    int64_t at = (int64_t)dx * (CPU_SUBPIXEL_HALF - a.y) - (int64_t)dy * (CPU_SUBPIXEL_HALF - a.x);
    edges->c[i] = (at - !inclusive) >> CPU_SUBPIXEL_BITS;
    edges->fraction[i] = (at - !inclusive) & (CPU_SUBPIXEL_ONE - 1);
    edges->a[i] = -dy;
    edges->b[i] = dx;
}

static bool edge_inclusive(struct cpu_point a, struct cpu_point b)
{
    if (a.y != b.y)
        return b.y < a.y;
    return b.x > a.x;
}

/* Allocates a primitive without edges and planes, zeroed otherwise. mask: the covered pixels of a
 * small primitive (cpu_prim.mask), which has no edges; NULL for others. Returns NULL if out of
 * memory. */
static struct cpu_prim *new_prim(struct cpu_front *f, const struct cpu_prim_info *info, bool front,
                                 const uint16_t mask[4])
{
    const size_t bytes = mask ? offsetof(struct cpu_prim, edges) : sizeof(struct cpu_prim);
    struct cpu_prim *prim = arena_alloc(f->segment->arena, bytes);
    if (!prim) {
        f->segment->out_of_memory = true;
        return NULL;
    }
    memset(prim, 0, bytes);
    if (mask) {
        prim->small = true;
        memcpy(prim->mask, mask, sizeof prim->mask);
    }
    prim->p.provoking = info->provoking;
    prim->p.front_facing = front;
    prim->p.primitive_id = info->primitive_id;
    prim->p.layer = f->layer;
    prim->p.viewport = f->viewport;
    prim->draw = f->draw;
    return prim;
}

/* Sets the primitive's barycentric coordinates, if the shader reads them. order[i]: the vertex in
 * `info` of vertex i of the primitive. Returns false if out of memory. */
static bool set_barycentrics(struct cpu_front *f, struct cpu_prim *prim,
                             const struct cpu_prim_info *info, const uint8_t order[3])
{
    if (!f->barycentrics)
        return true;
    struct cpu_barycentrics *to = arena_alloc(f->segment->arena, sizeof *to);
    if (!to) {
        f->segment->out_of_memory = true;
        return false;
    }
    memcpy(to->vertex, info->barycentrics->vertex, sizeof to->vertex);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < 3; i++)
            memcpy(to->weight[k][i], info->barycentrics->weight[k][order[i]],
                   sizeof to->weight[k][i]);
    prim->p.barycentrics = to;
    return true;
}

/* Rounding error of depth from float clip and window coordinates. */
#define DEPTH_ERROR 0x1p-24f

/* Returns the polygon offset of GL 4.6 §14.6.5, m * factor + r * units. r is the smallest
 * resolvable depth difference: one step of the depth buffer plus the rounding error of the two
 * values. */
static float polygon_offset(const struct cpu_front *f, float dzdx, float dzdy, float z0, float z1,
                            float z2)
{
    const struct drv_rasterizer_state *r = f->rast;
    float unit;
    switch (f->zs_format) {
    case DRV_FORMAT_Z16_UNORM:
        unit = 0x1p-16f + DEPTH_ERROR;
        break;
    case DRV_FORMAT_Z32_FLOAT:
    case DRV_FORMAT_Z32S8X24_FLOAT: {
        int exponent;
        frexpf(fmaxf(fmaxf(fabsf(z0), fabsf(z1)), fabsf(z2)), &exponent);
        unit = ldexpf(1.0f, exponent - 24); /* frexp's mantissa is below 1 */
        break;
    }
    case DRV_FORMAT_Z32_UNORM:
        unit = 0x1p-31f + DEPTH_ERROR;
        break;
    default:
        unit = 0x1p-24f + DEPTH_ERROR;
    }
    float offset = fmaxf(fabsf(dzdx), fabsf(dzdy)) * r->offset_scale + unit * r->offset_units;
    if (r->offset_clamp > 0.0f)
        offset = fminf(offset, r->offset_clamp);
    else if (r->offset_clamp < 0.0f)
        offset = fmaxf(offset, r->offset_clamp);
    return offset;
}

float cpu_setup_offset(const struct cpu_front *f, float dzdx, float dzdy, const float *window,
                       const uint8_t v[3])
{
    const float *z = window + 2 * CPU_BATCH_VERTICES;
    return polygon_offset(f, dzdx, dzdy, z[v[0]], z[v[1]], z[v[2]]);
}

/* --- triangles --- */

typedef cpu_v4i v4i;

struct triangle {
    cpu_snapped p[3];
    struct cpu_vertex v[3];
    double area; /* twice the area in squared subpixels, exact; positive: counterclockwise */
    bool front;
    struct cpu_rect box;
    float x_ref, y_ref;
    uint8_t order[3]; /* vertex of each plane weight: reference, b1, b2 */
    struct cpu_plane b1, b2, z;
};

/* Returns the vertex where planes start: the farthest one, with the smallest 1/w. Small weights are
 * exact, so that results are accurate near that vertex even if the other vertices have a much
 * larger 1/w. */
static inline unsigned farthest(float inv_w0, float inv_w1, float inv_w2)
{
    if (inv_w1 < inv_w0)
        return inv_w2 < inv_w1 ? 2 : 1;
    return inv_w2 < inv_w0 ? 2 : 0;
}

/* Stores the vertices in the order of struct cpu_primitive: the farthest one, then the nearer and
 * the farther one of the other two. */
static inline void find_order(const struct cpu_vertex v[3], uint8_t order[3])
{
    static const uint8_t next[] = {1, 2, 0};
    const unsigned i0 = farthest(v[0].window[3], v[1].window[3], v[2].window[3]);
    const unsigned i1 = next[i0], i2 = next[i1];
    const bool swap = v[i2].window[3] > v[i1].window[3];
    order[0] = (uint8_t)i0;
    order[1] = (uint8_t)(swap ? i2 : i1);
    order[2] = (uint8_t)(swap ? i1 : i2);
}

static inline cpu_snapped largest(cpu_snapped a, cpu_snapped b)
{
#ifdef __SSE__
    return (cpu_snapped)_mm_max_ps((__m128)a, (__m128)b);
#else
    v4i greater = a > b;
    return (cpu_snapped)((greater & (v4i)a) | (~greater & (v4i)b));
#endif
}

static inline cpu_snapped smallest(cpu_snapped a, cpu_snapped b)
{
    return -largest(-a, -b);
}

/* Converts integral float values. */
static inline v4i to_integers(cpu_snapped p)
{
#ifdef __SSE2__
    return (v4i)_mm_cvttps_epi32((__m128)p);
#else
    return __builtin_convertvector(p, v4i);
#endif
}

static inline struct cpu_point to_point(cpu_snapped p)
{
    v4i i = to_integers(p);
    return (struct cpu_point){i[0], i[1]};
}

static cpu_snapped from_point(struct cpu_point p)
{
    return (cpu_snapped){p.x, p.y, -p.x, -p.y};
}

cpu_snapped cpu_setup_limit(const struct cpu_rect *r, bool sampled_polygons)
{
    /* Centers of the last and first pixels; with sampled polygons, the pixels' outer edges,
     * excluding the last subpixel. */
    const float half = sampled_polygons ? 0.0f : 0.5f, next = sampled_polygons ? 1.0f : 0.0f;
    cpu_snapped last = {r->x1 + 1 - half, r->y1 + 1 - half, -(r->x0 + half), -(r->y0 + half)};
    return last * CPU_SUBPIXEL_ONE - (cpu_snapped){next, next, 0, 0};
}

v4i cpu_setup_to_pixel(bool sampled_polygons)
{
    const int32_t half = CPU_SUBPIXEL_HALF, all = CPU_SUBPIXEL_ONE - 1;
    return sampled_polygons ? (v4i){0, 0, all, all} : (v4i){-half, -half, half, half};
}

/* Computes area, facing and the box of pixels that may be covered. Returns false if the triangle is
 * culled, has no area or covers no pixel. */
static inline bool find_visible(struct cpu_front *f, struct triangle *t)
{
    const struct drv_rasterizer_state *r = f->rast;
    cpu_snapped u = t->p[1] - t->p[0], v = t->p[2] - t->p[0];
    t->area = (double)u[0] * v[1] - (double)u[1] * v[0];
    t->front = (t->area > 0.0) == r->front_ccw;
    if (t->area == 0.0 || (t->front ? r->cull_front : r->cull_back))
        return false;
    f->reached = true;
    /* Last column and row; the first ones are negated. */
    const v4i negative = {-1, -1, 0, 0};
    cpu_snapped bounds = largest(largest(t->p[0], t->p[1]), t->p[2]);
    v4i pixel = (to_integers(smallest(bounds, f->view.limit)) + f->to_pixel) >> CPU_SUBPIXEL_BITS;
    v4i box = (__builtin_shufflevector(pixel, pixel, 2, 3, 0, 1) ^ negative) - negative;
    memcpy(&t->box, &box, sizeof box);
    return (t->box.x0 <= t->box.x1 && t->box.y0 <= t->box.y1) ||
           (t->front ? r->fill_front : r->fill_back) != DRV_POLYGON_FILL;
}

/* Computes the plane equations from the unsnapped positions, which matters for pixel-sized
 * triangles. Uses the snapped positions if snapping changed the shape of a sliver too much. */
static void triangle_planes(struct triangle *t)
{
    if (t->area == 0.0) {
        t->order[0] = 0;
        t->order[1] = 1;
        t->order[2] = 2;
        t->x_ref = t->v[0].window[0];
        t->y_ref = t->v[0].window[1];
        t->b1 = t->b2 = (struct cpu_plane){0};
        t->z = (struct cpu_plane){t->v[0].window[2], 0.0f, 0.0f};
        return;
    }
    find_order(t->v, t->order);
    const unsigned i0 = t->order[0], i1 = t->order[1], i2 = t->order[2];
    const float *w0 = t->v[i0].window, *w1 = t->v[i1].window, *w2 = t->v[i2].window;
    double x1 = (double)w1[0] - w0[0], y1 = (double)w1[1] - w0[1];
    double x2 = (double)w2[0] - w0[0], y2 = (double)w2[1] - w0[1];
    double area = x1 * y2 - x2 * y1;
    double snapped = t->area * (1.0 / (CPU_SUBPIXEL_ONE * CPU_SUBPIXEL_ONE));
    if ((i0 + 1) % 3 != i1)
        snapped = -snapped;
    t->x_ref = w0[0];
    t->y_ref = w0[1];
    if (!(area / snapped > 0.25)) {
        x1 = (t->p[i1][0] - t->p[i0][0]) * (1.0 / CPU_SUBPIXEL_ONE);
        y1 = (t->p[i1][1] - t->p[i0][1]) * (1.0 / CPU_SUBPIXEL_ONE);
        x2 = (t->p[i2][0] - t->p[i0][0]) * (1.0 / CPU_SUBPIXEL_ONE);
        y2 = (t->p[i2][1] - t->p[i0][1]) * (1.0 / CPU_SUBPIXEL_ONE);
        area = snapped;
        t->x_ref = t->p[i0][0] * (1.0f / CPU_SUBPIXEL_ONE);
        t->y_ref = t->p[i0][1] * (1.0f / CPU_SUBPIXEL_ONE);
    }
    double scale = 1.0 / area;
    double b1x = y2 * scale, b1y = -x2 * scale, b2x = -y1 * scale, b2y = x1 * scale;
    double z0 = w0[2], z1 = w1[2], z2 = w2[2];
    t->b1 = (struct cpu_plane){0.0f, b1x, b1y};
    t->b2 = (struct cpu_plane){0.0f, b2x, b2y};
    t->z = (struct cpu_plane){z0, (z1 - z0) * b1x + (z2 - z0) * b2x,
                              (z1 - z0) * b1y + (z2 - z0) * b2y};
}

static float triangle_offset(const struct cpu_front *f, const struct triangle *t)
{
    return polygon_offset(f, t->z.dx, t->z.dy, t->v[0].window[2], t->v[1].window[2],
                          t->v[2].window[2]);
}

static void set_triangle_edges(const struct triangle *t, struct cpu_edges *edges)
{
    for (unsigned i = 0; i < 3; i++) {
        /* Edges go counterclockwise. */
        struct cpu_point a = to_point(t->p[i]), b = to_point(t->p[i == 2 ? 0 : i + 1]);
        if (t->area < 0.0) {
            struct cpu_point swap = a;
            a = b;
            b = swap;
        }
        set_edge(edges, i, a, b, edge_inclusive(a, b));
    }
    edges->a[3] = edges->b[3] = edges->fraction[3] = 0;
    edges->c[3] = 0;
}

/* Computes the coverage mask of a small triangle. Returns false if it covers nothing. */
static bool cover_small(const struct triangle *t, uint16_t mask[4])
{
    struct cpu_edges edges;
    set_triangle_edges(t, &edges);
    return cpu_raster_small(&edges, &t->box, mask);
}

/* Sets the planes and vertices of a filled triangle and bins it. */
static void finish_triangle(struct cpu_front *f, struct triangle *t, struct cpu_prim *prim,
                            const struct cpu_prim_info *info)
{
    triangle_planes(t);
    prim->p.x_ref = t->x_ref;
    prim->p.y_ref = t->y_ref;
    prim->p.b1 = t->b1;
    prim->p.b2 = t->b2;
    prim->p.z = t->z;
    if (f->rast->offset_tri)
        prim->p.z.c += triangle_offset(f, t);
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++) {
        prim->p.inv_w[i] = t->v[t->order[i]].window[3];
        prim->p.vertex[i] = t->v[t->order[i]].out;
    }
    if (set_barycentrics(f, prim, info, t->order))
        cpu_bin_prim(f->scene, f->segment, prim);
}

static void fill_triangle(struct cpu_front *f, struct triangle *t, const struct cpu_prim_info *info)
{
    bool small = cpu_raster_is_small(&t->box) && !f->sampled_polygons;
    uint16_t mask[4];
    if (small && !cover_small(t, mask))
        return;
    struct cpu_prim *prim = cpu_setup_new_triangle(f, &t->box, small, t->front, info);
    if (!prim)
        return;
    if (small)
        memcpy(prim->mask, mask, sizeof mask);
    else
        set_triangle_edges(t, &prim->edges);
    finish_triangle(f, t, prim, info);
}

static void line(struct cpu_front *f, const struct cpu_vertex *v0, const struct cpu_vertex *v1,
                 const struct cpu_prim_info *info, bool front, float offset);
static void point(struct cpu_front *f, const struct cpu_vertex *v, const struct cpu_prim_info *info,
                  bool front, float offset);

/* Draws the outline of a polygon in line or point mode (GL 2.1 §3.5.4). */
static void outline_triangle(struct cpu_front *f, const struct triangle *t,
                             const struct cpu_prim_info *info, bool points, float offset)
{
    for (unsigned i = 0; i < 3; i++) {
        if (!(info->flags >> i & 1) || !cpu_edge_flag(f, &t->v[i], info))
            continue;
        const unsigned next = i == 2 ? 0 : i + 1;
        struct cpu_prim_info part = *info;
        struct cpu_barycentrics weights;
        if (info->barycentrics) { /* those of the vertices of the line or point */
            weights = *info->barycentrics;
            for (unsigned k = 0; k < 2; k++) {
                const float(*from)[3] = info->barycentrics->weight[k];
                memcpy(weights.weight[k][0], from[i], sizeof *from);
                memcpy(weights.weight[k][1], from[next], sizeof *from);
            }
            part.barycentrics = &weights;
        }
        if (points)
            point(f, &t->v[i], &part, t->front, offset);
        else
            line(f, &t->v[i], &t->v[next], &part, t->front, offset);
    }
}

static void visible_triangle(struct cpu_front *f, struct triangle *t,
                             const struct cpu_prim_info *info)
{
    const struct drv_rasterizer_state *r = f->rast;
    uint8_t mode = t->front ? r->fill_front : r->fill_back;
    if (mode == DRV_POLYGON_FILL) {
        fill_triangle(f, t, info);
        return;
    }
    triangle_planes(t);
    bool offset = mode == DRV_POLYGON_LINE ? r->offset_line : r->offset_point;
    outline_triangle(f, t, info, mode == DRV_POLYGON_POINT, offset ? triangle_offset(f, t) : 0.0f);
}

/* Sets up a filled triangle that covers the pixels it touches. One without area, which
 * INTEL_conservative_rasterization draws, has the values of its first vertex. */
static void fill_conservative(struct cpu_front *f, struct triangle *t, const struct cpu_outline *o,
                              const struct cpu_prim_info *info)
{
    struct cpu_rect box;
    if (!cpu_conservative_box(f, o, &f->view.view_rect, &box))
        return;
    struct cpu_prim *prim = cpu_setup_new_triangle(f, &box, false, t->front, info);
    if (!prim)
        return;
    cpu_conservative_edges(f, o, t->area < 0.0, &prim->edges);
    prim->has_area = t->area != 0.0;
    finish_triangle(f, t, prim, info);
}

static void conservative_triangle(struct cpu_front *f, struct triangle *t,
                                  const struct cpu_prim_info *info)
{
    const struct drv_rasterizer_state *r = f->rast;
    struct cpu_outline o;
    double at[3][2];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned c = 0; c < 2; c++)
            at[i][c] = t->v[i].window[c];
    if (!cpu_conservative_snap(f, &o, at, 3))
        return;
    const float scale = ldexpf(1.0f, CPU_SUBPIXEL_BITS - (int)o.bits);
    for (unsigned i = 0; i < 3; i++)
        t->p[i] = from_point(o.p[i]) * scale;
    t->area = cpu_conservative_area(&o);
    t->front = t->area != 0.0 && (t->area > 0.0) == r->front_ccw;
    if ((t->area == 0.0 && !r->conservative_expand) || (t->front ? r->cull_front : r->cull_back))
        return;
    f->reached = true;
    if ((t->front ? r->fill_front : r->fill_back) == DRV_POLYGON_FILL)
        fill_conservative(f, t, &o, info);
    else
        visible_triangle(f, t, info);
}

void cpu_setup_triangle(struct cpu_front *f, const struct cpu_vertex v[3],
                        const struct cpu_prim_info *info)
{
    struct triangle t;
    if (f->rast->conservative) {
        memcpy(t.v, v, sizeof t.v);
        conservative_triangle(f, &t, info);
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        struct cpu_point p;
        if (!snap(&v[i], &p))
            return;
        t.p[i] = from_point(p);
        t.v[i] = v[i];
    }
    if (find_visible(f, &t))
        visible_triangle(f, &t, info);
}

void cpu_setup_batch_triangle(struct cpu_front *f, const struct cpu_vertices *vertices,
                              const uint8_t v[3], const struct cpu_prim_info *info)
{
    struct triangle t;
    if (f->rast->conservative) {
        for (unsigned i = 0; i < 3; i++)
            cpu_load_vertex(vertices, v[i], &t.v[i]);
        conservative_triangle(f, &t, info);
        return;
    }
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++)
        t.p[i] = vertices->snapped[v[i]];
    if (!find_visible(f, &t))
        return;
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++)
        cpu_load_vertex(vertices, v[i], &t.v[i]);
    visible_triangle(f, &t, info);
}

/* Snaps four coordinates. */
static inline cpu_snapped snap4(const float *window)
{
    cpu_snapped x = *(const cpu_snapped *)window * CPU_SUBPIXEL_ONE;
#if defined(__SSE2__)
    v4i i = (v4i)_mm_cvtps_epi32((__m128)x);
#elif defined(__aarch64__)
    v4i i = (v4i)vcvtnq_s32_f32((float32x4_t)x);
#else
    v4i i = {nearest(x[0]), nearest(x[1]), nearest(x[2]), nearest(x[3])};
#endif
    return __builtin_convertvector(i, cpu_snapped);
}

void cpu_setup_snap(const float *window, cpu_snapped *p, unsigned count)
{
    for (unsigned i = 0; i < count; i += 4) {
        cpu_snapped x = snap4(window + i), y = snap4(window + CPU_BATCH_VERTICES + i);
        cpu_snapped low = __builtin_shufflevector(x, y, 0, 4, 1, 5);
        cpu_snapped high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
        p[i] = __builtin_shufflevector(low, -low, 0, 1, 4, 5);
        p[i + 1] = __builtin_shufflevector(low, -low, 2, 3, 6, 7);
        p[i + 2] = __builtin_shufflevector(high, -high, 0, 1, 4, 5);
        p[i + 3] = __builtin_shufflevector(high, -high, 2, 3, 6, 7);
    }
}

/* --- points --- */

static float point_size(const struct cpu_front *f, const struct cpu_vertex *v)
{
    float size = f->rast->point_size_per_vertex && f->outputs.psiz >= 0
                     ? v->out[f->outputs.psiz * 4 * CPU_BATCH_VERTICES]
                     : f->rast->point_size;
    return size >= 1.0f ? fminf(size, 255.0f) : 1.0f; /* also 1 for NaN */
}

/* Covers the samples in [p - half, p + half). */
static void set_square_edges(struct cpu_edges *edges, struct cpu_point p, int32_t half)
{
    static const bool inclusive[4] = {true, false, false, true};
    const struct cpu_point corner[4] = {{p.x - half, p.y - half},
                                        {p.x + half, p.y - half},
                                        {p.x + half, p.y + half},
                                        {p.x - half, p.y + half}};
    for (unsigned i = 0; i < 4; i++)
        set_edge(edges, i, corner[i], corner[(i + 1) % 4], inclusive[i]);
}

/* Adds a point whose planes, apart from its position, are set. half: half its size in subpixels. */
static void finish_point(struct cpu_front *f, const struct cpu_vertex *v, struct cpu_prim *prim,
                         const struct cpu_prim_info *info, int32_t half, float offset)
{
    static const uint8_t same[3] = {0, 0, 0};
    prim->p.z.c = v->window[2] + offset;
    /* Point coordinates (GL 4.6 §14.4.1). */
    float step = (float)CPU_SUBPIXEL_ONE / (2 * half);
    prim->p.point_s = (struct cpu_plane){0.5f, step, 0.0f};
    prim->p.point_t =
        (struct cpu_plane){0.5f, 0.0f, f->rast->point_sprite_origin_upper_left ? -step : step};
    for (unsigned i = 0; i < 3; i++) {
        prim->p.inv_w[i] = v->window[3];
        prim->p.vertex[i] = v->out;
    }
    if (set_barycentrics(f, prim, info, same))
        cpu_bin_prim(f->scene, f->segment, prim);
}

/* Sets up a point that covers the pixels that its square, or its circle, touches. */
static void conservative_point(struct cpu_front *f, const struct cpu_vertex *v,
                               const struct cpu_prim_info *info, bool front, float offset)
{
    const double x = v->window[0], y = v->window[1], half = point_size(f, v) / 2.0;
    const double at[4][2] = {
        {x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}};
    struct cpu_outline o;
    struct cpu_rect box;
    const bool cut = f->rast->point_clip_to_viewport;
    if (!cpu_conservative_snap(f, &o, at, 4) ||
        !cpu_conservative_box(f, &o, cut ? &f->view.view_rect : &f->view.rect, &box))
        return;
    struct cpu_prim *prim = new_prim(f, info, front, NULL);
    if (!prim)
        return;
    prim->box = box;
    prim->p.x_ref = v->window[0];
    prim->p.y_ref = v->window[1];
    if (!f->rast->point_quad_rasterization)
        prim->radius = (uint16_t)ceil(half * CPU_SUBPIXEL_ONE);
    finish_point(f, v, prim, info, (int32_t)lrint(half * CPU_SUBPIXEL_ONE), offset);
}

/* Sets up a point (GL 4.6 §14.4.2). Multisampled points are squares if they are sprites, otherwise
 * circles. Smooth points are circles. Multisampled and smooth points keep their fractional size. */
static void point(struct cpu_front *f, const struct cpu_vertex *v, const struct cpu_prim_info *info,
                  bool front, float offset)
{
    struct cpu_point p;
    if (f->rast->conservative) {
        conservative_point(f, v, info, front, offset);
        return;
    }
    if (!snap(v, &p))
        return;
    float size = point_size(f, v);
    int32_t half = lrintf(size * CPU_SUBPIXEL_HALF);
    bool smooth = f->rast->point_smooth && !f->multisample;
    bool round_point = smooth || (f->multisample && !f->rast->point_quad_rasterization);
    if (!f->rast->point_quad_rasterization && !f->multisample && !smooth) {
        /* GL 2.1 §3.3.1: a square of round(size) pixels, centered at a pixel center (odd) or corner
         * (even). */
        int32_t pixels = MAX2(lrintf(size), 1);
        half = pixels * CPU_SUBPIXEL_HALF;
        int32_t round = pixels & 1 ? 0 : CPU_SUBPIXEL_HALF;
        p.x = ((p.x + round) & ~(CPU_SUBPIXEL_ONE - 1)) + CPU_SUBPIXEL_HALF - round;
        p.y = ((p.y + round) & ~(CPU_SUBPIXEL_ONE - 1)) + CPU_SUBPIXEL_HALF - round;
    }
    /* Pixel centers in [p - around, p + around). A smooth point partly covers half a pixel around
     * it. */
    int32_t around = half + (smooth ? CPU_SUBPIXEL_HALF : 0);
    struct cpu_point corner[2] = {{p.x - around, p.y - around},
                                  {p.x + around - 1, p.y + around - 1}};
    struct cpu_rect box;
    bool cut = f->rast->point_clip_to_viewport;
    if (!bounding_box(f, &box, corner, 2, cut ? &f->view.view_rect : &f->view.rect))
        return;
    uint16_t mask[4];
    const bool small = !f->multisample && !smooth && cpu_raster_is_small(&box);
    if (small)
        cpu_raster_box(&box, mask);
    struct cpu_prim *prim = new_prim(f, info, front, small ? mask : NULL);
    if (!prim)
        return;
    prim->box = box;
    prim->p.x_ref = p.x * (1.0f / CPU_SUBPIXEL_ONE);
    prim->p.y_ref = p.y * (1.0f / CPU_SUBPIXEL_ONE);
    if (f->multisample)
        set_square_edges(&prim->edges, p, half);
    prim->radius = round_point ? half : 0;
    prim->smooth = smooth;
    finish_point(f, v, prim, info, half, offset);
}

void cpu_setup_point(struct cpu_front *f, const struct cpu_vertex *v,
                     const struct cpu_prim_info *info)
{
    f->reached = true;
    point(f, v, info, true, 0.0f);
}

/* --- lines --- */

static int32_t pixel_center(int32_t x)
{
    return (x & ~(CPU_SUBPIXEL_ONE - 1)) + CPU_SUBPIXEL_HALF;
}

/* Moves an end that has passed the center of its pixel's diamond but not left the diamond back to
 * the center, along the line's major axis. A line draws the pixels whose diamonds it exits (GL 4.6
 * §14.5.1), so that pixel is drawn at the start of a line and not at its end. major and minor: the
 * end's coordinates. d_major and d_minor: the line's extent. */
static void snap_to_diamond(int32_t *major, int32_t *minor, int32_t d_major, int32_t d_minor)
{
    int32_t center = pixel_center(*major);
    int32_t past = (*major - center) * (d_major < 0 ? -1 : 1);
    int32_t off = *minor - pixel_center(*minor);
    if (past <= 0 || past + (off < 0 ? -off : off) >= CPU_SUBPIXEL_HALF)
        return;
    *minor += (int64_t)(center - *major) * d_minor / d_major;
    *major = center;
}

/* A line as a parallelogram: its corners counterclockwise from the lower left, and which of its
 * edges are inclusive. */
struct line_shape {
    struct cpu_point corner[4];
    bool inclusive[4];
    bool x_major, forward;
};

static void line_shape(struct line_shape *s, struct cpu_point a, struct cpu_point b, int32_t half)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    s->x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
    if (s->x_major) {
        snap_to_diamond(&a.x, &a.y, dx, dy);
        snap_to_diamond(&b.x, &b.y, dx, dy);
        s->forward = dx > 0;
        struct cpu_point l = s->forward ? a : b, r = s->forward ? b : a;
        s->corner[0] = (struct cpu_point){l.x, l.y - half};
        s->corner[1] = (struct cpu_point){r.x, r.y - half};
        s->corner[2] = (struct cpu_point){r.x, r.y + half};
        s->corner[3] = (struct cpu_point){l.x, l.y + half};
        s->inclusive[0] = true;        /* lower edge */
        s->inclusive[1] = !s->forward; /* right edge; it holds the start if the line runs left */
        s->inclusive[2] = false;
        s->inclusive[3] = s->forward;
    } else {
        snap_to_diamond(&a.y, &a.x, dy, dx);
        snap_to_diamond(&b.y, &b.x, dy, dx);
        s->forward = dy > 0;
        struct cpu_point l = s->forward ? a : b, u = s->forward ? b : a;
        s->corner[0] = (struct cpu_point){l.x - half, l.y};
        s->corner[1] = (struct cpu_point){l.x + half, l.y};
        s->corner[2] = (struct cpu_point){u.x + half, u.y};
        s->corner[3] = (struct cpu_point){u.x - half, u.y};
        s->inclusive[0] = s->forward;
        s->inclusive[1] = false;
        s->inclusive[2] = !s->forward;
        s->inclusive[3] = true;
    }
}

/* Computes the pixels of a line along its major axis, including those outside the view. */
static void line_pixels(const struct line_shape *s, int32_t *first, int32_t *last)
{
    int32_t low = s->x_major ? s->corner[0].x : s->corner[0].y;
    int32_t high = s->x_major ? s->corner[1].x : s->corner[2].y;
    *first = s->forward ? first_pixel(low) : first_pixel(low + 1);
    *last = s->forward ? last_pixel(high - 1) : last_pixel(high);
}

/* Computes the pixels of a line along its major axis, and those of its bounding box along the other
 * one, in the view. Returns false if there are none. */
static bool line_box(const struct cpu_front *f, const struct line_shape *s, struct cpu_rect *box)
{
    const struct cpu_rect *view = &f->view.view_rect;
    const struct cpu_point *p = s->corner;
    int32_t first, last;
    line_pixels(s, &first, &last);
    if (s->x_major)
        *box = (struct cpu_rect){first, first_pixel(MIN2(p[0].y, p[1].y)), last,
                                 last_pixel(MAX2(p[2].y, p[3].y))};
    else
        *box = (struct cpu_rect){first_pixel(MIN2(p[0].x, p[3].x)), first,
                                 last_pixel(MAX2(p[1].x, p[2].x)), last};
    box->x0 = MAX2(box->x0, view->x0);
    box->y0 = MAX2(box->y0, view->y0);
    box->x1 = MIN2(box->x1, view->x1);
    box->y1 = MIN2(box->y1, view->y1);
    return box->x0 <= box->x1 && box->y0 <= box->y1;
}

/* Sets the edges along a line. Its box replaces the edges at its ends. */
static void line_edges(const struct line_shape *s, struct cpu_edges *edges)
{
    const unsigned first = s->x_major ? 0 : 1;
    set_edge(edges, 0, s->corner[first], s->corner[first + 1], s->inclusive[first]);
    set_edge(edges, 1, s->corner[first + 2], s->corner[(first + 3) % 4], s->inclusive[first + 2]);
}

/* Bins the runs of a visible stippled line's pixels whose pattern bits are set (GL 2.1 §3.4.2).
 * Each run is a copy of the primitive with a smaller box. */
static void stipple_line(struct cpu_front *f, const struct cpu_prim *prim,
                         const struct line_shape *s)
{
    const struct drv_rasterizer_state *r = f->rast;
    uint32_t factor = MAX2(r->line_stipple_factor, 1);
    int32_t first, last;
    line_pixels(s, &first, &last);
    int32_t count = last - first + 1;
    for (int32_t i = 0; i < count;) {
        uint32_t counter = f->stipple_counter + i;
        int32_t run = MIN2((int32_t)(factor - counter % factor), count - i);
        bool on = r->line_stipple_pattern >> (counter / factor % 16) & 1;
        int32_t from = s->forward ? first + i : last - i - run + 1;
        i += run;
        if (!on)
            continue;
        struct cpu_rect box = prim->box;
        int32_t *lo = s->x_major ? &box.x0 : &box.y0, *hi = s->x_major ? &box.x1 : &box.y1;
        *lo = MAX2(*lo, from);
        *hi = MIN2(*hi, from + run - 1);
        if (*lo > *hi)
            continue;
        struct cpu_prim *part = arena_alloc(f->segment->arena, sizeof *part);
        if (!part) {
            f->segment->out_of_memory = true;
            return;
        }
        *part = *prim;
        part->box = box;
        cpu_bin_prim(f->scene, f->segment, part);
    }
}

/* Advances the stipple counter past the line's pixels. */
static void advance_stipple(struct cpu_front *f, const struct line_shape *s)
{
    int32_t first, last;
    line_pixels(s, &first, &last);
    f->stipple_counter += MAX2(last - first + 1, 0);
}

/* Computes the planes of a line. b1, the barycentric weight of v1, is the projection on the line
 * (GL 4.6 §14.5.1, equation 14.5). A line and its reverse start their planes at the same end, so
 * that a shared edge of two polygons has identical depth values. around: pixels by which the line
 * is extended at both ends. The values are stretched over the extension, so that none exceeds those
 * of the ends. §14.5.2.3 extrapolates instead, but then partly hidden segments that meet differ
 * from llvmpipe's. */
static void line_planes(struct cpu_primitive *p, const struct cpu_vertex *v0,
                        const struct cpu_vertex *v1, float offset, double around)
{
    double dx = (double)v1->window[0] - v0->window[0], dy = (double)v1->window[1] - v0->window[1];
    double length2 = dx * dx + dy * dy, before = 0.0, share = 1.0;
    const bool reverse = dx < 0.0 || (dx == 0.0 && dy < 0.0);
    if (around != 0.0 && length2 > 0.0) {
        const double length = sqrt(length2);
        share = length / (length + 2.0 * around);
        before = (reverse ? -around : around) / length;
    }
    double scale = length2 > 0.0 ? share / length2 : 0.0;
    double dz = (double)v1->window[2] - v0->window[2];
    const struct cpu_vertex *start = reverse ? v1 : v0;
    p->x_ref = (float)(start->window[0] - dx * before);
    p->y_ref = (float)(start->window[1] - dy * before);
    p->b1 = (struct cpu_plane){reverse, dx * scale, dy * scale};
    p->z = (struct cpu_plane){start->window[2] + offset, dz * dx * scale, dz * dy * scale};
}

/* Creates a line without box and edges. mask: see new_prim. Returns NULL if out of memory. */
static struct cpu_prim *line_prim(struct cpu_front *f, const struct cpu_vertex *v0,
                                  const struct cpu_vertex *v1, const struct cpu_prim_info *info,
                                  bool front, float offset, const uint16_t *mask)
{
    struct cpu_prim *prim = new_prim(f, info, front, mask);
    if (!prim)
        return NULL;
    prim->smooth = f->rast->line_smooth && !f->multisample && !f->rast->conservative;
    line_planes(&prim->p, v0, v1, offset, prim->smooth ? 0.5 : 0.0);
    for (unsigned i = 0; i < 3; i++) {
        const struct cpu_vertex *v = i == 1 ? v1 : v0;
        prim->p.inv_w[i] = v->window[3];
        prim->p.vertex[i] = v->out;
    }
    static const uint8_t ends[3] = {0, 1, 0};
    if (!set_barycentrics(f, prim, info, ends))
        return NULL;
    return prim;
}

/* Bins a copy of the line that covers a rectangle: from `from` to `to` pixels after point a along
 * unit vector d, and `half` pixels to both sides. */
static void bin_rectangle(struct cpu_front *f, const struct cpu_prim *line, struct cpu_point a,
                          const double d[2], double half, double from, double to)
{
    struct cpu_point corner[4];
    struct cpu_rect box;
    for (unsigned i = 0; i < 4; i++) {
        double along = i == 0 || i == 3 ? from : to, aside = i < 2 ? -half : half;
        corner[i].x = a.x + lrint((along * d[0] - aside * d[1]) * CPU_SUBPIXEL_ONE);
        corner[i].y = a.y + lrint((along * d[1] + aside * d[0]) * CPU_SUBPIXEL_ONE);
    }
    if (!bounding_box(f, &box, corner, 4, &f->view.view_rect))
        return;
    struct cpu_prim *prim = arena_alloc(f->segment->arena, sizeof *prim);
    if (!prim) {
        f->segment->out_of_memory = true;
        return;
    }
    *prim = *line;
    prim->box = box;
    for (unsigned i = 0; i < 4; i++) {
        struct cpu_point p = corner[i], q = corner[(i + 1) % 4];
        set_edge(&prim->edges, i, p, q, edge_inclusive(p, q));
    }
    cpu_bin_prim(f->scene, f->segment, prim);
}

/* Draws a line as a rectangle of its width around the segment (GL 4.6 §14.5.3, §14.5.4). A stippled
 * line consists of the parts, one pixel per count, whose pattern bits are set. A smooth line partly
 * covers the pixels whose centers are up to half a pixel outside. */
static void rectangular_line(struct cpu_front *f, const struct cpu_prim *line, struct cpu_point a,
                             struct cpu_point b)
{
    const struct drv_rasterizer_state *r = f->rast;
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y, length = sqrt(dx * dx + dy * dy);
    const double d[2] = {dx / length, dy / length};
    double around = line->smooth ? 0.5 : 0.0;
    double half = CLAMP(r->line_width, 1.0f, 255.0f) / 2.0 + around;
    length /= CPU_SUBPIXEL_ONE;
    if (!r->line_stipple_enable) {
        bin_rectangle(f, line, a, d, half, -around, length + around);
        return;
    }
    uint32_t factor = MAX2(r->line_stipple_factor, 1), count = (uint32_t)ceil(length);
    int64_t begin = -1; /* start of the current run of set bits; -1: none */
    for (uint32_t i = 0; i < count;) {
        uint32_t counter = f->stipple_counter + i, from = i;
        bool on = r->line_stipple_pattern >> (counter / factor % 16) & 1;
        i += MIN2(factor - counter % factor, count - i);
        if (on && begin < 0)
            begin = from;
        if (begin < 0 || (on && i < count))
            continue;
        double end = fmin(on ? i : from, length);
        bin_rectangle(f, line, a, d, half, begin - around, end + around);
        begin = -1;
    }
    f->stipple_counter += count;
}

/* Sets up a line that covers the pixels that its rectangle touches. A line without length has no
 * area. */
static void conservative_line(struct cpu_front *f, const struct cpu_vertex *v0,
                              const struct cpu_vertex *v1, const struct cpu_prim_info *info,
                              bool front, float offset)
{
    const double dx = (double)v1->window[0] - v0->window[0],
                 dy = (double)v1->window[1] - v0->window[1], length = sqrt(dx * dx + dy * dy);
    if (!(length > 0.0))
        return;
    const double half = CLAMP(f->rast->line_width, 1.0f, 255.0f) / 2.0;
    double at[4][2];
    for (unsigned i = 0; i < 4; i++) {
        const struct cpu_vertex *v = i == 0 || i == 3 ? v0 : v1;
        const double aside = (i < 2 ? -half : half) / length;
        at[i][0] = v->window[0] - dy * aside;
        at[i][1] = v->window[1] + dx * aside;
    }
    struct cpu_outline o;
    struct cpu_rect box;
    if (!cpu_conservative_snap(f, &o, at, 4) ||
        !cpu_conservative_box(f, &o, &f->view.view_rect, &box))
        return;
    struct cpu_prim *prim = line_prim(f, v0, v1, info, front, offset, NULL);
    if (!prim)
        return;
    prim->box = box;
    cpu_conservative_edges(f, &o, false, &prim->edges);
    cpu_bin_prim(f->scene, f->segment, prim);
}

static void line(struct cpu_front *f, const struct cpu_vertex *v0, const struct cpu_vertex *v1,
                 const struct cpu_prim_info *info, bool front, float offset)
{
    struct cpu_point a, b;
    if (f->rast->conservative) {
        conservative_line(f, v0, v1, info, front, offset);
        return;
    }
    if (!snap(v0, &a) || !snap(v1, &b) || (a.x == b.x && a.y == b.y))
        return;
    /* GL 4.6 §14.5.2.1: widths are rounded to integers, at least 1. */
    int32_t width = CLAMP(lrintf(f->rast->line_width), 1, 255);
    bool stipple = f->rast->line_stipple_enable;
    if (stipple && info->flags & CPU_PRIM_STIPPLE_RESET)
        f->stipple_counter = 0;
    if (f->multisample || f->rast->line_smooth) {
        struct cpu_prim *whole = line_prim(f, v0, v1, info, front, offset, NULL);
        if (whole)
            rectangular_line(f, whole, a, b);
        return;
    }
    struct line_shape s;
    line_shape(&s, a, b, width * CPU_SUBPIXEL_HALF);
    struct cpu_rect box;
    struct cpu_edges edges = {0};
    uint16_t mask[4];
    bool visible = line_box(f, &s, &box), small = !stipple && cpu_raster_is_small(&box);
    if (visible)
        line_edges(&s, &edges);
    if (visible && small)
        visible = cpu_raster_line(&edges, &box, mask);
    struct cpu_prim *prim =
        visible ? line_prim(f, v0, v1, info, front, offset, small ? mask : NULL) : NULL;
    if (prim) {
        prim->box = box;
        if (!small)
            prim->edges = edges;
        if (stipple)
            stipple_line(f, prim, &s);
        else
            cpu_bin_prim(f->scene, f->segment, prim);
    }
    if (stipple)
        advance_stipple(f, &s);
}

void cpu_setup_line(struct cpu_front *f, const struct cpu_vertex *v0, const struct cpu_vertex *v1,
                    const struct cpu_prim_info *info)
{
    f->reached = true;
    line(f, v0, v1, info, true, 0.0f);
}
