/* SPDX-License-Identifier: MIT */
/*
 * Program binaries: loading restores the linked program; any other bytes give an unlinked program.
 * On the CPU driver.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

#define SIZE 8

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

struct binary {
    GLenum format;
    GLsizei size;
    uint8_t *data;
};

static struct binary get_binary(GLuint program)
{
    struct binary b = {0};
    GLint length = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &length);
    assert_true(length > 0);
    b.data = malloc((size_t)length);
    glGetProgramBinary(program, length - 1, &b.size, &b.format, b.data);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    assert_int_equal(b.size, 0);
    glGetProgramBinary(program, length, &b.size, &b.format, b.data);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(b.size, length);
    return b;
}

static bool load(GLuint program, GLenum format, const void *data, size_t size)
{
    GLint linked;
    glProgramBinary(program, format, data, (GLsizei)size);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked;
}

#define V430 "#version 430 compatibility\n"

/* Returns a program with many kinds of resources. */
static GLuint make_program(void)
{
    static const char *const varyings[] = {"gl_Position", "gl_SkipComponents2", "c"};
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER,
                   V430
                   "in vec4 weight; out vec4 c; uniform vec4 tint = vec4(0.0, 0.5, 0.0, 1.0);"
                   "struct S { vec2 a; mat3 m; }; uniform S s[2];"
                   "subroutine vec4 kind(vec4 v); subroutine(kind) vec4 same(vec4 v) { return v; }"
                   "subroutine(kind) vec4 half_of(vec4 v) { return v * 0.5; }"
                   "subroutine uniform kind f;"
                   "void main() { c = f(tint + vec4(s[1].a, 0.0, 0.0) + weight);"
                   "gl_Position = gl_Vertex; }\n");
    gl_test_attach(
        p, GL_FRAGMENT_SHADER,
        V430 "in vec4 c; uniform sampler2D image[2]; layout(std140, binding = 1) uniform B"
             "{ float k[3]; vec4 more; } b; layout(std430, binding = 2) buffer W { uint n[]; };"
             "layout(binding = 0) uniform atomic_uint count;"
             "layout(location = 0) out vec4 o;"
             "void main() { o = c + texture(image[1], c.xy) * b.more;"
             "if (b.k[2] > 5.0) { n[3] = atomicCounterIncrement(count); } }\n");
    glBindAttribLocation(p, 5, "weight");
    glTransformFeedbackVaryings(p, 3, varyings, GL_INTERLEAVED_ATTRIBS);
    gl_test_link(p);
    return p;
}

static void draw(GLuint p)
{
    glUseProgram(p);
    glVertexAttrib4f(5, 0.25f, 0, 0, 0);
    glUniform2f(glGetUniformLocation(p, "s[1].a"), 0, 0.25f);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    glUseProgram(0);
}

