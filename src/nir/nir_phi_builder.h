/* SPDX-License-Identifier: MIT */
/*
 * SSA construction for values that are assigned in several blocks. Candidate phis are placed at the
 * iterated dominance frontier of the assignments (Cytron et al., "Efficiently Computing Static
 * Single Assignment Form and the Control Dependence Graph", 1991), but only those that are read are
 * created.
 *
 * Usage: create the builder. Add each value and all blocks that assign it. Walk the blocks in
 * program order and call nir_phi_builder_get_block_def for each read, and _set_block_def for each
 * assignment. Call nir_phi_builder_finish. The control flow must not change in between. Creation
 * computes nir_metadata_dominance and nir_metadata_block_index; inserting phis preserves them.
 */
#ifndef NIR_PHI_BUILDER_H
#define NIR_PHI_BUILDER_H

#include "nir.h"

struct nir_phi_builder;
struct nir_phi_builder_value;

/* Creates a builder for the function. nir_phi_builder_finish frees it. */
struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl);
/* Adds a value with that number of components of bit_size bits. The builder owns it. */
struct nir_phi_builder_value *nir_phi_builder_add_value(struct nir_phi_builder *pb,
                                                        unsigned num_components, unsigned bit_size);
/* Declares that block assigns the value. All calls must precede the first get and set. */
void nir_phi_builder_add_def_block(struct nir_phi_builder_value *value, nir_block *block);
/* Returns the value at the current point of the walk, which is in block. Returns an undefined value
 * if no assignment reaches it. */
nir_def *nir_phi_builder_get_block_def(struct nir_phi_builder_value *value, nir_block *block);
/* Assigns def to the value at the current point of the walk, which is in block. */
void nir_phi_builder_set_block_def(struct nir_phi_builder_value *value, nir_block *block,
                                   nir_def *def);
/* Inserts the phis that were created, and frees the builder. */
void nir_phi_builder_finish(struct nir_phi_builder *pb);

#endif
