/* SPDX-License-Identifier: MIT */
/* Binds the shaders and their constants from dirty state before each draw and dispatch. */
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_owned.h"
#include "gl/draw/gl_update_state.h"
#include "gl/fixed/gl_ff.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_state.h"
#include "gl/texture/gl_texture.h"
#include "glsl/glsl.h"
#include "nir/nir_builder.h"
#include "util/memory.h"

/* Dirty bits that affect the choice of shader variants. Textures are included because fixed
 * function ignores incomplete ones. */
#define PROGRAM_BITS                                                                               \
    (GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_TEXTURES | GL_DIRTY_FRAMEBUFFER |          \
     GL_DIRTY_TEXTURE_MATRIX | GL_DIRTY_POINT)

#define COLORS_IN (BITFIELD64_BIT(VARYING_SLOT_COL0) | BITFIELD64_BIT(VARYING_SLOT_COL1))
#define COLORS_OUT                                                                                 \
    (COLORS_IN | BITFIELD64_BIT(VARYING_SLOT_BFC0) | BITFIELD64_BIT(VARYING_SLOT_BFC1))
#define NUMBERED_COLORS (BITFIELD64_MASK(DRV_MAX_COLOR_BUFS) << FRAG_RESULT_DATA0)
#define CLIP_DISTANCES                                                                             \
    (BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST0) | BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST1))

/* ------------------------------------------------------------------------------------- keys --- */

static bool two_sided(const struct gl_context *ctx, bool vertex_program)
{
    if (vertex_program)
        return gl_is_compat(ctx) && ctx->light.program_two_side;
    return ctx->light.enabled && ctx->light.two_side;
}

/* Returns whether the fragment shader clamps colors (GL 4.6 compatibility §15.2.3). Normalized
 * color buffers clamp anyway; then only the alpha test, which uses the clamped alpha (§17.3.1),
 * needs it. */
static bool clamps_fragment_colors(const struct gl_context *ctx)
{
    const struct gl_framebuffer_state *fb = &ctx->framebuffer;
    return gl_clamps_fragments(ctx) && (!fb->clamps || ctx->color.alpha_enabled);
}

/* Returns whether the alpha test gets the alpha of GL_SAMPLE_ALPHA_TO_ONE, which comes before it
 * (GL 4.6 compatibility §17.3.1, §17.3.2). Integer outputs have neither. */
static bool tests_alpha_one(const struct gl_context *ctx)
{
    return ctx->multisample.enabled && ctx->multisample.alpha_to_one &&
           ctx->framebuffer.bound.samples > 1;
}

/* Returns whether an alpha of 1 passes the alpha test. */
static bool alpha_one_passes(const struct gl_context *ctx)
{
    const float alpha = 1.0f;
    const float ref =
        gl_clamps_fragments(ctx) ? CLAMP(ctx->color.alpha_ref, 0.0f, 1.0f) : ctx->color.alpha_ref;
    switch (ctx->color.alpha_func) {
    case GL_LESS:
        return alpha < ref;
    case GL_EQUAL:
        return alpha == ref;
    case GL_LEQUAL:
        return alpha <= ref;
    case GL_GREATER:
        return alpha > ref;
    case GL_NOTEQUAL:
        return alpha != ref;
    case GL_GEQUAL:
        return alpha >= ref;
    default:
        return ctx->color.alpha_func == GL_ALWAYS;
    }
}

