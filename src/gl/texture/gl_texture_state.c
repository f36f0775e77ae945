/* SPDX-License-Identifier: MIT */
/* Driver state of textures: completeness, storage of whole textures, sampler views and states, and
 * mipmap generation. */
#include <math.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_owned.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/format.h"
#include "util/hash_table.h"

/* ----------------------------------------------------------------------------- completeness --- */

bool gl_uses_mipmaps(const struct gl_sampler_params *p)
{
    return p->min_filter != GL_NEAREST && p->min_filter != GL_LINEAR;
}

/* Returns the last level of a full mipmap pyramid on the base level, limited by
 * GL_TEXTURE_MAX_LEVEL. */
static unsigned full_last_level(const struct gl_texture *t)
{
    const struct gl_image *b = &t->image[0][t->base_level];
    GLsizei size = b->width;
    if (t->index != GL_TEXTURE_INDEX_1D_ARRAY)
        size = MAX2(size, b->height);
    if (t->index == GL_TEXTURE_INDEX_3D)
        size = MAX2(size, b->depth);
    unsigned last = t->base_level + util_logbase2(MAX2(size, 1));
    last = MIN2(last, (unsigned)MAX2(t->max_level, t->base_level));
    return MIN2(last, DRV_MAX_TEXTURE_LEVELS - 1);
}

unsigned gl_texture_last_level(const struct gl_texture *t, const struct gl_sampler_params *p)
{
    bool mipmaps = gl_uses_mipmaps(p) && !gl_texture_is_multisampled(t->index);
    return mipmaps ? full_last_level(t) : (unsigned)t->base_level;
}

static bool same_shape(const struct gl_texture *t, const struct gl_image *base,
                       const struct gl_image *image, unsigned steps)
{
    bool rows = t->index == GL_TEXTURE_INDEX_1D_ARRAY;
    GLsizei depth =
        t->index == GL_TEXTURE_INDEX_3D ? (GLsizei)drv_minify(base->depth, steps) : base->depth;
    return image->internal == base->internal && image->resource &&
           image->width == (GLsizei)drv_minify(base->width, steps) &&
           image->height == (rows ? base->height : (GLsizei)drv_minify(base->height, steps)) &&
           image->depth == depth;
}

/* Returns whether all faces of a level have the format of the base level and the size that mipmaps
 * of it have. */
static bool level_complete(const struct gl_texture *t, unsigned level)
{
    const struct gl_image *base = &t->image[0][t->base_level];
    for (unsigned f = 0; f < gl_texture_faces(t->index); f++)
        if (!same_shape(t, base, &t->image[f][level], level - t->base_level))
            return false;
    return true;
}

static bool images_complete(const struct gl_texture *t, unsigned last)
{
    const struct gl_image *base = &t->image[0][t->base_level];
    if (!base->resource)
        return false;
    if (t->index == GL_TEXTURE_INDEX_CUBE && base->width != base->height)
        return false;
    for (unsigned l = t->base_level; l <= last; l++)
        if (!level_complete(t, l))
            return false;
    return true;
}

/* Returns the last level that shaders can access. Texel fetches and size queries can access levels
 * even if the filter doesn't use mipmaps: those up to the first one that is missing or has the
 * wrong size or format. GL 4.6 §11.1.3.2 leaves the results of such fetches undefined, but
 * applications rely on them. */
static unsigned last_readable_level(const struct gl_texture *t, const struct gl_sampler_params *p)
{
    const unsigned full = full_last_level(t);
    unsigned last = gl_texture_last_level(t, p);
    while (last < full && level_complete(t, last + 1))
        last++;
    return last;
}

/* Returns the last level that the texture's resource must have for shaders. If shaders can access
 * several levels, the resource has all of them, so that levels that are specified between draws
 * cause only one new resource. */
static unsigned last_stored_level(const struct gl_texture *t, const struct gl_sampler_params *p)
{
    const unsigned last = last_readable_level(t, p);
    return last > t->base_level ? full_last_level(t) : last;
}

/* Returns whether samplers read stencil indices: if the image has only stencil, or by
 * GL_DEPTH_STENCIL_TEXTURE_MODE (GL 4.6 §8.11). */
static bool shows_stencil(const struct gl_texture *t)
{
    GLenum base = t->image[0][t->base_level].base;
    return base == GL_STENCIL_INDEX ||
           (base == GL_DEPTH_STENCIL && t->stencil_mode == GL_STENCIL_INDEX);
}

