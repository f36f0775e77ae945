/* SPDX-License-Identifier: MIT */
/*
 * Computes which texels of a level a filter reads: wrap modes (GL 4.6 §8.14.2), weights and
 * addresses. Where possible, coordinates are fixed-point numbers, and those of both axes share a
 * word.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

/* Fixed-point coordinates have 8 fraction bits. */
#define FIXED_ONE  256.0 /* a texel */
#define HALF_TEXEL 128
/* Adding 2^23 to a float in [0, 2^23) leaves its integer part in the low bits of the mantissa. */
#define INTEGER_IN_MANTISSA 0x1p23
/* The bits of 2^23 as a float: exponent without mantissa. */
#define INTEGER_IN_MANTISSA_BITS 0x4b000000
/* How far coordinates with offsets may lie outside the edges: 128 texels in fixed point. */
#define OFFSET_MARGIN 0x1p15f
/* Texels added to coordinates with constant offsets: a multiple of all power-of-two sizes. */
#define OFFSET_BIAS (1 << 14)

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

/* Returns x, clamped to lo and hi; lo for NaN. If lo is a constant, the maximum is a number, which
 * needs no test for NaN as the second source of fmin. */
static nir_def *clamp_float(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi)
{
    return nir_fmin(b, hi, nir_fmax(b, x, lo));
}

/* Returns the coordinate in texels, minus half a texel for linear filters. */
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
    /* index is in [-1, size] */
    index = nir_bcsel(b, nir_ilt_imm(b, index, 0), last, index);
    return nir_bcsel(b, nir_ilt(b, last, index), nir_imm_int(b, 0), index);
}

static struct cpu_axis_texels wrap_repeat(struct cpu_sample *s, unsigned axis, nir_def *size,
                                          nir_def *size_f, bool linear)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
    nir_def *u = s->coord[axis];

    if (!is_power_of_two(s, axis))
        u = nir_fsub(b, u, nir_ffloor(b, u));
    nir_def *x = scaled_coordinate(s, axis, u, size_f, linear, true);
    nir_def *floor = nir_ffloor(b, x);
    t.unwrapped = nir_f2i32_in_range(b, floor);
    t.index[0] = wrap_repeat_index(s, axis, t.unwrapped, size);
    if (linear) {
        t.weight = nir_fsub(b, x, floor);
        t.index[1] = wrap_repeat_index(s, axis, nir_iadd_imm(b, t.unwrapped, 1), size);
    }
    return t;
}

/* Returns whether a linear filter reads the border color in this mode. */
static bool may_read_border(unsigned wrap)
{
    return wrap == DRV_WRAP_CLAMP || wrap == DRV_WRAP_MIRROR_CLAMP ||
           wrap == DRV_WRAP_CLAMP_TO_BORDER || wrap == DRV_WRAP_MIRROR_CLAMP_TO_BORDER;
}

bool cpu_reads_no_border(const struct cpu_sample *s)
{
    for (unsigned a = 0; a < s->dims; a++)
        if (may_read_border(wrap_mode(s, a)))
            return false;
    return true;
}

/* Reduces the mirrored modes to the clamped ones. */
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

static struct cpu_axis_texels wrap_to_edge(struct cpu_sample *s, nir_def *x, nir_def *size,
                                           nir_def *size_f, bool linear)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
    nir_def *last = nir_iadd_imm(b, size, -1), *zero = nir_imm_int(b, 0);

    if (s->tex->op == nir_texop_tg4) { /* textureGather returns texels with weight zero, too */
        x = clamp_float(b, x, nir_imm_float(b, -1.0f), size_f);
        nir_def *index = nir_f2i32_in_range(b, nir_ffloor(b, x));
        for (unsigned i = 0; i < 2; i++)
            t.index[i] = nir_imin(b, nir_imax(b, nir_iadd_imm(b, index, i), zero), last);
        return t;
    }
    x = clamp_float(b, x, nir_imm_float(b, 0.0f), nir_fadd_imm(b, size_f, -1.0));
    t.index[0] = t.unwrapped = nir_f2i32_in_range(b, x); /* not negative, so truncation is floor */
    if (linear) {
        t.weight = nir_fsub(b, x, nir_ffloor(b, x));
        t.index[1] = nir_imin(b, nir_iadd_imm(b, t.index[0], 1), last);
    }
    return t;
}

