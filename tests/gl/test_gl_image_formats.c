/* SPDX-License-Identifier: MIT */
/* Image units that reinterpret the texels of their texture: every pair of formats with texels of
 * one size (GL 4.6 table 8.35), every target, loads, stores and atomic operations. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"
#include "util/macros.h"

enum { SIZE = 16, TEXELS = 4 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Table 8.35. kind: prefix of the image type: none, u or i. */
static const struct format {
    GLenum internal;
    const char *qualifier, *kind;
    unsigned bytes;
    GLenum format, type;
} formats[] = {
    {GL_RGBA32F, "rgba32f", "", 16, GL_RGBA, GL_FLOAT},
    {GL_RGBA16F, "rgba16f", "", 8, GL_RGBA, GL_HALF_FLOAT},
    {GL_RG32F, "rg32f", "", 8, GL_RG, GL_FLOAT},
    {GL_RG16F, "rg16f", "", 4, GL_RG, GL_HALF_FLOAT},
    {GL_R11F_G11F_B10F, "r11f_g11f_b10f", "", 4, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV},
    {GL_R32F, "r32f", "", 4, GL_RED, GL_FLOAT},
    {GL_R16F, "r16f", "", 2, GL_RED, GL_HALF_FLOAT},
    {GL_RGBA32UI, "rgba32ui", "u", 16, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
    {GL_RGBA16UI, "rgba16ui", "u", 8, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT},
    {GL_RGB10_A2UI, "rgb10_a2ui", "u", 4, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV},
    {GL_RGBA8UI, "rgba8ui", "u", 4, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE},
    {GL_RG32UI, "rg32ui", "u", 8, GL_RG_INTEGER, GL_UNSIGNED_INT},
    {GL_RG16UI, "rg16ui", "u", 4, GL_RG_INTEGER, GL_UNSIGNED_SHORT},
    {GL_RG8UI, "rg8ui", "u", 2, GL_RG_INTEGER, GL_UNSIGNED_BYTE},
    {GL_R32UI, "r32ui", "u", 4, GL_RED_INTEGER, GL_UNSIGNED_INT},
    {GL_R16UI, "r16ui", "u", 2, GL_RED_INTEGER, GL_UNSIGNED_SHORT},
    {GL_R8UI, "r8ui", "u", 1, GL_RED_INTEGER, GL_UNSIGNED_BYTE},
    {GL_RGBA32I, "rgba32i", "i", 16, GL_RGBA_INTEGER, GL_INT},
    {GL_RGBA16I, "rgba16i", "i", 8, GL_RGBA_INTEGER, GL_SHORT},
    {GL_RGBA8I, "rgba8i", "i", 4, GL_RGBA_INTEGER, GL_BYTE},
    {GL_RG32I, "rg32i", "i", 8, GL_RG_INTEGER, GL_INT},
    {GL_RG16I, "rg16i", "i", 4, GL_RG_INTEGER, GL_SHORT},
    {GL_RG8I, "rg8i", "i", 2, GL_RG_INTEGER, GL_BYTE},
    {GL_R32I, "r32i", "i", 4, GL_RED_INTEGER, GL_INT},
    {GL_R16I, "r16i", "i", 2, GL_RED_INTEGER, GL_SHORT},
    {GL_R8I, "r8i", "i", 1, GL_RED_INTEGER, GL_BYTE},
    {GL_RGBA16, "rgba16", "", 8, GL_RGBA, GL_UNSIGNED_SHORT},
    {GL_RGB10_A2, "rgb10_a2", "", 4, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV},
    {GL_RGBA8, "rgba8", "", 4, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_RG16, "rg16", "", 4, GL_RG, GL_UNSIGNED_SHORT},
    {GL_RG8, "rg8", "", 2, GL_RG, GL_UNSIGNED_BYTE},
    {GL_R16, "r16", "", 2, GL_RED, GL_UNSIGNED_SHORT},
    {GL_R8, "r8", "", 1, GL_RED, GL_UNSIGNED_BYTE},
    {GL_RGBA16_SNORM, "rgba16_snorm", "", 8, GL_RGBA, GL_SHORT},
    {GL_RGBA8_SNORM, "rgba8_snorm", "", 4, GL_RGBA, GL_BYTE},
    {GL_RG16_SNORM, "rg16_snorm", "", 4, GL_RG, GL_SHORT},
    {GL_RG8_SNORM, "rg8_snorm", "", 2, GL_RG, GL_BYTE},
    {GL_R16_SNORM, "r16_snorm", "", 2, GL_RED, GL_SHORT},
    {GL_R8_SNORM, "r8_snorm", "", 1, GL_RED, GL_BYTE},
};

/* Texels that each format represents: no byte or short is the smallest signed one, no float is Inf
 * or NaN. */
static const uint32_t texels[TEXELS * 4] = {
    0x11223344, 0x0a1b2c3d, 0xa5312713, 0x33c19f21, 0x42819161, 0x91a2b3c4, 0x21017301, 0x05b6a798,
    0x3a6b2c1d, 0x4e5f6071, 0xb2936415, 0x19283746, 0x55667738, 0x99aa3bcc, 0x01234567, 0x29ab4def,
};

static GLuint result; /* storage buffer of values: 4 words per texel */

static GLuint compute(const char *image, const struct format *f, const char *body)
{
    char text[1000];
    GLuint p = glCreateProgram();
    snprintf(text, sizeof text,
             "#version 450\nlayout(local_size_x = %u) in;\n"
             "layout(binding = 0, %s) uniform %s%s image;\n"
             "layout(binding = 0, std430) buffer Values { %svec4 value[]; };\n"
             "void main() { int i = int(gl_LocalInvocationID.x); %s }\n",
             TEXELS, f->qualifier, f->kind, image, f->kind, body);
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_link(p);
    return p;
}

static void dispatch(GLuint program)
{
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static const struct format *find(GLenum internal)
{
    unsigned i = 0;
    while (formats[i].internal != internal)
        i++;
    return &formats[i];
}

/* Creates a row of TEXELS texels with those bytes, bound. NULL: zeros. */
static GLuint make_row(const struct format *f, const void *bytes)
{
    static const uint32_t zeros[TEXELS * 4];
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 1, f->internal, TEXELS, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, TEXELS, 1, f->format, f->type, bytes ? bytes : zeros);
    return t;
}

static void read_values(void *values)
{
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, TEXELS * 16, values);
}

