/* SPDX-License-Identifier: MIT */
/*
 * Conversion between client pixels and resources. A client format and type are represented by a
 * pixel format, whose channels are the client's components in memory order, and by a mapping
 * between its channels and R, G, B, A. The driver executes the conversion (util/format_convert.h).
 */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "util/format.h"
#include "util/thread_pool.h"

enum { ZERO = DRV_SWIZZLE_0, ONE = DRV_SWIZZLE_1 };

/* --------------------------------------------------------------------------- client formats --- */

/* Returns the format of n components of a type in memory. integer: as pure integers instead of
 * normalized ones. */
static enum drv_format raw_format(GLenum type, unsigned n, bool integer)
{
#define ROW(bits, kind)                                                                            \
    {DRV_FORMAT_R##bits##_##kind, DRV_FORMAT_R##bits##G##bits##_##kind,                            \
     DRV_FORMAT_R##bits##G##bits##B##bits##_##kind,                                                \
     DRV_FORMAT_R##bits##G##bits##B##bits##A##bits##_##kind}
    static const struct {
        GLenum type;
        enum drv_format normalized[4], integer[4];
    } arrays[] = {
        {GL_BYTE, ROW(8, SNORM), ROW(8, SINT)},
        {GL_UNSIGNED_BYTE, ROW(8, UNORM), ROW(8, UINT)},
        {GL_SHORT, ROW(16, SNORM), ROW(16, SINT)},
        {GL_UNSIGNED_SHORT, ROW(16, UNORM), ROW(16, UINT)},
        {GL_INT, ROW(32, SNORM), ROW(32, SINT)},
        {GL_UNSIGNED_INT, ROW(32, UNORM), ROW(32, UINT)},
        {GL_FLOAT, ROW(32, FLOAT), ROW(32, FLOAT)},
        {GL_HALF_FLOAT, ROW(16, FLOAT), ROW(16, FLOAT)},
        {GL_HALF_FLOAT_OES, ROW(16, FLOAT), ROW(16, FLOAT)},
    };
#undef ROW
    /* R is the first component of the client's format. */
    static const struct {
        GLenum type;
        enum drv_format normalized, integer;
    } packed[] = {
#define PACKED(layout) DRV_FORMAT_##layout##_UNORM, DRV_FORMAT_##layout##_UINT
        {GL_UNSIGNED_BYTE_3_3_2, PACKED(B2G3R3)},
        {GL_UNSIGNED_BYTE_2_3_3_REV, PACKED(R3G3B2)},
        {GL_UNSIGNED_SHORT_5_6_5, PACKED(B5G6R5)},
        {GL_UNSIGNED_SHORT_5_6_5_REV, PACKED(R5G6B5)},
        {GL_UNSIGNED_SHORT_4_4_4_4, PACKED(A4B4G4R4)},
        {GL_UNSIGNED_SHORT_4_4_4_4_REV, PACKED(R4G4B4A4)},
        {GL_UNSIGNED_SHORT_5_5_5_1, PACKED(A1B5G5R5)},
        {GL_UNSIGNED_SHORT_1_5_5_5_REV, PACKED(R5G5B5A1)},
        {GL_UNSIGNED_INT_8_8_8_8, PACKED(A8B8G8R8)},
        {GL_UNSIGNED_INT_8_8_8_8_REV, PACKED(R8G8B8A8)},
        {GL_UNSIGNED_INT_10_10_10_2, PACKED(A2B10G10R10)},
        {GL_UNSIGNED_INT_2_10_10_10_REV, PACKED(R10G10B10A2)},
        {GL_UNSIGNED_INT_10F_11F_11F_REV, DRV_FORMAT_R11G11B10_FLOAT, DRV_FORMAT_NONE},
        {GL_UNSIGNED_INT_5_9_9_9_REV, DRV_FORMAT_R9G9B9E5_FLOAT, DRV_FORMAT_NONE},
#undef PACKED
    };
    for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
        if (arrays[i].type == type && n >= 1 && n <= 4)
            return integer ? arrays[i].integer[n - 1] : arrays[i].normalized[n - 1];
    for (unsigned i = 0; i < ARRAY_SIZE(packed); i++)
        if (packed[i].type == type)
            return integer ? packed[i].integer : packed[i].normalized;
    return DRV_FORMAT_NONE;
}

/* unpack: client component for each of R, G, B, A. pack: index in RGBA for each client
 * component. */
static const struct color_format {
    GLenum format;
    uint8_t n, unpack[4], pack[4];
} color_formats[] = {
    {GL_RED, 1, {0, ZERO, ZERO, ONE}, {0}},
    {GL_GREEN, 1, {ZERO, 0, ZERO, ONE}, {1}},
    {GL_BLUE, 1, {ZERO, ZERO, 0, ONE}, {2}},
    {GL_ALPHA, 1, {ZERO, ZERO, ZERO, 0}, {3}},
    {GL_RG, 2, {0, 1, ZERO, ONE}, {0, 1}},
    {GL_RGB, 3, {0, 1, 2, ONE}, {0, 1, 2}},
    {GL_BGR, 3, {2, 1, 0, ONE}, {2, 1, 0}},
    {GL_RGBA, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {GL_BGRA, 4, {2, 1, 0, 3}, {2, 1, 0, 3}},
    {GL_ABGR_EXT, 4, {3, 2, 1, 0}, {3, 2, 1, 0}},
    {GL_LUMINANCE, 1, {0, 0, 0, ONE}, {0}},
    {GL_LUMINANCE_ALPHA, 2, {0, 0, 0, 1}, {0, 3}},
    {GL_INTENSITY, 1, {0, 0, 0, 0}, {0}},
    {GL_RED_INTEGER, 1, {0, ZERO, ZERO, ONE}, {0}},
    {GL_GREEN_INTEGER, 1, {ZERO, 0, ZERO, ONE}, {1}},
    {GL_BLUE_INTEGER, 1, {ZERO, ZERO, 0, ONE}, {2}},
    {GL_ALPHA_INTEGER, 1, {ZERO, ZERO, ZERO, 0}, {3}},
    {GL_LUMINANCE_INTEGER_EXT, 1, {0, 0, 0, ONE}, {0}},
    {GL_LUMINANCE_ALPHA_INTEGER_EXT, 2, {0, 0, 0, 1}, {0, 3}},
    {GL_RG_INTEGER, 2, {0, 1, ZERO, ONE}, {0, 1}},
    {GL_RGB_INTEGER, 3, {0, 1, 2, ONE}, {0, 1, 2}},
    {GL_BGR_INTEGER, 3, {2, 1, 0, ONE}, {2, 1, 0}},
    {GL_RGBA_INTEGER, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {GL_BGRA_INTEGER, 4, {2, 1, 0, 3}, {2, 1, 0, 3}},
};

static const struct color_format *find_color(GLenum format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(color_formats); i++)
        if (color_formats[i].format == format)
            return &color_formats[i];
    return NULL;
}

/* Returns the size in bytes of the elements that GL_PACK_SWAP_BYTES and GL_UNPACK_SWAP_BYTES
 * reverse. */
static unsigned swap_unit(GLenum type)
{
    unsigned packed, bytes = gl_pixel_type_bytes(type, &packed);
    return CLAMP(bytes, 1, 4);
}

/* --------------------------------------------------------------------------------- transfer --- */

unsigned gl_pixel_transfer_ops(const struct gl_context *ctx)
{
    return gl_is_compat(ctx) ? GL_PIXEL_TRANSFER : 0;
}

bool gl_pixel_transfer_is_identity(const struct gl_context *ctx)
{
    if (ctx->pixel.map_color)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (ctx->pixel.scale[c] != 1.0f || ctx->pixel.bias[c] != 0.0f)
            return false;
    return true;
}

/* Describes the context's pixel transfer state. */
static void get_transfer(const struct gl_context *ctx, struct util_pixel_transfer *t)
{
    const struct gl_pixel_state *p = &ctx->pixel;
    *t = (struct util_pixel_transfer){
        .map_color = p->map_color,
        .map_stencil = p->map_stencil,
        .stencil_map = {p->map[GL_MAP_S_TO_S].map, p->map[GL_MAP_S_TO_S].size},
        .depth_scale = p->depth_scale,
        .depth_bias = p->depth_bias,
        .index_shift = p->index_shift,
        .index_offset = p->index_offset,
    };
    for (unsigned c = 0; c < 4; c++) {
        const struct gl_pixel_map *map = &p->map[GL_MAP_R_TO_R + c];
        t->scale[c] = p->scale[c];
        t->bias[c] = p->bias[c];
        t->color_map[c] = (struct util_lookup){map->map, map->size};
    }
}

/* Returns which stored component R, G, B, A are read from, for a base format. get: as glGetTexImage
 * returns them, where luminance and intensity are only in red (GL 4.6 compatibility §8.11).
 * Otherwise as shaders read them. */
static const uint8_t *base_components(GLenum base, bool get)
{
    static const struct {
        GLenum base;
        uint8_t seen[4], got[4];
    } rows[] = {
        {GL_RGB, {0, 1, 2, ONE}, {0, 1, 2, ONE}},
        {GL_RG, {0, 1, ZERO, ONE}, {0, 1, ZERO, ONE}},
        {GL_RED, {0, ZERO, ZERO, ONE}, {0, ZERO, ZERO, ONE}},
        {GL_ALPHA, {ZERO, ZERO, ZERO, 3}, {ZERO, ZERO, ZERO, 3}},
        {GL_LUMINANCE, {0, 0, 0, ONE}, {0, ZERO, ZERO, ONE}},
        {GL_LUMINANCE_ALPHA, {0, 0, 0, 3}, {0, ZERO, ZERO, 3}},
        {GL_INTENSITY, {0, 0, 0, 0}, {0, ZERO, ZERO, ONE}},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        if (rows[i].base == base)
            return get ? rows[i].got : rows[i].seen;
    static const uint8_t all[4] = {0, 1, 2, 3};
    return all;
}

static void rebase(GLenum base, bool get, float (*v)[4], unsigned count, bool integer)
{
    const uint8_t *from = base_components(base, get);
    for (unsigned i = 0; i < count; i++) {
        float p[6] = {v[i][0], v[i][1], v[i][2], v[i][3], 0.0f, integer ? uif(1) : 1.0f};
        for (unsigned c = 0; c < 4; c++)
            v[i][c] = p[from[c]];
    }
}

void gl_pixels_rebase(GLenum base, float (*rgba)[4], unsigned count, bool integer)
{
    rebase(base, false, rgba, count, integer);
}

/* ----------------------------------------------------------------------------- conversions --- */

/* sRGB textures are stored as given, so conversions treat them as linear. */
static enum drv_format raw_store_format(enum drv_format f)
{
    return util_format_is_srgb(f) ? util_format_linear(f) : f;
}

/* Returns the bytes of elements to reverse, see util_conversion_desc. */
static unsigned swapped(const struct gl_pixel_spec *form)
{
    unsigned unit = swap_unit(form->type);
    return form->store->swap_bytes && unit > 1 ? unit : 0;
}

static bool is_zs_format(GLenum format)
{
    return gl_base_is_depth(format) || gl_base_is_stencil(format);
}

/* Returns the format of client pixels with depth, stencil or both. stored: the format of the texels
 * that are read, or 0 if the client pixels are the source. */
static enum drv_format zs_client_format(const struct gl_pixel_spec *form, enum drv_format stored)
{
    if (form->format == GL_DEPTH_STENCIL)
        return form->type == GL_UNSIGNED_INT_24_8 ? DRV_FORMAT_S8Z24_UNORM
                                                  : DRV_FORMAT_Z32S8X24_FLOAT;
    if (form->format == GL_STENCIL_INDEX)
        return raw_format(form->type, 1, true);
    if (form->type == GL_UNSIGNED_INT)
        return DRV_FORMAT_Z32_UNORM;
    /* Texels with more bits are rounded to 16 bits, which Z16_UNORM doesn't do. */
    if (form->type == GL_UNSIGNED_SHORT && (!stored || stored == DRV_FORMAT_Z16_UNORM))
        return DRV_FORMAT_Z16_UNORM;
    return raw_format(form->type, 1, false);
}

/* Fills *d for client pixels with depth or stencil, and texels of format `stored`. */
static void describe_zs(const struct gl_pixel_spec *form, enum drv_format stored, bool upload,
                        struct util_conversion_desc *d)
{
    const enum drv_format client = zs_client_format(form, upload ? 0 : stored);
    d->src = upload ? client : stored;
    d->dst = upload ? stored : client;
    d->client_src = upload;
    d->client_dst = !upload;
    d->any_depth = !upload; /* GL 4.6 §18.2.5 to §18.2.8 */
    /* textures of a single component hold depths to be drawn */
    const bool color = drv_format_desc(stored)->colorspace != DRV_COLORSPACE_ZS;
    if (form->format != GL_STENCIL_INDEX && (!upload || color || util_format_has_depth(stored)))
        d->aspects |= UTIL_CONVERT_DEPTH;
    if (form->format != GL_DEPTH_COMPONENT && (!upload || util_format_has_stencil(stored)))
        d->aspects |= UTIL_CONVERT_STENCIL;
}

/* Fills *d for client pixels with colors. Returns false if the client's format has none. */
static bool describe_colors(const struct gl_pixel_spec *form, GLenum base, enum drv_format stored,
                            bool upload, struct util_conversion_desc *d)
{
    const struct color_format *f = find_color(form->format);
    const bool luminance = form->format == GL_LUMINANCE || form->format == GL_LUMINANCE_ALPHA;
    if (!f)
        return false;
    const uint8_t *components = base_components(base, !upload);
    enum drv_format client = raw_format(form->type, f->n, gl_pixel_format_is_integer(form->format));
    d->src = upload ? client : stored;
    d->dst = upload ? stored : client;
    for (unsigned c = 0; c < 4; c++) {
        d->in[c] = upload ? f->unpack[c] : components[c];
        d->out[c] = upload ? components[c] : c < f->n ? f->pack[c] : ONE;
    }
    d->clamp = form->ops & GL_PIXEL_CLAMP;
    d->luminance_sum = !upload && luminance && form->ops & GL_PIXEL_LUMINANCE_SUM;
    return true;
}

/* Describes the conversion between client pixels and texels of format `stored` with base format
 * `base`. *t is used by the conversion. Returns false if there is none. */
static bool describe_conversion(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                                GLenum base, enum drv_format stored, bool upload,
                                struct util_conversion_desc *d, struct util_pixel_transfer *t)
{
    *d = (struct util_conversion_desc){0};
    if (form->ops & GL_PIXEL_TRANSFER) {
        get_transfer(ctx, t);
        d->transfer = t;
    }
    *(upload ? &d->src_swap : &d->dst_swap) = swapped(form);
    if (!is_zs_format(form->format))
        return describe_colors(form, base, stored, upload, d);
    describe_zs(form, stored, upload, d);
    return true;
}

/* Initializes a conversion, see describe_conversion(). Returns false if there is none. */
static bool init_conversion(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                            GLenum base, enum drv_format stored, bool upload,
                            struct util_conversion *v, struct util_pixel_transfer *t)
{
    struct util_conversion_desc d;
    return describe_conversion(ctx, form, base, stored, upload, &d, t) &&
           util_conversion_init(v, &d);
}

/* Returns a conversion in the context's cache, see describe_conversion(); NULL if there is none. */
static const struct util_conversion *find_conversion(struct gl_context *ctx,
                                                     const struct gl_pixel_spec *form, GLenum base,
                                                     enum drv_format stored, bool upload,
                                                     struct util_pixel_transfer *t)
{
    struct util_conversion_desc d;
    return describe_conversion(ctx, form, base, stored, upload, &d, t)
               ? util_conversion_find(&ctx->pixel.conversions, &d)
               : NULL;
}

/* -------------------------------------------------------------------------------- indices --- */

#define CHUNK 256 /* pixels of a row converted at a time */

static void unpack_bits(const struct gl_pixel_store *s, const uint8_t *bits, unsigned skip_bits,
                        unsigned count, uint32_t *dst)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned b = skip_bits + i;
        dst[i] = s->lsb_first ? bits[b / 8] >> b % 8 & 1 : bits[b / 8] >> (7 - b % 8) & 1;
    }
}

/* Unpacks at most CHUNK color or stencil indices, starting with pixel `first` of a row. */
static void unpack_indices(const struct gl_pixel_spec *form, const uint8_t *src, unsigned skip_bits,
                           unsigned first, unsigned count, uint32_t *dst)
{
    if (form->type == GL_BITMAP) {
        skip_bits += first;
        unpack_bits(form->store, src + skip_bits / 8, skip_bits % 8, count, dst);
        return;
    }
    struct util_conversion v;
    const struct util_conversion_desc d = {
        .src = raw_format(form->type, 1, true),
        .dst = DRV_FORMAT_R32_UINT,
        .aspects = UTIL_CONVERT_STENCIL,
        .src_swap = swapped(form),
    };
    if (util_conversion_init(&v, &d))
        util_convert_row(&v, dst, src + (size_t)first * v.src_bytes, count);
}

static uint32_t shift_index(const struct gl_context *ctx, uint32_t index)
{
    int shift = ctx->pixel.index_shift;
    index = shift >= 32 || shift <= -32 ? 0 : shift > 0 ? index << shift : index >> -shift;
    return index + ctx->pixel.index_offset;
}

static float look_up(const struct gl_pixel_map *map, uint32_t index)
{
    return map->map[index & (map->size - 1)];
}

/* Converts a row of color indices to colors with the maps I_TO_x (GL 4.6 compatibility
 * §8.4.5.5). */
static void unpack_index_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                             const void *src, unsigned skip_bits, unsigned count, float (*dst)[4])
{
    uint32_t index[CHUNK];
    for (unsigned done = 0; done < count; done += CHUNK) {
        unsigned n = MIN2(count - done, CHUNK);
        unpack_indices(form, src, skip_bits, done, n, index);
        for (unsigned i = 0; i < n; i++) {
            uint32_t v = shift_index(ctx, index[i]);
            for (unsigned c = 0; c < 4; c++)
                dst[done + i][c] = look_up(&ctx->pixel.map[GL_MAP_I_TO_R + c], v);
        }
    }
}

