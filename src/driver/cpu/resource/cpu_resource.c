/* SPDX-License-Identifier: MIT */
/* Creation of resources, and copies between their texels and linear memory. */
#include "driver/cpu/resource/cpu_resource.h"

#include <stdlib.h>
#include <string.h>

#include "driver/cpu/resource/cpu_screen.h"
#include "driver/cpu/resource/cpu_fill.h"
#include "driver/cpu/resource/cpu_sparse.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/thread_pool.h"

enum drv_format cpu_store_format(enum drv_format format)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    if (d->layout != DRV_LAYOUT_COMPRESSED)
        return format;
    switch (format) {
    case DRV_FORMAT_BPTC_RGB_FLOAT:
    case DRV_FORMAT_BPTC_RGB_UFLOAT:
    case DRV_FORMAT_RGTC1_SNORM:
    case DRV_FORMAT_RGTC2_SNORM:
    case DRV_FORMAT_LATC1_SNORM:
    case DRV_FORMAT_LATC2_SNORM:
    case DRV_FORMAT_ETC2_R11_UNORM:
    case DRV_FORMAT_ETC2_R11_SNORM:
    case DRV_FORMAT_ETC2_RG11_UNORM:
    case DRV_FORMAT_ETC2_RG11_SNORM:
        return DRV_FORMAT_R32G32B32A32_FLOAT;
    default:
        return d->colorspace == DRV_COLORSPACE_SRGB ? DRV_FORMAT_R8G8B8A8_SRGB
                                                    : DRV_FORMAT_R8G8B8A8_UNORM;
    }
}

/* Allocates the blocks of a compressed resource, all zero. Returns false if out of memory. */
static bool init_blocks(struct cpu_resource *r)
{
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    uint64_t offset = 0;
    for (unsigned i = 0; i <= r->base.last_level; i++) {
        const struct cpu_level_layout *l = &r->level[i];
        r->blocks.offset[i] = offset;
        r->blocks.stride[i] = util_format_row_bytes(r->base.format, l->width);
        r->blocks.layer_stride[i] =
            (uint64_t)r->blocks.stride[i] * DIV_ROUND_UP(l->height, d->block_height);
        offset += r->blocks.layer_stride[i] * l->layers;
    }
    r->blocks.data = calloc(1, offset + CPU_STORAGE_PADDING);
    r->undecoded = calloc(r->base.last_level + 1, sizeof *r->undecoded);
    return r->blocks.data && r->undecoded;
}

/* The maximum size of an image in bytes: kernels use offsets below 2 GiB. */
#define MAX_IMAGE_BYTES (2ull << 30)
/* That of a sparse image, which only uses address space, and of its layers, whose strides kernels
 * read as 32 bits. */
#define MAX_SPARSE_BYTES (1ull << 40)
#define MAX_LAYER_BYTES  UINT32_MAX

/* Computes the layout of all levels. Returns the size of the storage in bytes. */
static uint64_t init_levels(struct cpu_resource *r)
{
    const struct drv_resource *base = &r->base;
    uint64_t bytes = 0;
    r->store_format = cpu_store_format(base->format);
    r->texel_bytes = drv_format_desc(r->store_format)->block_bytes;
    for (unsigned i = 0; i <= base->last_level; i++)
        cpu_layout_init(&r->level[i], drv_minify(base->width, i), drv_minify(base->height, i),
                        base->target == DRV_TEXTURE_3D ? drv_minify(base->depth, i)
                                                       : MAX2(base->array_size, 1),
                        MAX2(base->nr_samples, 1), r->texel_bytes, &bytes);
    return bytes;
}

/* Returns whether an image with this layout can be created. */
static bool is_size_ok(const struct cpu_resource *r, uint64_t bytes)
{
    return r->base.sparse
               ? r->level[0].sample_stride <= MAX_IMAGE_BYTES &&
                     r->level[0].layer_stride <= MAX_LAYER_BYTES && bytes <= MAX_SPARSE_BYTES
               : bytes <= MAX_IMAGE_BYTES;
}

bool cpu_resource_fits(struct drv_screen *screen, const struct drv_resource *templ)
{
    struct cpu_resource r = {.base = *templ};
    return templ->target == DRV_BUFFER || is_size_ok(&r, init_levels(&r));
}

/* Creates a resource without a storage and stores the required size in *bytes. Returns NULL if out
 * of memory. */
static struct cpu_resource *describe(struct drv_screen *screen, const struct drv_resource *templ,
                                     uint64_t *bytes)
{
    struct cpu_resource *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->base = *templ;
    r->base.refcount = 1;
    r->base.screen = screen;
    if (templ->target == DRV_BUFFER) {
        r->store_format = templ->format;
        r->texel_bytes = 1;
        *bytes = templ->width;
    } else {
        *bytes = init_levels(r);
    }
    return r;
}

uint64_t cpu_resource_bytes(struct drv_screen *screen, const struct drv_resource *templ)
{
    struct cpu_resource r = {.base = *templ};
    if (templ->target == DRV_BUFFER)
        return templ->width;
    uint64_t bytes = init_levels(&r);
    /* writes of others to compressed blocks would not update the decoded texels */
    if (bytes > MAX_IMAGE_BYTES || util_format_is_compressed(templ->format))
        return 0;
    return bytes + CPU_STORAGE_PADDING;
}

