/* SPDX-License-Identifier: MIT */
/* Software pipelining of a loop (cpu_nir_pipeline_loop.c): evaluates loops of the expected shape
 * before and after the pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "driver/cpu/kernel/cpu_nir.h"
#include "nir/nir_eval.h"

#define LANES  8
#define BLOCKS 6

/* Values that the lanes store, a row of BLOCKS floats per lane. */
struct results {
    float stored[LANES * BLOCKS];
};

struct shape {
    unsigned count;     /* number of blocks */
    unsigned uncovered; /* index of the block without fragments */
    float limit;        /* limit of the branch that ends the chain; lanes are on both sides of it */
    bool divergent;     /* control flow diverges before the branch */
    bool reads_own_result; /* the chain reads what the block itself has stored */
    unsigned hidden;       /* mask of blocks that fail a test of values in memory */
};

static bool store(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                  nir_const_value *const *srcs, nir_const_value *dest)
{
    struct results *r = eval->data;
    if (intr->intrinsic == nir_intrinsic_store_global)
        r->stored[srcs[2]->u32] = srcs[0]->f32;
    else if (intr->intrinsic == nir_intrinsic_load_global)
        dest->f32 = r->stored[srcs[1]->u32];
    else
        return false;
    return true;
}

/* Emits n instructions: adds constants to x. */
static nir_def *longer(nir_builder *b, nir_def *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x = nir_fadd_imm(b, x, 0.25f + (float)(i & 3));
    return x;
}

/* A loop over blocks during construction. */
struct block_loop {
    nir_builder b;
    struct cpu_count_loop count;
    nir_def *i;           /* index of the block */
    nir_def *lane;        /* index of the lane */
    nir_def *plane_value; /* the plane's value at the block */
    nir_def *address;     /* address of the results */
    nir_def *offset;      /* offset of the value that the lane stores for the block */
};

static struct block_loop begin_block_loop(unsigned count)
{
    nir_shader *shader = nir_shader_create(NULL, SHADER_COMPUTE, NULL);
    nir_function *function = nir_function_create(shader, "main");
    function->is_entrypoint = true;
    nir_function_impl *impl = nir_function_impl_create(function);
    struct block_loop t = {.b = nir_builder_at(nir_before_impl(impl))};
    nir_builder *b = &t.b;
    nir_variable *plane = nir_local_variable_create(impl, glsl_float_type(), "plane");

    t.lane = nir_load_local_invocation_index(b);
    t.address = nir_imm_intN_t(b, 0, 64);
    nir_store_var(b, plane, nir_imm_float(b, 1.0f), 1);
    t.count = cpu_begin_count_loop(b, nir_imm_int(b, (int)count), &t.i);
    t.offset = nir_iadd(b, nir_imul_imm(b, t.lane, BLOCKS), t.i);
    t.plane_value = nir_load_var(b, plane);
    nir_store_var(b, plane, nir_fadd_imm(b, nir_fmul_imm(b, t.plane_value, 1.5f), 0.125f), 1);
    return t;
}

static nir_shader *end_block_loop(struct block_loop *t)
{
    cpu_end_count_loop(&t->b, &t->count, 1);
    nir_lower_vars_to_ssa(t->b.shader);
    nir_validate_shader(t->b.shader, "making a loop");
    return t->b.shader;
}

