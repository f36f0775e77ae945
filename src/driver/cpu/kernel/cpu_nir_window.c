/* SPDX-License-Identifier: MIT */
/*
 * Fetches of texels: loads of blocks that all lanes share, where footprints lie near each other, and
 * permutations of these; else gathers.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

#include "driver/cpu/kernel/cpu_nir_format.h"

bool cpu_sample_may_use_window(const struct cpu_sample *s, bool linear)
{
    unsigned components, size;

    if (cpu_filters_rows(s) || !s->kb->near || s->kb->lanes < 8)
        return false;
    cpu_texel_shape(s->key->format, &components, &size);
    bool words = size == 32 && (components == 2 || components == 4) && s->kb->block;
    return !s->scattered && s->dims >= 2 && !s->sample && (words || components == 1) &&
           (s->kb->block || (linear && !s->minified)); /* else gathers of 8 take no longer */
}

/* What a lane's number, as that of a column (axis 0) or row of texels, adds to the index of a texel of two
 * blocks. Bits 0 … 2 of a column go to bits 0, 2 and 4 of the index: the third chooses the block. Bits 0
 * and 1 of a row go to 1 and 3. */
static nir_def *places_in_blocks(struct cpu_sample *s, unsigned axis)
{
    nir_builder *b = s->b;
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *sum = nir_iand_imm(b, lane, 1);

    for (unsigned i = 1; i < 3 - axis; i++)
        sum = nir_ior(b, sum, nir_ishl_imm(b, nir_iand_imm(b, lane, 1 << i), i));
    sum = nir_ishl_imm(b, sum, axis);
    cpu_kernel_leave_prologue(s->kb, place);
    return sum;
}

nir_def *cpu_places_in_row(struct cpu_sample *s, unsigned less)
{
    nir_builder *b = s->b;
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *column = nir_iadd_imm(b, nir_load_subgroup_invocation(b), -(int)less);
    nir_def *sum = nir_iand_imm(b, column, 1);

    sum = nir_ior(b, sum, nir_ishl_imm(b, nir_iand_imm(b, column, 2), 1));
    sum = nir_ior(b, sum, nir_ushr_imm(b, nir_iand_imm(b, column, 4), 1));
    cpu_kernel_leave_prologue(s->kb, place);
    return sum;
}

/* The slices that the first lane reads. */
void cpu_choose_slices(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w)
{
    nir_builder *b = s->b;

    w->elsewhere = NULL;
    w->base[0] = f->base[0];
    for (unsigned i = 0; i < (s->dims > 2 ? taps : 1); i++) {
        nir_def *slice = s->dims > 2 ? f->axis[2].index[i] : s->layer;
        if (!slice)
            continue;
        nir_def *first = nir_read_first_invocation(b, slice), *other = nir_ixor(b, slice, first);
        w->base[i] = cpu_level_base(s, level, first);
        w->elsewhere = w->elsewhere ? nir_ior(b, w->elsewhere, other) : other;
    }
}

/* Number i × 4 texels behind the origin along the axis; of what lies outside of the level, some block
 * of it; where the axis repeats in powers of two, the one that follows. */
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

/* Number i behind the first row of half a block's window; of what lies outside of the level as window_block
 * has it, or an entry behind the table's last. */
static nir_def *window_row(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, nir_def *i)
{
    nir_builder *b = s->b;
    nir_def *y = nir_iadd(b, w->origin[1], i);
    return s->key->pot_h ? nir_iand(b, y, nir_iadd_imm(b, level->height, -1)) : y;
}

/* Address of the row's first texel. */
static nir_def *row_address(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                            nir_def *y)
{
    nir_builder *b = s->b;
    nir_def *offset = nir_ishl_imm(b, y, 2);
    nir_def *row = nir_load_global_constant(b, 1, 32, level->rows, offset, .align_mul = 4);
    return nir_iadd(b, base, nir_u2u64(b, row));
}

/* Bytes before the window's i-th block along axis 0. */
nir_def *cpu_window_column(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, unsigned i)
{
    return nir_load_global_constant(s->b, 1, 32, level->columns, window_block(s, level, w, 0, i),
                                    .align_mul = 4);
}

/* What makes the distance from rows that of the second taps where they follow the first: a column. A level that
 * is smaller than a block does not repeat in it: nothing fits. */
static nir_def *before_rows(nir_builder *b, const struct cpu_level_def *level)
{
    nir_def *least = nir_imin(b, level->width, level->height);
    return nir_bcsel(b, nir_ilt_imm(b, least, 4), nir_imm_int(b, INT32_MIN),
                     nir_imm_int(b, -0x10000));
}

/* The least of the first taps' texels along either axis. With constant offsets, what it would be if none of them went
 * around an edge: then accesses that differ in these have one minimum. What does not lie behind it does not fit. */
static nir_def *least_texels(nir_builder *b, const struct cpu_footprint *f)
{
    if (!f->unmoved)
        return nir_min_2x16(b, f->pair[0]);
    return nir_iand(b, nir_iadd(b, nir_min_2x16(b, f->unmoved), f->moved[0]), f->moved[1]);
}

