/* SPDX-License-Identifier: MIT */
/* Raw copies between images (GL 4.6 §18.3.2, glCopyImageSubData). */
#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/format.h"

/* Source or destination: an image of a texture, or a renderbuffer. */
struct side {
    const struct gl_texture *texture; /* NULL for renderbuffers */
    struct gl_image image;            /* image of face 0; describes a renderbuffer, too */
    GLint level, x, y, z;
    GLsizei width, height, slices; /* sizes of the image */
};

static bool renderbuffer_side(struct gl_context *ctx, GLuint name, GLint level, struct side *s,
                              const char *call)
{
    const struct gl_renderbuffer *rb = gl_renderbuffer_lookup(ctx, name);
    bool reserved = !rb && gl_names_is_used(&ctx->shared->renderbuffers, name);
    if (!rb || level) {
        gl_error(ctx, reserved ? GL_INVALID_OPERATION : GL_INVALID_VALUE,
                 "%s(renderbuffer=%u, level=%d)", call, name, level);
        return false;
    }
    s->image = (struct gl_image){
        .internal = rb->internal,
        .base = rb->base,
        .format = rb->format,
        .width = rb->width,
        .height = rb->height,
        .depth = 1,
        .samples = rb->samples,
        .resource = rb->resource,
    };
    s->slices = 1;
    return true;
}

/* Sets the number of slices. z addresses the layers of 1D arrays and the faces of cube maps. */
static void measure_texture(struct side *s)
{
    const struct gl_texture *t = s->texture;
    s->slices = t->index == GL_TEXTURE_INDEX_1D_ARRAY ? s->image.height
                : t->index == GL_TEXTURE_INDEX_CUBE   ? 6
                                                      : s->image.depth;
    if (t->index == GL_TEXTURE_INDEX_1D_ARRAY)
        s->height = 1;
}

static bool texture_side(struct gl_context *ctx, GLuint name, GLenum target, GLint level,
                         struct side *s, const char *call)
{
    const struct gl_texture *t = gl_texture_lookup(ctx, name);
    struct gl_image_target place;
    if (!gl_resolve_target(ctx, target, 0, GL_PLACE_WHOLE | GL_PLACE_SAMPLES, call, &place))
        return false;
    if (!t || !t->target) { /* a name without a target refers to an incomplete texture */
        bool reserved = gl_names_is_used(&ctx->shared->textures, name);
        gl_error(ctx, reserved ? GL_INVALID_OPERATION : GL_INVALID_VALUE, "%s(texture=%u)", call,
                 name);
        return false;
    }
    if (t->target != target) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(texture %u has target %s)", call, name,
                 gl_enum_name(t->target));
        return false;
    }
    if (level < 0 || (unsigned)level >= gl_texture_max_levels(ctx, t->index)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", call, level);
        return false;
    }
    /* The texture's own filter decides whether mipmaps count (§8.17); whether it filters integers
     * does not matter. */
    const struct gl_sampler_params p = {
        .min_filter = gl_uses_mipmaps(&t->params) ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST,
        .mag_filter = GL_NEAREST,
    };
    s->texture = t;
    s->image = t->image[0][level];
    if (!gl_texture_is_complete(t, &p)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u is not complete)", call, name);
        return false;
    }
    if (!s->image.internal) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(texture %u has no level %d)", call, name, level);
        return false;
    }
    return true;
}

/* Finds the image of a name. False: an error was raised. */
static bool find_side(struct gl_context *ctx, GLuint name, GLenum target, struct side *s,
                      const char *call)
{
    bool ok = target == GL_RENDERBUFFER ? renderbuffer_side(ctx, name, s->level, s, call)
                                        : texture_side(ctx, name, target, s->level, s, call);
    s->width = s->image.width;
    s->height = s->image.height;
    if (ok && s->texture)
        measure_texture(s);
    return ok;
}

/* Returns whether raw copies between the internal formats are allowed (§18.3.2): if they are
 * compatible for views, or between compressed and uncompressed formats with the same number of bits
 * per block and texel (table 18.5, and extensions accordingly). */
static bool compatible(const struct gl_image *a, const struct gl_image *b)
{
    bool blocks_a = util_format_is_compressed(a->format);
    bool blocks_b = util_format_is_compressed(b->format);
    if (blocks_a == blocks_b)
        return gl_view_formats_match(a->internal, b->internal);
    unsigned bytes = drv_format_desc(blocks_a ? a->format : b->format)->block_bytes;
    return gl_view_class(blocks_a ? b->internal : a->internal) ==
           (bytes == 16 ? GL_VIEW_CLASS_128_BITS : GL_VIEW_CLASS_64_BITS);
}

/* Returns whether the region lies inside the image and consists of whole blocks (§18.3.2). False:
 * an error was raised. */
