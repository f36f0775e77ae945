/* SPDX-License-Identifier: MIT */
/* Tests of divergence analysis and of passes that lower I/O, state and textures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <talloc.h>

#include "indium/driver.h"

#include "nir_test.h"

#include "util/arena.h"

static void test_divergence(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *zero = nir_imm_int(&b, 0), *one = nir_imm_int(&b, 1);
    nir_def *uniform = nir_load_uniform(&b, 1, 32, zero);
    nir_def *lane = nir_load_subgroup_invocation(&b);
    nir_def *args = nir_load_kernel_arg(&b);
    nir_def *same = nir_load_global(&b, 1, 32, args, uniform);
    nir_def *other = nir_load_global(&b, 1, 32, args, lane);

    nir_if *uniform_if = nir_push_if(&b, nir_ilt(&b, uniform, one));
    nir_pop_if(&b, uniform_if);
    nir_def *uniform_phi = nir_if_phi(&b, zero, one);
    nir_if *divergent_if = nir_push_if(&b, nir_ilt(&b, lane, one));
    nir_pop_if(&b, divergent_if);
    nir_def *divergent_phi = nir_if_phi(&b, zero, one);
    nir_def *any = nir_vote_any(&b, nir_ilt(&b, lane, one));
    nir_def *sum = nir_reduce(&b, lane, .reduction_op = nir_op_iadd);
    nir_def *clusters = nir_reduce(&b, lane, .reduction_op = nir_op_iadd, .cluster_size = 2);
    nir_def *scan = nir_inclusive_scan(&b, one, .reduction_op = nir_op_iadd);
    nir_def *from_one = nir_shuffle(&b, lane, uniform), *from_any = nir_shuffle(&b, lane, other);

    /* Lanes leave in different iterations: the counter diverges outside of the loop, but not
     * inside. */
    nir_loop *loop = nir_push_loop(&b);
    nir_phi_instr *phi = head_phi(&b, loop, zero);
    nir_def *next = nir_iadd(&b, &phi->def, one);
    nir_break_if(&b, nir_ilt(&b, lane, next));
    nir_pop_loop(&b, loop);
    insert_phi(phi, loop, next);
    nir_def *after = nir_iadd(&b, uniform, one);
    nir_store_output(&b, nir_iadd(&b, next, after), zero);
    nir_convert_to_lcssa(b.shader);
    nir_validate_shader(b.shader, "in the test");
    nir_divergence_analysis(b.shader);

    assert_false(uniform->divergent);
    assert_true(lane->divergent);
    assert_false(args->divergent);
    assert_false(same->divergent);
    assert_true(other->divergent);
    assert_false(uniform_phi->divergent);
    assert_true(divergent_phi->divergent);
    assert_false(any->divergent);
    assert_false(sum->divergent);
    assert_true(clusters->divergent);
    assert_true(scan->divergent);
    assert_false(from_one->divergent);
    assert_true(from_any->divergent);
    assert_true(loop->divergent);
    assert_false(phi->def.divergent);
    assert_false(next->divergent);
    assert_false(after->divergent);
    nir_phi_instr *closed = nir_instr_as_phi(
        nir_block_first_instr(nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node))));
    assert_true(closed->def.divergent);
    nir_shader_destroy(b.shader);
}

/* How the store of test_scratch_divergence differs from a uniform one. */
enum scratch_store {
    UNIFORM_STORE,
    OTHER_VALUE,
    OTHER_OFFSET,
    UNDER_IF,
    IN_LOOP_UNDER_IF,
    AFTER_BREAK,
    UNKNOWN_VARIABLE,
    SCRATCH_STORES,
};

/* Scratch memory is uniform if uniform values are stored at uniform offsets while all lanes are
 * active. A store to one variable doesn't concern the others. */
static void test_scratch_divergence(void **state)
{
    for (unsigned kind = 0; kind < SCRATCH_STORES; kind++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *zero = nir_imm_int(&b, 0), *lane = nir_load_subgroup_invocation(&b);
        nir_def *uniform = nir_load_uniform(&b, 1, 32, zero), *more = nir_ilt(&b, uniform, lane);
        b.shader->scratch_size = 64;
        nir_def *before = nir_load_scratch(&b, 1, 32, uniform, .scratch_var = 1);
        nir_store_scratch(&b, before, zero, .base = 16, .scratch_var = 17, .write_mask = 1);
        if (kind == UNDER_IF || kind == IN_LOOP_UNDER_IF)
            nir_push_if(&b, more);
        if (kind == IN_LOOP_UNDER_IF || kind == AFTER_BREAK)
            nir_push_loop(&b);
        if (kind == AFTER_BREAK)
            nir_break_if(&b, more);
        nir_store_scratch(&b, kind == OTHER_VALUE ? lane : uniform,
                          kind == OTHER_OFFSET ? lane : uniform,
                          .scratch_var = kind != UNKNOWN_VARIABLE, .write_mask = 1);
        if (kind == UNKNOWN_VARIABLE)
            nir_store_scratch(&b, lane, uniform, .write_mask = 1);
        if (kind == IN_LOOP_UNDER_IF || kind == AFTER_BREAK) {
            nir_break_if(&b, nir_ilt(&b, uniform, zero));
            nir_pop_loop(&b, NULL);
        }
        if (kind == UNDER_IF || kind == IN_LOOP_UNDER_IF)
            nir_pop_if(&b, NULL);
        nir_store_scratch(&b, uniform, zero, .base = 32, .scratch_var = 33, .write_mask = 1);
        nir_def *other = nir_load_scratch(&b, 1, 32, zero, .base = 32, .scratch_var = 33);
        nir_def *copied = nir_load_scratch(&b, 1, 32, zero, .base = 16, .scratch_var = 17);
        nir_def *far = nir_load_scratch(&b, 1, 32, lane, .base = 32, .scratch_var = 33);
        nir_def *unknown = nir_load_scratch(&b, 1, 32, zero);
        nir_divergence_analysis(b.shader);
        assert_int_equal(before->divergent, kind != UNIFORM_STORE);
        assert_int_equal(copied->divergent, kind != UNIFORM_STORE);
        assert_int_equal(other->divergent, kind == UNKNOWN_VARIABLE);
        assert_true(far->divergent);
        assert_true(unknown->divergent);
        nir_shader_destroy(b.shader);
    }
}

static nir_phi_instr *phi_after(nir_builder *b, nir_loop *loop, nir_def *first, nir_def *second)
{
    nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    nir_phi_instr *phi = nir_phi_instr_create(b->shader);
    nir_def_init(&phi->instr, &phi->def, 1, 32);
    assert_int_equal(after->num_predecessors, 2);
    nir_phi_instr_add_src(phi, after->predecessors[0], first);
    nir_phi_instr_add_src(phi, after->predecessors[1], second);
    nir_instr_insert(nir_before_block(after), &phi->instr);
    return phi;
}

/* A loop that lanes leave in different iterations, by two breaks. */
struct escapes {
    nir_builder b;
    nir_loop *loop;
    nir_def *constant, *again, *other, *undef, *sum, *load, *count; /* values of the loop */
};

static struct escapes build_escapes(void)
{
    struct escapes e = {.b = test_shader(SHADER_FRAGMENT)};
    nir_builder *b = &e.b;
    nir_def *lane = nir_load_subgroup_invocation(b), *arg = nir_load_kernel_arg(b);
    nir_def *zero = nir_imm_int(b, 0);
    e.loop = nir_push_loop(b);
    nir_phi_instr *phi = head_phi(b, e.loop, zero);
    e.constant = nir_imm_int(b, 15);
    e.again = nir_imm_int(b, 15);
    e.other = nir_imm_int(b, 16);
    e.undef = nir_undef(b, 1, 32);
    e.sum = nir_iadd(b, e.constant, nir_load_subgroup_size(b));
    e.load = nir_load_global_constant(b, 1, 32, arg, e.sum);
    e.count = nir_iadd_imm(b, &phi->def, 1);
    nir_break_if(b, nir_ilt(b, lane, e.count));
    nir_break_if(b, nir_ilt(b, e.load, e.count));
    nir_pop_loop(b, e.loop);
    insert_phi(phi, e.loop, e.count);
    return e;
}

