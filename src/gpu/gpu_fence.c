/* SPDX-License-Identifier: MIT */
/* Fences and waits. A fence is signaled when a number in shared memory reaches its `sequence`. */
#include "gpu/gpu_fence.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_shared.h"
#include "gpu/gpu_system.h"
#include "util/check.h"
#include "util/macros.h"

enum { SLAB_WORDS = 16384, WAIT_MS = 100, WAIT_SHARED_MS = 1 };

/* A number in shared memory, used by one fence after another. */
struct word {
    uint32_t *value;
    struct word *next; /* in the list of free words */
    unsigned process;  /* value of `process` when it was created */
};

struct gpu_fence {
    int refcount;
    int error;
    bool is_started;
    uint64_t time;
    struct word *word;         /* NULL: `shared`, or the conjunction of `all` */
    uint32_t sequence;         /* the fence is signaled if the word has reached this number */
    struct gpu_shared *shared; /* NULL: not a batch of another process */
    struct gpu_shared_use use; /* with `shared` */
    unsigned count;
    struct gpu_fence *all[];
};

static struct word *free_words;
static unsigned process;      /* number of calls of fork() between the first process and this one */
static bool has_parent;       /* another process may signal fences of this one */
static unsigned shared_count; /* number of fences of other processes */

static bool add_words(void)
{
    uint32_t *values = gpu_sys_mmap(NULL, SLAB_WORDS * sizeof *values, PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct word *words = calloc(SLAB_WORDS, sizeof *words);

    if (values == MAP_FAILED || !words) {
        free(words);
        if (values != MAP_FAILED)
            gpu_sys_munmap(values, SLAB_WORDS * sizeof *values);
        return false;
    }
    for (unsigned i = 0; i < SLAB_WORDS; i++) {
        words[i].value = &values[i];
        words[i].process = process;
        words[i].next = free_words;
        free_words = &words[i];
    }
    return true;
}

void gpu_fence_after_fork(void)
{
    free_words = NULL; /* the parent uses them */
    process++;
    has_parent = true;
}

struct gpu_fence *gpu_fence_create(void)
{
    struct gpu_fence *fence = calloc(1, sizeof *fence);

    if (!fence || (!free_words && !add_words())) {
        free(fence);
        return NULL;
    }
    fence->refcount = 1;
    fence->word = free_words;
    free_words = free_words->next;
    fence->sequence = *fence->word->value + 1;
    return fence;
}

struct gpu_fence *gpu_fence_create_all(struct gpu_fence *const *fences, unsigned count)
{
    struct gpu_fence *fence = calloc(1, sizeof *fence + count * sizeof fence->all[0]);

    if (!fence)
        return NULL;
    fence->refcount = 1;
    fence->count = count;
    for (unsigned i = 0; i < count; i++)
        fence->all[i] = gpu_fence_ref(fences[i]);
    return fence;
}

struct gpu_fence *gpu_fence_create_shared(struct gpu_shared *shared,
                                          const struct gpu_shared_use *use)
{
    struct gpu_fence *fence = calloc(1, sizeof *fence);

    if (!fence)
        return NULL;
    fence->refcount = 1;
    fence->shared = gpu_shared_ref(shared);
    fence->use = *use;
    shared_count++;
    return fence;
}

bool gpu_fence_is_polled(const struct gpu_fence *fence)
{
    if (fence->shared || (fence->word && has_parent))
        return true;
    for (unsigned i = 0; i < fence->count; i++) {
        if (gpu_fence_is_polled(fence->all[i]))
            return true;
    }
    return false;
}

struct gpu_fence *gpu_fence_signaled(void)
{
    static struct gpu_fence signaled = {.refcount = 1};

    return gpu_fence_ref(&signaled);
}

struct gpu_fence *gpu_fence_ref(struct gpu_fence *fence)
{
    if (fence)
        fence->refcount++;
    return fence;
}

void gpu_fence_unref(struct gpu_fence *fence)
{
    if (!fence)
        return;
    CHECK(fence->refcount > 0);
    if (--fence->refcount)
        return;
    for (unsigned i = 0; i < fence->count; i++)
        gpu_fence_unref(fence->all[i]);
    if (fence->shared) {
        gpu_shared_unref(fence->shared);
        shared_count--;
    }
    /* A word without a signal may be signaled by another process. Words of the parent are used for
     * the parent's fences. */
    if (fence->word && fence->word->process == process && gpu_fence_is_signaled(fence)) {
        fence->word->next = free_words;
        free_words = fence->word;
    }
    free(fence);
}

bool gpu_fence_is_signaled(const struct gpu_fence *fence)
{
    if (fence->word) {
        uint32_t value = __atomic_load_n(fence->word->value, __ATOMIC_ACQUIRE);

        return (int32_t)(value - fence->sequence) >= 0;
    }
    if (fence->shared)
        return gpu_shared_is_complete(fence->shared, &fence->use);
    for (unsigned i = 0; i < fence->count; i++) {
        if (!gpu_fence_is_signaled(fence->all[i]))
            return false;
    }
    return true;
}

void gpu_fence_start(struct gpu_fence *fence)
{
    fence->is_started = true;
}

bool gpu_fence_is_started(const struct gpu_fence *fence)
{
    if (!fence->count)
        return fence->is_started || gpu_fence_is_signaled(fence);
    for (unsigned i = 0; i < fence->count; i++) {
        if (!gpu_fence_is_started(fence->all[i]))
            return false;
    }
    return true;
}

int gpu_fence_error(const struct gpu_fence *fence)
{
    int error = fence->error;

    for (unsigned i = 0; i < fence->count && !error; i++)
        error = gpu_fence_error(fence->all[i]);
    return error;
}

uint64_t gpu_fence_time(const struct gpu_fence *fence)
{
    uint64_t time = fence->time;

    for (unsigned i = 0; i < fence->count; i++)
        time = MAX2(time, gpu_fence_time(fence->all[i]));
    return time;
}

void gpu_fence_signal(struct gpu_fence *fence, int error)
{
    CHECK(fence->word);
    if (gpu_fence_is_signaled(fence))
        return;
    fence->error = error;
    fence->time = (uint64_t)gpu_now();
    __atomic_store_n(fence->word->value, fence->sequence, __ATOMIC_RELEASE);
    gpu_wake();
}

/* ------------------------------------------------------------------------------- waits --- */

static pthread_cond_t changed;

__attribute__((constructor)) static void init_changed(void)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

int64_t gpu_now(void)
{
    struct timespec time;

    gpu_sys_clock(&time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

int64_t gpu_deadline(int64_t timeout)
{
    int64_t now = gpu_now();

    return timeout < 0 || timeout > INT64_MAX - now ? INT64_MAX : now + timeout;
}

bool gpu_wait(int64_t deadline)
{
    int64_t now = gpu_now();
    int64_t until = now + (has_parent || shared_count ? WAIT_SHARED_MS : WAIT_MS) * 1000000ll;
    struct timespec time;

    if (now >= deadline)
        return false;
    until = MIN2(until, deadline);
    time.tv_sec = until / 1000000000;
    time.tv_nsec = until % 1000000000;
    pthread_cond_timedwait(&changed, &gpu_lock, &time);
    return true;
}

bool gpu_sleep(void)
{
    bool is_interrupted;

    pthread_mutex_unlock(&gpu_lock);
    is_interrupted = nanosleep(&(struct timespec){0, 1000000}, NULL) != 0;
    pthread_mutex_lock(&gpu_lock);
    return !is_interrupted;
}

void gpu_wake(void)
{
    gpu_sync_files_update();
    gpu_bos_publish();
    pthread_cond_broadcast(&changed);
}
