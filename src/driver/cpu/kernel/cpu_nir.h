/* SPDX-License-Identifier: MIT */
/*
 * Interface of the kernel builders (cpu_*_kernel.c and the cpu_nir_* files).
 *
 * A kernel is the application's shader inside loops over vectors of lanes. The builders emit code
 * in three places. The prologue runs once per call; it loads addresses and the constants of the
 * draw and of the primitive. The start of the innermost loop runs once per vector. In the body,
 * which is the shader's code, instructions are replaced by their lowered code. "Uniform" means that
 * a value is the same in all lanes.
 *
 * Builders allocate NIR without checks, so callers run them in an attempt (util/memory.h), which
 * fails if out of memory. Any thread may build kernels; a builder belongs to one thread.
 */
#ifndef CPU_NIR_H
#define CPU_NIR_H

#include <stddef.h>

#include "driver/cpu/kernel/cpu_kernel.h"
#include "driver/cpu/kernel/cpu_variant.h"
#include "jit/jit.h"
#include "nir/nir_builder.h"

/* State of building a kernel. */
struct cpu_kernel_builder {
    nir_builder b;
    nir_shader *shader; /* the kernel, built from a clone of the application's shader */
    nir_function_impl *impl;
    unsigned lanes;       /* lanes of a vector: 4, 8 or 16 */
    bool block;           /* a vector is a whole 4×4 block of pixels of one primitive */
    bool adjacent_pixels; /* a vector is a whole 4×4 block, or a part of one, of one primitive */
    bool compact; /* the body samples textures so often that only general code is emitted for it */
    nir_cf_list body;        /* the application's code, until cpu_kernel_place_body() */
    nir_cf_list invariants;  /* the part of it that goes to the prologue; see has_invariants */
    bool has_invariants;     /* `invariants` contains code */
    nir_instr **body_instrs; /* the body's intrinsics and texture instructions, to be lowered */
    unsigned num_body_instrs;
    nir_loop **unbounded_loops; /* loops of the body without a small bound */
    unsigned num_unbounded_loops;
    nir_loop *outer_loop;  /* loop that the prologue precedes; NULL: not created yet */
    bool in_prologue;      /* the builder is between enter_prologue and leave_prologue */
    nir_def *args, *state; /* addresses of argument 0 and of struct cpu_stage_state */
    /* From the stage's key. NULL: no textures, images or storage buffers. */
    const struct cpu_units_key *units;
    const struct cpu_handle_classes *classes; /* the screen's classes; NULL: no handles */
    bool upper_row;                           /* cpu_fs_key.upper_row */
    /* Fragment kernels: boolean that is true if the pixel is covered and not discarded. In other
     * kernels NULL. */
    nir_variable *live;
    /* Boolean that becomes true when the invocation executes a discard. NULL if there is no
     * unbounded loop, which would have to check it. */
    nir_variable *discarded;
    /* Fragment kernels: boolean that is true if a pixel of the lane's quad was live before the
     * body. May be NULL. */
    nir_def *quad_live;
    /* Addresses of struct cpu_texture that have been loaded in the prologue; NULL: not loaded. */
    nir_def *texture_address[DRV_MAX_SAMPLERS];
};

/* Initializes kb with a clone of the shader: collects its instructions and unbounded loops,
 * extracts its body and invariants, and leaves the builder at the start of the emptied function.
 * Returns false, with nothing to free, if out of memory. */
bool cpu_kernel_begin(struct cpu_kernel_builder *kb, const struct cpu_shader *shader,
                      unsigned lanes);
/* Like cpu_kernel_begin(), but uses `nir` itself instead of a clone. Takes ownership of it, also on
 * failure. */
bool cpu_kernel_begin_nir(struct cpu_kernel_builder *kb, struct nir_shader *nir, unsigned lanes);

/* Returns whether idle lanes, which pad the last vector of a batch, must be masked off. They repeat
 * other lanes, so they would write memory twice or take part in subgroup operations. */
static inline bool cpu_masks_idle_lanes(const nir_shader_info *info)
{
    return info->writes_memory || info->uses_subgroups;
}

