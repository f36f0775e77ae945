/* SPDX-License-Identifier: MIT */
/* Sets of instructions, by equality: which may stand for each other when one dominates the other. */
#ifndef NIR_INSTR_SET_H
#define NIR_INSTR_SET_H

#include "nir.h"

struct nir_instr_set; /* freed with talloc_free */

/* Whether the instruction is one that equal ones may replace. */
bool nir_instr_can_be_shared(nir_instr *instr);

/* Whether two instructions compute the same value where both may run. */
bool nir_instrs_equal(const nir_instr *a, const nir_instr *b);

struct nir_instr_set *nir_instr_set_create(void *mem_ctx);
/* Where the set has an instruction equal to instr: *place is that, or instr itself, which is a member
 * now. The caller may put another equal one there before it asks for the next. */
nir_instr **nir_instr_set_find_or_add(struct nir_instr_set *set, nir_instr *instr);

#endif
