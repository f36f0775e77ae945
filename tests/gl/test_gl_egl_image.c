/* SPDX-License-Identifier: MIT */
/* EGLImages: textures and renderbuffers of two contexts that share nothing else. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 16 };

static const struct gl_test_window window = {SIZE, SIZE};
static struct gl_context *other; /* in addition to the tests' own context */

static int setup(void **state)
{
    enum gl_create_error error;
    if (gl_test_setup(state, GL_API_COMPAT, &window))
        return -1;
    other = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &visual}, &error);
    return other ? 0 : -1;
}

static int teardown(void **state)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(other);
    return gl_test_teardown(state);
}

static void use(struct gl_context *ctx)
{
    glFinish();
    assert_true(core->make_current(ctx, drawable, drawable));
}

static struct gl_shared_image *make(struct gl_context *ctx, GLenum target, GLuint name, int z)
{
    enum gl_image_error error;
    struct gl_shared_image *image = core->image_create(ctx, target, name, 0, z, &error);
    assert_int_equal(!image, error != GL_IMAGE_OK);
    return image;
}

static GLuint filled_texture(GLenum target, const uint8_t color[3])
{
    uint8_t texels[8 * 8 * 4 * 4];
    GLuint name;
    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = i % 4 == 3 ? 255 : color[i % 4];
    glGenTextures(1, &name);
    glBindTexture(target, name);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (target == GL_TEXTURE_3D)
        glTexImage3D(target, 0, GL_RGBA8, 8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    for (unsigned f = 0; f < 6 && target == GL_TEXTURE_CUBE_MAP; f++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + f, 0, GL_RGBA8, 8, 8, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, texels);
    if (target == GL_TEXTURE_2D)
        glTexImage2D(target, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    return name;
}

/* Creates and binds a texture that shows the image. */
static GLuint sibling(struct gl_shared_image *image)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return name;
}

static void expect_texture(float r, float g, float b)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glBegin(GL_QUADS);
    for (unsigned i = 0; i < 4; i++) {
        float x = i == 1 || i == 2, y = i >= 2;
        glTexCoord2f(x, y);
        glVertex2f(x * 2 - 1, y * 2 - 1);
    }
    glEnd();
    glDisable(GL_TEXTURE_2D);
    expect(3, 12, r, g, b);
}