static struct cpu_axis_texels wrap_to_border(struct cpu_sample *s, nir_def *x, nir_def *size,
                                             nir_def *size_f, bool linear, bool mirrored)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
    nir_def *zero = nir_imm_int(b, 0), *last = nir_iadd_imm(b, size, -1);

    /* both gathered texels may lie before the first; the second one also if its weight is zero */
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

/* Computes the texels of textureGather for mirrored modes. Each of the two texels is mirrored
 * separately (GL 4.6 table 8.23), so their order may be reversed; a mirrored coordinate would keep
 * it. */
static struct cpu_axis_texels gather_mirrored(struct cpu_sample *s, unsigned axis, unsigned wrap,
                                              nir_def *size, nir_def *size_f)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
    nir_def *u = s->coord[axis], *last = nir_iadd_imm(b, size, -1);
    bool repeat = wrap == DRV_WRAP_MIRROR_REPEAT;

    if (repeat)
        u = nir_fsub(b, u, nir_fmul_imm(b, nir_ffloor(b, nir_fmul_imm(b, u, 0.5)), 2.0));
    nir_def *x = scaled_coordinate(s, axis, u, size_f, true, true);
    if (!repeat) { /* GL_MIRROR_CLAMP_EXT reads at most one texel of the border */
        float margin = wrap == DRV_WRAP_MIRROR_CLAMP ? -0.5f : 1.0f;
        nir_def *most = nir_fadd_imm(b, size_f, margin);
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
            n = nir_imax(b, n, nir_inot(b, n)); /* ~n is -1 - n */
        }
        if (may_read_border(wrap))
            t.outside[i] = nir_uge(b, n, size);
        t.index[i] = nir_imin(b, n, last);
    }
    return t;
}

/* Computes the texels on a face of a seamless cube; they may lie across its edges. */
static struct cpu_axis_texels wrap_seamless(struct cpu_sample *s, nir_def *x, nir_def *size,
                                            nir_def *size_f)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
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

/* Returns whether the mode has a shorter implementation in fixed point with 8 fraction bits, which
 * is exact enough where weights are in units of 1/256. */
static bool wraps_in_fixed_point(const struct cpu_sample *s, unsigned axis, unsigned wrap)
{
    if (!s->packing && !s->fixed_point_pcf)
        return false;
    if (wrap == DRV_WRAP_REPEAT)
        return !s->key->unnormalized && (!s->offset[axis] || is_power_of_two(s, axis));
    return wrap == DRV_WRAP_CLAMP_TO_EDGE && !(s->face && s->key->seamless);
}

static bool repeats_powers_of_two(const struct cpu_sample *s, unsigned axis)
{
    return wrap_mode(s, axis) == DRV_WRAP_REPEAT && is_power_of_two(s, axis);
}

/* Returns the number of texels that is added to a coordinate to keep it from becoming negative; 0
 * if it is clamped. */
static unsigned coordinate_bias(const struct cpu_sample *s, unsigned axis)
{
    return wrap_mode(s, axis) == DRV_WRAP_REPEAT || s->offset[axis] ? 1 << 8 : 0;
}

/* Returns a fixed-point coordinate, minus half a texel. The low byte is the fraction in 1/256,
 * rounded; the 15 bits above are the texel. NaN becomes an unspecified texel. Offsets are added to
 * indices later, so that fetches that differ only in them share this code.
 * If the axis repeats and has a power-of-two size, the result is an integer whose higher bits are
 * ignored; out of integer range, a float has no fraction bits left anyway. Otherwise the result is
 * the bits of a float between 2^23 and 2^24, with sign and exponent above the texel, and includes
 * coordinate_bias(). */
