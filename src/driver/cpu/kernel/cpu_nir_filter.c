/* SPDX-License-Identifier: MIT */
/*
 * Texels of one level: wrap modes (GL 4.6 §8.14.2), addresses, fetches, linear filters. Unsigned
 * normalized channels stay packed in words until they are filtered: two channels in the halves of a
 * word, weights in 256ths, each step along an axis rounded, to 8 bits of channels that have 8, to 15 of
 * others and of sRGB's.
 */
#include "driver/cpu/kernel/cpu_nir_sample.h"

#include <string.h>

#include "driver/cpu/kernel/cpu_nir_format.h"
#include "util/format.h"

/* Texels along one axis that a filter reads. */
struct axis_texels {
    nir_def *index[2];     /* in range */
    nir_def *weight;       /* of index[1], float in [0,1]; linear filters */
    nir_def *fixed;        /* the same in 256ths, a word's low byte; NULL: only as a float */
    nir_def *outside[2];   /* 1 bit: it is the border; NULL: never */
    nir_def *unclamped[2]; /* seamless cubes: -1 … size */
};

/* --------------------------------------------------------------------------------- texels --- */

static const struct drv_format_desc *sample_desc(const struct cpu_sample *s)
{
    return drv_format_desc(s->key->format);
}

static nir_def *level_base(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *layer)
{
    nir_builder *b = s->b;
    nir_def *base = level->base;
    if (layer)
        base = nir_iadd(b, base, nir_umul_2x32_64(b, layer, nir_u2u32(b, level->layer_stride)));
    if (s->sample)
        base =
            nir_iadd(b, base, nir_umul_2x32_64(b, s->sample, nir_u2u32(b, level->sample_stride)));
    return base;
}

/* Texel number `texel` at base, in the shape of cpu_texel_shape. Texels smaller than a word are cut
 * out of it: machines gather words, and images are followed by padding. */
static nir_def *load_texel(struct cpu_sample *s, nir_def *base, nir_def *texel)
{
    nir_builder *b = s->b;
    unsigned bytes = sample_desc(s)->block_bytes, components, size;

    if (bytes >= 4) {
        cpu_texel_shape(s->key->format, &components, &size);
        nir_def *offset = nir_imul_imm(b, texel, bytes);
        return nir_load_global_constant(b, components, size, base, offset, .align_mul = 4);
    }
    nir_def *offset = bytes == 2 ? nir_ishl_imm(b, texel, 1) : texel;
    nir_def *word =
        nir_load_global_constant(b, 1, 32, base, nir_iand_imm(b, offset, ~3u), .align_mul = 4);
    nir_def *shift = nir_ishl_imm(b, nir_iand_imm(b, offset, 3), 3);
    word = nir_ushr(b, word, shift);
    return bytes == 2 ? nir_u2u16(b, word) : nir_u2u8(b, word);
}

/* Values of the channels that the result uses. */
static void decode_texel(struct cpu_sample *s, nir_def *texel, nir_def *channel[4])
{
    nir_builder *b = s->b;
    const struct drv_format_desc *desc = sample_desc(s);

    if (desc->colorspace == DRV_COLORSPACE_ZS) {
        channel[1] = channel[2] = channel[3] = nir_imm_int(b, 0);
        if (s->key->sample_stencil)
            channel[0] = cpu_nir_stencil_bits(b, s->key->format, texel);
        else
            channel[0] = cpu_nir_depth_to_float(b, s->key->format,
                                                cpu_nir_depth_bits(b, s->key->format, texel));
        if (s->compare) {
            nir_def *pass =
                cpu_nir_compare(b, s->key->compare_func - 1, s->compare, channel[0], true);
            channel[0] = nir_b2f32(b, pass);
        }
        return;
    }
    cpu_nir_unpack_channels(b, s->key->format, texel, channel);
    if (desc->colorspace == DRV_COLORSPACE_SRGB) {
        for (unsigned c = 0; c < 4; c++) {
            if (desc->swizzle[3] != c && c < desc->nr_channels)
                channel[c] = cpu_nir_srgb_to_linear(b, channel[c]);
        }
    }
}

/* The border color's value for a channel: that of a component which shows it. */
static nir_def *border_channel(struct cpu_sample *s, unsigned channel)
{
    for (unsigned c = 0; c < 4; c++) {
        if (cpu_sample_channel(s, c) != channel)
            continue;
        struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
        nir_def *value = cpu_load_const(s->b, 1, 32, s->sampler,
                                        offsetof(struct cpu_sampler, border_color) + 4 * c);
        cpu_kernel_leave_prologue(s->kb, place);
        return value;
    }
    return nir_imm_int(s->b, 0);
}

static void apply_border(struct cpu_sample *s, nir_def *outside, nir_def *channel[4])
{
    nir_builder *b = s->b;

    for (unsigned c = 0; c < 4; c++) {
        nir_def *border = border_channel(s, c);
        if (s->compare && c == 0)
            border = nir_b2f32(
                b, cpu_nir_compare(b, s->key->compare_func - 1, s->compare, border, true));
        channel[c] = nir_bcsel(b, outside, border, channel[c]);
    }
}

/* ----------------------------------------------------------------------------- wrap modes --- */

static unsigned wrap_mode(const struct cpu_sample *s, unsigned axis)
{
    if (s->face)
        return DRV_WRAP_CLAMP_TO_EDGE;
    return axis == 0 ? s->key->wrap_s : axis == 1 ? s->key->wrap_t : s->key->wrap_r;
}

static bool is_power_of_two(const struct cpu_sample *s, unsigned axis)
{
    return axis == 0 ? s->key->pot_w : axis == 1 ? s->key->pot_h : false;
}

