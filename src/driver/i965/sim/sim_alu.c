/* SPDX-License-Identifier: MIT */
/*
 * Execution of one arithmetic instruction. Operands are read through their regions to lanes of the
 * execution type (float, double or 64-bit integers). sim_ops.c computes the result, which is
 * saturated, converted, compared for the flags, and written to the enabled channels.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "sim_internal.h"
#include "sim_ops.h"
#include "util/half.h"
#include "util/macros.h"

/* --------------------------------------------------------------------------- register files --- */

/* Returns the storage of an architecture register; *room is the number of bytes that a region may
 * access from there. */
static uint8_t *arf_storage(struct sim_thread *t, const struct eu_reg *reg, uint32_t *room)
{
    uint8_t *base;
    uint32_t size, at = (reg->nr & 15) * 32u + reg->subnr;

    switch (reg->nr & 0xf0) {
    case EU_ARF_ADDRESS:
        base = t->address, size = sizeof t->address;
        break;
    case EU_ARF_ACCUMULATOR:
        base = t->acc, size = sizeof t->acc;
        break;
    case EU_ARF_FLAG:
        base = t->flag, size = sizeof t->flag;
        at = (reg->nr & 15) * 4u + reg->subnr;
        break;
    case EU_ARF_STATE:
        base = t->state, size = sizeof t->state;
        break;
    case EU_ARF_CONTROL:
        base = t->control, size = sizeof t->control;
        break;
    case EU_ARF_NOTIFICATION:
        base = t->notification, size = sizeof t->notification;
        break;
    case EU_ARF_TIMESTAMP:
        base = t->timestamp, size = sizeof t->timestamp;
        break;
    case EU_ARF_TDR:
        base = t->tdr, size = sizeof t->tdr;
        break;
    default:
        return NULL;
    }
    if (at >= size)
        return NULL;
    *room = size - at;
    return base + at;
}

static bool is_arf(const struct eu_reg *reg, enum eu_arf arf)
{
    return reg->file == EU_FILE_ARF && !reg->indirect && (reg->nr & 0xf0) == (unsigned)arf;
}

/* Computes the byte offset of each channel's element relative to the region's first. */
static void region_offsets(const struct eu_reg *reg, unsigned n, uint32_t *offset)
{
    unsigned size = eu_type_size(reg->type), width = MAX2(reg->width, 1);

    for (unsigned i = 0; i < n; i++)
        offset[i] = (i / width * reg->vstride + i % width * reg->hstride) * size;
}

/* Align16: swizzled components of consecutive elements, or of the same four elements for all
 * channels; with replicate one element for all channels. */
static void align16_offsets(const struct eu_reg *reg, unsigned n, uint32_t *offset)
{
    unsigned size = eu_type_size(reg->type);
    unsigned row_mask = reg->width && !reg->vstride ? 0 : ~3u;

    for (unsigned i = 0; i < n; i++)
        offset[i] =
            reg->replicate ? 0 : ((i & row_mask) + (reg->swizzle >> (i & 3) * 2 & 3)) * size;
}

static uint16_t address_word(const struct sim_thread *t, unsigned i)
{
    uint16_t word;
    memcpy(&word, t->address + (i & 15) * 2, 2);
    return word;
}

/* Computes the register file offsets of an indirect operand's channels. Returns false if one is out
 * of range. */
static bool indirect_offsets(const struct sim_thread *t, const struct eu_reg *reg, unsigned n,
                             uint32_t *offset)
{
    unsigned size = eu_type_size(reg->type), width = MAX2(reg->width, 1);

    for (unsigned i = 0; i < n; i++) {
        bool rows = reg->vstride == EU_VSTRIDE_ONE_DIMENSIONAL;
        int base = address_word(t, reg->address_subnr + (rows ? i / width : 0));
        int step = rows ? (int)(i % width * reg->hstride)
                        : (int)(i / width * reg->vstride + i % width * reg->hstride);
        int at = base + reg->address_offset + step * (int)size;
        if (at < 0 || at + (int)size > SIM_GRF_BYTES)
            return false;
        offset[i] = (uint32_t)at;
    }
    return true;
}

/* ------------------------------------------------------------------------------------ read --- */

#define LOAD(type)                                                                                 \
    ({                                                                                             \
        type value_;                                                                               \
        memcpy(&value_, p, sizeof value_);                                                         \
        value_;                                                                                    \
    })

static int64_t load_int(const uint8_t *p, enum eu_type type)
{
    switch (type) {
    case EU_TYPE_UD:
        return LOAD(uint32_t);
    case EU_TYPE_D:
        return LOAD(int32_t);
    case EU_TYPE_UW:
        return LOAD(uint16_t);
    case EU_TYPE_W:
        return LOAD(int16_t);
    case EU_TYPE_UB:
        return *p;
    case EU_TYPE_B:
        return (int8_t)*p;
    case EU_TYPE_UQ:
    case EU_TYPE_Q:
        return LOAD(int64_t);
    default:
        return LOAD(uint32_t);
    }
}

