/* SPDX-License-Identifier: MIT */
/* NV_conservative_raster and INTEL_conservative_rasterization. Coverage is compared with an exact
 * test of a polygon against the square of each pixel. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 80, ONE = 256 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    const int result = gl_test_setup(state, GL_API_COMPAT, &window);
    if (!result && !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_NV_conservative_raster"))
        exit(77); /* skipped */
    return result;
}

/* A position in 1/256 pixel. */
struct point {
    int64_t x, y;
};

static int64_t side(struct point a, struct point b, struct point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool on_segment(struct point a, struct point b, struct point p)
{
    return p.x >= (a.x < b.x ? a.x : b.x) && p.x <= (a.x > b.x ? a.x : b.x) &&
           p.y >= (a.y < b.y ? a.y : b.y) && p.y <= (a.y > b.y ? a.y : b.y);
}

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

/* Returns whether two closed segments have a common point. */
static bool segments_meet(struct point a, struct point b, struct point c, struct point d)
{
    const int s0 = sign(side(a, b, c)), s1 = sign(side(a, b, d)), s2 = sign(side(c, d, a)),
              s3 = sign(side(c, d, b));
    return (s0 * s1 < 0 && s2 * s3 < 0) || (s0 == 0 && on_segment(a, b, c)) ||
           (s1 == 0 && on_segment(a, b, d)) || (s2 == 0 && on_segment(c, d, a)) ||
           (s3 == 0 && on_segment(c, d, b));
}

static bool in_triangle(const struct point t[3], struct point p)
{
    const int s0 = sign(side(t[0], t[1], p)), s1 = sign(side(t[1], t[2], p)),
              s2 = sign(side(t[2], t[0], p));
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

/* Stores the corners of a pixel, moved outward by `margin`. */
static void corners(int x, int y, int64_t margin, struct point c[4])
{
    for (unsigned i = 0; i < 4; i++) {
        c[i].x = (int64_t)(x + (i == 1 || i == 2)) * ONE + (i == 1 || i == 2 ? margin : -margin);
        c[i].y = (int64_t)(y + (i >= 2)) * ONE + (i >= 2 ? margin : -margin);
    }
}

/* Returns whether the triangle and the pixel, moved outward by `margin`, have a common point. */
static bool touches_around(const struct point t[3], int x, int y, int64_t margin)
{
    struct point c[4];
    corners(x, y, margin, c);
    for (unsigned i = 0; i < 3; i++) {
        if (on_segment(c[0], c[2], t[i]))
            return true;
        for (unsigned k = 0; k < 4; k++)
            if (segments_meet(t[i], t[(i + 1) % 3], c[k], c[(k + 1) % 4]))
                return true;
    }
    return side(t[0], t[1], t[2]) && in_triangle(t, c[0]);
}

static bool touches(const struct point t[3], int x, int y)
{
    return touches_around(t, x, y, 0);
}

static bool contains(const struct point t[3], int x, int y, int64_t margin)
{
    struct point c[4];
    corners(x, y, margin, c);
    return side(t[0], t[1], t[2]) && in_triangle(t, c[0]) && in_triangle(t, c[1]) &&
           in_triangle(t, c[2]) && in_triangle(t, c[3]);
}

static void window_coordinates(void)
{
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, SIZE, 0, SIZE, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glViewport(0, 0, SIZE, SIZE);
}

static void vertex(struct point p)
{
    glVertex2f((float)p.x / ONE, (float)p.y / ONE);
}

static void draw(const struct point *p, unsigned count, GLenum mode)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(1, 1, 1);
    glBegin(mode);
    for (unsigned i = 0; i < count; i++)
        vertex(p[i]);
    glEnd();
}

static uint8_t image[SIZE][SIZE][4];

static void read_image(void)
{
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* `expanded`: the triangle is larger by 1/512 pixel, which is half a unit, and drawn even if it has
 * no area. */
static void check_triangle(const struct point t[3], bool expanded)
{
    draw(t, 3, GL_TRIANGLES);
    read_image();
    const bool visible = side(t[0], t[1], t[2]) || expanded;
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            const bool drawn = image[y][x][1] != 0, want = visible && touches(t, x, y);
            if (drawn != want && !(expanded && drawn && touches_around(t, x, y, 1)))
                fail_msg("%g,%g %g,%g %g,%g: pixel %d,%d is %d", (double)t[0].x / ONE,
                         (double)t[0].y / ONE, (double)t[1].x / ONE, (double)t[1].y / ONE,
                         (double)t[2].x / ONE, (double)t[2].y / ONE, x, y, drawn);
        }
    }
}

