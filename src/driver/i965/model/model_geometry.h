/* SPDX-License-Identifier: MIT */
/*
 * The stages from vertex fetch to the clipper. Vertices are VUEs in the URB. Handles are offsets in
 * the URB in units of 64 bytes, as in the payloads of threads. The pixel half (model_pixel.h)
 * doesn't use this header.
 */
#ifndef MODEL_GEOMETRY_H
#define MODEL_GEOMETRY_H

#include "driver/cpu/front/cpu_tessellator.h"
#include "model_command.h"
#include "model_pixel.h"

/* Size of the URB. Every 16-bit handle is inside of it. */
#define MODEL_URB_BYTES (65536u * 64)
/* First handle of each stage's part of the URB. */
#define MODEL_URB_VS 0u
#define MODEL_URB_HS 24576u
#define MODEL_URB_DS 32768u
#define MODEL_URB_GS 49152u

#define MODEL_MAX_VERTICES 32 /* Maximum number of vertices of a primitive: those of a patch. */
/* Topology of patches with one vertex. That of n vertices is MODEL_PATCHLIST_1 + n - 1. */
#define MODEL_PATCHLIST_1 I965_PRIMITIVE_TOPOLOGY_TYPE_PATCHLIST_1
#define MODEL_CURBE_BYTES (128u << 10) /* Maximum size of the CURBE. */
#define MODEL_DESCRIPTORS 64u          /* Maximum number of interface descriptors. */
#define MODEL_MAX_SCRATCH (2u << 20)   /* Maximum bytes of scratch memory of a thread. */
#define MODEL_CHUNK       512u         /* Maximum number of vertices processed at a time. */
#define MODEL_PRIMITIVES  64u /* Maximum number of primitives that wait for the geometry shader. */

#define MODEL_HS_THREADS 16u /* Maximum number of hull shader threads for a patch. */

/* A reference to a vertex in the URB. */
struct model_vue {
    uint32_t oword : 31; /* Offset in the URB in units of 16 bytes (slots). */
    uint32_t edge : 1;   /* Edge flag. */
};

/* A primitive between two stages. */
struct model_object {
    enum model_primitive_kind kind; /* MODEL_POINT for patches. */
    uint8_t count;                  /* Number of vertices, including adjacent ones. */
    uint8_t provoking;              /* Index in v. */
    bool adjacency;                 /* v includes adjacent vertices. */
    bool line_start;                /* As in struct model_primitive. */
    bool edge[3];                   /* As in struct model_primitive. */
    uint32_t primitive_id;
    struct model_vue v[MODEL_MAX_VERTICES]; /* The first `count` are valid. */
};

/* A programmable stage during a draw. */
struct model_shader {
    const struct sim_program *program;
    struct model_env env;
    struct model_constants constants;
    const char *name;  /* For error messages. */
    uint32_t fixed[8]; /* The parts of r0 that are the same in all threads. */
};

struct model_draw;

/* Receives an assembled primitive. Returns false after model_error(). */
typedef bool (*model_receive)(struct model_draw *draw, const struct model_object *object);

/* Turns a sequence of vertices into primitives (model_assemble.c). */
struct model_assembler {
    struct model_draw *draw;
    model_receive receive;
    unsigned topology; /* enum i965_primitive_topology_type */
    /* Every other triangle of a strip has two vertices exchanged, so that all have the same
     * winding: the first two if `trailing`, otherwise the last two. */
    bool trailing;
    unsigned select_fan, select_strip, select_line; /* Indices of the provoking vertices. */
    unsigned count;                                 /* Number of vertices in v. */
    unsigned primitives;                            /* Primitives of the current strip so far. */
    uint32_t primitive_id;                          /* Of the next primitive. */
    /* v: vertices that later primitives need. first: the first vertex of a line loop, or, in
     * triangle strips with adjacency, the vertex two before v[0]. */
    struct model_vue v[MODEL_MAX_VERTICES], first;
};

/* A 3DPRIMITIVE during its execution. */
struct model_draw {
    struct model_context *ctx;
    struct model_shader vs, hs, ds, gs;
    /* Enabled stages; renders: primitives are rasterized. */
    bool has_vs, has_hs, has_te, has_gs, has_so, renders;
    unsigned vs_units, hs_units, ds_units, gs_units; /* Entry sizes in units of 64 bytes. */
    uint32_t topology;                               /* enum i965_primitive_topology_type */
    bool indexed;
    uint32_t vertex_count, start_vertex, instance_count, start_instance;
    int32_t base_vertex;
    uint32_t instance;             /* Current one, from 0. */
    uint32_t clip_mask, cull_mask; /* User clip and cull distances that are tested. */
    unsigned last_slots;           /* Number of slots of the last stage's vertices. */
    unsigned chunk; /* Number of vertices processed at a time, at most MODEL_CHUNK. */
    /* Which of two URB areas, 0 or 1, has the vertices of the last chunk that are still needed. */
    unsigned carry;
    struct model_assembler input, output;          /* Before and after the geometry shader. */
    struct model_object pending[MODEL_PRIMITIVES]; /* Primitives for the geometry shader. */
    unsigned num_pending;                          /* Number of elements of `pending` in use. */
    uint32_t stream;                      /* Stream of the geometry shader's current vertex. */
    uint32_t so_offset[MODEL_SO_BUFFERS]; /* Write offsets of stream output, in bytes. */
    struct model_clip_viewport {
        bool valid;
        struct i965_sf_clip_viewport state;
    } viewport[16]; /* Each is read when the clipper first needs it. */
};

