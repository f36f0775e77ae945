/* SPDX-License-Identifier: MIT */
/* OpenGL ES 1.1: draws with fixed-point entry points and arrays. */
#define GL_GLEXT_PROTOTYPES
#include <GLES/gl.h>
#include <GLES/glext.h>

#include "gl_test.h"

enum { SIZE = 16 };
#define X(value) ((GLfixed)((value) * 65536.0))

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES1, &window);
}

static const GLfixed square[] = {X(-1), X(-1), X(1), X(-1), X(-1), X(1), X(1), X(1)};

static void draw_square(void)
{
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FIXED, 0, square);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void clear(void)
{
    glClearColorx(0, 0, X(1), X(1));
    glClearDepthx(X(1));
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void test_version(void **state)
{
    assert_non_null(strstr((const char *)glGetString(GL_VERSION), "OpenGL ES-CM 1.1"));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_colors_and_matrices(void **state)
{
    clear();
    expect(3, 3, 0, 0, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatex(X(0.5), X(0.5), 0);
    glScalex(X(0.5), X(0.5), X(1));
    glColor4x(X(1), X(0.5), 0, X(1));
    draw_square();
    expect(12, 12, 1, 0.5f, 0);
    expect(12, 3, 0, 0, 1);
    expect(3, 12, 0, 0, 1);
    glLoadIdentity();
    glRotatex(X(90), 0, 0, X(1));
    glTranslatex(X(1), 0, 0); /* up, after the rotation */
    glColor4ub(0, 255, 0, 255);
    draw_square();
    expect(3, 12, 0, 1, 0);
    expect(3, 3, 0, 0, 1);
    glLoadIdentity();
    static const GLfixed swap_xy[16] = {0, X(1), 0, 0, X(1), 0, 0, 0, 0, 0, X(1), 0, 0, 0, 0, X(1)};
    glTranslatef(-1, 0, 0);
    glMultMatrixx(swap_xy);
    GLfixed matrix[16];
    glGetFixedv(GL_MODELVIEW_MATRIX, matrix);
    assert_int_equal(matrix[1], X(1));
    assert_int_equal(matrix[12], X(-1));
    glLoadIdentity();
}

/* glGetFixedv scales booleans, integers and floats, but not enumerants (ES 1.1 §6.1.2). */
static void test_fixed_queries(void **state)
{
    GLfixed v[4];
    GLint lights;
    glGetFixedv(GL_DEPTH_WRITEMASK, v);
    assert_int_equal(v[0], X(1));
    glGetFixedv(GL_LIGHT_MODEL_TWO_SIDE, v);
    assert_int_equal(v[0], 0);
    glGetFixedv(GL_COLOR_WRITEMASK, v);
    assert_true(v[0] == X(1) && v[3] == X(1));
    glGetIntegerv(GL_MAX_LIGHTS, &lights);
    glGetFixedv(GL_MAX_LIGHTS, v);
    assert_int_equal(v[0], lights * X(1));
    glScissor(1, 2, 3, 40000);
    glGetFixedv(GL_SCISSOR_BOX, v);
    assert_true(v[0] == X(1) && v[1] == X(2) && v[2] == X(3) && v[3] == INT32_MAX);
    glScissor(0, 0, SIZE, SIZE);
    glGetFixedv(GL_SHADE_MODEL, v);
    assert_int_equal(v[0], GL_SMOOTH);
    glGetFixedv(GL_ACTIVE_TEXTURE, v);
    assert_int_equal(v[0], GL_TEXTURE0);
    glLineWidthx(X(1.5));
    glGetFixedv(GL_LINE_WIDTH, v);
    assert_int_equal(v[0], X(1.5));
    glLineWidthx(X(1));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_projection_and_depth(void **state)
{
    clear();
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrthox(X(-2), X(2), X(-2), X(2), X(-1), X(1));
    glMatrixMode(GL_MODELVIEW);
    glEnable(GL_DEPTH_TEST);
    glColor4f(1, 0, 0, 1);
    draw_square();
    glTranslatex(0, 0, X(-0.5)); /* behind the first one */
    glColor4f(0, 1, 0, 1);
    draw_square();
    expect(8, 8, 1, 0, 0);
    expect(1, 1, 0, 0, 1);
    glDisable(GL_DEPTH_TEST);
    glLoadIdentity();
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
}

static void test_color_array_and_elements(void **state)
{
    static const GLubyte colors[] = {255, 0, 0, 255, 255, 0, 0, 255,
                                     255, 0, 0, 255, 255, 0, 0, 255};
    static const GLubyte indices[] = {0, 1, 2, 2, 1, 3};
    clear();
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(2, GL_FIXED, 0, square);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, indices);
    glDisableClientState(GL_COLOR_ARRAY);
    expect(2, 2, 1, 0, 0);
    expect(13, 13, 1, 0, 0);
}

/* Creates and binds a texture with nearest filtering. */
static GLuint nearest_texture(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameterx(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameterx(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static void test_texture_environment(void **state)
{
    static const GLubyte texel[4] = {128, 255, 255, 255};
    static const GLfixed coords[] = {0, 0, X(1), 0, 0, X(1), X(1), X(1)};
    clear();
    GLuint texture = nearest_texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glEnable(GL_TEXTURE_2D);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glTexCoordPointer(2, GL_FIXED, 0, coords);
    glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glColor4x(X(1), X(0.5), X(0.25), X(1));
    draw_square();
    expect(5, 5, 0.5f, 0.5f, 0.25f);
    static const GLfixed env[4] = {X(1), 0, 0, X(1)};
    glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    glTexEnvx(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_REPLACE);
    glTexEnvx(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_CONSTANT);
    glTexEnvxv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, env);
    draw_square();
    expect(5, 5, 1, 0, 0);
    glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glDisable(GL_TEXTURE_2D);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glDeleteTextures(1, &texture);
}

/* A 2 × 2 and a 1 × 1 level of 4-bit indices, after a palette of 16 RGB565 colors. */
/* The fixed-point commands of OES_texture_cube_map don't scale modes. */
static void test_fixed_texture_generation(void **state)
{
    static const GLfixed mode = GL_NORMAL_MAP_OES;
    GLfixed x = 9;
    GLint i = 9;
    glTexGenxOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_NORMAL_MAP_OES);
    glGetTexGenivOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, &i);
    assert_int_equal(i, GL_NORMAL_MAP_OES);
    glTexGenxOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_REFLECTION_MAP_OES);
    glGetTexGenxvOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, &x);
    assert_int_equal(x, GL_REFLECTION_MAP_OES);
    glTexGenxvOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, &mode);
    glGetTexGenxvOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, &x);
    assert_int_equal(x, GL_NORMAL_MAP_OES);
    glTexGenxOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_REFLECTION_MAP_OES);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexGenxOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_REPLACE);
    expect_error(GL_INVALID_ENUM);
}