static nir_def *level_size(const struct cpu_level_def *level, unsigned axis)
{
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

static nir_def *clamp_float(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi)
{
    return nir_fmin(b, nir_fmax(b, x, lo), hi); /* NaN becomes lo */
}

/* In repeat modes: coordinate in texels, minus half a texel for linear filters. */
static nir_def *scaled_coordinate(struct cpu_sample *s, unsigned axis, nir_def *u, nir_def *size_f,
                                  bool linear, bool add_offset)
{
    nir_builder *b = s->b;
    nir_def *x = s->key->unnormalized ? u : nir_fmul(b, u, size_f);

    if (linear)
        x = nir_fadd_imm(b, x, -0.5);
    if (add_offset && s->offset[axis])
        x = nir_fadd(b, x, nir_i2f32(b, s->offset[axis]));
    return x;
}

static nir_def *wrap_repeat_index(struct cpu_sample *s, unsigned axis, nir_def *index,
                                  nir_def *size)
{
    nir_builder *b = s->b;
    nir_def *last = nir_iadd_imm(b, size, -1);

    if (is_power_of_two(s, axis))
        return nir_iand(b, index, last);
    if (s->offset[axis])
        return nir_imod(b, index, size);
    /* -1 … size */
    index = nir_bcsel(b, nir_ilt_imm(b, index, 0), last, index);
    return nir_bcsel(b, nir_ilt(b, last, index), nir_imm_int(b, 0), index);
}

static struct axis_texels wrap_repeat(struct cpu_sample *s, unsigned axis, nir_def *size,
                                      nir_def *size_f, bool linear)
{
    nir_builder *b = s->b;
    struct axis_texels t = {{NULL}};
    nir_def *u = s->coord[axis];

    if (!is_power_of_two(s, axis))
        u = nir_fsub(b, u, nir_ffloor(b, u));
    nir_def *x = scaled_coordinate(s, axis, u, size_f, linear, true);
    nir_def *floor = nir_ffloor(b, x), *index = nir_f2i32_in_range(b, floor);
    t.index[0] = wrap_repeat_index(s, axis, index, size);
    if (linear) {
        t.weight = nir_fsub(b, x, floor);
        t.index[1] = wrap_repeat_index(s, axis, nir_iadd_imm(b, index, 1), size);
    }
    return t;
}

/* Whether a linear filter reads the border in this mode. */
static bool may_read_border(unsigned wrap)
{
    return wrap == DRV_WRAP_CLAMP || wrap == DRV_WRAP_MIRROR_CLAMP ||
           wrap == DRV_WRAP_CLAMP_TO_BORDER || wrap == DRV_WRAP_MIRROR_CLAMP_TO_BORDER;
}

static bool reads_no_border(const struct cpu_sample *s)
{
    for (unsigned a = 0; a < s->dims; a++)
        if (may_read_border(wrap_mode(s, a)))
            return false;
    return true;
}

/* The modes that mirror reduce to those that clamp. */
static nir_def *mirror(struct cpu_sample *s, unsigned axis, unsigned wrap, nir_def *size_f)
{
    nir_builder *b = s->b;
    nir_def *u = s->coord[axis];

    if (wrap != DRV_WRAP_MIRROR_REPEAT && wrap < DRV_WRAP_MIRROR_CLAMP)
        return u;
    if (s->offset[axis]) {
        nir_def *offset = nir_i2f32(b, s->offset[axis]);
        u = nir_fadd(b, u, s->key->unnormalized ? offset : nir_fdiv(b, offset, size_f));
    }
    if (wrap != DRV_WRAP_MIRROR_REPEAT)
        return nir_fabs(b, u);
    nir_def *period = nir_fmul_imm(b, nir_ffloor(b, nir_fmul_imm(b, u, 0.5)), 2.0);
    nir_def *t = nir_fadd_imm(b, nir_fsub(b, u, period), -1.0);
    return nir_fsub_imm(b, 1.0, nir_fabs(b, t));
}

static struct axis_texels wrap_to_edge(struct cpu_sample *s, nir_def *x, nir_def *size,
                                       nir_def *size_f, bool linear)
{
    nir_builder *b = s->b;
    struct axis_texels t = {{NULL}};
    nir_def *last = nir_iadd_imm(b, size, -1), *zero = nir_imm_int(b, 0);

    if (s->tex->op == nir_texop_tg4) { /* a texel that has no weight counts as much as the others */
        x = clamp_float(b, x, nir_imm_float(b, -1.0f), size_f);
        nir_def *index = nir_f2i32_in_range(b, nir_ffloor(b, x));
        for (unsigned i = 0; i < 2; i++)
            t.index[i] = nir_imin(b, nir_imax(b, nir_iadd_imm(b, index, i), zero), last);
        return t;
    }
    x = clamp_float(b, x, nir_imm_float(b, 0.0f), nir_fadd_imm(b, size_f, -1.0));
    t.index[0] = nir_f2i32_in_range(b, x); /* not negative: truncation is floor */
    if (linear) {
        t.weight = nir_fsub(b, x, nir_ffloor(b, x));
        t.index[1] = nir_imin(b, nir_iadd_imm(b, t.index[0], 1), last);
    }
    return t;
}

static struct axis_texels wrap_to_border(struct cpu_sample *s, nir_def *x, nir_def *size,
                                         nir_def *size_f, bool linear, bool mirrored)
{
    nir_builder *b = s->b;
    struct axis_texels t = {{NULL}};
    nir_def *zero = nir_imm_int(b, 0), *last = nir_iadd_imm(b, size, -1);

    /* both texels that are gathered may lie before the first, the second without weight too */
    x = clamp_float(b, x, nir_imm_float(b, s->tex->op == nir_texop_tg4 ? -2.0f : -1.0f), size_f);
    nir_def *floor = nir_ffloor(b, x), *index = nir_f2i32_in_range(b, floor);
    t.weight = nir_fsub(b, x, floor);
    for (unsigned i = 0; i < (linear ? 2 : 1); i++) {
        nir_def *n = i ? nir_iadd_imm(b, index, 1) : index;
        if (mirrored)
            n = nir_imax(b, n, zero);
        t.outside[i] = nir_uge(b, n, size);
        t.index[i] = nir_imin(b, nir_imax(b, n, zero), last);
    }
    return t;
}

/* What is gathered in modes that mirror: each of the two texels mirrored by itself (GL 4.6 table 8.23),
 * so that they change places where a mirrored coordinate would keep them in order. */
static struct axis_texels gather_mirrored(struct cpu_sample *s, unsigned axis, unsigned wrap,
                                          nir_def *size, nir_def *size_f)
{
    nir_builder *b = s->b;
    struct axis_texels t = {{NULL}};
    nir_def *u = s->coord[axis], *last = nir_iadd_imm(b, size, -1);
    bool repeat = wrap == DRV_WRAP_MIRROR_REPEAT;

    if (repeat)
        u = nir_fsub(b, u, nir_fmul_imm(b, nir_ffloor(b, nir_fmul_imm(b, u, 0.5)), 2.0));
    nir_def *x = scaled_coordinate(s, axis, u, size_f, true, true);
    if (!repeat) { /* GL_MIRROR_CLAMP_EXT: one texel of the border at most */
        float beyond = wrap == DRV_WRAP_MIRROR_CLAMP ? -0.5f : 1.0f;
        nir_def *most = nir_fadd_imm(b, size_f, beyond);
        x = clamp_float(b, x, nir_fsub_imm(b, -1.0, most), most);
    }
    nir_def *index = nir_f2i32_in_range(b, nir_ffloor(b, x));
    for (unsigned i = 0; i < 2; i++) {
        nir_def *n = nir_iadd_imm(b, index, i);
        if (repeat) {
            nir_def *period = nir_ishl_imm(b, size, 1);
            n = nir_imod(b, n, period);
            n = nir_imin(b, n, nir_isub(b, nir_iadd_imm(b, period, -1), n));
        } else {
            n = nir_imax(b, n, nir_inot(b, n)); /* ~n: -1 - n */
        }
        if (may_read_border(wrap))
            t.outside[i] = nir_uge(b, n, size);
        t.index[i] = nir_imin(b, n, last);
    }
    return t;
}

/* A face of a seamless cube: the texels may lie beyond its edges. */
static struct axis_texels wrap_seamless(struct cpu_sample *s, nir_def *x, nir_def *size,
                                        nir_def *size_f)
{
    nir_builder *b = s->b;
    struct axis_texels t = {{NULL}};
    nir_def *zero = nir_imm_int(b, 0), *last = nir_iadd_imm(b, size, -1);

    x = clamp_float(b, x, nir_imm_float(b, -1.0f), size_f);
    nir_def *floor = nir_ffloor(b, x), *index = nir_f2i32_in_range(b, floor);
    t.weight = nir_fsub(b, x, floor);
    for (unsigned i = 0; i < 2; i++) {
        t.unclamped[i] = i ? nir_iadd_imm(b, index, 1) : index;
        t.index[i] = nir_imin(b, nir_imax(b, t.unclamped[i], zero), last);
    }
    return t;
}

/* Modes that packed texels have a shorter way for: in fixed point with 8 bits of fraction. */
static bool wraps_in_fixed_point(const struct cpu_sample *s, unsigned axis, unsigned wrap)
{
    if (!s->packing)
        return false;
    if (wrap == DRV_WRAP_REPEAT)
        return !s->key->unnormalized && (!s->offset[axis] || is_power_of_two(s, axis));
    return wrap == DRV_WRAP_CLAMP_TO_EDGE && !(s->face && s->key->seamless);
}

static bool repeats_powers_of_two(const struct cpu_sample *s, unsigned axis)
{
    return wrap_mode(s, axis) == DRV_WRAP_REPEAT && is_power_of_two(s, axis);
}

/* Texels that are added to a coordinate so that it is not negative: none where it is clamped, of powers of
 * two a multiple of all sizes, which are at most 2^14. */
static unsigned coordinate_bias(const struct cpu_sample *s, unsigned axis)
{
    if (repeats_powers_of_two(s, axis))
        return 1 << 14;
    return wrap_mode(s, axis) == DRV_WRAP_REPEAT || s->offset[axis] ? 1 << 8 : 0;
}

/* A coordinate, minus half a texel and with the bias, as a float of 24 bits before the point: the low byte of
 * its bits is the fraction in 256ths, rounded, the 15 bits above are the texel, and then come exponent
 * and sign. NaN becomes some texel. Offsets are left to indices, so that fetches which differ in them share
 * the rest. */
static nir_def *fixed_coordinate(struct cpu_sample *s, unsigned axis, nir_def *scale)
{
    nir_builder *b = s->b;
    nir_def *u = s->coord[axis];

    if (wrap_mode(s, axis) == DRV_WRAP_REPEAT) {
        u = nir_fmul(b, nir_fsub(b, u, nir_ffloor(b, u)), scale);
    } else { /* no further beyond the edges than offsets take back */
        float margin = s->offset[axis] ? -0x1p15f : 128.0f;
        u = s->key->unnormalized ? nir_fmul_imm(b, u, 256.0) : nir_fmul(b, u, scale);
        u = clamp_float(b, u, nir_imm_float(b, margin), nir_fadd_imm(b, scale, -margin));
    }
    return nir_fadd_imm(b, u, 0x1p23 + coordinate_bias(s, axis) * 256.0 - 128.0);
}

static nir_def *level_scale(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis)
{
    return axis < 2 ? level->scale[axis]
                    : nir_fmul_imm(s->b, nir_i2f32(s->b, level_size(level, axis)), 256.0);
}

static struct axis_texels wrap_fixed(struct cpu_sample *s, const struct cpu_level_def *level,
                                     unsigned axis, unsigned wrap)
{
    nir_builder *b = s->b;
    struct axis_texels t = {{NULL}};
    nir_def *size = level_size(level, axis), *offset = s->offset[axis];
    nir_def *last = nir_iadd_imm(b, size, -1);

    t.fixed = fixed_coordinate(s, axis, level_scale(s, level, axis));
    t.index[0] = nir_ushr_imm(b, t.fixed, 8);
    if (!repeats_powers_of_two(s, axis)) /* where bits above do not count */
        t.index[0] = nir_iadd_imm(b, t.index[0], -(0x4b0000 + (int)coordinate_bias(s, axis)));
    if (offset)
        t.index[0] = nir_iadd(b, t.index[0], offset);
    t.index[1] = nir_iadd_imm(b, t.index[0], 1);
    for (unsigned i = 0; i < 2; i++) {
        if (wrap == DRV_WRAP_REPEAT) {
            t.index[i] = wrap_repeat_index(s, axis, t.index[i], size);
            continue;
        }
        if (offset)
            t.index[i] = nir_imax(b, t.index[i], nir_imm_int(b, 0));
        if (offset || i)
            t.index[i] = nir_imin(b, t.index[i], last);
    }
    return t;
}

static struct axis_texels wrap_axis(struct cpu_sample *s, const struct cpu_level_def *level,
                                    unsigned axis, bool linear)
{
    nir_builder *b = s->b;
    unsigned wrap = wrap_mode(s, axis);
    nir_def *size = level_size(level, axis), *size_f = nir_i2f32(b, size);
    bool mirrors = wrap == DRV_WRAP_MIRROR_REPEAT || wrap >= DRV_WRAP_MIRROR_CLAMP;

    if (linear && wraps_in_fixed_point(s, axis, wrap))
        return wrap_fixed(s, level, axis, wrap);
    if (wrap == DRV_WRAP_REPEAT)
        return wrap_repeat(s, axis, size, size_f, linear);
    if (mirrors && s->tex->op == nir_texop_tg4)
        return gather_mirrored(s, axis, wrap, size, size_f);

    nir_def *u = mirror(s, axis, wrap, size_f);
    bool clamp = wrap == DRV_WRAP_CLAMP || wrap == DRV_WRAP_MIRROR_CLAMP;
    if (clamp && linear) /* GL_CLAMP: half of the border at the edge */
        u = clamp_float(b, u, nir_imm_float(b, 0.0f),
                        s->key->unnormalized ? size_f : nir_imm_float(b, 1.0f));
    nir_def *x = scaled_coordinate(s, axis, u, size_f, linear, !mirrors);
    if (s->face && s->key->seamless && linear)
        return wrap_seamless(s, x, size, size_f);
    if ((clamp && linear) || wrap == DRV_WRAP_CLAMP_TO_BORDER ||
        wrap == DRV_WRAP_MIRROR_CLAMP_TO_BORDER)
        return wrap_to_border(s, x, size, size_f, linear, mirrors);
    return wrap_to_edge(s, x, size, size_f, linear);
}

/* -------------------------------------------------------------------------------- filters --- */

/* Everything that is read in one level: per axis two texels, the parts of their addresses. */
struct footprint {
    struct axis_texels axis[3];
    nir_def *pair[2];                      /* per tap, texels of axes 0 and 1: x << 16 | y */
    nir_def *column[2], *row[2], *base[2]; /* base: per slice of 3D, else [0] */
    nir_def *texel[8];                     /* x + 2 y + 4 z */
};

/* Whether axes 0 and 1 wrap by what can be done for both halves of a word at once. */
static bool wraps_in_pairs(const struct cpu_sample *s)
{
    for (unsigned a = 0; a < 2; a++) {
        if (!wraps_in_fixed_point(s, a, wrap_mode(s, a)))
            return false;
        if (!repeats_powers_of_two(s, a) &&
            (wrap_mode(s, a) == DRV_WRAP_REPEAT || s->offset[a] != NULL))
            return false;
    }
    return true;
}

/* The last texels of those axes that repeat, or of those that do not; of others the highest number. */
static nir_def *last_texels(struct cpu_sample *s, const struct cpu_level_def *level, bool repeating)
{
    nir_builder *b = s->b;
    nir_def *half[2];

    for (unsigned a = 0; a < 2; a++)
        half[a] = repeats_powers_of_two(s, a) == repeating
                      ? nir_iadd_imm(b, level_size(level, a), -1)
                      : nir_imm_int(b, 0x7fff);
    return nir_ior(b, nir_ishl_imm(b, half[0], 16), half[1]);
}

/* wrap_fixed for two axes. */
static void wrap_pair(struct cpu_sample *s, const struct cpu_level_def *level, struct footprint *f)
{
    nir_builder *b = s->b;
    bool repeats = false, clamps = false;
    nir_def *offset = NULL;

    for (unsigned a = 0; a < 2; a++) {
        f->axis[a].fixed = fixed_coordinate(s, a, level_scale(s, level, a));
        repeats |= repeats_powers_of_two(s, a);
        clamps |= !repeats_powers_of_two(s, a);
        if (s->offset[a]) { /* the bias keeps the sum's halves apart */
            nir_def *add = a ? s->offset[a] : nir_ishl_imm(b, s->offset[a], 16);
            offset = offset ? nir_iadd(b, offset, add) : add;
        }
    }
    /* y's are 15 bits: moves of whole halves would take longer, and the one between does not count */
    nir_def *x = nir_iand_imm(b, nir_ishl_imm(b, f->axis[0].fixed, 8), 0xffff8000);
    nir_def *y = nir_iand_imm(b, nir_ushr_imm(b, f->axis[1].fixed, 8), 0x7fff);
    f->pair[0] = nir_ior(b, x, y);
    if (offset)
        f->pair[0] = nir_iadd(b, nir_iand_imm(b, f->pair[0], 0xffff7fff), offset);
    for (unsigned i = 0; i < 2; i++) {
        if (i)
            f->pair[1] = nir_iadd_imm(b, f->pair[0], 0x00010001);
        if (repeats || !i)
            f->pair[i] = nir_iand(b, f->pair[i], last_texels(s, level, true));
        if (clamps && i)
            f->pair[1] = nir_umin_2x16(b, f->pair[1], last_texels(s, level, false));
        f->axis[0].index[i] = nir_ushr_imm(b, f->pair[i], 16);
        f->axis[1].index[i] = nir_iand_imm(b, f->pair[i], 0xffff);
    }
}

static void locate_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                             struct footprint *f)
{
    nir_builder *b = s->b;
    unsigned taps = linear ? 2 : 1, single = 0;

    if (linear && cpu_sample_may_use_window(s, linear) && wraps_in_pairs(s)) {
        wrap_pair(s, level, f);
        single = 2;
    }
    for (unsigned a = single; a < s->dims; a++)
        f->axis[a] = wrap_axis(s, level, a, linear);
    for (unsigned i = 0; i < taps; i++) {
        if (s->dims > 1 && !single)
            f->pair[i] = nir_ior(b, nir_ishl_imm(b, f->axis[0].index[i], 16), f->axis[1].index[i]);
        f->column[i] = cpu_texel_column(b, f->axis[0].index[i]);
        if (s->dims > 1)
            f->row[i] = cpu_texel_row(b, level, f->axis[1].index[i]);
        if (s->dims > 2)
            f->base[i] = level_base(s, level, f->axis[2].index[i]);
    }
    if (s->dims < 3)
        f->base[0] = level_base(s, level, s->layer);
}

