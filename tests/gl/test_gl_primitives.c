/* SPDX-License-Identifier: MIT */
/* Rasterization of points, lines and polygons: coverage, depth and interpolated values. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Clears the color buffer and draws a quad over the whole window at this depth. */
static void quad(float z)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_QUADS);
    glVertex3f(-1, -1, z);
    glVertex3f(1, -1, z);
    glVertex3f(1, 1, z);
    glVertex3f(-1, 1, z);
    glEnd();
}

/* Links a program, which must succeed, and makes it current; NULL stands for fixed function. */
static GLuint program(const char *vs, const char *fs)
{
    GLuint p = gl_test_program(vs, fs);
    glUseProgram(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return p;
}

/* Pixels whose centers lie on edges that triangles share are drawn once. */
static void test_shared_edges(void **state)
{
    glPushAttrib(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glColor3f(0.25f, 0.25f, 0.25f);
    glClear(GL_COLOR_BUFFER_BIT);
    const float middle = 1.0f / SIZE; /* the center of a pixel, in which all edges meet */
    glBegin(GL_TRIANGLE_FAN);
    glVertex2f(middle, middle);
    for (int i = 0; i <= 8; i++) {
        static const int8_t around[9][2] = {{1, 0},   {1, 1},  {0, 1},  {-1, 1}, {-1, 0},
                                            {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
        glVertex2f(middle + 3 * around[i][0], middle + 3 * around[i][1]);
    }
    glEnd();
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            expect(x, y, 0.25f, 0.25f, 0.25f);
    glPopAttrib();
}

/* GL 4.6 §14.6.5: a unit is the least difference that is seen, not several times that. The clamp
 * bounds the offset, whatever its sign. */
static void test_polygon_offsets(void **state)
{
    static const struct {
        float units, clamp, least, most;
    } rows[] = {
        {1, 0, 0x1p-24f, 0x1p-22f},
        {1000, 0, 1000 * 0x1p-24f, 2500 * 0x1p-24f},
        {-1000, 0, -2500 * 0x1p-24f, -1000 * 0x1p-24f},
        {1000, 1e-5f, 0.9e-5f, 1.1e-5f},
        {-1000, -1e-5f, -1.1e-5f, -0.9e-5f},
        {-1000, 1e-5f, -2500 * 0x1p-24f, -1000 * 0x1p-24f},
    };
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glEnable(GL_POLYGON_OFFSET_FILL);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        GLuint z;
        glPolygonOffsetClamp(0, rows[i].units, rows[i].clamp);
        quad(0);
        glReadPixels(8, 8, 1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &z);
        double offset = z / 4294967295.0 - 0.5;
        assert_true(offset >= rows[i].least - 0x1p-24 && offset <= rows[i].most + 0x1p-24);
    }
    glPopAttrib();
}

/* Checks that point attenuation uses the distance from the eye plane, not from the eye. */
static void test_point_attenuation(void **state)
{
    static const GLfloat linear[3] = {0, 1, 0}, none[3] = {1, 0, 0};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, linear);
    glPointSize(8);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(1, 1, 1);
    glBegin(GL_POINTS);
    /* 8 / sqrt(0.25) pixels; by the distance from the eye it would be 9 */
    glVertex3f(0, 0.75f, 0.25f);
    glEnd();
    expect(0, 14, 1, 1, 1);
    expect(8, 7, 1, 1, 1);
    expect(8, 5, 0, 0, 0);
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, none);
    glPopAttrib();
}

/* Checks that point sprite coordinates start at the upper left. */
static void test_point_sprite(void **state)
{
    GLuint p = program(NULL, "void main() { gl_FragColor = gl_TexCoord[0]; }");
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_POINT_SPRITE);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    glPointSize(16);
    glTexCoord2f(1, 1);
    glBegin(GL_POINTS);
    glVertex2f(0, 0);
    glEnd();
    expect(4, 11, 4.5f / 16, 4.5f / 16, 0);
    quad(0); /* not points: coordinates are unchanged */
    expect(4, 11, 1, 1, 0);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_FALSE);
    glPopAttrib();
    gl_test_delete_program(p);
}

/* Checks that a noperspective varying is linear on the screen, even where the near plane clips the
 * triangle (GL 4.6 §13.7.1). */
