/* SPDX-License-Identifier: MIT */
/* Format queries by glGetInternalformat* (GL 4.6 §22.3). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define MAX_FORMATS 128

static const struct gl_test_window window = {16, 16};

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static int setup_es(void **state)
{
    return gl_test_setup(state, GL_API_ES2, &window);
}

/* Returns the answer, on which both commands must agree. */
static GLint64 ask(GLenum target, GLenum format, GLenum pname)
{
    GLint v = -7;
    GLint64 w = -7;
    glGetInternalformativ(target, format, pname, 1, &v);
    glGetInternalformati64v(target, format, pname, 1, &w);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(v, w > INT32_MAX ? INT32_MAX : w);
    return w;
}

static void test_answers(void **state)
{
    static const struct {
        GLenum target, format, pname;
        GLint64 want;
    } cases[] = {
        {GL_TEXTURE_2D, GL_RGBA8, GL_INTERNALFORMAT_SUPPORTED, GL_TRUE},
        {GL_TEXTURE_2D, GL_TRIANGLES, GL_INTERNALFORMAT_SUPPORTED, GL_FALSE},
        {GL_TEXTURE_2D, GL_LINE_LOOP, GL_INTERNALFORMAT_SUPPORTED, GL_FALSE},
        {GL_TEXTURE_3D, GL_DEPTH_COMPONENT24, GL_INTERNALFORMAT_SUPPORTED, GL_FALSE},
        {GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, GL_DEPTH_RENDERABLE, GL_TRUE},
        {GL_TEXTURE_BUFFER, GL_RGB32F, GL_INTERNALFORMAT_SUPPORTED, GL_TRUE},
        {GL_TEXTURE_BUFFER, GL_RGB8, GL_INTERNALFORMAT_SUPPORTED, GL_FALSE},
        {GL_TEXTURE_BUFFER, GL_RGBA8, GL_FILTER, GL_NONE},
        {GL_TEXTURE_BUFFER, GL_RGBA8, GL_CLEAR_BUFFER, GL_FULL_SUPPORT},
        {GL_TEXTURE_2D, GL_RG16, GL_INTERNALFORMAT_GREEN_SIZE, 16},
        {GL_TEXTURE_2D, GL_RG16, GL_INTERNALFORMAT_BLUE_SIZE, 0},
        {GL_TEXTURE_2D, GL_R8_SNORM, GL_INTERNALFORMAT_RED_TYPE, GL_SIGNED_NORMALIZED},
        {GL_TEXTURE_2D, GL_RGBA16I, GL_INTERNALFORMAT_ALPHA_TYPE, GL_INT},
        {GL_TEXTURE_2D, GL_DEPTH24_STENCIL8, GL_INTERNALFORMAT_STENCIL_TYPE, GL_UNSIGNED_INT},
        {GL_TEXTURE_2D, GL_RGB9_E5, GL_INTERNALFORMAT_SHARED_SIZE, 5},
        {GL_TEXTURE_2D, GL_RGBA16I, GL_FILTER, GL_NONE},
        {GL_TEXTURE_2D, GL_RGBA16F, GL_FILTER, GL_FULL_SUPPORT},
        {GL_TEXTURE_2D, GL_RGBA16I, GL_FRAMEBUFFER_BLEND, GL_NONE},
        {GL_TEXTURE_2D, GL_SRGB8_ALPHA8, GL_COLOR_ENCODING, GL_SRGB},
        {GL_TEXTURE_2D, GL_RGBA8, GL_COLOR_ENCODING, GL_LINEAR},
        {GL_TEXTURE_2D, GL_DEPTH_COMPONENT16, GL_COLOR_ENCODING, GL_NONE},
        {GL_TEXTURE_2D, GL_DEPTH_COMPONENT16, GL_TEXTURE_SHADOW, GL_FULL_SUPPORT},
        {GL_TEXTURE_2D, GL_R32UI, GL_SHADER_IMAGE_ATOMIC, GL_FULL_SUPPORT},
        {GL_TEXTURE_2D, GL_RGBA8, GL_SHADER_IMAGE_ATOMIC, GL_NONE},
        {GL_TEXTURE_2D, GL_RG16F, GL_IMAGE_TEXEL_SIZE, 32},
        {GL_TEXTURE_2D, GL_RGB10_A2, GL_IMAGE_COMPATIBILITY_CLASS, GL_IMAGE_CLASS_10_10_10_2},
        {GL_RENDERBUFFER, GL_RG16F, GL_IMAGE_TEXEL_SIZE, 0},
        {GL_TEXTURE_2D, GL_RG16F, GL_VIEW_COMPATIBILITY_CLASS, GL_VIEW_CLASS_32_BITS},
        {GL_TEXTURE_2D, GL_COMPRESSED_RED_RGTC1, GL_TEXTURE_COMPRESSED_BLOCK_SIZE, 8},
        {GL_TEXTURE_2D, GL_COMPRESSED_RED_RGTC1, GL_TEXTURE_COMPRESSED_BLOCK_WIDTH, 4},
        {GL_TEXTURE_2D, GL_COMPRESSED_RED_RGTC1, GL_COLOR_RENDERABLE, GL_FALSE},
        {GL_TEXTURE_1D, GL_COMPRESSED_RED_RGTC1, GL_TEXTURE_COMPRESSED, GL_FALSE},
        {GL_TEXTURE_2D, GL_RGBA8, GL_MAX_DEPTH, 0},
        {GL_TEXTURE_2D, GL_RGBA8, GL_NUM_SAMPLE_COUNTS, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLint64 got = ask(cases[i].target, cases[i].format, cases[i].pname);
        if (got != cases[i].want)
            fail_msg("case %u: 0x%llx instead of 0x%llx", i, (long long)got,
                     (long long)cases[i].want);
    }
}

static void test_sizes(void **state)
{
    GLint size, layers, samples;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    assert_int_equal(ask(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_MAX_HEIGHT), size);
    assert_int_equal(ask(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_MAX_LAYERS), layers);
    assert_int_equal(ask(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_RGBA8, GL_MAX_COMBINED_DIMENSIONS),
                     (GLint64)size * size * layers * samples);
    assert_int_equal(ask(GL_TEXTURE_2D_MULTISAMPLE, GL_RGBA8, GL_SAMPLES), samples);
}

static void test_errors(void **state)
{
    GLint v[2] = {-7, -7};
    glGetInternalformativ(GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_RGBA8, GL_FILTER, 1, v);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_TEXTURE_WIDTH, 1, v);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_FILTER, -1, v);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_FILTER, 0, v);
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_SAMPLES, 2, v);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(v[0], -7);
    glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_MAX_WIDTH, 2, v);
    assert_true(v[0] > 0);
    assert_int_equal(v[1], -7);
}

