/* SPDX-License-Identifier: MIT */
/*
 * Tests that kernels compute the bits that constants are folded to, also those of NaN: the functions
 * of nir_math.h at 10,000 arguments, and all opcodes and atomic operations on floats with special
 * operands. At every width, with both code generators and the interpreter.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "nir/nir_build_math.h"
#include "nir/nir_builder.h"
#include "nir/nir_math.h"

#define COUNT 10000 /* arguments of each function; a multiple of all widths */

#include "jit_test.h"

/* NaN, also a signaling one, gives -2. */
static float clamp(float value)
{
    return value > -2.0f ? value < 2.0f ? value : 2.0f : -2.0f;
}

static nir_def *build_clamp(nir_builder *b, nir_def *value)
{
    return nir_fmin(b, nir_fmax(b, value, nir_imm_float(b, -2.0f)), nir_imm_float(b, 2.0f));
}

static nir_def *build_selections(nir_builder *b, nir_def *value)
{
    nir_def *low = nir_imm_float(b, -2.0f), *high = nir_imm_float(b, 2.0f);
    return nir_bcsel(b, nir_flt(b, low, value), nir_bcsel(b, nir_flt(b, value, high), value, high),
                     low);
}

static const struct function {
    const char *name;
    float (*value)(float x);
    nir_def *(*build)(nir_builder *b, nir_def *x);
    float (*value2)(float x, float y); /* if it has two arguments */
    nir_def *(*build2)(nir_builder *b, nir_def *x, nir_def *y);
} functions[] = {
    {"clamp", clamp, build_clamp},
    {"selections", clamp, build_selections},
    {"exp2", nir_math_exp2, nir_fexp2},
    {"log2", nir_math_log2, nir_flog2},
    {"exp", nir_math_exp, nir_build_exp},
    {"log", nir_math_log, nir_build_log},
    {"sin", nir_math_sin, nir_fsin},
    {"cos", nir_math_cos, nir_fcos},
    {"tan", nir_math_tan, nir_build_tan},
    {"asin", nir_math_asin, nir_build_asin},
    {"acos", nir_math_acos, nir_build_acos},
    {"atan", nir_math_atan, nir_build_atan},
    {"sinh", nir_math_sinh, nir_build_sinh},
    {"cosh", nir_math_cosh, nir_build_cosh},
    {"tanh", nir_math_tanh, nir_build_tanh},
    {"asinh", nir_math_asinh, nir_build_asinh},
    {"acosh", nir_math_acosh, nir_build_acosh},
    {"atanh", nir_math_atanh, nir_build_atanh},
    {"pow", NULL, NULL, nir_math_pow, nir_fpow},
    {"atan2", NULL, NULL, nir_math_atan2, nir_build_atan2},
};

static const char *const runners[] = {"LLVM", "baseline code", "the interpreter"};

/* Special values first, in all pairs, then values in [-8, 8) and any bits in turn. */
static float argument(unsigned i)
{
    static const float special[] = {0.0f,     -0.0f,     1.0f, -1.0f,  0.5f,   -0.5f,
                                    INFINITY, -INFINITY, NAN,  1e-40f, 1e-30f, 131008.0f};
    const uint32_t word = random_word();
    if (i < ARRAY_SIZE(special) * ARRAY_SIZE(special))
        return special[i % ARRAY_SIZE(special)];
    return i & 1 ? uif(word) : (float)(word >> 8) * 0x1p-20f - 8.0f;
}

/* What a kernel computes: a function, or an opcode if f is NULL. */
struct subject {
    const struct function *f;
    nir_op op;
    unsigned bits; /* size of the opcode's operands and results that have none */
};

/* Returns the size of operand i of an opcode; i is -1 for the result. */
static unsigned size_of(const struct subject *s, int i)
{
    const nir_op_info *info = &nir_op_infos[s->op];
    unsigned size =
        nir_alu_type_get_type_size(i < 0 ? info->output_type : info->input_types[(unsigned)i]);
    return size ? size : s->bits;
}

/* Returns the word of operand i of an opcode, of which narrow operands use the low bits. The high
 * word of a 64-bit operand is the same. */
static nir_def *operand(nir_builder *b, unsigned bits, nir_def *word)
{
    switch (bits) {
    case 1:
        return nir_ine_imm(b, nir_iand_imm(b, word, 1), 0);
    case 64:
        return nir_ior(b, nir_u2u64(b, word), nir_ishl_imm(b, nir_u2u64(b, word), 32));
    default:
        return nir_u2uN(b, word, bits);
    }
}

