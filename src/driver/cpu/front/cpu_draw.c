/* SPDX-License-Identifier: MIT */
/* Draw calls: reads indices, splits at primitive restart, loops over instances, and feeds vertex
 * batches. */
#include <math.h>
#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/front/cpu_batch.h"
#include "driver/cpu/front/cpu_front_ops.h"
#include "jit/jit.h"
#include "nir/nir.h"
#include "util/check.h"
#include "util/macros.h"

static enum cpu_kind kind_of(enum drv_primitive mode)
{
    switch (mode) {
    case DRV_PRIM_POINTS:
        return CPU_KIND_POINT;
    case DRV_PRIM_LINES:
    case DRV_PRIM_LINE_LOOP:
    case DRV_PRIM_LINE_STRIP:
    case DRV_PRIM_LINES_ADJACENCY:
    case DRV_PRIM_LINE_STRIP_ADJACENCY:
        return CPU_KIND_LINE;
    default:
        return CPU_KIND_TRIANGLE;
    }
}

static uint32_t vertices_per_primitive(enum drv_primitive mode)
{
    switch (mode) {
    case DRV_PRIM_LINES_ADJACENCY:
    case DRV_PRIM_LINE_STRIP_ADJACENCY:
        return 4;
    case DRV_PRIM_TRIANGLES_ADJACENCY:
    case DRV_PRIM_TRIANGLE_STRIP_ADJACENCY:
        return 6;
    default:
        return kind_of(mode) + 1;
    }
}

/* Returns the kind of primitives that an evaluation shader generates. */
static enum cpu_kind tessellated_kind(const nir_shader_info *info)
{
    if (info->tess.point_mode)
        return CPU_KIND_POINT;
    return info->tess.primitive_mode == nir_tess_primitive_isolines ? CPU_KIND_LINE
                                                                    : CPU_KIND_TRIANGLE;
}

/* Returns the kind of primitives that reach setup. */
static enum cpu_kind last_kind(const struct cpu_context *ctx, enum drv_primitive mode)
{
    const struct cpu_shader_object *gs = ctx->stage[SHADER_GEOMETRY].shader;
    const struct cpu_shader_object *tes = ctx->stage[SHADER_TESS_EVAL].shader;
    if (tes && !gs)
        return tessellated_kind(&tes->shader->nir->info);
    return kind_of(gs ? gs->shader->nir->info.gs.output_primitive : mode);
}

/* --- indices --- */

struct index_source {
    const void *data;
    uint32_t size;  /* bytes per index */
    uint64_t count; /* number of readable indices */
};

static struct index_source index_source(const struct drv_draw_info *info)
{
    struct index_source s = {.size = info->index_size};
    if (info->index_buffer) {
        const struct cpu_storage *storage = cpu_resource(info->index_buffer)->storage;
        s.data = storage->data;
        s.count = storage->size / s.size;
    } else {
        s.data = info->index_user;
        s.count = info->index_user ? UINT64_MAX : 0;
    }
    return s;
}

static inline uint32_t read_index(const struct index_source *s, uint64_t i)
{
    return cpu_index(s->data, s->size, i);
}

static bool reserve_indices(struct cpu_context *ctx, size_t count)
{
    if (count <= ctx->indices_capacity)
        return true;
    size_t room = MAX2(count, 1024);
    uint32_t *p = realloc(ctx->indices, room * sizeof *p);
    if (!p)
        return false;
    ctx->indices = p;
    ctx->indices_capacity = room;
    return true;
}

/* --- vertex streams --- */

/* End of the user address space on x86-64, unless a process requests more. Bounds the indices of
 * vertex arrays in client memory. */
#define MEMORY_END (1ull << 47)