/* Fills in kb->unbounded_loops, and converts the shader to LCSSA form. Call it before the body is
 * lowered. Returns false if out of memory. */
bool cpu_collect_unbounded_loops(struct cpu_kernel_builder *kb);
/* Extracts the code of the shader that computes the same for all vectors to kb->invariants. Call it
 * after cpu_collect_unbounded_loops() and before the body is extracted. Returns false if out of
 * memory. */
bool cpu_extract_invariants(struct cpu_kernel_builder *kb);
/* If there are unbounded loops, emits code that reports progress to the watchdog, and creates
 * kb->discarded if fragments may be discarded. Call it with the cursor at the start of the body. */
void cpu_report_progress(struct cpu_kernel_builder *kb);
/* Adds code to each unbounded loop that leaves it if the watchdog has set cpu_stage_state.stop. */
void cpu_poll_in_loops(struct cpu_kernel_builder *kb);

/* Inserts the body at the builder's cursor, its invariants in the prologue, and calls `lower` for
 * each of their intrinsics and texture instructions, with the cursor before the instruction. Also
 * adds the code of cpu_report_progress() and cpu_poll_in_loops(). Leaves the cursor after the
 * body. */
void cpu_kernel_insert_body(struct cpu_kernel_builder *kb,
                            void (*lower)(void *data, nir_instr *instr), void *data);
/* The first half of cpu_kernel_insert_body(): inserts the body and its invariants, and reports
 * progress. Leaves the cursor after the body. */
void cpu_kernel_place_body(struct cpu_kernel_builder *kb);
/* The second half of cpu_kernel_insert_body(): lowers the instructions and calls
 * cpu_poll_in_loops(). The cursor is undefined afterwards. */
void cpu_kernel_lower_body(struct cpu_kernel_builder *kb,
                           void (*lower)(void *data, nir_instr *instr), void *data);

/* NIR pass: moves the address computations of a texture access to before the branches of the
 * preceding access if they don't depend on its result, so that the CPU can overlap both accesses.
 * Returns whether it changed the shader. */
bool cpu_nir_hoist_texture_addresses(nir_shader *shader);
/* NIR pass for compute kernels: turns loads and stores of consecutive elements by the lanes into
 * vector accesses. Returns whether it changed the shader. */
bool cpu_nir_use_lane_runs(nir_shader *shader, unsigned lanes);
/* NIR pass: software-pipelines the loop, that is, starts the work of the next iteration in the
 * current one. halves: an iteration processes the two halves of a block with copies of the same
 * code; the pass then also starts the second half during the first. Does nothing if iterations are
 * too short. Returns whether it changed the shader. */
bool cpu_nir_pipeline_loop(nir_shader *shader, nir_loop *loop, bool halves);

/* Lowers the remaining variables, optimizes kb->shader and submits it for compilation. Takes
 * ownership of the shader, also on failure. Returns the kernel, or NULL if out of memory. The
 * compilation may run later and fail then (jit_kernel_function()). */
struct jit_kernel *cpu_kernel_finish(struct cpu_kernel_builder *kb, struct jit_engine *engine,
                                     const char *name);
/* The first half of cpu_kernel_finish(): lowers and optimizes kb->shader and returns it. The caller
 * then owns it, and kb->shader is NULL. */
nir_shader *cpu_kernel_finish_nir(struct cpu_kernel_builder *kb);
/* Waits until the kernel is compiled and returns it. If compilation failed, destroys it and returns
 * NULL. Returns NULL for NULL. */
struct jit_kernel *cpu_kernel_wait(struct jit_kernel *kernel);

/* The builder's cursor before cpu_kernel_enter_prologue(). */
struct cpu_saved_cursor {
    nir_cursor cursor;
    bool moved; /* false: the builder was in the prologue already */
};
/* Moves the builder to the end of the prologue, unless it is in the prologue already. Pass the
 * result to cpu_kernel_leave_prologue(). Calls may be nested. */
