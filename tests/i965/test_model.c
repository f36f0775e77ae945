/* SPDX-License-Identifier: MIT */
/*
 * The model's command streamer, blitter, vertex fetch and primitive assembly: batches of packed
 * packets against values in memory, and the errors of malformed batches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_batch.h"
#include "model_geometry.h"

/* --- Commands --- */

static void test_stores(void **state)
{
    struct batch *f = *state;
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA,
              .immediate_data = 0x1122334455667788, .store_qword = 1);
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA + 8,
              .immediate_data = 0xffffffff00000005);
    BATCH_PUT(f, MI_COPY_MEM_MEM, mi_copy_mem_mem,
              .source_memory_address = BATCH_BASE + BATCH_DATA + 4,
              .destination_memory_address = BATCH_BASE + BATCH_DATA + 16);
    /* Without the high dword, as for GPUs that have no 64-bit stores. */
    batch_put_dword(f, 0x10000002);
    batch_put_dword(f, (uint32_t)(BATCH_BASE + BATCH_DATA + 20));
    batch_put_dword(f, (uint32_t)((BATCH_BASE + BATCH_DATA + 20) >> 32));
    batch_put_dword(f, 77);
    BATCH_PUT(f, PIPE_CONTROL, pipe_control, .address = BATCH_BASE + BATCH_DATA + 24,
              .immediate_data = 9,
              .post_sync_operation = I965_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA);
    /* The global address space belongs to the kernel: no effect. */
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA,
              .use_global_gtt = true);
    batch_run(f);
    const uint32_t expected[] = {0x55667788, 0x11223344, 5, 0, 0x11223344, 77, 9, 0};
    assert_memory_equal(batch_word(f, BATCH_DATA), expected, sizeof expected);
}

static void test_registers(void **state)
{
    struct batch *f = *state;
    *batch_word(f, BATCH_DATA + 32) = 1234;
    batch_load(f, BATCH_GPR(1), 42);
    BATCH_PUT(f, MI_LOAD_REGISTER_REG, mi_load_register_reg,
              .source_register_address = BATCH_GPR(1),
              .destination_register_address = BATCH_GPR(2) + 4);
    BATCH_PUT(f, MI_LOAD_REGISTER_MEM, mi_load_register_mem, .register_address = BATCH_GPR(2),
              .memory_address = BATCH_BASE + BATCH_DATA + 32);
    BATCH_PUT(f, MI_LOAD_REGISTER_IMM, mi_load_register_imm, .num_register_offset = 1,
              .register_offset = {BATCH_GPR(1)}, .num_data_dword = 1, .data_dword = {0xaabbccdd},
              .byte_write_disables = 5);
    batch_store(f, BATCH_GPR(1), BATCH_DATA);
    batch_store(f, BATCH_GPR(2), BATCH_DATA + 4);
    batch_store(f, BATCH_GPR(2) + 4, BATCH_DATA + 8);
    batch_load(f, 0x2348, 7); /* PS_INVOCATION_COUNT */
    batch_store(f, 0x2348, BATCH_DATA + 12);
    batch_store(f, 0x1234, BATCH_DATA + 16); /* never written */
    batch_run(f);
    const uint32_t expected[] = {0xaa00cc2a, 1234, 42, 7, 0};
    assert_memory_equal(batch_word(f, BATCH_DATA), expected, sizeof expected);
}

/* A batch can use 1,024 registers that have no function; one more is an error. */
static void test_many_registers(void **state)
{
    enum { FIRST = 0x10000, COUNT = 1024 };
    struct batch *f = *state;

    for (uint32_t i = 0; i < COUNT; i++)
        batch_load(f, FIRST + 4 * i, 7 * i + 1);
    batch_load(f, FIRST, 1000000);
    for (uint32_t i = 0; i < COUNT; i++)
        batch_store(f, FIRST + 4 * i, BATCH_DATA + 4 * i);
    batch_run(f);
    assert_int_equal(*batch_word(f, BATCH_DATA), 1000000);
    for (uint32_t i = 1; i < COUNT; i++)
        assert_int_equal(*batch_word(f, BATCH_DATA + 4 * i), 7 * i + 1);
    batch_load(f, FIRST + 4 * COUNT, 1);
    assert_false(batch_execute(f, I965_RING_RENDER));
    assert_non_null(strstr(f->error, "too many registers"));
}

