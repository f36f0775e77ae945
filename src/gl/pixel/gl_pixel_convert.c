/* SPDX-License-Identifier: MIT */
/*
 * Conversion between client pixels and resources. A client format and type are represented by a
 * pixel format, whose channels are the client's components in memory order, and by a mapping
 * between its channels and R, G, B, A. util/format implements the conversions.
 */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "util/format.h"

enum { ZERO = DRV_SWIZZLE_0, ONE = DRV_SWIZZLE_1 };

/* --------------------------------------------------------------------------- client formats --- */

/* Returns the format of n components of a type in memory. integer: as pure integers instead of
 * normalized ones. */
static enum drv_format raw_format(GLenum type, unsigned n, bool integer)
{
#define ROW(bits, kind)                                                                            \
    {                                                                                              \
        DRV_FORMAT_R##bits##_##kind, DRV_FORMAT_R##bits##G##bits##_##kind,                         \
            DRV_FORMAT_R##bits##G##bits##B##bits##_##kind,                                         \
            DRV_FORMAT_R##bits##G##bits##B##bits##A##bits##_##kind                                 \
    }
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
        enum drv_format format;
    } packed[] = {
        {GL_UNSIGNED_BYTE_3_3_2, DRV_FORMAT_B2G3R3_UNORM},
        {GL_UNSIGNED_BYTE_2_3_3_REV, DRV_FORMAT_R3G3B2_UNORM},
        {GL_UNSIGNED_SHORT_5_6_5, DRV_FORMAT_B5G6R5_UNORM},
        {GL_UNSIGNED_SHORT_5_6_5_REV, DRV_FORMAT_R5G6B5_UNORM},
        {GL_UNSIGNED_SHORT_4_4_4_4, DRV_FORMAT_A4B4G4R4_UNORM},
        {GL_UNSIGNED_SHORT_4_4_4_4_REV, DRV_FORMAT_R4G4B4A4_UNORM},
        {GL_UNSIGNED_SHORT_5_5_5_1, DRV_FORMAT_A1B5G5R5_UNORM},
        {GL_UNSIGNED_SHORT_1_5_5_5_REV, DRV_FORMAT_R5G5B5A1_UNORM},
        {GL_UNSIGNED_INT_8_8_8_8, DRV_FORMAT_A8B8G8R8_UNORM},
        {GL_UNSIGNED_INT_8_8_8_8_REV, DRV_FORMAT_R8G8B8A8_UNORM},
        {GL_UNSIGNED_INT_10_10_10_2, DRV_FORMAT_A2B10G10R10_UNORM},
        {GL_UNSIGNED_INT_2_10_10_10_REV, DRV_FORMAT_R10G10B10A2_UNORM},
        {GL_UNSIGNED_INT_10F_11F_11F_REV, DRV_FORMAT_R11G11B10_FLOAT},
        {GL_UNSIGNED_INT_5_9_9_9_REV, DRV_FORMAT_R9G9B9E5_FLOAT},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
        if (arrays[i].type == type && n >= 1 && n <= 4)
            return integer ? arrays[i].integer[n - 1] : arrays[i].normalized[n - 1];
    if (integer && type == GL_UNSIGNED_INT_2_10_10_10_REV)
        return DRV_FORMAT_R10G10B10A2_UINT;
    if (integer && type == GL_UNSIGNED_INT_8_8_8_8_REV)
        return DRV_FORMAT_R8G8B8A8_UINT;
    for (unsigned i = 0; i < ARRAY_SIZE(packed); i++)
        if (packed[i].type == type)
            return packed[i].format;
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

static void swap_bytes(uint8_t *p, size_t bytes, unsigned unit)
{
    for (size_t i = 0; i + unit <= bytes; i += unit)
        for (unsigned k = 0; k < unit / 2; k++) {
            uint8_t t = p[i + k];
            p[i + k] = p[i + unit - 1 - k];
            p[i + unit - 1 - k] = t;
        }
}

#define CHUNK     256 /* pixels of a row converted at a time */
#define PIXEL_MAX 16  /* maximum bytes of a client pixel */

/* Returns the pixels with bytes in host order: src, or a copy in buffer. */
static const uint8_t *in_host_order(const struct gl_pixel_store *s, GLenum type, const void *src,
                                    size_t bytes, uint8_t *buffer)
{
    unsigned unit = swap_unit(type);
    if (!s->swap_bytes || unit == 1)
        return src;
    memcpy(buffer, src, bytes);
    swap_bytes(buffer, bytes, unit);
    return buffer;
}

/* Unpacks color or stencil indices. */
static void unpack_indices(const struct gl_pixel_store *s, GLenum type, const void *src,
                           unsigned skip_bits, unsigned count, uint32_t *dst)
{
    if (type == GL_BITMAP) {
        const uint8_t *bits = src;
        for (unsigned i = 0; i < count; i++) {
            unsigned b = skip_bits + i;
            dst[i] = s->lsb_first ? bits[b / 8] >> b % 8 & 1 : bits[b / 8] >> (7 - b % 8) & 1;
        }
        return;
    }
    enum drv_format raw = raw_format(type, 1, true);
    unsigned bytes = drv_format_desc(raw)->block_bytes;
    uint8_t swapped[CHUNK * PIXEL_MAX];
    for (unsigned done = 0; done < count && raw; done += CHUNK) {
        unsigned n = MIN2(count - done, CHUNK);
        const uint8_t *p =
            in_host_order(s, type, (const uint8_t *)src + done * bytes, n * bytes, swapped);
        if (util_format_is_float(raw)) {
            float v[CHUNK][4];
            util_format_unpack_float(raw, v, p, n);
            for (unsigned i = 0; i < n; i++)
                dst[done + i] = (uint32_t)(int64_t)CLAMP(v[i][0], -2147483648.0f, 4294967040.0f);
        } else {
            uint32_t v[CHUNK][4];
            util_format_unpack_int(raw, v, p, n);
            for (unsigned i = 0; i < n; i++)
                dst[done + i] = v[i][0];
        }
    }
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

/* Converts indices to colors with the maps I_TO_x (GL 4.6 compatibility §8.4.5.5). */
static void indices_to_colors(const struct gl_context *ctx, const uint32_t *index, unsigned count,
                              float (*dst)[4])
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t v = shift_index(ctx, index[i]);
        for (unsigned c = 0; c < 4; c++)
            dst[i][c] = look_up(&ctx->pixel.map[GL_MAP_I_TO_R + c], v);
    }
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

/* GL 4.6 compatibility §8.4.5.1 and §8.4.5.3. */
static void transfer_rgba(const struct gl_context *ctx, float (*rgba)[4], unsigned count)
{
    const struct gl_pixel_state *p = &ctx->pixel;
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < 4; c++) {
            float v = rgba[i][c] * p->scale[c] + p->bias[c];
            if (p->map_color) {
                const struct gl_pixel_map *m = &p->map[GL_MAP_R_TO_R + c];
                v = CLAMP(v, 0.0f, 1.0f);
                v = m->map[(unsigned)(v * (m->size - 1) + 0.5f)];
            }
            rgba[i][c] = v;
        }
}

