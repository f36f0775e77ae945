/* SPDX-License-Identifier: MIT */
/* Shaders, programs, uniforms and fixed-function programs, on the driver that draws nothing. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {64, 64};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const char vs_text[] =
    "#version 120\n"
    "struct S { vec2 a; float b[3]; };\n"
    "uniform mat4 m; uniform mat2x3 n; uniform S s[2]; uniform bool flag = true;\n"
    "uniform ivec3 i; uniform float unused;\n"
    "attribute vec4 weight; attribute float other; varying vec4 color;\n"
    "void main() {\n"
    "    color = weight * s[1].b[2] + vec4(n * s[0].a, float(i.y)) + gl_Color * other;\n"
    "    color *= gl_LightSource[2].diffuse;\n"
    "    if (flag) color = color.yxzw;\n"
    "    gl_Position = m * gl_ModelViewProjectionMatrix * gl_Vertex;\n"
    "}\n";
static const char fs_text[] =
    "#version 120\n"
    "uniform sampler2D t[2]; uniform samplerCube cube; varying vec4 color;\n"
    "void main() {\n"
    "    gl_FragColor = color + texture2D(t[0], color.xy) + texture2D(t[1], color.xy) +\n"
    "                   textureCube(cube, color.xyz) + gl_Color;\n"
    "}\n";

static void draw(GLenum mode)
{
    glBegin(mode);
    for (int i = 0; i < 4; i++)
        glVertex2f(i & 1, i >> 1);
    glEnd();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_objects(void **state)
{
    GLuint p = glCreateProgram(), s = glCreateShader(GL_VERTEX_SHADER);
    GLint value;
    assert_true(glIsProgram(p) && glIsShader(s) && !glIsProgram(s) && !glIsShader(p));
    glAttachShader(p, s);
    glAttachShader(p, s);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteShader(s);
    assert_true(glIsShader(s)); /* still attached */
    glGetShaderiv(s, GL_DELETE_STATUS, &value);
    assert_int_equal(value, GL_TRUE);
    glDetachShader(p, s);
    assert_false(glIsShader(s));
    glDetachShader(p, s);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUseProgram(p);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glLinkProgram(p); /* no shaders: all fixed function */
    glGetProgramiv(p, GL_LINK_STATUS, &value);
    assert_true(value);
    glUseProgram(p);
    draw(GL_TRIANGLES);
    s = glCreateShader(GL_VERTEX_SHADER);
    glAttachShader(p, s);
    glDeleteShader(s);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &value);
    assert_false(value);
    glGetProgramiv(p, GL_INFO_LOG_LENGTH, &value);
    assert_true(value > 1);
    draw(GL_TRIANGLES); /* the old executable stays current */
    gl_test_delete_program(p);
    assert_false(glIsProgram(p));
    glDeleteProgram(p);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    assert_int_equal(glCreateShader(GL_TEXTURE_2D), 0);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

static void test_bad_shader(void **state)
{
    const char *text = "void main() { nonsense }";
    GLuint s = glCreateShader(GL_FRAGMENT_SHADER);
    GLint value;
    glShaderSource(s, 1, &text, NULL);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &value);
    assert_false(value);
    glGetShaderiv(s, GL_INFO_LOG_LENGTH, &value);
    assert_true(value > 1);
    char source[100];
    GLsizei length;
    glGetShaderSource(s, 5, &length, source);
    assert_string_equal(source, "void");
    assert_int_equal(length, 4);
    glDeleteShader(s);
}

static void test_uniforms(void **state)
{
    GLuint p = gl_test_program(vs_text, fs_text);
    GLfloat f[16];
    GLint i[4];
    glUniform1f(0, 1.0f);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUseProgram(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(glGetUniformLocation(p, "unused"), -1);
    assert_int_equal(glGetUniformLocation(p, "gl_ModelViewProjectionMatrix"), -1);
    GLint b = glGetUniformLocation(p, "s[1].b");
    assert_true(b >= 0);
    assert_int_equal(glGetUniformLocation(p, "s[1].b[2]"), b + 2);
    assert_int_equal(glGetUniformLocation(p, "s[1].b[3]"), -1);
    assert_int_equal(glGetUniformLocation(p, "s[1].b[02]"), -1);
    GLfloat three[3] = {1, 2, 3};
    glUniform1fv(b + 1, 3, three); /* the last one is past the end */
    glGetUniformfv(p, b + 2, f);
    assert_true(f[0] == 2.0f);
    glUniform2f(b, 1, 2);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);

    GLint n = glGetUniformLocation(p, "n");
    GLfloat rows[6] = {1, 2, 3, 4, 5, 6};
    glUniformMatrix2x3fv(n, 1, GL_TRUE, rows);
    glGetUniformfv(p, n, f);
    assert_true(f[0] == 1 && f[1] == 3 && f[2] == 5 && f[3] == 2 && f[5] == 6);
    glUniformMatrix3x2fv(n, 1, GL_FALSE, rows);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);

    GLint flag = glGetUniformLocation(p, "flag");
    glGetUniformiv(p, flag, i);
    assert_int_equal(i[0], 1); /* initializer */
    glUniform1f(flag, 0.0f);
    glGetUniformiv(p, flag, i);
    assert_int_equal(i[0], 0);
    glUniform3i(glGetUniformLocation(p, "i"), -1, 2, -3);
    glGetUniformiv(p, glGetUniformLocation(p, "i"), i);
    assert_true(i[0] == -1 && i[1] == 2 && i[2] == -3);
    glUniform1i(-1, 7);
    assert_int_equal(glGetError(), GL_NO_ERROR);

    GLint t = glGetUniformLocation(p, "t[1]");
    glUniform1i(t, 1000);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUniform1f(t, 1);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUniform1i(t, 5);
    glGetUniformiv(p, t, i);
    assert_int_equal(i[0], 5);
    /* t[0] and cube are both on unit 0. */
    glBegin(GL_TRIANGLES);
    for (int v = 0; v < 3; v++)
        glVertex2f(v, v);
    glEnd();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUniform1i(glGetUniformLocation(p, "cube"), 2);
    draw(GL_TRIANGLES);
    glDeleteProgram(p);
    assert_true(glIsProgram(p)); /* in use */
    glUseProgram(0);
    assert_false(glIsProgram(p));
}