bool gl_texture_is_complete(const struct gl_texture *t, const struct gl_sampler_params *p)
{
    if (t->window_image) /* has a single level, whatever the filter */
        return t->base_level == 0;
    if (t->base_level >= DRV_MAX_TEXTURE_LEVELS || t->base_level > t->max_level)
        return false;
    if (!images_complete(t, gl_texture_last_level(t, p)))
        return false;
    if (gl_texture_is_multisampled(t->index)) /* filters don't apply */
        return true;
    const struct gl_image *base = &t->image[0][t->base_level];
    bool linear = p->mag_filter != GL_NEAREST ||
                  (p->min_filter != GL_NEAREST && p->min_filter != GL_NEAREST_MIPMAP_NEAREST);
    if ((util_format_is_pure_integer(base->format) || shows_stencil(t)) && linear)
        return false;
    return true;
}

bool gl_texture_levels_complete(const struct gl_texture *t, bool mipmaps, unsigned *last)
{
    const struct gl_sampler_params p = {
        .min_filter = mipmaps ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST, .mag_filter = GL_NEAREST};
    if (!gl_texture_is_complete(t, &p))
        return false;
    *last = gl_texture_last_level(t, &p);
    return true;
}

/* ---------------------------------------------------------------------------------- storage --- */

void gl_image_clear(struct gl_image *image)
{
    drv_resource_reference(&image->resource, NULL);
    memset(image, 0, sizeof *image);
}

struct drv_box gl_image_box(const struct gl_texture *t, const struct gl_image *image,
                            const struct drv_box *part)
{
    struct drv_box box = *part;
    if (t->index == GL_TEXTURE_INDEX_1D_ARRAY)
        box = (struct drv_box){part->x, 0, part->y, part->width, 1, part->height};
    box.z += (GLint)image->layer;
    return box;
}

struct drv_resource gl_texture_describe(struct gl_context *ctx, enum gl_texture_index index,
                                        enum drv_format format, GLsizei width, GLsizei height,
                                        GLsizei depth, unsigned last_level)
{
    enum drv_target target = gl_texture_drv_target(index);
    bool three = index == GL_TEXTURE_INDEX_3D, rows = index == GL_TEXTURE_INDEX_1D_ARRAY;
    unsigned bind = DRV_BIND_SAMPLER_VIEW;
    unsigned render = drv_format_desc(format)->colorspace == DRV_COLORSPACE_ZS
                          ? DRV_BIND_DEPTH_STENCIL
                          : DRV_BIND_RENDER_TARGET;
    if (ctx->screen->ops->is_format_supported(ctx->screen, format, target, 0, bind | render))
        bind |= render;
    return (struct drv_resource){
        .target = target,
        .format = format,
        .width = width,
        .height = rows ? 1 : height,
        .depth = three ? depth : 1,
        .array_size = three                            ? 1
                      : rows                           ? height
                      : index == GL_TEXTURE_INDEX_CUBE ? 6
                                                       : depth,
        .last_level = last_level,
        .bind = bind,
    };
}

static struct drv_resource *create_resource(struct gl_context *ctx, enum gl_texture_index index,
                                            enum drv_format format, GLsizei width, GLsizei height,
                                            GLsizei depth, unsigned last_level)
{
    struct drv_resource templ =
        gl_texture_describe(ctx, index, format, width, height, depth, last_level);
    return ctx->screen->ops->resource_create(ctx->screen, &templ);
}

bool gl_texture_fits(struct gl_context *ctx, enum gl_texture_index index, enum drv_format format,
                     GLsizei width, GLsizei height, GLsizei depth, unsigned last_level)
{
    if (format == DRV_FORMAT_NONE)
        return false;
    if (!width || !height || !depth)
        return true;
    struct drv_resource templ =
        gl_texture_describe(ctx, index, format, width, height, depth, last_level);
    return ctx->screen->ops->resource_fits(ctx->screen, &templ);
}

/* Returns whether the texture's resource can contain this image. */
static bool fits(const struct gl_texture *t, const struct gl_image *image, unsigned level)
{
    const struct drv_resource *r = t->resource;
    if (!r || r->format != image->format || level > r->last_level)
        return false;
    bool three = t->index == GL_TEXTURE_INDEX_3D, rows = t->index == GL_TEXTURE_INDEX_1D_ARRAY;
    GLsizei layers = three                               ? (GLsizei)drv_minify(r->depth, level)
                     : t->index == GL_TEXTURE_INDEX_CUBE ? 1
                                                         : (GLsizei)r->array_size;
    return (GLsizei)drv_minify(r->width, level) == image->width &&
           (rows ? (GLsizei)r->array_size : (GLsizei)drv_minify(r->height, level)) ==
               image->height &&
           (rows || layers == image->depth);
}

