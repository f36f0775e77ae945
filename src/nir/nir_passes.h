/* SPDX-License-Identifier: MIT */
/* Every pass, one file each (nir_<name>.c). All return whether they made progress. */
#ifndef NIR_PASSES_H
#define NIR_PASSES_H

#include "nir.h"

/* --- Variables to values --- */
bool nir_lower_global_vars_to_local(nir_shader *shader);
/* Writes initializers of these modes at the start of the entrypoint. */
bool nir_lower_variable_initializers(nir_shader *shader, nir_variable_mode modes);
bool nir_lower_returns(nir_shader *shader);
/* Inlines every call; only the entrypoint is left afterwards. */
bool nir_inline_functions(nir_shader *shader);
bool nir_split_var_copies(
    nir_shader *shader); /* copy_deref of aggregates → of vectors, wildcards for arrays */
bool nir_lower_var_copies(nir_shader *shader); /* copy_deref → load_deref, store_deref */
/* What drivers begin with: one function without calls, inner returns, initializers and copies. */
void nir_flatten(nir_shader *shader);
bool nir_split_struct_vars(nir_shader *shader, nir_variable_mode modes);
bool nir_lower_vars_to_ssa(nir_shader *shader); /* function temporaries without indirects */
/* Access with an index that is no constant → a tree of ifs, for these modes. */
bool nir_lower_indirect_derefs(nir_shader *shader, nir_variable_mode modes,
                               unsigned max_array_length);
/* What vars_to_ssa leaves → load_scratch / store_scratch. */
bool nir_lower_vars_to_scratch(nir_shader *shader);
bool nir_remove_dead_variables(nir_shader *shader, nir_variable_mode modes);
bool nir_remove_dead_derefs(nir_shader *shader);
/* Outputs that are fb_fetch_output, and have locations, begin as what the framebuffer has; they are
 * outputs like others then. */
bool nir_lower_framebuffer_fetch(nir_shader *shader);
/* Inputs and/or outputs are copied to temporaries at the start and from them at the end. */
bool nir_lower_io_to_temporaries(nir_shader *shader, bool outputs, bool inputs);
bool nir_lower_array_deref_of_vec(nir_shader *shader, nir_variable_mode modes);
bool nir_opt_copy_prop_vars(nir_shader *shader);
bool nir_opt_dead_write_vars(nir_shader *shader);

/* --- SSA --- */
bool nir_convert_to_lcssa(nir_shader *shader);
/* Out of SSA: phis become decl_reg / load_reg / store_reg (Boissinot et al., CGO 2009). */
bool nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only);
bool nir_lower_regs_to_ssa(nir_shader *shader);
bool nir_repair_ssa(nir_shader *shader);

/* --- Optimizations --- */
bool nir_opt_dce(nir_shader *shader);
bool nir_opt_cse(nir_shader *shader);
bool nir_copy_prop(nir_shader *shader);
bool nir_opt_constant_folding(nir_shader *shader);
bool nir_opt_algebraic(nir_shader *shader);      /* generated from nir_opt_algebraic.py */
bool nir_opt_algebraic_late(nir_shader *shader); /* after the loop: towards what drivers like */
bool nir_opt_dead_cf(nir_shader *shader);
bool nir_opt_if(nir_shader *shader);
bool nir_opt_peephole_select(nir_shader *shader, unsigned limit);
bool nir_opt_idiv_const(nir_shader *shader); /* divisions of 32 bits by constants */
bool nir_opt_range(nir_shader *shader); /* clamps and comparisons of integers with known bounds */
bool nir_opt_remove_phis(nir_shader *shader);
bool nir_opt_undef(nir_shader *shader);
bool nir_opt_trivial_continues(nir_shader *shader);
bool nir_opt_conditional_discard(nir_shader *shader);
/* Texture functions with gradients that are those of their coordinates → without. */
bool nir_opt_tex_gradients(nir_shader *shader);
bool nir_opt_shrink_vectors(nir_shader *shader);
/* Constant arrays of threshold bytes and more that are indexed by values → constant_data. */
bool nir_opt_large_constants(nir_shader *shader, unsigned threshold);
/* Neighboring accesses to memory of these modes (uniforms, UBO, SSBO, shared) become one of at most
 * max_bytes, which the memory takes at any multiple of a component's size. */
bool nir_opt_load_store_vectorize(nir_shader *shader, nir_variable_mode modes, unsigned max_bytes);
/* Barriers with nothing between them → one. */
bool nir_opt_barriers(nir_shader *shader);
/* Loads of storage that nobody writes get ACCESS_CAN_REORDER. After nir_lower_explicit_io. */
bool nir_opt_access(nir_shader *shader);
/* Code moves out of loops, and down into the branch that alone uses it. */
bool nir_opt_gcm(nir_shader *shader);
/* Values that are used after a loop and could be computed before it are computed before it. Without
 * it nir_convert_to_lcssa would make phis for them. */
bool nir_opt_hoist_invariants(nir_shader *shader);
/* Full unrolling of loops whose trip count has a constant bound, bounded by
 * options->max_unroll_iterations. */
bool nir_opt_loop_unroll(nir_shader *shader);
/* The usual loop over the passes above until none makes progress. */
bool nir_optimize(nir_shader *shader);

/* --- Lowering towards drivers --- */
/* Vector ALU and phis → scalars. */
bool nir_lower_alu_to_scalar(nir_shader *shader);
bool nir_lower_phis_to_scalar(nir_shader *shader);
bool nir_lower_load_const_to_scalar(nir_shader *shader);
bool nir_lower_alu(nir_shader *shader);

