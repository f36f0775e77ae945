/* SPDX-License-Identifier: MIT */
/*
 * Times the first picture and steady frames of programs with whichever libEGL.so.1 the loader
 * finds. Reads a line for each program from stdin, API VERTEX-FILE FRAGMENT-FILE with tabs in
 * between, and prints a line:
 *
 *     FIRST-MS FRAME-MS drawn|failed FRAGMENT-FILE
 *
 * FIRST-MS is the CPU time from glCompileShader to the pixels of a 64×64 picture, FRAME-MS that of
 * a frame of 512×512 pixels. The argument is the number of seconds for frames; 0: none are drawn.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#define FIRST_SIZE   64
#define FRAME_SIZE   512
#define TEXTURE_SIZE 128
#define ATTRIBUTES   16

#define FUNCTIONS(F)                                                                               \
    F(ATTACHSHADER, AttachShader)                                                                  \
    F(ACTIVETEXTURE, ActiveTexture)                                                                \
    F(BINDBUFFER, BindBuffer)                                                                      \
    F(BINDFRAMEBUFFER, BindFramebuffer)                                                            \
    F(BINDTEXTURE, BindTexture)                                                                    \
    F(BINDVERTEXARRAY, BindVertexArray)                                                            \
    F(BUFFERDATA, BufferData)                                                                      \
    F(COMPILESHADER, CompileShader)                                                                \
    F(CREATEPROGRAM, CreateProgram)                                                                \
    F(CREATESHADER, CreateShader)                                                                  \
    F(DELETEPROGRAM, DeleteProgram)                                                                \
    F(DELETESHADER, DeleteShader)                                                                  \
    F(DRAWARRAYS, DrawArrays)                                                                      \
    F(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray)                                            \
    F(FINISH, Finish)                                                                              \
    F(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                  \
    F(GENBUFFERS, GenBuffers)                                                                      \
    F(GENERATEMIPMAP, GenerateMipmap)                                                              \
    F(GENFRAMEBUFFERS, GenFramebuffers)                                                            \
    F(GENTEXTURES, GenTextures)                                                                    \
    F(GENVERTEXARRAYS, GenVertexArrays)                                                            \
    F(GETACTIVEUNIFORM, GetActiveUniform)                                                          \
    F(GETPROGRAMIV, GetProgramiv)                                                                  \
    F(GETUNIFORMLOCATION, GetUniformLocation)                                                      \
    F(LINKPROGRAM, LinkProgram)                                                                    \
    F(READPIXELS, ReadPixels)                                                                      \
    F(SHADERSOURCE, ShaderSource)                                                                  \
    F(TEXIMAGE2D, TexImage2D)                                                                      \
    F(TEXIMAGE3D, TexImage3D)                                                                      \
    F(TEXPARAMETERI, TexParameteri)                                                                \
    F(UNIFORM1F, Uniform1f)                                                                        \
    F(UNIFORM1I, Uniform1i)                                                                        \
    F(UNIFORM2FV, Uniform2fv)                                                                      \
    F(UNIFORM3FV, Uniform3fv)                                                                      \
    F(UNIFORM4FV, Uniform4fv)                                                                      \
    F(UNIFORMMATRIX3FV, UniformMatrix3fv)                                                          \
    F(UNIFORMMATRIX4FV, UniformMatrix4fv)                                                          \
    F(USEPROGRAM, UseProgram)                                                                      \
    F(VERTEXATTRIBPOINTER, VertexAttribPointer)                                                    \
    F(VIEWPORT, Viewport)

static struct {
#define F(type, name) PFNGL##type##PROC name;
    FUNCTIONS(F)
#undef F
} gl;

enum api { ES, CORE, COMPAT, NUM_APIS };

struct context {
    EGLContext egl;
    GLuint texture[3];     /* 2D, cube map, 3D */
    GLuint framebuffer[2]; /* sizes: FIRST_SIZE, FRAME_SIZE */
};

/* Returns the CPU time of the process in milliseconds. */
static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    size_t n = text ? fread(text, 1, (size_t)size, f) : 0;
    fclose(f);
    if (text)
        text[n] = '\0';
    return text;
}

/* --- contexts --- */

static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D};

