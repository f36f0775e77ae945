/* SPDX-License-Identifier: MIT */
/*
 * Resources that mirror an image in external memory (gl_memory_image), which other processes or
 * devices read and write. Texels are copied from that memory before sampling, and back to it when
 * commands are flushed. Y'CbCr images are converted to RGB when read; OES_EGL_image_external leaves
 * the point of conversion open.
 */
#ifndef GL_MIRROR_H
#define GL_MIRROR_H

#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

/* Creates a mirror of `memory` and takes over its owner. Returns NULL if out of memory; the caller
 * then keeps the owner. */
struct drv_resource *gl_mirror_create(struct drv_screen *screen,
                                      const struct gl_memory_image *memory);
/* Returns whether mirrors of images in that format are supported. */
bool gl_mirror_format_supported(struct drv_screen *screen, enum drv_format format);

/* Call before sampling a mirror (resource->backing set): updates it from memory, unless it contains
 * newer rendering. */
void gl_mirror_read(struct gl_context *ctx, struct drv_resource *resource);
/* Call before drawing to a mirror: updates it like gl_mirror_read and marks it to be written back
 * by the next flush. */
void gl_mirror_draw(struct gl_context *ctx, struct drv_resource *resource);
/* Writes drawn mirrors back to memory. Called when commands are flushed. */
void gl_mirrors_flush(struct gl_context *ctx);

#endif
