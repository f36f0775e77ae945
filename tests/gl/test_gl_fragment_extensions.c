/* SPDX-License-Identifier: MIT */
/* Extensions of per-fragment operations and multisampling: EXT_depth_bounds_test,
 * NV_alpha_to_coverage_dither_control, ARB_sample_locations, NV_sample_locations. */
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

static void rectangle(float x0, float x1, float z)
{
    glBegin(GL_TRIANGLE_STRIP);
    glVertex3f(x0, -1, z);
    glVertex3f(x1, -1, z);
    glVertex3f(x0, 1, z);
    glVertex3f(x1, 1, z);
    glEnd();
}

/* --- EXT_depth_bounds_test --- */

/* Fills the depth buffer with 0.25 in the left half and 0.75 in the right half; the color with
 * black, the stencil buffer with 0. */
static void two_depths(void)
{
    glDisable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glDepthMask(GL_TRUE);
    glColor4f(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    rectangle(-1, 0, -0.5f);
    rectangle(0, 1, 0.5f);
    glDisable(GL_DEPTH_TEST);
    glColor4f(0, 1, 0, 1);
}

/* The test compares the stored depth, not the fragment's. */
static void check_bounds(double low, double high, float left, float right)
{
    two_depths();
    glEnable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(low, high);
    rectangle(-1, 1, 0.9f);
    glDisable(GL_DEPTH_BOUNDS_TEST_EXT);
    expect(2, 3, 0, left, 0);
    expect(13, 12, 0, right, 0);
}

static void test_depth_bounds(void **state)
{
    check_bounds(0, 1, 1, 1);
    check_bounds(0, 0.5, 1, 0);
    check_bounds(0.5, 1, 0, 1);
    check_bounds(0.3, 0.7, 0, 0);
    check_bounds(0.25, 0.25, 1, 0); /* a bound passes */
    check_bounds(0.75, 0.75, 0, 1);
    two_depths(); /* disabled */
    glDepthBoundsEXT(0.3, 0.7);
    rectangle(-1, 1, 0.9f);
    expect(2, 3, 0, 1, 0);
    glDepthBoundsEXT(0, 1);
}

static void make_framebuffer(GLuint *fbo, GLuint rb[2], GLenum depth, GLsizei samples)
{
    glGenFramebuffers(1, fbo);
    glGenRenderbuffers(2, rb);
    glBindFramebuffer(GL_FRAMEBUFFER, *fbo);
    glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[0]);
    if (depth) {
        glBindRenderbuffer(GL_RENDERBUFFER, rb[1]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, depth, SIZE, SIZE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, rb[1]);
    }
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static void delete_framebuffer(GLuint *fbo, GLuint rb[2])
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, fbo);
    glDeleteRenderbuffers(2, rb);
}

static void test_depth_bounds_formats(void **state)
{
    static const GLenum formats[] = {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24,
                                     GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT32F};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        GLuint fbo, rb[2];
        make_framebuffer(&fbo, rb, formats[i], 0);
        check_bounds(0, 0.5, 1, 0);
        check_bounds(0.5, 1, 0, 1);
        check_bounds(0.25, 0.25, 1, 0);
        delete_framebuffer(&fbo, rb);
    }
    GLuint fbo, rb[2]; /* without a depth buffer, every fragment passes */
    make_framebuffer(&fbo, rb, GL_NONE, 0);
    check_bounds(0.4, 0.4, 1, 1);
    delete_framebuffer(&fbo, rb);
}

/* A fragment that fails changes neither depth nor stencil; the stencil test's operations of failed
 * tests don't apply. */
