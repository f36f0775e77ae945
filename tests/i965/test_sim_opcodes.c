/* SPDX-License-Identifier: MIT */
/*
 * Every opcode with every source type in the tables, in the simulator and in plain C: random
 * values, regions, source modifiers, immediates, saturation, conditions, channel masks. A row of
 * the table without a model here is a failure.
 */
#include "sim_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

#include "sim_cases.h"
#include "util/half.h"

enum { ROUNDS = 60, SRC = 10, DST = 30 }; /* Sources are in r10, r14, r18. */

__extension__ typedef __int128 wide;

/* Source values of an instruction by channel, after source modifiers. */
struct operands {
    const struct eu_inst *inst;
    enum eu_type type;
    wide i[3][32];
    double r[3][32];
    wide int_acc[32];
    float acc[32];
    float plane[4], uv[2][8];
    uint32_t flags;
};

/* ----------------------------------------------------------------------------------- models --- */

typedef wide (*int_model)(const struct operands *o, unsigned i);
typedef float (*float_model)(const struct operands *o, unsigned i);
typedef double (*double_model)(const struct operands *o, unsigned i);

#define INT_MODEL(name, expression)                                                                \
    static wide int_##name(const struct operands *o, unsigned i)                                   \
    {                                                                                              \
        wide x = o->i[0][i], y = o->i[1][i], z = o->i[2][i];                                       \
        (void)x, (void)y, (void)z;                                                                 \
        return expression;                                                                         \
    }

/* In both precisions. */
#define REAL_MODEL(name, expression)                                                               \
    static float float_##name(const struct operands *o, unsigned i)                                \
    {                                                                                              \
        float x = (float)o->r[0][i], y = (float)o->r[1][i], z = (float)o->r[2][i];                 \
        (void)x, (void)y, (void)z;                                                                 \
        return expression;                                                                         \
    }                                                                                              \
    static double double_##name(const struct operands *o, unsigned i)                              \
    {                                                                                              \
        double x = o->r[0][i], y = o->r[1][i], z = o->r[2][i];                                     \
        (void)x, (void)y, (void)z;                                                                 \
        return expression;                                                                         \
    }

#define FLOAT_MODEL(name, expression)                                                              \
    static float float_##name(const struct operands *o, unsigned i)                                \
    {                                                                                              \
        return expression;                                                                         \
    }

static unsigned count_of(const struct operands *o, wide y)
{
    return (unsigned)((uint64_t)y & (eu_type_size(o->type) == 8 ? 63 : 31));
}

static wide shifted_right(const struct operands *o, wide x, wide y)
{
    return eu_type_size(o->type) == 8 ? (wide)((uint64_t)x >> count_of(o, y))
                                      : (wide)((uint32_t)x >> count_of(o, y));
}

static uint32_t reversed(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++, x >>= 1)
        r = r << 1 | (x & 1);
    return r;
}

static uint32_t field(uint32_t width, uint32_t offset, uint32_t value, bool is_signed)
{
    uint32_t result = 0;

    width &= 31;
    offset &= 31;
    for (uint32_t i = 0; i < width && offset + i < 32; i++)
        result |= (value >> (offset + i) & 1) << i;
    uint32_t top = MIN2(width, 32 - offset);
    if (is_signed && top && result >> (top - 1) & 1)
        result |= ~0u << top;
    return result;
}

static uint32_t inserted(uint32_t mask, uint32_t value, uint32_t base)
{
    for (int i = 0; i < 32 && !(mask >> i & 1) && mask; i++)
        value <<= 1;
    return (value & mask) | (base & ~mask);
}

static uint32_t leading(uint32_t x)
{
    uint32_t n = 0;
    while (n < 32 && !(x >> (31 - n) & 1))
        n++;
    return n;
}

static uint32_t trailing(uint32_t x)
{
    uint32_t n = 0;
    while (n < 32 && !(x >> n & 1))
        n++;
    return n == 32 ? ~0u : n;
}

static uint32_t population(uint32_t x)
{
    uint32_t n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}

