/* SPDX-License-Identifier: MIT */
/*
 * The color and depth-stencil buffers of the tile that a worker executes. Values that clears set
 * are kept here until a primitive needs texels; when the tile is done they go to the storages'
 * fast-clear states (resource/cpu_fast_clear.h).
 */
#ifndef CPU_TARGETS_H
#define CPU_TARGETS_H

#include "driver/cpu/tile/cpu_scene.h"

/* Sets of targets have one bit per index of a target (CPU_ZS_TARGET or a color buffer). */
struct cpu_targets {
    const struct cpu_scene *scene;
    int x, y;         /* the tile's first pixel */
    uint32_t cleared; /* targets whose texels in this tile all equal `value` */
    uint32_t changed; /* those of `cleared` whose value the storage does not have yet */
    uint32_t unknown; /* targets of several layers, any of which may be fast-cleared in this tile */
    uint8_t value[CPU_NUM_TARGETS][CPU_MAX_TEXEL];
};

/* Starts a tile: reads the fast-clear states of its targets. */
void cpu_targets_begin(struct cpu_targets *t, const struct cpu_scene *scene, uint32_t tile);
/* Clears the part of the tile that lies in the clear's box. */
void cpu_targets_clear(struct cpu_targets *t, const struct cpu_clear *clear);
/* Writes the texels of the given targets to memory, before something is drawn to them. Targets that
 * are also in `overwritten` are not written, because every texel will be. */
void cpu_targets_resolve(struct cpu_targets *t, uint32_t targets, uint32_t overwritten);
/* Sets all texels of a target, which has one layer, to a value. */
void cpu_targets_set_value(struct cpu_targets *t, unsigned target,
                           const uint8_t value[CPU_MAX_TEXEL]);
/* Ends a tile: passes the values that changed to the storages. */
void cpu_targets_end(struct cpu_targets *t);

/* Returns the targets whose texels in memory may be out of date. */
static inline uint32_t cpu_targets_unresolved(const struct cpu_targets *t)
{
    return t->cleared | t->unknown;
}

/* Executes a tile that has no commands but the scene's first clear. Returns false, and does
 * nothing, if the clear has to write texels. */
bool cpu_targets_clear_only(const struct cpu_scene *scene, uint32_t tile);

#endif
