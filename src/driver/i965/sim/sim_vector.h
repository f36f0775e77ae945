/* SPDX-License-Identifier: MIT */
/*
 * Instructions of up to 16 elements of 32 bits, or 8 of 64 bits, done all at once: most of what shaders
 * execute. sim_vector.c is compiled for each instruction set of the host's; the bits of results are the
 * same with each, and the same as sim_alu.c gives.
 */
#ifndef SIM_VECTOR_H
#define SIM_VECTOR_H

#include "sim_internal.h"

/* What is computed. The suffix is the sources' type; none, or Q: their bits, whatever the type is. SEL and
 * SEL_Q choose by the predicate, the others of the name by comparison. */
enum sim_vector_form {
    SIM_VECTOR_NONE, /* sim_alu.c does it */
    SIM_VECTOR_MOVE,
    SIM_VECTOR_MOVE_F,
    SIM_VECTOR_F_FROM_D,
    SIM_VECTOR_F_FROM_UD,
    SIM_VECTOR_D_FROM_F,
    SIM_VECTOR_UD_FROM_F,
    SIM_VECTOR_ADD_F,
    SIM_VECTOR_MUL_F,
    SIM_VECTOR_MAD_F,
    SIM_VECTOR_FRC_F,
    SIM_VECTOR_RNDU_F,
    SIM_VECTOR_RNDD_F,
    SIM_VECTOR_RNDE_F,
    SIM_VECTOR_RNDZ_F,
    SIM_VECTOR_PLN_F,
    SIM_VECTOR_INV_F,
    SIM_VECTOR_SQRT_F,
    SIM_VECTOR_RSQ_F,
    SIM_VECTOR_CMP_F,
    SIM_VECTOR_CMP_D,
    SIM_VECTOR_CMP_UD,
    SIM_VECTOR_SEL,
    SIM_VECTOR_SEL_F,
    SIM_VECTOR_SEL_D,
    SIM_VECTOR_SEL_UD,
    SIM_VECTOR_ADD,
    SIM_VECTOR_MUL,
    SIM_VECTOR_NOT,
    SIM_VECTOR_AND,
    SIM_VECTOR_OR,
    SIM_VECTOR_XOR,
    SIM_VECTOR_SHL,
    SIM_VECTOR_SHR,
    SIM_VECTOR_ASR,
    SIM_VECTOR_WIDE, /* from here on 64 bits, up to 8 channels */
    SIM_VECTOR_MOVE_Q = SIM_VECTOR_WIDE,
    SIM_VECTOR_MOVE_DF,
    SIM_VECTOR_DF_FROM_F,
    SIM_VECTOR_DF_FROM_D,
    SIM_VECTOR_DF_FROM_UD,
    SIM_VECTOR_F_FROM_DF,
    SIM_VECTOR_D_FROM_DF,
    SIM_VECTOR_UD_FROM_DF,
    SIM_VECTOR_ADD_DF,
    SIM_VECTOR_MUL_DF,
    SIM_VECTOR_MAD_DF,
    SIM_VECTOR_FRC_DF,
    SIM_VECTOR_RNDU_DF,
    SIM_VECTOR_RNDD_DF,
    SIM_VECTOR_RNDE_DF,
    SIM_VECTOR_RNDZ_DF,
    SIM_VECTOR_CMP_DF,
    SIM_VECTOR_CMP_Q,
    SIM_VECTOR_CMP_UQ,
    SIM_VECTOR_SEL_DF,
    SIM_VECTOR_SEL_Q,
    SIM_VECTOR_ADD_Q,
    SIM_VECTOR_NOT_Q,
    SIM_VECTOR_AND_Q,
    SIM_VECTOR_OR_Q,
    SIM_VECTOR_XOR_Q,
    SIM_VECTOR_COUNT,
};

/* mask: channels that write, bit 0 is the instruction's first. */
typedef void (*sim_vector_op)(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask);

/* Looks whether the instruction is one of these; fills in its vector part. */
void sim_vector_prepare(struct sim_inst *inst);

extern const sim_vector_op sim_vector_base[SIM_VECTOR_COUNT];
#ifdef SIM_HAVE_V3
extern const sim_vector_op sim_vector_v3[SIM_VECTOR_COUNT]; /* x86-64-v3: AVX2, FMA */
#endif

#endif
