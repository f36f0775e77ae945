/* SPDX-License-Identifier: MIT */
/* Texture views, stencil texturing, sRGB decode, cube map arrays, mirror clamp to edge, and
 * parameters of multisample textures. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 16

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static void nearest(GLenum target)
{
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

/* Creates an array of 8 by 8 texels with two levels, whose layers each have one color. */
static GLuint make_array(GLenum target, GLsizei layers)
{
    GLuint texture;
    uint8_t texels[8 * 8 * 4];
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexStorage3D(target, 2, GL_RGBA8, 8, 8, layers);
    for (GLint layer = 0; layer < layers; layer++)
        for (GLint level = 0; level < 2; level++) {
            for (unsigned i = 0; i < 8 * 8 * 4; i++)
                texels[i] = i % 4 == 3 ? 255 : i % 4 == 0 ? layer * 20 : level * 100;
            glTexSubImage3D(target, level, 0, 0, layer, 8 >> level, 8 >> level, 1, GL_RGBA,
                            GL_UNSIGNED_BYTE, texels);
        }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return texture;
}

static void draw(const char *declaration, const char *color)
{
    static const char vs[] = "#version 330 compatibility\n"
                             "out vec2 at;\n"
                             "void main() { gl_Position = gl_Vertex;\n"
                             "    at = gl_Vertex.xy * 0.5 + 0.5; }\n";
    char fs[1000];
    snprintf(fs, sizeof fs,
             "#version 330 compatibility\n"
             "#extension GL_ARB_texture_cube_map_array : enable\n"
             "%s in vec2 at; out vec4 color; void main() { color = %s; }\n",
             declaration, color);
    GLuint program = gl_test_program(vs, fs);
    glUseProgram(program);
    glRectf(-1, -1, 1, 1);
    gl_test_delete_program(program);
}

static void test_view(void **state)
{
    GLuint array = make_array(GL_TEXTURE_2D_ARRAY, 8), view[3];
    GLint v[4];
    uint32_t texel[4];
    glGenTextures(3, view);
    glTextureView(view[0], GL_TEXTURE_2D, array, GL_RGBA8, 1, 1, 5, 1);
    glBindTexture(GL_TEXTURE_2D, view[0]);
    nearest(GL_TEXTURE_2D);
    draw("uniform sampler2D t;", "texture(t, at)");
    expect(3, 3, 100 / 255.0f, 100 / 255.0f, 100 / 255.0f);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    (const uint8_t[]){1, 2, 3, 4});

    /* A view of a view, in another format of its class. */
    glTextureView(view[1], GL_TEXTURE_2D_ARRAY, array, GL_R32UI, 0, 9, 4, 9);
    glTextureView(view[2], GL_TEXTURE_2D, view[1], GL_R32UI, 1, 1, 1, 1);
    glBindTexture(GL_TEXTURE_2D, view[2]);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_VIEW_MIN_LEVEL, &v[0]);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_VIEW_NUM_LEVELS, &v[1]);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_VIEW_MIN_LAYER, &v[2]);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_VIEW_NUM_LAYERS, &v[3]);
    assert_int_equal(v[0], 1);
    assert_int_equal(v[1], 1);
    assert_int_equal(v[2], 5);
    assert_int_equal(v[3], 1);
    glGetTextureSubImage(view[2], 0, 0, 0, 0, 2, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, 8, texel);
    assert_int_equal(texel[0], 0x04030201);
    assert_int_equal(texel[1], 0xff646464);

    /* Drawing into a view changes the original, which outlives its name. */
    GLuint fbo;
    glDeleteTextures(1, &array);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view[0], 0);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glGetTextureSubImage(view[1], 1, 0, 0, 1, 1, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, texel);
    assert_int_equal(texel[0], 0xff00ff00);
    glDeleteTextures(3, view);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void expect_view_error(GLenum error, GLuint texture, GLenum target, GLuint of,
                              GLenum internal, GLuint level, GLuint levels, GLuint layer,
                              GLuint layers)
{
    glTextureView(texture, target, of, internal, level, levels, layer, layers);
    assert_int_equal(glGetError(), error);
}

