/* SPDX-License-Identifier: MIT */
/*
 * Clipping in clip space (GL 4.6 §13.7) by the Sutherland-Hodgman algorithm, against near, far, w >
 * 0, the guard band and user planes. New vertices are computed from the inner to the outer end of
 * an edge, so that triangles that share the edge get identical vertices. They are computed in
 * double precision: at the near plane, w and positions are much smaller than at an outer end far
 * behind the camera, and rounding errors relative to the latter would be visible.
 */

#include "driver/cpu/front/cpu_front.h"
#include "util/check.h"
#include "util/macros.h"

#define MIN_W       1e-7f
#define MAX_POLYGON (3 + 7 + DRV_MAX_CLIP_PLANES + 1)

enum plane {
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_W,
    PLANE_X0, /* the guard band */
    PLANE_X1,
    PLANE_Y0,
    PLANE_Y1,
    PLANE_USER0,
};

struct clip_vertex {
    struct cpu_vertex v;
    bool boundary; /* the edge to the next vertex is a boundary edge */
    /* Barycentric coordinates, as in struct cpu_barycentrics; only if cpu_front.barycentrics. */
    float weight[2][3];
};

static float component(const struct cpu_vertex *v, int output, unsigned c)
{
    return v->out[(output * 4 + c) * CPU_BATCH_VERTICES];
}

/* Returns the distance of a vertex from a plane, positive inside. */
static double distance(const struct cpu_front *f, const struct cpu_vertex *v, unsigned plane)
{
    const struct drv_viewport *vp = &f->view.viewport;
    const double w = component(v, f->outputs.pos, 3);
    switch (plane) {
    case PLANE_NEAR:
        return f->rast->clip_halfz ? component(v, f->outputs.pos, 2)
                                   : component(v, f->outputs.pos, 2) + w;
    case PLANE_FAR:
        return w - component(v, f->outputs.pos, 2);
    case PLANE_W:
        return w - (double)MIN_W;
    case PLANE_X0:
        return (double)vp->scale[0] * component(v, f->outputs.pos, 0) +
               (vp->translate[0] + CPU_GUARD_BAND) * w;
    case PLANE_X1:
        return (CPU_GUARD_BAND - vp->translate[0]) * w -
               (double)vp->scale[0] * component(v, f->outputs.pos, 0);
    case PLANE_Y0:
        return (double)vp->scale[1] * component(v, f->outputs.pos, 1) +
               (vp->translate[1] + CPU_GUARD_BAND) * w;
    case PLANE_Y1:
        return (CPU_GUARD_BAND - vp->translate[1]) * w -
               (double)vp->scale[1] * component(v, f->outputs.pos, 1);
    default: {
        unsigned n = plane - PLANE_USER0;
        return f->outputs.clip_distance[n / 4] < 0
                   ? 0.0
                   : component(v, f->outputs.clip_distance[n / 4], n % 4);
    }
    }
}

/* Computes the vertex at parameter t from a to b. Returns false if out of memory. */
static bool interpolate(struct cpu_front *f, struct cpu_vertex *v, const struct cpu_vertex *a,
                        const struct cpu_vertex *b, double t)
{
    float *out = cpu_vertex_alloc(f->segment, f->outputs.count, 1);
    if (!out)
        return false;
    /* GL 4.6 §13.7.1: noperspective outputs are interpolated linearly in window space */
    const double aw = component(a, f->outputs.pos, 3), bw = component(b, f->outputs.pos, 3),
                 w = aw + t * (bw - aw);
    const double on_screen = f->outputs.linear && w != 0.0 ? t * bw / w : t;
    for (unsigned i = 0; i < f->outputs.count * 4; i++) {
        unsigned at = i * CPU_BATCH_VERTICES;
        const double way = f->outputs.linear >> i / 4 & 1 ? on_screen : t, from = a->out[at];
        out[at] = (float)(from + way * (b->out[at] - from));
    }
    v->out = out;
    return true;
}

static void get_weights(const struct cpu_prim_info *info, unsigned i, float weight[2][3])
{
    for (unsigned k = 0; info->barycentrics && k < 2; k++)
        memcpy(weight[k], info->barycentrics->weight[k][i], sizeof weight[k]);
}

/* Interpolates barycentric coordinates at parameter t from a to b, as interpolate() does. */
static void interpolate_weights(const struct cpu_front *f, struct clip_vertex *v,
                                const struct clip_vertex *a, const struct clip_vertex *b, double t)
{
    if (!f->barycentrics)
        return;
    const double aw = component(&a->v, f->outputs.pos, 3), bw = component(&b->v, f->outputs.pos, 3),
                 w = aw + t * (bw - aw), on_screen = w != 0.0 ? t * bw / w : t;
    for (unsigned k = 0; k < 2; k++) {
        const double way = k ? on_screen : t;
        for (unsigned c = 0; c < 3; c++)
            v->weight[k][c] =
                (float)(a->weight[k][c] + way * ((double)b->weight[k][c] - a->weight[k][c]));
    }
}

