/* SPDX-License-Identifier: MIT */
/*
 * Interface of the files that filter texels of one mipmap level. cpu_nir_wrap.c computes the
 * footprint (which texels are read), cpu_nir_window.c fetches the texels, cpu_nir_filter.c decodes
 * and filters them. cpu_nir_filter_aos.c fetches and filters texels of four floats or half floats
 * in their memory layout.
 *
 * A linear filter reads two texels along each axis; they are called taps 0 and 1. A nearest filter
 * has one tap. A pair is a word that holds two texel coordinates: x in the high half, y in the low
 * half.
 */
#ifndef CPU_NIR_FILTER_H
#define CPU_NIR_FILTER_H

#include "driver/cpu/kernel/cpu_nir_sample.h"
#include "util/format.h"

/* A constant pair, or a mask for a pair. */
#define CPU_PAIR(x, y) ((uint32_t)(x) << 16 | ((uint32_t)(y) & 0xffff))

/* The texels that a filter reads along one axis. */
struct cpu_axis_texels {
    nir_def *index[2]; /* texel coordinate of each tap, after wrapping; always inside the level */
    /* Coordinate of tap 0 before wrapping: index[t] is cpu_wrap_index(unwrapped + t) for both taps
     * t. NULL if `fixed` is set or the wrap mode needs other computations. */
    nir_def *unwrapped;
    nir_def *weight; /* linear filters without `fixed`: weight of tap 1, float in [0, 1] */
    /* Weight of tap 1 in units of 1/256, in the low byte of a word whose other bits are
     * unspecified; NULL: `weight` is used. */
    nir_def *fixed;
    nir_def *outside[2]; /* 1 bit: true if the tap reads the border color; NULL: never */
    /* Seamless cubes: coordinate of each tap in [-1, size]; otherwise NULL. */
    nir_def *unclamped[2];
    /* Tap 1 reads the texel after that of tap 0, modulo the size, in all lanes where its weight
     * isn't zero. */
    bool consecutive;
};

/* All texels that a filter reads in one level: up to two along each axis. Values of tap 1 are only
 * set for linear filters, those of an axis only if the texture has it. */
struct cpu_footprint {
    struct cpu_axis_texels axis[3];
    nir_def *pair[2]; /* per tap: pair of the coordinates on axes 0 and 1; not for 1D */
    /* For accesses with constant texel offsets: pair[0] is (unoffset_pair + pair_offset) &
     * pair_mask. pair_offset and pair_mask are uniform. NULL: not computed. */
    nir_def *unoffset_pair;
    nir_def *pair_offset;
    nir_def *pair_mask;
    nir_def *column[2]; /* per tap: contribution of the column to the texel's index in its layer */
    nir_def *row[2];    /* per tap: contribution of the row (cpu_texel_row()) */
    nir_def *base[2];   /* address of the layer; 3D: of the slice of each tap */
    nir_def *texel[8];  /* fetched texels; that of taps x, y, z is texel[x + 2 * y + 4 * z] */
    bool consecutive;   /* as in cpu_axis_texels, for axes 0 and 1; false: unknown */
};

/* Sizes of windows. A window is a rectangle of texels of one slice (in 3D, of two slices). A
 * vector's fragments are adjacent pixels, so their footprints are usually adjacent. If all of them
 * lie in the window, it is loaded once for all lanes, and each lane selects its texels by
 * permutations. Otherwise each lane gathers its texels.
 *
 * In windows of rows, row 0 is the topmost row that tap 0 reads in any lane. */
enum cpu_window_kind {
    /* Eight columns (two adjacent blocks of 4×4 texels). A lane's tap 0 reads row 0 or 1, its tap 1
     * the next row, so a linear filter loads three rows. */
    CPU_TWO_ROWS,
    CPU_FOUR_ROWS,   /* like CPU_TWO_ROWS, but tap 0 reads one of rows 0 to 3: loads five rows */
    CPU_TWO_BLOCKS,  /* 2×2 blocks of texels */
    CPU_THREE_BLOCKS /* 3×3 blocks of texels, for up to two texels per pixel */
};

/* Position of a window, and of each lane's texels in it. A vector is a block of 4×4 pixels, or half
 * a block.
 *
 * cpu_nir_filter.c also has code in which each lane decodes some texels of the window, and lanes
 * select their taps from the decoded texels (locate_shared()). Two fields then differ: distance[t]
 * is relative to texel (t, t) of the window, and index[0][] selects the texels that the lane
 * decodes. */
struct cpu_window {
    /* Uniform texel coordinates x, y of the window's first texel. Both are multiples of 4, but if a
     * vector is half a block of pixels, y may be any row. */
    nir_def *origin[2];
    nir_def *base[2];     /* uniform addresses of the slices that the first lane reads */
    nir_def *other_slice; /* nonzero in lanes that read other slices; NULL: there is only one */
    /* [axis][tap]: contribution of that axis to the index of the tap's texel in two adjacent
     * blocks. If a vector is half a block of pixels, only index[0][tap] is set: the index of the
     * tap's texel in a row as cpu_read_row() loads it. */
    nir_def *index[2][2];
    nir_def *distance[2]; /* windows of blocks, per tap: pair of the distances from the origin */
    /* Windows of rows, per tap: pair of the distances in columns from the origin, and in rows from
     * the topmost row that this tap reads in any lane. If the taps are consecutive, both entries
     * hold the column of tap 1 and the row of tap 0. */
    nir_def *row_distance[2];
    bool consecutive; /* linear filters: cpu_footprint.consecutive */
    /* Consecutive taps with a constant offset: tap 0 of a lane may lie one column before the
     * window, because the origin is computed as if no texel wrapped around an edge. */
    bool may_precede;
    /* If a vector is a whole block of pixels: uniform distance in rows, 0 to 3, from the origin to
     * the topmost row that tap 0 reads in any lane. */
    nir_def *first_row;
    /* If a vector is half a block of pixels: results of cpu_window_column() for i = 0 and 1. */
    nir_def *column[2];
};