/* Allocates a resource for all levels when level 0 is specified first, so the following levels can
 * be stored in it. */
static void guess_resource(struct gl_context *ctx, struct gl_texture *t,
                           const struct gl_image *image, unsigned level)
{
    if (level != 0 && t->resource)
        return;
    if (level != 0 || !(image->width && image->height && image->depth))
        return;
    GLsizei size = image->width;
    if (t->index != GL_TEXTURE_INDEX_1D_ARRAY)
        size = MAX2(size, image->height);
    if (t->index == GL_TEXTURE_INDEX_3D)
        size = MAX2(size, image->depth);
    unsigned last = util_logbase2(size);
    bool mipmaps = gl_uses_mipmaps(&t->params) || t->generate_mipmap;
    if (!mipmaps || t->index == GL_TEXTURE_INDEX_RECT)
        last = 0;
    last = MIN2(last, (unsigned)MAX2(t->max_level, 0));
    last = MIN2(last, DRV_MAX_TEXTURE_LEVELS - 1);
    struct drv_resource *r = create_resource(ctx, t->index, image->format, image->width,
                                             image->height, image->depth, last);
    if (!r)
        return;
    drv_resource_reference(&t->resource, NULL);
    t->resource = r;
}

bool gl_image_alloc(struct gl_context *ctx, struct gl_texture *t, unsigned face, unsigned level)
{
    struct gl_image *image = &t->image[face][level];
    drv_resource_reference(&image->resource, NULL);
    if (!image->width || !image->height || !image->depth)
        return true;
    if (!fits(t, image, level) && !t->immutable)
        guess_resource(ctx, t, image, level);
    if (fits(t, image, level)) {
        drv_resource_reference(&image->resource, t->resource);
        image->level = level;
        image->layer = face;
        return true;
    }
    /* Give the image its own resource with one level. A cube map face becomes a 2D image. */
    enum gl_texture_index index =
        t->index == GL_TEXTURE_INDEX_CUBE ? GL_TEXTURE_INDEX_2D : t->index;
    image->resource =
        create_resource(ctx, index, image->format, image->width, image->height, image->depth, 0);
    image->level = image->layer = 0;
    return image->resource;
}

/* Copies an image to its position in the resource of the whole texture. */
static void move_image(struct gl_context *ctx, struct gl_texture *t, struct gl_image *image,
                       struct drv_resource *to, unsigned level, unsigned face)
{
    const struct drv_box whole = gl_image_whole(image), box = gl_image_box(t, image, &whole);
    ctx->drv->ops->copy_region(ctx->drv, to, level, 0, 0, face, image->resource, image->level,
                               &box);
    drv_resource_reference(&image->resource, to);
    image->level = level;
    image->layer = face;
}

bool gl_texture_collect_levels(struct gl_context *ctx, struct gl_texture *t, unsigned first,
                               unsigned last)
{
    if (t->immutable || t->sibling)
        return t->resource;
    const struct gl_image *base = &t->image[0][first];
    bool moved = false;
    bool whole = t->resource && fits(t, base, first) && t->resource->last_level >= last;
    if (!whole) {
        /* Derive the size of level 0 from the base level. */
        bool three = t->index == GL_TEXTURE_INDEX_3D, rows = t->index == GL_TEXTURE_INDEX_1D_ARRAY;
        GLsizei width = base->width << first;
        GLsizei height =
            rows || t->index == GL_TEXTURE_INDEX_1D ? base->height : base->height << first;
        GLsizei depth = three ? base->depth << first : base->depth;
        const struct gl_image *zero = &t->image[0][0];
        if (first && zero->resource && zero->format == base->format &&
            same_shape(t, zero, base, first)) {
            width = zero->width;
            height = zero->height;
            depth = zero->depth;
        }
        struct drv_resource *r =
            create_resource(ctx, t->index, base->format, width, height, depth, last);
        if (!r)
            return false;
        drv_resource_reference(&t->resource, NULL);
        t->resource = r;
        moved = t->num_handles;
    }
    for (unsigned f = 0; f < gl_texture_faces(t->index); f++)
        for (unsigned l = first; l <= last; l++) {
            struct gl_image *image = &t->image[f][l];
            if (image->resource && image->resource != t->resource && fits(t, image, l)) {
                move_image(ctx, t, image, t->resource, l, f);
                if (gl_texture_is_attached(ctx, t))
                    ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
            }
        }
    if (moved)
        gl_texture_refresh_handles(ctx, t);
    return true;
}

