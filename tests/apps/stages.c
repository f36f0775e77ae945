/* SPDX-License-Identifier: MIT */
/*
 * stages geometry|feedback|memory|smooth: draws with geometry shaders, with transform feedback, with
 * effects on memory that do not depend on their order, and smooth primitives, off-screen, and writes what came out as frame_shim.c does, to $FRAME_SHIM_OUT-<frame>.rgba: pictures, and captured
 * buffers as one row of pixels of four bytes. Vertices are numbers from a generator of our own, and
 * most counts are no multiple of a vector's lanes; blending makes the order of primitives visible.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 150 /* pixels: more than two tiles, in part */

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "stages: %s: %s\n", what, why);
    exit(1);
}

static void begin(void)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                     EGL_NONE};
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("EGL", "no surfaceless platform");
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("EGL", "no context");
}

/* --- what comes out --- */

static void write_frame(unsigned width, unsigned height, const void *pixels)
{
    static unsigned frame;
    const char *prefix = getenv("FRAME_SHIM_OUT");
    const unsigned size[2] = {width, height};
    char path[4096];

    if (glGetError() != GL_NO_ERROR)
        fail("drawing", "an error was raised");
    snprintf(path, sizeof path, "%s-%u.rgba", prefix ? prefix : "frame", ++frame);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(size, sizeof size, 1, file) != 1 ||
        fwrite(pixels, 4ul * width * height, 1, file) != 1 || fclose(file))
        fail(path, "cannot be written");
}

static void write_picture(void)
{
    static unsigned char pixels[SIZE * SIZE * 4];
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    write_frame(SIZE, SIZE, pixels);
}

static void write_buffer(GLuint buffer, unsigned bytes)
{
    void *data = malloc(bytes);
    if (!data)
        fail("buffer", "no memory");
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, bytes, data);
    write_frame(bytes / 4, 1, data);
    free(data);
}

/* --- objects --- */

/* GS may be NULL. */
static GLuint make_program(const char *vs, const char *gs, const char *fs, unsigned captures,
                           const char *const *capture, GLenum mode)
{
    static const GLenum types[] = {GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
    const char *const texts[] = {vs, gs, fs};
    GLuint program = glCreateProgram();
    char log[2000] = "";
    GLint linked;

    for (unsigned i = 0; i < 3; i++) {
        if (!texts[i])
            continue;
        GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    if (captures)
        glTransformFeedbackVaryings(program, captures, capture, mode);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!linked)
        fail("a program", log);
    return program;
}

/* Numbers between 0 and 1, the same everywhere. */
static float next_number(void)
{
    static unsigned state = 12345;
    state = state * 1664525 + 1013904223;
    return (float)(state >> 8) / 16777216.0f;
}

/* vec4s of such numbers, or bytes that show what was not written. */
static GLuint make_buffer(unsigned vectors, bool numbers)
{
    float *data = malloc(16ul * vectors);
    GLuint buffer;

    if (!data)
        fail("buffer", "no memory");
    memset(data, 0xab, 16ul * vectors);
    for (unsigned i = 0; i < vectors * 4 && numbers; i++)
        data[i] = next_number();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 16 * vectors, data, GL_DYNAMIC_COPY);
    free(data);
    return buffer;
}

static void set_attribute(GLuint index, GLuint buffer, unsigned divisor)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 16, NULL);
    glEnableVertexAttribArray(index);
    glVertexAttribDivisor(index, divisor);
}

static GLuint make_image(GLenum internal, GLenum format, GLenum type, unsigned layers)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, internal, SIZE, SIZE, layers, 0, format, type, NULL);
    return texture;
}

/* A framebuffer of all layers of a new image with depth; bound and cleared. Returns the image. */
static GLuint make_framebuffer(unsigned layers)
{
    GLuint framebuffer, color = make_image(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, layers);
    GLuint depth = make_image(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, layers);

    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("framebuffer", "incomplete");
    glViewport(0, 0, SIZE, SIZE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return color;
}

/* A picture of each layer. */
static void write_layers(GLuint image, unsigned layers)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    for (unsigned i = 0; i < layers; i++) {
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, image, 0, i);
        write_picture();
    }
}

