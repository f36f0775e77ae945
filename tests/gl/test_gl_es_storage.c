/* SPDX-License-Identifier: MIT */
/* Extensions that give OpenGL ES textures and objects of later versions: EXT_sRGB,
 * NV_generate_mipmap_sRGB, EXT_texture_storage, EXT_texture_storage_compression,
 * MESA_sampler_objects, APPLE_sync, EXT_instanced_arrays, EXT_multi_draw_indirect. Tests that need
 * a later version skip in contexts of ES 2.0. */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int version;

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    int result = gl_test_setup(state, GL_API_ES2, &window);
    const char *text = result ? "" : (const char *)glGetString(GL_VERSION);
    version = result ? 0 : atoi(text + strlen("OpenGL ES "));
    return result;
}

static bool has(const char *name)
{
    return strstr((const char *)glGetString(GL_EXTENSIONS), name) != NULL;
}

/* Draws a triangle that covers the window with the first texel of the bound texture at `level`. */
static void draw_level(float level)
{
    static const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    GLuint p = gl_test_program("attribute vec2 weight;\n"
                               "void main() { gl_Position = vec4(weight, 0, 1); }",
                               "precision highp float;\n"
                               "uniform sampler2D image;\n"
                               "uniform float level;\n"
                               "void main() { gl_FragColor = texture2D(image, vec2(0), level); }");
    glUseProgram(p);
    glUniform1f(glGetUniformLocation(p, "level"), level);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(3);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(3);
    gl_test_delete_program(p);
}

static GLuint new_texture(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

/* sRGB 188 is linear 0.503; 255 and 0 stay. */
static void test_srgb_image(void **state)
{
    static const GLubyte texels[4][4] = {
        {188, 255, 0, 255}, {188, 255, 0, 255}, {188, 255, 0, 255}, {188, 255, 0, 255}};
    static const GLubyte three[4][4] = {{188, 255, 0, 188}, {255, 0, 0, 0}, {188, 255, 0, 188}};
    GLuint texture = new_texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_ALPHA_EXT, 2, 2, 0, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE,
                 texels);
    glGenerateMipmap(GL_TEXTURE_2D); /* NV_generate_mipmap_sRGB */
    draw_level(0);
    expect(3, 3, 0.503f, 1, 0);
    draw_level(1);
    expect(3, 3, 0.503f, 1, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, texels + 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_EXT, 2, 2, 0, GL_SRGB_EXT, GL_UNSIGNED_BYTE, three);
    glGenerateMipmap(GL_TEXTURE_2D);
    draw_level(0);
    expect(3, 3, 0.503f, 1, 0);
    glDeleteTextures(1, &texture);
}

static void test_srgb_errors(void **state)
{
    const GLubyte texels[16] = {0};
    GLuint texture = new_texture();
    /* the format must be the internal format, of bytes */
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_ALPHA_EXT, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    expect_error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_EXT, 2, 2, 0, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE,
                 texels);
    expect_error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, texels);
    expect_error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_EXT, 2, 2, 0, GL_SRGB_EXT, GL_UNSIGNED_SHORT_5_6_5,
                 texels);
    expect_error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, texels);
    expect_error(GL_INVALID_OPERATION);
    /* not a format of pixels that are read */
    GLubyte pixel[4];
    glReadPixels(0, 0, 1, 1, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, pixel);
    assert_int_not_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &texture);
}

