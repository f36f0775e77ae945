/* SPDX-License-Identifier: MIT */
/*
 * Pixel format conversion on the CPU for uploads, readbacks, clears and tests. Kernels generate
 * their own conversion code. A row is an array of blocks in the format's memory layout.
 */
#ifndef UTIL_FORMAT_H
#define UTIL_FORMAT_H

#include <stddef.h>

#include "indium/format.h"

/* Convert `count` texels of one row to or from four components per texel, for plain, R11G11B10F and
 * RGB9E5 formats. Missing components read as 0, 0, 0, 1. The float variants handle normalized,
 * float and scaled formats, and convert sRGB to linear and back. The int variants handle pure
 * integer formats: the components are 32-bit integers, signed if the format is, and clamped when
 * packed. */
void util_format_unpack_float(enum drv_format format, float (*dst)[4], const void *src,
                              unsigned count);
void util_format_pack_float(enum drv_format format, void *dst, const float (*src)[4],
                            unsigned count);
void util_format_unpack_int(enum drv_format format, uint32_t (*dst)[4], const void *src,
                            unsigned count);
void util_format_pack_int(enum drv_format format, void *dst, const uint32_t (*src)[4],
                          bool src_signed, unsigned count);
/* Convert depth as floats in [0, 1] and stencil as bytes. Packing one leaves the bits of the other
 * unchanged. */
void util_format_unpack_depth(enum drv_format format, float *dst, const void *src, unsigned count);
void util_format_pack_depth(enum drv_format format, void *dst, const float *src, unsigned count);
void util_format_unpack_stencil(enum drv_format format, uint8_t *dst, const void *src,
                                unsigned count);
void util_format_pack_stencil(enum drv_format format, void *dst, const uint8_t *src,
                              unsigned count);
/* Convert depth as 32-bit unsigned normalized integers, for conversions that must not lose bits. */
void util_format_unpack_depth_u32(enum drv_format format, uint32_t *dst, const void *src,
                                  unsigned count);
void util_format_pack_depth_u32(enum drv_format format, void *dst, const uint32_t *src,
                                unsigned count);

/* Decode a width × height image of a compressed format: the rgba8 variant to unsigned normalized
 * bytes (sRGB values stay encoded), the float variant to floats, for float and signed formats.
 * Strides are in bytes. Both return false if the format has no such decoder. */
bool util_format_decompress_rgba8(enum drv_format format, uint8_t *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height);
bool util_format_decompress_float(enum drv_format format, float *dst, unsigned dst_stride,
                                  const void *src, unsigned src_stride, unsigned width,
                                  unsigned height);

/* Encodes a width × height image of floats into blocks. src_width is the row pitch of src in
 * texels. sRGB formats take encoded values; luminance formats read R. Returns false if
 * util_format_can_compress does. */
bool util_format_can_compress(enum drv_format format);
bool util_format_compress(enum drv_format format, void *dst, unsigned dst_stride,
                          const float (*src)[4], unsigned src_width, unsigned width,
                          unsigned height);

/* Whether shaders see integers (GL_RGBA8UI …), as opposed to normalized or scaled values. */
bool util_format_is_pure_integer(enum drv_format format);
bool util_format_is_pure_uint(enum drv_format format);
bool util_format_is_pure_sint(enum drv_format format);
/* Whether the first channel that is not padding is a float or a signed normalized integer. */
bool util_format_is_float(enum drv_format format);
bool util_format_is_snorm(enum drv_format format);
/* Whether the format is an array of bytes that are unsigned normalized channels or padding, not
 * sRGB. */
bool util_format_is_unorm8_array(enum drv_format format);
bool util_format_is_srgb(enum drv_format format);
bool util_format_is_compressed(enum drv_format format);
bool util_format_has_depth(enum drv_format format);
bool util_format_has_stencil(enum drv_format format);
bool util_format_has_alpha(enum drv_format format);
/* Returns the linear format with the same layout, or the format itself if it is not sRGB. */
enum drv_format util_format_linear(enum drv_format format);
/* Returns the sRGB format with the same layout, or the format itself if there is none. */
enum drv_format util_format_srgb(enum drv_format format);
/* Return the number of bits of component 0 to 3 (R to A as shaders see them), depth or stencil; 0
 * if the format lacks it. */
unsigned util_format_component_bits(enum drv_format format, unsigned component);
unsigned util_format_depth_bits(enum drv_format format);
unsigned util_format_stencil_bits(enum drv_format format);

/* Returns the bytes of a row of blocks without padding; width is in texels. */
static inline uint32_t util_format_row_bytes(enum drv_format format, uint32_t width)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    return (width + d->block_width - 1) / d->block_width * d->block_bytes;
}

#endif
