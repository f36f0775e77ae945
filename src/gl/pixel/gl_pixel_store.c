/* SPDX-License-Identifier: MIT */
/* Pixel storage modes, the layout of client images (GL 4.6 compatibility §8.4.4), and access to
 * them in client memory or in pixel buffers. */
#include <math.h>
#include <stdlib.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl_entry.h"

/* ----------------------------------------------------------------------------- glPixelStore --- */

static bool valid_here(const struct gl_context *ctx, GLenum pname)
{
    bool pack_blocks =
        pname >= GL_PACK_COMPRESSED_BLOCK_WIDTH && pname <= GL_PACK_COMPRESSED_BLOCK_SIZE;
    bool unpack_blocks =
        pname >= GL_UNPACK_COMPRESSED_BLOCK_WIDTH && pname <= GL_UNPACK_COMPRESSED_BLOCK_SIZE;
    if (pack_blocks || unpack_blocks)
        return gl_is_desktop(ctx) && ctx->ext.ARB_compressed_texture_pixel_storage;
    if (pname == GL_PACK_ALIGNMENT || pname == GL_UNPACK_ALIGNMENT || gl_is_desktop(ctx) ||
        pname == GL_PACK_REVERSE_ROW_ORDER_ANGLE)
        return true;
    if (ctx->api == GL_API_ES2 && ctx->consts.version >= 30)
        return pname != GL_PACK_SWAP_BYTES && pname != GL_PACK_LSB_FIRST &&
               pname != GL_UNPACK_SWAP_BYTES && pname != GL_UNPACK_LSB_FIRST &&
               pname != GL_PACK_IMAGE_HEIGHT && pname != GL_PACK_SKIP_IMAGES;
    if (pname == GL_UNPACK_ROW_LENGTH || pname == GL_UNPACK_SKIP_ROWS ||
        pname == GL_UNPACK_SKIP_PIXELS)
        return ctx->ext.EXT_unpack_subimage;
    return false;
}

/* Returns the location of a boolean parameter; NULL if pname is not one. */
static bool *store_flag(struct gl_context *ctx, GLenum pname)
{
    switch (pname) {
    case GL_PACK_SWAP_BYTES:
        return &ctx->pack.swap_bytes;
    case GL_PACK_LSB_FIRST:
        return &ctx->pack.lsb_first;
    case GL_PACK_INVERT_MESA:
        return ctx->ext.MESA_pack_invert ? &ctx->pack.invert : NULL;
    case GL_PACK_REVERSE_ROW_ORDER_ANGLE:
        return ctx->ext.ANGLE_pack_reverse_row_order ? &ctx->pack.invert : NULL;
    case GL_UNPACK_SWAP_BYTES:
        return &ctx->unpack.swap_bytes;
    case GL_UNPACK_LSB_FIRST:
        return &ctx->unpack.lsb_first;
    default:
        return NULL;
    }
}

static GLint *store_field(struct gl_context *ctx, GLenum pname)
{
    struct gl_pixel_store *u = &ctx->unpack, *p = &ctx->pack;
    switch (pname) {
    case GL_PACK_ROW_LENGTH:
        return &p->row_length;
    case GL_PACK_SKIP_ROWS:
        return &p->skip_rows;
    case GL_PACK_SKIP_PIXELS:
        return &p->skip_pixels;
    case GL_PACK_IMAGE_HEIGHT:
        return &p->image_height;
    case GL_PACK_SKIP_IMAGES:
        return &p->skip_images;
    case GL_UNPACK_ROW_LENGTH:
        return &u->row_length;
    case GL_UNPACK_SKIP_ROWS:
        return &u->skip_rows;
    case GL_UNPACK_SKIP_PIXELS:
        return &u->skip_pixels;
    case GL_UNPACK_IMAGE_HEIGHT:
        return &u->image_height;
    case GL_UNPACK_SKIP_IMAGES:
        return &u->skip_images;
    case GL_PACK_COMPRESSED_BLOCK_WIDTH:
        return &p->compressed_block_width;
    case GL_PACK_COMPRESSED_BLOCK_HEIGHT:
        return &p->compressed_block_height;
    case GL_PACK_COMPRESSED_BLOCK_DEPTH:
        return &p->compressed_block_depth;
    case GL_PACK_COMPRESSED_BLOCK_SIZE:
        return &p->compressed_block_size;
    case GL_UNPACK_COMPRESSED_BLOCK_WIDTH:
        return &u->compressed_block_width;
    case GL_UNPACK_COMPRESSED_BLOCK_HEIGHT:
        return &u->compressed_block_height;
    case GL_UNPACK_COMPRESSED_BLOCK_DEPTH:
        return &u->compressed_block_depth;
    case GL_UNPACK_COMPRESSED_BLOCK_SIZE:
        return &u->compressed_block_size;
    default:
        return NULL;
    }
}

