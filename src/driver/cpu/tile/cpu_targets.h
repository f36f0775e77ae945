/* SPDX-License-Identifier: MIT */
/*
 * A tile's color and depth-stencil buffers while a worker has it. What clears leave is remembered as
 * values until a primitive needs the texels, and goes to the storages' states (cpu_uniform.h) when the
 * tile is done.
 */
#ifndef CPU_TARGETS_H
#define CPU_TARGETS_H

#include "driver/cpu/tile/cpu_scene.h"

#define CPU_ZS_TARGET   DRV_MAX_COLOR_BUFS /* number of the depth-stencil buffer */
#define CPU_NUM_TARGETS (DRV_MAX_COLOR_BUFS + 1)

struct cpu_targets {
    const struct cpu_scene *scene;
    int x, y;         /* the tile's first pixel */
    uint32_t uniform; /* bit per target: all of its texels here have `value` */
    uint32_t changed; /* of them, those whose storage does not know that */
    uint32_t unknown; /* those of several layers, which may have such tiles */
    uint8_t value[CPU_NUM_TARGETS][CPU_MAX_TEXEL];
};

void cpu_targets_begin(struct cpu_targets *t, const struct cpu_scene *scene, uint32_t tile);
/* Clears the part of the tile that lies in the box. */
void cpu_targets_clear(struct cpu_targets *t, const struct cpu_clear *clear);
/* Brings the targets' memory up to date, which somebody is going to draw to. */
void cpu_targets_make_real(struct cpu_targets *t);
/* Leaves what is remembered to the storages. */
void cpu_targets_end(struct cpu_targets *t);

static inline bool cpu_targets_are_real(const struct cpu_targets *t)
{
    return !(t->uniform | t->unknown);
}

/* Clears a tile for which the scene has nothing but its first clear. False, and nothing done: that
 * takes writing texels. */
bool cpu_targets_clear_only(const struct cpu_scene *scene, uint32_t tile);

#endif
