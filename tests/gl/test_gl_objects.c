/* SPDX-License-Identifier: MIT */
/* Direct state access compared with the same commands on bound objects, and commands of the same
 * versions: clearing, copying, indirect draws, indexed queries, instances in feedback. On the CPU
 * driver. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 8 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Checks that buffer a, read through its binding, equals buffer b, read by name, in contents and
 * parameters. */
static void expect_equal_buffers(GLuint a, GLuint b)
{
    static const GLenum names[] = {GL_BUFFER_SIZE, GL_BUFFER_USAGE, GL_BUFFER_MAPPED};
    uint8_t bytes[2][64] = {{0}};
    GLint64 v[2];
    glBindBuffer(GL_COPY_READ_BUFFER, a);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        glGetBufferParameteri64v(GL_COPY_READ_BUFFER, names[i], &v[0]);
        glGetNamedBufferParameteri64v(b, names[i], &v[1]);
        assert_int_equal(v[0], v[1]);
    }
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof bytes[0], bytes[0]);
    glGetNamedBufferSubData(b, 0, sizeof bytes[1], bytes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
    expect_error(GL_NO_ERROR);
}

static void test_buffers(void **state)
{
    static const uint8_t text[64] = "what both buffers hold";
    static const uint16_t pixel[2] = {0x1234, 0xabcd};
    GLuint b[2];
    GLint bound;
    glGenBuffers(1, &b[0]);
    glCreateBuffers(1, &b[1]);
    assert_int_equal(glIsBuffer(b[0]), GL_FALSE);
    assert_int_equal(glIsBuffer(b[1]), GL_TRUE);
    glNamedBufferData(b[0], 64, text, GL_DYNAMIC_READ); /* not an object yet */
    expect_error(GL_INVALID_OPERATION);
    glBindBuffer(GL_COPY_WRITE_BUFFER, b[0]);
    glBufferData(GL_COPY_WRITE_BUFFER, 64, text, GL_DYNAMIC_READ);
    glNamedBufferData(b[1], 64, text, GL_DYNAMIC_READ);
    expect_equal_buffers(b[0], b[1]);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 8, 4, "abcd");
    glNamedBufferSubData(b[1], 8, 4, "abcd");
    expect_equal_buffers(b[0], b[1]);
    glClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RG16UI, 16, 32, GL_RG_INTEGER, GL_UNSIGNED_SHORT,
                         pixel);
    glClearNamedBufferSubData(b[1], GL_RG16UI, 16, 32, GL_RG_INTEGER, GL_UNSIGNED_SHORT, pixel);
    expect_equal_buffers(b[0], b[1]);
    memset(glMapBufferRange(GL_COPY_WRITE_BUFFER, 4, 8, GL_MAP_WRITE_BIT), 'x', 8);
    memset(glMapNamedBufferRange(b[1], 4, 8, GL_MAP_WRITE_BIT), 'x', 8);
    glClearNamedBufferSubData(b[1], GL_R8, 4, 1, GL_RED, GL_UNSIGNED_BYTE, NULL);
    expect_error(GL_INVALID_OPERATION);
    glClearNamedBufferSubData(b[1], GL_R8, 12, 4, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R8, 12, 4, GL_RED, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glUnmapBuffer(GL_COPY_WRITE_BUFFER), GL_TRUE);
    assert_int_equal(glUnmapNamedBuffer(b[1]), GL_TRUE);
    expect_equal_buffers(b[0], b[1]);
    glCopyNamedBufferSubData(b[1], b[0], 0, 40, 24);
    glCopyNamedBufferSubData(b[0], b[1], 40, 40, 24);
    expect_equal_buffers(b[0], b[1]);
    glClearNamedBufferSubData(b[1], GL_RGBA32F, 8, 16, GL_RGBA, GL_FLOAT, NULL);
    expect_error(GL_INVALID_VALUE); /* not a multiple of the texel size */
    glNamedBufferSubData(b[1], 60, 5, text);
    expect_error(GL_INVALID_VALUE);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    assert_int_equal(bound, 0);
    glDeleteBuffers(2, b);
}