static void fragment_key(const struct gl_context *ctx, const struct gl_stage *stage,
                         bool vertex_program, struct gl_variant_key *key)
{
    uint64_t inputs = stage->nir->info.inputs_read;
    memset(key, 0, sizeof *key);
    key->alpha_func = DRV_FUNC_ALWAYS;
    key->flip_y = ctx->framebuffer.flips;
    /* Draw buffer 0 names several color buffers (GL_FRONT_AND_BACK); then there is no other. */
    key->one_color = ctx->framebuffer.nr_cbufs > 1 && !ctx->framebuffer.draw_of_cbuf[1] &&
                     stage->nir->info.outputs_written & NUMBERED_COLORS;
    if (ctx->color.advanced & ctx->color.blend_enabled & 1 && !ctx->color.logic_op_enabled) {
        key->blend = (uint8_t)(gl_advanced_equation(ctx->color.blend[0].equation_rgb) + 1);
        key->blend_clamp = ctx->framebuffer.clamps;
    }
    if (!gl_has_fixed_function(ctx))
        return;
    if (ctx->color.alpha_enabled && tests_alpha_one(ctx))
        key->alpha_func = alpha_one_passes(ctx) ? DRV_FUNC_ALWAYS : DRV_FUNC_NEVER;
    else if (ctx->color.alpha_enabled)
        key->alpha_func = ctx->color.alpha_func - GL_NEVER;
    key->smooth = key->alpha_func != DRV_FUNC_ALWAYS &&
                  (ctx->point.smooth || ctx->line.smooth || ctx->polygon.smooth);
    if (inputs & COLORS_IN) {
        key->flatshade = ctx->light.shade_model == GL_FLAT;
        key->two_side = two_sided(ctx, vertex_program);
    }
    if (ctx->point.sprite && ctx->program.drawing_points)
        key->coord_replace = ctx->point.coord_replace & 0xff & inputs >> VARYING_SLOT_TEX0;
    key->clamp_color = clamps_fragment_colors(ctx);
}

/* Fills the key of a stage before rasterization. Clipping and color clamping apply to the last
 * one. */
static void vertex_key(const struct gl_context *ctx, const struct gl_executable *exe,
                       const struct gl_stage *stage, bool last, struct gl_variant_key *key)
{
    uint64_t outputs = stage->nir->info.outputs_written;
    memset(key, 0, sizeof *key);
    key->last = last;
    if (!gl_has_fixed_function(ctx))
        return;
    /* all edges of meshes are visible */
    if (stage->stage == SHADER_VERTEX && !ctx->program.mesh_vertex)
        key->edge_flags = ctx->polygon.front_mode != GL_FILL || ctx->polygon.back_mode != GL_FILL;
    if (!last)
        return;
    if (!(outputs & CLIP_DISTANCES))
        key->clip_planes = ctx->transform.clip_enabled;
    /* GLSL 1.30 §7.1: without gl_ClipVertex, clip planes apply to gl_Position. Earlier versions
     * leave this undefined, and programs expect planes in eye space. */
    key->clip_position =
        key->clip_planes && ((exe->glsl && exe->glsl->version >= 130) || ctx->program.mesh_vertex);
    key->clamp_color = (outputs & COLORS_OUT) && gl_clamps_vertices(ctx);
}

/* ---------------------------------------------------------------------------------- binding --- */

/* Binds a variant to a stage. exe and v are NULL for an unused stage. */
static void bind(struct gl_context *ctx, enum shader_stage stage, struct gl_executable *exe,
                 struct gl_variant *v)
{
    struct gl_program_state *s = &ctx->program;
    /* `bound` is cleared after internal draws; `executable` then still shows whether the stage is
     * used. */
    if (v ? s->bound[stage] != v : s->executable[stage] != NULL) {
        ctx->drv->ops->bind_shader(ctx->drv, stage, v ? v->owned.object : NULL);
        s->bound[stage] = v;
        if (v)
            v->stamp = 0; /* its constants may be stale */
        ctx->dirty |= GL_DIRTY_UNIFORMS | GL_DIRTY_UNIFORM_BUFFERS | GL_DIRTY_STORAGE_BUFFERS |
                      GL_DIRTY_TEXTURES;
    }
    gl_executable_reference(ctx, &s->executable[stage], exe);
}

/* Updates the state that vertex elements and the rasterizer depend on. vertex: variant of the
 * vertex shader. last: variant of the last stage before rasterization. fixed: the vertex stage is
 * fixed function. */
