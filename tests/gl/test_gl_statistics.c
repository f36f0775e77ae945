/* SPDX-License-Identifier: MIT */
/* Pipeline statistics queries: exact counts, also where the specification allows others. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 16

enum statistic {
    VERTICES,
    PRIMITIVES,
    VS,
    TCS,
    TES,
    GS,
    GS_PRIMITIVES,
    FS,
    CS,
    CLIP_IN,
    CLIP_OUT,
    COUNT,
};

static const GLenum targets[COUNT] = {
    GL_VERTICES_SUBMITTED,
    GL_PRIMITIVES_SUBMITTED,
    GL_VERTEX_SHADER_INVOCATIONS,
    GL_TESS_CONTROL_SHADER_PATCHES,
    GL_TESS_EVALUATION_SHADER_INVOCATIONS,
    GL_GEOMETRY_SHADER_INVOCATIONS,
    GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED,
    GL_FRAGMENT_SHADER_INVOCATIONS,
    GL_COMPUTE_SHADER_INVOCATIONS,
    GL_CLIPPING_INPUT_PRIMITIVES,
    GL_CLIPPING_OUTPUT_PRIMITIVES,
};

#define V430 "#version 430 compatibility\n"
#define PASS V430 "void main() { gl_Position = gl_Vertex; }\n"
#define TINT V430 "void main() { gl_FragColor = vec4(1.0); }\n"

static GLuint query[COUNT];

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    if (gl_test_setup(state, GL_API_COMPAT, &window))
        return -1;
    glGenQueries(COUNT, query);
    return 0;
}

static int teardown(void **state)
{
    glDeleteQueries(COUNT, query);
    return gl_test_teardown(state);
}

static void begin(void)
{
    for (unsigned i = 0; i < COUNT; i++)
        glBeginQuery(targets[i], query[i]);
}

static void end(const GLuint64 want[COUNT])
{
    for (unsigned i = 0; i < COUNT; i++)
        glEndQuery(targets[i]);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < COUNT; i++) {
        GLuint64 got;
        glGetQueryObjectui64v(query[i], GL_QUERY_RESULT, &got);
        if (got != want[i])
            fail_msg("statistic %u is %llu, not %llu", i, (unsigned long long)got,
                     (unsigned long long)want[i]);
    }
}

static GLuint use_program(const GLenum *types, const char *const *texts, unsigned count)
{
    GLuint p = glCreateProgram();
    for (unsigned i = 0; i < count; i++)
        gl_test_attach(p, types[i], texts[i]);
    gl_test_use(p);
    return p;
}

static void drop(GLuint program)
{
    gl_test_delete_program(program);
}

static const GLfloat square[] = {-1, -1, 1, -1, -1, 1, 1, 1, 5, 5, 6, 5, 5, 6};

/* Checks that fragments of images count, but not the rectangles that cover them. */
static void test_pixels(void **state)
{
    static const GLubyte pixels[4 * 4 * 4] = {255};
    GLuint generated, count;
    glGenQueries(1, &generated);
    glWindowPos2i(0, 0);
    glBeginQuery(GL_PRIMITIVES_GENERATED, generated);
    begin();
    glDrawPixels(4, 4, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBitmap(8, 1, 0, 0, 0, 0, (const GLubyte[]){0xff, 0, 0, 0});
    end((const GLuint64[COUNT]){[FS] = 16 + 8});
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(generated, GL_QUERY_RESULT, &count);
    assert_int_equal(count, 0);
    glDeleteQueries(1, &generated);
}

/* Draws a square that fills the window, and a triangle outside the clip volume. */
static void test_vertices_and_fragments(void **state)
{
    static const GLubyte index[] = {0, 1, 2, 3, 255, 4, 5, 6};
    GLuint p = gl_test_program(PASS, TINT);
    glUseProgram(p);
    glVertexPointer(2, GL_FLOAT, 0, square);
    glEnableClientState(GL_VERTEX_ARRAY);
    begin();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDrawArrays(GL_TRIANGLES, 4, 3);
    end((const GLuint64[COUNT]){7, 3, 7, [FS] = SIZE * SIZE, [CLIP_IN] = 3, [CLIP_OUT] = 2});

    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(255);
    begin();
    glDrawElementsInstanced(GL_TRIANGLE_STRIP, 8, GL_UNSIGNED_BYTE, index, 3);
    glClear(GL_COLOR_BUFFER_BIT); /* only the application's draws count */
    end((const GLuint64[COUNT]){21, 9, 21, [FS] = 3 * SIZE * SIZE, [CLIP_IN] = 9, [CLIP_OUT] = 6});
    glDisable(GL_PRIMITIVE_RESTART);

    /* Draws without visible effect count, too. */
    glColorMask(0, 0, 0, 0);
    begin();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    end((const GLuint64[COUNT]){4, 2, 4, [FS] = SIZE * SIZE, [CLIP_IN] = 2, [CLIP_OUT] = 2});
    glColorMask(1, 1, 1, 1);
    glEnable(GL_RASTERIZER_DISCARD);
    begin();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    end((const GLuint64[COUNT]){4, 2, 4});
    glDisable(GL_RASTERIZER_DISCARD);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 0, 0);
    begin();
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    end((const GLuint64[COUNT]){4, 2, 4, [CLIP_IN] = 2, [CLIP_OUT] = 2});
    glDisable(GL_SCISSOR_TEST);
    glDisableClientState(GL_VERTEX_ARRAY);
    drop(p);
}

