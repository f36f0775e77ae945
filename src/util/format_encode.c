/* SPDX-License-Identifier: MIT */
/*
 * Encoders of S3TC, RGTC, LATC, BPTC and FXT1 images (FXT1's opaque colors are encoded as S3TC).
 * Blocks of 4×4 texels are encoded side by side, one per lane of a vector (format_encode_lanes.h).
 * FXT1's alpha encoder is in format_fxt1.c; decoders are in format_compressed.c and format_bptc.c.
 *
 * Colors: the end points are the extremes along the principal axis of the block's colors (range
 * fit). A least-squares fit to the chosen codes then refines them if the error decreases. Single
 * channels: the encoder tries eight steps between the extremes, and six steps between the extremes
 * of the values that are not the ends of the range, and keeps the better one. BPTC: the encoder
 * uses the modes with one subset and sixteen steps; in blocks of constant alpha also mode 5, in
 * which alpha has its own bits.
 */
#include <math.h>
#include <string.h>

#include "util/format.h"
#include "util/format_fxt1.h"
#include "util/macros.h"
#include "util/simd.h"

/* A part of a block: 8 bytes, or 16 in BPTC formats. */
struct part {
    enum {
        PART_COLORS, /* colors of S3TC */
        PART_DXT3_ALPHA,
        PART_CHANNEL, /* channel of RGTC */
        PART_BPTC_UNORM,
        PART_BPTC_FLOAT,
    } kind;
    unsigned channel;   /* PART_CHANNEL only: R, G, B, A */
    bool punch_through; /* PART_COLORS only: texels may be transparent */
    bool is_signed;     /* PART_CHANNEL and PART_BPTC_FLOAT only */
};

#define SIMD_FILE          "util/format_encode_lanes.h"
#define SIMD_LANES_DIVISOR 1
#include "util/simd_each.h"

#define GROUP 16 /* 4×4 blocks that are encoded together: the lanes of the widest vector */

/* Encodes a part of `count` 4×4 blocks that are adjacent in src, which has rows of `stride` texels.
 * The blocks are stored `step` bytes apart. */
static void encode_part(const struct part *part, uint8_t *dst, size_t step, const float (*src)[4],
                        size_t stride, unsigned count)
{
    SIMD_CALL(encode_part, part, dst, step, src, stride, count);
}

/* Limits a value to [0, 1]. A NaN becomes 0. */
static float limited(float v)
{
    return v > 0.0f ? MIN2(v, 1.0f) : 0.0f;
}

/* Encodes the halves of opaque FXT1 blocks as four-color S3TC blocks. count: blocks of 8×4
 * texels. */
static void encode_fxt1(uint8_t *dst, const float (*src)[4], size_t stride, unsigned count,
                        bool alpha)
{
    static const struct part part = {PART_COLORS, 0, false, false};
    uint8_t colors[GROUP / 2][2][8];
    float texel[32][4];

    encode_part(&part, colors[0][0], 8, src, stride, 2 * count);
    for (unsigned k = 0; k < count; k++, src += 8, dst += 16) {
        bool opaque = true;
        for (unsigned i = 0; i < 32; i++)
            for (unsigned c = 0; c < 4; c++)
                texel[i][c] = limited(src[i / 8 * stride + i % 8][c]);
        for (unsigned i = 0; i < 32; i++)
            opaque &= !alpha || texel[i][3] >= 1.0f - 0.5f / 255.0f;
        if (opaque)
            util_fxt1_join(dst, (const uint8_t(*)[8])colors[k]);
        else
            util_fxt1_encode_alpha(dst, (const float(*)[4])texel);
    }
}

