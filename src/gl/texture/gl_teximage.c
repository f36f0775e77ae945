/* SPDX-License-Identifier: MIT */
/* Texture images from client memory (GL 4.6 compatibility §8.5 to §8.7). */
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_texture.h"
#include "util/format.h"

/* ----------------------------------------------------------------------------------- checks --- */

bool gl_is_proxy(GLenum target)
{
    switch (target) {
    case GL_PROXY_TEXTURE_1D:
    case GL_PROXY_TEXTURE_2D:
    case GL_PROXY_TEXTURE_3D:
    case GL_PROXY_TEXTURE_CUBE_MAP:
    case GL_PROXY_TEXTURE_RECTANGLE:
    case GL_PROXY_TEXTURE_1D_ARRAY:
    case GL_PROXY_TEXTURE_2D_ARRAY:
    case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY:
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE:
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY:
        return true;
    default:
        return false;
    }
}

/* Returns the dimensions of the images of a target. */
static unsigned dims_of(enum gl_texture_index index)
{
    static const uint8_t dims[GL_TEXTURE_INDEX_COUNT] = {1, 2, 2, 3, 2, 2, 3, 3, 0, 0, 2, 3};
    return dims[index];
}

static bool rules_allow(enum gl_texture_index index, unsigned rules)
{
    if (index == GL_TEXTURE_INDEX_BUFFER)
        return rules & (GL_PLACE_BUFFER | GL_PLACE_ONLY_BUFFER);
    if (gl_texture_is_multisampled(index))
        return rules & (GL_PLACE_SAMPLES | GL_PLACE_ONLY_SAMPLES);
    return !(rules & (GL_PLACE_ONLY_BUFFER | GL_PLACE_ONLY_SAMPLES)) &&
           !(rules & GL_PLACE_NO_RECT &&
             (index == GL_TEXTURE_INDEX_RECT || index == GL_TEXTURE_INDEX_EXTERNAL));
}

bool gl_resolve_target(struct gl_context *ctx, GLenum target, unsigned dims, unsigned rules,
                       const char *call, struct gl_image_target *place)
{
    bool buffer = target == GL_TEXTURE_BUFFER && ctx->ext.ARB_texture_buffer_object;
    int index = buffer ? GL_TEXTURE_INDEX_BUFFER : gl_texture_target_index(ctx, target);
    bool face =
        target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z;
    bool proxy = gl_is_proxy(target), whole = target == GL_TEXTURE_CUBE_MAP;
    if (index < 0 || (dims && dims_of(index) != dims) || !rules_allow(index, rules) ||
        (rules & GL_PLACE_WHOLE ? face : whole) ||
        (proxy && (!(rules & GL_PLACE_PROXY) || gl_is_es(ctx)))) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return false;
    }
    *place = (struct gl_image_target){.index = index, .face = gl_face_of(target), .proxy = proxy};
    return true;
}

bool gl_named_image(struct gl_context *ctx, GLuint name, unsigned dims, unsigned rules,
                    const char *call, struct gl_image_target *place)
{
    struct gl_texture *t = gl_texture_lookup(ctx, name);
    if (!t || !t->target) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no texture %u)", call, name);
        return false;
    }
    bool faces = t->index == GL_TEXTURE_INDEX_CUBE && rules & GL_PLACE_FACES;
    if ((dims && (faces ? 3 : dims_of(t->index)) != dims) || !rules_allow(t->index, rules)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u has target %s)", call, name,
                 gl_enum_name(t->target));
        return false;
    }
    *place = (struct gl_image_target){.texture = t, .index = t->index, .all_faces = faces};
    return true;
}

struct gl_texture *gl_named_texture(struct gl_context *ctx, GLuint name, unsigned rules,
                                    const char *call)
{
    struct gl_image_target place;
    return gl_named_image(ctx, name, 0, rules, call, &place) ? place.texture : NULL;
}

