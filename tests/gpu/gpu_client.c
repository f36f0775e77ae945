/* SPDX-License-Identifier: MIT */
/* Calls ioctl() as any program does. */
#include "gpu_client.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

int open_card(void)
{
    int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);

    assert_true(fd >= 0);
    return fd;
}

int open_render(void)
{
    int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

    assert_true(fd >= 0);
    return fd;
}

int try_ioctl(int fd, unsigned long request, void *arg)
{
    return ioctl(fd, request, arg) == 0 ? 0 : errno;
}

void do_ioctl(int fd, unsigned long request, void *arg)
{
    assert_int_equal(try_ioctl(fd, request, arg), 0);
}

uint32_t create_buffer(int fd, uint64_t size)
{
    struct drm_i915_gem_create create = {.size = size};

    do_ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create);
    assert_true(create.size >= size && create.size % 4096 == 0);
    return create.handle;
}

void close_buffer(int fd, uint32_t handle)
{
    do_ioctl(fd, DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){.handle = handle});
}

int try_pwrite(int fd, uint32_t handle, uint64_t offset, const void *data, uint64_t size)
{
    struct drm_i915_gem_pwrite args = {
        .handle = handle, .offset = offset, .size = size, .data_ptr = (uintptr_t)data};

    return try_ioctl(fd, DRM_IOCTL_I915_GEM_PWRITE, &args);
}

int try_pread(int fd, uint32_t handle, uint64_t offset, void *data, uint64_t size)
{
    struct drm_i915_gem_pread args = {
        .handle = handle, .offset = offset, .size = size, .data_ptr = (uintptr_t)data};

    return try_ioctl(fd, DRM_IOCTL_I915_GEM_PREAD, &args);
}

uint32_t read_dword(int fd, uint32_t handle, uint64_t offset)
{
    uint32_t value = 0;

    assert_int_equal(try_pread(fd, handle, offset, &value, sizeof value), 0);
    return value;
}

uint64_t mmap_offset(int fd, uint32_t handle)
{
    struct drm_i915_gem_mmap_offset args = {.handle = handle, .flags = I915_MMAP_OFFSET_WB};

    do_ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &args);
    return args.offset;
}

int get_param(int fd, int param)
{
    int value = 0;

    do_ioctl(fd, DRM_IOCTL_I915_GETPARAM,
             &(struct drm_i915_getparam){.param = param, .value = &value});
    return value;
}

bool has_model(int fd)
{
    return get_param(fd, I915_PARAM_CHIPSET_ID) == SKL;
}

bool has_ppgtt(int fd)
{
    return get_param(fd, I915_PARAM_HAS_ALIASING_PPGTT) == 2;
}

uint32_t create_batch(int fd, const uint32_t *dwords, unsigned count)
{
    uint32_t handle = create_buffer(fd, PAGE);

    assert_int_equal(try_pwrite(fd, handle, 0, dwords, count * sizeof *dwords), 0);
    return handle;
}

int try_exec(int fd, struct drm_i915_gem_exec_object2 *objects, unsigned count, uint64_t flags,
             uint32_t context)
{
    struct drm_i915_gem_execbuffer2 args = {
        .buffers_ptr = (uintptr_t)objects, .buffer_count = count, .flags = flags, .rsvd1 = context};

    return try_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args);
}

int wait_for(int fd, uint32_t handle)
{
    return try_ioctl(fd, DRM_IOCTL_I915_GEM_WAIT,
                     &(struct drm_i915_gem_wait){.bo_handle = handle, .timeout_ns = -1});
}
