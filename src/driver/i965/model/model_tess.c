/* SPDX-License-Identifier: MIT */
/*
 * Tessellation: hull shader threads of one patch, the tessellator, and domain shader threads of
 * eight vertices. i965_abi.h describes payloads and the patch's entry.
 * Source: Skylake PRM, volume 7, "HS Thread Payload", "DS Thread Payload".
 */
#include <math.h>

#include "model_geometry.h"
#include "nir/nir.h"

#define MAX_DS_VERTICES 512u

/* --- Hull shader --- */

static bool start_hs(struct model_draw *draw, struct sim_thread *t, unsigned instance,
                     const struct model_object *patch)
{
    const struct i965_3dstate_hs *hs = &draw->ctx->state.hs;
    unsigned reg, first = hs->dispatch_grf_start_register_for_urb_data |
                          hs->dispatch_grf_start_register_for_urb_data_5 << 5;
    if (!model_thread_start(draw->ctx, &draw->hs, t, 0xff, first, &reg))
        return false;
    sim_grf(t, 0)[0] = MODEL_URB_HS;
    sim_grf(t, 0)[1] = patch->primitive_id;
    sim_grf(t, 0)[2] = instance << 17;
    for (unsigned v = 0; v < MODEL_MAX_VERTICES && hs->include_vertex_handles; v++)
        sim_grf(t, 1)[v] = patch->v[MIN2(v, patch->count - 1u)].oword / 4;
    unsigned offset = hs->vertex_urb_entry_read_offset * 8,
             length = hs->vertex_urb_entry_read_length * 8;
    if (reg * 8 + patch->count * length > 128 * 8)
        return model_error(draw->ctx, "3DSTATE_HS Vertex URB Entry Read Length",
                           "the vertices end past r127");
    for (unsigned v = 0; v < patch->count && length; v++)
        memcpy(sim_grf(t, reg) + v * length,
               *model_slots(draw->ctx, patch->v[v]) + MIN2(offset, draw->vs_units * 16),
               length * 4ul);
    return true;
}

/* Runs all threads until they end. At a barrier a thread waits for the others. */
static bool run_hs_threads(struct model_draw *draw, struct sim_thread *t, unsigned count)
{
    bool waits[MODEL_HS_THREADS], ended[MODEL_HS_THREADS] = {0};
    for (unsigned left = count; left;) {
        unsigned waiting = 0;
        for (unsigned i = 0; i < count; i++) {
            if (ended[i])
                continue;
            if (!model_run_thread(draw->ctx, &t[i], draw->hs.name, &waits[i]))
                return false;
            waiting += waits[i];
            ended[i] = !waits[i];
            left -= ended[i];
        }
        if (waiting && waiting != left)
            return model_error(draw->ctx, draw->hs.name, "some threads end before a barrier");
    }
    return true;
}

static bool run_hs(struct model_draw *draw, const struct model_object *patch)
{
    struct model_context *ctx = draw->ctx;
    const struct i965_3dstate_hs *hs = &ctx->state.hs;
    struct sim_thread *t = ctx->geometry->hs_thread;
    unsigned count = hs->instance_count + 1u;
    if (count > MODEL_HS_THREADS)
        return model_error(ctx, "3DSTATE_HS Instance Count", "%u is too large", count - 1);
    memset(model_entry(ctx, MODEL_URB_HS), 0, draw->hs_units * 64ul);
    for (unsigned i = 0; i < count; i++) {
        if (!start_hs(draw, &t[i], i, patch))
            return false;
    }
    if (hs->statistics_enable)
        ctx->counters.hs_invocations++;
    return run_hs_threads(draw, t, count);
}

/* --- Tessellator --- */

/* Reads the levels from the patch's header; the order is that of the hardware. */
static void read_levels(const struct model_draw *draw, float outer[4], float inner[2])
{
    const uint32_t *header = model_entry(draw->ctx, MODEL_URB_HS);
    const struct i965_3dstate_te *te = &draw->ctx->state.te;
    unsigned inner_at = te->te_domain == I965_TE_DOMAIN_TRI ? 4 : 3;
    float max = te->partitioning == I965_PARTITIONING_ODD_FRACTIONAL
                    ? te->maximum_tessellation_factor_odd
                    : te->maximum_tessellation_factor_not_odd;
    for (unsigned i = 0; i < 4; i++)
        outer[i] = uif(header[7 - i]);
    for (unsigned i = 0; i < 2; i++)
        inner[i] = uif(header[inner_at - i]);
    if (te->te_domain == I965_TE_DOMAIN_ISOLINE) { /* Dword 6: lines, dword 7: segments. */
        outer[0] = uif(header[6]);
        outer[1] = uif(header[7]);
    }
    for (unsigned i = 0; i < 4; i++)
        outer[i] = outer[i] > max ? max : outer[i];
    for (unsigned i = 0; i < 2; i++)
        inner[i] = inner[i] > max ? max : inner[i];
}

