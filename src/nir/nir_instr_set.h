/* SPDX-License-Identifier: MIT */
/* Equality of instructions: which may stand for each other when one dominates the other. */
#ifndef NIR_INSTR_SET_H
#define NIR_INSTR_SET_H

#include "nir.h"

#include "util/hash_table.h"

/* Whether the instruction is one that equal ones may replace. */
bool nir_instr_can_be_shared(nir_instr *instr);
uint32_t nir_instr_hash(const void *instr);
bool nir_instrs_equal(const void *a, const void *b);

#endif
