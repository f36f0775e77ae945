/* SPDX-License-Identifier: MIT */
/* Buffer reads of draws other than vertex by vertex: instances, restart, uniform blocks. */
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

/* Creates a buffer with data and binds it to the target. */
static GLuint buffer(GLenum target, GLsizeiptr size, const void *data)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, size, data, GL_STATIC_DRAW);
    return name;
}

/* ------------------------------------------------------------------------------- instances --- */

/* The lower left quarter of the window, as a strip. */
static const float quarter[4][2] = {{-1, -1}, {0, -1}, {-1, 0}, {0, 0}};

static void test_instance_id(void **state)
{
    GLuint p =
        gl_test_program("#version 120\n"
                        "#extension GL_ARB_draw_instanced : require\n"
                        "varying float red;\n"
                        "void main() {\n"
                        "    red = float(gl_InstanceIDARB) / 3.0;\n"
                        "    vec2 at = vec2(mod(float(gl_InstanceID), 2.0), gl_InstanceID / 2);\n"
                        "    gl_Position = vec4(gl_Vertex.xy + at, 0, 1);\n"
                        "}",
                        "varying float red;\n"
                        "void main() { gl_FragColor = vec4(red, 1, 0, 1); }");
    static const GLubyte order[] = {0, 1, 2, 3};
    glUseProgram(p);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, quarter);
    for (int indexed = 0; indexed < 2; indexed++) {
        glClear(GL_COLOR_BUFFER_BIT);
        if (indexed)
            glDrawElementsInstancedARB(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, order, 3);
        else
            glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, 3);
        expect(3, 3, 0, 1, 0);
        expect(12, 3, 1 / 3.0f, 1, 0);
        expect(3, 12, 2 / 3.0f, 1, 0);
        expect(12, 12, 0, 0, 0);
    }
    glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, 0);
    glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, -1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDisableClientState(GL_VERTEX_ARRAY);
    gl_test_delete_program(p);
}

/* Checks attributes that advance every second instance, counted from the base instance. */
static void test_divisor(void **state)
{
    GLuint p =
        gl_test_program("#version 120\n"
                        "#extension GL_ARB_draw_instanced : require\n"
                        "attribute float weight;\n"
                        "varying float red;\n"
                        "void main() {\n"
                        "    red = weight;\n"
                        "    vec2 at = vec2(mod(float(gl_InstanceID), 2.0), gl_InstanceID / 2);\n"
                        "    gl_Position = vec4(gl_Vertex.xy + at, 0, 1);\n"
                        "}",
                        "varying float red;\n"
                        "void main() { gl_FragColor = vec4(red, 0, 0, 1); }");
    static const float weights[] = {0.25f, 0.5f, 1};
    GLint divisor;
    glUseProgram(p);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, quarter);
    glEnableVertexAttribArray(3);
    for (int in_buffer = 0; in_buffer < 2; in_buffer++) {
        GLuint b = in_buffer ? buffer(GL_ARRAY_BUFFER, sizeof weights, weights) : 0;
        glVertexAttribPointer(3, 1, GL_FLOAT, GL_FALSE, 0, in_buffer ? NULL : weights);
        glVertexAttribDivisorARB(3, 2);
        glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_DIVISOR_ARB, &divisor);
        assert_int_equal(divisor, 2);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, 4);
        expect(3, 3, 0.25f, 0, 0);
        expect(12, 3, 0.25f, 0, 0);
        expect(3, 12, 0.5f, 0, 0);
        expect(12, 12, 0.5f, 0, 0);
        glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, 3, 1);
        expect(12, 3, 0.5f, 0, 0);
        expect(3, 12, 1, 0, 0);
        /* glArrayElement transfers the first element of instanced arrays. */
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_TRIANGLE_STRIP);
        for (GLint i = 0; i < 4; i++)
            glArrayElement(i);
        glEnd();
        expect(3, 3, 0.25f, 0, 0);
        GLuint list = glGenLists(1);
        glNewList(list, GL_COMPILE);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glEndList();
        glClear(GL_COLOR_BUFFER_BIT);
        glCallList(list);
        expect(3, 3, 0.25f, 0, 0);
        glDeleteLists(list, 1);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glDeleteBuffers(1, &b);
    }
    glVertexAttribDivisorARB(99, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glVertexAttribDivisorARB(3, 0);
    glDisableVertexAttribArray(3);
    glDisableClientState(GL_VERTEX_ARRAY);
    gl_test_delete_program(p);
}

