/* SPDX-License-Identifier: MIT */
/* Sample positions (GL 4.6 §14.3.1), and resolving of multisampled resources. */
#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl_entry.h"
#include "util/format.h"

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
    if (!ctx->framebuffer.draw->name) /* windows are vertically flipped (driver.h) */
        val[1] = 1.0f - val[1];
}

/* Returns a single-sampled template like r. It doesn't copy the reference count, which other
 * threads may change. */
static struct drv_resource single_like(const struct drv_resource *r)
{
    return (struct drv_resource){
        .target = r->target,
        .format = r->format,
        .width = r->width,
        .height = r->height,
        .depth = r->depth,
        .array_size = r->array_size,
        .bind = r->bind,
        .nr_samples = 1,
    };
}

struct drv_resource *gl_resource_resolved(struct drv_context *drv, struct drv_resource *r)
{
    struct drv_resource *single = NULL, templ = single_like(r);
    struct drv_blit_box box = {0, 0, 0, r->width, r->height, 1};
    bool zs = util_format_has_depth(r->format) || util_format_has_stencil(r->format);
    if (r->nr_samples <= 1) {
        drv_resource_reference(&single, r);
        return single;
    }
    single = drv->screen->ops->resource_create(drv->screen, &templ);
    if (single)
        drv->ops->blit(drv, &(struct drv_blit_info){
                                .src = {r, 0, r->format, box},
                                .dst = {single, 0, r->format, box},
                                .mask = zs ? 6 : 1,
                                .filter = DRV_FILTER_NEAREST,
                            });
    return single;
}
