/* SPDX-License-Identifier: MIT */
/*
 * Fences, which signal once when work is complete, and waits. A fence is a single event, or signals
 * when all of several other fences have signaled.
 *
 * The state of a fence is in memory that children of fork() share, so that a child can wait for
 * work of its parent. For work of other processes on shared buffers, see gpu_shared.h.
 *
 * All functions require the device's lock (gpu_device.h).
 */
#ifndef GPU_FENCE_H
#define GPU_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_fence;
struct gpu_shared;
struct gpu_shared_use;

/* Returns a fence with one reference that is not signaled, or NULL if out of memory. */
struct gpu_fence *gpu_fence_create(void);
/* Returns a new fence, with references to `count` fences, that signals when all of them have
 * signaled. If count is 0, it is signaled. Returns NULL if out of memory. */
struct gpu_fence *gpu_fence_create_all(struct gpu_fence *const *fences, unsigned count);
/* Returns a fence that signals when a batch of another process is complete, or NULL if out of
 * memory. It holds a reference to `shared`. */
struct gpu_fence *gpu_fence_create_shared(struct gpu_shared *shared,
                                          const struct gpu_shared_use *use);
/* Returns whether another process may signal the fence. Such a signal causes no gpu_wake(); a thread
 * in gpu_wait() notices it by polling. */
bool gpu_fence_is_polled(const struct gpu_fence *fence);
/* Returns a new reference to a fence that is signaled. */
struct gpu_fence *gpu_fence_signaled(void);

struct gpu_fence *gpu_fence_ref(struct gpu_fence *fence); /* returns fence, which may be NULL */
void gpu_fence_unref(struct gpu_fence *fence);            /* fence may be NULL */

bool gpu_fence_is_signaled(const struct gpu_fence *fence);
/* Records that the batch of a fence of gpu_fence_create starts. Doesn't call gpu_wake. */
void gpu_fence_start(struct gpu_fence *fence);
/* Returns whether the fence's batch has started; for a fence of several others, whether all their
 * batches have. gpu_fence_start() is not visible to other processes: for a batch of another
 * process, returns whether it is complete. */
bool gpu_fence_is_started(const struct gpu_fence *fence);
/* Returns the error that was passed to gpu_fence_signal: a negative errno or 0. Returns 0 if the
 * fence hasn't signaled or another process signaled it. For a fence of several others, returns the
 * first error in the order of gpu_fence_create_all's array, even if some haven't signaled. */
int gpu_fence_error(const struct gpu_fence *fence);
/* Returns when the fence signaled, in ns of CLOCK_MONOTONIC. Returns 0 if it hasn't signaled or
 * another process signaled it. For a fence of several others, returns the latest of their times,
 * even if some haven't signaled. */
uint64_t gpu_fence_time(const struct gpu_fence *fence);
/* Signals a fence of gpu_fence_create and calls gpu_wake. Does nothing if the fence is signaled.
 * error: 0 or a negative errno. */
void gpu_fence_signal(struct gpu_fence *fence, int error);

/* Waits until gpu_wake is called, but at most 100 ms, or 1 ms while another process may signal
 * fences, and not past the deadline. Releases the lock while it waits. deadline: in ns of
 * CLOCK_MONOTONIC; INT64_MAX: none. Returns false without waiting if the deadline has passed,
 * otherwise true. Callers loop and test their condition before each call. */
bool gpu_wait(int64_t deadline);
/* Sleeps for a millisecond without the lock. Returns false if a signal handler has run
 * meanwhile. */
bool gpu_sleep(void);
/* Ends the waits of all threads. Call it when a condition that threads wait for may have changed.
 * Also makes sync files readable and reports complete batches to other processes. */
void gpu_wake(void);
/* Returns the time in ns of CLOCK_MONOTONIC. */
int64_t gpu_now(void);
/* Returns the deadline that is `timeout` ns from now. A negative timeout is infinite. */
int64_t gpu_deadline(int64_t timeout);

/* Creates a sync file with a new reference to a fence. Returns its descriptor or a negative
 * errno. */
int gpu_sync_file_create(struct gpu_fence *fence);
/* Returns a reference to the fence of a sync file, or NULL if the descriptor is not one. */
struct gpu_fence *gpu_sync_file_fence(int fd);
/* Performs a SYNC_IOC_* request. fd: any descriptor. arg: the program's argument. Returns 0 or a
 * negative errno; -ENOTTY if fd is not a sync file or the request is unknown. */
int gpu_sync_file_ioctl(int fd, unsigned long request, uint64_t arg);

/* Makes the sync files whose fences have signaled readable. */
void gpu_sync_files_update(void);
/* Called in the child of fork(), which lacks the thread that polls fences of other processes. Lets
 * gpu_sync_file_create start another one. */
void gpu_sync_files_after_fork(void);

/* Called in the child of fork(). Makes the child allocate its own memory for new fences. From now
 * on, gpu_wait polls in the child, because the parent may signal the fences that both share. */
void gpu_fence_after_fork(void);

#endif
