/* SPDX-License-Identifier: MIT */
/* Shading of a batch and the way of its primitives to clipping and setup. */
#include "driver/cpu/front/cpu_batch.h"

#include <stdlib.h>

#include "driver/cpu/context/cpu_external.h"
#include "util/macros.h"

#define SLAB_ALIGN 16 /* vertices: kernels store whole vectors */

bool cpu_front_reserve(void **memory, size_t *size, size_t wanted)
{
    if (wanted <= *size)
        return true;
    free(*memory);
    *memory = aligned_alloc(64, ALIGN_POT(wanted, 64));
    *size = *memory ? wanted : 0;
    return *memory;
}

float *cpu_vertex_alloc(struct cpu_segment *segment, uint32_t num_outputs, uint32_t count)
{
    struct cpu_vertex_slab *slab = &segment->slab;
    uint32_t at = count > 1 ? ALIGN_POT(slab->used, SLAB_ALIGN) : slab->used;
    uint32_t room = count > 1 ? ALIGN_POT(count, SLAB_ALIGN) : 1;
    if (!slab->out || slab->num_outputs != num_outputs || at + room > CPU_BATCH_VERTICES) {
        size_t bytes = (size_t)MAX2(num_outputs, 1) * 4 * CPU_BATCH_VERTICES * sizeof(float);
        slab->out = arena_alloc_aligned(segment->arena, bytes, 64);
        slab->num_outputs = num_outputs;
        at = 0;
    }
    if (!slab->out) {
        segment->out_of_memory = true;
        return NULL;
    }
    slab->used = at + room;
    return slab->out + at;
}

struct cpu_assembly *cpu_assembly_create(struct cpu_context *ctx)
{
    struct cpu_assembly *a = calloc(1, sizeof *a);
    if (a)
        a->ctx = ctx;
    return a;
}

void cpu_assembly_destroy(struct cpu_assembly *a)
{
    for (unsigned i = 0; a && i < CPU_BATCH_RING; i++) {
        if (a->ring[i]) {
            cpu_geometry_destroy(a->ring[i]->geometry);
            cpu_tess_destroy(a->ring[i]->tessellation);
        }
        free(a->ring[i]);
    }
    free(a);
}

static struct cpu_batch *new_batch(void)
{
    struct cpu_batch *b = aligned_alloc(64, ALIGN_POT(sizeof *b, 64));
    return b ? memset(b, 0, sizeof *b) : NULL;
}

static bool in_flight(struct cpu_batch *b)
{
    return !thread_pool_done(&b->group);
}

/* Advances to a batch that is not in flight, if the current one is. */
static void next_batch(struct cpu_assembly *a)
{
    if (a->batch && !in_flight(a->batch))
        return;
    if (a->batch)
        a->at = (a->at + 1) % CPU_BATCH_RING;
    a->batch = a->ring[a->at];
    if (a->batch)
        thread_pool_wait(&a->batch->group);
}

/* No vertex of the batch is used for an index that comes from now on. */
static void forget_vertices(struct cpu_batch *b)
{
    if (++b->stamp == 0) {
        memset(b->reuse, 0, sizeof b->reuse);
        b->stamp = 1;
    }
}

void cpu_batch_start(struct cpu_assembly *a)
{
    if (!a->ring[0])
        a->batch = a->ring[0] = new_batch();
    next_batch(a);
    struct cpu_batch *b = a->batch;
    if (!b)
        return;
    b->front = a->front;
    memcpy(&b->args, &a->args,
           offsetof(struct cpu_vs_args, stream) + a->num_streams * sizeof *a->args.stream);
    b->shade = a->shade;
    b->vs = a->vs;
    b->tess = a->tess.tes ? &a->tess : NULL;
    b->gs = a->geometry.variant ? &a->geometry : NULL;
    b->generated = a->generated;
    b->statistics = a->statistics;
    b->vertices_per_prim = a->vertices_per_prim;
    b->primitive_id = a->primitive_id;
    b->discard = a->discard;
    b->so = a->so;
    b->num_vertices = b->num_prims = b->ids = 0;
    forget_vertices(b);
}

