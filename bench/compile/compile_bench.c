/* SPDX-License-Identifier: MIT */
/*
 * Times glCompileShader and glLinkProgram of piglit's .shader_test files with whichever libEGL.so.1
 * the loader finds (LD_LIBRARY_PATH). Contexts have no surface and nothing is drawn. Reads file
 * names from stdin, one per line, and prints a line for each:
 *
 *     MICROSECONDS-TO-COMPILE MICROSECONDS-TO-LINK linked|failed FILE
 *
 * The times are CPU time, the best of several rounds. Files without GLSL programs are "failed".
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#define MAX_SHADERS 32
#define MAX_ROUNDS  9

enum context_kind { COMPAT, CORE, ES, CONTEXTS };

struct shader {
    GLenum type;
    char *text;
};

struct program {
    enum context_kind context;
    unsigned version; /* language version: 110, 300 … */
    bool es, separable, unusable;
    struct shader shaders[MAX_SHADERS];
    unsigned num_shaders;
};

static struct {
    __typeof__(eglGetProcAddress) *get_proc;
    __typeof__(eglMakeCurrent) *make_current;
    PFNGLCREATESHADERPROC CreateShader;
    PFNGLSHADERSOURCEPROC ShaderSource;
    PFNGLCOMPILESHADERPROC CompileShader;
    PFNGLGETSHADERIVPROC GetShaderiv;
    PFNGLDELETESHADERPROC DeleteShader;
    PFNGLCREATEPROGRAMPROC CreateProgram;
    PFNGLATTACHSHADERPROC AttachShader;
    PFNGLPROGRAMPARAMETERIPROC ProgramParameteri;
    PFNGLLINKPROGRAMPROC LinkProgram;
    PFNGLGETPROGRAMIVPROC GetProgramiv;
    PFNGLDELETEPROGRAMPROC DeleteProgram;
} gl;

/* ------------------------------------------------------------------------------------ files --- */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = malloc(size + 1);
    size_t n = text ? fread(text, 1, size, f) : 0;
    fclose(f);
    if (text)
        text[n] = '\0';
    return text;
}

/* Parses a requirement: "GLSL >= 1.50", "GLSL ES >= 3.00", "GL >= 3.1 COMPAT", "SSO ENABLED" … */
static void read_requirement(struct program *p, const char *line)
{
    unsigned major, minor;
    bool compat = strstr(line, "COMPAT");
    if (sscanf(line, "GLSL ES > = %u.%u", &major, &minor) == 2 ||
        sscanf(line, "GLSL ES >= %u.%u", &major, &minor) == 2) {
        p->es = true;
        p->version = major * 100 + minor;
        p->context = ES;
    } else if (sscanf(line, "GLSL >= %u.%u", &major, &minor) == 2) {
        p->version = major * 100 + minor;
        if (p->version >= 140 && !compat && p->context != ES)
            p->context = CORE;
        if (compat)
            p->context = COMPAT;
    } else if (sscanf(line, "GL >= %u.%u", &major, &minor) == 2) {
        if (major * 10 + minor >= 31 && !compat)
            p->context = CORE;
    } else if (strstr(line, "ENABLED") && strstr(line, "SEPARABLE")) {
        p->separable = true;
    } else if (!strncmp(line, "SPIRV", 5)) {
        p->unusable = true;
    }
}

static GLenum stage_of(const char *line)
{
    static const struct {
        const char *name;
        GLenum type;
    } stages[] = {
        {"[vertex shader]", GL_VERTEX_SHADER},
        {"[vertex shader passthrough]", GL_VERTEX_SHADER},
        {"[tessellation control shader]", GL_TESS_CONTROL_SHADER},
        {"[tessellation evaluation shader]", GL_TESS_EVALUATION_SHADER},
        {"[geometry shader]", GL_GEOMETRY_SHADER},
        {"[fragment shader]", GL_FRAGMENT_SHADER},
        {"[compute shader]", GL_COMPUTE_SHADER},
    };
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
        if (!strncmp(line, stages[i].name, strlen(stages[i].name)))
            return stages[i].type;
    return 0;
}

