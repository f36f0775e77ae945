/* SPDX-License-Identifier: MIT */
/* Memory mapped directly from the system. It supports alignments as large as a huge page, which the
 * malloc of an application may not. */
#ifndef UTIL_MAPPING_H
#define UTIL_MAPPING_H

#include <stddef.h>

/* Maps `bytes` bytes of zeroed memory, aligned to `align` bytes. Both are multiples of the page
 * size; align is a power of two. The caller unmaps the memory, whole or in parts, with munmap().
 * Returns NULL if out of memory. Thread-safe. */
void *map_aligned(size_t bytes, size_t align);

/* Maps the first `bytes` bytes of a file, shared, for reading and writing. The caller unmaps them
 * by munmap() with the size *mapped, which is larger than `bytes` if the file has huge pages:
 * munmap() can't split one. The mapping stays valid if the caller closes fd. Returns NULL on
 * failure; *mapped is then unspecified. Thread-safe. */
void *map_shared_file(int fd, size_t bytes, size_t *mapped);

#endif
