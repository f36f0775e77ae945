/* SPDX-License-Identifier: MIT */
/* All passes. A pass that returns bool returns true if it changed the shader. Most passes are in
 * the .c file of the same name. The parameter `modes` is a mask; the pass changes only variables
 * that have one of these modes. */
#ifndef NIR_PASSES_H
#define NIR_PASSES_H

#include "nir.h"

/* --- Variables to values --- */
/* Turns global temporaries that only one function uses into locals of that function. Leaves those
 * with an initializer alone, unless the function is the entrypoint. */
bool nir_lower_global_vars_to_local(nir_shader *shader);
/* Replaces the initializers of outputs, temporaries and shared variables by stores: for globals at
 * the start of the entrypoint, for locals at the start of their function. */
bool nir_lower_variable_initializers(nir_shader *shader, nir_variable_mode modes);
/* Removes all returns. Code after early returns moves into ifs; in loops, returns become breaks. */
bool nir_lower_returns(nir_shader *shader);
/* Inlines every call and removes all functions except the entrypoint. A recursive call and a call
 * of a function without a body are removed without replacement. Runs after nir_lower_returns. */
bool nir_inline_functions(nir_shader *shader);
/* Splits each copy_deref of an aggregate into copies of vectors and scalars. Arrays are not
 * expanded; the copies use wildcard derefs. In nir_lower_var_copies.c. */
bool nir_split_var_copies(nir_shader *shader);
/* Lowers copy_deref to load_deref and store_deref. */
bool nir_lower_var_copies(nir_shader *shader);
/* First step of a driver: lowers initializers (except of shared variables), returns and calls,
 * turns global temporaries into locals, and lowers copies, in this order. */
void nir_prepare_for_driver(nir_shader *shader);
/* Splits temporaries of struct types, or of arrays of structs, into one variable for each leaf
 * field; ignores other modes and variables with an initializer. Runs after nir_split_var_copies. */
bool nir_split_struct_vars(nir_shader *shader, nir_variable_mode modes);
/* Turns function temporaries into SSA values, except parts that are accessed with variable indices,
 * copied, or passed to functions. */
bool nir_lower_vars_to_ssa(nir_shader *shader);
/* Replaces each access with a variable index by a tree of ifs with direct accesses, for arrays of
 * at most max_array_length elements. An index out of range accesses the last element. */
bool nir_lower_indirect_derefs(nir_shader *shader, nir_variable_mode modes,
                               unsigned max_array_length);
/* Moves the function temporaries that remain after nir_lower_vars_to_ssa into scratch memory
 * (load_scratch, store_scratch), and adds their size to nir_shader.scratch_size. Clamps variable
 * indices to the length of the array. Clears variables with data.zero_first at the start of the
 * function. */
bool nir_lower_vars_to_scratch(nir_shader *shader);
/* Removes variables that are never read, and the stores to them. Outputs, images and memory count
 * as read if the shader accesses them. Keeps variables with data.always_active_io. Also removes
 * unused derefs, as nir_remove_dead_derefs does. */
bool nir_remove_dead_variables(nir_shader *shader, nir_variable_mode modes);
/* Removes unused deref instructions. In nir_remove_dead_variables.c. */
bool nir_remove_dead_derefs(nir_shader *shader);
/* Implements framebuffer fetch: outputs marked data.fb_fetch_output are initialized with the color
 * in the framebuffer at the start of a fragment shader. Clears the mark. */
bool nir_lower_framebuffer_fetch(nir_shader *shader);
/* Makes the shader access temporaries instead of inputs and outputs. Inputs are copied to them at
 * the start of the entrypoint; outputs are copied from them at its end, or at each EmitVertex.
 * Excludes inputs of tessellation and geometry shaders, outputs of tessellation control and mesh
 * shaders, inputs that are per-vertex or used by interpolateAt, and outputs marked fb_fetch_output.
 * Outputs that the shader doesn't write become 0, unless they have an initializer. Runs after
 * nir_lower_returns. */
bool nir_lower_io_to_temporaries(nir_shader *shader, bool outputs, bool inputs);
/* Turns accesses to a single component of a vector into accesses to the whole vector. A store with
 * a variable index becomes a load and a store, so modes must not contain memory that invocations
 * share. */