static const char passthrough[] = "#if __VERSION__ >= 130\n"
                                  "in vec4 piglit_vertex;\n"
                                  "#else\n"
                                  "attribute vec4 piglit_vertex;\n"
                                  "#endif\n"
                                  "void main() { gl_Position = piglit_vertex; }\n";

/* Returns the text, with a #version line added if it has none. */
static char *versioned(const struct program *p, const char *text, size_t length)
{
    char head[64] = "", *out;
    if (!memmem(text, length, "#version", 8))
        snprintf(head, sizeof head, "#version %u%s\n", p->version,
                 p->es && p->version >= 300 ? " es" : "");
    size_t n = strlen(head);
    out = malloc(n + length + 1);
    if (!out)
        abort();
    memcpy(out, head, n);
    memcpy(out + n, text, length);
    out[n + length] = '\0';
    return out;
}

static void add_shader(struct program *p, GLenum type, const char *text, size_t length)
{
    if (p->num_shaders == MAX_SHADERS) {
        p->unusable = true;
        return;
    }
    p->shaders[p->num_shaders++] = (struct shader){type, versioned(p, text, length)};
}

static void parse(struct program *p, const char *text)
{
    const char *begin = NULL; /* start of the section's text */
    GLenum stage = 0;
    bool require = false;
    p->version = 110;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        bool section = *line == '[';
        if ((section || !*line) && stage) {
            add_shader(p, stage, begin, line - begin);
            stage = 0;
        }
        if (section) {
            require = !strncmp(line, "[require]", 9);
            stage = stage_of(line);
            if (stage && strstr(line, "passthrough]") &&
                strstr(line, "passthrough]") < line + strcspn(line, "\n")) {
                add_shader(p, stage, passthrough, sizeof passthrough - 1);
                stage = 0;
            }
            p->unusable |= !strncmp(line, "[vertex program]", 16) ||
                           !strncmp(line, "[fragment program]", 18) ||
                           strstr(line, "spirv]") == line + 1;
            begin = line + strcspn(line, "\n");
            begin += *begin == '\n';
        } else if (require) {
            read_requirement(p, line);
        }
        if (!*line)
            break;
    }
}

static void clear(struct program *p)
{
    for (unsigned i = 0; i < p->num_shaders; i++)
        free(p->shaders[i].text);
}

/* ----------------------------------------------------------------------------------- timing --- */

/* Returns the CPU time in seconds, which other processes affect little. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

/* Runs one round. Returns false if compiling or linking fails. */
static bool build(const struct program *p, double *compile, double *link)
{
    GLuint shaders[MAX_SHADERS];
    GLint ok = GL_TRUE, linked = GL_FALSE;
    double start = now();
    for (unsigned i = 0; i < p->num_shaders; i++) {
        const GLchar *text = p->shaders[i].text;
        GLint compiled = GL_FALSE;
        shaders[i] = gl.CreateShader(p->shaders[i].type);
        if (shaders[i]) {
            gl.ShaderSource(shaders[i], 1, &text, NULL);
            gl.CompileShader(shaders[i]);
            gl.GetShaderiv(shaders[i], GL_COMPILE_STATUS, &compiled);
        }
        ok &= compiled;
    }
    double middle = now();
    GLuint program = gl.CreateProgram();
    for (unsigned i = 0; i < p->num_shaders && ok; i++)
        gl.AttachShader(program, shaders[i]);
    if (p->separable)
        gl.ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    if (ok) {
        gl.LinkProgram(program);
        gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    }
    double end = now();
    for (unsigned i = 0; i < p->num_shaders; i++)
        gl.DeleteShader(shaders[i]);
    gl.DeleteProgram(program);
    *compile = middle - start;
    *link = end - middle;
    return linked;
}

