/* SPDX-License-Identifier: MIT */
/*
 * Commands of the command streamer: MI_* and PIPE_CONTROL. Accesses to the global address space are
 * privileged; as on the hardware, they have no effect in a batch of a user.
 * Source: Skylake PRM, volumes 2a and 6.
 */
#include <time.h>

#include "model_command.h"
#include "model_strict.h"

#define MAX_POLLS  20000u /* Of MI_SEMAPHORE_WAIT, if memory->wait is NULL. */
#define POLL_PAUSE 100000 /* Nanoseconds. */

/* --- Memory --- */

static bool store(struct model_context *ctx, uint64_t address, const void *data, size_t size)
{
    model_writes(ctx, MODEL_CACHE_COMMAND, address, size);
    return model_write(ctx, address, data, size) ||
           model_error(ctx, "Address", "no memory at %#llx", (unsigned long long)address);
}

static bool store_data_imm(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_store_data_imm mi;
    return model_unpack(ctx, p, &mi) &&
           (mi.use_global_gtt ||
            store(ctx, mi.address, &mi.immediate_data, mi.store_qword ? 8 : 4));
}

static bool copy_mem_mem(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_copy_mem_mem mi;
    uint32_t value;
    if (!model_unpack(ctx, p, &mi))
        return false;
    if (mi.use_global_gtt_source || mi.use_global_gtt_destination)
        return true;
    model_reads(ctx, MODEL_CACHE_COMMAND, mi.source_memory_address, 4);
    return model_read_state(ctx, "Source Memory Address", mi.source_memory_address, &value, 4) &&
           store(ctx, mi.destination_memory_address, &value, 4);
}

static bool atomic(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_atomic mi;
    if (!model_unpack(ctx, p, &mi))
        return false;
    bool wide = mi.atomic_opcode & 32;
    unsigned op = mi.atomic_opcode & 15;
    if (mi.atomic_opcode & ~47u || !op)
        return model_error(ctx, "ATOMIC OPCODE", "%#x is not supported", mi.atomic_opcode);
    if (mi.memory_type == I965_MEMORY_TYPE_GLOBAL_GRAPHICS_ADDRESS)
        return true;
    if (mi.memory_address & (wide ? 7 : 3))
        return model_error(ctx, "Memory Address", "not aligned");
    uint32_t gpr = model_register_base(ctx) + MODEL_REG_GPR;
    uint64_t a = mi.operand1_data_dword_0 | (uint64_t)mi.operand1_data_dword_1 << 32;
    uint64_t b = mi.operand2_data_dword_0 | (uint64_t)mi.operand2_data_dword_1 << 32;
    if (!mi.inline_data) {
        a = model_register_read64(ctx, gpr);
        b = model_register_read64(ctx, gpr + 8);
    }
    uint8_t *at = model_pointer(ctx, mi.memory_address, wide ? 8 : 4);
    if (!at)
        return model_error(ctx, "Memory Address", "no memory");
    const uint64_t old =
        wide ? sim_atomic_access64((uint64_t *)(void *)at, op, a, b)
             : sim_atomic_access((uint32_t *)(void *)at, op, false, (uint32_t)a, (uint32_t)b);
    return !mi.return_data_control || model_register_write64(ctx, gpr + 4 * 8, old);
}

static bool flush_dw(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_flush_dw mi;
    if (!model_unpack(ctx, p, &mi))
        return false;
    uint64_t value = mi.immediate_data;
    if (mi.post_sync_operation == I965_POST_SYNC_OPERATION_WRITE_TIMESTAMP)
        value = model_timestamp(ctx);
    if (!mi.post_sync_operation || mi.store_data_index || mi.destination_address_type)
        return true;
    return store(ctx, mi.address, &value, sizeof value);
}

static bool report_perf_count(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_report_perf_count mi;
    uint32_t report[64] = {0};
    if (!model_unpack(ctx, p, &mi))
        return false;
    if (mi.use_global_gtt)
        return true;
    report[0] = mi.report_id;
    report[1] = (uint32_t)model_timestamp(ctx);
    return store(ctx, mi.memory_address, report, sizeof report);
}

/* --- Registers --- */