void gl_PixelStorei(GLenum pname, GLint param)
{
    GL_CONTEXT(ctx);
    GLint *field = store_field(ctx, pname);
    bool *flag = store_flag(ctx, pname);
    bool alignment = pname == GL_PACK_ALIGNMENT || pname == GL_UNPACK_ALIGNMENT;
    if (!(field || flag || alignment) || !valid_here(ctx, pname)) {
        gl_error(ctx, GL_INVALID_ENUM, "glPixelStore(pname=%s)", gl_enum_name(pname));
        return;
    }
    if (flag) {
        *flag = param != 0;
    } else if (alignment) {
        if (param != 1 && param != 2 && param != 4 && param != 8) {
            gl_error(ctx, GL_INVALID_VALUE, "glPixelStore(alignment=%d)", param);
            return;
        }
        *(pname == GL_PACK_ALIGNMENT ? &ctx->pack.alignment : &ctx->unpack.alignment) = param;
    } else {
        if (param < 0) {
            gl_error(ctx, GL_INVALID_VALUE, "glPixelStore(%s=%d)", gl_enum_name(pname), param);
            return;
        }
        *field = param;
    }
}

void gl_PixelStoref(GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    bool flag = store_flag(ctx, pname);
    /* Round before the sign is tested: -0.9 is an error, -0.1 is not. */
    float rounded = CLAMP(floorf(param + 0.5f), -1.0f, 2147483520.0f);
    gl_PixelStorei(pname, flag ? param != 0.0f : (GLint)rounded);
}

/* ------------------------------------------------------------------------ formats and types --- */

unsigned gl_pixel_components(GLenum format)
{
    switch (format) {
    case GL_COLOR_INDEX:
    case GL_STENCIL_INDEX:
    case GL_DEPTH_COMPONENT:
    case GL_RED:
    case GL_GREEN:
    case GL_BLUE:
    case GL_ALPHA:
    case GL_LUMINANCE:
    case GL_INTENSITY:
    case GL_RED_INTEGER:
    case GL_GREEN_INTEGER:
    case GL_BLUE_INTEGER:
    case GL_ALPHA_INTEGER:
    case GL_LUMINANCE_INTEGER_EXT:
        return 1;
    case GL_LUMINANCE_ALPHA_INTEGER_EXT:
    case GL_RG:
    case GL_RG_INTEGER:
    case GL_LUMINANCE_ALPHA:
    case GL_DEPTH_STENCIL:
        return 2;
    case GL_RGB:
    case GL_BGR:
    case GL_RGB_INTEGER:
    case GL_BGR_INTEGER:
        return 3;
    case GL_RGBA:
    case GL_BGRA:
    case GL_ABGR_EXT:
    case GL_RGBA_INTEGER:
    case GL_BGRA_INTEGER:
        return 4;
    default:
        return 0;
    }
}

