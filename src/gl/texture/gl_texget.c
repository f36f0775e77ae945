/* SPDX-License-Identifier: MIT */
/* Compressed images, and queries of images and their parameters (GL 4.6 compatibility §8.7,
 * §8.11). */
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "util/format.h"

/* ------------------------------------------------------------------------------- compressed --- */

static uint64_t compressed_bytes(enum drv_format format, GLsizei width, GLsizei height,
                                 GLsizei depth)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    return (uint64_t)DIV_ROUND_UP(width, d->block_width) * DIV_ROUND_UP(height, d->block_height) *
           d->block_bytes * depth;
}

/* Returns whether the image is compressed for the GL. Y'CbCr images are compressed only for the
 * driver. */
static bool is_compressed(const struct gl_image *image)
{
    return util_format_is_compressed(image->format) && image->format != DRV_FORMAT_YCBCR;
}

/* Computes the layout of compressed client images. It is tightly packed, except that the pixel
 * storage modes apply if the block sizes are set (GL 4.6 §8.4.4.1, §8.7). Returns false with an
 * error raised if the modes don't match the blocks. */
static bool block_layout(struct gl_context *ctx, const struct gl_pixel_store *s,
                         enum drv_format format, const struct drv_box *part,
                         struct gl_pixel_layout *l, const char *name)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    bool pixels = s->compressed_block_size && s->compressed_block_width;
    bool rows = pixels && s->compressed_block_height, images = rows && s->compressed_block_depth;
    GLsizei row_length = pixels && s->row_length ? s->row_length : part->width;
    GLsizei image_height = rows && s->image_height ? s->image_height : part->height;
    uint64_t block = pixels ? (uint64_t)s->compressed_block_size : d->block_bytes;
    unsigned block_width = pixels ? (unsigned)s->compressed_block_width : d->block_width;
    unsigned block_height = rows ? (unsigned)s->compressed_block_height : d->block_height;
    if ((pixels && s->skip_pixels % s->compressed_block_width) ||
        (rows && s->skip_rows % s->compressed_block_height) ||
        (images && s->skip_images % s->compressed_block_depth)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(skips of parts of blocks)", name);
        return false;
    }
    /* Rows have up to 2^62 bytes; the sums are exact. See gl_pixel_layout for sizes that exceed the
     * address space. */
    const unsigned __int128 row = block * DIV_ROUND_UP((uint64_t)row_length, block_width),
                            image = row * DIV_ROUND_UP((uint64_t)image_height, block_height);
    const unsigned __int128 skip =
        (pixels ? (unsigned)(s->skip_pixels / s->compressed_block_width) * block : 0) +
        (rows ? (unsigned)(s->skip_rows / s->compressed_block_height) * row : 0) +
        (images ? (unsigned)(s->skip_images / s->compressed_block_depth) * image : 0);
    unsigned __int128 size = 0;
    if (part->width && part->height && part->depth)
        size = skip + (unsigned)(part->depth - 1) * image +
               (DIV_ROUND_UP((unsigned)part->height, d->block_height) - 1) * row +
               (uint64_t)DIV_ROUND_UP((unsigned)part->width, d->block_width) * d->block_bytes;
    *l = (struct gl_pixel_layout){
        .skip = (uint64_t)skip,
        .row_stride = (int64_t)row,
        .image_stride = (uint64_t)image,
        .size = size > INT64_MAX ? UINT64_MAX : (uint64_t)size,
    };
    return true;
}

/* Copies blocks between client memory and a box of an image. p points to the box's first block.
 * Returns false if out of memory. */
