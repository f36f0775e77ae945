/* SPDX-License-Identifier: MIT */
/*
 * Texture image units: 32 in each stage, all 192 at once. Each unit has an integer texture with
 * another value. Every stage adds up its 32 samplers, weighted by their index, and reads one of
 * them by a dynamic index.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { PER_STAGE = 32, UNITS = 6 * PER_STAGE, PICK = 27 };

static int setup(void **state)
{
    static const struct gl_test_window window = {8, 8};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLint value_of(unsigned unit)
{
    return (GLint)(unit * 7 + 3);
}

/* Returns what a stage whose samplers start at a unit must compute. */
static GLint expected(unsigned first)
{
    GLint sum = 1000000 * value_of(first + PICK);
    for (unsigned i = 0; i < PER_STAGE; i++)
        sum += (GLint)(i + 1) * value_of(first + i);
    return sum;
}

static void create_textures(GLuint textures[UNITS])
{
    glGenTextures(UNITS, textures);
    for (unsigned u = 0; u < UNITS; u++) {
        const GLint texel = value_of(u);
        glActiveTexture(GL_TEXTURE0 + u);
        glBindTexture(GL_TEXTURE_2D, textures[u]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32I, 1, 1, 0, GL_RED_INTEGER, GL_INT, &texel);
    }
    glActiveTexture(GL_TEXTURE0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Declares a stage's 32 samplers and the function that reads them. `pick` is a uniform, so that
 * no compiler knows its value. */
#define SAMPLERS(name, first)                                                                      \
    "#version 460\nuniform int pick;\n"                                                            \
    "layout(binding = " #first ") uniform isampler2D " #name "[32];\n"                             \
    "int read() {\n"                                                                               \
    "    int sum = 1000000 * texelFetch(" #name "[pick], ivec2(0), 0).x;\n"                        \
    "    for (int i = 0; i < 32; i++) sum += (i + 1) * textureLod(" #name                          \
    "[i], vec2(0.5), 0).x;\n"                                                                      \
    "    return sum;\n"                                                                            \
    "}\n"

static const char vs[] =
    SAMPLERS(tv, 0) "flat out int v;\n"
                    "void main() { v = read(); gl_Position = vec4(gl_VertexID == 1 ? 3 : -1,"
                    "gl_VertexID == 2 ? 3 : -1, 0, 1); }";
static const char tcs[] =
    SAMPLERS(tc, 32) "layout(vertices = 3) out; flat in int v[]; flat out ivec2 c[];\n"
                     "void main() { c[gl_InvocationID] = ivec2(v[gl_InvocationID], read());\n"
                     "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1;\n"
                     "gl_TessLevelInner[0] = 1;\n"
                     "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }";
static const char tes[] = SAMPLERS(
    te, 64) "layout(triangles) in; flat in ivec2 c[]; flat out ivec3 e;\n"
            "void main() { e = ivec3(c[0], read()); gl_Position = gl_TessCoord.x * "
            "gl_in[0].gl_Position +\n"
            "gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position; }";
static const char gs[] = SAMPLERS(
    tg, 96) "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
            "flat in ivec3 e[]; flat out ivec4 g;\n"
            "void main() { int r = read(); for (int i = 0; i < 3; i++) { g = ivec4(e[i], r);\n"
            "gl_Position = gl_in[i].gl_Position; EmitVertex(); } }";
static const char fs[] = SAMPLERS(
    tf, 128) "flat in ivec4 g; uniform ivec4 want; uniform int want_fragment; out vec4 color;\n"
             "void main() { bvec4 same = equal(g, want);\n"
             "color = vec4(all(same.xy), all(same.zw), read() == want_fragment, 1); }";
static const char cs[] = SAMPLERS(
    tx, 160) "layout(local_size_x = 1) in; layout(std430, binding = 0) buffer B { int result; };\n"
             "void main() { result = read(); }";

static void set_int(GLuint program, const char *name, GLint value)
{
    glProgramUniform1i(program, glGetUniformLocation(program, name), value);
}

static void test_limits(void **state)
{
    static const GLenum names[] = {
        GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS,
        GL_MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS,
        GL_MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS,
        GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS,
        GL_MAX_TEXTURE_IMAGE_UNITS,
        GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS,
    };
    GLint value;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        glGetIntegerv(names[i], &value);
        assert_int_equal(value, PER_STAGE);
    }
    glGetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &value);
    assert_int_equal(value, UNITS);
    glActiveTexture(GL_TEXTURE0 + UNITS - 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glActiveTexture(GL_TEXTURE0 + UNITS);
    expect_error(GL_INVALID_ENUM);
    glActiveTexture(GL_TEXTURE0);
}

static void test_all_stages(void **state)
{
    GLuint textures[UNITS], p = glCreateProgram();
    create_textures(textures);
    gl_test_attach(p, GL_VERTEX_SHADER, vs);
    gl_test_attach(p, GL_TESS_CONTROL_SHADER, tcs);
    gl_test_attach(p, GL_TESS_EVALUATION_SHADER, tes);
    gl_test_attach(p, GL_GEOMETRY_SHADER, gs);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
    gl_test_use(p);
    set_int(p, "pick", PICK);
    glUniform4i(glGetUniformLocation(p, "want"), expected(0), expected(32), expected(64),
                expected(96));
    set_int(p, "want_fragment", expected(128));
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glDrawArrays(GL_PATCHES, 0, 3);
    expect(2, 2, 1, 1, 1);
    expect(7, 0, 1, 1, 1);
    gl_test_delete_program(p);
    glDeleteTextures(UNITS, textures);
}

static void test_compute(void **state)
{
    GLuint textures[UNITS], p = glCreateProgram(), buffer;
    GLint result = 0;
    create_textures(textures);
    gl_test_attach(p, GL_COMPUTE_SHADER, cs);
    gl_test_use(p);
    set_int(p, "pick", PICK);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4, NULL, GL_DYNAMIC_READ);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4, &result);
    assert_int_equal(result, expected(160));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
    glDeleteTextures(UNITS, textures);
}

