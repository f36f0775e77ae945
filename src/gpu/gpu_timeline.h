/* SPDX-License-Identifier: MIT */
/*
 * Timelines. Each runs the batches of one context and engine in order, in its own thread, which
 * only exists while there are batches. So a batch that never ends blocks no other context. The
 * thread sleeps while a batch only polls memory. Such a batch fails after some time, as in the
 * kernel.
 *
 * All functions require the device's lock. Batches run without it.
 */
#ifndef GPU_TIMELINE_H
#define GPU_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/gpu_chip.h"
#include "util/list.h"

struct gpu_bo;
struct gpu_fence;
struct gpu_shadow;
struct gpu_timeline;

/* A buffer that a batch can access. */
struct gpu_range {
    uint64_t address, size;    /* address: 48 bits, not canonical; size: in bytes */
    struct gpu_bo *bo;         /* a reference */
    uint8_t *map;              /* the buffer's memory; NULL if there is a shadow */
    struct gpu_shadow *shadow; /* of a userptr buffer; NULL for others */
};

/* A batch, with the buffers that it can access and the fences that it waits for. */
struct gpu_request {
    struct list_head link;   /* in the timeline */
    struct gpu_fence *fence; /* a reference; signals when the batch is complete */
    unsigned dependency_count;
    struct gpu_fence **dependencies; /* references; the batch runs after these signal */
    /* A reference, or NULL. The batch runs after the batches of this fence have started. */
    struct gpu_fence *after_start;
    uint64_t batch_address, batch_size; /* address: 48 bits; size: in bytes */
    struct gpu_timeline *timeline;      /* set by gpu_timeline_submit */
    int64_t wait_start; /* when the batch stopped making progress, in ns of CLOCK_MONOTONIC */
    unsigned range_count;
    struct gpu_range ranges[]; /* sorted by address, without overlaps */
};

/* Failures of a timeline's batches. The counts are those of DRM_IOCTL_I915_GET_RESET_STATS. */
struct gpu_timeline_state {
    bool is_lost; /* a batch failed; later ones fail without running */
    /* Numbers of batches. active: those that failed while they ran. pending: those that were in the
     * queue when one failed. */
    uint32_t active, pending;
};

/* Creates a timeline with one reference. limit: how long a batch that can be preempted may make no
 * progress, in ns; INT64_MAX: forever. Returns NULL if out of memory. */
struct gpu_timeline *gpu_timeline_create(enum gpu_engine engine, int64_t limit);
/* Takes a reference and returns `timeline`, which must not be NULL. */
struct gpu_timeline *gpu_timeline_ref(struct gpu_timeline *timeline);
/* Drops a reference. Batches that were submitted still run. timeline may be NULL. */
void gpu_timeline_unref(struct gpu_timeline *timeline);
/* Returns the engine that runs the timeline's batches. */
enum gpu_engine gpu_timeline_engine(const struct gpu_timeline *timeline);
/* Returns whether as many batches are waiting or running as the kernel's ring buffer has space for.
 * More can be submitted nevertheless. */
bool gpu_timeline_is_full(const struct gpu_timeline *timeline);
/* Returns the current state. Later failures change what the pointer refers to. */
const struct gpu_timeline_state *gpu_timeline_get_state(const struct gpu_timeline *timeline);
/* Makes all batches of the timeline fail from now on. Batches that wait in the queue don't start.
 * The running batch continues until it completes or makes no progress. */
void gpu_timeline_cancel(struct gpu_timeline *timeline);
/* If a batch has failed, lets later ones run in a new hardware context. */
void gpu_timeline_recover(struct gpu_timeline *timeline);

/* Creates a request with an unsignaled fence and space for `ranges` ranges, which the caller fills.
 * Returns NULL if out of memory. */
struct gpu_request *gpu_request_create(unsigned ranges);
/* Frees a request that was not submitted, and drops its references. Doesn't signal its fence.
 * request may be NULL. */
void gpu_request_destroy(struct gpu_request *request);
/* Makes a request wait for a fence, with a new reference to it. Returns false if out of memory. */
bool gpu_request_add_dependency(struct gpu_request *request, struct gpu_fence *fence);
/* Submits a request and takes ownership of it. The timeline's thread runs it. If there is no model
 * and nothing to wait for, the calling thread does. If no thread can be created, the calling thread
 * runs all requests of the timeline, releasing the lock meanwhile, before the function returns. */
void gpu_timeline_submit(struct gpu_timeline *timeline, struct gpu_request *request);

/* Returns how many batches have failed since the process started. */
uint32_t gpu_reset_count(void);

/* Waits until all batches are complete, but not past the deadline. Releases the lock meanwhile.
 * deadline: as in gpu_wait. */
void gpu_timelines_finish(int64_t deadline);

/* Called in the child of fork(). Drops queued batches and hardware contexts, whose threads the
 * child doesn't have. */
void gpu_timeline_after_fork(void);

#endif
