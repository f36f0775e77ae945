/* SPDX-License-Identifier: MIT */
/*
 * Targets: the color and depth-stencil buffers of the tile that a worker executes. A cleared target
 * is kept as one value until a primitive needs its texels. When the tile is done, the values are
 * stored in the fast-clear states of the storages (resource/cpu_fast_clear.h).
 */
#ifndef CPU_TARGETS_H
#define CPU_TARGETS_H

#include "driver/cpu/tile/cpu_scene.h"

/* Bit i of a mask of targets stands for color buffer i, or for depth-stencil if i is
 * CPU_ZS_TARGET. */
struct cpu_targets {
    const struct cpu_scene *scene;
    int x, y;         /* the tile's first pixel */
    uint32_t cleared; /* mask of targets whose texels in this tile all equal `value` */
    uint32_t changed; /* subset of `cleared`: the storage's fast-clear state is out of date */
    uint32_t unknown; /* mask of layered targets: this tile may be fast-cleared in some layers */
    uint8_t value[CPU_NUM_TARGETS][CPU_MAX_TEXEL]; /* texel value of each target in `cleared` */
};

/* Starts a tile: reads the fast-clear states of its targets. */
void cpu_targets_begin(struct cpu_targets *t, const struct cpu_scene *scene, uint32_t tile);
/* Clears the part of the tile that lies in the clear's box. */
void cpu_targets_clear(struct cpu_targets *t, const struct cpu_clear *clear);
/* Resolves the given targets before a primitive is drawn to them: writes the texels of cleared ones
 * to memory. Skips that for targets that are also in `overwritten`, because the primitive will
 * write every texel. */
void cpu_targets_resolve(struct cpu_targets *t, uint32_t targets, uint32_t overwritten);
/* Sets all texels of a target, in all of its layers, to a value. Requires cpu_target.fast_clear. */
void cpu_targets_set_value(struct cpu_targets *t, unsigned target,
                           const uint8_t value[CPU_MAX_TEXEL]);
/* Ends a tile: stores the changed values in the storages' fast-clear states. */
void cpu_targets_end(struct cpu_targets *t);

/* Returns the targets whose texels in memory may be out of date. */
static inline uint32_t cpu_targets_unresolved(const struct cpu_targets *t)
{
    return t->cleared | t->unknown;
}

/* Executes a tile that has no commands except the scene's clear (cpu_scene.clear). Returns false,
 * and does nothing, if the clear has to write texels. */
bool cpu_targets_clear_only(const struct cpu_scene *scene, uint32_t tile);

#endif
