/* SPDX-License-Identifier: MIT */
/*
 * Code that moves from fragment shaders to the prologue of their kernels (cpu_nir_invariant.c).
 * Shades pixels with small shaders that fill private arrays, checks all colors, and whether
 * stores to arrays are left in the loop over blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "driver/cpu/kernel/cpu_nir_format.h"
#include "kernel_test.h"

#define SIDE     16 /* pixels of the shaded area in each direction */
#define UNIFORM  5  /* value of the only uniform */
#define ELEMENTS 8  /* of each array */

/* A shader: `build` returns its result, an integer, for pixels with the coordinate x. */
struct subject {
    const char *name;
    nir_def *(*build)(nir_builder *b, nir_def *uniform, nir_def *x);
    unsigned (*expected)(unsigned x);
    bool stays; /* stores to an array are left in the loop over blocks */
};

static nir_def *element(nir_builder *b, nir_def *index)
{
    return nir_ishl_imm(b, nir_iand_imm(b, index, ELEMENTS - 1), 2);
}

static void store(nir_builder *b, unsigned array, nir_def *index, nir_def *value)
{
    nir_store_scratch(b, value, element(b, index), .base = (int)(array * ELEMENTS * 4),
                      .scratch_var = array + 1, .write_mask = 1, .align_mul = 4);
}

static nir_def *load(nir_builder *b, unsigned array, nir_def *index)
{
    return nir_load_scratch(b, 1, 32, element(b, index), .base = (int)(array * ELEMENTS * 4),
                            .scratch_var = array + 1, .align_mul = 4);
}

/* Emits for (i = 0; i < ELEMENTS; i++) array[i] = i * value + 1. */
static void fill(nir_builder *b, unsigned array, nir_def *value)
{
    nir_variable *i = nir_local_variable_create(b->impl, glsl_uint_type(), "i");
    nir_store_var(b, i, nir_imm_int(b, 0), 1);
    nir_push_loop(b);
    nir_def *index = nir_load_var(b, i);
    nir_break_if(b, nir_uge(b, index, nir_imm_int(b, ELEMENTS)));
    store(b, array, index, nir_iadd_imm(b, nir_imul(b, index, value), 1));
    nir_store_var(b, i, nir_iadd_imm(b, index, 1), 1);
    nir_pop_loop(b, NULL);
}

static unsigned filled(unsigned i)
{
    return i % ELEMENTS * UNIFORM + 1;
}

static nir_def *build_loop(nir_builder *b, nir_def *uniform, nir_def *x)
{
    fill(b, 0, uniform);
    return load(b, 0, x);
}

/* The array differs between lanes after the loop, so that the loop must run for each vector. */
static nir_def *build_overwritten(nir_builder *b, nir_def *uniform, nir_def *x)
{
    nir_def *sum = nir_imm_int(b, 0);
    fill(b, 0, uniform);
    fill(b, 1, uniform);
    store(b, 0, x, nir_imm_int(b, 100));
    for (unsigned i = 0; i < ELEMENTS; i++)
        sum = nir_iadd(b, sum, load(b, 0, nir_imm_int(b, (int)i)));
    return nir_iadd(b, sum, load(b, 1, x));
}

static unsigned expect_overwritten(unsigned x)
{
    unsigned sum = filled(x);
    for (unsigned i = 0; i < ELEMENTS; i++)
        sum += i == x % ELEMENTS ? 100 : filled(i);
    return sum;
}

/* A load at an index that is 0 but depends on x stays between the stores. */
static nir_def *build_varying_load(nir_builder *b, nir_def *uniform, nir_def *x)
{
    nir_def *zero = nir_ushr_imm(b, x, 10);
    store(b, 0, nir_imm_int(b, 0), uniform);
    nir_def *first = load(b, 0, zero);
    store(b, 0, nir_imm_int(b, 0), nir_iadd_imm(b, uniform, 1));
    return nir_iadd(b, nir_ishl_imm(b, first, 4), load(b, 0, zero));
}

/* A load that doesn't depend on x moves with the stores. */
static nir_def *build_uniform_load(nir_builder *b, nir_def *uniform, nir_def *x)
{
    nir_def *zero = nir_imm_int(b, 0);
    store(b, 0, zero, uniform);
    nir_def *first = load(b, 0, zero);
    store(b, 0, zero, nir_iadd_imm(b, uniform, 1));
    return nir_iadd(b, nir_ishl_imm(b, first, 4), load(b, 0, nir_ushr_imm(b, x, 10)));
}

static unsigned expect_both(unsigned x)
{
    return UNIFORM * 16 + UNIFORM + 1;
}

