/* SPDX-License-Identifier: MIT */
/* Workloads. Each stresses one kind of work and keeps everything else small. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "micro_gl.h"
#include "micro_workloads.h"

/* ---------------------------------------------------------------------------------- helpers --- */

GLuint micro_target(unsigned samples)
{
    GLuint fbo, rb[2];
    gl.GenFramebuffers(1, &fbo);
    gl.BindFramebuffer(GL_FRAMEBUFFER, fbo);
    gl.GenRenderbuffers(2, rb);
    for (unsigned i = 0; i < 2; i++) {
        gl.BindRenderbuffer(GL_RENDERBUFFER, rb[i]);
        gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples,
                                          i ? GL_DEPTH_COMPONENT24 : GL_RGBA8, MICRO_SIZE,
                                          MICRO_SIZE);
        gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                   GL_RENDERBUFFER, rb[i]);
    }
    if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        micro_fail("framebuffer", "incomplete");
    gl.Viewport(0, 0, MICRO_SIZE, MICRO_SIZE);
    return fbo;
}

static GLuint shader(GLenum type, const char *version, const char *text)
{
    const char *parts[] = {version, text};
    GLuint s = gl.CreateShader(type);
    GLint ok = 0;
    char log[1000] = "";
    gl.ShaderSource(s, 2, parts, NULL);
    gl.CompileShader(s);
    gl.GetShaderiv(s, GL_COMPILE_STATUS, &ok);
    gl.GetShaderInfoLog(s, sizeof log, NULL, log);
    if (!ok)
        micro_fail("shader", log);
    return s;
}

GLuint micro_program(const char *version, const char *vs, const char *gs, const char *fs)
{
    const struct {
        GLenum type;
        const char *text;
    } parts[] = {{GL_VERTEX_SHADER, vs}, {GL_GEOMETRY_SHADER, gs}, {GL_FRAGMENT_SHADER, fs}};
    GLuint p = gl.CreateProgram();
    GLint ok = 0;
    char log[1000] = "";
    for (unsigned i = 0; i < 3; i++) {
        if (!parts[i].text)
            continue;
        GLuint s = shader(parts[i].type, version, parts[i].text);
        gl.AttachShader(p, s);
        gl.DeleteShader(s);
    }
    gl.BindAttribLocation(p, 0, "place");
    gl.BindAttribLocation(p, 1, "extra");
    gl.LinkProgram(p);
    gl.GetProgramiv(p, GL_LINK_STATUS, &ok);
    gl.GetProgramInfoLog(p, sizeof log, NULL, log);
    if (!ok)
        micro_fail("program", log);
    gl.UseProgram(p);
    return p;
}

const char micro_plain_vs[] = "attribute vec2 place; varying vec2 v;\n"
                              "void main() { v = place; gl_Position = vec4(place, 0.0, 1.0); }";

void micro_attribute(GLuint index, GLint size, const float *data, size_t floats)
{
    GLuint buffer;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(floats * sizeof *data), data, GL_STATIC_DRAW);
    gl.EnableVertexAttribArray(index);
    gl.VertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, 0, NULL);
}

void micro_square(void)
{
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    micro_attribute(0, 2, corners, 8);
}

void micro_fragments(const char *version, const char *fs)
{
    micro_target(0);
    micro_square();
    micro_program(version, micro_plain_vs, NULL, fs);
}

static void fragments(const char *fs)
{
    micro_fragments(GLSL120, fs);
}

static void draw_squares(unsigned work)
{
    for (unsigned i = 0; i < work; i++)
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

uint32_t micro_noise(uint32_t x)
{
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ (x >> 15);
}

uint8_t *micro_texels(unsigned bytes)
{
    uint8_t *t = malloc(bytes);
    if (!t)
        micro_fail("texels", "out of memory");
    for (unsigned i = 0; i < bytes; i++)
        t[i] = (uint8_t)micro_noise(i);
    return t;
}

GLuint micro_texture(unsigned size, GLenum min, GLenum mag)
{
    uint8_t *data = micro_texels(size * size * 4);
    GLuint t;
    gl.GenTextures(1, &t);
    gl.BindTexture(GL_TEXTURE_2D, t);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)size, (GLsizei)size, 0, GL_RGBA,
                  GL_UNSIGNED_BYTE, data);
    gl.GenerateMipmap(GL_TEXTURE_2D);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)min);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)mag);
    free(data);
    return t;
}

/* ------------------------------------------------------------------------------------- fill --- */

