/* SPDX-License-Identifier: MIT */
/* The kernel's debugging interface sw_sync: timelines whose fences a program signals itself. */
#include "gpu/gpu_sw_sync.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_user.h"
#include "util/list.h"

struct create_args {
    uint32_t value;
    char name[32];
    int32_t fence; /* the descriptor of the new sync file */
};

#define CREATE_FENCE _IOWR('W', 0, struct create_args)
#define INCREMENT    _IOW('W', 1, uint32_t)

/* A fence that signals when its timeline reaches a value. */
struct point {
    struct list_head link;
    uint32_t value;
    struct gpu_fence *fence;
};

struct sw_timeline {
    uint32_t value;
    struct list_head points;
};

static void signal_point(struct point *point, int error)
{
    list_del(&point->link);
    gpu_fence_signal(point->fence, error);
    gpu_fence_unref(point->fence);
    free(point);
}

static void close_timeline(void *object)
{
    struct sw_timeline *timeline = object;

    list_for_each_entry_safe (struct point, point, &timeline->points, link)
        signal_point(point, -ENOENT);
    free(timeline);
}

int gpu_sw_sync_open(void)
{
    struct sw_timeline *timeline = calloc(1, sizeof *timeline);
    int fd;

    if (!timeline)
        return -ENOMEM;
    list_init(&timeline->points);
    if (!gpu_fd_create(GPU_FD_SW_SYNC, timeline, close_timeline, &fd)) {
        free(timeline);
        return errno ? -errno : -ENOMEM;
    }
    return fd;
}

static int create_fence(struct sw_timeline *timeline, uint64_t arg)
{
    struct create_args args;
    struct point *point;

    if (gpu_read_user(&args, arg, sizeof args) != 0)
        return -EFAULT;
    point = calloc(1, sizeof *point);
    if (!point)
        return -ENOMEM;
    point->value = args.value;
    point->fence = gpu_fence_create();
    args.fence = point->fence ? gpu_sync_file_create(point->fence) : -ENOMEM;
    if (args.fence < 0 || gpu_write_user(arg, &args, sizeof args) != 0) {
        gpu_fence_unref(point->fence);
        free(point);
        if (args.fence < 0)
            return args.fence;
        gpu_fd_close(args.fence);
        return -EFAULT;
    }
    list_addtail(&point->link, &timeline->points);
    if ((int32_t)(timeline->value - point->value) >= 0)
        signal_point(point, 0);
    return 0;
}

static int increment(struct sw_timeline *timeline, uint64_t arg)
{
    uint32_t value;

    if (gpu_read_user(&value, arg, sizeof value) != 0)
        return -EFAULT;
    timeline->value += value;
    list_for_each_entry_safe (struct point, point, &timeline->points, link) {
        if ((int32_t)(timeline->value - point->value) >= 0)
            signal_point(point, 0);
    }
    return 0;
}

int gpu_sw_sync_ioctl(int fd, unsigned long request, uint64_t arg)
{
    struct sw_timeline *timeline = gpu_fd_get(fd, GPU_FD_SW_SYNC);

    if (!timeline)
        return -ENOTTY;
    switch (request) {
    case CREATE_FENCE:
        return create_fence(timeline, arg);
    case INCREMENT:
        return increment(timeline, arg);
    default:
        return -ENOTTY;
    }
}