static uint32_t high_bit(uint32_t x, bool is_signed)
{
    if (is_signed && x >> 31)
        x = ~x;
    return x ? leading(x) : ~0u;
}

static wide distance(wide x, wide y)
{
    return x > y ? x - y : y - x;
}

/* Sum of absolute differences of two adjacent elements. */
static wide distances(const struct operands *o, unsigned i)
{
    i &= ~1u;
    return distance(o->i[0][i], o->i[1][i]) + distance(o->i[0][i + 1], o->i[1][i + 1]);
}

/* Returns whether sel selects the first source. */
static bool chosen(const struct operands *o, unsigned i)
{
    enum eu_cmod cmod = o->inst->cmod;

    if (!cmod)
        return o->flags >> i & 1;
    if (is_real(o->type))
        return holds(cmod, o->r[0][i], o->r[1][i]) || isnan(o->r[1][i]);
    return holds(cmod, (long double)o->i[0][i], (long double)o->i[1][i]);
}

static float dot(const struct operands *o, unsigned i, unsigned terms)
{
    float sum = 0.0f;
    for (unsigned c = 0; c < terms; c++)
        sum += (float)o->r[0][(i & ~3u) + c] * (float)o->r[1][(i & ~3u) + c];
    return sum;
}

INT_MODEL(mov, x)
INT_MODEL(sel, chosen(o, i) ? x : y)
INT_MODEL(not, ~x)
INT_MODEL(and, x &y)
INT_MODEL(or, x | y)
INT_MODEL(xor, x ^ y)
INT_MODEL(shr, shifted_right(o, x, y))
INT_MODEL(shl, x *((wide)1 << count_of(o, y)))
INT_MODEL(asr, x >> count_of(o, y))
INT_MODEL(add, x + y)
INT_MODEL(mul, x *y)
INT_MODEL(avg, (x + y + 1) >> 1)
INT_MODEL(mac, o->int_acc[i] + x * y)
INT_MODEL(mach, (o->int_acc[i] + (x * (y >> 16)) * 65536) >> 32)
INT_MODEL(mad, x + y * z)
INT_MODEL(bfrev, reversed((uint32_t)x))
INT_MODEL(bfe, field((uint32_t)x, (uint32_t)y, (uint32_t)z, o->type == EU_TYPE_D))
INT_MODEL(bfi1, ((1u << (x & 31)) - 1) << (y & 31))
INT_MODEL(bfi2, inserted((uint32_t)x, (uint32_t)y, (uint32_t)z))
INT_MODEL(lzd, leading((uint32_t)x))
INT_MODEL(fbh, high_bit((uint32_t)x, o->type == EU_TYPE_D))
INT_MODEL(fbl, trailing((uint32_t)x))
INT_MODEL(cbit, population((uint32_t)x))
INT_MODEL(addc, (uint32_t)(x + y))
INT_MODEL(subb, (uint32_t)(x - y))
INT_MODEL(sad2, distances(o, i))
INT_MODEL(sada2, distances(o, i) + o->int_acc[i])
REAL_MODEL(mov, x)
REAL_MODEL(sel, chosen(o, i) ? x : y)
REAL_MODEL(add, x + y)
REAL_MODEL(mul, x *y)
REAL_MODEL(frc, x - floor(x))
REAL_MODEL(rndu, ceil(x))
REAL_MODEL(rndd, floor(x))
REAL_MODEL(rnde, nearbyint(x))
REAL_MODEL(rndz, trunc(x))
REAL_MODEL(mad, fma(y, z, x))
REAL_MODEL(lrp, x *y + (1 - x) * z)
REAL_MODEL(csel, holds(o->inst->cmod, z, 0) ? x : y)
FLOAT_MODEL(mac, fmaf((float)o->r[0][i], (float)o->r[1][i], o->acc[i]))
FLOAT_MODEL(dp2, dot(o, i, 2))
FLOAT_MODEL(dp3, dot(o, i, 3))
FLOAT_MODEL(dp4, dot(o, i, 4))
FLOAT_MODEL(dph, dot(o, i, 3) + (float)o->r[1][i | 3])
FLOAT_MODEL(line, fmaf(o->plane[0], (float)o->r[1][i], o->plane[3]))
FLOAT_MODEL(pln, fmaf(o->plane[0], o->uv[0][i], fmaf(o->plane[1], o->uv[1][i], o->plane[3])))

