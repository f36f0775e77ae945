/* SPDX-License-Identifier: MIT */
/*
 * 3DPRIMITIVE: fetches and shades vertices in chunks, assembles primitives and passes them through
 * the enabled stages.
 */
#include <stdlib.h>

#include "model_geometry.h"
#include "model_strict.h"
#include "model_surface.h"
#include "model_trace.h"

#define CARRIED       (MODEL_MAX_VERTICES + 1u)
#define MAX_DWORDS    (MODEL_VERTEX_ELEMENTS * 4u)
#define URB_PADDING   4096u
#define REUSE_SLOTS   1024u /* A power of two. */
#define UNUSED_VERTEX UINT16_MAX

bool model_geometry_create(struct model_context *ctx)
{
    struct model_geometry *g = calloc(1, sizeof *g);
    ctx->geometry = g;
    if (!g)
        return false;
    g->urb = calloc(1, MODEL_URB_BYTES + URB_PADDING); /* Untouched pages take no memory. */
    g->scratch = calloc(1, MODEL_MAX_SCRATCH);
    return g->urb && g->scratch;
}

void model_geometry_destroy(struct model_context *ctx)
{
    if (!ctx->geometry)
        return;
    free(ctx->geometry->urb);
    free(ctx->geometry->scratch);
    free(ctx->geometry);
}

bool model_spend(struct model_context *ctx, uint64_t work)
{
    if (ctx->instructions_left < work)
        return model_error(ctx, "batch", "it executes too many instructions");
    ctx->instructions_left -= work;
    return true;
}

/* --- Stages --- */

struct stage_packet {
    const char *name;
    uint64_t kernel, scratch_base, bindings, samplers;
    unsigned scratch; /* Per-Thread Scratch Space. */
};

static struct stage_packet stage_packet(const struct model_state *s, enum model_stage stage)
{
    switch (stage) {
    case MODEL_VS:
        return (struct stage_packet){"vertex shader",
                                     s->vs.kernel_start_pointer,
                                     s->vs.scratch_space_base_pointer,
                                     s->bindings_vs.pointer_to_vs_binding_table,
                                     s->samplers_vs.pointer_to_vs_sampler_state,
                                     s->vs.per_thread_scratch_space};
    case MODEL_HS:
        return (struct stage_packet){"hull shader",
                                     s->hs.kernel_start_pointer,
                                     s->hs.scratch_space_base_pointer,
                                     s->bindings_hs.pointer_to_hs_binding_table,
                                     s->samplers_hs.pointer_to_hs_sampler_state,
                                     s->hs.per_thread_scratch_space};
    case MODEL_DS:
        return (struct stage_packet){"domain shader",
                                     s->ds.kernel_start_pointer,
                                     s->ds.scratch_space_base_pointer,
                                     s->bindings_ds.pointer_to_ds_binding_table,
                                     s->samplers_ds.pointer_to_ds_sampler_state,
                                     s->ds.per_thread_scratch_space};
    default:
        return (struct stage_packet){"geometry shader",
                                     s->gs.kernel_start_pointer,
                                     s->gs.scratch_space_base_pointer,
                                     s->bindings_gs.pointer_to_gs_binding_table,
                                     s->samplers_gs.pointer_to_gs_sampler_state,
                                     s->gs.per_thread_scratch_space};
    }
}

