/* SPDX-License-Identifier: MIT */
/*
 * Blending, logical operations and color masks (GL 4.6 §17.3.6 to §17.3.9, §17.4.2) for a vector of
 * fragments of one color buffer.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "util/format.h"

/*
 * Colors and factors are floats, except for buffers with 8-bit unsigned normalized channels. There
 * they are integers up to 255: source colors are rounded before blending, and products before they
 * are added. With a single channel, a sum with a factor and its complement is rounded only once. GL
 * 4.6 §17.3.6 allows the precision and dynamic range of the buffer. The results are the same as
 * llvmpipe's, which matters to programs that accumulate many of them.
 */
struct blend_colors {
    nir_def *src[4], *src1[4], *dst[4], *constant[4];
    bool bytes, one_byte;
};

/* Fixed-point buffers clamp source colors and the constant color (GL 4.6 §17.3.6.1). */
static nir_def *clamp_for(nir_builder *b, enum drv_format format, nir_def *c)
{
    if (util_format_is_float(format))
        return c;
    if (util_format_is_snorm(format))
        return nir_fmax(b, nir_fmin(b, c, nir_imm_float(b, 1.0f)), nir_imm_float(b, -1.0f));
    return nir_fsat(b, c);
}

/* Converts a source or constant color to the form in which blending computes. */
static nir_def *input_color(nir_builder *b, enum drv_format format, nir_def *c)
{
    c = clamp_for(b, format, c);
    return cpu_format_has_bytes(format) ? cpu_nir_round_small(b, nir_fmul_imm(b, c, 255.0), 8) : c;
}

/* Returns 1 - x. In signed buffers it can exceed 1. GL 4.6 §17.3.6 would clamp it, but programs
 * expect what other drivers do: only the colors are clamped. */
static nir_def *complement(nir_builder *b, const struct blend_colors *in, nir_def *x)
{
    return in->bytes ? nir_isub(b, nir_imm_int(b, 255), x) : nir_fsub(b, nir_imm_float(b, 1.0f), x);
}

static nir_def *smaller(nir_builder *b, const struct blend_colors *in, nir_def *x, nir_def *y)
{
    return in->bytes ? nir_imin(b, x, y) : nir_fmin(b, x, y);
}

static nir_def *larger(nir_builder *b, const struct blend_colors *in, nir_def *x, nir_def *y)
{
    return in->bytes ? nir_imax(b, x, y) : nir_fmax(b, x, y);
}

/*
 * Uses 257/65536 for 1/255, which rounds 24 of the 65,536 products to the other neighbor, like
 * llvmpipe. The products are exact in floats, and none is a tie: 257 is odd, and no product of two
 * bytes is an odd multiple of 2^15.
 */
static nir_def *product(nir_builder *b, const struct blend_colors *in, nir_def *color,
                        nir_def *factor)
{
    if (!in->bytes)
        return nir_fmul(b, color, factor);
    factor = nir_fmul_imm(b, nir_i2f32(b, factor), 257.0 / 65536.0);
    return cpu_nir_round_small(b, nir_fmul(b, nir_i2f32(b, color), factor), 8);
}

static nir_def *difference(nir_builder *b, const struct blend_colors *in, nir_def *x, nir_def *y)
{
    return in->bytes ? nir_imax(b, nir_isub(b, x, y), nir_imm_int(b, 0)) : nir_fsub(b, x, y);
}

/* Returns the factor for component c; NULL: 1. */
static nir_def *blend_factor(nir_builder *b, unsigned factor, const struct blend_colors *in,
                             unsigned c)
{
    switch (factor) {
    case DRV_FACTOR_ONE:
        return NULL;
    case DRV_FACTOR_SRC_COLOR:
        return in->src[c];
    case DRV_FACTOR_INV_SRC_COLOR:
        return complement(b, in, in->src[c]);
    case DRV_FACTOR_SRC_ALPHA:
        return in->src[3];
    case DRV_FACTOR_INV_SRC_ALPHA:
        return complement(b, in, in->src[3]);
    case DRV_FACTOR_DST_COLOR:
        return in->dst[c];
    case DRV_FACTOR_INV_DST_COLOR:
        return complement(b, in, in->dst[c]);
    case DRV_FACTOR_DST_ALPHA:
        return in->dst[3];
    case DRV_FACTOR_INV_DST_ALPHA:
        return complement(b, in, in->dst[3]);
    case DRV_FACTOR_CONST_COLOR:
        return in->constant[c];
    case DRV_FACTOR_INV_CONST_COLOR:
        return complement(b, in, in->constant[c]);
    case DRV_FACTOR_CONST_ALPHA:
        return in->constant[3];
    case DRV_FACTOR_INV_CONST_ALPHA:
        return complement(b, in, in->constant[3]);
    case DRV_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? NULL : smaller(b, in, in->src[3], complement(b, in, in->dst[3]));
    case DRV_FACTOR_SRC1_COLOR:
        return in->src1[c];
    case DRV_FACTOR_INV_SRC1_COLOR:
        return complement(b, in, in->src1[c]);
    case DRV_FACTOR_SRC1_ALPHA:
        return in->src1[3];
    case DRV_FACTOR_INV_SRC1_ALPHA:
        return complement(b, in, in->src1[3]);
    default:
        return nir_imm_int(b, 0);
    }
}

