/* SPDX-License-Identifier: MIT */
/*
 * The baseline code generator's general registers, jumps and function frame on AArch64 (Procedure
 * Call Standard for the Arm 64-bit Architecture). The kernel's argument, the constants and the frame
 * are in registers that functions preserve.
 */
#include "jit/jit_baseline_a64.h"

#include <string.h>

#include "util/os_memory.h"

#define PAGE 4096 /* the smallest pages that systems have */

/* Bytes saved at the function's entry: X29, X30, X19 to X22, D8 to D15. */
#define SAVED 112

void baseline_a64_emit(struct baseline *q, enum a64_op op, const int32_t operands[])
{
    code_word(&q->code, a64_encode(op, operands));
}

int32_t baseline_a64_register(unsigned role)
{
    static const int8_t registers[] = {
        [REG_VALUE] = 9,  [REG_OTHER] = 10, [REG_LANES] = 11, [REG_POOL] = 20,
        [REG_FRAME] = 19, [REG_INDEX] = 12, [REG_ARGS] = 21,
    };
    return registers[role];
}

static int32_t number(unsigned role)
{
    return baseline_a64_register(role);
}

/* Emits reg = value. */
static void load_constant(struct baseline *q, int32_t reg, uint64_t value)
{
    A64_EMIT(q, MOVZ_X, reg, (int32_t)(value & 0xffff), 0);
    for (int32_t shift = 16; shift < 64; shift += 16)
        if (value >> shift & 0xffff)
            A64_EMIT(q, MOVK_X, reg, (int32_t)(value >> shift & 0xffff), shift);
}

static void move(struct baseline *q, int32_t reg, int32_t from)
{
    A64_EMIT(q, ORR_X, reg, A64_ZERO, from);
}

void baseline_a64_add(struct baseline *q, int32_t reg, int32_t base, int32_t disp)
{
    if (disp >= 0 && disp <= a64_fields[A64_IMM_12].max) {
        A64_EMIT(q, ADD_IMM_X, reg, base, disp);
        return;
    }
    load_constant(q, A64_TEMPORARY, disp < 0 ? -(uint64_t)disp : (uint64_t)disp);
    if (disp < 0)
        A64_EMIT(q, SUB_X, reg, base, A64_TEMPORARY);
    else
        A64_EMIT(q, ADD_X, reg, base, A64_TEMPORARY);
}

struct a64_address baseline_a64_address(struct baseline *q, int32_t base, int32_t disp,
                                        int32_t size)
{
    if (disp >= 0 && disp % size == 0 && disp / size <= a64_fields[A64_OFFSET_1].max)
        return (struct a64_address){base, disp};
    baseline_a64_add(q, A64_TEMPORARY, base, disp);
    return (struct a64_address){A64_TEMPORARY, 0};
}

/* --- general registers --- */

/* Emits an operation on registers given by numbers. */
static void operate(struct baseline *q, bool wide, enum baseline_general_op op, int32_t reg,
                    int32_t x, int32_t y)
{
    static const uint16_t table[BASELINE_GENERAL_OPS][2] = {
        [BASELINE_AND] = {A64_AND_W, A64_AND_X},
        [BASELINE_OR] = {A64_ORR_W, A64_ORR_X},
        [BASELINE_XOR] = {A64_EOR_W, A64_EOR_X},
        [BASELINE_ADD] = {A64_ADD_W, A64_ADD_X},
    };
    baseline_a64_emit(q, table[op][wide], (const int32_t[]){reg, x, y});
}

/* Emits a load or store of a register given by its number; base is a number, too. */
static void access_memory(struct baseline *q, bool wide, enum baseline_general_op op, int32_t reg,
                          int32_t base, int32_t disp)
{
    static const struct {
        uint16_t words, longs;
        uint8_t size; /* bytes; 0: 4 or, if wide, 8 */
    } table[BASELINE_GENERAL_OPS] = {
        [BASELINE_LOAD] = {A64_LDR_W, A64_LDR_X},
        [BASELINE_LOAD_SIGNED] = {A64_LDRSW, A64_LDRSW, 4},
        [BASELINE_LOAD_BYTE] = {A64_LDRB, A64_LDRB, 1},
        [BASELINE_LOAD_HALF] = {A64_LDRH, A64_LDRH, 2},
        [BASELINE_STORE] = {A64_STR_W, A64_STR_X},
        [BASELINE_STORE_BYTE] = {A64_STRB, A64_STRB, 1},
        [BASELINE_STORE_HALF] = {A64_STRH, A64_STRH, 2},
    };
    const int32_t size = table[op].size ? table[op].size : wide ? 8 : 4;
    const struct a64_address at = baseline_a64_address(q, base, disp, size);
    baseline_a64_emit(q, wide ? table[op].longs : table[op].words,
                      (const int32_t[]){reg, at.base, at.offset});
}

