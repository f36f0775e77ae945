/* SPDX-License-Identifier: MIT */
/* Batches of packed packets in a mapping of memory, for tests of the whole model. */
#ifndef MODEL_BATCH_H
#define MODEL_BATCH_H

#include "i965_batch.h"
#include "i965_device.h"
#include "i965_model.h"

#define BATCH_BASE   UINT64_C(0x7fff00000000)
#define BATCH_SIZE   0x100000u
#define BATCH_DATA   0x80000u /* Offset of data in memory. */
#define BATCH_SECOND 0x40000u /* Offset of a second batch. */
/* Register offset of a general-purpose register of the render engine. */
#define BATCH_GPR(i) (0x2600u + 8 * (i))

struct batch {
    struct i965_model *model;
    struct i965_model_context *context;
    uint8_t *bytes; /* At BATCH_BASE. */
    uint32_t at;    /* Offset of the next packet. */
    char error[256];
};

/* Create and free a batch, the state of a cmocka test. Return nonzero on failure. */
int batch_setup(void **state);
int batch_teardown(void **state);

/* Returns the byte at an address, as i965_model_memory.find. vm: the batch. */
uint8_t *batch_find(void *vm, uint64_t address, uint64_t *bytes);
/* Returns the dword at an offset from BATCH_BASE. */
uint32_t *batch_word(struct batch *b, uint32_t offset);
/* Append a packet, given by the C struct of its layout, or a dword. */
void batch_put(struct batch *b, enum i965_layout_id id, const void *values);
void batch_put_dword(struct batch *b, uint32_t dword);
#define BATCH_PUT(b, id, type, ...) batch_put(b, I965_##id, &(struct i965_##type){__VA_ARGS__})
/* Packs a structure at an offset from BATCH_BASE. */
void batch_pack(struct batch *b, uint32_t offset, enum i965_layout_id id, const void *values);
/* Append the load of a register by an immediate, and its store to an offset from BATCH_BASE. */
void batch_load(struct batch *b, uint32_t reg, uint32_t value);
void batch_store(struct batch *b, uint32_t reg, uint32_t to);

/* Appends MI_BATCH_BUFFER_END, executes the batch and starts a new one. Returns false if the
 * context is lost. */
bool batch_execute(struct batch *b, enum i965_ring ring);
/* Executes the batch on the render engine and fails the test if the context is lost. */
void batch_run(struct batch *b);

#endif
