/* SPDX-License-Identifier: MIT */
/*
 * Display lists compared with immediate execution. Random streams of attributes, primitives and
 * state must give the same picture, current values and error whether they are executed, compiled
 * and called, or called from another list. Meshes of evaluators are tested here, too.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 32, SEEDS = 400 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static uint32_t random_state;

static unsigned pick(unsigned n)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 16) % n;
}

static float coordinate(void)
{
    return pick(33) / 16.0f - 1.0f;
}

static float unit(void)
{
    return pick(5) / 4.0f;
}

static void attribute(void)
{
    switch (pick(6)) {
    case 0:
        glColor3f(unit(), unit(), unit());
        break;
    case 1:
        glColor4f(unit(), unit(), unit(), unit());
        break;
    case 2:
        glNormal3f(unit(), unit(), 1);
        break;
    case 3:
        glTexCoord2f(unit(), unit());
        break;
    case 4:
        glSecondaryColor3f(unit(), unit(), 0);
        break;
    case 5:
        glColor4ub(pick(256), pick(256), pick(256), 255);
        break;
    }
}

static void vertex(void)
{
    if (pick(2))
        glVertex2f(coordinate(), coordinate());
    else
        glVertex3f(coordinate(), coordinate(), coordinate());
}

static const GLenum properties[] = {GL_DIFFUSE,  GL_AMBIENT,   GL_AMBIENT_AND_DIFFUSE, GL_SPECULAR,
                                    GL_EMISSION, GL_SHININESS, GL_COLOR_INDEXES};
static const GLenum faces[] = {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};

static void material(void)
{
    const float v[4] = {unit(), unit(), unit(), 1};
    const GLint n[4] = {pick(8), pick(8), pick(8), 0};
    GLenum face = faces[pick(3)], pname = properties[pick(20) ? pick(3) : pick(7)];
    switch (pick(16)) {
    case 0:
        glMaterialf(face, GL_SHININESS, 8 * pick(18)); /* possibly above the limit */
        break;
    case 1:
        glMateriali(face, GL_SHININESS, pick(100));
        break;
    case 2:
        glMaterialiv(face, pname, n);
        break;
    case 3:
        glMaterialfv(pick(4) ? face : GL_LEFT, pick(4) ? pname : GL_POSITION, v);
        break;
    default:
        glMaterialfv(face, pname, v);
    }
}

/* Emits a random primitive. kind: bit mask of features that the stream of this seed uses. */
static void primitive(unsigned kind)
{
    unsigned count = pick(8) ? pick(9) : pick(200);
    bool colors = pick(2), late = kind & 1 && !pick(6);
    unsigned mode = pick(10);
    if (kind & 8) { /* lists of the same kind, which may be joined */
        static const uint8_t modes[][2] = {{GL_TRIANGLES, 3}, {GL_QUADS, 4}, {GL_QUAD_STRIP, 2}};
        unsigned m = pick(3);
        mode = modes[m][0];
        count = (1 + pick(12)) * modes[m][1];
    }
    if (pick(2))
        attribute();
    glBegin(mode);
    for (unsigned i = 0; i < count; i++) {
        if (colors && (i || !late))
            attribute();
        vertex();
        if (kind & 2 && !pick(kind & 8 ? 3 : 40))
            material();
        if (kind & 4 && !pick(60))
            glBegin(GL_POINTS); /* an error */
    }
    glEnd();
    if (kind & 4 && !pick(8))
        glEnd(); /* also an error */
}

static void arrays(void)
{
    float xyz[12][3], rgb[12][3];
    for (unsigned i = 0; i < 36; i++)
        xyz[i / 3][i % 3] = coordinate();
    for (unsigned i = 0; i < 36; i++)
        rgb[i / 3][i % 3] = unit();
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, xyz);
    if (pick(2)) { /* current colors don't change */
        glEnableClientState(GL_COLOR_ARRAY);
        glColorPointer(3, GL_FLOAT, 0, rgb);
    }
    glDrawArrays(pick(2) ? GL_TRIANGLES : GL_LINE_STRIP, pick(3), pick(10));
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
}