static const char paint[] = "#version 330\n"
                            "in vec3 color;\n"
                            "flat in float alpha;\n"
                            "out vec4 result;\n"
                            "void main() { result = vec4(color, alpha); }\n";

/* --- geometry --- */

#define LAYERS 3

static const char scatter_vertex[] =
    "#version 330\n"
    "layout(location = 0) in vec4 seed;\n"
    "layout(location = 1) in vec4 turn;\n"
    "out vec4 v_seed, v_turn;\n"
    "void main() {\n"
    "    v_seed = seed;\n"
    "    v_turn = turn;\n"
    "    gl_Position = vec4(fract(seed.xy + turn.xy) * 2.0 - 1.0, seed.z * 2.0 - 1.0, 1.0);\n"
    "}\n";

/* None to three strips of three to five vertices for each point, in the layer of each invocation;
 * the last strip's end is left to the shader's. */
static const char scatter_geometry[] =
    "#version 330\n"
    "#extension GL_ARB_gpu_shader5 : require\n"
    "layout(points, invocations = 3) in;\n"
    "layout(triangle_strip, max_vertices = 15) out;\n"
    "in vec4 v_seed[], v_turn[];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    int strips = int(v_seed[0].w * 4.0 + float(gl_InvocationID)) % 4;\n"
    "    for (int s = 0; s < strips; s++) {\n"
    "        int count = 3 + (gl_PrimitiveIDIn + s) % 3;\n"
    "        for (int i = 0; i < count; i++) {\n"
    "            float a = float(i) * 0.9 + float(s) * 2.0 + v_turn[0].z * 6.0;\n"
    "            float r = 0.05 + 0.25 * fract(v_seed[0].x * 7.0 + float(i) * 0.37);\n"
    "            gl_Position = gl_in[0].gl_Position + vec4(cos(a) * r, sin(a) * r, r, 0.0);\n"
    "            gl_Layer = gl_InvocationID;\n"
    "            color = fract(v_seed[0].xyz * 3.0 + vec3(float(i), float(s), 0.5) * 0.3);\n"
    "            alpha = 0.3 + 0.5 * v_turn[0].w;\n"
    "            EmitVertex();\n"
    "        }\n"
    "        if (s + 1 < strips)\n"
    "            EndPrimitive();\n"
    "    }\n"
    "}\n";

/* Points in layers: instances, invocations, several strips each. */
static void draw_layers(void)
{
    GLuint image = make_framebuffer(LAYERS);
    glUseProgram(make_program(scatter_vertex, scatter_geometry, paint, 0, NULL, 0));
    set_attribute(0, make_buffer(53, true), 0);
    set_attribute(1, make_buffer(5, true), 1);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArraysInstanced(GL_POINTS, 0, 53, 5);
    glDisable(GL_DEPTH_TEST);
    write_layers(image, LAYERS);
}

#define GRID 13

static const char relief_vertex[] =
    "#version 330\n"
    "layout(location = 0) in vec4 seed;\n"
    "uniform float columns;\n"
    "out vec3 v_color;\n"
    "void main() {\n"
    "    float row = floor(float(gl_VertexID) / columns);\n"
    "    vec2 p = vec2(float(gl_VertexID) - row * columns, row) / (columns - 1.0);\n"
    "    v_color = seed.rgb;\n"
    "    gl_Position = vec4(p * 1.8 - 0.9 + seed.xy * 0.06, seed.w - 0.5, 1.0);\n"
    "}\n";