static void vertex_stream(struct cpu_context *ctx, const struct drv_vertex_element *e,
                          uint32_t bytes, struct cpu_vertex_stream *s)
{
    static const uint8_t nothing[64];
    *s = (struct cpu_vertex_stream){.base = nothing};
    const struct drv_vertex_buffer *vb = &ctx->vb[e->vertex_buffer];
    const uint8_t *base = vb->user;
    uint64_t size = vb->user ? MIN2(vb->user_size, MEMORY_END - (uintptr_t)vb->user) : 0;
    if (vb->buffer) {
        const struct cpu_storage *storage = cpu_resource(vb->buffer)->storage;
        base = storage->data;
        size = storage->size;
    }
    uint64_t start = (uint64_t)vb->offset + e->src_offset;
    if (!base || !bytes || start + bytes > size)
        return;
    s->base = base + start;
    s->stride = vb->stride;
    uint64_t reach = size - start - bytes;
    s->max_index = vb->stride ? MIN2(reach / vb->stride, UINT32_MAX) : UINT32_MAX;
    s->valid = 1;
}

static void init_streams(struct cpu_context *ctx, struct cpu_assembly *a)
{
    const struct cpu_vertex_elements *e = ctx->elements;
    a->num_streams = e ? e->count : 0;
    for (unsigned i = 0; i < a->num_streams; i++)
        vertex_stream(ctx, &e->element[i], e->element_bytes[i], &a->args.stream[i]);
}

static void set_instance(struct cpu_context *ctx, struct cpu_vs_args *args,
                         const struct drv_draw_info *info, uint32_t instance)
{
    const struct cpu_vertex_elements *e = ctx->elements;
    args->instance_id = instance;
    args->base_instance = info->start_instance;
    for (unsigned i = 0; e && i < e->count; i++)
        if (e->element[i].instance_divisor) {
            args->stream[i].divisor_index =
                info->start_instance + instance / e->element[i].instance_divisor;
            args->stream[i].divisor = e->element[i].instance_divisor;
        }
}

/* --- front end state --- */

static struct cpu_rect intersect(struct cpu_rect a, struct cpu_rect b)
{
    return (struct cpu_rect){MAX2(a.x0, b.x0), MAX2(a.y0, b.y0), MIN2(a.x1, b.x1),
                             MIN2(a.y1, b.y1)};
}

/* Returns the pixels whose centers lie in the viewport, clamped to +-65536. */
static struct cpu_rect viewport_rect(const struct drv_viewport *v)
{
    const float limit = 65536.0f;
    float x = fabsf(v->scale[0]), y = fabsf(v->scale[1]);
    return (struct cpu_rect){
        ceilf(fmaxf(v->translate[0] - x, -limit) - 0.5f),
        ceilf(fmaxf(v->translate[1] - y, -limit) - 0.5f),
        ceilf(fminf(v->translate[0] + x, limit) - 0.5f) - 1.0f,
        ceilf(fminf(v->translate[1] + y, limit) - 0.5f) - 1.0f,
    };
}

static bool is_empty(const struct cpu_rect *r)
{
    return r->x0 > r->x1 || r->y0 > r->y1;
}

static void init_outputs(const struct cpu_context *ctx, struct cpu_last_outputs *o)
{
    const struct cpu_stage_outputs *from = ctx->outputs;
    *o = (struct cpu_last_outputs){
        .count = from->count,
        .pos = cpu_output_number(from, VARYING_SLOT_POS),
        .psiz = cpu_output_number(from, VARYING_SLOT_PSIZ),
        .edge = cpu_output_number(from, VARYING_SLOT_EDGE),
        .layer = cpu_output_number(from, VARYING_SLOT_LAYER),
        .viewport = cpu_output_number(from, VARYING_SLOT_VIEWPORT),
        .viewport_mask = from->viewport_mask,
        .viewport_relative_layer = from->viewport_relative_layer,
        .clip_distance = {cpu_output_number(from, VARYING_SLOT_CLIP_DIST0),
                          cpu_output_number(from, VARYING_SLOT_CLIP_DIST1)},
    };
    uint64_t linear = ctx->stage[SHADER_FRAGMENT].shader->shader->linear_inputs;
    while (linear) {
        int number = cpu_output_number(from, u_bit_scan64(&linear));
        if (number >= 0)
            o->linear |= 1ull << number;
    }
}

static void init_view(const struct cpu_context *ctx, unsigned number, struct cpu_view *v)
{
    v->viewport = ctx->viewport[number];
    v->rect = cpu_draw_rect(ctx, ctx->recording, number);
    v->view_rect = intersect(v->rect, viewport_rect(&v->viewport));
    v->limit = cpu_setup_limit(&v->view_rect, cpu_draw_samples_polygons(ctx->draw));
}