void cpu_batch_begin_instance(struct cpu_assembly *a, uint32_t count)
{
    /* a vertex that the batch has forgotten is added again: at most once for each of a triangle's */
    cpu_batch_reserve(a, 3 * count, count);
    a->instance_vertices = a->batch->num_vertices;
    a->instance_prims = a->batch->num_prims;
    forget_vertices(a->batch);
}

void cpu_batch_end_instance(struct cpu_assembly *a, uint32_t instance)
{
    struct cpu_batch *b = a->batch;
    for (uint32_t i = a->instance_vertices; i < b->num_vertices; i++)
        b->instance[i] = instance;
    if (b->num_prims > a->instance_prims)
        b->prim[a->instance_prims].flags |= CPU_PRIM_RESTART;
}

void cpu_batch_wait(struct cpu_assembly *a)
{
    for (unsigned i = 0; i < CPU_BATCH_RING; i++)
        if (a->ring[i])
            thread_pool_wait(&a->ring[i]->group);
}

/* Codes that put a primitive outside if all its vertices have one of them. */
#define REJECT_CODES (~(uint32_t)(CPU_CLIP_GUARD_BAND | CPU_CLIP_NAN))
/* Those of the planes that points with point_clip_to_viewport do not know. */
#define SIDE_CODES (CPU_CLIP_LEFT | CPU_CLIP_RIGHT | CPU_CLIP_BOTTOM | CPU_CLIP_TOP)
/* Codes that demand clipping. */
#define CLIP_CODES                                                                                 \
    (CPU_CLIP_NEAR | CPU_CLIP_FAR | CPU_CLIP_W | CPU_CLIP_GUARD_BAND | 0xffu * CPU_CLIP_USER0)

void cpu_front_project(const struct cpu_front *f, struct cpu_vertex *v)
{
    const struct drv_viewport *viewport = &f->view.viewport;
    const float *pos = v->out + f->outputs.pos * 4 * CPU_BATCH_VERTICES;
    float inv_w = 1.0f / pos[3 * CPU_BATCH_VERTICES];
    for (unsigned c = 0; c < 3; c++)
        v->window[c] =
            pos[c * CPU_BATCH_VERTICES] * inv_w * viewport->scale[c] + viewport->translate[c];
    v->window[3] = inv_w;
}

/* An integer that a vertex has in the first component of an output; 0 if it is none. */
static uint32_t vertex_number(const float *vertex, int output)
{
    return output < 0 ? 0 : fui(vertex[output * 4 * CPU_BATCH_VERTICES]);
}

/* As cpu_nir_vertex.c: a viewport that does not exist is the first. */
static uint32_t vertex_viewport(const struct cpu_front *f, const float *vertex)
{
    uint32_t number = vertex_number(vertex, f->outputs.viewport);
    return number < DRV_MAX_VIEWPORTS ? number : 0;
}

void cpu_front_select(struct cpu_front *f, const float *provoking)
{
    f->layer = vertex_number(provoking, f->outputs.layer);
    uint32_t viewport = vertex_viewport(f, provoking);
    if (f->outputs.viewport < 0 || viewport == f->viewport)
        return;
    f->viewport = viewport;
    f->view = f->views[viewport];
}

/* Whether every vertex was transformed by the primitive's viewport. */
static bool views_agree(const struct cpu_front *f, const struct cpu_vertices *vertices,
                        const uint8_t *v, unsigned n)
{
    for (unsigned i = 0; f->outputs.viewport >= 0 && i < n; i++)
        if (vertex_viewport(f, vertices->out + v[i]) != f->viewport)
            return false;
    return true;
}

/* Whether a primitive is outside, by the codes that any of its vertices has and those that all
 * have. */
static bool is_rejected(const struct cpu_batch *b, uint32_t any, uint32_t all)
{
    uint32_t reject = REJECT_CODES;
    if (b->vertices_per_prim == 1 && b->front.rast->point_clip_to_viewport)
        reject &= ~SIDE_CODES;
    return all & reject || any & CPU_CLIP_NAN;
}

