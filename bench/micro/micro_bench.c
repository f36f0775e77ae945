/* SPDX-License-Identifier: MIT */
/*
 * Runs a workload of micro_workloads.c with whichever libEGL.so.1 the loader finds, off-screen:
 *
 *     micro-bench                          prints the names of the workloads that measure time
 *     micro-bench NAME DOUBLINGS SECONDS   doubles the work DOUBLINGS times, draws frames for
 *                                          SECONDS, and prints wall-clock and CPU milliseconds
 *                                          per frame
 *     micro-bench NAME DOUBLINGS frames=N  draws N frames after the first ones, which compile;
 *                                          for programs that count instructions of a process
 *     micro-bench memset 0 SECONDS         measures a memset of the size of the render target
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "micro_gl.h"

struct micro_gl gl;

_Noreturn void micro_fail(const char *what, const char *detail)
{
    fprintf(stderr, "micro-bench: %s: %s\n", what, detail);
    exit(1);
}

static void load(void)
{
    void *lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!lib)
        micro_fail("libEGL.so.1", dlerror());
#define EGL(name) __typeof__(egl##name) *name = (__typeof__(egl##name) *)dlsym(lib, "egl" #name)
    EGL(GetProcAddress);
    EGL(Initialize);
    EGL(BindAPI);
    EGL(ChooseConfig);
    EGL(CreateContext);
    EGL(MakeCurrent);
#undef EGL
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)GetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    EGLint config_attribs[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!Initialize(display, NULL, NULL) || !BindAPI(EGL_OPENGL_API) ||
        !ChooseConfig(display, config_attribs, &config, 1, &n) || !n)
        micro_fail("EGL", "no OpenGL without a surface");
    EGLContext context = CreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (!context || !MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        micro_fail("EGL", "no context");
#define LOAD(TYPE, name)                                                                           \
    gl.name = (PFNGL##TYPE##PROC)GetProcAddress("gl" #name);                                       \
    if (!gl.name)                                                                                  \
        micro_fail("no function", "gl" #name);
    MICRO_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(TYPE, name) gl.name = (PFNGL##TYPE##PROC)GetProcAddress("gl" #name);
    MICRO_OPTIONAL(LOAD)
#undef LOAD
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct cost {
    double wall, cpu; /* milliseconds */
};

/* Sets up the workload and draws frames until all needed kernels exist. */
static void begin(const struct micro_workload *w, unsigned work)
{
    w->setup(work);
    for (int i = 0; i < 2; i++) {
        w->frame(work);
        gl.Finish();
    }
}

static void check(const struct micro_workload *w)
{
    if (gl.GetError())
        micro_fail(w->name, "GL error");
}

static void draw(const struct micro_workload *w, unsigned work, unsigned frames)
{
    begin(w, work);
    for (unsigned i = 0; i < frames; i++)
        w->frame(work);
    gl.Finish();
    check(w);
}

/* Draws until the driver has replaced its baseline code with optimized code. The minimum in CPU
 * time gives the compiler enough time on a loaded machine, too. */
static void warm_up(const struct micro_workload *w, unsigned work)
{
    double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
    begin(w, work);
    while (now(CLOCK_MONOTONIC) - start < 0.25 || now(CLOCK_PROCESS_CPUTIME_ID) - used < 0.5) {
        w->frame(work);
        gl.Finish();
    }
}

/* Measures time per frame, over enough frames to fill `seconds`. The queue is empty before and
 * after. */
static struct cost measure(const struct micro_workload *w, unsigned work, double seconds)
{
    warm_up(w, work);
    unsigned frames = 0, chunk = 1;
    double start = now(CLOCK_MONOTONIC), elapsed = 0, used = now(CLOCK_PROCESS_CPUTIME_ID);
    while (elapsed < seconds) {
        for (unsigned i = 0; i < chunk; i++)
            w->frame(work);
        gl.Finish();
        frames += chunk;
        elapsed = now(CLOCK_MONOTONIC) - start;
        if (elapsed < seconds / 10)
            chunk *= 2;
    }
    used = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    check(w);
    return (struct cost){elapsed * 1e3 / frames, used * 1e3 / frames};
}

static struct cost measure_memset(double seconds)
{
    size_t bytes = (size_t)MICRO_SIZE * MICRO_SIZE * 4;
    char *memory = malloc(bytes);
    unsigned rounds = 0;
    double start = now(CLOCK_MONOTONIC), elapsed = 0, used = now(CLOCK_PROCESS_CPUTIME_ID);
    if (!memory)
        micro_fail("memset", "out of memory");
    while (elapsed < seconds) {
        memset(memory, (int)rounds++, bytes);
        __asm__ volatile("" ::"r"(memory) : "memory");
        elapsed = now(CLOCK_MONOTONIC) - start;
    }
    used = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    free(memory);
    return (struct cost){elapsed * 1e3 / rounds, used * 1e3 / rounds};
}

static void report(struct cost cost)
{
    printf("%.5f %.5f\n", cost.wall, cost.cpu);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        for (unsigned i = 0; i < micro_num_listed; i++)
            puts(micro_workloads[i].name);
        return argc == 1 ? 0 : 2;
    }
    unsigned doublings = (unsigned)atoi(argv[2]), frames;
    double seconds = atof(argv[3]);
    if (!strcmp(argv[1], "memset")) {
        report(measure_memset(seconds));
        return 0;
    }
    for (unsigned i = 0; i < micro_num_workloads; i++) {
        const struct micro_workload *w = &micro_workloads[i];
        if (strcmp(w->name, argv[1]))
            continue;
        load();
        if (sscanf(argv[3], "frames=%u", &frames) == 1) {
            draw(w, w->work << doublings, frames);
            return 0;
        }
        report(measure(w, w->work << doublings, seconds));
        return 0;
    }
    micro_fail("no such workload", argv[1]);
}
