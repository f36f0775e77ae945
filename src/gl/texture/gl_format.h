/* SPDX-License-Identifier: MIT */
/* Internal formats: their properties in the GL, and the driver formats that store them. */
#ifndef GL_FORMAT_H
#define GL_FORMAT_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"

struct gl_context;

/* Returns the base format of an internal format in this context (GL_RGBA, GL_LUMINANCE,
 * GL_DEPTH_COMPONENT …), or 0 if the context doesn't have the format. Accepts the numbers 1 to 4 of
 * GL 1.0 where they exist. */
GLenum gl_base_format(const struct gl_context *ctx, GLint internal);
/* Returns whether the format is a specific compressed one (GL_COMPRESSED_RGB_S3TC_DXT1_EXT …), not
 * a generic one. */
bool gl_format_is_compressed(const struct gl_context *ctx, GLint internal);
/* Returns whether the format is a generic compressed one. Such images are stored uncompressed, with
 * the base format (GL 4.6 §8.5). */
bool gl_format_is_generic(GLint internal);
/* Returns whether the GL chooses the format's size, which makes it invalid for glTexStorage. */
bool gl_format_is_unsized(GLint internal);
/* Returns whether the format is an integer (not normalized) one. */
bool gl_format_is_integer(const struct gl_context *ctx, GLint internal);
/* Return a client format and type that represent the texels of an image exactly. */
GLenum gl_pixels_format(GLenum base, enum drv_format format);
GLenum gl_pixels_type(enum drv_format format);
/* OpenGL ES rules: whether pixels of a format and type may be uploaded to an internal format, and
 * whether a stored format is color-renderable. */
bool gl_es_pixels_match(const struct gl_context *ctx, GLint internal, GLenum format, GLenum type);
bool gl_es_color_renderable(const struct gl_context *ctx, GLenum base, enum drv_format format);
/* Returns the view class of an internal format (GL_VIEW_CLASS_…, GL 4.6 table 8.22), or GL_NONE.
 * Formats of one class can reinterpret each other's texels (gl_texview.c). */
GLenum gl_view_class(GLint internal);
/* Returns whether the formats are equal or share a view class. */
bool gl_view_formats_match(GLint a, GLint b);
/* Returns whether the format is an ASTC one. Images of these are specified as blocks only, never
 * from pixels (KHR_texture_compression_astc_ldr). */
bool gl_format_is_astc(GLint internal);
/* Returns whether the API allows renderbuffers of this format. */
bool gl_format_is_renderable(const struct gl_context *ctx, GLint internal);
/* Returns the driver format for an internal format; DRV_FORMAT_NONE if none works. format and type
 * describe the application's pixels and affect unsized formats (0: unknown). bind: enum drv_bind
 * flags. */
enum drv_format gl_choose_format(const struct gl_context *ctx, GLint internal, GLenum format,
                                 GLenum type, enum drv_target target, unsigned samples,
                                 unsigned bind);
/* Returns the smallest supported sample count that is not below `samples`; 0 for 0 or if there is
 * none. */
unsigned gl_choose_samples(const struct gl_context *ctx, GLint internal, enum drv_target target,
                           unsigned samples, unsigned bind);
/* Computes the swizzle from the stored components to what sampling returns for a base format.
 * depth_mode applies to depth textures: GL_LUMINANCE, GL_INTENSITY, GL_ALPHA or GL_RED. */
void gl_base_format_swizzle(GLenum base, GLenum depth_mode, uint8_t swizzle[4]);
/* Writes the formats for GL_COMPRESSED_TEXTURE_FORMATS to out and returns their number. */
unsigned gl_compressed_formats(const struct gl_context *ctx, GLint *out, unsigned max);

/* Returns the bits of a component, as for GL_RED_BITS. component: 0 R, 1 G, 2 B, 3 A, 4 luminance,
 * 5 intensity, 6 depth, 7 stencil. */
unsigned gl_format_bits(GLenum base, enum drv_format format, unsigned component);
/* Returns the data type of a component (GL_UNSIGNED_NORMALIZED, GL_FLOAT …); GL_NONE if it is
 * absent. */
GLenum gl_format_component_type(GLenum base, enum drv_format format, unsigned component);

#endif