static void publish_vertex(struct gl_context *ctx, const struct gl_variant *vertex,
                           const struct gl_variant *last, bool fixed)
{
    bool size = last->outputs_written & BITFIELD64_BIT(VARYING_SLOT_PSIZ);
    /* GL 4.6 compatibility §11.1.3.10: point sizes from shaders need GL_PROGRAM_POINT_SIZE, except
     * in ES. */
    size = size && (fixed || ctx->point.program_size || gl_is_es(ctx));
    if (ctx->vs_inputs != (uint32_t)vertex->inputs_read) {
        ctx->vs_inputs = (uint32_t)vertex->inputs_read;
        ctx->dirty |= GL_DIRTY_ARRAYS;
    }
    if (ctx->vs_writes_point_size != size || ctx->vs_clip_distances != last->clip_distances) {
        ctx->vs_writes_point_size = size;
        ctx->vs_clip_distances = last->clip_distances;
        ctx->dirty |= GL_DIRTY_RASTERIZER;
    }
}

/* Creates the fragment shader used if there is none: it leaves colors undefined and keeps all other
 * effects (GL 4.6 §15.2). */
static struct gl_executable *make_no_fragment(struct gl_context *ctx)
{
    nir_builder b = nir_builder_init_simple_shader(
        NULL, SHADER_FRAGMENT, ctx->screen->nir_options[SHADER_FRAGMENT], "no fs");
    return gl_executable_from_nir(b.shader);
}

static struct gl_executable *no_fragment(struct gl_context *ctx)
{
    struct gl_executable **exe = &ctx->program.no_fragment;
    if (!*exe)
        *exe = UTIL_ATTEMPT(make_no_fragment(ctx));
    return *exe;
}

static struct gl_executable *fixed_function(struct gl_context *ctx, enum shader_stage stage,
                                            struct gl_variant *const v[SHADER_STAGE_COUNT])
{
    if (!gl_has_fixed_function(ctx))
        return stage == SHADER_FRAGMENT ? no_fragment(ctx) : NULL;
    return stage == SHADER_FRAGMENT ? gl_ff_fragment(ctx)
           : stage == SHADER_VERTEX ? gl_ff_vertex(ctx, v[SHADER_FRAGMENT]->inputs_read)
                                    : NULL;
}

/* Chooses the variants, from the last stage to the first, because the fixed-function vertex program
 * computes what the fragment shader reads. */
static bool pick_programs(struct gl_context *ctx)
{
    struct gl_executable *exe[SHADER_STAGE_COUNT] = {NULL};
    struct gl_variant *v[SHADER_STAGE_COUNT] = {NULL};
    enum shader_stage last = SHADER_VERTEX; /* last stage before rasterization */
    for (unsigned s = 0; s < SHADER_COMPUTE; s++) {
        exe[s] = gl_stage_executable(ctx, s);
        if (!exe[s])
            exe[s] = gl_asm_executable(ctx, s);
        if (exe[s] && s < SHADER_FRAGMENT)
            last = s;
    }
    bool vertex_program = exe[SHADER_VERTEX];
    for (int s = SHADER_FRAGMENT; s >= SHADER_VERTEX; s--) {
        struct gl_variant_key key;
        if (!exe[s])
            exe[s] = fixed_function(ctx, s, v);
        if (!exe[s] && s != SHADER_FRAGMENT && s != SHADER_VERTEX)
            continue;
        if (!exe[s]) {
            if (s == SHADER_FRAGMENT || gl_has_fixed_function(ctx))
                gl_error(ctx, GL_OUT_OF_MEMORY, "a program of fixed function");
            return false;
        }
        if (s == SHADER_FRAGMENT)
            fragment_key(ctx, exe[s]->stage[s], vertex_program, &key);
        else
            vertex_key(ctx, exe[s], exe[s]->stage[s], s == (int)last, &key);
        v[s] = gl_stage_variant(ctx, exe[s], s, &key);
        if (!v[s])
            return false;
    }
    for (unsigned s = 0; s < SHADER_COMPUTE; s++)
        bind(ctx, s, exe[s], v[s]);
    for (unsigned s = 0; s < SHADER_COMPUTE; s++)
        ctx->drv->command.program[s] = gl_stage_program(ctx, s);
    publish_vertex(ctx, v[SHADER_VERTEX], v[last], !vertex_program);
    return true;
}