#define ALU(opcode_, operand_1_, operand_2_)                                                       \
    {.alu_opcode = I965_ALU_OPCODE_##opcode_,                                                      \
     .operand_1 = I965_ALU_OPERAND_##operand_1_,                                                   \
     .operand_2 = I965_ALU_OPERAND_##operand_2_}

static void test_math(void **state)
{
    struct batch *f = *state;
    batch_load(f, BATCH_GPR(0), UINT32_MAX);
    batch_load(f, BATCH_GPR(0) + 4, UINT32_MAX);
    batch_load(f, BATCH_GPR(1), 2);
    BATCH_PUT(f, MI_MATH, mi_math, .num_instruction = 9,
              .instruction = {ALU(LOAD, SRCA, REG0), ALU(LOAD, SRCB, REG1), ALU(ADD, REG0, REG0),
                              ALU(STORE, REG2, ACCU), ALU(STORE, REG3, CF),
                              ALU(LOADINV, SRCA, REG1), ALU(LOAD1, SRCB, REG0),
                              ALU(SUB, REG0, REG0), ALU(STORE, REG4, CF)});
    BATCH_PUT(f, MI_MATH, mi_math, .num_instruction = 8,
              .instruction = {ALU(LOAD, SRCA, REG1), ALU(LOAD, SRCB, REG1), ALU(XOR, REG0, REG0),
                              ALU(STORE, REG5, ZF), ALU(LOAD0, SRCB, REG0), ALU(OR, REG0, REG0),
                              ALU(STOREINV, REG6, ACCU), ALU(STORE, REG7, ZF)});
    for (unsigned i = 2; i < 8; i++) {
        batch_store(f, BATCH_GPR(i), BATCH_DATA + 8 * (i - 2));
        batch_store(f, BATCH_GPR(i) + 4, BATCH_DATA + 8 * (i - 2) + 4);
    }
    batch_run(f);
    const uint64_t expected[] = {1, UINT64_MAX, UINT64_MAX, UINT64_MAX, ~UINT64_C(2), 0};
    assert_memory_equal(batch_word(f, BATCH_DATA), expected, sizeof expected);
}

/* Returns the result of a comparison of two values, combined with an old result. */
static bool predicate(struct batch *f, bool old, uint32_t a, uint32_t b, unsigned compare,
                      unsigned combine, unsigned operation)
{
    batch_load(f, 0x2418, old);
    batch_load(f, 0x2400, a);
    batch_load(f, 0x2404, 0);
    batch_load(f, 0x2408, b);
    batch_load(f, 0x240c, 0);
    batch_load(f, 0x2410, 3);
    batch_load(f, 0x2414, 0);
    BATCH_PUT(f, MI_PREDICATE, mi_predicate, .compare_operation = compare,
              .combine_operation = combine, .load_operation = operation);
    *batch_word(f, BATCH_DATA) = 0;
    batch_load(f, BATCH_GPR(0), 1);
    BATCH_PUT(f, MI_STORE_REGISTER_MEM, mi_store_register_mem, .register_address = BATCH_GPR(0),
              .memory_address = BATCH_BASE + BATCH_DATA, .predicate_enable = true);
    batch_run(f);
    return *batch_word(f, BATCH_DATA);
}

static void test_predicates(void **state)
{
    struct batch *f = *state;
    assert_true(predicate(f, 0, 5, 5, 2, 0, 2));
    assert_false(predicate(f, 1, 5, 6, 2, 0, 2));
    assert_true(predicate(f, 0, 5, 6, 2, 0, 3));  /* inverted */
    assert_true(predicate(f, 0, 8, 5, 3, 0, 2));  /* difference 3 */
    assert_false(predicate(f, 0, 5, 5, 2, 1, 2)); /* and */
    assert_true(predicate(f, 1, 5, 6, 2, 2, 2));  /* or */
    assert_false(predicate(f, 1, 5, 5, 2, 3, 2)); /* exclusive or */
    assert_true(predicate(f, 1, 5, 6, 2, 0, 0));  /* kept */
}

static uint32_t atomic(struct batch *f, unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
    *batch_word(f, BATCH_DATA) = old;
    BATCH_PUT(f, MI_ATOMIC, mi_atomic, .atomic_opcode = op, .inline_data = true,
              .memory_address = BATCH_BASE + BATCH_DATA, .operand1_data_dword_0 = a,
              .operand2_data_dword_0 = b);
    batch_run(f);
    return *batch_word(f, BATCH_DATA);
}

static void test_atomics(void **state)
{
    struct batch *f = *state;
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_ADD, 7, 5, 0), 12);
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_SUB, 7, 5, 0), 2);
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_RSUB, 7, 5, 0), (uint32_t)-2);
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_IMAX, (uint32_t)-1, 5, 0), 5);
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_UMAX, (uint32_t)-1, 5, 0), (uint32_t)-1);
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_CMP_WR, 7, 7, 9), 9);
    assert_int_equal(atomic(f, I965_ATOMIC_OPCODE_CMP_WR, 7, 6, 9), 7);
    *batch_word(f, BATCH_DATA) = UINT32_MAX;
    *batch_word(f, BATCH_DATA + 4) = 1;
    BATCH_PUT(f, MI_ATOMIC, mi_atomic, .atomic_opcode = I965_ATOMIC_OPCODE_INC8B,
              .inline_data = true, .memory_address = BATCH_BASE + BATCH_DATA);
    batch_run(f);
    assert_int_equal(*batch_word(f, BATCH_DATA), 0);
    assert_int_equal(*batch_word(f, BATCH_DATA + 4), 2);
}

