/* SPDX-License-Identifier: MIT */
#include "driver/cpu/kernel/cpu_nir_format.h"

#include "util/format.h"
#include "util/macros.h"

void cpu_texel_shape(enum drv_format format, unsigned *components, unsigned *bit_size)
{
    unsigned bytes = drv_format_desc(format)->block_bytes;

    if (bytes > 16) {
        *components = bytes / 8;
        *bit_size = 64;
    } else if (bytes % 4 == 0) {
        *components = bytes / 4;
        *bit_size = 32;
    } else if (bytes % 2 == 0) {
        *components = bytes / 2;
        *bit_size = 16;
    } else {
        *components = bytes;
        *bit_size = 8;
    }
}

/* -------------------------------------------------------------------------------- unpacking --- */

/* Returns the bits of a channel as a 32-bit integer, sign-extended for signed types. 64-bit
 * channels are returned as they are. */
static nir_def *channel_bits(nir_builder *b, const struct drv_format_channel *c, nir_def *texel)
{
    unsigned size = texel->bit_size, element = c->shift / size, bit = c->shift % size;
    bool is_signed = c->type == DRV_CHANNEL_SIGNED;
    nir_def *word = nir_channel(b, texel, element);

    if (c->bits == 64) {
        if (size == 64)
            return word;
        return nir_pack_64_2x32_split(b, word, nir_channel(b, texel, element + 1));
    }
    if (c->bits == size)
        return size == 32 ? word : is_signed ? nir_i2i32(b, word) : nir_u2u32(b, word);
    if (size == 64) /* a 32-bit channel of a texel larger than 16 bytes */
        return nir_u2u32(b, nir_ushr_imm(b, word, bit));
    if (size < 32)
        word = nir_u2u32(b, word);
    if (is_signed)
        return nir_ishr_imm(b, nir_ishl_imm(b, word, 32 - bit - c->bits), 32 - c->bits);
    if (bit)
        word = nir_ushr_imm(b, word, bit);
    if (bit + c->bits < size)
        word = nir_iand_imm(b, word, (1u << c->bits) - 1);
    return word;
}

static nir_def *channel_value(nir_builder *b, const struct drv_format_channel *c, nir_def *texel)
{
    nir_def *bits = channel_bits(b, c, texel), *f;

    switch (c->type) {
    case DRV_CHANNEL_UNSIGNED:
        if (c->pure_integer)
            return c->bits == 64 ? nir_u2u32(b, bits) : bits;
        /* every ISA has a signed conversion */
        f = c->bits < 32 ? nir_i2f32(b, bits) : nir_u2f32(b, bits);
        return c->normalized ? nir_fmul_imm(b, f, 1.0f / (float)((1ull << c->bits) - 1)) : f;
    case DRV_CHANNEL_SIGNED:
        if (c->pure_integer)
            return c->bits == 64 ? nir_u2u32(b, bits) : bits;
        f = nir_i2f32(b, bits);
        if (!c->normalized)
            return f;
        f = nir_fmul_imm(b, f, 1.0f / (float)((1ull << (c->bits - 1)) - 1));
        return nir_fmax(b, f, nir_imm_float(b, -1.0f));
    case DRV_CHANNEL_FLOAT:
        if (c->bits == 32)
            return bits;
        if (c->bits == 64)
            return nir_f2f32(b, bits);
        if (c->bits < 16) /* 5 exponent bits and no sign: a half float, shifted */
            bits = nir_ishl_imm(b, bits, 15 - c->bits);
        return nir_f2f32(b, nir_u2u16(b, bits));
    case DRV_CHANNEL_FIXED:
        return nir_fmul_imm(b, nir_i2f32(b, bits), 1.0 / 65536.0);
    default:
        return nir_imm_int(b, 0);
    }
}

