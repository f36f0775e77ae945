/* SPDX-License-Identifier: MIT */
#include "util/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Blocks SIGXFSZ. Returns false if it was pending already; then there is nothing to undo. */
static bool hold_file_size_signal(sigset_t *old)
{
    sigset_t pending, one;
    sigemptyset(&one);
    sigaddset(&one, SIGXFSZ);
    if (sigpending(&pending) || sigismember(&pending, SIGXFSZ))
        return false;
    return !pthread_sigmask(SIG_BLOCK, &one, old);
}

/* Restores the signal mask after discarding the SIGXFSZ that writing has raised. */
static void release_file_size_signal(const sigset_t *old)
{
    const struct timespec now = {0};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGXFSZ);
    while (sigtimedwait(&one, NULL, &now) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, old, NULL);
}

static bool write_all(int fd, const void *data, size_t size)
{
    for (const uint8_t *p = data; size;) {
        ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool join(char path[PATH_MAX], const char *directory, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%s/%s", directory, name);
    return length > 0 && length < PATH_MAX;
}

bool util_new_file(const char *directory, const char *name, const struct iovec *pieces,
                   unsigned count, bool replace)
{
    char temporary[PATH_MAX], path[PATH_MAX];
    if (!join(temporary, directory, "new-XXXXXX") || !join(path, directory, name))
        return false;
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    sigset_t signals;
    bool held = hold_file_size_signal(&signals), written = true;
    for (unsigned i = 0; i < count && written; i++)
        written = write_all(fd, pieces[i].iov_base, pieces[i].iov_len);
    if (held)
        release_file_size_signal(&signals);
    written &= !close(fd);
    bool named = written && !(replace ? rename(temporary, path) : link(temporary, path));
    if (!named || !replace)
        unlink(temporary);
    return named;
}
