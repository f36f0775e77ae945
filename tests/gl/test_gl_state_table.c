/* SPDX-License-Identifier: MIT */
/*
 * Checks that every piece of state reaches the driver when it changes between draws. For each row
 * of gl_state_table.py a scene is drawn before and after a change of state. The pictures must be
 * those of fresh contexts in which the state had the value before anything was drawn.
 *
 * Arguments: an API (compat, core, es), and optionally a pattern of rows (cmocka's filter).
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

#define SIZE 32 /* of the window, in pixels */

enum { COMPAT = 1 << GL_API_COMPAT, CORE = 1 << GL_API_CORE, ES = 1 << GL_API_ES2 };

enum row_flag {
    NO_ATTRIB = 1 << 0,  /* glPopAttrib and glPopClientAttrib don't restore the state */
    NO_LIST = 1 << 1,    /* the commands are not compiled into display lists */
    NO_PENDING = 1 << 2, /* the change affects pixels that are already drawn, or reading them */
};

struct row {
    const char *name;
    unsigned apis, flags;
    void (*setup)(void);  /* common part of both pictures */
    void (*change)(void); /* the change, and its inverse */
    void (*back)(void);
    void (*draw)(void);
    void (*finish)(void); /* makes the picture readable from the read framebuffer */
};

struct picture {
    uint8_t color[SIZE][SIZE][4];
    uint32_t depth_stencil[SIZE][SIZE]; /* the window's; not in OpenGL ES */
};

static enum gl_api api;

/* Objects of the current context. a to f are available to the rows. */
static struct {
    GLuint program, vao, vertices, indices, texture;
    GLuint fbo; /* made by make_fbo */
    GLuint a, b, c, d, e, f;
} s;

/* --- helpers of rows -------------------------------------------------------------------------- */

static const char *const versions[GL_API_COUNT] = {
    [GL_API_COMPAT] = "#version 460 compatibility\n",
    [GL_API_CORE] = "#version 460\n",
    [GL_API_ES2] = "#version 320 es\n"
                   "#extension GL_EXT_clip_cull_distance : enable\n"
                   "#extension GL_OES_viewport_array : enable\n"
                   "#extension GL_EXT_blend_func_extended : enable\n",
};

static const char precisions[] = "precision highp float;\n"
                                 "precision highp int;\n"
                                 "precision highp sampler2DShadow;\n"
                                 "precision highp sampler2DArray;\n"
                                 "precision highp sampler3D;\n"
                                 "precision highp usampler2D;\n"
                                 "precision highp samplerBuffer;\n"
                                 "precision highp image2D;\n"
                                 "precision highp image2DArray;\n";

/* Positions, colors and texture coordinates as they are in the arrays. */
#define VS                                                                                         \
    "layout(location = 0) in vec4 pos;\n"                                                          \
    "layout(location = 1) in vec4 color;\n"                                                        \
    "layout(location = 2) in vec2 tex;\n"                                                          \
    "uniform float scale;\n"                                                                       \
    "out vec4 v_color;\n"                                                                          \
    "out vec2 v_tex;\n"                                                                            \
    "void main() {\n"                                                                              \
    "    gl_Position = pos;\n"                                                                     \
    "    gl_PointSize = 9.0;\n"                                                                    \
    "    v_color = color;\n"                                                                       \
    "    v_tex = tex * scale;\n"                                                                   \
    "}\n"

/* Their product with a texel and a uniform. */
#define FS                                                                                         \
    "in vec4 v_color;\n"                                                                           \
    "in vec2 v_tex;\n"                                                                             \
    "uniform sampler2D image;\n"                                                                   \
    "uniform vec4 factor;\n"                                                                       \
    "layout(location = 0) out vec4 result;\n"                                                      \
    "void main() {\n"                                                                              \
    "    result = v_color * factor * texture(image, v_tex);\n"                                     \
    "}\n"

/* A fragment shader with this body of main. The outputs of VS are v_color and v_tex. */
#define FRAGMENT(declarations, body)                                                               \
    "in vec4 v_color;\n"                                                                           \
    "in vec2 v_tex;\n" declarations "\n"                                                           \
    "layout(location = 0) out vec4 result;\n"                                                      \
    "void main() {\n" body "\n}\n"

