/* SPDX-License-Identifier: MIT */
/* The API layer through the core interface, on the driver that draws nothing. */
#define GL_GLEXT_PROTOTYPES
#include <math.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {64, 32};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static void test_strings(void **state)
{
    assert_string_equal((const char *)glGetString(GL_VENDOR), "Indium");
    assert_non_null(strstr((const char *)glGetString(GL_VERSION), "Indium"));
    assert_null(glGetString(GL_TEXTURE_2D));
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_proc_address(void **state)
{
    assert_ptr_equal(core->get_proc_address("glBegin"), (void (*)(void))glBegin);
    assert_null(core->get_proc_address("glNoSuchThing"));
    assert_null(core->get_proc_address(""));
}

static void test_window(void **state)
{
    GLint v[4];
    glGetIntegerv(GL_VIEWPORT, v);
    assert_int_equal(v[2], 64);
    assert_int_equal(v[3], 32);
    static uint32_t pixels[32][64];
    assert_true(core->drawable_resolve(drawable, GL_BUFFER_BACK_LEFT, pixels, sizeof pixels[0], 0,
                                       0, 64, 32));
    core->drawable_swap(drawable);
}

static void test_enables(void **state)
{
    assert_false(glIsEnabled(GL_BLEND));
    glEnable(GL_BLEND);
    assert_true(glIsEnabled(GL_BLEND));
    glPushAttrib(GL_ENABLE_BIT);
    glDisable(GL_BLEND);
    glEnable(GL_LIGHT3);
    glPopAttrib();
    assert_true(glIsEnabled(GL_BLEND));
    assert_false(glIsEnabled(GL_LIGHT3));
    glDisable(GL_BLEND);
    glEnable(0x1234);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

static void test_matrices(void **state)
{
    GLfloat m[16];
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(1, 2, 3);
    glScalef(2, 2, 2);
    glPushMatrix();
    glRotatef(90, 0, 0, 1);
    glGetFloatv(GL_MODELVIEW_MATRIX, m);
    assert_true(m[0] == 0 && m[1] == 2 && m[4] == -2 && m[12] == 1 && m[14] == 3);
    glPopMatrix();
    glPopMatrix();
    assert_int_equal(glGetError(), GL_STACK_UNDERFLOW);
    glGetFloatv(GL_TRANSPOSE_MODELVIEW_MATRIX, m);
    assert_true(m[3] == 1 && m[7] == 2 && m[11] == 3 && m[0] == 2);
    glLoadIdentity();
}

/* GL 4.6 compatibility §13.7: a clip plane p is stored as p M⁻¹ for the current modelview matrix
 * M. */
static void test_inverses(void **state)
{
    static const GLdouble plane[4] = {1, -2, 0.5, 3};
    static const GLfloat matrices[][16] = {
        {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1},                  /* rotated, larger */
        {1, 0.5f, -2, 0, 0.25f, 3, 1, 0, -1, 0.125f, 1, 0, 10, -20, 30, 1}, /* affine */
        {1e-6f, 0, 0, 0, 0, 1e-6f, 0, 0, 0, 2e-6f, -1e-6f, 0, 4, 5, 6, 1},  /* small */
        {1, 0, 0, 0.5f, 0, 1, 0.25f, 0, 0, -1, 2, 1, 3, 0, 0, 2},           /* projective */
        {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2},                   /* with another w */
    };
    glMatrixMode(GL_MODELVIEW);
    for (unsigned i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        GLdouble kept[4];
        const GLfloat *m = matrices[i];
        glLoadMatrixf(m);
        glClipPlane(GL_CLIP_PLANE2, plane);
        glGetClipPlane(GL_CLIP_PLANE2, kept);
        for (unsigned c = 0; c < 4; c++) {
            double sum = 0, size = 0;
            for (unsigned r = 0; r < 4; r++) {
                sum += kept[r] * m[4 * c + r];
                size += fabs(kept[r] * m[4 * c + r]);
            }
            assert_true(fabs(sum - plane[c]) <= 1e-6 * size);
        }
    }
    glLoadIdentity();
}

static void test_current_values(void **state)
{
    GLfloat v[4];
    GLint i[4];
    glColor3ub(255, 0, 51);
    glGetFloatv(GL_CURRENT_COLOR, v);
    assert_true(v[0] == 1 && v[1] == 0 && v[2] == 0.2f && v[3] == 1);
    glGetIntegerv(GL_CURRENT_COLOR, i);
    assert_int_equal(i[0], 2147483647);
    glVertexAttrib4Nub(3, 255, 0, 255, 0);
    glGetVertexAttribfv(3, GL_CURRENT_VERTEX_ATTRIB, v);
    assert_true(v[0] == 1 && v[1] == 0 && v[2] == 1 && v[3] == 0);
    glBegin(GL_TRIANGLES);
    for (int n = 0; n < 300; n++) {
        glColor4f(0.5f, 0, 0, n);
        glTexCoord2f(n, 1);
        glVertex3f(n, 0, 0);
        if (n == 100)
            glNormal3f(0, 1, 0);
    }
    glEnd();
    glGetFloatv(GL_CURRENT_COLOR, v);
    assert_true(v[0] == 0.5f && v[3] == 299);
    glGetFloatv(GL_CURRENT_TEXTURE_COORDS, v);
    assert_true(v[0] == 299 && v[1] == 1 && v[2] == 0 && v[3] == 1);
    glGetFloatv(GL_CURRENT_NORMAL, v);
    assert_true(v[0] == 0 && v[1] == 1 && v[2] == 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_begin_end_rules(void **state)
{
    glBegin(GL_LINES);
    glEnable(GL_BLEND);
    glBegin(GL_LINES);
    glEnd();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    assert_false(glIsEnabled(GL_BLEND));
    glEnd();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBegin(0x99);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    /* Splits an open primitive. */
    const GLfloat red[4] = {1, 0, 0, 1};
    GLfloat v[4];
    for (GLenum mode = GL_POINTS; mode <= GL_POLYGON; mode++) {
        glBegin(mode);
        for (int n = 0; n < 7; n++) {
            glVertex2f(n, n);
            glMaterialfv(GL_FRONT, GL_DIFFUSE, red);
        }
        glEnd();
    }
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, red, sizeof v);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_buffers(void **state)
{
    GLuint b;
    GLint size;
    unsigned char back[8] = {0};
    glGenBuffers(1, &b);
    assert_false(glIsBuffer(b));
    glBindBuffer(GL_ARRAY_BUFFER, b);
    assert_true(glIsBuffer(b));
    glBufferData(GL_ARRAY_BUFFER, 8, "abcdefg", GL_STATIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 2, 2, "XY");
    glBufferSubData(GL_ARRAY_BUFFER, 7, 2, "XY");
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, 8, back);
    assert_memory_equal(back, "abXYefg", 8);
    char *p = glMapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE);
    assert_non_null(p);
    assert_null(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE));
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    p[0] = 'z';
    assert_true(glUnmapBuffer(GL_ARRAY_BUFFER));
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    assert_int_equal(size, 8);
    glDeleteBuffers(1, &b);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &size);
    assert_int_equal(size, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* ARB_map_buffer_alignment: the address of byte 0 is aligned, wherever the mapping starts. */
static void test_map_alignment(void **state)
{
    GLuint b[16];
    GLint alignment;
    glGetIntegerv(GL_MIN_MAP_BUFFER_ALIGNMENT, &alignment);
    assert_true(alignment >= 64);
    glGenBuffers(16, b);
    for (GLsizeiptr i = 0; i < 16; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, b[i]);
        glBufferData(GL_ARRAY_BUFFER, 8 * i + 40, NULL, GL_STATIC_DRAW);
        const char *p = glMapBufferRange(GL_ARRAY_BUFFER, i, 8, GL_MAP_READ_BIT);
        assert_non_null(p);
        assert_int_equal((uintptr_t)(p - i) % (unsigned)alignment, 0);
        assert_true(glUnmapBuffer(GL_ARRAY_BUFFER));
    }
    glDeleteBuffers(16, b);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_arrays(void **state)
{
    static const GLfloat positions[12] = {0};
    static const GLubyte indices[6] = {0, 1, 2, 3, 255, 0};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, positions);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, indices);
    glDrawElements(GL_TRIANGLE_STRIP, 4, GL_FLOAT, indices);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDrawArrays(GL_TRIANGLES, 0, -3);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glVertexPointer(5, GL_FLOAT, 0, positions);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    void *pointer;
    glGetPointerv(GL_VERTEX_ARRAY_POINTER, &pointer);
    assert_ptr_equal(pointer, positions);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glDisableClientState(GL_VERTEX_ARRAY);
    glPopClientAttrib();
    assert_true(glIsEnabled(GL_VERTEX_ARRAY));
    glDisableClientState(GL_VERTEX_ARRAY);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_lists(void **state)
{
    GLuint list = glGenLists(3);
    GLfloat v[4];
    assert_true(list && glIsList(list) && glIsList(list + 2));
    const GLfloat ambient[4] = {0.25f, 0.5f, 0.75f, 1};
    glColor3f(0, 0, 0);
    glNewList(list, GL_COMPILE);
    glColor3f(1, 0.5f, 0);
    glLightfv(GL_LIGHT1, GL_AMBIENT, ambient);
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 3000; i++)
        glVertex2i(i, i);
    glEnd();
    glEnable(GL_FOG);
    glEndList();
    assert_false(glIsEnabled(GL_FOG));
    glNewList(list + 1, GL_COMPILE);
    glCallList(list);
    glEndList();
    const GLubyte names[] = {0, 1};
    glListBase(list);
    glCallLists(2, GL_UNSIGNED_BYTE, names);
    glListBase(0);
    assert_true(glIsEnabled(GL_FOG));
    glDisable(GL_FOG);
    glGetFloatv(GL_CURRENT_COLOR, v);
    assert_true(v[0] == 1 && v[1] == 0.5f);
    glGetLightfv(GL_LIGHT1, GL_AMBIENT, v);
    assert_memory_equal(v, ambient, sizeof v);
    glNewList(list, GL_COMPILE); /* an empty text */
    glCallLists(0, GL_UNSIGNED_BYTE, "");
    glEndList();
    glCallList(list);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteLists(list, 3);
    assert_false(glIsList(list));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_queries(void **state)
{
    GLuint q, result = 7;
    glGenQueries(1, &q);
    glBeginQuery(GL_SAMPLES_PASSED, q);
    glBeginQuery(GL_SAMPLES_PASSED, q);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(q, GL_QUERY_RESULT, &result);
    assert_int_equal(result, 0);
    glDeleteQueries(1, &q);
    GLsync s = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    assert_true(glIsSync(s));
    assert_int_equal(glClientWaitSync(s, 0, 0), GL_ALREADY_SIGNALED);
    glDeleteSync(s);
    glDeleteSync(s);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
}

static void test_selection(void **state)
{
    GLuint buffer[16];
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glSelectBuffer(16, buffer);
    assert_int_equal(glRenderMode(GL_SELECT), 0);
    glInitNames();
    glPushName(7);
    glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
    glLoadName(8);
    glRectf(1.5f, 1.5f, 2.5f, 2.5f); /* outside */
    glLoadName(9);
    glBegin(GL_POINTS);
    glVertex3f(0, 0, 1);
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 2);
    assert_int_equal(buffer[0], 1);
    assert_int_equal(buffer[1], buffer[2]);
    assert_int_equal(buffer[3], 7);
    assert_int_equal(buffer[5], 0xffffffff);
    assert_int_equal(buffer[7], 9);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks selection (GL 4.6 compatibility §21.2): a hit record has the minimum and maximum depth of
 * the hits since the last name change, in window coordinates, scaled to the whole range of unsigned
 * integers. */
static void test_selection_depths(void **state)
{
    static const float z[3] = {0.5f, -0.5f, 0};
    GLuint buffer[32];
    glSelectBuffer(32, buffer);
    glRenderMode(GL_SELECT);
    glInitNames();
    glPushName(1);
    for (unsigned first = 0; first < 3; first++) { /* in each order */
        glLoadName(first);
        glBegin(GL_POINTS);
        for (unsigned i = 0; i < 3; i++)
            glVertex3f(0, 0, z[(first + i) % 3]);
        glEnd();
    }
    glDepthRange(0.5, 1);
    glLoadName(3);
    glBegin(GL_LINES);
    glVertex3f(0, 0, -3); /* clipped at the near plane */
    glVertex3f(0, 0, 0.5f);
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 4);
    for (unsigned i = 0; i < 3; i++) {
        const GLuint *record = buffer + 4 * i;
        assert_int_equal(record[0], 1);
        assert_int_equal(record[1], 0x40000000); /* a quarter of 2^32 - 1, rounded */
        assert_int_equal(record[2], 0xbfffffff);
        assert_int_equal(record[3], i);
    }
    assert_int_equal(buffer[13] >> 16, 0x8000);
    assert_int_equal(buffer[14] >> 16, 0xdfff);
    glDepthRange(0, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Raster positions cause hits, but bitmaps and pixels don't (GL 4.6 compatibility §21.2, appendix
 * B, corollary 6). */
static void test_selection_of_raster_positions(void **state)
{
    static const GLubyte pixels[4] = {255, 255, 255, 255};
    GLuint buffer[32];
    glSelectBuffer(32, buffer);
    glRenderMode(GL_SELECT);
    glInitNames();
    glPushName(1);
    glRasterPos3f(0, 0, 1);
    glLoadName(2);
    glBitmap(8, 1, 0, 0, 0, 0, pixels);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glCopyPixels(0, 0, 1, 1, GL_COLOR);
    glLoadName(3);
    glWindowPos3f(2000, 0, 0);
    glLoadName(4);
    glRasterPos3f(0, 0, 2);
    glLoadName(5);
    assert_int_equal(glRenderMode(GL_RENDER), 2);
    assert_int_equal(buffer[1], UINT32_MAX);
    assert_int_equal(buffer[3], 1);
    assert_int_equal(buffer[5], 0);
    assert_int_equal(buffer[7], 3);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* GL 4.6 §6.3: invalid map flags, and the storage flags that each access requires. */
static void test_map_access(void **state)
{
    static const struct {
        GLbitfield access;
        GLenum error;
    } rows[] = {
        {GL_MAP_READ_BIT, GL_NO_ERROR},
        {GL_MAP_WRITE_BIT, GL_NO_ERROR},
        {GL_MAP_READ_BIT | GL_MAP_WRITE_BIT, GL_NO_ERROR},
        {GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT, GL_NO_ERROR},
        {GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT, GL_NO_ERROR},
        {GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT, GL_NO_ERROR},
        {GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT, GL_NO_ERROR},
        {0, GL_INVALID_OPERATION},
        {GL_MAP_INVALIDATE_BUFFER_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_INVALIDATE_RANGE_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_INVALIDATE_BUFFER_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_UNSYNCHRONIZED_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_FLUSH_EXPLICIT_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT, GL_INVALID_OPERATION},
        {GL_MAP_READ_BIT | 1u << 31, GL_INVALID_VALUE},
    };
    GLuint b;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *p = glMapBufferRange(GL_ARRAY_BUFFER, 16, 16, rows[i].access);
        assert_int_equal(glGetError(), rows[i].error);
        assert_int_equal(p == NULL, rows[i].error != GL_NO_ERROR);
        if (p)
            assert_true(glUnmapBuffer(GL_ARRAY_BUFFER));
    }
    assert_null(glMapBufferRange(GL_ARRAY_BUFFER, 60, 5, GL_MAP_WRITE_BIT));
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    assert_null(glMapBufferRange(GL_ARRAY_BUFFER, 0, 0, GL_MAP_WRITE_BIT));
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteBuffers(1, &b);
}

/* Queries return what was set last, by each name its own value; errors set nothing. */
static void test_values(void **state)
{
    static const struct {
        GLenum name, value;
    } rows[] = {
        {GL_CULL_FACE_MODE, GL_FRONT},
        {GL_FRONT_FACE, GL_CW},
        {GL_DEPTH_FUNC, GL_GEQUAL},
        {GL_LOGIC_OP_MODE, GL_XOR},
        {GL_SHADE_MODEL, GL_FLAT},
        {GL_ALPHA_TEST_FUNC, GL_GREATER},
        {GL_BLEND_SRC_RGB, GL_ONE_MINUS_DST_ALPHA},
        {GL_BLEND_DST_RGB, GL_SRC_COLOR},
        {GL_BLEND_SRC_ALPHA, GL_DST_ALPHA},
        {GL_BLEND_DST_ALPHA, GL_CONSTANT_ALPHA},
        {GL_BLEND_EQUATION_RGB, GL_MIN},
        {GL_BLEND_EQUATION_ALPHA, GL_MAX},
        {GL_STENCIL_FUNC, GL_LESS},
        {GL_STENCIL_REF, 5},
        {GL_STENCIL_VALUE_MASK, 6},
        {GL_STENCIL_WRITEMASK, 7},
        {GL_STENCIL_FAIL, GL_INCR},
        {GL_STENCIL_PASS_DEPTH_FAIL, GL_DECR},
        {GL_STENCIL_PASS_DEPTH_PASS, GL_INVERT},
        {GL_STENCIL_BACK_FUNC, GL_GREATER},
        {GL_STENCIL_BACK_REF, 8},
        {GL_PROVOKING_VERTEX, GL_FIRST_VERTEX_CONVENTION},
        {GL_LINE_STIPPLE_PATTERN, 0x1234},
        {GL_LINE_STIPPLE_REPEAT, 9},
    };
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glCullFace(GL_FRONT);
    glFrontFace(GL_CW);
    glDepthFunc(GL_GEQUAL);
    glLogicOp(GL_XOR);
    glShadeModel(GL_FLAT);
    glAlphaFunc(GL_GREATER, 0.5f);
    glBlendFuncSeparate(GL_ONE_MINUS_DST_ALPHA, GL_SRC_COLOR, GL_DST_ALPHA, GL_CONSTANT_ALPHA);
    glBlendEquationSeparate(GL_MIN, GL_MAX);
    glStencilFuncSeparate(GL_FRONT, GL_LESS, 5, 6);
    glStencilFuncSeparate(GL_BACK, GL_GREATER, 8, 9);
    glStencilMaskSeparate(GL_FRONT, 7);
    glStencilOpSeparate(GL_FRONT, GL_INCR, GL_DECR, GL_INVERT);
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    glLineStipple(9, 0x1234);
    glViewport(1, 2, 3, 4);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glViewport(0, 0, -1, 4);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glViewport(0, 0, 1, -4);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glScissor(0, 0, -1, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCullFace(GL_CW);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDepthFunc(GL_CW);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glPointSize(0);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        GLint value = -1;
        glGetIntegerv(rows[i].name, &value);
        assert_int_equal(value, rows[i].value);
    }
    GLint viewport[4];
    glGetIntegerv(GL_VIEWPORT, viewport);
    for (int i = 0; i < 4; i++)
        assert_int_equal(viewport[i], i + 1);
    glPopAttrib();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Queries of floats as integers return the nearest integer that the type represents (GL 4.6
 * §2.2.2), and colors are mapped to all integers. */
static void test_conversions(void **state)
{
    static const GLfloat vector[4] = {1e30f, -1e30f, 2.75f, 1}, half[4] = {0.5f, 0, 0, 1};
    const GLint want[4] = {INT32_MAX, INT32_MIN, 3, 1};
    GLuint unsigned_ints[4];
    GLushort shorts[4];
    GLint v[3][4];
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glLightfv(GL_LIGHT0, GL_POSITION, vector);
    glGetLightiv(GL_LIGHT0, GL_POSITION, v[0]);
    glTexGenfv(GL_S, GL_OBJECT_PLANE, vector);
    glGetTexGeniv(GL_S, GL_OBJECT_PLANE, v[1]);
    glVertexAttrib4fv(3, vector);
    glGetVertexAttribiv(3, GL_CURRENT_VERTEX_ATTRIB, v[2]);
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(v[i / 4][i % 4], want[i % 4]);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, half);
    glGetTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v[0]);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, half);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, v[1]);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(v[i][0], 1 << 30);
        assert_int_equal(v[i][3], INT32_MAX);
    }
    glPixelMapfv(GL_PIXEL_MAP_I_TO_I, 4, vector);
    glGetPixelMapuiv(GL_PIXEL_MAP_I_TO_I, unsigned_ints);
    glGetPixelMapusv(GL_PIXEL_MAP_I_TO_I, shorts);
    assert_true(unsigned_ints[0] == UINT32_MAX && shorts[0] == 65535);
    assert_true(unsigned_ints[1] == 0 && shorts[1] == 0);
    assert_true(unsigned_ints[2] == 3 && shorts[2] == 3);
    glPixelMapfv(GL_PIXEL_MAP_I_TO_I, 1, (const GLfloat[]){0});
    glVertexAttrib4f(3, 0, 0, 0, 1);
    glPopAttrib();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Popping attributes keeps the materials that track the current color equal to it (GL 4.6
 * compatibility §12.2.3). */