static void setup_target(unsigned work)
{
    (void)work;
    micro_target(0);
}

/* Reads a pixel after each clear, so that the driver cannot skip clears. */
static void frame_clear(unsigned work)
{
    uint8_t pixel[4];
    for (unsigned i = 0; i < work; i++) {
        gl.ClearColor((float)(i & 255) / 255, 0, 0, 1);
        gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl.ReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    }
}

static void setup_flat(unsigned work)
{
    (void)work;
    fragments("void main() { gl_FragColor = vec4(0.3, 0.5, 0.7, 1.0); }");
}

static void setup_blend(unsigned work)
{
    (void)work;
    fragments("varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 0.5); }");
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void setup_depth(unsigned work)
{
    (void)work;
    fragments("varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 1.0); }");
    gl.Enable(GL_DEPTH_TEST);
    gl.DepthFunc(GL_LEQUAL);
    gl.Clear(GL_DEPTH_BUFFER_BIT);
}

static void setup_alu(unsigned work)
{
    (void)work;
    fragments("varying vec2 v; void main() { vec2 a = v; float b = v.x * 0.7;\n"
              "for (int i = 0; i < 8; i++) { a = a * b + v; b = b * a.y + a.x; }\n"
              "gl_FragColor = vec4(a, b, 1.0); }");
}

static void setup_transcendental(unsigned work)
{
    (void)work;
    fragments("varying vec2 v; void main() { vec3 n = normalize(vec3(v, 0.7));\n"
              "gl_FragColor = vec4(sin(v.x * 9.0) * exp(v.y), sqrt(abs(v.x)),\n"
              "pow(n.z, 5.5), n.x); }");
}

static void setup_uniform_branch(unsigned work)
{
    (void)work;
    fragments("uniform float u; varying vec2 v; void main() { vec2 a = v;\n"
              "if (u > 0.5) { for (int i = 0; i < 16; i++) a = sin(a * 3.0 + v); }\n"
              "gl_FragColor = vec4(a, 0.0, 1.0); }");
}

static void setup_divergent_branch(unsigned work)
{
    (void)work;
    fragments("varying vec2 v; void main() { vec2 a = v;\n"
              "if (dot(v, v) < 0.5) { for (int i = 0; i < 16; i++) a = a * a.yx + v; }\n"
              "else a = v.yx * 0.5; gl_FragColor = vec4(a, 0.0, 1.0); }");
}

static void setup_samples(unsigned work)
{
    (void)work;
    micro_target(4);
    micro_square();
    micro_program(GLSL120, micro_plain_vs, NULL,
                  "varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 1.0); }");
    gl.Enable(GL_MULTISAMPLE);
}

/* --------------------------------------------------------------------------------- textures --- */

static void textured(GLenum min, GLenum mag, const char *scale)
{
    char fs[200];
    snprintf(fs, sizeof fs,
             "uniform sampler2D t; varying vec2 v;\n"
             "void main() { gl_FragColor = texture2D(t, v * %s); }",
             scale);
    fragments(fs);
    micro_texture(256, min, mag);
}

static void setup_nearest(unsigned work)
{
    (void)work;
    textured(GL_NEAREST, GL_NEAREST, "1.7");
}

static void setup_bilinear(unsigned work)
{
    (void)work;
    textured(GL_LINEAR, GL_LINEAR, "1.7");
}

static void setup_trilinear(unsigned work)
{
    (void)work;
    textured(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, "5.7");
}

static void setup_four_textures(unsigned work)
{
    static const char *const names[] = {"t0", "t1", "t2", "t3"};
    (void)work;
    micro_target(0);
    micro_square();
    GLuint p = micro_program(GLSL120, micro_plain_vs, NULL,
                             "uniform sampler2D t0, t1, t2, t3; varying vec2 v; void main() {\n"
                             "gl_FragColor = texture2D(t0, v) * texture2D(t1, v * 1.3) +\n"
                             "texture2D(t2, v.yx) * texture2D(t3, -v); }");
    for (int i = 0; i < 4; i++) {
        gl.ActiveTexture(GL_TEXTURE0 + (GLenum)i);
        micro_texture(256, GL_LINEAR, GL_LINEAR);
        gl.Uniform1i(gl.GetUniformLocation(p, names[i]), i);
    }
}

/* -------------------------------------------------------------------------------- transfers --- */

static uint8_t *client;

static void setup_readpixels(unsigned work)
{
    setup_flat(work);
    client = micro_texels(MICRO_SIZE * MICRO_SIZE * 4);
    draw_squares(1);
}

static void frame_readpixels(unsigned work)
{
    for (unsigned i = 0; i < work; i++)
        gl.ReadPixels(0, 0, MICRO_SIZE, MICRO_SIZE, GL_RGBA, GL_UNSIGNED_BYTE, client);
}

static void setup_texsubimage(unsigned work)
{
    (void)work;
    micro_target(0);
    micro_texture(MICRO_SIZE, GL_LINEAR, GL_LINEAR);
    client = micro_texels(MICRO_SIZE * MICRO_SIZE * 4);
}

static void frame_texsubimage(unsigned work)
{
    for (unsigned i = 0; i < work; i++)
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, MICRO_SIZE, MICRO_SIZE, GL_RGBA, GL_UNSIGNED_BYTE,
                         client);
}