static nir_def *gather_texel(struct cpu_sample *s, const struct footprint *f, unsigned i)
{
    nir_def *texel = f->column[i & 1];
    if (s->dims > 1)
        texel = nir_iadd(s->b, texel, f->row[i >> 1 & 1]);
    return load_texel(s, f->base[i >> 2], texel);
}

/* Texels of four floats or halves are filtered as they lie in memory, if most of that is asked for: what
 * a lane reads is a row of its channels, and only results are transposed. */
static bool filters_rows(const struct cpu_sample *s)
{
    const struct drv_format_desc *desc = sample_desc(s);

    if (s->dims < 2 || s->sample || s->key->reduction || s->tex->op == nir_texop_tg4 ||
        (s->key->min_filter != DRV_FILTER_LINEAR && s->key->mag_filter != DRV_FILTER_LINEAR) ||
        __builtin_popcount(nir_def_components_read(&s->tex->def)) < 3 || !reads_no_border(s))
        return false;
    if (desc->nr_channels < 4 || desc->block_bytes < 8 || desc->colorspace != DRV_COLORSPACE_RGB)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (desc->channel[i].type != DRV_CHANNEL_FLOAT ||
            desc->channel[i].shift != i * desc->block_bytes * 2)
            return false;
    return true;
}

static void filter_rows(struct cpu_sample *s, const struct footprint *f, nir_def *channel[4])
{
    nir_builder *b = s->b;
    const unsigned bytes = sample_desc(s)->block_bytes;
    nir_def *offset[4], *mixed[2];

    for (unsigned i = 0; i < 4; i++)
        offset[i] = nir_imul_imm(b, nir_iadd(b, f->column[i & 1], f->row[i >> 1]), bytes);
    for (unsigned z = 0; z < s->dims - 1; z++)
        mixed[z] = nir_load_global_bilinear(
            b, f->base[z], nir_vec(b, offset, 4), nir_vec2(b, f->axis[0].weight, f->axis[1].weight),
            .dest_type = bytes == 8 ? nir_type_float16 : nir_type_float32);
    for (unsigned c = 0; c < 4; c++) {
        channel[c] = nir_channel(b, mixed[0], c);
        if (s->dims > 2)
            channel[c] =
                cpu_sample_mix(s, channel[c], nir_channel(b, mixed[1], c), f->axis[2].weight);
    }
}

