/* SPDX-License-Identifier: MIT */
/* Shading of batches, culling, and the passing of primitives to clipping and setup. */
#include "driver/cpu/front/cpu_batch.h"

#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/kernel/cpu_external.h"
#include "util/check.h"
#include "util/macros.h"

#define SLAB_ALIGN 16 /* vertices; kernels store whole vectors */

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
    CHECK(count && count <= CPU_BATCH_VERTICES);
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
    CHECK(slab->used <= CPU_BATCH_VERTICES);
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
    for (unsigned i = 0; a && i < CPU_BATCHES; i++) {
        if (a->batch[i]) {
            cpu_geometry_destroy(a->batch[i]->geometry);
            cpu_tess_destroy(a->batch[i]->tessellation);
            free(a->batch[i]->positions);
        }
        free(a->batch[i]);
    }
    free(a);
}

/* Returns batch i and allocates it on first use. Returns NULL if out of memory. */
static struct cpu_batch *get_batch(struct cpu_assembly *a, unsigned i)
{
    CHECK(i < CPU_BATCHES);
    struct cpu_batch *b = a->batch[i];
    if (b)
        return b;
    a->batch[i] = b = aligned_alloc(64, ALIGN_POT(sizeof *b, 64));
    return b ? memset(b, 0, sizeof *b) : NULL;
}

static bool in_flight(struct cpu_batch *b)
{
    return !thread_pool_done(&b->group);
}

/* If the current batch is in flight, waits for the next one of the ring and makes it current. */
static void next_batch(struct cpu_assembly *a)
{
    if (a->to.batch && !in_flight(a->to.batch))
        return;
    if (a->to.batch)
        a->at = (a->at + 1) % CPU_BATCH_RING;
    CHECK(a->at < CPU_BATCH_RING);
    a->to.batch = a->batch[a->at];
    if (a->to.batch)
        thread_pool_wait(&a->to.batch->group);
}

/* Empties the cache of vertices, so that later indices add new vertices. */
static void forget_vertices(struct cpu_batch *b)
{
    if (++b->stamp == 0) {
        memset(b->reuse, 0, sizeof b->reuse);
        b->stamp = 1;
    }
}

static void empty_batch(struct cpu_batch *b)
{
    b->num_vertices = b->num_prims = b->ids = 0;
    forget_vertices(b);
}

/* Initializes an idle batch with the draw's current state. */
static void prepare_batch(struct cpu_assembly *a, struct cpu_batch *b)
{
    CHECK(!in_flight(b) && a->to.max_prims <= CPU_BATCH_PRIMS);
    b->front = a->front;
    b->task = a->task;
    memcpy(&b->args, &a->args,
           offsetof(struct cpu_vs_args, stream) + a->num_streams * sizeof *a->args.stream);
    b->shade = a->shade;
    b->vs = a->vs;
    b->tess = a->tess.tes ? &a->tess : NULL;
    b->gs = a->geometry.variant ? &a->geometry : NULL;
    b->generated = a->generated;
    b->statistics = a->statistics;
    b->vertices_per_prim = a->vertices_per_prim;
    b->quads = a->quads;
    b->primitive_id = a->primitive_id;
    b->discard = a->discard;
    b->so = a->so;
    b->used = &a->launched;
    b->max_prims = a->to.max_prims;
    empty_batch(b);
}

void cpu_batch_start(struct cpu_assembly *a)
{
    if (!a->batch[0])
        a->to.batch = get_batch(a, 0);
    next_batch(a);
    if (a->to.batch)
        prepare_batch(a, a->to.batch);
}

void cpu_batch_begin_instance(struct cpu_assembly *a, uint32_t count)
{
    /* a triangle adds at most three vertices */
    cpu_batch_reserve(&a->to, 3 * count, count);
    a->instance_vertices = a->to.batch->num_vertices;
    a->instance_prims = a->to.batch->num_prims;
    forget_vertices(a->to.batch);
}

void cpu_batch_end_instance(struct cpu_assembly *a, uint32_t instance)
{
    struct cpu_batch *b = a->to.batch;
    CHECK(b->num_vertices <= CPU_BATCH_VERTICES && a->instance_prims <= b->num_prims);
    for (uint32_t i = a->instance_vertices; i < b->num_vertices; i++)
        b->instance[i] = instance;
    if (b->num_prims > a->instance_prims)
        b->prim[a->instance_prims].flags |= CPU_PRIM_RESTART;
}

/* Waits from the last batch to the first: this thread executes jobs that have not started, while
 * workers continue with earlier ones. */
void cpu_batch_wait(struct cpu_assembly *a)
{
    if (!a->submitted)
        return;
    for (unsigned i = CPU_BATCH_RING; i > 0; i--) {
        struct cpu_batch *b = a->batch[(a->at + i) % CPU_BATCH_RING];
        if (b)
            thread_pool_wait(&b->group);
    }
    a->submitted = false;
}

/* Codes that do not reject points with point_clip_to_viewport. */
#define SIDE_CODES (CPU_CLIP_LEFT | CPU_CLIP_RIGHT | CPU_CLIP_BOTTOM | CPU_CLIP_TOP)

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