/* GL 4.6 §8.25 (shared exponent): c * 2^(exponent - 15 - 9) */
static void unpack_rgb9e5(nir_builder *b, nir_def *texel, nir_def *channel[4])
{
    nir_def *exponent = nir_ushr_imm(b, texel, 27);
    nir_def *scale = nir_ishl_imm(b, nir_iadd_imm(b, exponent, 127 - 15 - 9), 23);

    for (unsigned i = 0; i < 3; i++) {
        nir_def *c = nir_iand_imm(b, i ? nir_ushr_imm(b, texel, 9 * i) : texel, 0x1ff);
        channel[i] = nir_fmul(b, nir_i2f32(b, c), scale);
    }
    channel[3] = nir_imm_float(b, 1.0f);
}

void cpu_nir_unpack_channels(nir_builder *b, enum drv_format format, nir_def *texel,
                             nir_def *channel[4])
{
    const struct drv_format_desc *desc = drv_format_desc(format);

    if (desc->layout == DRV_LAYOUT_RGB9E5) {
        unpack_rgb9e5(b, texel, channel);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        channel[i] =
            i < desc->nr_channels ? channel_value(b, &desc->channel[i], texel) : nir_imm_int(b, 0);
}

void cpu_nir_unpack(nir_builder *b, enum drv_format format, nir_def *texel, nir_def *rgba[4])
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    bool pure = util_format_is_pure_integer(format);
    nir_def *channel[4];

    cpu_nir_unpack_channels(b, format, texel, channel);
    for (unsigned i = 0; i < 4; i++) {
        unsigned s = desc->swizzle[i];
        if (s <= DRV_SWIZZLE_W)
            rgba[i] = channel[s];
        else if (s == DRV_SWIZZLE_1)
            rgba[i] = pure ? nir_imm_int(b, 1) : nir_imm_float(b, 1.0f);
        else
            rgba[i] = nir_imm_int(b, 0);
    }
    if (desc->colorspace == DRV_COLORSPACE_SRGB) {
        for (unsigned i = 0; i < 3; i++) {
            if (i > 0 && rgba[i] == channel[desc->swizzle[0] & 3])
                rgba[i] = rgba[0]; /* luminance: all components are the same channel */
            else
                rgba[i] = cpu_nir_srgb_to_linear(b, rgba[i]);
        }
    }
}

bool cpu_format_has_bytes(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);

    if (desc->layout != DRV_LAYOUT_PLAIN || desc->colorspace != DRV_COLORSPACE_RGB)
        return false;
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        bool unorm = c->type == DRV_CHANNEL_UNSIGNED && c->normalized && c->bits == 8;
        if (!unorm && c->type != DRV_CHANNEL_VOID)
            return false;
    }
    return true;
}

void cpu_nir_unpack_bytes(nir_builder *b, enum drv_format format, nir_def *texel, nir_def *rgba[4])
{
    const struct drv_format_desc *desc = drv_format_desc(format);

    for (unsigned i = 0; i < 4; i++) {
        unsigned s = desc->swizzle[i];
        rgba[i] = s <= DRV_SWIZZLE_W ? channel_bits(b, &desc->channel[s], texel)
                                     : nir_imm_int(b, s == DRV_SWIZZLE_1 ? 255 : 0);
    }
}

void cpu_nir_unpack_doubles(nir_builder *b, enum drv_format format, nir_def *texel,
                            nir_def *xyzw[4])
{
    const struct drv_format_desc *desc = drv_format_desc(format);

    if (desc->layout == DRV_LAYOUT_RGB9E5 || desc->channel[0].bits != 64) {
        cpu_nir_unpack(b, format, texel, xyzw);
        for (unsigned i = 0; i < 4; i++)
            xyzw[i] = nir_f2f64(b, xyzw[i]);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        xyzw[i] = i < desc->nr_channels ? channel_bits(b, &desc->channel[i], texel)
                                        : nir_imm_double(b, i == 3);
}

/* ---------------------------------------------------------------------------- 16-bit halves --- */

bool cpu_format_has_halves(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    bool srgb = desc->colorspace == DRV_COLORSPACE_SRGB;

    if (desc->layout != DRV_LAYOUT_PLAIN || desc->block_bytes > 4 ||
        !(srgb || desc->colorspace == DRV_COLORSPACE_RGB))
        return false;
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        bool unorm = c->type == DRV_CHANNEL_UNSIGNED && c->normalized;
        if (!(unorm || c->type == DRV_CHANNEL_VOID) || c->bits > 15)
            return false;
        if (srgb && (c->bits != 8 || c->shift != 8 * i || (desc->swizzle[3] == i && i != 3)))
            return false;
    }
    return true;
}

