/* SPDX-License-Identifier: MIT */
/* Syncobjs, timelines and sync files. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "gpu_client.h"

/* The kernel's debugging interface for fences that a program signals. */
struct sw_sync_create {
    uint32_t value;
    char name[32];
    int32_t fence;
};

#define SW_SYNC_CREATE _IOWR('W', 0, struct sw_sync_create)
#define SW_SYNC_INC    _IOW('W', 1, uint32_t)

static uint32_t create_syncobj(int fd, uint32_t flags)
{
    struct drm_syncobj_create create = {.flags = flags};

    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);
    return create.handle;
}

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static int try_wait(int fd, const uint32_t *handles, uint32_t count, uint32_t flags,
                    int64_t timeout)
{
    struct drm_syncobj_wait wait = {.handles = (uintptr_t)handles,
                                    .count_handles = count,
                                    .flags = flags,
                                    .timeout_nsec = now() + timeout};

    return try_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

static void test_syncobj(void **state)
{
    int fd = open_render();
    uint32_t empty = create_syncobj(fd, 0),
             signaled = create_syncobj(fd, DRM_SYNCOBJ_CREATE_SIGNALED);
    uint32_t both[2] = {empty, signaled};
    struct drm_syncobj_wait any = {.handles = (uintptr_t)both,
                                   .count_handles = 2,
                                   .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
                                   .timeout_nsec = 0};

    assert_int_equal(try_wait(fd, &empty, 1, 0, 0), EINVAL); /* it has no fence */
    assert_int_equal(try_wait(fd, &signaled, 1, 0, 0), 0);
    assert_int_equal(try_wait(fd, &(uint32_t){999}, 1, 0, 0), ENOENT);
    assert_int_equal(try_wait(fd, (uint32_t *)16, 1, 0, 0), EFAULT);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &any);
    assert_int_equal(any.first_signaled, 1);
    assert_int_equal(
        try_wait(fd, both, 2,
                 DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, 1000000),
        ETIME);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL,
             &(struct drm_syncobj_array){.handles = (uintptr_t)&empty, .count_handles = 1});
    assert_int_equal(try_wait(fd, both, 2, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, 0), 0);
    assert_int_equal(
        try_ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &(struct drm_syncobj_destroy){.handle = 999}),
        EINVAL);
    close(fd);
}

static void *signal_later(void *data)
{
    int fd = ((int *)data)[0];
    uint32_t handle = ((uint32_t *)data)[1];

    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL,
          &(struct drm_syncobj_array){.handles = (uintptr_t)&handle, .count_handles = 1});
    return NULL;
}

static void test_wait_for_thread(void **state)
{
    int fd = open_render();
    uint32_t handle = create_syncobj(fd, 0), data[2] = {(uint32_t)fd, handle};
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, signal_later, data), 0);
    assert_int_equal(try_wait(fd, &handle, 1, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, 5000000000ll),
                     0);
    pthread_join(thread, NULL);
    close(fd);
}

static uint64_t query_point(int fd, uint32_t handle)
{
    uint64_t point = 99;
    struct drm_syncobj_timeline_array args = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1};

    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_QUERY, &args);
    return point;
}

static void test_timeline(void **state)
{
    int fd = open_render();
    uint32_t handle = create_syncobj(fd, 0), copy = create_syncobj(fd, 0);
    uint64_t point = 5;
    struct drm_syncobj_timeline_array signal = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1};
    struct drm_syncobj_timeline_wait wait = {.handles = (uintptr_t)&handle,
                                             .points = (uintptr_t)&point,
                                             .count_handles = 1,
                                             .timeout_nsec = 0};

    assert_int_equal(query_point(fd, handle), 0);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal);
    assert_int_equal(query_point(fd, handle), 5);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
    point = 3; /* an earlier point has been reached, too */
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
    point = 6;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), EINVAL);
    wait.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait), ETIME);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TRANSFER,
             &(struct drm_syncobj_transfer){
                 .src_handle = handle, .dst_handle = copy, .src_point = 5, .dst_point = 8});
    assert_int_equal(query_point(fd, copy), 8);
    close(fd);
}

static bool is_readable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

    return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLIN;
}

static int create_fence(int timeline, uint32_t value)
{
    struct sw_sync_create create = {.value = value, .name = "test"};

    do_ioctl(timeline, SW_SYNC_CREATE, &create);
    return create.fence;
}

static void test_sync_files(void **state)
{
    int fd = open_render(), timeline = open("/sys/kernel/debug/sync/sw_sync", O_RDWR);
    int first = create_fence(timeline, 1), second = create_fence(timeline, 2);
    struct sync_merge_data merge = {.fd2 = second};
    struct sync_file_info info = {0};
    uint32_t handle = create_syncobj(fd, 0);
    struct drm_syncobj_handle import = {
        .handle = handle, .fd = first, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};

    assert_true(timeline >= 0);
    do_ioctl(first, SYNC_IOC_MERGE, &merge);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
    assert_int_equal(try_wait(fd, &handle, 1, 0, 1000000), ETIME);
    do_ioctl(timeline, SW_SYNC_INC, &(uint32_t){1});
    assert_int_equal(try_wait(fd, &handle, 1, 0, 0), 0);
    assert_true(is_readable(first) && !is_readable(second) && !is_readable(merge.fence));
    do_ioctl(timeline, SW_SYNC_INC, &(uint32_t){1});
    assert_true(is_readable(second) && is_readable(merge.fence));
    do_ioctl(merge.fence, SYNC_IOC_FILE_INFO, &info);
    assert_int_equal(info.status, 1);
    import.fd = fd; /* not a sync file */
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import), EINVAL);
    close(first);
    close(second);
    close(merge.fence);
    close(timeline);
    close(fd);
}

const struct CMUnitTest sync_tests[] = {
    cmocka_unit_test(test_syncobj),
    cmocka_unit_test(test_wait_for_thread),
    cmocka_unit_test(test_timeline),
    cmocka_unit_test(test_sync_files),
    {0},
};
