/* SPDX-License-Identifier: MIT */
/*
 * ATI_fragment_shader: results of operations and routing, precedence over other programs, objects,
 * display lists, the attribute stack, and errors of definitions.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 8 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static void draw(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
}

static void mov(GLuint dst, GLuint source)
{
    glColorFragmentOp1ATI(GL_MOV_ATI, dst, GL_NONE, GL_NONE, source, GL_NONE, GL_NONE);
}

static void mov_alpha(GLuint dst, GLuint source)
{
    glAlphaFragmentOp1ATI(GL_MOV_ATI, dst, GL_NONE, source, GL_NONE, GL_NONE);
}

/* Defines and binds a shader that returns color constant n. */
static void define_constant(GLuint id, unsigned n)
{
    glBindFragmentShaderATI(id);
    glBeginFragmentShaderATI();
    mov(GL_REG_0_ATI, GL_CON_0_ATI + n);
    glEndFragmentShaderATI();
}

static void test_objects(void **state)
{
    static const float red[] = {1, 0, 0, 1}, green[] = {0, 1, 0, 1}, blue[] = {0, 0, 1, 1};
    GLuint first = glGenFragmentShadersATI(3), second = glGenFragmentShadersATI(1);
    assert_true(first && second && (second < first || second >= first + 3));
    assert_int_equal(glGenFragmentShadersATI(0), 0);
    expect_error(GL_INVALID_VALUE);
    assert_int_equal(glGenFragmentShadersATI(~0u), 0);
    expect_error(GL_OUT_OF_MEMORY);
    assert_false(glIsEnabled(GL_FRAGMENT_SHADER_ATI));
    glEnable(GL_FRAGMENT_SHADER_ATI);
    assert_true(glIsEnabled(GL_FRAGMENT_SHADER_ATI));
    define_constant(first, 2);
    define_constant(first + 1, 2);
    glSetFragmentShaderConstantATI(GL_CON_2_ATI, red);
    draw();
    expect(4, 4, 1, 0, 0);
    glSetFragmentShaderConstantATI(GL_CON_2_ATI, green); /* global */
    draw();
    expect(4, 4, 0, 1, 0);
    glBindFragmentShaderATI(first);
    glBeginFragmentShaderATI();
    glSetFragmentShaderConstantATI(GL_CON_2_ATI, blue); /* the shader's own */
    mov(GL_REG_0_ATI, GL_CON_2_ATI);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 0, 0, 1);
    glSetFragmentShaderConstantATI(GL_CON_2_ATI, red); /* does not affect the shader */
    draw();
    expect(4, 4, 0, 0, 1);
    glBindFragmentShaderATI(first + 1);
    draw();
    expect(4, 4, 1, 0, 0);
    /* now the default shader is bound, which has no definition */
    glDeleteFragmentShaderATI(first + 1);
    glColor3f(1, 1, 0);
    draw();
    expect(4, 4, 1, 1, 0);
    glDeleteFragmentShaderATI(0);
    glDeleteFragmentShaderATI(12345);
    glDeleteFragmentShaderATI(first);
    glSetFragmentShaderConstantATI(GL_REG_0_ATI, red);
    expect_error(GL_INVALID_ENUM);
    GLint value[2];
    glGetIntegerv(GL_NUM_FRAGMENT_REGISTERS_ATI, &value[0]);
    glGetIntegerv(GL_NUM_INSTRUCTIONS_TOTAL_ATI, &value[1]);
    assert_true(value[0] == 6 && value[1] == 16);
    glDisable(GL_FRAGMENT_SHADER_ATI);
    expect_error(GL_NO_ERROR);
}

/* Checks that color and alpha of a pair run at once, and that dot products write alpha with its
 * modifier. */
