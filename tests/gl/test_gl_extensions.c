/* SPDX-License-Identifier: MIT */
/* Extensions of desktop GL: what they allow in addition to the context's version. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLint get(GLenum pname)
{
    GLint v = -1;
    glGetIntegerv(pname, &v);
    return v;
}

static void quad(void)
{
    glBegin(GL_QUADS);
    glVertex3f(-1, -1, 0);
    glVertex3f(1, -1, 0);
    glVertex3f(1, 1, 0);
    glVertex3f(-1, 1, 0);
    glEnd();
}

static GLuint texture_2d(GLenum internal, GLsizei width, GLsizei height, GLenum format,
                         const GLubyte *texels)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, width, height, 0, format, GL_UNSIGNED_BYTE,
                 texels);
    return name;
}

/* --- fixed function --- */

/* Checks that GL_ENABLE_BIT restores what glEnable set, also for assembly programs. */
static void test_enable_bit(void **state)
{
    static const GLenum caps[] = {
        GL_VERTEX_PROGRAM_ARB,      GL_FRAGMENT_PROGRAM_ARB,      GL_SAMPLE_SHADING,
        GL_VERTEX_PROGRAM_TWO_SIDE, GL_STENCIL_TEST_TWO_SIDE_EXT, GL_RASTER_POSITION_UNCLIPPED_IBM};
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++) {
        glEnable(caps[i]);
        glPushAttrib(GL_ENABLE_BIT);
        glDisable(caps[i]);
        glPopAttrib();
        assert_true(glIsEnabled(caps[i]));
        glDisable(caps[i]);
        glPushAttrib(GL_ENABLE_BIT);
        glEnable(caps[i]);
        glPopAttrib();
        assert_false(glIsEnabled(caps[i]));
    }
    expect_error(GL_NO_ERROR);
}

/* Checks three sets of stencil state. Commands without a face set front and GL 2.0's back, or the
 * back of EXT_stencil_two_side, which applies while that is enabled. */
static void test_stencil_two_side(void **state)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 3, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glActiveStencilFaceEXT(GL_BACK);
    assert_int_equal(get(GL_ACTIVE_STENCIL_FACE_EXT), GL_BACK);
    glStencilFunc(GL_ALWAYS, 7, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    assert_int_equal(get(GL_STENCIL_REF), 7);
    assert_int_equal(get(GL_STENCIL_BACK_REF), 3);
    glActiveStencilFaceEXT(GL_FRONT);
    assert_int_equal(get(GL_STENCIL_REF), 3);
    GLubyte stencil;
    glFrontFace(GL_CW); /* quads show their back faces */
    quad();
    glReadPixels(4, 4, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
    assert_int_equal(stencil, 3);
    glEnable(GL_STENCIL_TEST_TWO_SIDE_EXT);
    quad();
    glReadPixels(4, 4, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
    assert_int_equal(stencil, 7);
    glFrontFace(GL_CCW);
    quad();
    glReadPixels(4, 4, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
    assert_int_equal(stencil, 3);
    glDisable(GL_STENCIL_TEST_TWO_SIDE_EXT);
    glStencilFuncSeparateATI(GL_EQUAL, GL_NEVER, 5, 0xf);
    assert_int_equal(get(GL_STENCIL_FUNC), GL_EQUAL);
    assert_int_equal(get(GL_STENCIL_BACK_FUNC), GL_NEVER);
    assert_int_equal(get(GL_STENCIL_BACK_REF), 5);
    glStencilFuncSeparateATI(GL_LESS, GL_FRONT, 5, 0xf);
    expect_error(GL_INVALID_ENUM);
    assert_int_equal(get(GL_STENCIL_FUNC), GL_EQUAL);
    glPopAttrib();
}

/* Checks the functions of ATI_texture_env_combine3 and NV_texture_env_combine4. */
static void test_combiners(void **state)
{
    static const GLubyte texel[4] = {128, 64, 255, 255};
    static const float constant[4] = {0.25f, 0.5f, 0.125f, 1};
    static const struct {
        GLenum mode, op;
        float r, g, b;
    } cases[] = {
        /* Arguments: texture, primary, constant, 1 - 0. */
        {GL_COMBINE, GL_MODULATE_ADD_ATI, 0.5f * 0.25f + 0.5f, 0.25f * 0.5f + 0.25f, 0.125f},
        {GL_COMBINE, GL_MODULATE_SIGNED_ADD_ATI, 0.125f, 0, 0},
        {GL_COMBINE, GL_MODULATE_SUBTRACT_ATI, 0, 0, 0.125f},
        {GL_COMBINE4_NV, GL_ADD, 0.5f * 0.5f + 0.25f, 0.25f * 0.25f + 0.5f, 0.125f},
        {GL_COMBINE4_NV, GL_ADD_SIGNED, 0, 0.0625f, 0},
    };
    GLuint texture = texture_2d(GL_RGBA8, 1, 1, GL_RGBA, texel);
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_TEXTURE_2D);
    glColor4f(0.5f, 0.25f, 0, 1);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, constant);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_TEXTURE);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_PRIMARY_COLOR);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC2_RGB, GL_CONSTANT);
    glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND2_RGB, GL_SRC_COLOR);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (GLint)cases[i].mode);
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, (GLint)cases[i].op);
        quad();
        expect(8, 8, cases[i].r, cases[i].g, cases[i].b);
    }
    GLint v;
    glGetTexEnviv(GL_TEXTURE_ENV, GL_SOURCE3_RGB_NV, &v);
    assert_int_equal(v, GL_ZERO);
    glGetTexEnviv(GL_TEXTURE_ENV, GL_OPERAND3_ALPHA_NV, &v);
    assert_int_equal(v, GL_ONE_MINUS_SRC_ALPHA);
    glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE3_RGB_NV, GL_ONE);
    glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND3_RGB_NV, GL_SRC_COLOR);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC2_RGB, GL_ZERO);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_ADD);
    quad();
    expect(8, 8, 0.25f, 0.0625f, 0);
    glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND3_ALPHA_NV, GL_SRC_COLOR);
    expect_error(GL_INVALID_ENUM);
    glPopAttrib();
    glDeleteTextures(1, &texture);
}

