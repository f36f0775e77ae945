/* SPDX-License-Identifier: MIT */
/*
 * Setup of filled triangles that need no clipping, several at a time, with the results of
 * cpu_setup.c. The arithmetic is done in vectors; then each triangle becomes a primitive.
 */
#include "driver/cpu/front/cpu_batch.h"
#include "util/simd.h"
#include "util/macros.h"

/* Functions with arguments wider than the machine's vectors are always inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define MOST CPU_SETUP_TRIANGLES

/* Results of the vector code, one element per triangle (struct cpu_prim). */
struct set_up {
    int32_t x0[MOST], y0[MOST], x1[MOST], y1[MOST]; /* bounding box */
    int32_t cut[MOST];                              /* nonzero: the view clips the bounding box */
    int32_t clockwise[MOST]; /* nonzero: the triangle is clockwise with y upward */
    int32_t order[MOST];     /* row of the table of vertex orders */
    int32_t a[3][MOST], b[3][MOST], fraction[3][MOST];
    int64_t c[3][MOST];
    int32_t e[3]
             [MOST]; /* edge functions at the first pixel of the box's first block, modulo 2^32 */
    float x_ref[MOST], y_ref[MOST], inv_w[3][MOST];
    float b1x[MOST], b1y[MOST], b2x[MOST], b2y[MOST], z[MOST], zx[MOST], zy[MOST];
};

/* Two floats, loaded at once. */
typedef double pair __attribute__((may_alias));

#define SIMD_FILE          "driver/cpu/front/cpu_triangles_lanes.h"
#define SIMD_LANES_DIVISOR 2
#include "util/simd_each.h"

static void set_up(const struct cpu_front *f, const struct cpu_vertices *vertices,
                   const struct cpu_batch_prim *const *prim, unsigned count, struct set_up *s)
{
    for (unsigned i = 0; i < count; i += simd_lanes() / 2)
        SIMD_CALL(set_up, f, vertices, prim, i, s);
}

static void get_edges(const struct set_up *s, unsigned k, struct cpu_edges *edges)
{
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++) {
        edges->a[i] = s->a[i][k];
        edges->b[i] = s->b[i][k];
        edges->c[i] = s->c[i][k];
        edges->fraction[i] = s->fraction[i][k];
    }
    edges->a[3] = edges->b[3] = edges->fraction[3] = 0;
    edges->c[3] = 0;
}

/* Computes the mask of a small triangle. Returns false if it covers no pixel. */
static bool cover(const struct set_up *s, unsigned k, const struct cpu_rect *box, uint16_t mask[4])
{
    struct cpu_edges edges;
#if CPU_RASTER_HAS_TINY
    if (!s->cut[k]) {
        const int32_t a[3] = {s->a[0][k], s->a[1][k], s->a[2][k]};
        const int32_t b[3] = {s->b[0][k], s->b[1][k], s->b[2][k]};
        const int32_t e[3] = {s->e[0][k], s->e[1][k], s->e[2][k]};
        const uint64_t all = cpu_raster_tiny(a, b, e);
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++)
            mask[i] = all >> 16 * i;
        return all;
    }
#endif
    get_edges(s, k, &edges);
    return cpu_raster_small(&edges, box, mask);
}

/* Creates the primitive of triangle k and adds it to the bins. */
static void fill(struct cpu_front *f, const struct cpu_vertices *vertices,
                 const struct cpu_batch_prim *p, uint32_t id, const struct set_up *s, unsigned k)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                         {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    const struct cpu_rect box = {s->x0[k], s->y0[k], s->x1[k], s->y1[k]};
    const bool small = cpu_raster_is_small(&box) && !f->sampled_polygons;
    uint16_t mask[4];
    if (small && !cover(s, k, &box, mask))
        return;
    const struct cpu_prim_info info = {vertices->out + p->provoking, id, p->flags};
    const bool front = !s->clockwise[k] == f->rast->front_ccw;
    struct cpu_prim *prim = cpu_setup_new_triangle(f, &box, small, front, &info);
    if (!prim)
        return;
    if (small)
        memcpy(prim->mask, mask, sizeof mask);
    else
        get_edges(s, k, &prim->edges);
    prim->p.x_ref = s->x_ref[k];
    prim->p.y_ref = s->y_ref[k];
    prim->p.b1 = (struct cpu_plane){0.0f, s->b1x[k], s->b1y[k]};
    prim->p.b2 = (struct cpu_plane){0.0f, s->b2x[k], s->b2y[k]};
    prim->p.z = (struct cpu_plane){s->z[k], s->zx[k], s->zy[k]};
    if (f->rast->offset_tri)
        prim->p.z.c += cpu_setup_offset(f, s->zx[k], s->zy[k], vertices->window, p->v);
    const uint8_t *order = orders[s->order[k]];
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++) {
        prim->p.inv_w[i] = s->inv_w[i][k];
        prim->p.vertex[i] = vertices->out + p->v[order[i]];
    }
    cpu_bin_prim(f->scene, f->segment, prim);
}

bool cpu_setup_fills(const struct cpu_front *f)
{
    return f->outputs.layer < 0 && !f->rast->conservative && !f->barycentrics &&
           f->rast->fill_front == DRV_POLYGON_FILL && f->rast->fill_back == DRV_POLYGON_FILL;
}

void cpu_setup_triangles(struct cpu_front *f, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *prim[MOST], const uint32_t *id,
                         unsigned count)
{
    struct set_up s;
    for (unsigned i = count; i < MOST; i++)
        prim[i] = prim[0];
    set_up(f, vertices, prim, count, &s);
    for (unsigned i = 0; i < count; i++)
        fill(f, vertices, prim[i], id[i], &s, i);
}
