/* SPDX-License-Identifier: MIT */
/*
 * Interface of the files that filter texels of one mipmap level. cpu_nir_wrap.c computes the
 * footprint (which texels are read), cpu_nir_window.c fetches the texels, cpu_nir_filter.c decodes
 * and filters them. cpu_nir_filter_aos.c fetches and filters texels of four floats or half floats
 * in their memory layout.
 *
 * A linear filter reads two texels along each axis: tap 0 and tap 1; a nearest filter only tap 0. A
 * pair is a word that holds two texel coordinates: x in the high half, y in the low half.
 */
#ifndef CPU_NIR_FILTER_H
#define CPU_NIR_FILTER_H

#include "driver/cpu/kernel/cpu_nir_sample.h"
#include "util/format.h"

/* A constant pair of coordinates, or a mask of bits of a pair. */
#define CPU_PAIR(x, y) ((uint32_t)(x) << 16 | ((uint32_t)(y)&0xffff))

/* Texels along one axis that a filter reads. */
struct cpu_axis_texels {
    nir_def *index[2]; /* texel coordinate of each tap, after wrapping; always inside the level */
    /* Coordinate of tap 0 before wrapping; that of tap 1 is one higher. NULL if cpu_wrap_index()
     * cannot wrap it in this mode, or for fixed-point coordinates. */
    nir_def *unwrapped;
    nir_def *weight;       /* linear filters: weight of tap 1, float in [0,1] */
    nir_def *fixed;        /* the same in units of 1/256 in a word's low byte, or NULL */
    nir_def *outside[2];   /* 1 bit: the tap reads the border color; NULL: never */
    nir_def *unclamped[2]; /* seamless cubes: coordinates in [-1, size]; otherwise NULL */
    /* Tap 1 has weight zero, or index[1] is (index[0] + 1) modulo the size. */
    bool consecutive;
};

/* All texels that a filter reads in one level: up to two along each axis. */
struct cpu_footprint {
    struct cpu_axis_texels axis[3];
    nir_def *pair[2]; /* per tap: coordinates of axes 0 and 1, packed */
    /* pair[0] before constant texel offsets are added; NULL if there are none */
    nir_def *unoffset_pair;
    nir_def *pair_offset; /* pair[0] is (unoffset_pair + pair_offset) & pair_mask; uniform */
    nir_def *pair_mask;
    nir_def *column[2]; /* per tap: cpu_texel_column() */
    nir_def *row[2];    /* per tap: cpu_texel_row() */
    nir_def *base[2];   /* address of the layer; 3D: of the slice of each tap */
    nir_def *texel[8];  /* the texel of taps x, y, z is texel[x + 2 * y + 4 * z] */
    bool consecutive;   /* on axes 0 and 1, see cpu_axis_texels */
};

/* The footprints of a block's fragments are usually adjacent. If all of them lie inside a window of
 * texels of one slice (or two slices in 3D), the window is loaded once for all lanes, and each lane
 * selects its texels by permutations. Otherwise each lane gathers each texel. */
enum cpu_window_kind {
    /* Two blocks wide. A lane's tap 0 is in row 0 or 1 of the window, its tap 1 in row 1 or 2. */
    CPU_TWO_ROWS,
    CPU_FOUR_ROWS,   /* the same with four rows per tap */
    CPU_TWO_BLOCKS,  /* 2×2 blocks of texels */
    CPU_THREE_BLOCKS /* 3×3 blocks of texels, for up to two texels per pixel */
};

