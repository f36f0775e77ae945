/* SPDX-License-Identifier: MIT */
/* Features of GLSL from 1.30 on, in a context of the latest version. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const char through[] = "#version 130\nvoid main() { gl_Position = gl_Vertex; }";

static void draw_with(GLuint program)
{
    glUseProgram(program);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1.0f, -1.0f, 1.0f, 1.0f);
}

static void finish(GLuint program)
{
    gl_test_delete_program(program);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static int count_digits(int x, int mask)
{
    unsigned seed = 3 * x; /* wraps, as in the shader */
    int count = 0;
    for (int i = 0; i < 30; i++) {
        int digit = (int)(seed & mask);
        seed = seed * 5 + 7;
        if (digit > 3) {
            count++;
            if (digit == 9)
                break;
        }
    }
    return count;
}

/* Checks a loop that pixels leave in different iterations. It shares constants, including address
 * masks, with the code after it, which writes the color. */
static void test_constants_of_loops(void **state)
{
    static const char text[] = "#version 130\n"
                               "void main() {\n"
                               "    int seed = 3 * int(gl_FragCoord.x), count = 0;\n"
                               "    for (int i = 0;; i++) {\n"
                               "        int digit = seed & %d;\n"
                               "        if (i >= 30) break;\n"
                               "        seed = seed * 5 + 7;\n"
                               "        if (digit > 3) {\n"
                               "            count++;\n"
                               "            if (digit == 9) break;\n"
                               "        }\n"
                               "    }\n"
                               "    gl_FragColor = vec4(float(count) / 30.0, 0.5, 0.0, 1.0);\n"
                               "}";
    char fs[sizeof text + 16]; /* fits any int; gcc 14 warns otherwise */
    for (int mask = 7; mask < 128; mask = 2 * mask + 1) {
        snprintf(fs, sizeof fs, text, mask);
        GLuint p = gl_test_program(through, fs);
        draw_with(p);
        for (int x = 0; x < SIZE; x++)
            expect(x, x, (float)count_digits(x, mask) / 30.0f, 0.5f, 0.0f);
        finish(p);
    }
}

/* Checks that 64-bit values reach both stages unchanged, and that queries return them as every
 * type. */
static void test_wide_uniforms(void **state)
{
    GLuint p = gl_test_program(
        "#version 400 compatibility\n#extension GL_ARB_gpu_shader_int64 : require\n"
        "uniform i64vec2 n; flat out int ok;\n"
        "void main() { ok = int(n == i64vec2(-5000000000L, 7L)); gl_Position = gl_Vertex; }",
        "#version 400 compatibility\n#extension GL_ARB_gpu_shader_int64 : require\n"
        "uniform dmat3x2 m; uniform double d[3]; uniform uint64_t u; flat in int ok;\n"
        "void main() { gl_FragColor = vec4(ok, d[2] == 1.0lf + 1e-12lf && d[1] == 0.0lf,\n"
        "                                  m[2][1] == -6.0lf && u == 0xfffffffffffffffful, 1.0); "
        "}");
    const GLdouble m[6] = {1, 3, 5, 2, 4, -6}, d[2] = {0.0, 1.0 + 1e-12};
    GLint n = glGetUniformLocation(p, "n"), u = glGetUniformLocation(p, "u"),
          d1 = glGetUniformLocation(p, "d[1]"), at = glGetUniformLocation(p, "m"), integer[2];
    GLdouble back[6];
    GLint64 wide[2];
    GLuint64 most;
    GLuint unsigned_[2];
    draw_with(p);
    glUniform2i64ARB(n, -5000000000, 7);
    glProgramUniform1ui64ARB(p, u, ~0ull);
    glUniform1dv(d1, 2, d);
    glUniformMatrix3x2dv(at, 1, GL_TRUE, m);
    draw_with(p);
    expect(8, 8, 1, 1, 1);

    glGetUniformdv(p, at, back);
    assert_true(back[0] == 1 && back[1] == 2 && back[4] == 5 && back[5] == -6);
    glGetUniformi64vARB(p, n, wide);
    assert_true(wide[0] == -5000000000 && wide[1] == 7);
    glGetUniformiv(p, n, integer);
    assert_true(integer[0] == INT32_MIN && integer[1] == 7);
    glGetUniformuiv(p, n, unsigned_);
    assert_int_equal(unsigned_[1], 7);
    glGetUniformui64vARB(p, u, &most);
    assert_true(most == ~0ull);
    glGetUniformi64vARB(p, u, wide);
    assert_true(wide[0] == INT64_MAX);
    glGetnUniformdv(p, at, sizeof back - 1, back);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);

    glUniform1f(d1, 1.0f); /* no conversion between sizes */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUniform2d(n, 1.0, 1.0);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUniform1i64ARB(u, 1);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUniformMatrix3x2fv(at, 1, GL_FALSE, (const GLfloat *)m);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    draw_with(p);
    expect(8, 8, 1, 1, 1);
    finish(p);
}