static void expect_equal_textures(GLenum target, GLuint a, GLuint b)
{
    static const GLenum names[] = {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_WRAP_S, GL_TEXTURE_MAX_LEVEL};
    uint8_t texels[2][4 * 4 * 6 * 4] = {{0}};
    GLint v[2];
    glBindTexture(target, a);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        glGetTexParameteriv(target, names[i], &v[0]);
        glGetTextureParameteriv(b, names[i], &v[1]);
        assert_int_equal(v[0], v[1]);
    }
    for (unsigned f = 0; f < (target == GL_TEXTURE_CUBE_MAP ? 6 : 1); f++)
        glGetTexImage(target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + f : target,
                      0, GL_RGBA, GL_UNSIGNED_BYTE, texels[0] + f * 64);
    glGetTextureImage(b, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof texels[1], texels[1]);
    assert_memory_equal(texels[0], texels[1], sizeof texels[0]);
    expect_error(GL_NO_ERROR);
    glBindTexture(target, 0);
}

static void test_textures(void **state)
{
    static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_2D_ARRAY,
                                     GL_TEXTURE_3D};
    uint8_t texels[4 * 4 * 4 * 4], part[2 * 2 * 4];
    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = i * 7;
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++) {
        GLenum target = targets[i];
        bool flat = target == GL_TEXTURE_2D, cube = target == GL_TEXTURE_CUBE_MAP;
        GLuint t[2];
        glGenTextures(1, &t[0]);
        glCreateTextures(target, 1, &t[1]);
        glTextureParameteri(t[0], GL_TEXTURE_WRAP_S, GL_REPEAT); /* not an object yet */
        expect_error(GL_INVALID_OPERATION);
        glBindTexture(target, t[0]);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTextureParameteri(t[1], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        if (flat || cube) {
            glTexStorage2D(target, 2, GL_RGBA8, 4, 4);
            glTextureStorage2D(t[1], 2, GL_RGBA8, 4, 4);
        } else {
            glTexStorage3D(target, 2, GL_RGBA8, 4, 4, 4);
            glTextureStorage3D(t[1], 2, GL_RGBA8, 4, 4, 4);
        }
        if (flat) {
            glTexSubImage2D(target, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
            glTextureSubImage2D(t[1], 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        } else if (cube) {
            for (unsigned f = 0; f < 4; f++)
                glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + 1 + f, 0, 0, 0, 4, 4, GL_RGBA,
                                GL_UNSIGNED_BYTE, texels + 64 * f);
            glTextureSubImage3D(t[1], 0, 0, 0, 1, 4, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
            glTextureSubImage2D(t[1], 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
            expect_error(GL_INVALID_OPERATION);
        } else {
            glTexSubImage3D(target, 0, 0, 0, 0, 4, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
            glTextureSubImage3D(t[1], 0, 0, 0, 0, 4, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        }
        expect_error(GL_NO_ERROR);
        expect_equal_textures(target, t[0], t[1]);
        GLint z = flat ? 0 : cube ? 3 : 2;
        glGetTextureSubImage(t[1], 0, 1, 2, z, 2, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, sizeof part,
                             part);
        assert_memory_equal(part, texels + (flat ? 0 : 128) + (2 * 4 + 1) * 4, 8);
        assert_memory_equal(part + 8, texels + (flat ? 0 : 128) + (3 * 4 + 1) * 4, 8);
        glGetTextureSubImage(t[1], 0, 0, 0, 0, 4, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, 63, texels);
        expect_error(GL_INVALID_OPERATION);
        glGetTextureImage(t[1], 0, GL_RGBA, GL_UNSIGNED_BYTE, 16, part);
        expect_error(GL_INVALID_OPERATION);
        glDeleteTextures(2, t);
    }
}

/* Checks the errors of reads of textures for sizes of buffers and boxes (GL 4.6 §8.11.4). */
static void test_read_errors(void **state)
{
    /* the last box is valid */
    static const struct {
        GLenum target;
        GLint box[6];
    } boxes[] = {
        {GL_TEXTURE_1D, {0, 0, 0, 4, 0, 1}},        {GL_TEXTURE_1D, {0, 1, 0, 4, 0, 1}},
        {GL_TEXTURE_1D, {0, 0, 0, 4, 1, 0}},        {GL_TEXTURE_1D_ARRAY, {0, 0, 0, 4, 4, 0}},
        {GL_TEXTURE_1D_ARRAY, {0, 0, 1, 4, 4, 0}},  {GL_TEXTURE_2D, {0, 0, 0, 4, 4, 0}},
        {GL_TEXTURE_2D, {0, 0, 1, 4, 4, 0}},        {GL_TEXTURE_RECTANGLE, {0, 0, 1, 4, 4, 0}},
        {GL_TEXTURE_RECTANGLE, {0, 0, 0, 4, 0, 1}},
    };
    uint8_t texels[64];
    GLuint t;
    for (unsigned i = 0; i < 9; i++) {
        const GLint *b = boxes[i].box;
        glCreateTextures(boxes[i].target, 1, &t);
        if (boxes[i].target == GL_TEXTURE_1D)
            glTextureStorage1D(t, 1, GL_RGBA8, 4);
        else
            glTextureStorage2D(t, 1, GL_RGBA8, 4, 4);
        glGetTextureSubImage(t, 0, b[0], b[1], b[2], b[3], b[4], b[5], GL_RGBA, GL_UNSIGNED_BYTE,
                             sizeof texels, texels);
        expect_error(i < 8 ? GL_INVALID_VALUE : GL_NO_ERROR);
        glDeleteTextures(1, &t);
    }
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
    glGetTextureImage(t, 0, GL_RGBA, GL_UNSIGNED_BYTE, -1, texels);
    expect_error(GL_INVALID_VALUE);
    glGetnTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, -1, texels);
    expect_error(GL_INVALID_VALUE);
    glDeleteTextures(1, &t);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RED_RGTC1, 4, 4);
    glGetCompressedTextureImage(t, 0, -1, texels);
    expect_error(GL_INVALID_VALUE);
    glGetnCompressedTexImage(GL_TEXTURE_2D, 0, -1, texels);
    expect_error(GL_INVALID_VALUE);
    glGetCompressedTextureSubImage(t, 0, 0, 0, 0, 4, 4, 0, sizeof texels, texels);
    expect_error(GL_INVALID_VALUE);
    glGetCompressedTextureSubImage(t, 0, 0, 0, 0, 4, 4, 1, sizeof texels, texels);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &t);
}

static void test_clears_and_copies(void **state)
{
    static const uint8_t red[4] = {255, 0, 0, 255}, blue[4] = {0, 0, 255, 255};
    uint8_t texels[4][4][4];
    GLuint t[2];
    glCreateTextures(GL_TEXTURE_2D, 1, &t[0]);
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &t[1]);
    glTextureStorage2D(t[0], 1, GL_RGBA8, 4, 4);
    glTextureStorage3D(t[1], 1, GL_RGBA8UI, 4, 4, 3);
    glClearTexImage(t[0], 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    glClearTexSubImage(t[0], 0, 1, 1, 0, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    glClearTexSubImage(t[0], 0, 3, 0, 0, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    expect_error(GL_INVALID_OPERATION);
    glClearTexSubImage(t[0], 0, 3, 0, 0, -1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    expect_error(GL_INVALID_VALUE);
    glClearTexSubImage(t[0], 0, 1, 1, 0, 2, 0, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                       (void *)16); /* ignored */
    expect_error(GL_NO_ERROR);
    glClearTexImage(t[1], 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    expect_error(GL_INVALID_OPERATION); /* integers */
    glCopyImageSubData(t[0], GL_TEXTURE_2D, 0, 0, 0, 0, t[1], GL_TEXTURE_2D_ARRAY, 0, 0, 0, 2, 4, 4,
                       1);
    expect_error(GL_NO_ERROR);
    glGetTextureSubImage(t[1], 0, 0, 0, 2, 4, 4, 1, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                         sizeof texels, texels);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++)
            assert_memory_equal(texels[y][x], y == 1 && (x == 1 || x == 2) ? blue : red, 4);
    glCopyImageSubData(t[0], GL_TEXTURE_2D, 0, 0, 0, 0, t[1], GL_TEXTURE_2D_ARRAY, 0, 1, 0, 2, 4, 4,
                       1);
    expect_error(GL_INVALID_VALUE);
    glCopyImageSubData(t[0], GL_TEXTURE_3D, 0, 0, 0, 0, t[1], GL_TEXTURE_2D_ARRAY, 0, 0, 0, 2, 4, 4,
                       1);
    expect_error(GL_INVALID_ENUM);
    glDeleteTextures(2, t);
}

/* Checks that raw copies work between formats of one view class (GL 4.6 table 8.30), and between
 * blocks and texels of 64 or 128 bits (table 18.5). */
static void test_copied_formats(void **state)
{
    static const struct {
        GLenum from, to;
        bool allowed;
    } cases[] = {
        {GL_RGBA8, GL_R32F, true},
        {GL_RGB10_A2, GL_RGB9_E5, true},
        {GL_RGBA4, GL_RGBA4, true},
        {GL_RGBA4, GL_RG8, false}, /* 16-bit formats without a class */
        {GL_R16, GL_RGB5_A1, false},
        {GL_R8, GL_R3_G3_B2, false},
        {GL_RGBA12, GL_RGBA16, false},
        {GL_RGB16, GL_RGB16I, true},
        {GL_RGB32F, GL_RGB32UI, true},
        {GL_RGB8, GL_RGBA8, false},
        {GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_SIGNED_RED_RGTC1, true},
        {GL_COMPRESSED_SIGNED_RG_RGTC2, GL_COMPRESSED_RG_RGTC2, true},
        {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, true},
        {GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_RGB8_ETC2, false},
        {GL_COMPRESSED_RED_RGTC1, GL_RGBA16, true},
        {GL_COMPRESSED_RED_RGTC1, GL_RGBA12, false},
        {GL_RG32UI, GL_COMPRESSED_RED_RGTC1, true},
        {GL_RGBA32F, GL_COMPRESSED_RGBA_BPTC_UNORM, true},
        {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGB32F, false},
        {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA16F, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GLuint t[2];
        glCreateTextures(GL_TEXTURE_2D, 2, t);
        glTextureStorage2D(t[0], 1, cases[i].from, 16, 16);
        glTextureStorage2D(t[1], 1, cases[i].to, 16, 16);
        glCopyImageSubData(t[0], GL_TEXTURE_2D, 0, 4, 8, 0, t[1], GL_TEXTURE_2D, 0, 0, 0, 0, 4, 4,
                           1);
        expect_error(cases[i].allowed ? GL_NO_ERROR : GL_INVALID_OPERATION);
        glDeleteTextures(2, t);
    }
}

static void test_framebuffers(void **state)
{
    static const float green[4] = {0, 1, 0, 1};
    GLuint fb, rb;
    GLint v;
    glCreateFramebuffers(1, &fb);
    glCreateRenderbuffers(1, &rb);
    glNamedRenderbufferStorage(rb, GL_RGBA8, SIZE, SIZE);
    assert_int_equal(glCheckNamedFramebufferStatus(fb, GL_FRAMEBUFFER),
                     GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    glNamedFramebufferRenderbuffer(fb, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    assert_int_equal(glCheckNamedFramebufferStatus(fb, GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glGetNamedFramebufferAttachmentParameteriv(fb, GL_COLOR_ATTACHMENT0,
                                               GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &v);
    assert_int_equal(v, rb);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glClearNamedFramebufferfv(fb, GL_COLOR, 0, green);
    expect(1, 1, 1, 0, 0); /* the bound texture is unchanged */
    glBlitNamedFramebuffer(fb, 0, 0, 0, 4, 4, 4, 4, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect(1, 1, 1, 0, 0);
    expect(6, 6, 0, 1, 0);
    glNamedFramebufferDrawBuffer(fb, GL_BACK);
    expect_error(GL_INVALID_OPERATION);
    glClearNamedFramebufferfv(fb + 1000, GL_COLOR, 0, green);
    expect_error(GL_INVALID_OPERATION);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &v);
    assert_int_equal(v, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteRenderbuffers(1, &rb);
}

/* Checks that levels an immutable texture lacks, and invalid faces of cubes, can't be attached. */
static void test_attached_levels(void **state)
{
    static const GLenum targets[3] = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_2D_ARRAY};
    GLuint fb, t[3], view;
    GLint v;
    glCreateFramebuffers(1, &fb);
    for (unsigned i = 0; i < 3; i++) {
        glCreateTextures(targets[i], 1, &t[i]);
        if (i < 2)
            glTextureStorage2D(t[i], 3, GL_RGBA8, 8, 8);
        else
            glTextureStorage3D(t[i], 3, GL_RGBA8, 8, 8, 4);
        glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, t[i], 2);
        expect_error(GL_NO_ERROR);
        glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, t[i], 3);
        expect_error(GL_INVALID_VALUE);
        glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, t[i], -1);
        expect_error(GL_INVALID_VALUE);
        if (i) {
            glNamedFramebufferTextureLayer(fb, GL_COLOR_ATTACHMENT0, t[i], 3, 0);
            expect_error(GL_INVALID_VALUE);
        }
    }
    glNamedFramebufferTextureLayer(fb, GL_COLOR_ATTACHMENT0, t[1], 0, 5);
    expect_error(GL_NO_ERROR);
    glNamedFramebufferTextureLayer(fb, GL_COLOR_ATTACHMENT0, t[1], 0, 6);
    expect_error(GL_INVALID_VALUE);
    glGetNamedFramebufferAttachmentParameteriv(fb, GL_COLOR_ATTACHMENT0,
                                               GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE, &v);
    assert_int_equal(v, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z);
    glGenTextures(1, &view); /* levels count from the view's first level */
    glTextureView(view, GL_TEXTURE_2D, t[0], GL_RGBA8, 1, 2, 0, 1);
    glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, view, 1);
    expect_error(GL_NO_ERROR);
    glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, view, 2);
    expect_error(GL_INVALID_VALUE);
    glDeleteTextures(1, &view);
    glDeleteTextures(3, t);
    glDeleteFramebuffers(1, &fb);
}

/* Checks that glBindVertexBuffer creates the buffer of a name, like glBindBuffer (GL 4.6
 * §10.3.2). */
static void test_vertex_buffer_made(void **state)
{
    GLuint b[2], vao;
    GLint v;
    glGenBuffers(2, b);
    glCreateVertexArrays(1, &vao);
    glVertexArrayVertexBuffer(vao, 1, b[0], 0, 8);
    glBindVertexArray(vao);
    glBindVertexBuffer(2, b[1], 4, 8);
    expect_error(GL_NO_ERROR);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(glIsBuffer(b[i]));
        glGetIntegeri_v(GL_VERTEX_BINDING_BUFFER, 1 + i, &v);
        assert_int_equal(v, b[i]);
    }
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &vao);
    glDeleteBuffers(2, b);
}

/* Checks that 0 names the default vertex array object, and the queries of bindings by name (GL 4.6
 * compatibility §10.3.2, §10.5). */
static void test_default_arrays(void **state)
{
    GLuint b;
    GLint v, max;
    GLint64 offset;
    glCreateBuffers(1, &b);
    glVertexArrayVertexBuffer(0, 2, b, 4, 24);
    glVertexArrayBindingDivisor(0, 2, 5);
    glVertexArrayAttribFormat(0, 3, 2, GL_SHORT, GL_TRUE, 8);
    glVertexArrayAttribBinding(0, 3, 2);
    glEnableVertexArrayAttrib(0, 3);
    glVertexArrayElementBuffer(0, b);
    expect_error(GL_NO_ERROR);
    const struct {
        GLuint index;
        GLenum name;
        GLint value;
    } cases[] = {
        {3, GL_VERTEX_ATTRIB_ARRAY_ENABLED, 1},
        {3, GL_VERTEX_ATTRIB_ARRAY_SIZE, 2},
        {3, GL_VERTEX_ATTRIB_ARRAY_TYPE, GL_SHORT},
        {3, GL_VERTEX_ATTRIB_RELATIVE_OFFSET, 8},
        {3, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, 5},
        {3, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, (GLint)b},
        {2, GL_VERTEX_BINDING_BUFFER, (GLint)b},
        {2, GL_VERTEX_BINDING_STRIDE, 24},
        {2, GL_VERTEX_BINDING_DIVISOR, 5},
        {3, GL_VERTEX_BINDING_BUFFER, 0},
        {3, GL_VERTEX_BINDING_STRIDE, 16},
        {3, GL_VERTEX_BINDING_DIVISOR, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        v = -1;
        glGetVertexArrayIndexediv(0, cases[i].index, cases[i].name, &v);
        expect_error(GL_NO_ERROR);
        assert_int_equal(v, cases[i].value);
    }
    glGetVertexArrayIndexed64iv(0, 2, GL_VERTEX_BINDING_OFFSET, &offset);
    assert_int_equal(offset, 4);
    glGetVertexArrayiv(0, GL_ELEMENT_ARRAY_BUFFER_BINDING, &v);
    assert_int_equal(v, b);
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &v);
    assert_int_equal(v, 1);
    expect_error(GL_NO_ERROR);
    glGetIntegerv(GL_MAX_VERTEX_ATTRIB_BINDINGS, &max);
    glGetVertexArrayIndexediv(0, (GLuint)max, GL_VERTEX_BINDING_STRIDE, &v);
    expect_error(GL_INVALID_VALUE);
    glGetVertexArrayIndexediv(0, 3, GL_VERTEX_ATTRIB_BINDING, &v);
    expect_error(GL_INVALID_ENUM);
    glVertexArrayBindingDivisor(0, 2, UINT32_MAX);
    glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &v);
    assert_int_equal(v, INT32_MAX);
    glGetVertexArrayIndexediv(0, 2, GL_VERTEX_BINDING_DIVISOR, &v);
    assert_int_equal(v, INT32_MAX);
    glVertexArrayBindingDivisor(0, 2, 0);
    glVertexArrayAttribFormat(0, 3, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(0, 3, 3);
    glDisableVertexArrayAttrib(0, 3);
    glDeleteBuffers(1, &b);
}

/* Checks that array pointers need a vertex array object in the core profile (GL 4.6 §E.2.2). */
static void test_core_arrays(void **state)
{
    enum gl_create_error error;
    GLuint vao, b;
    GLint v;
    struct gl_context *ctx = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_CORE, .major = 4, .minor = 5, .visual = &visual},
        &error);
    assert_non_null(ctx);
    assert_true(core->make_current(ctx, drawable, drawable));
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    expect_error(GL_INVALID_OPERATION);
    glVertexAttribIPointer(0, 4, GL_INT, 0, NULL);
    expect_error(GL_INVALID_OPERATION);
    glEnableVertexArrayAttrib(0, 0);
    expect_error(GL_INVALID_OPERATION);
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glGetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &v);
    assert_int_equal(v, b);
    expect_error(GL_NO_ERROR);
    core->make_current(*state, drawable, drawable);
    core->context_destroy(ctx);
}

