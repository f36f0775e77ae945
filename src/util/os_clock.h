/* SPDX-License-Identifier: MIT */
/* The operating system's monotonic clock, for timed waits. It bypasses clock_gettime, which a
 * preloaded library may replace: a thread that waits for a time of a clock that stands still would
 * never sleep. */
#ifndef UTIL_OS_CLOCK_H
#define UTIL_OS_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t os_clock(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline struct timespec os_clock_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

#endif