bool gl_texture_renderable(struct gl_texture *t, unsigned face, unsigned level,
                           struct drv_surface *surface)
{
    struct gl_image *image = &t->image[face][level];
    if (!image->resource)
        return false;
    unsigned render =
        gl_base_is_color(image->base) ? DRV_BIND_RENDER_TARGET : DRV_BIND_DEPTH_STENCIL;
    if (!(image->resource->bind & render))
        return false;
    *surface = (struct drv_surface){
        .texture = image->resource,
        .format = image->format,
        .level = image->level,
        .first_layer = image->layer,
        .last_layer = image->layer,
    };
    return true;
}

/* ---------------------------------------------------------------------------------- mipmaps --- */

/* Returns the image that mipmap generation defines for a level of a mutable texture, without a
 * resource. */
static struct gl_image derived_image(const struct gl_texture *t, unsigned face, unsigned level)
{
    const unsigned base = t->base_level;
    struct gl_image image = t->image[face][base];
    image.width = drv_minify(image.width, level - base);
    if (t->index != GL_TEXTURE_INDEX_1D_ARRAY)
        image.height = drv_minify(image.height, level - base);
    if (t->index == GL_TEXTURE_INDEX_3D)
        image.depth = drv_minify(image.depth, level - base);
    image.resource = NULL;
    return image;
}

bool gl_texture_may_generate(const struct gl_texture *t)
{
    if (!t->num_handles || t->immutable || t->base_level >= DRV_MAX_TEXTURE_LEVELS)
        return true;
    const unsigned last = full_last_level(t);
    if (last > t->base_level && (!t->resource || t->resource->last_level < last))
        return false;
    for (unsigned f = 0; f < gl_texture_faces(t->index); f++)
        for (unsigned l = t->base_level + 1; l <= last; l++) {
            const struct gl_image *image = &t->image[f][l], want = derived_image(t, f, l);
            if (image->width != want.width || image->height != want.height ||
                image->depth != want.depth || image->internal != want.internal ||
                image->format != want.format)
                return false;
        }
    return true;
}

void gl_texture_generate_mipmap(struct gl_context *ctx, struct gl_texture *t)
{
    unsigned base = t->base_level, faces = gl_texture_faces(t->index);
    if (base >= DRV_MAX_TEXTURE_LEVELS || !t->image[0][base].resource)
        return;
    unsigned last = full_last_level(t);
    if (last <= base)
        return;
    gl_texture_detach_egl_image(t);
    /* Define the images of the levels, then allocate storage. */
    if (!t->immutable) {
        for (unsigned f = 0; f < faces; f++)
            for (unsigned l = base + 1; l <= last; l++) {
                gl_image_clear(&t->image[f][l]);
                t->image[f][l] = derived_image(t, f, l);
            }
    }
    if (!gl_texture_collect_levels(ctx, t, base, last)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenerateMipmap");
        return;
    }
    for (unsigned f = 0; f < faces && !t->immutable; f++)
        for (unsigned l = base; l <= last; l++) {
            struct gl_image *image = &t->image[f][l];
            drv_resource_reference(&image->resource, t->resource);
            image->level = l;
            image->layer = f;
        }
    unsigned level = t->part.first_level, layer = t->part.first_layer;
    enum drv_format format = t->image[0][base].format;
    if (t->params.srgb_decode == GL_SKIP_DECODE_EXT) /* filter the encoded values */
        format = util_format_linear(format);
    ctx->drv->ops->generate_mipmap(ctx->drv, t->resource, format, level + base, level + last, layer,
                                   layer + gl_texture_layers(t) - 1);
    gl_texture_changed(ctx, t);
}

/* ------------------------------------------------------------------------------------ views --- */

unsigned gl_texture_layers(const struct gl_texture *t)
{
    return t->immutable || t->sibling ? t->part.layers : t->resource->array_size;
}

static uint8_t compose(const uint8_t base[4], GLenum e)
{
    switch (e) {
    case GL_RED:
        return base[0];
    case GL_GREEN:
        return base[1];
    case GL_BLUE:
        return base[2];
    case GL_ALPHA:
        return base[3];
    case GL_ONE:
        return DRV_SWIZZLE_1;
    default:
        return DRV_SWIZZLE_0;
    }
}

