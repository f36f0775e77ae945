/* SPDX-License-Identifier: MIT */
/*
 * The sampling engine: addressing, filtering and comparing texels for one sampler message.
 * Source: Skylake PRM, volume 2d, "SAMPLER_STATE", "Sampling Engine Messages".
 */
#ifndef MODEL_SAMPLER_H
#define MODEL_SAMPLER_H

#include "model_surface.h"

#define MODEL_CACHED_BLOCKS 64

/* Decoded blocks of compressed formats. */
struct model_block_cache {
    const uint8_t *source[MODEL_CACHED_BLOCKS];
    struct model_block block[MODEL_CACHED_BLOCKS];
};

struct model_sampler {
    struct i965_sampler_state state;
    uint32_t border[4]; /* Border color: floats, or integers for integer formats. */
};

/* Reads the border color that the sampler's state points to. Returns false after model_error(). */
bool model_sampler_init(struct model_sampler *sampler, struct model_context *ctx,
                        const struct i965_sampler_state *state);

/* Returns whether a message of this type (enum sim_sample_type) uses a sampler. */
bool model_sample_uses_sampler(unsigned type);

/* Executes a message. sampler may be NULL if the message uses none. blocks: cache of decoded blocks,
 * zeroed when memory may have changed. Returns false after model_error(). */
bool model_sample(const struct model_surface *surface, const struct model_sampler *sampler,
                  struct model_block_cache *blocks, struct sim_sample *message);

#endif
