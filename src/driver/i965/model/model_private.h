/* SPDX-License-Identifier: MIT */
/* State of a context, and functions that all parts of the model use. Private to model/. */
#ifndef MODEL_PRIVATE_H
#define MODEL_PRIVATE_H

#include <pthread.h>

#include "driver/i965/sim/eu_sim.h"
#include "i965_batch.h"
#include "i965_device.h"
#include "i965_model.h"
#include "util/macros.h"

/* Programmable stages. */
enum model_stage {
    MODEL_VS,
    MODEL_HS,
    MODEL_DS,
    MODEL_GS,
    MODEL_PS,
    MODEL_CS,
    MODEL_STAGES,
};

/* Packets whose latest values the model keeps: X(layout, C struct, member of struct
 * model_state). */
#define MODEL_STATE_PACKETS(X)                                                                     \
    X(3DSTATE_AA_LINE_PARAMETERS, 3dstate_aa_line_parameters, aa_line)                             \
    X(3DSTATE_BINDING_TABLE_POINTERS_VS, 3dstate_binding_table_pointers_vs, bindings_vs)           \
    X(3DSTATE_BINDING_TABLE_POINTERS_HS, 3dstate_binding_table_pointers_hs, bindings_hs)           \
    X(3DSTATE_BINDING_TABLE_POINTERS_DS, 3dstate_binding_table_pointers_ds, bindings_ds)           \
    X(3DSTATE_BINDING_TABLE_POINTERS_GS, 3dstate_binding_table_pointers_gs, bindings_gs)           \
    X(3DSTATE_BINDING_TABLE_POINTERS_PS, 3dstate_binding_table_pointers_ps, bindings_ps)           \
    X(3DSTATE_BINDING_TABLE_POOL_ALLOC, 3dstate_binding_table_pool_alloc, binding_table_pool)      \
    X(3DSTATE_BLEND_STATE_POINTERS, 3dstate_blend_state_pointers, blend_pointer)                   \
    X(3DSTATE_CC_STATE_POINTERS, 3dstate_cc_state_pointers, cc_pointer)                            \
    X(3DSTATE_CHROMA_KEY, 3dstate_chroma_key, chroma_key)                                          \
    X(3DSTATE_CLEAR_PARAMS, 3dstate_clear_params, clear_params)                                    \
    X(3DSTATE_CLIP, 3dstate_clip, clip)                                                            \
    X(3DSTATE_CONSTANT_VS, 3dstate_constant_vs, constant_vs)                                       \
    X(3DSTATE_CONSTANT_HS, 3dstate_constant_hs, constant_hs)                                       \
    X(3DSTATE_CONSTANT_DS, 3dstate_constant_ds, constant_ds)                                       \
    X(3DSTATE_CONSTANT_GS, 3dstate_constant_gs, constant_gs)                                       \
    X(3DSTATE_CONSTANT_PS, 3dstate_constant_ps, constant_ps)                                       \
    X(3DSTATE_DEPTH_BUFFER, 3dstate_depth_buffer, depth_buffer)                                    \
    X(3DSTATE_DRAWING_RECTANGLE, 3dstate_drawing_rectangle, drawing_rectangle)                     \
    X(3DSTATE_DS, 3dstate_ds, ds)                                                                  \
    X(3DSTATE_GS, 3dstate_gs, gs)                                                                  \
    X(3DSTATE_HIER_DEPTH_BUFFER, 3dstate_hier_depth_buffer, hier_depth_buffer)                     \
    X(3DSTATE_HS, 3dstate_hs, hs)                                                                  \
    X(3DSTATE_INDEX_BUFFER, 3dstate_index_buffer, index_buffer)                                    \
    X(3DSTATE_LINE_STIPPLE, 3dstate_line_stipple, line_stipple)                                    \
    X(3DSTATE_MULTISAMPLE, 3dstate_multisample, multisample)                                       \
    X(3DSTATE_POLY_STIPPLE_OFFSET, 3dstate_poly_stipple_offset, poly_stipple_offset)               \
    X(3DSTATE_POLY_STIPPLE_PATTERN, 3dstate_poly_stipple_pattern, poly_stipple_pattern)            \
    X(3DSTATE_PS, 3dstate_ps, ps)                                                                  \
    X(3DSTATE_PS_BLEND, 3dstate_ps_blend, ps_blend)                                                \
    X(3DSTATE_PS_EXTRA, 3dstate_ps_extra, ps_extra)                                                \
    X(3DSTATE_RASTER, 3dstate_raster, raster)                                                      \
    X(3DSTATE_SAMPLER_STATE_POINTERS_VS, 3dstate_sampler_state_pointers_vs, samplers_vs)           \
    X(3DSTATE_SAMPLER_STATE_POINTERS_HS, 3dstate_sampler_state_pointers_hs, samplers_hs)           \
    X(3DSTATE_SAMPLER_STATE_POINTERS_DS, 3dstate_sampler_state_pointers_ds, samplers_ds)           \
    X(3DSTATE_SAMPLER_STATE_POINTERS_GS, 3dstate_sampler_state_pointers_gs, samplers_gs)           \
    X(3DSTATE_SAMPLER_STATE_POINTERS_PS, 3dstate_sampler_state_pointers_ps, samplers_ps)           \
    X(3DSTATE_SAMPLE_MASK, 3dstate_sample_mask, sample_mask)                                       \
    X(3DSTATE_SAMPLE_PATTERN, 3dstate_sample_pattern, sample_pattern)                              \
    X(3DSTATE_SBE, 3dstate_sbe, sbe)                                                               \
    X(3DSTATE_SBE_SWIZ, 3dstate_sbe_swiz, sbe_swiz)                                                \
    X(3DSTATE_SCISSOR_STATE_POINTERS, 3dstate_scissor_state_pointers, scissor_pointer)             \
    X(3DSTATE_SF, 3dstate_sf, sf)                                                                  \
    X(3DSTATE_SO_DECL_LIST, 3dstate_so_decl_list, so_decl_list)                                    \
    X(3DSTATE_STENCIL_BUFFER, 3dstate_stencil_buffer, stencil_buffer)                              \
    X(3DSTATE_STREAMOUT, 3dstate_streamout, streamout)                                             \
    X(3DSTATE_TE, 3dstate_te, te)                                                                  \
    X(3DSTATE_URB_VS, 3dstate_urb_vs, urb_vs)                                                      \
    X(3DSTATE_URB_HS, 3dstate_urb_hs, urb_hs)                                                      \
    X(3DSTATE_URB_DS, 3dstate_urb_ds, urb_ds)                                                      \
    X(3DSTATE_URB_GS, 3dstate_urb_gs, urb_gs)                                                      \
    X(3DSTATE_VERTEX_ELEMENTS, 3dstate_vertex_elements, vertex_elements)                           \
    X(3DSTATE_VF, 3dstate_vf, vf)                                                                  \
    X(3DSTATE_VF_COMPONENT_PACKING, 3dstate_vf_component_packing, vf_packing)                      \
    X(3DSTATE_VF_SGVS, 3dstate_vf_sgvs, vf_sgvs)                                                   \
    X(3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, vf_statistics)                                 \
    X(3DSTATE_VF_TOPOLOGY, 3dstate_vf_topology, vf_topology)                                       \
    X(3DSTATE_VIEWPORT_STATE_POINTERS_CC, 3dstate_viewport_state_pointers_cc, viewport_cc)         \
    X(3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP, 3dstate_viewport_state_pointers_sf_clip,            \
      viewport_sf_clip)                                                                            \
    X(3DSTATE_VS, 3dstate_vs, vs)                                                                  \
    X(3DSTATE_WM, 3dstate_wm, wm)                                                                  \
    X(3DSTATE_WM_CHROMAKEY, 3dstate_wm_chromakey, wm_chromakey)                                    \
    X(3DSTATE_WM_DEPTH_STENCIL, 3dstate_wm_depth_stencil, wm_depth_stencil)                        \
    X(3DSTATE_WM_HZ_OP, 3dstate_wm_hz_op, wm_hz_op)                                                \
    X(MEDIA_CURBE_LOAD, media_curbe_load, curbe_load)                                              \
    X(MEDIA_INTERFACE_DESCRIPTOR_LOAD, media_interface_descriptor_load, descriptor_load)           \
    X(MEDIA_VFE_STATE, media_vfe_state, vfe_state)

