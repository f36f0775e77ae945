/* SPDX-License-Identifier: MIT */
/*
 * Random shaders with variables, nested control flow and loops are evaluated before and after each
 * pass; results must not change by a bit. The seed of a failure is printed; run with it as the
 * argument to see that shader alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <talloc.h>

#include "nir_builder.h"
#include "nir_eval.h"

static const nir_shader_compiler_options options = {.max_unroll_iterations = 32};

struct gen {
    nir_builder b;
    uint64_t rng;
    nir_variable *ints[4], *floats[3], *vec, *array, *structs;
    unsigned depth, budget;
    nir_variable *counters[4];
    unsigned num_counters;
};

static unsigned rnd(struct gen *g, unsigned n)
{
    g->rng = g->rng * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(g->rng >> 33) % n;
}

static nir_def *gen_int(struct gen *g, unsigned depth);
static nir_def *gen_float(struct gen *g, unsigned depth);

static nir_def *gen_bool(struct gen *g, unsigned depth)
{
    nir_builder *b = &g->b;
    switch (depth ? rnd(g, 7) : rnd(g, 2)) {
    case 0:
        return nir_ilt(b, gen_int(g, 0), gen_int(g, 0));
    case 1:
        return nir_flt(b, gen_float(g, 0), gen_float(g, 0));
    case 2:
        return nir_iand(b, gen_bool(g, depth - 1), gen_bool(g, depth - 1));
    case 3:
        return nir_ior(b, gen_bool(g, depth - 1), gen_bool(g, depth - 1));
    case 4:
        return nir_inot(b, gen_bool(g, depth - 1));
    case 5:
        return nir_ieq(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    default:
        return nir_fge(b, gen_float(g, depth - 1), gen_float(g, depth - 1));
    }
}

static nir_deref_instr *gen_element(struct gen *g, bool may_be_indirect)
{
    nir_builder *b = &g->b;
    nir_deref_instr *array = nir_build_deref_var(b, g->array);
    if (may_be_indirect && rnd(g, 3) == 0)
        return nir_build_deref_array(b, array, nir_iand_imm(b, gen_int(g, 0), 3));
    return nir_build_deref_array_imm(b, array, rnd(g, 4));
}

static nir_deref_instr *gen_field(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_deref_instr *element = nir_build_deref_array_imm(b, nir_build_deref_var(b, g->structs),
                                                         rnd(g, 2));
    return nir_build_deref_struct(b, element, 0);
}

static nir_def *gen_int(struct gen *g, unsigned depth)
{
    nir_builder *b = &g->b;
    switch (depth ? rnd(g, 16) : rnd(g, 5)) {
    case 0:
        return nir_imm_int(b, (int)rnd(g, 5) - 1);
    case 1:
    case 2:
        return nir_load_var(b, g->ints[rnd(g, 4)]);
    case 3:
        return nir_load_deref(b, gen_element(g, depth > 0));
    case 4:
        return nir_load_deref(b, gen_field(g));
    case 5:
        return nir_iadd(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 6:
        return nir_isub(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 7:
        return nir_imul(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 8:
        return nir_iand(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 9:
        return nir_ixor(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 10:
        return nir_ishl(b, gen_int(g, depth - 1), gen_int(g, 0));
    case 11:
        return nir_idiv(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 12:
        return nir_bcsel(b, gen_bool(g, depth - 1), gen_int(g, depth - 1), gen_int(g, depth - 1));
    case 13:
        return nir_f2i32(b, gen_float(g, depth - 1));
    case 14:
        return nir_b2i32(b, gen_bool(g, depth - 1));
    default:
        return nir_umin(b, gen_int(g, depth - 1), gen_int(g, depth - 1));
    }
}

static nir_def *gen_vec(struct gen *g, unsigned depth)
{
    nir_builder *b = &g->b;
    switch (depth ? rnd(g, 5) : 0) {
    case 0:
        return nir_load_var(b, g->vec);
    case 1:
        return nir_fadd(b, gen_vec(g, depth - 1), gen_vec(g, depth - 1));
    case 2:
        return nir_fmul(b, gen_vec(g, depth - 1), gen_vec(g, depth - 1));
    case 3: {
        unsigned swizzle[4] = {rnd(g, 4), rnd(g, 4), rnd(g, 4), rnd(g, 4)};
        return nir_swizzle(b, gen_vec(g, depth - 1), swizzle, 4);
    }
    default:
        return nir_vec4(b, gen_float(g, 0), gen_float(g, 0), gen_float(g, 0), gen_float(g, 0));
    }
}

static nir_def *gen_float(struct gen *g, unsigned depth)
{
    static const float constants[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, -0.0f};
    nir_builder *b = &g->b;
    switch (depth ? rnd(g, 13) : rnd(g, 3)) {
    case 0:
        return nir_imm_float(b, constants[rnd(g, 6)]);
    case 1:
        return nir_load_var(b, g->floats[rnd(g, 3)]);
    case 2:
        return nir_channel(b, nir_load_var(b, g->vec), rnd(g, 4));
    case 3:
        return nir_fadd(b, gen_float(g, depth - 1), gen_float(g, depth - 1));
    case 4:
        return nir_fmul(b, gen_float(g, depth - 1), gen_float(g, depth - 1));
    case 5:
        return nir_fneg(b, gen_float(g, depth - 1));
    case 6:
        return nir_fmax(b, gen_float(g, depth - 1), gen_float(g, depth - 1));
    case 7:
        return nir_fsat(b, gen_float(g, depth - 1));
    case 8:
        return nir_i2f32(b, gen_int(g, depth - 1));
    case 9:
        return nir_bcsel(b, gen_bool(g, depth - 1), gen_float(g, depth - 1),
                         gen_float(g, depth - 1));
    case 10:
        return nir_fdot4(b, gen_vec(g, depth - 1), gen_vec(g, depth - 1));
    case 11:
        return nir_flrp(b, gen_float(g, depth - 1), gen_float(g, depth - 1),
                        gen_float(g, depth - 1));
    default:
        return nir_ffloor(b, gen_float(g, depth - 1));
    }
}

static void gen_statements(struct gen *g, bool in_loop);

static void gen_loop(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_variable *counter = g->counters[g->num_counters++];
    unsigned trips = rnd(g, 6);
    nir_store_var(b, counter, nir_imm_int(b, 0), 1);
    nir_loop *loop = nir_push_loop(b);
    bool at_top = rnd(g, 2);
    if (at_top)
        nir_break_if(b, nir_ige_imm(b, nir_load_var(b, counter), trips));
    nir_store_var(b, counter, nir_iadd_imm(b, nir_load_var(b, counter), 1), 1);
    gen_statements(g, true);
    if (!nir_block_ends_in_jump(nir_cursor_current_block(b->cursor)) && !at_top)
        nir_break_if(b, nir_ige_imm(b, nir_load_var(b, counter), trips));
    nir_pop_loop(b, loop);
    g->num_counters--;
}

static void gen_statement(struct gen *g, bool in_loop)
{
    nir_builder *b = &g->b;
    switch (rnd(g, g->depth < 4 ? 12 : 8)) {
    case 0:
    case 1:
    case 2:
        nir_store_var(b, g->ints[rnd(g, 4)], gen_int(g, 3), 1);
        break;
    case 3:
    case 4:
        nir_store_var(b, g->floats[rnd(g, 3)], gen_float(g, 3), 1);
        break;
    case 5:
        nir_store_var(b, g->vec, gen_vec(g, 2), 1 + rnd(g, 15));
        break;
    case 6:
        nir_store_deref(b, gen_element(g, true), gen_int(g, 2), 1);
        break;
    case 7:
        nir_store_deref(b, gen_field(g), gen_int(g, 2), 1);
        break;
    case 8:
    case 9: {
        nir_if *nif = nir_push_if(b, gen_bool(g, 2));
        gen_statements(g, in_loop);
        nir_push_else(b, nif);
        if (rnd(g, 2))
            gen_statements(g, in_loop);
        nir_pop_if(b, nif);
        break;
    }
    case 10:
        if (g->num_counters < 4)
            gen_loop(g);
        break;
    default:
        /* A conditional jump; continues may skip the counting, which is bounded by steps. */
        {
            nir_if *nif = nir_push_if(b, gen_bool(g, 1));
            unsigned kind = rnd(g, 3);
            if (kind == 0 && in_loop)
                nir_jump(b, nir_jump_break);
            else if (kind == 1)
                nir_jump(b, nir_jump_return);
            else
                nir_store_var(b, g->ints[0], gen_int(g, 1), 1);
            nir_pop_if(b, nif);
        }
        break;
    }
}