bool gl_pixel_format_is_integer(GLenum format)
{
    switch (format) {
    case GL_RED_INTEGER:
    case GL_GREEN_INTEGER:
    case GL_BLUE_INTEGER:
    case GL_ALPHA_INTEGER:
    case GL_LUMINANCE_INTEGER_EXT:
    case GL_LUMINANCE_ALPHA_INTEGER_EXT:
    case GL_RG_INTEGER:
    case GL_RGB_INTEGER:
    case GL_BGR_INTEGER:
    case GL_RGBA_INTEGER:
    case GL_BGRA_INTEGER:
        return true;
    default:
        return false;
    }
}

bool gl_pixel_format_is_color(GLenum format)
{
    return gl_pixel_components(format) && format != GL_COLOR_INDEX && format != GL_STENCIL_INDEX &&
           format != GL_DEPTH_COMPONENT && format != GL_DEPTH_STENCIL;
}

bool gl_is_ycbcr_type(GLenum type)
{
    return type == GL_UNSIGNED_SHORT_8_8_MESA || type == GL_UNSIGNED_SHORT_8_8_REV_MESA;
}

unsigned gl_pixel_type_bytes(GLenum type, unsigned *packed)
{
    *packed = 0;
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return 2;
    case GL_INT:
    case GL_UNSIGNED_INT:
    case GL_FLOAT:
        return 4;
    case GL_UNSIGNED_SHORT_8_8_MESA:
    case GL_UNSIGNED_SHORT_8_8_REV_MESA:
        *packed = 2;
        return 2;
    case GL_UNSIGNED_BYTE_3_3_2:
    case GL_UNSIGNED_BYTE_2_3_3_REV:
        *packed = 3;
        return 1;
    case GL_UNSIGNED_SHORT_5_6_5:
    case GL_UNSIGNED_SHORT_5_6_5_REV:
        *packed = 3;
        return 2;
    case GL_UNSIGNED_SHORT_4_4_4_4:
    case GL_UNSIGNED_SHORT_4_4_4_4_REV:
    case GL_UNSIGNED_SHORT_5_5_5_1:
    case GL_UNSIGNED_SHORT_1_5_5_5_REV:
        *packed = 4;
        return 2;
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
    case GL_UNSIGNED_INT_10_10_10_2:
    case GL_UNSIGNED_INT_2_10_10_10_REV:
        *packed = 4;
        return 4;
    case GL_UNSIGNED_INT_10F_11F_11F_REV:
    case GL_UNSIGNED_INT_5_9_9_9_REV:
        *packed = 3;
        return 4;
    case GL_UNSIGNED_INT_24_8:
        *packed = 2;
        return 4;
    case GL_FLOAT_32_UNSIGNED_INT_24_8_REV:
        *packed = 2;
        return 8;
    default:
        return 0;
    }
}

/* GL ES 2.0 table 3.4, and extensions that add combinations. */
static GLenum es_format_error(const struct gl_context *ctx, GLenum format, GLenum type)
{
    switch (format) {
    case GL_RGBA:
        if (type == GL_UNSIGNED_SHORT_4_4_4_4 || type == GL_UNSIGNED_SHORT_5_5_5_1)
            return 0;
        break;
    case GL_RGB:
        if (type == GL_UNSIGNED_SHORT_5_6_5)
            return 0;
        break;
    case GL_ALPHA:
    case GL_LUMINANCE:
    case GL_LUMINANCE_ALPHA:
        break;
    case GL_BGRA:
        if (!ctx->ext.EXT_texture_format_BGRA8888 && !ctx->ext.MESA_bgra)
            return GL_INVALID_ENUM;
        break;
    case GL_BGR:
        if (!ctx->ext.MESA_bgra)
            return GL_INVALID_ENUM;
        break;
    case GL_DEPTH_COMPONENT:
        if (!ctx->ext.OES_depth_texture)
            return GL_INVALID_ENUM;
        return type == GL_UNSIGNED_SHORT || type == GL_UNSIGNED_INT ? 0 : GL_INVALID_OPERATION;
    case GL_DEPTH_STENCIL:
        if (!ctx->ext.OES_packed_depth_stencil || !ctx->ext.OES_depth_texture)
            return GL_INVALID_ENUM;
        return type == GL_UNSIGNED_INT_24_8 ? 0 : GL_INVALID_OPERATION;
    default:
        return GL_INVALID_ENUM;
    }
    if (type == GL_UNSIGNED_BYTE)
        return 0;
    if ((type == GL_FLOAT && ctx->ext.OES_texture_float) ||
        (type == GL_HALF_FLOAT_OES && ctx->ext.OES_texture_half_float))
        return format == GL_BGRA || format == GL_BGR ? GL_INVALID_OPERATION : 0;
    switch (type) {
    case GL_UNSIGNED_SHORT_5_6_5:
    case GL_UNSIGNED_SHORT_4_4_4_4:
    case GL_UNSIGNED_SHORT_5_5_5_1:
    case GL_UNSIGNED_SHORT:
    case GL_UNSIGNED_INT:
        return GL_INVALID_OPERATION;
    default:
        return GL_INVALID_ENUM;
    }
}

