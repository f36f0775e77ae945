/* SPDX-License-Identifier: MIT */
/*
 * Tests that the baseline code generator supports whatever a kernel may contain: each opcode with
 * each size of its operands, and each intrinsic with each size and divergence, alone and under an
 * execution mask. The interpreter says what a kernel may contain and what the results are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "jit/jit_private.h"
#include "nir/nir.h"
#include "nir/nir_builder.h"

#define COUNT 64 /* elements of the arrays, a multiple of all widths */

/* What the body of a kernel computes. */
struct subject {
    nir_op op;        /* the opcode, if body is NULL */
    unsigned bits[4]; /* bit sizes of its sources */
    nir_def *(*body)(nir_builder *b, const struct subject *s, nir_def *x, nir_def *y);
    unsigned size, kind; /* for intrinsics: bit size; a number with a meaning of the body */
    bool uniform;        /* the sources are the same in all lanes */
    bool masked;         /* computed for some of the lanes */
    const char *name;
};

static uint32_t x[COUNT], y[COUNT], memory[2][8 * COUNT], out[2][COUNT];

static uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252ull; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* --- sources and results --- */

/* Returns a value of that size with the bits of word, and for 64 bits those of other above. */
static nir_def *of_size(nir_builder *b, unsigned bits, nir_def *word, nir_def *other)
{
    switch (bits) {
    case 1:
        return nir_ine_imm(b, nir_iand_imm(b, word, 1), 0);
    case 8:
        return nir_u2u8(b, word);
    case 16:
        return nir_u2u16(b, word);
    case 64:
        return nir_ior(b, nir_u2u64(b, word), nir_ishl_imm(b, nir_u2u64(b, other), 32));
    default:
        return word;
    }
}

/* Returns a word with all bits of the value. */
static nir_def *to_word(nir_builder *b, nir_def *value)
{
    switch (value->bit_size) {
    case 1:
        return nir_b2i32(b, value);
    case 64:
        return nir_ixor(b, nir_u2u32(b, value), nir_u2u32(b, nir_ushr_imm(b, value, 32)));
    default:
        return nir_u2u32(b, value);
    }
}

/* Returns a word that depends on all components. */
static nir_def *combine(nir_builder *b, nir_def *value)
{
    nir_def *sum = nir_imm_int(b, 0);
    for (unsigned c = 0; c < value->num_components; c++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), to_word(b, nir_channel(b, value, c)));
    return sum;
}

static nir_def *apply_op(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *word[4] = {p, q, nir_ixor(b, p, q), nir_iadd(b, p, q)}, *src[4];
    for (unsigned i = 0; i < nir_op_infos[s->op].num_inputs; i++)
        src[i] = of_size(b, s->bits[i], word[i], word[(i + 1) % 4]);
    return to_word(b, nir_build_alu(b, s->op, src));
}

/* --- kernels --- */

static nir_def *first_of(nir_builder *b, unsigned arg)
{
    return nir_load_global_constant(b, 1, 32, nir_load_kernel_arg(b, .base = arg),
                                    nir_imm_int(b, 4), .align_mul = 4);
}

