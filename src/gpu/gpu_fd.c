/* SPDX-License-Identifier: MIT */
/* Descriptors of objects: a list of socket pairs. */
#include "gpu/gpu_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "gpu/gpu_system.h"
#include "util/list.h"

enum { HIDDEN_FDS = 1 << 10, LIKELY_FDS = 1 << 16 };

struct gpu_fd {
    struct list_head link;
    enum gpu_fd_kind kind;
    int peer; /* the library's end of the socket pair */
    dev_t device;
    ino_t inode; /* of the program's end */
    void *object;
    void (*close)(void *object);
};

static struct list_head ends = {&ends, &ends};
static unsigned end_count, sweep_count; /* number of objects; number that starts a sweep */
static uint8_t likely_fds[LIKELY_FDS];  /* nonzero: gpu_fd_is_likely */

bool gpu_fd_is_likely(int fd)
{
    return fd >= 0 && (fd >= LIKELY_FDS || __atomic_load_n(&likely_fds[fd], __ATOMIC_RELAXED));
}

int gpu_fd_hide(int fd)
{
    static bool raised;
    struct rlimit limit;
    int hidden;

    if (!raised && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        raised = true;
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    hidden = fcntl(fd, F_DUPFD_CLOEXEC, HIDDEN_FDS);
    if (hidden < 0)
        return fd;
    gpu_sys_close(fd);
    return hidden;
}

struct gpu_fd *gpu_fd_create(enum gpu_fd_kind kind, void *object, void (*close)(void *object),
                             int *fd)
{
    struct gpu_fd *end = calloc(1, sizeof *end);
    struct stat st;
    int pair[2];

    if (end_count >= sweep_count) {
        gpu_fd_sweep();
        sweep_count = 2 * end_count + 16;
    }
    if (!end || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(end);
        return NULL;
    }
    if (gpu_sys_fstat(pair[1], &st) != 0) {
        gpu_sys_close(pair[0]);
        gpu_sys_close(pair[1]);
        free(end);
        return NULL;
    }
    *end = (struct gpu_fd){
        .kind = kind,
        .peer = gpu_fd_hide(pair[0]),
        .device = st.st_dev,
        .inode = st.st_ino,
        .object = object,
        .close = close,
    };
    list_addtail(&end->link, &ends);
    end_count++;
    *fd = pair[1];
    if (*fd < LIKELY_FDS)
        __atomic_store_n(&likely_fds[*fd], 1, __ATOMIC_RELAXED);
    return end;
}

/* Labels are names of sockets without files. They must be unique, so a number follows. */
static const char name_prefix[] = "indium-gpu/";

void gpu_fd_set_label(int fd, const char *label)
{
    static unsigned number;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "%s%s/%d.%u", name_prefix,
                          label, (int)getpid(), ++number);

    /* Without a label, other processes can't use the descriptor. */
    if (bind(fd, (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) != 0)
        errno = 0;
}

bool gpu_fd_get_label(int fd, char label[64])
{
    struct sockaddr_un name = {0};
    socklen_t size = sizeof name - 1;
    int error = errno;
    const char *start = name.sun_path + 1, *end;
    bool found = getsockname(fd, (struct sockaddr *)&name, &size) == 0 &&
                 name.sun_family == AF_UNIX && !name.sun_path[0] &&
                 strncmp(start, name_prefix, strlen(name_prefix)) == 0;

    errno = error;
    if (!found)
        return false;
    start += strlen(name_prefix);
    end = strchr(start, '/');
    if (!end || end - start >= 64)
        return false;
    memcpy(label, start, (size_t)(end - start));
    label[end - start] = 0;
    return true;
}

void gpu_fd_replace(int fd, int from)
{
    int flags = fcntl(fd, F_GETFD);

    if (dup3(from, fd, flags > 0 && flags & FD_CLOEXEC ? O_CLOEXEC : 0) == fd && fd < LIKELY_FDS)
        __atomic_store_n(&likely_fds[fd], 1, __ATOMIC_RELAXED);
    gpu_sys_close(from);
}

static struct gpu_fd *find(int fd)
{
    struct stat st;

    if (fd < 0 || gpu_sys_fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode))
        return NULL;
    list_for_each_entry (struct gpu_fd, end, &ends, link) {
        if (end->inode == st.st_ino && end->device == st.st_dev)
            return end;
    }
    return NULL;
}

void *gpu_fd_get(int fd, enum gpu_fd_kind kind)
{
    struct gpu_fd *end = find(fd);

    return end && end->kind == kind ? end->object : NULL;
}

void gpu_fd_send(struct gpu_fd *end, const void *data, size_t size)
{
    int error = errno;
    ssize_t sent = send(end->peer, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);

    (void)sent;
    errno = error;
}

static bool is_closed(const struct gpu_fd *end)
{
    struct pollfd poll_fd = {.fd = end->peer};

    return gpu_sys_poll(&poll_fd) == 1 && poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL);
}

static void destroy(struct gpu_fd *end)
{
    list_del(&end->link);
    end_count--;
    gpu_sys_close(end->peer);
    end->close(end->object);
    free(end);
}

void gpu_fd_sweep(void)
{
    int error = errno;

    list_for_each_entry_safe (struct gpu_fd, end, &ends, link) {
        if (is_closed(end))
            destroy(end);
    }
    errno = error;
}

int gpu_fd_close(int fd)
{
    struct gpu_fd *end = find(fd);
    int result = gpu_sys_close(fd), error = errno;

    if (end && is_closed(end))
        destroy(end);
    errno = error;
    return result;
}
