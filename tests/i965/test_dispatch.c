/* SPDX-License-Identifier: MIT */
/*
 * Compute shaders from NIR to memory: groups of several threads with shared memory and barriers, at
 * each width, with the payload of i965_abi.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "i965_driver.h"
#include "nir/nir_builder.h"

enum { GROUP = 40, GROUPS_X = 3, GROUPS_Y = 2, COUNT = GROUP * GROUPS_X * GROUPS_Y };

/* out[i] = in[mirrored i within the group] + uniform + number of groups in x; the group's sum
 * follows. */
static nir_shader *mirror_shader(const struct i965_device *dev)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &i965_nir_options, "mirror");

    b.shader->info.cs.workgroup_size[0] = GROUP;
    b.shader->info.cs.workgroup_size[1] = b.shader->info.cs.workgroup_size[2] = 1;
    b.shader->info.cs.shared_size = (GROUP + 1) * 4;
    nir_def *local = nir_load_local_invocation_index(&b), *group = nir_load_workgroup_id(&b);
    nir_def *row = nir_imul_imm(&b, nir_channel(&b, group, 1), GROUPS_X);
    nir_def *number = nir_iadd(&b, nir_channel(&b, group, 0), row);
    nir_def *global = nir_iadd(&b, nir_imul_imm(&b, number, GROUP), local);
    nir_def *value =
        nir_load_ssbo(&b, 1, 32, nir_imm_int(&b, 0), nir_ishl_imm(&b, global, 2), .align_mul = 4);

    nir_store_shared(&b, value, nir_ishl_imm(&b, local, 2), .write_mask = 1, .align_mul = 4);
    nir_shared_atomic(&b, 32, nir_imm_int(&b, GROUP * 4), value, .atomic_op = nir_atomic_op_iadd);
    nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
                .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_mem_shared);
    nir_def *other = nir_isub(&b, nir_imm_int(&b, GROUP - 1), local);
    nir_def *mirrored = nir_load_shared(&b, 1, 32, nir_ishl_imm(&b, other, 2), .align_mul = 4);
    nir_def *sum = nir_load_shared(&b, 1, 32, nir_imm_int(&b, GROUP * 4), .align_mul = 4);
    nir_def *uniform = nir_load_uniform(&b, 1, 32, nir_imm_int(&b, 0), .base = 32, .range = 4,
                                        .dest_type = nir_type_int32);
    nir_def *groups = nir_channel(&b, nir_load_num_workgroups(&b), 0);
    nir_def *result[2] = {nir_iadd(&b, nir_iadd(&b, mirrored, uniform), groups), sum};
    nir_store_ssbo(&b, nir_vec(&b, result, 2), nir_imm_int(&b, 1), nir_ishl_imm(&b, global, 3),
                   .write_mask = 3, .align_mul = 4);
    nir_shader_gather_info(b.shader);
    return b.shader;
}

static void run_mirror(unsigned width)
{
    /* Narrower kernels would need more threads than the hardware has. */
    struct i965_device skl = *i965_device_by_name("skl"), *dev = &skl;
    const struct i965_key key = {.max_width = width};
    static const uint32_t grid[3] = {GROUPS_X, GROUPS_Y, 1};
    uint32_t uniforms[16] = {[8] = 7000}, in[COUNT], out[COUNT][2];
    struct watchdog_stop stop = {0};
    struct cpu_stage_state state = {
        .stop = &stop,
        .constant[0] = {(uint8_t *)uniforms, sizeof uniforms},
        .storage = {{(uint8_t *)in, sizeof in}, {(uint8_t *)out, sizeof out}}};
    struct i965_runnable run;
    skl.max_cs_threads = DIV_ROUND_UP(GROUP, width);
    nir_shader *nir = mirror_shader(dev);

    for (unsigned i = 0; i < COUNT; i++)
        in[i] = i * i + 1;
    memset(out, 0, sizeof out);
    assert_true(i965_runnable_init(&run, dev, nir, &key, width));
    assert_int_equal(run.kernel->width, width);
    for (uint32_t y = 0; y < GROUPS_Y; y++) {
        struct cpu_cs_args args = {.state = &state, .group = {0, y, 0}, .count = GROUPS_X};
        memcpy(args.num_groups, grid, sizeof grid);
        assert_true(i965_groups_run(&run, &args, NULL));
    }
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned first = i / GROUP * GROUP;
        uint32_t sum = 0;
        for (unsigned k = first; k < first + GROUP; k++)
            sum += in[k];
        assert_int_equal(out[i][0], in[first + GROUP - 1 - (i - first)] + 7000 + GROUPS_X);
        assert_int_equal(out[i][1], sum);
    }
    i965_runnable_finish(&run);
    nir_shader_destroy(nir);
}

static void test_compute_simd8(void **state)
{
    run_mirror(8);
}

static void test_compute_simd16(void **state)
{
    run_mirror(16);
}

static void test_compute_simd32(void **state)
{
    run_mirror(32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compute_simd8),
        cmocka_unit_test(test_compute_simd16),
        cmocka_unit_test(test_compute_simd32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
