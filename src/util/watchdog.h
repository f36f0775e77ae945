/* SPDX-License-Identifier: MIT */
/*
 * A thread that stops work that runs for longer than INDIUM_TIMEOUT. It checks the watched work
 * several times per timeout. Beginning and ending a watch takes a lock but reads no clock. All
 * functions are thread-safe.
 */
#ifndef UTIL_WATCHDOG_H
#define UTIL_WATCHDOG_H

#include "util/list.h"
#include "util/macros.h"

#define WATCHDOG_STOP 2 /* value stored to *stop */

/* A watch. Zero-initialize it. */
struct watchdog_watch {
    struct list_head link;
    unsigned process;        /* process (fork count) whose list the watch is in; 0: none */
    uint64_t since;          /* time of the first check that saw it running; 0: none yet */
    const unsigned *running; /* atomic: number of threads that run the work */
    uint32_t *stop;          /* atomic */
};

/* Returns the timeout in nanoseconds; 0: unlimited. */
uint64_t watchdog_timeout(void);
/* Returns the time of a monotonic clock in nanoseconds. */
uint64_t watchdog_clock(void);
/* Watches work until watchdog_end. If *running stays nonzero for the timeout, *stop becomes
 * WATCHDOG_STOP. It is set again if something else is stored there while *running is nonzero. */
void watchdog_begin(struct watchdog_watch *watch, const unsigned *running, uint32_t *stop);
void watchdog_end(struct watchdog_watch *watch); /* no effect if not begun */

#endif
