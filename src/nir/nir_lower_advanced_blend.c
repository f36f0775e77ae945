/* SPDX-License-Identifier: MIT */
/*
 * KHR_blend_equation_advanced: blends the first color output in the shader with the framebuffer's
 * color. Equations and function names are those of the extension ("Advanced Blend Equations",
 * tables X.1 and X.2).
 */
#include "nir_lower_gl_state.h"

struct state {
    enum nir_advanced_blend equation;
    bool clamp;
};

static nir_def *imm(nir_builder *b, float f)
{
    return nir_imm_float(b, f);
}

static nir_def *one_minus(nir_builder *b, nir_def *x)
{
    return nir_fsub(b, imm(b, 1.0f), x);
}

/* Returns 2 * s * d if `decides` is at most 0.5, otherwise 1 - 2 * (1 - s) * (1 - d). */
static nir_def *light(nir_builder *b, nir_def *s, nir_def *d, nir_def *decides)
{
    nir_def *low = nir_fmul_imm(b, nir_fmul(b, s, d), 2.0);
    nir_def *high = nir_fmul(b, one_minus(b, s), one_minus(b, d));
    high = one_minus(b, nir_fmul_imm(b, high, 2.0));
    return nir_bcsel(b, nir_fge(b, imm(b, 0.5f), decides), low, high);
}

static nir_def *color_dodge(nir_builder *b, nir_def *s, nir_def *d)
{
    nir_def *quotient = nir_fmin(b, imm(b, 1.0f), nir_fdiv(b, d, one_minus(b, s)));
    nir_def *lit = nir_bcsel(b, nir_flt(b, s, imm(b, 1.0f)), quotient, imm(b, 1.0f));
    return nir_bcsel(b, nir_fge(b, imm(b, 0.0f), d), imm(b, 0.0f), lit);
}

static nir_def *color_burn(nir_builder *b, nir_def *s, nir_def *d)
{
    nir_def *quotient = nir_fmin(b, imm(b, 1.0f), nir_fdiv(b, one_minus(b, d), s));
    nir_def *lit = nir_bcsel(b, nir_flt(b, imm(b, 0.0f), s), one_minus(b, quotient), imm(b, 0.0f));
    return nir_bcsel(b, nir_fge(b, d, imm(b, 1.0f)), imm(b, 1.0f), lit);
}

static nir_def *soft_light(nir_builder *b, nir_def *s, nir_def *d)
{
    nir_def *twice = nir_fadd_imm(b, nir_fmul_imm(b, s, 2.0), -1.0); /* 2 * s - 1 */
    nir_def *dark = nir_fmul(b, d, one_minus(b, d));
    nir_def *steep = nir_fadd_imm(b, nir_fmul_imm(b, d, 16.0), -12.0);
    steep = nir_fmul(b, d, nir_fadd_imm(b, nir_fmul(b, steep, d), 3.0));
    nir_def *flat = nir_fsub(b, nir_fsqrt(b, d), d);
    nir_def *bright = nir_bcsel(b, nir_fge(b, imm(b, 0.25f), d), steep, flat);
    nir_def *share = nir_bcsel(b, nir_fge(b, imm(b, 0.5f), s), dark, bright);
    return nir_fadd(b, d, nir_fmul(b, twice, share));
}

/* Returns f(s, d) of an equation that works on each component separately. */
static nir_def *blend_component(nir_builder *b, enum nir_advanced_blend equation, nir_def *s,
                                nir_def *d)
{
    nir_def *product = nir_fmul(b, s, d);
    switch (equation) {
    case NIR_BLEND_MULTIPLY:
        return product;
    case NIR_BLEND_SCREEN:
        return nir_fsub(b, nir_fadd(b, s, d), product);
    case NIR_BLEND_OVERLAY:
        return light(b, s, d, d);
    case NIR_BLEND_DARKEN:
        return nir_fmin(b, s, d);
    case NIR_BLEND_LIGHTEN:
        return nir_fmax(b, s, d);
    case NIR_BLEND_COLORDODGE:
        return color_dodge(b, s, d);
    case NIR_BLEND_COLORBURN:
        return color_burn(b, s, d);
    case NIR_BLEND_HARDLIGHT:
        return light(b, s, d, s);
    case NIR_BLEND_SOFTLIGHT:
        return soft_light(b, s, d);
    case NIR_BLEND_DIFFERENCE:
        return nir_fabs(b, nir_fsub(b, d, s));
    default: /* NIR_BLEND_EXCLUSION */
        return nir_fsub(b, nir_fadd(b, s, d), nir_fmul_imm(b, product, 2.0));
    }
}

/* --- hue, saturation, luminosity --- */

static nir_def *lum(nir_builder *b, nir_def *const c[3])
{
    return nir_fadd(b, nir_fadd(b, nir_fmul_imm(b, c[0], 0.30), nir_fmul_imm(b, c[1], 0.59)),
                    nir_fmul_imm(b, c[2], 0.11));
}

static nir_def *least(nir_builder *b, nir_def *const c[3])
{
    return nir_fmin(b, nir_fmin(b, c[0], c[1]), c[2]);
}

static nir_def *greatest(nir_builder *b, nir_def *const c[3])
{
    return nir_fmax(b, nir_fmax(b, c[0], c[1]), c[2]);
}

static nir_def *sat(nir_builder *b, nir_def *const c[3])
{
    return nir_fsub(b, greatest(b, c), least(b, c));
}

