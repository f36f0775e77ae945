/* SPDX-License-Identifier: MIT */
/*
 * The sampling engine, which executes sampler messages: addresses, filters and compares texels.
 * Source: Skylake PRM, volume 2d, "SAMPLER_STATE", "Sampling Engine Messages".
 */
#ifndef MODEL_SAMPLER_H
#define MODEL_SAMPLER_H

#include "model_surface.h"

#define MODEL_CACHED_BLOCKS 64 /* Number of blocks in a model_block_cache. */

/* A cache of decoded blocks of compressed formats. source: memory of each block; NULL: unused. */
struct model_block_cache {
    const uint8_t *source[MODEL_CACHED_BLOCKS];
    struct model_block block[MODEL_CACHED_BLOCKS];
};

/* A sampler's state. */
struct model_sampler {
    struct i965_sampler_state state;
    uint32_t border[4]; /* Border color: floats, or integers for integer formats. */
};

/* Initializes a sampler, including the border color that its state points to; it is 0 if no address
 * mode uses it. Returns false after model_error(). */
bool model_sampler_init(struct model_sampler *sampler, struct model_context *ctx,
                        const struct i965_sampler_state *state);

/* Returns how much a sample of one channel can cost at most, for model_spend(). sampler: NULL for
 * messages that don't filter. */
uint64_t model_sampler_work(const struct model_sampler *sampler);

/* Returns whether a message of this type (enum sim_sample_type) uses a sampler. */
bool model_sample_uses_sampler(unsigned type);

/* Executes a message. sampler may be NULL if the message uses none. blocks: must be zeroed when
 * memory may have changed; may be NULL if the surface is not compressed. Returns false after
 * model_error(). */
bool model_sample(const struct model_surface *surface, const struct model_sampler *sampler,
                  struct model_block_cache *blocks, struct sim_sample *message);

#endif
