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
    struct gpu_vm *vm;
    bool is_used; /* the engines and the address space can't be changed anymore */
    bool has_engine_map;
    bool has_single_timeline;
    bool is_bannable, is_recoverable, is_persistent, no_error_capture;
    bool is_banned;
    uint32_t failed;  /* batches that have failed, at the last check */
    uint32_t strikes; /* those that failed while the context was bannable */
    int64_t priority;
    struct gpu_fence *last; /* of the last batch, or NULL */
    uint64_t subslice_mask; /* of the render engine */
    unsigned engine_count;
    /* One of each engine: of the engine map, or indexed by enum gpu_engine. NULL: no engine. */
    struct gpu_timeline **engines;
};

/* Creates the context with id 0 of a file. Returns NULL if memory runs out. */
struct gpu_context *gpu_context_create(void);
void gpu_context_destroy(struct gpu_context *context);

/* Returns the context with that id, whose engines and address space are final from then on. Returns
 * NULL if there is none. */
struct gpu_context *gpu_context_get(struct gpu_file *file, uint32_t id);
/* Returns the timeline that flags of an execbuffer select. Returns NULL if there is no such
 * engine. */
struct gpu_timeline *gpu_context_select(const struct gpu_context *context, uint64_t flags);
/* Returns whether the context can execute batches. Updates the ban after failed batches. */
bool gpu_context_check(struct gpu_context *context);

#endif
