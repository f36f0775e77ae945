/* SPDX-License-Identifier: MIT */
/* Texture views: textures that share the storage of an immutable texture (GL 4.6 §8.18). */
#include "gl/context/gl_context.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

#define BIT(index) (1u << GL_TEXTURE_INDEX_##index)

/* Table 8.20: valid targets of views, indexed by the original texture's target. */
static const uint16_t view_targets[GL_TEXTURE_INDEX_COUNT] = {
    [GL_TEXTURE_INDEX_1D] = BIT(1D) | BIT(1D_ARRAY),
    [GL_TEXTURE_INDEX_2D] = BIT(2D) | BIT(2D_ARRAY),
    [GL_TEXTURE_INDEX_3D] = BIT(3D),
    [GL_TEXTURE_INDEX_RECT] = BIT(RECT),
    [GL_TEXTURE_INDEX_CUBE] = BIT(CUBE) | BIT(2D) | BIT(2D_ARRAY) | BIT(CUBE_ARRAY),
    [GL_TEXTURE_INDEX_1D_ARRAY] = BIT(1D_ARRAY) | BIT(1D),
    [GL_TEXTURE_INDEX_2D_ARRAY] = BIT(2D_ARRAY) | BIT(2D) | BIT(CUBE) | BIT(CUBE_ARRAY),
    [GL_TEXTURE_INDEX_CUBE_ARRAY] = BIT(CUBE_ARRAY) | BIT(2D_ARRAY) | BIT(2D) | BIT(CUBE),
    [GL_TEXTURE_INDEX_2D_MS] = BIT(2D_MS) | BIT(2D_MS_ARRAY),
    [GL_TEXTURE_INDEX_2D_MS_ARRAY] = BIT(2D_MS) | BIT(2D_MS_ARRAY),
};

/* Table 8.22 without the ASTC formats, with those of EXT_texture_sRGB_R8 and _RG8. */
static const struct {
    GLenum view_class;
    uint16_t format[17];
} view_classes[] = {
    {GL_VIEW_CLASS_128_BITS, {GL_RGBA32F, GL_RGBA32UI, GL_RGBA32I}},
    {GL_VIEW_CLASS_96_BITS, {GL_RGB32F, GL_RGB32UI, GL_RGB32I}},
    {GL_VIEW_CLASS_64_BITS,
     {GL_RGBA16F, GL_RG32F, GL_RGBA16UI, GL_RG32UI, GL_RGBA16I, GL_RG32I, GL_RGBA16,
      GL_RGBA16_SNORM}},
    {GL_VIEW_CLASS_48_BITS, {GL_RGB16, GL_RGB16_SNORM, GL_RGB16F, GL_RGB16UI, GL_RGB16I}},
    {GL_VIEW_CLASS_32_BITS,
     {GL_RG16F, GL_R11F_G11F_B10F, GL_R32F, GL_RGB10_A2UI, GL_RGBA8UI, GL_RG16UI, GL_R32UI,
      GL_RGBA8I, GL_RG16I, GL_R32I, GL_RGB10_A2, GL_RGBA8, GL_RG16, GL_RGBA8_SNORM, GL_RG16_SNORM,
      GL_SRGB8_ALPHA8, GL_RGB9_E5}},
    {GL_VIEW_CLASS_24_BITS, {GL_RGB8, GL_RGB8_SNORM, GL_SRGB8, GL_RGB8UI, GL_RGB8I}},
    {GL_VIEW_CLASS_16_BITS,
     {GL_R16F, GL_RG8UI, GL_R16UI, GL_RG8I, GL_R16I, GL_RG8, GL_R16, GL_RG8_SNORM, GL_R16_SNORM,
      GL_SRG8_EXT}},
    {GL_VIEW_CLASS_8_BITS, {GL_R8UI, GL_R8I, GL_R8, GL_R8_SNORM, GL_SR8_EXT}},
    {GL_VIEW_CLASS_RGTC1_RED, {GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_SIGNED_RED_RGTC1}},
    {GL_VIEW_CLASS_RGTC2_RG, {GL_COMPRESSED_RG_RGTC2, GL_COMPRESSED_SIGNED_RG_RGTC2}},
    {GL_VIEW_CLASS_BPTC_UNORM,
     {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM}},
    {GL_VIEW_CLASS_BPTC_FLOAT,
     {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT}},
    {GL_VIEW_CLASS_S3TC_DXT1_RGB,
     {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT}},
    {GL_VIEW_CLASS_S3TC_DXT1_RGBA,
     {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT}},
    {GL_VIEW_CLASS_S3TC_DXT3_RGBA,
     {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT}},
    {GL_VIEW_CLASS_S3TC_DXT5_RGBA,
     {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}},
    {GL_VIEW_CLASS_EAC_R11, {GL_COMPRESSED_R11_EAC, GL_COMPRESSED_SIGNED_R11_EAC}},
    {GL_VIEW_CLASS_EAC_RG11, {GL_COMPRESSED_RG11_EAC, GL_COMPRESSED_SIGNED_RG11_EAC}},
    {GL_VIEW_CLASS_ETC2_RGB, {GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_SRGB8_ETC2}},
    {GL_VIEW_CLASS_ETC2_RGBA,
     {GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2}},
    {GL_VIEW_CLASS_ETC2_EAC_RGBA,
     {GL_COMPRESSED_RGBA8_ETC2_EAC, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC}},
};