/* Draws an instance per pixel, more than fit in a batch. The second triangle of each covers the
 * pixel, the first covers nothing. Also uses indices that are far apart. */
static void test_many_instances(void **state)
{
    enum { FAR = 1024, COUNT = SIZE * SIZE };
    GLuint p =
        gl_test_program("#version 330\n"
                        "layout(location = 0) in vec2 place;\n"
                        "layout(location = 3) in float each;\n"
                        "layout(location = 4) in float fifth;\n"
                        "flat out vec2 c;\n"
                        "void main() {\n"
                        "    c = vec2(each, fifth);\n"
                        "    vec2 at = vec2(gl_InstanceID % 16, gl_InstanceID / 16) + place;\n"
                        "    gl_Position = vec4(at / 8.0 - 1.0, 0, 1);\n"
                        "}",
                        "#version 330\n"
                        "flat in vec2 c;\n"
                        "out vec4 color;\n"
                        "void main() { color = vec4(c, gl_PrimitiveID == 1 ? 1.0 : 0.0, 1); }");
    static const GLushort order[] = {0, 0, 0, 0, FAR, 2 * FAR};
    static const float places[2 * FAR + 1][2] = {
        [1] = {1.2f, 0.1f}, [2] = {0.1f, 1.2f}, [FAR] = {1.2f, 0.1f}, [2 * FAR] = {0.1f, 1.2f}};
    static const float corners[6][2] = {[4] = {1.2f, 0.1f}, [5] = {0.1f, 1.2f}};
    float each[COUNT];
    uint8_t pixel[COUNT][4];
    for (int i = 0; i < COUNT; i++)
        each[i] = i / 255.0f;
    glUseProgram(p);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(3);
    glEnableVertexAttribArray(4);
    glVertexAttribPointer(3, 1, GL_FLOAT, GL_FALSE, 0, each);
    glVertexAttribPointer(4, 1, GL_FLOAT, GL_FALSE, 0, each);
    glVertexAttribDivisorARB(3, 1);
    glVertexAttribDivisorARB(4, 5);
    for (int indexed = 0; indexed < 2; indexed++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, indexed ? places : corners);
        if (indexed)
            glDrawElementsInstancedARB(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, order, COUNT);
        else
            glDrawArraysInstancedARB(GL_TRIANGLES, 0, 6, COUNT);
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        for (int i = 0; i < COUNT; i++) {
            const uint8_t expected[] = {i, i / 5, 255, 255};
            assert_memory_equal(pixel[i], expected, 4);
        }
    }
    for (GLuint i = 0; i <= 4; i++) {
        glVertexAttribDivisorARB(i, 0);
        glDisableVertexAttribArray(i);
    }
    gl_test_delete_program(p);
}

static void test_instanced_draws_in_lists(void **state)
{
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glDrawArraysInstancedARB(GL_TRIANGLES, 0, 3, 2);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawElementsInstancedARB(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, quarter, 2);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndList();
    glCallList(list);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteLists(list, 1);
}

/* -------------------------------------------------------------------------------- restarts --- */

/* Lower left and upper right quarter, each a fan; 9 is not a vertex. */
static const float two_quarters[8][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0},
                                         {0, 0},   {1, 0},  {1, 1}, {0, 1}};
static const GLubyte two_fans[] = {0, 1, 2, 3, 9, 4, 5, 6, 7};

static void expect_two_quarters(void)
{
    expect(3, 3, 1, 1, 1);
    expect(12, 12, 1, 1, 1);
    expect(3, 12, 0, 0, 0);
    expect(12, 3, 0, 0, 0);
}