static void memory(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                   unsigned base, int32_t disp)
{
    switch (op) {
    case BASELINE_AND:
    case BASELINE_OR:
    case BASELINE_XOR:
    case BASELINE_ADD:
        access_memory(q, wide, BASELINE_LOAD, A64_OTHER, number(base), disp);
        operate(q, wide, op, number(reg), number(reg), A64_OTHER);
        break;
    case BASELINE_AND_BACK:
        access_memory(q, wide, BASELINE_LOAD, A64_OTHER, number(base), disp);
        operate(q, wide, BASELINE_AND, A64_OTHER, A64_OTHER, number(reg));
        access_memory(q, wide, BASELINE_STORE, A64_OTHER, number(base), disp);
        break;
    default:
        access_memory(q, wide, op, number(reg), number(base), disp);
        break;
    }
}

static void registers(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                      unsigned from)
{
    if (op == BASELINE_LOAD_SIGNED)
        A64_EMIT(q, SXTW, number(reg), number(from));
    else if (op == BASELINE_LOAD)
        operate(q, wide, BASELINE_OR, number(reg), A64_ZERO, number(from));
    else
        operate(q, wide, op, number(reg), number(reg), number(from));
}

static void element(struct baseline *q, bool wide, unsigned reg, unsigned vector)
{
    if (wide)
        A64_EMIT(q, UMOV_D, number(reg), (int32_t)vector, 0);
    else
        A64_EMIT(q, UMOV_S, number(reg), (int32_t)vector, 0);
}

static void shift_left(struct baseline *q, unsigned reg, unsigned count)
{
    load_constant(q, A64_OTHER, count);
    A64_EMIT(q, LSL_W, number(reg), number(reg), A64_OTHER);
}

static void shift_right(struct baseline *q, unsigned reg, unsigned count)
{
    A64_EMIT(q, LSR_IMM_W, number(reg), number(reg), (int32_t)count);
}

static void invert(struct baseline *q, unsigned reg)
{
    A64_EMIT(q, MOVN_X, A64_OTHER, 0, 0);
    A64_EMIT(q, EOR_W, number(reg), number(reg), A64_OTHER);
}

static void flag(struct baseline *q, unsigned reg, bool zero)
{
    A64_EMIT(q, MOVN_X, A64_OTHER, 0, 0);
    A64_EMIT(q, ANDS_W, A64_ZERO, number(reg), number(reg));
    A64_EMIT(q, CSEL_X, number(reg), A64_OTHER, A64_ZERO, zero ? A64_EQ : A64_NE);
}

/* --- jumps --- */

#define MAX_DISTANCE ((UINT32_C(1) << 27) - 4) /* bytes that B and BL reach */
#define TARGET_BITS  26
#define TARGET_MASK  ((UINT32_C(1) << TARGET_BITS) - 1)

/* Emits B or BL. Until its target is known, it holds the previous jump of the chain. */
static unsigned emit_forward(struct baseline *q, enum a64_op op, unsigned chain)
{
    const unsigned at = q->code.bytes.count;
    code_word(&q->code, a64_ops[op].pattern | (chain / 4 & TARGET_MASK));
    return at;
}

static unsigned jump(struct baseline *q, unsigned chain)
{
    return emit_forward(q, A64_B, chain);
}

/* Conditional branches reach 1 MB only, so they skip an unconditional one. */
static unsigned jump_if(struct baseline *q, unsigned reg, bool zero, unsigned chain)
{
    if (zero)
        A64_EMIT(q, CBNZ_W, number(reg), 8);
    else
        A64_EMIT(q, CBZ_W, number(reg), 8);
    return jump(q, chain);
}

static unsigned call(struct baseline *q, unsigned chain)
{
    return emit_forward(q, A64_BL, chain);
}

static void patch(struct baseline *q, unsigned chain)
{
    while (chain) {
        uint32_t instruction;
        const uint32_t distance = q->code.bytes.count - chain;
        memcpy(&instruction, q->code.bytes.data + chain, sizeof instruction);
        const unsigned next = (instruction & TARGET_MASK) * 4;
        instruction = (instruction & ~TARGET_MASK) | (distance / 4 & TARGET_MASK);
        memcpy(q->code.bytes.data + chain, &instruction, sizeof instruction);
        q->failed |= distance > MAX_DISTANCE;
        chain = next;
    }
}

/* Emits an instruction in place of a jump that doesn't reach its target. */
static void fail(struct baseline *q)
{
    q->failed = true;
    code_word(&q->code, 0); /* udf #0 */
}