bool gl_update_programs(struct gl_context *ctx)
{
    struct gl_program_state *s = &ctx->program;
    ctx->dirty |= ctx->draw_dirty;
    ctx->draw_dirty = 0;
    if (!(ctx->dirty & PROGRAM_BITS) && s->usable)
        return true;
    gl_owned_delete_released(ctx);
    /* Internal draws bind other shaders and set this bit to report it. */
    if (ctx->dirty & GL_DIRTY_PROGRAM)
        memset(s->bound, 0, sizeof s->bound);
    s->usable = pick_programs(ctx);
    return s->usable;
}

/* -------------------------------------------------------------------------------- constants --- */

/* Updates the constants of a variant. Here and below, `stage` is a stage of exe; stage->stage is
 * the stage that it is bound to. */
static void update_variant_constants(struct gl_context *ctx, struct gl_executable *exe,
                                     const struct gl_stage *stage, struct gl_variant *v)
{
    bool all = v->stamp == 0, uniforms = v->stamp != stage->stamp;
    struct gl_state_matrix last;
    if (!all && !uniforms && !(ctx->dirty & v->dirty))
        return;
    for (unsigned i = 0; uniforms && i < stage->num_ranges; i++) {
        const struct gl_byte_range *r = &stage->ranges[i];
        memcpy(v->constants + r->start, exe->storage + r->start, r->size);
    }
    if (uniforms)
        gl_store_subroutines(ctx, exe, stage->nir->info.stage, v->constants);
    last.valid = false;
    for (unsigned i = 0; i < v->num_state; i++) {
        if (all || ctx->dirty & v->state[i].dirty)
            gl_state_store(ctx, &v->state[i], v->constants, &last);
    }
    v->stamp = stage->stamp;
    struct drv_constant_buffer cb = {.size = v->const_bytes, .user = v->constants};
    ctx->drv->ops->set_constant_buffer(ctx->drv, stage->stage, 0, &cb);
}

/* Returns the part of a bound range that lies in the buffer, or no buffer if there is none. A
 * program's binding may exceed the limit, because an unsized array of blocks may have grown during
 * linking. */
static struct drv_storage_buffer bound_range(const struct gl_context *ctx,
                                             enum gl_indexed_buffers kind, GLuint binding)
{
    const struct gl_indexed_buffer *points = ctx->indexed[kind];
    const struct gl_indexed_buffer *p =
        points && binding < talloc_array_length(points) ? &points[binding] : NULL;
    if (!p || !p->buffer || p->offset >= p->buffer->size)
        return (struct drv_storage_buffer){0};
    GLsizeiptr there = p->buffer->size - p->offset;
    return (struct drv_storage_buffer){
        .buffer = p->buffer->resource,
        .offset = p->offset,
        .size = MIN2(p->size ? MIN2(p->size, there) : there, UINT32_MAX),
    };
}

/* Returns uniform block n of a stage for the driver, without a buffer if none is bound. */
static struct drv_constant_buffer uniform_block(const struct gl_context *ctx,
                                                const struct gl_executable *exe,
                                                const struct gl_stage *stage, unsigned n)
{
    if (n >= stage->num_uniform_blocks)
        return (struct drv_constant_buffer){0};
    struct drv_storage_buffer r =
        bound_range(ctx, GL_INDEXED_UNIFORM, exe->block_bindings[stage->uniform_block[n]]);
    return (struct drv_constant_buffer){.buffer = r.buffer, .offset = r.offset, .size = r.size};
}

/* Updates the uniform buffers: uniform block n of a stage is constant buffer n + 1 of the
 * driver. */
static void update_uniform_buffers(struct gl_context *ctx, const struct gl_executable *exe,
                                   const struct gl_stage *stage)
{
    uint8_t *had = &ctx->program.num_uniform_buffers[stage->stage];
    for (unsigned i = 0; i < MAX2(stage->num_uniform_blocks, *had); i++) {
        struct drv_constant_buffer cb = uniform_block(ctx, exe, stage, i);
        ctx->drv->ops->set_constant_buffer(ctx->drv, stage->stage, i + 1, cb.buffer ? &cb : NULL);
    }
    *had = stage->num_uniform_blocks;
}

