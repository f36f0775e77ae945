/* SPDX-License-Identifier: MIT */
/*
 * The fixed-function tessellator. It works in rings: the outer levels divide the edges of the
 * domain, and the inner levels divide the edges of the rings inside. A strip of triangles fills the
 * space between each edge and the corresponding edge of the next inner ring.
 */
#include "driver/cpu/front/cpu_tessellator.h"

#include <math.h>

#include "nir/nir.h"
#include "util/macros.h"

#define ONE          (1 << 24) /* fixed-point 1.0 of coordinates */
#define MAX_SEGMENTS CPU_MAX_TESS_LEVEL
/* columns of a block of a quad's grid; lets rows share points in a batch */
#define BLOCK_COLUMNS 15

/* A subdivided edge: the positions of its points, from 0 to ONE. */
struct division {
    unsigned segments;
    int32_t at[MAX_SEGMENTS + 1];
};

/* The points of an edge, in the order of a counterclockwise ring. */
struct side {
    unsigned first, segments; /* range of the division's segments */
    const struct division *division;
    uint16_t point[MAX_SEGMENTS + 1]; /* indices of points */
};

/* --- dividing edges --- */

static float clamp_level(float level, unsigned spacing)
{
    float min = spacing == nir_tess_spacing_fractional_even ? 2.0f : 1.0f;
    float max = spacing == nir_tess_spacing_fractional_odd ? MAX_SEGMENTS - 1 : MAX_SEGMENTS;
    return level > min ? fminf(level, max) : min; /* NaN becomes min */
}

static unsigned round_level(float level, unsigned spacing)
{
    switch (spacing) {
    case nir_tess_spacing_fractional_even:
        return 2 * (unsigned)ceilf(level / 2);
    case nir_tess_spacing_fractional_odd:
        return 2 * (unsigned)ceilf((level - 1) / 2) + 1;
    default:
        return (unsigned)ceilf(level);
    }
}

/* Returns x without its highest set bit. */
static unsigned remove_highest_bit(unsigned x)
{
    return x ? x & ~(1u << (31 - __builtin_clz(x))) : 0;
}

/* Divides an edge into n segments, whose second half mirrors the first. A fractional level f is
 * between n - 2 and n, where all segments are equal. In between, each point moves from its position
 * for n - 2 segments to that for n. One more point in each half starts at the point `split` and
 * moves away from it, so the segment between the two is the short one. As in Direct3D 11, the
 * points of each half split in the order of reversed bits, which keeps the segments similar: 1,
 * then 1 and 3, then 1, 3, 5 and 7. */
static void divide_to(struct division *d, float level, unsigned n, unsigned spacing)
{
    const bool odd = spacing == nir_tess_spacing_fractional_odd;
    const bool fractional = odd || spacing == nir_tess_spacing_fractional_even;
    const unsigned half = (n + odd) / 2; /* segments of the first half that are at least begun */
    const unsigned split = odd && half <= 2 ? 0 : 2 * remove_highest_bit(half - 1 - odd) + 1;
    const double share = fractional ? (level - (n - 2.0)) / 2 : 1.0;

    d->segments = n;
    d->at[0] = 0;
    d->at[n] = ONE;
    for (unsigned i = 1; 2 * i <= n; i++) {
        const unsigned before = i > split ? i - 1 : i;
        double at = (double)i / n;
        if (share < 1.0 && 2 * i < n)
            at = at * share + (double)before / (n - 2) * (1.0 - share);
        d->at[i] = (int32_t)lrint(ONE * at);
        d->at[n - i] = ONE - d->at[i];
    }
}

static void divide(struct division *d, float level, unsigned spacing)
{
    const float clamped = clamp_level(level, spacing);
    divide_to(d, clamped, round_level(clamped, spacing), spacing);
}

/* Divides an inner edge. If anything else is subdivided, an inner level of 1 counts as the next
 * larger number (§11.2.2.1, §11.2.2.2): more segments, at the places that the level of 1 gives. */
static void divide_inner(struct division *d, float level, unsigned spacing)
{
    divide(d, level, spacing);
    if (d->segments == 1)
        divide_to(d, 1.0f, spacing == nir_tess_spacing_fractional_odd ? 3 : 2, spacing);
}

/* --- points and primitives --- */

static unsigned add_point(struct cpu_tessellation *t, int32_t u, int32_t v, int32_t w)
{
    t->point[t->num_points] =
        (struct cpu_tess_point){u * (1.0f / ONE), v * (1.0f / ONE), w * (1.0f / ONE)};
    return t->num_points++;
}

static void add_triangle(struct cpu_tessellation *t, unsigned a, unsigned b, unsigned c)
{
    uint16_t *index = &t->index[3 * t->num_prims++];
    index[0] = (uint16_t)a;
    index[1] = (uint16_t)b;
    index[2] = (uint16_t)c;
}

/* Returns twice the midpoint of segment i of a side. */
static int32_t middle(const struct side *s, unsigned i)
{
    const int32_t *at = &s->division->at[s->first + i];
    return at[0] + at[1];
}