static void stream(unsigned seed)
{
    random_state = seed;
    unsigned kind = pick(16), n = 1 + pick(24);
    for (unsigned i = 0; i < n; i++) {
        switch (pick(8)) {
        case 0:
            glShadeModel(pick(2) ? GL_FLAT : GL_SMOOTH);
            break;
        case 1:
            glRotatef(pick(90), 0, 0, 1);
            break;
        case 2:
            attribute();
            break;
        case 3:
            arrays();
            break;
        case 4:
            if (kind & 2)
                material();
            break;
        default:
            primitive(kind);
        }
    }
}

struct outcome {
    uint8_t pixels[SIZE * SIZE * 4];
    float color[4], normal[4], coord[4], material[2][6][4];
    GLenum error;
};

static void begin(unsigned seed)
{
    const float yellow[4] = {1, 1, 0, 1};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glPushMatrix();
    glLoadIdentity();
    glColor4f(1, 1, 1, 1);
    glNormal3f(0, 0, 1);
    glTexCoord2f(0, 0);
    glMaterialfv(GL_FRONT, GL_DIFFUSE, yellow);
    /* otherwise, quads of lists are split differently */
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    if (seed & 1) {
        glEnable(GL_LIGHTING);
        glEnable(GL_LIGHT0);
        if (seed & 2)
            glEnable(GL_COLOR_MATERIAL);
        if (seed & 8)
            glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    }
    if (seed & 4)
        glEnable(GL_COLOR_SUM);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void end(struct outcome *o)
{
    memset(o, 0, sizeof *o);
    o->error = glGetError();
    while (glGetError())
        ;
    glGetFloatv(GL_CURRENT_COLOR, o->color);
    glGetFloatv(GL_CURRENT_NORMAL, o->normal);
    glGetFloatv(GL_CURRENT_TEXTURE_COORDS, o->coord);
    for (unsigned f = 0; f < 2; f++)
        for (unsigned i = 0; i < 6; i++)
            glGetMaterialfv(faces[f], properties[i < 2 ? i : i + 1], o->material[f][i]);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, o->pixels);
    glPopMatrix();
    glPopAttrib();
}

static void compare(unsigned seed, const char *how, const struct outcome *a,
                    const struct outcome *b)
{
    if (memcmp(a->pixels, b->pixels, sizeof a->pixels))
        fail_msg("seed %u: another picture when %s", seed, how);
    if (memcmp(a->color, b->color, sizeof a->color) ||
        memcmp(a->normal, b->normal, sizeof a->normal) ||
        memcmp(a->coord, b->coord, sizeof a->coord) ||
        memcmp(a->material, b->material, sizeof a->material))
        fail_msg("seed %u: other current values when %s", seed, how);
    if (a->error != b->error)
        fail_msg("seed %u: error %#x, %#x when %s", seed, a->error, b->error, how);
}

static void test_random_streams(void **state)
{
    static struct outcome at_once, called, nested, again;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        begin(seed);
        stream(seed);
        end(&at_once);

        glNewList(1, GL_COMPILE);
        stream(seed);
        glEndList();
        glNewList(2, GL_COMPILE);
        glCallList(1);
        glEndList();
        assert_int_equal(glGetError(), GL_NO_ERROR);
        begin(seed);
        glCallList(1);
        end(&called);
        compare(seed, "called", &at_once, &called);
        begin(seed);
        glCallList(2);
        end(&nested);
        compare(seed, "called from a list", &at_once, &nested);

        begin(seed);
        glNewList(3, GL_COMPILE_AND_EXECUTE);
        stream(seed);
        glEndList();
        end(&again);
        compare(seed, "compiled and executed", &at_once, &again);
    }
    glDeleteLists(1, 3);
}

/* Draws primitives in which a property changes between vertices, by glMaterial or as the tracked
 * color. */