/* Returns whether a format and a type are values that ES 3.0 and later accept at all (ES 3.2 tables
 * 8.2 and 8.4, and extensions). */
static bool es3_knows(const struct gl_context *ctx, GLenum format, GLenum type)
{
    switch (format) {
    case GL_COLOR_INDEX:
    case GL_GREEN:
    case GL_BLUE:
    case GL_ABGR_EXT:
    case GL_GREEN_INTEGER:
    case GL_BLUE_INTEGER:
    case GL_BGR_INTEGER:
    case GL_BGRA_INTEGER:
        return false;
    case GL_BGR:
        return ctx->ext.MESA_bgra;
    }
    switch (type) {
    case GL_UNSIGNED_BYTE_3_3_2:
    case GL_UNSIGNED_BYTE_2_3_3_REV:
    case GL_UNSIGNED_SHORT_5_6_5_REV:
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
    case GL_UNSIGNED_INT_10_10_10_2:
        return false;
    case GL_UNSIGNED_SHORT_4_4_4_4_REV:
    case GL_UNSIGNED_SHORT_1_5_5_5_REV:
        return ctx->ext.EXT_read_format_bgra;
    default:
        return true;
    }
}

static bool has_integer_formats(const struct gl_context *ctx)
{
    return ctx->consts.version >= 30 || ctx->ext.EXT_texture_integer;
}

GLenum gl_pixel_format_error(const struct gl_context *ctx, GLenum format, GLenum type)
{
    if (gl_is_es(ctx) && ctx->consts.version < 30)
        return es_format_error(ctx, format, type);
    unsigned components = gl_pixel_components(format), packed;
    bool legacy = format == GL_COLOR_INDEX || format == GL_ALPHA || format == GL_LUMINANCE ||
                  format == GL_LUMINANCE_ALPHA || format == GL_INTENSITY ||
                  format == GL_LUMINANCE_INTEGER_EXT || format == GL_LUMINANCE_ALPHA_INTEGER_EXT;
    bool integer = gl_pixel_format_is_integer(format);
    if (!components || format == GL_INTENSITY || (legacy && ctx->api == GL_API_CORE) ||
        (format == GL_ABGR_EXT && !ctx->ext.EXT_abgr) || (integer && !has_integer_formats(ctx)))
        return GL_INVALID_ENUM;
    if (type == GL_BITMAP) {
        if (!gl_is_compat(ctx))
            return GL_INVALID_ENUM;
        return format == GL_COLOR_INDEX || format == GL_STENCIL_INDEX ? 0 : GL_INVALID_ENUM;
    }
    if (!gl_pixel_type_bytes(type, &packed) || gl_is_ycbcr_type(type) ||
        (type == GL_HALF_FLOAT_OES && gl_is_desktop(ctx)) ||
        (gl_is_es(ctx) && !es3_knows(ctx, format, type)))
        return GL_INVALID_ENUM;
    bool ds_type = type == GL_UNSIGNED_INT_24_8 || type == GL_FLOAT_32_UNSIGNED_INT_24_8_REV;
    if (format == GL_DEPTH_STENCIL) /* GL 4.6 §18.2.2 */
        return ds_type ? 0 : packed && gl_is_es(ctx) ? GL_INVALID_OPERATION : GL_INVALID_ENUM;
    if (ds_type)
        return GL_INVALID_OPERATION;
    if (packed) {
        bool small_float =
            type == GL_UNSIGNED_INT_10F_11F_11F_REV || type == GL_UNSIGNED_INT_5_9_9_9_REV;
        if (small_float)
            return format == GL_RGB ? 0 : GL_INVALID_OPERATION;
        /* GL 4.6 table 8.5: three components require RGB; four require RGBA, BGRA or ABGR. */
        bool ok = packed == 3 ? format == GL_RGB || format == GL_RGB_INTEGER
                              : components == 4 && gl_pixel_format_is_color(format);
        if (gl_is_es(ctx) && type == GL_UNSIGNED_INT_2_10_10_10_REV && format == GL_RGB)
            ok = ctx->ext.EXT_texture_type_2_10_10_10_REV;
        return ok ? 0 : GL_INVALID_OPERATION;
    }
    /* GL 4.6 §8.4.4. ES has lists of valid combinations instead. */
    bool floats = type == GL_FLOAT || type == GL_HALF_FLOAT || type == GL_HALF_FLOAT_OES;
    if (integer && floats)
        return gl_is_es(ctx) ? GL_INVALID_OPERATION : GL_INVALID_ENUM;
    return 0;
}

