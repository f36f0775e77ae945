/* SPDX-License-Identifier: MIT */
/*
 * Tests of lowering bit sizes other than 32 to 32-bit operations: 64-bit integers and floats, and 8
 * and 16 bits. Results must have the same bits for many values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "nir_test.h"

/* Random bits; half of the values are close to special values. */
struct values {
    uint64_t state;
};

static uint64_t random_bits(struct values *v)
{
    v->state = v->state * 6364136223846793005ull + 1442695040888963407ull;
    return v->state >> 32 | (v->state * 0x9e3779b97f4a7c15ull & 0xffffffff00000000ull);
}

static uint64_t random_int(struct values *v)
{
    static const uint64_t special[] = {0,          1,          2,          3,
                                       0xffff,     0x10000,    UINT32_MAX, 1ull << 32,
                                       INT64_MAX,  1ull << 63, UINT64_MAX, 0xffffffff00000000ull,
                                       0x7fffffff, 0x80000000};
    uint64_t bits = random_bits(v);
    switch (bits & 3) {
    case 0:
        return special[(bits >> 8) % ARRAY_SIZE(special)] + (bits >> 16) % 5 - 2;
    case 1:
        return random_bits(v) >> (bits >> 8) % 64;
    case 2:
        return random_bits(v) << (bits >> 8) % 64;
    default:
        return random_bits(v);
    }
}

static uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t random_double(struct values *v)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     2.5,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     0x1p-1074,
                                     0x1p-1022,
                                     0x1.fffffffffffffp1023,
                                     0x1.fffffffffffffp0,
                                     0x1.fffffffffffffp-1023,
                                     4503599627370495.5,
                                     0x1p52,
                                     0x1p64,
                                     0x1p63,
                                     -0x1p63,
                                     3.0,
                                     0x1p-1023};
    uint64_t bits = random_bits(v);
    switch (bits & 3) {
    case 0:
        return double_bits(special[(bits >> 8) % ARRAY_SIZE(special)]) + (bits >> 16) % 3 - 1;
    case 1: /* close to 1, few bits: quotients halfway between two numbers */
        return double_bits(ldexp((double)((bits >> 8) % 4096 + 1), (int)(bits >> 24) % 40 - 26));
    case 2: /* denormal quotients */
        return (random_bits(v) & ~(0x7ffull << 52)) | ((bits >> 8) % 60) << 52;
    default:
        return random_bits(v);
    }
}

typedef uint64_t (*value_fn)(struct values *v);

/* Checks the results for pairs of values before and after the pass. */
static void check_values(nir_shader *before, nir_shader *after, value_fn value, bool is_float,
                         unsigned count)
{
    struct values v = {1};
    for (unsigned i = 0; i < count; i++) {
        struct nir_eval want = {0}, have;
        for (unsigned s = 0; s < 3; s++) {
            uint64_t bits = value(&v);
            want.inputs[s][0] = (uint32_t)bits;
            want.inputs[s][1] = (uint32_t)(bits >> 32);
        }
        have = want;
        test_evaluate(&want, before);
        test_evaluate(&have, after);
        uint64_t x = want.outputs[0][0] | (uint64_t)want.outputs[0][1] << 32;
        uint64_t y = have.outputs[0][0] | (uint64_t)have.outputs[0][1] << 32;
        bool both_nan =
            is_float && (x & INT64_MAX) > 0x7ffull << 52 && (y & INT64_MAX) > 0x7ffull << 52;
        if (x != y && !both_nan) {
            nir_print_shader(before, stdout);
            printf("of %08x%08x, %08x%08x: %016llx instead of %016llx\n", want.inputs[0][1],
                   want.inputs[0][0], want.inputs[1][1], want.inputs[1][0], (unsigned long long)y,
                   (unsigned long long)x);
            fail();
        }
    }
}

static bool is_packing(nir_op op)
{
    return op == nir_op_pack_64_2x32 || op == nir_op_pack_64_2x32_split ||
           op == nir_op_unpack_64_2x32 || op == nir_op_unpack_64_2x32_split_x ||
           op == nir_op_unpack_64_2x32_split_y;
}