static void test_pairs(void **state)
{
    static const float x[] = {0.25f, 0.5f, 0.125f, 0.75f}, y[] = {0.5f, 0.25f, 1, 0.5f};
    glEnable(GL_FRAGMENT_SHADER_ATI);
    glSetFragmentShaderConstantATI(GL_CON_0_ATI, x);
    glSetFragmentShaderConstantATI(GL_CON_1_ATI, y);
    glBeginFragmentShaderATI();
    mov(GL_REG_0_ATI, GL_CON_0_ATI);
    mov_alpha(GL_REG_0_ATI, GL_CON_0_ATI);
    /* rgb = alpha and alpha = red, from the old values */
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_RED_BIT_ATI | GL_BLUE_BIT_ATI, GL_NONE,
                          GL_REG_0_ATI, GL_ALPHA, GL_NONE);
    glAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_REG_0_ATI, GL_RED, GL_NONE);
    /* Then copies alpha to green to make it visible. */
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_GREEN_BIT_ATI, GL_NONE, GL_REG_0_ATI,
                          GL_ALPHA, GL_NONE);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 0.75f, 0.25f, 0.75f);
    glBeginFragmentShaderATI();
    glColorFragmentOp2ATI(GL_DOT4_ATI, GL_REG_0_ATI, GL_NONE, GL_NONE, GL_CON_0_ATI, GL_NONE,
                          GL_NONE, GL_CON_1_ATI, GL_NONE, GL_NONE);
    glAlphaFragmentOp2ATI(GL_DOT4_ATI, GL_REG_0_ATI, GL_HALF_BIT_ATI, GL_CON_0_ATI, GL_NONE,
                          GL_NONE, GL_CON_1_ATI, GL_NONE, GL_NONE);
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_BLUE_BIT_ATI, GL_NONE, GL_REG_0_ATI,
                          GL_ALPHA, GL_NONE);
    /* -(2 * ((1 - x) - 0.5)) = 0.5 for x = 0.75; then 8 times that, saturated. */
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_RED_BIT_ATI,
                          GL_8X_BIT_ATI | GL_SATURATE_BIT_ATI, GL_CON_0_ATI, GL_ALPHA,
                          GL_COMP_BIT_ATI | GL_BIAS_BIT_ATI | GL_2X_BIT_ATI | GL_NEGATE_BIT_ATI);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 1, 0.75f, 0.375f);
    glDisable(GL_FRAGMENT_SHADER_ATI);
}

static void test_routing(void **state)
{
    static const uint8_t texels[4][4] = {
        {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}};
    glEnable(GL_FRAGMENT_SHADER_ATI);
    glTexCoord4f(0.25f, 0.125f, 0.5f, 0.25f);
    glBeginFragmentShaderATI();
    glPassTexCoordATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_DR_ATI);
    mov(GL_REG_1_ATI, GL_REG_0_ATI);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 0.5f, 0.25f, 1);
    glBeginFragmentShaderATI();
    glPassTexCoordATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STQ_ATI);
    mov(GL_REG_1_ATI, GL_REG_0_ATI);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 0.25f, 0.125f, 0.25f);

    /* The second pass samples at the first pass's result and swaps registers. */
    glActiveTexture(GL_TEXTURE2);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBeginFragmentShaderATI();
    mov(GL_REG_0_ATI, GL_ONE);
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_1_ATI, GL_NONE, GL_QUARTER_BIT_ATI, GL_ONE, GL_NONE,
                          GL_NONE);
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_1_ATI, GL_GREEN_BIT_ATI, GL_NONE, GL_ONE, GL_NONE,
                          GL_BIAS_BIT_ATI);
    glSampleMapATI(GL_REG_2_ATI, GL_REG_1_ATI, GL_SWIZZLE_STR_ATI);
    glPassTexCoordATI(GL_REG_0_ATI, GL_REG_1_ATI, GL_SWIZZLE_STR_ATI);
    glPassTexCoordATI(GL_REG_1_ATI, GL_REG_0_ATI, GL_SWIZZLE_STR_ATI);
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_BLUE_BIT_ATI, GL_NONE, GL_REG_2_ATI, GL_NONE,
                          GL_NONE);
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_GREEN_BIT_ATI, GL_NONE, GL_REG_1_ATI,
                          GL_NONE, GL_NONE);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 0.25f, 1, 0); /* the unit is off: black */
    glEnable(GL_TEXTURE_2D);
    draw();
    expect(4, 4, 0.25f, 1, 1);
    glDisable(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_FRAGMENT_SHADER_ATI);
}

/* Checks the interaction with ARB_shadow: a depth texture is read, not compared. */
static void test_shadow(void **state)
{
    static const float depth = 0.25f;
    glEnable(GL_FRAGMENT_SHADER_ATI);
    glEnable(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 1, 1, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 &depth);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexCoord4f(0, 0, 0, 1);
    glBeginFragmentShaderATI();
    glSampleMapATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI);
    mov(GL_REG_1_ATI, GL_REG_0_ATI);
    glEndFragmentShaderATI();
    draw();
    expect(4, 4, 0.25f, 0.25f, 0.25f);
    glDisable(GL_TEXTURE_2D);
    glDisable(GL_FRAGMENT_SHADER_ATI);
}

