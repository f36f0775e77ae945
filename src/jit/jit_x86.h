/* SPDX-License-Identifier: MIT */
/*
 * Encodes instructions of x86-64, those of AVX2 and AVX-512 above all (Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, chapter 2: "Instruction format"). Only what
 * jit_baseline*.c writes.
 */
#ifndef JIT_X86_H
#define JIT_X86_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"

enum x86_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* The last operand of an instruction. */
struct x86_operand {
    enum {
        X86_REG,   /* a vector register */
        X86_MEM,   /* what is at [reg + disp] */
        X86_EACH,  /* the element there, for each lane */
        X86_LANES, /* for each lane what is at [reg + index's lane + disp] */
    } kind;
    uint8_t reg, index;
    int32_t disp;
};

/* Instructions of vectors: map (1: 0F, 2: 0F38, 3: 0F3A), prefix (1: 66, 2: F3, 3: F2), W, opcode.
 * */
#define X86_OP(map, prefix, w, opcode) ((map) << 16 | (prefix) << 12 | (w) << 8 | (opcode))

enum x86_length { X86_128, X86_256, X86_512 };

struct x86_code {
    DYNARRAY(uint8_t) bytes;
};

static inline struct x86_operand x86_reg(unsigned reg)
{
    return (struct x86_operand){X86_REG, (uint8_t)reg, 0, 0};
}

static inline struct x86_operand x86_mem(enum x86_register base, int32_t disp)
{
    return (struct x86_operand){X86_MEM, (uint8_t)base, 0, disp};
}

/* In an attempt (util/memory.h), as all below, which take at most 16 bytes each. */
void x86_byte(struct x86_code *code, unsigned byte);
void x86_word(struct x86_code *code, uint32_t word); /* of 32 bits */

/* AVX-512: op of vector or mask registers: reg, v, rm; in the lanes of mask (0: all), others become
 * zero or stay. */
void x86_evex(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
              struct x86_operand rm, unsigned mask, bool zero);
/* AVX and AVX2: of 16 registers, of 128 or 256 bits, and no operand of kind X86_EACH. */
void x86_vex(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
             struct x86_operand rm);

/* opcode of general registers and [base + disp]; wide: of 64 bits. Opcodes above 0xff begin with
 * 0F. */
void x86_memory(struct x86_code *code, bool wide, unsigned opcode, unsigned reg,
                enum x86_register base, int32_t disp);
/* The same of any operand in memory. */
void x86_general(struct x86_code *code, bool wide, unsigned opcode, unsigned reg,
                 struct x86_operand rm);
/* opcode of two general registers. */
void x86_registers(struct x86_code *code, bool wide, unsigned opcode, unsigned reg, unsigned rm);

/* Masks, from [base + disp] (16 bits) and to and from general registers (32 bits). */
void x86_load_mask(struct x86_code *code, unsigned mask, enum x86_register base, int32_t disp);
void x86_mask_to_register(struct x86_code *code, enum x86_register reg, unsigned mask);
void x86_register_to_mask(struct x86_code *code, unsigned mask, enum x86_register reg);

/* A jump (condition: 4 for zero, 5 for not zero; X86_ALWAYS) to a place that is not known yet. What
 * is returned is given to x86_jump_lands once it is, or as `chain` to another jump to the same
 * place. */
#define X86_ALWAYS 16
unsigned x86_jump(struct x86_code *code, unsigned condition, unsigned chain);
void x86_jump_lands(struct x86_code *code, unsigned chain); /* here; 0: there is none */
void x86_jump_back(struct x86_code *code, unsigned condition, unsigned target);

#endif