/* Leaving a loop doesn't make loop invariants divergent, with or without phis. */
static void test_invariants_stay_uniform(void **state)
{
    struct escapes e = build_escapes();
    nir_builder *b = &e.b;
    nir_def *same = &phi_after(b, e.loop, e.constant, e.constant)->def;
    nir_def *equal = &phi_after(b, e.loop, e.constant, e.again)->def;
    nir_def *computed = &phi_after(b, e.loop, e.load, e.load)->def;
    nir_def *undefs = &phi_after(b, e.loop, e.undef, e.undef)->def;
    nir_def *differ = &phi_after(b, e.loop, e.constant, e.other)->def;
    nir_def *maybe = &phi_after(b, e.loop, e.constant, e.undef)->def;
    nir_def *counted = &phi_after(b, e.loop, e.count, e.count)->def;
    nir_def *used = nir_iadd(b, e.load, e.constant), *direct = nir_ineg(b, e.count);
    test_output(b, nir_iadd(b, used, direct), 0);
    nir_validate_shader(b->shader, "in the test");
    nir_divergence_analysis(b->shader);
    assert_true(e.loop->divergent);
    assert_false(same->divergent);
    assert_false(equal->divergent);
    assert_false(computed->divergent);
    assert_false(undefs->divergent);
    assert_true(differ->divergent);
    assert_true(maybe->divergent);
    assert_true(counted->divergent);
    assert_false(e.constant->divergent);
    assert_false(e.load->divergent);
    assert_false(used->divergent);
    assert_true(direct->divergent);
    nir_shader_destroy(b->shader);
}

static bool is_in_loop(const struct escapes *e, const nir_def *def)
{
    const nir_cf_node *node = &def->parent_instr->block->cf_node;
    while (node && node != &e->loop->cf_node)
        node = node->parent;
    return node != NULL;
}

/* Values used after a loop that could be computed before it are moved there with their sources. */
static void test_hoist_invariants(void **state)
{
    struct escapes e = build_escapes();
    nir_builder *b = &e.b;
    nir_def *used = nir_iadd(b, e.load, e.count);
    test_output(b, used, 0);
    RUN(b, nir_opt_hoist_invariants);
    assert_false(is_in_loop(&e, e.load));
    assert_false(is_in_loop(&e, e.sum));
    assert_false(is_in_loop(&e, e.constant));
    assert_true(is_in_loop(&e, e.other)); /* nothing outside uses it */
    assert_true(is_in_loop(&e, e.count));
    EXPECT_UNCHANGED(b, nir_opt_hoist_invariants);
    RUN(b, nir_convert_to_lcssa);
    nir_alu_instr *add = nir_instr_as_alu(used->parent_instr);
    assert_ptr_equal(add->src[0].src.ssa, e.load);
    assert_int_equal(add->src[1].src.ssa->parent_instr->type, nir_instr_type_phi);
    nir_shader_destroy(b->shader);
}

/* A load stays if a condition guards its address. */
static void test_guarded_load_stays(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *arg = nir_load_kernel_arg(&b), *x = test_input(&b, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_push_if(&b, nir_ine_imm(&b, x, 0));
    nir_def *load = nir_load_global_constant(&b, 1, 32, arg, nir_imm_int(&b, 4));
    nir_jump(&b, nir_jump_break);
    nir_pop_if(&b, NULL);
    nir_pop_loop(&b, loop);
    nir_block *block = load->parent_instr->block;
    test_output(&b, load, 0);
    EXPECT_UNCHANGED(&b, nir_opt_hoist_invariants);
    assert_ptr_equal(load->parent_instr->block, block);
    nir_shader_destroy(b.shader);
}

/* The intrinsic table lists sources that must be uniform; a divergent block address is an error. */
static void test_uniform_sources(void **state)
{
    for (unsigned divergent = 0; divergent < 6; divergent++) {
        nir_builder b = test_shader(SHADER_COMPUTE);
        nir_def *lane = nir_load_subgroup_invocation(&b), *zero = nir_imm_int(&b, 0);
        nir_def *arg = nir_load_kernel_arg(&b), *lanes = nir_iadd(&b, arg, nir_u2u64(&b, lane));
        nir_def *word = nir_load_global_block(&b, 1, 32, divergent == 1 ? lanes : arg,
                                              divergent == 2 ? lane : zero);
        nir_store_global_block(&b, word, divergent == 3 ? lanes : arg, divergent == 4 ? lane : zero,
                               nir_imm_true(&b));
        nir_poll_stop(&b, divergent == 5 ? lanes : arg);
        nir_divergence_analysis(b.shader);
        assert_int_equal(nir_sources_are_uniform(b.shader), !divergent);
        nir_shader_destroy(b.shader);
    }
}

/* Returns whether a loop with two nested conditional breaks is divergent. */
static bool leaves_apart(bool outer_diverges, bool inner_diverges)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *one = nir_imm_int(&b, 1);
    nir_def *uniform = nir_load_uniform(&b, 1, 32, nir_imm_int(&b, 0));
    nir_def *lane = nir_load_subgroup_invocation(&b);
    nir_loop *loop = nir_push_loop(&b);
    nir_if *outer = nir_push_if(&b, nir_ilt(&b, outer_diverges ? lane : uniform, one));
    nir_break_if(&b, nir_ilt(&b, inner_diverges ? lane : uniform, one));
    nir_pop_if(&b, outer);
    nir_pop_loop(&b, loop);
    nir_divergence_analysis(b.shader);
    bool divergent = loop->divergent;
    nir_shader_destroy(b.shader);
    return divergent;
}

static void test_divergent_breaks(void **state)
{
    assert_false(leaves_apart(false, false));
    assert_true(leaves_apart(true, false));
    assert_true(leaves_apart(false, true));
    assert_true(leaves_apart(true, true));
}

/* Only the operations that the driver supports remain. */
static void test_lower_subgroups(void **state)
{
    static const nir_lower_subgroups_options kinds[] = {
        {.size = 8, .inactive_compute = true},
        {.size = 16, .lower_shuffle = true, .lower_quad = true},
    };
    for (unsigned i = 0; i < 2; i++) {
        nir_builder b = test_shader(i ? SHADER_FRAGMENT : SHADER_COMPUTE);
        nir_def *x = test_input(&b, 2), *wide = test_input_64(&b, 1), *one = nir_imm_int(&b, 1);
        nir_def *bit = nir_ilt(&b, nir_channel(&b, x, 0), one);
        test_output(&b, nir_reduce(&b, x, .reduction_op = nir_op_fadd), 0);
        test_output(&b, nir_inclusive_scan(&b, wide, .reduction_op = nir_op_imax), 1);
        test_output(&b, nir_exclusive_scan(&b, bit, .reduction_op = nir_op_ixor), 2);
        test_output(&b, nir_shuffle_up(&b, x, one), 3);
        test_output(&b, nir_shuffle(&b, bit, nir_channel(&b, x, 1)), 4);
        test_output(&b, nir_quad_swap_vertical(&b, wide), 5);
        test_output(&b, nir_vote_feq(&b, x), 6);
        test_output(&b, nir_elect(&b), 7);
        test_output(&b, nir_read_first_invocation(&b, wide), 8);
        RUN(&b, nir_lower_subgroups, &kinds[i]);
        assert_null(find_intrinsic(b.shader, nir_intrinsic_reduce));
        assert_null(find_intrinsic(b.shader, nir_intrinsic_inclusive_scan));
        assert_null(find_intrinsic(b.shader, nir_intrinsic_exclusive_scan));
        assert_null(find_intrinsic(b.shader, nir_intrinsic_vote_feq));
        assert_null(find_intrinsic(b.shader, nir_intrinsic_elect));
        assert_non_null(find_intrinsic(b.shader, nir_intrinsic_read_invocation));
        assert_int_equal(find_intrinsic(b.shader, nir_intrinsic_shuffle) == NULL, i);
        assert_int_equal(find_intrinsic(b.shader, nir_intrinsic_shuffle_up) == NULL, i);
        assert_int_equal(find_intrinsic(b.shader, nir_intrinsic_quad_swap_vertical) == NULL, i);
        /* Helper invocations take part only in quad operations; the first lane may be one. */
        assert_int_equal(find_intrinsic(b.shader, nir_intrinsic_is_helper_invocation) != NULL, i);
        assert_int_equal(find_intrinsic(b.shader, nir_intrinsic_read_first_invocation) == NULL, i);
        if (!i)
            EXPECT_UNCHANGED(&b, nir_lower_subgroups, &kinds[0]);
        nir_shader_destroy(b.shader);
    }
}