static double load_real(const uint8_t *p, enum eu_type type)
{
    switch (type) {
    case EU_TYPE_F:
        return LOAD(float);
    case EU_TYPE_HF:
        return util_half_to_float(LOAD(uint16_t));
    case EU_TYPE_DF:
        return LOAD(double);
    default:
        return (double)load_int(p, type);
    }
}

/* Loads one element, converted to the execution type. */
static void load_lane(union sim_lanes *lanes, unsigned i, enum sim_class class, const uint8_t *p,
                      enum eu_type type)
{
    if (class == SIM_FLOAT)
        lanes->f[i] = (float)load_real(p, type);
    else if (class == SIM_DOUBLE)
        lanes->d[i] = load_real(p, type);
    else
        lanes->i[i] = load_int(p, type);
}

static void broadcast(union sim_lanes *lanes, unsigned n, enum sim_class class)
{
    for (unsigned i = 1; i < n; i++) {
        if (class == SIM_FLOAT)
            lanes->f[i] = lanes->f[0];
        else
            lanes->i[i] = lanes->i[0];
    }
}

/* Returns element i of a VF immediate: sign, 3 bits of exponent (bias 3), 4 bits of mantissa. */
static float vf_element(uint32_t imm, unsigned i)
{
    uint32_t v = imm >> (i & 3) * 8 & 0xff;

    if (!(v & 0x7f))
        return v & 0x80 ? -0.0f : 0.0f;
    float value = ldexpf(1.0f + (float)(v & 15) / 16.0f, (int)(v >> 4 & 7) - 3);
    return v & 0x80 ? -value : value;
}

static void load_vector(union sim_lanes *lanes, unsigned n, enum sim_class class,
                        const struct eu_reg *reg)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t nibble = (uint32_t)reg->imm >> (i & 7) * 4 & 15;
        int64_t value = reg->type == EU_TYPE_V && nibble & 8 ? (int64_t)nibble - 16 : nibble;
        if (reg->type == EU_TYPE_VF)
            lanes->f[i] = vf_element((uint32_t)reg->imm, i);
        else if (class == SIM_FLOAT)
            lanes->f[i] = (float)value;
        else
            lanes->i[i] = value;
    }
}

/* Loads consecutive elements. */
static void load_contiguous(union sim_lanes *lanes, unsigned n, enum sim_class class,
                            const uint8_t *p, enum eu_type type)
{
    unsigned size = eu_type_size(type);

    if (class == SIM_FLOAT && type == EU_TYPE_F) {
        memcpy(lanes->f, p, n * 4);
        return;
    }
    if (class == SIM_INT && (type == EU_TYPE_D || type == EU_TYPE_UD)) {
        uint32_t words[SIM_MAX_CHANNELS];
        memcpy(words, p, n * 4);
        for (unsigned i = 0; i < n; i++)
            lanes->i[i] = type == EU_TYPE_D ? (int64_t)(int32_t)words[i] : (int64_t)words[i];
        return;
    }
    for (unsigned i = 0; i < n; i++)
        load_lane(lanes, i, class, p + i * size, type);
}

static void load_offsets(union sim_lanes *lanes, unsigned n, enum sim_class class,
                         const uint8_t *base, const uint32_t *offset, enum eu_type type)
{
    for (unsigned i = 0; i < n; i++)
        load_lane(lanes, i, class, base + offset[i], type);
}

/* Accumulator integers have 64 bits if the instruction that wrote them left them so. */
static void load_accumulator_high(struct sim_alu *a, unsigned s)
{
    const struct eu_reg *reg = &a->inst->eu.src[s];
    unsigned first = (reg->nr & 15) * 8u + reg->subnr / 4u;

    for (unsigned i = 0; i < a->n; i++)
        a->src[s].i[i] = (int64_t)((uint64_t)(uint32_t)a->t->acc_high[(first + i) % 24] << 32 |
                                   (uint32_t)a->src[s].i[i]);
}

/* field: name of the source's field, without the source index. */
static bool fault_in_source(struct sim_alu *a, unsigned s, const char *field, const char *why)
{
    char text[96];

    snprintf(text, sizeof text, "field src%u_%s: %s", s, field, why);
    return sim_fault(a->t, a->inst, text);
}

/* Advances the timestamp, so that every read returns a later value. */
static void advance_timestamp(struct sim_thread *t)
{
    uint64_t last, now;
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    now = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    memcpy(&last, t->timestamp, sizeof last);
    now = now > last ? now : last + 1;
    memcpy(t->timestamp, &now, sizeof now);
}

