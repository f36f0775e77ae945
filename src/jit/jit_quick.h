/* SPDX-License-Identifier: MIT */
/* Shared by the files of the quick code generator; its ideas are told in jit_quick.c. */
#ifndef JIT_QUICK_H
#define JIT_QUICK_H

#include "jit/jit_private.h"
#include "jit/jit_x86.h"

struct hash_table;

/* Registers of vectors below this hold nothing from one NIR instruction to the next: 0 a result that goes
 * to memory, others operands from there. Of masks none does. */
#define QUICK_FIRST_REG 4
#define QUICK_NUM_REGS  32

/* A component of a def; of 64 bits and divergent, the first or last eight lanes of one. */
struct quick_value {
    bool vector; /* of 16 lanes: in `reg`, or if that is -1 in 64 bytes of the frame */
    int8_t reg;
    int32_t place;       /* in the frame; of uniform values and of masks 8 bytes */
    uint32_t start, end; /* of a vector: where it is made and last read, in the order of the code */
};

struct quick_loop {
    unsigned head, exits; /* place in the code; chain of jumps */
};

#define QUICK_ALL_LANES (-1)

struct quick {
    nir_shader *nir;
    void *mem_ctx;
    struct x86_code code;
    DYNARRAY(uint8_t) pool;           /* constants; their address is in RBX */
    struct hash_table *words, *longs; /* of what is there: offsets + 1 */
    uint32_t *first;                  /* [nir_def.index]: its first value */
    int32_t *phi; /* [value]: of phis, where predecessors leave what becomes it */
    DYNARRAY(struct quick_value) values;
    int32_t frame;     /* bytes of it that are taken */
    int32_t exec;      /* mask of active lanes, in the frame; or QUICK_ALL_LANES */
    int32_t work_left; /* in the frame; 0: not used yet */
    struct quick_loop *loop;
    unsigned entry; /* place of the function in the code */
    bool failed;    /* something that only LLVM does */
};

/* --- operands --- */
bool quick_is_pair(const nir_def *def); /* its components are two values each */
struct quick_value *quick_value(struct quick *q, const nir_def *def, unsigned component,
                                unsigned half);
/* A component as the last operand of an instruction with elements of its size, 32 or 64 bits; what has
 * fewer is in 32, above it zeros. half: of a pair. */
struct x86_operand quick_operand(struct quick *q, const nir_src *src, unsigned component,
                                 unsigned half);
/* Where a mask is: 16 bits, of uniform booleans all alike, and 16 zeros. */
struct x86_operand quick_mask(struct quick *q, const nir_src *src, unsigned component);
struct x86_operand quick_constant(struct quick *q, uint32_t word);
struct x86_operand quick_long_constant(struct quick *q, uint64_t value);
/* 16 words. */
struct x86_operand quick_lanes_constant(struct quick *q, const uint32_t words[16]);
int32_t quick_take_frame(struct quick *q, unsigned bytes);

/* --- code --- */
/* op's last operand is rm; with an immediate byte. */
void quick_op(struct quick *q, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
              struct x86_operand rm);
void quick_op_imm(struct quick *q, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
                  struct x86_operand rm, unsigned immediate);
/* The operand in a register: its own, or `scratch`, into which it is loaded. */
unsigned quick_in_register(struct quick *q, struct x86_operand operand, unsigned scratch,
                           bool wide);
/* An operand of instructions that cannot spread an element: loaded if it is one. */
struct x86_operand quick_whole(struct quick *q, struct x86_operand operand, unsigned scratch);
/* The register to compute a value in; quick_settle then stores it where the value is in memory. */
unsigned quick_target(const struct quick_value *value);
void quick_settle(struct quick *q, const struct quick_value *value, bool wide);
/* What is in a general register becomes the uniform value. */
void quick_settle_general(struct quick *q, const struct quick_value *value, enum x86_register reg,
                          bool wide);
/* Mask 1 becomes the value. */
void quick_settle_mask(struct quick *q, const struct quick_value *value);
void quick_load_mask(struct quick *q, unsigned mask, struct x86_operand from);
/* Of active lanes. */
void quick_load_exec(struct quick *q, unsigned mask);
/* general register = [operand]; opcodes of x86_memory. From vector registers only those that load. */
void quick_general(struct quick *q, bool wide, unsigned opcode, enum x86_register reg,
                   struct x86_operand operand);
#define QUICK_LOAD        0x8b
#define QUICK_STORE       0x89
#define QUICK_LOAD_SIGNED 0x63 /* a word as a long */
#define QUICK_AND         0x23
#define QUICK_OR          0x0b
#define QUICK_XOR         0x33

#define QUICK_MOVE      X86_OP(1, 2, 0, 0x6f) /* vmovdqu32 */
#define QUICK_MOVE_BACK X86_OP(1, 2, 0, 0x7f) /* rm = reg */
#define QUICK_SPREAD    X86_OP(2, 1, 0, 0x58) /* vpbroadcastd */
#define QUICK_SPREAD_64 X86_OP(2, 1, 1, 0x59) /* vpbroadcastq */

/* --- parts: one instruction each --- */
void quick_emit_alu(struct quick *q, nir_alu_instr *alu);
void quick_emit_intrinsic(struct quick *q, nir_intrinsic_instr *intr);

#endif
