/* SPDX-License-Identifier: MIT */
/*
 * Image units: texture levels for loads, stores and atomic operations of shaders (GL 4.6 §8.26). If
 * a unit's texture can't be accessed with its format and the shader's image type, the driver gets
 * an empty image.
 */
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/format.h"

/* ---------------------------------------------------------------------------------- formats --- */

/* Classes of tables 8.26 and 8.27: formats of a class have the same component sizes. In the order
 * of the consecutive enumerants GL_IMAGE_CLASS_4_X_32 …. */
enum image_class {
    CLASS_4X32,
    CLASS_2X32,
    CLASS_1X32,
    CLASS_4X16,
    CLASS_2X16,
    CLASS_1X16,
    CLASS_4X8,
    CLASS_2X8,
    CLASS_1X8,
    CLASS_11_11_10,
    CLASS_10_10_10_2,
};

/* es: formats of OpenGL ES 3.1. The others require NV_image_formats there. */
static const struct image_format {
    GLenum internal;
    uint16_t format;
    uint8_t image_class;
    bool es;
} formats[] = {
    {GL_RGBA32F, DRV_FORMAT_R32G32B32A32_FLOAT, CLASS_4X32, true},
    {GL_RGBA16F, DRV_FORMAT_R16G16B16A16_FLOAT, CLASS_4X16, true},
    {GL_RG32F, DRV_FORMAT_R32G32_FLOAT, CLASS_2X32, false},
    {GL_RG16F, DRV_FORMAT_R16G16_FLOAT, CLASS_2X16, false},
    {GL_R11F_G11F_B10F, DRV_FORMAT_R11G11B10_FLOAT, CLASS_11_11_10, false},
    {GL_R32F, DRV_FORMAT_R32_FLOAT, CLASS_1X32, true},
    {GL_R16F, DRV_FORMAT_R16_FLOAT, CLASS_1X16, false},
    {GL_RGBA32UI, DRV_FORMAT_R32G32B32A32_UINT, CLASS_4X32, true},
    {GL_RGBA16UI, DRV_FORMAT_R16G16B16A16_UINT, CLASS_4X16, true},
    {GL_RGB10_A2UI, DRV_FORMAT_R10G10B10A2_UINT, CLASS_10_10_10_2, false},
    {GL_RGBA8UI, DRV_FORMAT_R8G8B8A8_UINT, CLASS_4X8, true},
    {GL_RG32UI, DRV_FORMAT_R32G32_UINT, CLASS_2X32, false},
    {GL_RG16UI, DRV_FORMAT_R16G16_UINT, CLASS_2X16, false},
    {GL_RG8UI, DRV_FORMAT_R8G8_UINT, CLASS_2X8, false},
    {GL_R32UI, DRV_FORMAT_R32_UINT, CLASS_1X32, true},
    {GL_R16UI, DRV_FORMAT_R16_UINT, CLASS_1X16, false},
    {GL_R8UI, DRV_FORMAT_R8_UINT, CLASS_1X8, false},
    {GL_RGBA32I, DRV_FORMAT_R32G32B32A32_SINT, CLASS_4X32, true},
    {GL_RGBA16I, DRV_FORMAT_R16G16B16A16_SINT, CLASS_4X16, true},
    {GL_RGBA8I, DRV_FORMAT_R8G8B8A8_SINT, CLASS_4X8, true},
    {GL_RG32I, DRV_FORMAT_R32G32_SINT, CLASS_2X32, false},
    {GL_RG16I, DRV_FORMAT_R16G16_SINT, CLASS_2X16, false},
    {GL_RG8I, DRV_FORMAT_R8G8_SINT, CLASS_2X8, false},
    {GL_R32I, DRV_FORMAT_R32_SINT, CLASS_1X32, true},
    {GL_R16I, DRV_FORMAT_R16_SINT, CLASS_1X16, false},
    {GL_R8I, DRV_FORMAT_R8_SINT, CLASS_1X8, false},
    {GL_RGBA16, DRV_FORMAT_R16G16B16A16_UNORM, CLASS_4X16, false},
    {GL_RGB10_A2, DRV_FORMAT_R10G10B10A2_UNORM, CLASS_10_10_10_2, false},
    {GL_RGBA8, DRV_FORMAT_R8G8B8A8_UNORM, CLASS_4X8, true},
    {GL_RG16, DRV_FORMAT_R16G16_UNORM, CLASS_2X16, false},
    {GL_RG8, DRV_FORMAT_R8G8_UNORM, CLASS_2X8, false},
    {GL_R16, DRV_FORMAT_R16_UNORM, CLASS_1X16, false},
    {GL_R8, DRV_FORMAT_R8_UNORM, CLASS_1X8, false},
    {GL_RGBA16_SNORM, DRV_FORMAT_R16G16B16A16_SNORM, CLASS_4X16, false},
    {GL_RGBA8_SNORM, DRV_FORMAT_R8G8B8A8_SNORM, CLASS_4X8, true},
    {GL_RG16_SNORM, DRV_FORMAT_R16G16_SNORM, CLASS_2X16, false},
    {GL_RG8_SNORM, DRV_FORMAT_R8G8_SNORM, CLASS_2X8, false},
    {GL_R16_SNORM, DRV_FORMAT_R16_SNORM, CLASS_1X16, false},
    {GL_R8_SNORM, DRV_FORMAT_R8_SNORM, CLASS_1X8, false},
};

