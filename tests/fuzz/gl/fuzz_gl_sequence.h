/* SPDX-License-Identifier: MIT */
/* State of a sequence of random calls of GL, EGL or GLX. */
#ifndef FUZZ_GL_SEQUENCE_H
#define FUZZ_GL_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/core.h"

#define FUZZ_MAX_THREADS 3
#define FUZZ_CONTEXTS    3 /* contexts per thread; all threads' contexts share objects */

struct fuzz;

/* An API to fuzz instead of GL: EGL or GLX. */
struct fuzz_api {
    const char *name;
    void (*call)(struct fuzz *f); /* makes a random call */
    void (*leave)(void);          /* runs at the end of each thread */
    void (*finish)(void);         /* runs in the first thread after all others have ended */
};
extern const struct fuzz_api fuzz_api_egl, fuzz_api_glx; /* fuzz_gl_egl.c, fuzz_gl_glx.c */

/* One thread of a sequence. */
struct fuzz {
    uint64_t random; /* state of the random generator, seeded for each call */
    unsigned thread;
    enum gl_api api;
    bool trace;   /* print each call before it is made */
    bool code;    /* print calls as C code */
    bool threads; /* other threads run sequences, too */
    struct gl_context *context[FUZZ_CONTEXTS];
    struct gl_drawable *drawable[FUZZ_CONTEXTS];
    unsigned current; /* index of the current context */
    /* Between glBegin and glEnd; a display list is being compiled; it calls another list. */
    bool inside_begin, compiling, list_called;
    bool client_arrays; /* arrays may be in client memory */
    bool large_buffers; /* buffers may have several GiB */
    uint8_t *slots;     /* client memory with guard pages (fuzz_memory_init) */
};

/* Returns a random number below range, or 0 if range is 0. */
uint32_t fuzz_random(struct fuzz *f, uint32_t range);
/* Returns true with that probability. */
static inline bool fuzz_chance(struct fuzz *f, unsigned percent)
{
    return fuzz_random(f, 100) < percent;
}

#endif
