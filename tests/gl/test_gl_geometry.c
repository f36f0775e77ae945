/* SPDX-License-Identifier: MIT */
/* Geometry shaders, layered framebuffers and viewport arrays: drawing, capture and errors. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

#define SIZE 32

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLuint make_program(const char *vs, const char *gs, const char *fs)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, vs);
    gl_test_attach(p, GL_GEOMETRY_SHADER, gs);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
    return p;
}

static GLuint use_program(const char *vs, const char *gs, const char *fs)
{
    GLuint p = make_program(vs, gs, fs);
    gl_test_use(p);
    return p;
}

#define VS                                                                                         \
    "#version 150 compatibility\nout vec4 v; void main() { v = gl_Vertex; gl_Position = "          \
    "gl_Vertex; }\n"
#define FS  "#version 150 compatibility\nin vec4 c; void main() { gl_FragColor = c; }\n"
#define IN  "#version 150 compatibility\nin vec4 v[]; out vec4 c; "
#define ALL "for (int i = 0; i < 4; i++) {" /* a strip that fills the viewport */
#define FILL                                                                                       \
    "gl_Position = vec4(float(i & 1) * 2.0 - 1.0, float(i >> 1) * 2.0 - 1.0, 0.0, 1.0);"           \
    "EmitVertex(); } EndPrimitive();"

/* Checks that a point draws everything, and that modes other than the shader's input draw
 * nothing. */
static void test_modes(void **state)
{
    static const GLenum wrong[] = {GL_LINES, GL_TRIANGLES, GL_QUADS, GL_LINES_ADJACENCY};
    GLuint p = use_program(VS,
                           IN "layout(points) in; layout(triangle_strip, max_vertices = 4) out;"
                              "void main() { c = vec4(0.0, 1.0, 0.0, 1.0); " ALL FILL "}\n",
                           FS);
    static const float position[2] = {0.3f, 0.3f};
    GLint value;

    glVertexPointer(2, GL_FLOAT, 0, position);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    for (unsigned i = 0; i < 4; i++) {
        glDrawArrays(wrong[i], 0, 1);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    }
    expect(3, 3, 0, 0, 0);
    glDrawArrays(GL_POINTS, 0, 1);
    expect(3, 3, 0, 1, 0);
    expect(SIZE - 1, SIZE - 1, 0, 1, 0);
    glGetProgramiv(p, GL_GEOMETRY_VERTICES_OUT, &value);
    assert_int_equal(value, 4);
    glGetProgramiv(p, GL_GEOMETRY_INPUT_TYPE, &value);
    assert_int_equal(value, GL_POINTS);
    glGetProgramiv(p, GL_GEOMETRY_OUTPUT_TYPE, &value);
    assert_int_equal(value, GL_TRIANGLE_STRIP);
    gl_test_delete_program(p);
}

/* Checks layers of an array texture, each in its own color; attachments that disagree are
 * incomplete. */
static void test_layers(void **state)
{
    GLuint texture[2], fbo, p;
    glGenTextures(2, texture);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D_ARRAY, texture[i]);
        glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, SIZE, SIZE, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     NULL);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture[0], 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, texture[1], 0, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER),
                     GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, 0, 0);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    p = use_program(VS,
                    IN "layout(points) in; layout(triangle_strip, max_vertices = 4) out;"
                       "void main() { gl_Layer = gl_PrimitiveIDIn + 1;"
                       "c = vec4(v[0].x, 1.0, 0.0, 1.0); " ALL FILL "}\n",
                    FS);
    static const float positions[2][2] = {{0, 0}, {1, 0}};
    glVertexPointer(2, GL_FLOAT, 0, positions);
    glEnableClientState(GL_VERTEX_ARRAY);
    glViewport(0, 0, SIZE, SIZE);
    glDrawArrays(GL_POINTS, 0, 2);
    static const float colors[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 1, 0}};
    for (unsigned layer = 0; layer < 3; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture[0], 0, layer);
        expect(5, 5, colors[layer][0], colors[layer][1], colors[layer][2]);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(2, texture);
    gl_test_delete_program(p);
}

