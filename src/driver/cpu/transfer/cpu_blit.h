/* SPDX-License-Identifier: MIT */
/* Blits and copies of one layer between images (cpu_copy.c prepares them). */
#ifndef CPU_BLIT_H
#define CPU_BLIT_H

#include "driver/cpu/resource/cpu_resource.h"
#include "util/format_convert.h"
#include "util/format_planes.h"

/* One axis of a blit: the center of destination pixel i maps to scale * (i + 0.5) + offset in the
 * source. */
struct cpu_axis {
    int dst0, dst1; /* destination pixels dst0 to dst1 - 1, clipped to the level */
    double scale, offset;
    int src0, src1; /* source texels src0 to src1 - 1 may be read; others are clamped to these */
};

/* A blit of one layer, or a multisample resolve. */
struct cpu_blit {
    struct cpu_resource *src, *dst;
    unsigned src_level, dst_level;
    int src_z, dst_z;              /* layers or 3D slices */
    uint32_t src_bytes, dst_bytes; /* texel sizes */
    unsigned src_sample, dst_sample;
    unsigned resolved; /* number of samples averaged; 1: only src_sample is read */
    struct cpu_axis x, y;
    bool filter; /* linear; otherwise nearest */
    bool planes; /* filters or averages floats, using `from`, `to`; otherwise uses `conversion` */
    struct util_planes_format from, to;
    const struct util_conversion *conversion; /* borrowed; NULL: texels are copied unchanged */
};

/* Returns the axis that maps the dst_size pixels starting at dst_at to the src_size texels starting
 * at src_at. The sizes are those of drv_blit_info's boxes; negative ones mirror. dst_size must not
 * be 0. dst_limit and src_limit are the sizes of the levels. */
struct cpu_axis cpu_blit_axis(int64_t dst_at, int64_t dst_size, int64_t src_at, int64_t src_size,
                              int64_t dst_limit, int64_t src_limit);
/* Returns the source coordinate, in texels, of the center of destination pixel i. Not clamped. */
double cpu_blit_position(const struct cpu_axis *a, int i);
/* Returns the source texel that contains the center of destination pixel i, clamped to src0 to
 * src1 - 1. */
int cpu_blit_nearest(const struct cpu_axis *a, int i);

/* Executes the blit. The caller has synchronized the source's storage for reading and the
 * destination's for writing (cpu_context_sync()). Runs on all threads if the blit is large. No axis
 * may be empty. */
void cpu_blit_run(const struct cpu_blit *b);

#endif
