/* SPDX-License-Identifier: MIT */
/* Size classes for allocators: multiples of 16 bytes up to 128, then four classes per power of two.
 * A class is an index from 0 to SIZE_CLASS_COUNT - 1. */
#ifndef UTIL_SIZE_CLASS_H
#define UTIL_SIZE_CLASS_H

#include "util/macros.h"

#define SIZE_CLASS_GRANULE 16u /* bytes */
#define SIZE_CLASS_COUNT   160

/* Returns the smallest class whose blocks have at least `size` bytes; size is at most 2^44. */
static inline unsigned size_class_of(size_t size)
{
    if (size <= 8 * SIZE_CLASS_GRANULE)
        return (unsigned)(MAX2(size, 1) - 1) / SIZE_CLASS_GRANULE;
    unsigned shift = 61 - (unsigned)__builtin_clzl(size - 1); /* 4 << shift < size <= 8 << shift */
    return 8 + (shift - 5) * 4 + (unsigned)((size - 1) >> shift) - 4;
}

/* Returns the size in bytes of the blocks of a class. */
static inline size_t size_class_bytes(unsigned size_class)
{
    if (size_class < 8)
        return (size_class + 1) * SIZE_CLASS_GRANULE;
    return (size_t)(5 + (size_class - 8) % 4) << ((size_class - 8) / 4 + 5);
}

#endif
