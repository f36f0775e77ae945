/* SPDX-License-Identifier: MIT */
/*
 * A batch is a number of primitives of one draw and the distinct vertices that they use. The
 * vertices of a batch are shaded together; then its primitives are clipped and set up in order.
 *
 * An element of a draw is one vertex reference: an index, or a vertex of a draw without indices.
 * The calling thread processes small draws into the scene's last segment. Large draws are divided
 * into ranges of elements. Each thread repeatedly takes the next range, assembles it and fills a
 * segment; the segments have the order of the ranges. With primitive restart, the start of a
 * primitive depends on all earlier elements, so the draw is not divided. Instead, the calling
 * thread assembles the primitives, and each batch is a job with its own segment. A draw returns
 * when all its ranges and batches are done.
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
#define CPU_REUSE_SLOTS 1024 /* slots of cpu_batch.reuse */
#define CPU_PRIM_MEMORY 512  /* estimated bytes of scene memory per primitive, including bins */
#define CPU_BATCH_RING  6    /* maximum number of batches in flight that the calling thread made */
#define CPU_BATCHES     32   /* maximum number of threads for a draw's ranges; each has a batch */

struct cpu_context;

#define CPU_MAX_PRIM_VERTICES 6 /* a triangle with adjacency */

/* A primitive of a batch. The code also accesses it as one 64-bit word. */
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
    uint32_t count;      /* elements */
    const void *index;   /* indices of index_size bytes; NULL: not indexed */
    uint32_t index_size; /* bytes: 1, 2 or 4 */
    uint32_t first;      /* the first element; for indexed draws, the value added to each index */
    uint32_t step;    /* elements from one range to the next: a multiple of 12, at most CPU_RANGE */
    uint32_t overlap; /* elements of the next range that a range also reads, at most 2 */
    uint32_t per_id;  /* elements from one gl_PrimitiveID to the next, e.g. 3 for triangles */
};

/* The diagonal along which the quads of a draw (except quad strips) are divided into triangles. GL
 * leaves it open, but it affects interpolated values. The choice follows llvmpipe
 * (docs/conformance.md). */
enum cpu_quads {
    CPU_QUADS_FIRST, /* from v0 to v2 */
    CPU_QUADS_OTHER, /* from v1 to v3 */
    /* From v0 to v2, but from v1 to v3 in batches with a vertex outside the view volume or a user
     * clip plane. Batches start at multiples of CPU_BATCH_VERTICES vertices of the draw. */
    CPU_QUADS_TURN,
};

struct cpu_batch {
    struct cpu_front front;
    struct watchdog_task *task; /* cpu_context.front_task; NULL: not watched, all calls are short */
    /* Arguments of vertex kernels. The counts, and the pointers to the batch's arrays and outputs,
     * are set before a kernel runs. Only the first cpu_assembly.num_streams streams are set. */
    struct cpu_vs_args args;
    struct jit_function shade; /* the vertex kernel; run is NULL if vs->runner replaces it */
    const struct cpu_vs_variant *vs;
    const struct cpu_tess_draw *tess;   /* NULL: no tessellation */
    struct cpu_tess *tessellation;      /* scratch memory of the stage, allocated on first use */
    const struct cpu_geometry_draw *gs; /* NULL: no geometry stage */
    struct cpu_geometry *geometry;      /* scratch memory of the stage, allocated on first use */
    uint32_t vertices_per_prim;         /* vertices of a primitive at setup: 1, 2 or 3 */
    enum cpu_quads quads;
    uint32_t primitive_id;        /* gl_PrimitiveID of the first primitive */
    uint64_t *generated;          /* atomic: number of primitives generated, per vertex stream */
    uint64_t *statistics;         /* atomic, indexed by enum drv_statistic; NULL: not counted */
    bool discard;                 /* no primitive reaches setup, e.g. GL_RASTERIZER_DISCARD */
    struct cpu_stream_output *so; /* NULL: no transform feedback */
    struct job_group group;       /* the batch's job while it is in flight */
    struct cpu_vertex_slab slab;  /* slab that the batch's jobs pass from segment to segment */
    uint64_t slab_scene;          /* cpu_scene.id of the scene that contains the slab */
    size_t *used;       /* atomic: jobs add the bytes of scene memory that they have used */
    uint32_t max_prims; /* maximum number of primitives of this batch */
    bool counts_ids;    /* each primitive's gl_PrimitiveID is that of the one before plus 1 */