/* 33 samplers in one stage, and 193 in all stages, are too many. */
static void test_too_many(void **state)
{
    GLuint p = glCreateProgram();
    GLint ok;
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   "#version 460\nuniform sampler2D t[32], more; out vec4 c; void main() {\n"
                   "c = texture(more, vec2(0)); for (int i = 0; i < 32; i++)\n"
                   "c += texture(t[i], vec2(0)); }");
    gl_test_attach(p, GL_VERTEX_SHADER, "#version 460\nvoid main() { gl_Position = vec4(1); }");
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    assert_false(ok);
    glDeleteProgram(p);
    GLuint f = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(f, 1,
                   (const char *const[]){"#version 460\nlayout(binding = 161) uniform sampler2D\n"
                                         "t[32]; out vec4 c; void main() { c = vec4(1); }"},
                   NULL);
    glCompileShader(f);
    glGetShaderiv(f, GL_COMPILE_STATUS, &ok);
    assert_false(ok);
    glDeleteShader(f);
}

/* An image that is drawn has its own sampler, also if the fragment shader uses all units. */
static void test_draw_pixels(void **state)
{
    static const GLfloat pixel[3] = {0.25f, 0.5f, 0.75f};
    GLuint textures[UNITS], p = glCreateProgram();
    create_textures(textures);
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   "#version 460 compatibility\nuniform int pick;\n"
                   "layout(binding = 0) uniform isampler2D t[32]; void main() {\n"
                   "int sum = 0; for (int i = 0; i < 32; i++) sum += texture(t[i], vec2(0)).x;\n"
                   "sum -= texture(t[pick], vec2(0)).x;\n"
                   "gl_FragColor = sum == 3376 ? gl_Color : vec4(1); }");
    gl_test_use(p);
    set_int(p, "pick", PICK);
    GLint sum = -value_of(PICK);
    for (unsigned i = 0; i < PER_STAGE; i++)
        sum += value_of(i);
    assert_int_equal(sum, 3376);
    glWindowPos2i(3, 3);
    glPixelZoom(2, 2);
    glDrawPixels(1, 1, GL_RGB, GL_FLOAT, pixel);
    expect(4, 4, 0.25f, 0.5f, 0.75f);
    glPixelZoom(1, 1);
    gl_test_delete_program(p);
    glColor3f(1, 0, 1);
    glWindowPos2i(1, 0);
    glBitmap(1, 1, 0, 0, 0, 0, (const GLubyte[]){0x80});
    expect(1, 0, 1, 0, 1);
    glDeleteTextures(UNITS, textures);
}

/* The bias of the level of detail belongs to image units, also to those without texture coordinates
 * (GL 4.6 compatibility §8.14). */
static void test_biases(void **state)
{
    static const GLubyte levels[3][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}};
    enum { UNIT = 150, OTHER = 3 };
    GLubyte texels[64];
    GLuint texture;
    GLfloat bias;
    GLuint p = gl_test_program(
        "#version 460 compatibility\nvoid main() { gl_Position = gl_Vertex; }",
        "#version 460\nlayout(binding = 150) uniform sampler2D t;\n"
        "out vec4 color; void main() { color = texture(t, gl_FragCoord.xy * 0.25); }");
    gl_test_use(p);
    glActiveTexture(GL_TEXTURE0 + UNIT);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (GLint l = 0; l < 3; l++) {
        for (unsigned i = 0; i < sizeof texels; i++)
            texels[i] = levels[l][i % 4];
        glTexImage2D(GL_TEXTURE_2D, l, GL_RGBA8, 4 >> l, 4 >> l, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    }
    glRectf(-1, -1, 1, 1);
    expect(4, 4, 1, 0, 0);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 1);
    glRectf(-1, -1, 1, 1);
    expect(4, 4, 0, 1, 0);
    glPushAttrib(GL_TEXTURE_BIT);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 2);
    glActiveTexture(GL_TEXTURE0 + OTHER);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, -2);
    glRectf(-1, -1, 1, 1);
    expect(4, 4, 0, 0, 1);
    glGetTexEnvfv(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, &bias);
    assert_true(bias == -2);
    glPopAttrib();
    glGetTexEnvfv(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, &bias);
    assert_true(bias == 1);
    glRectf(-1, -1, 1, 1);
    expect(4, 4, 0, 1, 0);
    glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 0);
    glActiveTexture(GL_TEXTURE0);
    glDeleteTextures(1, &texture);
    gl_test_delete_program(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_all_stages),
        cmocka_unit_test(test_compute),     cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_draw_pixels), cmocka_unit_test(test_biases),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
