/* SPDX-License-Identifier: MIT */
/* Prefixes, opcodes and addressing forms of x86-64 instructions. */
#include "jit/jit_x86.h"

#include <assert.h>
#include <string.h>

/* Emits ModRM, SIB if needed, and a 32-bit displacement for memory operands. */
static void address(struct code_buffer *code, unsigned reg, struct code_operand rm)
{
    if (rm.kind == CODE_REG) {
        code_byte(code, 0xc0 | (reg & 7) << 3 | (rm.reg & 7));
        return;
    }
    bool sib = rm.kind == CODE_INDEXED || rm.reg == RSP;
    code_byte(code, 0x80 | (reg & 7) << 3 | (sib ? RSP : rm.reg));
    if (sib)
        code_byte(code, (rm.kind == CODE_INDEXED ? (rm.index & 7) << 3 : 4 << 3) | rm.reg);
    code_word(code, (uint32_t)rm.disp);
}

/* Returns a bit of a register number, inverted, as prefixes hold bits 3 and 4. */
static unsigned inverted(unsigned reg, unsigned bit)
{
    return ~reg >> bit & 1;
}

void x86_evex(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
              unsigned v, struct code_operand rm, unsigned mask, bool zero)
{
    bool lanes = rm.kind == CODE_INDEXED;
    unsigned x = lanes ? inverted(rm.index, 3) : rm.kind == CODE_REG ? inverted(rm.reg, 4) : 1;
    unsigned high_v = inverted(lanes ? rm.index : v, 4);

    code_byte(code, 0x62);
    code_byte(code, inverted(reg, 3) << 7 | x << 6 | inverted(rm.reg, 3) << 5 |
                        inverted(reg, 4) << 4 | op >> 16);
    code_byte(code, (op >> 8 & 1) << 7 | (~v & 15) << 3 | 4 | (op >> 12 & 3));
    code_byte(code, (unsigned)zero << 7 | (unsigned)length << 5 | (rm.kind == CODE_BROADCAST) << 4 |
                        high_v << 3 | mask);
    code_byte(code, op & 0xff);
    address(code, reg, rm);
}

void x86_vex(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
             unsigned v, struct code_operand rm)
{
    assert(reg < 16 && v < 16 && rm.reg < 16 && length <= CODE_256 && rm.kind != CODE_BROADCAST);
    unsigned x = rm.kind == CODE_INDEXED ? inverted(rm.index, 3) : 1;
    unsigned prefix = (~v & 15) << 3 | (unsigned)length << 2 | (op >> 12 & 3);
    if (op >> 16 == 1 && !(op >> 8 & 1) && x && rm.reg < 8) {
        code_byte(code, 0xc5);
        code_byte(code, inverted(reg, 3) << 7 | prefix);
    } else {
        code_byte(code, 0xc4);
        code_byte(code, inverted(reg, 3) << 7 | x << 6 | inverted(rm.reg, 3) << 5 | op >> 16);
        code_byte(code, (op >> 8 & 1) << 7 | prefix);
    }
    code_byte(code, op & 0xff);
    address(code, reg, rm);
}

void x86_sse(struct code_buffer *code, uint32_t op, unsigned reg, struct code_operand rm)
{
    static const uint8_t prefix[] = {0, 0x66, 0xf3, 0xf2}, map[] = {0, 0, 0x38, 0x3a};
    const bool general = (op & ~0x110u) == X86_OP(1, 1, 0, 0x6e); /* movd, movq */
    const unsigned rex =
        (general && op >> 8 & 1) << 3 | (reg >> 3) << 2 | (rm.kind == CODE_REG ? rm.reg >> 3 : 0u);
    assert(reg < 16 && rm.reg < 16 && rm.kind != CODE_BROADCAST);
    if (op >> 12 & 3)
        code_byte(code, prefix[op >> 12 & 3]);
    if (rex)
        code_byte(code, 0x40 | rex);
    code_byte(code, 0x0f);
    if (op >> 16 > 1)
        code_byte(code, map[op >> 16]);
    code_byte(code, op & 0xff);
    address(code, reg, rm);
}

static void opcode_of(struct code_buffer *code, bool wide, unsigned opcode)
{
    if (wide)
        code_byte(code, 0x48);
    if (opcode > 0xff)
        code_byte(code, 0x0f);
    code_byte(code, opcode & 0xff);
}

void x86_general(struct code_buffer *code, bool wide, unsigned opcode, unsigned reg,
                 struct code_operand rm)
{
    opcode_of(code, wide, opcode);
    address(code, reg, rm);
}

void x86_memory(struct code_buffer *code, bool wide, unsigned opcode, unsigned reg,
                enum x86_register base, int32_t disp)
{
    x86_general(code, wide, opcode, reg, code_mem(base, disp));
}

void x86_registers(struct code_buffer *code, bool wide, unsigned opcode, unsigned reg, unsigned rm)
{
    opcode_of(code, wide, opcode);
    code_byte(code, 0xc0 | reg << 3 | rm);
}

void x86_load_mask(struct code_buffer *code, unsigned mask, enum x86_register base, int32_t disp)
{
    code_byte(code, 0xc5);
    code_byte(code, 0xf8);
    code_byte(code, 0x90);
    address(code, mask, code_mem(base, disp));
}

static void move_mask(struct code_buffer *code, unsigned opcode, unsigned reg, unsigned rm)
{
    code_byte(code, 0xc5);
    code_byte(code, 0xf8);
    code_byte(code, opcode);
    code_byte(code, 0xc0 | reg << 3 | rm);
}

void x86_mask_to_register(struct code_buffer *code, enum x86_register reg, unsigned mask)
{
    move_mask(code, 0x93, reg, mask);
}

void x86_register_to_mask(struct code_buffer *code, unsigned mask, enum x86_register reg)
{
    move_mask(code, 0x92, mask, reg);
}

static void jump_opcode(struct code_buffer *code, unsigned condition)
{
    if (condition == X86_ALWAYS) {
        code_byte(code, 0xe9);
    } else {
        code_byte(code, 0x0f);
        code_byte(code, 0x80 | condition);
    }
}

/* Until the target is known, the displacement holds the previous jump of the chain. */
unsigned x86_jump(struct code_buffer *code, unsigned condition, unsigned chain)
{
    jump_opcode(code, condition);
    unsigned at = code->bytes.count;
    code_word(code, chain);
    return at;
}

unsigned x86_call(struct code_buffer *code, unsigned chain)
{
    code_byte(code, 0xe8);
    unsigned at = code->bytes.count;
    code_word(code, chain);
    return at;
}

void x86_patch_jumps(struct code_buffer *code, unsigned chain)
{
    while (chain) {
        uint32_t next, distance = code->bytes.count - (chain + 4);
        memcpy(&next, code->bytes.data + chain, sizeof next);
        memcpy(code->bytes.data + chain, &distance, sizeof distance);
        chain = next;
    }
}

void x86_jump_back(struct code_buffer *code, unsigned condition, unsigned target)
{
    jump_opcode(code, condition);
    code_word(code, target - (code->bytes.count + 4));
}
