/* SPDX-License-Identifier: MIT */
/* Parameters of contexts. All functions require the device's lock. */
#ifndef GPU_CONTEXT_PARAM_H
#define GPU_CONTEXT_PARAM_H

#include <stdint.h>

struct drm_i915_gem_context_param;
struct gpu_context;
struct gpu_file;

/* A context that a request is creating, and the file that it is for. */
struct gpu_context_creation {
    struct gpu_file *file;
    struct gpu_context *context;
};

/* Returns the context with that id without a reference, or NULL. Unlike gpu_context_get, doesn't
 * make its engines and address space final. */
struct gpu_context *gpu_context_lookup(struct gpu_file *file, uint32_t id);
/* Sets a parameter, as DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM does. Ignores param->ctx_id. Returns 0
 * or a negative errno. */
int gpu_context_set(struct gpu_file *file, struct gpu_context *context,
                    const struct drm_i915_gem_context_param *param);

#endif
