/* SPDX-License-Identifier: MIT */
#include "util/write_signals.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "util/macros.h"

static const int signals[] = {SIGPIPE, SIGXFSZ};

bool util_write_signals_hold(sigset_t *old)
{
    sigset_t set;
    sigemptyset(&set);
    for (unsigned i = 0; i < ARRAY_SIZE(signals); i++)
        sigaddset(&set, signals[i]);
    return !pthread_sigmask(SIG_BLOCK, &set, old);
}

void util_write_signals_release(const sigset_t *old, bool failed)
{
    static const struct timespec now = {0};
    for (unsigned i = 0; failed && i < ARRAY_SIZE(signals); i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signals[i]);
        while (!sigismember(old, signals[i]) && sigtimedwait(&one, NULL, &now) < 0 &&
               errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, old, NULL);
}

bool util_set_file_size(int fd, off_t size)
{
    sigset_t old;
    bool held = util_write_signals_hold(&old), done = !ftruncate(fd, size);
    int error = errno;
    if (held)
        util_write_signals_release(&old, !done);
    errno = error;
    return done;
}
