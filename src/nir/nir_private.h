/* SPDX-License-Identifier: MIT */
/* What the core files of this room share and nobody else needs. */
#ifndef NIR_PRIVATE_H
#define NIR_PRIVATE_H

#include "nir.h"

nir_block *nir_block_create(nir_shader *shader);
/* Without blocks. */
nir_if *nir_if_create_bare(nir_shader *shader);
/* Sets the successors (either may be NULL) and adds the edges; phis are not touched. */
void nir_link_blocks(nir_block *pred, nir_block *succ0, nir_block *succ1);
/* Gives the block the successors that its place and its jump ask for. Jumps that leave a list which
 * is not in a function get none. with_phis: phis of successors lose and gain sources (undefs). */
void nir_relink_block(nir_block *block, bool with_phis);
/* Adds instr at the end of a block that is in no function: sources are linked, the CFG is not. */
void nir_instr_append_detached(nir_block *block, nir_instr *instr);
/* A mov or vec. */
bool nir_instr_is_copy(const nir_instr *instr);
/* Whether it does more than to give its result. */
bool nir_instr_has_effect(const nir_instr *instr);
/* Whether it may run anywhere that its sources are available: no effect, reads nothing that may be
 * written, and doesn't depend on which lanes are active. False for constants, which cost nothing. */
bool nir_instr_is_movable(const nir_instr *instr);
/* Needs nir_metadata_block_index. */
bool nir_loop_contains(const nir_loop *loop, const nir_block *block);
/* Marks (pass_flags) the instructions of the loop that could run before it: constants, undefs, and
 * what computes from these and values from outside. Needs nir_metadata_block_index. */
void nir_mark_loop_invariants(nir_loop *loop);
/* After nir_mark_loop_invariants: whether def is the same in all iterations of the loop. */
bool nir_is_loop_invariant(const nir_loop *loop, const nir_def *def);
/* Adds instr to what impl may have. */
void nir_impl_note_instr(nir_function_impl *impl, const nir_instr *instr);
void nir_instr_unlink_srcs(nir_instr *instr);
void nir_if_link_condition(nir_if *nif);
/* The same path once more, at the cursor: derefs do not go through phis and registers. */
nir_deref_instr *nir_build_deref_chain(nir_builder *b, nir_deref_instr *deref);
/* Replaces instr, and what only it read, by constants before it if its sources decide it. */
bool nir_fold_instr(nir_builder *b, nir_instr *instr);
/* Every phi of the block becomes a register. */
bool nir_block_phis_to_regs(nir_block *block);
/* An undef at the start of the function. */
nir_def *nir_impl_undef(nir_function_impl *impl, unsigned num_components, unsigned bit_size);
nir_shader *nir_impl_shader(const nir_function_impl *impl);
/* nir_validate_shader's rules, for shaders that come from outside. */
bool nir_is_valid(nir_shader *shader);
/* Deref of what an intrinsic loads, stores or interpolates; NULL for all other intrinsics. */
nir_deref_instr *nir_intrinsic_value_deref(nir_intrinsic_instr *intr);

/* Layout of variables in memory of our own: bytes to a member, from element to element (the sizes are
 * glsl_packed_size's). */
unsigned nir_packed_field_offset(const struct glsl_type *type, unsigned field);
unsigned nir_packed_stride(const struct glsl_type *element);

/* nir_lower_indirect_derefs of clip and cull distances, which are packed four to a slot. */
bool nir_lower_indirect_compact(nir_shader *shader, nir_variable_mode modes);

#endif