static void test_half_floats(void **state)
{
    static const GLhalfNV half = 0x3800, one = 0x3c00, color[3] = {0, 0x3800, 0x3c00};
    GLfloat v[4];
    glColor3hvNV(color);
    glGetFloatv(GL_CURRENT_COLOR, v);
    assert_true(v[0] == 0 && v[1] == 0.5f && v[2] == 1 && v[3] == 1);
    glMultiTexCoord2hNV(GL_TEXTURE1, half, one);
    glActiveTexture(GL_TEXTURE1);
    glGetFloatv(GL_CURRENT_TEXTURE_COORDS, v);
    glActiveTexture(GL_TEXTURE0);
    assert_true(v[0] == 0.5f && v[1] == 1 && v[2] == 0 && v[3] == 1);
    glVertexAttribs2hvNV(3, 2, (const GLhalfNV[4]){half, one, one, half});
    glGetVertexAttribfv(4, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_true(v[0] == 1 && v[1] == 0.5f && v[3] == 1);
    expect_error(GL_NO_ERROR);
    glVertexAttribs1hvNV(1, get(GL_MAX_VERTEX_ATTRIBS), color);
    expect_error(GL_INVALID_VALUE);
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glColor3hNV(one, half, 0);
    glEndList();
    glCallList(list);
    glGetFloatv(GL_CURRENT_COLOR, v);
    assert_true(v[0] == 1 && v[1] == 0.5f && v[2] == 0);
    glDeleteLists(list, 1);
    glColor4f(1, 1, 1, 1);
}

static void test_raster_position(void **state)
{
    GLfloat v[4];
    glWindowPos4fMESA(3, 4, 0.5f, 2);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 3 && v[1] == 4 && v[2] == 0.5f && v[3] == 2);
    glRasterPos3f(-2, 0, 0);
    assert_false(get(GL_CURRENT_RASTER_POSITION_VALID));
    glEnable(GL_RASTER_POSITION_UNCLIPPED_IBM);
    glRasterPos3f(-2, 0, 0);
    assert_true(get(GL_CURRENT_RASTER_POSITION_VALID));
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == -SIZE / 2);
    glRasterPos3f(0, 0, 2); /* depth is still clipped */
    assert_false(get(GL_CURRENT_RASTER_POSITION_VALID));
    glDisable(GL_RASTER_POSITION_UNCLIPPED_IBM);
    assert_int_equal(get(GL_MAX_SHININESS_NV), 128);
}

/* Checks NV_ES1_1_compatibility, also compiled into lists. */
static void test_fixed_point(void **state)
{
    GLfloat m[16];
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glScalexOES(0x20000, 0x10000, 0x8000);
    glEndList();
    glPushMatrix();
    glCallList(list);
    glGetFloatv(GL_MODELVIEW_MATRIX, m);
    glPopMatrix();
    assert_true(m[0] == 2 && m[5] == 1 && m[10] == 0.5f);
    glDeleteLists(list, 1);
    expect_error(GL_NO_ERROR);
}

/* --- draws --- */

static void test_modes_apart(void **state)
{
    static const struct {
        GLenum mode, unused;
    } modes[2] = {{GL_POINTS, 0}, {GL_TRIANGLES, 0}};
    static const GLfloat vertices[][2] = {{-0.5f, -0.5f}, {0, 0}, {3, 0}, {0, 3}};
    static const GLint first[2] = {0, 1};
    static const GLsizei count[2] = {1, 3};
    GLuint list = glGenLists(1);
    glClear(GL_COLOR_BUFFER_BIT);
    glVertexPointer(2, GL_FLOAT, 0, vertices);
    glEnableClientState(GL_VERTEX_ARRAY);
    glNewList(list, GL_COMPILE);
    glMultiModeDrawArraysIBM(&modes[0].mode, first, count, 2, sizeof *modes);
    glEndList();
    expect(4, 4, 0, 0, 0);
    glCallList(list);
    expect(4, 4, 1, 1, 1);
    expect(3, 3, 0, 0, 0);
    expect(12, 12, 1, 1, 1);
    static const GLubyte indices[] = {0, 1, 2, 3};
    const void *const starts[2] = {indices, indices + 1};
    glClear(GL_COLOR_BUFFER_BIT);
    glMultiModeDrawElementsIBM(&modes[0].mode, count, GL_UNSIGNED_BYTE, starts, 2, sizeof *modes);
    expect(4, 4, 1, 1, 1);
    expect(12, 12, 1, 1, 1);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteLists(list, 1);
}

/* --- pixels and textures --- */

