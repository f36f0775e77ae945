/* SPDX-License-Identifier: MIT */
/*
 * Pixel format conversion on the CPU for uploads, readbacks, clears and tests. Kernels contain
 * their own conversion code. Formatted memory is an array of blocks in the format's memory layout.
 */
#ifndef UTIL_FORMAT_H
#define UTIL_FORMAT_H

#include <stddef.h>

#include "indium/format.h"

/* Convert `count` consecutive texels of a normalized, float or scaled color format to R, G, B and A
 * (unpack), or the reverse (pack). sRGB formats are converted to and from linear values. Compressed
 * formats aren't supported. Components that the format lacks are unpacked as 0, 0, 0 and 1. Packing
 * clamps values to the range of normalized and scaled channels. */
void util_format_unpack_float(enum drv_format format, float (*dst)[4], const void *src,
                              unsigned count);
void util_format_pack_float(enum drv_format format, void *dst, const float (*src)[4],
                            unsigned count);
/* Convert texels of a pure integer format in the same way. Unpacking sign-extends the components of
 * signed formats. Packing clamps; src_signed: the components of src are int32_t. */
void util_format_unpack_int(enum drv_format format, uint32_t (*dst)[4], const void *src,
                            unsigned count);
void util_format_pack_int(enum drv_format format, void *dst, const uint32_t (*src)[4],
                          bool src_signed, unsigned count);
/* Convert `count` texels' depth to and from floats, or their stencil to and from bytes. Packing
 * clamps depth to [0, 1] unless the format's depth is a float, and leaves the bits of the other
 * channel unchanged. If the format lacks the channel, unpacking stores zeros and packing does
 * nothing. */
void util_format_unpack_depth(enum drv_format format, float *dst, const void *src, unsigned count);
void util_format_pack_depth(enum drv_format format, void *dst, const float *src, unsigned count);
void util_format_unpack_stencil(enum drv_format format, uint8_t *dst, const void *src,
                                unsigned count);
void util_format_pack_stencil(enum drv_format format, void *dst, const uint8_t *src,
                              unsigned count);
/* Do the same for depth as 32-bit unsigned normalized integers, which, unlike floats, keep all bits
 * of 32-bit normalized formats. Unpacking clamps the depths of float formats to [0, 1]. */
void util_format_unpack_depth_u32(enum drv_format format, uint32_t *dst, const void *src,
                                  unsigned count);
void util_format_pack_depth_u32(enum drv_format format, void *dst, const uint32_t *src,
                                unsigned count);

/* Decodes an image of a compressed format to RGBA as unsigned normalized bytes. sRGB values stay
 * encoded. width and height are in texels. src_stride is in bytes between rows of blocks,
 * dst_stride in bytes between rows of texels. Returns false if the format has no such decoder
 * (float, signed and 11-bit formats). */
bool util_format_decompress_rgba8(enum drv_format format, uint8_t *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height);
/* Decodes an image of a compressed float, signed or 11-bit (EAC) format to RGBA floats. The sizes
 * and strides have the units of util_format_decompress_rgba8. Returns false for other formats. */
bool util_format_decompress_float(enum drv_format format, float *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height);

/* Returns whether util_format_compress has an encoder for the format. */
bool util_format_can_compress(enum drv_format format);
/* Encodes an image of RGBA floats in a compressed format. width and height are in texels. src_width
 * is the distance in texels between rows of src, dst_stride that in bytes between rows of blocks.
 * For sRGB formats, src holds encoded values. For luminance formats, R holds the luminance. Returns
 * false if the format has no encoder. */
bool util_format_compress(enum drv_format format, void *dst, unsigned dst_stride,
                          const float (*src)[4], unsigned src_width, unsigned width,
                          unsigned height);

/* Return whether shaders see integers (GL_RGBA8UI and so on) rather than normalized or scaled
 * values: any, only unsigned, or only signed integers. False for depth and stencil formats. */
bool util_format_is_pure_integer(enum drv_format format);
bool util_format_is_pure_uint(enum drv_format format);
bool util_format_is_pure_sint(enum drv_format format);
/* Returns whether the first channel that is not padding is a float. */
bool util_format_is_float(enum drv_format format);
/* Returns whether the first channel that is not padding is a signed normalized integer. */
bool util_format_is_snorm(enum drv_format format);
/* Returns whether a texel is an array of bytes, each an unsigned normalized channel or padding.
 * False for sRGB formats. */
bool util_format_is_unorm8_array(enum drv_format format);
/* Return whether a format encodes R, G and B as sRGB; is compressed in blocks; has depth; has
 * stencil; or has an alpha channel, which may be the only one. */
bool util_format_is_srgb(enum drv_format format);
bool util_format_is_compressed(enum drv_format format);
bool util_format_has_depth(enum drv_format format);
bool util_format_has_stencil(enum drv_format format);
bool util_format_has_alpha(enum drv_format format);
/* Returns the linear format with the same layout, or the format itself if it is not sRGB. */
enum drv_format util_format_linear(enum drv_format format);
/* Returns the sRGB format with the same layout, or the format itself if there is none. */
enum drv_format util_format_srgb(enum drv_format format);
/* Return the number of bits of a component, of depth or of stencil; 0 if the format lacks it.
 * component: 0 to 3 for R to A as shaders see them. S3TC components count as 4 bits, which have
 * comparable quality (GL 4.6 §8.7). */
unsigned util_format_component_bits(enum drv_format format, unsigned component);
unsigned util_format_depth_bits(enum drv_format format);
unsigned util_format_stencil_bits(enum drv_format format);

/* Returns the number of bytes of a row of blocks without padding. width is in texels. */
static inline uint32_t util_format_row_bytes(enum drv_format format, uint32_t width)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    return (width + d->block_width - 1) / d->block_width * d->block_bytes;
}

#endif
