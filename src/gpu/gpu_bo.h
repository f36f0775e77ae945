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
struct gpu_shared;

enum { GPU_PAGE = 4096 };

/* A handle of a buffer, in the file that it belongs to. */
struct gpu_bo_owner {
    struct gpu_file *file;
    uint32_t handle;
};

/* A use of a buffer: by a batch, or until an imported sync file signals. */
struct gpu_bo_use {
    struct gpu_fence *fence;
    enum gpu_engine engine; /* GPU_RENDER for other processes' batches and for sync files */
    bool writes;            /* to the buffer */
    uint32_t number;        /* result of gpu_shared_submit; 0: other processes don't see the use */
};

struct gpu_bo {
    int refcount;
    uint64_t size;      /* in bytes, a multiple of GPU_PAGE; without the page of gpu_shared.h */
    int fd;             /* memfd or dma-buf; -1: userptr */
    uint64_t user;      /* userptr: address of the memory */
    uint8_t *map;       /* NULL: userptr, or not mapped */
    unsigned pin_count; /* while not 0, `map` stays */
    bool is_import;     /* fd is a dma-buf of another device */
    bool is_created;    /* fd is a memfd of gpu_bo_create */
    bool is_read_only;  /* userptr memory that the GPU must not write */
    /* Userptr: result of the last gpu_bo_is_accessible. gpu_bo_wait_for_user_memory resets it. */
    bool is_populated;
    bool dont_need;                   /* I915_MADV_DONTNEED, which has no effect */
    uint32_t tiling, stride, caching; /* I915_TILING_*, bytes per row of tiles, I915_CACHING_* */
    uint32_t name;                    /* global name (flink), or 0 */
    uint32_t mmap_ids[8];             /* see gpu_bo_mmap; index: I915_MMAP_OFFSET_*; 0: none yet */
    unsigned binding_count;           /* number of elements of `bindings` */
    struct list_head bindings;        /* struct gpu_binding, one for each address space */
    struct list_head user_link;       /* in the list of userptr buffers */
    struct list_head map_link;        /* in the list of buffers with `map` */
    /* Device and inode of fd, set when the buffer is exported or imported; inode 0: not yet. */
    dev_t device;
    ino_t inode;
    struct list_head shared_link;  /* in the list of exported and imported buffers */
    struct gpu_shared *shared;     /* uses by other processes; NULL: not synchronized with them */
    uint32_t last_number;          /* last result of gpu_shared_submit */
    struct list_head publish_link; /* in the list of gpu_bos_publish, which holds a reference */
    unsigned owner_count, owner_capacity;
    struct gpu_bo_owner *owners; /* one for each handle */
    unsigned use_count, use_capacity;
    struct gpu_bo_use *uses; /* batches that may be incomplete */
};

/* Creates a buffer of `size` zero bytes, a positive multiple of GPU_PAGE, with one reference.
 * Returns NULL if memory or descriptors run out. */
struct gpu_bo *gpu_bo_create(uint64_t size);
/* Creates a buffer with one reference, whose memory is that of a memfd or, if is_foreign, of
 * another device's dma-buf. size: as gpu_bo.size. Takes ownership of the descriptor. Returns NULL
 * if out of memory; the caller then still owns the descriptor. */
struct gpu_bo *gpu_bo_create_import(int fd, uint64_t size, bool is_foreign);
/* Creates a buffer with one reference, whose memory is `size` bytes of the program (userptr).
 * address and size: multiples of GPU_PAGE. is_read_only: the GPU must not write to the memory.
 * Returns NULL if out of memory. Doesn't access the memory. */
struct gpu_bo *gpu_bo_create_user(uint64_t address, uint64_t size, bool is_read_only);
struct gpu_bo *gpu_bo_ref(struct gpu_bo *bo); /* returns bo, which may be NULL */
void gpu_bo_unref(struct gpu_bo *bo);         /* bo may be NULL */

/* Stores the number and the total size of all buffers of the process. */
void gpu_bo_get_totals(unsigned *count, uint64_t *bytes);

/* Returns the buffer of a handle without a reference, or NULL. */
struct gpu_bo *gpu_bo_get(const struct gpu_file *file, uint32_t handle);
/* Creates a handle, which holds a new reference, even if the file has one of the buffer already.
 * Returns the handle, or 0 if out of memory. */
uint32_t gpu_bo_add_handle(struct gpu_file *file, struct gpu_bo *bo);
/* Returns one of the file's handles of the buffer, or 0 if it has none. */
uint32_t gpu_bo_find_handle(const struct gpu_file *file, const struct gpu_bo *bo);
/* Closes a handle and drops its reference. Also revokes the buffer's global name if no file has a
 * handle anymore. Returns 0, or -EINVAL if there is no such handle. */
int gpu_bo_close_handle(struct gpu_file *file, uint32_t handle);

/* Returns the buffer's memory, which stays mapped until another buffer is mapped, or as long as the
 * buffer is pinned. If the process's address space is exhausted, first unmaps all buffers that
 * aren't pinned. Returns NULL if the memory can't be mapped. Not for userptr buffers, whose memory
 * the program may unmap. */
