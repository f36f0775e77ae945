/* SPDX-License-Identifier: MIT */
/*
 * The geometry shader, SIMD8: a thread processes eight primitives, or up to eight invocations of
 * one primitive. i965_abi.h describes the payload and the entry of the results.
 * Source: Skylake PRM, volume 7, "GS Thread Payload".
 */
#include "model_geometry.h"

/* A thread: up to eight invocations. instanced: of one primitive. */
struct batch {
    bool instanced;
    unsigned count;
    const struct model_object *object[8];
    unsigned invocation[8];
};

static uint32_t output_handle(const struct model_draw *draw, unsigned channel)
{
    return MODEL_URB_GS + channel * draw->gs_units;
}

/* Stores the URB data of a channel: slots of each vertex, one register per dword. */
static void push_vertices(struct model_draw *draw, struct sim_thread *t, unsigned channel,
                          unsigned reg, unsigned vertices, const struct model_object *object)
{
    const struct i965_3dstate_gs *gs = &draw->ctx->state.gs;
    unsigned offset = gs->vertex_urb_entry_read_offset * 8,
             length = gs->vertex_urb_entry_read_length * 8;
    unsigned available = 16 * (draw->has_te ? draw->ds_units : draw->vs_units);
    for (unsigned v = 0; v < vertices; v++) {
        const uint32_t *entry = v < object->count ? *model_slots(draw->ctx, object->v[v]) : NULL;
        for (unsigned d = 0; d < length; d++, reg++)
            sim_grf(t, reg)[channel] = entry && offset + d < available ? entry[offset + d] : 0;
    }
}

static bool start_thread(struct model_draw *draw, struct sim_thread *t, const struct batch *b)
{
    const struct i965_3dstate_gs *gs = &draw->ctx->state.gs;
    unsigned first = gs->dispatch_grf_start_register_for_urb_data |
                     gs->dispatch_grf_start_register_for_urb_data_5_4 << 4;
    unsigned vertices = gs->expected_vertex_count, reg, at;
    if (!model_thread_start(draw->ctx, &draw->gs, t, BITFIELD_MASK(b->count), first, &reg))
        return false;
    if (reg + vertices * gs->vertex_urb_entry_read_length * 8 > 128)
        return model_error(draw->ctx, "Vertex URB Entry Read Length", "the vertices end past r127");
    for (unsigned i = 0; i < b->count; i++) {
        const struct model_object *o = b->object[i];
        sim_grf(t, 1)[i] = output_handle(draw, i) | b->invocation[i] << 27;
        at = 2;
        if (gs->include_primitive_id)
            sim_grf(t, at++)[i] = o->primitive_id;
        for (unsigned v = 0; v < vertices && gs->include_vertex_handles; v++) {
            uint32_t handle = v < o->count ? o->v[v].oword / 4 : 0;
            if (b->instanced)
                sim_grf(t, at + v / 8)[v % 8] = handle;
            else if (at + v < 128)
                sim_grf(t, at + v)[i] = handle;
        }
        push_vertices(draw, t, i, reg, vertices, o);
    }
    return true;
}