/* Returns the number of instructions with that opcode that read or write 64-bit values;
 * nir_num_opcodes: all except packing. */
static unsigned count_wide(nir_shader *shader, nir_op op)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_alu)
                continue;
            nir_alu_instr *alu = nir_instr_as_alu(instr);
            bool wide = alu->def.bit_size == 64;
            for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++)
                wide |= alu->src[s].src.ssa->bit_size == 64;
            n += wide && (op == nir_num_opcodes ? !is_packing(alu->op) : alu->op == op);
        }
    }
    return n;
}

/* Builds op on two 64-bit inputs, converted to its source sizes. */
static nir_builder build_op(nir_op op)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const nir_op_info *info = &nir_op_infos[op];
    nir_def *srcs[3];
    for (unsigned s = 0; s < info->num_inputs; s++) {
        nir_def *x = test_input_64(&b, s);
        unsigned size = nir_alu_type_get_type_size(info->input_types[s]);
        srcs[s] = size == 32  ? nir_unpack_64_2x32_split_x(&b, x)
                  : size == 1 ? nir_ilt_imm(&b, x, 0)
                              : x;
    }
    test_output(&b, nir_build_alu(&b, op, srcs), 0);
    return b;
}

static void test_int64(void **state)
{
    static const nir_op ops[] = {
        nir_op_iadd,        nir_op_isub,         nir_op_ineg,         nir_op_iabs,
        nir_op_inot,        nir_op_iand,         nir_op_ior,          nir_op_ixor,
        nir_op_imin,        nir_op_imax,         nir_op_umin,         nir_op_umax,
        nir_op_ieq,         nir_op_ine,          nir_op_ilt,          nir_op_ige,
        nir_op_ult,         nir_op_uge,          nir_op_bcsel,        nir_op_ishl,
        nir_op_ishr,        nir_op_ushr,         nir_op_imul,         nir_op_imul_high,
        nir_op_umul_high,   nir_op_imul_2x32_64, nir_op_umul_2x32_64, nir_op_udiv,
        nir_op_umod,        nir_op_idiv,         nir_op_irem,         nir_op_imod,
        nir_op_ufind_msb,   nir_op_ifind_msb,    nir_op_find_lsb,     nir_op_bit_count,
        nir_op_isign,       nir_op_extract_u8,   nir_op_extract_i8,   nir_op_extract_u16,
        nir_op_extract_i16, nir_op_uadd_carry,   nir_op_usub_borrow,  nir_op_uadd_sat,
        nir_op_usub_sat,    nir_op_iadd_sat,     nir_op_isub_sat,     nir_op_i2i32,
        nir_op_u2u16,       nir_op_i2i8,         nir_op_i2f32,        nir_op_u2f32,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        nir_builder b = build_op(ops[i]);
        nir_shader *before = nir_shader_clone(NULL, b.shader);
        RUN(&b, nir_lower_int64, NIR_INT64_ALL);
        assert_int_equal(count_wide(b.shader, nir_num_opcodes), 0);
        check_values(before, b.shader, random_int, false, 300);
        nir_shader_destroy(before);
        nir_shader_destroy(b.shader);
    }
}

/* Conversions between floats and 64-bit integers. */
static void test_int64_conversions(void **state)
{
    static const nir_op ops[] = {nir_op_i2f64, nir_op_u2f64, nir_op_f2i64, nir_op_f2u64};
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(ops); i++) {
        nir_op op = ops[i / 2];
        bool to_int = op == nir_op_f2i64 || op == nir_op_f2u64;
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *x = test_input_64(&b, 0);
        if (i % 2) /* through 32 bits */
            x = to_int ? nir_f2f32(&b, x) : nir_i2i32(&b, x);
        nir_def *srcs[1] = {x};
        test_output(&b, nir_build_alu(&b, op, srcs), 0);
        nir_shader *before = nir_shader_clone(NULL, b.shader);
        nir_lower_int64(b.shader, NIR_INT64_CONVERSIONS);
        nir_validate_shader(b.shader, "after nir_lower_int64");
        /* 32-bit conversions stay, and lowering creates some. */
        assert_true(!to_int || count_wide(b.shader, op) == 0);
        check_values(before, b.shader, to_int ? random_double : random_int, false, 1000);
        nir_shader_destroy(before);
        nir_shader_destroy(b.shader);
    }
}

