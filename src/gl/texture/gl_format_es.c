/* SPDX-License-Identifier: MIT */
/* Restrictions of OpenGL ES on formats: valid combinations of client pixels and internal formats,
 * and color-renderable formats. */
#include "gl/context/gl_context.h"
#include "gl/texture/gl_format.h"
#include "util/format.h"

struct pixels {
    uint16_t format, type;
    uint16_t internal[4]; /* terminated by 0 if fewer than four */
};

/* OpenGL ES 3.2 tables 8.2 and 8.3, and extensions. */
static const struct pixels table[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, {GL_RGBA8, GL_RGB5_A1, GL_RGBA4, GL_SRGB8_ALPHA8}},
    {GL_RGBA, GL_BYTE, {GL_RGBA8_SNORM}},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, {GL_RGBA4}},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, {GL_RGB5_A1}},
    {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, {GL_RGB10_A2, GL_RGB5_A1}},
    {GL_RGBA, GL_HALF_FLOAT, {GL_RGBA16F}},
    {GL_RGBA, GL_FLOAT, {GL_RGBA32F, GL_RGBA16F}},
    {GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, {GL_RGBA8UI}},
    {GL_RGBA_INTEGER, GL_BYTE, {GL_RGBA8I}},
    {GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, {GL_RGBA16UI}},
    {GL_RGBA_INTEGER, GL_SHORT, {GL_RGBA16I}},
    {GL_RGBA_INTEGER, GL_UNSIGNED_INT, {GL_RGBA32UI}},
    {GL_RGBA_INTEGER, GL_INT, {GL_RGBA32I}},
    {GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, {GL_RGB10_A2UI}},
    {GL_RGB, GL_UNSIGNED_BYTE, {GL_RGB8, GL_RGB565, GL_SRGB8}},
    {GL_RGB, GL_BYTE, {GL_RGB8_SNORM}},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, {GL_RGB565}},
    {GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, {GL_R11F_G11F_B10F}},
    {GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, {GL_RGB9_E5}},
    {GL_RGB, GL_HALF_FLOAT, {GL_RGB16F, GL_R11F_G11F_B10F, GL_RGB9_E5}},
    {GL_RGB, GL_FLOAT, {GL_RGB32F, GL_RGB16F, GL_R11F_G11F_B10F, GL_RGB9_E5}},
    {GL_RGB_INTEGER, GL_UNSIGNED_BYTE, {GL_RGB8UI}},
    {GL_RGB_INTEGER, GL_BYTE, {GL_RGB8I}},
    {GL_RGB_INTEGER, GL_UNSIGNED_SHORT, {GL_RGB16UI}},
    {GL_RGB_INTEGER, GL_SHORT, {GL_RGB16I}},
    {GL_RGB_INTEGER, GL_UNSIGNED_INT, {GL_RGB32UI}},
    {GL_RGB_INTEGER, GL_INT, {GL_RGB32I}},
    {GL_RG, GL_UNSIGNED_BYTE, {GL_RG8, GL_SRG8_EXT}},
    {GL_RG, GL_BYTE, {GL_RG8_SNORM}},
    {GL_RG, GL_HALF_FLOAT, {GL_RG16F}},
    {GL_RG, GL_FLOAT, {GL_RG32F, GL_RG16F}},
    {GL_RG_INTEGER, GL_UNSIGNED_BYTE, {GL_RG8UI}},
    {GL_RG_INTEGER, GL_BYTE, {GL_RG8I}},
    {GL_RG_INTEGER, GL_UNSIGNED_SHORT, {GL_RG16UI}},
    {GL_RG_INTEGER, GL_SHORT, {GL_RG16I}},
    {GL_RG_INTEGER, GL_UNSIGNED_INT, {GL_RG32UI}},
    {GL_RG_INTEGER, GL_INT, {GL_RG32I}},
    {GL_RED, GL_UNSIGNED_BYTE, {GL_R8, GL_SR8_EXT}},
    {GL_RED, GL_BYTE, {GL_R8_SNORM}},
    {GL_RED, GL_HALF_FLOAT, {GL_R16F}},
    {GL_RED, GL_FLOAT, {GL_R32F, GL_R16F}},
    {GL_RED_INTEGER, GL_UNSIGNED_BYTE, {GL_R8UI}},
    {GL_RED_INTEGER, GL_BYTE, {GL_R8I}},
    {GL_RED_INTEGER, GL_UNSIGNED_SHORT, {GL_R16UI}},
    {GL_RED_INTEGER, GL_SHORT, {GL_R16I}},
    {GL_RED_INTEGER, GL_UNSIGNED_INT, {GL_R32UI}},
    {GL_RED_INTEGER, GL_INT, {GL_R32I}},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, {GL_DEPTH_COMPONENT16}},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT16}},
    {GL_DEPTH_COMPONENT, GL_FLOAT, {GL_DEPTH_COMPONENT32F}},
    {GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, {GL_DEPTH24_STENCIL8}},
    {GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, {GL_DEPTH32F_STENCIL8}},
    {GL_RGBA, GL_UNSIGNED_BYTE, {GL_RGBA}},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, {GL_RGBA}},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, {GL_RGBA}},
    {GL_RGB, GL_UNSIGNED_BYTE, {GL_RGB}},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, {GL_RGB}},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, {GL_LUMINANCE_ALPHA}},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, {GL_LUMINANCE}},
    {GL_ALPHA, GL_UNSIGNED_BYTE, {GL_ALPHA}},
    /* OES_texture_float, OES_texture_half_float */
    {GL_RGBA, GL_FLOAT, {GL_RGBA}},
    {GL_RGB, GL_FLOAT, {GL_RGB}},
    {GL_LUMINANCE_ALPHA, GL_FLOAT, {GL_LUMINANCE_ALPHA}},
    {GL_LUMINANCE, GL_FLOAT, {GL_LUMINANCE}},
    {GL_ALPHA, GL_FLOAT, {GL_ALPHA}},
    {GL_RGBA, GL_HALF_FLOAT_OES, {GL_RGBA}},
    {GL_RGB, GL_HALF_FLOAT_OES, {GL_RGB}},
    {GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, {GL_LUMINANCE_ALPHA}},
    {GL_LUMINANCE, GL_HALF_FLOAT_OES, {GL_LUMINANCE}},
    {GL_ALPHA, GL_HALF_FLOAT_OES, {GL_ALPHA}},
    /* OES_depth_texture, OES_packed_depth_stencil, EXT_texture_format_BGRA8888 */
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, {GL_DEPTH_COMPONENT}},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, {GL_DEPTH_COMPONENT}},
    {GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, {GL_DEPTH_STENCIL}},
    {GL_BGRA, GL_UNSIGNED_BYTE, {GL_BGRA, GL_BGRA8_EXT}},
    /* EXT_texture_rg */
    {GL_RED, GL_UNSIGNED_BYTE, {GL_RED}},
    {GL_RED, GL_FLOAT, {GL_RED}},
    {GL_RED, GL_HALF_FLOAT_OES, {GL_RED}},
    {GL_RED, GL_HALF_FLOAT, {GL_RED}},
    {GL_RG, GL_UNSIGNED_BYTE, {GL_RG}},
    {GL_RG, GL_FLOAT, {GL_RG}},
    {GL_RG, GL_HALF_FLOAT_OES, {GL_RG}},
    {GL_RG, GL_HALF_FLOAT, {GL_RG}},
    /* EXT_texture_type_2_10_10_10_REV, OES_required_internalformat */
    {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, {GL_RGBA}},
    {GL_RGB, GL_UNSIGNED_INT_2_10_10_10_REV, {GL_RGB, GL_RGB10, GL_RGB8, GL_RGB565}},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, {GL_DEPTH_COMPONENT32}},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, {GL_LUMINANCE8_ALPHA8, GL_LUMINANCE4_ALPHA4}},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, {GL_LUMINANCE8}},
    {GL_ALPHA, GL_UNSIGNED_BYTE, {GL_ALPHA8}},
    /* EXT_sRGB */
    {GL_SRGB, GL_UNSIGNED_BYTE, {GL_SRGB}},
    {GL_SRGB_ALPHA, GL_UNSIGNED_BYTE, {GL_SRGB_ALPHA, GL_SRGB8_ALPHA8}},
    /* MESA_bgra */
    {GL_BGRA, GL_UNSIGNED_BYTE, {GL_RGBA, GL_RGBA8, GL_SRGB8_ALPHA8}},
    {GL_BGR, GL_UNSIGNED_BYTE, {GL_RGB, GL_RGB8, GL_SRGB8}},
    /* EXT_texture_norm16 */
    {GL_RED, GL_UNSIGNED_SHORT, {GL_R16}},
    {GL_RG, GL_UNSIGNED_SHORT, {GL_RG16}},
    {GL_RGB, GL_UNSIGNED_SHORT, {GL_RGB16}},
    {GL_RGBA, GL_UNSIGNED_SHORT, {GL_RGBA16}},
    {GL_RED, GL_SHORT, {GL_R16_SNORM}},
    {GL_RG, GL_SHORT, {GL_RG16_SNORM}},
    {GL_RGB, GL_SHORT, {GL_RGB16_SNORM}},
    {GL_RGBA, GL_SHORT, {GL_RGBA16_SNORM}},
    /* OES_texture_stencil8 */
    {GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, {GL_STENCIL_INDEX8}},
    /* EXT_texture_compression_rgtc, EXT_texture_compression_bptc */
    {GL_RED, GL_UNSIGNED_BYTE, {GL_COMPRESSED_RED_RGTC1}},
    {GL_RED, GL_BYTE, {GL_COMPRESSED_SIGNED_RED_RGTC1}},
    {GL_RG, GL_UNSIGNED_BYTE, {GL_COMPRESSED_RG_RGTC2}},
    {GL_RG, GL_BYTE, {GL_COMPRESSED_SIGNED_RG_RGTC2}},
    {GL_RGBA, GL_UNSIGNED_BYTE, {GL_COMPRESSED_RGBA_BPTC_UNORM}},
    {GL_RGBA, GL_UNSIGNED_BYTE, {GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM}},
    {GL_RGB, GL_FLOAT, {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT}},
    {GL_RGB, GL_FLOAT, {GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT}},
};

