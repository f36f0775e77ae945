/* SPDX-License-Identifier: MIT */
/*
 * Encoding of struct eu_inst in native form. Fields that an instruction does not use have the
 * values that Intel's assembler writes, so that both produce identical bytes.
 */
#include "driver/i965/eu.h"

#include <string.h>

#include "eu_fields.h"
#include "util/macros.h"

struct encoder {
    const struct i965_device *dev;
    enum eu_generation gen;
    const struct eu_inst *inst;
    uint64_t word[2];
    const char *error; /* The first error; NULL if none. */
};

static void put(struct encoder *e, enum eu_field field, uint64_t value)
{
    if (eu_field_fits(e->gen, field, value))
        eu_field_or(e->gen, e->word, field, value);
    else if (!e->error)
        e->error = eu_field_name[field].error;
}

static void fail(struct encoder *e, const char *error)
{
    if (!e->error)
        e->error = error;
}

/* Maps 1, 2, 4 … to 0, 1, 2 …; other values have no encoding. */
static unsigned log2_code(unsigned value)
{
    return util_is_power_of_two(value) ? (unsigned)__builtin_ctz(value) : 0xff;
}

/* Maps 0, 1, 2, 4 … to 0, 1, 2, 3 … */
static unsigned stride_code(unsigned stride)
{
    return stride ? log2_code(stride) == 0xff ? 0xff : log2_code(stride) + 1 : 0;
}

/* Three-source instructions have four vertical strides: 0, 2 (Gen12: 1), 4 and 8. */
static unsigned vstride_3src1_code(const struct encoder *e, unsigned stride)
{
    unsigned code = stride_code(stride);

    if (code == 1 || code == 2)
        return e->dev->has_vstride1_3src == (code == 1) ? 1 : 0xff;
    return code > 2 && code != 0xff ? code - 1 : code;
}

static unsigned file_code(const struct encoder *e, enum eu_file file)
{
    return file == EU_FILE_IMM ? eu_generation_info[e->gen].file_immediate : (unsigned)file;
}

static unsigned type_code(const struct encoder *e, const struct eu_reg *reg)
{
    if (reg->type >= EU_TYPE_COUNT)
        return 0xff;
    return reg->file == EU_FILE_IMM ? eu_type_info[reg->type].code[e->gen].imm
                                    : eu_type_info[reg->type].code[e->gen].reg;
}

/* --------------------------------------------------------------------------- common fields --- */

static void put_controls(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;

    put(e, EU_FIELD_OPCODE, eu_opcode_info[inst->opcode].code[e->gen]);
    put(e, EU_FIELD_ACCESS_MODE, inst->align16);
    put(e, EU_FIELD_NO_DD_CLEAR, inst->no_dd_clear);
    put(e, EU_FIELD_NO_DD_CHECK, inst->no_dd_check);
    put(e, EU_FIELD_NIBBLE_CONTROL, inst->group >> 2 & 1);
    put(e, EU_FIELD_QUARTER_CONTROL, inst->group >> 3);
    if (inst->group & 3)
        fail(e, eu_field_name[EU_FIELD_NIBBLE_CONTROL].error);
    put(e, EU_FIELD_THREAD_CONTROL, inst->thread_switch ? 2 : 0);
    put(e, EU_FIELD_PREDICATE, inst->predicate);
    put(e, EU_FIELD_PREDICATE_INVERSE, inst->predicate_inverse);
    unsigned size = log2_code(inst->exec_size);
    put(e, EU_FIELD_EXEC_SIZE, size > 5 ? 0xff : size);
    put(e, EU_FIELD_ACC_WRITE, inst->acc_write);
    put(e, EU_FIELD_DEBUG, inst->debug);
    if (inst->saturate)
        put(e, EU_FIELD_SATURATE, 1);
    put(e, EU_FIELD_FLAG_NR, inst->flag_nr);
    put(e, EU_FIELD_FLAG_SUBNR, inst->flag_subnr);
    put(e, EU_FIELD_MASK_CONTROL, inst->no_mask);
    put(e, EU_FIELD_SOFTWARE_SCOREBOARD, inst->scoreboard);
}

static void put_address_offset(struct encoder *e, const struct eu_reg *reg, enum eu_field low,
                               enum eu_field high)
{
    if (reg->address_offset < -512 || reg->address_offset > 511)
        fail(e, eu_field_name[low].error);
    put(e, low, reg->address_offset & 0x1ff);
    put(e, high, reg->address_offset >> 9 & 1);
}

