/* SPDX-License-Identifier: MIT */
/*
 * Tests every algebraic rule: builds its search expression from inputs, evaluates it, rewrites it
 * with the pass, and evaluates it again. Exact rules must give the same bits, the others nearly the
 * same value. The generated tables are compiled into this test.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <talloc.h>

#include "nir_eval.h"

#include "nir_algebraic_rules.h"

/* A pass that applies a rule table. */
struct pass {
    bool (*run)(nir_shader *shader);
    struct nir_search_table table;
    unsigned num_rules;
};

struct build {
    nir_builder b;
    const struct nir_search_table *table;
    nir_def *vars[NIR_SEARCH_MAX_VARIABLES];
    bool inexact;
};

static unsigned var_bits(const struct nir_search_value *v, nir_alu_type type, unsigned unsized)
{
    if (v->bit_size)
        return v->bit_size;
    unsigned size = nir_alu_type_get_type_size(type);
    return size ? size : unsized;
}

/* Returns a function of x for which the condition holds, or NULL if there is none. With b NULL,
 * only returns whether there is one. */
static nir_def *made_such(nir_builder *b, nir_def *x, nir_search_cond cond)
{
    static nir_def known;
    if (cond == is_integral)
        return b ? nir_ffloor(b, x) : &known;
    if (cond == is_not_negative)
        return b ? nir_fabs(b, x) : &known;
    if (cond == is_finite_integral)
        return b ? nir_ffloor(b, nir_fsat(b, x)) : &known;
    if (cond == is_a_number || cond == is_finite || cond == is_unit_interval ||
        cond == is_number_not_negative)
        return b ? nir_fsat(b, x) : &known;
    return NULL;
}

/* Returns a value of that size: the input slot of the variable, or a constant that satisfies the
 * condition. */
static nir_def *build_variable(struct build *c, const struct nir_search_value *v, nir_alu_type type,
                               unsigned bits)
{
    nir_builder *b = &c->b;
    bool is_float = nir_alu_type_get_base_type(type) == nir_type_float;
    if (c->vars[v->variable])
        return c->vars[v->variable];
    nir_def *def;
    nir_search_cond cond = v->cond ? c->table->conds[v->cond - 1] : NULL;
    if (v->must_be_constant || (cond && !made_such(NULL, NULL, cond))) {
        def = is_float ? nir_imm_floatN_t(b, 4.0, bits) : nir_imm_intN_t(b, 8, bits);
    } else {
        def = nir_load_input(b, 1, 32, nir_imm_int(b, 0), .base = v->variable);
        if (bits == 1)
            def = nir_ilt_imm(b, def, 0);
        else if (bits != 32)
            def = is_float ? nir_f2fN(b, def, bits) : nir_u2uN(b, def, bits);
        if (cond)
            def = made_such(b, def, cond);
    }
    c->vars[v->variable] = def;
    return def;
}

/* Returns the bit size that a pattern requires; 0: any. */
static unsigned own_bits(const struct nir_search_value *values, const struct nir_search_value *v)
{
    if (v->bit_size || v->type == nir_search_variable)
        return v->bit_size;
    if (v->type == nir_search_constant)
        return v->const_type == nir_type_bool ? 1 : 0;
    const nir_op_info *info = &nir_op_infos[v->op];
    unsigned bits = nir_alu_type_get_type_size(info->output_type);
    for (unsigned s = 0; s < info->num_inputs && !bits; s++) {
        if (!nir_alu_type_get_type_size(info->input_types[s]))
            bits = own_bits(values, &values[v->srcs[s]]);
    }
    return bits;
}

static nir_def *build_search(struct build *c, unsigned index, nir_alu_type type, unsigned unsized)
{
    const struct nir_search_value *values = c->table->values, *v = &values[index];
    unsigned bits = var_bits(v, type, unsized);
    if (v->type == nir_search_variable)
        return build_variable(c, v, type, bits);
    if (v->type == nir_search_constant)
        return v->const_type == nir_type_float ? nir_imm_floatN_t(&c->b, v->data.f, bits)
                                               : nir_imm_intN_t(&c->b, v->data.i, bits);
    const nir_op_info *info = &nir_op_infos[v->op];
    nir_def *srcs[4];
    c->inexact |= v->inexact;
    /* Sources without a fixed size get the requested size, that of another source, or 32 bits. */
    unsigned inner = nir_alu_type_get_type_size(info->output_type) ? 0 : bits;
    for (unsigned s = 0; s < info->num_inputs && !inner; s++) {
        if (!nir_alu_type_get_type_size(info->input_types[s]))
            inner = own_bits(values, &values[v->srcs[s]]);
    }
    if (!inner)
        inner = 32;
    for (unsigned s = 0; s < info->num_inputs; s++)
        srcs[s] = build_search(c, v->srcs[s], info->input_types[s], inner);
    c->b.exact = !v->inexact;
    nir_def *def = nir_build_alu(&c->b, v->op, srcs);
    c->b.exact = false;
    return def;
}

