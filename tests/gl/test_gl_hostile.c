/* SPDX-License-Identifier: MIT */
/* Hostile or erroneous calls. Each one soon raises an error or does nothing, and the context still
 * draws. */
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static const struct gl_test_window window = {64, 64};

static int setup(void **state)
{
    int failed = gl_test_setup(state, GL_API_COMPAT, &window);
    if (failed)
        return failed;
    glClear(GL_COLOR_BUFFER_BIT);
    return glGetError();
}

/* Checks at the end of every test that the context still works. */
static void expect_still_draws(void)
{
    while (glGetError())
        ;
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
    glDisable(GL_LINE_STIPPLE);
    glViewport(0, 0, 64, 64);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    expect(5, 60, 0, 1, 0);
    glPopClientAttrib();
    glPopAttrib();
}

/* GL 4.6 §8.4.4.1: offsets that overflow 64 bits are outside any buffer. */
static void test_pixel_store(void **state)
{
    static const float texels[8];
    float bytes[4];
    GLuint buffer, texture;
    for (unsigned i = 0; i < 2; i++) {
        bool pack = i == 0;
        glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
        glPixelStorei(pack ? GL_PACK_ROW_LENGTH : GL_UNPACK_ROW_LENGTH, 1 << 30);
        glPixelStorei(pack ? GL_PACK_SKIP_ROWS : GL_UNPACK_SKIP_ROWS, (1 << 30) - 1);
        glPixelStorei(pack ? GL_PACK_SKIP_PIXELS : GL_UNPACK_SKIP_PIXELS, (1 << 30) - 1);
        glGenBuffers(1, &buffer);
        if (pack) {
            glReadnPixelsARB(0, 0, 2, 1, GL_RGBA, GL_FLOAT, 16, bytes);
            assert_int_equal(glGetError(), GL_INVALID_OPERATION);
            glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
            glBufferData(GL_PIXEL_PACK_BUFFER, 64, NULL, GL_STATIC_DRAW);
            glReadPixels(0, 0, 2, 1, GL_RGBA, GL_FLOAT, NULL);
            assert_int_equal(glGetError(), GL_INVALID_OPERATION);
            glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
            glReadPixels(0, 0, 2, 1, GL_RGBA, GL_FLOAT, bytes);
            assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
        } else {
            glGenTextures(1, &texture);
            glBindTexture(GL_TEXTURE_2D, texture);
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
            glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof texels, texels, GL_STATIC_DRAW);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1, 0, GL_RGBA, GL_FLOAT, NULL);
            assert_int_equal(glGetError(), GL_INVALID_OPERATION);
            glDeleteTextures(1, &texture);
        }
        glPopClientAttrib();
        glDeleteBuffers(1, &buffer);
    }
    expect_still_draws();
}

/* The same for compressed images, whose rows are counted in blocks. The sum of the skipped rows and
 * one row is 0 modulo 2^64. */
static void test_block_store(void **state)
{
    static const uint8_t blocks[64];
    const GLenum format = GL_COMPRESSED_RGB_S3TC_DXT1_EXT;
    GLuint buffer, texture;
    glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 4, 8, 0, 16, blocks);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof blocks, blocks, GL_STATIC_DRAW);
    glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_WIDTH, 1);
    glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_HEIGHT, 1);
    glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_SIZE, 1 << 30);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 1 << 30);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 15);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 8, format, 16, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 8, format, 16, blocks);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    glPopClientAttrib();
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    expect_still_draws();
}

static void lines(void)
{
    glBegin(GL_LINES);
    glVertex2f(-0.9f, -0.9f);
    glVertex2f(0.9f, -0.8f);
    glVertex2f(-0.9f, -0.9f);
    glVertex2f(-0.8f, 0.9f);
    glEnd();
}

