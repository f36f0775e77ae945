/* SPDX-License-Identifier: MIT */
/* Results of programs and fixed function on the CPU driver, mostly one pixel of a quad each. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Draws a quad over the whole window at this eye depth, with a normal toward the viewer. */
static void quad(float z)
{
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    glClear(GL_COLOR_BUFFER_BIT);
    glNormal3f(0, 0, 1);
    glBegin(GL_QUADS);
    for (unsigned i = 0; i < 4; i++)
        glVertex3f(corners[i][0], corners[i][1], z);
    glEnd();
}

/* A blend factor's value for component c of source s, destination d and constant k. */
static float blend_factor(GLenum factor, unsigned c, const float s[4], const float d[4],
                          const float k[4])
{
    switch (factor) {
    case GL_ZERO:
        return 0;
    case GL_ONE:
        return 1;
    case GL_SRC_COLOR:
        return s[c];
    case GL_ONE_MINUS_SRC_COLOR:
        return 1 - s[c];
    case GL_DST_COLOR:
        return d[c];
    case GL_ONE_MINUS_DST_COLOR:
        return 1 - d[c];
    case GL_SRC_ALPHA:
        return s[3];
    case GL_ONE_MINUS_SRC_ALPHA:
        return 1 - s[3];
    case GL_DST_ALPHA:
        return d[3];
    case GL_ONE_MINUS_DST_ALPHA:
        return 1 - d[3];
    case GL_CONSTANT_COLOR:
        return k[c];
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return 1 - k[c];
    case GL_CONSTANT_ALPHA:
        return k[3];
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return 1 - k[3];
    default: /* GL_SRC_ALPHA_SATURATE */
        return fminf(s[3], 1 - d[3]);
    }
}

/* Each blend factor of source and destination (GL 4.6 table 17.2), in a texture with alpha. */
static void test_blend_factors(void **state)
{
    static const GLenum factors[] = {
        GL_ZERO,
        GL_ONE,
        GL_SRC_COLOR,
        GL_ONE_MINUS_SRC_COLOR,
        GL_DST_COLOR,
        GL_ONE_MINUS_DST_COLOR,
        GL_SRC_ALPHA,
        GL_ONE_MINUS_SRC_ALPHA,
        GL_DST_ALPHA,
        GL_ONE_MINUS_DST_ALPHA,
        GL_CONSTANT_COLOR,
        GL_ONE_MINUS_CONSTANT_COLOR,
        GL_CONSTANT_ALPHA,
        GL_ONE_MINUS_CONSTANT_ALPHA,
        GL_SRC_ALPHA_SATURATE,
    };
    static const float s[4] = {0.8f, 0.4f, 0.2f, 0.6f}, d[4] = {0.3f, 0.6f, 0.5f, 0.7f},
                       k[4] = {0.1f, 0.5f, 0.9f, 0.2f};
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glPushAttrib(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendColor(k[0], k[1], k[2], k[3]);
    glClearColor(d[0], d[1], d[2], d[3]);
    glColor4fv(s);
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++) {
        float source[3], destination[3];
        for (unsigned c = 0; c < 3; c++) {
            float f = blend_factor(factors[i], c, s, d, k);
            source[c] = fminf(f * s[c], 1);
            destination[c] = fminf(f * d[c], 1);
        }
        glBlendFunc(factors[i], GL_ZERO);
        quad(0);
        expect(8, 8, source[0], source[1], source[2]);
        glBlendFunc(GL_ZERO, factors[i]);
        quad(0);
        expect(8, 8, destination[0], destination[1], destination[2]);
    }
    glPopAttrib();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* The projection is applied after the modelview matrix, by fixed function and in its products. */
static void test_matrix_order(void **state)
{
    static const char *const positions[] = {
        NULL,
        "void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;"
        "gl_FrontColor = vec4(1.0); }",
        "void main() { gl_Position = gl_ProjectionMatrix * (gl_ModelViewMatrix * gl_Vertex);"
        "gl_FrontColor = vec4(1.0); }",
        "void main() { gl_Position = ftransform(); gl_FrontColor = vec4(1.0); }",
    };
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glScalef(0.5f, 1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(1, 0, 0); /* x becomes (x + 1) / 2: the right half of the window */
    glColor3f(1, 1, 1);
    for (unsigned i = 0; i < sizeof positions / sizeof *positions; i++) {
        GLuint program = 0;
        if (positions[i]) {
            program = gl_test_program(positions[i], NULL);
            glUseProgram(program);
        }
        quad(0);
        expect(SIZE / 2 - 1, 8, 0, 0, 0);
        expect(SIZE / 2, 8, 1, 1, 1);
        expect(SIZE - 1, 8, 1, 1, 1);
        glUseProgram(0);
        glDeleteProgram(program);
    }
    glLoadIdentity();
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
}

/* Each blend equation (GL 4.6 table 17.1). */
static void test_blend_equations(void **state)
{
    static const struct {
        GLenum equation;
        float r, g, b;
    } rows[] = {
        {GL_FUNC_ADD, 1, 0.7f, 0.6f},
        {GL_FUNC_SUBTRACT, 0.5f, 0, 0},
        {GL_FUNC_REVERSE_SUBTRACT, 0, 0.1f, 0.2f},
        {GL_MIN, 0.3f, 0.3f, 0.2f},
        {GL_MAX, 0.8f, 0.4f, 0.4f},
    };
    glPushAttrib(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glClearColor(0.3f, 0.4f, 0.4f, 1);
    glColor3f(0.8f, 0.3f, 0.2f);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        glBlendEquation(rows[i].equation);
        quad(0);
        expect(8, 8, rows[i].r, rows[i].g, rows[i].b);
    }
    glPopAttrib();
}

/* Each comparison of depths with less, equal and greater. */
static void test_depth_funcs(void **state)
{
    static const struct {
        GLenum func;
        bool passes[3];
    } rows[] = {
        {GL_NEVER, {false, false, false}},  {GL_LESS, {true, false, false}},
        {GL_EQUAL, {false, true, false}},   {GL_LEQUAL, {true, true, false}},
        {GL_GREATER, {false, false, true}}, {GL_NOTEQUAL, {true, false, true}},
        {GL_GEQUAL, {false, true, true}},   {GL_ALWAYS, {true, true, true}},
    };
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_DEPTH_TEST);
    glClearDepth(0.5);
    glColor3f(1, 1, 1);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int k = 0; k < 3; k++) {
            float seen = rows[i].passes[k];
            glDepthFunc(rows[i].func);
            glClear(GL_DEPTH_BUFFER_BIT);
            quad((float)(k - 1) * 0.5f);
            expect(8, 8, seen, seen, seen);
        }
    }
    glPopAttrib();
}