/* Returns the integer in the first component of a vertex output, or 0 if there is no such
 * output. */
static uint32_t vertex_number(const float *vertex, int output)
{
    return output < 0 ? 0 : fui(vertex[output * 4 * CPU_BATCH_VERTICES]);
}

/* Returns the mask of viewports that the outputs of a vertex select; an invalid index selects
 * viewport 0, as in cpu_nir_vertex.c. */
static uint32_t vertex_viewports(const struct cpu_front *f, const float *vertex)
{
    uint32_t number = vertex_number(vertex, f->outputs.viewport);
    if (f->outputs.viewport_mask)
        return number & BITFIELD_MASK(DRV_MAX_VIEWPORTS);
    return 1u << (number < DRV_MAX_VIEWPORTS ? number : 0);
}

/* Sets the current layer and viewport for a primitive with the outputs of the provoking vertex. */
static void select_surface(struct cpu_front *f, const float *provoking, uint32_t viewport)
{
    f->layer = vertex_number(provoking, f->outputs.layer);
    if (f->outputs.viewport_relative_layer)
        f->layer += viewport;
    if (f->outputs.viewport < 0 || viewport == f->viewport)
        return;
    f->viewport = viewport;
    f->view = f->views[viewport];
}

/* Returns the viewport that the kernel transformed a vertex by. */
static uint32_t lowest_viewport(const struct cpu_front *f, const float *vertex)
{
    uint32_t viewports = vertex_viewports(f, vertex);
    return viewports ? (uint32_t)__builtin_ctz(viewports) : 0;
}

/* Returns whether all vertices have been transformed by the primitive's viewport. */
static bool views_agree(const struct cpu_front *f, const struct cpu_vertices *vertices,
                        const uint8_t *v, unsigned n)
{
    for (unsigned i = 0; f->outputs.viewport >= 0 && i < n; i++)
        if (lowest_viewport(f, vertices->out + v[i]) != f->viewport)
            return false;
    return true;
}

/* Returns whether a primitive is rejected. `any` and `all` are the clip codes that any of its
 * vertices, and all of them, have. */
static bool is_rejected(const struct cpu_batch *b, uint32_t any, uint32_t all)
{
    uint32_t reject = CPU_REJECT_CODES;
    if (b->vertices_per_prim == 1 && b->front.rast->point_clip_to_viewport)
        reject &= ~SIDE_CODES;
    return all & reject || any & CPU_CLIP_NAN;
}

/* Updates the clipping statistics for a primitive. */
static void count_clipping(struct cpu_batch *b, const struct cpu_batch_prim *p)
{
    uint32_t any = 0, all = ~0u;
    for (unsigned i = 0; i < b->vertices_per_prim; i++) {
        any |= b->clip_code[p->v[i]];
        all &= b->clip_code[p->v[i]];
    }
    cpu_count(b->statistics, DRV_STAT_CLIPPING_INPUT, 1);
    /* GL 4.6 §13.7.2 leaves open how many parts of a clipped primitive are counted */
    cpu_count(b->statistics, DRV_STAT_CLIPPING_OUTPUT, !is_rejected(b, any, all));
}

/* Describes the vertices of a primitive before clipping. The first one of a triangle provokes with
 * the first vertex convention (NV_fragment_shader_barycentric, table X.1). */
static void describe_vertices(const struct cpu_batch *b, const struct cpu_vertices *vertices,
                              const struct cpu_batch_prim *p, struct cpu_barycentrics *to)
{
    const unsigned n = b->vertices_per_prim;
    unsigned first = 0;
    for (unsigned i = 0; n == 3 && i < 3 && b->front.rast->flatshade_first; i++)
        if (p->v[i] == p->provoking)
            first = i;
    memset(to->weight, 0, sizeof to->weight);
    for (unsigned i = 0; i < 3; i++) { /* vertex i of the API */
        const unsigned v = n == 3 ? (first + i) % 3 : MIN2(i, n - 1);
        to->vertex[i] = vertices->out + p->v[v];
        if (i < n)
            to->weight[0][v][i] = to->weight[1][v][i] = 1.0f;
    }
}

/* Sets up a triangle that needs no clipping. */
static void emit_triangle(struct cpu_batch *b, const struct cpu_vertices *vertices,
                          const struct cpu_batch_prim *p, uint32_t primitive_id)
{
    struct cpu_front *f = &b->front;
    struct cpu_barycentrics original;
    const struct cpu_prim_info info = {vertices->out + p->provoking, primitive_id, p->flags,
                                       f->barycentrics ? &original : NULL};
    if (f->barycentrics)
        describe_vertices(b, vertices, p, &original);
    if (f->outputs.layer >= 0)
        select_surface(f, info.provoking, 0); /* no viewport output */
    cpu_setup_batch_triangle(f, vertices, p->v, &info);
}

/* Clips and sets up a primitive for the current view. code: clip codes of its vertices; `any`: all
 * bits in them. */
