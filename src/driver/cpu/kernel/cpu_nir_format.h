/* SPDX-License-Identifier: MIT */
/*
 * Pixel conversion as NIR. A texel in a register is a vector of the elements that a load of its
 * bytes gives (cpu_texel_shape); its values are four 32-bit scalars R, G, B, A: floats, or integers
 * for pure integer formats. Depth-stencil formats have their own functions at the end.
 */
#ifndef CPU_NIR_FORMAT_H
#define CPU_NIR_FORMAT_H

#include "indium/format.h"
#include "nir/nir_builder.h"

/* Number and bits of the elements that a texel of format is loaded and stored as. */
void cpu_texel_shape(enum drv_format format, unsigned *components, unsigned *bit_size);

/* Plain, R11G11B10F and RGB9E5 formats. sRGB components come out linear. */
void cpu_nir_unpack(nir_builder *b, enum drv_format format, nir_def *texel, nir_def *rgba[4]);
/* Formats of 8-bit unsigned normalized channels, not sRGB: their values as integers, of 255. */
bool cpu_format_has_bytes(enum drv_format format);
void cpu_nir_unpack_bytes(nir_builder *b, enum drv_format format, nir_def *texel, nir_def *rgba[4]);
/* Values from 0 up, clamped to 255. */
nir_def *cpu_nir_pack_bytes(nir_builder *b, enum drv_format format, nir_def *const rgba[4]);
/* As cpu_nir_unpack, as doubles, those of 64 bits as they are. */
void cpu_nir_unpack_doubles(nir_builder *b, enum drv_format format, nir_def *texel,
                            nir_def *xyzw[4]);
/* The channels as the memory has them, not swizzled to R, G, B, A; sRGB not decoded. */
void cpu_nir_unpack_channels(nir_builder *b, enum drv_format format, nir_def *texel,
                             nir_def *channel[4]);
/* Formats of unsigned normalized channels in at most a word whose texels fit into halves of words: all
 * channels of at most 15 bits, or sRGB's of 8. */
bool cpu_format_has_halves(enum drv_format format);
/* A word with channels 0 and 2 in its halves, and one with 1 and 3, as 15-bit fractions of what
 * cpu_nir_halves_to_floats divides by; sRGB decoded. From a texel that was extended to a word. */
void cpu_nir_unpack_halves(nir_builder *b, enum drv_format format, nir_def *word, nir_def *half[2]);
/* The same of two sRGB texels, of which channel 1 is decoded at once. */
void cpu_nir_unpack_two_srgb(nir_builder *b, enum drv_format format, nir_def *const word[2],
                             nir_def *half[2][2]);
void cpu_nir_halves_to_floats(nir_builder *b, enum drv_format format, nir_def *const half[2],
                              nir_def *channel[4]);
/* Values are clamped to what the format can hold. Padding is zero. */
nir_def *cpu_nir_pack(nir_builder *b, enum drv_format format, nir_def *const rgba[4]);
/* Bits of element `element` that components in colormask (bit 0: red) occupy. */
uint32_t cpu_texel_write_mask(enum drv_format format, unsigned colormask, unsigned element);
/* The components of a color mask that the format has. */
unsigned cpu_stored_components(enum drv_format format);

/* f, 0 … 2^bits - 1, rounded to an integer; bits <= 22. */
nir_def *cpu_nir_round_small(nir_builder *b, nir_def *f, unsigned bits);

nir_def *cpu_nir_srgb_to_linear(nir_builder *b, nir_def *c);

/* Depth as stored: integers for unorm formats, floats' bits else (as 32-bit values). */
nir_def *cpu_nir_depth_bits(nir_builder *b, enum drv_format format, nir_def *texel);
/* A depth in [0,1] as stored; rounds to nearest in double precision, as util_format does. */
nir_def *cpu_nir_quantize_depth(nir_builder *b, enum drv_format format, nir_def *z);
/* Stored depth as a float. */
nir_def *cpu_nir_depth_to_float(nir_builder *b, enum drv_format format, nir_def *bits);
nir_def *cpu_nir_stencil_bits(nir_builder *b, enum drv_format format, nir_def *texel);
/* texel with new depth and stencil bits; NULL: those of texel. */
nir_def *cpu_nir_pack_depth_stencil(nir_builder *b, enum drv_format format, nir_def *texel,
                                    nir_def *depth, nir_def *stencil);

#endif