/* Returns a shader. The text has no version and may begin with extension directives. */
static GLuint shader(GLenum type, const char *text)
{
    static char all[20000];
    const char *body = text;
    while (body[0] == '#')
        body = strchr(body, '\n') + 1;
    snprintf(all, sizeof all, "%s%.*s%s%s", versions[api], (int)(body - text), text,
             api == GL_API_ES2 ? precisions : "", body);
    return gl_test_compile(type, all);
}

static void attach(GLuint program, GLenum type, const char *text)
{
    GLuint object = shader(type, text);
    glAttachShader(program, object);
    glDeleteShader(object);
}

/* Returns a program of two shaders; NULL means fixed function. */
static GLuint link_program(const char *vs, const char *fs)
{
    GLuint program = glCreateProgram();
    if (vs)
        attach(program, GL_VERTEX_SHADER, vs);
    if (fs)
        attach(program, GL_FRAGMENT_SHADER, fs);
    gl_test_link(program);
    return program;
}

/* Returns the location in the scene's program. */
static GLint u(const char *name)
{
    return glGetUniformLocation(s.program, name);
}

/* Makes the program current and sets the uniforms of VS and FS. */
static void use_program(GLuint program)
{
    s.program = program;
    glUseProgram(program);
    glUniform1f(u("scale"), 1);
    glUniform4f(u("factor"), 1, 1, 1, 1);
}

static void use(const char *vs, const char *fs)
{
    use_program(link_program(vs, fs));
}

/* Creates an RGBA8 texture of 8x8 texels with its levels, bound to target 2D. Colors differ by
 * level, texels by seed. */
static GLuint make_texture(unsigned seed)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (unsigned level = 0; level < 4; level++) {
        const unsigned n = 8 >> level;
        uint8_t texels[64][4];
        for (unsigned i = 0; i < n * n; i++) {
            texels[i][0] = (uint8_t)((i + seed) % 3 * 100 + 55);
            texels[i][1] = (uint8_t)((i / n + seed) % 2 * 200 + level * 16);
            texels[i][2] = (uint8_t)(255 - 60 * level);
            texels[i][3] = (uint8_t)(255 - (i + seed) % 4 * 40);
        }
        glTexImage2D(GL_TEXTURE_2D, (GLint)level, GL_RGBA8, (GLsizei)n, (GLsizei)n, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, texels);
    }
    return texture;
}

static void param(GLenum name, GLint value)
{
    glTexParameteri(GL_TEXTURE_2D, name, value);
}

static GLuint make_buffer(GLenum target, size_t size, const void *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    return buffer;
}

/* Creates an empty 2D texture of the window's size with one level. */
static GLuint make_target(GLenum format)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, SIZE, SIZE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, s.texture);
    return texture;
}

/* Binds a new framebuffer s.fbo with two RGBA8 textures s.e and s.f as draw buffers. */
static void make_fbo(void)
{
    static const GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glGenFramebuffers(1, &s.fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, s.fbo);
    s.e = make_target(GL_RGBA8);
    s.f = make_target(GL_RGBA8);
    glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[0], GL_TEXTURE_2D, s.e, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[1], GL_TEXTURE_2D, s.f, 0);
    glDrawBuffers(2, buffers);
    glReadBuffer(buffers[1]);
}

/* Binds a new framebuffer s.fbo with renderbuffers of four samples. */
static void make_samples(void)
{
    GLuint b[2];
    glGenRenderbuffers(2, b);
    glGenFramebuffers(1, &s.fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, s.fbo);
    glBindRenderbuffer(GL_RENDERBUFFER, b[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, b[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, b[1]);
}

/* Resolves the draw framebuffer into a single-sample one and makes that the read framebuffer. */
static void resolve(void)
{
    GLint draw;
    GLuint fbo, texture = make_target(GL_RGBA8);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)draw);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
}

static void nothing(void)
{
}

/* Two quads that overlap, the second back-facing, and a triangle that crosses the near plane: 15
 * vertices of position, color and texture coordinates. */