static void clamp_colors(float (*rgba)[4], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < 4; c++)
            rgba[i][c] = CLAMP(rgba[i][c], 0.0f, 1.0f);
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

/* ----------------------------------------------------------------------- conversion of rows --- */

void gl_unpack_color_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned skip_bits, unsigned count, float (*dst)[4])
{
    bool integer = gl_pixel_format_is_integer(form->format);
    if (form->format == GL_COLOR_INDEX) {
        uint32_t index[CHUNK];
        for (unsigned done = 0; done < count; done += CHUNK) {
            unsigned n = MIN2(count - done, CHUNK);
            const uint8_t *from = src;
            if (form->type == GL_BITMAP)
                from += (skip_bits + done) / 8;
            else
                from +=
                    (size_t)done * drv_format_desc(raw_format(form->type, 1, true))->block_bytes;
            unpack_indices(form->store, form->type, from, (skip_bits + done) % 8, n, index);
            indices_to_colors(ctx, index, n, dst + done);
        }
        return;
    }
    const struct color_format *f = find_color(form->format);
    enum drv_format raw = f ? raw_format(form->type, f->n, integer) : DRV_FORMAT_NONE;
    if (!raw)
        return;
    unsigned bytes = drv_format_desc(raw)->block_bytes;
    uint8_t swapped[CHUNK * PIXEL_MAX];
    float v[CHUNK][6];
    for (unsigned done = 0; done < count; done += CHUNK) {
        unsigned n = MIN2(count - done, CHUNK);
        const uint8_t *p =
            in_host_order(form->store, form->type, (const uint8_t *)src + (size_t)done * bytes,
                          n * bytes, swapped);
        float four[CHUNK][4];
        if (integer)
            util_format_unpack_int(raw, (uint32_t(*)[4])four, p, n);
        else
            util_format_unpack_float(raw, four, p, n);
        for (unsigned i = 0; i < n; i++) {
            memcpy(v[i], four[i], sizeof four[i]);
            v[i][ZERO] = 0.0f;
            v[i][ONE] = integer ? uif(1) : 1.0f;
            for (unsigned c = 0; c < 4; c++)
                dst[done + i][c] = v[i][f->unpack[c]];
        }
    }
    if (form->ops & GL_PIXEL_TRANSFER && !integer)
        transfer_rgba(ctx, dst, count);
    if (form->ops & GL_PIXEL_CLAMP && !integer)
        clamp_colors(dst, count);
}

