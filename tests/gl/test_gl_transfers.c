/* SPDX-License-Identifier: MIT */
/* Mipmaps, blits, copies and resolves, compared with results computed from the source's pixels. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {16, 16};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static uint32_t random_state = 7;

static uint32_t random_word(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8;
}

static float (*random_image(int width, int height))[4]
{
    float(*image)[4] = malloc((size_t)width * height * sizeof *image);
    assert_non_null(image);
    for (int i = 0; i < 4 * width * height; i++)
        image[i / 4][i % 4] = (float)(random_word() & 0xffff) / 65535.0f;
    return image;
}

static GLuint make_texture(GLenum internal, int width, int height, const float (*image)[4])
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, GL_RGBA, GL_FLOAT, image);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    return t;
}

static GLuint make_framebuffer(GLenum target, GLuint texture)
{
    GLuint f;
    glGenFramebuffers(1, &f);
    glBindFramebuffer(target, f);
    glFramebufferTexture2D(target, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    assert_int_equal(glCheckFramebufferStatus(target), GL_FRAMEBUFFER_COMPLETE);
    return f;
}

static float (*read_level(int level, int width, int height))[4]
{
    float(*image)[4] = malloc((size_t)width * height * sizeof *image);
    assert_non_null(image);
    glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_FLOAT, image);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return image;
}

/* ----------------------------------------------------------------------------------- mipmaps --- */

/* Each texel of a level is the mean of four texels of the level above, rounded to nearest, ties to
 * even; max: the largest integer of a channel. */
static void check_means(GLenum internal, unsigned channels, double max)
{
    enum { SIZE = 256 };
    float(*image)[4] = random_image(SIZE, SIZE);
    GLuint t = make_texture(internal, SIZE, SIZE, (const float(*)[4])image);
    free(image);
    glGenerateMipmap(GL_TEXTURE_2D);
    float(*above)[4] = read_level(0, SIZE, SIZE);
    for (int level = 1, size = SIZE / 2; size; level++, size /= 2) {
        float(*below)[4] = read_level(level, size, size);
        for (int i = 0; i < size * size; i++)
            for (unsigned c = 0; c < channels; c++) {
                const int x = i % size * 2, y = i / size * 2, w = size * 2;
                double sum = 0;
                for (int k = 0; k < 4; k++)
                    sum += rint(above[(y + k / 2) * w + x + k % 2][c] * max);
                assert_true(rint(below[i][c] * max) == rint(sum / 4));
            }
        free(above);
        above = below;
    }
    free(above);
    glDeleteTextures(1, &t);
}

static void test_mipmaps_round_once(void **state)
{
    check_means(GL_RGBA8, 4, 255);
    check_means(GL_R8, 1, 255);
    check_means(GL_RG8, 2, 255);
    check_means(GL_RGB8, 3, 255);
    check_means(GL_LUMINANCE8, 1, 255);
    check_means(GL_RGB10_A2, 3, 1023);
    check_means(GL_RGBA4, 4, 15);
    check_means(GL_RGBA16, 4, 65535);
    check_means(GL_RGBA8_SNORM, 4, 127);
}

/* Means of float and sRGB formats, of linear values. */
static void test_mipmaps_of_floats(void **state)
{
    static const struct {
        GLenum internal;
        double relative;
    } rows[] = {{GL_RGBA16F, 0x1p-11},
                {GL_RGBA32F, 0x1p-22},
                {GL_R11F_G11F_B10F, 0x1p-6},
                {GL_RGB9_E5, 0x1p-5}};
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        float(*image)[4] = random_image(64, 48);
        GLuint t = make_texture(rows[r].internal, 64, 48, (const float(*)[4])image);
        free(image);
        glGenerateMipmap(GL_TEXTURE_2D);
        float(*above)[4] = read_level(0, 64, 48), (*below)[4] = read_level(1, 32, 24);
        for (int i = 0; i < 32 * 24; i++)
            for (unsigned c = 0; c < 3; c++) {
                const int at = i / 32 * 128 + i % 32 * 2;
                double mean = 0;
                for (int k = 0; k < 4; k++)
                    mean += above[at + k / 2 * 64 + k % 2][c] / 4.0;
                assert_true(fabs(below[i][c] - mean) <= (mean + 0.01) * rows[r].relative);
            }
        free(above);
        free(below);
        glDeleteTextures(1, &t);
    }
}