static void test_batches(void **state)
{
    struct batch *f = *state;
    f->at = BATCH_SECOND;
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA,
              .immediate_data = 1);
    batch_put_dword(f, 0x05000000);
    f->at = 0;
    /* The second level returns; the third is a jump without return. */
    BATCH_PUT(f, MI_BATCH_BUFFER_START, mi_batch_buffer_start,
              .second_level_batch_buffer = I965_SECOND_LEVEL_BATCH_BUFFER_SECOND_LEVEL_BATCH,
              .batch_buffer_start_address = BATCH_BASE + BATCH_SECOND);
    BATCH_PUT(f, MI_COPY_MEM_MEM, mi_copy_mem_mem, .source_memory_address = BATCH_BASE + BATCH_DATA,
              .destination_memory_address = BATCH_BASE + BATCH_DATA + 4);
    BATCH_PUT(f, MI_BATCH_BUFFER_START, mi_batch_buffer_start,
              .batch_buffer_start_address = BATCH_BASE + BATCH_SECOND);
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA,
              .immediate_data = 2);
    batch_run(f);
    assert_int_equal(*batch_word(f, BATCH_DATA), 1);
    assert_int_equal(*batch_word(f, BATCH_DATA + 4), 1);
    /* Ends the batch if the value in memory is at most the operand. */
    for (unsigned limit = 0; limit < 2; limit++) {
        *batch_word(f, BATCH_DATA + 8) = 0;
        BATCH_PUT(f, MI_CONDITIONAL_BATCH_BUFFER_END, mi_conditional_batch_buffer_end,
                  .compare_address = BATCH_BASE + BATCH_DATA, .compare_data_dword = limit);
        BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA + 8,
                  .immediate_data = 3);
        batch_run(f);
        assert_int_equal(*batch_word(f, BATCH_DATA + 8), limit ? 0 : 3);
    }
}

static void test_semaphores(void **state)
{
    struct batch *f = *state;
    static const struct {
        unsigned operation;
        uint32_t memory;
    } true_conditions[] = {{0, 6}, {1, 5}, {2, 4}, {3, 5}, {4, 5}, {5, 6}};
    for (unsigned i = 0; i < ARRAY_SIZE(true_conditions); i++) {
        *batch_word(f, BATCH_DATA) = true_conditions[i].memory;
        BATCH_PUT(f, MI_SEMAPHORE_WAIT, mi_semaphore_wait,
                  .semaphore_address = BATCH_BASE + BATCH_DATA, .semaphore_data_dword = 5,
                  .compare_operation = true_conditions[i].operation,
                  .wait_mode = I965_WAIT_MODE_POLLING_MODE);
        batch_run(f);
    }
}

/* --- Errors --- */

/* Returns a new context instead of the fixture's. */
static struct i965_model_context *reset(struct batch *f)
{
    i965_model_context_destroy(f->context);
    return i965_model_context_create(f->model);
}

/* Executes the packets so far in a new context, which must be lost with this message. */
static void expect_error(struct batch *f, enum i965_ring ring, const char *text)
{
    f->context = reset(f);
    assert_false(batch_execute(f, ring));
    if (!strstr(f->error, text))
        fail_msg("'%s' instead of '%s'", f->error, text);
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA);
    assert_false(batch_execute(f, I965_RING_RENDER));
    assert_non_null(strstr(f->error, "lost by an earlier batch"));
}