static nir_shader *make_loop(const struct shape *shape, nir_loop **loop)
{
    struct block_loop blocks = begin_block_loop(shape->count);
    nir_builder *b = &blocks.b;
    nir_def *lane = blocks.lane, *address = blocks.address, *offset = blocks.offset,
            *plane_value = blocks.plane_value;

    *loop = blocks.count.loop;
    nir_push_if(b, nir_vote_any(b, nir_ine_imm(b, blocks.i, shape->uncovered)));

    nir_def *seen = nir_flt(b, nir_load_global(b, 1, 32, address, offset), nir_imm_float(b, 0.0f));
    nir_push_if(b, nir_vote_any(b, seen));
    nir_def *affine = nir_flt(b, nir_load_uniform(b, 1, 32, nir_imm_int(b, 0)), plane_value);
    nir_push_if(b, nir_vote_any(b, affine));
    nir_def *one = nir_fmul_imm(b, plane_value, 3.0f);
    nir_def *side_value = longer(b, one, 3); /* part of the rest; uses a value of this side only */
    nir_push_else(b, NULL);
    nir_def *other = longer(b, plane_value, 5);
    nir_pop_if(b, NULL);
    nir_def *x = nir_if_phi(b, one, other);
    side_value = nir_if_phi(b, side_value, plane_value);
    x = nir_fadd(b, x, nir_u2f32(b, lane));
    if (shape->reads_own_result)
        x = nir_fadd(b, x, nir_load_global(b, 1, 32, address, offset));
    if (shape->divergent) {
        nir_push_if(b, nir_ieq_imm(b, lane, 3));
        nir_jump(b, nir_jump_break);
        nir_pop_if(b, NULL);
    }
    /* Part of the rest, which doesn't use x afterwards. */
    nir_def *share = nir_fmul_imm(b, x, 0.25f);
    x = longer(b, x, 12);
    nir_def *adjacent = nir_vote_all(b, nir_flt(b, x, nir_imm_float(b, shape->limit)));
    nir_push_if(b, adjacent);
    nir_def *window = longer(b, nir_fadd(b, x, plane_value), 200);
    nir_push_else(b, NULL);
    nir_def *gathered = nir_fmul(b, x, x);
    nir_pop_if(b, NULL);
    nir_def *result = nir_if_phi(b, window, gathered);
    result = nir_fadd(b, nir_fadd(b, nir_fadd(b, result, x), share), side_value);
    nir_store_global(b, result, address, offset, .write_mask = 1, .align_mul = 4);
    nir_pop_if(b, NULL);
    nir_pop_if(b, NULL);
    return end_block_loop(&blocks);
}

static struct results evaluate(nir_shader *shader, const struct shape *shape)
{
    struct results r;
    struct nir_eval *eval = talloc_zero(NULL, struct nir_eval);
    struct nir_eval_group group = {
        .num_groups = {1, 1, 1}, .size = {LANES, 1, 1}, .subgroup_size = LANES};

    for (unsigned i = 0; i < LANES * BLOCKS; i++)
        r.stored[i] = shape->hidden >> i % BLOCKS & 1 ? 1.0f : -1.0f;
    eval->group = &group;
    eval->intrinsic = store;
    eval->data = &r;
    float uniform = 4.0f;
    memcpy(eval->uniforms, &uniform, sizeof uniform);
    assert_int_equal(nir_eval_invocations(eval, shader), NIR_EVAL_DONE);
    talloc_free(eval);
    return r;
}

/* Returns the number of values that an iteration passes on to the next. */
static unsigned count_head_phis(nir_loop *loop)
{
    unsigned count = 0;
    nir_foreach_instr (instr, nir_loop_first_block(loop))
        count += instr->type == nir_instr_type_phi;
    return count;
}

static void check(const struct shape *shape, bool expected)
{
    nir_loop *loop;
    nir_shader *shader = make_loop(shape, &loop);
    struct results before = evaluate(shader, shape);
    unsigned values = count_head_phis(loop);

    assert_int_equal(cpu_nir_pipeline_loop(shader, loop, false), expected);
    nir_lower_vars_to_ssa(shader);
    nir_validate_shader(shader, "pipelining");
    assert_int_equal(count_head_phis(loop) > values, expected);
    nir_opt_cse(shader);
    nir_opt_dce(shader);
    struct results after = evaluate(shader, shape);
    assert_memory_equal(&before, &after, sizeof before);
    nir_shader_destroy(shader);
}

static void test_results(void **state)
{
    for (unsigned count = 0; count <= BLOCKS; count++) {
        for (unsigned uncovered = 0; uncovered <= BLOCKS; uncovered++) {
            check(&(struct shape){.count = count, .uncovered = uncovered, .limit = 40.0f}, true);
            check(&(struct shape){.count = count, .uncovered = uncovered, .limit = 0.0f}, true);
        }
    }
}

static void test_hidden(void **state)
{
    for (unsigned hidden = 0; hidden < 1 << BLOCKS; hidden++) {
        check(
            &(struct shape){.count = BLOCKS, .uncovered = BLOCKS, .limit = 40.0f, .hidden = hidden},
            true);
        check(&(struct shape){.count = BLOCKS, .uncovered = 2, .limit = 0.0f, .hidden = hidden},
              true);
    }
}

