/* SPDX-License-Identifier: MIT */
/* Conversion of texels in the formats of Gen9 surfaces. */
#include "model_format.h"

#include <string.h>

#include "i965_packets.h"
#include "util/format.h"
#include "util/format_tables.h"
#include "util/half.h"
#include "util/macros.h"

#define SAME(name)    [I965_SURFACE_FORMAT_##name] = DRV_FORMAT_##name
#define AS(name, drv) [I965_SURFACE_FORMAT_##name] = DRV_FORMAT_##drv

/* Values of ASTC formats: field ASTC_Enable is the upper bit. Float formats decode to half floats,
 * with the same blocks. */
enum { ASTC_FIRST = 512, ASTC_FLOAT = 64, ASTC_LAST = ASTC_FIRST + 127 };

/* Formats of the same layout, by hardware number. */
static const uint16_t same_layout[512] = {
    SAME(R32G32B32A32_FLOAT),
    SAME(R32G32B32A32_SINT),
    SAME(R32G32B32A32_UINT),
    SAME(R32G32B32A32_UNORM),
    SAME(R32G32B32A32_SNORM),
    SAME(R64G64_FLOAT),
    SAME(R32G32B32X32_FLOAT),
    SAME(R32G32B32A32_SSCALED),
    SAME(R32G32B32A32_USCALED),
    AS(R32G32B32A32_SFIXED, R32G32B32A32_FIXED),
    SAME(R32G32B32_FLOAT),
    SAME(R32G32B32_SINT),
    SAME(R32G32B32_UINT),
    SAME(R32G32B32_UNORM),
    SAME(R32G32B32_SNORM),
    SAME(R32G32B32_SSCALED),
    SAME(R32G32B32_USCALED),
    AS(R32G32B32_SFIXED, R32G32B32_FIXED),
    SAME(R16G16B16A16_UNORM),
    SAME(R16G16B16A16_SNORM),
    SAME(R16G16B16A16_SINT),
    SAME(R16G16B16A16_UINT),
    SAME(R16G16B16A16_FLOAT),
    SAME(R32G32_FLOAT),
    SAME(R32G32_SINT),
    SAME(R32G32_UINT),
    SAME(L32A32_FLOAT),
    SAME(R32G32_UNORM),
    SAME(R32G32_SNORM),
    SAME(R64_FLOAT),
    SAME(R16G16B16X16_UNORM),
    SAME(R16G16B16X16_FLOAT),
    SAME(R16G16B16A16_SSCALED),
    SAME(R16G16B16A16_USCALED),
    SAME(R32G32_SSCALED),
    SAME(R32G32_USCALED),
    AS(R32G32_FLOAT_LD, R32G32_FLOAT),
    AS(R32G32_SFIXED, R32G32_FIXED),
    SAME(B8G8R8A8_UNORM),
    AS(B8G8R8A8_UNORM_SRGB, B8G8R8A8_SRGB),
    SAME(R10G10B10A2_UNORM),
    SAME(R10G10B10A2_UINT),
    SAME(R8G8B8A8_UNORM),
    AS(R8G8B8A8_UNORM_SRGB, R8G8B8A8_SRGB),
    SAME(R8G8B8A8_SNORM),
    SAME(R8G8B8A8_SINT),
    SAME(R8G8B8A8_UINT),
    SAME(R16G16_UNORM),
    SAME(R16G16_SNORM),
    SAME(R16G16_SINT),
    SAME(R16G16_UINT),
    SAME(R16G16_FLOAT),
    SAME(B10G10R10A2_UNORM),
    SAME(R11G11B10_FLOAT),
    SAME(R32_SINT),
    SAME(R32_UINT),
    SAME(R32_FLOAT),
    SAME(L16A16_UNORM),
    SAME(I32_FLOAT),
    SAME(L32_FLOAT),
    SAME(A32_FLOAT),
    SAME(B8G8R8X8_UNORM),
    AS(B8G8R8X8_UNORM_SRGB, B8G8R8X8_SRGB),
    SAME(R8G8B8X8_UNORM),
    AS(R8G8B8X8_UNORM_SRGB, R8G8B8X8_SRGB),
    AS(R9G9B9E5_SHAREDEXP, R9G9B9E5_FLOAT),
    AS(B10G10R10X2_UNORM, B10G10R10A2_UNORM),
    SAME(L16A16_FLOAT),
    SAME(R32_UNORM),
    SAME(R32_SNORM),
    SAME(R8G8B8A8_SSCALED),
    SAME(R8G8B8A8_USCALED),
    SAME(R16G16_SSCALED),
    SAME(R16G16_USCALED),
    SAME(R32_SSCALED),
    SAME(R32_USCALED),
    SAME(B5G6R5_UNORM),
    SAME(B5G5R5A1_UNORM),
    SAME(B4G4R4A4_UNORM),
    SAME(R8G8_UNORM),
    SAME(R8G8_SNORM),
    SAME(R8G8_SINT),
    SAME(R8G8_UINT),
    SAME(R16_UNORM),
    SAME(R16_SNORM),
    SAME(R16_SINT),
    SAME(R16_UINT),
    SAME(R16_FLOAT),
    SAME(I16_UNORM),
    SAME(L16_UNORM),
    SAME(A16_UNORM),
    SAME(L8A8_UNORM),
    SAME(I16_FLOAT),
    SAME(L16_FLOAT),
    SAME(A16_FLOAT),
    AS(L8A8_UNORM_SRGB, L8A8_SRGB),
    SAME(B5G5R5X1_UNORM),
    SAME(R8G8_SSCALED),
    SAME(R8G8_USCALED),
    SAME(R16_SSCALED),
    SAME(R16_USCALED),
    SAME(A1B5G5R5_UNORM),
    SAME(A4B4G4R4_UNORM),
    SAME(L8A8_UINT),
    SAME(L8A8_SINT),
    SAME(R8_UNORM),
    SAME(R8_SNORM),
    SAME(R8_SINT),
    SAME(R8_UINT),
    SAME(A8_UNORM),
    SAME(I8_UNORM),
    SAME(L8_UNORM),
    SAME(R8_SSCALED),
    SAME(R8_USCALED),
    AS(L8_UNORM_SRGB, L8_SRGB),
    AS(Y8_UNORM, R8_UNORM),
    SAME(L8_UINT),
    SAME(L8_SINT),
    SAME(I8_UINT),
    SAME(I8_SINT),
    AS(DXT1_RGB_SRGB, DXT1_SRGB),
    AS(BC1_UNORM, DXT1_RGBA),
    AS(BC2_UNORM, DXT3_RGBA),
    AS(BC3_UNORM, DXT5_RGBA),
    AS(BC4_UNORM, RGTC1_UNORM),
    AS(BC5_UNORM, RGTC2_UNORM),
    AS(BC1_UNORM_SRGB, DXT1_SRGBA),
    AS(BC2_UNORM_SRGB, DXT3_SRGBA),
    AS(BC3_UNORM_SRGB, DXT5_SRGBA),
    SAME(DXT1_RGB),
    AS(FXT1, FXT1_RGBA),
    SAME(R8G8B8_UNORM),
    SAME(R8G8B8_SNORM),
    SAME(R8G8B8_SSCALED),
    SAME(R8G8B8_USCALED),
    SAME(R64G64B64A64_FLOAT),
    SAME(R64G64B64_FLOAT),
    AS(BC4_SNORM, RGTC1_SNORM),
    AS(BC5_SNORM, RGTC2_SNORM),
    SAME(R16G16B16_FLOAT),
    SAME(R16G16B16_UNORM),
    SAME(R16G16B16_SNORM),
    SAME(R16G16B16_SSCALED),
    SAME(R16G16B16_USCALED),
    AS(BC6H_SF16, BPTC_RGB_FLOAT),
    AS(BC7_UNORM, BPTC_RGBA_UNORM),
    AS(BC7_UNORM_SRGB, BPTC_SRGBA),
    AS(BC6H_UF16, BPTC_RGB_UFLOAT),
    AS(R8G8B8_UNORM_SRGB, R8G8B8_SRGB),
    SAME(ETC1_RGB8),
    SAME(ETC2_RGB8),
    AS(EAC_R11, ETC2_R11_UNORM),
    AS(EAC_RG11, ETC2_RG11_UNORM),
    AS(EAC_SIGNED_R11, ETC2_R11_SNORM),
    AS(EAC_SIGNED_RG11, ETC2_RG11_SNORM),
    SAME(ETC2_SRGB8),
    SAME(R16G16B16_UINT),
    SAME(R16G16B16_SINT),
    AS(R32_SFIXED, R32_FIXED),
    SAME(R10G10B10A2_SNORM),
    SAME(R10G10B10A2_USCALED),
    SAME(R10G10B10A2_SSCALED),
    SAME(B10G10R10A2_SNORM),
    SAME(B10G10R10A2_USCALED),
    SAME(B10G10R10A2_SSCALED),
    SAME(B10G10R10A2_UINT),
    AS(ETC2_RGB8_PTA, ETC2_RGB8A1),
    AS(ETC2_SRGB8_PTA, ETC2_SRGB8A1),
    AS(ETC2_EAC_RGBA8, ETC2_RGBA8),
    AS(ETC2_EAC_SRGB8_A8, ETC2_SRGBA8),
    SAME(R8G8B8_UINT),
    SAME(R8G8B8_SINT),
};