/* Returns color * factor; NULL: 0. */
static nir_def *blend_term(nir_builder *b, unsigned factor, const struct blend_colors *in,
                           nir_def *color, unsigned c)
{
    if (factor == DRV_FACTOR_ZERO)
        return NULL;
    nir_def *f = blend_factor(b, factor, in, c);
    return f ? product(b, in, color, f) : color;
}

/* Returns whether `other` is 1 - factor. */
static bool is_complement(unsigned factor, unsigned other)
{
    static const uint8_t complements[] = {
        [DRV_FACTOR_SRC_COLOR] = DRV_FACTOR_INV_SRC_COLOR,
        [DRV_FACTOR_SRC_ALPHA] = DRV_FACTOR_INV_SRC_ALPHA,
        [DRV_FACTOR_DST_COLOR] = DRV_FACTOR_INV_DST_COLOR,
        [DRV_FACTOR_DST_ALPHA] = DRV_FACTOR_INV_DST_ALPHA,
        [DRV_FACTOR_CONST_COLOR] = DRV_FACTOR_INV_CONST_COLOR,
        [DRV_FACTOR_CONST_ALPHA] = DRV_FACTOR_INV_CONST_ALPHA,
        [DRV_FACTOR_SRC1_COLOR] = DRV_FACTOR_INV_SRC1_COLOR,
        [DRV_FACTOR_SRC1_ALPHA] = DRV_FACTOR_INV_SRC1_ALPHA,
    };

    return factor < sizeof complements && complements[factor] == other && other != DRV_FACTOR_ZERO;
}

/* Interpolates from `from` (factor 0) to `to` (factor 255, which counts as 256/256). */
static nir_def *mix_bytes(nir_builder *b, nir_def *from, nir_def *to, nir_def *factor)
{
    nir_def *weight = nir_iadd(b, factor, nir_ushr_imm(b, factor, 7));
    nir_def *way = nir_imul(b, nir_isub(b, to, from), weight);

    return nir_iadd(b, from, nir_ishr_imm(b, nir_iadd_imm(b, way, 128), 8));
}

static nir_def *blend_component(nir_builder *b, unsigned func, unsigned src_factor,
                                unsigned dst_factor, const struct blend_colors *in, unsigned c)
{
    if (func == DRV_BLEND_MIN)
        return smaller(b, in, in->src[c], in->dst[c]);
    if (func == DRV_BLEND_MAX)
        return larger(b, in, in->src[c], in->dst[c]);
    if (in->one_byte && func == DRV_BLEND_ADD) {
        if (is_complement(src_factor, dst_factor))
            return mix_bytes(b, in->dst[c], in->src[c], blend_factor(b, src_factor, in, c));
        if (is_complement(dst_factor, src_factor))
            return mix_bytes(b, in->src[c], in->dst[c], blend_factor(b, dst_factor, in, c));
    }

    nir_def *s = blend_term(b, src_factor, in, in->src[c], c);
    nir_def *d = blend_term(b, dst_factor, in, in->dst[c], c);
    nir_def *zero = nir_imm_int(b, 0);
    if (func == DRV_BLEND_REVERSE_SUBTRACT)
        return difference(b, in, d ? d : zero, s ? s : zero);
    if (func == DRV_BLEND_SUBTRACT)
        return difference(b, in, s ? s : zero, d ? d : zero);
    if (!s || !d)
        return s ? s : d ? d : zero;
    return in->bytes ? nir_iadd(b, s, d) : nir_fadd(b, s, d);
}

static nir_def *logic_op(nir_builder *b, unsigned op, nir_def *s, nir_def *d)
{
    switch (op) {
    case DRV_LOGICOP_CLEAR:
        return nir_imm_intN_t(b, 0, s->bit_size);
    case DRV_LOGICOP_AND:
        return nir_iand(b, s, d);
    case DRV_LOGICOP_AND_REVERSE:
        return nir_iand(b, s, nir_inot(b, d));
    case DRV_LOGICOP_AND_INVERTED:
        return nir_iand(b, nir_inot(b, s), d);
    case DRV_LOGICOP_NOOP:
        return d;
    case DRV_LOGICOP_XOR:
        return nir_ixor(b, s, d);
    case DRV_LOGICOP_OR:
        return nir_ior(b, s, d);
    case DRV_LOGICOP_NOR:
        return nir_inot(b, nir_ior(b, s, d));
    case DRV_LOGICOP_EQUIV:
        return nir_inot(b, nir_ixor(b, s, d));
    case DRV_LOGICOP_INVERT:
        return nir_inot(b, d);
    case DRV_LOGICOP_OR_REVERSE:
        return nir_ior(b, s, nir_inot(b, d));
    case DRV_LOGICOP_COPY_INVERTED:
        return nir_inot(b, s);
    case DRV_LOGICOP_OR_INVERTED:
        return nir_ior(b, nir_inot(b, s), d);
    case DRV_LOGICOP_NAND:
        return nir_inot(b, nir_iand(b, s, d));
    case DRV_LOGICOP_SET:
        return nir_imm_intN_t(b, -1, s->bit_size);
    default:
        return s;
    }
}

