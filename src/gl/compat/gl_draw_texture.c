/* SPDX-License-Identifier: MIT */
/* OES_draw_texture: rectangles in window coordinates that show the textures' crop rectangles. */
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_draw_pixels.h"
#include "gl/draw/gl_update_state.h"
#include "gl/fixed/gl_ff.h"
#include "gl/program/gl_lower_image.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

/* Sets the rectangle's texture coordinates for a unit from its texture's crop rectangle. */
static void set_coord(struct gl_context *ctx, struct gl_rect *rect, unsigned unit)
{
    static const float none[4] = {0, 0, 0, 1};
    int target = gl_ff_unit_target(ctx, unit);
    const struct gl_texture *t = target >= 0 ? ctx->texture.unit[unit].bound[target] : NULL;
    if (!t) {
        gl_rect_set(rect, GL_RECT_TEX0 + unit, none);
        return;
    }
    const struct gl_image *image = &t->image[0][t->base_level];
    const GLint *crop = t->crop;
    /* An external texture may have no image. */
    float sx = 1.0f / (float)MAX2(image->width, 1), sy = 1.0f / (float)MAX2(image->height, 1);
    gl_rect_set_coord(rect, GL_RECT_TEX0 + unit, crop[0] * sx, crop[1] * sy,
                      ((float)crop[0] + crop[2]) * sx, ((float)crop[1] + crop[3]) * sy);
}

static void draw_tex(float x, float y, float z, float width, float height, const char *name)
{
    GL_CONTEXT(ctx);
    const struct gl_current_state *c = &ctx->current_attribs;
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    struct gl_rect rect;
    if (!(width > 0.0f && height > 0.0f)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%g × %g)", name, (double)width, (double)height);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!gl_validate_draw(ctx, GL_TRIANGLES, name) || !gl_update_state(ctx))
        return;
    gl_rect_place(ctx, &rect, x, y, x + width, y + height,
                  vp->near_val + CLAMP(z, 0.0f, 1.0f) * (vp->far_val - vp->near_val));
    gl_rect_set_coord(&rect, GL_RECT_IMAGE, 0, 0, 0, 0);
    gl_rect_set(&rect, GL_RECT_COLOR0, c->attrib[VERT_ATTRIB_COLOR0]);
    gl_rect_set(&rect, GL_RECT_COLOR1, c->attrib[VERT_ATTRIB_COLOR1]);
    gl_rect_set(&rect, GL_RECT_FOG, (const float[4]){0, 0, 0, 1});
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        set_coord(ctx, &rect, u);
    if (gl_rect_begin(ctx, GL_IMAGE_NONE))
        gl_rect_draw(ctx, &rect);
    else
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    gl_rect_end(ctx);
}

#define DRAW_TEX(suffix, T, scale)                                                                 \
    void gl_DrawTex##suffix##OES(T x, T y, T z, T width, T height)                                 \
    {                                                                                              \
        draw_tex((float)x *scale, (float)y *scale, (float)z *scale, (float)width *scale,           \
                 (float)height *scale, "glDrawTex" #suffix "OES");                                 \
    }                                                                                              \
    void gl_DrawTex##suffix##vOES(const T *v)                                                      \
    {                                                                                              \
        gl_DrawTex##suffix##OES(v[0], v[1], v[2], v[3], v[4]);                                     \
    }
DRAW_TEX(s, GLshort, 1.0f)
DRAW_TEX(i, GLint, 1.0f)
DRAW_TEX(f, GLfloat, 1.0f)
DRAW_TEX(x, GLfixed, (1.0f / 65536.0f))
