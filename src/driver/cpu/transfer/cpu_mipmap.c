/* SPDX-License-Identifier: MIT */
/*
 * glGenerateMipmap. A linear filter samples the previous level at the center of each new texel: the
 * mean of 2×2 texels where the size halves exactly; at odd sizes the weights vary. Texels of every
 * format are filtered as planes of floats (util/format_planes.h): normalized channels of up to 16
 * bits as integers, whose sums are exact, and sRGB channels as linear values. Each level is rounded
 * once, to nearest even. Rectangles of the new level are independent, so all workers take part.
 */
#include <math.h>
#include <string.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/resource/cpu_sparse.h"
#include "driver/cpu/transfer/cpu_transfer.h"
#include "util/format.h"
#include "util/format_convert.h"
#include "util/format_planes.h"
#include "util/macros.h"
#include "util/thread_pool.h"

#define COLUMNS 112 /* new texels in a row of a rectangle; the texels of their taps fit a chunk */
#define ROWS    4   /* rows of a rectangle */
#define BAND    16  /* rows of a job */
#define SOURCE  UTIL_CHUNK

/* The smallest level that several workers generate, in texels. */
#define PARALLEL_TEXELS 16384

/* The two source texels of a new texel along an axis. */
struct tap {
    uint32_t at[2];
    float weight; /* weight of at[1], a multiple of 1/256 */
};

struct halving {
    struct cpu_resource *r;
    struct util_planes_format format;
    bool is_3d;
    unsigned level; /* the level that is generated from level - 1 */
    unsigned first_layer;
    uint32_t bands; /* jobs of a layer */
};

static struct tap find_tap(uint32_t i, uint32_t new_size, uint32_t old_size)
{
    if (old_size == 2 * new_size) /* the same result without a division */
        return (struct tap){{2 * i, 2 * i + 1}, 0.5f};
    double x = (i + 0.5) * old_size / new_size - 0.5, base = floor(x);
    uint32_t at = base < 0 ? 0 : (uint32_t)base;
    return (struct tap){{MIN2(at, old_size - 1), MIN2(at + 1, old_size - 1)},
                        base < 0 ? 0 : (float)(uint32_t)((x - base) * 256.0 + 0.5) / 256.0f};
}

/* A row of blocks of the source as linear rows, which are fast to read. */
struct strip {
    bool valid;
    uint32_t first, z; /* first row and slice */
    uint8_t texels[CPU_BLOCK][SOURCE * CPU_MAX_TEXEL] __attribute__((aligned(64)));
};

/* A rectangle of the new level. */
struct rectangle {
    uint32_t x, y, width, height;
    uint32_t x0, count;         /* first source column, and number of source columns */
    bool halved;                /* columns are means of pairs; at[] and weight[] are unused */
    uint32_t at[2][UTIL_CHUNK]; /* source columns of each column, less x0 */
    float weight[UTIL_CHUNK];   /* weight of at[1] */
    struct strip strip[2];      /* adjacent rows of blocks; 3D images: adjacent slices */
};

/* Returns the texels of row `at` of source slice z. */
static const uint8_t *read_texels(const struct halving *h, struct rectangle *r, uint32_t at,
                                  uint32_t z)
{
    const struct cpu_level_layout *l = &h->r->level[h->level - 1];
    const uint32_t first = at & ~(CPU_BLOCK - 1u);
    struct strip *s = &r->strip[h->is_3d ? z & 1 : at / CPU_BLOCK & 1];
    if (!s->valid || s->first != first || s->z != z) {
        s->valid = true;
        s->first = first;
        s->z = z;
        cpu_layout_fetch(l, cpu_resource_address(h->r, h->level - 1, z), h->r->texel_bytes, r->x0,
                         first, r->count, MIN2(CPU_BLOCK, l->height - first), s->texels[0],
                         sizeof s->texels[0]);
    }
    return s->texels[at - first];
}

/* Converts row `at` of source slice z. */
static void read_row(const struct halving *h, struct rectangle *r, uint32_t at, uint32_t z,
                     struct util_planes *planes)
{
    util_texels_to_planes(&h->format, read_texels(h, r, at, z), r->count, planes);
}

static void mix_planes(const struct halving *h, struct util_planes *to,
                       const struct util_planes *other, float weight, uint32_t count)
{
    for (unsigned c = 0; c < 4; c++)
        if (h->format.components >> c & 1)
            util_plane_mix((float *)to->value[c], (const float *)to->value[c],
                           (const float *)other->value[c], weight, count);
}

/* Filters two rows of a slice along y. */
static void filter_rows(const struct halving *h, struct rectangle *r, const struct tap *row,
                        uint32_t z, struct util_planes *planes)
{
    struct util_planes other;
    read_row(h, r, row->at[0], z, planes);
    if (row->weight == 0.0f)
        return;
    read_row(h, r, row->at[1], z, &other);
    mix_planes(h, planes, &other, row->weight, r->count);
}