static void test_restart(void **state)
{
    GLfloat feedback[64];
    GLint index;
    glColor3f(1, 1, 1);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, two_quarters);
    glEnableClientState(GL_PRIMITIVE_RESTART_NV);
    assert_true(glIsEnabled(GL_PRIMITIVE_RESTART_NV));
    glPrimitiveRestartIndexNV(9);
    glGetIntegerv(GL_PRIMITIVE_RESTART_INDEX_NV, &index);
    assert_int_equal(index, 9);

    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLE_FAN, 9, GL_UNSIGNED_BYTE, two_fans);
    expect_two_quarters();

    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLE_FAN);
    for (unsigned i = 0; i < 9; i++)
        glArrayElement(two_fans[i]);
    glEnd();
    expect_two_quarters();

    /* The restart index is read when the list is compiled. */
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glDrawElements(GL_TRIANGLE_FAN, 9, GL_UNSIGNED_BYTE, two_fans);
    glEndList();
    glPrimitiveRestartIndexNV(0);
    glClear(GL_COLOR_BUFFER_BIT);
    glCallList(list);
    expect_two_quarters();
    glDeleteLists(list, 1);

    glPrimitiveRestartIndexNV(9);
    glFeedbackBuffer(64, GL_2D, feedback);
    glRenderMode(GL_FEEDBACK);
    glDrawElements(GL_LINE_STRIP, 9, GL_UNSIGNED_BYTE, two_fans);
    assert_int_equal(glRenderMode(GL_RENDER), 2 * 3 * 5);

    glDisableClientState(GL_PRIMITIVE_RESTART_NV);
    glPrimitiveRestartNV();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* Checks that commands without draws check their arguments (GL 4.6 §10.4). */
static void test_no_draws(void **state)
{
    static const GLint zero = 0;
    static const void *const indices[1] = {NULL};
    glMultiDrawArrays(GL_TRIANGLES, &zero, &zero, 0);
    glMultiDrawElements(GL_TRIANGLES, &zero, GL_UNSIGNED_BYTE, indices, 0);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, &zero, GL_UNSIGNED_INT, indices, 0, &zero);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glMultiDrawArrays(GL_TEXTURE_2D, &zero, &zero, 0);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glMultiDrawElements(GL_TEXTURE_2D, &zero, GL_UNSIGNED_BYTE, indices, 0);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glMultiDrawElements(GL_TRIANGLES, &zero, GL_FLOAT, indices, 0);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, &zero, GL_FLOAT, indices, 0, &zero);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

/* Checks that the first vertex of an indirect draw is unsigned (GL 4.6 §10.4). */
static void test_far_first(void **state)
{
    GLuint p = gl_test_program("#version 330 compatibility\n"
                               "void main() {\n"
                               "    uint i = uint(gl_VertexID) - 0x80000001u;\n"
                               "    gl_Position = vec4(vec2(i & 1u, i >> 1) * 2.0 - 1.0, 0, 1);\n"
                               "}",
                               "#version 330 compatibility\n"
                               "void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
    static const GLuint command[4] = {4, 1, 0x80000001, 0};
    GLuint parameters = buffer(GL_DRAW_INDIRECT_BUFFER, sizeof command, command);
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
    expect(0, 0, 0, 1, 0);
    expect(SIZE - 1, SIZE - 1, 0, 1, 0);
    glDeleteBuffers(1, &parameters);
    gl_test_delete_program(p);
}

/* -------------------------------------------------------------------------- uniform blocks --- */

static const char block_vs[] = "void main() { gl_Position = gl_Vertex; }";
static const char block_fs[] =
    "#version 120\n"
    "#extension GL_ARB_uniform_buffer_object : require\n"
    "layout(std140) uniform Colors { vec3 low; float unused; vec3 high[2]; };\n"
    "uniform int which;\n"
    "layout(std140) uniform Idle { vec4 idle; };\n"
    "layout(packed) uniform Gone { vec4 gone; };\n"
    "void main() {\n"
    "    vec3 c = gl_FragCoord.y < 8.0 ? low : high[which];\n"
    "    gl_FragColor = vec4(c, 1);\n"
    "}";

/* Draws columns first … last of the window. */
static void columns(int first, int last)
{
    float left = first / 8.0f - 1, right = (last + 1) / 8.0f - 1;
    glRectf(left, -1, right, 1);
}

static void test_uniform_block(void **state)
{
    static const float colors[3][64] = {
        {1, 0, 0, 9, 0, 1, 0, 9, 0, 0, 1}, {1, 1, 0, 9, 0, 1, 1, 9, 1, 0, 1}, {0.5f, 0.5f, 0.5f}};
    const GLsizeiptr part = sizeof colors[0];
    GLuint p = gl_test_program(block_vs, block_fs),
           b = buffer(GL_UNIFORM_BUFFER, sizeof colors, colors);
    GLuint block = glGetUniformBlockIndex(p, "Colors");
    GLint which = glGetUniformLocation(p, "which"), value;
    glUseProgram(p);
    glGetActiveUniformBlockiv(p, block, GL_UNIFORM_BLOCK_DATA_SIZE, &value);
    assert_int_equal(value, 48);
    /* A block that no shader reads is not active. */
    assert_int_not_equal(glGetUniformBlockIndex(p, "Idle"), GL_INVALID_INDEX);
    assert_int_equal(glGetUniformBlockIndex(p, "Gone"), GL_INVALID_INDEX);

    /* Ranges of one buffer, drawn without waiting in between. */
    glClear(GL_COLOR_BUFFER_BIT);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, b, 0, part);
    columns(0, 3);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, b, part, part);
    columns(4, 7);
    glUniform1i(which, 1);
    columns(8, 11);
    glBindBufferBase(GL_UNIFORM_BUFFER, 7, b);
    glUniformBlockBinding(p, block, 7);
    columns(12, 15);
    expect(2, 4, 1, 0, 0);
    expect(2, 12, 0, 1, 0);
    expect(6, 4, 1, 1, 0);
    expect(6, 12, 0, 1, 1);
    expect(10, 12, 1, 0, 1);
    expect(14, 4, 1, 0, 0);
    expect(14, 12, 0, 0, 1);
    glGetActiveUniformBlockiv(p, block, GL_UNIFORM_BLOCK_BINDING, &value);
    assert_int_equal(value, 7);

    /* Contents that change between draws. */
    columns(0, 7);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, 12, colors[2]);
    columns(8, 11);
    glBufferData(GL_UNIFORM_BUFFER, sizeof colors[1], colors[1], GL_STREAM_DRAW);
    columns(12, 15);
    expect(4, 4, 1, 0, 0);
    expect(10, 4, 0.5f, 0.5f, 0.5f);
    expect(14, 4, 1, 1, 0);

    /* Reads outside the range or without a buffer return zeros. */
    glBindBufferRange(GL_UNIFORM_BUFFER, 7, b, 0, 32);
    columns(0, 7);
    glDeleteBuffers(1, &b);
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 7, &value);
    assert_int_equal(value, 0);
    columns(8, 15);
    expect(4, 4, 1, 1, 0);
    expect(4, 12, 0, 0, 0);
    expect(12, 4, 0, 0, 0);
    gl_test_delete_program(p);
}