static void test_lower_io(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *vec4 = glsl_vec4_type();
    nir_variable *a = test_variable(&b, nir_var_shader_in, vec4, VARYING_SLOT_VAR(5));
    nir_variable *flat = test_variable(&b, nir_var_shader_in, glsl_int_type(), VARYING_SLOT_VAR(2));
    flat->data.interpolation = INTERP_MODE_FLAT;
    nir_variable *u = test_variable(&b, nir_var_uniform, glsl_array_type(b.shader, vec4, 3, 0), -1);
    u->data.driver_location = 64;
    nir_variable *out = test_variable(&b, nir_var_shader_out, vec4, FRAG_RESULT_DATA0);
    a->data.driver_location = 1;

    nir_def *index = nir_load_var(&b, flat);
    nir_deref_instr *element = nir_build_deref_array(&b, nir_build_deref_var(&b, u), index);
    nir_def *sum = nir_fadd(&b, nir_load_var(&b, a), nir_load_deref(&b, element));
    nir_store_var(&b, out, sum, 0x7);
    nir_lower_io(b.shader, nir_var_shader_in | nir_var_shader_out | nir_var_uniform);
    nir_validate_shader(b.shader, "after nir_lower_io");

    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_deref), 0);
    nir_intrinsic_instr *load = find_intrinsic(b.shader, nir_intrinsic_load_interpolated_input);
    assert_int_equal(nir_intrinsic_base(load), 1);
    assert_int_equal(nir_intrinsic_io_semantics(load).location, VARYING_SLOT_VAR(5));
    nir_intrinsic_instr *store = find_intrinsic(b.shader, nir_intrinsic_store_output);
    assert_int_equal(nir_intrinsic_write_mask(store), 0x7);
    nir_intrinsic_instr *uniform = find_intrinsic(b.shader, nir_intrinsic_load_uniform);
    assert_int_equal(nir_intrinsic_base(uniform), 64);
    assert_int_equal(nir_intrinsic_range(uniform), 48);

    struct nir_eval eval = {0};
    eval.inputs[0][0] = 2;
    eval.inputs[1][2] = fui(1.5f);
    eval.uniforms[(64 + 2 * 16) / 4 + 2] = fui(2.0f);
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    assert_int_equal(eval.outputs[0][2], fui(3.5f));
    /* An index out of range reads the last element. */
    eval.inputs[0][0] = 1000;
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    assert_int_equal(eval.outputs[0][2], fui(3.5f));

    nir_shader_gather_info(b.shader);
    assert_true(b.shader->info.inputs_read ==
                (BITFIELD64_BIT(VARYING_SLOT_VAR(5)) | BITFIELD64_BIT(VARYING_SLOT_VAR(2))));
    assert_true(b.shader->info.outputs_written == BITFIELD64_BIT(FRAG_RESULT_DATA0));
    nir_shader_destroy(b.shader);
}

/* Checks inputs with the values of the vertices (NV_fragment_shader_barycentric). */
static void test_vertex_inputs(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *pairs = glsl_array_type(b.shader, glsl_vec4_type(), 2, 0);
    nir_variable *in = test_variable(&b, nir_var_shader_in, glsl_array_type(b.shader, pairs, 3, 0),
                                     VARYING_SLOT_VAR(4));
    in->data.interpolation = INTERP_MODE_PER_VERTEX;
    in->data.driver_location = 2;
    nir_def *number = test_input(&b, 2);
    nir_deref_instr *vertex =
        nir_build_deref_array(&b, nir_build_deref_var(&b, in), nir_channel(&b, number, 0));
    nir_deref_instr *element = nir_build_deref_array(&b, vertex, nir_channel(&b, number, 1));
    test_output(&b, nir_load_deref(&b, element), 0);
    RUN(&b, nir_lower_io, nir_var_shader_in);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_deref), 0);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_input_vertex), 1);

    static uint32_t vertices[3][NIR_EVAL_MAX_SLOTS][4];
    for (unsigned v = 0; v < 3; v++)
        for (unsigned s = 0; s < NIR_EVAL_MAX_SLOTS; s++)
            for (unsigned c = 0; c < 4; c++)
                vertices[v][s][c] = v << 16 | s << 8 | c;
    struct nir_eval eval = {0};
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_UNSUPPORTED);
    eval.vertices = vertices;
    eval.num_vertices = 3;
    for (unsigned v = 0; v < 4; v++) { /* indices out of range read the last element */
        for (unsigned e = 0; e < 3; e++) {
            eval.inputs[0][0] = v;
            eval.inputs[0][1] = e;
            assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
            assert_memory_equal(eval.outputs[0], vertices[MIN2(v, 2)][2 + MIN2(e, 1)], 16);
        }
    }
    eval.num_vertices = 1;
    eval.inputs[0][0] = 1;
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    assert_memory_equal(eval.outputs[0], ((uint32_t[4]){0}), 16);
    nir_shader_gather_info(b.shader);
    assert_true(b.shader->info.inputs_read & BITFIELD64_BIT(VARYING_SLOT_VAR(4)));
    nir_shader_destroy(b.shader);
}

static void test_uniform_block(void **state)
{
    nir_builder b = test_shader(SHADER_VERTEX);
    struct glsl_struct_field fields[] = {
        {.type = glsl_float_type(), .name = "f", .location = -1, .component = -1, .offset = -1},
        {.type = glsl_simple_type(GLSL_TYPE_FLOAT, 3, 3),
         .name = "m",
         .location = -1,
         .component = -1,
         .offset = -1,
         .matrix_layout = 2},
        {.type = glsl_array_type(b.shader, glsl_float_type(), 4, 0),
         .name = "a",
         .location = -1,
         .component = -1,
         .offset = -1},
    };
    const struct glsl_type *block =
        glsl_interface_type(b.shader, fields, 3, GLSL_PACKING_STD140, false, "B");
    nir_variable *var =
        test_variable(&b, nir_var_mem_ubo, glsl_array_type(b.shader, block, 2, 0), -1);
    var->interface_type = block;
    var->data.binding = 3;
    nir_deref_instr *instance = nir_build_deref_array_imm(&b, nir_build_deref_var(&b, var), 1);
    nir_deref_instr *array = nir_build_deref_struct(&b, instance, 2);
    nir_def *x = nir_load_deref(&b, nir_build_deref_array_imm(&b, array, 2));
    nir_deref_instr *matrix = nir_build_deref_struct(&b, instance, 1);
    nir_def *column = nir_load_deref(&b, nir_build_deref_array_imm(&b, matrix, 1));
    nir_store_output(&b, x, nir_imm_int(&b, 0));
    nir_store_output(&b, column, nir_imm_int(&b, 0), .base = 1);
    nir_lower_explicit_io(b.shader, nir_var_mem_ubo);
    nir_opt_constant_folding(b.shader);
    nir_validate_shader(b.shader, "after nir_lower_explicit_io");

    /* f is at 0, m at 16 (three rows of 16), a at 64: element 2 is at 96; column 1 at 20, 36,
     * 52. */
    static const unsigned offsets[] = {96, 20, 36, 52};
    unsigned i = 0;
    nir_foreach_block (l, b.impl) {
        nir_foreach_instr (instr, l) {
            if (instr->type != nir_instr_type_intrinsic ||
                nir_instr_as_intrinsic(instr)->intrinsic != nir_intrinsic_load_ubo)
                continue;
            nir_intrinsic_instr *load = nir_instr_as_intrinsic(instr);
            assert_int_equal(nir_src_as_uint(load->src[0]), 4);
            assert_int_equal(nir_src_as_uint(load->src[1]), offsets[i]);
            i++;
        }
    }
    assert_int_equal(i, 4);
    nir_shader_destroy(b.shader);
}

