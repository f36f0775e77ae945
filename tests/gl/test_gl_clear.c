/* SPDX-License-Identifier: MIT */
/*
 * Clears, which the driver may defer until the image is read. Checks them after, between and before
 * writes, with everything that reads images.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

enum { MOST = 200, SAMPLES = 4 };

#define ALL_PIXELS                                                                                 \
    "#version 330\n" /* a triangle that covers everything */                                       \
    "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }"

typedef uint8_t texel[4];

/* An image that is cleared and drawn to, and its expected texels. */
struct subject {
    int width, height;
    GLuint texture, fbo;
    texel want[MOST * MOST], got[MOST * MOST];
};

static GLuint flat, fetch, fetch_vertex, store;

static int setup(void **state)
{
    static const struct gl_test_window window = {MOST, MOST};
    int result = gl_test_setup(state, GL_API_COMPAT, &window);
    if (result)
        return result;
    flat = gl_test_program(ALL_PIXELS, "#version 330\nuniform vec4 color; out vec4 o;\n"
                                       "void main() { o = color; }");
    fetch = gl_test_program(ALL_PIXELS,
                            "#version 330\nuniform sampler2D image; out vec4 o;\n"
                            "void main() { o = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }");
    /* Draws a point per texel. */
    fetch_vertex =
        gl_test_program("#version 330\nuniform sampler2D image; flat out vec4 texel;\n"
                        "void main() { ivec2 size = textureSize(image, 0);\n"
                        "ivec2 at = ivec2(gl_VertexID % size.x, gl_VertexID / size.x);\n"
                        "texel = texelFetch(image, at, 0);\n"
                        "gl_Position = vec4((vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0, 0, 1); }",
                        "#version 330\nflat in vec4 texel; out vec4 o; void main() { o = texel; }");
    store = glCreateProgram();
    gl_test_attach(store, GL_COMPUTE_SHADER,
                   "#version 430\nlayout(local_size_x = 1) in; uniform vec4 color;\n"
                   "layout(rgba8) uniform image2D image; uniform ivec2 at;\n"
                   "void main() { imageStore(image, at + ivec2(gl_WorkGroupID.xy), color); }");
    gl_test_link(store);
    return 0;
}

static GLuint make_texture(int width, int height)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return texture;
}

static GLuint make_fbo(GLuint texture)
{
    GLuint fbo;
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return fbo;
}

/* --- readers: all texels of the texture, from the first row --- */

static void read_fbo(GLuint fbo, const struct subject *s, texel *to)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glReadPixels(0, 0, s->width, s->height, GL_RGBA, GL_UNSIGNED_BYTE, to);
}

static void read_pixels(const struct subject *s, texel *to)
{
    read_fbo(s->fbo, s, to);
}

/* Reads in parts that begin and end within tiles, in a different byte order. */
static void read_parts(const struct subject *s, texel *to)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->fbo);
    glPixelStorei(GL_PACK_ROW_LENGTH, s->width);
    for (int x = 0; x < s->width; x += 37)
        glReadPixels(x, 0, s->width - x < 37 ? s->width - x : 37, s->height, GL_BGRA,
                     GL_UNSIGNED_BYTE, to + x);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    for (int i = 0; i < s->width * s->height; i++) {
        uint8_t blue = to[i][0];
        to[i][0] = to[i][2];
        to[i][2] = blue;
    }
}

static void read_texture(GLuint texture, texel *to)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, to);
}

static void read_image(const struct subject *s, texel *to)
{
    read_texture(s->texture, to);
}

static void read_floats(const struct subject *s, texel *to)
{
    float(*texels)[4] = malloc(sizeof(float[4]) * s->width * s->height);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texels);
    for (int i = 0; i < s->width * s->height; i++)
        for (unsigned c = 0; c < 4; c++)
            to[i][c] = (uint8_t)(texels[i][c] * 255.0f + 0.5f);
    free(texels);
}

