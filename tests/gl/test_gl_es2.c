/* SPDX-License-Identifier: MIT */
/* OpenGL ES 2.0: features specific to its contexts. */
#define GL_GLEXT_PROTOTYPES
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"

enum { SIZE = 16, POSITION = 3 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static void draw_square(void)
{
    static const float square[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableVertexAttribArray(POSITION);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, square);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* APPLE_clip_distance: half-spaces from the vertex shader, in an array sized by a declaration or by
 * the largest index. */
static void test_clip_distance(void **state)
{
    static const char *const declarations[] = {"", "varying highp float gl_ClipDistance[4];\n"};
    static const char body[] = "attribute vec4 weight;\n"
                               "void main() {\n"
                               "    gl_Position = weight;\n"
                               "    gl_ClipDistance[0] = weight.x;\n"
                               "    gl_ClipDistance[3] = 0.5 - weight.y;\n"
                               "}\n";
    GLint most = 0;
    glGetIntegerv(GL_MAX_CLIP_DISTANCES_APPLE, &most);
    assert_int_equal(most, 8);
    for (int i = 0; i < 8; i++)
        assert_false(glIsEnabled(GL_CLIP_DISTANCE0_APPLE + i));
    for (unsigned i = 0; i < 2; i++) {
        char vs[500];
        snprintf(vs, sizeof vs, "#extension GL_APPLE_clip_distance : require\n%s%s",
                 declarations[i], body);
        GLuint program = gl_test_program(vs, "void main() { gl_FragColor = vec4(1); }");
        glUseProgram(program);
        draw_square();
        expect(1, 1, 1, 1, 1);
        expect(14, 14, 1, 1, 1);
        glEnable(GL_CLIP_DISTANCE0_APPLE);
        draw_square();
        expect(1, 1, 0, 0, 0);
        expect(14, 14, 1, 1, 1);
        glEnable(GL_CLIP_DISTANCE3_APPLE);
        draw_square();
        expect(14, 14, 0, 0, 0);
        expect(14, 10, 1, 1, 1);
        glDisable(GL_CLIP_DISTANCE0_APPLE);
        draw_square();
        expect(1, 1, 1, 1, 1);
        glDisable(GL_CLIP_DISTANCE3_APPLE);
        gl_test_delete_program(program);
    }
    glEnable(GL_CLIP_DISTANCE7_APPLE + 1);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

/* Checks arguments that OpenGL ES 2.0 removes from its commands (§2.10.4, §4.4.3). */
static void test_missing_arguments(void **state)
{
    static const float matrix[16];
    GLuint texture, framebuffer;
    GLuint program = gl_test_program("attribute vec4 weight; uniform mat4 m;\n"
                                     "void main() { gl_Position = m * weight; }",
                                     "void main() { gl_FragColor = vec4(1); }");
    glUseProgram(program);
    GLint m = glGetUniformLocation(program, "m");
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glUniformMatrix4fv(m, 1, GL_TRUE, matrix);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUniformMatrix4fv(-1, 1, GL_TRUE, matrix);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUniformMatrix4fv(-1, 1, GL_FALSE, matrix);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(program);

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* OES_texture_float adds no color buffers (its issue 5); EXT_color_buffer_half_float adds half
 * floats. EXT_texture_format_BGRA8888 accepts bytes only. */
static void test_float_textures(void **state)
{
    static const GLenum types[] = {GL_UNSIGNED_BYTE, GL_FLOAT, GL_HALF_FLOAT_OES};
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (unsigned i = 0; i < 3; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, types[i], NULL);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
                         i != 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 4, 4, 0, GL_BGRA_EXT, types[i], NULL);
        assert_int_equal(glGetError(), i ? GL_INVALID_OPERATION : GL_NO_ERROR);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &texture);
        assert_int_equal(glGetError(), i ? GL_NO_ERROR : GL_INVALID_OPERATION);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* Checks that unsized depth textures return luminance (OES_depth_texture), sized ones red. */
static void test_depth_textures(void **state)
{
    static const struct {
        GLenum internal, format, type;
        bool luminance;
    } kinds[] = {
        {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, true},
        {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, true},
        {GL_DEPTH_STENCIL_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, true},
        {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, false},
        {GL_DEPTH24_STENCIL8_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, false},
    };
    static const uint32_t full = 0xffffffff;
    GLuint texture, program = gl_test_program("attribute vec4 weight;"
                                              "void main() { gl_Position = weight; }",
                                              "uniform sampler2D s;"
                                              "void main() {"
                                              "    gl_FragColor = texture2D(s, vec2(0.5));"
                                              "}");

    glUseProgram(program);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)kinds[i].internal, 1, 1, 0, kinds[i].format,
                     kinds[i].type, &full);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        draw_square();
        expect(8, 8, 1, kinds[i].luminance, kinds[i].luminance);
    }
    glDeleteTextures(1, &texture);
    glDeleteProgram(program);
}

