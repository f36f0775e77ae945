/* SPDX-License-Identifier: MIT */
/* Tests of nir_opt_gcm: which code moves, how far, and which code stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "nir_test.h"

/* A loop that runs while the counter is below the input; the counter is its varying value. */
struct counted_loop {
    nir_loop *loop;
    nir_block *before, *head;
    nir_phi_instr *counter;
};

static struct counted_loop push_loop(nir_builder *b, nir_def *limit)
{
    struct counted_loop l;
    nir_def *zero = nir_imm_int(b, 0);
    l.loop = nir_push_loop(b);
    l.before = nir_cf_node_as_block(nir_cf_node_prev(&l.loop->cf_node));
    l.head = nir_cursor_current_block(b->cursor);
    l.counter = head_phi(b, l.loop, zero);
    nir_break_if(b, nir_ige(b, &l.counter->def, limit));
    return l;
}

static void pop_loop(nir_builder *b, struct counted_loop *l)
{
    nir_def *next = nir_iadd_imm(b, &l->counter->def, 1);
    nir_pop_loop(b, l->loop);
    insert_phi(l->counter, l->loop, next);
}

static void check_same(nir_shader *before, nir_shader *after)
{
    for (unsigned x = 0; x < 5; x++) {
        struct nir_eval want = {.inputs = {{x}, {3}}}, have = {.inputs = {{x}, {3}}};
        test_evaluate(&want, before);
        test_evaluate(&have, after);
        assert_memory_equal(want.outputs, have.outputs, sizeof want.outputs);
    }
}

static void test_hoist(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1);
    struct counted_loop outer = push_loop(&b, x), inner = push_loop(&b, y);
    nir_def *fixed = nir_imul(&b, nir_iadd(&b, x, y), y);
    nir_def *by_outer = nir_iadd(&b, fixed, &outer.counter->def);
    nir_def *by_inner = nir_iadd(&b, by_outer, &inner.counter->def);
    nir_def *derivative = nir_fddx(&b, nir_i2f32(&b, x));
    nir_def *memory = nir_load_ssbo(&b, 1, 32, nir_imm_int(&b, 0), x);
    test_output(&b, by_inner, 0);
    test_output(&b, derivative, 1);
    nir_if *nif = nir_push_if(&b, nir_ine_imm(&b, memory, 0));
    nir_discard(&b);
    nir_pop_if(&b, nif);
    pop_loop(&b, &inner);
    pop_loop(&b, &outer);
    RUN(&b, nir_opt_gcm);
    assert_ptr_equal(fixed->parent_instr->block, outer.before);
    assert_true(by_outer->parent_instr->block->cf_node.parent == &outer.loop->cf_node);
    assert_true(by_inner->parent_instr->block->cf_node.parent == &inner.loop->cf_node);
    assert_true(derivative->parent_instr->block->cf_node.parent == &inner.loop->cf_node);
    assert_true(memory->parent_instr->block->cf_node.parent == &inner.loop->cf_node);
    EXPECT_UNCHANGED(&b, nir_opt_gcm);
    nir_shader_destroy(b.shader);
}

static void test_sink(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1);
    nir_def *cond = nir_ilt_imm(&b, x, 3);
    nir_def *rare = nir_imul(&b, nir_iadd(&b, x, y), x); /* both move into the branch */
    nir_def *both = nir_imul(&b, y, y);
    nir_def *in_loop = nir_ixor(&b, x, y);
    nir_if *nif = nir_push_if(&b, cond);
    test_output(&b, nir_iadd(&b, rare, both), 0);
    nir_block *then = nir_cursor_current_block(b.cursor);
    nir_push_else(&b, nif);
    test_output(&b, both, 1);
    nir_pop_if(&b, nif);
    struct counted_loop l = push_loop(&b, x);
    test_output(&b, in_loop, 2);
    pop_loop(&b, &l);
    nir_shader *before = nir_shader_clone(NULL, b.shader);
    nir_block *start = nir_start_block(b.impl);
    RUN(&b, nir_opt_gcm);
    check_same(before, b.shader);
    assert_ptr_equal(rare->parent_instr->block, then);
    assert_ptr_equal(nir_instr_as_alu(rare->parent_instr)->src[0].src.ssa->parent_instr->block,
                     then);
    assert_ptr_equal(both->parent_instr->block, start);
    assert_ptr_equal(in_loop->parent_instr->block, start);
    EXPECT_UNCHANGED(&b, nir_opt_gcm);
    nir_shader_destroy(before);
    nir_shader_destroy(b.shader);
}

/* After a loop, each lane has the value of its last iteration. */
static void test_not_out_of_loops(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    struct counted_loop l = push_loop(&b, x);
    b.cursor = nir_after_phis(l.head);
    nir_def *square = nir_imul(&b, &l.counter->def, &l.counter->def);
    b.cursor = nir_after_block(nir_loop_last_block(l.loop));
    pop_loop(&b, &l);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 4));
    test_output(&b, square, 0);
    nir_pop_if(&b, nif);
    RUN(&b, nir_opt_gcm); /* down to the break */
    nir_cf_node *branch = square->parent_instr->block->cf_node.parent;
    assert_int_equal(branch->type, nir_cf_node_if);
    assert_ptr_equal(branch->parent, &l.loop->cf_node);
    EXPECT_UNCHANGED(&b, nir_opt_gcm);
    nir_shader_destroy(b.shader);
}

/* The operand of a derivative is needed by neighboring lanes in any branch. */
static void test_not_from_derivatives(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *square = nir_fmul(&b, x, x);
    nir_if *nif = nir_push_if(&b, nir_flt_imm(&b, x, 1.0));
    test_output(&b, nir_fddx(&b, square), 0);
    nir_pop_if(&b, nif);
    EXPECT_UNCHANGED(&b, nir_opt_gcm);
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hoist),
        cmocka_unit_test(test_sink),
        cmocka_unit_test(test_not_out_of_loops),
        cmocka_unit_test(test_not_from_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
