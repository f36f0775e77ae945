/* SPDX-License-Identifier: MIT */
/*
 * Vector execution of instructions of up to 16 elements of 32 bits, or 8 of 64 bits: most of what
 * shaders execute. sim_vector.c is compiled for several host instruction sets. The results are
 * bit-identical with each of them and with sim_alu.c.
 */
#ifndef SIM_VECTOR_H
#define SIM_VECTOR_H

#include "sim_internal.h"

/* Operation of a vector instruction. The suffix is the type of the sources. With no suffix or Q,
 * only the bits matter, except in CMP_Q, which is signed. SEL and SEL_Q select by predicate; SEL_*
 * with other suffixes select by comparison. */
enum sim_vector_form {
    SIM_VECTOR_NONE, /* No vector form; sim_alu.c executes the instruction. */
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
    SIM_VECTOR_WIDE, /* First of the 64-bit forms, which have up to 8 channels. */
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

/* Executes inst; mask has the channels that write, bit 0 being the instruction's first. */
typedef void (*sim_vector_op)(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask);

/* Fills in inst->vector, which must be zero. Leaves run NULL if there is no vector form. */
void sim_vector_prepare(struct sim_inst *inst);

/* The operations by enum sim_vector_form, compiled for the baseline of the host's architecture. */
extern const sim_vector_op sim_vector_base[SIM_VECTOR_COUNT];
#ifdef SIM_HAVE_V3
extern const sim_vector_op sim_vector_v3[SIM_VECTOR_COUNT]; /* x86-64-v3: AVX2, FMA */
#endif

#endif
