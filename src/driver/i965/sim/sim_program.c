/* SPDX-License-Identifier: MIT */
/* Decodes a program once: instructions, operand kinds, branch targets as indices. */
#include <stdlib.h>

#include "sim_vector.h"
#include "util/macros.h"

static bool is_type_float(enum eu_type type)
{
    return type == EU_TYPE_F || type == EU_TYPE_HF || type == EU_TYPE_VF;
}

static enum sim_class execution_class(const struct eu_inst *inst, unsigned sources)
{
    enum sim_class class = SIM_INT;

    for (unsigned i = 0; i < sources; i++) {
        if (inst->src[i].type == EU_TYPE_DF)
            return SIM_DOUBLE;
        if (is_type_float(inst->src[i].type))
            class = SIM_FLOAT;
    }
    return class;
}

static unsigned source_count(const struct eu_inst *inst)
{
    if (inst->opcode != EU_OPCODE_MATH)
        return eu_opcode_num_sources(inst->opcode);
    return (inst->math >= EU_MATH_FDIV && inst->math != EU_MATH_RSQRTM) ? 2 : 1;
}

static bool is_vector_immediate(enum eu_type type)
{
    return type == EU_TYPE_V || type == EU_TYPE_UV || type == EU_TYPE_VF;
}

static enum sim_operand_kind operand_kind(const struct eu_inst *inst, const struct eu_reg *reg)
{
    if (reg->file == EU_FILE_IMM)
        return is_vector_immediate(reg->type) ? SIM_OPERAND_VECTOR : SIM_OPERAND_CONST;
    if (inst->align16)
        return SIM_OPERAND_ALIGN16;
    if (reg->indirect)
        return SIM_OPERAND_INDIRECT;
    if (!reg->vstride && reg->width == 1)
        return SIM_OPERAND_SCALAR;
    bool rows_follow = reg->vstride == reg->width * reg->hstride || inst->exec_size <= reg->width;
    if (reg->hstride == 1 && rows_follow)
        return SIM_OPERAND_CONTIGUOUS;
    return reg->vstride == 1 && reg->width == 1 ? SIM_OPERAND_CONTIGUOUS : SIM_OPERAND_REGION;
}

/* Returns the number of bytes that a direct GRF region may access, from its first byte. */
static uint32_t extent(const struct eu_inst *inst, const struct eu_reg *reg)
{
    uint32_t size = eu_type_size(reg->type), width = MAX2(reg->width, 1);
    uint32_t rows = (inst->exec_size + width - 1) / width;

    if (inst->align16 && reg->width) /* One or two sources. */
        return (reg->vstride ? inst->exec_size : 4) * size;
    if (inst->align16)
        return reg->replicate ? size : inst->exec_size * size;
    return ((rows - 1) * reg->vstride + (width - 1) * reg->hstride + 1) * size;
}

/* Returns the field of an operand that extends past the last register; NULL if there is none. */
static const char *leaves_file(const struct eu_inst *inst, unsigned sources)
{
    static const char *const fields[] = {"src0_nr", "src1_nr", "src2_nr"};

    for (unsigned i = 0; i < sources; i++) {
        const struct eu_reg *reg = &inst->src[i];
        if (reg->file == EU_FILE_GRF && !reg->indirect &&
            reg->nr * 32u + reg->subnr + extent(inst, reg) > SIM_GRF_BYTES)
            return fields[i];
    }
    const struct eu_reg *dst = &inst->dst;
    uint32_t size = eu_type_size(dst->type);
    uint32_t stride = inst->align16 ? 1 : MAX2(dst->hstride, 1);
    bool outside =
        dst->nr * 32u + dst->subnr + ((inst->exec_size - 1) * stride + 1) * size > SIM_GRF_BYTES;
    return dst->file == EU_FILE_GRF && !dst->indirect && outside ? "dst_nr" : NULL;
}

static bool is_alu(const struct eu_inst *inst)
{
    switch (inst->opcode) {
    case EU_OPCODE_SEND:
    case EU_OPCODE_SENDC:
    case EU_OPCODE_SENDS:
    case EU_OPCODE_SENDSC:
    case EU_OPCODE_JMPI:
    case EU_OPCODE_SYNC:
    case EU_OPCODE_NOP:
    case EU_OPCODE_ILLEGAL:
        return false;
    default:
        return inst->opcode < EU_OPCODE_JMPI || inst->opcode > EU_OPCODE_WAIT;
    }
}

static bool prepare(struct sim_inst *inst, char *error, size_t error_size)
{
    inst->sources = source_count(&inst->eu);
    if (!is_alu(&inst->eu))
        return true;
    inst->class = execution_class(&inst->eu, inst->sources);
    for (unsigned i = 0; i < inst->sources; i++) {
        const struct eu_reg *reg = &inst->eu.src[i];
        inst->src[i].kind = operand_kind(&inst->eu, reg);
        inst->src[i].offset = reg->nr * 32u + reg->subnr;
    }
    const char *field = leaves_file(&inst->eu, inst->sources);
    if (field && error_size)
        snprintf(error, error_size, "offset %u: field %s: the region ends past the last register",
                 inst->offset, field);
    if (!field)
        sim_vector_prepare(inst);
    return !field;
}

static uint32_t find_offset(const struct sim_program *program, int64_t offset)
{
    uint32_t low = 0, high = program->count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (program->inst[middle].offset == offset)
            return middle;
        if (program->inst[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return SIM_NO_TARGET;
}

static bool is_branch(enum eu_opcode op)
{
    return op >= EU_OPCODE_JMPI && op <= EU_OPCODE_RET;
}

static void resolve_branches(struct sim_program *program)
{
    for (uint32_t i = 0; i < program->count; i++) {
        struct sim_inst *inst = &program->inst[i];
        if (!is_branch(inst->eu.opcode))
            continue;
        inst->jip = find_offset(program, (int64_t)inst->offset + inst->eu.jip);
        inst->uip = find_offset(program, (int64_t)inst->offset + inst->eu.uip);
        if (inst->jip != SIM_NO_TARGET)
            program->inst[inst->jip].target = true;
        if (inst->uip != SIM_NO_TARGET)
            program->inst[inst->uip].target = true;
        if (i + 1 < program->count)
            program->inst[i + 1].target = true;
    }
}

struct sim_program *sim_program_create(const struct i965_device *dev, const uint8_t *bytes,
                                       size_t size, char *error, size_t error_size)
{
    struct sim_program *program;

    if (error_size)
        error[0] = 0;
    program = calloc(1, sizeof *program + (size / 8 + 1) * sizeof *program->inst);
    if (!program)
        return NULL;
    program->dev = dev;
    for (size_t offset = 0, length; offset < size; offset += length) {
        struct sim_inst *inst = &program->inst[program->count];
        length = eu_decode(dev, bytes, size, offset, &inst->eu, error, error_size);
        inst->offset = (uint32_t)offset;
        if (!length || !prepare(inst, error, error_size)) {
            free(program);
            return NULL;
        }
        program->count++;
    }
    resolve_branches(program);
    return program;
}

void sim_program_destroy(struct sim_program *program)
{
    free(program);
}
