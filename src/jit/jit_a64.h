/* SPDX-License-Identifier: MIT */
/*
 * Encoder for AArch64 instructions: Advanced SIMD on 128-bit registers, general registers, and
 * branches. jit_a64_table.h lists the instructions.
 */
#ifndef JIT_A64_H
#define JIT_A64_H

#include <stdint.h>

/* Instructions, by the names in jit_a64_table.h. */
enum a64_op {
#define A64(name, pattern, syntax, ...) A64_##name,
#include "jit/jit_a64_table.h"
#undef A64
    A64_NUM_OPS
};

/* Condition codes of conditional branches and selections, named as in the manual: for example, HS
 * and LO compare unsigned integers, GE and LT signed ones. Inverting the lowest bit of a code gives
 * the opposite condition. */
enum a64_condition {
    A64_EQ,
    A64_NE,
    A64_HS,
    A64_LO,
    A64_MI,
    A64_PL,
    A64_VS,
    A64_VC,
    A64_HI,
    A64_LS,
    A64_GE,
    A64_LT,
    A64_GT,
    A64_LE,
};

/* Kinds of barriers. */
enum a64_barrier {
    A64_ISH = 11, /* all accesses, inner shareable domain */
};

/* Kinds of operands. The kind determines the unit, the range and the position in the instruction.
 * A comment also applies to the kinds below it that have none. */
enum a64_field {
    A64_NONE,
    A64_RD, /* register, named as in the manual: Rd or Rt */
    A64_RN,
    A64_RM,
    A64_RA,    /* Ra or Rt2 */
    A64_RD_SP, /* like A64_RD and A64_RN, but 31 is the stack pointer */
    A64_RN_SP,
    A64_CONDITION,    /* enum a64_condition, from bit 0 of the instruction on */
    A64_CONDITION_12, /* enum a64_condition, from bit 12 on */
    A64_INDEX_B,      /* index of an element of 8, 16, 32 or 64 bits (B, H, S, D) */
    A64_INDEX_H,
    A64_INDEX_S,
    A64_INDEX_D,
    A64_INDEX_EXT, /* index of the first byte that EXT extracts */
    A64_LEFT_16,   /* left shift by 0 to size - 1; the name has the elements' size in bits */
    A64_LEFT_32,
    A64_LEFT_64,
    A64_RIGHT_16, /* right shift by 1 to size */
    A64_RIGHT_32,
    A64_RIGHT_64,
    A64_IMM_12,   /* 0 to 4,095 */
    A64_IMM_16,   /* 0 to 65,535 */
    A64_HALFWORD, /* left shift of an A64_IMM_16: 0, 16, 32 or 48 */
    A64_OFFSET_1, /* offset in bytes: the number in the name times 0 to 4,095 */
    A64_OFFSET_2,
    A64_OFFSET_4,
    A64_OFFSET_8,
    A64_OFFSET_16,
    A64_PAIR_8, /* offset in bytes of a pair: the number in the name times -64 to 63 */
    A64_PAIR_16,
    A64_BARRIER,   /* enum a64_barrier, or another number up to 15 */
    A64_TARGET_19, /* bytes from the branch to its target: a multiple of 4, up to ±1 MiB */
    A64_TARGET_26, /* like A64_TARGET_19, up to ±128 MiB */
    A64_NUM_FIELDS
};

#define A64_MAX_OPERANDS 4 /* operands of an instruction */

/* Encoding of an operand: the low `bits` bits of sign * value >> scale, from bit `position` of the
 * instruction on. */
struct a64_field_info {
    uint8_t position, bits, scale;
    int8_t sign;
    int32_t min, max; /* range of the value; values are multiples of 1 << scale */
};

/* Encoding of an instruction. */
struct a64_op_info {
    uint32_t pattern;                 /* the instruction with zeros in the fields */
    uint8_t fields[A64_MAX_OPERANDS]; /* enum a64_field by operand; A64_NONE: no more */
};

/* Tables indexed by enum a64_field and enum a64_op. */
extern const struct a64_field_info a64_fields[A64_NUM_FIELDS];
extern const struct a64_op_info a64_ops[A64_NUM_OPS];

/* Returns the encoded instruction. The operands are in the order of the assembler syntax; each must
 * be in the range of its field. */
uint32_t a64_encode(enum a64_op op, const int32_t operands[]);

#endif