struct drv_resource *cpu_resource_create_in(struct drv_screen *screen,
                                            const struct drv_resource *templ,
                                            struct drv_memory *memory, uint64_t offset)
{
    uint64_t bytes;
    struct cpu_resource *r = describe(screen, templ, &bytes);
    if (!r)
        return NULL;
    /* keeps cpu_resource_rename() from replacing the storage */
    r->base.map_flags |= DRV_MAP_PERSISTENT | DRV_MAP_COHERENT;
    r->storage = cpu_storage_create_in(&cpu_screen(screen)->storage_cache, memory, offset, bytes);
    if (r->storage)
        return &r->base;
    free(r);
    return NULL;
}

/* Creates the storage of a sparse image. The levels that are at least as large as a page are
 * sparse, which ARB_sparse_texture2, section 8.20.2, guarantees. */
static void create_sparse(struct cpu_resource *r, uint64_t bytes)
{
    struct drv_resource *base = &r->base;
    uint32_t page[3];
    if (!is_size_ok(r, bytes) ||
        !cpu_sparse_page_size(base->screen, base->format, base->target, base->nr_samples, page))
        return;
    base->sparse_levels = 0;
    while (base->sparse_levels <= base->last_level &&
           r->level[base->sparse_levels].width >= page[0] &&
           r->level[base->sparse_levels].height >= page[1])
        base->sparse_levels++;
    /* keeps cpu_resource_rename() from replacing the storage */
    base->map_flags |= DRV_MAP_PERSISTENT | DRV_MAP_COHERENT;
    r->storage = cpu_storage_create_sparse(&cpu_screen(base->screen)->storage_cache, bytes);
}

struct drv_resource *cpu_resource_create(struct drv_screen *screen,
                                         const struct drv_resource *templ)
{
    uint64_t bytes;
    struct cpu_resource *r = describe(screen, templ, &bytes);
    if (!r)
        return NULL;
    if (templ->target == DRV_BUFFER) {
        r->storage = cpu_storage_create(&cpu_screen(screen)->storage_cache, bytes);
    } else if (templ->sparse) {
        create_sparse(r, bytes);
    } else {
        if (bytes <= MAX_IMAGE_BYTES)
            r->storage = cpu_storage_create(&cpu_screen(screen)->storage_cache, bytes);
        if (r->storage && util_format_is_compressed(templ->format) && !init_blocks(r)) {
            cpu_storage_release(r->storage);
            r->storage = NULL;
        }
    }
    if (!r->storage) {
        free(r->undecoded);
        free(r->blocks.data);
        free(r);
        return NULL;
    }
    return &r->base;
}

/* Sets storage->undecoded. */
static void set_undecoded(struct cpu_storage *storage, struct cpu_resource *r)
{
    pthread_mutex_lock(&storage->cache->decode);
    __atomic_store_n(&storage->undecoded, r, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&storage->cache->decode);
}

/* Ends the use of a storage. Recorded scenes that use it need texels of the blocks, which go. */
static void abandon_decoded(struct cpu_resource *r)
{
    if (r->undecoded) {
        if (__atomic_load_n(&r->storage->users, __ATOMIC_ACQUIRE))
            cpu_storage_resolve(r->storage, false);
        set_undecoded(r->storage, NULL);
        free(r->undecoded);
    }
    cpu_storage_abandon(r->storage);
}

void cpu_resource_destroy(struct drv_screen *screen, struct drv_resource *resource)
{
    struct cpu_resource *r = cpu_resource(resource);
    abandon_decoded(r);
    cpu_storage_abandon(r->spare);
    if (r->reinterpreted)
        abandon_decoded(r->reinterpreted);
    free(r->reinterpreted);
    free(r->blocks.data);
    free(r);
}

/* Returns whether blocks of both formats decode to the same stored texels. This is the case if the
 * formats are equal or differ only in their color encoding (linear or sRGB). */
static bool decodes_alike(enum drv_format a, enum drv_format b)
{
    return util_format_linear(a) == util_format_linear(b);
}

struct cpu_resource *cpu_resource_view(struct cpu_resource *r, enum drv_format format)
{
    uint64_t bytes;
    if (!r->blocks.data || decodes_alike(r->base.format, format))
        return r;
    if (r->reinterpreted) /* view classes have two formats that decode differently */
        return r->reinterpreted;
    struct drv_resource templ = r->base;
    templ.format = format;
    struct cpu_resource *other = describe(r->base.screen, &templ, &bytes);
    if (other && bytes <= MAX_IMAGE_BYTES) {
        other->storage = cpu_storage_create(r->storage->cache, bytes);
        other->undecoded = calloc(r->base.last_level + 1, sizeof *other->undecoded);
    }
    if (!other || !other->storage || !other->undecoded) {
        if (other) {
            cpu_storage_release(other->storage);
            free(other->undecoded);
        }
        free(other);
        return NULL;
    }
    other->blocks = r->blocks;
    for (unsigned i = 0; i <= r->base.last_level; i++) {
        const struct cpu_level_layout *l = &r->level[i];
        const struct drv_box box = {0, 0, 0, (int)l->width, (int)l->height, (int)l->layers};
        cpu_resource_note_blocks(other, i, &box);
    }
    return r->reinterpreted = other;
}