/* Checks that pack inversion stores rows from top to bottom. */
static void test_pack_invert(void **state)
{
    GLubyte pixels[4][8], rows[4];
    GLuint texture;
    for (GLint y = 0; y < 4; y++) {
        glWindowPos2i(0, y);
        rows[y] = (GLubyte)(y * 50);
        glDrawPixels(1, 1, GL_LUMINANCE, GL_UNSIGNED_BYTE, &rows[y]);
    }
    memset(pixels, 99, sizeof pixels);
    glPixelStorei(GL_PACK_INVERT_MESA, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 8);
    assert_int_equal(get(GL_PACK_INVERT_MESA), 1);
    glReadPixels(0, 0, 1, 3, GL_RED, GL_UNSIGNED_BYTE, pixels);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pixels[i][0], rows[2 - i]);
    assert_int_equal(pixels[3][0], 99);
    glReadPixels(0, -1, 1, 3, GL_RED, GL_UNSIGNED_BYTE, pixels + 1); /* below the window */
    assert_int_equal(pixels[1][0], rows[1]);
    assert_int_equal(pixels[2][0], rows[0]);
    assert_int_equal(pixels[3][0], 99);
    texture = texture_2d(GL_LUMINANCE8, 1, 4, GL_LUMINANCE,
                         (const GLubyte[16]){1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4});
    glGetTexImage(GL_TEXTURE_2D, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, pixels);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pixels[i][0], 4 - i);
    glPixelStorei(GL_PACK_INVERT_MESA, 0);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glDeleteTextures(1, &texture);
    expect_error(GL_NO_ERROR);
}

static void test_old_s3tc(void **state)
{
    static const GLubyte blue[8] = {0x1f, 0, 0, 0},
                         green[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xe0, 0x07};
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_RGB_S3TC, 4, 4, 0, 8, blue);
    quad();
    expect(8, 8, 0, 0, 1);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA_S3TC, 4, 4, 0, 16, green);
    quad();
    expect(8, 8, 0, 1, 0);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glDisable(GL_TEXTURE_2D);
    glDeleteTextures(1, &texture);
}

/* Checks a level with more significant bits than a float has. */
static void test_large_level(void **state)
{
    GLint v;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0x7ffffffd);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, &v);
    assert_int_equal(v, 0x7ffffffd);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
}

/* Checks the minimum and maximum of the texels with nonzero weight, also across mipmap levels and
 * anisotropic probes. */
static void test_reduction(void **state)
{
    static const GLubyte texels[2][4] = {{10, 250, 60, 0}, {90, 120, 30, 0}}, two[4] = {5, 255};
    GLuint texture = texture_2d(GL_LUMINANCE8, 2, 2, GL_LUMINANCE, texels[0]), sampler;
    GLint v;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_REDUCTION_MODE_ARB, &v);
    assert_int_equal(v, GL_WEIGHTED_AVERAGE_ARB);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_REDUCTION_MODE_ARB, GL_LINEAR);
    expect_error(GL_INVALID_ENUM);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    for (unsigned i = 0; i < 2; i++) {
        float all = i ? 250 / 255.0f : 10 / 255.0f, corner = 10 / 255.0f;
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_REDUCTION_MODE_ARB, i ? GL_MAX : GL_MIN);
        glTexCoord2f(0.4f, 0.5f); /* amid all four texels */
        quad();
        expect(8, 8, all, all, all);
        glTexCoord2f(0.25f, 0.25f); /* the others have zero weight */
        quad();
        expect(8, 8, corner, corner, corner);
        float row = i ? 250 / 255.0f : 10 / 255.0f;
        glTexCoord2f(0.3f, 0.25f);
        quad();
        expect(8, 8, row, row, row);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_REDUCTION_MODE_ARB, GL_WEIGHTED_AVERAGE_ARB);
    /* Sampler object state, between two levels. */
    glTexImage2D(GL_TEXTURE_2D, 1, GL_LUMINANCE8, 1, 1, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, two + 1);
    glGenSamplers(1, &sampler);
    glBindSampler(0, sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glSamplerParameterf(sampler, GL_TEXTURE_MIN_LOD, 0.5f);
    glSamplerParameterf(sampler, GL_TEXTURE_MAX_LOD, 0.5f);
    glSamplerParameteri(sampler, GL_TEXTURE_REDUCTION_MODE_EXT, GL_MAX);
    glTexCoord2f(0.25f, 0.25f);
    quad();
    expect(8, 8, 1, 1, 1);
    glSamplerParameteri(sampler, GL_TEXTURE_REDUCTION_MODE_EXT, GL_MIN);
    quad();
    expect(8, 8, 10 / 255.0f, 10 / 255.0f, 10 / 255.0f);
    glBindSampler(0, 0);
    glDeleteSamplers(1, &sampler);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glDisable(GL_TEXTURE_2D);
    glDeleteTextures(1, &texture);
    glGetInternalformativ(GL_TEXTURE_2D, GL_R8, GL_TEXTURE_REDUCTION_MODE_ARB, 1, &v);
    assert_int_equal(v, GL_FULL_SUPPORT);
}

/* GL 4.6 §2.2.2: integer queries return a normalized color; values between integers are rounded to
 * nearest. */