static void clip_to_view(struct cpu_batch *b, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *p, const uint32_t code[3], uint32_t any,
                         const struct cpu_prim_info *info)
{
    struct cpu_front *f = &b->front;
    unsigned n = b->vertices_per_prim;
    struct cpu_vertex v[3];
    bool reproject = f->outputs.viewport >= 0 && !views_agree(f, vertices, p->v, n);
    bool clip = any & CPU_CLIP_CODES || reproject;
    if (n == 3 && !clip) {
        cpu_setup_batch_triangle(f, vertices, p->v, info);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        cpu_load_vertex(vertices, p->v[i], &v[i]);
    for (unsigned i = 0; reproject && i < n; i++)
        cpu_front_project(f, &v[i]);
    switch (n) {
    case 1:
        cpu_setup_point(f, &v[0], info);
        break;
    case 2:
        if (clip)
            cpu_clip_line(f, v, code, info);
        else
            cpu_setup_line(f, &v[0], &v[1], info);
        break;
    case 3:
        cpu_clip_triangle(f, v, code, info);
        break;
    }
}

/* Clips and sets up a primitive of shaded vertices, once per viewport that it selects. */
static void clip_and_set_up(struct cpu_batch *b, const struct cpu_vertices *vertices,
                            const struct cpu_batch_prim *p, uint32_t primitive_id)
{
    struct cpu_front *f = &b->front;
    unsigned n = b->vertices_per_prim;
    uint32_t code[3], any = 0, all = ~0u;
#pragma GCC unroll 3
    for (unsigned i = 0; i < n; i++) {
        code[i] = b->clip_code[p->v[i]];
        any |= code[i];
        all &= code[i];
    }
    if (is_rejected(b, any, all))
        return;
    struct cpu_barycentrics original;
    const struct cpu_prim_info info = {vertices->out + p->provoking, primitive_id, p->flags,
                                       f->barycentrics ? &original : NULL};
    if (f->barycentrics)
        describe_vertices(b, vertices, p, &original);
    if (f->outputs.layer < 0 && f->outputs.viewport < 0) {
        clip_to_view(b, vertices, p, code, any, &info);
        return;
    }
    uint32_t viewports = vertex_viewports(f, info.provoking);
    while (viewports) {
        select_surface(f, info.provoking, u_bit_scan(&viewports));
        clip_to_view(b, vertices, p, code, any, &info);
    }
}

/* Returns the gl_PrimitiveID of primitive `to`, given that of primitive `from`. */
static uint32_t count_ids(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                          unsigned from, unsigned to, uint32_t id)
{
    if (b->counts_ids)
        return id + (to - from);
    for (; from < to; from++) {
        id += prim[from].flags / CPU_PRIM_STEP & 1;
        if (prim[from + 1].flags & CPU_PRIM_RESTART)
            id = 0;
    }
    return id;
}

/* Returns whether triangles are culled in vectors first: nothing else needs culled triangles, and
 * all use one view. */
static bool culls_first(const struct cpu_batch *b)
{
    return b->vertices_per_prim == 3 && !b->so && !b->statistics && !b->discard &&
           b->front.outputs.viewport < 0;
}

static void emit_visible(struct cpu_batch *b, const struct cpu_vertices *shaded,
                         const struct cpu_batch_prim *prim, const uint32_t *id, unsigned visible)
{
    const bool together = cpu_setup_fills(&b->front);
    const struct cpu_batch_prim *group[CPU_SETUP_TRIANGLES];
    uint32_t number = prim->flags & CPU_PRIM_RESTART ? 0 : b->primitive_id;
    uint32_t numbers[CPU_SETUP_TRIANGLES];
    unsigned at = 0, waiting = 0;
    for (unsigned i = 0; i < visible; i++) {
        unsigned k = b->visible[i] & ~CPU_VISIBLE_CLIPPED;
        number = id ? id[k] : count_ids(b, prim, at, k, number);
        at = k;
        const bool clipped = b->visible[i] & CPU_VISIBLE_CLIPPED;
        if (together && !clipped) {
            DCHECK(waiting < CPU_SETUP_TRIANGLES);
            group[waiting] = &prim[k];
            numbers[waiting++] = number;
        }
        if (waiting == CPU_SETUP_TRIANGLES || (waiting && (clipped || i + 1 == visible))) {
            cpu_setup_triangles(&b->front, shaded, group, numbers, waiting);
            waiting = 0;
        }
        if (clipped)
            clip_and_set_up(b, shaded, &prim[k], number);
        else if (!together)
            emit_triangle(b, shaded, &prim[k], number);
    }
}

static void emit_all(struct cpu_batch *b, const struct cpu_vertices *shaded,
                     const struct cpu_batch_prim *prim, const uint32_t *id, const uint8_t *stream,
                     unsigned count)
{
    uint32_t number = b->primitive_id;
    for (unsigned i = 0; i < count; i++) {
        unsigned s = stream ? stream[i] : 0;
        if (id)
            number = id[i];
        else if (prim[i].flags & CPU_PRIM_RESTART)
            number = 0;
        if (b->so)
            cpu_stream_output_prim(b->so, shaded->out, &prim[i], b->vertices_per_prim, s);
        if (!b->discard && s == 0) {
            if (unlikely(b->statistics))
                count_clipping(b, &prim[i]);
            b->front.reached = false;
            clip_and_set_up(b, shaded, &prim[i], number);
            cpu_count(b->statistics, DRV_STAT_MESH_PRIMITIVES, b->front.reached);
        }
        number += prim[i].flags / CPU_PRIM_STEP & 1;
    }
}

void cpu_batch_emit(struct cpu_batch *b, const struct cpu_vertices *shaded, unsigned vertices,
                    const struct cpu_batch_prim *prim, const uint32_t *id, const uint8_t *stream,
                    unsigned count)
{
    if (!culls_first(b)) {
        emit_all(b, shaded, prim, id, stream, count);
        return;
    }
    unsigned visible = cpu_cull_triangles(b, prim, count, vertices, b->visible);
    emit_visible(b, shaded, prim, id, visible);
}

float *cpu_batch_geometry_inputs(struct cpu_batch *b)
{
    if (!b->geometry)
        b->geometry = cpu_geometry_create();
    float *out = b->geometry ? cpu_geometry_input_buffer(b->geometry, b->gs) : NULL;
    if (!out)
        b->front.segment->out_of_memory = true;
    return out;
}

static float *tess_inputs(struct cpu_batch *b)
{
    if (!b->tessellation)
        b->tessellation = cpu_tess_create();
    float *out = b->tessellation ? cpu_tess_input_buffer(b->tessellation, b->tess) : NULL;
    if (!out)
        b->front.segment->out_of_memory = true;
    return out;
}

/* Returns memory for the outputs of the vertex stage, or NULL if out of memory. */
static float *vertex_outputs(struct cpu_batch *b)
{
    if (b->tess)
        return tess_inputs(b);
    if (b->gs)
        return cpu_batch_geometry_inputs(b);
    return cpu_vertex_alloc(b->front.segment, b->front.outputs.count, MAX2(b->num_vertices, 2));
}

static void prepare_shading(struct cpu_batch *b, float *out)
{
    b->args.out = out;
    b->args.index = b->index;
    b->args.clip_code = b->clip_code;
    b->args.window = b->window[0];
    b->args.count = b->num_vertices;
    b->args.instance = b->instance;
    cpu_count(b->statistics, DRV_STAT_VS_INVOCATIONS, b->num_vertices);
    /* pad the last vector */
    uint32_t *index = b->index + b->num_vertices, *instance = b->instance + b->num_vertices;
    const uint32_t last_index = index[-1], last_instance = instance[-1];
    for (unsigned i = 0; i < 16; i++)
        index[i] = last_index;
    for (unsigned i = 0; i < 16; i++)
        instance[i] = last_instance;
}

static void shade(struct cpu_batch *b, struct jit_function kernel)
{
    const void *const arguments[] = {&b->args, &watchdog_self.progress};
    if (kernel.run)
        jit_run(kernel, arguments);
    else
        b->vs->runner->vs_run(b->vs->external, &b->args);
}

/* The vertices of the visible triangles, one bit each. */
struct vertex_set {
    uint64_t bits[CPU_BATCH_VERTICES / 64];
    unsigned count;
};

/* find_needed() for up to 64 vertices. Keeps the set in a register, because loading words that were
 * just stored as bytes would stall. */
static uint64_t find_few_needed(const struct cpu_batch *b, unsigned visible)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < visible; i++) {
        const struct cpu_batch_prim *p = &b->prim[b->visible[i] & ~CPU_VISIBLE_CLIPPED];
        bits |= 1ull << p->v[0] | 1ull << p->v[1] | 1ull << p->v[2] | 1ull << p->provoking;
    }
    return bits;
}

