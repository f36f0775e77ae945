/* SPDX-License-Identifier: MIT */
/* Tests of passes over control flow and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "nir_test.h"

static bool is_straight(const nir_builder *b)
{
    return nir_start_block(b->impl) == nir_impl_last_block(b->impl);
}

/* --- Values --- */

static void test_dce(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_imul(&b, nir_iadd(&b, x, x), x);
    nir_ssbo_atomic(&b, 32, nir_imm_int(&b, 0), nir_imm_int(&b, 0), nir_imm_int(&b, 1));
    test_output(&b, nir_ixor(&b, x, x), 0);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 5)); /* the only use of the comparison */
    test_output(&b, x, 1);
    nir_pop_if(&b, nif);
    RUN(&b, nir_opt_dce);
    assert_int_equal(count_type(b.shader, nir_instr_type_alu), 2);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_ssbo_atomic), 1);
    EXPECT_UNCHANGED(&b, nir_opt_dce);
    nir_shader_destroy(b.shader);
}

static void test_cse(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1);
    test_output(&b, nir_iadd(&b, x, y), 0);
    nir_if *nif = nir_push_if(&b, nir_ilt(&b, x, y));
    test_output(&b, nir_iadd(&b, y, x), 1); /* commutative, dominated */
    test_output(&b, nir_isub(&b, y, x), 2);
    nir_push_else(&b, nif);
    test_output(&b, nir_isub(&b, y, x), 2); /* not dominated */
    nir_pop_if(&b, nif);
    nir_def *a = nir_load_ssbo(&b, 1, 32, x, y), *c = nir_load_ssbo(&b, 1, 32, x, y);
    test_output(&b, nir_isub(&b, a, c), 3); /* memory may have changed */
    nir_def *sum = nir_fadd(&b, x, y);
    b.exact = true;
    test_output(&b, nir_fmul(&b, sum, nir_fadd(&b, x, y)), 4); /* the shared instruction is exact */
    RUN(&b, nir_opt_cse);
    assert_int_equal(count_ops(b.shader, nir_op_fadd), 1);
    assert_true(nir_instr_as_alu(sum->parent_instr)->exact);
    assert_int_equal(count_ops(b.shader, nir_op_iadd), 1);
    assert_int_equal(count_ops(b.shader, nir_op_isub), 3);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_ssbo), 2);
    EXPECT_UNCHANGED(&b, nir_opt_cse);
    nir_shader_destroy(b.shader);
}

static void test_copy_prop(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *v = test_input(&b, 4);
    const unsigned back[] = {3, 2, 1, 0};
    nir_def *turned = nir_swizzle(&b, nir_swizzle(&b, v, back, 4), back, 4);
    test_output(&b, nir_ineg(&b, turned), 0);
    RUN(&b, nir_copy_prop);
    nir_opt_dce(b.shader);
    assert_int_equal(count_type(b.shader, nir_instr_type_alu), 1);
    EXPECT_UNCHANGED(&b, nir_copy_prop);
    nir_shader_destroy(b.shader);
}

static void test_constant_folding(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *three = nir_imm_int(&b, 3), *x = test_input(&b, 1);
    test_output(&b, nir_imul(&b, three, nir_iadd_imm(&b, three, 4)), 0);
    test_output(&b, nir_imul(&b, three, x), 1);
    nir_discard_if(&b, nir_ilt(&b, x, three));
    nir_discard_if(&b, nir_ilt(&b, three, three)); /* never */
    RUN(&b, nir_opt_constant_folding);
    assert_int_equal(count_ops(b.shader, nir_op_imul), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_discard_if), 1);
    check(b.shader, 5, 0, 21);
    EXPECT_UNCHANGED(&b, nir_opt_constant_folding);
    nir_shader_destroy(b.shader);
}

static void test_algebraic(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    test_output(&b, nir_iadd_imm(&b, nir_isub(&b, x, x), 0), 0);
    b.exact = true;
    test_output(&b, nir_fdiv(&b, x, x), 1); /* 0 / 0 must not be folded to 1 */
    RUN(&b, nir_opt_algebraic);
    assert_int_equal(count_ops(b.shader, nir_op_isub), 0);
    assert_int_equal(count_ops(b.shader, nir_op_fdiv), 1);
    EXPECT_UNCHANGED(&b, nir_opt_algebraic);
    nir_shader_destroy(b.shader);
}