/* ----------------------------------------------------------------------- conversion of rows --- */

void gl_unpack_color_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned skip_bits, unsigned count, float (*dst)[4])
{
    struct util_conversion v;
    struct util_pixel_transfer t;
    enum drv_format to = DRV_FORMAT_R32G32B32A32_FLOAT;
    if (form->format == GL_COLOR_INDEX) {
        unpack_index_row(ctx, form, src, skip_bits, count, dst);
        return;
    }
    if (gl_pixel_format_is_integer(form->format))
        to = DRV_FORMAT_R32G32B32A32_UINT;
    if (init_conversion(ctx, form, GL_RGBA, to, true, &v, &t))
        util_convert_row(&v, dst, src, count);
}

void gl_unpack_depth_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned count, float *dst)
{
    struct util_conversion v;
    struct util_pixel_transfer t;
    if (init_conversion(ctx, form, 0, DRV_FORMAT_Z32_FLOAT, true, &v, &t))
        util_convert_row(&v, dst, src, count);
}

void gl_unpack_stencil_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                           const void *src, unsigned skip_bits, unsigned count, uint8_t *dst)
{
    struct gl_pixel_spec expanded = *form;
    struct util_conversion v;
    struct util_pixel_transfer t;
    uint32_t bits[CHUNK];
    if (form->type != GL_BITMAP) {
        if (init_conversion(ctx, form, 0, DRV_FORMAT_S8_UINT, true, &v, &t))
            util_convert_row(&v, dst, src, count);
        return;
    }
    expanded.type = GL_UNSIGNED_INT;
    if (!init_conversion(ctx, &expanded, 0, DRV_FORMAT_S8_UINT, true, &v, &t))
        return;
    v.desc.src_swap = 0;
    for (unsigned done = 0; done < count; done += CHUNK) {
        unpack_indices(form, src, skip_bits, done, MIN2(count - done, CHUNK), bits);
        util_convert_row(&v, dst + done, bits, MIN2(count - done, CHUNK));
    }
}