/* What an operation makes of a stencil value, with the reference 3. */
static unsigned stencil_result(GLenum op, unsigned s)
{
    switch (op) {
    case GL_ZERO:
        return 0;
    case GL_REPLACE:
        return 3;
    case GL_INCR:
        return s == 255 ? 255 : s + 1;
    case GL_DECR:
        return s ? s - 1 : 0;
    case GL_INCR_WRAP:
        return (s + 1) & 255;
    case GL_DECR_WRAP:
        return (s - 1) & 255;
    case GL_INVERT:
        return s ^ 255;
    default:
        return s;
    }
}

/* Each stencil operation at each place, with values at both ends, and masks. */
static void test_stencil_ops(void **state)
{
    static const GLenum ops[] = {GL_KEEP, GL_ZERO,      GL_REPLACE,   GL_INCR,
                                 GL_DECR, GL_INCR_WRAP, GL_DECR_WRAP, GL_INVERT};
    static const GLuint values[] = {0, 77, 255}, masks[] = {0xff, 0x3c};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    for (unsigned i = 0; i < 3 * 2 * 3 * sizeof ops / sizeof *ops; i++) {
        const GLenum op = ops[i / 18], other = op == GL_ZERO ? GL_INVERT : GL_ZERO;
        const GLuint value = values[i % 3], mask = masks[i / 3 % 2], place = i / 6 % 3;
        uint8_t got = 0;
        glStencilMask(~0u);
        glClearStencil((GLint)value);
        glClearDepth(0.5);
        glClear(GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glStencilMask(mask);
        glStencilFunc(place ? GL_ALWAYS : GL_NEVER, 3, ~0u);
        glStencilOp(place == 0 ? op : other, place == 1 ? op : other, place == 2 ? op : other);
        quad(place == 1 ? 0.5f : -0.5f);
        glReadPixels(8, 8, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &got);
        assert_int_equal(got, (stencil_result(op, value) & mask) | (value & ~mask & 255));
    }
    glPopAttrib();
}

/* Each operation of ARB_fragment_program, with operands a, b, c; what comes out is clamped. */
static void test_assembly_operations(void **state)
{
    static const struct {
        const char *text;
        float r, g, b;
    } rows[] = {
        {"ABS o, a;", 0.5f, 0.25f, 0.75f},
        {"ADD o, b, c;", 0.7f, 0.9f, 0.85f},
        {"CMP o, a, b, c;", 0.5f, 0.4f, 0.6f},
        {"COS o, b.x;", 0.8776f, 0.8776f, 0.8776f},
        {"DP3 o, b, c;", 0.45f, 0.45f, 0.45f},
        {"DP4 o, a, b;", 0.5625f, 0.5625f, 0.5625f},
        {"DPH o, c, a;", 0.95f, 0.95f, 0.95f},
        {"DST o, b, c;", 1, 0.2f, 0.25f},
        {"EX2 o, a.x;", 0.7071f, 0.7071f, 0.7071f},
        {"FLR t, a; ADD o, t, 1;", 0, 1, 1},
        {"FRC o, a;", 0.5f, 0.25f, 0.75f},
        {"LG2 t, b.x; ADD o, t, 1.5;", 0.5f, 0.5f, 0.5f},
        {"LIT o, {0.5, 0.5, 0, 2};", 1, 0.5f, 0.25f},
        {"LIT o, {-0.5, 0.5, 0, 2};", 1, 0, 0},
        {"LRP o, c, b, {1, 0, 0.5, 0};", 0.9f, 0.2f, 0.35f},
        {"MAD o, b, c, 0.1;", 0.2f, 0.3f, 0.25f},
        {"MAX o, a, c;", 0.2f, 0.4f, 0.75f},
        {"MIN o, a, c;", 0, 0.25f, 0.6f},
        {"MOV o, a.yzxw;", 0.25f, 0.75f, 0},
        {"MOV_SAT t, {2, -2, 0.5, 1}; MUL o, t, 0.5;", 0.5f, 0, 0.25f},
        {"MUL o, b, c;", 0.1f, 0.2f, 0.15f},
        {"POW o, b.x, c.w;", 0.5743f, 0.5743f, 0.5743f},
        {"RCP t, c.z; MUL o, t, 0.3;", 0.5f, 0.5f, 0.5f},
        {"RSQ t, c.x; MUL o, t, 0.4;", 0.8944f, 0.8944f, 0.8944f},
        {"SCS o.xy, b.x; MOV o.z, 0;", 0.8776f, 0.4794f, 0},
        {"SGE o, a, {-0.5, 0.5, 0.25, 1};", 1, 0, 1},
        {"SIN o, b.x;", 0.4794f, 0.4794f, 0.4794f},
        {"SLT o, a, {-0.5, 0.5, 0.25, 1};", 0, 1, 0},
        {"SUB o, b, c;", 0.3f, 0.1f, 0},
        {"SWZ o, a, 1, -x, 0, y;", 1, 0.5f, 0},
        {"XPD o, b, c;", 0.2f, 0, 0.1f},
        {"XPD o, c, b;", 0, 0.25f, 0},
    };
    GLuint program;
    glGenProgramsARB(1, &program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, program);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500];
        int length = snprintf(text, sizeof text,
                              "!!ARBfp1.0\nOUTPUT o = result.color; TEMP t;"
                              "PARAM a = {-0.5, 0.25, 0.75, 0.5}; PARAM b = {0.5, 0.5, 0.25, 1};"
                              "PARAM c = {0.2, 0.4, 0.6, 0.8}; %s END",
                              rows[i].text);
        glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, length, text);
        quad(0);
        expect(8, 8, rows[i].r, rows[i].g, rows[i].b);
    }
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDeleteProgramsARB(1, &program);
}

static void test_color(void **state)
{
    glColor3f(1, 0.5f, 0.25f);
    quad(0);
    expect(8, 8, 1, 0.5f, 0.25f);
    expect(0, 0, 1, 0.5f, 0.25f);
    glColor3f(2, -1, 0.25f);
    quad(0);
    expect(3, 12, 1, 0, 0.25f);
}

static void test_smooth_and_flat(void **state)
{
    for (int flat = 0; flat < 2; flat++) {
        glShadeModel(flat ? GL_FLAT : GL_SMOOTH);
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_TRIANGLE_STRIP);
        glColor3f(1, 0, 0);
        glVertex2f(-1, -1);
        glVertex2f(-1, 1);
        glColor3f(0, 1, 0);
        glVertex2f(1, -1);
        glVertex2f(1, 1);
        glEnd();
        float t = flat ? 1 : 4.5f / SIZE;
        expect(4, 8, 1 - t, t, 0);
    }
    glShadeModel(GL_SMOOTH);
}

static void material(GLenum face, GLenum pname, float r, float g, float b)
{
    const float v[4] = {r, g, b, 1};
    glMaterialfv(face, pname, v);
}

