/* SPDX-License-Identifier: MIT */
/* GPGPU_WALKER: groups on several host threads; strict models; traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/i965/eu.h"
#include "model_batch.h"

enum {
    TABLE = 0x10000,
    SURFACE = 0x10040,
    DESCRIPTOR = 0x11000,
    CURBE = 0x11100,
    KERNEL = 0x12000,
    WIDTH = 9, /* Groups. */
    HEIGHT = 7,
    DEPTH = 5,
    GROUPS = WIDTH * HEIGHT * DEPTH,
};

static struct eu_reg grf(unsigned nr, unsigned subnr, bool scalar)
{
    return (struct eu_reg){.file = EU_FILE_GRF,
                           .type = EU_TYPE_UD,
                           .nr = (uint8_t)nr,
                           .subnr = (uint8_t)subnr,
                           .vstride = scalar ? 0 : 8,
                           .width = scalar ? 1 : 8,
                           .hstride = scalar ? 0 : 1};
}

static struct eu_inst alu(enum eu_opcode opcode, struct eu_reg dst, struct eu_reg a,
                          struct eu_reg b)
{
    dst.vstride = dst.width = 0;
    dst.hstride = 1;
    return (struct eu_inst){.opcode = opcode, .exec_size = 8, .dst = dst, .src = {a, b}};
}

static struct eu_reg immediate(uint32_t value)
{
    return (struct eu_reg){.file = EU_FILE_IMM, .type = EU_TYPE_UD, .imm = value};
}

static struct eu_inst message(enum eu_sfid sfid, uint32_t desc, unsigned payload, unsigned answer)
{
    return (struct eu_inst){.opcode = EU_OPCODE_SEND,
                            .exec_size = 8,
                            .sfid = sfid,
                            .eot = sfid == EU_SFID_THREAD_SPAWNER,
                            .desc = desc,
                            .dst = {.file = answer ? EU_FILE_GRF : EU_FILE_ARF,
                                    .type = EU_TYPE_UD,
                                    .nr = (uint8_t)answer,
                                    .hstride = 1},
                            .src = {grf(payload, 0, false)}};
}

static void encode(struct batch *b, const struct eu_inst *code, unsigned count)
{
    const char *error;
    uint64_t word[2];

    for (unsigned i = 0; i < count; i++) {
        if (!eu_encode(i965_device_by_name("skl"), &code[i], word, &error))
            fail_msg("instruction %u: %s", i, error);
        memcpy(b->bytes + KERNEL + 16 * i, word, sizeof word);
    }
}

/* Writes r1.0 · x + r1.1 · y + r1.2 · z, the byte offset of a group, or what an atomic increment of
 * word 0 returns, to that offset. */
static void put_kernel(struct batch *b, bool atomic)
{
    const uint32_t simd8 = 2 << 12, x = 0xe << 8;
    const struct eu_inst code[] = {
        alu(EU_OPCODE_MUL, grf(10, 0, false), grf(0, 4, true), grf(1, 0, true)),
        alu(EU_OPCODE_MUL, grf(12, 0, false), grf(0, 24, true), grf(1, 4, true)),
        alu(EU_OPCODE_ADD, grf(10, 0, false), grf(10, 0, false), grf(12, 0, false)),
        alu(EU_OPCODE_MUL, grf(12, 0, false), grf(0, 28, true), grf(1, 8, true)),
        alu(EU_OPCODE_ADD, grf(10, 0, false), grf(10, 0, false), grf(12, 0, false)),
        alu(EU_OPCODE_ADD, grf(11, 0, false), grf(10, 0, false), immediate(0)),
        alu(EU_OPCODE_MUL, grf(12, 0, false), grf(10, 0, false), immediate(0)),
        atomic ? message(EU_SFID_DATA_CACHE1, 2u << 14 | 3u << 12 | 5u << 8 | 1u << 25 | 1u << 20,
                         12, 11)
               : alu(EU_OPCODE_ADD, grf(12, 0, false), grf(10, 0, false), immediate(0)),
        alu(EU_OPCODE_ADD, grf(10, 0, false), grf(10, 0, false), immediate(4)),
        message(EU_SFID_DATA_CACHE1, 9u << 14 | simd8 | x | 2u << 25, 10, 0),
        message(EU_SFID_THREAD_SPAWNER, 1u << 25, 127, 0),
    };

    encode(b, code, sizeof code / sizeof code[0]);
}