/* Checks that transform feedback captures the emitted primitives by their own type. */
static void test_capture(void **state)
{
    static const char *const names[] = {"c"};
    GLuint buffer, query[2], counts[2];
    GLuint p = make_program(VS,
                            IN "layout(lines) in; layout(points, max_vertices = 3) out;"
                               "void main() { for (int i = 0; i < 5; i++) {"
                               "c = v[i & 1] + float(i); EmitVertex(); } }\n",
                            FS);
    glTransformFeedbackVaryings(p, 1, names, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(p);
    glUseProgram(p);
    static const float positions[3][2] = {{10, 0}, {20, 0}, {30, 0}};
    glVertexPointer(2, GL_FLOAT, 0, positions);
    glEnableClientState(GL_VERTEX_ARRAY);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 5 * 16, NULL, GL_STATIC_READ);
    glGenQueries(2, query);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_LINES);
    glDrawArrays(GL_LINE_STRIP, 0, 3);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndTransformFeedback();
    glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[1]);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_LINE_STRIP, 0, 3);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glDisable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < 2; i++)
        glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &counts[i]);
    assert_int_equal(counts[0], 6); /* three of five per line */
    assert_int_equal(counts[1], 5); /* all that fit */
    static const float expected[5] = {10, 21, 12, 20, 31};
    float v[5][4];
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof v, v);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < 5; i++)
        assert_float_equal(v[i][0], expected[i], 0);
    glDeleteQueries(2, query);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
}

/* Checks that built-in outputs are captured like user-defined ones, with and without
 * rasterization. */
static void test_capture_builtins(void **state)
{
    static const char *const names[] = {"gl_Layer", "gl_PrimitiveID", "gl_ViewportIndex"};
    static const int expected[3][3] = {{1, 3, 5}, {0, 1, 2}, {1, 2, 3}};
    GLuint buffers[3];
    GLuint p = make_program("void main() { gl_Position = vec4(0.0); }\n",
                            "#version 150 compatibility\n"
                            "#extension GL_ARB_viewport_array : require\n"
                            "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                            "void main() { for (int i = 0; i < 3; i++) { gl_Layer = 2 * i + 1;"
                            "gl_PrimitiveID = gl_PrimitiveIDIn + i; gl_ViewportIndex = i + 1;"
                            "EmitVertex(); } }\n",
                            "void main() {}\n");
    glTransformFeedbackVaryings(p, 3, names, GL_SEPARATE_ATTRIBS);
    glLinkProgram(p);
    glUseProgram(p);
    glGenBuffers(3, buffers);
    for (unsigned i = 0; i < 3; i++) {
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffers[i]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof expected[i], NULL, GL_STATIC_READ);
    }
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < 3; i++) {
        int v[3];
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffers[i]);
        glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof v, v);
        assert_memory_equal(v, expected[i], sizeof v);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteBuffers(3, buffers);
    gl_test_delete_program(p);
}

static void expect_back(const char *vs, const char *gs, const char *fs, float r, float g, float b)
{
    GLuint p = use_program(vs, gs, fs);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    expect(8, 8, r, g, b);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(p);
}

#define PASS                                                                                       \
    "#version 150 compatibility\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) "  \
    "out; void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;"

/* Checks that back colors reach the geometry shader, with and without front colors. The facing is
 * determined after it. */
static void test_two_sides(void **state)
{
    static const float strip[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}; /* clockwise */
    static const char back[] = "void main() { gl_Position = gl_Vertex;"
                               "gl_BackColor = vec4(0.0, 0.0, 1.0, 1.0);"
                               "gl_BackSecondaryColor = vec4(1.0, 0.0, 0.0, 1.0); }\n";
    static const char both[] = "void main() { gl_Position = gl_Vertex;"
                               "gl_FrontColor = vec4(0.0, 1.0, 0.0, 1.0);"
                               "gl_BackColor = vec4(0.0, 0.0, 1.0, 1.0); }\n";
    static const char first[] = "void main() { gl_FragColor = gl_Color; }\n";
    static const char second[] = "void main() { gl_FragColor = gl_SecondaryColor; }\n";
    static const char pass_first[] = PASS "gl_BackColor = gl_in[i].gl_BackColor; EmitVertex(); } }";
    static const char pass_second[] =
        PASS "gl_BackSecondaryColor = gl_in[i].gl_BackSecondaryColor; EmitVertex(); } }";
    static const char swap[] = PASS "gl_FrontColor = gl_in[i].gl_BackColor;"
                                    "gl_BackColor = gl_in[i].gl_FrontColor; EmitVertex(); } }";

    glVertexPointer(2, GL_FLOAT, 0, strip);
    glEnableClientState(GL_VERTEX_ARRAY);
    expect_back(both, swap, first, 0, 0, 1);
    glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
    expect_back(both, swap, first, 0, 1, 0);
    expect_back(back, pass_first, first, 0, 0, 1);
    expect_back(back, pass_second, second, 1, 0, 0);
    glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);
}