/* Checks that the core profile clamps only colors that are read (GL 4.6 §18.2.8). */
static void test_core_clamps(void **state)
{
    enum gl_create_error error;
    struct gl_context *other = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_CORE, .major = 3, .minor = 2, .visual = &visual},
        &error);
    assert_true(other && core->make_current(other, drawable, drawable));
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    expect_error(GL_INVALID_ENUM);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    expect_error(GL_INVALID_ENUM);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    expect_error(GL_NO_ERROR);
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(other);
}

/* Checks that a float that is no enumerant doesn't become GL_NONE. */
static void test_float_enumerants(void **state)
{
    GLuint t;
    GLint v;
    glCreateTextures(GL_TEXTURE_2D, 1, &t);
    glTextureParameterf(t, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    expect_error(GL_NO_ERROR);
    glTextureParameterf(t, GL_TEXTURE_COMPARE_MODE, -1);
    expect_error(GL_INVALID_ENUM);
    glTextureParameterf(t, GL_TEXTURE_COMPARE_MODE, 1e20f);
    expect_error(GL_INVALID_ENUM);
    glGetTextureParameteriv(t, GL_TEXTURE_COMPARE_MODE, &v);
    assert_int_equal(v, GL_COMPARE_REF_TO_TEXTURE);
    glDeleteTextures(1, &t);
}

/* Checks indirect draws of vertex arrays that were set up by name. */
static void test_arrays_and_indirect(void **state)
{
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    static const uint16_t indices[4] = {0, 1, 2, 3};
    static const uint32_t commands[3][5] = {
        {4, 1, 0, 0, 0}, {0xffffffff, 1, 0, 0, 0}, {4, 1, 0xfffffff0, 0, 0}};
    GLuint b[3], vao;
    GLint v;
    GLuint p = gl_test_program("#version 120\nattribute vec4 weight;\n"
                               "void main() { gl_Position = weight; }",
                               "#version 120\nvoid main() { gl_FragColor = vec4(0, 1, 0, 1); }");
    glCreateBuffers(3, b);
    glNamedBufferStorage(b[0], sizeof corners, corners, 0);
    glNamedBufferStorage(b[1], sizeof indices, indices, 0);
    glNamedBufferStorage(b[2], sizeof commands, commands, 0);
    glCreateVertexArrays(1, &vao);
    glVertexArrayVertexBuffer(vao, 1, b[0], 0, 8);
    glVertexArrayAttribFormat(vao, 3, 2, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(vao, 3, 1);
    glEnableVertexArrayAttrib(vao, 3);
    glVertexArrayElementBuffer(vao, b[1]);
    glGetVertexArrayIndexediv(vao, 3, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &v);
    assert_int_equal(v, 1);
    glGetVertexArrayiv(vao, GL_ELEMENT_ARRAY_BUFFER_BINDING, &v);
    assert_int_equal(v, b[1]);
    expect_error(GL_NO_ERROR);
    glUseProgram(p);
    glBindVertexArray(vao);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, b[2]);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, (void *)4);
    glDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, (void *)2);
    expect_error(GL_INVALID_VALUE);
    glMultiDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, NULL, 4, 0);
    expect_error(GL_INVALID_OPERATION); /* only three fit */
    glMultiDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, NULL, 3, 0);
    expect(1, 1, 0, 1, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
    expect(6, 6, 0, 1, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    glDeleteVertexArrays(1, &vao);
    glDeleteBuffers(3, b);
    glDeleteProgram(p);
}

/* Checks draws conditional on a query that passed or failed, and their inverse. */
static void test_conditions(void **state)
{
    for (int drawn = 0; drawn < 2; drawn++) {
        GLuint query;
        glGenQueries(1, &query);
        glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
        if (drawn)
            glRectf(-1, -1, 1, 1);
        glEndQuery(GL_ANY_SAMPLES_PASSED);
        for (int inverted = 0; inverted < 2; inverted++) {
            glClearColor(1, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            glBeginConditionalRender(query, inverted ? GL_QUERY_WAIT_INVERTED : GL_QUERY_WAIT);
            glColor3f(0, 1, 0);
            glRectf(-1, -1, 1, 1);
            glEndConditionalRender();
            expect(1, 1, drawn == inverted, drawn != inverted, 0);
        }
        glDeleteQueries(1, &query);
    }
}

/* Checks that conditional rendering discards primitives in feedback mode, too (GL 4.6 §10.9). */
static void test_conditional_feedback(void **state)
{
    static const float point[2];
    GLfloat values[64];
    GLuint query;
    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, point);
    for (int inverted = 0; inverted < 2; inverted++) {
        glFeedbackBuffer(64, GL_2D, values);
        glRenderMode(GL_FEEDBACK);
        glBeginConditionalRender(query, inverted ? GL_QUERY_WAIT_INVERTED : GL_QUERY_WAIT);
        glBegin(GL_POINTS);
        glVertex2f(0, 0);
        glEnd();
        glDrawArrays(GL_POINTS, 0, 1);
        glEndConditionalRender();
        assert_int_equal(glRenderMode(GL_RENDER), inverted ? 6 : 0); /* tokens and positions */
    }
    expect_error(GL_NO_ERROR);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteQueries(1, &query);
}

/* Checks which queries may be begun or be a condition (GL 4.6 §4.2.2, §10.9). */
static void test_query_reuse(void **state)
{
    GLuint query, result;
    GLint v;
    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glRectf(-1, -1, 1, 1);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glBeginQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, query);
    expect_error(GL_NO_ERROR);
    glGetQueryiv(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, GL_CURRENT_QUERY, &v);
    assert_int_equal(v, query);
    glRectf(-1, -1, 1, 1);
    glEndQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
    assert_int_equal(result, 1);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    expect_error(GL_INVALID_OPERATION);

    /* A condition can't be begun, so it keeps its result. */
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    expect_error(GL_INVALID_OPERATION);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEndConditionalRender();
    expect(1, 1, 0, 0, 1);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    expect_error(GL_NO_ERROR);
    glDeleteQueries(1, &query);

    /* The result of a query that was never begun is 0. */
    static const GLenum targets[] = {GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                                     GL_TRANSFORM_FEEDBACK_OVERFLOW, GL_TIME_ELAPSED};
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++) {
        glCreateQueries(targets[i], 1, &query);
        glBeginConditionalRender(query, GL_QUERY_WAIT);
        if (targets[i] == GL_TIME_ELAPSED) {
            expect_error(GL_INVALID_OPERATION);
        } else {
            glClearColor(1, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            glEndConditionalRender();
        }
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
        assert_int_equal(result, 0);
        glDeleteQueries(1, &query);
    }
    expect(1, 1, 0, 0, 1);
}