static void test_integer_border(void **state)
{
    const GLfloat color[4] = {2, -2, 1, 0};
    GLuint sampler;
    GLint of_sampler[4], of_texture[4];
    glGenSamplers(1, &sampler);
    glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, color);
    glGetSamplerParameteriv(sampler, GL_TEXTURE_BORDER_COLOR, of_sampler);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, color);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, of_texture);
    assert_int_equal(of_sampler[0], INT32_MAX);
    assert_int_equal(of_sampler[1], -INT32_MAX);
    assert_int_equal(of_sampler[2], INT32_MAX);
    assert_int_equal(of_sampler[3], 0);
    assert_int_equal(of_texture[0], of_sampler[0]);
    glDeleteSamplers(1, &sampler);
    expect_error(GL_NO_ERROR);
}

/* --- objects --- */

static void test_labels(void **state)
{
    GLuint buffer;
    GLsizei length;
    char text[8];
    glGenBuffers(1, &buffer);
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, buffer, 0, "early"); /* before it is bound */
    glGetObjectLabelEXT(GL_BUFFER_OBJECT_EXT, buffer, sizeof text, &length, text);
    assert_string_equal(text, "early");
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, buffer, 3, "abcdef");
    glGetObjectLabelEXT(GL_BUFFER_OBJECT_EXT, buffer, sizeof text, &length, text);
    assert_int_equal(length, 3);
    assert_string_equal(text, "abc");
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, buffer, 0, "abcdef");
    glGetObjectLabel(GL_BUFFER, buffer, sizeof text, &length, text);
    assert_string_equal(text, "abcdef");
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, buffer, 0, NULL);
    glGetObjectLabelEXT(GL_BUFFER_OBJECT_EXT, buffer, sizeof text, &length, text);
    assert_int_equal(length, 0);
    expect_error(GL_NO_ERROR);
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, buffer, -1, "abc");
    expect_error(GL_INVALID_VALUE);
    glLabelObjectEXT(GL_BUFFER, buffer, 0, "abc"); /* a name of KHR_debug */
    expect_error(GL_NO_ERROR);
    glLabelObjectEXT(GL_ARRAY_BUFFER, buffer, 0, "abc");
    expect_error(GL_INVALID_ENUM);
    glDeleteBuffers(1, &buffer);
}

/* Checks that a buffer uses the application's memory: each side sees the other's writes. */
static void test_pinned_memory(void **state)
{
    const size_t bytes = 4096;
    GLfloat *memory = aligned_alloc(4096, bytes);
    static const GLfloat whole[8] = {-1, -1, 1, -1, 1, 1, -1, 1}, nothing[8];
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, buffers[0]);
    glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 0, NULL, GL_STREAM_DRAW);
    expect_error(GL_INVALID_OPERATION);
    glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, (GLsizeiptr)bytes, memory, GL_STREAM_DRAW);
    memcpy(memory, whole, sizeof whole);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_QUADS, 0, 4);
    expect(8, 8, 1, 1, 1);
    memcpy(memory, nothing, sizeof nothing);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_QUADS, 0, 4);
    expect(8, 8, 0, 0, 0);
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof whole, whole);
    glFinish();
    assert_memory_equal(memory, whole, sizeof whole);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, memory + 0); /* all of it at once */
    glFinish();
    assert_memory_equal(memory, whole, sizeof whole);
    /* Copies reach the memory. */
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[1]);
    glBufferData(GL_COPY_READ_BUFFER, 4, "abc", GL_STATIC_DRAW);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 16, 4);
    glFinish();
    assert_string_equal((const char *)memory + 16, "abc");
    /* New storage from the GL, even of the same size, is no longer the application's memory. */
    memset(memory, 0, bytes);
    glDrawArrays(GL_QUADS, 0, 4);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL, GL_STATIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof whole, whole);
    glFinish();
    assert_memory_equal(memory, nothing, sizeof nothing);
    free(memory);
    glDrawArrays(GL_QUADS, 0, 4);
    expect(8, 8, 1, 1, 1);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteBuffers(2, buffers);
    expect_error(GL_NO_ERROR);
}