/* Checks that stippled lines outside the framebuffer are not binned but advance the pattern. */
static void test_stippled_line_outside(void **state)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LINE_STIPPLE);
    glLineStipple(1, 0xf0f0);
    static const GLint origin[][2] = {{0, -40}, {-40, 0}, {0, -64}, {-64, -64}, {64, 64}, {0, 300}};
    for (unsigned i = 0; i < sizeof origin / sizeof origin[0]; i++) {
        glViewport(origin[i][0], origin[i][1], 64, 64);
        lines();
    }
    glFinish();
    glViewport(0, -64, 64, 128);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(1, 0, 0);
    glLineStipple(1, 0x00ff);
    /* 8 pixels with y < 0, then a strip's second line from (0, 0.5) to the upper right. */
    glBegin(GL_LINE_STRIP);
    glVertex2f(-1, -0.25f);
    glVertex2f(-0.75f, -0.25f);
    glVertex2f(-0.75f, 0.5f);
    glEnd();
    glPopAttrib();
    /* Of the vertical line's pixels 0 … 47, 32 are visible: 16 … 47, with counters from 8 + 16. */
    expect(8, 0, 0, 0, 0);
    expect_still_draws();
}

/* Checks the largest stipple factor, 256 (GL 4.6 compatibility §14.5.2). */
static void test_stipple_factor(void **state)
{
    GLuint framebuffer, renderbuffer;
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 512, 1);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    glViewport(0, 0, 512, 1);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_LINE_STIPPLE);
    glLineStipple(1000, 0xfffe);
    glColor3f(1, 0, 0);
    glBegin(GL_LINES);
    glVertex2f(-1, 0);
    glVertex2f(1, 0);
    glEnd();
    expect(0, 0, 0, 0, 0);
    expect(255, 0, 0, 0, 0);
    expect(256, 0, 1, 0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
    glPopAttrib();
}

/* GL 4.6 compatibility §21.4: a list captures the images of commands when it is compiled, also from
 * an unpack buffer. */
static void test_list_compressed(void **state)
{
    static const uint8_t block[16] = {0, 0xf8, 0, 0xf8}; /* a red DXT1 block and eight more bytes */
    GLuint buffer, texture, list = glGenLists(1);
    glGenBuffers(1, &buffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof block, block, GL_STATIC_DRAW);
    glNewList(list, GL_COMPILE);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 4, 4, 0, 8, NULL);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8,
                              (void *)16);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION); /* outside the buffer */
    glEndList();
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 4, block, GL_STATIC_DRAW);
    glCallList(list);
    while (glGetError())
        ;
    glEnable(GL_TEXTURE_2D);
    glColor3f(1, 1, 1);
    glRectf(-1, -1, 1, 1);
    glDisable(GL_TEXTURE_2D);
    expect(32, 32, 1, 0, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    glDeleteLists(list, 1);
    expect_still_draws();
}

/* GL 4.6 §5.1.3: the offset into a deleted buffer doesn't become an address. */
static void test_deleted_attribute_buffer(void **state)
{
    static const float vertices[16] = {0};
    GLuint buffer;
    for (unsigned i = 0; i < 2; i++) {
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
        glEnableClientState(GL_VERTEX_ARRAY);
        glVertexPointer(2, GL_FLOAT, 0, (void *)16);
        glDeleteBuffers(1, &buffer);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, "\0\1\2");
        glBegin(GL_POINTS);
        glArrayElement(0);
        glEnd();
        glNewList(1, GL_COMPILE);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEndList();
        glDisableClientState(GL_VERTEX_ARRAY);
        glFinish();
    }
    glDeleteLists(1, 1);
    expect_still_draws();
}

/* Checks offsets near 2^63 in index and vertex buffers. */
static void test_buffer_offsets(void **state)
{
    static const float vertices[16] = {0};
    GLuint buffer[2];
    glGenBuffers(2, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 16, vertices, GL_STATIC_DRAW);
    glEnableClientState(GL_VERTEX_ARRAY);
    static const uintptr_t offset[] = {
        INT64_MAX, INT64_MAX - 6, INT64_MAX - 15, UINT64_MAX - 6, UINT64_MAX, 64, 16};
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glNewList(1, GL_COMPILE);
    glDrawElements(GL_POINTS, 1 << 29, GL_UNSIGNED_INT, (void *)(INT64_MAX - 0x40000000));
    glEndList();
    for (unsigned i = 0; i < sizeof offset / sizeof offset[0]; i++) {
        glVertexPointer(2, GL_FLOAT, 0, NULL);
        glNewList(1, GL_COMPILE_AND_EXECUTE);
        glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, (void *)offset[i]);
        glEndList();
        glVertexPointer(4, GL_DOUBLE, 0, (void *)offset[i]);
        glNewList(1, GL_COMPILE_AND_EXECUTE);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBegin(GL_POINTS);
        glArrayElement(1);
        glArrayElement(INT32_MAX);
        glEnd();
        glEndList();
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteBuffers(2, buffer);
    glDeleteLists(1, 1);
    expect_still_draws();
}