static void shaded(unsigned seed, GLenum property, bool by_color)
{
    random_state = seed;
    for (unsigned i = 1 + pick(12); i; i--) {
        unsigned mode = pick(10), count = pick(6) ? pick(12) : pick(300), often = 1 + pick(8);
        for (unsigned k = 0; k <= count; k++) {
            if (k == 1)
                glBegin(mode);
            if (!pick(often)) {
                const float v[4] = {unit(), unit(), unit(), 1};
                if (by_color)
                    glColor4fv(v);
                else
                    glMaterialfv(GL_FRONT_AND_BACK, property, v);
            }
            glNormal3f(unit(), unit() - 0.5f, 1);
            if (k)
                vertex();
        }
        if (count)
            glEnd();
    }
}

static void begin_shaded(unsigned seed, GLenum property, bool by_color)
{
    static const float white[4] = {1, 1, 1, 1};
    begin(1);
    glLightfv(GL_LIGHT0, GL_AMBIENT, white);
    glMaterialfv(GL_FRONT_AND_BACK, property, white);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 8);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, seed & 1);
    if (by_color) {
        glColorMaterial(GL_FRONT_AND_BACK, property);
        glEnable(GL_COLOR_MATERIAL);
    }
}

/* Compares the outcomes except for current colors, because one of the two doesn't set any. */
static void compare_shaded(unsigned seed, const char *how, const struct outcome *colors,
                           struct outcome *materials)
{
    memcpy(materials->color, colors->color, sizeof materials->color);
    compare(seed, how, colors, materials);
}

static void test_materials_of_vertices(void **state)
{
    static struct outcome colors, at_once, called, again;
    for (unsigned seed = 1; seed <= SEEDS / 4; seed++) {
        const GLenum property = properties[seed % 5];
        begin_shaded(seed, property, true);
        shaded(seed, property, true);
        end(&colors);
        begin_shaded(seed, property, false);
        shaded(seed, property, false);
        end(&at_once);
        compare_shaded(seed, "at once", &colors, &at_once);

        glNewList(1, GL_COMPILE);
        shaded(seed, property, false);
        glEndList();
        begin_shaded(seed, property, false);
        glCallList(1);
        end(&called);
        compare_shaded(seed, "called", &colors, &called);
        /* glMaterial does not affect properties that track the color. */
        begin_shaded(seed, property, true);
        glCallList(1);
        end(&called);
        begin_shaded(seed, property, true);
        shaded(seed, property, false);
        end(&again);
        compare(seed, "following the color", &again, &called);
    }
    glDeleteLists(1, 1);
}

/* Checks a four-component color that is replaced by a three-component one before use. */
static void test_colors_between_primitives(void **state)
{
    float now[4];
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ZERO);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0);
    for (unsigned i = 0; i < 3; i++)
        glVertex2f(0, 0);
    glEnd();
    glColor4f(0, 0, 1, 0.5f);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 0, 1);
    glColor4f(0, 0, 1, 0.5f);
    glNormal3f(0, 1, 0);
    glRectf(0, -1, 1, 1);
    glNormal3f(1, 0, 0);
    glGetFloatv(GL_CURRENT_NORMAL, now);
    assert_float_equal(now[0], 1, 0);
    expect(8, 8, 0, 1, 0);
    expect(24, 8, 0, 0, 0.5f);
    glPopAttrib();
}

/* Checks programs that read materials: each primitive uses the materials at its glBegin. */
static void test_materials_of_programs(void **state)
{
    static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
    GLuint p = gl_test_program("void main() { gl_Position = ftransform(); }",
                               "void main() { gl_FragColor = gl_FrontMaterial.diffuse; }");
    glNewList(1, GL_COMPILE);
    for (unsigned i = 0; i < 2; i++) {
        glMaterialfv(GL_FRONT, GL_DIFFUSE, i ? green : red);
        glRectf(i ? 0 : -1, -1, i, 1);
        glMaterialfv(GL_FRONT, GL_DIFFUSE, green);
    }
    glEndList();
    glPushAttrib(GL_LIGHTING_BIT);
    glUseProgram(p);
    glCallList(1);
    expect(8, 8, 1, 0, 0);
    expect(24, 8, 0, 1, 0);
    gl_test_delete_program(p);
    glPopAttrib();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteLists(1, 1);
}