static nir_def *fixed_coordinate(struct cpu_sample *s, unsigned axis, nir_def *scale)
{
    nir_builder *b = s->b;
    nir_def *u = s->coord[axis];

    if (repeats_powers_of_two(s, axis))
        return nir_iadd_imm(b, nir_f2i32_rtne_in_range(b, nir_fmul(b, u, scale)), -HALF_TEXEL);
    if (wrap_mode(s, axis) == DRV_WRAP_REPEAT) {
        u = nir_fmul(b, nir_fsub(b, u, nir_ffloor(b, u)), scale);
    } else { /* allow coordinates outside the edges only as far as offsets can bring them back */
        float margin = s->offset[axis] ? -OFFSET_MARGIN : HALF_TEXEL;
        u = s->key->unnormalized ? nir_fmul_imm(b, u, FIXED_ONE) : nir_fmul(b, u, scale);
        u = clamp_float(b, u, nir_imm_float(b, margin), nir_fadd_imm(b, scale, -margin));
    }
    return nir_fadd_imm(b, u,
                        INTEGER_IN_MANTISSA + coordinate_bias(s, axis) * FIXED_ONE - HALF_TEXEL);
}

static nir_def *level_scale(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis)
{
    return axis < 2 ? level->scale[axis]
                    : nir_fmul_imm(s->b, nir_i2f32(s->b, cpu_level_size(level, axis)), FIXED_ONE);
}

static struct cpu_axis_texels wrap_fixed(struct cpu_sample *s, const struct cpu_level_def *level,
                                         unsigned axis, unsigned wrap)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
    nir_def *size = cpu_level_size(level, axis), *offset = s->offset[axis];
    nir_def *last = nir_iadd_imm(b, size, -1);

    t.fixed = fixed_coordinate(s, axis, level_scale(s, level, axis));
    t.index[0] = nir_ushr_imm(b, t.fixed, 8);
    if (!repeats_powers_of_two(s, axis)) /* otherwise the bits above the index are ignored */
        t.index[0] = nir_iadd_imm(
            b, t.index[0], -((INTEGER_IN_MANTISSA_BITS >> 8) + (int)coordinate_bias(s, axis)));
    if (offset)
        t.index[0] = nir_iadd(b, t.index[0], offset);
    t.index[1] = nir_iadd_imm(b, t.index[0], 1);
    t.consecutive = wrap == DRV_WRAP_REPEAT || !offset;
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