static void put_state(struct batch *b, uint32_t pipeline)
{
    BATCH_PUT(b, PIPELINE_SELECT, pipeline_select, .mask_bits = 3, .pipeline_selection = pipeline);
    BATCH_PUT(
        b, STATE_BASE_ADDRESS, state_base_address, .surface_state_base_address_modify_enable = true,
        .surface_state_base_address = BATCH_BASE + 0x10000,
        .dynamic_state_base_address_modify_enable = true, .dynamic_state_base_address = BATCH_BASE,
        .dynamic_state_buffer_size_modify_enable = true, .dynamic_state_buffer_size = 0x100,
        .instruction_base_address_modify_enable = true, .instruction_base_address = BATCH_BASE,
        .instruction_buffer_size_modify_enable = true, .instruction_buffer_size = 0x100,
        .indirect_object_base_address_modify_enable = true,
        .indirect_object_base_address = BATCH_BASE,
        .indirect_object_buffer_size_modify_enable = true, .indirect_object_buffer_size = 0x100);
    BATCH_PUT(b, MEDIA_VFE_STATE, media_vfe_state, .maximum_number_of_threads = 1);
    BATCH_PUT(b, MEDIA_CURBE_LOAD, media_curbe_load, .curbe_total_data_length = 64,
              .curbe_data_start_address = CURBE);
    BATCH_PUT(b, MEDIA_INTERFACE_DESCRIPTOR_LOAD, media_interface_descriptor_load,
              .interface_descriptor_total_length = 32,
              .interface_descriptor_data_start_address = DESCRIPTOR);
}

/* Fills memory and appends a walker with a number of groups in each direction. */
static void put_groups(struct batch *b, bool atomic, unsigned x, unsigned y, unsigned z)
{
    const uint32_t strides[3] = {4, 4 * WIDTH, 4 * WIDTH * HEIGHT};
    const uint32_t size = 4 * (GROUPS + 1) - 1;

    put_kernel(b, atomic);
    memcpy(b->bytes + CURBE, strides, sizeof strides);
    batch_pack(
        b, SURFACE, I965_RENDER_SURFACE_STATE,
        &(struct i965_render_surface_state){.surface_type = I965_SURFACE_TYPE_SURFTYPE_BUFFER,
                                            .surface_format = I965_SURFACE_FORMAT_RAW,
                                            .width = size & 127,
                                            .height = size >> 7 & 16383,
                                            .surface_base_address = BATCH_BASE + BATCH_DATA});
    batch_pack(
        b, DESCRIPTOR, I965_INTERFACE_DESCRIPTOR_DATA,
        &(struct i965_interface_descriptor_data){.kernel_start_pointer = KERNEL,
                                                 .binding_table_pointer = TABLE - 0x10000,
                                                 .cross_thread_constant_data_read_length = 1,
                                                 .number_of_threads_in_gpgpu_thread_group = 1});
    *batch_word(b, TABLE) = SURFACE - 0x10000;
    put_state(b, I965_PIPELINE_SELECTION_GPGPU);
    BATCH_PUT(b, GPGPU_WALKER, gpgpu_walker, .simd_size = I965_SIMD_SIZE_SIMD8,
              .thread_group_id_x_dimension = x, .thread_group_id_y_dimension = y,
              .thread_group_id_z_dimension = z, .right_execution_mask = 1,
              .bottom_execution_mask = UINT32_MAX);
}

static void put_walker(struct batch *b, bool atomic)
{
    put_groups(b, atomic, WIDTH, HEIGHT, DEPTH);
}