/* Checks two memory objects of one file: drawing to the texture of one changes the other's. */
static void test_memory_objects(void **state)
{
    enum { BYTES = 1 << 16 };
    GLuint memory[2], textures[3], buffer, fbo;
    GLubyte uuid[GL_UUID_SIZE_EXT], again[GL_UUID_SIZE_EXT];
    int fd = memfd_create("names", MFD_ALLOW_SEALING);
    assert_true(fd >= 0 && !ftruncate(fd, BYTES));
    glCreateMemoryObjectsEXT(2, memory);
    assert_true(glIsMemoryObjectEXT(memory[1]));
    glMemoryObjectParameterivEXT(memory[0], GL_DEDICATED_MEMORY_OBJECT_EXT, (const GLint[]){1});
    glGenTextures(3, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16, memory[0], 0);
    expect_error(GL_INVALID_OPERATION); /* nothing was imported */
    glImportMemoryFdEXT(memory[0], BYTES + 1, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    expect_error(GL_INVALID_VALUE);
    for (unsigned i = 0; i < 2; i++)
        glImportMemoryFdEXT(memory[i], BYTES, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
    expect_error(GL_NO_ERROR);
    assert_true(ftruncate(fd, 0) != 0); /* the pages can't be removed */
    glMemoryObjectParameterivEXT(memory[0], GL_DEDICATED_MEMORY_OBJECT_EXT, (const GLint[]){0});
    expect_error(GL_INVALID_OPERATION);
    glTexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16, memory[0], BYTES - 64);
    expect_error(GL_INVALID_VALUE);
    glTexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16, memory[0], 1);
    expect_error(GL_INVALID_VALUE);
    glTexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16, 0, 0);
    expect_error(GL_INVALID_VALUE);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorageMem2DEXT(GL_TEXTURE_2D, 2, GL_RGBA8, 16, 16, memory[i], 4096);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, textures[2]);
    glTexStorageMem2DMultisampleEXT(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 8, 8, GL_TRUE,
                                    memory[0], 8192);
    glDeleteMemoryObjectsEXT(2, memory); /* storage outlives its memory object */
    assert_false(glIsMemoryObjectEXT(memory[0]));
    expect_error(GL_NO_ERROR);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClearColor(0, 0, 0, 0);
    glEnable(GL_TEXTURE_2D);
    glTexCoord2f(0.5f, 0.5f);
    quad();
    expect(8, 8, 0, 1, 0);
    glDisable(GL_TEXTURE_2D);
    /* Bytes of a buffer are the file's. */
    glCreateMemoryObjectsEXT(1, memory);
    glImportMemoryFdEXT(memory[0], BYTES, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorageMemEXT(GL_ARRAY_BUFFER, 1024, memory[0], 40960);
    glBufferData(GL_ARRAY_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    expect_error(GL_INVALID_OPERATION); /* immutable */
    assert_int_equal(pwrite(fd, "shared", 7, 40964), 7);
    char text[8];
    glGetBufferSubData(GL_ARRAY_BUFFER, 4, 7, text);
    assert_string_equal(text, "shared");
    glBufferSubData(GL_ARRAY_BUFFER, 6, 3, "ine");
    expect_error(GL_NO_ERROR);
    glFinish();
    assert_int_equal(pread(fd, text, 7, 40964), 7);
    assert_string_equal(text, "shined");
    glDeleteBuffers(1, &buffer);
    glDeleteMemoryObjectsEXT(1, memory);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(3, textures);
    close(fd);
    assert_int_equal(get(GL_NUM_DEVICE_UUIDS_EXT), 1);
    glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, uuid);
    glGetUnsignedBytevEXT(GL_DRIVER_UUID_EXT, again);
    assert_memory_not_equal(uuid, again, sizeof uuid);
    expect_error(GL_NO_ERROR);
}

/* Signals a semaphore as another process would, after a moment. */
static void *signal_later(void *value)
{
    const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};
    nanosleep(&moment, NULL);
    __atomic_store_n((uint32_t *)value, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, value, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
    return NULL;
}

/* Checks a wait that has to block. It would end after ten seconds without a signal. */
static void check_wait(GLuint semaphore, uint32_t *value)
{
    pthread_t thread;
    const time_t start = time(NULL);
    assert_int_equal(pthread_create(&thread, NULL, signal_later, value), 0);
    glWaitSemaphoreEXT(semaphore, 0, NULL, 0, NULL, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(*value, 0);
    assert_true(time(NULL) - start < 9);
}

/* Checks semaphores in a file, which another process would signal and wait for in this way. */
static void test_semaphores(void **state)
{
    GLuint name[2], buffer, texture;
    GLuint64 value;
    const GLenum layout = GL_LAYOUT_SHADER_READ_ONLY_EXT, wrong = GL_TEXTURE_2D;
    if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_semaphore_fd"))
        skip();
    int fd = memfd_create("semaphore", MFD_ALLOW_SEALING);
    assert_true(fd >= 0);
    glGenSemaphoresEXT(-1, name);
    expect_error(GL_INVALID_VALUE);
    glGenSemaphoresEXT(2, name);
    assert_false(glIsSemaphoreEXT(name[0])); /* nothing was imported */
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_WIN32_EXT, fd);
    expect_error(GL_INVALID_ENUM);
    glImportSemaphoreFdEXT(name[1] + 1, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    expect_error(GL_INVALID_VALUE);
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_FD_EXT, -1);
    expect_error(GL_INVALID_VALUE);
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    expect_error(GL_INVALID_VALUE); /* the file is empty */
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_FD_EXT, pipes[0]);
    expect_error(GL_INVALID_VALUE);
    close(pipes[0]);
    close(pipes[1]);
    int plain = memfd_create("plain", 0);
    assert_true(plain >= 0 && !ftruncate(plain, 4));
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_FD_EXT, plain);
    expect_error(GL_INVALID_VALUE); /* can't be protected against truncation */
    close(plain);
    glWaitSemaphoreEXT(name[0], 0, NULL, 0, NULL, NULL);
    expect_error(GL_INVALID_OPERATION);
    assert_false(ftruncate(fd, 4));
    uint32_t *shared = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(shared != MAP_FAILED);
    const int other = dup(fd);
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    expect_error(GL_NO_ERROR);
    assert_true(glIsSemaphoreEXT(name[0]));
    assert_true(fcntl(fd, F_GETFD) < 0); /* closed */
    glImportSemaphoreFdEXT(name[0], GL_HANDLE_TYPE_OPAQUE_FD_EXT, 0);
    expect_error(GL_INVALID_OPERATION);
    glGetSemaphoreParameterui64vEXT(name[0], GL_D3D12_FENCE_VALUE_EXT, &value);
    expect_error(GL_INVALID_ENUM);
    glSemaphoreParameterui64vEXT(name[0], GL_D3D12_FENCE_VALUE_EXT, &value);
    expect_error(GL_INVALID_ENUM);
    glSemaphoreParameterui64vEXT(0, GL_NONE, &value);
    expect_error(GL_INVALID_ENUM);
    glGetSemaphoreParameterui64vEXT(0, GL_NONE, &value);
    expect_error(GL_INVALID_ENUM);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glSignalSemaphoreEXT(name[0], 1, (const GLuint[]){buffer + 100}, 0, NULL, NULL);
    expect_error(GL_INVALID_VALUE);
    glSignalSemaphoreEXT(name[0], 1, &buffer, 1, (const GLuint[]){texture + 100}, &layout);
    expect_error(GL_INVALID_VALUE);
    glSignalSemaphoreEXT(name[0], 1, &buffer, 1, &texture, &wrong);
    expect_error(GL_INVALID_ENUM);
    assert_int_equal(*shared, 0);
    glSignalSemaphoreEXT(name[0], 1, &buffer, 1, &texture, &layout);
    assert_int_equal(*shared, 1);
    glWaitSemaphoreEXT(name[0], 1, &buffer, 1, &texture, &layout);
    assert_int_equal(*shared, 0);
    __atomic_store_n(shared, 7, __ATOMIC_RELEASE);
    glWaitSemaphoreEXT(name[0], 0, NULL, 0, NULL, NULL);
    assert_int_equal(*shared, 0);
    check_wait(name[0], shared);
    /* another semaphore of the same file outlives the first one */
    glImportSemaphoreFdEXT(name[1], GL_HANDLE_TYPE_OPAQUE_FD_EXT, other);
    glSignalSemaphoreEXT(name[0], 0, NULL, 0, NULL, NULL);
    glDeleteSemaphoresEXT(1, name);
    glWaitSemaphoreEXT(name[1], 0, NULL, 0, NULL, NULL);
    assert_int_equal(*shared, 0);
    check_wait(name[1], shared);
    expect_error(GL_NO_ERROR);
    glDeleteSemaphoresEXT(2, name);
    glDeleteSemaphoresEXT(1, (const GLuint[]){0});
    assert_false(glIsSemaphoreEXT(name[0]));
    glSignalSemaphoreEXT(name[0], 0, NULL, 0, NULL, NULL);
    expect_error(GL_INVALID_VALUE);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    munmap(shared, 4);
}