static void fill_texture(unsigned kind, GLuint texture)
{
    static uint32_t noise[TEXTURE_SIZE * TEXTURE_SIZE];
    uint32_t state = 1;
    for (unsigned i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++)
        noise[i] = state = state * 1664525u + 1013904223u;
    gl.BindTexture(targets[kind], texture);
    if (kind == 2)
        gl.TexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 32, 32, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, noise);
    for (unsigned face = 0; kind < 2 && face < (kind ? 6 : 1); face++)
        gl.TexImage2D(kind ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : GL_TEXTURE_2D, 0, GL_RGBA8,
                      TEXTURE_SIZE, TEXTURE_SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, noise);
    gl.TexParameteri(targets[kind], GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl.GenerateMipmap(targets[kind]);
}

static void make_framebuffer(GLuint framebuffer, GLsizei size)
{
    GLuint texture;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
}

/* Creates what all programs share; every attribute reads the same square. */
static void set_up(struct context *c)
{
    static const GLfloat square[] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};
    GLuint array, buffer;
    gl.GenVertexArrays(1, &array);
    gl.BindVertexArray(array);
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl.BufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STATIC_DRAW);
    for (GLuint i = 0; i < ATTRIBUTES; i++) {
        gl.VertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, NULL);
        gl.EnableVertexAttribArray(i);
    }
    gl.GenTextures(3, c->texture);
    for (unsigned kind = 0; kind < 3; kind++)
        fill_texture(kind, c->texture[kind]);
    gl.GenFramebuffers(2, c->framebuffer);
    make_framebuffer(c->framebuffer[0], FIRST_SIZE);
    make_framebuffer(c->framebuffer[1], FRAME_SIZE);
}

/* --- programs --- */

/* Sets a sampler to its own unit. Returns false for other uniforms. */
static bool set_sampler(const struct context *c, GLenum type, GLint location, GLint *unit)
{
    static const GLenum types[] = {GL_SAMPLER_2D, GL_SAMPLER_CUBE, GL_SAMPLER_3D};
    for (unsigned kind = 0; kind < 3; kind++) {
        if (type != types[kind])
            continue;
        gl.ActiveTexture(GL_TEXTURE0 + (GLenum)*unit);
        gl.BindTexture(targets[kind], c->texture[kind]);
        gl.Uniform1i(location, (*unit)++);
        return true;
    }
    return false;
}

static void set_uniform(GLenum type, GLint location, const char *name)
{
    static const GLfloat identity3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const GLfloat identity4[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const bool size = strcasestr(name, "size") || strcasestr(name, "resolution");
    const GLfloat values[4] = {size ? FIRST_SIZE : 0.4f, size ? FIRST_SIZE : 0.6f,
                               size ? 1.0f / FIRST_SIZE : 0.3f, size ? 1.0f / FIRST_SIZE : 0.8f};
    switch (type) {
    case GL_FLOAT:
        gl.Uniform1f(location, values[0]);
        break;
    case GL_FLOAT_VEC2:
        gl.Uniform2fv(location, 1, values);
        break;
    case GL_FLOAT_VEC3:
        gl.Uniform3fv(location, 1, values);
        break;
    case GL_FLOAT_VEC4:
        gl.Uniform4fv(location, 1, values);
        break;
    case GL_FLOAT_MAT3:
        gl.UniformMatrix3fv(location, 1, GL_FALSE, identity3);
        break;
    case GL_FLOAT_MAT4:
        gl.UniformMatrix4fv(location, 1, GL_FALSE, identity4);
        break;
    case GL_INT:
    case GL_BOOL:
        gl.Uniform1i(location, 1);
        break;
    default:
        break;
    }
}

static void set_uniforms(const struct context *c, GLuint program)
{
    GLint count = 0, unit = 0;
    gl.GetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; i++) {
        char name[256];
        GLint size;
        GLenum type;
        gl.GetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        GLint location = gl.GetUniformLocation(program, name);
        if (location >= 0 && !set_sampler(c, type, location, &unit))
            set_uniform(type, location, name);
    }
}

