/* SPDX-License-Identifier: MIT */
/*
 * Copies of a context for work that several threads share. Each thread changes its own copy:
 * counters, limits, the cache of mappings, the error. The state is the same in all.
 */
#ifndef MODEL_WORKER_H
#define MODEL_WORKER_H

#include "model_private.h"

#define MODEL_MAX_WORKERS 64

struct model_worker {
    struct model_context ctx;
    uint64_t left;   /* Limit of instructions at the start. */
    bool failed;     /* model_error() was called. */
    uint64_t at;     /* The work item that failed; items run in ascending order. */
    char error[256]; /* Text of the error. */
};

/* Returns how many workers run at once, from 1 to MODEL_MAX_WORKERS. */
unsigned model_worker_count(const struct model_context *ctx);
/* Copies the context. The copy has no pixel half. */
void model_worker_begin(struct model_worker *worker, const struct model_context *ctx);
/* Adds the workers' counters and instructions to the context. Returns false after storing the error
 * of the worker whose item comes first, or after model_error(). */
bool model_workers_end(struct model_context *ctx, struct model_worker *const *workers,
                       unsigned count);

#endif
