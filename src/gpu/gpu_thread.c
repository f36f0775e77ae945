/* SPDX-License-Identifier: MIT */
/* Detached threads that hold the device's lock. */
#include "gpu/gpu_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "gpu/gpu_device.h"

struct start {
    void (*function)(void *data);
    void *data;
};

static void *run(void *data)
{
    struct start start = *(struct start *)data;

    free(data);
    pthread_mutex_lock(&gpu_lock);
    start.function(start.data);
    pthread_mutex_unlock(&gpu_lock);
    return NULL;
}

bool gpu_thread_start(void (*function)(void *data), void *data)
{
    struct start *start = malloc(sizeof *start);
    pthread_attr_t attributes;
    sigset_t all, old;
    pthread_t thread;
    int error;

    if (!start)
        return false;
    *start = (struct start){function, data};
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = pthread_create(&thread, &attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    if (error)
        free(start);
    return error == 0;
}
