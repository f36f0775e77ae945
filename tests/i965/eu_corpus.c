/* SPDX-License-Identifier: MIT */
/*
 * eu_corpus TARGET SEED COUNT BYTES TEXT COMPACTED: writes random valid instructions as native
 * bytes, as our disassembler's text, and compacted. check_iga.py compares them with Intel's
 * assembler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/i965/eu.h"
#include "util/macros.h"

static uint64_t state;
static const struct i965_device *dev;

static uint32_t rnd(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % n;
}

static const enum eu_type all_types[] = {
    EU_TYPE_UD, EU_TYPE_D, EU_TYPE_UW, EU_TYPE_W, EU_TYPE_UB, EU_TYPE_B,
    EU_TYPE_UQ, EU_TYPE_Q, EU_TYPE_HF, EU_TYPE_F, EU_TYPE_DF,
};

static bool is_float(enum eu_type t)
{
    return t == EU_TYPE_HF || t == EU_TYPE_F || t == EU_TYPE_DF;
}

/* Sets a region that is typical for compilers. */
static void region(struct eu_reg *reg, unsigned exec_size)
{
    static const uint8_t regions[][3] = {
        {0, 1, 0},  {8, 8, 1},  {4, 4, 1}, {16, 8, 2}, {2, 2, 1}, {16, 16, 1}, {1, 1, 0},
        {32, 8, 4}, {16, 4, 4}, {8, 4, 2}, {4, 2, 2},  {8, 4, 1}, {0, 4, 1},   {0, 2, 1},
    };
    const uint8_t *r;

    do {
        r = regions[rnd(ARRAY_SIZE(regions))];
    } while (r[1] > exec_size || (exec_size == r[1] && r[0] != r[1] * r[2]) ||
             (exec_size == 1 && r[0]));
    reg->vstride = r[0];
    reg->width = r[1];
    reg->hstride = r[2];
}

static void source(struct eu_inst *inst, unsigned i, enum eu_type type, bool imm, bool modifiers)
{
    struct eu_reg *reg = &inst->src[i];

    reg->type = type;
    if (imm && type != EU_TYPE_UB && type != EU_TYPE_B && eu_type_size(type) < 8) {
        reg->file = EU_FILE_IMM;
        reg->imm = rnd(3) ? rnd(5000) : (uint64_t)rnd(1u << 31) << 1;
        if (type == EU_TYPE_F)
            reg->imm = rnd(2) ? 0x3f800000 : 0xc0490fdb;
        if (type == EU_TYPE_HF)
            reg->imm = 0x3c00 + rnd(0x400);
        if (eu_type_size(type) == 2)
            reg->imm &= 0xffff;
        if (type == EU_TYPE_F && rnd(4) == 0) {
            reg->type = EU_TYPE_VF;
            reg->imm = 0x30300020;
        }
        return;
    }
    reg->file = EU_FILE_GRF;
    region(reg, inst->exec_size);
    if (modifiers) {
        reg->negate = rnd(4) == 0;
        reg->abs = rnd(5) == 0;
    }
    if (rnd(12) == 0 && i == 0) {
        reg->indirect = true;
        reg->address_subnr = (uint8_t)rnd(16);
        reg->address_offset = (int16_t)(rnd(1024) - 512);
        if (rnd(3) == 0) {
            reg->vstride = EU_VSTRIDE_ONE_DIMENSIONAL;
            reg->width = (uint8_t)(rnd(2) ? 1 : MIN2(inst->exec_size, 4));
            reg->hstride = reg->width > 1;
        }
        return;
    }
    reg->nr = (uint8_t)rnd(120);
    if (reg->width == 1 || reg->vstride <= 4)
        reg->subnr = (uint8_t)(rnd(32 / eu_type_size(type)) * eu_type_size(type));
}

static void destination(struct eu_inst *inst, enum eu_type type)
{
    struct eu_reg *dst = &inst->dst;

    dst->file = EU_FILE_GRF;
    dst->type = type;
    dst->hstride = 1;
    if (rnd(12) == 0) {
        dst->indirect = true;
        dst->address_subnr = (uint8_t)rnd(16);
        dst->address_offset = (int16_t)(rnd(1024) - 512);
        return;
    }
    if (rnd(10) == 0) {
        dst->file = EU_FILE_ARF;
        return;
    }
    dst->nr = (uint8_t)rnd(120);
    if (eu_type_size(type) <= 2 && rnd(2))
        dst->hstride = 2;
    if (inst->exec_size == 1)
        dst->subnr = (uint8_t)(rnd(32 / eu_type_size(type)) * eu_type_size(type));
}