/* Computes lum + (c - lum) * share / range where `applies` is true. */
static void pull(nir_builder *b, nir_def *c[3], nir_def *applies, nir_def *luminosity,
                 nir_def *share, nir_def *range)
{
    for (unsigned i = 0; i < 3; i++) {
        nir_def *away = nir_fmul(b, nir_fsub(b, c[i], luminosity), share);
        nir_def *pulled = nir_fadd(b, luminosity, nir_fdiv(b, away, range));
        c[i] = nir_bcsel(b, applies, pulled, c[i]);
    }
}

static void clip_color(nir_builder *b, nir_def *c[3])
{
    nir_def *l = lum(b, c), *low = least(b, c), *high = greatest(b, c);
    pull(b, c, nir_flt(b, low, imm(b, 0.0f)), l, l, nir_fsub(b, l, low));
    pull(b, c, nir_flt(b, imm(b, 1.0f), high), l, one_minus(b, l), nir_fsub(b, high, l));
}

static void set_lum(nir_builder *b, nir_def *const base[3], nir_def *const luminosity[3],
                    nir_def *out[3])
{
    nir_def *diff = nir_fsub(b, lum(b, luminosity), lum(b, base));
    for (unsigned i = 0; i < 3; i++)
        out[i] = nir_fadd(b, base[i], diff);
    clip_color(b, out);
}

static void set_lum_sat(nir_builder *b, nir_def *const base[3], nir_def *const saturation[3],
                        nir_def *const luminosity[3], nir_def *out[3])
{
    nir_def *low = least(b, base), *had = sat(b, base), *wanted = sat(b, saturation);
    nir_def *color[3];
    for (unsigned i = 0; i < 3; i++) {
        nir_def *scaled = nir_fdiv(b, nir_fmul(b, nir_fsub(b, base[i], low), wanted), had);
        color[i] = nir_bcsel(b, nir_flt(b, imm(b, 0.0f), had), scaled, imm(b, 0.0f));
    }
    set_lum(b, color, luminosity, out);
}

static void blend_rgb(nir_builder *b, enum nir_advanced_blend equation, nir_def *const s[3],
                      nir_def *const d[3], nir_def *out[3])
{
    switch (equation) {
    case NIR_BLEND_HSL_HUE:
        set_lum_sat(b, s, d, d, out);
        break;
    case NIR_BLEND_HSL_SATURATION:
        set_lum_sat(b, d, s, d, out);
        break;
    case NIR_BLEND_HSL_COLOR:
        set_lum(b, s, d, out);
        break;
    case NIR_BLEND_HSL_LUMINOSITY:
        set_lum(b, d, s, out);
        break;
    default:
        for (unsigned i = 0; i < 3; i++)
            out[i] = blend_component(b, equation, s[i], d[i]);
        break;
    }
}

/* Divides the color components by alpha. */
static void divide_alpha(nir_builder *b, nir_def *color, nir_def *out[3])
{
    nir_def *alpha = nir_channel(b, color, 3), *none = nir_feq(b, alpha, imm(b, 0.0f));
    for (unsigned i = 0; i < 3; i++)
        out[i] = nir_bcsel(b, none, imm(b, 0.0f), nir_fdiv(b, nir_channel(b, color, i), alpha));
}

static nir_def *blend(nir_builder *b, enum nir_advanced_blend equation, nir_def *src, nir_def *dst)
{
    nir_def *s[3], *d[3], *f[3], *result[4];
    nir_def *as = nir_channel(b, src, 3), *ad = nir_channel(b, dst, 3);
    nir_def *both = nir_fmul(b, as, ad);
    nir_def *only_src = nir_fmul(b, as, one_minus(b, ad));
    nir_def *only_dst = nir_fmul(b, ad, one_minus(b, as));
    divide_alpha(b, src, s);
    divide_alpha(b, dst, d);
    blend_rgb(b, equation, s, d, f);
    for (unsigned i = 0; i < 3; i++)
        result[i] = nir_fadd(b, nir_fadd(b, nir_fmul(b, f[i], both), nir_fmul(b, s[i], only_src)),
                             nir_fmul(b, d[i], only_dst));
    result[3] = nir_fadd(b, nir_fadd(b, both, only_src), only_dst);
    return nir_vec(b, result, 4);
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    const struct state *s = data;
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_store_deref ||
        !nir_get_io_access(intr, nir_var_shader_out, &io) || io.index || io.var->data.index ||
        (io.location != FRAG_RESULT_COLOR && io.location != FRAG_RESULT_DATA0) ||
        io.deref->type->base_type != GLSL_TYPE_FLOAT)
        return false;
    nir_def *value = intr->src[1].ssa, *color[4];
    unsigned components = value->num_components;
    b->cursor = nir_before_instr(&intr->instr);
    for (unsigned i = 0; i < 4; i++)
        color[i] = i < components ? nir_channel(b, value, i) : imm(b, i == 3 ? 1.0f : 0.0f);
    nir_def *src = nir_vec(b, color, 4);
    nir_def *dst = nir_load_last_frag_data(b, nir_imm_int(b, 0));
    nir_def *result = blend(b, s->equation, s->clamp ? nir_fsat(b, src) : src, dst);
    nir_src_rewrite(&intr->src[1], nir_trim_vector(b, result, components));
    return true;
}

bool nir_lower_advanced_blend(nir_shader *shader, enum nir_advanced_blend equation, bool clamp)
{
    struct state s = {equation, clamp};
    if (shader->info.stage != SHADER_FRAGMENT)
        return false;
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &s);
}