/* Each triangle, shrunk; then a line over each side where the neighbor slopes the other way. */
static const char relief_geometry[] =
    "#version 330\n"
    "layout(triangles_adjacency) in;\n"
    "layout(line_strip, max_vertices = 10) out;\n"
    "in vec3 v_color[];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void emit(vec4 p, vec3 c) {\n"
    "    gl_Position = p;\n"
    "    color = c;\n"
    "    alpha = 0.6;\n"
    "    EmitVertex();\n"
    "}\n"
    "float slope(int a, int b, int c) {\n"
    "    vec3 u = gl_in[b].gl_Position.xyz - gl_in[a].gl_Position.xyz;\n"
    "    vec3 v = gl_in[c].gl_Position.xyz - gl_in[a].gl_Position.xyz;\n"
    "    return cross(u, v).x;\n"
    "}\n"
    "void main() {\n"
    "    vec4 center = gl_in[0].gl_Position + gl_in[2].gl_Position + gl_in[4].gl_Position;\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        emit(mix(gl_in[i % 3 * 2].gl_Position, center / 3.0, 0.4), v_color[i % 3 * 2]);\n"
    "    EndPrimitive();\n"
    "    for (int i = 0; i < 6; i += 2) {\n"
    "        if (slope(0, 2, 4) * slope(i, i + 1, (i + 2) % 6) > 1e-6) {\n"
    "            emit(gl_in[i].gl_Position, v_color[i + 1]);\n"
    "            emit(gl_in[(i + 2) % 6].gl_Position, vec3(1.0));\n"
    "            EndPrimitive();\n"
    "        }\n"
    "    }\n"
    "}\n";

static unsigned grid_vertex(int x, int y)
{
    x = x < 0 ? 0 : x >= GRID ? GRID - 1 : x;
    y = y < 0 ? 0 : y >= GRID ? GRID - 1 : y;
    return (unsigned)(y * GRID + x);
}

static void put_indices(const unsigned *index, unsigned count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 4 * count, index, GL_STATIC_DRAW);
}

/* Triangles of a grid with those beside them. */
static void draw_relief(void)
{
    static unsigned index[(GRID - 1) * (GRID - 1) * 12];
    GLuint program = make_program(relief_vertex, relief_geometry, paint, 0, NULL, 0);
    unsigned *next = index;

    for (int i = 0; i < (GRID - 1) * (GRID - 1); i++) {
        int x = i % (GRID - 1), y = i / (GRID - 1);
        const unsigned two[12] = {
            grid_vertex(x, y),         grid_vertex(x + 1, y - 1), grid_vertex(x + 1, y),
            grid_vertex(x + 1, y + 1), grid_vertex(x, y + 1),     grid_vertex(x - 1, y + 1),
            grid_vertex(x + 1, y),     grid_vertex(x + 2, y),     grid_vertex(x + 1, y + 1),
            grid_vertex(x, y + 2),     grid_vertex(x, y + 1),     grid_vertex(x, y)};
        memcpy(next, two, sizeof two);
        next += 12;
    }
    GLuint image = make_framebuffer(1);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "columns"), GRID);
    set_attribute(0, make_buffer(GRID * GRID, true), 0);
    put_indices(index, sizeof index / 4);
    glDrawElementsInstanced(GL_TRIANGLES_ADJACENCY, sizeof index / 4, GL_UNSIGNED_INT, NULL, 1);
    write_layers(image, 1);
}

/* The middle of four vertices as points of a size that the outer two give. */
static const char beads_geometry[] =
    "#version 330\n"
    "layout(lines_adjacency) in;\n"
    "layout(points, max_vertices = 6) out;\n"
    "in vec4 v_seed[], v_turn[];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    int count = 1 + int(v_seed[1].w * 6.0);\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        float t = float(i) / float(count);\n"
    "        gl_Position = mix(gl_in[1].gl_Position, gl_in[2].gl_Position, t);\n"
    "        gl_PointSize = 1.0 + 12.0 * v_seed[0].x * v_seed[3].y;\n"
    "        color = mix(v_seed[1].rgb, v_seed[2].rgb, t);\n"
    "        alpha = 0.5;\n"
    "        EmitVertex();\n"
    "    }\n"
    "}\n";