bool nir_lower_array_deref_of_vec(nir_shader *shader, nir_variable_mode modes);
/* Forwards stored and loaded values to later loads of the same variable. Removes stores of the
 * value that the variable already has. */
bool nir_opt_copy_prop_vars(nir_shader *shader);
/* Removes stores that a later store in the same block overwrites before any read. */
bool nir_opt_dead_write_vars(nir_shader *shader);

/* --- SSA --- */
/* Converts to loop-closed SSA: a value that is defined in a loop and used after it gets a phi right
 * after the loop, which the uses read. Derefs get no phi; barycentric coordinates are computed
 * again after the loop. */
bool nir_convert_to_lcssa(nir_shader *shader);
/* Leaves SSA: replaces phis by decl_reg, load_reg and store_reg (Boissinot et al., CGO 2009).
 * Without phi_webs_only, all values that are used in another block become registers, too, except
 * constants, undefined values and derefs. */
bool nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only);
/* Turns registers that are not arrays into SSA values. */
bool nir_lower_regs_to_ssa(nir_shader *shader);
/* Restores SSA form after a change of control flow: if a definition no longer dominates all of its
 * uses, adds phis for the value. */
bool nir_repair_ssa(nir_shader *shader);

/* --- Optimizations --- */
/* Removes instructions that have no side effect and whose result is unused. */
bool nir_opt_dce(nir_shader *shader);
/* Common subexpression elimination: replaces an instruction by an equal one that dominates it. */
bool nir_opt_cse(nir_shader *shader);
/* Copy propagation: makes the users of a mov or vec read its sources directly. In
 * nir_opt_copy_propagate.c. */
bool nir_copy_prop(nir_shader *shader);
/* Evaluates instructions whose sources are constant. */
bool nir_opt_constant_folding(nir_shader *shader);
/* Applies the rules of nir_opt_algebraic.py. */
bool nir_opt_algebraic(nir_shader *shader);
/* Applies the late rules, which produce the forms that drivers prefer. Runs after nir_optimize. */
bool nir_opt_algebraic_late(nir_shader *shader);
/* Removes unreachable code, and ifs and loops without effect. Replaces an if whose condition is
 * constant by the branch that it takes, and a loop that runs once by its body. */
bool nir_opt_dead_cf(nir_shader *shader);
/* Simplifies ifs: replaces uses of the condition in the branches by constants, and phis of true and
 * false by the condition; inverts ifs with an empty then branch; and moves a branch to after the if
 * when the other one ends in a jump. */
bool nir_opt_if(nir_shader *shader);
/* Replaces an if by bcsel instructions if its branches contain only constants, derefs, ALU
 * instructions except derivatives, and loads of inputs, uniforms, kernel arguments and some system
 * values. Together they may have at most `limit` ALU instructions (not counting mov and vec) and
 * loads. */
bool nir_opt_peephole_select(nir_shader *shader, unsigned limit);
/* Replaces 32-bit integer quotients and remainders by multiplications and shifts if the divisor is
 * constant. Leaves an instruction alone if any component of the divisor is 0, 1, -1 (signed
 * operations) or a power of two (unsigned operations). */
bool nir_opt_idiv_const(nir_shader *shader);
/* Removes integer clamps and masks that cannot change the value, and comparisons with a known
 * result, based on bounds of the operands (nir_range_analysis.h). */
bool nir_opt_range(nir_shader *shader);
/* Orders the sources of fmin and fmax, except in exact instructions: if one source may be NaN and
 * the other one is known not to be, the latter becomes the second source. */
bool nir_order_min_max(nir_shader *shader);
/* Removes phis whose sources are all the same value, or equal constants. Other sources may be the
 * phi itself or, if the value dominates the phi's block, undefined. */
bool nir_opt_remove_phis(nir_shader *shader);
/* Simplifies instructions with undefined sources. */
bool nir_opt_undef(nir_shader *shader);
/* Removes a continue at the end of a loop body. */
bool nir_opt_trivial_continues(nir_shader *shader);
/* Turns an if around a discard, demote or terminate into the _if form of that intrinsic. */
bool nir_opt_conditional_discard(nir_shader *shader);
/* In fragment shaders, turns txd without a projector into tex if its explicit gradients are dFdx
 * and dFdy of the coordinates, computed in the same block. */
