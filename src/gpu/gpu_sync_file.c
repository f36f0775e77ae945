/* SPDX-License-Identifier: MIT */
/* Sync files: descriptors of fences (linux/sync_file.h). poll() reports POLLIN when the fence has
 * signaled. */
#include <errno.h>
#include <linux/sync_file.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_thread.h"
#include "gpu/gpu_user.h"
#include "util/list.h"

struct sync_file {
    struct list_head link; /* in `pending` until the descriptor is readable */
    struct gpu_fence *fence;
    struct gpu_fd *end;
    char name[32];
};

static struct list_head pending = {&pending, &pending};
static bool has_thread; /* runs poll_fences */

static void close_sync_file(void *object)
{
    struct sync_file *file = object;

    list_delinit(&file->link);
    gpu_fence_unref(file->fence);
    free(file);
}

/* Makes sync files readable whose fences other processes signal, while there are any. */
static void poll_fences(void *data)
{
    while (!list_is_empty(&pending)) {
        gpu_wait(INT64_MAX);
        gpu_sync_files_update();
    }
    has_thread = false;
}

void gpu_sync_files_after_fork(void)
{
    has_thread = false;
}

static int create(struct gpu_fence *fence, const char *name)
{
    struct sync_file *file = calloc(1, sizeof *file);
    int fd;

    if (!file)
        return -ENOMEM;
    file->end = gpu_fd_create(GPU_FD_SYNC_FILE, file, close_sync_file, &fd);
    if (!file->end) {
        free(file);
        return errno ? -errno : -ENOMEM;
    }
    file->fence = gpu_fence_ref(fence);
    memcpy(file->name, name, sizeof file->name);
    list_addtail(&file->link, &pending);
    gpu_sync_files_update();
    if (!list_is_empty(&file->link) && gpu_fence_is_polled(fence) && !has_thread)
        has_thread = gpu_thread_start(poll_fences, NULL);
    return fd;
}

int gpu_sync_file_create(struct gpu_fence *fence)
{
    return create(fence, (const char[32]){"i915"});
}

void gpu_sync_files_update(void)
{
    list_for_each_entry_safe (struct sync_file, file, &pending, link) {
        if (gpu_fence_is_signaled(file->fence)) {
            gpu_fd_send(file->end, "", 1);
            list_delinit(&file->link);
        }
    }
}

struct gpu_fence *gpu_sync_file_fence(int fd)
{
    struct sync_file *file = gpu_fd_get(fd, GPU_FD_SYNC_FILE);

    return file ? gpu_fence_ref(file->fence) : NULL;
}

static int status_of(const struct gpu_fence *fence)
{
    int error = gpu_fence_error(fence);

    return !gpu_fence_is_signaled(fence) ? 0 : error ? error : 1;
}

static int merge(struct sync_file *file, uint64_t arg)
{
    struct sync_file *other;
    struct sync_merge_data data;
    struct gpu_fence *fence;
    int fd;

    if (gpu_read_user(&data, arg, sizeof data) != 0)
        return -EFAULT;
    if (data.flags || data.pad)
        return -EINVAL;
    other = gpu_fd_get(data.fd2, GPU_FD_SYNC_FILE);
    if (!other)
        return -ENOENT;
    fence = gpu_fence_create_all((struct gpu_fence *[]){file->fence, other->fence}, 2);
    if (!fence)
        return -ENOMEM;
    data.name[sizeof data.name - 1] = 0;
    fd = create(fence, data.name);
    gpu_fence_unref(fence);
    if (fd < 0)
        return fd;
    data.fence = fd;
    if (gpu_write_user(arg, &data, sizeof data) != 0) {
        gpu_fd_close(fd);
        return -EFAULT;
    }
    return 0;
}

static int file_info(struct sync_file *file, uint64_t arg)
{
    struct sync_file_info info;
    struct sync_fence_info fence = {.obj_name = "i915", .driver_name = "i915"};

    if (gpu_read_user(&info, arg, sizeof info) != 0)
        return -EFAULT;
    if (info.flags || info.pad)
        return -EINVAL;
    memcpy(info.name, file->name, sizeof info.name);
    info.status = status_of(file->fence);
    if (info.num_fences) {
        fence.status = info.status;
        fence.timestamp_ns = gpu_fence_time(file->fence);
        if (gpu_write_user(info.sync_fence_info, &fence, sizeof fence) != 0)
            return -EFAULT;
    }
    info.num_fences = 1;
    return gpu_write_user(arg, &info, sizeof info);
}

int gpu_sync_file_ioctl(int fd, unsigned long request, uint64_t arg)
{
    struct sync_file *file = gpu_fd_get(fd, GPU_FD_SYNC_FILE);

    if (!file)
        return -ENOTTY;
    switch (request) {
    case SYNC_IOC_MERGE:
        return merge(file, arg);
    case SYNC_IOC_FILE_INFO:
        return file_info(file, arg);
    default:
        return -ENOTTY;
    }
}