/* Strips with adjacency that restart, some too short to draw anything. */
static void draw_beads(void)
{
    static unsigned index[131];
    GLuint image = make_framebuffer(1);

    for (unsigned i = 0; i < 131; i++)
        index[i] = i % 17 == 11 || i % 23 == 20 ? ~0u : i * 7 % 97;
    glUseProgram(make_program(scatter_vertex, beads_geometry, paint, 0, NULL, 0));
    set_attribute(0, make_buffer(97, true), 0);
    set_attribute(1, make_buffer(2, true), 3);
    put_indices(index, 131);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(~0u);
    glDrawElementsInstanced(GL_LINE_STRIP_ADJACENCY, 131, GL_UNSIGNED_INT, NULL, 5);
    glDisable(GL_PRIMITIVE_RESTART);
    write_layers(image, 1);
}

static void geometry(void)
{
    draw_layers();
    draw_relief();
    draw_beads();
}

/* --- transform feedback --- */

#define PARTICLES 1021 /* several batches, the last in part */
#define STEPS     5
#define ROOM      3000 /* vectors in a buffer that overflows */

static const char step_vertex[] =
    "#version 330\n"
    "layout(location = 0) in vec4 place;\n"
    "layout(location = 1) in vec4 speed;\n"
    "out vec4 new_place, new_speed;\n"
    "void main() {\n"
    "    vec2 to = vec2(0.5) - place.xy;\n"
    "    float pull = 0.002 / (dot(to, to) + 0.01);\n"
    "    new_speed = vec4((speed.xy - 0.5 + to * pull) * exp(-place.z * 0.1) + 0.5,\n"
    "                     sin(speed.zw + place.x));\n"
    "    new_place = vec4(fract(place.xy + (new_speed.xy - 0.5) * 0.1),\n"
    "                     sqrt(place.z), pow(place.w, 1.1));\n"
    "}\n";

/* buffer[from][0 … 1] → buffer[1 - from][0 … 1] */
static void step(GLuint buffer[2][2], unsigned from)
{
    for (unsigned i = 0; i < 2; i++) {
        set_attribute(i, buffer[from][i], 0);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer[!from][i]);
    }
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, PARTICLES);
    glEndTransformFeedback();
}

/* Moves particles through the vertex shader alone; returns the last buffers. */
static const GLuint *move_particles(void)
{
    static const char *const captured[] = {"new_place", "new_speed"};
    static GLuint buffer[2][2];

    for (unsigned i = 0; i < 2; i++) {
        buffer[0][i] = make_buffer(PARTICLES, true);
        buffer[1][i] = make_buffer(PARTICLES, false);
    }
    glUseProgram(make_program(step_vertex, NULL, NULL, 2, captured, GL_SEPARATE_ATTRIBS));
    glEnable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < STEPS; i++)
        step(buffer, i % 2);
    glDisable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < 2; i++)
        write_buffer(buffer[STEPS % 2][i], PARTICLES * 16);
    return buffer[STEPS % 2];
}

static const char burst_vertex[] = "#version 330\n"
                                   "layout(location = 0) in vec4 place;\n"
                                   "layout(location = 1) in vec4 speed;\n"
                                   "out vec4 v_place, v_speed;\n"
                                   "void main() { v_place = place; v_speed = speed; }\n";

