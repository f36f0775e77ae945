/* SPDX-License-Identifier: MIT */
/* Tests of passes over memory accesses and their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "nir_mod_analysis.h"
#include "nir_test.h"

static const nir_variable_mode buffers = nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared;

/* Returns the offset of a 16-byte struct selected by an input, bounded like an array index. */
static nir_def *element(nir_builder *b)
{
    return nir_imul_imm(b, nir_umin_imm(b, test_input(b, 1), 7), 16);
}

static nir_def *load(nir_builder *b, unsigned n, nir_def *offset, unsigned access)
{
    return nir_load_ssbo(b, n, 32, nir_imm_int(b, 0), offset, .access = access, .align_mul = 4);
}

static void store(nir_builder *b, nir_def *value, nir_def *offset)
{
    nir_store_ssbo(b, value, nir_imm_int(b, 0), offset, .align_mul = 4);
}

/* Checks that both shaders give the same outputs and memory contents. */
static void check_memory(nir_shader *before, nir_shader *after, struct test_memory *last)
{
    for (unsigned input = 0; input < 12; input++) {
        struct test_memory m[2] = {0};
        struct nir_eval eval[2] = {0};
        nir_shader *shaders[2] = {before, after};
        for (unsigned i = 0; i < 2; i++) {
            for (unsigned byte = 0; byte < sizeof m[i].bytes; byte++)
                m[i].bytes[byte] = (uint8_t)(byte * 37 + 11);
            eval[i].inputs[0][0] = input;
            eval[i].inputs[0][1] = 0xabcdef01;
            eval[i].intrinsic = test_memory_intrinsic;
            eval[i].data = &m[i];
            test_evaluate(&eval[i], shaders[i]);
        }
        assert_memory_equal(eval[0].outputs, eval[1].outputs, sizeof eval[0].outputs);
        assert_memory_equal(m[0].bytes, m[1].bytes, sizeof m[0].bytes);
        *last = m[1];
    }
}

static void vectorize(nir_builder *b, unsigned loads, unsigned stores)
{
    struct test_memory last;
    nir_shader *before = nir_shader_clone(NULL, b->shader);
    RUN(b, nir_opt_load_store_vectorize, buffers, 16);
    while (nir_opt_load_store_vectorize(b->shader, buffers, 16))
        ;
    check_memory(before, b->shader, &last);
    assert_int_equal(last.loads, loads);
    assert_int_equal(last.stores, stores);
    nir_shader_destroy(before);
    nir_shader_destroy(b->shader);
}

/* In any order and overlapping, but at most 16 bytes at a time. */
static void test_vectorize_loads(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    static const unsigned offsets[] = {8, 4, 12, 0, 16, 8};
    nir_def *at = element(&b);
    for (unsigned i = 0; i < ARRAY_SIZE(offsets); i++)
        test_output(&b, load(&b, i == 5 ? 2 : 1, nir_iadd_imm(&b, at, offsets[i]), 0), i);
    vectorize(&b, 2, 0);
}

static void test_vectorize_stores(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *at = element(&b), *x = nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .component = 1);
    store(&b, x, nir_iadd_imm(&b, at, 4));
    store(&b, nir_vec2(&b, x, nir_imm_int(&b, 5)), nir_iadd_imm(&b, at, 8));
    store(&b, nir_imm_int(&b, 6), nir_iadd_imm(&b, at, 8)); /* overwrites the store */
    store(&b, nir_imm_int(&b, 7), at);
    vectorize(&b, 0, 1);
}

static void test_vectorize_kinds(void **state)
{
    nir_builder b = test_shader(SHADER_COMPUTE);
    nir_def *at = element(&b), *zero = nir_imm_int(&b, 0);
    for (unsigned i = 0; i < 4; i++) {
        nir_def *offset = nir_iadd_imm(&b, at, 4 * i);
        nir_def *x = nir_load_ubo(&b, 1, 32, zero, offset, .align_mul = 4);
        nir_def *y = nir_load_shared(&b, 1, 32, offset, .base = 64, .align_mul = 4);
        nir_store_shared(&b, nir_iadd(&b, x, y), at, .base = (int)(128 + 4 * i), .align_mul = 4);
        test_output(&b, nir_load_ubo(&b, 1, 64, zero, nir_imm_int(&b, 8 * (int)i), .align_mul = 8),
                    i);
    }
    /* The shared loads are merged only after the stores between them are gone. */
    vectorize(&b, 1 + 1 + 2, 1);
}