/* Checks that each invocation draws to its own viewport, with its own scissor. */
static void test_viewports(void **state)
{
    GLint most;
    GLuint p =
        use_program("#version 150 compatibility\n#extension GL_ARB_viewport_array : enable\n"
                    "out vec4 v; void main() { v = gl_Vertex; }\n",
                    "#version 150 compatibility\n#extension GL_ARB_viewport_array : enable\n"
                    "in vec4 v[]; out vec4 c;"
                    "layout(points) in; layout(triangle_strip, max_vertices = 4) out;"
                    "void main() { c = v[0]; gl_ViewportIndex = gl_PrimitiveIDIn; " ALL FILL "}\n",
                    FS);
    static const float colors[2][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}};
    glGetIntegerv(GL_MAX_VIEWPORTS, &most);
    assert_true(most >= 16);
    glVertexPointer(4, GL_FLOAT, 0, colors);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glViewportIndexedf(0, 0, 0, SIZE / 2, SIZE);
    glViewportIndexedf(1, SIZE / 2, 0, SIZE / 2, SIZE);
    glScissorIndexed(1, SIZE / 2, 8, SIZE, 8);
    glEnablei(GL_SCISSOR_TEST, 1);
    glDrawArrays(GL_POINTS, 0, 2);
    glDisablei(GL_SCISSOR_TEST, 1);
    expect(2, 2, 1, 0, 0);
    expect(SIZE / 2 - 1, SIZE - 1, 1, 0, 0);
    expect(SIZE / 2, 8, 0, 1, 0);
    expect(SIZE - 1, 15, 0, 1, 0);
    expect(SIZE - 1, 16, 0, 0, 0);
    expect(SIZE / 2, 7, 0, 0, 0);
    glViewport(0, 0, SIZE, SIZE);
    glViewportIndexedf(most, 0, 0, 1, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    gl_test_delete_program(p);
}

/* Checks that pixel rectangles bypass the geometry shader. */
static void test_pixels(void **state)
{
    static const GLubyte green[] = {0, 255, 0, 255};
    GLubyte got[2][4] = {{0}};
    GLuint p = use_program(VS,
                           IN "layout(points) in; layout(triangle_strip, max_vertices = 4) out;"
                              "void main() { c = vec4(1.0, 0.0, 0.0, 1.0); " ALL FILL "}\n",
                           "#version 150 compatibility\n"
                           "void main() { gl_FragColor = gl_Color; }\n");
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glWindowPos2i(3, 5);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glReadPixels(3, 5, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
    assert_int_equal(got[0][1], 255);
    assert_int_equal(got[1][1], 0);
    assert_int_equal(got[1][0], 0);
    gl_test_delete_program(p);
}

/* Checks endless emission: vertices past max_vertices are dropped, and the loop is stopped. */
static void test_endless(void **state)
{
    GLuint p = use_program(VS,
                           IN "layout(points) in; layout(triangle_strip, max_vertices = 4) out;"
                              "void main() { c = vec4(1.0); for (int i = 0; v[0].x < 100.0; i++) {"
                              "i &= 3; " FILL "}\n",
                           FS);
    static const float position[2] = {0, 0};
    glVertexPointer(2, GL_FLOAT, 0, position);
    glEnableClientState(GL_VERTEX_ARRAY);
    glDrawArrays(GL_POINTS, 0, 1);
    glFinish();
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    gl_test_delete_program(p);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    expect(4, 4, 0, 1, 0); /* drawing still works */
}

/* Draws a column per instance. */
static void test_instances(void **state)
{
    GLuint p = use_program("#version 150\nout float n;\n"
                           "void main() { n = float(gl_InstanceID); gl_Position = vec4(0.0); }\n",
                           "#version 150\nlayout(points) in;\n"
                           "layout(triangle_strip, max_vertices = 4) out;\nin float n[];\n"
                           "void main() {\n"
                           "    for (int i = 0; i < 4; i++) {\n"
                           "        float x = n[0] * 0.5 - (i % 2 == 0 ? 1.0 : 0.5);\n"
                           "        gl_Position = vec4(x, i < 2 ? -1.0 : 1.0, 0.0, 1.0);\n"
                           "        EmitVertex();\n"
                           "    }\n"
                           "}\n",
                           "#version 150\nout vec4 c; void main() { c = vec4(0, 1, 0, 1); }\n");
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArraysInstanced(GL_POINTS, 0, 1, 4);
    for (int i = 0; i < 4; i++)
        expect(SIZE * i / 4 + SIZE / 8, SIZE / 2, 0, 1, 0);
    gl_test_delete_program(p);
}

/* Checks that the raster position has outputs of the vertex shader that the next stage, of the type
 * `type` or the fragment shader, does not read. */
static void check_raster_position(const char *tcs, GLenum type, const char *text)
{
    static const char vs[] = "#version 400 compatibility\n"
                             "void main() {\n"
                             "    gl_Position = gl_Vertex;\n"
                             "    gl_FrontColor = vec4(0.125, 0.25, 0.5, 1.0);\n"
                             "    gl_FrontSecondaryColor = vec4(0.25, 0.75, 0.125, 1.0);\n"
                             "    gl_TexCoord[3] = vec4(3.0, 4.0, 5.0, 6.0);\n"
                             "    gl_FogFragCoord = 7.0;\n"
                             "}\n";
    float color[4], secondary[4], texcoord[4], distance;
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, vs);
    if (tcs)
        gl_test_attach(p, GL_TESS_CONTROL_SHADER, tcs);
    if (text)
        gl_test_attach(p, type, text);
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   "#version 400\nout vec4 c; void main() { c = vec4(1.0); }\n");
    gl_test_use(p);
    glRasterPos2f(0.5f, 0.5f);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, color);
    glGetFloatv(GL_CURRENT_RASTER_SECONDARY_COLOR, secondary);
    glActiveTexture(GL_TEXTURE3);
    glGetFloatv(GL_CURRENT_RASTER_TEXTURE_COORDS, texcoord);
    glActiveTexture(GL_TEXTURE0);
    glGetFloatv(GL_CURRENT_RASTER_DISTANCE, &distance);
    assert_true(color[0] == 0.125f && color[1] == 0.25f && color[2] == 0.5f && color[3] == 1);
    assert_true(secondary[0] == 0.25f && secondary[1] == 0.75f && secondary[2] == 0.125f);
    assert_true(texcoord[0] == 3 && texcoord[1] == 4 && texcoord[2] == 5 && texcoord[3] == 6);
    assert_true(distance == 7);
    gl_test_delete_program(p);
}

