/* SPDX-License-Identifier: MIT */
/*
 * Resources: a description and a storage. The storage is a separate, reference-counted object,
 * because a resource may get a new one (by a map that discards) while scenes still use the old one.
 *
 * Images are tiled (cpu_layout.h). A resource in a block-compressed format has two copies: the
 * application's blocks in linear rows, which maps and copies access, and the decoded texels, tiled
 * and in store_format, which samplers access. Every write of blocks updates the texels.
 */
#ifndef CPU_RESOURCE_H
#define CPU_RESOURCE_H

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_pixels.h"
#include "driver/cpu/resource/cpu_storage.h"
#include "driver/cpu/resource/cpu_fast_clear.h"
#include "indium/driver.h"

struct cpu_resource {
    struct drv_resource base;
    struct cpu_storage *storage;
    struct cpu_storage *spare;    /* an earlier storage, reused once it is idle; may be NULL */
    enum drv_format store_format; /* format of the tiled texels */
    uint32_t texel_bytes;         /* size of a texel in store_format */
    struct cpu_level_layout level[DRV_MAX_TEXTURE_LEVELS];
    struct {
        uint8_t *data; /* linear rows of blocks; NULL unless the format is compressed */
        uint64_t offset[DRV_MAX_TEXTURE_LEVELS];
        uint64_t layer_stride[DRV_MAX_TEXTURE_LEVELS];
        uint32_t stride[DRV_MAX_TEXTURE_LEVELS];
    } blocks;
};

static inline struct cpu_resource *cpu_resource(struct drv_resource *resource)
{
    return (struct cpu_resource *)resource;
}

/* Returns the address of the first sample's plane of a layer (or slice) of a level. Does not
 * resolve fast clears; scenes keep this address, because their tiles resolve. */
static inline uint8_t *cpu_resource_address(const struct cpu_resource *r, unsigned level,
                                            unsigned layer)
{
    const struct cpu_level_layout *l = &r->level[level];
    return r->storage->data + l->offset + layer * l->layer_stride;
}

/* Returns the same address after resolving fast clears, for callers that read the texels now, or
 * that write them after cpu_context_sync(). */
static inline uint8_t *cpu_resource_layer(const struct cpu_resource *r, unsigned level,
                                          unsigned layer)
{
    cpu_storage_resolve(r->storage, false);
    return cpu_resource_address(r, level, layer);
}

/* Does the same for the plane of a sample. The planes of consecutive layers are consecutive: the
 * plane after the last sample of a layer is the next layer's first. */
static inline uint8_t *cpu_resource_plane(const struct cpu_resource *r, unsigned level,
                                          unsigned layer, unsigned sample)
{
    return cpu_resource_layer(r, level, layer) + sample * r->level[level].sample_stride;
}

/* Returns the format in which texels of `format` are stored for samplers: `format` itself, or the
 * decoded format if it is compressed. Returns DRV_FORMAT_NONE if there is no decoder. */
enum drv_format cpu_store_format(enum drv_format format);

/* --- entries of struct drv_screen_ops (driver.h) --- */

bool cpu_resource_fits(struct drv_screen *screen, const struct drv_resource *templ);
struct drv_resource *cpu_resource_create(struct drv_screen *screen,
                                         const struct drv_resource *templ);
uint64_t cpu_resource_bytes(struct drv_screen *screen, const struct drv_resource *templ);
struct drv_resource *cpu_resource_create_in(struct drv_screen *screen,
                                            const struct drv_resource *templ,
                                            struct drv_memory *memory, uint64_t offset);
void cpu_resource_destroy(struct drv_screen *screen, struct drv_resource *resource);

/* --- contents; the caller has waited for the scenes that use the storage --- */

/* Replaces the storage by one that no scene uses; with `keep`, the contents are copied, otherwise
 * they are undefined. Returns false if memory is short. */
bool cpu_resource_rename(struct cpu_resource *r, bool keep);

/* Decodes the blocks of a box, given in texels, into the tiled copy. */
void cpu_resource_decode(struct cpu_resource *r, unsigned level, const struct drv_box *box);

/* Copy between a box of a level, given in texels, and linear memory. Strides are in bytes. In
 * compressed formats linear memory holds rows of blocks. */
void cpu_resource_read(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride);
void cpu_resource_write(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                        const uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride);

/* Copy between a box of an uncompressed image and pixels of another format. */
void cpu_resource_read_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                              const struct cpu_pixel_moves *moves, const struct drv_pixels *pixels);
void cpu_resource_write_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                               const struct cpu_pixel_moves *moves,
                               const struct drv_pixels *pixels);

/* A copy between a rectangle of a layer and linear memory. cpu_copy_part() executes parts of it, on
 * any thread. */
struct cpu_copy {
    const struct cpu_level_layout *level;    /* borrowed from the resource */
    uint8_t *plane;                          /* first byte of the sample's plane */
    const struct cpu_fast_clear *fast_clear; /* of the level; NULL: the memory holds all texels */
    uint32_t layer;
    uint8_t *linear;  /* the rectangle's first pixel */
    ptrdiff_t stride; /* bytes from one linear row to the next */
    uint32_t texel_bytes, x, y, width, height;
    bool to_linear;
    const struct cpu_pixel_moves *moves; /* conversion; borrowed; NULL: none */
};

/* Returns the copy of one layer of a box. `linear` points to the box's first pixel in that layer.
 * */
struct cpu_copy cpu_resource_copy(const struct cpu_resource *r, unsigned level,
                                  const struct drv_box *box, unsigned layer, uint8_t *linear,
                                  ptrdiff_t stride, bool to_linear,
                                  const struct cpu_pixel_moves *moves);
/* Executes the part of the copy that lies in columns x0 to x1 - 1 and rows y0 to y1 - 1 of the
 * level. */
void cpu_copy_part(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

#endif
