/* SPDX-License-Identifier: MIT */
/* Helpers for generating fragment programs, shared by fixed function and ATI_fragment_shader.
 * Functions that take a nir_builder run in an attempt (util/memory.h). */
#ifndef GL_FF_FRAGMENT_H
#define GL_FF_FRAGMENT_H

#include "gl/fixed/gl_ff.h"
#include "nir/nir_builder.h"

/* Clears a key and fills in the fog state, but no texture units. */
void gl_ff_fragment_key_init(const struct gl_context *ctx, struct gl_ff_fragment_key *key);
/* Returns the fragment input at a slot (enum varying_slot), loaded as a vec4. */
nir_def *gl_ff_input(nir_builder *b, unsigned slot);
/* Returns a piece of GL state, loaded as a vec4. a, i and j are the first three of its state tokens
 * (nir_state_tokens.h); the others are 0. */
nir_def *gl_ff_state(nir_builder *b, int a, int i, int j);
/* Returns a vec4 that consists of the first three components of rgb and of the scalar alpha. */
nir_def *gl_ff_with_alpha(nir_builder *b, nir_def *rgb, nir_def *alpha);
/* Returns x * (1 - t) + y * t. */
nir_def *gl_ff_mix(nir_builder *b, nir_def *x, nir_def *y, nir_def *t);
/* Samples the texture of unit u, which must be enabled in key, and returns a vec4. coord has three
 * components. The target determines how many of them are used; shadow textures compare with the
 * third one. */
nir_def *gl_ff_sample(nir_builder *b, const struct gl_ff_fragment_key *key, unsigned u,
                      nir_def *coord);
/* Ends the shader: applies the key's fog mode to color, a vec4, and stores the result as the
 * fragment's color. */
void gl_ff_finish_fragment(nir_builder *b, const struct gl_ff_fragment_key *key, nir_def *color);
/* Like gl_ff_find. Also sets up the executable's samplers: sampler n uses the texture of unit n. */
struct gl_executable *gl_ff_find_fragment(struct gl_context *ctx, struct hash_table *table,
                                          const struct gl_ff_fragment_key *key, gl_ff_build build);

#endif
