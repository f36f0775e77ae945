/* SPDX-License-Identifier: MIT */
/* glPushAttrib, glPushClientAttrib and their pops (GL 4.6 compatibility §21.6). */
#include "gl/compat/gl_attrib_stack.h"

#include <stdlib.h>
#include <talloc.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_share.h"
#include "gl/draw/gl_array.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/state/gl_material.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

#include "util/check.h"

#define STACK_MAX 16

struct attrib_entry {
    GLbitfield mask;
    bool fragment_shader_ati, programs[2]; /* assembly programs, indexed by GL_ASM_VERTEX … */
    struct gl_color_state color;
    struct gl_accum_state accum;
    struct gl_depth_state depth;
    struct gl_stencil_state stencil;
    struct gl_polygon_state polygon;
    uint32_t polygon_stipple[32];
    struct gl_line_state line;
    struct gl_point_state point;
    struct gl_viewport_state viewport;
    struct gl_conservative_state conservative;
    struct gl_scissor_state scissor;
    struct gl_multisample_state multisample;
    struct gl_hint_state hint;
    struct gl_light_state light;
    struct gl_fog_state fog;
    struct gl_texenv_state texenv;
    struct gl_transform_state transform;
    struct gl_current_state current;
    GLint patch_vertices;
    struct gl_eval_state eval;
    struct gl_pixel_state pixel;
    GLuint list_base;
    struct gl_saved_buffers buffers;
    void *textures;
};

struct client_entry {
    GLbitfield mask;
    struct gl_pixel_store pack, unpack; /* hold references to their buffers */
    GLuint vao;
    struct gl_vertex_array arrays; /* contents; holds references to its buffers */
    struct gl_buffer *array_buffer;
    GLuint client_active_texture;
    bool primitive_restart, primitive_restart_fixed;
    GLuint restart_index;
};

struct gl_attrib_stack {
    struct attrib_entry *server[STACK_MAX];
    struct client_entry *client[STACK_MAX];
    unsigned depth, client_depth;
};

bool gl_attrib_stack_init(struct gl_context *ctx)
{
    ctx->attrib_stack = talloc_zero(ctx, struct gl_attrib_stack);
    return ctx->attrib_stack;
}

unsigned gl_attrib_stack_depth(const struct gl_context *ctx, bool client)
{
    return client ? ctx->attrib_stack->client_depth : ctx->attrib_stack->depth;
}

/* ----------------------------------------------------------------------------- server state --- */

/* Bytes at the start of struct gl_pixel_state that belong to GL_PIXEL_MODE_BIT. The contents of the
 * pixel maps, which follow, belong to no group (GL 4.6 compatibility table 23.39), and neither does
 * the program after them, which is not state of the application. */
#define PIXEL_BYTES offsetof(struct gl_pixel_state, map)

/* Stores the state of all groups in *e; `mask` selects those that restore() restores. */
static void save(struct gl_context *ctx, struct attrib_entry *e, GLbitfield mask)
{
    e->mask = mask;
    e->fragment_shader_ati = ctx->ati.enabled;
    memcpy(e->programs, ctx->assembly.enabled, sizeof e->programs);
    e->color = ctx->color;
    e->accum = ctx->accum;
    e->depth = ctx->depth;
    e->stencil = ctx->stencil;
    e->polygon = ctx->polygon;
    memcpy(e->polygon_stipple, ctx->polygon_stipple, sizeof e->polygon_stipple);
    e->line = ctx->line;
    e->point = ctx->point;
    e->viewport = ctx->viewport;
    e->conservative = ctx->conservative;
    e->scissor = ctx->scissor;
    e->multisample = ctx->multisample;
    e->hint = ctx->hint;
    e->light = ctx->light;
    e->fog = ctx->fog;
    e->texenv = ctx->texenv;
    e->transform = ctx->transform;
    e->current = ctx->current_attribs;
    e->patch_vertices = ctx->program.patch_vertices;
    e->eval = ctx->eval;
    memcpy(&e->pixel, &ctx->pixel, PIXEL_BYTES);
    e->list_base = ctx->list_base;
}

/* Restores GL_ENABLE_BIT, that is, only the flags (GL 4.6 compatibility table 23.x, column
 * "enable"). */