static void clear_texture(GLuint name, float r, float g, float b)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glClearColor(r, g, b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glClearColor(0, 0, 0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}

static const uint8_t red[3] = {255, 0, 0}, blue[3] = {0, 0, 255};

/* Checks that each context sees what the other draws, also after the source and the image are
 * gone. */
static void test_both_ways(void **state)
{
    GLuint source = filled_texture(GL_TEXTURE_2D, red);
    struct gl_shared_image *image = make(*state, GL_TEXTURE_2D, source, 0);
    use(other);
    GLuint shown = sibling(image);
    expect_texture(1, 0, 0);
    clear_texture(shown, 0, 1, 0);
    expect_texture(0, 1, 0);
    use(*state);
    expect_texture(0, 1, 0);
    clear_texture(source, 0, 1, 1);
    glDeleteTextures(1, &source);
    core->image_destroy(image);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION); /* the default texture has no name */
    use(other);
    expect_texture(0, 1, 1);
    /* Respecifying a sibling or generating its mipmap doesn't affect the others. */
    glGenerateMipmap(GL_TEXTURE_2D);
    expect_texture(0, 1, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    clear_texture(shown, 1, 1, 0);
    expect_texture(1, 1, 0);
    glDeleteTextures(1, &shown);
    use(*state);
}

static void test_parts(void **state)
{
    const uint8_t green[8 * 8 * 4] = {0, 255, 0, 255};
    GLuint cube = filled_texture(GL_TEXTURE_CUBE_MAP, red);
    GLuint volume = filled_texture(GL_TEXTURE_3D, blue);
    struct gl_shared_image *face = make(*state, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, cube, 0);
    struct gl_shared_image *slice = make(*state, GL_TEXTURE_3D, volume, 2);
    GLuint shown = sibling(face);
    expect_texture(1, 0, 0);
    clear_texture(shown, 1, 0, 1);
    expect_texture(1, 0, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    uint8_t texels[8 * 8 * 4];
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    glGetTexImage(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    assert_memory_equal(texels, ((uint8_t[]){0, 255, 0, 255, 255, 0, 255, 255}), 8);
    glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    assert_memory_equal(texels, ((uint8_t[]){255, 0, 0, 255}), 4);
    GLuint inside = sibling(slice);
    expect_texture(0, 0, 1);
    clear_texture(inside, 1, 1, 1);
    expect_texture(1, 1, 1);
    uint8_t all[8 * 8 * 4 * 4];
    glBindTexture(GL_TEXTURE_3D, volume);
    glGetTexImage(GL_TEXTURE_3D, 0, GL_RGBA, GL_UNSIGNED_BYTE, all);
    assert_int_equal(all[1 * 256], 0);
    assert_int_equal(all[2 * 256], 255);
    assert_int_equal(all[3 * 256], 0);
    core->image_destroy(face);
    core->image_destroy(slice);
    glDeleteTextures(4, (GLuint[]){cube, volume, shown, inside});
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_renderbuffers(void **state)
{
    GLuint source, shown, framebuffer, texture;
    glGenRenderbuffers(1, &source);
    glBindRenderbuffer(GL_RENDERBUFFER, source);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 8, 8);
    struct gl_shared_image *image = make(*state, GL_RENDERBUFFER, source, 0);
    texture = sibling(image);
    clear_texture(texture, 0, 0, 1);
    expect_texture(0, 0, 1);
    use(other);
    glGenRenderbuffers(1, &shown);
    glBindRenderbuffer(GL_RENDERBUFFER, shown);
    glEGLImageTargetRenderbufferStorageOES(GL_RENDERBUFFER, image);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, shown);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    expect(4, 4, 0, 0, 1);
    glEGLImageTargetRenderbufferStorageOES(GL_TEXTURE_2D, image);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    use(*state);
    core->image_destroy(image);
    glDeleteTextures(1, &texture);
    glDeleteRenderbuffers(1, &source);
}

static void test_storage(void **state)
{
    GLuint source = filled_texture(GL_TEXTURE_2D, blue), shown;
    struct gl_shared_image *image = make(*state, GL_TEXTURE_2D, source, 0);
    GLint immutable = 0;
    glGenTextures(1, &shown);
    glBindTexture(GL_TEXTURE_2D, shown);
    glEGLImageTargetTexStorageEXT(GL_TEXTURE_2D, image, (GLint[]){0x7777, 1, 0});
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glEGLImageTargetTexStorageEXT(GL_TEXTURE_3D, image, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEGLImageTargetTexStorageEXT(GL_TEXTURE_BUFFER, image, NULL);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glEGLImageTargetTexStorageEXT(GL_TEXTURE_2D, image, NULL);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT, &immutable);
    assert_true(immutable);
    expect_texture(0, 0, 1);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    core->image_destroy(image);
    glDeleteTextures(2, (GLuint[]){source, shown});
}

/* Errors for each level of a 4 × 2 texture with some levels (bit l of `levels`), by EGL 1.5 §3.9. */
static void test_levels(void **state)
{
    enum { OK = GL_IMAGE_OK, PARAMETER = GL_IMAGE_BAD_PARAMETER, MATCH = GL_IMAGE_BAD_MATCH };
    static const struct {
        unsigned levels;
        GLint base, max;
        int want[4]; /* enum gl_image_error */
    } cases[] = {
        {0, 0, 1000, {PARAMETER, PARAMETER, PARAMETER, PARAMETER}},
        {1, 0, 1000, {OK, PARAMETER, PARAMETER, PARAMETER}},
        {2, 0, 1000, {PARAMETER, PARAMETER, PARAMETER, PARAMETER}},
        {3, 0, 1000, {OK, PARAMETER, PARAMETER, PARAMETER}},
        {7, 0, 1000, {OK, OK, OK, MATCH}},
        {3, 0, 1, {OK, OK, MATCH, MATCH}},
        {7, 0, 1, {OK, OK, MATCH, MATCH}},
        {6, 1, 1000, {MATCH, OK, OK, MATCH}},
        {2, 1, 1000, {MATCH, PARAMETER, PARAMETER, PARAMETER}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLuint texture;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, cases[i].base);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, cases[i].max);
        for (int l = 0; l < 3; l++)
            if (cases[i].levels >> l & 1)
                glTexImage2D(GL_TEXTURE_2D, l, GL_RGBA8, 4 >> l, l ? 1 : 2, 0, GL_RGBA,
                             GL_UNSIGNED_BYTE, NULL);
        for (int l = 0; l < 4; l++) {
            enum gl_image_error error;
            struct gl_shared_image *image =
                core->image_create(*state, GL_TEXTURE_2D, texture, l, 0, &error);
            assert_int_equal(error, cases[i].want[l]);
            if (image)
                core->image_destroy(image);
        }
        glDeleteTextures(1, &texture);
    }
}

/* A cube map with a missing face. */
static void test_incomplete_cube(void **state)
{
    enum gl_image_error error;
    GLuint cube;
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    for (unsigned face = 0; face < 6; face++) {
        assert_null(core->image_create(*state, GL_TEXTURE_CUBE_MAP_POSITIVE_X, cube, 0, 0, &error));
        assert_int_equal(error, GL_IMAGE_BAD_PARAMETER);
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 2, 2, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    }
    struct gl_shared_image *image =
        core->image_create(*state, GL_TEXTURE_CUBE_MAP_POSITIVE_X, cube, 0, 0, &error);
    assert_non_null(image);
    core->image_destroy(image);
    glDeleteTextures(1, &cube);
}

static void test_errors(void **state)
{
    GLuint texture = filled_texture(GL_TEXTURE_2D, red);
    enum gl_image_error error;
    assert_null(core->image_create(*state, GL_TEXTURE_2D, 0, 0, 0, &error));
    assert_int_equal(error, GL_IMAGE_BAD_PARAMETER);
    assert_null(core->image_create(*state, GL_TEXTURE_2D, 12345, 0, 0, &error));
    assert_int_equal(error, GL_IMAGE_BAD_PARAMETER);
    assert_null(core->image_create(*state, GL_TEXTURE_3D, texture, 0, 0, &error));
    assert_int_equal(error, GL_IMAGE_BAD_PARAMETER);
    assert_null(core->image_create(*state, GL_TEXTURE_2D, texture, 3, 0, &error));
    assert_int_equal(error, GL_IMAGE_BAD_PARAMETER); /* has only level 0 */
    assert_null(core->image_create(*state, GL_TEXTURE_2D, texture, -1, 0, &error));
    assert_int_equal(error, GL_IMAGE_BAD_MATCH);
    assert_null(core->image_create(*state, GL_TEXTURE_2D, texture, 0, 1, &error));
    assert_int_equal(error, GL_IMAGE_BAD_PARAMETER);
    assert_null(core->image_create(*state, GL_RENDERBUFFER, 77, 0, 0, &error));
    assert_int_equal(error, GL_IMAGE_BAD_PARAMETER);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, (void *)&texture);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_3D, NULL);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    expect_texture(1, 0, 0);
    glDeleteTextures(1, &texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways),       cmocka_unit_test(test_parts),
        cmocka_unit_test(test_renderbuffers),   cmocka_unit_test(test_storage),
        cmocka_unit_test(test_errors),          cmocka_unit_test(test_levels),
        cmocka_unit_test(test_incomplete_cube),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
