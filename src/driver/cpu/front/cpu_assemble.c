/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: converts every mode to points, lines and triangles (GL 4.6 §10.1, with the
 * compatibility profile's quads and polygons). Provoking vertices follow table 13.2, also for quads
 * (caps.quads_follow_provoking_vertex). The order of a triangle's vertices preserves its
 * orientation.
 */
#include "driver/cpu/front/cpu_batch.h"

#include "util/check.h"

struct elements {
    const uint32_t *index;
    uint32_t first;
};

static inline uint32_t element(const struct elements *e, uint32_t i)
{
    return e->index ? e->index[i] : e->first + i;
}

static inline void emit(struct cpu_assembler *a, uint8_t v0, uint8_t v1, uint8_t v2,
                        uint8_t provoking, uint8_t flags, bool step)
{
    struct cpu_batch *b = a->batch;
    flags |= step ? CPU_PRIM_STEP : 0;
    DCHECK(b->num_prims < a->max_prims);
    b->prim[b->num_prims++] = (struct cpu_batch_prim){{v0, v1, v2}, provoking, flags};
    b->ids += step;
}

/* Adds a primitive with adjacency. It needs no flags, because only a geometry shader reads it. */
static void emit_adjacency(struct cpu_assembler *a, const uint32_t *index)
{
    unsigned n = a->input_vertices;
    cpu_batch_reserve(a, n, 1);
    struct cpu_batch *b = a->batch;
    struct cpu_batch_prim *p = &NEXT_OF(b->prim, b->num_prims);
    *p = (struct cpu_batch_prim){.flags = CPU_PRIM_STEP};
    for (unsigned i = 0; i < n; i++)
        p->v[i] = cpu_batch_vertex(b, index[i]);
    b->ids++;
}

/* Flags of triangles of strips and fans: all edges are boundary edges. */
#define ALL_BOUNDARY (CPU_EDGES_ALL | CPU_PRIM_NO_EDGE_FLAGS)

static bool first_provokes(const struct cpu_assembler *a)
{
    return a->batch->front.rast->flatshade_first;
}

static void points(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cpu_batch_reserve(a, 1, 1);
        uint8_t v = cpu_batch_vertex(a->batch, element(e, i));
        emit(a, v, v, v, v, 0, true);
    }
}

static void line(struct cpu_assembler *a, uint32_t i0, uint32_t i1, bool reset)
{
    cpu_batch_reserve(a, 2, 1);
    uint8_t v0 = cpu_batch_vertex(a->batch, i0), v1 = cpu_batch_vertex(a->batch, i1);
    emit(a, v0, v1, v1, first_provokes(a) ? v0 : v1, reset ? CPU_PRIM_STIPPLE_RESET : 0, true);
}

static void triangle(struct cpu_assembler *a, uint32_t i0, uint32_t i1, uint32_t i2,
                     unsigned provoking, unsigned edges)
{
    cpu_batch_reserve(a, 3, 1);
    uint8_t v[3] = {cpu_batch_vertex(a->batch, i0), cpu_batch_vertex(a->batch, i1),
                    cpu_batch_vertex(a->batch, i2)};
    emit(a, v[0], v[1], v[2], v[provoking], edges | CPU_PRIM_STIPPLE_RESET, true);
}

/* Adds a triangle with the first vertex convention, whose first vertex provokes. Without a geometry
 * shader, vertex `start` comes first, which is where a stippled outline begins. */
static void first_triangle(struct cpu_assembler *a, const uint32_t v[3], unsigned start)
{
    if (a->feeds_geometry)
        start = 0;
    triangle(a, v[start], v[(start + 1) % 3], v[(start + 2) % 3], (3 - start) % 3, ALL_BOUNDARY);
}

/* The two triangles of a quad and their boundary edges: [0] divided along (v0, v2), [1] along (v1,
 * v3). */
static const struct quad_half {
    uint8_t corner[3], edges;
} quad_half[2][2] = {
    {{{0, 1, 2}, 1 | 2}, {{0, 2, 3}, 2 | 4}},
    {{{0, 1, 3}, 1 | 4}, {{1, 2, 3}, 1 | 2}},
};