#define MODEL_VERTEX_BUFFERS  33 /* Number of vertex buffers. */
#define MODEL_VERTEX_ELEMENTS 34 /* Maximum number of vertex elements. */
#define MODEL_SO_BUFFERS      4  /* Number of stream output buffers. */

/* A region of memory, set by STATE_BASE_ADDRESS. size: in bytes. */
struct model_base {
    uint64_t address, size;
};

/* How a kernel accesses memory other than render targets, the URB and scratch memory. */
enum model_access {
    MODEL_ACCESS_READ,  /* It only reads. */
    MODEL_ACCESS_WRITE, /* It writes, but no atomic operation depends on the order of threads. */
    /* The result of an atomic operation may depend on the order of threads, or the operation is
     * unknown, because a message's descriptor is computed. */
    MODEL_ACCESS_ORDERED,
};

/* What the model needs to know of a kernel. */
struct model_kernel {
    enum model_access access;
    bool writes_control; /* It changes the control register, which has the floating-point modes. */
};

/* State set by packets; the rest of a context's state is in struct model_context. */
struct model_state {
#define MEMBER(layout, type, member) struct i965_##type member;
    MODEL_STATE_PACKETS(MEMBER)
#undef MEMBER
    /* Bit set of the packets that have been executed, indexed by enum i965_layout_id. */
    uint32_t seen[(I965_LAYOUT_COUNT + 31) / 32];
    struct i965_vertex_buffer_state vertex_buffer[MODEL_VERTEX_BUFFERS];
    struct i965_3dstate_vf_instancing instancing[MODEL_VERTEX_ELEMENTS];
    struct i965_3dstate_so_buffer so_buffer[MODEL_SO_BUFFERS];
    struct model_base general, surface, dynamic, indirect, instruction, bindless_surface;
    uint32_t pipeline; /* enum i965_pipeline_selection: 3D, media or GPGPU. */
};

