/* SPDX-License-Identifier: MIT */
/* Multiview rendering (OVR_multiview, OVR_multiview2): draws and clears of all views, completeness,
 * queries, and the errors of each command. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"
#include "indium/limits.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

enum { SIZE = 32, LAYERS = 6 };

void glNamedFramebufferTextureMultiviewOVR(GLuint framebuffer, GLenum attachment, GLuint texture,
                                           GLint level, GLint first, GLsizei views);

static GLuint array, fbo;

static GLuint make_array(GLenum format, GLenum base, GLenum type, unsigned layers)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D_ARRAY, t);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, (GLint)format, SIZE, SIZE, (GLsizei)layers, 0, base, type,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return t;
}

static void attach_views(GLenum attachment, GLuint texture, GLint first, GLsizei views)
{
    glFramebufferTextureMultiviewOVR(GL_DRAW_FRAMEBUFFER, attachment, texture, 0, first, views);
}

/* Makes the context current with a cleared array texture (black) and a framebuffer object. */
static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    int result = gl_test_setup(state, GL_API_COMPAT, &window);
    array = make_array(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, LAYERS);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    attach_views(GL_COLOR_ATTACHMENT0, array, 0, LAYERS);
    glClear(GL_COLOR_BUFFER_BIT);
    attach_views(GL_COLOR_ATTACHMENT0, array, 0, 1);
    glViewport(0, 0, SIZE, SIZE);
    return glGetError() == GL_NO_ERROR ? result : -1;
}

static int teardown(void **state)
{
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &array);
    return gl_test_teardown(state);
}

/* Checks a pixel of a layer. */
static void expect_layer(GLuint texture, int layer, int x, int y, float r, float g, float b)
{
    GLuint reader;
    glGenFramebuffers(1, &reader);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, reader);
    glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
    expect(x, y, r, g, b);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glDeleteFramebuffers(1, &reader);
}

#define HEADER "#version 330 compatibility\n#extension GL_OVR_multiview2 : require\n"
/* Quad (view % 4) of the viewport's four columns, in a color that depends on the view. */
#define COLUMN_VS(views)                                                                           \
    HEADER "layout(num_views = " #views ") in;\n"                                                  \
           "flat out uint view;\n"                                                                 \
           "void main() {\n"                                                                       \
           "    view = gl_ViewID_OVR;\n"                                                           \
           "    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"                              \
           "    float column = float(gl_ViewID_OVR % 4u) + at.x;\n"                                \
           "    gl_Position = vec4(column * 0.5 - 1.0, at.y * 2.0 - 1.0, 0.0, 1.0);\n"             \
           "}\n"
#define COLUMN_FS                                                                                  \
    HEADER "flat in uint view;\n"                                                                  \
           "void main() {\n"                                                                       \
           "    gl_FragColor = vec4(1.0, float(view) / 4.0, float(gl_ViewID_OVR) / 4.0, 1.0);\n"   \
           "}\n"

static void expect_columns(unsigned first, unsigned views)
{
    for (unsigned layer = 0; layer < LAYERS; layer++)
        for (unsigned column = 0; column < 4; column++) {
            unsigned view = layer - first;
            bool drawn = view < views && view % 4 == column;
            float v = drawn ? (float)view / 4.0f : 0.0f;
            expect_layer(array, (int)layer, (int)(column * SIZE / 4 + 3), 9, drawn, v, v);
        }
}

/* Checks that a draw covers its own column in each view, for several ranges of layers. */
static void test_draw(void **state)
{
    GLuint p = gl_test_program(COLUMN_VS(3), COLUMN_FS);
    glUseProgram(p);
    for (int first = 0; first <= LAYERS - 3; first += 3) {
        attach_views(GL_COLOR_ATTACHMENT0, array, 0, LAYERS);
        glClear(GL_COLOR_BUFFER_BIT);
        attach_views(GL_COLOR_ATTACHMENT0, array, first, 3);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        expect_columns((unsigned)first, 3);
    }
    gl_test_delete_program(p);
    expect_error(GL_NO_ERROR);
}

/* Checks the other draw commands: with indices, instances, several ranges, and in a display
 * list. */