static void tessellate(const struct model_draw *draw, struct cpu_tessellation *t)
{
    static const uint8_t primitives[] = {
        [I965_TE_DOMAIN_QUAD] = nir_tess_primitive_quads,
        [I965_TE_DOMAIN_TRI] = nir_tess_primitive_triangles,
        [I965_TE_DOMAIN_ISOLINE] = nir_tess_primitive_isolines,
        [3] = nir_tess_primitive_quads,
    };
    static const uint8_t spacings[] = {
        [I965_PARTITIONING_INTEGER] = nir_tess_spacing_equal,
        [I965_PARTITIONING_ODD_FRACTIONAL] = nir_tess_spacing_fractional_odd,
        [I965_PARTITIONING_EVEN_FRACTIONAL] = nir_tess_spacing_fractional_even,
        [3] = nir_tess_spacing_equal,
    };
    const struct i965_3dstate_te *te = &draw->ctx->state.te;
    float outer[4], inner[2];
    struct cpu_tess_layout layout = {
        .primitive = primitives[te->te_domain & 3],
        .spacing = spacings[te->partitioning & 3],
        /* The hardware's domain is a mirror image: its clockwise is OpenGL's counterclockwise. */
        .ccw = te->output_topology == I965_TE_OUTPUT_TOPOLOGY_TRI_CW,
        .point_mode = te->output_topology == I965_TE_OUTPUT_TOPOLOGY_POINT,
    };
    read_levels(draw, outer, inner);
    cpu_tessellate(t, &layout, outer, inner);
}

/* --- Domain shader --- */

/* Vertices of a patch that are shaded together, and the primitives between them. */
struct domain_batch {
    unsigned capacity, count;         /* Vertices. */
    unsigned first_prim, prims;       /* Primitives of the tessellation. */
    uint16_t point[MAX_DS_VERTICES];  /* Point of each vertex. */
    uint16_t vertex[CPU_TESS_POINTS]; /* Vertex of each point, plus 1. */
};

static uint32_t ds_handle(const struct model_draw *draw, unsigned vertex)
{
    return MODEL_URB_DS + vertex * draw->ds_units;
}

static bool run_ds(struct model_draw *draw, const struct domain_batch *b, unsigned first,
                   uint32_t primitive_id)
{
    struct model_context *ctx = draw->ctx;
    const struct i965_3dstate_ds *ds = &ctx->state.ds;
    const struct cpu_tessellation *tess = &ctx->geometry->tessellation;
    unsigned count = MIN2(b->count - first, 8), reg;
    struct sim_thread t;
    if (!model_thread_start(ctx, &draw->ds, &t, BITFIELD_MASK(count),
                            ds->dispatch_grf_start_register_for_urb_data, &reg))
        return false;
    if (reg + ds->patch_urb_entry_read_length > 128)
        return model_error(ctx, "3DSTATE_DS Patch URB Entry Read Length", "the data end past r127");
    sim_grf(&t, 0)[0] = MODEL_URB_HS;
    sim_grf(&t, 0)[1] = primitive_id;
    for (unsigned i = 0; i < count; i++) {
        const struct cpu_tess_point *p = &tess->point[b->point[first + i]];
        memcpy(&sim_grf(&t, 1)[i], &p->u, 4);
        memcpy(&sim_grf(&t, 2)[i], &p->v, 4);
        if (ds->compute_w_coordinate_enable)
            memcpy(&sim_grf(&t, 3)[i], &p->w, 4);
        sim_grf(&t, 4)[i] = ds_handle(draw, first + i);
    }
    memcpy(sim_grf(&t, reg),
           (uint8_t *)model_entry(ctx, MODEL_URB_HS) + ds->patch_urb_entry_read_offset * 32ul,
           ds->patch_urb_entry_read_length * 32ul);
    if (ds->statistics_enable)
        ctx->counters.ds_invocations += count;
    return model_run_thread(ctx, &t, draw->ds.name, NULL);
}

