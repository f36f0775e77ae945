/* SPDX-License-Identifier: MIT */
/* Draws images as rectangles at the raster position, with fragment processing. */
#ifndef GL_DRAW_PIXELS_H
#define GL_DRAW_PIXELS_H

#include "gl/program/gl_lower_image.h"
#include "indium/driver.h"

struct gl_context;

/* An image in memory. It is uploaded to a texture, of which enum gl_image_kind uses component R or
 * RGBA. */
struct gl_draw_source {
    GLsizei width, height;    /* in pixels */
    enum drv_format texels;   /* format of the texture */
    struct drv_pixels pixels; /* bottom row first */
    unsigned pixel_bytes;     /* size of a pixel in memory */
};

/* Draws an image at the raster position. The pixel zoom applies, except to bitmaps. Calls
 * gl_update_state first; if that returns false, returns true without drawing. Returns false if out
 * of memory; the caller then raises the error. */
bool gl_draw_image(struct gl_context *ctx, enum gl_image_kind kind,
                   const struct gl_draw_source *source);

/* --- Rectangles in window coordinates, for commands that draw without vertices --- */

/* Values that a rectangle has at its corners. */
enum gl_rect_value {
    GL_RECT_POSITION, /* in clip coordinates; gl_rect_place computes it */
    GL_RECT_IMAGE,    /* normalized image coordinates (GL_IMAGE_COORD); used only with an image */
    GL_RECT_COLOR0,
    GL_RECT_COLOR1,
    GL_RECT_FOG,
    GL_RECT_TEX0,
    GL_RECT_VALUES = GL_RECT_TEX0 + 8,
};

/* A rectangle. value[i][corner] is the vector of value i (enum gl_rect_value) at a corner. The
 * corners are lower left, lower right, upper left, upper right. */
struct gl_rect {
    float value[GL_RECT_VALUES][4][4];
};

/* Binds the shaders and rasterization state for drawing rectangles. They show an image unless kind
 * is GL_IMAGE_NONE. Call it after gl_update_state. If out of memory, raises an error and returns
 * false. */
bool gl_rect_begin(struct gl_context *ctx, enum gl_image_kind kind);
/* Sets the rectangle's corners in window coordinates: (x0, y0) is the lower left corner, (x1, y1)
 * the upper right corner, z the depth in [0, 1]. */
void gl_rect_place(const struct gl_context *ctx, struct gl_rect *rect, float x0, float y0, float x1,
                   float y1, float z);
/* Sets a value to v at all corners. */
void gl_rect_set(struct gl_rect *rect, enum gl_rect_value value, const float v[4]);
/* Sets a value to coordinates: (s0, t0) at the lower left corner, (s1, t1) at the upper right
 * corner. */
void gl_rect_set_coord(struct gl_rect *rect, enum gl_rect_value value, float s0, float t0, float s1,
                       float t1);
/* Draws a rectangle. Call it between gl_rect_begin and gl_rect_end. All values that the shaders
 * read must be set. */
void gl_rect_draw(struct gl_context *ctx, const struct gl_rect *rect);
/* Ends drawing rectangles: marks the state that gl_rect_begin replaced as dirty. Also call it if
 * gl_rect_begin failed. */
void gl_rect_end(struct gl_context *ctx);

/* Releases ctx->pixel.vertex when the context is destroyed. */
void gl_pixels_finish(struct gl_context *ctx);

#endif