void gl_pixels_texel(struct gl_context *ctx, enum drv_format stored, GLenum base, GLenum format,
                     GLenum type, const void *pixel, uint8_t *texel)
{
    static const struct gl_pixel_store tight = {.alignment = 1};
    const struct gl_pixel_spec form = {.store = &tight, .format = format, .type = type};
    struct util_pixel_transfer t;
    const struct util_conversion *v =
        find_conversion(ctx, &form, base, raw_store_format(stored), true, &t);
    if (v)
        util_convert_row(v, texel, pixel, 1);
}

/* --------------------------------------------------------------------- conversion of images --- */

/* Describes client pixels for the driver's image_read and image_write. */
static struct drv_pixels client_pixels(const struct gl_pixel_layout *l, bool rows_are_layers,
                                       const uint8_t *data, const struct util_conversion *v)
{
    return (struct drv_pixels){
        .conversion = v,
        .data = (uint8_t *)data + l->skip,
        .stride = l->row_stride,
        .layer_stride = rows_are_layers ? l->row_stride : l->image_stride,
    };
}

/* Columns of a compressed image that are converted at a time, with as many rows as a block has; at
 * most MOST_ROWS. The pixels stay in the cache. */
#define COLUMNS   64
#define MOST_ROWS 12

/* The smallest box of a compressed image that several workers convert, in pixels. */
#define PARALLEL_PIXELS 16384