/* Returns NULL if the context doesn't have the format. */
static const struct image_format *find_format(const struct gl_context *ctx, GLint internal)
{
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
        if ((GLint)formats[i].internal == internal)
            return formats[i].es || gl_is_desktop(ctx) || ctx->ext.NV_image_formats ? &formats[i]
                                                                                    : NULL;
    return NULL;
}

enum drv_format gl_image_unit_format(const struct gl_context *ctx, GLint internal,
                                     GLenum *image_class)
{
    const struct image_format *f =
        ctx->consts.glsl->limits.max_image_units ? find_format(ctx, internal) : NULL;
    if (!f)
        return DRV_FORMAT_NONE;
    *image_class = GL_IMAGE_CLASS_4_X_32 + f->image_class;
    return f->format;
}

/* ------------------------------------------------------------------------------------ units --- */

static unsigned num_units(const struct gl_context *ctx)
{
    return ctx->consts.glsl->limits.max_image_units;
}

static GLenum initial_format(const struct gl_context *ctx)
{
    return gl_is_es(ctx) ? GL_R32UI : GL_R8;
}

/* Returns the unit's state. NULL: out of memory. */
static struct gl_image_unit *get_unit(struct gl_context *ctx, unsigned unit)
{
    if (!ctx->texture.image_unit) {
        ctx->texture.image_unit = talloc_zero_array(ctx, struct gl_image_unit, num_units(ctx));
        for (unsigned i = 0; ctx->texture.image_unit && i < num_units(ctx); i++) {
            ctx->texture.image_unit[i].access = GL_READ_ONLY;
            ctx->texture.image_unit[i].format = initial_format(ctx);
        }
    }
    return ctx->texture.image_unit ? &ctx->texture.image_unit[unit] : NULL;
}

bool gl_image_has_layers(enum gl_texture_index index)
{
    switch (index) {
    case GL_TEXTURE_INDEX_3D:
    case GL_TEXTURE_INDEX_CUBE:
    case GL_TEXTURE_INDEX_1D_ARRAY:
    case GL_TEXTURE_INDEX_2D_ARRAY:
    case GL_TEXTURE_INDEX_CUBE_ARRAY:
    case GL_TEXTURE_INDEX_2D_MS_ARRAY:
        return true;
    default:
        return false;
    }
}

static void set_unit(struct gl_context *ctx, struct gl_image_unit *u, struct gl_texture *t,
                     GLint level, bool layered, GLint layer, GLenum access, GLenum format)
{
    bool layers = t && t->target && gl_image_has_layers(t->index);
    FLUSH_VERTICES(ctx, GL_DIRTY_IMAGES);
    gl_texture_reference(ctx, &u->texture, t);
    u->level = level;
    u->layered = layers && layered;
    u->layer = layers ? layer : 0;
    u->access = access;
    u->format = format;
}

