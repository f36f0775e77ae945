/* SPDX-License-Identifier: MIT */
/*
 * Tests of kernels: each runs at every width, with every code generator and the interpreter. All
 * results must be the same bits, and those computed in C.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include "jit_test.h"
#include "nir/nir_math.h"
#include "util/half.h"
#include "util/srgb_half.h"

/* --- bodies of kernels --- */

static nir_def *body_integer(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *sum = nir_iadd(b, nir_idiv(b, p, q), nir_imul(b, nir_umod(b, p, q), p));
    return nir_ixor(b, nir_ishl(b, sum, q), nir_udiv(b, q, p));
}

static void test_integer(void **state)
{
    fill_integers();
    run_all(body_integer, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        int32_t p = x[i], q = y[i];
        uint32_t div = q == 0 ? 0 : q == -1 ? -(uint32_t)p : (uint32_t)(p / q);
        uint32_t mod = y[i] ? x[i] % y[i] : 0;
        uint32_t expected = (div + mod * x[i]) << (y[i] & 31);
        assert_int_equal(out[i], expected ^ (x[i] ? y[i] / x[i] : 0));
    }
}

/* Returns p with ten bits replaced by those of q where q is odd, as a color mask does; otherwise
 * `elsewhere`. */
static nir_def *put_bits(nir_builder *b, nir_def *p, nir_def *q, nir_def *elsewhere)
{
    nir_def *bits = nir_ior(b, nir_iand_imm(b, p, 0xfffffc00), nir_iand_imm(b, q, 0x3ff));
    nir_def *odd = nir_ine_imm(b, nir_iand_imm(b, q, 1), 0);
    return nir_bcsel(b, odd, bits, elsewhere);
}

static nir_def *body_bits_or_p(nir_builder *b, nir_def *p, nir_def *q)
{
    return put_bits(b, p, q, p);
}

static nir_def *body_bits_or_q(nir_builder *b, nir_def *p, nir_def *q)
{
    return put_bits(b, p, q, q);
}

static void test_select_bits(void **state)
{
    fill_integers();
    for (unsigned which = 0; which < 2; which++) {
        run_all(which ? body_bits_or_q : body_bits_or_p, out, x, y);
        for (unsigned i = 0; i < COUNT; i++)
            assert_int_equal(out[i], y[i] & 1 ? (x[i] & 0xfffffc00) | (y[i] & 0x3ff)
                                     : which  ? y[i]
                                              : x[i]);
    }
}

/* Lanes take different sides of nested ifs. */
static nir_def *body_if(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *odd = nir_imm_int(b, 99);
    nir_if *outer = nir_push_if(b, nir_ult(b, p, q));
    nir_def *r1 = nir_iadd(b, p, nir_imm_int(b, 7));
    nir_push_else(b, outer);
    nir_if *inner =
        nir_push_if(b, nir_ieq(b, nir_iand(b, p, nir_imm_int(b, 1)), nir_imm_int(b, 0)));
    nir_def *r2 = nir_imul(b, p, q);
    nir_pop_if(b, inner);
    nir_def *r3 = nir_if_phi(b, r2, odd);
    nir_pop_if(b, outer);
    return nir_if_phi(b, r1, r3);
}

static void test_if(void **state)
{
    fill_integers();
    run_all(body_if, out, x, y);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(out[i], x[i] < y[i] ? x[i] + 7 : x[i] & 1 ? 99 : x[i] * y[i]);
}

/* Counts the steps of the Collatz sequence from x & 1023. Lanes leave the loop at different times;
 * odd numbers use `continue`. */
static nir_def *body_loop(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *n = nir_local_variable_create(b->impl, glsl_uint_type(), "n");
    nir_variable *steps = nir_local_variable_create(b->impl, glsl_uint_type(), "steps");
    nir_store_var(b, n, nir_iand(b, p, nir_imm_int(b, 1023)), 1);
    nir_store_var(b, steps, nir_imm_int(b, 0), 1);
    nir_push_loop(b);
    {
        nir_def *value = nir_load_var(b, n);
        nir_break_if(b, nir_uge(b, nir_imm_int(b, 1), value));
        nir_store_var(b, steps, nir_iadd(b, nir_load_var(b, steps), nir_imm_int(b, 1)), 1);
        nir_if *odd =
            nir_push_if(b, nir_ine(b, nir_iand(b, value, nir_imm_int(b, 1)), nir_imm_int(b, 0)));
        nir_store_var(b, n, nir_iadd(b, nir_imul(b, value, nir_imm_int(b, 3)), nir_imm_int(b, 1)),
                      1);
        nir_jump(b, nir_jump_continue);
        nir_pop_if(b, odd);
        nir_store_var(b, n, nir_ushr(b, value, nir_imm_int(b, 1)), 1);
    }
    nir_pop_loop(b, NULL);
    return nir_iadd(b, nir_load_var(b, steps), nir_ishl(b, nir_load_var(b, n), q));
}

static void test_loop(void **state)
{
    fill_integers();
    run_all(body_loop, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t n = x[i] & 1023, steps = 0;
        while (n > 1) {
            n = n & 1 ? n * 3 + 1 : n / 2;
            steps++;
        }
        assert_int_equal(out[i], steps + (n << (y[i] & 31)));
    }
}

/* Derivatives: fddx, fine and coarse fddy. */
static nir_def *body_quad(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *fine = nir_fadd(b, nir_fddx(b, p), nir_fmul_imm(b, nir_fddy_fine(b, q), 4.0));
    return nir_fadd(b, fine, nir_fmul_imm(b, nir_fddy_coarse(b, p), 16.0));
}

static void test_quad(void **state)
{
    fill_floats(-1, 1);
    run_all(body_quad, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        const uint32_t *quad = x + (i & ~3u), *row = quad + (i & 2);
        const uint32_t *column = y + (i & ~3u) + (i & 1);
        float dx = uif(row[1]) - uif(row[0]), dy = uif(quad[2]) - uif(quad[0]);
        float fine_dy = uif(column[2]) - uif(column[0]);
        assert_int_equal(out[i], fui(dx + 4 * fine_dy + 16 * dy));
    }
}

/* Gathers y[x]. */
static nir_def *body_gather(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *table = nir_load_kernel_arg(b, .base = 2);
    nir_def *offset = nir_ishl(b, nir_iand(b, p, nir_imm_int(b, COUNT - 1)), nir_imm_int(b, 2));
    return nir_load_global_constant(b, 1, 32, table, offset);
}

static void test_gather(void **state)
{
    fill_integers();
    run_all(body_gather, out, x, y);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(out[i], y[x[i] & (COUNT - 1)]);
}