static void test_srgb_renderbuffer(void **state)
{
    GLuint fbo, rb;
    GLint encoding = 0;
    GLubyte pixel[4];
    glGenFramebuffers(1, &fbo);
    glGenRenderbuffers(1, &rb);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8_EXT, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT, &encoding);
    assert_int_equal(encoding, GL_SRGB_EXT);
    glClearColor(0.503f, 1, 0, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    assert_in_range(pixel[0], 186, 190);
    assert_int_equal(pixel[1], 255);
    assert_in_range(pixel[3], 127, 128);
    glClearColor(0, 0, 0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteRenderbuffers(1, &rb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* EXT_texture_storage: formats that ES accepts only for immutable textures. */
static void test_storage_formats(void **state)
{
    static const GLfloat floats[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    static const GLushort halves[4] = {0x3800, 0x3800, 0x3800, 0x3800};
    static const GLubyte bytes[4] = {128, 128, 128, 128};
    static const struct {
        GLenum internal, format, type;
        float r, g, b;
    } cases[] = {
        {GL_ALPHA8_EXT, GL_ALPHA, GL_UNSIGNED_BYTE, 0, 0, 0},
        {GL_LUMINANCE8_EXT, GL_LUMINANCE, GL_UNSIGNED_BYTE, 0.5f, 0.5f, 0.5f},
        {GL_LUMINANCE8_ALPHA8_EXT, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 0.5f, 0.5f, 0.5f},
        {GL_RGBA32F_EXT, GL_RGBA, GL_FLOAT, 0.5f, 0.5f, 0.5f},
        {GL_RGB32F_EXT, GL_RGB, GL_FLOAT, 0.5f, 0.5f, 0.5f},
        {GL_LUMINANCE32F_EXT, GL_LUMINANCE, GL_FLOAT, 0.5f, 0.5f, 0.5f},
        {GL_LUMINANCE_ALPHA32F_EXT, GL_LUMINANCE_ALPHA, GL_FLOAT, 0.5f, 0.5f, 0.5f},
        {GL_ALPHA32F_EXT, GL_ALPHA, GL_FLOAT, 0, 0, 0},
        {GL_RGBA16F_EXT, GL_RGBA, GL_HALF_FLOAT_OES, 0.5f, 0.5f, 0.5f},
        {GL_LUMINANCE16F_EXT, GL_LUMINANCE, GL_HALF_FLOAT_OES, 0.5f, 0.5f, 0.5f},
        {GL_ALPHA16F_EXT, GL_ALPHA, GL_HALF_FLOAT_OES, 0, 0, 0},
        {GL_BGRA8_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, 0.5f, 0.5f, 0.5f},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const void *texel = cases[i].type == GL_FLOAT           ? (const void *)floats
                            : cases[i].type == GL_UNSIGNED_BYTE ? (const void *)bytes
                                                                : (const void *)halves;
        GLint immutable = 0;
        GLuint texture = new_texture();
        glTexStorage2DEXT(GL_TEXTURE_2D, 1, cases[i].internal, 1, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, cases[i].format, cases[i].type, texel);
        draw_level(0);
        expect(3, 3, cases[i].r, cases[i].g, cases[i].b);
        glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT_EXT, &immutable);
        assert_int_equal(immutable, GL_TRUE);
        glTexStorage2DEXT(GL_TEXTURE_2D, 1, cases[i].internal, 1, 1);
        expect_error(GL_INVALID_OPERATION);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
        expect_error(GL_INVALID_OPERATION);
        glDeleteTextures(1, &texture);
    }
    GLuint texture = new_texture();
    glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA, 1, 1);
    expect_error(GL_INVALID_ENUM);
    glTexStorage2DEXT(GL_TEXTURE_2D, 0, GL_RGBA8_OES, 1, 1);
    expect_error(GL_INVALID_VALUE);
    glTexStorage2DEXT(GL_TEXTURE_2D, 3, GL_RGBA8_OES, 2, 2);
    expect_error(GL_INVALID_OPERATION);
    /* the formats are none of glTexImage2D */
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE32F_EXT, 1, 1, 0, GL_LUMINANCE, GL_FLOAT, floats);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
}

static void test_storage_compression(void **state)
{
    static const GLint good[] = {GL_SURFACE_COMPRESSION_EXT,
                                 GL_SURFACE_COMPRESSION_FIXED_RATE_4BPC_EXT, GL_NONE};
    static const GLint bad_name[] = {GL_TEXTURE_WRAP_S, GL_REPEAT, GL_NONE};
    static const GLint bad_value[] = {GL_SURFACE_COMPRESSION_EXT,
                                      GL_SURFACE_COMPRESSION_FIXED_RATE_DEFAULT_EXT + 1, GL_NONE};
    GLint value = 0;
    if (version < 3)
        skip();
    GLuint texture = new_texture();
    glTexStorageAttribs2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, bad_name);
    expect_error(GL_INVALID_VALUE);
    glTexStorageAttribs2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, bad_value);
    expect_error(GL_INVALID_VALUE);
    glTexStorageAttribs2DEXT(GL_TEXTURE_2D, 1, GL_RGBA, 4, 4, good);
    expect_error(GL_INVALID_ENUM);
    glTexStorageAttribs2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, good);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_SURFACE_COMPRESSION_EXT, &value);
    assert_int_equal(value, GL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT);
    glTexParameteri(GL_TEXTURE_2D, GL_SURFACE_COMPRESSION_EXT, value);
    expect_error(GL_INVALID_ENUM);
    glDeleteTextures(1, &texture);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorageAttribs3DEXT(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 4, 4, 3, NULL);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &texture);
    value = 5;
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_NUM_SURFACE_COMPRESSION_FIXED_RATES_EXT, 1,
                          &value);
    assert_int_equal(value, 0);
    value = 5;
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_SURFACE_COMPRESSION_EXT, 1, &value);
    assert_int_equal(value, 5);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetInternalformativ(GL_TEXTURE_2D, GL_TEXTURE_2D, GL_SURFACE_COMPRESSION_EXT, 1, &value);
    expect_error(GL_INVALID_ENUM);
}

