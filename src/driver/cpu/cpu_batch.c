/* SPDX-License-Identifier: MIT */
/* Shading of a batch and the way of its primitives to clipping and setup. */
#include "driver/cpu/cpu_batch.h"

#include "util/macros.h"

#define SLAB_ALIGN 16 /* vertices: kernels store whole vectors */

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

void cpu_batch_restart(struct cpu_batch *b)
{
    b->num_vertices = b->num_prims = 0;
    if (++b->stamp == 0) {
        memset(b->reuse, 0, sizeof b->reuse);
        b->stamp = 1;
    }
}

/* Codes that put a primitive outside if all its vertices have one of them. */
#define REJECT_CODES (~(uint32_t)(CPU_CLIP_GUARD_BAND | CPU_CLIP_NAN))
/* Codes that demand clipping. */
#define CLIP_CODES                                                                                 \
    (CPU_CLIP_NEAR | CPU_CLIP_FAR | CPU_CLIP_W | CPU_CLIP_GUARD_BAND | 0xffu * CPU_CLIP_USER0)

static void load_vertex(const struct cpu_batch *b, const float *out, unsigned i,
                        struct cpu_vertex *v)
{
    v->out = out + i;
    for (unsigned c = 0; c < 4; c++)
        v->window[c] = b->window[c][i];
}

static void process_prim(struct cpu_batch *b, const float *out, const struct cpu_batch_prim *p,
                         uint32_t primitive_id)
{
    struct cpu_front *f = &b->front;
    unsigned n = b->vertices_per_prim;
    struct cpu_vertex v[3];
    uint32_t code[3], any = 0, all = ~0u;
    for (unsigned i = 0; i < n; i++) {
        code[i] = b->clip_code[p->v[i]];
        any |= code[i];
        all &= code[i];
    }
    if (all & REJECT_CODES || any & CPU_CLIP_NAN)
        return;
    struct cpu_prim_info info = {out + p->provoking, primitive_id, p->flags};
    for (unsigned i = 0; i < n; i++)
        load_vertex(b, out, p->v[i], &v[i]);
    f->clipped++;
    bool clip = any & CLIP_CODES;
    switch (n) {
    case 1:
        if (!any)
            cpu_setup_point(f, &v[0], &info);
        break;
    case 2:
        if (clip)
            cpu_clip_line(f, v, code, &info);
        else
            cpu_setup_line(f, &v[0], &v[1], &info);
        break;
    case 3:
        if (clip)
            cpu_clip_triangle(f, v, code, &info);
        else
            cpu_setup_triangle(f, &v[0], &v[1], &v[2], &info);
        break;
    }
}

void cpu_batch_flush(struct cpu_batch *b)
{
    if (b->num_prims) {
        float *out = cpu_vertex_alloc(b->front.segment, b->front.num_outputs,
                                      MAX2(b->num_vertices, 2));
        if (out) {
            b->args.out = out;
            b->args.index = b->index;
            b->args.clip_code = b->clip_code;
            b->args.window = b->window[0];
            b->args.count = b->num_vertices;
            for (unsigned i = 0; i < 16; i++) /* the last vector's idle lanes */
                b->index[b->num_vertices + i] = b->index[b->num_vertices - 1];
            const void *argument = &b->args;
            b->shade(&argument);
            uint32_t id = b->primitive_id;
            for (uint32_t i = 0; i < b->num_prims && !b->discard; i++) {
                process_prim(b, out, &b->prim[i], id);
                id += b->prim[i].step;
            }
            b->primitive_id = id;
        }
        b->front.primitives += b->num_prims;
        if (arena_used(b->front.segment->arena) > CPU_SCENE_MEMORY)
            b->exchange_scene(b);
    }
    cpu_batch_restart(b);
}