static void controls(struct eu_inst *inst)
{
    inst->exec_size = (uint8_t)(1u << rnd(5));
    if (inst->exec_size < 32)
        inst->group = (uint8_t)(rnd(4) ? 0 : inst->exec_size >= 8 ? rnd(2) * inst->exec_size : 4);
    inst->no_mask = rnd(3) == 0;
    if (rnd(4) == 0) {
        inst->predicate = (enum eu_predicate)(1 + rnd(13));
        inst->predicate_inverse = rnd(2);
    }
    inst->no_dd_check = rnd(20) == 0;
    inst->no_dd_clear = rnd(20) == 0;
    inst->acc_write = rnd(20) == 0;
    inst->thread_switch = rnd(20) == 0;
    inst->debug = rnd(30) == 0;
    if (dev->has_software_scoreboard)
        inst->no_dd_check = inst->no_dd_clear = inst->thread_switch = false;
}

/* Sets information that the instruction may have. */
static void scoreboard(struct eu_inst *inst)
{
    bool token = inst->opcode == EU_OPCODE_MATH ||
                 (inst->opcode >= EU_OPCODE_SEND && inst->opcode <= EU_OPCODE_SENDSC);
    unsigned distance = 1 + rnd(7), t = rnd(16);

    if (!dev->has_software_scoreboard || rnd(3) == 0)
        return;
    const unsigned own[] = {EU_SCOREBOARD_SET | t, EU_SCOREBOARD_DISTANCE | distance << 4 | t};
    const unsigned other[] = {distance, EU_SCOREBOARD_WRITTEN | t, EU_SCOREBOARD_READ | t,
                              EU_SCOREBOARD_DISTANCE | distance << 4 | t};
    inst->scoreboard = (uint8_t)(token ? own[rnd(2)] : other[rnd(4)]);
}

