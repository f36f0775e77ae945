/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that stand for files of the kernel: open devices, sync files, exported syncobjs. Each
 * is one end of a socket pair, which a program can duplicate, poll and pass to other processes. The
 * library keeps the other end. Data that it sends make the descriptor readable. When the last
 * duplicate of the descriptor is closed, poll() of the library's end reports that. The socket's
 * inode identifies the object in this process and its children.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_FD_H
#define GPU_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a descriptor stands for, and the type of its object. */
enum gpu_fd_kind {
    GPU_FD_DEVICE,    /* struct gpu_file */
    GPU_FD_SYNC_FILE, /* private to gpu_sync_file.c */
    GPU_FD_SYNCOBJ,   /* struct gpu_syncobj */
    GPU_FD_SW_SYNC,   /* private to gpu_sw_sync.c */
};

struct gpu_fd; /* the library's end */

/* Creates a descriptor of an object and stores it in *fd. It has the flag close-on-exec. After all
 * processes have closed the descriptor and its duplicates, gpu_fd_close or gpu_fd_sweep calls
 * `close`, with the lock held. The result is valid until `close` returns. Returns NULL and sets
 * errno if the creation fails; `close` is then not called. May call gpu_fd_sweep. */
struct gpu_fd *gpu_fd_create(enum gpu_fd_kind kind, void *object, void (*close)(void *object),
                             int *fd);
/* Labels a descriptor and its duplicates with a text of at most 40 bytes without slashes. Other
 * processes that receive one of them can read the label. Ignores errors. */
void gpu_fd_set_label(int fd, const char *label);
/* Stores the label of a descriptor, also of one from another process. Returns false if it has none.
 * Keeps errno. Doesn't require the lock. */
bool gpu_fd_get_label(int fd, char label[64]);
/* Makes `fd` refer to what `from` refers to (dup2()), and closes `from`. Keeps the flag
 * close-on-exec of `fd`. Ignores errors, but closes `from` nevertheless. */
void gpu_fd_replace(int fd, int from);
/* Returns the object that a descriptor refers to, or NULL if it isn't of that kind. */
void *gpu_fd_get(int fd, enum gpu_fd_kind kind);
/* Sends a message of `size` bytes that can be read from the descriptors. Drops it if the socket is
 * full. Keeps errno. */
void gpu_fd_send(struct gpu_fd *end, const void *data, size_t size);
/* Closes any descriptor. Frees its object if it was the last one. Returns the result of close() and
 * sets errno as close() does. */
int gpu_fd_close(int fd);
/* Calls `close` for the objects whose descriptors have all been closed. Keeps errno. */
void gpu_fd_sweep(void);
/* Returns whether gpu_fd_create or gpu_fd_replace may have used that number before, so that closing
 * it may free an object. Duplicates have other numbers; gpu_fd_sweep notices when they are closed.
 * Doesn't require the lock. */
bool gpu_fd_is_likely(int fd);

/* Moves a descriptor to a high number with close-on-exec, so that programs that count descriptors
 * don't notice it. The first call raises the process's limit of descriptors. Returns the new
 * number, or the old one if that fails. */
int gpu_fd_hide(int fd);

#endif
