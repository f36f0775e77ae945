/* SPDX-License-Identifier: MIT */
/* Framebuffers whose rows are flipped (MESA_framebuffer_flip_y): each command has the same result
 * in window coordinates as without the flip, and the images are upside down. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 16 };

static GLuint fbo, renderbuffer[2];

static void set_flip(GLint flip)
{
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, flip);
}

static void make_framebuffer(GLsizei samples)
{
    glGenFramebuffers(1, &fbo);
    glGenRenderbuffers(2, renderbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              renderbuffer[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              renderbuffer[1]);
    set_flip(1);
}

static void delete_framebuffer(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteRenderbuffers(2, renderbuffer);
}

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    int result = gl_test_setup(state, GL_API_COMPAT, &window);
    if (!result)
        make_framebuffer(0);
    return result;
}

static int teardown(void **state)
{
    delete_framebuffer();
    return gl_test_teardown(state);
}

static void rectangle(float y0, float y1)
{
    glBegin(GL_TRIANGLE_STRIP);
    glVertex2f(-1, y0);
    glVertex2f(1, y0);
    glVertex2f(-1, y1);
    glVertex2f(1, y1);
    glEnd();
}

static void clear(void)
{
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glColor4f(0, 1, 0, 1);
}

/* Checks that exactly the rows [from, to) are green, also in the image itself. */
static void expect_rows(int from, int to)
{
    for (int flip = 1; flip >= 0; flip--) {
        set_flip(flip);
        for (int y = 0; y < SIZE; y++) {
            int row = flip ? y : SIZE - 1 - y;
            expect(7, y, 0, row >= from && row < to, 0);
        }
    }
    set_flip(1);
}

static void test_parameter(void **state)
{
    GLint value = 7;
    glGetFramebufferParameteriv(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
    assert_int_equal(value, 1);
    glFramebufferParameteriMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, 0);
    glGetFramebufferParameterivMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
    assert_int_equal(value, 0);
    set_flip(1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glFramebufferParameteriMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 1);
    expect_error(GL_INVALID_ENUM);
    glGetFramebufferParameterivMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, &value);
    expect_error(GL_INVALID_ENUM);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glFramebufferParameteriMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, 1);
    expect_error(GL_INVALID_OPERATION);
    glGetFramebufferParameterivMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
    expect_error(GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
}

static void test_geometry(void **state)
{
    clear();
    rectangle(-1, -0.5f);
    expect_rows(0, 4);
    clear();
    glViewport(0, 2, SIZE, 4);
    rectangle(-1, 1);
    glViewport(0, 0, SIZE, SIZE);
    expect_rows(2, 6);
    /* counterclockwise triangles stay front-facing */
    clear();
    glEnable(GL_CULL_FACE);
    rectangle(-1, 0);
    glFrontFace(GL_CW);
    rectangle(0, 1);
    glFrontFace(GL_CCW);
    glDisable(GL_CULL_FACE);
    expect_rows(0, 8);
}

static void test_scissor(void **state)
{
    clear();
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 1, SIZE, 3);
    rectangle(-1, 1);
    glDisable(GL_SCISSOR_TEST);
    expect_rows(1, 4);
    clear();
    glEnable(GL_SCISSOR_TEST);
    glClearColor(1, 1, 1, 1);
    glColorMask(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glColorMask(1, 1, 1, 1);
    glClearColor(0, 0, 0, 0);
    glDisable(GL_SCISSOR_TEST);
    expect_rows(1, 4);
    clear();
    glClearColor(0, 1, 0, 1);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, -2147483647 - 1, SIZE, 5); /* outside, at the end of the range */
    glClear(GL_COLOR_BUFFER_BIT);
    glScissor(0, 12, SIZE, 2147483647);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 0, 0, 0);
    expect_rows(12, SIZE);
}

static void test_stipple(void **state)
{
    GLubyte pattern[32][4] = {{0}};
    memset(pattern[3], 0xff, 4);
    memset(pattern[4], 0xff, 4);
    clear();
    glEnable(GL_POLYGON_STIPPLE);
    glPolygonStipple(pattern[0]);
    rectangle(-1, 1);
    glDisable(GL_POLYGON_STIPPLE);
    expect_rows(3, 5);
}

