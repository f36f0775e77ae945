/* SPDX-License-Identifier: MIT */
/*
 * Mirrors: resources with a copy of an image in external memory (struct gl_memory_image), which
 * other processes or devices read and write. Texels are copied from the memory to the resource
 * before sampling. After drawing, they are copied back when commands are flushed. Y'CbCr images are
 * converted to RGB when they are copied; OES_EGL_image_external doesn't define when that happens.
 */
#ifndef GL_MIRROR_H
#define GL_MIRROR_H

#include <stdbool.h>

#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

/* Creates a mirror of an image and takes ownership of memory->owner, which is destroyed with the
 * resource. Copies *memory. The caller gets the only reference to the resource. Its contents are
 * undefined until gl_mirror_read. Returns NULL if out of memory or if the driver doesn't support
 * the size; the caller then keeps the ownership. */
struct drv_resource *gl_mirror_create(struct drv_screen *screen,
                                      const struct gl_memory_image *memory);
/* Copies an existing resource to an image in memory, and makes the resource a mirror of that image.
 * The resource must not be a mirror already, and must have one level and one layer, and the size
 * and format of the image. Copies *memory and takes ownership of memory->owner, which is destroyed
 * with the resource. Returns false if out of memory; the caller then keeps the ownership.
 * Other threads that use the resource may not notice that it is a mirror until they bind it
 * again. */
bool gl_mirror_attach(struct drv_context *drv, struct drv_resource *resource,
                      const struct gl_memory_image *memory);
/* Returns whether a resource is a mirror. If so, the mirror is initialized: the load acquires what
 * gl_mirror_attach() released, possibly in another thread. */
static inline bool gl_has_mirror(const struct drv_resource *resource)
{
    return __atomic_load_n(&resource->backing, __ATOMIC_ACQUIRE) != NULL;
}
/* Returns the description of the memory of a mirror. */
const struct gl_memory_image *gl_mirror_memory(const struct drv_resource *resource);
/* Returns whether mirrors of images in a format can be sampled. */
bool gl_mirror_format_supported(struct drv_screen *screen, enum drv_format format);

/* Updates a mirror from its memory, unless a context has drawn to it and no flush of a context has
 * copied it back since. Call it before sampling a mirror. Raises GL_OUT_OF_MEMORY on failure. */
void gl_mirror_read(struct gl_context *ctx, struct drv_resource *resource);
/* Updates a mirror like gl_mirror_read, and makes ctx's next flush copy it back to its memory.
 * Y'CbCr images are not copied back. Call it before writing to a mirror. Raises
 * GL_OUT_OF_MEMORY on failure. */
void gl_mirror_draw(struct gl_context *ctx, struct drv_resource *resource);
/* Copies the mirrors that ctx has drawn to back to their memory. Sets dirty bits, so that mirrors
 * are updated again before their next use. Raises GL_OUT_OF_MEMORY on failure. Called when commands
 * are flushed. */
void gl_mirrors_flush(struct gl_context *ctx);

#endif
