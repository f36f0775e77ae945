/* SPDX-License-Identifier: MIT */
/*
 * Builders of pixel format conversions. "Texel" here is a value as it is loaded and stored: a
 * vector of the elements that cpu_texel_shape() describes. Its components are four 32-bit scalars
 * R, G, B, A: integers for pure integer formats, otherwise floats. The functions for depth-stencil
 * formats are at the end.
 */
#ifndef CPU_NIR_FORMAT_H
#define CPU_NIR_FORMAT_H

#include "indium/format.h"
#include "nir/nir_builder.h"

/* Stores the shape in which a texel is loaded and stored: a vector of *components elements of
 * *bit_size bits. Elements have 8, 16 or 32 bits; 64 if a texel has more than 16 bytes. */
void cpu_texel_shape(enum drv_format format, unsigned *components, unsigned *bit_size);

/* Converts a texel to R, G, B, A. Supports plain formats, R11G11B10F and RGB9E5. sRGB components
 * are decoded to linear values. */
void cpu_nir_unpack(nir_builder *b, enum drv_format format, nir_def *texel, nir_def *rgba[4]);
/* Returns whether all channels except padding are 8-bit unsigned normalized and not sRGB. */
bool cpu_format_has_bytes(enum drv_format format);
/* If cpu_format_has_bytes(): converts a texel to R, G, B, A as integers in [0, 255]. */
void cpu_nir_unpack_bytes(nir_builder *b, enum drv_format format, nir_def *texel, nir_def *rgba[4]);
/* If cpu_format_has_bytes(): converts R, G, B, A to a texel. rgba: unsigned integers; values above
 * 255 become 255. */
nir_def *cpu_nir_pack_bytes(nir_builder *b, enum drv_format format, nir_def *const rgba[4]);
/* Like cpu_nir_unpack(), but stores doubles. 64-bit channels keep their precision. */
void cpu_nir_unpack_doubles(nir_builder *b, enum drv_format format, nir_def *texel,
                            nir_def *xyzw[4]);
/* Like cpu_nir_unpack(), but stores the channels in memory order, without the swizzle to R, G, B, A
 * and without sRGB decoding. Channels that the format lacks are 0, except that channel 3 of RGB9E5
 * is 1. */
void cpu_nir_unpack_channels(nir_builder *b, enum drv_format format, nir_def *texel,
                             nir_def *channel[4]);
/* Returns whether cpu_nir_unpack_halves() supports the format: texels of at most 32 bits whose
 * channels are unsigned normalized with at most 15 bits each, or 8-bit sRGB with alpha, if any, as
 * channel 3. */
bool cpu_format_has_halves(enum drv_format format);
/* Unpacks a texel to 15-bit unsigned integers, one in each 16-bit half of two words. word: the
 * texel, zero-extended to 32 bits. half[0] receives channel 0 in its low half and channel 2 in its
 * high half; half[1] receives channels 1 and 3. Narrower channels are shifted left to 15 bits. sRGB
 * channels are decoded. cpu_nir_halves_to_floats() converts the results. */
void cpu_nir_unpack_halves(nir_builder *b, enum drv_format format, nir_def *word, nir_def *half[2]);
/* Like cpu_nir_unpack_halves() for two sRGB texels, with fewer instructions than two calls. */
void cpu_nir_unpack_two_srgb(nir_builder *b, enum drv_format format, nir_def *const word[2],
                             nir_def *half[2][2]);
/* Converts the results of cpu_nir_unpack_halves() to four floats, in memory order. */
void cpu_nir_halves_to_floats(nir_builder *b, enum drv_format format, nir_def *const half[2],
                              nir_def *channel[4]);
/* Converts R, G, B, A to a texel. Padding is 0. Clamps values to the channels' range, but half
 * floats overflow to infinity. */
nir_def *cpu_nir_pack(nir_builder *b, enum drv_format format, nir_def *const rgba[4]);
/* Returns the mask of the bits that belong to the components in colormask (bit 0: red), in element
 * `element` of a texel. Includes padding, unless colormask is 0. */
uint32_t cpu_texel_write_mask(enum drv_format format, unsigned colormask, unsigned element);
/* Returns the color mask of the components that the format stores. */
unsigned cpu_stored_components(enum drv_format format);

/* Rounds f, a float in [0, 2^bits - 1], to the nearest 32-bit integer, ties to even. bits: at most
 * 22. */
nir_def *cpu_nir_round_small(nir_builder *b, nir_def *f, unsigned bits);

/* Decodes an sRGB component, a float in [0, 1]. */
nir_def *cpu_nir_srgb_to_linear(nir_builder *b, nir_def *c);

/* Returns the depth of a texel as it is stored: a 32-bit integer for unorm formats, otherwise a
 * float. */
nir_def *cpu_nir_depth_bits(nir_builder *b, enum drv_format format, nir_def *texel);
/* Converts a depth, a float in [0, 1], to that stored form. Rounds to nearest, computing in double
 * precision, like util/format.h. */
nir_def *cpu_nir_quantize_depth(nir_builder *b, enum drv_format format, nir_def *z);
/* Converts a depth in that stored form to a float. */
nir_def *cpu_nir_depth_to_float(nir_builder *b, enum drv_format format, nir_def *bits);
/* Returns the stencil value as a 32-bit integer. */
nir_def *cpu_nir_stencil_bits(nir_builder *b, enum drv_format format, nir_def *texel);
/* Returns the texel with depth (in the stored form) and stencil replaced; NULL keeps the texel's
 * value. */
nir_def *cpu_nir_pack_depth_stencil(nir_builder *b, enum drv_format format, nir_def *texel,
                                    nir_def *depth, nir_def *stencil);

#endif
