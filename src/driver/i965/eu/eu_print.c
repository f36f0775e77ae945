/* SPDX-License-Identifier: MIT */
/* Printing of instructions in the syntax of Intel's assembler, which can assemble the output. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "driver/i965/eu.h"
#include "eu_tables.h"
#include "util/half.h"

static void print_float(FILE *fp, double value, uint64_t bits, unsigned digits)
{
    char text[40];

    if (!isfinite(value) || (value == 0.0 && signbit(value))) {
        fprintf(fp, "0x%" PRIX64, bits);
        return;
    }
    snprintf(text, sizeof text, "%.*g", (int)digits, value);
    fprintf(fp, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void print_immediate(FILE *fp, const struct eu_reg *reg)
{
    float f;
    double df;
    uint32_t word = (uint32_t)reg->imm;

    switch (reg->type) {
    case EU_TYPE_F:
        memcpy(&f, &word, 4);
        print_float(fp, f, word, 9);
        break;
    case EU_TYPE_DF:
        memcpy(&df, &reg->imm, 8);
        print_float(fp, df, reg->imm, 17);
        break;
    case EU_TYPE_HF:
        print_float(fp, util_half_to_float((uint16_t)word), word & 0xffff, 5);
        break;
    case EU_TYPE_D:
        fprintf(fp, "%" PRId32, (int32_t)word);
        break;
    case EU_TYPE_W:
        fprintf(fp, "%d", (int16_t)word);
        break;
    case EU_TYPE_Q:
        fprintf(fp, "%" PRId64, (int64_t)reg->imm);
        break;
    case EU_TYPE_UQ:
        fprintf(fp, "0x%" PRIX64, reg->imm);
        break;
    default:
        fprintf(fp, "0x%" PRIX32, eu_type_size(reg->type) == 2 ? word & 0xffff : word);
        break;
    }
    fprintf(fp, ":%s", eu_type_info[reg->type].name);
}

/* Prints a register name. The subregister is in units of the type; some registers have none. */
static void print_name(FILE *fp, const struct eu_reg *reg, bool subregister)
{
    static const char *const names[16] = {
        [EU_ARF_NULL >> 4] = "null",
        [EU_ARF_ADDRESS >> 4] = "a",
        [EU_ARF_ACCUMULATOR >> 4] = "acc",
        [EU_ARF_FLAG >> 4] = "f",
        [EU_ARF_CHANNEL_ENABLE >> 4] = "ce",
        [EU_ARF_STATE >> 4] = "sr",
        [EU_ARF_CONTROL >> 4] = "cr",
        [EU_ARF_NOTIFICATION >> 4] = "n",
        [EU_ARF_IP >> 4] = "ip",
        [EU_ARF_TDR >> 4] = "tdr",
        [EU_ARF_TIMESTAMP >> 4] = "tm",
    };
    unsigned size = eu_type_size(reg->type);

    if (reg->indirect) {
        fprintf(fp, "r[a0.%u", reg->address_subnr);
        if (reg->address_offset)
            fprintf(fp, ",%d", reg->address_offset);
        fputc(']', fp);
        return;
    }
    if (reg->file == EU_FILE_ARF) {
        unsigned kind = reg->nr & 0xf0;
        const char *name = names[kind >> 4];
        fputs(name ? name : "?", fp);
        if (kind == EU_ARF_NULL || kind == EU_ARF_IP || kind == EU_ARF_CHANNEL_ENABLE)
            return;
        fprintf(fp, "%u", reg->nr & 15);
    } else {
        fprintf(fp, "r%u", reg->nr);
    }
    if (subregister)
        fprintf(fp, ".%u", size ? reg->subnr / size : 0);
}

static void print_modifiers(FILE *fp, const struct eu_reg *reg, bool logic)
{
    if (reg->negate)
        fputc(logic ? '~' : '-', fp);
    if (reg->abs)
        fputs("(abs)", fp);
}

static void print_swizzle(FILE *fp, uint8_t swizzle)
{
    fprintf(fp, ".%c%c%c%c", "xyzw"[swizzle & 3], "xyzw"[swizzle >> 2 & 3],
            "xyzw"[swizzle >> 4 & 3], "xyzw"[swizzle >> 6]);
}

/* Prints the components that an align16 instruction writes. */
static void print_writemask(FILE *fp, uint8_t mask)
{
    fputc('.', fp);
    for (unsigned i = 0; i < 4; i++) {
        if (mask >> i & 1)
            fputc("xyzw"[i], fp);
    }
}

