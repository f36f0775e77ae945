/* SPDX-License-Identifier: MIT */
/* Cube map arrays, gathers, explicit levels, draw parameters, and shared locations. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {32, 32};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const char square[] = "#version 130\nvoid main() { gl_Position = gl_Vertex; }\n";

static GLuint make_texture(GLenum target, GLint filter)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(target, t);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return t;
}

static GLuint use_program(const char *vertex, const char *fragment)
{
    GLuint p = gl_test_program(vertex, fragment);
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "s"), 0);
    return p;
}

static void end(GLuint texture, GLuint program)
{
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(program);
    glDeleteTextures(1, &texture);
}

/* Checks that every face of every cube has its own color. */
static void test_cube_array(void **state)
{
    static const float direction[6][3] = {{1, 0.25f, 0.5f},    {-1, 0.25f, 0.5f},
                                          {0.25f, 1, 0.5f},    {0.25f, -1, 0.5f},
                                          {0.25f, 0.5f, 1.0f}, {0.5f, 0.25f, -1}};
    GLubyte texels[12][2][2][4];
    GLint bound;
    for (unsigned i = 0; i < sizeof texels; i++)
        ((GLubyte *)texels)[i] = (GLubyte)(i / 16 * 20);
    GLuint t = make_texture(GL_TEXTURE_CUBE_MAP_ARRAY, GL_NEAREST);
    glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 4, 2, 12, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE); /* not square */
    glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 2, 2, 10, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE); /* not a whole number of cubes */
    glTexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 1, GL_RGBA8, 2, 2, 7);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 2, 2, 12, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
    glGetIntegerv(GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, &bound);
    assert_int_equal(bound, t);
    GLuint p =
        use_program(square, "#version 130\n#extension GL_ARB_texture_cube_map_array : require\n"
                            "uniform samplerCubeArray s; uniform vec4 at;\n"
                            "void main() { gl_FragColor = texture(s, at)\n"
                            "    + vec4(textureSize(s, 0).z == 2 ? 0.0 : 1.0); }\n");
    for (unsigned i = 0; i < 12; i++) {
        const float *d = direction[i % 6];
        glUniform4f(glGetUniformLocation(p, "at"), d[0], d[1], d[2], (float)(i / 6) + 0.25f);
        glRectf(-1, -1, 1, 1);
        float want = (float)(i * 20) / 255.0f;
        expect(16, 16, want, want, want);
    }
    end(t, p);
}

/* Creates a 64 × 64 texture whose texel (x, y) is x / 255, y / 255. */
static GLuint coordinates_texture(GLint filter)
{
    GLubyte texels[64][64][4];
    for (unsigned i = 0; i < 64 * 64; i++)
        memcpy(texels[i / 64][i % 64], (GLubyte[]){i % 64, i / 64, 0, 255}, 4);
    GLuint t = make_texture(GL_TEXTURE_2D, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    return t;
}

/* Gathers the four texels around a corner, with offsets of 31 and -32 texels, constant and not. */
static void test_gather(void **state)
{
    static const char head[] = "#version 150 compatibility\n"
                               "#extension GL_ARB_gpu_shader5 : require\n"
                               "uniform sampler2D s; uniform ivec2 away;\n";
    static const char *const calls[] = {
        "textureGatherOffset(s, vec2(0.5), ivec2(31, -32), 0)",
        "textureGatherOffset(s, vec2(0.5), away, 1)",
        ("textureGatherOffsets(s, vec2(0.5), ivec2[4](ivec2(1), ivec2(-20, 0), ivec2(2, 3),\n"
         "    ivec2(0, 17)), 0)"),
    };
    /* Of texels 31 and 32 in both directions (GL 4.6 §8.14.1): upper left, upper right, right. */
    static const float want[][3] = {{62, 63, 63}, {0, 0, 63}, {32, 12, 34}};
    GLuint t = coordinates_texture(GL_NEAREST);
    for (unsigned i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text, "%svoid main() { gl_FragColor = %s; }\n", head, calls[i]);
        GLuint p = use_program(square, text);
        glUniform2i(glGetUniformLocation(p, "away"), 3, -32);
        glRectf(-1, -1, 1, 1);
        expect(16, 16, want[i][0] / 255, want[i][1] / 255, want[i][2] / 255);
        gl_test_delete_program(p);
    }
    end(t, 0);
}