static void random_alu(struct eu_inst *inst)
{
    static const enum eu_opcode ops[] = {
        EU_OPCODE_MOV,  EU_OPCODE_SEL,   EU_OPCODE_NOT,  EU_OPCODE_AND,  EU_OPCODE_OR,
        EU_OPCODE_XOR,  EU_OPCODE_SHR,   EU_OPCODE_SHL,  EU_OPCODE_ASR,  EU_OPCODE_CMP,
        EU_OPCODE_CMPN, EU_OPCODE_BFREV, EU_OPCODE_BFI1, EU_OPCODE_ADD,  EU_OPCODE_MUL,
        EU_OPCODE_AVG,  EU_OPCODE_FRC,   EU_OPCODE_RNDU, EU_OPCODE_RNDD, EU_OPCODE_RNDE,
        EU_OPCODE_RNDZ, EU_OPCODE_MAC,   EU_OPCODE_MACH, EU_OPCODE_LZD,  EU_OPCODE_FBH,
        EU_OPCODE_FBL,  EU_OPCODE_CBIT,  EU_OPCODE_ADDC, EU_OPCODE_SUBB, EU_OPCODE_DP4,
        EU_OPCODE_DPH,  EU_OPCODE_DP3,   EU_OPCODE_DP2,  EU_OPCODE_LINE, EU_OPCODE_PLN,
        EU_OPCODE_MATH,
    };
    enum eu_opcode op;
    do {
        op = inst->opcode = ops[rnd(ARRAY_SIZE(ops))];
    } while (!eu_has_opcode(dev, op));
    bool logic = op >= EU_OPCODE_NOT && op <= EU_OPCODE_XOR;
    bool integer = logic || (op >= EU_OPCODE_SHR && op <= EU_OPCODE_ASR) || op == EU_OPCODE_BFREV ||
                   op == EU_OPCODE_BFI1 || op == EU_OPCODE_AVG ||
                   (op >= EU_OPCODE_MACH && op <= EU_OPCODE_SUBB);
    bool real = (op >= EU_OPCODE_FRC && op <= EU_OPCODE_RNDZ) || op >= EU_OPCODE_DP4 ||
                op == EU_OPCODE_MATH;
    bool bits = op == EU_OPCODE_BFREV || op == EU_OPCODE_BFI1 ||
                (op >= EU_OPCODE_LZD && op <= EU_OPCODE_SUBB);
    bool any = op == EU_OPCODE_MOV || op == EU_OPCODE_ADD || logic;
    enum eu_type type;
    do {
        type = all_types[rnd(any ? 11 : 4)];
    } while (!eu_has_type(dev, type));
    unsigned sources = eu_opcode_num_sources(op);

    controls(inst);
    if (real)
        type = EU_TYPE_F;
    if (bits)
        type = EU_TYPE_UD;
    if (integer && is_float(type))
        type = EU_TYPE_D;
    if (op == EU_OPCODE_MATH) {
        static const enum eu_math functions[] = {
            EU_MATH_INV, EU_MATH_LOG,          EU_MATH_EXP,          EU_MATH_SQRT,
            EU_MATH_RSQ, EU_MATH_SIN,          EU_MATH_COS,          EU_MATH_FDIV,
            EU_MATH_POW, EU_MATH_INT_QUOTIENT, EU_MATH_INT_REMAINDER};
        do {
            inst->math = functions[rnd(ARRAY_SIZE(functions))];
        } while (!eu_has_math(dev, inst->math));
        sources = inst->math >= EU_MATH_FDIV ? 2 : 1;
        if (inst->math > EU_MATH_POW)
            type = EU_TYPE_D;
    }
    if (eu_type_size(type) == 8 && inst->exec_size > 4)
        inst->exec_size = 4;
    destination(inst, type);
    if (op == EU_OPCODE_MATH)
        inst->dst = (struct eu_reg){.file = EU_FILE_GRF, .type = type, .hstride = 1, .nr = 9};
    bool modifiers = !bits && op != EU_OPCODE_PLN && op != EU_OPCODE_LINE;
    bool imm = rnd(3) == 0;
    for (unsigned i = 0; i < sources; i++) {
        source(inst, i, type,
               imm && i + 1 == sources && op != EU_OPCODE_MATH && op != EU_OPCODE_PLN, modifiers);
        if (logic)
            inst->src[i].abs = false;
        if (op == EU_OPCODE_MATH && inst->src[i].indirect)
            inst->src[i] = (struct eu_reg){.file = EU_FILE_GRF, .type = type, .width = 1};
    }
    if ((op == EU_OPCODE_CMP || op == EU_OPCODE_CMPN || rnd(5) == 0) && op != EU_OPCODE_MATH &&
        op != EU_OPCODE_BFREV && op != EU_OPCODE_BFI1 && op != EU_OPCODE_FBH &&
        op != EU_OPCODE_FBL && op != EU_OPCODE_CBIT && op != EU_OPCODE_MACH)
        inst->cmod = (enum eu_cmod)(1 + rnd(6));
    if (inst->cmod || inst->predicate) {
        inst->flag_nr = (uint8_t)rnd(2);
        inst->flag_subnr = (uint8_t)rnd(2);
    }
    if (!integer && op != EU_OPCODE_CMP && op != EU_OPCODE_CMPN && op != EU_OPCODE_FRC)
        inst->saturate = rnd(6) == 0;
}