static void test_precedence_and_fog(void **state)
{
    static const char fp[] = "!!ARBfp1.0\nMOV result.color, {0, 1, 0, 1};\nEND";
    GLuint program = gl_test_program(NULL, "void main() { gl_FragColor = vec4(0, 0, 1, 1); }");
    glEnable(GL_FRAGMENT_SHADER_ATI);
    glBeginFragmentShaderATI();
    mov(GL_REG_0_ATI, GL_SECONDARY_INTERPOLATOR_ATI);
    glEndFragmentShaderATI();
    glColor3f(0, 1, 1);
    glSecondaryColor3f(1, 0, 0);
    glEnable(GL_COLOR_SUM); /* no effect with a shader */
    draw();
    expect(4, 4, 1, 0, 0);
    glDisable(GL_COLOR_SUM);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof fp - 1, fp);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    draw();
    expect(4, 4, 0, 1, 0);
    glUseProgram(program);
    draw();
    expect(4, 4, 0, 0, 1);
    glUseProgram(0);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    glFogfv(GL_FOG_COLOR, (float[]){0, 0, 1, 1});
    glFogCoordf(0.25f);
    glEnable(GL_FOG);
    draw();
    expect(4, 4, 0.75f, 0, 0.25f);
    glDisable(GL_FOG);
    draw();
    expect(4, 4, 1, 0, 0);
    glDisable(GL_FRAGMENT_SHADER_ATI);
    glDeleteProgram(program);
}

/* Checks that lists compile glBindFragmentShaderATI and glSetFragmentShaderConstantATI, and execute
 * all other commands at once. */
static void test_lists_and_stack(void **state)
{
    static const float red[] = {1, 0, 0, 1}, green[] = {0, 1, 0, 1};
    GLuint list = glGenLists(1);
    define_constant(1, 0);
    define_constant(2, 1);
    glSetFragmentShaderConstantATI(GL_CON_0_ATI, red);
    glSetFragmentShaderConstantATI(GL_CON_1_ATI, red);
    glPushAttrib(GL_ENABLE_BIT);
    glEnable(GL_FRAGMENT_SHADER_ATI);
    glNewList(list, GL_COMPILE);
    glBindFragmentShaderATI(1);
    glSetFragmentShaderConstantATI(GL_CON_0_ATI, green);
    glEndFragmentShaderATI();
    expect_error(GL_INVALID_OPERATION); /* a definition is already open */
    glEndList();
    draw();
    expect(4, 4, 1, 0, 0);
    glCallList(list);
    draw();
    expect(4, 4, 0, 1, 0);
    glPopAttrib();
    assert_false(glIsEnabled(GL_FRAGMENT_SHADER_ATI));
    glColor3f(0, 0, 1);
    draw();
    expect(4, 4, 0, 0, 1);
    glDeleteLists(list, 1);
    glDeleteFragmentShaderATI(1);
    glDeleteFragmentShaderATI(2);
}