/* The geometry half's part of a context. */
struct model_geometry {
    uint8_t *urb;     /* MODEL_URB_BYTES, and padding for messages that extend past them. */
    uint8_t *scratch; /* MODEL_MAX_SCRATCH bytes. */
    struct cpu_tessellation tessellation;
    struct sim_thread hs_thread[MODEL_HS_THREADS];
    struct model_draw draw;
    uint32_t curbe_bytes; /* Size of curbe: push constants of compute shaders. */
    uint8_t curbe[MODEL_CURBE_BYTES];
    unsigned num_descriptors; /* Loaded by MEDIA_INTERFACE_DESCRIPTOR_LOAD. */
    struct i965_interface_descriptor_data descriptor[MODEL_DESCRIPTORS];
};

/* Allocate and free ctx->geometry and ctx->programs. Return false if memory is exhausted. */
bool model_geometry_create(struct model_context *ctx);
void model_geometry_destroy(struct model_context *ctx);
bool model_programs_create(struct model_context *ctx);
void model_programs_destroy(struct model_context *ctx);

/* Execute MEDIA_CURBE_LOAD and MEDIA_INTERFACE_DESCRIPTOR_LOAD (see model_execute): read the CURBE
 * and the descriptors from memory to ctx->geometry. Return false after model_error(). */
bool model_curbe_load(struct model_context *ctx, struct model_parser *p);
bool model_descriptor_load(struct model_context *ctx, struct model_parser *p);

/* Returns the memory of the URB entry with that handle. */
static inline uint32_t *model_entry(const struct model_context *ctx, uint32_t handle)
{
    return (uint32_t *)(void *)(ctx->geometry->urb + handle * 64ul);
}

/* Returns the memory of a vertex: an array of slots. */
static inline uint32_t (*model_slots(const struct model_context *ctx, struct model_vue vue))[4]
{
    return (uint32_t(*)[4])(void *)(ctx->geometry->urb + vue.oword * 16ul);
}

/* --- Assembly (model_assemble.c) --- */

/* Starts an instance: sets a->topology, drops queued vertices, and resets `primitives` and
 * primitive_id to 0. The caller sets the other members. */
void model_assemble_start(struct model_assembler *a, unsigned topology);
/* Adds a vertex. Passes the primitives that it completes, if any, to a->receive. Returns false
 * after model_error(). */
bool model_assemble_vertex(struct model_assembler *a, struct model_vue vertex);
/* Ends the current strip, fan, loop or polygon; the next vertex starts another one. Passes the last
 * primitive of loops, polygons and triangle strips with adjacency to a->receive. Drops incomplete
 * primitives. Returns false after model_error(). */
bool model_assemble_cut(struct model_assembler *a);

/* --- Vertex fetch (model_fetch.c) --- */

/* Checks the vertex elements and stores the number of dwords of a fetched vertex. Returns false
 * after model_error() if an element or its format is not supported. */
bool model_fetch_check(struct model_draw *draw, unsigned *dwords);
/* Fetches a vertex. index: before the base vertex is added; in draws without indices, relative to
 * the start vertex. Stores four dwords for each element in `out`; with component packing, only the
 * enabled ones. Stores the edge flag in *edge. Returns false after model_error(). */
bool model_fetch_vertex(struct model_draw *draw, uint32_t index, uint32_t primitive_id,
                        uint32_t *out, bool *edge);

/* --- Stages --- */

/* Prepares a stage's program, environment and constants for a draw. Returns false after
 * model_error(). */
bool model_shader_init(struct model_draw *draw, struct model_shader *shader,
                       enum model_stage stage);
/* Frees what model_shader_init() allocated, also after it failed. Does nothing if *shader is
 * zeroed. */
void model_shader_finish(struct model_shader *shader);
/* Initializes a thread with r0 and with push constants from register `first` on, and stores the
 * register after them in *next. mask: enabled channels. Returns false after model_error(). */
bool model_thread_start(struct model_context *ctx, struct model_shader *shader,
                        struct sim_thread *t, uint32_t mask, unsigned first, unsigned *next);

/* All functions below return false after model_error(). */

/* Receives a patch: runs the hull shader, the tessellator and the domain shader. */
bool model_tessellate(struct model_draw *draw, const struct model_object *patch);
/* Adds a primitive to draw->pending. Runs the geometry shader if that is full. */
bool model_queue_gs(struct model_draw *draw, const struct model_object *object);
/* Runs the geometry shader for the pending primitives and assembles its vertices. */
bool model_run_gs(struct model_draw *draw);
/* Writes a primitive to the stream output buffers if it fits. */
bool model_stream_out(struct model_draw *draw, const struct model_object *object);
/* Reads the write offsets from registers at the start of a draw. */
bool model_stream_out_start(struct model_draw *draw);
/* Writes the write offsets to registers and memory at the end of a draw. */
bool model_stream_out_finish(struct model_draw *draw);
/* Clips a primitive and passes the result to setup. */
bool model_clip(struct model_draw *draw, const struct model_object *object);
/* Receives a primitive after the last shader. Passes it to stream output and to the clipper. */
bool model_output(struct model_draw *draw, const struct model_object *object);

#endif