GLenum gl_view_class(GLint internal)
{
    /* ASTC block sizes have the same order in the view classes, the linear and the sRGB formats. */
    const GLint sizes = GL_VIEW_CLASS_ASTC_12x12_RGBA - GL_VIEW_CLASS_ASTC_4x4_RGBA;
    GLint linear = internal - GL_COMPRESSED_RGBA_ASTC_4x4_KHR;
    GLint srgb = internal - GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR;
    if (linear >= 0 && linear <= sizes)
        return GL_VIEW_CLASS_ASTC_4x4_RGBA + linear;
    if (srgb >= 0 && srgb <= sizes)
        return GL_VIEW_CLASS_ASTC_4x4_RGBA + srgb;
    for (unsigned i = 0; i < ARRAY_SIZE(view_classes); i++)
        for (unsigned k = 0; k < ARRAY_SIZE(view_classes[i].format); k++)
            if (internal && view_classes[i].format[k] == internal)
                return view_classes[i].view_class;
    return GL_NONE;
}

bool gl_format_is_astc(GLint internal)
{
    GLenum view_class = gl_view_class(internal);
    return view_class >= GL_VIEW_CLASS_ASTC_4x4_RGBA && view_class <= GL_VIEW_CLASS_ASTC_12x12_RGBA;
}

bool gl_view_formats_match(GLint a, GLint b)
{
    return a == b || (gl_view_class(a) != GL_NONE && gl_view_class(a) == gl_view_class(b));
}

/* Levels and layers of the original texture that the view shows. layers is layers_asked, clamped to
 * the available layers. */
struct range {
    unsigned first_level, levels, first_layer, layers, layers_asked;
};

/* Checks that the number of layers is valid for the target and that the image's sizes are (§8.18).
 * False: an error was raised. */
static bool shape_ok(struct gl_context *ctx, enum gl_texture_index index,
                     const struct gl_image *image, const struct range *r, const char *call)
{
    bool cube = index == GL_TEXTURE_INDEX_CUBE, cubes = index == GL_TEXTURE_INDEX_CUBE_ARRAY;
    bool array = cubes || index == GL_TEXTURE_INDEX_1D_ARRAY ||
                 index == GL_TEXTURE_INDEX_2D_ARRAY || index == GL_TEXTURE_INDEX_2D_MS_ARRAY;
    if (cube ? r->layers != 6 : cubes ? r->layers % 6 != 0 : !array && r->layers_asked != 1) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(numlayers=%u)", call, r->layers_asked);
        return false;
    }
    bool rows = index == GL_TEXTURE_INDEX_1D_ARRAY;
    if (((cube || cubes) && image->width != image->height) ||
        !gl_image_size_ok(ctx, index, 0, image->width, rows ? (GLsizei)r->layers : image->height,
                          array && !rows                 ? (GLsizei)r->layers
                          : index == GL_TEXTURE_INDEX_3D ? image->depth
                                                         : 1,
                          0)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%d × %d)", call, image->width, image->height);
        return false;
    }
    return true;
}