static void light(GLenum pname, float r, float g, float b, float a)
{
    const float v[4] = {r, g, b, a};
    glLightfv(GL_LIGHT0, pname, v);
}

static void test_lighting(void **state)
{
    const float dim[4] = {0.5f, 0.5f, 0.5f, 1};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, dim);
    material(GL_FRONT_AND_BACK, GL_AMBIENT, 0.5f, 0, 0);
    material(GL_FRONT_AND_BACK, GL_DIFFUSE, 0, 1, 0);
    material(GL_FRONT_AND_BACK, GL_EMISSION, 0, 0, 0.25f);
    material(GL_FRONT_AND_BACK, GL_SPECULAR, 0, 0, 0);
    light(GL_POSITION, 0, 3, 4, 0); /* n · l = 0.8 */
    quad(0);
    expect(8, 8, 0.25f, 0.8f, 0.25f);

    /* Attenuation of a light at distance 2, in a cone. */
    light(GL_POSITION, 0, 0, 2, 1);
    glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, 1);
    glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 80);
    glBegin(GL_POINTS);
    glEnd();
    glClear(GL_COLOR_BUFFER_BIT);
    glPointSize(8);
    glBegin(GL_POINTS);
    glVertex3f(0, 0, 0);
    glEnd();
    expect(8, 8, 0.25f, 1 / 3.0f, 0.25f);

    /* The light points away. */
    light(GL_SPOT_DIRECTION, 0, 0, 1, 0);
    quad(0);
    expect(8, 8, 0.25f, 0, 0.25f);
    glPopAttrib();
}

/* Checks that vertices are homogeneous points in lighting (GL 4.6 compatibility §12.2.1). */
static void test_lighting_of_homogeneous_vertices(void **state)
{
    const float none[4] = {0, 0, 0, 1};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, none);
    material(GL_FRONT_AND_BACK, GL_AMBIENT, 0, 0, 0);
    material(GL_FRONT_AND_BACK, GL_DIFFUSE, 0, 1, 0);
    light(GL_POSITION, 0, 0, 2, 1);
    glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, 1);
    glNormal3f(0, 0, 1);
    glPointSize(8);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_POINTS);
    glVertex4f(0, 0, -1.6f, 4); /* z = -0.4, at distance 2.4 from the light */
    glEnd();
    expect(8, 8, 0, 1 / 3.4f, 0);
    glPopAttrib();
}

static void test_specular(void **state)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    light(GL_POSITION, 0, 0, 1, 0);
    material(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, 0, 0, 0);
    material(GL_FRONT, GL_SPECULAR, 0.75f, 0, 0);
    for (int shininess = 0; shininess <= 64; shininess += 32) {
        glMaterialf(GL_FRONT, GL_SHININESS, shininess);
        quad(0);
        expect(8, 8, 0.75f, 0, 0);
        glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    }
    glPopAttrib();
}

static void test_color_material_and_two_sides(void **state)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_COLOR_MATERIAL);
    light(GL_POSITION, 0, 0, 1, 0);
    glColorMaterial(GL_FRONT, GL_DIFFUSE);
    material(GL_FRONT_AND_BACK, GL_AMBIENT, 0, 0, 0);
    material(GL_BACK, GL_DIFFUSE, 0, 0, 1);
    glColor3f(1, 0.5f, 0);
    quad(0);
    expect(8, 8, 1, 0.5f, 0);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    glFrontFace(GL_CW);
    light(GL_POSITION, 0, 0, -1, 0);
    quad(0);
    expect(8, 8, 0, 0, 1);
    glPopAttrib();
}

static void test_fog(void **state)
{
    const float color[4] = {0, 0, 1, 1};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, 0);
    glFogf(GL_FOG_END, 1);
    glFogfv(GL_FOG_COLOR, color);
    glColor3f(1, 1, 0);
    quad(-0.25f);
    expect(8, 8, 0.75f, 0.75f, 0.25f);
    glFogi(GL_FOG_MODE, GL_EXP2);
    glFogf(GL_FOG_DENSITY, 2);
    quad(-0.5f);
    expect(8, 8, expf(-1), expf(-1), 1 - expf(-1));
    glFogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    glFogi(GL_FOG_MODE, GL_EXP);
    glFogCoordf(0.25f);
    quad(-0.5f);
    expect(8, 8, expf(-0.5f), expf(-0.5f), 1 - expf(-0.5f));
    glPopAttrib();
}

static void test_clip_plane_and_alpha(void **state)
{
    const double plane[4] = {1, 0, 0, 0};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glColor4f(1, 1, 1, 0.5f);
    glClipPlane(GL_CLIP_PLANE1, plane);
    glEnable(GL_CLIP_PLANE1);
    quad(0);
    expect(12, 8, 1, 1, 1);
    expect(4, 8, 0, 0, 0);
    glDisable(GL_CLIP_PLANE1);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_GREATER, 0.6f);
    quad(0);
    expect(8, 8, 0, 0, 0);
    glAlphaFunc(GL_GREATER, 0.4f);
    quad(0);
    expect(8, 8, 1, 1, 1);
    glAlphaFunc(GL_NEVER, 0.4f);
    quad(0);
    expect(8, 8, 0, 0, 0);
    glPopAttrib();
}

