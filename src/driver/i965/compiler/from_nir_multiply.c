/* SPDX-License-Identifier: MIT */
/*
 * Integer multiplication on devices whose multiplier takes at most 32 by 16 bits: products of words
 * are added up. A word is a view of its dword with a stride of two words.
 */
#include "from_nir.h"

/* Returns the low or high word of each dword of r, which has no modifiers. */
static struct lir_reg word(struct lir_reg r, unsigned high, enum eu_type type)
{
    if (r.file == LIR_IMM)
        return lir_imm(r.imm >> 16 * high & 0xffff, type);
    r = lir_byte_offset(lir_retype(r, type), 2 * high);
    r.stride = (uint8_t)(2 * r.stride);
    return r;
}

/* Returns r as an operand whose words can be addressed. */
static struct lir_reg addressable(struct from_nir *c, struct lir_reg r)
{
    return r.region || r.stride > 1 ? i965_mov(c, r.type, r) : r;
}

/* a · b = a · low(b) + (a · high(b) << 16). */
struct lir_reg i965_multiply(struct from_nir *c, struct lir_reg a, struct lir_reg b)
{
    if (a.file == LIR_IMM) {
        struct lir_reg t = a;
        a = b;
        b = t;
    }
    if (a.file == LIR_IMM)
        a = i965_mov(c, EU_TYPE_D, a);
    a = lir_retype(a, EU_TYPE_D);
    b = addressable(c, b);
    int32_t constant = (int32_t)b.imm;
    if (b.file == LIR_IMM && constant >= INT16_MIN && constant <= UINT16_MAX)
        return i965_alu(c, EU_OPCODE_MUL, EU_TYPE_D, a,
                        word(b, 0, constant < 0 ? EU_TYPE_W : EU_TYPE_UW));
    struct lir_reg low = i965_alu(c, EU_OPCODE_MUL, EU_TYPE_D, a, word(b, 0, EU_TYPE_UW));
    struct lir_reg high = i965_alu(c, EU_OPCODE_MUL, EU_TYPE_D, a, word(b, 1, EU_TYPE_UW));
    high = i965_alu(c, EU_OPCODE_SHL, EU_TYPE_D, high, lir_imm_ud(16));
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, low, high);
}

/* Returns a · b, where b is less than 2^16. */
struct lir_reg i965_multiply_word(struct from_nir *c, struct lir_reg a, struct lir_reg b)
{
    if (a.file == LIR_IMM || b.file == LIR_IMM)
        return i965_multiply(c, a, b);
    return i965_alu(c, EU_OPCODE_MUL, EU_TYPE_D, lir_retype(a, EU_TYPE_D),
                    word(addressable(c, b), 0, EU_TYPE_UW));
}

/* Returns the upper 32 bits of the product of two D or UD. The high words are signed if the
 * operands are; no sum overflows. */
struct lir_reg i965_multiply_high(struct from_nir *c, enum eu_type type, struct lir_reg a,
                                  struct lir_reg b)
{
    enum eu_type signed_word = type == EU_TYPE_D ? EU_TYPE_W : EU_TYPE_UW;
    if (a.file == LIR_IMM)
        a = i965_mov(c, type, a);
    a = addressable(c, a);
    b = addressable(c, b);
    struct lir_reg a0 = word(a, 0, EU_TYPE_UW), a1 = word(a, 1, signed_word);
    struct lir_reg b0 = word(b, 0, EU_TYPE_UW), b1 = word(b, 1, signed_word);
    struct lir_reg low = i965_alu(c, EU_OPCODE_MUL, EU_TYPE_UD, a0, b0);
    struct lir_reg middle = i965_alu(c, EU_OPCODE_MUL, type, a0, b1);
    middle = i965_alu(c, EU_OPCODE_ADD, type, middle, word(low, 1, EU_TYPE_UW));
    struct lir_reg other = i965_alu(c, EU_OPCODE_MUL, type, a1, b0);
    other = i965_alu(c, EU_OPCODE_ADD, type, other, word(middle, 0, EU_TYPE_UW));
    struct lir_reg high = i965_alu(c, EU_OPCODE_MUL, type, a1, b1);
    high = i965_alu(c, EU_OPCODE_ADD, type, high, word(middle, 1, signed_word));
    return i965_alu(c, EU_OPCODE_ADD, type, high, word(other, 1, signed_word));
}