/* Checks indices that exceed the address space from an array in client memory; only the first
 * vertex exists. */
static void test_far_indices(void **state)
{
    static const float vertex[4];
    static const GLuint index[] = {0, 0x7fffffff, 0xfffffff0};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0x10000, vertex);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, index);
    glFinish();
    glDisableClientState(GL_VERTEX_ARRAY);
    expect_still_draws();
}

/* Draws from memory up to 9 GiB past the array pointer, as programs do that index from elsewhere.
 * There is no memory at the pointer, nor where offsets truncated to 32 bits would lead. */
static void test_far_arrays(void **state)
{
    static const float corner[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    /* around 2 and 4 GiB, more than a batch's vertices apart */
    static const uint32_t firsts[] = {(1u << 20) - 1, 1300000, (1u << 21) - 2, 4700000};
    const size_t stride = 2048, room = 4ull << 30;
    uint8_t *space = mmap(NULL, room + (9ull << 30) + (1 << 20), PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(space != MAP_FAILED);
    GLuint program[2] = {
        gl_test_program("#version 130\nin vec2 weight; flat out int id; void main() {\n"
                        "id = gl_VertexID; gl_Position = vec4(weight, 0.0, 1.0); }",
                        "#version 130\nflat in int id; uniform int n; void main() {\n"
                        "gl_FragColor = vec4(0.0, id == n ? 1.0 : 0.5, 0.0, 1.0); }"),
        0,
    };
    for (unsigned i = 0; i < 2 * sizeof firsts / sizeof *firsts; i++) {
        const uint32_t first = firsts[i / 2];
        const GLuint index[] = {first, first + 1, first + 2}, attrib = i % 2 ? 0 : 3;
        uint8_t *pointer = space + room, *at = pointer + first * stride;
        uint8_t *page = (uint8_t *)((uintptr_t)at & ~4095ul);
        assert_int_equal(mprotect(page, 4 * stride, PROT_READ | PROT_WRITE), 0);
        for (unsigned v = 0; v < 3; v++)
            memcpy(at + v * stride, corner[v], sizeof corner[v]);
        glUseProgram(program[i % 2]);
        if (program[i % 2])
            glUniform1i(glGetUniformLocation(program[0], "n"), (GLint)first + 2);
        glColor3f(0, 1, 0);
        glEnableVertexAttribArray(attrib);
        glVertexAttribPointer(attrib, 2, GL_FLOAT, GL_FALSE, (GLsizei)stride, pointer);
        for (unsigned indexed = 0; indexed < 2; indexed++) {
            glClear(GL_COLOR_BUFFER_BIT);
            if (indexed)
                glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, index);
            else
                glDrawArrays(GL_TRIANGLES, (GLint)first, 3);
            expect(5, 60, 0, 1, 0);
        }
        glDisableVertexAttribArray(attrib);
        mprotect(page, 4 * stride, PROT_NONE);
    }
    gl_test_delete_program(program[0]);
    munmap(space, room + (9ull << 30) + (1 << 20));
    expect_still_draws();
}

static void test_list_vectors(void **state)
{
    static const float outer[4] = {2, 3, 4, 5}, inner[2] = {6, 7};
    float v[4] = {0};
    glNewList(1, GL_COMPILE);
    glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
    glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
    /* More elements than can be copied are not compiled as an empty array. */
    glUniform4fv(0, 1 << 28, outer);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    glEndList();
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    glNewList(1, GL_COMPILE);
    glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer);
    glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner);
    glEndList();
    glCallList(1);
    if (glGetError() == GL_NO_ERROR) { /* commands of OpenGL 4.0 */
        glGetFloatv(GL_PATCH_DEFAULT_OUTER_LEVEL, v);
        assert_memory_equal(v, outer, sizeof outer);
        glGetFloatv(GL_PATCH_DEFAULT_INNER_LEVEL, v);
        assert_memory_equal(v, inner, sizeof inner);
    }
    glDeleteLists(1, 1);
    expect_still_draws();
}

