/* SPDX-License-Identifier: MIT */
/* Texels of a surface: wrapping, cube faces, borders, and filters. Private to the sampler. */
#ifndef MODEL_TEXTURE_H
#define MODEL_TEXTURE_H

#include "model_sampler.h"

/* The cube face that a direction hits (GL 4.6 §8.13). Coordinate i on the face is
 * sign[i] · direction[axis[i]] / |direction[major]|, from -1 to 1. */
struct model_cube_face {
    unsigned face; /* 0 to 5: +x, -x, +y, -y, +z, -z */
    unsigned major, axis[2];
    float sign[2];
};

/* Where a lane samples. */
struct model_position {
    float coord[3]; /* Normalized or in texels, by the sampler's state; cubes: a direction. */
    float element;  /* Array element, rounded. */
    int offset[3];  /* Texels. */
    /* Texels are compared with `reference` by the sampler's shadow function. The result of a texel
     * is 0 if the function holds, else 1. */
    bool compares;
    float reference;
};

/* The levels that a lane samples, and the shape of the filter. */
struct model_footprint {
    unsigned level[2]; /* Relative to the surface's first level. */
    float weight;      /* Weight of level[1], 0 to 1; level[0] has the rest. */
    bool linear;       /* Linear filter within a level; else nearest. */
    unsigned samples;  /* Number of samples along `axis`; 1 unless the filter is anisotropic. */
    float axis[2];     /* Major axis of the footprint, in the units of model_position.coord. */
};

/* Finds the cube face that a direction hits. */
void model_cube_project(const float direction[3], struct model_cube_face *face);

/* Reads a texel at integer coordinates. Returns false, and leaves rgba unchanged, if they are
 * outside of the surface. level and element are relative to the surface's first ones. Applies no
 * channel selects to rgba. */
bool model_texture_load(const struct model_surface *s, struct model_block_cache *blocks,
                        unsigned level, const int32_t at[3], uint32_t element, unsigned sample,
                        uint32_t rgba[4]);

/* Filters texels. With a comparison, filters its results (model_position.compares) and stores the
 * value in all components. */
void model_texture_filter(const struct model_surface *s, const struct model_sampler *sampler,
                          struct model_block_cache *blocks, const struct model_position *p,
                          const struct model_footprint *f, uint32_t rgba[4]);

/* Reads the four texels that a linear filter on the first level uses, in the order of the message:
 * lower left, lower right, upper right, upper left. With a comparison, stores its result
 * (model_position.compares) in all components. */
void model_texture_gather(const struct model_surface *s, const struct model_sampler *sampler,
                          struct model_block_cache *blocks, const struct model_position *p,
                          uint32_t rgba[4][4]);

#endif
