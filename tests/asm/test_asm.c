/* SPDX-License-Identifier: MIT */
/* Compiler for ARB assembly programs: valid programs, error positions, resource counts, limits and
 * state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "asm/asm.h"
#include "nir/nir_state_tokens.h"
#include "util/macros.h"

#define VP "!!ARBvp1.0\n"
#define FP "!!ARBfp1.0\n"

static const nir_shader_compiler_options nir_options;

static struct asm_options default_options(void)
{
    return (struct asm_options){
        .limits = {.instructions = 64,
                   .alu_instructions = 48,
                   .tex_instructions = 16,
                   .tex_indirections = 4,
                   .temporaries = 16,
                   .parameters = 32,
                   .attribs = 16,
                   .address_registers = 1,
                   .env_parameters = 96,
                   .local_parameters = 96,
                   .texture_image_units = 8,
                   .texture_coords = 8,
                   .texture_units = 4,
                   .vertex_attribs = 16,
                   .lights = 8,
                   .clip_planes = 6,
                   .program_matrices = 8,
                   .draw_buffers = 4},
        .fragment_program_shadow = true,
        .draw_buffers = true,
        .fragment_coord_conventions = true,
        .nir_options = &nir_options,
    };
}

static struct asm_program *compile(const char *text)
{
    struct asm_options options = default_options();
    enum shader_stage stage = strncmp(text, "!!ARBfp", 7) ? SHADER_VERTEX : SHADER_FRAGMENT;
    struct asm_program *p = asm_compile(NULL, stage, text, strlen(text), &options);
    assert_non_null(p);
    if (p->nir)
        nir_validate_shader(p->nir, "after compiling a program");
    return p;
}

static struct asm_program *compile_valid(const char *text)
{
    struct asm_program *p = compile(text);
    if (!p->nir)
        fail_msg("%s: %s", text, p->error);
    assert_int_equal(p->error_position, -1);
    assert_string_equal(p->error, "");
    return p;
}

static void test_valid(void **state)
{
    static const char *const texts[] = {
        VP "MOV result.position, vertex.position; END",
        VP "OPTION ARB_position_invariant; MOV result.color, vertex.color; END",
        VP "PARAM m[4] = { state.matrix.mvp }; DP4 result.position.x, m[0], vertex.position;"
           "DP4 result.position.y, m[1], vertex.position; MOV result.position.zw, m[3]; END",
        VP "ADDRESS A; PARAM p[] = { program.env[0..9] }; ARL A.x, vertex.attrib[1].x;"
           "MOV result.position, p[A.x + 3]; END",
        VP "TEMP a, b; ALIAS c = a; LIT c, vertex.normal; LOG b, c.x; EXP a, b.w;"
           "SWZ result.position, a, 0, -1, x, -y; END",
        VP "MOV result.position, state.matrix.program[7].invtrans.row[2]; END",
        VP "OUTPUT o = result.color.back.secondary; MOV o.xw, { 1, 2.5e-1, .5 }; "
           "MOV result.position, 3; END",
        FP "TEMP t; TEX t, fragment.texcoord[0], texture[0], 2D; MUL_SAT result.color, t, "
           "fragment.color; END",
        FP "OPTION ARB_fog_exp2; OPTION ARB_precision_hint_nicest; MOV result.color, "
           "fragment.color.secondary; END",
        FP "OPTION ARB_fragment_program_shadow; TXP result.color, fragment.texcoord[1], "
           "texture[3], SHADOW2D; END",
        FP "OPTION ARB_draw_buffers; MOV result.color[3], 1; MOV result.depth.z, 0.5; END",
        FP "OPTION ARB_fragment_coord_origin_upper_left; OPTION "
           "ARB_fragment_coord_pixel_center_integer; MOV result.color, fragment.position; END",
        FP "KIL -fragment.color; SCS result.color.xy, fragment.position.x; CMP result.color, "
           "state.fog.color, program.local[4], -{1,0,1,0}.x; END",
        FP "PARAM a = 0.5; # a comment\nLRP result.color.rgb, a, fragment.color, "
           "state.texenv[1].color;"
           "END",
    };
    for (unsigned i = 0; i < ARRAY_SIZE(texts); i++)
        talloc_free(compile_valid(texts[i]));
}

/* The mark '@', which is removed, precedes the position of the error. */
static void test_errors(void **state)
{
    static const char *const texts[] = {
        "@!!ARBvp2.0\nEND",
        VP "MOV result.position, vertex.position;@",
        VP "MOV result.position, @nothing; END",
        VP "TEMP a, @a; END",
        VP "MOV @vertex.position, 1; END",
        VP "@MAD result.position, 1, 2; END",
        VP "MOV result.position, vertex.@texcoord[8]; END",
        VP "MOV result.position, program.@env[96]; END",
        VP "MOV result.position, state.matrix.@program[8].row[0]; END",
        VP "OPTION ARB_position_invariant; MOV @result.position, 1; END",
        VP "OPTION @ARB_nonsense; END",
        VP "OPTION @ARB_fragment_coord_pixel_center_integer; END",
        VP "@TEX result.color, vertex.position, texture[0], 2D; END",
        VP "PARAM p[2] = { 1, 2 }; MOV result.position, @p[2]; END",
        VP "ADDRESS A; PARAM p[2] = { 1, 2 }; MOV result.position, @p[A.x + 4096]; END",
        VP "MOV result.position.@wx, 1; END",
        VP "MOV result.position, vertex.position.@xy; END",
        FP "TEX result.color, fragment.texcoord[0], @texture[8], 2D; END",
        FP "TEX result.color, 1, texture[0], @SHADOW2D; END",
        FP "TEX result.color, 1, texture[0], 2D; TEX result.color, 1, @texture[0], 3D; END",
        FP "MOV result.color, fragment.color.@xyrg; END",
        FP "RCP result.color, @fragment.color; END",
    };
    for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
        const char *mark = strchr(texts[i], '@');
        char text[256];
        size_t at = (size_t)(mark - texts[i]);
        memcpy(text, texts[i], at);
        strcpy(text + at, mark + 1);
        struct asm_program *p = compile(text);
        if (p->nir || p->error_position != (int)at)
            fail_msg("%s: error at %d: %s", texts[i], p->error_position, p->error);
        assert_true(p->error[0]);
        talloc_free(p);
    }
}

