/* SPDX-License-Identifier: MIT */
/*
 * The simulator against plain C: each opcode, conversion, region, modifier, predicate; control flow;
 * what a thread may do wrong. Programs are encoded first: the bytes run.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/eu_sim.h"
#include "util/half.h"
#include "util/macros.h"

static const struct i965_device *dev;
static uint64_t random_state = 1;

static int find_device(void **state)
{
    dev = i965_device_by_name("skl");
    return dev ? 0 : -1;
}

static uint32_t rnd(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

/* --------------------------------------------------------------------------------- programs --- */

struct code {
    uint64_t word[64];
    unsigned count;
};

static void emit(struct code *c, struct eu_inst inst)
{
    const char *error = NULL;
    if (!eu_encode(dev, &inst, &c->word[c->count++ * 2], &error))
        fail_msg("not encoded: %s", error);
}

static void end(struct code *c)
{
    emit(c, (struct eu_inst){.opcode = EU_OPCODE_SEND, .exec_size = 8, .eot = true,
                             .sfid = EU_SFID_THREAD_SPAWNER, .desc = 1u << 25,
                             .dst = {.file = EU_FILE_ARF, .hstride = 1},
                             .src = {{.file = EU_FILE_GRF, .nr = 127}}});
}

static struct sim_program *program_of(const struct code *c)
{
    char error[128];
    struct sim_program *p = sim_program_create(dev, (const uint8_t *)c->word, c->count * 16ul,
                                               error, sizeof error);
    if (!p)
        fail_msg("%s", error);
    return p;
}

/* Runs the code in a thread that was made ready; the thread keeps its registers. */
static enum sim_status run(struct sim_thread *t, const struct code *c)
{
    struct sim_program *p = program_of(c);
    t->program = p;
    t->ip = 0;
    enum sim_status status = sim_thread_run(t);
    sim_program_destroy(p);
    t->program = NULL;
    return status;
}

static void run_one(struct sim_thread *t, struct eu_inst inst)
{
    struct code c = {.count = 0};
    emit(&c, inst);
    end(&c);
    if (run(t, &c) != SIM_DONE)
        fail_msg("%s", t->error);
}

static void start(struct sim_thread *t)
{
    sim_thread_init(t, NULL, NULL, 0xffff);
}

static struct eu_reg grf(unsigned nr, enum eu_type type)
{
    return (struct eu_reg){.file = EU_FILE_GRF, .type = type, .nr = (uint8_t)nr, .vstride = 8,
                           .width = 8, .hstride = 1, .swizzle = 0xe4, .writemask = 15};
}

static struct eu_reg imm(enum eu_type type, uint64_t bits)
{
    return (struct eu_reg){.file = EU_FILE_IMM, .type = type, .imm = bits};
}

static struct eu_inst alu(enum eu_opcode op, enum eu_type type)
{
    return (struct eu_inst){.opcode = op, .exec_size = 8, .dst = grf(20, type),
                            .src = {grf(10, type), grf(12, type), grf(14, type)}};
}

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

/* ---------------------------------------------------------------------------------- opcodes --- */

static const uint32_t integers[] = {0, 1, 2, 3, 7, 31, 32, 33, 255, 256, 0x7fff, 0x8000, 0xffff,
                                    0x10000, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001,
                                    0xfffffffe, 0xffffffff, 0xdeadbeef, 0x00ff00ff};
static const float floats[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1.5f, 2.5f, -2.5f, 0.3f, -0.7f,
                               1e10f, -1e10f, 3e38f, 1e-38f, 1e-42f, INFINITY, -INFINITY, NAN};

typedef uint32_t (*int_model)(uint32_t x, uint32_t y, uint32_t z, bool is_signed);

