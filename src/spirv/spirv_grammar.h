/* SPDX-License-Identifier: MIT */
/* The instruction set tables that spirv_grammar.py generates from the public SPIR-V grammars. */
#ifndef SPIRV_GRAMMAR_H
#define SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

/* Codes in operand strings: a letter of KINDS in spirv_grammar.py, or SPV_CODE_ENUM plus an index
 * into spv_enums. */
#define SPV_CODE_ENUM 0x80

struct spv_enumerant {
    uint32_t value;
    const char *name;
    const char *operands; /* codes of the operands that follow this enumerant */
};

struct spv_enum {
    const char *name;
    bool bits; /* a bit mask; the operands of its set bits follow from the lowest bit up */
    unsigned count;
    const struct spv_enumerant *rows; /* sorted by value */
};

struct spv_op_info {
    uint16_t op;
    const char *name; /* "OpNop" */
    const char *operands;
};

/* Instructions of GLSL.std.450, indexed by instruction number; name is NULL for gaps. */
struct spv_ext_info {
    const char *name;
    unsigned num_operands;
};

extern const struct spv_enum spv_enums[];
extern const struct spv_op_info spv_ops[]; /* sorted by opcode */
extern const unsigned spv_num_ops;
extern const struct spv_ext_info spv_glsl_ops[];
extern const unsigned spv_num_glsl_ops;

#endif
