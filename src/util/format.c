/* SPDX-License-Identifier: MIT */
/*
 * Conversion of rows of texels, driven by the format description: a channel is extracted from the
 * block as up to 64 bits, then converted to a float or integer according to its type. Common
 * formats have specialized loops.
 */
#include "util/format.h"

#include <assert.h>
#include <math.h>

#include "util/format_tables.h"
#include "util/half.h"
#include "util/macros.h"

const struct drv_format_desc *drv_format_desc(enum drv_format format)
{
    return &util_format_descs[(unsigned)format < DRV_FORMAT_COUNT ? format : DRV_FORMAT_NONE];
}

/* ------------------------------------------------------------------------ bits and values --- */

/* Returns bits [shift, shift + bits) of a little-endian block. */
static uint64_t read_bits(const uint8_t *block, unsigned shift, unsigned bits)
{
    uint64_t value = 0;
    unsigned first = shift / 8, bytes = (shift % 8 + bits + 7) / 8;
    memcpy(&value, block + first, MIN2(bytes, 8));
    value >>= shift % 8;
    return bits < 64 ? value & BITFIELD64_MASK(bits) : value;
}

static void write_bits(uint8_t *block, unsigned shift, unsigned bits, uint64_t value)
{
    uint64_t word = 0, mask = BITFIELD64_MASK(bits);
    unsigned first = shift / 8, bytes = MIN2((shift % 8 + bits + 7) / 8, 8);
    memcpy(&word, block + first, bytes);
    word = (word & ~(mask << shift % 8)) | (value & mask) << shift % 8;
    memcpy(block + first, &word, bytes);
}