static void put_dst(struct encoder *e)
{
    const struct eu_reg *dst = &e->inst->dst;

    if (!dst->indirect || eu_generation_info[e->gen].indirect_has_file)
        put(e, EU_FIELD_DST_FILE, file_code(e, dst->file));
    put(e, EU_FIELD_DST_TYPE, type_code(e, dst));
    put(e, EU_FIELD_DST_HSTRIDE, stride_code(dst->hstride));
    if (dst->indirect) {
        put(e, EU_FIELD_DST_ADDRESS_MODE, 1);
        put(e, EU_FIELD_DST_ADDRESS_SUBNR, dst->address_subnr);
        put_address_offset(e, dst, EU_FIELD_DST_ADDRESS_OFFSET, EU_FIELD_DST_ADDRESS_OFFSET_HIGH);
    } else {
        put(e, EU_FIELD_DST_NR, dst->nr);
        put(e, EU_FIELD_DST_SUBNR, dst->subnr);
    }
}

/* 16-bit immediates are stored twice. */
static uint64_t immediate_bits(const struct eu_reg *reg)
{
    if (eu_type_info[reg->type].size == 2)
        return (reg->imm & 0xffff) * 0x10001u;
    return reg->imm;
}

static void put_region(struct encoder *e, const struct eu_reg *reg, const struct eu_src01_fields *f)
{
    put(e, f->hstride, stride_code(reg->hstride));
    put(e, f->width, log2_code(reg->width) > 4 ? 0xff : log2_code(reg->width));
    if (reg->vstride == EU_VSTRIDE_ONE_DIMENSIONAL)
        put(e, f->vstride, reg->indirect ? 15 : 0xff);
    else
        put(e, f->vstride, stride_code(reg->vstride) > 6 ? 0xff : stride_code(reg->vstride));
}

static void put_immediate(struct encoder *e, unsigned i)
{
    const struct eu_reg *reg = &e->inst->src[i];

    if (reg->type >= EU_TYPE_COUNT || reg->negate || reg->abs || reg->indirect)
        fail(e, "an immediate has no modifiers");
    else if (eu_type_info[reg->type].size == 8 && i == 0)
        put(e, EU_FIELD_IMM64, reg->imm);
    else
        put(e, EU_FIELD_IMM32, immediate_bits(reg));
}

static void put_source(struct encoder *e, unsigned i)
{
    const struct eu_reg *reg = &e->inst->src[i];
    const struct eu_src01_fields *f = &eu_src01_fields[i];

    if (!reg->indirect || eu_generation_info[e->gen].indirect_has_file)
        put(e, f->file, file_code(e, reg->file));
    put(e, f->type, type_code(e, reg));
    if (reg->file == EU_FILE_IMM) {
        put_immediate(e, i);
        return;
    }
    put(e, f->abs, reg->abs);
    put(e, f->negate, reg->negate);
    put_region(e, reg, f);
    if (reg->indirect) {
        put(e, f->address_mode, 1);
        put(e, f->address_subnr, reg->address_subnr);
        put_address_offset(e, reg, f->address_offset, f->address_offset_high);
    } else {
        put(e, f->nr, reg->nr);
        put(e, f->subnr, reg->subnr);
    }
}

/* --------------------------------------------------------------------------------- formats --- */

static void encode_basic(struct encoder *e, unsigned sources)
{
    put_dst(e);
    for (unsigned i = 0; i < sources; i++) {
        if (e->inst->src[i].file == EU_FILE_IMM && i + 1 < sources)
            fail(e, "src0_file: an immediate must be the last source");
        put_source(e, i);
    }
}

/* Sets the bits for half floats in src1 and src2 of an instruction with floats. */
static void put_3src_types(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;
    enum eu_type type = inst->src[0].type;

    for (unsigned i = 0; i < 3; i++) {
        if (inst->src[i].type == type)
            continue;
        bool mixed = i > 0 && type == EU_TYPE_F && inst->src[i].type == EU_TYPE_HF;
        if (mixed)
            put(e, i == 1 ? EU_FIELD_SRC1_HALF_3SRC : EU_FIELD_SRC2_HALF_3SRC, 1);
        else
            fail(e, "src_type_3src: the sources' types differ");
    }
    put(e, EU_FIELD_SRC_TYPE_3SRC,
        type < EU_TYPE_COUNT ? eu_type_info[type].code[e->gen].align16 : 0xff);
    type = inst->dst.type;
    put(e, EU_FIELD_DST_TYPE_3SRC,
        type < EU_TYPE_COUNT ? eu_type_info[type].code[e->gen].align16 : 0xff);
}

