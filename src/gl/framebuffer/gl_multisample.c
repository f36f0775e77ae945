/* SPDX-License-Identifier: MIT */
/* Where samples are (GL 4.6 §14.3.1), and what they are together. */
#include "gl/api/gl_context.h"
#include "gl/texture/gl_format.h"
#include "gl_entry.h"

void gl_GetMultisamplefv(GLenum pname, GLuint index, GLfloat *val)
{
    GL_CONTEXT(ctx);
    if (pname != GL_SAMPLE_POSITION) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetMultisamplefv(pname=%s)", gl_enum_name(pname));
        return;
    }
    unsigned samples = gl_framebuffer_samples(ctx, ctx->framebuffer.draw);
    if (index >= samples) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetMultisamplefv(index=%u of %u)", index, samples);
        return;
    }
    ctx->screen->ops->sample_position(ctx->screen, samples, index, val);
    if (!ctx->framebuffer.draw->name) /* driver.h: upside down */
        val[1] = 1.0f - val[1];
}

struct drv_resource *gl_surface_resolved(struct gl_context *ctx, const struct gl_surface *s)
{
    struct drv_resource *r = NULL;
    if (s->samples <= 1) {
        drv_resource_reference(&r, s->drv.texture);
        return r;
    }
    struct drv_resource templ = *s->drv.texture;
    templ.nr_samples = 1;
    r = ctx->screen->ops->resource_create(ctx->screen, &templ);
    if (!r)
        return NULL;
    struct drv_box box = {0, 0, 0, s->width, s->height, 1};
    bool zs = !gl_base_is_color(s->base);
    ctx->drv->ops->blit(ctx->drv, &(struct drv_blit_info){
                                      .src = {s->drv.texture, 0, s->drv.texture->format, box},
                                      .dst = {r, 0, r->format, box},
                                      .mask = zs ? 6 : 1,
                                      .filter = DRV_FILTER_NEAREST,
                                  });
    return r;
}