static bool read_arf(struct sim_alu *a, unsigned s, const uint32_t *offset)
{
    const struct eu_reg *reg = &a->inst->eu.src[s];
    struct sim_thread *t = a->t;
    uint8_t value[4] = {0};
    uint32_t room = 0;
    const uint8_t *base = arf_storage(t, reg, &room);

    if (is_arf(reg, EU_ARF_TIMESTAMP))
        advance_timestamp(t);
    if (base) {
        for (unsigned i = 0; i < a->n; i++) {
            if (offset[i] + eu_type_size(reg->type) > room)
                return fault_in_source(a, s, "nr", "a region leaves its architecture register");
        }
        load_offsets(&a->src[s], a->n, a->inst->class, base, offset, reg->type);
        if (is_arf(reg, EU_ARF_ACCUMULATOR) && a->inst->class == SIM_INT &&
            a->inst->eu.opcode == EU_OPCODE_MACH)
            load_accumulator_high(a, s);
        return true;
    }
    if (is_arf(reg, EU_ARF_CHANNEL_ENABLE))
        memcpy(value, &t->active, 4);
    else if (is_arf(reg, EU_ARF_IP))
        memcpy(value, &a->inst->offset, 4);
    for (unsigned i = 0; i < a->n; i++)
        load_lane(&a->src[s], i, a->inst->class, eu_type_size(reg->type) <= 4 ? value : t->tdr,
                  reg->type);
    return true;
}

static bool read_register(struct sim_alu *a, unsigned s)
{
    const struct sim_inst *inst = a->inst;
    const struct eu_reg *reg = &inst->eu.src[s];
    const struct sim_operand *operand = &inst->src[s];
    uint32_t offset[SIM_MAX_CHANNELS];

    if (reg->file == EU_FILE_ARF) {
        region_offsets(reg, a->n, offset);
        return read_arf(a, s, offset);
    }
    const uint8_t *base = a->t->grf + operand->offset;
    switch (operand->kind) {
    case SIM_OPERAND_SCALAR:
        load_lane(&a->src[s], 0, inst->class, base, reg->type);
        broadcast(&a->src[s], a->n, inst->class);
        return true;
    case SIM_OPERAND_CONTIGUOUS:
        load_contiguous(&a->src[s], a->n, inst->class, base, reg->type);
        return true;
    case SIM_OPERAND_REGION:
        region_offsets(reg, a->n, offset);
        break;
    case SIM_OPERAND_ALIGN16:
        align16_offsets(reg, a->n, offset);
        break;
    default:
        if (!indirect_offsets(a->t, reg, a->n, offset))
            return fault_in_source(a, s, "address_offset", "it leaves the register file");
        base = a->t->grf;
        break;
    }
    load_offsets(&a->src[s], a->n, inst->class, base, offset, reg->type);
    return true;
}

static void apply_modifiers(struct sim_alu *a, unsigned s)
{
    const struct eu_reg *reg = &a->inst->eu.src[s];
    enum eu_opcode op = a->inst->eu.opcode;
    bool logic =
        op == EU_OPCODE_NOT || op == EU_OPCODE_AND || op == EU_OPCODE_OR || op == EU_OPCODE_XOR;
    union sim_lanes *v = &a->src[s];

    for (unsigned i = 0; i < a->n; i++) {
        if (a->inst->class == SIM_FLOAT) {
            v->f[i] = reg->abs ? fabsf(v->f[i]) : v->f[i];
            v->f[i] = reg->negate ? -v->f[i] : v->f[i];
        } else if (a->inst->class == SIM_DOUBLE) {
            v->d[i] = reg->abs ? fabs(v->d[i]) : v->d[i];
            v->d[i] = reg->negate ? -v->d[i] : v->d[i];
        } else if (logic) {
            v->i[i] = reg->negate ? ~v->i[i] : v->i[i];
        } else {
            uint64_t u = (uint64_t)v->i[i];
            if (reg->abs && v->i[i] < 0)
                u = -u;
            v->i[i] = (int64_t)(reg->negate ? -u : u);
        }
    }
}

static bool read_source(struct sim_alu *a, unsigned s)
{
    const struct sim_inst *inst = a->inst;
    const struct eu_reg *reg = &inst->eu.src[s];

    if (inst->src[s].kind == SIM_OPERAND_VECTOR) {
        load_vector(&a->src[s], a->n, inst->class, reg);
        return true;
    }
    if (inst->src[s].kind == SIM_OPERAND_CONST) {
        load_lane(&a->src[s], 0, inst->class, (const uint8_t *)&reg->imm, reg->type);
        broadcast(&a->src[s], a->n, inst->class);
        return true;
    }
    if (!read_register(a, s))
        return false;
    if (reg->negate || reg->abs)
        apply_modifiers(a, s);
    return true;
}

/* ----------------------------------------------------------------------------------- write --- */

struct int_range {
    int64_t low, high;
};