static void test_tracking_after_pop(void **state)
{
    static const GLfloat red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1};
    GLfloat v[4];
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glColorMaterial(GL_FRONT, GL_DIFFUSE);
    glEnable(GL_COLOR_MATERIAL);
    glColor4fv(red);
    glPushAttrib(GL_LIGHTING_BIT);
    glColor4fv(blue);
    glPopAttrib(); /* the current color is still blue */
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, blue, sizeof v);
    glPushAttrib(GL_ENABLE_BIT);
    glDisable(GL_COLOR_MATERIAL);
    glColor4fv(green);
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, blue, sizeof v);
    glPopAttrib();
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, green, sizeof v);
    glPushAttrib(GL_CURRENT_BIT);
    glColor4fv(red);
    glPopAttrib();
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, green, sizeof v);
    glPopAttrib();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* glLight, glFog and glTexEnv with one value don't accept the names of vectors (GL 4.6
 * compatibility §12.2.2). glMaterial, glLightModel and glTexGen do, as in Mesa: the other
 * components become 0. */
static void test_scalars(void **state)
{
    static const GLenum lights[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_POSITION,
                                    GL_SPOT_DIRECTION};
    static const GLfloat diffuse[4] = {0.25f, 0.5f, 0.75f, 1}, scalar[4] = {0.5f};
    const GLuint list = glGenLists(1);
    GLfloat v[4];
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    for (unsigned i = 0; i < sizeof lights / sizeof *lights; i++) {
        glLightf(GL_LIGHT0, lights[i], 0.5f);
        expect_error(GL_INVALID_ENUM);
        glLighti(GL_LIGHT0, lights[i], 1);
        expect_error(GL_INVALID_ENUM);
    }
    glFogf(GL_FOG_COLOR, 0.5f);
    expect_error(GL_INVALID_ENUM);
    glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 0.5f);
    expect_error(GL_INVALID_ENUM);
    glMaterialf(GL_FRONT, GL_AMBIENT, 0.5f);
    glGetMaterialfv(GL_FRONT, GL_AMBIENT, v);
    assert_memory_equal(v, scalar, sizeof v);
    glLightModelf(GL_LIGHT_MODEL_AMBIENT, 0.5f);
    glGetFloatv(GL_LIGHT_MODEL_AMBIENT, v);
    assert_memory_equal(v, scalar, sizeof v);
    glTexGenf(GL_S, GL_OBJECT_PLANE, 0.5f);
    glGetTexGenfv(GL_S, GL_OBJECT_PLANE, v);
    assert_memory_equal(v, scalar, sizeof v);
    glMaterialfv(GL_FRONT, GL_DIFFUSE, diffuse);
    glNewList(list, GL_COMPILE);
    glMaterialf(GL_FRONT, GL_DIFFUSE, 0.5f);
    glEndList();
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, diffuse, sizeof v);
    glCallList(list);
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, v);
    assert_memory_equal(v, scalar, sizeof v);
    glDeleteLists(list, 1);
    glPopAttrib();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_feedback(void **state)
{
    GLfloat buffer[64];
    glFeedbackBuffer(64, GL_3D, buffer);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_LINES);
    glVertex2f(0, 0);
    glVertex2f(3, 0); /* clipped at 1 */
    glEnd();
    glPassThrough(5);
    assert_int_equal(glRenderMode(GL_RENDER), 9);
    assert_true(buffer[0] == GL_LINE_RESET_TOKEN && buffer[1] == 32 && buffer[2] == 16);
    assert_true(buffer[4] == 64 && buffer[5] == 16 && buffer[6] == 0.5f);
    assert_true(buffer[7] == GL_PASS_THROUGH_TOKEN && buffer[8] == 5);
    /* GL 4.6 compatibility §10.1.3: a loop of two vertices has two segments, too. */
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_LINE_LOOP);
    glVertex2f(0, 0);
    glVertex2f(0.5f, 0);
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 2 * 7);
}

