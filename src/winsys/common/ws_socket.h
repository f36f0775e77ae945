/* SPDX-License-Identifier: MIT */
/* Connections that are the application's, which may close them behind our back: what remains of one is
 * freed memory, so that its socket is asked, not it. */
#ifndef WS_SOCKET_H
#define WS_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

struct ws_socket {
    int fd;
    ino_t inode;
};

/* The socket that is open as fd. */
struct ws_socket ws_socket_of(int fd);
/* Whether it still is: its number may have gone to another file since. */
bool ws_socket_is_open(const struct ws_socket *s);

#endif
