/* SPDX-License-Identifier: MIT */
/*
 * Runs scenes, which are sequences of GL commands, with failing allocations. In each run, one
 * allocation fails, or all allocations from one on. The next run starts with a later allocation. A
 * command must either succeed or raise GL_OUT_OF_MEMORY. Nothing may crash, and everything must
 * work once memory is available again.
 *
 * The allocation functions below replace those of the C library. Include this file after the API's
 * GL header, in one source file per program.
 */
#ifndef GL_TEST_MEMORY_H
#define GL_TEST_MEMORY_H

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gl_test.h"
#include "util/macros.h"

#define SIZE 72 /* width and height of the window in pixels: more than a tile */

/* --- failing allocations; with AddressSanitizer, which has its own functions, none fail --- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

#define EXPORT __attribute__((visibility("default")))

static int live; /* atomic: number of blocks allocated and not freed */
/* armed: allocations may fail; atomic. all_after: all allocations after the first one that fails
 * fail, too. */
static bool armed, all_after;
static int left;    /* atomic: number of allocations that succeed before one fails */
static int refused; /* atomic: number of failed allocations */

/* For manual runs: called at each allocation that may fail (see fork_at_site()). The function may
 * fork. It returns true in the process in which the allocation fails, otherwise false. NULL: not
 * used. */
static bool (*forks)(void) __attribute__((unused));

/* Returns true for a return address in a function whose allocations never fail. NULL: any
 * allocation may fail. */
static bool (*spared)(const void *caller) __attribute__((unused));

#ifndef __SANITIZE_ADDRESS__

/* Returns whether the allocation must fail, and then counts it and sets errno. */
static bool refuse(const void *caller)
{
    if (!__atomic_load_n(&armed, __ATOMIC_RELAXED) || (spared && spared(caller)))
        return false;
    if (forks && !forks())
        return false;
    int number = __atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED);
    if (number >= 0 || (number < -1 && !all_after))
        return false;
    __atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
    errno = ENOMEM;
    return true;
}

/* Counts p as a live block, unless it is NULL, and returns it. */
static void *counted(void *p)
{
    if (p)
        __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return p;
}

/* refuse() for the function that called malloc() or another allocation function. */
#define REFUSE() refuse(__builtin_return_address(0))

EXPORT void *malloc(size_t size)
{
    return REFUSE() ? NULL : counted(__libc_malloc(size));
}

EXPORT void *calloc(size_t count, size_t size)
{
    return REFUSE() ? NULL : counted(__libc_calloc(count, size));
}

EXPORT void *realloc(void *old, size_t size)
{
    if (REFUSE())
        return NULL;
    return old ? __libc_realloc(old, size) : counted(__libc_malloc(size));
}

EXPORT void free(void *p)
{
    if (p)
        __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    __libc_free(p);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return REFUSE() ? NULL : counted(__libc_memalign(align, size));
}