/* Fills the strip between an edge and the inner edge on its left. */
static void add_strip(struct cpu_tessellation *t, const struct side *out, const struct side *in)
{
    unsigned i = 0, k = 0;
    while (i < out->segments || k < in->segments) {
        bool outer = k == in->segments || (i < out->segments && middle(out, i) <= middle(in, k));
        if (outer) {
            add_triangle(t, out->point[i], out->point[i + 1], in->point[k]);
            i++;
        } else {
            add_triangle(t, out->point[i], in->point[k + 1], in->point[k]);
            k++;
        }
    }
}

/* --- triangles (§11.2.2.1) --- */

/* Adds a point of an edge and returns its index. Edge 0 goes from v = 1 to w = 1, edge 1 from w = 1
 * to u = 1, edge 2 from u = 1 to v = 1; outer level n divides edge n. start, end and opposite:
 * weights of the edge's start, its end and the opposite corner. */
static unsigned triangle_point(struct cpu_tessellation *t, unsigned edge, int32_t start,
                               int32_t end, int32_t opposite)
{
    switch (edge) {
    case 0:
        return add_point(t, opposite, start, end);
    case 1:
        return add_point(t, end, opposite, start);
    default:
        return add_point(t, start, end, opposite);
    }
}

/* Closes a ring: sets the last point of each side to the first one of the next. */
static void close_ring(struct side *ring, unsigned sides)
{
    for (unsigned e = 0; e < sides; e++)
        ring[e].point[ring[e].segments] = ring[(e + 1) % sides].point[0];
}

static void outer_triangle(struct cpu_tessellation *t, struct side ring[3],
                           const struct division division[3])
{
    for (unsigned e = 0; e < 3; e++) {
        const struct division *d = &division[e];
        ring[e].division = d;
        ring[e].first = 0;
        ring[e].segments = d->segments;
        for (unsigned i = 0; i < d->segments; i++)
            ring[e].point[i] = (uint16_t)triangle_point(t, e, ONE - d->at[i], d->at[i], 0);
    }
    close_ring(ring, 3);
}

/* Adds the ring that is k segments inside. The perpendicular at an edge's point x = at[i] meets the
 * inner edge at a distance given by at[k]. The point there has the weights 1 - x - q, x - q and 2q,
 * with q = at[k] / 3. The inner corners have x = 3q, which at[k] may only approximate. */
static void inner_triangle(struct cpu_tessellation *t, struct side ring[3],
                           const struct division *d, unsigned k)
{
    unsigned segments = d->segments - 2 * k;
    int32_t q = (d->at[k] + 1) / 3;

    for (unsigned e = 0; e < 3; e++) {
        ring[e].division = d;
        ring[e].first = k;
        ring[e].segments = segments;
        ring[e].point[0] = (uint16_t)t->num_points;
        if (segments == 0)
            continue;
        triangle_point(t, e, ONE - 4 * q, 2 * q, 2 * q);
        for (unsigned i = 1; i < segments; i++) {
            int32_t x = d->at[k + i];
            ring[e].point[i] = (uint16_t)triangle_point(t, e, ONE - x - q, x - q, 2 * q);
        }
    }
    if (segments)
        close_ring(ring, 3);
    else
        t->point[t->num_points++] = (struct cpu_tess_point){1 / 3.0f, 1 / 3.0f, 1 / 3.0f};
}

static void tessellate_triangle(struct cpu_tessellation *t, unsigned spacing, const float outer[3],
                                float inner)
{
    struct division division[3], inside;
    struct side ring[2][3];
    bool divided = false;

    divide(&inside, inner, spacing);
    for (unsigned e = 0; e < 3; e++) {
        divide(&division[e], outer[e], spacing);
        divided |= division[e].segments > 1;
    }
    outer_triangle(t, ring[0], division);
    if (!divided && inside.segments == 1) {
        add_triangle(t, 0, 1, 2);
        return;
    }
    divide_inner(&inside, inner, spacing);
    for (unsigned k = 1; 2 * k <= inside.segments; k++) {
        struct side *out = ring[(k - 1) & 1], *in = ring[k & 1];
        inner_triangle(t, in, &inside, k);
        for (unsigned e = 0; e < 3; e++)
            add_strip(t, &out[e], &in[e]);
        if (in->segments == 1)
            add_triangle(t, in[0].point[0], in[1].point[0], in[2].point[0]);
    }
}

/* --- quads (§11.2.2.2) --- */

static void outer_quad(struct cpu_tessellation *t, struct side ring[4],
                       const struct division division[4])
{
    for (unsigned e = 0; e < 4; e++) {
        const struct division *d = &division[e];
        ring[e].division = d;
        ring[e].first = 0;
        ring[e].segments = d->segments;
        for (unsigned i = 0; i < d->segments; i++) {
            int32_t along = e < 2 ? d->at[i] : ONE - d->at[i], across = e == 1 || e == 2 ? ONE : 0;
            ring[e].point[i] =
                (uint16_t)(e & 1 ? add_point(t, across, along, 0) : add_point(t, along, across, 0));
        }
    }
    close_ring(ring, 4);
}

