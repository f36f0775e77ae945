/* SPDX-License-Identifier: MIT */
/* Chains of struct i915_user_extension. */
#ifndef GPU_EXTENSION_H
#define GPU_EXTENSION_H

#include <stdint.h>

/* Handles an extension. data: as passed to gpu_for_each_extension. address: of the extension, whose
 * first member is a struct i915_user_extension. Returns 0 or a negative errno. */
typedef int (*gpu_extension_handler)(void *data, uint64_t address);

/* Calls a handler for each extension of a chain. address: of the first extension; 0: none.
 * handlers: an array of `count` elements, indexed by the extension's name; elements may be NULL.
 * data: passed to the handlers. Returns 0, the error of the first handler that fails, -EFAULT for a
 * bad address, -EINVAL for an unknown name or nonzero reserved members, or -E2BIG for more than 512
 * extensions. */
int gpu_for_each_extension(uint64_t address, const gpu_extension_handler *handlers, unsigned count,
                           void *data);

#endif