static void put_3src_source(struct encoder *e, unsigned i)
{
    const struct eu_source_3src_fields *f = &eu_source_3src_fields[i];
    const struct eu_reg *reg = &e->inst->src[i];

    if (reg->file != EU_FILE_GRF || reg->indirect)
        fail(e, "a source of a three-source instruction must be a direct GRF");
    if (reg->subnr & 1 || (reg->subnr & 2 && reg->type != EU_TYPE_HF))
        fail(e, eu_field_name[f->subnr].error);
    put(e, f->abs, reg->abs);
    put(e, f->negate, reg->negate);
    put(e, f->replicate, reg->replicate);
    put(e, f->swizzle, reg->replicate ? 0xe4 : reg->swizzle);
    put(e, f->subnr, reg->subnr >> 2);
    put(e, f->word, reg->subnr >> 1 & 1);
    put(e, f->nr, reg->nr);
}

static void encode_3src_align16(struct encoder *e)
{
    const struct eu_reg *dst = &e->inst->dst;

    if (dst->file != EU_FILE_GRF || dst->indirect)
        fail(e, "the destination of a three-source instruction must be a direct GRF");
    if (dst->subnr & 3)
        fail(e, eu_field_name[EU_FIELD_DST_SUBNR_3SRC].error);
    put_3src_types(e);
    put(e, EU_FIELD_DST_WRITEMASK_3SRC, dst->writemask);
    put(e, EU_FIELD_DST_SUBNR_3SRC, dst->subnr >> 2);
    put(e, EU_FIELD_DST_NR_3SRC, dst->nr);
    for (unsigned i = 0; i < 3; i++)
        put_3src_source(e, i);
}

/* Writes the type of an operand: the class goes to a field that all operands share. */
static void put_3src1_type(struct encoder *e, const struct eu_reg *reg, enum eu_field field)
{
    unsigned code = 0xff, first = e->inst->src[0].type;

    if (reg->type < EU_TYPE_COUNT && first < EU_TYPE_COUNT)
        code = eu_type_info[reg->type].code[e->gen].align1;
    if (code != 0xff && (code ^ eu_type_info[first].code[e->gen].align1) & EU_3SRC1_FLOAT)
        fail(e, "float_3src1: integer and float operands are mixed");
    put(e, field, code == 0xff ? code : code & (EU_3SRC1_FLOAT - 1));
}

/* Writes an immediate operand of 16 bits. */
static void put_3src1_immediate(struct encoder *e, const struct eu_reg *reg,
                                const struct eu_source_3src1_fields *f)
{
    if (reg->type >= EU_TYPE_COUNT || eu_type_info[reg->type].size != 2 || reg->negate || reg->abs)
        fail(e, "an immediate of a three-source instruction has 16 bits and no modifiers");
    put(e, f->immediate, 1);
    put_3src1_type(e, reg, f->type);
    put(e, f->imm16, reg->imm & 0xffff);
}

static void put_3src1_source(struct encoder *e, unsigned i)
{
    const struct eu_source_3src1_fields *f = &eu_source_3src1_fields[i];
    const struct eu_reg *reg = &e->inst->src[i];

    if (reg->file == EU_FILE_IMM && f->immediate != EU_FIELD_COUNT) {
        put_3src1_immediate(e, reg, f);
        return;
    }
    if (reg->file != EU_FILE_GRF || reg->indirect)
        fail(e, "a source of a three-source instruction must be a direct GRF");
    put(e, f->file, eu_generation_info[e->gen].file_grf_3src1);
    put_3src1_type(e, reg, f->type);
    put(e, f->abs, reg->abs);
    put(e, f->negate, reg->negate);
    put(e, f->nr, reg->nr);
    put(e, f->subnr, reg->subnr);
    if (f->vstride == EU_FIELD_COUNT) { /* One stride, given as rows of one element. */
        put(e, f->hstride, reg->width == 1 && !reg->hstride ? stride_code(reg->vstride) : 0xff);
        return;
    }
    put(e, f->hstride, stride_code(reg->hstride));
    put(e, f->vstride, vstride_3src1_code(e, reg->vstride));
}