/* Returns channels 1 and 3 of an sRGB texel; half: decoded channel 1 in the low half. Alpha, which
 * is channel 3, is scaled to UTIL_SRGB_HALF_ONE like the other channels. */
static nir_def *add_srgb_alpha(nir_builder *b, const struct drv_format_desc *desc, nir_def *word,
                               nir_def *half)
{
    if (desc->swizzle[3] != 3)
        return half;
    nir_def *alpha = nir_iand_imm(b, nir_ushr_imm(b, word, 1), 0x7f800000);
    return nir_ior(b, nir_iand_imm(b, half, 0xffff), alpha);
}

void cpu_nir_unpack_halves(nir_builder *b, enum drv_format format, nir_def *word, nir_def *half[2])
{
    const struct drv_format_desc *desc = drv_format_desc(format);

    if (desc->colorspace == DRV_COLORSPACE_SRGB) {
        half[0] = nir_srgb_even_2x16(b, word);
        half[1] = add_srgb_alpha(b, desc, word, nir_srgb_odd_2x16(b, word));
        return;
    }
    half[0] = half[1] = nir_imm_int(b, 0);
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        int left = (i & 2) * 8 + 15 - c->bits - c->shift;
        if (c->type == DRV_CHANNEL_VOID)
            continue;
        nir_def *moved = left > 0 ? nir_ishl_imm(b, word, left) : nir_ushr_imm(b, word, -left);
        uint32_t mask = ((1u << c->bits) - 1) << ((i & 2) * 8 + 15 - c->bits);
        half[i & 1] = nir_ior(b, half[i & 1], nir_iand_imm(b, moved, mask));
    }
}

void cpu_nir_unpack_two_srgb(nir_builder *b, enum drv_format format, nir_def *const word[2],
                             nir_def *half[2][2])
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    nir_def *low = nir_iand_imm(b, word[0], 0xffff), *high = nir_ishl_imm(b, word[1], 16);
    nir_def *odd = nir_srgb_odd_2x16(b, nir_ior(b, low, high)); /* channel 1 of both texels */

    for (unsigned i = 0; i < 2; i++) {
        half[i][0] = nir_srgb_even_2x16(b, word[i]);
        half[i][1] = add_srgb_alpha(b, desc, word[i], i ? nir_ushr_imm(b, odd, 16) : odd);
    }
}

/* Returns the 15-bit value of 1.0 for a normalized channel. */
static unsigned half_one(const struct drv_format_channel *c)
{
    return ((1u << c->bits) - 1) << (15 - c->bits);
}

void cpu_nir_halves_to_floats(nir_builder *b, enum drv_format format, nir_def *const half[2],
                              nir_def *channel[4])
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    unsigned one[4] = {0};
    nir_def *limited[2];

    for (unsigned i = 0; i < desc->nr_channels; i++)
        if (desc->channel[i].type != DRV_CHANNEL_VOID)
            one[i] = half_one(&desc->channel[i]);
    /* Doesn't change them, but tells the optimizer that the floats are at most 1. */
    for (unsigned i = 0; i < 2; i++)
        limited[i] = nir_umin_2x16(b, half[i], nir_imm_int(b, (int)(one[i] | one[i + 2] << 16)));
    for (unsigned i = 0; i < 4; i++) {
        if (!one[i]) {
            channel[i] = nir_imm_int(b, 0);
            continue;
        }
        nir_def *word = limited[i & 1];
        nir_def *bits = i & 2 ? nir_ushr_imm(b, word, 16) : nir_iand_imm(b, word, 0xffff);
        channel[i] = nir_fmul_imm(b, nir_i2f32(b, bits), 1.0f / (float)one[i]);
    }
}

