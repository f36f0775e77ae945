/* SPDX-License-Identifier: MIT */
/* Maps memory directly from the system. An application's malloc may not support alignments as large
 * as a huge page. */
#ifndef UTIL_MAPPING_H
#define UTIL_MAPPING_H

#include <stddef.h>

/* Maps zeroed memory. bytes and align are multiples of the page size; align is a power of two.
 * Returns NULL if memory runs out. Free all or part of it with munmap().
 * Thread-safe. */
void *map_aligned(size_t bytes, size_t align);

#endif