/* Updates a stage's storage buffers in the driver: its storage blocks, then its atomic counter
 * buffers. */
static void update_storage_buffers(struct gl_context *ctx, const struct gl_executable *exe,
                                   const struct gl_stage *stage)
{
    struct drv_storage_buffer buffer[DRV_MAX_STORAGE_BUFFERS] = {{0}};
    uint8_t *had = &ctx->program.num_storage_buffers[stage->stage];
    unsigned count = MAX2(stage->num_storage, *had);
    for (unsigned i = 0; i < stage->num_storage; i++) {
        struct gl_storage_use use = stage->storage[i];
        buffer[i] = use.counters
                        ? bound_range(ctx, GL_INDEXED_ATOMIC_COUNTER,
                                      exe->glsl->atomic_buffers[use.index].binding)
                        : bound_range(ctx, GL_INDEXED_STORAGE, exe->block_bindings[use.index]);
    }
    if (count)
        ctx->drv->ops->set_storage_buffers(ctx->drv, stage->stage, 0, count, buffer);
    *had = stage->num_storage;
}

/* Updates the stage's uniform and storage buffers in the driver, if they are dirty. */
static void update_stage_buffers(struct gl_context *ctx, const struct gl_executable *exe,
                                 const struct gl_stage *stage)
{
    if (ctx->dirty & GL_DIRTY_UNIFORM_BUFFERS)
        update_uniform_buffers(ctx, exe, stage);
    if (ctx->dirty & GL_DIRTY_STORAGE_BUFFERS)
        update_storage_buffers(ctx, exe, stage);
}

void gl_update_constants(struct gl_context *ctx)
{
    struct gl_program_state *s = &ctx->program;
    if (!s->usable ||
        !(ctx->dirty & (GL_DIRTY_CONSTANTS | GL_DIRTY_UNIFORMS | GL_DIRTY_UNIFORM_BUFFERS |
                        GL_DIRTY_STORAGE_BUFFERS | PROGRAM_BITS)))
        return;
    for (unsigned stage = 0; stage < SHADER_COMPUTE; stage++) {
        if (!s->bound[stage])
            continue;
        struct gl_executable *exe = s->executable[stage];
        update_variant_constants(ctx, exe, exe->stage[stage], s->bound[stage]);
        update_stage_buffers(ctx, exe, exe->stage[stage]);
    }
}

/* ------------------------------------------------------------------------------- dispatches --- */

static void update_stage_textures(struct gl_context *ctx, const struct gl_stage *stage)
{
    gl_update_stage_textures(ctx, stage->stage, stage->sampler, stage->num_samplers);
}

static void update_stage_images(struct gl_context *ctx, const struct gl_stage *stage)
{
    gl_update_stage_images(ctx, stage->stage, stage->image, stage->num_images);
}

static bool update_compute_stage(struct gl_context *ctx, struct gl_executable *exe)
{
    struct gl_program_state *s = &ctx->program;
    struct gl_variant_key key = {0};
    if (ctx->dirty & GL_DIRTY_PROGRAM || !s->bound[SHADER_COMPUTE]) {
        gl_owned_delete_released(ctx);
        struct gl_variant *v = gl_stage_variant(ctx, exe, SHADER_COMPUTE, &key);
        if (!v)
            return false;
        bind(ctx, SHADER_COMPUTE, exe, v);
    }
    if (ctx->dirty & GL_DIRTY_TEXTURES)
        update_stage_textures(ctx, exe->stage[SHADER_COMPUTE]);
    if (ctx->dirty & (GL_DIRTY_TEXTURES | GL_DIRTY_IMAGES))
        update_stage_images(ctx, exe->stage[SHADER_COMPUTE]);
    update_variant_constants(ctx, exe, exe->stage[SHADER_COMPUTE], s->bound[SHADER_COMPUTE]);
    update_stage_buffers(ctx, exe, exe->stage[SHADER_COMPUTE]);
    return true;
}

