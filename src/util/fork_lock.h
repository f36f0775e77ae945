/* SPDX-License-Identifier: MIT */
/*
 * Mutexes that a child process can take, whatever other threads of its parent did during fork().
 * Without precautions, a mutex that another thread held would stay locked in the child, which lacks
 * that thread. So fork() takes the mutexes, and parent and child release them.
 *
 * Such a mutex is the last in the lock order: a thread that holds it takes no other lock, except in
 * the C library, runs no code of the application, and waits for nothing but condition variables of
 * the mutex. The jobs of the thread pool may need these mutexes, so fork() must wait for the jobs
 * before it takes the mutexes. It does, because it calls handlers in the reverse order of their
 * registration: handlers of these mutexes are registered when the library is loaded, those of
 * thread_pool.c, blob_cache.c and cpu_order.c on first use.
 */
#ifndef UTIL_FORK_LOCK_H
#define UTIL_FORK_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#include "util/list.h"

/* Makes fork() take `lock`, a statically initialized mutex. Use it at file scope. */
#define UTIL_FORK_LOCK(lock) UTIL_FORK_LOCK_RESET(lock, (void)0)

/* Like UTIL_FORK_LOCK. Before the child releases the mutex, it evaluates the expression `reset`,
 * which initializes the condition variables: threads that the child lacks may wait for them. */
#define UTIL_FORK_LOCK_RESET(lock, reset)                                                          \
    static void lock##_before_fork(void)                                                           \
    {                                                                                              \
        pthread_mutex_lock(&lock);                                                                 \
    }                                                                                              \
    static void lock##_after_fork_in_parent(void)                                                  \
    {                                                                                              \
        pthread_mutex_unlock(&lock);                                                               \
    }                                                                                              \
    static void lock##_after_fork_in_child(void)                                                   \
    {                                                                                              \
        reset;                                                                                     \
        pthread_mutex_unlock(&lock);                                                               \
    }                                                                                              \
    __attribute__((constructor)) static void lock##_handle_fork(void)                              \
    {                                                                                              \
        pthread_atfork(lock##_before_fork, lock##_after_fork_in_parent,                            \
                       lock##_after_fork_in_child);                                                \
    }                                                                                              \
    struct util_fork_lock_end /* the user adds a semicolon */

/* Makes fork() take `lock`, a statically initialized mutex that protects `list`, and then the mutex
 * of each object in the list. The objects have the type `type`; `link` and `mutex` are its members.
 * The mutexes of the objects are last in the lock order, too. Use it at file scope. */
#define UTIL_FORK_LOCK_LIST(lock, list, type, link, mutex)                                         \
    static void lock##_before_fork(void)                                                           \
    {                                                                                              \
        pthread_mutex_lock(&lock);                                                                 \
        list_for_each_entry (type, object, &list, link)                                            \
            pthread_mutex_lock(&object->mutex);                                                    \
    }                                                                                              \
    static void lock##_after_fork(void)                                                            \
    {                                                                                              \
        list_for_each_entry (type, object, &list, link)                                            \
            pthread_mutex_unlock(&object->mutex);                                                  \
        pthread_mutex_unlock(&lock);                                                               \
    }                                                                                              \
    __attribute__((constructor)) static void lock##_handle_fork(void)                              \
    {                                                                                              \
        pthread_atfork(lock##_before_fork, lock##_after_fork, lock##_after_fork);                  \
    }                                                                                              \
    struct util_fork_lock_end /* the user adds a semicolon */

/* Makes the child of a fork call function(). It is for mutexes that are held for long or while
 * other locks are taken, for which fork() doesn't wait. The function may call util_fork_free_lock,
 * and repair what the mutex protects. It must not take locks. */
#define UTIL_AFTER_FORK(function)                                                                  \
    __attribute__((constructor)) static void function##_handle_fork(void)                          \
    {                                                                                              \
        pthread_atfork(NULL, NULL, function);                                                      \
    }                                                                                              \
    struct util_fork_lock_end /* the user adds a semicolon */

/* Frees a mutex in the child of a fork if a thread that the child lacks holds it. Returns whether
 * one held it; what the mutex protects may then be in the middle of a change. */
static inline bool util_fork_free_lock(pthread_mutex_t *lock)
{
    if (pthread_mutex_trylock(lock) == 0) {
        pthread_mutex_unlock(lock);
        return false;
    }
    pthread_mutex_init(lock, NULL);
    return true;
}

#endif
