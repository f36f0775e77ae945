/* SPDX-License-Identifier: MIT */
/*
 * A directory with the files that programs look for besides the device: /dev/dri, and the GPU's
 * files in /sys. Paths below them are redirected into the directory.
 */
#ifndef GPU_TREE_H
#define GPU_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a file of the directory stands for. */
enum gpu_node {
    GPU_NODE_NONE,
    GPU_NODE_CARD,
    GPU_NODE_RENDER,
    GPU_NODE_SW_SYNC,
    GPU_NODE_OBJECTS, /* i915_gem_objects: a count of buffers */
    GPU_NODE_COUNT,
};

enum { GPU_DRM_MAJOR = 226, GPU_RENDER_MINOR = 128 };

/* Returns the path to use instead of an absolute one: in `buffer`, or `path` itself if it isn't
 * redirected. Keeps errno. Thread-safe. */
const char *gpu_tree_redirect(const char *path, char *buffer, size_t size);
/* Returns which device a file of the directory stands for. Thread-safe. */
enum gpu_node gpu_tree_node(dev_t device, ino_t inode);
/* Stores the device and inode of the file that stands for a device. Thread-safe. */
void gpu_tree_file(enum gpu_node node, dev_t *device, ino_t *inode);
/* Returns the part of an absolute path after the directory, or the path if it is elsewhere. */
const char *gpu_tree_strip(const char *path);

#endif