/* Returns a kernel that computes out[i] = s(x[i], y[i]); arguments are out, x, y, memory. */
static nir_shader *build(const struct subject *s)
{
    static const nir_shader_compiler_options options;
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &options, "test");
    nir_variable *index = nir_local_variable_create(b.impl, glsl_uint_type(), "i");
    nir_variable *result = nir_local_variable_create(b.impl, glsl_uint_type(), "result");
    b.shader->scratch_size = 64;
    b.shader->constant_data = talloc_memdup(b.shader, x, sizeof x);
    b.shader->constant_data_size = sizeof x;
    nir_store_var(&b, index, nir_imm_int(&b, 0), 1);
    nir_push_loop(&b);
    nir_def *i = nir_load_var(&b, index);
    nir_break_if(&b, nir_uge(&b, i, nir_imm_int(&b, COUNT)));
    nir_def *offset = nir_ishl_imm(&b, i, 2);
    nir_def *p = nir_load_global_block(&b, 1, 32, nir_load_kernel_arg(&b, .base = 1), offset);
    nir_def *q = nir_load_global_block(&b, 1, 32, nir_load_kernel_arg(&b, .base = 2), offset);
    nir_def *condition = nir_ine_imm(&b, nir_iand_imm(&b, q, 6), 2);
    nir_store_var(&b, result, q, 1);
    if (s->masked)
        nir_push_if(&b, condition);
    nir_def *from[2] = {s->uniform ? first_of(&b, 1) : p, s->uniform ? first_of(&b, 2) : q};
    nir_store_var(&b, result,
                  s->body ? s->body(&b, s, from[0], from[1]) : apply_op(&b, s, from[0], from[1]),
                  1);
    if (s->masked)
        nir_pop_if(&b, NULL);
    nir_store_global_block(&b, nir_load_var(&b, result), nir_load_kernel_arg(&b, .base = 0), offset,
                           nir_imm_true(&b));
    nir_store_var(&b, index, nir_iadd(&b, i, nir_load_subgroup_size(&b)), 1);
    nir_pop_loop(&b, NULL);
    NIR_PASS_V(b.shader, nir_lower_vars_to_ssa);
    return b.shader;
}

/* Runs the subject's kernel. Returns false if it can't be compiled. */
static bool run(const struct subject *s, unsigned lanes, bool interprets)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    assert_non_null(engine);
    engine->interprets = interprets;
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(s), s->name);
    assert_non_null(kernel);
    struct jit_function function = jit_kernel_function(kernel);
    const unsigned which = interprets;
    for (unsigned i = 0; i < 8 * COUNT; i++)
        memory[which][i] = i * 0x9e3779b1u;
    memset(out[which], 0, sizeof out[which]);
    if (function.run)
        jit_run(function, (const void *[]){out[which], x, y, memory[which]});
    if (function.run && !interprets && !jit_kernel_is_baseline(kernel))
        fail_msg("%s, %u bits, %u: no baseline code", s->name, MAX2(s->size, s->bits[0]), s->kind);
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
    return function.run;
}

/* Compares the subject's results in all forms with the interpreter's. Returns whether kernels may
 * contain it. */
static bool check(struct subject s, unsigned lanes)
{
    bool known = false;
    for (unsigned form = 0; form < 4; form++) {
        s.uniform = form & 1;
        s.masked = form & 2;
        if (!run(&s, lanes, true))
            continue;
        known = true;
        assert_true(run(&s, lanes, false));
        if (memcmp(out[0], out[1], sizeof out[0]) || memcmp(memory[0], memory[1], sizeof memory[0]))
            fail_msg("%s, %u lanes, %u bits, %u, form %u: other results", s.name, lanes,
                     MAX2(s.size, s.bits[0]), s.kind, form);
    }
    return known;
}

/* Returns whether baseline code exists for that width. */
static bool has_baseline(unsigned lanes)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    assert_non_null(engine);
    bool has = engine->baseline;
    jit_engine_destroy(engine);
    return has;
}

static void fill(bool floats)
{
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = floats ? fui((float)(int)(random_word() & 0xffff) / 64 - 300) : random_word();
        y[i] = i % 3 ? random_word() : random_word() & 7;
    }
}

static const unsigned widths[] = {4, 8, 16};

/* --- opcodes --- */

/* Sets the sizes of the sources: those without one have `bits`. Returns false if no source has that
 * size and the first size isn't asked for. */
static bool set_sizes(struct subject *s, unsigned bits, bool first)
{
    const nir_op_info *info = &nir_op_infos[s->op];
    bool any = false;
    for (unsigned i = 0; i < info->num_inputs; i++) {
        unsigned fixed = nir_alu_type_get_type_size(info->input_types[i]);
        const nir_alu_type base = nir_alu_type_get_base_type(info->input_types[i]);
        s->bits[i] = fixed ? fixed : bits;
        any |= !fixed;
        if (!fixed &&
            ((base == nir_type_float && bits < 16) || (base != nir_type_bool && bits == 1)))
            any = false;
    }
    return any || (first && info->num_inputs);
}

