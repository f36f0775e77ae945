/* SPDX-License-Identifier: MIT */
/* Sparse textures (ARB_sparse_texture, ARB_sparse_texture2, ARB_sparse_texture_clamp): queries and
 * errors, contents and memory of pages, residency codes, accesses to uncommitted pages. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>
#include <unistd.h>

#include "gl_test.h"

#define SIZE 64 /* of the window */
#define TEX  512

static const struct gl_test_window window = {SIZE, SIZE};

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Creates and binds a sparse texture. */
static GLuint make_sparse(GLenum target, GLsizei levels, GLenum format, GLsizei width,
                          GLsizei height, GLsizei depth)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(target, t);
    glTexParameteri(target, GL_TEXTURE_SPARSE_ARB, GL_TRUE);
    if (target == GL_TEXTURE_2D_MULTISAMPLE)
        glTexStorage2DMultisample(target, 4, format, width, height, GL_TRUE);
    else if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
        glTexStorage3DMultisample(target, 4, format, width, height, depth, GL_TRUE);
    else if (depth)
        glTexStorage3D(target, levels, format, width, height, depth);
    else
        glTexStorage2D(target, levels, format, width, height);
    expect_error(GL_NO_ERROR);
    return t;
}

static void nearest(GLenum target)
{
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static GLint parameter(GLenum target, GLenum pname)
{
    GLint value = -1;
    glGetTexParameteriv(target, pname, &value);
    return value;
}

/* --- queries and errors --- */

static GLint format_query(GLenum target, GLenum format, GLenum pname)
{
    GLint value = -1;
    glGetInternalformativ(target, format, pname, 1, &value);
    return value;
}

/* ARB_sparse_texture2, table 8.X. */
static void test_page_sizes(void **state)
{
    static const struct {
        GLint width, height;
        GLenum format[18];
    } sizes[] = {
        {256, 256, {GL_R8, GL_R8_SNORM, GL_R8I, GL_R8UI}},
        {256,
         128,
         {GL_R16, GL_R16_SNORM, GL_RG8, GL_RG8_SNORM, GL_RGB565, GL_R16F, GL_R16I, GL_R16UI,
          GL_RG8I, GL_RG8UI}},
        {128,
         128,
         {GL_RG16, GL_RG16_SNORM, GL_RGBA8, GL_RGBA8_SNORM, GL_RGB10_A2, GL_RGB10_A2UI, GL_RG16F,
          GL_R32F, GL_R11F_G11F_B10F, GL_RGB9_E5, GL_R32I, GL_R32UI, GL_RG16I, GL_RG16UI, GL_RGBA8I,
          GL_RGBA8UI}},
        {128,
         64,
         {GL_RGBA16, GL_RGBA16_SNORM, GL_RGBA16F, GL_RG32F, GL_RG32I, GL_RG32UI, GL_RGBA16I,
          GL_RGBA16UI}},
        {64, 64, {GL_RGBA32F, GL_RGBA32I, GL_RGBA32UI}},
    };
    static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
                                     GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_RECTANGLE};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned i = 0; i < 18 && sizes[s].format[i]; i++)
            for (unsigned t = 0; t < 5; t++) {
                const GLenum f = sizes[s].format[i];
                assert_true(format_query(targets[t], f, GL_NUM_VIRTUAL_PAGE_SIZES_ARB) > 0);
                assert_int_equal(format_query(targets[t], f, GL_VIRTUAL_PAGE_SIZE_X_ARB),
                                 sizes[s].width);
                assert_int_equal(format_query(targets[t], f, GL_VIRTUAL_PAGE_SIZE_Y_ARB),
                                 sizes[s].height);
                assert_int_equal(format_query(targets[t], f, GL_VIRTUAL_PAGE_SIZE_Z_ARB), 1);
            }
    assert_true(format_query(GL_TEXTURE_3D, GL_RGBA8, GL_NUM_VIRTUAL_PAGE_SIZES_ARB) > 0);
    assert_true(format_query(GL_TEXTURE_2D_MULTISAMPLE, GL_RGBA8, GL_NUM_VIRTUAL_PAGE_SIZES_ARB) >
                0);
    assert_int_equal(format_query(GL_TEXTURE_1D, GL_RGBA8, GL_NUM_VIRTUAL_PAGE_SIZES_ARB), 0);
    assert_int_equal(format_query(GL_TEXTURE_BUFFER, GL_RGBA8, GL_NUM_VIRTUAL_PAGE_SIZES_ARB), 0);
    assert_int_equal(format_query(GL_RENDERBUFFER, GL_RGBA8, GL_NUM_VIRTUAL_PAGE_SIZES_ARB), 0);
    assert_int_equal(
        format_query(GL_TEXTURE_2D, GL_COMPRESSED_RED_RGTC1, GL_NUM_VIRTUAL_PAGE_SIZES_ARB), 0);
    GLint size = 0, size_3d = 0, layers = 0;
    GLboolean full = GL_FALSE;
    glGetIntegerv(GL_MAX_SPARSE_TEXTURE_SIZE_ARB, &size);
    glGetIntegerv(GL_MAX_SPARSE_3D_TEXTURE_SIZE_ARB, &size_3d);
    glGetIntegerv(GL_MAX_SPARSE_ARRAY_TEXTURE_LAYERS_ARB, &layers);
    glGetBooleanv(GL_SPARSE_TEXTURE_FULL_ARRAY_CUBE_MIPMAPS_ARB, &full);
    assert_true(size >= 16384 && size_3d >= 2048 && layers >= 2048 && full);
    expect_error(GL_NO_ERROR);
}

