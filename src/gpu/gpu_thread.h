/* SPDX-License-Identifier: MIT */
/* Threads of the library. */
#ifndef GPU_THREAD_H
#define GPU_THREAD_H

#include <stdbool.h>

/* Starts a detached thread that locks the device, calls a function, unlocks the device and exits.
 * All signals are blocked in it, so the program's signal handlers only run in the program's
 * threads. Returns false if out of memory or if the thread can't be created. */
bool gpu_thread_start(void (*function)(void *data), void *data);

#endif
