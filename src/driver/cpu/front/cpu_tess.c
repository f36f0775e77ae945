/* SPDX-License-Identifier: MIT */
/*
 * Tessellation (GL 4.6 §11.2). The control shader, or the pass-through in its place, writes a
 * record for each patch of the batch. Then the patches are tessellated in order. The vertices of
 * their primitives are collected in groups, evaluated together and submitted in the layout of
 * vertex batches. Later stages work as without tessellation.
 */
#include "driver/cpu/front/cpu_tess.h"

#include <stdlib.h>

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/front/cpu_batch.h"
#include "util/check.h"
#include "util/macros.h"

struct cpu_tess {
    float *in;
    uint32_t *records, *spill;
    size_t in_size, records_size, spill_size;
    /* Inputs of the control shader: vertices of each patch, then one element per invocation. */
    uint32_t vertex[CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES];
    uint32_t item_patch[CPU_MAX_TCS_ITEMS + 16], invocation[CPU_MAX_TCS_ITEMS + 16],
        item_live[CPU_MAX_TCS_ITEMS + 16];

    /* The result for the last patch, and the levels that it was computed from. */
    struct cpu_tessellation division;
    float levels[6];
    bool divided;

    /* The current group of vertices, and its primitives. */
    float coord[3][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    uint32_t patch[CPU_BATCH_VERTICES], live[CPU_BATCH_VERTICES];
    struct cpu_batch_prim prim[CPU_BATCH_PRIMS];
    uint32_t id[CPU_BATCH_PRIMS];
    unsigned vertices, prims;
    /* The group's vertex for each point of the patch: stamp << 8 | index. Valid if the stamp is the
     * current one of patch and group. */
    uint32_t slot[CPU_TESS_POINTS];
    uint32_t stamp;
};

struct cpu_tess *cpu_tess_create(void)
{
    struct cpu_tess *t = aligned_alloc(64, ALIGN_POT(sizeof *t, 64));
    return t ? memset(t, 0, sizeof *t) : NULL;
}

void cpu_tess_destroy(struct cpu_tess *t)
{
    if (!t)
        return;
    free(t->in);
    free(t->records);
    free(t->spill);
    free(t);
}

float *cpu_tess_input_buffer(struct cpu_tess *t, const struct cpu_tess_draw *draw)
{
    size_t size = (size_t)MAX2(draw->num_inputs, 1) * 4 * CPU_BATCH_VERTICES * sizeof(float);
    return cpu_front_reserve((void **)&t->in, &t->in_size, size) ? t->in : NULL;
}

/* --- records --- */

/* Builds the records without a control shader: copies the vertices and uses the API's default
 * levels. */
static void pass_through(struct cpu_tess *t, const struct cpu_batch *b)
{
    const struct cpu_tess_draw *draw = b->tess;
    unsigned words = 4u * draw->num_inputs;

    for (uint32_t p = 0; p < b->num_prims; p++) {
        uint32_t *record = t->records + (size_t)p * draw->record_words;
        memcpy(record + CPU_PATCH_OUTER, draw->outer, sizeof draw->outer);
        memcpy(record + CPU_PATCH_INNER, draw->inner, sizeof draw->inner);
        uint32_t *to = record + CPU_PATCH_FIRST;
        for (unsigned v = 0; v < draw->vertices_in; v++, to += words) {
            const uint32_t *from = (const uint32_t *)t->in + b->patch[p * draw->vertices_in + v];
            for (unsigned w = 0; w < words; w++)
                to[w] = from[w * CPU_BATCH_VERTICES];
        }
    }
}

static void add_item(struct cpu_tess *t, uint32_t item, uint32_t patch, uint32_t invocation,
                     bool live)
{
    t->item_patch[item] = patch;
    t->invocation[item] = invocation;
    t->item_live[item] = live;
}

/* Returns the number of patches per vector if invocations synchronize with barriers, otherwise 0.
 * Also 0 if a patch needs more than one vector. */
static unsigned patches_of_vector(const struct cpu_tess_draw *draw)
{
    return draw->tcs->barrier ? draw->lanes / draw->vertices_out : 0;
}

/* Lists the invocations of patches [0, count), padded to vectors. Returns the number of items. */
static uint32_t fill_items(struct cpu_tess *t, const struct cpu_tess_draw *draw, uint32_t count)
{
    uint32_t item = 0, last = draw->vertices_out - 1, together = patches_of_vector(draw);
    bool aligned = draw->tcs->barrier;

    for (uint32_t p = 0; p < count; p++) {
        for (uint32_t i = 0; i <= last; i++)
            add_item(t, item++, p, i, true);
        bool end = p + 1 == count || !together || (p + 1) % together == 0;
        while (aligned && end && item % draw->lanes)
            add_item(t, item++, p, last, false);
    }
    for (uint32_t i = item; i < ALIGN_POT(item, 16); i++)
        add_item(t, i, count - 1, last, false);
    return item;
}

/* Runs the control shader on all patches. Returns false if out of memory. */
static bool run_control(struct cpu_tess *t, const struct cpu_batch *b)
{
    const struct cpu_tess_draw *draw = b->tess;
    size_t spill = (size_t)draw->tcs->spill_words * CPU_MAX_TCS_ITEMS * 4;

    if (!cpu_front_reserve((void **)&t->spill, &t->spill_size, MAX2(spill, 64)))
        return false;
    /* Outputs that the shader does not write are 0. */
    memset(t->records, 0, (size_t)b->num_prims * draw->record_words * 4);
    for (uint32_t p = 0; p < b->num_prims; p++)
        for (unsigned v = 0; v < draw->vertices_in; v++)
            t->vertex[p * CPU_MAX_PATCH_VERTICES + v] = b->patch[p * draw->vertices_in + v];
    const struct cpu_tcs_args args = {
        .state = draw->control_state,
        .in = t->in,
        .vertex = t->vertex,
        .patch = t->item_patch,
        .invocation = t->invocation,
        .live = t->item_live,
        .count = fill_items(t, draw, b->num_prims),
        .patch_vertices = draw->vertices_in,
        .primitive_id = b->primitive_id,
        .record_words = draw->record_words,
        .out = t->records,
        .spill = t->spill,
    };
    const void *const arguments[] = {&args, watchdog_progress()};
    cpu_count(b->statistics, DRV_STAT_TCS_PATCHES, b->num_prims);
    if (draw->control.run)
        jit_run(draw->control, arguments);
    else
        draw->tcs->runner->tcs_run(draw->tcs->external, &args);
    return true;
}

/* --- groups --- */

/* Pads the vector with idle lanes, because a vector holds vertices of one patch only. */
static void pad(struct cpu_tess *t, unsigned lanes)
{
    CHECK(t->vertices && t->vertices <= ARRAY_SIZE(t->live));
    unsigned last = t->vertices - 1;
    while (t->vertices % lanes) {
        for (unsigned c = 0; c < 3; c++)
            t->coord[c][t->vertices] = t->coord[c][last];
        t->patch[t->vertices] = t->patch[last];
        NEXT_OF(t->live, t->vertices) = false;
    }
}

/* Returns memory for the group's outputs, or NULL if out of memory. */
static float *group_outputs(struct cpu_tess *t, struct cpu_batch *b)
{
    if (b->gs)
        return cpu_batch_geometry_inputs(b);
    return cpu_vertex_alloc(b->front.segment, b->front.outputs.count, MAX2(t->vertices, 2));
}

static unsigned count_live(const struct cpu_tess *t)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->vertices; i++)
        n += t->live[i];
    return n;
}