static void random_3src(struct eu_inst *inst)
{
    static const enum eu_opcode ops[] = {EU_OPCODE_MAD, EU_OPCODE_LRP, EU_OPCODE_BFE,
                                         EU_OPCODE_BFI2, EU_OPCODE_CSEL};
    enum eu_opcode op;
    do {
        op = inst->opcode = ops[rnd(ARRAY_SIZE(ops))];
    } while (!eu_has_opcode(dev, op));
    enum eu_type type = op == EU_OPCODE_BFE || op == EU_OPCODE_BFI2 ? EU_TYPE_UD : EU_TYPE_F;

    controls(inst);
    inst->acc_write = false;
    inst->align16 = !dev->has_align1_3src;
    inst->exec_size = (uint8_t)(rnd(2) ? 8 : 16);
    inst->group = 0;
    inst->dst = (struct eu_reg){
        .file = EU_FILE_GRF, .type = type, .hstride = 1, .nr = (uint8_t)rnd(120), .writemask = 0xf};
    for (unsigned i = 0; i < 3; i++) {
        struct eu_reg *reg = &inst->src[i];
        *reg =
            (struct eu_reg){.file = EU_FILE_GRF, .type = type, .nr = (uint8_t)rnd(120), .width = 1};
        bool scalar = rnd(3) == 0;
        if (inst->align16) {
            reg->swizzle = 0xe4;
            reg->replicate = scalar;
        } else if (!scalar) {
            reg->width = i == 2 ? 1 : 8;
            reg->vstride = i == 2 ? 1 : 8;
            reg->hstride = i < 2;
        }
        if (scalar)
            reg->subnr = (uint8_t)(rnd(8) * 4);
        if (type == EU_TYPE_F) {
            reg->negate = rnd(4) == 0;
            reg->abs = rnd(6) == 0;
        }
        if (op == EU_OPCODE_MAD && !inst->align16 && i != 1 && rnd(8) == 0)
            *reg = (struct eu_reg){.file = EU_FILE_IMM, .type = EU_TYPE_HF, .imm = rnd(0x7c00)};
    }
    if (inst->predicate && inst->align16)
        inst->predicate = EU_PREDICATE_NORMAL; /* Align16 has other predicates. */
    if (op == EU_OPCODE_CSEL) {
        inst->cmod = (enum eu_cmod)(1 + rnd(6));
        inst->predicate = EU_PREDICATE_NONE;
        inst->predicate_inverse = false;
    }
    if (type == EU_TYPE_F)
        inst->saturate = rnd(6) == 0;
    if (inst->predicate)
        inst->flag_nr = (uint8_t)rnd(2);
}

/* Sets an instruction that a random compacted word of three sources expands to, so that all rows of
 * the tables occur. Keeps another instruction of three sources if the device has no such form, or
 * if no word with its types was found. */
static void random_compact_3src(struct eu_inst *inst)
{
    const char *error = NULL;
    uint64_t native[2];
    char why[128];

    random_3src(inst);
    if (!eu_encode(dev, inst, native, &error))
        return;
    for (unsigned i = 0; i < 500; i++) {
        struct eu_inst expanded;
        uint64_t high = rnd(1u << 31), low = rnd(1u << 31);
        /* The opcode is in bits 6:0; bit 29 says that the word is compacted. */
        uint64_t word = high << 33 | low << 7 | 1u << 29 | (native[0] & 0x7f);
        if (eu_decode(dev, (uint8_t *)&word, 8, 0, &expanded, why, sizeof why) &&
            expanded.dst.type == inst->dst.type) {
            expanded.scoreboard = 0;
            for (unsigned j = 0; j < 3; j++) {
                bool modifiers = expanded.src[j].type == EU_TYPE_F;
                expanded.src[j].negate &= modifiers;
                expanded.src[j].abs &= modifiers;
            }
            *inst = expanded;
            return;
        }
    }
}

static void random_send(struct eu_inst *inst)
{
    static const enum eu_sfid sfids[] = {EU_SFID_SAMPLER, EU_SFID_URB, EU_SFID_DATA_CACHE0,
                                         EU_SFID_DATA_CACHE1, EU_SFID_RENDER_CACHE};
    bool split = rnd(2) && dev->has_sends;

    inst->opcode = split ? EU_OPCODE_SENDS : rnd(2) ? EU_OPCODE_SEND : EU_OPCODE_SENDC;
    controls(inst);
    inst->acc_write = inst->saturate = inst->no_dd_check = inst->no_dd_clear = false;
    inst->thread_switch = false; /* Most versions of iga64 do not know it for messages. */
    inst->exec_size = (uint8_t)(rnd(2) ? 8 : 16);
    inst->group = 0;
    inst->sfid = sfids[rnd(ARRAY_SIZE(sfids))];
    inst->desc = 1u << 25 | rnd(5) << 20 | rnd(1 << 19);
    inst->dst = (struct eu_reg){.file = EU_FILE_GRF, .nr = (uint8_t)rnd(100), .hstride = 1};
    if (rnd(4) == 0)
        inst->dst.file = EU_FILE_ARF, inst->dst.nr = 0;
    inst->src[0] = (struct eu_reg){.file = EU_FILE_GRF, .nr = (uint8_t)rnd(100)};
    if (split) {
        inst->src[1] = (struct eu_reg){.file = EU_FILE_GRF, .nr = (uint8_t)rnd(100)};
        inst->ex_desc = (1 + rnd(4)) << 6;
        if (rnd(4) == 0 && !dev->has_software_scoreboard) {
            inst->ex_desc_indirect = true;
            inst->ex_desc = 0;
            inst->sfid = EU_SFID_NULL;
            inst->src[1].address_subnr = (uint8_t)(rnd(8) * 2);
        }
    }
    if (rnd(4) == 0) {
        inst->desc_indirect = true;
        inst->desc = 0;
    }
    if (inst->predicate)
        inst->flag_nr = (uint8_t)rnd(2);
}