/* Returns the description of the format that the filter reads. */
static inline const struct drv_format_desc *cpu_sample_desc(const struct cpu_sample *s)
{
    return drv_format_desc(s->key->format);
}

/* Returns the level's size along an axis (0 to 2) in texels. */
static inline nir_def *cpu_level_size(const struct cpu_level_def *level, unsigned axis)
{
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

/* --- cpu_nir_wrap.c --- */

/* Computes the texels that a filter reads along an axis (0 to 2), from s->coord and s->offset. */
struct cpu_axis_texels cpu_wrap_axis(struct cpu_sample *s, const struct cpu_level_def *level,
                                     unsigned axis, bool linear);
/* Wraps or clamps a texel coordinate (cpu_axis_texels.unwrapped or unwrapped + 1) to the level. */
nir_def *cpu_wrap_index(struct cpu_sample *s, const struct cpu_level_def *level, unsigned axis,
                        nir_def *index);
/* Fills in the fields of *f except `texel`. The caller has zeroed *f. */
void cpu_locate_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          struct cpu_footprint *f);

/* --- cpu_nir_window.c --- */

/* Fetches the texels of the footprint, through windows or by gathers, and stores them in
 * f->texel. */
void cpu_fetch_footprint(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                         struct cpu_footprint *f);
/* Computes the position of a window for a footprint with `taps` (1 or 2) taps per axis. */
void cpu_locate_window(struct cpu_sample *s, const struct cpu_level_def *level,
                       const struct cpu_footprint *f, unsigned taps, struct cpu_window *w);
/* Returns a word that is nonzero in lanes that read a texel outside the window. */
nir_def *cpu_outside_window(nir_builder *b, const struct cpu_window *w, unsigned taps,
                            enum cpu_window_kind kind);
/* Loads the window and selects each lane's texels, which it stores in texel[] in the order of
 * cpu_footprint.texel. The texels of all lanes must be inside the window. */
void cpu_read_window(struct cpu_sample *s, const struct cpu_level_def *level, unsigned taps,
                     const struct cpu_window *w, enum cpu_window_kind kind, nir_def *texel[8]);
/* Fills in the fields base and other_slice of *w. */
void cpu_find_slices(struct cpu_sample *s, const struct cpu_level_def *level,
                     const struct cpu_footprint *f, unsigned taps, struct cpu_window *w);
/* Returns a table for nir_lookup_lanes(). Entry i is the position of the window's column i - less
 * in a row that cpu_read_row() loads. Such a row has the columns in the order 0, 1, 4, 5, 2, 3, 6,
 * 7. */
nir_def *cpu_row_indices(struct cpu_sample *s, unsigned less);
/* Returns the byte offset of the window's i-th column of blocks. */
nir_def *cpu_window_column(struct cpu_sample *s, const struct cpu_level_def *level,
                           const struct cpu_window *w, unsigned i);
/* Loads row i of the window of a vector that is half a block of pixels. Stores each lane's texel in
 * the column of tap t in word[t]. A row outside the level wraps around if the wrap mode is repeat
 * and the height is a power of two; otherwise its texels are unspecified. */
void cpu_read_row(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *base,
                  unsigned taps, const struct cpu_window *w, nir_def *i, nir_def *word[2]);
/* Returns 1 bit: true if word & bit is not 0. */
nir_def *cpu_has_bit(nir_builder *b, nir_def *word, uint32_t bit);

/* --- cpu_nir_filter.c --- */

/* Returns the address of a layer's first texel, in the plane of sample s->sample. layer: NULL for
 * the first layer. */
nir_def *cpu_level_base(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *layer);
/* Loads the texel with index `texel` (per lane) from the layer at address `base`. The result has
 * the shape that cpu_texel_shape() returns. */
nir_def *cpu_load_texel(struct cpu_sample *s, nir_def *base, nir_def *texel);

/* --- cpu_nir_filter_aos.c --- */

/* Returns whether the texels are filtered in their memory layout (array of structures). They must
 * consist of four floats or half floats, and the shader must use at least three components. The
 * texture has two or three dimensions and one sample per texel. The minification or magnification
 * filter is linear, and neither a reduction mode, the border color nor textureGather is used. */
bool cpu_can_filter_aos(const struct cpu_sample *s);
/* Loads the texels of a linear filter's footprint and filters them in their memory layout. Stores
 * the four channels as 32-bit floats. Requires cpu_can_filter_aos(). */
void cpu_filter_aos(struct cpu_sample *s, const struct cpu_footprint *f, nir_def *channel[4]);
/* Filters a level of an access for which cpu_sample_may_have_grid() is true; that function defines
 * a grid. If the texels of a vector form a grid, the emitted code loads them with fewer offsets;
 * otherwise it does what cpu_filter_aos() does. */
void cpu_filter_by_grid(struct cpu_sample *s, const struct cpu_level_def *level,
                        nir_def *channel[4]);

#endif