static void pack_color_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                           bool src_signed, void *dst, unsigned count, float (*src)[4])
{
    bool integer = gl_pixel_format_is_integer(form->format);
    const struct color_format *f = find_color(form->format);
    enum drv_format raw = f ? raw_format(form->type, f->n, integer) : DRV_FORMAT_NONE;
    if (!raw)
        return;
    if (form->ops & GL_PIXEL_TRANSFER && !integer)
        transfer_rgba(ctx, src, count);
    bool luminance = form->format == GL_LUMINANCE || form->format == GL_LUMINANCE_ALPHA;
    if (luminance && form->ops & GL_PIXEL_LUMINANCE_SUM)
        for (unsigned i = 0; i < count; i++)
            src[i][0] += src[i][1] + src[i][2];
    /* Conversion to fixed-point types clamps; floats are clamped only on request (GL 4.6
     * §18.2.7). */
    if (form->ops & GL_PIXEL_CLAMP && !integer)
        clamp_colors(src, count);
    unsigned bytes = drv_format_desc(raw)->block_bytes;
    for (unsigned done = 0; done < count; done += CHUNK) {
        unsigned n = MIN2(count - done, CHUNK);
        float v[CHUNK][4] = {0};
        for (unsigned i = 0; i < n; i++)
            for (unsigned c = 0; c < f->n; c++)
                v[i][c] = src[done + i][f->pack[c]];
        uint8_t *out = (uint8_t *)dst + (size_t)done * bytes;
        if (integer)
            util_format_pack_int(raw, out, (const uint32_t(*)[4])v, src_signed, n);
        else
            util_format_pack_float(raw, out, (const float(*)[4])v, n);
        if (form->store->swap_bytes && swap_unit(form->type) > 1)
            swap_bytes(out, (size_t)n * bytes, swap_unit(form->type));
    }
}