/* ----------------------------------------------------------------------------------- layout --- */

void gl_pixel_layout(const struct gl_pixel_store *s, unsigned dims, GLsizei width, GLsizei height,
                     GLsizei depth, GLenum format, GLenum type, struct gl_pixel_layout *l)
{
    unsigned packed, bytes = gl_pixel_type_bytes(type, &packed);
    uint64_t row_pixels = s->row_length > 0 ? s->row_length : width;
    uint64_t image_rows = dims > 2 && s->image_height > 0 ? s->image_height : height;
    uint64_t rows = dims > 1 || s->skip_rows ? s->skip_rows : 0;
    uint64_t images = dims > 2 ? s->skip_images : 0;
    uint64_t last;

    l->unit = MIN2(bytes, 4);
    if (type == GL_BITMAP) {
        l->pixel_bytes = 0;
        l->row_stride = ALIGN_POT(DIV_ROUND_UP(row_pixels, 8), s->alignment);
        l->skip = s->skip_pixels / 8;
        last = (s->skip_pixels % 8 + width + 7) / 8;
    } else {
        l->pixel_bytes = packed ? bytes : bytes * gl_pixel_components(format);
        l->row_stride = row_pixels * l->pixel_bytes;
        if (bytes < (unsigned)s->alignment) /* GL 4.6 §8.4.4.1 */
            l->row_stride = ALIGN_POT(l->row_stride, s->alignment);
        l->skip = (uint64_t)s->skip_pixels * l->pixel_bytes;
        last = (uint64_t)width * l->pixel_bytes;
    }
    /* Rows have up to 2^36 bytes and images up to 2^67, so 128 bits are exact. Sizes that exceed
     * the address space become UINT64_MAX, which no buffer or client memory can satisfy. */
    unsigned __int128 image = (unsigned __int128)l->row_stride * image_rows;
    unsigned __int128 skip = l->skip + rows * (unsigned __int128)l->row_stride + images * image;
    unsigned __int128 size = 0;
    if (width > 0 && height > 0 && depth > 0)
        size = skip + (depth - 1) * image + (height - 1) * (unsigned __int128)l->row_stride + last;
    l->size = size > INT64_MAX ? UINT64_MAX : (uint64_t)size;
    l->image_stride = image;
    l->skip = skip;
    if (s->invert && height > 0) {
        l->skip += (uint64_t)(height - 1) * l->row_stride;
        l->row_stride = -l->row_stride;
    }
}