static const uint32_t interesting[] = {
    0,
    1,
    2,
    3,
    31,
    0x80000000,
    0xffffffff,
    0x7fffffff,
    0xff,
    0x12345678,
    0xfffffff8,
    0x3f800000 /* 1 */,
    0xbf800000,
    0x3f000000 /* 0.5 */,
    0x40490fdb,
    0xc2f6e979,
    0x7f800000 /* inf */,
    0x7fc00000 /* NaN */,
    0x3dcccccd,
    0x40000000,
    0x4b000001,
};

/* Inputs of rounds below SPECIAL: all pairs, and some triples. */
static const uint32_t special[] = {
    0,          0x80000000 /* -0 */, 0x7f800000 /* inf */, 0xff800000 /* -inf */,
    0x7fc00000, 0x3f800000 /* 1 */,  0xbf800000 /* -1 */,  0x40000000 /* 2 */,
};

#define SPECIAL 64
#define ROUNDS  (SPECIAL + 160)
/* First round in which all inputs are ordinary positive floats; earlier rounds use any values. */
#define ORDINARY (SPECIAL + 120)

static void fill_inputs(struct nir_eval *eval, unsigned round)
{
    for (unsigned s = 0; s < 8; s++) {
        if (round < SPECIAL) {
            const unsigned which = s == 0 ? round : s == 1 ? round / 8 : round * 3 + round / 8;
            eval->inputs[s][0] = special[which % ARRAY_SIZE(special)];
            continue;
        }
        unsigned pick = (round - SPECIAL) * (2 * s + 1) + s * 5;
        eval->inputs[s][0] = interesting[pick % ARRAY_SIZE(interesting)];
        if (round > SPECIAL + 60)
            eval->inputs[s][0] = (pick + 1) * 2654435761u;
        if (round >= ORDINARY)
            eval->inputs[s][0] = fui(0.125f + (float)(eval->inputs[s][0] >> 16) * 0x1p-13f);
    }
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* small: the inputs are special values or small, so that infinities don't come from overflow. */
static bool close_enough(uint32_t a, uint32_t b, bool inexact, bool is_float, bool small)
{
    if (a == b || (is_float && is_nan(a) && is_nan(b)))
        return true;
    if (!inexact || !is_float)
        return false;
    float x = uif(a), y = uif(b);
    if (!isfinite(x) || !isfinite(y) || fabsf(x) > 1e30f || fabsf(y) > 1e30f)
        return !small || x == y;
    return fabsf(x - y) <= 1e-4f * fmaxf(1e-6f, fmaxf(fabsf(x), fabsf(y)));
}

/* Returns whether the search has pow, which isn't defined for special values, or a factor that is a
 * zero or a selection of zero and one, whose products are zero even if the other factor isn't a
 * number. */
static bool is_exempt(const struct nir_search_table *table, unsigned index)
{
    const struct nir_search_value *v = &table->values[index];
    if (v->type != nir_search_expression)
        return false;
    if (v->op == nir_op_fpow)
        return true;
    const bool product = v->op == nir_op_fmul || v->op == nir_op_ffma || v->op == nir_op_flrp;
    for (unsigned s = 0; s < nir_op_infos[v->op].num_inputs; s++) {
        const struct nir_search_value *src = &table->values[v->srcs[s]];
        if (is_exempt(table, v->srcs[s]) ||
            (product && (src->type == nir_search_constant ||
                         (src->type == nir_search_expression && src->op == nir_op_b2f32))))
            return true;
    }
    return false;
}

/* Returns true if a variable of an inexact rule is not an ordinary positive float. Ignores
 * booleans. */
static bool has_special_input(const struct build *c, const struct nir_eval *eval)
{
    for (unsigned s = 0; s < NIR_SEARCH_MAX_VARIABLES; s++) {
        float x = uif(eval->inputs[s][0]);
        if (!c->vars[s] || c->vars[s]->bit_size == 1)
            continue;
        if (!(x >= 0x1p-10f && x <= 0x1p10f))
            return true;
    }
    return false;
}

static void check_rule(const struct pass *pass, unsigned r)
{
    static const nir_shader_compiler_options options = {0};
    const struct nir_search_table *table = &pass->table;
    const struct nir_search_value *search = &table->values[table->rules[r].search];
    struct build c = {.table = table};
    c.b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &options, "rule");
    unsigned bits = own_bits(table->values, search);
    nir_def *def = build_search(&c, table->rules[r].search, nir_type_invalid, bits ? bits : 32);
    bool is_float =
        nir_alu_type_get_base_type(nir_op_infos[search->op].output_type) == nir_type_float ||
        search->op == nir_op_bcsel;
    if (def->bit_size == 64)
        def = nir_unpack_64_2x32_split_x(&c.b, def);
    else if (def->bit_size == 1)
        def = nir_b2i32(&c.b, def);
    else if (def->bit_size != 32)
        def = nir_u2uN(&c.b, def, 32);
    nir_store_output(&c.b, def, nir_imm_int(&c.b, 0));
    nir_validate_shader(c.b.shader, "before the rule");

    nir_shader *changed = nir_shader_clone(NULL, c.b.shader);
    bool progress = pass->run(changed);
    nir_validate_shader(changed, "after the rule");
    if (!progress) {
        nir_print_shader(c.b.shader, stdout);
        fail_msg("rule %u does not match its own pattern", r);
    }
    unsigned compared = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct nir_eval before = {0}, after = {0};
        fill_inputs(&before, round);
        fill_inputs(&after, round);
        assert_int_equal(nir_eval_shader(&before, c.b.shader), NIR_EVAL_DONE);
        assert_int_equal(nir_eval_shader(&after, changed), NIR_EVAL_DONE);
        if (c.inexact && has_special_input(&c, &before) &&
            (round >= SPECIAL || is_exempt(table, table->rules[r].search)))
            continue;
        compared++;
        if (!close_enough(before.outputs[0][0], after.outputs[0][0], c.inexact, is_float,
                          round < SPECIAL)) {
            nir_print_shader(c.b.shader, stdout);
            nir_print_shader(changed, stdout);
            fail_msg("rule %u: 0x%08x became 0x%08x, inputs 0x%08x 0x%08x 0x%08x", r,
                     before.outputs[0][0], after.outputs[0][0], before.inputs[0][0],
                     before.inputs[1][0], before.inputs[2][0]);
        }
    }
    assert_true(compared >= ROUNDS - ORDINARY);
    nir_shader_destroy(changed);
    nir_shader_destroy(c.b.shader);
}