/* ARB_robust_buffer_access_behavior: vertices outside their buffer read zeros. */
static void test_vertices_outside(void **state)
{
    static const GLfloat corners[5][2] = {{0, 0}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const GLfloat red[3] = {1, 0, 0};
    static const GLuint near[] = {1, 2, 3, 4}, far[] = {1000000, 2, 0x7fffffff, 0xfffffff0};
    GLuint b[2];
    glGenBuffers(2, b);
    glBindBuffer(GL_ARRAY_BUFFER, b[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glBindBuffer(GL_ARRAY_BUFFER, b[1]);
    glBufferData(GL_ARRAY_BUFFER, sizeof red, red, GL_STATIC_DRAW);
    glColorPointer(3, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLE_FAN, 4, GL_UNSIGNED_INT, near);
    expect(3, 3, 0, 0, 0);
    expect(12, 12, 0, 0, 0);
    glDrawElements(GL_TRIANGLE_FAN, 4, GL_UNSIGNED_INT, far);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glFinish();
    glDeleteBuffers(2, b);
}

/* Lists GL_COMPRESSED_TEXTURE_FORMATS and returns their number. Checks that the query writes
 * exactly that many, each once. */
static unsigned list_compressed(GLint formats[MAX_FORMATS])
{
    GLint number = 0;
    memset(formats, 0, MAX_FORMATS * sizeof *formats);
    glGetIntegerv(GL_NUM_COMPRESSED_TEXTURE_FORMATS, &number);
    assert_in_range(number, 1, MAX_FORMATS - 1);
    glGetIntegerv(GL_COMPRESSED_TEXTURE_FORMATS, formats);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (GLint i = 0; i < number; i++) {
        assert_int_not_equal(formats[i], 0);
        for (GLint j = 0; j < i; j++)
            assert_int_not_equal(formats[j], formats[i]);
    }
    assert_int_equal(formats[number], 0);
    return (unsigned)number;
}

static bool listed(const GLint *formats, unsigned number, GLint format)
{
    while (number && formats[number - 1] != format)
        number--;
    return number;
}

static void test_compressed(void **state)
{
    GLint formats[MAX_FORMATS];
    unsigned number = list_compressed(formats);
    assert_true(listed(formats, number, GL_COMPRESSED_RGB_FXT1_3DFX));
    assert_true(listed(formats, number, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT));
    assert_true(listed(formats, number, GL_COMPRESSED_SIGNED_R11_EAC));
    assert_true(listed(formats, number, GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2));
    assert_false(listed(formats, number, GL_COMPRESSED_SRGB8_ETC2));
    /* not a general-purpose format */
    assert_false(listed(formats, number, GL_COMPRESSED_RG_RGTC2));
}

/* Checks that OpenGL ES lists all formats, more values than any other query returns. */
static void test_compressed_es(void **state)
{
    GLint formats[MAX_FORMATS];
    unsigned number = list_compressed(formats);
    assert_true(listed(formats, number, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC));
    assert_true(listed(formats, number, GL_COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR));
    print_message("%u compressed formats\n", number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_vertices_outside),
        cmocka_unit_test(test_compressed),
    };
    const struct CMUnitTest es_tests[] = {
        cmocka_unit_test(test_compressed_es),
    };
    int failed = cmocka_run_group_tests(tests, setup, gl_test_teardown);
    return failed + cmocka_run_group_tests(es_tests, setup_es, gl_test_teardown);
}