bool gl_bound_image(struct gl_context *ctx, unsigned unit, GLenum target, unsigned dims,
                    unsigned rules, const char *call, struct gl_image_target *place)
{
    if (unit >= gl_texture_unit_limit(ctx)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(texunit=%s)", call, gl_enum_name(unit + GL_TEXTURE0));
        return false;
    }
    if (!gl_resolve_target(ctx, target, dims, rules, call, place))
        return false;
    place->texture = place->proxy ? ctx->texture.proxy[place->index]
                                  : ctx->texture.unit[unit].bound[place->index];
    return true;
}

struct gl_texture *gl_bound_texture(struct gl_context *ctx, unsigned unit, GLenum target,
                                    unsigned rules, const char *call)
{
    struct gl_image_target place;
    return gl_bound_image(ctx, unit, target, 0, rules | GL_PLACE_WHOLE, call, &place)
               ? place.texture
               : NULL;
}

bool gl_bindable_image(struct gl_context *ctx, GLuint name, GLenum target, unsigned dims,
                       unsigned rules, const char *call, struct gl_image_target *place)
{
    if (!gl_resolve_target(ctx, target, dims, rules, call, place))
        return false;
    if (place->proxy && name) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u is no proxy)", call, name);
        return false;
    }
    place->texture = place->proxy ? ctx->texture.proxy[place->index]
                                  : gl_texture_use(ctx, name, place->index, call);
    return place->texture;
}

struct gl_texture *gl_get_or_create_texture(struct gl_context *ctx, GLuint name, GLenum target,
                                            unsigned rules, const char *call)
{
    struct gl_image_target place;
    return gl_bindable_image(ctx, name, target, 0, rules | GL_PLACE_WHOLE, call, &place)
               ? place.texture
               : NULL;
}

static GLint max_size(const struct gl_context *ctx, enum gl_texture_index index)
{
    const struct gl_constants *k = &ctx->consts;
    return index == GL_TEXTURE_INDEX_3D ? k->max_3d_texture_size
           : index == GL_TEXTURE_INDEX_CUBE || index == GL_TEXTURE_INDEX_CUBE_ARRAY
               ? k->max_cube_texture_size
           : index == GL_TEXTURE_INDEX_RECT ? k->max_rect_texture_size
                                            : k->max_texture_size;
}

bool gl_image_size_ok(const struct gl_context *ctx, enum gl_texture_index index, GLint level,
                      GLsizei width, GLsizei height, GLsizei depth, GLint border)
{
    GLint max = (max_size(ctx, index) >> level) + 2 * border;
    GLint layers = ctx->consts.max_array_texture_layers;
    if (width < 2 * border || height < 0 || depth < 0 || width > max)
        return false;
    if (index == GL_TEXTURE_INDEX_1D_ARRAY)
        return height <= layers;
    if (index != GL_TEXTURE_INDEX_1D && (height > max || height < 2 * border))
        return false;
    if (index == GL_TEXTURE_INDEX_3D)
        return depth <= max && depth >= 2 * border;
    bool array = index == GL_TEXTURE_INDEX_2D_ARRAY || index == GL_TEXTURE_INDEX_2D_MS_ARRAY ||
                 index == GL_TEXTURE_INDEX_CUBE_ARRAY;
    return !array || depth <= layers;
}

/* Returns whether the pixel format matches the internal format (GL 4.6 §8.5). */
static bool formats_agree(const struct gl_context *ctx, GLint internal, GLenum base, GLenum format)
{
    if (gl_base_is_depth(base) != (format == GL_DEPTH_COMPONENT || format == GL_DEPTH_STENCIL))
        return false;
    if (gl_is_es(ctx) && gl_base_is_depth(base) && format != base)
        return false;
    if ((base == GL_STENCIL_INDEX) != (format == GL_STENCIL_INDEX))
        return false;
    if (format == GL_STENCIL_INDEX)
        return true;
    return gl_format_is_integer(ctx, internal) == gl_pixel_format_is_integer(format);
}