/* glClipControl affects feedback, selection and the raster position like rendering (GL 4.6 §13.7,
 * §13.8, §14.6.1). */
static void test_feedback_of_clip_control(void **state)
{
    GLfloat buffer[64], v[4];
    glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
    glFeedbackBuffer(64, GL_3D, buffer);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_POINTS);
    glVertex3f(0, 0.5f, 0.25f);
    glVertex3f(0, 0, -0.5f); /* clipped */
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 4);
    assert_true(buffer[1] == 32 && buffer[2] == 8 && buffer[3] == 0.25f);
    glRasterPos3f(0, 0.5f, 0.25f);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 32 && v[1] == 8 && v[2] == 0.25f);
    glEnable(GL_CULL_FACE);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_TRIANGLES);
    glVertex2f(0, 0); /* counterclockwise in clip coordinates */
    glVertex2f(1, 0);
    glVertex2f(0, 1);
    glEnd();
    glDisable(GL_CULL_FACE);
    assert_int_equal(glRenderMode(GL_RENDER), 2 + 3 * 3);
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Only boundary edges of polygons appear as lines and points in feedback (GL 4.6 compatibility
 * §10.1.17, §14.6.4). Clipping adds boundary edges (§13.7). */
static void test_feedback_of_edges(void **state)
{
    static const struct {
        GLenum polygon_mode, mode;
        GLboolean others; /* edge flag of the second and third vertex; that of the first is false */
        GLfloat x;        /* x of the second vertex */
        GLint values;
    } rows[] = {
        {GL_LINE, GL_TRIANGLES, GL_TRUE, 0.5f, 2 * 5},
        {GL_POINT, GL_TRIANGLES, GL_TRUE, 0.5f, 2 * 3},
        {GL_LINE, GL_POLYGON, GL_TRUE, 0.5f, 2 * 5},
        {GL_LINE, GL_TRIANGLE_STRIP, GL_FALSE, 0.5f, 3 * 5}, /* has no flags */
        {GL_LINE, GL_TRIANGLES, GL_FALSE, 2, 5},             /* the edge at x = 1 */
    };
    GLfloat buffer[64];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        glPolygonMode(GL_FRONT_AND_BACK, rows[i].polygon_mode);
        glFeedbackBuffer(64, GL_2D, buffer);
        glRenderMode(GL_FEEDBACK);
        glBegin(rows[i].mode);
        glEdgeFlag(GL_FALSE);
        glVertex2f(0, 0);
        glEdgeFlag(rows[i].others);
        glVertex2f(rows[i].x, 0);
        glVertex2f(0, 0.5f);
        glEnd();
        assert_int_equal(glRenderMode(GL_RENDER), rows[i].values);
        assert_true(buffer[0] ==
                    (rows[i].polygon_mode == GL_LINE ? GL_LINE_RESET_TOKEN : GL_POINT_TOKEN));
        if (rows[i].values == 2 * 5)
            assert_true(buffer[5] == GL_LINE_TOKEN);
    }
    assert_true(buffer[1] == 64 && buffer[2] == 16 && buffer[3] == 64 && buffer[4] == 20);
    glEdgeFlag(GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Flat colors in feedback are those of the provoking vertex (GL 4.6 compatibility table 13.2). */
static void test_feedback_of_flat_colors(void **state)
{
    static const struct {
        GLenum mode;
        unsigned first, last; /* vertices that provoke the last primitive of four vertices */
    } rows[] = {{GL_LINES, 2, 3},          {GL_LINE_STRIP, 2, 3},   {GL_LINE_LOOP, 3, 0},
                {GL_TRIANGLE_STRIP, 1, 3}, {GL_TRIANGLE_FAN, 2, 3}, {GL_POLYGON, 0, 0}};
    static const GLfloat positions[4][2] = {{0, 0}, {0.5f, 0}, {0, 0.5f}, {-0.5f, 0.25f}};
    GLfloat buffer[128];
    glShadeModel(GL_FLAT);
    for (unsigned i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        glProvokingVertex(i & 1 ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
        glFeedbackBuffer(128, GL_3D_COLOR, buffer);
        glRenderMode(GL_FEEDBACK);
        glBegin(rows[i / 2].mode);
        for (unsigned k = 0; k < 4; k++) {
            glColor3f(k / 4.0f, 0, 0);
            glVertex2fv(positions[k]);
        }
        glEnd();
        GLint n = glRenderMode(GL_RENDER);
        assert_true(n >= 7); /* the last vertex ends with its color */
        assert_true(buffer[n - 4] == (i & 1 ? rows[i / 2].first : rows[i / 2].last) / 4.0f);
    }
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    glShadeModel(GL_SMOOTH);
    glColor3f(1, 1, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_evaluators(void **state)
{
    const GLfloat points[3][3] = {{0, 0, 0}, {0.5f, 1, 0}, {1, 0, 0}};
    GLfloat buffer[32];
    GLint order;
    glMap1f(GL_MAP1_VERTEX_3, 0, 2, 3, 3, points[0]);
    glGetMapiv(GL_MAP1_VERTEX_3, GL_ORDER, &order);
    assert_int_equal(order, 3);
    glEnable(GL_MAP1_VERTEX_3);
    glFeedbackBuffer(32, GL_2D, buffer);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_POINTS);
    glEvalCoord1f(1); /* the middle: 0.5, 0.5 */
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 3);
    assert_true(buffer[1] == 48 && buffer[2] == 24);
    glDisable(GL_MAP1_VERTEX_3);
}

static void test_raster_pos(void **state)
{
    GLfloat v[4];
    GLboolean valid;
    glRasterPos2f(0.5f, 0);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 48 && v[1] == 16 && v[2] == 0.5f && v[3] == 1);
    glRasterPos2f(1.5f, 0);
    glGetBooleanv(GL_CURRENT_RASTER_POSITION_VALID, &valid);
    assert_false(valid);
    glWindowPos2i(3, 4);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 3 && v[1] == 4 && v[2] == 0);
}