static const struct model {
    int_model of_int;
    float_model of_float; /* Also for half floats. */
    double_model of_double;
} models[128] = {
#define ALL(name)   {int_##name, float_##name, double_##name}
#define INTS(name)  {.of_int = int_##name}
#define REALS(name) {.of_float = float_##name, .of_double = double_##name}
#define FLOAT(name) {.of_float = float_##name}
    [EU_OPCODE_MOV] = ALL(mov),
    [EU_OPCODE_SEL] = ALL(sel),
    [EU_OPCODE_NOT] = INTS(not),
    [EU_OPCODE_AND] = INTS(and),
    [EU_OPCODE_OR] = INTS(or),
    [EU_OPCODE_XOR] = INTS(xor),
    [EU_OPCODE_SHR] = INTS(shr),
    [EU_OPCODE_SHL] = INTS(shl),
    [EU_OPCODE_ASR] = INTS(asr),
    [EU_OPCODE_CSEL] = REALS(csel),
    [EU_OPCODE_BFREV] = INTS(bfrev),
    [EU_OPCODE_BFE] = INTS(bfe),
    [EU_OPCODE_BFI1] = INTS(bfi1),
    [EU_OPCODE_BFI2] = INTS(bfi2),
    [EU_OPCODE_ADD] = ALL(add),
    [EU_OPCODE_MUL] = ALL(mul),
    [EU_OPCODE_AVG] = INTS(avg),
    [EU_OPCODE_FRC] = REALS(frc),
    [EU_OPCODE_RNDU] = REALS(rndu),
    [EU_OPCODE_RNDD] = REALS(rndd),
    [EU_OPCODE_RNDE] = REALS(rnde),
    [EU_OPCODE_RNDZ] = REALS(rndz),
    [EU_OPCODE_MAC] = {int_mac, float_mac, NULL},
    [EU_OPCODE_MACH] = INTS(mach),
    [EU_OPCODE_LZD] = INTS(lzd),
    [EU_OPCODE_FBH] = INTS(fbh),
    [EU_OPCODE_FBL] = INTS(fbl),
    [EU_OPCODE_CBIT] = INTS(cbit),
    [EU_OPCODE_ADDC] = INTS(addc),
    [EU_OPCODE_SUBB] = INTS(subb),
    [EU_OPCODE_SAD2] = INTS(sad2),
    [EU_OPCODE_SADA2] = INTS(sada2),
    [EU_OPCODE_DP2] = FLOAT(dp2),
    [EU_OPCODE_DP3] = FLOAT(dp3),
    [EU_OPCODE_DP4] = FLOAT(dp4),
    [EU_OPCODE_DPH] = FLOAT(dph),
    [EU_OPCODE_LINE] = FLOAT(line),
    [EU_OPCODE_PLN] = FLOAT(pln),
    [EU_OPCODE_MAD] = ALL(mad),
    [EU_OPCODE_LRP] = REALS(lrp),
#undef ALL
#undef INTS
#undef REALS
#undef FLOAT
};

static bool is_compare(enum eu_opcode op)
{
    return op == EU_OPCODE_CMP || op == EU_OPCODE_CMPN;
}

static bool has_model(enum eu_opcode op, enum eu_type type)
{
    const struct model *m = &models[op];

    if (is_compare(op))
        return true;
    if (!is_real(type))
        return m->of_int;
    return type == EU_TYPE_DF ? m->of_double != NULL : m->of_float != NULL;
}

/* ----------------------------------------------------------------------------- instructions --- */

static bool is_ternary(enum eu_opcode op)
{
    return eu_opcode_num_sources(op) == 3;
}

static bool is_interpolation(enum eu_opcode op)
{
    return op == EU_OPCODE_LINE || op == EU_OPCODE_PLN;
}

