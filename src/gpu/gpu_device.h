/* SPDX-License-Identifier: MIT */
/*
 * The device: one GPU per process, and the files that the process has opened on it. Requests are
 * those of Linux's i915 driver (libdrm/i915_drm.h, libdrm/drm.h). Handlers return 0 or a negative
 * errno, as in the kernel.
 *
 * A lock protects everything. Handlers are called with it. Waits and the execution of batches
 * release it. A child of fork() has copies of all objects; it shares the contents of buffers and
 * the states of fences with its parent.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpu/gpu_chip.h"
#include "gpu/gpu_table.h"
#include "util/list.h"

/* The device's lock. */
extern pthread_mutex_t gpu_lock;

/* An open file of the device: the ids of objects are local to it. */
struct gpu_file {
    int refcount;          /* one of the descriptors, one of each request that waits */
    bool is_render;        /* opened as renderD128 */
    bool is_master;        /* may set modes */
    bool is_authenticated; /* may share buffers by global names */
    bool is_closed;
    uint32_t magic; /* of drmGetMagic, or 0 */
    struct gpu_fd *fd;
    struct gpu_table handles;  /* struct gpu_handle, of buffers */
    struct gpu_table contexts; /* struct gpu_context */
    struct gpu_table vms;      /* struct gpu_vm */
    struct gpu_table syncobjs; /* struct gpu_syncobj */
    struct list_head link;     /* in the list of open files */
};

/* Returns the chip that INDIUM_GPU_CHIP selects. Ends the process with a message if there is no
 * such chip. Takes no lock. */
const struct gpu_chip *gpu_get_chip(void);

/* Opens the device as card0 or renderD128. flags: of open(). Returns a descriptor, or a negative
 * errno. */
int gpu_device_open(bool is_render, int flags);
/* Performs a request with the type of DRM. arg is the program's argument. Returns 0 or a negative
 * errno, -ENOTTY if the descriptor doesn't refer to the device. */
int gpu_device_ioctl(int fd, unsigned long request, uint64_t arg);

/* Returns whether the process has the rights of an administrator. */
bool gpu_is_admin(void);

/* A handler of a request. data: a copy of the program's struct, at least as large as the driver's,
 * with zeros in members that the program doesn't know. It is copied back if the request says so. */
typedef int (*gpu_handler)(struct gpu_file *file, void *data);

/* Who may perform a request. */
enum gpu_request_flag {
    GPU_REQUEST_RENDER = 1 << 0, /* files of renderD128, too */
    GPU_REQUEST_AUTH = 1 << 1,   /* authenticated files */
    GPU_REQUEST_MASTER = 1 << 2, /* the master */
    GPU_REQUEST_ROOT = 1 << 3,   /* administrators */
};

struct gpu_request_info {
    unsigned long request; /* e.g. DRM_IOCTL_VERSION */
    unsigned flags;        /* of enum gpu_request_flag */
    gpu_handler handler;
};

/* Requests of the DRM core and of i915. The last element has no handler. */
extern const struct gpu_request_info gpu_drm_requests[], gpu_i915_requests[];

#endif
