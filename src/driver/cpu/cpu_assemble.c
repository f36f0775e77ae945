/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: every mode becomes points, lines and triangles (GL 4.6 §10.1, with the
 * compatibility profile's quads and polygons). Provoking vertices follow table 13.2; quads follow
 * the convention too (caps.quads_follow_provoking_vertex). The order of a triangle's vertices keeps
 * its orientation.
 */
#include "driver/cpu/cpu_batch.h"

struct elements {
    const uint32_t *index;
    uint32_t first;
};

static inline uint32_t element(const struct elements *e, uint32_t i)
{
    return e->index ? e->index[i] : e->first + i;
}

static inline void emit(struct cpu_batch *b, uint8_t v0, uint8_t v1, uint8_t v2, uint8_t provoking,
                        uint8_t flags, bool step)
{
    b->prim[b->num_prims++] = (struct cpu_batch_prim){{v0, v1, v2}, provoking, flags, step};
}

static bool first_provokes(const struct cpu_batch *b)
{
    return b->front.rast->flatshade_first;
}

static void points(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cpu_batch_reserve(b, 1, 1);
        uint8_t v = cpu_batch_vertex(b, element(e, i));
        emit(b, v, v, v, v, 0, true);
    }
}

static void line(struct cpu_batch *b, uint32_t i0, uint32_t i1, bool reset)
{
    cpu_batch_reserve(b, 2, 1);
    uint8_t v0 = cpu_batch_vertex(b, i0), v1 = cpu_batch_vertex(b, i1);
    emit(b, v0, v1, v1, first_provokes(b) ? v0 : v1, reset ? CPU_PRIM_STIPPLE_RESET : 0, true);
}

static void triangle(struct cpu_batch *b, uint32_t i0, uint32_t i1, uint32_t i2,
                     unsigned provoking, unsigned edges)
{
    cpu_batch_reserve(b, 3, 1);
    uint8_t v[3] = {cpu_batch_vertex(b, i0), cpu_batch_vertex(b, i1), cpu_batch_vertex(b, i2)};
    emit(b, v[0], v[1], v[2], v[provoking], edges | CPU_PRIM_STIPPLE_RESET, true);
}

/* A quad is two triangles with one provoking vertex; the diagonal (v0, v2) is no boundary. */
static void quad(struct cpu_batch *b, const uint32_t i[4], unsigned provoking)
{
    cpu_batch_reserve(b, 4, 2);
    uint8_t v[4];
    for (unsigned k = 0; k < 4; k++)
        v[k] = cpu_batch_vertex(b, i[k]);
    emit(b, v[0], v[1], v[2], v[provoking], 1 | 2 | CPU_PRIM_STIPPLE_RESET, false);
    emit(b, v[0], v[2], v[3], v[provoking], 2 | 4, true);
}

static void lines(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i += 2)
        line(b, element(e, i), element(e, i + 1), true);
}

static void line_strip(struct cpu_batch *b, const struct elements *e, uint32_t count, bool loop)
{
    if (count < 2)
        return;
    for (uint32_t i = 0; i + 1 < count; i++)
        line(b, element(e, i), element(e, i + 1), i == 0);
    if (loop)
        line(b, element(e, count - 1), element(e, 0), false);
}

static void triangles(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    unsigned provoking = first_provokes(b) ? 0 : 2;
    for (uint32_t i = 0; i + 2 < count; i += 3)
        triangle(b, element(e, i), element(e, i + 1), element(e, i + 2), provoking,
                 CPU_EDGES_ALL);
}

static void triangle_strip(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    bool first = first_provokes(b);
    for (uint32_t i = 0; i + 2 < count; i++) {
        uint32_t v0 = element(e, i), v1 = element(e, i + 1), v2 = element(e, i + 2);
        if (i & 1)
            triangle(b, v1, v0, v2, first ? 1 : 2, CPU_EDGES_ALL);
        else
            triangle(b, v0, v1, v2, first ? 0 : 2, CPU_EDGES_ALL);
    }
}

static void triangle_fan(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    bool first = first_provokes(b);
    for (uint32_t i = 1; i + 1 < count; i++)
        triangle(b, element(e, 0), element(e, i), element(e, i + 1), first ? 1 : 2, CPU_EDGES_ALL);
}