/* ------------------------------------------------------------------------------------- sRGB --- */

/* GL 4.6 §8.24 for 8-bit values, which all sRGB formats have. ((c + 0.055) / 1.055)^2.4 is
 * approximated as 1 + (c - 1) q(c) with an error below 5.9e-6: 1/50 of the smallest step between
 * two decoded values. */
nir_def *cpu_nir_srgb_to_linear(nir_builder *b, nir_def *c)
{
    static const double q[] = {-0.0525858198, 0.168249039, -0.260015406,
                               0.453803357,   0.966023487, 0.999082872};
    nir_def *low = nir_fmul_imm(b, c, 1.0 / 12.92), *high = nir_imm_float(b, (float)q[0]);

    for (unsigned i = 1; i < ARRAY_SIZE(q); i++)
        high = nir_fadd_imm(b, nir_fmul(b, high, c), q[i]);
    high = nir_fadd_imm(b, nir_fmul(b, high, nir_fadd_imm(b, c, -1.0)), 1.0);
    return nir_bcsel(b, nir_fge(b, nir_imm_float(b, 0.04045f), c), low, high);
}

/* ---------------------------------------------------------------------------------- packing --- */

/* Packs to an unsigned float with 5 exponent bits and no sign, by integer arithmetic on the float's
 * bits. */
static nir_def *pack_small_float(nir_builder *b, nir_def *f, unsigned mantissa_bits)
{
    unsigned drop = 23 - mantissa_bits;
    uint32_t max = (31u << mantissa_bits) - 1;
    nir_def *is_nan = nir_fneu(b, f, f);
    nir_def *is_inf = nir_ieq_imm(b, f, 0x7f800000);
    nir_def *positive = nir_fmax(b, f, nir_imm_float(b, 0.0f));

    nir_def *denormal = nir_f2i32(
        b, nir_fround_even(b, nir_fmul_imm(b, nir_fmin(b, positive, nir_imm_float(b, 1.0f)),
                                           (float)(1u << (14 + mantissa_bits)))));
    nir_def *odd = nir_iand_imm(b, nir_ushr_imm(b, positive, drop), 1);
    nir_def *rebiased = nir_iadd_imm(b, positive, (int32_t)(0xc8000000u + (1u << (drop - 1)) - 1));
    nir_def *normal = nir_ushr_imm(b, nir_iadd(b, rebiased, odd), drop);
    normal = nir_umin(b, normal, nir_imm_int(b, (int)max));

    nir_def *tiny = nir_flt(b, positive, nir_imm_float(b, 0x1p-14f));
    nir_def *result = nir_bcsel(b, tiny, denormal, normal);
    result = nir_bcsel(b, is_inf, nir_imm_int(b, (int)max + 1), result);
    return nir_bcsel(b, is_nan, nir_imm_int(b, (int)max + 2), result);
}

/* Adding 2^23 rounds to even and leaves the integer in the low bits of the mantissa. */
nir_def *cpu_nir_round_small(nir_builder *b, nir_def *f, unsigned bits)
{
    return nir_iand_imm(b, nir_fadd_imm(b, f, 0x1p23), (1u << bits) - 1);
}

/* Does the same with 1.5 * 2^52, for products that don't fit into a float; the result, which may be
 * negative, is the integer modulo 2^32. */
static nir_def *scale_and_round(nir_builder *b, nir_def *f, double scale)
{
    nir_def *d = nir_fmul(b, nir_f2f64(b, f), nir_imm_double(b, scale));
    return nir_u2u32(b, nir_fadd(b, d, nir_imm_double(b, 0x1.8p52)));
}

