/* SPDX-License-Identifier: MIT */
/*
 * Resources that mirror a picture in memory which others write and read too (gl_memory_image): their
 * texels are read from there before they are sampled, and written there when commands are flushed.
 * Y'CbCr becomes RGB where it is read (GL_OES_EGL_image_external leaves it to us where).
 */
#ifndef GL_MIRROR_H
#define GL_MIRROR_H

#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

/* A resource of the screen, NULL: no memory, and the picture's owner stays the caller's. */
struct drv_resource *gl_mirror_create(struct drv_screen *screen,
                                      const struct gl_memory_image *memory);
bool gl_mirror_format_supported(struct drv_screen *screen, enum drv_format format);

/* Of resources that mirror something (resource->backing) only. Before it is sampled: brings it up to
 * date, unless what was drawn to it is newer. */
void gl_mirror_read(struct gl_context *ctx, struct drv_resource *resource);
/* Before it is drawn to: the same, and what is drawn is written to memory by the next flush. */
void gl_mirror_draw(struct gl_context *ctx, struct drv_resource *resource);
/* When commands are flushed. */
void gl_mirrors_flush(struct gl_context *ctx);

#endif
