/* SPDX-License-Identifier: MIT */
/*
 * Fetches of texels. If the footprints of a vector are adjacent, blocks of texels are loaded once
 * for all lanes, and permutations give each lane its texels. Otherwise the lanes gather.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

#include "driver/cpu/kernel/cpu_nir_format.h"

/* Pairs of coordinates, or masks of bits of pairs (CPU_PAIR): */
#define ONE_COLUMN         CPU_PAIR(1, 0)     /* adds a column */
#define ONE_BLOCK          CPU_PAIR(4, 4)     /* adds a block in both directions */
#define COLUMN_OF_BLOCKS   CPU_PAIR(~3, ~0)   /* rounds x down to a multiple of 4 */
#define BLOCK_ORIGIN       CPU_PAIR(~3, ~3)   /* rounds both coordinates down to a multiple of 4 */
#define OUTSIDE_TWO_BLOCKS CPU_PAIR(~7, ~7)   /* bits that are set in distances of 8 or more */
#define OUTSIDE_16_TEXELS  CPU_PAIR(~15, ~15) /* bits that are set in distances of 16 or more */
/* Bits that are set in distances of 8 or more columns, or `rows` or more rows, a power of two. */
#define OUTSIDE_ROWS(rows) CPU_PAIR(~7, ~((rows) - 1))

bool cpu_sample_may_use_window(const struct cpu_sample *s, bool linear)
{
    unsigned components, size;

    if (s->residency || cpu_can_filter_aos(s) || !s->kb->adjacent_pixels || s->kb->compact ||
        s->kb->lanes < 8)
        return false;
    cpu_texel_shape(s->key->format, &components, &size);
    bool words = size == 32 && (components == 2 || components == 4) && s->kb->block;
    /* for nearest filters and minified textures, gathers with 8 lanes are as fast */
    bool pays = s->kb->block || (linear && !s->minified);
    return !s->levels_differ && s->dims >= 2 && !s->sample && (words || components == 1) && pays;
}

/* Returns a table for nir_lookup_lanes(): entry i is the contribution of column i (axis 0) or row i
 * (axis 1) to the index of a texel in two adjacent blocks. Bits 0 to 2 of a column become bits 0, 2
 * and 4 of the index; bit 4 selects the block. Bits 0 and 1 of a row become bits 1 and 3. */
static nir_def *block_indices(struct cpu_sample *s, unsigned axis)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *sum = nir_iand_imm(b, lane, 1);

    for (unsigned i = 1; i < 3 - axis; i++)
        sum = nir_ior(b, sum, nir_ishl_imm(b, nir_iand_imm(b, lane, 1 << i), i));
    sum = nir_ishl_imm(b, sum, axis);
    cpu_kernel_leave_prologue(s->kb, saved);
    return sum;
}

nir_def *cpu_row_indices(struct cpu_sample *s, unsigned less)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *column = nir_iadd_imm(b, nir_load_subgroup_invocation(b), -(int)less);
    nir_def *sum = nir_iand_imm(b, column, 1);

    sum = nir_ior(b, sum, nir_ishl_imm(b, nir_iand_imm(b, column, 2), 1));
    sum = nir_ior(b, sum, nir_ushr_imm(b, nir_iand_imm(b, column, 4), 1));
    cpu_kernel_leave_prologue(s->kb, saved);
    return sum;
}

void cpu_find_slices(struct cpu_sample *s, const struct cpu_level_def *level,
                     const struct cpu_footprint *f, unsigned taps, struct cpu_window *w)
{
    nir_builder *b = s->b;

    w->other_slice = NULL;
    w->base[0] = f->base[0];
    for (unsigned i = 0; i < (s->dims > 2 ? taps : 1); i++) {
        nir_def *slice = s->dims > 2 ? f->axis[2].index[i] : s->layer;
        if (!slice)
            continue;
        nir_def *first = nir_read_first_invocation(b, slice), *other = nir_ixor(b, slice, first);
        w->base[i] = cpu_level_base(s, level, first);
        w->other_slice = w->other_slice ? nir_ior(b, w->other_slice, other) : other;
    }
}

/* Returns the texel coordinate of the window's i-th block along the axis. A block outside the level
 * is replaced: by the one it wraps around to if the axis repeats and has a power-of-two size,
 * otherwise by the last block. */
