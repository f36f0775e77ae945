/* SPDX-License-Identifier: MIT */
/* Software pipelining of a loop (cpu_nir_ahead.c): loops of its shape, evaluated before and after. */
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

/* What each lane stores, block by block: a row of BLOCKS floats for each lane. */
struct results {
    float stored[LANES * BLOCKS];
};

struct shape {
    unsigned count;     /* of blocks */
    unsigned uncovered; /* the block that has no fragment */
    float limit;        /* of the branch that ends the chain; lanes take both its sides */
    bool apart;         /* lanes go different ways before it */
    bool own;           /* the chain reads what the block itself has stored */
    unsigned hidden;    /* blocks, a bit each, that fail a test of what lies in memory */
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

/* x, with a constant added again and again: n instructions. */
static nir_def *longer(nir_builder *b, nir_def *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x = nir_fadd_imm(b, x, 0.25f + (float)(i & 3));
    return x;
}

/* A loop over blocks that is being built. */
struct turns {
    nir_builder b;
    struct cpu_count_loop count;
    nir_def *i, *lane,
        *here; /* the turn's number; the lane's; what the plane has at the turn's block */
    nir_def *address, *place; /* of what the lane stores in this turn */
};

static struct turns begin_turns(unsigned count)
{
    nir_shader *shader = nir_shader_create(NULL, SHADER_COMPUTE, NULL);
    nir_function *function = nir_function_create(shader, "main");
    function->is_entrypoint = true;
    nir_function_impl *impl = nir_function_impl_create(function);
    struct turns t = {.b = nir_builder_at(nir_before_impl(impl))};
    nir_builder *b = &t.b;
    nir_variable *plane = nir_local_variable_create(impl, glsl_float_type(), "plane");