static void test_opcodes(void **state)
{
    static const unsigned sizes[] = {32, 64, 16, 8};
    unsigned count = 0, tested = 0;
    for (unsigned w = 0; w < ARRAY_SIZE(widths); w++) {
        if (!has_baseline(widths[w]))
            continue;
        tested++;
        for (unsigned op = 0; op < nir_num_opcodes; op++) {
            const nir_op_info *info = &nir_op_infos[op];
            if (info->output_size || info->num_inputs > 4 || nir_op_is_vec(op) ||
                info->input_sizes[0])
                continue;
            for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
                struct subject s = {.op = op, .name = info->name};
                fill(count & 1);
                if (set_sizes(&s, sizes[i], i == 0))
                    count += check(s, widths[w]);
            }
        }
    }
    assert_true(!tested || count > 200 * tested);
}

/* --- intrinsics --- */

static nir_def *base_of(nir_builder *b, bool far, nir_def *p)
{
    nir_def *base = nir_load_kernel_arg(b, .base = 3);
    return far ? nir_iadd(b, base, nir_u2u64(b, nir_iand_imm(b, p, 0x40))) : base;
}

/* kind & 1: the base differs between lanes; kind & 2: four components. */
static nir_def *body_load(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *offset = nir_iand_imm(b, q, 0x1f8);
    return combine(b, nir_load_global(b, s->kind & 2 ? 4 : 1, s->size, base_of(b, s->kind & 1, p),
                                      offset, .align_mul = s->size / 8));
}

static nir_def *body_store(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *value = of_size(b, s->size, p, q), *offset = nir_iand_imm(b, q, 0x1f8);
    nir_def *all = s->kind & 2 ? nir_vec2(b, value, value) : value;
    nir_store_global(b, all, base_of(b, s->kind & 1, p), offset, .align_mul = s->size / 8);
    return p;
}

static nir_def *body_block(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *base = base_of(b, false, p), *offset = nir_imm_int(b, 64);
    nir_def *value = of_size(b, s->size, p, q), *mask = nir_ine_imm(b, nir_iand_imm(b, p, 12), 4);
    nir_def *all = s->kind ? nir_vec2(b, value, of_size(b, s->size, q, p)) : value;
    nir_store_global_block(b, all, base, offset, mask, .align_mul = s->size / 8);
    return combine(b, nir_load_global_block(b, s->kind ? 2 : 1, s->size, base, offset,
                                            .align_mul = s->size / 8));
}

static nir_def *quad_addresses(nir_builder *b)
{
    nir_def *base = nir_load_kernel_arg(b, .base = 3), *quad[4];
    for (unsigned i = 0; i < 4; i++)
        quad[i] = nir_iadd_imm(b, base, 48 * (3 - i));
    return nir_vec(b, quad, 4);
}

static nir_def *body_quads(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *mask = nir_ine_imm(b, nir_iand_imm(b, p, 12), 4);
    nir_store_global_quads(b, of_size(b, s->size, p, q), quad_addresses(b), mask,
                           .align_mul = s->size / 8);
    return combine(
        b, nir_load_global_quads(b, 1, s->size, quad_addresses(b), .align_mul = s->size / 8));
}

static nir_def *body_select_quad(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *word[4];
    for (unsigned i = 0; i < 4; i++)
        word[i] = of_size(b, s->size, nir_iadd_imm(b, first_of(b, 1), i), first_of(b, 2));
    return nir_ixor(b, to_word(b, nir_select_quad(b, s->size, nir_vec(b, word, 4))), p);
}

/* kind: nir_atomic_op. Two operations, the second one in memory of one thread only. */
static nir_def *body_atomic(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *base = nir_load_kernel_arg(b, .base = 3), *offset = nir_iand_imm(b, q, 0x38);
    nir_def *a = of_size(b, s->size, p, q), *c = of_size(b, s->size, q, p), *old[2];
    bool swap = s->kind == nir_atomic_op_cmpxchg || s->kind == nir_atomic_op_fcmpxchg;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned access = i ? ACCESS_ONE_THREAD : 0;
        old[i] = swap ? nir_global_atomic_swap(b, s->size, base, offset, a, c, .access = access,
                                               .atomic_op = s->kind)
                      : nir_global_atomic(b, s->size, base, offset, a, .access = access,
                                          .atomic_op = s->kind);
        a = c;
        c = old[i];
    }
    return nir_ixor(b, to_word(b, old[0]), nir_ishl_imm(b, to_word(b, old[1]), 1));
}

