/* SPDX-License-Identifier: MIT */
/* Mipmaps, blits, copies and resolves, compared with results computed from the source's pixels. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <stdlib.h>

#include "gl_test.h"
#include "util/sanitize.h"

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

/* Images of 24 MiB, which the CPU driver stores without the caches; at addresses
 * and with rows that are not aligned. */
static void test_large_images(void **state)
{
    enum { WIDTH = 1630, HEIGHT = 970, ROW = WIDTH + 3 };
    const size_t bytes = (size_t)ROW * HEIGHT * sizeof(float[4]) + 1;
    float(*image)[4] = random_image(WIDTH, HEIGHT);
    uint8_t *client = malloc(bytes), *before = malloc(bytes);
    assert_non_null(client);
    assert_non_null(before);
    const GLuint texture = make_texture(GL_RGBA32F, WIDTH, HEIGHT, image);
    float(*back)[4] = read_level(0, WIDTH, HEIGHT);
    assert_memory_equal(back, image, (size_t)WIDTH * HEIGHT * sizeof *image);
    memset(client, 0xa5, bytes);
    memset(before, 0xa5, bytes);
    glPixelStorei(GL_PACK_ROW_LENGTH, ROW);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, ROW);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_BGRA, GL_FLOAT, client + 1);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        const float bgra[4] = {image[i][2], image[i][1], image[i][0], image[i][3]};
        memcpy(before + 1 + (i / WIDTH * ROW + i % WIDTH) * sizeof bgra, bgra, sizeof bgra);
    }
    assert_memory_equal(client, before, bytes);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, client + 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, WIDTH - 6, HEIGHT - 10, GL_BGRA, GL_FLOAT,
                    client + 1 + (5 * ROW + 3) * sizeof *image);
    make_framebuffer(GL_FRAMEBUFFER, texture);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, client + 1);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float *p = image[y * WIDTH + x];
            const bool inside = x >= 3 && x < WIDTH - 3 && y >= 5 && y < HEIGHT - 5;
            const float want[4] = {p[inside ? 0 : 2], p[1], p[inside ? 2 : 0], p[3]};
            memcpy(before + 1 + ((size_t)y * ROW + x) * sizeof want, want, sizeof want);
        }
    assert_memory_equal(client, before, bytes);
    free(back);

    /* a blit that converts bytes to floats */
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    const GLuint encoded = make_texture(GL_RGBA8, WIDTH, HEIGHT, image);
    float(*want)[4] = read_level(0, WIDTH, HEIGHT);
    make_framebuffer(GL_READ_FRAMEBUFFER, encoded);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, texture);
    back = read_level(0, WIDTH, HEIGHT);
    assert_memory_equal(back, want, (size_t)WIDTH * HEIGHT * sizeof *want);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    free(image);
    free(back);
    free(want);
    free(client);
    free(before);
}

/* Uploads that the CPU driver converts and stores without the caches: whole images, then all but
 * some texels at the edges. */
static void test_large_conversions(void **state)
{
    enum { WIDTH = 1502, HEIGHT = 1301, SIZE = WIDTH * HEIGHT };
    float(*image)[4] = malloc(SIZE * sizeof *image), (*rgb)[3] = malloc(SIZE * sizeof *rgb);
    uint8_t(*bytes)[4] = malloc(SIZE * sizeof *bytes), (*got)[4] = malloc(SIZE * sizeof *got);
    assert_non_null(image);
    assert_non_null(rgb);
    assert_non_null(bytes);
    assert_non_null(got);
    for (int i = 0; i < SIZE; i++)
        for (int c = 0; c < 4; c++) {
            bytes[i][c] = (uint8_t)random_word();
            image[i][c] = (float)bytes[i][c] / 255.0f;
            if (c < 3)
                rgb[i][c] = image[i][c];
        }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, WIDTH);
    for (int edge = 0; edge < 2; edge++) {
        const int x = 5 * edge, y = 3 * edge, w = WIDTH - 2 * x, h = HEIGHT - 2 * y;
        const size_t first = (size_t)y * WIDTH + x;
        make_texture(GL_RGBA8, WIDTH, HEIGHT, edge ? NULL : image);
        if (edge)
            glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w, h, GL_RGBA, GL_FLOAT, image + first);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
        for (int j = 0; j < h; j++)
            assert_memory_equal(got + first + j * WIDTH, bytes + first + j * WIDTH, 4 * w);
        make_texture(GL_RGBA32F, WIDTH, HEIGHT, NULL);
        glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w, h, GL_RGB, GL_FLOAT, rgb + first);
        float(*back)[4] = read_level(0, WIDTH, HEIGHT);
        for (int i = 0; i < w * h; i++) {
            const size_t at = first + (size_t)(i / w) * WIDTH + i % w;
            assert_memory_equal(back[at], rgb[at], sizeof *rgb);
            assert_true(back[at][3] == 1.0f);
        }
        free(back);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    free(image);
    free(rgb);
    free(bytes);
    free(got);
}