static void check_rules(const struct pass *pass)
{
    for (unsigned r = 0; r < pass->num_rules; r++) {
        if (!pass->table.rules[r].option)
            check_rule(pass, r);
    }
}

#define PASS(name)                                                                                 \
    (&(const struct pass){name,                                                                    \
                          {name##_values, name##_rules, name##_conds, name##_first},               \
                          ARRAY_SIZE(name##_rules)})

static void test_rules(void **state)
{
    check_rules(PASS(nir_opt_algebraic));
}

static void test_late_rules(void **state)
{
    check_rules(PASS(nir_opt_algebraic_late));
}

/* A lowered quotient with a numerator of 0, which is only known after another pass, is NaN for 0/0,
 * although other products with 0 become 0. */
static void test_lowered_division(void **state)
{
    static const nir_shader_compiler_options options = {.lower_fdiv = true};
    static const uint32_t divisors[][2] = {
        {0, 0x7fc00000}, {0x80000000, 0x7fc00000}, {0x7fc00000, 0x7fc00000}, {0x40000000, 0}};
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &options, "division");
    nir_def *x = nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .base = 0);
    nir_def *zero = nir_imm_float(&b, 0);
    nir_def *quotient = nir_fdiv(&b, nir_mov(&b, zero), x);
    nir_store_output(&b, quotient, nir_imm_int(&b, 0), .base = 0);
    nir_store_output(&b, nir_fmul(&b, zero, x), nir_imm_int(&b, 0), .base = 1);
    assert_true(nir_opt_algebraic(b.shader));
    nir_copy_prop(b.shader);
    nir_opt_constant_folding(b.shader);
    nir_opt_algebraic(b.shader);
    nir_validate_shader(b.shader, "after lowering");
    for (unsigned i = 0; i < ARRAY_SIZE(divisors); i++) {
        struct nir_eval eval = {.inputs[0] = {divisors[i][0]}};
        assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
        if (is_nan(divisors[i][1]))
            assert_true(is_nan(eval.outputs[0][0]));
        else
            assert_int_equal(eval.outputs[0][0], divisors[i][1]);
        assert_int_equal(eval.outputs[1][0], 0);
    }
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_late_rules),
        cmocka_unit_test(test_lowered_division),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