/* Loads two to four words per lane. Inactive lanes have offsets out of bounds. */
static nir_def *body_rows(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *table = nir_load_kernel_arg(b, .base = 2), *sum = nir_imm_int(b, 0);
    nir_def *unwanted = nir_imm_int(b, 1);
    nir_def *wanted = nir_ine_imm(b, nir_iand_imm(b, p, 1), 0), *all = q;
    nir_def *offset = nir_ishl_imm(b, nir_iand_imm(b, p, COUNT / 4 - 1), 4);
    offset = nir_bcsel(b, wanted, offset, nir_imm_int(b, 0x70000000));
    nir_push_if(b, wanted);
    for (unsigned n = 2; n <= 4; n++) {
        nir_def *row = nir_load_global_constant(b, n, 32, table, offset, .align_mul = 4);
        for (unsigned c = 0; c < n; c++)
            sum = nir_iadd(b, nir_imul_imm(b, sum, 3), nir_channel(b, row, c));
    }
    nir_pop_if(b, NULL);
    sum = nir_if_phi(b, sum, unwanted);
    for (unsigned n = 2; n <= 4; n++) {
        nir_def *at = nir_ishl_imm(b, nir_iand_imm(b, q, COUNT / 4 - 1), 4);
        nir_def *row = nir_load_global_constant(b, n, 32, table, at, .align_mul = 4);
        for (unsigned c = 0; c < n; c++)
            all = nir_iadd(b, nir_imul_imm(b, all, 5), nir_channel(b, row, c));
    }
    return nir_iadd(b, all, sum);
}

static void test_rows(void **state)
{
    fill_integers();
    run_all(body_rows, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        const uint32_t *row = y + (x[i] & (COUNT / 4 - 1)) * 4;
        const uint32_t *other = y + (y[i] & (COUNT / 4 - 1)) * 4;
        uint32_t sum = 0, all = y[i];
        for (unsigned n = 2; n <= 4; n++) {
            for (unsigned c = 0; c < n; c++) {
                sum = sum * 3 + row[c];
                all = all * 5 + other[c];
            }
        }
        assert_int_equal(out[i], all + (x[i] & 1 ? sum : 1));
    }
}

static nir_def *body_lerp(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_lerp_2x16(b, p, q, nir_ixor(b, p, nir_ishl(b, q, nir_imm_int(b, 3))));
}

static void test_lerp_halves(void **state)
{
    fill_integers();
    run_all(body_lerp, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t share = x[i] ^ y[i] << 3, wanted = 0;
        for (unsigned half = 0; half < 32; half += 16) {
            int a = (uint16_t)(x[i] >> half), difference = (int16_t)((y[i] >> half) - a);
            int product = difference * (int16_t)(share >> half);
            wanted |= ((uint32_t)(a + ((product + 0x4000) >> 15)) & 0xffff) << half;
        }
        assert_int_equal(out[i], wanted);
    }
}

static nir_def *first_word(nir_builder *b)
{
    nir_def *table = nir_load_kernel_arg(b, .base = 2);
    return nir_load_global_constant(b, 1, 32, table, nir_imm_int(b, 0));
}

/* umin_2x16 of vectors, and of uniform words. */
static nir_def *body_lesser(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *word = first_word(b), *same = nir_umin_2x16(b, word, nir_ishl_imm(b, word, 5));
    return nir_ixor(b, nir_umin_2x16(b, p, q), nir_umin_2x16(b, nir_umin_2x16(b, q, word), same));
}

static uint32_t lesser_halves(uint32_t a, uint32_t b)
{
    return MIN2(a & 0xffff, b & 0xffff) | MIN2(a & 0xffff0000, b & 0xffff0000);
}

static void test_lesser_halves(void **state)
{
    fill_integers();
    y[0] = 0x71234567;
    run_all(body_lesser, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t word = lesser_halves(lesser_halves(y[i], y[0]), lesser_halves(y[0], y[0] << 5));
        assert_int_equal(out[i], lesser_halves(x[i], y[i]) ^ word);
    }
}

static nir_def *body_sums_of_halves(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *word = first_word(b), *same = nir_iadd_2x16(b, word, nir_ishl_imm(b, word, 5));
    nir_def *sum = nir_iadd_2x16(b, nir_iadd_2x16(b, q, word), nir_share_2x16(b, same));
    return nir_ixor(b, nir_iadd_2x16(b, p, q), nir_ixor(b, sum, nir_share_2x16(b, p)));
}

static uint32_t sum_of_halves(uint32_t a, uint32_t b)
{
    return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000));
}

static void test_sums_of_halves(void **state)
{
    fill_integers();
    y[0] = 0x7123f567;
    run_all(body_sums_of_halves, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t same = (sum_of_halves(y[0], y[0] << 5) & 0xff) * 0x00800080;
        uint32_t word = sum_of_halves(sum_of_halves(y[i], y[0]), same) ^ (x[i] & 0xff) * 0x00800080;
        assert_int_equal(out[i], sum_of_halves(x[i], y[i]) ^ word);
    }
}

static nir_def *body_block_rows(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_rows_of_blocks(b, nir_vec2(b, p, q), nir_iand_imm(b, first_word(b), 7));
}

/* x holds the texels of one block and y those of the block above it, 16 per vector. */
static void test_rows_of_blocks(void **state)
{
    for (unsigned first = 0; first <= 4; first++) {
        fill_integers();
        y[0] = first;
        for (unsigned runner = 0; runner < NUM_RUNNERS; runner++) {
            run(16, runner, body_block_rows, out, x, y);
            for (unsigned i = 0; i < COUNT; i++) {
                unsigned column = i >> 2 & 3, row = first + (i & 3);
                unsigned texel = (column & 1) + (row & 1) * 2 + (column & 2) * 2 + (row & 2) * 4;
                assert_int_equal(out[i], (row < 4 ? x : y)[(i & ~15u) + texel]);
            }
        }
    }
}

/* sRGB decoding of vectors and of a uniform word. */
static nir_def *body_srgb(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *word = first_word(b);
    nir_def *odd = nir_ixor(b, nir_srgb_odd_2x16(b, q), nir_srgb_odd_2x16(b, word));
    return nir_ixor(b, nir_srgb_even_2x16(b, p), nir_ishl(b, odd, nir_imm_int(b, 1)));
}

static uint32_t srgb_halves(uint32_t low, uint32_t high)
{
    return util_srgb_half((uint8_t)low) | (uint32_t)util_srgb_half((uint8_t)high) << 16;
}

static void check_srgb(void)
{
    uint32_t first = srgb_halves(y[0] >> 8, y[0] >> 24);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t odd = srgb_halves(y[i] >> 8, y[i] >> 24) ^ first;
        assert_int_equal(out[i], srgb_halves(x[i], x[i] >> 16) ^ odd << 1);
    }
}

