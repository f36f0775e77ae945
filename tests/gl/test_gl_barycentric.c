/* SPDX-License-Identifier: MIT */
/* NV_fragment_shader_barycentric. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 64 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    const int result = gl_test_setup(state, GL_API_COMPAT, &window);
    if (!result &&
        !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_NV_fragment_shader_barycentric"))
        exit(77); /* skipped */
    return result;
}

#define VERTEX                                                                                     \
    "#version 450\n"                                                                               \
    "layout(location = 0) in vec4 position;\n"                                                     \
    "layout(location = 1) in vec4 value;\n"                                                        \
    "out vec4 v;\n"                                                                                \
    "flat out int number;\n"                                                                       \
    "out Block { vec2 pair[2]; vec4 other; } block;\n"                                             \
    "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; };\n"      \
    "void main() {\n"                                                                              \
    "    gl_Position = position; gl_PointSize = 9.0; gl_ClipDistance[0] = position.x;\n"           \
    "    v = value; number = gl_VertexID;\n"                                                       \
    "    block.pair[0] = value.xy; block.pair[1] = value.zw; block.other = value.wzyx;\n"          \
    "}"
#define FRAGMENT(body)                                                                             \
    "#version 450\n"                                                                               \
    "#extension GL_NV_fragment_shader_barycentric: require\n"                                      \
    "pervertexNV in vec4 v[];\n"                                                                   \
    "pervertexNV in int number[3];\n"                                                              \
    "in pervertexNV Block { vec2 pair[2]; vec4 other; } block[];\n"                                \
    "out vec4 color;\n"                                                                            \
    "uniform int index;\n" body
/* The numbers of the vertices in sixteenths. */
#define NUMBERS                                                                                    \
    FRAGMENT("void main() { color = vec4(number[0], number[1], number[2], 16) / 16.0; }")

static float positions[16][4];
static float values[16][4];

static void vertex(unsigned i, float x, float y, float z, float w)
{
    const float p[4] = {x * w, y * w, z * w, w};
    memcpy(positions[i], p, sizeof p);
    for (unsigned c = 0; c < 4; c++)
        values[i][c] = (float)((i * 7 + c * 5) % 11) / 11.0f;
}

static void draw(GLenum mode, unsigned first, unsigned count)
{
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, positions);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, values);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(mode, (int)first, (int)count);
}

static void expect_numbers(int x, int y, unsigned a, unsigned b, unsigned c)
{
    expect(x, y, (float)a / 16, (float)b / 16, (float)c / 16);
}

static GLuint use(const char *gs, const char *fs)
{
    const GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER, VERTEX);
    gl_test_attach(program, GL_GEOMETRY_SHADER, gs);
    gl_test_attach(program, GL_FRAGMENT_SHADER, fs);
    gl_test_use(program);
    return program;
}

/* A strip of four triangles with an eighth of the width each, whose even vertices are at the
 * bottom. */
static void strip_vertices(void)
{
    for (unsigned i = 0; i < 6; i++)
        vertex(i, -1 + (float)i / 4, i & 1 ? 1 : -1, 0, 1);
}