/* Each group writes its offset, and is counted once. */
static void test_groups(void **state)
{
    struct batch *b = *state;

    put_walker(b, false);
    batch_store(b, 0x2290, BATCH_DATA + 0x8000);
    batch_run(b);
    for (unsigned i = 0; i < GROUPS; i++)
        assert_int_equal(*batch_word(b, BATCH_DATA + 4 + 4 * i), 4 * i);
    assert_int_equal(*batch_word(b, BATCH_DATA + 0x8000), GROUPS);
}

/* Groups whose results depend on the order run in the order of their numbers. */
static void test_order(void **state)
{
    struct batch *b = *state;

    put_walker(b, true);
    batch_run(b);
    assert_int_equal(*batch_word(b, BATCH_DATA), GROUPS);
    for (unsigned i = 0; i < GROUPS; i++)
        assert_int_equal(*batch_word(b, BATCH_DATA + 4 + 4 * i), i);
}

/* The error of the first group is reported, whichever thread runs it. */
static void test_error(void **state)
{
    struct batch *b = *state;

    put_walker(b, false);
    *batch_word(b, TABLE) = 0x90000000; /* No memory. */
    assert_false(batch_execute(b, I965_RING_RENDER));
    assert_non_null(strstr(b->error, "GPGPU_WALKER: RENDER_SURFACE_STATE: no memory"));
}

/* --- Media threads --- */

/* The kernel of a media thread finds constants, inline data and indirect data one after another. It
 * stores the last constant, and the first dwords of the data. */
static void test_media_object(void **state)
{
    struct batch *b = *state;
    const uint32_t simd8 = 2 << 12, x = 0xe << 8;
    const struct eu_inst code[] = {
        alu(EU_OPCODE_ADD, grf(10, 0, false), grf(2, 0, true), immediate(0)),
        alu(EU_OPCODE_ADD, grf(11, 0, false), grf(1, 28, true), immediate(0)),
        message(EU_SFID_DATA_CACHE1, 9u << 14 | simd8 | x | 2u << 25, 10, 0),
        alu(EU_OPCODE_ADD, grf(10, 0, false), grf(10, 0, false), immediate(4)),
        alu(EU_OPCODE_ADD, grf(11, 0, false), grf(2, 4, true), immediate(0)),
        message(EU_SFID_DATA_CACHE1, 9u << 14 | simd8 | x | 2u << 25, 10, 0),
        alu(EU_OPCODE_ADD, grf(10, 0, false), grf(10, 0, false), immediate(4)),
        alu(EU_OPCODE_ADD, grf(11, 0, false), grf(3, 0, true), immediate(0)),
        message(EU_SFID_DATA_CACHE1, 9u << 14 | simd8 | x | 2u << 25, 10, 0),
        message(EU_SFID_THREAD_SPAWNER, 1u << 25, 127, 0),
    };
    const uint32_t indirect = BATCH_DATA + 0x1000;

    put_walker(b, false); /* Fills memory. */
    batch_pack(b, DESCRIPTOR, I965_INTERFACE_DESCRIPTOR_DATA,
               &(struct i965_interface_descriptor_data){.kernel_start_pointer = KERNEL,
                                                        .constant_urb_entry_read_length = 1});
    encode(b, code, sizeof code / sizeof code[0]);
    *batch_word(b, CURBE + 28) = 0x1111;
    *batch_word(b, indirect) = 0x3333;
    b->at = 0;
    put_state(b, I965_PIPELINE_SELECTION_MEDIA);
    BATCH_PUT(b, MEDIA_OBJECT, media_object, .num_inline_data = 2, .inline_data = {16, 0x2222},
              .indirect_data_length = 4, .indirect_data_start_address = indirect);
    batch_run(b);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(*batch_word(b, BATCH_DATA + 16 + 4 * i), 0x1111 * (i + 1));
    put_state(b, I965_PIPELINE_SELECTION_GPGPU);
    BATCH_PUT(b, MEDIA_OBJECT, media_object, .num_inline_data = 0);
    assert_false(batch_execute(b, I965_RING_RENDER));
    assert_non_null(strstr(b->error, "MEDIA_OBJECT: PIPELINE_SELECT: the media pipeline"));
}

