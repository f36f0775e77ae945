/* SPDX-License-Identifier: MIT */
#include "gl/gl_draw_pixels.h"

#include "gl/gl_context.h"
#include "gl/gl_draw.h"
#include "nir/nir_builder.h"

/* --------------------------------------------------------------------------------------- shaders --- */

static nir_variable *variable(nir_builder *b, nir_variable_mode mode, int location,
                              unsigned components)
{
    nir_variable *v = nir_variable_create(b->shader, mode, glsl_vec_type(components), NULL);
    v->data.location = location;
    return v;
}

static struct gl_executable *vertex_program(struct gl_context *ctx)
{
    static const struct {
        uint8_t in, out;
    } moves[] = {
        {VERT_ATTRIB_POS, VARYING_SLOT_POS},
        {VERT_ATTRIB_COLOR0, VARYING_SLOT_COL0},
        {VERT_ATTRIB_TEX0, VARYING_SLOT_TEX0},
    };
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_VERTEX,
                                                   ctx->screen->nir_options[SHADER_VERTEX],
                                                   "pixels vs");
    for (unsigned i = 0; i < ARRAY_SIZE(moves); i++) {
        nir_variable *in = variable(&b, nir_var_shader_in, moves[i].in, 4);
        nir_variable *out = variable(&b, nir_var_shader_out, moves[i].out, 4);
        nir_store_var(&b, out, nir_load_var(&b, in), 0xf);
    }
    return gl_executable_from_nir(b.shader);
}

static nir_def *fetch_image(nir_builder *b)
{
    nir_variable *sampler = nir_variable_create(
        b->shader, nir_var_uniform,
        glsl_sampler_type(GLSL_SAMPLER_DIM_2D, false, false, GLSL_TYPE_FLOAT), NULL);
    sampler->data.binding = 0;
    nir_variable *in = variable(b, nir_var_shader_in, VARYING_SLOT_TEX0, 4);
    nir_def *coord = nir_trim_vector(b, nir_load_var(b, in), 2);
    nir_deref_instr *deref = nir_build_deref_var(b, sampler);
    nir_tex_instr *tex = nir_tex_instr_create(b->shader, 3);
    tex->op = nir_texop_tex;
    tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
    tex->dest_type = nir_type_float32;
    tex->coord_components = 2;
    tex->src[0] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_texture_deref};
    tex->src[1] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_sampler_deref};
    tex->src[2] = (nir_tex_src){nir_src_for_ssa(coord), nir_tex_src_coord};
    nir_def_init(&tex->instr, &tex->def, 4, 32);
    nir_builder_instr_insert(b, &tex->instr);
    return &tex->def;
}

static struct gl_executable *fragment_program(struct gl_context *ctx, enum gl_image_kind kind)
{
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT,
                                                   ctx->screen->nir_options[SHADER_FRAGMENT],
                                                   "pixels fs %d", (int)kind);
    nir_def *texel = fetch_image(&b), *color = texel;
    if (kind != GL_IMAGE_COLOR)
        color = nir_load_var(&b, variable(&b, nir_var_shader_in, VARYING_SLOT_COL0, 4));
    if (kind == GL_IMAGE_BITMAP)
        nir_discard_if(&b, nir_flt_imm(&b, nir_channel(&b, texel, 0), 0.5));
    if (kind == GL_IMAGE_DEPTH)
        nir_store_var(&b, variable(&b, nir_var_shader_out, FRAG_RESULT_DEPTH, 1),
                      nir_channel(&b, texel, 0), 1);
    nir_store_var(&b, variable(&b, nir_var_shader_out, FRAG_RESULT_COLOR, 4), color, 0xf);
    return gl_executable_from_nir(b.shader);
}

/* The pixel shaders' variants for the state; constants evaluated and set. */
static bool bind_program(struct gl_context *ctx, struct gl_executable *exe,
                         enum shader_stage stage)
{
    struct gl_variant_key key;
    memset(&key, 0, sizeof key);
    key.alpha_func = DRV_FUNC_ALWAYS;
    if (stage == SHADER_FRAGMENT && ctx->color.alpha_enabled)
        key.alpha_func = ctx->color.alpha_func - GL_NEVER;
    struct gl_variant *v = gl_stage_variant(ctx, exe, stage, &key);
    if (!v)
        return false;
    for (unsigned i = 0; i < v->num_state; i++) {
        float value[4];
        gl_state_evaluate(ctx, &v->state[i].slot, value);
        memcpy(v->constants + v->state[i].offset, value, v->state[i].components * sizeof *value);
    }
    struct drv_constant_buffer cb = {.size = v->const_bytes, .user = v->constants};
    ctx->drv->ops->bind_shader(ctx->drv, stage, v->owned.object);
    ctx->drv->ops->set_constant_buffer(ctx->drv, stage, 0, v->const_bytes ? &cb : NULL);
    return true;
}

static bool bind_programs(struct gl_context *ctx, enum gl_image_kind kind)
{
    struct gl_executable **vs = &ctx->pixel.vertex, **fs = &ctx->pixel.fragment[kind];
    if (!*vs)
        *vs = vertex_program(ctx);
    if (!*fs)
        *fs = fragment_program(ctx, kind);
    return *vs && *fs && bind_program(ctx, *vs, SHADER_VERTEX) &&
           bind_program(ctx, *fs, SHADER_FRAGMENT);
}

/* ----------------------------------------------------------------------------------------- state --- */