static void find_needed(const struct cpu_batch *b, unsigned visible, struct vertex_set *set)
{
    *set = (struct vertex_set){{0}};
    if (b->num_vertices <= 64) {
        set->bits[0] = find_few_needed(b, visible);
        set->count = (unsigned)__builtin_popcountll(set->bits[0]);
        return;
    }
    union {
        uint8_t vertex[CPU_BATCH_VERTICES];
        uint64_t eight[CPU_BATCH_VERTICES / 8];
    } needed = {{0}};
    for (unsigned i = 0; i < visible; i++) {
        const struct cpu_batch_prim *p = &b->prim[b->visible[i] & ~CPU_VISIBLE_CLIPPED];
        needed.vertex[p->v[0]] = needed.vertex[p->v[1]] = needed.vertex[p->v[2]] = 1;
        needed.vertex[p->provoking] = 1;
    }
    for (unsigned i = 0; visible && i < ARRAY_SIZE(needed.eight);
         i++) { /* gathers the bit of each byte k in bit k */
        set->bits[i / 8] |= needed.eight[i] * 0x0102040810204080 >> 56 << i % 8 * 8;
        set->count += needed.eight[i] * 0x0101010101010101 >> 56;
    }
}

/* Lists the vectors that contain a vertex of the set. Returns their number. */
static unsigned needed_vectors(struct cpu_batch *b, const struct vertex_set *set)
{
    const unsigned lanes = b->vs->divided;
    const uint64_t vector = (1ull << lanes) - 1;
    unsigned n = 0;
    for (unsigned i = 0; i < b->num_vertices; i += lanes) {
        b->vector[n] = i;
        n += (set->bits[i / 64] >> i % 64 & vector) != 0;
    }
    return n;
}