/* Uploads one block of a compressed image in client memory (GL 4.6 §8.7). */
static void test_blocks(void **state)
{
    uint8_t image[4][3][16], back[4][3][16] = {{{0}}}; /* 12 by 16 texels */
    GLuint texture;
    for (unsigned i = 0; i < sizeof image; i++)
        ((uint8_t *)image)[i] = i;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_SIZE, 16);
    glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_WIDTH, 4);
    glPixelStorei(GL_UNPACK_COMPRESSED_BLOCK_HEIGHT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 12);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 4);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 8);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_BPTC_UNORM, 8, 8, 0, 64, image);
    expect_error(GL_NO_ERROR);
    glGetCompressedTexImage(GL_TEXTURE_2D, 0, back);
    assert_memory_equal(back[0][0], image[2][1], 32);
    assert_memory_equal(back[0][2], image[3][1], 32);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 2);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_BPTC_UNORM, 8, 8, 0, 64, image);
    expect_error(GL_INVALID_OPERATION);
    static const GLenum names[] = {GL_UNPACK_COMPRESSED_BLOCK_SIZE,
                                   GL_UNPACK_COMPRESSED_BLOCK_WIDTH,
                                   GL_UNPACK_COMPRESSED_BLOCK_HEIGHT,
                                   GL_UNPACK_ROW_LENGTH,
                                   GL_UNPACK_SKIP_PIXELS,
                                   GL_UNPACK_SKIP_ROWS};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        glPixelStorei(names[i], 0);
    glDeleteTextures(1, &texture);
}