static void test_view_errors(void **state)
{
    GLuint array = make_array(GL_TEXTURE_2D_ARRAY, 8), mutable, view;
    glGenTextures(1, &mutable);
    glBindTexture(GL_TEXTURE_2D, mutable);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenTextures(1, &view);
#define ERROR(error, ...) expect_view_error(GL_##error, __VA_ARGS__)
    ERROR(INVALID_VALUE, 0, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 1);
    ERROR(INVALID_VALUE, view, GL_TEXTURE_2D, 0, GL_RGBA8, 0, 1, 0, 1);
    ERROR(INVALID_OPERATION, view, GL_TEXTURE_2D, mutable, GL_RGBA8, 0, 1, 0, 1);
    ERROR(INVALID_OPERATION, mutable, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 1);
    ERROR(INVALID_OPERATION, view, GL_TEXTURE_3D, array, GL_RGBA8, 0, 1, 0, 1);
    ERROR(INVALID_OPERATION, view, GL_TEXTURE_2D, array, GL_RGBA16, 0, 1, 0, 1);
    ERROR(INVALID_OPERATION, view, GL_TEXTURE_2D, array, GL_RGBA4, 0, 1, 0, 1);
    ERROR(INVALID_VALUE, view, GL_TEXTURE_2D, array, GL_RGBA8, 2, 1, 0, 1);
    ERROR(INVALID_VALUE, view, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 8, 1);
    ERROR(INVALID_OPERATION, view, GL_TEXTURE_2D, array, GL_RGBA8, 0, 0, 0, 1);
    ERROR(INVALID_OPERATION, view, GL_TEXTURE_2D_ARRAY, array, GL_RGBA8, 0, 1, 0, 0);
    ERROR(INVALID_VALUE, view, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 0, 2);
    ERROR(INVALID_VALUE, view, GL_TEXTURE_2D, array, GL_RGBA8, 0, 1, 7, 2); /* before clamping */
    ERROR(INVALID_VALUE, view, GL_TEXTURE_CUBE_MAP, array, GL_RGBA8, 0, 1, 3, 6);
    ERROR(NO_ERROR, view, GL_TEXTURE_CUBE_MAP, array, GL_RGBA8, 0, 2, 2, 6);
#undef ERROR
    glDeleteTextures(3, (const GLuint[]){array, mutable, view});
}

/* Checks both aspects of a packed depth-stencil texture, and stencil alone. */
static void test_stencil(void **state)
{
    static const uint32_t packed[4] = {0x00000011, 0xffffff22, 0x80000033, 0xffffff44};
    GLuint texture;
    uint8_t back[4];
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, 2, 2, 0, GL_DEPTH_STENCIL,
                 GL_UNSIGNED_INT_24_8, packed);
    nearest(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_RED);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    draw("uniform sampler2D t;", "vec4(texture(t, at).r, 0, 0, 1)");
    expect(12, 3, 1, 0, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    draw("uniform usampler2D t;", "vec4(texture(t, at).r) / 255.0");
    expect(3, 3, 0x11 / 255.0f, 0x11 / 255.0f, 0x11 / 255.0f);
    expect(12, 12, 0x44 / 255.0f, 0x44 / 255.0f, 0x44 / 255.0f);

    glTexImage2D(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX8, 4, 1, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
                 (const uint8_t[]){1, 50, 100, 200});
    draw("uniform usampler2D t;", "vec4(texture(t, at).r) / 255.0");
    expect(14, 3, 200 / 255.0f, 200 / 255.0f, 200 / 255.0f);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, back);
    assert_int_equal(back[1], 50);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX8, 4, 1, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_STENCIL_INDEX8, 4, 4, 4);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
}

static void test_srgb_decode(void **state)
{
    GLuint texture;
    GLint mode;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 (const uint8_t[]){128, 128, 128, 255});
    nearest(GL_TEXTURE_2D);
    draw("uniform sampler2D t;", "texture(t, at)");
    expect(3, 3, 55 / 255.0f, 55 / 255.0f, 55 / 255.0f);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, &mode);
    assert_int_equal(mode, GL_SKIP_DECODE_EXT);
    draw("uniform sampler2D t;", "texture(t, at)");
    expect(3, 3, 128 / 255.0f, 128 / 255.0f, 128 / 255.0f);
    glDeleteTextures(1, &texture);
}

static void test_cube_array(void **state)
{
    GLuint array = make_array(GL_TEXTURE_CUBE_MAP_ARRAY, 12), bad;
    nearest(GL_TEXTURE_CUBE_MAP_ARRAY);
    draw("uniform samplerCubeArray t;", "texture(t, vec4(0, -1, 0, 1))"); /* layer-face 9 */
    expect(3, 3, 180 / 255.0f, 0, 0);
    draw("uniform samplerCubeArray t;", "vec4(textureSize(t, 0), 0) / 255.0");
    expect(3, 3, 8 / 255.0f, 8 / 255.0f, 2 / 255.0f);
    glGenTextures(1, &bad);
    glBindTexture(GL_TEXTURE_CUBE_MAP_ARRAY, bad);
    glTexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 1, GL_RGBA8, 8, 8, 8);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 8, 4, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDeleteTextures(2, (const GLuint[]){array, bad});
}

