/* SPDX-License-Identifier: MIT */
/* What the commands for texture images share. */
#ifndef GL_TEXIMAGE_H
#define GL_TEXIMAGE_H

#include "gl/texture/gl_texture.h"

bool gl_is_proxy(GLenum target);
/* Index of a target that image commands of that dimension take, -1: invalid enum. */
int gl_image_target_index(const struct gl_context *ctx, GLenum target, unsigned dims, bool proxy);
/* Replaces an image by an empty one with storage; NULL: no memory. */
struct gl_image *gl_define_image(struct gl_context *ctx, struct gl_texture *t, unsigned face,
                                 GLint level, GLint internal, enum drv_format format, GLsizei width,
                                 GLsizei height, GLsizei depth);
/* The image that a subimage command changes; NULL: error raised. */
struct gl_image *gl_sub_image_target(struct gl_context *ctx, unsigned dims, GLenum target,
                                     GLint level, GLint x, GLint y, GLint z, GLsizei width,
                                     GLsizei height, GLsizei depth, struct gl_texture **texture,
                                     const char *name);
/* Sizes (with border) within the limits of the level of a target. */
bool gl_image_size_ok(const struct gl_context *ctx, enum gl_texture_index index, GLint level,
                      GLsizei width, GLsizei height, GLsizei depth, GLint border);
/* Answers for a level of a proxy target; ok false: there is no such image. */
void gl_define_proxy(struct gl_context *ctx, enum gl_texture_index index, GLint level,
                     GLint internal, enum drv_format format, GLsizei width, GLsizei height,
                     GLsizei depth, bool ok);
/* Compressed paletted textures, of ES 1 (gl_paletted.c): whether an internal format is one; all of
 * them, up to max (their number); glCompressedTexImage2D of one, with its errors. */
bool gl_is_paletted(const struct gl_context *ctx, GLenum internal);
unsigned gl_paletted_formats(const struct gl_context *ctx, GLint *out, unsigned max);
void gl_paletted_image(struct gl_context *ctx, GLenum target, GLint level, GLenum internal,
                       GLsizei width, GLsizei height, GLint border, GLsizei size, const void *data);
/* Sized format with the components of a compressed one. */
GLint gl_uncompressed_partner(GLenum base, enum drv_format format);

#endif