bool gl_can_texture(const struct gl_context *ctx, GLenum base)
{
    if (gl_base_is_depth(base))
        return gl_is_desktop(ctx) || ctx->consts.version >= 30 || ctx->ext.OES_depth_texture;
    if (base == GL_STENCIL_INDEX)
        return ctx->ext.ARB_texture_stencil8;
    return base;
}

/* ETC formats accept only compressed data (OES_compressed_ETC1_RGB8_texture, OpenGL ES 3.2
 * §8.5). */
GLenum gl_image_base_format(const struct gl_context *ctx, GLint internal)
{
    bool etc = internal == GL_ETC1_RGB8_OES || (internal >= GL_COMPRESSED_R11_EAC &&
                                                internal <= GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC);
    return etc ? 0 : gl_base_format(ctx, internal);
}

bool gl_cube_shape_ok(enum gl_texture_index index, GLsizei width, GLsizei height, GLsizei depth)
{
    bool cubes = index == GL_TEXTURE_INDEX_CUBE_ARRAY;
    return (index != GL_TEXTURE_INDEX_CUBE && !cubes) ||
           (width == height && (!cubes || depth % 6 == 0));
}

bool gl_image_check(struct gl_context *ctx, enum gl_texture_index index, GLint level, GLint border,
                    GLsizei width, GLsizei height, GLsizei depth, const char *name)
{
    if (level < 0 || (unsigned)level >= gl_texture_max_levels(ctx, index)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", name, level);
        return false;
    }
    bool borders = gl_is_compat(ctx) && index != GL_TEXTURE_INDEX_RECT;
    if (border != 0 && !(border == 1 && borders)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(border=%d)", name, border);
        return false;
    }
    if (width < 0 || height < 0 || depth < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d × %d)", name, width, height, depth);
        return false;
    }
    if (!gl_cube_shape_ok(index, width, height, depth)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(cube faces %d × %d × %d)", name, width, height, depth);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------- image definition --- */

/* Sets everything except the storage. */
static void shape_image(const struct gl_context *ctx, struct gl_image *image,
                        const struct gl_image_shape *s)
{
    image->internal = s->internal;
    image->base = s->format == DRV_FORMAT_YCBCR ? GL_RGB : gl_base_format(ctx, s->internal);
    image->format = s->format;
    image->width = s->width;
    image->height = s->height;
    image->depth = s->depth;
}

struct gl_image *gl_define_image(struct gl_context *ctx, struct gl_texture *t, unsigned face,
                                 GLint level, const struct gl_image_shape *shape)
{
    struct gl_image *image = &t->image[face][level];
    gl_image_clear(image);
    gl_texture_detach_egl_image(t);
    drv_resource_reference(&t->window_image, NULL);
    shape_image(ctx, image, shape);
    return gl_image_alloc(ctx, t, face, level) ? image : NULL;
}

void gl_define_proxy(struct gl_context *ctx, enum gl_texture_index index, GLint level,
                     const struct gl_image_shape *shape, bool ok)
{
    struct gl_image *image = &ctx->texture.proxy[index]->image[0][level];
    gl_image_clear(image);
    if (ok)
        shape_image(ctx, image, shape);
}

void gl_image_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, GLint level)
{
    if (t->generate_mipmap && level == t->base_level && gl_texture_may_generate(t))
        gl_texture_generate_mipmap(ctx, t);
}

unsigned gl_image_border_dims(enum gl_texture_index index)
{
    bool one = index == GL_TEXTURE_INDEX_1D || index == GL_TEXTURE_INDEX_1D_ARRAY;
    return one ? 1 : index == GL_TEXTURE_INDEX_3D ? 3 : 2;
}

/* Returns the bytes to skip for the border, which is not stored. dims: number of dimensions with a
 * border. */
static uint64_t border_bytes(const struct gl_pixel_layout *l, unsigned dims)
{
    return l->pixel_bytes + (dims > 1 ? l->row_stride : 0) + (dims > 2 ? l->image_stride : 0);
}