static enum eu_type result_type(enum eu_opcode op, enum eu_type type)
{
    switch (op) {
    case EU_OPCODE_LZD:
    case EU_OPCODE_FBH:
    case EU_OPCODE_CBIT:
        return EU_TYPE_UD;
    case EU_OPCODE_SAD2:
    case EU_OPCODE_SADA2:
        return type == EU_TYPE_UB ? EU_TYPE_UW : EU_TYPE_W;
    default:
        return type;
    }
}

/* Sets random modifiers that the source may have. */
static void modify(struct eu_inst *inst, unsigned s)
{
    switch (inst->opcode) {
    case EU_OPCODE_BFREV:
    case EU_OPCODE_BFE:
    case EU_OPCODE_BFI1:
    case EU_OPCODE_BFI2:
    case EU_OPCODE_LZD:
    case EU_OPCODE_FBH:
    case EU_OPCODE_FBL:
    case EU_OPCODE_CBIT:
    case EU_OPCODE_ADDC:
    case EU_OPCODE_SUBB:
    case EU_OPCODE_SAD2:
    case EU_OPCODE_SADA2:
    case EU_OPCODE_MACH:
    case EU_OPCODE_LINE:
    case EU_OPCODE_PLN:
        return;
    case EU_OPCODE_NOT:
    case EU_OPCODE_AND:
    case EU_OPCODE_OR:
    case EU_OPCODE_XOR:
        inst->src[s].negate = rnd() % 3 == 0;
        return;
    default:
        if (inst->src[s].type == EU_TYPE_UQ)
            return;
        inst->src[s].negate = rnd() % 3 == 0;
        inst->src[s].abs = rnd() % 3 == 0;
    }
}

/* Sets a random legal region for that many channels, and its start. */
static void random_region(struct eu_reg *reg, unsigned n)
{
    static const uint8_t regions[][3] = {{8, 8, 1}, {4, 4, 1}, {0, 1, 0}, {16, 8, 2}, {8, 4, 2},
                                         {0, 4, 1}, {2, 2, 1}, {4, 2, 1}, {1, 1, 0}};
    const uint8_t *r;

    do
        r = regions[rnd() % ARRAY_SIZE(regions)];
    while (r[1] > n || (r[1] == n && r[0] != r[1] * r[2]));
    reg->vstride = r[0];
    reg->width = r[1];
    reg->hstride = r[2];
    if (!r[0])
        reg->subnr = (uint8_t)(rnd() % 4 * eu_type_size(reg->type));
}

static void immediate(struct eu_inst *inst, unsigned s)
{
    enum eu_type type = inst->src[s].type;

    if (eu_type_size(type) == 1 || (eu_type_size(type) == 8 && s) || is_interpolation(inst->opcode))
        return;
    inst->src[s] = imm(type, interesting(type));
    if (eu_type_size(type) < 8)
        inst->src[s].imm &= (UINT64_C(1) << eu_type_size(type) * 8) - 1;
}

static void sources(struct eu_inst *inst)
{
    unsigned count = eu_opcode_num_sources(inst->opcode);
    bool whole = inst->opcode >= EU_OPCODE_DP4 && inst->opcode <= EU_OPCODE_DP2;

    for (unsigned s = 0; s < count; s++) {
        struct eu_reg *reg = &inst->src[s];
        reg->nr = (uint8_t)(SRC + 4 * s);
        if (inst->exec_size < 8)
            reg->vstride = reg->width = inst->exec_size;
        if (is_ternary(inst->opcode))
            reg->replicate = rnd() % 3 == 0;
        else if (is_interpolation(inst->opcode) && s == 0)
            reg->vstride = reg->hstride = 0, reg->width = 1;
        else if (!whole && !is_interpolation(inst->opcode))
            random_region(reg, inst->exec_size);
        modify(inst, s);
    }
    if (!is_ternary(inst->opcode) && rnd() % 4 == 0)
        immediate(inst, count - 1);
}

static enum eu_cmod random_cmod(bool real)
{
    return real && rnd() % 8 == 0 ? EU_CMOD_U : (enum eu_cmod)(EU_CMOD_Z + rnd() % 6);
}