/* Removes the vertices that are not in the set, and the triangles that are not visible. */
static void keep_vertices(struct cpu_batch *b, const struct vertex_set *set, unsigned visible)
{
    uint8_t number[CPU_BATCH_VERTICES];
    unsigned n = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(set->bits); i++) {
        for (uint64_t left = set->bits[i]; left; left &= left - 1) {
            const unsigned v = i * 64 + __builtin_ctzll(left);
            b->index[n] = b->index[v];
            b->instance[n] = b->instance[v];
            number[v] = n++;
        }
    }
    CHECK(n == set->count && n <= b->num_vertices);
    b->num_vertices = n;
    for (unsigned i = 0; i < visible; i++) {
        struct cpu_batch_prim *p = &b->prim[b->visible[i] & ~CPU_VISIBLE_CLIPPED];
        for (unsigned k = 0; k < 3; k++)
            p->v[k] = number[p->v[k]];
        p->provoking = number[p->provoking];
    }
}

/* Returns the memory of the shaded vertices if no primitive has been added to the segment, whose
 * arena held `used` bytes before. */
static void end_vertices(struct cpu_batch *b, const float *out, size_t used)
{
    struct cpu_segment *segment = b->front.segment;
    if (arena_used(segment->arena) == used)
        segment->slab.used = out - segment->slab.out;
}

/* Copies the outputs of the positions kernel to the memory of all outputs. */
static void copy_positions(const struct cpu_batch *b, float *out)
{
    const struct cpu_stage_outputs *outputs = &b->vs->outputs;
    uint64_t slots = CPU_POSITION_SLOTS;
    while (slots) {
        const size_t row = outputs->index[u_bit_scan64(&slots)];
        for (size_t i = row ? 4 * (row - 1) * CPU_BATCH_VERTICES : 0, k = 0; row && k < 4; k++)
            memcpy(out + i + k * CPU_BATCH_VERTICES, b->positions + i + k * CPU_BATCH_VERTICES,
                   b->num_vertices * sizeof *out);
    }
}

/* After the positions kernel, shades the vertices of visible triangles: either the remaining
 * outputs of the vectors that contain them, or, if these vertices are few, all outputs of these
 * vertices alone, packed densely, so that tiles read less memory. The result has no outputs if out
 * of memory. */
static struct cpu_vertices shade_needed(struct cpu_batch *b, const struct cpu_vs_parts *parts,
                                        const struct vertex_set *needed, unsigned vectors,
                                        unsigned visible)
{
    const bool few = 2 * needed->count <= vectors * b->vs->divided;
    if (few)
        keep_vertices(b, needed, visible);
    float *out = vertex_outputs(b);
    const struct cpu_vertices shaded = {out, b->window[0], b->snapped};
    if (!out)
        return shaded;
    if (few) {
        prepare_shading(b, out);
        shade(b, b->shade);
        return cpu_batch_shaded(b, out, b->num_vertices);
    }
    copy_positions(b, out);
    b->args.out = out;
    b->args.vector = b->vector;
    b->args.num_vectors = vectors;
    shade(b, parts->rest);
    return shaded;
}

/* Returns memory for the outputs of the positions kernel, or NULL if out of memory. */
static float *position_outputs(struct cpu_batch *b)
{
    const size_t bytes = (size_t)b->front.outputs.count * 4 * CPU_BATCH_VERTICES * sizeof(float);
    void *memory = b->positions;
    if (!cpu_front_reserve(&memory, &b->positions_size, bytes))
        b->front.segment->out_of_memory = true;
    return b->positions = memory;
}

/* Shades the vertices of triangles and sets up the visible ones. */
static void process_triangles(struct cpu_batch *b)
{
    struct cpu_vs_parts parts;
    const bool divided = cpu_vs_variant_parts(b->vs, &parts);
    float *out = divided ? position_outputs(b) : vertex_outputs(b);
    if (!out)
        return;
    prepare_shading(b, out);
    shade(b, divided ? parts.positions : b->shade);
    if (b->quads == CPU_QUADS_TURN)
        cpu_assemble_turn_quads(b);
    struct cpu_vertices shaded = cpu_batch_shaded(b, out, b->num_vertices);
    const unsigned visible =
        cpu_cull_triangles(b, b->prim, b->num_prims, b->num_vertices, b->visible);
    if (b->vs->divided) {
        struct vertex_set needed;
        find_needed(b, visible, &needed);
        const unsigned vectors = needed_vectors(b, &needed);
        cpu_vs_variant_note(b->vs, b->num_vertices, needed.count);
        if (divided) {
            if (!visible)
                return;
            shaded = shade_needed(b, &parts, &needed, vectors, visible);
            if (!shaded.out)
                return;
        }
    }
    const size_t used = arena_used(b->front.segment->arena);
    emit_visible(b, &shaded, b->prim, NULL, visible);
    end_vertices(b, shaded.out, used);
}