static void test_fragment_state(void **state)
{
    static const int16_t tokens[NIR_STATE_LENGTH] = {7, 0, 0, 0, 0};
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *in = test_variable(&b, nir_var_shader_in, glsl_vec4_type(), VARYING_SLOT_COL0);
    nir_variable *out = test_variable(&b, nir_var_shader_out, glsl_vec4_type(), FRAG_RESULT_COLOR);
    nir_store_var(&b, out, nir_load_var(&b, in), 0xf);
    assert_true(nir_lower_flatshade(b.shader));
    assert_int_equal(in->data.interpolation, INTERP_MODE_FLAT);
    assert_true(nir_lower_two_sided_color(b.shader));
    nir_validate_shader(b.shader, "after nir_lower_two_sided_color");
    assert_non_null(
        nir_find_variable_with_location(b.shader, nir_var_shader_in, VARYING_SLOT_BFC0));
    assert_true(nir_lower_clamp_color_outputs(b.shader));
    assert_true(nir_lower_alpha_test(b.shader, DRV_FUNC_GREATER, tokens, false));
    nir_validate_shader(b.shader, "after the lowerings of state");
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_discard_if), 1);
    nir_optimize(b.shader);
    nir_shader_destroy(b.shader);
}

static void test_clip_planes(void **state)
{
    static const int16_t tokens[NIR_STATE_LENGTH] = {9, 0, 0, 0, 0};
    nir_builder b = test_shader(SHADER_VERTEX);
    nir_variable *in = test_variable(&b, nir_var_shader_in, glsl_vec4_type(), VERT_ATTRIB_POS);
    nir_variable *pos = test_variable(&b, nir_var_shader_out, glsl_vec4_type(), VARYING_SLOT_POS);
    nir_store_var(&b, pos, nir_load_var(&b, in), 0xf);
    assert_true(nir_lower_clip_vs(b.shader, 0x5, tokens));
    nir_validate_shader(b.shader, "after nir_lower_clip_vs");
    unsigned planes = 0, offset = 0;
    nir_foreach_uniform_variable(var, b.shader)
    {
        assert_int_equal(var->num_state_slots, 1);
        assert_int_equal(var->state_slots[0].tokens[1], planes ? 2 : 0);
        var->data.driver_location = offset;
        offset += 16;
        planes++;
    }
    assert_int_equal(planes, 2);
    assert_int_equal(b.shader->info.clip_distance_array_size, 3);
    nir_find_variable_with_location(b.shader, nir_var_shader_out, VARYING_SLOT_CLIP_DIST0)
        ->data.driver_location = 1;
    nir_lower_io(b.shader, nir_var_shader_in | nir_var_shader_out | nir_var_uniform);
    nir_validate_shader(b.shader, "after nir_lower_io");
    struct nir_eval eval = {0};
    eval.inputs[0][0] = fui(3.0f);
    eval.uniforms[0] = fui(2.0f);
    eval.uniforms[4] = fui(-1.0f);
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    assert_int_equal(eval.outputs[1][0], fui(6.0f));
    assert_int_equal(eval.outputs[1][1], fui(0.0f));
    assert_int_equal(eval.outputs[1][2], fui(-3.0f));
    nir_shader_destroy(b.shader);
}

/* Returns a shader that copies gl_ViewID_OVR to an output, after nir_lower_multiview. */
static nir_builder viewing_shader(enum shader_stage stage, unsigned num_views)
{
    nir_builder b = test_shader(stage);
    nir_variable *view =
        test_variable(&b, nir_var_system_value, glsl_uint_type(), SYSTEM_VALUE_VIEW_INDEX);
    int slot = stage == SHADER_FRAGMENT ? FRAG_RESULT_DATA0 : VARYING_SLOT_VAR(0);
    nir_variable *out = test_variable(&b, nir_var_shader_out, glsl_uint_type(), slot);
    nir_store_var(&b, out, nir_load_var(&b, view), 1);
    for (unsigned i = 0; i < 2 && stage == SHADER_GEOMETRY; i++)
        nir_emit_vertex(&b);
    b.shader->info.tess.vertices_out = stage == SHADER_TESS_CTRL ? 5 : 0;
    assert_true(nir_lower_multiview(b.shader, num_views));
    nir_validate_shader(b.shader, "after nir_lower_multiview");
    nir_lower_system_values(b.shader);
    return b;
}

/* Checks that a vertex shader writes its view as the layer, and that a fragment shader reads the
 * layer as its view; without views, the index is 0 and there is no layer. */
static void test_multiview(void **state)
{
    nir_builder b = viewing_shader(SHADER_VERTEX, 2);
    nir_variable *layer =
        nir_find_variable_with_location(b.shader, nir_var_shader_out, VARYING_SLOT_LAYER);
    assert_non_null(layer);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_view_index), 2);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), 2);
    nir_shader_gather_info(b.shader);
    assert_true(bitset_test(b.shader->info.system_values_read, SYSTEM_VALUE_VIEW_INDEX));
    nir_shader_destroy(b.shader);

    b = viewing_shader(SHADER_FRAGMENT, 2);
    layer = nir_find_variable_with_location(b.shader, nir_var_shader_in, VARYING_SLOT_LAYER);
    assert_non_null(layer);
    assert_int_equal(layer->data.interpolation, INTERP_MODE_FLAT);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_view_index), 0);
    nir_shader_destroy(b.shader);

    b = viewing_shader(SHADER_TESS_CTRL, 2);
    layer = nir_find_variable_with_location(b.shader, nir_var_shader_out, VARYING_SLOT_LAYER);
    assert_int_equal(glsl_length_of(layer->type), 5);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_view_index), 0);
    nir_shader_destroy(b.shader);

    static const enum shader_stage later[] = {SHADER_TESS_EVAL, SHADER_GEOMETRY};
    for (unsigned i = 0; i < ARRAY_SIZE(later); i++) {
        b = viewing_shader(later[i], 2);
        layer = nir_find_variable_with_location(b.shader, nir_var_shader_in, VARYING_SLOT_LAYER);
        assert_true(glsl_type_is_array(layer->type));
        assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), i ? 3 : 2);
        assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_view_index), 0);
        nir_shader_destroy(b.shader);
    }

    static const enum shader_stage stages[] = {SHADER_VERTEX, SHADER_TESS_CTRL, SHADER_TESS_EVAL,
                                               SHADER_GEOMETRY, SHADER_FRAGMENT};
    for (unsigned i = 0; i < ARRAY_SIZE(stages); i++)
        for (unsigned views = 0; views < 2; views++) {
            b = viewing_shader(stages[i], views);
            assert_null(nir_find_variable_with_location(
                b.shader, nir_var_shader_in | nir_var_shader_out, VARYING_SLOT_LAYER));
            assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_view_index), 0);
            EXPECT_UNCHANGED(&b, nir_lower_multiview, views);
            nir_shader_destroy(b.shader);
        }
}