static void test_raster_position(void **state)
{
    check_raster_position(NULL, 0, NULL);
    check_raster_position(NULL, GL_GEOMETRY_SHADER,
                          "#version 400\nlayout(points) in;\n"
                          "layout(points, max_vertices = 1) out;\n"
                          "void main() { gl_Position = vec4(0.0); EmitVertex(); }\n");
    check_raster_position(NULL, GL_TESS_EVALUATION_SHADER,
                          "#version 400\nlayout(triangles) in;\n"
                          "void main() { gl_Position = vec4(0.0); }\n");
    check_raster_position("#version 400\nlayout(vertices = 3) out;\n"
                          "void main() { gl_TessLevelOuter[gl_InvocationID] = 1.0; }\n",
                          GL_TESS_EVALUATION_SHADER,
                          "#version 400\nlayout(triangles) in;\n"
                          "void main() { gl_Position = vec4(0.0); }\n");
}

/* Checks that MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS limits the components that a shader declares,
 * not those of packed varyings: 73 vertices of 4 + 10 components are allowed, 74 are not. */
static void test_total_components(void **state)
{
    static const char fs[] =
        "#version 150\n"
        "flat in int data[10];\n"
        "out vec4 c;\n"
        "void main() {\n"
        "    bool right = true;\n"
        "    for (int i = 0; i < 10; i++)\n"
        "        right = right && data[i] == 3 * i + int(gl_FragCoord.x);\n"
        "    c = right ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);\n"
        "}\n";
    for (int vertices = 73; vertices <= 74; vertices++) {
        char gs[600], log[512] = "";
        GLint linked;
        snprintf(
            gs, sizeof gs,
            "#version 150\nlayout(points) in;\n"
            "layout(points, max_vertices = %d) out;\n"
            "flat out int data[10];\n"
            "void main() {\n"
            "    for (int k = 0; k < 32; k++) {\n"
            "        for (int i = 0; i < 10; i++)\n"
            "            data[i] = 3 * i + k;\n"
            "        gl_Position = vec4((float(k) + 0.5) / 16.0 - 1.0, 1.0 / 32.0, 0.0, 1.0);\n"
            "        EmitVertex();\n"
            "    }\n"
            "}\n",
            vertices);
        GLuint p = make_program("#version 150\nvoid main() { gl_Position = vec4(0.0); }\n", gs, fs);
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &linked);
        assert_int_equal(linked, vertices == 73);
        if (linked) {
            glUseProgram(p);
            glClear(GL_COLOR_BUFFER_BIT);
            glDrawArrays(GL_POINTS, 0, 1);
            for (int x = 0; x < SIZE; x++)
                expect(x, SIZE / 2, 0, 1, 0);
        } else {
            glGetProgramInfoLog(p, sizeof log, NULL, log);
            assert_non_null(strstr(log, "(1036 > 1024, MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS)"));
        }
        gl_test_delete_program(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_modes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_layers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_capture, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_capture_builtins, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_two_sides, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_viewports, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_pixels, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_instances, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_raster_position, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_total_components, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_endless, setup, gl_test_teardown),
    };
    setenv("INDIUM_TIMEOUT", "2", 0); /* for endless loops */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
