/* SPDX-License-Identifier: MIT */
/*
 * Decoding of bytes to struct eu_inst. The bytes may be arbitrary: an encoding without meaning
 * causes an error that names the offset and the field.
 */
#include <string.h>

#include "driver/i965/eu.h"
#include "eu_fields.h"
#include "util/macros.h"

struct decoder {
    const struct i965_device *dev;
    enum eu_generation gen;
    uint64_t word[2];
    size_t offset;
    struct eu_inst *inst;
    char *error;
    size_t error_size;
    bool failed;
};

static uint64_t get(const struct decoder *d, enum eu_field field)
{
    return eu_field_get(d->gen, d->word, field);
}

static void fail(struct decoder *d, enum eu_field field)
{
    if (!d->failed && d->error_size)
        snprintf(d->error, d->error_size, "offset %zu: field %s: value %#llx stands for nothing",
                 d->offset, eu_field_name[field].name, (unsigned long long)get(d, field));
    d->failed = true;
}

/* --------------------------------------------------------------------------- common fields --- */

static void get_controls(struct decoder *d)
{
    struct eu_inst *inst = d->inst;

    inst->align16 = get(d, EU_FIELD_ACCESS_MODE);
    inst->no_dd_clear = get(d, EU_FIELD_NO_DD_CLEAR);
    inst->no_dd_check = get(d, EU_FIELD_NO_DD_CHECK);
    inst->group =
        (uint8_t)(get(d, EU_FIELD_QUARTER_CONTROL) * 8 + get(d, EU_FIELD_NIBBLE_CONTROL) * 4);
    uint64_t thread = get(d, EU_FIELD_THREAD_CONTROL);
    if (thread != 0 && thread != 2)
        fail(d, EU_FIELD_THREAD_CONTROL);
    inst->thread_switch = thread == 2;
    inst->predicate = get(d, EU_FIELD_PREDICATE);
    if (inst->predicate > EU_PREDICATE_ALL32H)
        fail(d, EU_FIELD_PREDICATE);
    inst->predicate_inverse = get(d, EU_FIELD_PREDICATE_INVERSE);
    if (get(d, EU_FIELD_EXEC_SIZE) > 5)
        fail(d, EU_FIELD_EXEC_SIZE);
    else
        inst->exec_size = (uint8_t)(1u << get(d, EU_FIELD_EXEC_SIZE));
    inst->acc_write = get(d, EU_FIELD_ACC_WRITE);
    inst->debug = get(d, EU_FIELD_DEBUG);
    inst->saturate = get(d, EU_FIELD_SATURATE);
    inst->flag_nr = (uint8_t)get(d, EU_FIELD_FLAG_NR);
    inst->flag_subnr = (uint8_t)get(d, EU_FIELD_FLAG_SUBNR);
    inst->no_mask = get(d, EU_FIELD_MASK_CONTROL);
    inst->scoreboard = (uint8_t)get(d, EU_FIELD_SOFTWARE_SCOREBOARD);
}

static void get_cmod(struct decoder *d)
{
    uint64_t cmod = get(d, EU_FIELD_CMOD);

    if (cmod == 7 || cmod > EU_CMOD_U)
        fail(d, EU_FIELD_CMOD);
    d->inst->cmod = (enum eu_cmod)cmod;
}

static enum eu_type decode_type(struct decoder *d, enum eu_field field, bool immediate)
{
    uint64_t code = get(d, field);

    for (unsigned i = 0; i < EU_TYPE_COUNT; i++) {
        if ((immediate ? eu_type_info[i].code[d->gen].imm : eu_type_info[i].code[d->gen].reg) ==
            code)
            return (enum eu_type)i;
    }
    fail(d, field);
    return EU_TYPE_UD;
}

static enum eu_file decode_file(struct decoder *d, enum eu_field field)
{
    uint64_t code = get(d, field);

    if (code >= eu_generation_info[d->gen].file_immediate)
        return EU_FILE_IMM;
    if (code > 1)
        fail(d, field);
    return code == 1 ? EU_FILE_GRF : EU_FILE_ARF;
}