/* None to two triangles, or a strip of two, for each particle. */
static const char burst_geometry[] =
    "#version 330\n"
    "layout(points) in;\n"
    "layout(triangle_strip, max_vertices = 6) out;\n"
    "in vec4 v_place[], v_speed[];\n"
    "out vec4 shown;\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    int kind = gl_PrimitiveIDIn % 4;\n"
    "    int count = kind == 0 ? 0 : kind == 1 ? 3 : kind == 2 ? 4 : 6;\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        vec2 to = vec2(cos(float(i) + v_speed[0].x), sin(float(i) * 2.0 + v_speed[0].y));\n"
    "        shown = vec4(v_place[0].xy * 2.0 - 1.0 + to * 0.1, v_speed[0].z, 1.0);\n"
    "        gl_Position = shown;\n"
    "        color = abs(vec3(v_speed[0].zw, v_place[0].x));\n"
    "        alpha = float(i + 1) / 8.0;\n"
    "        EmitVertex();\n"
    "        if (i == 2 && kind == 3)\n"
    "            EndPrimitive();\n"
    "    }\n"
    "}\n";

/* What a geometry shader made of them, drawn and captured, in a buffer that is too small; frames:
 * picture, buffer, how many were made and how many fitted. Returns the latter's buffer. */
static GLuint burst(const GLuint particles[2], unsigned *triangles)
{
    static const char *const captured[] = {"shown", "color", "alpha"};
    GLuint query[2], counts[2], image = make_framebuffer(1), buffer = make_buffer(ROOM, false);

    glUseProgram(
        make_program(burst_vertex, burst_geometry, paint, 3, captured, GL_INTERLEAVED_ATTRIBS));
    for (unsigned i = 0; i < 2; i++)
        set_attribute(i, particles[i], 0);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glGenQueries(2, query);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[1]);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_POINTS, 0, PARTICLES);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    for (unsigned i = 0; i < 2; i++)
        glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &counts[i]);
    if (counts[0] <= counts[1])
        fail("transform feedback", "the buffer was to overflow");
    write_layers(image, 1);
    write_buffer(buffer, ROOM * 16);
    write_frame(2, 1, counts);
    *triangles = counts[1];
    return buffer;
}

static const char again_vertex[] = "#version 330\n"
                                   "layout(location = 0) in vec4 place;\n"
                                   "layout(location = 1) in vec4 paint;\n"
                                   "out vec3 color;\n"
                                   "flat out float alpha;\n"
                                   "void main() {\n"
                                   "    gl_Position = place * vec4(0.9, 0.9, 0.5, 1.0);\n"
                                   "    color = mix(paint.rgb, abs(place.xyz), 0.3);\n"
                                   "    alpha = paint.a;\n"
                                   "}\n";

/* Draws the captured triangles. */
static void draw_captured(GLuint buffer, unsigned triangles)
{
    GLuint image = make_framebuffer(1);

    glUseProgram(make_program(again_vertex, NULL, paint, 0, NULL, 0));
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    for (unsigned i = 0; i < 2; i++)
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 32, (void *)(i * 16ul));
    glDrawArrays(GL_TRIANGLES, 0, (int)triangles * 3);
    write_layers(image, 1);
}

/* An indexed strip that restarts and instances, captured as triangles while it is drawn. */
static void capture_strip(void)
{
    static const char *const captured[] = {"gl_Position", "color"};
    static unsigned index[203];
    GLuint image = make_framebuffer(1), buffer = make_buffer(2 * ROOM, false);

    for (unsigned i = 0; i < 203; i++)
        index[i] = i % 29 == 13 ? ~0u : i * 5 % 83;
    glUseProgram(make_program(again_vertex, NULL, paint, 2, captured, GL_INTERLEAVED_ATTRIBS));
    set_attribute(0, make_buffer(83, true), 0);
    set_attribute(1, make_buffer(4, true), 1);
    put_indices(index, 203);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glEnable(GL_PRIMITIVE_RESTART);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawElementsInstanced(GL_TRIANGLE_STRIP, 203, GL_UNSIGNED_INT, NULL, 4);
    glEndTransformFeedback();
    glDisable(GL_PRIMITIVE_RESTART);
    write_layers(image, 1);
    write_buffer(buffer, 2 * ROOM * 16);
}