/* EXT_texture_lod_bias, which is an ES 1 extension, too */
static void test_lod_bias(void **state)
{
    GLfloat f = 9;
    GLfixed x = 9;
    assert_non_null(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_texture_lod_bias"));
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, -0.5f);
    glGetTexEnvfv(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, &f);
    assert_true(f == -0.5f);
    glTexEnvx(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, X(0.75));
    glGetTexEnvxv(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, &x);
    assert_int_equal(x, X(0.75));
    x = X(1.25);
    glTexEnvxv(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, &x);
    glGetTexEnvfv(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, &f);
    assert_true(f == 1.25f);
    glTexEnvx(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_LOD_BIAS_EXT, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexEnvx(GL_TEXTURE_FILTER_CONTROL_EXT, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    expect_error(GL_INVALID_ENUM);
}

static void test_paletted_texture(void **state)
{
    static const GLfixed coords[] = {0, 0, X(1), 0, 0, X(1), X(1), X(1)};
    GLubyte data[16 * 2 + 2 + 1] = {[2] = 0x00, 0xf8 /* 1: red */, 0xe0, 0x07, 0x1f, 0x00};
    data[32] = 0x12; /* the lower row: red, green */
    data[33] = 0x31;
    data[34] = 0x20;
    clear();
    GLuint texture = nearest_texture();
    glCompressedTexImage2D(GL_TEXTURE_2D, -1, GL_PALETTE4_R5_G6_B5_OES, 2, 2, 0, sizeof data - 1,
                           data);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCompressedTexImage2D(GL_TEXTURE_2D, -2, GL_PALETTE4_R5_G6_B5_OES, 2, 2, 0, sizeof data, data);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCompressedTexImage2D(GL_TEXTURE_2D, -1, GL_PALETTE4_R5_G6_B5_OES, 2, 2, 0, sizeof data, data);
    glTexParameterx(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glEnable(GL_TEXTURE_2D);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glTexCoordPointer(2, GL_FIXED, 0, coords);
    glColor4x(X(1), X(1), X(1), X(1));
    draw_square();
    expect(4, 4, 1, 0, 0);
    expect(12, 4, 0, 1, 0);
    expect(4, 12, 0, 0, 1);
    expect(12, 12, 1, 0, 0);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_PALETTE4_R5_G6_B5_OES, sizeof data,
                              data);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDisable(GL_TEXTURE_2D);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glDeleteTextures(1, &texture);
}

/* Draws the texture's upper right texel, mirrored with its left neighbor, to a quarter of the
 * window. */
static void test_draw_texture(void **state)
{
    static const GLubyte texels[16] = {255, 0,   0, 255, 0,   255, 0,   255,
                                       255, 255, 0, 255, 255, 255, 255, 255};
    static const GLint crop[4] = {2, 1, -2, 1};
    static const GLfixed place[5] = {X(8), X(8), X(0.5), X(8), X(8)};
    GLint got[4];
    clear();
    GLuint texture = nearest_texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, crop);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, got);
    assert_memory_equal(got, crop, sizeof crop);
    glEnable(GL_TEXTURE_2D);
    glColor4x(X(1), X(0.5), X(1), X(1));
    glDrawTexxvOES(place);
    expect(9, 12, 1, 0.5f, 1);
    expect(14, 12, 1, 0.5f, 0);
    expect(4, 4, 0, 0, 1);
    glEnable(GL_DEPTH_TEST);
    glDrawTexiOES(0, 0, 0, SIZE, SIZE);
    expect(2, 2, 1, 0.5f, 1);
    glDrawTexsOES(0, 0, 1, 1, 0);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_TEXTURE_2D);
    glDeleteTextures(1, &texture);
    glColor4x(0, X(1), 0, X(1));
    draw_square(); /* primitives draw as before */
    expect(9, 12, 0, 1, 0);
}