/* --- Floating-point modes --- */

/* Multiplies a denormal constant by 1, which stores 0 unless the state keeps denormals. */
static void test_denormals(void **state)
{
    struct batch *b = *state;
    const uint32_t simd8 = 2 << 12, x = 0xe << 8;
    struct eu_inst code[] = {
        alu(EU_OPCODE_MUL, grf(11, 0, false), grf(1, 28, true), grf(1, 24, true)),
        alu(EU_OPCODE_MUL, grf(10, 0, false), grf(0, 4, true), immediate(4)),
        message(EU_SFID_DATA_CACHE1, 9u << 14 | simd8 | x | 2u << 25, 10, 0),
        message(EU_SFID_THREAD_SPAWNER, 1u << 25, 127, 0),
    };

    code[0].dst.type = code[0].src[0].type = code[0].src[1].type = EU_TYPE_F;
    for (unsigned mode = 0; mode < 2; mode++) {
        put_groups(b, false, 1, 1, 1);
        batch_pack(
            b, DESCRIPTOR, I965_INTERFACE_DESCRIPTOR_DATA,
            &(struct i965_interface_descriptor_data){.kernel_start_pointer = KERNEL,
                                                     .denorm_mode = mode,
                                                     .cross_thread_constant_data_read_length = 1,
                                                     .number_of_threads_in_gpgpu_thread_group = 1});
        encode(b, code, sizeof code / sizeof code[0]);
        *batch_word(b, CURBE + 24) = 0x3f800000;
        *batch_word(b, CURBE + 28) = 0x12345;
        *batch_word(b, BATCH_DATA) = 1;
        batch_run(b);
        assert_int_equal(*batch_word(b, BATCH_DATA), mode ? 0x12345 : 0);
    }
}

/* --- Strict models and traces --- */

/* Replaces the model and the context by a strict one. */
static void make_strict(struct batch *b)
{
    i965_model_context_destroy(b->context);
    i965_model_set_strict(b->model, true);
    b->context = i965_model_context_create(b->model);
    assert_non_null(b->context);
}

static void expect_strict_error(struct batch *b, const char *text)
{
    if (batch_execute(b, I965_RING_RENDER) || !strstr(b->error, text))
        fail_msg("expected \"%s\", not \"%s\"", text, b->error);
}

/* The command streamer writes the first dword of a state, or a kernel or constants, with its old
 * value. Then the walker reads it, if the cache was invalidated or not. */
static void check_store(struct batch *b, uint32_t at, const struct i965_pipe_control *invalidation,
                        const char *error)
{
    for (unsigned invalidates = 0; invalidates < 2; invalidates++) {
        make_strict(b);
        put_walker(b, false); /* Fills memory. */
        b->at = 0;
        BATCH_PUT(b, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + at,
                  .immediate_data = *batch_word(b, at));
        if (invalidates)
            batch_put(b, I965_PIPE_CONTROL, invalidation);
        put_walker(b, false);
        if (invalidates)
            batch_run(b);
        else
            expect_strict_error(b, error);
    }
}

static void test_strict_invalidation(void **state)
{
    const struct i965_pipe_control state_cache = {.state_cache_invalidation_enable = true};
    const struct i965_pipe_control instructions = {.instruction_cache_invalidate_enable = true};

    check_store(*state, SURFACE, &state_cache,
                "GPGPU_WALKER: memory: the state cache reads 0x7fff00010040, which the command "
                "streamer wrote, without PIPE_CONTROL: State Cache Invalidation Enable");
    check_store(*state, TABLE, &state_cache, "State Cache Invalidation Enable");
    check_store(
        *state, KERNEL, &instructions,
        "GPGPU_WALKER: memory: the instruction cache reads 0x7fff00012000, which the "
        "command streamer wrote, without PIPE_CONTROL: Instruction Cache Invalidate Enable");
}