static const float mesh[15][10] = {
    {-0.9f, -0.8f, -0.5f, 1, 1.0f, 0.3f, 0.2f, 0.9f, -0.5f, -0.5f},
    {0.5f, -0.8f, 0.7f, 1, 0.2f, 1.0f, 0.3f, 0.8f, 1.5f, -0.5f},
    {0.5f, 0.6f, 0.7f, 1, 0.3f, 0.2f, 1.0f, 0.7f, 1.5f, 1.5f},
    {-0.9f, -0.8f, -0.5f, 1, 1.0f, 0.3f, 0.2f, 0.6f, -0.5f, -0.5f},
    {0.5f, 0.6f, 0.7f, 1, 0.3f, 0.2f, 1.0f, 0.5f, 1.5f, 1.5f},
    {-0.9f, 0.6f, -0.5f, 1, 0.9f, 0.9f, 0.1f, 0.4f, -0.5f, 1.5f},
    {-0.4f, -0.6f, 0.1f, 1, 0.1f, 0.8f, 0.8f, 0.4f, -0.2f, -0.7f},
    {0.8f, 0.7f, 0.1f, 1, 0.7f, 0.7f, 0.7f, 0.5f, 1.6f, 1.3f},
    {0.8f, -0.6f, 0.1f, 1, 0.8f, 0.1f, 0.8f, 0.6f, 1.6f, -0.7f},
    {-0.4f, -0.6f, 0.1f, 1, 0.6f, 0.8f, 0.8f, 0.7f, -0.2f, -0.7f},
    {-0.4f, 0.7f, 0.1f, 1, 0.9f, 0.5f, 0.2f, 0.8f, -0.2f, 1.3f},
    {0.8f, 0.7f, 0.1f, 1, 0.4f, 0.2f, 0.7f, 0.9f, 1.6f, 1.3f},
    {-0.6f, 0.3f, -1.6f, 1, 0.9f, 0.9f, 0.9f, 1.0f, 0.0f, 0.0f},
    {0.1f, 0.95f, 0.9f, 1, 0.1f, 0.3f, 0.9f, 1.0f, 1.0f, 0.0f},
    {-0.95f, 0.9f, 0.9f, 1, 0.9f, 0.1f, 0.1f, 1.0f, 1.0f, 1.0f},
};

static const GLushort mesh_indices[15] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

static void point_attrib(GLuint index, GLint size, size_t offset)
{
    glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, sizeof mesh[0],
                          (const void *)(offset * sizeof(float)));
    glEnableVertexAttribArray(index);
}

static void draw_mesh(void)
{
    glDrawArrays(GL_TRIANGLES, 0, 15);
}

static void draw_elements(void)
{
    glDrawElements(GL_TRIANGLES, 15, GL_UNSIGNED_SHORT, NULL);
}

static void draw_points(void)
{
    glDrawArrays(GL_POINTS, 0, 15);
}

static void draw_lines(void)
{
    glDrawArrays(GL_LINES, 0, 14);
}

/* Draws the mesh in immediate mode with normals, for fixed function. Draws the two quads as
 * GL_QUADS. */
static void draw_immediate(void)
{
    static const uint8_t quads[8] = {0, 1, 2, 5, 6, 10, 7, 8};
    glBegin(GL_QUADS);
    for (unsigned i = 0; i < 8; i++) {
        const float *v = mesh[quads[i]];
        glColor4fv(v + 4);
        glNormal3f(v[0], v[1], 1);
        glMultiTexCoord2fv(GL_TEXTURE0, v + 8);
        glMultiTexCoord2f(GL_TEXTURE1, v[9], -v[8]);
        glSecondaryColor3f(v[6], 0, v[4]);
        glFogCoordf(v[5]);
        glVertex4fv(v);
    }
    glEnd();
}

/* Like draw_immediate, without colors, for current values and materials. */
static void draw_plain(void)
{
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 15; i++)
        glVertex4fv(mesh[i]);
    glEnd();
}

static void fixed_function(void)
{
    glUseProgram(0);
    glBindVertexArray(0);
}

