/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzers of EGL's and GLX's calls share: handles that were returned, destroyed ones among
 * them, drawables of an X server if there is one, lists of attributes, and a little drawing.
 */
#ifndef FUZZ_GL_WINDOW_H
#define FUZZ_GL_WINDOW_H

#include <stdio.h>

#include "fuzz_gl_sequence.h"
#include "util/macros.h"

/* A call, said before it is made. */
#define CALL(format, ...)                                                                          \
    do {                                                                                           \
        if (f->trace)                                                                              \
            fprintf(stderr, "%u: " format "\n", f->thread, __VA_ARGS__);                           \
    } while (0)

#define FUZZ_HANDLES 12 /* of a kind, that are kept */

struct fuzz_handles {
    uintptr_t value[FUZZ_HANDLES]; /* atomic: threads share them */
    unsigned count;                /* that there ever were */
};

/* Does nothing with 0. */
void fuzz_handle_add(struct fuzz_handles *all, uintptr_t handle);
/* One of all, or 0, or none at all. */
uintptr_t fuzz_handle(struct fuzz *f, struct fuzz_handles *all);

/* Fills pairs of one of the names and a value, ended by `none`. */
#define FUZZ_PAIRS 4
void fuzz_attributes(struct fuzz *f, int *list, const int *names, unsigned num_names, int none);
/* A number that is often a size, sometimes one of the names. */
int fuzz_number(struct fuzz *f, const int *names, unsigned num_names);

/* Calls of the GL in whatever context is current. */
void fuzz_draw(struct fuzz *f);

/* The process's connection, NULL if there is no server: Xlib's Display. */
void *fuzz_x_display(void);
unsigned long fuzz_x_drawable(struct fuzz *f); /* a window or pixmap, or none */
void fuzz_x_finish(void);

#endif
