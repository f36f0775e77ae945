/* SPDX-License-Identifier: MIT */
#include "util/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/write_signals.h"

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
    bool held = util_write_signals_hold(&signals), written = true;
    for (unsigned i = 0; i < count && written; i++)
        written = write_all(fd, pieces[i].iov_base, pieces[i].iov_len);
    if (held)
        util_write_signals_release(&signals, !written);
    written &= !close(fd);
    bool named = written && !(replace ? rename(temporary, path) : link(temporary, path));
    if (!named || !replace)
        unlink(temporary);
    return named;
}