/* Finds the parts of the format's blocks. Returns their number; 0: there is no encoder. */
static unsigned find_parts(enum drv_format format, struct part part[2])
{
    const bool is_signed = util_format_is_snorm(format);
    const struct part colors = {PART_COLORS, 0, false, false};

    switch (format) {
    case DRV_FORMAT_DXT1_RGB:
    case DRV_FORMAT_DXT1_SRGB:
    case DRV_FORMAT_FXT1_RGB:
    case DRV_FORMAT_FXT1_RGBA:
        part[0] = colors;
        return 1;
    case DRV_FORMAT_DXT1_RGBA:
    case DRV_FORMAT_DXT1_SRGBA:
        part[0] = (struct part){PART_COLORS, 0, true, false};
        return 1;
    case DRV_FORMAT_DXT3_RGBA:
    case DRV_FORMAT_DXT3_SRGBA:
        part[0] = (struct part){PART_DXT3_ALPHA, 3, false, false};
        part[1] = colors;
        return 2;
    case DRV_FORMAT_DXT5_RGBA:
    case DRV_FORMAT_DXT5_SRGBA:
        part[0] = (struct part){PART_CHANNEL, 3, false, false};
        part[1] = colors;
        return 2;
    case DRV_FORMAT_RGTC1_UNORM:
    case DRV_FORMAT_RGTC1_SNORM:
    case DRV_FORMAT_LATC1_UNORM:
    case DRV_FORMAT_LATC1_SNORM:
        part[0] = (struct part){PART_CHANNEL, 0, false, is_signed};
        return 1;
    case DRV_FORMAT_RGTC2_UNORM:
    case DRV_FORMAT_RGTC2_SNORM:
    case DRV_FORMAT_LATC2_UNORM:
    case DRV_FORMAT_LATC2_SNORM: {
        const bool latc = format == DRV_FORMAT_LATC2_UNORM || format == DRV_FORMAT_LATC2_SNORM;
        part[0] = (struct part){PART_CHANNEL, 0, false, is_signed};
        part[1] = (struct part){PART_CHANNEL, latc ? 3 : 1, false, is_signed};
        return 2;
    }
    case DRV_FORMAT_BPTC_RGBA_UNORM:
    case DRV_FORMAT_BPTC_SRGBA:
        part[0] = (struct part){PART_BPTC_UNORM, 0, false, false};
        return 1;
    case DRV_FORMAT_BPTC_RGB_FLOAT:
    case DRV_FORMAT_BPTC_RGB_UFLOAT:
        part[0] = (struct part){PART_BPTC_FLOAT, 0, false, format == DRV_FORMAT_BPTC_RGB_FLOAT};
        return 1;
    default:
        return 0;
    }
}

bool util_format_can_compress(enum drv_format format)
{
    struct part part[2];
    return find_parts(format, part) > 0;
}

/* Copies texels x to x + columns - 1 of the rows y to y + 3. The edge texels are repeated in place
 * of those past the image. */
static void pad_blocks(float (*dst)[4], unsigned columns, const float (*src)[4], unsigned src_width,
                       unsigned x, unsigned y, unsigned width, unsigned height)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < columns; k++, dst++)
            memcpy(*dst, src[(size_t)MIN2(y + i, height - 1) * src_width + MIN2(x + k, width - 1)],
                   sizeof *dst);
}

bool util_format_compress(enum drv_format format, void *dst, unsigned dst_stride,
                          const float (*src)[4], unsigned src_width, unsigned width,
                          unsigned height)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    const unsigned w = d->block_width, most = GROUP * 4 / w;
    struct part part[2];
    const unsigned parts = find_parts(format, part);
    float padded[4 * 4 * GROUP][4];

    if (!parts)
        return false;
    for (unsigned y = 0; y < height; y += 4) {
        uint8_t *block = (uint8_t *)dst + (size_t)(y / 4) * dst_stride;
        for (unsigned x = 0, count; x < width; x += count * w, block += count * d->block_bytes) {
            count = MIN2(most, DIV_ROUND_UP(width - x, w));
            const float(*from)[4] = src + (size_t)y * src_width + x;
            size_t stride = src_width;
            if (y + 4 > height || x + count * w > width) {
                pad_blocks(padded, count * w, src, src_width, x, y, width, height);
                from = (const float(*)[4])padded;
                stride = count * w;
            }
            if (w == 8)
                encode_fxt1(block, from, stride, count, format == DRV_FORMAT_FXT1_RGBA);
            for (unsigned i = 0; w == 4 && i < parts; i++)
                encode_part(&part[i], block + 8 * i, d->block_bytes, from, stride, count);
        }
    }
    return true;
}
