/* SPDX-License-Identifier: MIT */
/*
 * Replacements of C library functions, through which programs find the device. Each handles
 * descriptors and paths of the device itself, and calls the C library's function for all others.
 */
#undef _FILE_OFFSET_BITS /* so that open and open64 keep separate names */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_sw_sync.h"
#include "gpu/gpu_system.h"
#include "gpu/gpu_tree.h"
#include "util/macros.h"

#define EXPORT __attribute__((visibility("default")))

/* Returns the C library's function of that name, which this library replaces. */
#define REAL(name)                                                                                 \
    ({                                                                                             \
        static __typeof__(&name) real_;                                                            \
        __typeof__(&name) found_ = __atomic_load_n(&real_, __ATOMIC_RELAXED);                      \
                                                                                                   \
        if (!found_) {                                                                             \
            found_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                   \
            __atomic_store_n(&real_, found_, __ATOMIC_RELAXED);                                    \
        }                                                                                          \
        found_;                                                                                    \
    })

/* Converts a result from the kernel's convention to the C library's: sets errno and returns -1 for
 * a negative errno. */
static int64_t finish(int64_t result)
{
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

/* ------------------------------------------------------------------------------ device --- */

/* Returns a descriptor of a text with the number and size of all buffers, or a negative errno. */
static int open_objects(void)
{
    int fd = memfd_create("i915_gem_objects", MFD_CLOEXEC);
    unsigned count;
    uint64_t bytes;

    gpu_bo_get_totals(&count, &bytes);
    if (fd < 0 ||
        dprintf(fd, "%u shrinkable [0 free] objects, %llu bytes\n", count,
                (unsigned long long)bytes) < 0 ||
        lseek(fd, 0, SEEK_SET) != 0)
        return -errno;
    return fd;
}

static int open_node(enum gpu_node node, int flags)
{
    int fd;

    pthread_mutex_lock(&gpu_lock);
    if (node == GPU_NODE_OBJECTS)
        fd = open_objects();
    else if (node == GPU_NODE_SW_SYNC)
        fd = gpu_sw_sync_open();
    else
        fd = gpu_device_open(node == GPU_NODE_RENDER, flags);
    pthread_mutex_unlock(&gpu_lock);
    return (int)finish(fd);
}

/* Returns which device a descriptor refers to. */
static enum gpu_node node_of(int fd)
{
    enum gpu_node node = GPU_NODE_NONE;
    struct gpu_file *file;

    pthread_mutex_lock(&gpu_lock);
    file = gpu_fd_get(fd, GPU_FD_DEVICE);
    if (file)
        node = file->is_render ? GPU_NODE_RENDER : GPU_NODE_CARD;
    pthread_mutex_unlock(&gpu_lock);
    return node;
}

/* Returns which device a path in /proc/self/fd refers to. Such paths need special treatment because
 * sockets can't be opened there. */
static enum gpu_node find_proc_node(const char *path)
{
    char *end;
    long fd;
    int pid;

    if (!path || strncmp(path, "/proc/", 6) != 0)
        return GPU_NODE_NONE;
    path += 6;
    pid = (int)strtol(path, &end, 10);
    if (strncmp(path, "self", 4) == 0)
        end = (char *)path + 4;
    else if (pid != getpid())
        return GPU_NODE_NONE;
    if (strncmp(end, "/fd/", 4) != 0)
        return GPU_NODE_NONE;
    fd = strtol(end + 4, &end, 10);
    return *end || fd < 0 || fd > INT_MAX ? GPU_NODE_NONE : node_of((int)fd);
}

/* Replaces the descriptor of a file that stands for a device by one of the device. Returns the
 * descriptor to use. */
static int replace_node(int fd, int flags)
{
    enum gpu_node node;
    struct stat st;

    if (fd < 0 || flags & O_PATH || gpu_sys_fstat(fd, &st) != 0)
        return fd;
    node = gpu_tree_node(st.st_dev, st.st_ino);
    if (node == GPU_NODE_NONE)
        return fd;
    gpu_sys_close(fd);
    return open_node(node, flags);
}

/* Returns whether a path may name a file that stands for the device. */
static bool may_be_node(const char *path)
{
    const char *name = strrchr(path, '/');

    name = name ? name + 1 : path;
    return strncmp(name, "card", 4) == 0 || strncmp(name, "renderD", 7) == 0 ||
           strcmp(name, "sw_sync") == 0 || strcmp(name, "i915_gem_objects") == 0;
}

/* Returns whether a descriptor refers to the device. */
static bool is_device(int fd)
{
    bool is;

    pthread_mutex_lock(&gpu_lock);
    is = gpu_fd_get(fd, GPU_FD_DEVICE) != NULL;
    pthread_mutex_unlock(&gpu_lock);
    return is;
}

static int handle_ioctl(int fd, unsigned long request, uint64_t arg)
{
    int result = -ENOTTY;

    pthread_mutex_lock(&gpu_lock);
    switch (_IOC_TYPE(request)) {
    case 'd':
        result = gpu_device_ioctl(fd, request, arg);
        break;
    case DMA_BUF_BASE:
        result = gpu_dma_buf_ioctl(fd, request, arg);
        break;
    case GPU_SW_SYNC_MAGIC:
        result = gpu_sw_sync_ioctl(fd, request, arg);
        break;
    case SYNC_IOC_MAGIC:
        result = gpu_sync_file_ioctl(fd, request, arg);
        break;
    }
    pthread_mutex_unlock(&gpu_lock);
    return result;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    unsigned type = _IOC_TYPE(request);
    int result = -ENOTTY, error = errno;
    va_list list;
    void *arg;

    va_start(list, request);
    arg = va_arg(list, void *);
    va_end(list);
    request &= UINT32_MAX;
    if (type == 'd' || type == DMA_BUF_BASE || type == SYNC_IOC_MAGIC || type == GPU_SW_SYNC_MAGIC)
        result = handle_ioctl(fd, request, (uintptr_t)arg);
    errno = error;
    return result == -ENOTTY ? REAL(ioctl)(fd, request, arg) : (int)finish(result);
}

static void *map(void *address, size_t size, int protection, int flags, int fd, int64_t offset)
{
    struct gpu_file *file;
    int64_t result;

    pthread_mutex_lock(&gpu_lock);
    file = gpu_fd_get(fd, GPU_FD_DEVICE);
    result = file ? gpu_bo_mmap(file, address, size, protection, flags, (uint64_t)offset) : -EBADF;
    pthread_mutex_unlock(&gpu_lock);
    result = finish(result);
    return (void *)(intptr_t)result;
}

/* Waits for the batches that use memory of the program before it is unmapped or protected. */
static void prepare_unmap(void *address, size_t size)
{
    if (!gpu_bo_has_user_memory() || pthread_mutex_lock(&gpu_lock) != 0)
        return; /* EDEADLK: this library unmaps memory */
    gpu_bo_wait_for_user_memory((uintptr_t)address, size);
    pthread_mutex_unlock(&gpu_lock);
}

EXPORT int munmap(void *address, size_t size)
{
    prepare_unmap(address, size);
    return gpu_sys_munmap(address, size);
}

EXPORT int mprotect(void *address, size_t size, int protection)
{
    prepare_unmap(address, size);
    return REAL(mprotect)(address, size, protection);
}

EXPORT void *mremap(void *address, size_t size, size_t new_size, int flags, ...)
{
    void *new_address;
    va_list list;

    va_start(list, flags);
    new_address = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    prepare_unmap(address, size);
    if (flags & MREMAP_FIXED)
        prepare_unmap(new_address, new_size);
    return REAL(mremap)(address, size, new_size, flags, new_address);
}

#define MMAP(name, offset_type)                                                                    \
    EXPORT void *name(void *address, size_t size, int protection, int flags, int fd,               \
                      offset_type offset)                                                          \
    {                                                                                              \
        if (flags & MAP_FIXED)                                                                     \
            prepare_unmap(address, size);                                                          \
        if (fd >= 0 && !(flags & MAP_ANONYMOUS) && is_device(fd))                                  \
            return map(address, size, protection, flags, fd, offset);                              \
        return REAL(name)(address, size, protection, flags, fd, offset);                           \
    }

MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

/* Returns the size of a dma-buf of this library, or 0. */
static uint64_t dma_buf_size(int fd)
{
    uint64_t size;

    pthread_mutex_lock(&gpu_lock);
    size = gpu_dma_buf_size(fd);
    pthread_mutex_unlock(&gpu_lock);
    return size;
}

/* A dma-buf has a size, which programs get by seeking to its end, but no position. */
#define LSEEK(name, offset_type)                                                                   \
    EXPORT offset_type name(int fd, offset_type offset, int whence)                                \
    {                                                                                              \
        uint64_t size = offset != 0 || whence != SEEK_SET ? dma_buf_size(fd) : 0;                  \
                                                                                                   \
        if (!size)                                                                                 \
            return REAL(name)(fd, offset, whence);                                                 \
        if (offset == 0 && whence == SEEK_END)                                                     \
            return (offset_type)size;                                                              \
        errno = EINVAL;                                                                            \
        return -1;                                                                                 \
    }

LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)

