/* SPDX-License-Identifier: MIT */
/*
 * Copies of a context, one for each host thread that executes a part of the work. A thread changes
 * only its copy of the counters, limits, cached mappings and error. The state is the same in all
 * copies.
 */
#ifndef MODEL_WORKER_H
#define MODEL_WORKER_H

#include "model_private.h"

#define MODEL_MAX_WORKERS 64

struct model_worker {
    struct model_context ctx;
    uint64_t left; /* ctx.instructions_left at the start. */
    bool failed;   /* Set by the worker after model_error(). */
    /* Set by the worker: number of the item that failed. Items are numbered in the order in which a
     * single thread executes them; each worker executes its items in ascending order. */
    uint64_t at;
    char error[256]; /* Message of model_error(). */
};

/* Returns how many workers to use, from 1 to MODEL_MAX_WORKERS: the size of the thread pool, or 1
 * if the model is strict or writes a trace. */
unsigned model_worker_count(const struct model_context *ctx);
/* Initializes a worker with a copy of the context, in which counters are 0 and `pixel` is NULL. */
void model_worker_begin(struct model_worker *worker, const struct model_context *ctx);
/* Adds the workers' counters to the context. If workers failed, stores the error of the one with
 * the lowest `at` and returns false. Otherwise subtracts the workers' instructions from the
 * context's limit. Returns false after model_error() if too few are left. */
bool model_workers_end(struct model_context *ctx, struct model_worker *const *workers,
                       unsigned count);

#endif