/* Position of a window, and of each lane's texels in it. */
struct cpu_window {
    /* Uniform texel coordinates of the window's first block. With 8 lanes, y is that of the
     * window's first row, which need not be the first of a block. */
    nir_def *origin[2];
    nir_def *base[2];     /* uniform addresses of the slices, which are those of the first lane */
    nir_def *other_slice; /* nonzero in lanes that read other slices; NULL: there is only one */
    /* 16 lanes: index[0][tap] | index[1][tap] is the texel's index in two adjacent blocks. 8 lanes:
     * index[0][tap] is the index of the tap's column in the texels of a row (cpu_row_indices). */
    nir_def *index[2][2];
    nir_def *distance[2]; /* per tap: pair of distances from the origin, for blocks */
    /* Per tap: pair of the column, counted from the window's first, and the row, counted from the
     * first row that the tap may read. If `consecutive`, both entries are the same pair: the column
     * of tap 1 and the row of tap 0. */
    nir_def *row_distance[2];
    bool consecutive; /* cpu_footprint.consecutive */
    /* Texels of tap 0 may lie one column before the window, because its origin was computed without
     * constant offsets and then moved by them. */
    bool may_precede;
    nir_def *first_row; /* 16 lanes: smallest row of tap 0 minus origin[1], 0 to 3; uniform */
    nir_def *column[2]; /* half blocks: cpu_window_column(0) and (1) */
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

/* Computes the texels that a filter reads along an axis. */
struct cpu_axis_texels cpu_wrap_axis(struct cpu_sample *s, const struct cpu_level_def *level,
                                     unsigned axis, bool linear);
/* Wraps or clamps a texel coordinate (cpu_axis_texels.unwrapped, or one higher) to the level. */
nir_def *cpu_wrap_index(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis,
                        nir_def *index);
/* Fills in all fields of the footprint except `texel`. */
void cpu_locate_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct cpu_footprint *f);

/* --- cpu_nir_window.c --- */

/* Loads f->texel from windows or by gathers. */
void cpu_fetch_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                         struct cpu_footprint *f);
/* Computes the window of a footprint with 1 or 2 taps per axis. */
void cpu_locate_window(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w);
/* Returns a word that is nonzero in lanes that read a texel outside the window. */
nir_def *cpu_outside_window(nir_builder *b, const struct cpu_window *w, unsigned taps,
                            enum cpu_window_kind kind);
/* Loads the window and selects each lane's texels, stored as in cpu_footprint.texel. All lanes must
 * be inside the window. */
void cpu_read_window(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                     const struct cpu_window *w, enum cpu_window_kind kind, nir_def *texel[8]);
/* Fills in w->base and w->other_slice. */
void cpu_find_slices(struct cpu_sample *s, const struct cpu_level_def *level,
                     const struct cpu_footprint *f, unsigned taps, struct cpu_window *w);
/* Returns a table for nir_lookup_lanes(): entry i is the index of column (i - less) among the
 * texels of a row of two blocks, whose columns are in the order 0, 1, 4, 5, 2, 3, 6, 7. */
nir_def *cpu_row_indices(struct cpu_sample *s, unsigned less);
/* Returns the byte offset of the window's i-th column of blocks. */
nir_def *cpu_window_column(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, unsigned i);
/* Loads row i of an 8-lane window: in each lane, word[t] is the texel in tap t's column. If the row
 * lies outside the level, it wraps around if the level repeats and has a power-of-two height;
 * otherwise the texels are unspecified. */
void cpu_read_row(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                  unsigned taps, const struct cpu_window *w, nir_def *i, nir_def *word[2]);
/* Returns 1 bit: whether any bit of the mask `bit` is set in the word. */
nir_def *cpu_has_bit(nir_builder *b, nir_def *word, uint32_t bit);

/* --- cpu_nir_filter.c --- */

/* Returns the address of texel 0 of a layer (NULL: the first layer) and of the sample s->sample. */
nir_def *cpu_level_base(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *layer);
/* Loads the texel with index `texel` from the layer at `base`. The result has the shape that
 * cpu_texel_shape() returns. */
nir_def *cpu_load_texel(struct cpu_sample *s, nir_def *base, nir_def *texel);

/* --- cpu_nir_filter_aos.c --- */

/* Returns whether texels can be filtered in their memory layout (as arrays of structures). This
 * requires texels of four floats or half floats, a shader that uses at least three components, and
 * a linear filter in two or three dimensions that never reads the border color. */
bool cpu_can_filter_aos(const struct cpu_sample *s);
/* Loads the texels of the footprint and filters them in that layout. */
void cpu_filter_aos(struct cpu_sample *s, const struct cpu_footprint *f, nir_def *channel[4]);
/* Filters a level for which cpu_sample_may_have_grid() is true. If the lanes of a block read a grid
 * of four columns and four rows of texels, loads only these; otherwise calls cpu_filter_aos(). */
void cpu_filter_by_grid(struct cpu_sample *s, const struct cpu_level_def *level,
                        nir_def *channel[4]);

#endif
