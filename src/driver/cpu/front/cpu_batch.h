/* SPDX-License-Identifier: MIT */
/*
 * Vertex batches: primitives of one draw collected with the distinct vertices that they use, shaded
 * together, then clipped and set up in order.
 *
 * Small draws are processed by the caller into the scene's last segment. Large ones are divided into
 * ranges of their elements: each thread that works on the draw takes the next range, assembles it, and
 * fills a segment with it; the order of the segments is that of the ranges. Where only all that came
 * before tells where a primitive begins, the caller assembles, and every batch is a job with a segment
 * of its own. A draw returns when its ranges and batches are done.
 */
#ifndef CPU_BATCH_H
#define CPU_BATCH_H

#include <string.h>

#include "driver/cpu/front/cpu_front.h"
#include "driver/cpu/front/cpu_geometry.h"
#include "driver/cpu/front/cpu_stream_output.h"
#include "driver/cpu/front/cpu_tess.h"

#include "util/check.h"

#define CPU_BATCH_PRIMS 512
#define CPU_REUSE_SLOTS 1024
#define CPU_PRIM_MEMORY 512 /* of a scene's, that a primitive may take, with its place in bins */
#define CPU_BATCH_RING  6   /* batches in flight that the caller assembles */
#define CPU_BATCHES     32  /* threads at most that work on a draw's ranges, each with a batch */

struct cpu_context;

#define CPU_MAX_PRIM_VERTICES 6 /* a triangle and the vertices adjacent to it */

/* 8 bytes, which are also read and written as one word. */
struct cpu_batch_prim {
    uint8_t v[CPU_MAX_PRIM_VERTICES]; /* vertices of the batch */
    uint8_t provoking;
    uint8_t flags; /* of struct cpu_prim_info */
};

/* Index number i of `size` bytes, 1, 2 or 4. Indices lie at any address. */
static inline uint32_t cpu_index(const void *index, unsigned size, uint64_t i)
{
    const uint8_t *at = (const uint8_t *)index + i * size;
    uint32_t four;
    uint16_t two;
    switch (size) {
    case 1:
        return *at;
    case 2:
        memcpy(&two, at, sizeof two);
        return two;
    default:
        memcpy(&four, at, sizeof four);
        return four;
    }
}

/* Elements of a draw, in ranges that are assembled into one batch after the other. */
#define CPU_RANGE  1020 /* elements, at most; of separate triangles 4 full batches */
#define CPU_RANGES 3    /* that a thread takes at once, at most */
struct cpu_ranges {
    enum drv_primitive mode;
    uint32_t count;    /* elements */
    const void *index; /* of index_size bytes each; NULL: there are none */
    uint32_t index_size;
    uint32_t first;   /* the first element; with indices what is added to each */
    uint32_t step;    /* elements from one range to the next, CPU_RANGE at most */
    uint32_t overlap; /* of the next range's that one needs as well, 2 at most */
    uint32_t per_id;  /* elements from one primitive to the next */
};

/* How a draw's quads (not those of strips) become triangles. GL leaves that open; colors between the
 * corners follow from it. We do as llvmpipe does (docs/conformance.md). */
enum cpu_quads {
    CPU_QUADS_FIRST, /* along (v0, v2) */
    CPU_QUADS_OTHER, /* along (v1, v3) */
    CPU_QUADS_TURN /* along (v0, v2); along (v1, v3) all of a batch of which a vertex is outside of
                        the view volume: each CPU_BATCH_VERTICES of the draw begin a batch */
};

struct cpu_batch {
    struct cpu_front front;
    struct cpu_vs_args args;   /* all but out and index, of the streams that are */
    struct jit_function shade; /* NULL: vs->runner shades */
    const struct cpu_vs_variant *vs;
    const struct cpu_tess_draw *tess;   /* NULL: no tessellation */
    struct cpu_tess *tessellation;      /* memory for it, made when first used */
    const struct cpu_geometry_draw *gs; /* NULL: no geometry stage */
    struct cpu_geometry *geometry;      /* likewise */
    uint32_t vertices_per_prim;         /* of primitives that reach setup: 1, 2, 3 */
    enum cpu_quads quads;
    uint32_t primitive_id;        /* of the first primitive */
    uint64_t *generated;          /* atomic: += primitives that geometry stages emit, by stream */
    uint64_t *statistics;         /* atomic, by enum drv_statistic; NULL: nobody asks */
    bool discard;                 /* no primitive reaches setup */
    struct cpu_stream_output *so; /* NULL: no transform feedback */
    struct job_group group;       /* its job, while it is in flight */
    struct cpu_vertex_slab slab;  /* of the segments that its jobs fill in the scene of that id */
    uint64_t slab_scene;
    size_t *used; /* atomic: += bytes that its jobs take of the scene */
    uint32_t max_prims;
    bool counts_ids; /* every primitive is numbered, from primitive_id */