static void test_matrix_bits(void **state)
{
    GLint bits[16];
    const float one = 1;
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(-1.5f, 0, 0);
    glGetIntegerv(GL_MODELVIEW_MATRIX_FLOAT_AS_INT_BITS_OES, bits);
    assert_memory_equal(&bits[0], &one, sizeof one);
    assert_memory_equal(&bits[12], &(float){-1.5f}, sizeof one);
    glLoadIdentity();
}

/* Checks that depth and stencil can be rendered to, but are not textures in ES 1. */
static void test_depth_stencil_texture(void **state)
{
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL_OES, 4, 4, 0, GL_DEPTH_STENCIL_OES,
                 GL_UNSIGNED_INT_24_8_OES, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
}

/* OES_framebuffer_object, OES_depth24. */
static void test_depth_renderbuffers(void **state)
{
    static const GLenum formats[] = {GL_DEPTH_COMPONENT16_OES, GL_DEPTH_COMPONENT24_OES};
    GLuint rb;
    GLint bits;
    glGenRenderbuffersOES(1, &rb);
    glBindRenderbufferOES(GL_RENDERBUFFER_OES, rb);
    for (unsigned i = 0; i < 2; i++) {
        glRenderbufferStorageOES(GL_RENDERBUFFER_OES, formats[i], 8, 8);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glGetRenderbufferParameterivOES(GL_RENDERBUFFER_OES, GL_RENDERBUFFER_DEPTH_SIZE_OES, &bits);
        assert_int_equal(bits, 16 + 8 * i);
        glTexImage2D(GL_TEXTURE_2D, 0, formats[i], 4, 4, 0, 0x1902 /* GL_DEPTH_COMPONENT */,
                     GL_UNSIGNED_SHORT, NULL);
        assert_true(glGetError() != GL_NO_ERROR); /* neither depth nor depth-stencil is a texture */
    }
    glDeleteRenderbuffersOES(1, &rb);
}