static void test_errors(void **state)
{
    struct batch *f = *state;
    const struct i965_model_memory memory = {batch_find, f};
    batch_put_dword(f, 0x6fff0000);
    expect_error(f, I965_RING_RENDER, "0x7fff00000000: batch: command: 0x6fff0000 is unknown");
    BATCH_PUT(f, 3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, .statistics_enable = true);
    expect_error(f, I965_RING_BLITTER, "unknown to this engine");
    BATCH_PUT(f, 3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, .statistics_enable = true);
    *batch_word(f, 0) |= 2;
    i965_model_set_strict(f->model, true);
    expect_error(f, I965_RING_RENDER, "3DSTATE_VF_STATISTICS: dwords: dword 0: reserved bits");
    i965_model_set_strict(f->model, false);
    BATCH_PUT(f, 3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, .statistics_enable = true);
    *batch_word(f, 0) |= 2;
    f->context = reset(f);
    batch_run(f);
    BATCH_PUT(f, 3DSTATE_CLIP, 3dstate_clip, .clip_enable = true);
    *batch_word(f, 0) |= 8;
    expect_error(f, I965_RING_RENDER, "3DSTATE_CLIP: dwords: the length is");
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_SIZE);
    expect_error(f, I965_RING_RENDER, "MI_STORE_DATA_IMM: Address: no memory");
    BATCH_PUT(f, MI_BATCH_BUFFER_START, mi_batch_buffer_start,
              .batch_buffer_start_address = BATCH_BASE + BATCH_SIZE);
    expect_error(f, I965_RING_RENDER, "batch: address: no memory");
    BATCH_PUT(f, 3DPRIMITIVE, 3dprimitive, .instance_count = 1);
    expect_error(f, I965_RING_RENDER, "3DPRIMITIVE: 3DSTATE_URB_VS: the stage has no entries");
    BATCH_PUT(f, 3DSTATE_INDEX_BUFFER, 3dstate_index_buffer, .index_format = 3);
    BATCH_PUT(f, 3DPRIMITIVE, 3dprimitive, .vertex_access_type = I965_VERTEX_ACCESS_TYPE_RANDOM);
    expect_error(f, I965_RING_RENDER, "3DSTATE_INDEX_BUFFER Index Format: 3 is reserved");
    BATCH_PUT(f, GPGPU_WALKER, gpgpu_walker, .simd_size = 0);
    expect_error(f, I965_RING_RENDER, "GPGPU_WALKER: PIPELINE_SELECT");
    /* The batch ends past its buffer. */
    f->context = reset(f);
    batch_put_dword(f, 0);
    batch_put_dword(f, 0);
    assert_false(i965_model_execute(f->context, &memory, I965_RING_RENDER, BATCH_BASE, 8, f->error,
                                    sizeof f->error));
    assert_non_null(strstr(f->error, "past the batch buffer"));
}

/* Dispatch modes whose payloads the model can't build are errors of the draw. */
static void test_dispatch_modes(void **state)
{
    struct batch *f = *state;
    const struct i965_3dstate_te te = {.te_enable = true};

    for (unsigned i = 0; i < 6; i++) {
        static const char *const text[6] = {
            "3DPRIMITIVE: 3DSTATE_VS SIMD8 Dispatch Enable: SIMD4x2 is not supported",
            "3DPRIMITIVE: 3DSTATE_HS Dispatch Mode: only SINGLE_PATCH is supported",
            "3DPRIMITIVE: 3DSTATE_HS Dispatch Mode: only SINGLE_PATCH is supported",
            "3DPRIMITIVE: 3DSTATE_DS Dispatch Mode: SIMD4X2 is not supported",
            "3DPRIMITIVE: 3DSTATE_GS Dispatch Mode: only SIMD8 is supported",
            "3DPRIMITIVE: 3DSTATE_GS Dispatch Mode: only SIMD8 is supported",
        };
        BATCH_PUT(f, 3DSTATE_URB_VS, 3dstate_urb_vs, .vs_number_of_urb_entries = 64);
        BATCH_PUT(f, 3DSTATE_URB_HS, 3dstate_urb_hs, .hs_number_of_urb_entries = 64);
        BATCH_PUT(f, 3DSTATE_URB_DS, 3dstate_urb_ds, .ds_number_of_urb_entries = 64);
        BATCH_PUT(f, 3DSTATE_URB_GS, 3dstate_urb_gs, .gs_number_of_urb_entries = 64);
        if (i == 0)
            BATCH_PUT(f, 3DSTATE_VS, 3dstate_vs, .enable = true);
        if (i == 1 || i == 2)
            BATCH_PUT(f, 3DSTATE_HS, 3dstate_hs, .enable = true,
                      .dispatch_mode = i == 1 ? I965_HS_DISPATCH_MODE_DUAL_PATCH
                                              : I965_HS_DISPATCH_MODE_8_PATCH);
        if (i == 3) {
            batch_put(f, I965_3DSTATE_TE, &te);
            BATCH_PUT(f, 3DSTATE_DS, 3dstate_ds, .enable = true,
                      .dispatch_mode = I965_DISPATCH_MODE_SIMD4X2);
        }
        if (i >= 4)
            BATCH_PUT(f, 3DSTATE_GS, 3dstate_gs, .enable = true,
                      .dispatch_mode = i == 4 ? I965_GS_DISPATCH_MODE_DUAL_INSTANCE
                                              : I965_GS_DISPATCH_MODE_DUAL_OBJECT);
        BATCH_PUT(f, 3DPRIMITIVE, 3dprimitive, .instance_count = 1);
        expect_error(f, I965_RING_RENDER, text[i]);
    }
}