/* Uploads client pixels to a box of a texture image; l is the layout of the box. */
static void upload(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                   const struct drv_box *part, const struct gl_pixel_spec *form,
                   const struct gl_pixel_layout *l, const uint8_t *src, const char *name)
{
    if (!part->width || !part->height || !part->depth)
        return;
    for (unsigned i = 0; i < gl_image_target_num_steps(place, part); i++) {
        struct gl_image *image;
        const struct drv_box box = gl_image_target_step(place, level, part, i, &image);
        const struct gl_texels texels = gl_image_target_texels(place, image, &box);
        if (gl_has_mirror(image->resource))
            gl_mirror_draw(ctx, image->resource);
        if (!gl_pixels_upload(ctx, &texels, form, l, src + i * l->image_stride))
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    }
}

static bool can_compress(enum gl_texture_index index, GLint internal, enum drv_format format)
{
    return util_format_can_compress(format) && gl_compressed_fits_target(index, internal);
}

bool gl_image_can_change(const struct gl_image *image, const struct drv_box *part)
{
    const struct drv_format_desc *d = drv_format_desc(image->format);
    if (!util_format_is_compressed(image->format))
        return true;
    return util_format_can_compress(image->format) && part->x % d->block_width == 0 &&
           part->y % d->block_height == 0 &&
           (part->width % d->block_width == 0 || part->x + part->width == image->width) &&
           (part->height % d->block_height == 0 || part->y + part->height == image->height);
}

/* Returns a sized uncompressed format with the components of a compressed one. */
static GLint uncompressed_partner(GLenum base, enum drv_format format)
{
    bool srgb = util_format_is_srgb(format);
    switch (base) {
    case GL_RGB:
        return util_format_is_float(format) ? GL_RGB16F : srgb ? GL_SRGB8 : GL_RGB8;
    case GL_RED:
        return util_format_is_snorm(format) ? GL_R8_SNORM : GL_R8;
    case GL_RG:
        return util_format_is_snorm(format) ? GL_RG8_SNORM : GL_RG8;
    case GL_LUMINANCE:
        return GL_LUMINANCE8;
    case GL_LUMINANCE_ALPHA:
        return GL_LUMINANCE8_ALPHA8;
    default:
        return srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8;
    }
}

enum drv_format gl_image_format(struct gl_context *ctx, enum gl_texture_index index, GLint internal,
                                GLenum base, GLenum format, GLenum type)
{
    enum drv_target target = gl_texture_drv_target(index);
    enum drv_format f =
        gl_choose_format(ctx, internal, format, type, target, 0, DRV_BIND_SAMPLER_VIEW);
    if (!gl_format_is_compressed(ctx, internal) || can_compress(index, internal, f))
        return f;
    return gl_choose_format(ctx, uncompressed_partner(base, f), 0, 0, target, 0,
                            DRV_BIND_SAMPLER_VIEW);
}

/* Returns the format with the layout of client pixels in `format`. EXT_sRGB adds names for pixels
 * with sRGB components. */
static GLenum plain_format(const struct gl_context *ctx, GLenum format)
{
    if (gl_is_es(ctx) && ctx->ext.EXT_sRGB)
        return format == GL_SRGB ? GL_RGB : format == GL_SRGB_ALPHA ? GL_RGBA : format;
    return format;
}

/* Checks the format and type of the pixels for a target (GL 4.6 §8.5). base: base format of the
 * internal format. False: an error was raised. */