void cpu_batch_count_clipping(struct cpu_batch *b, const struct cpu_batch_prim *p)
{
    uint32_t any = 0, all = ~0u;
    for (unsigned i = 0; i < b->vertices_per_prim; i++) {
        any |= b->clip_code[p->v[i]];
        all &= b->clip_code[p->v[i]];
    }
    cpu_count(b->statistics, DRV_STAT_CLIPPING_INPUT, 1);
    /* GL 4.6 §13.7.2: how many parts of one that is clipped are counted is the implementation's
     * choice */
    cpu_count(b->statistics, DRV_STAT_CLIPPING_OUTPUT, !is_rejected(b, any, all));
}

void cpu_batch_primitive(struct cpu_batch *b, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *p, uint32_t primitive_id)
{
    struct cpu_front *f = &b->front;
    unsigned n = b->vertices_per_prim;
    bool reproject = false;
    struct cpu_vertex v[3];
    uint32_t code[3], any = 0, all = ~0u;
#pragma GCC unroll 3
    for (unsigned i = 0; i < n; i++) {
        code[i] = b->clip_code[p->v[i]];
        any |= code[i];
        all &= code[i];
    }
    if (is_rejected(b, any, all))
        return;
    struct cpu_prim_info info = {vertices->out + p->provoking, primitive_id, p->flags};
    if (f->outputs.layer >= 0 || f->outputs.viewport >= 0) {
        cpu_front_select(f, info.provoking);
        reproject = !views_agree(f, vertices, p->v, n);
    }
    bool clip = any & CLIP_CODES || reproject;
    if (n == 3 && !clip) {
        cpu_setup_batch_triangle(f, vertices, p->v, &info);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        cpu_load_vertex(vertices, p->v[i], &v[i]);
    for (unsigned i = 0; reproject && i < n; i++)
        cpu_front_project(f, &v[i]);
    switch (n) {
    case 1:
        cpu_setup_point(f, &v[0], &info);
        break;
    case 2:
        if (clip)
            cpu_clip_line(f, v, code, &info);
        else
            cpu_setup_line(f, &v[0], &v[1], &info);
        break;
    case 3:
        cpu_clip_triangle(f, v, code, &info);
        break;
    }
}

float *cpu_batch_geometry_inputs(struct cpu_batch *b)
{
    if (!b->geometry)
        b->geometry = cpu_geometry_create();
    float *out = b->geometry ? cpu_geometry_inputs(b->geometry, b->gs) : NULL;
    if (!out)
        b->front.segment->out_of_memory = true;
    return out;
}

static float *tess_inputs(struct cpu_batch *b)
{
    if (!b->tessellation)
        b->tessellation = cpu_tess_create();
    float *out = b->tessellation ? cpu_tess_inputs(b->tessellation, b->tess) : NULL;
    if (!out)
        b->front.segment->out_of_memory = true;
    return out;
}

/* Where the vertex stage's outputs go. NULL: no memory. */
static float *vertex_outputs(struct cpu_batch *b)
{
    if (b->tess)
        return tess_inputs(b);
    if (b->gs)
        return cpu_batch_geometry_inputs(b);
    return cpu_vertex_alloc(b->front.segment, b->front.outputs.count, MAX2(b->num_vertices, 2));
}

static void shade_vertices(struct cpu_batch *b, float *out)
{
    const void *argument = &b->args;
    b->args.out = out;
    b->args.index = b->index;
    b->args.clip_code = b->clip_code;
    b->args.window = b->window[0];
    b->args.count = b->num_vertices;
    b->args.instance = b->instance;
    cpu_count(b->statistics, DRV_STAT_VS_INVOCATIONS, b->num_vertices);
    for (unsigned i = 0; i < 16; i++) { /* the last vector's idle lanes */
        b->index[b->num_vertices + i] = b->index[b->num_vertices - 1];
        b->instance[b->num_vertices + i] = b->instance[b->num_vertices - 1];
    }
    if (b->shade)
        b->shade(&argument);
    else
        b->vs->runner->vs_run(b->vs->external, &b->args);
}

/* Shades the vertices and hands the primitives on. A job. */
static void process_batch(void *data, unsigned unused)
{
    struct cpu_batch *b = data;
    float *out = vertex_outputs(b);
    if (!out)
        return;
    shade_vertices(b, out);
    if (b->tess) {
        cpu_tess_process(b->tessellation, b);
        return;
    }
    if (b->gs) {
        cpu_geometry_process(b->geometry, b, b->prim, NULL, b->num_prims);
        return;
    }
    struct cpu_segment *segment = b->front.segment;
    const size_t used = arena_used(segment->arena);
    const struct cpu_vertices vertices = cpu_batch_shaded(b, out, b->num_vertices);
    uint32_t id = b->primitive_id;
    for (uint32_t i = 0; i < b->num_prims; i++) {
        if (b->prim[i].flags & CPU_PRIM_RESTART)
            id = 0;
        cpu_batch_hand_on(b, &vertices, &b->prim[i], id, 0);
        id += b->prim[i].flags / CPU_PRIM_STEP & 1;
    }
    if (arena_used(segment->arena) == used) /* no primitive needs the vertices */
        segment->slab.used = out - segment->slab.out;
}

/* Whether a worker can have the current batch: the next is there to be filled. */
static bool ring_has_room(struct cpu_assembly *a)
{
    struct cpu_batch **next = &a->ring[(a->at + 1) % CPU_BATCH_RING];
    if (!*next)
        *next = new_batch();
    return *next && !in_flight(*next);
}

/* Gives the batch a segment of its own and to a worker, or does the work if all are busy. False: no
 * memory for a segment. */
static bool launch(struct cpu_assembly *a)
{
    struct cpu_batch *b = a->batch;
    struct cpu_scene *scene = a->front.scene;
    struct cpu_segment *segment = b->own && cpu_segment_is_empty(b->own)
                                      ? cpu_scene_move_segment(scene, b->own)
                                      : cpu_scene_new_segment(scene);
    b->own = segment;
    if (!segment)
        return false;
    b->front.segment = segment;
    if (ring_has_room(a))
        thread_pool_submit(&b->group, THREAD_PRIORITY_NORMAL, process_batch, b, 1);
    else
        process_batch(b, 0);
    return true;
}

static void process_here(struct cpu_assembly *a)
{
    cpu_batch_wait(a); /* the segment may be that of a batch in flight */
    struct cpu_batch *b = a->batch;
    b->front.segment = cpu_scene_segment(a->front.scene);
    process_batch(b, 0);
    a->front.stipple_counter = b->front.stipple_counter;
}

/* A scene's memory is known only while no worker fills it; until it may have become too much, an
 * estimate is counted. */
static void bound_scene(struct cpu_assembly *a)
{
    size_t most = a->batch_memory, reserved = MIN2(CPU_BATCH_RING * most, CPU_SCENE_MEMORY / 2);
    if (a->parallel) {
        a->scene_memory += most;
        if (a->scene_memory <= CPU_SCENE_MEMORY)
            return;
        cpu_batch_wait(a);
    }
    a->scene_memory = cpu_scene_memory(a->front.scene);
    if (a->scene_memory > CPU_SCENE_MEMORY - reserved)
        cpu_draw_exchange_scene(a);
}

void cpu_batch_finish(struct cpu_assembly *a)
{
    struct cpu_batch *b = a->batch;
    if (!b->num_prims)
        return;
    if (!b->gs && !b->tess)
        a->generated[0] += b->num_prims;
    cpu_count(a->statistics, DRV_STAT_PRIMITIVES_SUBMITTED, b->ids);
    a->primitive_id += b->ids;
    if (!cpu_draw_is_late(a->ctx) && a->front.scene &&
        (!a->discard || a->so || b->gs || b->tess || a->shades_always)) {
        if (!a->parallel || !launch(a))
            process_here(a);
        bound_scene(a);
    }
}

void cpu_batch_flush(struct cpu_assembly *a)
{
    cpu_batch_finish(a);
    cpu_batch_start(a);
}