/* Adds a quad as two triangles with the same provoking vertex. */
static void quad(struct cpu_assembler *a, const uint32_t i[4], unsigned provoking, unsigned flags,
                 bool other_diagonal)
{
    cpu_batch_reserve(a, 4, 2);
    uint8_t v[4];
    for (unsigned k = 0; k < 4; k++)
        v[k] = cpu_batch_vertex(a->batch, i[k]);
    for (unsigned h = 0; h < 2; h++) {
        const struct quad_half *t = &quad_half[other_diagonal][h];
        emit(a, v[t->corner[0]], v[t->corner[1]], v[t->corner[2]], v[provoking],
             t->edges | (h == 0 ? CPU_PRIM_STIPPLE_RESET : 0) | flags, h == 1);
    }
}

void cpu_assemble_turn_quads(struct cpu_batch *b)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < b->num_vertices; i++)
        any |= b->clip_code[i];
    if (!(any & CPU_OUTSIDE_CODES))
        return;
    for (struct cpu_batch_prim *p = b->prim; p < b->prim + b->num_prims; p += 2) {
        const uint8_t v[4] = {p[0].v[0], p[0].v[1], p[0].v[2], p[1].v[2]};
        for (unsigned h = 0; h < 2; h++) {
            const struct quad_half *t = &quad_half[1][h];
            for (unsigned i = 0; i < 3; i++)
                p[h].v[i] = v[t->corner[i]];
            p[h].flags = (p[h].flags & ~CPU_EDGES_ALL) | t->edges;
        }
    }
}

static void lines(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i += 2)
        line(a, element(e, i), element(e, i + 1), true);
}

static void line_strip(struct cpu_assembler *a, const struct elements *e, uint32_t count, bool loop)
{
    if (count < 2)
        return;
    for (uint32_t i = 0; i + 1 < count; i++)
        line(a, element(e, i), element(e, i + 1), i == 0);
    if (loop)
        line(a, element(e, count - 1), element(e, 0), false);
}

typedef uint32_t u32x16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint64_t u64x8 __attribute__((vector_size(64), aligned(1), may_alias));

/* Adds n triangles of 3 * n distinct vertices with indices from `first` on. May write 16 elements
 * past the end of the batch's arrays. */
static void add_separate(struct cpu_batch *b, uint32_t first, uint32_t n, unsigned provoking)
{
    const u32x16 count = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const u64x8 triangle = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint8_t v = b->num_vertices;
    const struct cpu_batch_prim one = {.v = {v, v + 1, v + 2},
                                       .provoking = v + provoking,
                                       .flags =
                                           CPU_EDGES_ALL | CPU_PRIM_STIPPLE_RESET | CPU_PRIM_STEP};
    const struct cpu_batch_prim next = {.v = {3, 3, 3}, .provoking = 3};
    uint64_t base, step; /* bytes that don't overflow: a batch has at most 256 vertices */
    memcpy(&base, &one, sizeof base);
    memcpy(&step, &next, sizeof step);
    for (uint32_t i = 0; i < 3 * n; i += 16)
        *(u32x16 *)&b->index[b->num_vertices + i] = count + (first + i);
    for (uint32_t i = 0; i < n; i += 8)
        *(u64x8 *)&b->prim[b->num_prims + i] = (triangle + i) * step + base;
    b->num_vertices += 3 * n;
    b->num_prims += n;
    b->ids += n;
}

/* Assembles triangles of a draw without indices, in which no vertex is shared. */
static void separate_triangles(struct cpu_assembler *a, uint32_t first, uint32_t count,
                               unsigned provoking)
{
    while (count >= 3) {
        cpu_batch_reserve(a, 3, 1);
        struct cpu_batch *b = a->batch;
        uint32_t room =
            MIN2((CPU_BATCH_VERTICES - b->num_vertices) / 3, a->max_prims - b->num_prims);
        uint32_t n = MIN2(count / 3, room);
        add_separate(b, first, n, provoking);
        first += 3 * n;
        count -= 3 * n;
    }
}

static void triangles(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    unsigned provoking = first_provokes(a) ? 0 : 2;
    if (!e->index) {
        separate_triangles(a, e->first, count, provoking);
        return;
    }
    for (uint32_t i = 0; i + 2 < count; i += 3)
        triangle(a, element(e, i), element(e, i + 1), element(e, i + 2), provoking, CPU_EDGES_ALL);
}

static void triangle_strip(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    bool first = first_provokes(a);
    for (uint32_t i = 0; i + 2 < count; i++) {
        uint32_t v0 = element(e, i), v1 = element(e, i + 1), v2 = element(e, i + 2);
        if (i & 1 && first)
            first_triangle(a, (const uint32_t[]){v0, v2, v1}, 2);
        else if (i & 1)
            triangle(a, v1, v0, v2, 2, ALL_BOUNDARY);
        else
            triangle(a, v0, v1, v2, first ? 0 : 2, ALL_BOUNDARY);
    }
}

