/* SPDX-License-Identifier: MIT */
/*
 * Decoders of block-compressed formats, a block of 4×4 texels at a time: S3TC (GL extension
 * EXT_texture_compression_s3tc), RGTC (GL 4.6 appendix D.1), LATC (EXT_texture_compression_latc),
 * whose blocks are RGTC's, and ETC1 (OES_compressed_ETC1_RGB8_texture, tables 3.17.1 to 3.17.3).
 */
#include "util/format.h"

#include "util/macros.h"

typedef uint8_t rgba8_block[16][4];
typedef float float_block[16][4];

/* --------------------------------------------------------------------------------- S3TC --- */

static void expand_565(uint8_t dst[4], uint32_t c)
{
    uint32_t r = c >> 11, g = c >> 5 & 63, b = c & 31;
    dst[0] = r << 3 | r >> 2;
    dst[1] = g << 2 | g >> 4;
    dst[2] = b << 3 | b >> 2;
    dst[3] = 255;
}

/* four_colors: the block has no transparent black, whatever the order of its colors (DXT3, 5).
 * punch_through: that black's alpha is 0. */
static void decode_dxt_color(rgba8_block dst, const uint8_t *src, bool four_colors,
                             bool punch_through)
{
    uint32_t c0 = src[0] | src[1] << 8, c1 = src[2] | src[3] << 8;
    uint8_t palette[4][4];

    expand_565(palette[0], c0);
    expand_565(palette[1], c1);
    if (four_colors || c0 > c1) {
        for (unsigned i = 0; i < 3; i++) {
            palette[2][i] = (2 * palette[0][i] + palette[1][i]) / 3;
            palette[3][i] = (palette[0][i] + 2 * palette[1][i]) / 3;
        }
        palette[2][3] = palette[3][3] = 255;
    } else {
        for (unsigned i = 0; i < 3; i++) {
            palette[2][i] = (palette[0][i] + palette[1][i]) / 2;
            palette[3][i] = 0;
        }
        palette[2][3] = 255;
        palette[3][3] = punch_through ? 0 : 255;
    }
    for (unsigned i = 0; i < 16; i++)
        memcpy(dst[i], palette[src[4 + i / 4] >> (i % 4 * 2) & 3], 4);
}

static void decode_dxt3_alpha(rgba8_block dst, const uint8_t *src)
{
    for (unsigned i = 0; i < 16; i++)
        dst[i][3] = (src[i / 2] >> (i % 2 * 4) & 15) * 17;
}

/* ------------------------------------------------------------------- RGTC, DXT5's alpha --- */

/* The 3-bit code of texel i. */
static unsigned rgtc_code(const uint8_t *src, unsigned i)
{
    uint64_t codes = 0;
    memcpy(&codes, src + 2, 6);
    return codes >> (3 * i) & 7;
}

static uint8_t rgtc_unorm(const uint8_t *src, unsigned i)
{
    unsigned a0 = src[0], a1 = src[1], code = rgtc_code(src, i);
    if (code < 2)
        return src[code];
    if (a0 > a1)
        return ((8 - code) * a0 + (code - 1) * a1) / 7;
    if (code < 6)
        return ((6 - code) * a0 + (code - 1) * a1) / 5;
    return code == 6 ? 0 : 255;
}

static float rgtc_snorm(const uint8_t *src, unsigned i)
{
    int r0 = (int8_t)src[0], r1 = (int8_t)src[1];
    int code = (int)rgtc_code(src, i);
    float a0 = (float)MAX2(r0, -127) / 127.0f, a1 = (float)MAX2(r1, -127) / 127.0f;
    if (code == 0)
        return a0;
    if (code == 1)
        return a1;
    if (r0 > r1)
        return ((float)(8 - code) * a0 + (float)(code - 1) * a1) / 7.0f;
    if (code < 6)
        return ((float)(6 - code) * a0 + (float)(code - 1) * a1) / 5.0f;
    return code == 6 ? -1.0f : 1.0f;
}

/* --------------------------------------------------------------------------------- ETC1 --- */

/* The base colors of a block's two halves. */
static void etc1_base_colors(uint64_t block, int base[2][3])
{
    bool differential = block >> 33 & 1;
    for (unsigned i = 0; i < 3; i++) {
        unsigned bits = block >> (56 - 8 * i) & 0xff;
        int first = bits >> 3, second = first + (int)(bits & 3) - (int)(bits & 4);
        if (!differential) {
            base[0][i] = (bits >> 4) * 17;
            base[1][i] = (bits & 15) * 17;
            continue;
        }
        second &= 31; /* what would leave the range is undefined */
        base[0][i] = first << 3 | first >> 2;
        base[1][i] = second << 3 | second >> 2;
    }
}