/* The window of half a block, where it is known how far taps are from rows. */
static void locate_half(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                        struct cpu_window *w)
{
    nir_builder *b = s->b;

    for (unsigned i = 0; i < 2; i++)
        w->column[i] = cpu_window_column(s, level, w, i);
    for (unsigned i = 0; i < taps; i++)
        w->place[0][i] = nir_lookup_lanes(b, cpu_places_in_row(s, w->follows && !i),
                                          nir_ushr_imm(b, w->from_row[i], 16));
}

void cpu_locate_window(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w)
{
    nir_builder *b = s->b;

    cpu_choose_slices(s, level, f, taps, w);
    nir_def *least = least_texels(b, f), *rows = nir_iand_imm(b, least, 0xfffcffff);
    nir_def *origin = s->kb->block ? nir_iand_imm(b, least, 0xfffcfffc) : rows;
    w->origin[0] = nir_ushr_imm(b, origin, 16);
    w->origin[1] = nir_iand_imm(b, origin, 0xffff);
    w->follows = taps > 1 && f->follows;
    w->may_precede = w->follows && f->unmoved;
    for (unsigned i = 0; i < taps; i++)
        w->from_row[i] = nir_iadd_imm(b, nir_isub(b, f->pair[i], rows), -(int)i);
    if (w->follows)
        w->from_row[0] = w->from_row[1] =
            nir_isub(b, f->pair[0], nir_iadd(b, rows, before_rows(b, level)));
    if (!s->kb->block) {
        locate_half(s, level, taps, w);
        return;
    }
    w->first_row = nir_iand_imm(b, least, 3);
    for (unsigned i = 0; i < taps; i++) { /* what borrows from the other half fits nowhere */
        w->distance[i] = nir_isub(b, f->pair[i], origin);
        for (unsigned axis = 0; axis < 2; axis++) {
            nir_def *distance = axis ? w->distance[i] : nir_ushr_imm(b, w->distance[i], 16);
            w->place[axis][i] = nir_lookup_lanes(b, places_in_blocks(s, axis), distance);
        }
    }
}

static nir_def *beyond_rows(nir_builder *b, const struct cpu_window *w, unsigned taps,
                            unsigned rows)
{
    nir_def *bits = w->from_row[0];

    if (taps > 1)
        bits = nir_ior(b, bits, w->from_row[1]);
    if (w->may_precede) /* the first taps are not in the column before the first */
        bits = nir_ior(b, bits, nir_iadd_imm(b, bits, -0x10000));
    return nir_iand_imm(b, bits, 0xfff80000 | (0x10000 - rows));
}

static nir_def *beyond_blocks(nir_builder *b, const struct cpu_window *w, unsigned taps,
                              unsigned blocks)
{
    nir_def *bits = NULL;

    for (unsigned i = 0; i < taps; i++) {
        bits = bits ? nir_ior(b, bits, w->distance[i]) : w->distance[i];
        if (blocks > 2) /* below 12: below 16 with another 4 */
            bits = nir_ior(b, bits, nir_iadd_imm(b, w->distance[i], 0x00040004));
    }
    return nir_iand_imm(b, bits, blocks == 2 ? 0xfff8fff8 : 0xfff0fff0);
}

nir_def *cpu_beyond_window(nir_builder *b, const struct cpu_window *w, unsigned taps,
                           enum cpu_window_kind kind)
{
    nir_def *bits;

    if (kind == CPU_TWO_ROWS || kind == CPU_FOUR_ROWS)
        bits = beyond_rows(b, w, taps, kind == CPU_TWO_ROWS ? 2 : 4);
    else
        bits = beyond_blocks(b, w, taps, kind == CPU_TWO_BLOCKS ? 2 : 3);
    return w->elsewhere ? nir_ior(b, bits, w->elsewhere) : bits;
}

/* Whether the tap's texel is in the i-th block along an axis. Compared with all bits of the block's
 * number: a test of one bit would be turned around, and permutations then merge in another step. */
static nir_def *in_block(nir_builder *b, const struct cpu_window *w, unsigned axis, unsigned tap,
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
    unsigned components, size;

    cpu_texel_shape(s->key->format, &components, &size);
    nir_def *words =
        nir_load_global_block(b, components, size, address, column, .align_mul = size / 8);
    for (unsigned c = 0; c < components; c++)
        plane[c] = nir_u2uN(b, nir_channel(b, words, c), 32);
}

/* look_into_slice where the texels of each tap are in four rows: these are made of blocks above each other
 * once for all lanes, and then one permutation is enough for a tap. */
static void look_into_rows(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
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
        nir_def *index = nir_ior(b, nir_ushr_imm(b, w->from_row[i & 1], 14), w->from_row[i >> 1]);
        if (w->follows && !(i & 1)) /* a column has four rows */
            index = nir_iadd_imm(b, index, -4);
        for (unsigned p = 0; p < planes; p++)
            word[p] = nir_lookup_lanes(b, nir_vec2(b, row[i >> 1][0][p], row[i >> 1][1][p]), index);
        texel[i] = nir_u2uN(b, nir_vec(b, word, planes), size);
    }
}

