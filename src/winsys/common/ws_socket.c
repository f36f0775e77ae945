/* SPDX-License-Identifier: MIT */
#include "winsys/common/ws_socket.h"

#include <errno.h>
#include <sys/stat.h>

struct ws_socket ws_socket_of(int fd)
{
    struct stat st = {0};

    fstat(fd, &st);
    return (struct ws_socket){fd, st.st_ino};
}

bool ws_socket_is_open(const struct ws_socket *s)
{
    const int error = errno;
    struct stat st = {0};
    const bool open = fstat(s->fd, &st) == 0 && st.st_ino == s->inode;

    errno = error;
    return open;
}
