/* SPDX-License-Identifier: MIT */
/* Clearing and invalidating texture images (GL 4.6 §8.21, §8.20). */
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/format.h"

/* Returns the image of a texture name, for commands that work on any target. rules (GL_PLACE_…) may
 * include buffer textures. NULL: an error was raised. */
static struct gl_image *find_image(struct gl_context *ctx, GLuint name, GLint level, unsigned rules,
                                   struct gl_image_target *place, const char *call)
{
    if (!gl_named_image(ctx, name, 0, rules | GL_PLACE_FACES | GL_PLACE_SAMPLES, call, place))
        return NULL;
    if (level < 0 || (unsigned)level >= gl_texture_max_levels(ctx, place->index)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", call, level);
        return NULL;
    }
    return gl_image_target_image(place, level, 0);
}

/* Returns whether pixels of that format and type can fill the image (§8.21). Otherwise raises the
 * error. */
static bool pixels_fit(struct gl_context *ctx, const struct gl_image *image, GLenum format,
                       GLenum type, const char *call)
{
    bool ds = format == GL_DEPTH_STENCIL, depth = format == GL_DEPTH_COMPONENT,
         stencil = format == GL_STENCIL_INDEX;
    GLenum error = gl_pixel_format_error(ctx, format, type);
    bool ok =
        image->base == GL_DEPTH_STENCIL ? ds
        : gl_base_is_depth(image->base) ? depth
        : gl_base_is_stencil(image->base)
            ? stencil
            : !ds && !depth && !stencil &&
                  gl_pixel_format_is_integer(format) == util_format_is_pure_integer(image->format);
    if (!error && (!ok || util_format_is_compressed(image->format) ||
                   gl_format_is_compressed(ctx, image->internal)))
        error = GL_INVALID_OPERATION;
    if (error)
        gl_error(ctx, error, "%s(format=%s, type=%s, image of %s)", call, gl_enum_name(format),
                 gl_enum_name(type), gl_enum_name(image->internal));
    return !error;
}

static void clear(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                  const struct drv_box *part, GLenum format, GLenum type, const void *data,
                  const char *call)
{
    struct gl_image *image = gl_image_target_image(place, level, 0);
    uint8_t texel[32] = {0};
    if (!pixels_fit(ctx, image, format, type, call))
        return;
    FLUSH_VERTICES(ctx, 0);
    if (!part->width || !part->height || !part->depth) /* data may not contain a texel then */
        return;
    if (data)
        gl_pixels_texel(ctx, image->format, image->base, format, type, data, texel);
    for (unsigned i = 0; i < gl_image_target_num_steps(place, part); i++) {
        struct drv_box box = gl_image_target_step(place, level, part, i, &image);
        if (image->resource && gl_has_mirror(image->resource))
            gl_mirror_draw(ctx, image->resource);
        if (image->resource &&
            !ctx->drv->ops->image_fill(ctx->drv, image->resource, image->level, &box, texel)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
            return;
        }
    }
}

void gl_ClearTexSubImage(GLuint texture, GLint level, GLint x, GLint y, GLint z, GLsizei width,
                         GLsizei height, GLsizei depth, GLenum format, GLenum type,
                         const void *data)
{
    GL_CONTEXT(ctx);
    const char *call = "glClearTexSubImage";
    const struct drv_box part = {x, y, z, width, height, depth};
    struct gl_image_target place;
    const struct gl_image *image = find_image(ctx, texture, level, 0, &place, call);
    if (!image)
        return;
    if (width < 0 || height < 0 || depth < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d × %d)", call, width, height, depth);
        return;
    }
    if (!image->internal || !gl_image_target_contains(&place, image, &part)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%d, %d, %d; %d × %d × %d of %d × %d × %d)", call, x,
                 y, z, width, height, depth, image->width, image->height, image->depth);
        return;
    }
    if (gl_image_target_is_complete(ctx, &place, level, call))
        clear(ctx, &place, level, &part, format, type, data, call);
}

void gl_ClearTexImage(GLuint texture, GLint level, GLenum format, GLenum type, const void *data)
{
    GL_CONTEXT(ctx);
    const char *call = "glClearTexImage";
    struct gl_image_target place;
    struct gl_image *image = find_image(ctx, texture, level, 0, &place, call);
    if (image && !image->internal)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no image)", call);
    else if (image && gl_image_target_is_complete(ctx, &place, level, call)) {
        const struct drv_box whole = gl_image_target_whole_box(&place, image);
        clear(ctx, &place, level, &whole, format, type, data, call);
    }
}

/* --- Invalidation: contents become undefined and may stay unchanged, so the commands only raise
 * errors --- */

/* Finds an image to invalidate. Names without a texture raise GL_INVALID_VALUE (§8.20). False: an
 * error was raised. */
static bool find_invalid(struct gl_context *ctx, GLuint name, GLint level,
                         struct gl_image_target *place, struct gl_image *image, const char *call)
{
    const struct gl_texture *t = gl_texture_lookup(ctx, name);
    if (!t || !t->target) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(texture=%u)", call, name);
        return false;
    }
    const struct gl_image *found = find_image(ctx, name, level, GL_PLACE_BUFFER, place, call);
    if (found)
        *image = t->index == GL_TEXTURE_INDEX_BUFFER ? gl_texture_buffer_image(ctx, t) : *found;
    return found;
}

void gl_InvalidateTexImage(GLuint texture, GLint level)
{
    GL_CONTEXT(ctx);
    struct gl_image_target place;
    struct gl_image image;
    find_invalid(ctx, texture, level, &place, &image, "glInvalidateTexImage");
}

void gl_InvalidateTexSubImage(GLuint texture, GLint level, GLint x, GLint y, GLint z, GLsizei width,
                              GLsizei height, GLsizei depth)
{
    GL_CONTEXT(ctx);
    const char *call = "glInvalidateTexSubImage";
    const struct drv_box part = {x, y, z, width, height, depth};
    struct gl_image_target place;
    struct gl_image image;
    if (find_invalid(ctx, texture, level, &place, &image, call) &&
        !gl_image_target_contains(&place, &image, &part))
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d, %d, %d; %d × %d × %d)", call, x, y, z, width,
                 height, depth);
}