/* The command streamer reads what a kernel wrote. */
static void test_strict_flush(void **state)
{
    struct batch *b = *state;

    for (unsigned flushes = 0; flushes < 2; flushes++) {
        make_strict(b);
        put_walker(b, false);
        if (flushes)
            BATCH_PUT(b, PIPE_CONTROL, pipe_control, .dc_flush_enable = true,
                      .command_streamer_stall_enable = true);
        BATCH_PUT(b, MI_LOAD_REGISTER_MEM, mi_load_register_mem, .register_address = BATCH_GPR(0),
                  .memory_address = BATCH_BASE + BATCH_DATA + 4);
        if (flushes)
            batch_run(b);
        else
            expect_strict_error(b, "MI_LOAD_REGISTER_MEM: memory: the command streamer reads "
                                   "0x7fff00080004, which the data cache wrote, without "
                                   "PIPE_CONTROL: DC Flush Enable");
    }
}

/* Memory from BATCH_DATA on was never written. */
static bool is_written(void *vm, uint64_t address)
{
    return address < BATCH_BASE + BATCH_DATA;
}

static void test_strict_unwritten(void **state)
{
    struct batch *b = *state;
    const struct i965_model_memory memory = {batch_find, b, NULL, is_written};

    for (unsigned i = 0; i < 4; i++) {
        const bool writes = i & 1, silent = i & 2; /* silent: the caller wants no message. */
        make_strict(b);
        if (writes)
            BATCH_PUT(b, MI_STORE_DATA_IMM, mi_store_data_imm, .address = BATCH_BASE + BATCH_DATA);
        BATCH_PUT(b, MI_LOAD_REGISTER_MEM, mi_load_register_mem, .register_address = BATCH_GPR(0),
                  .memory_address = BATCH_BASE + BATCH_DATA);
        batch_put_dword(b, 0x05000000);
        b->at = 0;
        assert_int_equal(i965_model_execute(b->context, &memory, I965_RING_RENDER, BATCH_BASE, 0,
                                            silent ? NULL : b->error, silent ? 0 : sizeof b->error),
                         writes);
        if (!writes && !silent)
            assert_non_null(strstr(b->error, "0x7fff00000000: MI_LOAD_REGISTER_MEM: memory: the "
                                             "command streamer reads 0x7fff00080000, which was "
                                             "never written"));
    }
}

/* The trace has packets with fields, the state, what it points to, and the kernel. */
static void test_trace(void **state)
{
    static const char *const lines[] = {
        "0x7fff00000000: PIPELINE_SELECT\n    Pipeline Selection: 2 (GPGPU)",
        "  state of GPGPU_WALKER at 0x7fff",
        "    surface state base: 0x7fff00010000",
        "    MEDIA_VFE_STATE\n",
        "    kernel at 0x7fff00012000:\n",
        "mul (8",
        "    at 0x7fff00010040: RENDER_SURFACE_STATE\n",
        "        Surface Base Address: 0x7fff00080000\n",
        "MI_BATCH_BUFFER_END\n",
    };
    struct batch *b = *state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    i965_model_set_trace(b->model, out, -1, -1);
    put_walker(b, false);
    batch_run(b);
    fclose(out);
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (!strstr(text, lines[i]))
            fail_msg("the trace has no \"%s\"", lines[i]);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_groups, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_order, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_error, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_media_object, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_denormals, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_strict_invalidation, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_strict_flush, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_strict_unwritten, batch_setup, batch_teardown),
        cmocka_unit_test_setup_teardown(test_trace, batch_setup, batch_teardown),
    };

    setenv("INDIUM_DEBUG", "threads", 1);
    setenv("INDIUM_THREADS", "5", 1);
    return cmocka_run_group_tests_name("model compute", tests, NULL, NULL);
}