/* The footprints of a block's fragments lie near each other. If all are within a window of 2×2 blocks
 * of texels of one slice or two, or of 3×3 where a pixel covers up to two texels, loads of these and
 * permutations give each lane its texels; a gather loads for each lane, and for each tap anew. Half a
 * block, the fragments of 8 lanes, has a window of two blocks beside each other, of which it reads a few rows
 * for each tap: it begins with the first row that it reads, and distances from the second tap's rows are one
 * less. */
struct window {
    nir_def *origin[2];   /* texel coordinates of its first block, uniform */
    nir_def *distance[2]; /* per tap, of the lane's texels from there: columns and rows in halves */
    nir_def *place[2][2]; /* per axis and tap: what it adds to an index of two blocks' texels */
    nir_def *base[2];     /* of the first lane's slices, uniform */
    nir_def *elsewhere;   /* not zero: the lane is in other slices; NULL: there is one for all */
    nir_def *column[2];   /* of half a block: offsets of its two columns of blocks; uniform */
    nir_def *first_row;   /* that of the first tap's four rows, from the origin; uniform */
    nir_def *from_row[2]; /* distances from each tap's rows: the second's begin one later */
};

bool cpu_sample_may_use_window(const struct cpu_sample *s, bool linear)
{
    unsigned components, size;

    if (filters_rows(s) || !s->kb->near || s->kb->lanes < 8)
        return false;
    cpu_texel_shape(s->key->format, &components, &size);
    bool words = size == 32 && (components == 2 || components == 4) && s->kb->block;
    return !s->scattered && s->dims >= 2 && !s->sample && (words || components == 1) &&
           (s->kb->block || (linear && !s->minified)); /* else gathers of 8 take no longer */
}

/* Bits 0 … 2 of the lane's number, as a column, go to bits 0, 2 and 4 of the index: the third chooses
 * the block. Bits 0 and 1 of a row go to 1 and 3. In a row of two blocks the third is bit 1. */
static nir_def *window_places(struct cpu_sample *s, unsigned axis)
{
    nir_builder *b = s->b;
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *sum = nir_iand_imm(b, lane, 1);

    if (s->kb->block) {
        for (unsigned i = 1; i < 3 - axis; i++)
            sum = nir_ior(b, sum, nir_ishl_imm(b, nir_iand_imm(b, lane, 1 << i), i));
        sum = nir_ishl_imm(b, sum, axis);
    } else {
        sum = nir_ior(b, sum, nir_ishl_imm(b, nir_iand_imm(b, lane, 2), 1));
        sum = nir_ior(b, sum, nir_ushr_imm(b, nir_iand_imm(b, lane, 4), 1));
    }
    cpu_kernel_leave_prologue(s->kb, place);
    return sum;
}

/* The slices that the first lane reads. */
static void choose_slices(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct footprint *f, unsigned taps, struct window *w)
{
    nir_builder *b = s->b;

    w->elsewhere = NULL;
    w->base[0] = f->base[0];
    for (unsigned i = 0; i < (s->dims > 2 ? taps : 1); i++) {
        nir_def *slice = s->dims > 2 ? f->axis[2].index[i] : s->layer;
        if (!slice)
            continue;
        nir_def *first = nir_read_first_invocation(b, slice), *other = nir_ixor(b, slice, first);
        w->base[i] = level_base(s, level, first);
        w->elsewhere = w->elsewhere ? nir_ior(b, w->elsewhere, other) : other;
    }
}

/* Number i × 4 texels behind the origin along the axis; of what lies outside of the level, the last
 * block. */
static nir_def *window_block(struct cpu_sample *s, const struct cpu_level_def *level,
                             const struct window *w, unsigned axis, unsigned i)
{
    nir_builder *b = s->b;
    if (!i)
        return w->origin[axis];
    nir_def *last = nir_iand_imm(b, nir_iadd_imm(b, level_size(level, axis), -1), ~3u);
    return nir_imin(b, nir_iadd_imm(b, w->origin[axis], 4 * i), last);
}

static void locate_window(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct footprint *f, unsigned taps, struct window *w)
{
    nir_builder *b = s->b;

    choose_slices(s, level, f, taps, w);
    nir_def *least = nir_min_2x16(b, f->pair[0]), *rows = nir_iand_imm(b, least, 0xfffcffff);
    nir_def *origin = s->kb->block ? nir_iand_imm(b, least, 0xfffcfffc) : rows;
    w->origin[0] = nir_ushr_imm(b, origin, 16);
    w->origin[1] = nir_iand_imm(b, origin, 0xffff);
    for (unsigned i = 0; i < taps; i++) { /* what borrows from the other half fits nowhere */
        w->distance[i] = nir_isub(b, f->pair[i], origin);
        if (!s->kb->block)
            w->distance[i] = nir_iadd_imm(b, w->distance[i], -(int)i);
        w->place[0][i] =
            nir_lookup_lanes(b, window_places(s, 0), nir_ushr_imm(b, w->distance[i], 16));
        if (s->kb->block)
            w->place[1][i] = nir_lookup_lanes(b, window_places(s, 1), w->distance[i]);
    }
    for (unsigned x = 0; x < 2 && !s->kb->block; x++)
        w->column[x] = cpu_texel_column(b, window_block(s, level, w, 0, x));
    if (!s->kb->block)
        return;
    for (unsigned i = 0; i < taps; i++)
        w->from_row[i] = nir_iadd_imm(b, nir_isub(b, f->pair[i], rows), -(int)i);
    w->first_row = nir_iand_imm(b, least, 3);
}

/* Rows that half a block reads for each tap: two of a texture that is not turned and not minified. */
static unsigned rows_of_tap(unsigned blocks)
{
    return blocks == 2 ? 2 : 4;
}

/* Not zero in lanes that are in other slices, or of which a distance is not below so many blocks, two or
 * three. */
static nir_def *beyond_window(const struct cpu_sample *s, const struct window *w, unsigned taps,
                              unsigned blocks)
{
    nir_builder *b = s->b;
    nir_def *bits = NULL;

    for (unsigned i = 0; i < taps; i++) {
        bits = bits ? nir_ior(b, bits, w->distance[i]) : w->distance[i];
        if (s->kb->block && blocks > 2) /* below 12: below 16 with another 4 */
            bits = nir_ior(b, bits, nir_iadd_imm(b, w->distance[i], 0x00040004));
    }
    if (s->kb->block)
        bits = nir_iand_imm(b, bits, blocks == 2 ? 0xfff8fff8 : 0xfff0fff0);
    else
        bits = nir_iand_imm(b, bits, 0xfff80000 | (0x10000 - rows_of_tap(blocks)));
    return w->elsewhere ? nir_ior(b, bits, w->elsewhere) : bits;
}

/* 1 bit, uniform: a window of so many blocks has all texels. */
static nir_def *fits_into_window(const struct cpu_sample *s, const struct window *w, unsigned taps,
                                 unsigned blocks)
{
    return nir_vote_all(s->b, nir_ieq_imm(s->b, beyond_window(s, w, taps, blocks), 0));
}

