/* SPDX-License-Identifier: MIT */
/* The file /sys/kernel/debug/sync/sw_sync. Each open() creates a timeline, whose fences the program
 * signals itself. All functions require the device's lock. */
#ifndef GPU_SW_SYNC_H
#define GPU_SW_SYNC_H

#include <stdint.h>

enum { GPU_SW_SYNC_MAGIC = 'W' }; /* ioctl type of its requests */

/* Opens the file. Returns a descriptor with the flag close-on-exec, or a negative errno. */
int gpu_sw_sync_open(void);
/* Performs a request. fd: any descriptor. Returns 0 or a negative errno; -ENOTTY if fd is not such
 * a file or the request is unknown. */
int gpu_sw_sync_ioctl(int fd, unsigned long request, uint64_t arg);

#endif