#define INT_MODEL(name, expression)                                                                \
    static uint32_t model_##name(uint32_t x, uint32_t y, uint32_t z, bool is_signed)               \
    {                                                                                              \
        return (uint32_t)(expression);                                                             \
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
    width &= 31;
    offset &= 31;
    if (!width)
        return 0;
    uint32_t result = 0;
    for (uint32_t i = 0; i < width && offset + i < 32; i++)
        result |= (value >> (offset + i) & 1) << i;
    uint32_t top = MIN2(width, 32 - offset);
    if (is_signed && top < 32 && result >> (top - 1) & 1)
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

INT_MODEL(add, x + y)
INT_MODEL(mul, x * y)
INT_MODEL(not, ~x)
INT_MODEL(and, x & y)
INT_MODEL(or, x | y)
INT_MODEL(xor, x ^ y)
INT_MODEL(shl, x << (y & 31))
INT_MODEL(shr, x >> (y & 31))
INT_MODEL(asr, is_signed ? (uint32_t)((int32_t)x >> (y & 31)) : x >> (y & 31))
INT_MODEL(avg, is_signed ? (uint32_t)(((int64_t)(int32_t)x + (int32_t)y + 1) >> 1)
                         : (uint32_t)(((uint64_t)x + y + 1) >> 1))
INT_MODEL(bfrev, reversed(x))
INT_MODEL(lzd, leading(x))
INT_MODEL(fbl, trailing(x))
INT_MODEL(fbh, high_bit(x, is_signed))
INT_MODEL(cbit, population(x))
INT_MODEL(bfe, field(x, y, z, is_signed))
INT_MODEL(bfi1, ((1u << (x & 31)) - 1) << (y & 31))
INT_MODEL(bfi2, inserted(x, y, z))
INT_MODEL(mad, x + y * z)

static const struct {
    enum eu_opcode op;
    int_model model;
    bool ternary, unsigned_only;
} int_ops[] = {
    {EU_OPCODE_ADD, model_add},     {EU_OPCODE_MUL, model_mul},
    {EU_OPCODE_NOT, model_not},     {EU_OPCODE_AND, model_and},
    {EU_OPCODE_OR, model_or},       {EU_OPCODE_XOR, model_xor},
    {EU_OPCODE_SHL, model_shl},     {EU_OPCODE_SHR, model_shr},
    {EU_OPCODE_ASR, model_asr},     {EU_OPCODE_AVG, model_avg},
    {EU_OPCODE_BFREV, model_bfrev, false, true}, {EU_OPCODE_LZD, model_lzd, false, true},
    {EU_OPCODE_FBL, model_fbl, false, true},     {EU_OPCODE_FBH, model_fbh},
    {EU_OPCODE_CBIT, model_cbit, false, true},   {EU_OPCODE_BFE, model_bfe, true},
    {EU_OPCODE_BFI1, model_bfi1, false, true},   {EU_OPCODE_BFI2, model_bfi2, true, true},
    {EU_OPCODE_MAD, model_mad, true},
};

static void fill(struct sim_thread *t, const uint32_t *values, unsigned count)
{
    for (unsigned r = 10; r < 16; r++) {
        for (unsigned i = 0; i < 8; i++)
            sim_grf(t, r)[i] = rnd() % 4 ? values[rnd() % count] : rnd();
    }
}

static void test_integer_opcodes(void **state)
{
    struct sim_thread t;

    for (unsigned k = 0; k < ARRAY_SIZE(int_ops) * 2 * 40; k++) {
        unsigned o = k / 80;
        bool is_signed = k & 1;
        enum eu_type type = is_signed ? EU_TYPE_D : EU_TYPE_UD;
        struct eu_inst inst = alu(int_ops[o].op, type);
        if (is_signed && int_ops[o].unsigned_only)
            continue;
        inst.align16 = int_ops[o].ternary;
        start(&t);
        fill(&t, integers, ARRAY_SIZE(integers));
        run_one(&t, inst);
        for (unsigned i = 0; i < 8; i++) {
            uint32_t x = sim_grf(&t, 10)[i], y = sim_grf(&t, 12)[i], z = sim_grf(&t, 14)[i];
            uint32_t want = int_ops[o].model(x, y, z, is_signed), got = sim_grf(&t, 20)[i];
            if (got != want)
                fail_msg("%s:%s %#x %#x %#x is %#x, not %#x", eu_opcode_name(inst.opcode),
                         is_signed ? "d" : "ud", x, y, z, want, got);
        }
    }
}

typedef float (*float_model)(float x, float y, float z);
#define FLOAT_MODEL(name, expression)                                                              \
    static float model_f_##name(float x, float y, float z)                                         \
    {                                                                                              \
        return expression;                                                                         \
    }
FLOAT_MODEL(add, x + y)
FLOAT_MODEL(mul, x * y)
FLOAT_MODEL(frc, x - floorf(x))
FLOAT_MODEL(rndu, ceilf(x))
FLOAT_MODEL(rndd, floorf(x))
FLOAT_MODEL(rnde, nearbyintf(x))
FLOAT_MODEL(rndz, truncf(x))
FLOAT_MODEL(mad, fmaf(y, z, x))
FLOAT_MODEL(lrp, x * y + (1.0f - x) * z)

static const struct {
    enum eu_opcode op;
    float_model model;
    bool ternary;
} float_ops[] = {
    {EU_OPCODE_ADD, model_f_add},   {EU_OPCODE_MUL, model_f_mul},   {EU_OPCODE_FRC, model_f_frc},
    {EU_OPCODE_RNDU, model_f_rndu}, {EU_OPCODE_RNDD, model_f_rndd}, {EU_OPCODE_RNDE, model_f_rnde},
    {EU_OPCODE_RNDZ, model_f_rndz}, {EU_OPCODE_MAD, model_f_mad, true},
    {EU_OPCODE_LRP, model_f_lrp, true},
};

static bool same_float(uint32_t a, uint32_t b)
{
    return a == b || (isnan(as_float(a)) && isnan(as_float(b)));
}

static float modified(const struct eu_reg *reg, uint32_t bits)
{
    float f = as_float(bits);
    if (reg->abs)
        f = fabsf(f);
    return reg->negate ? -f : f;
}

static void test_float_opcodes(void **state)
{
    uint32_t values[ARRAY_SIZE(floats)];
    struct sim_thread t;

    memcpy(values, floats, sizeof values);
    for (unsigned k = 0; k < ARRAY_SIZE(float_ops) * 100; k++) {
        unsigned o = k / 100;
        struct eu_inst inst = alu(float_ops[o].op, EU_TYPE_F);
        inst.align16 = float_ops[o].ternary;
        for (unsigned s = 0; s < 3; s++) {
            inst.src[s].negate = rnd() % 3 == 0;
            inst.src[s].abs = rnd() % 3 == 0;
        }
        inst.saturate = rnd() % 4 == 0;
        start(&t);
        fill(&t, values, ARRAY_SIZE(values));
        run_one(&t, inst);
        for (unsigned i = 0; i < 8; i++) {
            float want = float_ops[o].model(modified(&inst.src[0], sim_grf(&t, 10)[i]),
                                            modified(&inst.src[1], sim_grf(&t, 12)[i]),
                                            modified(&inst.src[2], sim_grf(&t, 14)[i]));
            if (inst.saturate)
                want = want > 1.0f ? 1.0f : want > 0.0f ? want : 0.0f;
            if (!same_float(as_bits(want), sim_grf(&t, 20)[i]))
                fail_msg("%s gives %g, not %g", eu_opcode_name(inst.opcode),
                         as_float(sim_grf(&t, 20)[i]), want);
        }
    }
}

static void test_math(void **state)
{
    static const struct {
        enum eu_math function;
        double (*model)(double);
    } functions[] = {{EU_MATH_LOG, log2}, {EU_MATH_EXP, exp2}, {EU_MATH_SQRT, sqrt},
                     {EU_MATH_SIN, sin},  {EU_MATH_COS, cos}};
    struct sim_thread t;

    for (unsigned f = 0; f < ARRAY_SIZE(functions); f++) {
        struct eu_inst inst = alu(EU_OPCODE_MATH, EU_TYPE_F);
        inst.math = functions[f].function;
        start(&t);
        for (unsigned i = 0; i < 8; i++)
            sim_grf(&t, 10)[i] = as_bits(0.3f + (float)i);
        run_one(&t, inst);
        for (unsigned i = 0; i < 8; i++) {
            double want = functions[f].model(0.3f + (float)i), got = as_float(sim_grf(&t, 20)[i]);
            assert_true(fabs(got - want) <= fabs(want) * 1e-6 + 1e-6);
        }
    }
    struct eu_inst inst = alu(EU_OPCODE_MATH, EU_TYPE_D);
    inst.math = EU_MATH_INT_DIV_BOTH;
    start(&t);
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 10)[i] = (uint32_t)(i % 2 ? -100 - (int)i : 100 + (int)i);
        sim_grf(&t, 12)[i] = i + 3;
    }
    run_one(&t, inst);
    for (int i = 0; i < 8; i++) {
        int x = i % 2 ? -100 - i : 100 + i;
        assert_int_equal((int32_t)sim_grf(&t, 20)[i], x / (i + 3));
        assert_int_equal((int32_t)sim_grf(&t, 21)[i], x % (i + 3));
    }
}