static void jump_back(struct baseline *q, unsigned target)
{
    const unsigned distance = q->code.bytes.count - target;
    if (distance <= MAX_DISTANCE)
        A64_EMIT(q, B, -(int32_t)distance);
    else
        fail(q);
}

static void jump_back_if(struct baseline *q, unsigned reg, unsigned target)
{
    A64_EMIT(q, CBZ_W, number(reg), 8);
    jump_back(q, target);
}

static void barrier(struct baseline *q)
{
    A64_EMIT(q, DMB, A64_ISH);
}

/* --- calls of C functions --- */

/* Clobbers what a function may clobber, and X30. Functions preserve the lower halves of V8 to V15
 * only. */
static void call_function(struct baseline *q, uintptr_t function)
{
    load_constant(q, A64_TEMPORARY, function);
    A64_EMIT(q, BLR, A64_TEMPORARY);
}

/* Loads (VOP_MOVE) or stores (VOP_STORE) the vector registers that hold values; register i is at
 * frame offset place + i * 16. */
static void move_registers(struct baseline *q, enum baseline_vop op, int32_t place)
{
    for (unsigned r = q->isa->first_reg; r < q->isa->num_regs; r++)
        baseline_op(q, op, CODE_128, r, 0, code_mem(REG_FRAME, place + (int32_t)r * 16));
}

static void step_call(struct baseline *q, const struct baseline_step *s)
{
    const struct code_operand lanes = baseline_active_lanes(q);
    access_memory(q, false, BASELINE_LOAD, A64_X0 + 3, number(lanes.reg), lanes.disp);
    load_constant(q, A64_X0 + 1, (uintptr_t)s);
    q->step_calls = call(q, q->step_calls);
}

static void step_code(struct baseline *q, baseline_step_fn *run, int32_t saved)
{
    const int32_t place = saved - (int32_t)q->isa->first_reg * 16;
    move(q, A64_KEPT, A64_LR);
    move_registers(q, VOP_STORE, place);
    move(q, A64_X0, number(REG_FRAME));
    move(q, A64_X0 + 2, number(REG_ARGS));
    call_function(q, (uintptr_t)run);
    move_registers(q, VOP_MOVE, place);
    A64_EMIT(q, RET, A64_KEPT);
}

static void reduction(struct baseline *q, baseline_reduce_fn *reduce, int32_t saved)
{
    move(q, A64_KEPT, A64_LR);
    move_registers(q, VOP_STORE, saved);
    baseline_a64_add(q, A64_X0, number(REG_FRAME), q->angles[0]);
    baseline_a64_add(q, A64_X0 + 1, number(REG_FRAME), q->angles[1]);
    load_constant(q, A64_X0 + 2, q->isa->lanes);
    call_function(q, (uintptr_t)reduce);
    move_registers(q, VOP_MOVE, saved);
    A64_EMIT(q, RET, A64_KEPT);
}

/* --- the frame --- */

static void clear_area(struct baseline *q, int32_t place, uint64_t bytes)
{
    baseline_a64_add(q, A64_X0, number(REG_FRAME), place);
    if (bytes > JIT_FEW_SCRATCH) {
        load_constant(q, A64_X0 + 1, bytes);
        call_function(q, (uintptr_t)os_memory_zero);
        return;
    }
    load_constant(q, A64_OTHER, bytes);
    const unsigned head = q->code.bytes.count;
    A64_EMIT(q, STR_X, A64_ZERO, A64_X0, 0);
    A64_EMIT(q, ADD_IMM_X, A64_X0, A64_X0, 8);
    A64_EMIT(q, SUBS_IMM_X, A64_OTHER, A64_OTHER, 8);
    A64_EMIT(q, B_CONDITION, A64_NE, (int32_t)head - (int32_t)q->code.bytes.count);
}

static uint64_t ticks(uint64_t ticks)
{
#if defined(__aarch64__)
    const uint64_t per_second = 2500000000;
    uint64_t frequency;
    __asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
    return (uint64_t)((unsigned __int128)ticks * frequency / per_second);
#else
    return ticks;
#endif
}