/* Samples coordinates from -2 to 2 over four texels: mirrored once, then clamped to the last
 * texel. */
static void test_mirror_clamp(void **state)
{
    static const uint8_t texels[4][4] = {
        {0, 0, 0, 255}, {80, 0, 0, 255}, {160, 0, 0, 255}, {240, 0, 0, 255}};
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    nearest(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_MIRROR_CLAMP_TO_EDGE);
    draw("uniform sampler2D t;", "texture(t, vec2(at.x * 4.0 - 2.0, 0.5))");
    expect(0, 3, 240 / 255.0f, 0, 0);
    expect(5, 3, 160 / 255.0f, 0, 0);
    expect(8, 3, 0, 0, 0);
    expect(9, 3, 80 / 255.0f, 0, 0);
    expect(15, 3, 240 / 255.0f, 0, 0);
    glDeleteTextures(1, &texture);
}

static void test_clear_samples(void **state)
{
    static const float red[4] = {1, 0, 0, 1};
    static const uint8_t green[4] = {0, 255, 0, 255};
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, texture);
    glTexImage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 4, GL_RGBA8, SIZE, SIZE, 2, GL_TRUE);
    glClearTexImage(texture, 0, GL_RGBA, GL_FLOAT, red);
    glClearTexSubImage(texture, 0, 0, 0, 1, 8, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    for (int sample = 0; sample < 4; sample++) {
        char color[100];
        snprintf(color, sizeof color, "texelFetch(t, ivec3(gl_FragCoord.xy, 1), %d)", sample);
        draw("uniform sampler2DMSArray t;", color);
        expect(3, 3, 0, 1, 0);
        expect(12, 3, 1, 0, 0);
    }
    draw("uniform sampler2DMSArray t;", "texelFetch(t, ivec3(gl_FragCoord.xy, 0), 3)");
    expect(3, 3, 1, 0, 0);
    glDeleteTextures(1, &texture);
}

/* A view decodes compressed blocks by its own format, when sampled and when read. */
static void test_compressed_view(void **state)
{
    static const struct {
        GLenum unsigned_format, signed_format;
        GLsizei size;
        float unsigned_value, signed_value; /* red component of the block */
    } classes[] = {
        {GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_SIGNED_RED_RGTC1, 8, 64 / 255.0f, 64 / 127.0f},
        {GL_COMPRESSED_RG_RGTC2, GL_COMPRESSED_SIGNED_RG_RGTC2, 16, 64 / 255.0f, 64 / 127.0f},
    };
    static const uint8_t block[16] = {64, 64, 0, 0, 0, 0, 0, 0, 64, 64};
    for (unsigned i = 0; i < 2 * sizeof classes / sizeof classes[0]; i++) {
        const GLenum formats[2] = {classes[i / 2].unsigned_format, classes[i / 2].signed_format};
        const float values[2] = {classes[i / 2].unsigned_value, classes[i / 2].signed_value};
        GLuint textures[2];
        float texel[4 * 4];
        glGenTextures(2, textures);
        glBindTexture(GL_TEXTURE_2D, textures[0]);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[i % 2], 4, 4);
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, formats[i % 2], classes[i / 2].size,
                                  block);
        glTextureView(textures[1], GL_TEXTURE_2D, textures[0], formats[1 - i % 2], 0, 1, 0, 1);
        for (unsigned k = 0; k < 2; k++) {
            const float value = values[k ? 1 - i % 2 : i % 2];
            glBindTexture(GL_TEXTURE_2D, textures[k]);
            nearest(GL_TEXTURE_2D);
            glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, texel);
            assert_float_equal(texel[5], value, 1e-6f);
            draw("uniform sampler2D t;", "vec4(texture(t, at).rrr, 1)");
            expect(3, 3, value, value, value);
        }
        glDeleteTextures(2, textures);
    }
}

/* Checks that every way to set sampling parameters of multisample textures raises its error. */
static void test_parameters(void **state)
{
    GLuint texture, pipeline;
    GLsizei length = 0;
    char label[8];
    glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE, 1, &texture);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexParameteri(GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDeleteTextures(1, &texture);

    glCreateProgramPipelines(1, &pipeline);
    glObjectLabel(GL_PROGRAM_PIPELINE, pipeline, -1, "lines");
    glGetObjectLabel(GL_PROGRAM_PIPELINE, pipeline, sizeof label, &length, label);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(length, 5);
    assert_string_equal(label, "lines");
    glDeleteProgramPipelines(1, &pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_view_errors),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_srgb_decode),
        cmocka_unit_test(test_cube_array),
        cmocka_unit_test(test_mirror_clamp),
        cmocka_unit_test(test_clear_samples),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_compressed_view),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