static nir_def *window_block(struct cpu_sample *s, const struct cpu_level_def *level,
                             const struct cpu_window *w, unsigned axis, unsigned i)
{
    nir_builder *b = s->b;
    if (!i)
        return w->origin[axis];
    nir_def *next = nir_iadd_imm(b, w->origin[axis], 4 * i);
    nir_def *last = nir_iadd_imm(b, cpu_level_size(level, axis), -1);
    if (axis ? s->key->pot_h : s->key->pot_w)
        return nir_iand(b, next, last);
    return nir_imin(b, next, nir_iand_imm(b, last, ~3u));
}

/* Returns the texel coordinate of row i of half a block's window. Outside the level it wraps around
 * if the level repeats and has a power-of-two height; otherwise it may be that of a padding entry
 * of the offset table. */
static nir_def *window_row(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, nir_def *i)
{
    nir_builder *b = s->b;
    nir_def *y = nir_iadd(b, w->origin[1], i);
    return s->key->pot_h ? nir_iand(b, y, nir_iadd_imm(b, level->height, -1)) : y;
}

/* Returns the address of the first texel of row y. */
static nir_def *row_address(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                            nir_def *y)
{
    nir_builder *b = s->b;
    nir_def *offset = nir_ishl_imm(b, y, 2);
    nir_def *row = nir_load_global_constant(b, 1, 32, level->rows, offset, .align_mul = 4);
    return nir_iadd(b, base, nir_u2u64(b, row));
}

nir_def *cpu_window_column(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, unsigned i)
{
    return nir_load_global_constant(s->b, 1, 32, level->columns, window_block(s, level, w, 0, i),
                                    .align_mul = 4);
}

/* Returns the pair that is subtracted from the distance of the first taps to get that of the second
 * taps, if these are consecutive: one column. In a level smaller than a block no distance must fit,
 * because the level does not repeat within a block; INT32_MIN ensures that. */
static nir_def *second_tap_bias(nir_builder *b, const struct cpu_level_def *level)
{
    nir_def *least = nir_imin(b, level->width, level->height);
    return nir_bcsel(b, nir_ilt_imm(b, least, 4), nir_imm_int(b, INT32_MIN),
                     nir_imm_int(b, -(int)ONE_COLUMN));
}

/* Returns the smallest x and y of the lanes' first taps. With constant offsets, returns the sum of
 * the smallest coordinates without offsets and the offsets, as if no texel wrapped around an edge.
 * Accesses that differ only in offsets then share one minimum. A texel that lies before that is
 * outside the window. */
static nir_def *least_texels(nir_builder *b, const struct cpu_footprint *f)
{
    if (!f->unoffset_pair)
        return nir_min_2x16(b, f->pair[0]);
    return nir_iand(b, nir_iadd(b, nir_min_2x16(b, f->unoffset_pair), f->pair_offset),
                    f->pair_mask);
}

/* Computes the fields for half a block from row_distance. */
static void locate_half(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                        struct cpu_window *w)
{
    nir_builder *b = s->b;

    for (unsigned i = 0; i < 2; i++)
        w->column[i] = cpu_window_column(s, level, w, i);
    for (unsigned i = 0; i < taps; i++)
        w->index[0][i] = nir_lookup_lanes(b, cpu_row_indices(s, w->consecutive && !i),
                                          nir_ushr_imm(b, w->row_distance[i], 16));
}

void cpu_locate_window(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w)
{
    nir_builder *b = s->b;

    cpu_find_slices(s, level, f, taps, w);
    nir_def *least = least_texels(b, f), *rows = nir_iand_imm(b, least, COLUMN_OF_BLOCKS);
    nir_def *origin = s->kb->block ? nir_iand_imm(b, least, BLOCK_ORIGIN) : rows;
    w->origin[0] = nir_ushr_imm(b, origin, 16);
    w->origin[1] = nir_iand_imm(b, origin, 0xffff);
    w->consecutive = taps > 1 && f->consecutive;
    w->may_precede = w->consecutive && f->unoffset_pair;
    for (unsigned i = 0; i < taps; i++)
        w->row_distance[i] = nir_iadd_imm(b, nir_isub(b, f->pair[i], rows), -(int)i);
    if (w->consecutive)
        w->row_distance[0] = w->row_distance[1] =
            nir_isub(b, f->pair[0], nir_iadd(b, rows, second_tap_bias(b, level)));
    if (!s->kb->block) {
        locate_half(s, level, taps, w);
        return;
    }
    w->first_row = nir_iand_imm(b, least, 3);
    /* A borrow from the other half makes the distance too large to fit. */
    for (unsigned i = 0; i < taps; i++) {
        w->distance[i] = nir_isub(b, f->pair[i], origin);
        for (unsigned axis = 0; axis < 2; axis++) {
            nir_def *distance = axis ? w->distance[i] : nir_ushr_imm(b, w->distance[i], 16);
            w->index[axis][i] = nir_lookup_lanes(b, block_indices(s, axis), distance);
        }
    }
}