/* 32×32 → 64 bits by mul and mach; carries. */
static void test_accumulator(void **state)
{
    for (unsigned k = 0; k < 50; k++) {
        bool is_signed = k & 1;
        enum eu_type type = is_signed ? EU_TYPE_D : EU_TYPE_UD;
        struct sim_thread t;
        struct code c = {.count = 0};
        struct eu_inst low = alu(EU_OPCODE_MUL, type);
        low.dst = (struct eu_reg){.file = EU_FILE_ARF, .nr = EU_ARF_ACCUMULATOR, .type = type,
                                  .hstride = 1};
        low.src[1] = (struct eu_reg){.file = EU_FILE_GRF, .nr = 12, .type = EU_TYPE_UW,
                                     .vstride = 16, .width = 8, .hstride = 2};
        emit(&c, low);
        emit(&c, alu(EU_OPCODE_MACH, type));
        end(&c);
        start(&t);
        fill(&t, integers, ARRAY_SIZE(integers));
        assert_int_equal(run(&t, &c), SIM_DONE);
        for (unsigned i = 0; i < 8; i++) {
            uint32_t x = sim_grf(&t, 10)[i], y = sim_grf(&t, 12)[i];
            uint64_t want = is_signed ? (uint64_t)((int64_t)(int32_t)x * (int32_t)y)
                                      : (uint64_t)x * y;
            assert_int_equal(sim_grf(&t, 20)[i], want >> 32);
        }
        struct eu_inst carry = alu(EU_OPCODE_ADDC, EU_TYPE_UD);
        carry.acc_write = true;
        run_one((start(&t), fill(&t, integers, ARRAY_SIZE(integers)), &t), carry);
        for (unsigned i = 0; i < 8; i++) {
            uint64_t sum = (uint64_t)sim_grf(&t, 10)[i] + sim_grf(&t, 12)[i];
            uint32_t acc;
            memcpy(&acc, t.acc + i * 4, 4);
            assert_int_equal(sim_grf(&t, 20)[i], (uint32_t)sum);
            assert_int_equal(acc, sum >> 32);
        }
    }
}

/* ------------------------------------------------------------------------------ conversions --- */

static const enum eu_type types[] = {EU_TYPE_UD, EU_TYPE_D, EU_TYPE_UW, EU_TYPE_W, EU_TYPE_UB,
                                     EU_TYPE_B, EU_TYPE_UQ, EU_TYPE_Q, EU_TYPE_HF, EU_TYPE_F,
                                     EU_TYPE_DF};