/* Returns the result of an opcode as a word. The words of a 64-bit result are combined. */
static nir_def *build_op(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *const words[] = {p, q, p, q};
    nir_def *src[ARRAY_SIZE(words)];
    for (unsigned i = 0; i < nir_op_infos[s->op].num_inputs; i++)
        src[i] = operand(b, size_of(s, (int)i), words[i]);
    nir_def *value = nir_build_alu(b, s->op, src);
    if (value->bit_size == 1)
        return nir_b2i32(b, value);
    if (value->bit_size == 64)
        return nir_ixor(b, nir_u2u32(b, value), nir_u2u32(b, nir_ushr_imm(b, value, 32)));
    return nir_u2u32(b, value);
}

static const struct subject *tested; /* what build_tested() computes */

static nir_def *build_tested(nir_builder *b, nir_def *p, nir_def *q)
{
    const struct function *f = tested->f;
    return !f ? build_op(b, tested, p, q) : f->build2 ? f->build2(b, p, q) : f->build(b, p);
}

/* Returns whether k selects a width and a runner of it. */
static bool selects_runner(unsigned k)
{
    return has_runner(widths[k / NUM_RUNNERS], k % NUM_RUNNERS);
}

/* Computes out[i] = s(x[i], y[i]) for all i < count. Returns false if kernels can't contain the
 * opcode. k selects the width and the runner. */
static bool run_subject(unsigned k, const struct subject *s, unsigned count)
{
    tested = s;
    elements = count;
    memset(out, 0x55, sizeof out);
    return try_with(engine_of(widths[k / NUM_RUNNERS], k % NUM_RUNNERS), build_tested, out, x, y);
}

static void test_functions(void **state)
{
    for (unsigned n = 0; n < ARRAY_SIZE(functions); n++) {
        const struct function *f = &functions[n];
        for (unsigned i = 0; i < COUNT; i++) {
            x[i] = fui(argument(i));
            y[i] = fui(argument(i < 144 ? i / 12 : i));
        }
        for (unsigned k = 0; k < NUM_RUNNERS * ARRAY_SIZE(widths); k++) {
            if (!selects_runner(k))
                continue;
            assert_true(run_subject(k, &(struct subject){.f = f}, COUNT));
            for (unsigned i = 0; i < COUNT; i++) {
                const float value =
                    f->value ? f->value(uif(x[i])) : f->value2(uif(x[i]), uif(y[i]));
                const uint32_t sign = isnan(value) ? 1u << 31 : 0; /* of NaN, it may differ */
                if ((out[i] & ~sign) != (isnan(value) ? fui(NAN) : fui(value)))
                    fail_msg("%s(%a, %a) by %s with %u lanes: %a, not %a", f->name, uif(x[i]),
                             uif(y[i]), runners[k % NUM_RUNNERS], widths[k / NUM_RUNNERS],
                             uif(out[i]), value);
            }
        }
    }
}

/* --- NaN --- */

/* Bits of 16, 32 and 64-bit operands (see operand()): zeros, infinities, quiet NaNs with both signs,
 * one with a payload, a signaling one, numbers. */
static const uint32_t specials[][10] = {
    {0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7e55, 0x7d00, 0x3c00, 0xbc00},
    {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7fc12345, 0x7fa00000,
     0x3f800000, 0xbf800000},
    {0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0xfff80000, 0x7ff91234, 0x7ff40000,
     0x3ff00000, 0xbff00000},
};
#define NUM_SPECIALS ARRAY_SIZE(specials[0])
#define NUM_PAIRS    112 /* NUM_SPECIALS squared, rounded up to a multiple of all widths */

/* Sets x and y to all pairs of specials[n]. */
static void fill_specials(unsigned n)
{
    for (unsigned i = 0; i < NUM_PAIRS; i++) {
        x[i] = specials[n][i % NUM_SPECIALS];
        y[i] = specials[n][i / NUM_SPECIALS % NUM_SPECIALS];
    }
}

/* Returns what constant folding gives for x[i] and y[i], as build_op() combines it. */
static uint32_t folded(const struct subject *s, unsigned i)
{
    nir_const_value value[4] = {0}, *src[4], result;
    for (unsigned k = 0; k < nir_op_infos[s->op].num_inputs; k++) {
        const uint64_t word = k & 1 ? y[i] : x[i];
        const unsigned bits = size_of(s, (int)k);
        src[k] = &value[k];
        value[k].u64 = bits == 64  ? word << 32 | word
                       : bits == 1 ? word & 1
                                   : word & ((1ull << bits) - 1);
    }
    nir_eval_const_opcode(s->op, &result, 1, s->bits, src);
    switch (size_of(s, -1)) {
    case 1:
        return result.b;
    case 8:
        return result.u8;
    case 16:
        return result.u16;
    case 64:
        return (uint32_t)(result.u64 ^ result.u64 >> 32);
    default:
        return result.u32;
    }
}