static void print_dst(FILE *fp, const struct eu_inst *inst)
{
    fputc(' ', fp);
    if (inst->saturate)
        fputs("(sat)", fp);
    print_name(fp, &inst->dst, true);
    fprintf(fp, "<%u>", inst->dst.hstride);
    if (inst->align16 && eu_opcode_info[inst->opcode].format != EU_FORMAT_3SRC)
        print_writemask(fp, inst->dst.writemask);
    fprintf(fp, ":%s", eu_type_info[inst->dst.type].name);
}

static bool is_logic(enum eu_opcode op)
{
    return op == EU_OPCODE_NOT || op == EU_OPCODE_AND || op == EU_OPCODE_OR || op == EU_OPCODE_XOR;
}

static void print_source(FILE *fp, const struct eu_inst *inst, unsigned i)
{
    const struct eu_reg *reg = &inst->src[i];

    fputc(' ', fp);
    if (reg->file == EU_FILE_IMM) {
        print_immediate(fp, reg);
        return;
    }
    print_modifiers(fp, reg, is_logic(inst->opcode));
    print_name(fp, reg, true);
    if (inst->align16) {
        fprintf(fp, "<%u>", reg->vstride);
        print_swizzle(fp, reg->swizzle);
    } else if (reg->vstride == EU_VSTRIDE_ONE_DIMENSIONAL)
        fprintf(fp, "<%u,%u>", reg->width, reg->hstride);
    else
        fprintf(fp, "<%u;%u,%u>", reg->vstride, reg->width, reg->hstride);
    fprintf(fp, ":%s", eu_type_info[reg->type].name);
}

/* --------------------------------------------------------------------------------- formats --- */

static void print_3src(FILE *fp, const struct eu_inst *inst)
{
    print_dst(fp, inst);
    for (unsigned i = 0; i < 3; i++) {
        const struct eu_reg *reg = &inst->src[i];
        fputc(' ', fp);
        if (reg->file == EU_FILE_IMM) {
            print_immediate(fp, reg);
            continue;
        }
        print_modifiers(fp, reg, false);
        print_name(fp, reg, true);
        if (!inst->align16 && i < 2)
            fprintf(fp, "<%u;%u>", reg->vstride, reg->hstride);
        else if (!inst->align16)
            fprintf(fp, "<%u>", reg->vstride);
        else if (reg->replicate)
            fputs(i < 2 ? "<0;0>" : "<0>", fp);
        else if (reg->swizzle == 0xe4)
            fputs(i < 2 ? "<2;1>" : "<1>", fp);
        else
            print_swizzle(fp, reg->swizzle);
        fprintf(fp, ":%s", eu_type_info[reg->type].name);
    }
}

/* Prints a payload. Payloads are whole registers; the type is meaningless and only printed if it is
 * not :ud. */
static void print_payload(FILE *fp, const struct eu_reg *reg, bool type)
{
    fputc(' ', fp);
    print_name(fp, reg, false);
    if (type)
        fprintf(fp, ":%s", eu_type_info[reg->type].name);
}

static void print_send(FILE *fp, const struct eu_inst *inst, bool split)
{
    print_payload(fp, &inst->dst, split || inst->dst.type != EU_TYPE_UD);
    print_payload(fp, &inst->src[0], !split && inst->src[0].type != EU_TYPE_UD);
    if (split)
        print_payload(fp, &inst->src[1], false);
    if (inst->ex_desc_indirect)
        fprintf(fp, " a0.%u", inst->src[1].address_subnr / 2);
    else
        fprintf(fp, " 0x%X", inst->ex_desc | (unsigned)inst->sfid | (unsigned)inst->eot << 5);
    if (inst->desc_indirect)
        fputs(" a0.0", fp);
    else
        fprintf(fp, " 0x%08X", inst->desc);
}

static void print_label(FILE *fp, size_t offset, int32_t jump)
{
    fprintf(fp, " L%lld", (long long)offset + jump);
}

/* Gen12: both payloads, then the extended descriptor without function and EOT. */
static void print_send_unified(FILE *fp, const struct eu_inst *inst, bool split)
{
    print_payload(fp, &inst->dst, false);
    print_payload(fp, &inst->src[0], false);
    if (split)
        print_payload(fp, &inst->src[1], false);
    else
        fputs(" null", fp);
    fprintf(fp, " 0x%X", inst->ex_desc);
    if (inst->desc_indirect)
        fputs(" a0.0", fp);
    else
        fprintf(fp, " 0x%08X", inst->desc);
}