static void restore_enables(struct gl_context *ctx, const struct attrib_entry *e)
{
    ctx->ati.enabled = e->fragment_shader_ati;
    memcpy(ctx->assembly.enabled, e->programs, sizeof e->programs);
    ctx->color.alpha_enabled = e->color.alpha_enabled;
    ctx->color.blend_enabled = e->color.blend_enabled;
    ctx->color.logic_op_enabled = e->color.logic_op_enabled;
    ctx->color.index_logic_op_enabled = e->color.index_logic_op_enabled;
    ctx->color.dither = e->color.dither;
    ctx->color.srgb = e->color.srgb;
    ctx->color.clamp_fragment = e->color.clamp_fragment;
    ctx->color.clamp_read = e->color.clamp_read;
    ctx->depth.test = e->depth.test;
    ctx->depth.bounds_test = e->depth.bounds_test;
    ctx->stencil.enabled = e->stencil.enabled;
    ctx->stencil.two_side = e->stencil.two_side;
    ctx->polygon.cull = e->polygon.cull;
    ctx->polygon.smooth = e->polygon.smooth;
    ctx->polygon.stipple = e->polygon.stipple;
    ctx->polygon.offset_point = e->polygon.offset_point;
    ctx->polygon.offset_line = e->polygon.offset_line;
    ctx->polygon.offset_fill = e->polygon.offset_fill;
    ctx->line.smooth = e->line.smooth;
    ctx->line.stipple = e->line.stipple;
    ctx->point.smooth = e->point.smooth;
    ctx->point.sprite = e->point.sprite;
    ctx->point.program_size = e->point.program_size;
    ctx->conservative = e->conservative;
    ctx->scissor.enabled = e->scissor.enabled;
    ctx->multisample.enabled = e->multisample.enabled;
    ctx->multisample.alpha_to_coverage = e->multisample.alpha_to_coverage;
    ctx->multisample.alpha_to_one = e->multisample.alpha_to_one;
    ctx->multisample.sample_coverage = e->multisample.sample_coverage;
    ctx->multisample.sample_shading = e->multisample.sample_shading;
    ctx->light.enabled = e->light.enabled;
    ctx->light.color_material = e->light.color_material;
    ctx->light.program_two_side = e->light.program_two_side;
    ctx->light.clamp_vertex = e->light.clamp_vertex;
    for (unsigned i = 0; i < GL_MAX_LIGHTS_; i++)
        ctx->light.light[i].enabled = e->light.light[i].enabled;
    ctx->fog.enabled = e->fog.enabled;
    ctx->fog.color_sum = e->fog.color_sum;
    ctx->transform.normalize = e->transform.normalize;
    ctx->transform.rescale_normals = e->transform.rescale_normals;
    ctx->transform.depth_clamp_near = e->transform.depth_clamp_near;
    ctx->transform.depth_clamp_far = e->transform.depth_clamp_far;
    ctx->transform.raster_unclipped = e->transform.raster_unclipped;
    ctx->transform.clip_enabled = e->transform.clip_enabled;
    ctx->eval.auto_normal = e->eval.auto_normal;
    ctx->eval.map1_enabled = e->eval.map1_enabled;
    ctx->eval.map2_enabled = e->eval.map2_enabled;
    for (unsigned i = 0; i < GL_MAX_TEXTURE_COORD_UNITS; i++) {
        ctx->texenv.unit[i].enabled = e->texenv.unit[i].enabled;
        ctx->texenv.unit[i].gen_enabled = e->texenv.unit[i].gen_enabled;
    }
}

/* The following functions restore one group each. Fields of their structs that other groups or none
 * contain keep their values (GL 4.6 compatibility tables 23.3 to 23.87). */

/* Restores GL_CURRENT_BIT, which includes GL_PATCH_VERTICES (table 23.3). */
static void restore_current(struct gl_context *ctx, const struct attrib_entry *e)
{
    ctx->current_attribs = e->current;
    ctx->program.patch_vertices = e->patch_vertices;
}

/* Restores GL_PIXEL_MODE_BIT except for the read buffer. */
static void restore_pixel(struct gl_context *ctx, const struct attrib_entry *e)
{
    memcpy(&ctx->pixel, &e->pixel, PIXEL_BYTES);
}

/* Restores GL_LIGHTING_BIT. GL_VERTEX_PROGRAM_TWO_SIDE belongs only to GL_ENABLE_BIT (table
 * 23.54). */
static void restore_light(struct gl_context *ctx, const struct attrib_entry *e)
{
    bool program_two_side = ctx->light.program_two_side;
    ctx->light = e->light;
    ctx->light.program_two_side = program_two_side;
}

/* Restores GL_POINT_BIT. GL_PROGRAM_POINT_SIZE belongs only to GL_ENABLE_BIT (table 23.54). */
static void restore_point(struct gl_context *ctx, const struct attrib_entry *e)
{
    bool program_size = ctx->point.program_size;
    ctx->point = e->point;
    ctx->point.program_size = program_size;
}