/* Checks that a list called between glBegin and glEnd adds its vertices to the open primitive. */
static void test_inside_begin_end(void **state)
{
    glNewList(1, GL_COMPILE);
    glColor3f(0, 1, 0);
    glBegin(GL_TRIANGLES);
    glVertex2f(-1, 1);
    glVertex2f(1, 1);
    glVertex2f(1, -1);
    glEnd();
    glEndList();
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(1, 0, 0);
    glShadeModel(GL_FLAT);
    glBegin(GL_QUADS);
    glVertex2f(-1, -1);
    glCallList(1); /* its glEnd ends our primitive */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    expect(24, 24, 0, 1, 0);
    expect(8, 8, 0, 1, 0);
    glShadeModel(GL_SMOOTH);
    glDeleteLists(1, 1);
}

/* Checks that attributes the list doesn't set have their current values. */
static void test_current_attributes(void **state)
{
    glNewList(1, GL_COMPILE);
    for (unsigned i = 0; i < 40; i++)
        glRectf(-1, -1, 1, 1);
    glEndList();
    for (unsigned i = 0; i < 2; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(i, 1 - i, 0.5f);
        glCallList(1);
        expect(5, 5, i, 1 - i, 0.5f);
    }
    glDeleteLists(1, 1);
}

/* Checks that commands of ARB_viewport_array are compiled with as many values as their counts
 * specify. */
static void test_viewport_arrays(void **state)
{
    static const GLfloat viewports[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    static const GLint boxes[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    static const GLdouble ranges[2][2] = {{0.25, 0.5}, {0.125, 0.75}};
    GLfloat f[4];
    GLint n[4];
    GLdouble d[2];
    glNewList(1, GL_COMPILE);
    glViewportArrayv(2, 2, viewports[0]);
    glScissorArrayv(2, 2, boxes[0]);
    glDepthRangeArrayv(2, 2, ranges[0]);
    glEndList();
    glGetFloati_v(GL_VIEWPORT, 3, f);
    assert_float_equal(f[2], SIZE, 0);
    glCallList(1);
    for (unsigned i = 0; i < 2; i++) {
        glGetFloati_v(GL_VIEWPORT, 2 + i, f);
        assert_memory_equal(f, viewports[i], sizeof f);
        glGetIntegeri_v(GL_SCISSOR_BOX, 2 + i, n);
        assert_memory_equal(n, boxes[i], sizeof n);
        glGetDoublei_v(GL_DEPTH_RANGE, 2 + i, d);
        assert_memory_equal(d, ranges[i], sizeof d);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glNewList(1, GL_COMPILE_AND_EXECUTE);
    glViewportArrayv(0, -1, viewports[0]);
    glEndList();
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCallList(1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDeleteLists(1, 1);
}

/* Checks signed packed values below OpenGL 4.2 (GL 3.3 equation 2.2), which can't represent
 * zero. */
static void test_packed_attributes(void **state)
{
    GLfloat c[4];
    GLint major, minor;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    bool old = major * 10 + minor < 42;
    glColorP4ui(GL_INT_2_10_10_10_REV, 0u << 30 | 0x200u << 20 | 0x1ffu << 10 | 0);
    glGetFloatv(GL_CURRENT_COLOR, c);
    assert_float_equal(c[0], old ? 1.0 / 1023 : 0, 1e-6);
    assert_float_equal(c[1], 1, 1e-6);
    assert_float_equal(c[2], -1, 1e-6);
    assert_float_equal(c[3], old ? 1.0 / 3 : 0, 1e-6);
    glColor4f(1, 1, 1, 1);
}

/* Checks that the scalar command rejects names of vectors when executed (GL 4.6 §8.10), but not
 * when compiled, like in Mesa. */
static void test_scalar_border_color(void **state)
{
    GLfloat c[4];
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, 1);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glNewList(1, GL_COMPILE_AND_EXECUTE);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, 0.5f);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 16777215);
    glEndList();
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, (const GLfloat[4]){1, 1, 1, 1});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
    glCallList(1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    GLint level;
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, c);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, &level);
    assert_float_equal(c[0], 0.5f, 0);
    assert_float_equal(c[1], 0, 0);
    assert_int_equal(level, 16777215);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
    glDeleteLists(1, 1);
}