/* A transfer between client pixels and a mapped box of a compressed image. */
struct compressed_transfer {
    struct gl_context *ctx;
    const struct gl_texels *texels;
    const struct gl_pixel_spec *form;
    const struct gl_pixel_layout *layout;
    /* between client pixels and RGBA as floats or bytes; NULL: gl_unpack_color_row converts */
    const struct util_conversion *conversion;
    enum drv_format format; /* format of the blocks */
    bool floats;            /* blocks are decoded to floats */
    uint8_t *pixels;        /* client pixels */
    uint8_t *map;
    struct drv_transfer *transfer;
    unsigned bands; /* rows of blocks in a layer */
    /* Columns and rows of the box, in its first blocks, that are before the first client pixel. */
    unsigned left, top;
};

/* A row of blocks of a layer. pixels: the first row of client pixels in it. */
struct compressed_band {
    unsigned height;
    uint8_t *pixels, *blocks;
};

static struct compressed_band find_band(const struct compressed_transfer *t, unsigned index)
{
    const unsigned rows = drv_format_desc(t->format)->block_height;
    const unsigned z = index / t->bands, band = index % t->bands;
    return (struct compressed_band){
        .height = MIN2(rows, (unsigned)t->texels->box.height - band * rows),
        .pixels = t->pixels + t->layout->skip + (int64_t)z * t->layout->image_stride +
                  (int64_t)(MAX2(band * rows, t->top) - t->top) * t->layout->row_stride,
        .blocks = t->map + z * t->transfer->layer_stride + (size_t)band * t->transfer->stride,
    };
}

