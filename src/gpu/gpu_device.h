/* SPDX-License-Identifier: MIT */
/*
 * The device: one GPU per process, and the files that the process has opened on it. Requests are
 * those of Linux's i915 driver (libdrm/i915_drm.h, libdrm/drm.h). Handlers return 0 or a negative
 * errno, as in the kernel.
 *
 * One lock protects all state. Handlers are called with the lock held. Waits and the execution of
 * batches release it. A child of fork() has copies of all objects; it shares the contents of
 * buffers and the states of fences with its parent.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpu/gpu_chip.h"
#include "gpu/gpu_table.h"
#include "util/list.h"

/* The device's lock: an error-checking mutex. Locking it twice in one thread is an error
 * (EDEADLK). */
extern pthread_mutex_t gpu_lock;

/* An open file of the device: the ids of objects are local to it. */
struct gpu_file {
    int refcount;              /* one for all descriptors, one for each request in progress */
    bool is_render;            /* opened as renderD128 */
    bool is_master;            /* DRM master */
    bool is_authenticated;     /* may use requests with GPU_REQUEST_AUTH */
    bool has_universal_planes; /* sees the primary plane and the cursor in the list of planes */
    bool is_atomic;            /* may change the display by atomic requests */
    int request_fd;    /* descriptor of the latest request; valid until it releases the lock */
    uint32_t magic;    /* result of DRM_IOCTL_GET_MAGIC; 0: not requested yet */
    struct gpu_fd *fd; /* library's end of its descriptors; NULL: all are closed */
    struct gpu_table handles;  /* struct gpu_bo, by handle */
    struct gpu_table contexts; /* struct gpu_context, by id plus 1 */
    struct gpu_table vms;      /* struct gpu_vm, by id */
    struct gpu_table syncobjs; /* struct gpu_syncobj, by handle */
    struct list_head link;     /* in the list of open files */
};

/* Returns the chip that INDIUM_GPU_CHIP selects; by default, "skl". Ends the process with a message
 * if there is no such chip. Thread-safe without the lock. */
const struct gpu_chip *gpu_get_chip(void);

/* Opens the device as card0 or renderD128. flags: those of open(), of which only O_CLOEXEC and
 * O_NONBLOCK have an effect. A file of card0 becomes the DRM master if there is none. Requires the
 * lock. Returns a descriptor or a negative errno. */
int gpu_device_open(bool is_render, int flags);
/* Performs an ioctl() request of type DRM_IOCTL_BASE. fd: any descriptor. arg: the program's
 * argument. Requires the lock, and releases it while it waits. Returns 0 or a negative errno;
 * -ENOTTY if fd doesn't refer to the device. */
int gpu_device_ioctl(int fd, unsigned long request, uint64_t arg);

/* Returns whether the effective user is root. */
bool gpu_is_admin(void);

/* A handler of a request. Called with the lock held. data: a copy of the program's struct, or zeros
 * if the request doesn't pass one (_IOC_WRITE). It is at least as large as the struct in this
 * library's headers. Members that the program's struct lacks are 0. If the request returns a struct
 * (_IOC_READ), the caller copies it back, also after an error. Returns 0 or a negative errno. */
typedef int (*gpu_handler)(struct gpu_file *file, void *data);

/* Which files may perform a request. Without flags, all files of card0 may. */
enum gpu_request_flag {
    GPU_REQUEST_RENDER = 1 << 0, /* also files of renderD128 */
    GPU_REQUEST_AUTH = 1 << 1,   /* files of card0 must be authenticated */
    GPU_REQUEST_MASTER = 1 << 2, /* only the DRM master */
    GPU_REQUEST_ROOT = 1 << 3,   /* only if gpu_is_admin() */
    GPU_REQUEST_DUMB = 1 << 4,   /* with the chip "none", also files of renderD128 */
};

struct gpu_request_info {
    unsigned long request; /* e.g. DRM_IOCTL_VERSION */
    unsigned flags;        /* of enum gpu_request_flag */
    gpu_handler handler;
};

/* Requests of the DRM core; those of i915. The last element of each array has no handler. */
extern const struct gpu_request_info gpu_drm_requests[], gpu_i915_requests[];

#endif
