/* SPDX-License-Identifier: MIT */
/* Memory mapped from the system, beside the C library's heap: an application that has its own may
 * refuse alignments as large as those of huge pages. */
#ifndef UTIL_MAPPING_H
#define UTIL_MAPPING_H

#include <stddef.h>

/* bytes: whole pages; align: a power of two of them. Zeroed; munmap() gives it back, also a part of it.
 * NULL: no memory. Thread-safe. */
void *map_aligned(size_t bytes, size_t align);

#endif