/* Instructions between two accesses that prevent merging. */
static void test_vectorize_hazards(void **state)
{
    for (unsigned kind = 0; kind < 7; kind++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *at = element(&b), *next = nir_iadd_imm(&b, at, 4);
        nir_def *x = nir_imm_int(&b, 9);
        unsigned access = kind == 4 ? ACCESS_VOLATILE : 0;
        if (kind < 5)
            test_output(&b, load(&b, 1, at, access), 0);
        else
            store(&b, x, at);
        if (kind == 0)
            store(&b, x, next);
        else if (kind == 1) /* another block may share the buffer */
            nir_store_ssbo(&b, x, nir_imm_int(&b, 1), next, .align_mul = 4);
        else if (kind == 2)
            nir_ssbo_atomic(&b, 32, nir_imm_int(&b, 0), next, x, .atomic_op = nir_atomic_op_iadd);
        else if (kind == 3)
            nir_barrier(&b, .memory_scope = NIR_SCOPE_DEVICE);
        else if (kind == 5)
            nir_discard_if(&b, nir_ieq_imm(&b, at, 0));
        else if (kind == 6)
            test_output(&b, load(&b, 1, at, 0), 2);
        if (kind < 5)
            test_output(&b, load(&b, 1, next, access), 1);
        else
            store(&b, x, next);
        EXPECT_UNCHANGED(&b, nir_opt_load_store_vectorize, buffers, 16);
        nir_shader_destroy(b.shader);
    }
}

/* With any offset, the second access may be in memory while the first is not. */
static void test_vectorize_wrap(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    test_output(&b, load(&b, 1, x, 0), 0);
    test_output(&b, load(&b, 1, nir_iadd_imm(&b, x, 4), 0), 1);
    nir_def *rows = nir_imul_imm(&b, x, 12); /* a[x].y, a[x + 1].x */
    test_output(&b, load(&b, 1, nir_iadd_imm(&b, rows, 8), 0), 2);
    test_output(&b, load(&b, 1, nir_iadd_imm(&b, rows, 12), 0), 3);
    EXPECT_UNCHANGED(&b, nir_opt_load_store_vectorize, buffers, 16);
    test_output(&b, load(&b, 1, nir_iadd_imm(&b, rows, 4), 0), 4);
    RUN(&b, nir_opt_load_store_vectorize, buffers, 16);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_ssbo), 4);
    EXPECT_UNCHANGED(&b, nir_opt_load_store_vectorize, nir_var_mem_ubo, 16);
    nir_shader_destroy(b.shader);
}

static void test_known_factor(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1);
    nir_def *x48 = nir_imul_imm(&b, x, 48), *y36 = nir_imul_imm(&b, y, 36);
    assert_int_equal(nir_known_factor(x, 0), 1);
    assert_int_equal(nir_known_factor(x48, 0), 48);
    assert_int_equal(nir_known_factor(nir_iadd(&b, x48, y36), 0), 12);
    assert_int_equal(nir_known_factor(nir_isub(&b, x48, nir_imm_int(&b, -8)), 0), 8);
    assert_int_equal(nir_known_factor(nir_ishl_imm(&b, y36, 3), 0), 288);
    assert_int_equal(nir_known_factor(nir_iand_imm(&b, x, ~15u), 0), 16);
    assert_int_equal(nir_known_factor(nir_bcsel(&b, nir_ieq(&b, x, y), x48, y36), 0), 12);
    assert_int_equal(nir_known_factor(nir_umin_imm(&b, x48, 32), 0), 16);
    assert_int_equal(nir_known_factor(nir_imm_int(&b, -24), 0), 24);
    nir_shader_destroy(b.shader);
}

/* --- nir_opt_access --- */

