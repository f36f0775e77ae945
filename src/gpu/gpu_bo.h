/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects. The memory of each is a memfd, or memory of the program (userptr).
 *
 * All functions require the device's lock.
 */
#ifndef GPU_BO_H
#define GPU_BO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "gpu/gpu_chip.h"
#include "util/list.h"

struct gpu_fence;
struct gpu_file;

enum { GPU_PAGE = 4096 };

/* A file that has a handle of a buffer. */
struct gpu_bo_owner {
    struct gpu_file *file;
    uint32_t handle;
};

/* A batch that uses a buffer. */
struct gpu_bo_use {
    struct gpu_fence *fence;
    enum gpu_engine engine;
    bool writes;
};

struct gpu_bo {
    int refcount;
    uint64_t size;                    /* in bytes, a multiple of GPU_PAGE */
    int fd;                           /* memfd or dma-buf; -1: userptr */
    uint64_t user;                    /* address of a userptr buffer */
    uint8_t *map;                     /* NULL: not mapped yet */
    bool is_import;                   /* a dma-buf of another device */
    bool is_read_only;                /* userptr memory that the GPU must not write */
    bool dont_need;                   /* madvise */
    uint32_t tiling, stride, caching; /* I915_TILING_*, bytes per row of tiles, I915_CACHING_* */
    uint32_t name;                    /* global name (flink), or 0 */
    uint32_t mmap_ids[8];             /* by kind of mapping, 0: none yet */
    struct list_head bindings;        /* struct gpu_binding */
    dev_t device;                     /* of the memfd, if the program has descriptors of it */
    ino_t inode;                      /* 0: not shared */
    struct list_head shared_link;
    unsigned owner_count, owner_capacity;
    struct gpu_bo_owner *owners; /* one of each handle */
    unsigned use_count, use_capacity;
    struct gpu_bo_use *uses; /* batches that may be pending */
};

/* Creates a buffer of zeros with one reference. Returns NULL if memory runs out. */
struct gpu_bo *gpu_bo_create(uint64_t size);
/* Creates a buffer of the memory of a descriptor, which belongs to the buffer from then on. */
struct gpu_bo *gpu_bo_create_import(int fd, uint64_t size, bool is_foreign);
/* Creates a buffer of the program's memory. */
struct gpu_bo *gpu_bo_create_user(uint64_t address, uint64_t size, bool is_read_only);
struct gpu_bo *gpu_bo_ref(struct gpu_bo *bo);
void gpu_bo_unref(struct gpu_bo *bo); /* bo may be NULL */

/* Stores the number and the total size of all buffers of the process. */
void gpu_bo_get_totals(unsigned *count, uint64_t *bytes);

/* Returns the buffer of a handle without a reference, or NULL. */
struct gpu_bo *gpu_bo_get(const struct gpu_file *file, uint32_t handle);
/* Returns a new handle, or 0 if memory runs out. The handle holds a reference. */
uint32_t gpu_bo_add_handle(struct gpu_file *file, struct gpu_bo *bo);
/* Returns a handle that the file has, or 0. */
uint32_t gpu_bo_find_handle(const struct gpu_file *file, const struct gpu_bo *bo);
/* Closes a handle. Returns 0 or -EINVAL. */
int gpu_bo_close_handle(struct gpu_file *file, uint32_t handle);

/* Returns the buffer's memory, which stays mapped as long as the buffer exists. Returns NULL if it
 * can't be mapped. */
uint8_t *gpu_bo_map(struct gpu_bo *bo);
/* Returns whether the program has all pages of a userptr buffer. True for other buffers. */
bool gpu_bo_is_accessible(const struct gpu_bo *bo);
/* Copy to and from a buffer. Offset and size must be in the buffer. Bad addresses of the program are
 * errors. Return 0 or a negative errno. */
int gpu_bo_write(struct gpu_bo *bo, uint64_t offset, const void *data, uint64_t size);
int gpu_bo_read(struct gpu_bo *bo, uint64_t offset, void *data, uint64_t size);

/* Records that a batch uses the buffer until its fence signals. replace: the batch waits for all
 * other uses. Returns false if memory runs out. */
bool gpu_bo_add_use(struct gpu_bo *bo, struct gpu_fence *fence, enum gpu_engine engine, bool writes,
                    bool replace);
/* Forgets uses that have completed. */
void gpu_bo_prune_uses(struct gpu_bo *bo);
/* Returns a new fence that signals when the buffer may be read, or written. Returns NULL if memory
 * runs out. */
struct gpu_fence *gpu_bo_fence(struct gpu_bo *bo, bool for_writing);
/* Waits until the buffer may be read, or written. May release the lock. Returns false if the
 * deadline passes. */
bool gpu_bo_wait(struct gpu_bo *bo, bool for_writing, int64_t deadline);

/* Maps a buffer at the offset that a program passes to mmap(). Returns the address, or a negative
 * errno as an address. */
int64_t gpu_bo_mmap(struct gpu_file *file, void *address, uint64_t size, int protection, int flags,
                    uint64_t offset);
/* Revokes the offsets for mmap() of a buffer that is destroyed. */
void gpu_bo_forget_mmaps(struct gpu_bo *bo);
/* Makes gpu_bo_find_fd not find the buffer anymore. */
void gpu_bo_forget_sharing(struct gpu_bo *bo);
/* Revokes the global name. */
void gpu_bo_forget_name(struct gpu_bo *bo);

/* Returns the buffer of this process whose memory is that of a descriptor, or NULL. */
struct gpu_bo *gpu_bo_find_fd(int fd);
/* Performs a DMA_BUF_IOCTL_* request on an exported buffer. Returns 0 or a negative errno, -ENOTTY
 * if the descriptor is not one. */
int gpu_dma_buf_ioctl(int fd, unsigned long request, uint64_t arg);

#endif