static bool is_real(enum eu_type t)
{
    return t == EU_TYPE_HF || t == EU_TYPE_F || t == EU_TYPE_DF;
}

static bool is_signed_type(enum eu_type t)
{
    return t == EU_TYPE_D || t == EU_TYPE_W || t == EU_TYPE_B || t == EU_TYPE_Q;
}

/* A value as the widest of its kind: long double holds all of them exactly. */
static long double value_of(enum eu_type type, uint64_t bits)
{
    unsigned size = eu_type_size(type) * 8;
    double d;

    switch (type) {
    case EU_TYPE_HF:
        return util_half_to_float((uint16_t)bits);
    case EU_TYPE_F:
        return as_float((uint32_t)bits);
    case EU_TYPE_DF:
        memcpy(&d, &bits, 8);
        return d;
    default:
        if (is_signed_type(type))
            return (long double)((int64_t)(bits << (64 - size)) >> (64 - size));
        return (long double)(bits << (64 - size) >> (64 - size));
    }
}

static long double clamped(long double v, long double lo, long double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static uint64_t converted(enum eu_type to, enum eu_type from, uint64_t bits, bool saturate)
{
    unsigned size = eu_type_size(to) * 8;
    long double v = value_of(from, bits);
    double d;

    if (is_real(to)) {
        if (saturate)
            v = v > 0 ? clamped(v, 0, 1) : 0;
        if (to == EU_TYPE_F)
            return as_bits((float)v);
        if (to == EU_TYPE_HF)
            return util_float_to_half((float)v);
        d = (double)v;
        memcpy(&bits, &d, 8);
        return bits;
    }
    if (is_real(from) || saturate) {
        long double hi = is_signed_type(to) ? ldexpl(1, (int)size - 1) - 1 : ldexpl(1, (int)size) - 1;
        long double lo = is_signed_type(to) ? -ldexpl(1, (int)size - 1) : 0;
        v = isnan((double)v) ? 0 : truncl(clamped(v, lo, hi));
        return v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
    }
    return bits << (64 - eu_type_size(from) * 8) && is_signed_type(from)
               ? (uint64_t)((int64_t)(bits << (64 - eu_type_size(from) * 8)) >>
                            (64 - eu_type_size(from) * 8))
               : bits;
}

static uint64_t interesting(enum eu_type type)
{
    uint64_t bits = (uint64_t)rnd() << 32 | rnd();

    if (type == EU_TYPE_F)
        return rnd() % 2 ? as_bits(floats[rnd() % ARRAY_SIZE(floats)])
                         : as_bits((float)(int32_t)rnd() / 65536.0f);
    if (type == EU_TYPE_HF)
        return util_float_to_half(floats[rnd() % ARRAY_SIZE(floats)]);
    if (type == EU_TYPE_DF) {
        double d = rnd() % 2 ? (double)floats[rnd() % ARRAY_SIZE(floats)] : (int32_t)rnd() / 256.0;
        memcpy(&bits, &d, 8);
        return bits;
    }
    if (rnd() % 2)
        bits = integers[rnd() % ARRAY_SIZE(integers)];
    return bits;
}

static void check_conversion(enum eu_type to, enum eu_type from, bool saturate)
{
    unsigned from_size = eu_type_size(from), to_size = eu_type_size(to);
    uint64_t mask = to_size == 8 ? UINT64_MAX : (UINT64_C(1) << to_size * 8) - 1;
    struct eu_inst inst = alu(EU_OPCODE_MOV, from);
    struct sim_thread t;

    if (to == EU_TYPE_UQ && saturate)
        return; /* saturation of 64 bits is not modelled by long double's comparison */
    start(&t);
    inst.exec_size = 1;
    inst.src[0].vstride = inst.src[0].hstride = 0;
    inst.src[0].width = 1;
    inst.dst.type = to;
    inst.saturate = saturate;
    uint64_t bits = interesting(from), got = 0;
    memcpy(sim_grf(&t, 10), &bits, from_size);
    bits &= from_size == 8 ? UINT64_MAX : (UINT64_C(1) << from_size * 8) - 1;
    run_one(&t, inst);
    memcpy(&got, sim_grf(&t, 20), to_size);
    uint64_t want = converted(to, from, bits, saturate) & mask;
    bool nan = is_real(to) && isnan((double)value_of(to, want)) &&
               isnan((double)value_of(to, got));
    if (got != want && !nan)
        fail_msg("type %d to %d%s: %#llx gives %#llx, not %#llx", from, to, saturate ? " sat" : "",
                 (unsigned long long)bits, (unsigned long long)got, (unsigned long long)want);
}

static void test_conversions(void **state)
{
    for (unsigned a = 0; a < ARRAY_SIZE(types); a++) {
        for (unsigned b = 0; b < ARRAY_SIZE(types); b++) {
            for (unsigned k = 0; k < 40; k++)
                check_conversion(types[a], types[b], k & 1);
        }
    }
}

static void test_immediates(void **state)
{
    static const float vf[4] = {0.0f, 1.0f, -2.0f, 0.5f};
    struct eu_inst inst = alu(EU_OPCODE_MOV, EU_TYPE_F);
    struct sim_thread t;

    start(&t);
    inst.src[0] = imm(EU_TYPE_VF, 0x20c03000);
    run_one(&t, inst);
    for (unsigned i = 0; i < 8; i++)
        assert_true(as_float(sim_grf(&t, 20)[i]) == vf[i & 3]);
    inst = alu(EU_OPCODE_MOV, EU_TYPE_W);
    inst.src[0] = imm(EU_TYPE_V, 0xf8765432);
    run_one(&t, inst);
    for (unsigned i = 0; i < 8; i++) {
        int nibble = 0xf8765432u >> i * 4 & 15, want = nibble >= 8 ? nibble - 16 : nibble;
        assert_int_equal(((int16_t *)sim_grf(&t, 20))[i], want);
    }
}

/* ---------------------------------------------------------------------------------- regions --- */

static void test_regions(void **state)
{
    static const uint8_t regions[][3] = {{8, 8, 1}, {4, 4, 1}, {0, 1, 0}, {16, 8, 2}, {2, 2, 1},
                                         {1, 2, 0}, {8, 4, 2}, {0, 4, 1}, {4, 1, 0}};
    static const enum eu_type sizes[] = {EU_TYPE_UB, EU_TYPE_UW, EU_TYPE_UD};

    for (unsigned k = 0; k < ARRAY_SIZE(regions) * 3 * 8; k++) {
        const uint8_t *r = regions[k / 24];
        enum eu_type type = sizes[k % 3];
        unsigned size = eu_type_size(type), first = k / 3 % 8, stride = k % 2 + 1;
        struct eu_inst inst = alu(EU_OPCODE_MOV, type);
        struct sim_thread t;
        start(&t);
        for (unsigned i = 0; i < 128; i++)
            t.grf[320 + i] = (uint8_t)(i * 7 + 3);
        inst.src[0].subnr = (uint8_t)(first * size);
        inst.src[0].vstride = r[0];
        inst.src[0].width = r[1];
        inst.src[0].hstride = r[2];
        inst.dst.hstride = (uint8_t)stride;
        run_one(&t, inst);
        for (unsigned i = 0; i < 8; i++) {
            unsigned from = first + i / r[1] * r[0] + i % r[1] * r[2];
            assert_memory_equal(t.grf + 640 + i * stride * size, t.grf + 320 + from * size, size);
        }
    }
}

static void test_indirect(void **state)
{
    struct eu_inst inst = alu(EU_OPCODE_MOV, EU_TYPE_UD);
    struct sim_thread t;

    start(&t);
    for (unsigned i = 0; i < 64; i++)
        sim_grf(&t, 10)[i] = i * 11;
    for (unsigned i = 0; i < 8; i++)
        ((uint16_t *)t.address)[i] = (uint16_t)(320 + (7 - i) * 12);
    inst.src[0] = (struct eu_reg){.file = EU_FILE_GRF, .type = EU_TYPE_UD, .indirect = true,
                                  .address_offset = -8, .vstride = EU_VSTRIDE_ONE_DIMENSIONAL,
                                  .width = 1};
    ((uint16_t *)t.address)[7] = 328;
    run_one(&t, inst);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(sim_grf(&t, 20)[i], ((7 - i) * 3 - 2) * 11);
    assert_int_equal(sim_grf(&t, 20)[7], 0);
    /* one address, and the destination's */
    inst.src[0].vstride = 8;
    inst.src[0].width = 8;
    inst.src[0].hstride = 1;
    inst.src[0].address_offset = 0;
    inst.dst = (struct eu_reg){.file = EU_FILE_GRF, .type = EU_TYPE_UD, .hstride = 1,
                               .indirect = true, .address_subnr = 3, .address_offset = 64};
    ((uint16_t *)t.address)[0] = 320;
    ((uint16_t *)t.address)[3] = 900;
    run_one(&t, inst);
    assert_memory_equal(t.grf + 964, t.grf + 320, 32);
}

/* -------------------------------------------------------------------------------- predicates --- */

static bool predicate_holds(enum eu_predicate p, uint32_t f0, uint32_t f1, unsigned i)
{
    if (p == EU_PREDICATE_NORMAL)
        return f0 >> i & 1;
    if (p == EU_PREDICATE_ANYV)
        return (f0 | f1) >> i & 1;
    if (p == EU_PREDICATE_ALLV)
        return (f0 & f1) >> i & 1;
    unsigned size = 2u << (p - EU_PREDICATE_ANY2H) / 2, set = 0;
    for (unsigned k = i / size * size; k < i / size * size + size; k++)
        set += f0 >> k & 1;
    return (p - EU_PREDICATE_ANY2H) % 2 ? set == size : set > 0;
}

static void test_predicates(void **state)
{
    for (unsigned k = 0; k < 400; k++) {
        struct eu_inst inst = alu(EU_OPCODE_MOV, EU_TYPE_UD);
        struct sim_thread t;
        uint32_t f0 = rnd() | rnd(), f1 = rnd();
        inst.exec_size = 16;
        inst.src[0] = imm(EU_TYPE_UD, 1);
        inst.predicate = (enum eu_predicate)(1 + k % 11);
        inst.predicate_inverse = k & 1;
        inst.no_mask = k & 2;
        start(&t);
        t.active = rnd() & 0xffff;
        uint32_t active = t.active;
        memcpy(t.flag, &f0, 4);
        memcpy(t.flag + 4, &f1, 4);
        run_one(&t, inst);
        for (unsigned i = 0; i < 16; i++) {
            bool want = predicate_holds(inst.predicate, f0, f1, i) != inst.predicate_inverse;
            want = want && (inst.no_mask || active >> i & 1);
            assert_int_equal(sim_grf(&t, 20)[i], want);
        }
    }
}

static bool holds(enum eu_cmod c, double x, double y)
{
    switch (c) {
    case EU_CMOD_Z:
        return x == y;
    case EU_CMOD_NZ:
        return x != y;
    case EU_CMOD_G:
        return x > y;
    case EU_CMOD_GE:
        return x >= y;
    case EU_CMOD_L:
        return x < y;
    default:
        return x <= y;
    }
}

/* cmp, sel by condition and by flag, conditions on results. */
static void test_conditions(void **state)
{
    uint32_t values[ARRAY_SIZE(floats)];

    memcpy(values, floats, sizeof values);
    for (unsigned k = 0; k < 600; k++) {
        enum eu_type type = k % 3 == 0 ? EU_TYPE_F : k % 3 == 1 ? EU_TYPE_D : EU_TYPE_UD;
        enum eu_cmod cmod = (enum eu_cmod)(1 + k / 3 % 6);
        struct eu_inst inst = alu(EU_OPCODE_CMP, type);
        struct sim_thread t;
        uint32_t flags;
        inst.cmod = cmod;
        inst.flag_subnr = k & 1;
        start(&t);
        if (type == EU_TYPE_F)
            fill(&t, values, ARRAY_SIZE(values));
        else
            fill(&t, integers, ARRAY_SIZE(integers));
        run_one(&t, inst);
        memcpy(&flags, t.flag, 4);
        for (unsigned i = 0; i < 8; i++) {
            long double x = value_of(type, sim_grf(&t, 10)[i]), y = value_of(type, sim_grf(&t, 12)[i]);
            bool want = holds(cmod, (double)x, (double)y);
            assert_int_equal(flags >> (i + 16 * (k & 1)) & 1, want);
            assert_int_equal(sim_grf(&t, 20)[i], want ? ~0u : 0);
        }
        inst.opcode = EU_OPCODE_SEL;
        inst.cmod = k & 4 ? EU_CMOD_GE : EU_CMOD_L;
        run_one(&t, inst);
        for (unsigned i = 0; i < 8; i++) {
            double x = (double)value_of(type, sim_grf(&t, 10)[i]);
            double y = (double)value_of(type, sim_grf(&t, 12)[i]);
            bool first = holds(inst.cmod, x, y) || isnan(y);
            assert_int_equal(sim_grf(&t, 20)[i], sim_grf(&t, first ? 10 : 12)[i]);
        }
    }
}

/* ----------------------------------------------------------------------------- control flow --- */

static struct eu_inst branch(enum eu_opcode op, int jip, int uip, bool predicate)
{
    return (struct eu_inst){.opcode = op, .exec_size = 16, .jip = jip * 16, .uip = uip * 16,
                            .predicate = predicate ? EU_PREDICATE_NORMAL : EU_PREDICATE_NONE};
}

static struct eu_inst alu_imm(enum eu_opcode op, unsigned reg, int value)
{
    struct eu_inst inst = alu(op, EU_TYPE_D);
    inst.exec_size = 16;
    inst.dst.nr = inst.src[0].nr = (uint8_t)reg;
    inst.src[1] = imm(EU_TYPE_D, (uint32_t)value);
    return inst;
}

static struct eu_inst compare(enum eu_cmod cmod, unsigned a, unsigned b)
{
    struct eu_inst inst = alu(EU_OPCODE_CMP, EU_TYPE_D);
    inst.exec_size = 16;
    inst.cmod = cmod;
    inst.dst = (struct eu_reg){.file = EU_FILE_ARF, .type = EU_TYPE_D, .hstride = 1};
    inst.src[0].nr = (uint8_t)a;
    inst.src[1].nr = (uint8_t)b;
    return inst;
}

/* Each channel: for (i = 0;; i++) { if (i >= n) break; if (i is odd) continue; sum += 10;
 * if (i > m) sum += 1; else sum += 2; } */
static void test_loop(void **state)
{
    struct code c = {.count = 0};
    struct sim_thread t;

    emit(&c, compare(EU_CMOD_GE, 30, 40));                 /* 0 */
    emit(&c, branch(EU_OPCODE_BREAK, 15, 15, true));       /* 1: to while at 16 */
    struct eu_inst odd = alu_imm(EU_OPCODE_AND, 30, 1);
    odd.dst = (struct eu_reg){.file = EU_FILE_ARF, .type = EU_TYPE_D, .hstride = 1};
    odd.cmod = EU_CMOD_NZ;
    emit(&c, alu_imm(EU_OPCODE_ADD, 30, 1));               /* 2: i++ */
    odd.cmod = EU_CMOD_Z;                                  /* i was odd */
    emit(&c, odd);                                         /* 3 */
    emit(&c, branch(EU_OPCODE_CONT, 12, 12, true));        /* 4 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 10));              /* 5 */
    emit(&c, compare(EU_CMOD_G, 30, 60));                  /* 6 */
    emit(&c, branch(EU_OPCODE_IF, 3, 4, true));            /* 7: else + 1 at 10, endif at 11 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 1));               /* 8 */
    emit(&c, branch(EU_OPCODE_ELSE, 2, 2, false));         /* 9 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 2));               /* 10 */
    emit(&c, branch(EU_OPCODE_ENDIF, 5, 0, false));        /* 11 */
    for (unsigned i = 12; i < 16; i++)
        emit(&c, (struct eu_inst){.opcode = EU_OPCODE_NOP});
    emit(&c, branch(EU_OPCODE_WHILE, -16, 0, false));      /* 16 */
    end(&c);

    start(&t);
    t.active = 0xfff7; /* one channel does not run */
    for (unsigned i = 0; i < 16; i++) {
        sim_grf(&t, 40)[i] = i * 3 % 11;
        sim_grf(&t, 60)[i] = i % 5 + 1;
    }
    if (run(&t, &c) != SIM_DONE)
        fail_msg("%s", t.error);
    for (int i = 0; i < 16; i++) {
        int n = i * 3 % 11, m = i % 5 + 1, sum = 0;
        for (int k = 0; k < n && i != 3; k++) {
            if (k % 2)
                continue;
            sum += 10 + (k + 1 > m ? 1 : 2);
        }
        assert_int_equal(sim_grf(&t, 50)[i], sum);
    }
    assert_int_equal(t.active, 0xfff7);
}

/* --------------------------------------------------------------------------------- messages --- */

static uint8_t memory[256];
static struct sim_render_write written;

static bool surface(struct sim_env *env, unsigned index, struct sim_surface *s)
{
    *s = (struct sim_surface){memory, sizeof memory, index == 1};
    return index < 2;
}

static bool render_write(struct sim_env *env, const struct sim_render_write *w)
{
    written = *w;
    return true;
}

static struct eu_inst message(enum eu_sfid sfid, uint32_t desc, unsigned dst, unsigned src)
{
    return (struct eu_inst){.opcode = EU_OPCODE_SEND, .exec_size = 8, .sfid = sfid, .desc = desc,
                            .dst = {.file = EU_FILE_GRF, .nr = (uint8_t)dst, .hstride = 1},
                            .src = {{.file = EU_FILE_GRF, .nr = (uint8_t)src}}};
}

static uint32_t memory_word(unsigned at)
{
    uint32_t word;
    memcpy(&word, memory + at, 4);
    return word;
}

static void test_untyped(void **state)
{
    struct sim_env env = {.surface = surface};
    struct sim_thread t;
    uint32_t simd8 = 2 << 12, x = 0xe << 8, length = 1u << 25, answer = 1u << 20;

    for (unsigned i = 0; i < 256; i++)
        memory[i] = (uint8_t)i;
    start(&t);
    t.env = &env;
    t.active = 0x7f;
    for (unsigned i = 0; i < 8; i++)
        sim_grf(&t, 10)[i] = i * 40; /* the last is outside */
    run_one(&t, message(EU_SFID_DATA_CACHE1, 1 << 14 | simd8 | x | length | answer, 20, 10));
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(sim_grf(&t, 20)[i], i == 6 ? memory_word(240) : memory_word(i * 40));
    /* write: a channel that is off, one that is outside */
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 10)[i] = i == 6 ? 1000 : i * 8;
        sim_grf(&t, 11)[i] = 0xabc00 + i;
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1, 9 << 14 | simd8 | x | 2u << 25, 20, 10));
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(memory_word(i * 8), 0xabc00 + i);
    assert_int_equal(memory[56], 56);
    /* a surface that is read only */
    run_one(&t, message(EU_SFID_DATA_CACHE1, 1 | 9 << 14 | simd8 | x | 2u << 25, 20, 11));
    assert_int_equal(memory_word(0), 0xabc00);
    /* atomic add, all on one word, in order of the channels */
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 10)[i] = 128;
        sim_grf(&t, 11)[i] = i + 1;
    }
    memset(memory + 128, 0, 4);
    run_one(&t, message(EU_SFID_DATA_CACHE1,
                        2 << 14 | 1 << 13 | 1 << 12 | SIM_ATOMIC_ADD << 8 | 2u << 25 | answer, 20, 10));
    assert_int_equal(memory_word(128), 28);
    assert_int_equal(sim_grf(&t, 20)[3], 6);
}

