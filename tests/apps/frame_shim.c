/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a GL program (LD_PRELOAD), makes it draw the same frames every time and saves some
 * of them. Clocks advance by a twentieth of a second with each swap and not otherwise. Before the
 * swaps named by FRAME_SHIM_FRAMES ("10,20,30", counted from 1), the back buffer is read and
 * written to FRAME_SHIM_OUT-<frame>.rgba: width and height as 32-bit integers, then RGBA rows from
 * the bottom up. With FRAME_SHIM_TIMES, a line is appended to that file instead: the frame number,
 * the monotonic clock and the CPU time of the process in seconds. After the last of these frames
 * the program exits with status 0.
 *
 * With FRAME_SHIM_IDLE, the clocks also advance if the program has been nearly idle for half a
 * second; otherwise a program that draws on a timer would wait forever. They always advance when
 * the program has read them a hundred thousand times without a swap.
 *
 * Works with programs that link libGL or libEGL and with programs that look everything up at run
 * time.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define STEP_NS 50000000ull
#define EXPORT  __attribute__((visibility("default")))

static unsigned swaps;

/* --- time --- */

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    syscall(SYS_clock_gettime, clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Returns how often the program was found idle: half a second without a swap and little CPU time. A
 * program that compiles is not idle, so its frames stay the same. */
static unsigned idle_steps(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double since, used;
    static unsigned steps, seen;
    double now, cpu;

    if (!getenv("FRAME_SHIM_IDLE"))
        return 0;
    now = seconds_of(CLOCK_MONOTONIC);
    cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    pthread_mutex_lock(&lock);
    if (since == 0 || seen != swaps || now - since > 0.5) {
        steps += since != 0 && seen == swaps && cpu - used < 0.025;
        since = now;
        used = cpu;
        seen = swaps;
    }
    unsigned result = steps;
    pthread_mutex_unlock(&lock);
    return result;
}

/* Returns how often the program has read the clock so many times without a swap that it must be
 * waiting. */
static unsigned busy_steps(void)
{
    enum { READS = 100000 };
    static _Atomic unsigned reads, seen, steps;

    if (atomic_exchange(&seen, swaps) != swaps)
        atomic_store(&reads, 0);
    if (atomic_fetch_add(&reads, 1) % READS == READS - 1)
        atomic_fetch_add(&steps, 1);
    return atomic_load(&steps);
}

static uint64_t now_ns(void)
{
    return 1000000000ull * 1000 + (swaps + idle_steps() + busy_steps()) * STEP_NS;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *ts)
{
    ts->tv_sec = now_ns() / 1000000000;
    ts->tv_nsec = now_ns() % 1000000000;
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    tv->tv_sec = now_ns() / 1000000000;
    tv->tv_usec = now_ns() % 1000000000 / 1000;
    return 0;
}

EXPORT time_t time(time_t *result)
{
    time_t seconds = now_ns() / 1000000000;
    if (result)
        *result = seconds;
    return seconds;
}

/* Programs seed random numbers with it: returns FRAME_SHIM_PID, if set. */
EXPORT pid_t getpid(void)
{
    const char *fixed = getenv("FRAME_SHIM_PID");
    return fixed && *fixed ? atoi(fixed) : syscall(SYS_getpid);
}

/* --- Symbol lookup --- */

typedef void *(*dlsym_fn)(void *handle, const char *name);

static dlsym_fn real_dlsym(void)
{
    static dlsym_fn function;
    if (!function)
        function = (dlsym_fn)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!function)
        function = (dlsym_fn)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    return function;
}

/* Looks up a symbol in a library that the program has loaded. */
static void *real(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    return handle ? real_dlsym()(handle, name) : NULL;
}

/* Looks up a GLX function; a program may be linked to GLVND's libGLX. */
static void *real_glx(const char *name)
{
    void *found = real("libGL.so.1", name);
    return found ? found : real("libGLX.so.0", name);
}

/* --- frames --- */

static void write_frame(unsigned frame, int width, int height, const void *pixels)
{
    char path[4096];
    const char *prefix = getenv("FRAME_SHIM_OUT");
    snprintf(path, sizeof path, "%s-%u.rgba", prefix ? prefix : "frame", frame);
    FILE *file = fopen(path, "wb");
    uint32_t size[2] = {width, height};
    if (!file || fwrite(size, sizeof size, 1, file) != 1 ||
        fwrite(pixels, (size_t)width * height * 4, 1, file) != 1 || fclose(file)) {
        fprintf(stderr, "frame shim: cannot write %s\n", path);
        _exit(1);
    }
}

