/* SPDX-License-Identifier: MIT */
/* Tests of building, control flow, dominance, cloning, and evaluation of constants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <talloc.h>

#include "nir_test.h"

#include "util/half.h"

static unsigned count_instrs(nir_shader *shader)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader))
        n += list_length(&block->instr_list);
    return n;
}

static void test_build_straight_line(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *in = nir_load_input(&b, 4, 32, nir_imm_int(&b, 0), .base = 3, .component = 1);
    nir_def *sum = nir_fadd(&b, in, nir_imm_vec4(&b, 1, 2, 3, 4));
    nir_def *dot = nir_fdot(&b, sum, in);
    nir_def *v = nir_vec_broadcast(&b, dot, 4);
    nir_intrinsic_instr *store = nir_store_output(&b, v, nir_imm_int(&b, 0), .base = 1);
    nir_validate_shader(b.shader, "in the test");
    assert_int_equal(nir_intrinsic_write_mask(store), 0xf);
    assert_int_equal(nir_intrinsic_base(nir_instr_as_intrinsic(in->parent_instr)), 3);
    assert_int_equal(dot->num_components, 1);
    assert_int_equal(nir_def_components_read(dot), 1);
    char *text = nir_shader_as_str(b.shader, b.shader);
    assert_non_null(strstr(text, "fdot4"));
    assert_non_null(strstr(text, "base=3"));
    nir_shader_destroy(b.shader);
}

static void test_if_and_loop(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = nir_load_input(&b, 1, 32, nir_imm_int(&b, 0));
    nir_def *cond = nir_flt_imm(&b, x, 1.0);
    nir_block *start = nir_start_block(b.impl);
    nir_if *nif = nir_push_if(&b, cond);
    nir_def *one = nir_imm_float(&b, 1);
    nir_push_else(&b, NULL);
    nir_def *two = nir_imm_float(&b, 2);
    nir_pop_if(&b, NULL);
    nir_def *phi = nir_if_phi(&b, one, two);
    nir_loop *loop = nir_push_loop(&b);
    {
        nir_break_if(&b, nir_flt(&b, phi, x));
        nir_if *inner = nir_push_if(&b, cond);
        nir_jump(&b, nir_jump_continue);
        nir_pop_if(&b, inner);
        nir_discard(&b);
    }
    nir_pop_loop(&b, loop);
    nir_store_output(&b, phi, nir_imm_int(&b, 0));
    nir_validate_shader(b.shader, "in the test");

    nir_metadata_require(b.impl, nir_metadata_dominance);
    assert_true(nir_block_dominates(start, nir_loop_first_block(loop)));
    assert_false(nir_block_dominates(nir_if_first_then_block(nif), phi->parent_instr->block));
    assert_ptr_equal(phi->parent_instr->block->imm_dom, start);
    assert_ptr_equal(nir_dominance_lca(nir_if_first_then_block(nif), nir_if_first_else_block(nif)),
                     start);
    assert_int_equal(nir_if_first_then_block(nif)->num_dom_frontier, 1);

    nir_shader *clone = nir_shader_clone(NULL, b.shader);
    nir_validate_shader(clone, "of the clone");
    nir_index_ssa_defs(b.impl);
    char *a = nir_shader_as_str(b.shader, b.shader), *c = nir_shader_as_str(clone, clone);
    assert_string_equal(a, c);
    nir_shader_destroy(clone);

    nir_sweep(b.shader);
    nir_validate_shader(b.shader, "after nir_sweep");
    nir_shader_destroy(b.shader);
}

static void test_extract_and_reinsert(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = nir_load_input(&b, 1, 32, nir_imm_int(&b, 0));
    nir_def *cond = nir_flt_imm(&b, x, 1.0);
    nir_loop *loop = nir_push_loop(&b);
    nir_if *nif = nir_push_if(&b, cond);
    nir_jump(&b, nir_jump_break);
    nir_push_else(&b, nif);
    nir_store_output(&b, x, nir_imm_int(&b, 0));
    nir_pop_if(&b, nif);
    nir_pop_loop(&b, loop);
    nir_store_output(&b, x, nir_imm_int(&b, 1));
    nir_validate_shader(b.shader, "in the test");

    nir_cf_list list, copy;
    nir_cf_extract(&list, nir_before_cf_list(&loop->body), nir_after_cf_list(&loop->body));
    nir_cf_list_clone(&copy, &list, &loop->cf_node, NULL);
    nir_cf_reinsert(&list, nir_before_cf_list(&loop->body));
    nir_validate_shader(b.shader, "after insertion");
    nir_cf_reinsert(&copy, nir_after_cf_list(&loop->body));
    nir_validate_shader(b.shader, "after insertion of the copy");
    nir_cf_node_remove(&loop->cf_node);
    nir_validate_shader(b.shader, "after removal");
    assert_ptr_equal(nir_start_block(b.impl), nir_impl_last_block(b.impl));
    nir_shader_destroy(b.shader);
}

static void test_values_of_removed_code(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = nir_load_input(&b, 1, 32, nir_imm_int(&b, 0));
    nir_if *nif = nir_push_if(&b, nir_flt_imm(&b, x, 1.0));
    nir_def *y = nir_fadd(&b, x, x);
    nir_pop_if(&b, nif);
    nir_def *phi = nir_if_phi(&b, y, x);
    nir_store_output(&b, phi, nir_imm_int(&b, 0));
    nir_cf_node_remove(&nif->cf_node);
    nir_validate_shader(b.shader, "after removal");
    nir_shader_destroy(b.shader);
}

static void test_remove_if_unused(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = nir_fneg(&b, x), *kept = nir_fabs(&b, y);
    nir_def *sum = nir_fadd(&b, nir_fmul(&b, nir_fsqrt(&b, y), nir_imm_float(&b, 3)), y);
    nir_def *atomic = nir_ssbo_atomic(&b, 32, nir_imm_int(&b, 0), nir_imm_int(&b, 0), sum,
                                      .atomic_op = nir_atomic_op_iadd);
    nir_def *last = nir_iadd(&b, atomic, nir_f2i32(&b, sum));
    test_output(&b, kept, 0);
    unsigned before = count_instrs(b.shader);

    nir_def_remove_if_unused(kept); /* still used */
    assert_int_equal(count_instrs(b.shader), before);
    nir_def_remove_if_unused(
        last); /* and the conversion; the atomic has a side effect and uses the sum */
    nir_validate_shader(b.shader, "in the test");
    assert_int_equal(count_instrs(b.shader), before - 2);
    assert_true(nir_def_is_unused(atomic) && atomic->parent_instr->block);

    /* Replacing the sum also removes the instructions that only it used: product, root and 3. */
    nir_def_replace_and_clean(sum, x);
    nir_validate_shader(b.shader, "in the test");
    assert_int_equal(count_ops(b.shader, nir_op_fmul) + count_ops(b.shader, nir_op_fsqrt), 0);
    assert_int_equal(count_instrs(b.shader), before - 2 - 4);
    assert_non_null(y->parent_instr->block);
    nir_shader_destroy(b.shader);
}