static void test_algebraic_late(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *three = nir_imm_int(&b, 3);
    test_output(&b, nir_inot(&b, nir_ilt(&b, x, three)), 0);
    test_output(&b, nir_iadd(&b, nir_ineg(&b, x), three), 1);
    test_output(&b, nir_bcsel(&b, nir_inot(&b, nir_ieq(&b, x, three)), x, nir_imm_int(&b, 7)), 2);
    nir_shader *before = nir_shader_clone(NULL, b.shader);
    RUN(&b, nir_opt_algebraic_late);
    nir_opt_dce(b.shader);
    assert_int_equal(count_ops(b.shader, nir_op_inot), 0);
    assert_int_equal(count_ops(b.shader, nir_op_ige), 1);
    assert_int_equal(count_ops(b.shader, nir_op_iadd) + count_ops(b.shader, nir_op_ineg), 0);
    assert_int_equal(count_ops(b.shader, nir_op_isub), 1);
    for (uint32_t in = 0; in < 6; in++) {
        struct nir_eval want = {.inputs = {{in}}}, have = want;
        test_evaluate(&want, before);
        test_evaluate(&have, b.shader);
        assert_memory_equal(want.outputs, have.outputs, sizeof want.outputs);
    }
    EXPECT_UNCHANGED(&b, nir_opt_algebraic_late);
    nir_shader_destroy(before);
    nir_shader_destroy(b.shader);
}

static void test_undef(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *none = nir_undef(&b, 1, 32);
    test_output(&b, nir_bcsel(&b, nir_ilt_imm(&b, x, 3), none, x), 0);
    nir_intrinsic_instr *store =
        nir_store_output(&b, nir_vec2(&b, x, none), nir_imm_int(&b, 0), .base = 1);
    RUN(&b, nir_opt_undef);
    assert_int_equal(count_ops(b.shader, nir_op_bcsel), 0);
    assert_int_equal(nir_intrinsic_write_mask(store), 1);
    check(b.shader, 1, 0, 1);
    EXPECT_UNCHANGED(&b, nir_opt_undef);
    nir_shader_destroy(b.shader);
}

/* --- Ifs --- */

static void test_select(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_def *then_value = nir_imul(&b, x, x);
    nir_push_else(&b, nif);
    nir_def *else_value = nir_ineg(&b, x);
    nir_pop_if(&b, nif);
    test_output(&b, nir_if_phi(&b, then_value, else_value), 0);
    EXPECT_UNCHANGED(&b, nir_opt_peephole_select, 1);
    RUN(&b, nir_opt_peephole_select, 2);
    assert_true(is_straight(&b));
    check(b.shader, 2, 0, 4);
    check(b.shader, 3, 0, (uint32_t)-3);
    b.cursor = nir_after_impl(b.impl);
    nir_if *effect = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_ssbo_atomic(&b, 32, x, x, x);
    nir_pop_if(&b, effect);
    EXPECT_UNCHANGED(&b, nir_opt_peephole_select, 100);
    nir_shader_destroy(b.shader);
}

static void test_opt_if(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *cond = nir_ilt_imm(&b, x, 3);
    nir_if *nif = nir_push_if(&b, cond);
    nir_push_else(&b, nif);                  /* other way around */
    test_output(&b, nir_b2i32(&b, cond), 0); /* false here */
    nir_pop_if(&b, nif);
    RUN(&b, nir_opt_if);
    assert_false(list_is_empty(&nir_if_first_then_block(nif)->instr_list));
    assert_true(list_is_empty(&nir_if_first_else_block(nif)->instr_list));
    nir_alu_instr *b2i = nir_instr_as_alu(nir_block_first_instr(nir_if_first_then_block(nif)));
    assert_true(nir_src_is_const(b2i->src[0].src) && !nir_src_as_bool(b2i->src[0].src));
    check(b.shader, 5, 0, 0);
    EXPECT_UNCHANGED(&b, nir_opt_if);
    nir_shader_destroy(b.shader);
}

/* If one branch breaks, the code after the if is reached only from the other branch. */
static void test_opt_if_jump(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_jump(&b, nir_jump_break);
    nir_push_else(&b, nif);
    test_output(&b, x, 0);
    nir_pop_if(&b, nif);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, loop);
    RUN(&b, nir_opt_if);
    assert_true(list_is_empty(&nir_if_first_else_block(nif)->instr_list));
    check(b.shader, 7, 0, 7);
    check(b.shader, 2, 0, 0);
    EXPECT_UNCHANGED(&b, nir_opt_if);
    nir_shader_destroy(b.shader);
}

