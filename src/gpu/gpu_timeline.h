/* SPDX-License-Identifier: MIT */
/*
 * Timelines: batches of one context and engine, which run in order. Each timeline has a thread while
 * it has batches, so a batch that never ends blocks no other context. The thread sleeps while a batch
 * only polls memory. Such a batch fails after some time, as in the kernel.
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
    uint64_t address, size;    /* without sign extension; in bytes */
    struct gpu_bo *bo;         /* a reference */
    uint8_t *map;              /* the buffer's memory, or that of `shadow` */
    struct gpu_shadow *shadow; /* of a userptr buffer; NULL for others */
};

/* A batch with all that it needs. */
struct gpu_request {
    struct list_head link;   /* in the timeline */
    struct gpu_fence *fence; /* signals when the batch is complete */
    unsigned dependency_count;
    struct gpu_fence **dependencies;    /* references; the batch runs after these signal */
    uint64_t batch_address, batch_size; /* size: in bytes */
    struct gpu_timeline *timeline;      /* that it was submitted to */
    int64_t wait_start;                 /* when the batch began to make no progress */
    unsigned range_count;
    struct gpu_range ranges[]; /* sorted by address, without overlaps */
};

/* What happened to the batches of a timeline. */
struct gpu_timeline_state {
    bool is_lost;             /* a batch failed; later ones fail without running */
    uint32_t active, pending; /* counts: failed batches; batches queued when one failed */
};

/* Creates a timeline with one reference. Returns NULL if memory runs out. */
struct gpu_timeline *gpu_timeline_create(enum gpu_engine engine);
struct gpu_timeline *gpu_timeline_ref(struct gpu_timeline *timeline);
/* Drops a reference. Batches that were submitted still run. timeline may be NULL. */
void gpu_timeline_unref(struct gpu_timeline *timeline);
enum gpu_engine gpu_timeline_engine(const struct gpu_timeline *timeline);
const struct gpu_timeline_state *gpu_timeline_get_state(const struct gpu_timeline *timeline);
/* Makes the batches that were submitted fail, as soon as they make no progress or before they
 * begin. */
void gpu_timeline_cancel(struct gpu_timeline *timeline);
/* Lets batches run after a failed one, in a new hardware context. */
void gpu_timeline_recover(struct gpu_timeline *timeline);

/* Returns a request for `ranges` ranges, which the caller fills, and an unsignaled fence. Returns
 * NULL if memory runs out. */
struct gpu_request *gpu_request_create(unsigned ranges);
/* Frees a request that was not submitted. request may be NULL. */
void gpu_request_destroy(struct gpu_request *request);
/* Makes a request wait for a fence. Returns false if memory runs out. */
bool gpu_request_add_dependency(struct gpu_request *request, struct gpu_fence *fence);
/* Submits a request and takes ownership of it. Runs it in the calling thread, possibly releasing
 * the lock, if there is no model or no thread can be created. */
void gpu_timeline_submit(struct gpu_timeline *timeline, struct gpu_request *request);

/* Returns how many batches have failed since the process started. */
uint32_t gpu_reset_count(void);

/* Called in the child of fork(). Drops queued batches and hardware contexts, whose threads the
 * child doesn't have. */
void gpu_timeline_after_fork(void);

#endif