/* An operand with an indirect address is in the GRF, and may have no file field. The address mode
 * of an immediate is part of its value. */
static enum eu_file file_of_operand(struct decoder *d, enum eu_field field, enum eu_field mode)
{
    bool immediate = get(d, field) >= eu_generation_info[d->gen].file_immediate;

    if (!immediate && !eu_generation_info[d->gen].indirect_has_file && get(d, mode))
        return EU_FILE_GRF;
    return decode_file(d, field);
}

/* Checks that the register exists. */
static void check_nr(struct decoder *d, const struct eu_reg *reg, enum eu_field field)
{
    static const uint8_t instances[16] = {
        [EU_ARF_NULL >> 4] = 16,   [EU_ARF_ADDRESS >> 4] = 1,        [EU_ARF_ACCUMULATOR >> 4] = 10,
        [EU_ARF_FLAG >> 4] = 2,    [EU_ARF_CHANNEL_ENABLE >> 4] = 1, [EU_ARF_STATE >> 4] = 2,
        [EU_ARF_CONTROL >> 4] = 1, [EU_ARF_NOTIFICATION >> 4] = 1,   [EU_ARF_IP >> 4] = 1,
        [EU_ARF_TDR >> 4] = 1,     [EU_ARF_TIMESTAMP >> 4] = 1,
    };
    bool exists = reg->file == EU_FILE_GRF ? reg->nr < d->dev->grf_count
                                           : (reg->nr & 15) < instances[reg->nr >> 4];
    if (!exists)
        fail(d, field);
}

static int16_t address_offset(const struct decoder *d, enum eu_field low, enum eu_field high)
{
    int offset = (int)(get(d, low) | get(d, high) << 9);
    return (int16_t)(offset >= 512 ? offset - 1024 : offset);
}

static uint8_t stride(uint64_t code)
{
    return code ? (uint8_t)(1u << (code - 1)) : 0;
}

static void get_dst(struct decoder *d)
{
    struct eu_reg *dst = &d->inst->dst;

    dst->file = file_of_operand(d, EU_FIELD_DST_FILE, EU_FIELD_DST_ADDRESS_MODE);
    if (dst->file == EU_FILE_IMM)
        fail(d, EU_FIELD_DST_FILE);
    dst->type = decode_type(d, EU_FIELD_DST_TYPE, false);
    dst->hstride = stride(get(d, EU_FIELD_DST_HSTRIDE));
    if (!dst->hstride)
        fail(d, EU_FIELD_DST_HSTRIDE);
    dst->indirect = get(d, EU_FIELD_DST_ADDRESS_MODE);
    if (dst->indirect) {
        if (dst->file != EU_FILE_GRF)
            fail(d, EU_FIELD_DST_FILE);
        dst->address_subnr = (uint8_t)get(d, EU_FIELD_DST_ADDRESS_SUBNR);
        dst->address_offset =
            address_offset(d, EU_FIELD_DST_ADDRESS_OFFSET, EU_FIELD_DST_ADDRESS_OFFSET_HIGH);
    } else {
        dst->nr = (uint8_t)get(d, EU_FIELD_DST_NR);
        dst->subnr = (uint8_t)get(d, EU_FIELD_DST_SUBNR);
        check_nr(d, dst, EU_FIELD_DST_NR);
    }
}

static void get_region(struct decoder *d, struct eu_reg *reg, const struct eu_src01_fields *f)
{
    uint64_t width = get(d, f->width), vstride = get(d, f->vstride);

    reg->hstride = stride(get(d, f->hstride));
    if (width > 4)
        fail(d, f->width);
    else
        reg->width = (uint8_t)(1u << width);
    if (vstride == 15 && reg->indirect)
        reg->vstride = EU_VSTRIDE_ONE_DIMENSIONAL;
    else if (vstride > 6)
        fail(d, f->vstride);
    else
        reg->vstride = stride(vstride);
}