/* Counts the current command in the recorded scene and in the task of its fragments. */
static void count_command(struct cpu_context *ctx)
{
    struct cpu_task *task = ctx->draw->task;
    ctx->recording->command = ctx->commands;
    if (task->last == ctx->commands)
        return;
    task->last = ctx->commands;
    task->watchdog.commands += ctx->base.limits_commands;
}

/* Updates the draw's front-end state, if something changed since the last draw. */
static void init_front(struct cpu_assembly *a)
{
    struct cpu_context *ctx = a->ctx;
    struct cpu_front *f = &a->front;
    count_command(ctx);
    f->segment = cpu_scene_segment(ctx->recording);
    f->stipple_counter = 0;
    if (!(ctx->dirty & CPU_DIRTY_FRONT))
        return;
    ctx->dirty &= ~CPU_DIRTY_FRONT;
    *f = (struct cpu_front){
        .scene = ctx->recording,
        .segment = f->segment,
        .draw = ctx->draw,
        .rast = ctx->rasterizer,
        .views = a->view,
        .zs_format = ctx->recording->zs.base ? ctx->recording->zs.format : DRV_FORMAT_NONE,
    };
    f->multisample = ctx->draw->positions;
    f->barycentrics = ctx->fs_key.barycentrics && !ctx->fs_key.point;
    f->sampled_polygons = cpu_draw_samples_polygons(ctx->draw);
    f->to_pixel = cpu_setup_to_pixel(f->sampled_polygons);
    init_outputs(ctx, &f->outputs);
    for (unsigned i = 0; f->outputs.viewport >= 0 && i < DRV_MAX_VIEWPORTS; i++)
        init_view(ctx, i, &a->view[i]);
    init_view(ctx, 0, &f->view);
}

/* Returns whether no primitive can cover a pixel, whatever viewport it selects. */
static bool covers_nothing(const struct cpu_front *f)
{
    if (f->outputs.viewport < 0)
        return is_empty(&f->view.rect);
    for (unsigned i = 0; i < DRV_MAX_VIEWPORTS; i++)
        if (!is_empty(&f->views[i].rect))
            return false;
    return true;
}

/* Returns whether drawing the primitives would have no visible effect. */
static bool has_no_visible_effect(const struct cpu_context *ctx, const struct cpu_front *f,
                                  enum cpu_kind kind)
{
    bool culls_all =
        kind == CPU_KIND_TRIANGLE && ctx->rasterizer->cull_front && ctx->rasterizer->cull_back;
    return culls_all || covers_nothing(f) || (ctx->fs->no_op && !ctx->draw->num_counters);
}

void cpu_draw_exchange_scene(struct cpu_assembly *a)
{
    struct cpu_context *ctx = a->ctx;
    uint32_t stipple = a->front.stipple_counter;
    const size_t unasked = ctx->self_submitted_bytes + a->scene_memory;
    cpu_context_submit(ctx);
    ctx->self_submitted_bytes = unasked;
    if (!cpu_validate(ctx, a->kind)) {
        a->front.scene = NULL;
        return;
    }
    init_front(a);
    a->front.stipple_counter = stipple;
    a->args.state = ctx->stage[SHADER_VERTEX].state;
    a->tess.control_state = ctx->stage[SHADER_TESS_CTRL].state;
    a->tess.evaluation_state = ctx->stage[SHADER_TESS_EVAL].state;
    a->geometry.state = ctx->stage[SHADER_GEOMETRY].state;
    a->scene_memory = a->launched = 0;
}

static uint64_t total_vertices(const struct drv_draw_info *info, const struct drv_draw_range *draws,
                               unsigned num_draws)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < num_draws; i++)
        n += (uint64_t)draws[i].count * info->instance_count;
    return n;
}

#define PARALLEL_VERTICES 2048       /* minimum number of vertices that justifies waking workers */
#define GEOMETRY_MEMORY   (2u << 20) /* target for a batch's scene memory in bytes */
#define PATCH_PRIMS       128        /* primitives assumed per patch before any was tessellated */