struct cpu_axis_texels cpu_wrap_axis(struct cpu_sample *s, const struct cpu_level_def *level,
                                     unsigned axis, bool linear)
{
    nir_builder *b = s->b;
    unsigned wrap = wrap_mode(s, axis);
    nir_def *size = cpu_level_size(level, axis), *size_f = nir_i2f32(b, size);
    bool mirrors = wrap == DRV_WRAP_MIRROR_REPEAT || wrap >= DRV_WRAP_MIRROR_CLAMP;

    if (linear && wraps_in_fixed_point(s, axis, wrap))
        return wrap_fixed(s, level, axis, wrap);
    if (wrap == DRV_WRAP_REPEAT)
        return wrap_repeat(s, axis, size, size_f, linear);
    if (mirrors && s->tex->op == nir_texop_tg4)
        return gather_mirrored(s, axis, wrap, size, size_f);

    nir_def *u = mirror(s, axis, wrap, size_f);
    bool clamp = wrap == DRV_WRAP_CLAMP || wrap == DRV_WRAP_MIRROR_CLAMP;
    if (clamp && linear) /* GL_CLAMP: half of the border color at the edge */
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

nir_def *cpu_wrap_index(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis,
                        nir_def *index)
{
    nir_def *size = cpu_level_size(level, axis);
    if (wrap_mode(s, axis) == DRV_WRAP_REPEAT)
        return wrap_repeat_index(s, axis, index, size);
    return nir_imin(s->b, index, nir_iadd_imm(s->b, size, -1));
}

/* Returns whether axes 0 and 1 wrap in ways that pairs support, so that one instruction handles
 * both. */
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

/* Returns a pair with the last texel of each axis that repeats (or doesn't, as `repeating` says),
 * and the highest coordinate for the other axis. */
static nir_def *last_texels(struct cpu_sample *s, const struct cpu_level_def *level, bool repeating)
{
    nir_builder *b = s->b;
    nir_def *half[2];

    for (unsigned a = 0; a < 2; a++)
        half[a] = repeats_powers_of_two(s, a) == repeating
                      ? nir_iadd_imm(b, cpu_level_size(level, a), -1)
                      : nir_imm_int(b, 0x7fff);
    return nir_ior(b, nir_ishl_imm(b, half[0], 16), half[1]);
}

/* Computes f->pair_offset from constant offsets. OFFSET_BIAS keeps the sums non-negative. */
static void note_offsets(struct cpu_sample *s, nir_def *last, struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    nir_src *offset = &s->tex->src[nir_tex_instr_src_index(s->tex, nir_tex_src_offset)].src;
    uint32_t move = 0;

    if (!nir_src_is_const(*offset))
        return;
    for (unsigned a = 0; a < 2; a++) {
        uint32_t texels =
            s->offset[a] ? OFFSET_BIAS + (uint32_t)nir_src_comp_as_int(*offset, a) : 0;
        move += texels << (a ? 0 : 16);
    }
    f->unoffset_pair = nir_iand(b, f->pair[0], last);
    f->pair_offset = nir_imm_int(b, (int)move);
    f->pair_mask = last;
}

/* Does the work of wrap_fixed() for both axes at once. */
static void wrap_pair(struct cpu_sample *s, const struct cpu_level_def *level,
                      struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    bool repeats = false, clamps = false;
    nir_def *offset = NULL;

    for (unsigned a = 0; a < 2; a++) {
        f->axis[a].fixed = fixed_coordinate(s, a, level_scale(s, level, a));
        f->axis[a].consecutive = true;
        repeats |= repeats_powers_of_two(s, a);
        clamps |= !repeats_powers_of_two(s, a);
        if (s->offset[a]) {
            nir_def *add =
                a ? nir_iand_imm(b, s->offset[a], 0xffff) : nir_ishl_imm(b, s->offset[a], 16);
            offset = offset ? nir_ior(b, offset, add) : add;
        }
    }
    /* With 16 lanes, merging two words by a mask is one instruction unless the mask selects whole
     * halves; 15 bits are enough. */
    const uint32_t low = s->kb->lanes == 16 ? 0x7fff : 0xffff;
    nir_def *x = nir_iand_imm(b, nir_ishl_imm(b, f->axis[0].fixed, 8), ~low);
    nir_def *y = nir_iand_imm(b, nir_ushr_imm(b, f->axis[1].fixed, 8), low);
    f->pair[0] = nir_ior(b, x, y);
    if (offset) {
        note_offsets(s, last_texels(s, level, true), f);
        f->pair[0] = nir_iadd_2x16(b, f->pair[0], offset);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (i)
            f->pair[1] = nir_iadd_imm(b, f->pair[0], CPU_PAIR(1, 1));
        if (repeats || !i)
            f->pair[i] = nir_iand(b, f->pair[i], last_texels(s, level, true));
        if (clamps && i)
            f->pair[1] = nir_umin_2x16(b, f->pair[1], last_texels(s, level, false));
        f->axis[0].index[i] = nir_ushr_imm(b, f->pair[i], 16);
        f->axis[1].index[i] = nir_iand_imm(b, f->pair[i], 0xffff);
    }
    f->consecutive = true;
}

/* Returns the contribution of the next column or row to a texel's index. With power-of-two sizes,
 * the bits of columns and rows in texel indices are disjoint. To add 1 to the bits of `offset` in
 * the mask `last`, subtract `last`: all other bits of the negated mask are set, so carries
 * propagate across them. */
static nir_def *next_offset(nir_builder *b, nir_def *offset, nir_def *last)
{
    return nir_iand(b, nir_isub(b, offset, last), last);
}

static void locate_columns(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                           struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    const struct cpu_axis_texels *axis = &f->axis[0];

    f->column[0] = cpu_texel_column(b, axis->index[0]);
    if (taps > 1 && axis->consecutive && s->key->pot_w)
        f->column[1] =
            next_offset(b, f->column[0], cpu_texel_column(b, nir_iadd_imm(b, level->width, -1)));
    else if (taps > 1)
        f->column[1] = cpu_texel_column(b, axis->index[1]);
}

static void locate_rows(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                        struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    const struct cpu_axis_texels *axis = &f->axis[1];

    f->row[0] = cpu_texel_row(b, level, axis->index[0]);
    if (taps > 1 && axis->consecutive && s->key->pot_w && s->key->pot_h)
        f->row[1] =
            next_offset(b, f->row[0], cpu_texel_row(b, level, nir_iadd_imm(b, level->height, -1)));
    else if (taps > 1)
        f->row[1] = cpu_texel_row(b, level, axis->index[1]);
}

/* Returns whether axes 0 and 1, with float weights, wrap in ways that pairs support. */
static bool float_weights_wrap_in_pairs(const struct cpu_sample *s)
{
    for (unsigned a = 0; a < 2; a++) {
        bool clamps = wrap_mode(s, a) == DRV_WRAP_CLAMP_TO_EDGE && !(s->face && s->key->seamless);
        if (s->offset[a] || (!repeats_powers_of_two(s, a) && !clamps))
            return false;
    }
    return !s->packing && !s->fixed_point_pcf && s->tex->op != nir_texop_tg4;
}

/* Wraps both axes at once, with float weights. A clamped axis is not consecutive: a texel with
 * weight zero must not be replaced, because the texel that is read instead may be infinite. */
static void wrap_pair_float(struct cpu_sample *s, const struct cpu_level_def *level,
                            struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    bool repeats = false, clamps = false;
    nir_def *half[2];

    for (unsigned a = 0; a < 2; a++) {
        f->axis[a] = cpu_wrap_axis(s, level, a, true);
        half[a] = a ? f->axis[a].unwrapped : nir_ishl_imm(b, f->axis[a].unwrapped, 16);
        repeats |= repeats_powers_of_two(s, a);
        clamps |= !repeats_powers_of_two(s, a);
    }
    f->pair[0] = nir_ior(b, half[0], nir_iand_imm(b, half[1], 0xffff));
    if (repeats)
        f->pair[0] = nir_iand(b, f->pair[0], last_texels(s, level, true));
    f->pair[1] = nir_iadd_imm(b, f->pair[0], CPU_PAIR(1, 1));
    if (repeats)
        f->pair[1] = nir_iand(b, f->pair[1], last_texels(s, level, true));
    if (clamps)
        f->pair[1] = nir_umin_2x16(b, f->pair[1], last_texels(s, level, false));
    for (unsigned i = 0; i < 2; i++) {
        f->axis[0].index[i] = nir_ushr_imm(b, f->pair[i], 16);
        f->axis[1].index[i] = nir_iand_imm(b, f->pair[i], 0xffff);
    }
    f->consecutive = !clamps;
}

void cpu_locate_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    unsigned taps = linear ? 2 : 1, single = 0;

    if (linear && cpu_sample_may_use_window(s, linear) && wraps_in_pairs(s)) {
        wrap_pair(s, level, f);
        single = 2;
    } else if (linear && cpu_sample_may_use_window(s, linear) && float_weights_wrap_in_pairs(s)) {
        wrap_pair_float(s, level, f);
        single = 2;
    }
    for (unsigned a = single; a < s->dims; a++)
        f->axis[a] = cpu_wrap_axis(s, level, a, linear);
    for (unsigned i = 0; i < taps; i++) {
        if (s->dims > 1 && !single)
            f->pair[i] = nir_ior(b, nir_ishl_imm(b, f->axis[0].index[i], 16), f->axis[1].index[i]);
        if (s->dims > 2)
            f->base[i] = cpu_level_base(s, level, f->axis[2].index[i]);
    }
    locate_columns(s, level, taps, f);
    if (s->dims > 1)
        locate_rows(s, level, taps, f);
    if (s->dims < 3)
        f->base[0] = cpu_level_base(s, level, s->layer);
}