static void get_immediate(struct decoder *d, struct eu_reg *reg, unsigned i)
{
    unsigned size = eu_type_info[reg->type].size;

    if (size == 8 && i > 0)
        fail(d, eu_src01_fields[i].type);
    reg->imm = size == 8 ? get(d, EU_FIELD_IMM64) : get(d, EU_FIELD_IMM32);
    if (size == 2)
        reg->imm &= 0xffff;
}

static void get_source(struct decoder *d, unsigned i, bool last)
{
    struct eu_reg *reg = &d->inst->src[i];
    const struct eu_src01_fields *f = &eu_src01_fields[i];

    reg->file = file_of_operand(d, f->file, f->address_mode);
    reg->type = decode_type(d, f->type, reg->file == EU_FILE_IMM);
    if (reg->file == EU_FILE_IMM) {
        if (!last)
            fail(d, f->file);
        get_immediate(d, reg, i);
        return;
    }
    reg->abs = get(d, f->abs);
    reg->negate = get(d, f->negate);
    reg->indirect = get(d, f->address_mode);
    get_region(d, reg, f);
    if (reg->indirect) {
        if (reg->file != EU_FILE_GRF)
            fail(d, f->file);
        reg->address_subnr = (uint8_t)get(d, f->address_subnr);
        reg->address_offset = address_offset(d, f->address_offset, f->address_offset_high);
    } else {
        reg->nr = (uint8_t)get(d, f->nr);
        reg->subnr = (uint8_t)get(d, f->subnr);
        check_nr(d, reg, f->nr);
    }
}

/* --------------------------------------------------------------------------------- formats --- */

static void decode_basic(struct decoder *d, unsigned sources)
{
    get_dst(d);
    for (unsigned i = 0; i < sources; i++)
        get_source(d, i, i + 1 == sources);
}

/* The destination of an align16 instruction: a write mask, no stride. */
static void get_dst_align16(struct decoder *d)
{
    struct eu_reg *dst = &d->inst->dst;

    if (get(d, EU_FIELD_DST_ADDRESS_MODE))
        fail(d, EU_FIELD_DST_ADDRESS_MODE);
    dst->file = decode_file(d, EU_FIELD_DST_FILE);
    dst->type = decode_type(d, EU_FIELD_DST_TYPE, false);
    dst->nr = (uint8_t)get(d, EU_FIELD_DST_NR);
    if (dst->file == EU_FILE_IMM || (dst->file == EU_FILE_ARF && dst->nr != EU_ARF_NULL))
        fail(d, EU_FIELD_DST_FILE);
    if (eu_type_size(dst->type) == 8)
        fail(d, EU_FIELD_DST_TYPE);
    check_nr(d, dst, EU_FIELD_DST_NR);
    dst->subnr = (uint8_t)(get(d, EU_FIELD_DST_ROW) * 16);
    dst->writemask = (uint8_t)get(d, EU_FIELD_DST_WRITEMASK);
    dst->hstride = 1;
    if (get(d, EU_FIELD_DST_HSTRIDE) != 1)
        fail(d, EU_FIELD_DST_HSTRIDE);
}

/* A source of an align16 instruction: swizzled rows of four elements, or the same row for all
 * channels. */
static void get_source_align16(struct decoder *d, unsigned i, bool last)
{
    struct eu_reg *reg = &d->inst->src[i];
    const struct eu_src01_fields *f = &eu_src01_fields[i];
    const struct eu_source_align16_fields *a = &eu_source_align16_fields[i];

    if (decode_file(d, f->file) == EU_FILE_IMM) {
        get_source(d, i, last);
        return;
    }
    reg->file = EU_FILE_GRF;
    if (get(d, f->file) != 1)
        fail(d, f->file);
    reg->type = decode_type(d, f->type, false);
    if (eu_type_size(reg->type) == 8)
        fail(d, f->type);
    if (get(d, f->address_mode))
        fail(d, f->address_mode);
    reg->abs = get(d, f->abs);
    reg->negate = get(d, f->negate);
    reg->nr = (uint8_t)get(d, f->nr);
    check_nr(d, reg, f->nr);
    reg->subnr = (uint8_t)(get(d, a->row) * 16);
    reg->swizzle = (uint8_t)(get(d, a->swizzle_zw) << 4 | get(d, a->swizzle_xy));
    reg->vstride = stride(get(d, f->vstride));
    reg->width = 4;
    reg->hstride = 1;
    if (reg->vstride != 0 && reg->vstride != 4)
        fail(d, f->vstride);
}