void gl_unpack_depth_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned count, double *dst)
{
    bool ds = form->format == GL_DEPTH_STENCIL;
    unsigned bytes = form->type == GL_FLOAT_32_UNSIGNED_INT_24_8_REV ? 8
                     : ds                                            ? 4
                          : drv_format_desc(raw_format(form->type, 1, false))->block_bytes;
    uint8_t swapped[CHUNK * PIXEL_MAX];
    for (unsigned done = 0; done < count; done += CHUNK) {
        unsigned n = MIN2(count - done, CHUNK);
        const uint8_t *p =
            in_host_order(form->store, form->type, (const uint8_t *)src + (size_t)done * bytes,
                          n * bytes, swapped);
        float v[CHUNK][4];
        if (!ds && form->type != GL_UNSIGNED_INT)
            util_format_unpack_float(raw_format(form->type, 1, false), v, p, n);
        for (unsigned i = 0; i < n; i++) {
            uint32_t u;
            memcpy(&u, p + i * bytes, MIN2(bytes, 4));
            dst[done + i] = form->type == GL_UNSIGNED_INT        ? u / 4294967295.0
                            : form->type == GL_UNSIGNED_INT_24_8 ? (u >> 8) / 16777215.0
                            : ds                                 ? uif(u)
                                                                 : v[i][0];
        }
    }
    if (form->ops & GL_PIXEL_TRANSFER &&
        (ctx->pixel.depth_scale != 1.0f || ctx->pixel.depth_bias != 0.0f))
        for (unsigned i = 0; i < count; i++)
            dst[i] = dst[i] * ctx->pixel.depth_scale + ctx->pixel.depth_bias;
    for (unsigned i = 0; i < count; i++)
        dst[i] = CLAMP(dst[i], 0.0, 1.0);
}

void gl_unpack_stencil_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                           const void *src, unsigned skip_bits, unsigned count, uint8_t *dst)
{
    bool ds = form->format == GL_DEPTH_STENCIL;
    uint32_t v[CHUNK];
    unsigned bytes = form->type == GL_BITMAP ? 0
                     : ds                    ? (form->type == GL_UNSIGNED_INT_24_8 ? 4 : 8)
                          : drv_format_desc(raw_format(form->type, 1, true))->block_bytes;
    for (unsigned done = 0; done < count; done += CHUNK) {
        unsigned n = MIN2(count - done, CHUNK);
        const uint8_t *p = (const uint8_t *)src + (size_t)done * bytes;
        if (ds) {
            uint8_t swapped[CHUNK * PIXEL_MAX];
            p = in_host_order(form->store, form->type, p, n * bytes, swapped);
            for (unsigned i = 0; i < n; i++)
                v[i] = p[i * bytes + (bytes == 8 ? 4 : 0)];
        } else {
            if (form->type == GL_BITMAP)
                p += (skip_bits + done) / 8;
            unpack_indices(form->store, form->type, p, (skip_bits + done) % 8, n, v);
        }
        for (unsigned i = 0; i < n; i++) {
            if (form->ops & GL_PIXEL_TRANSFER) {
                v[i] = shift_index(ctx, v[i]);
                if (ctx->pixel.map_stencil)
                    v[i] = look_up(&ctx->pixel.map[GL_MAP_S_TO_S], v[i]);
            }
            dst[done + i] = v[i];
        }
    }
}

/* --------------------------------------------------------------------- conversion of images --- */

/* sRGB textures are stored as given, so conversions treat them as linear. */
static enum drv_format raw_store_format(enum drv_format f)
{
    return util_format_is_srgb(f) ? util_format_linear(f) : f;
}

/* Describes client pixels for the driver's image_read and image_write. Returns false if more than
 * reordering of components is needed. The driver rejects formats that it would have to convert. */
static bool plain_pixels(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const struct gl_pixel_layout *l, bool rows_are_layers, const uint8_t *data,
                         struct drv_pixels *pixels)
{
    const struct color_format *f = find_color(form->format);
    if (!f || (form->store->swap_bytes && swap_unit(form->type) > 1) ||
        (form->ops & GL_PIXEL_TRANSFER && !gl_pixel_transfer_is_identity(ctx)))
        return false;
    *pixels = (struct drv_pixels){
        .format = raw_format(form->type, f->n, gl_pixel_format_is_integer(form->format)),
        .data = (uint8_t *)data + l->skip,
        .stride = l->row_stride,
        .layer_stride = rows_are_layers ? l->row_stride : l->image_stride,
    };
    return pixels->format != DRV_FORMAT_NONE;
}

