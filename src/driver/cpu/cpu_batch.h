/* SPDX-License-Identifier: MIT */
/*
 * Vertex batches: primitives of one draw collected with the distinct vertices that they use, shaded
 * together, then clipped and set up in order.
 */
#ifndef CPU_BATCH_H
#define CPU_BATCH_H

#include "driver/cpu/cpu_front.h"

#define CPU_BATCH_PRIMS 512
#define CPU_REUSE_SLOTS 1024

struct cpu_context;

struct cpu_batch_prim {
    uint8_t v[3];     /* vertices of the batch */
    uint8_t provoking;
    uint8_t flags;    /* of struct cpu_prim_info */
    uint8_t step;     /* 1: the next primitive has the next gl_PrimitiveID */
};

struct cpu_batch {
    struct cpu_front front;
    struct cpu_vs_args args;       /* all but out and index */
    void (*shade)(const void *const *args);
    uint32_t vertices_per_prim;    /* 1, 2, 3 */
    uint32_t primitive_id;         /* of the next primitive */
    bool discard;                  /* nothing reaches setup: rasterizer_discard and the like */
    /* Called when the scene is full: starts it and points front to another. */
    void (*exchange_scene)(struct cpu_batch *b);
    struct cpu_context *ctx;
    uint8_t kind;                  /* enum cpu_kind */

    uint32_t num_vertices, num_prims;
    uint32_t index[CPU_BATCH_VERTICES + 16];
    struct cpu_batch_prim prim[CPU_BATCH_PRIMS];

    /* Which vertex of the batch has an index: valid where stamp is the batch's. */
    uint32_t stamp;
    struct {
        uint32_t stamp, index;
        uint32_t vertex;
    } reuse[CPU_REUSE_SLOTS];

    uint32_t clip_code[CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    float window[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
};

/* Forgets the vertices that were collected, but not the primitives' count. */
void cpu_batch_restart(struct cpu_batch *b);
/* Shades, clips and sets up what was collected, and restarts. */
void cpu_batch_flush(struct cpu_batch *b);

/* Makes room for a primitive of n vertices. */
static inline void cpu_batch_reserve(struct cpu_batch *b, unsigned n, unsigned prims)
{
    if (unlikely(b->num_vertices + n > CPU_BATCH_VERTICES ||
                 b->num_prims + prims > CPU_BATCH_PRIMS))
        cpu_batch_flush(b);
}

/* The batch's vertex for an index, added if it is new; room was reserved. */
static inline uint8_t cpu_batch_vertex(struct cpu_batch *b, uint32_t index)
{
    uint32_t slot = index % CPU_REUSE_SLOTS;
    if (b->reuse[slot].stamp == b->stamp && b->reuse[slot].index == index)
        return b->reuse[slot].vertex;
    uint32_t v = b->num_vertices++;
    b->index[v] = index;
    b->reuse[slot].stamp = b->stamp;
    b->reuse[slot].index = index;
    b->reuse[slot].vertex = v;
    return v;
}

/* Draws count vertices of a primitive mode; vertex i has index[i], or first + i if index is NULL. */
void cpu_assemble(struct cpu_batch *b, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count);

#endif