/* Returns the planes to clip against, one bit each. */
static uint32_t planes_of(uint32_t codes)
{
    uint32_t planes = 1u << PLANE_X0 | 1u << PLANE_X1 | 1u << PLANE_Y0 | 1u << PLANE_Y1;
    if (codes & CPU_CLIP_NEAR)
        planes |= 1u << PLANE_NEAR;
    if (codes & CPU_CLIP_FAR)
        planes |= 1u << PLANE_FAR;
    if (codes & (CPU_CLIP_W | CPU_CLIP_NEAR))
        planes |= 1u << PLANE_W;
    return planes | (codes >> 16 & 0xff) << PLANE_USER0;
}

/* Clips a polygon of *count vertices in place. Returns false if nothing is left or when out of
 * memory. */
static bool clip_polygon(struct cpu_front *f, struct clip_vertex *poly, unsigned *count,
                         unsigned plane)
{
    struct clip_vertex in[MAX_POLYGON];
    double d[MAX_POLYGON];
    unsigned n = *count, kept = 0;
    bool any_out = false;
    for (unsigned i = 0; i < n; i++) {
        d[i] = distance(f, &poly[i].v, plane);
        any_out |= !(d[i] >= 0.0);
    }
    if (!any_out)
        return true;
    memcpy(in, poly, n * sizeof *in);
    for (unsigned i = 0; i < n; i++) {
        unsigned next = i + 1 == n ? 0 : i + 1;
        bool inside = d[i] >= 0.0, next_inside = d[next] >= 0.0;
        if (kept + 2 > MAX_POLYGON)
            return false;
        if (inside)
            NEXT_WITHIN(poly, kept, MAX_POLYGON) = in[i];
        if (inside == next_inside)
            continue;
        unsigned from = inside ? i : next, to = inside ? next : i;
        struct clip_vertex *v = &NEXT_WITHIN(poly, kept, MAX_POLYGON);
        /* where the polygon leaves, the new edge along the plane is a boundary edge (GL 2.1
         * §2.12) */
        v->boundary = inside ? true : in[i].boundary;
        const double t = d[from] / (d[from] - d[to]);
        if (!interpolate(f, &v->v, &in[from].v, &in[to].v, t))
            return false;
        interpolate_weights(f, v, &in[from], &in[to], t);
        cpu_front_project(f, &v->v);
    }
    *count = kept;
    return kept >= 3;
}

void cpu_clip_triangle(struct cpu_front *f, const struct cpu_vertex v[3], const uint32_t code[3],
                       const struct cpu_prim_info *info)
{
    struct clip_vertex poly[MAX_POLYGON];
    unsigned count = 3;
    for (unsigned i = 0; i < 3; i++) {
        poly[i] =
            (struct clip_vertex){v[i], (info->flags >> i & 1) && cpu_edge_flag(f, &v[i], info)};
        get_weights(info, i, poly[i].weight);
    }
    uint32_t planes = planes_of(code[0] | code[1] | code[2]);
    while (planes)
        if (!clip_polygon(f, poly, &count, u_bit_scan(&planes)))
            return;
    for (unsigned i = 1; i + 1 < count; i++) {
        struct cpu_prim_info part = *info;
        part.flags = (i == 1 && poly[0].boundary) | poly[i].boundary << 1 |
                     (i + 2 == count && poly[i + 1].boundary) << 2 |
                     (info->flags & ~(uint32_t)CPU_EDGES_ALL) | CPU_PRIM_NO_EDGE_FLAGS;
        const struct cpu_vertex fan[3] = {poly[0].v, poly[i].v, poly[i + 1].v};
        struct cpu_barycentrics weights;
        if (info->barycentrics) {
            weights = *info->barycentrics;
            for (unsigned k = 0; k < 2; k++)
                for (unsigned n = 0; n < 3; n++)
                    memcpy(weights.weight[k][n], poly[n ? i + n - 1 : 0].weight[k],
                           sizeof weights.weight[k][n]);
            part.barycentrics = &weights;
        }
        cpu_setup_triangle(f, fan, &part);
    }
}

void cpu_clip_line(struct cpu_front *f, const struct cpu_vertex v[2], const uint32_t code[2],
                   const struct cpu_prim_info *info)
{
    struct clip_vertex end[2] = {{v[0]}, {v[1]}};
    for (unsigned i = 0; i < 2; i++)
        get_weights(info, i, end[i].weight);
    uint32_t planes = planes_of(code[0] | code[1]);
    while (planes) {
        unsigned plane = u_bit_scan(&planes);
        const double d0 = distance(f, &end[0].v, plane), d1 = distance(f, &end[1].v, plane);
        bool in0 = d0 >= 0.0, in1 = d1 >= 0.0;
        if (!in0 && !in1)
            return;
        if (in0 == in1)
            continue;
        struct clip_vertex cut = {0};
        const double t = in0 ? d0 / (d0 - d1) : d1 / (d1 - d0);
        if (!interpolate(f, &cut.v, &end[in1].v, &end[in0].v, t))
            return;
        interpolate_weights(f, &cut, &end[in1], &end[in0], t);
        cpu_front_project(f, &cut.v);
        end[in0] = cut;
    }
    struct cpu_prim_info part = *info;
    struct cpu_barycentrics weights;
    if (info->barycentrics) {
        weights = *info->barycentrics;
        for (unsigned k = 0; k < 2; k++)
            for (unsigned n = 0; n < 2; n++)
                memcpy(weights.weight[k][n], end[n].weight[k], sizeof weights.weight[k][n]);
        part.barycentrics = &weights;
    }
    cpu_setup_line(f, &end[0].v, &end[1].v, &part);
}