bool cpu_resource_rename(struct cpu_resource *r, bool keep)
{
    struct cpu_storage *idle = r->spare;
    if (r->reinterpreted) /* its storage would still be in use */
        return false;
    if (keep)
        cpu_storage_resolve(r->storage, false);
    if (!idle || __atomic_load_n(&idle->users, __ATOMIC_ACQUIRE)) {
        struct cpu_storage *made = keep ? cpu_storage_clone(r->storage)
                                        : cpu_storage_create(r->storage->cache, r->storage->size);
        if (!made)
            return false;
        cpu_storage_abandon(r->spare);
        idle = made;
    } else if (keep) {
        cpu_storage_resolve(idle, true);
        memcpy(idle->data, r->storage->data, r->storage->size);
    }
    r->spare = r->storage;
    r->storage = idle;
    if (r->base.target != DRV_BUFFER) /* tiles of an old storage may have fast clears */
        cpu_storage_note_change();
    return true;
}

/* Returns the address of the block that contains a texel. */
static uint8_t *block_address(const struct cpu_resource *r, unsigned level, unsigned x, unsigned y,
                              unsigned z)
{
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    return r->blocks.data + r->blocks.offset[level] + z * r->blocks.layer_stride[level] +
           (size_t)(y / d->block_height) * r->blocks.stride[level] +
           (size_t)(x / d->block_width) * d->block_bytes;
}

/* Decoding handles one row of blocks at a time, as many blocks as fit in a small buffer: texels of
 * blocks of up to 4 rows as floats, of up to 12 rows as bytes. */
#define DECODE_COLUMNS 64
#define DECODE_BYTES   (DECODE_COLUMNS * 4 * 16)

static void decode_blocks(struct cpu_resource *r, unsigned level, unsigned z, uint32_t x,
                          uint32_t y, uint32_t width, uint32_t height)
{
    uint8_t rows[DECODE_BYTES] __attribute__((aligned(16)));
    uint32_t stride = width * r->texel_bytes;
    const uint8_t *src = block_address(r, level, x, y, z);
    bool ok = r->texel_bytes == 16
                  ? util_format_decompress_float(r->base.format, (float *)rows, stride, src,
                                                 r->blocks.stride[level], width, height)
                  : util_format_decompress_rgba8(r->base.format, rows, stride, src,
                                                 r->blocks.stride[level], width, height);
    if (ok)
        cpu_layout_write(&r->level[level], cpu_resource_address(r, level, z), r->texel_bytes, x, y,
                         width, height, rows, stride);
}

/* The smallest box that several workers decode, in texels. */
#define PARALLEL_DECODE 16384

struct decoding {
    struct cpu_resource *r;
    unsigned level, z;
    uint32_t x0, x1, y0, rows; /* rows: of a block */
    uint32_t bands;            /* rows of blocks in a layer */
};

/* Decodes a row of blocks of a layer. */
static void decode_band(void *data, unsigned index)
{
    const struct decoding *d = data;
    const struct cpu_level_layout *l = &d->r->level[d->level];
    const uint32_t block = drv_format_desc(d->r->base.format)->block_width;
    const uint32_t columns = DECODE_COLUMNS / block * block;
    const uint32_t y = d->y0 + index % d->bands * d->rows;
    for (uint32_t x = d->x0; x < d->x1; x += columns)
        decode_blocks(d->r, d->level, d->z + index / d->bands, x, y, MIN2(columns, d->x1 - x),
                      MIN2(d->rows, l->height - y));
}

/* Returns the texel where the block that contains texel end - 1 ends. */
static uint32_t block_end(uint32_t end, uint32_t block, uint32_t size)
{
    return MIN2(DIV_ROUND_UP(end, block) * block, size);
}

/* Decodes the blocks of a box of a level, given in texels. */
static void decode_box(struct cpu_resource *r, unsigned level, const struct drv_box *box)
{
    const struct cpu_level_layout *l = &r->level[level];
    const struct drv_format_desc *f = drv_format_desc(r->base.format);
    const uint32_t y1 = block_end((uint32_t)(box->y + box->height), f->block_height, l->height);
    struct decoding d = {
        .r = r,
        .level = level,
        .z = box->z,
        .x0 = box->x / f->block_width * f->block_width,
        .x1 = block_end((uint32_t)(box->x + box->width), f->block_width, l->width),
        .y0 = box->y / f->block_height * f->block_height,
        .rows = f->block_height,
    };
    if (d.x0 >= d.x1 || d.y0 >= y1)
        return;
    d.bands = DIV_ROUND_UP(y1 - d.y0, d.rows);
    const unsigned jobs = d.bands * (unsigned)box->depth;
    if ((uint64_t)box->width * box->height * box->depth >= PARALLEL_DECODE)
        thread_pool_run(decode_band, &d, jobs);
    else
        thread_pool_run_here(decode_band, &d, jobs);
}

static uint64_t volume(const struct drv_box *b)
{
    return (uint64_t)b->width * b->height * b->depth;
}

/* Returns the bounding box of two boxes; an empty one has width 0. */
static struct drv_box join_boxes(const struct drv_box *a, const struct drv_box *b)
{
    if (!a->width || !b->width)
        return a->width ? *a : *b;
    const int x = MIN2(a->x, b->x), y = MIN2(a->y, b->y), z = MIN2(a->z, b->z);
    return (struct drv_box){x,
                            y,
                            z,
                            MAX2(a->x + a->width, b->x + b->width) - x,
                            MAX2(a->y + a->height, b->y + b->height) - y,
                            MAX2(a->z + a->depth, b->z + b->depth) - z};
}

