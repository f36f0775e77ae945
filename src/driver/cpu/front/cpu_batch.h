/* SPDX-License-Identifier: MIT */
/*
 * Vertex batches: primitives of one draw collected with the distinct vertices that they use, shaded
 * together, then clipped and set up in order.
 *
 * Small draws are processed by the caller into the scene's last segment. Of large ones every batch
 * gets a segment of its own and is a job for the workers, while the caller assembles the next; the
 * order of the segments is the order of the batches. A draw returns when its batches are done.
 */
#ifndef CPU_BATCH_H
#define CPU_BATCH_H

#include "driver/cpu/front/cpu_front.h"
#include "driver/cpu/front/cpu_geometry.h"
#include "driver/cpu/front/cpu_stream_output.h"
#include "driver/cpu/front/cpu_tess.h"

#define CPU_BATCH_PRIMS 512
#define CPU_REUSE_SLOTS 1024
#define CPU_BATCH_RING  6 /* batches in flight */

struct cpu_context;

#define CPU_MAX_PRIM_VERTICES 6 /* a triangle and the vertices adjacent to it */

struct cpu_batch_prim {
    uint8_t v[CPU_MAX_PRIM_VERTICES]; /* vertices of the batch */
    uint8_t provoking;
    uint8_t flags; /* of struct cpu_prim_info */
};

struct cpu_batch {
    struct cpu_front front;
    struct cpu_vs_args args;                /* all but out and index, of the streams that are */
    void (*shade)(const void *const *args); /* NULL: vs->runner shades */
    const struct cpu_vs_variant *vs;
    const struct cpu_tess_draw *tess;   /* NULL: no tessellation */
    struct cpu_tess *tessellation;      /* memory for it, made when first used */
    const struct cpu_geometry_draw *gs; /* NULL: no geometry stage */
    struct cpu_geometry *geometry;      /* likewise */
    uint32_t vertices_per_prim;         /* of primitives that reach setup: 1, 2, 3 */
    uint32_t primitive_id;              /* of the first primitive */
    uint64_t *generated;          /* atomic: += primitives that geometry stages emit, by stream */
    uint64_t *statistics;         /* atomic, by enum drv_statistic; NULL: nobody asks */
    bool discard;                 /* no primitive reaches setup */
    struct cpu_stream_output *so; /* NULL: no transform feedback */
    struct job_group group;       /* its job, while it is in flight */
    struct cpu_segment *own;      /* that it filled last, in this draw and scene; NULL: none */

    uint32_t num_vertices, num_prims;
    uint32_t ids; /* primitives with CPU_PRIM_STEP */
    uint32_t index[CPU_BATCH_VERTICES + 16];
    uint32_t instance[CPU_BATCH_VERTICES + 16]; /* of each vertex, if instances share batches */
    union {
        struct cpu_batch_prim prim[CPU_BATCH_PRIMS];
        /* Of tessellation: vertices of the batch, so many of each patch as it has. */
        uint8_t patch[CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES];
    };

    /* Which vertex of the batch has an index: valid where stamp is the batch's. */
    uint32_t stamp;
    struct {
        uint32_t stamp, index;
        uint32_t vertex;
    } reuse[CPU_REUSE_SLOTS];

