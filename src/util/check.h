/* SPDX-License-Identifier: MIT */
/*
 * Assertions. CHECK() is for conditions that are cheap to test; it stays in release builds.
 * DCHECK() is for expensive conditions and inner loops; it is compiled out with NDEBUG.
 *
 * A check that fails means a bug in Indium. Invalid input, lack of memory and failed system calls
 * are errors to handle, not conditions to check.
 */
#ifndef UTIL_CHECK_H
#define UTIL_CHECK_H

#include "util/macros.h"

/* Ends the process with SIGABRT, also during an LLVM compilation, where abort() would only end the
 * compilation (jit_guard.h). */
_Noreturn __attribute__((cold)) void check_abort(void);
/* Prints the file, the line, the condition and how to report the bug to stderr. Then calls
 * check_abort(). */
_Noreturn __attribute__((cold)) void check_failed(const char *file, int line,
                                                  const char *condition);

/* Ends the process with a message if the condition is false. */
#define CHECK(condition)                                                                           \
    ((void)(likely(condition) ? 0 : (check_failed(__FILE__, __LINE__, #condition), 0)))

#ifdef NDEBUG
#define DCHECK(condition) ((void)sizeof(!(condition))) /* not evaluated */
#else
#define DCHECK(condition) CHECK(condition)
#endif

/* Evaluates to 0 for an array. Does not compile for a pointer. */
#define CHECK_IS_ARRAY(array)                                                                      \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(!__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])), \
                        "a pointer has no size");                                                  \
         int unused;                                                                               \
     }))

/* Evaluates to the lvalue array[n++] after a CHECK that n is inside the array. n is evaluated
 * twice. */
#define NEXT_OF(array, n) NEXT_WITHIN(array, n, ARRAY_SIZE(array) + CHECK_IS_ARRAY(array))

/* Like NEXT_OF, for a pointer to memory of `size` elements. */
#define NEXT_WITHIN(pointer, n, size)                                                              \
    (*({                                                                                           \
        CHECK((size_t)(n) < (size_t)(size));                                                       \
        &(pointer)[(n)++];                                                                         \
    }))

#endif