/* Pipeline statistics, which batches read as registers (Skylake PRM, volume 2c). */
struct model_counters {
    uint64_t hs_invocations, ds_invocations, ia_vertices, ia_primitives, vs_invocations,
        gs_invocations, gs_primitives, cl_invocations, cl_primitives, ps_invocations, ps_depth,
        cs_invocations;
    uint64_t so_prims_written[4], so_prim_storage_needed[4]; /* By stream. */
};

struct model_pixel;     /* The pixel half's part of a context. */
struct model_programs;  /* Decoded kernels. */
struct model_registers; /* Registers that batches have written. */
struct model_clears;    /* Surfaces whose cleared blocks have the clear color in memory, too. */
struct model_strict;    /* Checks of caches. */
struct model_geometry;  /* The geometry half's part of a context. */

/* A cached result of i965_model_memory.find, valid until the execution ends. */
struct model_mapping {
    uint64_t start, end; /* Addresses; end is exclusive. 0: unused. */
    uint8_t *bytes;      /* Memory at start. */
};

#define MODEL_MAPPINGS 64 /* Number of cached mappings. */

/* A hardware context. Worker threads have copies (model_worker.h). */
struct model_context {
    struct i965_model *model;
    const struct i965_device *device;
    enum i965_generation generation;
    pthread_mutex_t lock; /* Held during an execution. */
    bool lost;            /* An execution failed; later ones fail at once. */
    struct model_state state;
    struct model_counters counters;
    struct model_programs *programs;
    struct model_registers *registers;
    struct model_geometry *geometry; /* NULL: no command of the pipelines was executed yet. */
    struct model_pixel *pixel;       /* NULL: as for geometry. */
    struct model_clears *clears;     /* Shared with the copies of the context in workers. */
    struct model_strict *strict;     /* Tracks accesses to memory; NULL: the model is not strict. */