/* Shades the vertices and passes the primitives to the following stages. */
static void run_stages(struct cpu_batch *b)
{
    CHECK(b->num_vertices && b->num_vertices <= CPU_BATCH_VERTICES);
    CHECK(b->num_prims <= CPU_BATCH_PRIMS && b->ids <= b->num_prims);
    b->counts_ids = b->ids == b->num_prims && !(b->prim[0].flags & CPU_PRIM_RESTART);
    if (!b->tess && !b->gs && culls_first(b)) {
        process_triangles(b);
        return;
    }
    float *out = vertex_outputs(b);
    if (!out)
        return;
    prepare_shading(b, out);
    if (b->tess) {
        shade(b, b->shade);
        cpu_tess_process(b->tessellation, b);
        return;
    }
    if (b->gs) {
        shade(b, b->shade);
        cpu_geometry_process(b->geometry, b, b->prim, NULL, b->num_prims);
        return;
    }
    shade(b, b->shade);
    if (b->quads == CPU_QUADS_TURN)
        cpu_assemble_turn_quads(b);
    const struct cpu_vertices shaded = cpu_batch_shaded(b, out, b->num_vertices);
    const size_t used = arena_used(b->front.segment->arena);
    emit_all(b, &shaded, b->prim, NULL, NULL, b->num_prims);
    end_vertices(b, out, used);
}

static void process_batch(struct cpu_batch *b)
{
    if (!b->task) {
        run_stages(b);
        return;
    }
    struct watchdog_task *outer = watchdog_enter(b->task);
    run_stages(b);
    watchdog_leave(outer);
}

/* cpu_assembler.flush of a thread that assembles ranges. */
static void flush_range(struct cpu_assembler *a)
{
    struct cpu_batch *b = a->batch;
    if (!b->num_prims)
        return;
    process_batch(b);
    b->range_prims += b->num_prims;
    b->primitive_id += b->ids;
    empty_batch(b);
}

typedef uint8_t u8x16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t u16x16 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t u32x16 __attribute__((vector_size(64), aligned(1), may_alias));

/* Reads the indices of a range and adds the base vertex to each. */
static void read_indices(const struct cpu_ranges *r, uint32_t start, uint32_t count, uint32_t *out)
{
    const void *from = (const uint8_t *)r->index + (size_t)start * r->index_size;
    uint32_t i = 0;
    for (; i + 16 <= count; i += 16) {
        u32x16 v;
        if (r->index_size == 1)
            v = __builtin_convertvector(*(const u8x16 *)((const uint8_t *)from + i), u32x16);
        else if (r->index_size == 2)
            v = __builtin_convertvector(*(const u16x16 *)((const uint8_t *)from + 2 * i), u32x16);
        else
            v = *(const u32x16 *)((const uint8_t *)from + 4 * i);
        *(u32x16 *)(out + i) = v + r->first;
    }
    for (; i < count; i++)
        out[i] = cpu_index(from, r->index_size, i) + r->first;
}

/* Assembles `ranges` ranges that start at element `start`, and processes the resulting batches. */
static void process_ranges(struct cpu_batch *b, const struct cpu_ranges *r, uint32_t start,
                           uint32_t ranges)
{
    struct cpu_assembler to = {
        .batch = b,
        .input_vertices = b->vertices_per_prim,
        .max_prims = b->max_prims,
        .flush = flush_range,
    };
    uint32_t count = MIN2(ranges * r->step + r->overlap, r->count - start);
    CHECK(start < r->count && count <= ARRAY_SIZE(b->element));
    if (r->index)
        read_indices(r, start, count, b->element);
    cpu_assemble(&to, r->mode, r->index ? b->element : NULL, r->first + start, count);
    flush_range(&to);
    /* once per call, because threads contend for the counter */
    __atomic_add_fetch(&b->generated[0], b->range_prims, __ATOMIC_RELAXED);
    b->range_prims = 0;
}

/* Runs a batch's job. Takes the vertex slab back from the segment for the next segment of this
 * batch; a thread that appends to the segment later must not use the slab. */
static void process(void *batch, unsigned unused)
{
    struct cpu_batch *b = batch;
    struct cpu_segment *segment = b->front.segment;
    const size_t before = arena_used(segment->arena);
    process_batch(b);
    __atomic_add_fetch(b->used, arena_used(segment->arena) - before, __ATOMIC_RELAXED);
    b->slab = segment->slab;
    segment->slab = (struct cpu_vertex_slab){0};
}

/* Returns whether the current batch can be submitted: the next batch of the ring is idle. */
static bool ring_has_room(struct cpu_assembly *a)
{
    struct cpu_batch *next = get_batch(a, (a->at + 1) % CPU_BATCH_RING);
    return next && !in_flight(next);
}