static bool image_formats_ok(struct gl_context *ctx, enum gl_texture_index index, GLint internal,
                             GLenum base, GLenum format, GLenum type, const char *name)
{
    /* ES makes no compressed image from pixels that it has no encoder for (ES 3.2 §8.5). */
    if (!gl_can_texture(ctx, base) || (gl_is_es(ctx) && gl_format_is_astc(internal))) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return false;
    }
    const GLenum plain = plain_format(ctx, format);
    GLenum error = gl_pixel_format_error(ctx, plain, type);
    if (error) {
        gl_error(ctx, error, "%s(format=%s, type=%s)", name, gl_enum_name(format),
                 gl_enum_name(type));
        return false;
    }
    if (!formats_agree(ctx, internal, base, plain) ||
        (gl_is_es(ctx) && !gl_es_pixels_match(ctx, internal, format, type))) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(internalformat=%s, format=%s)", name,
                 gl_enum_name(internal), gl_enum_name(format));
        return false;
    }
    if (gl_format_is_astc(internal)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(ASTC is not made from pixels)", name);
        return false;
    }
    if (!gl_base_is_color(base) && index == GL_TEXTURE_INDEX_3D) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(depth or stencil texture of that target)", name);
        return false;
    }
    if (gl_format_is_compressed(ctx, internal) &&
        (index == GL_TEXTURE_INDEX_RECT || index == GL_TEXTURE_INDEX_1D)) {
        gl_error(ctx, index == GL_TEXTURE_INDEX_1D ? GL_INVALID_OPERATION : GL_INVALID_ENUM,
                 "%s(compressed format for that target)", name);
        return false;
    }
    const GLenum class = gl_view_class(internal);
    if (index == GL_TEXTURE_INDEX_3D &&
        (class == GL_VIEW_CLASS_RGTC1_RED || class == GL_VIEW_CLASS_RGTC2_RG)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(RGTC for that target)", name); /* GL 4.6 §8.5 */
        return false;
    }
    return true;
}

void gl_tex_image(struct gl_context *ctx, const struct gl_image_target *place, unsigned dims,
                  GLint level, GLint internal, GLsizei width, GLsizei height, GLsizei depth,
                  GLint border, GLenum format, GLenum type, const void *pixels, const char *name)
{
    struct gl_texture *t = place->texture;
    enum gl_texture_index index = place->index;
    if (!gl_image_check(ctx, index, level, border, width, height, depth, name) ||
        gl_ycbcr_image(ctx, place, level, internal, width, height, border, format, type, pixels,
                       name))
        return;
    GLenum base = gl_image_base_format(ctx, internal);
    if (!image_formats_ok(ctx, index, internal, base, format, type, name))
        return;
    format = plain_format(ctx, format);
    bool ok = gl_image_size_ok(ctx, index, level, width, height, depth, border);
    const struct gl_image_shape s = {
        .internal = internal,
        .format = gl_image_format(ctx, index, internal, base, t->stores_rgba ? 0 : format, type),
        .width = width - 2 * border,
        .height = gl_image_border_dims(index) > 1 ? height - 2 * border : height,
        .depth = gl_image_border_dims(index) > 2 ? depth - 2 * border : depth,
    };
    if (place->proxy) {
        gl_define_proxy(ctx, index, level, &s,
                        ok && gl_texture_fits(ctx, index, s.format, s.width, s.height, s.depth, 0));
        return;
    }
    if (!ok) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d × %d)", name, width, height, depth);
        return;
    }
    if (gl_texture_is_fixed(t) || s.format == DRV_FORMAT_NONE) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", name,
                 t->immutable     ? "immutable texture"
                 : t->num_handles ? "texture with handles"
                                  : "format is not supported");
        return;
    }
    const struct gl_pixel_spec form = {&ctx->unpack, format, type, gl_pixel_transfer_ops(ctx)};
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    gl_pixel_layout(&ctx->unpack, dims, width, height, depth, format, type, &l);
    l.skip += border ? border_bytes(&l, gl_image_border_dims(index)) : 0;
    FLUSH_VERTICES(ctx, 0);
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, pixels, false, -1, name, &m))
        return;
    const struct gl_image *image = gl_define_image(ctx, t, place->face, level, &s);
    if (!image) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    } else if (m.pointer) {
        const struct drv_box whole = gl_image_whole(image);
        upload(ctx, place, level, &whole, &form, &l, m.pointer, name);
    }
    gl_pixel_unmap_client(ctx, &m);
    gl_texture_changed(ctx, t);
    gl_image_generate_mipmap(ctx, t, level);
}

/* -------------------------------------------------------------------------------- subimages --- */