/* Raises the errors of GL 4.6 §6.9 for pixel buffers, and of GL_ARB_robustness for client
 * memory. */
bool gl_pixel_map_client(struct gl_context *ctx, const struct gl_pixel_store *store,
                         const struct gl_pixel_layout *layout, const void *pixels, bool write,
                         GLsizeiptr client_size, const char *name, struct gl_pixel_mapping *m)
{
    m->transfer = NULL;
    m->pointer = NULL;
    if (!store->buffer) {
        if (client_size >= 0 && layout->size > (uint64_t)client_size) {
            gl_error(ctx, GL_INVALID_OPERATION, "%s(bufSize=%ld, %lu bytes needed)", name,
                     (long)client_size, (unsigned long)layout->size);
            return false;
        }
        if (layout->size > INT64_MAX) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s(no memory holds the image)", name);
            return false;
        }
        m->pointer = pixels ? (uint8_t *)pixels : NULL;
        return true;
    }
    uintptr_t offset = (uintptr_t)pixels;
    if (gl_buffer_is_mapped(store->buffer)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(pixel buffer is mapped)", name);
        return false;
    }
    if (layout->unit && offset % layout->unit) { /* §8.4.2, §18.2.9 */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(offset %zu into the pixel buffer)", name,
                 (size_t)offset);
        return false;
    }
    if (!layout->size)
        return true;
    if (offset > (uintptr_t)store->buffer->size ||
        layout->size > (uintptr_t)store->buffer->size - offset) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(beyond the pixel buffer)", name);
        return false;
    }
    m->pointer =
        gl_buffer_map_internal(ctx, store->buffer, offset, layout->size,
                               write ? DRV_MAP_WRITE | DRV_MAP_READ : DRV_MAP_READ, &m->transfer);
    if (!m->pointer) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
        return false;
    }
    return true;
}

void gl_pixel_unmap_client(struct gl_context *ctx, struct gl_pixel_mapping *m)
{
    if (m->transfer)
        gl_buffer_unmap_internal(ctx, m->transfer);
    m->transfer = NULL;
}

/* ---------------------------------------------------------------- bitmaps and display lists --- */

bool gl_pixels_unpack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                             const GLubyte *bitmap, uint32_t *rows)
{
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    gl_pixel_layout(&ctx->unpack, 2, width, height, 1, GL_COLOR_INDEX, GL_BITMAP, &l);
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, bitmap, false, -1, "glPolygonStipple", &m))
        return false;
    for (GLsizei y = 0; y < height; y++) {
        rows[y] = 0;
        if (!m.pointer)
            continue;
        const uint8_t *src = m.pointer + l.skip + y * l.row_stride;
        for (GLsizei x = 0; x < width; x++) {
            unsigned bit = ctx->unpack.skip_pixels % 8 + x;
            unsigned byte = src[bit / 8];
            bool set = ctx->unpack.lsb_first ? byte >> bit % 8 & 1 : byte >> (7 - bit % 8) & 1;
            rows[y] |= (uint32_t)set << (31 - x);
        }
    }
    gl_pixel_unmap_client(ctx, &m);
    return true;
}

void gl_pixels_pack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                           const uint32_t *rows, int64_t size, GLubyte *bitmap, const char *name)
{
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    gl_pixel_layout(&ctx->pack, 2, width, height, 1, GL_COLOR_INDEX, GL_BITMAP, &l);
    if (!gl_pixel_map_client(ctx, &ctx->pack, &l, bitmap, true, size, name, &m) || !m.pointer)
        return;
    for (GLsizei y = 0; y < height; y++)
        for (GLsizei x = 0; x < width; x++) {
            unsigned bit = ctx->pack.skip_pixels % 8 + x;
            uint8_t *p = m.pointer + l.skip + y * l.row_stride + bit / 8;
            uint8_t mask = ctx->pack.lsb_first ? 1 << bit % 8 : 0x80 >> bit % 8;
            *p = rows[y] >> (31 - x) & 1 ? *p | mask : *p & ~mask;
        }
    gl_pixel_unmap_client(ctx, &m);
}