static void leave(struct baseline *q, int32_t since, int32_t top, uint64_t *sum)
{
    const int32_t count = A64_X0, other = A64_X0 + 1, address = A64_X0 + 2;
    const enum jit_stack stack = baseline_stack(q);
    access_memory(q, true, BASELINE_LOAD, other, number(REG_FRAME), since);
    A64_EMIT(q, MRS_CNTVCT, count);
    A64_EMIT(q, SUB_X, count, count, other);
    load_constant(q, other, ticks(BASELINE_CALL_TICKS));
    A64_EMIT(q, SUBS_X, A64_ZERO, count, other);
    A64_EMIT(q, CSEL_X, count, other, count, A64_HI);
    load_constant(q, address, (uintptr_t)sum);
    A64_EMIT(q, LDR_X, other, address, 0);
    A64_EMIT(q, ADD_X, other, other, count);
    A64_EMIT(q, STR_X, other, address, 0);
    if (stack != JIT_STACK_CALLERS)
        access_memory(q, true, BASELINE_LOAD, A64_X0, number(REG_FRAME), top);
    A64_EMIT(q, ADD_IMM_X, A64_ZERO, A64_FP, 0);
    if (stack != JIT_STACK_CALLERS)
        call_function(q, stack == JIT_STACK_SMALL ? (uintptr_t)jit_stack_release_small
                                                  : (uintptr_t)jit_stack_release_large);
    for (int32_t i = 0; i < 4; i++)
        A64_EMIT(q, LDP_VD, 8 + 2 * i, 9 + 2 * i, A64_ZERO, 48 + 16 * i);
    A64_EMIT(q, LDP_X, 21, 22, A64_ZERO, 32);
    A64_EMIT(q, LDP_X, 19, 20, A64_ZERO, 16);
    A64_EMIT(q, LDP_X_POST, A64_FP, A64_LR, A64_ZERO, SAVED);
    A64_EMIT(q, RET, A64_LR);
}

/* Emits code that makes SP and REG_FRAME point to the frame. */
static void enter_frame(struct baseline *q, int32_t top)
{
    const enum jit_stack stack = baseline_stack(q);
    const int32_t frame = number(REG_FRAME);
    if (stack != JIT_STACK_CALLERS) {
        call_function(q, stack == JIT_STACK_SMALL ? (uintptr_t)jit_stack_take_small
                                                  : (uintptr_t)jit_stack_take_large);
        move(q, frame, A64_X0);
    } else {
        /* Touch every page, so that a stack overflow hits the guard page and not memory below it.
         */
        A64_EMIT(q, ADD_IMM_X, frame, A64_ZERO, 0);
        load_constant(q, A64_OTHER, PAGE);
        move(q, A64_TEMPORARY, frame);
        for (int32_t page = PAGE; page < q->frame + PAGE; page += PAGE) {
            A64_EMIT(q, SUB_X, A64_TEMPORARY, A64_TEMPORARY, A64_OTHER);
            A64_EMIT(q, STR_X, A64_ZERO, A64_TEMPORARY, 0);
        }
    }
    load_constant(q, A64_OTHER, ((uint64_t)q->frame + 63) & -UINT64_C(64));
    A64_EMIT(q, SUB_X, frame, frame, A64_OTHER);
    load_constant(q, A64_OTHER, 63);
    A64_EMIT(q, BIC_X, frame, frame, A64_OTHER);
    A64_EMIT(q, ADD_IMM_X, A64_ZERO, frame, 0);
    if (stack != JIT_STACK_CALLERS)
        access_memory(q, true, BASELINE_STORE, A64_X0, frame, top);
}

static void enter(struct baseline *q, int32_t since, int32_t top)
{
    const int32_t pool = number(REG_POOL);
    A64_EMIT(q, STP_X_PRE, A64_FP, A64_LR, A64_ZERO, -SAVED);
    A64_EMIT(q, STP_X, 19, 20, A64_ZERO, 16);
    A64_EMIT(q, STP_X, 21, 22, A64_ZERO, 32);
    for (int32_t i = 0; i < 4; i++)
        A64_EMIT(q, STP_VD, 8 + 2 * i, 9 + 2 * i, A64_ZERO, 48 + 16 * i);
    A64_EMIT(q, ADD_IMM_X, A64_FP, A64_ZERO, 0);
    move(q, number(REG_ARGS), A64_X0);
    enter_frame(q, top);
    A64_EMIT(q, MRS_CNTVCT, A64_X0);
    access_memory(q, true, BASELINE_STORE, A64_X0, number(REG_FRAME), since);

    /* The distance to the pool follows: the code ends two instructions after the addition. */
    const unsigned here = q->code.bytes.count;
    const unsigned end = here + 5 * 4, distance = ((end + 63) & -64u) - here;
    A64_EMIT(q, ADR_HERE, pool);
    A64_EMIT(q, MOVZ_X, A64_OTHER, (int32_t)(distance & 0xffff), 0);
    A64_EMIT(q, MOVK_X, A64_OTHER, (int32_t)(distance >> 16), 16);
    A64_EMIT(q, ADD_X, pool, pool, A64_OTHER);
    jump_back(q, 0);
    q->end = q->code.bytes.count;
    assert(q->end == end);
    while (q->code.bytes.count % 64)
        code_word(&q->code, 0); /* udf #0 */
}

const struct baseline_machine baseline_a64_machine = {
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