/* Uploads, and glCopyImageSubData of boxes whose offsets in the tiles of the source and the
 * destination differ, by whole blocks or not, for each size of a texel. The CPU driver stores large
 * images without the caches: uploads of 12 MiB, copies of 24 MiB. */
static void test_copied_boxes(void **state)
{
    enum { W = 211, H = 197, WIDTH = 1700, HEIGHT = 970 };
    static const struct {
        GLenum internal, format, type;
        unsigned bytes;
        int width, height;
    } images[] = {
        {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, W, H},
        {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2, W, H},
        {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, W, H},
        {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, W, H},
        {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, W, H},
        {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, WIDTH, HEIGHT},
        {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, WIDTH, HEIGHT},
        {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, WIDTH, 2 * HEIGHT},
    };
    static const int offsets[][4] = {{4, 8, 8, 4},   {8, 4, 4, 8},   {0, 0, 0, 0},  {64, 4, 0, 0},
                                     {0, 60, 0, 64}, {12, 0, 68, 8}, {3, 5, 4, 0},  {0, 0, 1, 2},
                                     {0, 4, 0, 4},   {0, 64, 0, 0},  {4, 0, 0, 128}};
    for (unsigned i = 0; i < sizeof images / sizeof *images; i++) {
        const int w = images[i].width, h = images[i].height;
        const size_t row = (size_t)w * images[i].bytes, size = row * h;
        uint8_t *pixels[2], *want = malloc(size), *got = malloc(size);
        GLuint t[2];
        assert_non_null(want);
        assert_non_null(got);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glGenTextures(2, t);
        for (unsigned k = 0; k < 2; k++) {
            pixels[k] = malloc(size);
            assert_non_null(pixels[k]);
            for (size_t b = 0; b < size; b++)
                pixels[k][b] = (uint8_t)random_word();
            glBindTexture(GL_TEXTURE_2D, t[k]);
            glTexImage2D(GL_TEXTURE_2D, 0, (GLint)images[i].internal, w, h, 0, images[i].format,
                         images[i].type, pixels[k]);
            /* integer textures are complete only without filters */
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        }
        for (unsigned o = 0; o < sizeof offsets / sizeof *offsets; o += w == WIDTH ? 3 : 1) {
            const int *at = offsets[o];
            const int sizes[][2] = {
                {w - (at[0] > at[2] ? at[0] : at[2]), h - (at[1] > at[3] ? at[1] : at[3])},
                {w == WIDTH ? 1630 : 64, w == WIDTH ? 840 : 60}};
            for (unsigned k = 0; k < 2; k++) {
                glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, w, h, images[i].format, images[i].type,
                                pixels[1]);
                memcpy(want, pixels[1], size);
                for (int y = 0; y < sizes[k][1]; y++)
                    memcpy(want + (at[3] + y) * row + (size_t)at[2] * images[i].bytes,
                           pixels[0] + (at[1] + y) * row + (size_t)at[0] * images[i].bytes,
                           (size_t)sizes[k][0] * images[i].bytes);
                glCopyImageSubData(t[0], GL_TEXTURE_2D, 0, at[0], at[1], 0, t[1], GL_TEXTURE_2D, 0,
                                   at[2], at[3], 0, sizes[k][0], sizes[k][1], 1);
                glGetTexImage(GL_TEXTURE_2D, 0, images[i].format, images[i].type, got);
                assert_int_equal(glGetError(), GL_NO_ERROR);
                assert_memory_equal(got, want, size);
            }
        }
        glDeleteTextures(2, t);
        free(pixels[0]);
        free(pixels[1]);
        free(want);
        free(got);
    }
}

/* -------------------------------------------------------------------------------- mipmaps --- */

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

/* Checks level 1 of a texture whose texels are floats: means of four, with a relative error. */
static void check_float_means(GLenum internal, int width, int height, double relative)
{
    float(*image)[4] = random_image(width, height);
    GLuint t = make_texture(internal, width, height, (const float(*)[4])image);
    free(image);
    glGenerateMipmap(GL_TEXTURE_2D);
    const int half = width / 2;
    float(*above)[4] = read_level(0, width, height);
    float(*below)[4] = read_level(1, half, height / 2);
    for (int i = 0; i < half * (height / 2); i++)
        for (unsigned c = 0; c < 3; c++) {
            const int at = i / half * 2 * width + i % half * 2;
            double mean = 0;
            for (int k = 0; k < 4; k++)
                mean += above[at + k / 2 * width + k % 2][c] / 4.0;
            assert_true(fabs(below[i][c] - mean) <= (mean + 0.01) * relative);
        }
    free(above);
    free(below);
    glDeleteTextures(1, &t);
}

/* Means of float and packed formats, of linear values. */
static void test_mipmaps_of_floats(void **state)
{
    check_float_means(GL_RGBA16F, 64, 48, 0x1p-11);
    check_float_means(GL_RGBA32F, 64, 48, 0x1p-22);
    check_float_means(GL_R11F_G11F_B10F, 64, 48, 0x1p-6);
    check_float_means(GL_RGB9_E5, 64, 48, 0x1p-5);
}

