/* SPDX-License-Identifier: MIT */
/* Doubles in the pipeline: attributes, varyings, transform feedback; queries of 64-bit uniforms. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {32, 32};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

#define VERTICES 3
#define CAPTURED 6 /* doubles per vertex */

/* Not representable as floats, so that a conversion shows. */
static const GLdouble arrays[VERTICES][4] = {
    {0.1, 1e300, -1.0 / 3.0, 7.0}, {1e-300, 2.5, 3.0000000001, -0.0}, {4.1, 5.1, 6.1, 7.1}};
static const GLdouble current[3] = {1.0 / 7.0, -1e200, 123456789.123456789};

static const char vertex_text[] =
    "#version 150\n#extension GL_ARB_gpu_shader_fp64 : require\n"
    "#extension GL_ARB_vertex_attrib_64bit : require\n"
    "in dvec4 four; in dvec3 three; out dvec3 TO_three; out dvec3 TO_last;\n"
    "void main() {\n"
    "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
    "    TO_three = three + four.xyz; TO_last = dvec3(four.w, three.z, four.y);\n"
    "}\n";

static const char geometry_text[] =
    "#version 150\n#extension GL_ARB_gpu_shader_fp64 : require\n"
    "layout(triangles) in; layout(points, max_vertices = 3) out;\n"
    "in dvec3 gs_three[]; in dvec3 gs_last[]; flat out dvec3 fs_three; flat out dvec3 fs_last;\n"
    "void main() {\n"
    "    for (int i = 0; i < 3; i++) {\n"
    "        fs_three = gs_three[i]; fs_last = gs_last[i]; gl_Position = gl_in[i].gl_Position;\n"
    "        EmitVertex(); EndPrimitive();\n"
    "    }\n"
    "}\n";

static GLuint compile(GLuint program, GLenum type, const char *text, const char *to)
{
    char define[64], body[2048];
    const char *line = strstr(text, "in d"), *parts[3];
    snprintf(body, sizeof body, "%.*s", (int)(line - text), text);
    snprintf(define, sizeof define, "#define TO_three %s_three\n#define TO_last %s_last\n", to, to);
    parts[0] = body, parts[1] = define, parts[2] = line;
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 3, parts, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    return shader;
}

static GLuint capturing_program(bool geometry)
{
    static const char *const names[] = {"fs_three", "fs_last"};
    GLuint p = glCreateProgram();
    compile(p, GL_VERTEX_SHADER, vertex_text, geometry ? "gs" : "fs");
    if (geometry)
        gl_test_attach(p, GL_GEOMETRY_SHADER, geometry_text);
    glBindAttribLocation(p, 1, "four");
    glBindAttribLocation(p, 2, "three");
    glTransformFeedbackVaryings(p, 2, names, GL_INTERLEAVED_ATTRIBS);
    gl_test_link(p);
    return p;
}

static void expect_captured(GLuint buffer, const GLdouble three[3])
{
    GLdouble got[VERTICES][CAPTURED];
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof got, got);
    for (unsigned i = 0; i < VERTICES; i++) {
        const GLdouble last[3] = {arrays[i][3], three[2], arrays[i][1]};
        for (unsigned c = 0; c < 3; c++) {
            GLdouble sum = three[c] + arrays[i][c];
            assert_memory_equal(&got[i][c], &sum, sizeof sum);
            assert_memory_equal(&got[i][3 + c], &last[c], sizeof last[c]);
        }
    }
}

/* Ways to specify the vertices. In LATE, the first one has the current value of attribute 1. */
enum way { ARRAYS, IMMEDIATE, LATE, ELEMENTS, WAYS };

static void draw(enum way way)
{
    if (way == ARRAYS) {
        glDrawArrays(GL_TRIANGLES, 0, VERTICES);
        return;
    }
    if (way == LATE)
        glVertexAttribL4dv(1, arrays[0]);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < VERTICES; i++) {
        if (way == ELEMENTS) {
            glArrayElement((GLint)i);
            continue;
        }
        if (way == IMMEDIATE || i)
            glVertexAttribL4dv(1, arrays[i]);
        glVertexAttribL2d(0, 0.5, 0.5);
    }
    glEnd();
}

static void run(GLuint p, const GLdouble three[3], GLenum mode, enum way way, GLuint list)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, VERTICES * CAPTURED * sizeof(GLdouble), NULL,
                 GL_STATIC_READ);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    for (GLuint i = 0; i < 2; i++) {
        glVertexAttribLPointer(i, 4, GL_DOUBLE, 0, arrays);
        glEnableVertexAttribArray(i);
    }
    glUseProgram(p);
    if (list) {
        glNewList(list, GL_COMPILE);
        draw(way);
        glEndList();
    }
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(mode);
    if (list)
        glCallList(list);
    else
        draw(way);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glDisableVertexAttribArray(0);
    glDisableVertexAttribArray(1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    expect_captured(buffer, three);
    glDeleteBuffers(1, &buffer);
}