static GLuint program(const char *vs, const char *fs)
{
    GLuint p = gl_test_program(vs, fs);
    glUseProgram(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return p;
}

static void test_program(void **state)
{
    GLuint p = program("uniform mat4 m; uniform vec4 c[2]; attribute float a; varying vec4 v;\n"
                       "void main() { v = c[1] * a + gl_Color; gl_Position = m * gl_Vertex; }",
                       "uniform float k; uniform bool swap; varying vec4 v;\n"
                       "void main() { gl_FragColor = swap ? v.yxzw * k : v * k; }");
    GLfloat m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    GLint c1 = glGetUniformLocation(p, "c[1]"), k = glGetUniformLocation(p, "k");
    glUniformMatrix4fv(glGetUniformLocation(p, "m"), 1, GL_FALSE, m);
    glUniform4f(c1, 0.5f, 0.25f, 0, 1);
    glUniform1f(k, 1);
    glVertexAttrib1f(glGetAttribLocation(p, "a"), 0.5f);
    glColor3f(0, 0, 1);
    quad(0);
    expect(8, 8, 0.25f, 0.125f, 1);
    glUniform1f(k, 0.5f);
    quad(0);
    expect(8, 8, 0.125f, 0.0625f, 0.5f);
    glUniform1i(glGetUniformLocation(p, "swap"), 1);
    glUniform4f(c1, 1, 0, 0, 1);
    quad(0);
    expect(8, 8, 0, 0.25f, 0.5f);
    glUseProgram(0);
    quad(0);
    expect(8, 8, 0, 0, 1);
    glUseProgram(p);
    quad(0);
    expect(8, 8, 0, 0.25f, 0.5f);
    glDeleteProgram(p);
    glUseProgram(0);
}

/* A fragment shader that reads only the secondary color gets that of its face from lighting, with
 * alpha 1 (GL 4.6 compatibility §12.2.1.1). */
static void test_lit_secondary_color(void **state)
{
    GLuint p = program(NULL, "void main() {\n"
                             "    vec4 c = gl_SecondaryColor;\n"
                             "    gl_FragColor = vec4(c.rg, c.a, 1.0);\n"
                             "}\n");
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 0);
    material(GL_FRONT, GL_SPECULAR, 0.75f, 0.25f, 0);
    material(GL_BACK, GL_SPECULAR, 0.25f, 0.5f, 0);
    light(GL_POSITION, 0, 0, 1, 0);
    light(GL_SPECULAR, 1, 1, 1, 1);
    quad(0);
    expect(8, 8, 0.75f, 0.25f, 1);
    glFrontFace(GL_CW);
    light(GL_POSITION, 0, 0, -1, 0); /* behind the quad, so the reversed normal faces it */
    quad(0);
    /* The half vector of (0, 0, -1) and (0, 0, 1) is zero; any power of 0 with exponent 0 is 1. */
    expect(8, 8, 0.25f, 0.5f, 1);
    glPopAttrib();
    gl_test_delete_program(p);
}

/* Lighting doesn't enable the color sum if a vertex shader is active (GL 4.6 compatibility
 * §16.3). */
static void test_color_sum_of_program(void **state)
{
    GLuint p = program("void main() {\n"
                       "    gl_FrontColor = vec4(0.25, 0.0, 0.0, 1.0);\n"
                       "    gl_FrontSecondaryColor = vec4(0.0, 0.5, 0.0, 1.0);\n"
                       "    gl_Position = gl_Vertex;\n"
                       "}\n",
                       NULL);
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    quad(0);
    expect(8, 8, 0.25f, 0, 0);
    glEnable(GL_COLOR_SUM);
    quad(0);
    expect(8, 8, 0.25f, 0.5f, 0);
    glPopAttrib();
    gl_test_delete_program(p);
}

/* Checks generic attribute 0 without an array while another attribute gives the position: it has
 * the value that glVertexAttrib set outside glBegin and glEnd. */
static void test_current_attribute_0(void **state)
{
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER,
                   "#version 130\nin vec4 color; in vec2 weight; out vec4 v;\n"
                   "void main() { v = color; gl_Position = vec4(weight, 0.0, 1.0); }");
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   "#version 130\nin vec4 v; out vec4 o; void main() { o = v; }");
    glBindAttribLocation(p, 0, "color");
    glBindAttribLocation(p, 3, "weight");
    gl_test_use(p);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(3);
    for (int i = 0; i < 2; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glVertexAttrib4f(0, i, 0.5f, 0.25f, 1);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        expect(8, 8, i, 0.5f, 0.25f);
    }
    glDisableVertexAttribArray(3);
    gl_test_delete_program(p);
}

static void test_uniforms_of_stages(void **state)
{
    GLuint p = gl_test_program(
        "#version 120\nuniform float x, both; varying float v;\n"
        "void main() { v = both; gl_Position = gl_Vertex + vec4(x, 0.0, 0.0, 0.0); }",
        "#version 120\nuniform vec2 color; uniform float both; varying float v;\n"
        "void main() { gl_FragColor = vec4(color, v * both, 1.0); }");
    GLint x = glGetUniformLocation(p, "x"), color = glGetUniformLocation(p, "color"),
          both = glGetUniformLocation(p, "both");
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glUniform2f(color, 1.0f, 0.0f);
    glUniform1f(both, 1.0f);
    glRectf(-1.0f, -1.0f, -0.5f, 1.0f);
    glUniform1f(x, 0.5f); /* used by the vertex stage only */
    glRectf(-1.0f, -1.0f, -0.5f, 1.0f);
    glUniform1f(x, 1.0f);
    glUniform2f(color, 0.0f, 1.0f); /* used by the fragment stage only */
    glRectf(-1.0f, -1.0f, -0.5f, 1.0f);
    glUniform1f(both, 0.5f);
    glUniform1f(x, 1.5f);
    glRectf(-1.0f, -1.0f, -0.5f, 1.0f);
    expect(SIZE / 8, 8, 1, 0, 1);
    expect(3 * SIZE / 8, 8, 1, 0, 1);
    expect(5 * SIZE / 8, 8, 0, 1, 1);
    expect(7 * SIZE / 8, 8, 0, 1, 0.25f);
    gl_test_delete_program(p);
}

static void test_state_uniforms(void **state)
{
    GLuint p = program("varying vec4 v;\n"
                       "void main() { gl_Position = ftransform();\n"
                       "v = vec4(gl_ModelViewMatrix[3].x, gl_LightSource[1].diffuse.y,\n"
                       "gl_ModelViewMatrixInverse[0].x, 1.0); }",
                       "varying vec4 v;\n"
                       "void main() { gl_FragColor = v + vec4(0.0, gl_Fog.density, 0.0, 0.0); }");
    const float diffuse[4] = {0, 0.5f, 0, 0};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glMatrixMode(GL_MODELVIEW);
    glPushMatrix();
    glLightfv(GL_LIGHT1, GL_DIFFUSE, diffuse);
    glFogf(GL_FOG_DENSITY, 0.25f);
    glTranslatef(0.25f, 0, 0);
    glScalef(2, 2, 2);
    quad(0);
    expect(8, 8, 0.25f, 0.75f, 0.5f);
    glLoadIdentity();
    glFogf(GL_FOG_DENSITY, 0);
    quad(0);
    expect(8, 8, 0, 0.5f, 1);
    glPopMatrix();
    glPopAttrib();
    gl_test_delete_program(p);
}

/* Checks a shader for one stage with fixed function for the other. */
static void test_mixed(void **state)
{
    GLuint p = program("void main() { gl_Position = ftransform();\n"
                       "gl_FrontColor = vec4(0.25, gl_Color.yz, 1.0); gl_BackColor = vec4(1.0); }",
                       NULL);
    glColor3f(1, 0.5f, 1);
    quad(0);
    expect(8, 8, 0.25f, 0.5f, 1);
    glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
    glFrontFace(GL_CW);
    quad(0);
    expect(8, 8, 1, 1, 1);
    glFrontFace(GL_CCW);
    glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);
    glDeleteProgram(p);
    p = program(NULL, "void main() { gl_FragColor = gl_Color + gl_TexCoord[0]; }");
    glColor3f(0, 0, 1);
    glTexCoord2f(0.25f, 0.5f);
    quad(0);
    expect(8, 8, 0.25f, 0.5f, 1);
    gl_test_delete_program(p);
}

