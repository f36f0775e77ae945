/* SPDX-License-Identifier: MIT */
/* Tests of passes that turn variables into values, memory or other variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <talloc.h>

#include "nir_test.h"

static nir_variable *local(nir_builder *b, const struct glsl_type *type, const char *name)
{
    return nir_local_variable_create(b->impl, type, name);
}

static const struct glsl_type *array(nir_builder *b, unsigned length)
{
    return glsl_array_type(b->shader, glsl_int_type(), length, 0);
}

static nir_deref_instr *element(nir_builder *b, nir_variable *var, nir_def *index)
{
    return nir_build_deref_array(b, nir_build_deref_var(b, var), index);
}

static nir_deref_instr *element_imm(nir_builder *b, nir_variable *var, unsigned index)
{
    return nir_build_deref_array_imm(b, nir_build_deref_var(b, var), index);
}

/* struct { int i; vec2 v[2]; } */
static const struct glsl_type *struct_type(nir_builder *b)
{
    struct glsl_struct_field fields[2] = {
        {.type = glsl_int_type(), .name = "i", .location = -1, .component = -1, .offset = -1},
        {.type = glsl_array_type(b->shader, glsl_vec_type(2), 2, 0),
         .name = "v",
         .location = -1,
         .component = -1,
         .offset = -1},
    };
    return glsl_struct_type(b->shader, fields, 2, "S");
}

static void test_global_to_local(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_function *f = nir_function_create(b.shader, "f");
    nir_builder fb = nir_builder_at(nir_before_impl(nir_function_impl_create(f)));
    nir_variable *mine = test_variable(&b, nir_var_shader_temp, glsl_int_type(), -1);
    nir_variable *shared = test_variable(&b, nir_var_shader_temp, glsl_int_type(), -1);
    nir_variable *uniform = test_variable(&b, nir_var_uniform, glsl_int_type(), -1);
    nir_store_var(&b, mine, nir_load_var(&b, uniform), 1);
    nir_store_var(&b, shared, nir_load_var(&b, mine), 1);
    nir_store_var(&fb, shared, nir_imm_int(&fb, 1), 1);
    RUN(&b, nir_lower_global_vars_to_local);
    assert_int_equal(mine->data.mode, nir_var_function_temp);
    assert_int_equal(shared->data.mode, nir_var_shader_temp);
    assert_int_equal(uniform->data.mode, nir_var_uniform);
    EXPECT_UNCHANGED(&b, nir_lower_global_vars_to_local);
    nir_shader_destroy(b.shader);
}

static void test_initializers(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *var = local(&b, array(&b, 2), "a");
    nir_variable *plain = local(&b, glsl_int_type(), "plain");
    nir_constant *c = talloc_zero(var, nir_constant);
    c->num_elements = 2;
    c->elements = talloc_array(c, nir_constant *, 2);
    for (unsigned i = 0; i < 2; i++) {
        c->elements[i] = talloc_zero(c, nir_constant);
        c->elements[i]->values[0].i32 = 7 + (int)i;
    }
    var->constant_initializer = c;
    test_output(&b, nir_load_deref(&b, element(&b, var, test_input(&b, 1))), 0);
    test_output(&b, nir_load_var(&b, plain), 1);
    EXPECT_UNCHANGED(&b, nir_lower_variable_initializers, nir_var_shader_out);
    RUN(&b, nir_lower_variable_initializers, nir_var_function_temp);
    assert_null(var->constant_initializer);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), 2);
    check(b.shader, 0, 0, 7);
    check(b.shader, 1, 0, 8);
    nir_shader_destroy(b.shader);
}