static void test_parameters(void **state)
{
    GLuint t, view;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_1D, t);
    glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_SPARSE_ARB, GL_TRUE);
    expect_error(GL_INVALID_VALUE);
    glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_SPARSE_ARB, GL_FALSE);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &t);

    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_SPARSE_ARB), 0);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB), 0);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_NUM_SPARSE_LEVELS_ARB), 0);
    glTexParameteri(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB, -1);
    expect_error(GL_INVALID_VALUE);
    glTexParameteri(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB, 77);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_SPARSE_ARB, 1.0f);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB), 77);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_SPARSE_ARB), 1);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, TEX, TEX); /* no such page size */
    expect_error(GL_INVALID_OPERATION);
    glTexPageCommitmentARB(GL_TEXTURE_2D, 0, 0, 0, 0, 128, 128, 1, GL_TRUE); /* not immutable */
    expect_error(GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB, 0);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RED_RGTC1, TEX, TEX);
    expect_error(GL_INVALID_OPERATION);
    glTexStorage2D(GL_TEXTURE_2D, 4, GL_RGBA8, TEX, TEX);
    expect_error(GL_NO_ERROR);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_NUM_SPARSE_LEVELS_ARB), 3);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SPARSE_ARB, GL_FALSE);
    expect_error(GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_VIRTUAL_PAGE_SIZE_INDEX_ARB, 0);
    expect_error(GL_INVALID_OPERATION);

    glGenTextures(1, &view);
    glTextureView(view, GL_TEXTURE_2D, t, GL_R32F, 1, 3, 0, 1);
    glBindTexture(GL_TEXTURE_2D, view);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_SPARSE_ARB), 1);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_NUM_SPARSE_LEVELS_ARB), 2);
    glDeleteTextures(1, &view);
    glDeleteTextures(1, &t);

    /* without the parameter, textures are not sparse */
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, TEX, TEX);
    glTexPageCommitmentARB(GL_TEXTURE_2D, 0, 0, 0, 0, 128, 128, 1, GL_TRUE);
    expect_error(GL_INVALID_OPERATION);
    glTexturePageCommitmentEXT(12345, 0, 0, 0, 0, 128, 128, 1, GL_TRUE);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &t);
}

static void commit_error(GLenum error, GLint level, GLint x, GLint y, GLint z, GLsizei w, GLsizei h,
                         GLsizei d)
{
    glTexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, level, x, y, z, w, h, d, GL_TRUE);
    expect_error(error);
}

static void test_commit_errors(void **state)
{
    GLuint t = make_sparse(GL_TEXTURE_2D_ARRAY, 4, GL_RGBA8, 300, 512, 3);
    glTexPageCommitmentARB(GL_FRAMEBUFFER, 0, 0, 0, 0, 128, 128, 1, GL_TRUE);
    expect_error(GL_INVALID_ENUM);
    commit_error(GL_INVALID_OPERATION, 0, 256, 0, 0, 128, 128, 1); /* past the edge */
    commit_error(GL_INVALID_OPERATION, 0, 0, 512, 0, 128, 128, 1);
    commit_error(GL_INVALID_OPERATION, 0, 0, 0, 2, 128, 128, 2);
    commit_error(GL_INVALID_VALUE, 0, 64, 0, 0, 128, 128, 1); /* not a multiple of the page */
    commit_error(GL_INVALID_VALUE, 0, 0, 1, 0, 128, 128, 1);
    commit_error(GL_INVALID_VALUE, 0, -128, 0, 0, 128, 128, 1);
    commit_error(GL_INVALID_OPERATION, 0, 0, 0, 0, 100, 128, 1); /* neither page nor edge */
    commit_error(GL_INVALID_OPERATION, 0, 0, 0, 0, 128, 100, 1);
    commit_error(GL_INVALID_VALUE, 0, 0, 0, 0, -128, 128, 1);
    commit_error(GL_INVALID_VALUE, 4, 0, 0, 0, 128, 128, 1);
    commit_error(GL_INVALID_VALUE, -1, 0, 0, 0, 128, 128, 1);
    commit_error(GL_NO_ERROR, 0, 256, 0, 0, 44, 128, 3); /* up to the edge */
    commit_error(GL_NO_ERROR, 0, 0, 0, 0, 300, 512, 3);
    commit_error(GL_NO_ERROR, 3, 0, 0, 0, 37, 64, 1);
    commit_error(GL_NO_ERROR, 0, 0, 0, 0, 0, 0, 0);
    glTexturePageCommitmentEXT(t, 0, 0, 0, 0, 300, 512, 3, GL_FALSE);
    expect_error(GL_NO_ERROR);
    GLuint view;
    glGenTextures(1, &view);
    glTextureView(view, GL_TEXTURE_2D_ARRAY, t, GL_RGBA8, 0, 1, 1, 2);
    glTexturePageCommitmentEXT(view, 0, 0, 0, INT32_MAX, 300, 512, 1, GL_TRUE);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &view);
    glDeleteTextures(1, &t);

    t = make_sparse(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 128, 128, 0);
    glTexPageCommitmentARB(GL_TEXTURE_CUBE_MAP, 0, 0, 0, 5, 128, 128, 1, GL_TRUE);
    expect_error(GL_NO_ERROR);
    glTexPageCommitmentARB(GL_TEXTURE_CUBE_MAP, 0, 0, 0, 5, 128, 128, 2, GL_TRUE);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &t);
}

/* --- contents and memory --- */

static uint32_t texel(unsigned x, unsigned y)
{
    return 0x80000000u | x << 16 | y;
}

/* Committed pages of a 512×512 texture with pages of 128×128. */
static bool is_committed(unsigned x, unsigned y)
{
    return (x / 128 + y / 128) % 2 == 0 && x < 384;
}

static void commit_pattern(GLenum target)
{
    for (unsigned y = 0; y < TEX; y += 128)
        for (unsigned x = 0; x < TEX; x += 128)
            if (is_committed(x, y))
                glTexPageCommitmentARB(target, 0, (GLint)x, (GLint)y, 0, 128, 128, 1, GL_TRUE);
}

static uint32_t image[TEX * TEX], got[TEX * TEX];

