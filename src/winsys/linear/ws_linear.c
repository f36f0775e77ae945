/* SPDX-License-Identifier: MIT */
#include "winsys/linear/ws_linear.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/write_signals.h"
#include "winsys/linear/ws_drm.h"

static int retry_ioctl(int fd, unsigned long request, void *data)
{
    int result;

    do
        result = ioctl(fd, request, data);
    while (result != 0 && (errno == EINTR || errno == EAGAIN));
    return result;
}

static void *map_file(int fd, size_t size, off_t offset)
{
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

    return map == MAP_FAILED ? NULL : map;
}

/* --- GEM handles --- */

/* A device has one handle per buffer, without a count of its users: importing a buffer that has a
 * handle returns that one. Therefore the uses of handles are counted here. A handle that the
 * application has imported itself on the same device is not known. */
struct handle_use {
    struct handle_use *next;
    int device;
    uint32_t handle;
    unsigned count;
};

static struct handle_use *handle_uses;
static pthread_mutex_t handle_mutex = PTHREAD_MUTEX_INITIALIZER;

static void close_handle(int device, uint32_t handle)
{
    struct drm_gem_close gone = {.handle = handle};

    retry_ioctl(device, DRM_IOCTL_GEM_CLOSE, &gone);
}

/* Returns the link to the entry of a handle, or the link at the end. Requires the mutex. */
static struct handle_use **find_use(int device, uint32_t handle)
{
    struct handle_use **link = &handle_uses;

    while (*link && ((*link)->device != device || (*link)->handle != handle))
        link = &(*link)->next;
    return link;
}

/* Counts a use of a new or known handle. Requires the mutex. Returns false if out of memory; the
 * handle is then closed. */
static bool add_use(int device, uint32_t handle)
{
    struct handle_use **link = find_use(device, handle);

    if (!*link) {
        *link = malloc(sizeof **link);
        if (!*link) {
            close_handle(device, handle);
            return false;
        }
        **link = (struct handle_use){.device = device, .handle = handle};
    }
    (*link)->count++;
    return true;
}

/* Closes the handle if this was its last use. */
static void drop_use(int device, uint32_t handle)
{
    pthread_mutex_lock(&handle_mutex);
    struct handle_use **link = find_use(device, handle), *use = *link;
    if (use && --use->count == 0) {
        *link = use->next;
        free(use);
        close_handle(device, handle);
    }
    pthread_mutex_unlock(&handle_mutex);
}

/* --- memory --- */

static bool create_dumb(struct ws_linear *l, unsigned width, unsigned height, unsigned bits)
{
    struct drm_mode_create_dumb made = {.width = width, .height = height, .bpp = bits};
    struct drm_mode_map_dumb where = {0};

    pthread_mutex_lock(&handle_mutex);
    const bool known = retry_ioctl(l->device, DRM_IOCTL_MODE_CREATE_DUMB, &made) == 0 &&
                       add_use(l->device, made.handle);
    pthread_mutex_unlock(&handle_mutex);
    if (!known)
        return false;
    l->handle = made.handle;
    l->dumb = true;
    l->stride = made.pitch;
    l->size = made.size;
    where.handle = made.handle;
    if (retry_ioctl(l->device, DRM_IOCTL_MODE_MAP_DUMB, &where) == 0)
        l->map = map_file(l->device, l->size, (off_t)where.offset);
    return l->map;
}

/* Returns a dma-buf of the memfd's pages, or the memfd itself. Takes ownership of the memfd. */
static int udmabuf_of(int memfd, size_t size)
{
    int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), made = -1;

    if (device >= 0) {
        struct udmabuf_create create = {
            .memfd = memfd, .flags = UDMABUF_FLAGS_CLOEXEC, .size = size};

        made = ioctl(device, UDMABUF_CREATE, &create);
        close(device);
    }
    if (made < 0)
        return memfd;
    close(memfd);
    return made;
}