/* Maximum number of bits of a channel for which products with half floats, which have 11
 * significant bits, fit into a float. With larger channels, products are doubles, so that they are
 * rounded once, as in util/format_planes.h. */
#define FLOAT_PRODUCT_BITS 13

/* Returns the byte nearest to the sRGB encoding of a linear value c: 255 times 1.055 c^(1/2.4) -
 * 0.055 (GL 4.6 §17.3.7 rounds 1/2.4 to 0.41666). NaN and negative values become 0. The result is
 * exact for every float, as in util/format.h. A polynomial of the square root, with an error below
 * 0.2, gives an integer n; the byte is n or n + 1. It is n + 1 if c is at least y^2.4, to which
 * n + 1/2 decodes; that is, if c^5 >= y^12. Doubles suffice to compare these, because no y^2.4 is
 * closer to a float than 2.8e-11 times its value. */
static nir_def *linear_to_srgb_byte(nir_builder *b, nir_def *c)
{
    static const double q[] = {-78.9408, 214.912, -240.94, 369.214, -9.43619};
    c = nir_fsat(b, c);
    nir_def *low = scale_and_round(b, c, 12.92 * 255.0);
    nir_def *root = nir_fsqrt(b, c), *estimate = nir_imm_float(b, (float)q[0]);
    for (unsigned i = 1; i < ARRAY_SIZE(q); i++)
        estimate = nir_fadd_imm(b, nir_fmul(b, estimate, root), q[i]);
    nir_def *n = nir_f2i32(b, estimate);

    nir_def *y = nir_fmul_imm(b, nir_f2f64(b, nir_i2f32(b, n)), 1.0 / (255.0 * 1.055));
    y = nir_fadd_imm(b, y, (0.5 / 255.0 + 0.055) / 1.055);
    nir_def *y2 = nir_fmul(b, y, y), *y4 = nir_fmul(b, y2, y2);
    nir_def *y12 = nir_fmul(b, nir_fmul(b, y4, y4), y4);
    nir_def *wide = nir_f2f64(b, c), *c2 = nir_fmul(b, wide, wide);
    nir_def *c5 = nir_fmul(b, nir_fmul(b, c2, c2), wide);
    nir_def *high = nir_iadd(b, n, nir_b2i32(b, nir_fge(b, c5, y12)));
    return nir_bcsel(b, nir_flt(b, c, nir_imm_float(b, 0.0031308f)), low, high);
}

static nir_def *pack_channel_float(nir_builder *b, const struct drv_format_channel *c, nir_def *f)
{
    double max;

    switch (c->type) {
    case DRV_CHANNEL_UNSIGNED:
        max = (double)((1ull << c->bits) - 1);
        f = c->normalized ? nir_fsat(b, f)
                          : nir_fclamp(b, f, nir_imm_float(b, 0.0f), nir_imm_float(b, (float)max));
        if (c->bits > 22 || (c->normalized && c->bits > FLOAT_PRODUCT_BITS))
            return scale_and_round(b, f, c->normalized ? max : 1.0);
        if (c->normalized)
            f = nir_fmul_imm(b, f, max);
        return cpu_nir_round_small(b, f, c->bits);
    case DRV_CHANNEL_SIGNED:
        max = (double)((1ull << (c->bits - 1)) - 1);
        if (c->normalized) {
            f = nir_fmax(b, nir_fmin(b, f, nir_imm_float(b, 1.0f)), nir_imm_float(b, -1.0f));
            if (c->bits > FLOAT_PRODUCT_BITS)
                return scale_and_round(b, f, max);
            f = nir_fmul_imm(b, f, max);
        }
        return nir_f2i32(b, nir_fround_even(b, f));
    case DRV_CHANNEL_FLOAT:
        if (c->bits == 32)
            return f;
        if (c->bits == 16)
            return nir_u2u32(b, nir_f2f16(b, f));
        return pack_small_float(b, f, c->bits - 5);
    default:
        return nir_imm_int(b, 0);
    }
}