bool model_shader_init(struct model_draw *draw, struct model_shader *shader, enum model_stage stage)
{
    struct model_context *ctx = draw->ctx;
    struct stage_packet p = stage_packet(&ctx->state, stage);
    struct model_kernel kernel;
    if (p.scratch > 11)
        return model_error(ctx, "Per-Thread Scratch Space", "%s: %u is reserved", p.name,
                           p.scratch);
    shader->name = p.name;
    shader->program = model_program(ctx, p.name, p.kernel, &kernel);
    if (!shader->program || !model_constants_read(ctx, stage, &shader->constants) ||
        !model_env_init(&shader->env, ctx, stage, p.bindings, p.samplers))
        return false;
    shader->env.keeps_denormals = kernel.writes_control;
    shader->env.base.urb = ctx->geometry->urb;
    shader->env.base.urb_size = MODEL_URB_BYTES;
    shader->env.base.scratch = ctx->geometry->scratch;
    shader->env.base.scratch_size = (size_t)1024 << p.scratch;
    memset(shader->fixed, 0, sizeof shader->fixed);
    shader->fixed[3] = (uint32_t)p.samplers | p.scratch;
    shader->fixed[4] = (uint32_t)p.bindings;
    shader->fixed[5] = (uint32_t)p.scratch_base;
    return true;
}

void model_shader_finish(struct model_shader *shader)
{
    if (shader->program)
        model_env_finish(&shader->env);
}

bool model_thread_start(struct model_context *ctx, struct model_shader *shader,
                        struct sim_thread *t, uint32_t mask, unsigned first, unsigned *next)
{
    sim_thread_init(t, shader->program, &shader->env.base, mask);
    memcpy(sim_grf(t, 0), shader->fixed, sizeof shader->fixed);
    return model_push_constants(ctx, &shader->constants, t, first, next);
}

/* --- Vertices --- */

/* Vertices of a chunk. */
struct chunk {
    unsigned count;              /* Elements of the sequence. */
    unsigned shaded;             /* Different vertices. */
    bool cut[MODEL_CHUNK];       /* The element ends the strip. */
    uint16_t slot[MODEL_CHUNK];  /* Vertex of each element. */
    uint32_t index[MODEL_CHUNK]; /* Index of each vertex. */
    bool edge[MODEL_CHUNK];      /* Edge flag of each vertex. */
    uint16_t reuse[REUSE_SLOTS]; /* Hash table of the vertices by index. */
};

/* Returns the handle of a vertex of the current chunk. */
static uint32_t chunk_handle(const struct model_draw *draw, unsigned vertex)
{
    return MODEL_URB_VS + (2 * CARRIED + vertex) * draw->vs_units;
}

static bool read_index(struct model_draw *draw, uint32_t i, uint32_t *index)
{
    const struct i965_3dstate_index_buffer *b = &draw->ctx->state.index_buffer;
    unsigned size = 1u << b->index_format;
    uint64_t offset = ((uint64_t)draw->start_vertex + i) * size;
    *index = 0;
    if (offset + size > b->buffer_size)
        return true;
    model_reads(draw->ctx, MODEL_CACHE_VERTEX, b->buffer_starting_address + offset, size);
    return model_read_state(draw->ctx, "Index Buffer Starting Address",
                            b->buffer_starting_address + offset, index, size);
}

/* Returns whether an index ends the strip. */
static bool is_cut(const struct model_draw *draw, uint32_t index)
{
    const struct i965_3dstate_vf *vf = &draw->ctx->state.vf;
    if (!draw->indexed)
        return vf->sequential_draw_cut_index_enable && draw->start_vertex + index == vf->cut_index;
    uint32_t mask =
        (uint32_t)(UINT64_MAX >> (64 - (8u << draw->ctx->state.index_buffer.index_format)));
    return vf->indexed_draw_cut_index_enable && index == (vf->cut_index & mask);
}

/* Returns the vertex with an index, a new one if the chunk does not have it. */
static uint16_t find_vertex(const struct model_draw *draw, struct chunk *c, uint32_t index)
{
    unsigned at = index * 2654435761u >> 22 & (REUSE_SLOTS - 1);
    bool reuse = draw->indexed && !draw->ctx->state.vs.vertex_cache_disable;
    while (reuse && c->reuse[at] != UNUSED_VERTEX) {
        if (c->index[c->reuse[at]] == index)
            return c->reuse[at];
        at = (at + 1) & (REUSE_SLOTS - 1);
    }
    c->index[c->shaded] = index;
    c->reuse[at] = (uint16_t)c->shaded;
    return (uint16_t)c->shaded++;
}