static bool move_blocks(struct gl_context *ctx, const struct gl_image *image,
                        const struct drv_box *box, const struct gl_pixel_layout *l, uint8_t *p,
                        bool write)
{
    const struct drv_format_desc *d = drv_format_desc(image->format);
    struct drv_transfer *transfer;
    if (!box->width || !box->height || !box->depth)
        return true;
    uint8_t *map = ctx->drv->ops->map(ctx->drv, image->resource, image->level,
                                      write ? DRV_MAP_WRITE : DRV_MAP_READ, box, &transfer);
    if (!map)
        return false;
    unsigned rows = DIV_ROUND_UP(box->height, d->block_height);
    size_t bytes = (size_t)DIV_ROUND_UP(box->width, d->block_width) * d->block_bytes;
    for (int s = 0; s < box->depth; s++)
        for (unsigned r = 0; r < rows; r++) {
            uint8_t *client = p + s * l->image_stride + r * l->row_stride;
            uint8_t *texels = map + s * transfer->layer_stride + (size_t)r * transfer->stride;
            memcpy(write ? texels : client, write ? client : texels, bytes);
        }
    ctx->drv->ops->unmap(ctx->drv, transfer);
    return true;
}

/* Copies blocks between client memory and a box of a texture image. */
static void transfer_blocks(struct gl_context *ctx, const struct gl_image_target *place,
                            GLint level, const struct drv_box *part,
                            const struct gl_pixel_layout *l, uint8_t *p, bool write,
                            const char *name)
{
    for (unsigned i = 0; i < gl_image_target_num_steps(place, part); i++) {
        struct gl_image *image;
        const struct drv_box box = gl_image_target_step(place, level, part, i, &image);
        if (!move_blocks(ctx, image, &box, l, p + l->skip + i * l->image_stride, write)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
            return;
        }
    }
}

bool gl_compressed_fits_target(enum gl_texture_index index, GLenum internal)
{
    switch (index) {
    case GL_TEXTURE_INDEX_1D:
    case GL_TEXTURE_INDEX_1D_ARRAY:
    case GL_TEXTURE_INDEX_RECT:
        return false;
    case GL_TEXTURE_INDEX_3D: /* ASTC: KHR_texture_compression_astc_sliced_3d */
        return gl_view_class(internal) == GL_VIEW_CLASS_BPTC_UNORM ||
               gl_view_class(internal) == GL_VIEW_CLASS_BPTC_FLOAT || gl_format_is_astc(internal);
    default: /* two-dimensional images and their arrays support all formats */
        return true;
    }
}

void gl_compressed_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                         GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                         GLint border, GLsizei size, const void *data, const char *name)
{
    struct gl_texture *t = place->texture;
    enum gl_texture_index index = place->index;
    if (gl_is_paletted(ctx, internal)) {
        gl_paletted_image(ctx, place, level, internal, width, height, border, size, data, name);
        return;
    }
    if (!gl_format_is_compressed(ctx, internal)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    bool level_ok = level >= 0 && (unsigned)level < gl_texture_max_levels(ctx, index);
    bool fits = level_ok && gl_image_size_ok(ctx, index, level, width, height, depth, 0);
    if (!level_ok || border != 0 || width < 0 || height < 0 || depth < 0 ||
        (!fits && !place->proxy) || !gl_cube_shape_ok(index, width, height, depth)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d, %d × %d × %d, border=%d)", name, level, width,
                 height, depth, border);
        return;
    }
    enum drv_format drv = gl_choose_format(ctx, internal, 0, 0, gl_texture_drv_target(index), 0,
                                           DRV_BIND_SAMPLER_VIEW);
    if (drv == DRV_FORMAT_NONE || !gl_compressed_fits_target(index, internal)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(format and target)", name);
        return;
    }
    if (size < 0 || (uint64_t)size != compressed_bytes(drv, width, height, depth)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(imageSize=%d)", name, size);
        return;
    }
    const struct gl_image_shape shape = {internal, drv, width, height, depth};
    const struct drv_box whole = {0, 0, 0, width, height, depth};
    if (place->proxy) {
        gl_define_proxy(ctx, index, level, &shape,
                        fits && gl_texture_fits(ctx, index, drv, width, height, depth, 0));
        return;
    }
    struct gl_pixel_mapping m;
    if (gl_texture_is_fixed(t)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", name,
                 t->immutable ? "immutable texture" : "texture with handles");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    struct gl_pixel_layout l;
    if (!block_layout(ctx, &ctx->unpack, drv, &whole, &l, name) ||
        !gl_pixel_map_client(ctx, &ctx->unpack, &l, data, false, -1, name, &m))
        return;
    if (!gl_define_image(ctx, t, place->face, level, &shape))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    else if (m.pointer)
        transfer_blocks(ctx, place, level, &whole, &l, m.pointer, true, name);
    gl_pixel_unmap_client(ctx, &m);
    gl_texture_changed(ctx, t);
}