static struct eu_inst random_instruction(const struct sim_case *c)
{
    struct eu_inst inst = alu(c->opcode, c->type);
    bool small = eu_type_size(c->type) < 8;

    inst.exec_size = small ? 8 : 4;
    inst.align16 = is_ternary(c->opcode);
    inst.no_mask = rnd() % 3 == 0;
    inst.dst = grf(DST, result_type(c->opcode, c->type));
    if (!inst.align16)
        inst.dst.hstride = (uint8_t)(eu_type_size(inst.dst.type) == 1 ? 2 : 1 + rnd() % 2);
    sources(&inst);
    inst.flag_nr = rnd() & 1;
    if (c->opcode == EU_OPCODE_SEL && rnd() & 1)
        inst.predicate = EU_PREDICATE_NORMAL;
    else if (c->opcode == EU_OPCODE_SEL)
        inst.cmod = rnd() & 1 ? EU_CMOD_GE : EU_CMOD_L;
    else if (is_compare(c->opcode) || c->opcode == EU_OPCODE_CSEL || (c->cmod && rnd() % 3 == 0))
        inst.cmod = random_cmod(is_real(c->type));
    /* Of the results of 64-bit integers, only those of additions may be out of range. */
    inst.saturate =
        c->saturate && rnd() % 3 == 0 && (small || is_real(c->type) || c->opcode == EU_OPCODE_ADD);
    return inst;
}

/* ----------------------------------------------------------------------------------- values --- */

static uint64_t load(const struct sim_thread *t, unsigned at, enum eu_type type)
{
    uint64_t bits = 0;
    memcpy(&bits, t->grf + at, eu_type_size(type));
    return bits;
}

/* Returns the register file offset of a channel's element. */
static unsigned element(const struct eu_inst *inst, const struct eu_reg *reg, unsigned i)
{
    unsigned at = i / reg->width * reg->vstride + i % reg->width * reg->hstride;

    if (inst->align16)
        at = reg->replicate ? 0 : i;
    return reg->nr * 32 + reg->subnr + at * eu_type_size(reg->type);
}

static void read_operand(struct operands *o, const struct sim_thread *t, unsigned s, unsigned i)
{
    const struct eu_reg *reg = &o->inst->src[s];
    uint64_t bits =
        reg->file == EU_FILE_IMM ? reg->imm : load(t, element(o->inst, reg, i), reg->type);
    long double v = value_of(reg->type, bits);
    bool logic = o->inst->opcode >= EU_OPCODE_NOT && o->inst->opcode <= EU_OPCODE_XOR;

    if (is_real(reg->type)) {
        double d = reg->abs ? fabs((double)v) : (double)v;
        o->r[s][i] = reg->negate ? -d : d;
        return;
    }
    wide x = (wide)v;
    if (reg->abs && x < 0)
        x = -x;
    o->i[s][i] = !reg->negate ? x : logic ? ~x : -x;
}

static void read_operands(struct operands *o, const struct sim_thread *t)
{
    const struct eu_inst *inst = o->inst;

    for (unsigned s = 0; s < eu_opcode_num_sources(inst->opcode); s++) {
        for (unsigned i = 0; i < inst->exec_size; i++)
            read_operand(o, t, s, i);
    }
    for (unsigned i = 0; i < inst->exec_size; i++) {
        uint32_t low;
        memcpy(&low, t->acc + 4 * i, 4);
        memcpy(&o->acc[i], t->acc + 4 * i, 4);
        o->int_acc[i] = (int64_t)((uint64_t)(uint32_t)t->acc_high[i] << 32 | low);
    }
    memcpy(o->plane, t->grf + SRC * 32, sizeof o->plane);
    memcpy(o->uv, t->grf + (SRC + 4) * 32, sizeof o->uv);
    memcpy(&o->flags, t->flag + 4 * inst->flag_nr, 4);
}

static uint64_t int_bits(const struct operands *o, wide v)
{
    enum eu_type type = o->inst->dst.type;
    unsigned bits = eu_type_size(type) * 8;

    if (o->inst->saturate) {
        wide high = ((wide)1 << (bits - is_signed_type(type))) - 1;
        wide low = is_signed_type(type) ? -high - 1 : 0;
        v = v < low ? low : v > high ? high : v;
    }
    return (uint64_t)v << (64 - bits) >> (64 - bits);
}