static bool gather(struct model_draw *draw, struct chunk *c, uint32_t first)
{
    c->count = MIN2(draw->vertex_count - first, draw->chunk);
    c->shaded = 0;
    memset(c->reuse, 0xff, sizeof c->reuse);
    for (unsigned i = 0; i < c->count; i++) {
        uint32_t index = first + i;
        if (draw->indexed && !read_index(draw, first + i, &index))
            return false;
        c->cut[i] = is_cut(draw, index);
        if (!c->cut[i])
            c->slot[i] = find_vertex(draw, c, index);
    }
    return true;
}

static bool run_vs(struct model_draw *draw, uint32_t (*input)[MAX_DWORDS], unsigned dwords,
                   unsigned first, unsigned count)
{
    const struct i965_3dstate_vs *vs = &draw->ctx->state.vs;
    struct sim_thread t;
    unsigned reg, offset = vs->vertex_urb_entry_read_offset * 8,
                  length = vs->vertex_urb_entry_read_length * 8;
    if (!model_thread_start(draw->ctx, &draw->vs, &t, BITFIELD_MASK(count),
                            vs->dispatch_grf_start_register_for_urb_data, &reg))
        return false;
    if (reg + length > 128)
        return model_error(draw->ctx, "Vertex URB Entry Read Length", "the vertices end past r127");
    for (unsigned i = 0; i < count; i++)
        sim_grf(&t, 1)[i] = chunk_handle(draw, first + i);
    for (unsigned d = 0; d < length; d++) {
        for (unsigned i = 0; i < count; i++)
            sim_grf(&t, reg + d)[i] = offset + d < dwords ? input[i][offset + d] : 0;
    }
    if (vs->statistics_enable)
        draw->ctx->counters.vs_invocations += count;
    return model_run_thread(draw->ctx, &t, draw->vs.name, NULL);
}

static bool shade(struct model_draw *draw, struct chunk *c)
{
    struct model_context *ctx = draw->ctx;
    uint32_t input[8][MAX_DWORDS];
    unsigned dwords;
    if (!model_fetch_check(draw, &dwords))
        return false;
    memset(model_entry(ctx, chunk_handle(draw, 0)), 0, (size_t)c->shaded * draw->vs_units * 64);
    for (unsigned first = 0; first < c->shaded; first += 8) {
        unsigned count = MIN2(c->shaded - first, 8);
        for (unsigned i = 0; i < count; i++) {
            if (!model_fetch_vertex(draw, c->index[first + i], 0, input[i], &c->edge[first + i]))
                return false;
            if (!draw->has_vs)
                memcpy(model_entry(ctx, chunk_handle(draw, first + i)), input[i],
                       MIN2(dwords, draw->vs_units * 16) * 4ull);
        }
        if (draw->has_vs && !run_vs(draw, input, dwords, first, count))
            return false;
    }
    return true;
}

/* Moves the vertices that the assembler still refers to out of the chunk. */
static void carry(struct model_draw *draw)
{
    struct model_assembler *a = &draw->input;
    size_t size = draw->vs_units * 64ul;
    draw->carry ^= 1;
    for (unsigned i = 0; i <= a->count; i++) {
        struct model_vue *v = i < a->count ? &a->v[i] : &a->first;
        uint32_t handle = MODEL_URB_VS + (draw->carry * CARRIED + i) * draw->vs_units;
        memcpy(model_entry(draw->ctx, handle), model_slots(draw->ctx, *v), size);
        v->oword = handle * 4;
    }
}