/* A sampler object's filter replaces the texture's, with which the texture is incomplete. */
static void test_sampler_objects(void **state)
{
    static const GLubyte green[4] = {0, 255, 0, 255};
    GLuint texture = new_texture(), sampler;
    GLint value = 0;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    draw_level(0);
    expect(3, 3, 0, 0, 0);
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindSampler(0, sampler);
    glGetIntegerv(GL_SAMPLER_BINDING, &value);
    assert_int_equal(value, sampler);
    assert_true(glIsSampler(sampler));
    draw_level(0);
    expect(3, 3, 0, 1, 0);
    glDeleteSamplers(1, &sampler);
    glGetIntegerv(GL_SAMPLER_BINDING, &value);
    assert_int_equal(value, 0);
    glBindSampler(0, sampler);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
}

static void test_sync(void **state)
{
    GLint value = 0, count = 0;
    GLint64 timeout = -1;
    glClear(GL_COLOR_BUFFER_BIT);
    GLsync sync = glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
    assert_true(glIsSyncAPPLE(sync));
    glWaitSyncAPPLE(sync, 0, GL_TIMEOUT_IGNORED_APPLE);
    assert_int_not_equal(
        glClientWaitSyncAPPLE(sync, GL_SYNC_FLUSH_COMMANDS_BIT_APPLE, 10000000000ull),
        GL_TIMEOUT_EXPIRED_APPLE);
    glGetSyncivAPPLE(sync, GL_SYNC_STATUS_APPLE, 1, &count, &value);
    assert_int_equal(count, 1);
    assert_int_equal(value, GL_SIGNALED_APPLE);
    glGetInteger64vAPPLE(GL_MAX_SERVER_WAIT_TIMEOUT_APPLE, &timeout);
    assert_true(timeout >= 0);
    glDeleteSyncAPPLE(sync);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(glClientWaitSyncAPPLE(sync, 0, 0), GL_WAIT_FAILED_APPLE);
    expect_error(GL_INVALID_VALUE);
    assert_null(glFenceSyncAPPLE(GL_SYNC_STATUS_APPLE, 0));
    expect_error(GL_INVALID_ENUM);
}