static void test_commands(void **state)
{
    static const GLushort indices[] = {0, 1, 2, 3};
    static const GLint firsts[] = {0, 1};
    static const GLsizei counts[] = {3, 3};
    const void *const offsets[] = {indices, indices + 1};
    GLuint p = gl_test_program(COLUMN_VS(2), COLUMN_FS), list = glGenLists(1);
    glUseProgram(p);
    glNewList(list, GL_COMPILE);
    glBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 4; i++)
        glVertex2f(0, 0);
    glEnd();
    glEndList();
    for (unsigned i = 0; i < 6; i++) {
        attach_views(GL_COLOR_ATTACHMENT0, array, 0, LAYERS);
        glClear(GL_COLOR_BUFFER_BIT);
        attach_views(GL_COLOR_ATTACHMENT0, array, 2, 2);
        switch (i) {
        case 0:
            glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, indices);
            break;
        case 1:
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 3);
            break;
        case 2:
            glMultiDrawArrays(GL_TRIANGLES, firsts, counts, 2);
            break;
        case 3:
            glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_SHORT, offsets, 2);
            break;
        case 4:
            glCallList(list);
            break;
        default:
            glBegin(GL_TRIANGLE_STRIP);
            for (int v = 0; v < 4; v++)
                glVertex2f(0, 0);
            glEnd();
        }
        expect_columns(2, 2);
    }
    glDeleteLists(list, 1);
    gl_test_delete_program(p);
}

/* Checks depth testing per view: each view draws at its own depth. */
static void test_depth(void **state)
{
    GLuint depth = make_array(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4);
    GLuint p =
        gl_test_program(HEADER "layout(num_views = 2) in;\n"
                               "uniform vec2 z;\n"
                               "void main() {\n"
                               "    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                               "    gl_Position = vec4(at * 2.0 - 1.0, z[gl_ViewID_OVR], 1.0);\n"
                               "}\n",
                        HEADER "uniform vec4 color; void main() { gl_FragColor = color; }\n");
    attach_views(GL_COLOR_ATTACHMENT0, array, 1, 2);
    attach_views(GL_DEPTH_ATTACHMENT, depth, 2, 2);
    assert_int_equal(glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(p);
    GLint z = glGetUniformLocation(p, "z"), color = glGetUniformLocation(p, "color");
    glUniform2f(z, -0.5f, 0.5f);
    glUniform4f(color, 1, 0, 0, 1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glUniform2f(z, 0.0f, 0.0f); /* behind in view 0, in front in view 1 */
    glUniform4f(color, 0, 1, 0, 1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    expect_layer(array, 0, 5, 5, 0, 0, 0);
    expect_layer(array, 1, 5, 5, 1, 0, 0);
    expect_layer(array, 2, 5, 5, 0, 1, 0);
    expect_layer(array, 3, 5, 5, 0, 0, 0);

    /* Views of a depth buffer alone. */
    attach_views(GL_COLOR_ATTACHMENT0, 0, 0, 0);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUniform2f(z, 0.5f, -0.5f);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    attach_views(GL_COLOR_ATTACHMENT0, array, 4, 2);
    glUniform2f(z, 0.0f, 0.0f); /* in front in view 0, behind in view 1 */
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    expect_layer(array, 4, 5, 5, 0, 1, 0);
    expect_layer(array, 5, 5, 5, 0, 0, 0);
    glDeleteTextures(1, &depth);
    gl_test_delete_program(p);
}

/* Checks that all views have the same fragments in a draw that is divided between threads. */
static void test_many(void **state)
{
    enum { POINTS = 1 << 14 };
    GLuint query, samples;
    GLuint p =
        gl_test_program(HEADER "layout(num_views = 4) in;\n"
                               "flat out uint view;\n"
                               "void main() {\n"
                               "    ivec2 at = ivec2(gl_VertexID & 31, gl_VertexID >> 5 & 31);\n"
                               "    view = gl_ViewID_OVR;\n"
                               "    gl_Position = vec4((vec2(at) + 0.5) / 16.0 - 1.0, 0.0, 1.0);\n"
                               "}\n",
                        COLUMN_FS);
    glUseProgram(p);
    attach_views(GL_COLOR_ATTACHMENT0, array, 0, 4);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glDrawArrays(GL_POINTS, 0, POINTS);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
    assert_int_equal(samples, 4 * POINTS); /* the sum, between the views' maximum and their sum */
    for (int view = 0; view < 4; view++)
        for (int i = 0; i < SIZE; i++)
            expect_layer(array, view, i, (i * 7) % SIZE, 1, view / 4.0f, view / 4.0f);
    glDeleteQueries(1, &query);
    gl_test_delete_program(p);
}

/* Checks that the view is 0 without views, whatever the layer. */
static void test_no_views(void **state)
{
    GLuint p = gl_test_program(
        HEADER "#extension GL_AMD_vertex_shader_layer : require\n"
               "void main() {\n"
               "    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
               "    gl_Position = vec4(at * 2.0 - 1.0, float(gl_ViewID_OVR), 1.0);\n"
               "    gl_Layer = gl_InstanceID;\n"
               "}\n",
        HEADER "void main() { gl_FragColor = vec4(1.0, float(gl_ViewID_OVR), 0.0, 1.0); }\n");
    glFramebufferTexture(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0);
    glUseProgram(p);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 2);
    expect_layer(array, 0, 4, 4, 1, 0, 0);
    expect_layer(array, 1, 4, 4, 1, 0, 0);
    expect_layer(array, 2, 4, 4, 0, 0, 0);
    gl_test_delete_program(p);
}

/* Checks that clears reach all views and nothing else, with scissor and write masks. */
static void test_clears(void **state)
{
    attach_views(GL_COLOR_ATTACHMENT0, array, 1, 3);
    glClearColor(1, 1, 0, 1);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, SIZE / 2, SIZE);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_FALSE, GL_FALSE, GL_TRUE, GL_FALSE);
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){0, 0, 1, 0});
    for (int layer = 0; layer < LAYERS; layer++) {
        bool view = layer >= 1 && layer < 4;
        expect_layer(array, layer, 3, 3, view, view, view);
        expect_layer(array, layer, SIZE - 3, 3, 0, 0, view);
    }
}

