/* SPDX-License-Identifier: MIT */
/* The system's memory. */
#ifndef UTIL_OS_MEMORY_H
#define UTIL_OS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Sizes of the system's memory. */
struct os_memory {
    uint64_t total;     /* bytes of physical memory */
    uint64_t available; /* bytes that programs can allocate without swapping, at most `total` */
};

/* Returns the memory now: Linux' estimate in /proc/meminfo or, where that can't be read, the sizes
 * that sysconf() reports. A size that is unknown is 0. Safe to call from any thread. */
struct os_memory os_memory_get(void);

/* Zeroes `bytes` bytes, of any alignment, that only this process maps and that no file backs.
 * Returns the whole pages of large areas to the system, so that the time depends on the number of
 * pages that were touched. */
void os_memory_zero(void *memory, size_t bytes);

#endif