static int64_t random_below(int64_t n)
{
    static uint32_t seed = 12345;
    seed = seed * 1664525 + 1013904223;
    return (int64_t)(seed >> 8) % n;
}

static void check_triangles(bool expanded)
{
    static const struct point fixed[][3] = {
        {{10 * ONE, 10 * ONE}, {20 * ONE, 10 * ONE}, {10 * ONE, 20 * ONE}}, /* on pixels' corners */
        {{2560 + 128, 2560 + 128}, {2560 + 129, 2560 + 128}, {2560 + 128, 2560 + 129}},
        {{0, 0}, {SIZE * ONE, 0}, {0, SIZE * ONE}},
        {{3 * ONE + 1, 5 * ONE + 7}, {70 * ONE + 3, 71 * ONE + 8}, {3 * ONE + 2, 5 * ONE + 7}},
        {{5 * ONE, 5 * ONE}, {30 * ONE, 30 * ONE}, {55 * ONE, 55 * ONE}}, /* no area */
        {{5 * ONE + 9, 7 * ONE}, {5 * ONE + 9, 7 * ONE}, {40 * ONE, 9 * ONE}},
        {{33 * ONE + 9, 37 * ONE + 3}, {33 * ONE + 9, 37 * ONE + 3}, {33 * ONE + 9, 37 * ONE + 3}},
        {{64 * ONE, 64 * ONE}, {64 * ONE, 64 * ONE}, {64 * ONE, 64 * ONE}},
        {{-300 * ONE, -20 * ONE}, {300 * ONE, 60 * ONE}, {-100 * ONE, 200 * ONE}},
    };
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        check_triangle(fixed[i], expanded);
    for (unsigned i = 0; i < 300; i++) {
        struct point t[3];
        const int64_t extent = i % 3 == 0 ? SIZE * ONE : i % 3 == 1 ? 10 * ONE : 2 * ONE;
        const struct point base = {random_below(SIZE * ONE - extent + 1),
                                   random_below(SIZE * ONE - extent + 1)};
        for (unsigned k = 0; k < 3; k++) {
            t[k].x = base.x + random_below(extent + 1);
            t[k].y = base.y + random_below(extent + 1);
            if (i % 5 == 0) { /* multiples of half a pixel */
                t[k].x &= ~127;
                t[k].y &= ~127;
            }
        }
        check_triangle(t, expanded);
    }
}

static void test_triangles(void **state)
{
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    check_triangles(false);
    glEnable(GL_POLYGON_SMOOTH); /* ignored */
    check_triangles(false);
    glDisable(GL_POLYGON_SMOOTH);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
}

static void test_intel_triangles(void **state)
{
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    check_triangles(true);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
}

/* Culling, clipping to scissor and viewport, and colors outside of the triangle. */
static void test_other_state(void **state)
{
    const struct point t[3] = {
        {10 * ONE + 5, 10 * ONE + 5}, {30 * ONE, 10 * ONE + 5}, {10 * ONE + 5, 30 * ONE}};
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glEnable(GL_CULL_FACE);
    draw(t, 3, GL_TRIANGLES);
    expect(10, 10, 1, 1, 1);
    glCullFace(GL_FRONT);
    draw(t, 3, GL_TRIANGLES);
    expect(10, 10, 0, 0, 0);
    glCullFace(GL_BACK);
    glDisable(GL_CULL_FACE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(11, 10, 10, 10);
    glClear(GL_COLOR_BUFFER_BIT);
    draw(t, 3, GL_TRIANGLES);
    expect(10, 10, 0, 0, 0);
    expect(11, 10, 1, 1, 1);
    glDisable(GL_SCISSOR_TEST);
    /* the same value everywhere stays the same outside of the triangle */
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0.25f, 0.5f, 0.75f);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 3; i++)
        vertex(t[i]);
    glEnd();
    expect(10, 30, 0.25f, 0.5f, 0.75f);
    expect(10, 31, 0, 0, 0);
    glEnable(GL_POLYGON_STIPPLE); /* still applies */
    static const GLubyte none[128];
    glPolygonStipple(none);
    draw(t, 3, GL_TRIANGLES);
    expect(15, 15, 0, 0, 0);
    glDisable(GL_POLYGON_STIPPLE);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
    draw(t, 3, GL_TRIANGLES);
    expect(10, 30, 0, 0, 0);
}

