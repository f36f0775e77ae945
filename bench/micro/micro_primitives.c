/* SPDX-License-Identifier: MIT */
/* Workloads with many small primitives: lines, points, glyphs, meshes, selection and feedback. Also
 * blended slices of a 3D texture, and textures that exist for one draw. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "micro_gl.h"
#include "micro_workloads.h"

enum {
    STRIP_VERTICES = 16,        /* per strip of line-restart and line-multi-draw */
    RESTART_INDEX = 0x7fffffff, /* primitive restart index */
    SLICES = 64,                /* depth, width and height of a 3D texture */
};

static const char colored_fs[] =
    "varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 0.5); }";

/* ------------------------------------------------------------------------------------ lines --- */

static float *floats(size_t count)
{
    float *f = malloc(count * sizeof *f);
    if (!f)
        micro_fail("vertices", "out of memory");
    return f;
}

/* Returns a pseudorandom number in [-1, 1). */
static float random_place(unsigned i)
{
    return (float)(micro_noise(i) >> 8) / (float)(1 << 23) - 1;
}

/* Sets up a path of `count` vertices with random turns. step: length of a segment; the target is
 * two units wide. */
static void path(unsigned count, float step)
{
    float *place = floats(2 * (size_t)count), x = 0, y = 0, angle = 0;
    for (unsigned i = 0; i < count; i++) {
        place[2 * i] = x;
        place[2 * i + 1] = y;
        angle += random_place(i);
        x += step * cosf(angle);
        y += step * sinf(angle);
        if (fabsf(x) > 1 || fabsf(y) > 1)
            x = y = 0;
    }
    micro_attribute(0, 2, place, 2 * (size_t)count);
    free(place);
}

/* Sets up a path of `count` vertices. pixels: length of a segment. */
static void lines(unsigned count, float pixels)
{
    micro_target(0);
    path(count, pixels * 2 / MICRO_SIZE);
    micro_program(GLSL120, micro_plain_vs, NULL, colored_fs);
}

void micro_setup_lines(unsigned work)
{
    lines(2 * work, 20);
}

void micro_frame_lines(unsigned work)
{
    gl.DrawArrays(GL_LINES, 0, (GLsizei)(2 * work));
}

void micro_setup_line_strip(unsigned work)
{
    lines(work, 8);
}

/* Segments shorter than a pixel, like those of a plot. */
void micro_setup_line_strip_short(unsigned work)
{
    lines(work, 0.5f);
}

void micro_frame_strip(unsigned work)
{
    gl.DrawArrays(GL_LINE_STRIP, 0, (GLsizei)work);
}

void micro_setup_line_loop(unsigned work)
{
    lines(work, 8);
}

void micro_frame_loop(unsigned work)
{
    gl.DrawArrays(GL_LINE_LOOP, 0, (GLsizei)work);
}

/* Sets up `work` indices: strips that are separated by restart indices. */
void micro_setup_line_restart(unsigned work)
{
    lines(work, 8);
    uint32_t *index = malloc(work * sizeof *index);
    GLuint buffer;
    if (!index)
        micro_fail("indices", "out of memory");
    for (unsigned i = 0; i < work; i++)
        index[i] = i % STRIP_VERTICES == STRIP_VERTICES - 1 ? RESTART_INDEX : i;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(work * sizeof *index), index,
                  GL_STATIC_DRAW);
    free(index);
    gl.Enable(GL_PRIMITIVE_RESTART);
    gl.PrimitiveRestartIndex(RESTART_INDEX);
}

void micro_frame_restart(unsigned work)
{
    gl.DrawElements(GL_LINE_STRIP, (GLsizei)work, GL_UNSIGNED_INT, NULL);
}

static GLint *firsts;
static GLsizei *counts;

void micro_setup_line_multi(unsigned work)
{
    lines(work * STRIP_VERTICES, 8);
    firsts = malloc(work * sizeof *firsts);
    counts = malloc(work * sizeof *counts);
    if (!firsts || !counts)
        micro_fail("strips", "out of memory");
    for (unsigned i = 0; i < work; i++) {
        firsts[i] = (GLint)(i * STRIP_VERTICES);
        counts[i] = STRIP_VERTICES;
    }
}

void micro_frame_multi(unsigned work)
{
    gl.MultiDrawArrays(GL_LINE_STRIP, firsts, counts, (GLsizei)work);
}

void micro_setup_line_wide(unsigned work)
{
    lines(work, 8);
    gl.LineWidth(5);
}

