/* SPDX-License-Identifier: MIT */
/* Weak definitions of the hooks of the texture, framebuffer and program side, for as long as it is
 * not linked: no textures, no programs, an incomplete framebuffer. */
#include "gl/gl_core.h"
#include "gl/gl_draw.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define WEAK __attribute__((weak))

WEAK void gl_update_framebuffer(struct gl_context *ctx) {}
WEAK void gl_update_textures(struct gl_context *ctx) {}
WEAK GLenum gl_framebuffer_status(struct gl_context *ctx, GLenum target)
{
    return ctx->draw_drawable ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED;
}
WEAK void gl_framebuffer_size(struct gl_context *ctx, unsigned *width, unsigned *height)
{
    *width = ctx->draw_drawable ? ctx->draw_drawable->width : 0;
    *height = ctx->draw_drawable ? ctx->draw_drawable->height : 0;
}
WEAK void gl_framebuffer_drawables_changed(struct gl_context *ctx) {}
WEAK bool gl_textures_init_shared(struct gl_shared *shared) { return true; }
WEAK void gl_textures_finish_shared(struct gl_context *ctx, struct gl_shared *shared) {}
WEAK bool gl_textures_init(struct gl_context *ctx) { return true; }
WEAK void gl_textures_finish(struct gl_context *ctx) {}
WEAK bool gl_textures_bind_image(struct gl_context *ctx, GLenum target, struct drv_resource *image,
                                 bool with_alpha)
{
    return false;
}
WEAK bool gl_texture_is_complete(const struct gl_context *ctx, const struct gl_texture *t,
                                 const struct gl_sampler_params *p)
{
    return false;
}
WEAK bool gl_framebuffers_init(struct gl_context *ctx) { return true; }
WEAK void gl_framebuffers_finish(struct gl_context *ctx) {}
WEAK char **gl_object_label(struct gl_context *ctx, GLenum identifier, GLuint name)
{
    if (identifier == GL_PROGRAM || identifier == GL_SHADER)
        return gl_program_label(ctx, identifier, name);
    return NULL;
}
WEAK void gl_pixels_init(struct gl_context *ctx)
{
    ctx->pack.alignment = ctx->unpack.alignment = 4;
    for (unsigned c = 0; c < 4; c++)
        ctx->pixel.scale[c] = 1.0f;
    ctx->pixel.depth_scale = ctx->pixel.zoom_x = ctx->pixel.zoom_y = 1.0f;
    for (unsigned m = 0; m < GL_MAP_COUNT; m++)
        ctx->pixel.map[m].size = 1;
}
WEAK void gl_pixels_finish(struct gl_context *ctx) {}
WEAK unsigned gl_get_textures(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    return 0;
}
WEAK unsigned gl_get_pixels(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    return 0;
}
WEAK unsigned gl_get_framebuffers(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                                  double *v)
{
    return 0;
}
WEAK void *gl_textures_push_attrib(struct gl_context *ctx) { return NULL; }
WEAK void gl_textures_pop_attrib(struct gl_context *ctx, void *saved, bool restore) {}
WEAK void gl_framebuffers_push_attrib(struct gl_context *ctx, struct gl_saved_buffers *saved) {}
WEAK void gl_framebuffers_pop_attrib(struct gl_context *ctx, const struct gl_saved_buffers *saved,
                                     bool draw, bool read)
{
}
WEAK void *gl_pixels_copy(struct gl_context *ctx, unsigned dims, GLsizei width, GLsizei height,
                          GLsizei depth, GLenum format, GLenum type, const void *pixels)
{
    return NULL;
}
WEAK bool gl_pixels_unpack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                                  const GLubyte *bitmap, uint32_t *rows)
{
    return false;
}
WEAK void gl_pixels_pack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                                const uint32_t *rows, GLubyte *bitmap)
{
}
WEAK void gl_clear_accum(struct gl_context *ctx) {}