static void test_copies(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *type = struct_type(&b);
    nir_variable *src = local(&b, type, "src"), *dst = local(&b, type, "dst");
    nir_deref_instr *v = nir_build_deref_struct(&b, nir_build_deref_var(&b, src), 1);
    for (unsigned i = 0; i < 2; i++)
        nir_store_deref(&b, nir_build_deref_array_imm(&b, v, i), nir_imm_ivec2(&b, 3 + i, 5 + i),
                        3);
    nir_copy_var(&b, dst, src);
    v = nir_build_deref_struct(&b, nir_build_deref_var(&b, dst), 1);
    test_output(&b, nir_load_deref(&b, nir_build_deref_array(&b, v, test_input(&b, 1))), 0);
    RUN(&b, nir_split_var_copies);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_copy_deref), 2); /* i and v[*] */
    check(b.shader, 1, 0, 4);
    EXPECT_UNCHANGED(&b, nir_split_var_copies);
    RUN(&b, nir_lower_var_copies);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_copy_deref), 0);
    check(b.shader, 0, 0, 3);
    check(b.shader, 1, 0, 4);
    EXPECT_UNCHANGED(&b, nir_lower_var_copies);
    nir_shader_destroy(b.shader);
}

static void test_split_structs(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *type = glsl_array_type(b.shader, struct_type(&b), 3, 0);
    nir_variable *var = local(&b, type, "s"), *copied = local(&b, type, "copied");
    nir_variable *other = local(&b, type, "other");
    nir_def *index = test_input(&b, 1);
    nir_deref_instr *field = nir_build_deref_struct(&b, element(&b, var, index), 0);
    nir_store_deref(&b, field, index, 1);
    field = nir_build_deref_struct(&b, element_imm(&b, var, 2), 0);
    test_output(&b, nir_load_deref(&b, field), 0);
    nir_copy_var(&b, other, copied); /* these are copied as a whole and stay */
    RUN(&b, nir_split_struct_vars, nir_var_function_temp);
    unsigned structs = 0;
    nir_foreach_function_temp_variable(v, b.impl) structs +=
        glsl_type_is_struct_or_ifc(glsl_without_array(v->type));
    assert_int_equal(structs, 2);
    check(b.shader, 2, 0, 2);
    check(b.shader, 1, 0, 0);
    EXPECT_UNCHANGED(&b, nir_split_struct_vars, nir_var_function_temp);
    nir_shader_destroy(b.shader);
}

static void test_vars_to_ssa(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *direct = local(&b, glsl_int_type(), "direct");
    nir_variable *indirect = local(&b, array(&b, 4), "indirect");
    nir_def *x = test_input(&b, 1);
    nir_store_var(&b, direct, nir_imm_int(&b, 1), 1);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 2));
    nir_store_var(&b, direct, nir_imm_int(&b, 2), 1);
    nir_pop_if(&b, nif);
    test_output(&b, nir_load_var(&b, direct), 0);
    nir_store_deref(&b, element(&b, indirect, x), x, 1);
    test_output(&b, nir_load_deref(&b, element_imm(&b, indirect, 3)), 1);
    RUN(&b, nir_lower_vars_to_ssa);
    assert_int_equal(count_type(b.shader, nir_instr_type_phi), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_deref), 1);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), 1);
    check(b.shader, 1, 0, 2);
    check(b.shader, 3, 0, 1);
    check(b.shader, 3, 1, 3);
    nir_remove_dead_derefs(b.shader);
    EXPECT_UNCHANGED(&b, nir_lower_vars_to_ssa);
    nir_shader_destroy(b.shader);
}

/* Values of variables that must be 0 at first are 0 until they are stored. */
static void test_zeros_to_ssa(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *var = local(&b, array(&b, 4), "a");
    nir_def *x = test_input(&b, 1);
    var->data.zero_first = true;
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 2));
    nir_store_deref(&b, element_imm(&b, var, 1), nir_imm_int(&b, 7), 1);
    nir_pop_if(&b, nif);
    test_output(&b, nir_load_deref(&b, element_imm(&b, var, 1)), 0);
    test_output(&b, nir_load_deref(&b, element_imm(&b, var, 2)), 1);
    RUN(&b, nir_lower_vars_to_ssa);
    assert_int_equal(count_type(b.shader, nir_instr_type_undef), 0);
    check(b.shader, 1, 0, 7);
    check(b.shader, 3, 0, 0);
    check(b.shader, 3, 1, 0);
    nir_shader_destroy(b.shader);
}