static bool upload_plain(struct gl_context *ctx, const struct gl_texels *dst,
                         const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                         const uint8_t *src)
{
    struct drv_pixels pixels;
    if (!plain_pixels(ctx, form, l, dst->rows_are_layers, src, &pixels))
        return false;
    const uint8_t *unpack = find_color(form->format)->unpack,
                  *from = base_components(dst->base, false);
    for (unsigned c = 0; c < 4; c++)
        pixels.swizzle[c] = from[c] < ZERO ? unpack[from[c]] : from[c];
    return ctx->drv->ops->image_write(ctx->drv, dst->resource, raw_store_format(dst->format),
                                      dst->level, &dst->box, &pixels);
}

static bool download_plain(struct gl_context *ctx, const struct gl_texels *src,
                           const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                           uint8_t *dst)
{
    struct drv_pixels pixels;
    enum drv_format stored = raw_store_format(src->format);
    bool unclamped = util_format_is_float(stored) || util_format_is_snorm(stored);
    bool sum = form->ops & GL_PIXEL_LUMINANCE_SUM &&
               (form->format == GL_LUMINANCE || form->format == GL_LUMINANCE_ALPHA);
    if (sum || (form->ops & GL_PIXEL_CLAMP && unclamped) ||
        !plain_pixels(ctx, form, l, src->rows_are_layers, dst, &pixels))
        return false;
    const struct color_format *f = find_color(form->format);
    const uint8_t *from = base_components(src->base, true);
    for (unsigned c = 0; c < 4; c++)
        pixels.swizzle[c] = c < f->n ? from[f->pack[c]] : DRV_SWIZZLE_1;
    return ctx->drv->ops->image_read(ctx->drv, src->resource, stored, src->level, &src->box,
                                     &pixels);
}

/* Returns row y of slice z in a mapping, where rows may be layers. */
static uint8_t *texel_row(const struct drv_transfer *t, uint8_t *map, bool rows_are_layers, int y,
                          int z)
{
    return rows_are_layers ? map + y * t->layer_stride
                           : map + z * t->layer_stride + (size_t)y * t->stride;
}

/* Converts a row of colors to texels. Float formats keep values outside [0, 1]. */
static void store_color_row(enum drv_format stored, GLenum base, float (*row)[4], unsigned count,
                            bool src_signed, void *dst)
{
    if (util_format_is_pure_integer(stored)) {
        gl_pixels_rebase(base, row, count, true);
        util_format_pack_int(stored, dst, (const uint32_t(*)[4])row, src_signed, count);
        return;
    }
    gl_pixels_rebase(base, row, count, false);
    util_format_pack_float(stored, dst, (const float(*)[4])row, count);
}

static bool type_is_signed(GLenum type)
{
    return type == GL_BYTE || type == GL_SHORT || type == GL_INT;
}