/* Checks that a blit writes the first view only, and that reads of several views raise an error. */
static void test_copies(void **state)
{
    GLuint source = make_array(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 2), reader;
    GLubyte pixel[4] = {7, 7, 7, 7};
    attach_views(GL_COLOR_ATTACHMENT0, source, 0, 2);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glGenFramebuffers(1, &reader);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, reader);
    glFramebufferTextureMultiviewOVR(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, source, 0, 1, 1);
    attach_views(GL_COLOR_ATTACHMENT0, array, 2, 3);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect(3, 3, 0, 1, 0); /* a single view can be read */
    for (int layer = 0; layer < LAYERS; layer++)
        expect_layer(array, layer, 3, 3, 0, layer == 2, 0);

    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    expect_error(GL_INVALID_FRAMEBUFFER_OPERATION);
    assert_int_equal(pixel[0], 7);
    glBindTexture(GL_TEXTURE_2D_ARRAY, source);
    glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 4, 4);
    expect_error(GL_INVALID_FRAMEBUFFER_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, 4, 4, 0);
    expect_error(GL_INVALID_FRAMEBUFFER_OPERATION);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, reader);
    glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect_error(GL_INVALID_FRAMEBUFFER_OPERATION);
    glDeleteFramebuffers(1, &reader);
    glDeleteTextures(1, &source);
}

static GLint parameter(GLenum pname)
{
    GLint v = -1;
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, pname, &v);
    return v;
}

static void test_queries(void **state)
{
    GLuint rb;
    GLint most = 0;
    glGetIntegerv(GL_MAX_VIEWS_OVR, &most);
    assert_int_equal(most, DRV_MAX_VIEWS);
    attach_views(GL_COLOR_ATTACHMENT0, array, 2, 3);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR), 3);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR), 2);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER), 2);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_LAYERED), 0);
    glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 4);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR), 0);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR), 0);
    expect_error(GL_NO_ERROR);
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR);
    expect_error(GL_INVALID_ENUM);
    glNamedFramebufferTextureMultiviewOVR(fbo, GL_COLOR_ATTACHMENT0, array, 0, 1, 4);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR), 4);
    glNamedFramebufferTextureMultiviewOVR(fbo, GL_COLOR_ATTACHMENT0, 0, 9, -1, 0);
    assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), GL_NONE);
    expect_error(GL_NO_ERROR);
    glNamedFramebufferTextureMultiviewOVR(fbo + 9, GL_COLOR_ATTACHMENT0, array, 0, 1, 4);
    expect_error(GL_INVALID_OPERATION);
    glDeleteRenderbuffers(1, &rb);
}

