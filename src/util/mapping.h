/* SPDX-License-Identifier: MIT */
/* Memory mapped directly from the system, because an application's malloc may not support
 * alignments as large as a huge page. */
#ifndef UTIL_MAPPING_H
#define UTIL_MAPPING_H

#include <stddef.h>

/* Maps `bytes` of zeroed memory, a multiple of the page size. align is a power of two and a
 * multiple of the page size. Returns NULL if memory runs out. Free all or part of it with munmap().
 * Thread-safe. */
void *map_aligned(size_t bytes, size_t align);

#endif
