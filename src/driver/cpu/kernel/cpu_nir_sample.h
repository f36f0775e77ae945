/* SPDX-License-Identifier: MIT */
/*
 * Interface of the files that lower texture instructions. cpu_nir_sample.c loads the operands of
 * the instruction and computes the level of detail (λ). The files that cpu_nir_filter.h describes
 * fetch and filter texels of one level. cpu_nir_cube.c maps directions to cube faces.
 */
#ifndef CPU_NIR_SAMPLE_H
#define CPU_NIR_SAMPLE_H

#include "driver/cpu/kernel/cpu_nir.h"

/* The form of values between the fetch of texels and the end of filtering. */
enum cpu_packing {
    CPU_UNPACKED,      /* four channels, floats or integers */
    CPU_PACKED_BYTES,  /* one word with four 8-bit channels */
    CPU_PACKED_HALVES, /* two words with two 15-bit channels each (cpu_nir_unpack_halves()) */
};

/* State of a texture access during its lowering. */
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
    nir_def *sample;     /* sample index, in range; NULL: sample 0 */
    nir_def *face;       /* cube face, 0 to 5, which layer includes; NULL: not a cube */
    nir_def *cube_layer; /* index of the cube's first layer in a cube array; otherwise NULL */
    nir_def *offset[3];  /* texel offsets; NULL where there is none */
    nir_def *compare;    /* reference value of depth comparison, or NULL */
    /* Derivatives of coord. NULL: not needed, or the access has none and λ is the bias. */
    nir_def *ddx[3], *ddy[3];
    bool implicit_derivatives; /* ddx and ddy are differences within quads */
    /* λ only selects levels, not between minification and magnification, so it may be clamped to
     * [0, 255]. */
    bool levels_only;
    /* Squared length of the footprint (of one probe with anisotropic filtering) in texels, from
     * which λ was computed; or NULL. */
    nir_def *square;
    nir_def *fixed_lod; /* λ in units of 1/256, an integer clamped to the level range; or NULL */
    enum cpu_packing packing;
    /* The last result of linear filtering in packed form, for cpu_sample_unpack(): its first word,
     * or NULL if the format has one channel. */
    nir_def *joined;
    /* The same result with two channels in each word, as 16-bit integers: channels 0 and 2 in
     * half[0], channels 1 and 3 in half[1]. */
    nir_def *half[2];
    /* The weights of texels are integers in units of 1/256. True for some depth comparisons, and for
     * the residency of accesses whose filter uses such weights. */
    bool fixed_point_pcf;
    bool levels_differ; /* emitting code for vectors whose lanes need different levels */
    bool not_grid;      /* emitting code for vectors whose texels may form no grid */
    bool residency;     /* nir_tex_instr.is_residency: the values of texels are 1.0 or 0.0 */
    bool rounds_levels; /* residency: weights of levels are rounded down to units of 1/256 */
    bool minified;      /* emitting code for a level that has one to two texels per pixel */
    /* Anisotropic filtering: number of probes, a float per lane; NULL: one probe. */
    nir_def *probes;
    /* Change of coord along the footprint's major axis, on which the probes are evenly spaced. */
    nir_def *major[2];
};

/* Returns the index of the texel channel (0 to 3) that result component c comes from, or
 * DRV_SWIZZLE_0 or DRV_SWIZZLE_1 for a constant. */
unsigned cpu_sample_channel(const struct cpu_sample *s, unsigned c);
/* Returns whether the result of the access is integers, not floats. */
bool cpu_sample_is_integer(const struct cpu_sample *s);
/* Converts texel channels to the result's components, by the swizzles of the format and the
 * view. */
void cpu_sample_swizzle(struct cpu_sample *s, nir_def *const channel[4], nir_def *rgba[4]);

/* Loads the fields of the level with index `level`, which may differ between lanes. If `level` is
 * NULL, loads those of the view's first level, in the prologue. */
void cpu_sample_load_level(struct cpu_sample *s, nir_def *level, struct cpu_level_def *def);

/* Returns whether no axis has a wrap mode that may read the border color. */
bool cpu_reads_no_border(const struct cpu_sample *s);
/* Returns how the values of this access may be packed between fetch and end of filtering. They may
 * be packed if cpu_format_has_halves() is true for the format, the sampler filters linearly within
 * or between levels, without a min or max reduction, and the border color is never read. Doesn't
 * check for anisotropic filtering, whose values must not be packed. */
enum cpu_packing cpu_sample_packing(const struct cpu_sample *s);
/* Returns the number of words per lane in which filtered channels are returned. */
static inline unsigned cpu_sample_values(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_BYTES ? 1 : s->packing == CPU_PACKED_HALVES ? 2 : 4;
}
/* Converts packed values to four channels, in place. */
void cpu_sample_unpack(const struct cpu_sample *s, nir_def *channel[4]);