void cpu_resource_note_blocks(struct cpu_resource *r, unsigned level, const struct drv_box *box)
{
    struct drv_box *noted = &r->undecoded[level];
    if (!volume(box))
        return;
    pthread_mutex_lock(&r->storage->cache->decode);
    struct drv_box joined = join_boxes(noted, box);
    /* boxes that are far apart are decoded one by one: the cost is that of the written blocks */
    if (volume(&joined) > 2 * (volume(noted) + volume(box))) {
        decode_box(r, level, noted);
        joined = *box;
    }
    *noted = joined;
    __atomic_store_n(&r->storage->undecoded, r, __ATOMIC_RELEASE);
    cpu_storage_note_change();
    pthread_mutex_unlock(&r->storage->cache->decode);
    if (r->reinterpreted)
        cpu_resource_note_blocks(r->reinterpreted, level, box);
}

/* Decodes the noted box of a level. The mutex is held. */
static void decode_noted(struct cpu_resource *r, unsigned level)
{
    struct drv_box *noted = &r->undecoded[level];
    if (noted->width)
        decode_box(r, level, noted);
    *noted = (struct drv_box){0};
}

void cpu_resource_decode_level(struct cpu_resource *r, unsigned level)
{
    pthread_mutex_lock(&r->storage->cache->decode);
    decode_noted(r, level);
    pthread_mutex_unlock(&r->storage->cache->decode);
}

void cpu_resource_decode(struct cpu_storage *storage)
{
    pthread_mutex_lock(&storage->cache->decode);
    /* another thread may have decoded the blocks or destroyed the resource */
    struct cpu_resource *r = storage->undecoded;
    for (unsigned i = 0; r && i <= r->base.last_level; i++)
        decode_noted(r, i);
    __atomic_store_n(&storage->undecoded, NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&storage->cache->decode);
}

void cpu_resource_copy_blocks(struct cpu_resource *dst, unsigned dst_level, unsigned x, unsigned y,
                              unsigned z, const struct cpu_resource *src, unsigned src_level,
                              const struct drv_box *box)
{
    const uint32_t rows =
        DIV_ROUND_UP(box->height, drv_format_desc(src->base.format)->block_height);
    const size_t bytes = util_format_row_bytes(src->base.format, box->width);
    const uint32_t to_stride = dst->blocks.stride[dst_level],
                   from_stride = src->blocks.stride[src_level];
    for (int i = 0; i < box->depth; i++) {
        uint8_t *to = block_address(dst, dst_level, x, y, z + i);
        const uint8_t *from = block_address(src, src_level, box->x, box->y, box->z + i);
        if (bytes == to_stride && bytes == from_stride) {
            memcpy(to, from, bytes * rows);
            continue;
        }
        for (uint32_t row = 0; row < rows; row++, to += to_stride, from += from_stride)
            memcpy(to, from, bytes);
    }
    const struct drv_box written = {(int)x, (int)y, (int)z, box->width, box->height, box->depth};
    cpu_resource_note_blocks(dst, dst_level, &written);
}

/* Copies rows of blocks of a compressed level to (to_linear) or from linear memory. */
static void copy_blocks(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                        uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride, bool to_linear)
{
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    uint32_t rows = DIV_ROUND_UP(box->height, d->block_height);
    size_t bytes = util_format_row_bytes(r->base.format, box->width);
    for (int z = 0; z < box->depth; z++) {
        uint8_t *blocks = block_address(r, level, box->x, box->y, box->z + z);
        uint8_t *l = linear + z * layer_stride;
        for (uint32_t y = 0; y < rows; y++) {
            if (to_linear)
                memcpy(l, blocks, bytes);
            else
                memcpy(blocks, l, bytes);
            blocks += r->blocks.stride[level];
            l += stride;
        }
    }
}

/* Large rectangles are divided into bands of rows, which all workers copy. The bands are small, so
 * that a worker that finishes first waits only briefly for the others and does not go to sleep. */
#define BAND_ROWS      16
#define PARALLEL_BYTES (512u << 10) /* the smallest rectangle that several workers copy */
/* Size in bytes of the smallest destination whose stores bypass the caches. STREAM_BUFFERED is for
 * reads of images without conversion that need an extra copy through a buffer for such stores. */
#define STREAM          (12u << 20)
#define STREAM_BUFFERED (24u << 20)
/* Stores of a converted upload also bypass the caches if pixels and texels have STREAM_BOTH bytes or
 * more and the texels STREAM_TEXELS: the pixels alone replace much of the caches' contents. */
#define STREAM_BOTH   (20u << 20)
#define STREAM_TEXELS (7u << 20)

/* Returns the size of a pixel in linear memory. */
static uint32_t pixel_bytes(const struct cpu_copy *c)
{
    return !c->conversion ? c->texel_bytes
           : c->to_linear ? c->conversion->dst_bytes
                          : c->conversion->src_bytes;
}

/* Texels that are converted at a time, through a buffer that stays in the cache: a row of blocks,
 * or four if they are narrow. */
#define CONVERTED_ROWS    4
#define CONVERTED_COLUMNS (4 * CPU_TILE)
#define NARROW_COLUMNS    (CONVERTED_COLUMNS / 4)

#define SHORT_BYTES 512 /* shorter rows of pixels count as short, see is_short() */
#define CACHE_LINE  64
#define PREFETCHED  (4u << 20) /* size in bytes of the smallest source that is prefetched */
#define STEP_BYTES  1024       /* bytes of each row of pixels that a step converts */
#define STEPS_AHEAD 2          /* number of steps from a prefetch to the conversion */