static struct int_range type_range(enum eu_type type)
{
    switch (type) {
    case EU_TYPE_UD:
        return (struct int_range){0, UINT32_MAX};
    case EU_TYPE_D:
        return (struct int_range){INT32_MIN, INT32_MAX};
    case EU_TYPE_UW:
        return (struct int_range){0, UINT16_MAX};
    case EU_TYPE_W:
        return (struct int_range){INT16_MIN, INT16_MAX};
    case EU_TYPE_UB:
        return (struct int_range){0, UINT8_MAX};
    case EU_TYPE_B:
        return (struct int_range){INT8_MIN, INT8_MAX};
    default:
        return (struct int_range){INT64_MIN, INT64_MAX};
    }
}

/* Converts to an integer. Out-of-range values are clamped, NaN becomes 0 (Skylake PRM, volume 7,
 * "Data conversion"). */
static int64_t real_to_int(double v, enum eu_type type)
{
    struct int_range range = type_range(type);

    if (isnan(v))
        return 0;
    if (type == EU_TYPE_UQ)
        return v <= 0.0 ? 0 : v >= 0x1p64 ? -1 : (int64_t)(uint64_t)v;
    if (v <= (double)range.low)
        return range.low;
    if (v >= (double)range.high)
        return range.high;
    return (int64_t)v;
}

static bool is_real(enum eu_type type)
{
    return type == EU_TYPE_F || type == EU_TYPE_HF || type == EU_TYPE_DF;
}

static double saturate_real(double v)
{
    return v >= 1.0 ? 1.0 : v > 0.0 ? v : 0.0; /* NaN, too. */
}

/* Converts a result to the bits of the destination type. */
static uint64_t convert(double real, int64_t integer, enum sim_class class, enum eu_type type,
                        bool saturate, bool is_unsigned64)
{
    uint64_t bits = 0;

    if (is_real(type)) {
        double v = class != SIM_INT ? real
                   : is_unsigned64  ? (double)(uint64_t)integer
                                    : (double)integer;
        float f = class != SIM_INT ? (float)v
                  : is_unsigned64  ? (float)(uint64_t)integer
                                   : (float)integer; /* Rounds only once. */
        if (saturate) {
            v = saturate_real(v);
            f = (float)v;
        }
        if (type == EU_TYPE_DF)
            memcpy(&bits, &v, 8);
        else if (type == EU_TYPE_F)
            memcpy(&bits, &f, 4);
        else
            bits = util_float_to_half(f);
        return bits;
    }
    if (class != SIM_INT) {
        integer = real_to_int(real, type);
    } else if (saturate && type == EU_TYPE_UQ) {
        integer = is_unsigned64 ? integer : MAX2(integer, 0);
    } else if (saturate) {
        struct int_range range = type_range(type);
        bool beyond = is_unsigned64 && integer < 0; /* Larger than the maximum of any other type. */
        integer = beyond ? range.high : CLAMP(integer, range.low, range.high);
    }
    return (uint64_t)integer;
}

static void store_bits(uint8_t *p, uint64_t bits, unsigned size)
{
    memcpy(p, &bits, size);
}

static void to_bits(const struct sim_alu *a, uint64_t *bits)
{
    const struct eu_inst *eu = &a->inst->eu;
    enum sim_class class = a->inst->class;

    if (class == SIM_FLOAT && eu->dst.type == EU_TYPE_F && !eu->saturate) {
        for (unsigned i = 0; i < a->n; i++) {
            uint32_t word;
            memcpy(&word, &a->dst.f[i], 4);
            bits[i] = word;
        }
        return;
    }
    /* Sums for saturated 64-bit destinations already have the destination's type. */
    bool is_sum = eu->opcode == EU_OPCODE_ADD && eu->saturate &&
                  (eu->dst.type == EU_TYPE_Q || eu->dst.type == EU_TYPE_UQ);
    bool is_unsigned64 = (is_sum ? eu->dst.type : eu->src[0].type) == EU_TYPE_UQ;
    for (unsigned i = 0; i < a->n; i++) {
        double real = class == SIM_FLOAT ? a->dst.f[i] : class == SIM_DOUBLE ? a->dst.d[i] : 0.0;
        bits[i] = convert(real, class == SIM_INT ? a->dst.i[i] : 0, class, eu->dst.type,
                          eu->saturate, is_unsigned64);
    }
}

/* Returns whether a result, as written, satisfies the condition relative to 0. */
static bool meets(enum eu_cmod cmod, const uint8_t *p, enum eu_type type)
{
    if (is_real(type)) {
        double v = load_real(p, type);
        return sim_compare_real(cmod, v, 0.0);
    }
    return sim_compare_int(cmod, load_int(p, type), 0, type == EU_TYPE_UQ);
}

static void set_flags(struct sim_alu *a, const uint64_t *bits)
{
    const struct eu_inst *eu = &a->inst->eu;
    uint32_t result = 0;

    for (unsigned i = 0; i < a->n; i++) {
        if (meets(eu->cmod, (const uint8_t *)&bits[i], eu->dst.type))
            result |= 1u << i;
    }
    sim_write_flags(a->t, eu, result, a->mask);
}