static void test_indirect(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *small = local(&b, array(&b, 4), "small"),
                 *large = local(&b, array(&b, 40), "large");
    nir_def *x = test_input(&b, 1);
    nir_variable *vars[] = {small, large};
    for (unsigned i = 0; i < 2; i++) {
        nir_store_deref(&b, element_imm(&b, vars[i], 1), nir_imm_int(&b, 5), 1);
        nir_store_deref(&b, element(&b, vars[i], x), nir_iadd_imm(&b, x, 10), 1);
        test_output(&b, nir_load_deref(&b, element(&b, vars[i], nir_isub_imm(&b, 4, x))), i);
    }
    RUN(&b, nir_lower_indirect_derefs, nir_var_function_temp, 8);
    nir_foreach_block (block, b.impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_deref)
                continue;
            nir_deref_instr *deref = nir_instr_as_deref(instr);
            assert_true(nir_deref_instr_get_variable(deref) == large ||
                        !nir_deref_instr_has_indirect(deref));
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        check(b.shader, 2, i, 12);
        check(b.shader, 3, i, 5);
    }
    EXPECT_UNCHANGED(&b, nir_lower_indirect_derefs, nir_var_function_temp, 8);
    nir_shader_destroy(b.shader);
}

static void test_scratch(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *var = local(&b, array(&b, 4), "a");
    nir_def *x = test_input(&b, 1);
    nir_store_deref(&b, element(&b, var, x), x, 1);
    test_output(&b, nir_load_deref(&b, element_imm(&b, var, 3)), 0);
    RUN(&b, nir_lower_vars_to_scratch);
    assert_int_equal(b.shader->scratch_size, 16);
    assert_int_equal(count_type(b.shader, nir_instr_type_deref), 0);
    check(b.shader, 3, 0, 3);
    check(b.shader, 9, 0, 9); /* the index is clamped */
    check(b.shader, 1, 0, 0);
    EXPECT_UNCHANGED(&b, nir_lower_vars_to_scratch);
    /* the removal of a variable that is only written counts as a change */
    nir_store_deref(&b, element_imm(&b, local(&b, array(&b, 4), "written"), 1), x, 1);
    RUN(&b, nir_lower_vars_to_scratch);
    assert_int_equal(b.shader->scratch_size, 16);
    EXPECT_UNCHANGED(&b, nir_lower_vars_to_scratch);
    nir_shader_destroy(b.shader);
}

/* A variable that must be 0 at first is cleared before the first instruction; the evaluator clears
 * the bytes that the sources say. */
static void test_cleared_scratch(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    (void)local(&b, array(&b, 3), "other");
    nir_variable *var = local(&b, array(&b, 4), "a");
    nir_def *x = test_input(&b, 1);
    var->data.zero_first = true;
    nir_store_deref(&b, element(&b, var, x), x, 1);
    test_output(&b, nir_load_deref(&b, element_imm(&b, var, 3)), 0);
    RUN(&b, nir_lower_vars_to_scratch);
    nir_intrinsic_instr *clear = NULL;
    nir_foreach_instr (instr, nir_start_block(b.impl)) {
        if (instr->type != nir_instr_type_intrinsic)
            continue;
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (intr->intrinsic == nir_intrinsic_store_scratch)
            assert_non_null(clear);
        if (intr->intrinsic == nir_intrinsic_clear_scratch)
            clear = intr;
    }
    assert_non_null(clear);
    assert_int_equal(nir_src_as_uint(clear->src[0]), 0);
    assert_int_equal(nir_src_as_uint(clear->src[1]), 16);
    assert_int_equal(nir_intrinsic_base(clear), (int)b.shader->scratch_size - 16);
    check(b.shader, 3, 0, 3);
    check(b.shader, 1, 0, 0);
    nir_shader_destroy(b.shader);

    b = test_shader(SHADER_FRAGMENT);
    b.shader->scratch_size = 16;
    for (unsigned i = 0; i < 4; i++)
        nir_store_scratch(&b, nir_imm_int(&b, (int)i + 5), nir_imm_int(&b, (int)i * 4),
                          .write_mask = 1, .align_mul = 4);
    nir_clear_scratch(&b, nir_imm_int(&b, 4), nir_imm_int(&b, 4), .base = 4);
    test_output(&b, nir_load_scratch(&b, 4, 32, nir_imm_int(&b, 0), .align_mul = 4), 0);
    struct nir_eval eval = {0};
    assert_int_equal(nir_eval_shader(&eval, b.shader), NIR_EVAL_DONE);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(eval.outputs[0][i], i == 2 ? 0 : i + 5);
    nir_shader_destroy(b.shader);
}

