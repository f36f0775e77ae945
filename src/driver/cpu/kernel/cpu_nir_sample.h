/* SPDX-License-Identifier: MIT */
/*
 * One texture access while it is lowered. cpu_nir_sample.c takes instructions apart and finds the
 * level of detail; the files of cpu_nir_filter.h address, fetch and filter texels of one level;
 * cpu_nir_cube.c maps directions to cube faces.
 */
#ifndef CPU_NIR_SAMPLE_H
#define CPU_NIR_SAMPLE_H

#include "driver/cpu/kernel/cpu_nir.h"

/* What values are until they leave the filters. */
enum cpu_packing {
    CPU_UNPACKED,      /* four channels, floats or integers */
    CPU_PACKED_BYTES,  /* a word of 8-bit channels */
    CPU_PACKED_HALVES, /* two words of halves: cpu_nir_unpack_halves */
};

struct cpu_sample {
    struct cpu_kernel_builder *kb;
    nir_builder *b;
    nir_tex_instr *tex;
    const struct cpu_sampler_key *key;
    nir_def *texture;         /* address of struct cpu_texture, uniform */
    nir_def *sampler;         /* address of struct cpu_sampler, uniform */
    unsigned dims;            /* coordinates that are filtered: 1, 2 or 3; cubes 2 (of a face) */
    nir_def *coord[3];        /* floats; integers for texel fetches */
    nir_def *layer;           /* integer in range, cube face included; NULL: the target has none */
    nir_def *sample;          /* integer in range; NULL: the first */
    nir_def *face;            /* of cubes; layer has it too */
    nir_def *cube_layer;      /* first layer of the cube in an array; NULL: none */
    nir_def *offset[3];       /* texel offsets, or NULL each */
    nir_def *compare;         /* reference value, or NULL */
    nir_def *ddx[3], *ddy[3]; /* of coord; NULL: none are needed */
    bool of_quads;            /* ddx and ddy are coord's differences in quads */
    bool levels_only;         /* of λ only what choosing levels takes counts: it is 0 … 255 */
    nir_def *square;          /* squared length that λ comes from, if it is not exact; or NULL */
    nir_def *fixed_lod;       /* λ in 256ths, clamped to levels' numbers, an integer; or NULL */
    enum cpu_packing packing;
    nir_def *joined; /* the packed texel that was last made of these halves, or NULL */
    nir_def *half[2];
    bool mixes_passes; /* depths: what passes is mixed, by weights in 256ths */
    bool scattered;    /* lanes of a block have not agreed on a level */
    bool turned;       /* the block's texels are known to make no grid */
    bool minified;     /* the level that is read has one to two texels for a pixel */
    nir_def *probes;   /* anisotropic filters: how many, per lane; NULL: one */
    nir_def *major[2]; /* their distance, first to last and one step more, in coord's units */
};

/* Which of the texel's channels component c of the result is; DRV_SWIZZLE_0, 1: constant. */
unsigned cpu_sample_channel(const struct cpu_sample *s, unsigned c);
/* Whether the result is integers. */
bool cpu_sample_is_integer(const struct cpu_sample *s);
/* Channel values to the result's four components. */
void cpu_sample_swizzle(struct cpu_sample *s, nir_def *const channel[4], nir_def *rgba[4]);

/* Level fields for s; level NULL: the first. */
void cpu_sample_load_level(struct cpu_sample *s, nir_def *level, struct cpu_level_def *def);

/* No axis wraps in a mode that may read the border. */
bool cpu_reads_no_border(const struct cpu_sample *s);
/* Packed are unorm channels that are filtered linearly and never mixed with a border. */
enum cpu_packing cpu_sample_packing(const struct cpu_sample *s);
/* Number of values that a filter gives. */
static inline unsigned cpu_sample_values(const struct cpu_sample *s)
{
    return s->packing == CPU_PACKED_BYTES ? 1 : s->packing == CPU_PACKED_HALVES ? 2 : 4;
}
/* Packed values to four channels, in place. */
void cpu_sample_unpack(const struct cpu_sample *s, nir_def *channel[4]);

/* Between two channel values; weight of y: a float in [0, 1]. With a reduction the lesser or greater of
 * those that count at all (ARB_texture_filter_minmax §8.23post). */
nir_def *cpu_sample_mix(const struct cpu_sample *s, nir_def *x, nir_def *y, nir_def *weight);
/* The lesser or greater, by the reduction. */
nir_def *cpu_sample_reduce(const struct cpu_sample *s, nir_def *x, nir_def *y);

/* Filters one level; cpu_sample_values come out. */
void cpu_sample_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                       nir_def *channel[4]);
/* Whether the texels of a block, or of half a one, may be fetched by loads that its lanes share; linear: for a
 * linear filter. */
bool cpu_sample_may_use_window(const struct cpu_sample *s, bool linear);
/* Between two levels' values; share of the next: as split_lod gives it. */
void cpu_sample_mix_levels(struct cpu_sample *s, nir_def *const channel[4], nir_def *const next[4],
                           nir_def *share, nir_def *mixed[4]);
/* Begins an if whose first side filters two uniform levels, of which the first has one to two texels for
 * a pixel and the second half of that, and mixes them: in one piece, so that their chains of
 * instructions overlap. Leaves the builder in the else, where some lane's `differs` is not zero or
 * texels are too far from each other. */
void cpu_sample_begin_two_levels(struct cpu_sample *s, const struct cpu_level_def level[2],
                                 bool linear, nir_def *differs, nir_def *share, nir_def *mixed[4]);
/* Whether texels that are filtered as they lie in memory may be, for a block or half of one, those of its columns'
 * and its rows' of pixels: of four columns and four rows, or two. */
bool cpu_sample_may_have_grid(const struct cpu_sample *s);
/* cpu_sample_begin_two_levels where they are. */
void cpu_sample_begin_two_grids(struct cpu_sample *s, const struct cpu_level_def level[2],
                                nir_def *differs, nir_def *share, nir_def *mixed[4]);
/* The four texels of textureGather, component 0 … 3 of the result, of the wanted channel. */
void cpu_sample_gather(struct cpu_sample *s, const struct cpu_level_def *level, unsigned component,
                       nir_def *result[4]);
/* The texel at s->coord (integers in range of the level). */
void cpu_sample_fetch(struct cpu_sample *s, const struct cpu_level_def *level, nir_def *channel[4]);
void cpu_sample_fetch_buffer(struct cpu_sample *s, const struct cpu_level_def *level,
                             nir_def *channel[4]);

/* A direction's face and the coordinates on it in [0,1]; derivatives likewise if there are any. */
void cpu_cube_project(struct cpu_sample *s);
/* Column x and row y, -1 … size, of a face: which texel of which face that is, across edges. */
void cpu_cube_neighbor(nir_builder *b, nir_def *face, nir_def *size, nir_def **x, nir_def **y,
                       nir_def **new_face);

#endif