/* The second instance lies in the right half; its color is the second element. */
static void test_instances(void **state)
{
    static const GLfloat corners[] = {-1, -1, 0, -1, -1, 1, 0, 1};
    static const GLfloat shift[] = {0, 1};
    GLint divisor = 0;
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER,
                   "attribute vec2 at; attribute float shift; varying float s;\n"
                   "void main() { s = shift; gl_Position = vec4(at.x + shift, at.y, 0, 1); }");
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   "precision mediump float; varying float s;\n"
                   "void main() { gl_FragColor = vec4(1.0 - s, s, 0, 1); }");
    glBindAttribLocation(p, 0, "at");
    glBindAttribLocation(p, 1, "shift");
    gl_test_use(p);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, shift);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribDivisorEXT(1, 1);
    glGetVertexAttribiv(1, GL_VERTEX_ATTRIB_ARRAY_DIVISOR_EXT, &divisor);
    assert_int_equal(divisor, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, 2);
    expect(3, 8, 1, 0, 0);
    expect(12, 8, 0, 1, 0);
    glVertexAttribDivisorEXT(1000, 1);
    expect_error(GL_INVALID_VALUE);
    glVertexAttribDivisorEXT(1, 0);
    glDisableVertexAttribArray(0);
    glDisableVertexAttribArray(1);
    gl_test_delete_program(p);
}

static void test_multi_draw_indirect(void **state)
{
    static const GLuint draws[2][5] = {{3, 1, 0, 0, 0}, {3, 1, 3, 0, 0}};
    GLuint vao, buffer;
    if (version < 3 || !has("GL_EXT_multi_draw_indirect"))
        skip();
    GLuint p = gl_test_program(
        "#version 310 es\n"
        "void main() { int i = gl_VertexID % 3;\n"
        "  float left = gl_VertexID < 3 ? -1.0 : 0.0;\n"
        "  gl_Position = vec4(left + float(i / 2) * 1.0, float(i % 2) * 4.0 - 1.0, 0, 1); }",
        "#version 310 es\nout lowp vec4 c; void main() { c = vec4(0, 1, 0, 1); }");
    glUseProgram(p);
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof draws, draws, GL_STATIC_DRAW);
    glClear(GL_COLOR_BUFFER_BIT);
    glMultiDrawArraysIndirectEXT(GL_TRIANGLES, NULL, 2, sizeof draws[0]);
    expect(1, 2, 0, 1, 0);
    expect(9, 2, 0, 1, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glMultiDrawArraysIndirectEXT(GL_TRIANGLES, NULL, 1, sizeof draws[0]);
    expect(1, 2, 0, 1, 0);
    expect(9, 2, 0, 0, 0);
    glMultiDrawArraysIndirectEXT(GL_TRIANGLES, NULL, 2, 3);
    expect_error(GL_INVALID_VALUE);
    glMultiDrawArraysIndirectEXT(GL_TRIANGLES, NULL, -1, 0);
    expect_error(GL_INVALID_VALUE);
    glMultiDrawElementsIndirectEXT(GL_TRIANGLES, GL_UNSIGNED_SHORT, NULL, 1, 0);
    expect_error(GL_INVALID_OPERATION); /* no index buffer */
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &vao);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
}

static void test_names(void **state)
{
    static const char *const names[] = {
        "GL_APPLE_sync",          "GL_EXT_instanced_arrays", "GL_EXT_sRGB",
        "GL_EXT_texture_storage", "GL_MESA_sampler_objects", "GL_NV_generate_mipmap_sRGB",
        "GL_NV_texture_barrier",
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!has(names[i]))
            fail_msg("%s is missing", names[i]);
    void (*barrier)(void) = core->get_proc_address("glTextureBarrierNV");
    assert_non_null(barrier);
    barrier();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),           cmocka_unit_test(test_srgb_image),
        cmocka_unit_test(test_srgb_errors),     cmocka_unit_test(test_srgb_renderbuffer),
        cmocka_unit_test(test_storage_formats), cmocka_unit_test(test_storage_compression),
        cmocka_unit_test(test_sampler_objects), cmocka_unit_test(test_sync),
        cmocka_unit_test(test_instances),       cmocka_unit_test(test_multi_draw_indirect),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