/* Checks context properties: no-error mode, compiler threads, flush control. */
static void test_contexts(void **state)
{
    enum gl_create_error error;
    GLint v;
    glGetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &v);
    assert_int_equal(v, -1);
    glMaxShaderCompilerThreadsKHR(3);
    glGetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &v);
    assert_int_equal(v, 3);
    glGetIntegerv(GL_CONTEXT_RELEASE_BEHAVIOR, &v);
    assert_int_equal(v, GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH);
    assert_int_equal(glGetError(), GL_NO_ERROR);

    struct gl_context *silent = core->context_create(
        &(struct gl_context_attribs){
            .api = GL_API_COMPAT, .major = 3, .minor = 3, .visual = &visual, .no_error = true},
        &error);
    assert_non_null(silent);
    assert_true(core->make_current(silent, drawable, drawable));
    glGetIntegerv(GL_CONTEXT_FLAGS, &v);
    assert_int_equal(v & GL_CONTEXT_FLAG_NO_ERROR_BIT, GL_CONTEXT_FLAG_NO_ERROR_BIT);
    glEnable(GL_RGBA8);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    core->make_current(*state, drawable, drawable);
    core->context_destroy(silent);
}

/* Integer queries map depth ranges to the whole range of integers (GL 4.6 §2.2.2). Indexed queries
 * round them, as in other drivers. */
