/* SPDX-License-Identifier: MIT */
/* Encoder for AArch64 instructions, and its tables of instructions and operand fields. */
#include "jit/jit_a64.h"

#include <assert.h>

const struct a64_op_info a64_ops[A64_NUM_OPS] = {
#define A64(name, pattern, syntax, ...) [A64_##name] = {pattern, {__VA_ARGS__}},
#include "jit/jit_a64_table.h"
#undef A64
};

/* Columns: position, bits, scale, sign, min, max. */
const struct a64_field_info a64_fields[A64_NUM_FIELDS] = {
    [A64_RD] = {0, 5, 0, 1, 0, 31},
    [A64_RN] = {5, 5, 0, 1, 0, 31},
    [A64_RM] = {16, 5, 0, 1, 0, 31},
    [A64_RA] = {10, 5, 0, 1, 0, 31},
    [A64_RD_SP] = {0, 5, 0, 1, 0, 31},
    [A64_RN_SP] = {5, 5, 0, 1, 0, 31},
    [A64_CONDITION] = {0, 4, 0, 1, 0, A64_LE},
    [A64_CONDITION_12] = {12, 4, 0, 1, 0, A64_LE},
    [A64_INDEX_B] = {17, 4, 0, 1, 0, 15},
    [A64_INDEX_H] = {18, 3, 0, 1, 0, 7},
    [A64_INDEX_S] = {19, 2, 0, 1, 0, 3},
    [A64_INDEX_D] = {20, 1, 0, 1, 0, 1},
    [A64_INDEX_EXT] = {11, 4, 0, 1, 0, 15},
    [A64_LEFT_16] = {16, 4, 0, 1, 0, 15},
    [A64_LEFT_32] = {16, 5, 0, 1, 0, 31},
    [A64_LEFT_64] = {16, 6, 0, 1, 0, 63},
    [A64_RIGHT_16] = {16, 5, 0, -1, 1, 16},
    [A64_RIGHT_32] = {16, 6, 0, -1, 1, 32},
    [A64_RIGHT_64] = {16, 7, 0, -1, 1, 64},
    [A64_IMM_12] = {10, 12, 0, 1, 0, 4095},
    [A64_IMM_16] = {5, 16, 0, 1, 0, 65535},
    [A64_HALFWORD] = {21, 2, 4, 1, 0, 48},
    [A64_OFFSET_1] = {10, 12, 0, 1, 0, 4095},
    [A64_OFFSET_2] = {10, 12, 1, 1, 0, 2 * 4095},
    [A64_OFFSET_4] = {10, 12, 2, 1, 0, 4 * 4095},
    [A64_OFFSET_8] = {10, 12, 3, 1, 0, 8 * 4095},
    [A64_OFFSET_16] = {10, 12, 4, 1, 0, 16 * 4095},
    [A64_PAIR_8] = {15, 7, 3, 1, -512, 504},
    [A64_PAIR_16] = {15, 7, 4, 1, -1024, 1008},
    [A64_BARRIER] = {8, 4, 0, 1, 0, 15},
    [A64_TARGET_19] = {5, 19, 2, 1, -(1 << 20), (1 << 20) - 4},
    [A64_TARGET_26] = {0, 26, 2, 1, -(1 << 27), (1 << 27) - 4},
};

uint32_t a64_encode(enum a64_op op, const int32_t operands[])
{
    uint32_t instruction = a64_ops[op].pattern;
    for (unsigned i = 0; i < A64_MAX_OPERANDS && a64_ops[op].fields[i]; i++) {
        const struct a64_field_info *f = &a64_fields[a64_ops[op].fields[i]];
        const int32_t value = operands[i];
        assert(value >= f->min && value <= f->max && !(value & ((1 << f->scale) - 1)));
        const uint32_t bits = (uint32_t)(f->sign * value >> f->scale);
        instruction |= (bits & ((1u << f->bits) - 1)) << f->position;
    }
    return instruction;
}