/* EXT_texture_storage: pixels of float formats that only glTexSubImage accepts. */
static const struct pixels storage_table[] = {
    {GL_RGBA, GL_FLOAT, {GL_RGBA32F}},
    {GL_RGB, GL_FLOAT, {GL_RGB32F}},
    {GL_LUMINANCE_ALPHA, GL_FLOAT, {GL_LUMINANCE_ALPHA32F_ARB}},
    {GL_LUMINANCE, GL_FLOAT, {GL_LUMINANCE32F_ARB}},
    {GL_ALPHA, GL_FLOAT, {GL_ALPHA32F_ARB}},
    {GL_RGBA, GL_HALF_FLOAT_OES, {GL_RGBA16F}},
    {GL_RGB, GL_HALF_FLOAT_OES, {GL_RGB16F}},
    {GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, {GL_LUMINANCE_ALPHA16F_ARB}},
    {GL_LUMINANCE, GL_HALF_FLOAT_OES, {GL_LUMINANCE16F_ARB}},
    {GL_ALPHA, GL_HALF_FLOAT_OES, {GL_ALPHA16F_ARB}},
    {GL_RG, GL_HALF_FLOAT_OES, {GL_RG16F}},
    {GL_RED, GL_HALF_FLOAT_OES, {GL_R16F}},
};