static void read_copy(const struct subject *s, texel *to)
{
    GLuint other = make_texture(s->width, s->height);
    glCopyImageSubData(s->texture, GL_TEXTURE_2D, 0, 0, 0, 0, other, GL_TEXTURE_2D, 0, 0, 0, 0,
                       s->width, s->height, 1);
    read_texture(other, to);
    glDeleteTextures(1, &other);
}

static void read_copied_texture(const struct subject *s, texel *to)
{
    GLuint other = make_texture(s->width, s->height);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->fbo);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, s->width, s->height);
    read_texture(other, to);
    glDeleteTextures(1, &other);
}

static void read_buffer(const struct subject *s, texel *to)
{
    GLuint buffer;
    const GLsizeiptr bytes = (GLsizeiptr)sizeof(texel) * s->width * s->height;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, bytes, NULL, GL_STREAM_READ);
    read_fbo(s->fbo, s, NULL);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, bytes, to);
    glDeleteBuffers(1, &buffer);
}

/* Draws to a framebuffer with another texture by `draw`, and stores the contents in `to`. */
static void read_drawn(const struct subject *s, void (*draw)(const struct subject *), texel *to)
{
    GLuint other = make_texture(s->width, s->height), fbo = make_fbo(other);
    glViewport(0, 0, s->width, s->height);
    draw(s);
    read_fbo(fbo, s, to);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &other);
}

static void blit(const struct subject *s)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s->fbo);
    glBlitFramebuffer(0, 0, s->width, s->height, 0, 0, s->width, s->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

static void sample(const struct subject *s)
{
    glUseProgram(fetch);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void sample_by_vertices(const struct subject *s)
{
    glUseProgram(fetch_vertex);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glDrawArrays(GL_POINTS, 0, s->width * s->height);
}

static void read_blit(const struct subject *s, texel *to)
{
    read_drawn(s, blit, to);
}

static void read_sampled(const struct subject *s, texel *to)
{
    read_drawn(s, sample, to);
}

static void read_by_vertices(const struct subject *s, texel *to)
{
    read_drawn(s, sample_by_vertices, to);
}

/* Reads after the texture's storage was replaced, with its contents, because a recorded draw still
 * samples it. */
static void read_exchanged(const struct subject *s, texel *to)
{
    GLuint other = make_texture(s->width, s->height), fbo = make_fbo(other);
    glViewport(0, 0, s->width, s->height);
    sample(s);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, s->want[s->width + 1]);
    read_fbo(fbo, s, to);
    for (int i = 0; i < s->width * s->height; i++)
        assert_memory_equal(to[i], s->want[i], sizeof(texel));
    read_texture(s->texture, to);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &other);
}

/* Reads the next mipmap level. It holds means, which are the same if the image is flat. */
static void read_mipmap(const struct subject *s, texel *to)
{
    texel *half = malloc(sizeof(texel) * MOST * MOST);
    const int width = s->width / 2, height = s->height / 2;
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glGenerateMipmap(GL_TEXTURE_2D);
    glGetTexImage(GL_TEXTURE_2D, 1, GL_RGBA, GL_UNSIGNED_BYTE, half);
    memcpy(to, s->want, sizeof s->want);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const texel *from = &s->want[2 * y * s->width + 2 * x];
            if (!memcmp(from[0], from[1], 4) && !memcmp(from[0], from[s->width], 4) &&
                !memcmp(from[0], from[s->width + 1], 4))
                memcpy(to[2 * y * s->width + 2 * x], half[y * width + x], 4);
        }
    free(half);
}

static const struct reader {
    const char *name;
    void (*read)(const struct subject *s, texel *to);
} readers[] = {
    {"glReadPixels", read_pixels},
    {"glReadPixels of parts", read_parts},
    {"glReadPixels to a buffer", read_buffer},
    {"glGetTexImage", read_image},
    {"glGetTexImage of floats", read_floats},
    {"glCopyImageSubData", read_copy},
    {"glCopyTexSubImage2D", read_copied_texture},
    {"glBlitFramebuffer", read_blit},
    {"a texture of fragments", read_sampled},
    {"a texture of vertices", read_by_vertices},
    {"a texture that is exchanged", read_exchanged},
    {"glGenerateMipmap", read_mipmap},
};

