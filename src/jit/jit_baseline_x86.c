/* SPDX-License-Identifier: MIT */
/*
 * The parts of the baseline code generator that SSE4.1, AVX2 and AVX-512 share: encodings of the
 * vector operations, general registers, and the function around a kernel's code (System V ABI for
 * AMD64). The kernel's argument stays in RDI; RBX points to the constants, RSP to the frame.
 */
#include "jit/jit_baseline_x86.h"

#include <string.h>

#include "util/os_memory.h"

#define PAGE 4096

/* Condition codes. */
enum { ZERO = 4, NOT_ZERO = 5 };

static_assert(REG_VALUE == (int)RAX && REG_OTHER == (int)RCX && REG_LANES == (int)RDX &&
                  REG_POOL == (int)RBX && REG_FRAME == (int)RSP && REG_INDEX == (int)RSI &&
                  REG_ARGS == (int)RDI,
              "roles of registers are their numbers");

/* --- vector operations --- */

/* Encoding of an operation. */
struct row {
    uint32_t op;
    uint8_t digit; /* of shifts by an immediate: bits of the opcode in ModRM.reg */
    bool has_immediate;
    uint8_t immediate;
};

static const struct row rows[VOP_COUNT] = {
    [VOP_MOVE] = {X86_MOVE},
    [VOP_STORE] = {X86_MOVE_BACK},
    [VOP_STORE_WORD] = {X86_OP(1, 1, 0, 0x7e)},
    [VOP_STORE_LONG] = {X86_OP(1, 1, 1, 0xd6)},
    [VOP_BROADCAST] = {X86_BROADCAST},
    [VOP_FADD] = {X86_OP(1, 0, 0, 0x58)},
    [VOP_FSUB] = {X86_OP(1, 0, 0, 0x5c)},
    [VOP_FMUL] = {X86_OP(1, 0, 0, 0x59)},
    [VOP_FDIV] = {X86_OP(1, 0, 0, 0x5e)},
    [VOP_FMIN] = {X86_OP(1, 0, 0, 0x5d)},
    [VOP_FMAX] = {X86_OP(1, 0, 0, 0x5f)},
    [VOP_FMA] = {X86_OP(2, 1, 0, 0xa8)},
    [VOP_FSQRT] = {X86_OP(1, 0, 0, 0x51)},
    [VOP_TRUNC] = {X86_OP(3, 1, 0, 0x08), 0, true, 0x0b},
    [VOP_FLOOR] = {X86_OP(3, 1, 0, 0x08), 0, true, 0x09},
    [VOP_CEIL] = {X86_OP(3, 1, 0, 0x08), 0, true, 0x0a},
    [VOP_ROUND_EVEN] = {X86_OP(3, 1, 0, 0x08), 0, true, 0x08},
    [VOP_INT_TO_FLOAT] = {X86_OP(1, 0, 0, 0x5b)},
    [VOP_FLOAT_TO_INT] = {X86_OP(1, 2, 0, 0x5b)},
    [VOP_ROUND_TO_INT] = {X86_OP(1, 1, 0, 0x5b)},
    [VOP_FADD_LONG] = {X86_OP(1, 1, 1, 0x58)},
    [VOP_FSUB_LONG] = {X86_OP(1, 1, 1, 0x5c)},
    [VOP_FMUL_LONG] = {X86_OP(1, 1, 1, 0x59)},
    [VOP_FDIV_LONG] = {X86_OP(1, 1, 1, 0x5e)},
    [VOP_FMA_LONG] = {X86_OP(2, 1, 1, 0xa8)},
    [VOP_TRUNC_LONG] = {X86_OP(3, 1, 1, 0x09), 0, true, 0x0b},
    [VOP_INT_TO_LONG_FLOAT] = {X86_OP(1, 2, 0, 0xe6)},
    [VOP_NARROW_FLOAT] = {X86_OP(1, 1, 1, 0x5a)},
    [VOP_WIDEN_FLOAT] = {X86_OP(1, 0, 0, 0x5a)},
    [VOP_WIDEN_HALF_FLOAT] = {X86_OP(2, 1, 0, 0x13)},
    [VOP_NARROW_TO_HALF_FLOAT] = {X86_OP(3, 1, 0, 0x1d), 0, true, 0},
    [VOP_ADD] = {X86_OP(1, 1, 0, 0xfe)},
    [VOP_SUB] = {X86_OP(1, 1, 0, 0xfa)},
    [VOP_MUL] = {X86_OP(2, 1, 0, 0x40)},
    [VOP_AND] = {X86_BIT_AND},
    [VOP_OR] = {X86_OP(1, 1, 0, 0xeb)},
    [VOP_XOR] = {X86_BIT_XOR},
    [VOP_SMIN] = {X86_OP(2, 1, 0, 0x39)},
    [VOP_SMAX] = {X86_OP(2, 1, 0, 0x3d)},
    [VOP_UMIN] = {X86_OP(2, 1, 0, 0x3b)},
    [VOP_UMAX] = {X86_OP(2, 1, 0, 0x3f)},
    [VOP_ABS] = {X86_OP(2, 1, 0, 0x1e)},
    [VOP_ADD_LONG] = {X86_OP(1, 1, 1, 0xd4)},
    [VOP_SUB_LONG] = {X86_OP(1, 1, 1, 0xfb)},
    [VOP_MUL_LONG] = {X86_OP(2, 1, 1, 0x40)},
    [VOP_AND_LONG] = {X86_OP(1, 1, 1, 0xdb)},
    [VOP_OR_LONG] = {X86_OP(1, 1, 1, 0xeb)},
    [VOP_XOR_LONG] = {X86_OP(1, 1, 1, 0xef)},
    [VOP_SMIN_LONG] = {X86_OP(2, 1, 1, 0x39)},
    [VOP_SMAX_LONG] = {X86_OP(2, 1, 1, 0x3d)},
    [VOP_UMIN_LONG] = {X86_OP(2, 1, 1, 0x3b)},
    [VOP_UMAX_LONG] = {X86_OP(2, 1, 1, 0x3f)},
    [VOP_MUL_SIGNED] = {X86_OP(2, 1, 1, 0x28)},
    [VOP_MUL_UNSIGNED] = {X86_OP(1, 1, 1, 0xf4)},
    [VOP_ADD_HALVES] = {X86_OP(1, 1, 0, 0xfd)},
    [VOP_SUB_HALVES] = {X86_OP(1, 1, 0, 0xf9)},
    [VOP_MUL_HALVES] = {X86_OP(1, 1, 0, 0xd5)},
    [VOP_UMIN_HALVES] = {X86_OP(2, 1, 0, 0x3a)},
    [VOP_MUL_ROUND_HALVES] = {X86_OP(2, 1, 0, 0x0b)},
    [VOP_ADD_SATURATED_BYTES] = {X86_OP(1, 1, 0, 0xdc)},
    [VOP_SHIFT_LEFT] = {X86_SHIFT, 6},
    [VOP_SHIFT_RIGHT] = {X86_SHIFT, 2},
    [VOP_SHIFT_SIGNED] = {X86_SHIFT, 4},
    [VOP_SHIFT_LEFT_LONG] = {X86_OP(1, 1, 1, 0x73), 6},
    [VOP_SHIFT_RIGHT_LONG] = {X86_OP(1, 1, 1, 0x73), 2},
    [VOP_SHIFT_SIGNED_LONG] = {X86_OP(1, 1, 1, 0x72), 4}, /* vpsraq is vpsrad with W */
    [VOP_SHIFT_LEFT_HALVES] = {X86_OP(1, 1, 0, 0x71), 6},
    [VOP_SHIFT_RIGHT_HALVES] = {X86_OP(1, 1, 0, 0x71), 2},
    [VOP_SHIFT_LEFT_EACH] = {X86_OP(2, 1, 0, 0x47)},
    [VOP_SHIFT_RIGHT_EACH] = {X86_OP(2, 1, 0, 0x45)},
    [VOP_SHIFT_SIGNED_EACH] = {X86_OP(2, 1, 0, 0x46)},
    [VOP_WIDEN_BYTES] = {X86_OP(2, 1, 0, 0x31)},
    [VOP_WIDEN_HALVES] = {X86_OP(2, 1, 0, 0x33)},
    [VOP_WIDEN_WORDS] = {X86_OP(2, 1, 0, 0x35)},
    [VOP_WIDEN_SIGNED] = {X86_OP(2, 1, 0, 0x25)},
    [VOP_PACK_WORDS] = {X86_OP(2, 1, 0, 0x2b)},
    [VOP_PACK_HALVES] = {X86_OP(1, 1, 0, 0x67)},
    [VOP_SHUFFLE_BYTES] = {X86_OP(2, 1, 0, 0x00)},
    [VOP_PERMUTE] = {X86_PERMUTE},
    [VOP_PERMUTE_FOUR] = {X86_OP(1, 1, 0, 0x70)},
    [VOP_INSERT_FOUR] = {X86_OP(3, 1, 0, 0x38)}, /* vinserti32x4 */
    [VOP_EXTRACT_FOUR] = {X86_OP(3, 1, 0, 0x39)},
};