static nir_tex_instr *build_tex(nir_builder *b, nir_texop op, enum glsl_sampler_dim dim,
                                nir_deref_instr *sampler, nir_def *coord, nir_def *projector)
{
    nir_tex_instr *tex = nir_tex_instr_create(b->shader, projector ? 4 : 3);
    tex->op = op;
    tex->sampler_dim = dim;
    tex->dest_type = nir_type_float32;
    tex->coord_components = coord->num_components;
    tex->src[0] = (nir_tex_src){nir_src_for_ssa(coord), nir_tex_src_coord};
    tex->src[1] = (nir_tex_src){nir_src_for_ssa(&sampler->def), nir_tex_src_texture_deref};
    tex->src[2] = (nir_tex_src){nir_src_for_ssa(&sampler->def), nir_tex_src_sampler_deref};
    if (projector)
        tex->src[3] = (nir_tex_src){nir_src_for_ssa(projector), nir_tex_src_projector};
    nir_def_init(&tex->instr, &tex->def, nir_tex_instr_dest_size(tex), 32);
    nir_builder_instr_insert(b, &tex->instr);
    return tex;
}

/* Gradients are removed if they are dFdx and dFdy of the coordinates in the same block. */
static void test_tex_gradients(void **state)
{
    enum { IMPLICIT, SWAPPED, OTHER, EARLIER, KINDS };
    for (unsigned kind = 0; kind < KINDS; kind++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_variable *sampler = test_variable(
            &b, nir_var_uniform,
            glsl_sampler_type(GLSL_SAMPLER_DIM_2D, false, false, GLSL_TYPE_FLOAT), -1);
        nir_def *coord = nir_load_uniform(&b, 2, 32, nir_imm_int(&b, 0));
        nir_def *from = kind == OTHER ? nir_load_uniform(&b, 2, 32, nir_imm_int(&b, 16)) : coord;
        nir_def *x = nir_fddx(&b, from), *y = nir_fddy(&b, coord);
        nir_if *nif = kind == EARLIER ? nir_push_if(&b, nir_imm_true(&b)) : NULL;
        nir_tex_instr *tex = build_tex(&b, nir_texop_txd, GLSL_SAMPLER_DIM_2D,
                                       nir_build_deref_var(&b, sampler), coord, NULL);
        nir_tex_instr_add_src(tex, nir_tex_src_ddx, kind == SWAPPED ? y : x);
        nir_tex_instr_add_src(tex, nir_tex_src_ddy, kind == SWAPPED ? x : y);
        nir_store_output(&b, &tex->def, nir_imm_int(&b, 0));
        if (nif)
            nir_pop_if(&b, nif);
        nir_validate_shader(b.shader, "in the test");
        assert_int_equal(nir_opt_tex_gradients(b.shader), kind == IMPLICIT);
        assert_int_equal(tex->op, kind == IMPLICIT ? nir_texop_tex : nir_texop_txd);
        nir_validate_shader(b.shader, "in the test");
        nir_shader_destroy(b.shader);
    }
}

static void test_textures(void **state)
{
    static const nir_lower_tex_options tex_options = {.lower_txp = true, .lower_rect = true};
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *type =
        glsl_sampler_type(GLSL_SAMPLER_DIM_RECT, false, false, GLSL_TYPE_FLOAT);
    nir_variable *samplers =
        test_variable(&b, nir_var_uniform, glsl_array_type(b.shader, type, 4, 0), -1);
    samplers->data.binding = 5;
    nir_def *index = nir_load_uniform(&b, 1, 32, nir_imm_int(&b, 0));
    nir_deref_instr *root = nir_build_deref_var(&b, samplers);
    nir_deref_instr *direct = nir_build_deref_array_imm(&b, root, 2);
    nir_deref_instr *indirect = nir_build_deref_array(&b, root, index);
    nir_def *coord = nir_imm_vec2(&b, 8, 4);
    nir_tex_instr *a =
        build_tex(&b, nir_texop_tex, GLSL_SAMPLER_DIM_RECT, direct, coord, nir_imm_float(&b, 2));
    nir_tex_instr *c = build_tex(&b, nir_texop_tex, GLSL_SAMPLER_DIM_RECT, indirect, coord, NULL);
    nir_store_output(&b, nir_fadd(&b, &a->def, &c->def), nir_imm_int(&b, 0));
    nir_validate_shader(b.shader, "in the test");
    nir_lower_tex(b.shader, &tex_options);
    nir_validate_shader(b.shader, "after nir_lower_tex");
    assert_int_equal(a->sampler_dim, GLSL_SAMPLER_DIM_2D);
    assert_int_equal(nir_tex_instr_src_index(a, nir_tex_src_projector), -1);
    nir_lower_samplers(b.shader);
    nir_validate_shader(b.shader, "after nir_lower_samplers");
    assert_int_equal(a->texture_index, 7);
    assert_int_equal(a->sampler_index, 7);
    assert_int_equal(c->texture_index, 5);
    assert_true(nir_tex_instr_src_index(c, nir_tex_src_texture_offset) >= 0);
    assert_int_equal(nir_tex_instr_src_index(c, nir_tex_src_texture_deref), -1);
    nir_shader_gather_info(b.shader);
    assert_true(b.shader->info.textures_used & BITFIELD_BIT(7));
    nir_shader_destroy(b.shader);
}

/* For cube map arrays, the third component is divided by 6; for others it is unchanged. */
static void test_cube_array_sizes(void **state)
{
    static const nir_lower_tex_options tex_options = {.lower_txs_cube_array = true};
    for (unsigned array = 0; array < 2; array++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *image = nir_image_size(
            &b, 3, nir_imm_int(&b, 0), nir_imm_int(&b, 0),
            .image_dim = array ? GLSL_SAMPLER_DIM_CUBE : GLSL_SAMPLER_DIM_2D, .image_array = true);
        nir_tex_instr *txs = nir_tex_instr_create(b.shader, 1);
        txs->op = nir_texop_txs;
        txs->sampler_dim = GLSL_SAMPLER_DIM_CUBE;
        txs->is_array = array;
        txs->dest_type = nir_type_int32;
        txs->src[0] = (nir_tex_src){nir_src_for_ssa(nir_imm_int(&b, 0)), nir_tex_src_lod};
        nir_def_init(&txs->instr, &txs->def, nir_tex_instr_dest_size(txs), 32);
        nir_builder_instr_insert(&b, &txs->instr);
        test_output(&b, image, 0);
        test_output(&b, &txs->def, 1);
        if (array) {
            RUN(&b, nir_lower_image);
            assert_int_equal(count_ops(b.shader, nir_op_udiv), 1);
            RUN(&b, nir_lower_tex, &tex_options);
            assert_int_equal(count_ops(b.shader, nir_op_udiv), 2);
        }
        EXPECT_UNCHANGED(&b, nir_lower_image);
        EXPECT_UNCHANGED(&b, nir_lower_tex, &tex_options);
        nir_shader_destroy(b.shader);
    }
}

