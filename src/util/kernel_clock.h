/* SPDX-License-Identifier: MIT */
/* The clock that the kernel ends waits by, whatever clock_gettime a preloaded library has: a thread that
 * waits for a time of one that stands still, or is late, would not sleep. */
#ifndef UTIL_KERNEL_CLOCK_H
#define UTIL_KERNEL_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t kernel_clock(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline struct timespec kernel_clock_time(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

#endif