/* Tables X.1 and X.2. */
static void test_orders(void **state)
{
    const GLuint program = use(NULL, NUMBERS);
    for (unsigned last = 0; last < 2; last++) {
        glProvokingVertex(last ? GL_LAST_VERTEX_CONVENTION : GL_FIRST_VERTEX_CONVENTION);
        strip_vertices();
        draw(GL_TRIANGLES, 0, 3);
        expect_numbers(8, 32, 0, 1, 2);
        draw(GL_TRIANGLES, 1, 3);
        expect_numbers(16, 32, 1, 2, 3);
        draw(GL_TRIANGLE_STRIP, 0, 6);
        expect_numbers(8, 32, 0, 1, 2);
        if (last)
            expect_numbers(16, 32, 2, 1, 3);
        else
            expect_numbers(16, 32, 1, 3, 2);
        expect_numbers(24, 32, 2, 3, 4);
        if (last)
            expect_numbers(32, 32, 4, 3, 5);
        else
            expect_numbers(32, 32, 3, 5, 4);
        /* a fan around the lower left corner */
        vertex(0, -1, -1, 0, 1);
        vertex(1, 1, -1, 0, 1);
        vertex(2, 1, 1, 0, 1);
        vertex(3, -1, 1, 0, 1);
        draw(GL_TRIANGLE_FAN, 0, 4);
        if (last) {
            expect_numbers(48, 16, 0, 1, 2);
            expect_numbers(16, 48, 0, 2, 3);
        } else {
            expect_numbers(48, 16, 1, 2, 0);
            expect_numbers(16, 48, 2, 3, 0);
        }
        draw(GL_POLYGON, 0, 4);
        expect_numbers(48, 16, 0, 1, 2);
        expect_numbers(16, 48, 0, 2, 3);
        glPointSize(9);
        draw(GL_POINTS, 3, 1);
        expect_numbers(1, 62, 3, 3, 3);
        vertex(0, -0.75f, 0, 0, 1);
        vertex(1, 0, 0.01f, 0, 1);
        vertex(2, 0.75f, 0, 0, 1);
        glLineWidth(4);
        draw(GL_LINE_STRIP, 0, 3);
        expect_numbers(16, 32, 0, 1, 1);
        expect_numbers(48, 32, 1, 2, 2);
        vertex(2, 0, 0.75f, 0, 1);
        draw(GL_LINE_LOOP, 0, 3);
        expect_numbers(20, 44, 2, 0, 0);
        vertex(0, -1, 0.9f, 0, 1);
        vertex(1, -0.75f, 0, 0, 1);
        vertex(2, 0.75f, 0, 0, 1);
        vertex(3, 1, 0.9f, 0, 1);
        draw(GL_LINES_ADJACENCY, 0, 4);
        expect_numbers(32, 32, 1, 2, 2);
        glLineWidth(1);
        /* adjacent vertices of a strip are ignored */
        for (unsigned i = 0; i < 10; i++)
            vertex(i, -1 + (float)(i / 2) / 4, i / 2 & 1 ? 1 : -1, 0, 1);
        draw(GL_TRIANGLE_STRIP_ADJACENCY, 0, 8);
        expect_numbers(8, 32, 0, 2, 4);
        if (last)
            expect_numbers(16, 32, 4, 2, 6);
        else
            expect_numbers(16, 32, 2, 6, 4);
    }
    gl_test_delete_program(program);
}

/* Strips of a geometry shader. */
static void test_geometry(void **state)
{
    static const char gs[] =
        "#version 450\n"
        "layout(points) in;\n"
        "layout(triangle_strip, max_vertices = 6) out;\n"
        "out vec4 v;\n"
        "flat out int number;\n"
        "out Block { vec2 pair[2]; vec4 other; } block;\n"
        "void main() {\n"
        "    for (int i = 0; i < 6; i++) {\n"
        "        gl_Position = vec4(-1.0 + float(i) / 4.0, (i & 1) != 0 ? 1.0 : -1.0, 0.0, 1.0);\n"
        "        v = vec4(0); number = i; block.pair[0] = block.pair[1] = vec2(0);\n"
        "        block.other = vec4(0); EmitVertex();\n"
        "    }\n"
        "}";
    const GLuint program = use(gs, NUMBERS);
    for (unsigned last = 0; last < 2; last++) {
        glProvokingVertex(last ? GL_LAST_VERTEX_CONVENTION : GL_FIRST_VERTEX_CONVENTION);
        draw(GL_POINTS, 0, 1);
        expect_numbers(8, 32, 0, 1, 2);
        if (last)
            expect_numbers(16, 32, 2, 1, 3);
        else
            expect_numbers(16, 32, 1, 3, 2);
        expect_numbers(24, 32, 2, 3, 4);
    }
    gl_test_delete_program(program);
}

