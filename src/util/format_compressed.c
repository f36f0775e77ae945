/* SPDX-License-Identifier: MIT */
/*
 * Decoders of compressed formats with 4×4 blocks: S3TC (EXT_texture_compression_s3tc), RGTC (GL 4.6
 * appendix D.1), LATC (EXT_texture_compression_latc, same blocks as RGTC), ETC1
 * (OES_compressed_ETC1_RGB8_texture, tables 3.17.1 to 3.17.3), ETC2 and EAC (OpenGL ES 3.0 appendix
 * C). Also decodes pairs of YCbCr texels (MESA_ycbcr_texture). BPTC, ASTC and FXT1 have separate
 * files.
 */
#include "util/format.h"

#include "util/format_astc.h"
#include "util/format_bptc.h"
#include "util/format_fxt1.h"
#include "util/macros.h"

typedef uint8_t rgba8_block[UTIL_ASTC_TEXELS][4];
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

/* Decodes the color part. four_colors: always use the four-color mode, whatever the order of the
 * end points (DXT3, DXT5). punch_through: black in three-color mode has alpha 0. */
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

/* Returns the 3-bit codes of a block; that of texel 0 is in the lowest bits. */
static uint64_t rgtc_codes(const uint8_t *src)
{
    uint64_t codes = 0;
    memcpy(&codes, src + 2, 6);
    return codes;
}

/* Decodes the values of a block. dst: that of texel 0; the next texel's is 4 bytes after it. */
static void decode_rgtc_unorm(uint8_t *dst, const uint8_t *src)
{
    const unsigned a0 = src[0], a1 = src[1];
    uint8_t value[8] = {src[0], src[1], [6] = 0, [7] = 255};
    if (a0 > a1) {
        for (unsigned code = 2; code < 8; code++)
            value[code] = ((8 - code) * a0 + (code - 1) * a1) / 7;
    } else {
        for (unsigned code = 2; code < 6; code++)
            value[code] = ((6 - code) * a0 + (code - 1) * a1) / 5;
    }
    uint64_t codes = rgtc_codes(src);
    for (unsigned i = 0; i < 16; i++, codes >>= 3)
        dst[4 * i] = value[codes & 7];
}

/* Does the same for signed values; the next texel's is 4 floats after it. */
static void decode_rgtc_snorm(float *dst, const uint8_t *src)
{
    const int r0 = (int8_t)src[0], r1 = (int8_t)src[1];
    const float a0 = (float)MAX2(r0, -127) / 127.0f, a1 = (float)MAX2(r1, -127) / 127.0f;
    float value[8] = {a0, a1, [6] = -1.0f, [7] = 1.0f};
    if (r0 > r1) {
        for (int code = 2; code < 8; code++)
            value[code] = ((float)(8 - code) * a0 + (float)(code - 1) * a1) / 7.0f;
    } else {
        for (int code = 2; code < 6; code++)
            value[code] = ((float)(6 - code) * a0 + (float)(code - 1) * a1) / 5.0f;
    }
    uint64_t codes = rgtc_codes(src);
    for (unsigned i = 0; i < 16; i++, codes >>= 3)
        dst[4 * i] = value[codes & 7];
}

/* --------------------------------------------------------------------------------- ETC1 --- */

/* Decodes the base colors of the two halves. */
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
        second &= 31; /* results outside of the range are undefined */
        base[0][i] = first << 3 | first >> 2;
        base[1][i] = second << 3 | second >> 2;
    }
}

static uint64_t etc_block(const uint8_t *src)
{
    uint64_t block = 0;
    for (unsigned i = 0; i < 8; i++)
        block = block << 8 | src[i];
    return block;
}

/* Returns the bit position of texel i; ETC numbers texels in column-major order. */
static unsigned etc_bit(unsigned i)
{
    return i % 4 * 4 + i / 4;
}

static void etc_texel(uint8_t dst[4], const int color[3], int offset)
{
    for (unsigned c = 0; c < 3; c++)
        dst[c] = CLAMP(color[c] + offset, 0, 255);
    dst[3] = 255;
}

