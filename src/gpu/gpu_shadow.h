/* SPDX-License-Identifier: MIT */
/*
 * Copies of the program's memory (userptr), which a batch accesses instead. The program may unmap
 * or protect its memory at any time, so the model can't access it directly. Bytes that a batch
 * changes are written back when it ends, and whenever it waits. So a batch and the program can wait
 * for each other's writes.
 *
 * The copy is made when a batch accesses the memory for the first time, because batches often
 * access only a few of the buffers that a program lists. Functions need no lock. Except for
 * gpu_shadow_memory, a shadow belongs to one thread at a time.
 */
#ifndef GPU_SHADOW_H
#define GPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_shadow;

/* Creates a shadow of `size` bytes, a multiple of GPU_PAGE, from an address of the program on.
 * is_read_only: changes are never written back. Returns NULL if out of memory. */
struct gpu_shadow *gpu_shadow_create(uint64_t address, uint64_t size, bool is_read_only);
void gpu_shadow_destroy(struct gpu_shadow *shadow); /* shadow may be NULL */
/* Returns the copy, which is valid until gpu_shadow_destroy. The first call makes it; pages that
 * the program has unmapped are then 0. Returns NULL if out of memory. Thread-safe. */
uint8_t *gpu_shadow_memory(struct gpu_shadow *shadow);
/* Writes the bytes that the batch has changed to the program's memory. Leaves out pages that the
 * program has unmapped. Does nothing if is_read_only or if there is no copy yet. */
void gpu_shadow_write_back(struct gpu_shadow *shadow);
/* Writes back, then copies the program's memory again. Pages that the program has unmapped keep
 * their contents. Does nothing if there is no copy yet. */
void gpu_shadow_refresh(struct gpu_shadow *shadow);

#endif
