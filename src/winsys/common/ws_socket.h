/* SPDX-License-Identifier: MIT */
/* Detects that the application has closed its connection to the window system. The connection
 * object is then freed memory, so only the socket can be checked. */
#ifndef WS_SOCKET_H
#define WS_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

/* Identity of a socket. */
struct ws_socket {
    int fd;      /* not owned */
    ino_t inode; /* distinguishes the socket from a later file with the same descriptor */
};

/* Returns the identity of the socket with file descriptor fd. If fd is not open,
 * ws_socket_is_open() returns false for the result. */
struct ws_socket ws_socket_of(int fd);
/* Returns whether the descriptor still refers to the same socket. Preserves errno. */
bool ws_socket_is_open(const struct ws_socket *s);

#endif