/* Checks gathers at an edge, where each texel is wrapped separately: clamping repeats the edge
 * texel, border clamping gives the border for both, and mirroring swaps them (GL 4.6 table
 * 8.23). */
static void test_gather_at_edge(void **state)
{
    enum { BORDER = 200 };
    static const GLfloat border[4] = {BORDER / 255.0f};
    GLuint t = coordinates_texture(GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    GLuint p = use_program(square, "#version 130\n#extension GL_ARB_texture_gather : require\n"
                                   "uniform sampler2D s;\n"
                                   "uniform vec2 at;\n"
                                   "void main() { gl_FragColor = textureGather(s, at); }\n");
    static const struct {
        GLint wrap;
        float x; /* in texels */
        float left, right;
    } want[] = {
        {GL_CLAMP_TO_EDGE, 0, 0, 0},
        {GL_CLAMP_TO_EDGE, -192, 0, 0},
        {GL_CLAMP_TO_EDGE, 1, 0, 1},
        {GL_CLAMP_TO_EDGE, 64, 63, 63},
        {GL_CLAMP_TO_EDGE, 448, 63, 63},
        {GL_CLAMP_TO_BORDER, 0, BORDER, 0},
        {GL_CLAMP_TO_BORDER, -1, BORDER, BORDER},
        {GL_CLAMP_TO_BORDER, -192, BORDER, BORDER},
        {GL_CLAMP_TO_BORDER, 64, 63, BORDER},
        {GL_CLAMP_TO_BORDER, 65, BORDER, BORDER},
        {GL_CLAMP_TO_BORDER, 448, BORDER, BORDER},
        {GL_MIRRORED_REPEAT, 10, 9, 10},
        {GL_MIRRORED_REPEAT, 0, 0, 0},
        {GL_MIRRORED_REPEAT, -10, 10, 9},
        {GL_MIRRORED_REPEAT, 74, 54, 53},
        {GL_MIRRORED_REPEAT, 138, 9, 10},
        {GL_MIRRORED_REPEAT, 128, 0, 0},
        {GL_MIRROR_CLAMP_TO_EDGE, 10, 9, 10},
        {GL_MIRROR_CLAMP_TO_EDGE, -10, 10, 9},
        {GL_MIRROR_CLAMP_TO_EDGE, -192, 63, 63},
        {GL_MIRROR_CLAMP_TO_EDGE, 448, 63, 63},
        {GL_MIRROR_CLAMP_TO_BORDER_EXT, -10, 10, 9},
        {GL_MIRROR_CLAMP_TO_BORDER_EXT, -64, BORDER, 63},
        {GL_MIRROR_CLAMP_TO_BORDER_EXT, 192, BORDER, BORDER},
        {GL_MIRROR_CLAMP_EXT, -192, BORDER, 63},
        {GL_MIRROR_CLAMP_EXT, 192, 63, BORDER},
    };
    for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, want[i].wrap);
        glUniform2f(glGetUniformLocation(p, "at"), want[i].x / 64, 0.5f);
        glRectf(-1, -1, 1, 1);
        expect(16, 16, want[i].left / 255, want[i].right / 255, want[i].right / 255);
    }
    end(t, p);
}

/* Checks textureQueryLOD at several scales: the level that is sampled, and the unclamped one. */
static void test_query_lod(void **state)
{
    GLuint t = coordinates_texture(GL_NEAREST_MIPMAP_LINEAR);
    GLuint p =
        use_program("#version 130\nout vec2 at; uniform float scale;\n"
                    "void main() { gl_Position = gl_Vertex; at = gl_Vertex.xy * scale; }\n",
                    "#version 130\n#extension GL_ARB_texture_query_lod : require\n"
                    "in vec2 at; uniform sampler2D s;\n"
                    "void main() { vec2 l = textureQueryLOD(s, at);\n"
                    "    gl_FragColor = vec4(l.x / 10.0, (l.y + 2.0) / 10.0, 0.0, 1.0); }\n");
    /* 32 pixels, 64 texels at scale 0.5. */
    static const float scale[] = {0.5f, 0.125f, 2.0f}, level[] = {1, 0, 3},
                       unclamped[] = {1, -1, 3};
    for (unsigned i = 0; i < 3; i++) {
        glUniform1f(glGetUniformLocation(p, "scale"), scale[i]);
        glRectf(-1, -1, 1, 1);
        expect(9, 16, level[i] / 10, (unclamped[i] + 2) / 10, 0);
    }
    end(t, p);
}