static void init_tessellation(struct cpu_context *ctx, struct cpu_tess_draw *t, uint32_t vertices)
{
    t->tes = NULL;
    if (!ctx->tes)
        return;
    *t = (struct cpu_tess_draw){.tcs = ctx->tcs, .tes = ctx->tes};
    const nir_shader_info *info = &ctx->stage[SHADER_TESS_EVAL].shader->shader->nir->info;
    const struct cpu_shader_object *control = ctx->stage[SHADER_TESS_CTRL].shader;
    if (ctx->tcs)
        t->control = jit_kernel_function(ctx->tcs->kernel);
    t->lanes = ctx->tes->external ? 8 : jit_engine_lanes(ctx->screen->jit);
    if (!ctx->tes->external)
        t->evaluate = jit_kernel_function(ctx->tes->kernel);
    else if (!ctx->gs)
        t->finish_vertices = jit_kernel_function(ctx->tes->finish_vertices);
    t->control_state = ctx->stage[SHADER_TESS_CTRL].state;
    t->evaluation_state = ctx->stage[SHADER_TESS_EVAL].state;
    t->layout = (struct cpu_tess_layout){info->tess.primitive_mode, info->tess.spacing,
                                         info->tess.ccw, info->tess.point_mode};
    memcpy(t->outer, ctx->patch_outer, sizeof t->outer);
    memcpy(t->inner, ctx->patch_inner, sizeof t->inner);
    t->vertices_in = t->vertices_out = CLAMP(vertices, 1, CPU_MAX_PATCH_VERTICES);
    if (ctx->tcs)
        t->vertices_out =
            CLAMP(control->shader->nir->info.tess.vertices_out, 1, CPU_MAX_PATCH_VERTICES);
    t->num_inputs = ctx->vs->outputs.count;
    t->patch = ctx->patch;
    t->record_words =
        cpu_patch_vertex_base(&ctx->patch) + t->vertices_out * 4u * ctx->patch.vertex.count;
    t->must_evaluate = info->writes_memory || ctx->statistics_running;
    if (!ctx->patch_prims)
        ctx->patch_prims = PATCH_PRIMS;
    t->max_patch_prims = &ctx->patch_prims;
}

static void init_geometry(struct cpu_context *ctx, struct cpu_geometry_draw *g)
{
    g->variant = NULL;
    if (!ctx->gs)
        return;
    *g = (struct cpu_geometry_draw){.variant = ctx->gs};
    const nir_shader_info *info = &ctx->stage[SHADER_GEOMETRY].shader->shader->nir->info;
    g->shade = jit_kernel_function(ctx->gs->kernel);
    g->finish_vertices = jit_kernel_function(ctx->gs->finish_vertices);
    g->state = ctx->stage[SHADER_GEOMETRY].state;
    g->max_vertices = info->gs.vertices_out;
    g->invocations = MAX2(info->gs.invocations, 1);
    g->vertices_in = MIN2(info->gs.vertices_in, CPU_MAX_PRIM_VERTICES);
    g->num_inputs = ctx->tes ? ctx->tes->outputs.count : ctx->vs->outputs.count;
}

/* Returns how many vertices the geometry stages emit per assembled primitive: a maximum for
 * geometry shaders, an estimate for tessellation. */
static size_t count_emitted_vertices(const struct cpu_assembly *a)
{
    const struct cpu_geometry_draw *g = &a->geometry;
    size_t n = a->tess.tes ? *a->tess.max_patch_prims : 1;
    return g->variant ? n * g->invocations * g->max_vertices : n;
}

/* Bounds the primitives and scene memory of a batch, at CPU_PRIM_MEMORY bytes per primitive
 * including bins. A geometry shader may amplify a lot. The number of primitives of a patch isn't
 * known in advance; it is assumed to be the maximum of earlier draws. */