static void upload(GLenum target)
{
    for (unsigned y = 0; y < TEX; y++)
        for (unsigned x = 0; x < TEX; x++)
            image[y * TEX + x] = texel(x, y);
    glTexSubImage2D(target, 0, 0, 0, TEX, TEX, GL_RED_INTEGER, GL_UNSIGNED_INT, image);
}

static void expect_pattern(GLenum target)
{
    memset(got, 0xff, sizeof got);
    glGetTexImage(target, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
    expect_error(GL_NO_ERROR);
    for (unsigned y = 0; y < TEX; y++)
        for (unsigned x = 0; x < TEX; x++)
            assert_int_equal(got[y * TEX + x], is_committed(x, y) ? texel(x, y) : 0);
}

static void test_contents(void **state)
{
    static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE};
    for (unsigned i = 0; i < 2; i++) {
        GLuint t = make_sparse(targets[i], 1, GL_R32UI, TEX, TEX, 0);
        upload(targets[i]);
        commit_pattern(targets[i]);
        glGetTexImage(targets[i], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
        assert_int_equal(got[0], 0); /* nothing was kept */
        upload(targets[i]);
        commit_pattern(targets[i]); /* keeps the contents */
        expect_pattern(targets[i]);
        glTexPageCommitmentARB(targets[i], 0, 0, 0, 0, 128, 128, 1, GL_FALSE);
        glTexPageCommitmentARB(targets[i], 0, 0, 0, 0, 128, 128, 1, GL_TRUE);
        glGetTexImage(targets[i], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
        assert_int_equal(got[5 * TEX + 5], 0);
        assert_int_equal(got[130 * TEX + 130], texel(130, 130));
        glClearTexImage(t, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &(GLuint){9});
        glGetTexImage(targets[i], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
        for (unsigned y = 0; y < TEX; y += 3)
            for (unsigned x = 0; x < TEX; x++)
                assert_int_equal(got[y * TEX + x], is_committed(x, y) ? 9 : 0);
        expect_error(GL_NO_ERROR);
        glDeleteTextures(1, &t);
    }
}

/* Layers, slices and faces have separate pages. */
static void test_layers(void **state)
{
    static const GLenum targets[] = {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP_ARRAY};
    static uint8_t bytes[6 * 256 * 256];
    for (unsigned i = 0; i < 3; i++) {
        GLuint t = make_sparse(targets[i], 1, GL_R8, 256, 256, 6);
        glTexPageCommitmentARB(targets[i], 0, 0, 0, 1, 256, 256, 2, GL_TRUE);
        glTexPageCommitmentARB(targets[i], 0, 0, 0, 4, 256, 256, 1, GL_TRUE);
        memset(bytes, 77, sizeof bytes);
        glTexSubImage3D(targets[i], 0, 0, 0, 0, 256, 256, 6, GL_RED, GL_UNSIGNED_BYTE, bytes);
        memset(bytes, 1, sizeof bytes);
        glGetTexImage(targets[i], 0, GL_RED, GL_UNSIGNED_BYTE, bytes);
        for (unsigned z = 0; z < 6; z++)
            for (unsigned p = 0; p < 65536; p += 17)
                assert_int_equal(bytes[z * 65536 + p], z == 1 || z == 2 || z == 4 ? 77 : 0);
        expect_error(GL_NO_ERROR);
        glDeleteTextures(1, &t);
    }
}

/* The tail is committed as a whole, also through a view. */
static void test_tail(void **state)
{
    static uint32_t small[64 * 64];
    GLuint view, t = make_sparse(GL_TEXTURE_2D, 8, GL_R32UI, 256, 256, 0);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_NUM_SPARSE_LEVELS_ARB), 2);
    for (unsigned round = 0; round < 3; round++) {
        const GLint level = 2 + (GLint)round % 2, size = 256 >> level;
        const bool commit = round != 1;
        if (round < 2) {
            glTexPageCommitmentARB(GL_TEXTURE_2D, level, 0, 0, 0, size, size, 1, commit);
        } else {
            glGenTextures(1, &view);
            glTextureView(view, GL_TEXTURE_2D, t, GL_R32UI, 5, 1, 0, 1);
            glTexturePageCommitmentEXT(view, 0, 0, 0, 0, 8, 8, 1, commit);
            glDeleteTextures(1, &view);
        }
        for (GLint l = 2; l < 8; l++) {
            const GLsizei n = 256 >> l;
            for (GLsizei k = 0; k < n * n; k++)
                small[k] = 1000 + (uint32_t)l;
            glTexSubImage2D(GL_TEXTURE_2D, l, 0, 0, n, n, GL_RED_INTEGER, GL_UNSIGNED_INT, small);
            glGetTexImage(GL_TEXTURE_2D, l, GL_RED_INTEGER, GL_UNSIGNED_INT, small);
            for (GLsizei k = 0; k < n * n; k++)
                assert_int_equal(small[k], commit ? 1000 + l : 0);
        }
    }
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &t);
}

/* Returns the resident memory of the process in bytes. */
static size_t resident(void)
{
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*u %zu", &pages), 1);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Reservations use no memory, writes to uncommitted pages leave none, and decommitted pages return
 * theirs. */
static void test_memory(void **state)
{
    const GLsizei layers = 256, used = 16; /* a layer has 4 MiB */
    const size_t before = resident(), part = (size_t)used << 22;
    GLuint t = make_sparse(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 1024, 1024, layers);
    glClearTexImage(t, 0, GL_RGBA, GL_UNSIGNED_BYTE, "abcd");
    assert_true(resident() < before + (32 << 20));
    glTexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1024, 1024, used, GL_TRUE);
    assert_true(resident() < before + (32 << 20));
    glClearTexImage(t, 0, GL_RGBA, GL_UNSIGNED_BYTE, "abcd");
    assert_true(resident() >= before + part);
    glTexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1024, 1024, layers, GL_FALSE);
    assert_true(resident() < before + part / 4);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &t);
}