/* Moves, arithmetic and comparisons. Operands are direct and in the GRF. */
static void decode_basic_align16(struct decoder *d, unsigned sources)
{
    struct eu_inst *inst = d->inst;

    if (d->dev->has_align1_3src || inst->opcode == EU_OPCODE_PLN ||
        inst->opcode == EU_OPCODE_LINE || inst->opcode == EU_OPCODE_WAIT)
        fail(d, EU_FIELD_ACCESS_MODE);
    if (inst->predicate > EU_PREDICATE_NORMAL) /* The others select components of the flag. */
        fail(d, EU_FIELD_PREDICATE);
    if (inst->exec_size < 4)
        fail(d, EU_FIELD_EXEC_SIZE);
    get_dst_align16(d);
    for (unsigned i = 0; i < sources; i++)
        get_source_align16(d, i, i + 1 == sources);
}

static enum eu_type decode_3src_type(struct decoder *d, enum eu_field field)
{
    uint64_t code = get(d, field);

    for (unsigned i = 0; i < EU_TYPE_COUNT; i++) {
        if (eu_type_info[i].code[d->gen].align16 == code)
            return (enum eu_type)i;
    }
    fail(d, field);
    return EU_TYPE_F;
}

static void get_3src_source(struct decoder *d, unsigned i, enum eu_type type)
{
    const struct eu_source_3src_fields *f = &eu_source_3src_fields[i];
    struct eu_reg *reg = &d->inst->src[i];

    reg->file = EU_FILE_GRF;
    reg->type = type;
    if (i > 0 && get(d, i == 1 ? EU_FIELD_SRC1_HALF_3SRC : EU_FIELD_SRC2_HALF_3SRC)) {
        if (type != EU_TYPE_F)
            fail(d, EU_FIELD_SRC_TYPE_3SRC);
        reg->type = EU_TYPE_HF;
    }
    reg->abs = get(d, f->abs);
    reg->negate = get(d, f->negate);
    reg->replicate = get(d, f->replicate);
    reg->swizzle = (uint8_t)get(d, f->swizzle);
    reg->subnr = (uint8_t)(get(d, f->subnr) * 4 + get(d, f->word) * 2);
    if (reg->subnr & 2 && reg->type != EU_TYPE_HF)
        fail(d, f->word);
    reg->nr = (uint8_t)get(d, f->nr);
    check_nr(d, reg, f->nr);
}

static void decode_3src_align16(struct decoder *d)
{
    struct eu_inst *inst = d->inst;
    struct eu_reg *dst = &inst->dst;

    dst->file = EU_FILE_GRF;
    dst->type = decode_3src_type(d, EU_FIELD_DST_TYPE_3SRC);
    dst->hstride = 1;
    dst->writemask = (uint8_t)get(d, EU_FIELD_DST_WRITEMASK_3SRC);
    dst->subnr = (uint8_t)(get(d, EU_FIELD_DST_SUBNR_3SRC) * 4);
    dst->nr = (uint8_t)get(d, EU_FIELD_DST_NR_3SRC);
    check_nr(d, dst, EU_FIELD_DST_NR_3SRC);
    enum eu_type type = decode_3src_type(d, EU_FIELD_SRC_TYPE_3SRC);
    for (unsigned i = 0; i < 3; i++)
        get_3src_source(d, i, type);
}

static enum eu_type decode_3src1_type(struct decoder *d, enum eu_field field)
{
    uint64_t code = get(d, field) | (get(d, EU_FIELD_FLOAT_3SRC1) ? EU_3SRC1_FLOAT : 0);

