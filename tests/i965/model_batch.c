/* SPDX-License-Identifier: MIT */
#include "model_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

uint8_t *batch_find(void *vm, uint64_t address, uint64_t *bytes)
{
    struct batch *b = vm;

    if (address < BATCH_BASE || address >= BATCH_BASE + BATCH_SIZE)
        return NULL;
    *bytes = BATCH_BASE + BATCH_SIZE - address;
    return b->bytes + (address - BATCH_BASE);
}

int batch_setup(void **state)
{
    struct batch *b = calloc(1, sizeof *b);

    b->model = i965_model_create(i965_device_by_name("skl"));
    b->context = i965_model_context_create(b->model);
    b->bytes = calloc(1, BATCH_SIZE);
    *state = b;
    return !b->context || !b->bytes;
}

int batch_teardown(void **state)
{
    struct batch *b = *state;

    i965_model_context_destroy(b->context);
    i965_model_destroy(b->model);
    free(b->bytes);
    free(b);
    return 0;
}

uint32_t *batch_word(struct batch *b, uint32_t offset)
{
    return (uint32_t *)(void *)(b->bytes + offset);
}

static unsigned pack(struct batch *b, uint32_t offset, enum i965_layout_id id, const void *values)
{
    struct i965_packet_error error;
    const unsigned count =
        i965_pack(I965_GENERATION_9, id, values, batch_word(b, offset), 64, &error);

    if (!count)
        fail_msg("%s", error.text);
    return count;
}

void batch_pack(struct batch *b, uint32_t offset, enum i965_layout_id id, const void *values)
{
    pack(b, offset, id, values);
}

void batch_put(struct batch *b, enum i965_layout_id id, const void *values)
{
    b->at += pack(b, b->at, id, values) * 4;
}

void batch_put_dword(struct batch *b, uint32_t dword)
{
    *batch_word(b, b->at) = dword;
    b->at += 4;
}

void batch_load(struct batch *b, uint32_t reg, uint32_t value)
{
    BATCH_PUT(b, MI_LOAD_REGISTER_IMM, mi_load_register_imm, .num_register_offset = 1,
              .register_offset = {reg}, .num_data_dword = 1, .data_dword = {value});
}

void batch_store(struct batch *b, uint32_t reg, uint32_t to)
{
    BATCH_PUT(b, MI_STORE_REGISTER_MEM, mi_store_register_mem, .register_address = reg,
              .memory_address = BATCH_BASE + to);
}

bool batch_execute(struct batch *b, enum i965_ring ring)
{
    const struct i965_model_memory memory = {batch_find, b};

    batch_put_dword(b, 0x05000000);
    b->at = 0;
    return i965_model_execute(b->context, &memory, ring, BATCH_BASE, 0, b->error, sizeof b->error);
}

void batch_run(struct batch *b)
{
    if (!batch_execute(b, I965_RING_RENDER))
        fail_msg("%s", b->error);
}