/* --- what is done with the image --- */

static void get_color(unsigned n, float color[4])
{
    const float all[][4] = {{0, 0, 0, 0}, {1, 0, 0.2f, 1}, {0, 1, 0.4f, 0.6f}, {1, 1, 1, 1}};
    memcpy(color, all[n % 4], sizeof all[0]);
}

static void set(struct subject *s, int x0, int y0, int x1, int y1, const float color[4])
{
    for (int y = y0; y < y1 && y < s->height; y++)
        for (int x = x0; x < x1 && x < s->width; x++)
            for (unsigned c = 0; c < 4; c++)
                s->want[y * s->width + x][c] = (uint8_t)(color[c] * 255.0f + 0.5f);
}

static void scissored(struct subject *s, int x0, int y0, int x1, int y1, const float color[4],
                      bool draw)
{
    glBindFramebuffer(GL_FRAMEBUFFER, s->fbo);
    glEnable(GL_SCISSOR_TEST);
    glScissor(x0, y0, x1 - x0, y1 - y0);
    if (draw) {
        glViewport(0, 0, s->width, s->height);
        glUseProgram(flat);
        glUniform4fv(glGetUniformLocation(flat, "color"), 1, color);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    } else {
        glClearColor(color[0], color[1], color[2], color[3]);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    set(s, x0, y0, x1, y1, color);
}

static void upload(struct subject *s, const float color[4])
{
    const int x = s->width / 3, y = s->height / 5, w = s->width / 2, h = s->height / 2;
    texel *rows = malloc(sizeof(texel) * w * h);
    for (int i = 0; i < w * h; i++)
        for (unsigned c = 0; c < 4; c++)
            rows[i][c] = (uint8_t)(color[c] * 255.0f + 0.5f);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    free(rows);
    set(s, x, y, x + w, y + h, color);
}

static void store_image(struct subject *s, const float color[4])
{
    const int x = s->width / 4, y = s->height / 4;
    glUseProgram(store);
    glUniform4fv(glGetUniformLocation(store, "color"), 1, color);
    glUniform2i(glGetUniformLocation(store, "at"), x, y);
    glBindImageTexture(0, s->texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    glDispatchCompute(7, 5, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    set(s, x, y, x + 7, y + 5, color);
}

/* Blits a stretched texel of another image. */
static void blit_into(struct subject *s, const float color[4])
{
    GLuint other = make_texture(4, 4), fbo = make_fbo(other);
    const int x = s->width / 2, y = 1, w = s->width / 3, h = s->height - 2;
    glClearColor(color[0], color[1], color[2], color[3]);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->fbo);
    glBlitFramebuffer(0, 0, 4, 4, x, y, x + w, y + h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    set(s, x, y, x + w, y + h, color);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &other);
}

/* Draws all texels from another image, whose left and lower parts have the color. */
static void draw_texels(struct subject *s, const float color[4])
{
    GLuint other = make_texture(s->width, s->height), fbo = make_fbo(other);
    const texel rest = {9, 8, 7, 6};
    glClearColor(rest[0] / 255.0f, rest[1] / 255.0f, rest[2] / 255.0f, rest[3] / 255.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, s->width - 1, s->height - 1);
    glClearColor(color[0], color[1], color[2], color[3]);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, s->fbo);
    glViewport(0, 0, s->width, s->height);
    glUseProgram(fetch);
    glBindTexture(GL_TEXTURE_2D, other);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int i = 0; i < s->width * s->height; i++)
        memcpy(s->want[i], rest, sizeof rest);
    set(s, 0, 0, s->width - 1, s->height - 1, color);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &other);
}

/* Fills the image with blending, or without green and alpha. */
static void fill_partly(struct subject *s, const float color[4], bool add)
{
    texel *was = malloc(sizeof s->want);
    memcpy(was, s->want, sizeof s->want);
    if (add) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
    } else {
        glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    }
    scissored(s, 0, 0, s->width, s->height, color, true);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (int i = 0; i < s->width * s->height; i++)
        for (unsigned c = 0; c < 4; c++) {
            int sum = was[i][c] + s->want[i][c];
            if (add)
                s->want[i][c] = (uint8_t)(sum < 255 ? sum : 255);
            else if (c & 1)
                s->want[i][c] = was[i][c];
        }
    free(was);
}