/* A phi after an if is removed like any other value, with the sources from the branches. */
static void test_remove_phi(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_if *nif = nir_push_if(&b, nir_flt_imm(&b, x, 1));
    nir_def *y = nir_fsqrt(&b, x);
    nir_push_else(&b, nif);
    nir_def *z = nir_fneg(&b, x);
    nir_pop_if(&b, nif);
    nir_def *sum = nir_fadd(&b, nir_if_phi(&b, y, z), x);
    test_output(&b, sum, 0);
    nir_def_replace_and_clean(sum, x);
    nir_validate_shader(b.shader, "in the test");
    assert_int_equal(count_type(b.shader, nir_instr_type_phi), 0);
    assert_int_equal(count_ops(b.shader, nir_op_fsqrt) + count_ops(b.shader, nir_op_fneg), 0);
    assert_int_equal(count_ops(b.shader, nir_op_flt), 1); /* the if uses it */
    nir_shader_destroy(b.shader);
}

/* Removing very long chains must not overflow the stack. */
static void test_remove_long_chain(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *value = test_input(&b, 1);
    for (unsigned i = 0; i < 1000000; i++)
        value = nir_fneg(&b, value);
    nir_def_remove_if_unused(value);
    assert_int_equal(count_instrs(b.shader), 0);
    nir_shader_destroy(b.shader);
}

static nir_const_value eval(nir_op op, unsigned bit_size, nir_const_value x, nir_const_value y,
                            nir_const_value z)
{
    nir_const_value *srcs[] = {&x, &y, &z}, result[16];
    nir_eval_const_opcode(op, result, 1, bit_size, srcs);
    return result[0];
}