static GLuint one_texel(GLenum format, float r, float g, float b, float a)
{
    const float texel[4] = {r, g, b, a};
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, format, 1, 1, 0, GL_RGBA, GL_FLOAT, texel);
    return name;
}

static void test_texture_environment(void **state)
{
    const float constant[4] = {1, 0, 0.5f, 0.5f};
    GLuint rgba = one_texel(GL_RGBA8, 0.5f, 1, 0, 0.25f);
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glColor4f(1, 0.5f, 1, 1);
    quad(0); /* off */
    expect(8, 8, 1, 0.5f, 1);
    glEnable(GL_TEXTURE_2D);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, constant);
    static const struct {
        GLenum mode;
        float r, g, b;
    } modes[] = {
        {GL_MODULATE, 0.5f, 0.5f, 0}, {GL_REPLACE, 0.5f, 1, 0}, {GL_DECAL, 0.875f, 0.625f, 0.75f},
        {GL_BLEND, 1, 0, 1},          {GL_ADD, 1, 1, 1},
    };
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, modes[i].mode);
        quad(0);
        expect(8, 8, modes[i].r, modes[i].g, modes[i].b);
    }
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_INTERPOLATE);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_TEXTURE);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_PRIMARY_COLOR);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC2_RGB, GL_CONSTANT);
    glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND2_RGB, GL_SRC_ALPHA);
    quad(0); /* half of each */
    expect(8, 8, 0.75f, 0.75f, 0.5f);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_SUBTRACT);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, GL_PRIMARY_COLOR);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_TEXTURE);
    glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, 2);
    quad(0);
    expect(8, 8, 1, 0, 1);
    /* The dot products of EXT_texture_env_dot3 are not scaled, and alpha is the product. */
    glColor4f(0.75f, 0.75f, 0.5f, 1);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_DOT3_RGB);
    glTexEnvi(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_PRIMARY_COLOR);
    quad(0);
    expect(8, 8, 1, 1, 1);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_DOT3_RGB_EXT);
    quad(0);
    expect(8, 8, 0.5f, 0.5f, 0.5f);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_DOT3_RGBA_EXT);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_LESS, 0.6f);
    quad(0);
    expect(8, 8, 0.5f, 0.5f, 0.5f);
    glDisable(GL_ALPHA_TEST);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_DOT3_RGBA_EXT);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);

    /* A second unit uses the first one's result. */
    GLuint alpha = one_texel(GL_ALPHA8, 0, 0, 0, 0.5f);
    glBindTexture(GL_TEXTURE_2D, rgba);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, alpha);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_LESS, 0.2f); /* 0.25 * 0.5 */
    quad(0);
    expect(8, 8, 0.5f, 1, 0);
    glPopAttrib();
    glDeleteTextures(1, &rgba);
    glDeleteTextures(1, &alpha);
}

/* Checks that a shader's samplers follow their units. */
static void test_samplers(void **state)
{
    GLuint p = program("void main() { gl_Position = ftransform(); }",
                       "uniform sampler2D t[2];\n"
                       "void main() { gl_FragColor = texture2D(t[0], vec2(0.5)) -\n"
                       "texture2D(t[1], vec2(0.5)); }");
    GLuint a = one_texel(GL_RGBA8, 1, 0.75f, 0.5f, 1);
    glActiveTexture(GL_TEXTURE3);
    GLuint b = one_texel(GL_RGBA8, 0.25f, 0.5f, 0.5f, 1);
    glUniform1i(glGetUniformLocation(p, "t[1]"), 3);
    quad(0);
    expect(8, 8, 0.75f, 0.25f, 0);
    glUniform1i(glGetUniformLocation(p, "t[0]"), 3);
    glUniform1i(glGetUniformLocation(p, "t[1]"), 7); /* incomplete: black */
    quad(0);
    expect(8, 8, 0.25f, 0.5f, 0.5f);
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(0);
    glDeleteTextures(1, &a);
    glDeleteTextures(1, &b);
    glDeleteProgram(p);
}

/* Checks a material that is set again, changes, and is deferred with a color that it tracks, a
 * quarter each. */
static void test_materials_of_primitives(void **state)
{
    static const float emission[4][4] = {{1, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    material(GL_FRONT_AND_BACK, GL_AMBIENT, 0, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        float x = -1 + 0.5f * i;
        glMaterialfv(GL_FRONT, GL_EMISSION, emission[i]);
        glRectf(x, -1, x + 0.5f, 1);
    }
    for (unsigned i = 0; i < 4; i++)
        expect(2 + 4 * i, 8, emission[i][0], emission[i][1], emission[i][2]);

    glColorMaterial(GL_FRONT, GL_EMISSION);
    glEnable(GL_COLOR_MATERIAL);
    glColor3f(0, 1, 1);
    material(GL_FRONT, GL_EMISSION, 1, 0, 0); /* tracks the color */
    material(GL_FRONT, GL_SPECULAR, 0.5f, 0.5f, 0.5f);
    glRectf(-1, -1, 1, 1);
    expect(8, 8, 0, 1, 1);
    glPopAttrib();
}

/* Checks that with a vertex shader, a primitive has the material at its glBegin. */
static void test_material_in_primitive(void **state)
{
    static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
    GLuint p = program("void main() { gl_FrontColor = gl_FrontMaterial.diffuse;\n"
                       "gl_Position = ftransform(); }",
                       NULL);
    float now[4];
    glPushAttrib(GL_LIGHTING_BIT);
    glMaterialfv(GL_FRONT, GL_DIFFUSE, red);
    glBegin(GL_QUADS);
    for (unsigned i = 0; i < 4; i++) {
        glMaterialfv(GL_FRONT, GL_DIFFUSE, green);
        glVertex2f(i == 1 || i == 2 ? 1 : -1, i >= 2 ? 1 : -1);
    }
    glEnd();
    expect(4, 4, 1, 0, 0);
    glGetMaterialfv(GL_FRONT, GL_DIFFUSE, now);
    assert_memory_equal(now, green, sizeof now);
    quad(0);
    expect(4, 4, 0, 1, 0);
    glPopAttrib();
    gl_test_delete_program(p);
}

/* Checks that the vertex program determines the raster position and feedback. */
static void test_raster_position_by_program(void **state)
{
    static const char asm_text[] = "!!ARBvp1.0\n"
                                   "MOV result.position, {-0.5, 0.5, 0, 1};\n"
                                   "MUL result.color, vertex.color, program.env[1];\n"
                                   "MOV result.texcoord[1], {1, 2, 3, 4};\n"
                                   "END\n";
    GLuint p = program("uniform vec2 at[2];\n"
                       "void main() {\n"
                       "    gl_Position = vec4(at[1], 0.0, 0.0) + gl_Vertex;\n"
                       "    gl_FrontColor = gl_Color * 0.5;\n"
                       "    gl_TexCoord[2] = gl_ModelViewMatrix[0];\n"
                       "}\n",
                       NULL);
    float v[4], buffer[8];
    GLint valid;
    glUniform2f(glGetUniformLocation(p, "at[1]"), 0.5f, -0.5f);
    glColor4f(1, 0.5f, 0.25f, 1);
    glRasterPos2f(0.25f, 0);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 14 && v[1] == 4);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, v);
    assert_true(v[0] == 0.5f && v[1] == 0.25f && v[2] == 0.125f);
    glActiveTexture(GL_TEXTURE2);
    glGetFloatv(GL_CURRENT_RASTER_TEXTURE_COORDS, v);
    assert_true(v[0] == 1 && v[1] == 0);
    glRasterPos2f(0.75f, 0);
    glGetIntegerv(GL_CURRENT_RASTER_POSITION_VALID, &valid);
    assert_false(valid);
    glFeedbackBuffer(8, GL_2D, buffer);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_POINTS);
    glVertex2f(-0.5f, 0.5f);
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 3);
    assert_true(buffer[0] == GL_POINT_TOKEN && buffer[1] == 8 && buffer[2] == 8);
    gl_test_delete_program(p);

    glEnable(GL_VERTEX_PROGRAM_ARB);
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, 1);
    glRasterPos2f(0, 0); /* there is no program yet */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof asm_text - 1,
                       asm_text);
    glProgramEnvParameter4fARB(GL_VERTEX_PROGRAM_ARB, 1, 0.5f, 1, 1, 1);
    glRasterPos2f(0, 0);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 4 && v[1] == 12);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, v);
    assert_true(v[0] == 0.5f && v[1] == 0.5f);
    glActiveTexture(GL_TEXTURE1);
    glGetFloatv(GL_CURRENT_RASTER_TEXTURE_COORDS, v);
    assert_true(v[0] == 1 && v[3] == 4);
    glActiveTexture(GL_TEXTURE0);
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, 0);
    glDisable(GL_VERTEX_PROGRAM_ARB);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks what the vertex program reads and writes besides attributes when it computes the raster
 * position; queries and conditional rendering don't affect it. */