/* Lists hold the values of pixel maps, which may come from a pixel buffer when they are
 * compiled. */
static void test_pixel_maps(void **state)
{
    static const GLushort values[4] = {0, 65535, 0, 13107}; /* the last two: 0, 0.2 */
    GLuint buffer, list = glGenLists(2);
    GLfloat read[2] = {9, 9};
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof values, values, GL_STATIC_DRAW);
    glNewList(list, GL_COMPILE);
    glPixelMapusv(GL_PIXEL_MAP_R_TO_R, 2, (const GLushort *)4);
    glPixelMapusv(GL_PIXEL_MAP_R_TO_R, -1, (const GLushort *)4);
    glEndList();
    /* beyond the end of the buffer */
    glNewList(list + 1, GL_COMPILE);
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 2, (const GLfloat *)4);
    glEndList();
    expect_error(GL_INVALID_OPERATION);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 2, values, GL_STATIC_DRAW); /* not used by the list */
    glCallList(list);
    expect_error(GL_INVALID_VALUE);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glGetPixelMapfv(GL_PIXEL_MAP_R_TO_R, read);
    assert_true(read[0] == 0 && fabsf(read[1] - 0.2f) < 1e-4f);
    glNewList(list, GL_COMPILE); /* client memory */
    glPixelMapusv(GL_PIXEL_MAP_R_TO_R, 2, values);
    glEndList();
    glCallList(list);
    glGetPixelMapfv(GL_PIXEL_MAP_R_TO_R, read);
    assert_true(read[0] == 0 && read[1] == 1);
    glPixelMapusv(GL_PIXEL_MAP_R_TO_R, 1, values);
    glDeleteBuffers(1, &buffer);
    glDeleteLists(list, 2);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Commands that are executed at once while a list is compiled (GL 4.6 compatibility §21.4.1), and
 * others that lists contain. */
static void test_immediate_commands(void **state)
{
    GLuint list = glGenLists(1), texture, sampler;
    GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLint value;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenSamplers(1, &sampler);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(1, 0, 0);
    glRectf(-1, -1, 0, 0);

    glNewList(list, GL_COMPILE);
    glBindTextures(0, 1, &texture);
    glBindSamplers(0, 1, &sampler);
    glBlitFramebuffer(0, 0, 8, 8, 20, 20, 28, 28, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glWaitSync(sync, 1, 0);
    glShaderStorageBlockBinding(0, 0, 0);
    glStencilFuncSeparateATI(GL_LESS, GL_GREATER, 1, 3);
    glEndList();
    expect_error(GL_NO_ERROR);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &value);
    assert_int_equal(value, texture);
    glGetIntegerv(GL_SAMPLER_BINDING, &value);
    assert_int_equal(value, sampler);
    expect(24, 24, 1, 0, 0);
    glGetIntegerv(GL_STENCIL_FUNC, &value);
    assert_int_equal(value, GL_ALWAYS);

    glBindTexture(GL_TEXTURE_2D, 0);
    glBindSampler(0, 0);
    glPushAttrib(GL_STENCIL_BUFFER_BIT);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 0, 0);
    glCallList(list);
    expect_error(GL_INVALID_VALUE); /* glWaitSync and glShaderStorageBlockBinding */
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &value);
    assert_int_equal(value, 0);
    glGetIntegerv(GL_SAMPLER_BINDING, &value);
    assert_int_equal(value, 0);
    expect(24, 24, 0, 0, 0);
    glGetIntegerv(GL_STENCIL_FUNC, &value);
    assert_int_equal(value, GL_LESS);
    glPopAttrib();

    glColor4f(1, 1, 1, 1);
    glDeleteSync(sync);
    glDeleteSamplers(1, &sampler);
    glDeleteTextures(1, &texture);
    glDeleteLists(list, 1);
}