void gl_compressed_sub_image(struct gl_context *ctx, const struct gl_image_target *place,
                             GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                             GLsizei depth, GLenum format, GLsizei size, const void *data,
                             const char *name)
{
    const struct drv_box part = {x, y, z, width, height, depth};
    /* Generic compressed formats are no formats of images (GL 4.6 §8.7). Other formats that are not
     * the image's raise GL_INVALID_OPERATION, compressed or not. */
    if (!gl_format_is_compressed(ctx, format)) {
        bool generic = gl_is_desktop(ctx) && gl_format_is_generic(format);
        gl_error(ctx, generic ? GL_INVALID_ENUM : GL_INVALID_OPERATION, "%s(format=%s)", name,
                 gl_enum_name(format));
        return;
    }
    const struct gl_image *image = gl_sub_image_check(ctx, place, level, &part, name);
    if (!image)
        return;
    const struct drv_format_desc *d = drv_format_desc(image->format);
    bool whole_x = width % d->block_width == 0 || x + width == image->width;
    bool whole_y = height % d->block_height == 0 || y + height == image->height;
    /* With OES_compressed_ETC1_RGB8_texture alone, parts of images can't be replaced. */
    bool parts = format != GL_ETC1_RGB8_OES || ctx->ext.EXT_compressed_ETC1_RGB8_sub_texture;
    if ((GLenum)image->internal != format || !util_format_is_compressed(image->format) || !parts ||
        x % d->block_width || y % d->block_height || !whole_x || !whole_y) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(format or alignment)", name);
        return;
    }
    if (size < 0 || (uint64_t)size != compressed_bytes(image->format, width, height, depth)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(imageSize=%d)", name, size);
        return;
    }
    struct gl_pixel_mapping m;
    struct gl_pixel_layout l;
    FLUSH_VERTICES(ctx, 0);
    if (!block_layout(ctx, &ctx->unpack, image->format, &part, &l, name) ||
        !gl_pixel_map_client(ctx, &ctx->unpack, &l, data, false, -1, name, &m))
        return;
    if (m.pointer)
        transfer_blocks(ctx, place, level, &part, &l, m.pointer, true, name);
    gl_pixel_unmap_client(ctx, &m);
}

/* ---------------------------------------------------------------------------------- reading --- */

/* Returns the image that a query refers to. NULL: an error was raised. */
static struct gl_image *query_image(struct gl_context *ctx, const struct gl_image_target *place,
                                    GLint level, const char *name)
{
    if (level < 0 || (unsigned)level >= gl_texture_max_levels(ctx, place->index)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", name, level);
        return NULL;
    }
    return gl_image_target_is_complete(ctx, place, level, name)
               ? gl_image_target_image(place, level, 0)
               : NULL;
}

static bool get_format_ok(const struct gl_image *image, GLenum format)
{
    if (format == GL_COLOR_INDEX || format == GL_STENCIL_INDEX)
        return format == GL_STENCIL_INDEX && gl_base_is_stencil(image->base);
    if (format == GL_DEPTH_STENCIL)
        return image->base == GL_DEPTH_STENCIL;
    if (format == GL_DEPTH_COMPONENT)
        return gl_base_is_depth(image->base);
    return gl_base_is_color(image->base) &&
           util_format_is_pure_integer(image->format) == gl_pixel_format_is_integer(format);
}