/* Lowers only the selected groups, and no 32-bit operations. */
static void test_int64_groups(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input_64(&b, 0), *y = test_input_64(&b, 1);
    test_output(&b, nir_imul(&b, nir_iadd(&b, x, y), x), 0);
    nir_def *low = test_input(&b, 1);
    test_output(&b, nir_udiv(&b, low, nir_imul(&b, low, low)), 1);
    EXPECT_UNCHANGED(&b, nir_lower_int64, NIR_INT64_DIVIDE | NIR_INT64_SHIFTS);
    RUN(&b, nir_lower_int64, NIR_INT64_MULTIPLY);
    assert_int_equal(count_wide(b.shader, nir_num_opcodes), 1);
    EXPECT_UNCHANGED(&b, nir_lower_int64, NIR_INT64_MULTIPLY);
    nir_shader_destroy(b.shader);
}

static void test_doubles(void **state)
{
    static const nir_op ops[] = {
        nir_op_fdiv,  nir_op_frcp,   nir_op_fsqrt,       nir_op_frsq, nir_op_ftrunc, nir_op_ffloor,
        nir_op_fceil, nir_op_ffract, nir_op_fround_even, nir_op_fsat, nir_op_fsign,  nir_op_flrp,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        nir_builder b = build_op(ops[i]);
        nir_shader *before = nir_shader_clone(NULL, b.shader);
        RUN(&b, nir_lower_double_ops);
        assert_int_equal(count_wide(b.shader, ops[i]), 0);
        EXPECT_UNCHANGED(&b, nir_lower_double_ops);
        check_values(before, b.shader, random_double, true, i < 4 ? 6000 : 1000);
        nir_shader_destroy(before);
        nir_shader_destroy(b.shader);
    }
}

/* Sums that cancel, ties and denormal results: y and z are close to values that x determines. */
static uint64_t random_related(struct values *v)
{
    uint64_t bits = random_bits(v);
    if (bits & 1)
        return random_double(v);
    /* Few different exponents and long runs of ones and zeros. */
    uint64_t fraction = random_bits(v) >> 12, run = UINT64_MAX >> (12 + (bits >> 8) % 52);
    fraction = bits & 2 ? run ^ (bits >> 20 & 3) : bits & 4 ? fraction & ~run : fraction | run;
    uint64_t exponent = bits & 8 ? 1023 + (bits >> 32) % 4 : (bits >> 32) % 120 + 960;
    exponent = bits & 16 ? exponent : (bits >> 40) % 3;
    return bits >> 63 << 63 | exponent << 52 | (fraction & UINT64_MAX >> 12);
}

static void check_soft_double(nir_builder *b, bool float_result, unsigned count)
{
    nir_shader *before = nir_shader_clone(NULL, b->shader);
    RUN(b, nir_lower_doubles);
    assert_int_equal(count_wide(b->shader, nir_num_opcodes), 0);
    EXPECT_UNCHANGED(b, nir_lower_doubles);
    check_values(before, b->shader, random_double, float_result, count);
    check_values(before, b->shader, random_related, float_result, count);
    nir_shader_destroy(before);
    nir_shader_destroy(b->shader);
}

