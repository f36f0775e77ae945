/* SPDX-License-Identifier: MIT */
/* Tessellation shaders: drawing, capture, queries and errors. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 32

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const GLenum types[] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                               GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};

/* Uses a program. texts: one per stage of `types`, NULL: none. varying: captured output, or
 * NULL. */
static GLuint use_program(const char *const texts[5], const char *varying)
{
    GLuint p = glCreateProgram();
    for (unsigned i = 0; i < 5; i++)
        gl_test_attach(p, types[i], texts[i]);
    if (varying)
        glTransformFeedbackVaryings(p, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    gl_test_use(p);
    return p;
}

static void drop_program(GLuint p)
{
    gl_test_delete_program(p);
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, (GLfloat[]){1, 1, 1, 1});
    glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, (GLfloat[]){1, 1});
}

/* Draws `count` vertices as patches and captures floats. Returns the number of captured
 * primitives. */
static unsigned capture(unsigned count, GLfloat *data, size_t bytes)
{
    GLuint buffer, query, primitives;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
    glGenQueries(1, &query);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_PATCHES, 0, (GLsizei)count);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glDisable(GL_RASTERIZER_DISCARD);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)bytes, data);
    glDeleteQueries(1, &query);
    glDeleteBuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return primitives;
}

#define V150 "#version 150 compatibility\n#extension GL_ARB_tessellation_shader : require\n"
#define VS   V150 "out float id; void main() { id = float(gl_VertexID); gl_Position = vec4(0.0); }\n"
#define FS   V150 "in vec4 c; void main() { gl_FragColor = c; }\n"
#define QUAD                                                                                       \
    V150 "layout(quads) in; out vec4 c; void main() { c = vec4(0.0, 1.0, 0.0, 1.0);"               \
         "gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0.0, 1.0); }\n"

/* Without a control shader, default levels apply; a patch covers the window. */
static void test_default_levels(void **state)
{
    static const float levels[][6] = {
        {1, 1, 1, 1, 1, 1}, {64, 64, 64, 64, 64, 64}, {3, 7, 1, 64, 5, 2}, {1, 1, 1, 2, 1, 1}};
    GLuint p = use_program((const char *const[]){VS, NULL, QUAD, NULL, FS}, NULL);
    GLfloat got[4];
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    for (unsigned i = 0; i < 4; i++) {
        glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels[i]);
        glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels[i] + 4);
        glGetFloatv(GL_PATCH_DEFAULT_OUTER_LEVEL, got);
        assert_memory_equal(got, levels[i], 16);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_PATCHES, 0, 1);
        for (int y = 0; y < SIZE; y += 5)
            for (int x = 0; x < SIZE; x += 3)
                expect(x, y, 0, 1, 0);
    }
    /* A level of 0 discards the patch. */
    glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, (GLfloat[]){1, 0, 1, 1});
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_PATCHES, 0, 1);
    expect(3, 3, 0, 0, 0);
    drop_program(p);
}

/* Checks barriers: every invocation repeatedly writes, waits, and reads what its neighbors wrote,
 * keeping values across the barriers, with control flow before and after. */
static void check_barriers(unsigned vertices)
{
    char control[1500];
    static GLfloat data[3 * 7 * 32];
    snprintf(
        control, sizeof control,
        V150
        "#define N %u\n"
        "layout(vertices = N) out; in float id[]; out float a[], b[];"
        "patch out float sum; out float o[];"
        "void main() { int i = gl_InvocationID; float kept = id[i %% gl_PatchVerticesIn];"
        "float t[9]; for (int k = 0; k < 9; k++) t[k] = kept * float(k + i);"
        "a[gl_InvocationID] = kept + float(i); bool odd = (i & 1) == 1; barrier();"
        "float next = a[(i + 1) %% N]; if (odd) next += 0.5; b[gl_InvocationID] = next; sum = 0.0;"
        "barrier(); float s = 0.0;"
        "for (int k = 0; k < N; k++) s += b[k] * float(k + 1);"
        "if (i == N - 1) sum = s; barrier();"
        "o[gl_InvocationID] = sum + kept + next + t[i %% 9] + (odd ? 1000.0 : 0.0);"
        "gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = float(N); }\n",
        vertices);
    const char *evaluation =
        V150 "layout(isolines, point_mode) in; in float o[]; out float v; void main() {"
             "v = o[min(int(gl_TessCoord.x * float(gl_PatchVerticesIn) + 0.5),"
             "gl_PatchVerticesIn - 1)] + 10000.0 * float(gl_PrimitiveID); }\n";
    GLuint p = use_program((const char *const[]){VS, control, evaluation, NULL, NULL}, "v");
    unsigned patches = 7;
    glPatchParameteri(GL_PATCH_VERTICES, 2);
    assert_int_equal(capture(2 * patches, data, sizeof data), patches * (vertices + 1));
    for (unsigned q = 0; q < patches; q++) {
        float a[33], b[32], s = 0;
        for (unsigned i = 0; i < vertices; i++)
            a[i] = (float)(2 * q + i % 2 + i);
        a[vertices] = a[0];
        for (unsigned i = 0; i < vertices; i++) {
            b[i] = a[i + 1] + (i % 2 ? 0.5f : 0.0f);
            s += b[i] * (float)(i + 1);
        }
        for (unsigned i = 0; i < vertices; i++) {
            float kept = (float)(2 * q + i % 2);
            float want = s + kept + b[i] + kept * (float)(i % 9 + i) + (i % 2 ? 1000.0f : 0.0f) +
                         10000.0f * (float)q;
            if (data[q * (vertices + 1) + i] != want)
                fail_msg("%u vertices, patch %u, vertex %u: %g, not %g", vertices, q, i,
                         (double)data[q * (vertices + 1) + i], (double)want);
        }
    }
    drop_program(p);
}