/* The size of ASTC blocks follows from the low six bits of the number. */
static const struct {
    uint8_t number;
    uint16_t linear, srgb;
} astc[] = {
    {0, DRV_FORMAT_ASTC_4x4, DRV_FORMAT_ASTC_4x4_SRGB},
    {8, DRV_FORMAT_ASTC_5x4, DRV_FORMAT_ASTC_5x4_SRGB},
    {9, DRV_FORMAT_ASTC_5x5, DRV_FORMAT_ASTC_5x5_SRGB},
    {17, DRV_FORMAT_ASTC_6x5, DRV_FORMAT_ASTC_6x5_SRGB},
    {18, DRV_FORMAT_ASTC_6x6, DRV_FORMAT_ASTC_6x6_SRGB},
    {33, DRV_FORMAT_ASTC_8x5, DRV_FORMAT_ASTC_8x5_SRGB},
    {34, DRV_FORMAT_ASTC_8x6, DRV_FORMAT_ASTC_8x6_SRGB},
    {36, DRV_FORMAT_ASTC_8x8, DRV_FORMAT_ASTC_8x8_SRGB},
    {49, DRV_FORMAT_ASTC_10x5, DRV_FORMAT_ASTC_10x5_SRGB},
    {50, DRV_FORMAT_ASTC_10x6, DRV_FORMAT_ASTC_10x6_SRGB},
    {52, DRV_FORMAT_ASTC_10x8, DRV_FORMAT_ASTC_10x8_SRGB},
    {54, DRV_FORMAT_ASTC_10x10, DRV_FORMAT_ASTC_10x10_SRGB},
    {62, DRV_FORMAT_ASTC_12x10, DRV_FORMAT_ASTC_12x10_SRGB},
    {63, DRV_FORMAT_ASTC_12x12, DRV_FORMAT_ASTC_12x12_SRGB},
};