/* Returns the number of this process's mappings of files whose names contain a text. */
static unsigned count_mappings(const char *name)
{
    char line[512];
    unsigned count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        count += strstr(line, name) != NULL;
    fclose(maps);
    return count;
}

/* Checks that deleted memory objects and semaphores unmap their files, also if the pages are huge,
 * which can only be unmapped whole. */
static void test_unmapping(void **state)
{
    static const unsigned flags[] = {0, MFD_HUGETLB};
    const bool semaphores =
        strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_semaphore_fd") != NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct stat file;
        GLuint name;
        int fd = memfd_create("unmapping", MFD_ALLOW_SEALING | flags[i]);
        if (fd < 0 || fstat(fd, &file) || ftruncate(fd, file.st_blksize)) {
            assert_true(flags[i]); /* the kernel has no huge pages */
            close(fd);
            continue;
        }
        void *page = mmap(NULL, (size_t)file.st_blksize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (page == MAP_FAILED) {
            assert_true(flags[i]); /* no huge page is free */
            close(fd);
            continue;
        }
        munmap(page, (size_t)file.st_blksize);
        glCreateMemoryObjectsEXT(1, &name);
        glImportMemoryFdEXT(name, 100, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
        expect_error(GL_NO_ERROR);
        assert_int_equal(count_mappings("unmapping"), 1);
        glDeleteMemoryObjectsEXT(1, &name);
        assert_int_equal(count_mappings("unmapping"), 0);
        if (semaphores) {
            glGenSemaphoresEXT(1, &name);
            glImportSemaphoreFdEXT(name, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
            expect_error(GL_NO_ERROR);
            assert_int_equal(count_mappings("unmapping"), 1);
            glDeleteSemaphoresEXT(1, &name);
            assert_int_equal(count_mappings("unmapping"), 0);
        }
        close(fd);
    }
}

/* --- shaders --- */

/* Checks that gl_SampleMaskIn excludes the samples that failed the early tests. */
static void test_post_depth_coverage(void **state)
{
    if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_post_depth_coverage"))
        return;
    GLuint program = gl_test_program(
        "#version 420\n"
        "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); "
        "}",
        "#version 420\n"
        "#extension GL_ARB_post_depth_coverage: require\n"
        "layout(post_depth_coverage) in;\n"
        "out vec4 color;\n"
        "void main() { color = vec4(bitCount(gl_SampleMaskIn[0]) / 4.0, 0, 0, 1); }");
    GLuint fbo, color, depth;
    glGenFramebuffers(1, &fbo);
    glGenTextures(1, &color);
    glGenRenderbuffers(1, &depth);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, color);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, SIZE, SIZE, GL_TRUE);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, SIZE, SIZE);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, color,
                           0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glClearStencil(0);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    /* One sample of each pixel gets the stencil value that passes. */
    glEnable(GL_STENCIL_TEST);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 4);
    glStencilFunc(GL_ALWAYS, 1, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glColorMask(0, 0, 0, 0);
    quad();
    glColorMask(1, 1, 1, 1);
    glDisable(GL_SAMPLE_MASK);
    glStencilFunc(GL_EQUAL, 1, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
    glDisable(GL_STENCIL_TEST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    expect(8, 8, 0.25f / 4, 0, 0); /* the mean of four samples, one of which was shaded */
    glPopAttrib();
    glDeleteProgram(program);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &color);
    glDeleteRenderbuffers(1, &depth);
}

/* MESA_ycbcr_texture: shared chroma of pixel pairs, both byte orders, and parts that begin within a
 * pair. */
static void test_ycbcr(void **state)
{
    enum { WHITE = 235 << 8 | 128, RED_B = 81 << 8 | 90, RED_R = 81 << 8 | 240 };
    static const GLushort image[2][4] = {{RED_B, RED_R, WHITE, WHITE},
                                         {WHITE, WHITE, RED_B, RED_R}};
    static const GLushort black[2] = {128 << 8 | 16, 128 << 8 | 16}; /* the other byte order */
    GLuint texture;
    GLint value = -1;
    GLubyte texels[2][4][4];
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_YCBCR_MESA, 4, 2, 0, GL_YCBCR_MESA,
                 GL_UNSIGNED_SHORT_8_8_MESA, image);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 2, 1, GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_REV_MESA,
                    black);
    expect_error(GL_NO_ERROR);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &value);
    assert_int_equal(value, GL_YCBCR_MESA);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_RED_SIZE, &value);
    assert_int_equal(value, 0);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_COMPRESSED, &value);
    assert_int_equal(value, GL_FALSE);

    glEnable(GL_TEXTURE_2D);
    glColor3f(1, 1, 1);
    glBegin(GL_QUADS);
    for (int v = 0; v < 4; v++) {
        glTexCoord2i(v == 1 || v == 2, v / 2);
        glVertex2i(v == 1 || v == 2 ? 1 : -1, v / 2 * 2 - 1);
    }
    glEnd();
    glDisable(GL_TEXTURE_2D);
    expect(2, 2, 1, 0, 0);
    expect(6, 2, 1, 0, 0);
    expect(10, 2, 1, 1, 1);
    expect(2, 12, 1, 1, 1);
    expect(6, 12, 0, 0, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    assert_in_range(texels[0][1][0], 253, 255);
    assert_in_range(texels[0][1][1], 0, 2);
    assert_in_range(texels[1][0][2], 253, 255);
    expect_error(GL_NO_ERROR);

    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    expect_error(GL_INVALID_OPERATION);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 2, 1);
    expect_error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_YCBCR_MESA, 2, 2, 0, GL_RGB, GL_UNSIGNED_BYTE, NULL);
    expect_error(GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 2, 2, 0, GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_MESA,
                 NULL);
    expect_error(GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_YCBCR_MESA, 2, 2, 1, GL_YCBCR_MESA,
                 GL_UNSIGNED_SHORT_8_8_MESA, NULL);
    expect_error(GL_INVALID_VALUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_SHORT_8_8_MESA, NULL);
    expect_error(GL_INVALID_ENUM);
    glDeleteTextures(1, &texture);
}