/* The weighted sum of the vertices' values equals the interpolated value, with and without
 * perspective, and for clipped primitives. Draws the difference from an interpolated varying. */
static void check_sums(GLenum mode, unsigned count)
{
    static const char *const bodies[] = {
        "layout(location = 3) in vec4 smooth_value;\n"
        "void main() {\n"
        "    vec3 b = gl_BaryCoordNV;\n"
        "    vec4 sum = b.x * v[0] + b.y * v[1] + b.z * v[2];\n"
        "    color = vec4(distance(sum, smooth_value) < 0.002, abs(b.x + b.y + b.z - 1.0) < 1e-4,\n"
        "                 1.0, 1.0);\n"
        "}",
        "layout(location = 4) noperspective in vec4 linear_value;\n"
        "void main() {\n"
        "    vec3 b = gl_BaryCoordNoPerspNV;\n"
        "    vec4 sum = b.x * v[0] + b.y * v[1] + b.z * v[2];\n"
        "    color = vec4(distance(sum, linear_value) < 0.002, abs(b.x + b.y + b.z - 1.0) < 1e-4,\n"
        "                 1.0, 1.0);\n"
        "}",
        "layout(location = 3) in vec4 smooth_value;\n"
        "void main() {\n"
        "    vec3 b = interpolateAtOffset(gl_BaryCoordNV, vec2(0.25, -0.125));\n"
        "    vec4 want = interpolateAtOffset(smooth_value, vec2(0.25, -0.125));\n"
        "    vec4 sum = b.x * v[0] + b.y * v[1] + b.z * v[2];\n"
        "    color = vec4(distance(sum, want) < 0.002, 1.0, 1.0, 1.0);\n"
        "}",
    };
    static const char vs[] =
        "#version 450\n"
        "layout(location = 0) in vec4 position;\n"
        "layout(location = 1) in vec4 value;\n"
        "layout(location = 2) out vec4 v;\n"
        "layout(location = 3) out vec4 smooth_value;\n"
        "layout(location = 4) noperspective out vec4 linear_value;\n"
        "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; };\n"
        "void main() {\n"
        "    gl_Position = position; gl_ClipDistance[0] = position.x + 0.125;\n"
        "    v = smooth_value = linear_value = value;\n"
        "}";
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char fs[2000];
        uint8_t image[SIZE][SIZE][4];
        unsigned drawn = 0;
        snprintf(fs, sizeof fs,
                 "#version 450\n#extension GL_NV_fragment_shader_barycentric: require\n"
                 "layout(location = 2) pervertexNV in vec4 v[3];\nout vec4 color;\n%s",
                 bodies[i]);
        const GLuint program = gl_test_program(vs, fs);
        glUseProgram(program);
        for (unsigned clip = 0; clip < 2; clip++) {
            if (clip)
                glEnable(GL_CLIP_DISTANCE0);
            draw(mode, 0, count);
            glDisable(GL_CLIP_DISTANCE0);
            glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
            assert_int_equal(glGetError(), GL_NO_ERROR);
            for (unsigned y = 0; y < SIZE; y++) {
                for (unsigned x = 0; x < SIZE; x++) {
                    const uint8_t *p = image[y][x];
                    drawn += p[2] != 0;
                    if (p[2] && (p[0] != 255 || p[1] != 255))
                        fail_msg("shader %u, clip %u, pixel %u,%u: %u %u", i, clip, x, y, p[0],
                                 p[1]);
                }
            }
        }
        assert_true(drawn > 20);
        gl_test_delete_program(program);
    }
}

