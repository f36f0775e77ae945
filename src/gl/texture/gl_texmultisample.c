/* SPDX-License-Identifier: MIT */
/* Multisample textures (GL 4.6 §8.8, §8.19). They have one level and no client pixels. */
#include "gl/buffer/gl_memory.h"
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"

/* Checks all arguments except the texture. False: an error was raised. */
static bool check(struct gl_context *ctx, const struct gl_image_target *place, bool immutable,
                  GLsizei samples, GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                  const char *name)
{
    GLsizei least = immutable ? 1 : 0;
    if (samples < 1) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(samples=%d)", name, samples);
        return false;
    }
    if (!gl_base_format(ctx, internal) || !gl_format_is_renderable(ctx, internal) ||
        (immutable && gl_format_is_unsized(internal))) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return false;
    }
    bool fits = gl_image_size_ok(ctx, place->index, 0, width, height, depth, 0);
    if (width < least || height < least || depth < least || (!fits && !place->proxy)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d × %d)", name, width, height, depth);
        return false;
    }
    return true;
}

/* Returns the resource template of the image. */
static struct drv_resource describe(const struct gl_image *image, enum gl_texture_index index,
                                    unsigned bind)
{
    return (struct drv_resource){
        .target = gl_texture_drv_target(index),
        .format = image->format,
        .width = image->width,
        .height = image->height,
        .depth = 1,
        .array_size = image->depth,
        .nr_samples = image->samples,
        .bind = bind,
    };
}

/* memory: location of the storage in a memory object; NULL: allocate storage. */
static void tex_multisample(struct gl_context *ctx, const struct gl_image_target *place,
                            bool immutable, GLsizei samples, GLenum internal, GLsizei width,
                            GLsizei height, GLsizei depth, GLboolean fixed,
                            const struct gl_memory_location *memory, const char *name)
{
    struct gl_texture *t = place->texture;
    enum drv_target target = gl_texture_drv_target(place->index);
    if (!check(ctx, place, immutable, samples, internal, width, height, depth, name))
        return;
    if (!place->proxy && (gl_texture_is_fixed(t) || (immutable && !t->name))) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture=%u)", name, t->name);
        return;
    }
    struct gl_image image = {
        .internal = internal,
        .base = gl_base_format(ctx, internal),
        .width = width,
        .height = height,
        .depth = depth,
        .fixed_samples = fixed,
    };
    unsigned bind = DRV_BIND_SAMPLER_VIEW | (gl_base_is_color(image.base) ? DRV_BIND_RENDER_TARGET
                                                                          : DRV_BIND_DEPTH_STENCIL);
    image.samples = gl_choose_samples(ctx, internal, target, samples, bind);
    /* The format doesn't support that many samples, or none at all. */
    if (!image.samples && !place->proxy) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(samples=%d)", name, samples);
        return;
    }
    image.format = gl_choose_format(ctx, internal, 0, 0, target, image.samples, bind);
    struct drv_resource templ = describe(&image, place->index, bind);
    templ.sparse = immutable && t->sparse && !place->proxy; /* may be larger */
    bool empty = !width || !height || !depth;
    bool possible = image.samples && image.format != DRV_FORMAT_NONE &&
                    gl_image_size_ok(ctx, place->index, 0, width, height, depth, 0) &&
                    (empty || ctx->screen->ops->resource_fits(ctx->screen, &templ));
    if (place->proxy) {
        gl_image_clear(&t->image[0][0]);
        if (possible)
            t->image[0][0] = image;
        return;
    }
    if (templ.sparse && (!gl_check_sparse_storage(ctx, t, place->index, image.format, image.samples,
                                                  width, height, depth, name)))
        return;
    if (templ.sparse && memory) { /* its pages couldn't be committed */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(sparse)", name);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (possible && memory) {
        image.resource = gl_memory_resource(ctx, &templ, memory, name);
        if (!image.resource)
            return;
    } else if (possible && !empty) {
        image.resource = ctx->screen->ops->resource_create(ctx->screen, &templ);
    }
    if (!image.resource && !empty) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
        return;
    }
    gl_texture_free_images(t);
    t->image[0][0] = image;
    drv_resource_reference(&t->resource, image.resource);
    t->immutable = immutable;
    t->immutable_levels = t->part.levels = immutable;
    t->part.layers = immutable ? depth : 0;
    gl_texture_update_levels(t);
    gl_texture_changed(ctx, t);
}

void gl_tex_multisample(struct gl_context *ctx, const struct gl_image_target *place, bool immutable,
                        GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                        GLsizei depth, GLboolean fixed, const char *name)
{
    tex_multisample(ctx, place, immutable, samples, internal, width, height, depth, fixed, NULL,
                    name);
}

void gl_tex_multisample_mem(struct gl_context *ctx, const struct gl_image_target *place,
                            GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, GLboolean fixed, GLuint memory, GLuint64 offset,
                            const char *name)
{
    tex_multisample(ctx, place, true, samples, internal, width, height, depth, fixed,
                    &(struct gl_memory_location){memory, offset}, name);
}