/* Draws where the expression is true. */
static void draw_where(const char *head, const char *expression, GLenum points)
{
    char text[1000];
    snprintf(text, sizeof text,
             "#version 450 compatibility\n%sin vec2 at;\n"
             "void main() { gl_FragColor = vec4(0, (%s) ? 1 : 0, 0, 1); }",
             head, expression);
    GLuint p = gl_test_program("#version 450 compatibility\nout vec2 at;\n"
                               "void main() { gl_Position = gl_Vertex; at = gl_Vertex.xy; }",
                               text);
    glUseProgram(p);
    clear();
    if (points) {
        glEnable(GL_POINT_SPRITE);
        glPointSize(SIZE);
        glBegin(GL_POINTS);
        glVertex2f(0, 0);
        glEnd();
        glDisable(GL_POINT_SPRITE);
    } else {
        rectangle(-1, 1);
    }
    gl_test_delete_program(p);
}

static void test_shaders(void **state)
{
    draw_where("", "gl_FragCoord.y < 5", 0);
    expect_rows(0, 5);
    draw_where("layout(origin_upper_left) in vec4 gl_FragCoord;\n", "gl_FragCoord.y < 5", 0);
    expect_rows(11, SIZE);
    draw_where("", "dFdy(at.y) > 0.12 && dFdy(gl_FragCoord.y) == 1", 0);
    expect_rows(0, SIZE);
    draw_where("", "dFdyFine(at.y) > 0.12 && dFdx(at.x) > 0.12", 0);
    expect_rows(0, SIZE);
    draw_where("", "interpolateAtOffset(at, vec2(0, 0.25)).y > at.y + 0.02", 0);
    expect_rows(0, SIZE);
    draw_where("", "gl_PointCoord.y > 0.75", 1); /* the origin is at the top */
    expect_rows(0, 4);
    glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    draw_where("", "gl_PointCoord.y > 0.75", 1);
    glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_UPPER_LEFT);
    expect_rows(12, SIZE);
}

/* Sample positions in shaders, of queries, and in gl_FragCoord agree. */
static void test_samples(void **state)
{
    GLuint flipped = fbo, old[2] = {renderbuffer[0], renderbuffer[1]};
    GLfloat location[2];
    make_framebuffer(4);
    for (int programmable = 0; programmable < 2; programmable++) {
        static const GLfloat own[4][2] = {
            {0.25f, 0.125f}, {0.5f, 0.25f}, {0.5f, 0.375f}, {0.5f, 0.75f}};
        char expression[200];
        glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, 0, 4, own[0]);
        glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB,
                                programmable);
        glGetMultisamplefv(programmable ? GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB : GL_SAMPLE_POSITION,
                           1, location);
        snprintf(expression, sizeof expression,
                 "abs(gl_SamplePosition.y - fract(gl_FragCoord.y)) < 0.01 && "
                 "(gl_SampleID != 1 || abs(gl_SamplePosition.y - %f) < 0.01)",
                 (double)location[1]);
        draw_where("", expression, 0);
        /* resolves to the other framebuffer, which is flipped, too */
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, flipped);
        glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, flipped);
        expect_rows(0, SIZE);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    }
    delete_framebuffer();
    fbo = flipped;
    memcpy(renderbuffer, old, sizeof old);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
}

static void test_blit(void **state)
{
    GLuint flipped = fbo, old[2] = {renderbuffer[0], renderbuffer[1]};
    clear();
    rectangle(-1, -0.5f); /* rows 0 … 3 */
    make_framebuffer(0);
    for (int flip = 0; flip < 2; flip++) {
        set_flip(flip);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, flipped);
        clear();
        glBlitFramebuffer(0, 2, SIZE, 6, 0, 8, SIZE, 12, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
        for (int y = 0; y < SIZE; y++)
            expect(7, y, 0, y == 8 || y == 9, 0);
        /* scaled, mirrored and scissored */
        glBindFramebuffer(GL_READ_FRAMEBUFFER, flipped);
        clear();
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, SIZE, 15);
        glBlitFramebuffer(0, 0, SIZE, 8, 0, SIZE, SIZE, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glDisable(GL_SCISSOR_TEST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
        for (int y = 0; y < SIZE; y++)
            expect(7, y, 0, y >= 8 && y < 15, 0);
    }
    delete_framebuffer();
    fbo = flipped;
    memcpy(renderbuffer, old, sizeof old);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
}

static void test_copies(void **state)
{
    GLubyte texels[SIZE][SIZE][4];
    GLuint texture;
    clear();
    rectangle(-1, -0.5f);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, SIZE, SIZE, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    for (int y = 0; y < SIZE; y++)
        assert_int_equal(texels[y][5][1], y < 4 ? 255 : 0);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 8, 0, 3, SIZE, 4);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    assert_int_equal(texels[8][5][1], 255);
    assert_int_equal(texels[9][5][1], 0);
    glDeleteTextures(1, &texture);
    /* glCopyPixels: rows 2 … 5 to 10 … 13 */
    glWindowPos2i(0, 10);
    glCopyPixels(0, 2, SIZE, 4, GL_COLOR);
    for (int y = 0; y < SIZE; y++)
        expect(7, y, 0, y < 4 || y == 10 || y == 11, 0);
}

