/* SPDX-License-Identifier: MIT */
/*
 * Implicit synchronization between processes: which batches of each process use an exported buffer.
 * The state is in a page at the end of the buffer's memfd, so it goes wherever the dma-buf goes.
 *
 * Each process that uses the buffer has a slot in the page, where it counts the batches that it has
 * submitted and completed. Slots of processes that have ended are reused. Programs can write to the
 * page. At worst, batches then wait too long or not at all.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_SHARED_H
#define GPU_SHARED_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_shared; /* a mapping of the page */

/* Maps the page of a buffer's memfd. size: bytes of the buffer, without the page. If the memfd has
 * no page, first adds it and seals the memfd's size. Returns the mapping with one reference, or
 * NULL if out of memory or if the memfd doesn't allow that. The caller keeps fd, and may close
 * it. */
struct gpu_shared *gpu_shared_create(int fd, uint64_t size);
/* Takes a reference and returns `shared`, which must not be NULL. */
struct gpu_shared *gpu_shared_ref(struct gpu_shared *shared);
void gpu_shared_unref(struct gpu_shared *shared); /* shared may be NULL */

/* Returns the size of the buffer, without the page, if fd is a memfd with a page; otherwise 0.
 * Keeps errno. */
uint64_t gpu_shared_buffer_size(int fd);

/* Counts a batch of this process; `writes` says whether it writes to the buffer. Returns the
 * batch's number, which wraps around from UINT32_MAX to 1. Returns 0 if there is no free slot;
 * other processes then don't wait for the batch. */
uint32_t gpu_shared_submit(struct gpu_shared *shared, bool writes);
/* Records that all batches of this process up to a number are complete. */
void gpu_shared_complete(struct gpu_shared *shared, uint32_t number);

/* A batch of another process. */
struct gpu_shared_use {
    uint64_t owner;        /* identifies the process, even if its id is used again */
    uint32_t slot, number; /* index of the process's slot; result of its gpu_shared_submit */
    bool writes;
};

/* Stores the next incomplete batch of another process in *use. Returns false if there are no more.
 * Successive calls store up to two batches per process: the last one that writes to the buffer,
 * with `writes` true, and the last one of all, with `writes` false. If both are the same batch, it
 * is stored twice. `shared` remembers what was stored, so later calls store only newer batches. */
bool gpu_shared_next(struct gpu_shared *shared, struct gpu_shared_use *use);
/* Returns whether a batch is complete, or its process has ended. */
bool gpu_shared_is_complete(struct gpu_shared *shared, const struct gpu_shared_use *use);

#endif
