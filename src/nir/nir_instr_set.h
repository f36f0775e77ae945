/* SPDX-License-Identifier: MIT */
/* Hash set of instructions that compute equal values, for nir_opt_cse. */
#ifndef NIR_INSTR_SET_H
#define NIR_INSTR_SET_H

#include "nir.h"

struct nir_instr_set; /* free with talloc_free */

/* Returns true if the instruction may be replaced by an equal one that dominates it. */
bool nir_instr_can_be_shared(nir_instr *instr);

/* Returns true if both instructions compute the same value in any place where both may run. */
bool nir_instrs_equal(const nir_instr *a, const nir_instr *b);

struct nir_instr_set *nir_instr_set_create(void *mem_ctx);
/* Returns the set's entry for an instruction equal to instr; if there is none, adds instr. The
 * caller may store another equal instruction there before the next call. */
nir_instr **nir_instr_set_find_or_add(struct nir_instr_set *set, nir_instr *instr);

#endif
