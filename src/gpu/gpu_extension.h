/* SPDX-License-Identifier: MIT */
/* Chains of struct i915_user_extension. */
#ifndef GPU_EXTENSION_H
#define GPU_EXTENSION_H

#include <stdint.h>

/* Handles an extension. data: the caller's. address: of the struct i915_user_extension that begins
 * the extension. Returns 0 or a negative errno. */
typedef int (*gpu_extension_handler)(void *data, uint64_t address);

/* Calls a handler for each extension of a chain. handlers: indexed by name; elements may be NULL.
 * Returns 0, the first error, -EFAULT for a bad address, -EINVAL for an unknown name, or -E2BIG for
 * a chain of more than 512. */
int gpu_for_each_extension(uint64_t address, const gpu_extension_handler *handlers, unsigned count,
                           void *data);

#endif
