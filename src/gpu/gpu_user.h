/* SPDX-License-Identifier: MIT */
/* Copies from and to memory at addresses that the program passed. Bad addresses are errors, not
 * faults. The functions return 0 or -EFAULT. Part of the memory may have been copied before an
 * error. */
#ifndef GPU_USER_H
#define GPU_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Forgets the process ID that the functions below cache. Call it in the child of fork(). */
void gpu_user_after_fork(void);

int gpu_read_user(void *to, uint64_t from, size_t size);
int gpu_write_user(uint64_t to, const void *from, size_t size);

/* Returns whether buffers of the device are mapped in a range of the program's memory. Such memory
 * can't be that of a userptr buffer. Returns false if the kernel doesn't list the mappings. */
bool gpu_user_maps_buffer(uint64_t address, uint64_t size);

/* Allocates an array and reads `count` elements of `element` bytes. Stores the array, which the
 * caller frees with free(), in *array; NULL if count is 0 or after an error. Returns 0, -EFAULT, or
 * -ENOMEM. */
int gpu_read_user_array(void **array, uint64_t from, size_t count, size_t element);

#endif