static unsigned astc_format(unsigned number)
{
    for (unsigned i = 0; i < ARRAY_SIZE(astc); i++) {
        if (astc[i].number == (number & 63))
            return number & ASTC_FLOAT ? astc[i].linear : astc[i].srgb;
    }
    return DRV_FORMAT_NONE;
}

/* Formats with depth or stencil in a larger texel. */
static bool find_depth_format(unsigned number, struct model_format *f)
{
    switch (number) {
    case I965_SURFACE_FORMAT_R24_UNORM_X8_TYPELESS:
        *f = (struct model_format){MODEL_TEXEL_DEPTH, 4, 1, 1, .drv = DRV_FORMAT_Z24X8_UNORM};
        return true;
    case I965_SURFACE_FORMAT_R32_FLOAT_X8X24_TYPELESS:
        *f = (struct model_format){MODEL_TEXEL_DEPTH, 8, 1, 1, .drv = DRV_FORMAT_Z32_FLOAT};
        return true;
    case I965_SURFACE_FORMAT_X24_TYPELESS_G8_UINT:
        *f = (struct model_format){MODEL_TEXEL_STENCIL, 4, 1, 1, .stencil_byte = 3};
        return true;
    case I965_SURFACE_FORMAT_X32_TYPELESS_G8X24_UINT:
        *f = (struct model_format){MODEL_TEXEL_STENCIL, 8, 1, 1, .stencil_byte = 4};
        return true;
    case I965_SURFACE_FORMAT_RAW:
        *f = (struct model_format){MODEL_TEXEL_RAW, 1, 1, 1};
        return true;
    default:
        return false;
    }
}