static nir_def *outside_rows(nir_builder *b, const struct cpu_window *w, unsigned taps,
                             unsigned rows)
{
    nir_def *bits = w->row_distance[0];

    if (taps > 1)
        bits = nir_ior(b, bits, w->row_distance[1]);
    if (w->may_precede) /* tap 0 must not lie in the column before the window */
        bits = nir_ior(b, bits, nir_iadd_imm(b, bits, -(int)ONE_COLUMN));
    return nir_iand_imm(b, bits, OUTSIDE_ROWS(rows));
}

static nir_def *outside_blocks(nir_builder *b, const struct cpu_window *w, unsigned taps,
                               unsigned blocks)
{
    nir_def *bits = NULL;

    for (unsigned i = 0; i < taps; i++) {
        bits = bits ? nir_ior(b, bits, w->distance[i]) : w->distance[i];
        if (blocks > 2) /* distance < 12 if distance and distance + 4 are < 16 */
            bits = nir_ior(b, bits, nir_iadd_imm(b, w->distance[i], ONE_BLOCK));
    }
    return nir_iand_imm(b, bits, blocks == 2 ? OUTSIDE_TWO_BLOCKS : OUTSIDE_16_TEXELS);
}

nir_def *cpu_outside_window(nir_builder *b, const struct cpu_window *w, unsigned taps,
                            enum cpu_window_kind kind)
{
    nir_def *bits;

    if (kind == CPU_TWO_ROWS || kind == CPU_FOUR_ROWS)
        bits = outside_rows(b, w, taps, kind == CPU_TWO_ROWS ? 2 : 4);
    else
        bits = outside_blocks(b, w, taps, kind == CPU_TWO_BLOCKS ? 2 : 3);
    return w->other_slice ? nir_ior(b, bits, w->other_slice) : bits;
}

/* Returns 1 bit: the tap's texel is in the i-th block along an axis. Compares all bits of the block
 * index, because LLVM would invert a test of a single bit, and merging the permutations then takes
 * one more instruction. */
static nir_def *in_block(nir_builder *b, const struct cpu_window *w, unsigned axis, unsigned tap,
                         unsigned i)
{
    nir_def *block = nir_iand_imm(b, w->distance[tap], axis ? CPU_PAIR(0, 12) : CPU_PAIR(12, 0));
    return nir_ieq_imm(b, block, axis ? CPU_PAIR(0, 4 * i) : CPU_PAIR(4 * i, 0));
}

/* Loads the texels of a block: one 32-bit word per lane and plane. */
static void load_window_block(struct cpu_sample *s, nir_def *address, nir_def *column,
                              nir_def *plane[4])
{
    nir_builder *b = s->b;
    unsigned components, size;

    cpu_texel_shape(s->key->format, &components, &size);
    nir_def *words =
        nir_load_global_block(b, components, size, address, column, .align_mul = size / 8);
    for (unsigned c = 0; c < components; c++)
        plane[c] = nir_u2uN(b, nir_channel(b, words, c), 32);
}

/* Loads a window of kind CPU_FOUR_ROWS with 16 lanes. The four rows of each tap are assembled from
 * blocks once for all lanes; each tap then takes one permutation. */
static void read_four_rows(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                           unsigned taps, const struct cpu_window *w, nir_def *texel[4])
{
    nir_builder *b = s->b;
    unsigned planes, size;
    nir_def *block[2][2][4], *row[2][2][4], *word[4];

    cpu_texel_shape(s->key->format, &planes, &size);
    for (unsigned y = 0; y < 2; y++) {
        nir_def *address = row_address(s, level, base, window_block(s, level, w, 1, y));
        for (unsigned x = 0; x < 2; x++)
            load_window_block(s, address, cpu_window_column(s, level, w, x), block[x][y]);
    }
    for (unsigned i = 0; i < taps; i++)
        for (unsigned x = 0; x < 2; x++)
            for (unsigned p = 0; p < planes; p++)
                row[i][x][p] = nir_rows_of_blocks(b, nir_vec2(b, block[x][0][p], block[x][1][p]),
                                                  nir_iadd_imm(b, w->first_row, i));
    for (unsigned i = 0; i < taps * taps; i++) {
        nir_def *index =
            nir_ior(b, nir_ushr_imm(b, w->row_distance[i & 1], 14), w->row_distance[i >> 1]);
        if (w->consecutive && !(i & 1)) /* a column of the table has four rows */
            index = nir_iadd_imm(b, index, -4);
        for (unsigned p = 0; p < planes; p++)
            word[p] = nir_lookup_lanes(b, nir_vec2(b, row[i >> 1][0][p], row[i >> 1][1][p]), index);
        texel[i] = nir_u2uN(b, nir_vec(b, word, planes), size);
    }
}