#define U32(x) nir_const_value_for_uint(x, 32)
#define F32(x) nir_const_value_for_float(x, 32)

static void test_constants(void **state)
{
    nir_const_value none = {0};
    assert_int_equal(eval(nir_op_iadd, 32, U32(0xffffffff), U32(2), none).u32, 1);
    assert_int_equal(eval(nir_op_idiv, 32, U32(0x80000000), U32(-1), none).u32, 0x80000000);
    assert_int_equal(eval(nir_op_idiv, 32, U32(5), U32(0), none).u32, 0);
    assert_int_equal(eval(nir_op_imod, 32, U32(-7), U32(3), none).i32, 2);
    assert_int_equal(eval(nir_op_irem, 32, U32(-7), U32(3), none).i32, -1);
    assert_int_equal(eval(nir_op_umul_high, 32, U32(0xffffffff), U32(16), none).u32, 15);
    assert_int_equal(eval(nir_op_ishl, 8, nir_const_value_for_uint(1, 8), U32(9), none).u8, 2);
    assert_int_equal(eval(nir_op_f2i32, 32, F32(1e20), none, none).i32, INT32_MAX);
    assert_int_equal(eval(nir_op_f2u32, 32, F32(-3), none, none).u32, 0);
    assert_int_equal(eval(nir_op_f2i32, 32, F32(NAN), none, none).i32, 0);
    assert_true(eval(nir_op_fmin, 32, F32(NAN), F32(2), none).f32 == 2);
    assert_true(eval(nir_op_fmax, 32, F32(2), F32(NAN), none).f32 == 2);
    assert_true(eval(nir_op_fsat, 32, F32(NAN), none, none).f32 == 0);
    assert_int_equal(eval(nir_op_ufind_msb, 32, U32(0x100), none, none).i32, 8);
    assert_int_equal(eval(nir_op_ifind_msb, 32, U32(-1), none, none).i32, -1);
    assert_int_equal(eval(nir_op_bitfield_reverse, 32, U32(1), none, none).u32, 0x80000000);
    assert_int_equal(eval(nir_op_f2f16, 32, F32(1.5), none, none).u16, util_float_to_half(1.5f));
    assert_int_equal(eval(nir_op_f2f16_rtz, 32, F32(70000), none, none).u16, 0x7bff);
    assert_int_equal(eval(nir_op_uadd_carry, 32, U32(~0u), U32(1), none).u32, 1);
    assert_int_equal(eval(nir_op_b2b32, 1, nir_const_value_for_uint(1, 1), none, none).u32, ~0u);
    assert_int_equal(
        eval(nir_op_ieq, 1, nir_const_value_for_uint(1, 1), nir_const_value_for_uint(1, 1), none).b,
        1);
    nir_const_value quarters[4] = {F32(0.0), F32(1.0), F32(0.5), F32(-1.0)}, packed;
    nir_const_value *srcs[] = {quarters};
    nir_eval_const_opcode(nir_op_pack_unorm_4x8, &packed, 1, 32, srcs);
    assert_int_equal(packed.u32, 0x0080ff00);
}

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* Returns v clamped to lo…hi. */
static int64_t clamp_wide(wide v, wide lo, wide hi)
{
    return (int64_t)(uint64_t)CLAMP(v, lo, hi);
}

