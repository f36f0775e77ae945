/* SPDX-License-Identifier: MIT */
/*
 * EXT_direct_state_access: names that become objects on use, state that a parameter selects, and
 * selections that are restored afterwards. On the CPU driver.
 */
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

static GLint get(GLenum pname)
{
    GLint v = -1;
    glGetIntegerv(pname, &v);
    return v;
}

static void test_matrices(void **state)
{
    GLfloat m[16], want[16];
    glMatrixMode(GL_PROJECTION);
    glActiveTexture(GL_TEXTURE1);
    glMatrixLoadIdentityEXT(GL_TEXTURE3);
    glMatrixTranslatefEXT(GL_TEXTURE3, 1, 2, 3);
    glMatrixScaledEXT(GL_TEXTURE3, 2, 2, 2);
    glMatrixPushEXT(GL_MODELVIEW);
    glMatrixRotatefEXT(GL_MODELVIEW, 90, 0, 0, 1);
    glMatrixMultTransposefEXT(GL_MODELVIEW,
                              (GLfloat[]){1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1});
    assert_int_equal(get(GL_MATRIX_MODE), GL_PROJECTION);
    assert_int_equal(get(GL_ACTIVE_TEXTURE), GL_TEXTURE1);
    assert_int_equal(get(GL_MODELVIEW_STACK_DEPTH), 2);
    glGetFloatv(GL_MODELVIEW_MATRIX, m);
    assert_true(m[12] == -6 && m[13] == 5 && m[14] == 7);
    glMatrixPopEXT(GL_MODELVIEW);
    glGetFloatIndexedvEXT(GL_TEXTURE_MATRIX, 3, m);
    glActiveTexture(GL_TEXTURE3);
    glGetFloatv(GL_TEXTURE_MATRIX, want);
    assert_memory_equal(m, want, sizeof m);
    assert_true(m[0] == 2 && m[12] == 1 && m[14] == 3);
    glActiveTexture(GL_TEXTURE0);
    expect_error(GL_NO_ERROR);
    glMatrixLoadIdentityEXT(GL_TEXTURE0 + 1000);
    expect_error(GL_INVALID_ENUM);
    glMatrixPopEXT(GL_TEXTURE3);
    expect_error(GL_STACK_UNDERFLOW);
    assert_int_equal(get(GL_MATRIX_MODE), GL_PROJECTION);
    glMatrixLoadIdentityEXT(GL_TEXTURE3);
    glMatrixMode(GL_MODELVIEW);
}

/* Selects textures by a name that was never generated and by a unit; an existing object raises
 * errors. */