static nir_def *build_if(nir_builder *b, nir_def *uniform, nir_def *x)
{
    fill(b, 0, uniform);
    nir_push_if(b, nir_ult_imm(b, uniform, UNIFORM + 1));
    store(b, 0, nir_imm_int(b, 1), nir_imm_int(b, 77));
    nir_push_else(b, NULL);
    store(b, 0, nir_imm_int(b, 2), nir_imm_int(b, 78));
    nir_pop_if(b, NULL);
    return load(b, 0, x);
}

static unsigned expect_if(unsigned x)
{
    return x % ELEMENTS == 1 ? 77 : filled(x);
}

/* Some lanes store a uniform value. */
static nir_def *build_masked(nir_builder *b, nir_def *uniform, nir_def *x)
{
    fill(b, 0, uniform);
    nir_push_if(b, nir_ine_imm(b, nir_iand_imm(b, x, 1), 0));
    store(b, 0, nir_imm_int(b, 3), nir_imm_int(b, 50));
    nir_pop_if(b, NULL);
    return load(b, 0, nir_imm_int(b, 3));
}

static unsigned expect_masked(unsigned x)
{
    return x & 1 ? 50 : filled(3);
}

/* Array 1 is read before array 0, which depends on it, is filled. */
static nir_def *build_chain(nir_builder *b, nir_def *uniform, nir_def *x)
{
    fill(b, 1, uniform);
    store(b, 1, x, x);
    fill(b, 0, load(b, 1, nir_imm_int(b, 2)));
    return load(b, 0, nir_imm_int(b, 1));
}

static unsigned expect_chain(unsigned x)
{
    return (x % ELEMENTS == 2 ? x : filled(2)) + 1;
}

/* The array is filled under a condition that is false; otherwise, the result is `before`. */
static nir_def *fill_or(nir_builder *b, nir_def *uniform, nir_def *before)
{
    nir_variable *result = nir_local_variable_create(b->impl, glsl_uint_type(), "result");
    nir_store_var(b, result, before, 1);
    nir_push_if(b, nir_ieq_imm(b, uniform, UNIFORM + 1));
    fill(b, 0, uniform);
    nir_store_var(b, result, load(b, 0, nir_imm_int(b, 2)), 1);
    nir_pop_if(b, NULL);
    return nir_load_var(b, result);
}

/* The phi after an if selects a value that varies, so that the if must stay. */
static nir_def *build_varying_phi(nir_builder *b, nir_def *uniform, nir_def *x)
{
    return fill_or(b, uniform, nir_iadd_imm(b, x, 3));
}

static unsigned expect_varying_phi(unsigned x)
{
    return x + 3;
}

/* The phi after an if selects a value from before it, which must move, too. */
static nir_def *build_phi(nir_builder *b, nir_def *uniform, nir_def *x)
{
    return nir_iadd(b, fill_or(b, uniform, nir_iadd_imm(b, nir_imul(b, uniform, uniform), 3)), x);
}

static unsigned expect_phi(unsigned x)
{
    return UNIFORM * UNIFORM + 3 + x;
}

/* The phi after a loop selects a value that varies. */
static nir_def *build_varying_break(nir_builder *b, nir_def *uniform, nir_def *x)
{
    nir_variable *i = nir_local_variable_create(b->impl, glsl_uint_type(), "i");
    nir_variable *result = nir_local_variable_create(b->impl, glsl_uint_type(), "result");
    nir_store_var(b, i, nir_imm_int(b, 0), 1);
    nir_store_var(b, result, x, 1);
    nir_push_loop(b);
    nir_def *index = nir_load_var(b, i);
    nir_break_if(b, nir_ieq(b, index, uniform));
    nir_push_if(b, nir_uge(b, index, nir_imm_int(b, ELEMENTS)));
    nir_store_var(b, result, index, 1);
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, NULL);
    store(b, 0, index, uniform);
    nir_store_var(b, i, nir_iadd_imm(b, index, 1), 1);
    nir_pop_loop(b, NULL);
    return nir_iadd(b, nir_load_var(b, result), load(b, 0, nir_imm_int(b, UNIFORM - 1)));
}

static unsigned expect_varying_break(unsigned x)
{
    return x + UNIFORM;
}

static const struct subject subjects[] = {
    {"a loop", build_loop, filled, false},
    {"an array that one store makes different", build_overwritten, expect_overwritten, true},
    {"a load between stores", build_varying_load, expect_both, true},
    {"a uniform load between stores", build_uniform_load, expect_both, false},
    {"a uniform if", build_if, expect_if, false},
    {"a store under a varying if", build_masked, expect_masked, true},
    {"an array filled from another", build_chain, expect_chain, true},
    {"a varying value or an element", build_varying_phi, expect_varying_phi, true},
    {"a uniform value or an element", build_phi, expect_phi, false},
    {"a varying value after a loop", build_varying_break, expect_varying_break, true},
};