static void test_lighting(void **state)
{
    static const GLfixed toward[4] = {0, 0, X(1), 0}, white[4] = {X(1), X(1), X(1), X(1)};
    static const GLfixed none[4] = {0, 0, 0, X(1)}, diffuse[4] = {X(0.5), X(1), 0, X(1)};
    clear();
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightModelxv(GL_LIGHT_MODEL_AMBIENT, none);
    glLightxv(GL_LIGHT0, GL_POSITION, toward);
    glLightxv(GL_LIGHT0, GL_DIFFUSE, white);
    glLightxv(GL_LIGHT0, GL_SPECULAR, none);
    glMaterialxv(GL_FRONT_AND_BACK, GL_DIFFUSE, diffuse);
    glMaterialxv(GL_FRONT_AND_BACK, GL_AMBIENT, none);
    glNormal3x(0, 0, X(1));
    draw_square();
    expect(8, 8, 0.5f, 1, 0);
    GLfixed got[4];
    glGetMaterialxv(GL_FRONT, GL_DIFFUSE, got);
    assert_int_equal(got[0], X(0.5));
    glMaterialxv(GL_FRONT, GL_DIFFUSE, diffuse); /* a single face is not allowed */
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDisable(GL_LIGHTING);
}

static void test_points(void **state)
{
    static const GLfixed places[] = {X(-0.5), X(-0.5), X(0.5), X(0.5)};
    static const GLfixed sizes[] = {X(1), X(7)};
    clear();
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FIXED, 0, places);
    glColor4x(X(1), X(1), 0, X(1));
    glPointSizex(X(5));
    glDrawArrays(GL_POINTS, 0, 1);
    expect(3, 3, 1, 1, 0);
    expect(5, 5, 1, 1, 0);
    expect(8, 4, 0, 0, 1);
    clear();
    glEnableClientState(GL_POINT_SIZE_ARRAY_OES);
    glPointSizePointerOES(GL_FIXED, 0, sizes);
    glDrawArrays(GL_POINTS, 0, 2);
    GLint stride = -1, buffer = -1;
    glGetIntegerv(GL_POINT_SIZE_ARRAY_STRIDE_OES, &stride);
    glGetIntegerv(GL_POINT_SIZE_ARRAY_BUFFER_BINDING_OES, &buffer);
    assert_int_equal(stride, 0);
    assert_int_equal(buffer, 0);
    glDisableClientState(GL_POINT_SIZE_ARRAY_OES);
    expect(2, 4, 0, 0, 1);
    expect(10, 12, 1, 1, 0);
    expect(14, 12, 1, 1, 0);
    glPointSizex(X(1));
}

static void test_fog_alpha_and_clip_planes(void **state)
{
    static const GLfixed fog[4] = {X(1), 0, X(1), X(1)}, right[4] = {X(1), 0, 0, 0};
    clear();
    glEnable(GL_FOG);
    glFogx(GL_FOG_MODE, GL_LINEAR);
    glFogx(GL_FOG_START, X(-2));
    glFogx(GL_FOG_END, X(-1)); /* everything is behind the end */
    glFogxv(GL_FOG_COLOR, fog);
    draw_square();
    expect(8, 8, 1, 0, 1);
    glDisable(GL_FOG);
    clear();
    glEnable(GL_CLIP_PLANE0);
    glClipPlanex(GL_CLIP_PLANE0, right);
    glColor4x(0, X(1), 0, X(0.25));
    draw_square();
    expect(4, 8, 0, 0, 1);
    expect(12, 8, 0, 1, 0);
    glDisable(GL_CLIP_PLANE0);
    clear();
    glEnable(GL_ALPHA_TEST);
    glAlphaFuncx(GL_GREATER, X(0.5));
    draw_square();
    expect(12, 8, 0, 0, 1);
    glDisable(GL_ALPHA_TEST);
}

static void ignore_access(void *owner, bool write)
{
}

static void ignore_end(void *owner)
{
}