static bool run_chunk(struct model_draw *draw, struct chunk *c, uint32_t first)
{
    struct model_assembler *a = &draw->input;
    if (!gather(draw, c, first) ||
        !model_spend(draw->ctx, c->count * (uint64_t)MODEL_WORK_VERTEX) || !shade(draw, c))
        return false;
    for (unsigned i = 0; i < c->count; i++) {
        if (c->cut[i]) {
            if (!model_assemble_cut(a))
                return false;
            continue;
        }
        struct model_vue v = {chunk_handle(draw, c->slot[i]) * 4, c->edge[c->slot[i]]};
        if (!model_assemble_vertex(a, v))
            return false;
    }
    if (first + c->count == draw->vertex_count && !model_assemble_cut(a))
        return false;
    if (draw->has_gs && !model_run_gs(draw))
        return false;
    carry(draw);
    return true;
}

static bool run_instance(struct model_draw *draw)
{
    struct chunk c;
    struct model_counters *counters = &draw->ctx->counters;
    model_assemble_start(&draw->input, draw->topology);
    draw->input.first = (struct model_vue){0};
    for (uint32_t first = 0; first < draw->vertex_count; first += c.count) {
        if (!run_chunk(draw, &c, first))
            return false;
    }
    if (draw->ctx->state.vf_statistics.statistics_enable) {
        counters->ia_vertices += draw->vertex_count;
        counters->ia_primitives += draw->input.primitive_id;
    }
    return true;
}

/* --- Draws --- */

bool model_output(struct model_draw *draw, const struct model_object *object)
{
    if (draw->has_so && !model_stream_out(draw, object))
        return false;
    const struct i965_3dstate_streamout *so = &draw->ctx->state.streamout;
    bool selected = !draw->has_gs || draw->stream == so->render_stream_select;
    return !draw->renders || !selected || model_clip(draw, object);
}

/* Takes the parameters of the draw from the packet, or from registers. Returns false after
 * model_error() if the indices have an unknown size. */
static bool read_parameters(struct model_draw *draw, const struct i965_3dprimitive *p)
{
    struct model_context *ctx = draw->ctx;
    uint32_t base = model_register_base(ctx);
    draw->topology = ctx->state.vf_topology.primitive_topology_type;
    draw->indexed = p->vertex_access_type == I965_VERTEX_ACCESS_TYPE_RANDOM;
    draw->vertex_count = p->vertex_count_per_instance;
    draw->start_vertex = p->start_vertex_location;
    draw->instance_count = p->instance_count;
    draw->start_instance = p->start_instance_location;
    draw->base_vertex = (int32_t)p->base_vertex_location;
    if (p->indirect_parameter_enable) {
        draw->vertex_count = model_register_read(ctx, base + MODEL_REG_PRIM_VERTEX_COUNT);
        draw->start_vertex = model_register_read(ctx, base + MODEL_REG_PRIM_START_VERTEX);
        draw->instance_count = model_register_read(ctx, base + MODEL_REG_PRIM_INSTANCE_COUNT);
        draw->start_instance = model_register_read(ctx, base + MODEL_REG_PRIM_START_INSTANCE);
        draw->base_vertex = (int32_t)model_register_read(ctx, base + MODEL_REG_PRIM_BASE_VERTEX);
    }
    uint32_t format = ctx->state.index_buffer.index_format;
    if (draw->indexed && format > I965_INDEX_FORMAT_DWORD)
        return model_error(ctx, "3DSTATE_INDEX_BUFFER Index Format", "%u is reserved", format);
    return true;
}

/* Returns whether the topology exists and fits the enabled stages. */
static bool check_topology(struct model_draw *draw)
{
    unsigned t = draw->topology;
    bool known = (t >= I965_PRIMITIVE_TOPOLOGY_TYPE_POINTLIST &&
                  t <= I965_PRIMITIVE_TOPOLOGY_TYPE_TRIFAN_NOSTIPPLE && t != 21) ||
                 (t >= MODEL_PATCHLIST_1 && t < MODEL_PATCHLIST_1 + MODEL_MAX_VERTICES);
    if (!known)
        return model_error(draw->ctx, "Primitive Topology Type", "%u is reserved", t);
    if (draw->has_te != (t >= MODEL_PATCHLIST_1) && !draw->has_gs)
        return model_error(draw->ctx, "Primitive Topology Type", "%u, but the tessellator is %s", t,
                           draw->has_te ? "on" : "off");
    return true;
}