/* GL 4.6 compatibility §14.7 and appendix B, corollary 10: depth clamping clamps raster positions,
 * colors are clamped only if vertex colors are, and the raster index never changes. */
static void test_raster_pos_values(void **state)
{
    GLfloat v[4];
    glEnable(GL_DEPTH_CLAMP);
    glDepthRange(0.75, 0.25);
    glRasterPos3f(0, 0, 3);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[2] == 0.25f);
    glRasterPos3f(0, 0, -3);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[2] == 0.75f);
    glDepthRange(0, 1);
    glDisable(GL_DEPTH_CLAMP);

    glColor4f(2, -1, 0.5f, 1);
    glIndexf(5);
    glWindowPos2i(3, 4);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, v);
    assert_true(v[0] == 1 && v[1] == 0 && v[2] == 0.5f);
    glGetFloatv(GL_CURRENT_RASTER_INDEX, v);
    assert_true(v[0] == 1);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glWindowPos2i(3, 4);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, v);
    assert_true(v[0] == 2 && v[1] == -1 && v[2] == 0.5f);
    glRasterPos2f(0, 0);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, v);
    assert_true(v[0] == 2 && v[1] == -1 && v[2] == 0.5f);
    glGetFloatv(GL_CURRENT_RASTER_INDEX, v);
    assert_true(v[0] == 1);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_TRUE);
    glColor4f(1, 1, 1, 1);
    glIndexf(1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static unsigned messages;

static void on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *message, const void *user)
{
    assert_int_equal(length, strlen(message));
    messages++;
}