/* All byte values, with and without byte permutations. */
static void test_srgb(void **state)
{
    for (unsigned first = 0; first < 256; first += COUNT) {
        for (unsigned i = 0; i < COUNT; i++) {
            x[i] = ((first + i) & 0xff) * 0x01010101u ^ 0x5500aa00;
            y[i] = ((first + i) & 0xff) * 0x01010101u ^ 0x00330066;
        }
        run_all(body_srgb, out, x, y);
        check_srgb();
        struct jit_engine *engine = jit_engine_create(16);
        assert_non_null(engine);
        engine->permutes_bytes = false;
        run_with(engine, body_srgb, out, x, y);
        check_srgb();
    }
}

/* Looks up in tables of one, two and four vectors, whose entry i is i * i. The tables' sizes depend
 * on the width; indices are below four per vector, which exist at every width. */
static nir_def *body_lookup(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *lane = nir_load_subgroup_invocation(b), *size = nir_load_subgroup_size(b);
    nir_def *vector[4], *sum = nir_imm_int(b, 0);
    for (unsigned i = 0; i < 4; i++) {
        nir_def *number = nir_iadd(b, lane, nir_imul_imm(b, size, i));
        vector[i] = nir_imul(b, number, number);
    }
    for (unsigned n = 1; n <= 4; n *= 2) {
        nir_def *index = nir_iand_imm(b, p, n * 4 - 1);
        sum = nir_iadd(b, sum, nir_lookup_lanes(b, nir_vec(b, vector, n), index));
    }
    return nir_iadd(b, sum, nir_read_invocation(b, q, nir_imm_int(b, 3)));
}

static void test_lookup(void **state)
{
    fill_integers();
    for (unsigned i = 0; i < COUNT; i++)
        y[i] = 7;
    run_all(body_lookup, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t wanted = 7;
        for (unsigned n = 1; n <= 4; n *= 2)
            wanted += (x[i] & (n * 4 - 1)) * (x[i] & (n * 4 - 1));
        assert_int_equal(out[i], wanted);
    }
}

/* min_2x16 in an if and in a loop. The pattern of values repeats every four lanes, so the minimum
 * is the same at every width. After the break no lane is active; the load's address, which depends
 * on a minimum, must be valid even then. */
static nir_def *body_min(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *sum = nir_local_variable_create(b->impl, glsl_uint_type(), "sum");
    nir_store_var(b, sum, nir_imm_int(b, 0), 1);
    nir_push_if(b, nir_ine_imm(b, p, 0));
    nir_store_var(b, sum, nir_min_2x16(b, q), 1);
    nir_pop_if(b, NULL);
    nir_loop *loop = nir_push_loop(b);
    nir_break_if(b, nir_ine(b, p, q));
    nir_def *far = nir_ushr_imm(b, nir_min_2x16(b, nir_iand_imm(b, p, 1)), 4);
    nir_def *loaded =
        nir_load_global_block(b, 1, 32, nir_load_kernel_arg(b, .base = 1), nir_ishl_imm(b, far, 2));
    nir_store_var(b, sum, nir_iadd(b, nir_load_var(b, sum), loaded), 1);
    nir_jump(b, nir_jump_break);
    nir_pop_loop(b, loop);
    return nir_load_var(b, sum);
}

static void test_min_halves(void **state)
{
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = i % 4 == 1 || i % 4 == 2;
        y[i] = i % 4 == 1 ? 0x00059000 : i % 4 == 2 ? 0xfff00003 : 0x00010002;
    }
    run_all(body_min, out, x, y);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(out[i], x[i] ? 0x00050003 : 0);
}

/* --- half floats --- */

static nir_def *body_halves(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *half = nir_u2u32(b, nir_f2f16(b, p)), *number = nir_f2f32(b, nir_u2u16(b, q));
    return nir_iadd(b, half, number);
}

/* Returns the bits of the value, or those that all NaN results have. */
static uint32_t result_bits(float value)
{
    return fui(isnan(value) ? NAN : value);
}

/* Tests all exponents, ties, denormals and NaN. */
static void test_halves(void **state)
{
    for (unsigned round = 0; round < 8; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t exponent = i & 1 ? 100 + i / 2 % 48 : random_word() & 0xff;
            uint32_t mantissa = i & 2 ? random_word() & 0x7fffff : random_word() & 0x7ff000;
            x[i] = (i & 4) << 29 | exponent << 23 | mantissa;
            y[i] = i << 6 | (random_word() & 0x3f);
        }
        run_all(body_halves, out, x, y);
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t half = util_float_to_half(uif(result_bits(uif(x[i]))));
            assert_int_equal(out[i], half + result_bits(util_half_to_float((uint16_t)y[i])));
        }
    }
}

/* --- bilinear filters: y holds the texels, x bits of their indices and of the weights --- */

static nir_def *hash_channels(nir_builder *b, nir_def *channels)
{
    nir_def *sum = nir_channel(b, channels, 0);
    for (int c = 1; c < 4; c++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 5), nir_channel(b, channels, c));
    return sum;
}

static nir_def *bilinear(nir_builder *b, nir_def *bits, nir_def *beyond, bool halves)
{
    nir_def *offset[4], *weight[2];
    for (unsigned i = 0; i < 4; i++) {
        nir_def *number = nir_iand_imm(b, nir_ushr_imm(b, bits, 6 * i), 63);
        offset[i] = nir_iadd(b, nir_imul_imm(b, number, halves ? 8 : 16), beyond);
    }
    for (unsigned i = 0; i < 2; i++)
        weight[i] = nir_fmul_imm(
            b, nir_u2f32(b, nir_iand_imm(b, nir_ushr_imm(b, bits, 20 + 5 * i), 127)), 1.0 / 127);
    return hash_channels(
        b, nir_load_global_bilinear(b, nir_load_kernel_arg(b, .base = 2), nir_vec(b, offset, 4),
                                    nir_vec2(b, weight[0], weight[1]),
                                    .dest_type = halves ? nir_type_float16 : nir_type_float32));
}

#define UNIFORM_BITS 0x5a3c7e19

/* Bilinear filters with all lanes active, with some, and uniform. Inactive lanes have offsets out
 * of bounds. */
static nir_def *body_bilinear(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *sum = nir_local_variable_create(b->impl, glsl_uint_type(), "sum");
    nir_def *zero = nir_imm_int(b, 0),
            *total = nir_iadd(b, bilinear(b, p, zero, false), bilinear(b, p, zero, true));
    nir_store_var(b, sum, zero, 1);
    nir_push_if(b, nir_ine_imm(b, nir_iand_imm(b, p, 1), 0));
    nir_def *beyond = nir_ishl_imm(b, nir_iand_imm(b, nir_inot(b, p), 1), 30);
    nir_store_var(b, sum, nir_iadd(b, bilinear(b, p, beyond, false), bilinear(b, p, beyond, true)),
                  1);
    nir_pop_if(b, NULL);
    total = nir_iadd(b, total, nir_load_var(b, sum));
    nir_def *uniform = nir_imm_int(b, UNIFORM_BITS);
    return nir_iadd(
        b, total, nir_ixor(b, bilinear(b, uniform, zero, false), bilinear(b, uniform, zero, true)));
}

