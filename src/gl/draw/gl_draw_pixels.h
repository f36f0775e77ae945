/* SPDX-License-Identifier: MIT */
/* Draws images as rectangles at the raster position, with fragment processing. */
#ifndef GL_DRAW_PIXELS_H
#define GL_DRAW_PIXELS_H

#include "gl/program/gl_lower_image.h"

struct gl_context;

/* Draws an image. Its rows are tightly packed, bottom row first. Returns false if out of memory. */
bool gl_draw_image(struct gl_context *ctx, enum gl_image_kind kind, GLsizei width, GLsizei height,
                   const float (*image)[4]);
/* --- Rectangles in window coordinates, for commands that draw without vertices --- */

/* Values of a rectangle's corners. */
enum gl_rect_value {
    GL_RECT_POSITION,
    GL_RECT_IMAGE, /* image coordinates; used only with an image */
    GL_RECT_COLOR0,
    GL_RECT_COLOR1,
    GL_RECT_FOG,
    GL_RECT_TEX0,
    GL_RECT_VALUES = GL_RECT_TEX0 + 8,
};

/* Values per corner. Corners are in the order lower left, lower right, upper left, upper right. */
struct gl_rect {
    float value[GL_RECT_VALUES][4][4];
};

/* Binds the shaders for rectangles. Call it after gl_update_state. Returns false if out of
 * memory. */
bool gl_rect_begin(struct gl_context *ctx, enum gl_image_kind kind);
/* Sets the rectangle's position in window coordinates: x0, y0 is the lower left corner, z the depth
 * in [0, 1]. */
void gl_rect_place(const struct gl_context *ctx, struct gl_rect *rect, float x0, float y0, float x1,
                   float y1, float z);
/* Set a value to the same vector at all corners, or to coordinates from the lower left to the upper
 * right corner. */
void gl_rect_set(struct gl_rect *rect, enum gl_rect_value value, const float v[4]);
void gl_rect_set_coord(struct gl_rect *rect, enum gl_rect_value value, float s0, float t0, float s1,
                       float t1);
void gl_rect_draw(struct gl_context *ctx, const struct gl_rect *rect);
/* Ends drawing rectangles. Also call it if gl_rect_begin failed. */
void gl_rect_end(struct gl_context *ctx);

void gl_pixels_finish(struct gl_context *ctx);

#endif