EXPORT int posix_memalign(void **p, size_t align, size_t size)
{
    void *got = REFUSE() ? NULL : counted(__libc_memalign(align, size));
    if (got)
        *p = got;
    return got ? 0 : ENOMEM;
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    return REFUSE() ? MAP_FAILED
                    : (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

#endif

/* --- running --- */

/* Selects the allocations that fail. 0: each one. Negative: one per call site. Positive: not every
 * one, because later allocations are mostly similar. After allocation n, the next one to fail is n
 * + 1 + n / density. */
static int density;
static const char *only;           /* prefix of the names of scenes to run; NULL: all */
static unsigned times, with_error; /* runs in which allocations failed; those with a GL error */

/* A sequence of GL commands. */
struct scene {
    const char *name;
    void (*prepare)(void); /* makes right() return false; no allocation fails */
    void (*run)(void);     /* commands whose allocations fail */
    bool (*right)(void);   /* returns whether run had the right effect */
    bool frees;            /* run frees what it creates; must not leak after any failure */
};

/* --- processes forked at allocations --- */

#define SITE_DEPTH 5 /* callers that identify a call site */
#define SITE_TIMES 1 /* failures per call site */

static bool forked; /* in a forked process, which has one failing allocation */
static unsigned forked_times, forked_badly; /* forked processes; those that didn't exit with 0 */

/* Forks at each allocation whose call site is new. A call site is the return addresses of the
 * caller and its callers. Returns whether this is the forked process. Uses the system call, because
 * the handlers of fork() may wait for locks that this thread holds, and because recursive locks
 * must still see the same thread ID. There must be no other threads. */
static bool fork_at_site(void)
{
    static uint8_t seen[1 << 20];
    static bool within;
    void *caller[SITE_DEPTH + 2];
    uint64_t site = all_after;
    int status;
    if (forked || within)
        return forked;
    within = true; /* the first backtrace allocates */
    int depth = backtrace(caller, ARRAY_SIZE(caller));
    for (int i = 2; i < depth; i++) /* skip this function and its caller */
        site = (site + (uintptr_t)caller[i]) * 0x9e3779b97f4a7c15u;
    uint8_t *times_seen = &seen[site >> 44];
    if (*times_seen < SITE_TIMES) {
        ++*times_seen;
        pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); /* AArch64 has no fork */
        if (!pid) {
            alarm(120);
            forked = true;
        } else if (pid > 0) {
            forked_times++;
            waitpid(pid, &status, 0);
            forked_badly += status != 0;
            if (status)
                backtrace_symbols_fd(caller, depth, STDERR_FILENO);
        }
    }
    within = false;
    return forked;
}

/* Runs the scene with allocation number `first` failing, and with `after` also all later ones.
 * Returns whether any failed. */
static bool run_failing(const struct scene *s, int first, bool after)
{
    s->prepare();
    glFinish();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    left = first;
    refused = 0;
    all_after = after;
    __atomic_store_n(&armed, true, __ATOMIC_SEQ_CST);
    s->run();
    glFinish();
    __atomic_store_n(&armed, false, __ATOMIC_SEQ_CST);
    GLenum error = glGetError();
    if (error != GL_NO_ERROR && error != GL_OUT_OF_MEMORY)
        fail_msg("%s, allocation %d: error 0x%x", s->name, first, error);
    if (error == GL_OUT_OF_MEMORY && !refused)
        fail_msg("%s, allocation %d: GL_OUT_OF_MEMORY, but nothing failed", s->name, first);
    if (error == GL_NO_ERROR && !s->right())
        fail_msg("%s, allocation %d: a wrong outcome without an error", s->name, first);
    /* The driver's error flag is separate from the context's (GL 4.6, section 2.3.1). */
    while (glGetError() == GL_OUT_OF_MEMORY)
        ;
    times += refused > 0;
    with_error += error == GL_OUT_OF_MEMORY;
    return refused > 0;
}

/* Runs the scene with enough memory. after: number of the allocation that failed in the previous
 * run, for messages; -1: none failed. */
static void run_with_memory(const struct scene *s, int after)
{
    s->prepare();
    s->run();
    GLenum error = glGetError();
    if (error != GL_NO_ERROR || !s->right())
        fail_msg("%s: wrong with all the memory, error 0x%x, after allocation %d failed", s->name,
                 error, after);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Fails if the number of live blocks grows in each of several runs. Caches grow only once. */
static void check_leaks(const struct scene *s, int first, bool after)
{
    enum { TIMES = 4 };
    bool grows = true;
    for (unsigned i = 0; i < TIMES && grows; i++) {
        int before = live;
        run_failing(s, first, after);
        grows = live > before;
    }
    if (grows)
        fail_msg("%s, allocation %d: leaks", s->name, first);
}

/* Lets an allocation of each call site fail, in a forked process. For manual runs with one thread
 * (INDIUM_THREADS=1, INDIUM_TIMEOUT=0). */
static void run_sites(const struct scene *s)
{
    for (unsigned after = 0; after < 2; after++) {
        forks = fork_at_site;
        forked_times = forked_badly = 0;
        run_failing(s, 0, after);
        if (forked) {
            forks = NULL;
            run_with_memory(s, 0);
            _exit(0);
        }
        forks = NULL;
        print_message("%s: %u allocations failed, %u badly\n", s->name, forked_times, forked_badly);
        if (forked_badly)
            fail_msg("%s: not all was well", s->name);
    }
}

/* Runs the scene with enough memory, then with failing allocations as `density` says. */
static void run_scene(const struct scene *s)
{
    enum { MOST = 1000000 };
    if (forked)
        _exit(1);
    if (only && strncmp(s->name, only, strlen(only)))
        return;
    run_with_memory(s, -1);
    run_with_memory(s, -1);
    times = with_error = 0;
    if (density < 0) {
        run_sites(s);
        return;
    }
    for (unsigned after = 0; after < 2; after++) {
        int n = 0;
        while (run_failing(s, n, after)) {
            run_with_memory(s, n);
            if (s->frees)
                check_leaks(s, n, after);
            n += 1 + (density ? n / density : 0);
            if (n > MOST)
                fail_msg("%s: allocations without an end", s->name);
        }
    }
    print_message("%s: %u times allocations failed, %u times with an error\n", s->name, times,
                  with_error);
}

/* Runs all scenes of an array. */
#define RUN_SCENES(scenes)                                                                         \
    for (unsigned s_ = 0; s_ < sizeof(scenes) / sizeof *(scenes); s_++)                            \
    run_scene(&(scenes)[s_])

/* Creates a compatibility context with a window of SIZE × SIZE. */
static inline int memory_setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Parses the arguments of manual runs: the density, usual_density by default, and a prefix of scene
 * names. */
static void memory_arguments(int argc, char **argv, int usual_density)
{
    density = argc > 1 ? atoi(argv[1]) : usual_density;
    only = argc > 2 ? argv[2] : NULL;
}

/* --- helpers of scenes --- */

/* scene.prepare of scenes that need no preparation. */
static inline void nothing(void)
{
}

static const uint8_t green[4] = {0, 255, 0, 255};

/* Returns whether all pixels of the read framebuffer have the color, up to `tolerance` in each
 * component. */
static inline bool all_are(const uint8_t color[4], int tolerance)
{
    static uint8_t pixels[SIZE * SIZE][4];
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (unsigned i = 0; i < SIZE * SIZE * 4; i++)
        if (abs(pixels[i / 4][i % 4] - color[i % 4]) > tolerance)
            return false;
    return true;
}

static inline bool all_green(void)
{
    return all_are(green, 2);
}

static inline void clear_red(void)
{
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

#endif