static float mixed(float p, float q, float weight)
{
    volatile float product = (q - p) * weight; /* volatile prevents contraction */
    return p + product;
}

/* Returns the expected hash of a filtered texel. numbers holds the indices of four texels, 6 bits
 * each. */
static uint32_t expected_of_texels(uint32_t numbers, uint32_t bits, bool halves)
{
    uint32_t hash = 0;
    const float weight[2] = {(float)(bits >> 20 & 127) * (float)(1.0 / 127),
                             (float)(bits >> 25 & 127) * (float)(1.0 / 127)};
    for (unsigned c = 0; c < 4; c++) {
        float texel[4];
        for (unsigned i = 0; i < 4; i++) {
            const unsigned at = (numbers >> 6 * i & 63) * 4 + c;
            texel[i] =
                halves ? util_half_to_float((uint16_t)(y[at / 2] >> at % 2 * 16)) : uif(y[at]);
        }
        hash = hash * 5 + fui(mixed(mixed(texel[0], texel[1], weight[0]),
                                    mixed(texel[2], texel[3], weight[0]), weight[1]));
    }
    return hash;
}

static uint32_t expected_bilinear(uint32_t bits, bool halves)
{
    return expected_of_texels(bits, bits, halves);
}

static void test_bilinear(void **state)
{
    const uint32_t numbers = 0xbfffbfff; /* no infinity or NaN, as floats and as half floats */
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = random_word();
        y[i] = random_word() & numbers;
    }
    run_all(body_bilinear, out, x, y);
    const uint32_t uniform =
        expected_bilinear(UNIFORM_BITS, false) ^ expected_bilinear(UNIFORM_BITS, true);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t once = expected_bilinear(x[i], false) + expected_bilinear(x[i], true);
        assert_int_equal(out[i], once * (1 + (x[i] & 1)) + uniform);
    }
}

/* Offsets of rows: row n starts at texel n. */
static uint32_t rows_of_halves[32], rows_of_floats[32];

static nir_def *grid(nir_builder *b, nir_def *bits, bool halves)
{
    nir_def *weight[2];
    for (unsigned i = 0; i < 2; i++)
        weight[i] = nir_fmul_imm(
            b, nir_u2f32(b, nir_iand_imm(b, nir_ushr_imm(b, bits, 20 + 5 * i), 127)), 1.0 / 127);
    nir_def *offset = nir_imul_imm(b, nir_iand_imm(b, bits, 31), halves ? 8 : 16);
    nir_def *row = nir_ishl_imm(b, nir_iand_imm(b, nir_ushr_imm(b, bits, 5), 31), 2);
    const uint64_t table = (uintptr_t)(halves ? rows_of_halves : rows_of_floats);
    return hash_channels(b, nir_load_global_bilinear_grid(
                                b, nir_load_kernel_arg(b, .base = 2),
                                nir_imm_intN_t(b, (int64_t)table, 64), nir_vec2(b, offset, row),
                                nir_vec2(b, weight[0], weight[1]),
                                .dest_type = halves ? nir_type_float16 : nir_type_float32));
}

static nir_def *body_grid(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_iadd(b, grid(b, p, false), grid(b, p, true));
}

/* Returns the lane that holds the column offset of a tap for lane i. */
static unsigned column_lane(unsigned lanes, unsigned i, unsigned tap)
{
    return lanes == 8 ? (i & 5) + 2 * tap : (i & 1) + (i >> 1 & 2) + 4 * tap;
}

/* Returns the lane that holds the row offset of a tap for lane i. */
static unsigned row_lane(unsigned lanes, unsigned i, unsigned tap)
{
    return lanes == 8 ? (i & 2) + tap : 8 + (i >> 1 & 1) + (i >> 2 & 2) + 4 * tap;
}

static void set_row(uint32_t *bits, unsigned number)
{
    *bits = (*bits & ~(31u << 5)) | (number & 31) << 5;
}

/* The index of a texel is the sum of a column index and a row index. */
static void test_bilinear_grid(void **state)
{
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = random_word();
        y[i] = random_word() & 0xbfffbfff;
        if ((i & 7) == 2 && i & 8) /* same row as two lanes before */
            set_row(&x[i], x[i - 2] >> 5);
        if (i & 1) /* with 8 lanes: the second tap's row depends on the first one's */
            set_row(&x[i], 7 * (x[i - 1] >> 5) + 3);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(rows_of_floats); i++) {
        rows_of_halves[i] = 8 * i;
        rows_of_floats[i] = 16 * i;
    }
    for (unsigned n = 0; n < 2 * NUM_RUNNERS; n++) {
        const unsigned lanes = n < NUM_RUNNERS ? 8 : 16;
        run(lanes, n % NUM_RUNNERS, body_grid, out, x, y);
        for (unsigned i = 0; i < COUNT; i++) {
            const uint32_t *vector = x + (i & ~(lanes - 1));
            uint32_t numbers = 0;
            for (unsigned tap = 0; tap < 4; tap++) {
                const unsigned column = column_lane(lanes, i, tap & 1),
                               row = row_lane(lanes, i, tap >> 1);
                numbers |= ((vector[column] & 31) + (vector[row] >> 5 & 31)) << 6 * tap;
            }
            assert_int_equal(out[i], expected_of_texels(numbers, x[i], false) +
                                         expected_of_texels(numbers, x[i], true));
        }
    }
}

/* --- functions, compared with libm in double precision --- */

static nir_def *body_exp2(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_fexp2(b, p);
}

static nir_def *body_log2(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_flog2(b, p);
}

static nir_def *body_sin(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_fsin(b, p);
}

static nir_def *body_cos(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_fcos(b, p);
}

static nir_def *body_pow(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_fpow(b, p, q);
}

static void check_close(double (*exact)(double), double relative, double absolute)
{
    for (unsigned i = 0; i < COUNT; i++) {
        double wanted = exact(uif(x[i])), got = uif(out[i]);
        double error = fabs(got - wanted);
        if (!(error <= absolute || error <= relative * fabs(wanted)))
            fail_msg("of %.9g: %.9g, exactly %.9g", uif(x[i]), got, wanted);
    }
}

