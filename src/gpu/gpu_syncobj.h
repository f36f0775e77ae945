/* SPDX-License-Identifier: MIT */
/*
 * Syncobjs: containers of a fence, or of a fence for each point of a timeline.
 *
 * All functions require the device's lock.
 */
#ifndef GPU_SYNCOBJ_H
#define GPU_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_fence;
struct gpu_file;
struct gpu_syncobj;

/* Returns a reference to the syncobj of a handle, or NULL. */
struct gpu_syncobj *gpu_syncobj_get(struct gpu_file *file, uint32_t handle);
void gpu_syncobj_unref(struct gpu_syncobj *syncobj); /* syncobj may be NULL */

/* Returns a new reference to a fence that signals when a point is reached: the first point with at
 * least the value `point`, or the last point if `point` is 0. Ignores points before the last one
 * whose value was not above that of the point before it (gpu_syncobj_add_point). Returns NULL if
 * there is no fence for it yet, or when out of memory. */
struct gpu_fence *gpu_syncobj_fence(struct gpu_syncobj *syncobj, uint64_t point);
/* Replaces all points by a fence, or removes them if fence is NULL. Takes a new reference to the
 * fence. Returns false if out of memory; the syncobj is then empty. */
bool gpu_syncobj_replace(struct gpu_syncobj *syncobj, struct gpu_fence *fence);
/* Adds a point, which is reached when its fence and those of earlier points have signaled. Takes a
 * new reference to the fence. If `point` isn't above the last point, the new one gets the value of
 * the last one. Returns false if out of memory. */
bool gpu_syncobj_add_point(struct gpu_syncobj *syncobj, uint64_t point, struct gpu_fence *fence);

#endif