/* Filters a plane along x. */
static void filter_columns(const struct rectangle *r, const float *src, float *dst)
{
    if (r->halved)
        util_plane_halve(dst, src, 1, 0.5f, r->width);
    else
        util_plane_filter(dst, src, r->at, r->weight, r->width);
}

/* Filters a row of texels that are floats, without converting them to planes. Adjacent rows of a
 * slice are in different strips or in the same one, so both stay valid. */
static void filter_floats(const struct halving *h, struct rectangle *r, const struct tap *row,
                          uint32_t z, uint8_t *texels)
{
    const unsigned size = h->format.floats;
    const float *first = (const float *)read_texels(h, r, row->at[0], z);
    struct util_planes mixed;
    if (row->weight != 0.0f) {
        const float *second = (const float *)read_texels(h, r, row->at[1], z);
        util_plane_mix((float *)mixed.value, first, second, row->weight, r->count * size);
        first = (const float *)mixed.value;
    }
    util_plane_halve((float *)texels, first, size, 0.5f, r->width * size);
}

static void filter_row(const struct halving *h, struct rectangle *r, uint32_t y, uint32_t z,
                       uint8_t *texels)
{
    const struct cpu_level_layout *s = &h->r->level[h->level - 1], *d = &h->r->level[h->level];
    const struct tap row = find_tap(y, d->height, s->height);
    struct util_planes planes, other;
    if (h->format.floats && r->halved && !h->is_3d) {
        filter_floats(h, r, &row, z, texels);
        return;
    }
    if (h->is_3d) {
        const struct tap slice = find_tap(z, d->layers, s->layers);
        filter_rows(h, r, &row, slice.at[0], &planes);
        if (slice.weight != 0.0f) {
            filter_rows(h, r, &row, slice.at[1], &other);
            mix_planes(h, &planes, &other, slice.weight, r->count);
        }
    } else {
        filter_rows(h, r, &row, z, &planes);
    }
    for (unsigned c = 0; c < 4; c++)
        if (h->format.components >> c & 1)
            filter_columns(r, (const float *)planes.value[c], (float *)other.value[c]);
    util_planes_to_texels(&h->format, texels, r->width, &other);
}

/* Finds the source columns of a rectangle. They start and end with whole blocks. */
static void find_columns(struct rectangle *r, uint32_t width, uint32_t old_width)
{
    const struct tap first = find_tap(r->x, width, old_width);
    const struct tap last = find_tap(r->x + r->width - 1, width, old_width);
    r->x0 = first.at[0] & ~(CPU_BLOCK - 1u);
    r->count = MIN2(ALIGN_POT(last.at[1] + 1, CPU_BLOCK), old_width) - r->x0;
    r->halved = old_width == 2 * width;
    for (uint32_t i = 0; !r->halved && i < ALIGN_POT(r->width, 16); i++) {
        struct tap t = find_tap(r->x + MIN2(i, r->width - 1), width, old_width);
        r->at[0][i] = t.at[0] - r->x0;
        r->at[1][i] = t.at[1] - r->x0;
        r->weight[i] = t.weight;
    }
}

/* Generates a rectangle of ROWS rows at most. */
static void filter_rectangle(const struct halving *h, uint32_t x, uint32_t y, uint32_t z)
{
    const struct cpu_level_layout *s = &h->r->level[h->level - 1], *d = &h->r->level[h->level];
    const uint32_t bytes = h->r->texel_bytes;
    uint8_t texels[ROWS * COLUMNS * CPU_MAX_TEXEL] __attribute__((aligned(64)));
    struct rectangle r;
    r.x = x;
    r.y = y;
    r.width = MIN2(COLUMNS, d->width - x);
    r.height = MIN2(ROWS, d->height - y);
    r.strip[0].valid = r.strip[1].valid = false;
    find_columns(&r, d->width, s->width);
    for (uint32_t i = 0; i < r.height; i++)
        filter_row(h, &r, y + i, z, texels + i * COLUMNS * bytes);
    cpu_layout_write(d, cpu_resource_address(h->r, h->level, z), bytes, x, y, r.width, r.height,
                     texels, COLUMNS * bytes);
}

static void filter_band(void *data, unsigned index)
{
    const struct halving *h = data;
    const struct cpu_level_layout *d = &h->r->level[h->level];
    const uint32_t z = h->first_layer + index / h->bands, first = index % h->bands * BAND;
    for (uint32_t y = first; y < MIN2(first + BAND, d->height); y += ROWS)
        for (uint32_t x = 0; x < d->width; x += COLUMNS)
            filter_rectangle(h, x, y, z);
}