static void test_raster_position_memory(void **state)
{
    static const float values[8] = {0, 0, 0, 0, 0.5f, -0.5f, 0, 1}, zeros[16] = {0};
    GLuint p = program("#version 430 compatibility\n"
                       "uniform sampler1D t;\n"
                       "layout(binding = 1) buffer B { vec4 color; uint runs; };\n"
                       "void main() {\n"
                       "    gl_Position = texelFetch(t, 1, 1);\n"
                       "    gl_FrontColor = color;\n"
                       "    atomicAdd(runs, 1u);\n"
                       "}\n",
                       NULL);
    struct {
        float color[4];
        GLuint runs;
    } block = {{0.25f, 0.5f, 0.75f, 1}, 0}, after;
    GLuint texture, buffer, query[2], count;
    float v[4];
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_1D, texture);
    glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA32F, 4, 0, GL_RGBA, GL_FLOAT, zeros);
    glTexImage1D(GL_TEXTURE_1D, 1, GL_RGBA32F, 2, 0, GL_RGBA, GL_FLOAT, values);
    glTexImage1D(GL_TEXTURE_1D, 2, GL_RGBA32F, 1, 0, GL_RGBA, GL_FLOAT, zeros);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof block, &block, GL_STATIC_DRAW);
    glGenQueries(2, query);
    glBeginQuery(GL_SAMPLES_PASSED, query[0]); /* no samples */
    glEndQuery(GL_SAMPLES_PASSED);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query[1]);
    glBeginConditionalRender(query[0], GL_QUERY_WAIT);
    glRasterPos2f(0, 0);
    glRectf(-1, -1, 1, 1);
    glEndConditionalRender();
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(query[1], GL_QUERY_RESULT, &count);
    assert_int_equal(count, 0);
    glGetFloatv(GL_CURRENT_RASTER_POSITION, v);
    assert_true(v[0] == 12 && v[1] == 4);
    glGetFloatv(GL_CURRENT_RASTER_COLOR, v);
    assert_memory_equal(v, block.color, sizeof v);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof after, &after);
    assert_int_equal(after.runs, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(p);
    glDeleteQueries(2, query);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
}

/* Checks feedback of more vertices than run together; those from arrays have their vertex IDs. */
static void test_feedback_by_program(void **state)
{
    enum { COUNT = 1000, FIRST = 3 };
    static float at[COUNT + FIRST][2], buffer[COUNT * 3];
    GLuint p = program("#version 130\n"
                       "void main() {\n"
                       "    gl_Position = vec4(gl_Vertex.x, float(gl_VertexID) / 1024.0, 0, 1);\n"
                       "}\n",
                       NULL);
    for (unsigned i = 0; i < COUNT + FIRST; i++)
        at[i][0] = i % 7 / 8.0f;
    glVertexPointer(2, GL_FLOAT, 0, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    glFeedbackBuffer(COUNT * 3, GL_2D, buffer);
    glRenderMode(GL_FEEDBACK);
    glDrawArrays(GL_POINTS, FIRST, COUNT);
    assert_int_equal(glRenderMode(GL_RENDER), 3 * COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_float_equal(buffer[3 * i + 1], 8 + 8 * at[FIRST + i][0], 1e-4);
        assert_float_equal(buffer[3 * i + 2], 8 + (FIRST + i) / 128.0f, 1e-4);
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    gl_test_delete_program(p);
}

/* Draws a triangle in feedback mode, counterclockwise or clockwise, and checks that its first
 * vertex has this red and blue. */
static void expect_feedback_color(bool clockwise, float red, float blue)
{
    float buffer[64];
    glFeedbackBuffer(64, GL_3D_COLOR, buffer);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_TRIANGLES);
    glVertex2f(0, 0);
    glVertex2f(clockwise ? 0 : 0.5f, clockwise ? 0.5f : 0);
    glVertex2f(clockwise ? 0.5f : 0, clockwise ? 0 : 0.5f);
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 2 + 3 * 7);
    assert_float_equal(buffer[5], red, 1e-6);
    assert_float_equal(buffer[7], blue, 1e-6);
}

/* Back faces in feedback mode have the back color of two-sided lighting or of a vertex shader (GL
 * 4.6 compatibility §12.2.1.1). */