static void decode_etc1(rgba8_block dst, const uint8_t *src)
{
    static const uint8_t modifier[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                           {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    uint64_t block = 0;
    int base[2][3];
    for (unsigned i = 0; i < 8; i++)
        block = block << 8 | src[i];
    etc1_base_colors(block, base);
    for (unsigned i = 0; i < 16; i++) {
        unsigned x = i % 4, y = i / 4, bit = x * 4 + y; /* texels are numbered by columns */
        unsigned half = (block >> 32 & 1 ? y : x) / 2;
        unsigned table = block >> (half ? 34 : 37) & 7;
        int offset = modifier[table][block >> bit & 1];
        if (block >> (16 + bit) & 1)
            offset = -offset;
        for (unsigned c = 0; c < 3; c++)
            dst[i][c] = CLAMP(base[half][c] + offset, 0, 255);
        dst[i][3] = 255;
    }
}

/* ------------------------------------------------------------------------------- blocks --- */

static bool decode_block_rgba8(enum drv_format format, rgba8_block dst, const uint8_t *src)
{
    switch (format) {
    case DRV_FORMAT_DXT1_RGB:
    case DRV_FORMAT_DXT1_SRGB:
        decode_dxt_color(dst, src, false, false);
        return true;
    case DRV_FORMAT_DXT1_RGBA:
    case DRV_FORMAT_DXT1_SRGBA:
        decode_dxt_color(dst, src, false, true);
        return true;
    case DRV_FORMAT_DXT3_RGBA:
    case DRV_FORMAT_DXT3_SRGBA:
        decode_dxt_color(dst, src + 8, true, false);
        decode_dxt3_alpha(dst, src);
        return true;
    case DRV_FORMAT_DXT5_RGBA:
    case DRV_FORMAT_DXT5_SRGBA:
        decode_dxt_color(dst, src + 8, true, false);
        for (unsigned i = 0; i < 16; i++)
            dst[i][3] = rgtc_unorm(src, i);
        return true;
    case DRV_FORMAT_RGTC1_UNORM:
    case DRV_FORMAT_RGTC2_UNORM:
        for (unsigned i = 0; i < 16; i++) {
            dst[i][0] = rgtc_unorm(src, i);
            dst[i][1] = format == DRV_FORMAT_RGTC2_UNORM ? rgtc_unorm(src + 8, i) : 0;
            dst[i][2] = 0;
            dst[i][3] = 255;
        }
        return true;
    case DRV_FORMAT_ETC1_RGB8:
        decode_etc1(dst, src);
        return true;
    case DRV_FORMAT_LATC1_UNORM:
    case DRV_FORMAT_LATC2_UNORM:
        for (unsigned i = 0; i < 16; i++) {
            dst[i][0] = dst[i][1] = dst[i][2] = rgtc_unorm(src, i);
            dst[i][3] = format == DRV_FORMAT_LATC2_UNORM ? rgtc_unorm(src + 8, i) : 255;
        }
        return true;
    default:
        return false;
    }
}

static bool decode_block_float(enum drv_format format, float_block dst, const uint8_t *src)
{
    bool two = format == DRV_FORMAT_RGTC2_SNORM || format == DRV_FORMAT_LATC2_SNORM;

    switch (format) {
    case DRV_FORMAT_RGTC1_SNORM:
    case DRV_FORMAT_RGTC2_SNORM:
        for (unsigned i = 0; i < 16; i++) {
            dst[i][0] = rgtc_snorm(src, i);
            dst[i][1] = two ? rgtc_snorm(src + 8, i) : 0.0f;
            dst[i][2] = 0.0f;
            dst[i][3] = 1.0f;
        }
        return true;
    case DRV_FORMAT_LATC1_SNORM:
    case DRV_FORMAT_LATC2_SNORM:
        for (unsigned i = 0; i < 16; i++) {
            dst[i][0] = dst[i][1] = dst[i][2] = rgtc_snorm(src, i);
            dst[i][3] = two ? rgtc_snorm(src + 8, i) : 1.0f;
        }
        return true;
    default:
        return false;
    }
}

/* Copies the part of a block that lies inside the image. */
static void store_block(uint8_t *dst, unsigned dst_stride, const void *texels, unsigned texel_bytes,
                        unsigned x, unsigned y, unsigned width, unsigned height)
{
    unsigned w = MIN2(4, width - x), h = MIN2(4, height - y);
    for (unsigned row = 0; row < h; row++)
        memcpy(dst + (size_t)(y + row) * dst_stride + (size_t)x * texel_bytes,
               (const uint8_t *)texels + row * 4 * texel_bytes, w * texel_bytes);
}

bool util_format_decompress_rgba8(enum drv_format format, uint8_t *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height)
{
    unsigned block_bytes = drv_format_desc(format)->block_bytes;
    rgba8_block texels;

    for (unsigned y = 0; y < height; y += 4) {
        const uint8_t *block = (const uint8_t *)src + (size_t)(y / 4) * src_stride;
        for (unsigned x = 0; x < width; x += 4, block += block_bytes) {
            if (!decode_block_rgba8(format, texels, block))
                return false;
            store_block(dst, dst_stride, texels, 4, x, y, width, height);
        }
    }
    return true;
}

bool util_format_decompress_float(enum drv_format format, float *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height)
{
    unsigned block_bytes = drv_format_desc(format)->block_bytes;
    float_block texels;

    for (unsigned y = 0; y < height; y += 4) {
        const uint8_t *block = (const uint8_t *)src + (size_t)(y / 4) * src_stride;
        for (unsigned x = 0; x < width; x += 4, block += block_bytes) {
            if (!decode_block_float(format, texels, block))
                return false;
            store_block((uint8_t *)dst, dst_stride, texels, 16, x, y, width, height);
        }
    }
    return true;
}