static void test_depth_bounds_order(void **state)
{
    two_depths();
    glEnable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(0.5, 1); /* only the right half passes */
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_NEVER, 1, 255);
    glStencilOp(GL_INCR, GL_INCR, GL_INCR);
    rectangle(-1, 1, -1);
    glStencilFunc(GL_ALWAYS, 1, 255);
    rectangle(-1, 1, -1); /* depth becomes 0 in the right half */
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_DEPTH_BOUNDS_TEST_EXT);
    GLubyte stencil[2] = {9, 9};
    GLfloat depth[2] = {9, 9};
    glReadPixels(2, 2, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil[0]);
    glReadPixels(12, 2, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil[1]);
    glReadPixels(2, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth[0]);
    glReadPixels(12, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth[1]);
    assert_int_equal(stencil[0], 0);
    assert_int_equal(stencil[1], 2);
    assert_true(fabsf(depth[0] - 0.25f) < 1e-4f);
    assert_true(depth[1] == 0.0f);
    glDepthBoundsEXT(0, 1);
    expect(2, 2, 0, 0, 0);
    expect(12, 2, 0, 1, 0);
}

/* Occlusion queries don't count fragments outside of the bounds; shaders that discard test late. */
static void test_depth_bounds_query(void **state)
{
    GLuint query, count = 0;
    GLuint p = gl_test_program(NULL, "void main() { if (gl_FragCoord.y < 1.0) discard;\n"
                                     "gl_FragColor = vec4(0, 1, 0, 1); }");
    two_depths();
    glUseProgram(p);
    glEnable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(0, 0.5);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    rectangle(-1, 1, 0);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    glDisable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(0, 1);
    assert_int_equal(count, SIZE / 2 * (SIZE - 1));
    expect(2, 3, 0, 1, 0);
    expect(2, 0, 0, 0, 0);
    expect(12, 3, 0, 0, 0);
    glDeleteQueries(1, &query);
    gl_test_delete_program(p);
}

static void test_depth_bounds_samples(void **state)
{
    GLuint fbo, rb[2], single, single_rb[2];
    make_framebuffer(&fbo, rb, GL_DEPTH_COMPONENT24, 4);
    /* the boundary of the depths passes through pixel 8: x = 8.5 covers half of its samples */
    glClearDepth(0.75);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glClearDepth(1);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glColor4f(0, 0, 0, 1);
    rectangle(-1, 1.0f / SIZE, -0.5f);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(0, 0.5);
    glColor4f(0, 1, 0, 1);
    rectangle(-1, 1, 0);
    glDisable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(0, 1);
    make_framebuffer(&single, single_rb, GL_NONE, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, single);
    expect(7, 5, 0, 1, 0);
    expect(8, 5, 0, 0.5f, 0);
    expect(9, 5, 0, 0, 0);
    delete_framebuffer(&single, single_rb);
    delete_framebuffer(&fbo, rb);
}

static void test_depth_bounds_state(void **state)
{
    GLdouble bounds[2];
    GLfloat floats[2];
    glGetDoublev(GL_DEPTH_BOUNDS_EXT, bounds);
    assert_true(bounds[0] == 0 && bounds[1] == 1);
    assert_false(glIsEnabled(GL_DEPTH_BOUNDS_TEST_EXT));
    glDepthBoundsEXT(-3, 0.5); /* clamped */
    glGetFloatv(GL_DEPTH_BOUNDS_EXT, floats);
    assert_true(floats[0] == 0 && floats[1] == 0.5f);
    glDepthBoundsEXT(0.6, 0.5);
    expect_error(GL_INVALID_VALUE);
    glGetFloatv(GL_DEPTH_BOUNDS_EXT, floats);
    assert_true(floats[0] == 0 && floats[1] == 0.5f);
    glPushAttrib(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_BOUNDS_TEST_EXT);
    glDepthBoundsEXT(0.1, 0.2);
    glPopAttrib();
    assert_false(glIsEnabled(GL_DEPTH_BOUNDS_TEST_EXT));
    glGetFloatv(GL_DEPTH_BOUNDS_EXT, floats);
    assert_true(floats[0] == 0 && floats[1] == 0.5f);
    glPushAttrib(GL_ENABLE_BIT);
    glEnable(GL_DEPTH_BOUNDS_TEST_EXT);
    glPopAttrib();
    assert_false(glIsEnabled(GL_DEPTH_BOUNDS_TEST_EXT));
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glDepthBoundsEXT(0.25, 0.75);
    glEndList();
    glGetFloatv(GL_DEPTH_BOUNDS_EXT, floats);
    assert_true(floats[1] == 0.5f);
    glCallList(list);
    glGetFloatv(GL_DEPTH_BOUNDS_EXT, floats);
    assert_true(floats[0] == 0.25f && floats[1] == 0.75f);
    glDeleteLists(list, 1);
    glDepthBoundsEXT(0, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* --- NV_alpha_to_coverage_dither_control --- */

/* Draws alpha over the multisampled framebuffer and stores the green values of its pixels. */
static void draw_alpha(GLuint fbo, GLuint single, float alpha, GLubyte green[SIZE][SIZE][4])
{
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glColor4f(0, 1, 0, alpha);
    rectangle(-1, 1, 0);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, single);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, single);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, green);
}