/* EXT_draw_buffers: one buffer of the window, otherwise as many as glGet and the language
 * report. */
static void test_draw_buffers(void **state)
{
    static const GLenum back[2] = {GL_BACK, GL_NONE}, color = GL_COLOR_ATTACHMENT0_EXT;
    static const char text[] = "void main() {\n"
                               "    gl_FragColor = vec4(gl_MaxDrawBuffers == %d ? 1.0 : 0.0);\n"
                               "}\n";
    char fs[sizeof text + 20];
    GLint most;
    glDrawBuffersEXT(0, back);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawBuffersEXT(2, back);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawBuffersEXT(1, &color);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawBuffersEXT(1, back);
    glGetIntegerv(GL_MAX_DRAW_BUFFERS_EXT, &most);
    snprintf(fs, sizeof fs, text, most);
    GLuint p = gl_test_program("attribute vec4 weight; void main() { gl_Position = weight; }", fs);
    glUseProgram(p);
    draw_square();
    expect(8, 8, 1, 1, 1);
    gl_test_delete_program(p);
}

/* Returns whether a fragment shader compiles. */
static bool compiles(const char *text)
{
    GLint ok;
    GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glDeleteShader(shader);
    return ok;
}

/* ESSL 1.00 §7.2: gl_FragData has as many elements as there are draw buffers. */
static void test_frag_data(void **state)
{
    char text[100];
    GLint most;
    glGetIntegerv(GL_MAX_DRAW_BUFFERS_EXT, &most);
    for (GLint i = most - 1; i <= most; i++) {
        snprintf(text, sizeof text, "void main() { gl_FragData[%d] = vec4(1); }", i);
        assert_int_equal(compiles(text), i < most);
    }
    assert_false(compiles("void main() { gl_FragData[gl_MaxDrawBuffers] = vec4(1); }"));
}

/* Checks that two attributes at one location, of which a path uses one, draw (OpenGL ES 2.0
 * §2.10.4). */
static void test_aliases(void **state)
{
    GLuint p = gl_test_program("attribute vec4 weight; attribute vec4 other; uniform bool u;\n"
                               "void main() { if (u) gl_Position = weight;\n"
                               "else gl_Position = vec4(-other.xy, 0, 1); }",
                               "void main() { gl_FragColor = vec4(1); }");
    glBindAttribLocation(p, POSITION, "other");
    gl_test_use(p);
    assert_int_equal(glGetAttribLocation(p, "weight"), POSITION);
    assert_int_equal(glGetAttribLocation(p, "other"), POSITION);
    for (GLint u = 0; u < 2; u++) {
        glUniform1i(glGetUniformLocation(p, "u"), u);
        draw_square();
        expect(1, 1, 1, 1, 1);
        expect(14, 14, 1, 1, 1);
    }
    gl_test_delete_program(p);
}

static void draw_point(float x, float y, float z)
{
    const float place[] = {x, y, z};
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableVertexAttribArray(POSITION);
    glVertexAttribPointer(POSITION, 3, GL_FLOAT, GL_FALSE, 0, place);
    glDrawArrays(GL_POINTS, 0, 1);
}

/* Checks that the viewport cuts the squares of points, if these lie between the near and far planes
 * (OpenGL ES 2.0 §2.13). */
