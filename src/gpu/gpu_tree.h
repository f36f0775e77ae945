/* SPDX-License-Identifier: MIT */
/*
 * A directory with files that stand for /dev/dri and the GPU's files in /sys. The preloaded library
 * redirects their paths into the directory.
 */
#ifndef GPU_TREE_H
#define GPU_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a file of the directory stands for. */
enum gpu_node {
    GPU_NODE_NONE,    /* none of these: any other file */
    GPU_NODE_CARD,    /* card0 */
    GPU_NODE_RENDER,  /* renderD128 */
    GPU_NODE_SW_SYNC, /* sw_sync (gpu_sw_sync.h) */
    GPU_NODE_OBJECTS, /* i915_gem_objects: number and size of all buffers */
    GPU_NODE_COUNT,
};

/* Device numbers of card0 (226, 0) and renderD128. */
enum { GPU_DRM_MAJOR = 226, GPU_RENDER_MINOR = 128 };

/* Returns the path that replaces `path`: one stored in `buffer`, which has `size` bytes, or `path`
 * itself if it isn't redirected. Keeps errno. Thread-safe. */
const char *gpu_tree_redirect(const char *path, char *buffer, size_t size);
/* As gpu_tree_redirect, for a path that may be relative to `directory`, a descriptor or AT_FDCWD,
 * as in openat(). */
const char *gpu_tree_redirect_at(int directory, const char *path, char *buffer, size_t size);
/* Returns what the file with that st_dev and st_ino stands for. Thread-safe. */
enum gpu_node gpu_tree_node(dev_t device, ino_t inode);
/* Stores st_dev and st_ino of the file that stands for a node. *inode is 0 if there is no such
 * file. Thread-safe. */
void gpu_tree_file(enum gpu_node node, dev_t *device, ino_t *inode);
/* Returns the original of a redirected path: a pointer to the part after the directory's name.
 * Returns other paths unchanged. Thread-safe. */
const char *gpu_tree_strip(const char *path);
/* Returns the number in a file of the directory. path: as the program sees it, for example of a
 * module parameter in /sys. Returns `fallback` if there is no such file or number. Keeps errno.
 * Thread-safe. */
long gpu_tree_read_number(const char *path, long fallback);
/* The same for a file that contains a boolean: 0, N or n, or 1, Y or y. */
bool gpu_tree_read_flag(const char *path, bool fallback);

#endif