static void triangle_fan(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    bool first = first_provokes(a);
    for (uint32_t i = 1; i + 1 < count; i++) {
        const uint32_t v0 = element(e, 0), v1 = element(e, i), v2 = element(e, i + 1);
        if (first)
            first_triangle(a, (const uint32_t[]){v1, v2, v0}, 2);
        else
            triangle(a, v0, v1, v2, 2, ALL_BOUNDARY);
    }
}

static void polygon(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 1; i + 1 < count; i++) {
        unsigned edges = (i == 1 ? 1 : 0) | 2 | (i + 2 == count ? 4 : 0);
        triangle(a, element(e, 0), element(e, i), element(e, i + 1), 0, edges);
        struct cpu_batch_prim *last = &a->batch->prim[a->batch->num_prims - 1];
        if (i > 1)
            last->flags &= ~CPU_PRIM_STIPPLE_RESET;
        if (i + 2 != count) { /* all triangles of a polygon have the same gl_PrimitiveID */
            last->flags &= ~CPU_PRIM_STEP;
            a->batch->ids--;
        }
    }
}

static void quads(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    unsigned provoking = first_provokes(a) ? 0 : 3;
    const enum cpu_quads way = a->batch->quads;
    for (uint32_t i = 0; i + 3 < count; i += 4) {
        if (way == CPU_QUADS_TURN && i % CPU_BATCH_VERTICES == 0)
            cpu_batch_reserve(a, CPU_BATCH_VERTICES, 2);
        uint32_t v[4] = {element(e, i), element(e, i + 1), element(e, i + 2), element(e, i + 3)};
        quad(a, v, provoking, 0, way == CPU_QUADS_OTHER);
    }
}

static void quad_strip(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    /* vertices 2i+1, 2i+2, 2i+4, 2i+3, numbered from 1; 2i+4 provokes in the last-vertex
     * convention */
    unsigned provoking = first_provokes(a) ? 0 : 2;
    for (uint32_t i = 0; i + 3 < count; i += 2) {
        uint32_t v[4] = {element(e, i), element(e, i + 1), element(e, i + 3), element(e, i + 2)};
        quad(a, v, provoking, CPU_PRIM_NO_EDGE_FLAGS, false);
    }
}

/* --- adjacency (GL 4.6 §10.1.11 to §10.1.14) --- */

/* Returns whether adjacent vertices are used: only a geometry shader reads them. */
static bool wants_adjacency(const struct cpu_assembler *a)
{
    return a->input_vertices > 3;
}

static void lines_adjacency(struct cpu_assembler *a, const struct elements *e, uint32_t count,
                            unsigned step)
{
    for (uint32_t i = 0; i + 3 < count; i += step) {
        const uint32_t v[] = {element(e, i), element(e, i + 1), element(e, i + 2),
                              element(e, i + 3)};
        if (wants_adjacency(a))
            emit_adjacency(a, v);
        else
            line(a, v[1], v[2], i == 0 || step == 4);
    }
}

static void triangles_adjacency(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    if (wants_adjacency(a)) {
        for (uint32_t i = 0; i + 5 < count; i += 6) {
            const uint32_t v[] = {element(e, i),     element(e, i + 1), element(e, i + 2),
                                  element(e, i + 3), element(e, i + 4), element(e, i + 5)};
            emit_adjacency(a, v);
        }
        return;
    }
    unsigned provoking = first_provokes(a) ? 0 : 2;
    for (uint32_t i = 0; i + 5 < count; i += 6)
        triangle(a, element(e, i), element(e, i + 2), element(e, i + 4), provoking, CPU_EDGES_ALL);
}

/* Adds triangle i of a strip with adjacency (table 10.1, numbered from 0). With the first vertex
 * convention, odd triangles are turned so that the provoking vertex comes first. */
static void strip_adjacency(struct cpu_assembler *a, const struct elements *e, uint32_t i,
                            bool last)
{
    uint32_t at = 2 * i, odd = i & 1;
    uint32_t before = element(e, i ? at - 2 : 1), inner = element(e, at + 3);
    uint32_t after = element(e, last ? at + 5 : at + 6);
    const uint32_t v[] = {
        element(e, odd ? at + 2 : at),
        before,
        element(e, odd ? at : at + 2),
        odd ? inner : after,
        element(e, at + 4),
        odd ? after : inner,
    };
    const unsigned start = odd && first_provokes(a) ? 2 : 0;
    uint32_t turned[6];
    for (unsigned k = 0; k < 6; k++)
        turned[k] = v[(start + k) % 6];
    emit_adjacency(a, turned);
}