/* Every operation in integer arithmetic. */
static void test_soft_doubles(void **state)
{
    static const nir_op ops[] = {
        nir_op_fadd,        nir_op_fsub,   nir_op_fmul,   nir_op_ffma,   nir_op_fdiv,
        nir_op_frcp,        nir_op_fsqrt,  nir_op_frsq,   nir_op_fmin,   nir_op_fmax,
        nir_op_fneg,        nir_op_fabs,   nir_op_ftrunc, nir_op_ffloor, nir_op_fceil,
        nir_op_fround_even, nir_op_ffract, nir_op_fsat,   nir_op_fsign,  nir_op_flrp,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        nir_builder b = build_op(ops[i]);
        check_soft_double(&b, true, i < 8 ? 20000 : 4000);
    }
}

static void test_soft_double_comparisons(void **state)
{
    static const nir_op ops[] = {nir_op_flt, nir_op_fge, nir_op_feq, nir_op_fneu};
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        nir_builder b = build_op(ops[i]);
        check_soft_double(&b, false, 5000);
    }
}

static void test_soft_double_conversions(void **state)
{
    static const nir_op ops[] = {nir_op_f2i32, nir_op_f2u32, nir_op_f2i64, nir_op_f2u64};
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        nir_builder b = build_op(ops[i]);
        check_soft_double(&b, false, 5000);
    }
    nir_builder to_float = test_shader(SHADER_FRAGMENT); /* 0 instead of NaN */
    nir_def *d = test_input_64(&to_float, 0), *is_number = nir_feq(&to_float, d, d);
    nir_def *f = nir_f2f32(&to_float, d);
    test_output(&to_float, nir_bcsel(&to_float, is_number, f, nir_imm_int(&to_float, 0)), 0);
    check_soft_double(&to_float, false, 10000);
    for (unsigned i = 0; i < 6; i++) { /* from integers, a float and a boolean */
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *x = test_input_64(&b, 0), *low = nir_unpack_64_2x32_split_y(&b, x);
        nir_def *y = i == 0   ? nir_i2f64(&b, x)
                     : i == 1 ? nir_u2f64(&b, x)
                     : i == 2 ? nir_i2f64(&b, low)
                     : i == 3 ? nir_u2f64(&b, low)
                     : i == 4 ? nir_f2f64(&b, low)
                              : nir_b2f64(&b, nir_ilt_imm(&b, low, 0));
        test_output(&b, y, 0);
        nir_shader *before = nir_shader_clone(NULL, b.shader);
        RUN(&b, nir_lower_doubles);
        assert_int_equal(count_wide(b.shader, nir_num_opcodes), 0);
        check_values(before, b.shader, random_int, true, 10000);
        nir_shader_destroy(before);
        nir_shader_destroy(b.shader);
    }
}

static void test_doubles_alone(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *d = test_input_64(&b, 1);
    test_output(&b, nir_fdiv(&b, nir_fsqrt(&b, x), nir_ffloor(&b, x)), 0);
    test_output(&b, nir_fmul(&b, d, nir_fadd(&b, d, d)), 1);
    EXPECT_UNCHANGED(&b, nir_lower_double_ops);
    nir_shader_destroy(b.shader);
}

/* --- 8 and 16 bits --- */

static unsigned count_small(nir_shader *shader)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            n += def && (def->bit_size == 8 || def->bit_size == 16);
        }
    }
    return n;
}

/* Builds op on the low bits of the inputs; half results are stored as integers. */
static nir_builder build_small_op(nir_op op, unsigned bits)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const nir_op_info *info = &nir_op_infos[op];
    nir_def *srcs[4];
    for (unsigned s = 0; s < info->num_inputs; s++) {
        nir_def *x =
            nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .base = (int)(s % 2), .component = s / 2);
        unsigned size = nir_alu_type_get_type_size(info->input_types[s]);
        srcs[s] = size == 32 ? x : size == 1 ? nir_ilt_imm(&b, x, 0) : nir_u2uN(&b, x, bits);
    }
    test_output(&b, nir_build_alu(&b, op, srcs), 0);
    return b;
}

static bool is_nan_half(uint32_t half)
{
    return (half & 0x7fff) > 0x7c00;
}