/* Checks that gl_DrawIDARB counts across many draws, and that gl_BaseVertexARB is 0 without
 * indices. */
static void test_draw_parameters(void **state)
{
    enum { DRAWS = 100 };
    float position[DRAWS][2];
    GLint first[DRAWS];
    GLsizei count[DRAWS];
    for (unsigned i = 0; i < DRAWS; i++) {
        position[i][0] = ((float)(i % 32) + 0.5f) / 16 - 1;
        position[i][1] = ((float)(i / 32) + 0.5f) / 16 - 1;
        first[i] = (GLint)i;
        count[i] = 1;
    }
    GLuint p = use_program(
        "#version 130\n#extension GL_ARB_shader_draw_parameters : require\nout vec4 color;\n"
        "void main() { gl_Position = gl_Vertex;\n"
        "    color = vec4(gl_DrawIDARB, gl_BaseVertexARB, gl_VertexID, 255) / 255.0; }\n",
        "#version 130\nin vec4 color; void main() { gl_FragColor = color; }\n");
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(2, GL_FLOAT, 0, position);
    glEnableClientState(GL_VERTEX_ARRAY);
    glMultiDrawArrays(GL_POINTS, first, count, DRAWS);
    for (unsigned i = 0; i < DRAWS; i += 11)
        expect((int)(i % 32), (int)(i / 32), (float)i / 255, 0, (float)i / 255);
    glDrawElementsBaseVertex(GL_POINTS, 1, GL_UNSIGNED_BYTE, (const GLubyte[]){1}, 40);
    expect(41 % 32, 1, 0, 40.0f / 255, 41.0f / 255);
    glDisableClientState(GL_VERTEX_ARRAY);
    end(0, p);
}

