/* SPDX-License-Identifier: MIT */
/*
 * Pixel rectangles that are written to buffers without being rasterized. This is possible if the
 * state of the fragment operations leaves every fragment's value unchanged.
 */
#ifndef GL_WRITE_PIXELS_H
#define GL_WRITE_PIXELS_H

#include "gl/pixel/gl_pixel.h"

struct gl_context;
struct gl_surface;

/* Pixels in memory. `data` is the bottom row. */
struct gl_write_source {
    GLsizei width, height; /* in pixels */
    const uint8_t *data;
    ptrdiff_t stride;     /* bytes from a row to the row above it; may be negative */
    unsigned pixel_bytes; /* size of a pixel in memory */
};

/* Results of the functions that write a rectangle. */
enum gl_write_result {
    GL_WRITE_UNSUITABLE, /* nothing was written; the rectangle must be drawn */
    GL_WRITE_DONE,
    GL_WRITE_NO_MEMORY, /* some pixels may have been written; the caller raises the error */
};

/* Computes the box of a surface's pixels that an image covers. The image of width × height pixels
 * is drawn at the raster position with the current pixel zoom, and clipped to the scissor
 * rectangle. box->y is a row of the surface: in flipped framebuffers, row 0 is the top row. box->z
 * is the surface's first layer. Returns false if the box is empty. */
bool gl_write_box(const struct gl_context *ctx, const struct gl_surface *s, GLsizei width,
                  GLsizei height, struct drv_box *box);
/* Applies the current pixel zoom (GL 4.6 compatibility §18.1.2): for each pixel of a box, copies
 * the source pixel that is drawn there to `picked`, which has tightly packed rows. Returns false if
 * out of memory. */
bool gl_write_pick(const struct gl_context *ctx, const struct drv_box *box,
                   const struct gl_write_source *source, uint8_t *picked);

/* Writes client pixels with colors at the raster position to all draw buffers, with the current
 * pixel zoom. l and src are the layout and src of gl_pixels_upload. */
enum gl_write_result gl_write_colors(struct gl_context *ctx, GLsizei width, GLsizei height,
                                     const struct gl_pixel_spec *form,
                                     const struct gl_pixel_layout *l, const uint8_t *src);
/* Writes texels of a driver format at the raster position to all draw buffers, with the current
 * pixel zoom but without pixel transfer operations. */
enum gl_write_result gl_write_texels(struct gl_context *ctx, const struct gl_write_source *source,
                                     enum drv_format format);
/* Writes the current raster color where bits of a bitmap are set. box: the bitmap's pixels in
 * window coordinates, which must be inside the framebuffer; z is ignored. bits: byte that contains
 * the bit of the box's lower left pixel. skip: number of bits before this bit in the byte, in the
 * order that GL_UNPACK_LSB_FIRST selects. stride: bytes from a row to the row above it. */
enum gl_write_result gl_write_bitmap(struct gl_context *ctx, const struct drv_box *box,
                                     const uint8_t *bits, unsigned skip, ptrdiff_t stride);
/* Writes client pixels with stencil indices, or with depth and stencil, at the raster position to
 * the depth and stencil buffer, with the current pixel zoom. l and src are the layout and src of
 * gl_pixels_upload. */
enum gl_write_result gl_write_depth_stencil(struct gl_context *ctx, GLsizei width, GLsizei height,
                                            const struct gl_pixel_spec *form,
                                            const struct gl_pixel_layout *l, const uint8_t *src);

#endif