static void test_dead_cf(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_if *known = nir_push_if(&b, nir_imm_true(&b));
    nir_def *two = nir_imm_int(&b, 2);
    nir_push_else(&b, known);
    nir_def *three = nir_imm_int(&b, 3);
    nir_pop_if(&b, known);
    test_output(&b, nir_if_phi(&b, two, three), 0);
    nir_if *empty = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_pop_if(&b, empty);
    nir_loop *loop = nir_push_loop(&b); /* its values are unused */
    nir_break_if(&b, nir_ilt_imm(&b, nir_imul(&b, x, x), 3));
    nir_pop_loop(&b, loop);
    RUN(&b, nir_opt_dead_cf);
    assert_true(is_straight(&b));
    check(b.shader, 1, 0, 2);
    b.cursor = nir_after_impl(b.impl);
    nir_if *kept = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_discard(&b);
    nir_pop_if(&b, kept);
    EXPECT_UNCHANGED(&b, nir_opt_dead_cf);
    nir_shader_destroy(b.shader);
}

/* A loop that runs once becomes its body, with the values that its phis have then. A second exit or
 * a back edge keeps it. */
static void test_loop_that_runs_once(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *leaving = NULL;
    nir_loop *loop = nir_push_loop(&b);
    nir_phi_instr *head = head_phi(&b, loop, x);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    test_output(&b, x, 1);
    nir_pop_if(&b, nif);
    leaving = nir_iadd_imm(&b, x, 1);
    nir_jump(&b, nir_jump_break);
    nir_instr_insert(nir_before_block(nir_loop_first_block(loop)), &head->instr);
    nir_pop_loop(&b, loop);
    nir_phi_instr *after = nir_phi_instr_create(b.shader);
    nir_def_init(&after->instr, &after->def, 1, 32);
    nir_phi_instr_add_src(after, nir_loop_last_block(loop), leaving);
    nir_builder_instr_insert(&b, &after->instr);
    test_output(&b, nir_imul(&b, &after->def, &head->def), 0);
    RUN(&b, nir_opt_dead_cf);
    assert_null(nir_cf_node_next(nir_cf_node_next(&nif->cf_node)));
    assert_int_equal(count_type(b.shader, nir_instr_type_jump), 0);
    check(b.shader, 2, 0, 6);
    check(b.shader, 2, 1, 2);
    check(b.shader, 5, 0, 30);
    EXPECT_UNCHANGED(&b, nir_opt_dead_cf);
    nir_shader_destroy(b.shader);

    for (unsigned jump = 0; jump < 2; jump++) {
        b = test_shader(SHADER_FRAGMENT);
        x = test_input(&b, 1);
        loop = nir_push_loop(&b);
        nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
        nir_jump(&b, jump ? nir_jump_continue : nir_jump_break);
        nir_pop_if(&b, nif);
        test_output(&b, x, 0);
        nir_jump(&b, nir_jump_break);
        nir_pop_loop(&b, loop);
        EXPECT_UNCHANGED(&b, nir_opt_dead_cf);
        nir_shader_destroy(b.shader);
    }
}

static void test_conditional_discard_leaves(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    test_output(&b, x, 0);
    nir_discard(&b);
    nir_pop_if(&b, nif);
    EXPECT_UNCHANGED(&b, nir_opt_conditional_discard); /* the branch does more than discard */
    nir_shader_destroy(b.shader);
}

/* --- Phis and loops --- */

static void test_remove_phis(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = nir_ineg(&b, x);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_pop_if(&b, nif);
    nir_def *same = nir_if_phi(&b, x, x), *other = nir_if_phi(&b, x, y);
    test_output(&b, nir_iadd(&b, same, other), 0);
    RUN(&b, nir_opt_remove_phis);
    assert_int_equal(count_type(b.shader, nir_instr_type_phi), 1);
    check(b.shader, 2, 0, 4);
    check(b.shader, 3, 0, 0);
    EXPECT_UNCHANGED(&b, nir_opt_remove_phis);
    nir_shader_destroy(b.shader);
}