static void lit(void)
{
    fixed_function();
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_DEPTH_TEST);
    glLightfv(GL_LIGHT0, GL_POSITION, (const GLfloat[]){0.4f, 0.6f, 1.5f, 1});
    glLightfv(GL_LIGHT0, GL_AMBIENT, (const GLfloat[]){0.2f, 0.1f, 0.3f, 1});
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, (const GLfloat[]){0.5f, 0.4f, 0.3f, 1});
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 4);
}

static void textured(void)
{
    fixed_function();
    glEnable(GL_TEXTURE_2D);
}

static void light(GLenum name, float x, float y, float z, float w)
{
    glLightfv(GL_LIGHT0, name, (const GLfloat[]){x, y, z, w});
}

static void material(GLenum face, GLenum name, float x, float y, float z)
{
    glMaterialfv(face, name, (const GLfloat[]){x, y, z, 1});
}

static void fog(GLenum name, GLint value)
{
    glFogi(name, value);
}

static void env(GLenum name, GLint value)
{
    glTexEnvi(GL_TEXTURE_ENV, name, value);
}

static GLuint assembly(GLenum target, const char *text)
{
    GLuint object;
    glGenProgramsARB(1, &object);
    glBindProgramARB(target, object);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    glEnable(target);
    return object;
}

static void env2(GLenum target, GLenum name, GLint value)
{
    glTexEnvi(target, name, value);
}

/* Like VS, with a flat output f, which the preceding text declares. */
#define VS_FLAT                                                                                    \
    "layout(location = 0) in vec4 pos;\n"                                                          \
    "layout(location = 1) in vec4 color;\n"                                                        \
    "void main() {\n"                                                                              \
    "    gl_Position = pos;\n"                                                                     \
    "    f = color;\n"                                                                             \
    "}\n"

static void clear(void)
{
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void clear_mesh(void)
{
    clear();
    draw_mesh();
}

/* Clears to a different color than before. */
static void clear_other(void)
{
    glClearColor(0.9f, 0.8f, 0.1f, 0.7f);
    clear();
    glClearColor(0.2f, 0.3f, 0.4f, 0.5f);
}

static void clear_depth(void)
{
    glClearDepth(0.3);
    clear();
    glClearDepth(1);
}

/* Draws the first quad, then again with polygon offset. */
static void draw_again(void)
{
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glUniform4f(u("factor"), 0, 1, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    glUniform4f(u("factor"), 1, 1, 1, 1);
}

static void draw_quads(void)
{
    glDrawArrays(GL_TRIANGLES, 0, 12);
}

static void draw_thrice(void)
{
    for (unsigned i = 0; i < 3; i++)
        draw_mesh();
}

/* Draws the mesh twice, then without the depth test in another color. */
static void draw_depth_fail(void)
{
    draw_mesh();
    draw_mesh();
    glDisable(GL_DEPTH_TEST);
    glUniform4f(u("factor"), 0, 1, 0, 1);
    draw_mesh();
    glUniform4f(u("factor"), 1, 1, 1, 1);
    glEnable(GL_DEPTH_TEST);
}

/* Clears the stencil buffer to a different value than before. */
static void clear_stencil(void)
{
    glClearStencil(0xa5);
    clear();
    glClearStencil(1);
}

static void draw_instances(void)
{
    glDrawArraysInstanced(GL_TRIANGLES, 0, 6, 2);
    glDrawArraysInstanced(GL_TRIANGLES, 6, 6, 1);
}

static void draw_strip(void)
{
    glDrawElements(GL_TRIANGLE_STRIP, 8, GL_UNSIGNED_SHORT, NULL);
}

static void draw_patches(void)
{
    glDrawArrays(GL_PATCHES, 0, 15);
}

static void draw_immediate_points(void)
{
    glBegin(GL_POINTS);
    for (unsigned i = 0; i < 15; i++) {
        glColor4fv(mesh[i] + 4);
        glVertex4fv(mesh[i]);
    }
    glEnd();
}

static void draw_pixels(void)
{
    uint8_t pixels[8][8][4];
    for (unsigned i = 0; i < 256; i++)
        pixels[i / 32][i / 4 % 8][i % 4] = (uint8_t)(i * 7);
    glDrawPixels(8, 8, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

static void draw_bitmap(void)
{
    glBitmap(16, 8, 0, 0, 0, 0, (const GLubyte *)mesh);
}

/* Draws the mesh with three by two texels unpacked by the current state. */
static void draw_unpacked(void)
{
    glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 3, 2, GL_RGB, GL_UNSIGNED_BYTE, mesh);
    draw_mesh();
}

static void draw_unpacked_volume(void)
{
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, 4, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, mesh);
    draw_mesh();
}

static void draw_unpacked_shorts(void)
{
    glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 3, 2, GL_RGBA, GL_UNSIGNED_SHORT, mesh);
    draw_mesh();
}

static void draw_map(void)
{
    glBegin(GL_LINE_STRIP);
    for (unsigned i = 0; i < 9; i++)
        glEvalCoord1f(0.125f * i);
    glEnd();
}

/* Reads a third of the read framebuffer's colors by drawing it through a texture, s.a. */
static void read_third(void)
{
    static float texels[SIZE][SIZE][4];
    static uint8_t thirds[SIZE][SIZE][4];
    GLuint texture, fbo;
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, texels);
    for (unsigned i = 0; i < SIZE * SIZE * 4; i++)
        (&thirds[0][0][0])[i] = (uint8_t)((&texels[0][0][0])[i] * 80);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, thirds);
    glBindTexture(GL_TEXTURE_2D, s.texture);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
}