/* Checks single commands that ask for excessive time or memory. Executed in full, they would exceed
 * the test's time limit. */
static void test_unbounded(void **state)
{
    static const float points[12] = {-1, 0, 0, 0, 1, 0, 1, 0, 0};

    glNewList(1, GL_COMPILE);
    glCallList(1);
    glCallList(1);
    glEndList();
    glCallList(1);

    glMap1f(GL_MAP1_VERTEX_3, 0, 1, 3, 3, points);
    glMap2f(GL_MAP2_VERTEX_3, 0, 1, 3, 1, 0, 1, 3, 3, points);
    glEnable(GL_MAP1_VERTEX_3);
    glEnable(GL_MAP2_VERTEX_3);
    glEvalMesh1(GL_LINE, INT32_MAX - 2, INT32_MAX);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glEvalMesh1(GL_POINT, INT32_MIN, INT32_MAX);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    glEvalMesh2(GL_FILL, 0, INT32_MAX, 0, INT32_MAX);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    glDisable(GL_MAP1_VERTEX_3);
    glDisable(GL_MAP2_VERTEX_3);
    glEvalMesh2(GL_LINE, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX); /* generates no vertices */
    assert_int_equal(glGetError(), GL_NO_ERROR);

    GLuint list = glGenLists(3);
    assert_true(glIsList(list) && glIsList(list + 2));
    glDeleteLists(list, 1);
    assert_true(!glIsList(list) && glIsList(list + 1));
    glDeleteLists(1, INT32_MAX);
    assert_false(glIsList(list + 1));
    assert_int_equal(glGenLists(INT32_MAX), 0);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);

    static const GLuint ids[1];
    glDebugMessageControl(GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, GL_DONT_CARE, 1 << 30, ids,
                          GL_FALSE);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);

    const GLsizei wide = INT32_MAX - 63;
    uint8_t *bits = calloc(1, wide / 8 + 8);
    assert_non_null(bits);
    memset(bits, 0xff, 8);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0, 0, 1);
    glWindowPos2i(32, 32);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glBitmap(wide, 1, 0, 0, 0, 0, bits);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    expect(32, 32, 0, 0, 1);
    expect(63, 32, 0, 0, 1);
    expect(31, 32, 0, 0, 0);
    glWindowPos2i(-1, 10);
    glBitmap(8, 1, 0, 0, 0, 0, (const GLubyte *)"\x81");
    expect(6, 10, 0, 0, 1);
    expect(5, 10, 0, 0, 0);
    expect(0, 10, 0, 0, 0);
    free(bits);
    expect_still_draws();
}

/* Checks that undefined values are not another context's data. */
static void test_unwritten_memory(void **state)
{
    static const char vs[] = "void main() { gl_Position = gl_Vertex; }";
    static const char secret[] = "#version 120\nuniform int n; void main() { float a[64];\n"
                                 "for (int i = 0; i < 64; i++) a[i] = 0.5 + float(i + n) * 0.001;\n"
                                 "gl_FragColor = vec4(a[n], a[n + 1], a[n + 2], a[n + 3]); }";
    static const char spy[] = "#version 120\nuniform int n; void main() { float a[64];\n"
                              "if (n > 100) a[n - 100] = 1.0;\n"
                              "gl_FragColor = vec4(a[n], a[n + 1], a[n + 2], a[n + 3]); }";
    for (GLint n = 0; n < 60; n += 4) {
        GLuint program[2] = {gl_test_program(vs, secret), gl_test_program(vs, spy)};
        for (unsigned i = 0; i < 2; i++) {
            glUseProgram(program[i]);
            glUniform1i(glGetUniformLocation(program[i], "n"), n);
            glRectf(-1, -1, 1, 1);
        }
        expect(32, 32, 0, 0, 0);
        glUseProgram(0);
        glDeleteProgram(program[0]);
        glDeleteProgram(program[1]);
    }
}