uint8_t *gpu_bo_map(struct gpu_bo *bo);
/* Maps a buffer and pins it, unless the result is NULL. gpu_bo_unpin() reverts that. */
uint8_t *gpu_bo_pin(struct gpu_bo *bo);
void gpu_bo_unpin(struct gpu_bo *bo);
/* Returns whether the program can read and, unless is_read_only, write all pages of a userptr
 * buffer. Returns true for other buffers. After it has returned true, later calls only test whether
 * the pages are mapped, until gpu_bo_wait_for_user_memory is called for the memory. The program's
 * missing pages may be allocated. */
bool gpu_bo_is_accessible(struct gpu_bo *bo);
/* Copy `size` bytes from `data` to a buffer, or from a buffer to `data`. The range must be inside
 * of the buffer. data: memory of the library, or an untrusted address of the program. Return 0 or a
 * negative errno; -EFAULT for bad addresses. After an error, a part may have been copied. Don't
 * wait for batches. */
int gpu_bo_write(struct gpu_bo *bo, uint64_t offset, const void *data, uint64_t size);
int gpu_bo_read(struct gpu_bo *bo, uint64_t offset, void *data, uint64_t size);

/* Lets other processes that have the buffer's descriptor wait for its uses, and this process for
 * theirs. Does nothing if the buffer is shared already, if its memory isn't a memfd of this
 * library, or when out of memory. */
void gpu_bo_share(struct gpu_bo *bo);
/* Records that a batch uses the buffer until its fence signals. Takes a new reference to the fence.
 * First updates the uses. replace: the batch waits for all other uses, which may therefore be
 * dropped. Returns false if out of memory. */
bool gpu_bo_add_use(struct gpu_bo *bo, struct gpu_fence *fence, enum gpu_engine engine, bool writes,
                    bool replace);
/* Drops the uses whose fences have signaled, and adds those by other processes. When out of
 * memory, leaves out some of the other processes' uses. */
void gpu_bo_update_uses(struct gpu_bo *bo);
/* Reports the completion of batches that use shared buffers to other processes. */
void gpu_bos_publish(void);
/* Called in the child of fork(). Stops reporting the batches of the parent, which continues to
 * report them itself. */
void gpu_bos_after_fork(void);
/* Returns a new fence that signals when the buffer may be read: when all recorded writes are
 * complete. for_writing: when it may be written, after all recorded uses. Doesn't update the uses
 * first. Returns NULL if out of memory. */
struct gpu_fence *gpu_bo_fence(struct gpu_bo *bo, bool for_writing);
/* Updates the uses and waits until the buffer may be read or, if for_writing, written. Releases the
 * lock while it waits, so the caller needs a reference. deadline: as in gpu_wait. Returns false if
 * the deadline passes or when out of memory. */
bool gpu_bo_wait(struct gpu_bo *bo, bool for_writing, int64_t deadline);

/* Returns whether the process has userptr buffers. Doesn't require the lock. */
bool gpu_bo_has_user_memory(void);
/* Waits for the batches that use userptr buffers with memory in a range, which the program is going
 * to unmap or protect, as the kernel does. Makes gpu_bo_is_accessible test these buffers' pages
 * again. Releases the lock while it waits. size: in bytes. */
void gpu_bo_wait_for_user_memory(uint64_t address, uint64_t size);

/* Performs a program's mmap() of the device. offset: one of the buffer's mmap_ids times 2^38, plus
 * the position in the buffer in bytes. The other arguments are those of mmap(). Returns the address
 * or a negative errno; -EACCES if the file has no handle of the buffer. */
int64_t gpu_bo_mmap(struct gpu_file *file, void *address, uint64_t size, int protection, int flags,
                    uint64_t offset);
/* Revokes the buffer's offsets for mmap(). Called when the buffer is destroyed. */
void gpu_bo_forget_mmaps(struct gpu_bo *bo);
/* Hides the buffer from gpu_bo_find_fd. Called when the buffer is destroyed. */
void gpu_bo_forget_sharing(struct gpu_bo *bo);
/* Revokes the global name, if the buffer has one. */
void gpu_bo_forget_name(struct gpu_bo *bo);

/* Returns the exported or imported buffer that a descriptor refers to, without a reference, or
 * NULL. */
struct gpu_bo *gpu_bo_find_fd(int fd);
/* Returns the size in bytes of the buffer that a descriptor refers to, or 0 if it refers to
 * something else. The buffer may be one of another process. */
uint64_t gpu_dma_buf_size(int fd);
/* Returns the descriptor of a new sync file that signals when a dma-buf may be read or, if
 * for_writing, written. The caller closes the descriptor. Returns a negative number if no wait is
 * necessary, if fd is not a dma-buf of this device, or after an error. */
int gpu_dma_buf_busy(int fd, bool for_writing);
/* Performs a DMA_BUF_IOCTL_* request. fd: any descriptor. arg: the program's argument. Returns 0 or
 * a negative errno; -ENOTTY if fd refers to no buffer or to a dma-buf of another device, or if the
 * request is unknown. Releases the lock while it waits for batches. */
int gpu_dma_buf_ioctl(int fd, unsigned long request, uint64_t arg);

#endif