static void test_access(void **state)
{
    for (unsigned writes = 0; writes < 2; writes++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *at = element(&b);
        unsigned qualifiers[] = {0, ACCESS_COHERENT, ACCESS_VOLATILE, ACCESS_RESTRICT,
                                 ACCESS_RESTRICT | ACCESS_NON_WRITEABLE};
        nir_def *loads[ARRAY_SIZE(qualifiers)];
        for (unsigned i = 0; i < ARRAY_SIZE(qualifiers); i++)
            test_output(&b, loads[i] = load(&b, 1, at, qualifiers[i]), i);
        if (writes)
            nir_ssbo_atomic(&b, 32, nir_imm_int(&b, 3), at, at, .atomic_op = nir_atomic_op_iadd);
        RUN(&b, nir_opt_access);
        for (unsigned i = 0; i < ARRAY_SIZE(qualifiers); i++) {
            bool may = i == 4 || (!writes && (i == 0 || i == 3));
            unsigned access = nir_intrinsic_access(nir_instr_as_intrinsic(loads[i]->parent_instr));
            assert_int_equal(access, qualifiers[i] | (may ? ACCESS_CAN_REORDER : 0));
        }
        EXPECT_UNCHANGED(&b, nir_opt_access);
        nir_shader_destroy(b.shader);
    }
}

/* The members of a block with an instance name have separate qualifiers. */
static void test_member_access(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    struct glsl_struct_field fields[2] = {
        {.type = glsl_int_type(), .name = "plain", .location = -1, .component = -1, .offset = 0},
        {.type = glsl_int_type(),
         .name = "flag",
         .location = -1,
         .component = -1,
         .offset = 4,
         .coherent = true,
         .is_volatile = true},
    };
    const struct glsl_type *block =
        glsl_interface_type(b.shader, fields, 2, GLSL_PACKING_STD430, false, "B");
    nir_variable *var = test_variable(&b, nir_var_mem_ssbo, block, -1);
    var->interface_type = block;
    for (unsigned i = 0; i < 2; i++)
        test_output(
            &b, nir_load_deref(&b, nir_build_deref_struct(&b, nir_build_deref_var(&b, var), i)), i);
    RUN(&b, nir_lower_explicit_io, nir_var_mem_ssbo);
    unsigned seen = 0;
    nir_foreach_instr (instr, nir_start_block(b.impl)) {
        if (instr->type != nir_instr_type_intrinsic ||
            nir_instr_as_intrinsic(instr)->intrinsic != nir_intrinsic_load_ssbo)
            continue;
        assert_int_equal(nir_intrinsic_access(nir_instr_as_intrinsic(instr)),
                         seen++ ? ACCESS_COHERENT | ACCESS_VOLATILE : 0);
    }
    assert_int_equal(seen, 2);
    nir_shader_destroy(b.shader);
}

/* --- nir_opt_barriers --- */

static void test_barriers(void **state)
{
    nir_builder b = test_shader(SHADER_COMPUTE);
    nir_def *at = element(&b), *x = nir_load_shared(&b, 1, 32, at, .align_mul = 4);
    nir_barrier(&b, .memory_scope = NIR_SCOPE_WORKGROUP, .memory_semantics = NIR_MEMORY_RELEASE,
                .memory_modes = nir_var_mem_shared);
    nir_def *sum = nir_iadd(&b, x, at);
    nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_SUBGROUP,
                .memory_semantics = NIR_MEMORY_ACQUIRE, .memory_modes = nir_var_mem_ssbo);
    nir_store_shared(&b, sum, at, .align_mul = 4);
    nir_barrier(&b, .execution_scope = NIR_SCOPE_WORKGROUP);
    RUN(&b, nir_opt_barriers);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_barrier), 2);
    nir_intrinsic_instr *barrier = find_intrinsic(b.shader, nir_intrinsic_barrier);
    assert_int_equal(nir_intrinsic_execution_scope(barrier), NIR_SCOPE_WORKGROUP);
    assert_int_equal(nir_intrinsic_memory_scope(barrier), NIR_SCOPE_WORKGROUP);
    assert_int_equal(nir_intrinsic_memory_semantics(barrier), NIR_MEMORY_ACQ_REL);
    assert_int_equal(nir_intrinsic_memory_modes(barrier), nir_var_mem_shared | nir_var_mem_ssbo);
    EXPECT_UNCHANGED(&b, nir_opt_barriers);
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectorize_loads), cmocka_unit_test(test_vectorize_stores),
        cmocka_unit_test(test_vectorize_kinds), cmocka_unit_test(test_vectorize_hazards),
        cmocka_unit_test(test_vectorize_wrap),  cmocka_unit_test(test_known_factor),
        cmocka_unit_test(test_access),          cmocka_unit_test(test_member_access),
        cmocka_unit_test(test_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