static struct cpu_shader build_shader(const struct subject *s)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &cpu_nir_options, "invariant");
    b.shader->scratch_size = 2 * ELEMENTS * 4;
    nir_def *uniform = nir_load_uniform(&b, 1, 32, nir_imm_int(&b, 0), .range = 4);
    nir_def *x = nir_f2u32(&b, nir_channel(&b, nir_load_frag_coord(&b), 0));
    nir_def *result = nir_u2f32(&b, s->build(&b, uniform, x));
    nir_store_output(&b, nir_vec4(&b, result, result, result, result), nir_imm_int(&b, 0),
                     .src_type = nir_type_float32,
                     .io_semantics = {FRAG_RESULT_DATA0, .num_slots = 1});
    nir_lower_vars_to_ssa(b.shader);
    nir_lower_alu_to_scalar(b.shader);
    nir_validate_shader(b.shader, "in the test");
    return (struct cpu_shader){.stage = SHADER_FRAGMENT, .nir = b.shader};
}

static const struct cpu_fs_key key = {
    .num_color_bufs = 1,
    .color_format[0] = DRV_FORMAT_R32G32B32A32_FLOAT,
    .blend.rt[0].colormask = 15,
};

/* Returns the number of stores to scratch memory in the last loop of the kernel's top level. */
static unsigned count_stores(const struct cpu_shader *shader, unsigned lanes)
{
    struct cpu_fs_variant variant = {0};
    nir_shader *nir = cpu_build_fs_nir(lanes, shader, &key, &variant);
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    nir_loop *last = NULL;
    unsigned stores = 0;

    nir_foreach_cf_node(node, &impl->body)
    {
        if (node->type == nir_cf_node_loop)
            last = nir_cf_node_as_loop(node);
    }
    assert_non_null(last);
    nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&last->cf_node));
    for (nir_block *block = nir_loop_first_block(last); block != after;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block)
            stores += instr->type == nir_instr_type_intrinsic &&
                      nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_store_scratch;
    }
    nir_shader_destroy(nir);
    return stores;
}

static void shade(struct jit_kernel *kernel, float color[SIDE * SIDE][4])
{
    static const uint32_t uniforms[4] = {UNIFORM};
    static uint32_t planes[CPU_PLANE_WORDS];
    static const struct cpu_primitive primitive = {.front_facing = 1};
    const struct cpu_stage_state stage = {
        .constant[0] = {.base = (uint8_t *)uniforms, .size = sizeof uniforms}};
    struct cpu_fs_state fs = {.depth_range[0].max = 1};
    struct cpu_block block[SIDE * SIDE / 16];
    struct cpu_quad quad[SIDE * SIDE / 4];

    for (unsigned i = 0; i < ARRAY_SIZE(block); i++)
        block[i] = (struct cpu_block){(uint16_t)(i % 4 * 4), (uint16_t)(i / 4 * 4), 0xffff};
    for (unsigned i = 0; i < ARRAY_SIZE(quad); i++)
        quad[i] = (struct cpu_quad){&primitive, (uint16_t)(i % 8 * 2), (uint16_t)(i / 8 * 2), 15};
    struct cpu_fs_args args = {
        .state = &stage,
        .fs = &fs,
        .primitive = &primitive,
        .block = block,
        .quad = quad,
        .planes = planes,
        .count = ARRAY_SIZE(block),
        .color[0] = {.base = (uint8_t *)color, .tile_w = 4},
    };
    const void *argument = &args;
    jit_run(jit_kernel_function(kernel), &argument);
}

static void check(const struct subject *s, unsigned lanes, float color[SIDE * SIDE][4])
{
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        const float got = color[texel_index(i % SIDE, i / SIDE, 4)][0];
        const unsigned expected = s->expected(i % SIDE);
        if (got != (float)expected)
            fail_msg("%s, %u lanes: pixel %u,%u is %g instead of %u", s->name, lanes, i % SIDE,
                     i / SIDE, (double)got, expected);
    }
}

static void test_subjects(void **state)
{
    static float color[SIDE * SIDE][4];
    for (unsigned i = 0; i < ARRAY_SIZE(subjects); i++) {
        const struct subject *s = &subjects[i];
        struct cpu_shader shader = build_shader(s);
        for (unsigned e = 0; e < num_engines; e++) {
            const unsigned lanes = jit_engine_lanes(engines[e]);
            struct cpu_fs_variant variant = {0};
            const bool stays = count_stores(&shader, lanes) > 0;
            if (stays != s->stays)
                fail_msg("%s: stores are %s the loop", s->name, stays ? "in" : "not in");
            struct jit_kernel *kernel = cpu_build_fs(engines[e], &shader, &key, &variant);
            assert_non_null(kernel);
            for (unsigned run = 0; run < 2; run++) { /* the second one finds old scratch memory */
                shade(kernel, color);
                check(s, lanes, color);
            }
            jit_kernel_destroy(kernel);
        }
        nir_shader_destroy(shader.nir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_subjects)};
    return cmocka_run_group_tests(tests, create_engines, destroy_engines);
}