/* Means of rows that are filtered in several pieces; 32-bit floats are filtered as they are stored,
 * except those with three components. */
static void test_mipmaps_of_wide_floats(void **state)
{
    static const GLenum internals[] = {GL_RGBA32F, GL_RGB32F, GL_RG32F, GL_R32F};
    for (unsigned i = 0; i < sizeof internals / sizeof internals[0]; i++)
        check_float_means(internals[i], 484, 48, 0x1p-22);
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

/* The blocks of every slice of a level are encoded. */
static void test_mipmaps_of_compressed_slices(void **state)
{
    enum { SIZE = 8, DEPTH = 4 };
    static const uint8_t gray[DEPTH] = {16, 48, 128, 224};
    static uint8_t texels[DEPTH][SIZE * SIZE][4], got[DEPTH / 2][SIZE / 2 * SIZE / 2][4];
    GLuint t;
    for (unsigned z = 0; z < DEPTH; z++)
        memset(texels[z], gray[z], sizeof texels[z]);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_3D, t);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_COMPRESSED_RGBA_BPTC_UNORM, SIZE, SIZE, DEPTH, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_3D);
    glGetTexImage(GL_TEXTURE_3D, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
    for (unsigned i = 0; i < SIZE / 2 * SIZE / 2 * 4; i++) {
        assert_in_range(got[0][i / 4][i % 4], 31, 33);
        assert_in_range(got[1][i / 4][i % 4], 175, 177);
    }
    glGetTexImage(GL_TEXTURE_3D, 2, GL_RGBA, GL_UNSIGNED_BYTE, got);
    for (unsigned i = 0; i < 2 * 2 * 4; i++)
        assert_in_range(got[0][i / 4][i % 4], 102, 106);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &t);
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

/* glCopyTexSubImage2D to compressed textures, from regions that lie partly outside the read buffer,
 * so that the copied box starts inside a block. Two colors are exact in each block. */
static void test_copies_to_compressed(void **state)
{
    enum { SIZE = 16, COPIED = 8 };
    static const GLenum internals[] = {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_COMPRESSED_RED_RGTC1};
    static const int corners[][2] = {{3, 2}, {-2, -1}, {-5, 3}, {1, -7}, {10, 13}};
    float image[SIZE * SIZE][4];
    for (int i = 0; i < SIZE * SIZE; i++)
        for (unsigned c = 0; c < 4; c++)
            image[i][c] = (i % SIZE * 7 + i / SIZE * 3) % 5 < 2 || c == 3;
    GLuint s = make_texture(GL_RGBA8, SIZE, SIZE, (const float(*)[4])image);
    GLuint fs = make_framebuffer(GL_READ_FRAMEBUFFER, s);
    for (unsigned f = 0; f < sizeof internals / sizeof internals[0]; f++)
        for (unsigned k = 0; k < sizeof corners / sizeof corners[0]; k++) {
            GLuint d = make_texture(internals[f], SIZE, SIZE, NULL);
            glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 4, 4, corners[k][0], corners[k][1], COPIED,
                                COPIED);
            float(*dst)[4] = read_level(0, SIZE, SIZE);
            for (int i = 0; i < COPIED * COPIED; i++) {
                const int x = i % COPIED, y = i / COPIED;
                const int u = x + corners[k][0], v = y + corners[k][1];
                if (u >= 0 && u < SIZE && v >= 0 && v < SIZE)
                    assert_true(dst[(y + 4) * SIZE + x + 4][0] == image[v * SIZE + u][0]);
            }
            free(dst);
            glDeleteTextures(1, &d);
        }
    glDeleteFramebuffers(1, &fs);
    glDeleteTextures(1, &s);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* glGetTextureSubImage reads boxes of compressed textures that start and end inside blocks. */
static void test_parts_of_compressed(void **state)
{
    static const int boxes[][4] = {{1, 0, 4, 4},   {3, 2, 1, 1},  {2, 3, 66, 30},
                                   {69, 33, 1, 1}, {4, 8, 8, 16}, {5, 7, 65, 27}};
    static const GLenum formats[] = {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_COMPRESSED_RG_RGTC2,
                                     GL_COMPRESSED_RGBA_BPTC_UNORM,
                                     GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT};
    enum { WIDTH = 70, HEIGHT = 34 };
    static uint8_t whole[HEIGHT][WIDTH][4], part[HEIGHT * WIDTH][4];
    for (unsigned f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        float(*image)[4] = random_image(WIDTH, HEIGHT);
        GLuint t = make_texture(formats[f], WIDTH, HEIGHT, (const float(*)[4])image);
        free(image);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, whole);
        for (unsigned k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
            const int x = boxes[k][0], y = boxes[k][1], w = boxes[k][2], h = boxes[k][3];
            glGetTextureSubImage(t, 0, x, y, 0, w, h, 1, GL_RGBA, GL_UNSIGNED_BYTE, sizeof part,
                                 part);
            assert_int_equal(glGetError(), GL_NO_ERROR);
            for (int i = 0; i < h; i++)
                assert_memory_equal(part[i * w], whole[y + i][x], (size_t)w * 4);
        }
        glDeleteTextures(1, &t);
    }
}