    for (unsigned i = 0; i < EU_TYPE_COUNT; i++) {
        if (eu_type_info[i].code[d->gen].align1 == code)
            return (enum eu_type)i;
    }
    fail(d, field);
    return EU_TYPE_F;
}

/* Source 2 has one stride, which is expressed as rows of one element. */
static void get_3src1_region(struct decoder *d, unsigned i)
{
    const struct eu_source_3src1_fields *f = &eu_source_3src1_fields[i];
    struct eu_reg *reg = &d->inst->src[i];

    reg->hstride = stride(get(d, f->hstride));
    if (f->vstride == EU_FIELD_COUNT) {
        reg->vstride = reg->hstride;
        reg->width = 1;
        reg->hstride = 0;
        return;
    }
    static const uint8_t vstrides[2][4] = {{0, 2, 4, 8}, {0, 1, 4, 8}};
    reg->vstride = vstrides[d->dev->has_vstride1_3src][get(d, f->vstride)];
    reg->width = reg->hstride ? MAX2(reg->vstride / reg->hstride, 1) : 1;
}

static void get_3src1_source(struct decoder *d, unsigned i)
{
    const struct eu_source_3src1_fields *f = &eu_source_3src1_fields[i];
    struct eu_reg *reg = &d->inst->src[i];

    reg->type = decode_3src1_type(d, f->type);
    if (f->immediate != EU_FIELD_COUNT && get(d, f->immediate)) {
        if (eu_type_size(reg->type) != 2)
            fail(d, f->type);
        reg->file = EU_FILE_IMM;
        reg->imm = get(d, f->imm16);
        return;
    }
    if (get(d, f->file) != eu_generation_info[d->gen].file_grf_3src1)
        fail(d, f->file);
    reg->file = EU_FILE_GRF;
    reg->abs = get(d, f->abs);
    reg->negate = get(d, f->negate);
    reg->subnr = (uint8_t)get(d, f->subnr);
    reg->nr = (uint8_t)get(d, f->nr);
    check_nr(d, reg, f->nr);
    get_3src1_region(d, i);
}

static void decode_3src_align1(struct decoder *d)
{
    struct eu_reg *dst = &d->inst->dst;

    if (get(d, EU_FIELD_DST_FILE_3SRC1) != eu_generation_info[d->gen].file_grf_3src1)
        fail(d, EU_FIELD_DST_FILE_3SRC1);
    dst->file = EU_FILE_GRF;
    dst->type = decode_3src1_type(d, EU_FIELD_DST_TYPE_3SRC1);
    dst->hstride = get(d, EU_FIELD_DST_HSTRIDE_3SRC1) ? 2 : 1;
    dst->subnr = (uint8_t)(get(d, EU_FIELD_DST_SUBNR_3SRC1) * 8);
    dst->nr = (uint8_t)get(d, EU_FIELD_DST_NR_3SRC);
    check_nr(d, dst, EU_FIELD_DST_NR_3SRC);
    for (unsigned i = 0; i < 3; i++)
        get_3src1_source(d, i);
}

static void decode_3src(struct decoder *d)
{
    if (d->inst->align16 == d->dev->has_align1_3src)
        fail(d, EU_FIELD_ACCESS_MODE);
    else if (d->inst->align16)
        decode_3src_align16(d);
    else
        decode_3src_align1(d);
}

static void get_payload(struct decoder *d, unsigned i, enum eu_type type, enum eu_field nr)
{
    struct eu_reg *reg = &d->inst->src[i];

    reg->file = EU_FILE_GRF;
    reg->type = type;
    reg->vstride = reg->width = 8;
    reg->hstride = 1;
    reg->nr = (uint8_t)get(d, nr);
    check_nr(d, reg, nr);
}