/* Returns the texel after blending. */
static nir_def *blend_colors(nir_builder *b, const struct cpu_blend_inputs *in, nir_def *dst_texel)
{
    const struct drv_rt_blend *rt = &in->key->rt[in->rt];
    nir_def *result[4];
    struct blend_colors colors = {.bytes = cpu_format_has_bytes(in->format)};

    colors.one_byte = colors.bytes && drv_format_desc(in->format)->nr_channels == 1;
    if (colors.bytes)
        cpu_nir_unpack_bytes(b, in->format, dst_texel, colors.dst);
    else
        cpu_nir_unpack(b, in->format, dst_texel, colors.dst);
    for (unsigned c = 0; c < 4; c++) {
        nir_def *constant =
            cpu_load_const(b, 1, 32, in->fs, offsetof(struct cpu_fs_state, blend_color) + 4 * c);
        nir_def *second = in->src1[c] ? in->src1[c] : nir_imm_float(b, c == 3 ? 1.0f : 0.0f);
        colors.src[c] = input_color(b, in->format, in->src[c]);
        colors.src1[c] = input_color(b, in->format, second);
        colors.constant[c] = input_color(b, in->format, constant);
    }
    for (unsigned c = 0; c < 4; c++) {
        result[c] = c < 3 ? blend_component(b, rt->rgb_func, rt->rgb_src_factor, rt->rgb_dst_factor,
                                            &colors, c)
                          : blend_component(b, rt->alpha_func, rt->alpha_src_factor,
                                            rt->alpha_dst_factor, &colors, c);
    }
    return colors.bytes ? cpu_nir_pack_bytes(b, in->format, result)
                        : cpu_nir_pack(b, in->format, result);
}

/* Returns the texel to store: bits of `result` where the color mask allows it, otherwise bits of
 * dst. */
static nir_def *apply_color_mask(nir_builder *b, const struct cpu_blend_inputs *in,
                                 unsigned colormask, nir_def *result, nir_def *dst)
{
    nir_def *element[NIR_MAX_VEC_COMPONENTS];

    for (unsigned e = 0; e < result->num_components; e++) {
        uint32_t mask = cpu_texel_write_mask(in->format, colormask, e);
        unsigned size = result->bit_size;
        nir_def *keep =
            nir_iand(b, nir_channel(b, dst, e), nir_imm_intN_t(b, (int32_t)~mask, size));
        nir_def *take =
            nir_iand(b, nir_channel(b, result, e), nir_imm_intN_t(b, (int32_t)mask, size));
        element[e] = nir_ior(b, keep, take);
    }
    return nir_vec(b, element, result->num_components);
}

unsigned cpu_stored_components(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    unsigned mask = 0;
    for (unsigned i = 0; i < 4; i++)
        mask |= (unsigned)(desc->swizzle[i] <= DRV_SWIZZLE_W) << i;
    return mask;
}

void cpu_nir_blend(nir_builder *b, const struct cpu_blend_inputs *in)
{
    const struct drv_rt_blend *rt = &in->key->rt[in->rt];
    unsigned stored = cpu_stored_components(in->format), colormask = rt->colormask & stored;
    bool pure = util_format_is_pure_integer(in->format);
    bool blend = rt->blend_enable && !in->key->logicop && !pure;
    /* GL 4.6 §17.3.9: no logical operation on floating-point and sRGB buffers */
    bool logic =
        in->key->logicop && !util_format_is_float(in->format) && !util_format_is_srgb(in->format);

    if (!colormask)
        return;

    unsigned components, size;
    cpu_texel_shape(in->format, &components, &size);
    nir_def *dst = NULL, *result;
    if (blend || logic || colormask != stored)
        dst = cpu_load_texels(b, components, size, in->address);
    result = blend ? blend_colors(b, in, dst) : cpu_nir_pack(b, in->format, in->src);
    if (logic) {
        nir_def *element[NIR_MAX_VEC_COMPONENTS];
        for (unsigned e = 0; e < components; e++)
            element[e] = logic_op(b, in->key->logicop - 1, nir_channel(b, result, e),
                                  nir_channel(b, dst, e));
        result = nir_vec(b, element, components);
    }
    if (colormask != stored)
        result = apply_color_mask(b, in, colormask, result, dst);
    cpu_store_texels(b, result, in->address, in->mask);
}
