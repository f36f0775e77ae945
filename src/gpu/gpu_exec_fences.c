/* SPDX-License-Identifier: MIT */
/* Explicit fences of execbuffers: sync files, and syncobjs with and without timelines. */
#include <errno.h>
#include <stdlib.h>

#include "gpu/gpu_exec.h"
#include "gpu/gpu_extension.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_syncobj.h"
#include "gpu/gpu_timeline.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

enum { MAX_FENCES = 1 << 20 };

/* Adds fences to those of earlier calls. values: an array of points, or 0 for binary syncobjs. */
static int add_fences(struct gpu_exec *exec, uint64_t handles, uint64_t values, uint64_t count)
{
    struct gpu_exec_fence *fences;

    if (!count)
        return 0;
    if (count > MAX_FENCES || exec->fence_count > MAX_FENCES)
        return -EINVAL;
    fences = realloc(exec->fences, (exec->fence_count + count) * sizeof exec->fences[0]);
    if (!fences)
        return -ENOMEM;
    exec->fences = fences;
    for (uint64_t i = 0; i < count; i++) {
        struct drm_i915_gem_exec_fence fence;
        struct gpu_exec_fence *added = &exec->fences[exec->fence_count];

        if (gpu_read_user(&fence, handles + i * sizeof fence, sizeof fence) != 0)
            return -EFAULT;
        if (fence.flags & __I915_EXEC_FENCE_UNKNOWN_FLAGS)
            return -EINVAL;
        added->point = 0;
        if (values && gpu_read_user(&added->point, values + i * sizeof added->point,
                                    sizeof added->point) != 0)
            return -EFAULT;
        if (added->point && fence.flags & I915_EXEC_FENCE_WAIT &&
            fence.flags & I915_EXEC_FENCE_SIGNAL)
            return -EINVAL; /* a batch can't wait for itself */
        added->syncobj = gpu_syncobj_get(exec->file, fence.handle);
        if (!added->syncobj)
            return -ENOENT;
        added->flags = fence.flags;
        exec->fence_count++;
    }
    return 0;
}

static int add_timeline_fences(void *data, uint64_t address)
{
    struct drm_i915_gem_execbuffer_ext_timeline_fences args;
    struct gpu_exec *exec = data;

    if (gpu_read_user(&args, address, sizeof args) != 0)
        return -EFAULT;
    return add_fences(exec, args.handles_ptr, args.values_ptr, args.fence_count);
}

static int read_extensions(struct gpu_exec *exec)
{
    static const gpu_extension_handler handlers[] = {
        [DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES] = add_timeline_fences,
    };
    const struct drm_i915_gem_execbuffer2 *args = exec->args;

    /* The array of fences uses the same members of args. */
    if (args->flags & I915_EXEC_FENCE_ARRAY || args->num_cliprects)
        return -EINVAL;
    return gpu_for_each_extension(args->cliprects_ptr, handlers, ARRAY_SIZE(handlers), exec);
}

int gpu_exec_read_fences(struct gpu_exec *exec)
{
    const struct drm_i915_gem_execbuffer2 *args = exec->args;
    const uint64_t in = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT;
    int error = 0;

    if (args->flags & I915_EXEC_USE_EXTENSIONS)
        error = read_extensions(exec);
    else if (args->flags & I915_EXEC_FENCE_ARRAY)
        error = add_fences(exec, args->cliprects_ptr, 0, args->num_cliprects);
    if (error)
        return error;
    if (args->flags & in) {
        if ((args->flags & in) == in)
            return -EINVAL;
        exec->in_fence = gpu_sync_file_fence((int32_t)args->rsvd2);
        if (!exec->in_fence)
            return -EINVAL;
    }
    return 0;
}

int gpu_exec_wait_fences(struct gpu_exec *exec)
{
    if (exec->in_fence && exec->args->flags & I915_EXEC_FENCE_SUBMIT)
        exec->request->after_start = gpu_fence_ref(exec->in_fence);
    else if (exec->in_fence && !gpu_request_add_dependency(exec->request, exec->in_fence))
        return -ENOMEM;
    for (unsigned i = 0; i < exec->fence_count; i++) {
        struct gpu_fence *fence;
        bool added;

        if (!(exec->fences[i].flags & I915_EXEC_FENCE_WAIT))
            continue;
        fence = gpu_syncobj_fence(exec->fences[i].syncobj, exec->fences[i].point);
        if (!fence)
            return -EINVAL;
        added = gpu_request_add_dependency(exec->request, fence);
        gpu_fence_unref(fence);
        if (!added)
            return -ENOMEM;
    }
    return 0;
}

int gpu_exec_signal_fences(struct gpu_exec *exec, struct gpu_fence *fence)
{
    int fd = -1;

    if (exec->args->flags & I915_EXEC_FENCE_OUT) {
        fd = gpu_sync_file_create(fence);
        if (fd < 0)
            return fd;
    }
    for (unsigned i = 0; i < exec->fence_count; i++) {
        struct gpu_exec_fence *signaled = &exec->fences[i];
        bool done = true;

        if (!(signaled->flags & I915_EXEC_FENCE_SIGNAL))
            continue;
        done = signaled->point ? gpu_syncobj_add_point(signaled->syncobj, signaled->point, fence)
                               : gpu_syncobj_replace(signaled->syncobj, fence);
        if (!done) {
            if (fd >= 0)
                gpu_fd_close(fd);
            return -ENOMEM;
        }
    }
    if (fd >= 0)
        exec->args->rsvd2 = (exec->args->rsvd2 & 0xffffffff) | (uint64_t)fd << 32;
    return 0;
}

void gpu_exec_free_fences(struct gpu_exec *exec)
{
    for (unsigned i = 0; i < exec->fence_count; i++)
        gpu_syncobj_unref(exec->fences[i].syncobj);
    free(exec->fences);
    gpu_fence_unref(exec->in_fence);
}