static void triangle_strip_adjacency(struct cpu_assembler *a, const struct elements *e,
                                     uint32_t count)
{
    if (wants_adjacency(a)) {
        for (uint32_t i = 0; 2 * i + 5 < count; i++)
            strip_adjacency(a, e, i, 2 * i + 7 >= count);
        return;
    }
    bool first = first_provokes(a);
    for (uint32_t i = 0; i + 5 < count; i += 2) {
        uint32_t v0 = element(e, i), v1 = element(e, i + 2), v2 = element(e, i + 4);
        if (i & 2)
            triangle(a, v1, v0, v2, first ? 1 : 2, ALL_BOUNDARY);
        else
            triangle(a, v0, v1, v2, first ? 0 : 2, ALL_BOUNDARY);
    }
}

/* Assembles patches. Incomplete patches are not drawn (GL 4.6 §10.1.15). */
static void patches(struct cpu_assembler *a, const struct elements *e, uint32_t count)
{
    uint32_t n = a->input_vertices;
    for (uint32_t i = 0; count - i >= n; i += n) {
        cpu_batch_reserve(a, n, 1);
        struct cpu_batch *b = a->batch;
        uint8_t *v = &b->patch[b->num_prims++ * n];
        for (uint32_t k = 0; k < n; k++)
            v[k] = cpu_batch_vertex(b, element(e, i + k));
        b->ids++;
    }
}

bool cpu_assemble_divides(enum drv_primitive mode, uint32_t *overlap, uint32_t *per_id)
{
    static const struct {
        /* per_id 0: the first vertex belongs to all primitives, or to the last one */
        uint8_t overlap, per_id;
    } ways[DRV_PRIM_COUNT] = {
        [DRV_PRIM_POINTS] = {0, 1},
        [DRV_PRIM_LINES] = {0, 2},
        [DRV_PRIM_LINE_STRIP] = {1, 1},
        [DRV_PRIM_TRIANGLES] = {0, 3},
        [DRV_PRIM_TRIANGLE_STRIP] = {2, 1},
        [DRV_PRIM_QUADS] = {0, 4},
        [DRV_PRIM_QUAD_STRIP] = {2, 2},
        [DRV_PRIM_LINES_ADJACENCY] = {0, 4},
        [DRV_PRIM_TRIANGLES_ADJACENCY] = {0, 6},
    };
    *overlap = ways[mode].overlap;
    *per_id = ways[mode].per_id;
    return *per_id;
}

void cpu_assemble(struct cpu_assembler *a, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count)
{
    struct elements e = {index, first};
    cpu_count(a->batch->statistics, DRV_STAT_VERTICES_SUBMITTED, count);
    switch (mode) {
    case DRV_PRIM_POINTS:
        points(a, &e, count);
        break;
    case DRV_PRIM_LINES:
        lines(a, &e, count);
        break;
    case DRV_PRIM_LINE_LOOP:
        line_strip(a, &e, count, true);
        break;
    case DRV_PRIM_LINE_STRIP:
        line_strip(a, &e, count, false);
        break;
    case DRV_PRIM_TRIANGLES:
        triangles(a, &e, count);
        break;
    case DRV_PRIM_TRIANGLE_STRIP:
        triangle_strip(a, &e, count);
        break;
    case DRV_PRIM_TRIANGLE_FAN:
        triangle_fan(a, &e, count);
        break;
    case DRV_PRIM_QUADS:
        quads(a, &e, count);
        break;
    case DRV_PRIM_QUAD_STRIP:
        quad_strip(a, &e, count);
        break;
    case DRV_PRIM_POLYGON:
        polygon(a, &e, count);
        break;
    case DRV_PRIM_LINES_ADJACENCY:
        lines_adjacency(a, &e, count, 4);
        break;
    case DRV_PRIM_LINE_STRIP_ADJACENCY:
        lines_adjacency(a, &e, count, 1);
        break;
    case DRV_PRIM_TRIANGLES_ADJACENCY:
        triangles_adjacency(a, &e, count);
        break;
    case DRV_PRIM_TRIANGLE_STRIP_ADJACENCY:
        triangle_strip_adjacency(a, &e, count);
        break;
    case DRV_PRIM_PATCHES:
        patches(a, &e, count);
        break;
    case DRV_PRIM_COUNT:
        break;
    }
}
