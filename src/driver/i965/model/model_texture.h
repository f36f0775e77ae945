/* SPDX-License-Identifier: MIT */
/* Texels of a surface: wrapping, faces of cubes, borders, and filters. Private to the sampler. */
#ifndef MODEL_TEXTURE_H
#define MODEL_TEXTURE_H

#include "model_sampler.h"

/* The face that a direction hits, as OpenGL defines it (GL 4.6 §8.13): coordinate i on the face is
 * sign[i] · direction[axis[i]] / |direction[major]|, from -1 to 1. */
struct model_cube_face {
    unsigned face; /* 0: +x, -x, +y, -y, +z, 5: -z */
    unsigned major, axis[2];
    float sign[2];
};

/* Where a lane samples. */
struct model_position {
    float coord[3];
    float element; /* Array element, rounded. */
    int offset[3]; /* Texels. */
    bool compares;
    float reference;
};

/* What a lane samples. */
struct model_footprint {
    unsigned level[2]; /* Relative to the surface's first level. */
    float weight;      /* Of level[1]. */
    bool linear;
    unsigned samples; /* Along axis, 1 unless anisotropic. */
    float axis[2];    /* Of the footprint, in coordinates of the texture. */
};

void model_cube_project(const float direction[3], struct model_cube_face *face);

/* Reads a texel at integer coordinates. Returns false if they are outside of the surface. level and
 * element are relative to the surface's first ones. rgba has no channel selects applied. */
bool model_texture_load(const struct model_surface *s, struct model_block_cache *blocks,
                        unsigned level, const int32_t at[3], uint32_t element, unsigned sample,
                        uint32_t rgba[4]);

/* Filters, or compares and filters: then all components are the result. */
void model_texture_filter(const struct model_surface *s, const struct model_sampler *sampler,
                          struct model_block_cache *blocks, const struct model_position *p,
                          const struct model_footprint *f, uint32_t rgba[4]);

/* Reads the four texels that a linear filter on the first level uses, in the order of the message:
 * lower left, lower right, upper right, upper left. Comparisons return 0 or 1 in R. */
void model_texture_gather(const struct model_surface *s, const struct model_sampler *sampler,
                          struct model_block_cache *blocks, const struct model_position *p,
                          uint32_t rgba[4][4]);

#endif
