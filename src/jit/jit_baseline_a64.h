/* SPDX-License-Identifier: MIT */
/* Declarations shared by the parts of the baseline code generator for AArch64: the machine, and one
 * file per instruction set. */
#ifndef JIT_BASELINE_A64_H
#define JIT_BASELINE_A64_H

#include "jit/jit_a64.h"
#include "jit/jit_baseline.h"

extern const struct baseline_machine baseline_a64_machine;

/* General registers, by their number in the encoding. The roles of enum baseline_register belong to
 * other registers: X9 to X12, and X19 to X21, which functions preserve. */
enum a64_register {
    A64_X0,
    A64_TEMPORARY = 16, /* within an operation: addresses */
    A64_OTHER = 17,     /* within an operation: another value */
    A64_KEPT = 22,      /* a value during a call of a C function */
    A64_FP = 29,
    A64_LR = 30,
    A64_ZERO = 31, /* or the stack pointer, depending on the instruction */
};

/* Emits an instruction with the operands as for a64_encode. A64_EMIT takes the operands as
 * arguments, and a name of jit_a64_table.h: A64_EMIT(q, ADD_X, rd, rn, rm). */
void baseline_a64_emit(struct baseline *q, enum a64_op op, const int32_t operands[]);
#define A64_EMIT(q, op, ...) baseline_a64_emit(q, A64_##op, (const int32_t[]){__VA_ARGS__})

/* Returns the number of the register that has a role (enum baseline_register). */
int32_t baseline_a64_register(unsigned role);

/* Address of a load or store: number of the base register, and offset in bytes. */
struct a64_address {
    int32_t base, offset;
};

/* Returns the address base + disp for loads and stores of `size` bytes. base is the number of a
 * register. If disp can't be encoded as the offset, emits code that computes the sum in
 * A64_TEMPORARY; always regard that register as clobbered. */
struct a64_address baseline_a64_address(struct baseline *q, int32_t base, int32_t disp,
                                        int32_t size);
/* Emits reg = base + disp, where reg and base are numbers of 64-bit registers. Clobbers
 * A64_TEMPORARY. */
void baseline_a64_add(struct baseline *q, int32_t reg, int32_t base, int32_t disp);

#endif