/* Whether the tap's texel is in the i-th block along an axis. Compared with all bits of the block's
 * number: a test of one bit would be turned around, and permutations then merge in another step. */
static nir_def *in_block(nir_builder *b, const struct window *w, unsigned axis, unsigned tap,
                         unsigned i)
{
    nir_def *block = nir_iand_imm(b, w->distance[tap], axis ? 12 : 12 << 16);
    return nir_ieq_imm(b, block, axis ? i << 2 : i << 18);
}

/* A block's texels as words of 32 bits, each plane of them a vector. */
static void load_window_block(struct cpu_sample *s, nir_def *address, nir_def *column,
                              nir_def *plane[4])
{
    nir_builder *b = s->b;
    unsigned components, size, bytes = sample_desc(s)->block_bytes;

    cpu_texel_shape(s->key->format, &components, &size);
    nir_def *words = nir_load_global_block(b, components, size, address,
                                           nir_imul_imm(b, column, bytes), .align_mul = size / 8);
    for (unsigned c = 0; c < components; c++)
        plane[c] = nir_u2uN(b, nir_channel(b, words, c), 32);
}

/* 1 bit, uniform: the texels of each tap are in four rows, which begin anywhere, of two columns of blocks. */
static nir_def *fits_into_rows(nir_builder *b, const struct window *w, unsigned taps)
{
    nir_def *bits = w->from_row[0];

    if (taps > 1)
        bits = nir_ior(b, bits, w->from_row[1]);
    bits = nir_iand_imm(b, bits, 0xfff8fffc);
    if (w->elsewhere)
        bits = nir_ior(b, bits, w->elsewhere);
    return nir_vote_all(b, nir_ieq_imm(b, bits, 0));
}

/* look_into_slice where the texels of each tap are in four rows: these are made of blocks above each other
 * once for all lanes, and then one permutation is enough for a tap. */
static void look_into_rows(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                           unsigned taps, const struct window *w, nir_def *texel[4])
{
    nir_builder *b = s->b;
    unsigned planes, size;
    nir_def *block[2][2][4], *row[2][2][4], *word[4];

    cpu_texel_shape(s->key->format, &planes, &size);
    for (unsigned y = 0; y < 2; y++) {
        nir_def *texels = cpu_texel_row(b, level, window_block(s, level, w, 1, y));
        nir_def *bytes = nir_imul_imm(b, nir_u2u64(b, texels), sample_desc(s)->block_bytes);
        for (unsigned x = 0; x < 2; x++)
            load_window_block(s, nir_iadd(b, base, bytes),
                              cpu_texel_column(b, window_block(s, level, w, 0, x)), block[x][y]);
    }
    for (unsigned i = 0; i < taps; i++)
        for (unsigned x = 0; x < 2; x++)
            for (unsigned p = 0; p < planes; p++)
                row[i][x][p] = nir_rows_of_blocks(b, nir_vec2(b, block[x][0][p], block[x][1][p]),
                                                  nir_iadd_imm(b, w->first_row, i));
    for (unsigned i = 0; i < taps * taps; i++) {
        nir_def *index = nir_ior(b, nir_ushr_imm(b, w->from_row[i & 1], 14), w->from_row[i >> 1]);
        for (unsigned p = 0; p < planes; p++)
            word[p] = nir_lookup_lanes(b, nir_vec2(b, row[i >> 1][0][p], row[i >> 1][1][p]), index);
        texel[i] = nir_u2uN(b, nir_vec(b, word, planes), size);
    }
}

/* The texels of one slice, texel[x + 2 y]. */
static void look_into_slice(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                            unsigned taps, const struct window *w, unsigned blocks,
                            nir_def *texel[4])
{
    nir_builder *b = s->b;
    unsigned planes, size;
    nir_def *column[3], *word[4][4];

    cpu_texel_shape(s->key->format, &planes, &size);
    for (unsigned x = 0; x < blocks; x++)
        column[x] = cpu_texel_column(b, window_block(s, level, w, 0, x));
    for (unsigned y = 0; y < blocks; y++) {
        nir_def *row = cpu_texel_row(b, level, window_block(s, level, w, 1, y)), *block[3][4];
        nir_def *bytes = nir_imul_imm(b, nir_u2u64(b, row), sample_desc(s)->block_bytes);
        for (unsigned x = 0; x < blocks; x++)
            load_window_block(s, nir_iadd(b, base, bytes), column[x], block[x]);
        for (unsigned i = 0; i < taps * taps; i++) {
            nir_def *index = nir_ior(b, w->place[0][i & 1], w->place[1][i >> 1]);
            for (unsigned p = 0; p < planes; p++) {
                nir_def *pair = nir_vec2(b, block[0][p], block[1][p]);
                nir_def *value = nir_lookup_lanes(b, pair, index);
                if (blocks > 2)
                    value = nir_bcsel(b, in_block(b, w, 0, i & 1, 2),
                                      nir_lookup_lanes(b, block[2][p], index), value);
                word[i][p] =
                    y ? nir_bcsel(b, in_block(b, w, 1, i >> 1, y), value, word[i][p]) : value;
            }
        }
    }
    for (unsigned i = 0; i < taps * taps; i++)
        texel[i] = nir_u2uN(b, nir_vec(b, word[i], planes), size);
}

/* 1 bit, of a vector of words: the bit is set. */
static nir_def *has_bit(nir_builder *b, nir_def *word, uint32_t bit)
{
    return nir_ine_imm(b, nir_iand_imm(b, word, bit), 0);
}

/* Texels of columns 0, 1, 4, 5, 2, 3, 6 and 7 of a row of two blocks, whose columns 0 and 1 are in lanes 0 and 1
 * and columns 2 and 3 in lanes 4 and 5. */
static nir_def *join_row(struct cpu_sample *s, nir_def *left, nir_def *right)
{
    nir_builder *b = s->b;
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *second = has_bit(b, nir_load_subgroup_invocation(b), 2);
    cpu_kernel_leave_prologue(s->kb, place);
    return nir_bcsel(b, second, nir_quad_swap_vertical(b, right), left);
}

/* Row y of the window of half a block: of texels in it, those of each tap's column. */
static void look_into_row(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                          unsigned taps, const struct window *w, nir_def *y, nir_def *word[2])
{
    nir_builder *b = s->b;
    nir_def *block[2][4], *row = nir_u2u64(b, cpu_texel_row(b, level, y));

    row = nir_iadd(b, base, nir_imul_imm(b, row, sample_desc(s)->block_bytes));
    for (unsigned x = 0; x < 2; x++)
        load_window_block(s, row, w->column[x], block[x]);
    nir_def *joined = join_row(s, block[0][0], block[1][0]);
    for (unsigned i = 0; i < taps; i++)
        word[i] = nir_lookup_lanes(b, joined, w->place[0][i]);
}

static void words_to_texels(struct cpu_sample *s, nir_def *const *word, unsigned count,
                            nir_def **texel)
{
    unsigned components, size;

    cpu_texel_shape(s->key->format, &components, &size);
    for (unsigned i = 0; i < count; i++)
        texel[i] = nir_u2uN(s->b, word[i], size);
}

/* look_into_slice for half a block, of two rows for each tap: a row of blocks beside each other, from the first
 * column of each on, is permuted for both columns of taps, and lanes choose among rows. */
static void look_into_two_rows(struct cpu_sample *s, const struct cpu_level_def *level,
                               nir_def *base, unsigned taps, const struct window *w,
                               nir_def *texel[4])
{
    nir_builder *b = s->b;
    nir_def *last = nir_iadd_imm(b, level->height, -1), *word[3][2], *chosen[4];

    for (unsigned y = 0; y < taps + 1; y++)
        look_into_row(s, level, base, taps, w, nir_imin(b, nir_iadd_imm(b, w->origin[1], y), last),
                      word[y]);
    for (unsigned i = 0; i < taps * taps; i++) {
        unsigned x = i & 1, y = i >> 1;
        chosen[i] = nir_bcsel(b, has_bit(b, w->distance[y], 1), word[y + 1][x], word[y][x]);
    }
    words_to_texels(s, chosen, taps * taps, texel);
}