/* Checks that feedback mode provides the parameters of each draw. */
static void test_draw_parameters_in_feedback(void **state)
{
    enum { TOKEN = 8 }; /* numbers of a point */
    static const float position[4][2];
    static const GLint first[2] = {1, 2}, base[2] = {2, 3};
    static const GLsizei count[2] = {1, 1};
    static const GLubyte index[1] = {0};
    static const void *const indices[2] = {index, index};
    float got[4 * TOKEN];
    GLuint p = use_program(
        "#version 130\n#extension GL_ARB_shader_draw_parameters : require\n"
        "void main() { gl_Position = gl_Vertex;\n"
        "    gl_FrontColor = vec4(gl_DrawIDARB, gl_BaseVertexARB, gl_VertexID, 8) / 8.0; }\n",
        "#version 130\nvoid main() { gl_FragColor = gl_Color; }\n");
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(2, GL_FLOAT, 0, position);
    glEnableClientState(GL_VERTEX_ARRAY);
    glFeedbackBuffer(4 * TOKEN, GL_3D_COLOR, got);
    glRenderMode(GL_FEEDBACK);
    glMultiDrawArrays(GL_POINTS, first, count, 2);
    glMultiDrawElementsBaseVertex(GL_POINTS, count, GL_UNSIGNED_BYTE, indices, 2, base);
    assert_int_equal(glRenderMode(GL_RENDER), 4 * TOKEN);
    for (int i = 0; i < 4; i++) {
        const float *color = got + i * TOKEN + 4;
        const int draw = i % 2;
        assert_float_equal(color[0] * 8, draw, 0);
        assert_float_equal(color[1] * 8, i < 2 ? 0 : base[draw], 0);
        assert_float_equal(color[2] * 8, i < 2 ? first[draw] : base[draw], 0);
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    end(0, p);
}

/* GL 4.6 §8.14.3: *_MIPMAP_NEAREST takes level ceil(lod + 1/2) - 1, with a bias and clamping. Each
 * level has its own color. */
static void test_nearest_level(void **state)
{
    static const struct {
        float lod, bias;
        GLint min, max;
        unsigned level;
    } rows[] = {
        {0.25f, 0, 0, 9, 0}, {0.5f, 0, 0, 9, 0},  {0.625f, 0, 0, 9, 1},    {1, 0, 0, 9, 1},
        {1.5f, 0, 0, 9, 1},  {1.75f, 0, 0, 9, 2}, {2.25f, 0, 0, 9, 2},     {3.75f, 0, 0, 9, 4},
        {99, 0, 0, 9, 4},    {1, 1.75f, 0, 9, 3}, {3, -1.75f, 0, 9, 1},    {1, -4, 0, 9, 0},
        {0, 0, 3, 9, 3},     {4, 0, 0, 2, 2},     {0.5f, 0.125f, 0, 9, 1},
    };
    GLuint t = make_texture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    for (GLint level = 0; level < 5; level++) {
        GLubyte texels[16 * 16];
        memset(texels, (level + 1) * 40, sizeof texels);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 16 >> level, 16 >> level, 0, GL_LUMINANCE,
                     GL_UNSIGNED_BYTE, texels);
    }
    GLuint p = use_program(square, "#version 130\nuniform sampler2D s; uniform float lod;\n"
                                   "void main() { gl_FragColor = textureLod(s, vec2(0.4), lod); }");
    for (unsigned linear = 0; linear < 2; linear++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                        linear ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, rows[i].bias);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, rows[i].min);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, rows[i].max);
            glUniform1f(glGetUniformLocation(p, "lod"), rows[i].lod);
            glRectf(-1, -1, 1, 1);
            float want = (float)((rows[i].level + 1) * 40) / 255;
            expect(16, 16, want, want, want);
        }
    }
    end(t, p);
}

/* Checks arrays that share some locations with other variables. */
static void test_components(void **state)
{
    static const char both[] = "layout(location = 0, component = 1) INOUT vec2 a[4];\n"
                               "layout(location = 2, component = 3) INOUT float b[4];\n"
                               "layout(location = 1, component = 3) INOUT float c;\n";
    char vertex[1024], fragment[1024];
    snprintf(vertex, sizeof vertex,
             "#version 140\n#extension GL_ARB_enhanced_layouts : require\n"
             "#extension GL_ARB_separate_shader_objects : require\n"
             "#extension GL_ARB_explicit_attrib_location : require\n#define INOUT out\n"
             "%slayout(location = 0) in vec4 vertex;\nvoid main() {\n"
             "    for (int i = 0; i < 4; i++) { a[i] = vec2(i, 4 + i) / 20.0 + vertex.zz;\n"
             "        b[i] = float(8 + i) / 20.0 + vertex.z; }\n"
             "    c = 0.6 + vertex.z; gl_Position = vertex; }\n",
             both);
    snprintf(fragment, sizeof fragment,
             "#version 140\n#extension GL_ARB_enhanced_layouts : require\n"
             "#extension GL_ARB_separate_shader_objects : require\n#define INOUT in\n"
             "%suniform int n; out vec4 color;\n"
             "void main() { color = vec4(a[n].y, b[n], n == 0 ? c : a[n].x, 1.0); }\n",
             both);
    GLuint p = use_program(vertex, fragment);
    for (int n = 0; n < 4; n++) {
        glUniform1i(glGetUniformLocation(p, "n"), n);
        glRectf(-1, -1, 1, 1);
        expect(16, 16, (float)(4 + n) / 20, (float)(8 + n) / 20, n ? (float)n / 20 : 0.6f);
    }
    end(0, p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube_array),      cmocka_unit_test(test_gather),
        cmocka_unit_test(test_gather_at_edge),  cmocka_unit_test(test_query_lod),
        cmocka_unit_test(test_draw_parameters), cmocka_unit_test(test_draw_parameters_in_feedback),
        cmocka_unit_test(test_components),      cmocka_unit_test(test_nearest_level),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
