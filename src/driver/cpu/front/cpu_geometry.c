/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders (GL 4.6 §11.3). For each invocation of each primitive, the kernel writes a
 * column of emitted vertices. This file walks the columns in API order, decomposes strips into
 * primitives, and packs groups of vertices in the layout of vertex batches. Later stages work as
 * without a geometry shader.
 */
#include "driver/cpu/front/cpu_geometry.h"

#include <stdlib.h>

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/front/cpu_batch.h"
#include "util/macros.h"

#define MAX_ITEMS 256 /* invocations per call of the kernel */
/* target for bytes of output per call; the minimum of 16 invocations may need more */
#define OUTPUT_SIZE (256 << 10)

struct cpu_geometry {
    float *in;
    size_t in_size;
    uint32_t *out;
    size_t out_size;
    struct cpu_gs_args args;
    uint32_t vertex[CPU_MAX_PRIM_VERTICES * MAX_ITEMS];
    uint32_t primitive_id[MAX_ITEMS], invocation_id[MAX_ITEMS], num_vertices[MAX_ITEMS];

    /* The current group of vertices, and its primitives. */
    uint32_t source[CPU_BATCH_VERTICES]; /* index of each vertex's first word in out */
    struct cpu_batch_prim prim[CPU_BATCH_VERTICES];
    uint32_t prim_id[CPU_BATCH_VERTICES];
    uint8_t prim_stream[CPU_BATCH_VERTICES];
    unsigned vertices, prims;
    unsigned in_strip;                          /* vertices of the current strip so far */
    uint8_t strip[2];                           /* the last two vertices of the strip */
    uint64_t generated[DRV_MAX_VERTEX_STREAMS]; /* number of primitives per stream */
};

struct cpu_geometry *cpu_geometry_create(void)
{
    return calloc(1, sizeof(struct cpu_geometry));
}

void cpu_geometry_destroy(struct cpu_geometry *g)
{
    if (!g)
        return;
    free(g->in);
    free(g->out);
    free(g);
}

float *cpu_geometry_input_buffer(struct cpu_geometry *g, const struct cpu_geometry_draw *draw)
{
    size_t size = (size_t)MAX2(draw->num_inputs, 1) * 4 * CPU_BATCH_VERTICES * sizeof(float);
    return cpu_front_reserve((void **)&g->in, &g->in_size, size) ? g->in : NULL;
}

/* --- groups --- */

/* Copies the group's vertices from the kernel's output to the layout of vertex batches. */
static void gather(const struct cpu_geometry *g, const struct cpu_gs_variant *variant, float *out)
{
    for (unsigned w = 0; w + 1u < variant->words; w++) {
        const uint32_t *from = g->out + (size_t)w * g->args.stride;
        uint32_t *to = (uint32_t *)out + variant->component[w] * CPU_BATCH_VERTICES;
        for (unsigned v = 0; v < g->vertices; v++)
            to[v] = from[g->source[v]];
    }
}

static void emit(struct cpu_geometry *g, struct cpu_batch *b)
{
    const struct cpu_geometry_draw *draw = b->gs;
    float *out = cpu_vertex_alloc(b->front.segment, b->front.outputs.count, MAX2(g->vertices, 2));
    if (!out)
        return;
    gather(g, draw->variant, out);
    if (!b->discard) {
        const void *argument = &b->args;
        b->args.out = out;
        b->args.count = g->vertices;
        b->args.clip_code = b->clip_code;
        b->args.window = b->window[0];
        jit_run(draw->finish_vertices, &argument);
    }
    const struct cpu_vertices vertices = cpu_batch_shaded(b, out, g->vertices);
    cpu_batch_emit(b, &vertices, g->vertices, g->prim, g->prim_id, g->prim_stream, g->prims);
}

/* Ends the group and submits its primitives. The vertices that continue the current strip become
 * the first ones of the next group. */
static void flush(struct cpu_geometry *g, struct cpu_batch *b)
{
    unsigned keep = MIN2(g->in_strip, b->vertices_per_prim - 1);
    if (g->prims && (!b->discard || b->so))
        emit(g, b);
    for (unsigned i = 0; i < keep; i++) {
        uint8_t *v = &g->strip[2 - keep + i];
        g->source[i] = g->source[*v];
        *v = i;
    }
    g->vertices = keep;
    g->prims = 0;
}

/* --- strips --- */

static void add_prim(struct cpu_geometry *g, uint8_t v0, uint8_t v1, uint8_t v2, uint8_t provoking,
                     unsigned flags, uint32_t id, unsigned stream)
{
    unsigned p = g->prims++;
    g->prim[p] = (struct cpu_batch_prim){{v0, v1, v2}, provoking, (uint8_t)flags};
    g->prim_id[p] = id;
    g->prim_stream[p] = (uint8_t)stream;
    g->generated[stream]++;
}

/* Adds the primitive that vertex v of a strip completes, if any. Same vertex order as in
 * cpu_assemble.c. */