/* Replaces a received descriptor of another process's device by one of this process's. A file of
 * the device belongs to one process, and X servers open the device for their clients. */
static void adopt(int fd)
{
    char label[64];
    int own;

    if (!gpu_fd_get_label(fd, label))
        return;
    pthread_mutex_lock(&gpu_lock);
    own = gpu_fd_get(fd, GPU_FD_DEVICE)
              ? -1
              : gpu_device_open(strcmp(label, "renderD128") == 0, O_RDWR | O_CLOEXEC);
    if (own >= 0)
        gpu_fd_replace(fd, own);
    pthread_mutex_unlock(&gpu_lock);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    ssize_t received = REAL(recvmsg)(fd, message, flags);
    int error = errno;

    if (received < 0 || !message->msg_controllen)
        return received;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t at = CMSG_LEN(0); at + sizeof fd <= c->cmsg_len; at += sizeof fd) {
            memcpy(&fd, (const char *)c + at, sizeof fd);
            adopt(fd);
        }
    }
    errno = error;
    return received;
}

/* -------------------------------------------------------------------------------- poll --- */

enum { MAX_POLLED = 64 }; /* number of dma-bufs that a call of poll() waits for */

/* A dma-buf in a list for poll(), which a sync file replaces. */
struct polled {
    nfds_t index;
    int fd;
    short events;
};