/* -------------------------------------------------------------------------------- resolves --- */

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

/* -------------------------------------------------------------------- pixel rectangles --- */

enum { RECT = 24 };

struct rectangle {
    GLenum format, type;
    float zoom_x, zoom_y, x, y;
    bool scissor;
};

/* Draws client pixels to a cleared framebuffer of RECT × RECT pixels and returns what glReadPixels
 * reads. shaded: with blending that keeps the colors, so that the rectangle is rasterized. */
static void draw_rectangle(const struct rectangle *r, const void *pixels, bool shaded,
                           float (*result)[4])
{
    glClearColor(0.25f, 0.5f, 0.75f, 0.125f);
    glDisable(GL_SCISSOR_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    glScissor(3, 2, 9, 11);
    (r->scissor ? glEnable : glDisable)(GL_SCISSOR_TEST);
    (shaded ? glEnable : glDisable)(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ZERO);
    glWindowPos2f(r->x, r->y);
    glPixelZoom(r->zoom_x, r->zoom_y);
    glDrawPixels(9, 7, r->format, r->type, pixels);
    glDisable(GL_BLEND);
    glReadPixels(0, 0, RECT, RECT, GL_RGBA, GL_FLOAT, result);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Rectangles that are written directly equal rasterized ones, for each client format and target.
 * Shaders round normalized values to floats in between, so 16-bit channels may differ by a step and
 * floats by the last bit. Positions avoid pixel centers between two source pixels. */
static void test_written_rectangles(void **state)
{
    static const GLenum formats[] = {GL_RGBA, GL_BGRA,  GL_RGB,       GL_RED,
                                     GL_RG,   GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA};
    static const GLenum types[] = {GL_UNSIGNED_BYTE, GL_BYTE,  GL_UNSIGNED_SHORT, GL_SHORT,
                                   GL_UNSIGNED_INT,  GL_FLOAT, GL_HALF_FLOAT};
    static const struct {
        GLenum internal;
        float tolerance;
    } targets[] = {{GL_RGBA8, 0.0f},   {GL_RGB565, 0.0f},      {GL_RGBA16, 1.01f / 65535},
                   {GL_RGBA16F, 0.0f}, {GL_RGBA32F, 0x1p-23f}, {GL_SRGB8_ALPHA8, 0.0f}};
    static const float zooms[][4] = {
        {1, 1, 2, 3},
        {1, 1, 1.25f, 2.75f},
        {-1, 1, 20, 2},
        {1, -1, 3, 21},
        {2, 2, 1.25f, -3.75f},
        {0.5f, 0.5f, 2.25f, 3.75f},
        {-1.5f, 3, 17.125f, -2.125f},
    };
    static float written[RECT * RECT][4], shaded[RECT * RECT][4];
    static uint8_t pixels[9 * 7 * 16];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = random_word() & 0x3f; /* no NaN in any type */
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glViewport(0, 0, RECT, RECT);
    glEnable(GL_FRAMEBUFFER_SRGB);
    for (unsigned t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        GLuint texture = make_texture(targets[t].internal, RECT, RECT, NULL);
        GLuint f = make_framebuffer(GL_FRAMEBUFFER, texture);
        for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
            for (unsigned k = 0; k < sizeof types / sizeof types[0]; k++) {
                const float *z = zooms[random_word() % (sizeof zooms / sizeof zooms[0])];
                const struct rectangle r = {formats[i], types[k], z[0],       z[1],
                                            z[2],       z[3],     (i + k) % 2};
                glPixelTransferf(GL_GREEN_SCALE, i % 3 ? 1.0f : 0.75f);
                draw_rectangle(&r, pixels, false, written);
                draw_rectangle(&r, pixels, true, shaded);
                for (int n = 0; n < 4 * RECT * RECT; n++)
                    assert_true(fabsf(written[n / 4][n % 4] - shaded[n / 4][n % 4]) <=
                                targets[t].tolerance);
            }
        glDeleteFramebuffers(1, &f);
        glDeleteTextures(1, &texture);
    }
    glPixelTransferf(GL_GREEN_SCALE, 1.0f);
}

static uint32_t window_pixel(int x, int y)
{
    uint8_t p[4] = {0};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* Fragment operations, programs and queries apply to rectangles. */
static void test_rectangles_with_state(void **state)
{
    static const uint8_t color[4] = {0x10, 0x20, 0x30, 0x40};
    static const char *const source = "void main() { gl_FragColor = gl_Color.bgra; }";
    GLuint query, count = 0;
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    glWindowPos2f(2, 2);
    glColorMask(1, 0, 1, 1);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    assert_int_equal(window_pixel(2, 2), 0x10003040);
    glColorMask(1, 1, 1, 1);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_GREATER, 0.5f);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    assert_int_equal(window_pixel(2, 2), 0x10003040);
    glDisable(GL_ALPHA_TEST);
    glEnable(GL_COLOR_LOGIC_OP);
    glLogicOp(GL_COPY_INVERTED);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    assert_int_equal(window_pixel(2, 2), 0xefdfcfbf);
    glDisable(GL_COLOR_LOGIC_OP);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_NEVER);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    assert_int_equal(window_pixel(2, 2), 0xefdfcfbf);
    glDisable(GL_DEPTH_TEST);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    assert_int_equal(count, 1);
    assert_int_equal(window_pixel(2, 2), 0x10203040);
    glBeginConditionalRender(query, GL_QUERY_WAIT_INVERTED);
    glDrawPixels(1, 1, GL_BGRA, GL_UNSIGNED_BYTE, color);
    glEndConditionalRender();
    assert_int_equal(window_pixel(2, 2), 0x10203040);
    glDeleteQueries(1, &query);
    GLuint s = glCreateShader(GL_FRAGMENT_SHADER), program = glCreateProgram();
    glShaderSource(s, 1, &source, NULL);
    glCompileShader(s);
    glAttachShader(program, s);
    glLinkProgram(program);
    glUseProgram(program);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    glUseProgram(0);
    assert_int_equal(window_pixel(2, 2), 0x30201040);
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, -2);
    glFogf(GL_FOG_END, -1); /* the color is the fog's */
    glFogfv(GL_FOG_COLOR, (const GLfloat[4]){1, 0, 1, 0});
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
    glDisable(GL_FOG);
    assert_int_equal(window_pixel(2, 2), 0xff00ff40);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteProgram(program);
    glDeleteShader(s);
}

