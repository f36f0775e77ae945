/* SPDX-License-Identifier: MIT */
/* Table of internal formats: GL 4.6 compatibility tables 8.12 to 8.14 and formats of extensions.
 * Each row lists the driver formats that can store it, in order of preference. */
#include "gl/texture/gl_format.h"

#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_teximage.h"
#include "util/format.h"

#define F(x) DRV_FORMAT_##x

/* APIs, versions and extensions that have a format. */
enum where {
    BOTH,    /* desktop and ES */
    DESKTOP, /* all of desktop GL */
    COMPAT,  /* legacy formats of the compatibility profile */
    ES,      /* ES only, possibly as a sized format of an ES extension */
    BGRA8,   /* GL_EXT_texture_format_BGRA8888 since ES 2.0 */
    RG,      /* GL_ARB_texture_rg, GL 3.0, ES 3.0 */
    NORM16,  /* desktop, GL_EXT_texture_norm16 */
    RG_NORM16,
    SNORM16,
    FLOATS,        /* GL_ARB_texture_float, GL 3.0, ES 3.0 */
    LEGACY_FLOATS, /* GL_ARB_texture_float, GL_EXT_texture_storage (ES) */
    INTEGER,       /* GL 3.0, ES 3.0, GL_EXT_texture_integer (with GL_ARB_texture_rg) */
    LEGACY_INTEGER,
    INTEGER_2_10, /* GL_ARB_texture_rgb10_a2ui, GL 3.3, ES 3.0 */
    SRGB,         /* GL 2.1, ES 3.0, GL_EXT_sRGB (ES) */
    SRGB_R,       /* GL_EXT_texture_sRGB_R8 (ES) */
    SRGB_RG,      /* GL_EXT_texture_sRGB_RG8 (ES) */
    SNORM,        /* GL_EXT_texture_snorm, GL 3.1, ES 3.0 */
    LEGACY_SNORM,
    PACKED_FLOAT,    /* GL 3.0, ES 3.0, GL_EXT_packed_float */
    SHARED_EXPONENT, /* GL 3.0, ES 3.0, GL_EXT_texture_shared_exponent */
    PACKED_DS,       /* GL_EXT_packed_depth_stencil */
    DEPTH_FLOAT,     /* GL 3.0, ES 3.0, GL_ARB_depth_buffer_float */
    STENCIL,         /* for renderbuffers */
    S3TC,     /* GL_EXT_texture_compression_s3tc; other extensions have some of the formats */
    S3TC_OLD, /* GL_S3_s3tc */
    S3TC_SRGB,
    RGTC,
    LATC,
    LATC_ATI,
    FXT1,
    BPTC,
    ETC1,
    ETC2, /* ES 3.0, GL_ARB_ES3_compatibility */
    ASTC,
    RGB565,
    INT10,
};

struct format {
    GLenum internal, base;
    enum where where;
    bool compressed;
    enum drv_format drv[6];
};

#define RGBA8_LIKE F(R8G8B8A8_UNORM), F(B8G8R8A8_UNORM)
#define RGB8_LIKE  F(R8G8B8X8_UNORM), F(B8G8R8X8_UNORM), RGBA8_LIKE

