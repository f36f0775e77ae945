/* SPDX-License-Identifier: MIT */
/*
 * Shared by the fuzzers of EGL and GLX calls: handles returned by the API (including destroyed
 * ones), drawables of an X server if there is one, attribute lists, and simple drawing.
 */
#ifndef FUZZ_GL_WINDOW_H
#define FUZZ_GL_WINDOW_H

#include <stdio.h>

#include "fuzz_gl_sequence.h"
#include "util/macros.h"

/* Prints a call before it is made, if tracing is enabled for `f`, a struct fuzz *. */
#define CALL(format, ...)                                                                          \
    do {                                                                                           \
        if (f->trace)                                                                              \
            fprintf(stderr, "%u: " format "\n", f->thread, __VA_ARGS__);                           \
    } while (0)

#define FUZZ_HANDLES 12 /* handles kept per kind */

/* The newest handles of one kind. */
struct fuzz_handles {
    uintptr_t value[FUZZ_HANDLES]; /* atomic: threads share them */
    unsigned count;                /* handles ever added; the oldest are replaced */
};

/* Adds a handle; ignores 0. */
void fuzz_handle_add(struct fuzz_handles *all, uintptr_t handle);
/* Returns mostly one of the handles, sometimes 0 or a number that is no handle. */
uintptr_t fuzz_handle(struct fuzz *f, struct fuzz_handles *all);

#define FUZZ_PAIRS 4 /* maximum number of pairs in an attribute list */
/* Fills an attribute list with up to FUZZ_PAIRS pairs of a name and a value, terminated by `none`.
 * The list holds up to 2 * FUZZ_PAIRS + 1 numbers. */
void fuzz_attributes(struct fuzz *f, int *list, const int *names, unsigned num_names, int none);
/* Returns a number: mostly a small one, sometimes one of the names or a very large or negative
 * one. */
int fuzz_number(struct fuzz *f, const int *names, unsigned num_names);

/* Makes some GL calls in the current context. */
void fuzz_draw(struct fuzz *f);

/* Returns the process's Xlib Display, or NULL if there is no server. */
void *fuzz_x_display(void);
/* Creates, resizes, maps or destroys a window or pixmap, or leaves it unchanged. Returns its id,
 * which may be invalid. Returns a small number if there is no server. */
unsigned long fuzz_x_drawable(struct fuzz *f);
/* Closes the connection to the X server, if there is one. */
void fuzz_x_finish(void);

#endif