static void test_endless_batch(void **state)
{
    struct batch *f = *state;
    BATCH_PUT(f, MI_BATCH_BUFFER_START, mi_batch_buffer_start,
              .batch_buffer_start_address = BATCH_BASE);
    expect_error(f, I965_RING_RENDER, "it executes too many commands");
}

/* What the calls of struct i965_model_memory.wait have to do, and what they have seen. */
struct waiter {
    struct batch *fixture; /* Must be first. */
    unsigned calls;
    unsigned end;   /* The call that ends the wait. */
    bool fails;     /* It ends the batch; otherwise it writes a dword. */
    uint32_t value; /* The dword. */
    uint32_t to;    /* Its offset. */
    bool can_preempt;
    bool in_order; /* `count` was the number of earlier calls. */
};

static uint8_t *find_for_waiter(void *vm, uint64_t address, uint64_t *bytes)
{
    return batch_find(((struct waiter *)vm)->fixture, address, bytes);
}

static bool wait_with_waiter(void *vm, uint64_t count, bool can_preempt)
{
    struct waiter *w = vm;
    w->in_order = count == w->calls;
    w->can_preempt = can_preempt;
    if (++w->calls < w->end)
        return true;
    *batch_word(w->fixture, w->to) = w->value;
    return !w->fails;
}

static bool execute_with_waiter(struct batch *f, struct waiter *w)
{
    const struct i965_model_memory memory = {find_for_waiter, w, wait_with_waiter};
    w->fixture = f;
    batch_put_dword(f, 0x05000000);
    f->at = 0;
    f->context = reset(f);
    return i965_model_execute(f->context, &memory, I965_RING_RENDER, BATCH_BASE, 0, f->error,
                              sizeof f->error);
}

static void put_jump(struct batch *f, uint32_t to)
{
    BATCH_PUT(f, MI_BATCH_BUFFER_START, mi_batch_buffer_start,
              .batch_buffer_start_address = BATCH_BASE + to);
}

/* A batch that only jumps waits until its memory changes. */
static void test_idle_loop(void **state)
{
    struct batch *f = *state;
    struct waiter w = {.end = 5000, .value = 0x05000000};
    batch_put_dword(f, 0);
    put_jump(f, 0);
    assert_true(execute_with_waiter(f, &w));
    assert_int_equal(w.calls, 5000);
    assert_true(w.in_order && !w.can_preempt);
    /* The loop has a command that lets other batches preempt it. */
    w = (struct waiter){.end = 5000, .value = 0x05000000};
    batch_put_dword(f, 0x02800000);
    put_jump(f, 0);
    assert_true(execute_with_waiter(f, &w));
    assert_true(w.in_order && w.can_preempt);
    w = (struct waiter){.end = 10, .fails = true};
    batch_put_dword(f, 0);
    put_jump(f, 0);
    assert_false(execute_with_waiter(f, &w));
    assert_int_equal(w.calls, 10);
    assert_non_null(strstr(f->error, "MI_BATCH_BUFFER_START: batch: it makes no progress"));
}

static void test_waiting_for_semaphore(void **state)
{
    struct batch *f = *state;
    struct waiter w = {.end = 30000, .value = 5, .to = BATCH_DATA};
    for (unsigned pass = 0; pass < 2; pass++) {
        BATCH_PUT(f, MI_SEMAPHORE_WAIT, mi_semaphore_wait, .wait_mode = 1,
                  .semaphore_data_dword = 5,
                  .compare_operation = I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_EQUAL_SDD,
                  .semaphore_address = BATCH_BASE + BATCH_DATA);
        assert_int_equal(execute_with_waiter(f, &w), !w.fails);
        assert_int_equal(w.calls, w.end);
        assert_true(w.in_order && w.can_preempt);
        *batch_word(f, BATCH_DATA) = 0;
        w = (struct waiter){.end = 3, .fails = true};
    }
}

/* Batches that have an effect don't wait: neither parts that are chained, nor a loop. */
static void test_loop_with_effect(void **state)
{
    struct batch *f = *state;
    struct waiter w = {.end = 1, .fails = true};
    put_jump(f, BATCH_SECOND);
    f->at = BATCH_SECOND;
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA,
              .immediate_data = 3);
    put_jump(f, BATCH_SECOND + 64);
    f->at = BATCH_SECOND + 64;
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA + 4,
              .immediate_data = 4);
    assert_true(execute_with_waiter(f, &w));
    assert_int_equal(w.calls, 0);
    assert_int_equal(*batch_word(f, BATCH_DATA), 3);
    assert_int_equal(*batch_word(f, BATCH_DATA + 4), 4);
    BATCH_PUT(f, MI_ATOMIC, mi_atomic, .memory_address = BATCH_BASE + BATCH_DATA,
              .atomic_opcode = I965_ATOMIC_OPCODE_INC);
    put_jump(f, 0);
    *batch_word(f, BATCH_DATA) = 0;
    assert_false(execute_with_waiter(f, &w));
    assert_int_equal(w.calls, 0);
    assert_non_null(strstr(f->error, "it executes too many commands"));
    assert_in_range(*batch_word(f, BATCH_DATA), 1 << 19, (1 << 21) + 1);
}

