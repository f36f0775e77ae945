/* SPDX-License-Identifier: MIT */
/*
 * Vertex batches: primitives of one draw and the distinct vertices that they use. The vertices of a
 * batch are shaded together; then its primitives are clipped and set up in order.
 *
 * The calling thread processes small draws into the scene's last segment. Large draws are divided
 * into ranges of elements. Each thread takes the next range, assembles it and fills a segment; the
 * segments have the order of the ranges. If the start of a primitive depends on all earlier
 * elements (primitive restart), the calling thread assembles, and each batch is a job with its own
 * segment. A draw returns when all its ranges and batches are done.
 */
#ifndef CPU_BATCH_H
#define CPU_BATCH_H

#include <string.h>

#include "driver/cpu/front/cpu_front.h"
#include "driver/cpu/front/cpu_geometry.h"
#include "driver/cpu/front/cpu_stream_output.h"
#include "driver/cpu/front/cpu_tess.h"

#include "util/check.h"

#define CPU_BATCH_PRIMS 512  /* maximum number of primitives of a batch */
#define CPU_REUSE_SLOTS 1024 /* slots of the cache that finds vertices by index */
#define CPU_PRIM_MEMORY 512  /* estimated bytes of scene memory per primitive, including bins */
#define CPU_BATCH_RING  6    /* maximum number of batches in flight that the caller assembled */
#define CPU_BATCHES     32   /* maximum number of threads on a draw's ranges, each with a batch */

struct cpu_context;

#define CPU_MAX_PRIM_VERTICES 6 /* a triangle with adjacency */

/* A primitive of a batch: 8 bytes, which are also accessed as one word. */
struct cpu_batch_prim {
    uint8_t v[CPU_MAX_PRIM_VERTICES]; /* indices of vertices in the batch */
    uint8_t provoking;                /* index of the provoking vertex in the batch */
    uint8_t flags;                    /* cpu_prim_info.flags */
};

/* Returns element i of an array of indices of `size` bytes (1, 2 or 4), which may be unaligned. */
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

#define CPU_RANGE  1020 /* maximum number of elements of a range: 4 full batches of triangles */
#define CPU_RANGES 3    /* maximum number of ranges that a thread takes at once */

/* The elements of a draw, divided into ranges. */
struct cpu_ranges {
    enum drv_primitive mode;
    uint32_t count;    /* elements */
    const void *index; /* indices of index_size bytes; NULL: not indexed */
    uint32_t index_size;
    uint32_t first;   /* the first element; for indexed draws, the value added to each index */
    uint32_t step;    /* elements from one range to the next, at most CPU_RANGE */
    uint32_t overlap; /* elements of the next range that a range also needs, at most 2 */
    uint32_t per_id;  /* elements from one primitive to the next */
};

/* How the quads of a draw (except quad strips) are divided into triangles, which affects
 * interpolated colors. GL leaves it open; this follows llvmpipe (docs/conformance.md). */
enum cpu_quads {
    CPU_QUADS_FIRST, /* along (v0, v2) */
    CPU_QUADS_OTHER, /* along (v1, v3) */
    /* Along (v0, v2), but along (v1, v3) in batches that have a vertex outside the view volume.
     * Batches start at multiples of CPU_BATCH_VERTICES vertices of the draw. */
    CPU_QUADS_TURN,
};

struct cpu_batch {
    struct cpu_front front;
    struct cpu_vs_args args;   /* without out and index; only the streams that exist are set */
    struct jit_function shade; /* run is NULL if vs->runner shades */
    const struct cpu_vs_variant *vs;
    const struct cpu_tess_draw *tess;   /* NULL: no tessellation */
    struct cpu_tess *tessellation;      /* memory of the stage, allocated on first use */
    const struct cpu_geometry_draw *gs; /* NULL: no geometry stage */
    struct cpu_geometry *geometry;      /* memory of the stage, allocated on first use */
    uint32_t vertices_per_prim;         /* vertices of a primitive at setup: 1, 2 or 3 */
    enum cpu_quads quads;
    uint32_t primitive_id;        /* gl_PrimitiveID of the first primitive */
    uint64_t *generated;          /* atomic: primitives that geometry stages emit, per stream */
    uint64_t *statistics;         /* atomic, indexed by enum drv_statistic; NULL: not counted */
    bool discard;                 /* no primitive reaches setup */
    struct cpu_stream_output *so; /* NULL: no transform feedback */
    struct job_group group;       /* the batch's job while it is in flight */
    struct cpu_vertex_slab slab;  /* of the segments that its jobs fill in the scene slab_scene */
    uint64_t slab_scene;
    size_t *used; /* atomic: bytes of scene memory that its jobs have used */
    uint32_t max_prims;
    bool counts_ids; /* primitives are numbered consecutively from primitive_id */

    float *positions; /* outputs of the positions kernel, before the needed vertices are known */
    size_t positions_size;