static void store_depth_row(enum drv_format stored, const double *row, unsigned count, void *dst,
                            uint32_t *scratch, float *floats)
{
    if (util_format_is_float(stored) || stored == DRV_FORMAT_Z32_FLOAT ||
        stored == DRV_FORMAT_Z32S8X24_FLOAT) {
        for (unsigned i = 0; i < count; i++)
            floats[i] = row[i];
        util_format_pack_depth(stored, dst, floats, count);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        scratch[i] = (uint32_t)(row[i] * 4294967295.0 + 0.5);
    util_format_pack_depth_u32(stored, dst, scratch, count);
}

/* Compresses client pixels to a box of a compressed resource. The box consists of whole blocks,
 * except at the image's edges. */
static bool upload_compressed(struct gl_context *ctx, const struct gl_texels *dst,
                              const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                              const uint8_t *src)
{
    const struct drv_box *box = &dst->box;
    unsigned width = box->width, height = box->height;
    float(*texels)[4] = malloc((size_t)width * height * sizeof *texels);
    struct drv_transfer *t;
    uint8_t *map =
        texels ? ctx->drv->ops->map(ctx->drv, dst->resource, dst->level, DRV_MAP_WRITE, box, &t)
               : NULL;
    if (!map) {
        free(texels);
        return false;
    }
    for (int z = 0; z < box->depth; z++) {
        for (unsigned y = 0; y < height; y++) {
            float(*row)[4] = texels + (size_t)y * width;
            gl_unpack_color_row(ctx, form, src + l->skip + z * l->image_stride + y * l->row_stride,
                                form->store->skip_pixels % 8, width, row);
            gl_pixels_rebase(dst->base, row, width, false);
        }
        util_format_compress(dst->format, map + z * t->layer_stride, t->stride,
                             (const float(*)[4])texels, width, width, height);
    }
    ctx->drv->ops->unmap(ctx->drv, t);
    free(texels);
    return true;
}

/* Converts a row of client pixels to depth or stencil texels. values is scratch memory for count
 * values of both. */
static void upload_zs_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                          const uint8_t *from, unsigned skip_bits, unsigned count, double *values,
                          enum drv_format stored, uint8_t *to)
{
    if (util_format_has_depth(stored) && form->format != GL_STENCIL_INDEX) {
        gl_unpack_depth_row(ctx, form, from, count, values);
        store_depth_row(stored, values, count, to, (uint32_t *)(values + count),
                        (float *)(values + count));
    }
    if (util_format_has_stencil(stored) && form->format != GL_DEPTH_COMPONENT) {
        gl_unpack_stencil_row(ctx, form, from, skip_bits, count, (uint8_t *)values);
        util_format_pack_stencil(stored, to, (uint8_t *)values, count);
    }
}

bool gl_pixels_upload(struct gl_context *ctx, const struct gl_texels *dst,
                      const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                      const uint8_t *src)
{
    const struct drv_box *box = &dst->box;
    bool rows = dst->rows_are_layers;
    unsigned width = box->width, height = rows ? box->depth : box->height,
             depth = rows ? 1 : box->depth;
    bool zs = gl_base_is_depth(dst->base) || gl_base_is_stencil(dst->base);
    enum drv_format stored = raw_store_format(dst->format);
    struct drv_transfer *t;
    if (util_format_is_compressed(dst->format))
        return upload_compressed(ctx, dst, form, l, src);
    if (!zs && upload_plain(ctx, dst, form, l, src))
        return true;
    void *scratch = malloc((size_t)width * 32);
    uint8_t *map =
        scratch ? ctx->drv->ops->map(ctx->drv, dst->resource, dst->level,
                                     DRV_MAP_WRITE | (zs ? DRV_MAP_READ : DRV_MAP_DISCARD_RANGE),
                                     box, &t)
                : NULL;
    if (!map) {
        free(scratch);
        return false;
    }
    unsigned skip_bits = form->store->skip_pixels % 8;
    for (unsigned z = 0; z < depth; z++)
        for (unsigned y = 0; y < height; y++) {
            const uint8_t *from = src + l->skip + z * l->image_stride + y * l->row_stride;
            uint8_t *to = texel_row(t, map, rows, y, z);
            if (zs) {
                upload_zs_row(ctx, form, from, skip_bits, width, scratch, stored, to);
            } else {
                gl_unpack_color_row(ctx, form, from, skip_bits, width, scratch);
                store_color_row(stored, dst->base, scratch, width, type_is_signed(form->type), to);
            }
        }
    ctx->drv->ops->unmap(ctx->drv, t);
    free(scratch);
    return true;
}

void gl_pixels_texel(struct gl_context *ctx, enum drv_format stored, GLenum base, GLenum format,
                     GLenum type, const void *pixel, uint8_t *texel)
{
    static const struct gl_pixel_store tight = {.alignment = 1};
    const struct gl_pixel_spec form = {.store = &tight, .format = format, .type = type};
    stored = raw_store_format(stored);
    if (!gl_base_is_depth(base) && !gl_base_is_stencil(base)) {
        float color[1][4];
        gl_unpack_color_row(ctx, &form, pixel, 0, 1, color);
        store_color_row(stored, base, color, 1, type_is_signed(type), texel);
        return;
    }
    if (util_format_has_depth(stored) && format != GL_STENCIL_INDEX) {
        double depth;
        uint32_t bits;
        float value;
        gl_unpack_depth_row(ctx, &form, pixel, 1, &depth);
        store_depth_row(stored, &depth, 1, texel, &bits, &value);
    }
    if (util_format_has_stencil(stored) && format != GL_DEPTH_COMPONENT) {
        uint8_t stencil;
        gl_unpack_stencil_row(ctx, &form, pixel, 0, 1, &stencil);
        util_format_pack_stencil(stored, texel, &stencil, 1);
    }
}