static void test_completeness(void **state)
{
    GLuint depth = make_array(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4);
    const struct {
        GLint first;
        GLsizei views, depth_views; /* depth_views 0: a single layer, not a view */
        GLenum status;
    } rows[] = {
        {0, LAYERS, 4, GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR},
        {2, 4, 4, GL_FRAMEBUFFER_COMPLETE},
        {0, 2, 4, GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR},
        {0, 2, 0, GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR},
        {0, 4, 5, GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT},
        {LAYERS - 3, 4, 4, GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT},
        {0, LAYERS + 1, LAYERS + 1, GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT},
        {LAYERS, 1, 1, GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        attach_views(GL_COLOR_ATTACHMENT0, array, rows[i].first, rows[i].views);
        if (rows[i].depth_views)
            attach_views(GL_DEPTH_ATTACHMENT, depth, 0, rows[i].depth_views);
        else
            glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0, 0);
        if (glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != rows[i].status)
            fail_msg("row %u: status 0x%x", i, glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER));
    }
    glClear(GL_COLOR_BUFFER_BIT);
    expect_error(GL_INVALID_FRAMEBUFFER_OPERATION);
    glDeleteTextures(1, &depth);
}

/* Checks the errors of glFramebufferTextureMultiviewOVR; the attachment stays as it was. */
static void test_attach_errors(void **state)
{
    GLuint flat;
    GLint layers, levels = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    for (GLint size = 1; size; size = size < 1 << 14 ? size * 2 : 0)
        levels++;
    glGenTextures(1, &flat);
    glBindTexture(GL_TEXTURE_2D, flat);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    attach_views(GL_COLOR_ATTACHMENT0, array, 1, 2);
    const struct {
        GLenum target, attachment;
        GLuint texture;
        GLint level, first;
        GLsizei views;
        GLenum error;
    } rows[] = {
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 0, 0, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 0, -1, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 0, DRV_MAX_VIEWS + 1,
         GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, -1, 2, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, layers - 1, 2, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, INT32_MAX, 2, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, -1, 0, 2, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, levels + 8, 0, 2, GL_INVALID_VALUE},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, flat, 0, 0, 1, GL_INVALID_OPERATION},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, flat + 9, 0, 0, 1, GL_INVALID_OPERATION},
        {GL_DRAW_FRAMEBUFFER, GL_BACK, array, 0, 0, 2, GL_INVALID_ENUM},
        {GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + 31, array, 0, 0, 2, GL_INVALID_OPERATION},
        {GL_TEXTURE_2D, GL_COLOR_ATTACHMENT0, array, 0, 0, 2, GL_INVALID_ENUM},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        glFramebufferTextureMultiviewOVR(rows[i].target, rows[i].attachment, rows[i].texture,
                                         rows[i].level, rows[i].first, rows[i].views);
        GLenum error = glGetError();
        if (error != rows[i].error)
            fail_msg("row %u: error 0x%x", i, error);
        assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR), 2);
        assert_int_equal(parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR), 1);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    attach_views(GL_COLOR_ATTACHMENT0, array, 0, 2);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &flat);
}

static void draw_error(GLenum error)
{
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect_error(error);
}

