/* SPDX-License-Identifier: MIT */
/* Internal formats: what the GL calls them, what they hold, and how the driver stores them. */
#ifndef GL_FORMAT_H
#define GL_FORMAT_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"

struct gl_context;

/* Base format of an internal format as this context has it (GL_RGBA, GL_LUMINANCE,
 * GL_DEPTH_COMPONENT …), 0: not an internal format here. Numbers 1 … 4 of GL 1.0 count where they
 * exist. */
GLenum gl_base_format(const struct gl_context *ctx, GLint internal);
/* Specific compressed format (GL_COMPRESSED_RGB_S3TC_DXT1_EXT …), not the generic ones. */
bool gl_format_is_compressed(const struct gl_context *ctx, GLint internal);
/* Generic compressed format: nothing is compressed, images have its base format instead (GL 4.6
 * §8.5). */
bool gl_format_is_generic(GLint internal);
/* The GL chooses the size: no format for glTexStorage. */
bool gl_format_is_unsized(GLint internal);
/* Integer (unnormalized) internal format. */
bool gl_format_is_integer(const struct gl_context *ctx, GLint internal);
/* Format and type of the pixels that hold what an image of base stored as format does. */
GLenum gl_pixels_format(GLenum base, enum drv_format format);
GLenum gl_pixels_type(enum drv_format format);
/* OpenGL ES: pixels of format and type may go into images of the internal format; and a stored format
 * of that base can be drawn to. */
bool gl_es_pixels_agree(const struct gl_context *ctx, GLint internal, GLenum format, GLenum type);
bool gl_es_color_renderable(const struct gl_context *ctx, GLenum base, enum drv_format format);
/* Formats of one class reinterpret each other's texels (GL_VIEW_CLASS_…, GL 4.6 table 8.22); GL_NONE:
 * of no class (gl_texview.c). */
GLenum gl_view_class(GLint internal);
/* The same format, or two of one class. */
bool gl_view_formats_match(GLint a, GLint b);
/* ASTC: images are given as blocks, no command makes them from pixels
 * (KHR_texture_compression_astc_ldr). */
bool gl_format_is_astc(GLint internal);
/* Whether renderbuffers may have it, by the API's rules. */
bool gl_format_is_renderable(const struct gl_context *ctx, GLint internal);
/* The driver's format for it, DRV_FORMAT_NONE: none works. format and type: the application's
 * pixels, which unsized formats follow (0: unknown). bind: enum drv_bind. */
enum drv_format gl_choose_format(const struct gl_context *ctx, GLint internal, GLenum format,
                                 GLenum type, enum drv_target target, unsigned samples,
                                 unsigned bind);
/* The number of samples that images have of which at least so many are asked for; 0 for 0, or if
 * there are none. */
unsigned gl_choose_samples(const struct gl_context *ctx, GLint internal, enum drv_target target,
                           unsigned samples, unsigned bind);
/* What a texture of that base format shows of the stored R, G, B, A. depth_mode: GL_LUMINANCE,
 * GL_INTENSITY, GL_ALPHA, GL_RED of depth textures. */
void gl_base_format_swizzle(GLenum base, GLenum depth_mode, uint8_t swizzle[4]);
/* Formats for GL_COMPRESSED_TEXTURE_FORMATS; returns the number. */
unsigned gl_compressed_formats(const struct gl_context *ctx, GLint *out, unsigned max);

/* Bits of a component (GL_RED_BITS …-like: 0 R, 1 G, 2 B, 3 A, 4 L, 5 I, 6 depth, 7 stencil) that an
 * image of base stored as format has. */
unsigned gl_format_bits(GLenum base, enum drv_format format, unsigned component);
/* How it is interpreted (GL_UNSIGNED_NORMALIZED, GL_FLOAT …); GL_NONE: it is not there. */
GLenum gl_format_component_type(GLenum base, enum drv_format format, unsigned component);

#endif