/* Returns a linked program, or 0. */
static GLuint build(const char *const paths[2])
{
    static const GLenum stages[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    GLuint program = gl.CreateProgram();
    GLint linked = GL_FALSE;
    for (unsigned i = 0; i < 2; i++) {
        char *text = read_file(paths[i]);
        GLuint shader = gl.CreateShader(stages[i]);
        const GLchar *source = text ? text : "";
        gl.ShaderSource(shader, 1, &source, NULL);
        gl.CompileShader(shader);
        gl.AttachShader(program, shader);
        gl.DeleteShader(shader);
        free(text);
    }
    gl.LinkProgram(program);
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    gl.DeleteProgram(program);
    return 0;
}

static void draw(const struct context *c, unsigned which)
{
    static uint32_t pixels[FIRST_SIZE * FIRST_SIZE];
    const GLsizei size = which ? FRAME_SIZE : FIRST_SIZE;
    gl.BindFramebuffer(GL_FRAMEBUFFER, c->framebuffer[which]);
    gl.Viewport(0, 0, size, size);
    gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    if (which)
        gl.Finish();
    else
        gl.ReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

/* Returns the CPU time of a frame in milliseconds, after half of the seconds. */
static double time_frames(const struct context *c, double seconds)
{
    const double begin = wall_clock();
    double start = cpu_time();
    unsigned frames = 0;
    bool warm = false;
    for (double past = 0; past < seconds || !frames; past = wall_clock() - begin, frames++) {
        if (!warm && past >= seconds / 2) {
            warm = true;
            frames = 0;
            start = cpu_time();
        }
        draw(c, 1);
    }
    return (cpu_time() - start) / frames;
}

static void measure(const struct context *c, const char *const paths[2], double seconds)
{
    const double start = cpu_time();
    double first = 0, frame = 0;
    GLuint program = build(paths);
    if (program) {
        gl.UseProgram(program);
        set_uniforms(c, program);
        draw(c, 0);
        first = cpu_time() - start;
        frame = seconds > 0 ? time_frames(c, seconds) : 0;
        gl.DeleteProgram(program);
        gl.UseProgram(0);
    }
    printf("%.2f %.3f %s %s\n", first, frame, program ? "drawn" : "failed", paths[1]);
    fflush(stdout);
}

/* --- setup --- */

static void *need(void *address, const char *name)
{
    if (!address) {
        fprintf(stderr, "shaders-bench: no %s\n", name);
        exit(1);
    }
    return address;
}

#define LOAD(library, name) ((__typeof__(name) *)need(dlsym(library, #name), #name))

static EGLContext create_context(void *egl, EGLDisplay display, enum api api)
{
    const EGLint es[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
    const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                              4,
                              EGL_CONTEXT_MINOR_VERSION,
                              5,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              api == CORE ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
                                          : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                              EGL_NONE};
    LOAD(egl, eglBindAPI)(api == ES ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    return LOAD(egl, eglCreateContext)(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                                       api == ES ? es : desktop);
}

static void load_functions(void *egl)
{
    __typeof__(eglGetProcAddress) *get = LOAD(egl, eglGetProcAddress);
#define F(type, name) gl.name = (PFNGL##type##PROC)need((void *)get("gl" #name), "gl" #name);
    FUNCTIONS(F)
#undef F
}

static enum api api_of(const char *name)
{
    return !strcmp(name, "es") ? ES : !strcmp(name, "core") ? CORE : COMPAT;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
    void *egl = need(dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL), "libEGL.so.1");
    EGLDisplay display =
        LOAD(egl, eglGetPlatformDisplay)(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    __typeof__(eglMakeCurrent) *make_current = LOAD(egl, eglMakeCurrent);
    struct context contexts[NUM_APIS] = {0};
    char line[8192];
    if (!LOAD(egl, eglInitialize)(display, NULL, NULL)) {
        fprintf(stderr, "shaders-bench: no display\n");
        return 1;
    }
    load_functions(egl);
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line;
        line[strcspn(line, "\n")] = '\0';
        enum api api = api_of(strsep(&rest, "\t"));
        const char *vertex = strsep(&rest, "\t"), *const paths[2] = {vertex, rest};
        struct context *c = &contexts[api];
        const bool is_new = !c->egl;
        if (!rest)
            continue;
        if (is_new)
            c->egl = create_context(egl, display, api);
        make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, need(c->egl, "context"));
        if (is_new)
            set_up(c);
        measure(c, paths, seconds);
    }
    make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    LOAD(egl, eglTerminate)(display);
    return 0;
}