static bool load_register_imm(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_load_register_imm mi;
    if (!model_unpack(ctx, p, &mi))
        return false;
    for (unsigned i = 0; i < mi.num_register_offset; i++) {
        uint32_t offset = (uint32_t)mi.register_offset[i], value = mi.data_dword[i];
        for (unsigned b = 0; b < 4; b++) {
            uint32_t mask = 0xffu << 8 * b;
            if (mi.byte_write_disables >> b & 1)
                value = (value & ~mask) | (model_register_read(ctx, offset) & mask);
        }
        if (!model_register_write(ctx, offset, value))
            return false;
    }
    return true;
}

static bool load_register_mem(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_load_register_mem mi;
    uint32_t value;
    if (!model_unpack(ctx, p, &mi))
        return false;
    if (mi.use_global_gtt)
        return true;
    model_reads(ctx, MODEL_CACHE_COMMAND, mi.memory_address, 4);
    return model_read_state(ctx, "Memory Address", mi.memory_address, &value, 4) &&
           model_register_write(ctx, (uint32_t)mi.register_address, value);
}

static bool load_register_reg(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_load_register_reg mi;
    if (!model_unpack(ctx, p, &mi))
        return false;
    uint32_t value = model_register_read(ctx, (uint32_t)mi.source_register_address);
    return model_register_write(ctx, (uint32_t)mi.destination_register_address, value);
}

static bool store_register_mem(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_store_register_mem mi;
    if (!model_unpack(ctx, p, &mi))
        return false;
    if (mi.use_global_gtt || (mi.predicate_enable && !model_predicate(ctx)))
        return true;
    uint32_t value = model_register_read(ctx, (uint32_t)mi.register_address);
    return store(ctx, mi.memory_address, &value, sizeof value);
}

/* --- Arithmetic --- */

struct alu {
    uint64_t src[2], accumulator;
    bool zero, carry;
};

/* Stores the value of an operand. The flags are all ones or 0. */
static bool alu_read(struct model_context *ctx, const struct alu *alu, uint32_t operand,
                     uint64_t *value)
{
    if (operand <= I965_ALU_OPERAND_REG15)
        *value = model_register_read64(ctx, model_register_base(ctx) + MODEL_REG_GPR + operand * 8);
    else if (operand == I965_ALU_OPERAND_ACCU)
        *value = alu->accumulator;
    else if (operand == I965_ALU_OPERAND_ZF)
        *value = alu->zero ? UINT64_MAX : 0;
    else if (operand == I965_ALU_OPERAND_CF)
        *value = alu->carry ? UINT64_MAX : 0;
    else
        return model_error(ctx, "Operand 2", "%#x is not a source", operand);
    return true;
}

static bool alu_load(struct model_context *ctx, struct alu *alu,
                     const struct i965_mi_math_alu_instruction *i)
{
    uint64_t value = 0;
    if (i->operand_1 != I965_ALU_OPERAND_SRCA && i->operand_1 != I965_ALU_OPERAND_SRCB)
        return model_error(ctx, "Operand 1", "%#x is not SRCA or SRCB", i->operand_1);
    if (i->alu_opcode == I965_ALU_OPCODE_LOAD1)
        value = UINT64_MAX;
    else if (i->alu_opcode != I965_ALU_OPCODE_LOAD0 && !alu_read(ctx, alu, i->operand_2, &value))
        return false;
    alu->src[i->operand_1 - I965_ALU_OPERAND_SRCA] =
        i->alu_opcode == I965_ALU_OPCODE_LOADINV ? ~value : value;
    return true;
}

static bool alu_store(struct model_context *ctx, const struct alu *alu,
                      const struct i965_mi_math_alu_instruction *i)
{
    uint64_t value = 0;
    if (i->operand_1 > I965_ALU_OPERAND_REG15)
        return model_error(ctx, "Operand 1", "%#x is not a register", i->operand_1);
    if (!alu_read(ctx, alu, i->operand_2, &value))
        return false;
    uint32_t offset = model_register_base(ctx) + MODEL_REG_GPR + i->operand_1 * 8;
    return model_register_write64(ctx, offset,
                                  i->alu_opcode == I965_ALU_OPCODE_STOREINV ? ~value : value);
}