static void store_contiguous(struct sim_alu *a, uint8_t *p, const uint64_t *bits, unsigned size,
                             unsigned stride)
{
    for (unsigned i = 0; i < a->n; i++) {
        if (a->mask >> i & 1)
            store_bits(p + i * stride, bits[i], size);
    }
}

static void store_accumulator_high(struct sim_alu *a, unsigned first)
{
    for (unsigned i = 0; i < a->n; i++) {
        if (a->mask >> i & 1)
            a->t->acc_high[(first + i) % 24] =
                a->inst->class == SIM_INT ? (int32_t)(a->dst.i[i] >> 32) : 0;
    }
}

static bool write_arf(struct sim_alu *a, const uint64_t *bits, unsigned size)
{
    const struct eu_reg *dst = &a->inst->eu.dst;
    uint32_t room = 0;
    uint8_t *base;

    if (is_arf(dst, EU_ARF_NULL))
        return true;
    base = arf_storage(a->t, dst, &room);
    if (!base)
        return sim_fault(a->t, a->inst, "field dst_nr: it cannot be written");
    if (((a->n - 1) * dst->hstride + 1) * size > room)
        return sim_fault(a->t, a->inst, "field dst_nr: a region leaves its architecture register");
    store_contiguous(a, base, bits, size, size * dst->hstride);
    if (is_arf(dst, EU_ARF_ACCUMULATOR))
        store_accumulator_high(a, (dst->nr & 15) * 8u + dst->subnr / 4u);
    return true;
}

/* Align16: limits the writes to components in the write mask; elements are consecutive. */
static void apply_writemask(struct sim_alu *a)
{
    uint32_t mask = 0;

    for (unsigned i = 0; i < a->n; i += 4)
        mask |= (uint32_t)(a->inst->eu.dst.writemask & 15) << i;
    a->mask &= mask;
}

static bool write_indirect(struct sim_alu *a, const uint64_t *bits, unsigned size)
{
    const struct eu_reg *dst = &a->inst->eu.dst;
    int base = address_word(a->t, dst->address_subnr) + dst->address_offset;
    int last = base + (int)((a->n - 1) * dst->hstride * size);

    if (base < 0 || last + (int)size > SIM_GRF_BYTES)
        return sim_fault(a->t, a->inst, "field dst_address_offset: it leaves the register file");
    store_contiguous(a, a->t->grf + base, bits, size, size * dst->hstride);
    return true;
}

static bool write_bits(struct sim_alu *a, const uint64_t *bits)
{
    const struct eu_reg *dst = &a->inst->eu.dst;
    unsigned size = eu_type_size(dst->type);

    if (dst->file == EU_FILE_ARF)
        return write_arf(a, bits, size);
    if (dst->indirect)
        return write_indirect(a, bits, size);
    unsigned stride = a->inst->eu.align16 ? size : size * dst->hstride;
    store_contiguous(a, a->t->grf + dst->nr * 32 + dst->subnr, bits, size, stride);
    return true;
}

/* AccWrEn: also writes results to the accumulator. addc and subb write carry and borrow there
 * themselves. */
static void write_implicit_accumulator(struct sim_alu *a, const uint64_t *bits)
{
    enum eu_opcode op = a->inst->eu.opcode;

    if (op == EU_OPCODE_ADDC || op == EU_OPCODE_SUBB || op == EU_OPCODE_MACH)
        return;
    for (unsigned i = 0; i < a->n && i < 24; i++) {
        if (!(a->mask >> i & 1))
            continue;
        store_bits(a->t->acc + i * 4, bits[i], 4);
        a->t->acc_high[i] = a->inst->class == SIM_INT ? (int32_t)(a->dst.i[i] >> 32) : 0;
    }
}

static bool write_result(struct sim_alu *a)
{
    const struct eu_inst *eu = &a->inst->eu;
    uint64_t bits[SIM_MAX_CHANNELS];

    if (eu->align16)
        apply_writemask(a);
    to_bits(a, bits);
    if (eu->cmod && eu->opcode != EU_OPCODE_SEL && eu->opcode != EU_OPCODE_CSEL)
        set_flags(a, bits);
    if (eu->acc_write)
        write_implicit_accumulator(a, bits);
    return write_bits(a, bits);
}

/* ---------------------------------------------------------------------- special
 * instructions --- */

/* Returns whether this is a move between equal types, which copies bits without interpreting
 * them. */
static bool is_raw_move(const struct eu_inst *eu)
{
    const struct eu_reg *src = &eu->src[0];
    return (eu->opcode == EU_OPCODE_MOV || eu->opcode == EU_OPCODE_SEL) &&
           src->file == EU_FILE_GRF && eu->dst.file == EU_FILE_GRF && src->type == eu->dst.type &&
           !src->negate && !src->abs && !eu->saturate && !eu->cmod;
}