/* Restores GL_MULTISAMPLE_BIT. The sample mask and its enable belong to no group (table 23.16). */
static void restore_multisample(struct gl_context *ctx, const struct attrib_entry *e)
{
    bool mask_enabled = ctx->multisample.sample_mask_enabled;
    GLuint mask = ctx->multisample.sample_mask;
    ctx->multisample = e->multisample;
    ctx->multisample.sample_mask_enabled = mask_enabled;
    ctx->multisample.sample_mask = mask;
}

/* Restores the texture units' state of GL_TEXTURE_BIT. GL_TEXTURE_CUBE_MAP_SEAMLESS belongs to no
 * group (table 23.87). */
static void restore_texenv(struct gl_context *ctx, const struct attrib_entry *e)
{
    bool seamless = ctx->texenv.seamless_cube_map;
    ctx->texenv = e->texenv;
    ctx->texenv.seamless_cube_map = seamless;
}

/* Restores GL_VIEWPORT_BIT. The clip volume belongs to GL_TRANSFORM_BIT (table 23.10). */
static void restore_viewport(struct gl_context *ctx, const struct attrib_entry *e)
{
    GLenum origin = ctx->viewport.clip_origin, depth = ctx->viewport.clip_depth;
    ctx->viewport = e->viewport;
    ctx->viewport.clip_origin = origin;
    ctx->viewport.clip_depth = depth;
}

/* Restores GL_TRANSFORM_BIT. GL_RASTERIZER_DISCARD belongs to no group (table 23.14). */
static void restore_transform(struct gl_context *ctx, const struct attrib_entry *e)
{
    bool discard = ctx->transform.rasterizer_discard;
    ctx->transform = e->transform;
    ctx->transform.rasterizer_discard = discard;
    ctx->viewport.clip_origin = e->viewport.clip_origin;
    ctx->viewport.clip_depth = e->viewport.clip_depth;
}

/* Restores the groups that *e was saved for, except for textures. */
static void restore(struct gl_context *ctx, struct attrib_entry *e)
{
    GLbitfield m = e->mask;
    if (m & GL_COLOR_BUFFER_BIT)
        ctx->color = e->color;
    if (m & GL_ACCUM_BUFFER_BIT)
        ctx->accum = e->accum;
    if (m & GL_DEPTH_BUFFER_BIT)
        ctx->depth = e->depth;
    if (m & GL_STENCIL_BUFFER_BIT)
        ctx->stencil = e->stencil;
    if (m & GL_POLYGON_BIT)
        ctx->polygon = e->polygon;
    if (m & GL_POLYGON_STIPPLE_BIT)
        memcpy(ctx->polygon_stipple, e->polygon_stipple, sizeof e->polygon_stipple);
    if (m & GL_LINE_BIT)
        ctx->line = e->line;
    if (m & GL_POINT_BIT)
        restore_point(ctx, e);
    if (m & GL_VIEWPORT_BIT)
        restore_viewport(ctx, e);
    if (m & GL_SCISSOR_BIT)
        ctx->scissor = e->scissor;
    if (m & GL_MULTISAMPLE_BIT)
        restore_multisample(ctx, e);
    if (m & GL_HINT_BIT)
        ctx->hint = e->hint;
    if (m & GL_LIGHTING_BIT)
        restore_light(ctx, e);
    if (m & GL_FOG_BIT)
        ctx->fog = e->fog;
    if (m & GL_TRANSFORM_BIT)
        restore_transform(ctx, e);
    if (m & GL_CURRENT_BIT)
        restore_current(ctx, e);
    if (m & GL_EVAL_BIT)
        ctx->eval = e->eval;
    if (m & GL_LIST_BIT)
        ctx->list_base = e->list_base;
    if (m & GL_PIXEL_MODE_BIT)
        restore_pixel(ctx, e);
    if (m & GL_TEXTURE_BIT)
        restore_texenv(ctx, e);
    if (m & GL_ENABLE_BIT)
        restore_enables(ctx, e);
    if (m & (GL_COLOR_BUFFER_BIT | GL_PIXEL_MODE_BIT))
        gl_framebuffers_pop_attrib(ctx, &e->buffers, m & GL_COLOR_BUFFER_BIT,
                                   m & GL_PIXEL_MODE_BIT);
    /* Materials that track the current color do so always (GL 4.6 compatibility §12.2.3). */
    if (m & (GL_CURRENT_BIT | GL_LIGHTING_BIT | GL_ENABLE_BIT))
        gl_material_track_color(ctx);
}