/* Each branch has a separate constant; neither dominates the phi. */
static void test_remove_phis_of_constants(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *constant[3];
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    constant[0] = nir_imm_int(&b, 15);
    nir_push_else(&b, nif);
    constant[1] = nir_imm_int(&b, 15);
    constant[2] = nir_imm_int(&b, 16);
    nir_pop_if(&b, nif);
    nir_def *same = nir_if_phi(&b, constant[0], constant[1]);
    nir_def *other = nir_if_phi(&b, constant[0], constant[2]);
    test_output(&b, nir_iadd(&b, same, other), 0);
    RUN(&b, nir_opt_remove_phis);
    assert_int_equal(count_type(b.shader, nir_instr_type_phi), 1);
    check(b.shader, 2, 0, 30);
    check(b.shader, 3, 0, 31);
    EXPECT_UNCHANGED(&b, nir_opt_remove_phis);
    nir_shader_destroy(b.shader);
}

static unsigned count_jumps(nir_shader *shader, nir_jump_type type)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_instr *last = nir_block_last_instr(block);
        n += last && last->type == nir_instr_type_jump && nir_instr_as_jump(last)->type == type;
    }
    return n;
}

static void test_trivial_continues(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_if *early = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_jump(&b, nir_jump_continue); /* skips the code after it */
    nir_pop_if(&b, early);
    nir_break_if(&b, nir_ilt_imm(&b, x, 5));
    nir_if *last = nir_push_if(&b, nir_ilt_imm(&b, x, 7));
    nir_jump(&b, nir_jump_continue);
    nir_pop_if(&b, last);
    nir_pop_loop(&b, loop);
    RUN(&b, nir_opt_trivial_continues);
    assert_int_equal(count_jumps(b.shader, nir_jump_continue), 1);
    assert_int_equal(count_jumps(b.shader, nir_jump_break), 1);
    EXPECT_UNCHANGED(&b, nir_opt_trivial_continues);
    nir_shader_destroy(b.shader);
}

static void test_lcssa(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_def *inside = nir_imul(&b, x, x);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, loop);
    nir_def *outside = nir_ineg(&b, inside);
    test_output(&b, outside, 0);
    RUN(&b, nir_convert_to_lcssa);
    nir_def *src = nir_instr_as_alu(outside->parent_instr)->src[0].src.ssa;
    assert_int_equal(src->parent_instr->type, nir_instr_type_phi);
    assert_ptr_equal(&src->parent_instr->block->cf_node, nir_cf_node_next(&loop->cf_node));
    check(b.shader, 3, 0, (uint32_t)-9);
    EXPECT_UNCHANGED(&b, nir_convert_to_lcssa);
    nir_shader_destroy(b.shader);
}

/* A value of an inner loop gets a phi after that loop and one after the outer loop. */
static void test_lcssa_nested(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_loop *outer = nir_push_loop(&b), *inner = nir_push_loop(&b);
    nir_def *inside = nir_imul(&b, x, x);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, inner);
    nir_def *between = nir_ineg(&b, inside);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, outer);
    nir_def *outside = nir_isub(&b, between, inside);
    test_output(&b, outside, 0);
    RUN(&b, nir_convert_to_lcssa);
    nir_def *closed = nir_instr_as_alu(between->parent_instr)->src[0].src.ssa;
    assert_int_equal(closed->parent_instr->type, nir_instr_type_phi);
    assert_ptr_equal(&closed->parent_instr->block->cf_node, nir_cf_node_next(&inner->cf_node));
    for (unsigned i = 0; i < 2; i++) {
        nir_def *src = nir_instr_as_alu(outside->parent_instr)->src[i].src.ssa;
        assert_int_equal(src->parent_instr->type, nir_instr_type_phi);
        assert_ptr_equal(&src->parent_instr->block->cf_node, nir_cf_node_next(&outer->cf_node));
    }
    check(b.shader, 3, 0, (uint32_t)-18);
    EXPECT_UNCHANGED(&b, nir_convert_to_lcssa);
    nir_shader_destroy(b.shader);
}

/* Drivers find the place of an input in the instruction that computes the barycentric coordinates.
 * It is repeated after each loop, with offsets that pass through phis. */
