/* SPDX-License-Identifier: MIT */
/*
 * Copies of the program's memory (userptr), which a batch accesses instead. The program may unmap
 * or protect its memory at any time, so the model can't access it directly. Bytes that a batch
 * changes are written back when it ends, and whenever it waits. So a batch and the program can wait
 * for each other's writes.
 *
 * Functions need no lock; a shadow belongs to one thread at a time.
 */
#ifndef GPU_SHADOW_H
#define GPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_shadow;

/* Copies `size` bytes, a multiple of GPU_PAGE, from an address of the program. is_read_only:
 * changes are never written back. Stores 0, -ENOMEM or -EFAULT in *error. Returns NULL after an
 * error. */
struct gpu_shadow *gpu_shadow_create(uint64_t address, uint64_t size, bool is_read_only,
                                     int *error);
void gpu_shadow_destroy(struct gpu_shadow *shadow); /* shadow may be NULL */
/* Returns the copy. */
uint8_t *gpu_shadow_memory(struct gpu_shadow *shadow);
/* Writes the bytes that have changed to the program's memory. Pages that the program has unmapped
 * are left out. */
void gpu_shadow_write_back(struct gpu_shadow *shadow);
/* Writes back, then reads what the program has changed. */
void gpu_shadow_refresh(struct gpu_shadow *shadow);

#endif