/* Checks that without a layout qualifier, arrays of scalars are as tight as in std430. */
static void test_shared_layout(void **state)
{
    static const float values[4] = {0.25f, 0.5f, 0.75f, 1.0f};
    static const char *name = "a";
    GLuint p = gl_test_program(block_vs, "#version 140\n"
                                         "uniform B { float a[4]; };\n"
                                         "out vec4 c;\n"
                                         "void main() { c = vec4(a[1], a[3], a[2], 1); }"),
           b = buffer(GL_UNIFORM_BUFFER, sizeof values, values), index;
    GLint value;
    glGetActiveUniformBlockiv(p, 0, GL_UNIFORM_BLOCK_DATA_SIZE, &value);
    assert_int_equal(value, 16);
    glGetUniformIndices(p, 1, &name, &index);
    glGetActiveUniformsiv(p, 1, &index, GL_UNIFORM_ARRAY_STRIDE, &value);
    assert_int_equal(value, 4);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, b);
    glUseProgram(p);
    columns(0, 15);
    expect(8, 8, 0.5f, 1, 0.75f);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
}

static void test_uniform_buffer_errors(void **state)
{
    GLuint b = buffer(GL_UNIFORM_BUFFER, 256, NULL);
    GLint alignment, bindings, value;
    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    glGetIntegerv(GL_MAX_UNIFORM_BUFFER_BINDINGS, &bindings);
    assert_true(alignment > 1 && alignment <= 256 && bindings >= 36);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, b, alignment, 64);
    glBindBufferBase(GL_UNIFORM_BUFFER, bindings, b);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, b, 1, 16);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, b, 0, 0);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, 0, -alignment, 16); /* without a buffer, too */
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferBase(GL_ARRAY_BUFFER, 1, b);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glGetIntegeri_v(GL_UNIFORM_BUFFER_START, 1, &value);
    assert_int_equal(value, alignment);
    glGetIntegeri_v(GL_UNIFORM_BUFFER_SIZE, 1, &value);
    assert_int_equal(value, 64);
    glDeleteBuffers(1, &b);
}

