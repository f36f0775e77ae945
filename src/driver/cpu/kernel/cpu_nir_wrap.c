/* SPDX-License-Identifier: MIT */
/*
 * Which texels of a level a filter reads: wrap modes (GL 4.6 §8.14.2), weights, addresses. Where nothing
 * forbids it coordinates become fixed-point numbers, those of both axes in the halves of a word.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

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
    t.number = nir_f2i32_in_range(b, floor);
    t.index[0] = wrap_repeat_index(s, axis, t.number, size);
    if (linear) {
        t.weight = nir_fsub(b, x, floor);
        t.index[1] = wrap_repeat_index(s, axis, nir_iadd_imm(b, t.number, 1), size);
    }
    return t;
}

/* Whether a linear filter reads the border in this mode. */
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

static struct cpu_axis_texels wrap_to_edge(struct cpu_sample *s, nir_def *x, nir_def *size,
                                           nir_def *size_f, bool linear)
{
    nir_builder *b = s->b;
    struct cpu_axis_texels t = {{NULL}};
    nir_def *last = nir_iadd_imm(b, size, -1), *zero = nir_imm_int(b, 0);

    if (s->tex->op == nir_texop_tg4) { /* a texel that has no weight counts as much as the others */
        x = clamp_float(b, x, nir_imm_float(b, -1.0f), size_f);
        nir_def *index = nir_f2i32_in_range(b, nir_ffloor(b, x));
        for (unsigned i = 0; i < 2; i++)
            t.index[i] = nir_imin(b, nir_imax(b, nir_iadd_imm(b, index, i), zero), last);
        return t;
    }
    x = clamp_float(b, x, nir_imm_float(b, 0.0f), nir_fadd_imm(b, size_f, -1.0));
    t.index[0] = t.number = nir_f2i32_in_range(b, x); /* not negative: truncation is floor */
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

/* Modes that there is a shorter way for where weights are 256ths: in fixed point with 8 bits of fraction. */
static bool wraps_in_fixed_point(const struct cpu_sample *s, unsigned axis, unsigned wrap)
{
    if (!s->packing && !s->mixes_passes)
        return false;
    if (wrap == DRV_WRAP_REPEAT)
        return !s->key->unnormalized && (!s->offset[axis] || is_power_of_two(s, axis));
    return wrap == DRV_WRAP_CLAMP_TO_EDGE && !(s->face && s->key->seamless);
}

static bool repeats_powers_of_two(const struct cpu_sample *s, unsigned axis)
{
    return wrap_mode(s, axis) == DRV_WRAP_REPEAT && is_power_of_two(s, axis);
}

/* Texels that are added to a coordinate so that it is not negative, where that counts: none where it is
 * clamped. */
static unsigned coordinate_bias(const struct cpu_sample *s, unsigned axis)
{
    return wrap_mode(s, axis) == DRV_WRAP_REPEAT || s->offset[axis] ? 1 << 8 : 0;
}

/* A coordinate, minus half a texel: the low byte is the fraction in 256ths, rounded, the 15 bits above are the
 * texel. NaN becomes some texel. Offsets are left to indices, so that fetches which differ in them share the
 * rest. What repeats in powers of two is an integer: bits above do not count, and where it is out of
 * range, a float has no bits of the fraction left. Others have a bias and are floats of 24 bits before the point,
 * whose exponent and sign are above the texel. */
static nir_def *fixed_coordinate(struct cpu_sample *s, unsigned axis, nir_def *scale)
{
    nir_builder *b = s->b;
    nir_def *u = s->coord[axis];

    if (repeats_powers_of_two(s, axis))
        return nir_iadd_imm(b, nir_f2i32_rtne_in_range(b, nir_fmul(b, u, scale)), -128);
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
                    : nir_fmul_imm(s->b, nir_i2f32(s->b, cpu_level_size(level, axis)), 256.0);
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
    if (!repeats_powers_of_two(s, axis)) /* where bits above do not count */
        t.index[0] = nir_iadd_imm(b, t.index[0], -(0x4b0000 + (int)coordinate_bias(s, axis)));
    if (offset)
        t.index[0] = nir_iadd(b, t.index[0], offset);
    t.index[1] = nir_iadd_imm(b, t.index[0], 1);
    t.follows = wrap == DRV_WRAP_REPEAT || !offset;
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

nir_def *cpu_wrap_number(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis,
                         nir_def *number)
{
    nir_def *size = cpu_level_size(level, axis);
    if (wrap_mode(s, axis) == DRV_WRAP_REPEAT)
        return wrap_repeat_index(s, axis, number, size);
    return nir_imin(s->b, number, nir_iadd_imm(s->b, size, -1));
}

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
                      ? nir_iadd_imm(b, cpu_level_size(level, a), -1)
                      : nir_imm_int(b, 0x7fff);
    return nir_ior(b, nir_ishl_imm(b, half[0], 16), half[1]);
}

/* What constant offsets add to texels of axes that repeat, so that none becomes negative. */
static void note_offsets(struct cpu_sample *s, nir_def *last, struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    nir_src *offset = &s->tex->src[nir_tex_instr_src_index(s->tex, nir_tex_src_offset)].src;
    uint32_t move = 0;

    if (!nir_src_is_const(*offset))
        return;
    for (unsigned a = 0; a < 2; a++) {
        uint32_t texels = s->offset[a] ? (1 << 14) + (uint32_t)nir_src_comp_as_int(*offset, a) : 0;
        move += texels << (a ? 0 : 16);
    }
    f->unmoved = nir_iand(b, f->pair[0], last);
    f->moved[0] = nir_imm_int(b, (int)move);
    f->moved[1] = last;
}

/* wrap_fixed for two axes. */
static void wrap_pair(struct cpu_sample *s, const struct cpu_level_def *level,
                      struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    bool repeats = false, clamps = false;
    nir_def *offset = NULL;

    for (unsigned a = 0; a < 2; a++) {
        f->axis[a].fixed = fixed_coordinate(s, a, level_scale(s, level, a));
        f->axis[a].follows = true;
        repeats |= repeats_powers_of_two(s, a);
        clamps |= !repeats_powers_of_two(s, a);
        if (s->offset[a]) {
            nir_def *add =
                a ? nir_iand_imm(b, s->offset[a], 0xffff) : nir_ishl_imm(b, s->offset[a], 16);
            offset = offset ? nir_ior(b, offset, add) : add;
        }
    }
    /* with 16 lanes a choice of bits is one instruction unless it is one of halves; 15 bits are enough */
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
            f->pair[1] = nir_iadd_imm(b, f->pair[0], 0x00010001);
        if (repeats || !i)
            f->pair[i] = nir_iand(b, f->pair[i], last_texels(s, level, true));
        if (clamps && i)
            f->pair[1] = nir_umin_2x16(b, f->pair[1], last_texels(s, level, false));
        f->axis[0].index[i] = nir_ushr_imm(b, f->pair[i], 16);
        f->axis[1].index[i] = nir_iand_imm(b, f->pair[i], 0xffff);
    }
    f->follows = true;
}