/* Returns false if kernels can't contain the opcode. */
static bool check_op(const struct subject *s)
{
    for (unsigned k = 0; k < NUM_RUNNERS * ARRAY_SIZE(widths); k++) {
        if (!selects_runner(k))
            continue;
        if (!run_subject(k, s, NUM_PAIRS))
            return false;
        for (unsigned i = 0; i < NUM_PAIRS; i++)
            if (out[i] != folded(s, i))
                fail_msg("%s (%u bits) of 0x%x and 0x%x by %s with %u lanes: 0x%x, not 0x%x",
                         nir_op_infos[s->op].name, s->bits, x[i], y[i], runners[k % NUM_RUNNERS],
                         widths[k / NUM_RUNNERS], out[i], folded(s, i));
    }
    return true;
}

/* Invalid operations, and operations on NaNs, store the NaN of constant folding. */
static void test_nans(void **state)
{
    unsigned count = 0;
    for (unsigned op = 0; op < nir_num_opcodes; op++) {
        const nir_op_info *info = &nir_op_infos[op];
        const nir_alu_type type = info->num_inputs ? info->input_types[0] : nir_type_uint;
        if (nir_alu_type_get_base_type(type) != nir_type_float || info->output_size ||
            info->input_sizes[0] || (info->algebraic_properties & NIR_OP_IS_DERIVATIVE))
            continue;
        const unsigned fixed = nir_alu_type_get_type_size(type);
        for (unsigned n = 0; n < ARRAY_SIZE(specials); n++) {
            struct subject s = {.op = op, .bits = 16u << n};
            if (fixed && fixed != s.bits)
                continue;
            fill_specials(n);
            count += check_op(&s);
        }
    }
    assert_true(count > 70);
}

/* --- atomic operations --- */

static struct {
    nir_atomic_op op;
    unsigned bits, access;
} atomic; /* what build_atomic() computes */

/* Returns what the operation leaves in memory that contains x. Each lane has its own memory, in the
 * part of `out` that has no results. */
static nir_def *build_atomic(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *base = nir_load_kernel_arg(b, .base = 0);
    nir_def *offset =
        nir_iadd_imm(b, nir_ishl_imm(b, nir_load_subgroup_invocation(b), 3), sizeof out / 2);
    nir_store_global(b, operand(b, atomic.bits, p), base, offset, .write_mask = 1, .align_mul = 8);
    nir_global_atomic(b, atomic.bits, base, offset, operand(b, atomic.bits, q),
                      .access = atomic.access, .atomic_op = atomic.op);
    nir_def *value = nir_load_global(b, 1, atomic.bits, base, offset, .align_mul = 8);
    return atomic.bits == 64
               ? nir_ixor(b, nir_u2u32(b, value), nir_u2u32(b, nir_ushr_imm(b, value, 32)))
               : value;
}

static double atomic_result(double a, double b)
{
    const double result = atomic.op == nir_atomic_op_fadd   ? a + b
                          : atomic.op == nir_atomic_op_fmin ? (b < a || isnan(a) ? b : a)
                                                            : (b > a || isnan(a) ? b : a);
    return isnan(result) ? (double)NAN : result;
}

static uint32_t expected_atomic(uint32_t p, uint32_t q)
{
    const uint64_t words[2] = {(uint64_t)p << 32 | p, (uint64_t)q << 32 | q};
    double wide[2], result;
    uint64_t bits;
    if (atomic.bits == 32)
        return fui((float)atomic_result(uif(p), uif(q)));
    memcpy(wide, words, sizeof wide);
    result = atomic_result(wide[0], wide[1]);
    memcpy(&bits, &result, sizeof bits);
    return (uint32_t)(bits ^ bits >> 32);
}

static void check_atomic(void)
{
    for (unsigned k = 0; k < NUM_RUNNERS * ARRAY_SIZE(widths); k++) {
        if (!selects_runner(k))
            continue;
        run(widths[k / NUM_RUNNERS], k % NUM_RUNNERS, build_atomic, out, x, y);
        for (unsigned i = 0; i < NUM_PAIRS; i++)
            if (out[i] != expected_atomic(x[i], y[i]))
                fail_msg("atomic operation %u (%u bits, access %u) of 0x%x and 0x%x by %s with %u "
                         "lanes: 0x%x, not 0x%x",
                         atomic.op, atomic.bits, atomic.access, x[i], y[i],
                         runners[k % NUM_RUNNERS], widths[k / NUM_RUNNERS], out[i],
                         expected_atomic(x[i], y[i]));
    }
}

/* Atomic operations on floats store the same NaN as other operations. */
static void test_atomics(void **state)
{
    static const nir_atomic_op ops[] = {nir_atomic_op_fadd, nir_atomic_op_fmin, nir_atomic_op_fmax};
    elements = NUM_PAIRS;
    for (unsigned n = 0; n < 4 * ARRAY_SIZE(ops); n++) {
        atomic.op = ops[n / 4];
        atomic.bits = n & 1 ? 64 : 32;
        atomic.access = n & 2 ? ACCESS_ONE_THREAD : 0;
        fill_specials(n & 1 ? 2 : 1);
        check_atomic();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_nans),
        cmocka_unit_test(test_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