/* Converts a row of depth and stencil values to the client's type. depth_u32, depth_f and stencil
 * are NULL if not present. */
static void pack_zs_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                        const uint32_t *depth_u32, const float *depth_f, const uint8_t *stencil,
                        unsigned count, uint8_t *dst)
{
    const GLenum format = form->format, type = form->type;
    bool scaled = form->ops & GL_PIXEL_TRANSFER &&
                  (ctx->pixel.depth_scale != 1.0f || ctx->pixel.depth_bias != 0.0f);
    unsigned pixel =
        format == GL_DEPTH_STENCIL
            ? (type == GL_UNSIGNED_INT_24_8 ? 4 : 8)
            : drv_format_desc(raw_format(type, 1, format == GL_STENCIL_INDEX))->block_bytes;
    for (unsigned i = 0; i < count; i++) {
        uint8_t *to = dst + (size_t)i * pixel;
        double d = depth_f ? depth_f[i] : depth_u32 ? depth_u32[i] / 4294967295.0 : 0.0;
        if (scaled)
            d = d * ctx->pixel.depth_scale + ctx->pixel.depth_bias;
        d = CLAMP(d, 0.0, 1.0);
        uint32_t st = stencil ? stencil[i] : 0;
        if (stencil && form->ops & GL_PIXEL_TRANSFER) {
            st = shift_index(ctx, st);
            if (ctx->pixel.map_stencil)
                st = look_up(&ctx->pixel.map[GL_MAP_S_TO_S], st);
        }
        if (format == GL_STENCIL_INDEX) {
            enum drv_format raw = raw_format(type, 1, true);
            if (util_format_is_float(raw))
                util_format_pack_float(raw, to, &(const float[4]){st}, 1);
            else
                util_format_pack_int(raw, to, &(const uint32_t[4]){st}, false, 1);
        } else if (format == GL_DEPTH_STENCIL) {
            uint32_t word[2] = {(uint32_t)(d * 16777215.0 + 0.5) << 8 | (st & 0xff), st & 0xff};
            if (type != GL_UNSIGNED_INT_24_8)
                word[0] = fui(d);
            memcpy(to, word, pixel);
        } else if (type == GL_UNSIGNED_INT) {
            uint32_t u = d * 4294967295.0 + 0.5;
            memcpy(to, &u, 4);
        } else {
            util_format_pack_float(raw_format(type, 1, false), to, &(const float[4]){d}, 1);
        }
    }
    if (form->store->swap_bytes && swap_unit(type) > 1)
        swap_bytes(dst, (size_t)count * pixel, swap_unit(type));
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

static void download_zs_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                            enum drv_format stored, const uint8_t *from, unsigned width,
                            void *scratch, uint8_t *to)
{
    uint32_t *u = scratch;
    uint8_t *stencil = (uint8_t *)(u + width);
    bool is_float = stored == DRV_FORMAT_Z32_FLOAT || stored == DRV_FORMAT_Z32S8X24_FLOAT;
    bool depth = form->format != GL_STENCIL_INDEX && util_format_has_depth(stored);
    bool st = form->format != GL_DEPTH_COMPONENT && util_format_has_stencil(stored);
    if (depth && is_float)
        util_format_unpack_depth(stored, (float *)u, from, width);
    else if (depth)
        util_format_unpack_depth_u32(stored, u, from, width);
    if (st)
        util_format_unpack_stencil(stored, stencil, from, width);
    if (form->type == GL_BITMAP)
        pack_bits(form->store, stencil, form->store->skip_pixels % 8, width, to);
    else
        pack_zs_row(ctx, form, depth && !is_float ? u : NULL, depth && is_float ? (float *)u : NULL,
                    st ? stencil : NULL, width, to);
}