/* Adds the inner grid: its points, its cells, and its boundary as a ring. */
static void inner_quad(struct cpu_tessellation *t, struct side ring[4], const struct division *u,
                       const struct division *v)
{
    unsigned base = t->num_points, columns = u->segments - 2, rows = v->segments - 2;
    unsigned pitch = columns + 1;

    for (unsigned y = 0; y <= rows; y++)
        for (unsigned x = 0; x <= columns; x++)
            add_point(t, u->at[x + 1], v->at[y + 1], 0);
    for (unsigned x0 = 0; x0 < columns; x0 += BLOCK_COLUMNS) {
        for (unsigned y = 0; y < rows; y++) {
            for (unsigned x = x0; x < MIN2(x0 + BLOCK_COLUMNS, columns); x++) {
                unsigned p = base + y * pitch + x;
                add_triangle(t, p, p + 1, p + pitch + 1);
                add_triangle(t, p, p + pitch + 1, p + pitch);
            }
        }
    }
    const unsigned first[4] = {0, columns, rows * pitch + columns, rows * pitch};
    const int step[4] = {1, (int)pitch, -1, -(int)pitch};
    for (unsigned e = 0; e < 4; e++) {
        ring[e].division = e & 1 ? v : u;
        ring[e].first = 1;
        ring[e].segments = e & 1 ? rows : columns;
        for (unsigned i = 0; i <= ring[e].segments; i++)
            ring[e].point[i] = (uint16_t)(base + first[e] + (unsigned)((int)i * step[e]));
    }
}

static void tessellate_quad(struct cpu_tessellation *t, unsigned spacing, const float outer[4],
                            const float inner[2])
{
    static const uint8_t level_of_edge[4] = {1, 2, 3, 0}; /* edges v = 0, u = 1, v = 1, u = 0 */
    struct division division[4], inside[2];
    struct side out[4], in[4];
    bool divided = false;

    for (unsigned e = 0; e < 4; e++) {
        divide(&division[e], outer[level_of_edge[e]], spacing);
        divided |= division[e].segments > 1;
    }
    for (unsigned i = 0; i < 2; i++) {
        divide(&inside[i], inner[i], spacing);
        divided |= inside[i].segments > 1;
    }
    outer_quad(t, out, division);
    if (!divided) {
        add_triangle(t, 0, 1, 2);
        add_triangle(t, 0, 2, 3);
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        divide_inner(&inside[i], inner[i], spacing);
    inner_quad(t, in, &inside[0], &inside[1]);
    for (unsigned e = 0; e < 4; e++)
        add_strip(t, &out[e], &in[e]);
}

/* --- isolines (§11.2.2.3) --- */

static void tessellate_isolines(struct cpu_tessellation *t, unsigned spacing, const float outer[2])
{
    struct division lines, along;

    divide(&lines, outer[0], nir_tess_spacing_equal);
    divide(&along, outer[1], spacing);
    for (unsigned y = 0; y < lines.segments; y++) {
        for (unsigned x = 0; x <= along.segments; x++) {
            unsigned p = add_point(t, along.at[x], lines.at[y], 0);
            if (x == 0)
                continue;
            uint16_t *index = &t->index[2 * t->num_prims++];
            index[0] = (uint16_t)(p - 1);
            index[1] = (uint16_t)p;
        }
    }
}

/* --- the patch --- */

/* Returns whether one of the outer levels is zero, negative or NaN, which discards the patch. */
static bool is_discarded(const float *outer, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!(outer[i] > 0.0f))
            return true;
    return false;
}

static void reverse_winding(struct cpu_tessellation *t)
{
    for (unsigned i = 0; i < t->num_prims; i++) {
        uint16_t *index = &t->index[3 * i], second = index[1];
        index[1] = index[2];
        index[2] = second;
    }
}

static void convert_to_points(struct cpu_tessellation *t)
{
    t->prim_vertices = 1;
    t->num_prims = t->num_points;
    for (unsigned i = 0; i < t->num_points; i++)
        t->index[i] = (uint16_t)i;
}

void cpu_tessellate(struct cpu_tessellation *t, const struct cpu_tess_layout *layout,
                    const float outer[4], const float inner[2])
{
    unsigned levels = 4;

    t->num_points = t->num_prims = 0;
    t->prim_vertices = 3;
    if (layout->primitive == nir_tess_primitive_isolines) {
        levels = 2;
        t->prim_vertices = 2;
    } else if (layout->primitive == nir_tess_primitive_triangles) {
        levels = 3;
    }
    if (is_discarded(outer, levels))
        return;
    if (levels == 2)
        tessellate_isolines(t, layout->spacing, outer);
    else if (levels == 3)
        tessellate_triangle(t, layout->spacing, outer, inner[0]);
    else
        tessellate_quad(t, layout->spacing, outer, inner);
    if (layout->point_mode)
        convert_to_points(t);
    else if (t->prim_vertices == 3 && !layout->ccw)
        reverse_winding(t);
}