struct cpu_saved_cursor cpu_kernel_enter_prologue(struct cpu_kernel_builder *kb);
/* Moves the builder back to where it was before cpu_kernel_enter_prologue(). */
static inline void cpu_kernel_leave_prologue(struct cpu_kernel_builder *kb,
                                             struct cpu_saved_cursor saved)
{
    if (saved.moved) {
        kb->b.cursor = saved.cursor;
        kb->in_prologue = false;
    }
}

/* Emits a load at the cursor from address + offset (bytes), aligned to bit_size. The memory must be
 * constant during the kernel's call. */
nir_def *cpu_load_const(nir_builder *b, unsigned components, unsigned bit_size, nir_def *address,
                        unsigned offset);
/* Like cpu_load_const(), for a field of the struct at `address`. */
#define cpu_load_field(b, address, type, field, components, bit_size)                              \
    cpu_load_const(b, components, bit_size, address, offsetof(type, field))

/* Emits base + offset (bytes), where base is a 64-bit address. */
nir_def *cpu_address_imm(nir_builder *b, nir_def *base, uint64_t offset);

/* A loop with a uniform counter. */
struct cpu_count_loop {
    nir_loop *loop;
    nir_variable *variable;
};
/* Begins a loop whose counter starts at 0 and which ends before an iteration if the counter is at
 * least `limit`, so 0 gives no iterations. Leaves the builder in the loop's body. Stores the NIR
 * value of the counter in *counter. */
struct cpu_count_loop cpu_begin_count_loop(nir_builder *b, nir_def *limit, nir_def **counter);
/* Adds `step` to the counter and ends the loop. Leaves the builder after it. */
void cpu_end_count_loop(nir_builder *b, struct cpu_count_loop *loop, unsigned step);

/* The cpu_lower_* functions replace an instruction of the body by the code that they emit at the
 * cursor. They return false, and do nothing, if they don't handle the instruction. */

/* Returns whether a barrier orders memory that other threads access. One thread runs a work group
 * or a patch, so barriers with a smaller scope than the device need no instructions. */
bool cpu_orders_threads(const nir_intrinsic_instr *barrier);
/* Lowers loads from uniforms and uniform blocks, and loads, stores, atomics and size queries of
 * storage blocks. Out-of-bounds loads and atomics return 0; out-of-bounds writes are ignored.
 * Fragments that are not live write nothing. Removes fragment shader interlocks, and barriers that
 * don't order threads. */
bool cpu_lower_memory(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr);
/* Lowers loads, stores and atomics of shared memory, which is `size` bytes at `address`.
 * Out-of-bounds accesses are handled as by cpu_lower_memory(). */
bool cpu_lower_shared(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *address,
                      unsigned size);
/* Lowers all texture instructions; always returns true. */
bool cpu_lower_tex(struct cpu_kernel_builder *kb, nir_tex_instr *tex);
/* A loop over the different handles in the lanes of a vector (ARB_bindless_texture). Each iteration
 * executes its body in the lanes that have one of the handles. Fragment kernels skip lanes for
 * which kb->quad_live is false. */
struct cpu_handle_loop {
    struct cpu_kernel_builder *kb;
    nir_variable *waiting; /* lanes whose handle was not accessed yet */
    nir_loop *loop;
    bool compact, in_prologue; /* values of kb's fields before the loop */
    nir_def *word[2];          /* low and high half of the handle, uniform */
    nir_def *entry, *class;    /* address of struct cpu_handle, and its class, uniform */
};
/* Begins a loop over the 64-bit handles and leaves the builder in its body. Until the end of the
 * loop, values are not loaded in the prologue but at the cursor. */
void cpu_begin_handles(struct cpu_kernel_builder *kb, nir_def *handle, struct cpu_handle_loop *l);
/* Ends the loop and restores the state of the builder. Leaves it after the loop. */
void cpu_end_handles(struct cpu_handle_loop *l);
/* Begins an if whose then branch executes for handles of the class. Loads there the pointer at byte
 * `offset` of struct cpu_handle (texture or image) and returns it. The caller ends the if with
 * nir_pop_if(). */