struct model_format model_format_by_number(unsigned number)
{
    struct model_format f = {0};
    unsigned drv = number < ARRAY_SIZE(same_layout)              ? same_layout[number]
                   : number >= ASTC_FIRST && number <= ASTC_LAST ? astc_format(number)
                                                                 : DRV_FORMAT_NONE;

    if (find_depth_format(number, &f) || drv == DRV_FORMAT_NONE)
        return f;
    const struct drv_format_desc *d = drv_format_desc(drv);
    f.kind = util_format_is_pure_integer(drv) ? MODEL_TEXEL_INTEGER : MODEL_TEXEL_FLOAT;
    f.bytes = d->block_bytes;
    f.block_width = d->block_width;
    f.block_height = d->block_height;
    f.drv = (uint16_t)drv;
    f.compressed = util_format_is_compressed(drv);
    f.opaque = number == I965_SURFACE_FORMAT_B10G10R10X2_UNORM;
    return f;
}

/* -------------------------------------------------------------------------- conversion --- */

static uint32_t float_bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

/* Converts the formats that are read most often. Returns false for others. */
static bool unpack_frequent(unsigned drv, const uint8_t *src, uint32_t rgba[4])
{
    switch (drv) {
    case DRV_FORMAT_R8G8B8A8_UNORM:
        for (unsigned c = 0; c < 4; c++)
            rgba[c] = float_bits((float)src[c] / 255.0f);
        return true;
    case DRV_FORMAT_B8G8R8A8_UNORM:
    case DRV_FORMAT_B8G8R8X8_UNORM:
        for (unsigned c = 0; c < 3; c++)
            rgba[c] = float_bits((float)src[2 - c] / 255.0f);
        rgba[3] = float_bits(drv == DRV_FORMAT_B8G8R8X8_UNORM ? 1.0f : (float)src[3] / 255.0f);
        return true;
    case DRV_FORMAT_R32G32B32A32_FLOAT:
    case DRV_FORMAT_R32G32B32A32_UINT:
    case DRV_FORMAT_R32G32B32A32_SINT:
        memcpy(rgba, src, 16);
        return true;
    case DRV_FORMAT_R32_FLOAT:
    case DRV_FORMAT_R32G32_FLOAT:
    case DRV_FORMAT_R32G32B32_FLOAT:
        rgba[1] = rgba[2] = 0;
        rgba[3] = float_bits(1.0f);
        memcpy(rgba, src,
               drv == DRV_FORMAT_R32_FLOAT      ? 4
               : drv == DRV_FORMAT_R32G32_FLOAT ? 8
                                                : 12);
        return true;
    default:
        return false;
    }
}

/* Converts to a byte, rounding to even. */
static uint8_t unorm8(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    f = f > 0.0f ? MIN2(f, 1.0f) : 0.0f;
    return (uint8_t)float_bits(f * 255.0f + 0x1p23f);
}

/* Converts to an integer of `bits` bits, rounding to even. */
static uint32_t unorm(uint32_t value, unsigned bits)
{
    float f;

    memcpy(&f, &value, sizeof f);
    f = f > 0.0f ? MIN2(f, 1.0f) : 0.0f;
    const double sum =
        (double)f * ((1u << bits) - 1) + 0x1p52; /* The integer is in the low bits. */
    uint64_t word;
    memcpy(&word, &sum, sizeof word);
    return (uint32_t)word;
}

/* Converts the formats that are written most often. Returns false for others. */
static bool pack_frequent(unsigned drv, uint8_t *dst, const uint32_t rgba[4])
{
    const unsigned red = drv == DRV_FORMAT_R8G8B8A8_UNORM ? 0 : 2;
    uint32_t word;

    switch (drv) {
    case DRV_FORMAT_B8G8R8X8_UNORM:
    case DRV_FORMAT_B8G8R8A8_UNORM:
    case DRV_FORMAT_R8G8B8A8_UNORM:
        dst[red] = unorm8(rgba[0]);
        dst[1] = unorm8(rgba[1]);
        dst[2 - red] = unorm8(rgba[2]);
        dst[3] = drv == DRV_FORMAT_B8G8R8X8_UNORM ? 0 : unorm8(rgba[3]);
        return true;
    case DRV_FORMAT_B10G10R10A2_UNORM:
        word = unorm(rgba[2], 10) | unorm(rgba[1], 10) << 10 | unorm(rgba[0], 10) << 20 |
               unorm(rgba[3], 2) << 30;
        memcpy(dst, &word, sizeof word);
        return true;
    case DRV_FORMAT_R32G32B32A32_FLOAT:
        memcpy(dst, rgba, 16);
        return true;
    default:
        return false;
    }
}