static void test_interpolation(void **state)
{
    for (unsigned last = 0; last < 2; last++) {
        glProvokingVertex(last ? GL_LAST_VERTEX_CONVENTION : GL_FIRST_VERTEX_CONVENTION);
        vertex(0, -0.9f, -0.8f, 0, 1);
        vertex(1, 0.9f, -0.7f, 0, 1);
        vertex(2, 0.1f, 0.9f, 0, 1);
        vertex(3, -0.9f, 0.7f, 0, 1);
        vertex(4, -0.5f, 0.95f, 0, 1);
        check_sums(GL_TRIANGLES, 3);
        check_sums(GL_TRIANGLE_FAN, 5);
        check_sums(GL_TRIANGLE_STRIP, 5);
        check_sums(GL_QUADS, 4);
        vertex(0, -0.9f, -0.8f, 0, 1); /* with perspective; the last one clips at the near plane */
        vertex(1, 0.9f, -0.7f, 0, 3);
        vertex(2, 0.1f, 0.9f, 0, 7);
        vertex(3, -0.9f, 0.7f, -1.4f, 2);
        vertex(4, -0.5f, 0.95f, 0.5f, 1.5f);
        check_sums(GL_TRIANGLES, 3);
        check_sums(GL_TRIANGLE_FAN, 5);
        check_sums(GL_TRIANGLE_STRIP, 5);
        glLineWidth(3);
        check_sums(GL_LINE_STRIP, 5);
        glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        check_sums(GL_TRIANGLES, 3);
        check_sums(GL_TRIANGLE_STRIP, 5);
        glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        glLineWidth(1);
        for (unsigned i = 0; i < 12; i++) { /* many small triangles, which share vectors */
            const float x = -0.9f + (float)(i / 3) * 0.2f;
            vertex(i, x + (i % 3 == 1 ? 0.19f : 0), 0.5f + (i % 3 == 2 ? 0.19f : 0), 0,
                   1 + (float)(i % 3));
        }
        check_sums(GL_TRIANGLES, 12);
    }
    glPointSize(9);
    vertex(0, 0.5f, 0.5f, 0, 2);
    check_sums(GL_POINTS, 1);
    glPointSize(1);
}

/* Corners have one weight; the weights of a clipped triangle are those of the whole one. */
static void test_weights(void **state)
{
    static const char fs[] = FRAGMENT("void main() { color = vec4(gl_BaryCoordNV, 1.0); }");
    const GLuint program = use(NULL, fs);
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    vertex(0, -1, -1, 0, 1);
    vertex(1, 3, -1, 0, 1);
    vertex(2, -1, 3, 0, 1);
    draw(GL_TRIANGLES, 0, 3);
    for (unsigned clip = 0; clip < 2; clip++) {
        /* pixel x, y: x increases by 4 units over the width 2 of the window, that is 128 pixels */
        const float a = 32.5f / 128, b = 16.5f / 128;
        expect(32, 16, 1 - a - b, a, b);
        expect(63, 0, 1 - 63.5f / 128 - 0.5f / 128, 63.5f / 128, 0.5f / 128);
        glEnable(GL_CLIP_DISTANCE0); /* x >= 0 */
        draw(GL_TRIANGLES, 0, 3);
    }
    expect(16, 16, 0, 0, 0);
    glDisable(GL_CLIP_DISTANCE0);
    gl_test_delete_program(program);
}

/* Dynamic indices, blocks and arrays in them. */
static void test_indices(void **state)
{
    static const char fs[] =
        FRAGMENT("void main() {\n"
                 "    color = vec4(v[index].x, block[index].pair[1].y, block[2].other.z, 1.0);\n"
                 "}");
    const GLuint program = use(NULL, fs);
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    vertex(0, -1, -1, 0, 1);
    vertex(1, 3, -1, 0, 1);
    vertex(2, -1, 3, 0, 1);
    for (int i = 0; i < 3; i++) {
        glUniform1i(glGetUniformLocation(program, "index"), i);
        draw(GL_TRIANGLES, 0, 3);
        expect(20, 20, values[i][0], values[i][3], values[2][1]);
    }
    gl_test_delete_program(program);
}