/* Uploads glyphs one at a time to an atlas and draws from it in between. */
static void setup_glyphs(unsigned work)
{
    (void)work;
    textured(GL_LINEAR, GL_LINEAR, "0.1");
    gl.Viewport(0, 0, 16, 16);
    client = micro_texels(16 * 16 * 4);
}

static void frame_glyphs(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, (GLint)(i % 16) * 16, (GLint)(i / 16 % 16) * 16, 16, 16,
                         GL_RGBA, GL_UNSIGNED_BYTE, client);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

/* --------------------------------------------------------------------------------- vertices --- */

/* Sets up a grid of cells × cells squares of two triangles that covers the target. Returns its
 * number of vertices. */
static GLsizei grid(unsigned cells)
{
    size_t count = (size_t)cells * cells * 6;
    float *place = malloc(count * 2 * sizeof *place);
    static const uint8_t corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    if (!place)
        micro_fail("grid", "out of memory");
    for (size_t i = 0; i < count; i++) {
        size_t cell = i / 6;
        place[2 * i] = (float)(cell % cells + corner[i % 6][0]) * 2 / (float)cells - 1;
        place[2 * i + 1] = (float)(cell / cells + corner[i % 6][1]) * 2 / (float)cells - 1;
    }
    micro_attribute(0, 2, place, count * 2);
    free(place);
    return (GLsizei)count;
}

static GLsizei vertices;

/* The squares of the grid are 8×8 pixels; the work is the number of draws. */
static void setup_small_triangles(unsigned work)
{
    (void)work;
    micro_target(0);
    vertices = grid(MICRO_SIZE / 8);
    micro_program(GLSL120, micro_plain_vs, NULL,
                  "varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 1.0); }");
}

static void frame_vertices(unsigned work)
{
    for (unsigned i = 0; i < work; i++)
        gl.DrawArrays(GL_TRIANGLES, 0, vertices);
}

static void setup_lit_vertices(unsigned work)
{
    (void)work;
    micro_target(0);
    gl.Viewport(0, 0, 64, 64);
    vertices = grid(200);
    micro_program(
        GLSL120,
        "attribute vec2 place; varying vec3 c; uniform vec4 light; void main() {\n"
        "vec3 n = normalize(vec3(place, 1.0)), l = normalize(light.xyz - n);\n"
        "float d = max(dot(n, l), 0.0), s = pow(max(dot(n, normalize(l + n)), 0.0), 20.0);\n"
        "c = vec3(0.1, 0.2, 0.3) * d + s; gl_Position = vec4(place, n.z * 0.1, 1.0); }",
        NULL, "varying vec3 c; void main() { gl_FragColor = vec4(c, 1.0); }");
}

static void setup_culled(unsigned work)
{
    setup_lit_vertices(work);
    gl.Enable(GL_CULL_FACE);
    gl.CullFace(GL_FRONT_AND_BACK);
}

static void setup_back_faces(unsigned work)
{
    setup_lit_vertices(work);
    gl.Enable(GL_CULL_FACE);
    gl.CullFace(GL_FRONT);
}

static void setup_geometry(unsigned work)
{
    (void)work;
    micro_target(0);
    gl.Viewport(0, 0, 64, 64);
    vertices = grid(64);
    micro_program(GLSL150, "in vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }",
                  "layout(triangles) in; layout(triangle_strip, max_vertices = 6) out;\n"
                  "void main() { for (int k = 0; k < 2; k++) { for (int i = 0; i < 3; i++) {\n"
                  "gl_Position = gl_in[i].gl_Position * vec4(1.0, k == 0 ? 1.0 : -1.0, 1.0, 1.0);\n"
                  "EmitVertex(); } EndPrimitive(); } }",
                  "out vec4 c; void main() { c = vec4(0.3, 0.5, 0.7, 1.0); }");
}

