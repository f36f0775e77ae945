/* SPDX-License-Identifier: MIT */
/*
 * Resources: a description and a storage. The storage is memory of its own, reference-counted,
 * because it may be exchanged (a map that discards) while scenes still use the old one.
 *
 * Images are tiled (cpu_layout.h). Block-compressed formats have two copies: the application's
 * blocks in linear rows (what maps and copies see), and the decoded texels, tiled, in store_format
 * (what samplers see), brought up to date by every write.
 */
#ifndef CPU_RESOURCE_H
#define CPU_RESOURCE_H

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_pixels.h"
#include "driver/cpu/resource/cpu_storage.h"
#include "driver/cpu/resource/cpu_uniform.h"
#include "indium/driver.h"

struct cpu_resource {
    struct drv_resource base;
    struct cpu_storage *storage;
    struct cpu_storage *spare;    /* an old storage that may be idle by now; NULL: none */
    enum drv_format store_format; /* of the tiled texels */
    uint32_t texel_bytes;         /* of store_format */
    struct cpu_level_layout level[DRV_MAX_TEXTURE_LEVELS];
    struct {
        uint8_t *data; /* compressed formats: linear rows of blocks; else NULL */
        uint64_t offset[DRV_MAX_TEXTURE_LEVELS];
        uint64_t layer_stride[DRV_MAX_TEXTURE_LEVELS];
        uint32_t stride[DRV_MAX_TEXTURE_LEVELS];
    } blocks;
};

static inline struct cpu_resource *cpu_resource(struct drv_resource *resource)
{
    return (struct cpu_resource *)resource;
}

/* Where a layer (or slice) of a level's tiled texels begins: with those of its first sample. What
 * scenes keep for their tiles, which are resolved when they run. */
static inline uint8_t *cpu_resource_address(const struct cpu_resource *r, unsigned level,
                                            unsigned layer)
{
    const struct cpu_level_layout *l = &r->level[level];
    return r->storage->data + l->offset + layer * l->layer_stride;
}

/* The same for who reads them now, or has synchronized to write them. */
static inline uint8_t *cpu_resource_layer(const struct cpu_resource *r, unsigned level,
                                          unsigned layer)
{
    cpu_storage_resolve(r->storage, false);
    return cpu_resource_address(r, level, layer);
}

/* The same of a sample's plane. Layers' planes follow each other: the one behind the last of a layer
 * is the next layer's first. */
static inline uint8_t *cpu_resource_plane(const struct cpu_resource *r, unsigned level,
                                          unsigned layer, unsigned sample)
{
    return cpu_resource_layer(r, level, layer) + sample * r->level[level].sample_stride;
}

/* The format of the texels that samplers read for a view of that format: itself, or the decoded
 * format of a compressed one. DRV_FORMAT_NONE: there is no decoder. */
enum drv_format cpu_store_format(enum drv_format format);

/* Entries of struct drv_screen_ops (driver.h). */
bool cpu_resource_fits(struct drv_screen *screen, const struct drv_resource *templ);
struct drv_resource *cpu_resource_create(struct drv_screen *screen,
                                         const struct drv_resource *templ);
uint64_t cpu_resource_bytes(struct drv_screen *screen, const struct drv_resource *templ);
struct drv_resource *cpu_resource_create_in(struct drv_screen *screen,
                                            const struct drv_resource *templ,
                                            struct drv_memory *memory, uint64_t offset);
void cpu_resource_destroy(struct drv_screen *screen, struct drv_resource *resource);

/* Gives the resource a storage that no scene uses, with the same contents or undefined ones. False:
 * no memory. */
bool cpu_resource_rename(struct cpu_resource *r, bool keep);

/* Decodes the blocks of a box (texels) into the tiled copy. */
void cpu_resource_decode(struct cpu_resource *r, unsigned level, const struct drv_box *box);

/* Copies between a box of a level and linear memory; the caller has synchronized. For compressed
 * formats the linear side has rows of blocks. */
void cpu_resource_read(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride);
void cpu_resource_write(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                        const uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride);

/* The same between texels and pixels of another format, of images that are not compressed. */
void cpu_resource_read_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                              const struct cpu_pixel_moves *moves, const struct drv_pixels *pixels);
void cpu_resource_write_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                               const struct cpu_pixel_moves *moves,
                               const struct drv_pixels *pixels);

/* The copy of a rectangle of a level's layer from or to linear memory, which may be made piece by piece,
 * on several threads. */
struct cpu_copy {
    const struct cpu_level_layout *level; /* the resource's */
    uint8_t *plane;                       /* first byte of its texels */
    const struct cpu_uniform *uniform;    /* of the level; NULL: all its tiles are real */
    uint32_t layer;                       /* with that sample's texels */
    uint8_t *linear;                      /* of the rectangle's first pixel */
    ptrdiff_t stride;                     /* bytes from one row of linear to the next */
    uint32_t texel_bytes, x, y, width, height;
    bool to_linear;
    const struct cpu_pixel_moves *moves; /* the caller's; NULL: texels stay as they are */
};

/* The copy of one layer of a box. linear: of the box's first pixel in it. */
struct cpu_copy cpu_resource_copy(const struct cpu_resource *r, unsigned level,
                                  const struct drv_box *box, unsigned layer, uint8_t *linear,
                                  ptrdiff_t stride, bool to_linear,
                                  const struct cpu_pixel_moves *moves);
/* What of the copy lies in columns x0 … x1-1 and rows y0 … y1-1 of the level. */
void cpu_copy_part(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

#endif
