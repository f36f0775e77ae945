/* SPDX-License-Identifier: MIT */
/* Hash set of instructions, used by nir_opt_cse to find an equal one (nir_instrs_equal). */
#ifndef NIR_INSTR_SET_H
#define NIR_INSTR_SET_H

#include "nir.h"

struct nir_instr_set; /* free with talloc_free */

/* Returns true for instructions that CSE may replace with an equal one (nir_instrs_equal) that
 * dominates them. */
bool nir_instr_can_be_shared(nir_instr *instr);

/* Returns true if the instructions have the same operation and equal sources. The results of equal
 * instructions are the same if nir_instr_can_be_shared() is true for them. */
bool nir_instrs_equal(const nir_instr *a, const nir_instr *b);

/* Creates an empty set, owned by mem_ctx. */
struct nir_instr_set *nir_instr_set_create(void *mem_ctx);
/* Returns the address of the set's entry that equals instr, for which nir_instr_can_be_shared()
 * must be true. Adds instr as an entry if there is none. The address is valid until the next call.
 * Until then, the caller may store another equal instruction there. */
nir_instr **nir_instr_set_find_or_add(struct nir_instr_set *set, nir_instr *instr);

#endif