static void test_pixels(void **state)
{
    static const GLubyte colors[3][4] = {{0, 255, 0, 255}, {0, 255, 0, 255}, {0, 0, 0, 255}};
    GLubyte column[3], stencil[SIZE];
    GLfloat depths[2] = {0.25f, 0.5f}, depth[SIZE];
    clear();
    glWindowPos2i(7, 5);
    glDrawPixels(1, 3, GL_RGBA, GL_UNSIGNED_BYTE, colors);
    expect_rows(5, 7);
    for (unsigned i = 0; i < 3; i++)
        column[i] = (GLubyte)(i + 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glDrawPixels(1, 3, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, column);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(7, 0, 1, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
    for (int y = 0; y < SIZE; y++)
        assert_int_equal(stencil[y], y >= 5 && y < 8 ? y - 4 : 0);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glDrawPixels(1, 2, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
    glDisable(GL_DEPTH_TEST);
    glReadPixels(7, 0, 1, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    for (int y = 0; y < SIZE; y++)
        assert_true(fabsf(depth[y] - (y == 5 ? 0.25f : y == 6 ? 0.5f : 1)) < 1e-4f);
    /* a bitmap of two rows, the upper one empty */
    static const GLubyte bits[2] = {0x80, 0};
    clear();
    glWindowPos2i(7, 3);
    glBitmap(8, 2, 0, 0, 0, 0, bits);
    expect_rows(3, 4);
    /* partly outside of the framebuffer */
    GLubyte read[6][4];
    memset(read, 99, sizeof read);
    clear();
    rectangle(-1, -0.875f); /* row 0 */
    glReadPixels(7, -2, 1, 6, GL_RGBA, GL_UNSIGNED_BYTE, read);
    assert_int_equal(read[1][1], 99);
    assert_int_equal(read[2][1], 255);
    assert_int_equal(read[3][1], 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* y = 0 is at the height of the framebuffer, which the smallest attachment determines. */
static void test_sizes(void **state)
{
    GLuint flipped = fbo, old[2] = {renderbuffer[0], renderbuffer[1]};
    make_framebuffer(0);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIZE, SIZE / 2);
    clear();
    glViewport(0, 0, SIZE, SIZE / 2);
    rectangle(-1, -0.5f);
    for (int y = 0; y < SIZE / 2; y++)
        expect(7, y, 0, y < 2, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, flipped);
    clear();
    glBlitFramebuffer(0, 0, SIZE, 4, 0, 1, SIZE, 5, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, flipped);
    for (int y = 0; y < SIZE; y++)
        expect(7, y, 0, y == 1 || y == 2, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo);
    clear();
    glBlitFramebuffer(0, 0, SIZE, 4, 0, 3, SIZE, 7, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    for (int y = 0; y < SIZE / 2; y++)
        expect(7, y, 0, y == 4 || y == 5, 0);
    set_flip(0);
    for (int y = 0; y < SIZE / 2; y++)
        expect(7, y, 0, y == 2 || y == 3, 0);
    glViewport(0, 0, SIZE, SIZE);
    delete_framebuffer();
    fbo = flipped;
    memcpy(renderbuffer, old, sizeof old);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
}

/* GL 4.6 §14.6.1: which side of a triangle is its front depends on clip coordinates alone, not on
 * the clip origin or the flip. */
static void test_front_faces(void **state)
{
    glEnable(GL_CULL_FACE);
    for (unsigned i = 0; i < 8; i++) {
        const bool ccw = i & 1;
        glClipControl(i & 2 ? GL_UPPER_LEFT : GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
        set_flip(i & 4 ? 1 : 0);
        glFrontFace(ccw ? GL_CCW : GL_CW);
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(0, 1, 0);
        glBegin(GL_TRIANGLES);
        glVertex2f(-1, -1);
        glVertex2f(3, -1);
        glVertex2f(-1, 3);
        glEnd();
        expect(7, 7, 0, ccw, 0);
    }
    glDisable(GL_CULL_FACE);
    glFrontFace(GL_CCW);
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    set_flip(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameter),   cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_scissor),     cmocka_unit_test(test_stipple),
        cmocka_unit_test(test_shaders),     cmocka_unit_test(test_samples),
        cmocka_unit_test(test_blit),        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_pixels),      cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_front_faces),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