static void test_noperspective_clipped(void **state)
{
    static const float clip[3][4] = {{-1, -1, 0, 1}, {6, -2, -3, 2}, {-4, 12, 0, 4}};
    GLuint p = program("#extension GL_EXT_gpu_shader4 : require\n"
                       "noperspective varying float v;\n"
                       "void main() { gl_Position = gl_Vertex; v = gl_MultiTexCoord0.x; }",
                       "#extension GL_EXT_gpu_shader4 : require\n"
                       "noperspective varying float v;\n"
                       "void main() { gl_FragColor = vec4(v); }");
    uint8_t row[SIZE][4];
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 3; i++) {
        glTexCoord1f(i == 1);
        glVertex4fv(clip[i]);
    }
    glEnd();
    glReadPixels(0, SIZE / 2, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
    for (unsigned x = 0; x < SIZE; x++) {
        float window = 2.0f * ((float)x + 0.5f) / SIZE - 1.0f; /* the second vertex is at 3 */
        assert_true(fabsf((float)row[x][0] - 255.0f * (window + 1.0f) / 4.0f) < 1.5f);
    }
    gl_test_delete_program(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks coverage, which is in alpha: lines match llvmpipe, points have the distance from the
 * edge. */
static void expect_coverage(int x, int y, int want)
{
    uint8_t p[4] = {0};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    if (abs(p[3] - want) > 1)
        fail_msg("alpha of pixel %d,%d is %d, not %d", x, y, p[3], want);
}

struct coverage {
    int x, y, alpha;
};

static void expect_primitive(GLenum mode, const float (*v)[2], int n, const struct coverage *want,
                             unsigned count)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(mode);
    for (int i = 0; i < n; i++)
        glVertex2f(v[i][0] / (SIZE / 2) - 1, v[i][1] / (SIZE / 2) - 1);
    glEnd();
    for (unsigned i = 0; i < count; i++)
        expect_coverage(want[i].x, want[i].y, want[i].alpha);
}
#define EXPECT_PRIMITIVE(mode, n, v, ...)                                                          \
    expect_primitive(mode, v, n, (const struct coverage[]){__VA_ARGS__},                           \
                     sizeof((const struct coverage[]){__VA_ARGS__}) / sizeof(struct coverage))

/* GL 4.6 compatibility §14.4 to §14.6. */
static void test_smooth_primitives(void **state)
{
    static const float level[2][2] = {{2.5f, 3.25f}, {10.25f, 3.25f}},
                       slant[2][2] = {{2, 2}, {10, 8}};
    static const float tiny[2][2] = {{4, 2}, {4.3f, 2.2f}}, center[1][2] = {{6, 6}};
    static const float corner[3][2] = {{2, 2}, {10, 2}, {2, 10}};
    glClearColor(0, 0, 0, 0);
    glColor4f(1, 1, 1, 1);
    glEnable(GL_LINE_SMOOTH);
    EXPECT_PRIMITIVE(GL_LINES, 2, level, {2, 3, 96}, {5, 3, 191}, {10, 3, 48}, {2, 2, 32},
                     {5, 2, 64}, {10, 2, 16}, {1, 3, 0}, {11, 3, 0}, {5, 4, 0});
    EXPECT_PRIMITIVE(GL_LINES, 2, slant, {8, 7, 128}, {9, 7, 230}, {9, 8, 46}, {10, 7, 31},
                     {1, 2, 31});
    EXPECT_PRIMITIVE(GL_LINES, 2, tiny, {3, 2, 28}, {4, 2, 37}, {4, 1, 28});
    glLineWidth(1.5f);
    EXPECT_PRIMITIVE(GL_LINES, 2, slant, {2, 1, 84}, {5, 4, 255});
    glLineWidth(1);
    glEnable(GL_LINE_STIPPLE);
    glLineStipple(1, 0x3333);
    EXPECT_PRIMITIVE(GL_LINES, 2, slant, {2, 2, 230}, {3, 3, 71});
    glDisable(GL_LINE_STIPPLE);
    glDisable(GL_LINE_SMOOTH);
    EXPECT_PRIMITIVE(GL_LINES, 2, slant, {9, 7, 255}, {8, 7, 0});

    glEnable(GL_POINT_SMOOTH);
    glPointSize(8);
    EXPECT_PRIMITIVE(GL_POINTS, 1, center, {6, 6, 255}, {9, 6, 246}, {2, 4, 176}, {3, 3, 246},
                     {2, 3, 51}, {2, 2, 0}, {10, 6, 0});
    glDisable(GL_POINT_SMOOTH);
    EXPECT_PRIMITIVE(GL_POINTS, 1, center, {2, 2, 255}, {9, 9, 255}, {10, 6, 0});
    glPointSize(1);

    glEnable(GL_POLYGON_SMOOTH);
    EXPECT_PRIMITIVE(GL_TRIANGLES, 3, corner, {2, 2, 255}, {3, 4, 255}, {1, 4, 0}, {4, 1, 0},
                     {8, 8, 0});
    uint8_t edge[4];
    glReadPixels(5, 6, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, edge); /* half of it is inside */
    assert_in_range(edge[3], 96, 159);
    glDisable(GL_POLYGON_SMOOTH);
    EXPECT_PRIMITIVE(GL_TRIANGLES, 3, corner, {5, 5, 255}, {6, 6, 0});
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void expect_red(int x, unsigned red)
{
    uint8_t p[4];

    glReadPixels(x, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    assert_in_range(p[0], red - 1, red + 1);
}

/* Checks that a line's values go from one end to the other (GL 4.6 §14.5.1), for a smooth line
 * including the half pixels added at both ends. */
static void test_line_values(void **state)
{
    for (int smooth = 0; smooth < 2; smooth++) {
        (smooth ? glEnable : glDisable)(GL_LINE_SMOOTH);
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_LINES);
        glColor3f(1, 0, 0);
        glVertex2f(10.7f * 2 / SIZE - 1, 3.5f * 2 / SIZE - 1);
        glColor3f(0, 0, 0);
        glVertex2f(2.3f * 2 / SIZE - 1, 3.5f * 2 / SIZE - 1);
        glEnd();
        expect_red(6, 128);
        expect_red(3, smooth ? 46 : 36);
        expect_red(9, smooth ? 209 : 219);
    }
    glDisable(GL_LINE_SMOOTH);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* GL 4.6 compatibility §17.1: the alpha test applies to the final alpha, which includes
 * coverage. */
static void test_alpha_test_of_smooth(void **state)
{
    static const float level[2][2] = {{2.5f, 3.25f}, {10.25f, 3.25f}};
    static const float center[1][2] = {{6, 6}};
    glClearColor(0, 0, 0, 0);
    glColor4f(1, 1, 1, 1);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_GREATER, 0.5f);
    EXPECT_PRIMITIVE(GL_LINES, 2, level, {5, 3, 255});
    glEnable(GL_LINE_SMOOTH);
    EXPECT_PRIMITIVE(GL_LINES, 2, level, {2, 3, 0}, {5, 3, 191}, {10, 3, 0}, {5, 2, 0});
    glAlphaFunc(GL_LESS, 0.5f);
    EXPECT_PRIMITIVE(GL_LINES, 2, level, {2, 3, 96}, {5, 3, 0}, {10, 3, 48}, {5, 2, 64});
    glColor4f(1, 1, 1, 0.5f);
    EXPECT_PRIMITIVE(GL_LINES, 2, level, {2, 3, 48}, {5, 3, 96});
    glColor4f(1, 1, 1, 1);
    glDisable(GL_LINE_SMOOTH);
    EXPECT_PRIMITIVE(GL_LINES, 2, level, {5, 3, 0});
    glEnable(GL_POINT_SMOOTH);
    glPointSize(8);
    EXPECT_PRIMITIVE(GL_POINTS, 1, center, {6, 6, 0}, {2, 3, 51}, {2, 4, 0});
    glDisable(GL_POINT_SMOOTH);
    glPointSize(1);
    glAlphaFunc(GL_ALWAYS, 0);
    glDisable(GL_ALPHA_TEST);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks values near a far vertex, whose 1/w is small compared to the near one's. They are exact
 * and the same, whichever vertex comes first. */
static void test_far_values(void **state)
{
    static const float corner[3][4] = {
        {-1, -1, 0, 1}, {1800, -900, 0, 2000}, {-1000, 950, 0, 1000}};
    uint8_t pixels[3][SIZE * SIZE][4];
    GLuint program = gl_test_program(
        "#version 120\nattribute vec4 weight; varying float t;\n"
        "void main() { gl_Position = weight; t = weight.y / weight.w; }",
        "#version 120\nvarying float t; void main() { gl_FragColor = vec4(fract(t * 65536.0)); }");
    glUseProgram(program);
    for (unsigned first = 0; first < 3; first++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_TRIANGLES);
        for (unsigned i = 0; i < 3; i++)
            glVertexAttrib4fv(3, corner[(first + i) % 3]), glVertex4fv(corner[(first + i) % 3]);
        glEnd();
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels[first]);
    }
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
    assert_memory_equal(pixels[0], pixels[2], sizeof pixels[0]);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(program);
}

/* Sends a vertex in pixels, with a color. */
static void colored_vertex(float red, float green, float blue, float x, float y)
{
    glColor3f(red, green, blue);
    glVertex2f(x * 2 / SIZE - 1, y * 2 / SIZE - 1);
}

/* Checks the values of slivers whose height changes from 1/50 of a subpixel to a whole one when
 * their vertices are snapped. Setup handles several triangles at a time, so the draw also has
 * triangles of the usual shape, before, between and after them. */
static void test_slivers(void **state)
{
    const float center = 8.5f, subpixel = 1.0f / 256;
    glShadeModel(GL_SMOOTH);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 7; i++) {
        if (i == 2 || i == 5) { /* above and below the centers; one of them covers these */
            const float up = i == 2 ? subpixel : -subpixel;
            colored_vertex(0, 0, 0, 2, center + 0.49f * up);
            colored_vertex(1, 0, 0, 14, center + 0.49f * up);
            colored_vertex(0, 1, 0, 8, center + 0.51f * up);
            continue;
        }
        const float x = 2.0f * i;
        colored_vertex(0, 0, 0, x, 0);
        colored_vertex(0, 0, 1, x, 8);
        colored_vertex(0, 0, 1, x + 8, 8);
    }
    glEnd();
    for (int x = 2; x < 14; x++)
        expect(x, 8, (x - 1.5f) / 12, 0, 0);
    for (int y = 2; y < 8; y++)
        expect(1, y, 0, 0, (y + 0.5f) / 8);
    expect(13, 7, 0, 0, 7.5f / 8);
    glColor3f(1, 1, 1);
}