static void gen_statements(struct gen *g, bool in_loop)
{
    g->depth++;
    unsigned n = 1 + rnd(g, 4);
    for (unsigned i = 0; i < n && g->budget; i++) {
        g->budget--;
        gen_statement(g, in_loop);
    }
    g->depth--;
}

static nir_variable *output(nir_shader *shader, const struct glsl_type *type, unsigned slot)
{
    nir_variable *var = nir_variable_create(shader, nir_var_shader_out, type, "out");
    var->data.location = FRAG_RESULT_DATA0 + slot;
    var->data.driver_location = slot;
    return var;
}

static nir_shader *gen_shader(uint64_t seed)
{
    struct gen g = {.rng = seed * 2654435761u + 17, .budget = 40};
    g.b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &options, "random");
    g.b.exact = true;
    nir_builder *b = &g.b;
    nir_shader *shader = b->shader;
    const struct glsl_type *vec4 = glsl_vec4_type(), *integer = glsl_int_type();
    struct glsl_struct_field field = {.type = integer, .name = "i", .location = -1,
                                      .component = -1, .offset = -1};
    const struct glsl_type *record = glsl_struct_type(shader, &field, 1, "S");

    nir_variable *in = nir_variable_create(shader, nir_var_shader_in, vec4, "in");
    in->data.location = VARYING_SLOT_VAR0;
    nir_variable *uniform = nir_variable_create(shader, nir_var_uniform, integer, "u");
    nir_variable *out_vec = output(shader, vec4, 0), *out_int = output(shader, integer, 1);
    nir_variable *out_float = output(shader, glsl_float_type(), 2);
    nir_def *input = nir_load_var(b, in);
    /* What is not written, after an early return, would be undefined. */
    nir_store_var(b, out_vec, input, 0xf);
    nir_store_var(b, out_int, nir_imm_int(b, 5), 1);
    nir_store_var(b, out_float, nir_imm_float(b, 6), 1);
    for (unsigned i = 0; i < 4; i++) {
        g.ints[i] = nir_local_variable_create(b->impl, integer, "i");
        nir_store_var(b, g.ints[i], i ? nir_f2i32(b, nir_channel(b, input, i))
                                      : nir_load_var(b, uniform), 1);
        g.counters[i] = nir_local_variable_create(b->impl, integer, "counter");
    }
    for (unsigned i = 0; i < 3; i++) {
        g.floats[i] = nir_local_variable_create(b->impl, glsl_float_type(), "f");
        nir_store_var(b, g.floats[i], nir_channel(b, input, i), 1);
    }
    g.vec = nir_variable_create(shader, nir_var_shader_temp, vec4, "v");
    nir_store_var(b, g.vec, input, 0xf);
    g.array = nir_local_variable_create(b->impl, glsl_array_type(shader, integer, 4, 0), "a");
    for (unsigned i = 0; i < 4; i++)
        nir_store_deref(b, nir_build_deref_array_imm(b, nir_build_deref_var(b, g.array), i),
                        nir_imm_int(b, i), 1);
    g.structs = nir_local_variable_create(b->impl, glsl_array_type(shader, record, 2, 0), "s");
    for (unsigned i = 0; i < 2; i++) {
        nir_deref_instr *s = nir_build_deref_array_imm(b, nir_build_deref_var(b, g.structs), i);
        nir_store_deref(b, nir_build_deref_struct(b, s, 0), nir_imm_int(b, 7 + i), 1);
    }
    while (g.budget > 4 && !nir_block_ends_in_jump(nir_cursor_current_block(b->cursor)))
        gen_statements(&g, false);
    nir_def *sum = nir_load_var(b, g.ints[0]);
    for (unsigned i = 1; i < 4; i++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), nir_load_var(b, g.ints[i]));
    for (unsigned i = 0; i < 4; i++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 7),
                       nir_load_deref(b, nir_build_deref_array_imm(
                                             b, nir_build_deref_var(b, g.array), i)));
    nir_store_var(b, out_int, sum, 1);
    nir_store_var(b, out_vec, nir_load_var(b, g.vec), 0xf);
    nir_store_var(b, out_float, nir_fadd(b, nir_load_var(b, g.floats[0]),
                                         nir_load_var(b, g.floats[1])), 1);
    return shader;
}