    uint32_t clip_code[CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    float window[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    cpu_snapped snapped[CPU_BATCH_VERTICES];
};

/* A draw on its way into batches. One per context, allocated with its first draw. */
struct cpu_assembly {
    struct cpu_batch *batch;                /* that is being filled */
    struct cpu_batch *ring[CPU_BATCH_RING]; /* batch is ring[at]; NULL: not allocated yet */
    unsigned at;
    bool parallel;

    /* What every batch of the draw starts with. */
    struct cpu_front front;
    struct cpu_vs_args args;
    uint32_t num_streams;                   /* of args */
    void (*shade)(const void *const *args); /* NULL: vs->runner shades */
    const struct cpu_vs_variant *vs;
    struct cpu_tess_draw tess;         /* tes NULL: no tessellation */
    struct cpu_geometry_draw geometry; /* variant NULL: no geometry stage */
    uint32_t vertices_per_prim;        /* that reach setup */
    uint32_t input_vertices; /* of primitives that are assembled: 1, 2, 3; with adjacency 4, 6; of
                                patches 1 … 32 */
    uint32_t max_prims;      /* of a batch */
    size_t batch_memory;     /* that a batch may take of the scene's, estimated */
    uint32_t primitive_id;   /* of the next batch's first primitive */
    bool discard;            /* nothing would reach setup */
    bool instances_share;    /* batches hold vertices of several instances */
    uint32_t instance_vertices, instance_prims; /* of the batch before the instance that joins it */
    bool shades_always; /* vertices are shaded all the same: that writes memory, or is counted */
    struct cpu_stream_output *so; /* NULL: no transform feedback */

    uint64_t generated[DRV_MAX_VERTEX_STREAMS]; /* primitives, by stream */
    uint64_t *statistics; /* atomic, by enum drv_statistic; NULL: nobody asks */
    size_t scene_memory;  /* at most so many bytes are in the scene's arenas */
    struct cpu_context *ctx;
    struct cpu_view view[DRV_MAX_VIEWPORTS]; /* what shaders may choose from, if they do */
    uint8_t kind;                            /* enum cpu_kind */
};

/* NULL: no memory. */
struct cpu_assembly *cpu_assembly_create(struct cpu_context *ctx);
void cpu_assembly_destroy(struct cpu_assembly *a); /* NULL is fine */

/* Starts a batch with the draw's state as it now is. */
void cpu_batch_start(struct cpu_assembly *a);
/* Processes what was collected, or has it processed. The batch is to be started before more comes. */
void cpu_batch_finish(struct cpu_assembly *a);
/* Both: to go on with another batch. */
void cpu_batch_flush(struct cpu_assembly *a);
/* Waits for batches in flight. */
void cpu_batch_wait(struct cpu_assembly *a);

/* Exchanges a full scene for a new one and brings the draw's state up to date (cpu_draw.c). */
void cpu_draw_exchange_scene(struct cpu_assembly *a);

/* Clips and sets up a primitive of shaded vertices. */
void cpu_batch_primitive(struct cpu_batch *b, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *p, uint32_t primitive_id);

/* Adds to a statistic, if they are kept. */
static inline void cpu_count(uint64_t *statistics, enum drv_statistic what, uint64_t n)
{
    if (statistics)
        __atomic_add_fetch(&statistics[what], n, __ATOMIC_RELAXED);
}

/* What clipping gets and lets through, of a primitive. */
void cpu_batch_count_clipping(struct cpu_batch *b, const struct cpu_batch_prim *p);

/* Vertices that the last stage before rasterization left are there: what setup wants of them. */
static inline struct cpu_vertices cpu_batch_shaded(struct cpu_batch *b, const float *out,
                                                   unsigned count)
{
    if (b->vertices_per_prim == 3 && !b->discard)
        cpu_setup_snap(&b->front, b->window[0], b->snapped, count);
    return (struct cpu_vertices){out, b->window[0], b->snapped};
}

/* Room for what the geometry stage reads. NULL: no memory, and the segment says so. */
float *cpu_batch_geometry_inputs(struct cpu_batch *b);

/* Captures a primitive of them, on a vertex stream, and clips and sets it up. */
static inline void cpu_batch_hand_on(struct cpu_batch *b, const struct cpu_vertices *vertices,
                                     const struct cpu_batch_prim *p, uint32_t id, unsigned stream)
{
    if (b->so)
        cpu_stream_output_prim(b->so, vertices->out, p, b->vertices_per_prim, stream);
    if (b->discard || stream != 0)
        return;
    if (unlikely(b->statistics))
        cpu_batch_count_clipping(b, p);
    cpu_batch_primitive(b, vertices, p, id);
}

/* Makes room for n vertices and some primitives. */
static inline void cpu_batch_reserve(struct cpu_assembly *a, unsigned n, unsigned prims)
{
    if (unlikely(a->batch->num_vertices + n > CPU_BATCH_VERTICES ||
                 a->batch->num_prims + prims > a->max_prims))
        cpu_batch_flush(a);
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

/* Before an instance of so many vertices, CPU_SHARED_INSTANCE at most, joins those of the batch. */
#define CPU_SHARED_INSTANCE 64
void cpu_batch_begin_instance(struct cpu_assembly *a, uint32_t count);
/* It is assembled: its vertices and primitives are the batch's last. */
void cpu_batch_end_instance(struct cpu_assembly *a, uint32_t instance);

/* Draws count vertices of a primitive mode; vertex i has index[i], or first + i if index is NULL. */
void cpu_assemble(struct cpu_assembly *a, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count);

#endif