void micro_setup_line_smooth(unsigned work)
{
    lines(work, 8);
    gl.LineWidth(1.5f);
    gl.Enable(GL_LINE_SMOOTH);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

/* ----------------------------------------------------------------------------------- points --- */

/* Sets up `count` points at random positions. size: in pixels. */
static void points(unsigned count, float size, const char *fs)
{
    float *place = floats(2 * (size_t)count);
    for (unsigned i = 0; i < 2 * count; i++)
        place[i] = random_place(i);
    micro_target(0);
    micro_attribute(0, 2, place, 2 * (size_t)count);
    free(place);
    micro_program(GLSL120, micro_plain_vs, NULL, fs);
    gl.PointSize(size);
}

void micro_setup_points(unsigned work)
{
    points(work, 1, colored_fs);
}

void micro_setup_points_wide(unsigned work)
{
    points(work, 5, colored_fs);
}

void micro_setup_points_round(unsigned work)
{
    points(work, 5, colored_fs);
    gl.Enable(GL_POINT_SMOOTH);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void micro_setup_sprites(unsigned work)
{
    points(work, 16,
           "uniform sampler2D t; void main() { gl_FragColor = texture2D(t, gl_PointCoord); }");
    micro_texture(16, GL_LINEAR, GL_LINEAR);
    gl.Enable(GL_POINT_SPRITE);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void micro_frame_points(unsigned work)
{
    gl.DrawArrays(GL_POINTS, 0, (GLsizei)work);
}

/* ------------------------------------------------------------------------- quads and meshes --- */

/* Quads of 8×12 pixels with glyphs of an atlas, blended. */
void micro_setup_quads(unsigned work)
{
    static const uint8_t corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const float cell[2] = {8, 12};
    float *place = floats(8 * (size_t)work), *coord = floats(8 * (size_t)work);
    for (size_t i = 0; i < 4 * (size_t)work; i++) {
        const unsigned at[2] = {(unsigned)(i / 4 % 128), (unsigned)(i / 4 / 128 % 85)};
        const unsigned glyph = micro_noise((unsigned)(i / 4));
        for (unsigned c = 0; c < 2; c++) {
            const unsigned texel = (glyph >> 8 * c & 15) + corner[i % 4][c];
            place[2 * i + c] = (float)(at[c] + corner[i % 4][c]) * cell[c] * 2 / MICRO_SIZE - 1;
            coord[2 * i + c] = (float)texel * cell[c] / 256;
        }
    }
    micro_target(0);
    micro_attribute(0, 2, place, 8 * (size_t)work);
    micro_attribute(1, 2, coord, 8 * (size_t)work);
    free(place);
    free(coord);
    micro_program(GLSL120,
                  "attribute vec2 place, extra; varying vec2 c;\n"
                  "void main() { c = extra; gl_Position = vec4(place, 0.0, 1.0); }",
                  NULL,
                  "uniform sampler2D t; varying vec2 c;\n"
                  "void main() { gl_FragColor = vec4(0.1, 0.2, 0.3, texture2D(t, c).a); }");
    micro_texture(256, GL_LINEAR, GL_LINEAR);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void micro_frame_quads(unsigned work)
{
    gl.DrawArrays(GL_QUADS, 0, (GLsizei)(4 * work));
}

enum { RINGS = 8, SECTORS = 12, MESH_INDICES = RINGS * SECTORS * 6 };

/* Instances of a sphere with 192 triangles, 30 pixels wide. */
void micro_setup_meshes(unsigned work)
{
    float place[(RINGS + 1) * (SECTORS + 1) * 3], *p = place;
    uint16_t index[MESH_INDICES], *q = index;
    GLuint buffer;
    (void)work;
    for (unsigned i = 0; i <= RINGS; i++)
        for (unsigned j = 0; j <= SECTORS; j++) {
            const float a = (float)i * 3.14159265f / RINGS, b = (float)j * 6.2831853f / SECTORS;
            *p++ = sinf(a) * cosf(b);
            *p++ = cosf(a);
            *p++ = sinf(a) * sinf(b);
        }
    for (unsigned i = 0; i < RINGS; i++)
        for (unsigned j = 0; j < SECTORS; j++)
            for (unsigned k = 0; k < 6; k++) {
                static const uint8_t corner[6] = {0, 1, SECTORS + 1, SECTORS + 1, 1, SECTORS + 2};
                *q++ = (uint16_t)(i * (SECTORS + 1) + j + corner[k]);
            }
    micro_target(0);
    micro_attribute(0, 3, place, sizeof place / sizeof *place);
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
    micro_program(GLSL140,
                  "in vec3 place; out vec3 n; void main() { n = place; int i = gl_InstanceID;\n"
                  "vec2 at = vec2(float(i & 31), float(i >> 5 & 31)) / 16.0 - 1.0;\n"
                  "gl_Position = vec4(place * 0.03 + vec3(at, 0.0), 1.0); }",
                  NULL,
                  "in vec3 n; out vec4 c; void main() {\n"
                  "c = vec4(vec3(max(dot(normalize(n), vec3(0.6, 0.0, 0.8)), 0.0)), 1.0); }");
    gl.Enable(GL_DEPTH_TEST);
    gl.Enable(GL_CULL_FACE);
}

void micro_frame_meshes(unsigned work)
{
    gl.Clear(GL_DEPTH_BUFFER_BIT);
    gl.DrawElementsInstanced(GL_TRIANGLES, MESH_INDICES, GL_UNSIGNED_SHORT, NULL, (GLsizei)work);
}

/* --------------------------------------------------------------------------------- textures --- */

static GLint slice;

/* Volume rendering: blended squares, each with a slice of a 3D texture. */
void micro_setup_slices(unsigned work)
{
    uint8_t *data = micro_texels(SLICES * SLICES * SLICES * 4);
    GLuint t;
    (void)work;
    micro_target(0);
    micro_square();
    const GLuint p = micro_program(
        GLSL120,
        "attribute vec2 place; varying vec3 c; uniform float z;\n"
        "void main() { c = vec3(place * 0.5 + 0.5, z); gl_Position = vec4(place, 0.0, 1.0); }",
        NULL,
        "uniform sampler3D t; varying vec3 c;\n"
        "void main() { gl_FragColor = texture3D(t, c) * 0.1; }");
    gl.GenTextures(1, &t);
    gl.BindTexture(GL_TEXTURE_3D, t);
    gl.TexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, SLICES, SLICES, SLICES, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                  data);
    gl.TexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    free(data);
    gl.Viewport(0, 0, MICRO_SIZE / 4, MICRO_SIZE / 4);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    slice = gl.GetUniformLocation(p, "z");
}

void micro_frame_slices(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        gl.Uniform1f(slice, (float)i / (float)work);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

static uint8_t *image;
static GLsizei image_size;

static void churn(GLsizei size)
{
    micro_fragments(GLSL120, "uniform sampler2D t; varying vec2 v;\n"
                             "void main() { gl_FragColor = texture2D(t, v * 0.5 + 0.5); }");
    image = micro_texels((unsigned)(size * size * 4));
    image_size = size;
    gl.Viewport(0, 0, 64, 64);
}

void micro_setup_churn_256(unsigned work)
{
    (void)work;
    churn(256);
}

void micro_setup_churn_512(unsigned work)
{
    (void)work;
    churn(512);
}

/* Creates `work` textures, and draws with each before deleting it. */
void micro_frame_churn(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        GLuint t;
        gl.GenTextures(1, &t);
        gl.BindTexture(GL_TEXTURE_2D, t);
        gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image_size, image_size, 0, GL_RGBA,
                      GL_UNSIGNED_BYTE, image);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        gl.DeleteTextures(1, &t);
    }
}

/* ----------------------------------------------------------------- selection and feedback --- */

static void *results;

/* Sets up fixed-function triangles, half of them outside of the view volume, and allocates
 * `results` with `bytes` bytes. */
static void fixed_triangles(unsigned count, size_t bytes)
{
    float *place = floats(9 * (size_t)count);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        const unsigned corner = (unsigned)(i % 3), triangle = (unsigned)(i / 3);
        place[3 * i] = random_place(2 * triangle) * 2 + 0.01f * (float)(corner == 1);
        place[3 * i + 1] = random_place(2 * triangle + 1) + 0.01f * (float)(corner == 2);
        place[3 * i + 2] = random_place(triangle) * 0.9f;
    }
    micro_target(0);
    micro_attribute(0, 3, place, 9 * (size_t)count);
    free(place);
    results = malloc(bytes);
    if (!results)
        micro_fail("results", "out of memory");
}

void micro_setup_select(unsigned work)
{
    fixed_triangles(work, 256);
    gl.SelectBuffer(64, results);
}

/* One name for all triangles. */
void micro_frame_select(unsigned work)
{
    gl.RenderMode(GL_SELECT);
    gl.InitNames();
    gl.PushName(1);
    gl.DrawArrays(GL_TRIANGLES, 0, (GLsizei)(3 * work));
    if (gl.RenderMode(GL_RENDER) != 1)
        micro_fail("select", "not one hit");
}

enum { TRIANGLES_PER_NAME = 8 };

void micro_setup_select_names(unsigned work)
{
    fixed_triangles(work * TRIANGLES_PER_NAME, 16 * (size_t)work);
    gl.SelectBuffer((GLsizei)(4 * work), results);
}

void micro_frame_select_names(unsigned work)
{
    gl.RenderMode(GL_SELECT);
    gl.InitNames();
    gl.PushName(0);
    for (unsigned i = 0; i < work; i++) {
        gl.LoadName(i);
        gl.DrawArrays(GL_TRIANGLES, (GLint)(i * TRIANGLES_PER_NAME * 3), TRIANGLES_PER_NAME * 3);
    }
    if (gl.RenderMode(GL_RENDER) <= 0)
        micro_fail("select-names", "no hit");
}

void micro_setup_feedback(unsigned work)
{
    const size_t values = (size_t)work * (2 + 7 * 7);
    fixed_triangles(work, values * sizeof(float));
    gl.FeedbackBuffer((GLsizei)values, GL_3D_COLOR, results);
}

void micro_frame_feedback(unsigned work)
{
    gl.RenderMode(GL_FEEDBACK);
    gl.DrawArrays(GL_TRIANGLES, 0, (GLsizei)(3 * work));
    if (gl.RenderMode(GL_RENDER) <= 0)
        micro_fail("feedback", "no value");
}