static void test_points(void **state)
{
    GLuint p = gl_test_program("attribute vec4 weight;\n"
                               "void main() { gl_Position = weight; gl_PointSize = 8.0; }",
                               "void main() { gl_FragColor = vec4(1); }");
    glUseProgram(p);
    glViewport(4, 4, 8, 8);
    draw_point(0.5f, 0, 0); /* pixels 6 … 13, clipped to the viewport's 6 … 11 */
    expect(5, 8, 0, 0, 0);
    expect(6, 8, 1, 1, 1);
    expect(11, 8, 1, 1, 1);
    expect(12, 8, 0, 0, 0);
    draw_point(1.5f, 0, 0); /* pixels 10 … 17 */
    expect(9, 8, 0, 0, 0);
    expect(10, 8, 1, 1, 1);
    expect(11, 8, 1, 1, 1);
    expect(12, 8, 0, 0, 0);
    draw_point(-1.75f, 1.5f, 0); /* pixels up to 4, and from 10 */
    expect(4, 10, 1, 1, 1);
    expect(4, 9, 0, 0, 0);
    expect(5, 10, 0, 0, 0);
    expect(4, 12, 0, 0, 0);
    draw_point(-2.25f, 0, 0);
    expect(4, 8, 0, 0, 0);
    draw_point(0, 0, 1.5f);
    expect(8, 8, 0, 0, 0);
    gl_test_delete_program(p);
}

/* --- cube maps in vertex shaders --- */

enum { LEVELS = 4, EDGE = 1 << (LEVELS - 1), LOOKUPS = 128 };

static GLubyte cube[LEVELS][6][EDGE][EDGE][4];

static GLuint make_cube(void)
{
    GLuint texture;
    unsigned noise = 1;
    for (GLubyte *byte = &cube[0][0][0][0][0]; byte < (GLubyte *)(cube + LEVELS); byte++)
        *byte = (GLubyte)((noise = noise * 1103515245u + 12345u) >> 20);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    for (int level = 0; level < LEVELS; level++)
        for (unsigned face = 0; face < 6; face++) {
            int size = EDGE >> level;
            GLubyte texels[EDGE * EDGE * 4];
            for (int y = 0; y < size; y++)
                memcpy(texels + y * size * 4, cube[level][face][y], (size_t)size * 4);
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, GL_RGBA, size, size, 0,
                         GL_RGBA, GL_UNSIGNED_BYTE, texels);
        }
    return texture;
}

/* Returns the cube map face that a direction selects, and its coordinates (OpenGL ES 2.0, table
 * 3.21). */
static unsigned face_of(const float d[3], float st[2])
{
    static const struct {
        int s, t; /* axis + 1, negative: reversed */
    } faces[6] = {{-3, -2}, {3, -2}, {1, 3}, {1, -3}, {1, -2}, {-1, -2}};
    unsigned axis = 0;
    for (unsigned i = 1; i < 3; i++)
        if (fabsf(d[i]) > fabsf(d[axis]))
            axis = i;
    unsigned face = 2 * axis + (d[axis] < 0);
    const int way[2] = {faces[face].s, faces[face].t};
    for (unsigned i = 0; i < 2; i++) {
        float c = way[i] < 0 ? -d[-way[i] - 1] : d[way[i] - 1];
        st[i] = 0.5f * (c / fabsf(d[axis]) + 1);
    }
    return face;
}

static int clamp(int x, int size)
{
    return x < 0 ? 0 : x < size ? x : size - 1;
}

/* Filters one face; faces are separate images, clamped to their edges (section 3.7.7). */
static float filter(const float d[3], int level, bool linear, unsigned c)
{
    float st[2];
    const unsigned face = face_of(d, st);
    const int size = EDGE >> level;
    float u = st[0] * (float)size, v = st[1] * (float)size;
    if (!linear)
        return cube[level][face][clamp((int)floorf(v), size)][clamp((int)floorf(u), size)][c];
    u -= 0.5f;
    v -= 0.5f;
    float sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        int x = (int)floorf(u) + (int)(i & 1), y = (int)floorf(v) + (int)(i >> 1);
        float weight = (1 - fabsf((float)x - u)) * (1 - fabsf((float)y - v));
        sum += weight * (float)cube[level][face][clamp(y, size)][clamp(x, size)][c];
    }
    return sum;
}

/* Returns the lookup result by sections 3.7.7 and 3.7.8, with the limit of later versions between
 * magnification and minification. */