static void test_errors(void **state)
{
    glPassTexCoordATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI);
    expect_error(GL_INVALID_OPERATION);
    mov(GL_REG_0_ATI, GL_ZERO);
    expect_error(GL_INVALID_OPERATION);
    glBeginFragmentShaderATI();
    glBeginFragmentShaderATI();
    expect_error(GL_INVALID_OPERATION);
    glBindFragmentShaderATI(7);
    expect_error(GL_INVALID_OPERATION);
    assert_int_equal(glGenFragmentShadersATI(1), 0);
    expect_error(GL_INVALID_OPERATION);
    glEndFragmentShaderATI(); /* no definition is open */
    expect_error(GL_INVALID_OPERATION);
    glEndFragmentShaderATI(); /* the definition was closed nevertheless */
    expect_error(GL_INVALID_OPERATION);

    glBeginFragmentShaderATI();
    static const struct {
        GLuint dst, from, swizzle;
        GLenum error;
    } routes[] = {
        {GL_CON_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI, GL_INVALID_ENUM},
        {GL_REG_5_ATI + 1, GL_TEXTURE0, GL_SWIZZLE_STR_ATI, GL_INVALID_ENUM},
        {GL_REG_0_ATI, GL_TEXTURE8, GL_SWIZZLE_STR_ATI, GL_INVALID_ENUM},
        {GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STRQ_ATI, GL_INVALID_ENUM},
        {GL_REG_0_ATI, GL_REG_1_ATI, GL_SWIZZLE_STR_ATI, GL_INVALID_OPERATION},
        {GL_REG_0_ATI, GL_TEXTURE7, GL_SWIZZLE_STR_ATI, GL_NO_ERROR},
        {GL_REG_0_ATI, GL_TEXTURE1, GL_SWIZZLE_STR_ATI, GL_INVALID_OPERATION},
        {GL_REG_1_ATI, GL_TEXTURE7, GL_SWIZZLE_STQ_DQ_ATI, GL_INVALID_OPERATION},
        {GL_REG_1_ATI, GL_TEXTURE7, GL_SWIZZLE_STR_DR_ATI, GL_NO_ERROR},
    };
    for (unsigned i = 0; i < sizeof routes / sizeof *routes; i++) {
        glSampleMapATI(routes[i].dst, routes[i].from, routes[i].swizzle);
        expect_error(routes[i].error);
    }
    static const struct {
        GLuint op, dst, mask, mod, source, rep, arg_mod;
        GLenum error;
    } ops[] = {
        {GL_ADD_ATI, GL_REG_0_ATI, 0, 0, GL_ZERO, 0, 0, GL_INVALID_ENUM},
        {GL_MOV_ATI, GL_CON_0_ATI, 0, 0, GL_ZERO, 0, 0, GL_INVALID_ENUM},
        {GL_MOV_ATI, GL_REG_0_ATI, 8, 0, GL_ZERO, 0, 0, GL_INVALID_VALUE},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 3, GL_ZERO, 0, 0, GL_INVALID_ENUM},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 0x80, GL_ZERO, 0, 0, GL_INVALID_VALUE},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 0x41, GL_TEXTURE0, 0, 0, GL_INVALID_ENUM},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 0, GL_ZERO, GL_LUMINANCE, 0, GL_INVALID_ENUM},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 0, GL_ZERO, 0, 16, GL_INVALID_VALUE},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 0, GL_SECONDARY_INTERPOLATOR_ATI, GL_ALPHA, 0,
         GL_INVALID_OPERATION},
        {GL_MOV_ATI, GL_REG_0_ATI, 0, 0x41, GL_PRIMARY_COLOR, GL_ALPHA, 15, GL_NO_ERROR},
    };
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        glColorFragmentOp1ATI(ops[i].op, ops[i].dst, ops[i].mask, ops[i].mod, ops[i].source,
                              ops[i].rep, ops[i].arg_mod);
        expect_error(ops[i].error);
    }
    glAlphaFragmentOp2ATI(GL_DOT3_ATI, GL_REG_0_ATI, 0, GL_ONE, 0, 0, GL_ONE, 0, 0);
    expect_error(GL_INVALID_OPERATION);
    glAlphaFragmentOp3ATI(GL_MAD_ATI, GL_REG_0_ATI, 0, GL_CON_0_ATI, 0, 0, GL_CON_1_ATI, 0, 0,
                          GL_CON_2_ATI, 0, 0);
    expect_error(GL_INVALID_OPERATION);
    glAlphaFragmentOp3ATI(GL_MAD_ATI, GL_REG_0_ATI, 0, GL_CON_0_ATI, 0, 0, GL_CON_1_ATI, 0, 0,
                          GL_CON_0_ATI, 0, 0);
    glColorFragmentOp2ATI(GL_DOT4_ATI, GL_REG_0_ATI, 0, 0, GL_ONE, 0, 0, GL_ONE, 0, 0);
    expect_error(GL_NO_ERROR);
    mov_alpha(GL_REG_0_ATI, GL_ZERO);
    expect_error(GL_INVALID_OPERATION);
    for (unsigned i = 0; i < 6; i++)
        mov(GL_REG_0_ATI, GL_ZERO);
    expect_error(GL_NO_ERROR);
    mov(GL_REG_0_ATI, GL_ZERO); /* a ninth pair */
    expect_error(GL_INVALID_OPERATION);
    glPassTexCoordATI(GL_REG_0_ATI, GL_REG_1_ATI, GL_SWIZZLE_STQ_ATI);
    expect_error(GL_INVALID_OPERATION);
    glPassTexCoordATI(GL_REG_0_ATI, GL_REG_1_ATI, GL_SWIZZLE_STR_ATI);
    mov(GL_REG_0_ATI, GL_PRIMARY_COLOR);
    expect_error(GL_NO_ERROR);
    glPassTexCoordATI(GL_REG_0_ATI, GL_REG_1_ATI, GL_SWIZZLE_STR_ATI); /* a third pass */
    expect_error(GL_INVALID_OPERATION);
    glEndFragmentShaderATI(); /* the first pass reads a color */
    expect_error(GL_INVALID_OPERATION);
    glEnable(GL_FRAGMENT_SHADER_ATI);
    draw();
    expect_error(GL_NO_ERROR);
    glDisable(GL_FRAGMENT_SHADER_ATI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_routing),
        cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_precedence_and_fog),
        cmocka_unit_test(test_lists_and_stack),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