/* An image larger than other images may be, most of which is uncommitted. */
static void test_large(void **state)
{
    GLuint t = make_sparse(GL_TEXTURE_2D_ARRAY, 15, GL_RGBA8, 16384, 16384, 64);
    uint32_t word = 0;
    glTexPageCommitmentARB(GL_TEXTURE_2D_ARRAY, 0, 16256, 16256, 63, 128, 128, 1, GL_TRUE);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 16383, 16383, 63, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    "wxyz");
    glGetTextureSubImage(t, 0, 16383, 16383, 63, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4, &word);
    assert_memory_equal(&word, "wxyz", 4);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &t);
    t = make_sparse(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 1, GL_RGBA8, 8192, 8192, 4);
    glDeleteTextures(1, &t);
}

/* --- rendering, blits and mipmaps --- */

static void draw_all(void)
{
    glRectf(-1, -1, 1, 1);
}

static GLuint framebuffer(GLuint t, GLint level)
{
    GLuint f;
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, level);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    return f;
}

static void expect_colors(uint32_t color)
{
    glReadPixels(0, 0, TEX, TEX, GL_RGBA, GL_UNSIGNED_BYTE, got);
    for (unsigned y = 0; y < TEX; y++)
        for (unsigned x = 0; x < TEX; x++)
            assert_int_equal(got[y * TEX + x], is_committed(x, y) ? color : 0);
    expect_error(GL_NO_ERROR);
}

static void test_rendering(void **state)
{
    GLuint t = make_sparse(GL_TEXTURE_2D, 1, GL_RGBA8, TEX, TEX, 0), plain, f, from, query;
    GLuint samples = 0;
    commit_pattern(GL_TEXTURE_2D);
    f = framebuffer(t, 0);
    glViewport(0, 0, TEX, TEX);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    expect_colors(0xff0000ff);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glColor4f(0, 1, 0, 1);
    draw_all();
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
    assert_int_equal(samples, TEX * TEX); /* fragments without memory count */
    expect_colors(0xff00ff00);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glColor4f(1, 0, 0, 1);
    draw_all();
    glDisable(GL_BLEND);
    expect_colors(0xff00ffff);

    glGenTextures(1, &plain);
    glBindTexture(GL_TEXTURE_2D, plain);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, TEX, TEX);
    from = framebuffer(plain, 0);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, f);
    for (unsigned mirror = 0; mirror < 2; mirror++) {
        glBlitFramebuffer(0, 0, TEX, TEX, 0, 0, mirror ? TEX : TEX / 2, TEX, GL_COLOR_BUFFER_BIT,
                          GL_LINEAR);
        glCopyImageSubData(plain, GL_TEXTURE_2D, 0, 0, 0, 0, t, GL_TEXTURE_2D, 0, 0, 0, 0, TEX, TEX,
                           1);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, f);
    expect_colors(0xffff0000);
    glBindTexture(GL_TEXTURE_2D, t);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, TEX, TEX);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, f);
    expect_colors(0xffff0000);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, SIZE, SIZE);
    glDeleteQueries(1, &query);
    glDeleteFramebuffers(1, &f);
    glDeleteFramebuffers(1, &from);
    glDeleteTextures(1, &t);
    glDeleteTextures(1, &plain);
}

/* Uncommitted levels are zero also as sources of the next level. */
static void test_mipmaps(void **state)
{
    static float row[TEX * TEX];
    GLuint t = make_sparse(GL_TEXTURE_2D, 4, GL_R32F, TEX, TEX, 0);
    glTexPageCommitmentARB(GL_TEXTURE_2D, 0, 0, 0, 0, 256, TEX, 1, GL_TRUE);
    glTexPageCommitmentARB(GL_TEXTURE_2D, 2, 0, 0, 0, 128, 128, 1, GL_TRUE);
    glTexPageCommitmentARB(GL_TEXTURE_2D, 1, 128, 0, 0, 128, 128, 1, GL_TRUE);
    for (unsigned i = 0; i < TEX * TEX; i++)
        row[i] = 8.0f;
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, TEX, TEX, GL_RED, GL_FLOAT, row);
    glGenerateMipmap(GL_TEXTURE_2D);
    glGetTexImage(GL_TEXTURE_2D, 1, GL_RED, GL_FLOAT, row);
    for (unsigned i = 0; i < 256 * 256; i++)
        assert_true(row[i] == 0.0f);
    glGetTexImage(GL_TEXTURE_2D, 2, GL_RED, GL_FLOAT, row);
    for (unsigned i = 0; i < 128 * 128; i++)
        assert_true(row[i] == 0.0f); /* level 1 was zero */
    glTexPageCommitmentARB(GL_TEXTURE_2D, 1, 0, 0, 0, 128, 128, 1, GL_TRUE);
    glGenerateMipmap(GL_TEXTURE_2D);
    glGetTexImage(GL_TEXTURE_2D, 2, GL_RED, GL_FLOAT, row);
    for (unsigned i = 0; i < 128 * 128; i++)
        assert_true(row[i] == (i % 128 < 64 && i / 128 < 64 ? 8.0f : 0.0f));
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &t);
}

/* --- shaders --- */

#define HEAD                                                                                       \
    "#version 450\n"                                                                               \
    "#extension GL_ARB_sparse_texture2 : require\n"                                                \
    "#extension GL_ARB_sparse_texture_clamp : require\n"

static GLuint compute_program(const char *text)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_use(p);
    return p;
}

static GLuint result_buffer(GLsizeiptr bytes)
{
    GLuint b;
    glGenBuffers(1, &b);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
    glBufferStorage(GL_SHADER_STORAGE_BUFFER, bytes, NULL, GL_DYNAMIC_STORAGE_BIT);
    return b;
}

static void read_results(GLsizeiptr bytes)
{
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, bytes, got);
    expect_error(GL_NO_ERROR);
}