static void print_operands(FILE *fp, const struct i965_device *dev, const struct eu_inst *inst,
                           size_t offset)
{
    unsigned sources = eu_opcode_info[inst->opcode].sources;

    switch ((enum eu_format)eu_opcode_info[inst->opcode].format) {
    case EU_FORMAT_3SRC:
        print_3src(fp, inst);
        break;
    case EU_FORMAT_SEND:
    case EU_FORMAT_SENDS:
        if (dev->has_software_scoreboard)
            print_send_unified(fp, inst, eu_opcode_info[inst->opcode].format == EU_FORMAT_SENDS);
        else
            print_send(fp, inst, eu_opcode_info[inst->opcode].format == EU_FORMAT_SENDS);
        break;
    case EU_FORMAT_BRANCH:
        print_label(fp, offset, inst->jip);
        if (eu_has_uip(inst->opcode))
            print_label(fp, offset, inst->uip);
        break;
    case EU_FORMAT_JUMP:
        if (inst->src[0].file == EU_FILE_IMM) {
            print_label(fp, offset, inst->jip);
        } else {
            fputc(' ', fp);
            print_name(fp, &inst->src[0], true);
        }
        break;
    case EU_FORMAT_MATH:
        sources = eu_math_info[inst->math & 15].sources;
        /* fallthrough */
    case EU_FORMAT_BASIC:
        if (inst->opcode != EU_OPCODE_WAIT)
            print_dst(fp, inst);
        for (unsigned i = 0; i < sources; i++)
            print_source(fp, inst, i);
        break;
    case EU_FORMAT_SYNC:
        fputs(" null", fp);
        break;
    case EU_FORMAT_NONE:
        break;
    }
}

/* ---------------------------------------------------------------------------- instruction --- */

static void print_predicate(FILE *fp, const struct eu_inst *inst)
{
    static const char *const names[] = {
        "",       "",       ".anyv",  ".allv",   ".any2h",  ".all2h",  ".any4h",
        ".all4h", ".any8h", ".all8h", ".any16h", ".all16h", ".any32h", ".all32h",
    };

    if (!inst->no_mask && !inst->predicate)
        return;
    fprintf(fp, "(%s%s", inst->no_mask ? "W" : "", inst->no_mask && inst->predicate ? "&" : "");
    if (inst->predicate && inst->predicate <= EU_PREDICATE_ALL32H)
        fprintf(fp, "%sf%u.%u%s", inst->predicate_inverse ? "~" : "", inst->flag_nr,
                inst->flag_subnr, names[inst->predicate]);
    fputs(") ", fp);
}

/* Returns the number of channels to print: an align16 instruction that writes one channel is
 * printed as its align1 equivalent. */
static unsigned shown_exec_size(const struct eu_inst *inst)
{
    bool one = inst->align16 && inst->exec_size == 4 && inst->dst.writemask == 1;
    return one ? 1 : inst->exec_size;
}

/* Gen12: the shared function is part of the mnemonic. */
static void print_unified_mnemonic(FILE *fp, const struct eu_inst *inst)
{
    static const char *const functions[16] = {
        "null", "?",    "smpl", "gtwy", "dc2", "rc", "urb", "ts",
        "vme",  "dcro", "dc0",  "pixi", "dc1", "?",  "?",   "?",
    };
    bool conditional = inst->opcode == EU_OPCODE_SENDC || inst->opcode == EU_OPCODE_SENDSC;

    fprintf(fp, "%s.%s", conditional ? "sendc" : "send", functions[inst->sfid & 15]);
}

static void print_mnemonic(FILE *fp, const struct i965_device *dev, const struct eu_inst *inst)
{
    static const char *const syncs[16] = {[EU_SYNC_NOP] = "nop",
                                          [EU_SYNC_ALL_READ] = "allrd",
                                          [EU_SYNC_ALL_WRITTEN] = "allwr",
                                          [EU_SYNC_BARRIER] = "bar",
                                          [EU_SYNC_HOST] = "host"};
    const struct eu_opcode_info *info = &eu_opcode_info[inst->opcode];
    bool message = info->format == EU_FORMAT_SEND || info->format == EU_FORMAT_SENDS;

    if (message && dev->has_software_scoreboard)
        print_unified_mnemonic(fp, inst);
    else
        fputs(info->name, fp);
    if (info->format == EU_FORMAT_SYNC) {
        fprintf(fp, ".%s", syncs[inst->sync & 15] ? syncs[inst->sync & 15] : "?");
        return;
    }
    if (info->format == EU_FORMAT_MATH)
        fprintf(fp, ".%s",
                eu_math_info[inst->math & 15].name ? eu_math_info[inst->math & 15].name : "?");
    if (info->format == EU_FORMAT_BRANCH && inst->acc_write)
        fputs(".b", fp);
    if (info->format == EU_FORMAT_JUMP || inst->opcode == EU_OPCODE_WAIT)
        return;
    fprintf(fp, " (%u|M%u)", shown_exec_size(inst), inst->group);
}