/* Executes a transfer by a function that handles one band. */
static void run_bands(struct compressed_transfer *t, void (*function)(void *data, unsigned index))
{
    const struct drv_box *box = &t->texels->box;
    t->bands = DIV_ROUND_UP((unsigned)box->height, drv_format_desc(t->format)->block_height);
    const unsigned jobs = t->bands * (unsigned)box->depth;
    if ((uint64_t)box->width * box->height * box->depth >= PARALLEL_PIXELS)
        thread_pool_run(function, t, jobs);
    else
        thread_pool_run_here(function, t, jobs);
}

static void compress_band(void *data, unsigned index)
{
    const struct compressed_transfer *t = data;
    const struct drv_format_desc *d = drv_format_desc(t->format);
    const struct compressed_band band = find_band(t, index);
    const unsigned width = t->texels->box.width;
    float rows[COLUMNS * MOST_ROWS][4];
    for (unsigned x = 0; x < width; x += COLUMNS) {
        const unsigned columns = MIN2(COLUMNS, width - x);
        const uint8_t *from = band.pixels + (size_t)x * t->conversion->src_bytes;
        for (unsigned y = 0; y < band.height; y++, from += t->layout->row_stride)
            util_convert_row(t->conversion, rows[y * columns], from, columns);
        util_format_compress(t->format, band.blocks + (size_t)(x / d->block_width) * d->block_bytes,
                             0, (const float(*)[4])rows, columns, columns, band.height);
    }
}