static void describe_view(struct gl_context *ctx, struct gl_texture *t,
                          const struct gl_sampler_params *p, struct drv_sampler_view *v)
{
    const struct gl_image *base = &t->image[0][t->base_level];
    uint8_t swizzle[4];
    if (t->index == GL_TEXTURE_INDEX_BUFFER) {
        gl_texture_buffer_view(ctx, t, v);
        return;
    }
    memset(v, 0, sizeof *v); /* views are compared as bytes, so clear padding */
    v->texture = t->window_image ? t->window_image : t->resource;
    v->format = base->format;
    v->target = gl_texture_drv_target(t->index);
    if (t->window_image) {
        v->last_layer = v->texture->array_size - 1;
    } else {
        v->first_level = t->part.first_level + t->base_level;
        v->last_level = t->part.first_level + last_readable_level(t, p);
        v->first_layer = t->part.first_layer;
        v->last_layer = v->first_layer + gl_texture_layers(t) - 1;
    }
    v->sample_stencil = shows_stencil(t);
    /* Depth textures read as red in ES (ES 3.2 §14.2.1), but unsized ones of OES_depth_texture read
     * as luminance. */
    bool red = v->sample_stencil || ctx->api == GL_API_CORE ||
               (gl_is_es(ctx) && base->internal != (GLint)base->base);
    gl_base_format_swizzle(base->base, red ? GL_RED : t->depth_mode, swizzle);
    for (unsigned c = 0; c < 4; c++)
        v->swizzle[c] = compose(swizzle, t->swizzle[c]);
}

#define VIEWS_PER_TEXTURE 8

/* Buffer textures keep a single view, because views of a buffer's previous storage would keep that
 * in memory. */
static unsigned most_views(const struct gl_texture *t)
{
    return t->index == GL_TEXTURE_INDEX_BUFFER ? 1 : VIEWS_PER_TEXTURE;
}

static void *get_view(struct gl_context *ctx, struct gl_texture *t,
                      const struct gl_sampler_params *p)
{
    struct drv_sampler_view desc;
    struct gl_view *oldest = NULL;
    unsigned count = 0;
    describe_view(ctx, t, p, &desc);
    list_for_each_entry_safe (struct gl_view, v, &t->views, node) {
        if (v->ctx == ctx && v->owned->ctx == ctx && !memcmp(&v->desc, &desc, sizeof desc))
            return v->owned->object;
        count++;
        if (!oldest && v->owned->ctx != NULL && v->ctx == ctx)
            oldest = v;
        if (!v->owned->ctx) { /* the context was destroyed */
            list_del(&v->node);
            free(v->owned);
            free(v);
            count--;
        }
    }
    struct gl_view *v = calloc(1, sizeof *v);
    struct gl_owned *owned = calloc(1, sizeof *owned);
    if (owned && v)
        owned->object = ctx->drv->ops->create_sampler_view(ctx->drv, &desc);
    if (!owned || !v || !owned->object) {
        free(v);
        free(owned);
        return NULL;
    }
    v->ctx = ctx;
    v->desc = desc;
    v->owned = owned;
    gl_owned_add(ctx, owned);
    list_addtail(&v->node, &t->views);
    if (count >= most_views(t) && oldest) {
        list_del(&oldest->node);
        gl_owned_release(ctx, oldest->owned);
        free(oldest->owned);
        free(oldest);
    }
    return v->owned->object;
}

/* --------------------------------------------------------------------------- sampler states --- */

static uint8_t wrap_mode(GLenum wrap)
{
    switch (wrap) {
    case GL_CLAMP:
        return DRV_WRAP_CLAMP;
    case GL_CLAMP_TO_EDGE:
        return DRV_WRAP_CLAMP_TO_EDGE;
    case GL_CLAMP_TO_BORDER:
        return DRV_WRAP_CLAMP_TO_BORDER;
    case GL_MIRRORED_REPEAT:
        return DRV_WRAP_MIRROR_REPEAT;
    case GL_MIRROR_CLAMP_EXT:
        return DRV_WRAP_MIRROR_CLAMP;
    case GL_MIRROR_CLAMP_TO_EDGE:
        return DRV_WRAP_MIRROR_CLAMP_TO_EDGE;
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return DRV_WRAP_MIRROR_CLAMP_TO_BORDER;
    default:
        return DRV_WRAP_REPEAT;
    }
}

/* Returns whether color channels of the format hold unsigned floats. */
static bool holds_unsigned_floats(enum drv_format format)
{
    const unsigned layout = drv_format_desc(format)->layout;
    return layout == DRV_LAYOUT_R11G11B10F || layout == DRV_LAYOUT_RGB9E5 ||
           format == DRV_FORMAT_BPTC_RGB_UFLOAT;
}

