/* SPDX-License-Identifier: MIT */
/*
 * Pixel conversion on the CPU for everything that is not generated code: uploads, readbacks,
 * clears, tests. Rows are arrays of blocks as the format stores them.
 */
#ifndef UTIL_FORMAT_H
#define UTIL_FORMAT_H

#include <stddef.h>

#include "indium/format.h"

/* Unpack count texels (of one row) to / from four components per texel. Plain, R11G11B10F and
 * RGB9E5 formats; not for depth-stencil and compressed ones. Missing components read 0, 0, 0, 1.
 * Normalized, float and scaled formats as floats (sRGB converted to linear and back); pure
 * integer formats as 32-bit integers, signed or unsigned as the format is, clamped when packed. */
void util_format_unpack_float(enum drv_format format, float (*dst)[4], const void *src,
                              unsigned count);
void util_format_pack_float(enum drv_format format, void *dst, const float (*src)[4],
                            unsigned count);
void util_format_unpack_int(enum drv_format format, uint32_t (*dst)[4], const void *src,
                            unsigned count);
void util_format_pack_int(enum drv_format format, void *dst, const uint32_t (*src)[4],
                          bool src_signed, unsigned count);
/* Depth as float [0,1], stencil as bytes. Packing one leaves the other's bits as they are. */
void util_format_unpack_depth(enum drv_format format, float *dst, const void *src, unsigned count);
void util_format_pack_depth(enum drv_format format, void *dst, const float *src, unsigned count);
void util_format_unpack_stencil(enum drv_format format, uint8_t *dst, const void *src,
                                unsigned count);
void util_format_pack_stencil(enum drv_format format, void *dst, const uint8_t *src,
                              unsigned count);
/* Depth as 32-bit unsigned normalized, for conversions that must not lose bits. */
void util_format_unpack_depth_u32(enum drv_format format, uint32_t *dst, const void *src,
                                  unsigned count);
void util_format_pack_depth_u32(enum drv_format format, void *dst, const uint32_t *src,
                                unsigned count);

/* Decodes a width × height image of a compressed format into RGBA8 (unorm; sRGB formats undecoded
 * sRGB bytes) or, for float and signed formats, floats. Strides in bytes. False: the format has no
 * decoder. */
bool util_format_decompress_rgba8(enum drv_format format, uint8_t *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height);
bool util_format_decompress_float(enum drv_format format, float *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height);

/* Encodes a width × height image of floats, src_width texels from row to row, into blocks; sRGB
 * formats take encoded values, luminance is in R. Formats with a decoder have an encoder. */
bool util_format_can_compress(enum drv_format format);
bool util_format_compress(enum drv_format format, void *dst, unsigned dst_stride,
                          const float (*src)[4], unsigned src_width, unsigned width,
                          unsigned height);

/* Integers that shaders see as such (GL_RGBA8UI …), not normalized or scaled ones. */
bool util_format_is_pure_integer(enum drv_format format);
bool util_format_is_pure_uint(enum drv_format format);
bool util_format_is_pure_sint(enum drv_format format);
/* By the first channel that is no padding. */
bool util_format_is_float(enum drv_format format);
bool util_format_is_snorm(enum drv_format format);
/* An array of bytes, each an unsigned normalized channel, not sRGB's, or padding. */
bool util_format_is_unorm8_array(enum drv_format format);
bool util_format_is_srgb(enum drv_format format);
bool util_format_is_compressed(enum drv_format format);
bool util_format_has_depth(enum drv_format format);
bool util_format_has_stencil(enum drv_format format);
bool util_format_has_alpha(enum drv_format format);
/* The sRGB format's linear partner with the same bits, or the format itself. */
enum drv_format util_format_linear(enum drv_format format);
/* The other way round. */
enum drv_format util_format_srgb(enum drv_format format);
/* Bits of component 0 … 3 (R … A as shaders see them), depth or stencil; 0: not there. */
unsigned util_format_component_bits(enum drv_format format, unsigned component);
unsigned util_format_depth_bits(enum drv_format format);
unsigned util_format_stencil_bits(enum drv_format format);

/* Of a row of blocks, without padding. */
static inline uint32_t util_format_row_bytes(enum drv_format format, uint32_t width)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    return (width + d->block_width - 1) / d->block_width * d->block_bytes;
}

#endif