static void test_points(void **state)
{
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glEnable(GL_POINT_SPRITE);
    glPointSize(3); /* covers x from 8.5 to 11.5, y from 19 to 22 with its edges */
    draw(&(struct point){10 * ONE, 20 * ONE + 128}, 1, GL_POINTS);
    read_image();
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            assert_int_equal(image[y][x][0] != 0, x >= 8 && x <= 11 && y >= 18 && y <= 22);
    glDisable(GL_POINT_SPRITE);
    const float sizes[] = {1, 5.5f, 40};
    for (unsigned i = 0; i < 3; i++) { /* circles */
        const float cx = 40.25f, cy = 37.5f, r = sizes[i] / 2;
        glPointSize(sizes[i]);
        draw(&(struct point){(int64_t)(cx * ONE), (int64_t)(cy * ONE)}, 1, GL_POINTS);
        read_image();
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                const float dx = fmaxf(fmaxf((float)x - cx, cx - (float)x - 1), 0);
                const float dy = fmaxf(fmaxf((float)y - cy, cy - (float)y - 1), 0);
                const float d = sqrtf(dx * dx + dy * dy) - r;
                if (fabsf(d) > 0.01f)
                    assert_int_equal(image[y][x][0] != 0, d < 0);
            }
        }
    }
    glPointSize(1);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
}

static void test_lines(void **state)
{
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glEnable(GL_LINE_STIPPLE); /* ignored */
    glLineStipple(1, 0x0001);
    glEnable(GL_LINE_SMOOTH);
    const struct point line[2] = {{5 * ONE + 128, 7 * ONE + 128}, {61 * ONE + 13, 33 * ONE + 200}};
    draw(line, 2, GL_LINES);
    read_image();
    /* Every pixel that the segment touches is drawn; none is drawn that is more than a pixel's
     * diagonal and half the width away. */
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            const struct point t[3] = {line[0], line[1], line[1]};
            const bool drawn = image[y][x][0] != 0;
            if (touches(t, x, y) && !drawn)
                fail_msg("pixel %d,%d is missing", x, y);
            struct point center = {x * ONE + 128, y * ONE + 128};
            const double length = sqrt((double)((line[1].x - line[0].x) * (line[1].x - line[0].x) +
                                                (line[1].y - line[0].y) * (line[1].y - line[0].y)));
            if (drawn)
                assert_true(fabs((double)side(line[0], line[1], center)) / length <=
                            ONE * (0.5 + 0.7072));
        }
    }
    draw(line, 1, GL_LINE_STRIP); /* nothing */
    glDisable(GL_LINE_SMOOTH);
    glDisable(GL_LINE_STIPPLE);
    draw((struct point[2]){line[0], line[0]}, 2, GL_LINES);
    expect(5, 7, 0, 0, 0);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    const struct point t[3] = {line[0], line[1], {5 * ONE, 60 * ONE}};
    draw(t, 3, GL_TRIANGLES);
    read_image();
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            for (unsigned i = 0; i < 3; i++) {
                const struct point edge[3] = {t[i], t[(i + 1) % 3], t[i]};
                if (touches(edge, x, y))
                    assert_int_equal(image[y][x][0], 255);
            }
        }
    }
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
}