bool nir_opt_tex_gradients(nir_shader *shader);
/* Shrinks vectors that only ALU instructions use: drops trailing components that none of them
 * reads. */
bool nir_opt_shrink_vectors(nir_shader *shader);
/* Moves constant arrays that are read with variable indices to nir_shader.constant_data, if they
 * have at least `threshold` bytes and at most 64 KiB. Runs before nir_lower_indirect_derefs. */
bool nir_opt_large_constants(nir_shader *shader, unsigned threshold);
/* Merges accesses to adjacent memory in the same block into vector accesses of at most max_bytes
 * bytes. Modes: uniforms, UBO, SSBO, shared, function temporaries (scratch). A merged access is
 * only aligned to its component size, which the driver must support. */
bool nir_opt_load_store_vectorize(nir_shader *shader, nir_variable_mode modes, unsigned max_bytes);
/* Merges barriers in the same block if no memory access, side effect or cross-lane operation lies
 * between them. */
bool nir_opt_barriers(nir_shader *shader);
/* Sets ACCESS_CAN_REORDER on loads from storage blocks that are neither coherent nor volatile: on
 * all of them if the shader writes no storage block, image or counter, otherwise only on those that
 * are restrict and readonly. Runs after nir_lower_explicit_io. */
bool nir_opt_access(nir_shader *shader);
/* Global code motion: moves an instruction out of loops, or down into the only branch that uses its
 * result. */
bool nir_opt_gcm(nir_shader *shader);
/* Moves loop-invariant values that are used after the loop to before the loop, so that
 * nir_convert_to_lcssa adds no phis for them. In nir_loop_invariants.c. */
bool nir_opt_hoist_invariants(nir_shader *shader);
/* Fully unrolls loops whose trip count has a constant bound of at most
 * options->max_unroll_iterations, if the copies together are below fixed limits of instructions
 * (nir_instr_size). */
bool nir_opt_loop_unroll(nir_shader *shader);
/* Repeats the usual optimizations, including nir_opt_loop_unroll, until none makes progress, up to
 * a fixed number of rounds. */
bool nir_optimize(nir_shader *shader);

/* --- Lowering for drivers --- */
/* Splits ALU instructions on vectors, including dot products and packing, into scalar ones. */
bool nir_lower_alu_to_scalar(nir_shader *shader);
/* Splits vector phis into one phi per component. */
bool nir_lower_phis_to_scalar(nir_shader *shader);
/* Splits vector constants into scalar ones. */
bool nir_lower_load_const_to_scalar(nir_shader *shader);
/* Lowers ldexp and frexp of 32-bit and 64-bit floats, and signed integer division and remainder, if
 * the options lower_ldexp, lower_frexp and lower_idiv of the shader are set. */
bool nir_lower_alu(nir_shader *shader);

