/* SPDX-License-Identifier: MIT */
/* Entries of struct drv_context_ops (driver.h) that access texels: maps, image reads, writes and
 * fills, and mipmap generation. Before an access, they wait for the scenes (recorded commands,
 * cpu_scene.h) that use the resource, unless the storage can be replaced. A map with
 * DRV_MAP_UNSYNCHRONIZED doesn't wait. One with DRV_MAP_DONTBLOCK fails instead of waiting. */
#ifndef CPU_TRANSFER_H
#define CPU_TRANSFER_H

#include "indium/driver.h"

/* cpu_image_read and cpu_image_write copy between an image and the caller's pixels; cpu_image_fill
 * fills a box with one texel. They return false, and change nothing, if the image is compressed,
 * the formats can't be converted, or when out of memory. cpu_image_is_idle returns whether no
 * recorded or running scene uses the storage; it never waits. */
bool cpu_image_read(struct drv_context *ctx, struct drv_resource *resource, enum drv_format view,
                    unsigned level, const struct drv_box *box, const struct drv_pixels *dst);
bool cpu_image_write(struct drv_context *ctx, struct drv_resource *resource, enum drv_format view,
                     unsigned level, const struct drv_box *box, const struct drv_pixels *src);
bool cpu_image_fill(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                    const struct drv_box *box, const uint8_t *texel);
bool cpu_image_is_idle(struct drv_context *ctx, const struct drv_resource *resource);
/* The entries of the same names without cpu_ (driver.h). Maps of buffers point into the storage,
 * maps of images to linear staging memory that cpu_unmap() or cpu_flush_region() writes back. */
void *cpu_map(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
              unsigned flags, const struct drv_box *box, struct drv_transfer **transfer);
void cpu_flush_region(struct drv_context *ctx, struct drv_transfer *transfer,
                      const struct drv_box *box);
void cpu_unmap(struct drv_context *ctx, struct drv_transfer *transfer);
void cpu_generate_mipmap(struct drv_context *base, struct drv_resource *resource,
                         enum drv_format format, unsigned first_level, unsigned last_level,
                         unsigned first_layer, unsigned last_layer);

/* Sets the entries above. Also sets page_commitment, copy_region and blit (cpu_copy.c). */
void cpu_transfer_init_ops(struct drv_context_ops *ops);

#endif