/* A triangle between the positions that 8 bits can represent. */
static void test_bias(void **state)
{
    GLint value[3];
    glGetIntegerv(GL_MAX_SUBPIXEL_PRECISION_BIAS_BITS_NV, &value[0]);
    assert_in_range(value[0], 1, 7);
    glSubpixelPrecisionBiasNV(value[0] + 1, 0);
    expect_error(GL_INVALID_VALUE);
    glSubpixelPrecisionBiasNV(0, value[0] + 1);
    expect_error(GL_INVALID_VALUE);
    glPushAttrib(GL_VIEWPORT_BIT);
    glSubpixelPrecisionBiasNV(1, value[0]);
    glGetIntegerv(GL_SUBPIXEL_PRECISION_BIAS_X_BITS_NV, &value[1]);
    glGetIntegerv(GL_SUBPIXEL_PRECISION_BIAS_Y_BITS_NV, &value[2]);
    assert_int_equal(value[1], 1);
    assert_int_equal(value[2], value[0]);
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    for (unsigned fine = 0; fine < 2; fine++) {
        glSubpixelPrecisionBiasNV(fine, fine);
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(1, 1, 1);
        glBegin(GL_TRIANGLES); /* from 1/512 pixel right of and above the pixel's corner */
        glVertex2f(12 + 1 / 512.0f - 1 / 65536.0f, 20 + 1 / 512.0f - 1 / 65536.0f);
        glVertex2f(12.75f, 20.25f);
        glVertex2f(12.25f, 20.75f);
        glEnd();
        expect(12, 20, 1, 1, 1);
        expect(11, 20, !fine, !fine, !fine);
        expect(12, 19, !fine, !fine, !fine);
        check_triangles(false);
    }
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
    /* INTEL has no bias: positions are 1/256 pixel apart from the corner, and moved back by half */
    glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    glSubpixelPrecisionBiasNV(1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glVertex2f(12 + 1 / 512.0f + 1 / 65536.0f, 20 + 1 / 512.0f + 1 / 65536.0f);
    glVertex2f(12.75f, 20.25f);
    glVertex2f(12.25f, 20.75f);
    glEnd();
    expect(12, 20, 1, 1, 1);
    expect(11, 20, 0, 0, 0);
    expect(12, 19, 0, 0, 0);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    glPopAttrib();
    glGetIntegerv(GL_SUBPIXEL_PRECISION_BIAS_Y_BITS_NV, &value[2]);
    assert_int_equal(value[2], 0);
}

static void test_enables(void **state)
{
    assert_false(glIsEnabled(GL_CONSERVATIVE_RASTERIZATION_NV));
    assert_false(glIsEnabled(GL_CONSERVATIVE_RASTERIZATION_INTEL));
    glPushAttrib(GL_ENABLE_BIT);
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    assert_true(glIsEnabled(GL_CONSERVATIVE_RASTERIZATION_NV));
    glPopAttrib();
    assert_false(glIsEnabled(GL_CONSERVATIVE_RASTERIZATION_NV));
    assert_false(glIsEnabled(GL_CONSERVATIVE_RASTERIZATION_INTEL));
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glPushAttrib(GL_VIEWPORT_BIT | GL_POLYGON_BIT | GL_MULTISAMPLE_BIT);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glPopAttrib();
    assert_false(glIsEnabled(GL_CONSERVATIVE_RASTERIZATION_NV));
    /* INTEL: only filled polygons */
    const struct point p[3] = {{0, 0}, {ONE, 0}, {0, ONE}};
    glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    draw(p, 3, GL_TRIANGLES);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    draw(p, 3, GL_POINTS);
    expect_error(GL_INVALID_OPERATION);
    draw(p, 3, GL_LINE_LOOP);
    expect_error(GL_INVALID_OPERATION);
    glPolygonMode(GL_BACK, GL_LINE);
    draw(p, 3, GL_TRIANGLES);
    expect_error(GL_INVALID_OPERATION);
    glPolygonMode(GL_BACK, GL_FILL);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    draw(p, 3, GL_LINE_LOOP);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

#define VERTEX                                                                                     \
    "#version 420 compatibility\n"                                                                 \
    "void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }"
/* Writes the number of samples in gl_SampleMaskIn in eighths, and 1 in blue. */
#define FRAGMENT(layout, more)                                                                     \
    "#version 420\n"                                                                               \
    "#extension GL_INTEL_conservative_rasterization: require\n"                                    \
    "#extension GL_ARB_sample_shading: enable\n" layout "out vec4 color;\n"                        \
    "void main() { color = vec4(float(bitCount(gl_SampleMaskIn[0])) / 8.0, 0.0, 1.0, 1.0); " more  \
    "}"

static void resolve_to_window(GLuint fbo)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    read_image();
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
}

/* seen: the number of samples in gl_SampleMaskIn; if `inner`, of pixels inside of the triangle, and
 * 0 of others. written: the number of samples that a fragment writes. */
static void check_mask(GLuint fbo, unsigned samples, const char *fs, bool inner, unsigned seen,
                       unsigned written)
{
    const GLuint program = gl_test_program(VERTEX, fs);
    glUseProgram(program);
    for (unsigned i = 0; i < 30; i++) {
        struct point t[3];
        for (unsigned k = 0; k < 3; k++)
            t[k] = (struct point){random_below(SIZE * ONE), random_below(SIZE * ONE)};
        if (i == 0)
            memcpy(t, (struct point[3]){{0, 0}, {300 * ONE, 0}, {0, 300 * ONE}}, sizeof t);
        draw(t, 3, GL_TRIANGLES);
        if (samples > 1)
            resolve_to_window(fbo);
        else
            read_image();
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                const bool drawn = touches(t, x, y);
                if (!drawn && touches_around(t, x, y, 1))
                    continue;
                /* the mean of all samples */
                const unsigned blue = drawn ? 255 * written / samples : 0;
                assert_in_range(image[y][x][2], blue, drawn && written < samples ? blue + 1 : blue);
                /* the exact margin is half a subpixel and a tiny error is allowed */
                if (!drawn || (inner && contains(t, x, y, 0) && !contains(t, x, y, 2)))
                    continue;
                const unsigned visible = inner && !contains(t, x, y, 2) ? 0 : seen;
                const unsigned red = visible * 255 / 8 * written / samples;
                assert_in_range(image[y][x][0], red, red + 1);
            }
        }
    }
    gl_test_delete_program(program);
}