/* Clamps the border color of a sampler to the range of the texture's format. GL 4.6 §8.14.2 leaves
 * the results of other values undefined. In normalized formats, NaN becomes 0. Integer textures get
 * the bits of float border colors, which are then clamped, too. */
static void clamp_border(const struct gl_texture *t, struct drv_sampler_state *s)
{
    static const struct drv_format_channel stencil = {DRV_CHANNEL_UNSIGNED, false, true, 8, 0};
    const struct gl_image *base = &t->image[0][t->base_level];
    const struct drv_format_desc *d = drv_format_desc(base->format);
    const bool shows = shows_stencil(t), is_unsigned = holds_unsigned_floats(base->format);
    if (!base->format || !(shows || gl_base_is_color(base->base)))
        return;
    for (unsigned c = 0; c < 4; c++) {
        const uint8_t at = d->swizzle[c] < DRV_SWIZZLE_0 ? d->swizzle[c] : 0;
        const struct drv_format_channel *channel = shows ? &stencil : &d->channel[at];
        const bool is_signed = channel->type == DRV_CHANNEL_SIGNED;
        float *f = &s->border_color.f[c];
        int32_t *i = &s->border_color.i[c];
        uint32_t *u = &s->border_color.u[c];
        if (channel->pure_integer && is_signed) {
            const int32_t max = INT32_MAX >> (32 - channel->bits);
            *i = CLAMP(*i, -max - 1, max);
        } else if (channel->pure_integer) {
            *u = MIN2(*u, UINT32_MAX >> (32 - channel->bits));
        } else if (channel->normalized) {
            *f = isnan(*f) ? 0.0f : CLAMP(*f, is_signed ? -1.0f : 0.0f, 1.0f);
        } else if (is_unsigned && *f < 0.0f) {
            *f = 0.0f;
        }
    }
}

static void describe_sampler(const struct gl_context *ctx, const struct gl_texture *t,
                             const struct gl_sampler_params *p, unsigned unit,
                             struct drv_sampler_state *s)
{
    const struct gl_image *base = &t->image[0][t->base_level];
    float unit_bias = unit < GL_MAX_UNITS ? ctx->texenv.lod_bias[unit] : 0.0f;
    float bias = p->lod_bias + unit_bias, limit = ctx->consts.max_lod_bias;
    memset(s, 0, sizeof *s);
    s->wrap_s = wrap_mode(p->wrap_s);
    s->wrap_t = wrap_mode(p->wrap_t);
    s->wrap_r = wrap_mode(p->wrap_r);
    s->min_filter = p->min_filter == GL_LINEAR || p->min_filter == GL_LINEAR_MIPMAP_NEAREST ||
                            p->min_filter == GL_LINEAR_MIPMAP_LINEAR
                        ? DRV_FILTER_LINEAR
                        : DRV_FILTER_NEAREST;
    s->mag_filter = p->mag_filter == GL_LINEAR ? DRV_FILTER_LINEAR : DRV_FILTER_NEAREST;
    s->mip_filter =
        !gl_uses_mipmaps(p) ? DRV_MIP_NONE
        : p->min_filter == GL_NEAREST_MIPMAP_LINEAR || p->min_filter == GL_LINEAR_MIPMAP_LINEAR
            ? DRV_MIP_LINEAR
            : DRV_MIP_NEAREST;
    s->compare_enabled = gl_base_is_depth(base->base) && !shows_stencil(t) &&
                         p->compare_mode == GL_COMPARE_REF_TO_TEXTURE;
    s->compare_func = p->compare_func - GL_NEVER;
    s->reduction = p->reduction == GL_MIN   ? DRV_REDUCTION_MIN
                   : p->reduction == GL_MAX ? DRV_REDUCTION_MAX
                                            : DRV_REDUCTION_AVERAGE;
    s->unnormalized_coords = t->index == GL_TEXTURE_INDEX_RECT;
    s->seamless_cube_map = ctx->texenv.seamless_cube_map || p->seamless ||
                           (gl_is_es(ctx) && ctx->consts.version >= 30);
    s->skip_srgb_decode = p->srgb_decode == GL_SKIP_DECODE_EXT && util_format_is_srgb(base->format);
    s->lod_bias = CLAMP(bias, -limit, limit);
    s->min_lod = MAX2(p->min_lod, 0.0f);
    s->max_lod = MAX2(p->max_lod, s->min_lod);
    s->max_anisotropy = p->max_anisotropy;
    memcpy(&s->border_color, &p->border, sizeof s->border_color);
    clamp_border(t, s);
}

struct sampler_entry {
    struct sampler_entry *next; /* next entry with the same hash */
    struct drv_sampler_state desc;
    void *object;
};