/* Returns whether the box lies inside the image (GL 4.6 §8.11.4), and in dimensions that the target
 * lacks, has offset 0 and size 1. False: an error was raised. */
static bool part_ok(struct gl_context *ctx, const struct gl_image_target *place,
                    const struct gl_image *image, const struct drv_box *p, const char *name)
{
    const bool line = place->index == GL_TEXTURE_INDEX_1D;
    const bool flat = line || place->index == GL_TEXTURE_INDEX_1D_ARRAY ||
                      place->index == GL_TEXTURE_INDEX_2D || place->index == GL_TEXTURE_INDEX_RECT;
    if (gl_image_target_contains(place, image, p) && (!line || (p->y == 0 && p->height == 1)) &&
        (!flat || (p->z == 0 && p->depth == 1)))
        return true;
    const struct drv_box whole = gl_image_target_whole_box(place, image);
    gl_error(ctx, GL_INVALID_VALUE, "%s(%d, %d, %d; %d × %d × %d of %d × %d × %d)", name, (int)p->x,
             p->y, p->z, (int)p->width, p->height, p->depth, (int)whole.width, whole.height,
             whole.depth);
    return false;
}

static void get_pixels(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       const struct drv_box *p, GLenum format, GLenum type, GLsizeiptr size,
                       void *pixels, const char *name)
{
    enum gl_texture_index index = place->texture->index;
    struct gl_image *image = gl_image_target_image(place, level, 0);
    GLenum error = gl_pixel_format_error(ctx, format, type);
    if (error || format == GL_COLOR_INDEX) {
        gl_error(ctx, error ? error : GL_INVALID_ENUM, "%s(format=%s, type=%s)", name,
                 gl_enum_name(format), gl_enum_name(type));
        return;
    }
    if (!image->resource)
        return;
    if (!get_format_ok(image, format)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(format=%s)", name, gl_enum_name(format));
        return;
    }
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    unsigned dims = index == GL_TEXTURE_INDEX_1D ? 1
                    : index == GL_TEXTURE_INDEX_3D || index == GL_TEXTURE_INDEX_2D_ARRAY ||
                            index == GL_TEXTURE_INDEX_CUBE_ARRAY || place->all_faces
                        ? 3
                        : 2;
    gl_pixel_layout(&ctx->pack, dims, p->width, p->height, p->depth, format, type, &l);
    FLUSH_VERTICES(ctx, 0);
    if (!gl_pixel_map_client(ctx, &ctx->pack, &l, pixels, true, size, name, &m) || !m.pointer)
        return;
    /* No pixel transfer operations (GL 4.6 §8.11.4). */
    const struct gl_pixel_spec form = {&ctx->pack, format, type, 0};
    bool ok = p->width && p->height && p->depth;
    for (unsigned i = 0; ok && i < gl_image_target_num_steps(place, p); i++) {
        const struct drv_box box = gl_image_target_step(place, level, p, i, &image);
        const struct gl_texels texels = gl_image_target_texels(place, image, &box);
        if (gl_has_mirror(image->resource))
            gl_mirror_read(ctx, image->resource);
        ok = gl_pixels_download(ctx, &texels, &form, &l, m.pointer + i * l.image_stride);
        if (!ok)
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    }
    gl_pixel_unmap_client(ctx, &m);
}

void gl_get_tex_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                      GLenum format, GLenum type, GLsizeiptr size, void *pixels, const char *name)
{
    const struct gl_image *image = query_image(ctx, place, level, name);
    if (!image)
        return;
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(bufSize=%td)", name, size);
        return;
    }
    const struct drv_box all = gl_image_target_whole_box(place, image);
    get_pixels(ctx, place, level, &all, format, type, size, pixels, name);
}