static float lookup(const float d[3], float lod, GLenum min, GLenum mag, unsigned c)
{
    if (lod <= 0)
        return filter(d, 0, mag == GL_LINEAR, c);
    bool linear =
        min == GL_LINEAR || min == GL_LINEAR_MIPMAP_NEAREST || min == GL_LINEAR_MIPMAP_LINEAR;
    lod = fminf(lod, LEVELS - 1);
    if (min == GL_NEAREST || min == GL_LINEAR)
        return filter(d, 0, linear, c);
    if (min == GL_NEAREST_MIPMAP_NEAREST || min == GL_LINEAR_MIPMAP_NEAREST)
        return filter(d, clamp((int)ceilf(lod + 0.5f) - 1, LEVELS), linear, c);
    int level = (int)floorf(lod);
    float f = lod - (float)level;
    return (1 - f) * filter(d, level, linear, c) +
           f * filter(d, clamp(level + 1, LEVELS), linear, c);
}

static float lookups[LOOKUPS][4]; /* directions and levels */

static void compare_lookups(GLuint program, bool levels)
{
    static const GLenum mins[] = {GL_NEAREST,
                                  GL_LINEAR,
                                  GL_NEAREST_MIPMAP_NEAREST,
                                  GL_LINEAR_MIPMAP_NEAREST,
                                  GL_NEAREST_MIPMAP_LINEAR,
                                  GL_LINEAR_MIPMAP_LINEAR};
    static const GLenum mags[] = {GL_NEAREST, GL_LINEAR};
    GLubyte pixels[SIZE * SIZE][4];
    glUseProgram(program);
    for (unsigned k = 0; k < 12; k++) {
        GLenum min = mins[k / 2], mag = mags[k % 2];
        glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, (GLint)min);
        glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, (GLint)mag);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_POINTS, 0, LOOKUPS);
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        for (unsigned i = 0; i < LOOKUPS; i++)
            for (unsigned c = 0; c < 4; c++) {
                const float *l = lookups[i];
                float want = lookup(l, levels ? l[3] : 0, min, mag, c);
                if (fabsf(want - (float)pixels[i][c]) > 2)
                    fail_msg("direction %g %g %g, level %g, filters %x %x: %d, not %g",
                             (double)l[0], (double)l[1], (double)l[2], (double)l[3], min, mag,
                             pixels[i][c], (double)want);
            }
    }
}

/* Checks lookups, half of them near edges of faces, some outside the centers of the edge texels. */
static void test_vertex_cubes(void **state)
{
    static const char vs[] =
        "attribute vec4 weight; attribute float number; varying vec4 color;\n"
        "uniform samplerCube cube;\n"
        "void main() { color = %s;\n"
        "gl_PointSize = 1.0; gl_Position = vec4((mod(number, 16.0) + 0.5) / 8.0 - 1.0,\n"
        "(floor(number / 16.0) + 0.5) / 8.0 - 1.0, 0, 1); }";
    static const char *const calls[] = {"textureCube(cube, weight.xyz)",
                                        "textureCubeLod(cube, weight.xyz, weight.w)"};
    float numbers[LOOKUPS];
    unsigned noise = 7;
    GLuint texture = make_cube();
    for (unsigned i = 0; i < LOOKUPS; i++) {
        numbers[i] = (float)i;
        for (unsigned c = 0; c < 4; c++)
            lookups[i][c] = (float)((noise = noise * 1103515245u + 12345u) >> 16) / 32768.0f - 1.0f;
        if (i % 2) /* two coordinates nearly the same */
            lookups[i][i / 2 % 3] = lookups[i][(i / 2 + 1) % 3] * (i % 4 == 1 ? 0.98f : -0.97f);
        lookups[i][3] = fabsf(lookups[i][3]) * (LEVELS + 1) - 1.0f;
    }
    for (unsigned i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text, vs, calls[i]);
        GLuint program = gl_test_program(
            text,
            "precision mediump float; varying vec4 color; void main() { gl_FragColor = color; }");
        GLuint number = (GLuint)glGetAttribLocation(program, "number");
        glEnableVertexAttribArray(POSITION);
        glVertexAttribPointer(POSITION, 4, GL_FLOAT, GL_FALSE, 0, lookups);
        glEnableVertexAttribArray(number);
        glVertexAttribPointer(number, 1, GL_FLOAT, GL_FALSE, 0, numbers);
        compare_lookups(program, i);
        glDisableVertexAttribArray(number);
        gl_test_delete_program(program);
    }
    glDeleteTextures(1, &texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clip_distance, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_missing_arguments, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_float_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_depth_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_draw_buffers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_frag_data, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_aliases, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_points, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_vertex_cubes, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