static bool region_ok(struct gl_context *ctx, const struct side *s, GLsizei width, GLsizei height,
                      GLsizei depth, const char *call)
{
    const struct drv_format_desc *d = drv_format_desc(s->image.format);
    bool inside =
        s->x >= 0 && s->y >= 0 && s->z >= 0 && (int64_t)s->z + depth <= s->slices &&
        (int64_t)s->x + width <= DIV_ROUND_UP(s->width, d->block_width) * d->block_width &&
        (int64_t)s->y + height <= DIV_ROUND_UP(s->height, d->block_height) * d->block_height;
    bool whole = s->x % d->block_width == 0 && s->y % d->block_height == 0 &&
                 (width % d->block_width == 0 || s->x + width == s->width) &&
                 (height % d->block_height == 0 || s->y + height == s->height);
    if (inside && whole)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(%d, %d, %d; %d × %d × %d of %d × %d × %d)", call, s->x,
             s->y, s->z, width, height, depth, s->width, s->height, s->slices);
    return false;
}

/* Returns the image that contains slice i of the region, and its layer in the resource. */
static const struct gl_image *slice_of(const struct side *s, GLsizei i, GLint *layer)
{
    GLint z = s->z + i;
    bool cube = s->texture && s->texture->index == GL_TEXTURE_INDEX_CUBE;
    const struct gl_image *image = cube ? &s->texture->image[z][s->level] : &s->image;
    *layer = cube ? (GLint)image->layer : z + (GLint)image->layer;
    return image;
}

static void copy_slices(struct gl_context *ctx, const struct side *src, const struct side *dst,
                        GLsizei width, GLsizei height, GLsizei depth, const char *call)
{
    bool turn =
        gl_format_is_reversed(src->image.format) != gl_format_is_reversed(dst->image.format);
    for (GLsizei i = 0; i < depth; i++) {
        GLint from, to;
        const struct gl_image *a = slice_of(src, i, &from), *b = slice_of(dst, i, &to);
        const struct drv_box box = {src->x, src->y, from, width, height, 1};
        const struct drv_box out = {dst->x, dst->y, to, width, height, 1};
        if (!a->resource || !b->resource)
            continue;
        if (gl_has_mirror(a->resource))
            gl_mirror_read(ctx, a->resource);
        if (gl_has_mirror(b->resource))
            gl_mirror_draw(ctx, b->resource);
        ctx->drv->ops->copy_region(ctx->drv, b->resource, b->level, dst->x, dst->y, to, a->resource,
                                   a->level, &box);
        if (turn && !gl_image_reverse(ctx, b, &out)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
            return;
        }
    }
}

/* Implements the copy commands. same_format: both images must have the same internal format. */
static void copy_image(GLuint srcName, GLenum srcTarget, struct side src, GLuint dstName,
                       GLenum dstTarget, struct side dst, GLsizei width, GLsizei height,
                       GLsizei depth, bool same_format, const char *call)
{
    GL_CONTEXT(ctx);
    if (!find_side(ctx, srcName, srcTarget, &src, call) ||
        !find_side(ctx, dstName, dstTarget, &dst, call))
        return;
    if (same_format && src.image.internal != dst.image.internal) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s, %s)", call, gl_enum_name(src.image.internal),
                 gl_enum_name(dst.image.internal));
        return;
    }
    if (width < 0 || height < 0 || depth < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d × %d)", call, width, height, depth);
        return;
    }
    const struct drv_format_desc *s = drv_format_desc(src.image.format);
    const struct drv_format_desc *d = drv_format_desc(dst.image.format);
    /* The region is in texels of the source. Each of its blocks becomes a block of the
     * destination. */
    GLsizei dst_width = DIV_ROUND_UP(width, s->block_width) * d->block_width;
    GLsizei dst_height = DIV_ROUND_UP(height, s->block_height) * d->block_height;
    if (s->block_width == d->block_width && s->block_height == d->block_height) {
        dst_width = width;
        dst_height = height;
    }
    if (!region_ok(ctx, &src, width, height, depth, call) ||
        !region_ok(ctx, &dst, dst_width, dst_height, depth, call))
        return;
    if (src.image.samples != dst.image.samples || !compatible(&src.image, &dst.image) ||
        s->block_bytes != d->block_bytes) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s with %u samples to %s with %u)", call,
                 gl_enum_name(src.image.internal), src.image.samples,
                 gl_enum_name(dst.image.internal), dst.image.samples);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (width && height)
        copy_slices(ctx, &src, &dst, width, height, depth, call);
}

#define COPY_IMAGE(name, same_format)                                                              \
    void gl_##name(GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY,       \
                   GLint srcZ, GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX,       \
                   GLint dstY, GLint dstZ, GLsizei width, GLsizei height, GLsizei depth)           \
    {                                                                                              \
        struct side src = {.level = srcLevel, .x = srcX, .y = srcY, .z = srcZ};                    \
        struct side dst = {.level = dstLevel, .x = dstX, .y = dstY, .z = dstZ};                    \
        copy_image(srcName, srcTarget, src, dstName, dstTarget, dst, width, height, depth,         \
                   same_format, "gl" #name);                                                       \
    }
COPY_IMAGE(CopyImageSubData, false)
COPY_IMAGE(CopyImageSubDataNV, true)
