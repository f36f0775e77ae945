/* SPDX-License-Identifier: MIT */
/* Tables of the instruction set. spirv_grammar.py generates them from the JSON grammars of
 * spirv-headers. */
#ifndef SPIRV_GRAMMAR_H
#define SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

/* A string of operand codes describes the operands of an instruction. A code is a letter (see KINDS
 * in spirv_grammar.py) or SPV_CODE_ENUM plus an index into spv_enums. A '?' after a code marks an
 * optional operand, a '*' any number of operands. */
#define SPV_CODE_ENUM 0x80

/* A value of an enumeration, or a bit of a mask. */
struct spv_enumerant {
    uint32_t value;
    const char *name;
    const char *operands; /* codes of the additional operands that this enumerant requires */
};

/* An enumeration, such as StorageClass, or a bit mask, such as MemoryAccess. */
struct spv_enum {
    const char *name;
    bool bits;      /* a bit mask: operands of its bits follow it, those of the lowest bit first */
    unsigned count; /* length of rows */
    const struct spv_enumerant *rows; /* sorted by value */
};

/* An instruction. */
struct spv_op_info {
    uint16_t op;          /* SpvOp */
    const char *name;     /* "OpNop" */
    const char *operands; /* operand codes, including the result type and result id */
};

/* An instruction of GLSL.std.450. */
struct spv_ext_info {
    const char *name;      /* NULL: there is no instruction with this number */
    unsigned num_operands; /* operands of OpExtInst that follow the instruction number */
};

extern const struct spv_enum spv_enums[];  /* indexed by operand code - SPV_CODE_ENUM */
extern const struct spv_op_info spv_ops[]; /* sorted by opcode */
extern const unsigned spv_num_ops;
extern const struct spv_ext_info spv_glsl_ops[]; /* indexed by instruction number */
extern const unsigned spv_num_glsl_ops;

#endif