/* A plane stays a plane at sizes that don't halve, in all formats that are filtered. */
static void test_mipmaps_of_odd_sizes(void **state)
{
    static const GLenum internals[] = {GL_RGBA8, GL_R8,     GL_SRGB8_ALPHA8, GL_RGBA16F,
                                       GL_R32F,  GL_RGB565, GL_RGB10_A2,     GL_R11F_G11F_B10F};
    static const int sizes[][2] = {{1, 7}, {13, 1}, {5, 3}, {333, 129}, {257, 6}};
    for (unsigned f = 0; f < sizeof internals / sizeof internals[0]; f++)
        for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const int w = sizes[s][0], h = sizes[s][1];
            float(*image)[4] = malloc((size_t)w * h * sizeof *image);
            assert_non_null(image);
            for (int i = 0; i < 4 * w * h; i++)
                image[i / 4][i % 4] = 0.5f;
            GLuint t = make_texture(internals[f], w, h, (const float(*)[4])image);
            free(image);
            glGenerateMipmap(GL_TEXTURE_2D);
            for (int level = 0, x = w, y = h;;
                 level++, x = x > 1 ? x / 2 : 1, y = y > 1 ? y / 2 : 1) {
                float(*got)[4] = read_level(level, x, y);
                float(*first)[4] = read_level(0, w, h);
                for (int i = 0; i < x * y; i++)
                    assert_true(fabsf(got[i][0] - first[0][0]) < 0.002f);
                free(got);
                free(first);
                if (x == 1 && y == 1)
                    break;
            }
            glDeleteTextures(1, &t);
        }
}

/* ------------------------------------------------------------------------- blits and copies --- */

enum { W = 301, H = 70 };

static const GLenum color_formats[] = {GL_RGBA8,   GL_RGB565,  GL_RGB10_A2, GL_RGBA16,
                                       GL_RGBA16F, GL_RGBA32F, GL_R8,       GL_RG8};

/* Reads the draw framebuffer's texture, which is bound. */
static void check_blit(const float (*src)[4], const float (*dst)[4], int x0, int y0, int dx, int dy,
                       int w, int h, bool mirror_x, bool mirror_y, unsigned channels, double step)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int u = x - dx, v = y - dy;
            if (u < 0 || v < 0 || u >= w || v >= h) {
                assert_true(dst[y * W + x][0] == 0.0f);
                continue;
            }
            const int sx = x0 + (mirror_x ? w - 1 - u : u), sy = y0 + (mirror_y ? h - 1 - v : v);
            for (unsigned c = 0; c < channels; c++)
                assert_true(fabs(dst[y * W + x][c] - src[sy * W + sx][c]) <= step);
        }
}