/* --- Blitter --- */

static void blit(struct batch *f)
{
    if (!batch_execute(f, I965_RING_BLITTER))
        fail_msg("%s", f->error);
}

static void test_blits(void **state)
{
    struct batch *f = *state;
    /* Red without alpha, in a linear surface. */
    *batch_word(f, BATCH_DATA + 256 + 4) = 0x55000000;
    BATCH_PUT(f, XY_COLOR_BLT, xy_color_blt, .destination_pitch = 256, .raster_operation = 0xf0,
              .color_depth = I965_BLT_COLOR_DEPTH_32_BIT, .destination_x1 = 1, .destination_y1 = 1,
              .destination_x2 = 3, .destination_y2 = 2,
              .destination_base_address = BATCH_BASE + BATCH_DATA,
              .solid_pattern_color = 0x99ff0000, .write_rgb = true);
    blit(f);
    assert_int_equal(*batch_word(f, BATCH_DATA + 256), 0);
    assert_int_equal(*batch_word(f, BATCH_DATA + 256 + 4), 0x55ff0000);
    assert_int_equal(*batch_word(f, BATCH_DATA + 256 + 8), 0x00ff0000);
    assert_int_equal(*batch_word(f, BATCH_DATA + 256 + 12), 0);
    /* To X tiles: pixel (129, 9) is in the second tile of the second row of tiles. */
    BATCH_PUT(f, XY_SRC_COPY_BLT, xy_src_copy_blt, .source_pitch = 256, .source_x1 = 1,
              .source_y1 = 1, .source_base_address = BATCH_BASE + BATCH_DATA,
              .destination_pitch = 1024 / 4, .destination_tiling_enable = true,
              .destination_base_address = BATCH_BASE + BATCH_DATA + 0x10000, .destination_x1 = 129,
              .destination_y1 = 9, .destination_x2 = 130, .destination_y2 = 10,
              .raster_operation = 0xcc, .color_depth = I965_BLT_COLOR_DEPTH_32_BIT,
              .write_rgb = true, .write_alpha = true);
    blit(f);
    assert_int_equal(*batch_word(f, BATCH_DATA + 0x10000 + 8 * 1024 + 4096 + 512 + 4), 0x55ff0000);
    /* From X to Y tiles: pixel (37, 33): second row of tiles, second tile, second column. */
    BATCH_PUT(f, XY_FAST_COPY_BLT, xy_fast_copy_blt, .source_pitch = 1024 / 4, .source_x1 = 129,
              .source_y1 = 9, .source_tiling_method = I965_BLT_TILING_METHOD_X,
              .source_base_address = BATCH_BASE + BATCH_DATA + 0x10000,
              .destination_pitch = 256 / 4, .destination_tiling_method = I965_BLT_TILING_METHOD_Y,
              .destination_x1 = 37, .destination_y1 = 33, .destination_x2 = 38,
              .destination_y2 = 34, .destination_base_address = BATCH_BASE + BATCH_DATA + 0x20000,
              .color_depth = I965_BLT_FAST_COLOR_DEPTH_32_BIT);
    blit(f);
    assert_int_equal(*batch_word(f, BATCH_DATA + 0x20000 + 32 * 256 + 4096 + 512 + 16 + 4),
                     0x55ff0000);
    /* An exclusive or with the destination, and an overlapping copy to the right. */
    for (unsigned i = 0; i < 4; i++)
        *batch_word(f, BATCH_DATA + 4 * i) = i + 1;
    BATCH_PUT(f, XY_SRC_COPY_BLT, xy_src_copy_blt, .source_pitch = 256,
              .source_base_address = BATCH_BASE + BATCH_DATA, .destination_pitch = 256,
              .destination_base_address = BATCH_BASE + BATCH_DATA, .destination_x1 = 1,
              .destination_x2 = 4, .destination_y2 = 1, .raster_operation = 0xcc,
              .color_depth = I965_BLT_COLOR_DEPTH_32_BIT, .write_rgb = true, .write_alpha = true);
    BATCH_PUT(f, XY_COLOR_BLT, xy_color_blt, .destination_pitch = 256, .raster_operation = 0x5a,
              .color_depth = I965_BLT_COLOR_DEPTH_32_BIT, .destination_x2 = 1, .destination_y2 = 1,
              .destination_base_address = BATCH_BASE + BATCH_DATA, .solid_pattern_color = 0xff,
              .write_rgb = true, .write_alpha = true);
    blit(f);
    const uint32_t expected[] = {0xfe, 1, 2, 3};
    assert_memory_equal(batch_word(f, BATCH_DATA), expected, sizeof expected);
}