static void decode_send(struct decoder *d)
{
    struct eu_inst *inst = d->inst;

    inst->sfid = (enum eu_sfid)get(d, EU_FIELD_CMOD);
    inst->eot = get(d, EU_FIELD_EOT);
    inst->dst.file = decode_file(d, EU_FIELD_DST_FILE);
    inst->dst.type = decode_type(d, EU_FIELD_DST_TYPE, false);
    inst->dst.nr = (uint8_t)get(d, EU_FIELD_DST_NR);
    inst->dst.hstride = 1;
    if (inst->dst.file == EU_FILE_IMM)
        fail(d, EU_FIELD_DST_FILE);
    check_nr(d, &inst->dst, EU_FIELD_DST_NR);
    if (decode_file(d, EU_FIELD_SRC0_FILE) != EU_FILE_GRF)
        fail(d, EU_FIELD_SRC0_FILE);
    get_payload(d, 0, decode_type(d, EU_FIELD_SRC0_TYPE, false), EU_FIELD_SRC0_NR);
    if (get(d, EU_FIELD_SRC1_FILE) == 0) {
        inst->desc_indirect = true;
        if (get(d, EU_FIELD_SRC1_NR) != EU_ARF_ADDRESS)
            fail(d, EU_FIELD_SRC1_NR);
        if (get(d, EU_FIELD_SRC1_SUBNR))
            fail(d, EU_FIELD_SRC1_SUBNR);
        return;
    }
    if (get(d, EU_FIELD_SRC1_FILE) != 3)
        fail(d, EU_FIELD_SRC1_FILE);
    inst->desc = (uint32_t)get(d, EU_FIELD_DESC);
    inst->ex_desc =
        (uint32_t)(get(d, EU_FIELD_EX_DESC_19_16) << 16 | get(d, EU_FIELD_EX_DESC_23_20) << 20 |
                   get(d, EU_FIELD_EX_DESC_27_24) << 24 | get(d, EU_FIELD_EX_DESC_31_28) << 28);
}

static void decode_sends(struct decoder *d)
{
    struct eu_inst *inst = d->inst;

    inst->sfid = (enum eu_sfid)get(d, EU_FIELD_CMOD);
    inst->eot = get(d, EU_FIELD_EOT);
    inst->dst.file = get(d, EU_FIELD_SENDS_DST_FILE) ? EU_FILE_GRF : EU_FILE_ARF;
    inst->dst.type = decode_type(d, EU_FIELD_DST_TYPE, false);
    inst->dst.nr = (uint8_t)get(d, EU_FIELD_DST_NR);
    inst->dst.hstride = 1;
    check_nr(d, &inst->dst, EU_FIELD_DST_NR);
    get_payload(d, 0, EU_TYPE_UD, EU_FIELD_SRC0_NR);
    if (get(d, EU_FIELD_SENDS_SRC1_FILE)) {
        get_payload(d, 1, EU_TYPE_UD, EU_FIELD_SENDS_SRC1_NR);
    } else {
        inst->src[1] = (struct eu_reg){.file = EU_FILE_ARF, .hstride = 1};
        inst->src[1].nr = (uint8_t)get(d, EU_FIELD_SENDS_SRC1_NR);
        check_nr(d, &inst->src[1], EU_FIELD_SENDS_SRC1_NR);
    }
    inst->ex_desc_indirect = get(d, EU_FIELD_SENDS_EX_DESC_INDIRECT);
    if (inst->ex_desc_indirect)
        inst->src[1].address_subnr = (uint8_t)(get(d, EU_FIELD_SENDS_EX_DESC_ADDRESS) * 2);
    else
        inst->ex_desc = (uint32_t)get(d, EU_FIELD_SENDS_EX_DESC_LENGTH) << 6;
    inst->desc_indirect = get(d, EU_FIELD_SENDS_DESC_INDIRECT);
    if (!inst->desc_indirect)
        inst->desc = (uint32_t)get(d, EU_FIELD_DESC);
}

