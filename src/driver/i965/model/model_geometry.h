/* SPDX-License-Identifier: MIT */
/*
 * The stages from vertex fetch to the clipper. Vertices are VUEs in the URB, referred to by handles
 * in units of 64 bytes, as in the payloads of threads. Private to the geometry half.
 */
#ifndef MODEL_GEOMETRY_H
#define MODEL_GEOMETRY_H

#include "driver/cpu/front/cpu_tessellator.h"
#include "model_command.h"
#include "model_pixel.h"

#define MODEL_URB_BYTES (65536u * 64) /* All handles of 16 bits. */
/* First handles of the stages' parts of the URB. */
#define MODEL_URB_VS 0u
#define MODEL_URB_HS 24576u
#define MODEL_URB_DS 32768u
#define MODEL_URB_GS 49152u

#define MODEL_MAX_VERTICES 32 /* Of a primitive: a patch. */
#define MODEL_PATCHLIST_1  I965_PRIMITIVE_TOPOLOGY_TYPE_PATCHLIST_1
#define MODEL_CURBE_BYTES  (128u << 10)
#define MODEL_DESCRIPTORS  64u
#define MODEL_MAX_SCRATCH  (2u << 20) /* Bytes of a thread. */
#define MODEL_CHUNK        512u       /* Vertices shaded at a time. */
#define MODEL_PRIMITIVES   64u        /* Primitives that a stage processes at a time. */

#define MODEL_HS_THREADS 16u

/* Reference to a vertex. */
struct model_vue {
    uint32_t oword : 31; /* Offset in the URB in units of 16 bytes, a slot. */
    uint32_t edge : 1;   /* Edge flag. */
};

/* A primitive between two stages. */
struct model_object {
    enum model_primitive_kind kind;
    uint8_t count;     /* Vertices, with adjacent ones. */
    uint8_t provoking; /* Index in v. */
    bool adjacency;    /* v has adjacent vertices, too. */
    bool line_start;
    bool edge[3]; /* As in struct model_primitive. */
    uint32_t primitive_id;
    struct model_vue v[MODEL_MAX_VERTICES];
};

/* A programmable stage at a draw. */
struct model_shader {
    const struct sim_program *program;
    struct model_env env;
    struct model_constants constants;
    const char *name;
    uint32_t fixed[8]; /* r0 of its threads, without what differs between threads. */
};

struct model_draw;

/* Receives assembled primitives. */
typedef bool (*model_receive)(struct model_draw *draw, const struct model_object *object);

/* Turns a sequence of vertices into primitives (model_assemble.c). */
struct model_assembler {
    struct model_draw *draw;
    model_receive receive;
    unsigned topology; /* enum PRIMITIVE_TOPOLOGY_TYPE */
    bool trailing;     /* Reordered strips keep the last vertex in its place. */
    unsigned select_fan, select_strip, select_line; /* Provoking vertices. */
    unsigned count;                                 /* Vertices in v. */
    unsigned primitives;                            /* Of the current strip. */
    uint32_t primitive_id;
    struct model_vue v[MODEL_MAX_VERTICES], first;
};

/* A 3DPRIMITIVE during its execution. */
struct model_draw {
    struct model_context *ctx;
    struct model_shader vs, hs, ds, gs;
    bool has_vs, has_hs, has_te, has_gs, has_so, renders;
    unsigned vs_units, hs_units, ds_units, gs_units; /* Entry sizes in units of 64 bytes. */
    uint32_t topology;
    bool indexed;
    uint32_t vertex_count, start_vertex, instance_count, start_instance;
    int32_t base_vertex;
    uint32_t instance;                    /* Current one, from 0. */
    uint32_t clip_mask, cull_mask;        /* User clip and cull distances that are tested. */
    unsigned last_slots;                  /* Slots of the last stage's vertices. */
    unsigned chunk;                       /* Vertices that are shaded at a time. */
    unsigned carry;                       /* Which of two areas holds vertices of the last chunk. */
    struct model_assembler input, output; /* Before and after the geometry shader. */
    struct model_object pending[MODEL_PRIMITIVES]; /* Primitives for the geometry shader. */
    unsigned num_pending;
    uint32_t stream; /* Of the vertices in `output`. */
    uint32_t so_offset[MODEL_SO_BUFFERS];
    struct model_clip_viewport {
        bool valid;
        struct i965_sf_clip_viewport state;
    } viewport[16]; /* Those that primitives used so far. */
};

