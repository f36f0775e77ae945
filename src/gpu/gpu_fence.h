/* SPDX-License-Identifier: MIT */
/*
 * Fences, which signal once when work is complete, and waits. A fence is a single event, or the
 * conjunction of other fences.
 *
 * The state of a fence is in memory that children of fork() share, so that a child can wait for
 * work of its parent.
 *
 * All functions require the device's lock (gpu_device.h).
 */
#ifndef GPU_FENCE_H
#define GPU_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_fence;

/* Returns a fence with one reference that is not signaled, or NULL if memory runs out. */
struct gpu_fence *gpu_fence_create(void);
/* Returns a fence that signals when all `count` fences have signaled. Takes references to them. Of
 * zero fences, it is signaled. Returns NULL if memory runs out. */
struct gpu_fence *gpu_fence_create_all(struct gpu_fence *const *fences, unsigned count);
/* Returns a new reference to a fence that is signaled. */
struct gpu_fence *gpu_fence_signaled(void);

struct gpu_fence *gpu_fence_ref(struct gpu_fence *fence); /* fence may be NULL */
void gpu_fence_unref(struct gpu_fence *fence);            /* fence may be NULL */

bool gpu_fence_is_signaled(const struct gpu_fence *fence);
/* Returns the error that the fence signaled with, a negative errno, or 0. */
int gpu_fence_error(const struct gpu_fence *fence);
/* Returns when the fence signaled, in ns of CLOCK_MONOTONIC, or 0. */
uint64_t gpu_fence_time(const struct gpu_fence *fence);
/* Signals a fence of gpu_fence_create. error: 0 or a negative errno. */
void gpu_fence_signal(struct gpu_fence *fence, int error);

/* Waits until a fence signals, a syncobj gets a fence, or a few milliseconds pass. Releases the
 * lock while it waits. deadline: ns of CLOCK_MONOTONIC. Returns false if the deadline has passed.
 * Callers test their condition again before the first and after each call. */
bool gpu_wait(int64_t deadline);
/* Ends the waits of all threads. */
void gpu_wake(void);
/* Returns the time in ns of CLOCK_MONOTONIC. */
int64_t gpu_now(void);
/* Returns the time in `timeout` ns. A negative timeout is infinite. */
int64_t gpu_deadline(int64_t timeout);

/* Creates a descriptor of a sync file. Returns it, or a negative errno. */
int gpu_sync_file_create(struct gpu_fence *fence);
/* Returns a reference to the fence of a sync file, or NULL if the descriptor is not one. */
struct gpu_fence *gpu_sync_file_fence(int fd);
/* Performs a SYNC_IOC_* request. arg is the program's argument. Returns 0 or a negative errno,
 * -ENOTTY if the descriptor is not a sync file. */
int gpu_sync_file_ioctl(int fd, unsigned long request, uint64_t arg);

/* Makes the descriptors of sync files readable whose fences have signaled. */
void gpu_sync_files_update(void);

/* Called in the child of a fork. */
void gpu_fence_after_fork(void);

#endif
