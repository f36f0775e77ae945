/* SPDX-License-Identifier: MIT */
/*
 * The simulator against plain C: conversions, immediates, regions, predicates, conditions, control
 * flow, faults. Opcodes and messages have separate files.
 */
#include "sim_test.h"

#include <math.h>
#include <string.h>

#include "util/half.h"

/* ------------------------------------------------------------------------------ conversions --- */

static const enum eu_type types[] = {EU_TYPE_UD, EU_TYPE_D, EU_TYPE_UW, EU_TYPE_W,
                                     EU_TYPE_UB, EU_TYPE_B, EU_TYPE_UQ, EU_TYPE_Q,
                                     EU_TYPE_HF, EU_TYPE_F, EU_TYPE_DF};

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
        long double hi =
            is_signed_type(to) ? ldexpl(1, (int)size - 1) - 1 : ldexpl(1, (int)size) - 1;
        long double lo = is_signed_type(to) ? -ldexpl(1, (int)size - 1) : 0;
        v = isnan((double)v) ? 0 : truncl(clamped(v, lo, hi));
        return v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
    }
    return bits << (64 - eu_type_size(from) * 8) && is_signed_type(from)
               ? (uint64_t)((int64_t)(bits << (64 - eu_type_size(from) * 8)) >>
                            (64 - eu_type_size(from) * 8))
               : bits;
}

static void check_conversion(enum eu_type to, enum eu_type from, bool saturate)
{
    unsigned from_size = eu_type_size(from), to_size = eu_type_size(to);
    uint64_t mask = to_size == 8 ? UINT64_MAX : (UINT64_C(1) << to_size * 8) - 1;
    struct eu_inst inst = alu(EU_OPCODE_MOV, from);
    struct sim_thread t;

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
    bool nan = is_real(to) && isnan((double)value_of(to, want)) && isnan((double)value_of(to, got));
    if (got != want && !nan)
        fail_msg("type %d to %d%s: %#llx gives %#llx, not %#llx", from, to, saturate ? " sat" : "",
                 (unsigned long long)bits, (unsigned long long)got, (unsigned long long)want);
}

void test_conversions(void **state)
{
    for (unsigned a = 0; a < ARRAY_SIZE(types); a++) {
        for (unsigned b = 0; b < ARRAY_SIZE(types); b++) {
            for (unsigned k = 0; k < 40; k++)
                check_conversion(types[a], types[b], k & 1);
        }
    }
}

void test_immediates(void **state)
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

void test_regions(void **state)
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

void test_indirect(void **state)
{
    struct eu_inst inst = alu(EU_OPCODE_MOV, EU_TYPE_UD);
    struct sim_thread t;

    start(&t);
    for (unsigned i = 0; i < 64; i++)
        sim_grf(&t, 10)[i] = i * 11;
    for (unsigned i = 0; i < 8; i++)
        ((uint16_t *)t.address)[i] = (uint16_t)(320 + (7 - i) * 12);
    inst.src[0] = (struct eu_reg){.file = EU_FILE_GRF,
                                  .type = EU_TYPE_UD,
                                  .indirect = true,
                                  .address_offset = -8,
                                  .vstride = EU_VSTRIDE_ONE_DIMENSIONAL,
                                  .width = 1};
    ((uint16_t *)t.address)[7] = 328;
    run_one(&t, inst);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(sim_grf(&t, 20)[i], ((7 - i) * 3 - 2) * 11);
    assert_int_equal(sim_grf(&t, 20)[7], 0);
    /* One address per operand, including the destination. */
    inst.src[0].vstride = 8;
    inst.src[0].width = 8;
    inst.src[0].hstride = 1;
    inst.src[0].address_offset = 0;
    inst.dst = (struct eu_reg){.file = EU_FILE_GRF,
                               .type = EU_TYPE_UD,
                               .hstride = 1,
                               .indirect = true,
                               .address_subnr = 3,
                               .address_offset = 64};
    ((uint16_t *)t.address)[0] = 320;
    ((uint16_t *)t.address)[3] = 900;
    run_one(&t, inst);
    assert_memory_equal(t.grf + 964, t.grf + 320, 32);
}

/* ------------------------------------------------------------------------------- predicates --- */

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

void test_predicates(void **state)
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