    uint32_t num_vertices, num_prims;
    uint32_t ids;         /* number of primitives with CPU_PRIM_STEP */
    uint32_t range_prims; /* number of primitives in earlier batches of the ranges */
    uint32_t index[CPU_BATCH_VERTICES + 16];
    uint32_t instance[CPU_BATCH_VERTICES + 16]; /* per vertex, if instances share batches */
    union {
        struct cpu_batch_prim prim[CPU_BATCH_PRIMS + 8];
        /* With tessellation: indices of the vertices of each patch, vertices_in per patch. */
        uint8_t patch[CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES];
    };

    /* Cache that finds the vertex with an index. A slot is valid if its stamp equals the batch's.
     * */
    uint32_t stamp;
    struct {
        uint32_t stamp, index;
        uint32_t vertex;
    } reuse[CPU_REUSE_SLOTS];

    uint32_t element[CPU_RANGES * CPU_RANGE + 2]; /* indices of the ranges */
    uint32_t vector[CPU_BATCH_VERTICES];          /* first vertices of the vectors to shade */
    uint16_t visible[CPU_BATCH_PRIMS + 1];        /* the result of cpu_cull_triangles() */

    uint32_t clip_code[CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    float window[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    cpu_snapped snapped[CPU_BATCH_VERTICES];
};

/* Target of primitive assembly. */
struct cpu_assembler {
    struct cpu_batch *batch;
    /* Vertices of an assembled primitive: 1 to 3, with adjacency 4 or 6, for patches 1 to 32. */
    uint32_t input_vertices;
    uint32_t max_prims; /* maximum number of primitives of a batch */
    /* Processes the full batch and starts another. */
    void (*flush)(struct cpu_assembler *a);
};

/* State of a draw while it is divided into batches. One per context, allocated with its first draw.
 * */
struct cpu_assembly {
    struct cpu_assembler to; /* the batch that is being filled: batch[at] */
    /* Allocated on first use. The first CPU_BATCH_RING are a ring of batches in flight. */
    struct cpu_batch *batch[CPU_BATCHES];
    unsigned at;
    bool parallel;

    /* Initial state of every batch of the draw. */
    struct cpu_front front;
    struct cpu_vs_args args;
    uint32_t num_streams;      /* streams set in args */
    struct jit_function shade; /* run is NULL if vs->runner shades */
    const struct cpu_vs_variant *vs;
    struct cpu_tess_draw tess;         /* tes is NULL without tessellation */
    struct cpu_geometry_draw geometry; /* variant is NULL without a geometry stage */
    uint32_t vertices_per_prim;        /* vertices of a primitive at setup: 1, 2 or 3 */
    enum cpu_quads quads;
    size_t batch_memory;   /* estimated bytes of scene memory of a batch */
    uint32_t primitive_id; /* gl_PrimitiveID of the next batch's first primitive */
    bool discard;          /* no primitive reaches setup */
    bool instances_share;  /* batches hold vertices of several instances */
    /* Vertices and primitives of the batch before the instance that is being added. */
    uint32_t instance_vertices, instance_prims;
    bool must_shade; /* all vertices are shaded, because shaders write memory or are counted */
    struct cpu_stream_output *so; /* NULL: no transform feedback */

    uint64_t generated[DRV_MAX_VERTEX_STREAMS]; /* primitives per stream */
    uint64_t *statistics; /* atomic, indexed by enum drv_statistic; NULL: not counted */
    size_t scene_memory;  /* bytes in the scene's arenas at the last cpu_batch_wait() */
    size_t launched;      /* atomic: bytes that finished batches have used since */
    struct cpu_context *ctx;
    struct cpu_view view[DRV_MAX_VIEWPORTS]; /* viewports, if shaders select one */
    uint8_t kind;                            /* enum cpu_kind */
};

/* Returns NULL if memory is short. */
struct cpu_assembly *cpu_assembly_create(struct cpu_context *ctx);
/* NULL does nothing. */
void cpu_assembly_destroy(struct cpu_assembly *a);

/* Starts a batch with the draw's current state. */
void cpu_batch_start(struct cpu_assembly *a);
/* Processes the batch, or submits it to a worker. The next batch must be started before more
 * vertices are added. */
void cpu_batch_finish(struct cpu_assembly *a);
/* Finishes the batch and starts another one of the same draw. */
void cpu_batch_flush(struct cpu_assembler *to);
/* Waits for all batches in flight. */
void cpu_batch_wait(struct cpu_assembly *a);

/* Submits a full scene, starts a new one and updates the draw's state (cpu_draw.c). */
void cpu_draw_exchange_scene(struct cpu_assembly *a);

/* A primitive is rejected if all its vertices share one of these codes. */
#define CPU_REJECT_CODES (~(uint32_t)(CPU_CLIP_GUARD_BAND | CPU_CLIP_NAN))
/* Codes of a vertex outside the view volume or a clip plane. */
#define CPU_OUTSIDE_CODES (CPU_REJECT_CODES & ~(0xffu * CPU_CLIP_CULL0))
/* Codes that require clipping. */
#define CPU_CLIP_CODES                                                                             \
    (CPU_CLIP_NEAR | CPU_CLIP_FAR | CPU_CLIP_W | CPU_CLIP_GUARD_BAND | 0xffu * CPU_CLIP_USER0)

/* Culls the triangles of a batch (cpu_cull.c). Stores the indices of the triangles that may be
 * visible, in order, in visible[], which has `count` elements; CPU_VISIBLE_CLIPPED is added to
 * those that must be clipped. Returns their number. May read prim[] up to a multiple of 8. All
 * triangles use the front end's current view. */
#define CPU_VISIBLE_CLIPPED 0x8000
unsigned cpu_cull_triangles(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                            unsigned count, unsigned vertices, uint16_t *visible);

#define CPU_SETUP_TRIANGLES 8
/* Returns whether cpu_setup_triangles() supports the draw: polygons are filled and in one layer. */
bool cpu_setup_fills(const struct cpu_front *f);
/* Sets up `count` triangles, at most CPU_SETUP_TRIANGLES, that cpu_cull_triangles() has left and
 * that need no clipping (cpu_triangles.c). id[] has the gl_PrimitiveID of each. */
void cpu_setup_triangles(struct cpu_front *f, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *prim[CPU_SETUP_TRIANGLES], const uint32_t *id,
                         unsigned count);

/* Adds n to a statistic, unless statistics is NULL. */
static inline void cpu_count(uint64_t *statistics, enum drv_statistic what, uint64_t n)
{
    if (statistics)
        __atomic_add_fetch(&statistics[what], n, __ATOMIC_RELAXED);
}

/* Returns the shaded vertices in the form that setup reads; snaps their positions if setup needs
 * it. */
static inline struct cpu_vertices cpu_batch_shaded(struct cpu_batch *b, const float *out,
                                                   unsigned count)
{
    if (b->vertices_per_prim == 3 && !b->discard)
        cpu_setup_snap(b->window[0], b->snapped, count);
    return (struct cpu_vertices){out, b->window[0], b->snapped};
}

/* Returns memory for the inputs of the geometry stage. On failure, returns NULL and sets the
 * segment's out_of_memory. */
float *cpu_batch_geometry_inputs(struct cpu_batch *b);

/* Captures the primitives for transform feedback, then clips and sets them up. `vertices` is the
 * number of shaded vertices. id[] has the gl_PrimitiveID of each primitive; NULL: they are numbered
 * from primitive_id. stream[] has the vertex stream of each; NULL: stream 0. */
void cpu_batch_emit(struct cpu_batch *b, const struct cpu_vertices *shaded, unsigned vertices,
                    const struct cpu_batch_prim *prim, const uint32_t *id, const uint8_t *stream,
                    unsigned count);

/* Makes sure that n vertices and `prims` primitives fit in the batch; flushes it if necessary. */
static inline void cpu_batch_reserve(struct cpu_assembler *a, unsigned n, unsigned prims)
{
    if (unlikely(a->batch->num_vertices + n > CPU_BATCH_VERTICES ||
                 a->batch->num_prims + prims > a->max_prims))
        a->flush(a);
}

/* Returns the batch's vertex with that index, and adds it if it is new. Its space must be reserved.
 * */
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

#define CPU_SHARED_INSTANCE 64
/* Starts an instance of `count` vertices, at most CPU_SHARED_INSTANCE, in the current batch. */
void cpu_batch_begin_instance(struct cpu_assembly *a, uint32_t count);
/* Ends the instance; its vertices and primitives are the last of the batch. */
void cpu_batch_end_instance(struct cpu_assembly *a, uint32_t instance);

/* Returns whether the draw's elements may be divided into ranges. */
bool cpu_batch_divides(const struct cpu_assembly *a);
/* Draws the ranges with all threads, into one or more scenes. The batch must be empty. Returns
 * false if memory is short. */
bool cpu_batch_ranges(struct cpu_assembly *a, const struct cpu_ranges *ranges);

/* Returns whether the elements of a primitive mode can be divided into ranges. Ranges start at
 * multiples of 12 elements and also need the first `overlap` elements of the next range. */
bool cpu_assemble_divides(enum drv_primitive mode, uint32_t *overlap, uint32_t *per_id);

/* Assembles `count` vertices of a primitive mode. Vertex i has index[i], or first + i if index is
 * NULL. */
void cpu_assemble(struct cpu_assembler *a, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count);

/* Divides the quads of a shaded CPU_QUADS_TURN batch the other way if a vertex is outside the view
 * volume. */
void cpu_assemble_turn_quads(struct cpu_batch *b);

#endif
