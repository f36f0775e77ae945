/* SPDX-License-Identifier: MIT */
/* All passes. Unless noted, each is in nir_<name>.c and returns true if it made progress. "For
 * these modes" means variables with one of the modes in the mask. */
#ifndef NIR_PASSES_H
#define NIR_PASSES_H

#include "nir.h"

/* --- Variables to values --- */
/* Turns global temporaries that only one function uses into locals of that function. */
bool nir_lower_global_vars_to_local(nir_shader *shader);
/* Replaces the initializers of variables, for these modes, by stores at the start of the
 * entrypoint. */
bool nir_lower_variable_initializers(nir_shader *shader, nir_variable_mode modes);
/* Removes returns in the middle of functions by moving the code that follows into ifs. */
bool nir_lower_returns(nir_shader *shader);
/* Inlines every call and removes all functions except the entrypoint. */
bool nir_inline_functions(nir_shader *shader);
/* Splits copy_deref of aggregates into copies of vectors, with wildcards for arrays. */
bool nir_split_var_copies(nir_shader *shader);
/* Lowers copy_deref to load_deref and store_deref. */
bool nir_lower_var_copies(nir_shader *shader);
/* First step of a driver: lowers initializers, returns, calls and copies, in this order
 * (nir_prepare_for_driver.c). */
void nir_prepare_for_driver(nir_shader *shader);
/* Splits struct variables into one variable for each field, for these modes. Copies must be
 * split. */
bool nir_split_struct_vars(nir_shader *shader, nir_variable_mode modes);
/* Promotes function temporaries whose accesses have only constant indices to SSA values. */
bool nir_lower_vars_to_ssa(nir_shader *shader);
/* Replaces accesses with an index that is not constant by a tree of ifs with direct accesses, for
 * these modes and for arrays of at most max_array_length elements. */
bool nir_lower_indirect_derefs(nir_shader *shader, nir_variable_mode modes,
                               unsigned max_array_length);
/* Moves the function temporaries that nir_lower_vars_to_ssa leaves to scratch memory (load_scratch,
 * store_scratch). */
bool nir_lower_vars_to_scratch(nir_shader *shader);
/* Removes variables of these modes that are never read, with the stores to them. */
bool nir_remove_dead_variables(nir_shader *shader, nir_variable_mode modes);
/* Removes derefs without uses. */
bool nir_remove_dead_derefs(nir_shader *shader);
/* Initializes outputs that are fb_fetch_output and have a location with the color in the
 * framebuffer, and clears the flag. */
bool nir_lower_framebuffer_fetch(nir_shader *shader);
/* Copies inputs to temporaries at the start of the entrypoint, and outputs from temporaries at its
 * end. */
bool nir_lower_io_to_temporaries(nir_shader *shader, bool outputs, bool inputs);
/* Turns accesses to a single component of a vector into accesses to the whole vector, for these
 * modes. */
bool nir_lower_array_deref_of_vec(nir_shader *shader, nir_variable_mode modes);
/* Forwards stored and loaded values to later loads of the same variable. */
bool nir_opt_copy_prop_vars(nir_shader *shader);
/* Removes stores that a later store in the same block overwrites. */
bool nir_opt_dead_write_vars(nir_shader *shader);

/* --- SSA --- */
/* Converts to loop-closed SSA: adds phis after a loop for values of the loop that are used
 * there. */
bool nir_convert_to_lcssa(nir_shader *shader);
/* Leaves SSA: replaces phis by decl_reg, load_reg and store_reg (Boissinot et al., CGO 2009).
 * Without phi_webs_only, all values that are used in another block become registers, too. */
bool nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only);
/* Turns registers that have no indirect accesses into SSA values. */
bool nir_lower_regs_to_ssa(nir_shader *shader);
/* Adds the phis that values need whose definition no longer dominates all uses. */
bool nir_repair_ssa(nir_shader *shader);

/* --- Optimizations --- */
/* Removes instructions without effect whose results are unused. */
bool nir_opt_dce(nir_shader *shader);
/* Shares equal instructions; the first must dominate the others. */
bool nir_opt_cse(nir_shader *shader);
/* Makes uses of mov and vec read the sources of these instructions. */
bool nir_copy_prop(nir_shader *shader);
bool nir_opt_constant_folding(nir_shader *shader);
/* Applies the rules of nir_opt_algebraic.py. */
bool nir_opt_algebraic(nir_shader *shader);
/* Applies the late rules, which produce the forms that drivers prefer. Runs after nir_optimize. */
bool nir_opt_algebraic_late(nir_shader *shader);
/* Removes ifs with constant conditions, unreachable code, and ifs and loops without effect. */
bool nir_opt_dead_cf(nir_shader *shader);
/* Simplifies ifs: removes nested ifs with a known condition and merges adjacent ones. */
bool nir_opt_if(nir_shader *shader);
/* Turns ifs into bcsel if their branches have at most `limit` instructions in total and no
 * effects. */