bool gl_update_compute_state(struct gl_context *ctx, struct gl_executable *exe)
{
    uint64_t dirty = ctx->dirty;
    ctx->dirty = ctx->compute_dirty | (dirty & GL_DIRTY_COMPUTE);
    bool ok = update_compute_stage(ctx, exe);
    /* Bits set here outside GL_DIRTY_COMPUTE affect draws as well. */
    uint64_t raised = ctx->dirty & ~GL_DIRTY_COMPUTE;
    ctx->compute_dirty = ok ? 0 : GL_DIRTY_COMPUTE;
    ctx->draw_dirty |= dirty & GL_DIRTY_COMPUTE;
    ctx->dirty = (dirty & ~GL_DIRTY_COMPUTE) | raised;
    return ok;
}

bool gl_bind_image_program(struct gl_context *ctx, unsigned kind)
{
    struct gl_executable *exe = ctx->program.executable[SHADER_FRAGMENT];
    struct gl_variant_key key;
    fragment_key(ctx, exe->stage[SHADER_FRAGMENT], false, &key);
    key.image = kind;
    key.flatshade = key.two_side = false;
    key.coord_replace = 0;
    struct gl_variant *v = gl_stage_variant(ctx, exe, SHADER_FRAGMENT, &key);
    if (!v)
        return false;
    ctx->drv->ops->bind_shader(ctx->drv, SHADER_FRAGMENT, v->owned.object);
    v->stamp = 0;
    update_variant_constants(ctx, exe, exe->stage[SHADER_FRAGMENT], v);
    return true;
}

/* ------------------------------------------------------------------- vertex capture --- */

bool gl_bind_capture(struct gl_context *ctx, struct gl_executable *exe,
                     const struct drv_storage_buffer *records, unsigned *clip_distances)
{
    struct gl_stage stage = *exe->stage[SHADER_VERTEX];
    struct gl_variant_key key;
    vertex_key(ctx, exe, &stage, true, &key);
    key.last = key.edge_flags = false;
    key.captured = true;
    gl_owned_delete_released(ctx);
    struct gl_variant *v = gl_stage_variant(ctx, exe, SHADER_VERTEX, &key);
    if (!v)
        return false;
    stage.stage = SHADER_COMPUTE;
    ctx->drv->ops->bind_shader(ctx->drv, SHADER_COMPUTE, v->owned.object);
    update_stage_textures(ctx, &stage);
    update_stage_images(ctx, &stage);
    v->stamp = 0;
    update_variant_constants(ctx, exe, &stage, v);
    update_uniform_buffers(ctx, exe, &stage);
    update_storage_buffers(ctx, exe, &stage);
    ctx->drv->ops->set_storage_buffers(ctx->drv, SHADER_COMPUTE, stage.num_storage, 1, records);
    ctx->program.num_storage_buffers[SHADER_COMPUTE] = stage.num_storage + 1;
    *clip_distances = v->clip_distances;
    return true;
}

void gl_unbind_capture(struct gl_context *ctx)
{
    const unsigned last = ctx->program.num_storage_buffers[SHADER_COMPUTE] - 1;
    ctx->drv->ops->set_storage_buffers(ctx->drv, SHADER_COMPUTE, last, 1,
                                       &(struct drv_storage_buffer){0});
    ctx->drv->ops->bind_shader(ctx->drv, SHADER_COMPUTE, NULL);
    ctx->program.bound[SHADER_COMPUTE] = NULL;
    ctx->compute_dirty = GL_DIRTY_COMPUTE;
}

/* ------------------------------------------------------------------------ mesh shaders --- */

bool gl_bind_groups(struct gl_context *ctx, struct gl_executable *exe, enum shader_stage which,
                    const struct drv_storage_buffer *buffers, unsigned count)
{
    struct gl_stage stage = *exe->stage[which];
    const nir_shader_info *info = &stage.nir->info;
    const unsigned first = info->num_ssbos + info->num_abos;
    const struct gl_variant_key key = {0};
    gl_owned_delete_released(ctx);
    struct gl_variant *v = gl_stage_variant(ctx, exe, which, &key);
    if (!v)
        return false;
    stage.stage = SHADER_COMPUTE;
    ctx->drv->ops->bind_shader(ctx->drv, SHADER_COMPUTE, v->owned.object);
    update_stage_textures(ctx, &stage);
    update_stage_images(ctx, &stage);
    v->stamp = 0;
    update_variant_constants(ctx, exe, &stage, v);
    update_uniform_buffers(ctx, exe, &stage);
    update_storage_buffers(ctx, exe, &stage);
    ctx->drv->ops->set_storage_buffers(ctx->drv, SHADER_COMPUTE, first, count, buffers);
    ctx->program.num_storage_buffers[SHADER_COMPUTE] = (uint8_t)(first + count);
    return true;
}