/* --- Primitive assembly --- */

static char assembled[400];

static bool receive(struct model_draw *draw, const struct model_object *object)
{
    size_t length = strlen(assembled);
    for (unsigned i = 0; i < object->count && length + 8 < sizeof assembled; i++)
        length += (size_t)snprintf(assembled + length, 8, "%s%u%s",
                                   i        ? " "
                                   : length ? ", "
                                            : "",
                                   object->v[i].oword, object->provoking == i ? "*" : "");
    return true;
}

static const char *assemble(unsigned topology, bool trailing, unsigned count)
{
    struct model_assembler a = {.receive = receive,
                                .trailing = trailing,
                                .select_fan = trailing ? 2 : 1,
                                .select_strip = trailing ? 2 : 0,
                                .select_line = trailing};
    assembled[0] = '\0';
    model_assemble_start(&a, topology);
    for (unsigned i = 0; i < count; i++)
        assert_true(model_assemble_vertex(&a, (struct model_vue){i, true}));
    assert_true(model_assemble_cut(&a));
    return assembled;
}

/* The vertices of each primitive in order; a star marks the provoking one. */
static void test_assembly(void **state)
{
    static const struct {
        unsigned topology;
        bool trailing;
        unsigned count;
        const char *expected;
    } rows[] = {
        {I965_PRIMITIVE_TOPOLOGY_TYPE_POINTLIST, true, 2, "0*, 1*"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_LINELIST, true, 5, "0 1*, 2 3*"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_LINESTRIP, false, 3, "0* 1, 1* 2"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_LINELOOP, true, 3, "0 1*, 1 2*, 2 0*"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_LINELIST_ADJ, true, 4, "0 1 2* 3"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_LINESTRIP_ADJ, false, 5, "0 1* 2 3, 1 2* 3 4"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRILIST, true, 7, "0 1 2*, 3 4 5*"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRISTRIP, true, 5, "0 1 2*, 2 1 3*, 2 3 4*"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRISTRIP, false, 4, "0* 1 2, 1* 3 2"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRISTRIP_REVERSE, false, 4, "0* 2 1, 1* 2 3"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRIFAN, true, 4, "0 1 2*, 0 2 3*"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRIFAN, false, 4, "0 1* 2, 0 2* 3"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_POLYGON, true, 5, "0* 1 2, 0* 2 3, 0* 3 4"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_QUADLIST, true, 5, "3* 0 1, 3* 1 2"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_QUADSTRIP, true, 6, "3* 2 0, 3* 0 1, 5* 4 2, 5* 2 3"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_RECTLIST, true, 3, "0* 1 2"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRILIST_ADJ, true, 6, "0 1 2 3 4* 5"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRISTRIP_ADJ, true, 6, "0 1 2 5 4* 3"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRISTRIP_ADJ, true, 8, "0 1 2 6 4* 3, 4 0 2 5 6* 7"},
        {I965_PRIMITIVE_TOPOLOGY_TYPE_TRISTRIP_ADJ, false, 10,
         "0* 1 2 6 4 3, 2* 5 6 8 4 0, 4* 2 6 9 8 7"},
        {MODEL_PATCHLIST_1 + 3, true, 8, "0* 1 2 3, 4* 5 6 7"},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        assert_string_equal(assemble(rows[i].topology, rows[i].trailing, rows[i].count),
                            rows[i].expected);
}

/* A context has memory for the pipelines only after their first command. */
static void test_small_context(void **state)
{
    struct batch *f = *state;
    BATCH_PUT(f, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA,
              .immediate_data = 7);
    batch_run(f);
    assert_null(f->context->base.geometry);
    assert_null(f->context->base.pixel);
    BATCH_PUT(f, PIPE_CONTROL, pipe_control, .command_streamer_stall_enable = 1);
    batch_run(f);
    assert_non_null(f->context->base.geometry);
    assert_non_null(f->context->base.pixel);
}

/* --- Vertex fetch --- */

/* Fetches one element from memory. */
static void fetch(struct batch *f, uint32_t format, const void *data, size_t size, uint32_t out[4])
{
    struct model_context *ctx = &f->context->base;
    const struct i965_model_memory memory = {batch_find, f};
    if (!ctx->geometry)
        assert_true(model_geometry_create(ctx));
    struct model_draw *draw = &ctx->geometry->draw;
    unsigned dwords;
    bool edge;
    memset(draw, 0, sizeof *draw);
    draw->ctx = ctx;
    draw->start_vertex = 2;
    ctx->memory = &memory;
    memset(ctx->mapping, 0, sizeof ctx->mapping);
    ctx->error = f->error;
    ctx->error_size = sizeof f->error;
    ctx->packet_name = "test";
    ctx->state.vertex_elements = (struct i965_3dstate_vertex_elements){
        .num_element = 1,
        .element = {{.source_element_offset = 4,
                     .source_element_format = format,
                     .valid = true,
                     .vertex_buffer_index = 3,
                     .component_0_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
                     .component_1_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
                     .component_2_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
                     .component_3_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC}}};
    ctx->state.vertex_buffer[3] =
        (struct i965_vertex_buffer_state){.buffer_pitch = 64,
                                          .buffer_starting_address = BATCH_BASE + BATCH_DATA,
                                          .buffer_size = 64 * 4};
    memcpy(batch_word(f, BATCH_DATA + 64 * 3 + 4), data, size);
    if (!model_fetch_check(draw, &dwords) || !model_fetch_vertex(draw, 1, 0, out, &edge))
        fail_msg("%s", f->error);
    assert_int_equal(dwords, 4);
}

static void test_fetch(void **state)
{
    static const struct {
        uint32_t format;
        uint8_t bytes[32];
        float expected[4];
    } rows[] = {
        {I965_SURFACE_FORMAT_R8G8B8A8_UNORM, {255, 0, 51, 255}, {1, 0, 0.2f, 1}},
        {I965_SURFACE_FORMAT_B8G8R8A8_UNORM, {255, 0, 51, 255}, {0.2f, 0, 1, 1}},
        {I965_SURFACE_FORMAT_R8G8_SNORM, {0x80, 0x7f}, {-1, 1, 0, 1}},
        {I965_SURFACE_FORMAT_R16G16_SSCALED, {0xff, 0xff, 2, 1}, {-1, 258, 0, 1}},
        {I965_SURFACE_FORMAT_R16G16B16_FLOAT, {0, 0x3c, 0, 0xc0, 0, 0x38}, {1, -2, 0.5f, 1}},
        {I965_SURFACE_FORMAT_R32G32_FLOAT, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, {1, -2, 0, 1}},
        {I965_SURFACE_FORMAT_R32_SFIXED, {0, 0x80, 0xff, 0xff}, {-0.5f, 0, 0, 1}},
        {I965_SURFACE_FORMAT_R64_FLOAT, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, {1, 0, 0, 1}},
        /* 1023, 0, 1023, 3; 511, -512, 1, -1; 1.0, 2.0, 0.5 */
        {I965_SURFACE_FORMAT_R10G10B10A2_UNORM, {0xff, 0x03, 0xf0, 0xff}, {1, 0, 1, 1}},
        {I965_SURFACE_FORMAT_R10G10B10A2_SSCALED, {0xff, 0x01, 0x18, 0xc0}, {511, -512, 1, -1}},
        {I965_SURFACE_FORMAT_R11G11B10_FLOAT, {0xc0, 0x03, 0x20, 0x70}, {1, 2, 0.5f, 1}},
    };
    struct batch *f = *state;
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        float out[4];
        uint32_t words[4];
        fetch(f, rows[i].format, rows[i].bytes, sizeof rows[i].bytes, words);
        memcpy(out, words, sizeof out);
        for (unsigned c = 0; c < 4; c++) {
            if (out[c] != rows[i].expected[c])
                fail_msg("format %u, component %u: %g", rows[i].format, c, (double)out[c]);
        }
    }
    uint32_t words[4];
    const uint32_t none[4] = {0}, ints[] = {(uint32_t)-3, 5, 0, 1};
    fetch(f, I965_SURFACE_FORMAT_R8G8_SINT, (uint8_t[]){0xfd, 5}, 2, words);
    assert_memory_equal(words, ints, sizeof ints);
    /* Past the end of the buffer. */
    struct model_draw *draw = &f->context->base.geometry->draw;
    bool edge;
    assert_true(model_fetch_vertex(draw, 2, 0, words, &edge));
    assert_memory_equal(words, none, sizeof none);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, batch_setup, batch_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_many_registers),
        TEST(test_stores),
        TEST(test_registers),
        TEST(test_math),
        TEST(test_predicates),
        TEST(test_atomics),
        TEST(test_batches),
        TEST(test_semaphores),
        TEST(test_errors),
        TEST(test_dispatch_modes),
        TEST(test_blits),
        TEST(test_assembly),
        TEST(test_small_context),
        TEST(test_fetch),
        TEST(test_endless_batch),
        TEST(test_idle_loop),
        TEST(test_waiting_for_semaphore),
        TEST(test_loop_with_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