/* Looks up a gl* function in the first library that the program has loaded. */
static void *real_gl(const char *name)
{
    static const char *const libraries[] = {"libGLESv2.so.2", "libGL.so.1", "libOpenGL.so.0"};
    void *found = NULL;
    for (unsigned i = 0; !found && i < sizeof libraries / sizeof *libraries; i++)
        found = real(libraries[i], name);
    return found;
}

static void read_frame(void)
{
    void (*get_integer)(unsigned, int *) = real_gl("glGetIntegerv");
    void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *) = real_gl("glReadPixels");
    int viewport[4];
    if (!get_integer || !read_pixels) {
        fprintf(stderr, "frame shim: no library with glReadPixels is loaded\n");
        _exit(1);
    }
    get_integer(0x0BA2 /* GL_VIEWPORT */, viewport);
    int width = viewport[0] + viewport[2], height = viewport[1] + viewport[3];
    void *pixels = malloc((size_t)width * height * 4);
    read_pixels(0, 0, width, height, 0x1908 /* GL_RGBA */, 0x1401 /* GL_UNSIGNED_BYTE */, pixels);
    write_frame(swaps, width, height, pixels);
    free(pixels);
}

static void write_times(const char *path)
{
    FILE *file = fopen(path, "a");
    if (!file ||
        fprintf(file, "%u %.6f %.6f\n", swaps, seconds_of(CLOCK_MONOTONIC),
                seconds_of(CLOCK_PROCESS_CPUTIME_ID)) < 0 ||
        fclose(file)) {
        fprintf(stderr, "frame shim: cannot write %s\n", path);
        _exit(1);
    }
}

static void before_swap(void)
{
    const char *times = getenv("FRAME_SHIM_TIMES");
    const char *list = getenv("FRAME_SHIM_FRAMES");
    unsigned last = 0;
    swaps++;
    for (const char *p = list ? list : ""; *p;) {
        char *end;
        last = strtoul(p, &end, 10);
        if (last == swaps && times)
            write_times(times);
        else if (last == swaps)
            read_frame();
        p = *end ? end + 1 : end;
    }
    if (swaps >= last)
        _exit(0);
}

EXPORT void glXSwapBuffers(void *display, unsigned long drawable)
{
    before_swap();
    void (*swap)(void *, unsigned long) = real_glx("glXSwapBuffers");
    swap(display, drawable);
}

EXPORT unsigned eglSwapBuffers(void *display, void *surface)
{
    before_swap();
    unsigned (*swap)(void *, void *) = real("libEGL.so.1", "eglSwapBuffers");
    return swap(display, surface);
}

/* Ignores the rectangles. */
EXPORT unsigned eglSwapBuffersWithDamageEXT(void *display, void *surface, const int *rects, int n)
{
    return eglSwapBuffers(display, surface);
}

typedef void (*proc)(void);

static proc swap_by_name(const char *name)
{
    if (!strcmp(name, "glXSwapBuffers"))
        return (proc)glXSwapBuffers;
    if (!strcmp(name, "eglSwapBuffers"))
        return (proc)eglSwapBuffers;
    if (!strcmp(name, "eglSwapBuffersWithDamageEXT") ||
        !strcmp(name, "eglSwapBuffersWithDamageKHR"))
        return (proc)eglSwapBuffersWithDamageEXT;
    return NULL;
}

EXPORT proc glXGetProcAddressARB(const unsigned char *name)
{
    proc (*get)(const unsigned char *) = real_glx("glXGetProcAddressARB");
    proc swap = swap_by_name((const char *)name);
    return swap ? swap : get ? get(name) : NULL;
}

EXPORT proc glXGetProcAddress(const unsigned char *name)
{
    return glXGetProcAddressARB(name);
}

EXPORT proc eglGetProcAddress(const char *name)
{
    proc (*get)(const char *) = real("libEGL.so.1", "eglGetProcAddress");
    proc swap = swap_by_name(name);
    return swap ? swap : get ? get(name) : NULL;
}

EXPORT void *dlsym(void *handle, const char *name)
{
    void *found = real_dlsym()(handle, name);
    if (!found)
        return NULL;
    proc swap = swap_by_name(name);
    if (swap)
        return (void *)swap;
    if (!strcmp(name, "glXGetProcAddress") || !strcmp(name, "glXGetProcAddressARB"))
        return (void *)glXGetProcAddressARB;
    if (!strcmp(name, "eglGetProcAddress"))
        return (void *)eglGetProcAddress;
    return found;
}