    /* Valid during an execution. */
    const struct i965_model_memory *memory;
    struct model_mapping mapping[MODEL_MAPPINGS];
    enum i965_ring ring;
    uint64_t packet_address; /* Of the current packet. */
    const char *packet_name; /* Of the current packet. */
    /* Number of packets until the context is lost. Idle packets don't count if memory->wait
     * exists. */
    uint64_t commands_left;
    uint64_t idle_commands;     /* Number of packets since the last one with an effect. */
    uint64_t idle_jumps;        /* Number of jumps among them. */
    uint64_t waits;             /* Number of calls of memory->wait since then. */
    bool can_preempt;           /* MI_ARB_CHECK is among the idle packets. */
    uint64_t instructions_left; /* Number of EU instructions until the context is lost. */
    char *error;                /* Caller's buffer, empty until the first error. */
    size_t error_size;
};

/* A GPU. */
struct i965_model {
    const struct i965_device *device;
    enum i965_generation generation;
    bool strict;                             /* As in i965_model_set_strict(). */
    uint64_t max_commands, max_instructions; /* Limits of each execution. */
    FILE *trace;                             /* NULL: none. */
    int32_t trace_pixel[2];                  /* x and y; negative: no pixel. */
    uint64_t ticks; /* The time (model_timestamp()); accessed atomically. */
    /* Results of packet lookups, indexed by bits 31:16 of the first dword: enum i965_layout_id + 2;
     * 1: no packet; 0: not looked up yet. Accessed atomically. */
    uint16_t packet[1 << 16];
};

/* The context that the model's user refers to. */
struct i965_model_context {
    struct model_context base;
};

/* Environment of EU threads of one stage. model_env_init() (model_pixel.h) fills it in. */
struct model_env {
    struct sim_env base; /* Must be first. */
    struct model_context *ctx;
    enum model_stage stage;
    /* Threads keep denormals. Otherwise they read and write them as 0, as the hardware does unless
     * the state or the kernel selects another mode. */
    bool keeps_denormals;
    uint64_t binding_table; /* Address of the binding table. */
    uint64_t samplers;      /* Address of the first SAMPLER_STATE. */
    uint8_t *shared;        /* Shared local memory of a thread group; set by the caller. */
    size_t shared_size;
    void *pixel; /* struct model_fragments: the pixels of a pixel shader thread. */
    void *cache; /* Decoded surfaces and samplers; model_env_finish() frees them. */
};

/* Returns whether this context has executed a state packet `id`. */
static inline bool model_seen(const struct model_context *ctx, enum i965_layout_id id)
{
    return ctx->state.seen[id / 32] >> (id % 32) & 1;
}

/*
 * Stores the first error of an execution as "address: packet: field: reason", and ignores later
 * ones. format: printf format of the reason. Returns false.
 */
