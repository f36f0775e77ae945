/* SPDX-License-Identifier: MIT */
/* A sequence of calls, whatever they are of. */
#ifndef FUZZ_GL_SEQUENCE_H
#define FUZZ_GL_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/core.h"

#define FUZZ_MAX_THREADS 3
#define FUZZ_CONTEXTS    3 /* of one thread, sharing with those of the others */

struct fuzz;

/* What is fuzzed in place of the core's calls. */
struct fuzz_way {
    const char *name;
    void (*call)(struct fuzz *f);
    void (*leave)(void);  /* at the end of each thread */
    void (*finish)(void); /* at the end of all, in the first thread */
};
extern const struct fuzz_way fuzz_way_egl, fuzz_way_glx; /* fuzz_gl_egl.c, fuzz_gl_glx.c */

/* One thread of a sequence. */
struct fuzz {
    uint64_t random; /* state of the generator, set anew for each call */
    unsigned thread;
    enum gl_api api;
    bool trace;   /* say each call before it is made */
    bool code;    /* say it as C */
    bool threads; /* others run beside this one */
    struct gl_context *context[FUZZ_CONTEXTS];
    struct gl_drawable *drawable[FUZZ_CONTEXTS];
    unsigned current; /* index of the current context */
    bool inside_begin, compiling, list_called;
    bool client_arrays; /* arrays may be in client memory */
    uint8_t *slots;     /* client memory with guard pages: fuzz_memory */
};

/* A number below range; ranges of 0 give 0. */
uint32_t fuzz_random(struct fuzz *f, uint32_t range);
static inline bool fuzz_chance(struct fuzz *f, unsigned percent)
{
    return fuzz_random(f, 100) < percent;
}

#endif