/* The value has the signedness of the format: GL allows no other combination of shader output and
 * buffer. */
static nir_def *pack_channel_int(nir_builder *b, const struct drv_format_channel *c, nir_def *value)
{
    if (c->bits >= 32)
        return value;
    if (c->type == DRV_CHANNEL_UNSIGNED)
        return nir_umin(b, value, nir_imm_int(b, (1 << c->bits) - 1));
    int max = (1 << (c->bits - 1)) - 1;
    return nir_imax(b, nir_imin(b, value, nir_imm_int(b, max)), nir_imm_int(b, -max - 1));
}

/* Uses the equations of GL 4.6 §8.5.2. */
static nir_def *pack_rgb9e5(nir_builder *b, nir_def *const rgba[4])
{
    nir_def *c[3], *max = NULL;
    for (unsigned i = 0; i < 3; i++) {
        c[i] = nir_fclamp(b, rgba[i], nir_imm_float(b, 0.0f), nir_imm_float(b, 65408.0f));
        max = i ? nir_fmax(b, max, c[i]) : c[i];
    }
    nir_def *exponent = nir_iadd_imm(b, nir_ushr_imm(b, max, 23), -127);
    exponent = nir_iadd_imm(b, nir_imax(b, exponent, nir_imm_int(b, -16)), 16);
    nir_def *scale = nir_ishl_imm(b, nir_isub(b, nir_imm_int(b, 127 + 24), exponent), 23);
    nir_def *top = nir_f2i32(b, nir_fadd_imm(b, nir_fmul(b, max, scale), 0.5));
    nir_def *carry = nir_ieq_imm(b, top, 512);
    exponent = nir_bcsel(b, carry, nir_iadd_imm(b, exponent, 1), exponent);
    scale = nir_bcsel(b, carry, nir_fmul_imm(b, scale, 0.5), scale);

    nir_def *word = nir_ishl_imm(b, exponent, 27);
    for (unsigned i = 0; i < 3; i++) {
        nir_def *v = nir_f2i32(b, nir_fadd_imm(b, nir_fmul(b, c[i], scale), 0.5));
        word = nir_ior(b, word, i ? nir_ishl_imm(b, v, 9 * i) : v);
    }
    return word;
}

/* Returns the component that a channel stores, or -1 for padding. */
static int component_of(const struct drv_format_desc *desc, unsigned channel)
{
    for (int i = 0; i < 4; i++) {
        if (desc->swizzle[i] == channel)
            return i;
    }
    return -1;
}

/* integers: rgba are integers to be clamped to the channels' range */
static nir_def *pack_plain(nir_builder *b, enum drv_format format, nir_def *const rgba[4],
                           bool integers)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    unsigned components, size;
    nir_def *element[NIR_MAX_VEC_COMPONENTS] = {NULL};

    cpu_texel_shape(format, &components, &size);
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        int comp = component_of(desc, i);
        if (comp < 0 || c->type == DRV_CHANNEL_VOID)
            continue;
        nir_def *value = rgba[comp];
        bool srgb = desc->colorspace == DRV_COLORSPACE_SRGB && comp < 3;
        nir_def *bits = srgb       ? linear_to_srgb_byte(b, value)
                        : integers ? pack_channel_int(b, c, value)
                                   : pack_channel_float(b, c, value);
        unsigned e = c->shift / size, bit = c->shift % size;
        bool negative = c->type == DRV_CHANNEL_SIGNED && c->bits < 32;
        if (negative && bit + c->bits < 32)
            bits = nir_iand_imm(b, bits, (1u << c->bits) - 1);
        if (bit)
            bits = nir_ishl_imm(b, bits, bit);
        element[e] = element[e] ? nir_ior(b, element[e], bits) : bits;
    }
    for (unsigned e = 0; e < components; e++) {
        if (!element[e])
            element[e] = nir_imm_int(b, 0);
        if (size == 8)
            element[e] = nir_u2u8(b, element[e]);
        else if (size == 16)
            element[e] = nir_u2u16(b, element[e]);
    }
    return nir_vec(b, element, components);
}