/* Commands that §21.4.1 does not exclude from lists, with data in client memory and with names of
 * objects. */
static void test_commands_of_objects(void **state)
{
    GLubyte red[4] = {255, 0, 0, 255}, green[4] = {0, 255, 0, 255}, texels[4][4] = {{0}};
    GLuint list = glGenLists(1), texture, fb;
    GLint value, bound;
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, 2, 2);
    glCreateFramebuffers(1, &fb);

    glNewList(list, GL_COMPILE);
    glClearTexImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    glClearTexSubImage(texture, 0, 1, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glClearTexSubImage(texture, 0, 0, 1, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glClearTexSubImage(texture, 0, 0, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTextureSubImage2D(texture, 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glNamedFramebufferDrawBuffer(fb, GL_NONE);
    glNamedFramebufferReadBuffer(fb, GL_NONE);
    glNamedFramebufferParameteri(fb, GL_FRAMEBUFFER_DEFAULT_WIDTH, 7);
    glEndList();
    memset(red, 0, sizeof red);
    memset(green, 0, sizeof green);
    glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof texels, texels);
    assert_int_equal(texels[0][0], 0);
    glGetNamedFramebufferParameteriv(fb, GL_FRAMEBUFFER_DEFAULT_WIDTH, &value);
    assert_int_equal(value, 0);

    glCallList(list);
    glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof texels, texels);
    assert_memory_equal(texels[0], ((const GLubyte[4]){255, 0, 0, 255}), 4);
    assert_memory_equal(texels[1], ((const GLubyte[4]){0, 255, 0, 255}), 4);
    assert_memory_equal(texels[2], ((const GLubyte[4]){0, 0, 0, 0}), 4);
    assert_memory_equal(texels[3], ((const GLubyte[4]){0, 255, 0, 255}), 4);
    glGetNamedFramebufferParameteriv(fb, GL_FRAMEBUFFER_DEFAULT_WIDTH, &value);
    assert_int_equal(value, 7);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    glGetIntegerv(GL_DRAW_BUFFER, &value);
    assert_int_equal(value, GL_NONE);
    glGetIntegerv(GL_READ_BUFFER, &value);
    assert_int_equal(value, GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, bound);
    expect_error(GL_NO_ERROR);

    /* The errors of invalid formats are those of the call. */
    glNewList(list, GL_COMPILE);
    glClearTexImage(texture, 0, 0x1234, GL_UNSIGNED_BYTE, texels);
    glEndList();
    expect_error(GL_NO_ERROR);
    glCallList(list);
    expect_error(GL_INVALID_ENUM);
    glDeleteFramebuffers(1, &fb);
    glDeleteTextures(1, &texture);
    glDeleteLists(list, 1);
}

/* Sums of indices and first elements or base vertices that exceed GLint are errors; those of an
 * unsigned index that don't are valid. */
static void test_large_indices(void **state)
{
    static const float positions[6][2] = {{9, 9}, {9, 9}, {9, 9}, {-1, -1}, {3, -1}, {-1, 3}};
    static const GLuint huge[3] = {0x80000003u, 0x80000004u, 0x80000005u}, small[1] = {5};
    GLuint list = glGenLists(1), buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof positions, positions, GL_STATIC_DRAW);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0, 1, 0);
    glNewList(list, GL_COMPILE);
    glDrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_INT, huge, INT32_MIN);
    glEndList();
    glCallList(list);
    expect(8, 8, 0, 1, 0);
    for (unsigned i = 0; i < 3; i++) {
        glNewList(list, GL_COMPILE);
        if (i == 0)
            glDrawArrays(GL_POINTS, INT32_MAX, 4);
        else if (i == 1)
            glDrawElementsBaseVertex(GL_POINTS, 1, GL_UNSIGNED_INT, small, INT32_MAX);
        else
            glDrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, huge);
        glEndList();
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glCallList(list);
        expect_error(GL_INVALID_VALUE);
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
    glColor4f(1, 1, 1, 1);
    glDeleteLists(list, 1);
}

