/* SPDX-License-Identifier: MIT */
/*
 * Sparse images (ARB_sparse_texture). The storage is a reservation of address space, whose pages
 * the system allocates when they are first written. A map (cpu_storage.resident) has one byte per
 * CPU_SPARSE_UNIT bytes of the storage: 1 if they are committed, else 0.
 *
 * Uncommitted units must read as zeros, so nothing written to them may remain. Image stores by
 * shaders and copies from linear memory check the map before they write. All other code that writes
 * texels calls cpu_sparse_discard() or cpu_sparse_discard_tile() afterwards, which return the
 * memory to the system.
 *
 * A virtual page consists of whole tiles (cpu_layout.h). A tile is a whole number of units. The
 * levels that are smaller than a page are the tail, which is committed as a whole.
 */
#ifndef CPU_SPARSE_H
#define CPU_SPARSE_H

#include "driver/cpu/resource/cpu_resource.h"

/* Bytes that are committed together: a page of the system. */
#define CPU_SPARSE_UNIT (1u << CPU_SPARSE_SHIFT)

/* Returns whether the system's pages are as small as a unit. Otherwise images cannot be sparse. */
bool cpu_sparse_is_supported(void);
/* Implements drv_screen_ops.sparse_page_size. */
bool cpu_sparse_page_size(struct drv_screen *screen, enum drv_format format, enum drv_target target,
                          unsigned samples, uint32_t size[3]);

/* Returns whether the unit at an address in a sparse storage is committed. Any thread. */
static inline bool cpu_sparse_is_resident(const struct cpu_storage *s, const uint8_t *address)
{
    return __atomic_load_n(&s->resident[(size_t)(address - s->data) >> CPU_SPARSE_SHIFT],
                           __ATOMIC_RELAXED);
}

/* Returns the memory of the tile at an address in a sparse storage to the system, unless it is
 * committed; the tile then reads as zeros. bytes: size of a full tile; the last tile of a level may
 * be shorter. */
void cpu_sparse_discard_tile(const struct cpu_storage *s, uint8_t *address, size_t bytes);
/* Calls cpu_sparse_discard_tile() for all tiles of a level that a box, in texels, touches, in all
 * samples. box->z counts layers or 3D slices. Does nothing if the image is not sparse. Call it
 * after each write that doesn't check the map. */
void cpu_sparse_discard(const struct cpu_resource *r, unsigned level, const struct drv_box *box);

/* Implements drv_context_ops.page_commitment. The caller has waited for the storage's scenes. */
void cpu_sparse_commit(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       bool commit);

#endif
