/* SPDX-License-Identifier: MIT */
/*
 * Blending, logical operations and color masks (GL 4.6 §17.3.6 to §17.3.9, §17.4.2) on a vector of
 * fragments of one color buffer.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "util/format.h"

struct blend_colors {
    nir_def *src[4], *src1[4], *dst[4], *constant[4];
};

/* Fixed-point buffers take clamped colors, and clamp the constant too (GL 4.6 §17.3.6.1). */
static nir_def *clamp_for(nir_builder *b, enum drv_format format, nir_def *c)
{
    if (util_format_is_float(format))
        return c;
    if (util_format_is_snorm(format))
        return nir_fmax(b, nir_fmin(b, c, nir_imm_float(b, 1.0f)), nir_imm_float(b, -1.0f));
    return nir_fsat(b, c);
}

/* The factor for component c; NULL: one. */
static nir_def *blend_factor(nir_builder *b, unsigned factor, const struct blend_colors *in,
                             unsigned c)
{
    nir_def *one = nir_imm_float(b, 1.0f);

    switch (factor) {
    case DRV_FACTOR_ONE:
        return NULL;
    case DRV_FACTOR_SRC_COLOR:
        return in->src[c];
    case DRV_FACTOR_INV_SRC_COLOR:
        return nir_fsub(b, one, in->src[c]);
    case DRV_FACTOR_SRC_ALPHA:
        return in->src[3];
    case DRV_FACTOR_INV_SRC_ALPHA:
        return nir_fsub(b, one, in->src[3]);
    case DRV_FACTOR_DST_COLOR:
        return in->dst[c];
    case DRV_FACTOR_INV_DST_COLOR:
        return nir_fsub(b, one, in->dst[c]);
    case DRV_FACTOR_DST_ALPHA:
        return in->dst[3];
    case DRV_FACTOR_INV_DST_ALPHA:
        return nir_fsub(b, one, in->dst[3]);
    case DRV_FACTOR_CONST_COLOR:
        return in->constant[c];
    case DRV_FACTOR_INV_CONST_COLOR:
        return nir_fsub(b, one, in->constant[c]);
    case DRV_FACTOR_CONST_ALPHA:
        return in->constant[3];
    case DRV_FACTOR_INV_CONST_ALPHA:
        return nir_fsub(b, one, in->constant[3]);
    case DRV_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? NULL : nir_fmin(b, in->src[3], nir_fsub(b, one, in->dst[3]));
    case DRV_FACTOR_SRC1_COLOR:
        return in->src1[c];
    case DRV_FACTOR_INV_SRC1_COLOR:
        return nir_fsub(b, one, in->src1[c]);
    case DRV_FACTOR_SRC1_ALPHA:
        return in->src1[3];
    case DRV_FACTOR_INV_SRC1_ALPHA:
        return nir_fsub(b, one, in->src1[3]);
    default:
        return nir_imm_float(b, 0.0f);
    }
}

/* color * factor; NULL: nothing to add. */
static nir_def *blend_term(nir_builder *b, unsigned factor, const struct blend_colors *in,
                           nir_def *color, unsigned c)
{
    if (factor == DRV_FACTOR_ZERO)
        return NULL;
    nir_def *f = blend_factor(b, factor, in, c);
    return f ? nir_fmul(b, color, f) : color;
}

static nir_def *blend_component(nir_builder *b, unsigned func, unsigned src_factor,
                                unsigned dst_factor, const struct blend_colors *in, unsigned c)
{
    if (func == DRV_BLEND_MIN)
        return nir_fmin(b, in->src[c], in->dst[c]);
    if (func == DRV_BLEND_MAX)
        return nir_fmax(b, in->src[c], in->dst[c]);

    nir_def *s = blend_term(b, src_factor, in, in->src[c], c);
    nir_def *d = blend_term(b, dst_factor, in, in->dst[c], c);
    nir_def *zero = nir_imm_float(b, 0.0f);
    if (func == DRV_BLEND_REVERSE_SUBTRACT)
        return nir_fsub(b, d ? d : zero, s ? s : zero);
    if (func == DRV_BLEND_SUBTRACT)
        return nir_fsub(b, s ? s : zero, d ? d : zero);
    if (!s || !d)
        return s ? s : d ? d : zero;
    return nir_fadd(b, s, d);
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

static void blend_colors(nir_builder *b, const struct cpu_blend_inputs *in, nir_def *dst_texel,
                         nir_def *result[4])
{
    const struct drv_rt_blend *rt = &in->key->rt[in->rt];
    struct blend_colors colors;

    cpu_nir_unpack(b, in->format, dst_texel, colors.dst);
    for (unsigned c = 0; c < 4; c++) {
        nir_def *constant =
            cpu_load_const(b, 1, 32, in->fs, offsetof(struct cpu_fs_state, blend_color) + 4 * c);
        colors.src[c] = clamp_for(b, in->format, in->src[c]);
        colors.src1[c] = in->src1[c] ? clamp_for(b, in->format, in->src1[c])
                                     : nir_imm_float(b, c == 3 ? 1.0f : 0.0f);
        colors.constant[c] = clamp_for(b, in->format, constant);
    }
    for (unsigned c = 0; c < 4; c++) {
        result[c] = c < 3 ? blend_component(b, rt->rgb_func, rt->rgb_src_factor, rt->rgb_dst_factor,
                                            &colors, c)
                          : blend_component(b, rt->alpha_func, rt->alpha_src_factor,
                                            rt->alpha_dst_factor, &colors, c);
    }
}

/* The texel to store: result where the color mask lets it through, dst elsewhere. */
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
    /* GL 4.6 §17.3.9: none for floating-point and sRGB buffers */
    bool logic =
        in->key->logicop && !util_format_is_float(in->format) && !util_format_is_srgb(in->format);

    if (!colormask)
        return;

    unsigned components, size;
    cpu_texel_shape(in->format, &components, &size);
    nir_def *dst = NULL, *color[4];
    if (blend || logic || colormask != stored)
        dst = cpu_load_texels(b, components, size, in->address);
    if (blend)
        blend_colors(b, in, dst, color);
    else
        memcpy(color, in->src, sizeof color);

    nir_def *result = cpu_nir_pack(b, in->format, color);
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