void baseline_x86_op(struct baseline *q, uint32_t op, enum code_length length, unsigned reg,
                     unsigned v, struct code_operand rm)
{
    q->isa->x86->encode(&q->code, op, length, reg, v, rm);
}

void baseline_x86_op_imm(struct baseline *q, uint32_t op, enum code_length length, unsigned reg,
                         unsigned v, struct code_operand rm, unsigned immediate)
{
    if (q->isa->x86->encode_imm) {
        q->isa->x86->encode_imm(&q->code, op, length, reg, v, rm, immediate);
        return;
    }
    baseline_x86_op(q, op, length, reg, v, rm);
    code_byte(&q->code, immediate);
}

void baseline_x86_vop(struct baseline *q, enum baseline_vop op, enum code_length length,
                      unsigned reg, unsigned v, struct code_operand rm)
{
    const struct row *row = &rows[op];
    if (op == VOP_BROADCAST_LONG)
        baseline_x86_op(q, q->isa->x86->broadcast_long, length, reg, v, rm);
    else if (row->has_immediate)
        baseline_x86_op_imm(q, row->op, length, reg, v, rm, row->immediate);
    else
        baseline_x86_op(q, row->op, length, reg, v, rm);
}

void baseline_x86_vop_imm(struct baseline *q, enum baseline_vop op, enum code_length length,
                          unsigned reg, unsigned v, struct code_operand rm, unsigned immediate)
{
    const struct row *row = &rows[op];
    uint32_t x86_op = row->op;
    if (row->digit) { /* v is the result */
        v = reg;
        reg = row->digit;
    } else if (op == VOP_INSERT_HALF) {
        x86_op = q->isa->x86->insert_half;
    } else if (op == VOP_EXTRACT_HALF) {
        x86_op = q->isa->x86->extract_half;
    }
    baseline_x86_op_imm(q, x86_op, length, reg, v, rm, immediate);
}