/* Copies rows of pixels between linear memory and a buffer without gaps between rows. */
static void copy_pixels(const struct cpu_copy *c, size_t row, uint32_t rows, uint8_t *linear,
                        uint8_t *buffer)
{
    for (uint32_t i = 0; i < rows; i++, linear += c->stride, buffer += row) {
        if (c->to_linear && c->stream)
            util_stream_copy(linear, buffer, row);
        else if (c->to_linear)
            memcpy(linear, buffer, row);
        else
            memcpy(buffer, linear, row);
    }
}

/* Returns whether conversions of such a row take much longer per pixel than longer ones. Moves of
 * bytes and spreading have no fixed costs. */
static bool is_short(const struct cpu_copy *c, uint32_t width)
{
    const struct util_conversion *v = c->conversion;
    return width <= NARROW_COLUMNS &&
           !((v->moves_only || v->has_spread) && width * pixel_bytes(c) >= SHORT_BYTES);
}

/* Converts or copies rows of pixels; the texels are in `texels`. Short rows go through a buffer,
 * because a conversion of many pixels costs less than many conversions; and so do pixels whose
 * stores bypass the caches. */
static void convert_rows(const struct cpu_copy *c, uint32_t width, uint32_t rows, uint8_t *linear,
                         uint8_t *texels, uint32_t stride)
{
    const size_t row = (size_t)width * pixel_bytes(c);
    if (!c->conversion) {
        copy_pixels(c, row, rows, linear, texels);
        util_stream_end();
        return;
    }
    uint8_t buffer[CONVERTED_ROWS * CONVERTED_COLUMNS * CPU_MAX_TEXEL];
    const bool joined = c->stride == (ptrdiff_t)row;
    const bool buffered =
        (!joined && rows > 1 && is_short(c, width)) || (c->stream && c->to_linear);
    uint8_t *pixels = buffered ? buffer : linear;
    if (buffered && !c->to_linear)
        copy_pixels(c, row, rows, linear, buffer);
    const size_t count = joined || buffered ? (size_t)width * rows : width;
    const uint32_t conversions = joined || buffered ? 1 : rows;
    for (uint32_t i = 0; i < conversions; i++, pixels += c->stride, texels += stride) {
        if (c->to_linear)
            util_convert_row(c->conversion, pixels, texels, count);
        else
            util_convert_row(c->conversion, texels, pixels, count);
    }
    if (buffered && c->to_linear)
        copy_pixels(c, row, rows, linear, buffer);
    if (c->stream && c->to_linear)
        util_stream_end();
}

static void write_level(const struct cpu_copy *c, uint32_t x, uint32_t y, uint32_t width,
                        uint32_t height, const uint8_t *linear, ptrdiff_t stride)
{
    if (c->stream)
        cpu_layout_stream(c->level, c->plane, c->texel_bytes, x, y, width, height, linear, stride);
    else
        cpu_layout_write(c->level, c->plane, c->texel_bytes, x, y, width, height, linear, stride);
}

/* Converts rows y to next - 1 of columns x to end - 1. */
static void convert_texels(const struct cpu_copy *c, uint32_t x, uint32_t end, uint32_t y,
                           uint32_t next, uint8_t *linear)
{
    if (c->moves.unit) {
        const uint32_t moved =
            cpu_layout_move(c->level, c->plane, c->texel_bytes, x, y, end - x, next - y, linear,
                            c->stride, c->to_linear, c->stream, &c->moves);
        x += moved;
        linear += (size_t)moved * pixel_bytes(c);
        if (x == end)
            return;
    }
    const uint32_t width = end - x;
    const bool joined = c->stride == (ptrdiff_t)width * pixel_bytes(c);
    const bool tight = joined || width <= NARROW_COLUMNS || (c->stream && c->to_linear);
    const uint32_t stride = (tight ? width : CONVERTED_COLUMNS) * c->texel_bytes;
    uint8_t rows[CONVERTED_ROWS * CONVERTED_COLUMNS * CPU_MAX_TEXEL];
    if (c->to_linear || c->conversion->keeps)
        cpu_layout_fetch(c->level, c->plane, c->texel_bytes, x, y, width, next - y, rows, stride);
    convert_rows(c, width, next - y, linear, rows, stride);
    if (!c->to_linear)
        write_level(c, x, y, width, next - y, rows, stride);
}

/* Prefetches pixels that a later step converts. */
static void prefetch_pixels(const struct cpu_copy *c, const uint8_t *linear, size_t row,
                            uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++, linear += c->stride)
        for (size_t b = 0; b < row; b += CACHE_LINE)
            __builtin_prefetch(linear + b);
}

/* Converts a part of a large client image, one row of blocks after the other. The CPU's hardware
 * prefetchers don't follow the four rows of pixels that are read in turn. So each step prefetches
 * the pixels of a later step. Steps are so short that these prefetches fit in the CPU's queue of
 * outstanding cache misses. */