/* Draws with a base vertex are compiled, like others. Errors of array draws are raised when the
 * list is called, and also at once if it is executed while it is compiled. */
static void test_array_draws(void **state)
{
    static const float positions[6][2] = {{9, 9}, {9, 9}, {9, 9}, {-1, -1}, {3, -1}, {-1, 3}};
    static const GLubyte indices[3] = {0, 1, 2};
    const void *const starts[1] = {indices};
    const GLsizei counts[1] = {3}, negative[1] = {-1};
    const GLint base[1] = {3};
    GLuint list = glGenLists(1);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, positions);
    for (unsigned i = 0; i < 2; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(0, 1, 0);
        glNewList(list, GL_COMPILE);
        if (i)
            glMultiDrawElementsBaseVertex(GL_TRIANGLES, counts, GL_UNSIGNED_BYTE, starts, 1, base);
        else
            glDrawRangeElementsBaseVertex(GL_TRIANGLES, 0, 2, 3, GL_UNSIGNED_BYTE, indices, 3);
        glEndList();
        expect(8, 8, 0, 0, 0);
        glCallList(list);
        expect(8, 8, 0, 1, 0);
    }
    for (unsigned i = 0; i < 8; i++) {
        const GLenum error = i < 2 ? GL_INVALID_ENUM : GL_INVALID_VALUE;
        glNewList(list, GL_COMPILE_AND_EXECUTE);
        if (i == 0)
            glDrawArrays(0x1234, 0, 3);
        else if (i == 1)
            glDrawElements(GL_TRIANGLES, 3, GL_FLOAT, indices);
        else if (i == 2)
            glDrawArrays(GL_TRIANGLES, -1, 3);
        else if (i == 3)
            glDrawRangeElements(GL_TRIANGLES, 1, 0, 3, GL_UNSIGNED_BYTE, indices);
        else if (i == 4)
            glMultiDrawArrays(GL_TRIANGLES, base, negative, 1);
        else if (i == 5)
            glMultiDrawElements(GL_TRIANGLES, negative, GL_UNSIGNED_BYTE, starts, 1);
        else if (i == 6)
            glMultiDrawArrays(GL_TRIANGLES, base, counts, -1);
        else
            glArrayElement(-1);
        glEndList();
        expect_error(error);
        glCallList(list);
        expect_error(error);
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    glColor4f(1, 1, 1, 1);
    glDeleteLists(list, 1);
}