static void test_resources(void **state)
{
    GLuint p = gl_test_program(vs_text, fs_text);
    GLint count, length;
    char name[100];
    glGetProgramiv(p, GL_ACTIVE_UNIFORMS, &count);
    glGetProgramiv(p, GL_ACTIVE_UNIFORM_MAX_LENGTH, &length);
    assert_true(length > 5 && length < (GLint)sizeof name);
    bool found = false;
    for (GLint i = 0; i < count; i++) {
        GLint size;
        GLenum type;
        GLsizei n;
        glGetActiveUniform(p, i, sizeof name, &n, &size, &type, name);
        assert_int_equal(strlen(name), n);
        if (strcmp(name, "t[0]"))
            continue;
        found = true;
        assert_int_equal(size, 2);
        assert_int_equal(type, GL_SAMPLER_2D);
    }
    assert_true(found);
    assert_int_equal(glGetAttribLocation(p, "weight"), 3);
    assert_true(glGetAttribLocation(p, "other") >= 0);
    assert_int_equal(glGetAttribLocation(p, "gl_Vertex"), -1);
    glBindAttribLocation(p, 0, "gl_Vertex");
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteProgram(p);
}

/* Checks that every combination gives valid NIR that the driver accepts. */
static void test_fixed_function(void **state)
{
    static const GLenum caps[] = {GL_LIGHTING,  GL_LIGHT0,        GL_FOG,         GL_COLOR_MATERIAL,
                                  GL_NORMALIZE, GL_COLOR_SUM,     GL_ALPHA_TEST,  GL_CLIP_PLANE0,
                                  GL_LIGHT1,    GL_TEXTURE_GEN_S, GL_POINT_SPRITE};
    GLfloat position[] = {1, 2, 3, 1}, attenuation[] = {1, 0.5f, 0.25f};
    glLightfv(GL_LIGHT1, GL_POSITION, position);
    glLightf(GL_LIGHT1, GL_SPOT_CUTOFF, 30);
    glLightf(GL_LIGHT1, GL_LINEAR_ATTENUATION, 0.5f);
    glAlphaFunc(GL_GREATER, 0.5f);
    for (unsigned i = 0; i < sizeof caps / sizeof caps[0]; i++) {
        glEnable(caps[i]);
        glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, i & 1);
        glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, i >> 1 & 1);
        glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL,
                      i & 2 ? GL_SEPARATE_SPECULAR_COLOR : GL_SINGLE_COLOR);
        glFogi(GL_FOG_MODE, i & 1 ? GL_EXP2 : GL_LINEAR);
        glShadeModel(i & 1 ? GL_FLAT : GL_SMOOTH);
        draw(GL_TRIANGLE_STRIP);
        glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
        draw(GL_POINTS);
    }
    for (unsigned i = 0; i < sizeof caps / sizeof caps[0]; i++)
        glDisable(caps[i]);
    draw(GL_TRIANGLES);
}

/* A shader for one stage, fixed function for the other. */
static void test_mixed(void **state)
{
    static const char *texts[] = {
        "varying vec3 n; void main() { n = gl_NormalMatrix * gl_Normal; gl_FogFragCoord = 1.0;\n"
        "gl_FrontColor = gl_Color; gl_TexCoord[1] = gl_MultiTexCoord1;\n"
        "gl_Position = ftransform(); }",
        "void main() { gl_FragColor = gl_Color * gl_TexCoord[0] * gl_Fog.color; }",
    };
    for (unsigned i = 0; i < 2; i++) {
        GLuint p = glCreateProgram(),
               s = gl_test_compile(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, texts[i]);
        glAttachShader(p, s);
        glLinkProgram(p);
        glUseProgram(p);
        glEnable(GL_FOG);
        glEnable(GL_CLIP_PLANE2);
        draw(GL_QUADS);
        glDisable(GL_FOG);
        glDisable(GL_CLIP_PLANE2);
        gl_test_delete_program(p);
        glDeleteShader(s);
        draw(GL_QUADS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),        cmocka_unit_test(test_bad_shader),
        cmocka_unit_test(test_fixed_function), cmocka_unit_test(test_uniforms),
        cmocka_unit_test(test_resources),      cmocka_unit_test(test_mixed),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
