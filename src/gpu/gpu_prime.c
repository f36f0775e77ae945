/* SPDX-License-Identifier: MIT */
/* Buffers that files, devices and processes share: dma-bufs (PRIME) and global names (flink). The
 * dma-buf of a buffer is its memfd. A memfd of another process is accepted if it is sealed against
 * shrinking. */
#include <errno.h>
#include <libdrm/drm.h>
#include <limits.h>
#include <linux/dma-buf.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/vfs.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_shared.h"
#include "gpu/gpu_system.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

static struct list_head shared = {&shared, &shared}; /* buffers whose descriptors programs have */
static struct gpu_table names;                       /* struct gpu_bo, by global name */

/* ---------------------------------------------------------------------------- dma-bufs --- */

struct gpu_bo *gpu_bo_find_fd(int fd)
{
    struct stat st;

    if (fd < 0 || list_is_empty(&shared) || gpu_sys_fstat(fd, &st) != 0)
        return NULL;
    list_for_each_entry (struct gpu_bo, bo, &shared, shared_link) {
        if (bo->inode == st.st_ino && bo->device == st.st_dev)
            return bo;
    }
    return NULL;
}

static bool share(struct gpu_bo *bo)
{
    struct stat st;

    if (bo->inode)
        return true;
    if (gpu_sys_fstat(bo->fd, &st) != 0)
        return false;
    if (!bo->is_import)
        gpu_bo_share(bo);
    bo->inode = st.st_ino;
    bo->device = st.st_dev;
    list_addtail(&bo->shared_link, &shared);
    return true;
}

void gpu_bo_forget_sharing(struct gpu_bo *bo)
{
    if (bo->inode)
        list_del(&bo->shared_link);
}

/* Opens the file of a descriptor again, with other flags. Returns a new descriptor or -1. */
static int open_again(int fd, int flags)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return gpu_sys_open(path, flags, 0);
}

