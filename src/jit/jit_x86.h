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

#include "jit/jit_code_buffer.h"

/* General registers, by their number in the encoding. */
enum x86_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* A vector instruction: opcode map (1: 0F, 2: 0F38, 3: 0F3A), mandatory prefix (0: none, 1: 66, 2:
 * F3, 3: F2), W bit, opcode byte. X86_OP(1, 1, 0, 0xfe) is vpaddd (66 0F FE). */
#define X86_OP(map, prefix, w, opcode) ((map) << 16 | (prefix) << 12 | (w) << 8 | (opcode))

/* All functions below append to code, at most 16 bytes each, and must run within an attempt
 * (util/memory.h). Operands of instructions are numbers of registers; an operand v that the
 * instruction doesn't have is 0. */

/* Emits an EVEX (AVX-512) instruction with the operands reg, v, rm. mask is the mask register that
 * selects the lanes to write; 0 writes all lanes. zero clears the other lanes instead of keeping
 * them. */
void x86_evex(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
              unsigned v, struct code_operand rm, unsigned mask, bool zero);
/* Emits a VEX (AVX, AVX2) instruction with the operands reg, v, rm. Registers are below 16, length
 * is at most CODE_256, and rm isn't CODE_BROADCAST. */
void x86_vex(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
             unsigned v, struct code_operand rm);

/* Emits an SSE instruction with the operands reg, rm; CODE_BROADCAST isn't allowed. Memory must be
 * aligned where the instruction requires it. */
void x86_sse(struct code_buffer *code, uint32_t op, unsigned reg, struct code_operand rm);

/* Emits an instruction on general register `reg` and memory at [base + disp]; wide selects 64-bit
 * operands. Opcodes above 0xff stand for 0F followed by their low byte. */
void x86_memory(struct code_buffer *code, bool wide, unsigned opcode, unsigned reg,
                enum x86_register base, int32_t disp);
/* Like x86_memory, with any memory operand. */
void x86_general(struct code_buffer *code, bool wide, unsigned opcode, unsigned reg,
                 struct code_operand rm);
/* Like x86_memory, with general register `rm` as the second operand. */
void x86_registers(struct code_buffer *code, bool wide, unsigned opcode, unsigned reg, unsigned rm);

/* Emits kmovw: loads a mask register with 16 bits at [base + disp]. */
void x86_load_mask(struct code_buffer *code, unsigned mask, enum x86_register base, int32_t disp);
/* Emits kmovw: copies a mask register to a general register, zero-extended. */
void x86_mask_to_register(struct code_buffer *code, enum x86_register reg, unsigned mask);
/* Emits kmovw: copies the low 16 bits of a general register to a mask register. */
void x86_register_to_mask(struct code_buffer *code, unsigned mask, enum x86_register reg);

/* Emits a forward jump. condition is an x86 condition code (4: zero, 5: not zero) or X86_ALWAYS.
 * Jumps to the same target form a chain: chain is 0 or what the previous jump of the chain
 * returned. Returns the new chain, to be passed to x86_patch_jumps. */
#define X86_ALWAYS 16
unsigned x86_jump(struct code_buffer *code, unsigned condition, unsigned chain);
/* Emits a forward call; chain and result as for x86_jump. */
unsigned x86_call(struct code_buffer *code, unsigned chain);
/* Makes all jumps or calls of the chain target the current end of code; 0 is an empty chain. */
void x86_patch_jumps(struct code_buffer *code, unsigned chain);
/* Emits a jump to target, the byte offset in code of an instruction emitted before. condition is as
 * for x86_jump. */
void x86_jump_back(struct code_buffer *code, unsigned condition, unsigned target);

#endif