void *gl_sampler_state(struct gl_context *ctx, const struct drv_sampler_state *desc)
{
    const void *key = (const void *)(uintptr_t)(hash_data64(desc, sizeof *desc) | 1);
    struct hash_table *table = ctx->texture.samplers;
    struct sampler_entry *first = hash_table_get(table, key);
    for (struct sampler_entry *e = first; e; e = e->next)
        if (!memcmp(&e->desc, desc, sizeof *desc))
            return e->object;
    struct sampler_entry *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->desc = *desc;
    e->next = first;
    e->object = ctx->drv->ops->create_sampler_state(ctx->drv, desc);
    if (!e->object || !hash_table_insert(table, key, e)) {
        if (e->object)
            ctx->drv->ops->delete_sampler_state(ctx->drv, e->object);
        free(e);
        return NULL;
    }
    return e->object;
}

/* --------------------------------------------------------------------------------- handles --- */

bool gl_texture_collect_readable(struct gl_context *ctx, struct gl_texture *t,
                                 const struct gl_sampler_params *p)
{
    return t->window_image ||
           gl_texture_collect_levels(ctx, t, t->base_level, last_stored_level(t, p));
}

/* ARB_bindless_texture: handles ignore GL_TEXTURE_CUBE_MAP_SEAMLESS of the context and the texture
 * units' bias of the level of detail. */
void gl_describe_handle_texture(struct gl_context *ctx, struct gl_texture *t,
                                const struct gl_sampler_params *p, struct drv_sampler_view *view,
                                struct drv_sampler_state *state)
{
    describe_view(ctx, t, p, view);
    describe_sampler(ctx, t, p, GL_MAX_UNITS, state);
    state->seamless_cube_map = p->seamless;
}

/* -------------------------------------------------------------------- binding before a draw --- */

/* Returns a texture with one opaque black texel, which replaces incomplete textures (GL 4.6
 * §8.17). */
static struct gl_texture *fallback(struct gl_context *ctx, enum gl_texture_index index)
{
    struct gl_texture *t = ctx->texture.fallback[index];
    if (t)
        return t;
    t = gl_texture_create(0);
    if (!t)
        return NULL;
    gl_texture_set_target(t, GL_TEXTURE_2D, index);
    t->params.min_filter = t->params.mag_filter = GL_NEAREST;
    for (unsigned f = 0; f < gl_texture_faces(index); f++) {
        struct gl_image *image = &t->image[f][0];
        *image = (struct gl_image){
            .internal = GL_RGBA8, .base = GL_RGBA, .width = 1, .height = 1, .depth = 1};
        image->format = gl_choose_format(ctx, GL_RGBA, 0, 0, gl_texture_drv_target(index), 0,
                                         DRV_BIND_SAMPLER_VIEW);
        if (image->format == DRV_FORMAT_NONE || !gl_image_alloc(ctx, t, f, 0))
            goto fail;
        const struct drv_box texel = {0, 0, 0, 1, 1, 1}, box = gl_image_box(t, image, &texel);
        struct drv_transfer *transfer;
        void *map = ctx->drv->ops->map(ctx->drv, image->resource, image->level, DRV_MAP_WRITE, &box,
                                       &transfer);
        if (!map)
            goto fail;
        util_format_pack_float(image->format, map, &(const float[4]){0, 0, 0, 1}, 1);
        ctx->drv->ops->unmap(ctx->drv, transfer);
    }
    return ctx->texture.fallback[index] = t;
fail:
    gl_texture_reference(ctx, &t, NULL);
    return NULL;
}

static bool unit_texture(struct gl_context *ctx, unsigned unit, enum gl_texture_index index,
                         struct gl_texture **texture, const struct gl_sampler_params **params)
{
    struct gl_texture_unit *u = &ctx->texture.unit[unit];
    struct gl_texture *t = u->bound[index];
    const struct gl_sampler_params *p = u->sampler ? &u->sampler->params : &t->params;
    /* Without a buffer, results are undefined (GL 4.6 §8.9). */
    if (index == GL_TEXTURE_INDEX_BUFFER) {
        *texture = t;
        *params = p;
        return t->store.buffer && t->store.buffer->resource;
    }
    bool ok = gl_texture_is_complete(t, p);
    struct drv_resource *shown = t->window_image ? t->window_image : t->resource;
    if (ok && shown && gl_has_mirror(shown))
        gl_mirror_read(ctx, shown);
    if (ok && !t->window_image)
        ok = gl_texture_collect_levels(ctx, t, t->base_level, last_stored_level(t, p));
    if (!ok) {
        t = fallback(ctx, index);
        p = t ? &t->params : NULL;
    }
    *texture = t;
    *params = p;
    return t;
}