/* The texels of one slice, texel[x + 2 y]. */
static void look_into_slice(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
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
nir_def *cpu_has_bit(nir_builder *b, nir_def *word, uint32_t bit)
{
    return nir_ine_imm(b, nir_iand_imm(b, word, bit), 0);
}

/* Texels of columns 0, 1, 4, 5, 2, 3, 6 and 7 of a row of two blocks, whose columns 0 and 1 are in lanes 0 and 1
 * and columns 2 and 3 in lanes 4 and 5. */
static nir_def *join_row(struct cpu_sample *s, nir_def *left, nir_def *right)
{
    nir_builder *b = s->b;
    struct cpu_place place = cpu_kernel_enter_prologue(s->kb);
    nir_def *second = cpu_has_bit(b, nir_load_subgroup_invocation(b), 2);
    cpu_kernel_leave_prologue(s->kb, place);
    return nir_bcsel(b, second, nir_quad_swap_vertical(b, right), left);
}

void cpu_look_into_row(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                       unsigned taps, const struct cpu_window *w, nir_def *i, nir_def *word[2])
{
    nir_builder *b = s->b;
    nir_def *block[2][4], *row = row_address(s, level, base, window_row(s, level, w, i));

    for (unsigned x = 0; x < 2; x++)
        load_window_block(s, row, w->column[x], block[x]);
    nir_def *joined = join_row(s, block[0][0], block[1][0]);
    for (unsigned x = 0; x < taps; x++)
        word[x] = nir_lookup_lanes(b, joined, w->place[0][x]);
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
                               nir_def *base, unsigned taps, const struct cpu_window *w,
                               nir_def *texel[4])
{
    nir_builder *b = s->b;
    nir_def *word[3][2], *chosen[4];

    for (unsigned y = 0; y < taps + 1; y++)
        cpu_look_into_row(s, level, base, taps, w, nir_imm_int(b, (int)y), word[y]);
    for (unsigned i = 0; i < taps * taps; i++) {
        unsigned x = i & 1, y = i >> 1;
        nir_def *second = cpu_has_bit(b, w->from_row[y], 1);
        chosen[i] = nir_bcsel(b, second, word[y + 1][x], word[y][x]);
    }
    words_to_texels(s, chosen, taps * taps, texel);
}

/* Of four rows for each tap: one after the other. */
static void look_into_rows_of_half(struct cpu_sample *s, const struct cpu_level_def *level,
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
    cpu_look_into_row(s, level, base, taps, w, y, value);
    for (unsigned i = 0; i < taps * taps; i++) {
        nir_def *row = nir_iand_imm(b, w->from_row[i >> 1], 0xffff);
        row = nir_iadd_imm(b, row, i >> 1);
        nir_store_var(b, word[i],
                      nir_bcsel(b, nir_ieq(b, row, y), value[i & 1], nir_load_var(b, word[i])), 1);
    }
    cpu_end_count_loop(b, &loop, 1);
    for (unsigned i = 0; i < taps * taps; i++)
        chosen[i] = nir_load_var(b, word[i]);
    words_to_texels(s, chosen, taps * taps, texel);
}

void cpu_look_into_window(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                          const struct cpu_window *w, enum cpu_window_kind kind, nir_def *texel[8])
{
    for (unsigned z = 0; z < (s->dims > 2 ? taps : 1); z++) {
        nir_def **of_slice = texel + 4 * z;
        if (kind == CPU_TWO_ROWS)
            look_into_two_rows(s, level, w->base[z], taps, w, of_slice);
        else if (kind == CPU_FOUR_ROWS && s->kb->block)
            look_into_rows(s, level, w->base[z], taps, w, of_slice);
        else if (kind == CPU_FOUR_ROWS)
            look_into_rows_of_half(s, level, w->base[z], taps, w, of_slice);
        else
            look_into_slice(s, level, w->base[z], taps, w, kind == CPU_TWO_BLOCKS ? 2 : 3,
                            of_slice);
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

/* Windows that are tried in turn. */
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
    nir_def *near[2][8];
    enum cpu_window_kind kind[2];
    struct cpu_window w;

    if (!cpu_sample_may_use_window(s, linear)) {
        gather_footprint(s, f, count, f->texel);
        return;
    }
    const unsigned windows = choose_windows(s, linear, kind);
    cpu_locate_window(s, level, f, taps, &w);
    for (unsigned i = 0; i < windows; i++) {
        nir_def *beyond = cpu_beyond_window(b, &w, taps, kind[i]);
        nir_push_if(b, nir_vote_all(b, nir_ieq_imm(b, beyond, 0)));
        cpu_look_into_window(s, level, taps, &w, kind[i], near[i]);
        nir_push_else(b, NULL);
    }
    gather_footprint(s, f, count, f->texel);
    for (unsigned i = windows; i-- > 0;) {
        nir_pop_if(b, NULL);
        for (unsigned t = 0; t < count; t++)
            f->texel[t] = nir_if_phi(b, near[i][t], f->texel[t]);
    }
}
