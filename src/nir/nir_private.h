/* SPDX-License-Identifier: MIT */
/* Functions shared by the files of src/nir only. */
#ifndef NIR_PRIVATE_H
#define NIR_PRIVATE_H

#include "nir.h"

/* Creates an empty block that is in no list. */
nir_block *nir_block_create(nir_shader *shader);
/* Creates an if whose lists are empty; nir_if_create adds the blocks. */
nir_if *nir_if_create_bare(nir_shader *shader);
/* Sets the successors of pred, which has none yet. Each may be NULL. Adds pred to their
 * predecessors. Doesn't change phis. */
void nir_link_blocks(nir_block *pred, nir_block *succ0, nir_block *succ1);
/* Computes the block's successors from its position and its jump, if any, and sets them. In a list
 * outside of any function, edges out of the list and between its top-level nodes are left out. If
 * with_phis is true, also removes the block's phi sources from old successors and adds undefined
 * ones in new successors. */
void nir_relink_block(nir_block *block, bool with_phis);
/* Appends instr to a block outside of any function and registers its sources as uses. If instr is a
 * jump, the caller updates the CFG. */
void nir_instr_append_detached(nir_block *block, nir_instr *instr);
/* Does the same as nir_instr_insert, but in constant time, because it doesn't search for the
 * function. impl is the function that contains the cursor, or NULL if the cursor is in extracted
 * code. */
void nir_instr_insert_in(nir_function_impl *impl, nir_cursor cursor, nir_instr *instr);
/* Returns true for mov and vec. */
bool nir_instr_is_copy(const nir_instr *instr);
/* Returns true if instr has a side effect in addition to its result. A volatile access counts as
 * one. */
bool nir_instr_has_effect(const nir_instr *instr);
/* Returns true if instr may be moved to any point where its sources are available: it has no side
 * effect, doesn't read writable memory, and doesn't depend on the set of active lanes. Returns
 * false for all instructions except ALU instructions, texture instructions and intrinsics. */
bool nir_instr_is_movable(const nir_instr *instr);
/* Returns true if the block is in the loop's body. Requires nir_metadata_block_index. */
bool nir_loop_contains(const nir_loop *loop, const nir_block *block);
/* Sets pass_flags of each instruction of the loop to 1 if it is invariant, that is, if it could run
 * before the loop; otherwise to 0. Constants, undefined values, and movable ALU instructions and
 * intrinsics are invariant if each of their sources is invariant or from outside of the loop. An
 * intrinsic with sources under an if or in an inner loop is not marked, because it may be a load
 * whose address is only valid there. Requires nir_metadata_block_index. */
void nir_mark_loop_invariants(nir_loop *loop);
/* Returns true if def comes from outside of the loop or from an instruction that
 * nir_mark_loop_invariants() has marked; call that function first. */
bool nir_is_loop_invariant(const nir_loop *loop, const nir_def *def);
/* Updates instr_types, deref_modes, has_indirect_derefs and has_copies of impl for instr. */
void nir_impl_add_instr_kind(nir_function_impl *impl, const nir_instr *instr);
/* Removes the sources of instr from the uses of their definitions. */
void nir_instr_unlink_srcs(nir_instr *instr);
/* Adds the condition to the uses of its definition. */
void nir_if_link_condition(nir_if *nif);
/* Builds a copy of the deref chain at the cursor and returns its last deref. Used where code moves
 * to another block, because derefs must not pass through phis or registers. */
nir_deref_instr *nir_build_deref_chain(nir_builder *b, nir_deref_instr *deref);
/* Folds instr if its sources are constant: replaces it by its value, or removes a discard whose
 * condition is false. Of shuffles and other moves between lanes, only the value must be constant.
 * Removes the instructions that only instr used. Returns true on success. */
bool nir_fold_instr(nir_builder *b, nir_instr *instr);
/* Replaces every phi of the block by a register (decl_reg, load_reg, store_reg). Returns true if
 * the block had a phi. */
bool nir_block_phis_to_regs(nir_block *block);
/* Inserts an undefined value at the start of the function and returns it. */
nir_def *nir_impl_undef(nir_function_impl *impl, unsigned num_components, unsigned bit_size);
/* Returns the shader that contains the function. */
nir_shader *nir_impl_shader(const nir_function_impl *impl);
/* Returns true if the shader satisfies the rules of nir_validate_shader. Used for shaders that were
 * deserialized, which may be malformed. */
bool nir_is_valid(nir_shader *shader);
/* Returns the deref that an intrinsic loads from, stores to or interpolates; NULL for other
 * intrinsics. */
nir_deref_instr *nir_intrinsic_value_deref(nir_intrinsic_instr *intr);

/* The packed layout (glsl_packed_size) of variables in scratch memory and constant data. Return the
 * byte offset of a struct's field, and the bytes from one array element to the next. */
unsigned nir_packed_field_offset(const struct glsl_type *type, unsigned field);
unsigned nir_packed_stride(const struct glsl_type *element);

/* Does what nir_lower_indirect_derefs does, but only for variables with data.compact (clip and cull
 * distances), whose elements are packed four to a slot. */
bool nir_lower_indirect_compact(nir_shader *shader, nir_variable_mode modes);

#endif