/* punch_through: code 2 is transparent black, and code 0 is the base color. */
static void decode_etc1(rgba8_block dst, uint64_t block, bool punch_through)
{
    static const uint8_t modifier[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                           {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    int base[2][3];
    etc1_base_colors(block, base);
    for (unsigned i = 0; i < 16; i++) {
        unsigned bit = etc_bit(i);
        unsigned half = (block >> 32 & 1 ? i / 4 : i % 4) / 2;
        unsigned table = block >> (half ? 34 : 37) & 7;
        bool large = block >> bit & 1, negative = block >> (16 + bit) & 1;
        int offset = punch_through && !large ? 0 : modifier[table][large];
        etc_texel(dst[i], base[half], negative ? -offset : offset);
        if (punch_through && negative && !large)
            memset(dst[i], 0, 4);
    }
}

/* --------------------------------------------------------------------------- ETC2 and EAC --- */

static const uint8_t etc2_distance[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/* Returns bits [low, high] of a block. */
static int bits_of(uint64_t block, unsigned high, unsigned low)
{
    return (int)(block >> low & BITFIELD64_MASK(high - low + 1));
}

/* Computes the four paint colors of a block in T or H mode. */
static void decode_etc2_paint(rgba8_block dst, uint64_t block, uint8_t paint[4][4],
                              bool punch_through)
{
    if (punch_through)
        memset(paint[2], 0, 4);
    for (unsigned i = 0; i < 16; i++) {
        unsigned bit = etc_bit(i);
        memcpy(dst[i], paint[(block >> (16 + bit) & 1) << 1 | (block >> bit & 1)], 4);
    }
}

static void decode_etc2_t(rgba8_block dst, uint64_t block, bool punch_through)
{
    int first[3] = {bits_of(block, 60, 59) << 2 | bits_of(block, 57, 56), bits_of(block, 55, 52),
                    bits_of(block, 51, 48)};
    int second[3] = {bits_of(block, 47, 44), bits_of(block, 43, 40), bits_of(block, 39, 36)};
    int distance = etc2_distance[bits_of(block, 35, 34) << 1 | bits_of(block, 32, 32)];
    uint8_t paint[4][4];
    for (unsigned c = 0; c < 3; c++) {
        first[c] *= 17;
        second[c] *= 17;
    }
    etc_texel(paint[0], first, 0);
    etc_texel(paint[1], second, distance);
    etc_texel(paint[2], second, 0);
    etc_texel(paint[3], second, -distance);
    decode_etc2_paint(dst, block, paint, punch_through);
}

static void decode_etc2_h(rgba8_block dst, uint64_t block, bool punch_through)
{
    int first[3] = {bits_of(block, 62, 59), bits_of(block, 58, 56) << 1 | bits_of(block, 52, 52),
                    bits_of(block, 51, 51) << 3 | bits_of(block, 49, 47)};
    int second[3] = {bits_of(block, 46, 43), bits_of(block, 42, 39), bits_of(block, 38, 35)};
    unsigned a = 0, b = 0;
    uint8_t paint[4][4];
    for (unsigned c = 0; c < 3; c++) {
        a = a << 4 | (unsigned)first[c];
        b = b << 4 | (unsigned)second[c];
        first[c] *= 17;
        second[c] *= 17;
    }
    /* the order of the base colors is the low bit of the distance index */
    int distance =
        etc2_distance[bits_of(block, 34, 34) << 2 | bits_of(block, 32, 32) << 1 | (a >= b)];
    etc_texel(paint[0], first, distance);
    etc_texel(paint[1], first, -distance);
    etc_texel(paint[2], second, distance);
    etc_texel(paint[3], second, -distance);
    decode_etc2_paint(dst, block, paint, punch_through);
}

/* Interpolates between the colors at the origin and past the right and bottom edges. */
static void decode_etc2_planar(rgba8_block dst, uint64_t block)
{
    int corner[3][3] = {
        {bits_of(block, 62, 57), bits_of(block, 56, 56) << 6 | bits_of(block, 54, 49),
         bits_of(block, 48, 48) << 5 | bits_of(block, 44, 43) << 3 | bits_of(block, 41, 39)},
        {bits_of(block, 38, 34) << 1 | bits_of(block, 32, 32), bits_of(block, 31, 25),
         bits_of(block, 24, 19)},
        {bits_of(block, 18, 13), bits_of(block, 12, 6), bits_of(block, 5, 0)},
    };
    for (unsigned k = 0; k < 3; k++)
        for (unsigned c = 0; c < 3; c++)
            corner[k][c] = c == 1 ? corner[k][c] << 1 | corner[k][c] >> 6
                                  : corner[k][c] << 2 | corner[k][c] >> 4;
    for (unsigned i = 0; i < 16; i++) {
        int x = (int)i % 4, y = (int)i / 4, color[3];
        for (unsigned c = 0; c < 3; c++)
            color[c] = (x * (corner[1][c] - corner[0][c]) + y * (corner[2][c] - corner[0][c]) +
                        4 * corner[0][c] + 2) >>
                       2;
        etc_texel(dst[i], color, 0);
    }
}

/* alpha1: the format has punch-through alpha; its mode bit then means that the block is opaque. */
static void decode_etc2(rgba8_block dst, const uint8_t *src, bool alpha1)
{
    uint64_t block = etc_block(src);
    bool bit = block >> 33 & 1, punch_through = alpha1 && !bit, outside[3];
    if (alpha1)
        block |= 1ull << 33;           /* there is no individual mode */
    for (unsigned c = 0; c < 3; c++) { /* overflow selects the modes that ETC1 lacks */
        int color = bits_of(block, 63 - 8 * c, 59 - 8 * c),
            delta = bits_of(block, 58 - 8 * c, 56 - 8 * c);
        color += delta & 4 ? delta - 8 : delta;
        outside[c] = (bit || alpha1) && (color < 0 || color > 31);
    }
    if (outside[0])
        decode_etc2_t(dst, block, punch_through);
    else if (outside[1])
        decode_etc2_h(dst, block, punch_through);
    else if (outside[2])
        decode_etc2_planar(dst, block);
    else
        decode_etc1(dst, block, punch_through);
}

/* Returns the modifier of texel i and stores the multiplier of an EAC block. */
static int eac_modifier(const uint8_t *src, unsigned i, int *multiplier)
{
    static const int8_t table[16][8] = {
        {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12},
        {-2, -5, -8, -13, 1, 4, 7, 12}, {-2, -4, -6, -13, 1, 3, 5, 12},
        {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
        {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},
        {-2, -6, -8, -10, 1, 5, 7, 9},  {-2, -5, -8, -10, 1, 4, 7, 9},
        {-2, -4, -8, -10, 1, 3, 7, 9},  {-2, -5, -7, -10, 1, 4, 6, 9},
        {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},
        {-4, -6, -8, -9, 3, 5, 7, 8},   {-3, -5, -7, -9, 2, 4, 6, 8},
    };
    uint64_t block = etc_block(src);
    *multiplier = src[1] >> 4;
    return table[src[1] & 15][block >> (45 - 3 * etc_bit(i)) & 7];
}

static uint8_t eac_alpha(const uint8_t *src, unsigned i)
{
    int multiplier, modifier = eac_modifier(src, i, &multiplier);
    return CLAMP(src[0] + modifier * multiplier, 0, 255);
}

/* Decodes one 11-bit component. If the multiplier is 0, the modifier counts in eighths. */
static float eac_unorm11(const uint8_t *src, unsigned i)
{
    int multiplier, modifier = eac_modifier(src, i, &multiplier);
    int value = src[0] * 8 + 4 + modifier * (multiplier ? multiplier * 8 : 1);
    return (float)CLAMP(value, 0, 2047) / 2047.0f;
}

static float eac_snorm11(const uint8_t *src, unsigned i)
{
    int multiplier, modifier = eac_modifier(src, i, &multiplier);
    int value = MAX2((int8_t)src[0], -127) * 8 + modifier * (multiplier ? multiplier * 8 : 1);
    return (float)CLAMP(value, -1023, 1023) / 1023.0f;
}

/* -------------------------------------------------------------------------------- YCbCr --- */

/* Decodes two texels with separate luminance and shared chroma, stored as Y, Cb, Y, Cr. Uses ITU-R
 * BT.601 with limited (video) range. */
static void decode_ycbcr(rgba8_block dst, const uint8_t *src)
{
    int cb = src[1] - 128, cr = src[3] - 128;
    for (unsigned i = 0; i < 2; i++) {
        int y = 298 * (src[2 * i] - 16) + 128; /* 8 fraction bits */
        dst[i][0] = CLAMP((y + 409 * cr) >> 8, 0, 255);
        dst[i][1] = CLAMP((y - 100 * cb - 208 * cr) >> 8, 0, 255);
        dst[i][2] = CLAMP((y + 516 * cb) >> 8, 0, 255);
        dst[i][3] = 255;
    }
}

/* ------------------------------------------------------------------------------- blocks --- */

static bool is_astc(enum drv_format format)
{
    return format >= DRV_FORMAT_ASTC_4x4 && format <= DRV_FORMAT_ASTC_12x12_SRGB;
}

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
        decode_rgtc_unorm(&dst[0][3], src);
        return true;
    case DRV_FORMAT_RGTC1_UNORM:
    case DRV_FORMAT_RGTC2_UNORM:
        for (unsigned i = 0; i < 16; i++)
            memcpy(dst[i], (const uint8_t[4]){0, 0, 0, 255}, 4);
        decode_rgtc_unorm(&dst[0][0], src);
        if (format == DRV_FORMAT_RGTC2_UNORM)
            decode_rgtc_unorm(&dst[0][1], src + 8);
        return true;
    case DRV_FORMAT_ETC1_RGB8:
        decode_etc1(dst, etc_block(src), false);
        return true;
    case DRV_FORMAT_ETC2_RGB8:
    case DRV_FORMAT_ETC2_SRGB8:
        decode_etc2(dst, src, false);
        return true;
    case DRV_FORMAT_ETC2_RGB8A1:
    case DRV_FORMAT_ETC2_SRGB8A1:
        decode_etc2(dst, src, true);
        return true;
    case DRV_FORMAT_ETC2_RGBA8:
    case DRV_FORMAT_ETC2_SRGBA8:
        decode_etc2(dst, src + 8, false);
        for (unsigned i = 0; i < 16; i++)
            dst[i][3] = eac_alpha(src, i);
        return true;
    case DRV_FORMAT_LATC1_UNORM:
    case DRV_FORMAT_LATC2_UNORM:
        decode_rgtc_unorm(&dst[0][0], src);
        for (unsigned i = 0; i < 16; i++) {
            dst[i][1] = dst[i][2] = dst[i][0];
            dst[i][3] = 255;
        }
        if (format == DRV_FORMAT_LATC2_UNORM)
            decode_rgtc_unorm(&dst[0][3], src + 8);
        return true;
    case DRV_FORMAT_BPTC_RGBA_UNORM:
    case DRV_FORMAT_BPTC_SRGBA:
        util_bptc_decode_unorm(dst, src);
        return true;
    case DRV_FORMAT_FXT1_RGB:
    case DRV_FORMAT_FXT1_RGBA:
        util_fxt1_decode(dst, src);
        return true;
    case DRV_FORMAT_YCBCR:
        decode_ycbcr(dst, src);
        return true;
    default:
        if (!is_astc(format))
            return false;
        util_astc_decode(dst, src, drv_format_desc(format)->block_width,
                         drv_format_desc(format)->block_height);
        return true;
    }
}

static bool decode_block_float(enum drv_format format, float_block dst, const uint8_t *src)
{
    bool two = format == DRV_FORMAT_RGTC2_SNORM || format == DRV_FORMAT_LATC2_SNORM;

    switch (format) {
    case DRV_FORMAT_RGTC1_SNORM:
    case DRV_FORMAT_RGTC2_SNORM:
        for (unsigned i = 0; i < 16; i++) {
            dst[i][1] = dst[i][2] = 0.0f;
            dst[i][3] = 1.0f;
        }
        decode_rgtc_snorm(&dst[0][0], src);
        if (two)
            decode_rgtc_snorm(&dst[0][1], src + 8);
        return true;
    case DRV_FORMAT_LATC1_SNORM:
    case DRV_FORMAT_LATC2_SNORM:
        decode_rgtc_snorm(&dst[0][0], src);
        for (unsigned i = 0; i < 16; i++) {
            dst[i][1] = dst[i][2] = dst[i][0];
            dst[i][3] = 1.0f;
        }
        if (two)
            decode_rgtc_snorm(&dst[0][3], src + 8);
        return true;
    case DRV_FORMAT_ETC2_R11_UNORM:
    case DRV_FORMAT_ETC2_R11_SNORM:
    case DRV_FORMAT_ETC2_RG11_UNORM:
    case DRV_FORMAT_ETC2_RG11_SNORM: {
        bool snorm = format == DRV_FORMAT_ETC2_R11_SNORM || format == DRV_FORMAT_ETC2_RG11_SNORM;
        bool green = format == DRV_FORMAT_ETC2_RG11_UNORM || format == DRV_FORMAT_ETC2_RG11_SNORM;
        float (*decode)(const uint8_t *src, unsigned i) = snorm ? eac_snorm11 : eac_unorm11;
        for (unsigned i = 0; i < 16; i++) {
            dst[i][0] = decode(src, i);
            dst[i][1] = green ? decode(src + 8, i) : 0.0f;
            dst[i][2] = 0.0f;
            dst[i][3] = 1.0f;
        }
        return true;
    }
    case DRV_FORMAT_BPTC_RGB_FLOAT:
    case DRV_FORMAT_BPTC_RGB_UFLOAT:
        util_bptc_decode_float(dst, src, format == DRV_FORMAT_BPTC_RGB_FLOAT);
        return true;
    default:
        return false;
    }
}

/* Copies the part of a decoded block that lies inside the image. */
static void store_block(const struct drv_format_desc *d, uint8_t *dst, unsigned dst_stride,
                        const void *texels, unsigned texel_bytes, unsigned x, unsigned y,
                        unsigned width, unsigned height)
{
    unsigned w = MIN2(d->block_width, width - x), h = MIN2(d->block_height, height - y);
    for (unsigned row = 0; row < h; row++)
        memcpy(dst + (size_t)(y + row) * dst_stride + (size_t)x * texel_bytes,
               (const uint8_t *)texels + row * d->block_width * texel_bytes, w * texel_bytes);
}

bool util_format_decompress_rgba8(enum drv_format format, uint8_t *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    rgba8_block texels;

    for (unsigned y = 0; y < height; y += d->block_height) {
        const uint8_t *block = (const uint8_t *)src + (size_t)(y / d->block_height) * src_stride;
        for (unsigned x = 0; x < width; x += d->block_width, block += d->block_bytes) {
            if (!decode_block_rgba8(format, texels, block))
                return false;
            store_block(d, dst, dst_stride, texels, 4, x, y, width, height);
        }
    }
    return true;
}

bool util_format_decompress_float(enum drv_format format, float *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    float_block texels;

    for (unsigned y = 0; y < height; y += d->block_height) {
        const uint8_t *block = (const uint8_t *)src + (size_t)(y / d->block_height) * src_stride;
        for (unsigned x = 0; x < width; x += d->block_width, block += d->block_bytes) {
            if (!decode_block_float(format, texels, block))
                return false;
            store_block(d, (uint8_t *)dst, dst_stride, texels, 16, x, y, width, height);
        }
    }
    return true;
}