static void reset_unit(struct gl_context *ctx, struct gl_image_unit *u)
{
    set_unit(ctx, u, NULL, 0, false, 0, GL_READ_ONLY, initial_format(ctx));
}

void gl_image_units_unbind(struct gl_context *ctx, const struct gl_texture *t)
{
    for (unsigned i = 0; ctx->texture.image_unit && i < num_units(ctx); i++) {
        struct gl_image_unit *u = &ctx->texture.image_unit[i];
        if (u->texture && (!t || u->texture == t))
            reset_unit(ctx, u);
    }
}

bool gl_image_unit_get(struct gl_context *ctx, GLenum pname, GLuint unit, unsigned *limit,
                       double *value)
{
    *limit = num_units(ctx);
    if (!*limit)
        return false;
    struct gl_image_unit none = {.access = GL_READ_ONLY, .format = initial_format(ctx)};
    const struct gl_image_unit *u =
        ctx->texture.image_unit && unit < *limit ? &ctx->texture.image_unit[unit] : &none;
    switch (pname) {
    case GL_IMAGE_BINDING_NAME:
        *value = u->texture ? u->texture->name : 0;
        return true;
    case GL_IMAGE_BINDING_LEVEL:
        *value = u->level;
        return true;
    case GL_IMAGE_BINDING_LAYERED:
        *value = u->layered;
        return true;
    case GL_IMAGE_BINDING_LAYER:
        *value = u->layer;
        return true;
    case GL_IMAGE_BINDING_ACCESS:
        *value = u->access;
        return true;
    case GL_IMAGE_BINDING_FORMAT:
        *value = u->format;
        return true;
    default:
        return false;
    }
}

/* In ES, image units require textures with immutable storage (ES 3.2 §8.22). */
static bool may_be_image(const struct gl_context *ctx, const struct gl_texture *t)
{
    return gl_is_desktop(ctx) || t->immutable || t->index == GL_TEXTURE_INDEX_BUFFER ||
           t->index == GL_TEXTURE_INDEX_EXTERNAL;
}

void gl_BindImageTexture(GLuint unit, GLuint texture, GLint level, GLboolean layered, GLint layer,
                         GLenum access, GLenum format)
{
    static const char call[] = "glBindImageTexture";
    GL_CONTEXT(ctx);
    struct gl_texture *t = texture ? gl_texture_lookup(ctx, texture) : NULL;
    if (unit >= num_units(ctx))
        gl_error(ctx, GL_INVALID_VALUE, "%s(unit=%u)", call, unit);
    else if (level < 0 || layer < 0)
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d, layer=%d)", call, level, layer);
    else if (access != GL_READ_ONLY && access != GL_WRITE_ONLY && access != GL_READ_WRITE)
        gl_error(ctx, GL_INVALID_VALUE, "%s(access=%s)", call, gl_enum_name(access));
    else if (!find_format(ctx, format))
        gl_error(ctx, GL_INVALID_VALUE, "%s(format=%s)", call, gl_enum_name(format));
    else if (texture && (!t || !t->target))
        gl_error(ctx, GL_INVALID_VALUE, "%s(no texture %u)", call, texture);
    else if (t && !may_be_image(ctx, t))
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u is not immutable)", call, texture);
    else if (!get_unit(ctx, unit) || (t && format != GL_RGBA8 && !gl_texture_store_rgba(ctx, t)))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    else
        set_unit(ctx, get_unit(ctx, unit), t, level, layered, layer, access, format);
}

/* Returns why a texture can't be bound with the format of its level 0; NULL if it can. */
static const char *image_problem(const struct gl_context *ctx, const struct gl_texture *t,
                                 GLenum *format)
{
    if (!t || !t->target)
        return "no such texture";
    struct gl_image image =
        t->index == GL_TEXTURE_INDEX_BUFFER ? gl_texture_buffer_image(ctx, t) : t->image[0][0];
    *format = image.internal;
    if (!image.width || !image.height || !image.depth)
        return "level 0 has no texels";
    return find_format(ctx, image.internal) ? NULL : "its format is none of images";
}