void gl_unbind_groups(struct gl_context *ctx)
{
    static const struct drv_storage_buffer none[DRV_MAX_STORAGE_BUFFERS];
    ctx->drv->ops->set_storage_buffers(ctx->drv, SHADER_COMPUTE, 0,
                                       ctx->program.num_storage_buffers[SHADER_COMPUTE], none);
    ctx->program.num_storage_buffers[SHADER_COMPUTE] = 0;
    ctx->drv->ops->bind_shader(ctx->drv, SHADER_COMPUTE, NULL);
    ctx->program.bound[SHADER_COMPUTE] = NULL;
    ctx->compute_dirty = GL_DIRTY_COMPUTE;
}

/* ------------------------------------------------------------------------------- validation --- */

/* Returns whether the mode draws points, or polygons of which all visible faces are drawn as points
 * (GL 2.1 §3.5.4). */
static bool draws_points(const struct gl_context *ctx, GLenum mode)
{
    const struct gl_polygon_state *p = &ctx->polygon;
    bool polygons = mode >= GL_TRIANGLES && mode <= GL_POLYGON;
    bool no_front = p->cull && p->cull_mode != GL_BACK,
         no_back = p->cull && p->cull_mode != GL_FRONT;
    return mode == GL_POINTS || (polygons && (no_front || p->front_mode == GL_POINT) &&
                                 (no_back || p->back_mode == GL_POINT));
}

/* Returns the feature that the current programs need to be drawn with but the driver lacks, or NULL
 * if there is none. */
static const char *undrawable(const struct gl_context *ctx)
{
    const struct gl_program_state *s = &ctx->program;
    const bool one = s->current || !s->pipeline; /* one program has all stages */
    if (one && (!s->exe || !s->exe->undrawable))
        return NULL;
    for (unsigned stage = 0; stage < SHADER_COMPUTE; stage++) {
        const struct gl_executable *exe = gl_stage_executable(ctx, stage);
        if (exe && exe->undrawable)
            return exe->undrawable;
    }
    return NULL;
}

bool gl_validate_programs(struct gl_context *ctx, GLenum mode, const char *name)
{
    struct gl_program_state *s = &ctx->program;
    bool points = draws_points(ctx, gl_rasterized_mode(ctx, mode));
    bool point_array = mode == GL_POINTS && ctx->api == GL_API_ES1 &&
                       ctx->array.vao->enabled & 1u << VERT_ATTRIB_POINT_SIZE;
    if (points != s->drawing_points || point_array != s->point_array) {
        s->drawing_points = points;
        s->point_array = point_array;
        if (gl_has_fixed_function(ctx))
            ctx->dirty |= GL_DIRTY_PROGRAM_KEY;
    }
    const char *needed = undrawable(ctx);
    if (needed) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(the program needs %s)", name, needed);
        return false;
    }
    if (gl_asm_invalid(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(assembly program without a valid string)", name);
        return false;
    }
    const char *invalid = gl_pipeline_invalid(ctx);
    if (invalid) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(program pipeline: %s)", name, invalid);
        return false;
    }
    if (!s->exe)
        return true;
    if (s->checked_exe != s->exe || s->checked_stamp != s->exe->units_stamp) {
        const char *why;
        s->checked_exe = s->exe;
        s->checked_stamp = s->exe->units_stamp;
        s->samplers_ok = gl_validate_samplers(s->exe, &why);
    }
    if (!s->samplers_ok)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(samplers of two types on one unit)", name);
    return s->samplers_ok;
}