/* Checks that programs must declare the framebuffer's number of views. */
static void test_mismatches(void **state)
{
    GLuint two = gl_test_program(COLUMN_VS(2), COLUMN_FS);
    GLuint one = gl_test_program(COLUMN_VS(1), COLUMN_FS);
    GLuint none = gl_test_program("#version 120\nvoid main() { gl_Position = vec4(0.0); }\n",
                                  "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }\n");
    const struct {
        GLuint program;
        GLsizei views; /* 0: no view */
        GLenum error;
    } rows[] = {
        {two, 2, GL_NO_ERROR},          {two, 1, GL_INVALID_OPERATION},
        {two, 3, GL_INVALID_OPERATION}, {two, 0, GL_INVALID_OPERATION},
        {one, 1, GL_NO_ERROR},          {one, 0, GL_NO_ERROR},
        {one, 2, GL_INVALID_OPERATION}, {none, 1, GL_NO_ERROR},
        {none, 0, GL_NO_ERROR},         {none, 2, GL_INVALID_OPERATION},
        {0, 2, GL_INVALID_OPERATION}, /* fixed function */
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        if (rows[i].views)
            attach_views(GL_COLOR_ATTACHMENT0, array, 0, rows[i].views);
        else
            glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 0);
        glUseProgram(rows[i].program);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        GLenum error = glGetError();
        if (error != rows[i].error)
            fail_msg("row %u: error 0x%x", i, error);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(two);
    draw_error(GL_INVALID_OPERATION);
    glUseProgram(0);
    glDeleteProgram(two);
    glDeleteProgram(one);
    glDeleteProgram(none);
}

#define STAGES                                                                                     \
    "#version 400\n#extension GL_OVR_multiview2 : require\n"                                       \
    "#extension GL_EXT_multiview_tessellation_geometry_shader : require\n"
#define IN_STAGE_VS(views)                                                                         \
    STAGES "layout(num_views = " #views ") in;\n"                                                  \
           "out float of_vertex; void main() { of_vertex = float(gl_ViewID_OVR) / 4.0; }\n"
#define CONTROL(views)                                                                             \
    STAGES "layout(num_views = " #views ") in; layout(vertices = 3) out;\n"                        \
           "in float of_vertex[]; patch out float of_patch; out float of_control[];\n"             \
           "void main() {\n"                                                                       \
           "    of_control[gl_InvocationID] = of_vertex[0];\n"                                     \
           "    of_patch = float(gl_ViewID_OVR) / 4.0;\n"                                          \
           "    gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0);\n"                                \
           "    gl_TessLevelInner = float[](1.0, 1.0);\n"                                          \
           "}\n"
/* A quad in the column of the view. Red: all stages agree on the view. */
#define EVALUATION(views, inputs, same, out)                                                       \
    STAGES "layout(quads, num_views = " #views ") in;\n" inputs "out vec2 " out ";\n"              \
           "void main() {\n"                                                                       \
           "    float v = float(gl_ViewID_OVR) / 4.0;\n"                                           \
           "    " out " = vec2(" same " ? 1.0 : 0.0, v);\n"                                        \
           "    gl_Position = vec4((v + gl_TessCoord.x * 0.25) * 2.0 - 1.0,\n"                     \
           "                       gl_TessCoord.y * 2.0 - 1.0, 0.0, 1.0);\n"                       \
           "}\n"
#define GEOMETRY(views, type, input, same)                                                         \
    STAGES "layout(" type ", num_views = " #views ") in;\n"                                        \
           "layout(triangle_strip, max_vertices = 4) out;\n" input "out vec2 color;\n"             \
           "void main() {\n"                                                                       \
           "    for (int i = 0; i < 4; i++) {\n"                                                   \
           "        float v = float(gl_ViewID_OVR) / 4.0;\n"                                       \
           "        color = vec2(" same " ? 1.0 : 0.0, v);\n"                                      \
           "        gl_Position = vec4((v + float(i & 1) * 0.25) * 2.0 - 1.0,\n"                   \
           "                           float(i & 2) - 1.0, 0.0, 1.0);\n"                           \
           "        EmitVertex();\n"                                                               \
           "    }\n"                                                                               \
           "}\n"
#define STAGE_FS                                                                                   \
    STAGES "in vec2 color; out vec4 c;\n"                                                          \
           "void main() { c = vec4(color, float(gl_ViewID_OVR) / 4.0, 1.0); }\n"

