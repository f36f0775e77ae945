/* SPDX-License-Identifier: MIT */
/*
 * Puts values that are assigned in several places into SSA form: phis go to the iterated dominance
 * frontier of the assignments (Cytron et al., "Efficiently Computing Static Single Assignment Form
 * and the Control Dependence Graph", 1991), but only those that are asked for are made.
 *
 * Use: create; add each value with the blocks that assign it; walk the blocks in program order
 * asking for and setting values; finish. Needs nir_metadata_dominance, which it leaves valid.
 */
#ifndef NIR_PHI_BUILDER_H
#define NIR_PHI_BUILDER_H

#include "nir.h"

struct nir_phi_builder;
struct nir_phi_builder_value;

struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl);
struct nir_phi_builder_value *nir_phi_builder_add_value(struct nir_phi_builder *pb,
                                                        unsigned num_components, unsigned bit_size);
/* block assigns the value. All such blocks come before the first get and set. */
void nir_phi_builder_add_def(struct nir_phi_builder_value *value, nir_block *block);
/* The value at the place in block that the walk has come to; undefined if nothing assigns it. */
nir_def *nir_phi_builder_get(struct nir_phi_builder_value *value, nir_block *block);
void nir_phi_builder_set(struct nir_phi_builder_value *value, nir_block *block, nir_def *def);
/* Inserts the phis and frees the builder. */
void nir_phi_builder_finish(struct nir_phi_builder *pb);

#endif