static void draw_smoothly(void)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glMatrixMode(GL_MODELVIEW);
    glPushMatrix();
    glRotatef(17, 1, 2, 3);
    glScalef(0.7f, 0.9f, 1.0f / 3);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_COLOR_MATERIAL);
    glBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 32; i++) { /* exact values, whatever the rounding mode */
        glColor3f(i / 32.0f, 1 - i / 64.0f, 0.3f);
        glNormal3f(i / 32.0f, 0.3f, 0.7f);
        glVertex3f(i / 16.0f - 1, i & 1 ? 0.7f : -0.8f, i / 128.0f);
    }
    glEnd();
    glPopMatrix();
    glPopAttrib();
}

/* Checks that the application's rounding mode and trapping exceptions don't affect the driver, and
 * vice versa. */
static void test_float_environment(void **state)
{
    static uint8_t want[64 * 64 * 4], got[64 * 64 * 4];
    static const int rounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const char vs[] = "void main() { gl_Position = gl_Vertex; }";
    static const char division[] =
        "uniform float zero; void main() { gl_FragColor = vec4(1.0 / zero, zero / zero, "
        "gl_FragCoord.x * 0.37 / 64.0, sqrt(zero - 1.0)); }";
    for (unsigned i = 0; i < sizeof rounding / sizeof rounding[0]; i++) {
        fesetround(rounding[i]);
        if (i)
            feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_INEXACT);
        glClearColor(1.0f / 3, 0.1f, 0.7f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        draw_smoothly();
        GLuint program = gl_test_program(vs, division);
        glUseProgram(program);
        glRectf(-1, -1, 0, 0);
        gl_test_delete_program(program);
        glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, i ? got : want);
        bool kept = fegetround() == rounding[i] && !!fegetexcept() == !!i;
        fesetenv(FE_DFL_ENV);
        assert_true(kept);
        if (i)
            assert_memory_equal(got, want, sizeof want);
    }
    glClearColor(0, 0, 0, 0);
    expect_still_draws();
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    signals++;
}

/* Checks compiling, drawing and waiting while signals of the application interrupt system calls
 * without restarting them. */
static void test_signals(void **state)
{
    static const struct itimerval often = {{0, 200}, {0, 200}}, never;
    const struct sigaction counts = {.sa_handler = count_signal};
    struct sigaction old;
    sigaction(SIGALRM, &counts, &old);
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; i < 300 || signals < 20; i++) {
        if (i % 50 == 0) {
            char fs[200];
            snprintf(fs, sizeof fs,
                     "void main() { gl_FragColor = vec4(sin(gl_FragCoord.x * %u.25)); }", i);
            GLuint program = gl_test_program("void main() { gl_Position = gl_Vertex; }", fs);
            glUseProgram(program);
            glRectf(-1, -1, 1, 1);
            gl_test_delete_program(program);
        }
        glColor3f(0, 0, 1);
        glRectf(-1, -1, 1, 1);
        expect(5, 5, 0, 0, 1);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    expect_still_draws();
}

/* Checks that a cache at the process's file size limit has no effect but not caching. */
static void test_file_size_limit(void **state)
{
    static const char vs[] = "void main() { gl_Position = gl_Vertex; }";
    struct rlimit old, none = {0, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &old);
    none.rlim_max = old.rlim_max;
    setrlimit(RLIMIT_FSIZE, &none);
    GLuint program = gl_test_program(vs, "void main() { gl_FragColor = vec4(0, 0.123456789 * 8.1, "
                                         "gl_FragCoord.x * 1e-9, 1); }");
    glUseProgram(program);
    glRectf(-1, -1, 1, 1);
    glFinish();
    setrlimit(RLIMIT_FSIZE, &old);
    gl_test_delete_program(program);
    expect_still_draws();
}

/* Returns a shader that declares arrays of 16 MB each, writes some elements and sums some up in s;
 * k is 1. */
