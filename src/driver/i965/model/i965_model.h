/* SPDX-License-Identifier: MIT */
/*
 * A model of a GPU that executes batches: command streamers, 3D pipeline, compute, blitter. It
 * takes all state from packets and memory, like the hardware.
 *
 * Batches and memory are untrusted. Every pointer, length and count is checked. Numbers of commands
 * and instructions are limited, not the time. The caller decides how long batches wait. After an
 * error the context is lost, but other contexts and the process are not affected.
 *
 * Threads: a model may be used by any number of threads. A context executes one batch at a time;
 * calls for the same context wait for each other.
 * Source: Intel's PRMs of Skylake and Broxton.
 */
#ifndef I965_MODEL_H
#define I965_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct i965_device;
struct i965_model;         /* A GPU. */
struct i965_model_context; /* A hardware context: the state that batches leave for later ones. */

/* The engine that executes a batch. */
enum i965_ring {
    I965_RING_RENDER,
    I965_RING_BLITTER,
    I965_RING_VIDEO,
    I965_RING_VIDEO_ENHANCE,
};

/* The address space of a batch. */
struct i965_model_memory {
    /* Returns the byte at a 48-bit GPU address and stores how many bytes follow contiguously, at
     * least one. Returns NULL if the address is not mapped. The bytes stay valid and writable until
     * the execution that asked for them returns. Several threads may call it at the same time. */
    uint8_t *(*find)(void *vm, uint64_t address, uint64_t *bytes);
    void *vm; /* First argument of find and wait. */
    /* Called repeatedly while a batch makes no progress: it waits for a semaphore, or jumps without
     * executing a command that has an effect. The function should sleep for a moment. count: number
     * of earlier calls since the last command with an effect. can_preempt: another batch could
     * preempt this one where it waits. Returns true to continue. If it returns false, the batch
     * fails and the context is lost. NULL: the model limits the number of polls and commands
     * instead. */
    bool (*wait)(void *vm, uint64_t count, bool can_preempt);
    /* Returns whether the byte at an address was written before the execution. Only called if the
     * model is strict. NULL: all memory was written. */
    bool (*is_written)(void *vm, uint64_t address);
};

/* Creates a GPU. Returns NULL if there is no model of the device or memory is exhausted. */
struct i965_model *i965_model_create(const struct i965_device *device);
/* Destroys a GPU. Its contexts must be destroyed before. model may be NULL. */
void i965_model_destroy(struct i965_model *model);

/* Sets whether the model is strict. A strict model reports these errors, which otherwise have no
 * effect: reserved bits that are set in packets and structures; reads of memory that another cache
 * wrote in the same execution, unless PIPE_CONTROL has since flushed that cache and invalidated the
 * reading one; reads of memory that was never written. A new GPU is not strict. Call this before
 * creating contexts. Not thread-safe. */
void i965_model_set_strict(struct i965_model *model, bool strict);

/* Makes later executions write a trace to a file, which must outlive the model: each packet with
 * its fields; at each 3DPRIMITIVE and GPGPU_WALKER the whole state; surfaces, samplers and kernels
 * when they are used; and if x and y are not negative, the tests and writes of that pixel of all
 * render targets. out: NULL for no trace. Not thread-safe. */
void i965_model_set_trace(struct i965_model *model, FILE *out, int32_t x, int32_t y);

/* Limits each execution to a number of commands and a number of EU instructions. Work of other
 * units, for example rasterization, counts as instructions, too. The context of a batch that
 * exceeds a limit is lost. A new GPU has the limits 2^21 and 2^34. Not thread-safe. */
void i965_model_set_limits(struct i965_model *model, uint64_t commands, uint64_t instructions);

/* Creates a context in the state of a reset GPU. Returns NULL if memory is exhausted. */
struct i965_model_context *i965_model_context_create(struct i965_model *model);
void i965_model_context_destroy(struct i965_model_context *context); /* context may be NULL. */

/*
 * Executes a batch until MI_BATCH_BUFFER_END. All its work is complete when the function returns.
 * batch_bytes: size of the batch buffer from batch_address on; 0: unknown. Packets past its end are
 * errors, unless the batch jumped there.
 * Returns false if the context is lost, and stores a message "address: packet: field: reason" with
 * the packet's address in `error`: at most error_size bytes, including the final 0. Otherwise
 * stores an empty string. error may be NULL if error_size is 0. A lost context executes nothing;
 * its later executions return false.
 */
bool i965_model_execute(struct i965_model_context *context, const struct i965_model_memory *memory,
                        enum i965_ring ring, uint64_t batch_address, uint64_t batch_bytes,
                        char *error, size_t error_size);

#endif