/* Every texel by index, and image loads, stores and atomics. */
static void test_texels(void **state)
{
    GLuint t = make_sparse(GL_TEXTURE_2D, 1, GL_R32UI, TEX, TEX, 0),
           b = result_buffer(TEX * TEX * 4);
    nearest(GL_TEXTURE_2D);
    commit_pattern(GL_TEXTURE_2D);
    upload(GL_TEXTURE_2D);
    GLuint p = compute_program(
        HEAD "layout(local_size_x = 16, local_size_y = 4) in;\n"
             "uniform usampler2D s;\n"
             "layout(r32ui, binding = 1) uniform uimage2D im;\n"
             "layout(std430, binding = 0) buffer B { uint word[]; };\n"
             "void main() {\n"
             "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
             "    uvec4 v, w, o, far;\n"
             "    bool r = sparseTexelsResidentARB(sparseTexelFetchARB(s, at, 0, v));\n"
             "    bool i = sparseTexelsResidentARB(sparseImageLoadARB(im, at, w));\n"
             "    bool m = sparseTexelsResidentARB(\n"
             "        sparseTexelFetchOffsetARB(s, at - ivec2(3), 0, ivec2(3, 3), o));\n"
             "    bool f = sparseTexelsResidentARB(sparseImageLoadARB(im, at + 1000, far));\n"
             "    uint old = imageAtomicAdd(im, at, 1u);\n"
             "    uint now = imageLoad(im, at).x;\n"
             "    imageStore(im, at, uvec4(now + 1u));\n"
             "    bool ok = v == w && v == o && r == i && r == m && f && far.x == 0u;\n"
             "    ok = ok && old == v.x && now == (r ? v.x + 1u : 0u);\n"
             "    ok = ok && imageLoad(im, at).x == (r ? v.x + 2u : 0u);\n"
             "    word[at.y * 512 + at.x] = ok ? (r ? v.x : v.x + 1u) : 12345u;\n"
             "}\n");
    glBindImageTexture(1, t, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glDispatchCompute(TEX / 16, TEX / 4, 1);
    read_results(TEX * TEX * 4);
    for (unsigned y = 0; y < TEX; y++)
        for (unsigned x = 0; x < TEX; x++)
            assert_int_equal(got[y * TEX + x], is_committed(x, y) ? texel(x, y) : 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
    for (unsigned i = 0; i < TEX * TEX; i++)
        assert_int_equal(got[i], is_committed(i % TEX, i / TEX) ? texel(i % TEX, i / TEX) + 2 : 0);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
    glDeleteTextures(1, &t);
}

/* Fills committed texels of a level with a value, and commits its page at x, y. */
static void commit_page(GLint level, GLint x, GLint y)
{
    glTexPageCommitmentARB(GL_TEXTURE_2D, level, x * 128, y * 128, 0, 128, 128, 1, GL_TRUE);
}

/* Runs in fragment and in compute shaders: codes of filtered accesses at points around a corner of
 * four pages, compared with the texels of nonzero weight. */
static const char sample_functions[] =
    "uniform sampler2D s;\n"
    "int access(int kind, vec2 p) {\n"
    "    vec4 v, w = vec4(-1);\n"
    "    float size = 512.0;\n"
    "    vec2 c = p / size;\n"
    "    int code;\n"
    "    if (kind == 0) { code = sparseTextureLodARB(s, c, 0.0, v); w = textureLod(s, c, 0.0); }\n"
    "    else if (kind == 1) { code = sparseTextureLodARB(s, c, 1.0, v); w = textureLod(s, c, "
    "1.0); }\n"
    "    else if (kind == 2) { code = sparseTextureLodARB(s, c, 0.5, v); w = textureLod(s, c, "
    "0.5); }\n"
    "    else if (kind == 3) { code = sparseTextureGatherARB(s, c, v); w = textureGather(s, c); }\n"
    "    else if (kind == 4) { code = sparseTextureLodOffsetARB(s, c - 3.0 / size, 0.0, ivec2(3), "
    "v);\n"
    "        w = textureLodOffset(s, c - 3.0 / size, 0.0, ivec2(3)); }\n"
    "    else if (kind == 5) { code = sparseTextureGradARB(s, c, vec2(1.0 / size, 0), vec2(0, 1.0 "
    "/ size), v);\n"
    "        w = textureGrad(s, c, vec2(1.0 / size, 0), vec2(0, 1.0 / size)); }\n"
    "    else { const ivec2 o[4] = ivec2[4](ivec2(0), ivec2(-8, 0), ivec2(7), ivec2(0));\n"
    "        code = sparseTextureGatherOffsetsARB(s, c, o, v, 1); w = textureGatherOffsets(s, c, "
    "o, 1); }\n"
    "    return v != w ? 7 : sparseTexelsResidentARB(code) ? 1 : 2;\n"
    "}\n";

#define KINDS  7
#define POINTS 64

/* Position of a point in texels of level 0: around the corner at 128, 128. */
static float position(unsigned i)
{
    static const float fraction[4] = {0.5f, 0.75f, 0.0f, 0.25f};
    return 124.0f + (float)(i / 4) / 2.0f + fraction[i % 4];
}

static bool page_committed(unsigned level, int x, int y)
{
    return level == 0 ? is_committed((unsigned)x, (unsigned)y) : x / 128 == 0 && y / 128 == 1;
}

/* Returns whether the texels of nonzero weight of a filter are committed. x, y: in texels of the
 * level. */
static bool footprint_committed(unsigned level, float x, float y, bool linear, bool gather)
{
    if (!linear && !gather)
        return page_committed(level, (int)floorf(x), (int)floorf(y));
    const float u = x - 0.5f, v = y - 0.5f;
    for (int k = 0; k < 4; k++) {
        const int dx = k & 1, dy = k >> 1;
        if (!gather && ((dx && u == floorf(u)) || (dy && v == floorf(v))))
            continue;
        if (!page_committed(level, (int)floorf(u) + dx, (int)floorf(v) + dy))
            return false;
    }
    return true;
}

static bool expected(unsigned kind, float x, float y, bool linear)
{
    const bool base = footprint_committed(0, x, y, linear, kind == 3);
    const bool next = footprint_committed(1, x / 2, y / 2, linear, false);
    switch (kind) {
    case 1:
        return next;
    case 2:
        return base && next;
    case 6: /* component i is texel (i0, j0) at each offset */
        for (unsigned i = 0; i < 4; i++) {
            static const float offset[4][2] = {{0, 0}, {-8, 0}, {7, 7}, {0, 0}};
            if (!page_committed(0, (int)floorf(x + offset[i][0] - 0.5f),
                                (int)floorf(y + offset[i][1] - 0.5f)))
                return false;
        }
        return true;
    default:
        return base;
    }
}

static GLuint make_levels(GLenum format)
{
    static float values[TEX * TEX][4];
    GLuint t = make_sparse(GL_TEXTURE_2D, 3, format, TEX, TEX, 0);
    commit_pattern(GL_TEXTURE_2D);
    commit_page(1, 0, 1);
    for (unsigned i = 0; i < TEX * TEX; i++)
        for (unsigned c = 0; c < 4; c++)
            values[i][c] = (float)((i * 7 + c * 31) % 256) / 255.0f;
    for (GLint l = 0; l < 2; l++)
        glTexSubImage2D(GL_TEXTURE_2D, l, 0, 0, TEX >> l, TEX >> l, GL_RGBA, GL_FLOAT, values);
    return t;
}

static void check_codes(const uint32_t *codes, unsigned kind, bool linear)
{
    for (unsigned y = 0; y < POINTS; y++)
        for (unsigned x = 0; x < POINTS; x++) {
            const unsigned code = codes[y * POINTS + x];
            const bool want = expected(kind, position(x), position(y), linear);
            if (code != (want ? 1 : 2))
                fail_msg("kind %u, linear %d, point %g %g: code %u, not %u", kind, linear,
                         (double)position(x), (double)position(y), code, want ? 1u : 2u);
        }
}

static void sample_in_compute(GLenum format)
{
    char text[6000];
    snprintf(text, sizeof text,
             HEAD "%s"
                  "layout(local_size_x = 8, local_size_y = 8) in;\n"
                  "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                  "uniform float at[64];\n"
                  "uniform int kind;\n"
                  "void main() {\n"
                  "    uvec2 g = gl_GlobalInvocationID.xy;\n"
                  "    word[g.y * 64 + g.x] = access(kind, vec2(at[g.x], at[g.y]));\n"
                  "}\n",
             sample_functions);
    GLuint t = make_levels(format), b = result_buffer(POINTS * POINTS * 4),
           p = compute_program(text);
    float at[POINTS];
    for (unsigned i = 0; i < POINTS; i++)
        at[i] = position(i);
    glUniform1fv(glGetUniformLocation(p, "at"), POINTS, at);
    for (unsigned linear = 0; linear < 2; linear++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                        linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            glUniform1i(glGetUniformLocation(p, "kind"), (GLint)kind);
            glDispatchCompute(POINTS / 8, POINTS / 8, 1);
            read_results(POINTS * POINTS * 4);
            check_codes(got, kind, linear);
        }
    }
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
    glDeleteTextures(1, &t);
}

static void sample_in_fragments(GLenum format)
{
    char text[6000];
    snprintf(text, sizeof text,
             HEAD "%s"
                  "layout(location = 0) out vec4 color;\n"
                  "uniform float at[64];\n"
                  "uniform int kind;\n"
                  "void main() {\n"
                  "    ivec2 g = ivec2(gl_FragCoord.xy);\n"
                  "    color = vec4(float(access(kind, vec2(at[g.x], at[g.y]))) / 255.0);\n"
                  "}\n",
             sample_functions);
    static uint32_t codes[POINTS * POINTS];
    GLuint t = make_levels(format), p = gl_test_program(NULL, text);
    float at[POINTS];
    glUseProgram(p);
    for (unsigned i = 0; i < POINTS; i++)
        at[i] = position(i);
    glUniform1fv(glGetUniformLocation(p, "at"), POINTS, at);
    for (unsigned linear = 0; linear < 2; linear++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                        linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            glUniform1i(glGetUniformLocation(p, "kind"), (GLint)kind);
            draw_all();
            glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, codes);
            for (unsigned i = 0; i < POINTS * POINTS; i++)
                codes[i] &= 0xff;
            check_codes(codes, kind, linear);
        }
    }
    expect_error(GL_NO_ERROR);
    gl_test_delete_program(p);
    glDeleteTextures(1, &t);
}