/* Replaces the dma-bufs in a list that are in use. POLLIN: they are written to; POLLOUT: they are
 * used. Returns their number. */
static unsigned replace_dma_bufs(struct pollfd *fds, nfds_t count, struct polled *polled)
{
    unsigned replaced = 0;

    for (nfds_t i = 0; i < count && replaced < MAX_POLLED; i++) {
        int sync;

        if (fds[i].fd < 0 || !(fds[i].events & (POLLIN | POLLOUT)) || !dma_buf_size(fds[i].fd))
            continue;
        pthread_mutex_lock(&gpu_lock);
        sync = gpu_dma_buf_busy(fds[i].fd, fds[i].events & POLLOUT);
        pthread_mutex_unlock(&gpu_lock);
        if (sync < 0)
            continue;
        polled[replaced++] = (struct polled){i, fds[i].fd, fds[i].events};
        fds[i].fd = sync;
        fds[i].events = POLLIN;
    }
    return replaced;
}

static void restore_dma_bufs(struct pollfd *fds, const struct polled *polled, unsigned count)
{
    int error = errno;

    for (unsigned i = 0; i < count; i++) {
        struct pollfd *fd = &fds[polled[i].index];

        close(fd->fd);
        fd->fd = polled[i].fd;
        fd->events = polled[i].events;
        if (fd->revents & POLLIN)
            fd->revents = fd->events & (POLLIN | POLLOUT);
    }
    errno = error;
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    struct polled polled[MAX_POLLED];
    unsigned replaced = replace_dma_bufs(fds, count, polled);
    int result = REAL(poll)(fds, count, timeout);

    restore_dma_bufs(fds, polled, replaced);
    return result;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                 const sigset_t *signals)
{
    struct polled polled[MAX_POLLED];
    unsigned replaced = replace_dma_bufs(fds, count, polled);
    int result = REAL(ppoll)(fds, count, timeout, signals);

    restore_dma_bufs(fds, polled, replaced);
    return result;
}

