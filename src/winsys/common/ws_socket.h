/* SPDX-License-Identifier: MIT */
/* Detects closed connections. The application owns its connection and may close it at any time; the
 * connection object is then freed memory, so only its socket can be checked. */
#ifndef WS_SOCKET_H
#define WS_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

struct ws_socket {
    int fd;
    ino_t inode;
};

/* Returns the identity of the socket with file descriptor fd. */
struct ws_socket ws_socket_of(int fd);
/* Whether the socket is still open; the descriptor may have been reused for another file. */
bool ws_socket_is_open(const struct ws_socket *s);

#endif
