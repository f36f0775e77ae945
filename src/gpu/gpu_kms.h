/* SPDX-License-Identifier: MIT */
/*
 * Parts of mode setting that its requests share: properties, blobs and commits.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_KMS_H
#define GPU_KMS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_commit;
struct gpu_display_state;
struct gpu_file;

/* Stores the elements of a list that the program has room for, and the list's length in *count.
 * Returns 0 or -EFAULT. */
int gpu_kms_store(uint64_t to, uint32_t *count, const void *elements, uint32_t length,
                  uint32_t element_size);
/* Fills the list of the properties of an object that the file may see, and their values. Returns 0,
 * -ENOENT if there is no such object, or -EFAULT. */
int gpu_kms_get_properties(const struct gpu_file *file, uint32_t object, uint64_t ids,
                           uint64_t values, uint32_t *count);
/* Commits a state and takes its references: checks it, and collects the fences of its
 * framebuffers. commit->state is the only member that must be set. Returns 0 or a negative errno;
 * frees the commit's references if it fails. */
int gpu_kms_commit(struct gpu_commit *commit, bool wait);

#endif