/* Interpolates two values of a channel. weight: weight of y, a float in [0, 1]. With a min or max
 * reduction mode, returns the smaller or larger of the values whose weight is not zero instead
 * (ARB_texture_filter_minmax). */
nir_def *cpu_sample_mix(const struct cpu_sample *s, nir_def *x, nir_def *y, nir_def *weight);
/* Returns the smaller or the larger of x and y, depending on the reduction mode (min or max). */
nir_def *cpu_sample_reduce(const struct cpu_sample *s, nir_def *x, nir_def *y);

/* Filters one level and stores cpu_sample_values() values in `channel`, in the form of s->packing:
 * channels in memory order, with sRGB decoded and before any swizzle. If `linear` is false, or if
 * the format has integers, stores the nearest texel instead. With s->compare, channel 0 is the
 * result of the depth comparison. With s->residency, stores what cpu_residency_filter() does. */
void cpu_sample_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                       nir_def *channel[4]);
/* Returns whether code that fetches texels through a window (struct cpu_window) may be used for
 * this access. linear: the filter is linear. */
bool cpu_sample_may_use_window(const struct cpu_sample *s, bool linear);
/* Interpolates the filtered values of two levels, cpu_sample_values() of each. share: weight of
 * `next`; with packed values an integer in units of 1/256, in [0, 255], otherwise a float in
 * [0, 1). */
void cpu_sample_mix_levels(struct cpu_sample *s, nir_def *const channel[4], nir_def *const next[4],
                           nir_def *share, nir_def *mixed[4]);
/* Emits an if whose then branch filters two uniform levels through windows and stores the
 * interpolated values in `mixed`. Its condition is true if all lanes need these two levels and all
 * texels are inside the windows. differs: nonzero in lanes that need other levels. level[0] has one
 * to two texels per pixel, level[1] half as many. Both levels are filtered in one basic block, so
 * that their dependency chains overlap. Leaves the builder in the else branch. */
void cpu_sample_begin_two_levels(struct cpu_sample *s, const struct cpu_level_def level[2],
                                 bool linear, nir_def *differs, nir_def *share, nir_def *mixed[4]);
/* Returns whether code for grids may be used for this access. The texels of a vector form a grid if
 * all pixels of a pixel column read the same texel columns, and all pixels of a pixel row read the
 * same texel rows. */
bool cpu_sample_may_have_grid(const struct cpu_sample *s);
/* Like cpu_sample_begin_two_levels(), with grids instead of windows. */
void cpu_sample_begin_two_grids(struct cpu_sample *s, const struct cpu_level_def level[2],
                                nir_def *differs, nir_def *share, nir_def *mixed[4]);
/* Emits textureGather: returns one component of each of four texels, or the results of their depth
 * comparisons, in the order of GL 4.6 §8.14.1. component: 0 to 3, counted after the swizzle. */
void cpu_sample_gather(struct cpu_sample *s, const struct cpu_level_def *level, unsigned component,
                       nir_def *result[4]);
/* Store residency: 1.0 for texels in committed memory or in the border, else 0.0. The filter stores
 * the minimum over the texels whose weight is not zero, the fetch the value of its texel; both in
 * all channels. The gather stores one value for each of its texels, in the order of GL 4.6
 * §8.14.1. */
void cpu_residency_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          nir_def *channel[4]);
void cpu_residency_gather(struct cpu_sample *s, const struct cpu_level_def *level,
                          nir_def *value[4]);
void cpu_residency_fetch(struct cpu_sample *s, const struct cpu_level_def *level,
                         nir_def *channel[4]);

/* Loads the texel at s->coord, integers inside the level, of s->layer and s->sample. Stores its
 * four decoded channels, in memory order. */
void cpu_sample_fetch(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *channel[4]);
/* Like cpu_sample_fetch(), for the texel with index s->coord[0] of a buffer texture. */
void cpu_sample_fetch_buffer(struct cpu_sample *s, const struct cpu_level_def *level,
                             nir_def *channel[4]);

/* Replaces the direction vector in s->coord by coordinates in [0, 1] on a cube face, and s->ddx and
 * s->ddy, if they are set, by derivatives of these. Sets s->face, and clears
 * s->implicit_derivatives. */
void cpu_cube_project(struct cpu_sample *s);
/* Maps column *x and row *y of a cube face, each from -1 to size, to the texel that is there. If it
 * lies across an edge of the face, replaces *x and *y by its coordinates on the adjacent face.
 * There is no texel across a corner; the one across the left or right edge replaces it. Stores the
 * texel's face in *new_face. size: width of a face in texels. */
void cpu_cube_neighbor(nir_builder *b, nir_def *face, nir_def *size, nir_def **x, nir_def **y,
                       nir_def **new_face);

#endif
