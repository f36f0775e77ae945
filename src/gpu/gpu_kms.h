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

/* Copies a list to the program. to: the program's array, or 0. *count: the array's capacity; on
 * return, also after an error, the list's length. Both are numbers of elements, and so is `length`.
 * element_size: in bytes. Stores as many elements as the array can hold. Returns 0 or -EFAULT. */
int gpu_kms_store(uint64_t to, uint32_t *count, const void *elements, uint32_t length,
                  uint32_t element_size);
/* Stores the ids (32 bits) and values (64 bits) of an object's properties in two arrays of the
 * program, as gpu_kms_store does. Leaves out properties that the file may not see. Returns 0,
 * -ENOENT if there is no such object, or -EFAULT. */
int gpu_kms_get_properties(const struct gpu_file *file, uint32_t object, uint64_t ids,
                           uint64_t values, uint32_t *count);
/* Checks a state, collects the fences of its framebuffers, and commits it. Members other than
 * commit->state may be 0. commit->fence: an additional fence to wait for. wait: as in
 * gpu_display_commit. Takes over the commit's references, also after an error. Returns 0 or a
 * negative errno. */
int gpu_kms_commit(struct gpu_commit *commit, bool wait);

#endif