static void test_dead_variables(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *read = local(&b, glsl_int_type(), "read");
    nir_variable *written = local(&b, glsl_int_type(), "written");
    nir_variable *out = test_variable(&b, nir_var_shader_out, glsl_int_type(), FRAG_RESULT_DATA0);
    nir_variable *unused = test_variable(&b, nir_var_uniform, glsl_int_type(), -1);
    nir_store_var(&b, read, test_input(&b, 1), 1);
    nir_store_var(&b, written, nir_load_var(&b, read), 1);
    nir_store_var(&b, out, nir_load_var(&b, read), 1);
    RUN(&b, nir_remove_dead_variables, nir_var_function_temp);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), 2);
    assert_true(list_is_singular(&b.impl->locals));
    assert_ptr_equal(list_first_entry(&b.shader->variables, nir_variable, node), out);
    EXPECT_UNCHANGED(&b, nir_remove_dead_variables, nir_var_function_temp | nir_var_shader_out);
    RUN(&b, nir_remove_dead_variables, nir_var_uniform);
    assert_true(list_is_singular(&b.shader->variables));
    (void)unused;
    nir_shader_destroy(b.shader);
}

static void test_dead_derefs(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *var = local(&b, array(&b, 4), "a");
    test_output(&b, nir_load_deref(&b, element_imm(&b, var, 0)), 0);
    EXPECT_UNCHANGED(&b, nir_remove_dead_derefs);
    element_imm(&b, var, 1);
    RUN(&b, nir_remove_dead_derefs);
    assert_int_equal(count_type(b.shader, nir_instr_type_deref), 2);
    nir_shader_destroy(b.shader);
}

static void test_io_to_temporaries(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *in = test_variable(&b, nir_var_shader_in, array(&b, 3), VARYING_SLOT_VAR(0));
    nir_variable *out = test_variable(&b, nir_var_shader_out, glsl_int_type(), FRAG_RESULT_DATA0);
    nir_store_var(&b, out, nir_load_deref(&b, element_imm(&b, in, 1)), 1);
    nir_store_var(&b, out, nir_iadd(&b, nir_load_var(&b, out), nir_load_var(&b, out)), 1);
    EXPECT_UNCHANGED(&b, nir_lower_io_to_temporaries, false, false);
    RUN(&b, nir_lower_io_to_temporaries, true, false);
    assert_int_equal(in->data.mode, nir_var_shader_in);
    assert_int_equal(out->data.mode, nir_var_shader_temp);
    assert_non_null(
        nir_find_variable_with_location(b.shader, nir_var_shader_out, FRAG_RESULT_DATA0));
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_copy_deref), 1);
    struct nir_eval eval = {.inputs = {{0}, {21}}};
    test_evaluate(&eval, b.shader);
    assert_int_equal(eval.outputs[0][0], 42);
    RUN(&b, nir_lower_io_to_temporaries, false, true);
    assert_int_equal(in->data.mode, nir_var_shader_temp);
    test_evaluate(&eval, b.shader);
    assert_int_equal(eval.outputs[0][0], 42);
    nir_shader_destroy(b.shader);
}