/* Sizes that are powers of two have texels' offsets whose bits are those of columns or rows, apart from each other: a
 * carry goes over bits between if these are set, as they are in the negative of the last one. */
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
    if (taps > 1 && axis->follows && s->key->pot_w)
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
    if (taps > 1 && axis->follows && s->key->pot_w && s->key->pot_h)
        f->row[1] =
            next_offset(b, f->row[0], cpu_texel_row(b, level, nir_iadd_imm(b, level->height, -1)));
    else if (taps > 1)
        f->row[1] = cpu_texel_row(b, level, axis->index[1]);
}

/* Whether axes 0 and 1, whose weights are floats, wrap by what can be done for both halves of a word at once. */
static bool numbers_are_pairs(const struct cpu_sample *s)
{
    for (unsigned a = 0; a < 2; a++) {
        bool clamps = wrap_mode(s, a) == DRV_WRAP_CLAMP_TO_EDGE && !(s->face && s->key->seamless);
        if (s->offset[a] || (!repeats_powers_of_two(s, a) && !clamps))
            return false;
    }
    return !s->packing && !s->mixes_passes && s->tex->op != nir_texop_tg4;
}

/* Follows nothing that has no weight: it may be infinite. */
static void wrap_numbers(struct cpu_sample *s, const struct cpu_level_def *level,
                         struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    bool repeats = false, clamps = false;
    nir_def *half[2];

    for (unsigned a = 0; a < 2; a++) {
        f->axis[a] = cpu_wrap_axis(s, level, a, true);
        half[a] = a ? f->axis[a].number : nir_ishl_imm(b, f->axis[a].number, 16);
        repeats |= repeats_powers_of_two(s, a);
        clamps |= !repeats_powers_of_two(s, a);
    }
    f->pair[0] = nir_ior(b, half[0], nir_iand_imm(b, half[1], 0xffff));
    if (repeats)
        f->pair[0] = nir_iand(b, f->pair[0], last_texels(s, level, true));
    f->pair[1] = nir_iadd_imm(b, f->pair[0], 0x00010001);
    if (repeats)
        f->pair[1] = nir_iand(b, f->pair[1], last_texels(s, level, true));
    if (clamps)
        f->pair[1] = nir_umin_2x16(b, f->pair[1], last_texels(s, level, false));
    for (unsigned i = 0; i < 2; i++) {
        f->axis[0].index[i] = nir_ushr_imm(b, f->pair[i], 16);
        f->axis[1].index[i] = nir_iand_imm(b, f->pair[i], 0xffff);
    }
    f->follows = !clamps;
}

void cpu_locate_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    unsigned taps = linear ? 2 : 1, single = 0;

    if (linear && cpu_sample_may_use_window(s, linear) && wraps_in_pairs(s)) {
        wrap_pair(s, level, f);
        single = 2;
    } else if (linear && cpu_sample_may_use_window(s, linear) && numbers_are_pairs(s)) {
        wrap_numbers(s, level, f);
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
