/* SPDX-License-Identifier: MIT */
/*
 * SSA construction for values that are assigned in several blocks. Candidate phis are placed at the
 * iterated dominance frontier of the assignments (Cytron et al., "Efficiently Computing Static
 * Single Assignment Form and the Control Dependence Graph", 1991), but only those that are read are
 * created.
 *
 * Usage: create the builder; add each value with all blocks that assign it; walk the blocks in
 * program order, calling get and set; call finish. Requires nir_metadata_dominance and preserves
 * it.
 */
#ifndef NIR_PHI_BUILDER_H
#define NIR_PHI_BUILDER_H

#include "nir.h"

struct nir_phi_builder;
struct nir_phi_builder_value;

struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl);
struct nir_phi_builder_value *nir_phi_builder_add_value(struct nir_phi_builder *pb,
                                                        unsigned num_components, unsigned bit_size);
/* Declares that block assigns the value. All calls must precede the first get and set. */
void nir_phi_builder_add_def_block(struct nir_phi_builder_value *value, nir_block *block);
/* Returns the current value at the point of the walk in block; undefined if nothing assigns it. */
nir_def *nir_phi_builder_get_block_def(struct nir_phi_builder_value *value, nir_block *block);
/* Makes def the current value in block from here on. */
void nir_phi_builder_set_block_def(struct nir_phi_builder_value *value, nir_block *block,
                                   nir_def *def);
/* Inserts the phis and frees the builder. */
void nir_phi_builder_finish(struct nir_phi_builder *pb);

#endif