static void test_array_deref_of_vec(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *var = local(&b, glsl_vec4_type(), "v");
    nir_def *x = test_input(&b, 1);
    nir_store_var(&b, var, nir_imm_ivec4(&b, 1, 2, 3, 4), 0xf);
    nir_store_deref(&b, element_imm(&b, var, 1), nir_imm_int(&b, 9), 1);
    nir_store_deref(&b, element(&b, var, x), nir_imm_int(&b, 8), 1);
    test_output(&b, nir_load_deref(&b, element(&b, var, nir_isub_imm(&b, 3, x))), 0);
    EXPECT_UNCHANGED(&b, nir_lower_array_deref_of_vec, nir_var_shader_out);
    RUN(&b, nir_lower_array_deref_of_vec, nir_var_function_temp);
    nir_remove_dead_derefs(b.shader);
    nir_foreach_instr (instr, nir_start_block(b.impl))
        assert_true(instr->type != nir_instr_type_deref ||
                    nir_instr_as_deref(instr)->deref_type == nir_deref_type_var);
    check(b.shader, 0, 0, 4);
    check(b.shader, 1, 0, 3);
    check(b.shader, 2, 0, 9);
    check(b.shader, 3, 0, 1);
    EXPECT_UNCHANGED(&b, nir_lower_array_deref_of_vec, nir_var_function_temp);
    nir_shader_destroy(b.shader);
}

static void test_copy_prop_vars(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *var = local(&b, array(&b, 4), "a");
    nir_def *x = test_input(&b, 1);
    nir_store_deref(&b, element_imm(&b, var, 1), x, 1);
    nir_store_deref(&b, element_imm(&b, var, 2), nir_imm_int(&b, 5), 1);
    nir_def *known = nir_load_deref(&b, element_imm(&b, var, 1));
    test_output(&b, known, 0);
    /* may write the same element */
    nir_store_deref(&b, element(&b, var, x), nir_imm_int(&b, 6), 1);
    test_output(&b, nir_load_deref(&b, element_imm(&b, var, 1)), 1);
    RUN(&b, nir_opt_copy_prop_vars);
    nir_opt_dce(b.shader);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_load_deref), 1);
    check(b.shader, 1, 0, 1);
    check(b.shader, 1, 1, 6);
    check(b.shader, 2, 1, 2);
    nir_shader_destroy(b.shader);
}

static void test_dead_writes(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_variable *out = test_variable(&b, nir_var_shader_out, glsl_vec_type(2), FRAG_RESULT_DATA0);
    nir_variable *var = local(&b, array(&b, 2), "a");
    nir_def *x = test_input(&b, 1);
    nir_store_var(&b, out, nir_imm_ivec2(&b, 1, 2), 3); /* both components are overwritten */
    nir_store_var(&b, out, nir_imm_ivec2(&b, 3, 4), 1);
    nir_store_var(&b, out, nir_vec2(&b, x, x), 2);
    nir_store_deref(&b, element_imm(&b, var, 0), x, 1); /* read before it is overwritten */
    test_output(&b, nir_load_deref(&b, element(&b, var, x)), 1);
    nir_store_deref(&b, element_imm(&b, var, 0), nir_imm_int(&b, 0), 1);
    RUN(&b, nir_opt_dead_write_vars);
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_deref), 4);
    check(b.shader, 7, 0, 3);
    EXPECT_UNCHANGED(&b, nir_opt_dead_write_vars);
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_global_to_local),
        cmocka_unit_test(test_initializers),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_split_structs),
        cmocka_unit_test(test_vars_to_ssa),
        cmocka_unit_test(test_zeros_to_ssa),
        cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_cleared_scratch),
        cmocka_unit_test(test_dead_variables),
        cmocka_unit_test(test_dead_derefs),
        cmocka_unit_test(test_io_to_temporaries),
        cmocka_unit_test(test_array_deref_of_vec),
        cmocka_unit_test(test_copy_prop_vars),
        cmocka_unit_test(test_dead_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