/* The geometry half's part of a context. */
struct model_geometry {
    uint8_t *urb;     /* MODEL_URB_BYTES and padding for whole messages. */
    uint8_t *scratch; /* MODEL_MAX_SCRATCH bytes. */
    struct cpu_tessellation tessellation;
    struct sim_thread hs_thread[MODEL_HS_THREADS];
    struct model_draw draw;
    uint32_t curbe_bytes;
    uint8_t curbe[MODEL_CURBE_BYTES];
    unsigned num_descriptors;
    struct i965_interface_descriptor_data descriptor[MODEL_DESCRIPTORS];
};

bool model_geometry_create(struct model_context *ctx);
void model_geometry_destroy(struct model_context *ctx);
bool model_programs_create(struct model_context *ctx);
void model_programs_destroy(struct model_context *ctx);

bool model_curbe_load(struct model_context *ctx, struct model_parser *p);
bool model_descriptor_load(struct model_context *ctx, struct model_parser *p);

/* Returns the bytes of an entry. */
static inline uint32_t *model_entry(const struct model_context *ctx, uint32_t handle)
{
    return (uint32_t *)(void *)(ctx->geometry->urb + handle * 64ul);
}

/* Returns the slots of a vertex. */
static inline uint32_t (*model_slots(const struct model_context *ctx, struct model_vue vue))[4]
{
    return (uint32_t(*)[4])(void *)(ctx->geometry->urb + vue.oword * 16ul);
}

/* Counts work that has no instructions. Returns false after model_error() if a batch has too much. */
bool model_spend(struct model_context *ctx, uint64_t work);

/* --- Assembly (model_assemble.c) --- */

/* Starts a sequence of primitives. */
void model_assemble_start(struct model_assembler *a, unsigned topology);
bool model_assemble_vertex(struct model_assembler *a, struct model_vue vertex);
/* Ends the current strip, fan, loop or polygon; the next vertex starts another one. */
bool model_assemble_cut(struct model_assembler *a);

/* --- Vertex fetch (model_fetch.c) --- */

/* Prepares the elements of a draw: returns the number of dwords of a fetched vertex. Returns false
 * after model_error() for invalid elements or formats. */
bool model_fetch_check(struct model_draw *draw, unsigned *dwords);
/* Fetches a vertex. index: of the vertex, without the base vertex. out: 4 dwords of each element,
 * packed if 3DSTATE_VF enables that. */
bool model_fetch_vertex(struct model_draw *draw, uint32_t index, uint32_t primitive_id,
                        uint32_t *out, bool *edge);

/* --- Stages --- */

/* Prepares a stage's program, environment and constants. */
bool model_shader_init(struct model_draw *draw, struct model_shader *shader,
                       enum model_stage stage);
void model_shader_finish(struct model_shader *shader);
/* Prepares a thread and stores the push constants from register `first` on. Stores the register
 * after them. */
bool model_thread_start(struct model_context *ctx, struct model_shader *shader,
                        struct sim_thread *t, uint32_t mask, unsigned first, unsigned *next);

/* Receives a patch: runs the hull shader, the tessellator and the domain shader. */
bool model_tessellate(struct model_draw *draw, const struct model_object *patch);
/* Receives a primitive for the geometry shader. */
bool model_queue_gs(struct model_draw *draw, const struct model_object *object);
/* Runs the geometry shader for the pending primitives. */
bool model_run_gs(struct model_draw *draw);
/* Writes a primitive to the stream output buffers. */
bool model_stream_out(struct model_draw *draw, const struct model_object *object);
/* Reads the write offsets at the start of a draw. */
bool model_stream_out_start(struct model_draw *draw);
/* Stores the write offsets at the end of a draw. */
bool model_stream_out_finish(struct model_draw *draw);
/* Clips a primitive and passes the result to setup. */
bool model_clip(struct model_draw *draw, const struct model_object *object);
/* Receives primitives after the last shader: stream output, then the clipper. */
bool model_output(struct model_draw *draw, const struct model_object *object);

#endif
