/* SPDX-License-Identifier: MIT */
/* What fragment programs that replace texture environments have in common with them. */
#ifndef GL_FF_FRAGMENT_H
#define GL_FF_FRAGMENT_H

#include "gl/fixed/gl_ff.h"
#include "nir/nir_builder.h"

/* Makes it a key of nothing but fog. */
void gl_ff_fragment_key_init(const struct gl_context *ctx, struct gl_ff_fragment_key *key);
/* A varying, vec4. */
nir_def *gl_ff_input(nir_builder *b, unsigned slot);
/* The state uniform of three tokens, vec4. */
nir_def *gl_ff_state(nir_builder *b, int a, int i, int j);
/* rgb, of three components or more, with another alpha. */
nir_def *gl_ff_with_alpha(nir_builder *b, nir_def *rgb, nir_def *alpha);
/* x + (y - x) * t */
nir_def *gl_ff_mix(nir_builder *b, nir_def *x, nir_def *y, nir_def *t);
/* The texel of unit u, which is on, at a coordinate of three components; the third is what a shadow
 * lookup compares with. */
nir_def *gl_ff_sample(nir_builder *b, const struct gl_ff_fragment_key *key, unsigned u,
                      nir_def *coord);
/* Fog, if the key has it, and the program's end: stores the fragment's color. */
void gl_ff_finish_fragment(nir_builder *b, const struct gl_ff_fragment_key *key, nir_def *color);
/* gl_ff_find, with the executable's samplers: unit n's texture is sampler n. */
struct gl_executable *gl_ff_find_fragment(struct gl_context *ctx, struct hash_table *table,
                                          const struct gl_ff_fragment_key *key, gl_ff_build build);

#endif
