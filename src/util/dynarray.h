/* SPDX-License-Identifier: MIT */
/* Growable array of any element type, allocated in a talloc context. Counts are in elements. The
 * macros take a pointer to the array, which they evaluate more than once. */
#ifndef UTIL_DYNARRAY_H
#define UTIL_DYNARRAY_H

#include <talloc.h>

#include "util/macros.h"

/* Type of a growable array of T. Initialize a variable with DYNARRAY_INIT(mem_ctx), or with {0} to
 * allocate under the NULL context. */
#define DYNARRAY(T)                                                                                \
    struct {                                                                                       \
        void *mem_ctx;                                                                             \
        T *data;                                                                                   \
        unsigned count, capacity;                                                                  \
    }
/* Initializer of an empty array that is allocated in a talloc context. */
#define DYNARRAY_INIT(ctx) {.mem_ctx = (ctx)}

/* Implements dynarray_reserve: grows the array, if necessary, to a capacity of at least `need`
 * elements of `element` bytes each. Returns false, with the array unchanged, if out of memory or if
 * need exceeds 2^31. */
static inline bool dynarray_reserve_(void *mem_ctx, void **data, unsigned *capacity, unsigned need,
                                     size_t element)
{
    if (need <= *capacity)
        return true;
    unsigned n = *capacity ? *capacity : 8;
    while (n < need) {
        if (n > UINT32_MAX / 2)
            return false;
        n *= 2;
    }
    void *p = talloc_realloc_size(mem_ctx, *data, element * n);
    if (!p)
        return false;
    *data = p;
    *capacity = n;
    return true;
}

/* Reserves space for n more elements, which may move the array. Evaluates to true, or to false,
 * with the array unchanged, if out of memory. */
#define dynarray_reserve(a, n)                                                                     \
    dynarray_reserve_((a)->mem_ctx, (void **)&(a)->data, &(a)->capacity, (a)->count + (n),         \
                      sizeof *(a)->data)

/* Appends a value, which may move the array. Evaluates to true, or to false, with the array
 * unchanged, if out of memory. */
#define dynarray_append(a, value)                                                                  \
    (dynarray_reserve(a, 1) ? ((a)->data[(a)->count++] = (value), true) : false)

/* Frees the elements and makes the array empty. */
#define dynarray_finish(a)                                                                         \
    do {                                                                                           \
        talloc_free((a)->data);                                                                    \
        (a)->data = NULL;                                                                          \
        (a)->count = (a)->capacity = 0;                                                            \
    } while (0)

#endif