/* Decodes send and sendc of Gen12, whose opcode doesn't determine the number of payloads. */
static void decode_send_unified(struct decoder *d)
{
    struct eu_inst *inst = d->inst;
    bool split = get(d, EU_FIELD_SENDS_SRC1_FILE), conditional = inst->opcode == EU_OPCODE_SENDSC;

    if (split)
        inst->opcode = conditional ? EU_OPCODE_SENDSC : EU_OPCODE_SENDS;
    else
        inst->opcode = conditional ? EU_OPCODE_SENDC : EU_OPCODE_SEND;
    inst->saturate = false; /* The bit is eot. */
    inst->sfid = (enum eu_sfid)get(d, EU_FIELD_CMOD);
    inst->eot = get(d, EU_FIELD_EOT);
    inst->dst.file = get(d, EU_FIELD_SENDS_DST_FILE) ? EU_FILE_GRF : EU_FILE_ARF;
    inst->dst.nr = (uint8_t)get(d, EU_FIELD_DST_NR);
    inst->dst.hstride = 1;
    check_nr(d, &inst->dst, EU_FIELD_DST_NR);
    if (!get(d, EU_FIELD_SENDS_SRC0_FILE))
        fail(d, EU_FIELD_SENDS_SRC0_FILE);
    get_payload(d, 0, EU_TYPE_UD, EU_FIELD_SRC0_NR);
    if (split)
        get_payload(d, 1, EU_TYPE_UD, EU_FIELD_SENDS_SRC1_NR);
    else if (get(d, EU_FIELD_SENDS_SRC1_NR))
        fail(d, EU_FIELD_SENDS_SRC1_NR);
    inst->ex_desc = (uint32_t)get(d, EU_FIELD_SENDS_EX_DESC_LENGTH) << 6;
    if (get(d, EU_FIELD_SENDS_EX_DESC_INDIRECT))
        fail(d, EU_FIELD_SENDS_EX_DESC_INDIRECT);
    if (get(d, EU_FIELD_SENDS_EX_DESC_OTHER))
        fail(d, EU_FIELD_SENDS_EX_DESC_OTHER);
    inst->desc_indirect = get(d, EU_FIELD_SENDS_DESC_INDIRECT);
    if (!inst->desc_indirect)
        inst->desc = (uint32_t)get(d, EU_FIELD_DESC);
    if (get(d, EU_FIELD_SENDS_DESC_31))
        fail(d, EU_FIELD_SENDS_DESC_31);
}

static void decode_sync(struct decoder *d)
{
    uint64_t function = get(d, EU_FIELD_CMOD);

    d->inst->sync = (enum eu_sync)function;
    if (function == 1 || (function > EU_SYNC_ALL_WRITTEN && function < EU_SYNC_BARRIER))
        fail(d, EU_FIELD_CMOD);
    if (get(d, EU_FIELD_SRC0_IMMEDIATE)) /* A mask of tokens. */
        fail(d, EU_FIELD_SRC0_IMMEDIATE);
}

static void decode_branch(struct decoder *d)
{
    struct eu_inst *inst = d->inst;

    switch (inst->opcode) {
    case EU_OPCODE_BRD:
    case EU_OPCODE_BRC:
    case EU_OPCODE_CALL:
    case EU_OPCODE_CALLA:
    case EU_OPCODE_RET:
        fail(d, EU_FIELD_OPCODE);
        return;
    default:
        break;
    }
    inst->jip = (int32_t)get(d, EU_FIELD_JIP);
    if (eu_has_uip(inst->opcode))
        inst->uip = (int32_t)get(d, EU_FIELD_UIP);
}

