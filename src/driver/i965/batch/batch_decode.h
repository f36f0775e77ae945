/* SPDX-License-Identifier: MIT */
/* Prints a whole batch: packets, the structures and kernels that they point to, and errors. */
#ifndef BATCH_DECODE_H
#define BATCH_DECODE_H

#include "i965_batch.h"

struct i965_device;

/* The GPU's memory, as far as it is known. */
struct i965_batch_memory {
    /* Returns the bytes at a 48-bit GPU address and stores their number, at least one. Returns NULL
     * if no memory is known at the address. The bytes stay valid until the decoder returns. */
    const uint8_t *(*read)(void *data, uint64_t address, uint64_t *size);
    void *data;
};

/* What to decode. */
struct i965_decode_options {
    enum i965_generation generation;
    const struct i965_device *device; /* Device of the kernels; NULL: do not disassemble them. */
    uint64_t address;                 /* Address of the first packet. */
    bool blitter; /* The batch is for the blitter. It then has no state to follow. */
};

/*
 * Prints the batch to out until MI_BATCH_BUFFER_END or an unknown packet. Follows
 * MI_BATCH_BUFFER_START, and pointers to indirect state, binding tables, surfaces, samplers,
 * interface descriptors, vertex buffers and kernels. Any memory may be corrupt: a batch that does
 * not end is printed until memory ends, a jump is reached again, or the decoder's limits for
 * dwords, jumps or nested batches are exceeded (batch_decode.c).
 * Returns the number of errors, which are printed as lines "error: …".
 */
unsigned i965_batch_decode(const struct i965_decode_options *options,
                           const struct i965_batch_memory *memory, FILE *out);

#endif