static void bound_batch(struct cpu_assembly *a)
{
    size_t vertex = a->front.outputs.count * 4 * sizeof(float);
    a->to.max_prims = CPU_BATCH_PRIMS;
    a->batch_memory = CPU_BATCH_PRIMS * CPU_PRIM_MEMORY + CPU_BATCH_VERTICES * vertex;
    if (!a->geometry.variant && !a->tess.tes)
        return;
    size_t each = count_emitted_vertices(a) * (CPU_PRIM_MEMORY + vertex);
    uint32_t most = a->tess.tes ? CPU_BATCH_PATCHES : CPU_BATCH_PRIMS;
    a->to.max_prims = CLAMP(GEOMETRY_MEMORY / MAX2(each, 1), 1, most);
    a->batch_memory = a->to.max_prims * each;
    if (a->tess.tes)
        *a->tess.max_patch_prims = 1; /* restart the maximum for this draw */
}

/* Returns the task of the draw's vertices, or NULL if the watchdog need not watch them: without
 * loops, a batch takes little time. */
static struct watchdog_task *batch_task(struct cpu_context *ctx)
{
    bool loops = ctx->base.limits_commands;
    for (unsigned s = SHADER_VERTEX; s < SHADER_FRAGMENT; s++)
        loops |= ctx->stage[s].shader && ctx->stage[s].shader->shader->has_loops;
    return loops ? &ctx->front_task.watchdog : NULL;
}

/* Returns the number of vertices that a draw shades, including those from the geometry stages. */
static uint64_t vertex_work(const struct cpu_assembly *a, uint64_t vertices)
{
    return a->geometry.variant || a->tess.tes
               ? vertices * (1 + count_emitted_vertices(a) / a->to.input_vertices)
               : vertices;
}

/* Returns the diagonal that splits quads. Matches llvmpipe, which uses the other diagonal if it
 * decomposes quads before culling. */
static enum cpu_quads choose_quad_split(const struct cpu_context *ctx,
                                        const struct drv_draw_info *info,
                                        const struct cpu_assembly *a)
{
    const struct drv_rasterizer_state *r = ctx->rasterizer;
    if (info->mode != DRV_PRIM_QUADS)
        return CPU_QUADS_FIRST;
    if (a->so)
        return r->flatshade_first ? CPU_QUADS_FIRST : CPU_QUADS_OTHER;
    if (info->index_size || info->compiled || r->flatshade_first || r->poly_stipple_enable ||
        r->fill_front != DRV_POLYGON_FILL || r->fill_back != DRV_POLYGON_FILL ||
        ctx->stage[SHADER_FRAGMENT].shader->shader->reads_flat)
        return CPU_QUADS_OTHER;
    return a->instances_share ? CPU_QUADS_FIRST : CPU_QUADS_TURN;
}

static bool init_assembly(struct cpu_context *ctx, const struct drv_draw_info *info,
                          uint64_t vertices)
{
    enum drv_primitive mode = info->mode;
    enum cpu_kind kind = last_kind(ctx, mode);
    if (!ctx->assembly)
        ctx->assembly = cpu_assembly_create(ctx);
    struct cpu_assembly *a = ctx->assembly;
    if (!a)
        return false;
    init_front(a);
    a->args.state = ctx->stage[SHADER_VERTEX].state;
    a->args.viewport = ctx->viewport;
    init_streams(ctx, a);
    a->task = batch_task(ctx);
    a->vs = ctx->vs;
    a->shade = jit_kernel_function(ctx->vs->kernel);
    init_tessellation(ctx, &a->tess, info->vertices_per_patch);
    init_geometry(ctx, &a->geometry);
    a->vertices_per_prim = kind + 1;
    a->to.flush = cpu_batch_flush;
    a->to.input_vertices = ctx->tes  ? a->tess.vertices_in
                           : ctx->gs ? vertices_per_primitive(mode)
                                     : kind + 1;
    a->to.feeds_geometry = ctx->gs != NULL;
    a->kind = kind;
    a->statistics = ctx->statistics_running && !info->internal ? ctx->statistics : NULL;
    a->discard = ctx->rasterizer->rasterizer_discard || a->front.outputs.pos < 0 ||
                 (!a->statistics && has_no_visible_effect(ctx, &a->front, kind));
    a->instances_share = ctx->instances_share_vectors && !ctx->vs->external;
    a->must_shade = ctx->stage[SHADER_VERTEX].shader->shader->writes_memory || a->statistics;
    memset(a->generated, 0, sizeof a->generated);
    a->scene_memory = cpu_scene_memory(ctx->recording);
    a->launched = 0;
    a->so = NULL;
    a->parallel = vertex_work(a, vertices) >= PARALLEL_VERTICES &&
                  !ctx->rasterizer->line_stipple_enable && thread_pool_size() > 1;
    bound_batch(a);
    return true;
}