static void convert_ahead(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1,
                          uint32_t y1, uint8_t *linear)
{
    const uint32_t columns = MAX2(STEP_BYTES / util_next_power_of_two(pixel_bytes(c)), CPU_TILE);
    const size_t step = (size_t)columns * pixel_bytes(c);
    for (uint32_t y = y0, next; y < y1; y = next) {
        next = MIN2((y | (CONVERTED_ROWS - 1)) + 1, y1);
        for (uint32_t x = x0, end; x < x1; x = end) {
            uint8_t *pixels = linear + (size_t)(x - x0) * pixel_bytes(c);
            end = MIN2((x | (columns - 1)) + 1, x1);
            if (end < x1)
                prefetch_pixels(c, pixels + STEPS_AHEAD * step, step, next - y);
            convert_texels(c, x, end, y, next, pixels);
        }
        linear += (ptrdiff_t)(next - y) * c->stride;
    }
}

static void convert_part(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1,
                         uint32_t y1, uint8_t *linear)
{
    const uint32_t rows = x1 - x0 <= NARROW_COLUMNS ? 4 * CONVERTED_ROWS : CONVERTED_ROWS;
    if (c->prefetch && x1 - x0 > NARROW_COLUMNS) {
        convert_ahead(c, x0, y0, x1, y1, linear);
        return;
    }
    /* the rows of blocks of a tile are adjacent in memory */
    for (uint32_t x = x0, end; x < x1; x = end) {
        uint8_t *row = linear + (size_t)(x - x0) * pixel_bytes(c);
        end = MIN2((x | (CONVERTED_COLUMNS - 1)) + 1, x1);
        for (uint32_t y = y0, next; y < y1; y = next) {
            next = MIN2((y | (rows - 1)) + 1, y1);
            convert_texels(c, x, end, y, next, row);
            row += (ptrdiff_t)(next - y) * c->stride;
        }
    }
}

/* Copies a part without conversion, in strips whose rows have 1 KiB or more. */
static void copy_part(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                      uint8_t *linear)
{
    const uint32_t columns = CONVERTED_COLUMNS * (c->texel_bytes < 4 ? 4 / c->texel_bytes : 1);
    for (uint32_t x = x0, end; x < x1; x = end) {
        uint8_t *first = linear + (size_t)(x - x0) * c->texel_bytes;
        end = MIN2((x | (columns - 1)) + 1, x1);
        if (c->to_linear && c->stream)
            cpu_layout_stream_read(c->level, c->plane, c->texel_bytes, x, y0, end - x, y1 - y0,
                                   first, c->stride);
        else if (c->to_linear)
            cpu_layout_read(c->level, c->plane, c->texel_bytes, x, y0, end - x, y1 - y0, first,
                            c->stride);
        else
            write_level(c, x, y0, end - x, y1 - y0, first, c->stride);
    }
}

/* Executes a part of the copy whose texels are in memory. */
static void copy_texels(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1,
                        uint32_t y1, uint8_t *linear)
{
    if (c->conversion || c->buffered)
        convert_part(c, x0, y0, x1, y1, linear);
    else
        copy_part(c, x0, y0, x1, y1, linear);
}

static unsigned tile_at(const struct cpu_copy *c, uint32_t x, uint32_t y)
{
    return y / CPU_TILE * c->level->tiles_x + x / CPU_TILE;
}

#define ROW_BYTES 16384 /* buffer for the pixels of fast-cleared tiles */

/* Stores the linear pixels of a row of a tile whose texels all have the value. */
static void read_value(const struct cpu_copy *c, uint32_t width, const uint8_t *value, uint8_t *to)
{
    uint8_t row[CPU_TILE * CPU_MAX_TEXEL];
    struct cpu_fill f;
    cpu_fill_init(&f, value, NULL, c->texel_bytes);
    cpu_fill_run(row, &f, width);
    if (c->conversion)
        util_convert_row(c->conversion, to, row, width);
    else
        memcpy(to, row, (size_t)width * c->texel_bytes);
}

/* Copies the leftmost tiles of a part of the copy in one row of tiles as long as they are
 * fast-cleared and fit the buffer. Returns the column where they end. */
static uint32_t read_values(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1,
                            uint32_t y1, uint8_t *linear)
{
    uint8_t row[ROW_BYTES], value[CPU_MAX_TEXEL];
    const uint32_t most = ROW_BYTES / pixel_bytes(c);
    uint32_t x = x0;
    for (uint32_t next; x < x1; x = next) {
        next = MIN2((x | (CPU_TILE - 1)) + 1, x1);
        if (next - x0 > most ||
            !cpu_fast_clear_get_value(c->fast_clear, c->layer, tile_at(c, x, y0), value))
            break;
        read_value(c, next - x, value, row + (size_t)(x - x0) * pixel_bytes(c));
    }
    for (uint32_t y = y0; y < y1; y++, linear += c->stride)
        memcpy(linear, row, (size_t)(x - x0) * pixel_bytes(c));
    return x;
}

/* Returns the column where the leftmost tiles whose texels are in memory end. */
static uint32_t find_cleared(const struct cpu_copy *c, uint32_t x, uint32_t y, uint32_t x1)
{
    uint8_t value[CPU_MAX_TEXEL];
    while (x < x1 && !cpu_fast_clear_get_value(c->fast_clear, c->layer, tile_at(c, x, y), value))
        x = MIN2((x | (CPU_TILE - 1)) + 1, x1);
    return x;
}

/* Executes a part of the copy that lies in one row of tiles. Adjacent tiles are copied row by
 * row. */
