/* SPDX-License-Identifier: MIT */
/* Immutable texture storage (GL 4.6 §8.19). */
#include "gl/buffer/gl_memory.h"
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"

struct storage {
    enum gl_texture_index index;
    GLint internal;
    GLenum base;
    enum drv_format format;
    GLsizei levels, width, height, depth;
    const struct gl_memory_location *memory; /* NULL: allocate storage */
};

static struct gl_image_shape level_shape(const struct storage *s, unsigned level)
{
    bool layers = s->index == GL_TEXTURE_INDEX_1D_ARRAY, three = s->index == GL_TEXTURE_INDEX_3D;
    return (struct gl_image_shape){
        .internal = s->internal,
        .format = s->format,
        .width = drv_minify(s->width, level),
        .height = layers ? s->height : (GLsizei)drv_minify(s->height, level),
        .depth = three ? (GLsizei)drv_minify(s->depth, level) : s->depth,
    };
}

static bool too_many_levels(const struct storage *s)
{
    GLsizei largest = MAX2(s->width, s->index == GL_TEXTURE_INDEX_1D_ARRAY ? 1 : s->height);
    if (s->index == GL_TEXTURE_INDEX_3D)
        largest = MAX2(largest, s->depth);
    return (unsigned)s->levels > util_logbase2(largest) + 1 ||
           (s->index == GL_TEXTURE_INDEX_RECT && s->levels != 1);
}

static void define_proxies(struct gl_context *ctx, const struct storage *s, bool ok)
{
    for (unsigned l = 0; l < gl_texture_max_levels(ctx, s->index); l++) {
        const struct gl_image_shape shape = level_shape(s, l);
        gl_define_proxy(ctx, s->index, l, &shape, ok && (GLsizei)l < s->levels);
    }
}

static void define(struct gl_context *ctx, struct gl_texture *t, const struct storage *s,
                   const char *name)
{
    struct drv_resource *outside = NULL;
    struct drv_resource templ =
        gl_texture_describe(ctx, s->index, s->format, s->width, s->height, s->depth, s->levels - 1);
    if (s->memory) {
        outside = gl_memory_resource(ctx, &templ, s->memory, name);
        if (!outside)
            return;
    } else if (t->sparse) {
        templ.sparse = true;
        outside = ctx->screen->ops->resource_create(ctx->screen, &templ);
        if (!outside) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
            return;
        }
    }
    FLUSH_VERTICES(ctx, 0);
    gl_texture_free_images(t);
    drv_resource_reference(&t->resource, NULL);
    t->resource = outside;
    t->image[0][0] = (struct gl_image){.internal = s->internal,
                                       .base = s->base,
                                       .format = s->format,
                                       .width = s->width,
                                       .height = s->height,
                                       .depth = s->depth};
    t->immutable_levels = t->part.levels = s->levels;
    t->part.layers = s->index == GL_TEXTURE_INDEX_3D         ? 1
                     : s->index == GL_TEXTURE_INDEX_1D_ARRAY ? s->height
                     : s->index == GL_TEXTURE_INDEX_CUBE     ? 6
                                                             : s->depth;
    if (!gl_texture_collect_levels(ctx, t, 0, s->levels - 1)) {
        gl_image_clear(&t->image[0][0]);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
        return;
    }
    t->immutable = true;
    gl_texture_update_levels(t);
    for (unsigned f = 0; f < gl_texture_faces(s->index); f++) {
        for (GLsizei l = 0; l < s->levels; l++) {
            const struct gl_image_shape shape = level_shape(s, l);
            if (!gl_define_image(ctx, t, f, l, &shape))
                gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
        }
    }
    gl_texture_changed(ctx, t);
}

static void tex_storage(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                        GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                        const struct gl_memory_location *memory, const char *name)
{
    struct gl_texture *t = place->texture;
    enum gl_texture_index index = place->index;
    bool proxy = place->proxy;
    GLenum base = gl_base_format(ctx, internal);
    if (!gl_can_texture(ctx, base) || gl_format_is_unsized(internal)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    if (!gl_base_is_color(base) && index == GL_TEXTURE_INDEX_3D) { /* §8.5 */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    if (gl_format_is_compressed(ctx, internal) && !gl_compressed_fits_target(index, internal)) {
        /* glCompressedTexImage couldn't specify such an image (§8.19). */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    bool fits = gl_image_size_ok(ctx, index, 0, width, height, depth, 0);
    if (levels < 1 || width < 1 || height < 1 || depth < 1 || (!fits && !proxy) ||
        !gl_cube_shape_ok(index, width, height, depth)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(levels=%d, %d × %d × %d)", name, levels, width, height,
                 depth);
        return;
    }
    struct storage s = {
        .index = index,
        .internal = internal,
        .base = base,
        .format = gl_choose_format(ctx, internal, 0, 0, gl_texture_drv_target(index), 0,
                                   DRV_BIND_SAMPLER_VIEW),
        .levels = levels,
        .width = width,
        .height = height,
        .depth = depth,
        .memory = memory,
    };
    if (too_many_levels(&s) ||
        (!proxy && (!t->name || gl_texture_is_fixed(t) || s.format == DRV_FORMAT_NONE))) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture=%u, levels=%d)", name, t->name, levels);
        return;
    }
    if (!proxy && !gl_check_sparse_storage(ctx, t, index, s.format, 0, width, height, depth, name))
        return;
    if (!proxy && t->sparse && memory) { /* its pages couldn't be committed */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(sparse)", name);
        return;
    }
    if (proxy)
        define_proxies(ctx, &s,
                       fits &&
                           gl_texture_fits(ctx, index, s.format, width, height, depth, levels - 1));
    else
        define(ctx, t, &s, name);
}

void gl_tex_storage(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                    GLenum internal, GLsizei width, GLsizei height, GLsizei depth, const char *name)
{
    tex_storage(ctx, place, levels, internal, width, height, depth, NULL, name);
}

/* Fixed-rate compression is never applied, so the other rates only permit what does not happen. */
static bool is_rate(GLint value)
{
    return value == GL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT ||
           value == GL_SURFACE_COMPRESSION_FIXED_RATE_DEFAULT_EXT ||
           (value >= GL_SURFACE_COMPRESSION_FIXED_RATE_1BPC_EXT &&
            value <= GL_SURFACE_COMPRESSION_FIXED_RATE_12BPC_EXT);
}

void gl_tex_storage_attribs(struct gl_context *ctx, const struct gl_image_target *place,
                            GLsizei levels, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, const GLint *attribs, const char *name)
{
    for (const GLint *a = attribs; a && *a != GL_NONE; a += 2) {
        if (*a != GL_SURFACE_COMPRESSION_EXT || !is_rate(a[1])) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(attrib_list[%d])", name, (int)(a - attribs));
            return;
        }
    }
    tex_storage(ctx, place, levels, internal, width, height, depth, NULL, name);
}

void gl_tex_storage_mem(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                        GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                        GLuint memory, GLuint64 offset, const char *name)
{
    tex_storage(ctx, place, levels, internal, width, height, depth,
                &(struct gl_memory_location){memory, offset}, name);
}