/* Variants that programs call if they are compiled with _FORTIFY_SOURCE. */
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size)
{
    return poll(fds, count, timeout);
}

EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                       const sigset_t *signals, size_t size)
{
    return ppoll(fds, count, timeout, signals);
}

EXPORT int close(int fd)
{
    int result;

    if (!gpu_fd_is_likely(fd))
        return REAL(close)(fd);
    pthread_mutex_lock(&gpu_lock);
    result = gpu_fd_close(fd);
    pthread_mutex_unlock(&gpu_lock);
    return result;
}

/* -------------------------------------------------------------------------------- open --- */

static mode_t mode_of(int flags, va_list list)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        const char *redirected = gpu_tree_redirect(path, buffer, sizeof buffer);                   \
        enum gpu_node node;                                                                        \
        va_list list;                                                                              \
        mode_t mode;                                                                               \
        int fd;                                                                                    \
                                                                                                   \
        va_start(list, flags);                                                                     \
        mode = mode_of(flags, list);                                                               \
        va_end(list);                                                                              \
        node = find_proc_node(path);                                                               \
        if (node != GPU_NODE_NONE && !(flags & O_PATH))                                            \
            return open_node(node, flags);                                                         \
        fd = REAL(name)(redirected, flags, mode);                                                  \
        return redirected != path ? replace_node(fd, flags) : fd;                                  \
    }

OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    EXPORT int name(int directory, const char *path, int flags, ...)                               \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        const char *redirected = gpu_tree_redirect_at(directory, path, buffer, sizeof buffer);     \
        enum gpu_node node;                                                                        \
        va_list list;                                                                              \
        mode_t mode;                                                                               \
        int fd;                                                                                    \
                                                                                                   \
        va_start(list, flags);                                                                     \
        mode = mode_of(flags, list);                                                               \
        va_end(list);                                                                              \
        node = find_proc_node(path);                                                               \
        if (node != GPU_NODE_NONE && !(flags & O_PATH))                                            \
            return open_node(node, flags);                                                         \
        fd = REAL(name)(directory, redirected, flags, mode);                                       \
        return redirected != path || may_be_node(path) ? replace_node(fd, flags) : fd;             \
    }

OPENAT(openat)
OPENAT(openat64)

/* Variants of open() that programs call if they are compiled with _FORTIFY_SOURCE. */
EXPORT int __open_2(const char *path, int flags)
{
    return open(path, flags, 0);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return open64(path, flags, 0);
}

EXPORT int __openat_2(int directory, const char *path, int flags)
{
    return openat(directory, path, flags, 0);
}

EXPORT int __openat64_2(int directory, const char *path, int flags)
{
    return openat64(directory, path, flags, 0);
}

#define FOPEN(name)                                                                                \
    EXPORT FILE *name(const char *path, const char *mode)                                          \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
                                                                                                   \
        return REAL(name)(gpu_tree_redirect(path, buffer, sizeof buffer), mode);                   \
    }

FOPEN(fopen)
FOPEN(fopen64)

EXPORT DIR *opendir(const char *path)
{
    char buffer[PATH_MAX];

    return REAL(opendir)(gpu_tree_redirect(path, buffer, sizeof buffer));
}