static void test_codes(void **state)
{
    sample_in_compute(GL_RGBA8);
    sample_in_compute(GL_R32F);
    sample_in_fragments(GL_RGBA8);
    sample_in_fragments(GL_R11F_G11F_B10F);
}

/* Implicit derivatives, bias and shadow comparisons; all functions compile. */
static void test_functions(void **state)
{
    GLuint t = make_levels(GL_RGBA8);
    GLuint p = gl_test_program(
        NULL, HEAD
        "uniform sampler2D s; uniform sampler3D s3; uniform samplerCube sc;\n"
        "uniform sampler2DArray sa; uniform samplerCubeArray sca; uniform sampler2DRect sr;\n"
        "uniform sampler2DShadow sh; uniform samplerCubeShadow sch; uniform isampler2D si;\n"
        "uniform sampler2DArrayShadow sah; uniform samplerCubeArrayShadow scah;\n"
        "uniform sampler2DRectShadow srh; uniform sampler2DMS sm; uniform sampler1D s1;\n"
        "uniform sampler1DArrayShadow s1ah; uniform usampler2DMSArray sma;\n"
        "uniform bool others;\n"
        "out vec4 color;\n"
        "void main() {\n"
        "    vec4 v = vec4(gl_FragCoord.xy / 512.0, 0, 1); ivec4 iv; uvec4 uv; float f;\n"
        "    bool r = sparseTexelsResidentARB(sparseTextureARB(s, v.xy, v));\n"
        "    bool q = sparseTexelsResidentARB(sparseTextureARB(s, gl_FragCoord.xy / 256.0, v, "
        "0.0));\n"
        "    int c = 0;\n"
        "    if (others) {\n"
        "        c += sparseTextureARB(s3, v.xyz, v) + sparseTextureARB(sc, v.xyz, v, 1.0);\n"
        "        c += sparseTextureARB(sa, v.xyz, v) + sparseTextureARB(sca, v, v);\n"
        "        c += sparseTextureARB(sr, v.xy, v) + sparseTextureARB(sh, v.xyz, f);\n"
        "        c += sparseTextureARB(sch, v, f) + sparseTextureARB(sah, v, f);\n"
        "        c += sparseTextureARB(scah, v, 0.5, f) + sparseTextureARB(srh, v.xyz, f);\n"
        "        c += sparseTexelFetchARB(sm, ivec2(1), 0, v) + sparseTexelFetchARB(si, ivec2(1), "
        "0, iv);\n"
        "        c += sparseTexelFetchARB(sma, ivec3(1), 1, uv);\n"
        "        c += sparseTextureGatherARB(sh, v.xy, 0.5, v) + sparseTextureGatherARB(sc, v.xyz, "
        "v, 2);\n"
        "        c += sparseTextureGradOffsetARB(sah, v, v.xy, v.zw, ivec2(1), f);\n"
        "        c += sparseTextureClampARB(s, v.xy, 1.0, v, 0.5) + sparseTextureClampARB(scah, v, "
        "0.5, 1.0, f);\n"
        "        c += sparseTextureGradOffsetClampARB(s3, v.xyz, v.xyz, v.yzw, ivec3(1), 2.0, v);\n"
        "        v += textureClampARB(s1, v.x, 1.0) + textureOffsetClampARB(sa, v.xyz, ivec2(1), "
        "2.0, 1.0);\n"
        "        v += textureGradClampARB(sca, v, v.xyz, v.yzw, 1.0) + textureClampARB(s1ah, "
        "v.xyz, 1.0, 1.0);\n"
        "    }\n"
        "    color = vec4(r, q, c != 0, 1);\n"
        "}\n");
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "s3"), 1);
    glUniform1i(glGetUniformLocation(p, "sc"), 2);
    glUniform1i(glGetUniformLocation(p, "sa"), 3);
    glUniform1i(glGetUniformLocation(p, "sca"), 4);
    glUniform1i(glGetUniformLocation(p, "sr"), 5);
    glUniform1i(glGetUniformLocation(p, "sh"), 6);
    glUniform1i(glGetUniformLocation(p, "sch"), 7);
    glUniform1i(glGetUniformLocation(p, "si"), 8);
    glUniform1i(glGetUniformLocation(p, "sah"), 9);
    glUniform1i(glGetUniformLocation(p, "scah"), 10);
    glUniform1i(glGetUniformLocation(p, "srh"), 11);
    glUniform1i(glGetUniformLocation(p, "sm"), 12);
    glUniform1i(glGetUniformLocation(p, "s1"), 13);
    glUniform1i(glGetUniformLocation(p, "s1ah"), 14);
    glUniform1i(glGetUniformLocation(p, "sma"), 15);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    draw_all();
    /* at 1 texel per pixel, pixels read level 0, page 0, 0; at 2, level 1, page 0, 0 */
    expect(SIZE / 2, SIZE / 2, 1, 0, 0);
    glTexPageCommitmentARB(GL_TEXTURE_2D, 0, 0, 0, 0, 128, 128, 1, GL_FALSE);
    commit_page(1, 0, 0);
    draw_all();
    expect(SIZE / 2, SIZE / 2, 0, 1, 0);
    glUniform1i(glGetUniformLocation(p, "others"), 1);
    draw_all();
    expect(SIZE / 2, SIZE / 2, 0, 1, 1);
    gl_test_delete_program(p);
    glDeleteTextures(1, &t);
}