static void unpack_depth(const struct model_format *format, const uint8_t *src, uint32_t rgba[4])
{
    float depth;

    util_format_unpack_depth(format->drv, &depth, src, 1);
    rgba[0] = float_bits(depth);
    rgba[1] = rgba[2] = 0;
    rgba[3] = float_bits(1.0f);
}

void model_texel_unpack(const struct model_format *format, const uint8_t *src, uint32_t rgba[4])
{
    union {
        float f[4];
        uint32_t u[4];
    } value = {{0}};

    switch ((enum model_texel_kind)format->kind) {
    case MODEL_TEXEL_FLOAT:
        if (unpack_frequent(format->drv, src, rgba))
            return;
        util_format_unpack_float(format->drv, &value.f, src, 1);
        if (format->opaque)
            value.f[3] = 1.0f;
        break;
    case MODEL_TEXEL_INTEGER:
        util_format_unpack_int(format->drv, &value.u, src, 1);
        break;
    case MODEL_TEXEL_DEPTH:
        unpack_depth(format, src, value.u);
        break;
    case MODEL_TEXEL_STENCIL:
        value.u[1] = src[format->stencil_byte];
        value.u[3] = 1;
        break;
    case MODEL_TEXEL_RAW:
    case MODEL_TEXEL_NONE:
        break;
    }
    memcpy(rgba, value.u, sizeof value.u);
}

void model_texel_pack(const struct model_format *format, uint8_t *dst, const uint32_t rgba[4])
{
    union {
        float f[4];
        uint32_t u[4];
    } value;

    if (format->kind == MODEL_TEXEL_FLOAT && pack_frequent(format->drv, dst, rgba))
        return;
    memcpy(value.u, rgba, sizeof value.u);
    if (format->kind == MODEL_TEXEL_INTEGER)
        util_format_pack_int(format->drv, dst, (const uint32_t(*)[4]) & value.u,
                             util_format_is_pure_sint(format->drv), 1);
    else if (format->kind == MODEL_TEXEL_FLOAT)
        util_format_pack_float(format->drv, dst, (const float(*)[4]) & value.f, 1);
    else if (format->kind == MODEL_TEXEL_DEPTH)
        util_format_pack_depth(format->drv, dst, value.f, 1);
}

void model_block_unpack(const struct model_format *format, const uint8_t *src,
                        struct model_block *block)
{
    const unsigned w = format->block_width, h = format->block_height;
    const bool srgb = util_format_is_srgb(format->drv);
    uint8_t bytes[144][4];

    if (util_format_decompress_float(format->drv, block->texel[0], w * 16, src, format->bytes, w,
                                     h))
        return;
    if (!util_format_decompress_rgba8(format->drv, bytes[0], w * 4, src, format->bytes, w, h))
        memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < w * h; i++) {
        for (unsigned c = 0; c < 4; c++)
            block->texel[i][c] =
                srgb && c < 3 ? util_srgb_to_linear[bytes[i][c]] : (float)bytes[i][c] / 255.0f;
    }
}

void model_texel_write_mask(const struct model_format *format, unsigned mask, uint8_t bits[16])
{
    const struct drv_format_desc *d = drv_format_desc(format->drv);

    if (d->layout != DRV_LAYOUT_PLAIN || mask == 15) {
        memset(bits, mask == 15 || d->layout == DRV_LAYOUT_RGB9E5 ? 0xff : 0, 16);
        if (d->layout == DRV_LAYOUT_R11G11B10F) {
            const uint32_t word =
                (mask & 1 ? 0x7ffu : 0) | (mask & 2 ? 0x3ff800u : 0) | (mask & 4 ? 0xffc00000u : 0);
            memcpy(bits, &word, 4);
        }
        return;
    }
    memset(bits, 0, 16);
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1) || d->swizzle[c] > DRV_SWIZZLE_W)
            continue;
        const struct drv_format_channel *channel = &d->channel[d->swizzle[c]];
        for (unsigned i = channel->shift; i < (unsigned)channel->shift + channel->bits; i++)
            bits[i / 8 & 15] |= (uint8_t)(1u << i % 8);
    }
}