/* Each binding succeeds or fails separately (ARB_multi_bind). */
void gl_BindImageTextures(GLuint first, GLsizei count, const GLuint *textures)
{
    static const char call[] = "glBindImageTextures";
    GL_CONTEXT(ctx);
    if (count < 0 || (uint64_t)first + count > num_units(ctx)) {
        gl_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION, "%s(first=%u, count=%d)",
                 call, first, count);
        return;
    }
    for (GLsizei i = 0; i < count; i++) {
        struct gl_image_unit *u = get_unit(ctx, first + i);
        struct gl_texture *t = NULL;
        GLenum format = 0;
        if (!u) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
            return;
        }
        if (!textures || !textures[i]) {
            reset_unit(ctx, u);
            continue;
        }
        t = gl_texture_lookup(ctx, textures[i]);
        const char *problem = image_problem(ctx, t, &format);
        if (problem)
            gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u: %s)", call, textures[i], problem);
        else
            set_unit(ctx, u, t, 0, true, 0, GL_READ_WRITE, format);
    }
}

/* ----------------------------------------------------------------------------- driver views --- */

/* Returns the target of one layer of a target. */
static enum gl_texture_index layer_target(enum gl_texture_index index)
{
    switch (index) {
    case GL_TEXTURE_INDEX_1D_ARRAY:
        return GL_TEXTURE_INDEX_1D;
    case GL_TEXTURE_INDEX_3D:
    case GL_TEXTURE_INDEX_CUBE:
    case GL_TEXTURE_INDEX_2D_ARRAY:
    case GL_TEXTURE_INDEX_CUBE_ARRAY:
    case GL_TEXTURE_INDEX_RECT:
    case GL_TEXTURE_INDEX_EXTERNAL: /* declared as image2D in shaders */
        return GL_TEXTURE_INDEX_2D;
    case GL_TEXTURE_INDEX_2D_MS_ARRAY:
        return GL_TEXTURE_INDEX_2D_MS;
    default:
        return index;
    }
}

/* Returns the unit's format if texels of the texture's internal format can be accessed with it,
 * otherwise NULL. Sizes are compared, as GL_IMAGE_FORMAT_COMPATIBILITY_TYPE reports. */
static const struct image_format *compatible_format(const struct gl_context *ctx,
                                                    const struct gl_image_unit *u, GLint internal)
{
    const struct image_format *of = find_format(ctx, internal), *as = find_format(ctx, u->format);
    if (!of || !as)
        return NULL;
    return drv_format_desc(of->format)->block_bytes == drv_format_desc(as->format)->block_bytes
               ? as
               : NULL;
}

/* Returns the driver format of the view. RGBA8 textures may be stored as BGRA8, which can't be
 * reinterpreted; then returns DRV_FORMAT_NONE. */
static enum drv_format stored_format(enum drv_format image, enum drv_format as)
{
    if (!gl_format_is_reversed(image))
        return as;
    return as == DRV_FORMAT_R8G8B8A8_UNORM ? image : DRV_FORMAT_NONE;
}

static bool describe_buffer(const struct gl_context *ctx, const struct gl_image_unit *u,
                            struct drv_image_view *v)
{
    struct drv_sampler_view texels;
    const struct image_format *f = compatible_format(ctx, u, u->texture->store.internal);
    if (!f || !u->texture->store.buffer || !gl_texture_buffer_view(ctx, u->texture, &texels))
        return false;
    *v = (struct drv_image_view){
        .resource = texels.texture,
        .format = f->format,
        .target = DRV_BUFFER,
        .buffer_offset = texels.buffer_offset,
        .buffer_size = texels.buffer_size,
    };
    return true;
}

/* Returns the number of slices, faces or layers of a level. */
static unsigned level_layers(const struct gl_texture *t, const struct gl_image *image)
{
    switch (t->index) {
    case GL_TEXTURE_INDEX_CUBE:
        return 6;
    case GL_TEXTURE_INDEX_1D_ARRAY:
        return image->height;
    case GL_TEXTURE_INDEX_3D:
    case GL_TEXTURE_INDEX_2D_ARRAY:
    case GL_TEXTURE_INDEX_CUBE_ARRAY:
    case GL_TEXTURE_INDEX_2D_MS_ARRAY:
        return image->depth;
    default:
        return 1;
    }
}

