/* SPDX-License-Identifier: MIT */
/*
 * A thread that stops work that runs for longer than INDIUM_TIMEOUT. It checks the watched work
 * eight times per timeout. Beginning and ending a watch is cheap: it takes a lock but reads no
 * clock. All functions are thread-safe.
 */
#ifndef UTIL_WATCHDOG_H
#define UTIL_WATCHDOG_H

#include "util/list.h"
#include "util/macros.h"

#define WATCHDOG_STOP 2 /* value stored to *stop */

/* A watch. Zero-initialize it. */
struct watchdog_watch {
    struct list_head link;
    unsigned process;        /* number of forks before watchdog_begin, plus 1; 0: not begun */
    uint64_t since;          /* time in ns of the first check that saw it running; 0: none yet */
    const unsigned *running; /* atomic: number of threads that run the work */
    uint32_t *stop;          /* atomic: WATCHDOG_STOP tells the work to stop */
};

/* Returns the timeout in nanoseconds; 0: unlimited. */
uint64_t watchdog_timeout(void);
/* Returns CLOCK_MONOTONIC in nanoseconds. A preloaded library may replace the clock, unlike
 * os_clock(). */
uint64_t watchdog_clock(void);
/* Watches work until watchdog_end. The timeout starts with the first check that finds *running
 * nonzero. After it, each check that finds *running nonzero sets *stop to WATCHDOG_STOP. Does
 * nothing if the timeout is unlimited. */
void watchdog_begin(struct watchdog_watch *watch, const unsigned *running, uint32_t *stop);
/* Ends the watch. Does nothing if it was not begun. */
void watchdog_end(struct watchdog_watch *watch);

#endif