/* 3DFX_texture_compression_FXT1: layers of array textures are compressed like 2D images; 3D
 * textures are not supported. */
static void test_fxt1_arrays(void **state)
{
    static const GLenum formats[] = {GL_COMPRESSED_RGB_FXT1_3DFX, GL_COMPRESSED_RGBA_FXT1_3DFX};
    static const GLubyte colors[2][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}};
    GLubyte texels[2][8 * 4][4];
    GLuint p = gl_test_program("#version 130\n"
                               "void main() { gl_Position = gl_Vertex; }",
                               "#version 130\n"
                               "uniform sampler2DArray s;\n"
                               "void main() { gl_FragColor = texture(s, vec3(0.5, 0.5, 1)); }");
    for (unsigned i = 0; i < 2 * 8 * 4; i++)
        memcpy(texels[i / 32][i % 32], colors[i / 32], 4);
    glUseProgram(p);
    for (unsigned i = 0; i < 2; i++) {
        GLuint t;
        GLint compressed, bytes;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D_ARRAY, t);
        glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, formats[i], 8, 4, 2);
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 8, 4, 2, GL_RGBA, GL_UNSIGNED_BYTE,
                        texels);
        glGetTexLevelParameteriv(GL_TEXTURE_2D_ARRAY, 0, GL_TEXTURE_COMPRESSED, &compressed);
        assert_true(compressed);
        glGetTexLevelParameteriv(GL_TEXTURE_2D_ARRAY, 0, GL_TEXTURE_COMPRESSED_IMAGE_SIZE, &bytes);
        assert_int_equal(bytes, 2 * 16);
        glRectf(-1, -1, 1, 1);
        expect(3, 3, 0, 1, 0);
        glDeleteTextures(1, &t);
        expect_error(GL_NO_ERROR);
        glBindTexture(GL_TEXTURE_3D, 0);
        glCompressedTexImage3D(GL_TEXTURE_3D, 0, formats[i], 8, 4, 2, 0, 32, texels);
        expect_error(GL_INVALID_OPERATION);
    }
    gl_test_delete_program(p);
}

