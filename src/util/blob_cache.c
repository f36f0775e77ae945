/* SPDX-License-Identifier: MIT */
#include "util/blob_cache.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static const void *current_owner;
static util_blob_set current_set;
static util_blob_get current_get;
static unsigned running;         /* number of calls of the functions, in all threads */
static __thread unsigned nested; /* number of such calls in this thread */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/* The calls of other threads continue in the parent only. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&idle, NULL);
    running = nested;
}

static void init_once(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void util_blob_cache_handle_fork(void)
{
    pthread_once(&once, init_once);
}

/* Takes the lock. */
static void take_lock(void)
{
    util_blob_cache_handle_fork();
    pthread_mutex_lock(&lock);
}

/* Waits for the calls in other threads. Requires the lock. */
static void wait_idle(void)
{
    while (running > nested)
        pthread_cond_wait(&idle, &lock);
}

void util_blob_cache_provide(const void *owner, util_blob_set set, util_blob_get get)
{
    take_lock();
    current_owner = owner;
    current_set = set;
    current_get = get;
    pthread_mutex_unlock(&lock);
}

void util_blob_cache_withdraw(const void *owner)
{
    take_lock();
    if (current_owner == owner) {
        current_owner = NULL;
        current_set = NULL;
        current_get = NULL;
    }
    wait_idle(); /* also for calls that began before another owner replaced the functions */
    pthread_mutex_unlock(&lock);
}

bool util_blob_cache_exists(void)
{
    take_lock();
    const bool exists = current_set != NULL;
    pthread_mutex_unlock(&lock);
    return exists;
}

/* Stores the current functions, or NULL if there are none. Counts a call, which must end with
 * end_call(). */
static void begin_call(util_blob_set *set, util_blob_get *get)
{
    take_lock();
    *set = current_set;
    *get = current_get;
    running++;
    nested++;
    pthread_mutex_unlock(&lock);
}

static void end_call(void)
{
    take_lock();
    running--;
    nested--;
    pthread_cond_broadcast(&idle);
    pthread_mutex_unlock(&lock);
}

void util_blob_cache_store(const void *key, size_t key_size, const void *value, size_t value_size)
{
    util_blob_set set;
    util_blob_get get;

    begin_call(&set, &get);
    if (set)
        set(key, (ptrdiff_t)key_size, value, (ptrdiff_t)value_size);
    end_call();
}

void *util_blob_cache_load(const void *key, size_t key_size, size_t most, size_t *value_size)
{
    util_blob_set set;
    util_blob_get get;
    void *value = NULL;

    begin_call(&set, &get);
    const ptrdiff_t size = get ? get(key, (ptrdiff_t)key_size, NULL, 0) : 0;
    if (size > 0 && (size_t)size <= most)
        value = malloc((size_t)size);
    /* the value may have been replaced in between */
    if (value && get(key, (ptrdiff_t)key_size, value, size) != size) {
        free(value);
        value = NULL;
    }
    end_call();
    *value_size = value ? (size_t)size : 0;
    return value;
}