#include "gl_state_table.h"

/* --- the checks ------------------------------------------------------------------------------- */

static struct gl_context *open_context(const struct row *row)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    enum gl_create_error error;
    struct gl_context *ctx =
        core->context_create(&(struct gl_context_attribs){.api = api,
                                                          .major = api == GL_API_COMPAT ? 1
                                                                   : api == GL_API_CORE ? 4
                                                                                        : 3,
                                                          .minor = api == GL_API_COMPAT ? 0
                                                                   : api == GL_API_CORE ? 6
                                                                                        : 2,
                                                          .visual = &visual},
                             &error);
    drawable = core->drawable_create(&visual, &ops, (void *)&window);
    assert_non_null(ctx);
    assert_non_null(drawable);
    assert_true(core->make_current(ctx, drawable, drawable));
    memset(&s, 0, sizeof s);
    glClearColor(0.2f, 0.3f, 0.4f, 0.5f);
    glClearStencil(1);
    glGenVertexArrays(1, &s.vao);
    glBindVertexArray(s.vao);
    s.vertices = make_buffer(GL_ARRAY_BUFFER, sizeof mesh, mesh);
    s.indices = make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof mesh_indices, mesh_indices);
    point_attrib(0, 4, 0);
    point_attrib(1, 4, 4);
    point_attrib(2, 2, 8);
    s.texture = make_texture(0);
    use(VS, FS);
    row->setup();
    row->back();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return ctx;
}

static void close_context(struct gl_context *ctx)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(ctx);
    core->drawable_destroy(drawable);
}

static void read_picture(const struct row *row, struct picture *p)
{
    GLint framebuffer, saved;
    memset(p, 0, sizeof *p);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &saved);
    row->finish();
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &framebuffer);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, p->color);
    if (api != GL_API_ES2 && framebuffer == 0)
        glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, p->depth_stencil);
    if (framebuffer != saved)
        glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)saved);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void expect_picture(const struct row *row, const struct picture *want, const char *what)
{
    struct picture got;
    read_picture(row, &got);
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++)
            if (memcmp(got.color[y][x], want->color[y][x], 4) ||
                got.depth_stencil[y][x] != want->depth_stencil[y][x]) {
                const uint8_t *g = got.color[y][x], *w = want->color[y][x];
                fail_msg("%s, %s: pixel %u,%u is %d %d %d %d %08x, not %d %d %d %d %08x", row->name,
                         what, x, y, g[0], g[1], g[2], g[3], got.depth_stencil[y][x], w[0], w[1],
                         w[2], w[3], want->depth_stencil[y][x]);
            }
}

/* Draws the pictures with the state changed before anything is drawn, in fresh contexts: cleared
 * before and after the change. */