static void polygon(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 1; i + 1 < count; i++) {
        unsigned edges = (i == 1 ? 1 : 0) | 2 | (i + 2 == count ? 4 : 0);
        triangle(b, element(e, 0), element(e, i), element(e, i + 1), 0, edges);
        if (i > 1)
            b->prim[b->num_prims - 1].flags &= ~CPU_PRIM_STIPPLE_RESET;
        b->prim[b->num_prims - 1].step = i + 2 == count;
    }
}

static void quads(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    unsigned provoking = first_provokes(b) ? 0 : 3;
    for (uint32_t i = 0; i + 3 < count; i += 4) {
        uint32_t v[4] = {element(e, i), element(e, i + 1), element(e, i + 2), element(e, i + 3)};
        quad(b, v, provoking);
    }
}

static void quad_strip(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    /* Vertices 2i+1, 2i+2, 2i+4, 2i+3 (from 1); the last provokes as 2i+4. */
    unsigned provoking = first_provokes(b) ? 0 : 2;
    for (uint32_t i = 0; i + 3 < count; i += 2) {
        uint32_t v[4] = {element(e, i), element(e, i + 1), element(e, i + 3), element(e, i + 2)};
        quad(b, v, provoking);
    }
}

/* Without a geometry stage adjacent vertices are not used (GL 4.6 §10.1.11 and on). */
static void lines_adjacency(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    for (uint32_t i = 0; i + 3 < count; i += 4)
        line(b, element(e, i + 1), element(e, i + 2), true);
}

static void triangles_adjacency(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    unsigned provoking = first_provokes(b) ? 0 : 2;
    for (uint32_t i = 0; i + 5 < count; i += 6)
        triangle(b, element(e, i), element(e, i + 2), element(e, i + 4), provoking,
                 CPU_EDGES_ALL);
}

static void triangle_strip_adjacency(struct cpu_batch *b, const struct elements *e, uint32_t count)
{
    bool first = first_provokes(b);
    for (uint32_t i = 0; i + 5 < count; i += 2) {
        uint32_t v0 = element(e, i), v1 = element(e, i + 2), v2 = element(e, i + 4);
        if (i & 2)
            triangle(b, v1, v0, v2, first ? 1 : 2, CPU_EDGES_ALL);
        else
            triangle(b, v0, v1, v2, first ? 0 : 2, CPU_EDGES_ALL);
    }
}

void cpu_assemble(struct cpu_batch *b, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count)
{
    struct elements e = {index, first};
    switch (mode) {
    case DRV_PRIM_POINTS:
        points(b, &e, count);
        break;
    case DRV_PRIM_LINES:
        lines(b, &e, count);
        break;
    case DRV_PRIM_LINE_LOOP:
        line_strip(b, &e, count, true);
        break;
    case DRV_PRIM_LINE_STRIP:
        line_strip(b, &e, count, false);
        break;
    case DRV_PRIM_TRIANGLES:
        triangles(b, &e, count);
        break;
    case DRV_PRIM_TRIANGLE_STRIP:
        triangle_strip(b, &e, count);
        break;
    case DRV_PRIM_TRIANGLE_FAN:
        triangle_fan(b, &e, count);
        break;
    case DRV_PRIM_QUADS:
        quads(b, &e, count);
        break;
    case DRV_PRIM_QUAD_STRIP:
        quad_strip(b, &e, count);
        break;
    case DRV_PRIM_POLYGON:
        polygon(b, &e, count);
        break;
    case DRV_PRIM_LINES_ADJACENCY:
        lines_adjacency(b, &e, count);
        break;
    case DRV_PRIM_LINE_STRIP_ADJACENCY:
        if (count >= 4) {
            struct elements inner = {index ? index + 1 : NULL, first + 1};
            line_strip(b, &inner, count - 2, false);
        }
        break;
    case DRV_PRIM_TRIANGLES_ADJACENCY:
        triangles_adjacency(b, &e, count);
        break;
    case DRV_PRIM_TRIANGLE_STRIP_ADJACENCY:
        triangle_strip_adjacency(b, &e, count);
        break;
    case DRV_PRIM_PATCHES: /* caps say that there is no tessellation */
    case DRV_PRIM_COUNT:
        break;
    }
}