nir_def *cpu_begin_handle_class(struct cpu_handle_loop *l, unsigned class, unsigned offset);

/* Lowers image loads, stores, atomics and queries. Bounds and fragments that are not live are
 * handled as by cpu_lower_memory(). */
bool cpu_lower_image(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr);

/* The fields of a struct cpu_level as NIR values. */
struct cpu_level_def {
    nir_def *base;                                      /* 64-bit address */
    nir_def *layer_stride, *sample_stride;              /* bytes, 64 bits */
    nir_def *width, *height, *depth, *tile_w, *tiles_x; /* 32 bits */
    nir_def *scale[2];       /* width and height in 1/256 texel, floats */
    nir_def *rows, *columns; /* 64-bit addresses of offset tables */
};
/* Loads the fields of element `level` of an array of struct cpu_level; NULL: of element 0. */
void cpu_load_level(nir_builder *b, nir_def *address, nir_def *level, struct cpu_level_def *def);
/* Returns 1 bit: the texel at base + offset, an address and bytes, is in committed memory.
 * residency: address of a struct cpu_residency whose `resident` is not NULL. */
nir_def *cpu_is_resident(nir_builder *b, nir_def *residency, nir_def *base, nir_def *offset);
/* Returns the contribution of column x to the index of a texel in its layer. The index is the sum
 * of cpu_texel_column() and cpu_texel_row(). */
nir_def *cpu_texel_column(nir_builder *b, nir_def *x);
/* Returns the contribution of row y to the index of a texel in its layer. */
nir_def *cpu_texel_row(nir_builder *b, const struct cpu_level_def *level, nir_def *y);

/* --- Per-fragment operations: cpu_nir_depth_stencil.c, cpu_nir_blend.c --- */

/* Loads the texels of a vector of pixels; a texel has `components` elements of `size` bits. address
 * is uniform. If it is a scalar, the texels of all lanes are consecutive in memory, starting there.
 * If it is a vec4, component q is the address of the four consecutive texels of quad q. */
nir_def *cpu_load_texels(nir_builder *b, unsigned components, unsigned size, nir_def *address);
/* Stores a vector of texels. address: as for cpu_load_texels(). mask: 1 bit, true in the lanes to
 * store. */
void cpu_store_texels(nir_builder *b, nir_def *value, nir_def *address, nir_def *mask);

/* Parameters of cpu_nir_depth_stencil(). */
struct cpu_zs_inputs {
    nir_def *fs;           /* address of struct cpu_fs_state */
    nir_def *address;      /* address of the vector's texels, as for cpu_load_texels() */
    nir_def *z;            /* window-space depth, float */
    nir_def *stencil_ref;  /* reference value that the shader writes, or NULL */
    nir_def *front_facing; /* 1 bit */
    nir_def *mask;         /* 1 bit: true for the fragments to test */
    const struct cpu_fs_key *key;
};
/* Performs the depth bounds, stencil and depth tests that key->zs enables, and updates the buffer.
 * Returns 1 bit: true for the fragments that passed. */
nir_def *cpu_nir_depth_stencil(nir_builder *b, const struct cpu_zs_inputs *in);

/* Parameters of cpu_nir_blend(). */
struct cpu_blend_inputs {
    nir_def *fs;      /* address of struct cpu_fs_state */
    nir_def *address; /* address of the vector's texels, as for cpu_load_texels() */
    nir_def *mask;    /* 1 bit: true for the fragments to write */
    nir_def *src[4];  /* components of the color, 32 bits each */
    nir_def *src1[4]; /* second color of dual-source blending; NULL if it is not written */
    const struct cpu_blend_key *key;
    unsigned rt; /* index of the color buffer */
    enum drv_format format;
};
/* Blends the fragments with the color buffer or applies the logic operation, and stores the
 * components that the color mask enables. */
void cpu_nir_blend(nir_builder *b, const struct cpu_blend_inputs *in);

/* Returns 1 bit: the result of comparing x with y by func (enum drv_compare_func), as floats or as
 * unsigned integers. */