/* High halves of products, carries and saturation, compared with integers of 128 bits. */
static void test_wide_constants(void **state)
{
    static const uint64_t values[] = {
        0,          1,          2,          3,           0x7f,
        0x80,       0xff,       0x7fff,     0x8000,      0xffff,
        0x7fffffff, 0x80000000, 0xffffffff, 0x100000001, 0x123456789abcdef0,
        INT64_MAX,  1ull << 63, ~0ull - 1,  ~0ull,       0xfedcba9876543210,
    };
    nir_const_value none = {0};
    for (unsigned i = 0; i < 4 * ARRAY_SIZE(values) * ARRAY_SIZE(values); i++) {
        unsigned bits = 8u << i % 4;
        nir_const_value x = nir_const_value_for_uint(values[i / 4 % ARRAY_SIZE(values)], bits);
        nir_const_value y = nir_const_value_for_uint(values[i / 4 / ARRAY_SIZE(values)], bits);
        wide s0 = nir_const_value_as_int(x, bits), s1 = nir_const_value_as_int(y, bits);
        wide u0 = nir_const_value_as_uint(x, bits), u1 = nir_const_value_as_uint(y, bits);
        wide max = ((wide)1 << (bits - 1)) - 1, umax = ((wide)1 << bits) - 1;
#define CHECK(op, expected)                                                                        \
    assert_int_equal(nir_const_value_as_uint(eval(op, bits, x, y, none), bits),                    \
                     (uint64_t)(expected) & (uint64_t)umax)
        CHECK(nir_op_imul_high, s0 * s1 >> bits);
        /* the product can have 128 bits */
        CHECK(nir_op_umul_high, (unsigned_wide)u0 * (unsigned_wide)u1 >> bits);
        CHECK(nir_op_uadd_carry, u0 + u1 > umax);
        CHECK(nir_op_usub_borrow, u0 < u1);
        CHECK(nir_op_uadd_sat, clamp_wide(u0 + u1, 0, umax));
        CHECK(nir_op_usub_sat, clamp_wide(u0 - u1, 0, umax));
        CHECK(nir_op_iadd_sat, clamp_wide(s0 + s1, -max - 1, max));
        CHECK(nir_op_isub_sat, clamp_wide(s0 - s1, -max - 1, max));
#undef CHECK
    }
}

/* Results of all opcodes have zeros in their unused high bits. */
static void test_unused_bits(void **state)
{
    for (nir_op op = 0; op < nir_num_opcodes; op++) {
        const nir_op_info *info = &nir_op_infos[op];
        nir_const_value in[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS];
        nir_const_value *srcs[NIR_ALU_MAX_INPUTS], result[NIR_MAX_VEC_COMPONENTS];
        unsigned bits = nir_alu_type_get_type_size(info->output_type);
        for (unsigned i = 0; i < NIR_ALU_MAX_INPUTS; i++) {
            srcs[i] = in[i];
            for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
                in[i][c].u64 = 1;
        }
        memset(result, 0xff, sizeof result);
        /* 32 bits are a size of all types that have several. */
        nir_eval_const_opcode(op, result, MAX2(info->output_size, 1), 32, srcs);
        bits = bits ? bits : 32;
        assert_int_equal(bits < 64 ? result[0].u64 >> bits : 0, 0);
    }
}

/* Serializes and frees the shader; returns true if it can be deserialized. */
static bool reads(nir_builder *b)
{
    struct blob_bytes bytes = nir_serialize(b->shader, b->shader);
    bool ok = nir_deserialize(b->shader, &nir_test_options, bytes.data, bytes.size);
    nir_shader_destroy(b->shader);
    return ok;
}

/* A boolean other than 0 and 1, in an instruction and in the initializer of a struct field. */
static void test_forged_booleans(void **state)
{
    const struct glsl_struct_field fields[] = {{.type = glsl_int_type(), .name = "i"},
                                               {.type = glsl_bool_type(), .name = "b"}};
    for (uint8_t forged = 1; forged <= 4; forged *= 2) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *is = nir_imm_true(&b);
        nir_store_output(&b, nir_b2f32(&b, is), nir_imm_int(&b, 0));
        nir_instr_as_load_const(is->parent_instr)->value[0].u8 = forged;
        assert_int_equal(reads(&b), forged == 1);

        b = test_shader(SHADER_FRAGMENT);
        nir_variable *var = nir_variable_create(b.shader, nir_var_shader_temp,
                                                glsl_struct_type(b.shader, fields, 2, "S"), "s");
        nir_constant *c = talloc_zero(var, nir_constant);
        c->num_elements = 2;
        c->elements = talloc_array(c, nir_constant *, 2);
        for (unsigned i = 0; i < 2; i++) {
            c->elements[i] = talloc_zero(c, nir_constant);
            c->elements[i]->values[0].u8 = forged;
        }
        var->constant_initializer = c;
        assert_int_equal(reads(&b), forged == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_straight_line),  cmocka_unit_test(test_if_and_loop),
        cmocka_unit_test(test_extract_and_reinsert), cmocka_unit_test(test_values_of_removed_code),
        cmocka_unit_test(test_remove_if_unused),     cmocka_unit_test(test_remove_phi),
        cmocka_unit_test(test_remove_long_chain),    cmocka_unit_test(test_constants),
        cmocka_unit_test(test_wide_constants),       cmocka_unit_test(test_unused_bits),
        cmocka_unit_test(test_forged_booleans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