/* Decompresses a box of a compressed level to RGBA floats. */
static bool decompress_box(enum drv_format format, const uint8_t *map, unsigned stride,
                           unsigned width, unsigned height, float (*out)[4])
{
    if (util_format_decompress_float(format, (float *)out, width * 16, map, stride, width, height))
        return true;
    uint8_t *bytes = malloc((size_t)width * height * 4);
    bool ok =
        bytes && util_format_decompress_rgba8(format, bytes, width * 4, map, stride, width, height);
    for (size_t i = 0; ok && i < (size_t)width * height; i++)
        for (unsigned c = 0; c < 4; c++)
            out[i][c] = bytes[4 * i + c] / 255.0f;
    free(bytes);
    return ok;
}

static bool download_compressed(struct gl_context *ctx, const struct gl_texels *src,
                                const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                                uint8_t *dst)
{
    const struct drv_box *box = &src->box;
    struct drv_transfer *t;
    float(*texels)[4] = malloc((size_t)box->width * box->height * 16);
    uint8_t *map =
        texels ? ctx->drv->ops->map(ctx->drv, src->resource, src->level, DRV_MAP_READ, box, &t)
               : NULL;
    bool ok = map;
    for (int z = 0; ok && z < box->depth; z++) {
        ok = decompress_box(src->resource->format, map + z * t->layer_stride, t->stride, box->width,
                            box->height, texels);
        for (int y = 0; ok && y < box->height; y++) {
            float(*row)[4] = texels + (size_t)y * box->width;
            rebase(src->base, true, row, box->width, false);
            pack_color_row(ctx, form, false,
                           dst + l->skip + z * l->image_stride + y * l->row_stride, box->width,
                           row);
        }
    }
    if (map)
        ctx->drv->ops->unmap(ctx->drv, t);
    free(texels);
    return ok;
}

bool gl_pixels_download(struct gl_context *ctx, const struct gl_texels *src,
                        const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                        uint8_t *dst)
{
    if (util_format_is_compressed(src->resource->format))
        return download_compressed(ctx, src, form, l, dst);
    const struct drv_box *box = &src->box;
    bool rows = src->rows_are_layers;
    unsigned width = box->width, height = rows ? box->depth : box->height,
             depth = rows ? 1 : box->depth;
    enum drv_format stored = raw_store_format(src->format);
    bool zs = drv_format_desc(stored)->colorspace == DRV_COLORSPACE_ZS;
    if (!zs && download_plain(ctx, src, form, l, dst))
        return true;
    bool integer = util_format_is_pure_integer(stored);
    struct drv_transfer *t;
    void *scratch = malloc((size_t)width * 16 + 16);
    uint8_t *map =
        scratch ? ctx->drv->ops->map(ctx->drv, src->resource, src->level, DRV_MAP_READ, box, &t)
                : NULL;
    if (!map) {
        free(scratch);
        return false;
    }
    for (unsigned z = 0; z < depth; z++)
        for (unsigned y = 0; y < height; y++) {
            const uint8_t *from = texel_row(t, map, rows, y, z);
            uint8_t *to = dst + l->skip + z * l->image_stride + y * l->row_stride;
            if (zs) {
                download_zs_row(ctx, form, stored, from, width, scratch, to);
            } else {
                float(*row)[4] = scratch;
                if (integer)
                    util_format_unpack_int(stored, scratch, from, width);
                else
                    util_format_unpack_float(stored, row, from, width);
                rebase(src->base, true, row, width, integer);
                pack_color_row(ctx, form, util_format_is_pure_sint(stored), to, width, row);
            }
        }
    ctx->drv->ops->unmap(ctx->drv, t);
    free(scratch);
    return true;
}
