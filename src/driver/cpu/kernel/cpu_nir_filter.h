/* SPDX-License-Identifier: MIT */
/*
 * What the files that filter texels of one level share: cpu_nir_wrap.c finds which texels, cpu_nir_window.c
 * fetches them, cpu_nir_filter.c decodes and mixes them; of four floats or halves cpu_nir_rows.c does both.
 */
#ifndef CPU_NIR_FILTER_H
#define CPU_NIR_FILTER_H

#include "driver/cpu/kernel/cpu_nir_sample.h"
#include "util/format.h"

/* Texels along one axis that a filter reads. */
struct cpu_axis_texels {
    nir_def *index[2]; /* in range */
    nir_def *number; /* what index[0] comes of by cpu_wrap_number, index[1] of the next; or NULL */
    nir_def *weight; /* of index[1], float in [0,1]; linear filters */
    nir_def *fixed;  /* the same in 256ths, a word's low byte; NULL: only as a float */
    nir_def *outside[2];   /* 1 bit: it is the border; NULL: never */
    nir_def *unclamped[2]; /* seamless cubes: -1 … size */
    bool
        follows; /* index[1] follows index[0], around the edge too, or has no weight, whatever it is */
};

/* Everything that is read in one level: per axis two texels, the parts of their addresses. */
struct cpu_footprint {
    struct cpu_axis_texels axis[3];
    nir_def *pair[2];  /* per tap, texels of axes 0 and 1: x << 16 | y */
    nir_def *unmoved;  /* pair[0] without constant offsets; NULL: there are none */
    nir_def *moved[2]; /* uniform: what a pair of texels moves by, and the bits that then count */
    nir_def *column[2], *row[2], *base[2]; /* base: per slice of 3D, else [0] */
    nir_def *texel[8];                     /* x + 2 y + 4 z */
    bool follows; /* the second taps follow the first, around the edge too, or have no weight */
};

/* The footprints of a block's fragments lie near each other. If all are within a window of texels of one slice
 * or two, loads of these that all lanes share and permutations give each lane its texels; a gather loads for
 * each lane, and for each tap anew. */
enum cpu_window_kind {
    CPU_TWO_ROWS, /* of half a block: each tap is in one of two rows, which begin anywhere, of two blocks */
    CPU_FOUR_ROWS,   /* likewise of four rows */
    CPU_TWO_BLOCKS,  /* of a block: each tap is in one of 2×2 blocks of texels */
    CPU_THREE_BLOCKS /* in one of 3×3, where a pixel covers up to two texels */
};

struct cpu_window {
    nir_def *origin
        [2]; /* texel coordinates of its first block, uniform; of half a block, of the first row */
    nir_def *base[2];     /* of the first lane's slices, uniform */
    nir_def *elsewhere;   /* not zero: the lane is in other slices; NULL: there is one for all */
    nir_def *place[2][2]; /* per axis and tap: what it adds to an index of two blocks' texels */
    /* of blocks: per tap, how far the lane's texel is from the origin; columns and rows in halves */
    nir_def *distance[2];
    /* of rows, per tap: the same from the first column and row of those of the tap, and the second's rows begin one
     * later; where taps follow, both are the first's with a column more */
    nir_def *from_row[2];
    bool follows;
    bool may_precede; /* with offsets: where taps follow, lanes may be a column before the first */
    nir_def
        *first_row; /* of a block: that of the first tap's four rows, from the origin; uniform */
    nir_def *column[2]; /* of half a block: offsets of its two columns of blocks; uniform */
};

static inline const struct drv_format_desc *cpu_sample_desc(const struct cpu_sample *s)
{
    return drv_format_desc(s->key->format);
}

static inline nir_def *cpu_level_size(const struct cpu_level_def *level, unsigned axis)
{
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

/* --- cpu_nir_wrap.c --- */

struct cpu_axis_texels cpu_wrap_axis(struct cpu_sample *s, const struct cpu_level_def *level,
                                     unsigned axis, bool linear);
/* The texel of a number that linear filters without border colors find. */
nir_def *cpu_wrap_number(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis,
                         nir_def *number);
/* Which texels are read, and where they are in memory; all but f->texel. */
void cpu_locate_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct cpu_footprint *f);

/* --- cpu_nir_window.c --- */

/* Loads f->texel. */
void cpu_fetch_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                         struct cpu_footprint *f);
/* The window of a footprint of so many taps along an axis, 1 or 2. */
void cpu_locate_window(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w);
/* Not zero in lanes whose texels are not in such a window. */
nir_def *cpu_beyond_window(nir_builder *b, const struct cpu_window *w, unsigned taps,
                           enum cpu_window_kind kind);
void cpu_look_into_window(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                          const struct cpu_window *w, enum cpu_window_kind kind, nir_def *texel[8]);
/* The slices that the first lane reads. */
void cpu_choose_slices(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w);
/* What the lane's number, less that, as that of a column, is as an index of cpu_look_into_row's texels. */
nir_def *cpu_places_in_row(struct cpu_sample *s, unsigned less);
/* Bytes before the window's i-th block along axis 0. */
nir_def *cpu_window_column(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, unsigned i);
/* Row i of the window of half a block: of texels in it, those of each tap's column. Of a row that lies outside of
 * the level, some texels of it; if it repeats in powers of two, those that follow. */
void cpu_look_into_row(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                       unsigned taps, const struct cpu_window *w, nir_def *i, nir_def *word[2]);
/* 1 bit, of a vector of words: the bit is set. */
nir_def *cpu_has_bit(nir_builder *b, nir_def *word, uint32_t bit);

/* --- cpu_nir_filter.c --- */

/* Address of texel 0 of a layer, or NULL: the first, of the sample that is read. */
nir_def *cpu_level_base(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *layer);
/* Texel number `texel` at base, in the shape of cpu_texel_shape. */
nir_def *cpu_load_texel(struct cpu_sample *s, nir_def *base, nir_def *texel);

/* --- cpu_nir_rows.c --- */

/* Texels of four floats or halves are filtered as they lie in memory, if most of that is asked for. */
bool cpu_filters_rows(const struct cpu_sample *s);
void cpu_filter_rows(struct cpu_sample *s, const struct cpu_footprint *f, nir_def *channel[4]);
/* A level that cpu_sample_may_have_grid. */
void cpu_filter_by_grid(struct cpu_sample *s, const struct cpu_level_def *level,
                        nir_def *channel[4]);

#endif