static const struct format formats[] = {
    {1, GL_LUMINANCE, COMPAT, 0, {F(L8_UNORM), RGBA8_LIKE}},
    {2, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_UNORM), RGBA8_LIKE}},
    {3, GL_RGB, COMPAT, 0, {RGB8_LIKE}},
    {4, GL_RGBA, COMPAT, 0, {RGBA8_LIKE}},
    {GL_RGBA, GL_RGBA, BOTH, 0, {RGBA8_LIKE}},
    {GL_BGRA, GL_RGBA, ES, 0, {F(B8G8R8A8_UNORM), F(R8G8B8A8_UNORM)}},
    {GL_BGRA8_EXT, GL_RGBA, BGRA8, 0, {F(B8G8R8A8_UNORM), F(R8G8B8A8_UNORM)}},
    {GL_RGB, GL_RGB, BOTH, 0, {RGB8_LIKE}},
    {GL_RGBA8, GL_RGBA, BOTH, 0, {RGBA8_LIKE}},
    {GL_RGB8, GL_RGB, BOTH, 0, {RGB8_LIKE}},
    {GL_RGBA2, GL_RGBA, DESKTOP, 0, {F(B4G4R4A4_UNORM), RGBA8_LIKE}},
    {GL_RGBA4, GL_RGBA, BOTH, 0, {F(B4G4R4A4_UNORM), F(A4B4G4R4_UNORM), RGBA8_LIKE}},
    {GL_RGB5_A1, GL_RGBA, BOTH, 0, {F(B5G5R5A1_UNORM), F(A1B5G5R5_UNORM), RGBA8_LIKE}},
    {GL_RGB565, GL_RGB, RGB565, 0, {F(B5G6R5_UNORM), RGB8_LIKE}},
    {GL_RGB10_A2, GL_RGBA, DESKTOP, 0, {F(R10G10B10A2_UNORM), F(B10G10R10A2_UNORM), RGBA8_LIKE}},
    {GL_RGB10_A2, GL_RGBA, INT10, 0, {F(R10G10B10A2_UNORM), F(B10G10R10A2_UNORM), RGBA8_LIKE}},
    {GL_RGBA12, GL_RGBA, DESKTOP, 0, {F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_RGBA16, GL_RGBA, NORM16, 0, {F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_R3_G3_B2, GL_RGB, DESKTOP, 0, {F(B2G3R3_UNORM), F(B5G6R5_UNORM), RGB8_LIKE}},
    {GL_RGB4, GL_RGB, DESKTOP, 0, {F(B5G6R5_UNORM), RGB8_LIKE}},
    {GL_RGB5, GL_RGB, DESKTOP, 0, {F(B5G5R5X1_UNORM), F(B5G6R5_UNORM), RGB8_LIKE}},
    {GL_RGB10, GL_RGB, DESKTOP, 0, {F(R10G10B10X2_UNORM), F(R10G10B10A2_UNORM), RGB8_LIKE}},
    {GL_RGB12, GL_RGB, DESKTOP, 0, {F(R16G16B16X16_UNORM), F(R16G16B16A16_UNORM), RGB8_LIKE}},
    {GL_RGB16, GL_RGB, NORM16, 0, {F(R16G16B16X16_UNORM), F(R16G16B16A16_UNORM), RGB8_LIKE}},

    {GL_ALPHA, GL_ALPHA, COMPAT, 0, {F(A8_UNORM), RGBA8_LIKE}},
    {GL_ALPHA4, GL_ALPHA, COMPAT, 0, {F(A8_UNORM), RGBA8_LIKE}},
    {GL_ALPHA8, GL_ALPHA, COMPAT, 0, {F(A8_UNORM), RGBA8_LIKE}},
    {GL_ALPHA12, GL_ALPHA, COMPAT, 0, {F(A16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_ALPHA16, GL_ALPHA, COMPAT, 0, {F(A16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE, GL_LUMINANCE, COMPAT, 0, {F(L8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE4, GL_LUMINANCE, COMPAT, 0, {F(L8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE8, GL_LUMINANCE, COMPAT, 0, {F(L8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE12, GL_LUMINANCE, COMPAT, 0, {F(L16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE16, GL_LUMINANCE, COMPAT, 0, {F(L16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE4_ALPHA4, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE6_ALPHA2, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE12_ALPHA4,
     GL_LUMINANCE_ALPHA,
     COMPAT,
     0,
     {F(L16A16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE12_ALPHA12,
     GL_LUMINANCE_ALPHA,
     COMPAT,
     0,
     {F(L16A16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_LUMINANCE16_ALPHA16,
     GL_LUMINANCE_ALPHA,
     COMPAT,
     0,
     {F(L16A16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_INTENSITY, GL_INTENSITY, COMPAT, 0, {F(I8_UNORM), RGBA8_LIKE}},
    {GL_INTENSITY4, GL_INTENSITY, COMPAT, 0, {F(I8_UNORM), RGBA8_LIKE}},
    {GL_INTENSITY8, GL_INTENSITY, COMPAT, 0, {F(I8_UNORM), RGBA8_LIKE}},
    {GL_INTENSITY12, GL_INTENSITY, COMPAT, 0, {F(I16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},
    {GL_INTENSITY16, GL_INTENSITY, COMPAT, 0, {F(I16_UNORM), F(R16G16B16A16_UNORM), RGBA8_LIKE}},

    {GL_DEPTH_COMPONENT,
     GL_DEPTH_COMPONENT,
     BOTH,
     0,
     {F(Z24X8_UNORM), F(Z24S8_UNORM), F(Z32_UNORM), F(Z32_FLOAT), F(Z16_UNORM)}},
    {GL_DEPTH_COMPONENT16,
     GL_DEPTH_COMPONENT,
     BOTH,
     0,
     {F(Z16_UNORM), F(Z24X8_UNORM), F(Z24S8_UNORM), F(Z32_FLOAT)}},
    {GL_DEPTH_COMPONENT24,
     GL_DEPTH_COMPONENT,
     BOTH,
     0,
     {F(Z24X8_UNORM), F(Z24S8_UNORM), F(Z32_UNORM), F(Z32_FLOAT)}},
    {GL_DEPTH_COMPONENT32,
     GL_DEPTH_COMPONENT,
     BOTH,
     0,
     {F(Z32_UNORM), F(Z32_FLOAT), F(Z24X8_UNORM), F(Z24S8_UNORM)}},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, DEPTH_FLOAT, 0, {F(Z32_FLOAT)}},
    {GL_DEPTH_STENCIL, GL_DEPTH_STENCIL, PACKED_DS, 0, {F(Z24S8_UNORM), F(Z32S8X24_FLOAT)}},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, PACKED_DS, 0, {F(Z24S8_UNORM), F(Z32S8X24_FLOAT)}},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, DEPTH_FLOAT, 0, {F(Z32S8X24_FLOAT)}},
    {GL_STENCIL_INDEX, GL_STENCIL_INDEX, STENCIL, 0, {F(S8_UINT), F(Z24S8_UNORM)}},
    {GL_STENCIL_INDEX1, GL_STENCIL_INDEX, STENCIL, 0, {F(S8_UINT), F(Z24S8_UNORM)}},
    {GL_STENCIL_INDEX4, GL_STENCIL_INDEX, STENCIL, 0, {F(S8_UINT), F(Z24S8_UNORM)}},
    {GL_STENCIL_INDEX8, GL_STENCIL_INDEX, STENCIL, 0, {F(S8_UINT), F(Z24S8_UNORM)}},
    {GL_STENCIL_INDEX16, GL_STENCIL_INDEX, STENCIL, 0, {F(S8_UINT), F(Z24S8_UNORM)}},

    {GL_RED, GL_RED, RG, 0, {F(R8_UNORM), RGBA8_LIKE}},
    {GL_RG, GL_RG, RG, 0, {F(R8G8_UNORM), RGBA8_LIKE}},
    {GL_R8, GL_RED, RG, 0, {F(R8_UNORM), RGBA8_LIKE}},
    {GL_RG8, GL_RG, RG, 0, {F(R8G8_UNORM), RGBA8_LIKE}},
    {GL_R16, GL_RED, RG_NORM16, 0, {F(R16_UNORM), F(R16G16B16A16_UNORM)}},
    {GL_RG16, GL_RG, RG_NORM16, 0, {F(R16G16_UNORM), F(R16G16B16A16_UNORM)}},
    {GL_R16F, GL_RED, FLOATS, 0, {F(R16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_RG16F, GL_RG, FLOATS, 0, {F(R16G16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_RGB16F, GL_RGB, FLOATS, 0, {F(R16G16B16X16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_RGBA16F, GL_RGBA, FLOATS, 0, {F(R16G16B16A16_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_R32F, GL_RED, FLOATS, 0, {F(R32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_RG32F, GL_RG, FLOATS, 0, {F(R32G32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_RGB32F, GL_RGB, FLOATS, 0, {F(R32G32B32X32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_RGBA32F, GL_RGBA, FLOATS, 0, {F(R32G32B32A32_FLOAT)}},
    {GL_ALPHA16F_ARB, GL_ALPHA, LEGACY_FLOATS, 0, {F(A16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_ALPHA32F_ARB, GL_ALPHA, LEGACY_FLOATS, 0, {F(A32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_LUMINANCE16F_ARB, GL_LUMINANCE, LEGACY_FLOATS, 0, {F(L16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_LUMINANCE32F_ARB, GL_LUMINANCE, LEGACY_FLOATS, 0, {F(L32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_LUMINANCE_ALPHA16F_ARB,
     GL_LUMINANCE_ALPHA,
     LEGACY_FLOATS,
     0,
     {F(L16A16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_LUMINANCE_ALPHA32F_ARB,
     GL_LUMINANCE_ALPHA,
     LEGACY_FLOATS,
     0,
     {F(L32A32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_INTENSITY16F_ARB, GL_INTENSITY, LEGACY_FLOATS, 0, {F(I16_FLOAT), F(R16G16B16A16_FLOAT)}},
    {GL_INTENSITY32F_ARB, GL_INTENSITY, LEGACY_FLOATS, 0, {F(I32_FLOAT), F(R32G32B32A32_FLOAT)}},
    {GL_R11F_G11F_B10F, GL_RGB, PACKED_FLOAT, 0, {F(R11G11B10_FLOAT)}},
    {GL_RGB9_E5, GL_RGB, SHARED_EXPONENT, 0, {F(R9G9B9E5_FLOAT)}},

    {GL_SRGB, GL_RGB, SRGB, 0, {F(R8G8B8X8_SRGB), F(R8G8B8A8_SRGB), F(B8G8R8A8_SRGB)}},
    {GL_SRGB8, GL_RGB, SRGB, 0, {F(R8G8B8X8_SRGB), F(R8G8B8A8_SRGB), F(B8G8R8A8_SRGB)}},
    {GL_SRGB_ALPHA, GL_RGBA, SRGB, 0, {F(R8G8B8A8_SRGB), F(B8G8R8A8_SRGB)}},
    {GL_SRGB8_ALPHA8, GL_RGBA, SRGB, 0, {F(R8G8B8A8_SRGB), F(B8G8R8A8_SRGB)}},
    {GL_SR8_EXT, GL_RED, SRGB_R, 0, {F(R8_SRGB)}},
    {GL_SRG8_EXT, GL_RG, SRGB_RG, 0, {F(R8G8_SRGB)}},
    {GL_SLUMINANCE, GL_LUMINANCE, COMPAT, 0, {F(L8_SRGB), F(R8G8B8A8_SRGB)}},
    {GL_SLUMINANCE8, GL_LUMINANCE, COMPAT, 0, {F(L8_SRGB), F(R8G8B8A8_SRGB)}},
    {GL_SLUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_SRGB), F(R8G8B8A8_SRGB)}},
    {GL_SLUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_SRGB), F(R8G8B8A8_SRGB)}},

    {GL_R8_SNORM, GL_RED, SNORM, 0, {F(R8_SNORM)}},
    {GL_RG8_SNORM, GL_RG, SNORM, 0, {F(R8G8_SNORM)}},
    {GL_RGB8_SNORM, GL_RGB, SNORM, 0, {F(R8G8B8X8_SNORM)}},
    {GL_RGBA8_SNORM, GL_RGBA, SNORM, 0, {F(R8G8B8A8_SNORM)}},
    {GL_R16_SNORM, GL_RED, SNORM16, 0, {F(R16_SNORM)}},
    {GL_RG16_SNORM, GL_RG, SNORM16, 0, {F(R16G16_SNORM)}},
    {GL_RGB16_SNORM, GL_RGB, SNORM16, 0, {F(R16G16B16X16_SNORM)}},
    {GL_RGBA16_SNORM, GL_RGBA, SNORM16, 0, {F(R16G16B16A16_SNORM)}},
    {GL_RED_SNORM, GL_RED, LEGACY_SNORM, 0, {F(R8_SNORM)}},
    {GL_RG_SNORM, GL_RG, LEGACY_SNORM, 0, {F(R8G8_SNORM)}},
    {GL_RGB_SNORM, GL_RGB, LEGACY_SNORM, 0, {F(R8G8B8X8_SNORM)}},
    {GL_RGBA_SNORM, GL_RGBA, LEGACY_SNORM, 0, {F(R8G8B8A8_SNORM)}},
    {GL_ALPHA_SNORM, GL_ALPHA, LEGACY_SNORM, 0, {F(A8_SNORM)}},
    {GL_LUMINANCE_SNORM, GL_LUMINANCE, LEGACY_SNORM, 0, {F(L8_SNORM)}},
    {GL_LUMINANCE_ALPHA_SNORM, GL_LUMINANCE_ALPHA, LEGACY_SNORM, 0, {F(L8A8_SNORM)}},
    {GL_INTENSITY_SNORM, GL_INTENSITY, LEGACY_SNORM, 0, {F(I8_SNORM)}},
    {GL_ALPHA8_SNORM, GL_ALPHA, LEGACY_SNORM, 0, {F(A8_SNORM)}},
    {GL_LUMINANCE8_SNORM, GL_LUMINANCE, LEGACY_SNORM, 0, {F(L8_SNORM)}},
    {GL_LUMINANCE8_ALPHA8_SNORM, GL_LUMINANCE_ALPHA, LEGACY_SNORM, 0, {F(L8A8_SNORM)}},
    {GL_INTENSITY8_SNORM, GL_INTENSITY, LEGACY_SNORM, 0, {F(I8_SNORM)}},
    {GL_ALPHA16_SNORM, GL_ALPHA, LEGACY_SNORM, 0, {F(A16_SNORM)}},
    {GL_LUMINANCE16_SNORM, GL_LUMINANCE, LEGACY_SNORM, 0, {F(L16_SNORM)}},
    {GL_LUMINANCE16_ALPHA16_SNORM, GL_LUMINANCE_ALPHA, LEGACY_SNORM, 0, {F(L16A16_SNORM)}},
    {GL_INTENSITY16_SNORM, GL_INTENSITY, LEGACY_SNORM, 0, {F(I16_SNORM)}},

#define INTEGERS(bits)                                                                             \
    {GL_R##bits##UI, GL_RED, INTEGER, 0, {F(R##bits##_UINT)}},                                     \
        {GL_R##bits##I, GL_RED, INTEGER, 0, {F(R##bits##_SINT)}},                                  \
        {GL_RG##bits##UI, GL_RG, INTEGER, 0, {F(R##bits##G##bits##_UINT)}},                        \
        {GL_RG##bits##I, GL_RG, INTEGER, 0, {F(R##bits##G##bits##_SINT)}},                         \
        {GL_RGB##bits##UI, GL_RGB, INTEGER, 0, {F(R##bits##G##bits##B##bits##A##bits##_UINT)}},    \
        {GL_RGB##bits##I, GL_RGB, INTEGER, 0, {F(R##bits##G##bits##B##bits##A##bits##_SINT)}},     \
        {GL_RGBA##bits##UI, GL_RGBA, INTEGER, 0, {F(R##bits##G##bits##B##bits##A##bits##_UINT)}},  \
        {GL_RGBA##bits##I, GL_RGBA, INTEGER, 0, {F(R##bits##G##bits##B##bits##A##bits##_SINT)}},   \
        {GL_ALPHA##bits##UI_EXT, GL_ALPHA, LEGACY_INTEGER, 0, {F(A##bits##_UINT)}},                \
        {GL_ALPHA##bits##I_EXT, GL_ALPHA, LEGACY_INTEGER, 0, {F(A##bits##_SINT)}},                 \
        {GL_LUMINANCE##bits##UI_EXT, GL_LUMINANCE, LEGACY_INTEGER, 0, {F(L##bits##_UINT)}},        \
        {GL_LUMINANCE##bits##I_EXT, GL_LUMINANCE, LEGACY_INTEGER, 0, {F(L##bits##_SINT)}},         \
        {GL_LUMINANCE_ALPHA##bits##UI_EXT,                                                         \
         GL_LUMINANCE_ALPHA,                                                                       \
         LEGACY_INTEGER,                                                                           \
         0,                                                                                        \
         {F(L##bits##A##bits##_UINT)}},                                                            \
        {GL_LUMINANCE_ALPHA##bits##I_EXT,                                                          \
         GL_LUMINANCE_ALPHA,                                                                       \
         LEGACY_INTEGER,                                                                           \
         0,                                                                                        \
         {F(L##bits##A##bits##_SINT)}},                                                            \
        {GL_INTENSITY##bits##UI_EXT, GL_INTENSITY, LEGACY_INTEGER, 0, {F(I##bits##_UINT)}},        \
        {GL_INTENSITY##bits##I_EXT, GL_INTENSITY, LEGACY_INTEGER, 0, {F(I##bits##_SINT)}},
    INTEGERS(8) INTEGERS(16) INTEGERS(32)
#undef INTEGERS
        {GL_RGB10_A2UI, GL_RGBA, INTEGER_2_10, 0, {F(R10G10B10A2_UINT)}},

    {GL_COMPRESSED_ALPHA, GL_ALPHA, COMPAT, 0, {F(A8_UNORM), RGBA8_LIKE}},
    {GL_COMPRESSED_LUMINANCE, GL_LUMINANCE, COMPAT, 0, {F(L8_UNORM), RGBA8_LIKE}},
    {GL_COMPRESSED_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, COMPAT, 0, {F(L8A8_UNORM), RGBA8_LIKE}},
    {GL_COMPRESSED_INTENSITY, GL_INTENSITY, COMPAT, 0, {F(I8_UNORM), RGBA8_LIKE}},
    {GL_COMPRESSED_RGB, GL_RGB, DESKTOP, 0, {RGB8_LIKE}},
    {GL_COMPRESSED_RGBA, GL_RGBA, DESKTOP, 0, {RGBA8_LIKE}},
    {GL_COMPRESSED_SRGB, GL_RGB, DESKTOP, 0, {F(R8G8B8X8_SRGB), F(R8G8B8A8_SRGB)}},
    {GL_COMPRESSED_SRGB_ALPHA, GL_RGBA, DESKTOP, 0, {F(R8G8B8A8_SRGB)}},
    {GL_COMPRESSED_SLUMINANCE, GL_LUMINANCE, COMPAT, 0, {F(L8_SRGB), F(R8G8B8A8_SRGB)}},
    {GL_COMPRESSED_SLUMINANCE_ALPHA,
     GL_LUMINANCE_ALPHA,
     COMPAT,
     0,
     {F(L8A8_SRGB), F(R8G8B8A8_SRGB)}},
    {GL_COMPRESSED_RED, GL_RED, RG, 0, {F(R8_UNORM), RGBA8_LIKE}},
    {GL_COMPRESSED_RG, GL_RG, RG, 0, {F(R8G8_UNORM), RGBA8_LIKE}},

    {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_RGB, S3TC, 1, {F(DXT1_RGB)}},
    {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_RGBA, S3TC, 1, {F(DXT1_RGBA)}},
    {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_RGBA, S3TC, 1, {F(DXT3_RGBA)}},
    {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA, S3TC, 1, {F(DXT5_RGBA)}},
    {GL_RGB_S3TC, GL_RGB, S3TC_OLD, 1, {F(DXT1_RGB)}},
    {GL_RGB4_S3TC, GL_RGB, S3TC_OLD, 1, {F(DXT1_RGB)}},
    {GL_RGBA_S3TC, GL_RGBA, S3TC_OLD, 1, {F(DXT3_RGBA)}},
    {GL_RGBA4_S3TC, GL_RGBA, S3TC_OLD, 1, {F(DXT3_RGBA)}},
    {GL_RGBA_DXT5_S3TC, GL_RGBA, S3TC_OLD, 1, {F(DXT5_RGBA)}},
    {GL_RGBA4_DXT5_S3TC, GL_RGBA, S3TC_OLD, 1, {F(DXT5_RGBA)}},
    {GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, GL_RGB, S3TC_SRGB, 1, {F(DXT1_SRGB)}},
    {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, GL_RGBA, S3TC_SRGB, 1, {F(DXT1_SRGBA)}},
    {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, GL_RGBA, S3TC_SRGB, 1, {F(DXT3_SRGBA)}},
    {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, GL_RGBA, S3TC_SRGB, 1, {F(DXT5_SRGBA)}},
    {GL_COMPRESSED_RED_RGTC1, GL_RED, RGTC, 1, {F(RGTC1_UNORM)}},
    {GL_COMPRESSED_SIGNED_RED_RGTC1, GL_RED, RGTC, 1, {F(RGTC1_SNORM)}},
    {GL_COMPRESSED_RG_RGTC2, GL_RG, RGTC, 1, {F(RGTC2_UNORM)}},
    {GL_COMPRESSED_SIGNED_RG_RGTC2, GL_RG, RGTC, 1, {F(RGTC2_SNORM)}},
    {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA, BPTC, 1, {F(BPTC_RGBA_UNORM)}},
    {GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, GL_RGBA, BPTC, 1, {F(BPTC_SRGBA)}},
    {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_RGB, BPTC, 1, {F(BPTC_RGB_FLOAT)}},
    {GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, GL_RGB, BPTC, 1, {F(BPTC_RGB_UFLOAT)}},
    {GL_COMPRESSED_LUMINANCE_LATC1_EXT, GL_LUMINANCE, LATC, 1, {F(LATC1_UNORM)}},
    {GL_COMPRESSED_SIGNED_LUMINANCE_LATC1_EXT, GL_LUMINANCE, LATC, 1, {F(LATC1_SNORM)}},
    {GL_COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT, GL_LUMINANCE_ALPHA, LATC, 1, {F(LATC2_UNORM)}},
    {GL_COMPRESSED_SIGNED_LUMINANCE_ALPHA_LATC2_EXT, GL_LUMINANCE_ALPHA, LATC, 1, {F(LATC2_SNORM)}},
    {GL_COMPRESSED_LUMINANCE_ALPHA_3DC_ATI, GL_LUMINANCE_ALPHA, LATC_ATI, 1, {F(LATC2_UNORM)}},
    {GL_COMPRESSED_RGB_FXT1_3DFX, GL_RGB, FXT1, 1, {F(FXT1_RGB)}},
    {GL_COMPRESSED_RGBA_FXT1_3DFX, GL_RGBA, FXT1, 1, {F(FXT1_RGBA)}},
    {GL_ETC1_RGB8_OES, GL_RGB, ETC1, 1, {F(ETC1_RGB8)}},
    {GL_COMPRESSED_R11_EAC, GL_RED, ETC2, 1, {F(ETC2_R11_UNORM)}},
    {GL_COMPRESSED_SIGNED_R11_EAC, GL_RED, ETC2, 1, {F(ETC2_R11_SNORM)}},
    {GL_COMPRESSED_RG11_EAC, GL_RG, ETC2, 1, {F(ETC2_RG11_UNORM)}},
    {GL_COMPRESSED_SIGNED_RG11_EAC, GL_RG, ETC2, 1, {F(ETC2_RG11_SNORM)}},
    {GL_COMPRESSED_RGB8_ETC2, GL_RGB, ETC2, 1, {F(ETC2_RGB8)}},
    {GL_COMPRESSED_SRGB8_ETC2, GL_RGB, ETC2, 1, {F(ETC2_SRGB8)}},
    {GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA, ETC2, 1, {F(ETC2_RGB8A1)}},
    {GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA, ETC2, 1, {F(ETC2_SRGB8A1)}},
    {GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RGBA, ETC2, 1, {F(ETC2_RGBA8)}},
    {GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, GL_RGBA, ETC2, 1, {F(ETC2_SRGBA8)}},

#define ASTC_SIZE(size)                                                                            \
    {GL_COMPRESSED_RGBA_ASTC_##size##_KHR, GL_RGBA, ASTC, 1, {F(ASTC_##size)}},                    \
        {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_##size##_KHR, GL_RGBA, ASTC, 1, {F(ASTC_##size##_SRGB)}},
    ASTC_SIZE(4x4) ASTC_SIZE(5x4) ASTC_SIZE(5x5) ASTC_SIZE(6x5) ASTC_SIZE(6x6) ASTC_SIZE(8x5)
        ASTC_SIZE(8x6) ASTC_SIZE(8x8) ASTC_SIZE(10x5) ASTC_SIZE(10x6) ASTC_SIZE(10x8)
            ASTC_SIZE(10x10) ASTC_SIZE(12x10) ASTC_SIZE(12x12)
#undef ASTC_SIZE
};

#undef F

static bool has_s3tc(const struct gl_extensions *e, GLenum internal)
{
    return e->EXT_texture_compression_s3tc ||
           (internal == GL_COMPRESSED_RGBA_S3TC_DXT3_EXT   ? e->ANGLE_texture_compression_dxt3
            : internal == GL_COMPRESSED_RGBA_S3TC_DXT5_EXT ? e->ANGLE_texture_compression_dxt5
                                                           : e->EXT_texture_compression_dxt1);
}

/* Returns whether ES has the format only through OES_required_internalformat. */
static bool is_required(const struct gl_extensions *e, GLenum internal)
{
    return e->OES_required_internalformat &&
           (internal == GL_ALPHA8 || internal == GL_LUMINANCE8 ||
            internal == GL_LUMINANCE8_ALPHA8 || internal == GL_LUMINANCE4_ALPHA4 ||
            (internal == GL_RGB10 && e->EXT_texture_type_2_10_10_10_REV));
}

/* Returns whether ES has the float format for immutable textures (EXT_texture_storage). */
static bool has_float_storage(const struct gl_extensions *e, const struct format *f)
{
    return e->EXT_texture_storage && (util_format_component_bits(f->drv[0], 0) == 16 ||
                                              util_format_component_bits(f->drv[0], 3) == 16
                                          ? e->OES_texture_half_float
                                          : e->OES_texture_float);
}

static bool has_format(const struct gl_context *ctx, const struct format *f)
{
    unsigned v = ctx->consts.version;
    bool desktop = gl_is_desktop(ctx), compat = gl_is_compat(ctx);
    bool gl3 = desktop ? v >= 30 : ctx->api == GL_API_ES2 && v >= 30;
    const struct gl_extensions *e = &ctx->ext;
    switch (f->where) {
    case BOTH: /* ES 1: depth only for renderbuffers (OES_framebuffer_object, OES_depth24) */
        return desktop || f->base != GL_DEPTH_COMPONENT || ctx->api == GL_API_ES2 ||
               f->internal == GL_DEPTH_COMPONENT16 || f->internal == GL_DEPTH_COMPONENT24;
    case DESKTOP:
        return desktop || is_required(e, f->internal);
    case COMPAT:
        /* ES has the unsized ones. */
        return compat ||
               (gl_is_es(ctx) && ((f->internal == f->base && f->internal != GL_INTENSITY) ||
                                  is_required(e, f->internal)));
    case ES:
        return gl_is_es(ctx);
    case BGRA8:
        return ctx->api == GL_API_ES2 && e->EXT_texture_format_BGRA8888;
    case RG:
        return gl3 || (desktop && e->ARB_texture_rg);
    case NORM16:
        return desktop || e->EXT_texture_norm16;
    case RG_NORM16:
        return desktop ? gl3 || e->ARB_texture_rg : e->EXT_texture_norm16;
    case SNORM16:
        return desktop ? v >= 31 || e->EXT_texture_snorm : e->EXT_texture_norm16;
    case FLOATS:
        if (gl_is_es(ctx) && !gl3 && e->EXT_color_buffer_half_float &&
            (f->internal == GL_RGBA16F || f->internal == GL_RGB16F))
            return true;
        if (gl_is_es(ctx) && !gl3)
            return f->base != GL_RED && f->base != GL_RG && has_float_storage(e, f);
        return gl3 || (desktop && e->ARB_texture_float &&
                       ((f->base != GL_RED && f->base != GL_RG) || e->ARB_texture_rg));
    case LEGACY_FLOATS:
        return (compat && e->ARB_texture_float) ||
               (ctx->api == GL_API_ES2 && f->base != GL_INTENSITY && has_float_storage(e, f));
    case INTEGER:
        return gl3 || (desktop && e->EXT_texture_integer &&
                       ((f->base != GL_RED && f->base != GL_RG) || e->ARB_texture_rg));
    case LEGACY_INTEGER:
        return compat && e->EXT_texture_integer;
    case INTEGER_2_10:
        return desktop ? v >= 33 || e->ARB_texture_rgb10_a2ui : gl3;
    case SRGB:
        return desktop || gl3 || (ctx->api == GL_API_ES2 && e->EXT_sRGB && f->internal != GL_SRGB8);
    case SRGB_R:
        return e->EXT_texture_sRGB_R8;
    case SRGB_RG:
        return e->EXT_texture_sRGB_RG8;
    case SNORM:
        return desktop ? v >= 31 || e->EXT_texture_snorm : gl3;
    case LEGACY_SNORM:
        return compat && e->EXT_texture_snorm;
    case PACKED_FLOAT:
        return gl3 || (desktop && e->EXT_packed_float);
    case SHARED_EXPONENT:
        return gl3 || (desktop && e->EXT_texture_shared_exponent);
    case PACKED_DS:
        return gl3 || (desktop && e->EXT_packed_depth_stencil) ||
               (gl_is_es(ctx) && e->OES_packed_depth_stencil);
    case DEPTH_FLOAT:
        return gl3 || (desktop && e->ARB_depth_buffer_float);
    case STENCIL:
        return desktop || f->internal == GL_STENCIL_INDEX8;
    case S3TC:
        return has_s3tc(e, f->internal);
    case S3TC_OLD:
        return e->S3_s3tc;
    case S3TC_SRGB:
        return (desktop && e->EXT_texture_compression_s3tc) || e->EXT_texture_compression_s3tc_srgb;
    case RGTC:
        return desktop ? gl3 || e->ARB_texture_compression_rgtc : e->EXT_texture_compression_rgtc;
    case BPTC:
        return desktop ? v >= 42 || e->ARB_texture_compression_bptc
                       : e->EXT_texture_compression_bptc;
    case LATC:
        return compat && e->EXT_texture_compression_latc;
    case LATC_ATI:
        return compat && e->ATI_texture_compression_3dc;
    case FXT1:
        return desktop && e->TDFX_texture_compression_FXT1;
    case ETC1:
        return gl_is_es(ctx) && e->OES_compressed_ETC1_RGB8_texture;
    case ETC2:
        return e->ARB_ES3_compatibility;
    case ASTC:
        return e->KHR_texture_compression_astc_ldr;
    case RGB565:
        return gl_is_es(ctx) || (desktop && (v >= 41 || e->ARB_ES2_compatibility));
    case INT10:
        return gl3;
    default:
        return false;
    }
}

static const struct format *find(const struct gl_context *ctx, GLint internal)
{
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        if (formats[i].internal == (GLenum)internal && has_format(ctx, &formats[i]))
            return &formats[i];
    }
    return NULL;
}

GLenum gl_base_format(const struct gl_context *ctx, GLint internal)
{
    const struct format *f = find(ctx, internal);
    return f ? f->base : 0;
}

bool gl_format_is_compressed(const struct gl_context *ctx, GLint internal)
{
    const struct format *f = find(ctx, internal);
    return f && f->compressed;
}

bool gl_format_is_generic(GLint internal)
{
    static const GLenum generic[] = {
        GL_COMPRESSED_ALPHA,
        GL_COMPRESSED_LUMINANCE,
        GL_COMPRESSED_LUMINANCE_ALPHA,
        GL_COMPRESSED_INTENSITY,
        GL_COMPRESSED_RGB,
        GL_COMPRESSED_RGBA,
        GL_COMPRESSED_SRGB,
        GL_COMPRESSED_SRGB_ALPHA,
        GL_COMPRESSED_SLUMINANCE,
        GL_COMPRESSED_SLUMINANCE_ALPHA,
        GL_COMPRESSED_RED,
        GL_COMPRESSED_RG,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(generic); i++)
        if (generic[i] == (GLenum)internal)
            return true;
    return false;
}

bool gl_format_is_unsized(GLint internal)
{
    static const GLenum unsized[] = {
        GL_RED,
        GL_RG,
        GL_RGB,
        GL_RGBA,
        GL_BGRA,
        GL_ALPHA,
        GL_LUMINANCE,
        GL_LUMINANCE_ALPHA,
        GL_INTENSITY,
        GL_DEPTH_COMPONENT,
        GL_DEPTH_STENCIL,
        GL_STENCIL_INDEX,
        GL_SRGB,
        GL_SRGB_ALPHA,
        GL_SLUMINANCE,
        GL_SLUMINANCE_ALPHA,
        GL_RED_SNORM,
        GL_RG_SNORM,
        GL_RGB_SNORM,
        GL_RGBA_SNORM,
        GL_ALPHA_SNORM,
        GL_LUMINANCE_SNORM,
        GL_LUMINANCE_ALPHA_SNORM,
        GL_INTENSITY_SNORM,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(unsized); i++)
        if (unsized[i] == (GLenum)internal)
            return true;
    return internal <= 4 || gl_format_is_generic(internal);
}

bool gl_format_is_integer(const struct gl_context *ctx, GLint internal)
{
    const struct format *f = find(ctx, internal);
    return f && gl_base_is_color(f->base) && util_format_is_pure_integer(f->drv[0]);
}

bool gl_format_is_renderable(const struct gl_context *ctx, GLint internal)
{
    const struct format *f = find(ctx, internal);
    if (!f || f->compressed || internal <= 4)
        return false;
    if (gl_is_desktop(ctx)) /* ARB_framebuffer_object: all base formats; no compressed formats */
        return !gl_format_is_generic(internal);
    switch (internal) { /* GL ES 2.0 §4.4.3, OES_rgb8_rgba8 and similar extensions */
    case GL_RGBA4:
    case GL_RGB5_A1:
    case GL_RGB565:
    case GL_DEPTH_COMPONENT16:
    case GL_DEPTH_COMPONENT24:
    case GL_STENCIL_INDEX8:
    case GL_RGB8:
    case GL_RGBA8:
    case GL_DEPTH24_STENCIL8:
        return true;
    case GL_BGRA:
    case GL_BGRA8_EXT:
        return ctx->api == GL_API_ES2 && ctx->ext.EXT_texture_format_BGRA8888;
    case GL_SRGB8_ALPHA8:
        return ctx->consts.version >= 30 || ctx->ext.EXT_sRGB;
    case GL_RGBA16F:
    case GL_RGB16F:
        if (ctx->ext.EXT_color_buffer_half_float)
            return true;
        /* fall through */
    default:
        return ctx->consts.version >= 30 && !gl_format_is_unsized(internal) &&
               (gl_base_is_color(f->base) ? gl_es_color_renderable(ctx, f->base, f->drv[0])
                                          : internal != GL_DEPTH_COMPONENT32);
    }
}

/* Returns the 32-bit or 16-bit float format with the components of an unsized format
 * (OES_texture_float, OES_texture_half_float, EXT_texture_rg). */
static GLint float_format(GLint internal, bool half)
{
    switch (internal) {
    case GL_RED:
        return half ? GL_R16F : GL_R32F;
    case GL_RG:
        return half ? GL_RG16F : GL_RG32F;
    case GL_RGBA:
        return half ? GL_RGBA16F : GL_RGBA32F;
    case GL_RGB:
        return half ? GL_RGB16F : GL_RGB32F;
    case GL_ALPHA:
        return half ? GL_ALPHA16F_ARB : GL_ALPHA32F_ARB;
    case GL_LUMINANCE:
        return half ? GL_LUMINANCE16F_ARB : GL_LUMINANCE32F_ARB;
    case GL_LUMINANCE_ALPHA:
        return half ? GL_LUMINANCE_ALPHA16F_ARB : GL_LUMINANCE_ALPHA32F_ARB;
    default:
        return internal;
    }
}

/* Returns the sized format that an unsized format of ES stands for, given the type of the pixels
 * (GL ES 2.0 table 3.4 and extensions). */
static GLint sized_by_type(GLint internal, GLenum type)
{
    if (type == GL_FLOAT || type == GL_HALF_FLOAT_OES || type == GL_HALF_FLOAT)
        return float_format(internal, type != GL_FLOAT);
    if (type == GL_UNSIGNED_INT_2_10_10_10_REV)
        return internal == GL_RGBA ? GL_RGB10_A2 : internal == GL_RGB ? GL_RGB10 : internal;
    if (type == GL_UNSIGNED_SHORT_5_6_5 && internal == GL_RGB)
        return GL_RGB565;
    if (type == GL_UNSIGNED_SHORT_4_4_4_4 && internal == GL_RGBA)
        return GL_RGBA4;
    if (type == GL_UNSIGNED_SHORT_5_5_5_1 && internal == GL_RGBA)
        return GL_RGB5_A1;
    if (internal == GL_DEPTH_COMPONENT && type == GL_UNSIGNED_SHORT)
        return GL_DEPTH_COMPONENT16;
    return internal;
}

enum drv_format gl_choose_format(const struct gl_context *ctx, GLint internal, GLenum format,
                                 GLenum type, enum drv_target target, unsigned samples,
                                 unsigned bind)
{
    const struct format *f = find(ctx, internal);
    GLint sized = gl_is_es(ctx) ? sized_by_type(internal, type) : internal;
    for (unsigned i = 0; f && sized != internal && i < ARRAY_SIZE(formats); i++) {
        if (formats[i].internal == (GLenum)sized) {
            f = &formats[i];
            break;
        }
    }
    if (!f)
        return DRV_FORMAT_NONE;
    internal = sized;
    const struct drv_screen *screen = ctx->screen;
    /* Store the byte order that the application uploads, to avoid conversions. */
    if ((internal == GL_RGBA || internal == 4 || internal == GL_RGBA8) && format == GL_BGRA &&
        screen->ops->is_format_supported(ctx->screen, DRV_FORMAT_B8G8R8A8_UNORM, target, samples,
                                         bind))
        return DRV_FORMAT_B8G8R8A8_UNORM;
    for (unsigned i = 0; i < ARRAY_SIZE(f->drv) && f->drv[i] != DRV_FORMAT_NONE; i++) {
        if (screen->ops->is_format_supported(ctx->screen, f->drv[i], target, samples, bind))
            return f->drv[i];
    }
    return DRV_FORMAT_NONE;
}

unsigned gl_choose_samples(const struct gl_context *ctx, GLint internal, enum drv_target target,
                           unsigned samples, unsigned bind)
{
    if (!samples)
        return 0;
    for (unsigned n = MAX2(samples, 2); n <= (unsigned)ctx->consts.max_samples; n++)
        if (gl_choose_format(ctx, internal, 0, 0, target, n, bind) != DRV_FORMAT_NONE)
            return n;
    return 0;
}

void gl_base_format_swizzle(GLenum base, GLenum depth_mode, uint8_t s[4])
{
    enum { X = DRV_SWIZZLE_X, Y, Z, W, ZERO, ONE };
    static const struct {
        GLenum base;
        uint8_t swizzle[4];
    } table[] = {
        {GL_RGBA, {X, Y, Z, W}},
        {GL_RGB, {X, Y, Z, ONE}},
        {GL_RG, {X, Y, ZERO, ONE}},
        {GL_RED, {X, ZERO, ZERO, ONE}},
        {GL_ALPHA, {ZERO, ZERO, ZERO, W}},
        {GL_LUMINANCE, {X, X, X, ONE}},
        {GL_LUMINANCE_ALPHA, {X, X, X, W}},
        {GL_INTENSITY, {X, X, X, X}},
        {GL_STENCIL_INDEX, {X, ZERO, ZERO, ONE}},
    };
    if (gl_base_is_depth(base)) {
        const uint8_t *v = depth_mode == GL_ALPHA       ? (const uint8_t[4]){ZERO, ZERO, ZERO, X}
                           : depth_mode == GL_INTENSITY ? (const uint8_t[4]){X, X, X, X}
                           : depth_mode == GL_RED       ? (const uint8_t[4]){X, ZERO, ZERO, ONE}
                                                        : (const uint8_t[4]){X, X, X, ONE};
        memcpy(s, v, 4);
        return;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
        if (table[i].base == base) {
            memcpy(s, table[i].swizzle, 4);
            return;
        }
    }
    memcpy(s, table[0].swizzle, 4);
}

unsigned gl_compressed_formats(const struct gl_context *ctx, GLint *out, unsigned max)
{
    unsigned n = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        /* Only formats suitable for general-purpose usage are listed (GL 4.6 §8.5). */
        bool general =
            formats[i].where == FXT1 ||
            (formats[i].where == S3TC && formats[i].internal != GL_COMPRESSED_RGBA_S3TC_DXT1_EXT) ||
            (formats[i].where == ETC2 && !util_format_is_srgb(formats[i].drv[0]));
        bool es = gl_is_es(ctx) && formats[i].compressed;
        if ((general || es) && has_format(ctx, &formats[i]) && n < max)
            out[n++] = formats[i].internal;
    }
    return n + gl_paletted_formats(ctx, out + n, max - n);
}

unsigned gl_format_bits(GLenum base, enum drv_format format, unsigned c)
{
    if (format == DRV_FORMAT_YCBCR) /* as MESA_ycbcr_texture specifies */
        return 0;
    bool rgb = base == GL_RGB || base == GL_RGBA;
    switch (c) {
    case 0:
        return rgb || base == GL_RED || base == GL_RG ? util_format_component_bits(format, 0) : 0;
    case 1:
        return rgb || base == GL_RG ? util_format_component_bits(format, 1) : 0;
    case 2:
        return rgb ? util_format_component_bits(format, 2) : 0;
    case 3:
        return base == GL_RGBA || base == GL_ALPHA || base == GL_LUMINANCE_ALPHA
                   ? util_format_component_bits(format, 3)
                   : 0;
    case 4:
        return base == GL_LUMINANCE || base == GL_LUMINANCE_ALPHA
                   ? util_format_component_bits(format, 0)
                   : 0;
    case 5:
        return base == GL_INTENSITY ? util_format_component_bits(format, 0) : 0;
    case 6:
        return gl_base_is_depth(base) ? util_format_depth_bits(format) : 0;
    default:
        return gl_base_is_stencil(base) ? util_format_stencil_bits(format) : 0;
    }
}

GLenum gl_format_component_type(GLenum base, enum drv_format format, unsigned component)
{
    if (!gl_format_bits(base, format, component))
        return GL_NONE;
    if (component == 7)
        return GL_UNSIGNED_INT;
    if (util_format_is_pure_integer(format))
        return util_format_is_pure_sint(format) ? GL_INT : GL_UNSIGNED_INT;
    bool depth_float = format == DRV_FORMAT_Z32_FLOAT || format == DRV_FORMAT_Z32S8X24_FLOAT;
    return util_format_is_float(format) || (component == 6 && depth_float) ? GL_FLOAT
           : util_format_is_snorm(format)                                  ? GL_SIGNED_NORMALIZED
                                                                           : GL_UNSIGNED_NORMALIZED;
}