static void test_blits(void **state)
{
    static const struct {
        int x0, y0, dx, dy, w, h;
        bool mirror_x, mirror_y;
    } rects[] = {{0, 0, 0, 0, W, H, false, false},    {4, 8, 64, 4, 200, 60, false, false},
                 {3, 5, 2, 1, 290, 61, false, false}, {0, 0, 0, 0, W, H, true, false},
                 {1, 2, 7, 3, 255, 33, true, true},   {5, 0, 5, 0, 1, 1, false, true}};
    for (unsigned a = 0; a < sizeof color_formats / sizeof color_formats[0]; a++)
        for (unsigned b = 0; b < sizeof color_formats / sizeof color_formats[0]; b++)
            for (unsigned r = 0; r < sizeof rects / sizeof rects[0]; r++) {
                const bool mx = rects[r].mirror_x, my = rects[r].mirror_y;
                const int w = rects[r].w, h = rects[r].h, dx = rects[r].dx, dy = rects[r].dy;
                float(*image)[4] = random_image(W, H), (*zero)[4] = calloc(W * H, sizeof *zero);
                assert_non_null(zero);
                GLuint s = make_texture(color_formats[a], W, H, (const float(*)[4])image);
                float(*src)[4] = read_level(0, W, H);
                GLuint d = make_texture(color_formats[b], W, H, (const float(*)[4])zero);
                GLuint fs = make_framebuffer(GL_READ_FRAMEBUFFER, s);
                GLuint fd = make_framebuffer(GL_DRAW_FRAMEBUFFER, d);
                glBlitFramebuffer(rects[r].x0, rects[r].y0, rects[r].x0 + w, rects[r].y0 + h,
                                  mx ? dx + w : dx, my ? dy + h : dy, mx ? dx : dx + w,
                                  my ? dy : dy + h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
                float(*dst)[4] = read_level(0, W, H);
                check_blit((const float(*)[4])src, (const float(*)[4])dst, rects[r].x0, rects[r].y0,
                           dx, dy, w, h, mx, my, 1, 0.5001 / 31);
                free(image);
                free(zero);
                free(src);
                free(dst);
                glDeleteFramebuffers(1, &fs);
                glDeleteFramebuffers(1, &fd);
                glDeleteTextures(1, &s);
                glDeleteTextures(1, &d);
            }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* A linear blit to twice the size interpolates between the centers of texels. */
static void test_linear_blits(void **state)
{
    for (unsigned a = 0; a < sizeof color_formats / sizeof color_formats[0]; a++) {
        float(*image)[4] = random_image(W, H);
        GLuint s = make_texture(color_formats[a], W, H, (const float(*)[4])image);
        float(*src)[4] = read_level(0, W, H);
        GLuint d = make_texture(color_formats[a], 2 * W, 2 * H, NULL);
        GLuint fs = make_framebuffer(GL_READ_FRAMEBUFFER, s);
        GLuint fd = make_framebuffer(GL_DRAW_FRAMEBUFFER, d);
        glBlitFramebuffer(0, 0, W, H, 0, 0, 2 * W, 2 * H, GL_COLOR_BUFFER_BIT, GL_LINEAR);
        float(*dst)[4] = read_level(0, 2 * W, 2 * H);
        for (int i = 0; i < 4 * W * H; i++) {
            const double x = i % (2 * W) * 0.5 - 0.25, y = i / (2 * W) * 0.5 - 0.25;
            const int fx = (int)floor(x), fy = (int)floor(y);
            double want = 0;
            for (int k = 0; k < 4; k++) {
                int sx = fx + k % 2, sy = fy + k / 2;
                double wx = k % 2 ? x - fx : 1 - (x - fx), wy = k / 2 ? y - fy : 1 - (y - fy);
                sx = sx < 0 ? 0 : sx >= W ? W - 1 : sx;
                sy = sy < 0 ? 0 : sy >= H ? H - 1 : sy;
                want += wx * wy * src[sy * W + sx][0];
            }
            assert_true(fabs(dst[i][0] - want) <= 0.5001 / 31);
        }
        free(image);
        free(src);
        free(dst);
        glDeleteFramebuffers(1, &fs);
        glDeleteFramebuffers(1, &fd);
        glDeleteTextures(1, &s);
        glDeleteTextures(1, &d);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* glCopyTexSubImage2D to each base format. */
static void test_copies_to_textures(void **state)
{
    static const struct {
        GLenum internal;
        uint8_t from[4]; /* component that glGetTexImage's R, G, B, A come from; 4: 0, 5: 1 */
    } rows[] = {{GL_RGBA8, {0, 1, 2, 3}},
                {GL_RGB8, {0, 1, 2, 5}},
                {GL_RG16, {0, 1, 4, 5}},
                {GL_R32F, {0, 4, 4, 5}},
                {GL_ALPHA8, {4, 4, 4, 3}},
                {GL_LUMINANCE8, {0, 4, 4, 5}},
                {GL_LUMINANCE8_ALPHA8, {0, 4, 4, 3}},
                {GL_INTENSITY8, {0, 4, 4, 5}}};
    float(*image)[4] = random_image(W, H);
    GLuint s = make_texture(GL_RGBA16, W, H, (const float(*)[4])image);
    GLuint fs = make_framebuffer(GL_READ_FRAMEBUFFER, s);
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        GLuint d = make_texture(rows[r].internal, W, H, NULL);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 1, 2, W - 3, H - 5);
        float(*dst)[4] = read_level(0, W, H);
        for (int y = 5; y < H; y++)
            for (int x = 3; x < W; x++) {
                const float *p = image[(y - 3) * W + x - 2];
                const float v[6] = {p[0], p[1], p[2], p[3], 0.0f, 1.0f};
                for (unsigned c = 0; c < 4; c++)
                    assert_true(fabsf(dst[y * W + x][c] - v[rows[r].from[c]]) < 0.501f / 255);
            }
        free(dst);
        glDeleteTextures(1, &d);
    }
    free(image);
    glDeleteFramebuffers(1, &fs);
    glDeleteTextures(1, &s);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* ----------------------------------------------------------------------------------- resolves --- */

/* Two of four samples are white and two are black. sRGB is averaged linearly. */
static void check_resolve(GLenum internal, int dx, float want)
{
    GLuint rb, many, f;
    GLuint t = make_texture(internal, W, H, NULL);
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, internal, W, H);
    glGenFramebuffers(1, &many);
    glBindFramebuffer(GL_FRAMEBUFFER, many);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    glViewport(0, 0, W, H);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 0x5);
    glColor3f(1, 1, 1);
    glRectf(-1, -1, 1, 1);
    glDisable(GL_SAMPLE_MASK);
    f = make_framebuffer(GL_DRAW_FRAMEBUFFER, t);
    glBlitFramebuffer(0, 0, W - dx, H, dx, 0, W, H, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    float(*got)[4] = read_level(0, W, H);
    for (int i = 0; i < W * H; i++)
        if (i % W >= dx)
            assert_true(fabsf(got[i][0] - want) <= 0.51f / 255);
    free(got);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &many);
    glDeleteFramebuffers(1, &f);
    glDeleteRenderbuffers(1, &rb);
    glDeleteTextures(1, &t);
}

static void test_resolves(void **state)
{
    static const GLenum linear[] = {GL_RGBA8,  GL_RGBA16F, GL_R11F_G11F_B10F,
                                    GL_RGBA16, GL_R32F,    GL_RGB10_A2};
    for (int dx = 0; dx < 4; dx += 3) {
        for (unsigned i = 0; i < sizeof linear / sizeof linear[0]; i++)
            check_resolve(linear[i], dx, 0.5f);
        check_resolve(GL_SRGB8_ALPHA8, dx, 0.5f);
        glEnable(GL_FRAMEBUFFER_SRGB);
        check_resolve(GL_SRGB8_ALPHA8, dx, 188 / 255.0f);
        glDisable(GL_FRAMEBUFFER_SRGB);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mipmaps_round_once, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_of_floats, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_of_odd_sizes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_blits, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_linear_blits, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copies_to_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_resolves, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
