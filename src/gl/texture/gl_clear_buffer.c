/* SPDX-License-Identifier: MIT */
/* glClearBufferData: fills buffers with one texel of a buffer texture format. */
#include <string.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_texture.h"
#include "util/format.h"
#include "util/pixel_moves.h"

/* GL 4.6 §6.2.1. data is one pixel of the given format and type; NULL: zeros. */
void gl_buffer_clear(struct gl_context *ctx, struct gl_buffer *b, GLenum internal, GLintptr offset,
                     GLsizeiptr size, GLenum format, GLenum type, const void *data,
                     const char *call)
{
    GLenum base;
    enum drv_format f = gl_texture_buffer_format(ctx, internal, &base);
    uint8_t texel[16] = {0};
    if (f == DRV_FORMAT_NONE) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", call, gl_enum_name(internal));
        return;
    }
    if (size == INTPTR_MAX)
        size = b->size;
    unsigned bytes = drv_format_desc(f)->block_bytes;
    if (!gl_check_buffer_range(ctx, b, offset, size, call) ||
        !gl_check_buffer_range_unmapped(ctx, b, offset, size, call))
        return;
    if (offset % bytes || size % bytes) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td, size=%td, texels of %u bytes)", call,
                 offset, size, bytes);
        return;
    }
    if (gl_pixel_format_error(ctx, format, type) || !gl_pixel_format_is_color(format)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(format=%s, type=%s)", call, gl_enum_name(format),
                 gl_enum_name(type));
        return;
    }
    if (gl_pixel_format_is_integer(format) != util_format_is_pure_integer(f)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(internalformat=%s, format=%s)", call,
                 gl_enum_name(internal), gl_enum_name(format));
        return;
    }
    if (!size)
        return;
    if (data)
        gl_pixels_texel(ctx, f, base, format, type, data, texel);
    FLUSH_VERTICES(ctx, 0);
    struct drv_transfer *t;
    uint8_t *p = gl_buffer_map_internal(
        ctx, b, offset, size,
        DRV_MAP_WRITE | (size == b->size ? DRV_MAP_DISCARD_WHOLE : DRV_MAP_DISCARD_RANGE), &t);
    if (!p) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    util_fill_texels(p, size, texel, bytes);
    gl_buffer_unmap_internal(ctx, t);
}
