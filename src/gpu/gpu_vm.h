/* SPDX-License-Identifier: MIT */
/*
 * Address spaces of the GPU. A buffer has at most one address in each.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_VM_H
#define GPU_VM_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"

struct gpu_bo;
struct gpu_chip;

/* An address range of a buffer. Holds no references: it is removed with the buffer or the address
 * space. */
struct gpu_binding {
    struct gpu_bo *bo;
    struct gpu_vm *vm;
    uint64_t address, size; /* address: 48 bits, not canonical; size: in bytes */
    uint64_t batch;         /* number (gpu_exec.number) of the last batch that needs it */
    struct list_head link;  /* in the buffer's list */
};

struct gpu_vm {
    int refcount;
    uint64_t size; /* in bytes */
    /* Addresses where the next searches for free ranges start: next_low if the range must end at 4
     * GiB or below, next_high otherwise. */
    uint64_t next_low;
    uint64_t next_high;
    unsigned count, capacity;
    struct gpu_binding **bindings; /* sorted by address */
};

/* Creates an address space with one reference. Returns NULL if out of memory. */
struct gpu_vm *gpu_vm_create(const struct gpu_chip *chip);
/* Returns a new reference to the address space that all contexts share, for chips without
 * GPU_PPGTT_FULL. Returns NULL if out of memory. */
struct gpu_vm *gpu_vm_global(const struct gpu_chip *chip);
/* Takes a reference and returns vm, which must not be NULL. */
struct gpu_vm *gpu_vm_ref(struct gpu_vm *vm);
/* Drops a reference; vm may be NULL. The last one removes all bindings. */
void gpu_vm_unref(struct gpu_vm *vm);

/* Returns the buffer's binding, or NULL. */
struct gpu_binding *gpu_vm_find(const struct gpu_vm *vm, const struct gpu_bo *bo);
/* Returns whether no buffer that has a handle is bound in a range. A buffer without handles may be
 * unbound: only batches that were already submitted use it, and they don't need its binding. */
bool gpu_vm_is_free(const struct gpu_vm *vm, uint64_t address, uint64_t size);
/* Binds an unbound buffer at an address for batch number `batch`, after unbinding what is there.
 * size: of the binding, in bytes. Returns 0, -ENOSPC if the same batch needs a binding there,
 * -EINVAL if the range is outside of the address space, or -ENOMEM. */
int gpu_vm_bind_at(struct gpu_vm *vm, struct gpu_bo *bo, uint64_t address, uint64_t size,
                   uint64_t batch);
/* Binds an unbound buffer for batch number `batch` at a free address, so that the binding ends at
 * or below the address `limit`. If there is no space, first unbinds everything that the batch
 * doesn't need. alignment: a power of two, in bytes. Returns 0, -ENOSPC or -ENOMEM. */
int gpu_vm_bind(struct gpu_vm *vm, struct gpu_bo *bo, uint64_t size, uint64_t alignment,
                uint64_t limit, uint64_t batch);
/* Removes and frees a binding. */
void gpu_vm_unbind(struct gpu_binding *binding);

#endif
