/* SPDX-License-Identifier: MIT */
/* Pixel store, transfer and the conversion between client memory and resources. */
#ifndef GL_PIXEL_H
#define GL_PIXEL_H

#include "gl/gl_buffer.h"

struct gl_pixel_store {
    GLint alignment, row_length, skip_pixels, skip_rows, image_height, skip_images;
    bool swap_bytes, lsb_first, invert;
    GLint compressed_block_width, compressed_block_height, compressed_block_depth,
        compressed_block_size;
    struct gl_buffer *buffer; /* GL_PIXEL_(UN)PACK_BUFFER, referenced */
};

struct gl_pixel_state {
    int unused;
};

#endif