static void evaluate(struct cpu_tess *t, struct cpu_batch *b, float *out)
{
    const struct cpu_tess_draw *draw = b->tess;
    if (b->statistics)
        cpu_count(b->statistics, DRV_STAT_TES_INVOCATIONS, count_live(t));
    const struct cpu_tes_args args = {
        .state = draw->evaluation_state,
        .records = t->records,
        .coord = t->coord[0],
        .patch = t->patch,
        .live = t->live,
        .count = t->vertices,
        .patch_vertices = draw->vertices_out,
        .primitive_id = b->primitive_id,
        .record_words = draw->record_words,
        .vertex_base = cpu_patch_vertex_base(&draw->patch),
        .vertex_words = 4u * draw->patch.vertex.count,
        .out = out,
        .clip_code = b->clip_code,
        .window = b->window[0],
        .viewport = b->args.viewport,
    };
    const void *const arguments[] = {&args, watchdog_progress()};
    if (draw->evaluate.run)
        jit_run(draw->evaluate, arguments);
    else
        draw->tes->runner->tes_run(draw->tes->external, &args);
    if (!draw->finish_vertices.run)
        return;
    b->args.out = out;
    b->args.count = t->vertices;
    b->args.clip_code = b->clip_code;
    b->args.window = b->window[0];
    const void *argument = &b->args;
    jit_run(draw->finish_vertices, &argument);
}

static void emit(struct cpu_tess *t, struct cpu_batch *b)
{
    float *out = group_outputs(t, b);
    if (!out)
        return;
    evaluate(t, b, out);
    if (b->gs) {
        cpu_geometry_process(b->geometry, b, t->prim, t->id, t->prims);
        return;
    }
    const struct cpu_vertices vertices = cpu_batch_shaded(b, out, t->vertices);
    cpu_batch_emit(b, &vertices, t->vertices, t->prim, t->id, NULL, t->prims);
}