/* --- draws --- */

typedef uint8_t u8x32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint16_t u16x16 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t u32x8 __attribute__((vector_size(32), aligned(1), may_alias));

/* Returns whether one of the count indices from `start` on is the restart index. */
static bool has_restart(const struct index_source *s, uint64_t start, uint32_t count,
                        uint32_t restart)
{
    const uint8_t *p = (const uint8_t *)s->data + start * s->size;
    uint32_t i = 0, step = 32 / s->size;
    if (s->size < 4 && restart >> 8 * s->size)
        return false;
    for (; i + step <= count; i += step, p += 32) {
        u32x8 found;
        if (s->size == 1)
            found = (u32x8)(*(const u8x32 *)p == (uint8_t)restart);
        else if (s->size == 2)
            found = (u32x8)(*(const u16x16 *)p == (uint16_t)restart);
        else
            found = (u32x8)(*(const u32x8 *)p == restart);
        uint64_t any[4];
        memcpy(any, &found, sizeof any);
        if (any[0] | any[1] | any[2] | any[3])
            return true;
    }
    for (; i < count; i++)
        if (read_index(s, start + i) == restart)
            return true;
    return false;
}

/* Draws the elements of one instance in ranges that threads assemble in parallel. Returns false if
 * there are too few elements, or if they must be assembled sequentially. */
static bool draw_divided(struct cpu_context *ctx, const struct drv_draw_info *info,
                         const struct index_source *source, const struct drv_draw_range *range)
{
    struct cpu_assembly *a = ctx->assembly;
    struct cpu_ranges r = {.mode = info->mode, .count = range->count, .first = range->start};
    if (info->index_size) {
        uint64_t available = source->count > range->start ? source->count - range->start : 0;
        r.count = MIN2(r.count, available);
        r.first = (uint32_t)range->index_bias;
        r.index_size = info->index_size;
        r.index = (const uint8_t *)source->data + (uint64_t)range->start * source->size;
    }
    if (r.count < 2 * CPU_RANGE || !cpu_batch_divides(a) ||
        !cpu_assemble_divides(info->mode, &r.overlap, &r.per_id) ||
        (info->primitive_restart && info->index_size &&
         has_restart(source, range->start, r.count, info->restart_index)))
        return false;
    r.step = a->quads == CPU_QUADS_TURN ? CPU_RANGE - CPU_RANGE % CPU_BATCH_VERTICES : CPU_RANGE;
    if (!cpu_batch_ranges(a, &r))
        ctx->base.out_of_memory = true;
    return true;
}

/* Splits the elements at restart indices, adds the index bias and draws the parts. */
static void draw_indexed(struct cpu_context *ctx, const struct drv_draw_info *info,
                         const struct index_source *source, const struct drv_draw_range *range)
{
    uint64_t available = source->count > range->start ? source->count - range->start : 0;
    uint32_t count = MIN2(range->count, available);
    if (!reserve_indices(ctx, count)) {
        ctx->base.out_of_memory = true;
        return;
    }
    uint32_t *out = ctx->indices;
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = read_index(source, (uint64_t)range->start + i);
        if (info->primitive_restart && index == info->restart_index) {
            cpu_assemble(&ctx->assembly->to, info->mode, out, 0, part);
            part = 0;
            continue;
        }
        NEXT_WITHIN(out, part, count) = index + (uint32_t)range->index_bias;
    }
    cpu_assemble(&ctx->assembly->to, info->mode, out, 0, part);
}

/* Draws the vertices of one instance. */
static void draw_instance(struct cpu_context *ctx, const struct drv_draw_info *info,
                          const struct index_source *source, const struct drv_draw_range *range)
{
    if (draw_divided(ctx, info, source, range))
        return;
    if (info->index_size)
        draw_indexed(ctx, info, source, range);
    else
        cpu_assemble(&ctx->assembly->to, info->mode, NULL, range->start, range->count);
}