static void print_cmod(FILE *fp, const struct eu_inst *inst)
{
    static const char *const names[] = {"", "eq", "ne", "gt", "ge", "lt", "le", "?", "ov", "un"};
    uint8_t format = eu_opcode_info[inst->opcode].format;

    if ((format == EU_FORMAT_BASIC || format == EU_FORMAT_3SRC) && inst->cmod &&
        inst->cmod <= EU_CMOD_U)
        fprintf(fp, " (%s)f%u.%u", names[inst->cmod], inst->flag_nr, inst->flag_subnr);
}

/* Returns whether the instruction executes out of order, so that a token with a distance is its
 * own. */
static bool takes_token(const struct eu_inst *inst)
{
    uint8_t format = eu_opcode_info[inst->opcode].format;
    return format == EU_FORMAT_SEND || format == EU_FORMAT_SENDS || format == EU_FORMAT_MATH;
}

static void print_scoreboard(FILE *fp, const struct eu_inst *inst, bool more)
{
    unsigned bits = inst->scoreboard, token = bits & 15;

    if (!bits)
        return;
    fputs(more ? "," : " {", fp);
    if (bits & EU_SCOREBOARD_DISTANCE)
        fprintf(fp, "@%u,$%u%s", bits >> 4 & 7, token, takes_token(inst) ? "" : ".dst");
    else if (bits & EU_SCOREBOARD_SET)
        fprintf(fp, "$%u", token);
    else if (bits >= EU_SCOREBOARD_WRITTEN)
        fprintf(fp, "$%u.%s", token, bits >= EU_SCOREBOARD_READ ? "src" : "dst");
    else
        fprintf(fp, "@%u", bits & 7);
}

static void print_options(FILE *fp, const struct eu_inst *inst, bool compacted)
{
    bool branch = eu_opcode_info[inst->opcode].format == EU_FORMAT_BRANCH;
    const struct {
        bool set;
        const char *name;
    } options[] = {
        {inst->acc_write && !branch, "AccWrEn"},
        {inst->debug, "Breakpoint"},
        {compacted, "Compacted"},
        {inst->eot, "EOT"},
        {inst->no_dd_check, "NoDDChk"},
        {inst->no_dd_clear, "NoDDClr"},
        {inst->thread_switch, "Switch"},
    };
    bool any = false;

    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        if (!options[i].set)
            continue;
        fprintf(fp, "%s%s", any ? "," : " {", options[i].name);
        any = true;
    }
    print_scoreboard(fp, inst, any);
    if (any || inst->scoreboard)
        fputc('}', fp);
}

static void print(const struct i965_device *dev, const struct eu_inst *inst, size_t offset,
                  bool compacted, FILE *fp)
{
    if ((unsigned)inst->opcode > 127 || !eu_opcode_info[inst->opcode].name) {
        fputs("?", fp);
        return;
    }
    if (eu_opcode_info[inst->opcode].format == EU_FORMAT_NONE) {
        fputs(eu_opcode_info[inst->opcode].name, fp);
        return;
    }
    print_predicate(fp, inst);
    print_mnemonic(fp, dev, inst);
    print_cmod(fp, inst);
    print_operands(fp, dev, inst, offset);
    print_options(fp, inst, compacted);
}

void eu_print(const struct i965_device *dev, const struct eu_inst *inst, size_t offset, FILE *fp)
{
    print(dev, inst, offset, false, fp);
}

/* -------------------------------------------------------------------------------- program --- */

bool eu_disassemble(const struct i965_device *dev, const uint8_t *bytes, size_t size,
                    const struct eu_annotation *comments, unsigned num_comments, FILE *fp)
{
    struct eu_inst inst;
    char error[128];
    unsigned comment = 0;

    for (size_t offset = 0, length; offset < size; offset += length) {
        for (; comment < num_comments && comments[comment].offset <= offset; comment++)
            fprintf(fp, "        // %s\n", comments[comment].text);
        length = eu_decode(dev, bytes, size, offset, &inst, error, sizeof error);
        if (!length) {
            fprintf(fp, "error: %s\n", error);
            return false;
        }
        fprintf(fp, "L%-5zu  ", offset);
        print(dev, &inst, offset, length == 8, fp);
        fputc('\n', fp);
    }
    return true;
}