struct results {
    enum nir_eval_result status[3];
    uint32_t outputs[3][4][4];
};

/* No number is like another. */
static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

static struct results evaluate(nir_shader *shader)
{
    static const float inputs[3][4] = {{0.5f, 3.0f, -2.0f, 1.0f}, {-1.5f, 0.0f, 7.25f, 100.0f},
                                       {2.0f, 2.0f, 2.0f, -0.0f}};
    struct results r = {0};
    for (unsigned i = 0; i < 3; i++) {
        struct nir_eval *eval = talloc_zero(NULL, struct nir_eval);
        eval->max_steps = 200000;
        eval->uniforms[0] = i * 3 - 1;
        for (unsigned c = 0; c < 4; c++)
            eval->inputs[0][c] = fui(inputs[i][c]);
        r.status[i] = nir_eval_shader(eval, shader);
        for (unsigned s = 0; s < 4; s++) {
            for (unsigned c = 0; c < 4; c++)
                r.outputs[i][s][c] = s == 1 ? eval->outputs[s][c] : canonical(eval->outputs[s][c]);
        }
        talloc_free(eval);
    }
    return r;
}

static bool same(const struct results *a, const struct results *b)
{
    for (unsigned i = 0; i < 3; i++) {
        /* An endless loop may be removed or unrolled to its end in fewer steps. */
        if (a->status[i] == NIR_EVAL_ENDLESS)
            continue;
        if (a->status[i] != b->status[i] ||
            memcmp(a->outputs[i], b->outputs[i], sizeof a->outputs[i]) != 0)
            return false;
    }
    return true;
}

