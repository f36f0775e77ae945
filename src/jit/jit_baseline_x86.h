/* SPDX-License-Identifier: MIT */
/* Declarations shared by the parts of the baseline code generator for x86-64: the machine, and one
 * file per instruction set. */
#ifndef JIT_BASELINE_X86_H
#define JIT_BASELINE_X86_H

#include "jit/jit_baseline.h"
#include "jit/jit_x86.h"

/* Encodings of an instruction set. */
struct baseline_x86 {
    /* Emits an instruction by x86_evex, x86_vex or x86_sse. The operand rm of shifts by an
     * immediate may be in memory, even if the instruction set has no such form. */
    void (*encode)(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
                   unsigned v, struct code_operand rm);
    /* Emits an instruction with an immediate byte. NULL if the byte just follows what encode emits.
     */
    void (*encode_imm)(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
                       unsigned v, struct code_operand rm, unsigned immediate);
    /* X86_OP encodings: broadcast of a 64-bit element; insertion and extraction of the half of a
     * register that an immediate selects. */
    uint32_t broadcast_long, insert_half, extract_half;
    unsigned condition; /* register of the condition, the target of float comparisons */
    bool legacy;        /* no instruction may have a VEX or EVEX prefix */
};

extern const struct baseline_machine baseline_x86_machine;

/* Opcodes for x86_memory, x86_general and x86_registers. */
#define X86_LOAD        0x8b
#define X86_STORE       0x89
#define X86_LOAD_SIGNED 0x63 /* sign-extends 32 bits to 64 */

/* Encodings of vector instructions. */
#define X86_MOVE       X86_OP(1, 2, 0, 0x6f) /* vmovdqu32 */
#define X86_MOVE_BACK  X86_OP(1, 2, 0, 0x7f) /* stores: rm = reg */
#define X86_BROADCAST  X86_OP(2, 1, 0, 0x58) /* vpbroadcastd */
#define X86_BIT_AND    X86_OP(1, 1, 0, 0xdb) /* vpand(d) */
#define X86_BIT_XOR    X86_OP(1, 1, 0, 0xef) /* vpxor(d) */
#define X86_SHIFT      X86_OP(1, 1, 0, 0x72) /* reg 2: vpsrld, 4: vpsrad, 6: vpslld */
#define X86_PERMUTE    X86_OP(2, 1, 0, 0x36) /* vpermd: words of rm at the indices v */
#define X86_GATHER     X86_OP(2, 1, 0, 0x90) /* vpgatherdd */
#define X86_GATHER_FAR X86_OP(2, 1, 0, 0x91) /* vpgatherqd */

/* Emits a vector instruction with the operands reg, v, rm. */
void baseline_x86_op(struct baseline *q, uint32_t op, enum code_length length, unsigned reg,
                     unsigned v, struct code_operand rm);
/* Emits a vector instruction followed by an immediate byte. */
void baseline_x86_op_imm(struct baseline *q, uint32_t op, enum code_length length, unsigned reg,
                         unsigned v, struct code_operand rm, unsigned immediate);

/* Functions of struct baseline_isa: op, op_imm, compare_floats. */
void baseline_x86_vop(struct baseline *q, enum baseline_vop op, enum code_length length,
                      unsigned reg, unsigned v, struct code_operand rm);
void baseline_x86_vop_imm(struct baseline *q, enum baseline_vop op, enum code_length length,
                          unsigned reg, unsigned v, struct code_operand rm, unsigned immediate);
void baseline_x86_compare_floats(struct baseline *q, enum baseline_float_comparison comparison,
                                 bool wide, unsigned x, struct code_operand y);

#endif
