/* SPDX-License-Identifier: MIT */
/* What instructions consist of, made by spirv_grammar.py of the public grammars. */
#ifndef SPIRV_GRAMMAR_H
#define SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

/* Codes of operands: the letters of KINDS in spirv_grammar.py, or an enumeration. */
#define SPV_CODE_ENUM 0x80

struct spv_enumerant {
    uint32_t value;
    const char *name;
    const char *operands; /* that follow it */
};

struct spv_enum {
    const char *name;
    bool bits; /* a mask, whose bits have their operands in order */
    unsigned count;
    const struct spv_enumerant *rows; /* by value */
};

struct spv_op_info {
    uint16_t op;
    const char *name; /* "OpNop" */
    const char *operands;
};

struct spv_ext_info { /* of GLSL.std.450, by number; NULL: none */
    const char *name;
    unsigned num_operands;
};

extern const struct spv_enum spv_enums[];
extern const struct spv_op_info spv_ops[]; /* by opcode */
extern const unsigned spv_num_ops;
extern const struct spv_ext_info spv_glsl_ops[];
extern const unsigned spv_num_glsl_ops;

#endif