static int64_t sign_extend(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* Converts an unsigned float with 5 exponent bits (GL 4.6 §2.3.4.3, §2.3.4.4). */
static float small_float_to_float(uint32_t value, unsigned mantissa_bits)
{
    return util_half_to_float(value << (10 - mantissa_bits));
}

static uint32_t float_to_small_float(float f, unsigned mantissa_bits)
{
    uint32_t u = fui(f), max = (31u << mantissa_bits) - 1;
    if ((u & 0x7fffffff) > 0x7f800000)
        return max + 2; /* NaN */
    if (u >> 31)
        return 0;
    if (u == 0x7f800000)
        return max + 1;
    unsigned drop = 23 - mantissa_bits;
    uint32_t result;
    if (u < 0x38800000) { /* denormal: a multiple of 2^-(14 + mantissa_bits) */
        result = (uint32_t)rintf(f * (float)(1u << (14 + mantissa_bits)));
    } else {
        u += 0xc8000000 + (1u << (drop - 1)) - 1 + (u >> drop & 1);
        result = u >> drop;
    }
    return MIN2(result, max); /* finite values don't become infinity */
}

/* Decodes the shared exponent format (GL 4.6 §8.5.2): N = 9, B = 15, Emax = 31. */
static void unpack_rgb9e5(float dst[4], uint32_t word)
{
    float scale = uif(((word >> 27) + 127 - 15 - 9) << 23);
    for (unsigned i = 0; i < 3; i++)
        dst[i] = (float)(word >> (9 * i) & 0x1ff) * scale;
    dst[3] = 1.0f;
}

static uint32_t pack_rgb9e5(const float src[4])
{
    const float max_value = 65408.0f; /* (2^9 - 1) / 2^9 * 2^16 */
    float c[3], max = 0.0f;
    for (unsigned i = 0; i < 3; i++) {
        c[i] = src[i] > 0.0f ? MIN2(src[i], max_value) : 0.0f;
        max = MAX2(max, c[i]);
    }
    int exponent = MAX2(-16, (int)(fui(max) >> 23) - 127) + 1 + 15;
    float scale = uif((uint32_t)(127 + 15 + 9 - exponent) << 23);
    if ((uint32_t)(max * scale + 0.5f) == 512) {
        exponent++;
        scale *= 0.5f;
    }
    uint32_t word = (uint32_t)exponent << 27;
    for (unsigned i = 0; i < 3; i++)
        word |= (uint32_t)(c[i] * scale + 0.5f) << (9 * i);
    return word;
}

static float channel_to_float(const struct drv_format_channel *c, uint64_t bits)
{
    switch (c->type) {
    case DRV_CHANNEL_UNSIGNED:
        if (!c->normalized)
            return (float)bits;
        return c->bits <= 24 ? (float)bits / (float)BITFIELD_MASK(c->bits)
                             : (float)((double)bits / (double)BITFIELD64_MASK(c->bits));
    case DRV_CHANNEL_SIGNED: {
        int64_t value = sign_extend(bits, c->bits);
        if (!c->normalized)
            return (float)value;
        /* GL 4.6 §2.3.5.1: the two most negative values both map to -1 */
        double f = (double)value / (double)BITFIELD64_MASK(c->bits - 1);
        return f < -1.0 ? -1.0f : (float)f;
    }
    case DRV_CHANNEL_FLOAT:
        if (c->bits == 32)
            return uif((uint32_t)bits);
        if (c->bits == 16)
            return util_half_to_float((uint16_t)bits);
        if (c->bits == 64) {
            double d;
            memcpy(&d, &bits, sizeof d);
            return (float)d;
        }
        return small_float_to_float((uint32_t)bits, c->bits - 5);
    case DRV_CHANNEL_FIXED:
        return (float)((double)sign_extend(bits, 32) / 65536.0);
    default:
        return 0.0f;
    }
}

/* Rounds to the nearest integer in [lo, hi], ties to even, but at most to INT64_MAX. NaN becomes
 * 0. */
static int64_t round_clamped(double value, double lo, double hi)
{
    if (!(value == value))
        return 0;
    if (value >= 0x1p63 && hi >= 0x1p63) /* hi may be 2^63, which INT64_MAX was rounded to */
        return INT64_MAX;
    return llrint(CLAMP(value, lo, hi));
}

static uint64_t float_to_channel(const struct drv_format_channel *c, float f)
{
    double max;
    switch (c->type) {
    case DRV_CHANNEL_UNSIGNED:
        max = (double)BITFIELD64_MASK(c->bits);
        if (!c->normalized && c->bits == 64)
            return f >= 0x1p64f ? UINT64_MAX : f > 0 ? (uint64_t)f : 0;
        return round_clamped(c->normalized ? (double)CLAMP(f, 0.0f, 1.0f) * max : f, 0.0, max);
    case DRV_CHANNEL_SIGNED:
        max = (double)BITFIELD64_MASK(c->bits - 1);
        return round_clamped(c->normalized ? (double)CLAMP(f, -1.0f, 1.0f) * max : f,
                             c->normalized ? -max : -max - 1.0, max);
    case DRV_CHANNEL_FLOAT:
        if (c->bits == 32)
            return fui(f);
        if (c->bits == 16)
            return util_float_to_half(f);
        if (c->bits == 64) {
            double d = f;
            uint64_t bits;
            memcpy(&bits, &d, sizeof bits);
            return bits;
        }
        return float_to_small_float(f, c->bits - 5);
    case DRV_CHANNEL_FIXED:
        return round_clamped((double)f * 65536.0, INT32_MIN, INT32_MAX);
    default:
        return 0;
    }
}

/* Returns the byte that the linear value f encodes to, by binary search of the thresholds. */
static uint8_t linear_to_srgb8(float f)
{
    unsigned lo = 0, hi = 255;
    while (lo < hi) {
        unsigned mid = (lo + hi) / 2;
        if (f >= util_srgb_threshold[mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Returns the component of the shader's vec4 that a channel is written from, or -1 for padding. L
 * and I channels are written from the first component. */
static int component_of_channel(const struct drv_format_desc *desc, unsigned channel)
{
    for (int i = 0; i < 4; i++) {
        if (desc->swizzle[i] == channel)
            return i;
    }
    return -1;
}

/* --------------------------------------------------------------------------------- float --- */

bool util_format_is_unorm8_array(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    if (desc->layout != DRV_LAYOUT_PLAIN || desc->colorspace != DRV_COLORSPACE_RGB ||
        desc->nr_channels != desc->block_bytes)
        return false;
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        bool unorm = c->type == DRV_CHANNEL_UNSIGNED && c->normalized;
        if (c->bits != 8 || (!unorm && c->type != DRV_CHANNEL_VOID))
            return false;
    }
    return true;
}

static void unpack_unorm8_array(const struct drv_format_desc *desc, float (*dst)[4],
                                const uint8_t *src, unsigned count)
{
    float value[6] = {[DRV_SWIZZLE_1] = 1.0f};
    unsigned n = desc->nr_channels;

    for (unsigned i = 0; i < count; i++, src += n) {
        for (unsigned c = 0; c < n; c++)
            value[c] = (float)src[c] / 255.0f;
        for (unsigned c = 0; c < 4; c++)
            dst[i][c] = value[desc->swizzle[c]];
    }
}

static uint8_t float_to_unorm8(float f)
{
    /* adding 2^23 leaves the integer, rounded to even, in the low mantissa bits */
    f = f > 0.0f ? MIN2(f, 1.0f) : 0.0f;
    return (uint8_t)fui(f * 255.0f + 0x1p23f);
}

static void pack_unorm8_array(const struct drv_format_desc *desc, uint8_t *dst,
                              const float (*src)[4], unsigned count)
{
    int component[4];
    unsigned n = desc->nr_channels;

    for (unsigned c = 0; c < n; c++)
        component[c] = component_of_channel(desc, c);
    for (unsigned i = 0; i < count; i++, dst += n) {
        for (unsigned c = 0; c < n; c++)
            dst[c] = component[c] < 0 ? 0 : float_to_unorm8(src[i][component[c]]);
    }
}

void util_format_unpack_float(enum drv_format format, float (*dst)[4], const void *src,
                              unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const uint8_t *block = src;

    assert(desc->colorspace != DRV_COLORSPACE_ZS && desc->layout != DRV_LAYOUT_COMPRESSED);
    if (format == DRV_FORMAT_R32G32B32A32_FLOAT) {
        memcpy(dst, src, (size_t)count * 16);
        return;
    }
    if (util_format_is_unorm8_array(format)) {
        unpack_unorm8_array(desc, dst, src, count);
        return;
    }
    for (unsigned i = 0; i < count; i++, block += desc->block_bytes) {
        if (desc->layout == DRV_LAYOUT_RGB9E5) {
            unpack_rgb9e5(dst[i], (uint32_t)read_bits(block, 0, 32));
            continue;
        }
        for (unsigned c = 0; c < 4; c++) {
            unsigned s = desc->swizzle[c];
            if (s > DRV_SWIZZLE_W) {
                dst[i][c] = s == DRV_SWIZZLE_1 ? 1.0f : 0.0f;
                continue;
            }
            uint64_t bits = read_bits(block, desc->channel[s].shift, desc->channel[s].bits);
            dst[i][c] = desc->colorspace == DRV_COLORSPACE_SRGB && c < 3
                            ? util_srgb_to_linear[bits]
                            : channel_to_float(&desc->channel[s], bits);
        }
    }
}

void util_format_pack_float(enum drv_format format, void *dst, const float (*src)[4],
                            unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    uint8_t *block = dst;

    assert(desc->colorspace != DRV_COLORSPACE_ZS && desc->layout != DRV_LAYOUT_COMPRESSED);
    if (format == DRV_FORMAT_R32G32B32A32_FLOAT) {
        memcpy(dst, src, (size_t)count * 16);
        return;
    }
    if (util_format_is_unorm8_array(format)) {
        pack_unorm8_array(desc, dst, src, count);
        return;
    }
    for (unsigned i = 0; i < count; i++, block += desc->block_bytes) {
        if (desc->layout == DRV_LAYOUT_RGB9E5) {
            write_bits(block, 0, 32, pack_rgb9e5(src[i]));
            continue;
        }
        memset(block, 0, desc->block_bytes);
        for (unsigned s = 0; s < desc->nr_channels; s++) {
            const struct drv_format_channel *channel = &desc->channel[s];
            int c = component_of_channel(desc, s);
            if (c < 0)
                continue;
            uint64_t bits = desc->colorspace == DRV_COLORSPACE_SRGB && c < 3
                                ? linear_to_srgb8(src[i][c])
                                : float_to_channel(channel, src[i][c]);
            write_bits(block, channel->shift, channel->bits, bits);
        }
    }
}

/* ------------------------------------------------------------------------------- integer --- */

void util_format_unpack_int(enum drv_format format, uint32_t (*dst)[4], const void *src,
                            unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const uint8_t *block = src;

    for (unsigned i = 0; i < count; i++, block += desc->block_bytes) {
        for (unsigned c = 0; c < 4; c++) {
            unsigned s = desc->swizzle[c];
            if (s > DRV_SWIZZLE_W) {
                dst[i][c] = s == DRV_SWIZZLE_1;
                continue;
            }
            const struct drv_format_channel *channel = &desc->channel[s];
            uint64_t bits = read_bits(block, channel->shift, channel->bits);
            dst[i][c] = channel->type == DRV_CHANNEL_SIGNED
                            ? (uint32_t)sign_extend(bits, channel->bits)
                            : (uint32_t)bits;
        }
    }
}

static uint64_t clamp_int(const struct drv_format_channel *channel, uint32_t value, bool is_signed)
{
    int64_t v = is_signed ? (int64_t)(int32_t)value : (int64_t)value;
    unsigned bits = MIN2(channel->bits, 33);
    if (channel->type == DRV_CHANNEL_SIGNED) {
        int64_t max = (int64_t)BITFIELD64_MASK(bits - 1);
        return (uint64_t)CLAMP(v, -max - 1, max);
    }
    return (uint64_t)CLAMP(v, 0, (int64_t)BITFIELD64_MASK(bits));
}

void util_format_pack_int(enum drv_format format, void *dst, const uint32_t (*src)[4],
                          bool src_signed, unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    uint8_t *block = dst;

    for (unsigned i = 0; i < count; i++, block += desc->block_bytes) {
        memset(block, 0, desc->block_bytes);
        for (unsigned s = 0; s < desc->nr_channels; s++) {
            const struct drv_format_channel *channel = &desc->channel[s];
            int c = component_of_channel(desc, s);
            if (c >= 0)
                write_bits(block, channel->shift, channel->bits,
                           clamp_int(channel, src[i][c], src_signed));
        }
    }
}

/* -------------------------------------------------------------------- depth and stencil --- */

static const struct drv_format_channel *zs_channel(const struct drv_format_desc *desc,
                                                   unsigned which)
{
    if (desc->colorspace != DRV_COLORSPACE_ZS || desc->swizzle[which] > DRV_SWIZZLE_W)
        return NULL;
    return &desc->channel[desc->swizzle[which]];
}

void util_format_unpack_depth(enum drv_format format, float *dst, const void *src, unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *z = zs_channel(desc, 0);
    const uint8_t *block = src;

    for (unsigned i = 0; i < count; i++, block += desc->block_bytes)
        dst[i] = z ? channel_to_float(z, read_bits(block, z->shift, z->bits)) : 0.0f;
}

void util_format_pack_depth(enum drv_format format, void *dst, const float *src, unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *z = zs_channel(desc, 0);
    uint8_t *block = dst;

    for (unsigned i = 0; z && i < count; i++, block += desc->block_bytes)
        write_bits(block, z->shift, z->bits, float_to_channel(z, src[i]));
}

void util_format_unpack_stencil(enum drv_format format, uint8_t *dst, const void *src,
                                unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *s = zs_channel(desc, 1);
    const uint8_t *block = src;

    for (unsigned i = 0; i < count; i++, block += desc->block_bytes)
        dst[i] = s ? (uint8_t)read_bits(block, s->shift, s->bits) : 0;
}

void util_format_pack_stencil(enum drv_format format, void *dst, const uint8_t *src, unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *s = zs_channel(desc, 1);
    uint8_t *block = dst;

    for (unsigned i = 0; s && i < count; i++, block += desc->block_bytes)
        write_bits(block, s->shift, s->bits, src[i]);
}

void util_format_unpack_depth_u32(enum drv_format format, uint32_t *dst, const void *src,
                                  unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *z = zs_channel(desc, 0);
    const uint8_t *block = src;

    for (unsigned i = 0; i < count; i++, block += desc->block_bytes) {
        uint64_t bits = z ? read_bits(block, z->shift, z->bits) : 0;
        if (!z)
            dst[i] = 0;
        else if (z->type == DRV_CHANNEL_FLOAT)
            dst[i] = (uint32_t)round_clamped((double)uif((uint32_t)bits) * 0xffffffffu, 0.0,
                                             0xffffffffu);
        else if (z->bits == 32)
            dst[i] = (uint32_t)bits;
        else /* replicating the high bits is exact at both ends and round-trips */
            dst[i] = (uint32_t)(bits << (32 - z->bits) | bits >> (2 * z->bits - 32));
    }
}

void util_format_pack_depth_u32(enum drv_format format, void *dst, const uint32_t *src,
                                unsigned count)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *z = zs_channel(desc, 0);
    uint8_t *block = dst;

    for (unsigned i = 0; z && i < count; i++, block += desc->block_bytes) {
        uint64_t bits = z->type == DRV_CHANNEL_FLOAT ? fui((float)((double)src[i] / 4294967295.0))
                                                     : src[i] >> (32 - z->bits);
        write_bits(block, z->shift, z->bits, bits);
    }
}

/* ---------------------------------------------------------------------------- properties --- */

/* Returns the first channel that is not padding; NULL for DRV_FORMAT_NONE. */
static const struct drv_format_channel *first_channel(const struct drv_format_desc *desc)
{
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        if (desc->channel[i].type != DRV_CHANNEL_VOID)
            return &desc->channel[i];
    }
    return NULL;
}

bool util_format_is_pure_integer(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    const struct drv_format_channel *c = first_channel(desc);
    return c && c->pure_integer && desc->colorspace != DRV_COLORSPACE_ZS;
}

bool util_format_is_pure_uint(enum drv_format format)
{
    return util_format_is_pure_integer(format) &&
           first_channel(drv_format_desc(format))->type == DRV_CHANNEL_UNSIGNED;
}

bool util_format_is_pure_sint(enum drv_format format)
{
    return util_format_is_pure_integer(format) &&
           first_channel(drv_format_desc(format))->type == DRV_CHANNEL_SIGNED;
}

bool util_format_is_float(enum drv_format format)
{
    const struct drv_format_channel *c = first_channel(drv_format_desc(format));
    return c && c->type == DRV_CHANNEL_FLOAT;
}

bool util_format_is_snorm(enum drv_format format)
{
    const struct drv_format_channel *c = first_channel(drv_format_desc(format));
    return c && c->type == DRV_CHANNEL_SIGNED && c->normalized;
}

bool util_format_is_srgb(enum drv_format format)
{
    return drv_format_desc(format)->colorspace == DRV_COLORSPACE_SRGB;
}

bool util_format_is_compressed(enum drv_format format)
{
    return drv_format_desc(format)->layout == DRV_LAYOUT_COMPRESSED;
}

bool util_format_has_depth(enum drv_format format)
{
    return zs_channel(drv_format_desc(format), 0) != NULL;
}

bool util_format_has_stencil(enum drv_format format)
{
    return zs_channel(drv_format_desc(format), 1) != NULL;
}

bool util_format_has_alpha(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    return desc->colorspace != DRV_COLORSPACE_ZS && desc->swizzle[3] <= DRV_SWIZZLE_W;
}

static const struct {
    enum drv_format srgb, linear;
} srgb_pairs[] = {
    {DRV_FORMAT_R8G8B8A8_SRGB, DRV_FORMAT_R8G8B8A8_UNORM},
    {DRV_FORMAT_R8G8B8X8_SRGB, DRV_FORMAT_R8G8B8X8_UNORM},
    {DRV_FORMAT_B8G8R8A8_SRGB, DRV_FORMAT_B8G8R8A8_UNORM},
    {DRV_FORMAT_B8G8R8X8_SRGB, DRV_FORMAT_B8G8R8X8_UNORM},
    {DRV_FORMAT_A8B8G8R8_SRGB, DRV_FORMAT_A8B8G8R8_UNORM},
    {DRV_FORMAT_R8G8B8_SRGB, DRV_FORMAT_R8G8B8_UNORM},
    {DRV_FORMAT_R8_SRGB, DRV_FORMAT_R8_UNORM},
    {DRV_FORMAT_R8G8_SRGB, DRV_FORMAT_R8G8_UNORM},
    {DRV_FORMAT_L8_SRGB, DRV_FORMAT_L8_UNORM},
    {DRV_FORMAT_L8A8_SRGB, DRV_FORMAT_L8A8_UNORM},
    {DRV_FORMAT_DXT1_SRGB, DRV_FORMAT_DXT1_RGB},
    {DRV_FORMAT_DXT1_SRGBA, DRV_FORMAT_DXT1_RGBA},
    {DRV_FORMAT_DXT3_SRGBA, DRV_FORMAT_DXT3_RGBA},
    {DRV_FORMAT_DXT5_SRGBA, DRV_FORMAT_DXT5_RGBA},
    {DRV_FORMAT_BPTC_SRGBA, DRV_FORMAT_BPTC_RGBA_UNORM},
    {DRV_FORMAT_ETC2_SRGB8, DRV_FORMAT_ETC2_RGB8},
    {DRV_FORMAT_ETC2_SRGB8A1, DRV_FORMAT_ETC2_RGB8A1},
    {DRV_FORMAT_ETC2_SRGBA8, DRV_FORMAT_ETC2_RGBA8},
    {DRV_FORMAT_ASTC_4x4_SRGB, DRV_FORMAT_ASTC_4x4},
    {DRV_FORMAT_ASTC_5x4_SRGB, DRV_FORMAT_ASTC_5x4},
    {DRV_FORMAT_ASTC_5x5_SRGB, DRV_FORMAT_ASTC_5x5},
    {DRV_FORMAT_ASTC_6x5_SRGB, DRV_FORMAT_ASTC_6x5},
    {DRV_FORMAT_ASTC_6x6_SRGB, DRV_FORMAT_ASTC_6x6},
    {DRV_FORMAT_ASTC_8x5_SRGB, DRV_FORMAT_ASTC_8x5},
    {DRV_FORMAT_ASTC_8x6_SRGB, DRV_FORMAT_ASTC_8x6},
    {DRV_FORMAT_ASTC_8x8_SRGB, DRV_FORMAT_ASTC_8x8},
    {DRV_FORMAT_ASTC_10x5_SRGB, DRV_FORMAT_ASTC_10x5},
    {DRV_FORMAT_ASTC_10x6_SRGB, DRV_FORMAT_ASTC_10x6},
    {DRV_FORMAT_ASTC_10x8_SRGB, DRV_FORMAT_ASTC_10x8},
    {DRV_FORMAT_ASTC_10x10_SRGB, DRV_FORMAT_ASTC_10x10},
    {DRV_FORMAT_ASTC_12x10_SRGB, DRV_FORMAT_ASTC_12x10},
    {DRV_FORMAT_ASTC_12x12_SRGB, DRV_FORMAT_ASTC_12x12},
};

enum drv_format util_format_linear(enum drv_format format)
{
    if (!util_format_is_srgb(format))
        return format;
    for (unsigned i = 0; i < ARRAY_SIZE(srgb_pairs); i++) {
        if (srgb_pairs[i].srgb == format)
            return srgb_pairs[i].linear;
    }
    return format;
}

enum drv_format util_format_srgb(enum drv_format format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(srgb_pairs); i++) {
        if (srgb_pairs[i].linear == format)
            return srgb_pairs[i].srgb;
    }
    return format;
}

unsigned util_format_component_bits(enum drv_format format, unsigned component)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    if (desc->colorspace == DRV_COLORSPACE_ZS || component > 3)
        return 0;
    switch (format) {
    case DRV_FORMAT_DXT1_RGB:
    case DRV_FORMAT_DXT1_SRGB:
        return component < 3 ? 4 : 0;
    case DRV_FORMAT_DXT1_RGBA:
    case DRV_FORMAT_DXT1_SRGBA:
    case DRV_FORMAT_DXT3_RGBA:
    case DRV_FORMAT_DXT3_SRGBA:
    case DRV_FORMAT_DXT5_RGBA:
    case DRV_FORMAT_DXT5_SRGBA:
        return 4; /* comparable quality, GL 4.6 §8.7 */
    default:
        break;
    }
    unsigned s = desc->swizzle[component];
    return s <= DRV_SWIZZLE_W ? desc->channel[s].bits : 0;
}

unsigned util_format_depth_bits(enum drv_format format)
{
    const struct drv_format_channel *z = zs_channel(drv_format_desc(format), 0);
    return z ? z->bits : 0;
}

unsigned util_format_stencil_bits(enum drv_format format)
{
    const struct drv_format_channel *s = zs_channel(drv_format_desc(format), 1);
    return s ? s->bits : 0;
}
