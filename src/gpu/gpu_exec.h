/* SPDX-License-Identifier: MIT */
/* State of one DRM_IOCTL_I915_GEM_EXECBUFFER2. All functions require the device's lock, and return
 * 0 or a negative errno unless stated otherwise. */
#ifndef GPU_EXEC_H
#define GPU_EXEC_H

#include <libdrm/i915_drm.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu_bo;
struct gpu_context;
struct gpu_fence;
struct gpu_file;
struct gpu_request;
struct gpu_syncobj;

struct gpu_exec_buffer {
    struct gpu_bo *bo; /* a reference */
    uint64_t size;     /* of its binding */
    uint64_t address;
};

/* A syncobj to wait for or to signal. */
struct gpu_exec_fence {
    struct gpu_syncobj *syncobj; /* a reference */
    uint64_t point;              /* of a timeline; 0: binary */
    uint32_t flags;              /* I915_EXEC_FENCE_* */
};

struct gpu_exec {
    struct gpu_file *file;
    struct drm_i915_gem_execbuffer2 *args;
    uint64_t number; /* of the batch, unique in the process */
    unsigned count;  /* of objects and buffers */
    unsigned batch;  /* index of the buffer with the batch */
    struct drm_i915_gem_exec_object2 *objects;
    struct gpu_exec_buffer *buffers;
    uint64_t batch_size; /* bytes from its start on */
    struct gpu_context *context;
    struct gpu_request *request;
    struct gpu_fence *in_fence; /* of a sync file, or NULL */
    unsigned fence_count;
    struct gpu_exec_fence *fences;
};

/* Returns an address with the sign extension that the kernel reports. */
uint64_t gpu_canonical(uint64_t address);

/* Returns whether a buffer is listed more than once. */
bool gpu_exec_has_duplicates(const struct gpu_exec *exec);
/* Performs the relocations of all buffers. */
int gpu_exec_relocate(struct gpu_exec *exec);
/* Unbinds the buffers without demanded addresses, and binds one that has one. */
int gpu_exec_evict_unpinned(struct gpu_exec *exec, unsigned pinned);

/* Reads the fences that the program passes. */
int gpu_exec_read_fences(struct gpu_exec *exec);
/* Makes the request wait for the fences. */
int gpu_exec_wait_fences(struct gpu_exec *exec);
/* Makes the request's fence the one of syncobjs and of a new sync file. */
int gpu_exec_signal_fences(struct gpu_exec *exec, struct gpu_fence *fence);
void gpu_exec_free_fences(struct gpu_exec *exec);

#endif