static struct drv_resource *upload(struct gl_context *ctx, GLsizei width, GLsizei height,
                                   GLsizei pitch, const float (*image)[4])
{
    struct drv_resource *r = ctx->screen->ops->resource_create(
        ctx->screen, &(struct drv_resource){
                         .target = DRV_TEXTURE_2D,
                         .format = DRV_FORMAT_R32G32B32A32_FLOAT,
                         .width = width,
                         .height = height,
                         .depth = 1,
                         .array_size = 1,
                         .bind = DRV_BIND_SAMPLER_VIEW,
                         .usage = DRV_USAGE_STREAM,
                     });
    struct drv_box box = {0, 0, 0, width, height, 1};
    struct drv_transfer *t;
    uint8_t *map = r ? ctx->drv->ops->map(ctx->drv, r, 0, DRV_MAP_WRITE | DRV_MAP_DISCARD_WHOLE,
                                          &box, &t)
                     : NULL;
    if (!map) {
        drv_resource_reference(&r, NULL);
        return NULL;
    }
    for (GLsizei y = 0; y < height; y++)
        memcpy(map + (size_t)y * t->stride, image + (size_t)y * pitch, width * sizeof *image);
    ctx->drv->ops->unmap(ctx->drv, t);
    return r;
}

/* Window coordinates for all, and no culling or polygon modes. */
static void bind_raster(struct gl_context *ctx)
{
    float w = ctx->framebuffer.width * 0.5f, h = ctx->framebuffer.height * 0.5f;
    const struct drv_viewport viewport = {{w, h, 0.5f}, {w, h, 0.5f}};
    struct drv_rasterizer_state r;
    memset(&r, 0, sizeof r);
    r.scissor = ctx->scissor.enabled & 1;
    r.half_pixel_center = true;
    r.line_width = r.point_size = 1.0f;
    ctx->drv->ops->set_viewports(ctx->drv, 0, 1, &viewport);
    gl_cso_bind_rasterizer(ctx, &r);
}

static void draw_quad(struct gl_context *ctx, float x0, float y0, float x1, float y1)
{
    static const uint8_t attribs[3] = {VERT_ATTRIB_POS, VERT_ATTRIB_COLOR0, VERT_ATTRIB_TEX0};
    const struct gl_current_state *c = &ctx->current_attribs;
    float position[4][4], color[4][4], coord[4][4];
    float sx = 2.0f / ctx->framebuffer.width, sy = 2.0f / ctx->framebuffer.height;
    for (unsigned i = 0; i < 4; i++) {
        float u = i & 1, v = i >> 1;
        memcpy(position[i], (float[4]){(u ? x1 : x0) * sx - 1, (v ? y1 : y0) * sy - 1,
                                       2.0f * c->raster_pos[2] - 1, 1}, sizeof position[i]);
        memcpy(coord[i], (float[4]){u, v, 0, 1}, sizeof coord[i]);
        memcpy(color[i], c->raster_color, sizeof color[i]);
    }
    const float(*const data[3])[4] = {(const float(*)[4])position, (const float(*)[4])color,
                                      (const float(*)[4])coord};
    gl_draw_internal(ctx, DRV_PRIM_TRIANGLE_STRIP, 4, 3, attribs, data);
}

static bool draw_tile(struct gl_context *ctx, GLsizei width, GLsizei height, GLsizei pitch,
                      const float (*image)[4], float x0, float y0, float x1, float y1)
{
    struct drv_resource *r = upload(ctx, width, height, pitch, image);
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
        ctx->drv->ops->set_sampler_views(ctx->drv, SHADER_FRAGMENT, 0, 1, &view);
        ctx->drv->ops->bind_sampler_states(ctx->drv, SHADER_FRAGMENT, 0, 1, &state);
        draw_quad(ctx, x0, y0, x1, y1);
        ctx->drv->ops->set_sampler_views(ctx->drv, SHADER_FRAGMENT, 0, 1, &none);
    }
    if (view)
        ctx->drv->ops->delete_sampler_view(ctx->drv, view);
    drv_resource_reference(&r, NULL);
    return view && state;
}

bool gl_draw_image(struct gl_context *ctx, enum gl_image_kind kind, GLsizei width, GLsizei height,
                   const float (*image)[4])
{
    const float *pos = ctx->current_attribs.raster_pos;
    float zx = kind == GL_IMAGE_BITMAP ? 1.0f : ctx->pixel.zoom_x;
    float zy = kind == GL_IMAGE_BITMAP ? 1.0f : ctx->pixel.zoom_y;
    GLsizei tile = ctx->consts.max_texture_size;
    if (!gl_update_state(ctx))
        return true;
    bool ok = bind_programs(ctx, kind);
    if (ok)
        bind_raster(ctx);
    for (GLsizei y = 0; ok && y < height; y += tile)
        for (GLsizei x = 0; ok && x < width; x += tile) {
            GLsizei w = MIN2(width - x, tile), h = MIN2(height - y, tile);
            ok = draw_tile(ctx, w, h, width, image + (size_t)y * width + x, pos[0] + zx * x,
                           pos[1] + zy * y, pos[0] + zx * (x + w), pos[1] + zy * (y + h));
        }
    ctx->dirty |= GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES | GL_DIRTY_VIEWPORT |
                  GL_DIRTY_RASTERIZER | GL_DIRTY_ARRAYS;
    return ok;
}

void gl_draw_image_finish(struct gl_context *ctx)
{
    gl_executable_reference(ctx, &ctx->pixel.vertex, NULL);
    for (unsigned i = 0; i < GL_IMAGE_KINDS; i++)
        gl_executable_reference(ctx, &ctx->pixel.fragment[i], NULL);
}

void gl_pixels_finish(struct gl_context *ctx)
{
    gl_draw_image_finish(ctx);
}