static void setup_instances(unsigned work)
{
    (void)work;
    micro_target(0);
    micro_square();
    micro_program(GLSL140,
                  "in vec2 place; void main() { int i = gl_InstanceID;\n"
                  "vec2 at = vec2(float(i & 63), float(i >> 6 & 63)) / 32.0 - 1.0;\n"
                  "gl_Position = vec4(at + place * 0.01, 0.0, 1.0); }",
                  NULL, "out vec4 c; void main() { c = vec4(0.3, 0.5, 0.7, 1.0); }");
}

static void frame_instances(unsigned work)
{
    gl.DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)work);
}

/* ------------------------------------------------------------------------------------ draws --- */

static GLint where;

static void setup_draws(unsigned work)
{
    (void)work;
    micro_target(0);
    micro_square();
    GLuint p = micro_program(GLSL120,
                             "attribute vec2 place; uniform vec4 at; void main() {\n"
                             "gl_Position = vec4(place * 0.01 + at.xy, 0.0, 1.0); }",
                             NULL, "void main() { gl_FragColor = vec4(0.3, 0.5, 0.7, 1.0); }");
    where = gl.GetUniformLocation(p, "at");
}

static void frame_draws(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        gl.Uniform4f(where, (float)(i & 31) / 16 - 1, (float)(i >> 5 & 31) / 16 - 1, 0, 0);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

static GLuint two[2];

static void setup_two_textures(unsigned work)
{
    (void)work;
    textured(GL_NEAREST, GL_NEAREST, "1.0");
    gl.Viewport(0, 0, 16, 16);
    for (unsigned i = 0; i < 2; i++)
        two[i] = micro_texture(16, GL_NEAREST, GL_NEAREST);
}

static void frame_two_textures(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        gl.BindTexture(GL_TEXTURE_2D, two[i & 1]);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

static void setup_uniform_buffer(unsigned work)
{
    (void)work;
    micro_target(0);
    micro_square();
    GLuint buffer, p = micro_program(GLSL140,
                                     "in vec2 place; uniform B { vec4 at[16]; }; void main() {\n"
                                     "gl_Position = vec4(place * 0.01 + at[3].xy, 0.0, 1.0); }",
                                     NULL, "out vec4 c; void main() { c = vec4(0.5); }");
    gl.UniformBlockBinding(p, gl.GetUniformBlockIndex(p, "B"), 0);
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_UNIFORM_BUFFER, buffer);
    gl.BufferData(GL_UNIFORM_BUFFER, 256, NULL, GL_DYNAMIC_DRAW);
    gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
}

static void frame_uniform_buffer(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        float at[4] = {(float)(i & 31) / 16 - 1, (float)(i >> 5 & 31) / 16 - 1, 0, 0};
        gl.BufferSubData(GL_UNIFORM_BUFFER, 48, sizeof at, at);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

/* Two render targets: each is drawn to while the other is sampled. */
static GLuint turn_fbo[2], turn_texture[2];

static void setup_targets(unsigned work)
{
    (void)work;
    textured(GL_NEAREST, GL_NEAREST, "1.0");
    for (unsigned i = 0; i < 2; i++) {
        turn_texture[i] = micro_texture(64, GL_NEAREST, GL_NEAREST);
        gl.GenFramebuffers(1, &turn_fbo[i]);
        gl.BindFramebuffer(GL_FRAMEBUFFER, turn_fbo[i]);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                turn_texture[i], 0);
    }
    gl.Viewport(0, 0, 64, 64);
}

static void frame_targets(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        gl.BindFramebuffer(GL_FRAMEBUFFER, turn_fbo[i & 1]);
        gl.BindTexture(GL_TEXTURE_2D, turn_texture[~i & 1]);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

static void setup_immediate(unsigned work)
{
    (void)work;
    micro_target(0);
    gl.Viewport(0, 0, 64, 64);
}

static void frame_immediate(unsigned work)
{
    gl.Begin(GL_TRIANGLES);
    for (unsigned i = 0; i < work; i++) {
        float x = (float)(i & 63) / 32 - 1, y = (float)(i >> 6 & 63) / 32 - 1;
        gl.Color3f(x, y, 0.5f);
        gl.Vertex2f(x, y);
        gl.Vertex2f(x + 0.03f, y);
        gl.Vertex2f(x, y + 0.03f);
    }
    gl.End();
}

static GLuint list;

static void setup_list(unsigned work)
{
    setup_immediate(work);
    list = gl.GenLists(1);
    gl.NewList(list, GL_COMPILE);
    frame_immediate(4096);
    gl.EndList();
}

static void frame_list(unsigned work)
{
    for (unsigned i = 0; i < work; i++)
        gl.CallList(list);
}

/* Links and draws with a program that no cache contains. */
static unsigned serial;

static void setup_programs(unsigned work)
{
    (void)work;
    setup_flat(work);
}

static void frame_programs(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        char fs[300];
        snprintf(fs, sizeof fs,
                 "varying vec2 v; void main() { vec3 n = normalize(vec3(v, %u.5));\n"
                 "float d = max(dot(n, vec3(0.3, 0.6, 0.%u)), 0.0);\n"
                 "gl_FragColor = vec4(n * d, 1.0); }",
                 serial % 1000, serial);
        serial++;
        GLuint p = micro_program(GLSL120, micro_plain_vs, NULL, fs);
        gl.Viewport(0, 0, 4, 4);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        gl.Finish();
        gl.DeleteProgram(p);
    }
}

/* ------------------------------------------------------------------------------------ table --- */

const struct micro_workload micro_workloads[] = {
    {"clear", setup_target, frame_clear, 1},
    {"flat-fill", setup_flat, draw_squares, 1},
    {"blend", setup_blend, draw_squares, 1},
    {"depth", setup_depth, draw_squares, 1},
    {"alu", setup_alu, draw_squares, 1},
    {"transcendental", setup_transcendental, draw_squares, 1},
    {"uniform-branch", setup_uniform_branch, draw_squares, 1},
    {"divergent-branch", setup_divergent_branch, draw_squares, 1},
    {"samples-4", setup_samples, draw_squares, 1},
    {"nearest", setup_nearest, draw_squares, 1},
    {"bilinear", setup_bilinear, draw_squares, 1},
    {"trilinear", setup_trilinear, draw_squares, 1},
    {"four-textures", setup_four_textures, draw_squares, 1},
#define FETCH(id, name) {name, micro_setup_##id, draw_squares, 1},
    MICRO_FORMATS(FETCH)
#undef FETCH
        {"read-pixels", setup_readpixels, frame_readpixels, 1},
    {"tex-sub-image", setup_texsubimage, frame_texsubimage, 1},
    {"glyphs", setup_glyphs, frame_glyphs, 64},
    {"small-triangles", setup_small_triangles, frame_vertices, 1},
    {"lit-vertices", setup_lit_vertices, frame_vertices, 1},
    {"culled", setup_culled, frame_vertices, 1},
    {"back-faces", setup_back_faces, frame_vertices, 1},
    {"geometry", setup_geometry, frame_vertices, 1},
    {"mesh", micro_setup_mesh, micro_frame_mesh, 1},
    {"instances", setup_instances, frame_instances, 1024},
    {"draws", setup_draws, frame_draws, 512},
    {"texture-changes", setup_two_textures, frame_two_textures, 512},
    {"uniform-buffer", setup_uniform_buffer, frame_uniform_buffer, 512},
    {"target-changes", setup_targets, frame_targets, 32},
    {"immediate", setup_immediate, frame_immediate, 4096},
    {"list", setup_list, frame_list, 1},
    {"new-programs", setup_programs, frame_programs, 1},
    {"compute-product", micro_setup_product, micro_frame_compute, 1},
    {"compute-reduction", micro_setup_reduction, micro_frame_compute, 1},
    {"compute-histogram", micro_setup_histogram, micro_frame_compute, 1},
    {"compute-particles", micro_setup_particles, micro_frame_compute, 1},
    {"compute-blur", micro_setup_blur, micro_frame_compute, 1},
#define PRIMITIVES(id, name, frame, work) {name, micro_setup_##id, micro_frame_##frame, work},
    MICRO_PRIMITIVES(PRIMITIVES) MICRO_KEPT(PRIMITIVES)
#undef PRIMITIVES
};
#define COUNT(id, name, frame, work) +1
const unsigned micro_num_workloads = sizeof micro_workloads / sizeof micro_workloads[0];
const unsigned micro_num_listed =
    sizeof micro_workloads / sizeof micro_workloads[0] - (0 MICRO_KEPT(COUNT));
#undef COUNT