static bool create_memfd(struct ws_linear *l, unsigned width, unsigned height, unsigned bits)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int fd;

    l->stride = ALIGN_POT((width * bits + 7) / 8, 64);
    l->size = ALIGN_POT((size_t)l->stride * height, page);
    fd = memfd_create("indium", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return false;
    if (!util_set_file_size(fd, (off_t)l->size) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0 ||
        !(l->map = map_file(fd, l->size, 0))) {
        close(fd);
        return false;
    }
    l->fd = udmabuf_of(fd, l->size);
    return true;
}

static struct ws_linear *alloc(int device)
{
    struct ws_linear *l = calloc(1, sizeof *l);

    if (l)
        *l = (struct ws_linear){.refs = 1, .device = device, .fd = -1};
    return l;
}

struct ws_linear *ws_linear_create(int device, unsigned width, unsigned height,
                                   unsigned bits_per_pixel)
{
    struct ws_linear *l;

    if (width == 0 || height == 0 || width > 65536 || height > 65536)
        return NULL;
    l = alloc(device);
    if (!l)
        return NULL;
    if (device >= 0 && create_dumb(l, width, height, bits_per_pixel))
        return l;
    if (!l->dumb && create_memfd(l, width, height, bits_per_pixel))
        return l;
    ws_linear_unref(l);
    return NULL;
}

/* Returns whether the file cannot shrink while it is mapped. dma-bufs never shrink. */
static bool cannot_shrink(int fd)
{
    struct dma_buf_sync sync = {DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ};
    int seals = fcntl(fd, F_GET_SEALS);

    if (seals >= 0)
        return seals & F_SEAL_SHRINK;
    if (retry_ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync) != 0)
        return false;
    sync.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ;
    retry_ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync);
    return true;
}

struct ws_linear *ws_linear_import(int device, int fd)
{
    struct ws_linear *l;
    off_t size;

    if (fd < 0 || !cannot_shrink(fd))
        return NULL;
    size = lseek(fd, 0, SEEK_END);
    lseek(fd, 0, SEEK_SET);
    l = size > 0 ? alloc(device) : NULL;
    if (!l)
        return NULL;
    l->size = (size_t)size;
    l->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (l->fd >= 0)
        l->map = map_file(l->fd, l->size, 0);
    if (l->map)
        return l;
    ws_linear_unref(l);
    return NULL;
}

struct ws_linear *ws_linear_ref(struct ws_linear *l)
{
    __atomic_add_fetch(&l->refs, 1, __ATOMIC_RELAXED);
    return l;
}

void ws_linear_unref(struct ws_linear *l)
{
    if (!l || __atomic_sub_fetch(&l->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (l->map)
        munmap(l->map, l->size);
    if (l->fd >= 0)
        close(l->fd);
    if (l->handle)
        drop_use(l->device, l->handle);
    free(l);
}

int ws_linear_export(struct ws_linear *l)
{
    struct drm_prime_handle prime = {.handle = l->handle, .flags = DRM_CLOEXEC | DRM_RDWR};

    if (l->fd >= 0)
        return fcntl(l->fd, F_DUPFD_CLOEXEC, 0);
    if (retry_ioctl(l->device, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != 0)
        return -1;
    return prime.fd;
}

uint32_t ws_linear_handle(struct ws_linear *l)
{
    pthread_mutex_lock(&handle_mutex);
    if (!l->handle && l->device >= 0) {
        struct drm_prime_handle prime = {.fd = l->fd};

        if (retry_ioctl(l->device, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) == 0 &&
            add_use(l->device, prime.handle))
            l->handle = prime.handle;
    }
    const uint32_t handle = l->handle;
    pthread_mutex_unlock(&handle_mutex);
    return handle;
}

static void sync_caches(const struct ws_linear *l, uint64_t flags)
{
    struct dma_buf_sync sync = {flags};

    /* fails for files that are not dma-bufs, which need no cache synchronization */
    if (l->fd >= 0)
        retry_ioctl(l->fd, DMA_BUF_IOCTL_SYNC, &sync);
}

void ws_linear_begin(const struct ws_linear *l, bool write)
{
    sync_caches(l, DMA_BUF_SYNC_START | (write ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ));
}

void ws_linear_end(const struct ws_linear *l, bool write)
{
    sync_caches(l, DMA_BUF_SYNC_END | (write ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ));
}