/* Loads the texels of one slice for windows of blocks; those of taps x, y are texel[x + 2 * y]. */
static void read_slice(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                       unsigned taps, const struct cpu_window *w, unsigned blocks,
                       nir_def *texel[4])
{
    nir_builder *b = s->b;
    unsigned planes, size;
    nir_def *column[3], *word[4][4];

    cpu_texel_shape(s->key->format, &planes, &size);
    for (unsigned x = 0; x < blocks; x++)
        column[x] = cpu_window_column(s, level, w, x);
    for (unsigned y = 0; y < blocks; y++) {
        nir_def *row = row_address(s, level, base, window_block(s, level, w, 1, y));
        nir_def *block[3][4];
        for (unsigned x = 0; x < blocks; x++)
            load_window_block(s, row, column[x], block[x]);
        for (unsigned i = 0; i < taps * taps; i++) {
            nir_def *index = nir_ior(b, w->index[0][i & 1], w->index[1][i >> 1]);
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

nir_def *cpu_has_bit(nir_builder *b, nir_def *word, uint32_t bit)
{
    return nir_ine_imm(b, nir_iand_imm(b, word, bit), 0);
}

/* Joins a row of two adjacent blocks to one vector: texels of columns 0, 1, 4, 5, 2, 3, 6, 7. In
 * each block, lanes 0 and 1 hold columns 0 and 1 of the row, lanes 4 and 5 columns 2 and 3. */
static nir_def *join_row(struct cpu_sample *s, nir_def *left, nir_def *right)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *second = cpu_has_bit(b, nir_load_subgroup_invocation(b), 2);
    cpu_kernel_leave_prologue(s->kb, saved);
    return nir_bcsel(b, second, nir_quad_swap_vertical(b, right), left);
}

void cpu_read_row(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                  unsigned taps, const struct cpu_window *w, nir_def *i, nir_def *word[2])
{
    nir_builder *b = s->b;
    nir_def *block[2][4], *row = row_address(s, level, base, window_row(s, level, w, i));

    for (unsigned x = 0; x < 2; x++)
        load_window_block(s, row, w->column[x], block[x]);
    nir_def *joined = join_row(s, block[0][0], block[1][0]);
    for (unsigned x = 0; x < taps; x++)
        word[x] = nir_lookup_lanes(b, joined, w->index[0][x]);
}

static void words_to_texels(struct cpu_sample *s, nir_def *const *word, unsigned count,
                            nir_def **texel)
{
    unsigned components, size;

    cpu_texel_shape(s->key->format, &components, &size);
    for (unsigned i = 0; i < count; i++)
        texel[i] = nir_u2uN(s->b, word[i], size);
}

/* Loads a window of kind CPU_TWO_ROWS for half a block. A row is permuted once for both columns of
 * taps, and lanes select between rows. */
static void read_two_rows(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                          unsigned taps, const struct cpu_window *w, nir_def *texel[4])
{
    nir_builder *b = s->b;
    nir_def *word[3][2] = {0}, *chosen[4];

    for (unsigned y = 0; y < taps + 1; y++)
        cpu_read_row(s, level, base, taps, w, nir_imm_int(b, (int)y), word[y]);
    for (unsigned i = 0; i < taps * taps; i++) {
        unsigned x = i & 1, y = i >> 1;
        nir_def *second = cpu_has_bit(b, w->row_distance[y], 1);
        chosen[i] = nir_bcsel(b, second, word[y + 1][x], word[y][x]);
    }
    words_to_texels(s, chosen, taps * taps, texel);
}

/* Loads a window of kind CPU_FOUR_ROWS for half a block, one row after the other. */
static void read_rows_of_half(struct cpu_sample *s, const struct cpu_level_def *level,
                              nir_def *base, unsigned taps, const struct cpu_window *w,
                              nir_def *texel[4])
{
    nir_builder *b = s->b;
    nir_variable *word[4];
    nir_def *y, *value[2], *chosen[4];

    for (unsigned i = 0; i < taps * taps; i++) {
        word[i] = nir_local_variable_create(s->kb->impl, glsl_uint_type(), "texel");
        nir_store_var(b, word[i], nir_imm_int(b, 0), 1);
    }
    struct cpu_count_loop loop = cpu_begin_count_loop(b, nir_imm_int(b, 3 + (int)taps), &y);
    cpu_read_row(s, level, base, taps, w, y, value);
    for (unsigned i = 0; i < taps * taps; i++) {
        nir_def *row = nir_iand_imm(b, w->row_distance[i >> 1], 0xffff);
        row = nir_iadd_imm(b, row, i >> 1);
        nir_store_var(b, word[i],
                      nir_bcsel(b, nir_ieq(b, row, y), value[i & 1], nir_load_var(b, word[i])), 1);
    }
    cpu_end_count_loop(b, &loop, 1);
    for (unsigned i = 0; i < taps * taps; i++)
        chosen[i] = nir_load_var(b, word[i]);
    words_to_texels(s, chosen, taps * taps, texel);
}

void cpu_read_window(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                     const struct cpu_window *w, enum cpu_window_kind kind, nir_def *texel[8])
{
    for (unsigned z = 0; z < (s->dims > 2 ? taps : 1); z++) {
        nir_def **slice_texel = texel + 4 * z;
        if (kind == CPU_TWO_ROWS)
            read_two_rows(s, level, w->base[z], taps, w, slice_texel);
        else if (kind == CPU_FOUR_ROWS && s->kb->block)
            read_four_rows(s, level, w->base[z], taps, w, slice_texel);
        else if (kind == CPU_FOUR_ROWS)
            read_rows_of_half(s, level, w->base[z], taps, w, slice_texel);
        else
            read_slice(s, level, w->base[z], taps, w, kind == CPU_TWO_BLOCKS ? 2 : 3, slice_texel);
    }
}

static nir_def *gather_texel(struct cpu_sample *s, const struct cpu_footprint *f, unsigned i)
{
    nir_def *texel = f->column[i & 1];
    if (s->dims > 1)
        texel = nir_iadd(s->b, texel, f->row[i >> 1 & 1]);
    return cpu_load_texel(s, f->base[i >> 2], texel);
}

static void gather_footprint(struct cpu_sample *s, const struct cpu_footprint *f, unsigned count,
                             nir_def *texel[8])
{
    for (unsigned i = 0; i < count; i++)
        texel[i] = gather_texel(s, f, i);
}

/* Stores the kinds of windows to try, in this order, and returns their number. */
static unsigned choose_windows(const struct cpu_sample *s, bool linear,
                               enum cpu_window_kind kind[2])
{
    const bool blocks = s->kb->block && (!linear || s->minified);

    if (blocks) {
        kind[0] = CPU_TWO_BLOCKS;
        kind[1] = CPU_THREE_BLOCKS;
    } else {
        kind[0] = s->kb->block ? CPU_FOUR_ROWS : CPU_TWO_ROWS;
        kind[1] = s->kb->block ? CPU_TWO_BLOCKS : CPU_FOUR_ROWS;
    }
    return linear ? 2 : 1;
}

void cpu_fetch_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                         struct cpu_footprint *f)
{
    nir_builder *b = s->b;
    const unsigned taps = linear ? 2 : 1, count = linear ? 1u << s->dims : 1;
    nir_def *from_window[2][8];
    enum cpu_window_kind kind[2];
    struct cpu_window w;

    if (!cpu_sample_may_use_window(s, linear)) {
        gather_footprint(s, f, count, f->texel);
        return;
    }
    const unsigned windows = choose_windows(s, linear, kind);
    cpu_locate_window(s, level, f, taps, &w);
    for (unsigned i = 0; i < windows; i++) {
        nir_def *outside = cpu_outside_window(b, &w, taps, kind[i]);
        nir_push_if(b, nir_vote_all(b, nir_ieq_imm(b, outside, 0)));
        cpu_read_window(s, level, taps, &w, kind[i], from_window[i]);
        nir_push_else(b, NULL);
    }
    gather_footprint(s, f, count, f->texel);
    for (unsigned i = windows; i-- > 0;) {
        nir_pop_if(b, NULL);
        for (unsigned t = 0; t < count; t++)
            f->texel[t] = nir_if_phi(b, from_window[i][t], f->texel[t]);
    }
}
