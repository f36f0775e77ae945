/* SPDX-License-Identifier: MIT */
/*
 * State of one texture access during lowering. cpu_nir_sample.c loads the operands of the
 * instruction and computes the level of detail. The files of cpu_nir_filter.h address, fetch and
 * filter texels of one level. cpu_nir_cube.c maps directions to cube faces.
 */
#ifndef CPU_NIR_SAMPLE_H
#define CPU_NIR_SAMPLE_H

#include "driver/cpu/kernel/cpu_nir.h"

/* The form of values between the fetch of texels and the end of filtering. */
enum cpu_packing {
    CPU_UNPACKED,      /* four channels, floats or integers */
    CPU_PACKED_BYTES,  /* one word with four 8-bit channels */
    CPU_PACKED_HALVES, /* two words with two 15-bit channels each: cpu_nir_unpack_halves() */
};

struct cpu_sample {
    struct cpu_kernel_builder *kb;
    nir_builder *b;
    nir_tex_instr *tex;
    const struct cpu_sampler_key *key;
    nir_def *texture;  /* uniform address of struct cpu_texture */
    nir_def *sampler;  /* uniform address of struct cpu_sampler */
    unsigned dims;     /* number of filtered coordinates: 1, 2 or 3; 2 for cube faces */
    nir_def *coord[3]; /* floats; integers for texel fetches */
    /* Layer index, in range, including the cube face; NULL: the target has no layers. */
    nir_def *layer;
    nir_def *sample;           /* sample index, in range; NULL: sample 0 */
    nir_def *face;             /* cube face; also included in layer; NULL: not a cube */
    nir_def *cube_layer;       /* index of the cube's first layer in a cube array; otherwise NULL */
    nir_def *offset[3];        /* texel offsets; NULL where there is none */
    nir_def *compare;          /* reference value of depth comparison, or NULL */
    nir_def *ddx[3], *ddy[3];  /* derivatives of coord; NULL: not needed */
    bool implicit_derivatives; /* ddx and ddy are differences within quads */
    bool levels_only;          /* λ only selects levels: it is clamped to [0, 255] */
    nir_def *square;           /* squared footprint length that λ was approximated from, or NULL */
    nir_def *fixed_lod; /* λ in units of 1/256, an integer clamped to the level range; or NULL */
    enum cpu_packing packing;
    nir_def *joined; /* the packed texel that was last joined from `half`, or NULL */
    nir_def *half[2];
    bool fixed_point_pcf; /* depth comparison: results are filtered with weights in 1/256 */
    bool levels_differ;   /* the lanes of the vector need different levels */
    bool not_grid;        /* the texels are known not to form a grid */
    bool minified;        /* the level being filtered has one to two texels per pixel */
    /* Anisotropic filtering: number of probes, a float per lane; NULL: one probe. */
    nir_def *probes;
    nir_def *major[2]; /* change of coord along the major axis, which the probes divide evenly */
};

/* Returns the index of the texel channel that result component c comes from, or DRV_SWIZZLE_0 or
 * DRV_SWIZZLE_1 for a constant. */
unsigned cpu_sample_channel(const struct cpu_sample *s, unsigned c);
/* Returns whether the result is integers. */
bool cpu_sample_is_integer(const struct cpu_sample *s);
/* Applies the swizzles of format and view: converts channels to the result's components. */
void cpu_sample_swizzle(struct cpu_sample *s, nir_def *const channel[4], nir_def *rgba[4]);

/* Loads the fields of a level; NULL: of the view's first level, in the prologue. */
void cpu_sample_load_level(struct cpu_sample *s, nir_def *level, struct cpu_level_def *def);

/* Returns whether no axis has a wrap mode that may read the border color. */
bool cpu_reads_no_border(const struct cpu_sample *s);
/* Returns how values are packed. Unsigned normalized channels are packed if they are filtered
 * linearly and never mixed with the border color. */
enum cpu_packing cpu_sample_packing(const struct cpu_sample *s);
/* Returns the number of values that a filter returns. */
static inline unsigned cpu_sample_values(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_BYTES ? 1 : s->packing == CPU_PACKED_HALVES ? 2 : 4;
}
/* Converts packed values to four channels, in place. */
void cpu_sample_unpack(const struct cpu_sample *s, nir_def *channel[4]);

/* Interpolates two channel values; weight: that of y, a float in [0, 1]. With a min or max
 * reduction, returns the smaller or larger of the values whose weight is not zero
 * (ARB_texture_filter_minmax). */
nir_def *cpu_sample_mix(const struct cpu_sample *s, nir_def *x, nir_def *y, nir_def *weight);
/* Returns the smaller or larger value, as the reduction mode says. */
nir_def *cpu_sample_reduce(const struct cpu_sample *s, nir_def *x, nir_def *y);

/* Filters one level and returns cpu_sample_values() values in `channel`. */
void cpu_sample_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                       nir_def *channel[4]);
/* Returns whether the texels of a vector of adjacent pixels may be fetched through a window (struct
 * cpu_window). linear: for a linear filter. */
bool cpu_sample_may_use_window(const struct cpu_sample *s, bool linear);
/* Interpolates the values of two levels; share: the weight of `next`, as split_lod() returns it. */
void cpu_sample_mix_levels(struct cpu_sample *s, nir_def *const channel[4], nir_def *const next[4],
                           nir_def *share, nir_def *mixed[4]);
/* Emits "if (all lanes use windows of these levels)" with code that filters both uniform levels and
 * interpolates them. The first level has one to two texels per pixel, the second half of that.
 * Filtering both in one basic block lets their dependency chains overlap. `differs` is nonzero in
 * lanes that need other levels. Leaves the builder in the else branch. */
void cpu_sample_begin_two_levels(struct cpu_sample *s, const struct cpu_level_def level[2],
                                 bool linear, nir_def *differs, nir_def *share, nir_def *mixed[4]);
/* Returns whether the texels of a vector may form a grid, filtered in memory layout: all pixels of
 * a column of pixels read the same texel columns, and all pixels of a row the same texel rows. */
bool cpu_sample_may_have_grid(const struct cpu_sample *s);
/* Does the same as cpu_sample_begin_two_levels() with grids instead of windows. */
void cpu_sample_begin_two_grids(struct cpu_sample *s, const struct cpu_level_def level[2],
                                nir_def *differs, nir_def *share, nir_def *mixed[4]);
/* Returns one channel of the four texels of textureGather, in the order of GL 4.6 §8.14.1.
 * component: component of the texture result (0 to 3). */
void cpu_sample_gather(struct cpu_sample *s, const struct cpu_level_def *level, unsigned component,
                       nir_def *result[4]);
/* Loads the texel at s->coord, integers inside the level. */
void cpu_sample_fetch(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *channel[4]);
/* Loads the texel with index s->coord[0] of a buffer texture. */
void cpu_sample_fetch_buffer(struct cpu_sample *s, const struct cpu_level_def *level,
                             nir_def *channel[4]);

/* Replaces the direction in s->coord by coordinates on a cube face in [0,1], and transforms the
 * derivatives, if there are any. Sets s->face. */
void cpu_cube_project(struct cpu_sample *s);
/* Finds the texel of column *x and row *y of a face, which may lie across an edge: -1 or size.
 * Stores its face and its coordinates there. */
void cpu_cube_neighbor(nir_builder *b, nir_def *face, nir_def *size, nir_def **x, nir_def **y,
                       nir_def **new_face);

#endif