/* Returns whether the level can be accessed: the base level must be complete, other levels must be
 * part of a complete mipmap pyramid (§8.26). */
static bool has_level(struct gl_context *ctx, struct gl_texture *t, GLint level)
{
    unsigned last;
    if (t->window_image || level < t->base_level ||
        !gl_texture_levels_complete(t, level != t->base_level, &last))
        return false;
    return level <= (GLint)last && gl_texture_collect_levels(ctx, t, t->base_level, last);
}

/* Describes the driver's view of a unit for image variables of a type. Types and bindings that
 * disagree about layers are a format mismatch with undefined results (§8.26); the variable then
 * accesses the layers that are bound, as in Mesa. Returns false if the unit can't be accessed. */
static bool describe_image(struct gl_context *ctx, const struct gl_image_unit *u,
                           enum gl_texture_index shape, struct drv_image_view *v)
{
    struct gl_texture *t = u->texture;
    if (!t || layer_target(t->index) != layer_target(shape))
        return false;
    if (shape == GL_TEXTURE_INDEX_BUFFER)
        return describe_buffer(ctx, u, v);
    if (!has_level(ctx, t, u->level))
        return false;
    const struct gl_image *image = &t->image[0][u->level];
    const struct image_format *f = compatible_format(ctx, u, image->internal);
    unsigned layers = level_layers(t, image);
    if (!f || (!u->layered && u->layer >= (GLint)layers) ||
        image->samples > (unsigned)ctx->consts.glsl->limits.max_image_samples)
        return false;
    *v = (struct drv_image_view){
        .resource = t->resource,
        .format = stored_format(image->format, f->format),
        .target = gl_texture_drv_target(shape),
        .level = t->part.first_level + u->level,
        .first_layer = t->part.first_layer + (u->layered ? 0 : (unsigned)u->layer),
        .last_layer = t->part.first_layer + (u->layered ? layers - 1 : (unsigned)u->layer),
    };
    return v->format != DRV_FORMAT_NONE &&
           drv_format_desc(v->format)->block_bytes == drv_format_desc(image->format)->block_bytes;
}

unsigned gl_image_handle_layers(const struct gl_texture *t, GLint level)
{
    if (t->index == GL_TEXTURE_INDEX_BUFFER)
        return level == 0 && t->store.buffer && t->store.buffer->resource;
    if (level < 0 || level >= DRV_MAX_TEXTURE_LEVELS)
        return 0;
    const struct gl_image *image = &t->image[0][level];
    return image->width && image->height && image->depth ? level_layers(t, image) : 0;
}

bool gl_describe_handle_image(struct gl_context *ctx, const struct gl_image_unit *unit,
                              struct drv_image_view *view)
{
    struct gl_image_unit u = *unit;
    enum gl_texture_index index = u.texture->index;
    bool one_layer = gl_image_has_layers(index) && !u.layered;
    u.layered &= gl_image_has_layers(index);
    if (one_layer || index == GL_TEXTURE_INDEX_EXTERNAL)
        index = layer_target(index);
    return describe_image(ctx, &u, index, view);
}

void gl_update_stage_images(struct gl_context *ctx, enum shader_stage stage,
                            const struct gl_image_use *uses, unsigned num)
{
    struct drv_image_view views[DRV_MAX_IMAGES] = {{0}};
    uint8_t *had = &ctx->texture.num_images[stage];
    unsigned count = MAX2(num, *had);
    for (unsigned i = 0; i < num; i++) {
        const struct gl_image_use *use = &uses[i];
        if (!use->used || use->unit >= num_units(ctx) || !ctx->texture.image_unit)
            continue;
        const struct gl_image_unit *u = &ctx->texture.image_unit[use->unit];
        if (!describe_image(ctx, u, use->index, &views[i]))
            views[i] = (struct drv_image_view){0};
        else if (views[i].resource && gl_has_mirror(views[i].resource))
            gl_mirror_draw(ctx, views[i].resource); /* the shader may write it */
    }
    if (count)
        ctx->drv->ops->set_images(ctx->drv, stage, 0, count, views);
    *had = num;
}