static void feedback(void)
{
    unsigned triangles;
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPrimitiveRestartIndex(~0u);
    make_framebuffer(1); /* draws want one, though they show nothing */
    const GLuint *particles = move_particles();
    GLuint captured = burst(particles, &triangles);
    draw_captured(captured, triangles);
    capture_strip();
}

/* --- memory --- */

#define MEMORY                                                                                     \
    "#version 330\n"                                                                               \
    "#extension GL_ARB_shader_storage_buffer_object: require\n"                                    \
    "#extension GL_ARB_shader_atomic_counters: require\n"                                          \
    "#extension GL_ARB_shader_image_load_store: require\n"                                         \
    "#extension GL_ARB_shading_language_420pack: require\n"

enum { MEMORY_TRIANGLES = 301, BUCKETS = 61 };

/* Vertices count themselves by where they are. */
static const char memory_vertex[] =
    MEMORY "layout(location = 0) in vec4 place;\n"
           "layout(std430, binding = 0) buffer Vertices { uint quarter[4], times[]; };\n"
           "flat out uint key;\n"
           "out vec3 color;\n"
           "void main() {\n"
           "    vec2 p = place.xy * 2.4 - 1.2;\n"
           "    atomicAdd(quarter[int(p.x > 0.0) + 2 * int(p.y > 0.0)], 1u);\n"
           "    atomicAdd(times[gl_VertexID], 1u);\n"
           "    gl_Position = vec4(p, place.z, 1);\n"
           "    color = place.zwx;\n"
           "    key = uint(gl_VertexID);\n"
           "}\n";

/* Of all fragments of a pixel the nearest remains, and a histogram of all that were not discarded. */
static const char memory_fragment[] =
    MEMORY "flat in uint key;\n"
           "in vec3 color;\n"
           "layout(std430, binding = 1) buffer Buckets { uint sum[61], most[61]; };\n"
           "layout(binding = 3, offset = 8) uniform atomic_uint fragments;\n"
           "layout(r32ui, binding = 4) uniform uimage2D nearest;\n"
           "layout(r32i, binding = 5) uniform iimageBuffer rows;\n"
           "void main() {\n"
           "    if (fract(color.x * 17.0) > 0.8) discard;\n"
           "    uint depth = uint(gl_FragCoord.z * 4095.0), b = key % 61u;\n"
           "    atomicAdd(sum[b], depth);\n"
           "    atomicMax(most[b], depth);\n"
           "    atomicCounterIncrement(fragments);\n"
           "    uvec3 c = uvec3(color * 63.0);\n"
           "    imageAtomicMax(nearest, ivec2(gl_FragCoord.xy), depth << 20 | c.r << 12 | c.g << 6 "
           "| c.b);\n"
           "    imageAtomicXor(rows, int(gl_FragCoord.y), int(key * 2654435761u));\n"
           "}\n";

static const char show_vertex[] = MEMORY
    "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }";
static const char show_fragment[] = MEMORY
    "layout(r32ui, binding = 4) readonly uniform uimage2D nearest;\n"
    "layout(rgba8, binding = 6) writeonly uniform image2D copy;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    ivec2 p = ivec2(gl_FragCoord.xy);\n"
    "    uint v = imageLoad(nearest, p).x;\n"
    "    result = vec4(v >> 12 & 63u, v >> 6 & 63u, v & 63u, v >> 24) / vec4(63, 63, 63, 255);\n"
    "    imageStore(copy, p.yx, result.bgra * 1.1);\n"
    "}\n";

static GLuint make_words(GLenum target, GLuint index, unsigned words)
{
    void *zeros = calloc(words, 4);
    GLuint buffer;
    if (!zeros)
        fail("buffer", "no memory");
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, words * 4l, zeros, GL_DYNAMIC_COPY);
    if (target)
        glBindBufferBase(target, index, buffer);
    free(zeros);
    return buffer;
}