/* cmp, sel by condition and by flag, conditional modifiers on results. */
void test_conditions(void **state)
{
    uint32_t values[SIM_NUM_FLOATS];

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
            fill(&t, integers, SIM_NUM_INTEGERS);
        run_one(&t, inst);
        memcpy(&flags, t.flag, 4);
        for (unsigned i = 0; i < 8; i++) {
            long double x = value_of(type, sim_grf(&t, 10)[i]),
                        y = value_of(type, sim_grf(&t, 12)[i]);
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
void test_loop(void **state)
{
    struct code c = {.count = 0};
    struct sim_thread t;

    emit(&c, compare(EU_CMOD_GE, 30, 40));           /* 0 */
    emit(&c, branch(EU_OPCODE_BREAK, 15, 15, true)); /* 1: to while at 16 */
    struct eu_inst odd = alu_imm(EU_OPCODE_AND, 30, 1);
    odd.dst = (struct eu_reg){.file = EU_FILE_ARF, .type = EU_TYPE_D, .hstride = 1};
    odd.cmod = EU_CMOD_NZ;
    emit(&c, alu_imm(EU_OPCODE_ADD, 30, 1));        /* 2: i++ */
    odd.cmod = EU_CMOD_Z;                           /* i was odd */
    emit(&c, odd);                                  /* 3 */
    emit(&c, branch(EU_OPCODE_CONT, 12, 12, true)); /* 4 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 10));       /* 5 */
    emit(&c, compare(EU_CMOD_G, 30, 60));           /* 6 */
    emit(&c, branch(EU_OPCODE_IF, 3, 4, true));     /* 7: else + 1 at 10, endif at 11 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 1));        /* 8 */
    emit(&c, branch(EU_OPCODE_ELSE, 2, 2, false));  /* 9 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 2));        /* 10 */
    emit(&c, branch(EU_OPCODE_ENDIF, 5, 0, false)); /* 11 */
    for (unsigned i = 12; i < 16; i++)
        emit(&c, (struct eu_inst){.opcode = EU_OPCODE_NOP});
    emit(&c, branch(EU_OPCODE_WHILE, -16, 0, false)); /* 16 */
    end(&c);

    start(&t);
    t.active = 0xfff7; /* One channel is disabled. */
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

/* Halted channels wait at the last halt; another channel executes the code in between. */
void test_halt(void **state)
{
    struct code c = {.count = 0};
    struct sim_thread t;

    emit(&c, compare(EU_CMOD_GE, 30, 40));               /* 0 */
    emit(&c, branch(EU_OPCODE_HALT, 3, 3, true));        /* 1 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 5));             /* 2 */
    emit(&c, (struct eu_inst){.opcode = EU_OPCODE_NOP}); /* 3 */
    emit(&c, branch(EU_OPCODE_HALT, 1, 1, false));       /* 4 */
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 100));           /* 5 */
    end(&c);
    start(&t);
    for (unsigned i = 0; i < 16; i++) {
        sim_grf(&t, 30)[i] = i;
        sim_grf(&t, 40)[i] = 6;
    }
    assert_int_equal(run(&t, &c), SIM_DONE);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(sim_grf(&t, 50)[i], i >= 6 ? 100 : 105);
}

/* All channels jump if the first flag bit is set. */
void test_jump(void **state)
{
    for (unsigned k = 0; k < 4; k++) {
        struct code c = {.count = 0};
        struct eu_inst jump = branch(EU_OPCODE_JMPI, 2, 0, k & 1);
        struct sim_thread t;
        jump.exec_size = 1;
        jump.src[0].file = EU_FILE_IMM;
        emit(&c, jump);
        emit(&c, alu_imm(EU_OPCODE_ADD, 50, 7));
        end(&c);
        start(&t);
        t.flag[0] = k & 2 ? 1 : 0xfe;
        assert_int_equal(run(&t, &c), SIM_DONE);
        assert_int_equal(sim_grf(&t, 50)[3], (k & 1) && !(k & 2) ? 7 : 0);
    }
}

/* ----------------------------------------------------------------------------------- faults --- */

static bool surface(struct sim_env *env, unsigned index, struct sim_surface *s)
{
    *s = (struct sim_surface){0};
    return index < 2;
}

static bool locate(struct sim_env *env, unsigned surface, int32_t x, int32_t y, uint8_t **byte)
{
    *byte = NULL;
    return true;
}

static void expect_fault(struct eu_inst inst, const char *why)
{
    struct code c = {.count = 0};
    struct sim_env env = {.surface = surface, .locate = locate};
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

void test_faults(void **state)
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
    /* A render target read with the subtype of SIMD8 writes. */
    expect_fault(
        message(EU_SFID_RENDER_CACHE, 13 << 14 | 4 << 8 | 1 << 19 | 2u << 25 | 4 << 20, 0, 10),
        "kind of render target read");
    /* A media block write with a header, but no payload. */
    expect_fault(message(EU_SFID_DATA_CACHE1, 10 << 14 | 1 << 19, 0, 10), "more data");
    inst = message(EU_SFID_SAMPLER, 1 << 17 | 8u << 25, 0, 125);
    expect_fault(inst, "payload");
    expect_fault(branch(EU_OPCODE_WHILE, 0, 0, false), "does not end");
}

/* A program with one wrong bit runs, or ends with an error that names the offset and the field. */
static void check_corrupt(const struct code *good, unsigned bit)
{
    struct sim_env env = {.surface = surface};
    struct code c = *good;
    struct sim_thread t;
    char error[160] = "";

    c.word[bit / 64] ^= UINT64_C(1) << bit % 64;
    struct sim_program *p =
        sim_program_create(sim_dev, (const uint8_t *)c.word, c.count * 16ul, error, sizeof error);
    start(&t);
    t.program = p;
    t.env = &env;
    t.max_steps = 1000;
    if (p && sim_thread_run(&t) == SIM_FAULT)
        memcpy(error, t.error, sizeof t.error);
    sim_program_destroy(p);
    bool endless = strstr(error, "does not end") || strstr(error, "without an end of thread");
    if (error[0] && !endless && (!strstr(error, "offset ") || !strstr(error, "field ")))
        fail_msg("bit %u: \"%s\" names no offset and field", bit, error);
    if (!p && !error[0])
        fail_msg("bit %u: no program, and no error", bit);
}

void test_corrupt(void **state)
{
    struct code c = {.count = 0};
    struct eu_inst three = alu(EU_OPCODE_MAD, EU_TYPE_F), math = alu(EU_OPCODE_MATH, EU_TYPE_F);

    three.align16 = true;
    math.math = EU_MATH_POW;
    emit(&c, alu(EU_OPCODE_ADD, EU_TYPE_F));
    emit(&c, three);
    emit(&c, math);
    emit(&c, compare(EU_CMOD_G, 30, 60));
    emit(&c, branch(EU_OPCODE_IF, 2, 2, true));
    emit(&c, alu_imm(EU_OPCODE_ADD, 50, 1));
    emit(&c, branch(EU_OPCODE_ENDIF, 1, 0, false));
    emit(&c,
         message(EU_SFID_DATA_CACHE1, 1 << 14 | 2 << 12 | 0xe << 8 | 1u << 25 | 1u << 20, 20, 10));
    end(&c);
    for (unsigned bit = 0; bit < c.count * 128; bit++)
        check_corrupt(&c, bit);
}

/* Runs an instruction of Mesa's kernels, whose fields are changed by xor, and checks r11. Channels
 * that are not in writes keep their value, 100. */
static void check_align16(uint64_t xor0, uint64_t xor1, const float expected[8])
{
    /* add (8) r11.0<1>.xyzw:f -r10.0<4>.xyxy:f r10.0<4>.zwzw:f */
    struct code c = {
        .word = {UINT64_C(0x216f3ae800600140) ^ xor0, UINT64_C(0x006e014e3a644144) ^ xor1},
        .count = 1};
    uint32_t values[16];
    struct sim_thread t;

    for (unsigned i = 0; i < 16; i++)
        values[i] = as_bits(i < 8 ? (float)(i * i) : 100);
    end(&c);
    start(&t);
    memcpy(sim_grf(&t, 10), values, sizeof values);
    assert_int_equal(run(&t, &c), SIM_DONE);
    for (unsigned i = 0; i < 8; i++) {
        if (as_float(sim_grf(&t, 11)[i]) != expected[i])
            fail_msg("channel %u: %f, expected %f", i, (double)as_float(sim_grf(&t, 11)[i]),
                     (double)expected[i]);
    }
}

void test_align16(void **state)
{
    if (sim_dev->has_align1_3src)
        return;
    check_align16(0, 0, (const float[]){4, 8, 4, 8, 20, 24, 20, 24});
    /* Write mask .xz. */
    check_align16(UINT64_C(10) << 48, 0, (const float[]){4, 100, 4, 100, 20, 100, 20, 100});
    /* src0 is r10.0<0>: the first row for all channels. */
    check_align16(0, UINT64_C(3) << 21, (const float[]){4, 8, 4, 8, 36, 48, 36, 48});
}

void test_no_end(void **state)
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
        cmocka_unit_test(test_opcodes),       cmocka_unit_test(test_math),
        cmocka_unit_test(test_accumulator),   cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_immediates),    cmocka_unit_test(test_regions),
        cmocka_unit_test(test_indirect),      cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_conditions),    cmocka_unit_test(test_loop),
        cmocka_unit_test(test_halt),          cmocka_unit_test(test_jump),
        cmocka_unit_test(test_untyped),       cmocka_unit_test(test_typed),
        cmocka_unit_test(test_a64),           cmocka_unit_test(test_a64_atomics),
        cmocka_unit_test(test_a64_scattered), cmocka_unit_test(test_render_read),
        cmocka_unit_test(test_split_payload), cmocka_unit_test(test_blocks_and_urb),
        cmocka_unit_test(test_render_target), cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_faults),        cmocka_unit_test(test_corrupt),
        cmocka_unit_test(test_not_modelled),  cmocka_unit_test(test_no_end),
        cmocka_unit_test(test_scoreboard),    cmocka_unit_test(test_align16),
        cmocka_unit_test(test_all_ran),
    };
    return cmocka_run_group_tests(tests, sim_find_device, NULL);
}