static void test_debug(void **state)
{
    glEnable(GL_DEBUG_OUTPUT);
    glDebugMessageCallback(on_message, NULL);
    glLineWidth(-1);
    assert_int_equal(messages, 1);
    glDebugMessageControl(GL_DONT_CARE, GL_DEBUG_TYPE_ERROR, GL_DONT_CARE, 0, NULL, GL_FALSE);
    glLineWidth(-1);
    assert_int_equal(messages, 1);
    glDisable(GL_DEBUG_OUTPUT);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
}

static void test_no_context(void **state)
{
    core->make_current(NULL, NULL, NULL);
    assert_null(glGetString(GL_VENDOR));
    glBegin(GL_TRIANGLES);
    glVertex2f(0, 0);
    assert_true(core->make_current(*state, drawable, drawable));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_sharing(void **state)
{
    enum gl_create_error error;
    struct gl_context *other = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .share = *state}, &error);
    assert_non_null(other);
    GLuint b;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    assert_true(core->make_current(other, NULL, NULL));
    assert_true(glIsBuffer(b));
    core->context_destroy(other); /* destroyed when it is released */
    assert_true(glIsBuffer(b));
    assert_true(core->make_current(*state, drawable, drawable));
    glDeleteBuffers(1, &b);
}

/* ARB_robustness: queries write no more than the buffer size. Also checks state of NV_fog_distance
 * and KHR_parallel_shader_compile. */