void baseline_x86_compare_floats(struct baseline *q, enum baseline_float_comparison comparison,
                                 bool wide, unsigned x, struct code_operand y)
{
    static const uint8_t predicates[] = {
        [BASELINE_FLOAT_EQ] = 0, [BASELINE_FLOAT_LT] = 1,  [BASELINE_FLOAT_UNORD] = 3,
        [BASELINE_FLOAT_NE] = 4, [BASELINE_FLOAT_GE] = 13, [BASELINE_FLOAT_GT] = 14,
    };
    const uint32_t vcmpps = X86_OP(1, 0, 0, 0xc2), vcmppd = X86_OP(1, 1, 1, 0xc2);
    baseline_x86_op_imm(q, wide ? vcmppd : vcmpps, q->isa->length, q->isa->x86->condition, x, y,
                        predicates[comparison]);
}

/* --- general registers --- */

static void memory(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                   unsigned base, int32_t disp)
{
    static const uint16_t opcodes[BASELINE_GENERAL_OPS] = {
        [BASELINE_LOAD] = X86_LOAD,
        [BASELINE_LOAD_SIGNED] = X86_LOAD_SIGNED,
        [BASELINE_LOAD_BYTE] = 0x1b6,
        [BASELINE_LOAD_HALF] = 0x1b7,
        [BASELINE_AND] = 0x23,
        [BASELINE_OR] = 0x0b,
        [BASELINE_XOR] = 0x33,
        [BASELINE_ADD] = 0x03,
        [BASELINE_STORE] = X86_STORE,
        [BASELINE_STORE_BYTE] = 0x88,
        [BASELINE_STORE_HALF] = X86_STORE,
        [BASELINE_AND_BACK] = 0x21,
    };
    if (op == BASELINE_STORE_HALF)
        code_byte(&q->code, 0x66);
    x86_memory(&q->code, wide, opcodes[op], reg, (enum x86_register)base, disp);
}