static void encode_3src_align1(struct encoder *e)
{
    const struct eu_reg *dst = &e->inst->dst;
    enum eu_type type = e->inst->src[0].type;

    if (dst->file != EU_FILE_GRF || dst->indirect)
        fail(e, "the destination of a three-source instruction must be a direct GRF");
    if (dst->subnr & 7)
        fail(e, eu_field_name[EU_FIELD_DST_SUBNR_3SRC1].error);
    if (dst->hstride != 1 && dst->hstride != 2)
        fail(e, eu_field_name[EU_FIELD_DST_HSTRIDE_3SRC1].error);
    put(e, EU_FIELD_FLOAT_3SRC1,
        type < EU_TYPE_COUNT && eu_type_info[type].code[e->gen].align1 & EU_3SRC1_FLOAT);
    put_3src1_type(e, dst, EU_FIELD_DST_TYPE_3SRC1);
    put(e, EU_FIELD_DST_FILE_3SRC1, eu_generation_info[e->gen].file_grf_3src1);
    put(e, EU_FIELD_DST_HSTRIDE_3SRC1, dst->hstride == 2);
    put(e, EU_FIELD_DST_SUBNR_3SRC1, dst->subnr >> 3);
    put(e, EU_FIELD_DST_NR_3SRC, dst->nr);
    for (unsigned i = 0; i < 3; i++)
        put_3src1_source(e, i);
}

static void encode_3src(struct encoder *e)
{
    if (e->inst->align16 == e->dev->has_align1_3src)
        fail(e, e->inst->align16 ? "access_mode: three-source instructions are align1"
                                 : "access_mode: three-source instructions are align16");
    else if (e->inst->align16)
        encode_3src_align16(e);
    else
        encode_3src_align1(e);
}

static void put_descriptor(struct encoder *e)
{
    put(e, EU_FIELD_DESC, e->inst->desc & 0x7fffffff);
    if (e->inst->desc >> 31)
        fail(e, eu_field_name[EU_FIELD_DESC].error);
}

static void check_payload(struct encoder *e, const struct eu_reg *reg)
{
    if (reg->file != EU_FILE_GRF || reg->indirect || reg->subnr)
        fail(e, "a message's payload must start at a GRF");
}

static void encode_send(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;

    put(e, EU_FIELD_CMOD, inst->sfid);
    put(e, EU_FIELD_EOT, inst->eot);
    put(e, EU_FIELD_DST_FILE, file_code(e, inst->dst.file));
    put(e, EU_FIELD_DST_TYPE, type_code(e, &inst->dst));
    put(e, EU_FIELD_DST_NR, inst->dst.nr);
    put(e, EU_FIELD_DST_HSTRIDE, 1);
    check_payload(e, &inst->src[0]);
    put(e, EU_FIELD_SRC0_FILE, file_code(e, inst->src[0].file));
    put(e, EU_FIELD_SRC0_TYPE, type_code(e, &inst->src[0]));
    put(e, EU_FIELD_SRC0_NR, inst->src[0].nr);
    if (inst->desc_indirect) {
        put(e, EU_FIELD_SRC1_NR, EU_ARF_ADDRESS);
        if (inst->ex_desc)
            fail(e, "ex_desc: not with a descriptor in a register");
        return;
    }
    put(e, EU_FIELD_SRC1_FILE, 3);
    put_descriptor(e);
    if (inst->ex_desc & 0xffff)
        fail(e, eu_field_name[EU_FIELD_EX_DESC_19_16].error);
    put(e, EU_FIELD_EX_DESC_19_16, inst->ex_desc >> 16 & 15);
    put(e, EU_FIELD_EX_DESC_23_20, inst->ex_desc >> 20 & 15);
    put(e, EU_FIELD_EX_DESC_27_24, inst->ex_desc >> 24 & 15);
    put(e, EU_FIELD_EX_DESC_31_28, inst->ex_desc >> 28);
}