/* Returns a new segment for the current batch, or NULL if out of memory. All segments of a position
 * in the ring share an arena, because most of an arena per segment would stay empty. */
static struct cpu_segment *batch_segment(struct cpu_assembly *a)
{
    struct cpu_scene *scene = a->front.scene;
    struct cpu_segment *segment = cpu_scene_new_segment(scene);
    struct arena *arena = segment ? cpu_scene_arena(scene, a->at) : NULL;
    if (!arena)
        return segment;
    struct cpu_batch *b = a->to.batch;
    if (b->slab_scene != scene->id)
        b->slab = (struct cpu_vertex_slab){0};
    b->slab_scene = scene->id;
    segment->arena = arena;
    segment->slab = b->slab;
    return segment;
}

/* Submits the batch with a new segment to a worker, or processes it if no batch is idle. Returns
 * false if there is no memory for a segment. */
static bool launch(struct cpu_assembly *a)
{
    struct cpu_batch *b = a->to.batch;
    CHECK(!in_flight(b));
    b->front.segment = batch_segment(a);
    if (!b->front.segment)
        return false;
    if (ring_has_room(a)) {
        a->submitted = true;
        thread_pool_submit(&b->group, THREAD_PRIORITY_NORMAL, process, b, 1);
    } else {
        process(b, 0);
    }
    return true;
}

static void process_here(struct cpu_assembly *a)
{
    cpu_batch_wait(a); /* a batch in flight may own the last segment */
    struct cpu_batch *b = a->to.batch;
    b->front.segment = cpu_scene_segment(a->front.scene);
    process_batch(b);
    a->front.stipple_counter = b->front.stipple_counter;
}

/* Returns whether to submit the scene early because workers are idle. Tiles are then read and
 * written one more time, so the scene must be large, and at least as large as the scenes submitted
 * early before it; otherwise workers that are fast anyway would start too often. */
static bool starts_early(const struct cpu_assembly *a)
{
    const struct cpu_scene *scene = a->front.scene;
    const size_t tiles = (size_t)scene->tiles_x * scene->tiles_y;
    const size_t least =
        MAX2(tiles * CPU_EARLY_SUBMIT_TILE, CPU_EARLY_SUBMIT_SCENE) + a->ctx->self_submitted_bytes;
    return thread_pool_size() > 1 && a->scene_memory > least && cpu_context_idle(a->ctx);
}

/* Reads the memory use of the scene. No worker may be filling it. */
static void count_memory(struct cpu_assembly *a)
{
    a->scene_memory = cpu_scene_memory(a->front.scene);
    a->launched = 0;
}

/* Replaces a scene whose memory exceeds its limit. Memory of batches in flight is not counted, but
 * each of them uses at most `most` bytes. */
static void bound_scene(struct cpu_assembly *a, size_t most)
{
    size_t reserved = MIN2(CPU_BATCH_RING * most, CPU_SCENE_MEMORY / 2);
    if (a->parallel) {
        const size_t used = a->scene_memory + __atomic_load_n(&a->launched, __ATOMIC_RELAXED);
        if (used <= CPU_SCENE_MEMORY - reserved)
            return;
        cpu_batch_wait(a);
        cpu_scene_drop_empty(a->front.scene);
    }
    count_memory(a);
    if (a->scene_memory > CPU_SCENE_MEMORY - reserved || starts_early(a))
        cpu_draw_exchange_scene(a);
}

void cpu_batch_finish(struct cpu_assembly *a)
{
    struct cpu_batch *b = a->to.batch;
    if (!b->num_prims)
        return;
    if (!b->gs && !b->tess)
        __atomic_add_fetch(&a->generated[0], b->num_prims, __ATOMIC_RELAXED);
    cpu_count(a->statistics, DRV_STAT_PRIMITIVES_SUBMITTED, b->ids);
    a->primitive_id += b->ids;
    watchdog_progress(); /* this thread may only assemble batches for others */
    if (!cpu_draw_stopped(a->ctx) && a->front.scene &&
        (!a->discard || a->so || b->gs || b->tess || a->must_shade)) {
        if (!a->parallel || !launch(a))
            process_here(a);
        bound_scene(a, a->batch_memory);
    }
}

void cpu_batch_flush(struct cpu_assembler *to)
{
    struct cpu_assembly *a =
        (struct cpu_assembly *)((char *)to - offsetof(struct cpu_assembly, to));
    cpu_batch_finish(a);
    cpu_batch_start(a);
}

bool cpu_batch_divides(const struct cpu_assembly *a)
{
    return a->parallel && !a->so && !a->statistics && !a->tess.tes && !a->geometry.variant &&
           !a->instances_share && !a->discard;
}

/* State of the ranges that threads draw into one scene until all are drawn or the scene is full. */
struct range_queue {
    struct cpu_assembly *assembly;
    const struct cpu_ranges *ranges;
    struct cpu_segment **segment; /* segments for the ranges, in the order of the scene */
    uint32_t segments;            /* number of segments */
    uint32_t end;
    unsigned threads;
    uint64_t next; /* atomic: lower 32 bits: first range not taken; upper 32 bits: segments taken */
    size_t available; /* bytes of scene memory that the ranges may use */
    size_t used;      /* atomic: bytes used by finished ranges */
};

