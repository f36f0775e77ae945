/* SPDX-License-Identifier: MIT */
/* Threads that run batches in the model of the GPU. */
#include "gpu/gpu_timeline.h"

#include <errno.h>
#include <i965_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_model.h"
#include "gpu/gpu_shadow.h"
#include "gpu/gpu_thread.h"
#include "util/check.h"
#include "util/macros.h"

enum { ERROR_SIZE = 512 };

/* How long a batch that can't be preempted may make no progress: three of the kernel's heartbeats,
 * in nanoseconds. */
static const int64_t heartbeat_limit = 3 * 2500000000ll;

/* The kernel's ring buffers have 16 KiB, and its commands for a request take about 256 bytes. */
enum { RING_REQUESTS = 64 };

enum { MIN_PAUSE = 20000, MAX_PAUSE_SHIFT = 6 }; /* between two polls, in nanoseconds */

struct gpu_timeline {
    int refcount;
    enum gpu_engine engine;
    int64_t limit;          /* of a batch that can be preempted */
    unsigned request_count; /* number of batches that wait or run */
    bool has_thread;
    bool is_canceled;                   /* read without the lock */
    struct i965_model_context *context; /* NULL: none yet */
    struct gpu_timeline_state state;
    struct list_head requests;
    struct list_head link; /* in `timelines` */
};

static struct list_head timelines = {&timelines, &timelines};
static uint32_t reset_count;
static unsigned start_waits; /* number of waiting requests with after_start */

struct gpu_timeline *gpu_timeline_create(enum gpu_engine engine, int64_t limit)
{
    struct gpu_timeline *timeline = calloc(1, sizeof *timeline);

    if (!timeline)
        return NULL;
    timeline->refcount = 1;
    timeline->engine = engine;
    timeline->limit = limit;
    list_init(&timeline->requests);
    list_addtail(&timeline->link, &timelines);
    return timeline;
}

struct gpu_timeline *gpu_timeline_ref(struct gpu_timeline *timeline)
{
    timeline->refcount++;
    return timeline;
}

void gpu_timeline_unref(struct gpu_timeline *timeline)
{
    if (!timeline || --timeline->refcount)
        return;
    CHECK(list_is_empty(&timeline->requests));
    gpu_model_context_destroy(timeline->context);
    list_del(&timeline->link);
    free(timeline);
}

enum gpu_engine gpu_timeline_engine(const struct gpu_timeline *timeline)
{
    return timeline->engine;
}

bool gpu_timeline_is_full(const struct gpu_timeline *timeline)
{
    return timeline->request_count >= RING_REQUESTS;
}

const struct gpu_timeline_state *gpu_timeline_get_state(const struct gpu_timeline *timeline)
{
    return &timeline->state;
}

void gpu_timeline_cancel(struct gpu_timeline *timeline)
{
    __atomic_store_n(&timeline->is_canceled, true, __ATOMIC_RELAXED);
}

void gpu_timeline_recover(struct gpu_timeline *timeline)
{
    if (!timeline->state.is_lost)
        return;
    gpu_model_context_destroy(timeline->context);
    timeline->context = NULL;
    timeline->state.is_lost = false;
}

uint32_t gpu_reset_count(void)
{
    return reset_count;
}

/* ---------------------------------------------------------------------------- requests --- */

struct gpu_request *gpu_request_create(unsigned ranges)
{
    struct gpu_request *request = calloc(1, sizeof *request + ranges * sizeof request->ranges[0]);

    if (!request)
        return NULL;
    request->fence = gpu_fence_create();
    request->range_count = ranges;
    if (!request->fence) {
        free(request);
        return NULL;
    }
    return request;
}

void gpu_request_destroy(struct gpu_request *request)
{
    if (!request)
        return;
    for (unsigned i = 0; i < request->range_count; i++) {
        gpu_shadow_destroy(request->ranges[i].shadow);
        if (request->ranges[i].map)
            gpu_bo_unpin(request->ranges[i].bo);
        gpu_bo_unref(request->ranges[i].bo);
    }
    for (unsigned i = 0; i < request->dependency_count; i++)
        gpu_fence_unref(request->dependencies[i]);
    free(request->dependencies);
    gpu_fence_unref(request->after_start);
    gpu_fence_unref(request->fence);
    free(request);
}

bool gpu_request_add_dependency(struct gpu_request *request, struct gpu_fence *fence)
{
    unsigned count = request->dependency_count;

    if (gpu_fence_is_signaled(fence))
        return true;
    if (!(count & (count - 1))) { /* the capacity is the next power of two */
        unsigned capacity = count ? count * 2 : 1;
        struct gpu_fence **dependencies =
            realloc(request->dependencies, capacity * sizeof(struct gpu_fence *));

        if (!dependencies)
            return false;
        request->dependencies = dependencies;
    }
    request->dependencies[request->dependency_count++] = gpu_fence_ref(fence);
    return true;
}

static bool is_ready(const struct gpu_request *request)
{
    for (unsigned i = 0; i < request->dependency_count; i++) {
        if (!gpu_fence_is_signaled(request->dependencies[i]))
            return false;
    }
    return !request->after_start || gpu_fence_is_started(request->after_start);
}

/* Implements i965_model_memory.find. Called from threads of the model, without the lock. */
static uint8_t *find_memory(void *vm, uint64_t address, uint64_t *bytes)
{
    const struct gpu_request *request = vm;
    unsigned low = 0, high = request->range_count;

    address &= BITFIELD64_MASK(48);
    while (low < high) {
        unsigned middle = (low + high) / 2;
        const struct gpu_range *range = &request->ranges[middle];

        if (address < range->address) {
            high = middle;
        } else if (address - range->address >= range->size) {
            low = middle + 1;
        } else {
            uint8_t *map = range->shadow ? gpu_shadow_memory(range->shadow) : range->map;

            *bytes = range->size - (address - range->address);
            return map ? map + (address - range->address) : NULL;
        }
    }
    return NULL;
}

