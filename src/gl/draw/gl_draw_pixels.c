/* SPDX-License-Identifier: MIT */
/*
 * Draws images as rectangles. Their fragments have the attributes of the raster position and are
 * shaded like all others, by the current fragment program or by fixed function (GL 4.6
 * compatibility §14.8, §18.1.2). A shader variant reads the image from a dedicated sampler.
 */
#include "gl/draw/gl_draw_pixels.h"

#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_update_state.h"
#include "gl/program/gl_lower_image.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_cso.h"
#include "gl/texture/gl_texture.h"
#include "nir/nir_builder.h"
#include "nir/nir_lower_gl_state.h"
#include "util/memory.h"

_Static_assert(GL_IMAGE_SAMPLER < DRV_MAX_SAMPLERS, "the image has a separate sampler");
_Static_assert(GL_RECT_VALUES == GL_RECT_TEX0 + GL_MAX_TEXTURE_COORD_UNITS, "a value for each set");

/* ---------------------------------------------------------------------------------- shaders --- */

static nir_variable *variable(nir_builder *b, nir_variable_mode mode, int location,
                              unsigned components)
{
    nir_variable *v = nir_variable_create(b->shader, mode, glsl_vec_type(components), NULL);
    v->data.location = location;
    return v;
}

/* The vertex attribute and the fragment shader input of each value of a rectangle, indexed by enum
 * gl_rect_value. */
static const struct {
    uint8_t attrib, slot;
} rect_inputs[GL_RECT_VALUES] = {
    {VERT_ATTRIB_POS, VARYING_SLOT_POS},       {VERT_ATTRIB_GENERIC0, GL_IMAGE_COORD},
    {VERT_ATTRIB_COLOR0, VARYING_SLOT_COL0},   {VERT_ATTRIB_COLOR1, VARYING_SLOT_COL1},
    {VERT_ATTRIB_FOG, VARYING_SLOT_FOGC},      {VERT_ATTRIB_TEX(0), VARYING_SLOT_TEX(0)},
    {VERT_ATTRIB_TEX(1), VARYING_SLOT_TEX(1)}, {VERT_ATTRIB_TEX(2), VARYING_SLOT_TEX(2)},
    {VERT_ATTRIB_TEX(3), VARYING_SLOT_TEX(3)}, {VERT_ATTRIB_TEX(4), VARYING_SLOT_TEX(4)},
    {VERT_ATTRIB_TEX(5), VARYING_SLOT_TEX(5)}, {VERT_ATTRIB_TEX(6), VARYING_SLOT_TEX(6)},
    {VERT_ATTRIB_TEX(7), VARYING_SLOT_TEX(7)},
};

static struct gl_executable *vertex_program(struct gl_context *ctx)
{
    nir_builder b = nir_builder_init_simple_shader(
        NULL, SHADER_VERTEX, ctx->screen->nir_options[SHADER_VERTEX], "pixels vs");
    for (unsigned i = 0; i < GL_RECT_VALUES; i++) {
        nir_variable *in = variable(&b, nir_var_shader_in, rect_inputs[i].attrib, 4);
        nir_variable *out = variable(&b, nir_var_shader_out, rect_inputs[i].slot, 4);
        nir_store_var(&b, out, nir_load_var(&b, in), 0xf);
    }
    return gl_executable_from_nir(b.shader);
}

static bool bind_programs(struct gl_context *ctx, enum gl_image_kind kind)
{
    struct gl_executable **vs = &ctx->pixel.vertex;
    static const struct gl_variant_key plain = {.alpha_func = DRV_FUNC_ALWAYS};
    if (!*vs)
        *vs = UTIL_ATTEMPT(vertex_program(ctx));
    if (!*vs)
        gl_error(ctx, GL_OUT_OF_MEMORY, "a program that draws pixels");
    struct gl_variant *v = *vs ? gl_stage_variant(ctx, *vs, SHADER_VERTEX, &plain) : NULL;
    if (!v)
        return false;
    ctx->drv->ops->bind_shader(ctx->drv, SHADER_VERTEX, v->owned.object);
    /* Pixel rectangles bypass the application's tessellation and geometry shaders, which process
     * primitives (GL 4.6 compatibility §18.1). */
    for (unsigned s = SHADER_TESS_CTRL; s <= SHADER_GEOMETRY; s++)
        if (ctx->program.executable[s])
            ctx->drv->ops->bind_shader(ctx->drv, s, NULL);
    return gl_bind_image_program(ctx, kind);
}