/* Compresses client pixels that are color indices or bits, row of blocks by row of blocks. Returns
 * false if out of memory. */
static bool compress_indices(const struct compressed_transfer *t)
{
    const struct drv_box *box = &t->texels->box;
    const unsigned width = box->width, jobs = t->bands * (unsigned)box->depth;
    float(*rows)[4] = malloc((size_t)width * MOST_ROWS * sizeof *rows);
    if (!rows)
        return false;
    for (unsigned i = 0; i < jobs; i++) {
        const struct compressed_band band = find_band(t, i);
        const uint8_t *from = band.pixels;
        for (unsigned y = 0; y < band.height; y++, from += t->layout->row_stride) {
            float(*row)[4] = rows + (size_t)y * width;
            gl_unpack_color_row(t->ctx, t->form, from, t->form->store->skip_pixels % 8, width, row);
            gl_pixels_rebase(t->texels->base, row, width, false);
        }
        util_format_compress(t->format, band.blocks, 0, (const float(*)[4])rows, width, width,
                             band.height);
    }
    free(rows);
    return true;
}

/* Compresses client pixels to a box of a compressed resource. The box consists of whole blocks,
 * except at the image's edges. */
static bool upload_compressed(struct gl_context *ctx, const struct gl_texels *dst,
                              const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                              const uint8_t *src)
{
    struct util_pixel_transfer state;
    struct compressed_transfer t = {
        .ctx = ctx,
        .texels = dst,
        .form = form,
        .layout = l,
        .format = dst->format,
        .pixels = (uint8_t *)src,
    };
    bool ok = true;
    t.map = ctx->drv->ops->map(ctx->drv, dst->resource, dst->level,
                               DRV_MAP_WRITE | DRV_MAP_DISCARD_RANGE, &dst->box, &t.transfer);
    if (!t.map)
        return false;
    if (form->format != GL_COLOR_INDEX && form->type != GL_BITMAP)
        t.conversion =
            find_conversion(ctx, form, dst->base, DRV_FORMAT_R32G32B32A32_FLOAT, true, &state);
    if (t.conversion) {
        run_bands(&t, compress_band);
    } else {
        t.bands = DIV_ROUND_UP((unsigned)dst->box.height, drv_format_desc(t.format)->block_height);
        ok = compress_indices(&t);
    }
    ctx->drv->ops->unmap(ctx->drv, t.transfer);
    return ok;
}

/* Uploads client pixels whose format no pixel format represents (color indices and bits), row by
 * row. */