static void test_blocks_and_urb(void **state)
{
    static uint8_t urb[1024], scratch[256];
    struct sim_env env = {.surface = surface, .urb = urb, .urb_size = sizeof urb,
                          .scratch = scratch, .scratch_size = sizeof scratch};
    struct sim_thread t;

    for (unsigned i = 0; i < 256; i++)
        memory[i] = (uint8_t)(i ^ 0x5a);
    start(&t);
    t.env = &env;
    sim_grf(&t, 10)[2] = 4; /* owords */
    run_one(&t, message(EU_SFID_DATA_CONSTANT_CACHE, 1 << 19 | 3 << 8 | 1u << 25 | 2u << 20, 20, 10));
    assert_memory_equal(sim_grf(&t, 20), memory + 64, 64);
    /* scratch, there and back */
    memcpy(sim_grf(&t, 31), memory, 32);
    run_one(&t, message(EU_SFID_DATA_CACHE0, 1 << 19 | 1 << 18 | 1 << 17 | 3 | 2u << 25, 0, 30));
    assert_memory_equal(scratch + 96, memory, 32);
    run_one(&t, message(EU_SFID_DATA_CACHE0, 1 << 19 | 1 << 18 | 3 | 1u << 25 | 1u << 20, 40, 30));
    assert_memory_equal(sim_grf(&t, 40), memory, 32);
    /* URB: component c of channel i's entry, at oword 2 */
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 50)[i] = i * 2;
        for (unsigned c = 0; c < 4; c++)
            sim_grf(&t, 51 + c)[i] = c * 100 + i;
    }
    run_one(&t, message(EU_SFID_URB, 7 | 2 << 4 | 1 << 19 | 5u << 25, 0, 50));
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned c = 0; c < 4; c++) {
            uint32_t word;
            memcpy(&word, urb + i * 128 + 32 + c * 4, 4);
            assert_int_equal(word, c * 100 + i);
        }
    }
}