static void test_feedback_of_two_sides(void **state)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glEnable(GL_LIGHTING);
    material(GL_FRONT_AND_BACK, GL_AMBIENT, 0, 0, 0);
    material(GL_FRONT, GL_EMISSION, 0.75f, 0, 0);
    material(GL_BACK, GL_EMISSION, 0, 0, 0.5f);
    expect_feedback_color(true, 0.75f, 0);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    for (unsigned flat = 0; flat < 2; flat++) {
        glShadeModel(flat ? GL_FLAT : GL_SMOOTH);
        expect_feedback_color(false, 0.75f, 0);
        expect_feedback_color(true, 0, 0.5f);
        glFrontFace(GL_CW);
        expect_feedback_color(true, 0.75f, 0);
        expect_feedback_color(false, 0, 0.5f);
        glFrontFace(GL_CCW);
    }
    /* A light that only the back faces, and a back material that tracks the color. */
    glEnable(GL_LIGHT0);
    glColorMaterial(GL_BACK, GL_DIFFUSE);
    glEnable(GL_COLOR_MATERIAL);
    glColor3f(0.25f, 0, 0);
    glNormal3f(0, 0, 1);
    light(GL_POSITION, 0, 0, -1, 0);
    expect_feedback_color(false, 0.75f, 0);
    expect_feedback_color(true, 0.25f, 0.5f);
    glPopAttrib();

    GLuint p = program("void main() {\n"
                       "    gl_FrontColor = vec4(0.75, 0.0, 0.0, 1.0);\n"
                       "    gl_BackColor = vec4(0.0, 0.0, 0.5, 1.0);\n"
                       "    gl_Position = gl_Vertex;\n"
                       "}\n",
                       NULL);
    expect_feedback_color(true, 0.75f, 0);
    glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
    expect_feedback_color(true, 0, 0.5f);
    expect_feedback_color(false, 0.75f, 0);
    glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);
    gl_test_delete_program(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that ftransform() and position-invariant programs have the position of fixed function to
 * the last bit, also if they use the products that it is the sum of (GLSL 1.20 §8.4,
 * ARB_vertex_program). */
static void test_invariant_position(void **state)
{
    enum { COUNT = 200, FLOATS = 8 };
    static const float matrix[16] = {0.31f, 0.17f,  0.13f, 0, -0.19f, 0.37f, 0.11f, 0,
                                     0.07f, -0.23f, 0.29f, 0, 0.05f,  0.03f, -0.7f, 1};
    static const char asm_text[] = "!!ARBvp1.0\nOPTION ARB_position_invariant;\n"
                                   "PARAM m[4] = { state.matrix.mvp.transpose };\n"
                                   "MUL result.color, m[0], vertex.position.x;\nEND";
    static float at[COUNT][3], results[3][COUNT * FLOATS];
    GLuint p =
        gl_test_program("void main() {\n"
                        "    gl_FrontColor = gl_ModelViewProjectionMatrix[0] * gl_Vertex.x;\n"
                        "    gl_Position = ftransform();\n"
                        "}\n",
                        NULL);
    unsigned noise = 1;
    for (unsigned i = 0; i < COUNT * 3; i++) {
        noise = noise * 1103515245u + 12345u;
        at[i / 3][i % 3] = (float)(noise >> 8) * 0x1p-24f - 0.5f;
    }
    glMatrixMode(GL_MODELVIEW);
    glPushMatrix();
    glLoadMatrixf(matrix);
    glVertexPointer(3, GL_FLOAT, 0, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    for (unsigned run = 0; run < 3; run++) {
        glUseProgram(run == 1 ? p : 0);
        if (run == 2) {
            glEnable(GL_VERTEX_PROGRAM_ARB);
            glBindProgramARB(GL_VERTEX_PROGRAM_ARB, 1);
            glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB,
                               sizeof asm_text - 1, asm_text);
        }
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glFeedbackBuffer(COUNT * FLOATS, GL_3D_COLOR, results[run]);
        glRenderMode(GL_FEEDBACK);
        glDrawArrays(GL_POINTS, 0, COUNT);
        assert_int_equal(glRenderMode(GL_RENDER), COUNT * FLOATS);
    }
    for (unsigned i = 0; i < COUNT; i++) { /* Token, x, y and z. */
        assert_memory_equal(&results[1][FLOATS * i], &results[0][FLOATS * i], 4 * sizeof(float));
        assert_memory_equal(&results[2][FLOATS * i], &results[0][FLOATS * i], 4 * sizeof(float));
    }
    glDisable(GL_VERTEX_PROGRAM_ARB);
    glDeleteProgramsARB(1, (const GLuint[]){1});
    glDisableClientState(GL_VERTEX_ARRAY);
    glPopMatrix();
    gl_test_delete_program(p);
}

/* Checks that an invariant position that a function returns doesn't depend on other uses of its
 * products (GLSL 1.20 §4.6). */
static void test_invariant_function(void **state)
{
    enum { COUNT = 200, FLOATS = 8 };
    static const char *const colors[2] = {"vec4(1)", "m[0] * gl_Vertex.x"};
    static const float matrix[16] = {0.31f, 0.17f,  0.13f, 0, -0.19f, 0.37f, 0.11f, 0,
                                     0.07f, -0.23f, 0.29f, 0, 0.05f,  0.03f, -0.7f, 1};
    static float at[COUNT][3], results[2][COUNT * FLOATS];
    unsigned noise = 2;
    for (unsigned i = 0; i < COUNT * 3; i++) {
        noise = noise * 1103515245u + 12345u;
        at[i / 3][i % 3] = (float)(noise >> 8) * 0x1p-24f - 0.5f;
    }
    glVertexPointer(3, GL_FLOAT, 0, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    for (unsigned run = 0; run < 2; run++) {
        char text[300];
        snprintf(text, sizeof text,
                 "#version 120\ninvariant gl_Position; uniform mat4 m;\n"
                 "vec4 place(vec4 v) { return m * v; }\n"
                 "void main() { gl_FrontColor = %s; gl_Position = place(gl_Vertex); }\n",
                 colors[run]);
        GLuint p = program(text, NULL);
        glUniformMatrix4fv(glGetUniformLocation(p, "m"), 1, GL_FALSE, matrix);
        glFeedbackBuffer(COUNT * FLOATS, GL_3D_COLOR, results[run]);
        glRenderMode(GL_FEEDBACK);
        glDrawArrays(GL_POINTS, 0, COUNT);
        assert_int_equal(glRenderMode(GL_RENDER), COUNT * FLOATS);
        gl_test_delete_program(p);
    }
    for (unsigned i = 0; i < COUNT; i++) /* Token, x, y and z. */
        assert_memory_equal(&results[1][FLOATS * i], &results[0][FLOATS * i], 4 * sizeof(float));
    glDisableClientState(GL_VERTEX_ARRAY);
}

static void test_fixed_only_clamping(void **state)
{
    static const struct {
        GLenum format;
        float min, max;
    } buffers[] = {{GL_RGBA8, 0, 1}, {GL_RGBA8_SNORM, 0, 1}, {GL_RGBA32F, -0.5f, 2}};
    GLuint p = program(NULL, "void main() { gl_FragColor = vec4(-0.5, 2.0, 0.25, 2.0); }");
    GLuint fb;
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glGenFramebuffers(1, &fb);
    glAlphaFunc(GL_GREATER, 1);
    for (unsigned i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        GLuint t = one_texel(buffers[i].format, 0, 0, 0, 0);
        float got[4] = {9, 9, 9, 9};
        glBindFramebuffer(GL_FRAMEBUFFER, fb);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
        assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
        glDisable(GL_ALPHA_TEST);
        quad(0);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, got);
        assert_true(fabsf(got[0] - buffers[i].min) < 0.01f);
        assert_true(fabsf(got[1] - buffers[i].max) < 0.01f);
        assert_true(fabsf(got[2] - 0.25f) < 0.01f);
        glEnable(GL_ALPHA_TEST);
        quad(0);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, got);
        assert_true(fabsf(got[2] - (buffers[i].max > 1 ? 0.25f : 0)) < 0.01f);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteTextures(1, &t);
    }
    glDeleteFramebuffers(1, &fb);
    glPopAttrib();
    gl_test_delete_program(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that texture environments clamp colors where fragment colors are clamped, that is, with
 * fixed-point buffers. */
static void test_environment_clamping(void **state)
{
    const GLenum formats[] = {GL_RGBA8, GL_RGBA32F};
    GLuint fb;
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glGenFramebuffers(1, &fb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    for (unsigned i = 0; i < 4; i++) {
        const bool fixed = i % 2 == 0, scaled = i > 1;
        float got[4] = {9, 9, 9, 9};
        GLuint to = one_texel(formats[i % 2], 0, 0, 0, 0), t = one_texel(GL_RGBA32F, 0, 0, 0, 0);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 1, 1, 0, GL_RGBA, GL_FLOAT,
                     (const float[]){-0.5f, 2, 0.25f, 1});
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, to, 0);
        assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
        glEnable(GL_TEXTURE_2D);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, scaled ? GL_COMBINE : GL_REPLACE);
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_REPLACE);
        glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, 2);
        quad(0);
        glBindTexture(GL_TEXTURE_2D, to);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, got);
        const float scale = scaled ? 2 : 1;
        assert_true(fabsf(got[0] - (fixed ? 0 : -0.5f * scale)) < 0.01f);
        assert_true(fabsf(got[1] - (fixed ? 1 : 2 * scale)) < 0.01f);
        assert_true(fabsf(got[2] - 0.25f * scale) < 0.01f);
        glDeleteTextures(1, &to);
        glDeleteTextures(1, &t);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glPopAttrib();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Sanitizers need more address space than the limit allows. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* Checks that a draw without memory raises GL_OUT_OF_MEMORY, and that the next one is drawn. */