static void registers(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                      unsigned from)
{
    static const uint8_t opcodes[BASELINE_GENERAL_OPS] = {
        [BASELINE_LOAD] = X86_LOAD, [BASELINE_LOAD_SIGNED] = X86_LOAD_SIGNED,
        [BASELINE_AND] = 0x23,      [BASELINE_OR] = 0x0b,
        [BASELINE_XOR] = 0x33,      [BASELINE_ADD] = 0x03,
    };
    x86_registers(&q->code, wide, opcodes[op], reg, from);
}

static void element(struct baseline *q, bool wide, unsigned reg, unsigned vector)
{
    baseline_x86_op(q, X86_OP(1, 1, (uint32_t)wide, 0x7e), CODE_128, vector, 0, code_reg(reg));
}

static void shift_left(struct baseline *q, unsigned reg, unsigned count)
{
    x86_registers(&q->code, false, 0xc1, 4, reg);
    code_byte(&q->code, count);
}

static void shift_right(struct baseline *q, unsigned reg, unsigned count)
{
    x86_registers(&q->code, false, 0xc1, 5, reg);
    code_byte(&q->code, count);
}

static void invert(struct baseline *q, unsigned reg)
{
    x86_registers(&q->code, false, 0xf7, 2, reg); /* not */
}

static void test(struct baseline *q, unsigned reg)
{
    x86_registers(&q->code, false, 0x85, reg, reg);
}

static void flag(struct baseline *q, unsigned reg, bool zero)
{
    test(q, reg);
    code_byte(&q->code, 0x0f); /* setcc */
    code_byte(&q->code, 0x90 | (zero ? ZERO : NOT_ZERO));
    code_byte(&q->code, 0xc0 | reg);
    x86_registers(&q->code, false, 0x1b6, reg, reg); /* movzx */
    x86_registers(&q->code, false, 0xf7, 3, reg);    /* neg */
}

static unsigned jump(struct baseline *q, unsigned chain)
{
    return x86_jump(&q->code, X86_ALWAYS, chain);
}

static unsigned jump_if(struct baseline *q, unsigned reg, bool zero, unsigned chain)
{
    test(q, reg);
    return x86_jump(&q->code, zero ? ZERO : NOT_ZERO, chain);
}

static unsigned call(struct baseline *q, unsigned chain)
{
    return x86_call(&q->code, chain);
}

static void patch(struct baseline *q, unsigned chain)
{
    x86_patch_jumps(&q->code, chain);
}

static void jump_back(struct baseline *q, unsigned target)
{
    x86_jump_back(&q->code, X86_ALWAYS, target);
}