nir_def *cpu_nir_compare(nir_builder *b, unsigned func, nir_def *x, nir_def *y, bool is_float);

/* --- Builders of kernels --- */

/* The cpu_build_* functions build the kernel of a stage and submit it for compilation (see
 * cpu_kernel_finish()). They also fill in the fields of the zeroed variant that describe outputs
 * and memory, but not `kernel`. They don't change the shader. They return the kernel, which the
 * caller owns, or NULL if out of memory. */

struct jit_kernel *cpu_build_vs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_vs_key *key, struct cpu_vs_variant *variant);
/* Which part of the vertex stage's work a kernel does (struct cpu_vs_parts). */
enum cpu_vs_part {
    CPU_VS_WHOLE,     /* everything */
    CPU_VS_POSITIONS, /* CPU_POSITION_SLOTS, window coordinates and clip codes */
    CPU_VS_REST,      /* the other outputs, for the vectors listed in cpu_vs_args.vector */
};
/* Builds a kernel for a part of a vertex stage. The kernel for CPU_VS_WHOLE must have been built
 * before. The shader must not write memory. */
struct jit_kernel *cpu_build_vs_part(struct jit_engine *engine, const struct cpu_shader *shader,
                                     const struct cpu_vs_key *key, enum cpu_vs_part part);
/* Returns the NIR of a fragment kernel of blocks for vectors of `lanes` lanes. The caller owns it.
 * Also fills in the variant's inputs and max_blocks. Returns NULL if out of memory. */
nir_shader *cpu_build_fs_nir(unsigned lanes, const struct cpu_shader *shader,
                             const struct cpu_fs_key *key, struct cpu_fs_variant *variant);
/* Sets *wide, which builds the variant's kernel for vectors of two registers (cpu_fs_wide.c).
 * variant->max_blocks must be set. *wide owns a copy of the key and a share of the shader's nir;
 * wide->destroy() releases them. Returns false if the shader can't have such a kernel or would not
 * be faster, or if out of memory. */
bool cpu_fs_prepare_wide(const struct cpu_shader *shader, const struct cpu_fs_key *key,
                         const struct cpu_fs_variant *variant, struct jit_wide_kernel *wide);
struct jit_kernel *cpu_build_gs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_gs_key *key, struct cpu_gs_variant *variant);
struct jit_kernel *cpu_build_tcs(struct jit_engine *engine, const struct cpu_shader *shader,
                                 const struct cpu_tcs_key *key, struct cpu_tcs_variant *variant);
struct jit_kernel *cpu_build_tes(struct jit_engine *engine, const struct cpu_shader *shader,
                                 const struct cpu_tes_key *key, struct cpu_tes_variant *variant);
/* Builds a kernel that computes window coordinates and clip codes of vertices. Its argument is a
 * struct cpu_vs_args. It reads the outputs in cpu_vs_args.out, of which only `count` components are
 * defined. component[i] identifies such a component: index of the output * 4 + component. */
struct jit_kernel *cpu_build_finish_vertices(struct jit_engine *engine,
                                             const struct cpu_stage_outputs *outputs,
                                             const uint8_t *component, unsigned count,
                                             const struct cpu_finish_vertices_key *key);
struct jit_kernel *cpu_build_cs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_cs_key *key, struct cpu_cs_variant *variant);
/* Also fills in the variant's early_z, no_op, inputs and max_blocks. */
struct jit_kernel *cpu_build_fs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_fs_key *key, struct cpu_fs_variant *variant);
/* Builds a fragment kernel whose vectors contain quads of several primitives (struct cpu_quad). The
 * engine must have more than 4 lanes. */
struct jit_kernel *cpu_build_fs_quads(struct jit_engine *engine, const struct cpu_shader *shader,
                                      const struct cpu_fs_key *key);
/* Fills in the variant's fields untouched, overwritten and uniform. */
void cpu_fs_describe_targets(const struct cpu_shader *shader, const struct cpu_fs_key *key,
                             struct cpu_fs_variant *variant);

#endif
