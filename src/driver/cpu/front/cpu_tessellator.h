/* SPDX-License-Identifier: MIT */
/*
 * The tessellation primitive generator (GL 4.6 §11.2.2): levels → points of the domain and the
 * primitives between them. Plain C without state; any thread.
 *
 * Coordinates are multiples of 2^-24, so that 1 - x is exact: an edge has the same points from
 * whichever side it is divided, and what patches share has no cracks.
 */
#ifndef CPU_TESSELLATOR_H
#define CPU_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

#define CPU_MAX_TESS_LEVEL 64
/* Quads of the highest level: 65 × 65 points, 64 × 64 × 2 triangles. */
#define CPU_TESS_POINTS ((CPU_MAX_TESS_LEVEL + 1) * (CPU_MAX_TESS_LEVEL + 1))
#define CPU_TESS_PRIMS  (CPU_MAX_TESS_LEVEL * CPU_MAX_TESS_LEVEL * 2)

/* What an evaluation shader's layout says. */
struct cpu_tess_layout {
    uint8_t primitive; /* enum nir_tess_primitive */
    uint8_t spacing;   /* enum nir_tess_spacing */
    bool ccw, point_mode;
};

struct cpu_tess_point {
    float u, v, w; /* gl_TessCoord; w: of triangles, else 0 */
};

/* What a patch becomes. Primitives that follow each other have most of their points in common. */
struct cpu_tessellation {
    unsigned num_points, num_prims;
    unsigned prim_vertices; /* 1, 2, 3 */
    struct cpu_tess_point point[CPU_TESS_POINTS];
    uint16_t index[CPU_TESS_PRIMS * 3]; /* prim_vertices of each primitive */
};

/* Levels may be any numbers, also none. Where a patch is discarded there are no primitives. */
void cpu_tessellate(struct cpu_tessellation *t, const struct cpu_tess_layout *layout,
                    const float outer[4], const float inner[2]);

#endif