static void decode_jump(struct decoder *d)
{
    struct eu_inst *inst = d->inst;
    struct eu_reg *src = &inst->src[0];

    if (d->dev->has_software_scoreboard) {
        if (!get(d, EU_FIELD_SRC0_IMMEDIATE))
            fail(d, EU_FIELD_SRC0_IMMEDIATE);
        src->file = EU_FILE_IMM;
        src->type = EU_TYPE_D;
        inst->jip = (int32_t)get(d, EU_FIELD_JIP);
        return;
    }
    src->file = decode_file(d, EU_FIELD_SRC1_FILE);
    src->type = decode_type(d, EU_FIELD_SRC1_TYPE, src->file == EU_FILE_IMM);
    if (src->file == EU_FILE_IMM) {
        inst->jip = (int32_t)((uint32_t)get(d, EU_FIELD_JIP) + 16);
        return;
    }
    src->nr = (uint8_t)get(d, EU_FIELD_SRC1_NR);
    src->subnr = (uint8_t)get(d, EU_FIELD_SRC1_SUBNR);
    src->width = 1;
    check_nr(d, src, EU_FIELD_SRC1_NR);
    if (get(d, EU_FIELD_SRC1_ADDRESS_MODE))
        fail(d, EU_FIELD_SRC1_ADDRESS_MODE);
}

static void decode_math(struct decoder *d)
{
    unsigned function = (unsigned)get(d, EU_FIELD_CMOD);

    d->inst->math = (enum eu_math)function;
    if (!(eu_math_info[function].gens >> d->gen & 1)) {
        fail(d, EU_FIELD_CMOD);
        return;
    }
    decode_basic(d, eu_math_info[function].sources);
}

static void decode(struct decoder *d)
{
    unsigned opcode = eu_opcode_by_code[d->gen][get(d, EU_FIELD_OPCODE)];

    if (opcode == 0xff) {
        fail(d, EU_FIELD_OPCODE);
        return;
    }
    const struct eu_opcode_info *info = &eu_opcode_info[opcode];
    d->inst->opcode = (enum eu_opcode)opcode;
    if (info->format == EU_FORMAT_NONE)
        return;
    get_controls(d);
    if (d->inst->align16 && info->format != EU_FORMAT_3SRC && info->format != EU_FORMAT_BASIC)
        fail(d, EU_FIELD_ACCESS_MODE);
    switch ((enum eu_format)info->format) {
    case EU_FORMAT_BASIC:
        get_cmod(d);
        if (d->inst->align16)
            decode_basic_align16(d, info->sources);
        else
            decode_basic(d, info->sources);
        break;
    case EU_FORMAT_3SRC:
        get_cmod(d);
        decode_3src(d);
        break;
    case EU_FORMAT_MATH:
        decode_math(d);
        break;
    case EU_FORMAT_SEND:
    case EU_FORMAT_SENDS:
        if (d->dev->has_software_scoreboard)
            decode_send_unified(d);
        else if (info->format == EU_FORMAT_SEND)
            decode_send(d);
        else
            decode_sends(d);
        break;
    case EU_FORMAT_SYNC:
        decode_sync(d);
        break;
    case EU_FORMAT_BRANCH:
        decode_branch(d);
        break;
    case EU_FORMAT_JUMP:
        decode_jump(d);
        break;
    case EU_FORMAT_NONE:
        break;
    }
}

unsigned eu_decode(const struct i965_device *dev, const uint8_t *bytes, size_t size, size_t offset,
                   struct eu_inst *inst, char *error, size_t error_size)
{
    struct decoder d = {.dev = dev,
                        .gen = dev->eu,
                        .offset = offset,
                        .inst = inst,
                        .error = error,
                        .error_size = error_size};
    unsigned length = 8;

    memset(inst, 0, sizeof *inst);
    if (offset > size || size - offset < 8) {
        if (error_size)
            snprintf(error, error_size,
                     "offset %zu: field opcode: the program ends within the instruction", offset);
        return 0;
    }
    memcpy(&d.word[0], bytes + offset, 8);
    if (get(&d, EU_FIELD_COMPACTED)) {
        uint64_t compact = d.word[0];
        if (!eu_uncompact(dev, compact, d.word)) {
            fail(&d, EU_FIELD_OPCODE);
            return 0;
        }
    } else {
        length = 16;
        if (size - offset < 16) {
            if (error_size)
                snprintf(error, error_size,
                         "offset %zu: field opcode: the program ends within the instruction",
                         offset);
            return 0;
        }
        memcpy(&d.word[1], bytes + offset + 8, 8);
    }
    decode(&d);
    return d.failed ? 0 : length;
}