static void test_inlining(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_function *f = nir_function_create(b.shader, "f");
    f->num_params = 2;
    f->params = talloc_zero_array(f, nir_parameter, 2);
    f->params[0] = (nir_parameter){.num_components = 1, .bit_size = 32, .is_deref = true};
    f->params[1] = (nir_parameter){.num_components = 1, .bit_size = 32};
    nir_builder fb = nir_builder_at(nir_before_impl(nir_function_impl_create(f)));
    nir_def *ref = nir_load_param(&fb, 1, 32, .param_idx = 0);
    nir_deref_instr *result =
        nir_build_deref_cast(&fb, ref, nir_var_function_temp, glsl_float_type());
    nir_def *x = nir_load_param(&fb, 1, 32, .param_idx = 1);
    nir_push_if(&fb, nir_flt_imm(&fb, x, 1.0));
    nir_store_deref(&fb, result, nir_imm_float(&fb, 10), 1);
    nir_jump(&fb, nir_jump_return);
    nir_pop_if(&fb, NULL);
    nir_store_deref(&fb, result, nir_fadd(&fb, x, x), 1);

    nir_variable *local = nir_local_variable_create(b.impl, glsl_float_type(), "result");
    nir_variable *out = test_variable(&b, nir_var_shader_out, glsl_float_type(), FRAG_RESULT_DATA0);
    nir_def *sum = nir_imm_float(&b, 0);
    for (unsigned i = 0; i < 2; i++) {
        nir_deref_instr *ret = nir_build_deref_var(&b, local);
        nir_call_instr *call = nir_call_instr_create(b.shader, f);
        call->params[0] = nir_src_for_ssa(&ret->def);
        call->params[1] = nir_src_for_ssa(nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .base = i));
        nir_builder_instr_insert(&b, &call->instr);
        sum = nir_fadd(&b, sum, nir_load_var(&b, local));
    }
    nir_store_var(&b, out, sum, 1);
    nir_validate_shader(b.shader, "in the test");
    nir_lower_returns(b.shader);
    nir_validate_shader(b.shader, "after nir_lower_returns");
    nir_inline_functions(b.shader);
    nir_validate_shader(b.shader, "after nir_inline_functions");
    nir_optimize(b.shader);
    struct nir_eval eval = {0};
    eval.inputs[0][0] = fui(0.5f);
    eval.inputs[1][0] = fui(4.0f);
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    assert_int_equal(eval.outputs[0][0], fui(18.0f));
    assert_true(list_is_singular(&b.shader->functions));
    /* All ifs became selections. */
    assert_ptr_equal(nir_start_block(b.impl), nir_impl_last_block(b.impl));
    nir_shader_destroy(b.shader);
}

/* Function bodies that end with an unused load_param: in one block, and after an if. */
static void test_inlining_unread(void **state)
{
    for (unsigned branches = 0; branches < 2; branches++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_function *f = nir_function_create(b.shader, "f");
        f->num_params = 1;
        f->params = talloc_zero_array(f, nir_parameter, 1);
        f->params[0] = (nir_parameter){.num_components = 1, .bit_size = 32};
        nir_builder fb = nir_builder_at(nir_before_impl(nir_function_impl_create(f)));
        if (branches) {
            nir_push_if(&fb, nir_flt_imm(&fb, test_input(&fb, 1), 1.0));
            nir_pop_if(&fb, NULL);
        }
        nir_load_param(&fb, 1, 32, .param_idx = 0);
        for (unsigned i = 0; i < 2; i++) {
            nir_call_instr *call = nir_call_instr_create(b.shader, f);
            call->params[0] = nir_src_for_ssa(nir_imm_int(&b, i));
            nir_builder_instr_insert(&b, &call->instr);
        }
        RUN(&b, nir_inline_functions);
        nir_foreach_block (block, b.impl) {
            nir_foreach_instr (instr, block)
                assert_int_not_equal(instr->type, nir_instr_type_call);
        }
        nir_shader_destroy(b.shader);
    }
}

/* Builds main() and `count` functions, each of which calls the previous one, conditionally or not.
 * Returns the bytes of instructions that inlining creates. */
static size_t inline_chain(unsigned count, bool conditions)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_function *f = NULL;
    for (unsigned i = 0; i <= count; i++) {
        nir_function *callee = f;
        nir_builder fb = b;
        if (i < count) {
            f = nir_function_create(b.shader, "f");
            fb = nir_builder_at(nir_before_impl(nir_function_impl_create(f)));
        }
        nir_def *x = test_input(&fb, 1);
        if (conditions)
            nir_push_if(&fb, nir_flt_imm(&fb, x, (float)i));
        nir_store_output(&fb, nir_fadd_imm(&fb, x, i), nir_imm_int(&fb, 0), .base = 0);
        if (callee)
            nir_builder_instr_insert(&fb, &nir_call_instr_create(b.shader, callee)->instr);
        if (conditions)
            nir_pop_if(&fb, NULL);
    }
    size_t before = arena_used(b.shader->instrs);
    nir_inline_functions(b.shader);
    nir_validate_shader(b.shader, "after nir_inline_functions");
    size_t bytes = arena_used(b.shader->instrs) - before;
    struct nir_eval eval = {0};
    eval.inputs[0][0] = fui(-2.0f);
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    assert_int_equal(eval.outputs[0][0], fui(-2.0f));
    nir_shader_destroy(b.shader);
    return bytes;
}

/* Each body is copied once. */
static void test_inlining_chains(void **state)
{
    for (unsigned conditions = 0; conditions < 2; conditions++) {
        size_t few = inline_chain(20, conditions), many = inline_chain(200, conditions);
        assert_in_range(many, 9 * few, 11 * few);
    }
}

/* --- Lowering of operations --- */

/* Checks that both shaders give the same results, in all components of the first four slots. */
static void check_same(nir_shader *before, nir_shader *after)
{
    static const uint32_t words[] = {0,          1,          7,          0xfffffff9, 0x80000000,
                                     0x3f800000, 0xc0490fdb, 0x00000123, 0x7f7fffff, 0x41200000};
    for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
        struct nir_eval want = {0}, have;
        for (unsigned c = 0; c < 8; c++)
            want.inputs[c / 4][c % 4] = words[(i + 3 * c) % ARRAY_SIZE(words)];
        have = want;
        test_evaluate(&want, before);
        test_evaluate(&have, after);
        assert_memory_equal(want.outputs, have.outputs, 4 * sizeof want.outputs[0]);
    }
}

#define RUN_SAME(b, pass, ...)                                                                     \
    do {                                                                                           \
        nir_shader *original_ = nir_shader_clone(NULL, (b)->shader);                               \
        RUN(b, pass, ##__VA_ARGS__);                                                               \
        check_same(original_, (b)->shader);                                                        \
        nir_shader_destroy(original_);                                                             \
        EXPECT_UNCHANGED(b, pass, ##__VA_ARGS__);                                                  \
    } while (0)

static void test_to_scalar(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 4), *y = test_input_at(&b, 4, 1);
    nir_if *nif = nir_push_if(&b, nir_flt(&b, nir_fdot(&b, x, y), nir_imm_float(&b, 1)));
    nir_def *sum = nir_iadd(&b, x, y);
    nir_push_else(&b, nif);
    nir_def *product = nir_imul(&b, x, nir_imm_ivec4(&b, 1, 2, 3, 4));
    nir_pop_if(&b, nif);
    test_output(&b, nir_if_phi(&b, sum, product), 0);
    RUN_SAME(&b, nir_lower_alu_to_scalar);
    RUN_SAME(&b, nir_lower_phis_to_scalar);
    RUN_SAME(&b, nir_lower_load_const_to_scalar);
    nir_foreach_block (block, b.impl) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            bool whole =
                instr->type == nir_instr_type_intrinsic ||
                (instr->type == nir_instr_type_alu && nir_op_is_vec(nir_instr_as_alu(instr)->op));
            assert_true(!def || whole || def->num_components == 1);
        }
    }
    nir_shader_destroy(b.shader);
}

/* Lowers only the opcodes that the options select. */
static void test_lower_alu(void **state)
{
    static const nir_shader_compiler_options all = {
        .lower_ldexp = true, .lower_frexp = true, .lower_idiv = true};
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 2), *y = test_input_at(&b, 2, 1);
    test_output(&b, nir_ldexp(&b, x, nir_imax_imm(&b, nir_imin_imm(&b, y, 400), -400)), 0);
    test_output(&b, nir_iadd(&b, nir_frexp_exp(&b, x), nir_frexp_sig(&b, y)), 1);
    test_output(&b, nir_iadd(&b, nir_idiv(&b, x, y), nir_irem(&b, x, y)), 2);
    test_output(&b, nir_imod(&b, x, y), 3);
    EXPECT_UNCHANGED(&b, nir_lower_alu);
    b.shader->options = &all;
    RUN_SAME(&b, nir_lower_alu);
    assert_int_equal(count_ops(b.shader, nir_op_ldexp) + count_ops(b.shader, nir_op_idiv) +
                         count_ops(b.shader, nir_op_frexp_exp) +
                         count_ops(b.shader, nir_op_frexp_sig) + count_ops(b.shader, nir_op_irem) +
                         count_ops(b.shader, nir_op_imod),
                     0);
    nir_shader_destroy(b.shader);
}

