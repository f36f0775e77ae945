/* SPDX-License-Identifier: MIT */
/*
 * Tiles of which one value is all: a clear of a whole tile stores its value beside the texels and
 * leaves them as they are, until somebody needs them.
 *
 * A tile of a layer, with all of its samples, is
 *   real      what it has is in memory;
 *   known     likewise, and all of its texels are the value;
 *   deferred  its texels are the value, whatever is in memory.
 * States belong to the storage. Scenes' tiles set them (tile/cpu_targets.h) and make tiles real before
 * something draws there. Everybody else sees texels: cpu_context_sync and the submission of a scene
 * resolve what is going to be read, and make tiles real that are going to be written; copies to and
 * from linear memory do so tile by tile.
 *
 * A state changes with its tile locked, for as long as filling takes: another context may read an
 * image while this one's scene draws to it. What it reads is undefined then, but what the scene draws
 * is not lost by it.
 */
#ifndef CPU_UNIFORM_H
#define CPU_UNIFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_storage.h"

#define CPU_MAX_TEXEL 16 /* bytes */

/* Of one level. */
struct cpu_uniform {
    struct cpu_level_layout level;
    uint32_t texel_bytes;
    struct cpu_storage *storage;     /* whose they are */
    uint8_t *state;                  /* atomic: of each tile of each layer */
    uint8_t (*value)[CPU_MAX_TEXEL]; /* a texel, of tiles that are not real */
};

/* The tiles of a level, which are real at first. NULL: no memory, or memory that others see. Lives as
 * long as the storage. Any thread. */
struct cpu_uniform *cpu_uniform_get(struct cpu_storage *storage, unsigned level,
                                    const struct cpu_level_layout *layout, uint32_t texel_bytes);
/* The same of a storage that has them already; else NULL. */
const struct cpu_uniform *cpu_uniform_find(const struct cpu_storage *storage, unsigned level);
void cpu_uniform_destroy(struct cpu_storage *storage);

/* The functions of one tile, of which `tile` is the number in its layer. Any thread. */

/* False: it is real. Else its texels have that value. */
bool cpu_uniform_value(const struct cpu_uniform *u, unsigned layer, unsigned tile,
                       uint8_t value[CPU_MAX_TEXEL]);
/* All of its texels become that value. */
void cpu_uniform_set(struct cpu_uniform *u, unsigned layer, unsigned tile,
                     const uint8_t value[CPU_MAX_TEXEL]);
/* Makes it real. Without fill: all of its texels are going to be written. */
void cpu_uniform_take(const struct cpu_uniform *u, unsigned layer, unsigned tile, bool fill);
/* Makes it real, with texels of that value. */
void cpu_uniform_take_filled(const struct cpu_uniform *u, unsigned layer, unsigned tile,
                             const uint8_t value[CPU_MAX_TEXEL]);

/* Brings the memory up to date for readers; write: makes all tiles real, for writers. Any thread. */
void cpu_storage_resolve(struct cpu_storage *storage, bool write);

/* Whether cpu_storage_resolve would have something to do. */
static inline bool cpu_storage_is_resolved(const struct cpu_storage *s, bool write)
{
    return !__atomic_load_n(write ? &s->uniform_tiles : &s->deferred_tiles, __ATOMIC_ACQUIRE);
}

#endif