static void test_sample_masks(void **state)
{
    static const char inner[] = FRAGMENT("layout(inner_coverage) in;\n", "");
    static const char plain[] = FRAGMENT("", "");
    static const char each[] = FRAGMENT("", "color.z += float(gl_SampleID);");
    static const char each_inner[] =
        FRAGMENT("layout(inner_coverage) in;\n", "color.z += float(gl_SampleID);");
    window_coordinates();
    glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
    check_mask(0, 1, inner, true, 1, 1);
    check_mask(0, 1, plain, false, 1, 1);
    for (unsigned samples = 2; samples <= 8; samples *= 2) {
        GLuint fbo, rb;
        glGenFramebuffers(1, &fbo);
        glGenRenderbuffers(1, &rb);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glBindRenderbuffer(GL_RENDERBUFFER, rb);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, (int)samples, GL_RGBA8, SIZE, SIZE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
        check_mask(fbo, samples, inner, true, samples, samples);
        check_mask(fbo, samples, plain, false, samples, samples);
        check_mask(fbo, samples, each, false, samples, samples);
        check_mask(fbo, samples, each_inner, true, samples, samples);
        glDisable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
        glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
        check_mask(fbo, samples, each, false, 1, samples); /* an invocation has its own sample */
        check_mask(fbo, samples, inner, true, samples, samples);
        glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
        glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
        /* the sample mask still removes samples */
        glEnable(GL_SAMPLE_MASK);
        glSampleMaski(0, 1);
        check_mask(fbo, samples, inner, true, 1, 1);
        check_mask(fbo, samples, plain, false, 1, 1);
        glSampleMaski(0, 0xffffffff);
        glDisable(GL_SAMPLE_MASK);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &fbo);
        glDeleteRenderbuffers(1, &rb);
    }
    glDisable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
}

static void expect_no_compile(const char *text)
{
    const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    assert_false(ok);
    glDeleteShader(shader);
}

static void test_layouts(void **state)
{
    expect_no_compile("#version 420\nlayout(inner_coverage) in;\nvoid main() {}");
    expect_no_compile(FRAGMENT("layout(inner_coverage, post_depth_coverage) in;\n", ""));
    expect_no_compile(FRAGMENT("layout(inner_coverage) in; layout(post_depth_coverage) in;\n", ""));
    const GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER, VERTEX);
    gl_test_attach(program, GL_FRAGMENT_SHADER, FRAGMENT("layout(inner_coverage) in;\n", ""));
    gl_test_attach(program, GL_FRAGMENT_SHADER,
                   "#version 420\n#extension GL_INTEL_conservative_rasterization: require\n"
                   "layout(post_depth_coverage) in;\n");
    GLint ok;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    assert_false(ok);
    glDeleteProgram(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles),   cmocka_unit_test(test_intel_triangles),
        cmocka_unit_test(test_other_state), cmocka_unit_test(test_points),
        cmocka_unit_test(test_lines),       cmocka_unit_test(test_bias),
        cmocka_unit_test(test_enables),     cmocka_unit_test(test_sample_masks),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