static bool upload_indices(struct gl_context *ctx, const struct gl_texels *dst,
                           const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                           const uint8_t *src)
{
    static const struct gl_pixel_store tight = {.alignment = 1};
    const bool color = form->format == GL_COLOR_INDEX;
    const struct gl_pixel_spec expanded = {
        .store = &tight,
        .format = color ? GL_RGBA : GL_STENCIL_INDEX,
        .type = color ? GL_FLOAT : GL_UNSIGNED_BYTE,
        .ops = color ? form->ops & GL_PIXEL_CLAMP : 0,
    };
    const unsigned width = dst->box.width, bytes = color ? 16 : 1;
    const unsigned rows = dst->rows_are_layers ? dst->box.depth : dst->box.height;
    uint8_t *image = malloc((size_t)width * rows * bytes);
    const struct gl_pixel_layout packed = {.row_stride = (int64_t)width * bytes};
    struct gl_texels slice = *dst;
    bool ok = image;
    if (!dst->rows_are_layers)
        slice.box.depth = 1;
    for (int z = 0; ok && z < (dst->rows_are_layers ? 1 : dst->box.depth); z++, slice.box.z++) {
        for (unsigned y = 0; y < rows; y++) {
            const uint8_t *from = src + l->skip + z * l->image_stride + y * l->row_stride;
            uint8_t *to = image + (size_t)y * width * bytes;
            const unsigned skip_bits = form->store->skip_pixels % 8;
            if (color)
                gl_unpack_color_row(ctx, form, from, skip_bits, width, (float(*)[4])to);
            else
                gl_unpack_stencil_row(ctx, form, from, skip_bits, width, to);
        }
        ok = gl_pixels_upload(ctx, &slice, &expanded, &packed, image);
    }
    free(image);
    return ok;
}

bool gl_pixels_upload(struct gl_context *ctx, const struct gl_texels *dst,
                      const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                      const uint8_t *src)
{
    enum drv_format stored = raw_store_format(dst->format);
    struct util_pixel_transfer t;
    if (util_format_is_compressed(dst->format))
        return upload_compressed(ctx, dst, form, l, src);
    if (form->format == GL_COLOR_INDEX || form->type == GL_BITMAP)
        return upload_indices(ctx, dst, form, l, src);
    const struct util_conversion *v = find_conversion(ctx, form, dst->base, stored, true, &t);
    if (!v)
        return true;
    const struct drv_pixels pixels = client_pixels(l, dst->rows_are_layers, src, v);
    return ctx->drv->ops->image_write(ctx->drv, dst->resource, stored, dst->level, &dst->box,
                                      &pixels);
}

bool gl_pixels_describe(const struct gl_context *ctx, struct gl_client_pixels *p,
                        enum drv_format texels, const struct gl_pixel_spec *form,
                        const struct gl_pixel_layout *l, const uint8_t *src)
{
    if (form->format == GL_COLOR_INDEX || form->type == GL_BITMAP ||
        !init_conversion(ctx, form, GL_RGBA, texels, true, &p->conversion, &p->transfer))
        return false;
    p->pixels = client_pixels(l, false, src, &p->conversion);
    return true;
}

bool gl_pixels_convert(struct gl_context *ctx, const struct gl_texels *dst,
                       const struct gl_texels *src, unsigned ops)
{
    const enum drv_format to = raw_store_format(dst->format), from = raw_store_format(src->format);
    struct util_conversion_desc d = {.dst = to, .src = from};
    struct util_pixel_transfer state;
    struct drv_transfer *t;
    if (ops & GL_PIXEL_TRANSFER) {
        get_transfer(ctx, &state);
        d.transfer = &state;
    }
    if (gl_base_is_depth(dst->base) && util_format_has_depth(to))
        d.aspects |= UTIL_CONVERT_DEPTH;
    if (gl_base_is_stencil(dst->base) && util_format_has_stencil(to))
        d.aspects |= UTIL_CONVERT_STENCIL;
    memcpy(d.in, base_components(src->base, true), sizeof d.in);
    memcpy(d.out, base_components(dst->base, false), sizeof d.out);
    const struct util_conversion *v = util_conversion_find(&ctx->pixel.conversions, &d);
    if (!v)
        return true;
    uint8_t *map =
        ctx->drv->ops->map(ctx->drv, src->resource, src->level, DRV_MAP_READ, &src->box, &t);
    if (!map)
        return false;
    const struct drv_pixels pixels = {
        .conversion = v,
        .data = map,
        .stride = t->stride,
        .layer_stride = dst->rows_are_layers ? (int64_t)t->stride : (int64_t)t->layer_stride,
    };
    bool ok =
        ctx->drv->ops->image_write(ctx->drv, dst->resource, to, dst->level, &dst->box, &pixels);
    ctx->drv->ops->unmap(ctx->drv, t);
    return ok;
}

/* Packs stencil values as GL_BITMAP; odd values become 1 bits. */
static void pack_bits(const struct gl_pixel_store *s, const uint8_t *stencil, unsigned skip_bits,
                      unsigned count, uint8_t *dst)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned b = skip_bits + i;
        uint8_t mask = s->lsb_first ? 1 << b % 8 : 0x80 >> b % 8;
        dst[b / 8] = stencil[i] & 1 ? dst[b / 8] | mask : dst[b / 8] & ~mask;
    }
}

/* Returns whether blocks are decoded to floats; otherwise to bytes. */
static bool decodes_to_floats(enum drv_format format)
{
    static const uint8_t block[16];
    float texel[4];
    return util_format_decompress_float(format, texel, sizeof texel, block, sizeof block, 1, 1);
}