static bool compiles(GLenum type, const char *text)
{
    const GLuint shader = glCreateShader(type);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glDeleteShader(shader);
    return ok;
}

#define HEADER "#version 450\n#extension GL_NV_fragment_shader_barycentric: require\n"

static void test_errors(void **state)
{
    assert_true(compiles(GL_FRAGMENT_SHADER, HEADER "pervertexNV in vec2 a[3];\nvoid main() {}"));
    assert_false(compiles(GL_FRAGMENT_SHADER, HEADER "pervertexNV in vec2 a;\nvoid main() {}"));
    assert_false(compiles(GL_FRAGMENT_SHADER, HEADER "pervertexNV in vec2 a[2];\nvoid main() {}"));
    assert_false(
        compiles(GL_FRAGMENT_SHADER, HEADER "flat pervertexNV in vec2 a[3];\nvoid main() {}"));
    assert_false(
        compiles(GL_FRAGMENT_SHADER, HEADER "pervertexNV centroid in vec2 a[3];\nvoid main() {}"));
    assert_false(compiles(GL_FRAGMENT_SHADER, HEADER "pervertexNV out vec4 a[3];\nvoid main() {}"));
    assert_false(compiles(GL_VERTEX_SHADER, HEADER "pervertexNV out vec4 a[3];\nvoid main() {}"));
    assert_false(
        compiles(GL_FRAGMENT_SHADER, HEADER "in B { pervertexNV vec2 a[3]; };\nvoid main() {}"));
    assert_false(compiles(GL_FRAGMENT_SHADER, HEADER "pervertexNV in vec2 a[];\nout vec4 c;\n"
                                                     "void main() { c = a[3].xxyy; }"));
    assert_false(compiles(GL_FRAGMENT_SHADER,
                          HEADER "pervertexNV in vec4 a[];\nout vec4 c;\n"
                                 "void main() { c = interpolateAtCentroid(a[0]); }"));
    assert_false(compiles(GL_FRAGMENT_SHADER, "#version 450\nout vec4 c;\n"
                                              "void main() { c = gl_BaryCoordNV.xyzz; }"));
    assert_false(compiles(GL_FRAGMENT_SHADER, HEADER "void main() { gl_BaryCoordNV = vec3(1); }"));
    /* not a keyword without the extension */
    assert_true(compiles(GL_FRAGMENT_SHADER, "#version 450\nout vec4 c;\nvoid main() {\n"
                                             "    float pervertexNV = 1.0; c = vec4(pervertexNV);\n"
                                             "}"));
}

/* Weights at samples; without an array, a pixel's edge has weights outside of the triangle. */
static void test_samples(void **state)
{
    static const char fs[] = "#version 450\n"
                             "#extension GL_NV_fragment_shader_barycentric: require\n"
                             "out vec4 color;\n"
                             "void main() {\n"
                             "    vec3 b = interpolateAtSample(gl_BaryCoordNV, gl_SampleID);\n"
                             "    color = vec4(all(greaterThanEqual(b, vec3(-1e-4))), 1.0, 1.0,\n"
                             "                 1.0);\n"
                             "}";
    GLuint fbo, rb;
    uint8_t image[SIZE][SIZE][4];
    const GLuint program = use(NULL, fs);
    glGenFramebuffers(1, &fbo);
    glGenRenderbuffers(1, &rb);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    vertex(0, -0.9f, -0.8f, 0, 1);
    vertex(1, 0.9f, -0.7f, 0, 1);
    vertex(2, 0.1f, 0.9f, 0, 1);
    draw(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++)
            assert_int_equal(image[y][x][0], image[y][x][2]);
    assert_int_equal(image[32][32][2], 255);
    glDeleteFramebuffers(1, &fbo);
    glDeleteRenderbuffers(1, &rb);
    gl_test_delete_program(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_interpolation), cmocka_unit_test(test_weights),
        cmocka_unit_test(test_indices),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_samples),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