static void test_render_target(void **state)
{
    struct sim_env env = {.render_write = render_write};
    struct sim_thread t;
    struct eu_inst inst = message(EU_SFID_RENDER_CACHE, 3 | 12 << 14 | 1 << 12 | 8u << 25, 0, 10);

    start(&t);
    t.env = &env;
    t.active = 0x0ff0;
    for (unsigned r = 0; r < 8; r++) {
        for (unsigned i = 0; i < 8; i++)
            sim_grf(&t, 10 + r)[i] = r / 2 * 1000 + r % 2 * 8 + i;
    }
    inst.exec_size = 16;
    run_one(&t, inst);
    assert_int_equal(written.target, 3);
    assert_int_equal(written.mask, 0x0ff0);
    assert_int_equal(written.channels, 16);
    assert_true(written.last);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(written.color[c][i], c * 1000 + i);
    }
}

/* ----------------------------------------------------------------------------------- faults --- */

static void expect_fault(struct eu_inst inst, const char *why)
{
    struct code c = {.count = 0};
    struct sim_env env = {.surface = surface};
    struct sim_thread t;

    emit(&c, (struct eu_inst){.opcode = EU_OPCODE_NOP});
    emit(&c, inst);
    end(&c);
    start(&t);
    t.env = &env;
    assert_int_equal(run(&t, &c), SIM_FAULT);
    if (!strstr(t.error, why) || !strstr(t.error, "offset 16"))
        fail_msg("\"%s\" says nothing of \"%s\" at offset 16", t.error, why);
}