/* --- Passes, in an order that each may come in --- */

#define WRAP(name, call)                                                                           \
    static bool run_##name(nir_shader *s)                                                          \
    {                                                                                              \
        return call;                                                                               \
    }

WRAP(select, nir_opt_peephole_select(s, 16))
WRAP(split, nir_split_struct_vars(s, nir_var_function_temp))
WRAP(indirect, nir_lower_indirect_derefs(s, nir_var_function_temp, 16))
WRAP(from_ssa, nir_convert_from_ssa(s, false))
WRAP(phi_webs, nir_convert_from_ssa(s, true))
WRAP(io_temps, nir_lower_io_to_temporaries(s, true, true))
WRAP(io, nir_lower_io(s, nir_var_shader_in | nir_var_shader_out | nir_var_uniform,
                      nir_type_size_default))
WRAP(io_scalar, nir_lower_io_to_scalar(s, nir_var_shader_in | nir_var_shader_out))
WRAP(dead_vars, nir_remove_dead_variables(s, nir_var_function_temp | nir_var_shader_temp))

static bool run_sweep(nir_shader *s)
{
    nir_sweep(s);
    return true;
}

struct step {
    const char *name;
    bool (*run)(nir_shader *shader);
};

#define STEP(f) {#f, f}

static const struct step front[] = {
    STEP(nir_opt_copy_prop_vars), STEP(nir_opt_dead_write_vars), STEP(nir_lower_returns),
    STEP(run_io_temps), STEP(nir_lower_global_vars_to_local), STEP(nir_split_var_copies),
    STEP(nir_lower_var_copies), STEP(run_split), STEP(nir_opt_copy_prop_vars),
    STEP(nir_opt_dead_write_vars), STEP(nir_lower_vars_to_ssa), STEP(run_dead_vars),
};

