/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_sync.h"

#include <time.h>

#include "util/macros.h"
#include "util/os_clock.h"

enum { DEFAULT_RATE = 60 };

/* Stores the last blank that the window system reports. Requires the mutex. Returns false if it
 * reports none; *now is then unchanged. */
static bool read_blank(struct tgt_surface *s, struct tgt_sync *now)
{
    struct ws_drawable *native = s->native;
    struct ws_blank blank;

    if (!native || !native->ws->ops->get_blank || s->gone ||
        !native->ws->ops->get_blank(native, &blank))
        return false;
    now->ust = (int64_t)blank.time;
    now->msc = (int64_t)blank.count;
    return true;
}

static void read_clock(struct tgt_sync *now)
{
    now->msc = (int64_t)(os_clock() / (1000000000 / DEFAULT_RATE));
    now->ust = now->msc * (1000000000 / DEFAULT_RATE) / 1000;
}

/* Returns whether the window system reports blanks; otherwise *now has those of the clock. */
static bool read_sync(struct tgt_surface *s, struct tgt_sync *now)
{
    pthread_mutex_lock(&s->mutex);
    const bool reports = read_blank(s, now);
    if (!reports)
        read_clock(now);
    now->sbc = s->swaps;
    pthread_mutex_unlock(&s->mutex);
    return reports;
}

struct tgt_sync tgt_sync_now(struct tgt_surface *s)
{
    struct tgt_sync now;

    read_sync(s, &now);
    return now;
}

void tgt_sync_rate(struct tgt_surface *s, int32_t *numerator, int32_t *denominator)
{
    uint32_t n = DEFAULT_RATE, d = 1;

    pthread_mutex_lock(&s->mutex);
    if (!s->native || !s->native->ws->ops->get_blank_rate ||
        !s->native->ws->ops->get_blank_rate(s->native->ws, &n, &d) || n > INT32_MAX ||
        d > INT32_MAX) {
        n = DEFAULT_RATE;
        d = 1;
    }
    pthread_mutex_unlock(&s->mutex);
    *numerator = (int32_t)n;
    *denominator = (int32_t)d;
}

/* Sleeps for about blanks - 1 blanks, at least a millisecond and at most a second. */
static void sleep_for(struct tgt_surface *s, int64_t blanks)
{
    const uint64_t most = 1000000000, least = 1000000;
    int32_t n, d;

    tgt_sync_rate(s, &n, &d);
    const uint64_t period = MAX2(most * (uint64_t)d / (uint64_t)n, 1);
    const uint64_t count = (uint64_t)MIN2(blanks, (int64_t)(most / period) + 1);
    const struct timespec t = os_clock_timespec(CLAMP((count - 1) * period, least, most));

    nanosleep(&t, NULL);
}

/* Returns the next blank after `msc` at which the condition holds. */
static int64_t next_match(int64_t msc, int64_t divisor, int64_t remainder)
{
    const int64_t rest = (msc + 1) % divisor;
    const int64_t wait = remainder >= rest ? remainder - rest : divisor - (rest - remainder);

    return wait < INT64_MAX - msc ? msc + 1 + wait : INT64_MAX;
}

/* The counts of the window system and of the clock are unrelated, so only one of them is used. If
 * the window system stops to report, the window may be destroyed. */
struct tgt_sync tgt_sync_wait_msc(struct tgt_surface *s, int64_t target, int64_t divisor,
                                  int64_t remainder)
{
    struct tgt_sync now;
    const bool reports = read_sync(s, &now);

    if (now.msc >= target)
        target = divisor > 0 ? next_match(now.msc, divisor, remainder) : now.msc;
    while (now.msc < target && !tgt_surface_is_gone(s)) {
        sleep_for(s, target - now.msc);
        pthread_mutex_lock(&s->mutex);
        const bool read = reports && read_blank(s, &now);
        if (!reports)
            read_clock(&now);
        now.sbc = s->swaps;
        pthread_mutex_unlock(&s->mutex);
        if (reports && !read && !tgt_surface_update(s))
            break;
    }
    return now;
}

struct tgt_sync tgt_sync_wait_sbc(struct tgt_surface *s, int64_t target)
{
    for (unsigned i = 1;; i++) {
        pthread_mutex_lock(&s->mutex);
        const bool done = s->swaps >= target || s->gone;
        pthread_mutex_unlock(&s->mutex);
        /* Another thread swaps. sleep_for() takes about 1 ms, so that the window is queried about
         * every 60 ms. */
        if (done || (i % DEFAULT_RATE == 0 && !tgt_surface_update(s)))
            return tgt_sync_now(s);
        sleep_for(s, 1);
    }
}