static void test_depth_range_queries(void **state)
{
    GLint i[2];
    GLint64 i64[2];
    GLfloat f[2];
    glDepthRangeIndexed(3, 0.75, 0.25);
    glGetIntegeri_v(GL_DEPTH_RANGE, 3, i);
    assert_true(i[0] == 1 && i[1] == 0);
    glGetInteger64i_v(GL_DEPTH_RANGE, 3, i64);
    assert_true(i64[0] == 1 && i64[1] == 0);
    glGetFloati_v(GL_DEPTH_RANGE, 3, f);
    assert_true(f[0] == 0.75f && f[1] == 0.25f);
    glGetIntegerv(GL_DEPTH_RANGE, i);
    assert_true(i[0] == 0 && i[1] == INT32_MAX);
    glDepthRangeIndexed(3, 0, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Instances read their own elements of instanced arrays (GL 4.6 §10.4), and programs get the
 * instance. Each draw has one point per instance. */
static void test_feedback_of_instances(void **state)
{
    static const GLfloat positions[3][2] = {{9, 9}, {-0.5f, 0}, {0.5f, 0}};
    static const GLubyte index = 0;
    static const GLfloat expected[3][3] = {{2, 2, 6}, {2, 2, 6}, {2, 4, 6}};
    GLfloat buffer[16];
    GLuint p =
        gl_test_program("#version 150 compatibility\n"
                        "void main() {\n"
                        "    gl_Position = vec4(float(gl_InstanceID) * 0.5 - 0.5, 0, 0, 1);\n"
                        "}\n",
                        NULL);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glVertexAttribDivisor(0, 2);
    glEnableVertexAttribArray(0);
    for (unsigned i = 0; i < 3; i++) {
        glFeedbackBuffer(16, GL_2D, buffer);
        glRenderMode(GL_FEEDBACK);
        glUseProgram(i == 2 ? p : 0);
        if (i == 0)
            glDrawArraysInstancedBaseInstance(GL_POINTS, 0, 1, 3, 1);
        else
            glDrawElementsInstancedBaseInstance(GL_POINTS, 1, GL_UNSIGNED_BYTE, &index, 3, 1);
        assert_int_equal(glRenderMode(GL_RENDER), 9);
        for (unsigned k = 0; k < 3; k++)
            assert_true(buffer[3 * k] == GL_POINT_TOKEN && buffer[3 * k + 1] == expected[i][k]);
    }
    glDisableVertexAttribArray(0);
    glVertexAttribDivisor(0, 0);
    gl_test_delete_program(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_conditional_feedback),
        cmocka_unit_test(test_query_reuse),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_clears_and_copies),
        cmocka_unit_test(test_copied_formats),
        cmocka_unit_test(test_framebuffers),
        cmocka_unit_test(test_attached_levels),
        cmocka_unit_test(test_vertex_buffer_made),
        cmocka_unit_test(test_default_arrays),
        cmocka_unit_test(test_core_arrays),
        cmocka_unit_test(test_core_clamps),
        cmocka_unit_test(test_float_enumerants),
        cmocka_unit_test(test_arrays_and_indirect),
        cmocka_unit_test(test_read_errors),
        cmocka_unit_test(test_depth_range_queries),
        cmocka_unit_test(test_feedback_of_instances),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
