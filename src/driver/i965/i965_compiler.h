/* SPDX-License-Identifier: MIT */
/*
 * Interface of the i965 compiler. It compiles a linked nir_shader into one kernel per dispatch
 * width (a kernel is the machine code of a shader at one width) and into the prog_data that the
 * pipeline state needs. The compiler keeps no state between calls; any thread may call it.
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

/* Maximum number of invocations per subgroup. A subgroup consists of the invocations of one EU
 * thread. Compute shaders with subgroup operations are compiled only at this width. */
#define I965_SUBGROUP_SIZE 16

/* State outside the NIR that a kernel depends on. An all-zero key is valid. */
struct i965_key {
    uint8_t num_color_targets; /* Fragment: number of color targets, 0 to 8. */
    bool persample;            /* Fragment: forces one thread per sample. */
    /* Upper limit on the dispatch width: 8, 16 or 32; 0 lets the compiler choose. */
    uint32_t max_width;
    /* Geometry and tessellation: varyings that the previous stage writes, one bit per enum
     * varying_slot below 64, and patch varyings, one bit per slot counted from PATCH0. They
     * determine the layout of the input. If both are 0, the compiler assumes exactly the varyings
     * that this shader reads. */
    uint64_t inputs_written;
    uint32_t patch_inputs_written;
    /* Stages followed by geometry or tessellation: varyings that the next stage reads. The output
     * entries reserve slots for them even if this stage does not write them. */
    uint64_t outputs_read;
    uint32_t patch_outputs_read;
    /* Tessellation control: enum nir_tess_primitive of the evaluation shader, which determines the
     * position of the tessellation levels in the patch entry. 0 if there is no evaluation shader;
     * the layout is then that of quads. */
    uint8_t tess_primitive;
};

/* Sets the fields of the key of `stage` that depend on the other stages of the program, from
 * inputs_written on. The caller has zeroed or set the others. stages[] is indexed by enum
 * shader_stage; elements of stages that the program lacks are NULL. */
void i965_key_from_program(struct i965_key *key,
                           struct nir_shader *const stages[SHADER_STAGE_COUNT],
                           enum shader_stage stage);

/* Position of each varying in a VUE (vertex URB entry): index of its 16-byte slot by enum
 * varying_slot, -1 if absent. In a patch's entry (outputs of tessellation control) the patch slots
 * come first, followed by the slots of each vertex; the slot indices of per-vertex varyings count
 * from the start of their vertex. */
struct i965_vue_map {
    int8_t slot[VARYING_SLOT_COUNT];
    uint8_t num_slots;       /* Includes the header and position; per vertex if this is a patch. */
    uint8_t num_patch_slots; /* Slots of the patch; 0 if this is not a patch. */
};

/* Returns the index of the dword in the patch's entry that holds a tessellation level (PRM volume
 * 7, "Patch URB Entry"). The first outer level is in dword 7; the other outer levels and then the
 * inner levels are in the dwords below, in descending order. For isolines dword 6 holds the number
 * of lines, dword 7 the number of segments. Levels that the primitive doesn't have are in dwords
 * that the tessellator ignores. location is VARYING_SLOT_TESS_LEVEL_*, level the index in its
 * array, primitive an enum nir_tess_primitive. */
unsigned i965_level_dword(unsigned location, unsigned level, unsigned primitive);

/* Maximum of i965_stats.cycles, which replaces larger estimates. Ten times it still fits in 64
 * bits. */
#define I965_MAX_CYCLES (UINT64_MAX / 10)

/* Statistics of one kernel. */
struct i965_stats {
    unsigned instructions, loops; /* Numbers of instructions and of loops in the code. */
    /* Numbers of messages; spills and fills are not counted as sends. */
    unsigned sends, spills, fills;
    uint64_t cycles; /* Estimate of the scheduler's model, at most I965_MAX_CYCLES. */
    /* Code size, and the number of instructions in 8-byte (compacted) form. */
    unsigned bytes, compacted;
};