/* Rectangles are in order with draws, which scenes execute later. */
static void test_rectangles_between_draws(void **state)
{
    static uint8_t image[16 * 16][4];
    for (int i = 0; i < 4; i++) {
        memset(image, 0x11 * (i + 1), sizeof image);
        glColor4f(0, 1, 0, 1);
        glRectf(-1, -1, 1, 1);
        glWindowPos2f((float)i, 0);
        glDrawPixels(8, 8, GL_RGBA, GL_UNSIGNED_BYTE, image);
        glColor4f(0, 0, 1, 1);
        glRectf(0, 0, 1, 1);
        const uint32_t value = 0x11111111u * (uint32_t)(i + 1);
        assert_int_equal(window_pixel(i, 0), value);
        assert_int_equal(window_pixel(i + 7, 7), value);
        assert_int_equal(window_pixel(i + 8, 3), 0x00ff00ff);
        assert_int_equal(window_pixel(9, 9), 0x0000ffff);
    }
}

/* Bitmaps of all sizes equal their bits, with an offset in the first byte, and clipped. */
static void test_bitmaps(void **state)
{
    enum { SIZE = 100 };
    static uint8_t bits[SIZE][16], got[SIZE][SIZE][4];
    static const int boxes[][4] = {
        {2, 3, 90, 80}, {-9, -20, 100, 100}, {40, 50, 99, 70}, {5, 5, 8, 9}};
    for (size_t i = 0; i < sizeof bits; i++)
        bits[i / 16][i % 16] = (uint8_t)random_word();
    GLuint texture = make_texture(GL_RGBA8, SIZE, SIZE, NULL);
    GLuint f = make_framebuffer(GL_FRAMEBUFFER, texture);
    glViewport(0, 0, SIZE, SIZE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 128);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
    glPixelZoom(2, 2); /* bitmaps ignore it */
    glScissor(10, 10, 85, 80);
    for (unsigned i = 0; i < 4 * sizeof boxes / sizeof boxes[0]; i++) {
        const int *b = boxes[i / 4];
        const bool lsb = i & 1, scissor = i & 2;
        glPixelStorei(GL_UNPACK_LSB_FIRST, lsb);
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        (scissor ? glEnable : glDisable)(GL_SCISSOR_TEST);
        glColor4ub(1, 2, 3, 255);
        glWindowPos2i(0, 0);
        glBitmap(0, 0, 0, 0, (float)b[0], (float)b[1], NULL);
        glBitmap(b[2], b[3], 0, 0, 0, 0, bits[0]);
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, got);
        for (int n = 0; n < SIZE * SIZE; n++) {
            const int x = n % SIZE, y = n / SIZE, u = x - b[0], v = y - b[1], bit = u + 3;
            bool set = u >= 0 && v >= 0 && u < b[2] && v < b[3] &&
                       bits[v][bit / 8] >> (lsb ? bit % 8 : 7 - bit % 8) & 1;
            set = set && (!scissor || (x >= 10 && y >= 10 && x < 95 && y < 90));
            assert_memory_equal(got[y][x], set ? "\1\2\3\377" : "\0\0\0\0", 4);
        }
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteFramebuffers(1, &f);
    glDeleteTextures(1, &texture);
}

