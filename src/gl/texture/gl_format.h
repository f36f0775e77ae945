/* SPDX-License-Identifier: MIT */
/* Internal formats of textures and renderbuffers: their properties in the GL, and the driver
 * formats that store them. */
#ifndef GL_FORMAT_H
#define GL_FORMAT_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"

struct gl_context;

/* Returns the base format of an internal format in this context (GL_RGBA, GL_LUMINANCE,
 * GL_DEPTH_COMPONENT …), or 0 if the context doesn't have the format. GL 1.0's formats 1 to 4 are
 * accepted if the context has them. */
GLenum gl_base_format(const struct gl_context *ctx, GLint internal);
/* Returns whether the context has the format and it is a specific compressed format
 * (GL_COMPRESSED_RGB_S3TC_DXT1_EXT …), not a generic one. */
bool gl_format_is_compressed(const struct gl_context *ctx, GLint internal);
/* Returns whether the format is a generic compressed format (GL_COMPRESSED_RGB …, GL 4.6 §8.5). Its
 * images are stored uncompressed. */
bool gl_format_is_generic(GLint internal);
/* Returns whether the format doesn't specify component sizes, which makes it invalid for
 * glTexStorage. This applies to base formats (GL_RGB …), their sRGB and signed variants (GL_SRGB,
 * GL_RGB_SNORM …), generic compressed formats, and the numbers 1 to 4 of GL 1.0. */
bool gl_format_is_unsized(GLint internal);
/* Returns whether this is a color format whose components are integers (not normalized to [0, 1] or
 * [-1, 1]). False for stencil formats, and if the context doesn't have the format. */
bool gl_format_is_integer(const struct gl_context *ctx, GLint internal);
/* Returns a format of client pixels that represents the texels of an image exactly, together with
 * the type that gl_pixels_type returns. */
GLenum gl_pixels_format(GLenum base, enum drv_format format);
/* Returns a type of client pixels that represents the components of a driver format exactly. */
GLenum gl_pixels_type(enum drv_format format);
/* Returns whether OpenGL ES allows uploading client pixels of a format and type to images of an
 * internal format. */
bool gl_es_pixels_match(const struct gl_context *ctx, GLint internal, GLenum format, GLenum type);
/* Returns whether EXT_texture_storage allows such uploads to immutable textures, in addition to
 * those that gl_es_pixels_match allows. */
bool gl_es_storage_pixels_match(GLint internal, GLenum format, GLenum type);
/* Returns whether images that have this base format and are stored in this driver format are
 * color-renderable in OpenGL ES. */
bool gl_es_color_renderable(const struct gl_context *ctx, GLenum base, enum drv_format format);
/* Returns the view class of an internal format (GL_VIEW_CLASS_…, GL 4.6 table 8.22), or GL_NONE. A
 * view can reinterpret texels in any format of the same class (glTextureView). */
GLenum gl_view_class(GLint internal);
/* Returns whether the internal formats are equal or have the same view class. */
bool gl_view_formats_match(GLint a, GLint b);
/* Returns whether the internal format is an ASTC format. The application must compress such images
 * itself; the GL doesn't (KHR_texture_compression_astc_ldr). */
bool gl_format_is_astc(GLint internal);
/* Returns whether the API allows renderbuffers of this internal format. The driver may still not be
 * able to store it (gl_choose_format). */
bool gl_format_is_renderable(const struct gl_context *ctx, GLint internal);
/* Returns the driver format that stores images of an internal format and that the driver supports
 * for a target, sample count and use (enum drv_bind flags). Returns DRV_FORMAT_NONE if there is
 * none. format and type are those of the client pixels, or 0 without pixels. In OpenGL ES, type
 * determines the component sizes of unsized internal formats. With format GL_BGRA, images in
 * GL_RGBA, GL_RGBA8 and 4 are stored with blue before red if the driver supports that. */
enum drv_format gl_choose_format(const struct gl_context *ctx, GLint internal, GLenum format,
                                 GLenum type, enum drv_target target, unsigned samples,
                                 unsigned bind);
/* Returns the smallest sample count from MAX2(samples, 2) to the context's max_samples for which
 * gl_choose_format finds a driver format with this target and `bind`. Returns 0 if samples is 0 or
 * if there is no such count. */
unsigned gl_choose_samples(const struct gl_context *ctx, GLint internal, enum drv_target target,
                           unsigned samples, unsigned bind);
/* Computes the swizzle (DRV_SWIZZLE_…) that turns stored texels of a base format into the RGBA
 * value that sampling returns. depth_mode (GL_DEPTH_TEXTURE_MODE) applies to base formats with
 * depth: GL_LUMINANCE, GL_INTENSITY, GL_ALPHA or GL_RED. */
void gl_base_format_swizzle(GLenum base, GLenum depth_mode, uint8_t swizzle[4]);
/* Stores the values of GL_COMPRESSED_TEXTURE_FORMATS in out, at most `max`. Returns the number of
 * values stored. */
unsigned gl_compressed_formats(const struct gl_context *ctx, GLint *out, unsigned max);

/* Returns the number of bits of a component of images with a base format and a driver format, as
 * for GL_RED_BITS; 0 if the base format doesn't have the component, and for DRV_FORMAT_YCBCR.
 * component: 0 R, 1 G, 2 B, 3 A, 4 luminance, 5 intensity, 6 depth, 7 stencil. */
unsigned gl_format_bits(GLenum base, enum drv_format format, unsigned component);
/* Returns the data type of a component (GL_UNSIGNED_NORMALIZED, GL_FLOAT …); GL_NONE if
 * gl_format_bits returns 0 for it. component: see gl_format_bits. */
GLenum gl_format_component_type(GLenum base, enum drv_format format, unsigned component);

#endif