static void read_tiles(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                       uint8_t *linear)
{
    const uint32_t bytes = pixel_bytes(c);
    for (uint32_t x = x0, end; x < x1; x = end) {
        end = find_cleared(c, x, y0, x1);
        if (end > x)
            copy_texels(c, x, y0, end, y1, linear + (size_t)(x - x0) * bytes);
        if (end < x1)
            end = read_values(c, end, y0, x1, y1, linear + (size_t)(end - x0) * bytes);
    }
}

static void write_tiles(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1,
                        uint32_t y1, uint8_t *linear)
{
    const struct cpu_level_layout *l = c->level;
    const bool rows = y0 % CPU_TILE == 0 && (y1 % CPU_TILE == 0 || y1 == l->height);
    for (uint32_t x = x0, next; x < x1; x = next) {
        next = MIN2((x | (CPU_TILE - 1)) + 1, x1);
        bool all = rows && l->samples == 1 && !(c->conversion && c->conversion->keeps) &&
                   x % CPU_TILE == 0 && (next % CPU_TILE == 0 || next == l->width);
        cpu_fast_clear_resolve_to_write(c->fast_clear, c->layer, tile_at(c, x, y0), !all);
    }
    copy_texels(c, x0, y0, x1, y1, linear);
}

/* Executes a part of a write to a sparse image: writes the tiles that are committed. */
static void write_committed(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1,
                            uint32_t y1, uint8_t *linear)
{
    for (uint32_t y = y0, bottom; y < y1; y = bottom) {
        bottom = MIN2((y | (CPU_TILE - 1)) + 1, y1);
        for (uint32_t x = x0, right; x < x1; x = right) {
            right = MIN2((x | (CPU_TILE - 1)) + 1, x1);
            const uint8_t *block =
                c->plane + cpu_layout_block_offset(c->level, x, y, c->texel_bytes);
            if (cpu_sparse_is_resident(c->sparse, block))
                copy_texels(c, x, y, right, bottom,
                            linear + (ptrdiff_t)(y - y0) * c->stride +
                                (size_t)(x - x0) * pixel_bytes(c));
        }
    }
}

void cpu_copy_part(const struct cpu_copy *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
    x0 = MAX2(x0, c->x);
    y0 = MAX2(y0, c->y);
    x1 = MIN2(x1, c->x + c->width);
    y1 = MIN2(y1, c->y + c->height);
    if (x0 >= x1 || y0 >= y1)
        return;
    uint8_t *linear =
        c->linear + (ptrdiff_t)(y0 - c->y) * c->stride + (size_t)(x0 - c->x) * pixel_bytes(c);
    if (c->sparse && !c->to_linear) {
        write_committed(c, x0, y0, x1, y1, linear);
        return;
    }
    if (!c->fast_clear || cpu_storage_is_resolved(c->fast_clear->storage, true)) {
        copy_texels(c, x0, y0, x1, y1, linear);
        return;
    }
    for (uint32_t y = y0, next; y < y1; y = next) {
        next = MIN2((y | (CPU_TILE - 1)) + 1, y1);
        uint8_t *to = linear + (ptrdiff_t)(y - y0) * c->stride;
        if (c->to_linear)
            read_tiles(c, x0, y, x1, next, to);
        else
            write_tiles(c, x0, y, x1, next, to);
    }
}

/* Returns the rows of a band. Bands never share a block. They never share a tile if tiles may be
 * fast-cleared, because a write changes the tile's state and a read expands its value once. */
static uint32_t band_rows(const struct cpu_copy *c)
{
    return c->fast_clear ? CPU_TILE : BAND_ROWS;
}

static void copy_band(void *data, unsigned index)
{
    const struct cpu_copy *c = data;
    const uint32_t rows = band_rows(c), y = (c->y / rows + index) * rows;
    cpu_copy_part(c, c->x, y, c->x + c->width, y + rows);
}

/* Executes a copy that is not divided into bands. */
static void copy_all(void *data, unsigned index)
{
    const struct cpu_copy *c = data;
    cpu_copy_part(c, c->x, c->y, c->x + c->width, c->y + c->height);
}

/* Returns whether stores bypass the caches. buffered: only after an extra copy through a buffer. */
static bool is_streamed(const struct util_conversion *v, bool to_linear, bool buffered,
                        uint64_t texels, uint32_t bytes)
{
    const uint64_t size = texels * bytes; /* of the destination */
    if (v && !to_linear && size >= STREAM_TEXELS && size + texels * v->src_bytes >= STREAM_BOTH)
        return true;
    return size >= (buffered ? STREAM_BUFFERED : STREAM);
}

struct cpu_copy cpu_resource_copy(const struct cpu_resource *r, unsigned level,
                                  const struct drv_box *box, unsigned layer, uint8_t *linear,
                                  ptrdiff_t stride, bool to_linear,
                                  const struct util_conversion *conversion)
{
    const struct cpu_level_layout *l = &r->level[level];
    if (conversion && util_conversion_is_copy(conversion))
        conversion = NULL;
    const uint32_t bytes = to_linear && conversion ? conversion->dst_bytes : r->texel_bytes;
    const uint64_t texels = (uint64_t)box->width * box->height;
    const bool buffered =
        to_linear && !conversion && !cpu_layout_can_stream_read(r->texel_bytes, linear, stride);
    const bool stream = is_streamed(conversion, to_linear, buffered, texels, bytes);
    struct cpu_copy c = {
        .level = l,
        .plane = cpu_resource_address(r, level, 0) + (box->z + layer) * l->sample_stride,
        .fast_clear = cpu_fast_clear_find(r->storage, level),
        .layer = (box->z + layer) / l->samples,
        .linear = linear,
        .stride = stride,
        .texel_bytes = r->texel_bytes,
        .x = box->x,
        .y = box->y,
        .width = box->width,
        .height = box->height,
        .to_linear = to_linear,
        .stream = stream,
        .buffered = buffered && stream,
        .prefetch = conversion && !to_linear && texels * conversion->src_bytes >= PREFETCHED,
        .sparse = r->storage->resident ? r->storage : NULL,
        .conversion = conversion,
    };
    c.moves.unit = 0;
    if (conversion && conversion->moves_only && !(c.stream && to_linear))
        c.moves = cpu_layout_moves_of(&conversion->moves, c.texel_bytes, to_linear);
    return c;
}