/* GLSL 1.30 §7.1: clip planes apply to gl_Position, whatever the projection is. */
static void test_clip_position(void **state)
{
    static const GLdouble right[4] = {1, 0, 0, 0};
    GLuint p = gl_test_program(through, "#version 130\nvoid main() { gl_FragColor = vec4(1.0); }");
    glMatrixMode(GL_PROJECTION);
    glTranslatef(0.5f, 0.0f, 0.0f);
    glClipPlane(GL_CLIP_PLANE0, right);
    glEnable(GL_CLIP_PLANE0);
    draw_with(p);
    expect(SIZE / 2 - 1, 8, 0, 0, 0);
    expect(SIZE / 2, 8, 1, 1, 1);
    glDisable(GL_CLIP_PLANE0);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    finish(p);
}

/* Checks ldexp and frexp, of uniforms and folded; ldexp flushes denormals. */
static void test_exponents(void **state)
{
    GLuint p = gl_test_program(
        through,
        "#version 400\nuniform vec3 x; uniform ivec3 e; ivec3 o;\n"
        "void main() { vec3 m = frexp(x, o);\n"
        "    bool same = ldexp(x, e) == vec3(12.0, 0.0, 0.0) &&\n"
        "                floatBitsToUint(ldexp(x.y, e.y)) == 0x80000000u;\n"
        "    gl_FragColor = vec4(same, m == vec3(0.75, -0.5, 0.0) && o == ivec3(2, 0, 0),\n"
        "                        ldexp(-0.5, -127) == 0.0, 1.0); }");
    glUseProgram(p);
    glUniform3f(glGetUniformLocation(p, "x"), 3.0f, -0.5f, 0.0f);
    glUniform3i(glGetUniformLocation(p, "e"), 2, -127, 5);
    draw_with(p);
    expect(8, 8, 1, 1, 1);
    finish(p);
}

/* Checks that constants are folded in the precision of the driver. */
static void test_folded_packing(void **state)
{
    GLuint p =
        gl_test_program(through, "#version 400\nuniform float x;\n"
                                 "void main() { gl_FragColor = vec4(\n"
                                 "    packUnorm2x16(vec2(0.9)) == packUnorm2x16(vec2(x)),\n"
                                 "    packUnorm4x8(vec4(0.9)) == packUnorm4x8(vec4(x)),\n"
                                 "    packSnorm4x8(vec4(-0.9)) == packSnorm4x8(vec4(-x)), 1.0); }");
    glUseProgram(p);
    glUniform1f(glGetUniformLocation(p, "x"), 0.9f);
    draw_with(p);
    expect(8, 8, 1, 1, 1);
    finish(p);
}

/* GL 4.6 §7.6: values for the location of an inactive uniform are ignored. */
static void test_inactive_location(void **state)
{
    GLuint p = gl_test_program(
        through,
        "#version 430 compatibility\nlayout(location = 3) uniform float used;\n"
        "layout(location = 1) uniform float unused; layout(location = 7) uniform vec4 last;\n"
        "void main() { gl_FragColor = vec4(used); }");
    GLfloat value;
    glUseProgram(p);
    glUniform1f(3, 1.0f);
    glUniform1f(1, 0.5f);
    glUniform4f(7, 0.0f, 0.0f, 0.0f, 0.0f);
    draw_with(p);
    expect(8, 8, 1, 1, 1);
    glUniform1f(2, 0.5f);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUniform1f(8, 0.5f);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glGetUniformfv(p, 7, &value);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    finish(p);
}