/* Compile errors: bad arguments, a writeonly image, missing extension, wrong stage. */
static void test_compile_errors(void **state)
{
    static const struct {
        GLenum stage;
        const char *text;
    } bad[] = {
        {GL_FRAGMENT_SHADER, "#version 450\nuniform sampler2D s;\n"
                             "void main() { vec4 v; sparseTextureARB(s, vec2(0), v); }\n"},
        {GL_FRAGMENT_SHADER,
         HEAD "uniform sampler2D s;\nvoid main() { sparseTextureARB(s, vec2(0), vec4(1)); }\n"},
        {GL_FRAGMENT_SHADER,
         HEAD "uniform sampler1D s;\nvoid main() { vec4 v; sparseTextureARB(s, 0.0, v); }\n"},
        {GL_FRAGMENT_SHADER, HEAD "layout(r32f) writeonly uniform image2D i;\n"
                                  "void main() { vec4 v; sparseImageLoadARB(i, ivec2(0), v); }\n"},
        {GL_FRAGMENT_SHADER, HEAD "uniform sampler2DRect s;\n"
                                  "void main() { textureClampARB(s, vec2(0), 1.0); }\n"},
        {GL_VERTEX_SHADER,
         HEAD "uniform sampler2D s;\n"
              "void main() { gl_Position = textureClampARB(s, vec2(0), 1.0); }\n"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        GLuint shader = glCreateShader(bad[i].stage);
        GLint ok = 1;
        glShaderSource(shader, 1, &bad[i].text, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
        if (ok)
            fail_msg("shader %u compiles", i);
        glDeleteShader(shader);
    }
    expect_error(GL_NO_ERROR);
}

/* The level is clamped after the bias; each level has its own color. */
static void test_clamp(void **state)
{
    GLuint t;
    static uint8_t texels[TEX * TEX];
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 10, GL_R8, TEX, TEX);
    for (GLint l = 0; l < 10; l++) {
        memset(texels, 20 * l, sizeof texels);
        glTexSubImage2D(GL_TEXTURE_2D, l, 0, 0, TEX >> l, TEX >> l, GL_RED, GL_UNSIGNED_BYTE,
                        texels);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    GLuint p = gl_test_program(
        NULL, HEAD "uniform sampler2D s;\nuniform float least;\nout vec4 color;\n"
                   "void main() {\n"
                   "    vec2 at = gl_FragCoord.xy / 128.0, d = vec2(1.0 / 128.0, 0);\n" /* λ = 2 */
                   "    vec4 v;\n"
                   "    sparseTextureClampARB(s, at, least, v, -1.0);\n"
                   "    color = vec4(textureClampARB(s, at, least).r,\n"
                   "                 textureGradClampARB(s, at, d.xy, d.yx, least).r, v.r, 1);\n"
                   "}\n");
    glUseProgram(p);
    for (int least = 0; least < 6; least++) {
        const float level = (float)(least > 2 ? least : 2), biased = (float)(least > 1 ? least : 1);
        glUniform1f(glGetUniformLocation(p, "least"), (float)least);
        draw_all();
        expect(20, 20, 20 * level / 255, 20 * level / 255, 20 * biased / 255);
    }
    gl_test_delete_program(p);
    glDeleteTextures(1, &t);
}

/* Multisample textures: uncommitted samples are zero, and fetches report it. */
static void test_multisample(void **state)
{
    static const GLenum targets[] = {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_2D_MULTISAMPLE_ARRAY};
    for (unsigned i = 0; i < 2; i++) {
        const GLenum target = targets[i];
        GLint w = format_query(target, GL_RGBA8, GL_VIRTUAL_PAGE_SIZE_X_ARB);
        GLint h = format_query(target, GL_RGBA8, GL_VIRTUAL_PAGE_SIZE_Y_ARB);
        GLuint t = make_sparse(target, 1, GL_RGBA8, 2 * w, 2 * h, i ? 2 : 0);
        glTexPageCommitmentARB(target, 0, w, 0, (GLint)i, w, h, 1, GL_TRUE);
        GLuint f = framebuffer(t, 0), b = result_buffer(16 * 4);
        glClearColor(1, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD "layout(local_size_x = 4, local_size_y = 4) in;\n"
                      "uniform sampler2DMS%s s;\n"
                      "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                      "void main() {\n"
                      "    ivec3 at = ivec3(gl_LocalInvocationID.x %% 2 * %d + 5,\n"
                      "                     gl_LocalInvocationID.x / 2 * %d + 7, %u);\n"
                      "    vec4 v;\n"
                      "    int n = int(gl_LocalInvocationID.y);\n"
                      "    int c = sparseTexelFetchARB(s, at.%s, n, v);\n"
                      "    word[n * 4 + gl_LocalInvocationID.x] =\n"
                      "        sparseTexelsResidentARB(c) == (v == vec4(1)) ? uint(v.x) : 7u;\n"
                      "}\n",
                 i ? "Array" : "", w, h, i, i ? "xyz" : "xy");
        GLuint p = compute_program(text);
        glDispatchCompute(1, 1, 1);
        read_results(16 * 4);
        for (unsigned k = 0; k < 16; k++)
            assert_int_equal(got[k], k % 4 == 1);
        gl_test_delete_program(p);
        glDeleteFramebuffers(1, &f);
        glDeleteBuffers(1, &b);
        glDeleteTextures(1, &t);
    }
}

/* Cube faces: seamless filters across an edge touch the other face. */
static void test_cube(void **state)
{
    GLuint t = make_sparse(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 128, 128, 0), b = result_buffer(12);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    glTexPageCommitmentARB(GL_TEXTURE_CUBE_MAP, 0, 0, 0, 0, 128, 128, 1, GL_TRUE); /* +x */
    GLuint p = compute_program(HEAD "layout(local_size_x = 1) in;\n"
                                    "uniform samplerCube s;\n"
                                    "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                                    "void main() {\n"
                                    "    vec4 v;\n"
                                    "    word[0] = sparseTexelsResidentARB(sparseTextureLodARB(s, "
                                    "vec3(1, 0.3, 0.2), 0.0, v)) ? 1 : 0;\n"
                                    "    word[1] = sparseTexelsResidentARB(sparseTextureLodARB(s, "
                                    "vec3(1, 0.2, 0.999), 0.0, v)) ? 1 : 0;\n"
                                    "    word[2] = sparseTexelsResidentARB(sparseTextureLodARB(s, "
                                    "vec3(0.2, 0.3, 1), 0.0, v)) ? 1 : 0;\n"
                                    "}\n");
    glDispatchCompute(1, 1, 1);
    read_results(12);
    assert_int_equal(got[0], 1);
    assert_int_equal(got[1], 0);
    assert_int_equal(got[2], 0);
    glTexPageCommitmentARB(GL_TEXTURE_CUBE_MAP, 0, 0, 0, 4, 128, 128, 1, GL_TRUE); /* +z */
    glDispatchCompute(1, 1, 1);
    read_results(12);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(got[i], 1);
    glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
    glDeleteTextures(1, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_sizes),    cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_commit_errors), cmocka_unit_test(test_contents),
        cmocka_unit_test(test_layers),        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_large),
        cmocka_unit_test(test_rendering),     cmocka_unit_test(test_mipmaps),
        cmocka_unit_test(test_texels),        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_functions),     cmocka_unit_test(test_compile_errors),
        cmocka_unit_test(test_clamp),         cmocka_unit_test(test_multisample),
        cmocka_unit_test(test_cube),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