static void test_bounded_queries(void **state)
{
    static const GLfloat map[4] = {0, 0.25f, 0.5f, 1};
    GLubyte pattern[128], guarded[129];
    GLfloat values[4] = {0};
    GLint n;
    for (unsigned i = 0; i < 128; i++)
        pattern[i] = (GLubyte)(i * 7);
    memset(guarded, 0x55, sizeof guarded);
    glPolygonStipple(pattern);
    glGetnPolygonStippleARB(127, guarded);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    assert_int_equal(guarded[0], 0x55);
    glGetnPolygonStippleARB(128, guarded);
    assert_memory_equal(guarded, pattern, 128);
    assert_int_equal(guarded[128], 0x55);
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 4, map);
    glGetnPixelMapfvARB(GL_PIXEL_MAP_R_TO_R, 15, values);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glGetnPixelMapfvARB(GL_PIXEL_MAP_R_TO_R, 16, values);
    assert_memory_equal(values, map, sizeof map);
    /* Negative sizes are errors. */
    memset(values, 0, sizeof values);
    glGetnPixelMapfvARB(GL_PIXEL_MAP_R_TO_R, -1, values);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetnMapfvARB(GL_MAP1_COLOR_4, GL_DOMAIN, -1, values);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetnPolygonStippleARB(-1, guarded);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_true(values[0] == 0 && values[1] == 0);
    glGetnMapfvARB(GL_MAP1_COLOR_4, GL_DOMAIN, 8, values);
    assert_true(values[0] == 0 && values[1] == 1);
    glGetIntegerv(GL_FOG_DISTANCE_MODE_NV, &n);
    assert_int_equal(n, GL_EYE_PLANE_ABSOLUTE_NV);
    glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);
    glGetIntegerv(GL_FOG_DISTANCE_MODE_NV, &n);
    assert_int_equal(n, GL_EYE_RADIAL_NV);
    glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_PLANE_ABSOLUTE_NV);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glFogi(GL_FOG_DISTANCE_MODE_NV, GL_LINEAR);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glMaxShaderCompilerThreadsKHR(3);
    glGetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &n);
    assert_int_equal(n, 3);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_proc_address),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_enables),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_current_values),
        cmocka_unit_test(test_begin_end_rules),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_map_alignment),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_debug),
        cmocka_unit_test(test_selection),
        cmocka_unit_test(test_selection_depths),
        cmocka_unit_test(test_selection_of_raster_positions),
        cmocka_unit_test(test_map_access),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_tracking_after_pop),
        cmocka_unit_test(test_feedback),
        cmocka_unit_test(test_feedback_of_flat_colors),
        cmocka_unit_test(test_feedback_of_edges),
        cmocka_unit_test(test_feedback_of_clip_control),
        cmocka_unit_test(test_evaluators),
        cmocka_unit_test(test_raster_pos),
        cmocka_unit_test(test_raster_pos_values),
        cmocka_unit_test(test_no_context),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_bounded_queries),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
