/* SPDX-License-Identifier: MIT */
/*
 * Decoding and linear filtering of texels of one level. Unsigned normalized channels stay packed in
 * words until they are filtered: two channels in the halves of a word, weights in 1/256. Each step
 * along an axis is rounded: to 8 bits for 8-bit channels, to 15 bits for other channels and sRGB.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

#include <string.h>

#include "driver/cpu/kernel/cpu_nir_format.h"

/* ----------------------------------------------------------------------------------- texels --- */

nir_def *cpu_level_base(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *layer)
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

/* Texels smaller than a word are extracted from a word, because gathers load words. Images are
 * followed by padding. */
nir_def *cpu_load_texel(struct cpu_sample *s, nir_def *base, nir_def *texel)
{
    nir_builder *b = s->b;
    unsigned bytes = cpu_sample_desc(s)->block_bytes, components, size;

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

/* Returns 1 bit: the reference value passes the comparison with a depth, a float. */
static nir_def *passes(struct cpu_sample *s, nir_def *depth)
{
    return cpu_nir_compare(s->b, s->key->compare_func - 1, s->compare, depth, true);
}

static nir_def *decode_depth(struct cpu_sample *s, nir_def *texel)
{
    nir_builder *b = s->b;
    return cpu_nir_depth_to_float(b, s->key->format, cpu_nir_depth_bits(b, s->key->format, texel));
}

/* Decodes a texel: stores the values of the channels that the result uses. */
static void decode_texel(struct cpu_sample *s, nir_def *texel, nir_def *channel[4])
{
    nir_builder *b = s->b;
    const struct drv_format_desc *desc = cpu_sample_desc(s);

    if (desc->colorspace == DRV_COLORSPACE_ZS) {
        channel[1] = channel[2] = channel[3] = nir_imm_int(b, 0);
        if (s->key->sample_stencil)
            channel[0] = cpu_nir_stencil_bits(b, s->key->format, texel);
        else
            channel[0] = decode_depth(s, texel);
        if (s->compare)
            channel[0] = nir_b2f32(b, passes(s, channel[0]));
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

/* Returns the border color's value for a channel: that of a component that is swizzled from the
 * channel. */
static nir_def *border_channel(struct cpu_sample *s, unsigned channel)
{
    for (unsigned c = 0; c < 4; c++) {
        if (cpu_sample_channel(s, c) != channel)
            continue;
        struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
        nir_def *value = cpu_load_const(s->b, 1, 32, s->sampler,
                                        offsetof(struct cpu_sampler, border_color) + 4 * c);
        cpu_kernel_leave_prologue(s->kb, saved);
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
            border = nir_b2f32(b, passes(s, border));
        channel[c] = nir_bcsel(b, outside, border, channel[c]);
    }
}

/* ---------------------------------------------------------------------------------- filters --- */

/* Stores the channel values of one texel of the footprint, or the border color where it lies
 * outside. */
static void footprint_values(struct cpu_sample *s, const struct cpu_footprint *f, unsigned x,
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

/* Weight of the second of two texels. If it may be 256, `weight` is in units of 1/256. Otherwise
 * `halves` has it in both halves of a word in units of 2^-15. */
struct share {
    nir_def *weight, *halves;
};

/* Converts a weight in a word's low byte. */
static struct share share_below_one(nir_builder *b, nir_def *weight)
{
    return (struct share){NULL, nir_share_2x16(b, weight)};
}

/* Converts a weight between levels, in 1/256. Uses shifts, because nir_share_2x16() is a
 * permutation, and fetching the texels of two levels keeps the permutation port busy. */
static struct share share_of_levels(nir_builder *b, nir_def *weight)
{
    nir_def *high = nir_ishl_imm(b, weight, 23);
    nir_def *both = nir_ior(b, high, nir_ushr_imm(b, high, 16));
    return (struct share){NULL, nir_iand_imm(b, both, 0x7f807f80)};
}

/* Returns x + (y - x) * weight / 256 for the 8-bit channels in the two halves of words, rounded to
 * nearest, ties up. The halves' differences may borrow from each other; the sum corrects that. */
static nir_def *lerp_halves(nir_builder *b, nir_def *x, nir_def *y, const struct share *share)
{
    if (share->halves)
        return nir_lerp_2x16(b, x, y, share->halves);
    nir_def *sum =
        nir_iadd(b, nir_ishl_imm(b, x, 8), nir_imul(b, nir_isub(b, y, x), share->weight));
    return nir_iand_imm(b, nir_ushr_imm(b, nir_iadd_imm(b, sum, 0x00800080), 8), 0x00ff00ff);
}

/* Returns channels 0 and 2 of a packed texel, or 1 and 3. */
static nir_def *word_halves(nir_builder *b, nir_def *word, unsigned odd)
{
    return nir_iand_imm(b, odd ? nir_ushr_imm(b, word, 8) : word, 0x00ff00ff);
}

/* Converts a float weight to units of 1/256; the result may be 256. */
static struct share rounded_share(nir_builder *b, nir_def *weight)
{
    return (struct share){cpu_nir_round_small(b, nir_fmul_imm(b, weight, 256.0), 9), NULL};
}

/* Converts a float weight to units of 2^-15, for halves that use 15 bits. */
static struct share fine_share(nir_builder *b, nir_def *weight)
{
    nir_def *share = cpu_nir_round_small(b, nir_fmul_imm(b, weight, 0x7fff), 15);
    return (struct share){NULL, nir_ior(b, share, nir_ishl_imm(b, share, 16))};
}

static struct share axis_share(const struct cpu_sample *s, const struct cpu_axis_texels *axis)
{
    if (axis->fixed)
        return share_below_one(s->b, axis->fixed);
    return s->packing == CPU_PACKED_BYTES ? rounded_share(s->b, axis->weight)
                                          : fine_share(s->b, axis->weight);
}

/* Returns the number of words that hold a texel's channels in halves; one word is enough for one
 * channel. */
static unsigned num_halves(const struct cpu_sample *s)
{
    return cpu_sample_desc(s)->nr_channels > 1 ? 2 : 1;
}

/* Returns the number of values per texel during filtering. */
static unsigned values_of_tap(const struct cpu_sample *s)
{
    return s->packing ? num_halves(s) : 4;
}

static void split_halves(const struct cpu_sample *s, nir_def *const value[4], nir_def *half[2])
{
    for (unsigned odd = 0; odd < num_halves(s); odd++)
        half[odd] = s->packing == CPU_PACKED_BYTES ? word_halves(s->b, value[0], odd) : value[odd];
}

static void join_halves(struct cpu_sample *s, nir_def *half[2], nir_def *value[4])
{
    nir_builder *b = s->b;
    bool both = num_halves(s) > 1;

    value[0] = half[0];
    if (s->packing == CPU_PACKED_HALVES)
        value[1] = both ? half[1] : nir_imm_int(b, 0);
    else if (both)
        value[0] = nir_ior(b, half[0], nir_ishl_imm(b, half[1], 8));
    s->joined = both ? value[0] : NULL;
    memcpy(s->half, half, sizeof s->half);
}

/* Returns whether channel 1 of two sRGB texels is decoded at once. With 16 lanes, a table lookup
 * decodes all bytes of a word at once instead (jit_srgb.c). */
static bool decodes_in_pairs(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_HALVES &&
           cpu_sample_desc(s)->colorspace == DRV_COLORSPACE_SRGB && s->kb->lanes < 16;
}

/* Converts a fetched texel to packed values. */
static void pack_texel(const struct cpu_sample *s, nir_def *texel, nir_def *value[4])
{
    nir_def *word = texel->bit_size == 32 ? texel : nir_u2u32(s->b, texel);
    if (s->packing == CPU_PACKED_BYTES)
        value[0] = word;
    else
        cpu_nir_unpack_halves(s->b, s->key->format, word, value);
}

/* Filters linearly along one axis after the other. value[x + 2 * y + 4 * z] holds the values of a
 * tap: halves of packed texels, otherwise channels. */
static void mix_taps(struct cpu_sample *s, const struct cpu_axis_texels *axis, nir_def *value[8][4],
                     nir_def *mixed[4])
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

/* Returns the weight as an integer in units of 1/256. */
static nir_def *axis_weight(const struct cpu_sample *s, const struct cpu_axis_texels *axis)
{
    return axis->fixed ? nir_iand_imm(s->b, axis->fixed, 0xff)
                       : rounded_share(s->b, axis->weight).weight;
}

/* Filters the results of a depth comparison: the weights of the texels that pass are added. */
static nir_def *mix_passes(struct cpu_sample *s, const struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    nir_def *second = axis_weight(s, &f->axis[0]), *first = nir_isub_imm(b, 256, second);
    nir_def *zero = nir_imm_int(b, 0), *row[2];
    const unsigned rows = s->dims > 1 ? 2 : 1;

    for (unsigned y = 0; y < rows; y++) {
        nir_def *pass[2];
        for (unsigned x = 0; x < 2; x++)
            pass[x] = passes(s, decode_depth(s, f->texel[x + 2 * y]));
        row[y] = nir_bcsel(b, pass[0], first, zero);
        row[y] = nir_bcsel(b, pass[1], nir_iadd(b, row[y], second), row[y]);
    }
    if (rows == 1)
        return nir_fmul_imm(b, nir_i2f32(b, row[0]), 0x1p-8);
    nir_def *change = nir_imul(b, nir_isub(b, row[1], row[0]), axis_weight(s, &f->axis[1]));
    nir_def *sum = nir_iadd(b, nir_ishl_imm(b, row[0], 8), change);
    return nir_fmul_imm(b, nir_i2f32(b, sum), 0x1p-16);
}

/* Converts texels to the values that are filtered; count must be even. */
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

/* Returns whether a result of the access is used in arithmetic. Otherwise channels are unpacked
 * from the joined word, so that packing them again for a store yields that word. */
static bool is_computed_with(const nir_tex_instr *tex)
{
    nir_foreach_use (src, &tex->def) {
        const nir_instr *user = nir_src_parent_instr(src);
        if (user->type == nir_instr_type_alu &&
            !nir_op_is_vec(nir_instr_as_alu((nir_instr *)user)->op))
            return true;
    }
    return false;
}

void cpu_sample_unpack(const struct cpu_sample *s, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *word = channel[0];
    const bool from_halves = word == s->joined && is_computed_with(s->tex);

    if (s->packing == CPU_PACKED_HALVES) {
        nir_def *const half[2] = {channel[0], channel[1]};
        cpu_nir_halves_to_floats(b, s->key->format, half, channel);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        if (c >= cpu_sample_desc(s)->nr_channels) {
            channel[c] = nir_imm_int(b, 0);
            continue;
        }
        nir_def *from = from_halves ? s->half[c & 1] : word;
        unsigned shift = from_halves ? (c & 2) * 8 : 8 * c;
        nir_def *bits = shift ? nir_ushr_imm(b, from, shift) : from;
        bits = shift < 24 ? nir_iand_imm(b, bits, 0xff) : bits;
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

    if (!cpu_format_has_halves(key->format) || key->reduction || !cpu_reads_no_border(s))
        return CPU_UNPACKED;
    if (key->min_filter != DRV_FILTER_LINEAR && key->mag_filter != DRV_FILTER_LINEAR &&
        key->mip_filter != DRV_MIP_LINEAR)
        return CPU_UNPACKED;
    return has_byte_channels(cpu_sample_desc(s)) ? CPU_PACKED_BYTES : CPU_PACKED_HALVES;
}

static void filter_linear(struct cpu_sample *s, const struct cpu_footprint *f, nir_def *channel[4])
{
    const unsigned count = 1u << s->dims;
    nir_def *value[8][4];

    if (s->fixed_point_pcf) {
        channel[0] = mix_passes(s, f);
        channel[1] = channel[2] = channel[3] = nir_imm_int(s->b, 0);
        return;
    }
    if (s->packing) {
        split_texels(s, f->texel, count, value);
    } else {
        for (unsigned i = 0; i < count; i++)
            footprint_values(s, f, i & 1, i >> 1 & 1, i >> 2, value[i]);
    }
    mix_taps(s, f->axis, value, channel);
}

static void filter_footprint(struct cpu_sample *s, const struct cpu_footprint *f, bool linear,
                             nir_def *channel[4])
{
    if (!linear && s->packing)
        pack_texel(s, f->texel[0], channel);
    else if (!linear)
        footprint_values(s, f, 0, 0, 0, channel);
    else
        filter_linear(s, f, channel);
}

/* -------------------------------------------------------------------------- shared decoding --- */

/* Pairs of coordinates, or masks of bits of pairs (CPU_PAIR): */
#define ONE_COLUMN CPU_PAIR(1, 0) /* adds a column */
/* Bits that are set in distances of 4 or more columns, or 2 or more rows. */
#define OUTSIDE_SHARED CPU_PAIR(~3, ~1)
/* Bits that are set in distances of 4 or more columns, or any rows. */
#define OUTSIDE_ROW CPU_PAIR(~3, ~0)
/* Index in decode_shared()'s vectors of column 4 of row 0; the other rows follow. */
#define SHARED_COLUMN_4 12

/* Half a block that is not minified reads at most five columns and three rows of texels, and each
 * texel is used by several lanes. Returns whether texels are decoded before the lanes select them,
 * because decoding is expensive, as for sRGB. */
static bool may_share_decoding(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_HALVES &&
           cpu_sample_desc(s)->colorspace == DRV_COLORSPACE_SRGB && !s->kb->block &&
           s->kb->lanes == 8 && !s->minified && cpu_sample_may_use_window(s, true);
}

/* Computes the position of a window of five columns and three rows, whose first column and row are
 * the smallest x and y of the first taps. distance[t]: pair of the distances of tap t from (t, t)
 * in the window. index[0][]: for cpu_read_row(), so that word[0] of lane i is column min(i, 4) of
 * the window and word[1] is column i & 3. */
static void locate_shared(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct cpu_footprint *f, struct cpu_window *w)
{
    nir_builder *b = s->b;
    nir_def *least = nir_min_2x16(b, f->pair[0]);
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b);
    nir_def *const column[2] = {nir_imin(b, lane, nir_imm_int(b, 4)), nir_iand_imm(b, lane, 3)};
    cpu_kernel_leave_prologue(s->kb, saved);

    cpu_find_slices(s, level, f, 2, w);
    nir_def *x = nir_ushr_imm(b, least, 16), *from_block = nir_iand_imm(b, x, 3);
    w->origin[0] = nir_iand_imm(b, x, ~3u);
    w->origin[1] = nir_iand_imm(b, least, 0xffff);
    /* A borrow from the other half makes the distance too large to fit. */
    for (unsigned i = 0; i < 2; i++) {
        w->distance[i] = nir_isub(b, f->pair[i], nir_iadd_imm(b, least, i * CPU_PAIR(1, 1)));
        w->index[0][i] =
            nir_lookup_lanes(b, cpu_row_indices(s, 0), nir_iadd(b, from_block, column[i]));
        w->column[i] = cpu_window_column(s, level, w, i);
    }
}

/* Returns 1 bit, uniform: each tap's texels lie in four columns and two rows; those of the second
 * taps start one column or row later. */
static nir_def *shares_decoding(struct cpu_sample *s, const struct cpu_window *w)
{
    nir_builder *b = s->b;
    nir_def *bits = nir_iand_imm(b, nir_ior(b, w->distance[0], w->distance[1]), OUTSIDE_SHARED);

    if (w->other_slice)
        bits = nir_ior(b, bits, w->other_slice);
    return nir_vote_all(b, nir_ieq_imm(b, bits, 0));
}

/* Loads and decodes the texels in two vectors. Vector 0: rows 0 and 1 of columns 0 to 3. Vector 1:
 * row 2 of columns 0 to 3, then column 4 of rows 0, 1 and 2. */
static void decode_shared(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                          const struct cpu_window *w, nir_def *value[2][4])
{
    nir_builder *b = s->b;
    nir_def *word[3][2];
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *upper = cpu_has_bit(b, lane, 4);
    nir_def *first = nir_ieq_imm(b, lane, 4), *second = nir_ieq_imm(b, lane, 5);
    cpu_kernel_leave_prologue(s->kb, saved);

    /* row 1 also in the order in which lanes 4 to 7 of vector 0 need it */
    for (unsigned y = 0; y < 3; y++)
        cpu_read_row(s, level, base, y == 1 ? 2 : 1, w, nir_imm_int(b, (int)y), word[y]);
    nir_def *const texel[2] = {
        nir_bcsel(b, upper, word[1][1], word[0][0]),
        nir_bcsel(b, first, word[0][0], nir_bcsel(b, second, word[1][0], word[2][0])),
    };
    split_texels(s, texel, 2, value);
}

/* Returns a table of indices into the two vectors of decode_shared(): entry i is the texel of
 * column x + i % 4 and row y + i / 4. */
static nir_def *shared_tap_indices(struct cpu_sample *s, unsigned x, unsigned y)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *index = nir_iadd_imm(b, lane, x + 4 * y);
    nir_def *column_4 = nir_iadd_imm(b, nir_ushr_imm(b, lane, 2), SHARED_COLUMN_4 + y);
    if (x)
        index = nir_bcsel(b, nir_ieq_imm(b, nir_iand_imm(b, lane, 3), 3), column_4, index);
    cpu_kernel_leave_prologue(s->kb, saved);
    return index;
}

/* Loads rows 0 and 1 of columns 0 to 3 in one vector. */
static nir_def *read_shared_rows(struct cpu_sample *s, const struct cpu_level_def *level,
                                 nir_def *base, const struct cpu_window *w)
{
    nir_builder *b = s->b;
    nir_def *word[2][2];
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *upper = cpu_has_bit(b, nir_load_subgroup_invocation(b), 4);
    cpu_kernel_leave_prologue(s->kb, saved);

    for (unsigned y = 0; y < 2; y++)
        cpu_read_row(s, level, base, 1 + y, w, nir_imm_int(b, (int)y), word[y]);
    return nir_bcsel(b, upper, word[1][1], word[0][0]);
}

/* Returns 1 bit, uniform, for texels that share decoding: all taps lie in four columns and two
 * rows, as is common when texels are twice as large as pixels. */
static nir_def *fits_into_vector(struct cpu_sample *s, const struct cpu_window *w)
{
    nir_builder *b = s->b;
    nir_def *bits = nir_ior(b, w->distance[0], w->distance[1]);

    bits = nir_ior(b, bits, nir_iadd_imm(b, bits, ONE_COLUMN));
    return nir_vote_all(b, nir_ieq_imm(b, nir_iand_imm(b, bits, OUTSIDE_ROW), 0));
}

static void filter_vector(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct cpu_footprint *f, const struct cpu_window *w,
                          nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *value[8][4], *decoded[4], *texel;

    for (unsigned i = 0; i < 1u << s->dims; i++) {
        unsigned x = i & 1, y = i >> 1 & 1;
        if (!(i & 3)) {
            texel = read_shared_rows(s, level, w->base[i >> 2], w);
            cpu_nir_unpack_halves(b, s->key->format, nir_u2uN(b, texel, 32), decoded);
        }
        nir_def *index = nir_iadd_imm(b, nir_ushr_imm(b, w->distance[x], 16), x + 4 * y);
        for (unsigned c = 0; c < num_halves(s); c++)
            value[i][c] = nir_lookup_lanes(b, decoded[c], index);
    }
    mix_taps(s, f->axis, value, channel);
}

static void filter_shared(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct cpu_footprint *f, const struct cpu_window *w,
                          nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *value[8][4], *decoded[2][4];

    for (unsigned i = 0; i < 1u << s->dims; i++) {
        unsigned x = i & 1, y = i >> 1 & 1;
        if (!(i & 3))
            decode_shared(s, level, w->base[i >> 2], w, decoded);
        nir_def *index =
            nir_ior(b, nir_ushr_imm(b, w->distance[x], 16), nir_ishl_imm(b, w->distance[y], 2));
        for (unsigned c = 0; c < num_halves(s); c++) {
            nir_def *row = decoded[0][c];
            if (i & 3)
                row = nir_lookup_lanes(b, nir_vec2(b, row, decoded[1][c]),
                                       shared_tap_indices(s, x, y));
            value[i][c] = nir_lookup_lanes(b, row, index);
        }
    }
    mix_taps(s, f->axis, value, channel);
}

static void filter_each(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                        struct cpu_footprint *f, nir_def *channel[4])
{
    if (linear && cpu_can_filter_aos(s)) {
        cpu_filter_aos(s, f, channel);
        return;
    }
    cpu_fetch_footprint(s, level, linear, f);
    filter_footprint(s, f, linear, channel);
}

/* Filters a footprint that does not cross cube edges. */
static void filter_inside(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct cpu_footprint *f, nir_def *channel[4])
{
    nir_def *shared[4], *in_vector[4];
    struct cpu_window w;

    if (!linear || !may_share_decoding(s)) {
        filter_each(s, level, linear, f, channel);
        return;
    }
    locate_shared(s, level, f, &w);
    nir_push_if(s->b, shares_decoding(s, &w));
    nir_push_if(s->b, fits_into_vector(s, &w));
    filter_vector(s, level, f, &w, in_vector);
    nir_push_else(s->b, NULL);
    filter_shared(s, level, f, &w, shared);
    nir_pop_if(s->b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        shared[c] = nir_if_phi(s->b, in_vector[c], shared[c]);
    nir_push_else(s->b, NULL);
    filter_each(s, level, linear, f, channel);
    nir_pop_if(s->b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(s->b, shared[c], channel[c]);
}

/* --------------------------------------------------------------------------- seamless cubes --- */

/* Loads texel i of the four texels around a point near a face's edge. */
static nir_def *seamless_texel(struct cpu_sample *s, const struct cpu_level_def *level,
                               const struct cpu_footprint *f, unsigned i)
{
    nir_builder *b = s->b;
    nir_def *x = f->axis[0].unclamped[i & 1], *y = f->axis[1].unclamped[i >> 1], *face;

    cpu_cube_neighbor(b, s->face, level->width, &x, &y, &face);
    nir_def *layer = s->cube_layer ? nir_iadd(b, s->cube_layer, face) : face;
    nir_def *texel = nir_iadd(b, cpu_texel_column(b, x), cpu_texel_row(b, level, y));
    return cpu_load_texel(s, cpu_level_base(s, level, layer), texel);
}

static void seamless_values(struct cpu_sample *s, const struct cpu_level_def *level,
                            const struct cpu_footprint *f, nir_def *values[4][4])
{
    for (unsigned i = 0; i < 4; i++)
        decode_texel(s, seamless_texel(s, level, f, i), values[i]);
}

static void filter_across_edges(struct cpu_sample *s, const struct cpu_level_def *level,
                                const struct cpu_footprint *f, nir_def *channel[4])
{
    nir_def *texel[4], *value[8][4];

    for (unsigned i = 0; i < 4; i++)
        texel[i] = seamless_texel(s, level, f, i);
    split_texels(s, texel, 4, value);
    mix_taps(s, f->axis, value, channel);
}

/* Returns 1 bit: the footprint crosses an edge of the face. */
static nir_def *crosses_edge(struct cpu_sample *s, const struct cpu_level_def *level,
                             const struct cpu_footprint *f)
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
                            struct cpu_footprint *f, nir_def *channel[4])
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

/* -------------------------------------------------------------------------------- interface --- */

void cpu_sample_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                       nir_def *channel[4])
{
    struct cpu_footprint f = {{{{NULL}}}};

    linear &= !cpu_sample_is_integer(s);
    if (s->residency) {
        cpu_residency_filter(s, level, linear, channel);
        return;
    }
    if (linear && cpu_sample_may_have_grid(s)) {
        cpu_filter_by_grid(s, level, channel);
        return;
    }
    cpu_locate_footprint(s, level, linear, &f);
    if (f.axis[0].unclamped[0]) {
        filter_seamless(s, level, &f, channel);
        return;
    }
    filter_inside(s, level, linear, &f, channel);
}

/* weight: that of `next`, an integer in units of 1/256 */
static void mix_packed(struct cpu_sample *s, nir_def *const value[4], nir_def *const next[4],
                       nir_def *weight, nir_def *mixed[4])
{
    struct share share = share_of_levels(s->b, weight);
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
    /* keep infinities and -0 where the next level has weight zero */
    for (unsigned c = 0; c < 4; c++)
        mixed[c] = nir_bcsel(s->b, some, cpu_sample_mix(s, channel[c], next[c], share), channel[c]);
}

void cpu_sample_begin_two_levels(struct cpu_sample *s, const struct cpu_level_def level[2],
                                 bool linear, nir_def *differs, nir_def *share, nir_def *mixed[4])
{
    nir_builder *b = s->b;
    const enum cpu_window_kind kind[2] = {CPU_THREE_BLOCKS, CPU_TWO_BLOCKS};
    unsigned taps = linear ? 2 : 1;
    struct cpu_footprint f[2] = {0};
    struct cpu_window w[2];
    nir_def *channel[2][4];

    for (unsigned i = 0; i < 2; i++) {
        cpu_locate_footprint(s, &level[i], linear, &f[i]);
        cpu_locate_window(s, &level[i], &f[i], taps, &w[i]);
        differs = nir_ior(b, differs, cpu_outside_window(b, &w[i], taps, kind[i]));
    }
    nir_push_if(b, nir_vote_all(b, nir_ieq_imm(b, differs, 0)));
    for (unsigned i = 0; i < 2; i++) {
        cpu_read_window(s, &level[i], taps, &w[i], kind[i], f[i].texel);
        filter_footprint(s, &f[i], linear, channel[i]);
    }
    cpu_sample_mix_levels(s, channel[0], channel[1], share, mixed);
    nir_push_else(b, NULL);
}

/* Texel order of GL 4.6 §8.14.1: (i0, j1), (i1, j1), (i1, j0), (i0, j0). */
void cpu_sample_gather(struct cpu_sample *s, const struct cpu_level_def *level, unsigned component,
                       nir_def *result[4])
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    struct cpu_footprint f = {{{{NULL}}}};
    nir_def *values[4][4], *rgba[4];

    cpu_locate_footprint(s, level, true, &f);
    if (f.axis[0].unclamped[0]) {
        seamless_values(s, level, &f, values);
    } else {
        cpu_fetch_footprint(s, level, true, &f);
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
    decode_texel(s, cpu_load_texel(s, cpu_level_base(s, level, layer), texel), channel);
}

void cpu_sample_fetch_buffer(struct cpu_sample *s, const struct cpu_level_def *level,
                             nir_def *channel[4])
{
    decode_texel(s, cpu_load_texel(s, level->base, s->coord[0]), channel);
}