bool nir_opt_peephole_select(nir_shader *shader, unsigned limit);
/* Replaces 32-bit integer divisions by constants with multiplications and shifts. */
bool nir_opt_idiv_const(nir_shader *shader);
/* Removes integer clamps, masks and comparisons whose result follows from known bounds. */
bool nir_opt_range(nir_shader *shader);
/* Removes phis whose sources are all the same value. */
bool nir_opt_remove_phis(nir_shader *shader);
/* Simplifies instructions with undefined sources. */
bool nir_opt_undef(nir_shader *shader);
/* Removes a continue at the end of a loop body. */
bool nir_opt_trivial_continues(nir_shader *shader);
/* Turns an if around a discard, demote or terminate into the _if form of that intrinsic. */
bool nir_opt_conditional_discard(nir_shader *shader);
/* Drops explicit gradients that are the derivatives of the coordinates: txd becomes tex. */
bool nir_opt_tex_gradients(nir_shader *shader);
/* Removes components that are never read from the results of vector instructions. */
bool nir_opt_shrink_vectors(nir_shader *shader);
/* Moves arrays of at least `threshold` bytes that hold constants and are read with variable indices
 * to nir_shader.constant_data. */
bool nir_opt_large_constants(nir_shader *shader, unsigned threshold);
/* Merges adjacent memory accesses within a block, for these modes (uniforms, UBO, SSBO, shared), to
 * at most max_bytes. The memory must allow alignment to the component size only. */
bool nir_opt_load_store_vectorize(nir_shader *shader, nir_variable_mode modes, unsigned max_bytes);
/* Merges barriers with no memory access between them. */
bool nir_opt_barriers(nir_shader *shader);
/* Sets ACCESS_CAN_REORDER on loads from buffers that the shader doesn't write. Runs after
 * nir_lower_explicit_io. */
bool nir_opt_access(nir_shader *shader);
/* Global code motion: moves code out of loops and down into the only branch that uses it. */
bool nir_opt_gcm(nir_shader *shader);
/* Moves loop-invariant values that are used after a loop to before the loop
 * (nir_loop_invariants.c). Otherwise nir_convert_to_lcssa would add phis for them. */
bool nir_opt_hoist_invariants(nir_shader *shader);
/* Fully unrolls loops whose trip count has a constant bound of at most
 * options->max_unroll_iterations. */
bool nir_opt_loop_unroll(nir_shader *shader);
/* Repeats the usual optimizations until none makes progress (nir_optimize.c). */
bool nir_optimize(nir_shader *shader);

/* --- Lowering for drivers --- */
/* Split vector operations, phis and constants into scalar ones. */
bool nir_lower_alu_to_scalar(nir_shader *shader);
bool nir_lower_phis_to_scalar(nir_shader *shader);
bool nir_lower_load_const_to_scalar(nir_shader *shader);
/* Lowers ldexp, frexp and signed integer division as nir_shader_compiler_options asks. */
bool nir_lower_alu(nir_shader *shader);

/* Groups of 64-bit integer operations. */
enum nir_int64_groups {
    /* Also logic, comparisons, minimum and maximum, selection. */
    NIR_INT64_ADD_LOGIC = 1 << 0,
    NIR_INT64_SHIFTS = 1 << 1,
    NIR_INT64_MULTIPLY = 1 << 2,
    NIR_INT64_DIVIDE = 1 << 3,
    /* Bit counts, bit searches, extraction, signs, carries and saturation. */
    NIR_INT64_BITS = 1 << 4,
    NIR_INT64_CONVERSIONS = 1 << 5,
    NIR_INT64_ALL = (1 << 6) - 1,
};
/* Lowers 64-bit integer operations of these groups to operations on pairs of 32-bit values. Runs
 * before nir_lower_bool_to_int32. */
bool nir_lower_int64(nir_shader *shader, unsigned groups);
/* Widens 8-bit and 16-bit values to 32 bits with zero upper bits. Runs before
 * nir_lower_bool_to_int32. */
bool nir_lower_bit_size(nir_shader *shader);
/* Lowers division, reciprocal, square roots, rounding and sign of doubles to fadd, fmul and ffma;
 * the results are correctly rounded. */
bool nir_lower_double_ops(nir_shader *shader);
/* Replaces 1-bit booleans by 32-bit integers, 0 or ~0. */
bool nir_lower_bool_to_int32(nir_shader *shader);
/* Lowers derefs of inputs, outputs and uniforms of the default block, for these modes, to
 * load_input, load_interpolated_input (with barycentrics), store_output, load_uniform and similar
 * intrinsics. Inputs and outputs use 16-byte slots from data.driver_location; uniforms use byte
 * offsets. */
bool nir_lower_io(nir_shader *shader, nir_variable_mode modes);
/* Splits 64-bit inputs and outputs, except vertex attributes, into pairs of 32-bit values. Runs
 * after nir_lower_io. */
bool nir_lower_64bit_io(nir_shader *shader);
/* Replaces sampler, image and atomic counter derefs by indices from data.binding, plus a dynamic
 * offset. */