static void check_small(nir_shader *before, nir_shader *after, bool is_half)
{
    struct values v = {1};
    for (unsigned i = 0; i < 400; i++) {
        struct nir_eval want = {0}, have;
        for (unsigned s = 0; s < 4; s++)
            want.inputs[s % 2][s / 2] = (uint32_t)random_int(&v);
        have = want;
        test_evaluate(&want, before);
        test_evaluate(&have, after);
        uint32_t x = want.outputs[0][0], y = have.outputs[0][0];
        bool both_nan = is_half && is_nan_half(x) && is_nan_half(y);
        if (!both_nan)
            assert_int_equal(x, y);
    }
}

/* Every opcode without a fixed size. */
static void test_small(void **state)
{
    for (nir_op op = 0; op < nir_num_opcodes; op++) {
        const nir_op_info *info = &nir_op_infos[op];
        bool is_float = nir_alu_type_get_base_type(info->output_type) == nir_type_float;
        unsigned sizes = 0;
        for (unsigned s = 0; s < info->num_inputs; s++) {
            unsigned size = nir_alu_type_get_type_size(info->input_types[s]);
            is_float |= nir_alu_type_get_base_type(info->input_types[s]) == nir_type_float;
            sizes |= 1u << (size == 1 ? 0 : size == 32 ? 1 : size == 0 ? 2 : 3);
        }
        bool open = nir_alu_type_get_type_size(info->output_type) == 0 || sizes & 4;
        unsigned out = nir_alu_type_get_type_size(info->output_type);
        if (!open || sizes & 8 || info->output_size || nir_op_is_vec(op) ||
            (out == 32 && nir_alu_type_get_base_type(info->output_type) == nir_type_uint &&
             op != nir_op_bit_count && op != nir_op_u2u32 && op != nir_op_f2u32))
            continue; /* comparisons with 32-bit results exist only after nir_lower_bool_to_int32 */
        for (unsigned bits = is_float ? 16 : 8; bits <= 16; bits += 8) {
            nir_builder b = build_small_op(op, bits);
            nir_shader *before = nir_shader_clone(NULL, b.shader);
            RUN(&b, nir_lower_bit_size);
            assert_int_equal(count_small(b.shader), 0);
            EXPECT_UNCHANGED(&b, nir_lower_bit_size);
            check_small(before, b.shader, is_float);
            nir_shader_destroy(before);
            nir_shader_destroy(b.shader);
        }
    }
}

/* Conversions to small sizes from all others, through phis and registers. */
static void test_small_flow(void **state)
{
    static const nir_op ops[] = {nir_op_f2i8,  nir_op_f2u8,      nir_op_f2i16, nir_op_f2u16,
                                 nir_op_f2f16, nir_op_f2f16_rtz, nir_op_i2f16, nir_op_u2f16,
                                 nir_op_i2i8,  nir_op_u2u16};
    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        nir_def *x = test_input(&b, 1), *wide = test_input_64(&b, 0);
        nir_def *one = nir_build_alu(&b, ops[i], &x), *two = nir_build_alu(&b, ops[i], &wide);
        nir_def *reg = nir_decl_reg(&b, .num_components = 1, .bit_size = one->bit_size);
        nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, x, 0));
        nir_store_reg(&b, one, reg);
        nir_pop_if(&b, nif);
        nir_def *phi = nir_if_phi(&b, one, two);
        test_output(&b, nir_ixor(&b, phi, nir_load_reg(&b, 1, one->bit_size, reg)), 0);
        nir_shader *before = nir_shader_clone(NULL, b.shader);
        RUN(&b, nir_lower_bit_size);
        assert_int_equal(count_small(b.shader), 0);
        check_small(before, b.shader, false);
        nir_shader_destroy(before);
        nir_shader_destroy(b.shader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int64),
        cmocka_unit_test(test_int64_conversions),
        cmocka_unit_test(test_int64_groups),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_soft_doubles),
        cmocka_unit_test(test_soft_double_comparisons),
        cmocka_unit_test(test_soft_double_conversions),
        cmocka_unit_test(test_doubles_alone),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_small_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