nir_def *cpu_nir_pack(nir_builder *b, enum drv_format format, nir_def *const rgba[4])
{
    if (drv_format_desc(format)->layout == DRV_LAYOUT_RGB9E5)
        return pack_rgb9e5(b, rgba);
    return pack_plain(b, format, rgba, util_format_is_pure_integer(format));
}

nir_def *cpu_nir_pack_bytes(nir_builder *b, enum drv_format format, nir_def *const rgba[4])
{
    return pack_plain(b, format, rgba, true);
}

uint32_t cpu_texel_write_mask(enum drv_format format, unsigned colormask, unsigned element)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    unsigned components, size;
    uint32_t mask = 0;

    cpu_texel_shape(format, &components, &size);
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        int comp = component_of(desc, i);
        bool written = comp < 0 ? colormask != 0 : colormask >> comp & 1;
        if (written && c->shift / size == element)
            mask |= (c->bits == 32 ? ~0u : (1u << c->bits) - 1) << c->shift % size;
    }
    return mask;
}

/* ------------------------------------------------------------------------ depth and stencil --- */

static const struct drv_format_channel *zs_channel(enum drv_format format, unsigned which)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    return desc->swizzle[which] <= DRV_SWIZZLE_W ? &desc->channel[desc->swizzle[which]] : NULL;
}

nir_def *cpu_nir_depth_bits(nir_builder *b, enum drv_format format, nir_def *texel)
{
    return channel_bits(b, zs_channel(format, 0), texel);
}

nir_def *cpu_nir_stencil_bits(nir_builder *b, enum drv_format format, nir_def *texel)
{
    return channel_bits(b, zs_channel(format, 1), texel);
}

nir_def *cpu_nir_quantize_depth(nir_builder *b, enum drv_format format, nir_def *z)
{
    const struct drv_format_channel *c = zs_channel(format, 0);
    double max = (double)((1ull << c->bits) - 1);

    if (c->type == DRV_CHANNEL_FLOAT)
        return z;
    return scale_and_round(b, z, max);
}

nir_def *cpu_nir_depth_to_float(nir_builder *b, enum drv_format format, nir_def *bits)
{
    const struct drv_format_channel *c = zs_channel(format, 0);

    if (c->type == DRV_CHANNEL_FLOAT)
        return bits;
    nir_def *f = c->bits < 32 ? nir_i2f32(b, bits) : nir_u2f32(b, bits);
    return nir_fmul_imm(b, f, 1.0f / (float)((1ull << c->bits) - 1));
}

/* Returns the element with the bits of channel c replaced. */
static nir_def *insert_channel(nir_builder *b, const struct drv_format_channel *c, nir_def *element,
                               nir_def *value)
{
    unsigned size = element->bit_size, bit = c->shift % size;

    if (c->bits == size)
        return size == 8 ? nir_u2u8(b, value) : size == 16 ? nir_u2u16(b, value) : value;
    uint32_t mask = ((1u << c->bits) - 1) << bit;
    if (bit)
        value = nir_ishl_imm(b, value, bit);
    return nir_ior(b, nir_iand_imm(b, element, ~mask), value);
}

nir_def *cpu_nir_pack_depth_stencil(nir_builder *b, enum drv_format format, nir_def *texel,
                                    nir_def *depth, nir_def *stencil)
{
    nir_def *element[2] = {nir_channel(b, texel, 0), NULL};
    nir_def *values[2] = {depth, stencil};

    if (texel->num_components > 1)
        element[1] = nir_channel(b, texel, 1);
    for (unsigned i = 0; i < 2; i++) {
        const struct drv_format_channel *c = values[i] ? zs_channel(format, i) : NULL;
        if (c) {
            unsigned e = c->shift / texel->bit_size;
            element[e] = insert_channel(b, c, element[e], values[i]);
        }
    }
    return nir_vec(b, element, texel->num_components);
}