/* Starts a batch for the instance. Returns false if out of memory. */
static bool start_instance(struct cpu_context *ctx, const struct drv_draw_info *info,
                           uint32_t instance)
{
    struct cpu_assembly *a = ctx->assembly;
    set_instance(ctx, &a->args, info, instance);
    a->primitive_id = 0;
    cpu_batch_start(a);
    return a->to.batch;
}

/* Draws all instances of the range. Returns false if out of memory. */
static bool draw_instances(struct cpu_context *ctx, const struct drv_draw_info *info,
                           const struct index_source *source, const struct drv_draw_range *range)
{
    struct cpu_assembly *a = ctx->assembly;
    if (a->instances_share && !start_instance(ctx, info, 0))
        return false;
    for (uint32_t i = 0; i < info->instance_count && !cpu_draw_stopped(ctx); i++) {
        if (a->instances_share) {
            cpu_batch_begin_instance(a, range->count);
            draw_instance(ctx, info, source, range);
            cpu_batch_end_instance(a, i);
            continue;
        }
        if (!start_instance(ctx, info, i))
            return false;
        draw_instance(ctx, info, source, range);
        cpu_batch_finish(a);
    }
    if (a->instances_share)
        cpu_batch_finish(a);
    return true;
}

/* Returns whether the draw has no visible effect and no active query counts it. */
static bool has_no_effect(const struct cpu_context *ctx)
{
    const struct cpu_assembly *a = ctx->assembly;
    return a->discard && !a->so && !a->must_shade && !a->geometry.variant && !a->tess.tes &&
           !ctx->num_measuring;
}

/* Performs all draws for the current view. Returns false if out of memory. */
static bool draw_view(struct cpu_context *ctx, const struct drv_draw_info *info,
                      const struct index_source *source, const struct drv_draw_range *draws,
                      unsigned num_draws)
{
    struct cpu_vs_args *args = &ctx->assembly->args;
    for (unsigned d = 0; d < num_draws; d++) {
        args->draw_id = info->first_draw_id + d;
        args->first_vertex = info->index_size ? draws[d].index_bias : (int32_t)draws[d].start;
        args->indexed = info->index_size ? ~0u : 0;
        if (!draw_instances(ctx, info, source, &draws[d]))
            return false;
    }
    return true;
}

static void draw_ranges(struct cpu_context *ctx, const struct drv_draw_info *info,
                        const struct drv_draw_range *draws, unsigned num_draws)
{
    if (!init_assembly(ctx, info, total_vertices(info, draws, num_draws))) {
        ctx->base.out_of_memory = true;
        return;
    }
    struct cpu_assembly *a = ctx->assembly;
    struct cpu_stream_output so;
    if (cpu_stream_output_begin(ctx, &so)) {
        a->so = &so;
        a->parallel = false;
    }
    a->quads = choose_quad_split(ctx, info, a);
    if (has_no_effect(ctx))
        return;
    struct index_source source = {0};
    if (info->index_size)
        source = index_source(info);
    /* Views are the outer loop (OVR_multiview, 9.2.8). */
    for (unsigned view = 0; view < MAX2(info->num_views, 1); view++) {
        a->args.view_index = view;
        if (!draw_view(ctx, info, &source, draws, num_draws)) {
            ctx->base.out_of_memory = true;
            return;
        }
    }
    cpu_batch_wait(a);
    if (ctx->recording && cpu_scene_lost(ctx->recording))
        ctx->base.out_of_memory = true;
    for (unsigned i = 0; i < DRV_MAX_VERTEX_STREAMS && !info->internal && !info->mesh; i++)
        ctx->primitives_generated[i] += a->generated[i];
    if (a->so)
        cpu_stream_output_end(ctx, &so);
}

/* Draws the output of mesh shaders. Its vertices and primitives are not submitted by the
 * application, so their statistics are restored. */
static void draw_meshes(struct cpu_context *ctx, const struct drv_draw_info *info,
                        const struct drv_draw_range *draws, unsigned num_draws)
{
    static const uint8_t hidden[] = {DRV_STAT_VERTICES_SUBMITTED, DRV_STAT_PRIMITIVES_SUBMITTED,
                                     DRV_STAT_VS_INVOCATIONS};
    uint64_t before[DRV_STAT_COUNT];
    memcpy(before, ctx->statistics, sizeof before);
    draw_ranges(ctx, info, draws, num_draws);
    for (unsigned i = 0; i < ARRAY_SIZE(hidden); i++)
        ctx->statistics[hidden[i]] = before[hidden[i]];
}