/* Checks that a line and its reverse have the same depth at every pixel, like shared edges of
 * polygons: the second is nowhere nearer. */
static void test_depth_of_reversed_lines(void **state)
{
    uint8_t pixels[SIZE * SIZE][4];
    unsigned seen = 0;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    for (unsigned i = 0; i < 40; i++) {
        const float a = i * 0.37f, b = i * 0.71f + 1.0f;
        const float end[2][3] = {{0.9f * cosf(a), 0.9f * sinf(a), sinf(b)},
                                 {0.8f * cosf(b), 0.8f * sinf(b), cosf(3 * a)}};
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (unsigned reversed = 0; reversed < 2; reversed++) {
            glColor3f(!reversed, reversed, 0);
            glBegin(GL_LINES);
            glVertex3fv(end[reversed]);
            glVertex3fv(end[!reversed]);
            glEnd();
        }
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        unsigned first = 0, second = 0;
        for (unsigned p = 0; p < SIZE * SIZE; p++) {
            first += pixels[p][0] != 0;
            second += pixels[p][1] != 0;
        }
        assert_in_range(second, 0, 1); /* its first pixel is the other's last, which is not drawn */
        seen += first;
    }
    assert_in_range(seen, 40, 40 * 2 * SIZE);
    glDisable(GL_DEPTH_TEST);
    glColor3f(1, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_edges),
        cmocka_unit_test(test_polygon_offsets),
        cmocka_unit_test(test_point_attenuation),
        cmocka_unit_test(test_point_sprite),
        cmocka_unit_test(test_noperspective_clipped),
        cmocka_unit_test(test_smooth_primitives),
        cmocka_unit_test(test_line_values),
        cmocka_unit_test(test_alpha_test_of_smooth),
        cmocka_unit_test(test_far_values),
        cmocka_unit_test(test_slivers),
        cmocka_unit_test(test_depth_of_reversed_lines),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