/* ------------------------------------------------------------------------------- rectangles --- */

/* Binds rasterizer state for window coordinates, without culling and polygon modes. */
static void bind_raster(struct gl_context *ctx)
{
    float w = ctx->framebuffer.width * 0.5f, h = ctx->framebuffer.height * 0.5f;
    const struct drv_viewport viewport = {{w, ctx->framebuffer.flips ? -h : h, 0.5f}, {w, h, 0.5f}};
    struct drv_rasterizer_state r;
    memset(&r, 0, sizeof r);
    r.scissor = ctx->scissor.enabled & 1;
    r.line_width = r.point_size = 1.0f;
    ctx->drv->ops->set_viewports(ctx->drv, 0, 1, &viewport);
    gl_cso_bind_rasterizer(ctx, &r);
}

bool gl_rect_begin(struct gl_context *ctx, enum gl_image_kind kind)
{
    if (!bind_programs(ctx, kind))
        return false;
    bind_raster(ctx);
    return true;
}

void gl_rect_place(const struct gl_context *ctx, struct gl_rect *rect, float x0, float y0, float x1,
                   float y1, float z)
{
    float sx = 2.0f / ctx->framebuffer.width, sy = 2.0f / ctx->framebuffer.height;
    for (unsigned v = 0; v < 4; v++) {
        float position[4] = {(v & 1 ? x1 : x0) * sx - 1, (v >> 1 ? y1 : y0) * sy - 1, 2 * z - 1, 1};
        memcpy(rect->value[GL_RECT_POSITION][v], position, sizeof position);
    }
}

void gl_rect_set(struct gl_rect *rect, enum gl_rect_value value, const float v[4])
{
    for (unsigned i = 0; i < 4; i++)
        memcpy(rect->value[value][i], v, 4 * sizeof *v);
}

void gl_rect_set_coord(struct gl_rect *rect, enum gl_rect_value value, float s0, float t0, float s1,
                       float t1)
{
    for (unsigned i = 0; i < 4; i++) {
        float coord[4] = {i & 1 ? s1 : s0, i >> 1 ? t1 : t0, 0, 1};
        memcpy(rect->value[value][i], coord, sizeof coord);
    }
}

void gl_rect_draw(struct gl_context *ctx, const struct gl_rect *rect)
{
    const float(*data[GL_RECT_VALUES])[4];
    uint8_t attribs[GL_RECT_VALUES];
    for (unsigned i = 0; i < GL_RECT_VALUES; i++) {
        attribs[i] = rect_inputs[i].attrib;
        data[i] = rect->value[i];
    }
    gl_draw_internal(ctx, DRV_PRIM_TRIANGLE_STRIP, 4, GL_RECT_VALUES, attribs, data);
}

void gl_rect_end(struct gl_context *ctx)
{
    ctx->dirty |= GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES | GL_DIRTY_VIEWPORT |
                  GL_DIRTY_RASTERIZER | GL_DIRTY_ARRAYS;
}

/* ----------------------------------------------------------------------------------- images --- */

/* Creates a texture of a part of an image. Returns NULL if out of memory. */
static struct drv_resource *upload(struct gl_context *ctx, const struct gl_draw_source *source,
                                   GLsizei x, GLsizei y, GLsizei width, GLsizei height)
{
    struct drv_resource *r =
        ctx->screen->ops->resource_create(ctx->screen, &(struct drv_resource){
                                                           .target = DRV_TEXTURE_2D,
                                                           .format = source->texels,
                                                           .width = width,
                                                           .height = height,
                                                           .depth = 1,
                                                           .array_size = 1,
                                                           .bind = DRV_BIND_SAMPLER_VIEW,
                                                       });
    const struct drv_box box = {0, 0, 0, width, height, 1};
    struct drv_pixels pixels = source->pixels;
    pixels.data = (uint8_t *)pixels.data + y * pixels.stride + (size_t)x * source->pixel_bytes;
    if (r && !ctx->drv->ops->image_write(ctx->drv, r, r->format, 0, &box, &pixels))
        drv_resource_reference(&r, NULL);
    return r;
}

