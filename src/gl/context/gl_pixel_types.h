/* SPDX-License-Identifier: MIT */
/* Pixel store and pixel transfer state. */
#ifndef GL_PIXEL_TYPES_H
#define GL_PIXEL_TYPES_H

#include "gl/context/gl_types.h"
#include "util/format_convert.h"

struct gl_buffer;
struct gl_executable;

#define GL_PIXEL_MAP_MAX 256 /* maximum number of entries of a pixel map */

/* Pixel storage modes (glPixelStore) for packing or unpacking, in the units of glPixelStore. */
struct gl_pixel_store {
    GLint alignment, row_length, skip_pixels, skip_rows, image_height, skip_images;
    bool swap_bytes, lsb_first;
    /* packing only: store rows from top to bottom (MESA_pack_invert,
     * ANGLE_pack_reverse_row_order) */
    bool invert;
    GLint compressed_block_width, compressed_block_height, compressed_block_depth,
        compressed_block_size;
    struct gl_buffer *buffer; /* GL_PIXEL_(UN)PACK_BUFFER, referenced; NULL: none */
};

/* Indices of pixel maps, in the order of the enumerants GL_PIXEL_MAP_I_TO_I …. */
enum gl_pixel_map_index {
    GL_MAP_I_TO_I,
    GL_MAP_S_TO_S,
    GL_MAP_I_TO_R,
    GL_MAP_I_TO_G,
    GL_MAP_I_TO_B,
    GL_MAP_I_TO_A,
    GL_MAP_R_TO_R,
    GL_MAP_G_TO_G,
    GL_MAP_B_TO_B,
    GL_MAP_A_TO_A,
    GL_MAP_COUNT,
};

/* Pixel transfer state and pixel zoom. GL_PIXEL_MODE_BIT saves the fields before `map`. */
struct gl_pixel_state {
    bool map_color, map_stencil;
    GLint index_shift, index_offset;
    float scale[4], bias[4], depth_scale, depth_bias;
    float zoom_x, zoom_y;
    struct gl_pixel_map {
        unsigned size; /* number of entries */
        float map[GL_PIXEL_MAP_MAX];
    } map[GL_MAP_COUNT];
    /* vertex shader of glDrawPixels and glBitmap, referenced; NULL: not used yet */
    struct gl_executable *vertex;
    struct util_conversion_cache conversions; /* last conversions of client pixels and texels */
};

#endif