bool nir_lower_samplers(nir_shader *shader);
/* Returns the mask of sampler slots that texture instructions can access. Runs before
 * nir_lower_samplers. */
uint32_t nir_sampled_slots(nir_shader *shader);
/* Replaces loads of system value variables by intrinsics and derives values that drivers don't
 * provide. */
bool nir_lower_system_values(nir_shader *shader);
typedef struct {
    unsigned size; /* lanes of a vector: a power of two, at most 32 */
    /* The driver computes ALU instructions and shuffles in inactive lanes, too, and has shuffles by
     * a constant. Otherwise lane values are gathered with read_invocation. The order of operations,
     * and so the result, is the same in both cases. */
    bool inactive_compute;
    bool lower_shuffle, lower_quad; /* lower_shuffle: to read_invocation; lower_quad: to shuffles */
} nir_lower_subgroups_options;
/* Lowers subgroup operations to votes and ballots of conditions, read_first_invocation,
 * read_invocation, and shuffles and quad operations on 32-bit words. Helper invocations count as
 * inactive except in quad operations (KHR_shader_subgroup), but they receive uniform results. */
bool nir_lower_subgroups(nir_shader *shader, const nir_lower_subgroups_options *options);
/* Lowers derefs of uniform blocks, storage blocks and shared variables, for these modes, to
 * accesses by block index and byte offset: load_ubo, load_ssbo, store_ssbo, ssbo_atomic,
 * load_shared and so on. */
bool nir_lower_explicit_io(nir_shader *shader, nir_variable_mode modes);

typedef struct {
    bool lower_txp;            /* divides by the projector in the shader, for all dimensions */
    bool lower_rect;           /* normalizes rectangle coordinates by the size from txs */
    bool lower_txd_cube;       /* explicit derivatives of cube maps to a level of detail */
    bool lower_tg4_offsets;    /* to four tg4 with one offset each */
    bool lower_txs_cube_array; /* divides the driver's layer count, which counts faces, by 6 */
} nir_lower_tex_options;
bool nir_lower_tex(nir_shader *shader, const nir_lower_tex_options *options);

/* Lowers atomic counters to 32-bit words in storage block info.num_ssbos + binding. */
bool nir_lower_atomic_counters(nir_shader *shader);
/* Divides the layer count of cube array images by 6 for drivers that count faces. */
bool nir_lower_image(nir_shader *shader);

/* --- Fixed-function state that drivers don't have; src/gl runs these passes --- */
/* Discards the fragment unless alpha of color output 0 passes the test `func` (enum
 * drv_compare_func) against the uniform float named by the state tokens. smooth: alpha is
 * multiplied by the fragment's coverage first. */
bool nir_lower_alpha_test(nir_shader *shader, unsigned func, const int16_t tokens[NIR_STATE_LENGTH],
                          bool smooth);
/* Equations of KHR_blend_equation_advanced, in the order of table X.3. */
enum nir_advanced_blend {
    NIR_BLEND_MULTIPLY,
    NIR_BLEND_SCREEN,
    NIR_BLEND_OVERLAY,
    NIR_BLEND_DARKEN,
    NIR_BLEND_LIGHTEN,
    NIR_BLEND_COLORDODGE,
    NIR_BLEND_COLORBURN,
    NIR_BLEND_HARDLIGHT,
    NIR_BLEND_SOFTLIGHT,
    NIR_BLEND_DIFFERENCE,
    NIR_BLEND_EXCLUSION,
    NIR_BLEND_HSL_HUE,
    NIR_BLEND_HSL_SATURATION,
    NIR_BLEND_HSL_COLOR,
    NIR_BLEND_HSL_LUMINOSITY,
};
/* Blends stores to color output 0 with the framebuffer's color. clamp: clamps the source color to 0
 * … 1 first. */
bool nir_lower_advanced_blend(nir_shader *shader, enum nir_advanced_blend equation, bool clamp);
/* Selects the back color inputs for back-facing primitives. */
bool nir_lower_two_sided_color(nir_shader *shader);
/* Makes color inputs with INTERP_MODE_DEFAULT flat. */
bool nir_lower_flatshade(nir_shader *shader);
/* Clamps color outputs to 0 … 1. */
bool nir_lower_clamp_color_outputs(nir_shader *shader);
/* Writes clip distances: the dot products of gl_ClipVertex, or gl_Position, with the planes in
 * plane_mask. tokens name the state of plane 0; tokens[1] + i is used for plane i. */
bool nir_lower_clip_vs(nir_shader *shader, unsigned plane_mask,
                       const int16_t tokens[NIR_STATE_LENGTH]);
/* Copies the edge flag attribute to VARYING_SLOT_EDGE. Must run only once. */
bool nir_lower_passthrough_edgeflags(nir_shader *shader);
/* Replaces the TEXn inputs in the mask by the point coordinate. y_flip: the origin is the lower
 * left corner. */
bool nir_lower_texcoord_replace(nir_shader *shader, unsigned mask, bool y_flip);

/* Fills nir_shader_info from the code. */
void nir_shader_gather_info(nir_shader *shader);

#endif