#define SCANDIR(name, entry)                                                                       \
    EXPORT int name(const char *path, struct entry ***entries,                                     \
                    int (*filter)(const struct entry *),                                           \
                    int (*compare)(const struct entry **, const struct entry **))                  \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
                                                                                                   \
        return REAL(name)(gpu_tree_redirect(path, buffer, sizeof buffer), entries, filter,         \
                          compare);                                                                \
    }

SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)

/* -------------------------------------------------------------------------------- stat --- */

#define PATCH(name, type)                                                                          \
    static int name(int result, int fd, struct type *st)                                           \
    {                                                                                              \
        enum gpu_node node;                                                                        \
        dev_t device;                                                                              \
        ino_t inode;                                                                               \
                                                                                                   \
        if (result != 0 || !(S_ISREG(st->st_mode) || S_ISSOCK(st->st_mode)))                       \
            return result;                                                                         \
        node = S_ISSOCK(st->st_mode) ? node_of(fd) : gpu_tree_node(st->st_dev, st->st_ino);        \
        if (node == GPU_NODE_CARD || node == GPU_NODE_RENDER) {                                    \
            st->st_mode = S_IFCHR | 0666;                                                          \
            st->st_rdev = rdev_of(node);                                                           \
            st->st_size = 0;                                                                       \
            st->st_nlink = 1;                                                                      \
            gpu_tree_file(node, &device, &inode);                                                  \
            st->st_dev = device;                                                                   \
            st->st_ino = inode;                                                                    \
        }                                                                                          \
        return result;                                                                             \
    }

static dev_t rdev_of(enum gpu_node node)
{
    return makedev(GPU_DRM_MAJOR, node == GPU_NODE_RENDER ? GPU_RENDER_MINOR : 0);
}

PATCH(patch, stat)
PATCH(patch64, stat64)

#define STAT(name, type, patch_function)                                                           \
    EXPORT int name(const char *path, struct type *st)                                             \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        const char *redirected = gpu_tree_redirect(path, buffer, sizeof buffer);                   \
                                                                                                   \
        return patch_function(REAL(name)(redirected, st), -1, st);                                 \
    }

STAT(stat, stat, patch)
STAT(stat64, stat64, patch64)
STAT(lstat, stat, patch)
STAT(lstat64, stat64, patch64)

#define FSTAT(name, type, patch_function)                                                          \
    EXPORT int name(int fd, struct type *st)                                                       \
    {                                                                                              \
        return patch_function(REAL(name)(fd, st), fd, st);                                         \
    }

FSTAT(fstat, stat, patch)
FSTAT(fstat64, stat64, patch64)

/* The C library's headers declare paths as never NULL, but newer kernels allow it. */
__attribute__((noinline)) static bool is_empty(const char *path)
{
    return !path || !*path;
}

#define FSTATAT(name, type, patch_function)                                                        \
    EXPORT int name(int directory, const char *path, struct type *st, int flags)                   \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        const char *redirected = gpu_tree_redirect_at(directory, path, buffer, sizeof buffer);     \
        int fd = is_empty(path) ? directory : -1;                                                  \
                                                                                                   \
        return patch_function(REAL(name)(directory, redirected, st, flags), fd, st);               \
    }

FSTATAT(fstatat, stat, patch)
FSTATAT(fstatat64, stat64, patch64)

/* Programs built with glibc before 2.33 call these. */
int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstat64(int version, int fd, struct stat64 *st);

#define XSTAT(name, type, patch_function)                                                          \
    EXPORT int name(int version, const char *path, struct type *st)                                \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        const char *redirected = gpu_tree_redirect(path, buffer, sizeof buffer);                   \
                                                                                                   \
        return patch_function(REAL(name)(version, redirected, st), -1, st);                        \
    }

XSTAT(__xstat, stat, patch)
XSTAT(__xstat64, stat64, patch64)
XSTAT(__lxstat, stat, patch)
XSTAT(__lxstat64, stat64, patch64)

#define FXSTAT(name, type, patch_function)                                                         \
    EXPORT int name(int version, int fd, struct type *st)                                          \
    {                                                                                              \
        return patch_function(REAL(name)(version, fd, st), fd, st);                                \
    }