void gl_get_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                          GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth,
                          GLenum format, GLenum type, GLsizeiptr size, void *pixels,
                          const char *name)
{
    const struct drv_box part = {x, y, z, width, height, depth};
    const struct gl_image *image = query_image(ctx, place, level, name);
    if (!image)
        return;
    if (size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "%s(bufSize=%td)", name, size);
    else if (part_ok(ctx, place, image, &part, name))
        get_pixels(ctx, place, level, &part, format, type, size, pixels, name);
}

static void get_blocks(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       const struct drv_box *p, GLsizeiptr size, void *data, const char *name)
{
    const struct gl_image *image = gl_image_target_image(place, level, 0);
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    if (!block_layout(ctx, &ctx->pack, image->format, p, &l, name) ||
        !gl_pixel_map_client(ctx, &ctx->pack, &l, data, true, size, name, &m) || !m.pointer)
        return;
    if (l.size)
        transfer_blocks(ctx, place, level, p, &l, m.pointer, false, name);
    gl_pixel_unmap_client(ctx, &m);
}

/* Returns the compressed image that a query refers to. NULL: an error was raised. */
static const struct gl_image *query_blocks(struct gl_context *ctx,
                                           const struct gl_image_target *place, GLint level,
                                           const char *name)
{
    const struct gl_image *image = query_image(ctx, place, level, name);
    if (!image || (is_compressed(image) && image->resource))
        return image;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(not compressed)", name);
    return NULL;
}

void gl_get_compressed_image(struct gl_context *ctx, const struct gl_image_target *place,
                             GLint level, GLsizeiptr size, void *data, const char *name)
{
    const struct gl_image *image = query_blocks(ctx, place, level, name);
    if (!image)
        return;
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(bufSize=%td)", name, size);
        return;
    }
    const struct drv_box all = gl_image_target_whole_box(place, image);
    get_blocks(ctx, place, level, &all, size, data, name);
}

void gl_get_compressed_sub_image(struct gl_context *ctx, const struct gl_image_target *place,
                                 GLint level, GLint x, GLint y, GLint z, GLsizei width,
                                 GLsizei height, GLsizei depth, GLsizeiptr size, void *pixels,
                                 const char *name)
{
    const struct drv_box part = {x, y, z, width, height, depth};
    const struct gl_image *image = query_blocks(ctx, place, level, name);
    if (!image || !part_ok(ctx, place, image, &part, name))
        return;
    const struct drv_format_desc *d = drv_format_desc(image->format);
    if (size < 0 || x % d->block_width || y % d->block_height ||
        (width % d->block_width && x + width != image->width) ||
        (height % d->block_height && y + height != image->height))
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d, %d; %d × %d: no whole blocks; bufSize=%td)", name,
                 x, y, width, height, size);
    else
        get_blocks(ctx, place, level, &part, size, pixels, name);
}