static void fresh_pictures(const struct row *row, struct picture *changed, struct picture *cleared)
{
    struct gl_context *ctx = open_context(row);
    clear();
    row->change();
    row->draw();
    read_picture(row, changed);
    close_context(ctx);
    ctx = open_context(row);
    clear();
    row->change();
    clear();
    row->draw();
    read_picture(row, cleared);
    close_context(ctx);
}

/* Binds and clears another framebuffer, and draws with another program. */
static void interrupt(void)
{
    GLint framebuffer, program, read;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    GLuint fbo, b;
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glGenRenderbuffers(1, &b);
    glBindRenderbuffer(GL_RENDERBUFFER, b);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB10_A2, 16, 8);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glUseProgram((GLuint)program);
    glDeleteFramebuffers(1, &fbo);
    glDeleteRenderbuffers(1, &b);
}

/* Draws with the initial state, without reading, and clears. */
static void draw_first(const struct row *row)
{
    row->back();
    clear();
    row->draw();
    clear();
}

static void check_orders(const struct row *row, const struct picture *first,
                         const struct picture *changed, const struct picture *cleared)
{
    draw_first(row);
    row->change();
    row->draw();
    expect_picture(row, changed, "not read between");
    draw_first(row);
    interrupt();
    row->change();
    row->draw();
    expect_picture(row, changed, "first draw after bind");
    draw_first(row);
    row->change();
    row->back();
    row->draw();
    expect_picture(row, first, "changed and changed back");
    draw_first(row);
    row->change();
    row->back();
    row->change();
    row->draw();
    expect_picture(row, changed, "changed twice");
    draw_first(row);
    row->change();
    clear();
    row->draw();
    expect_picture(row, cleared, "cleared after the change");
    if (row->flags & NO_PENDING)
        return;
    row->back();
    clear();
    row->draw();
    row->change();
    expect_picture(row, first, "changed after the draw");
}

static void check_compat(const struct row *row, const struct picture *first,
                         const struct picture *changed)
{
    if (!(row->flags & NO_ATTRIB)) {
        draw_first(row);
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
        row->change();
        row->draw();
        expect_picture(row, changed, "after glPushAttrib");
        glPopClientAttrib();
        glPopAttrib();
        clear();
        row->draw();
        expect_picture(row, first, "after glPopAttrib");
    }
    if (!(row->flags & NO_LIST)) {
        GLuint list = glGenLists(1);
        row->back();
        clear();
        glNewList(list, GL_COMPILE);
        row->change();
        glEndList();
        row->draw();
        expect_picture(row, first, "after glEndList");
        clear();
        glCallList(list);
        row->draw();
        expect_picture(row, changed, "after glCallList");
    }
}

/* Draws the row's scene in one context before and after the change, in all orders. */
static void check_row(const struct row *row)
{
    struct picture first, changed, cleared;
    fresh_pictures(row, &changed, &cleared);
    struct gl_context *ctx = open_context(row);
    clear();
    row->draw();
    read_picture(row, &first);
    if (!memcmp(&first, &changed, sizeof first))
        fail_msg("%s: the change is not visible", row->name);
    clear();
    row->change();
    row->draw();
    expect_picture(row, &changed, "changed");
    row->back();
    clear();
    row->draw();
    expect_picture(row, &first, "changed back");
    check_orders(row, &first, &changed, &cleared);
    if (api == GL_API_COMPAT)
        check_compat(row, &first, &changed);
    close_context(ctx);
}

static void test_row(void **state)
{
    check_row(*state);
}

int main(int argc, char **argv)
{
    static const char *const names[GL_API_COUNT] = {
        [GL_API_COMPAT] = "compat", [GL_API_CORE] = "core", [GL_API_ES2] = "es"};
    static struct CMUnitTest tests[sizeof rows / sizeof *rows];
    unsigned count = 0;
    if (argc < 2)
        return 1;
    while (!names[api] || strcmp(names[api], argv[1]))
        if (++api == GL_API_COUNT)
            return 1;
    core = indium_core_interface();
    if (!core->visual_supported(&visual))
        return 1;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].apis >> api & 1)
            tests[count++] = (struct CMUnitTest){
                .name = rows[i].name, .test_func = test_row, .initial_state = (void *)&rows[i]};
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return _cmocka_run_group_tests(argv[1], tests, count, NULL, NULL);
}
