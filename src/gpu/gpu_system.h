/* SPDX-License-Identifier: MIT */
/* System calls for the library's own use, in place of the C functions that it replaces. They return
 * -1 (gpu_sys_mmap: MAP_FAILED) and set errno on failure. */
#ifndef GPU_SYSTEM_H
#define GPU_SYSTEM_H

#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int gpu_sys_close(int fd)
{
    return (int)syscall(SYS_close, fd);
}

static inline int gpu_sys_open(const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static inline void *gpu_sys_mmap(void *address, size_t size, int protection, int flags, int fd,
                                 int64_t offset)
{
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

static inline int gpu_sys_munmap(void *address, size_t size)
{
    return (int)syscall(SYS_munmap, address, size);
}

static inline int gpu_sys_fstat(int fd, struct stat *st)
{
    return (int)syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH);
}

static inline int64_t gpu_sys_lseek(int fd, int64_t offset, int whence)
{
    return syscall(SYS_lseek, fd, offset, whence);
}

/* Stores the time of CLOCK_MONOTONIC. Other preloaded libraries that change the C library's clocks
 * don't affect it. */
static inline void gpu_sys_clock(struct timespec *time)
{
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, time);
}

/* Polls one descriptor without waiting. Stores its events in fd->revents. Returns 1 if there are
 * any, 0 if there are none. */
static inline int gpu_sys_poll(struct pollfd *fd)
{
    struct timespec timeout = {0, 0};

    return (int)syscall(SYS_ppoll, fd, 1, &timeout, NULL, 0);
}

/* Returns 0 if the path exists, otherwise -1. */
static inline int gpu_sys_access(const char *path)
{
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, 0);
}

static inline int gpu_sys_ioctl(int fd, unsigned long request, void *arg)
{
    return (int)syscall(SYS_ioctl, fd, request, arg);
}

#endif