static const struct step middle[] = {
    STEP(nir_copy_prop), STEP(nir_opt_remove_phis), STEP(nir_opt_dce), STEP(nir_opt_cse),
    STEP(nir_opt_trivial_continues), STEP(nir_opt_if), STEP(nir_opt_dead_cf), STEP(run_select),
    STEP(nir_opt_algebraic), STEP(nir_opt_constant_folding), STEP(nir_opt_undef),
    STEP(nir_opt_loop_unroll), STEP(nir_convert_to_lcssa), STEP(nir_repair_ssa),
    STEP(run_phi_webs), STEP(nir_lower_regs_to_ssa), STEP(nir_lower_alu_to_scalar),
    STEP(nir_lower_phis_to_scalar), STEP(nir_lower_load_const_to_scalar), STEP(run_sweep),
    STEP(nir_lower_flrp), STEP(run_from_ssa), STEP(nir_lower_regs_to_ssa),
};

static const struct step back[] = {
    STEP(run_indirect), STEP(nir_lower_vars_to_ssa), STEP(nir_optimize),
    STEP(nir_lower_vars_to_scratch), STEP(run_io), STEP(run_io_scalar), STEP(nir_optimize),
    STEP(nir_opt_algebraic_late), STEP(nir_lower_alu_to_scalar), STEP(nir_lower_bool_to_int32),
    STEP(nir_lower_vec_to_movs), STEP(run_from_ssa),
};

static void run_step(nir_shader *shader, const struct step *step, const struct results *want,
                     uint64_t seed, bool verbose)
{
    char *before = verbose ? nir_shader_as_str(NULL, shader) : NULL;
    bool progress = step->run(shader);
    nir_validate_shader(shader, step->name);
    struct results have = evaluate(shader);
    if (verbose)
        printf("%s: %s\n", step->name, progress ? "progress" : "-");
    if (!same(want, &have)) {
        if (verbose) {
            printf("before %s:\n%s\nafter:\n", step->name, before);
            nir_print_shader(shader, stdout);
        }
        printf("seed %u: %s changed the results\n", (unsigned)seed, step->name);
        fail();
    }
    talloc_free(before);
}

/* The bytes of a shader make the same shader, and damaged ones none. */
static void check_serialization(nir_shader *shader, const struct results *want, uint64_t seed)
{
    void *mem_ctx = talloc_new(NULL);
    struct blob_bytes blob = nir_serialize(mem_ctx, shader);
    nir_shader *copy = nir_deserialize(mem_ctx, &options, blob.data, blob.size);
    assert_non_null(copy);
    nir_validate_shader(copy, "after deserialization");
    struct results have = evaluate(copy);
    assert_true(same(want, &have));
    struct blob_bytes again = nir_serialize(mem_ctx, copy);
    assert_int_equal(blob.size, again.size);
    assert_memory_equal(blob.data, again.data, blob.size);
    blob.data[seed * 7919 % blob.size] ^= 1 << seed % 8;
    assert_null(nir_deserialize(mem_ctx, &options, blob.data, blob.size));
    assert_null(nir_deserialize(mem_ctx, &options, blob.data, blob.size / 2));
    talloc_free(mem_ctx);
}

static void run_seed(uint64_t seed, bool verbose)
{
    nir_shader *shader = gen_shader(seed);
    nir_validate_shader(shader, "after generation");
    struct results want = evaluate(shader);
    uint64_t order = seed;
    check_serialization(shader, &want, seed);
    for (unsigned i = 0; i < ARRAY_SIZE(front); i++)
        run_step(shader, &front[i], &want, seed, verbose);
    for (unsigned i = 0; i < 40; i++) {
        order = order * 6364136223846793005ull + 1442695040888963407ull;
        run_step(shader, &middle[(order >> 33) % ARRAY_SIZE(middle)], &want, seed, verbose);
    }
    nir_opt_dead_cf(shader); /* values used in code that cannot be reached may not be there yet */
    check_serialization(shader, &want, seed);
    for (unsigned i = 0; i < ARRAY_SIZE(back); i++)
        run_step(shader, &back[i], &want, seed, verbose);
    nir_shader_destroy(shader);
}

static uint64_t first_seed = 1, last_seed = 60;

static void test_random_shaders(void **state)
{
    for (uint64_t seed = first_seed; seed <= last_seed; seed++)
        run_seed(seed, first_seed == last_seed);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        first_seed = last_seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        last_seed = strtoull(argv[2], NULL, 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_shaders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