static void jump_back_if(struct baseline *q, unsigned reg, unsigned target)
{
    test(q, reg);
    x86_jump_back(&q->code, NOT_ZERO, target);
}

/* x86 CPUs keep the order of loads and that of stores, and don't move stores before earlier loads.
 */
static void barrier(struct baseline *q)
{
}

/* --- calls of C functions --- */

static void emit_bytes(struct code_buffer *code, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        code_byte(code, bytes[i]);
}

/* Avoids transitions between AVX and SSE code. */
static void clear_upper_halves(struct baseline *q)
{
    static const uint8_t vzeroupper[] = {0xc5, 0xf8, 0x77};
    if (!q->isa->x86->legacy)
        emit_bytes(&q->code, vzeroupper, sizeof vzeroupper);
}

/* Emits a call of a C function. The upper halves of the vector registers must be clear. */
static void call_address(struct baseline *q, uintptr_t function)
{
    static const uint8_t mov_rax[] = {0x48, 0xb8}, call_rax[] = {0xff, 0xd0};
    emit_bytes(&q->code, mov_rax, sizeof mov_rax);
    code_long(&q->code, function);
    emit_bytes(&q->code, call_rax, sizeof call_rax);
}

/* Emits a call of a C function. The stack pointer must be a multiple of 16. Clobbers what a
 * function may clobber (System V ABI, 3.2.1), which includes all vector registers. */
static void call_function(struct baseline *q, uintptr_t function)
{
    clear_upper_halves(q);
    call_address(q, function);
}

/* Loads (VOP_MOVE) or stores (VOP_STORE) the vector registers that hold values; register i is at
 * [RSP + place + i * its bytes]. */
static void move_registers(struct baseline *q, enum baseline_vop op, int32_t place)
{
    const struct baseline_isa *isa = q->isa;
    for (unsigned r = isa->first_reg; r < isa->num_regs; r++)
        baseline_op(q, op, isa->length, r, 0,
                    code_mem(REG_FRAME, place + (int32_t)(r * 4 * isa->lanes)));
}

/* Emits reg = RSP + disp. */
static void frame_address(struct baseline *q, enum x86_register reg, int32_t disp)
{
    x86_memory(&q->code, true, 0x8d, reg, RSP, disp); /* lea */
}

static void step_call(struct baseline *q, const struct baseline_step *s)
{
    static const uint8_t mov_rsi[] = {0x48, 0xbe};
    baseline_general(q, false, BASELINE_LOAD, RCX, baseline_active_lanes(q));
    emit_bytes(&q->code, mov_rsi, sizeof mov_rsi);
    code_long(&q->code, (uintptr_t)s);
    q->step_calls = call(q, q->step_calls);
}

static void step_code(struct baseline *q, baseline_step_fn *run, int32_t saved)
{
    static const uint8_t push_rdi = 0x57, pop_rdi = 0x5f, ret = 0xc3;
    const int32_t below = 16; /* the return address and RDI */
    const int32_t place = below + saved - (int32_t)(q->isa->first_reg * 4 * q->isa->lanes);
    struct code_buffer *code = &q->code;
    code_byte(code, push_rdi);
    move_registers(q, VOP_STORE, place);
    x86_registers(code, true, X86_LOAD, RDX, RDI);
    frame_address(q, RDI, below);
    call_function(q, (uintptr_t)run);
    move_registers(q, VOP_MOVE, place);
    code_byte(code, pop_rdi);
    code_byte(code, ret);
}

static void reduction(struct baseline *q, baseline_reduce_fn *reduce, int32_t saved)
{
    static const uint8_t push_rdi = 0x57, pop_rdi = 0x5f, ret = 0xc3, mov_edx = 0xba;
    const int32_t below = 16; /* the return address and RDI */
    struct code_buffer *code = &q->code;
    code_byte(code, push_rdi);
    move_registers(q, VOP_STORE, below + saved);
    clear_upper_halves(q);
    frame_address(q, RDI, below + q->angles[0]);
    frame_address(q, RSI, below + q->angles[1]);
    code_byte(code, mov_edx);
    code_word(code, q->isa->lanes);
    call_address(q, (uintptr_t)reduce);
    move_registers(q, VOP_MOVE, below + saved);
    code_byte(code, pop_rdi);
    code_byte(code, ret);
}