static void encode_sends(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;

    if (!inst->ex_desc_indirect)
        put(e, EU_FIELD_CMOD, inst->sfid);
    put(e, EU_FIELD_EOT, inst->eot);
    if (inst->dst.file == EU_FILE_IMM)
        fail(e, eu_field_name[EU_FIELD_SENDS_DST_FILE].error);
    put(e, EU_FIELD_SENDS_DST_FILE, inst->dst.file == EU_FILE_GRF);
    put(e, EU_FIELD_DST_TYPE, type_code(e, &inst->dst));
    put(e, EU_FIELD_DST_NR, inst->dst.nr);
    check_payload(e, &inst->src[0]);
    put(e, EU_FIELD_SRC0_NR, inst->src[0].nr);
    if (inst->src[1].file == EU_FILE_GRF)
        check_payload(e, &inst->src[1]);
    put(e, EU_FIELD_SENDS_SRC1_FILE, inst->src[1].file == EU_FILE_GRF);
    put(e, EU_FIELD_SENDS_SRC1_NR, inst->src[1].nr);
    if (inst->ex_desc_indirect) {
        put(e, EU_FIELD_SENDS_EX_DESC_INDIRECT, 1);
        put(e, EU_FIELD_SENDS_EX_DESC_ADDRESS, inst->src[1].address_subnr / 2);
    } else {
        if (inst->ex_desc & ~0x3c0u)
            fail(e, eu_field_name[EU_FIELD_SENDS_EX_DESC_LENGTH].error);
        put(e, EU_FIELD_SENDS_EX_DESC_LENGTH, inst->ex_desc >> 6 & 15);
    }
    if (inst->desc_indirect)
        put(e, EU_FIELD_SENDS_DESC_INDIRECT, 1);
    else
        put_descriptor(e);
}

/* Encodes a message of Gen12: one format with one or two payloads. */
static void encode_send_unified(struct encoder *e, bool split)
{
    const struct eu_inst *inst = e->inst;

    put(e, EU_FIELD_CMOD, inst->sfid);
    put(e, EU_FIELD_EOT, inst->eot);
    if (inst->dst.file == EU_FILE_IMM)
        fail(e, eu_field_name[EU_FIELD_SENDS_DST_FILE].error);
    put(e, EU_FIELD_SENDS_DST_FILE, inst->dst.file == EU_FILE_GRF);
    put(e, EU_FIELD_DST_NR, inst->dst.nr);
    check_payload(e, &inst->src[0]);
    put(e, EU_FIELD_SENDS_SRC0_FILE, 1);
    put(e, EU_FIELD_SRC0_NR, inst->src[0].nr);
    if (split) {
        check_payload(e, &inst->src[1]);
        put(e, EU_FIELD_SENDS_SRC1_FILE, 1);
        put(e, EU_FIELD_SENDS_SRC1_NR, inst->src[1].nr);
    }
    if (inst->ex_desc & ~0x3c0u || inst->ex_desc_indirect)
        fail(e, eu_field_name[EU_FIELD_SENDS_EX_DESC_LENGTH].error);
    put(e, EU_FIELD_SENDS_EX_DESC_LENGTH, inst->ex_desc >> 6 & 15);
    if (inst->desc_indirect)
        put(e, EU_FIELD_SENDS_DESC_INDIRECT, 1);
    else
        put_descriptor(e);
}

static void encode_sync(struct encoder *e)
{
    put(e, EU_FIELD_CMOD, e->inst->sync);
    put(e, EU_FIELD_DST_HSTRIDE, 1);
}

/* Encodes a structured branch. Offsets are in bytes, relative to the instruction itself. */
static void encode_branch(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;

    switch (inst->opcode) {
    case EU_OPCODE_BRD:
    case EU_OPCODE_BRC:
    case EU_OPCODE_CALL:
    case EU_OPCODE_CALLA:
    case EU_OPCODE_RET:
        fail(e, "opcode: unstructured branches and calls are not encoded");
        return;
    default:
        break;
    }
    put(e, EU_FIELD_JIP, (uint32_t)inst->jip);
    if (e->dev->has_software_scoreboard) {
        put(e, EU_FIELD_SRC0_IMMEDIATE, 1);
        if (eu_has_uip(inst->opcode)) {
            put(e, EU_FIELD_SRC1_IMMEDIATE, 1);
            put(e, EU_FIELD_UIP, (uint32_t)inst->uip);
        }
        return;
    }
    put(e, EU_FIELD_DST_HSTRIDE, 1);
    if (eu_has_uip(inst->opcode)) {
        put(e, EU_FIELD_SRC0_FILE, 3);
        put(e, EU_FIELD_SRC0_TYPE, eu_type_info[EU_TYPE_D].code[e->gen].imm);
        put(e, EU_FIELD_UIP, (uint32_t)inst->uip);
    } else {
        put(e, EU_FIELD_SRC1_FILE, 3);
        put(e, EU_FIELD_SRC1_TYPE, eu_type_info[EU_TYPE_D].code[e->gen].imm);
    }
}