/* Returns the condition for channel i's sources; with or_none also true if source 1 is NaN. */
static bool compare_sources(const struct sim_alu *a, unsigned i, bool or_none)
{
    const union sim_lanes *x = &a->src[0], *y = &a->src[1];
    enum eu_cmod cmod = a->inst->eu.cmod;

    if (a->inst->class == SIM_INT)
        return sim_compare_int(cmod, x->i[i], y->i[i], a->inst->eu.src[0].type == EU_TYPE_UQ);
    if (a->inst->class == SIM_FLOAT)
        return sim_compare_real(cmod, x->f[i], y->f[i]) || (or_none && isnan(y->f[i]));
    return sim_compare_real(cmod, x->d[i], y->d[i]) || (or_none && isnan(y->d[i]));
}

/* Sets flags to 1 or 0, and the destination to all ones where true. Compares the sources without
 * conversion. */
static bool run_compare(struct sim_alu *a)
{
    const struct eu_inst *eu = &a->inst->eu;
    uint64_t bits[SIM_MAX_CHANNELS];
    uint32_t result = 0;

    for (unsigned i = 0; i < a->n; i++) {
        bool yes = compare_sources(a, i, eu->opcode == EU_OPCODE_CMPN);
        bits[i] = yes ? UINT64_MAX : 0;
        result |= (uint32_t)yes << i;
    }
    sim_write_flags(a->t, eu, result, a->mask);
    return write_bits(a, bits);
}

/* sel: the flag selects the source, or, for minimum and maximum, the condition does. */
static void run_select(struct sim_alu *a, uint32_t predicate)
{
    const struct eu_inst *eu = &a->inst->eu;

    for (unsigned i = 0; i < a->n; i++) {
        bool first = eu->cmod ? compare_sources(a, i, true) : predicate >> i & 1;
        const union sim_lanes *from = &a->src[first ? 0 : 1];
        if (a->inst->class == SIM_FLOAT)
            a->dst.f[i] = from->f[i];
        else
            a->dst.i[i] = from->i[i];
    }
}

/* Plane equation: p·u + q·v + r, where p, q, r are elements 0, 1, 3 of src0's row. u and v
 * alternate in groups of eight channels, starting at src1. */
static bool run_pln(struct sim_alu *a)
{
    const struct sim_inst *inst = a->inst;
    const struct eu_reg *plane = &inst->eu.src[0], *uv = &inst->eu.src[1];
    float p[4];

    if (plane->file != EU_FILE_GRF || uv->file != EU_FILE_GRF || plane->indirect || uv->indirect ||
        plane->nr * 32u + (plane->subnr & ~15u) + 16 > SIM_GRF_BYTES ||
        uv->nr * 32u + a->n / 8 * 64 > SIM_GRF_BYTES)
        return sim_fault(a->t, inst, "field src0_nr: operands must be direct registers");
    memcpy(p, a->t->grf + plane->nr * 32 + (plane->subnr & ~15u), sizeof p);
    for (unsigned i = 0; i < a->n; i++) {
        float u, v;
        const uint8_t *at = a->t->grf + uv->nr * 32 + i / 8 * 64 + i % 8 * 4;
        memcpy(&u, at, 4);
        memcpy(&v, at + 32, 4);
        if (uv->negate)
            u = -u, v = -v;
        a->dst.f[i] = fmaf(p[0], u, fmaf(p[1], v, p[3]));
        if (plane->negate)
            a->dst.f[i] = -a->dst.f[i];
    }
    return true;
}

static bool run_line(struct sim_alu *a)
{
    const struct eu_reg *plane = &a->inst->eu.src[0];
    float p[4];

    if (plane->file != EU_FILE_GRF || plane->indirect ||
        plane->nr * 32u + (plane->subnr & ~15u) + 16 > SIM_GRF_BYTES)
        return sim_fault(a->t, a->inst, "field src0_nr: operands must be direct registers");
    memcpy(p, a->t->grf + plane->nr * 32 + (plane->subnr & ~15u), sizeof p);
    for (unsigned i = 0; i < a->n; i++)
        a->dst.f[i] = fmaf(p[0], a->src[1].f[i], p[3]);
    return true;
}

/* Dot products of vectors of four channels. */
static void run_dot(struct sim_alu *a)
{
    enum eu_opcode op = a->inst->eu.opcode;
    const float *x = a->src[0].f, *y = a->src[1].f;
    unsigned terms = op == EU_OPCODE_DP2 ? 2 : op == EU_OPCODE_DP3 || op == EU_OPCODE_DPH ? 3 : 4;

    for (unsigned i = 0; i < a->n; i++) {
        unsigned first = i & ~3u;
        float sum = 0.0f;
        for (unsigned c = 0; c < terms; c++)
            sum += x[first + c] * y[first + c];
        a->dst.f[i] = op == EU_OPCODE_DPH ? sum + y[first + 3] : sum;
    }
}