/* Waits for scenes that may still write the vertex and index buffers, which the front end reads
 * during the draw. Called before the draw's scene begins, because waiting may submit the recorded
 * scene. */
static void sync_buffers(struct cpu_context *ctx, const struct drv_draw_info *info)
{
    const struct cpu_vertex_elements *e = ctx->elements;
    for (unsigned i = 0; e && i < e->count; i++) {
        const struct drv_vertex_buffer *vb = &ctx->vb[e->element[i].vertex_buffer];
        if (vb->buffer)
            cpu_context_sync(ctx, cpu_resource(vb->buffer)->storage, false);
    }
    if (info->index_size && info->index_buffer)
        cpu_context_sync(ctx, cpu_resource(info->index_buffer)->storage, false);
}

/* Chooses whether instances share vectors, which pays off if they have few vertices. Needs a vertex
 * shader variant; the tessellation and geometry stages don't support it. */
static void share_instances(struct cpu_context *ctx, const struct drv_draw_info *info,
                            const struct drv_draw_range *draws, unsigned num_draws)
{
    bool share = info->instance_count > 1 && !ctx->stage[SHADER_TESS_EVAL].shader &&
                 !ctx->stage[SHADER_GEOMETRY].shader;
    for (unsigned i = 0; i < num_draws; i++)
        share &= draws[i].count <= CPU_SHARED_INSTANCE;
    if (share != ctx->instances_share_vectors)
        ctx->dirty |= CPU_DIRTY_VS_KEY;
    ctx->instances_share_vectors = share;
}

static void draw_once(struct cpu_context *ctx, const struct drv_draw_info *info,
                      const struct drv_draw_range *draws, unsigned num_draws)
{
    if (!ctx->rasterizer || !ctx->blend || !ctx->zs || !info->instance_count)
        return;
    sync_buffers(ctx, info);
    share_instances(ctx, info, draws, num_draws);
    if (!cpu_validate(ctx, last_kind(ctx, info->mode)))
        return;
    const uint64_t meshes = ctx->statistics[DRV_STAT_MESH_PRIMITIVES];
    if (info->mesh) {
        draw_meshes(ctx, info, draws, num_draws);
    } else {
        draw_ranges(ctx, info, draws, num_draws);
        ctx->statistics[DRV_STAT_MESH_PRIMITIVES] = meshes; /* batches count all primitives */
    }
}

static void begin_command(struct cpu_context *ctx)
{
    ctx->commands++;
    ctx->draw_dropped = false;
    if (watchdog_stopped(&ctx->front_stop))
        ctx->front_stop = (struct watchdog_stop){0};
    if (ctx->base.limits_commands)
        ctx->front_task.watchdog = (struct watchdog_task){.stop = &ctx->front_stop, .commands = 1};
}

static void draw(struct drv_context *base, const struct drv_draw_info *info,
                 const struct drv_draw_range *draws, unsigned num_draws)
{
    struct cpu_context *ctx = cpu_context(base);
    if (!cpu_context_condition(ctx))
        return;
    if (!info->continues)
        begin_command(ctx);
    else if (cpu_draw_stopped(ctx)) /* an earlier draw of the same command was stopped */
        return;
    if (!base->limits_commands) { /* only calls of kernels have a limit */
        draw_once(ctx, info, draws, num_draws);
    } else {
        struct watchdog_task *outer = watchdog_enter(&ctx->front_task.watchdog);
        draw_once(ctx, info, draws, num_draws);
        watchdog_leave(outer);
    }
    if (watchdog_stopped(&ctx->front_stop)) {
        cpu_context_init_task(ctx, &ctx->front_task, SHADER_VERTEX, &ctx->front_stop);
        cpu_context_report_stop(ctx, &ctx->front_stop);
    }
}

void cpu_draw_init(struct drv_context_ops *ops)
{
    ops->draw = draw;
}