/* Ranges that a thread has taken. */
struct taken_ranges {
    uint32_t range, segment, count;
};

/* Takes the next ranges. Returns false if the scene is full, all ranges are taken, or the watchdog
 * has stopped the draw. Takes several ranges, or a single one if few ranges or little memory are
 * left, so that other threads don't have to wait for this one. */
static bool take_ranges(struct range_queue *d, struct taken_ranges *taken)
{
    if (watchdog_stopped(&d->assembly->ctx->front_stop))
        return false;
    uint64_t next = __atomic_load_n(&d->next, __ATOMIC_RELAXED);
    do {
        const uint32_t range = (uint32_t)next, segment = next >> 32, left = d->end - range;
        const size_t used = __atomic_load_n(&d->used, __ATOMIC_RELAXED);
        const bool many = left > 2 * CPU_RANGES * d->threads && used < d->available / 4 * 3;
        const uint32_t count = many ? CPU_RANGES : 1;
        if (!left || segment == d->segments || used > d->available)
            return false;
        *taken = (struct taken_ranges){range, segment, count};
    } while (!__atomic_compare_exchange_n(
        &d->next, &next, (uint64_t)(taken->segment + 1) << 32 | (taken->range + taken->count), true,
        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

/* Runs a job: takes and draws ranges, with its own batch and arena, until there are no more. */
static void draw_taken_ranges(void *data, unsigned index)
{
    struct range_queue *d = data;
    const struct cpu_ranges *r = d->ranges;
    CHECK(index < d->threads);
    struct cpu_batch *b = d->assembly->batch[index];
    struct arena *arena = cpu_scene_arena(d->assembly->front.scene, index);
    struct cpu_vertex_slab slab = {0};
    struct taken_ranges taken;
    while (take_ranges(d, &taken)) {
        CHECK(taken.segment < d->segments && taken.range + taken.count <= d->end);
        struct cpu_segment *segment = d->segment[taken.segment];
        segment->arena = arena;
        segment->slab = slab;
        prepare_batch(d->assembly, b);
        b->front.segment = segment;
        b->primitive_id = taken.range * r->step / r->per_id;
        const size_t before = arena_used(arena);
        process_ranges(b, r, taken.range * r->step, taken.count);
        __atomic_add_fetch(&d->used, arena_used(arena) - before, __ATOMIC_RELAXED);
        slab = segment->slab;
    }
}

/* Adds segments to the scene. Returns the number added. */
static uint32_t add_segments(struct cpu_scene *scene, uint32_t wanted)
{
    uint32_t n = 0;
    while (n < wanted && cpu_scene_new_segment(scene))
        n++;
    return n;
}

#define MAX_NEW_SEGMENTS 128 /* maximum number of segments per call of distribute_ranges() */

/* Returns the limit of a scene that several threads fill. The data of each should stay in its
 * cache. */
static size_t scene_limit(void)
{
    return MIN2((size_t)CPU_SCENE_MAX_PER_THREAD * thread_pool_size(), CPU_SCENE_MAX_THREADED);
}

/* Draws ranges from *next to `end` - 1 with all threads until the scene is full, and advances
 * *next. Returns false if out of memory. */
static bool distribute_ranges(struct cpu_assembly *a, const struct cpu_ranges *ranges,
                              uint32_t *next, uint32_t end)
{
    struct cpu_scene *scene = a->front.scene;
    const uint32_t segments = scene->num_segments;
    const uint32_t n = add_segments(scene, MIN2(end - *next, MAX_NEW_SEGMENTS));
    const unsigned most = MIN2(MIN2(thread_pool_size(), CPU_BATCHES), n);
    unsigned threads = 0;
    while (threads < most && get_batch(a, threads) && cpu_scene_arena(scene, threads))
        threads++;
    struct range_queue d = {
        .assembly = a,
        .ranges = ranges,
        .segment = scene->segments.data + segments,
        .segments = n,
        .end = end,
        .threads = threads,
        .next = *next,
        .available = scene_limit() - a->scene_memory,
    };
    thread_pool_run(draw_taken_ranges, &d, threads);
    cpu_scene_drop_empty(scene);
    *next = (uint32_t)d.next;
    return threads;
}

bool cpu_batch_ranges(struct cpu_assembly *a, const struct cpu_ranges *ranges)
{
    const uint32_t count = DIV_ROUND_UP(ranges->count - ranges->overlap, ranges->step);
    uint32_t next = 0;
    bool memory = true;
    cpu_batch_wait(a);
    while (memory && next < count && a->front.scene && !cpu_draw_stopped(a->ctx)) {
        count_memory(a);
        if (a->scene_memory >
            scene_limit() / 4 * 3) /* too little is left to be worth another round */
            cpu_draw_exchange_scene(a);
        else
            memory = distribute_ranges(a, ranges, &next, count);
    }
    cpu_batch_start(a);
    return memory;
}
