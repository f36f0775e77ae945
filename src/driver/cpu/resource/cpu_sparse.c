/* SPDX-License-Identifier: MIT */
/* Sparse images: page sizes, commitment of pages, and writes to pages that are not committed. */
#include "driver/cpu/resource/cpu_sparse.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/check.h"
#include "util/format.h"
#include "util/macros.h"

bool cpu_sparse_is_supported(void)
{
    return sysconf(_SC_PAGESIZE) == CPU_SPARSE_UNIT;
}

/* ARB_sparse_texture2, table 8.X: pages of 64 KiB, as square as possible. Formats whose texels are
 * no power of two have the page of the next larger size. Samples and slices are separate planes, so
 * they don't change the size. */
bool cpu_sparse_page_size(struct drv_screen *screen, enum drv_format format, enum drv_target target,
                          unsigned samples, uint32_t size[3])
{
    const struct drv_format_desc *d = drv_format_desc(format);
    if (target == DRV_BUFFER || target == DRV_TEXTURE_1D || target == DRV_TEXTURE_1D_ARRAY ||
        d->layout == DRV_LAYOUT_COMPRESSED || d->colorspace == DRV_COLORSPACE_ZS ||
        d->block_width != 1 || !d->block_bytes || d->block_bytes > CPU_MAX_TEXEL)
        return false;
    const unsigned log2_texels = 16 - util_logbase2(2 * d->block_bytes - 1);
    size[0] = 1u << (log2_texels + 1) / 2;
    size[1] = 1u << log2_texels / 2;
    size[2] = 1;
    DCHECK(size[0] % CPU_TILE == 0 && size[1] % CPU_TILE == 0);
    return true;
}

/* Returns the units of `bytes` bytes from `address` on, which must not be empty. */
static size_t units(const struct cpu_storage *s, const uint8_t *address, size_t bytes,
                    size_t *first)
{
    const size_t at = address - s->data;
    CHECK(bytes && at + bytes <= s->size);
    *first = at >> CPU_SPARSE_SHIFT;
    return ((at + bytes - 1) >> CPU_SPARSE_SHIFT) + 1 - *first;
}

/* Returns the memory of units to the system; they read as zeros afterwards. */
static void release_units(const struct cpu_storage *s, size_t first, size_t count)
{
    (void)!madvise(s->data + (first << CPU_SPARSE_SHIFT), count << CPU_SPARSE_SHIFT, MADV_DONTNEED);
}

void cpu_sparse_discard_tile(const struct cpu_storage *s, uint8_t *address, size_t bytes)
{
    size_t first;
    if (cpu_sparse_is_resident(s, address))
        return;
    /* the last tile of a level less than 64 texels high may be shorter */
    const size_t left = s->size - (address - s->data);
    const size_t count = units(s, address, MIN2(bytes, left), &first);
    release_units(s, first, count);
}

/* Returns the bytes from one tile of a level to the next. */
static size_t tile_bytes(const struct cpu_resource *r, const struct cpu_level_layout *l)
{
    return (size_t)l->tile_w * CPU_TILE_BLOCKS * 16 * r->texel_bytes;
}

/* Tiles of a plane that a box touches: columns x0 to x1 - 1 and rows y0 to y1 - 1. */
struct tiles {
    uint32_t x0, y0, x1, y1;
};

static struct tiles tiles_of(const struct drv_box *box)
{
    return (struct tiles){box->x / CPU_TILE, box->y / CPU_TILE,
                          DIV_ROUND_UP((uint32_t)(box->x + box->width), CPU_TILE),
                          DIV_ROUND_UP((uint32_t)(box->y + box->height), CPU_TILE)};
}

void cpu_sparse_discard(const struct cpu_resource *r, unsigned level, const struct drv_box *box)
{
    const struct cpu_level_layout *l = &r->level[level];
    if (!r->storage->resident || box->width <= 0 || box->height <= 0)
        return;
    const struct tiles t = tiles_of(box);
    const size_t bytes = tile_bytes(r, l);
    for (uint32_t z = box->z * l->samples; z < (box->z + box->depth) * l->samples; z++)
        for (uint32_t y = t.y0; y < t.y1; y++)
            for (uint32_t x = t.x0; x < t.x1; x++)
                cpu_sparse_discard_tile(r->storage,
                                        cpu_resource_address(r, level, 0) + z * l->sample_stride +
                                            ((uint64_t)y * l->tiles_x + x) * bytes,
                                        bytes);
}

static void commit_units(struct cpu_storage *s, size_t first, size_t count, bool commit)
{
    memset(s->resident + first, commit, count);
    if (!commit)
        release_units(s, first, count);
}

void cpu_sparse_commit(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       bool commit)
{
    struct cpu_storage *s = r->storage;
    const struct cpu_level_layout *l = &r->level[level];
    size_t first;
    CHECK(s->resident);
    if (level >= r->base.sparse_levels) {
        uint8_t *tail = s->data + r->level[r->base.sparse_levels].offset;
        const size_t count = units(s, tail, s->data + s->size - tail, &first);
        commit_units(s, first, count, commit);
        return;
    }
    const struct tiles t = tiles_of(box);
    const size_t bytes = tile_bytes(r, l);
    for (uint32_t z = box->z * l->samples; z < (box->z + box->depth) * l->samples; z++)
        for (uint32_t y = t.y0; y < t.y1 && t.x0 < t.x1; y++) {
            const uint8_t *row = cpu_resource_address(r, level, 0) + z * l->sample_stride +
                                 ((uint64_t)y * l->tiles_x + t.x0) * bytes;
            DCHECK((row - s->data) % CPU_SPARSE_UNIT == 0);
            const size_t count = units(s, row, (t.x1 - t.x0) * bytes, &first);
            commit_units(s, first, count, commit);
        }
}
