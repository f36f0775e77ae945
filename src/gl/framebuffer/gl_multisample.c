/* SPDX-License-Identifier: MIT */
/* Sample positions (GL 4.6 §14.3.1, ARB_sample_locations), and resolving of multisampled
 * resources. */
#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl_entry.h"
#include "util/format.h"

void gl_GetMultisamplefv(GLenum pname, GLuint index, GLfloat *val)
{
    GL_CONTEXT(ctx);
    struct gl_framebuffer *fb = ctx->framebuffer.draw;
    const bool programmable = pname == GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB &&
                              (ctx->ext.ARB_sample_locations || ctx->ext.NV_sample_locations);
    if (programmable && index < DRV_MAX_SAMPLES) {
        memcpy(val, fb->sample_location[index], sizeof fb->sample_location[index]);
        return;
    }
    if (programmable) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetMultisamplefv(index=%u)", index);
        return;
    }
    if (pname != GL_SAMPLE_POSITION) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetMultisamplefv(pname=%s)", gl_enum_name(pname));
        return;
    }
    unsigned samples = gl_framebuffer_samples(ctx, fb);
    if (index >= samples) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetMultisamplefv(index=%u of %u)", index, samples);
        return;
    }
    ctx->screen->ops->sample_position(ctx->screen, samples, index, !fb->name, val);
    if (fb->flip_y)
        val[1] = 1.0f - val[1];
}

/* --------------------------------------------------------- locations (ARB_sample_locations) --- */

void gl_framebuffer_sample_locations(struct gl_context *ctx, struct gl_framebuffer *fb,
                                     GLuint start, GLsizei count, const GLfloat *v,
                                     const char *name)
{
    if (count < 0 || (uint64_t)start + (uint64_t)count > DRV_MAX_SAMPLES) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(start=%u, count=%d)", name, start, count);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_framebuffer_changed(ctx, fb);
    memcpy(fb->sample_location[start], v, (size_t)count * sizeof fb->sample_location[0]);
}

bool gl_framebuffer_locations(const struct gl_framebuffer *fb, int8_t locations[][2])
{
    if (!fb->programmable_locations)
        return false;
    for (unsigned i = 0; i < DRV_MAX_SAMPLES; i++) {
        for (unsigned c = 0; c < 2; c++) { /* locations outside of the pixel are undefined */
            float at = fb->sample_location[i][c] * 16.0f - 8.0f;
            at = c == 1 && fb->flip_y ? -at : at;
            locations[i][c] = (int8_t)lrintf(fminf(fmaxf(at, -8.0f), 7.0f));
        }
    }
    return true;
}

unsigned gl_sample_location_value(struct gl_context *ctx, unsigned value)
{
    bool complete = gl_framebuffer_status(ctx, GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    return complete ? value : 0;
}

/* Depths are stored per sample, so there is nothing to evaluate. */
void gl_EvaluateDepthValuesARB(void)
{
}

void gl_ResolveDepthValuesNV(void)
{
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

struct drv_resource *gl_surface_resolved(struct gl_context *ctx, struct gl_surface *s)
{
    struct drv_resource *r = gl_resource_resolved(ctx->drv, s->drv.texture);
    if (!r || !ctx->framebuffer.read->flip_y)
        return r;
    struct drv_resource templ = single_like(r), *flipped;
    bool zs = util_format_has_depth(r->format) || util_format_has_stencil(r->format);
    const int height = (int)s->height;
    templ.target = DRV_TEXTURE_2D;
    templ.width = s->width;
    templ.height = s->height;
    templ.depth = templ.array_size = 1;
    flipped = r->screen->ops->resource_create(r->screen, &templ);
    if (flipped)
        ctx->drv->ops->blit(ctx->drv,
                            &(struct drv_blit_info){
                                .src = {r,
                                        s->drv.level,
                                        r->format,
                                        {0, height, s->drv.first_layer, s->width, -height, 1}},
                                .dst = {flipped, 0, r->format, {0, 0, 0, s->width, height, 1}},
                                .mask = zs ? 6 : 1,
                                .filter = DRV_FILTER_NEAREST,
                            });
    drv_resource_reference(&r, NULL);
    s->drv.level = 0;
    s->drv.first_layer = s->drv.last_layer = 0;
    return flipped;
}