void gl_PushAttrib(GLbitfield mask)
{
    GL_CONTEXT(ctx);
    struct gl_attrib_stack *s = ctx->attrib_stack;
    if (s->depth >= STACK_MAX) {
        gl_error(ctx, GL_STACK_OVERFLOW, "glPushAttrib");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    struct attrib_entry *e = calloc(1, sizeof *e);
    if (!e) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glPushAttrib");
        return;
    }
    save(ctx, e, mask);
    gl_framebuffers_push_attrib(ctx, &e->buffers);
    if (mask & GL_TEXTURE_BIT) {
        e->textures = gl_textures_push_attrib(ctx);
        if (!e->textures) {
            free(e);
            gl_error(ctx, GL_OUT_OF_MEMORY, "glPushAttrib");
            return;
        }
    }
    NEXT_OF(s->server, s->depth) = e;
}

void gl_PopAttrib(void)
{
    GL_CONTEXT(ctx);
    struct gl_attrib_stack *s = ctx->attrib_stack;
    if (!s->depth) {
        gl_error(ctx, GL_STACK_UNDERFLOW, "glPopAttrib");
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_ALL);
    struct attrib_entry *e = s->server[--s->depth];
    restore(ctx, e);
    if (e->textures)
        gl_textures_pop_attrib(ctx, e->textures, true);
    free(e);
}

void gl_context_copy_state(struct gl_context *src, struct gl_context *dst, GLbitfield mask)
{
    struct attrib_entry *e = calloc(1, sizeof *e);
    if (!e)
        return;
    save(src, e, mask);
    gl_framebuffers_push_attrib(src, &e->buffers);
    bool outermost = gl_share_enter(dst);
    restore(dst, e);
    if (mask & GL_TEXTURE_BIT)
        gl_textures_copy_bindings(src, dst);
    dst->dirty = GL_DIRTY_ALL;
    gl_share_leave(dst, outermost);
    free(e);
}

/* ----------------------------------------------------------------------------- client state --- */

/* Copies arrays, taking references to their buffers; releases dst's old buffers. */
static void copy_arrays(struct gl_context *ctx, struct gl_vertex_array *dst,
                        const struct gl_vertex_array *src)
{
    for (unsigned i = 0; i < VERT_ATTRIB_COUNT; i++) {
        struct gl_buffer *b = dst->binding[i].buffer;
        gl_buffer_reference(ctx, &b, src->binding[i].buffer);
        dst->binding[i] = src->binding[i];
        dst->binding[i].buffer = b;
        dst->attrib[i] = src->attrib[i];
    }
    gl_buffer_reference(ctx, &dst->index_buffer, src->index_buffer);
    dst->enabled = src->enabled;
}

static void copy_store(struct gl_context *ctx, struct gl_pixel_store *dst,
                       const struct gl_pixel_store *src)
{
    struct gl_buffer *b = dst->buffer;
    gl_buffer_reference(ctx, &b, src->buffer);
    *dst = *src;
    dst->buffer = b;
}

static void free_client(struct gl_context *ctx, struct client_entry *e)
{
    static const struct gl_vertex_array none;
    copy_arrays(ctx, &e->arrays, &none);
    gl_buffer_reference(ctx, &e->pack.buffer, NULL);
    gl_buffer_reference(ctx, &e->unpack.buffer, NULL);
    gl_buffer_reference(ctx, &e->array_buffer, NULL);
    free(e);
}

void gl_PushClientAttrib(GLbitfield mask)
{
    GL_CONTEXT(ctx);
    struct gl_attrib_stack *s = ctx->attrib_stack;
    if (s->client_depth >= STACK_MAX) {
        gl_error(ctx, GL_STACK_OVERFLOW, "glPushClientAttrib");
        return;
    }
    struct client_entry *e = calloc(1, sizeof *e);
    if (!e) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glPushClientAttrib");
        return;
    }
    e->mask = mask;
    copy_store(ctx, &e->pack, &ctx->pack);
    copy_store(ctx, &e->unpack, &ctx->unpack);
    if (mask & GL_CLIENT_VERTEX_ARRAY_BIT) {
        e->vao = ctx->array.vao->name;
        copy_arrays(ctx, &e->arrays, ctx->array.vao);
        gl_buffer_reference(ctx, &e->array_buffer, ctx->array.array_buffer);
        e->client_active_texture = ctx->array.client_active_texture;
        e->primitive_restart = ctx->array.primitive_restart;
        e->primitive_restart_fixed = ctx->array.primitive_restart_fixed;
        e->restart_index = ctx->array.restart_index;
    }
    NEXT_OF(s->client, s->client_depth) = e;
}

