/* SPDX-License-Identifier: MIT */
/* Registers that instructions access, and the hazards between instructions (eu_scoreboard.h). */
#include "driver/i965/eu_scoreboard.h"

#include "eu_tables.h"
#include "util/macros.h"

enum { GRF_BYTES = 32, MAX_DISTANCE = 7 };

/* -------------------------------------------------------------------------------- accesses --- */

static void add_span(struct eu_span *spans, unsigned *count, unsigned capacity, unsigned first,
                     unsigned length)
{
    if (first < EU_UNIT_FLAG) /* A corrupt message may end past the last register. */
        length = MIN2(length, EU_UNIT_FLAG - first);
    if (length && *count < capacity)
        spans[(*count)++] = (struct eu_span){(uint16_t)first, (uint16_t)length};
}

void eu_access_read(struct eu_access *access, unsigned first, unsigned count)
{
    add_span(access->reads, &access->num_reads, ARRAY_SIZE(access->reads), first, count);
}

static void add_write(struct eu_access *access, unsigned first, unsigned count)
{
    add_span(access->writes, &access->num_writes, ARRAY_SIZE(access->writes), first, count);
}

/* Returns the registers of an operand of so many bytes. */
static struct eu_span span_of(const struct eu_reg *reg, unsigned bytes)
{
    if (reg->file == EU_FILE_GRF && !reg->indirect)
        return (struct eu_span){reg->nr,
                                (uint16_t)((reg->subnr + bytes + GRF_BYTES - 1) / GRF_BYTES)};
    if (reg->file == EU_FILE_ARF && (reg->nr & 0xf0) == EU_ARF_FLAG)
        return (struct eu_span){EU_UNIT_FLAG + (reg->nr & 1), 1};
    if (reg->file == EU_FILE_ARF && (reg->nr & 0xf0) == EU_ARF_ADDRESS)
        return (struct eu_span){EU_UNIT_ADDRESS, 1};
    if (reg->file == EU_FILE_ARF && (reg->nr & 0xf0) == EU_ARF_ACCUMULATOR)
        return (struct eu_span){EU_UNIT_ACCUMULATOR, 1};
    return (struct eu_span){0};
}

static void access_message(const struct eu_inst *inst, struct eu_access *access)
{
    /* If a descriptor is in a register, lengths are unknown; these are the largest that exist. */
    unsigned length = inst->desc_indirect ? 15 : inst->desc >> 25 & 15;
    unsigned answer = inst->desc_indirect ? 16 : inst->desc >> 20 & 31;
    unsigned second = inst->ex_desc_indirect ? 15 : inst->ex_desc >> 6 & 15;

    access->out_of_order = true;
    access->waits_for_all = inst->eot;
    eu_access_read(access, inst->src[0].nr, length);
    if (inst->src[1].file == EU_FILE_GRF)
        eu_access_read(access, inst->src[1].nr, second);
    if (inst->desc_indirect || inst->ex_desc_indirect)
        eu_access_read(access, EU_UNIT_ADDRESS, 1);
    if (inst->dst.file == EU_FILE_GRF)
        add_write(access, inst->dst.nr, answer);
}

/* Adds what the destination writes. Its address is unknown if it is indirect, so it may be any
 * register. */
static void access_destination(const struct eu_inst *inst, struct eu_access *access)
{
    const struct eu_reg *dst = &inst->dst;
    unsigned bytes = ((inst->exec_size - 1u) * dst->hstride + 1) * eu_type_size(dst->type);

    if (dst->file == EU_FILE_GRF && dst->indirect) {
        add_write(access, 0, EU_UNIT_FLAG);
        return;
    }
    struct eu_span span = span_of(dst, bytes);
    bool pair = eu_opcode_info[inst->opcode].format == EU_FORMAT_MATH &&
                inst->math == EU_MATH_INT_DIV_BOTH && dst->file == EU_FILE_GRF;
    /* The remainder follows the quotient. */
    add_write(access, span.first, pair ? 2u * span.count : span.count);
}

