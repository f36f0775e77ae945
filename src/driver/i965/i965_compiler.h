/* SPDX-License-Identifier: MIT */
/*
 * The compiler: a linked nir_shader in, kernels of the widths that a stage has, and all that the
 * pipeline state needs to know about them, out. No state between calls; any thread.
 */
#ifndef I965_COMPILER_H
#define I965_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/i965/eu.h"
#include "driver/i965/i965_abi.h"
#include "driver/i965/i965_device.h"
#include "indium/limits.h"
#include "indium/shader_enums.h"

struct nir_shader;
struct nir_shader_compiler_options;

/* Invocations of a subgroup, at most: a thread's. Those of compute shaders that talk have as many. */
#define I965_SUBGROUP_SIZE 16

/* State that a kernel depends on beyond its NIR. Zero is a sensible key. */
struct i965_key {
    uint8_t num_color_targets; /* fragment: 0 … 8 */
    bool persample;            /* fragment: a thread per sample, whatever the shader is */
    bool alpha_to_coverage;
    uint32_t max_width; /* 0: the compiler chooses; 8, 16, 32: no wider */
    /* Geometry and tessellation: what the stage before writes, enum varying_slot, and from PATCH0 on;
     * both 0: no more than this one reads. They decide where an input is. */
    uint64_t inputs_written;
    uint32_t patch_inputs_written;
    /* Before geometry and tessellation: what the next stage reads; its entries have room for that. */
    uint64_t outputs_read;
    uint32_t patch_outputs_read;
    /* Tessellation control: enum nir_tess_primitive of the evaluation shader (none: quads), which
     * decides where the levels are. */
    uint8_t tess_primitive;
};

/* The key's fields that the program's other stages (NULL: not there) decide. */
void i965_key_from_program(struct i965_key *key, struct nir_shader *const stages[SHADER_STAGES],
                           enum shader_stage stage);

/* Where a varying is in a VUE: slot of 16 bytes per enum varying_slot, -1 if absent. In a patch's entry
 * (outputs of tessellation control): slots of the patch, then those of each vertex, counted from its
 * first. */
struct i965_vue_map {
    int8_t slot[VARYING_SLOT_COUNT];
    uint8_t num_slots;       /* with the header and position; of each vertex of a patch */
    uint8_t num_patch_slots; /* 0: no patch */
};

/* The dword of a patch's entry where a level is (volume 7, "Patch URB Entry"): outer ones from 7 on
 * downwards, then the inner ones; of isolines the number of lines, then of segments. location:
 * VARYING_SLOT_TESS_LEVEL_*; primitive: enum nir_tess_primitive. */
unsigned i965_level_dword(unsigned location, unsigned level, unsigned primitive);

struct i965_stats {
    unsigned instructions, loops;
    unsigned sends, spills, fills; /* messages: spills and fills are not among the sends */
    unsigned cycles;               /* of the scheduler's model */
    unsigned bytes, compacted;     /* size; instructions in 8-byte form */
};

struct i965_push_range {
    uint8_t buffer;         /* constant buffer of the driver contract */
    uint16_t start, length; /* units of 32 bytes */
};

/* Numbers of vertex inputs for each attribute: 64-bit components may take two. */
#define I965_ATTRIB_SLOTS 2

struct i965_prog_data {
    enum shader_stage stage;
    struct i965_push_range push_ranges[I965_MAX_PUSH_RANGES];
    uint8_t num_push_ranges;
    uint16_t curb_read_length; /* registers of push constants, all ranges */
    uint32_t scratch_size;     /* bytes per thread, power of two; 0: none */
    struct {
        uint16_t render_targets, textures, uniform_blocks, storage_blocks, images, num_work_groups;
        uint16_t depth_stencil; /* of fs.reads_depth_stencil */
        uint16_t size;
    } binding_table; /* first index of each section */
    uint8_t sampler_count;