    float *positions; /* outputs, until it is known which vertices are needed */
    size_t positions_size;

    uint32_t num_vertices, num_prims;
    uint32_t ids;         /* primitives with CPU_PRIM_STEP */
    uint32_t range_prims; /* that batches of the ranges had */
    uint32_t index[CPU_BATCH_VERTICES + 16];
    uint32_t instance[CPU_BATCH_VERTICES + 16]; /* of each vertex, if instances share batches */
    union {
        struct cpu_batch_prim prim[CPU_BATCH_PRIMS + 8];
        /* Of tessellation: vertices of the batch, so many of each patch as it has. */
        uint8_t patch[CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES];
    };

    /* Which vertex of the batch has an index: valid where stamp is the batch's. */
    uint32_t stamp;
    struct {
        uint32_t stamp, index;
        uint32_t vertex;
    } reuse[CPU_REUSE_SLOTS];

    uint32_t element[CPU_RANGES * CPU_RANGE + 2]; /* of the ranges */
    uint32_t vector[CPU_BATCH_VERTICES]; /* those that are shaded for what was not culled */
    uint16_t seen[CPU_BATCH_PRIMS + 1];  /* of the primitives, see cpu_cull_triangles */

    uint32_t clip_code[CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    float window[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    cpu_snapped snapped[CPU_BATCH_VERTICES];
};

/* Where primitives are assembled: a batch, and what becomes of it when it is full. */
struct cpu_assembler {
    struct cpu_batch *batch;
    uint32_t input_vertices; /* of primitives that are assembled: 1, 2, 3; with adjacency 4, 6; of
                                patches 1 … 32 */
    uint32_t max_prims;      /* of a batch */
    void (*flush)(struct cpu_assembler *a);
};

/* A draw on its way into batches. One per context, allocated with its first draw. */
struct cpu_assembly {
    struct cpu_assembler to;              /* the batch that is being filled */
    struct cpu_batch *batch[CPU_BATCHES]; /* it is batch[at], of the first CPU_BATCH_RING; NULL: not
                                             allocated yet */
    unsigned at;
    bool parallel;

    /* What every batch of the draw starts with. */
    struct cpu_front front;
    struct cpu_vs_args args;
    uint32_t num_streams;      /* of args */
    struct jit_function shade; /* NULL: vs->runner shades */
    const struct cpu_vs_variant *vs;
    struct cpu_tess_draw tess;         /* tes NULL: no tessellation */
    struct cpu_geometry_draw geometry; /* variant NULL: no geometry stage */
    uint32_t vertices_per_prim;        /* that reach setup */
    enum cpu_quads quads;
    size_t batch_memory;   /* that a batch may take of the scene's, estimated */
    uint32_t primitive_id; /* of the next batch's first primitive */
    bool discard;          /* nothing would reach setup */
    bool instances_share;  /* batches hold vertices of several instances */
    uint32_t instance_vertices, instance_prims; /* of the batch before the instance that joins it */
    bool shades_always; /* vertices are shaded all the same: that writes memory, or is counted */
    struct cpu_stream_output *so; /* NULL: no transform feedback */

    uint64_t generated[DRV_MAX_VERTEX_STREAMS]; /* primitives, by stream */
    uint64_t *statistics; /* atomic, by enum drv_statistic; NULL: nobody asks */
    size_t scene_memory;  /* bytes in the scene's arenas when batches last were waited for */
    size_t launched; /* atomic: bytes that those which workers are done with have taken since */
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
/* Both: to go on with another batch of the draw whose assembler it is. */
void cpu_batch_flush(struct cpu_assembler *to);
/* Waits for batches in flight. */
void cpu_batch_wait(struct cpu_assembly *a);

/* Exchanges a full scene for a new one and brings the draw's state up to date (cpu_draw.c). */
void cpu_draw_exchange_scene(struct cpu_assembly *a);

/* Codes that put a primitive outside if all its vertices have one of them. */
#define CPU_REJECT_CODES (~(uint32_t)(CPU_CLIP_GUARD_BAND | CPU_CLIP_NAN))
/* Codes of a vertex that is outside of the view volume or a clip plane. */
#define CPU_OUTSIDE_CODES (CPU_REJECT_CODES & ~(0xffu * CPU_CLIP_CULL0))
/* Codes that demand clipping. */
#define CPU_CLIP_CODES                                                                             \
    (CPU_CLIP_NEAR | CPU_CLIP_FAR | CPU_CLIP_W | CPU_CLIP_GUARD_BAND | 0xffu * CPU_CLIP_USER0)

/* Finds the triangles that may be seen of a batch's (cpu_cull.c): their numbers, in order, and with
 * CPU_SEEN_CLIPPED those that must be clipped; there is room for count in `seen`. Returns how many.
 * prim may be read beyond, up to a multiple of 8. All are in the front's view. */
#define CPU_SEEN_CLIPPED 0x8000
unsigned cpu_cull_triangles(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                            unsigned count, unsigned vertices, uint16_t *seen);

/* Sets up triangles that need not be clipped (cpu_triangles.c), up to CPU_SETUP_TRIANGLES of those that
 * cpu_cull_triangles has left; there is room for so many in prim. id: the number of each. Only where
 * cpu_setup_fills: all are filled and in one layer. */
#define CPU_SETUP_TRIANGLES 8
bool cpu_setup_fills(const struct cpu_front *f);
void cpu_setup_triangles(struct cpu_front *f, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *prim[CPU_SETUP_TRIANGLES], const uint32_t *id,
                         unsigned count);

/* Adds to a statistic, if they are kept. */
static inline void cpu_count(uint64_t *statistics, enum drv_statistic what, uint64_t n)
{
    if (statistics)
        __atomic_add_fetch(&statistics[what], n, __ATOMIC_RELAXED);
}

/* Vertices that the last stage before rasterization left are there: what setup wants of them. */
static inline struct cpu_vertices cpu_batch_shaded(struct cpu_batch *b, const float *out,
                                                   unsigned count)
{
    if (b->vertices_per_prim == 3 && !b->discard)
        cpu_setup_snap(b->window[0], b->snapped, count);
    return (struct cpu_vertices){out, b->window[0], b->snapped};
}

/* Room for what the geometry stage reads. NULL: no memory, and the segment says so. */
float *cpu_batch_geometry_inputs(struct cpu_batch *b);

/* Captures primitives of them, and clips and sets them up. id: of each; NULL: they are numbered from
 * primitive_id. stream: of each; NULL: all are of the first. vertices: how many there are. */
void cpu_batch_hand_on(struct cpu_batch *b, const struct cpu_vertices *shaded, unsigned vertices,
                       const struct cpu_batch_prim *prim, const uint32_t *id, const uint8_t *stream,
                       unsigned count);

/* Makes room for n vertices and some primitives. */
static inline void cpu_batch_reserve(struct cpu_assembler *a, unsigned n, unsigned prims)
{
    if (unlikely(a->batch->num_vertices + n > CPU_BATCH_VERTICES ||
                 a->batch->num_prims + prims > a->max_prims))
        a->flush(a);
}

/* The batch's vertex for an index, added if it is new; room was reserved. */
static inline uint8_t cpu_batch_vertex(struct cpu_batch *b, uint32_t index)
{
    uint32_t slot = index % CPU_REUSE_SLOTS;
    if (b->reuse[slot].stamp == b->stamp && b->reuse[slot].index == index)
        return b->reuse[slot].vertex;
    DCHECK(b->num_vertices < CPU_BATCH_VERTICES);
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

/* Whether the draw's elements may be divided into ranges. */
bool cpu_batch_divides(const struct cpu_assembly *a);
/* Draws ranges with all threads, in scenes that may be several; nothing is collected. False: no memory. */
bool cpu_batch_ranges(struct cpu_assembly *a, const struct cpu_ranges *ranges);

/* How a mode's elements are divided: ranges may begin at multiples of 12 elements, and need the next
 * one's first `overlap`. False: they cannot be divided. */
bool cpu_assemble_divides(enum drv_primitive mode, uint32_t *overlap, uint32_t *per_id);

/* Draws count vertices of a primitive mode; vertex i has index[i], or first + i if index is NULL. */
void cpu_assemble(struct cpu_assembler *a, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count);

/* Of a shaded batch of CPU_QUADS_TURN. */
void cpu_assemble_turn_quads(struct cpu_batch *b);

#endif
