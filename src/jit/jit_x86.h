/* SPDX-License-Identifier: MIT */
/*
 * Encoder for x86-64 instructions, mainly SSE4.1, AVX2 and AVX-512 (Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, chapter 2: "Instruction format"). It
 * supports only the forms that jit_baseline*.c uses.
 */
#ifndef JIT_X86_H
#define JIT_X86_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"

/* General registers, by their number in the encoding. */
enum x86_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* Last operand of an instruction: ModRM.rm. */
struct x86_operand {
    enum {
        X86_REG,       /* a vector or general register */
        X86_MEM,       /* memory at [reg + disp] */
        X86_BROADCAST, /* one element at [reg + disp], broadcast to all lanes (EVEX.b) */
        X86_INDEXED, /* memory at [reg + index + disp]; index is a vector in gathers and scatters */
    } kind;
    uint8_t reg, index;
    int32_t disp; /* bytes */
};

/* A vector instruction: opcode map (1: 0F, 2: 0F38, 3: 0F3A), mandatory prefix (0: none, 1: 66, 2:
 * F3, 3: F2), W bit, opcode byte. */
#define X86_OP(map, prefix, w, opcode) ((map) << 16 | (prefix) << 12 | (w) << 8 | (opcode))

/* Vector length of an instruction in bits. */
enum x86_length { X86_128, X86_256, X86_512 };

/* Generated code. */
struct x86_code {
    DYNARRAY(uint8_t) bytes; /* instructions emitted so far */
    bool unsupported;        /* an instruction could not be encoded; the code is incomplete */
};

/* Returns a register operand. */
static inline struct x86_operand x86_reg(unsigned reg)
{
    return (struct x86_operand){X86_REG, (uint8_t)reg, 0, 0};
}

/* Returns the operand [base + disp]. */
static inline struct x86_operand x86_mem(enum x86_register base, int32_t disp)
{
    return (struct x86_operand){X86_MEM, (uint8_t)base, 0, disp};
}

/* All functions below append to code, at most 16 bytes each, and must run within an attempt
 * (util/memory.h). Operands of instructions are numbers of registers; an operand v that the
 * instruction doesn't have is 0. */
/* Appends a byte. */
void x86_byte(struct x86_code *code, unsigned byte);
/* Appends 32 bits, little-endian. */
void x86_word(struct x86_code *code, uint32_t word);
/* Appends 64 bits, little-endian. */
void x86_long(struct x86_code *code, uint64_t bits);

/* Emits an EVEX (AVX-512) instruction with the operands reg, v, rm. mask is the mask register that
 * selects the lanes to write; 0 writes all lanes. zero clears the other lanes instead of keeping
 * them. */
void x86_evex(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
              struct x86_operand rm, unsigned mask, bool zero);
/* Emits a VEX (AVX, AVX2) instruction with the operands reg, v, rm. Registers are below 16, length
 * is at most X86_256, and rm isn't X86_BROADCAST. */
void x86_vex(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
             struct x86_operand rm);

/* Emits an SSE instruction with the operands reg, rm; X86_BROADCAST isn't allowed. Memory must be
 * aligned where the instruction requires it. */
void x86_sse(struct x86_code *code, uint32_t op, unsigned reg, struct x86_operand rm);

/* Emits an instruction on general register `reg` and memory at [base + disp]; wide selects 64-bit
 * operands. Opcodes above 0xff stand for 0F followed by their low byte. */
void x86_memory(struct x86_code *code, bool wide, unsigned opcode, unsigned reg,
                enum x86_register base, int32_t disp);
/* Like x86_memory, with any memory operand. */
void x86_general(struct x86_code *code, bool wide, unsigned opcode, unsigned reg,
                 struct x86_operand rm);
/* Like x86_memory, with general register `rm` as the second operand. */
void x86_registers(struct x86_code *code, bool wide, unsigned opcode, unsigned reg, unsigned rm);

/* Emits kmovw: loads a mask register with 16 bits at [base + disp]. */
void x86_load_mask(struct x86_code *code, unsigned mask, enum x86_register base, int32_t disp);
/* Emits kmovw: copies a mask register to a general register, zero-extended. */
void x86_mask_to_register(struct x86_code *code, enum x86_register reg, unsigned mask);
/* Emits kmovw: copies the low 16 bits of a general register to a mask register. */
void x86_register_to_mask(struct x86_code *code, unsigned mask, enum x86_register reg);

/* Emits a forward jump. condition is an x86 condition code (4: zero, 5: not zero) or X86_ALWAYS.
 * Jumps to the same target form a chain: chain is 0 or what the previous jump of the chain
 * returned. Returns the new chain, to be passed to x86_patch_jumps. */
#define X86_ALWAYS 16
unsigned x86_jump(struct x86_code *code, unsigned condition, unsigned chain);
/* Emits a forward call; chain and result as for x86_jump. */
unsigned x86_call(struct x86_code *code, unsigned chain);
/* Makes all jumps or calls of the chain target the current end of code; 0 is an empty chain. */
void x86_patch_jumps(struct x86_code *code, unsigned chain);
/* Emits a jump to target, the byte offset in code of an instruction emitted before. condition is as
 * for x86_jump. */
void x86_jump_back(struct x86_code *code, unsigned condition, unsigned target);

#endif
