/* SPDX-License-Identifier: MIT */
/*
 * Pixel rectangles that are written to buffers without being rasterized. This applies where the
 * state of the fragment operations leaves every fragment's value unchanged.
 */
#ifndef GL_WRITE_PIXELS_H
#define GL_WRITE_PIXELS_H

#include "gl/pixel/gl_pixel.h"

struct gl_context;
struct gl_surface;

/* Pixels in memory, bottom row first. */
struct gl_write_source {
    GLsizei width, height;
    const uint8_t *data;
    ptrdiff_t stride;     /* bytes from one row to the next; may be negative */
    unsigned pixel_bytes; /* of a pixel in memory */
};

enum gl_write_result {
    GL_WRITE_UNSUITABLE, /* nothing was written; the rectangle must be drawn */
    GL_WRITE_DONE,
    GL_WRITE_NO_MEMORY, /* some pixels may have been written */
};

/* Computes the pixels of a surface that an image drawn with zoom at the raster position covers,
 * after the scissor test. Returns false if there are none. */
bool gl_write_box(const struct gl_context *ctx, const struct gl_surface *s, GLsizei width,
                  GLsizei height, struct drv_box *box);
/* Copies the pixels that are drawn with zoom in a box to tightly packed rows (GL 4.6 compatibility
 * §18.1.2). Returns false if out of memory. */
bool gl_write_pick(const struct gl_context *ctx, const struct drv_box *box,
                   const struct gl_write_source *source, uint8_t *picked);

/* Writes client pixels with colors to all draw buffers. src: see gl_pixels_upload. */
enum gl_write_result gl_write_colors(struct gl_context *ctx, GLsizei width, GLsizei height,
                                     const struct gl_pixel_spec *form,
                                     const struct gl_pixel_layout *l, const uint8_t *src);
/* Writes texels to all draw buffers, without pixel transfer operations. */
enum gl_write_result gl_write_texels(struct gl_context *ctx, const struct gl_write_source *source,
                                     enum drv_format format);
/* Writes the current raster color where bits of a bitmap are set. box: the bitmap's pixels in window
 * coordinates, which lie in the framebuffer; z is ignored. bits: byte that contains the bit of the
 * box's first pixel; skip: bits before that bit. */
enum gl_write_result gl_write_bitmap(struct gl_context *ctx, const struct drv_box *box,
                                     const uint8_t *bits, unsigned skip, ptrdiff_t stride);
/* Writes client pixels with stencil indices, or with depth and stencil, to the depth and stencil
 * buffer. src: see gl_pixels_upload. */
enum gl_write_result gl_write_depth_stencil(struct gl_context *ctx, GLsizei width, GLsizei height,
                                            const struct gl_pixel_spec *form,
                                            const struct gl_pixel_layout *l, const uint8_t *src);

#endif