static void test_functions(void **state)
{
    fill_floats(-120, 120);
    run_all(body_exp2, out, x, y);
    check_close(exp2, 3e-7, 0);
    fill_floats(0, 1000);
    run_all(body_log2, out, x, y);
    check_close(log2, 3e-7, 2e-7);
    fill_floats(-300, 300);
    run_all(body_sin, out, x, y);
    check_close(sin, 1e-6, 1e-6);
    run_all(body_cos, out, x, y);
    check_close(cos, 1e-6, 1e-6);
    fill_floats(0.01f, 10);
    run_all(body_pow, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        double wanted = pow(uif(x[i]), uif(y[i]));
        assert_true(fabs(uif(out[i]) - wanted) <= 1e-5 * wanted);
    }
}

static void test_special_values(void **state)
{
    const float values[] = {0.0f, -0.0f, 1.0f, 2.0f, INFINITY, -INFINITY, NAN, 1e-42f, -1.0f};
    for (unsigned i = 0; i < COUNT; i++)
        x[i] = fui(values[i % ARRAY_SIZE(values)]);
    run_all(body_exp2, out, x, y);
    assert_true(uif(out[0]) == 1 && uif(out[2]) == 2 && uif(out[3]) == 4);
    assert_true(uif(out[4]) == INFINITY && uif(out[5]) == 0 && isnan(uif(out[6])));
    run_all(body_log2, out, x, y);
    assert_true(uif(out[0]) == -INFINITY && uif(out[2]) == 0 && uif(out[3]) == 1);
    assert_true(uif(out[4]) == INFINITY && isnan(uif(out[5])) && isnan(uif(out[6])));
    assert_true(uif(out[7]) == -INFINITY && isnan(uif(out[8])));
    run_all(body_sin, out, x, y);
    assert_true(uif(out[0]) == 0 && isnan(uif(out[4])) && isnan(uif(out[6])));
    run_all(body_cos, out, x, y);
    assert_true(uif(out[0]) == 1 && isnan(uif(out[5])) && isnan(uif(out[6])));
}

/* Limits of exp2: the largest finite result, infinity, the smallest result, underflow to 0. */
static void test_exp2_ends(void **state)
{
    const float values[] = {127.99999f, 128.0f, 129.0f, -126.0f, -126.00001f, -127.5f, -3.4e38f};
    for (unsigned i = 0; i < COUNT; i++)
        x[i] = fui(values[i % ARRAY_SIZE(values)]);
    run_all(body_exp2, out, x, y);
    assert_true(uif(out[0]) > 3.4e38f && isfinite(uif(out[0])));
    assert_true(uif(out[1]) == INFINITY && uif(out[2]) == INFINITY && uif(out[3]) == 0x1p-126f);
    assert_true(uif(out[4]) == 0 && uif(out[5]) == 0 && uif(out[6]) == 0);
}

/* Arguments near multiples of pi/2; all results are in [-1, 1]. */
static void test_sine_range(void **state)
{
    for (unsigned i = 0; i < COUNT; i++)
        x[i] = fui((float)((i / 8 - 64.0) * M_PI / 2)) + i % 8;
    run_all(body_sin, out, x, y);
    check_close(sin, 2e-7, 2e-7);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(fabsf(uif(out[i])) <= 1);
    run_all(body_cos, out, x, y);
    check_close(cos, 2e-7, 2e-7);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(fabsf(uif(out[i])) <= 1);
}

/* Constant folding gives the kernels' bits, for any argument. */
static void test_folded_functions(void **state)
{
    static const struct {
        body_fn body;
        float (*value)(float x);
    } functions[] = {{body_exp2, nir_math_exp2},
                     {body_log2, nir_math_log2},
                     {body_sin, nir_math_sin},
                     {body_cos, nir_math_cos}};
    for (unsigned i = 0; i < COUNT; i++)
        x[i] = random_word();
    for (unsigned f = 0; f < ARRAY_SIZE(functions); f++) {
        run_all(functions[f].body, out, x, y);
        for (unsigned i = 0; i < COUNT; i++) {
            const float value = functions[f].value(uif(x[i]));
            assert_true(out[i] == fui(value) || (isnan(value) && isnan(uif(out[i]))));
        }
    }
}

#define LIVE 40 /* values in registers while angles are reduced */

static nir_def *body_angles(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *live[LIVE], *args = nir_load_kernel_arg(b, .base = 1);
    for (unsigned i = 0; i < LIVE; i++)
        live[i] = nir_ixor(b, p, nir_imul_imm(b, q, i));
    nir_def *uniform = nir_fcos(b, nir_load_global(b, 1, 32, args, nir_imm_int(b, 4)));
    nir_def *sum = nir_iadd(b, nir_ixor(b, nir_fsin(b, p), nir_fcos(b, q)), uniform);
    for (unsigned i = 0; i < LIVE; i++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), live[i]);
    return sum;
}

/* Vectors with any number of large angles, and a large uniform angle, among live registers. */
static void test_large_angles(void **state)
{
    for (unsigned i = 0; i < COUNT; i++) {
        const bool small = i & 32 || random_word() % 8;
        x[i] = random_word() & (small ? 0xbfffffff : 0xf0ffffff);
        y[i] = random_word() & (i & 64 ? 0xbfffffff : 0xf0ffffff);
    }
    x[1] = 0x7f000001;
    run_all(body_angles, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t sum = (fui(nir_math_sin(uif(x[i]))) ^ fui(nir_math_cos(uif(y[i])))) +
                       fui(nir_math_cos(uif(x[1])));
        for (unsigned k = 0; k < LIVE; k++)
            sum = sum * 31 + (x[i] ^ y[i] * k);
        assert_int_equal(out[i], sum);
    }
}

#define ANGLES 11 /* more than two groups of jit_group_angles.c */

/* Returns the sum of sines and cosines of independent angles, with a sine of each sine that ends a
 * group. */
static nir_def *body_many_angles(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *sum = nir_imm_int(b, 0), *angle[ANGLES], *value[ANGLES];
    for (unsigned i = 0; i < ANGLES; i++) {
        angle[i] = nir_fmul_imm(b, i & 1 ? q : p, i + 0.5);
        value[i] = i % 3 ? nir_fsin(b, angle[i]) : nir_fcos(b, angle[i]);
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), value[i]);
        if (i % 5 == 4)
            sum = nir_iadd(b, sum, nir_fsin(b, nir_fmul_imm(b, value[i], 1e6)));
    }
    for (unsigned i = 0; i < ANGLES; i++)
        sum = nir_ixor(b, sum, nir_imul_imm(b, value[i], 2 * i + 3));
    return sum;
}