static char *arrays_text(const char *head, unsigned arrays, const char *between, const char *tail)
{
    char *text = malloc(arrays * 200 + strlen(head) + strlen(between) + strlen(tail) + 100),
         *at = text;
    at += sprintf(at, "%s uniform int k; void main() { float s = 0.0;\n", head);
    for (unsigned i = 0; i < arrays; i++)
        at += sprintf(at,
                      "float a%u[65536][64]; for (int i = 0; i < 3; i++)\n"
                      "a%u[i * k * 20000 + i][k] = float(i + %u);\n",
                      i, i, i);
    at = stpcpy(at, between);
    for (unsigned i = 0; i < arrays; i++)
        at += sprintf(at, "s += a%u[k * 20001][k];\n", i);
    sprintf(at, "%s }", tail);
    return text;
}

/* Waits until no other test process of this user holds the lock, and takes it. Returns the file
 * descriptor, whose closing releases it. Held by tests that use most of the memory: two at a time
 * could make the kernel kill one. */
static int lock_memory(void)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/indium-test-memory-%u.lock", (unsigned)getuid());
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    return fd;
}

/* Checks private arrays larger than a stack, than the memory and than 4 GiB. The driver raises
 * GL_OUT_OF_MEMORY if they can't be allocated. */
static void test_private_arrays(void **state)
{
    int lock = lock_memory();
    static const unsigned counts[] = {1, 33, 257};
    static const char *const between[] = {"", "barrier();\n"};
    static const char vs[] =
        "#version 430\nvoid main() { gl_Position = vec4(float(gl_VertexID / 2) * 4.0 - 1.0,\n"
        "float(gl_VertexID % 2) * 4.0 - 1.0, 0.0, 1.0); }";
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 256, NULL, GL_STATIC_DRAW);
    for (unsigned i = 0; i < 3 * sizeof counts / sizeof *counts; i++) {
        unsigned count = counts[i / 3];
        bool compute = i % 3 < 2;
        GLuint program = glCreateProgram();
        char *text = compute ? arrays_text("#version 430\nlayout(local_size_x = 64) in;\n"
                                           "buffer B { float r[]; };",
                                           count, between[i % 3], "r[gl_LocalInvocationIndex] = s;")
                             : arrays_text("#version 430\nout vec4 o;", count, "", "o = vec4(s);");
        if (!compute)
            gl_test_attach(program, GL_VERTEX_SHADER, vs);
        gl_test_attach(program, compute ? GL_COMPUTE_SHADER : GL_FRAGMENT_SHADER, text);
        free(text);
        gl_test_use(program);
        glUniform1i(glGetUniformLocation(program, "k"), 1);
        if (compute)
            glDispatchCompute(1, 1, 1);
        else
            glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
        GLenum error = glGetError();
        assert_true(error == GL_NO_ERROR || error == GL_OUT_OF_MEMORY);
        gl_test_delete_program(program);
        expect_still_draws();
    }
    glDeleteBuffers(1, &buffer);
    close(lock);
}

static struct gl_context *drawing;

static void *draw_elsewhere(void *unused)
{
    bool current = core->make_current(drawing, drawable, drawable);
    if (current) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
        core->make_current(NULL, NULL, NULL);
    }
    return current ? unused : NULL;
}

/* Draws on a thread whose stack is smaller than the shader's private array. */
static void test_small_stack(void **state)
{
    GLuint program =
        gl_test_program("#version 330\nuniform int k; void main() { vec4 a[8192];\n"
                        "for (int i = 0; i < 8192; i++) a[i] = vec4(float(i / 2) * 4.0 - 1.0,\n"
                        "float(i % 2) * 4.0 - 1.0, 0.0, 1.0);\n"
                        "gl_Position = a[gl_VertexID * k]; }",
                        "#version 330\nout vec4 o; void main() { o = vec4(0, 1, 0, 1); }");
    pthread_attr_t attr;
    pthread_t thread;
    void *drawn;
    drawing = *state;
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "k"), 1);
    glDrawArrays(GL_TRIANGLES, 0, 3); /* compile here, because LLVM needs a larger stack */
    expect(5, 5, 0, 1, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    core->make_current(NULL, NULL, NULL);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 << 10);
    assert_int_equal(pthread_create(&thread, &attr, draw_elsewhere, &drawn), 0);
    pthread_attr_destroy(&attr);
    pthread_join(thread, &drawn);
    assert_non_null(drawn);
    assert_true(core->make_current(*state, drawable, drawable));
    expect(5, 5, 0, 1, 0);
    gl_test_delete_program(program);
    expect_still_draws();
}