    union {
        struct {
            uint8_t
                inputs[32]; /* of each group of 4 registers: attribute * I965_ATTRIB_SLOTS + half */
            uint8_t num_inputs;
            bool
                uses_vertex_ids; /* the slot of (first vertex, base instance, vertex id, instance id) */
            bool uses_draw_id;                       /* the slot of (draw id, is indexed) */
            uint8_t urb_read_length, urb_entry_size; /* registers; units of 64 bytes */
        } vs;
        struct {
            uint8_t inputs[32]; /* enum varying_slot of each plane-equation slot */
            uint8_t num_inputs;
            uint32_t flat_inputs;      /* bit per slot */
            uint8_t barycentric_modes; /* bit per enum i965_barycentric */
            bool uses_source_depth, uses_source_w, uses_position_offsets, uses_sample_mask,
                uses_coverage;
            bool writes_depth, writes_stencil, writes_sample_mask, uses_discard;
            bool uses_height;         /* of the framebuffer */
            bool pulls_barycentrics;  /* by messages to the pixel interpolator */
            bool reads_targets;       /* what color buffers have */
            bool reads_depth_stencil; /* what those have */
            bool dual_source, persample, early_fragment_tests, uses_side_effects;
            uint8_t num_color_outputs;
        } fs;
        struct {
            uint16_t local_size[3];
            bool variable_size;   /* the group's size comes with the dispatch */
            uint32_t shared_size; /* bytes */
            bool uses_barrier, uses_num_work_groups;
        } cs;
        struct { /* 3DSTATE_GS; dispatch is SIMD8, eight primitives a thread */
            uint8_t vertices_in, invocations;
            uint16_t vertices_out;
            uint8_t input_primitive, output_primitive; /* enum drv_primitive */
            uint8_t output_vertex_size;                /* units of 32 bytes */
            uint8_t control_data_header_size;          /* units of 32 bytes */
            uint8_t control_data_format;               /* enum i965_control_data */
            bool static_output;                        /* so many vertices, always: */
            uint16_t static_vertex_count;
            bool include_primitive_id, include_vertex_handles;
            uint16_t urb_entry_size; /* units of 64 bytes */
        } gs;
        struct {                             /* 3DSTATE_HS; dispatch is of single patches */
            uint8_t vertices_out, instances; /* threads of a patch */
            bool uses_patch_vertices, uses_barrier;
            uint16_t urb_entry_size; /* units of 64 bytes */
        } tcs;
        struct { /* 3DSTATE_TE, 3DSTATE_DS; dispatch is SIMD8, of a single patch */
            uint8_t primitive, spacing; /* enum nir_tess_primitive, nir_tess_spacing */
            bool ccw, point_mode;
            bool uses_patch_vertices;
            uint8_t urb_entry_size; /* units of 64 bytes */
        } tes;
    };
    /* Geometry: what of each vertex's entry is in the payload; tessellation evaluation: of the patch's.
     * In pairs of slots. */
    uint8_t urb_read_offset, urb_read_length;
    struct i965_vue_map input_map; /* geometry, tessellation */
    struct i965_vue_map vue_map;   /* what is written; fragment: not used */
};

/* One width of a shader. */
struct i965_kernel {
    unsigned width;              /* 8, 16, 32; 0: not compiled */
    unsigned dispatch_grf_start; /* first register of push constants */
    uint8_t *code;               /* native and compacted instructions */
    uint32_t code_size;          /* bytes */
    struct eu_comment *comments; /* for the disassembler, if asked for; else NULL */
    unsigned num_comments;
    struct i965_stats stats;
};

struct i965_program { /* a talloc context: all below hangs on it */
    struct i965_prog_data data;
    struct i965_kernel kernels[3]; /* SIMD8, SIMD16, SIMD32; at least one of width > 0 */
};

/* What src/gl compiles for (loops, lowering flags). */
extern const struct nir_shader_compiler_options i965_nir_options;

/* What a geometry shader's entry says of each vertex: nothing, that its strip ends, its stream. */
enum i965_control_data { I965_CONTROL_NONE, I965_CONTROL_CUT, I965_CONTROL_STREAM };

enum {
    I965_COMPILE_COMMENTS = 1 << 0, /* keep annotations */
    I965_COMPILE_NO_COMPACTION = 1 << 1,
    I965_COMPILE_VALIDATE = 1 << 2, /* run eu_validate on the result; a complaint is an error */
};

/* Compiles nir (lowered in place; it stays the caller's) into a program under mem_ctx. NULL on
 * failure, with *error a message under mem_ctx that names the limit: registers, binding table,
 * samplers. */
struct i965_program *i965_compile(void *mem_ctx, const struct i965_device *dev,
                                  struct nir_shader *nir, const struct i965_key *key,
                                  unsigned flags, const char **error);

#endif