/* Checks the accesses that a data store allows: none before it exists (GL 4.6 tables 6.2 and
 * 6.3). */
static void test_storage_flags(void **state)
{
    const GLint implied = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT;
    GLuint names[2];
    GLint flags;
    glGenBuffers(2, names);
    glBindBuffer(GL_ARRAY_BUFFER, names[0]);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
    assert_int_equal(flags, 0);
    assert_null(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY)); /* a mapping of length 0 */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    for (GLsizeiptr size = 0; size <= 16; size += 16) {
        glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_STATIC_DRAW);
        glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
        assert_int_equal(flags, implied);
    }
    glBindBuffer(GL_ARRAY_BUFFER, names[1]);
    glBufferStorage(GL_ARRAY_BUFFER, 16, NULL, GL_MAP_READ_BIT);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
    assert_int_equal(flags, GL_MAP_READ_BIT);
    /* the size of the mutable storage before */
    glBindBuffer(GL_ARRAY_BUFFER, names[0]);
    glBufferStorage(GL_ARRAY_BUFFER, 16, NULL, GL_MAP_READ_BIT);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
    assert_int_equal(flags, GL_MAP_READ_BIT);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 4, &flags);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteBuffers(2, names);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* A map that invalidates a range keeps the rest of the buffer, also if a draw still uses it. */
/* Arrays and indices are drawn while their buffers are mapped; indirect draws are errors. */
static void test_mapped_arrays(void **state)
{
    static const GLushort order[] = {0, 1, 2, 3};
    static const GLuint command[] = {4, 1, 0, 0, 0};
    static const GLenum targets[] = {GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER};
    GLuint buffers[] = {buffer(GL_ARRAY_BUFFER, sizeof quarter, quarter),
                        buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof order, order),
                        buffer(GL_DRAW_INDIRECT_BUFFER, sizeof command, command)};
    glUseProgram(0);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glColor3f(0, 1, 0);
    for (unsigned i = 0; i < 4; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        assert_non_null(glMapBuffer(targets[i & 1], i & 2 ? GL_READ_WRITE : GL_READ_ONLY));
        glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL);
        expect_error(GL_NO_ERROR);
        expect(3, 3, 0, 1, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        expect_error(GL_NO_ERROR);
        expect(3, 3, 0, 1, 0);
        glUnmapBuffer(targets[i & 1]);
    }
    assert_non_null(glMapBuffer(GL_DRAW_INDIRECT_BUFFER, GL_READ_ONLY));
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
    expect_error(GL_INVALID_OPERATION);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteBuffers(3, buffers);
}

static void test_invalidated_range(void **state)
{
    enum { BYTES = 1 << 16, FIRST = 1000, COUNT = 500 };
    static GLubyte data[BYTES], read[BYTES];
    memset(data, 7, BYTES);
    GLuint name = buffer(GL_ARRAY_BUFFER, BYTES, data);
    GLuint program = gl_test_program("#version 140\n#extension GL_ARB_compatibility : require\n"
                                     "void main() { gl_Position = gl_Vertex; }",
                                     "#version 140\nlayout(std140) uniform B { vec4 c; };\n"
                                     "void main() { gl_FragColor = c; }");
    glUseProgram(program);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, name);
    glRectf(-1, -1, 1, 1);
    GLubyte *p = glMapBufferRange(GL_ARRAY_BUFFER, FIRST, COUNT,
                                  GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
    assert_non_null(p);
    memset(p, 9, COUNT);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, BYTES, read);
    for (unsigned i = 0; i < BYTES; i++)
        assert_int_equal(read[i], i >= FIRST && i < FIRST + COUNT ? 9 : 7);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &name);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instance_id),       cmocka_unit_test(test_divisor),
        cmocka_unit_test(test_many_instances),    cmocka_unit_test(test_instanced_draws_in_lists),
        cmocka_unit_test(test_restart),           cmocka_unit_test(test_uniform_block),
        cmocka_unit_test(test_shared_layout),     cmocka_unit_test(test_uniform_buffer_errors),
        cmocka_unit_test(test_storage_flags),     cmocka_unit_test(test_far_first),
        cmocka_unit_test(test_no_draws),          cmocka_unit_test(test_mapped_arrays),
        cmocka_unit_test(test_invalidated_range),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