static uint64_t real_bits(const struct operands *o, unsigned i)
{
    const struct model *m = &models[o->inst->opcode];
    enum eu_type type = o->inst->dst.type;
    double d = type == EU_TYPE_DF ? m->of_double(o, i) : m->of_float(o, i);
    uint64_t bits;

    if (o->inst->saturate)
        d = d > 1 ? 1 : d > 0 ? d : 0; /* NaN becomes 0. */
    if (type == EU_TYPE_HF)
        return util_float_to_half((float)d);
    if (type == EU_TYPE_F)
        return as_bits((float)d);
    memcpy(&bits, &d, 8);
    return bits;
}

static bool compare(const struct operands *o, unsigned i)
{
    if (!is_real(o->type))
        return holds(o->inst->cmod, (long double)o->i[0][i], (long double)o->i[1][i]);
    return holds(o->inst->cmod, o->r[0][i], o->r[1][i]) ||
           (o->inst->opcode == EU_OPCODE_CMPN && isnan(o->r[1][i]));
}

/* Returns the bits of the destination and the flag. */
static uint64_t expected(const struct operands *o, unsigned i, bool *flag)
{
    const struct eu_inst *inst = o->inst;
    uint64_t bits;

    if (is_compare(inst->opcode)) {
        *flag = compare(o, i);
        return *flag ? UINT64_MAX >> (64 - eu_type_size(inst->dst.type) * 8) : 0;
    }
    bits = is_real(o->type) ? real_bits(o, i) : int_bits(o, models[inst->opcode].of_int(o, i));
    *flag = holds(inst->cmod, value_of(inst->dst.type, bits), 0);
    return bits;
}

static bool same(enum eu_type type, uint64_t a, uint64_t b)
{
    return a == b ||
           (is_real(type) && isnan((double)value_of(type, a)) && isnan((double)value_of(type, b)));
}

/* -------------------------------------------------------------------------------------- run --- */

static void random_registers(struct sim_thread *t, enum eu_type type, bool real_acc)
{
    unsigned size = eu_type_size(type);

    for (unsigned at = SRC * 32; at < (SRC + 12) * 32u; at += size) {
        uint64_t bits = interesting(type);
        memcpy(t->grf + at, &bits, size);
    }
    memset(t->grf + DST * 32, 0x5c, 64);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t bits = real_acc ? as_bits(floats[rnd() % SIM_NUM_FLOATS]) : rnd() % 100000;
        memcpy(t->acc + i * 4, &bits, 4);
    }
    for (unsigned i = 0; i < 8; i++)
        t->flag[i] = (uint8_t)rnd();
}

static void say(const struct eu_inst *inst, unsigned i, uint64_t want, uint64_t got)
{
    char text[160] = "";
    FILE *fp = fmemopen(text, sizeof text, "w");

    eu_print(sim_dev, inst, 0, fp);
    fclose(fp);
    fail_msg("%s: channel %u is %#llx, not %#llx", text, i, (unsigned long long)got,
             (unsigned long long)want);
}

static void check_channel(const struct operands *o, const struct sim_thread *t, uint32_t mask,
                          unsigned i)
{
    const struct eu_inst *inst = o->inst;
    unsigned stride = inst->align16 ? 1 : inst->dst.hstride;
    uint64_t got = load(t, DST * 32 + i * stride * eu_type_size(inst->dst.type), inst->dst.type);
    uint64_t untouched = UINT64_C(0x5c5c5c5c5c5c5c5c) >> (64 - eu_type_size(inst->dst.type) * 8);
    bool old = o->flags >> i & 1, flag = old, writes = mask >> i & 1;
    uint64_t want = writes ? expected(o, i, &flag) : untouched;
    uint32_t flags;

    if (!same(inst->dst.type, want, got))
        say(inst, i, want, got);
    bool sets =
        writes && inst->cmod && inst->opcode != EU_OPCODE_SEL && inst->opcode != EU_OPCODE_CSEL;
    memcpy(&flags, t->flag + 4 * inst->flag_nr, 4);
    if ((flags >> i & 1) != (sets ? flag : old))
        say(inst, i, sets ? flag : old, flags >> i & 1);
}