/* Returns whether the stages' threads have payloads that the model can build. Drivers for Gen9 use
 * no others. */
static bool check_dispatch(struct model_draw *draw)
{
    struct model_context *ctx = draw->ctx;
    const struct model_state *s = &ctx->state;
    if (draw->has_vs && !s->vs.simd8_dispatch_enable)
        return model_error(ctx, "3DSTATE_VS SIMD8 Dispatch Enable", "SIMD4x2 is not supported");
    if (draw->has_hs && s->hs.dispatch_mode != I965_HS_DISPATCH_MODE_SINGLE_PATCH)
        return model_error(ctx, "3DSTATE_HS Dispatch Mode", "only SINGLE_PATCH is supported");
    if (draw->has_te && s->ds.dispatch_mode == I965_DISPATCH_MODE_SIMD4X2)
        return model_error(ctx, "3DSTATE_DS Dispatch Mode", "SIMD4X2 is not supported");
    if (draw->has_gs && s->gs.dispatch_mode != I965_GS_DISPATCH_MODE_SIMD8)
        return model_error(ctx, "3DSTATE_GS Dispatch Mode", "only SIMD8 is supported");
    return true;
}

/* Stores which stages are enabled and the sizes of their URB entries. */
static bool setup_stages(struct model_draw *draw)
{
    struct model_context *ctx = draw->ctx;
    const struct model_state *s = &ctx->state;
    draw->has_vs = s->vs.enable;
    draw->has_hs = s->hs.enable;
    draw->has_te = s->te.te_enable;
    draw->has_gs = s->gs.enable;
    draw->has_so = s->streamout.so_function_enable;
    draw->renders = !(draw->has_so && s->streamout.rendering_disable);
    draw->vs_units = s->urb_vs.vs_urb_entry_allocation_size + 1;
    draw->hs_units = s->urb_hs.hs_urb_entry_allocation_size + 1;
    draw->ds_units = s->urb_ds.ds_urb_entry_allocation_size + 1;
    draw->gs_units = s->urb_gs.gs_urb_entry_allocation_size + 1;
    if (!s->urb_vs.vs_number_of_urb_entries)
        return model_error(ctx, "3DSTATE_URB_VS", "the stage has no entries");
    if ((draw->has_hs || draw->has_te) && !s->urb_hs.hs_number_of_urb_entries)
        return model_error(ctx, "3DSTATE_URB_HS", "the stage has no entries");
    if (draw->has_te && !s->urb_ds.ds_number_of_urb_entries)
        return model_error(ctx, "3DSTATE_URB_DS", "the stage has no entries");
    if (draw->has_gs && !s->urb_gs.gs_number_of_urb_entries)
        return model_error(ctx, "3DSTATE_URB_GS", "the stage has no entries");
    unsigned entries = (MODEL_URB_HS - MODEL_URB_VS) / draw->vs_units;
    if (entries < 2 * CARRIED + 8)
        return model_error(ctx, "VS URB Entry Allocation Size", "%u is not supported",
                           draw->vs_units - 1);
    draw->chunk = MIN2(entries - 2 * CARRIED, MODEL_CHUNK);
    draw->last_slots = 4 * (draw->has_te ? draw->ds_units : draw->vs_units);
    if (draw->has_te != s->ds.enable)
        return model_error(ctx, "3DSTATE_DS Enable", "does not match TE Enable");
    return check_dispatch(draw);
}