/* --- nesting --- */

enum nesting { NEST_IF, NEST_ELSE_IF, NEST_CALL, NEST_TERNARY, NEST_SUM, NEST_LOOP, NEST_KINDS };

/* Returns a fragment shader with `n` levels; the caller frees it. Its color is green. */
static char *nested_shader(enum nesting kind, unsigned n)
{
    char *text = malloc(200 + 40 * (size_t)n), *p = text;
    p += sprintf(p, "#version 330\nuniform float u; out vec4 o;\n"
                    "float f(float x) { return x; }\nvoid main() { o = vec4(0, 1, 0, 1); ");
    for (unsigned k = 0; k < n; k++)
        p += sprintf(p,
                     kind == NEST_IF        ? "if (u > %u.) {"
                     : kind == NEST_ELSE_IF ? "if (u == %u.5) o.x = 1.; else "
                     : kind == NEST_CALL    ? k ? "f(" : "o.x += f("
                     : kind == NEST_TERNARY ? k ? "u == %u.5 ? 1. : " : "o.x += u == %u.5 ? 1. : "
                     : kind == NEST_SUM     ? k ? "+ u * %u." : "o.x += u"
                                            : "for (int i = 0; i < 1; i++) {",
                     k);
    p += sprintf(p, kind == NEST_CALL ? "u" : kind == NEST_TERNARY ? "0." : "");
    p += sprintf(p, kind == NEST_IF || kind == NEST_LOOP ? "o.x = u;" : "");
    for (unsigned k = 0; k < n && (kind == NEST_IF || kind == NEST_LOOP || kind == NEST_CALL); k++)
        *p++ = kind == NEST_CALL ? ')' : '}';
    strcpy(p, kind == NEST_ELSE_IF ? "o.y = 1.; }" : "; }");
    return text;
}

static const unsigned nesting_levels[NEST_KINDS] = {1000, 2000, 4000, 2000, 4000, 20};

/* Compiles and draws deeply nested shaders. Returns a pointer if all pixels are right. */
static void *draw_nested(void *unused)
{
    bool good = core->make_current(drawing, drawable, drawable);
    for (unsigned kind = 0; kind < NEST_KINDS && good; kind++) {
        char *text = nested_shader(kind, nesting_levels[kind]);
        uint8_t p[4] = {0};
        GLuint program = gl_test_program("void main() { gl_Position = gl_Vertex; }", text);
        glUseProgram(program);
        glClear(GL_COLOR_BUFFER_BIT);
        glRectf(-1, -1, 1, 1);
        glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        good = p[0] == 0 && p[1] == 255 && glGetError() == GL_NO_ERROR;
        gl_test_delete_program(program);
        free(text);
    }
    core->make_current(NULL, NULL, NULL);
    return good ? drawing : NULL;
}

/* Shaders may nest deeply, also if the thread's stack is small. Deeper ones do not compile. */
static void test_nesting(void **state)
{
    pthread_attr_t attr;
    pthread_t thread;
    void *drawn;
    drawing = *state;
    core->make_current(NULL, NULL, NULL);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    assert_int_equal(pthread_create(&thread, &attr, draw_nested, NULL), 0);
    pthread_attr_destroy(&attr);
    pthread_join(thread, &drawn);
    assert_non_null(drawn);
    assert_true(core->make_current(*state, drawable, drawable));
    for (unsigned kind = 0; kind < NEST_KINDS; kind++) {
        char *text = nested_shader(kind, 20000);
        GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
        GLint compiled;
        glShaderSource(shader, 1, (const char *const *)&text, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
        assert_false(compiled);
        glDeleteShader(shader);
        free(text);
    }
    expect_still_draws();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pixel_store, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_block_store, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_stippled_line_outside, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_stipple_factor, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_list_compressed, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_deleted_attribute_buffer, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_buffer_offsets, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_far_indices, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_far_arrays, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_list_vectors, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_unbounded, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_unwritten_memory, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_float_environment, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_signals, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_file_size_limit, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_private_arrays, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_small_stack, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_nesting, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests_name("gl hostile", tests, NULL, NULL);
}