static void test_out_of_memory(void **state)
{
    enum { COUNT = 100 << 20 };
    uint8_t *indices = calloc(COUNT, 1);
    struct rlimit old, limit;
    long pages = 0;
    glColor3f(1, 0.5f, 0);
    quad(0);
    expect(8, 8, 1, 0.5f, 0);
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_int_equal(fscanf(statm, "%ld", &pages), 1);
    fclose(statm);
    getrlimit(RLIMIT_AS, &old);
    limit = old;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + COUNT;
    setrlimit(RLIMIT_AS, &limit);
    static const float corner[2] = {0, 0};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corner);
    glDrawElements(GL_TRIANGLE_FAN, COUNT, GL_UNSIGNED_BYTE, indices);
    glDisableClientState(GL_VERTEX_ARRAY);
    setrlimit(RLIMIT_AS, &old);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glColor3f(0, 0.5f, 1);
    quad(0);
    expect(8, 8, 0, 0.5f, 1);
    free(indices);
}

#endif

/* Textures that are deleted after their draw keep their texels until it is executed. Their memory,
 * 64 MiB in total, is used again meanwhile. */
static void test_deleted_textures(void **state)
{
    enum { TEXELS = 512 };
    static uint32_t texels[TEXELS * TEXELS], pixels[SIZE * SIZE];
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_TEXTURE_2D);
    for (uint32_t n = 0; n < 64; n++) {
        GLuint texture;
        for (unsigned i = 0; i < TEXELS * TEXELS; i++)
            texels[i] = 0xff000000 | (n * 3 << 8) | (n + 1);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXELS, TEXELS, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
        glViewport((GLint)(n % SIZE), (GLint)(n / SIZE), 1, 1);
        glRectf(-1, -1, 1, 1);
        glDeleteTextures(1, &texture);
    }
    glViewport(0, 0, SIZE, SIZE);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glDisable(GL_TEXTURE_2D);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (uint32_t n = 0; n < 64; n++)
        assert_int_equal(pixels[n] & 0xffffff, (n * 3 << 8) | (n + 1));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deleted_textures),
        cmocka_unit_test(test_color),
        cmocka_unit_test(test_assembly_operations),
        cmocka_unit_test(test_blend_factors),
        cmocka_unit_test(test_blend_equations),
        cmocka_unit_test(test_matrix_order),
        cmocka_unit_test(test_depth_funcs),
        cmocka_unit_test(test_stencil_ops),
        cmocka_unit_test(test_smooth_and_flat),
        cmocka_unit_test(test_lighting),
        cmocka_unit_test(test_lighting_of_homogeneous_vertices),
        cmocka_unit_test(test_specular),
        cmocka_unit_test(test_color_material_and_two_sides),
        cmocka_unit_test(test_fog),
        cmocka_unit_test(test_clip_plane_and_alpha),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_lit_secondary_color),
        cmocka_unit_test(test_color_sum_of_program),
        cmocka_unit_test(test_current_attribute_0),
        cmocka_unit_test(test_uniforms_of_stages),
        cmocka_unit_test(test_state_uniforms),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_texture_environment),
        cmocka_unit_test(test_samplers),
        cmocka_unit_test(test_materials_of_primitives),
        cmocka_unit_test(test_material_in_primitive),
        cmocka_unit_test(test_raster_position_by_program),
        cmocka_unit_test(test_raster_position_memory),
        cmocka_unit_test(test_feedback_by_program),
        cmocka_unit_test(test_feedback_of_two_sides),
        cmocka_unit_test(test_invariant_position),
        cmocka_unit_test(test_invariant_function),
        cmocka_unit_test(test_fixed_only_clamping),
        cmocka_unit_test(test_environment_clamping),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        cmocka_unit_test(test_out_of_memory),
#endif
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
