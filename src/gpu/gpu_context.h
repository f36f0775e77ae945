/* SPDX-License-Identifier: MIT */
/*
 * Contexts: an address space, engines, and a timeline for each engine.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_CONTEXT_H
#define GPU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/gpu_chip.h"

struct gpu_fence;
struct gpu_file;
struct gpu_timeline;
struct gpu_vm;

struct gpu_context {
    int refcount;
    struct gpu_vm *vm;        /* a reference */
    bool is_used;             /* engines and address space are final */
    bool has_engine_map;      /* the program has set I915_CONTEXT_PARAM_ENGINES */
    bool has_single_timeline; /* batches of all engines run in the order of their submission */
    /* is_bannable: failed batches can ban the context: the fourth one or, unless is_recoverable,
     * the first one. no_error_capture has no effect. */
    bool is_bannable, is_recoverable, no_error_capture;
    bool is_persistent; /* batches go on when the context is destroyed */
    bool is_banned;     /* execbuffers fail with -EIO */
    uint32_t failed;    /* number of failed batches of all engines at the last gpu_context_check */
    uint32_t strikes;   /* number of batches that failed while the context was bannable */
    int64_t priority;   /* has no effect */
    struct gpu_fence *last; /* a reference to the fence of the last batch, or NULL */
    uint64_t subslice_mask; /* of I915_CONTEXT_PARAM_SSEU; has no effect on batches */
    unsigned engine_count;  /* number of elements of `engines` */
    /* References to timelines, indexed as the engine map; without a map, by enum gpu_engine. NULL:
     * no engine. */
    struct gpu_timeline **engines;
};

/* Returns for how many ns a preemptible batch of a new context may make no progress: the module
 * parameter request_timeout_ms, or INT64_MAX if the parameter is 0. */
int64_t gpu_context_request_limit(void);
/* Creates a context with default parameters and one reference, which isn't in a file's table yet.
 * Returns NULL if out of memory. */
struct gpu_context *gpu_context_create(void);
/* Takes a reference and returns `context`, which must not be NULL. */
struct gpu_context *gpu_context_ref(struct gpu_context *context);
/* Drops a reference; context may be NULL. The last one calls gpu_context_end(); batches that it
 * doesn't cancel still run. */
void gpu_context_unref(struct gpu_context *context);
/* Called when the program can't use the context anymore. Cancels its batches unless it is
 * persistent and the module parameter enable_hangcheck is set. */
void gpu_context_end(struct gpu_context *context);

/* Returns the context with that id without a reference, or NULL. Makes its engines and address
 * space final. */
struct gpu_context *gpu_context_get(struct gpu_file *file, uint32_t id);
/* Returns the timeline of the engine that an execbuffer's flags select, without a reference.
 * Returns NULL if there is no such engine. */
struct gpu_timeline *gpu_context_select(const struct gpu_context *context, uint64_t flags);
/* Counts the batches that have failed since the last call, and may ban the context because of them
 * (is_bannable). Returns false if the context is banned. Otherwise makes its timelines recover
 * (gpu_timeline_recover) and returns true. */
bool gpu_context_check(struct gpu_context *context);

#endif