static void test_many_angles(void **state)
{
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = random_word() & (i & 32 ? 0xbfffffff : 0xf0ffffff);
        y[i] = random_word() & (i & 64 || random_word() % 16 ? 0xbfffffff : 0xf0ffffff);
    }
    run_all(body_many_angles, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t sum = 0, value[ANGLES];
        for (unsigned k = 0; k < ANGLES; k++) {
            const float angle = uif(k & 1 ? y[i] : x[i]) * (float)(k + 0.5);
            value[k] = fui(k % 3 ? nir_math_sin(angle) : nir_math_cos(angle));
            sum = sum * 31 + value[k];
            if (k % 5 == 4)
                sum += fui(nir_math_sin(uif(value[k]) * 1e6f));
        }
        for (unsigned k = 0; k < ANGLES; k++)
            sum ^= value[k] * (2 * k + 3);
        assert_int_equal(out[i], sum);
    }
}

/* --- instructions of the baseline code generator; run_all compares its results with LLVM's --- */

/* Returns a uniform value: an element of input array `arg`. */
static nir_def *first_of(nir_builder *b, unsigned arg)
{
    return nir_load_global_constant(b, 1, 32, nir_load_kernel_arg(b, .base = arg),
                                    nir_imm_int(b, 8), .align_mul = 4);
}

static nir_def *mix_floats(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *r[] = {
        nir_fmin(b, p, q),
        nir_fmax(b, p, q),
        nir_fsat(b, p),
        nir_fsign(b, q),
        nir_ffract(b, p),
        nir_ffloor(b, q),
        nir_fceil(b, p),
        nir_ftrunc(b, q),
        nir_fround_even(b, p),
        nir_fabs(b, q),
        nir_fneg(b, p),
        nir_frcp(b, q),
        nir_frsq(b, nir_fabs(b, p)),
        nir_fsqrt(b, nir_fabs(b, q)),
        nir_fdiv(b, p, q),
        nir_ffma(b, p, q, p),
        nir_i2f32(b, p),
        nir_u2f32(b, q),
        nir_b2f32(b, nir_flt(b, p, q)),
        nir_bcsel(b, nir_fge(b, p, q), p, q),
        nir_bcsel(b, nir_iand(b, nir_feq(b, p, q), nir_inot(b, nir_fneu(b, p, q))), p, q),
    };
    nir_def *sum = nir_imm_int(b, 0);
    for (unsigned i = 0; i < ARRAY_SIZE(r); i++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), r[i]);
    nir_def *rounded = nir_ixor(b, nir_f2i32_rtne_in_range(b, p), nir_f2i32_in_range(b, q));
    sum = nir_ixor(b, sum, nir_imul_imm(b, rounded, 5));
    return nir_ixor(b, sum, nir_ixor(b, nir_f2i32(b, p), nir_ishl_imm(b, nir_f2u32(b, q), 3)));
}

static nir_def *mix_integers(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *wide = nir_iadd(b, nir_u2u64(b, p), nir_ishl_imm(b, nir_i2i64(b, q), 9));
    nir_def *r[] = {
        nir_imin(b, p, q),
        nir_imax(b, p, q),
        nir_umin(b, p, q),
        nir_umax(b, p, q),
        nir_iabs(b, p),
        nir_ineg(b, q),
        nir_inot(b, p),
        nir_isub(b, p, q),
        nir_ishl(b, p, q),
        nir_ishr(b, p, q),
        nir_ushr(b, q, p),
        nir_ishr_imm(b, p, 7),
        nir_ushr_imm(b, q, 9),
        nir_ishl_imm(b, p, 11),
        nir_b2i32(b, nir_ult(b, p, q)),
        nir_b2i32(b, nir_ior(b, nir_ige(b, p, q), nir_ieq_imm(b, q, 3))),
        nir_bcsel(b, nir_ixor(b, nir_ilt(b, p, q), nir_uge(b, p, q)), p, q),
        nir_uclz(b, p),
        nir_extract_u8(b, p, nir_imm_int(b, 2)),
        nir_extract_i8(b, q, nir_imm_int(b, 1)),
        nir_extract_u16(b, p, nir_imm_int(b, 1)),
        nir_extract_i16(b, q, nir_imm_int(b, 1)),
        nir_pack_half_2x16_split(b, nir_i2f32(b, nir_iand_imm(b, p, 0xfff)), nir_i2f32(b, q)),
        nir_unpack_half_2x16_split_x(b, nir_iand_imm(b, p, 0x3fff3fff)),
        nir_unpack_half_2x16_split_y(b, nir_iand_imm(b, q, 0x3fff3fff)),
        nir_u2u32(b, nir_ushr_imm(b, wide, 13)),
        nir_u2u32(b, nir_u2u8(b, p)),
        nir_i2i32(b, nir_u2u16(b, q)),
        nir_u2f32(b, nir_u2u16(b, p)),
        nir_b2i32(b, nir_ilt(b, wide, nir_i2i64(b, p))),
        nir_u2u32(b, nir_bcsel(b, nir_ult(b, p, q), wide, nir_u2u64(b, q))),
        nir_u2u32(b, nir_ushr_imm(b, nir_imul(b, wide, nir_i2i64(b, p)), 29)),
        nir_u2u32(b, nir_ushr_imm(b, nir_umin(b, wide, nir_ineg(b, nir_i2i64(b, p))), 9)),
        nir_u2u32(b, nir_ushr_imm(b, nir_umax(b, wide, nir_ineg(b, nir_i2i64(b, p))), 9)),
        nir_u2u32(b, nir_ushr_imm(b, nir_imin(b, wide, nir_ineg(b, nir_i2i64(b, p))), 9)),
        nir_u2u32(b, nir_ushr_imm(b, nir_imax(b, wide, nir_ineg(b, nir_i2i64(b, p))), 9)),
        nir_u2u32(b, nir_ushr_imm(b, nir_umul_2x32_64(b, p, q), 31)),
        nir_u2u32(b, nir_ushr_imm(b, nir_imul_2x32_64(b, p, q), 31)),
        nir_umul_high(b, p, q),
        nir_imul_high(b, p, q),
        nir_idiv(b, p, q),
        nir_udiv(b, p, q),
        nir_irem(b, p, q),
        nir_imod(b, p, q),
        nir_umod(b, p, q),
        nir_fddx(b, nir_i2f32(b, p)),
        nir_fddy(b, nir_i2f32(b, q)),
        nir_quad_swap_horizontal(b, p),
        nir_quad_swap_vertical(b, q),
        nir_quad_swap_diagonal(b, p),
        nir_quad_broadcast(b, q, nir_imm_int(b, 2)),
    };
    nir_def *sum = nir_imm_int(b, 0);
    for (unsigned i = 0; i < ARRAY_SIZE(r); i++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), r[i]);
    return sum;
}

static nir_def *body_float_mix(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *uniform = mix_floats(b, first_of(b, 1), first_of(b, 2));
    return nir_ixor(b, mix_floats(b, p, q), nir_ixor(b, uniform, mix_floats(b, q, first_of(b, 1))));
}

static nir_def *body_integer_mix(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *uniform = mix_integers(b, first_of(b, 1), first_of(b, 2));
    return nir_ixor(b, mix_integers(b, p, q),
                    nir_ixor(b, uniform, mix_integers(b, q, first_of(b, 1))));
}