/* Calls a function for the shadows of all userptr buffers. */
static void for_each_shadow(struct gpu_request *request, void (*function)(struct gpu_shadow *))
{
    for (unsigned i = 0; i < request->range_count; i++) {
        if (request->ranges[i].shadow)
            function(request->ranges[i].shadow);
    }
}

/* Implements i965_model_memory.is_written: pages of a buffer exist once the program or a batch has
 * accessed them. */
static bool is_written(void *vm, uint64_t address)
{
    uint64_t bytes;
    const uint8_t *byte = find_memory(vm, address, &bytes);
    unsigned char resident = 1;

    if (byte)
        mincore((void *)((uintptr_t)byte & ~(uintptr_t)(GPU_PAGE - 1)), 1, &resident);
    return resident & 1;
}

/* Implements i965_model_memory.wait. Called from the timeline's thread, without the lock. Sleeps
 * for an increasing time between polls, so that other threads get the CPU. */
static bool wait_in_batch(void *vm, uint64_t count, bool can_preempt)
{
    struct gpu_request *request = vm;
    int64_t now = gpu_now();

    if (!count)
        request->wait_start = now;
    if (__atomic_load_n(&request->timeline->is_canceled, __ATOMIC_RELAXED) ||
        now - request->wait_start > (can_preempt ? request->timeline->limit : heartbeat_limit))
        return false;
    nanosleep(&(struct timespec){0, MIN_PAUSE << MIN2(count, MAX_PAUSE_SHIFT)}, NULL);
    for_each_shadow(request, gpu_shadow_refresh);
    return true;
}

/* ----------------------------------------------------------------------------- threads --- */

static void fail(struct gpu_timeline *timeline, const char *message)
{
    fprintf(stderr, "indium gpu: batch failed: %s\n", message);
    timeline->state.is_lost = true;
    timeline->state.active++;
    timeline->state.pending += list_length(&timeline->requests);
    reset_count++;
}

/* Runs a batch, releasing the lock while it executes. Returns 0 or -EIO. */
static int run(struct gpu_timeline *timeline, struct gpu_request *request)
{
    const struct i965_model_memory memory = {find_memory, request, wait_in_batch, is_written};
    char message[ERROR_SIZE] = "";
    bool done;

    if (timeline->state.is_lost || timeline->is_canceled)
        return -EIO;
    gpu_fence_start(request->fence);
    if (start_waits)
        gpu_wake();
    if (!timeline->context)
        timeline->context = gpu_model_context_create();
    if (!timeline->context)
        return 0; /* no model, or no memory: nothing is executed */
    pthread_mutex_unlock(&gpu_lock);
    for_each_shadow(request, gpu_shadow_refresh); /* the batch may have waited for others */
    done = gpu_model_execute(timeline->context, &memory, timeline->engine, request->batch_address,
                             request->batch_size, message, sizeof message);
    for_each_shadow(request, gpu_shadow_write_back);
    pthread_mutex_lock(&gpu_lock);
    if (!done && !timeline->is_canceled)
        fail(timeline, message);
    return done ? 0 : -EIO;
}

static void run_first(struct gpu_timeline *timeline)
{
    struct gpu_request *request = list_first_entry(&timeline->requests, struct gpu_request, link);
    int error;

    list_del(&request->link);
    start_waits -= request->after_start != NULL;
    error = run(timeline, request);
    timeline->request_count--;
    gpu_fence_signal(request->fence, error);
    gpu_request_destroy(request);
}

/* Runs all requests of the timeline, also those that other threads add. Drops a reference. */
static void run_requests(void *data)
{
    struct gpu_timeline *timeline = data;

    while (!list_is_empty(&timeline->requests)) {
        if (is_ready(list_first_entry(&timeline->requests, struct gpu_request, link)))
            run_first(timeline);
        else
            gpu_wait(INT64_MAX);
    }
    timeline->has_thread = false;
    gpu_timeline_unref(timeline);
    gpu_wake();
}

void gpu_timeline_submit(struct gpu_timeline *timeline, struct gpu_request *request)
{
    request->timeline = timeline;
    timeline->request_count++;
    start_waits += request->after_start != NULL;
    list_addtail(&request->link, &timeline->requests);
    if (timeline->has_thread)
        return;
    if (!gpu_model_exists() && is_ready(request)) { /* nothing to wait for */
        run_first(timeline);
        return;
    }
    gpu_timeline_ref(timeline);
    timeline->has_thread = true;
    if (!gpu_thread_start(run_requests, timeline))
        run_requests(timeline);
}

static bool any_has_thread(void)
{
    list_for_each_entry (struct gpu_timeline, timeline, &timelines, link) {
        if (timeline->has_thread)
            return true;
    }
    return false;
}

void gpu_timelines_finish(int64_t deadline)
{
    while (any_has_thread() && gpu_wait(deadline)) {
    }
}

void gpu_timeline_after_fork(void)
{
    start_waits = 0;
    list_for_each_entry_safe (struct gpu_timeline, timeline, &timelines, link) {
        timeline->context = NULL; /* uses threads that the child lacks */
        list_init(&timeline->requests);
        timeline->request_count = 0;
        if (timeline->has_thread) {
            timeline->has_thread = false;
            gpu_timeline_unref(timeline);
        }
    }
}