/* Checks that texels of format `of` are loaded and stored as those of format `as` with the same
 * bytes. */
static void check_pair(const struct format *as, const struct format *of, GLuint load, GLuint store)
{
    uint32_t want[TEXELS * 4], got[TEXELS * 4];
    GLuint original = make_row(as, texels), loaded = make_row(of, texels), stored = make_row(of, 0);

    glBindImageTexture(0, original, 0, false, 0, GL_READ_ONLY, as->internal);
    dispatch(load);
    read_values(want);
    glBindImageTexture(0, loaded, 0, false, 0, GL_READ_ONLY, as->internal);
    dispatch(load);
    read_values(got);
    if (memcmp(want, got, sizeof want))
        fail_msg("load of %s as %s: %08x, not %08x", of->qualifier, as->qualifier, got[0], want[0]);
    glBindImageTexture(0, stored, 0, false, 0, GL_WRITE_ONLY, as->internal);
    dispatch(store);
    glBindTexture(GL_TEXTURE_2D, stored);
    glGetTexImage(GL_TEXTURE_2D, 0, of->format, of->type, got);
    if (memcmp(texels, got, TEXELS * of->bytes))
        fail_msg("store to %s as %s: %08x, not %08x", of->qualifier, as->qualifier, got[0],
                 texels[0]);
    glDeleteTextures(3, (GLuint[]){original, loaded, stored});
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_pairs(void **state)
{
    for (unsigned a = 0; a < ARRAY_SIZE(formats); a++) {
        GLuint load = compute("image2D", &formats[a], "value[i] = imageLoad(image, ivec2(i, 0));");
        GLuint store = compute("image2D", &formats[a], "imageStore(image, ivec2(i, 0), value[i]);");
        for (unsigned b = 0; b < ARRAY_SIZE(formats); b++)
            if (formats[a].bytes == formats[b].bytes)
                check_pair(&formats[a], &formats[b], load, store);
        glUseProgram(0);
        glDeleteProgram(load);
        glDeleteProgram(store);
    }
}

/* Checks that formats with texels of different sizes can't be accessed. */
static void test_sizes(void **state)
{
    const struct format *as = find(GL_R32UI);
    GLuint load = compute("image2D", as, "value[i] = imageLoad(image, ivec2(i, 0));");
    static const uint32_t zeros[TEXELS * 4];
    uint32_t got[TEXELS * 4];

    for (unsigned b = 0; b < ARRAY_SIZE(formats); b++)
        if (formats[b].bytes != as->bytes) {
            GLuint t = make_row(&formats[b], texels);
            glBindImageTexture(0, t, 0, false, 0, GL_READ_ONLY, as->internal);
            dispatch(load);
            read_values(got);
            assert_memory_equal(got, zeros, sizeof got);
            glDeleteTextures(1, &t);
        }
    glUseProgram(0);
    glDeleteProgram(load);
}

/* Checks atomic operations on the words of texels of any 4-byte format. */
static void test_atomics(void **state)
{
    static const GLenum as[] = {GL_R32UI, GL_R32I};
    uint32_t got[TEXELS * 4];

    for (unsigned a = 0; a < ARRAY_SIZE(as); a++) {
        GLuint add = compute("image2D", find(as[a]),
                             a ? "imageAtomicAdd(image, ivec2(i, 0), 2);"
                               : "imageAtomicAdd(image, ivec2(i, 0), 2u);");
        for (unsigned b = 0; b < ARRAY_SIZE(formats); b++) {
            if (formats[b].bytes != 4)
                continue;
            GLuint t = make_row(&formats[b], texels);
            glBindImageTexture(0, t, 0, false, 0, GL_READ_WRITE, as[a]);
            dispatch(add);
            glGetTexImage(GL_TEXTURE_2D, 0, formats[b].format, formats[b].type, got);
            for (unsigned i = 0; i < TEXELS; i++)
                if (got[i] != texels[i] + 2)
                    fail_msg("atomic on %s: %08x, not %08x", formats[b].qualifier, got[i],
                             texels[i] + 2);
            glDeleteTextures(1, &t);
        }
        glUseProgram(0);
        glDeleteProgram(add);
    }
}

/* Creates a texture of the target with RGBA8 texels whose last layer or slice has the bytes of
 * `texels` in its first row. */
static GLuint make_target(GLenum target)
{
    static uint32_t all[6][TEXELS][TEXELS];
    GLuint t;
    memcpy(all[5][0], texels, sizeof all[5][0]);
    glGenTextures(1, &t);
    glBindTexture(target, t);
    switch (target) {
    case GL_TEXTURE_1D:
        glTexStorage1D(target, 1, GL_RGBA8, TEXELS);
        glTexSubImage1D(target, 0, 0, TEXELS, GL_RGBA, GL_UNSIGNED_BYTE, all[5]);
        break;
    case GL_TEXTURE_1D_ARRAY:
        glTexStorage2D(target, 1, GL_RGBA8, TEXELS, 6);
        glTexSubImage2D(target, 0, 0, 5, TEXELS, 1, GL_RGBA, GL_UNSIGNED_BYTE, all[5]);
        break;
    case GL_TEXTURE_2D:
    case GL_TEXTURE_RECTANGLE:
    case GL_TEXTURE_CUBE_MAP:
        glTexStorage2D(target, 1, GL_RGBA8, TEXELS, TEXELS);
        glTexSubImage2D(target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_NEGATIVE_Z : target, 0,
                        0, 0, TEXELS, TEXELS, GL_RGBA, GL_UNSIGNED_BYTE, all[5]);
        break;
    default:
        glTexStorage3D(target, 1, GL_RGBA8, TEXELS, TEXELS, 6);
        glTexSubImage3D(target, 0, 0, 0, 0, TEXELS, TEXELS, 6, GL_RGBA, GL_UNSIGNED_BYTE, all);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return t;
}

static void expect_loaded(GLuint texture, bool layered, GLint layer, const char *image,
                          const char *at)
{
    char body[200];
    uint32_t got[TEXELS * 4];
    snprintf(body, sizeof body, "value[i] = imageLoad(image, %s);", at);
    GLuint load = compute(image, find(GL_R32UI), body);
    glBindImageTexture(0, texture, 0, layered, layer, GL_READ_ONLY, GL_R32UI);
    dispatch(load);
    read_values(got);
    for (unsigned i = 0; i < TEXELS; i++)
        if (got[4 * i] != texels[i])
            fail_msg("%s, layered %d: %08x, not %08x", image, layered, got[4 * i], texels[i]);
    glUseProgram(0);
    glDeleteProgram(load);
}

/* Checks each target, and single layers as images with and without layers. */
static void test_targets(void **state)
{
    static const struct {
        GLenum target;
        const char *image, *at;
        const char *layer, *at_layer; /* type and coordinates of a single layer */
        const char *at_only;          /* coordinates of a single layer with the type of all */
    } targets[] = {
        {GL_TEXTURE_1D, "image1D", "i", NULL, NULL, NULL},
        {GL_TEXTURE_2D, "image2D", "ivec2(i, 0)", NULL, NULL, NULL},
        {GL_TEXTURE_RECTANGLE, "image2DRect", "ivec2(i, 0)", NULL, NULL, NULL},
        {GL_TEXTURE_1D_ARRAY, "image1DArray", "ivec2(i, 5)", "image1D", "i", "ivec2(i, 0)"},
        {GL_TEXTURE_3D, "image3D", "ivec3(i, 0, 5)", "image2D", "ivec2(i, 0)", "ivec3(i, 0, 0)"},
        {GL_TEXTURE_CUBE_MAP, "imageCube", "ivec3(i, 0, 5)", "image2D", "ivec2(i, 0)",
         "ivec3(i, 0, 0)"},
        {GL_TEXTURE_2D_ARRAY, "image2DArray", "ivec3(i, 0, 5)", "image2D", "ivec2(i, 0)",
         "ivec3(i, 0, 0)"},
        {GL_TEXTURE_CUBE_MAP_ARRAY, "imageCubeArray", "ivec3(i, 0, 5)", "image2D", "ivec2(i, 0)",
         "ivec3(i, 0, 0)"},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
        GLuint t = make_target(targets[i].target);
        expect_loaded(t, true, 0, targets[i].image, targets[i].at);
        if (targets[i].layer) {
            expect_loaded(t, false, 5, targets[i].layer, targets[i].at_layer);
            /* a mismatch with undefined results, which applications rely on nevertheless */
            expect_loaded(t, false, 5, targets[i].image, targets[i].at_only);
        }
        glDeleteTextures(1, &t);
    }
}

static void test_buffers(void **state)
{
    GLuint buffer, t;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glBufferData(GL_TEXTURE_BUFFER, sizeof texels, texels, GL_STATIC_DRAW);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_BUFFER, t);
    for (unsigned b = 0; b < ARRAY_SIZE(formats); b++) {
        /* table 8.18: buffer textures have neither signed normalized nor packed formats */
        glTexBuffer(GL_TEXTURE_BUFFER, formats[b].internal, buffer);
        if (glGetError() == GL_NO_ERROR && formats[b].bytes == 4)
            expect_loaded(t, false, 0, "imageBuffer", "i");
    }
    glDeleteTextures(1, &t);
    glDeleteBuffers(1, &buffer);
}

/* Checks textures that were uploaded with blue first, which is how they may be stored: before and
 * after the binding, with several levels, and with the formats that keep the order. */
static void test_blue_first(void **state)
{
    uint32_t swapped[TEXELS];
    uint8_t got[TEXELS * 4];
    GLuint t;
    for (unsigned i = 0; i < TEXELS; i++)
        swapped[i] = (texels[i] & 0xff00ff00) | (texels[i] & 0xff) << 16 | (texels[i] >> 16 & 0xff);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    for (unsigned round = 0; round < 2; round++) { /* the second one respecifies the image */
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXELS, 1, 0, GL_BGRA, GL_UNSIGNED_BYTE, swapped);
        glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 2, 1, 0, GL_BGRA, GL_UNSIGNED_BYTE, swapped);
        expect_loaded(t, false, 0, "image2D", "ivec2(i, 0)");
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
        assert_memory_equal(got, texels, sizeof got);
        glGetTexImage(GL_TEXTURE_2D, 1, GL_BGRA, GL_UNSIGNED_BYTE, got);
        assert_memory_equal(got, swapped, 8);
    }
    GLuint load = compute("image2D", find(GL_RGBA8), "value[i] = imageLoad(image, ivec2(i, 0));");
    GLfloat value[TEXELS][4];
    glBindImageTexture(0, t, 0, false, 0, GL_READ_ONLY, GL_RGBA8);
    dispatch(load);
    read_values(value);
    assert_float_equal(value[0][0] * 255, (texels[0] & 0xff), 0.01);
    assert_float_equal(value[0][2] * 255, (texels[0] >> 16 & 0xff), 0.01);
    glUseProgram(0);
    glDeleteProgram(load);
    glDeleteTextures(1, &t);
}