static void check_case(const struct sim_case *c)
{
    struct operands o = {.type = c->type};
    struct eu_inst inst = random_instruction(c);
    struct sim_thread t, before;

    o.inst = &inst;
    start(&t);
    t.active = rnd() & 0xffff;
    random_registers(&t, c->type, c->opcode == EU_OPCODE_MAC && is_real(c->type));
    before = t;
    run_one(&t, inst);
    read_operands(&o, &before);
    for (unsigned i = 0; i < inst.exec_size; i++)
        check_channel(&o, &t, inst.no_mask ? ~0u : before.active, i);
}

void test_opcodes(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(sim_cases); i++) {
        if (!has_model(sim_cases[i].opcode, sim_cases[i].type))
            fail_msg("no model of %s with type %d", eu_opcode_name(sim_cases[i].opcode),
                     sim_cases[i].type);
        for (unsigned k = 0; k < ROUNDS; k++)
            check_case(&sim_cases[i]);
    }
}

/* ------------------------------------------------------------------------------------- math --- */

static double math_model(enum eu_math function, double x, double y)
{
    switch (function) {
    case EU_MATH_INV:
        return 1 / x;
    case EU_MATH_LOG:
        return log2(x);
    case EU_MATH_EXP:
        return exp2(x);
    case EU_MATH_SQRT:
        return sqrt(x);
    case EU_MATH_RSQ:
        return 1 / sqrt(x);
    case EU_MATH_SIN:
        return sin(x);
    case EU_MATH_COS:
        return cos(x);
    case EU_MATH_FDIV:
        return x / y;
    case EU_MATH_POW:
        return pow(x, y);
    default:
        fail_msg("no model of math function %d", function);
        return 0;
    }
}

/* Returns whether the values differ by at most some units in the last place. */
static bool is_near(float got, double want, double units)
{
    float next = nextafterf((float)want, INFINITY) - (float)want;
    return fabs(got - want) <= units * fabs((double)next) || got == (float)want ||
           (isnan(got) && isnan(want));
}

static void check_real_math(enum eu_math function)
{
    struct eu_inst inst = alu(EU_OPCODE_MATH, EU_TYPE_F);
    struct sim_thread t;

    inst.math = function;
    start(&t);
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 10)[i] = as_bits((float)(rnd() % 4000 + 1) / 128.0f);
        sim_grf(&t, 12)[i] = as_bits((float)(rnd() % 200) / 32.0f - 3.0f);
    }
    run_one(&t, inst);
    for (unsigned i = 0; i < 8; i++) {
        float x = as_float(sim_grf(&t, 10)[i]), y = as_float(sim_grf(&t, 12)[i]);
        float got = as_float(sim_grf(&t, 20)[i]);
        /* The bounds of docs/i965.md. The exponent of a power multiplies the error of its
         * logarithm. */
        if (!is_near(got, math_model(function, x, y), function == EU_MATH_POW ? 16 : 2))
            fail_msg("math function %d of %g, %g gives %g, not %g", function, x, y, got,
                     math_model(function, x, y));
    }
}

/* Rounds toward zero; for both results, the second register is the remainder. */
static void check_division(enum eu_math function, bool is_signed)
{
    struct eu_inst inst = alu(EU_OPCODE_MATH, is_signed ? EU_TYPE_D : EU_TYPE_UD);
    struct sim_thread t;

    inst.math = function;
    start(&t);
    fill(&t, integers, SIM_NUM_INTEGERS);
    run_one(&t, inst);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t x = sim_grf(&t, 10)[i], y = sim_grf(&t, 12)[i];
        int64_t n = is_signed ? (int32_t)x : (int64_t)x, d = is_signed ? (int32_t)y : (int64_t)y;
        uint32_t quotient = d ? (uint32_t)(n / d) : ~0u, rest = d ? (uint32_t)(n % d) : ~0u;
        assert_int_equal(sim_grf(&t, 20)[i], function == EU_MATH_INT_REMAINDER ? rest : quotient);
        if (function == EU_MATH_INT_DIV_BOTH)
            assert_int_equal(sim_grf(&t, 21)[i], rest);
    }
}