static void test_faults(void **state)
{
    struct eu_inst inst = alu(EU_OPCODE_MOV, EU_TYPE_UD);
    inst.src[0].indirect = true;
    inst.src[0].address_offset = -4;
    expect_fault(inst, "leaves the register file");
    expect_fault((struct eu_inst){.opcode = EU_OPCODE_ILLEGAL}, "illegal");
    expect_fault(branch(EU_OPCODE_ENDIF, 100, 0, false), "jip");
    expect_fault(message(EU_SFID_DATA_CACHE1, 9 | 1 << 14 | 2 << 12 | 1u << 25, 0, 10), "surface");
    expect_fault(message(EU_SFID_DATA_CACHE1, 20 << 14 | 1u << 25, 0, 10), "desc");
    expect_fault(message(EU_SFID_URB, 7 | 2u << 25, 0, 10), "URB");
    inst = message(EU_SFID_SAMPLER, 1 << 17 | 8u << 25, 0, 125);
    expect_fault(inst, "payload");
    expect_fault(branch(EU_OPCODE_WHILE, 0, 0, false), "does not end");
}

static void test_no_end(void **state)
{
    struct code c = {.count = 0};
    struct sim_thread t;

    emit(&c, (struct eu_inst){.opcode = EU_OPCODE_NOP});
    start(&t);
    assert_int_equal(run(&t, &c), SIM_FAULT);
    assert_non_null(strstr(t.error, "end of thread"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_opcodes), cmocka_unit_test(test_float_opcodes),
        cmocka_unit_test(test_math),            cmocka_unit_test(test_accumulator),
        cmocka_unit_test(test_conversions),     cmocka_unit_test(test_immediates),
        cmocka_unit_test(test_regions),         cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_predicates),      cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_loop),            cmocka_unit_test(test_untyped),
        cmocka_unit_test(test_blocks_and_urb),  cmocka_unit_test(test_render_target),
        cmocka_unit_test(test_faults),          cmocka_unit_test(test_no_end),
    };
    return cmocka_run_group_tests(tests, find_device, NULL);
}