static GLuint make_plain_image(GLuint unit, GLenum internal, GLenum format, GLenum type)
{
    static const unsigned zeros[SIZE * SIZE];
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, SIZE, SIZE, 0, format, type, zeros);
    glBindImageTexture(unit, texture, 0, GL_FALSE, 0, GL_READ_WRITE, internal);
    return texture;
}

static void memory(void)
{
    static unsigned char pixels[SIZE * SIZE * 4];
    GLuint picture = make_framebuffer(1), rows;
    GLuint vertices = make_words(GL_SHADER_STORAGE_BUFFER, 0, 4 + 3 * MEMORY_TRIANGLES);
    GLuint buckets = make_words(GL_SHADER_STORAGE_BUFFER, 1, 2 * BUCKETS);
    GLuint counter = make_words(GL_ATOMIC_COUNTER_BUFFER, 3, 4), row = make_words(0, 0, SIZE);

    make_plain_image(4, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT);
    glGenTextures(1, &rows);
    glBindTexture(GL_TEXTURE_BUFFER, rows);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32I, row);
    glBindImageTexture(5, rows, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32I);
    GLuint copy = make_plain_image(6, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
    set_attribute(0, make_buffer(3 * MEMORY_TRIANGLES, true), 0);
    glUseProgram(make_program(memory_vertex, NULL, memory_fragment, 0, NULL, 0));
    glDrawArrays(GL_TRIANGLES, 0, 3 * MEMORY_TRIANGLES);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glUseProgram(make_program(show_vertex, NULL, show_fragment, 0, NULL, 0));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    write_layers(picture, 1);
    glBindTexture(GL_TEXTURE_2D, copy);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    write_frame(SIZE, SIZE, pixels);
    write_buffer(vertices, (4 + 3 * MEMORY_TRIANGLES) * 4);
    write_buffer(buckets, 2 * BUCKETS * 4);
    write_buffer(counter, 16);
    write_buffer(row, SIZE * 4);
}

/* --- smooth primitives --- */

enum { SMOOTH_VERTICES = 90 };

static const char smooth_vertex[] = "#version 330 core\n"
                                    "layout(location = 0) in vec4 position;\n"
                                    "out vec4 color;\n"
                                    "void main() {\n"
                                    "    color = position.wzyx * 0.5 + 0.5;\n"
                                    "    gl_Position = vec4(position.xyz * 1.2, 1.0);\n"
                                    "}\n";
static const char smooth_fragment[] = "#version 330 core\n"
                                      "in vec4 color;\n"
                                      "out vec4 result;\n"
                                      "void main() { result = color; }\n";

/* Triangles, their outlines, lines of several widths. */
static void smooth(void)
{
    GLuint picture = make_framebuffer(1);

    set_attribute(0, make_buffer(SMOOTH_VERTICES, true), 0);
    glUseProgram(make_program(smooth_vertex, NULL, smooth_fragment, 0, NULL, 0));
    glEnable(GL_POLYGON_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, SMOOTH_VERTICES);
    write_layers(picture, 1);
    glEnable(GL_LINE_SMOOTH);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, SMOOTH_VERTICES);
    write_layers(picture, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    for (unsigned i = 0; i < SMOOTH_VERTICES; i += 2) {
        glLineWidth(1.0f + (float)(i % 16) * 0.3f);
        glDrawArrays(GL_LINES, (GLint)i, 2);
    }
    write_layers(picture, 1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*draw)(void);
    } scenes[] = {
        {"geometry", geometry}, {"feedback", feedback}, {"memory", memory}, {"smooth", smooth}};
    GLuint array;

    for (unsigned i = 0; i < sizeof scenes / sizeof *scenes && argc == 2; i++) {
        if (strcmp(argv[1], scenes[i].name))
            continue;
        begin();
        glGenVertexArrays(1, &array);
        glBindVertexArray(array);
        scenes[i].draw();
        return 0;
    }
    fprintf(stderr, "usage: stages geometry|feedback|memory|smooth\n");
    return 2;
}