/* More live values than registers, in uniform and divergent control flow. */
static nir_def *body_many(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *value[48], *sum = nir_imm_int(b, 0);
    for (unsigned i = 0; i < ARRAY_SIZE(value); i++)
        value[i] = nir_imul(b, nir_iadd_imm(b, p, i * i), nir_ixor(b, q, nir_imm_int(b, i)));
    nir_push_if(b, nir_ilt(b, p, q));
    nir_def *then_value = nir_iadd(b, value[3], value[40]);
    nir_push_else(b, NULL);
    nir_push_if(b, nir_ult(b, first_of(b, 1), first_of(b, 2)));
    nir_def *inner_then = nir_isub(b, value[5], value[39]);
    nir_push_else(b, NULL);
    nir_def *inner_else = nir_ixor(b, value[1], value[47]);
    nir_pop_if(b, NULL);
    nir_def *else_value = nir_if_phi(b, inner_then, inner_else);
    nir_pop_if(b, NULL);
    nir_def *phi = nir_if_phi(b, then_value, else_value);
    for (unsigned i = 0; i < ARRAY_SIZE(value); i++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 7), nir_ixor(b, value[i], phi));
    return sum;
}

/* Nested uniform and divergent loops with breaks and continues inside ifs. */
static nir_def *body_loops(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *i = nir_local_variable_create(b->impl, glsl_uint_type(), "i");
    nir_variable *k = nir_local_variable_create(b->impl, glsl_uint_type(), "k");
    nir_variable *sum = nir_local_variable_create(b->impl, glsl_uint_type(), "sum");
    nir_store_var(b, i, nir_imm_int(b, 0), 1);
    nir_store_var(b, sum, q, 1);
    nir_push_loop(b); /* uniform */
    {
        nir_break_if(b, nir_uge(b, nir_load_var(b, i), nir_imm_int(b, 5)));
        nir_store_var(b, i, nir_iadd_imm(b, nir_load_var(b, i), 1), 1);
        nir_store_var(b, k, nir_iand_imm(b, p, 7), 1);
        nir_push_loop(b); /* divergent */
        {
            nir_def *count = nir_load_var(b, k);
            nir_break_if(b, nir_ult(b, nir_imm_int(b, 11), count));
            nir_store_var(b, k, nir_iadd_imm(b, count, 1), 1);
            nir_push_if(b, nir_ieq_imm(b, nir_iand_imm(b, count, 1), 0));
            {
                nir_push_if(b, nir_ult(b, nir_iand_imm(b, q, 15), count));
                nir_jump(b, nir_jump_continue);
                nir_pop_if(b, NULL);
                nir_def *more = nir_iadd(b, nir_load_var(b, sum), nir_load_var(b, i));
                nir_store_var(b, sum, nir_imul_imm(b, more, 3), 1);
                nir_push_if(b, nir_ilt(b, nir_load_var(b, sum), p));
                nir_store_var(b, sum, nir_ixor(b, nir_load_var(b, sum), p), 1);
                nir_jump(b, nir_jump_break);
                nir_pop_if(b, NULL);
            }
            nir_pop_if(b, NULL);
            nir_store_var(b, sum, nir_iadd(b, nir_load_var(b, sum), count), 1);
        }
        nir_pop_loop(b, NULL);
    }
    nir_pop_loop(b, NULL);
    return nir_load_var(b, sum);
}

static void check_loops(uint32_t p, uint32_t q, uint32_t result)
{
    uint32_t sum = q;
    for (uint32_t i = 1; i <= 5; i++) {
        for (uint32_t k = p & 7; k <= 11; k++) {
            if (k % 2 == 0) {
                if ((q & 15) < k)
                    continue;
                sum = (sum + i) * 3;
                if ((int32_t)sum < (int32_t)p) {
                    sum ^= p;
                    break;
                }
            }
            sum += k;
        }
    }
    assert_int_equal(result, sum);
}

/* Stores and loads quads of 16-bit and 8-bit pixels in y. x[i] must be i. */
static nir_def *body_quads(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *value = nir_imul_imm(b, p, 0x9e3779b1), *address[4], *far[4];
    nir_def *mask = nir_ine_imm(b, nir_iand_imm(b, nir_ushr_imm(b, value, 7), 3), 0);
    nir_def *last = nir_iadd_imm(b, nir_load_subgroup_size(b), -1);
    for (unsigned i = 0; i < 4; i++) {
        nir_def *lane = nir_iand(b, nir_imm_int(b, 4 * i), last);
        nir_def *offset = nir_ishl_imm(b, nir_read_invocation(b, p, lane), 2);
        address[i] = nir_iadd(b, nir_load_kernel_arg(b, .base = 2), nir_u2u64(b, offset));
        far[i] = nir_iadd_imm(b, address[i], 8);
    }
    nir_def *near_quads = nir_vec(b, address, 4), *far_quads = nir_vec(b, far, 4);
    nir_store_global_quads(b, nir_u2u16(b, value), near_quads, mask);
    nir_store_global_quads(b, nir_u2u8(b, value), far_quads, mask);
    nir_def *words = nir_u2u32(b, nir_load_global_quads(b, 1, 16, near_quads));
    nir_def *bytes = nir_u2u32(b, nir_load_global_quads(b, 1, 8, far_quads));
    return nir_ior(b, words, nir_ishl_imm(b, bytes, 16));
}

/* A masked store of quads changes neither masked pixels nor memory between quads. */
static void test_narrow_quads(void **state)
{
    uint8_t expected[sizeof y];
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = random_word();
    }
    memcpy(expected, y, sizeof y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t value = i * 0x9e3779b1u;
        if (value >> 7 & 3) {
            memcpy(expected + i / 4 * 16 + i % 4 * 2, &value, 2);
            expected[i / 4 * 16 + 8 + i % 4] = (uint8_t)value;
        }
    }
    run_all(body_quads, out, x, y);
    assert_memory_equal(y, expected, sizeof y);
    for (unsigned i = 0; i < COUNT; i++) {
        uint16_t word;
        memcpy(&word, expected + i / 4 * 16 + i % 4 * 2, 2);
        assert_int_equal(out[i], word | expected[i / 4 * 16 + 8 + i % 4] << 16);
    }
}

static void test_baseline(void **state)
{
    unsigned each = 0, before = baseline_kernels;
    for (unsigned w = 0; w < ARRAY_SIZE(widths); w++) {
        struct jit_engine *engine = jit_engine_create(widths[w]);
        assert_non_null(engine);
        each += engine->baseline;
        jit_engine_destroy(engine);
    }
    fill_floats(-20, 20);
    run_all(body_float_mix, out, x, y);
    fill_integers();
    run_all(body_float_mix, out, x, y);
    run_all(body_integer_mix, out, x, y);
    run_all(body_many, out, x, y);
    run_all(body_loops, out, x, y);
    for (unsigned i = 0; i < COUNT; i++)
        check_loops(x[i], y[i], out[i]);
    test_narrow_quads(state);
    assert_int_equal(baseline_kernels - before, 6 * each);
}