/* Of four rows for each tap: one after the other. */
static void look_into_rows_of_half(struct cpu_sample *s, const struct cpu_level_def *level,
                                   nir_def *base, unsigned taps, const struct window *w,
                                   nir_def *texel[4])
{
    nir_builder *b = s->b;
    nir_variable *word[4];
    nir_def *count =
        nir_imin(b, nir_isub(b, level->height, w->origin[1]), nir_imm_int(b, 3 + taps));
    nir_def *y, *value[2], *chosen[4];

    for (unsigned i = 0; i < taps * taps; i++) {
        word[i] = nir_local_variable_create(s->kb->impl, glsl_uint_type(), "texel");
        nir_store_var(b, word[i], nir_imm_int(b, 0), 1);
    }
    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &y);
    look_into_row(s, level, base, taps, w, nir_iadd(b, w->origin[1], y), value);
    for (unsigned i = 0; i < taps * taps; i++) {
        nir_def *row = nir_iadd_imm(b, nir_iand_imm(b, w->distance[i >> 1], 0xffff), i >> 1);
        nir_store_var(b, word[i],
                      nir_bcsel(b, nir_ieq(b, row, y), value[i & 1], nir_load_var(b, word[i])), 1);
    }
    cpu_end_count_loop(b, &loop, 1);
    for (unsigned i = 0; i < taps * taps; i++)
        chosen[i] = nir_load_var(b, word[i]);
    words_to_texels(s, chosen, taps * taps, texel);
}

/* blocks: 0: in four rows. */
static void look_into_window(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                             const struct window *w, unsigned blocks, nir_def *texel[8])
{
    for (unsigned z = 0; z < (s->dims > 2 ? taps : 1); z++) {
        if (!s->kb->block && blocks == 2)
            look_into_two_rows(s, level, w->base[z], taps, w, texel + 4 * z);
        else if (!s->kb->block)
            look_into_rows_of_half(s, level, w->base[z], taps, w, texel + 4 * z);
        else if (blocks)
            look_into_slice(s, level, w->base[z], taps, w, blocks, texel + 4 * z);
        else
            look_into_rows(s, level, w->base[z], taps, w, texel + 4 * z);
    }
}

static void gather_footprint(struct cpu_sample *s, const struct footprint *f, unsigned count,
                             nir_def *texel[8])
{
    for (unsigned i = 0; i < count; i++)
        texel[i] = gather_texel(s, f, i);
}

static void fetch_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                            struct footprint *f)
{
    nir_builder *b = s->b;
    unsigned taps = linear ? 2 : 1, count = linear ? 1u << s->dims : 1;
    unsigned first = linear && !s->minified ? 0 : 1, behind = linear && s->minified ? 3 : 2;
    nir_def *near[3][8];
    struct window w;

    if (!cpu_sample_may_use_window(s, linear)) {
        gather_footprint(s, f, count, f->texel);
        return;
    }
    if (!s->kb->block) { /* two rows for each tap, or four */
        first = 1;
        behind = 3;
    }
    locate_window(s, level, f, taps, &w);
    for (unsigned n = first; n < behind; n++) {
        nir_push_if(b, n ? fits_into_window(s, &w, taps, n + 1) : fits_into_rows(b, &w, taps));
        look_into_window(s, level, taps, &w, n ? n + 1 : 0, near[n]);
        nir_push_else(b, NULL);
    }
    gather_footprint(s, f, count, f->texel);
    for (unsigned n = behind; n-- > first;) {
        nir_pop_if(b, NULL);
        for (unsigned i = 0; i < count; i++)
            f->texel[i] = nir_if_phi(b, near[n][i], f->texel[i]);
    }
}

/* Channel values of one texel, the border's where it lies outside. */
static void footprint_values(struct cpu_sample *s, const struct footprint *f, unsigned x,
                             unsigned y, unsigned z, nir_def *channel[4])
{
    const unsigned position[3] = {x, y, z};
    nir_def *outside = NULL;

    decode_texel(s, f->texel[x + 2 * y + 4 * z], channel);
    for (unsigned a = 0; a < s->dims; a++) {
        nir_def *o = f->axis[a].outside[position[a]];
        if (o)
            outside = outside ? nir_ior(s->b, outside, o) : o;
    }
    if (outside)
        apply_border(s, outside, channel);
}

nir_def *cpu_sample_reduce(const struct cpu_sample *s, nir_def *x, nir_def *y)
{
    return s->key->reduction == DRV_REDUCTION_MIN ? nir_fmin(s->b, x, y) : nir_fmax(s->b, x, y);
}

nir_def *cpu_sample_mix(const struct cpu_sample *s, nir_def *x, nir_def *y, nir_def *weight)
{
    nir_builder *b = s->b;
    if (s->key->reduction == DRV_REDUCTION_AVERAGE)
        return nir_fadd(b, x, nir_fmul(b, nir_fsub(b, y, x), weight));
    nir_def *some = nir_flt(b, nir_imm_float(b, 0.0f), weight);
    nir_def *all = nir_fge(b, weight, nir_imm_float(b, 1.0f));
    nir_def *both = nir_bcsel(b, all, y, cpu_sample_reduce(s, x, y));
    return nir_bcsel(b, some, both, x);
}

/* How much of the second of two texels counts: the weight in 256ths, or, if it is below 256, for both
 * halves of words in 2^-15ths. */
struct share {
    nir_def *weight, *halves;
};

/* Of a weight in a word's low byte. */
static struct share share_below_one(nir_builder *b, nir_def *weight)
{
    nir_def *high = nir_ishl_imm(b, weight, 23),
            *both = nir_ior(b, high, nir_ushr_imm(b, high, 16));
    return (struct share){NULL, nir_iand_imm(b, both, 0x7f807f80)};
}

/* x + (y - x) * weight / 256, rounded to the nearest, halves up, of the 8-bit channels in the two
 * halves of words. The halves' differences may borrow from each other: the sum has them right again. */
static nir_def *lerp_halves(nir_builder *b, nir_def *x, nir_def *y, const struct share *share)
{
    if (share->halves)
        return nir_lerp_2x16(b, x, y, share->halves);
    nir_def *sum =
        nir_iadd(b, nir_ishl_imm(b, x, 8), nir_imul(b, nir_isub(b, y, x), share->weight));
    return nir_iand_imm(b, nir_ushr_imm(b, nir_iadd_imm(b, sum, 0x00800080), 8), 0x00ff00ff);
}

/* Channels 0 and 2 of a packed texel, or 1 and 3. */
static nir_def *word_halves(nir_builder *b, nir_def *word, unsigned odd)
{
    return nir_iand_imm(b, odd ? nir_ushr_imm(b, word, 8) : word, 0x00ff00ff);
}

/* From a float weight: 256 may come out. */
static struct share rounded_share(nir_builder *b, nir_def *weight)
{
    return (struct share){cpu_nir_round_small(b, nir_fmul_imm(b, weight, 256.0), 9), NULL};
}

/* The same in 2^-15ths, for halves that use 15 bits. */
static struct share fine_share(nir_builder *b, nir_def *weight)
{
    nir_def *share = cpu_nir_round_small(b, nir_fmul_imm(b, weight, 0x7fff), 15);
    return (struct share){NULL, nir_ior(b, share, nir_ishl_imm(b, share, 16))};
}

static struct share axis_share(const struct cpu_sample *s, const struct axis_texels *axis)
{
    if (axis->fixed)
        return share_below_one(s->b, axis->fixed);
    return s->packing == CPU_PACKED_BYTES ? rounded_share(s->b, axis->weight)
                                          : fine_share(s->b, axis->weight);
}

/* Words that have a texel's channels in halves: of one channel one is enough. */
static unsigned num_halves(const struct cpu_sample *s)
{
    return sample_desc(s)->nr_channels > 1 ? 2 : 1;
}

/* Values that a texel is filtered as. */
static unsigned values_of_tap(const struct cpu_sample *s)
{
    return s->packing ? num_halves(s) : 4;
}

static void split_halves(const struct cpu_sample *s, nir_def *const value[4], nir_def *half[2])
{
    for (unsigned odd = 0; odd < num_halves(s); odd++)
        half[odd] = s->packing == CPU_PACKED_BYTES ? word_halves(s->b, value[0], odd) : value[odd];
}

static void join_halves(const struct cpu_sample *s, nir_def *half[2], nir_def *value[4])
{
    nir_builder *b = s->b;
    bool both = num_halves(s) > 1;

    value[0] = half[0];
    if (s->packing == CPU_PACKED_HALVES)
        value[1] = both ? half[1] : nir_imm_int(b, 0);
    else if (both)
        value[0] = nir_ior(b, half[0], nir_ishl_imm(b, half[1], 8));
}

/* Of sRGB, where parabolas decode it: for 16 lanes all bytes of a word are looked up at once
 * (jit_srgb.c). */