static bool alu_step(struct model_context *ctx, struct alu *alu,
                     const struct i965_mi_math_alu_instruction *i)
{
    uint64_t a = alu->src[0], b = alu->src[1];
    switch (i->alu_opcode) {
    case I965_ALU_OPCODE_NOOP:
        return true;
    case I965_ALU_OPCODE_LOAD:
    case I965_ALU_OPCODE_LOADINV:
    case I965_ALU_OPCODE_LOAD0:
    case I965_ALU_OPCODE_LOAD1:
        return alu_load(ctx, alu, i);
    case I965_ALU_OPCODE_STORE:
    case I965_ALU_OPCODE_STOREINV:
        return alu_store(ctx, alu, i);
    case I965_ALU_OPCODE_ADD:
        alu->carry = __builtin_add_overflow(a, b, &alu->accumulator);
        break;
    case I965_ALU_OPCODE_SUB:
        alu->carry = __builtin_sub_overflow(a, b, &alu->accumulator);
        break;
    case I965_ALU_OPCODE_AND:
        alu->accumulator = a & b;
        break;
    case I965_ALU_OPCODE_OR:
        alu->accumulator = a | b;
        break;
    case I965_ALU_OPCODE_XOR:
        alu->accumulator = a ^ b;
        break;
    default:
        return model_error(ctx, "ALU Opcode", "%#x is unknown", i->alu_opcode);
    }
    if (i->alu_opcode >= I965_ALU_OPCODE_AND && i->alu_opcode <= I965_ALU_OPCODE_XOR)
        alu->carry = false;
    alu->zero = !alu->accumulator;
    return true;
}

static bool math(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_math mi;
    struct alu alu = {0};
    if (!model_unpack(ctx, p, &mi))
        return false;
    for (unsigned i = 0; i < mi.num_instruction; i++) {
        if (!alu_step(ctx, &alu, &mi.instruction[i]))
            return false;
    }
    return true;
}

/* --- Predication --- */

static bool predicate(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_predicate mi;
    uint32_t base = model_register_base(ctx);
    if (!model_unpack(ctx, p, &mi))
        return false;
    uint64_t a = model_register_read64(ctx, base + MODEL_REG_PREDICATE_SRC0);
    uint64_t b = model_register_read64(ctx, base + MODEL_REG_PREDICATE_SRC1);
    uint64_t data = model_register_read64(ctx, base + MODEL_REG_PREDICATE_DATA);
    bool old = model_predicate(ctx);
    bool compare = mi.compare_operation == I965_COMPARE_OPERATION_TRUE ||
                   (mi.compare_operation == I965_COMPARE_OPERATION_SRCS_EQUAL && a == b) ||
                   (mi.compare_operation == I965_COMPARE_OPERATION_DELTAS_EQUAL && a - b == data);
    if (mi.load_operation == I965_LOAD_OPERATION_KEEP)
        return true;
    bool value = compare != (mi.load_operation == I965_LOAD_OPERATION_LOADINV);
    if (mi.combine_operation == I965_COMBINE_OPERATION_AND)
        value &= old;
    else if (mi.combine_operation == I965_COMBINE_OPERATION_OR)
        value |= old;
    else if (mi.combine_operation == I965_COMBINE_OPERATION_XOR)
        value ^= old;
    return model_register_write(ctx, base + MODEL_REG_PREDICATE_RESULT, value);
}

static bool set_predicate(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_set_predicate mi;
    if (!model_unpack(ctx, p, &mi))
        return false;
    uint32_t base = model_register_base(ctx);
    bool result = model_predicate(ctx);
    bool result_2 = model_register_read(ctx, base + MODEL_REG_PREDICATE_RESULT_2) & 1;
    p->skip = (mi.predicate_enable == I965_PREDICATE_ENABLE_NOOP_ON_RESULT2_CLEAR && !result_2) ||
              (mi.predicate_enable == I965_PREDICATE_ENABLE_NOOP_ON_RESULT2_SET && result_2) ||
              (mi.predicate_enable == I965_PREDICATE_ENABLE_NOOP_ON_RESULT_CLEAR && !result) ||
              (mi.predicate_enable == I965_PREDICATE_ENABLE_NOOP_ON_RESULT_SET && result) ||
              mi.predicate_enable == I965_PREDICATE_ENABLE_NOOP_ALWAYS;
    return true;
}

