/* SPDX-License-Identifier: MIT */
/*
 * The tessellation primitive generator (GL 4.6 §11.2.2): computes points of the domain and
 * primitives between them from the tessellation levels. It has no state; any thread may call it.
 *
 * Coordinates are multiples of 2^-24, so that 1 - x is exact. An edge therefore has the same points
 * from both sides, and patches that share an edge have no cracks.
 */
#ifndef CPU_TESSELLATOR_H
#define CPU_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

#define CPU_MAX_TESS_LEVEL 64
/* Maximum numbers of points and primitives of a patch: those of a quad with the highest levels. */
#define CPU_TESS_POINTS ((CPU_MAX_TESS_LEVEL + 1) * (CPU_MAX_TESS_LEVEL + 1))
#define CPU_TESS_PRIMS  (CPU_MAX_TESS_LEVEL * CPU_MAX_TESS_LEVEL * 2)

/* The input layout of an evaluation shader. */
struct cpu_tess_layout {
    uint8_t primitive; /* enum nir_tess_primitive */
    uint8_t spacing;   /* enum nir_tess_spacing */
    bool ccw, point_mode;
};

struct cpu_tess_point {
    float u, v, w; /* gl_TessCoord; w is 0 except for triangles */
};

/* The points and primitives of a patch. Consecutive primitives share most of their points. */
struct cpu_tessellation {
    unsigned num_points, num_prims; /* used elements of point; primitives in index */
    unsigned prim_vertices;         /* vertices of a primitive: 1, 2 or 3 */
    struct cpu_tess_point point[CPU_TESS_POINTS];
    uint16_t index[CPU_TESS_PRIMS * 3]; /* into point[]; prim_vertices per primitive */
};

/* Tessellates a patch and stores the result in *t. Levels may have any value; they are clamped as
 * the specification says. If an outer level that the domain uses is NaN or not above 0, the patch
 * is discarded: the result has no points and no primitives. */
void cpu_tessellate(struct cpu_tessellation *t, const struct cpu_tess_layout *layout,
                    const float outer[4], const float inner[2]);

#endif