static void test_pipeline(void **state)
{
    for (unsigned geometry = 0; geometry < 2; geometry++) {
        GLuint p = capturing_program(geometry);
        glVertexAttribL3dv(2, current);
        run(p, current, geometry ? GL_POINTS : GL_TRIANGLES, ARRAYS, 0);
        gl_test_delete_program(p);
    }
}

/* Vertices between glBegin and glEnd and in lists keep doubles (GL 4.6 compatibility §10.2.1,
 * §10.7.4), and so do current values. */
static void test_vertices(void **state)
{
    static const GLfloat mark[4] = {1, 2, 3, 4};
    GLuint p = capturing_program(false), list = glGenLists(1);
    GLdouble v[4];
    for (unsigned way = ARRAYS; way < WAYS; way++) {
        for (unsigned listed = 0; listed < 2; listed++) {
            glVertexAttrib4fv(1, mark);
            glVertexAttribL3dv(2, current);
            run(p, current, GL_TRIANGLES, way, listed ? list : 0);
            glGetVertexAttribLdv(1, GL_CURRENT_VERTEX_ATTRIB, v);
            if (way != ARRAYS)
                assert_memory_equal(v, arrays[VERTICES - 1], sizeof v);
            glGetVertexAttribLdv(2, GL_CURRENT_VERTEX_ATTRIB, v);
            assert_memory_equal(v, current, sizeof current);
        }
    }
    glVertexAttrib4f(1, 0, 0, 0, 1);
    gl_test_delete_program(p);
    glDeleteLists(list, 1);
}

