/* SPDX-License-Identifier: MIT */
/*
 * Resources (images and buffers): a description and a storage. The storage is a separate,
 * reference-counted object, because a resource may get a new one (by a map that discards the
 * contents) while scenes, the recorded commands of cpu_scene.h, still use the old one.
 *
 * Images are tiled (cpu_layout.h). A resource in a block-compressed format has two copies: the
 * application's blocks in linear rows, which maps and copies access, and the decoded texels, tiled
 * and in store_format, which samplers access. A write of blocks only notes the box that it changed.
 * cpu_storage_resolve() decodes the noted boxes when texels are about to be read, as it does with
 * fast clears.
 */
#ifndef CPU_RESOURCE_H
#define CPU_RESOURCE_H

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_storage.h"
#include "driver/cpu/resource/cpu_fast_clear.h"
#include "indium/driver.h"
#include "util/format_convert.h"

struct cpu_resource {
    struct drv_resource base;
    struct cpu_storage *storage;  /* referenced, never NULL */
    struct cpu_storage *spare;    /* an earlier storage, reused once it is idle; may be NULL */
    enum drv_format store_format; /* format of the tiled texels */
    uint32_t texel_bytes;         /* size of a texel in store_format; 1 in buffers */
    struct cpu_level_layout level[DRV_MAX_TEXTURE_LEVELS]; /* images only */
    struct {
        uint8_t *data; /* linear rows of blocks; NULL unless the format is compressed */
        uint64_t offset[DRV_MAX_TEXTURE_LEVELS];       /* bytes from data to the level */
        uint64_t layer_stride[DRV_MAX_TEXTURE_LEVELS]; /* bytes from one layer to the next */
        uint32_t stride[DRV_MAX_TEXTURE_LEVELS]; /* bytes from one row of blocks to the next */
    } blocks;
    /* The box of each level, in texels, whose blocks are newer than the texels; width 0: none.
     * Owned. NULL unless the format is compressed. The decode mutex of the screen's storage cache
     * protects the boxes. */
    struct drv_box *undecoded;
    /* The same blocks decoded as another format, for sampler views of that format. Owned, but
     * `blocks` is shared. NULL: no view needed it yet. */
    struct cpu_resource *reinterpreted;
};

/* Returns the struct of which `resource` is the base. */
static inline struct cpu_resource *cpu_resource(struct drv_resource *resource)
{
    return (struct cpu_resource *)resource;
}

/* Returns the address of a layer (or 3D slice) of a level; in multisampled images, of its first
 * sample's plane. Doesn't resolve the storage, so the memory may be out of date. Use it to record a
 * scene, which resolves the storage when it is submitted or when it executes a tile, or after a
 * call of cpu_context_sync(). */
static inline uint8_t *cpu_resource_address(const struct cpu_resource *r, unsigned level,
                                            unsigned layer)
{
    const struct cpu_level_layout *l = &r->level[level];
    return r->storage->data + l->offset + layer * l->layer_stride;
}

/* Resolves the storage for reading and returns the address that cpu_resource_address() returns. For
 * callers that read the texels, or that write them after cpu_context_sync() for writing. */
static inline uint8_t *cpu_resource_layer(const struct cpu_resource *r, unsigned level,
                                          unsigned layer)
{
    cpu_storage_resolve(r->storage, false);
    return cpu_resource_address(r, level, layer);
}

/* Like cpu_resource_layer(), for the plane of a sample. The plane of a layer's last sample is
 * followed by that of the next layer's first sample. */
static inline uint8_t *cpu_resource_plane(const struct cpu_resource *r, unsigned level,
                                          unsigned layer, unsigned sample)
{
    return cpu_resource_layer(r, level, layer) + sample * r->level[level].sample_stride;
}

/* Returns the format in which texels of `format` are stored for samplers: `format` itself or, if it
 * is compressed, an RGBA format of bytes or floats that holds the decoded texels. */
enum drv_format cpu_store_format(enum drv_format format);

/* --- entries of struct drv_screen_ops (driver.h), which describes them --- */

bool cpu_resource_fits(struct drv_screen *screen, const struct drv_resource *templ);
struct drv_resource *cpu_resource_create(struct drv_screen *screen,
                                         const struct drv_resource *templ);
uint64_t cpu_resource_bytes(struct drv_screen *screen, const struct drv_resource *templ);
struct drv_resource *cpu_resource_create_in(struct drv_screen *screen,
                                            const struct drv_resource *templ,
                                            struct drv_memory *memory, uint64_t offset);
void cpu_resource_destroy(struct drv_screen *screen, struct drv_resource *resource);

/* --- contents; unless noted, the caller has waited for the scenes that use the storage --- */

/* Replaces the storage by one that no scene uses; scenes may still use the old one. Copies the
 * contents if `keep` is set (no scene may write them then); otherwise they are undefined. r must
 * not be compressed, and its map_flags must not contain DRV_MAP_PERSISTENT, which is also set for
 * sparse images and resources in memory objects. Returns false, and changes nothing, if out of
 * memory, or if r has a reinterpreted copy. */