/* kind & 1: the offset is constant; kind & 2: clears 24 bytes before loading */
static nir_def *body_scratch(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *offset = s->kind & 1 ? nir_imm_int(b, 8) : nir_iand_imm(b, q, 0x78);
    nir_def *value = of_size(b, s->size, p, q);
    nir_store_scratch(b, nir_vec2(b, value, value), offset, .scratch_var = 1, .write_mask = 3,
                      .align_mul = 4);
    nir_store_scratch(b, value, nir_imm_int(b, 24), .base = 8, .scratch_var = 1, .write_mask = 1,
                      .align_mul = 4);
    if (s->kind & 2)
        nir_clear_scratch(b, nir_imm_int(b, 4), nir_imm_int(b, 24), .base = 12, .scratch_var = 1);
    return combine(b, nir_load_scratch(b, 2, s->size, nir_iand_imm(b, p, 0x38), .scratch_var = 1,
                                       .align_mul = 4));
}

static nir_def *body_constant(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *offset = s->kind ? nir_imm_int(b, 8) : nir_iand_imm(b, q, 0x3f8);
    return combine(b, nir_load_constant(b, 2, s->size, offset, .base = 8, .range = sizeof x,
                                        .align_mul = s->size / 8));
}

/* kind: number of the operation */
static nir_def *body_lanes(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *value = of_size(b, s->size, p, q), *by = nir_iand_imm(b, q, 3);
    switch (s->kind) {
    case 0:
        return to_word(b, nir_quad_broadcast(b, value, nir_imm_int(b, 2)));
    case 1:
        return to_word(b, nir_quad_swap_horizontal(b, value));
    case 2:
        return to_word(b, nir_quad_swap_vertical(b, value));
    case 3:
        return to_word(b, nir_quad_swap_diagonal(b, value));
    case 4:
        return nir_ixor(b, to_word(b, nir_read_first_invocation(b, value)), p);
    case 5:
        return to_word(b, nir_read_invocation(b, value, first_of(b, 2)));
    case 6:
        return to_word(b, nir_shuffle(b, value, by));
    case 7:
        return to_word(b, nir_shuffle_xor(b, value, nir_imm_int(b, 3)));
    case 8:
        return to_word(b, nir_shuffle_up(b, value, nir_imm_int(b, 1)));
    default:
        return to_word(b, nir_shuffle_down(b, value, nir_imm_int(b, 2)));
    }
}

static nir_def *body_votes(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *condition = nir_ilt(b, p, q);
    switch (s->kind) {
    case 0:
        return nir_b2i32(b, nir_vote_any(b, condition));
    case 1:
        return nir_b2i32(b, nir_vote_all(b, condition));
    case 2:
        return nir_min_2x16(b, p);
    case 3:
        return nir_iadd(b, nir_load_subgroup_invocation(b), p);
    default:
        return combine(b, nir_ballot(b, s->kind - 3, s->size, condition));
    }
}

/* kind: log2 of the number of table vectors; or LOOKUP_ROWS, for 16 lanes only */
#define LOOKUP_ROWS 3
static nir_def *body_lookup(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *table[4] = {p, q, nir_ixor(b, p, q), nir_iadd(b, p, q)};
    if (s->kind == LOOKUP_ROWS)
        return nir_rows_of_blocks(b, nir_vec2(b, p, q), nir_iand_imm(b, first_of(b, 2), 3));
    return nir_lookup_lanes(b, nir_vec(b, table, 1 << s->kind), q);
}