/* Checks that fragments that fail a test before shading are not counted, while discarded ones
 * are. */
static void test_fragment_tests(void **state)
{
    GLuint p = gl_test_program(PASS, V430 "layout(early_fragment_tests) in;"
                                          "void main() { if (gl_FragCoord.x < 4.0) discard;"
                                          "gl_FragColor = vec4(1.0); }\n");
    glUseProgram(p);
    glEnable(GL_DEPTH_TEST);
    glClearDepth(0.25);
    glClear(GL_DEPTH_BUFFER_BIT);
    glClearDepth(1.0);
    begin();
    glRectf(-1, -1, 1, 1);
    end((const GLuint64[COUNT]){4, 1, 4, [CLIP_IN] = 2, [CLIP_OUT] = 2});
    glDisable(GL_DEPTH_TEST);
    begin();
    glRectf(-1, -1, 0, 1);
    end((const GLuint64[COUNT]){4, 1, 4, [FS] = SIZE * SIZE / 2, [CLIP_IN] = 2, [CLIP_OUT] = 2});
    drop(p);
}

/* Many vertices, which several workers count. */
static void test_many(void **state)
{
    GLuint p =
        gl_test_program(V430 "void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n", TINT);
    glUseProgram(p);
    begin();
    glDrawArrays(GL_POINTS, 0, 20000);
    end((const GLuint64[COUNT]){20000, 20000,
                                20000, [FS] = 20000, [CLIP_IN] = 20000, [CLIP_OUT] = 20000});
    drop(p);
}

static void test_geometry_stages(void **state)
{
    static const GLenum types[] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER,
                                   GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                   GL_FRAGMENT_SHADER};
    static const char *const texts[] = {
        V430 "void main() { gl_Position = vec4(0.0); }\n",
        V430 "layout(vertices = 2) out; void main() { gl_TessLevelOuter[0] = 1.0;"
             "gl_TessLevelOuter[1] = 4.0; }\n",
        V430 "layout(isolines) in; void main() {"
             "gl_Position = vec4(gl_TessCoord.x, 0.0, 0.0, 1.0); }\n",
        V430 "layout(lines, invocations = 3) in; layout(points, max_vertices = 2) out;"
             "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex();"
             "gl_Position = vec4(3.0, 3.0, 0.0, 1.0); EmitVertex(); }\n",
        TINT,
    };
    GLuint p = use_program(types, texts, 5);
    glPatchParameteri(GL_PATCH_VERTICES, 2);
    begin();
    glDrawArrays(GL_PATCHES, 0, 10); /* five patches, each with five points and four lines */
    end((const GLuint64[COUNT]){10, 5, 10, 5, 25, 60, 120, 60, 0, 120, 60});
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    drop(p);
}

static void test_compute(void **state)
{
    static const GLenum type = GL_COMPUTE_SHADER;
    static const char *const text =
        V430 "layout(local_size_x = 5, local_size_y = 2) in; void main() {}\n";
    GLuint p = use_program(&type, &text, 1);
    begin();
    glDispatchCompute(3, 2, 7);
    end((const GLuint64[COUNT]){[CS] = 420});
    drop(p);
}

static void test_objects(void **state)
{
    GLint value;
    GLuint buffer, result;
    glGetQueryiv(targets[VS], GL_QUERY_COUNTER_BITS, &value);
    assert_true(value >= 32);
    glGetQueryIndexediv(GL_TIMESTAMP, 0, GL_QUERY_COUNTER_BITS, &value);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetQueryIndexediv(GL_TIMESTAMP, 1, GL_QUERY_COUNTER_BITS, &value);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBeginQueryIndexed(targets[VS], 1, query[VS]);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBeginQuery(targets[VS], query[VS]);
    glGetQueryiv(targets[VS], GL_CURRENT_QUERY, &value);
    assert_int_equal(value, query[VS]);
    glGetQueryiv(targets[FS], GL_CURRENT_QUERY, &value);
    assert_int_equal(value, 0);
    glBeginQuery(targets[VS], query[COUNT - 1]);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glRectf(-1, -1, 1, 1);
    glEndQuery(targets[FS]);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndQuery(targets[VS]);

    glGenBuffers(1, &buffer);
    glBindBuffer(GL_QUERY_BUFFER, buffer);
    glBufferData(GL_QUERY_BUFFER, 8, NULL, GL_STATIC_READ);
    glGetQueryObjectuiv(query[VS], GL_QUERY_RESULT, (GLuint *)4);
    glGetBufferSubData(GL_QUERY_BUFFER, 4, 4, &result);
    assert_int_equal(result, 4);
    glDeleteBuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);

    glBeginConditionalRender(query[VS], GL_QUERY_WAIT);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBeginQuery(GL_SAMPLES_PASSED, query[VS]);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);

    /* Deleted while active. */
    GLuint one;
    glGenQueries(1, &one);
    glBeginQuery(targets[CLIP_IN], one);
    glDeleteQueries(1, &one);
    glRectf(-1, -1, 1, 1);
    begin();
    end((const GLuint64[COUNT]){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices_and_fragments),
        cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_fragment_tests),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_geometry_stages),
        cmocka_unit_test(test_compute),
        cmocka_unit_test(test_objects),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