static void draw_quad(struct gl_context *ctx, float x0, float y0, float x1, float y1)
{
    const struct gl_current_state *c = &ctx->current_attribs;
    struct gl_rect rect;
    gl_rect_place(ctx, &rect, x0, y0, x1, y1, c->raster_pos[2]);
    gl_rect_set_coord(&rect, GL_RECT_IMAGE, 0, 0, 1, 1);
    gl_rect_set(&rect, GL_RECT_COLOR0, c->raster_color);
    gl_rect_set(&rect, GL_RECT_COLOR1, c->raster_secondary_color);
    gl_rect_set(&rect, GL_RECT_FOG, (const float[4]){c->raster_distance, 0, 0, 1});
    for (unsigned i = 0; i < GL_MAX_TEXTURE_COORD_UNITS; i++)
        gl_rect_set(&rect, GL_RECT_TEX0 + i, c->raster_texcoord[i]);
    gl_rect_draw(ctx, &rect);
}

/* Draws the texture of an image, and releases it. */
static bool draw_tile(struct gl_context *ctx, struct drv_resource *r, float x0, float y0, float x1,
                      float y1)
{
    if (!r)
        return false;
    const struct drv_sampler_view desc = {
        .texture = r,
        .format = r->format,
        .target = DRV_TEXTURE_2D,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
    };
    struct drv_sampler_state sampler;
    memset(&sampler, 0, sizeof sampler);
    sampler.wrap_s = sampler.wrap_t = sampler.wrap_r = DRV_WRAP_CLAMP_TO_EDGE;
    sampler.max_anisotropy = 1.0f;
    void *view = ctx->drv->ops->create_sampler_view(ctx->drv, &desc);
    void *state = gl_sampler_state(ctx, &sampler), *none = NULL;
    if (view && state) {
        ctx->drv->ops->set_sampler_views(ctx->drv, SHADER_FRAGMENT, GL_IMAGE_SAMPLER, 1, &view);
        ctx->drv->ops->bind_sampler_states(ctx->drv, SHADER_FRAGMENT, GL_IMAGE_SAMPLER, 1, &state);
        draw_quad(ctx, x0, y0, x1, y1);
        ctx->drv->ops->set_sampler_views(ctx->drv, SHADER_FRAGMENT, GL_IMAGE_SAMPLER, 1, &none);
    }
    if (view)
        ctx->drv->ops->delete_sampler_view(ctx->drv, view);
    drv_resource_reference(&r, NULL);
    return view && state;
}

bool gl_draw_image(struct gl_context *ctx, enum gl_image_kind kind,
                   const struct gl_draw_source *source)
{
    const float *pos = ctx->current_attribs.raster_pos;
    float zx = kind == GL_IMAGE_BITMAP ? 1.0f : ctx->pixel.zoom_x;
    float zy = kind == GL_IMAGE_BITMAP ? 1.0f : ctx->pixel.zoom_y;
    GLsizei tile = ctx->consts.max_texture_size;
    if (!gl_update_state(ctx))
        return true;
    bool ok = gl_rect_begin(ctx, kind);
    for (GLsizei y = 0; ok && y < source->height; y += tile)
        for (GLsizei x = 0; ok && x < source->width; x += tile) {
            GLsizei w = MIN2(source->width - x, tile), h = MIN2(source->height - y, tile);
            ok = draw_tile(ctx, upload(ctx, source, x, y, w, h), pos[0] + zx * x, pos[1] + zy * y,
                           pos[0] + zx * (x + w), pos[1] + zy * (y + h));
        }
    gl_rect_end(ctx);
    return ok;
}

void gl_pixels_finish(struct gl_context *ctx)
{
    gl_executable_reference(ctx, &ctx->pixel.vertex, NULL);
}