static const struct stage_case {
    const char *vs, *tcs, *tes, *gs;
    GLenum mode;
} stage_cases[] = {
    {IN_STAGE_VS(3), NULL, NULL,
     GEOMETRY(3, "triangles", "in float of_vertex[];\n", "of_vertex[0] == v"), GL_TRIANGLES},
    {IN_STAGE_VS(3), NULL, EVALUATION(3, "in float of_vertex[];\n", "of_vertex[0] == v", "color"),
     NULL, GL_PATCHES},
    {IN_STAGE_VS(3), CONTROL(3),
     EVALUATION(3, "patch in float of_patch; in float of_control[];\n",
                "of_patch == v && of_control[1] == v", "color"),
     NULL, GL_PATCHES},
    {IN_STAGE_VS(3), CONTROL(3),
     EVALUATION(3, "patch in float of_patch; in float of_control[];\n",
                "of_patch == v && of_control[2] == v", "evaluated"),
     GEOMETRY(3, "triangles", "in vec2 evaluated[];\n", "evaluated[2] == vec2(1.0, v)"),
     GL_PATCHES},
};

static GLuint stage_program(const struct stage_case *c)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, c->vs);
    gl_test_attach(p, GL_TESS_CONTROL_SHADER, c->tcs);
    gl_test_attach(p, GL_TESS_EVALUATION_SHADER, c->tes);
    gl_test_attach(p, GL_GEOMETRY_SHADER, c->gs);
    gl_test_attach(p, GL_FRAGMENT_SHADER, STAGE_FS);
    return p;
}

/* Checks that tessellation and geometry shaders read and pass on the view. */
static void test_stages(void **state)
{
    for (unsigned i = 0; i < COUNT(stage_cases); i++) {
        GLuint p = stage_program(&stage_cases[i]);
        gl_test_use(p);
        attach_views(GL_COLOR_ATTACHMENT0, array, 0, LAYERS);
        glClear(GL_COLOR_BUFFER_BIT);
        attach_views(GL_COLOR_ATTACHMENT0, array, 1, 3);
        glDrawArrays(stage_cases[i].mode, 0, 3);
        expect_columns(1, 3);
        gl_test_delete_program(p);
    }
}

static bool stages_link(const char *vs, const char *gs)
{
    GLuint p = stage_program(&(struct stage_case){.vs = vs, .gs = gs});
    GLint ok;
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glDeleteProgram(p);
    return ok;
}

/* Checks that all stages of a program, and all programs of a pipeline, declare the same number. */
static void test_stage_mismatches(void **state)
{
#define PASS(views) GEOMETRY(views, "triangles", "in float of_vertex[];\n", "of_vertex[0] == v")
    static const char *const none =
        STAGES "layout(triangles) in; layout(points, max_vertices = 1) out;\n"
               "out vec2 color; void main() { EmitVertex(); }\n";
    static const char *const vs[] = {IN_STAGE_VS(2), IN_STAGE_VS(3)};
    static const char *const gs[] = {PASS(2), none};
    GLuint pipeline, program[4];
    assert_true(stages_link(IN_STAGE_VS(2), PASS(2)));
    assert_false(stages_link(IN_STAGE_VS(2), PASS(3)));
    assert_false(stages_link(IN_STAGE_VS(2), none));
    assert_false(stages_link(
        "#version 400\nout float of_vertex; void main() { of_vertex = 1.0; }\n", PASS(1)));

    glGenProgramPipelines(1, &pipeline);
    glBindProgramPipeline(pipeline);
    attach_views(GL_COLOR_ATTACHMENT0, array, 0, 2);
    for (unsigned i = 0; i < 4; i++) {
        program[i] = glCreateShaderProgramv(i & 1 ? GL_GEOMETRY_SHADER : GL_VERTEX_SHADER, 1,
                                            i & 1 ? &gs[i / 2] : &vs[i / 2]);
        assert_true(program[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, program[i & 1 ? 2 : 0]);
        glUseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, program[i & 2 ? 3 : 1]);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        expect_error(i ? GL_INVALID_OPERATION : GL_NO_ERROR);
    }
    for (unsigned i = 0; i < 4; i++)
        glDeleteProgram(program[i]);
    glDeleteProgramPipelines(1, &pipeline);
}

/* Checks that views exclude active transform feedback. */
static void test_capture(void **state)
{
    static const char *const names[] = {"gl_Position"};
    GLuint p, buffer;

    p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, COLUMN_VS(2));
    gl_test_attach(p, GL_FRAGMENT_SHADER, COLUMN_FS);
    glTransformFeedbackVaryings(p, 1, names, GL_INTERLEAVED_ATTRIBS);
    gl_test_use(p);
    attach_views(GL_COLOR_ATTACHMENT0, array, 0, 2);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 256, NULL, GL_STATIC_READ);
    glBeginTransformFeedback(GL_TRIANGLES);
    draw_error(GL_INVALID_OPERATION);
    glPauseTransformFeedback();
    draw_error(GL_NO_ERROR);
    glResumeTransformFeedback();
    draw_error(GL_INVALID_OPERATION);
    glEndTransformFeedback();
    draw_error(GL_NO_ERROR);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
}