/* --- Synchronization --- */

static bool compare_semaphore(unsigned operation, uint32_t memory, uint32_t data)
{
    switch (operation) {
    case I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_GREATER_THAN_SDD:
        return memory > data;
    case I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_GREATER_THAN_OR_EQUAL_SDD:
        return memory >= data;
    case I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_LESS_THAN_SDD:
        return memory < data;
    case I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_LESS_THAN_OR_EQUAL_SDD:
        return memory <= data;
    case I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_EQUAL_SDD:
        return memory == data;
    default:
        return memory != data;
    }
}

static bool semaphore_wait(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_semaphore_wait mi;
    uint32_t value;
    if (!model_unpack(ctx, p, &mi))
        return false;
    if (mi.compare_operation > I965_MI_SEMAPHORE_WAIT_COMPARE_OPERATION_SAD_NOT_EQUAL_SDD)
        return model_error(ctx, "Compare Operation", "%u is reserved", mi.compare_operation);
    if (mi.memory_type == I965_MEMORY_TYPE_GLOBAL_GRAPHICS_ADDRESS && !mi.register_poll_mode)
        return true;
    for (unsigned i = 0; i < MAX_POLLS || ctx->memory->wait; i++) {
        if (mi.register_poll_mode)
            value = model_register_read(ctx, (uint32_t)mi.semaphore_address & 0x7ffffc);
        else if (!model_read_state(ctx, "Semaphore Address", mi.semaphore_address, &value, 4))
            return false;
        if (compare_semaphore(mi.compare_operation, value, mi.semaphore_data_dword))
            return true;
        if (!ctx->memory->wait)
            nanosleep(&(struct timespec){0, POLL_PAUSE}, NULL);
        else if (!model_wait(ctx, true))
            return false;
    }
    return model_error(ctx, "Semaphore Address", "the condition stays false");
}

/* The write after a PIPE_CONTROL. All earlier work is complete, because commands run in order. */
static bool pipe_control(struct model_context *ctx, struct model_parser *p)
{
    struct i965_pipe_control pc;
    if (!model_unpack(ctx, p, &pc))
        return false;
    if (ctx->strict)
        model_strict_pipe_control(ctx, &pc);
    if (pc.lri_post_sync_operation)
        return model_register_write(ctx, (uint32_t)pc.address & 0x7ffffc,
                                    (uint32_t)pc.immediate_data);
    uint64_t value = pc.immediate_data;
    if (pc.post_sync_operation == I965_POST_SYNC_OPERATION_WRITE_PS_DEPTH_COUNT)
        value = ctx->counters.ps_depth;
    else if (pc.post_sync_operation == I965_POST_SYNC_OPERATION_WRITE_TIMESTAMP)
        value = model_timestamp(ctx);
    if (!pc.post_sync_operation || pc.store_data_index || pc.destination_address_type)
        return true;
    return store(ctx, pc.address & ~UINT64_C(7), &value, sizeof value);
}

model_execute model_mi_function(enum i965_layout_id id)
{
    switch (id) {
    case I965_MI_STORE_DATA_IMM:
        return store_data_imm;
    case I965_MI_COPY_MEM_MEM:
        return copy_mem_mem;
    case I965_MI_ATOMIC:
        return atomic;
    case I965_MI_FLUSH_DW:
        return flush_dw;
    case I965_MI_REPORT_PERF_COUNT:
        return report_perf_count;
    case I965_MI_LOAD_REGISTER_IMM:
        return load_register_imm;
    case I965_MI_LOAD_REGISTER_MEM:
        return load_register_mem;
    case I965_MI_LOAD_REGISTER_REG:
        return load_register_reg;
    case I965_MI_STORE_REGISTER_MEM:
        return store_register_mem;
    case I965_MI_MATH:
        return math;
    case I965_MI_PREDICATE:
        return predicate;
    case I965_MI_SET_PREDICATE:
        return set_predicate;
    case I965_MI_SEMAPHORE_WAIT:
        return semaphore_wait;
    case I965_PIPE_CONTROL:
        return pipe_control;
    default:
        return NULL;
    }
}