struct gl_image *gl_image_target_image(const struct gl_image_target *place, GLint level, GLint z)
{
    unsigned face = place->all_faces ? MIN2(z, 5) : place->face;
    return &place->texture->image[face][level];
}

bool gl_image_target_is_complete(struct gl_context *ctx, const struct gl_image_target *place,
                                 GLint level, const char *name)
{
    const struct gl_image *first = gl_image_target_image(place, level, 0);
    for (unsigned f = 1; place->all_faces && f < 6; f++) {
        const struct gl_image *image = gl_image_target_image(place, level, f);
        if (!image->internal || image->internal != first->internal ||
            image->width != first->width || image->height != first->height) {
            gl_error(ctx, GL_INVALID_OPERATION, "%s(not cube complete)", name);
            return false;
        }
    }
    return true;
}

struct drv_box gl_image_target_whole_box(const struct gl_image_target *place,
                                         const struct gl_image *image)
{
    struct drv_box whole = gl_image_whole(image);
    if (place->all_faces)
        whole.depth = 6;
    return whole;
}

bool gl_image_target_contains(const struct gl_image_target *place, const struct gl_image *image,
                              const struct drv_box *part)
{
    const struct drv_box whole = gl_image_target_whole_box(place, image);
    return part->x >= 0 && part->y >= 0 && part->z >= 0 && part->width >= 0 && part->height >= 0 &&
           part->depth >= 0 && (int64_t)part->x + part->width <= whole.width &&
           (int64_t)part->y + part->height <= whole.height &&
           (int64_t)part->z + part->depth <= whole.depth;
}

unsigned gl_image_target_num_steps(const struct gl_image_target *place, const struct drv_box *part)
{
    return place->all_faces ? part->depth : 1;
}

struct drv_box gl_image_target_step(const struct gl_image_target *place, GLint level,
                                    const struct drv_box *part, unsigned i, struct gl_image **image)
{
    struct drv_box step = *part;
    *image = gl_image_target_image(place, level, part->z + (GLint)i);
    if (place->all_faces) {
        step.z = 0;
        step.depth = 1;
    }
    return gl_image_box(place->texture, *image, &step);
}

struct gl_texels gl_image_target_texels(const struct gl_image_target *place,
                                        const struct gl_image *image, const struct drv_box *box)
{
    return (struct gl_texels){
        .resource = image->resource,
        .format = image->format,
        .level = image->level,
        .box = *box,
        .base = image->base,
        .rows_are_layers = place->index == GL_TEXTURE_INDEX_1D_ARRAY,
    };
}

struct gl_image *gl_sub_image_check(struct gl_context *ctx, const struct gl_image_target *place,
                                    GLint level, const struct drv_box *part, const char *name)
{
    if (level < 0 || (unsigned)level >= gl_texture_max_levels(ctx, place->index)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", name, level);
        return NULL;
    }
    struct gl_image *image = gl_image_target_image(place, level, 0);
    if (part->width < 0 || part->height < 0 || part->depth < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d × %d)", name, (int)part->width, part->height,
                 part->depth);
        return NULL;
    }
    if (!image->internal) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no image)", name);
        return NULL;
    }
    if (!gl_image_target_is_complete(ctx, place, level, name))
        return NULL;
    if (!gl_image_target_contains(place, image, part)) {
        const struct drv_box whole = gl_image_target_whole_box(place, image);
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d, %d, %d; %d × %d × %d of %d × %d × %d)", name,
                 (int)part->x, part->y, part->z, (int)part->width, part->height, part->depth,
                 (int)whole.width, whole.height, whole.depth);
        return NULL;
    }
    return image;
}