    float *positions;      /* scratch memory for the outputs of the kernel cpu_vs_parts.positions */
    size_t positions_size; /* bytes */

    uint32_t num_vertices, num_prims; /* added so far; num_prims counts patches with tessellation */
    uint32_t ids;         /* number of primitives that increase gl_PrimitiveID (CPU_PRIM_STEP) */
    uint32_t range_prims; /* number of primitives in earlier batches of the current ranges */
    uint32_t index[CPU_BATCH_VERTICES + 16];    /* index (gl_VertexID) of each vertex */
    uint32_t instance[CPU_BATCH_VERTICES + 16]; /* per vertex; only if instances share batches */
    union {
        struct cpu_batch_prim prim[CPU_BATCH_PRIMS + 8];
        /* With tessellation: indices of the vertices of each patch, vertices_in per patch. */
        uint8_t patch[CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES];
    };

    /* Hash table from indices to vertices of the batch. A slot is valid if its stamp equals that of
     * the batch, so a new stamp empties the table. */
    uint32_t stamp;
    struct {
        uint32_t stamp, index;
        uint32_t vertex;
    } reuse[CPU_REUSE_SLOTS];

    uint32_t element[CPU_RANGES * CPU_RANGE + 2]; /* indices of the elements of the ranges */
    uint32_t vector[CPU_BATCH_VERTICES];          /* cpu_vs_args.vector */
    uint16_t visible[CPU_BATCH_PRIMS + 1];        /* the result of cpu_cull_triangles() */