/* glCallLists rounds offsets down. */
static void test_float_offsets(void **state)
{
    static const GLfloat offsets[4] = {-0.5f, 0.75f, 1e30f, -1e30f};
    const GLuint list = glGenLists(3);
    GLint value;
    for (unsigned i = 0; i < 3; i++) {
        glNewList(list + i, GL_COMPILE);
        glStencilMask(i);
        glEndList();
    }
    glPushAttrib(GL_STENCIL_BUFFER_BIT | GL_LIST_BIT);
    glListBase(list + 1);
    for (unsigned i = 0; i < 4; i++) {
        glStencilMask(99);
        glCallLists(1, GL_FLOAT, &offsets[i]);
        glGetIntegerv(GL_STENCIL_WRITEMASK, &value);
        assert_int_equal(value, i == 0 ? 0 : 1);
    }
    glPopAttrib();
    glDeleteLists(list, 3);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* GL 4.6 compatibility §21.1: filled meshes consist of quads, and generated normals are normalized
 * unless there is a vertex shader. */
static void test_meshes(void **state)
{
    /* A square in the plane z = 0; its derivatives are (2, 0, 0) and (0, 2, 0). The second map has
     * the same points, multiplied by w = 2. */
    static const GLfloat points[2][2][3] = {{{-1, -1, 0}, {-1, 1, 0}}, {{1, -1, 0}, {1, 1, 0}}};
    static const GLfloat points4[2][2][4] = {{{-2, -2, 0, 2}, {-2, 2, 0, 2}},
                                             {{2, -2, 0, 2}, {2, 2, 0, 2}}};
    static const char vs[] = "varying vec4 color;\n"
                             "void main() { gl_Position = gl_Vertex;\n"
                             "    color = vec4(gl_Normal.z / 8.0, 0, 0, 1); }\n";
    static const char fs[] = "varying vec4 color; void main() { gl_FragColor = color; }\n";
    GLfloat buffer[32];
    GLint integers[12];
    GLuint program = gl_test_program(vs, fs), list = glGenLists(1);
    glPushAttrib(GL_EVAL_BIT | GL_CURRENT_BIT | GL_POLYGON_BIT);
    glMap2f(GL_MAP2_VERTEX_3, 0, 1, 6, 2, 0, 1, 3, 2, points[0][0]);
    glMap2f(GL_MAP2_VERTEX_4, 0, 1, 8, 2, 0, 1, 4, 2, points4[0][0]);
    glMapGrid2f(1, 0, 1, 1, 0, 1);
    glEnable(GL_AUTO_NORMAL);
    glEnable(GL_MAP2_VERTEX_3);
    glFeedbackBuffer(32, GL_2D, buffer);
    glRenderMode(GL_FEEDBACK);
    glEvalMesh2(GL_FILL, 0, 1, 0, 1);
    assert_int_equal(glRenderMode(GL_RENDER), 2 + 4 * 2);
    assert_true(buffer[0] == GL_POLYGON_TOKEN && buffer[1] == 4);

    glUseProgram(program);
    for (unsigned i = 0; i < 2; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glEvalMesh2(GL_FILL, 0, 1, 0, 1);
        expect(8, 8, 0.5f, 0, 0); /* the normal is (0, 0, 4) */
        glEnable(GL_MAP2_VERTEX_4);
    }
    glUseProgram(0);

    glNewList(list, GL_COMPILE);
    glMap2f(GL_MAP2_VERTEX_3, 0, 1, 6, 2, 0, 1, 0, 2, points[0][0]); /* stride 0 */
    glEndList();
    glCallList(list);
    expect_error(GL_INVALID_VALUE);
    glMap1f(GL_MAP1_VERTEX_3, 0, 1, 3, 1, (const GLfloat[]){1e30f, -1e30f, 1.75f});
    glGetMapiv(GL_MAP1_VERTEX_3, GL_COEFF, integers);
    assert_int_equal(integers[0], INT32_MAX);
    assert_int_equal(integers[1], INT32_MIN);
    assert_int_equal(integers[2], 2);
    glPopAttrib();
    glDeleteLists(list, 1);
    gl_test_delete_program(program);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams),
        cmocka_unit_test(test_materials_of_vertices),
        cmocka_unit_test(test_materials_of_programs),
        cmocka_unit_test(test_colors_between_primitives),
        cmocka_unit_test(test_inside_begin_end),
        cmocka_unit_test(test_current_attributes),
        cmocka_unit_test(test_viewport_arrays),
        cmocka_unit_test(test_packed_attributes),
        cmocka_unit_test(test_scalar_border_color),
        cmocka_unit_test(test_pixel_maps),
        cmocka_unit_test(test_immediate_commands),
        cmocka_unit_test(test_commands_of_objects),
        cmocka_unit_test(test_array_draws),
        cmocka_unit_test(test_large_indices),
        cmocka_unit_test(test_float_offsets),
        cmocka_unit_test(test_meshes),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