static bool compiles(GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glDeleteShader(shader);
    return ok;
}

static bool links(const char *first, const char *second)
{
    GLuint p = glCreateProgram();
    GLint ok;
    gl_test_attach(p, GL_VERTEX_SHADER, first);
    gl_test_attach(p, GL_VERTEX_SHADER, second);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glDeleteProgram(p);
    return ok;
}

static void test_shaders(void **state)
{
#define MAIN "void main() { gl_Position = vec4(float(gl_ViewID_OVR)); }\n"
    static const struct {
        GLenum type;
        const char *text;
        bool ok;
    } rows[] = {
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 2) in; layout(num_views = 2) in;\n" MAIN,
         true},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 2) in; layout(num_views = 3) in;\n" MAIN,
         false},
        {GL_VERTEX_SHADER, HEADER "const int n = 3; layout(num_views = n + 1) in;\n" MAIN, false},
        {GL_VERTEX_SHADER,
         "#version 450\n#extension GL_OVR_multiview : require\n"
         "const int n = 3; layout(num_views = n + 1) in;\n" MAIN,
         true},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 32) in;\n" MAIN, true},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 33) in;\n" MAIN, false},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 0) in;\n" MAIN, false},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = -1) in;\n" MAIN, false},
        {GL_VERTEX_SHADER, HEADER "layout(num_views) in;\n" MAIN, false},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 2) in vec4 v;\n" MAIN, false},
        {GL_VERTEX_SHADER, HEADER "layout(num_views = 2) out;\n" MAIN, false},
        {GL_VERTEX_SHADER, HEADER "void main() { gl_ViewID_OVR = 1u; }\n", false},
        {GL_VERTEX_SHADER, "#version 330\n" MAIN, false},
        {GL_VERTEX_SHADER, "#version 330\nlayout(num_views = 2) in; void main() { }\n", false},
        {GL_VERTEX_SHADER, "#version 120\n#extension GL_OVR_multiview : require\nvoid main() { }\n",
         false},
        {GL_VERTEX_SHADER, "#version 130\n#extension GL_OVR_multiview : require\n" MAIN, true},
        {GL_VERTEX_SHADER,
         "#version 130\n#extension GL_OVR_multiview : require\nlayout(num_views = 2) in;\n" MAIN,
         true},
        {GL_VERTEX_SHADER,
         "#version 330\n#extension GL_OVR_multiview2 : disable\n"
         "#ifndef GL_OVR_multiview\n#error\n#endif\nuint gl; void main() { gl = gl_ViewID_OVR; }\n",
         false},
        {GL_FRAGMENT_SHADER, HEADER "layout(num_views = 2) in; void main() { }\n", false},
        {GL_GEOMETRY_SHADER,
         HEADER "layout(points) in; layout(points, max_vertices = 1) out;\n" MAIN, false},
    };
    for (unsigned i = 0; i < COUNT(rows); i++)
        if (compiles(rows[i].type, rows[i].text) != rows[i].ok)
            fail_msg("row %u", i);
    assert_true(
        links(HEADER "layout(num_views = 2) in;\n" MAIN, HEADER "layout(num_views = 2) in;\n"));
    assert_true(links(HEADER "layout(num_views = 2) in;\n" MAIN, HEADER "void f() { }\n"));
    assert_false(
        links(HEADER "layout(num_views = 2) in;\n" MAIN, HEADER "layout(num_views = 3) in;\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_draw),
        TEST(test_commands),
        TEST(test_depth),
        TEST(test_many),
        TEST(test_no_views),
        TEST(test_clears),
        TEST(test_copies),
        TEST(test_queries),
        TEST(test_completeness),
        TEST(test_attach_errors),
        TEST(test_mismatches),
        TEST(test_stages),
        TEST(test_stage_mismatches),
        TEST(test_capture),
        TEST(test_shaders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