/* Only results of arithmetic whose bits are visible are replaced, once each. */
static void test_canonicalize_nans(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1);
    nir_def *sum = nir_fadd(&b, x, y), *less = nir_flt(&b, sum, y);
    test_output(&b, nir_b2i32(&b, less), 0);
    test_output(&b, nir_f2i32(&b, nir_fmul(&b, sum, x)), 1);
    test_output(&b, nir_bcsel(&b, less, nir_fneg(&b, x), y), 2);
    test_output(&b, nir_fsat(&b, sum), 3);
    EXPECT_UNCHANGED(&b, nir_canonicalize_nans);
    nir_if *nif = nir_push_if(&b, less);
    nir_def *root = nir_fsqrt(&b, x);
    nir_pop_if(&b, nif);
    nir_def *phi = nir_if_phi(&b, root, x);
    test_output(&b, nir_fneg(&b, phi), 4);
    test_output(&b, nir_iadd(&b, nir_fdiv(&b, x, y), sum), 5);
    RUN_SAME(&b, nir_canonicalize_nans);
    assert_int_equal(count_ops(b.shader, nir_op_fneu), 3);
    assert_int_equal(count_ops(b.shader, nir_op_bcsel), 4);
    EXPECT_UNCHANGED(&b, nir_opt_dce);
    nir_shader_destroy(b.shader);
}

/* Comparisons with a constant 0 treat denormals as 0, if they compare 32-bit floats. */
static void test_zero_comparisons(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1), *x64 = test_input_64(&b, 2);
    nir_def *zero = nir_imm_float(&b, 0.0f), *minus = nir_imm_float(&b, -0.0f);
    test_output(&b, nir_flt(&b, x, y), 0);
    test_output(&b, nir_feq(&b, x, nir_imm_float(&b, 1.0f)), 0);
    test_output(&b, nir_ieq_imm(&b, x, 0), 0);
    test_output(&b, nir_flt(&b, nir_imm_double(&b, 0.0), x64), 0);
    test_output(&b, nir_ball_fequal(&b, nir_vec2(&b, x, y), nir_imm_vec2(&b, 0.0f, 1.0f)), 0);
    EXPECT_UNCHANGED(&b, nir_lower_zero_comparisons);
    nir_def *results[] = {nir_flt(&b, zero, x),  nir_flt(&b, x, zero),  nir_fge(&b, minus, x),
                          nir_fge(&b, x, minus), nir_feq(&b, x, minus), nir_fneu(&b, zero, x)};
    nir_def *vec = nir_vec2(&b, y, x);
    for (unsigned i = 0; i < ARRAY_SIZE(results); i++)
        test_output(&b, results[i], i);
    test_output(&b, nir_ball_fequal(&b, vec, nir_imm_vec2(&b, 0.0f, -0.0f)), 6);
    test_output(&b, nir_bany_fnequal2(&b, nir_imm_vec2(&b, 0.0f, 0.0f), vec), 7);
    RUN(&b, nir_lower_zero_comparisons);
    EXPECT_UNCHANGED(&b, nir_lower_zero_comparisons);

    /* 0 < x, x < 0, 0 >= x, x >= 0, x == 0, x != 0 and the comparisons of (0, x) with 0. */
    static const struct {
        float x;
        bool results[8];
    } rows[] = {
        {0.0f, {0, 0, 1, 1, 1, 0, 1, 0}},      {-0.0f, {0, 0, 1, 1, 1, 0, 1, 0}},
        {0x1p-149f, {0, 0, 1, 1, 1, 0, 1, 0}}, {-0x1.fffffcp-127f, {0, 0, 1, 1, 1, 0, 1, 0}},
        {0x1p-126f, {1, 0, 0, 1, 0, 1, 0, 1}}, {-0x1p-126f, {0, 1, 1, 0, 0, 1, 0, 1}},
        {INFINITY, {1, 0, 0, 1, 0, 1, 0, 1}},  {NAN, {0, 0, 0, 0, 0, 1, 0, 1}}};
    for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
        for (unsigned i = 0; i < 8; i++)
            check(b.shader, fui(rows[r].x), i, rows[r].results[i]);
    }
    nir_shader_destroy(b.shader);
}

/* NaNs in stores with ACCESS_NUMBERS may have any bits. */
static void test_stores_of_numbers(void **state)
{
    nir_builder b = test_shader(SHADER_COMPUTE);
    nir_def *x = test_input(&b, 1), *sum = nir_fadd(&b, x, x), *base = nir_load_kernel_arg(&b);
    nir_store_global(&b, sum, base, nir_imm_int(&b, 0), .write_mask = 1, .align_mul = 4,
                     .access = ACCESS_NUMBERS);
    EXPECT_UNCHANGED(&b, nir_canonicalize_nans);
    nir_store_global(&b, sum, base, nir_imm_int(&b, 4), .write_mask = 1, .align_mul = 4);
    RUN(&b, nir_canonicalize_nans);
    assert_int_equal(count_ops(b.shader, nir_op_fneu), 1);
    nir_shader_destroy(b.shader);
}

/* No other access hides the bits of a NaN. */
static void test_exchanged_nans(void **state)
{
    static const unsigned accesses[] = {
        ACCESS_COHERENT,      ACCESS_RESTRICT,    ACCESS_VOLATILE,  ACCESS_NON_READABLE,
        ACCESS_NON_WRITEABLE, ACCESS_CAN_REORDER, ACCESS_ONE_THREAD};
    for (unsigned i = 0; i < ARRAY_SIZE(accesses); i++) {
        nir_builder b = test_shader(SHADER_COMPUTE);
        nir_def *x = test_input(&b, 1), *sum = nir_fadd(&b, x, x);
        nir_global_atomic(&b, 32, nir_load_kernel_arg(&b), nir_imm_int(&b, 0), sum,
                          .access = accesses[i], .atomic_op = nir_atomic_op_xchg);
        RUN(&b, nir_canonicalize_nans);
        assert_int_equal(count_ops(b.shader, nir_op_fneu), 1);
        nir_shader_destroy(b.shader);
    }
}

static void test_bool_to_int32(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *y = test_input_at(&b, 1, 1);
    nir_def *less = nir_ilt(&b, x, y), *equal = nir_ieq(&b, x, nir_imm_int(&b, 7));
    nir_def *always = nir_imm_true(&b);
    nir_if *nif = nir_push_if(&b, nir_ior(&b, less, equal));
    nir_push_else(&b, nif);
    nir_pop_if(&b, nif);
    nir_def *phi = nir_if_phi(&b, equal, always);
    test_output(&b, nir_bcsel(&b, phi, x, y), 0);
    nir_store_output(&b, nir_b2f32(&b, nir_inot(&b, less)), nir_imm_int(&b, 0), .base = 1);
    RUN_SAME(&b, nir_lower_bool_to_int32);
    nir_foreach_block (block, b.impl) {
        nir_foreach_instr (instr, block)
            assert_true(!nir_instr_def(instr) || nir_instr_def(instr)->bit_size == 32);
    }
    nir_shader_destroy(b.shader);
}

/* --- State and system values --- */