/* Returns a level parameter; -1 if pname is unknown. */
static GLint level_parameter(struct gl_context *ctx, const struct gl_image *image, GLenum pname,
                             const char *name)
{
    bool compressed = is_compressed(image);
    switch (pname) {
    case GL_TEXTURE_WIDTH:
        return image->width;
    case GL_TEXTURE_HEIGHT:
        return image->height;
    case GL_TEXTURE_DEPTH:
        return image->depth;
    case GL_TEXTURE_INTERNAL_FORMAT:
        if (gl_format_is_generic(image->internal))
            return image->base;
        return image->internal ? image->internal : gl_is_compat(ctx) ? 1 : GL_RGBA;
    case GL_TEXTURE_BORDER: /* removed with borders (GL 3.2 core, appendix E.2.2) */
        return gl_is_compat(ctx) ? 0 : -1;
    case GL_TEXTURE_SAMPLES:
        return image->samples;
    case GL_TEXTURE_FIXED_SAMPLE_LOCATIONS:
        return image->samples ? image->fixed_samples : GL_TRUE;
    case GL_TEXTURE_RED_SIZE:
        return image->internal ? gl_format_bits(image->base, image->format, 0) : 0;
    case GL_TEXTURE_GREEN_SIZE:
        return image->internal ? gl_format_bits(image->base, image->format, 1) : 0;
    case GL_TEXTURE_BLUE_SIZE:
        return image->internal ? gl_format_bits(image->base, image->format, 2) : 0;
    case GL_TEXTURE_ALPHA_SIZE:
        return image->internal ? gl_format_bits(image->base, image->format, 3) : 0;
    case GL_TEXTURE_LUMINANCE_SIZE:
        if (!gl_is_compat(ctx))
            return -1;
        return image->internal ? gl_format_bits(image->base, image->format, 4) : 0;
    case GL_TEXTURE_INTENSITY_SIZE:
        if (!gl_is_compat(ctx))
            return -1;
        return image->internal ? gl_format_bits(image->base, image->format, 5) : 0;
    case GL_TEXTURE_DEPTH_SIZE:
        return image->internal ? gl_format_bits(image->base, image->format, 6) : 0;
    case GL_TEXTURE_STENCIL_SIZE:
        return image->internal ? gl_format_bits(image->base, image->format, 7) : 0;
    case GL_TEXTURE_SHARED_SIZE:
        return image->format == DRV_FORMAT_R9G9B9E5_FLOAT ? 5 : 0;
    case GL_TEXTURE_RED_TYPE:
    case GL_TEXTURE_GREEN_TYPE:
    case GL_TEXTURE_BLUE_TYPE:
    case GL_TEXTURE_ALPHA_TYPE:
    case GL_TEXTURE_LUMINANCE_TYPE_ARB:
    case GL_TEXTURE_INTENSITY_TYPE_ARB:
        if (pname > GL_TEXTURE_ALPHA_TYPE && !gl_is_compat(ctx))
            return -1;
        return image->internal ? gl_format_component_type(image->base, image->format,
                                                          pname - GL_TEXTURE_RED_TYPE)
                               : GL_NONE;
    case GL_TEXTURE_DEPTH_TYPE:
        return image->internal ? gl_format_component_type(image->base, image->format, 6) : GL_NONE;
    /* queried from a texture that is not a buffer texture (table 23.23) */
    case GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
    case GL_TEXTURE_BUFFER_OFFSET:
    case GL_TEXTURE_BUFFER_SIZE:
        return gl_enum_available(ctx, pname) ? 0 : -1;
    case GL_TEXTURE_COMPRESSED:
        return compressed;
    case GL_TEXTURE_COMPRESSED_IMAGE_SIZE:
        if (compressed)
            return compressed_bytes(image->format, image->width, image->height, image->depth);
        gl_error(ctx, GL_INVALID_OPERATION, "%s(not compressed)", name);
        return -2;
    default:
        return -1;
    }
}

static bool get_level_parameter(struct gl_context *ctx, const struct gl_image_target *place,
                                GLint level, GLenum pname, GLint *value, const char *name)
{
    struct gl_image *image = query_image(ctx, place, level, name), texels;
    *value = -1;
    if (image && place->index == GL_TEXTURE_INDEX_BUFFER) {
        texels = gl_texture_buffer_image(ctx, place->texture);
        image = &texels;
        *value = gl_texture_buffer_parameter(place->texture, pname);
    }
    if (!image)
        return false;
    if (*value == -1)
        *value = level_parameter(ctx, image, pname, name);
    if (*value == -1)
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
    return *value >= 0;
}

void gl_get_level_iv(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                     GLenum pname, GLint *params, const char *name)
{
    GLint v;
    if (get_level_parameter(ctx, place, level, pname, &v, name))
        *params = v;
}

void gl_get_level_fv(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                     GLenum pname, GLfloat *params, const char *name)
{
    GLint v;
    if (get_level_parameter(ctx, place, level, pname, &v, name))
        *params = v;
}