/* Groups of operations on 64-bit integers. */
enum nir_int64_groups {
    NIR_INT64_SUMS = 1 << 0, /* and logic, comparisons, minima, selections */
    NIR_INT64_SHIFTS = 1 << 1,
    NIR_INT64_PRODUCTS = 1 << 2,
    NIR_INT64_QUOTIENTS = 1 << 3,
    NIR_INT64_BITS = 1 << 4, /* counting, finding, extracting; signs, carries and saturation */
    NIR_INT64_CONVERSIONS = 1 << 5,
    NIR_INT64_ALL = (1 << 6) - 1,
};
/* 64-bit integers of these groups → pairs of 32 bits. Before booleans have 32. */
bool nir_lower_int64(nir_shader *shader, unsigned groups);
/* Values of 8 and 16 bits → 32 bits that begin with zeros. Before booleans have 32. */
bool nir_lower_bit_size(nir_shader *shader);
/* Doubles: division, roots, rounding, signs → sums, products, ffma; correctly rounded. */
bool nir_lower_double_ops(nir_shader *shader);
bool nir_lower_bool_to_int32(nir_shader *shader);
/* Slots of 16 bytes for in- and outputs from data.location / driver_location; system values and
 * uniforms likewise: derefs of these modes → load_input, store_output, load_interpolated_input
 * (with barycentrics), load_uniform (base and offset in bytes), load_ubo, load_ssbo … */
bool nir_lower_io(nir_shader *shader, nir_variable_mode modes);
/* In- and outputs of 64 bits, but for vertex attributes → pairs of 32 bits. After nir_lower_io. */
bool nir_lower_wide_io(nir_shader *shader);
/* Sampler derefs → texture_index and sampler_index (data.binding), with texture_offset. */
bool nir_lower_samplers(nir_shader *shader);
/* Before it: bits of the slots (data.binding and on) that texture instructions can reach. */
uint32_t nir_sampled_slots(nir_shader *shader);
/* System value variables → intrinsics; those that a driver lacks from others. */
bool nir_lower_system_values(nir_shader *shader);
typedef struct {
    unsigned size; /* lanes of a vector, a power of two up to 32 */
    /* ALU instructions and shuffles compute what inactive lanes hold, too; there are shuffles by a
     * constant. If not: values of lanes are gathered by read_invocation, in all orders the same. */
    bool inactive_compute;
    bool lower_shuffle, lower_quad; /* to read_invocation; to shuffles */
} nir_lower_subgroups_options;
/* What invocations of a subgroup tell each other → votes and ballots of conditions,
 * read_first_invocation, read_invocation, shuffles and quads of words. Helper invocations take part
 * in quads alone, as if they were inactive (KHR_shader_subgroup); what is uniform they get as well. */
bool nir_lower_subgroups(nir_shader *shader, const nir_lower_subgroups_options *options);
/* UBO and SSBO derefs → load_ubo(index, byte offset), load_ssbo, store_ssbo, ssbo_atomic. */
bool nir_lower_explicit_io(nir_shader *shader, nir_variable_mode modes);

typedef struct {
    bool lower_txp;      /* divide by the projector in the shader (all dims) */
    bool lower_rect;     /* unnormalized → normalized (txs) */
    bool lower_txd_cube; /* explicit derivatives of cubes → level */
    bool lower_tg4_offsets;
    bool lower_txs_cube_array; /* the query counts faces */
} nir_lower_tex_options;
bool nir_lower_tex(nir_shader *shader, const nir_lower_tex_options *options);

/* Atomic counters → words of storage blocks: of block info.num_ssbos + the counter's binding. */
bool nir_lower_atomic_counters(nir_shader *shader);
/* Sizes of cube array images, where drivers count faces. */
bool nir_lower_image(nir_shader *shader);

/* --- State that modern drivers do not have, lowered by src/gl --- */
/* discard_if unless color output 0's alpha passes (enum drv_compare_func); ref: a uniform float
 * with these state tokens. smooth: primitives may be, and alpha is what coverage leaves of it. */
bool nir_lower_alpha_test(nir_shader *shader, unsigned func, const int16_t tokens[NIR_STATE_LENGTH],
                          bool smooth);
/* KHR_blend_equation_advanced, in the order of its table X.3. */
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
/* Stores to color output 0 store what blending with the framebuffer gives; clamp: of colors within
 * 0 … 1. */
bool nir_lower_advanced_blend(nir_shader *shader, enum nir_advanced_blend equation, bool clamp);
bool nir_lower_two_sided_color(nir_shader *shader);
/* INTERP_MODE_NONE colors become flat. */
bool nir_lower_flatshade(nir_shader *shader);
bool nir_lower_clamp_color_outputs(nir_shader *shader);
/* gl_ClipVertex / gl_Position × enabled user planes → clip distances. tokens of plane 0; plane i
 * has tokens[1] + i. */
bool nir_lower_clip_vs(nir_shader *shader, unsigned plane_mask,
                       const int16_t tokens[NIR_STATE_LENGTH]);
/* The edge flag attribute → VARYING_SLOT_EDGE, once. */
bool nir_lower_passthrough_edgeflags(nir_shader *shader);
/* TEXn inputs in the mask are replaced by the point coordinate; y_flip: its origin is the lower
 * left. */
bool nir_lower_texcoord_replace(nir_shader *shader, unsigned mask, bool y_flip);

/* Information that nir_shader_info holds, from the code. */
void nir_shader_gather_info(nir_shader *shader);

#endif