/* kind & 1: the base differs between lanes; kind & 2: half floats */
static nir_def *body_bilinear(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def *offset[4], *weight[2], *offsets = nir_iand_imm(b, q, 0xf0);
    for (unsigned i = 0; i < 4; i++)
        offset[i] = nir_iadd_imm(b, offsets, 16 * i);
    for (unsigned i = 0; i < 2; i++)
        weight[i] = nir_fmul_imm(b, nir_u2f32(b, nir_iand_imm(b, i ? p : q, 0xff)), 0x1p-8);
    nir_alu_type type = s->kind & 2 ? nir_type_float16 : nir_type_float32;
    nir_def *value = nir_load_global_bilinear(b, base_of(b, s->kind & 1, p), nir_vec(b, offset, 4),
                                              nir_vec2(b, weight[0], weight[1]), .dest_type = type);
    return combine(b, value);
}

static void check_all(const struct subject *list, unsigned count, unsigned lanes)
{
    static const unsigned sizes[] = {32, 64, 16, 8};
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < list[i].kind; k++) {
            for (unsigned n = 0; n < ARRAY_SIZE(sizes); n++) {
                struct subject s = list[i];
                s.kind = k;
                s.size = sizes[n];
                fill(false);
                bool rows = s.body == body_lookup && k == LOOKUP_ROWS;
                if ((list[i].size & sizes[n]) && (!rows || lanes == 16))
                    (void)check(s, lanes);
            }
        }
    }
}

static void test_intrinsics(void **state)
{
    /* kind: number of kinds; size: bit sizes that the intrinsic may have */
    static const struct subject list[] = {
        {.body = body_load, .size = 8 | 16 | 32 | 64, .kind = 4, .name = "load_global"},
        {.body = body_store, .size = 8 | 16 | 32 | 64, .kind = 4, .name = "store_global"},
        {.body = body_block, .size = 8 | 16 | 32 | 64, .kind = 2, .name = "block"},
        {.body = body_quads, .size = 8 | 16 | 32, .kind = 1, .name = "quads"},
        {.body = body_select_quad, .size = 32 | 64, .kind = 1, .name = "select_quad"},
        {.body = body_scratch, .size = 8 | 16 | 32 | 64, .kind = 4, .name = "scratch"},
        {.body = body_constant, .size = 8 | 16 | 32 | 64, .kind = 2, .name = "load_constant"},
        {.body = body_lanes, .size = 8 | 16 | 32 | 64, .kind = 10, .name = "lanes"},
        {.body = body_votes, .size = 32 | 64, .kind = 6, .name = "votes"},
        {.body = body_lookup, .size = 32, .kind = LOOKUP_ROWS + 1, .name = "lookup_lanes"},
        {.body = body_bilinear, .size = 32, .kind = 4, .name = "load_global_bilinear"},
        {.body = body_atomic,
         .size = 32 | 64,
         .kind = nir_atomic_op_fcmpxchg + 1,
         .name = "atomic"},
    };
    for (unsigned w = 0; w < ARRAY_SIZE(widths); w++)
        if (has_baseline(widths[w]))
            check_all(list, ARRAY_SIZE(list), widths[w]);
}

/* --- size --- */

/* Live values of body_large; more than any limit that the generator had. */
#define MANY 20000

/* Many values that are all live at once, and a divergent branch for every 64th. */
static nir_def *body_large(nir_builder *b, const struct subject *s, nir_def *p, nir_def *q)
{
    nir_def **value = talloc_array(b->shader, nir_def *, MANY), *sum = p;
    for (unsigned i = 0; i < MANY; i++) {
        value[i] = nir_imul(b, nir_iadd_imm(b, p, i), nir_ixor(b, q, nir_imm_int(b, (int)i * 77)));
        if (i % 64)
            continue;
        nir_push_if(b, nir_ilt(b, value[i], q));
        nir_def *other = nir_iadd(b, value[i], q);
        nir_pop_if(b, NULL);
        value[i] = nir_if_phi(b, other, value[i]);
    }
    for (unsigned i = MANY; i--;)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 7), value[i]);
    return sum;
}

static void test_large(void **state)
{
    const struct subject s = {.body = body_large, .name = "large"};
    fill(false);
    for (unsigned w = 0; w < ARRAY_SIZE(widths); w++)
        assert_true(!has_baseline(widths[w]) || check(s, widths[w]));
}

int main(void)
{
    setenv("INDIUM_CACHE_DIR", "", 1); /* kernels in the cache have no baseline code */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_intrinsics),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