FXSTAT(__fxstat, stat, patch)
FXSTAT(__fxstat64, stat64, patch64)

EXPORT int statx(int directory, const char *path, int flags, unsigned mask, struct statx *st)
{
    char buffer[PATH_MAX];
    int result = REAL(statx)(
        directory, gpu_tree_redirect_at(directory, path, buffer, sizeof buffer), flags, mask, st);
    struct stat node = {.st_mode = st->stx_mode, .st_ino = st->stx_ino};
    int fd = is_empty(path) ? directory : -1;

    if (result != 0)
        return result;
    node.st_dev = makedev(st->stx_dev_major, st->stx_dev_minor);
    patch(0, fd, &node);
    if (S_ISCHR(node.st_mode) && !S_ISCHR(st->stx_mode)) {
        st->stx_mode = (uint16_t)node.st_mode;
        st->stx_ino = node.st_ino;
        st->stx_dev_major = major(node.st_dev);
        st->stx_dev_minor = minor(node.st_dev);
        st->stx_rdev_major = major(node.st_rdev);
        st->stx_rdev_minor = minor(node.st_rdev);
        st->stx_size = 0;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- paths --- */

EXPORT int access(const char *path, int mode)
{
    char buffer[PATH_MAX];

    return REAL(access)(gpu_tree_redirect(path, buffer, sizeof buffer), mode);
}

EXPORT int faccessat(int directory, const char *path, int mode, int flags)
{
    char buffer[PATH_MAX];

    return REAL(faccessat)(directory, gpu_tree_redirect_at(directory, path, buffer, sizeof buffer),
                           mode, flags);
}

/* Removes the directory's name from the front of a link's target. Returns the new length. */
static ssize_t strip(char *text, ssize_t length, size_t size)
{
    char copy[PATH_MAX];
    const char *stripped;

    if (length <= 0 || (size_t)length >= sizeof copy)
        return length;
    memcpy(copy, text, (size_t)length);
    copy[length] = 0;
    stripped = gpu_tree_strip(copy);
    length = (ssize_t)strlen(stripped);
    memcpy(text, stripped, (size_t)length);
    return length;
}

/* Stores the path of a device like readlink does. */
static ssize_t store_node_path(enum gpu_node node, char *text, size_t size)
{
    const char *path = node == GPU_NODE_RENDER ? "/dev/dri/renderD128" : "/dev/dri/card0";
    size_t length = MIN2(strlen(path), size);

    memcpy(text, path, length);
    return (ssize_t)length;
}

EXPORT ssize_t readlink(const char *path, char *text, size_t size)
{
    enum gpu_node node = find_proc_node(path);
    char buffer[PATH_MAX];
    const char *redirected = gpu_tree_redirect(path, buffer, sizeof buffer);
    ssize_t length = node == GPU_NODE_NONE ? REAL(readlink)(redirected, text, size)
                                           : store_node_path(node, text, size);

    return redirected != path ? strip(text, length, size) : length;
}

EXPORT ssize_t readlinkat(int directory, const char *path, char *text, size_t size)
{
    enum gpu_node node = find_proc_node(path);
    char buffer[PATH_MAX];
    const char *redirected = gpu_tree_redirect_at(directory, path, buffer, sizeof buffer);
    ssize_t length = node == GPU_NODE_NONE ? REAL(readlinkat)(directory, redirected, text, size)
                                           : store_node_path(node, text, size);

    return redirected != path ? strip(text, length, size) : length;
}

EXPORT char *realpath(const char *path, char *resolved)
{
    char buffer[PATH_MAX];
    const char *redirected = gpu_tree_redirect(path, buffer, sizeof buffer);
    char *result = REAL(realpath)(redirected, resolved);

    if (result && redirected != path) {
        const char *stripped = gpu_tree_strip(result);

        memmove(result, stripped, strlen(stripped) + 1);
    }
    return result;
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    return realpath(path, resolved);
}

EXPORT char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}