/* Depth and stencil of a rectangle, under their write masks. */
static void test_depth_stencil_rectangles(void **state)
{
    const GLuint values[2] = {0x800000ab, 0x400000cd};
    GLuint got[2] = {0};
    glClearDepth(1);
    glClearStencil(0x55);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glWindowPos2f(3, 5);
    glDrawPixels(2, 1, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, values);
    glReadPixels(3, 5, 2, 1, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, got);
    assert_int_equal(got[0], values[0]);
    assert_int_equal(got[1], values[1]);
    glDepthMask(0);
    glStencilMask(0x0f);
    glWindowPos2f(3, 6);
    glDrawPixels(2, 1, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, values);
    glReadPixels(3, 6, 2, 1, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, got);
    assert_int_equal(got[0], 0xffffff5b);
    assert_int_equal(got[1], 0xffffff5d);
    glStencilMask(0xff);
    glDepthMask(1);
    const GLushort indices[2] = {0x77, 0x188};
    glWindowPos2f(3, 6);
    glPixelZoom(-1, 1);
    glDrawPixels(2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_SHORT, indices);
    glReadPixels(1, 6, 2, 1, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, got);
    assert_int_equal(got[0], 0xffffff88);
    assert_int_equal(got[1], 0xffffff77);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* ------------------------------------------------------------------- cleared textures --- */

/* Clears boxes of images with several tiles, and reads them after partial writes. */
static void test_cleared_boxes(void **state)
{
    enum { WIDTH = 200, HEIGHT = 150 };
    static const int boxes[][4] = {{0, 0, 200, 150}, {10, 20, 180, 100}, {64, 64, 64, 64},
                                   {0, 64, 200, 86}, {3, 3, 1, 1},       {60, 0, 140, 150}};
    static uint8_t expected[HEIGHT][WIDTH][4], got[HEIGHT][WIDTH][4];
    static const uint8_t red[4] = {255, 0, 0, 255};
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, expected);
    for (unsigned i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        const int *b = boxes[i];
        const uint8_t color[4] = {(uint8_t)(i + 1), (uint8_t)(2 * i), 7, (uint8_t)(200 + i)};
        glClearTexSubImage(t, 0, b[0], b[1], 0, b[2], b[3], 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
        for (int y = b[1]; y < b[1] + b[3]; y++)
            for (int x = b[0]; x < b[0] + b[2]; x++)
                memcpy(expected[y][x], color, 4);
        if (i % 2) { /* a write to a part of a cleared tile */
            glTexSubImage2D(GL_TEXTURE_2D, 0, 70, 70, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
            memcpy(expected[70][70], red, 4);
        }
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
        assert_memory_equal(got, expected, sizeof got);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &t);
}

/* A cleared texture is sampled, copied and used for mipmaps. */
static void test_cleared_then_used(void **state)
{
    static const uint8_t color[4] = {0x20, 0x40, 0x60, 0x80}, black[4];
    static uint8_t got[128 * 128][4];
    GLuint t[2];
    glGenTextures(2, t);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, t[i]);
        glTexStorage2D(GL_TEXTURE_2D, 8, GL_RGBA8, 128, 128);
        glClearTexImage(t[i], 0, GL_RGBA, GL_UNSIGNED_BYTE, black);
    }
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glRectf(-1, -1, 1, 1);
    glClearTexImage(t[1], 0, GL_RGBA, GL_UNSIGNED_BYTE, color); /* after the draw that reads it */
    assert_int_equal(window_pixel(5, 5), 0);
    glRectf(-1, -1, 1, 1);
    assert_int_equal(window_pixel(5, 5), 0x20406080);
    glDisable(GL_TEXTURE_2D);
    glGenerateMipmap(GL_TEXTURE_2D);
    glGetTexImage(GL_TEXTURE_2D, 3, GL_RGBA, GL_UNSIGNED_BYTE, got);
    for (int i = 0; i < 16 * 16; i++)
        assert_memory_equal(got[i], color, 4);
    glClearTexSubImage(t[1], 0, 0, 0, 0, 128, 64, 1, GL_RGBA, GL_UNSIGNED_BYTE, black);
    glCopyImageSubData(t[1], GL_TEXTURE_2D, 0, 0, 0, 0, t[0], GL_TEXTURE_2D, 0, 0, 0, 0, 128, 128,
                       1);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    for (int i = 0; i < 128 * 128; i++)
        assert_memory_equal(got[i], i < 128 * 64 ? black : color, 4);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(2, t);
}