/* A part of a constant buffer that is pushed to registers. */
struct i965_push_range {
    uint8_t buffer;         /* Constant buffer index of the driver interface. */
    uint16_t start, length; /* In the buffer, in units of 32 bytes. */
};

/* Maximum number of vertex fetch elements per attribute; 64-bit components may need two. */
#define I965_ATTRIB_SLOTS 2

/* Everything about a compiled shader that the pipeline state needs, at all widths. */
struct i965_prog_data {
    enum shader_stage stage;
    struct i965_push_range push_ranges[I965_MAX_PUSH_RANGES];
    uint8_t num_push_ranges;
    uint16_t curb_read_length; /* Registers of push constants, total of all ranges. */
    uint32_t scratch_size;     /* Bytes per thread, a power of two; 0 if unused. */
    struct {
        uint16_t render_targets, textures, uniform_blocks, storage_blocks, images, num_work_groups;
        uint16_t depth_stencil; /* Present if fs.reads_depth_stencil is set. */
        uint16_t constants;     /* Present if constant_size is not 0. */
        uint16_t size;
    } binding_table; /* Index of the first entry of each section, and the total size. */
    uint8_t sampler_count;
    /* Constant arrays that the shader indexes with variables: contents of the surface
     * binding_table.constants. Owned by the i965_program. */
    const uint8_t *constants;
    uint32_t constant_size; /* In bytes, a multiple of 16. */

    union {
        struct {
            /* Attribute in each group of four payload registers: attribute * I965_ATTRIB_SLOTS,
             * plus 1 for the second half of a 64-bit attribute. */
            uint8_t inputs[32];
            uint8_t num_inputs;
            /* Payload has (first vertex, base instance, vertex id, instance id). */
            bool uses_vertex_ids;
            bool uses_draw_id; /* Payload has (draw id, is indexed, view index). */
            /* urb_read_length: slots of attributes and ids that the payload contains, in pairs; the
             * shader reads the other slots from its entry. urb_entry_size: size of the entry, which
             * holds the inputs and later the outputs, in units of 64 bytes. */
            uint8_t urb_read_length, urb_entry_size;
        } vs;
        struct {
            uint8_t inputs[32]; /* enum varying_slot of each slot of plane equations. */
            uint8_t num_inputs;
            uint32_t flat_inputs;      /* One bit per element of inputs. */
            uint8_t barycentric_modes; /* One bit per enum i965_barycentric. */
            /* Optional parts of the payload. uses_coverage: coverage of smooth primitives. */
            bool uses_source_depth, uses_source_w, uses_position_offsets, uses_sample_mask,
                uses_coverage;
            bool writes_depth, writes_stencil, writes_sample_mask, uses_discard;
            bool uses_height;         /* Payload has the framebuffer height. */
            bool pulls_barycentrics;  /* Sends messages to the pixel interpolator. */
            bool reads_targets;       /* Reads color buffers (framebuffer fetch). */
            bool reads_depth_stencil; /* Reads the depth or stencil buffer. */
            /* persample: one thread per sample. uses_side_effects: writes storage blocks or images,
             * or reads gl_HelperInvocation. */
            bool dual_source, persample, early_fragment_tests, uses_side_effects;
            /* num_color_targets of the key; if that is 0, 1 plus the last target that is
             * written. */
            uint8_t num_color_outputs;
        } fs;
        struct {
            uint16_t local_size[3]; /* Invocations of a group in x, y, z. */
            bool variable_size;     /* The dispatch gives the group size, not local_size. */
            uint32_t shared_size;   /* In bytes. */
            bool uses_barrier, uses_num_work_groups;
        } cs;
        /* 3DSTATE_GS. Dispatch is SIMD8, one primitive or invocation per channel. */
        struct {
            uint8_t vertices_in, invocations; /* For each input primitive. */
            uint16_t vertices_out;            /* Maximum number that an invocation emits. */
            uint8_t input_primitive, output_primitive; /* enum drv_primitive. */
            uint8_t output_vertex_size;                /* In units of 32 bytes. */
            uint8_t control_data_header_size;          /* In units of 32 bytes. */
            uint8_t control_data_format;               /* enum i965_control_data. */
            bool static_output; /* Every invocation emits static_vertex_count vertices. */
            uint16_t static_vertex_count;
            bool include_primitive_id, include_vertex_handles; /* In the payload (i965_abi.h). */
            uint16_t urb_entry_size;                           /* In units of 64 bytes. */
        } gs;
        /* 3DSTATE_HS. Each thread processes a single patch. */
        struct {
            uint8_t vertices_out, instances; /* Vertices of an output patch; threads per patch. */
            /* uses_patch_vertices: payload has the number of input vertices. */
            bool uses_patch_vertices, uses_barrier;
            uint16_t urb_entry_size; /* In units of 64 bytes. */
        } tcs;
        /* 3DSTATE_TE and 3DSTATE_DS. Dispatch is SIMD8, all vertices of one patch. */
        struct {
            uint8_t primitive, spacing; /* enum nir_tess_primitive, nir_tess_spacing. */
            bool ccw, point_mode;
            bool uses_patch_vertices; /* Payload has the number of vertices of the patch. */
            uint8_t urb_entry_size;   /* In units of 64 bytes. */
        } tes;
    };
    /* Part of the input entry that the payload contains, in pairs of slots. Geometry: for each
     * vertex; tessellation evaluation: for the patch. */
    uint8_t urb_read_offset, urb_read_length;
    /* Layout of the input entries. Geometry and tessellation only. */
    struct i965_vue_map input_map;
    struct i965_vue_map vue_map; /* Layout of output entries; unused in fragment and compute. */
};