/* Groups of 64-bit integer operations. */
enum nir_int64_groups {
    /* Addition, subtraction, logic, comparisons, minimum and maximum, selection. */
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
/* Keeps 8-bit and 16-bit values in 32-bit ones, zero-extended. Runs before
 * nir_lower_bool_to_int32. */
bool nir_lower_bit_size(nir_shader *shader);
/* Lowers division, reciprocal, square roots, rounding, fraction, saturation, sign and mix of
 * doubles to fadd, fmul and ffma. Quotients, reciprocals and square roots are correctly rounded; an
 * inverse square root is the reciprocal of the rounded root. */
bool nir_lower_double_ops(nir_shader *shader);
/* Lowers scalar arithmetic on doubles to operations on pairs of 32-bit values. Comparisons are
 * lowered, too, and conversions except those from and to 8 and 16 bits. Results are correctly
 * rounded (frsq and flrp: after each step), and only the bits of NaNs differ from those of constant
 * folding. Selections remain; nir_lower_int64 lowers them. Runs before nir_lower_int64 and
 * nir_lower_bool_to_int32. */
bool nir_lower_doubles(nir_shader *shader);
/* Replaces NaN results of arithmetic with the NaN that nir_eval_const_opcode returns, if their bits
 * are visible to stores, other intrinsics or integer operations. Run it before nir_lower_math,
 * which reads floats as integers but doesn't make their bits visible. */
bool nir_canonicalize_nans(nir_shader *shader);
/* Makes comparisons of 32-bit floats with a constant 0 treat denormals as 0. Other passes fold
 * comparisons of constants with 0 without this rule. */
bool nir_lower_zero_comparisons(nir_shader *shader);
/* Lowers exp2, log2, pow, sin, cos, fmod, frem and flrp to IEEE operations, for scalars. The
 * results are those of constant folding. */
bool nir_lower_math(nir_shader *shader);
/* Lowers scalar freduce_sin and freduce_cos to integer operations in an if. Results have the bits
 * of nir_math_reduce_angle. For drivers that execute sin and cos in hardware and don't run
 * nir_lower_math. */
bool nir_lower_large_angles(nir_shader *shader);
/* Replaces 1-bit booleans by 32-bit integers, 0 or ~0. Runs nir_lower_alu_to_scalar first, because
 * comparisons of whole vectors have no 32-bit form. */
bool nir_lower_bool_to_int32(nir_shader *shader);
/* Lowers accesses to inputs, outputs and uniforms of the default block to load_input,
 * load_interpolated_input (with barycentrics), store_output, load_uniform and similar intrinsics.
 * The base is data.driver_location: an index of 16-byte slots for inputs and outputs, a byte offset
 * for uniforms. Modes of blocks and shared variables are passed to nir_lower_explicit_io. */
bool nir_lower_io(nir_shader *shader, nir_variable_mode modes);
/* Splits 64-bit inputs and outputs, except vertex attributes, into pairs of 32-bit values. Runs
 * after nir_lower_io. */
bool nir_lower_64bit_io(nir_shader *shader);
/* Splits the remaining 64-bit values into pairs of 32-bit values, for drivers without 64-bit
 * registers: scalar constants, phis and undefined values, ballots, memory accesses, and vertex
 * attributes. Components 2 and 3 of an attribute are then loaded from the slot base + 1. Doesn't
 * change arithmetic. Runs after nir_lower_explicit_io and nir_lower_phis_to_scalar. */
bool nir_lower_64bit_values(nir_shader *shader);
/* Replaces sampler and image derefs by indices into the stage's tables: data.binding plus the array
 * index, which is clamped to the array. Counters get the binding as base, and a byte offset. */
bool nir_lower_samplers(nir_shader *shader);
/* Returns the mask of the stage's sampler slots below 32 that texture instructions may access or
 * whose handles the shader loads. Call it before nir_lower_samplers. In nir_lower_samplers.c. */
uint32_t nir_sampled_slots(nir_shader *shader);
/* Replaces loads of system value variables by load_* intrinsics, or by code that computes the value
 * from other system values. */
bool nir_lower_system_values(nir_shader *shader);
/* What nir_lower_subgroups lowers to. */
typedef struct {
    unsigned size; /* lanes of a subgroup: a power of two, at most 32 */
    /* True if the driver executes ALU instructions and shuffles in inactive lanes, too, and
     * supports shuffles by a constant. Otherwise reductions gather the lanes with read_invocation.
     * The order of operations, and so the result, is the same in both cases. */
    bool inactive_compute;
    /* Lower shuffles to read_invocation, and quad operations to shuffles. */
    bool lower_shuffle, lower_quad;
} nir_lower_subgroups_options;
/* Lowers subgroup operations to votes and ballots of conditions, read_first_invocation,
 * read_invocation, and shuffles and quad operations on 32-bit words. Helper invocations count as
 * inactive except in quad operations (KHR_shader_subgroup). They receive the result, too, if it is
 * uniform. */
bool nir_lower_subgroups(nir_shader *shader, const nir_lower_subgroups_options *options);
/* Lowers accesses to uniform blocks, storage blocks and shared variables to intrinsics that take a
 * block index and a byte offset: load_ubo, load_ssbo, store_ssbo, ssbo_atomic, load_shared and so
 * on. If modes contains nir_var_mem_shared, also lays out the shared variables: sets their
 * data.driver_location, and info.cs.shared_size in compute shaders. */
bool nir_lower_explicit_io(nir_shader *shader, nir_variable_mode modes);

/* Selects what nir_lower_tex lowers. */
typedef struct {
    bool lower_txp;         /* divide coordinates and comparator by the projector in the shader */
    bool lower_rect;        /* normalize coordinates of rectangle textures, using txs */
    bool lower_txd_cube;    /* replace txd on cube maps by txl with a computed level */
    bool lower_tg4_offsets; /* replace tg4 with four offsets by four tg4 with one offset each */
    /* Divide the layer count that txs returns for cube arrays by 6, because the driver counts
     * faces. */
    bool lower_txs_cube_array;
} nir_lower_tex_options;
/* Lowers the forms of texture instructions that the options select. */
bool nir_lower_tex(nir_shader *shader, const nir_lower_tex_options *options);

/* Lowers atomic counters to 32-bit words in storage blocks. The block index is info.num_ssbos plus
 * the counter's buffer binding. Runs after nir_lower_samplers. */
bool nir_lower_atomic_counters(nir_shader *shader);
/* Divides the layers that image_size returns for cube arrays by 6, for drivers that count faces.
 * The image_dim of the query becomes 2D. */
bool nir_lower_image(nir_shader *shader);

/* --- Fixed-function state that drivers don't implement; src/gl runs these passes --- */
/* Adds the alpha test to a fragment shader: discards the fragment unless the alpha of color output
 * 0 compares by `func` (enum drv_compare_func) with the reference value, a uniform named by the
 * state tokens. With `smooth`, alpha is first multiplied by the fragment's coverage. Sets
 * info.fs.uses_discard if it changes the shader. */
bool nir_lower_alpha_test(nir_shader *shader, unsigned func, const int16_t tokens[NIR_STATE_LENGTH],
                          bool smooth);
/* Equations of KHR_blend_equation_advanced, in the order of tables X.1 and X.2. */
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
/* Replaces each store to color output 0 by a store of the color blended with the framebuffer's
 * color. With `clamp`, the source color is first clamped to [0, 1]. */
bool nir_lower_advanced_blend(nir_shader *shader, enum nir_advanced_blend equation, bool clamp);
/* Two-sided lighting: reads of color inputs return the back colors for back-facing primitives. */
bool nir_lower_two_sided_color(nir_shader *shader);
/* glShadeModel(GL_FLAT): makes color varyings without an interpolation qualifier flat. */
bool nir_lower_flatshade(nir_shader *shader);
/* Clamps color outputs to [0, 1]. */
bool nir_lower_clamp_color_outputs(nir_shader *shader);
/* Writes clip distance i for each bit i of plane_mask, 0 to 7: the dot product of plane i with
 * gl_ClipVertex, or with gl_Position if the shader doesn't write gl_ClipVertex. If bit i is clear
 * and a higher bit is set, distance i is 0. The state tokens name plane 0; for plane i, i is added
 * to tokens[1]. gl_ClipVertex becomes a temporary. Also works on tessellation evaluation shaders,
 * and on geometry shaders, where it writes the distances at each EmitVertex. Doesn't change shaders
 * that write clip distances themselves; otherwise sets info.clip_distance_array_size. */
bool nir_lower_clip_vs(nir_shader *shader, unsigned plane_mask,
                       const int16_t tokens[NIR_STATE_LENGTH]);
/* Lowers multiview rendering (OVR_multiview) to layered rendering. Call it for every stage of the
 * graphics pipeline. The vertex shader writes the view index to gl_Layer. Later stages read the
 * index from gl_Layer, and those before rasterization also write it there. num_views is the number
 * of views that the program declares; if it is at most 1, the index is 0 and no layer is written.
 * Works on variables, before nir_lower_system_values. */
bool nir_lower_multiview(nir_shader *shader, unsigned num_views);
/* Copies the edge flag attribute of a vertex shader to VARYING_SLOT_EDGE. Must run only once. */
bool nir_lower_passthrough_edgeflags(nir_shader *shader);
/* Point sprites: in a fragment shader, replaces texture coordinate input n by the point coordinate
 * (s, t, 0, 1) for each bit n (0 to 7) of the mask. With `y_flip`, the origin is the lower left
 * corner. */
bool nir_lower_texcoord_replace(nir_shader *shader, unsigned mask, bool y_flip);

/* Recomputes the fields of shader->info that follow from the code and its variables. num_textures,
 * num_images, num_ubos and num_ssbos never decrease, because lowering may have removed variables.
 * gs.uses_end_primitive and gs.active_stream_mask aren't cleared, either. textures_used is 0 before
 * nir_lower_samplers. */
void nir_shader_gather_info(nir_shader *shader);

#endif