    /* Results of the last vertex-processing stage: as in struct cpu_vs_args and cpu_vertices. */
    uint32_t clip_code[CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    float window[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    cpu_snapped snapped[CPU_BATCH_VERTICES];
};

/* Where primitive assembly (cpu_assemble()) puts vertices and primitives. */
struct cpu_assembler {
    struct cpu_batch *batch; /* the batch to which vertices and primitives are added */
    /* Vertices of an assembled primitive: 1 to 3, 4 or 6 with adjacency, or 1 to 32 in a patch. */
    uint32_t input_vertices;
    bool feeds_geometry; /* a geometry shader reads the primitives */
    uint32_t max_prims;  /* maximum number of primitives of a batch */
    /* Processes the batch, which is full, and makes `batch` an empty one. */
    void (*flush)(struct cpu_assembler *a);
};

/* State of a draw while it is divided into batches. One per context, allocated with its
 * first draw. */
struct cpu_assembly {
    struct cpu_assembler to; /* fills batch[at] */
    /* Batches, allocated on first use. The first CPU_BATCH_RING are a ring of batches that the
     * calling thread assembles. */
    struct cpu_batch *batch[CPU_BATCHES];
    unsigned at;    /* index of the current batch in the ring */
    bool parallel;  /* batches are processed as jobs on workers */
    bool submitted; /* a batch was submitted to workers after the last cpu_batch_wait() */

    /* Initial state of every batch of the draw. */
    struct cpu_front front;
    struct watchdog_task *task; /* as in struct cpu_batch */
    struct cpu_vs_args args;
    uint32_t num_streams;      /* streams set in args */
    struct jit_function shade; /* vertex kernel; run is NULL if vs->runner replaces it */
    const struct cpu_vs_variant *vs;
    struct cpu_tess_draw tess;         /* tes is NULL without tessellation */
    struct cpu_geometry_draw geometry; /* variant is NULL without a geometry stage */
    uint32_t vertices_per_prim;        /* vertices of a primitive at setup: 1, 2 or 3 */
    enum cpu_quads quads;
    size_t batch_memory;   /* estimated bytes of scene memory that a batch uses */
    uint32_t primitive_id; /* gl_PrimitiveID of the next batch's first primitive */
    bool discard;          /* no primitive reaches setup */
    bool instances_share;  /* a batch may hold vertices of several instances */
    /* Values of num_vertices and num_prims when cpu_batch_begin_instance() was called. */
    uint32_t instance_vertices, instance_prims;
    bool must_shade; /* all vertices are shaded, because shaders write memory or are counted */
    struct cpu_stream_output *so; /* NULL: no transform feedback */

    uint64_t generated[DRV_MAX_VERTEX_STREAMS]; /* what cpu_batch.generated points to */
    uint64_t *statistics; /* atomic, indexed by enum drv_statistic; NULL: not counted */
    size_t scene_memory;  /* bytes in the scene's arenas when last counted, with no job running */
    size_t launched;      /* atomic: bytes that jobs have used since scene_memory was counted */
    struct cpu_context *ctx;
    struct cpu_view view[DRV_MAX_VIEWPORTS]; /* set if shaders select the viewport */
    uint8_t kind;                            /* enum cpu_kind */
};

/* Creates the assembly of a context. Returns NULL if out of memory. */
struct cpu_assembly *cpu_assembly_create(struct cpu_context *ctx);
/* Frees the assembly and its batches; NULL does nothing. */
void cpu_assembly_destroy(struct cpu_assembly *a);

/* Starts an empty batch with the draw's current state and stores it in a->to.batch. May wait for a
 * batch in flight. Stores NULL if out of memory for the context's first batch; later calls don't
 * fail. */
void cpu_batch_start(struct cpu_assembly *a);
/* Adds the current batch's primitives to the counters of queries, and processes the batch or
 * submits it as a job. Only counts them if the draw was stopped or has no scene, or if it is
 * discarded before rasterization and nothing else observes the vertices. Does nothing if the batch
 * is empty. May replace the scene (cpu_draw_exchange_scene()). Call cpu_batch_start() before adding
 * more vertices. */
void cpu_batch_finish(struct cpu_assembly *a);
/* cpu_assembler.flush of a struct cpu_assembly: finishes the batch and starts the next one. */
void cpu_batch_flush(struct cpu_assembler *to);
/* Waits for all batches in flight. */
void cpu_batch_wait(struct cpu_assembly *a);

/* Submits the scene in the middle of a draw, starts a new one and updates the assembly's state for
 * it (cpu_draw.c). No batch may be in flight. When out of memory, sets a->front.scene to NULL; the
 * rest of the draw is then dropped. */
void cpu_draw_exchange_scene(struct cpu_assembly *a);

/* Bits of clip codes (enum cpu_clip_bit). A primitive is rejected if all its vertices have one of
 * these bits in common. */
#define CPU_REJECT_CODES (~(uint32_t)(CPU_CLIP_GUARD_BAND | CPU_CLIP_NAN))
/* Bits of a vertex that is outside the view volume or a user clip plane. */
#define CPU_OUTSIDE_CODES (CPU_REJECT_CODES & ~(0xffu * CPU_CLIP_CULL0))
/* Bits that require clipping. */
#define CPU_CLIP_CODES                                                                             \
    (CPU_CLIP_NEAR | CPU_CLIP_FAR | CPU_CLIP_W | CPU_CLIP_GUARD_BAND | 0xffu * CPU_CLIP_USER0)

/* Culls `count` triangles of a batch with `vertices` vertices (cpu_cull.c). Stores the indices in
 * prim[] of the triangles that may be visible, in order, in visible[], which must have room for
 * `count`. Adds CPU_VISIBLE_CLIPPED to the index of a triangle that must be clipped. Returns the
 * number of stored indices. prim[] must be readable up to the next multiple of 8 elements. All
 * triangles use the viewport b->front.view. */
#define CPU_VISIBLE_CLIPPED 0x8000
unsigned cpu_cull_triangles(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                            unsigned count, unsigned vertices, uint16_t *visible);

#define CPU_SETUP_TRIANGLES 8 /* maximum number of triangles per call of cpu_setup_triangles() */
/* Returns whether cpu_setup_triangles() supports the draw: polygons must be filled and all in the
 * same layer, and the draw needs neither conservative rasterization nor barycentric coordinates. */
bool cpu_setup_fills(const struct cpu_front *f);
/* Sets up and bins `count` triangles, at most CPU_SETUP_TRIANGLES, that cpu_cull_triangles() did
 * not cull and that need no clipping (cpu_triangles.c). id[] has the gl_PrimitiveID of each.
 * Overwrites the elements of prim[] from `count` on. */
void cpu_setup_triangles(struct cpu_front *f, const struct cpu_vertices *vertices,
                         const struct cpu_batch_prim *prim[CPU_SETUP_TRIANGLES], const uint32_t *id,
                         unsigned count);

/* Adds n to a statistic, unless statistics is NULL. */
static inline void cpu_count(uint64_t *statistics, enum drv_statistic what, uint64_t n)
{
    if (statistics)
        __atomic_add_fetch(&statistics[what], n, __ATOMIC_RELAXED);
}

/* Returns the shaded vertices of a batch in the form that setup reads. Snaps their positions if the
 * batch has triangles. out: outputs of the last stage. */
static inline struct cpu_vertices cpu_batch_shaded(struct cpu_batch *b, const float *out,
                                                   unsigned count)
{
    if (b->vertices_per_prim == 3 && !b->discard)
        cpu_setup_snap(b->window[0], b->snapped, count);
    return (struct cpu_vertices){out, b->window[0], b->snapped};
}

/* Returns memory for the inputs of the geometry stage, which b->geometry owns. The next call
 * overwrites it. When out of memory, returns NULL and sets out_of_memory in the segment. */
float *cpu_batch_geometry_inputs(struct cpu_batch *b);

/* Processes `count` primitives after the last vertex-processing stage: captures them for transform
 * feedback, then clips, sets up and bins them. `vertices` is the number of shaded vertices. id[]
 * has the gl_PrimitiveID of each primitive; if NULL, they are numbered from primitive_id. stream[]
 * has the vertex stream of each primitive; if NULL, all are in stream 0. `count` is at most
 * CPU_BATCH_PRIMS, and prim[] must be readable up to the next multiple of 8 elements. When out of
 * memory, drops primitives and sets out_of_memory in the segment. */
void cpu_batch_emit(struct cpu_batch *b, const struct cpu_vertices *shaded, unsigned vertices,
                    const struct cpu_batch_prim *prim, const uint32_t *id, const uint8_t *stream,
                    unsigned count);

/* Makes sure that the batch has room for n more vertices and `prims` more primitives. If necessary,
 * flushes it; a->batch may then be another one, and indices of vertices are no longer valid. */
static inline void cpu_batch_reserve(struct cpu_assembler *a, unsigned n, unsigned prims)
{
    if (unlikely(a->batch->num_vertices + n > CPU_BATCH_VERTICES ||
                 a->batch->num_prims + prims > a->max_prims))
        a->flush(a);
}

/* Returns the index in the batch of the vertex with that index (gl_VertexID). Adds the vertex if
 * the batch doesn't contain it; the caller must have called cpu_batch_reserve(). */
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

#define CPU_SHARED_INSTANCE 64 /* maximum number of elements of an instance that shares a batch */
/* Starts an instance in the current batch. It has at most `count` elements; `count` is at most
 * CPU_SHARED_INSTANCE. Flushes the batch first if they don't fit. The instance doesn't reuse the
 * vertices of earlier ones. */
void cpu_batch_begin_instance(struct cpu_assembly *a, uint32_t count);
/* Ends the instance, which has the number `instance`. Stores the number for the vertices that were
 * added since cpu_batch_begin_instance(), and makes gl_PrimitiveID restart at 0 at the first
 * primitive that was added since. */
void cpu_batch_end_instance(struct cpu_assembly *a, uint32_t instance);

/* Returns whether the state of the draw permits dividing its elements into ranges. */
bool cpu_batch_divides(const struct cpu_assembly *a);
/* Draws the ranges with all threads, into one or more scenes, and starts a new batch. Waits for
 * batches in flight first. The current batch must be empty. Leaves out ranges if the draw is
 * stopped or a new scene cannot be created (cpu_draw_exchange_scene()). Returns false if out of
 * memory for batches or segments; ranges may then be missing, too. */
bool cpu_batch_ranges(struct cpu_assembly *a, const struct cpu_ranges *ranges);

/* Returns whether the elements of a primitive mode can be divided into ranges that start at
 * multiples of 12 elements. Stores cpu_ranges.overlap and cpu_ranges.per_id of the mode, or zeros
 * if they can't. */
bool cpu_assemble_divides(enum drv_primitive mode, uint32_t *overlap, uint32_t *per_id);

/* Assembles `count` vertices of a primitive mode, and counts them as submitted in the statistics.
 * Vertex i has index[i], or first + i if index is NULL. Ignores an incomplete primitive at the end.
 * Flushes full batches, but not the last one. */
void cpu_assemble(struct cpu_assembler *a, enum drv_primitive mode, const uint32_t *index,
                  uint32_t first, uint32_t count);

/* Divides all quads of a shaded batch along the other diagonal if a vertex of the batch is outside
 * the view volume or a user clip plane. For batches with CPU_QUADS_TURN. */
void cpu_assemble_turn_quads(struct cpu_batch *b);

#endif