/* Sets the view's images from those of the original, with the view's format and layers. */
static void show(struct gl_context *ctx, struct gl_texture *view, const struct gl_texture *from,
                 GLint internal, enum drv_format format, const struct range *r)
{
    drv_resource_reference(&view->resource, from->resource);
    view->immutable = true;
    view->sparse = from->sparse;
    view->page_size_index = from->page_size_index;
    view->immutable_levels = from->immutable_levels;
    view->part.first_level = from->part.first_level + r->first_level;
    view->part.first_layer = from->part.first_layer + r->first_layer;
    view->part.levels = r->levels;
    view->part.layers = r->layers;
    bool rows_before = from->index == GL_TEXTURE_INDEX_1D_ARRAY;
    for (unsigned f = 0; f < gl_texture_faces(view->index); f++)
        for (unsigned l = 0; l < r->levels; l++) {
            const struct gl_image *old = &from->image[0][r->first_level + l];
            struct gl_image *image = &view->image[f][l];
            *image = *old;
            image->resource = NULL;
            drv_resource_reference(&image->resource, from->resource);
            image->internal = internal;
            image->base = gl_base_format(ctx, internal);
            image->format = format;
            image->layer = view->part.first_layer + f;
            if (rows_before)
                image->height = 1;
            if (view->index == GL_TEXTURE_INDEX_1D_ARRAY)
                image->height = r->layers;
            else if (view->index != GL_TEXTURE_INDEX_3D)
                image->depth = view->index == GL_TEXTURE_INDEX_CUBE ? 1 : (GLsizei)r->layers;
        }
    gl_texture_update_levels(view);
}

/* Returns the original texture and the range to view. NULL: an error was raised. */
static const struct gl_texture *find_original(struct gl_context *ctx, GLuint name, GLuint level,
                                              GLuint levels, GLuint layer, GLuint layers,
                                              struct range *r, const char *call)
{
    const struct gl_texture *t = gl_texture_lookup(ctx, name);
    if (!t || !t->target) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(origtexture=%u)", call, name);
        return NULL;
    }
    if (!t->immutable) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u is not immutable)", call, name);
        return NULL;
    }
    bool inside = level < t->part.levels && layer < t->part.layers;
    if (!inside || !levels || !layers) {
        gl_error(ctx, inside ? GL_INVALID_OPERATION : GL_INVALID_VALUE,
                 "%s(levels %u + %u of %u, layers %u + %u of %u)", call, level, levels,
                 t->part.levels, layer, layers, t->part.layers);
        return NULL;
    }
    *r = (struct range){level, MIN2(levels, t->part.levels - level), layer,
                        MIN2(layers, t->part.layers - layer), layers};
    return t;
}

void gl_TextureView(GLuint texture, GLenum target, GLuint origtexture, GLenum internalformat,
                    GLuint minlevel, GLuint numlevels, GLuint minlayer, GLuint numlayers)
{
    GL_CONTEXT(ctx);
    const char *call = "glTextureView";
    struct range r;
    if (!texture) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(texture=0)", call);
        return;
    }
    const struct gl_texture *from =
        find_original(ctx, origtexture, minlevel, numlevels, minlayer, numlayers, &r, call);
    if (!from)
        return;
    struct gl_texture *view = gl_texture_lookup(ctx, texture);
    if ((!view && !gl_names_is_used(&ctx->shared->textures, texture)) || (view && view->target)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture=%u)", call, texture);
        return;
    }
    int index = gl_texture_target_index(ctx, target);
    if (index < 0 || gl_is_proxy(target) || !(view_targets[from->index] >> index & 1)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(target=%s of %s)", call, gl_enum_name(target),
                 gl_enum_name(from->target));
        return;
    }
    const struct gl_image *image = &from->image[0][minlevel];
    enum drv_format format =
        gl_choose_format(ctx, internalformat, 0, 0, gl_texture_drv_target(index), image->samples,
                         DRV_BIND_SAMPLER_VIEW);
    if ((GLint)internalformat == image->internal)
        format = image->format;
    if (!gl_view_formats_match(image->internal, internalformat) || format == DRV_FORMAT_NONE) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(internalformat=%s of %s)", call,
                 gl_enum_name(internalformat), gl_enum_name(image->internal));
        return;
    }
    if (!shape_ok(ctx, index, image, &r, call))
        return;
    if (!view)
        view = gl_texture_make(ctx, texture, target);
    if (!view) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_texture_set_target(view, target, index);
    show(ctx, view, from, internalformat, format, &r);
    gl_texture_changed(ctx, view);
}