static void reset_store(struct gl_context *ctx, struct gl_pixel_store *store)
{
    static const struct gl_pixel_store initial = {.alignment = 4};
    copy_store(ctx, store, &initial);
}

static void reset_arrays(struct gl_context *ctx)
{
    struct gl_vertex_array initial = {0};
    gl_vertex_array_init(&initial);
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    copy_arrays(ctx, ctx->array.vao, &initial);
    gl_buffer_reference(ctx, &ctx->array.array_buffer, NULL);
    ctx->array.client_active_texture = 0;
    ctx->array.primitive_restart = ctx->array.primitive_restart_fixed = false;
    ctx->array.restart_index = 0;
}

void gl_ClientAttribDefaultEXT(GLbitfield mask)
{
    GL_CONTEXT(ctx);
    if (mask & GL_CLIENT_PIXEL_STORE_BIT) {
        reset_store(ctx, &ctx->pack);
        reset_store(ctx, &ctx->unpack);
    }
    if (mask & GL_CLIENT_VERTEX_ARRAY_BIT)
        reset_arrays(ctx);
}

void gl_PushClientAttribDefaultEXT(GLbitfield mask)
{
    GL_CONTEXT(ctx);
    unsigned depth = ctx->attrib_stack->client_depth;
    gl_PushClientAttrib(mask);
    if (ctx->attrib_stack->client_depth > depth)
        gl_ClientAttribDefaultEXT(mask);
}

/* Drops a saved reference to a buffer whose name was deleted meanwhile. `attached`: buffer of the
 * same binding, which keeps a deleted buffer. */
static void drop_deleted(struct gl_context *ctx, struct gl_buffer **saved,
                         const struct gl_buffer *attached)
{
    if (*saved && (*saved)->deleted && *saved != attached)
        gl_buffer_reference(ctx, saved, NULL);
}

/* Restores the contents of the bound vertex array object. Like deleted textures, deleted buffers
 * are not bound again. The object keeps those that are still attached because it was not bound when
 * they were deleted (GL 4.6 §5.1.3). */
static void restore_arrays(struct gl_context *ctx, struct client_entry *e)
{
    struct gl_vertex_array *vao = ctx->array.vao;
    for (unsigned i = 0; i < VERT_ATTRIB_COUNT; i++)
        drop_deleted(ctx, &e->arrays.binding[i].buffer, vao->binding[i].buffer);
    drop_deleted(ctx, &e->arrays.index_buffer, vao->index_buffer);
    copy_arrays(ctx, vao, &e->arrays);
}

void gl_PopClientAttrib(void)
{
    GL_CONTEXT(ctx);
    struct gl_attrib_stack *s = ctx->attrib_stack;
    if (!s->client_depth) {
        gl_error(ctx, GL_STACK_UNDERFLOW, "glPopClientAttrib");
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    struct client_entry *e = s->client[--s->client_depth];
    drop_deleted(ctx, &e->pack.buffer, NULL);
    drop_deleted(ctx, &e->unpack.buffer, NULL);
    drop_deleted(ctx, &e->array_buffer, NULL);
    if (e->mask & GL_CLIENT_PIXEL_STORE_BIT) {
        copy_store(ctx, &ctx->pack, &e->pack);
        copy_store(ctx, &ctx->unpack, &e->unpack);
    }
    if (e->mask & GL_CLIENT_VERTEX_ARRAY_BIT) {
        if (!e->vao || gl_names_lookup(&ctx->vertex_arrays, e->vao)) {
            gl_BindVertexArray(e->vao);
            restore_arrays(ctx, e);
        }
        gl_buffer_reference(ctx, &ctx->array.array_buffer, e->array_buffer);
        ctx->array.client_active_texture = e->client_active_texture;
        ctx->array.primitive_restart = e->primitive_restart;
        ctx->array.primitive_restart_fixed = e->primitive_restart_fixed;
        ctx->array.restart_index = e->restart_index;
    }
    free_client(ctx, e);
}

void gl_attrib_stack_finish(struct gl_context *ctx)
{
    struct gl_attrib_stack *s = ctx->attrib_stack;
    if (!s)
        return;
    while (s->depth) {
        struct attrib_entry *e = s->server[--s->depth];
        if (e->textures)
            gl_textures_pop_attrib(ctx, e->textures, false);
        free(e);
    }
    while (s->client_depth)
        free_client(ctx, s->client[--s->client_depth]);
}