static void test_lcssa_barycentrics(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 2);
    nir_loop *outer = nir_push_loop(&b), *inner = nir_push_loop(&b);
    nir_def *offset = nir_fneg(&b, x);
    nir_def *inside = nir_load_barycentric_at_offset(&b, offset);
    nir_def *pixel = nir_load_barycentric_pixel(&b);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, inner);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, outer);
    nir_def *zero = nir_imm_int(&b, 0);
    nir_def *load[2] = {nir_load_interpolated_input(&b, 1, 32, inside, zero),
                        nir_load_interpolated_input(&b, 1, 32, pixel, zero)};
    test_output(&b, nir_fadd(&b, load[0], load[1]), 0);
    RUN(&b, nir_convert_to_lcssa);
    for (unsigned i = 0; i < 2; i++) {
        nir_instr *where = nir_instr_as_intrinsic(load[i]->parent_instr)->src[0].ssa->parent_instr;
        assert_int_equal(where->type, nir_instr_type_intrinsic);
        nir_intrinsic_instr *copy = nir_instr_as_intrinsic(where);
        assert_int_equal(copy->intrinsic, i ? nir_intrinsic_load_barycentric_pixel
                                            : nir_intrinsic_load_barycentric_at_offset);
        assert_ptr_equal(&where->block->cf_node, nir_cf_node_next(&outer->cf_node));
        if (i == 0)
            assert_int_equal(copy->src[0].ssa->parent_instr->type, nir_instr_type_phi);
    }
    EXPECT_UNCHANGED(&b, nir_convert_to_lcssa);
    nir_shader_destroy(b.shader);
}

static void test_regs_to_ssa(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_def *reg = nir_decl_reg(&b, .num_components = 1, .bit_size = 32);
    nir_def *array = nir_decl_reg(&b, .num_components = 1, .bit_size = 32, .num_array_elems = 2);
    nir_store_reg(&b, x, reg);
    nir_store_reg(&b, x, array, .base = 1);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_store_reg(&b, nir_imm_int(&b, 7), reg);
    nir_pop_if(&b, nif);
    test_output(&b, nir_load_reg(&b, 1, 32, reg), 0);
    test_output(&b, nir_load_reg(&b, 1, 32, array, .base = 1), 1);
    RUN(&b, nir_lower_regs_to_ssa);
    assert_int_equal(count_type(b.shader, nir_instr_type_phi), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_decl_reg), 1);
    check(b.shader, 2, 0, 7);
    check(b.shader, 4, 0, 4);
    check(b.shader, 4, 1, 4);
    EXPECT_UNCHANGED(&b, nir_lower_regs_to_ssa);
    nir_shader_destroy(b.shader);
}

static void test_repair_ssa(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    nir_def *inside = nir_imul(&b, x, x);
    nir_pop_if(&b, nif);
    nir_def *use = nir_ineg(&b, x);
    test_output(&b, use, 0);
    EXPECT_UNCHANGED(&b, nir_repair_ssa);
    nir_src_rewrite(&nir_instr_as_alu(use->parent_instr)->src[0].src,
                    inside); /* does not dominate */
    assert_true(nir_repair_ssa(b.shader));
    nir_validate_shader(b.shader, "after nir_repair_ssa");
    assert_int_equal(count_type(b.shader, nir_instr_type_phi), 1);
    check(b.shader, 2, 0, (uint32_t)-4);
    nir_shader_destroy(b.shader);
}

static void test_returns(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 3));
    test_output(&b, x, 0);
    nir_jump(&b, nir_jump_return);
    nir_pop_if(&b, nif);
    nir_jump(&b, nir_jump_break);
    nir_pop_loop(&b, loop);
    test_output(&b, x, 1);
    RUN(&b, nir_lower_returns);
    assert_int_equal(count_jumps(b.shader, nir_jump_return), 0);
    check(b.shader, 2, 0, 2);
    check(b.shader, 2, 1, 0);
    check(b.shader, 5, 0, 0);
    check(b.shader, 5, 1, 5);
    EXPECT_UNCHANGED(&b, nir_lower_returns);
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dce),
        cmocka_unit_test(test_cse),
        cmocka_unit_test(test_copy_prop),
        cmocka_unit_test(test_constant_folding),
        cmocka_unit_test(test_algebraic),
        cmocka_unit_test(test_algebraic_late),
        cmocka_unit_test(test_undef),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_opt_if),
        cmocka_unit_test(test_opt_if_jump),
        cmocka_unit_test(test_dead_cf),
        cmocka_unit_test(test_loop_that_runs_once),
        cmocka_unit_test(test_conditional_discard_leaves),
        cmocka_unit_test(test_remove_phis),
        cmocka_unit_test(test_remove_phis_of_constants),
        cmocka_unit_test(test_trivial_continues),
        cmocka_unit_test(test_lcssa),
        cmocka_unit_test(test_lcssa_nested),
        cmocka_unit_test(test_lcssa_barycentrics),
        cmocka_unit_test(test_regs_to_ssa),
        cmocka_unit_test(test_repair_ssa),
        cmocka_unit_test(test_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