static void decompress_band(void *data, unsigned index)
{
    const struct compressed_transfer *t = data;
    const struct drv_format_desc *d = drv_format_desc(t->format);
    const struct compressed_band band = find_band(t, index);
    const unsigned width = t->texels->box.width, bytes = t->floats ? 16 : 4;
    const unsigned most = COLUMNS / d->block_width * d->block_width;
    const unsigned top = index % t->bands ? 0 : t->top;
    uint8_t rows[COLUMNS * MOST_ROWS * 16] __attribute__((aligned(64)));
    for (unsigned x = 0; x < width; x += most) {
        const unsigned columns = MIN2(most, width - x), stride = columns * bytes;
        const unsigned left = x ? 0 : t->left;
        const uint8_t *blocks = band.blocks + (size_t)(x / d->block_width) * d->block_bytes;
        uint8_t *to = band.pixels + (size_t)(x + left - t->left) * t->conversion->dst_bytes;
        if (t->floats)
            util_format_decompress_float(t->format, (float *)rows, stride, blocks, 0, columns,
                                         band.height);
        else
            util_format_decompress_rgba8(t->format, rows, stride, blocks, 0, columns, band.height);
        for (unsigned y = top; y < band.height; y++, to += t->layout->row_stride)
            util_convert_row(t->conversion, to, rows + y * stride + left * bytes, columns - left);
    }
}

/* Decodes a box of a compressed resource, which may start and end inside blocks, to client pixels.
 * sRGB values stay encoded. */
static bool download_compressed(struct gl_context *ctx, const struct gl_texels *src,
                                const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                                uint8_t *dst)
{
    struct util_pixel_transfer state;
    struct gl_texels blocks = *src; /* starts at a block */
    struct drv_box *box = &blocks.box;
    struct compressed_transfer t = {
        .ctx = ctx,
        .texels = &blocks,
        .form = form,
        .layout = l,
        .format = src->format,
        .floats = decodes_to_floats(src->format),
        .pixels = dst,
    };
    t.left = (unsigned)box->x % drv_format_desc(t.format)->block_width;
    t.top = (unsigned)box->y % drv_format_desc(t.format)->block_height;
    box->x -= (int)t.left;
    box->y -= (int)t.top;
    box->width += (int)t.left;
    box->height += (int)t.top;
    t.conversion = find_conversion(
        ctx, form, src->base, t.floats ? DRV_FORMAT_R32G32B32A32_FLOAT : DRV_FORMAT_R8G8B8A8_UNORM,
        false, &state);
    if (!t.conversion)
        return false;
    t.map = ctx->drv->ops->map(ctx->drv, src->resource, src->level, DRV_MAP_READ, box, &t.transfer);
    if (!t.map)
        return false;
    run_bands(&t, decompress_band);
    ctx->drv->ops->unmap(ctx->drv, t.transfer);
    return true;
}

/* Reads stencil indices as GL_BITMAP. */
static bool download_bits(struct gl_context *ctx, const struct gl_texels *src,
                          const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                          uint8_t *dst)
{
    static const struct gl_pixel_store tight = {.alignment = 1};
    const struct gl_pixel_spec expanded = {
        .store = &tight,
        .format = GL_STENCIL_INDEX,
        .type = GL_UNSIGNED_BYTE,
        .ops = form->ops,
    };
    const size_t width = src->box.width, height = src->box.height;
    const struct gl_pixel_layout packed = {.row_stride = (int64_t)width,
                                           .image_stride = width * height};
    uint8_t *bytes = malloc(width * height * src->box.depth);
    bool ok = bytes && gl_pixels_download(ctx, src, &expanded, &packed, bytes);
    for (size_t i = 0; ok && i < height * src->box.depth; i++)
        pack_bits(form->store, bytes + i * width, form->store->skip_pixels % 8, width,
                  dst + l->skip + i / height * l->image_stride + i % height * l->row_stride);
    free(bytes);
    return ok;
}

bool gl_pixels_download(struct gl_context *ctx, const struct gl_texels *src,
                        const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                        uint8_t *dst)
{
    const enum drv_format stored = raw_store_format(src->format);
    struct util_pixel_transfer t;
    if (util_format_is_compressed(src->resource->format))
        return download_compressed(ctx, src, form, l, dst);
    if (form->type == GL_BITMAP)
        return download_bits(ctx, src, form, l, dst);
    const struct util_conversion *v = find_conversion(ctx, form, src->base, stored, false, &t);
    if (!v)
        return true;
    const struct drv_pixels pixels = client_pixels(l, src->rows_are_layers, dst, v);
    return ctx->drv->ops->image_read(ctx->drv, src->resource, stored, src->level, &src->box,
                                     &pixels);
}