static void test_barriers(void **state)
{
    static const uint8_t vertices[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31};
    for (unsigned i = 0; i < sizeof vertices; i++)
        check_barriers(vertices[i]);
}

/* Checks invocations that write components of one patch vector through an index and a swizzle. */
static void test_components(void **state)
{
    const char *control = V150 "layout(vertices = 4) out; patch out vec4 p, q; void main() {"
                               "if (gl_InvocationID == 0) p = q = vec4(9.0); barrier();"
                               "p[gl_InvocationID] = float(gl_InvocationID);"
                               "q.wzyx[gl_InvocationID] = float(gl_InvocationID);"
                               "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0; }\n";
    const char *evaluation = V150 "layout(isolines, point_mode) in; patch in vec4 p, q; out vec4 v;"
                                  "void main() { v = p + 10.0 * q; }\n";
    static const GLfloat want[] = {30, 21, 12, 3};
    GLfloat data[8] = {0};
    GLuint p = use_program((const char *const[]){VS, control, evaluation, NULL, NULL}, "v");
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    assert_int_equal(capture(1, data, sizeof data), 2);
    assert_memory_equal(data, want, sizeof want);
    assert_memory_equal(data + 4, want, sizeof want);
    drop_program(p);
}

/* Checks that constant outputs of the vertex shader are the same at each vertex of a patch. */
static void test_constant_inputs(void **state)
{
    const char *vertex = V150 "out vec4 c; void main() { c = vec4(1, 2, 3, 4); }\n";
    const char *evaluation =
        V150 "layout(isolines, point_mode) in; in vec4 c[]; out vec4 v; uniform int k;"
             "void main() { v = c[k] + c[1].wzyx; }\n";
    static const GLfloat want[] = {5, 5, 5, 5};
    GLfloat data[8] = {0};
    GLuint p = use_program((const char *const[]){vertex, NULL, evaluation, NULL, NULL}, "v");
    assert_int_equal(capture(3, data, sizeof data), 2);
    assert_memory_equal(data, want, sizeof want);
    assert_memory_equal(data + 4, want, sizeof want);
    drop_program(p);
}

/* Checks that many patches with many levels, processed by workers, are drawn in order. */
static void test_order(void **state)
{
    const char *control =
        V150 "layout(vertices = 1) out; in float id[]; patch out vec2 p[2]; void main() {"
             "p[0] = vec2(id[0]); p[1] = vec2(id[0] + 0.5); float l = float(int(id[0]) % 11);"
             "gl_TessLevelOuter = float[4](l, l, l, l); gl_TessLevelInner = float[2](l, l); }\n";
    const char *evaluation =
        V150 "layout(triangles, point_mode) in; patch in vec2 p[2]; out float v; void main() {"
             "v = p[0].x + p[1].y; }\n";
    static GLfloat data[60000];
    GLuint p = use_program((const char *const[]){VS, control, evaluation, NULL, NULL}, "v");
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    unsigned n = capture(1000, data, sizeof data);
    assert_in_range(n, 10000, 60000);
    for (unsigned i = 1; i < n; i++)
        assert_true(data[i] >= data[i - 1]);
    assert_true(data[n - 1] == 2 * 999 + 0.5f);
    drop_program(p);
}

/* Draws triangles through a geometry shader, with the primitive ID; restart ends incomplete
 * patches. */
static void test_geometry_and_restart(void **state)
{
    static const GLubyte index[] = {0, 1, 0xff, 2, 3, 4, 5, 0xff, 6, 7, 8};
    const char *evaluation =
        V150 "layout(triangles, cw) in; in float id[]; out float t; void main() {"
             "t = id[2]; gl_Position = vec4(gl_TessCoord, 1.0); }\n";
    const char *geometry =
        V150 "layout(triangles) in; layout(points, max_vertices = 1) out; in float t[];"
             "out float v; void main() { vec3 e = gl_in[1].gl_Position.xyz -"
             "gl_in[0].gl_Position.xyz, f = gl_in[2].gl_Position.xyz - gl_in[0].gl_Position.xyz;"
             "v = t[0] + 100.0 * float(gl_PrimitiveIDIn) + (e.x * f.y - e.y * f.x < 0.0 ? 0.5 :"
             "0.0); EmitVertex(); }\n";
    GLuint p = use_program((const char *const[]){VS, NULL, evaluation, geometry, NULL}, "v"),
           buffer;
    GLfloat data[8] = {0};
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(0xff);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof data, data, GL_STREAM_READ);
    glBeginTransformFeedback(GL_POINTS);
    glDrawElements(GL_PATCHES, sizeof index, GL_UNSIGNED_BYTE, index);
    glEndTransformFeedback();
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof data, data);
    glDisable(GL_PRIMITIVE_RESTART);
    glDeleteBuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_true(data[0] == 4.5f && data[1] == 108.5f && data[2] == 0.0f);
    drop_program(p);
}

