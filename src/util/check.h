/* SPDX-License-Identifier: MIT */
/*
 * Assertions. CHECK() is for conditions that cost a comparison; it stays in release builds.
 * DCHECK() is for conditions that cost more, or sit in inner loops; it is compiled out with NDEBUG.
 *
 * A check that fails is a bug in Indium, never bad input: input is validated, and what memory or
 * the system refuses is an error to handle.
 */
#ifndef UTIL_CHECK_H
#define UTIL_CHECK_H

#include "util/macros.h"

/* Ends the process by SIGABRT. Unlike abort(), it does so in LLVM compilations, too (jit_guard.h).
 * */
_Noreturn __attribute__((cold)) void check_abort(void);
/* Prints the place, the condition and how to report them to stderr, then calls check_abort(). */
_Noreturn __attribute__((cold)) void check_failed(const char *file, int line,
                                                  const char *condition);

#define CHECK(condition)                                                                           \
    ((void)(likely(condition) ? 0 : (check_failed(__FILE__, __LINE__, #condition), 0)))

#ifdef NDEBUG
#define DCHECK(condition) ((void)sizeof(!(condition))) /* not evaluated */
#else
#define DCHECK(condition) CHECK(condition)
#endif

/* 0; does not compile for a pointer. */
#define CHECK_IS_ARRAY(array)                                                                      \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(!__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])), \
                        "a pointer has no size");                                                  \
         int unused;                                                                               \
     }))

/* array[n++] as an lvalue, within the bounds of an array; the arguments are evaluated twice. */
#define NEXT_OF(array, n) NEXT_WITHIN(array, n, ARRAY_SIZE(array) + CHECK_IS_ARRAY(array))

/* The same of memory that has room for `size` elements. */
#define NEXT_WITHIN(pointer, n, size)                                                              \
    (*({                                                                                           \
        CHECK((size_t)(n) < (size_t)(size));                                                       \
        &(pointer)[(n)++];                                                                         \
    }))

#endif