/* Returns whether the instruction has the accumulator as a source besides its operands. */
static bool reads_accumulator(enum eu_opcode opcode)
{
    return opcode == EU_OPCODE_MAC || opcode == EU_OPCODE_MACH || opcode == EU_OPCODE_SADA2;
}

static void access_operands(const struct eu_inst *inst, unsigned sources, struct eu_access *access)
{
    bool address = inst->dst.file == EU_FILE_GRF && inst->dst.indirect;

    for (unsigned i = 0; i < sources; i++) {
        const struct eu_reg *reg = &inst->src[i];
        unsigned size = eu_type_size(reg->type), width = MAX2(reg->width, 1);
        unsigned rows = DIV_ROUND_UP(inst->exec_size, width);
        unsigned bytes = ((rows - 1) * reg->vstride + (width - 1) * reg->hstride + 1) * size;
        if (reg->indirect) {
            address = true;
            continue;
        }
        struct eu_span span = span_of(reg, bytes);
        eu_access_read(access, span.first, span.count);
    }
    if (address)
        eu_access_read(access, EU_UNIT_ADDRESS, 1);
    if (reads_accumulator(inst->opcode))
        eu_access_read(access, EU_UNIT_ACCUMULATOR, 1);
    access_destination(inst, access);
    if (inst->acc_write)
        add_write(access, EU_UNIT_ACCUMULATOR, 1);
}

struct eu_access eu_access(const struct eu_inst *inst)
{
    const struct eu_opcode_info *info = &eu_opcode_info[inst->opcode];
    struct eu_access access = {0};

    switch ((enum eu_format)info->format) {
    case EU_FORMAT_SEND:
    case EU_FORMAT_SENDS:
        access_message(inst, &access);
        break;
    case EU_FORMAT_MATH:
        access.out_of_order = true;
        access_operands(inst, eu_math_info[inst->math & 15].sources, &access);
        break;
    case EU_FORMAT_BASIC:
    case EU_FORMAT_3SRC:
        access_operands(inst, info->sources, &access);
        break;
    case EU_FORMAT_BRANCH:
    case EU_FORMAT_JUMP:
        access.waits_for_all = true;
        break;
    case EU_FORMAT_SYNC:
    case EU_FORMAT_NONE:
        return access;
    }
    if (inst->predicate == EU_PREDICATE_ANYV || inst->predicate == EU_PREDICATE_ALLV)
        eu_access_read(&access, EU_UNIT_FLAG, 2);
    else if (inst->predicate)
        eu_access_read(&access, EU_UNIT_FLAG + inst->flag_nr, 1);
    if (inst->cmod && info->format != EU_FORMAT_MATH)
        add_write(&access, EU_UNIT_FLAG + inst->flag_nr, 1);
    return access;
}

/* --------------------------------------------------------------------------------- hazards --- */

static bool overlap(struct eu_span a, struct eu_span b)
{
    return a.first < b.first + b.count && b.first < a.first + a.count;
}

/* Returns the number of the last in-order instruction that must finish before the access because of
 * a common register; 0: none. */
static uint32_t last_of(const struct eu_scoreboard *s, const struct eu_access *access)
{
    uint32_t last = 0;

    for (unsigned i = 0; i < access->num_reads; i++) {
        for (unsigned r = 0; r < access->reads[i].count; r++)
            last = MAX2(last, s->written[access->reads[i].first + r]);
    }
    /* In-order instructions write in order, after they have read. */
    for (unsigned i = 0; access->out_of_order && i < access->num_writes; i++) {
        for (unsigned r = 0; r < access->writes[i].count; r++) {
            last = MAX2(last, s->written[access->writes[i].first + r]);
            last = MAX2(last, s->read[access->writes[i].first + r]);
        }
    }
    return last;
}

struct eu_waits eu_scoreboard_needs(const struct eu_scoreboard *s, const struct eu_access *access)
{
    struct eu_waits waits = {0};
    uint32_t last = access->waits_for_all ? s->issued : last_of(s, access);