static void test_immediate_mode(void **state)
{
    GLuint p = use_program((const char *const[]){VS, NULL, QUAD, NULL, FS}, NULL);
    glPatchParameteri(GL_PATCH_VERTICES, 31);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_PATCHES);
    for (unsigned i = 0; i < 31; i++)
        glVertex2f(0, 0);
    glEnd();
    expect(9, 9, 0, 1, 0);
    /* More than the buffer holds. */
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_PATCHES);
    for (unsigned i = 0; i < 31 * 3000 + 30; i++)
        glVertex2f(0, 0);
    glEnd();
    expect(9, 9, 0, 1, 0);
    drop_program(p);
}

static void test_queries(void **state)
{
    const char *control = V150 "layout(vertices = 5) out; void main() {"
                               "gl_out[gl_InvocationID].gl_Position = vec4(0.0);"
                               "gl_TessLevelOuter[0] = 1.0; }\n";
    const char *evaluation = V150 "layout(isolines, fractional_odd_spacing, cw, point_mode) in;"
                                  "void main() { gl_Position = gl_in[0].gl_Position; }\n";
    static const GLenum name[] = {GL_TESS_CONTROL_OUTPUT_VERTICES, GL_TESS_GEN_MODE,
                                  GL_TESS_GEN_SPACING, GL_TESS_GEN_VERTEX_ORDER,
                                  GL_TESS_GEN_POINT_MODE};
    static const GLint want[] = {5, GL_ISOLINES, GL_FRACTIONAL_ODD, GL_CW, GL_TRUE};
    GLuint p = use_program((const char *const[]){VS, control, evaluation, NULL, NULL}, NULL);
    GLint value;
    for (unsigned i = 0; i < 5; i++) {
        glGetProgramiv(p, name[i], &value);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_int_equal(value, want[i]);
    }
    drop_program(p);
    p = use_program((const char *const[]){VS, NULL, NULL, NULL, NULL}, NULL);
    for (unsigned i = 0; i < 5; i++) {
        glGetProgramiv(p, name[i], &value);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    }
    drop_program(p);
}

static void test_errors(void **state)
{
    GLint value;
    GLuint p = use_program((const char *const[]){VS, NULL, QUAD, NULL, FS}, NULL);
    for (GLenum mode = GL_POINTS; mode <= GL_TRIANGLE_STRIP_ADJACENCY; mode++) {
        glDrawArrays(mode, 0, 1);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    }
    glBeginTransformFeedback(GL_LINES);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION); /* nothing to capture */
    glGetIntegerv(GL_MAX_PATCH_VERTICES, &value);
    assert_int_equal(value, 32);
    for (unsigned i = 0; i < 3; i++) {
        glPatchParameteri(GL_PATCH_VERTICES, (GLint[]){0, 33, -1}[i]);
        assert_int_equal(glGetError(), GL_INVALID_VALUE);
    }
    glGetIntegerv(GL_PATCH_VERTICES, &value);
    assert_int_equal(value, 3);
    glPatchParameteri(GL_PATCH_DEFAULT_INNER_LEVEL, 1);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glPatchParameterfv(GL_PATCH_VERTICES, (GLfloat[]){1});
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    drop_program(p);
    glDrawArrays(GL_PATCHES, 0, 3); /* no evaluation shader */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    p = use_program((const char *const[]){VS, NULL, NULL, NULL, NULL}, NULL);
    glDrawArrays(GL_PATCHES, 0, 3);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBegin(GL_PATCHES);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    drop_program(p);
    /* The primitives of the evaluation shader don't match the geometry shader's input. */
    const char *lines = V150 "layout(lines) in; layout(points, max_vertices = 1) out; out vec4 c;"
                             "void main() { c = vec4(1.0); EmitVertex(); }\n";
    p = glCreateProgram();
    const char *const texts[] = {VS, NULL, QUAD, lines, FS};
    for (unsigned i = 0; i < 5; i++) {
        if (texts[i])
            glAttachShader(p, gl_test_compile(types[i], texts[i]));
    }
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &value);
    if (value) {
        glUseProgram(p);
        glDrawArrays(GL_PATCHES, 0, 3);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    }
    drop_program(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_default_levels, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_barriers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_components, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_constant_inputs, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_order, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_geometry_and_restart, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_immediate_mode, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_queries, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