static bool decodes_in_pairs(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_HALVES && sample_desc(s)->colorspace == DRV_COLORSPACE_SRGB &&
           s->kb->lanes < 16;
}

/* A fetched texel as a packed value. */
static void pack_texel(const struct cpu_sample *s, nir_def *texel, nir_def *value[4])
{
    nir_def *word = texel->bit_size == 32 ? texel : nir_u2u32(s->b, texel);
    if (s->packing == CPU_PACKED_BYTES)
        value[0] = word;
    else
        cpu_nir_unpack_halves(s->b, s->key->format, word, value);
}

/* A linear filter, axis after axis, of what a texel is filtered as, value[x + 2 y + 4 z]: halves of a packed
 * one, else channels. */
static void mix_taps(const struct cpu_sample *s, const struct axis_texels *axis,
                     nir_def *value[8][4], nir_def *mixed[4])
{
    for (unsigned a = 0; a < s->dims; a++) {
        struct share share = s->packing ? axis_share(s, &axis[a]) : (struct share){NULL};
        for (unsigned i = 0; i < 1u << (s->dims - a - 1); i++)
            for (unsigned c = 0; c < values_of_tap(s); c++)
                value[i][c] =
                    s->packing
                        ? lerp_halves(s->b, value[2 * i][c], value[2 * i + 1][c], &share)
                        : cpu_sample_mix(s, value[2 * i][c], value[2 * i + 1][c], axis[a].weight);
    }
    if (s->packing)
        join_halves(s, value[0], mixed);
    else
        memcpy(mixed, value[0], sizeof value[0]);
}

/* What texels, an even number, are filtered as. */
static void split_texels(struct cpu_sample *s, nir_def *const *texel, unsigned count,
                         nir_def *value[][4])
{
    nir_builder *b = s->b;

    for (unsigned i = 0; i < count; i++) {
        nir_def *packed[4], *half[2][2];
        if (!s->packing) {
            decode_texel(s, texel[i], value[i]);
        } else if (!decodes_in_pairs(s)) {
            pack_texel(s, texel[i], packed);
            split_halves(s, packed, value[i]);
        } else if (i & 1) {
            nir_def *const word[2] = {nir_u2uN(b, texel[i - 1], 32), nir_u2uN(b, texel[i], 32)};
            cpu_nir_unpack_two_srgb(b, s->key->format, word, half);
            for (unsigned j = 0; j < 2; j++)
                memcpy(value[i - 1 + j], half[j], sizeof half[j]);
        }
    }
}

void cpu_sample_unpack(const struct cpu_sample *s, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *word = channel[0];

    if (s->packing == CPU_PACKED_HALVES) {
        nir_def *const half[2] = {channel[0], channel[1]};
        cpu_nir_halves_to_floats(b, s->key->format, half, channel);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        if (c >= sample_desc(s)->nr_channels) {
            channel[c] = nir_imm_int(b, 0);
            continue;
        }
        nir_def *bits = c ? nir_ushr_imm(b, word, 8 * c) : word;
        bits = c < 3 ? nir_iand_imm(b, bits, 0xff) : bits;
        channel[c] = nir_fmul_imm(b, nir_i2f32(b, bits), 1.0f / 255.0f);
    }
}

static bool has_byte_channels(const struct drv_format_desc *desc)
{
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        if (desc->channel[i].bits != 8 || desc->channel[i].shift != 8 * i)
            return false;
    }
    return desc->colorspace == DRV_COLORSPACE_RGB;
}

enum cpu_packing cpu_sample_packing(const struct cpu_sample *s)
{
    const struct cpu_sampler_key *key = s->key;

    if (!cpu_format_has_halves(key->format) || key->reduction || !reads_no_border(s))
        return CPU_UNPACKED;
    if (key->min_filter != DRV_FILTER_LINEAR && key->mag_filter != DRV_FILTER_LINEAR &&
        key->mip_filter != DRV_MIP_LINEAR)
        return CPU_UNPACKED;
    return has_byte_channels(sample_desc(s)) ? CPU_PACKED_BYTES : CPU_PACKED_HALVES;
}

static void filter_linear(struct cpu_sample *s, const struct footprint *f, nir_def *channel[4])
{
    const unsigned count = 1u << s->dims;
    nir_def *value[8][4];

    if (s->packing) {
        split_texels(s, f->texel, count, value);
    } else {
        for (unsigned i = 0; i < count; i++)
            footprint_values(s, f, i & 1, i >> 1 & 1, i >> 2, value[i]);
    }
    mix_taps(s, f->axis, value, channel);
}

static void filter_footprint(struct cpu_sample *s, const struct footprint *f, bool linear,
                             nir_def *channel[4])
{
    if (!linear && s->packing)
        pack_texel(s, f->texel[0], channel);
    else if (!linear)
        footprint_values(s, f, 0, 0, 0, channel);
    else
        filter_linear(s, f, channel);
}

/* ------------------------------------------------------------------------ shared decoding --- */

/* Half a block whose texels are not minified reads at most five columns and three rows of them, each texel for
 * several lanes. Where decoding takes long, as it does of sRGB, it is done before lanes choose. */
static bool may_share_decoding(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_HALVES && sample_desc(s)->colorspace == DRV_COLORSPACE_SRGB &&
           !s->kb->block && s->kb->lanes == 8 && !s->minified && cpu_sample_may_use_window(s, true);
}

static void locate_near(struct cpu_sample *s, const struct cpu_level_def *level,
                        const struct footprint *f, struct window *w)
{
    nir_builder *b = s->b;
    nir_def *least = nir_min_2x16(b, f->pair[0]);
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b);
    nir_def *const column[2] = {nir_imin(b, lane, nir_imm_int(b, 4)), nir_iand_imm(b, lane, 3)};
    cpu_kernel_leave_prologue(s->kb, place);

    choose_slices(s, level, f, 2, w);
    nir_def *x = nir_ushr_imm(b, least, 16), *from_block = nir_iand_imm(b, x, 3);
    w->origin[0] = nir_iand_imm(b, x, ~3u);
    w->origin[1] = nir_iand_imm(b, least, 0xffff);
    for (unsigned i = 0; i < 2; i++) { /* what borrows from the other half fits nowhere */
        w->distance[i] = nir_isub(b, f->pair[i], nir_iadd_imm(b, least, i * 0x10001));
        w->place[0][i] =
            nir_lookup_lanes(b, window_places(s, 0), nir_iadd(b, from_block, column[i]));
        w->column[i] = cpu_texel_column(b, window_block(s, level, w, 0, i));
    }
}

/* 1 bit, uniform: each tap's texels are in four columns and two rows, the second taps' begin one later. */
static nir_def *shares_decoding(struct cpu_sample *s, const struct window *w)
{
    nir_builder *b = s->b;
    nir_def *bits = nir_iand_imm(b, nir_ior(b, w->distance[0], w->distance[1]), 0xfffcfffe);

    if (w->elsewhere)
        bits = nir_ior(b, bits, w->elsewhere);
    return nir_vote_all(b, nir_ieq_imm(b, bits, 0));
}

/* In two vectors: of columns 0 … 3 rows 0 and 1; row 2, and column 4 of all rows. */
static void decode_near(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                        const struct window *w, nir_def *value[2][4])
{
    nir_builder *b = s->b;
    nir_def *last = nir_iadd_imm(b, level->height, -1), *word[3][2];
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *upper = has_bit(b, lane, 4);
    nir_def *first = nir_ieq_imm(b, lane, 4), *second = nir_ieq_imm(b, lane, 5);
    cpu_kernel_leave_prologue(s->kb, place);

    /* of row 1 also as lanes 4 to 7 of the first vector want it */
    for (unsigned y = 0; y < 3; y++)
        look_into_row(s, level, base, y == 1 ? 2 : 1, w,
                      nir_imin(b, nir_iadd_imm(b, w->origin[1], y), last), word[y]);
    nir_def *const texel[2] = {
        nir_bcsel(b, upper, word[1][1], word[0][0]),
        nir_bcsel(b, first, word[0][0], nir_bcsel(b, second, word[1][0], word[2][0])),
    };
    split_texels(s, texel, 2, value);
}

/* Where decode_near has, for column x + i mod 4 and row y + i / 4, what lane i is to get. */
static nir_def *near_places(struct cpu_sample *s, unsigned x, unsigned y)
{
    nir_builder *b = s->b;
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *index = nir_iadd_imm(b, lane, x + 4 * y);
    nir_def *behind = nir_iadd_imm(b, nir_ushr_imm(b, lane, 2), 12 + y);
    if (x)
        index = nir_bcsel(b, nir_ieq_imm(b, nir_iand_imm(b, lane, 3), 3), behind, index);
    cpu_kernel_leave_prologue(s->kb, place);
    return index;
}

