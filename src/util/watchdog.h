/* SPDX-License-Identifier: MIT */
/*
 * A thread that stops what runs for too long (INDIUM_TIMEOUT). It looks at what is watched a few
 * times in that time; watching costs a lock, and no look at the clock. Any thread may call this.
 */
#ifndef UTIL_WATCHDOG_H
#define UTIL_WATCHDOG_H

#include "util/list.h"
#include "util/macros.h"

#define WATCHDOG_STOP 2 /* what *stop becomes */

/* Zero-initialized is ready. */
struct watchdog_watch {
    struct list_head link;
    unsigned process;        /* in which it is in the list; 0: it is not */
    uint64_t since;          /* when it was first seen running; 0: not yet */
    const unsigned *running; /* atomic: how many threads are at it */
    uint32_t *stop;          /* atomic */
};

/* Nanoseconds that work may take; 0: any time. */
uint64_t watchdog_timeout(void);
/* Nanoseconds of a clock that never goes back. */
uint64_t watchdog_clock(void);
/* The timeout after *running was first seen not to be 0, *stop becomes WATCHDOG_STOP, and again when
 * something else has been stored there, as long as *running is not 0; until the watch ends. */
void watchdog_begin(struct watchdog_watch *watch, const unsigned *running, uint32_t *stop);
void watchdog_end(struct watchdog_watch *watch); /* not begun is fine */

#endif