/* Copies a row of a bitmap so that its first bit becomes bit 7 of the first byte. src is the byte
 * that contains the first bit. */
static void copy_bits(const struct gl_pixel_store *s, const uint8_t *src, GLsizei width,
                      uint8_t *dst)
{
    for (GLsizei x = 0; x < width; x++) {
        unsigned bit = s->skip_pixels % 8 + x;
        bool set = s->lsb_first ? src[bit / 8] >> bit % 8 & 1 : src[bit / 8] >> (7 - bit % 8) & 1;
        if (set)
            dst[x / 8] |= 0x80 >> x % 8;
    }
}

static void swap_elements(uint8_t *p, size_t bytes, unsigned element)
{
    for (size_t i = 0; i + element <= bytes; i += element)
        for (unsigned k = 0; k < element / 2; k++) {
            uint8_t t = p[i + k];
            p[i + k] = p[i + element - 1 - k];
            p[i + element - 1 - k] = t;
        }
}

bool gl_pixels_copy_blocks(struct gl_context *ctx, GLsizei size, const void *data, void **copy)
{
    const struct gl_pixel_layout l = {.size = MAX2(size, 0)};
    struct gl_pixel_mapping m;
    *copy = NULL;
    if (!l.size || !gl_pixel_map_client(ctx, &ctx->unpack, &l, data, false, -1, "glNewList", &m) ||
        !m.pointer)
        return true;
    *copy = malloc(l.size);
    if (*copy)
        memcpy(*copy, m.pointer, l.size);
    gl_pixel_unmap_client(ctx, &m);
    return *copy;
}

bool gl_pixels_copy(struct gl_context *ctx, unsigned dims, GLsizei width, GLsizei height,
                    GLsizei depth, GLenum format, GLenum type, const void *pixels, void **copy)
{
    static const struct gl_pixel_store tight = {.alignment = 1};
    struct gl_pixel_layout from, to;
    struct gl_pixel_mapping m;
    unsigned packed, element = gl_pixel_type_bytes(type, &packed);
    bool bitmap = type == GL_BITMAP;
    *copy = NULL;
    if (width <= 0 || height <= 0 || depth <= 0 || (!bitmap && !element) ||
        (!bitmap && !gl_pixel_components(format)))
        return true;
    gl_pixel_layout(&ctx->unpack, dims, width, height, depth, format, type, &from);
    gl_pixel_layout(&tight, dims, width, height, depth, format, type, &to);
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &from, pixels, false, -1, "glNewList", &m) ||
        !m.pointer)
        return true;
    uint8_t *tight_pixels = to.size < SIZE_MAX / 2 ? calloc(1, to.size) : NULL;
    for (GLsizei z = 0; tight_pixels && z < depth; z++)
        for (GLsizei y = 0; y < height; y++) {
            const uint8_t *src =
                m.pointer + from.skip + z * from.image_stride + y * from.row_stride;
            uint8_t *dst = tight_pixels + z * to.image_stride + y * to.row_stride;
            if (bitmap)
                copy_bits(&ctx->unpack, src, width, dst);
            else
                memcpy(dst, src, to.row_stride);
        }
    if (tight_pixels && ctx->unpack.swap_bytes && !bitmap)
        swap_elements(tight_pixels, to.size, element == 8 ? 4 : element);
    gl_pixel_unmap_client(ctx, &m);
    *copy = tight_pixels;
    return tight_pixels;
}

/* ----------------------------------------------------------------------------- base formats --- */

bool gl_base_is_depth(GLenum base)
{
    return base == GL_DEPTH_COMPONENT || base == GL_DEPTH_STENCIL;
}

bool gl_base_is_stencil(GLenum base)
{
    return base == GL_STENCIL_INDEX || base == GL_DEPTH_STENCIL;
}

bool gl_base_is_color(GLenum base)
{
    return base && !gl_base_is_depth(base) && base != GL_STENCIL_INDEX;
}