bool model_error(struct model_context *ctx, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Memory (model_memory.c). Addresses are 48 bits; higher bits are ignored. --- */

/* Returns the byte at an address, and stores how many bytes are contiguous from there on, including
 * it. Returns NULL, and stores nothing, if the address is not mapped. Valid until the execution
 * ends. */
uint8_t *model_find(struct model_context *ctx, uint64_t address, uint64_t *bytes);
/* Returns the memory of the `size` bytes at an address, or NULL if they are not mapped
 * contiguously. Valid until the execution ends. */
uint8_t *model_pointer(struct model_context *ctx, uint64_t address, uint64_t size);
/* Copy from or to memory, across mappings if necessary. Return false, without model_error(), if a
 * byte is not mapped; data is then undefined, or memory partly written. */
bool model_read(struct model_context *ctx, uint64_t address, void *data, size_t size);
bool model_write(struct model_context *ctx, uint64_t address, const void *data, size_t size);
/* As model_read(), but returns false after model_error() for that field. */
bool model_read_state(struct model_context *ctx, const char *field, uint64_t address, void *data,
                      size_t size);
/* Unpacks dwords to the C struct of a layout. Reserved bits that are set are errors only if the
 * model is strict. Returns false after storing an error in *error. */
bool model_unpack_dwords(struct model_context *ctx, enum i965_layout_id id, const uint32_t *dwords,
                         unsigned count, void *values, struct i965_packet_error *error);
/* Reads a structure and unpacks it to the C struct of its layout. Returns false after model_error()
 * for that field. */
bool model_read_struct(struct model_context *ctx, const char *field, enum i965_layout_id id,
                       uint64_t address, void *values);
/* Stores base + offset in *address. Returns false after model_error() if `size` bytes from there
 * are not inside the region. */
bool model_state_address(struct model_context *ctx, const char *field,
                         const struct model_base *base, uint64_t offset, uint64_t size,
                         uint64_t *address);

/* Work of an EU instruction in sim_thread.slow_steps, in addition to 1. */
#define MODEL_WORK_SLOW 16u
/* Work of starting an EU thread. */
#define MODEL_WORK_THREAD 64u

/* Work of units other than EUs, as numbers of EU instructions that take about as much time. */
#define MODEL_WORK_TEXEL  4u    /* Texel of a clear, of a resolve, or of a message. */
#define MODEL_WORK_VERTEX 16u   /* Vertex of any stage. */
#define MODEL_WORK_DRAW   1024u /* Command that starts threads. */
#define MODEL_WORK_LINE   1u    /* 64 bytes that are copied, cleared or compared. */

/* Subtracts work of units other than EUs from ctx->instructions_left. work: as a number of EU
 * instructions. Returns false after model_error() if too few are left. */
bool model_spend(struct model_context *ctx, uint64_t work);

/* --- Threads (model_thread.c) --- */

/* Returns the decoded kernel at an offset from the instruction base, valid until the execution
 * ends, or NULL after model_error(). Stores its properties in *kernel unless that is NULL. field:
 * for error messages. */
const struct sim_program *model_program(struct model_context *ctx, const char *field,
                                        uint64_t offset, struct model_kernel *kernel);
/* Runs a thread, whose environment is a struct model_env, to its end or, if `barrier` is not NULL,
 * to its next barrier. Stores in *barrier whether it stopped at one. Subtracts its instructions
 * from ctx->instructions_left. stage: for error messages. Returns false after model_error(). */
bool model_run_thread(struct model_context *ctx, struct sim_thread *t, const char *stage,
                      bool *barrier);

/* Push constants of a stage. */
struct model_constants {
    unsigned registers; /* Number of registers in data. */
    uint32_t data[64][8];
};

/* Reads the push constants of a stage (3DSTATE_CONSTANT_*) from memory. Returns false after
 * model_error(). */
bool model_constants_read(struct model_context *ctx, enum model_stage stage,
                          struct model_constants *constants);
/* Copies push constants to registers from `reg` on and stores the register after them in *next.
 * Returns false after model_error() if they end past r127. */
bool model_push_constants(struct model_context *ctx, const struct model_constants *constants,
                          struct sim_thread *t, unsigned reg, unsigned *next);
/* Frees decoded kernels whose bytes in memory were found to have changed. Frees all if there are
 * too many or if they take too much memory. Called between executions. */
void model_programs_trim(struct model_context *ctx);

#endif
