/* SPDX-License-Identifier: MIT */
/*
 * Fast clears: a tile whose texels all have the same value is stored as that value and a state, and
 * its memory need not hold the texels. A clear of a whole tile only sets the value.
 *
 * A tile of a layer, with all of its samples, is in one of these states:
 *   TEXELS     the memory holds its texels;
 *   SAME       all texels equal the value, and the memory holds them;
 *   CLEARED    all texels equal the value, and the memory is out of date.
 * The states belong to the storage. To resolve a tile means to write the value to its memory if the
 * state is CLEARED. Workers that execute tiles of a scene set states (tile/cpu_targets.h) and
 * resolve a tile before they draw a primitive there. All other code finds texels in memory, because
 * cpu_context_sync() and the submission of a scene resolve what will be read or written. Copies to
 * and from linear memory handle the states tile by tile.
 *
 * A thread that changes a state locks the tile, for at most as long as filling it takes. If another
 * context reads an image while a scene draws to it, the read texels are undefined, but nothing that
 * the scene draws is lost.
 */
#ifndef CPU_FAST_CLEAR_H
#define CPU_FAST_CLEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_storage.h"

#define CPU_MAX_TEXEL 16 /* bytes */

/* The states and values of the tiles of one level. */
struct cpu_fast_clear {
    struct cpu_level_layout level;
    uint32_t texel_bytes;
    struct cpu_storage *storage;     /* the owner */
    uint8_t *state;                  /* atomic; [layer * tiles per layer + tile] */
    uint8_t (*value)[CPU_MAX_TEXEL]; /* indexed like state; valid unless the state is TEXELS */
};

/* Returns the states of a level; the first call creates them, with all tiles in state TEXELS. They
 * live as long as the storage. Returns NULL if out of memory, if the storage is in a memory object
 * (which other processes or drivers may access), or if it is sparse. Any thread. */
struct cpu_fast_clear *cpu_fast_clear_get(struct cpu_storage *storage, unsigned level,
                                          const struct cpu_level_layout *layout,
                                          uint32_t texel_bytes);
/* Returns the states of a level, or NULL if cpu_fast_clear_get() has not created them. Any
 * thread. */
const struct cpu_fast_clear *cpu_fast_clear_find(const struct cpu_storage *storage, unsigned level);
/* Frees the states of all levels; called when the storage is freed. */
void cpu_fast_clear_destroy(struct cpu_storage *storage);

/* --- one tile; `tile` is its index in the layer; any thread --- */

/* Stores in `value` the value that all texels of the tile have and returns true. Returns false if
 * the state is TEXELS; `value` is then undefined. */
bool cpu_fast_clear_get_value(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                              uint8_t value[CPU_MAX_TEXEL]);
/* Clears the tile to the value without writing texels: the state becomes CLEARED, unless the tile
 * has that value already. */
void cpu_fast_clear_set_value(struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                              const uint8_t value[CPU_MAX_TEXEL]);
/* Prepares the tile for writes to its memory: resolves it and sets the state to TEXELS. Without
 * `fill`, does not write the value to memory, because the caller will write every texel. */
void cpu_fast_clear_resolve_to_write(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                                     bool fill);
/* Writes the value to all texels of the tile; the state becomes TEXELS. */
void cpu_fast_clear_fill(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                         const uint8_t value[CPU_MAX_TEXEL]);

/* Resolves all tiles of the storage and decodes its undecoded blocks (cpu_resource.h), so that its
 * memory may be read. With `write`, also sets the states to TEXELS, so that the memory may be
 * written. Any thread. */
void cpu_storage_resolve(struct cpu_storage *storage, bool write);

/* Returns whether no tile is CLEARED or, with `write`, all are TEXELS: cpu_storage_resolve() then
 * only decodes blocks. */
static inline bool cpu_storage_is_resolved(const struct cpu_storage *s, bool write)
{
    return !__atomic_load_n(write ? &s->cleared_tiles : &s->deferred_tiles, __ATOMIC_ACQUIRE);
}

#endif