/* Ends the group and submits its primitives. */
static void flush(struct cpu_tess *t, struct cpu_batch *b)
{
    if (t->prims && (!b->discard || b->so || b->gs || b->tess->must_evaluate)) {
        pad(t, b->tess->lanes);
        emit(t, b);
    }
    t->vertices = t->prims = 0;
}

/* Invalidates `slot`: starts a new patch or group. */
static void invalidate_point_slots(struct cpu_tess *t)
{
    if (++t->stamp == 1u << 24) {
        memset(t->slot, 0, sizeof t->slot);
        t->stamp = 1;
    }
}

static uint8_t group_vertex(struct cpu_tess *t, unsigned point, uint32_t patch)
{
    if (t->slot[point] >> 8 == t->stamp)
        return (uint8_t)t->slot[point];
    const struct cpu_tess_point *p = &t->division.point[point];
    unsigned v = t->vertices++;
    t->coord[0][v] = p->u;
    t->coord[1][v] = p->v;
    t->coord[2][v] = p->w;
    t->patch[v] = patch;
    t->live[v] = true;
    t->slot[point] = t->stamp << 8 | v;
    return (uint8_t)v;
}

/* --- patches --- */

/* Tessellates the patch, unless the previous one had the same levels, which is common for
 * neighbors. */
static void divide(struct cpu_tess *t, const struct cpu_tess_draw *draw, uint32_t patch)
{
    const float *record = (const float *)(t->records + (size_t)patch * draw->record_words);
    if (t->divided && !memcmp(t->levels, record, sizeof t->levels))
        return;
    memcpy(t->levels, record, sizeof t->levels);
    t->divided = true;
    cpu_tessellate(&t->division, &draw->layout, record + CPU_PATCH_OUTER, record + CPU_PATCH_INNER);
}

static void add_prim(struct cpu_tess *t, struct cpu_batch *b, const uint16_t *index, uint32_t patch)
{
    unsigned n = t->division.prim_vertices;
    DCHECK(t->prims < ARRAY_SIZE(t->prim) && t->prims < ARRAY_SIZE(t->id));
    struct cpu_batch_prim *p = &t->prim[t->prims];

    *p = (struct cpu_batch_prim){.flags = CPU_EDGES_ALL | CPU_PRIM_NO_EDGE_FLAGS |
                                          CPU_PRIM_STIPPLE_RESET};
    for (unsigned i = 0; i < n; i++)
        p->v[i] = group_vertex(t, index[i], patch);
    p->provoking = p->v[b->front.rast->flatshade_first ? 0 : n - 1];
    t->id[t->prims++] = b->primitive_id + patch;
}

static void add_patch(struct cpu_tess *t, struct cpu_batch *b, uint32_t patch)
{
    const struct cpu_tessellation *d = &t->division;
    unsigned n = d->prim_vertices, lanes = b->tess->lanes;

    if (!d->num_prims)
        return;
    if (t->vertices)
        pad(t, lanes);
    invalidate_point_slots(t);
    for (unsigned i = 0; i < d->num_prims; i++) {
        if (t->vertices + n > CPU_BATCH_VERTICES || t->prims == CPU_BATCH_PRIMS) {
            flush(t, b);
            invalidate_point_slots(t);
        }
        add_prim(t, b, &d->index[i * n], patch);
    }
}

void cpu_tess_process(struct cpu_tess *t, struct cpu_batch *b)
{
    const struct cpu_tess_draw *draw = b->tess;
    size_t size = (size_t)CPU_BATCH_PATCHES * draw->record_words * 4;
    uint64_t generated = 0;
    uint32_t most = 0;

    if (!cpu_front_reserve((void **)&t->records, &t->records_size, size) ||
        (draw->tcs && !run_control(t, b))) {
        b->front.segment->out_of_memory = true;
        return;
    }
    if (!draw->tcs)
        pass_through(t, b);
    t->vertices = t->prims = 0;
    t->divided = false;
    for (uint32_t p = 0; p < b->num_prims; p++) {
        divide(t, draw, p);
        add_patch(t, b, p);
        generated += t->division.num_prims;
        most = MAX2(most, t->division.num_prims);
    }
    flush(t, b);
    if (!b->gs)
        __atomic_add_fetch(&b->generated[0], generated, __ATOMIC_RELAXED);
    uint32_t known = __atomic_load_n(draw->max_patch_prims, __ATOMIC_RELAXED);
    while (most > known && !__atomic_compare_exchange_n(draw->max_patch_prims, &known, most, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}