/* Checks that names, types and locations of all resources of two programs agree. */
static void expect_same_interface(GLuint a, GLuint b)
{
    static const GLenum interfaces[] = {GL_UNIFORM,
                                        GL_UNIFORM_BLOCK,
                                        GL_ATOMIC_COUNTER_BUFFER,
                                        GL_PROGRAM_INPUT,
                                        GL_PROGRAM_OUTPUT,
                                        GL_SHADER_STORAGE_BLOCK,
                                        GL_BUFFER_VARIABLE,
                                        GL_VERTEX_SUBROUTINE,
                                        GL_VERTEX_SUBROUTINE_UNIFORM,
                                        GL_TRANSFORM_FEEDBACK_VARYING};
    static const GLenum properties[] = {GL_TYPE, GL_ARRAY_SIZE, GL_OFFSET, GL_BLOCK_INDEX,
                                        GL_LOCATION};
    for (unsigned i = 0; i < sizeof interfaces / sizeof *interfaces; i++) {
        GLint count[2];
        glGetProgramInterfaceiv(a, interfaces[i], GL_ACTIVE_RESOURCES, &count[0]);
        glGetProgramInterfaceiv(b, interfaces[i], GL_ACTIVE_RESOURCES, &count[1]);
        assert_int_equal(count[0], count[1]);
        assert_true(count[0] > 0);
        for (GLint r = 0; r < count[0]; r++) {
            char name[2][64] = {"", ""};
            GLint value[2][5] = {{0}};
            GLuint p[2] = {a, b};
            for (unsigned k = 0; k < 2; k++) {
                if (interfaces[i] != GL_ATOMIC_COUNTER_BUFFER)
                    glGetProgramResourceName(p[k], interfaces[i], (GLuint)r, 64, NULL, name[k]);
                if (interfaces[i] == GL_UNIFORM)
                    glGetProgramResourceiv(p[k], interfaces[i], (GLuint)r, 5, properties, 5, NULL,
                                           value[k]);
            }
            assert_string_equal(name[0], name[1]);
            assert_memory_equal(value[0], value[1], sizeof value[0]);
        }
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_round_trip(void **state)
{
    GLuint p = make_program(), q = glCreateProgram();
    GLint formats = 0, format = 0, mode = 0;
    glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    assert_int_equal(formats, 1);
    glGetIntegerv(GL_PROGRAM_BINARY_FORMATS, &format);
    draw(p); /* the binary has no uniform values */
    expect(3, 3, 0.25f, 0.75f, 0);
    struct binary b = get_binary(p);
    assert_int_equal(b.format, format);
    assert_true(load(q, b.format, b.data, (size_t)b.size));
    expect_same_interface(p, q);
    assert_int_equal(glGetAttribLocation(q, "weight"), 5);
    glGetProgramiv(q, GL_TRANSFORM_FEEDBACK_BUFFER_MODE, &mode);
    assert_int_equal(mode, GL_INTERLEAVED_ATTRIBS);
    draw(q);
    expect(3, 3, 0.25f, 0.75f, 0);

    /* The loaded program gives the same binary. */
    struct binary c = get_binary(q);
    assert_int_equal(b.size, c.size);
    assert_memory_equal(b.data, c.data, (size_t)b.size);
    free(b.data);
    free(c.data);
    glDeleteProgram(p);
    glDeleteProgram(q);
}

static void test_damage(void **state)
{
    GLuint p = make_program(), q = glCreateProgram();
    struct binary b = get_binary(p);
    size_t size = (size_t)b.size;
    char log[100] = "";
    assert_false(load(q, b.format, b.data, 0));
    for (size_t n = 1; n < size; n += 1 + n / 7)
        assert_false(load(q, b.format, b.data, n));
    for (size_t i = 0; i < size; i += 1 + i / 50) {
        b.data[i] ^= 0x11;
        assert_false(load(q, b.format, b.data, size));
        b.data[i] ^= 0x11;
    }
    glGetProgramInfoLog(q, sizeof log, NULL, log);
    assert_true(log[0]);
    glUseProgram(q);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    assert_true(load(q, b.format, b.data, size));
    glProgramBinary(q, GL_RGBA, b.data, b.size);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glProgramBinary(q, b.format, b.data, -1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glProgramBinary(12345, b.format, b.data, b.size);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    draw(q); /* errors changed nothing */
    expect(3, 3, 0.25f, 0.75f, 0);
    /* Loading a binary into the current program doesn't affect draws until it is used again. */
    glUseProgram(q);
    assert_false(load(q, b.format, b.data, 10));
    glUseProgram(0);
    free(b.data);
    glDeleteProgram(p);
    glDeleteProgram(q);
}

static void test_stages(void **state)
{
    static const GLenum types[] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER,
                                   GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                   GL_FRAGMENT_SHADER};
    static const char *const texts[] = {
        V430 "void main() { gl_Position = gl_Vertex; }\n",
        V430 "layout(vertices = 3) out; patch out vec4 color; void main() {"
             "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
             "color = vec4(0.0, 1.0, 0.5, 1.0); gl_TessLevelInner[0] = 2.0;"
             "for (int i = 0; i < 3; i++) gl_TessLevelOuter[i] = 2.0; }\n",
        V430 "layout(triangles) in; patch in vec4 color; out vec4 c; void main() { c = color;"
             "gl_Position = mat3x4(gl_in[0].gl_Position, gl_in[1].gl_Position,"
             "gl_in[2].gl_Position) * gl_TessCoord; }\n",
        V430 "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in vec4 c[];"
             "out vec4 d; void main() { for (int i = 0; i < 3; i++) { d = c[i];"
             "gl_Position = gl_in[i].gl_Position; EmitVertex(); } }\n",
        V430 "in vec4 d; void main() { gl_FragColor = d; }\n",
    };
    GLuint p = glCreateProgram(), q = glCreateProgram();
    for (unsigned i = 0; i < 5; i++)
        gl_test_attach(p, types[i], texts[i]);
    gl_test_link(p);
    struct binary b = get_binary(p);
    assert_true(load(q, b.format, b.data, (size_t)b.size));
    glUseProgram(q);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_PATCHES);
    glVertex2f(-1, -1);
    glVertex2f(3, -1);
    glVertex2f(-1, 3);
    glEnd();
    expect(4, 4, 0, 1, 0.5f);
    glUseProgram(0);
    free(b.data);
    glDeleteProgram(p);
    glDeleteProgram(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