/* GL_OES_EGL_image_external: an external texture has priority over a 2D texture. */
static void test_external_texture(void **state)
{
    static const struct gl_memory_ops ops = {ignore_access, ignore_access, ignore_end};
    static uint32_t texels[SIZE * SIZE];
    static const GLfixed coords[] = {0, 0, X(1), 0, 0, X(1), X(1), X(1)};
    static const GLubyte red[4] = {255, 0, 0, 255};
    GLuint names[3];
    if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_OES_EGL_image_external"))
        skip();
    for (unsigned i = 0; i < SIZE * SIZE; i++) /* B, G, R, A */
        texels[i] = i % SIZE < SIZE / 2 ? 0xff00ff00 : 0xffffff00;
    const struct gl_memory_image memory = {
        .width = SIZE,
        .height = SIZE,
        .format = DRV_FORMAT_B8G8R8A8_UNORM,
        .data = (uint8_t *)texels,
        .stride = SIZE * 4,
        .ops = &ops,
    };
    struct gl_shared_image *image = core->image_import(&memory);
    assert_non_null(image);
    glGenTextures(3, names);
    glBindTexture(GL_TEXTURE_2D, names[0]);
    glTexParameterx(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, names[1]);
    glTexParameterx(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_EXTERNAL_OES, image);
    core->image_destroy(image);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexParameterx(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_WRAP_S, GL_REPEAT);
    expect_error(GL_INVALID_ENUM);
    glTexParameterx(GL_TEXTURE_EXTERNAL_OES, GL_GENERATE_MIPMAP, GL_TRUE);
    expect_error(GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_EXTERNAL_OES, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    expect_error(GL_INVALID_ENUM);
    GLint bound;
    glGetIntegerv(GL_TEXTURE_BINDING_EXTERNAL_OES, &bound);
    assert_int_equal(bound, names[1]);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glColor4x(X(1), X(1), X(1), X(1));
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glTexCoordPointer(2, GL_FIXED, 0, coords);
    glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    assert_false(glIsEnabled(GL_TEXTURE_EXTERNAL_OES));
    glEnable(GL_TEXTURE_EXTERNAL_OES);
    assert_true(glIsEnabled(GL_TEXTURE_EXTERNAL_OES));
    for (unsigned both = 0; both < 2; both++) {
        clear();
        draw_square();
        expect(3, 8, 0, 1, 0);
        expect(12, 8, 1, 1, 0);
        glEnable(GL_TEXTURE_2D);
    }
    /* without an image, it reads as opaque black, and still has priority */
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, names[2]);
    draw_square();
    expect(3, 8, 0, 0, 0);
    glClearColorx(X(1), X(1), X(1), X(1));
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawTexiOES(0, 0, 0, SIZE, SIZE);
    expect(3, 8, 0, 0, 0);
    glClearColorx(0, 0, 0, 0);
    glDisable(GL_TEXTURE_EXTERNAL_OES);
    draw_square();
    expect(3, 8, 1, 0, 0);
    glDisable(GL_TEXTURE_2D);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glDeleteTextures(3, names);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that entry points of desktop GL only can't be called, and that their enums raise
 * errors. */
static void test_errors(void **state)
{
    glMatrixMode(GL_MODELVIEW);
    glEnable(0x0DE0 /* GL_TEXTURE_1D */);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glShadeModel(GL_LINES);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDrawArrays(0x0007 /* GL_QUADS */, 0, 4);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glFogx(GL_FOG_MODE, 0x1234);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glEnable(0x864F /* GL_DEPTH_CLAMP */);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    assert_false(glIsEnabled(0x864F));
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glBlendFunc(GL_ONE, 0x88F9 /* GL_SRC1_COLOR */);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    /* ES 1.1 tables 2.8 and 6.9, OES_texture_cube_map */
    float v[4] = {1, 2, 3, 4};
    glMaterialfv(GL_FRONT_AND_BACK, 0x1603 /* GL_COLOR_INDEXES */, v);
    expect_error(GL_INVALID_ENUM);
    glGetMaterialfv(GL_FRONT, 0x1603, v);
    expect_error(GL_INVALID_ENUM);
    glGetTexGenfvOES(GL_TEXTURE_GEN_STR_OES, 0x2501 /* GL_OBJECT_PLANE */, v);
    expect_error(GL_INVALID_ENUM);
    glGetTexGenfvOES(GL_TEXTURE_GEN_STR_OES, 0x2502 /* GL_EYE_PLANE */, v);
    expect_error(GL_INVALID_ENUM);
    assert_true(v[0] == 1 && v[1] == 2 && v[2] == 3 && v[3] == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_colors_and_matrices),
        cmocka_unit_test(test_fixed_queries),
        cmocka_unit_test(test_projection_and_depth),
        cmocka_unit_test(test_color_array_and_elements),
        cmocka_unit_test(test_texture_environment),
        cmocka_unit_test(test_fixed_texture_generation),
        cmocka_unit_test(test_lod_bias),
        cmocka_unit_test(test_paletted_texture),
        cmocka_unit_test(test_draw_texture),
        cmocka_unit_test(test_matrix_bits),
        cmocka_unit_test(test_depth_stencil_texture),
        cmocka_unit_test(test_depth_renderbuffers),
        cmocka_unit_test(test_lighting),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_fog_alpha_and_clip_planes),
        cmocka_unit_test(test_external_texture),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