static void test_alpha_dither(void **state)
{
    GLuint fbo, rb[2], single, single_rb[2];
    GLubyte image[SIZE][SIZE][4];
    GLint mode = 0;
    glGetIntegerv(GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV, &mode);
    assert_int_equal(mode, GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV);
    make_framebuffer(&single, single_rb, GL_NONE, 0);
    make_framebuffer(&fbo, rb, GL_NONE, 4);
    glAlphaToCoverageDitherControlNV(GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV);
    draw_alpha(fbo, single, 0.4f, image);
    for (unsigned i = 0; i < SIZE * SIZE; i++) /* 1.6 of 4 samples are 2 */
        assert_int_equal(image[i / SIZE][i % SIZE][1], 128);
    glAlphaToCoverageDitherControlNV(GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);
    glGetIntegerv(GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV, &mode);
    assert_int_equal(mode, GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);
    draw_alpha(fbo, single, 0.4f, image);
    unsigned sum = 0, kinds = 0;
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        GLubyte g = image[i / SIZE][i % SIZE][1];
        assert_true(g == 64 || g == 128);
        sum += g == 128;
        kinds |= g == 128 ? 2 : 1;
        assert_int_equal(g, image[i / SIZE % 4][i % 4][1]); /* the same in each block of 4 × 4 */
    }
    assert_int_equal(kinds, 3);
    assert_int_equal(sum, SIZE * SIZE * 10 / 16); /* 0.6 of a sample is 10 of 16 thresholds */
    draw_alpha(fbo, single, 0, image);
    assert_int_equal(image[3][3][1], 0);
    draw_alpha(fbo, single, 1, image);
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        assert_int_equal(image[i / SIZE][i % SIZE][1], 255);
    glAlphaToCoverageDitherControlNV(GL_SAMPLE_ALPHA_TO_COVERAGE);
    expect_error(GL_INVALID_ENUM);
    glPushAttrib(GL_MULTISAMPLE_BIT);
    glAlphaToCoverageDitherControlNV(GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV);
    glPopAttrib();
    glGetIntegerv(GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV, &mode);
    assert_int_equal(mode, GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);
    glAlphaToCoverageDitherControlNV(GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV);
    delete_framebuffer(&single, single_rb);
    delete_framebuffer(&fbo, rb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* --- sample locations --- */

/* Draws to the pixels' left part, up to a fraction of a pixel, and returns how many of four samples
 * of the pixel at 8, 8 are covered. */
static unsigned covered(GLuint fbo, GLuint single, float fraction)
{
    GLubyte p[4];
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor4f(0, 1, 0, 1);
    rectangle(-1, fraction * 2 / SIZE, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, single);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, single);
    glReadPixels(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    return (p[1] + 32u) / 64u;
}

static void test_sample_locations(void **state)
{
    static const GLfloat at[4][2] = {
        {0.0625f, 0.5f}, {0.25f, 0.5f}, {0.625f, 0.5f}, {0.9375f, 0.5f}};
    GLuint fbo, rb[2], single, single_rb[2];
    GLfloat location[2];
    make_framebuffer(&single, single_rb, GL_NONE, 0);
    make_framebuffer(&fbo, rb, GL_NONE, 4);
    assert_int_equal(covered(fbo, single, 0.2f), 1);
    glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, 0, 4, at[0]);
    assert_int_equal(covered(fbo, single, 0.2f), 1); /* not enabled */
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 1);
    assert_int_equal(covered(fbo, single, 0.03f), 0);
    assert_int_equal(covered(fbo, single, 0.1f), 1);
    assert_int_equal(covered(fbo, single, 0.3f), 2);
    assert_int_equal(covered(fbo, single, 0.7f), 3);
    assert_int_equal(covered(fbo, single, 0.97f), 4);
    /* the grid of one pixel selects the same locations */
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_SAMPLE_LOCATION_PIXEL_GRID_ARB, 1);
    assert_int_equal(covered(fbo, single, 0.3f), 2);
    /* a change between draws of one frame */
    glFramebufferSampleLocationsfvARB(GL_DRAW_FRAMEBUFFER, 2, 1, at[0]);
    assert_int_equal(covered(fbo, single, 0.3f), 3);
    /* queries: SAMPLE_POSITION keeps returning the default position */
    glGetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, 1, location);
    assert_true(location[0] == 0.25f && location[1] == 0.5f);
    glGetMultisamplefv(GL_SAMPLE_POSITION, 1, location);
    assert_true(location[0] != 0.25f);
    /* without GL_MULTISAMPLE, the pixel center counts */
    glDisable(GL_MULTISAMPLE);
    assert_int_equal(covered(fbo, single, 0.4f), 0);
    assert_int_equal(covered(fbo, single, 0.6f), 4);
    glEnable(GL_MULTISAMPLE);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 0);
    assert_int_equal(covered(fbo, single, 0.2f), 1);
    delete_framebuffer(&single, single_rb);
    delete_framebuffer(&fbo, rb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Draws the value of a shader at each sample and returns the resolved green of a pixel × 255. */
static int shaded(GLuint fbo, GLuint single, const char *vs, const char *text)
{
    GLubyte p[4];
    GLuint program = gl_test_program(vs, text);
    glUseProgram(program);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glClear(GL_COLOR_BUFFER_BIT);
    rectangle(-1, 1, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, single);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, single);
    glReadPixels(8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    gl_test_delete_program(program);
    return p[1];
}

/* Sample positions reach shaders: gl_SamplePosition, gl_FragCoord, and inputs at samples. */
static void test_sample_location_inputs(void **state)
{
    static const char plain[] = "#version 400 compatibility\nout vec2 at;\n"
                                "void main() { gl_Position = gl_Vertex; at = gl_Vertex.xy; }";
    static const char sampled[] = "#version 400 compatibility\nsample out vec2 at;\n"
                                  "void main() { gl_Position = gl_Vertex; at = gl_Vertex.xy; }";
    static const GLfloat at[4][2] = {
        {0.125f, 0.5f}, {0.125f, 0.25f}, {0.25f, 0.5f}, {0.25f, 0.75f}};
    GLuint fbo, rb[2], single, single_rb[2];
    make_framebuffer(&single, single_rb, GL_NONE, 0);
    make_framebuffer(&fbo, rb, GL_NONE, 4);
    glNamedFramebufferSampleLocationsfvARB(fbo, 0, 4, at[0]);
    glNamedFramebufferParameteri(fbo, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 1);
    int position = shaded(fbo, single, plain,
                          "#version 400 compatibility\n"
                          "void main() { gl_FragColor = vec4(0, gl_SamplePosition.x * 2, 0, 1); }");
    assert_in_range(position, 94, 97); /* mean of 0.25 0.25 0.5 0.5 */
    int coord = shaded(fbo, single, plain,
                       "#version 400 compatibility\n"
                       "void main() { gl_FragColor = vec4(0, gl_SampleID < 0 ? 0 : "
                       "fract(gl_FragCoord.y), 0, 1); }");
    assert_in_range(coord, 126, 129);
    int input = shaded(fbo, single, sampled,
                       "#version 400 compatibility\n"
                       "sample in vec2 at;\n"
                       "void main() { gl_FragColor = vec4(0, at.x * 8, 0, 1); }");
    assert_in_range(input, 46, 49); /* 8.1875 pixels are 0.0234 from the center */
    int function =
        shaded(fbo, single, plain,
               "#version 400 compatibility\n"
               "in vec2 at;\n"
               "void main() { gl_FragColor = vec4(0, interpolateAtSample(at, 3).x * 8, 0, 1); }");
    assert_in_range(function, 62, 65);
    delete_framebuffer(&single, single_rb);
    delete_framebuffer(&fbo, rb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_sample_location_errors(void **state)
{
    static const GLfloat at[2] = {0, 1};
    GLfloat location[2] = {7, 7};
    GLint value = -1, size = 0;
    GLuint fbo, rb[2];
    glGetIntegerv(GL_PROGRAMMABLE_SAMPLE_LOCATION_TABLE_SIZE_ARB, &size);
    assert_true(size >= 2);
    glGetIntegerv(GL_SAMPLE_LOCATION_SUBPIXEL_BITS_ARB, &value);
    assert_true(value >= 4);
    glGetIntegerv(GL_SAMPLE_LOCATION_PIXEL_GRID_WIDTH_ARB, &value);
    assert_int_equal(value, 1);
    glGetIntegerv(GL_SAMPLE_LOCATION_PIXEL_GRID_HEIGHT_ARB, &value);
    assert_int_equal(value, 1);
    /* the default framebuffer has locations, too */
    glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, (GLuint)size - 1, 1, at);
    glGetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, (GLuint)size - 1, location);
    assert_true(location[0] == 0 && location[1] == 1);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 5);
    glGetFramebufferParameteriv(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB,
                                &value);
    assert_int_equal(value, 1);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, (GLuint)size, 1, at);
    expect_error(GL_INVALID_VALUE);
    glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, 0xffffffffu, 1, at);
    expect_error(GL_INVALID_VALUE);
    glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, 0, -1, at);
    expect_error(GL_INVALID_VALUE);
    glFramebufferSampleLocationsfvARB(GL_RENDERBUFFER, 0, 1, at);
    expect_error(GL_INVALID_ENUM);
    glNamedFramebufferSampleLocationsfvARB(12345, 0, 1, at);
    expect_error(GL_INVALID_OPERATION);
    glGetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, (GLuint)size, location);
    expect_error(GL_INVALID_VALUE);
    glGetMultisamplefv(GL_SAMPLES, 0, location);
    expect_error(GL_INVALID_ENUM);
    /* initial values of an object; an incomplete framebuffer has no grid */
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glGetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, 0, location);
    assert_true(location[0] == 0.5f && location[1] == 0.5f);
    glGetIntegerv(GL_SAMPLE_LOCATION_PIXEL_GRID_WIDTH_ARB, &value);
    assert_int_equal(value, 0);
    glGetFramebufferParameteriv(GL_FRAMEBUFFER, GL_FRAMEBUFFER_SAMPLE_LOCATION_PIXEL_GRID_ARB,
                                &value);
    assert_int_equal(value, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    /* the command of both extensions leaves stored depths unchanged */
    make_framebuffer(&fbo, rb, GL_DEPTH_COMPONENT24, 4);
    glEvaluateDepthValuesARB();
    glResolveDepthValuesNV();
    glFramebufferSampleLocationsfvNV(GL_FRAMEBUFFER, 0, 1, at);
    glGetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_NV, 0, location);
    assert_true(location[0] == 0 && location[1] == 1);
    delete_framebuffer(&fbo, rb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_bounds_state),
        cmocka_unit_test(test_depth_bounds),
        cmocka_unit_test(test_depth_bounds_formats),
        cmocka_unit_test(test_depth_bounds_order),
        cmocka_unit_test(test_depth_bounds_query),
        cmocka_unit_test(test_depth_bounds_samples),
        cmocka_unit_test(test_alpha_dither),
        cmocka_unit_test(test_sample_locations),
        cmocka_unit_test(test_sample_location_inputs),
        cmocka_unit_test(test_sample_location_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