static bool emit_domain_primitive(struct model_draw *draw, const struct domain_batch *b,
                                  unsigned prim, uint32_t primitive_id)
{
    static const enum model_primitive_kind kinds[4] = {MODEL_POINT, MODEL_POINT, MODEL_LINE,
                                                       MODEL_TRIANGLE};
    const struct cpu_tessellation *tess = &draw->ctx->geometry->tessellation;
    unsigned n = tess->prim_vertices;
    const struct model_assembler *a = &draw->input;
    struct model_object o = {.kind = kinds[n],
                             .count = (uint8_t)n,
                             .line_start = true,
                             .edge = {true, true, true},
                             .primitive_id = primitive_id};
    o.provoking = (uint8_t)(n == 2 ? a->select_line & 1 : n == 3 ? MIN2(a->select_strip, 2) : 0);
    for (unsigned i = 0; i < n; i++) {
        unsigned vertex = b->vertex[tess->index[prim * n + i]] - 1u;
        o.v[i] = (struct model_vue){ds_handle(draw, vertex) * 4, true};
    }
    return draw->has_gs ? model_queue_gs(draw, &o) : model_output(draw, &o);
}

/* Shades the vertices and passes the primitives on. */
static bool flush(struct model_draw *draw, struct domain_batch *b, uint32_t primitive_id)
{
    const uint64_t work = MODEL_WORK_DRAW + b->count * (uint64_t)MODEL_WORK_VERTEX +
                          b->prims * (uint64_t)MODEL_WORK_VERTEX;
    if (!model_spend(draw->ctx, work))
        return false;
    memset(model_entry(draw->ctx, ds_handle(draw, 0)), 0, b->count * draw->ds_units * 64ul);
    for (unsigned first = 0; first < b->count; first += 8) {
        if (!run_ds(draw, b, first, primitive_id))
            return false;
    }
    for (unsigned i = 0; i < b->prims; i++) {
        if (!emit_domain_primitive(draw, b, b->first_prim + i, primitive_id))
            return false;
    }
    memset(b->vertex, 0, sizeof b->vertex);
    b->count = 0;
    b->first_prim += b->prims;
    b->prims = 0;
    return !draw->has_gs || model_run_gs(draw);
}

static void add_primitive(const struct cpu_tessellation *tess, struct domain_batch *b)
{
    unsigned n = tess->prim_vertices, prim = b->first_prim + b->prims++;
    for (unsigned i = 0; i < n; i++) {
        uint16_t point = tess->index[prim * n + i];
        if (b->vertex[point])
            continue;
        b->point[b->count++] = point;
        b->vertex[point] = (uint16_t)b->count;
    }
}

/* Returns whether the patch's entry can hold what threads read of it. */
static bool check_patch(struct model_draw *draw)
{
    if (draw->ds_units * 24 > MODEL_URB_GS - MODEL_URB_DS)
        return model_error(draw->ctx, "3DSTATE_URB_DS", "the entries are too large");
    if (draw->ctx->state.te.te_mode != I965_TE_MODE_HW_TESS)
        return model_error(draw->ctx, "3DSTATE_TE TE Mode", "not supported");
    if (!draw->has_hs)
        return model_error(draw->ctx, "3DSTATE_HS Enable", "the tessellator needs a hull shader");
    return true;
}

bool model_tessellate(struct model_draw *draw, const struct model_object *patch)
{
    const struct cpu_tessellation *tess = &draw->ctx->geometry->tessellation;
    struct domain_batch b = {0};
    if (!check_patch(draw) || !run_hs(draw, patch))
        return false;
    tessellate(draw, &draw->ctx->geometry->tessellation);
    b.capacity = MIN2((MODEL_URB_GS - MODEL_URB_DS) / draw->ds_units, MAX_DS_VERTICES);
    while (b.first_prim + b.prims < tess->num_prims) {
        add_primitive(tess, &b);
        if (b.count + 3 > b.capacity && !flush(draw, &b, patch->primitive_id))
            return false;
    }
    return !b.prims || flush(draw, &b, patch->primitive_id);
}