void gl_update_stage_textures(struct gl_context *ctx, enum shader_stage stage,
                              const struct gl_sampler_use *uses, unsigned num)
{
    void *views[DRV_MAX_SAMPLERS] = {0}, *states[DRV_MAX_SAMPLERS] = {0};
    for (unsigned i = 0; i < num; i++) {
        const struct gl_sampler_use *use = &uses[i];
        struct gl_texture *t;
        const struct gl_sampler_params *p;
        struct drv_sampler_state desc;
        if (!use->used || use->has_handle || use->unit >= GL_MAX_UNITS ||
            !unit_texture(ctx, use->unit, use->index, &t, &p))
            continue;
        views[i] = get_view(ctx, t, p);
        describe_sampler(ctx, t, p, use->unit, &desc);
        states[i] = gl_sampler_state(ctx, &desc);
    }
    unsigned bound = MAX2(num, ctx->texture.num_views[stage]);
    if (bound) {
        ctx->drv->ops->set_sampler_views(ctx->drv, stage, 0, bound, views);
        ctx->drv->ops->bind_sampler_states(ctx->drv, stage, 0, bound, states);
    }
    ctx->texture.num_views[stage] = num;
}

void gl_TextureBarrier(void)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    ctx->drv->ops->texture_barrier(ctx->drv);
}

void gl_TextureBarrierNV(void)
{
    gl_TextureBarrier();
}

void gl_textures_unbind(struct gl_context *ctx)
{
    void *none[DRV_MAX_SAMPLERS] = {0};
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        unsigned n = ctx->texture.num_views[s];
        if (n) {
            ctx->drv->ops->set_sampler_views(ctx->drv, s, 0, n, none);
            ctx->drv->ops->bind_sampler_states(ctx->drv, s, 0, n, none);
        }
        ctx->texture.num_views[s] = 0;
    }
    ctx->dirty |= GL_DIRTY_TEXTURES;
}

void gl_textures_finish(struct gl_context *ctx)
{
    struct gl_texture_state *s = &ctx->texture;
    gl_textures_unbind(ctx);
    gl_image_units_unbind(ctx, NULL);
    gl_handles_finish(ctx);
    for (unsigned i = 0; i < GL_TEXTURE_INDEX_COUNT; i++) {
        for (unsigned u = 0; u < GL_MAX_UNITS; u++)
            gl_texture_reference(ctx, &s->unit[u].bound[i], NULL);
        gl_texture_reference(ctx, &s->proxy[i], NULL);
        gl_texture_reference(ctx, &s->fallback[i], NULL);
    }
    for (unsigned i = 0; i < s->mirrors.count; i++)
        drv_resource_reference(&s->mirrors.data[i], NULL);
    dynarray_finish(&s->mirrors);
    for (unsigned u = 0; u < GL_MAX_UNITS; u++)
        gl_sampler_reference(&s->unit[u].sampler, NULL);
    if (!s->samplers)
        return;
    hash_table_foreach (s->samplers, entry) {
        struct sampler_entry *e = entry->data;
        while (e) {
            struct sampler_entry *next = e->next;
            ctx->drv->ops->delete_sampler_state(ctx->drv, e->object);
            free(e);
            e = next;
        }
    }
    hash_table_destroy(s->samplers);
    s->samplers = NULL;
}

bool gl_textures_bind_image(struct gl_context *ctx, GLenum target, struct drv_resource *image,
                            bool with_alpha)
{
    int index = gl_texture_target_index(ctx, target);
    if (index != GL_TEXTURE_INDEX_2D && index != GL_TEXTURE_INDEX_RECT)
        return false;
    struct gl_texture *t = ctx->texture.unit[ctx->texenv.active].bound[index];
    if (t->num_handles)
        return false;
    FLUSH_VERTICES(ctx, 0);
    drv_resource_reference(&t->window_image, image);
    gl_image_clear(&t->image[0][0]);
    if (image) {
        struct gl_image *level = &t->image[0][0];
        *level = (struct gl_image){
            .internal = with_alpha ? GL_RGBA : GL_RGB,
            .base = with_alpha ? GL_RGBA : GL_RGB,
            .format = image->format,
            .width = image->width,
            .height = image->height,
            .depth = 1,
        };
        drv_resource_reference(&level->resource, image);
    }
    gl_texture_changed(ctx, t);
    return true;
}