/* ESSL shaders in a desktop context may enable the extensions of OpenGL ES. */
static void test_es_shader_extensions(void **state)
{
    static const struct {
        const char *name;
        bool supported;
    } extensions[] = {
        {"GL_OES_sample_variables", true},     {"GL_OES_shader_image_atomic", true},
        {"GL_EXT_geometry_shader", true},      {"GL_EXT_conservative_depth", true},
        {"GL_OES_standard_derivatives", true}, {"GL_ARB_gpu_shader5", false},
    };
    for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        char text[200];
        const char *source = text;
        GLint compiled;
        GLuint shader = glCreateShader(GL_VERTEX_SHADER);
        snprintf(text, sizeof text,
                 "#version 310 es\n#extension %s : require\n"
                 "void main() { gl_Position = vec4(0.0); }\n",
                 extensions[i].name);
        glShaderSource(shader, 1, &source, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
        if ((compiled != 0) != extensions[i].supported)
            fail_msg("%s: %d", extensions[i].name, compiled);
        glDeleteShader(shader);
    }
}

/* --- memory --- */

static void test_memory_info(void **state)
{
    static const GLenum pools[] = {GL_VBO_FREE_MEMORY_ATI, GL_TEXTURE_FREE_MEMORY_ATI,
                                   GL_RENDERBUFFER_FREE_MEMORY_ATI};
    const GLint total = get(GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX);
    assert_in_range(total, 64 << 10, INT32_MAX);
    assert_int_equal(total, get(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX));
    assert_in_range(get(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX), 1, total);
    assert_int_equal(get(GL_GPU_MEMORY_INFO_EVICTION_COUNT_NVX), 0);
    assert_int_equal(get(GL_GPU_MEMORY_INFO_EVICTED_MEMORY_NVX), 0);
    for (unsigned i = 0; i < 3; i++) {
        GLint v[5] = {-1, -1, -1, -1, -1};
        glGetIntegerv(pools[i], v);
        assert_in_range(v[0], 1, total);
        assert_int_equal(v[1], v[0]);
        assert_int_equal(v[2], 0);
        assert_int_equal(v[3], 0);
        assert_int_equal(v[4], -1);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* --- EXT_shader_image_load_formatted, EXT_shader_clock --- */

/* Loads take the format of the image unit. Each image has one texel. */
static void test_formatted_loads(void **state)
{
    static const GLubyte bytes[16] = {51, 102, 153, 204, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const GLushort words[4] = {0x3266, 0x3666, 0x38cd, 0x3a66}; /* halves of 0.2 … 0.8 */
    static const GLfloat floats[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    static const struct {
        GLenum internal, format, type;
        const void *texel;
        float r, g, b;
    } cases[] = {
        {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, bytes, 0.2f, 0.4f, 0.6f},
        {GL_R8, GL_RED, GL_UNSIGNED_BYTE, bytes, 0.2f, 0, 0},
        {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, words, 0.2f, 0.4f, 0.6f},
        {GL_RG32F, GL_RG, GL_FLOAT, floats, 0.2f, 0.4f, 0},
        {GL_RGBA32F, GL_RGBA, GL_FLOAT, floats, 0.2f, 0.4f, 0.6f},
    };
    GLuint p = gl_test_program(NULL, "#version 430 compatibility\n"
                                     "#extension GL_EXT_shader_image_load_formatted : require\n"
                                     "layout(binding = 2) uniform image2D image;\n"
                                     "void main() { gl_FragColor = imageLoad(image, ivec2(0)); }");
    glUseProgram(p);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLuint texture;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, cases[i].internal, 1, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, cases[i].format, cases[i].type,
                        cases[i].texel);
        glBindImageTexture(2, texture, 0, GL_FALSE, 0, GL_READ_ONLY, cases[i].internal);
        glClear(GL_COLOR_BUFFER_BIT);
        quad();
        expect(5, 5, cases[i].r, cases[i].g, cases[i].b);
        glBindImageTexture(2, 0, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
        quad();
        expect(5, 5, 0, 0, 0); /* an unbound unit reads zeros */
        glDeleteTextures(1, &texture);
    }
    gl_test_delete_program(p);
}

/* The clock does not go back within an invocation. */
static void test_clock(void **state)
{
    GLuint p =
        gl_test_program(NULL, "#version 430 compatibility\n"
                              "#extension GL_EXT_shader_clock : require\n"
                              "void main() { uvec2 a = clock2x32EXT(); float x = gl_FragCoord.x;\n"
                              "for (int i = 0; i < 20; i++) x = sin(x);\n"
                              "uvec2 b = clock2x32EXT();\n"
                              "bool later = b.y > a.y || (b.y == a.y && b.x >= a.x);\n"
                              "gl_FragColor = vec4(x * 0.0, later ? 1.0 : 0.0, 0.0, 1.0); }");
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    quad();
    expect(5, 5, 0, 1, 0);
    gl_test_delete_program(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_es_shader_extensions),
        cmocka_unit_test(test_enable_bit),
        cmocka_unit_test(test_stencil_two_side),
        cmocka_unit_test(test_combiners),
        cmocka_unit_test(test_half_floats),
        cmocka_unit_test(test_raster_position),
        cmocka_unit_test(test_fixed_point),
        cmocka_unit_test(test_modes_apart),
        cmocka_unit_test(test_pack_invert),
        cmocka_unit_test(test_old_s3tc),
        cmocka_unit_test(test_large_level),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_ycbcr),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_pinned_memory),
        cmocka_unit_test(test_memory_objects),
        cmocka_unit_test(test_semaphores),
        cmocka_unit_test(test_unmapping),
        cmocka_unit_test(test_post_depth_coverage),
        cmocka_unit_test(test_integer_border),
        cmocka_unit_test(test_fxt1_arrays),
        cmocka_unit_test(test_memory_info),
        cmocka_unit_test(test_formatted_loads),
        cmocka_unit_test(test_clock),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