void gl_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, unsigned dims,
                      GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                      GLsizei depth, GLenum format, GLenum type, const void *pixels,
                      const char *name)
{
    const struct drv_box part = {x, y, z, width, height, depth};
    if (gl_ycbcr_sub_image(ctx, place, level, &part, format, type, pixels, name))
        return;
    const GLenum plain = plain_format(ctx, format);
    GLenum error = gl_pixel_format_error(ctx, plain, type);
    if (error) {
        gl_error(ctx, error, "%s(format=%s, type=%s)", name, gl_enum_name(format),
                 gl_enum_name(type));
        return;
    }
    struct gl_image *image = gl_sub_image_check(ctx, place, level, &part, name);
    if (!image)
        return;
    /* In ES, formats without an encoder are no internal formats of glTexImage, and the constraints
     * are the same (ES 3.2 §8.6). */
    if (gl_is_es(ctx) && util_format_is_compressed(image->format) &&
        !util_format_can_compress(image->format)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(image with format %s)", name,
                 gl_enum_name(image->internal));
        return;
    }
    const bool stored = place->texture->immutable && ctx->ext.EXT_texture_storage &&
                        gl_es_storage_pixels_match(image->internal, format, type);
    if (!formats_agree(ctx, image->internal, image->base, plain) ||
        (gl_is_es(ctx) && !stored && !gl_es_pixels_match(ctx, image->internal, format, type)) ||
        !gl_image_can_change(image, &part)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(format=%s)", name, gl_enum_name(format));
        return;
    }
    const struct gl_pixel_spec form = {&ctx->unpack, plain, type, gl_pixel_transfer_ops(ctx)};
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    gl_pixel_layout(&ctx->unpack, dims, width, height, depth, plain, type, &l);
    FLUSH_VERTICES(ctx, 0);
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, pixels, false, -1, name, &m))
        return;
    if (m.pointer)
        upload(ctx, place, level, &part, &form, &l, m.pointer, name);
    gl_pixel_unmap_client(ctx, &m);
    gl_image_generate_mipmap(ctx, place->texture, level);
}

/* ---------------------------------------------------------------------------------- mipmaps --- */

/* Returns whether ES can generate mipmaps for the format (ES 3.2 §8.14.4): formats that are both
 * renderable and filterable, unsized formats, RGB with 10 bits (EXT_texture_type_2_10_10_10_REV),
 * and the formats of EXT_sRGB (NV_generate_mipmap_sRGB). */
static bool es_filters_levels(const struct gl_context *ctx, GLint internal, GLenum base,
                              enum drv_format format)
{
    if (internal == GL_SRGB || internal == GL_SRGB_ALPHA)
        return ctx->ext.NV_generate_mipmap_sRGB;
    bool has_size = base == GL_RED || base == GL_RG || base == GL_RGB || base == GL_RGBA;
    bool words = base == GL_RGB && util_format_component_bits(format, 0) == 10;
    return !has_size || words || gl_es_color_renderable(ctx, base, format);
}

bool gl_can_generate_mipmap(const struct gl_context *ctx, GLint internal, GLenum base,
                            enum drv_format format)
{
    return !util_format_is_pure_integer(format) &&
           (!util_format_is_compressed(format) ||
            (gl_is_desktop(ctx) && util_format_can_compress(format))) &&
           !gl_base_is_stencil(base) && (gl_is_desktop(ctx) || !gl_base_is_depth(base)) &&
           (!(gl_is_es(ctx) && ctx->consts.version >= 30) ||
            es_filters_levels(ctx, internal, base, format));
}

void gl_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, const char *name)
{
    if (t->base_level >= DRV_MAX_TEXTURE_LEVELS)
        return;
    const struct gl_image *base = &t->image[0][t->base_level];
    for (unsigned f = 1; f < gl_texture_faces(t->index); f++) {
        const struct gl_image *other = &t->image[f][t->base_level];
        if (other->width != base->width || other->internal != base->internal) {
            gl_error(ctx, GL_INVALID_OPERATION, "%s(not cube complete)", name);
            return;
        }
    }
    if (!base->internal || !gl_can_generate_mipmap(ctx, base->internal, base->base, base->format)) {
        if (base->internal || gl_is_es(ctx))
            gl_error(ctx, GL_INVALID_OPERATION, "%s(base image)", name);
        return;
    }
    if (!gl_texture_may_generate(t)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u has handles)", name, t->name);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_texture_generate_mipmap(ctx, t);
}
