/* SPDX-License-Identifier: MIT */
/* stages SCENE: draws a scene of stages.h off-screen. */
#include "stages.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char stages_paint[] = "#version 330\n"
                            "in vec3 color;\n"
                            "flat in float alpha;\n"
                            "out vec4 result;\n"
                            "void main() { result = vec4(color, alpha); }\n";

void stages_fail(const char *what, const char *why)
{
    fprintf(stderr, "stages: %s: %s\n", what, why);
    exit(1);
}

static void begin(void)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
                                     EGL_NONE};
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        stages_fail("EGL", "no surfaceless platform");
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        stages_fail("EGL", "no context");
}

/* --- Output --- */

void stages_write_frame(unsigned width, unsigned height, const void *pixels)
{
    static unsigned frame;
    const char *prefix = getenv("FRAME_SHIM_OUT");
    const unsigned size[2] = {width, height};
    char path[4096];

    if (glGetError() != GL_NO_ERROR)
        stages_fail("drawing", "an error was raised");
    snprintf(path, sizeof path, "%s-%u.rgba", prefix ? prefix : "frame", ++frame);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(size, sizeof size, 1, file) != 1 ||
        fwrite(pixels, 4ul * width * height, 1, file) != 1 || fclose(file))
        stages_fail(path, "cannot be written");
}

static void stages_write_picture(void)
{
    static unsigned char pixels[STAGES_SIZE * STAGES_SIZE * 4];
    glReadPixels(0, 0, STAGES_SIZE, STAGES_SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    stages_write_frame(STAGES_SIZE, STAGES_SIZE, pixels);
}

void stages_write_buffer(GLuint buffer, unsigned bytes)
{
    void *data = malloc(bytes);
    if (!data)
        stages_fail("buffer", "out of memory");
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, bytes, data);
    stages_write_frame(bytes / 4, 1, data);
    free(data);
}

/* --- objects --- */

GLuint stages_make_program(const struct stages_program *p)
{
    static const GLenum types[] = {GL_VERTEX_SHADER,          GL_TESS_CONTROL_SHADER,
                                   GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                   GL_FRAGMENT_SHADER,        GL_COMPUTE_SHADER};
    const char *const texts[] = {p->vertex,   p->control,  p->evaluation,
                                 p->geometry, p->fragment, p->compute};
    GLuint program = glCreateProgram();
    char log[2000] = "";
    GLint linked;

    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i])
            continue;
        GLuint shader = glCreateShader(types[i]);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &linked);
        if (!linked)
            stages_fail("a shader", log);
        glAttachShader(program, shader);
    }
    if (p->captures)
        glTransformFeedbackVaryings(program, p->captures, p->capture, p->capture_mode);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!linked)
        stages_fail("a program", log);
    return program;
}

/* Returns a pseudorandom number in [0, 1], the same sequence everywhere. */
static float next_number(void)
{
    static unsigned state = 12345;
    state = state * 1664525 + 1013904223;
    return (float)(state >> 8) / 16777216.0f;
}

GLuint stages_make_buffer(unsigned vectors, bool numbers)
{
    float *data = malloc(16ul * vectors);
    GLuint buffer;

    if (!data)
        stages_fail("buffer", "out of memory");
    memset(data, 0xab, 16ul * vectors);
    for (unsigned i = 0; i < vectors * 4 && numbers; i++)
        data[i] = next_number();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 16 * vectors, data, GL_DYNAMIC_COPY);
    free(data);
    return buffer;
}

void stages_set_attribute(GLuint index, GLuint buffer, unsigned divisor)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 16, NULL);
    glEnableVertexAttribArray(index);
    glVertexAttribDivisor(index, divisor);
}

static GLuint stages_make_image(GLenum internal, GLenum format, GLenum type, unsigned layers)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, internal, STAGES_SIZE, STAGES_SIZE, layers, 0, format,
                 type, NULL);
    return texture;
}

GLuint stages_make_framebuffer(unsigned layers)
{
    GLuint framebuffer, color = stages_make_image(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, layers);
    GLuint depth =
        stages_make_image(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, layers);

    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        stages_fail("framebuffer", "incomplete");
    glViewport(0, 0, STAGES_SIZE, STAGES_SIZE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return color;
}

void stages_write_layers(GLuint image, unsigned layers)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    for (unsigned i = 0; i < layers; i++) {
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, image, 0, i);
        stages_write_picture();
    }
}

void stages_put_indices(const unsigned *index, unsigned count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 4 * count, index, GL_STATIC_DRAW);
}

GLuint stages_make_words(GLenum target, GLuint index, unsigned words)
{
    void *zeros = calloc(words, 4);
    GLuint buffer;
    if (!zeros)
        stages_fail("buffer", "out of memory");
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, words * 4l, zeros, GL_DYNAMIC_COPY);
    if (target)
        glBindBufferBase(target, index, buffer);
    free(zeros);
    return buffer;
}

GLuint stages_make_plain_image(GLuint unit, GLenum internal, GLenum format, GLenum type)
{
    static const unsigned zeros[STAGES_SIZE * STAGES_SIZE];
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, STAGES_SIZE, STAGES_SIZE, 0, format, type, zeros);
    glBindImageTexture(unit, texture, 0, GL_FALSE, 0, GL_READ_WRITE, internal);
    return texture;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*draw)(void);
    } scenes[] = {
        {"geometry", stages_geometry}, {"feedback", stages_feedback},
        {"memory", stages_memory},     {"tessellation", stages_tessellation},
        {"compute", stages_compute},   {"images", stages_images},
        {"smooth", stages_smooth},
    };
    const char *wanted = argc == 2 ? argv[1] : "";
    GLuint array;

    for (unsigned i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (strcmp(wanted, scenes[i].name))
            continue;
        begin();
        glGenVertexArrays(1, &array);
        glBindVertexArray(array);
        scenes[i].draw();
        return 0;
    }
    fprintf(stderr, "stages: no scene '%s'\n", wanted);
    return 2;
}