/* --- values of a divergent loop that are addresses of blocks after it --- */

#define SHARED 60 /* offset in bytes; also a mask that the loop uses */

/* Returns the first word of a block load from the second array at the offset. */
static nir_def *shared_word(nir_builder *b, nir_def *offset)
{
    nir_def *array = nir_load_kernel_arg(b, .base = 2);
    return nir_read_first_invocation(b, nir_load_global_block(b, 1, 32, array, offset));
}

/* Returns the lane's iteration count of a divergent loop plus the word at an offset that the loop
 * uses, too, so that CSE merges both. kind 0: the offset is a constant; 1: it is computed; 2: it
 * comes from a variable. */
static nir_def *escape(nir_builder *b, nir_def *p, unsigned kind)
{
    nir_variable *n = nir_local_variable_create(b->impl, glsl_uint_type(), "n");
    nir_variable *at = nir_local_variable_create(b->impl, glsl_uint_type(), "at");
    nir_def *size = nir_load_subgroup_size(b);
    nir_store_var(b, n, nir_imm_int(b, 0), 1);
    nir_push_loop(b);
    {
        nir_def *count = nir_load_var(b, n);
        nir_def *mask = kind == 1 ? nir_ior_imm(b, size, SHARED) : nir_imm_int(b, SHARED);
        nir_push_if(b, nir_uge_imm(b, count, 8));
        nir_store_var(b, at, nir_imm_int(b, SHARED), 1);
        nir_jump(b, nir_jump_break);
        nir_pop_if(b, NULL);
        nir_store_var(b, n, nir_iadd_imm(b, count, 1), 1);
        nir_push_if(b, nir_ult(b, nir_iand(b, nir_ushr(b, p, count), mask), nir_imm_int(b, 20)));
        nir_store_var(b, at, nir_imm_int(b, SHARED), 1);
        nir_jump(b, nir_jump_break);
        nir_pop_if(b, NULL);
    }
    nir_pop_loop(b, NULL);
    nir_def *offset = kind == 0   ? nir_imm_int(b, SHARED)
                      : kind == 1 ? nir_ior_imm(b, size, SHARED)
                                  : nir_load_var(b, at);
    return nir_iadd(b, nir_load_var(b, n), shared_word(b, offset));
}

static nir_def *body_escape_constant(nir_builder *b, nir_def *p, nir_def *q)
{
    return escape(b, p, 0);
}

static nir_def *body_escape_computed(nir_builder *b, nir_def *p, nir_def *q)
{
    return escape(b, p, 1);
}

static nir_def *body_escape_phi(nir_builder *b, nir_def *p, nir_def *q)
{
    return escape(b, p, 2);
}

static uint32_t escape_count(uint32_t p, uint32_t mask)
{
    for (uint32_t n = 0; n < 8; n++) {
        if ((p >> n & mask) < 20)
            return n + 1;
    }
    return 8;
}

/* The address of a block must remain uniform after the loop. */
static void test_escape(void **state)
{
    static const body_fn bodies[] = {body_escape_constant, body_escape_computed, body_escape_phi};
    fill_integers();
    for (unsigned w = 0; w < ARRAY_SIZE(widths); w++) {
        for (unsigned i = 0; i < 2 * ARRAY_SIZE(bodies); i++) {
            uint32_t mask = i / 2 == 1 ? SHARED | widths[w] : SHARED;
            run(widths[w], i & 1, bodies[i / 2], out, x, y);
            for (unsigned k = 0; k < COUNT; k++)
                assert_int_equal(out[k], escape_count(x[k], mask) + y[mask / 4]);
        }
    }
}

#if defined(__x86_64__)
/* Checks that baseline code for 8 lanes contains only instructions that AVX2 CPUs have, and code
 * for 4 lanes only those that SSE4.1 CPUs have: none starts with the EVEX prefix, or a VEX
 * prefix. */
static void check_instructions(LLVMDisasmContextRef disassembler, body_fn body, unsigned lanes)
{
    struct jit_baseline_code code = {0};
    nir_shader *nir = build(body);
    char text[256];
    jit_lower_nir(nir);
    assert_true(jit_baseline_compile(nir, lanes, &code));
    for (uint8_t *at = code.code.start; at != code.end;) {
        size_t left = (size_t)((const uint8_t *)code.end - at);
        size_t size = LLVMDisasmInstruction(disassembler, at, left, 0, text, sizeof text);
        assert_int_not_equal(size, 0);
        assert_int_not_equal(*at, 0x62);
        assert_true(lanes == 8 || (*at != 0xc4 && *at != 0xc5));
        at += size;
    }
    jit_baseline_free(&code);
    nir_shader_destroy(nir);
}

static void test_instructions(void **state)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    static const struct {
        const char *cpu;
        unsigned lanes;
    } levels[] = {{"x86-64-v3", 8}, {"penryn", 4}};
    static const body_fn bodies[] = {body_float_mix, body_integer_mix, body_many, body_loops,
                                     body_quads};
    for (unsigned i = 0; i < ARRAY_SIZE(levels); i++) {
        LLVMDisasmContextRef disassembler =
            LLVMCreateDisasmCPU("x86_64-linux-gnu", levels[i].cpu, NULL, 0, NULL, NULL);
        assert_non_null(disassembler);
        for (unsigned k = 0; k < ARRAY_SIZE(bodies); k++)
            check_instructions(disassembler, bodies[k], levels[i].lanes);
        LLVMDisasmDispose(disassembler);
    }
}
#else
static void test_instructions(void **state)
{
    skip();
}
#endif

int main(void)
{
    setenv("INDIUM_CACHE_DIR", "", 1); /* kernels in the cache have no baseline code */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer),
        cmocka_unit_test(test_select_bits),
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_quad),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_exp2_ends),
        cmocka_unit_test(test_sine_range),
        cmocka_unit_test(test_folded_functions),
        cmocka_unit_test(test_large_angles),
        cmocka_unit_test(test_many_angles),
        cmocka_unit_test(test_lerp_halves),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_lesser_halves),
        cmocka_unit_test(test_sums_of_halves),
        cmocka_unit_test(test_rows_of_blocks),
        cmocka_unit_test(test_srgb),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_min_halves),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_bilinear),
        cmocka_unit_test(test_bilinear_grid),
        cmocka_unit_test(test_escape),
        cmocka_unit_test(test_baseline),
        cmocka_unit_test(test_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
