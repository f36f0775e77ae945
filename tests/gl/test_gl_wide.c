/* SPDX-License-Identifier: MIT */
/* Doubles in the pipeline: attributes, varyings, transform feedback. */
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

static void run(GLuint p, const GLdouble three[3], GLenum mode)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, VERTICES * CAPTURED * sizeof(GLdouble), NULL,
                 GL_STATIC_READ);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribLPointer(1, 4, GL_DOUBLE, 0, arrays);
    glEnableVertexAttribArray(1);
    glUseProgram(p);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(mode);
    glDrawArrays(GL_TRIANGLES, 0, VERTICES);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
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
        run(p, current, geometry ? GL_POINTS : GL_TRIANGLES);
        gl_test_delete_program(p);
    }
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
    run(p, current, GL_TRIANGLES);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_current),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