/* Copies between compressed images move the blocks and what sampling returns. */
static void test_compressed_copies(void **state)
{
    static const int boxes[][6] = {/* source, destination, size */
                                   {0, 0, 0, 0, 70, 34},
                                   {4, 8, 16, 4, 24, 12},
                                   {64, 32, 64, 32, 6, 2}};
    static const GLenum formats[] = {GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
                                     GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_COMPRESSED_RED_RGTC1,
                                     GL_COMPRESSED_RGBA_BPTC_UNORM};
    enum { WIDTH = 70, HEIGHT = 34 };
    static uint8_t a[HEIGHT][WIDTH][4], b[HEIGHT][WIDTH][4], got[HEIGHT][WIDTH][4];
    for (unsigned f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        GLuint t[2];
        for (int i = 0; i < 2; i++) {
            float(*image)[4] = random_image(WIDTH, HEIGHT);
            t[i] = make_texture(formats[f], WIDTH, HEIGHT, (const float(*)[4])image);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            free(image);
            glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, i ? b : a);
        }
        for (unsigned k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
            const int *x = boxes[k];
            glCopyImageSubData(t[0], GL_TEXTURE_2D, 0, x[0], x[1], 0, t[1], GL_TEXTURE_2D, 0, x[2],
                               x[3], 0, x[4], x[5], 1);
            assert_int_equal(glGetError(), GL_NO_ERROR);
            for (int y = 0; y < x[5]; y++)
                memcpy(b[x[3] + y][x[2]], a[x[1] + y][x[0]], (size_t)x[4] * 4);
            glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
            assert_memory_equal(got, b, sizeof got);
            /* what sampling returns: the decoded texels */
            glEnable(GL_TEXTURE_2D);
            glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glBegin(GL_TRIANGLE_FAN); /* the texel at the destination's corner */
            for (int i = 0; i < 4; i++) {
                glTexCoord2f(((float)x[2] + 0.5f) / WIDTH, ((float)x[3] + 0.5f) / HEIGHT);
                glVertex2f(i == 1 || i == 2 ? 1 : -1, i / 2 ? 1 : -1);
            }
            glEnd();
            glDisable(GL_TEXTURE_2D);
            const uint8_t *p = b[x[3]][x[2]];
            assert_int_equal(window_pixel(1, 1),
                             (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]);
        }
        glDeleteTextures(2, t);
    }
}

/* Writes a DXT1 block of one color, given as 5:6:5, to the bound texture. */
static void put_block(int level, int x, int y, uint16_t color)
{
    const uint8_t block[8] = {(uint8_t)color, (uint8_t)(color >> 8), (uint8_t)color,
                              (uint8_t)(color >> 8)};
    glCompressedTexSubImage2D(GL_TEXTURE_2D, level, x, y, 4, 4, GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
                              sizeof block, block);
}

/* Covers the window with a texel of a square texture. */
static void draw_texel(int x, int y, int size)
{
    glEnable(GL_TEXTURE_2D);
    glBegin(GL_TRIANGLE_FAN);
    for (int i = 0; i < 4; i++) {
        glTexCoord2f(((float)x + 0.5f) / (float)size, ((float)y + 0.5f) / (float)size);
        glVertex2f(i == 1 || i == 2 ? 1 : -1, i / 2 ? 1 : -1);
    }
    glEnd();
    glDisable(GL_TEXTURE_2D);
}

/* Samplers see the last blocks that were written before each draw: blocks near each other and far
 * apart, of two levels, between draws, after a copy, and of a texture that is deleted at once. */
