/* SPDX-License-Identifier: MIT */
/* The operating system's clocks, for timed waits and limits. They bypass clock_gettime, because a
 * preloaded library may replace that function with a clock that stands still. Deadlines computed
 * from such a clock would lie in the past, so waits would return at once. */
#ifndef UTIL_OS_CLOCK_H
#define UTIL_OS_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns the time of a clock in nanoseconds. */
static inline uint64_t os_clock_read(clockid_t clock)
{
    struct timespec t;
    syscall(SYS_clock_gettime, clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t os_clock(void)
{
    return os_clock_read(CLOCK_MONOTONIC);
}

/* Returns the CPU time that this thread has used, in nanoseconds. */
static inline uint64_t os_clock_thread(void)
{
    return os_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/* Converts nanoseconds to a timespec. */
static inline struct timespec os_clock_timespec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

#endif