    if (last > s->done)
        waits.distance = MIN2(s->issued + 1 - last, MAX_DISTANCE);
    for (unsigned t = 0; t < EU_TOKENS; t++) {
        const struct eu_token *token = &s->token[t];
        bool result = access->waits_for_all && token->result.count, sources = access->waits_for_all;
        for (unsigned i = 0; i < access->num_reads; i++)
            result |= overlap(access->reads[i], token->result);
        for (unsigned i = 0; i < access->num_writes; i++) {
            result |= overlap(access->writes[i], token->result);
            sources |= overlap(access->writes[i], token->sources[0]) ||
                       overlap(access->writes[i], token->sources[1]);
        }
        if (token->active && result)
            waits.written |= (uint16_t)(1u << t);
        else if (token->active && sources && !token->sources_read)
            waits.read |= (uint16_t)(1u << t);
    }
    return waits;
}

static void finish_token(struct eu_scoreboard *s, unsigned token, bool written)
{
    s->token[token].sources_read = true;
    if (written || !s->token[token].result.count)
        s->token[token].active = false;
}

bool eu_scoreboard_token(const struct eu_inst *inst, unsigned *token)
{
    uint8_t format = eu_opcode_info[inst->opcode].format;
    bool out_of_order =
        format == EU_FORMAT_SEND || format == EU_FORMAT_SENDS || format == EU_FORMAT_MATH;

    *token = inst->scoreboard & (EU_TOKENS - 1);
    return out_of_order &&
           (inst->scoreboard & EU_SCOREBOARD_DISTANCE ||
            (inst->scoreboard & (EU_SCOREBOARD_SET | EU_SCOREBOARD_READ)) == EU_SCOREBOARD_SET);
}

void eu_scoreboard_wait(struct eu_scoreboard *s, const struct eu_inst *inst)
{
    unsigned bits = inst->scoreboard, token, distance = 0;
    bool own = eu_scoreboard_token(inst, &token);

    if (bits & EU_SCOREBOARD_DISTANCE)
        distance = bits >> 4 & 7;
    else if (bits < EU_SCOREBOARD_WRITTEN)
        distance = bits & 7;
    if (distance && s->issued + 1 > distance)
        s->done = MAX2(s->done, s->issued + 1 - distance);
    if (!own && bits & EU_SCOREBOARD_DISTANCE)
        finish_token(s, token, true);
    else if (!own && (bits & EU_SCOREBOARD_READ) && !(bits & EU_SCOREBOARD_SET))
        finish_token(s, token, (bits & EU_SCOREBOARD_READ) == EU_SCOREBOARD_WRITTEN);
    for (unsigned t = 0; t < EU_TOKENS && inst->opcode == EU_OPCODE_SYNC; t++) {
        if (s->token[t].active && (inst->sync & EU_SYNC_ALL_READ) && inst->sync < EU_SYNC_BARRIER)
            finish_token(s, t, inst->sync == EU_SYNC_ALL_WRITTEN);
    }
}

void eu_scoreboard_issue(struct eu_scoreboard *s, const struct eu_inst *inst,
                         const struct eu_access *access)
{
    unsigned token;

    if (inst->opcode == EU_OPCODE_SYNC || access->waits_for_all)
        return;
    if (access->out_of_order) {
        if (!eu_scoreboard_token(inst, &token))
            return;
        s->token[token] = (struct eu_token){.active = true};
        unsigned count = 0;
        for (unsigned i = 0; i < access->num_reads && count < 2; i++) {
            if (access->reads[i].first < EU_UNIT_FLAG) /* Flags and addresses are read at issue. */
                s->token[token].sources[count++] = access->reads[i];
        }
        if (access->num_writes)
            s->token[token].result = access->writes[0];
        return;
    }
    s->issued++;
    for (unsigned i = 0; i < access->num_reads; i++) {
        for (unsigned r = 0; r < access->reads[i].count; r++)
            s->read[access->reads[i].first + r] = s->issued;
    }
    for (unsigned i = 0; i < access->num_writes; i++) {
        for (unsigned r = 0; r < access->writes[i].count; r++)
            s->written[access->writes[i].first + r] = s->issued;
    }
}