static void test_blocks_between_draws(void **state)
{
    enum { SIZE = 512, RED = 0xf800, GREEN = 0x07e0, BLUE = 0x001f, WHITE = 0xffff };
    GLuint t[2];
    glGenTextures(2, t);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, t[i]);
        glTexStorage2D(GL_TEXTURE_2D, 2, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, SIZE, SIZE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    put_block(0, 0, 0, RED);
    put_block(0, 8, 4, GREEN);
    put_block(0, SIZE - 4, SIZE - 4, BLUE); /* far from the others */
    put_block(0, SIZE - 4, 0, WHITE);
    draw_texel(1, 2, SIZE);
    assert_int_equal(window_pixel(5, 5), 0xff0000ff);
    draw_texel(9, 7, SIZE);
    assert_int_equal(window_pixel(5, 5), 0x00ff00ff);
    draw_texel(SIZE - 1, SIZE - 1, SIZE);
    put_block(0, SIZE - 4, SIZE - 4, RED); /* after the draw that samples the block */
    assert_int_equal(window_pixel(5, 5), 0x0000ffff);
    draw_texel(SIZE - 1, SIZE - 1, SIZE);
    assert_int_equal(window_pixel(5, 5), 0xff0000ff);
    draw_texel(SIZE - 1, 3, SIZE);
    assert_int_equal(window_pixel(5, 5), 0xffffffff);
    /* a level that the sampler does not use, then uses */
    put_block(1, 16, 16, GREEN);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    draw_texel(17, 18, SIZE / 2);
    assert_int_equal(window_pixel(5, 5), 0x00ff00ff);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    /* a copy, whose blocks are then partly replaced, and mipmaps of them */
    put_block(0, 0, 0, BLUE);
    glCopyImageSubData(t[1], GL_TEXTURE_2D, 0, 0, 0, 0, t[0], GL_TEXTURE_2D, 0, 0, 0, 0, SIZE, SIZE,
                       1);
    put_block(0, 0, 0, WHITE);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    put_block(0, 8, 4, RED);
    put_block(0, 12, 4, RED);
    draw_texel(2, 1, SIZE);
    assert_int_equal(window_pixel(5, 5), 0x0000ffff);
    draw_texel(10, 5, SIZE);
    assert_int_equal(window_pixel(5, 5), 0xff0000ff);
    glGenerateMipmap(GL_TEXTURE_2D);
    put_block(1, 0, 0, GREEN);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    draw_texel(5, 2, SIZE / 2);
    assert_int_equal(window_pixel(5, 5), 0xff0000ff);
    draw_texel(1, 1, SIZE / 2);
    assert_int_equal(window_pixel(5, 5), 0x00ff00ff);
    /* deleted after the draw, before it is executed */
    glBindTexture(GL_TEXTURE_2D, t[1]);
    put_block(0, 4, 4, GREEN);
    draw_texel(4, 4, SIZE);
    glDeleteTextures(2, t);
    assert_int_equal(window_pixel(5, 5), 0x00ff00ff);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* GL 4.6 §17.3.9: a logical operation replaces blending, also if both are enabled. */
static void test_logic_op_and_blending(void **state)
{
    glEnable(GL_COLOR_LOGIC_OP);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ZERO);
    for (unsigned i = 0; i < 2; i++) {
        glLogicOp(i ? GL_XOR : GL_COPY);
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(1, 1, 0);
        glRectf(-1, -1, 1, 1);
        expect(2, 2, !i, 1, 0);
    }
    glDisable(GL_BLEND);
    glDisable(GL_COLOR_LOGIC_OP);
    glBlendFunc(GL_ONE, GL_ZERO);
    glLogicOp(GL_COPY);
    glColor3f(1, 1, 1);
    glClearColor(0, 0, 0, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* --- stacks --- */

static struct gl_context *moving; /* the context of transfer_elsewhere */

/* Converts, decodes, blits and filters small images, which needs no other thread. Returns
 * `current`, or NULL if a value is wrong. */
static void *transfer_elsewhere(void *current)
{
    enum { WIDTH = 37, HEIGHT = 9 };
    static GLfloat image[HEIGHT][WIDTH][4], back[HEIGHT][WIDTH][4];
    static const GLubyte block[8] = {255, 255}; /* white */
    GLuint textures[3], framebuffers[2];
    GLfloat p[4];
    if (!core->make_current(moving, drawable, drawable))
        return NULL;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        image[i / WIDTH][i % WIDTH][0] = image[i / WIDTH][i % WIDTH][1] =
            image[i / WIDTH][i % WIDTH][3] = 1.0f;
    for (unsigned i = 0; i < 2; i++) {
        textures[i] = make_texture(GL_R11F_G11F_B10F, WIDTH, HEIGHT, (const float(*)[4])image);
        framebuffers[i] = make_framebuffer(GL_FRAMEBUFFER, textures[i]);
    }
    glGenerateMipmap(GL_TEXTURE_2D);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, back);
    bool good = memcmp(back, image, sizeof back) == 0;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH / 2, HEIGHT / 2, GL_COLOR_BUFFER_BIT,
                      GL_LINEAR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[1]);
    glReadPixels(3, 3, 1, 1, GL_RGBA, GL_FLOAT, p);
    good = good && memcmp(p, image, sizeof p) == 0;
    glGenTextures(1, &textures[2]);
    glBindTexture(GL_TEXTURE_2D, textures[2]);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 4, 4, 0, 8, block);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, back);
    good = good && back[0][0][0] == 1.0f && glGetError() == GL_NO_ERROR;
    glDeleteFramebuffers(2, framebuffers);
    glDeleteTextures(3, textures);
    core->make_current(NULL, NULL, NULL);
    return good ? current : NULL;
}

/* Small transfers in a thread whose stack is too small for their buffers. */
static void test_small_stack(void **state)
{
    pthread_attr_t attr;
    pthread_t thread;
    void *done;
    if (SANITIZED_ADDRESS || SANITIZED_THREAD)
        skip(); /* jobs stay on the stack */
    moving = *state;
    core->make_current(NULL, NULL, NULL);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    pthread_attr_setguardsize(&attr, 1 << 20);
    assert_int_equal(pthread_create(&thread, &attr, transfer_elsewhere, &moving), 0);
    pthread_join(thread, &done);
    assert_ptr_equal(done, &moving);
    pthread_attr_destroy(&attr);
    assert_true(core->make_current(*state, drawable, drawable));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_large_images, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_large_conversions, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copied_boxes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_round_once, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_of_floats, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_of_odd_sizes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_blits, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_linear_blits, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_of_compressed_slices, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copies_to_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copies_to_compressed, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_parts_of_compressed, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_resolves, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_written_rectangles, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_rectangles_with_state, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_rectangles_between_draws, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_depth_stencil_rectangles, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_cleared_boxes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_cleared_then_used, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_compressed_copies, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_blocks_between_draws, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_bitmaps, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_mipmaps_of_wide_floats, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_logic_op_and_blending, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_small_stack, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