/* Checks that members of arrays of blocks have consecutive locations, from the block's location
 * on. */
static void test_block_arrays(void **state)
{
    static const char layouts[3][30] = {"layout(location = 0)", "layout(location = 3)", ""};
    static const char members[] = "Block { vec4 a; vec2 b[2]; float c; } name[2];\n";
    for (unsigned i = 0; i < 3; i++) {
        char out[200], in[200], vs[1000], fs[1000];
        snprintf(out, sizeof out, "%s out %s", layouts[i], members);
        snprintf(in, sizeof in, "%s in %s", layouts[i], members);
        snprintf(vs, sizeof vs,
                 "#version 440 compatibility\n%s"
                 "void main() {\n"
                 "  for (int i = 0; i < 2; i++) {\n"
                 "    name[i].a = vec4(1, 2, 3, 4) + i * 10; name[i].b[0] = vec2(5, 6) + i * 10;\n"
                 "    name[i].b[1] = vec2(7, 8) + i * 10; name[i].c = 9 + i * 10;\n"
                 "  }\n"
                 "  gl_Position = gl_Vertex;\n"
                 "}\n",
                 out);
        snprintf(
            fs, sizeof fs,
            "#version 440 compatibility\n%s"
            "void main() {\n"
            "  gl_FragColor = vec4(name[0].a == vec4(1, 2, 3, 4) && name[0].c == 9 &&\n"
            "                          name[0].b[0] == vec2(5, 6) && name[0].b[1] == vec2(7, 8),\n"
            "                      name[1].a == vec4(11, 12, 13, 14) && name[1].c == 19,\n"
            "                      name[1].b[0] == vec2(15, 16) && name[1].b[1] == vec2(17, 18),\n"
            "                      1);\n"
            "}\n",
            in);
        GLuint p = gl_test_program(vs, fs);
        draw_with(p);
        expect(8, 8, 1, 1, 1);
        finish(p);
    }
}

/* GL 4.6 §7.3.1.1: "[0]" is appended to names of inputs and not truncated, even after the longest
 * identifier. */
static void test_long_name(void **state)
{
    enum { LONGEST = 1024 };
    static char text[2 * LONGEST + 200], identifier[LONGEST + 1], name[LONGEST + 20];
    GLint length = 0;
    memset(identifier, 'a', LONGEST);
    snprintf(text, sizeof text,
             "#version 150\nin float %s[2]; void main() { gl_Position = vec4(%s[1]); }\n",
             identifier, identifier);
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, text);
    gl_test_link(p);
    GLuint index = glGetProgramResourceIndex(p, GL_PROGRAM_INPUT, identifier);
    glGetProgramResourceName(p, GL_PROGRAM_INPUT, index, sizeof name, &length, name);
    assert_int_equal(length, LONGEST + 3);
    assert_memory_equal(name, identifier, LONGEST);
    assert_string_equal(name + LONGEST, "[0]");
    /* The name is truncated to the buffer. */
    glGetProgramResourceName(p, GL_PROGRAM_INPUT, index, LONGEST + 3, &length, name);
    assert_int_equal(length, LONGEST + 2);
    assert_string_equal(name + LONGEST, "[0");
    glGetProgramResourceName(p, GL_PROGRAM_INPUT, index, 1, &length, name);
    assert_int_equal(length, 0);
    assert_string_equal(name, "");
    expect_error(GL_NO_ERROR);
    glDeleteProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_arrays),   cmocka_unit_test(test_wide_uniforms),
        cmocka_unit_test(test_clip_position),  cmocka_unit_test(test_exponents),
        cmocka_unit_test(test_folded_packing), cmocka_unit_test(test_inactive_location),
        cmocka_unit_test(test_long_name),      cmocka_unit_test(test_constants_of_loops),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
