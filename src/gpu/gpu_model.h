/* SPDX-License-Identifier: MIT */
/* The model that executes batches, if the chip has one. */
#ifndef GPU_MODEL_H
#define GPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu_chip.h"

struct i965_model_context;
struct i965_model_memory;

/* Returns whether the chip has a model that executes batches. The first call creates the model, or
 * prints to stderr that there is none. Requires the device's lock. */
bool gpu_model_exists(void);
/* Creates a hardware context. Returns NULL if there is no model or when out of memory. Requires the
 * device's lock. */
struct i965_model_context *gpu_model_context_create(void);
void gpu_model_context_destroy(struct i965_model_context *context); /* context may be NULL */
/* Executes a batch on an engine. The other arguments and the result are those of
 * i965_model_execute. Call it without the device's lock. */
bool gpu_model_execute(struct i965_model_context *context, const struct i965_model_memory *memory,
                       enum gpu_engine engine, uint64_t batch_address, uint64_t batch_bytes,
                       char *error, size_t error_size);

/* Called in the child of fork(). Forgets the model, so that the next gpu_model_exists creates a new
 * one. */
void gpu_model_after_fork(void);

#endif