static void filter_near(struct cpu_sample *s, const struct cpu_level_def *level,
                        const struct footprint *f, const struct window *w, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *value[8][4], *near[2][4];

    for (unsigned i = 0; i < 1u << s->dims; i++) {
        unsigned x = i & 1, y = i >> 1 & 1;
        if (!(i & 3))
            decode_near(s, level, w->base[i >> 2], w, near);
        nir_def *index =
            nir_ior(b, nir_ushr_imm(b, w->distance[x], 16), nir_ishl_imm(b, w->distance[y], 2));
        for (unsigned c = 0; c < num_halves(s); c++) {
            nir_def *row = near[0][c];
            if (i & 3)
                row = nir_lookup_lanes(b, nir_vec2(b, row, near[1][c]), near_places(s, x, y));
            value[i][c] = nir_lookup_lanes(b, row, index);
        }
    }
    mix_taps(s, f->axis, value, channel);
}

static void filter_each(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                        struct footprint *f, nir_def *channel[4])
{
    if (linear && filters_rows(s)) {
        filter_rows(s, f, channel);
        return;
    }
    fetch_footprint(s, level, linear, f);
    filter_footprint(s, f, linear, channel);
}

/* Of a footprint that does not cross edges. */
static void filter_inside(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct footprint *f, nir_def *channel[4])
{
    nir_def *near[4];
    struct window w;

    if (!linear || !may_share_decoding(s)) {
        filter_each(s, level, linear, f, channel);
        return;
    }
    locate_near(s, level, f, &w);
    nir_push_if(s->b, shares_decoding(s, &w));
    filter_near(s, level, f, &w, near);
    nir_push_else(s->b, NULL);
    filter_each(s, level, linear, f, channel);
    nir_pop_if(s->b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(s->b, near[c], channel[c]);
}

/* ------------------------------------------------------------------------- seamless cubes --- */

/* Texel number i of the four around a point near a face's edge. */
static nir_def *seamless_texel(struct cpu_sample *s, const struct cpu_level_def *level,
                               const struct footprint *f, unsigned i)
{
    nir_builder *b = s->b;
    nir_def *x = f->axis[0].unclamped[i & 1], *y = f->axis[1].unclamped[i >> 1], *face;

    cpu_cube_neighbor(b, s->face, level->width, &x, &y, &face);
    nir_def *layer = s->cube_layer ? nir_iadd(b, s->cube_layer, face) : face;
    nir_def *texel = nir_iadd(b, cpu_texel_column(b, x), cpu_texel_row(b, level, y));
    return load_texel(s, level_base(s, level, layer), texel);
}

static void seamless_values(struct cpu_sample *s, const struct cpu_level_def *level,
                            const struct footprint *f, nir_def *values[4][4])
{
    for (unsigned i = 0; i < 4; i++)
        decode_texel(s, seamless_texel(s, level, f, i), values[i]);
}

static void filter_across_edges(struct cpu_sample *s, const struct cpu_level_def *level,
                                const struct footprint *f, nir_def *channel[4])
{
    nir_def *texel[4], *value[8][4];

    for (unsigned i = 0; i < 4; i++)
        texel[i] = seamless_texel(s, level, f, i);
    split_texels(s, texel, 4, value);
    mix_taps(s, f->axis, value, channel);
}

/* 1 bit: the footprint crosses an edge of the face. */
static nir_def *crosses_edge(struct cpu_sample *s, const struct cpu_level_def *level,
                             const struct footprint *f)
{
    nir_builder *b = s->b;
    nir_def *crosses = NULL;

    for (unsigned a = 0; a < 2; a++) {
        for (unsigned i = 0; i < 2; i++) {
            nir_def *outside = nir_uge(b, f->axis[a].unclamped[i], level->width);
            crosses = crosses ? nir_ior(b, crosses, outside) : outside;
        }
    }
    return crosses;
}

static void filter_seamless(struct cpu_sample *s, const struct cpu_level_def *level,
                            struct footprint *f, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *across[4], *inside[4];

    nir_push_if(b, crosses_edge(s, level, f));
    filter_across_edges(s, level, f, across);
    nir_push_else(b, NULL);
    filter_inside(s, level, true, f, inside);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(b, across[c], inside[c]);
}

/* ------------------------------------------------------------------------------- entries --- */

void cpu_sample_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                       nir_def *channel[4])
{
    struct footprint f = {{{{NULL}}}};

    linear &= !cpu_sample_is_integer(s);
    locate_footprint(s, level, linear, &f);
    if (f.axis[0].unclamped[0]) {
        filter_seamless(s, level, &f, channel);
        return;
    }
    filter_inside(s, level, linear, &f, channel);
}

/* weight: in 256ths, an integer. */
static void mix_packed(const struct cpu_sample *s, nir_def *const value[4], nir_def *const next[4],
                       nir_def *weight, nir_def *mixed[4])
{
    struct share share = share_below_one(s->b, weight);
    nir_def *half[2][2];

    split_halves(s, value, half[0]);
    split_halves(s, next, half[1]);
    for (unsigned odd = 0; odd < num_halves(s); odd++)
        half[0][odd] = lerp_halves(s->b, half[0][odd], half[1][odd], &share);
    join_halves(s, half[0], mixed);
}

void cpu_sample_mix_levels(struct cpu_sample *s, nir_def *const channel[4], nir_def *const next[4],
                           nir_def *share, nir_def *mixed[4])
{
    if (s->packing) {
        mix_packed(s, channel, next, share, mixed);
        return;
    }
    nir_def *some = nir_flt(s->b, nir_imm_float(s->b, 0.0f), share);
    /* infinities and -0 stay what they are where the next level has no share */
    for (unsigned c = 0; c < 4; c++)
        mixed[c] = nir_bcsel(s->b, some, cpu_sample_mix(s, channel[c], next[c], share), channel[c]);
}

void cpu_sample_begin_two_levels(struct cpu_sample *s, const struct cpu_level_def level[2],
                                 bool linear, nir_def *differs, nir_def *share, nir_def *mixed[4])
{
    nir_builder *b = s->b;
    unsigned taps = linear ? 2 : 1;
    struct footprint f[2] = {0};
    struct window w[2];
    nir_def *channel[2][4];

    for (unsigned i = 0; i < 2; i++) {
        locate_footprint(s, &level[i], linear, &f[i]);
        locate_window(s, &level[i], &f[i], taps, &w[i]);
        differs = nir_ior(b, differs, beyond_window(s, &w[i], taps, 3 - i));
    }
    nir_push_if(b, nir_vote_all(b, nir_ieq_imm(b, differs, 0)));
    for (unsigned i = 0; i < 2; i++) {
        look_into_window(s, &level[i], taps, &w[i], 3 - i, f[i].texel);
        filter_footprint(s, &f[i], linear, channel[i]);
    }
    cpu_sample_mix_levels(s, channel[0], channel[1], share, mixed);
    nir_push_else(b, NULL);
}

/* GL 4.6 §8.14.1: texels (i0, j1), (i1, j1), (i1, j0), (i0, j0) */
void cpu_sample_gather(struct cpu_sample *s, const struct cpu_level_def *level, unsigned component,
                       nir_def *result[4])
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    struct footprint f = {{{{NULL}}}};
    nir_def *values[4][4], *rgba[4];

    locate_footprint(s, level, true, &f);
    if (f.axis[0].unclamped[0]) {
        seamless_values(s, level, &f, values);
    } else {
        fetch_footprint(s, level, true, &f);
        for (unsigned i = 0; i < 4; i++)
            footprint_values(s, &f, i & 1, i >> 1, 0, values[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        cpu_sample_swizzle(s, values[order[i]], rgba);
        result[i] = s->compare ? values[order[i]][0] : rgba[component];
    }
}

void cpu_sample_fetch(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *texel = cpu_texel_column(b, s->coord[0]);

    if (s->dims > 1)
        texel = nir_iadd(b, texel, cpu_texel_row(b, level, s->coord[1]));
    nir_def *layer = s->dims > 2 ? s->coord[2] : s->layer;
    decode_texel(s, load_texel(s, level_base(s, level, layer), texel), channel);
}

void cpu_sample_fetch_buffer(struct cpu_sample *s, const struct cpu_level_def *level,
                             nir_def *channel[4])
{
    decode_texel(s, load_texel(s, level->base, s->coord[0]), channel);
}