/* --- the frame --- */

/* Emits code that clears an area of the frame. Clobbers RAX, RCX and RDX. */
static void clear_few(struct baseline *q, int32_t place, uint64_t bytes)
{
    static const uint8_t mov_ecx[] = {0xb9}, rep_stosq[] = {0xf3, 0x48, 0xab};
    struct code_buffer *code = &q->code;
    x86_registers(code, true, X86_LOAD, RDX, RDI);
    frame_address(q, RDI, place);
    x86_registers(code, false, 0x33, RAX, RAX); /* xor eax, eax */
    emit_bytes(code, mov_ecx, sizeof mov_ecx);
    code_word(code, (uint32_t)(bytes / 8));
    emit_bytes(code, rep_stosq, sizeof rep_stosq);
    x86_registers(code, true, X86_LOAD, RDI, RDX);
}

static void clear_area(struct baseline *q, int32_t place, uint64_t bytes)
{
    static const uint8_t push_rdi = 0x57, pop_rdi = 0x5f, mov_esi[] = {0xbe};
    struct code_buffer *code = &q->code;
    if (bytes <= JIT_FEW_SCRATCH) {
        clear_few(q, place, bytes);
        return;
    }
    frame_address(q, RSI, place);
    code_byte(code, push_rdi);
    code_byte(code, push_rdi); /* align the stack */
    x86_registers(code, true, X86_LOAD, RDI, RSI);
    emit_bytes(code, mov_esi, sizeof mov_esi);
    code_word(code, (uint32_t)bytes);
    call_function(q, (uintptr_t)os_memory_zero);
    code_byte(code, pop_rdi);
    code_byte(code, pop_rdi);
}

/* Emits RAX = time stamp counter. Clobbers RDX. */
static void read_ticks(struct code_buffer *code)
{
    static const uint8_t rdtsc[] = {0x0f, 0x31};
    emit_bytes(code, rdtsc, sizeof rdtsc);
    x86_registers(code, true, 0xc1, 4, RDX); /* shl rdx, 32 */
    code_byte(code, 32);
    x86_registers(code, true, 0x0b, RAX, RDX); /* or rax, rdx */
}

static void add_ticks(struct code_buffer *code, int32_t since, uint64_t *sum)
{
    static const uint8_t mov_rcx[] = {0x48, 0xb9}, mov_edx[] = {0xba};
    read_ticks(code);
    x86_memory(code, true, 0x2b, RAX, RSP, since); /* sub rax, since */
    emit_bytes(code, mov_edx, sizeof mov_edx);
    code_word(code, BASELINE_CALL_TICKS);
    x86_registers(code, true, 0x3b, RAX, RDX);  /* cmp rax, rdx */
    x86_registers(code, true, 0x147, RAX, RDX); /* cmova rax, rdx */
    emit_bytes(code, mov_rcx, sizeof mov_rcx);
    code_long(code, (uintptr_t)sum);
    x86_memory(code, true, 0x01, RAX, RCX, 0); /* add [rcx], rax */
}