static void test_system_values(void **state)
{
    static const nir_shader_compiler_options zero_based = {.vertex_id_zero_based = true};
    nir_builder b = test_shader(SHADER_VERTEX);
    b.shader->options = &zero_based;
    nir_variable *id =
        test_variable(&b, nir_var_system_value, glsl_int_type(), SYSTEM_VALUE_VERTEX_ID);
    nir_variable *temp = nir_local_variable_create(b.impl, glsl_int_type(), "temp");
    nir_store_var(&b, temp, nir_load_var(&b, id), 1);
    test_output(&b, nir_load_var(&b, temp), 0);
    RUN(&b, nir_lower_system_values);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_deref), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_vertex_id_zero_base), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_first_vertex), 1);
    EXPECT_UNCHANGED(&b, nir_lower_system_values);
    nir_shader_destroy(b.shader);
}

static void test_edge_flags(void **state)
{
    nir_builder b = test_shader(SHADER_VERTEX), fragment = test_shader(SHADER_FRAGMENT);
    EXPECT_UNCHANGED(&fragment, nir_lower_passthrough_edgeflags);
    RUN(&b, nir_lower_passthrough_edgeflags);
    nir_variable *in =
        nir_find_variable_with_location(b.shader, nir_var_shader_in, VERT_ATTRIB_EDGEFLAG);
    nir_variable *out =
        nir_find_variable_with_location(b.shader, nir_var_shader_out, VARYING_SLOT_EDGE);
    assert_non_null(in);
    assert_non_null(out);
    in->data.driver_location = 3;
    out->data.driver_location = 5;
    struct nir_eval eval = {.inputs = {[3] = {fui(1.0f)}}};
    test_evaluate(&eval, b.shader);
    assert_int_equal(eval.outputs[5][0], fui(1.0f));
    nir_shader_destroy(b.shader);
    nir_shader_destroy(fragment.shader);
}

static void test_texcoord_replace(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    for (unsigned i = 0; i < 2; i++) {
        nir_variable *in =
            test_variable(&b, nir_var_shader_in, glsl_vec4_type(), VARYING_SLOT_TEX0 + i);
        in->data.driver_location = i;
        test_output(&b, nir_load_var(&b, in), i);
    }
    EXPECT_UNCHANGED(&b, nir_lower_texcoord_replace, 0, false);
    EXPECT_UNCHANGED(&b, nir_lower_texcoord_replace, 4, false); /* coordinate not read */
    RUN(&b, nir_lower_texcoord_replace, 2, true);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_deref), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_point_coord), 1);
    nir_shader_destroy(b.shader);
}

/* Passes for one kind of shader or variable must not change others. */
static void test_state_leaves(void **state)
{
    static const int16_t tokens[NIR_STATE_LENGTH] = {7, 0, 0, 0, 0};
    nir_builder b = test_shader(SHADER_VERTEX);
    nir_variable *out =
        test_variable(&b, nir_var_shader_out, glsl_vec4_type(), VARYING_SLOT_VAR(0));
    nir_store_var(&b, out, nir_imm_vec4(&b, 1, 2, 3, 4), 0xf);
    EXPECT_UNCHANGED(&b, nir_lower_alpha_test, DRV_FUNC_LESS, tokens, true);
    EXPECT_UNCHANGED(&b, nir_lower_two_sided_color);
    EXPECT_UNCHANGED(&b, nir_lower_flatshade);
    EXPECT_UNCHANGED(&b, nir_lower_clamp_color_outputs);
    EXPECT_UNCHANGED(&b, nir_lower_clip_vs, 0, tokens);
    EXPECT_UNCHANGED(&b, nir_lower_samplers);
    nir_shader_destroy(b.shader);
}

/* Doubles in slots of four words: partial vectors, continuation in the next slot, indexed
 * elements. */
static void test_wide_io(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *dvec3 = glsl_simple_type(GLSL_TYPE_DOUBLE, 3, 1);
    nir_variable *in = test_variable(&b, nir_var_shader_in, glsl_array_type(b.shader, dvec3, 2, 0),
                                     VARYING_SLOT_VAR(0));
    nir_variable *at = test_variable(&b, nir_var_shader_in, glsl_int_type(), VARYING_SLOT_VAR(4));
    nir_variable *out = test_variable(&b, nir_var_shader_out, dvec3, VARYING_SLOT_VAR(0));
    nir_variable *part = test_variable(
        &b, nir_var_shader_out, glsl_simple_type(GLSL_TYPE_DOUBLE, 1, 1), VARYING_SLOT_VAR(2));
    in->data.interpolation = at->data.interpolation = INTERP_MODE_FLAT;
    part->data.location_frac = 2;
    at->data.driver_location = 4;
    part->data.driver_location = 2;
    nir_deref_instr *array = nir_build_deref_var(&b, in);
    nir_def *first = nir_load_deref(&b, nir_build_deref_array_imm(&b, array, 0));
    nir_def *indexed = nir_load_deref(&b, nir_build_deref_array(&b, array, nir_load_var(&b, at)));
    nir_store_var(&b, out, nir_fadd(&b, first, indexed), 0x5);
    nir_store_var(&b, part, nir_channel(&b, indexed, 1), 0x1);
    nir_lower_io(b.shader, nir_var_shader_in | nir_var_shader_out);
    RUN(&b, nir_lower_64bit_io);
    EXPECT_UNCHANGED(&b, nir_lower_64bit_io);
    struct nir_eval eval = {.inputs = {[4] = {1}}};
    for (unsigned c = 0; c < 3; c++) {
        const double values[2] = {0.1 * c, 7.0 + c / 3.0}; /* values of both elements */
        for (unsigned e = 0; e < 2; e++)
            memcpy(&eval.inputs[2 * e + c / 2][c % 2 * 2], &values[e], sizeof values[e]);
    }
    test_evaluate(&eval, b.shader);
    const double sums[3] = {7.0, 0.0, 0.2 + (7.0 + 2 / 3.0)}, second = 7.0 + 1 / 3.0;
    assert_memory_equal(eval.outputs[0], &sums[0], 8);
    assert_memory_equal(&eval.outputs[0][2], &sums[1], 8); /* not written */
    assert_memory_equal(eval.outputs[1], &sums[2], 8);
    assert_memory_equal(&eval.outputs[2][2], &second, 8);
    nir_foreach_block (block, nir_shader_get_entrypoint(b.shader)) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_load_input)
                assert_int_equal(nir_instr_as_intrinsic(instr)->def.bit_size, 32);
        }
    }
    nir_shader_gather_info(b.shader);
    assert_true(b.shader->info.outputs_written == 7ull << VARYING_SLOT_VAR0);
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_io),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_scratch_divergence),
        cmocka_unit_test(test_divergent_breaks),
        cmocka_unit_test(test_invariants_stay_uniform),
        cmocka_unit_test(test_hoist_invariants),
        cmocka_unit_test(test_guarded_load_stays),
        cmocka_unit_test(test_uniform_sources),
        cmocka_unit_test(test_lower_io),
        cmocka_unit_test(test_uniform_block),
        cmocka_unit_test(test_fragment_state),
        cmocka_unit_test(test_clip_planes),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_tex_gradients),
        cmocka_unit_test(test_inlining),
        cmocka_unit_test(test_inlining_unread),
        cmocka_unit_test(test_lower_subgroups),
        cmocka_unit_test(test_inlining_chains),
        cmocka_unit_test(test_to_scalar),
        cmocka_unit_test(test_lower_alu),
        cmocka_unit_test(test_bool_to_int32),
        cmocka_unit_test(test_system_values),
        cmocka_unit_test(test_edge_flags),
        cmocka_unit_test(test_texcoord_replace),
        cmocka_unit_test(test_state_leaves),
        cmocka_unit_test(test_cube_array_sizes),
        cmocka_unit_test(test_multiview),
        cmocka_unit_test(test_vertex_inputs),
        cmocka_unit_test(test_zero_comparisons),
        cmocka_unit_test(test_canonicalize_nans),
        cmocka_unit_test(test_stores_of_numbers),
        cmocka_unit_test(test_exchanged_nans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
