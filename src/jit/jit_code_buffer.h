/* SPDX-License-Identifier: MIT */
/* Operands of vector instructions, and a buffer for machine code of any instruction set. */
#ifndef JIT_CODE_BUFFER_H
#define JIT_CODE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"

/* Last operand of a vector instruction, or an address. */
struct code_operand {
    enum {
        CODE_REG,       /* a vector or general register */
        CODE_MEM,       /* memory at [reg + disp] */
        CODE_BROADCAST, /* one element at [reg + disp], broadcast to all lanes */
        /* memory at [reg + index + disp]; index is a vector in gathers and scatters */
        CODE_INDEXED,
    } kind;
    /* reg: number of the register, or of the base register of an address. index: number of the
     * index register. */
    uint8_t reg, index;
    int32_t disp; /* bytes */
};

/* Vector length of an instruction in bits. */
enum code_length { CODE_128, CODE_256, CODE_512 };

/* Generated code. */
struct code_buffer {
    DYNARRAY(uint8_t) bytes; /* instructions emitted so far */
    bool unsupported;        /* an instruction could not be encoded; the code is incomplete */
};

/* Returns a register operand. */
static inline struct code_operand code_reg(unsigned reg)
{
    return (struct code_operand){CODE_REG, (uint8_t)reg, 0, 0};
}

/* Returns the operand [base + disp]. */
static inline struct code_operand code_mem(unsigned base, int32_t disp)
{
    return (struct code_operand){CODE_MEM, (uint8_t)base, 0, disp};
}

/* The functions below append to code and must run within an attempt (util/memory.h). */
/* Appends the low 8 bits. */
static inline void code_byte(struct code_buffer *code, unsigned byte)
{
    (void)dynarray_append(&code->bytes, (uint8_t)byte);
}

/* Appends 32 bits, little-endian. */
static inline void code_word(struct code_buffer *code, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        code_byte(code, word >> 8 * i & 0xff);
}

/* Appends 64 bits, little-endian. */
static inline void code_long(struct code_buffer *code, uint64_t bits)
{
    code_word(code, (uint32_t)bits);
    code_word(code, (uint32_t)(bits >> 32));
}

#endif