static void store_accumulator(struct sim_alu *a, unsigned i, int64_t value)
{
    if (!(a->mask >> i & 1) || i >= 24)
        return;
    store_bits(a->t->acc + i * 4, (uint64_t)value, 4);
    a->t->acc_high[i] = (int32_t)(value >> 32);
}

static int64_t accumulator(const struct sim_alu *a, unsigned i)
{
    uint32_t low;

    if (i >= 24)
        return 0;
    memcpy(&low, a->t->acc + i * 4, 4);
    return (int64_t)((uint64_t)(uint32_t)a->t->acc_high[i] << 32 | low);
}

/* The second half of a 32×32-bit multiplication; mul left src0 · (low word of src1) in the
 * accumulator. */
static void run_mach(struct sim_alu *a)
{
    for (unsigned i = 0; i < a->n; i++) {
        int64_t high = a->src[1].i[i] >> 16;
        uint64_t sum =
            (uint64_t)accumulator(a, i) + ((uint64_t)a->src[0].i[i] * (uint64_t)high << 16);
        store_accumulator(a, i, (int64_t)sum);
        a->dst.i[i] = (int64_t)sum >> 32;
        if (a->inst->eu.dst.type == EU_TYPE_UD)
            a->dst.i[i] = (int64_t)(sum >> 32);
    }
}

static void run_carry(struct sim_alu *a)
{
    bool add = a->inst->eu.opcode == EU_OPCODE_ADDC;

    for (unsigned i = 0; i < a->n; i++) {
        uint32_t x = (uint32_t)a->src[0].i[i], y = (uint32_t)a->src[1].i[i];
        a->dst.i[i] = add ? (uint32_t)(x + y) : (uint32_t)(x - y);
        store_accumulator(a, i, add ? x + y < x : x < y);
    }
}

static void run_mac(struct sim_alu *a)
{
    for (unsigned i = 0; i < a->n; i++) {
        if (a->inst->class == SIM_FLOAT) {
            float acc = 0.0f;
            if (i < 24)
                memcpy(&acc, a->t->acc + i * 4, 4);
            a->dst.f[i] = fmaf(a->src[0].f[i], a->src[1].f[i], acc);
        } else {
            a->dst.i[i] = (int64_t)((uint64_t)a->src[0].i[i] * (uint64_t)a->src[1].i[i] +
                                    (uint64_t)accumulator(a, i));
        }
    }
}