static void measure(EGLDisplay display, EGLContext *contexts, const char *path, unsigned rounds)
{
    static int current = -1;
    struct program p = {0};
    double compile = 0, link = 0;
    bool linked = false;
    char *text = read_file(path);
    if (text)
        parse(&p, text);
    if (text && p.num_shaders && !p.unusable && contexts[p.context]) {
        if (current != (int)p.context)
            gl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[p.context]);
        current = p.context;
        for (unsigned i = 0; i < rounds; i++) {
            double c, l;
            linked = build(&p, &c, &l);
            if (i == 0 || c + l < compile + link) {
                compile = c;
                link = l;
            }
            if (!linked)
                break;
        }
    }
    printf("%.1f %.1f %s %s\n", compile, link, linked ? "linked" : "failed", path);
    fflush(stdout);
    clear(&p);
    free(text);
}

/* --------------------------------------------------------------------------------- contexts --- */

static void *need(void *address, const char *name)
{
    if (!address) {
        fprintf(stderr, "compile-bench: no %s\n", name);
        exit(1);
    }
    return address;
}

#define LOAD(library, name) ((__typeof__(name) *)need(dlsym(library, #name), #name))
#define PROC(name)          (gl.name = (void *)need((void *)gl.get_proc("gl" #name), "gl" #name))

static EGLContext create_context(void *egl, EGLDisplay display, enum context_kind kind)
{
    EGLint attribs[] = {EGL_CONTEXT_MAJOR_VERSION,
                        kind == ES     ? 3
                        : kind == CORE ? 4
                                       : 3,
                        EGL_CONTEXT_MINOR_VERSION,
                        kind == ES     ? 2
                        : kind == CORE ? 6
                                       : 0,
                        EGL_NONE,
                        EGL_NONE,
                        EGL_NONE};
    if (kind == COMPAT) {
        attribs[1] = 4;
        attribs[3] = 6;
    }
    if (kind != ES) {
        attribs[4] = EGL_CONTEXT_OPENGL_PROFILE_MASK;
        attribs[5] = kind == CORE ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
                                  : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT;
    }
    LOAD(egl, eglBindAPI)(kind == ES ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    EGLContext c = LOAD(egl, eglCreateContext)(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
    if (c == EGL_NO_CONTEXT)
        fprintf(stderr, "compile-bench: no context of kind %u\n", kind);
    return c;
}

static void load_commands(void)
{
    PROC(CreateShader);
    PROC(ShaderSource);
    PROC(CompileShader);
    PROC(GetShaderiv);
    PROC(DeleteShader);
    PROC(CreateProgram);
    PROC(AttachShader);
    PROC(ProgramParameteri);
    PROC(LinkProgram);
    PROC(GetProgramiv);
    PROC(DeleteProgram);
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    rounds = rounds < 1 ? 1 : rounds > MAX_ROUNDS ? MAX_ROUNDS : rounds;
    void *egl = need(dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL), "libEGL.so.1");
    gl.get_proc = LOAD(egl, eglGetProcAddress);
    gl.make_current = LOAD(egl, eglMakeCurrent);
    EGLDisplay display =
        LOAD(egl, eglGetPlatformDisplay)(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLint major, minor;
    if (!LOAD(egl, eglInitialize)(display, &major, &minor)) {
        fprintf(stderr, "compile-bench: no display\n");
        return 1;
    }
    EGLContext contexts[CONTEXTS];
    for (unsigned k = 0; k < CONTEXTS; k++)
        contexts[k] = create_context(egl, display, k);
    load_commands();
    char path[4096];
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        measure(display, contexts, path, rounds);
    }
    gl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    for (unsigned k = 0; k < CONTEXTS; k++)
        if (contexts[k])
            LOAD(egl, eglDestroyContext)(display, contexts[k]);
    LOAD(egl, eglTerminate)(display);
    return 0;
}