/* Checks that imageSamples and imageSize describe the layers that are bound. */
static void test_queries(void **state)
{
    const struct format *f = find(GL_RGBA8I);
    GLint got[TEXELS * 4];
    GLuint t, p;
    GLint most;
    glGetIntegerv(GL_MAX_IMAGE_SAMPLES, &most);
    if (most < 4) /* no multisampled images */
        skip();
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, t);
    glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 4, GL_RGBA8I, 8, 4, 3, GL_TRUE);
    p = compute("image2DMSArray", f, "value[i] = ivec4(imageSize(image), imageSamples(image));");
    for (unsigned layered = 0; layered < 2; layered++) {
        glBindImageTexture(0, t, 0, layered, 1, GL_READ_ONLY, GL_RGBA8I);
        dispatch(p);
        read_values(got);
        assert_int_equal(got[0], 8);
        assert_int_equal(got[1], 4);
        assert_int_equal(got[2], layered ? 3 : 1);
        assert_int_equal(got[3], 4);
    }
    glUseProgram(0);
    glDeleteProgram(p);
    glDeleteTextures(1, &t);
}

static int setup_buffer(void **state)
{
    if (setup(state))
        return -1;
    glGenBuffers(1, &result);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, result);
    glBufferData(GL_SHADER_STORAGE_BUFFER, TEXELS * 16, NULL, GL_DYNAMIC_COPY);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),   cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_atomics), cmocka_unit_test(test_targets),
        cmocka_unit_test(test_buffers), cmocka_unit_test(test_blue_first),
        cmocka_unit_test(test_queries),
    };
    return cmocka_run_group_tests(tests, setup_buffer, gl_test_teardown);
}