static void halve_level(struct halving *h, unsigned first_layer, unsigned last_layer)
{
    const struct cpu_level_layout *d = &h->r->level[h->level];
    const unsigned layers = h->is_3d ? d->layers : last_layer - first_layer + 1;
    h->first_layer = h->is_3d ? 0 : first_layer;
    h->bands = DIV_ROUND_UP(d->height, BAND);
    if ((uint64_t)d->width * d->height * layers >= PARALLEL_TEXELS)
        thread_pool_run(filter_band, h, h->bands * layers);
    else
        thread_pool_run_here(filter_band, h, h->bands * layers);
    const struct drv_box written = {
        0, 0, (int)h->first_layer, (int)d->width, (int)d->height, (int)layers};
    cpu_sparse_discard(h->r, h->level, &written);
}

/* --- compressed formats: the decoded texels are filtered, then encoded; samplers see what the
 * blocks decode to --- */

struct encoding {
    struct cpu_resource *r;
    unsigned level, first_layer;
    uint32_t bands; /* rows of blocks in a layer */
    struct util_conversion to_floats;
};

/* Encodes a row of blocks of a layer. */
static void encode_band(void *data, unsigned index)
{
    const struct encoding *e = data;
    struct cpu_resource *r = e->r;
    const struct cpu_level_layout *l = &r->level[e->level];
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    const uint32_t z = e->first_layer + index / e->bands;
    const uint32_t y = index % e->bands * d->block_height;
    const uint32_t height = MIN2(d->block_height, l->height - y);
    uint8_t *blocks = r->blocks.data + r->blocks.offset[e->level] +
                      z * r->blocks.layer_stride[e->level] +
                      (size_t)(y / d->block_height) * r->blocks.stride[e->level];
    uint8_t texels[4 * CPU_TILE * CPU_MAX_TEXEL];
    float floats[4 * CPU_TILE][4];
    for (uint32_t x = 0; x < l->width; x += CPU_TILE) {
        const uint32_t width = MIN2(CPU_TILE, l->width - x);
        cpu_layout_read(l, cpu_resource_address(r, e->level, z), r->texel_bytes, x, y, width,
                        height, texels, (ptrdiff_t)width * r->texel_bytes);
        util_convert_row(&e->to_floats, floats, texels, (size_t)width * height);
        util_format_compress(r->base.format, blocks + (size_t)(x / d->block_width) * d->block_bytes,
                             r->blocks.stride[e->level], (const float(*)[4])floats, width, width,
                             height);
    }
}

/* Encodes the layers or slices of a level, whose format has blocks of at most 4 rows. */
static void encode_level(struct cpu_resource *r, unsigned level, unsigned first_layer,
                         unsigned last_layer)
{
    const struct cpu_level_layout *l = &r->level[level];
    struct encoding e = {
        .r = r,
        .level = level,
        .first_layer = first_layer,
        .bands = DIV_ROUND_UP(l->height, drv_format_desc(r->base.format)->block_height),
    };
    const struct util_conversion_desc d = {
        .src = util_format_linear(r->store_format),
        .dst = DRV_FORMAT_R32G32B32A32_FLOAT,
        .in = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .out = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
    };
    const struct drv_box box = {
        0, 0, (int)first_layer, (int)l->width, (int)l->height, (int)(last_layer - first_layer + 1)};
    if (!util_conversion_init(&e.to_floats, &d))
        return;
    thread_pool_run(encode_band, &e, e.bands * (last_layer - first_layer + 1));
    cpu_resource_note_blocks(r, level, &box);
}

void cpu_generate_mipmap(struct drv_context *base, struct drv_resource *resource,
                         enum drv_format format, unsigned first_level, unsigned last_level,
                         unsigned first_layer, unsigned last_layer)
{
    struct cpu_resource *r = cpu_resource(resource);
    struct halving h = {.r = r, .is_3d = r->base.target == DRV_TEXTURE_3D};
    if (util_format_is_pure_integer(format) ||
        (r->blocks.data && !util_format_can_compress(r->base.format)) ||
        !util_planes_format_init(&h.format, cpu_store_format(format), true))
        return;
    if (r->blocks.data) {
        cpu_context_wait(cpu_context(base), r->storage, true, false);
        cpu_resource_decode_level(r, first_level);
    } else {
        cpu_context_sync(cpu_context(base), r->storage, true);
    }
    for (h.level = first_level + 1; h.level <= last_level; h.level++)
        halve_level(&h, first_layer, last_layer);
    /* encode after all levels are filtered, so that encoding errors do not accumulate */
    for (unsigned l = first_level + 1; r->blocks.data && l <= last_level; l++)
        encode_level(r, l, h.is_3d ? 0 : first_layer,
                     h.is_3d ? r->level[l].layers - 1 : last_layer);
}