/* Stores which user clip and cull distances are tested: those of the last shader. */
static void setup_distances(struct model_draw *draw)
{
    const struct model_state *s = &draw->ctx->state;
    draw->clip_mask = draw->has_gs   ? s->gs.user_clip_distance_clip_test_enable_bitmask
                      : draw->has_te ? s->ds.user_clip_distance_clip_test_enable_bitmask
                                     : s->vs.user_clip_distance_clip_test_enable_bitmask;
    draw->cull_mask = draw->has_gs   ? s->gs.user_clip_distance_cull_test_enable_bitmask
                      : draw->has_te ? s->ds.user_clip_distance_cull_test_enable_bitmask
                                     : s->vs.user_clip_distance_cull_test_enable_bitmask;
    if (s->clip.force_user_clip_distance_clip_test_enable_bitmask)
        draw->clip_mask = s->clip.user_clip_distance_clip_test_enable_bitmask;
    if (s->clip.force_user_clip_distance_cull_test_enable_bitmask)
        draw->cull_mask = s->clip.user_clip_distance_cull_test_enable_bitmask;
}

static void setup_assemblers(struct model_draw *draw)
{
    const struct model_state *s = &draw->ctx->state;
    struct model_assembler a = {
        .draw = draw,
        .trailing = s->streamout.reorder_mode == I965_REORDER_MODE_TRAILING || !draw->has_so,
        .select_fan = s->sf.triangle_fan_provoking_vertex_select,
        .select_strip = s->sf.triangle_strip_list_provoking_vertex_select,
        .select_line = s->sf.line_strip_list_provoking_vertex_select,
    };
    draw->output = draw->input = a;
    draw->output.receive = model_output;
    draw->input.receive = draw->has_te   ? model_tessellate
                          : draw->has_gs ? model_queue_gs
                                         : model_output;
    if (draw->has_gs)
        draw->input.trailing = s->gs.reorder_mode == I965_REORDER_MODE_TRAILING;
}

static bool run_draw(struct model_draw *draw)
{
    for (draw->instance = 0; draw->instance < draw->instance_count; draw->instance++) {
        if (!model_spend(draw->ctx, MODEL_WORK_VERTEX) || !run_instance(draw))
            return false;
    }
    return true;
}

static bool init_shaders(struct model_draw *draw)
{
    return (!draw->has_vs || model_shader_init(draw, &draw->vs, MODEL_VS)) &&
           (!draw->has_hs || model_shader_init(draw, &draw->hs, MODEL_HS)) &&
           (!draw->has_te || model_shader_init(draw, &draw->ds, MODEL_DS)) &&
           (!draw->has_gs || model_shader_init(draw, &draw->gs, MODEL_GS));
}

bool model_primitive(struct model_context *ctx, struct model_parser *p)
{
    struct i965_3dprimitive packet;
    struct model_draw *draw = &ctx->geometry->draw;
    if (!model_unpack(ctx, p, &packet))
        return false;
    if (packet.predicate_enable && !model_predicate(ctx))
        return true;
    if (!model_spend(ctx, MODEL_WORK_DRAW))
        return false;
    memset(draw, 0, sizeof *draw);
    draw->ctx = ctx;
    model_clears_start(ctx);
    if (!read_parameters(draw, &packet) || !setup_stages(draw) || !check_topology(draw))
        return false;
    if (packet.end_offset_enable)
        return model_error(ctx, "End Offset Enable", "not supported");
    setup_distances(draw);
    setup_assemblers(draw);
    if (model_traces(ctx))
        model_trace_state(ctx);
    bool done = init_shaders(draw) && (!draw->has_so || model_stream_out_start(draw)) &&
                (!draw->renders || model_draw_begin(ctx));
    if (done) {
        done = run_draw(draw);
        if (draw->renders)
            done = model_draw_end(ctx) && done;
        done = done && (!draw->has_so || model_stream_out_finish(draw));
    }
    model_shader_finish(&draw->vs);
    model_shader_finish(&draw->hs);
    model_shader_finish(&draw->ds);
    model_shader_finish(&draw->gs);
    return done;
}