static bool in_table(const struct pixels *rows, unsigned count, GLint internal, GLenum format,
                     GLenum type)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4 && rows[i].internal[k]; k++)
            if (rows[i].internal[k] == internal && rows[i].format == format && rows[i].type == type)
                return true;
    return false;
}

bool gl_es_storage_pixels_match(GLint internal, GLenum format, GLenum type)
{
    return in_table(storage_table, ARRAY_SIZE(storage_table), internal, format, type);
}

bool gl_es_pixels_match(const struct gl_context *ctx, GLint internal, GLenum format, GLenum type)
{
    if (internal >= GL_COMPRESSED_RGB_S3TC_DXT1_EXT && internal <= GL_COMPRESSED_RGBA_S3TC_DXT5_EXT)
        return format == GL_RGB || format == GL_RGBA; /* EXT_texture_compression_s3tc allows both */
    bool bgra8 = format == GL_BGRA && internal == GL_BGRA8_EXT;
    bool bgr = format == GL_BGR || (format == GL_BGRA && internal != GL_BGRA && !bgra8);
    if (bgr && !ctx->ext.MESA_bgra)
        return false;
    /* Before ES 3.0, format and internal format must be equal (ES 2.0 §3.7.1), except where
     * extensions allow more. */
    if (ctx->consts.version < 30 && (GLenum)internal != format && !bgr && !bgra8 &&
        !ctx->ext.OES_required_internalformat)
        return false;
    return in_table(table, ARRAY_SIZE(table), internal, format, type);
}

/* OpenGL ES 3.2 table 8.10, EXT_color_buffer_float for earlier versions, and
 * EXT_color_buffer_half_float. */
bool gl_es_color_renderable(const struct gl_context *ctx, GLenum base, enum drv_format format)
{
    const bool rgb = base == GL_RGB;
    if (!rgb && base != GL_RED && base != GL_RG && base != GL_RGBA)
        return false;
    if (format == DRV_FORMAT_R9G9B9E5_FLOAT)
        return false;
    if (util_format_is_snorm(format))
        return !rgb && ctx->ext.EXT_render_snorm;
    if (util_format_is_srgb(format))
        return base == GL_RGBA;
    if (util_format_is_pure_integer(format))
        return !rgb;
    /* EXT_texture_norm16, OES_required_internalformat: RGB is not renderable. */
    if (!util_format_is_float(format))
        return !rgb || util_format_component_bits(format, 0) <= 8;
    bool half = util_format_component_bits(format, 0) == 16;
    if (half && ctx->ext.EXT_color_buffer_half_float)
        return true;
    return (ctx->consts.version >= 32 || ctx->ext.EXT_color_buffer_float) &&
           (!rgb || format == DRV_FORMAT_R11G11B10_FLOAT);
}