/* Runs one command, given by a letter, with color number n. */
static void act(struct subject *s, char what, unsigned n)
{
    const int w = s->width, h = s->height;
    float color[4];
    get_color(n, color);
    switch (what) {
    case 'c': /* clear */
        glBindFramebuffer(GL_FRAMEBUFFER, s->fbo);
        glClearColor(color[0], color[1], color[2], color[3]);
        glClear(GL_COLOR_BUFFER_BIT);
        set(s, 0, 0, w, h, color);
        break;
    case 's': /* clear a part: more than a tile of larger images, and its edges */
        scissored(s, w / 16, h / 16, w, h - 3, color, false);
        break;
    case 'f': /* fill it all */
        scissored(s, 0, 0, w, h, color, true);
        break;
    case 'x':
        draw_texels(s, color);
        break;
    case 'a':
    case 'm':
        fill_partly(s, color, what == 'a');
        break;
    case 'd': /* draw a part */
        scissored(s, w / 3, h / 7, w / 2, h / 2, color, true);
        break;
    case 'u':
        upload(s, color);
        break;
    case 'i':
        store_image(s, color);
        break;
    case 'b':
        blit_into(s, color);
        break;
    case 'r': /* read */
        readers[n % (sizeof readers / sizeof readers[0])].read(s, s->got);
        break;
    case 't': /* sample as a texture */
        read_sampled(s, s->got);
        break;
    case '.': /* start a new scene */
        glFlush();
        break;
    default:
        fail();
    }
}

static const char *const scripts[] = {
    "c1",      "c1.",       "f1",        "f1.f2d3",   "c1s2",       "c1.s2",     "c1d2",
    "c1.d2",   "c1f2",      "d2c1",      "c1.c1",     "c1.c2",      "c1t.c1",    "c1t.c1d2",
    "c1u2",    "c1.u2c1",   "c1t.u2.c1", "c1t.i2.c1", "c1t.b2.c1",  "c1.i2",     "c1.b2",
    "c1i2c1",  "c1b2.c1d3", "c1t.d2.c1", "c1.d2.c1",  "c1d2.c2.s1", "s1c2s2",    "c1r2c1s1",
    "c1s2.c2", "c1d1.c1",   "f1s2.f1",   "f1t.f1d2",  "f2t.u1.f2",  "c3c1.f1s1", "c1t.s1.d1",
    "c1a2",    "c1.m2",     "c1d2a1m2",  "c1x2",      "c1.x2c1a2",  "x1.a2.c1",  "f1m2.d1x3",
    "s1a2m1",
};

