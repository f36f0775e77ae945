/* SPDX-License-Identifier: MIT */
/* Threads of the library. */
#ifndef GPU_THREAD_H
#define GPU_THREAD_H

#include <stdbool.h>

/* Starts a thread that calls a function with the device's lock and ends. Signals are blocked in it,
 * so the program's handlers run in its own threads. Returns false if there can be no thread. */
bool gpu_thread_start(void (*function)(void *data), void *data);

#endif