int gpu_prime_handle_to_fd(struct gpu_file *file, void *data)
{
    struct drm_prime_handle *args = data;
    struct gpu_bo *bo;

    if (args->flags & ~(DRM_CLOEXEC | DRM_RDWR))
        return -EINVAL;
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    if (bo->fd < 0)
        return -EINVAL;
    if (!share(bo))
        return -ENOMEM;
    if (args->flags & DRM_RDWR || bo->is_import) {
        args->fd = fcntl(bo->fd, args->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
    } else {
        args->fd = open_again(bo->fd, O_RDONLY | (args->flags & DRM_CLOEXEC));
    }
    return args->fd < 0 ? -errno : 0;
}

/* Returns the size of the buffer that a descriptor stands for. *is_foreign: it is a dma-buf of
 * another device. Returns a negative errno if the descriptor is something else. */
static int64_t size_of(int fd, bool *is_foreign)
{
    struct statfs file_system;
    struct stat st;
    int64_t size;

    if (fstatfs(fd, &file_system) != 0)
        return -EBADF;
    *is_foreign = file_system.f_type == DMA_BUF_MAGIC;
    if (*is_foreign) {
        size = gpu_sys_lseek(fd, 0, SEEK_END);
    } else {
        int seals = fcntl(fd, F_GET_SEALS);

        if (seals < 0 || !(seals & F_SEAL_SHRINK) || gpu_sys_fstat(fd, &st) != 0)
            return -EINVAL;
        size = (int64_t)gpu_shared_buffer_size(fd);
        if (!size)
            size = st.st_size;
    }
    return size > 0 && size % GPU_PAGE == 0 ? size : -EINVAL;
}

/* Creates a buffer for a descriptor that is not known yet. Returns 0 or a negative errno. */
static int import(int fd, struct gpu_bo **bo)
{
    bool is_foreign;
    int64_t size = size_of(fd, &is_foreign);
    int own;

    if (size < 0)
        return (int)size;
    own = is_foreign ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : open_again(fd, O_RDWR | O_CLOEXEC);
    if (own < 0)
        return -errno;
    own = gpu_fd_hide(own);
    *bo = gpu_bo_create_import(own, (uint64_t)size, is_foreign);
    if (!*bo) {
        gpu_sys_close(own);
        return -ENOMEM;
    }
    if (share(*bo))
        return 0;
    gpu_bo_unref(*bo);
    return -ENOMEM;
}

int gpu_prime_fd_to_handle(struct gpu_file *file, void *data)
{
    struct drm_prime_handle *args = data;
    struct gpu_bo *bo = gpu_bo_ref(gpu_bo_find_fd(args->fd));
    int error = bo ? 0 : import(args->fd, &bo);

    if (error)
        return error;
    args->handle = gpu_bo_find_handle(file, bo);
    if (!args->handle)
        args->handle = gpu_bo_add_handle(file, bo);
    gpu_bo_unref(bo);
    return args->handle ? 0 : -ENOMEM;
}

static int sync_cpu(struct gpu_bo *bo, uint64_t arg)
{
    struct dma_buf_sync args;

    if (gpu_read_user(&args, arg, sizeof args) != 0)
        return -EFAULT;
    if (args.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK || !(args.flags & DMA_BUF_SYNC_RW))
        return -EINVAL;
    if (!(args.flags & DMA_BUF_SYNC_END)) {
        gpu_bo_ref(bo);
        gpu_bo_wait(bo, args.flags & DMA_BUF_SYNC_WRITE, INT64_MAX);
        gpu_bo_unref(bo);
    }
    return 0;
}

static int export_sync_file(struct gpu_bo *bo, uint64_t arg)
{
    struct dma_buf_export_sync_file args;
    struct gpu_fence *fence;
    int fd;

    if (gpu_read_user(&args, arg, sizeof args) != 0)
        return -EFAULT;
    if (args.flags & ~(uint32_t)DMA_BUF_SYNC_RW || !(args.flags & DMA_BUF_SYNC_RW))
        return -EINVAL;
    gpu_bo_update_uses(bo);
    fence = gpu_bo_fence(bo, args.flags & DMA_BUF_SYNC_WRITE);
    fd = fence ? gpu_sync_file_create(fence) : -ENOMEM;
    gpu_fence_unref(fence);
    if (fd < 0)
        return fd;
    args.fd = fd;
    if (gpu_write_user(arg, &args, sizeof args) != 0) {
        gpu_fd_close(fd);
        return -EFAULT;
    }
    return 0;
}

static int import_sync_file(struct gpu_bo *bo, uint64_t arg)
{
    struct dma_buf_import_sync_file args;
    struct gpu_fence *fence;
    bool added;

    if (gpu_read_user(&args, arg, sizeof args) != 0)
        return -EFAULT;
    if (args.flags & ~(uint32_t)DMA_BUF_SYNC_RW || !(args.flags & DMA_BUF_SYNC_RW))
        return -EINVAL;
    fence = gpu_sync_file_fence(args.fd);
    if (!fence)
        return -EINVAL;
    added = gpu_bo_add_use(bo, fence, GPU_RENDER, args.flags & DMA_BUF_SYNC_WRITE, false);
    gpu_fence_unref(fence);
    return added ? 0 : -ENOMEM;
}

uint64_t gpu_dma_buf_size(int fd)
{
    const struct gpu_bo *bo = gpu_bo_find_fd(fd);

    return bo ? bo->size : gpu_shared_buffer_size(fd);
}

/* Returns a reference to the buffer of a dma-buf, which this process may not have imported. Returns
 * NULL if it is one of another device, or something else. */
static struct gpu_bo *get_dma_buf(int fd)
{
    struct gpu_bo *bo = gpu_bo_ref(gpu_bo_find_fd(fd));

    if (!bo && (!gpu_shared_buffer_size(fd) || import(fd, &bo) != 0))
        return NULL;
    if (!bo->is_import)
        return bo;
    gpu_bo_unref(bo);
    return NULL;
}

int gpu_dma_buf_busy(int fd, bool for_writing)
{
    struct gpu_bo *bo = get_dma_buf(fd);
    struct gpu_fence *fence;
    int sync = -1;

    if (!bo)
        return -1;
    gpu_bo_update_uses(bo);
    fence = gpu_bo_fence(bo, for_writing);
    if (fence && !gpu_fence_is_signaled(fence))
        sync = gpu_sync_file_create(fence);
    gpu_fence_unref(fence);
    gpu_bo_unref(bo);
    return MAX2(sync, -1);
}

static int perform(struct gpu_bo *bo, unsigned long request, uint64_t arg)
{
    switch (request) {
    case DMA_BUF_IOCTL_SYNC:
        return sync_cpu(bo, arg);
    case DMA_BUF_IOCTL_EXPORT_SYNC_FILE:
        return export_sync_file(bo, arg);
    case DMA_BUF_IOCTL_IMPORT_SYNC_FILE:
        return import_sync_file(bo, arg);
    case DMA_BUF_SET_NAME_A:
    case DMA_BUF_SET_NAME_B:
        return 0;
    default:
        return -ENOTTY;
    }
}

int gpu_dma_buf_ioctl(int fd, unsigned long request, uint64_t arg)
{
    struct gpu_bo *bo = get_dma_buf(fd);
    int result;

    if (!bo)
        return -ENOTTY; /* the kernel handles dma-bufs of other devices */
    result = perform(bo, request, arg);
    gpu_bo_unref(bo);
    return result;
}

/* ------------------------------------------------------------------------ global names --- */

int gpu_gem_flink(struct gpu_file *file, void *data)
{
    struct drm_gem_flink *args = data;
    struct gpu_bo *bo = gpu_bo_get(file, args->handle);

    if (!bo)
        return -ENOENT;
    if (!names.first)
        gpu_table_init(&names, 1);
    if (!bo->name)
        bo->name = gpu_table_add(&names, bo);
    args->name = bo->name;
    return bo->name ? 0 : -ENOMEM;
}

int gpu_gem_open(struct gpu_file *file, void *data)
{
    struct drm_gem_open *args = data;
    struct gpu_bo *bo = gpu_table_get(&names, args->name);

    if (!bo)
        return -ENOENT;
    args->handle = gpu_bo_add_handle(file, bo);
    args->size = bo->size;
    return args->handle ? 0 : -ENOMEM;
}

void gpu_bo_forget_name(struct gpu_bo *bo)
{
    if (bo->name)
        gpu_table_remove(&names, bo->name);
    bo->name = 0;
}
