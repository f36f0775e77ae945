/* SPDX-License-Identifier: MIT */
/* glReadPixels (GL 4.6 §18.2). */
#include "gl/gl_context.h"
#include "gl/gl_format.h"
#include "gl_entry.h"
#include "util/format.h"

/* The surface that pixels of this format come from; false with an error. */
static bool read_source(struct gl_context *ctx, GLenum format, struct gl_surface *surface,
                        const char *name)
{
    bool ok;
    if (format == GL_DEPTH_COMPONENT || format == GL_DEPTH_STENCIL)
        ok = gl_depth_surface(ctx, ctx->framebuffer.read, false, surface) &&
             (format == GL_DEPTH_COMPONENT || util_format_has_stencil(surface->drv.format));
    else if (format == GL_STENCIL_INDEX)
        ok = gl_depth_surface(ctx, ctx->framebuffer.read, true, surface);
    else
        ok = gl_read_surface(ctx, surface) &&
             util_format_is_pure_integer(surface->drv.format) ==
                 gl_pixel_format_is_integer(format);
    if (!ok)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(format=%s: no such buffer)", name,
                 gl_enum_name(format));
    return ok;
}

static void read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                        GLenum type, GLsizei buffer_size, void *pixels, const char *name)
{
    GL_CONTEXT(ctx);
    struct gl_surface source;
    struct gl_pixel_layout layout;
    struct gl_pixel_mapping client;
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d x %d)", name, width, height);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    GLenum error = gl_pixel_format_error(ctx, format, type);
    if (error) {
        gl_error(ctx, error, "%s(format=%s, type=%s)", name, gl_enum_name(format),
                 gl_enum_name(type));
        return;
    }
    if (!gl_check_framebuffer(ctx, GL_READ_FRAMEBUFFER, name))
        return;
    if (gl_framebuffer_samples(ctx, ctx->framebuffer.read)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(multisampled framebuffer)", name);
        return;
    }
    if (!read_source(ctx, format, &source, name))
        return;
    gl_pixel_layout(&ctx->pack, 2, width, height, 1, format, type, &layout);
    if (!gl_pixel_map_client(ctx, &ctx->pack, &layout, pixels, true, buffer_size, name, &client))
        return;
    /* What lies outside of the framebuffer stays as it is in the client's memory. */
    GLint left = MAX2(0, -x), bottom = MAX2(0, -y);
    struct drv_box box = {
        x + left, y + bottom, source.drv.first_layer,
        MIN2((int64_t)width, (int64_t)source.width - x) - left,
        MIN2((int64_t)height, (int64_t)source.height - y) - bottom, 1};
    layout.skip += (uint64_t)left * layout.pixel_bytes + bottom * layout.row_stride;
    bool clamp = ctx->color.clamp_read == GL_TRUE ||
                 (ctx->color.clamp_read == GL_FIXED_ONLY &&
                  !util_format_is_float(source.drv.format));
    unsigned ops = (gl_is_compat(ctx) ? GL_PIXEL_TRANSFER : 0) | GL_PIXEL_LUMINANCE_SUM |
                   (clamp ? GL_PIXEL_CLAMP : 0);
    if (client.pointer && box.width > 0 && box.height > 0 &&
        !gl_pixels_download(ctx, source.drv.texture, source.drv.format, source.drv.level, &box,
                            source.base, false, format, type, &ctx->pack, &layout, ops,
                            client.pointer))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    gl_pixel_unmap_client(ctx, &client);
}

void gl_ReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                   void *pixels)
{
    read_pixels(x, y, width, height, format, type, -1, pixels, "glReadPixels");
}

void gl_ReadnPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                    GLsizei buffer_size, void *pixels)
{
    read_pixels(x, y, width, height, format, type, buffer_size, pixels, "glReadnPixels");
}