/* A shader compiled at one dispatch width. */
struct i965_kernel {
    unsigned width;              /* 8, 16 or 32; 0 if not compiled. */
    unsigned dispatch_grf_start; /* First register of the push constants. */
    uint8_t *code;               /* Mix of native and compacted instructions. */
    uint32_t code_size;          /* In bytes. */
    /* Annotations for the disassembler; NULL without I965_COMPILE_COMMENTS. */
    struct eu_annotation *comments;
    unsigned num_comments;
    struct i965_stats stats;
};

/* Result of i965_compile(). It is a talloc context that owns everything below. */
struct i965_program {
    const struct i965_device *dev; /* Device that the kernels are compiled for. */
    struct i965_prog_data data;
    struct i965_kernel kernels[3]; /* SIMD8, SIMD16, SIMD32; at least one has width > 0. */
};

/* Options for the GLSL compiler, which src/gl passes to it: loop handling, lowering flags. */
extern const struct nir_shader_compiler_options i965_nir_options;
/* The same options for devices that lack the LRP instruction. */
extern const struct nir_shader_compiler_options i965_nir_options_without_lerp;

/* Meaning of a geometry shader's control data, which has bits for each emitted vertex: unused, one
 * bit that ends the strip, or two bits with the stream. */
enum i965_control_data { I965_CONTROL_NONE, I965_CONTROL_CUT, I965_CONTROL_STREAM };

/* Returns the number of registers with URB handles of vertices in the payload of a geometry
 * shader's thread; 0 if gs.include_vertex_handles is false. */
unsigned i965_gs_handle_registers(const struct i965_prog_data *data);

/* Flags of i965_compile(). */
enum {
    I965_COMPILE_COMMENTS = 1 << 0,      /* Keep annotations for the disassembler. */
    I965_COMPILE_NO_COMPACTION = 1 << 1, /* Keep all instructions in native form. */
    /* Run eu_validate() on the result; any violation is an error. */
    I965_COMPILE_VALIDATE = 1 << 2,
};

/* Compiles nir, which it lowers in place and which the caller keeps, into a program allocated under
 * mem_ctx. Call it in an attempt (util/memory.h). On failure, returns NULL and sets *error to a
 * message that names the exceeded limit or unsupported feature. The message is a static string or
 * allocated under mem_ctx. */
struct i965_program *i965_compile(void *mem_ctx, const struct i965_device *dev,
                                  struct nir_shader *nir, const struct i965_key *key,
                                  unsigned flags, const char **error);

#endif