void test_math(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(sim_math_cases); i++) {
        for (unsigned k = 0; k < ROUNDS; k++) {
            if (sim_math_cases[i].type == EU_TYPE_F)
                check_real_math(sim_math_cases[i].function);
            else
                check_division(sim_math_cases[i].function, sim_math_cases[i].type == EU_TYPE_D);
        }
    }
}

/* 32×32 → 64 bits with mul and mach; carries. */
void test_accumulator(void **state)
{
    for (unsigned k = 0; k < 50; k++) {
        bool is_signed = k & 1;
        enum eu_type type = is_signed ? EU_TYPE_D : EU_TYPE_UD;
        struct sim_thread t;
        struct code c = {.count = 0};
        struct eu_inst low = alu(EU_OPCODE_MUL, type);
        low.dst = (struct eu_reg){
            .file = EU_FILE_ARF, .nr = EU_ARF_ACCUMULATOR, .type = type, .hstride = 1};
        low.src[1] = (struct eu_reg){.file = EU_FILE_GRF,
                                     .nr = 12,
                                     .type = EU_TYPE_UW,
                                     .vstride = 16,
                                     .width = 8,
                                     .hstride = 2};
        emit(&c, low);
        emit(&c, alu(EU_OPCODE_MACH, type));
        end(&c);
        start(&t);
        fill(&t, integers, SIM_NUM_INTEGERS);
        assert_int_equal(run(&t, &c), SIM_DONE);
        for (unsigned i = 0; i < 8; i++) {
            uint32_t x = sim_grf(&t, 10)[i], y = sim_grf(&t, 12)[i];
            uint64_t want =
                is_signed ? (uint64_t)((int64_t)(int32_t)x * (int32_t)y) : (uint64_t)x * y;
            assert_int_equal(sim_grf(&t, 20)[i], want >> 32);
        }
        struct eu_inst carry = alu(EU_OPCODE_ADDC, EU_TYPE_UD);
        carry.acc_write = true;
        run_one((start(&t), fill(&t, integers, SIM_NUM_INTEGERS), &t), carry);
        for (unsigned i = 0; i < 8; i++) {
            uint64_t sum = (uint64_t)sim_grf(&t, 10)[i] + sim_grf(&t, 12)[i];
            uint32_t acc;
            memcpy(&acc, t.acc + i * 4, 4);
            assert_int_equal(sim_grf(&t, 20)[i], (uint32_t)sum);
            assert_int_equal(acc, sum >> 32);
        }
    }
}

/* --------------------------------------------------------------------------------- coverage --- */

/* Instructions that the tables contain but no model computes end the thread, or have
 * no encoding. */
void test_not_modelled(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(sim_not_modelled); i++) {
        struct eu_inst inst = alu(sim_not_modelled[i], EU_TYPE_F);
        struct code c = {.count = 0};
        const char *error = NULL;
        struct sim_thread t;
        inst.align16 = is_ternary(inst.opcode);
        if (!eu_encode(sim_dev, &inst, c.word, &error)) {
            assert_non_null(error);
            continue;
        }
        emit(&c, inst);
        end(&c);
        start(&t);
        assert_int_equal(run(&t, &c), SIM_FAULT);
        assert_non_null(strstr(t.error, "offset 0"));
    }
}

void test_all_ran(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(sim_cases); i++) {
        if (!sim_ran[sim_cases[i].opcode])
            fail_msg("no test runs %s", eu_opcode_name(sim_cases[i].opcode));
    }
    for (unsigned i = 0; i < ARRAY_SIZE(sim_other_opcodes); i++) {
        if (!sim_ran[sim_other_opcodes[i]])
            fail_msg("no test runs %s", eu_opcode_name(sim_other_opcodes[i]));
    }
}