static void leave(struct baseline *q, int32_t since, int32_t top, uint64_t *ticks)
{
    static const uint8_t pop_and_return[] = {0x5b, 0x5d, 0xc3};
    struct code_buffer *code = &q->code;
    const enum jit_stack stack = baseline_stack(q);
    add_ticks(code, since, ticks);
    if (stack != JIT_STACK_CALLERS)
        x86_memory(code, true, X86_LOAD, RDI, RSP, top);
    x86_memory(code, true, 0x8d, RSP, RBP, -8); /* lea rsp, [rbp - 8] */
    if (stack == JIT_STACK_CALLERS) {
        clear_upper_halves(q);
    } else {
        static const uint8_t push_rax = 0x50, pop_rcx = 0x59; /* align the stack */
        code_byte(code, push_rax);
        call_function(q, stack == JIT_STACK_SMALL ? (uintptr_t)jit_stack_release_small
                                                  : (uintptr_t)jit_stack_release_large);
        code_byte(code, pop_rcx);
    }
    emit_bytes(code, pop_and_return, sizeof pop_and_return);
}

/* Emits code that makes RSP point to the frame. */
static void enter_frame(struct baseline *q, int32_t top)
{
    static const uint8_t push_rdi = 0x57, pop_rdi = 0x5f;
    struct code_buffer *code = &q->code;
    const enum jit_stack stack = baseline_stack(q);
    if (stack != JIT_STACK_CALLERS) {
        code_byte(code, push_rdi);
        call_function(q, stack == JIT_STACK_SMALL ? (uintptr_t)jit_stack_take_small
                                                  : (uintptr_t)jit_stack_take_large);
        code_byte(code, pop_rdi);
        x86_registers(code, true, X86_LOAD, RSP, RAX);
    }
    /* Touch every page, so that a stack overflow hits the guard page and not memory below it. */
    for (int32_t page = PAGE; stack == JIT_STACK_CALLERS && page < q->frame + PAGE; page += PAGE) {
        x86_memory(code, true, 0x83, 4, RSP, -page); /* and [rsp - page], -1 */
        code_byte(code, 0xff);
    }
    x86_registers(code, true, 0x81, 5, RSP); /* sub rsp, the frame */
    code_word(code, (uint32_t)(q->frame + 63) & -64u);
    x86_registers(code, true, 0x83, 4, RSP); /* and rsp, -64 */
    code_byte(code, 0xc0);
    if (stack != JIT_STACK_CALLERS)
        x86_memory(code, true, X86_STORE, RAX, RSP, top);
}

static void enter(struct baseline *q, int32_t since, int32_t top)
{
    static const uint8_t push_rbp[] = {0x55}, push_rbx[] = {0x53}, lea_rbx[] = {0x48, 0x8d, 0x1d};
    struct code_buffer *code = &q->code;
    emit_bytes(code, push_rbp, sizeof push_rbp);
    x86_registers(code, true, X86_STORE, RSP, RBP); /* mov rbp, rsp */
    emit_bytes(code, push_rbx, sizeof push_rbx);
    enter_frame(q, top);
    read_ticks(code);
    x86_memory(code, true, X86_STORE, RAX, RSP, since);
    emit_bytes(code, lea_rbx, sizeof lea_rbx); /* lea rbx, [rip + distance to the pool] */
    unsigned pool_at = code->bytes.count;
    code_word(code, 0);
    x86_jump_back(code, X86_ALWAYS, 0);
    q->end = code->bytes.count;
    while (code->bytes.count % 64)
        code_byte(code, 0xcc);
    uint32_t distance = code->bytes.count - (pool_at + 4);
    memcpy(code->bytes.data + pool_at, &distance, sizeof distance);
}

static uint64_t ticks(uint64_t ticks)
{
    return ticks;
}

const struct baseline_machine baseline_x86_machine = {
    .memory = memory,
    .registers = registers,
    .element = element,
    .shift_left = shift_left,
    .shift_right = shift_right,
    .invert = invert,
    .flag = flag,
    .jump = jump,
    .jump_if = jump_if,
    .call = call,
    .patch = patch,
    .jump_back = jump_back,
    .jump_back_if = jump_back_if,
    .clear_area = clear_area,
    .barrier = barrier,
    .step_call = step_call,
    .step_code = step_code,
    .reduction = reduction,
    .enter = enter,
    .leave = leave,
    .ticks = ticks,
};