static void check(struct subject *s, const char *script, const struct reader *reader)
{
    memset(s->want, 0, sizeof s->want);
    memset(s->got, 0x55, sizeof s->got);
    s->texture = make_texture(s->width, s->height);
    s->fbo = make_fbo(s->texture);
    for (const char *c = script; *c; c++) {
        char what = *c;
        unsigned n = c[1] >= '0' && c[1] <= '9' ? (unsigned)(*++c - '0') : 0;
        act(s, what, n);
    }
    reader->read(s, s->got);
    for (int i = 0; i < s->width * s->height; i++)
        if (memcmp(s->got[i], s->want[i], sizeof(texel)))
            fail_msg("%s, %d×%d, by %s: texel %d, %d is %d %d %d %d, not %d %d %d %d", script,
                     s->width, s->height, reader->name, i % s->width, i / s->width, s->got[i][0],
                     s->got[i][1], s->got[i][2], s->got[i][3], s->want[i][0], s->want[i][1],
                     s->want[i][2], s->want[i][3]);
    glDeleteFramebuffers(1, &s->fbo);
    glDeleteTextures(1, &s->texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks each operation before each way to read. */
static void test_readers(void **state)
{
    static const int sizes[][2] = {{200, 130}, {30, 20}, {64, 64}};
    struct subject *s = malloc(sizeof *s);
    for (unsigned z = 0; z < sizeof sizes / sizeof sizes[0]; z++) {
        s->width = sizes[z][0];
        s->height = sizes[z][1];
        for (unsigned i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
            for (unsigned r = 0; r < sizeof readers / sizeof readers[0]; r++)
                check(s, scripts[i], &readers[r]);
    }
    free(s);
}

/* Checks the window's own buffers. */
static void test_window(void **state)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDrawBuffer(GL_BACK);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    expect(150, 199, 1, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadBuffer(GL_BACK);
    glDrawBuffer(GL_FRONT);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    expect(0, 100, 1, 0, 0);
    glReadBuffer(GL_FRONT);
    expect(0, 100, 0, 1, 0);
    glUseProgram(0);
    glViewport(0, 0, MOST, MOST);
    glRasterPos2f(0, 0);
    glReadBuffer(GL_BACK);
    glCopyPixels(10, 10, 20, 20, GL_COLOR); /* to the center of the front buffer */
    glReadBuffer(GL_FRONT);
    expect(110, 110, 1, 0, 0);
    expect(130, 130, 0, 1, 0);
    glDrawBuffer(GL_BACK);
    glReadBuffer(GL_BACK);
}

/* Checks that depth and stencil, which share texels, can be cleared separately. */
static void test_depth_stencil(void **state)
{
    enum { AT = 70 };
    static const GLbitfield buffers[] = {GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT,
                                         GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT};
    float depth = 1;
    unsigned stencil = 0;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClearDepth(1);
    glClearStencil(0);
    glStencilMask(0xff);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    for (unsigned i = 0; i < 60; i++) {
        const GLbitfield what = buffers[i * 7 % 5 % 3];
        const unsigned mask = i % 4 ? 0xff : 0x3c, value = i * 41 & 0xff;
        if (i % 6 == 5)
            glFlush();
        glStencilMask(mask);
        glClearStencil((GLint)value);
        glClearDepth((double)(i % 9) / 8);
        glClear(what);
        if (what & GL_DEPTH_BUFFER_BIT)
            depth = (float)(i % 9) / 8;
        if (what & GL_STENCIL_BUFFER_BIT)
            stencil = (stencil & ~mask) | (value & mask);
        if (i % 3)
            continue;
        float z;
        uint8_t s;
        glReadPixels(AT, AT, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
        glReadPixels(199, AT, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &s);
        if (fabsf(z - depth) > 1e-6f || s != stencil)
            fail_msg("clear %u: depth %g, not %g; stencil %u, not %u", i, (double)z, (double)depth,
                     s, stencil);
    }
    glStencilMask(0xff);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that the next frame's fragments are compared with a cleared depth buffer. */
static void test_depth_test(void **state)
{
    const GLuint slanted =
        gl_test_program("#version 330\nvoid main() { vec2 at = vec2(gl_VertexID / 2 * 4 - 1, "
                        "gl_VertexID % 2 * 4 - 1);\n"
                        "gl_Position = vec4(at, at.x, 1); }",
                        "#version 330\nuniform vec4 color; out vec4 o; void main() { o = color; }");
    GLuint query, passed;
    float z;
    glGenQueries(1, &query);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, MOST, MOST);
    glUseProgram(flat);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    for (unsigned i = 0; i < 6; i++) {
        glUniform4f(glGetUniformLocation(flat, "color"), 0, 0, 1, 1);
        glClearColor(1, 1, 0, 1);
        glClearDepth(i & 1 ? 0.25 : 0.75); /* the triangle's depth is 0.5 */
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (i & 2)
            glFlush();
        glBeginQuery(GL_SAMPLES_PASSED, query);
        for (unsigned k = 0; k < i; k++) /* with a query, except for the last */
            glDrawArrays(GL_TRIANGLES, 0, 3);
        glEndQuery(GL_SAMPLES_PASSED);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
        assert_int_equal(passed, i && !(i & 1) ? MOST * MOST : 0);
        if (i & 1)
            expect(77, 190, 1, 1, 0);
        else
            expect(77, 190, 0, 0, 1);
        glReadPixels(100, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
        const float depth = i & 1 ? 0.25f : 0.5f;
        assert_float_equal(z, depth, 1e-5);
    }
    /* A triangle whose depth grows from left to right, against a constant depth. */
    glUseProgram(slanted);
    glUniform4f(glGetUniformLocation(slanted, "color"), 0, 1, 0, 1);
    glClearDepth(0.5);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(20, 100, 0, 1, 0);
    expect(MOST / 2 - 3, 100, 0, 1, 0);
    expect(MOST / 2 + 3, 100, 1, 1, 0);
    expect(190, 100, 1, 1, 0);
    glReadPixels(20, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
    assert_float_equal(z, 20.5 / MOST, 1e-5);
    glDeleteProgram(slanted);
    glDeleteQueries(1, &query);
    glDisable(GL_DEPTH_TEST);
    glClearDepth(1);
}

/* Rectangles of constant depth, in which each pixel has its own color. */
static const struct step {
    GLenum func;
    float z;
    int x1, y1; /* upper right corner */
    bool discards, writes;
} steps[] = {
    {GL_LESS, 0.5f, MOST, MOST, false, true},    {GL_LESS, 0.5f, MOST, MOST, false, true},
    {GL_GREATER, 0.6f, 100, 90, false, true},    {GL_LESS, 0.55f, MOST, MOST, false, false},
    {GL_LEQUAL, 0.5f, MOST, MOST, true, true},   {GL_LESS, 0.25f, MOST, MOST, true, true},
    {GL_ALWAYS, 0.75f, MOST, MOST, false, true}, {GL_NOTEQUAL, 0.5f, MOST, 130, false, true},
    {GL_GEQUAL, 0.5f, MOST, MOST, true, false},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

static bool passes(GLenum func, float z, float old)
{
    return func == GL_LESS       ? z < old
           : func == GL_LEQUAL   ? z <= old
           : func == GL_GREATER  ? z > old
           : func == GL_GEQUAL   ? z >= old
           : func == GL_NOTEQUAL ? z != old
                                 : true;
}

/* A pixel's depth, and the number of the step that drew it last. */
struct fragment {
    float depth;
    uint8_t drawn;
};

static void draw_step(unsigned n, const GLuint program[2], struct fragment *want)
{
    const struct step *s = &steps[n];
    const GLuint p = program[s->discards];
    glUseProgram(p);
    glUniform1f(glGetUniformLocation(p, "z"), s->z);
    glUniform1f(glGetUniformLocation(p, "n"), (float)n + 1);
    glDepthFunc(s->func);
    glDepthMask(s->writes);
    glScissor(0, 0, s->x1, s->y1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int y = 0; y < s->y1; y++)
        for (int x = 0; x < s->x1; x += s->discards ? 2 : 1) {
            struct fragment *f = &want[y * MOST + x];
            if (!passes(s->func, s->z, f->depth))
                continue;
            f->drawn = (uint8_t)(n + 1);
            if (s->writes)
                f->depth = s->z;
        }
}

static void compare_steps(unsigned first, const struct fragment *want)
{
    static texel got[MOST * MOST];
    static float depth[MOST * MOST];
    glReadPixels(0, 0, MOST, MOST, GL_RGBA, GL_UNSIGNED_BYTE, got);
    glReadPixels(0, 0, MOST, MOST, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    for (int i = 0; i < MOST * MOST; i++) {
        const uint8_t x = (uint8_t)(i % MOST), y = (uint8_t)(i / MOST), by = want[i].drawn;
        if (got[i][2] != by || (by && (got[i][0] != x || got[i][1] != y)) ||
            fabsf(depth[i] - want[i].depth) > 1e-6f)
            fail_msg("from step %u, pixel %u, %u: drawn by %u, not %u; depth %g, not %g", first, x,
                     y, got[i][2], by, (double)depth[i], (double)want[i].depth);
    }
}

/* Draws rectangles of constant depth over tiles that hold one depth or many, before and after. */
static void test_one_depth(void **state)
{
    static const char vertex[] = "#version 330\nuniform float z; void main() {\n"
                                 "vec2 at = vec2(gl_VertexID / 2, gl_VertexID % 2) * 4.0 - 1.0;\n"
                                 "gl_Position = vec4(at, z * 2.0 - 1.0, 1); }";
    static struct fragment want[MOST * MOST];
    const GLuint program[2] = {
        gl_test_program(vertex,
                        "#version 330\nuniform float n; out vec4 o;\n"
                        "void main() { o = vec4(floor(gl_FragCoord.xy), n, 255) / 255.0; }"),
        gl_test_program(vertex, "#version 330\nuniform float n; out vec4 o; void main() {\n"
                                "if (int(gl_FragCoord.x) % 2 == 1) discard;\n"
                                "o = vec4(floor(gl_FragCoord.xy), n, 255) / 255.0; }"),
    };
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, MOST, MOST);
    glClearColor(0, 0, 0, 1);
    glClearDepth(0.875);
    glEnable(GL_DEPTH_TEST);
    for (unsigned first = 0; first < STEPS; first++) {
        glDisable(GL_SCISSOR_TEST);
        glDepthMask(GL_TRUE);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < MOST * MOST; i++)
            want[i] = (struct fragment){0.875f, 0};
        glEnable(GL_SCISSOR_TEST);
        for (unsigned n = first; n < first + 4; n++)
            draw_step(n % STEPS, program, want);
        compare_steps(first, want);
    }
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glClearDepth(1);
    glDeleteProgram(program[0]);
    glDeleteProgram(program[1]);
}

/* Checks all samples, resolved and fetched. */
static void test_samples(void **state)
{
    GLuint image, fbo, single, other;
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, image);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, SAMPLES, GL_RGBA8, 100, 90, GL_TRUE);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, image,
                           0);
    GLuint p = gl_test_program(
        ALL_PIXELS, "#version 330\nuniform sampler2DMS image; out vec4 o;\n"
                    "void main() { ivec2 at = ivec2(gl_FragCoord.xy); o = vec4(0);\n"
                    "for (int i = 0; i < 4; i++) o += texelFetch(image, at, i) * 0.25; }");
    single = make_texture(100, 90);
    other = make_fbo(single);
    for (unsigned i = 0; i < 8; i++) {
        float color[4];
        get_color(i / 2, color);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glClearColor(color[0], color[1], color[2], color[3]);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
        glScissor(10, 10, 3, 3);
        glClearColor(0, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        if (i & 1) {
            glBindFramebuffer(GL_DRAW_FRAMEBUFFER, other);
            glBlitFramebuffer(0, 0, 100, 90, 0, 0, 100, 90, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            glBindFramebuffer(GL_FRAMEBUFFER, other);
        } else {
            glBindFramebuffer(GL_FRAMEBUFFER, other);
            glViewport(0, 0, 100, 90);
            glUseProgram(p);
            glDrawArrays(GL_TRIANGLES, 0, 3);
        }
        expect(11, 11, 0, 0, 1);
        expect(9, 9, color[0], color[1], color[2]);
        expect(99, 80, color[0], color[1], color[2]);
        expect(80, 89, color[0], color[1], color[2]);
    }
    glDeleteProgram(p);
    glDeleteFramebuffers(1, &fbo);
    glDeleteFramebuffers(1, &other);
    glDeleteTextures(1, &image);
    glDeleteTextures(1, &single);
}

/* Checks layers that are cleared together, cleared separately, or drawn to in full or in part. */
static void test_layers(void **state)
{
    enum { LAYERS = 3, SIZE = 70, PART = 5 };
    GLuint array, all, one;
    static texel got[LAYERS][SIZE][SIZE];
    glGenTextures(1, &array);
    glBindTexture(GL_TEXTURE_2D_ARRAY, array);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, SIZE, SIZE, LAYERS);
    glGenFramebuffers(1, &all);
    glBindFramebuffer(GL_FRAMEBUFFER, all);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0);
    glGenFramebuffers(1, &one);
    glBindFramebuffer(GL_FRAMEBUFFER, one);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 1);
    glViewport(0, 0, SIZE, SIZE);
    glUseProgram(flat);
    glUniform4f(glGetUniformLocation(flat, "color"), 0, 1, 0, 1);
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t red = (uint8_t)(255 - i);
        const int drawn = !(i & 4) ? 0 : i & 8 ? SIZE : PART; /* in the first layer */
        glBindFramebuffer(GL_FRAMEBUFFER, all);
        glClearColor(red / 255.0f, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, drawn, drawn);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDisable(GL_SCISSOR_TEST);
        glBindFramebuffer(GL_FRAMEBUFFER, one);
        glClearColor(0, (float)(i & 1), 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        if (i & 2)
            glFlush();
        glBindTexture(GL_TEXTURE_2D_ARRAY, array);
        glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
        const texel cleared = {red, 0, 0, 255}, green = {0, 255, 0, 255},
                    alone = {0, i & 1 ? 255 : 0, 255, 255};
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) {
                const texel *first = x < drawn && y < drawn ? &green : &cleared;
                assert_memory_equal(got[0][y][x], *first, sizeof(texel));
                assert_memory_equal(got[1][y][x], alone, sizeof(texel));
                assert_memory_equal(got[2][y][x], cleared, sizeof(texel));
            }
    }
    glDeleteFramebuffers(1, &all);
    glDeleteFramebuffers(1, &one);
    glDeleteTextures(1, &array);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks buffers of different sizes: the clear covers the smaller size, which ends within the last
 * tile of the larger buffer. */
static void test_sizes(void **state)
{
    GLuint texture[2] = {make_texture(150, 100), make_texture(100, 80)}, fbo = make_fbo(texture[0]);
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    const GLuint places = gl_test_program(
        ALL_PIXELS, "#version 330\nout vec4 o[2];\n"
                    "void main() { o[0] = o[1] = vec4(floor(gl_FragCoord.xy), 0, 255) / 255.0; }");
    texel got[2];
    for (unsigned i = 0; i < 6; i++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, 0, 0);
        glDrawBuffers(1, both);
        const float blue = i % 2;
        glClearColor(1, 0, blue, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, texture[1], 0);
        glDrawBuffers(2, both);
        if (i < 3) {
            glClearColor(0, 1, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
        } else { /* covers what both have of their last tiles */
            glViewport(0, 0, 150, 100);
            glUseProgram(places);
            glDrawArrays(GL_TRIANGLES, 0, 3);
        }
        for (unsigned k = 0; k < 2; k++) {
            glReadBuffer(both[1 - k]);
            if (i < 3)
                expect(99, 79, 0, 1, 0);
            glReadPixels(99, 79, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got[k]);
            if (i >= 3)
                assert_true(got[k][0] == 99 && got[k][1] == 79 && !got[k][2] && got[k][3] == 255);
        }
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, 0, 0);
        expect(100, 79, 1, 0, blue);
        expect(99, 80, 1, 0, blue);
        expect(149, 99, 1, 0, blue);
    }
    glDeleteProgram(places);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(2, texture);
}

/* Checks a shader that reads the image that it draws to, texel by texel. */
static void test_feedback(void **state)
{
    GLuint texture = make_texture(MOST, MOST), fbo = make_fbo(texture);
    glViewport(0, 0, MOST, MOST);
    glUseProgram(fetch);
    for (unsigned i = 0; i < 4; i++) {
        glClearColor(0, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glTextureBarrier();
        glDrawArrays(GL_TRIANGLES, 0, 3);
        expect(10, 10, 0, 1, 1);
        expect(199, 199, 0, 1, 1);
    }
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readers),       cmocka_unit_test(test_window),
        cmocka_unit_test(test_depth_stencil), cmocka_unit_test(test_depth_test),
        cmocka_unit_test(test_one_depth),     cmocka_unit_test(test_samples),
        cmocka_unit_test(test_layers),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_feedback),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