bool cpu_resource_rename(struct cpu_resource *r, bool keep);

/* Returns the resource that holds the texels of a sampler view of r with that format: r itself, or
 * r->reinterpreted if the format is compressed and decodes the blocks to other values. It lives as
 * long as r. Returns NULL if out of memory. */
struct cpu_resource *cpu_resource_view(struct cpu_resource *r, enum drv_format format);

/* Notes that the blocks of a box of a compressed level, given in texels, were written. The texels,
 * also those of r->reinterpreted, are decoded later. A box noted before that lies far from this one
 * is decoded now. */
void cpu_resource_note_blocks(struct cpu_resource *r, unsigned level, const struct drv_box *box);
/* Decodes the noted blocks of one level into the tiled copy. Any thread. */
void cpu_resource_decode_level(struct cpu_resource *r, unsigned level);
/* Decodes the noted blocks of all levels of storage->undecoded; does nothing if that is NULL. Any
 * thread. */
void cpu_resource_decode(struct cpu_storage *storage);

/* Copy a box of a level, given in texels, to or from linear memory, which holds rows of texels; in
 * compressed formats, rows of blocks. stride: bytes from one row to the next. layer_stride: bytes
 * from one layer to the next. Fast-cleared tiles need not be resolved first. cpu_resource_write()
 * also notes the blocks that it writes. Large boxes are copied by all threads.
 *
 * In multisampled images, these functions, the *_pixels functions and cpu_resource_copy() copy
 * planes: box->z is layer * samples + sample, and a layer of the box is the plane of one sample. */
void cpu_resource_read(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride);
void cpu_resource_write(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                        const uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride);

/* Copies blocks between levels of compressed formats with blocks of the same size, and notes them.
 * x, y, z: destination in texels and layers. box: in texels of the source. It starts at a block
 * boundary, and so does the destination. The boxes must not overlap. */
void cpu_resource_copy_blocks(struct cpu_resource *dst, unsigned dst_level, unsigned x, unsigned y,
                              unsigned z, const struct cpu_resource *src, unsigned src_level,
                              const struct drv_box *box);
/* Copy a box of an uncompressed image to or from pixels of another format. `conversion` converts
 * from texels to pixels (read) or from pixels to texels (write). */
void cpu_resource_read_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                              const struct util_conversion *conversion,
                              const struct drv_pixels *pixels);
void cpu_resource_write_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                               const struct util_conversion *conversion,
                               const struct drv_pixels *pixels);

/* Fills all samples of a box of an uncompressed level with a texel in store_format; box->z counts
 * layers or 3D slices, also in multisampled images. Tiles that lie completely in the box become
 * fast-cleared, unless cpu_fast_clear_get() returns NULL. Returns false, and changes nothing, if
 * out of memory. */
bool cpu_resource_fill(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       const uint8_t *texel);

/* Describes a copy between a rectangle of a layer and linear memory. cpu_copy_part() executes a
 * part on any thread. Concurrent parts must not share a block, nor a tile if fast_clear is set. */
struct cpu_copy {
    const struct cpu_level_layout *level;      /* borrowed from the resource */
    uint8_t *plane;                            /* first byte of the sample's plane */
    const struct cpu_fast_clear *fast_clear;   /* the level's; NULL: the memory holds all texels */
    uint32_t layer;                            /* layer or 3D slice that the plane belongs to */
    uint8_t *linear;                           /* the rectangle's first pixel */
    ptrdiff_t stride;                          /* bytes from one linear row to the next */
    uint32_t texel_bytes, x, y, width, height; /* x to height: the rectangle, in texels */
    bool to_linear;                            /* direction: read the image; else write it */
    bool stream;   /* stores bypass the caches, because the destination is large */
    bool buffered; /* without conversion: stores bypass the caches after a copy to a buffer */
    bool prefetch; /* the source is prefetched, because it is larger than the inner caches */
    const struct cpu_storage *sparse;         /* sparse images: the storage; otherwise NULL */
    const struct util_conversion *conversion; /* borrowed; NULL: none */
    /* the conversion, if the copy between tiles and rows can execute it; otherwise unit is 0 */
    struct cpu_layout_moves moves;
};

/* Returns the description of a copy of one layer of a box; layer 0 is the one at box->z. `linear`
 * points to the box's first pixel in that layer. r and conversion (may be NULL) must live as long
 * as the description is used. */
struct cpu_copy cpu_resource_copy(const struct cpu_resource *r, unsigned level,
                                  const struct drv_box *box, unsigned layer, uint8_t *linear,
                                  ptrdiff_t stride, bool to_linear,
                                  const struct util_conversion *conversion);
/* Executes the part of the copy that lies in columns x0 to x1 - 1 and rows y0 to y1 - 1 of the
 * level. */
void cpu_copy_part(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

#endif