/* Attributes may change between floats and doubles within a primitive. */
static void test_changed_types(void **state)
{
    GLdouble v[4];
    glBegin(GL_POINTS);
    glVertexAttrib2f(3, 0.5f, 2);
    glVertex2f(0, 0);
    glVertexAttribL1d(3, 0.1);
    glVertex2f(0, 0);
    glVertexAttrib1f(3, 0.25f);
    glVertexAttribL4dv(3, arrays[2]);
    glVertexAttribL4dv(0, arrays[2]);
    glVertex2f(0, 0);
    glEnd();
    glGetVertexAttribLdv(3, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_memory_equal(v, arrays[2], sizeof v);
    glVertexAttribL1d(3, 0.1);
    glVertexAttrib2f(3, 0.5f, 2);
    glGetVertexAttribLdv(3, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_true(v[0] == 0.5 && v[1] == 2.0 && v[3] == 1.0);
    glVertexAttrib4f(3, 0, 0, 0, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that a list stores the values, and that other commands for the attribute replace them. */
static void test_current(void **state)
{
    GLdouble v[4];
    GLfloat f[4];
    GLuint list = glGenLists(1), p = capturing_program(false);
    glNewList(list, GL_COMPILE);
    glVertexAttribL3dv(2, current);
    glEndList();
    glVertexAttribL1d(2, 0.1);
    glGetVertexAttribLdv(2, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_true(v[0] == 0.1 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 1.0);
    glCallList(list);
    glGetVertexAttribLdv(2, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_memory_equal(v, current, sizeof current);
    run(p, current, GL_TRIANGLES, ARRAYS, 0);
    glVertexAttrib2f(2, 0.5f, 2.0f);
    glGetVertexAttribLdv(2, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_true(v[0] == 0.5 && v[1] == 2.0 && v[3] == 1.0);
    glVertexAttribL2d(2, 0.25, 4.0);
    glGetVertexAttribfv(2, GL_CURRENT_VERTEX_ATTRIB, f);
    assert_true(f[0] == 0.25f && f[1] == 4.0f && f[3] == 1.0f);
    gl_test_delete_program(p);
    glDeleteLists(list, 1);
}

static void test_errors(void **state)
{
    GLint n, is_long;
    glGetIntegerv(GL_MAX_VERTEX_ATTRIBS, &n);
    glVertexAttribL1d(n, 1.0);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glVertexAttribLPointer(n, 1, GL_DOUBLE, 0, arrays);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glVertexAttribLPointer(1, 5, GL_DOUBLE, 0, arrays);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glVertexAttribLPointer(1, 4, GL_FLOAT, 0, arrays);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glVertexAttribLPointer(1, 4, GL_DOUBLE, 0, arrays);
    glGetVertexAttribiv(1, GL_VERTEX_ATTRIB_ARRAY_LONG, &is_long);
    assert_int_equal(is_long, 1);
    glVertexAttribPointer(1, 4, GL_DOUBLE, GL_FALSE, 0, arrays);
    glGetVertexAttribiv(1, GL_VERTEX_ATTRIB_ARRAY_LONG, &is_long);
    assert_int_equal(is_long, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* GL 4.6 §2.2.2: queries round to the nearest value, and clamp to what the type can represent. */
static void test_uniform_conversions(void **state)
{
    static const struct {
        double value;
        GLint i;
        GLuint u;
        GLint64 i64;
        GLuint64 u64;
    } rows[] = {
        {0.0, 0, 0, 0, 0},
        {-0.4, 0, 0, 0, 0},
        {1.5, 2, 2, 2, 2},
        {-3.75, -4, 0, -4, 0},
        {-41, -41, 0, -41, 0},
        {3e9, INT32_MAX, 3000000000u, 3000000000, 3000000000},
        {-3e9, INT32_MIN, 0, -3000000000, 0},
        {1e19, INT32_MAX, UINT32_MAX, INT64_MAX, 10000000000000000000u},
        {5e20, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX},
        {-5e20, INT32_MIN, 0, INT64_MIN, 0},
        {INFINITY, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX},
        {-INFINITY, INT32_MIN, 0, INT64_MIN, 0},
        {NAN, 0, 0, 0, 0},
    };
    GLuint p = gl_test_program(
        "#version 430 compatibility\n#extension GL_ARB_gpu_shader_int64 : require\n"
        "layout(location = 0) uniform float f; layout(location = 1) uniform double d;\n"
        "layout(location = 2) uniform int i; layout(location = 3) uniform uint u;\n"
        "layout(location = 4) uniform int64_t q; layout(location = 5) uniform uint64_t r;\n"
        "layout(location = 6) uniform bool b; layout(location = 7) uniform sampler2D s;\n"
        "void main() { gl_Position = vec4(f + float(d) + float(i) + float(u) + float(q) +\n"
        "float(r) + float(b)) + texture(s, vec2(0)); }",
        NULL);
    glUseProgram(p);
    /* For each uniform type, the expected results are those of its value as a number. */
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        double x = rows[k].value;
        bool whole = x == trunc(x);
        glUniform1f(0, (float)x);
        glUniform1d(1, x);
        glUniform1i(2, x > -2147483649.0 && x < 2147483648.0 && whole ? (GLint)x : 0);
        glUniform1ui(3, x >= 0 && x < 4294967296.0 && whole ? (GLuint)x : 0);
        glUniform1i64ARB(4, fabs(x) < 9e18 && whole ? (GLint64)x : 0);
        glUniform1ui64ARB(5, x >= 0 && x < 1.8e19 && whole ? (GLuint64)x : 0);
        for (GLint location = 0; location < 6; location++) {
            GLdouble stored;
            GLint i;
            GLuint u;
            GLint64 i64;
            GLuint64 u64;
            glGetUniformdv(p, location, &stored);
            glGetUniformiv(p, location, &i);
            glGetUniformuiv(p, location, &u);
            glGetUniformi64vARB(p, location, &i64);
            glGetUniformui64vARB(p, location, &u64);
            if (stored != x && !(isnan(x) && isnan(stored)))
                continue; /* the type can't represent the value */
            if (i != rows[k].i || u != rows[k].u || i64 != rows[k].i64 || u64 != rows[k].u64)
                fail_msg("%g at location %d reads %d, %u, %lld, %llu", x, location, i, u,
                         (long long)i64, (unsigned long long)u64);
        }
    }
    GLfloat f;
    GLuint u;
    GLint i;
    glUniform1ui(3, UINT32_MAX);
    glGetUniformiv(p, 3, &i);
    assert_int_equal(i, INT32_MAX);
    glUniform1i64ARB(4, -7);
    glGetUniformfv(p, 4, &f);
    assert_true(f == -7.0f);
    glUniform1i64ARB(4, INT64_C(1) << 32);
    glGetUniformuiv(p, 4, &u);
    assert_int_equal(u, UINT32_MAX);
    glUniform1i(6, -3);
    glGetUniformuiv(p, 6, &u);
    assert_int_equal(u, 1);
    glUniform1i(7, 5);
    glGetUniformfv(p, 7, &f);
    assert_true(f == 5.0f);
    glUniform1d(1, 0.49999999999999994); /* the largest double below 1/2 */
    glGetUniformiv(p, 1, &i);
    assert_int_equal(i, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipeline),      cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_changed_types), cmocka_unit_test(test_current),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_uniform_conversions),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