static void test_textures(void **state)
{
    static const GLubyte texel[2][4] = {{1, 2, 3, 4}, {250, 128, 7, 255}};
    const GLuint name = 1234;
    GLubyte got[4];
    GLint v;
    assert_false(glIsTexture(name));
    glTextureImage2DEXT(name, GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                        texel[0]);
    assert_true(glIsTexture(name));
    glGetTextureImageEXT(name, GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    assert_memory_equal(got, texel[0], 4);
    glTextureParameteriEXT(name, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 16777217);
    glGetTextureParameterivEXT(name, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, &v);
    assert_int_equal(v, 16777217);
    expect_error(GL_NO_ERROR);
    glTextureParameteriEXT(name, GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 1);
    expect_error(GL_INVALID_OPERATION);
    glGetTextureLevelParameterivEXT(name, GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &v);
    expect_error(GL_INVALID_OPERATION);
    glTextureParameteriEXT(name + 1, GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, -1);
    expect_error(GL_INVALID_VALUE);
    assert_true(glIsTexture(name + 1));
    assert_int_equal(get(GL_TEXTURE_BINDING_2D), 0);

    glBindMultiTextureEXT(GL_TEXTURE2, GL_TEXTURE_2D, name);
    glMultiTexSubImage2DEXT(GL_TEXTURE2, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                            texel[1]);
    glGetMultiTexImageEXT(GL_TEXTURE2, GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    assert_memory_equal(got, texel[1], 4);
    assert_int_equal(get(GL_TEXTURE_BINDING_2D), 0);
    glGetIntegerIndexedvEXT(GL_TEXTURE_BINDING_2D, 2, &v);
    assert_int_equal(v, name);
    glMultiTexEnviEXT(GL_TEXTURE2, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glGetMultiTexEnvivEXT(GL_TEXTURE2, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, &v);
    assert_int_equal(v, GL_REPLACE);
    glEnableIndexedEXT(GL_TEXTURE_2D, 2);
    assert_true(glIsEnabledIndexedEXT(GL_TEXTURE_2D, 2));
    assert_false(glIsEnabled(GL_TEXTURE_2D));
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    expect(3, 3, 250 / 255.0f, 128 / 255.0f, 7 / 255.0f);
    glDisableIndexedEXT(GL_TEXTURE_2D, 2);
    expect_error(GL_NO_ERROR);
    glMultiTexEnviEXT(GL_TEXTURE0 + 5000, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    expect_error(GL_INVALID_ENUM);
    glMultiTexParameteriEXT(GL_TEXTURE0 + 5000, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    expect_error(GL_INVALID_ENUM);
    glEnableIndexedEXT(GL_TEXTURE_2D, 5000);
    expect_error(GL_INVALID_VALUE);
    glDeleteTextures(2, (GLuint[]){name, name + 1});
}

static void test_lists(void **state)
{
    static GLubyte texel[4] = {9, 8, 7, 6};
    const GLuint name = 77, list = glGenLists(1);
    GLubyte got[4];
    glNewList(list, GL_COMPILE);
    glTextureImage2DEXT(name, GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                        texel);
    glMatrixTranslatefEXT(GL_MODELVIEW, 1, 0, 0);
    glNamedBufferDataEXT(5, 4, texel, GL_STATIC_DRAW); /* not compiled */
    glEndList();
    assert_true(glIsBuffer(5));
    assert_false(glIsTexture(name));
    texel[0] = 0;
    glCallList(list);
    glGetTextureImageEXT(name, GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    assert_int_equal(got[0], 9);
    GLfloat m[16];
    glGetFloatv(GL_MODELVIEW_MATRIX, m);
    assert_true(m[12] == 1);
    glMatrixLoadIdentityEXT(GL_MODELVIEW);
    glDeleteLists(list, 1);
    glDeleteTextures(1, &name);
    glDeleteBuffers(1, (GLuint[]){5});
    expect_error(GL_NO_ERROR);
}

static void test_buffers_and_arrays(void **state)
{
    GLuint vao;
    GLint v;
    void *pointer;
    char bytes[4];
    glNamedBufferSubDataEXT(900, 0, 0, NULL);
    assert_true(glIsBuffer(900));
    glNamedBufferDataEXT(901, 4, "abcd", GL_STATIC_DRAW);
    glNamedBufferDataEXT(900, 4, NULL, GL_STATIC_DRAW);
    glNamedCopyBufferSubDataEXT(901, 900, 0, 0, 4);
    glGetNamedBufferSubDataEXT(900, 0, 4, bytes);
    assert_memory_equal(bytes, "abcd", 4);
    expect_error(GL_NO_ERROR);
    glNamedBufferDataEXT(0, 4, NULL, GL_STATIC_DRAW);
    expect_error(GL_INVALID_OPERATION);
    glNamedBufferSubData(902, 0, 0, NULL); /* unlike EXT's, the ARB command creates no object */
    expect_error(GL_INVALID_OPERATION);
    assert_false(glIsBuffer(902));

    glGenVertexArrays(1, &vao);
    glVertexArrayVertexOffsetEXT(vao, 900, 3, GL_SHORT, 12, 40);
    glVertexArrayMultiTexCoordOffsetEXT(vao, 900, GL_TEXTURE2, 2, GL_FLOAT, 0, 8);
    glEnableVertexArrayEXT(vao, GL_VERTEX_ARRAY);
    glEnableVertexArrayEXT(vao, GL_TEXTURE2);
    assert_int_equal(get(GL_VERTEX_ARRAY_SIZE), 4);
    assert_false(glIsEnabled(GL_VERTEX_ARRAY));
    glGetVertexArrayIntegervEXT(vao, GL_VERTEX_ARRAY_STRIDE, &v);
    assert_int_equal(v, 12);
    glGetVertexArrayIntegervEXT(vao, GL_VERTEX_ARRAY, &v);
    assert_int_equal(v, 1);
    glGetVertexArrayPointervEXT(vao, GL_VERTEX_ARRAY_POINTER, &pointer);
    assert_ptr_equal(pointer, (void *)40);
    glGetVertexArrayIntegeri_vEXT(vao, 2, GL_TEXTURE_COORD_ARRAY, &v);
    assert_int_equal(v, 1);
    glGetVertexArrayPointeri_vEXT(vao, 2, GL_TEXTURE_COORD_ARRAY_POINTER, &pointer);
    assert_ptr_equal(pointer, (void *)8);
    expect_error(GL_NO_ERROR);
    glVertexArrayVertexOffsetEXT(vao, 900, 3, GL_SHORT, 12, -4);
    expect_error(GL_INVALID_VALUE);
    glVertexArrayVertexOffsetEXT(vao + 1, 900, 3, GL_SHORT, 12, 4);
    expect_error(GL_INVALID_OPERATION);
    glVertexArrayMultiTexCoordOffsetEXT(vao, 900, GL_TEXTURE0 + 100, 2, GL_FLOAT, 0, 8);
    expect_error(GL_INVALID_ENUM);
    glGetVertexArrayIntegervEXT(vao, GL_VERTEX_ATTRIB_ARRAY_SIZE, &v);
    expect_error(GL_INVALID_ENUM);
    glGetVertexArrayIntegeri_vEXT(vao, 100, GL_TEXTURE_COORD_ARRAY, &v);
    expect_error(GL_INVALID_VALUE);
    glEnableClientStateiEXT(GL_VERTEX_ARRAY, 0);
    expect_error(GL_INVALID_ENUM);

    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glBindVertexArray(vao);
    glPushClientAttribDefaultEXT(GL_CLIENT_ALL_ATTRIB_BITS);
    assert_int_equal(get(GL_UNPACK_ALIGNMENT), 4);
    assert_int_equal(get(GL_VERTEX_ARRAY_SIZE), 4);
    assert_false(glIsEnabled(GL_VERTEX_ARRAY));
    glPopClientAttrib();
    assert_int_equal(get(GL_UNPACK_ALIGNMENT), 1);
    assert_int_equal(get(GL_VERTEX_ARRAY_SIZE), 3);
    assert_int_equal(get(GL_VERTEX_ARRAY_BUFFER_BINDING), 900);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &vao);
    glDeleteBuffers(2, (GLuint[]){900, 901});
    expect_error(GL_NO_ERROR);
}

static void test_framebuffers_and_programs(void **state)
{
    static const char text[] = "!!ARBvp1.0\nMOV result.position, program.local[3];\nEND";
    GLint v;
    GLfloat local[4];
    char got[sizeof text] = "";
    glNamedRenderbufferStorageEXT(40, GL_RGBA8, 4, 4);
    glNamedFramebufferRenderbufferEXT(41, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, 40);
    glFramebufferDrawBufferEXT(41, GL_COLOR_ATTACHMENT1);
    glFramebufferReadBufferEXT(41, GL_NONE);
    assert_int_equal(glCheckNamedFramebufferStatusEXT(41, GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glGetFramebufferParameterivEXT(41, GL_DRAW_BUFFER, &v);
    assert_int_equal(v, GL_COLOR_ATTACHMENT1);
    assert_int_equal(get(GL_FRAMEBUFFER_BINDING), 0);
    expect_error(GL_NO_ERROR);
    glDeleteFramebuffers(1, (GLuint[]){41});
    glDeleteRenderbuffers(1, (GLuint[]){40});

    glNamedProgramStringEXT(50, GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof text - 1,
                            text);
    glNamedProgramLocalParameter4fEXT(50, GL_VERTEX_PROGRAM_ARB, 3, 1, 2, 3, 4);
    glGetNamedProgramLocalParameterfvEXT(50, GL_VERTEX_PROGRAM_ARB, 3, local);
    assert_true(local[0] == 1 && local[3] == 4);
    glGetNamedProgramivEXT(50, GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_LENGTH_ARB, &v);
    assert_int_equal(v, sizeof text - 1);
    glGetNamedProgramStringEXT(50, GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_STRING_ARB, got);
    assert_string_equal(got, text);
    glGetProgramivARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_LENGTH_ARB, &v);
    assert_int_equal(v, 0);
    expect_error(GL_NO_ERROR);
    glNamedProgramLocalParameter4fEXT(50, GL_FRAGMENT_PROGRAM_ARB, 3, 1, 2, 3, 4);
    expect_error(GL_INVALID_OPERATION);
    glDeleteProgramsARB(1, (GLuint[]){50});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_buffers_and_arrays),
        cmocka_unit_test(test_framebuffers_and_programs),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