static void copy_box(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                     uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride, bool to_linear,
                     const struct util_conversion *conversion)
{
    if (box->width <= 0 || box->height <= 0)
        return;
    for (int z = 0; z < box->depth; z++) {
        struct cpu_copy c = cpu_resource_copy(r, level, box, z, linear + z * layer_stride, stride,
                                              to_linear, conversion);
        const uint32_t rows = band_rows(&c);
        if ((uint64_t)c.width * c.height * c.texel_bytes < PARALLEL_BYTES)
            thread_pool_run_here(copy_all, &c, 1);
        else
            thread_pool_run(copy_band, &c, (c.y + c.height - 1) / rows - c.y / rows + 1);
    }
}

void cpu_resource_read(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride)
{
    if (r->blocks.data)
        copy_blocks(r, level, box, linear, stride, layer_stride, true);
    else
        copy_box(r, level, box, linear, stride, layer_stride, true, NULL);
}

void cpu_resource_write(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                        const uint8_t *linear, ptrdiff_t stride, uint64_t layer_stride)
{
    if (r->blocks.data) {
        copy_blocks(r, level, box, (uint8_t *)linear, stride, layer_stride, false);
        cpu_resource_note_blocks(r, level, box);
    } else {
        copy_box(r, level, box, (uint8_t *)linear, stride, layer_stride, false, NULL);
    }
}

void cpu_resource_read_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                              const struct util_conversion *conversion,
                              const struct drv_pixels *pixels)
{
    copy_box(r, level, box, pixels->data, pixels->stride, pixels->layer_stride, true, conversion);
}

void cpu_resource_write_pixels(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                               const struct util_conversion *conversion,
                               const struct drv_pixels *pixels)
{
    copy_box(r, level, box, pixels->data, pixels->stride, pixels->layer_stride, false, conversion);
}

/* --- fills --- */

/* Writes a rectangle of a layer from a row of texels. */
static void fill_rectangle(struct cpu_resource *r, unsigned level, unsigned layer, uint8_t *row,
                           uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
    const unsigned samples = r->level[level].samples;
    const struct drv_box box = {(int)x0,        (int)y0,        (int)(layer * samples),
                                (int)(x1 - x0), (int)(y1 - y0), (int)samples};
    if (x0 < x1 && y0 < y1)
        copy_box(r, level, &box, row, 0, 0, false, NULL);
}

/* Returns the end of the last whole tile that ends at `end` or before it. */
static uint32_t last_tile_end(uint32_t end, uint32_t size)
{
    return end == size ? end : end & ~(CPU_TILE - 1);
}

bool cpu_resource_fill(struct cpu_resource *r, unsigned level, const struct drv_box *box,
                       const uint8_t *texel)
{
    const struct cpu_level_layout *l = &r->level[level];
    const uint32_t x0 = box->x, y0 = box->y, x1 = box->x + box->width, y1 = box->y + box->height;
    uint8_t value[CPU_MAX_TEXEL] = {0};
    struct cpu_fast_clear *f = cpu_fast_clear_get(r->storage, level, l, r->texel_bytes);
    /* the tiles that lie in the box */
    uint32_t tx0 = ALIGN_POT(x0, CPU_TILE), ty0 = ALIGN_POT(y0, CPU_TILE);
    uint32_t tx1 = last_tile_end(x1, l->width), ty1 = last_tile_end(y1, l->height);
    if (!f || tx0 >= tx1 || ty0 >= ty1)
        tx0 = tx1 = x1, ty0 = ty1 = y1;
    uint8_t *row = NULL;
    if (tx0 > x0 || ty0 > y0 || tx1 < x1 || ty1 < y1) {
        row = malloc((size_t)box->width * r->texel_bytes);
        if (!row)
            return false;
        util_fill_texels(row, (size_t)box->width * r->texel_bytes, texel, r->texel_bytes);
    }
    memcpy(value, texel, r->texel_bytes);
    for (unsigned z = box->z; z < (unsigned)(box->z + box->depth); z++) {
        for (uint32_t y = ty0; y < ty1; y += CPU_TILE)
            for (uint32_t x = tx0; x < tx1; x += CPU_TILE)
                cpu_fast_clear_set_value(f, z, y / CPU_TILE * l->tiles_x + x / CPU_TILE, value);
        fill_rectangle(r, level, z, row, x0, y0, x1, ty0);
        fill_rectangle(r, level, z, row, x0, ty0, tx0, ty1);
        fill_rectangle(r, level, z, row, tx1, ty0, x1, ty1);
        fill_rectangle(r, level, z, row, x0, ty1, x1, y1);
    }
    cpu_storage_note_change();
    free(row);
    return true;
}