static void extend_strip(struct cpu_geometry *g, const struct cpu_batch *b, uint8_t v, uint32_t id)
{
    bool first = b->front.rast->flatshade_first;
    uint8_t v0 = g->strip[0], v1 = g->strip[1];
    unsigned n = ++g->in_strip, flags = CPU_EDGES_ALL | CPU_PRIM_NO_EDGE_FLAGS;
    if (b->vertices_per_prim == 2) {
        if (n >= 2)
            add_prim(g, v1, v, v, first ? v1 : v, n == 2 ? CPU_PRIM_STIPPLE_RESET : 0, id, 0);
    } else if (n >= 3) {
        flags |= CPU_PRIM_STIPPLE_RESET;
        if (n & 1)
            add_prim(g, v0, v1, v, first ? v0 : v, flags, id, 0);
        else
            add_prim(g, v1, v0, v, first ? v0 : v, flags, id, 0);
    }
    g->strip[0] = v1;
    g->strip[1] = v;
}

static void add_vertex(struct cpu_geometry *g, struct cpu_batch *b, uint32_t source,
                       uint32_t control, uint32_t id)
{
    if (g->vertices == CPU_BATCH_VERTICES)
        flush(g, b);
    unsigned v = g->vertices++;
    g->source[v] = source;
    if (b->vertices_per_prim == 1)
        add_prim(g, v, v, v, v, 0, id, control & CPU_GS_STREAM);
    else
        extend_strip(g, b, v, id);
    if (control & CPU_GS_END)
        g->in_strip = 0;
}

/* --- the kernel --- */

/* Fills the kernel's inputs for `count` invocations from `first` on. id: primitive IDs; NULL:
 * consecutive IDs from the batch's first. */
static void fill_items(struct cpu_geometry *g, const struct cpu_batch *b,
                       const struct cpu_batch_prim *prim, const uint32_t *id, uint32_t first,
                       uint32_t count)
{
    uint32_t invocations = b->gs->invocations;
    for (uint32_t i = 0; i < ALIGN_POT(count, 16); i++) {
        uint32_t item = first + MIN2(i, count - 1), p = item / invocations;
        for (unsigned v = 0; v < b->gs->vertices_in; v++)
            g->vertex[v * g->args.stride + i] = prim[p].v[v];
        g->primitive_id[i] = id ? id[p] : b->primitive_id + p;
        g->invocation_id[i] = item % invocations;
    }
    g->args.count = count;
}

static void run(struct cpu_geometry *g, const struct cpu_geometry_draw *draw)
{
    const void *const arguments[] = {&g->args, watchdog_progress()};
    if (draw->shade.run)
        jit_run(draw->shade, arguments);
    else
        draw->variant->runner->gs_run(draw->variant->external, &g->args);
}

static void collect(struct cpu_geometry *g, struct cpu_batch *b)
{
    const struct cpu_geometry_draw *draw = b->gs;
    size_t stride = g->args.stride, words = draw->variant->words;
    for (uint32_t item = 0; item < g->args.count; item++) {
        uint32_t n = MIN2(g->num_vertices[item], draw->max_vertices);
        g->in_strip = 0;
        for (uint32_t v = 0; v < n; v++) {
            uint32_t source = v * words * stride + item;
            uint32_t control = g->out[source + (words - 1) * stride];
            add_vertex(g, b, source, control, g->primitive_id[item]);
        }
    }
    g->in_strip = 0;
    flush(g, b); /* the next call overwrites the group's source vertices */
}

/* Returns the number of invocations per call: whole vectors whose output fits in OUTPUT_SIZE,
 * within 16 and MAX_ITEMS. */
static uint32_t items_per_call(const struct cpu_geometry_draw *draw)
{
    uint32_t bytes = draw->variant->words * 4 * MAX2(draw->max_vertices, 1);
    return CLAMP(OUTPUT_SIZE / bytes & ~15u, 16, MAX_ITEMS);
}

void cpu_geometry_process(struct cpu_geometry *g, struct cpu_batch *b,
                          const struct cpu_batch_prim *prim, const uint32_t *id, uint32_t count)
{
    const struct cpu_geometry_draw *draw = b->gs;
    uint32_t total = count * draw->invocations, stride = items_per_call(draw);
    size_t size = (size_t)stride * draw->variant->words * MAX2(draw->max_vertices, 1) * 4;
    if (!cpu_front_reserve((void **)&g->out, &g->out_size, size)) {
        b->front.segment->out_of_memory = true;
        return;
    }
    g->args = (struct cpu_gs_args){
        .state = draw->state,
        .in = g->in,
        .vertex = g->vertex,
        .primitive_id = g->primitive_id,
        .invocation_id = g->invocation_id,
        .stride = stride,
        .out = g->out,
        .num_vertices = g->num_vertices,
    };
    g->vertices = g->prims = 0;
    memset(g->generated, 0, sizeof g->generated);
    for (uint32_t done = 0; done < total; done += g->args.count) {
        fill_items(g, b, prim, id, done, MIN2(stride, total - done));
        run(g, draw);
        collect(g, b);
    }
    cpu_count(b->statistics, DRV_STAT_GS_INVOCATIONS, total);
    for (unsigned i = 0; i < DRV_MAX_VERTEX_STREAMS; i++) {
        __atomic_add_fetch(&b->generated[i], g->generated[i], __ATOMIC_RELAXED);
        cpu_count(b->statistics, DRV_STAT_GS_PRIMITIVES, g->generated[i]);
    }
}