    t.lane = nir_load_local_invocation_index(b);
    t.address = nir_imm_intN_t(b, 0, 64);
    nir_store_var(b, plane, nir_imm_float(b, 1.0f), 1);
    t.count = cpu_begin_count_loop(b, nir_imm_int(b, (int)count), &t.i);
    t.place = nir_iadd(b, nir_imul_imm(b, t.lane, BLOCKS), t.i);
    t.here = nir_load_var(b, plane);
    nir_store_var(b, plane, nir_fadd_imm(b, nir_fmul_imm(b, t.here, 1.5f), 0.125f), 1);
    return t;
}

static nir_shader *end_turns(struct turns *t)
{
    cpu_end_count_loop(&t->b, &t->count, 1);
    nir_lower_vars_to_ssa(t->b.shader);
    nir_validate_shader(t->b.shader, "making a loop");
    return t->b.shader;
}

static nir_shader *make_loop(const struct shape *shape, nir_loop **loop)
{
    struct turns turns = begin_turns(shape->count);
    nir_builder *b = &turns.b;
    nir_def *lane = turns.lane, *address = turns.address, *place = turns.place, *here = turns.here;

    *loop = turns.count.loop;
    nir_push_if(b, nir_vote_any(b, nir_ine_imm(b, turns.i, shape->uncovered)));

    nir_def *seen = nir_flt(b, nir_load_global(b, 1, 32, address, place), nir_imm_float(b, 0.0f));
    nir_push_if(b, nir_vote_any(b, seen));
    nir_def *affine = nir_flt(b, nir_load_uniform(b, 1, 32, nir_imm_int(b, 0)), here);
    nir_push_if(b, nir_vote_any(b, affine));
    nir_def *one = nir_fmul_imm(b, here, 3.0f);
    nir_def *beside = longer(b, one, 3); /* of the rest, and reads what only this side has */
    nir_push_else(b, NULL);
    nir_def *other = longer(b, here, 5);
    nir_pop_if(b, NULL);
    nir_def *x = nir_if_phi(b, one, other);
    beside = nir_if_phi(b, beside, here);
    x = nir_fadd(b, x, nir_u2f32(b, lane));
    if (shape->own)
        x = nir_fadd(b, x, nir_load_global(b, 1, 32, address, place));
    if (shape->apart) {
        nir_push_if(b, nir_ieq_imm(b, lane, 3));
        nir_jump(b, nir_jump_break);
        nir_pop_if(b, NULL);
    }
    nir_def *share = nir_fmul_imm(b, x, 0.25f); /* of the rest, which reads x no more */
    x = longer(b, x, 12);
    nir_def *near = nir_vote_all(b, nir_flt(b, x, nir_imm_float(b, shape->limit)));
    nir_push_if(b, near);
    nir_def *window = longer(b, nir_fadd(b, x, here), 200);
    nir_push_else(b, NULL);
    nir_def *gathered = nir_fmul(b, x, x);
    nir_pop_if(b, NULL);
    nir_def *result = nir_if_phi(b, window, gathered);
    result = nir_fadd(b, nir_fadd(b, nir_fadd(b, result, x), share), beside);
    nir_store_global(b, result, address, place, .write_mask = 1, .align_mul = 4);
    nir_pop_if(b, NULL);
    nir_pop_if(b, NULL);
    return end_turns(&turns);
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

/* Values that a turn of the loop hands on to the next. */
static unsigned values_ahead(nir_loop *loop)
{
    unsigned count = 0;
    nir_foreach_instr (instr, nir_loop_first_block(loop))
        count += instr->type == nir_instr_type_phi;
    return count;
}

static void check(const struct shape *shape, bool ahead)
{
    nir_loop *loop;
    nir_shader *shader = make_loop(shape, &loop);
    struct results before = evaluate(shader, shape);
    unsigned values = values_ahead(loop);

    assert_int_equal(cpu_nir_compute_ahead(shader, loop, false), ahead);
    nir_lower_vars_to_ssa(shader);
    nir_validate_shader(shader, "computing ahead");
    assert_int_equal(values_ahead(loop) > values, ahead);
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
    check(&(struct shape){.count = BLOCKS, .uncovered = BLOCKS, .limit = 40.0f, .own = true},
          false);
}

static void test_lanes_apart(void **state)
{
    check(&(struct shape){.count = BLOCKS, .uncovered = 1, .limit = 40.0f, .apart = true}, false);
}

/* --- blocks of two halves --- */

enum between { NOTHING, RESULT, STORED }; /* what the second half's chain reads of the first half */

static nir_def *add_half(nir_builder *b, nir_def *here, nir_def *address, nir_def *place,
                         nir_def *of_first, enum between between)
{
    nir_def *affine = nir_flt(b, nir_load_uniform(b, 1, 32, nir_imm_int(b, 0)), here);
    nir_push_if(b, nir_vote_any(b, affine));
    nir_def *one = nir_fmul_imm(b, here, 3.0f);
    nir_push_else(b, NULL);
    nir_def *other = longer(b, here, 5);
    nir_pop_if(b, NULL);
    nir_def *x = nir_if_phi(b, one, other);
    x = nir_fadd(b, x, nir_u2f32(b, nir_load_local_invocation_index(b)));
    if (of_first && between == RESULT)
        x = nir_fadd(b, x, of_first);
    if (of_first && between == STORED)
        x = nir_fadd(b, x, nir_load_global(b, 1, 32, address, place));
    x = longer(b, x, 12);
    nir_push_if(b, nir_vote_all(b, nir_flt(b, x, nir_imm_float(b, 40.0f))));
    nir_def *window = longer(b, x, 200);
    nir_push_else(b, NULL);
    nir_def *gathered = nir_fmul(b, x, x);
    nir_pop_if(b, NULL);
    nir_def *result = nir_fadd(b, nir_if_phi(b, window, gathered), x);
    if (of_first)
        result = nir_fsub(b, result, of_first);
    nir_store_global(b, result, address, place, .write_mask = 1, .align_mul = 4);
    return result;
}

static nir_shader *make_halves(enum between between, nir_loop **loop)
{
    struct turns turns = begin_turns(BLOCKS);
    nir_builder *b = &turns.b;
    nir_def *address = turns.address, *place = turns.place, *here = turns.here;

    *loop = turns.count.loop;
    nir_def *first = add_half(b, here, address, place, NULL, between);
    add_half(b, nir_fadd_imm(b, here, 0.5f), address, place, first, between);
    return end_turns(&turns);
}

/* The last of the branches of the loop's body has its condition from where the first one of many
 * instructions stands. */
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
        assert_true(cpu_nir_compute_ahead(shader, loop, true));
        nir_lower_vars_to_ssa(shader);
        nir_validate_shader(shader, "computing ahead");
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
        cmocka_unit_test(test_own_results), cmocka_unit_test(test_lanes_apart),
        cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