static void test_counts(void **state)
{
    struct asm_program *p = compile_valid(
        FP "TEMP a, b; PARAM k = 2; TEX a, fragment.texcoord[0], texture[0], 2D;"
           "MUL b, a, k; TEX a, b, texture[2], CUBE; MAD result.color, a, k, state.fog.color; END");
    assert_int_equal(p->counts.instructions, 4);
    assert_int_equal(p->counts.alu_instructions, 2);
    assert_int_equal(p->counts.tex_instructions, 2);
    assert_int_equal(p->counts.tex_indirections, 2);
    assert_int_equal(p->counts.temporaries, 2);
    assert_int_equal(p->counts.parameters, 2);
    assert_int_equal(p->counts.attribs, 1);
    assert_true(p->sampler[0].used && p->sampler[0].dim == GLSL_SAMPLER_DIM_2D);
    assert_false(p->sampler[1].used);
    assert_true(p->sampler[2].used && p->sampler[2].dim == GLSL_SAMPLER_DIM_CUBE);
    talloc_free(p);
}

/* Programs that exceed a limit by one. */
static void test_limits(void **state)
{
    char *text = talloc_strdup(NULL, VP "TEMP t;");
    for (unsigned i = 0; i < 65; i++)
        text = talloc_strdup_append(text, "MOV t, 1;");
    text = talloc_strdup_append(text, "END");
    struct asm_program *p = compile(text);
    assert_null(p->nir);
    talloc_free(p);
    talloc_free(text);
    text = talloc_strdup(NULL, FP "TEMP t0");
    for (unsigned i = 1; i <= 16; i++)
        text = talloc_asprintf_append(text, ", t%u", i);
    text = talloc_strdup_append(text, "; END");
    p = compile(text);
    assert_null(p->nir);
    talloc_free(p);
    talloc_free(text);
}

/* Row i of a matrix is column i of its transpose (nir_state_tokens.h). */
static void test_matrix_rows(void **state)
{
    static const struct {
        const char *word;
        int modifier;
    } cases[] = {
        {"", STATE_MATRIX_TRANSPOSE},
        {".transpose", STATE_MATRIX_PLAIN},
        {".inverse", STATE_MATRIX_INVTRANS},
        {".invtrans", STATE_MATRIX_INVERSE},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        char *text = talloc_asprintf(
            NULL, VP "MOV result.position, state.matrix.program[3]%s.row[2]; END", cases[i].word);
        struct asm_program *p = compile_valid(text);
        unsigned found = 0;
        nir_foreach_variable_with_modes (var, p->nir, nir_var_uniform) {
            assert_int_equal(var->num_state_slots, 1);
            const int16_t *t = var->state_slots[0].tokens;
            assert_int_equal(t[0], STATE_PROGRAM_MATRIX);
            assert_int_equal(t[1], 3);
            assert_int_equal(t[2], 2);
            assert_int_equal(t[4], cases[i].modifier);
            found++;
        }
        assert_int_equal(found, 1);
        talloc_free(p);
        talloc_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_counts),      cmocka_unit_test(test_limits),
        cmocka_unit_test(test_matrix_rows),
    };
    return cmocka_run_group_tests_name("asm", tests, NULL, NULL);
}