/* Passes the vertices of an invocation to the assembler. */
static bool read_output(struct model_draw *draw, unsigned channel, uint32_t primitive_id)
{
    const struct i965_3dstate_gs *gs = &draw->ctx->state.gs;
    uint32_t *entry = model_entry(draw->ctx, output_handle(draw, channel));
    uint32_t oword = output_handle(draw, channel) * 4, size = draw->gs_units * 4;
    unsigned count = gs->static_output_vertex_count, used = 0;
    if (!gs->static_output) {
        count = entry[0];
        used = 2;
    }
    const uint32_t *control = entry + used * 4;
    used += gs->control_data_header_size * 2;
    unsigned vertex_owords = gs->output_vertex_size + 1;
    unsigned bits = !gs->control_data_header_size                             ? 0
                    : gs->control_data_format == I965_CONTROL_DATA_FORMAT_SID ? 2
                                                                              : 1;
    if (used > size || count > (size - used) / vertex_owords ||
        (bits && count > gs->control_data_header_size * 256u / bits))
        return model_error(draw->ctx, draw->gs.name, "%u vertices exceed the URB entry", count);
    if (!model_spend(draw->ctx, count * (uint64_t)MODEL_WORK_VERTEX))
        return false;
    struct model_assembler *a = &draw->output;
    a->count = a->primitives = 0;
    draw->stream = gs->default_stream_id;
    for (unsigned v = 0; v < count; v++) {
        unsigned field = bits ? control[v * bits / 32] >> v * bits % 32 & (bits == 2 ? 3 : 1) : 0;
        if (bits == 2)
            draw->stream = field;
        a->primitive_id = primitive_id; /* What a pixel shader reads. */
        if (!model_assemble_vertex(a, (struct model_vue){oword + used + v * vertex_owords, true}) ||
            (bits == 1 && field && !model_assemble_cut(a)))
            return false;
    }
    return model_assemble_cut(a);
}

static bool run_thread(struct model_draw *draw, const struct batch *b)
{
    struct model_context *ctx = draw->ctx;
    struct sim_thread t;
    memset(model_entry(ctx, MODEL_URB_GS), 0, 8ul * draw->gs_units * 64);
    if (!model_spend(ctx, 8ul * draw->gs_units * MODEL_WORK_LINE))
        return false;
    if (!start_thread(draw, &t, b) || !model_run_thread(ctx, &t, draw->gs.name, NULL))
        return false;
    if (ctx->state.gs.statistics_enable)
        ctx->counters.gs_invocations += b->count;
    for (unsigned i = 0; i < b->count; i++) {
        if (!read_output(draw, i, b->object[i]->primitive_id))
            return false;
    }
    return true;
}

static bool check_gs(struct model_draw *draw)
{
    const struct i965_3dstate_gs *gs = &draw->ctx->state.gs;
    if (gs->output_topology < 1 || gs->output_topology > 22 || gs->output_topology == 21)
        return model_error(draw->ctx, "3DSTATE_GS Output Topology", "%u is reserved",
                           gs->output_topology);
    if (gs->expected_vertex_count > MODEL_MAX_VERTICES)
        return model_error(draw->ctx, "3DSTATE_GS Expected Vertex Count", "%u is too large",
                           gs->expected_vertex_count);
    if (gs->instance_control && gs->vertex_urb_entry_read_length)
        return model_error(draw->ctx, "3DSTATE_GS Vertex URB Entry Read Length",
                           "not supported with Instance Control %u", gs->instance_control);
    if (8 * draw->gs_units > 65536 - MODEL_URB_GS)
        return model_error(draw->ctx, "3DSTATE_URB_GS", "the entries are too large");
    draw->last_slots = gs->output_vertex_size + 1;
    draw->output.topology = gs->output_topology;
    return true;
}

bool model_run_gs(struct model_draw *draw)
{
    unsigned invocations = draw->ctx->state.gs.instance_control + 1u;
    struct batch b = {.instanced = invocations > 1};
    if (draw->num_pending && !check_gs(draw))
        return false;
    for (unsigned i = 0; i < draw->num_pending * invocations; i++) {
        b.object[b.count] = &draw->pending[i / invocations];
        b.invocation[b.count++] = i % invocations;
        if (b.count == 8 || (b.instanced && (i + 1) % invocations == 0)) {
            if (!run_thread(draw, &b))
                return false;
            b.count = 0;
        }
    }
    draw->num_pending = 0;
    return !b.count || run_thread(draw, &b);
}

bool model_queue_gs(struct model_draw *draw, const struct model_object *object)
{
    draw->pending[draw->num_pending++] = *object;
    return draw->num_pending < MODEL_PRIMITIVES || model_run_gs(draw);
}