static uint64_t distance(int64_t x, int64_t y)
{
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static void run_sad(struct sim_alu *a)
{
    bool accumulate = a->inst->eu.opcode == EU_OPCODE_SADA2;

    for (unsigned i = 0; i < a->n; i++) {
        unsigned even = i & ~1u, odd = MIN2(even + 1, a->n - 1);
        uint64_t x = distance(a->src[0].i[even], a->src[1].i[even]);
        uint64_t y = distance(a->src[0].i[odd], a->src[1].i[odd]);
        a->dst.i[i] = (int64_t)(x + y + (accumulate ? (uint64_t)accumulator(a, i) : 0));
    }
}

static void run_csel(struct sim_alu *a)
{
    for (unsigned i = 0; i < a->n; i++) {
        bool first = sim_compare_real(a->inst->eu.cmod, a->src[2].f[i], 0.0);
        a->dst.f[i] = a->src[first ? 0 : 1].f[i];
    }
}

/* Writes the quotient, and the remainder to the registers after the quotients. */
static bool run_divide_both(struct sim_alu *a)
{
    const struct eu_reg *dst = &a->inst->eu.dst;
    uint32_t bytes = a->n * 4, at = dst->nr * 32u + dst->subnr + MAX2(bytes, 32);
    uint64_t bits[SIM_MAX_CHANNELS];

    if (dst->file != EU_FILE_GRF || dst->indirect || at + bytes > SIM_GRF_BYTES)
        return sim_fault(a->t, a->inst, "field dst_nr: quotient and remainder need two registers");
    for (unsigned i = 0; i < a->n; i++)
        bits[i] = (uint64_t)sim_divide(a->src[0].i[i], a->src[1].i[i], dst->type, true);
    store_contiguous(a, a->t->grf + at, bits, 4, 4);
    for (unsigned i = 0; i < a->n; i++)
        a->dst.i[i] = sim_divide(a->src[0].i[i], a->src[1].i[i], dst->type, false);
    return true;
}

static bool run_math(struct sim_alu *a)
{
    const struct eu_inst *eu = &a->inst->eu;

    switch (eu->math) {
    case EU_MATH_INT_DIV_BOTH:
        return run_divide_both(a);
    case EU_MATH_INT_QUOTIENT:
    case EU_MATH_INT_REMAINDER:
        for (unsigned i = 0; i < a->n; i++)
            a->dst.i[i] = sim_divide(a->src[0].i[i], a->src[1].i[i], eu->dst.type,
                                     eu->math == EU_MATH_INT_REMAINDER);
        return true;
    default:
        break;
    }
    if (a->inst->class != SIM_FLOAT || !sim_math(eu->math, a))
        return sim_fault(a->t, a->inst, "field cmod: the function or its type is not supported");
    return true;
}

static bool operate(struct sim_alu *a, uint32_t predicate)
{
    enum eu_opcode op = a->inst->eu.opcode;

    switch (op) {
    case EU_OPCODE_MOV:
        a->dst = a->src[0];
        return true;
    case EU_OPCODE_SEL:
        run_select(a, predicate);
        return true;
    case EU_OPCODE_MATH:
        return run_math(a);
    case EU_OPCODE_PLN:
        return run_pln(a);
    case EU_OPCODE_LINE:
        return run_line(a);
    case EU_OPCODE_DP2:
    case EU_OPCODE_DP3:
    case EU_OPCODE_DP4:
    case EU_OPCODE_DPH:
        run_dot(a);
        return true;
    case EU_OPCODE_MACH:
        run_mach(a);
        return true;
    case EU_OPCODE_ADDC:
    case EU_OPCODE_SUBB:
        run_carry(a);
        return true;
    case EU_OPCODE_MAC:
        run_mac(a);
        return true;
    case EU_OPCODE_SAD2:
    case EU_OPCODE_SADA2:
        run_sad(a);
        return true;
    case EU_OPCODE_CSEL:
        run_csel(a);
        return true;
    case EU_OPCODE_MOVI:
    case EU_OPCODE_SMOV:
        return sim_fault(a->t, a->inst, "field opcode: not supported");
    default:
        break;
    }
    const struct sim_ops *ops = &sim_ops[op];
    sim_op run = a->inst->class == SIM_FLOAT    ? ops->run_float
                 : a->inst->class == SIM_DOUBLE ? ops->run_double
                                                : ops->run_int;
    if (!run)
        return sim_fault(a->t, a->inst, "field src0_type: the instruction does not take it");
    run(a);
    return true;
}

/* Executes on bits instead of numbers: floats are handled as integers of the same size. */
static bool run_raw(struct sim_alu *a, uint32_t predicate)
{
    static const enum eu_type integer[EU_TYPE_COUNT] = {
        [EU_TYPE_F] = EU_TYPE_UD, [EU_TYPE_HF] = EU_TYPE_UW, [EU_TYPE_DF] = EU_TYPE_UQ};
    struct sim_inst inst = *a->inst;

    inst.class = SIM_INT;
    for (unsigned i = 0; i < inst.sources; i++)
        inst.eu.src[i].type = integer[inst.eu.src[i].type];
    inst.eu.dst.type = integer[inst.eu.dst.type];
    a->inst = &inst;
    for (unsigned s = 0; s < inst.sources; s++) {
        if (!read_source(a, s))
            return false;
    }
    return operate(a, predicate) && write_result(a);
}

/* A select of floats without modifiers also only moves bits. */
static bool runs_raw(const struct eu_inst *eu)
{
    if (!is_raw_move(eu) || eu_type_size(eu->dst.type) < 2)
        return false;
    bool real =
        eu->dst.type == EU_TYPE_F || eu->dst.type == EU_TYPE_HF || eu->dst.type == EU_TYPE_DF;
    if (eu->opcode == EU_OPCODE_MOV)
        return real;
    const struct eu_reg *other = &eu->src[1];
    return real && other->type == eu->dst.type && !other->negate && !other->abs;
}

bool sim_execute_alu(struct sim_thread *t, const struct sim_inst *inst)
{
    const struct eu_inst *eu = &inst->eu;
    uint32_t predicate = UINT32_MAX;
    struct sim_alu a; /* Not cleared, because the lanes are large. */

    a.t = t;
    a.inst = inst;
    a.n = eu->exec_size;

    if (eu->opcode == EU_OPCODE_SEL) {
        /* The predicate selects; all enabled channels write. */
        predicate = sim_predicate_mask(t, eu);
        a.mask = eu->no_mask ? UINT32_MAX : t->active >> eu->group;
    } else {
        a.mask = sim_execution_mask(t, inst);
    }
    a.mask &= a.n >= 32 ? UINT32_MAX : (1u << a.n) - 1;
    if (!a.mask)
        return true;
    if (runs_raw(eu))
        return run_raw(&a, predicate);
    for (unsigned s = 0; s < inst->sources; s++) {
        if (!read_source(&a, s))
            return false;
    }
    if (eu->opcode == EU_OPCODE_CMP || eu->opcode == EU_OPCODE_CMPN)
        return run_compare(&a);
    return operate(&a, predicate) && write_result(&a);
}
