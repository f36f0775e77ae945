/* SPDX-License-Identifier: MIT */
/* State of one DRM_IOCTL_I915_GEM_EXECBUFFER2. All functions require the device's lock. Those that
 * return int return 0 or a negative errno. */
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

/* A buffer of the program's list. */
struct gpu_exec_buffer {
    struct gpu_bo *bo; /* a reference */
    uint64_t size;     /* of its binding, in bytes */
    uint64_t address;  /* 48 bits, not canonical */
};

/* A syncobj to wait for or to signal. */
struct gpu_exec_fence {
    struct gpu_syncobj *syncobj; /* a reference */
    uint64_t point;              /* of a timeline; 0: binary */
    uint32_t flags;              /* I915_EXEC_FENCE_* */
};

struct gpu_exec {
    struct gpu_file *file;
    struct drm_i915_gem_execbuffer2 *args;     /* copy of the program's; rsvd2 is also an output */
    uint64_t number;                           /* number of the batch, unique in the process */
    unsigned count;                            /* number of elements of objects and buffers */
    unsigned batch;                            /* index of the buffer with the batch */
    struct drm_i915_gem_exec_object2 *objects; /* copy of the program's list */
    struct gpu_exec_buffer *buffers;           /* one for each object */
    uint64_t batch_size;                       /* in bytes, from args->batch_start_offset on */
    struct gpu_context *context;               /* a reference, or NULL before it is looked up */
    struct gpu_request *request; /* owned; NULL before its creation and after its submission */
    struct gpu_fence *in_fence;  /* a reference: fence of the sync file to wait for, or NULL */
    unsigned fence_count;        /* number of elements of `fences` */
    struct gpu_exec_fence *fences;
};

/* Returns the canonical form of an address, as the kernel reports it: bits 63:48 equal bit 47. */
uint64_t gpu_canonical(uint64_t address);

/* Returns -EINVAL if a buffer is listed more than once, or -ENOMEM. */
int gpu_exec_check_duplicates(const struct gpu_exec *exec);
/* Performs the relocations of all buffers, whose addresses must be set, and updates those in the
 * program's memory. Also sets EXEC_OBJECT_WRITE for buffers that relocations declare as written.
 * Does nothing if all buffers are where the program expects them and it guarantees that the
 * relocations are then right (I915_EXEC_NO_RELOC). Releases the lock while it waits for buffers. */
int gpu_exec_relocate(struct gpu_exec *exec);

/* Reads the program's fences into in_fence and fences. Call gpu_exec_free_fences afterwards, even
 * after an error. */
int gpu_exec_read_fences(struct gpu_exec *exec);
/* Makes exec->request depend on the fences to wait for; with I915_EXEC_FENCE_SUBMIT, on the start
 * of in_fence's batches, not their completion. Returns -EINVAL if a syncobj has no fence for the
 * point, or -ENOMEM. */
int gpu_exec_wait_fences(struct gpu_exec *exec);
/* Stores `fence`, the request's, in the syncobjs to signal. With I915_EXEC_FENCE_OUT, also creates
 * a sync file and stores its descriptor in bits 63:32 of args->rsvd2. After -ENOMEM, some syncobjs
 * may have the fence. */
int gpu_exec_signal_fences(struct gpu_exec *exec, struct gpu_fence *fence);
/* Drops the references of in_fence and fences, and frees the array. */
void gpu_exec_free_fences(struct gpu_exec *exec);

#endif