static void test_own_results(void **state)
{
    check(
        &(struct shape){
            .count = BLOCKS, .uncovered = BLOCKS, .limit = 40.0f, .reads_own_result = true},
        false);
}

static void test_divergent_lanes(void **state)
{
    check(&(struct shape){.count = BLOCKS, .uncovered = 1, .limit = 40.0f, .divergent = true},
          false);
}

/* --- blocks of two halves --- */

enum between { NOTHING, RESULT, STORED }; /* what the second half's chain reads of the first half */

static nir_def *add_half(nir_builder *b, nir_def *plane_value, nir_def *address, nir_def *offset,
                         nir_def *of_first, enum between between)
{
    nir_def *affine = nir_flt(b, nir_load_uniform(b, 1, 32, nir_imm_int(b, 0)), plane_value);
    nir_push_if(b, nir_vote_any(b, affine));
    nir_def *one = nir_fmul_imm(b, plane_value, 3.0f);
    nir_push_else(b, NULL);
    nir_def *other = longer(b, plane_value, 5);
    nir_pop_if(b, NULL);
    nir_def *x = nir_if_phi(b, one, other);
    x = nir_fadd(b, x, nir_u2f32(b, nir_load_local_invocation_index(b)));
    if (of_first && between == RESULT)
        x = nir_fadd(b, x, of_first);
    if (of_first && between == STORED)
        x = nir_fadd(b, x, nir_load_global(b, 1, 32, address, offset));
    x = longer(b, x, 12);
    nir_push_if(b, nir_vote_all(b, nir_flt(b, x, nir_imm_float(b, 40.0f))));
    nir_def *window = longer(b, x, 200);
    nir_push_else(b, NULL);
    nir_def *gathered = nir_fmul(b, x, x);
    nir_pop_if(b, NULL);
    nir_def *result = nir_fadd(b, nir_if_phi(b, window, gathered), x);
    if (of_first)
        result = nir_fsub(b, result, of_first);
    nir_store_global(b, result, address, offset, .write_mask = 1, .align_mul = 4);
    return result;
}

static nir_shader *make_halves(enum between between, nir_loop **loop)
{
    struct block_loop blocks = begin_block_loop(BLOCKS);
    nir_builder *b = &blocks.b;
    nir_def *address = blocks.address, *offset = blocks.offset, *plane_value = blocks.plane_value;

    *loop = blocks.count.loop;
    nir_def *first = add_half(b, plane_value, address, offset, NULL, between);
    add_half(b, nir_fadd_imm(b, plane_value, 0.5f), address, offset, first, between);
    return end_block_loop(&blocks);
}

/* Returns whether the condition of the last long branch of the loop's body is available before the
 * first long branch. */
static bool begins_with_first(nir_loop *loop)
{
    const nir_instr *last = NULL;
    const nir_block *first = NULL;
    nir_foreach_cf_node(node, &loop->body)
    {
        if (node->type != nir_cf_node_if)
            continue;
        nir_if *nif = nir_cf_node_as_if(node);
        unsigned count = 0;
        nir_foreach_instr (instr, nir_if_first_then_block(nif))
            count++;
        if (count >= 200 && !first)
            first = nir_cf_node_as_block(nir_cf_node_prev(node));
        if (count >= 200)
            last = nif->condition.ssa->parent_instr;
    }
    nir_metadata_require(nir_cf_node_get_function(&loop->cf_node), nir_metadata_dominance);
    return nir_block_dominates(last->block, first);
}

static void test_halves(void **state)
{
    for (enum between between = NOTHING; between <= STORED; between++) {
        const struct shape shape = {.count = BLOCKS};
        nir_loop *loop;
        nir_shader *shader = make_halves(between, &loop);
        struct results before = evaluate(shader, &shape);

        assert_false(begins_with_first(loop));
        assert_true(cpu_nir_pipeline_loop(shader, loop, true));
        nir_lower_vars_to_ssa(shader);
        nir_validate_shader(shader, "pipelining");
        nir_opt_cse(shader);
        nir_opt_dce(shader);
        assert_int_equal(begins_with_first(loop), between == NOTHING);
        struct results after = evaluate(shader, &shape);
        assert_memory_equal(&before, &after, sizeof before);
        nir_shader_destroy(shader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),     cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_own_results), cmocka_unit_test(test_divergent_lanes),
        cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