/* Encodes ip = ip + src1, relative to the next instruction; on Gen12 to this one. */
static void encode_jump(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;

    if (e->dev->has_software_scoreboard) {
        if (inst->src[0].file != EU_FILE_IMM)
            fail(e, eu_field_name[EU_FIELD_SRC0_IMMEDIATE].error);
        put(e, EU_FIELD_SRC0_IMMEDIATE, 1);
        put(e, EU_FIELD_JIP, (uint32_t)inst->jip);
        return;
    }
    put(e, EU_FIELD_DST_NR, EU_ARF_IP);
    put(e, EU_FIELD_DST_TYPE, eu_type_info[EU_TYPE_UD].code[e->gen].reg);
    put(e, EU_FIELD_DST_HSTRIDE, 1);
    put(e, EU_FIELD_SRC0_NR, EU_ARF_IP);
    if (inst->src[0].file == EU_FILE_IMM) {
        put(e, EU_FIELD_SRC1_FILE, 3);
        put(e, EU_FIELD_SRC1_TYPE, eu_type_info[EU_TYPE_D].code[e->gen].imm);
        put(e, EU_FIELD_JIP, (uint32_t)(inst->jip - 16));
        return;
    }
    if (inst->src[0].indirect)
        fail(e, eu_field_name[EU_FIELD_SRC1_ADDRESS_MODE].error);
    put(e, EU_FIELD_SRC1_FILE, file_code(e, inst->src[0].file));
    put(e, EU_FIELD_SRC1_TYPE, type_code(e, &inst->src[0]));
    put(e, EU_FIELD_SRC1_NR, inst->src[0].nr);
    put(e, EU_FIELD_SRC1_SUBNR, inst->src[0].subnr);
}

/* The notification register is also the destination. */
static void encode_wait(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;
    struct eu_inst wait = *inst;

    if (inst->src[0].file != EU_FILE_ARF || inst->src[0].indirect) {
        fail(e, "src0_file");
        return;
    }
    wait.dst = wait.src[0];
    wait.dst.hstride = 1;
    e->inst = &wait;
    encode_basic(e, 1);
    e->inst = inst;
}

static void put_math(struct encoder *e)
{
    const struct eu_inst *inst = e->inst;

    put(e, EU_FIELD_CMOD, inst->math);
    if ((unsigned)inst->math > 15 || !(eu_math_info[inst->math].gens >> e->gen & 1)) {
        fail(e, "math: no such function");
        return;
    }
    encode_basic(e, eu_math_info[inst->math].sources);
}

bool eu_encode(const struct i965_device *dev, const struct eu_inst *inst, uint64_t out[2],
               const char **error)
{
    struct encoder e = {.dev = dev, .gen = dev->eu, .inst = inst};

    if (!eu_has_opcode(dev, inst->opcode)) {
        *error = "opcode: no such opcode";
        return false;
    }
    const struct eu_opcode_info *info = &eu_opcode_info[inst->opcode];
    if (info->format == EU_FORMAT_NONE) {
        put(&e, EU_FIELD_OPCODE, info->code[e.gen]);
        memcpy(out, e.word, sizeof e.word);
        return true;
    }
    put_controls(&e);
    if (inst->align16 && info->format != EU_FORMAT_3SRC)
        fail(&e, "access_mode: only three-source instructions may be align16");
    switch ((enum eu_format)info->format) {
    case EU_FORMAT_BASIC:
        put(&e, EU_FIELD_CMOD, inst->cmod);
        if (inst->opcode == EU_OPCODE_WAIT)
            encode_wait(&e);
        else
            encode_basic(&e, info->sources);
        break;
    case EU_FORMAT_3SRC:
        put(&e, EU_FIELD_CMOD, inst->cmod);
        encode_3src(&e);
        break;
    case EU_FORMAT_MATH:
        put_math(&e);
        break;
    case EU_FORMAT_SEND:
    case EU_FORMAT_SENDS:
        if (dev->has_software_scoreboard)
            encode_send_unified(&e, info->format == EU_FORMAT_SENDS);
        else if (info->format == EU_FORMAT_SEND)
            encode_send(&e);
        else
            encode_sends(&e);
        break;
    case EU_FORMAT_SYNC:
        encode_sync(&e);
        break;
    case EU_FORMAT_BRANCH:
        encode_branch(&e);
        break;
    case EU_FORMAT_JUMP:
        encode_jump(&e);
        break;
    case EU_FORMAT_NONE:
        break;
    }
    memcpy(out, e.word, sizeof e.word);
    *error = e.error;
    return !e.error;
}