static void random_branch(struct eu_inst *inst, unsigned i, unsigned count)
{
    static const enum eu_opcode ops[] = {EU_OPCODE_IF,    EU_OPCODE_ELSE,  EU_OPCODE_ENDIF,
                                         EU_OPCODE_WHILE, EU_OPCODE_BREAK, EU_OPCODE_CONT,
                                         EU_OPCODE_HALT,  EU_OPCODE_JMPI};

    inst->opcode = ops[rnd(ARRAY_SIZE(ops))];
    inst->exec_size = inst->opcode == EU_OPCODE_JMPI ? 1 : (uint8_t)(rnd(2) ? 8 : 16);
    inst->no_mask = inst->opcode == EU_OPCODE_JMPI;
    inst->jip = ((int)rnd(count) - (int)i) * 16;
    inst->uip = ((int)rnd(count) - (int)i) * 16;
    if (inst->opcode == EU_OPCODE_JMPI) {
        inst->src[0].file = EU_FILE_IMM;
        inst->src[0].type = EU_TYPE_D;
    }
    if (inst->opcode != EU_OPCODE_ENDIF && inst->opcode != EU_OPCODE_ELSE && rnd(2)) {
        inst->predicate = EU_PREDICATE_NORMAL;
        inst->predicate_inverse = rnd(2);
    }
    bool has_uip = inst->opcode == EU_OPCODE_IF || inst->opcode == EU_OPCODE_ELSE ||
                   inst->opcode == EU_OPCODE_BREAK || inst->opcode == EU_OPCODE_CONT ||
                   inst->opcode == EU_OPCODE_HALT;
    if (!has_uip)
        inst->uip = 0;
}

static void random_inst(struct eu_inst *inst, unsigned i, unsigned count)
{
    unsigned kind = rnd(10);

    memset(inst, 0, sizeof *inst);
    if (kind < 6)
        random_alu(inst);
    else if (kind < 7)
        random_3src(inst);
    else if (kind < 8)
        random_compact_3src(inst);
    else if (kind < 9)
        random_send(inst);
    else
        random_branch(inst, i, count);
    if (kind < 9)
        scoreboard(inst);
}

int main(int argc, char **argv)
{
    if (argc != 7 || !(dev = i965_device_by_name(argv[1])))
        return 2;
    argv++;
    state = strtoul(argv[1], NULL, 10);
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    FILE *bytes = fopen(argv[3], "wb"), *text = fopen(argv[4], "w"), *small = fopen(argv[5], "wb");
    uint64_t *program = calloc(count ? count : 1, 16);
    if (!bytes || !text || !small || !program)
        return 2;
    for (unsigned i = 0; i < count; i++) {
        struct eu_inst inst;
        const char *error = NULL;
        random_inst(&inst, i, count);
        if (!eu_encode(dev, &inst, &program[i * 2], &error)) {
            fprintf(stderr, "instruction %u is not encoded: %s\n", i, error);
            eu_print(dev, &inst, i * 16, stderr);
            return 1;
        }
    }
    fwrite(program, 16, count, bytes);
    if (!eu_disassemble(dev, (const uint8_t *)program, count * 16ul, NULL, 0, text))
        return 1;
    size_t size = eu_compact_program(dev, (uint8_t *)program, count * 16ul);
    fwrite(program, 1, size, small);
    fclose(bytes);
    fclose(text);
    fclose(small);
    free(program);
    return 0;
}
