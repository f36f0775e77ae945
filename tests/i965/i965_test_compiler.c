/* SPDX-License-Identifier: MIT */
/*
 * Compares random shaders in the EU simulator with the NIR evaluator: vertex shaders (attributes,
 * push constants, URB writes, SIMD8), fragment shaders (discards, several targets, SIMD8 and
 * SIMD16), compute shaders (storage blocks, SIMD8 to SIMD32), geometry shaders (vertices and strips
 * from divergent control flow) and tessellation shaders (patches of up to two threads). Every
 * channel has different values, so that control flow diverges. Results must be identical.
 *
 * Manual use: i965_test_compiler FIRST LAST runs the seeds and prints those that differ; with one
 * seed it also prints the shader and its code. The environment variable REGISTERS=36 forces spills,
 * ONE_THREAD=1 compiles for 32 channels.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "i965_run.h"
#include "indium/driver.h"

enum {
    NUM_INPUTS = 4, /* In vectors. */
    NUM_OUTPUTS = 4,
    NUM_UNIFORMS = 24, /* In dwords. */
    MAX_VALUES = 64,
    MAX_VARIABLES = 6,
    CHANNELS = 32, /* Maximum number of channels. */
    PRIMITIVE_VERTICES = 2,
    PATCH_VERTICES = 12, /* Maximum number of vertices. */
    MAX_EMITTED = 40,
    VERTEX_OUTPUTS = 2, /* Vectors per emitted vertex. */
};

/* --- Random shaders --- */

struct gen {
    nir_builder b;
    uint64_t state;
    int budget;
    unsigned depth, loops;
    nir_def *floats[MAX_VALUES], *ints[MAX_VALUES], *bools[MAX_VALUES];
    unsigned num_floats, num_ints, num_bools;
    nir_variable *variables[MAX_VARIABLES]; /* Variables with even index are floats. */
    /* Fragment shaders: a different number per pixel, which decides about discards. */
    nir_def *pixel;
    nir_variable *vertex[VERTEX_OUTPUTS]; /* Geometry shaders. */
    unsigned streams;                     /* Number of streams; 1: strips. */
};

static unsigned rnd(struct gen *g, unsigned n)
{
    g->state = g->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(g->state >> 33) % n;
}

static void keep(nir_def **list, unsigned *count, struct gen *g, nir_def *def)
{
    if (*count < MAX_VALUES)
        list[(*count)++] = def;
    else
        list[rnd(g, MAX_VALUES)] = def;
}

static nir_def *pick_float(struct gen *g)
{
    static const float constants[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.25f, -0.75f, 100.0f};
    if (rnd(g, 6) == 0)
        return nir_imm_float(&g->b, constants[rnd(g, ARRAY_SIZE(constants))]);
    return g->floats[rnd(g, g->num_floats)];
}

static nir_def *pick_int(struct gen *g)
{
    static const int constants[] = {0, 1, -1, 2, 7, 31, 255, 0x7fffffff, -2147483647 - 1, 65537};
    if (rnd(g, 6) == 0)
        return nir_imm_int(&g->b, constants[rnd(g, ARRAY_SIZE(constants))]);
    return g->ints[rnd(g, g->num_ints)];
}

static nir_def *pick_bool(struct gen *g)
{
    return g->bools[rnd(g, g->num_bools)];
}

/* Keeps values small, to avoid infinities, denormals and NaN. */
static nir_def *tame(struct gen *g, nir_def *x)
{
    nir_builder *b = &g->b;
    x = nir_fmin(b, nir_fmax(b, x, nir_imm_float(b, -1000)), nir_imm_float(b, 1000));
    return nir_fmul(b, nir_fround_even(b, nir_fmul_imm(b, x, 16)), nir_imm_float(b, 0.0625f));
}

/* Loads a uniform. */
static nir_def *load_long(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_def *dwords = nir_load_uniform(b, 2, 32, nir_imm_int(b, (int)rnd(g, 6) * 8), .base = 16,
                                       .range = 48, .dest_type = nir_type_int32);
    return nir_pack_64_2x32_split(b, nir_channel(b, dwords, 0), nir_channel(b, dwords, 1));
}

/* Computes through doubles. */
static nir_def *gen_double(struct gen *g)
{
    static const nir_op ops[] = {nir_op_fadd,   nir_op_fsub,   nir_op_fmul,  nir_op_fmin,
                                 nir_op_fmax,   nir_op_ffma,   nir_op_fneg,  nir_op_fabs,
                                 nir_op_ftrunc, nir_op_ffloor, nir_op_fceil, nir_op_fround_even};
    nir_builder *b = &g->b;
    nir_def *src[3];
    for (unsigned i = 0; i < 3; i++)
        src[i] = rnd(g, 4)   ? nir_f2f64(b, pick_float(g))
                 : rnd(g, 2) ? nir_i2f64(b, nir_ishr_imm(b, pick_int(g), 20))
                             : nir_i2f64(b, load_long(g));
    nir_def *x = nir_build_alu(b, ops[rnd(g, ARRAY_SIZE(ops))], src);
    x = nir_bcsel(b, nir_flt(b, src[1], src[2]), x, nir_build_alu(b, ops[rnd(g, 5)], src));
    return nir_f2f32(b, x);
}

/* Computes through 64-bit integers. */
static nir_def *gen_long(struct gen *g)
{
    static const nir_op ops[] = {nir_op_iadd, nir_op_isub, nir_op_iand, nir_op_ior,
                                 nir_op_ixor, nir_op_imin, nir_op_imax, nir_op_umin,
                                 nir_op_umax, nir_op_ineg, nir_op_inot};
    static const nir_op shifts[] = {nir_op_ishl, nir_op_ishr, nir_op_ushr};
    nir_builder *b = &g->b;
    nir_def *src[2] = {nir_i2i64(b, pick_int(g)),
                       nir_pack_64_2x32_split(b, pick_int(g), pick_int(g))};
    if (rnd(g, 4) == 0)
        src[rnd(g, 2)] = load_long(g);
    nir_def *x = nir_build_alu(b, ops[rnd(g, ARRAY_SIZE(ops))], src);
    nir_def *shift[2] = {x, nir_iand_imm(b, pick_int(g), 63)};
    x = nir_build_alu(b, shifts[rnd(g, 3)], shift);
    x = nir_bcsel(b, nir_ult(b, src[1], x), x, src[0]);
    return nir_ixor(b, nir_unpack_64_2x32_split_x(b, x), nir_unpack_64_2x32_split_y(b, x));
}

static void gen_float(struct gen *g)
{
    static const nir_op unary[] = {nir_op_fneg,   nir_op_fabs,        nir_op_fsat,
                                   nir_op_ffloor, nir_op_fceil,       nir_op_ftrunc,
                                   nir_op_ffract, nir_op_fround_even, nir_op_fsign};
    static const nir_op binary[] = {nir_op_fadd, nir_op_fsub, nir_op_fmul, nir_op_fmin,
                                    nir_op_fmax};
    nir_builder *b = &g->b;
    nir_def *src[3] = {pick_float(g), pick_float(g), pick_float(g)}, *x;
    switch (rnd(g, 9)) {
    case 8:
        x = gen_double(g);
        break;
    case 0:
    case 1:
        x = nir_build_alu(b, unary[rnd(g, ARRAY_SIZE(unary))], src);
        break;
    case 2:
        x = nir_bcsel(b, pick_bool(g), src[0], src[1]);
        break;
    case 3:
        x = nir_i2f32(b, nir_ishr_imm(b, pick_int(g), 20));
        break;
    case 4:
        x = nir_b2f32(b, pick_bool(g));
        break;
    case 5:
        x = nir_ffma(b, src[0], src[1], src[2]);
        break;
    default:
        x = nir_build_alu(b, binary[rnd(g, ARRAY_SIZE(binary))], src);
        break;
    }
    keep(g->floats, &g->num_floats, g, tame(g, x));
}

static void gen_int(struct gen *g)
{
    static const nir_op unary[] = {nir_op_ineg,
                                   nir_op_iabs,
                                   nir_op_inot,
                                   nir_op_isign,
                                   nir_op_bitfield_reverse,
                                   nir_op_bit_count,
                                   nir_op_find_lsb,
                                   nir_op_ufind_msb,
                                   nir_op_ifind_msb,
                                   nir_op_uclz};
    static const nir_op binary[] = {
        nir_op_iadd,       nir_op_isub,        nir_op_imul,     nir_op_iand,      nir_op_ior,
        nir_op_ixor,       nir_op_ishl,        nir_op_ishr,     nir_op_ushr,      nir_op_imin,
        nir_op_imax,       nir_op_umin,        nir_op_umax,     nir_op_imul_high, nir_op_umul_high,
        nir_op_uadd_carry, nir_op_usub_borrow, nir_op_uadd_sat, nir_op_usub_sat,  nir_op_iadd_sat,
        nir_op_isub_sat,   nir_op_bfm};
    static const nir_op division[] = {nir_op_idiv, nir_op_udiv, nir_op_irem, nir_op_umod,
                                      nir_op_imod};
    static const nir_op extract[] = {nir_op_extract_u8, nir_op_extract_i8, nir_op_extract_u16,
                                     nir_op_extract_i16};
    nir_builder *b = &g->b;
    nir_def *src[3] = {pick_int(g), pick_int(g), pick_int(g)}, *x;
    switch (rnd(g, 11)) {
    case 10:
        x = gen_long(g);
        break;
    case 0:
        x = nir_build_alu(b, unary[rnd(g, ARRAY_SIZE(unary))], src);
        break;
    case 1:
        x = nir_bcsel(b, pick_bool(g), src[0], src[1]);
        break;
    case 2:
        x = nir_f2i32(b, pick_float(g));
        break;
    case 3:
        src[1] = nir_ior(b, nir_iand_imm(b, src[1], 0xffff), nir_imm_int(b, 1));
        x = nir_build_alu(b, division[rnd(g, ARRAY_SIZE(division))], src);
        break;
    case 4:
        src[1] = nir_imm_int(b, (int)rnd(g, 2));
        x = nir_build_alu(b, extract[rnd(g, ARRAY_SIZE(extract))], src);
        break;
    case 5:
        x = nir_b2i32(b, pick_bool(g));
        break;
    case 6:
        src[1] = nir_iand_imm(b, src[1], 15);
        src[2] = nir_iand_imm(b, src[2], 15);
        x = rnd(g, 2) ? nir_ubitfield_extract(b, src[0], src[1], src[2])
                      : nir_ibitfield_extract(b, src[0], src[1], src[2]);
        break;
    case 7:
        src[1] = nir_iand_imm(b, src[1], 15);
        src[2] = nir_iand_imm(b, src[2], 15);
        x = nir_bitfield_insert(b, src[0], pick_int(g), src[1], src[2]);
        break;
    default:
        x = nir_build_alu(b, binary[rnd(g, ARRAY_SIZE(binary))], src);
        break;
    }
    keep(g->ints, &g->num_ints, g, x);
}

static void gen_bool(struct gen *g)
{
    static const nir_op floats[] = {nir_op_flt, nir_op_fge, nir_op_feq, nir_op_fneu};
    static const nir_op ints[] = {nir_op_ilt, nir_op_ige, nir_op_ieq,
                                  nir_op_ine, nir_op_ult, nir_op_uge};
    nir_builder *b = &g->b;
    nir_def *x;
    switch (rnd(g, 5)) {
    case 0: {
        nir_def *src[] = {pick_int(g), pick_int(g)};
        x = nir_build_alu(b, ints[rnd(g, ARRAY_SIZE(ints))], src);
        break;
    }
    case 1:
        x = nir_iand(b, pick_bool(g), pick_bool(g));
        break;
    case 2:
        x = rnd(g, 2) ? nir_inot(b, pick_bool(g)) : nir_ior(b, pick_bool(g), pick_bool(g));
        break;
    default: {
        nir_def *src[] = {pick_float(g), pick_float(g)};
        x = nir_build_alu(b, floats[rnd(g, ARRAY_SIZE(floats))], src);
        break;
    }
    }
    keep(g->bools, &g->num_bools, g, x);
}

static void gen_statements(struct gen *g, unsigned count);

/* Values defined inside are not visible outside. */
static void gen_nested(struct gen *g, unsigned count)
{
    unsigned floats = g->num_floats, ints = g->num_ints, bools = g->num_bools;
    nir_def *saved[3][MAX_VALUES];
    memcpy(saved[0], g->floats, sizeof saved[0]);
    memcpy(saved[1], g->ints, sizeof saved[1]);
    memcpy(saved[2], g->bools, sizeof saved[2]);
    g->depth++;
    gen_statements(g, count);
    g->depth--;
    memcpy(g->floats, saved[0], sizeof saved[0]);
    memcpy(g->ints, saved[1], sizeof saved[1]);
    memcpy(g->bools, saved[2], sizeof saved[2]);
    g->num_floats = floats;
    g->num_ints = ints;
    g->num_bools = bools;
}

static void gen_if(struct gen *g)
{
    nir_if *nif = nir_push_if(&g->b, pick_bool(g));
    gen_nested(g, 1 + rnd(g, 6));
    if (rnd(g, 2)) {
        nir_push_else(&g->b, nif);
        gen_nested(g, 1 + rnd(g, 6));
    }
    nir_pop_if(&g->b, nif);
}

static void gen_jump(struct gen *g, nir_jump_type type)
{
    nir_if *nif = nir_push_if(&g->b, pick_bool(g));
    if (rnd(g, 2))
        gen_nested(g, 2);
    nir_jump(&g->b, type);
    nir_pop_if(&g->b, nif);
}

/* Generates a loop of at most n iterations; n differs between channels. */
static void gen_loop(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_variable *counter = nir_local_variable_create(b->impl, glsl_int_type(), "counter");
    nir_def *limit = nir_iand_imm(b, pick_int(g), 7);
    nir_store_var(b, counter, nir_imm_int(b, 0), 1);
    nir_loop *loop = nir_push_loop(b);
    nir_def *i = nir_load_var(b, counter);
    nir_store_var(b, counter, nir_iadd_imm(b, i, 1), 1);
    nir_if *nif = nir_push_if(b, nir_ige(b, i, limit));
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, nif);
    g->loops++;
    gen_nested(g, 2 + rnd(g, 6));
    if (rnd(g, 2))
        gen_jump(g, rnd(g, 3) ? nir_jump_continue : nir_jump_break);
    gen_nested(g, 1 + rnd(g, 4));
    g->loops--;
    nir_pop_loop(b, loop);
}

static void gen_vertex(struct gen *g)
{
    nir_builder *b = &g->b;
    for (unsigned i = 0; i < VERTEX_OUTPUTS; i++)
        nir_store_var(b, g->vertex[i],
                      nir_vec4(b, pick_int(g), pick_float(g), pick_int(g), pick_int(g)), 0xf);
    nir_emit_vertex(b, .stream_id = (int)rnd(g, g->streams));
    if (g->streams == 1 && rnd(g, 3) == 0)
        nir_end_primitive(b, .stream_id = 0);
}

static void gen_statements(struct gen *g, unsigned count)
{
    nir_builder *b = &g->b;
    for (unsigned i = 0; i < count && g->budget > 0; i++, g->budget--) {
        unsigned v = rnd(g, MAX_VARIABLES);
        if (g->pixel && rnd(g, 30) == 0) {
            nir_def *chosen = nir_ieq_imm(b, nir_iand_imm(b, g->pixel, 7), (int)rnd(g, 8));
            nir_discard_if(b, nir_iand(b, chosen, pick_bool(g)));
        }
        if (g->streams && rnd(g, 8) == 0)
            gen_vertex(g);
        switch (rnd(g, 12)) {
        case 0:
        case 1:
        case 2:
            gen_float(g);
            break;
        case 3:
        case 4:
        case 5:
            gen_int(g);
            break;
        case 6:
        case 7:
            gen_bool(g);
            break;
        case 8:
            if (v % 2)
                nir_store_var(b, g->variables[v], pick_int(g), 1);
            else
                nir_store_var(b, g->variables[v], pick_float(g), 1);
            break;
        case 9:
            if (v % 2)
                keep(g->ints, &g->num_ints, g, nir_load_var(b, g->variables[v]));
            else
                keep(g->floats, &g->num_floats, g, nir_load_var(b, g->variables[v]));
            break;
        case 10:
            if (g->depth < 4)
                gen_if(g);
            break;
        default:
            if (g->depth < 3 && g->loops < 2)
                gen_loop(g);
            break;
        }
    }
}

/* Generates code from the words in g->ints, the first half of which also provide small floats. */
static void gen_body(struct gen *g, nir_def *out[NUM_OUTPUTS * 4])
{
    nir_builder *b = &g->b;
    for (unsigned i = 0; i < 4; i++) {
        nir_def *x = nir_i2f32(b, nir_ishr_imm(b, g->ints[i], 22));
        keep(g->floats, &g->num_floats, g, nir_fmul_imm(b, x, 0.125));
        keep(g->bools, &g->num_bools, g, nir_ilt_imm(b, g->ints[i], 1000));
    }
    for (unsigned i = 0; i < MAX_VARIABLES; i++) {
        g->variables[i] =
            nir_local_variable_create(b->impl, i % 2 ? glsl_int_type() : glsl_float_type(), "v");
        nir_store_var(b, g->variables[i], i % 2 ? pick_int(g) : pick_float(g), 1);
    }
    g->budget = 60 + (int)rnd(g, 120);
    gen_statements(g, 1000);
    for (unsigned i = 0; i < MAX_VARIABLES; i++) {
        nir_def *x = nir_load_var(b, g->variables[i]);
        if (i % 2)
            keep(g->ints, &g->num_ints, g, x);
        else
            keep(g->floats, &g->num_floats, g, x);
    }
    for (unsigned i = 0; i < NUM_OUTPUTS * 4; i++)
        out[i] = i % 4 < 2 ? g->ints[g->num_ints - 1 - rnd(g, MIN2(g->num_ints, 24))]
                           : g->floats[g->num_floats - 1 - rnd(g, MIN2(g->num_floats, 24))];
}

static struct gen begin(enum shader_stage stage, uint64_t seed)
{
    struct gen g = {.state = seed * 2654435761u + 99};
    g.b = nir_builder_init_simple_shader(NULL, stage, &i965_nir_options, "random");
    g.b.exact = true;
    for (unsigned i = 0; i < 4; i++)
        g.ints[g.num_ints++] =
            nir_load_uniform(&g.b, 1, 32, nir_imm_int(&g.b, (int)i * 20), .base = 4, .range = 100,
                             .dest_type = nir_type_int32);
    return g;
}

static nir_shader *vertex_shader(uint64_t seed)
{
    struct gen g = begin(SHADER_VERTEX, seed);
    nir_builder *b = &g.b;
    nir_def *out[NUM_OUTPUTS * 4];
    for (unsigned i = 0; i < NUM_INPUTS; i++) {
        nir_variable *in = nir_variable_create(b->shader, nir_var_shader_in,
                                               glsl_simple_type(GLSL_TYPE_INT, 4, 1), "in");
        in->data.location = (int)i;
        in->data.driver_location = i;
        nir_def *v = nir_load_var(b, in);
        for (unsigned k = 0; k < 4; k++)
            keep(g.ints, &g.num_ints, &g, nir_channel(b, v, k));
    }
    gen_body(&g, out);
    for (unsigned i = 0; i < NUM_OUTPUTS; i++) {
        nir_variable *v = nir_variable_create(b->shader, nir_var_shader_out,
                                              glsl_simple_type(GLSL_TYPE_INT, 4, 1), "out");
        v->data.location = i ? VARYING_SLOT_VAR0 + (int)i : VARYING_SLOT_POS;
        v->data.driver_location = i;
        nir_store_var(b, v, nir_vec(b, &out[4 * i], 4), 0xf);
    }
    nir_shader_gather_info(b->shader);
    return b->shader;
}

/* The coverage in the payload is a different dword for each pixel. */
static nir_shader *fragment_shader(uint64_t seed)
{
    struct gen g = begin(SHADER_FRAGMENT, seed);
    nir_builder *b = &g.b;
    nir_def *out[NUM_OUTPUTS * 4];
    g.pixel = nir_load_sample_mask_in(b);
    for (unsigned i = 0; i < 8; i++) {
        nir_def *x = nir_iadd_imm(b, nir_imul_imm(b, g.pixel, (int)rnd(&g, 0x7fffffff)), (int)i);
        keep(g.ints, &g.num_ints, &g, nir_ushr_imm(b, x, rnd(&g, 20)));
    }
    gen_body(&g, out);
    for (unsigned i = 0; i < NUM_OUTPUTS; i++) {
        nir_variable *v = nir_variable_create(b->shader, nir_var_shader_out,
                                              glsl_simple_type(GLSL_TYPE_INT, 4, 1), "out");
        v->data.location = FRAG_RESULT_DATA0 + (int)i;
        v->data.driver_location = i;
        nir_store_var(b, v, nir_vec(b, &out[4 * i], 4), 0xf);
    }
    nir_shader_gather_info(b->shader);
    return b->shader;
}

static nir_shader *compute_shader(uint64_t seed)
{
    struct gen g = begin(SHADER_COMPUTE, seed);
    nir_builder *b = &g.b;
    nir_def *out[NUM_OUTPUTS * 4];
    b->shader->info.cs.workgroup_size[0] = CHANNELS;
    b->shader->info.cs.workgroup_size[1] = b->shader->info.cs.workgroup_size[2] = 1;
    nir_def *index = nir_load_local_invocation_index(b);
    nir_def *place = nir_imul_imm(b, index, NUM_INPUTS * 16);
    for (unsigned i = 0; i < NUM_INPUTS; i++) {
        nir_def *v = nir_load_ssbo(b, 4, 32, nir_imm_int(b, 0), nir_iadd_imm(b, place, 16 * i),
                                   .align_mul = 4);
        for (unsigned k = 0; k < 4; k++)
            keep(g.ints, &g.num_ints, &g, nir_channel(b, v, k));
    }
    gen_body(&g, out);
    for (unsigned i = 0; i < NUM_OUTPUTS; i++)
        nir_store_ssbo(b, nir_vec(b, &out[4 * i], 4), nir_imm_int(b, 1),
                       nir_iadd_imm(b, place, 16 * i), .write_mask = 0xf, .align_mul = 4);
    nir_shader_gather_info(b->shader);
    return b->shader;
}

static nir_variable *add_variable(nir_builder *b, nir_variable_mode mode, unsigned vertices,
                                  unsigned location, unsigned slot)
{
    const struct glsl_type *type = glsl_simple_type(GLSL_TYPE_INT, 4, 1);
    if (vertices)
        type = glsl_array_type(b->shader, type, vertices, 0);
    nir_variable *var = nir_variable_create(b->shader, mode, type, "io");
    var->data.location = (int)location;
    var->data.driver_location = slot;
    var->data.patch = location >= VARYING_SLOT_PATCH0;
    var->data.interpolation = INTERP_MODE_FLAT;
    return var;
}

static void keep_vector(struct gen *g, nir_def *v)
{
    for (unsigned k = 0; k < 4; k++)
        keep(g->ints, &g->num_ints, g, nir_channel(&g->b, v, k));
}

static void keep_vertex(struct gen *g, nir_variable *in, nir_def *vertex)
{
    nir_deref_instr *array = nir_build_deref_var(&g->b, in);
    keep_vector(g, nir_load_deref(&g->b, nir_build_deref_array(&g->b, array, vertex)));
}

/* The inputs of vertex v are the channel's vectors v and PRIMITIVE_VERTICES + v. With several
 * invocations, all channels have the primitive of channel 0. */
static nir_shader *geometry_shader(uint64_t seed)
{
    static const unsigned max_vertices[] = {3, 32, MAX_EMITTED};
    struct gen g = begin(SHADER_GEOMETRY, seed);
    nir_builder *b = &g.b;
    nir_shader_info *info = &b->shader->info;
    nir_def *out[NUM_OUTPUTS * 4];
    g.streams = seed % 4 == 3 ? 4 : 1;
    info->gs.vertices_in = PRIMITIVE_VERTICES;
    info->gs.invocations = seed / 2 % 2 ? 8 : 1;
    info->gs.vertices_out = (uint16_t)max_vertices[seed % 3];
    info->gs.input_primitive = DRV_PRIM_LINES;
    info->gs.output_primitive = g.streams == 1 ? DRV_PRIM_TRIANGLE_STRIP : DRV_PRIM_POINTS;
    for (unsigned i = 0; i < VERTEX_OUTPUTS; i++)
        g.vertex[i] =
            add_variable(b, nir_var_shader_out, 0, i ? VARYING_SLOT_VAR0 + 3 : VARYING_SLOT_POS, i);
    keep(g.ints, &g.num_ints, &g, nir_load_primitive_id(b));
    keep(g.ints, &g.num_ints, &g, nir_load_invocation_id(b));
    for (unsigned i = 0; i < NUM_INPUTS / PRIMITIVE_VERTICES; i++) {
        nir_variable *in =
            add_variable(b, nir_var_shader_in, PRIMITIVE_VERTICES,
                         i ? VARYING_SLOT_VAR0 : VARYING_SLOT_POS, i * PRIMITIVE_VERTICES);
        keep_vertex(&g, in, nir_imm_int(b, (int)rnd(&g, PRIMITIVE_VERTICES)));
        keep_vertex(&g, in, nir_iand_imm(b, pick_int(&g), PRIMITIVE_VERTICES - 1));
    }
    gen_body(&g, out);
    if (rnd(&g, 2))
        gen_vertex(&g);
    nir_shader_gather_info(b->shader);
    return b->shader;
}

/* The vectors of invocation v are the inputs of vertex v; a patch vector is uniform. */
static nir_shader *tess_control_shader(uint64_t seed)
{
    struct gen g = begin(SHADER_TESS_CTRL, seed);
    nir_builder *b = &g.b;
    nir_def *out[NUM_OUTPUTS * 4], *patch[4], *id = nir_load_invocation_id(b);
    unsigned vertices = seed % 2 ? PATCH_VERTICES : 8;
    b->shader->info.tess.vertices_out = (uint8_t)vertices;
    memcpy(patch, g.ints, sizeof patch);
    keep(g.ints, &g.num_ints, &g, nir_load_primitive_id(b));
    keep(g.ints, &g.num_ints, &g, nir_load_patch_vertices_in(b));
    for (unsigned i = 0; i < 2; i++) {
        nir_variable *in =
            add_variable(b, nir_var_shader_in, PATCH_VERTICES,
                         i ? VARYING_SLOT_VAR0 : VARYING_SLOT_POS, i * PATCH_VERTICES);
        keep_vertex(&g, in, id);
        keep_vertex(&g, in, nir_imm_int(b, (int)rnd(&g, PATCH_VERTICES)));
        keep_vertex(&g, in, nir_iand_imm(b, pick_int(&g), 7));
    }
    gen_body(&g, out);
    for (unsigned i = 0; i < NUM_OUTPUTS; i++) {
        nir_variable *v =
            add_variable(b, nir_var_shader_out, vertices,
                         i ? VARYING_SLOT_VAR0 + i : VARYING_SLOT_POS, i * PATCH_VERTICES);
        nir_deref_instr *element = nir_build_deref_array(b, nir_build_deref_var(b, v), id);
        nir_store_deref(b, element, nir_vec(b, &out[4 * i], 4), 0x5);
        nir_store_deref(b, element, nir_vec(b, &out[4 * i], 4), 0xa);
    }
    nir_variable *v =
        add_variable(b, nir_var_shader_out, 0, VARYING_SLOT_PATCH0, NUM_OUTPUTS * PATCH_VERTICES);
    nir_store_var(b, v, nir_vec(b, patch, 4), 0xf);
    nir_shader_gather_info(b->shader);
    return b->shader;
}

/* The inputs are those of channel 0, except for the tessellation coordinates. */
static nir_shader *tess_eval_shader(uint64_t seed)
{
    struct gen g = begin(SHADER_TESS_EVAL, seed);
    nir_builder *b = &g.b;
    nir_def *out[NUM_OUTPUTS * 4];
    b->shader->info.tess.primitive_mode = nir_tess_primitive_quads;
    for (unsigned i = 0; i < 2; i++) {
        nir_variable *in =
            add_variable(b, nir_var_shader_in, 0, VARYING_SLOT_PATCH0 + 1 + i, 2 + i);
        keep_vector(&g, nir_load_var(b, in));
    }
    nir_def *coord = nir_load_tess_coord(b);
    for (unsigned i = 0; i < 3; i++)
        keep(g.ints, &g.num_ints, &g, nir_channel(b, coord, i));
    keep(g.ints, &g.num_ints, &g, nir_load_primitive_id(b));
    keep(g.ints, &g.num_ints, &g, nir_load_patch_vertices_in(b));
    nir_variable *in = add_variable(b, nir_var_shader_in, 2, VARYING_SLOT_VAR0 + 5, 0);
    keep_vertex(&g, in, nir_imm_int(b, 1));
    keep_vertex(&g, in, nir_iand_imm(b, pick_int(&g), 1));
    gen_body(&g, out);
    for (unsigned i = 0; i < NUM_OUTPUTS; i++) {
        nir_variable *v =
            add_variable(b, nir_var_shader_out, 0, i ? VARYING_SLOT_VAR0 + i : VARYING_SLOT_POS, i);
        nir_store_var(b, v, nir_vec(b, &out[4 * i], 4), 0xf);
    }
    nir_shader_gather_info(b->shader);
    return b->shader;
}

/* --- Running them --- */

/* Results of a primitive. */
struct emitted {
    uint32_t count;
    uint32_t control[MAX_EMITTED]; /* Whether the strip ends after the vertex, or its stream. */
    uint32_t vertex[MAX_EMITTED][VERTEX_OUTPUTS][4];
};

enum { INVOCATION = 5, PRIMITIVE = 1000, VERTICES_IN = 17 };

struct data {
    uint32_t in[CHANNELS][NUM_INPUTS][4], out[CHANNELS][NUM_OUTPUTS][4],
        expected[CHANNELS][NUM_OUTPUTS][4];
    uint32_t uniforms[NUM_UNIFORMS + 8];
    bool discarded[CHANNELS], written[CHANNELS]; /* Discarded pixels expected; pixels written. */
    struct emitted emitted[CHANNELS], expected_emitted[CHANNELS];
    bool strips; /* Strips are emitted, not points to streams. */
    uint32_t patch[4], expected_patch[4];
};

static void random_data(struct data *d, uint64_t seed)
{
    struct gen g = {.state = seed ^ 0x123456789ull};
    for (unsigned i = 0; i < NUM_UNIFORMS; i++)
        d->uniforms[i] = rnd(&g, ~0u >> 1) << rnd(&g, 2);
    for (unsigned i = 0; i < sizeof d->in / 4; i++)
        (&d->in[0][0][0])[i] = (rnd(&g, 0x7fffffff) << 1 | rnd(&g, 2)) >> rnd(&g, 32);
}

struct eval_place {
    struct run_place run; /* Must be first. */
    struct data *data;
    const nir_shader *nir;
};

static void emit(const struct eval_place *place, const uint32_t (*outputs)[4], unsigned stream)
{
    struct emitted *e = &place->data->expected_emitted[place->run.channel];
    if (e->count >= place->nir->info.gs.vertices_out)
        return;
    memcpy(e->vertex[e->count], outputs, sizeof e->vertex[0]);
    e->control[e->count++] = stream;
}

static bool eval_intrinsic(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                           nir_const_value *const *srcs, nir_const_value *dest)
{
    const struct eval_place *place = eval->data;
    unsigned c = place->run.channel;
    bool geometry = place->nir->info.stage == SHADER_GEOMETRY;
    struct emitted *e = &place->data->expected_emitted[c];
    switch (intr->intrinsic) {
    case nir_intrinsic_load_sample_mask_in:
        dest[0].u32 = place->run.block[0][c * NUM_INPUTS * 4];
        return true;
    case nir_intrinsic_load_primitive_id:
        dest[0].u32 = PRIMITIVE + (geometry ? c : 0);
        return true;
    case nir_intrinsic_load_invocation_id:
        dest[0].u32 = geometry ? INVOCATION : c;
        return true;
    case nir_intrinsic_load_patch_vertices_in:
        dest[0].u32 = VERTICES_IN;
        return true;
    case nir_intrinsic_load_tess_coord:
        for (unsigned i = 0; i < 3; i++)
            dest[i].u32 = place->data->in[c][i][0];
        return true;
    case nir_intrinsic_emit_vertex:
        emit(place, (const uint32_t(*)[4])eval->outputs, nir_intrinsic_stream_id(intr));
        return true;
    case nir_intrinsic_end_primitive:
        if (e->count)
            e->control[e->count - 1] = 1;
        return true;
    default:
        return run_eval_memory(eval, intr, srcs, dest);
    }
}

/* Loads vector v of the two of each patch vertex; they follow those of the previous vertices. */
static void load_patch_inputs(struct nir_eval *eval, const struct data *d)
{
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned v = 0; v < PATCH_VERTICES; v++)
            memcpy(eval->inputs[i * PATCH_VERTICES + v], d->in[v][i], 16);
    }
}

static bool evaluate(nir_shader *nir, struct data *d, unsigned channels)
{
    enum shader_stage stage = nir->info.stage;
    d->strips = stage == SHADER_GEOMETRY && nir->info.gs.output_primitive != DRV_PRIM_POINTS;
    for (unsigned c = 0; c < channels; c++) {
        struct eval_place place = {
            {{&d->in[0][0][0], &d->expected[0][0][0]}, sizeof d->in / 4, c}, d, nir};
        struct nir_eval *eval = talloc_zero(NULL, struct nir_eval);
        bool shared =
            stage == SHADER_TESS_EVAL || (stage == SHADER_GEOMETRY && nir->info.gs.invocations > 1);
        memcpy(eval->inputs, d->in[shared ? 0 : c], sizeof d->in[c]);
        if (stage == SHADER_TESS_CTRL)
            load_patch_inputs(eval, d);
        memcpy(eval->uniforms, d->uniforms, sizeof d->uniforms);
        eval->intrinsic = eval_intrinsic;
        eval->data = &place;
        bool runs = stage != SHADER_TESS_CTRL || c < nir->info.tess.vertices_out;
        enum nir_eval_result result = runs ? nir_eval_shader(eval, nir) : NIR_EVAL_DONE;
        d->discarded[c] = eval->discarded;
        for (unsigned i = 0; i < NUM_OUTPUTS && stage == SHADER_TESS_CTRL && runs; i++)
            memcpy(d->expected[c][i], eval->outputs[i * PATCH_VERTICES + c], 16);
        if (stage == SHADER_TESS_CTRL && runs)
            memcpy(d->expected_patch, eval->outputs[NUM_OUTPUTS * PATCH_VERTICES], 16);
        if (stage == SHADER_VERTEX || stage == SHADER_TESS_EVAL || stage == SHADER_FRAGMENT)
            memcpy(d->expected[c], eval->outputs, sizeof d->expected[c]);
        talloc_free(eval);
        if (result != NIR_EVAL_DONE)
            return false;
    }
    return true;
}

struct environment {
    struct run_env run; /* Must be first. */
    struct data *data;
    unsigned first; /* First channel (pixel) of the thread. */
};

static bool run_vertex(struct environment *e, const struct i965_kernel *k,
                       const struct sim_program *code)
{
    static uint8_t urb[8 * 1024];
    const struct i965_prog_data *p = e->run.prog_data;
    struct sim_thread *t = e->run.thread;
    e->run.env.urb = urb;
    e->run.env.urb_size = sizeof urb;
    run_begin_thread(&e->run, code, k, 8);
    for (unsigned c = 0; c < 8; c++)
        sim_grf(t, 1)[c] = c * 16;
    unsigned grf = k->dispatch_grf_start + p->curb_read_length;
    for (unsigned i = 0; i < p->vs.num_inputs; i++) {
        /* An attribute's second slot is the evaluator's next input. */
        unsigned n = p->vs.inputs[i] / I965_ATTRIB_SLOTS + p->vs.inputs[i] % I965_ATTRIB_SLOTS;
        for (unsigned comp = 0; comp < 4; comp++, grf++) {
            for (unsigned c = 0; c < 8; c++)
                sim_grf(t, grf)[c] = e->data->in[c][n][comp];
        }
    }
    bool ok = run_end_thread(&e->run);
    for (unsigned c = 0; c < 8; c++) {
        for (unsigned i = 0; i < NUM_OUTPUTS; i++) {
            int slot = p->vue_map.slot[i ? VARYING_SLOT_VAR0 + i : VARYING_SLOT_POS];
            memcpy(e->data->out[c][i], urb + c * 1024 + slot * 16, 16);
        }
    }
    return ok;
}

/* The entries of input vertices and patches are in the first half of the URB, the thread's in the
 * second. */
enum { URB_BYTES = 128 * 1024, OUTPUT_HANDLE = URB_BYTES / 128, ENTRY_BYTES = 512 };

static uint8_t urb[URB_BYTES];

static void begin_urb(struct environment *e)
{
    memset(urb, 0xcd, sizeof urb);
    e->run.env.urb = urb;
    e->run.env.urb_size = sizeof urb;
}

/* first: slots before those in the map. Slots that are not read are absent. */
static void write_slot(const struct i965_vue_map *map, unsigned location, unsigned handle,
                       unsigned first, const uint32_t value[4])
{
    if (map->slot[location] >= 0)
        memcpy(urb + handle * 64 + (first + (unsigned)map->slot[location]) * 16, value, 16);
}

/* Copies the part of an entry that the payload contains: one register per component of a channel,
 * or one per pair. */
static void push_slots(struct environment *e, unsigned grf, unsigned channel, unsigned handle)
{
    const struct i965_prog_data *p = e->run.prog_data;
    for (unsigned i = 0; i < p->urb_read_length * 8u; i++)
        memcpy(&sim_grf(e->run.thread, grf + i)[channel],
               urb + handle * 64 + p->urb_read_offset * 32 + i * 4, 4);
}

static void read_emitted(const struct i965_prog_data *p, const uint8_t *entry, struct emitted *to)
{
    const uint32_t *control =
        (const uint32_t *)(const void *)(entry + (p->gs.static_output ? 0 : 32));
    unsigned bits = p->gs.control_data_format;
    memcpy(&to->count, entry, 4);
    if (p->gs.static_output)
        to->count = p->gs.static_vertex_count;
    const uint8_t *vertex = (const uint8_t *)control + p->gs.control_data_header_size * 32;
    for (unsigned v = 0; v < MIN2(to->count, (unsigned)MAX_EMITTED); v++) {
        if (bits)
            to->control[v] = control[v * bits / 32] >> v * bits % 32 & ((1u << bits) - 1);
        for (unsigned i = 0; i < VERTEX_OUTPUTS; i++) {
            int slot = p->vue_map.slot[i ? VARYING_SLOT_VAR0 + 3 : VARYING_SLOT_POS];
            memcpy(to->vertex[v][i], vertex + v * p->gs.output_vertex_size * 32 + slot * 16, 16);
        }
    }
}

static bool run_geometry(struct environment *e, const struct i965_kernel *k,
                         const struct sim_program *code)
{
    const struct i965_prog_data *p = e->run.prog_data;
    struct sim_thread *t = e->run.thread;
    begin_urb(e);
    run_begin_thread(&e->run, code, k, 8);
    unsigned ids = 2, handles = ids + p->gs.include_primitive_id;
    for (unsigned c = 0; c < 8; c++) {
        unsigned primitive = p->gs.invocations > 1 ? 0 : c;
        sim_grf(t, 1)[c] = (OUTPUT_HANDLE + c * p->gs.urb_entry_size) | (uint32_t)INVOCATION << 27;
        if (p->gs.include_primitive_id)
            sim_grf(t, ids)[c] = PRIMITIVE + c;
        for (unsigned v = 0; v < PRIMITIVE_VERTICES; v++) {
            unsigned handle = (primitive * PRIMITIVE_VERTICES + v) * ENTRY_BYTES / 64;
            for (unsigned i = 0; i < 2; i++)
                write_slot(&p->input_map, i ? VARYING_SLOT_VAR0 : VARYING_SLOT_POS, handle, 0,
                           e->data->in[primitive][i * PRIMITIVE_VERTICES + v]);
            if (p->gs.include_vertex_handles && p->gs.invocations > 1)
                sim_grf(t, handles)[v] = handle;
            else if (p->gs.include_vertex_handles)
                sim_grf(t, handles + v)[c] = handle;
            push_slots(e, k->dispatch_grf_start + p->curb_read_length + v * p->urb_read_length * 8u,
                       c, handle);
        }
    }
    bool ok = run_end_thread(&e->run);
    for (unsigned c = 0; c < 8; c++)
        read_emitted(p, urb + (OUTPUT_HANDLE + c * p->gs.urb_entry_size) * 64,
                     &e->data->emitted[c]);
    return ok;
}

static bool run_tess_control(struct environment *e, const struct i965_kernel *k,
                             const struct sim_program *code)
{
    const struct i965_prog_data *p = e->run.prog_data;
    const uint8_t *entry = urb + OUTPUT_HANDLE * 64;
    bool ok = true;
    begin_urb(e);
    for (unsigned i = 0; i < p->tcs.instances && ok; i++) {
        struct sim_thread *t = e->run.thread;
        run_begin_thread(&e->run, code, k, 8);
        sim_grf(t, 0)[0] = OUTPUT_HANDLE;
        sim_grf(t, 0)[1] = PRIMITIVE;
        sim_grf(t, 0)[2] = i << 17;
        for (unsigned v = 0; v < PATCH_VERTICES; v++) {
            unsigned handle = v * ENTRY_BYTES / 64;
            sim_grf(t, 1)[v] = handle;
            for (unsigned n = 0; n < 2; n++)
                write_slot(&p->input_map, n ? VARYING_SLOT_VAR0 : VARYING_SLOT_POS, handle, 0,
                           e->data->in[v][n]);
        }
        if (p->tcs.uses_patch_vertices)
            sim_grf(t, k->dispatch_grf_start + p->curb_read_length)[0] = VERTICES_IN;
        ok = run_end_thread(&e->run);
    }
    memcpy(e->data->patch, entry + p->vue_map.slot[VARYING_SLOT_PATCH0] * 16, 16);
    for (unsigned v = 0; v < p->tcs.vertices_out; v++) {
        for (unsigned i = 0; i < NUM_OUTPUTS; i++) {
            unsigned slot =
                (unsigned)p->vue_map.slot[i ? VARYING_SLOT_VAR0 + i : VARYING_SLOT_POS] +
                p->vue_map.num_patch_slots + v * p->vue_map.num_slots;
            memcpy(e->data->out[v][i], entry + slot * 16, 16);
        }
    }
    return ok;
}

static bool run_tess_eval(struct environment *e, const struct i965_kernel *k,
                          const struct sim_program *code)
{
    const struct i965_prog_data *p = e->run.prog_data;
    const struct i965_vue_map *map = &p->input_map;
    struct sim_thread *t = e->run.thread;
    begin_urb(e);
    for (unsigned i = 0; i < 2; i++) {
        write_slot(map, VARYING_SLOT_PATCH0 + 1 + i, 0, 0, e->data->in[0][2 + i]);
        write_slot(map, VARYING_SLOT_VAR0 + 5, 0, map->num_patch_slots + i * map->num_slots,
                   e->data->in[0][i]);
    }
    run_begin_thread(&e->run, code, k, 8);
    sim_grf(t, 0)[1] = PRIMITIVE;
    for (unsigned c = 0; c < 8; c++) {
        for (unsigned i = 0; i < 3; i++)
            sim_grf(t, 1 + i)[c] = e->data->in[c][i][0];
        sim_grf(t, 4)[c] = OUTPUT_HANDLE + c * p->tes.urb_entry_size;
    }
    unsigned grf = k->dispatch_grf_start + p->curb_read_length;
    if (p->tes.uses_patch_vertices)
        sim_grf(t, grf++)[0] = VERTICES_IN;
    memcpy(sim_grf(t, grf), urb + p->urb_read_offset * 32, p->urb_read_length * 32);
    bool ok = run_end_thread(&e->run);
    for (unsigned c = 0; c < 8; c++) {
        const uint8_t *entry = urb + (OUTPUT_HANDLE + c * p->tes.urb_entry_size) * 64;
        for (unsigned i = 0; i < NUM_OUTPUTS; i++)
            memcpy(e->data->out[c][i],
                   entry + p->vue_map.slot[i ? VARYING_SLOT_VAR0 + i : VARYING_SLOT_POS] * 16, 16);
    }
    return ok;
}

static bool run_compute(struct environment *e, const struct i965_kernel *k,
                        const struct sim_program *code)
{
    return run_group(&e->run, code, k, CHANNELS);
}

static bool write_pixels(struct sim_env *env, const struct sim_render_write *write)
{
    struct environment *e = (struct environment *)env;
    unsigned target = write->target - e->run.prog_data->binding_table.render_targets;
    for (unsigned i = 0; i < write->channels; i++) {
        unsigned c = e->first + write->first + i;
        if (!(write->mask >> i & 1) || c >= CHANNELS || target >= NUM_OUTPUTS)
            continue;
        e->data->written[c] = true;
        for (unsigned k = 0; k < 4; k++)
            e->data->out[c][target][k] = write->color[k][i];
    }
    return true;
}

static bool run_fragment(struct environment *e, const struct i965_kernel *k,
                         const struct sim_program *code)
{
    struct sim_thread *t = e->run.thread;
    bool ok = true;
    e->run.env.render_write = write_pixels;
    memset(e->data->written, 0, sizeof e->data->written);
    for (e->first = 0; e->first < 16 && ok; e->first += k->width) {
        run_begin_thread(&e->run, code, k, k->width);
        sim_grf(t, 1)[7] = UINT32_MAX >> (32 - k->width);
        for (unsigned c = 0; c < k->width && e->run.prog_data->fs.uses_sample_mask; c++)
            sim_grf(t, k->dispatch_grf_start - k->width / 8)[c] = e->data->in[e->first + c][0][0];
        ok = run_end_thread(&e->run);
    }
    return ok;
}

/* How to test a stage. */
struct test_stage {
    const char *name;
    nir_shader *(*make)(uint64_t seed);
    bool (*run)(struct environment *e, const struct i965_kernel *k, const struct sim_program *code);
    unsigned channels;
};

/* Runs one kernel; its results are in d->out. */
static bool run_kernel(const struct test_stage *stage, const struct i965_program *program,
                       const struct i965_kernel *k, const struct sim_program *code, struct data *d)
{
    const struct sim_surface blocks[2] = {{(uint8_t *)d->in, sizeof d->in, true},
                                          {(uint8_t *)d->out, sizeof d->out, false}};
    struct environment e = {.data = d};
    memset(d->out, 0, sizeof d->out);
    memset(d->emitted, 0, sizeof d->emitted);
    bool ok =
        run_env_init(&e.run, &program->data, blocks,
                     (struct sim_surface){(uint8_t *)d->uniforms, sizeof d->uniforms, true}) &&
        stage->run(&e, k, code);
    run_env_finish(&e.run);
    return ok;
}

static bool equal(uint32_t a, uint32_t b)
{
    return a == b || (a << 1 == 0 && b << 1 == 0); /* The sign of zero may differ. */
}

/* It does not matter whether the strip ends after the last vertex: it always does. */
static bool same_control(const struct emitted *a, const struct emitted *b, unsigned v, bool strips)
{
    return a->control[v] == b->control[v] || (strips && v + 1 == a->count);
}

static unsigned compare_emitted(const struct data *d, unsigned channels, bool verbose)
{
    unsigned differences = 0;
    for (unsigned c = 0; c < channels; c++) {
        const struct emitted *got = &d->emitted[c], *want = &d->expected_emitted[c];
        if (verbose && got->count != want->count)
            printf("channel %u: %u vertices, expected %u\n", c, got->count, want->count);
        differences += got->count != want->count;
        for (unsigned v = 0; v < MIN2(want->count, got->count); v++) {
            bool same = same_control(got, want, v, d->strips);
            for (unsigned i = 0; i < VERTEX_OUTPUTS * 4; i++)
                same = same && equal(got->vertex[v][i / 4][i % 4], want->vertex[v][i / 4][i % 4]);
            differences += !same;
            if (verbose && !same)
                printf("channel %u vertex %u: control data %u, expected %u\n", c, v,
                       got->control[v], want->control[v]);
        }
    }
    return differences;
}

static unsigned compare(const struct data *d, unsigned channels, bool verbose)
{
    unsigned differences = compare_emitted(d, channels, verbose) +
                           (memcmp(d->patch, d->expected_patch, sizeof d->patch) != 0);
    for (unsigned c = 0; c < channels; c++) {
        differences += d->discarded[c] && d->written[c];
        for (unsigned i = 0; i < NUM_OUTPUTS * 4 && !d->discarded[c]; i++) {
            uint32_t got = d->out[c][i / 4][i % 4], want = d->expected[c][i / 4][i % 4];
            if (equal(got, want))
                continue;
            differences++;
            if (verbose)
                printf("channel %u output %u.%u: %08x, expected %08x\n", c, i / 4, i % 4, got,
                       want);
        }
    }
    return differences;
}

static const struct test_stage test_stages[] = {
    {"vs", vertex_shader, run_vertex, 8},
    {"fs", fragment_shader, run_fragment, 16},
    {"cs", compute_shader, run_compute, CHANNELS},
    {"gs", geometry_shader, run_geometry, 8},
    {"tcs", tess_control_shader, run_tess_control, PATCH_VERTICES},
    {"tes", tess_eval_shader, run_tess_eval, 8},
};
enum { TEST_CS = 2 };

/* Returns the number of differences over all widths, or ~0 on failure. */
static unsigned check_stage(const struct i965_device *dev, uint64_t seed,
                            const struct test_stage *stage, bool verbose)
{
    nir_shader *nir = stage->make(seed);
    void *mem_ctx = talloc_new(NULL);
    struct data *d = talloc_zero(mem_ctx, struct data);
    unsigned differences = 0;
    const char *error = NULL;
    struct i965_key key = {.num_color_targets = NUM_OUTPUTS};
    /* The validator requires the last message in r112 or above, which a small register
     * file lacks. */
    unsigned flags = dev->grf_count == 128 ? I965_COMPILE_VALIDATE : 0;
    random_data(d, seed);
    bool ok = evaluate(nir, d, stage->channels);
    if (verbose)
        nir_print_shader(nir, stdout);
    struct i965_program *program = i965_compile(mem_ctx, dev, nir, &key, flags, &error);
    if (!program)
        printf("seed %u: %s\n", (unsigned)seed, error);
    for (unsigned i = 0; program && ok && i < 3; i++) {
        const struct i965_kernel *k = &program->kernels[i];
        char message[160] = "";
        if (!k->width)
            continue;
        if (verbose)
            eu_disassemble(dev, k->code, k->code_size, NULL, 0, stdout);
        struct sim_program *code =
            sim_program_create(dev, k->code, k->code_size, message, sizeof message);
        bool ran = code && run_kernel(stage, program, k, code, d);
        if (!ran)
            printf("seed %u, width %u does not run: %s\n", (unsigned)seed, k->width, message);
        unsigned n = ran ? compare(d, stage->channels, verbose) : 1;
        if (n)
            printf("seed %u %s width %u: %u differences\n", (unsigned)seed, stage->name, k->width,
                   n);
        differences += n;
        if (verbose)
            printf("%u spills, %u fills\n", k->stats.spills, k->stats.fills);
        sim_program_destroy(code);
    }
    if (!program || !ok)
        differences = ~0u;
    talloc_free(mem_ctx);
    nir_shader_destroy(nir);
    return differences;
}

static unsigned check_seed(const struct i965_device *dev, uint64_t seed, bool verbose)
{
    unsigned bad = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(test_stages); i++)
        bad += check_stage(dev, seed, &test_stages[i], verbose) != 0;
    return bad;
}

/* Skylake runs all shaders, the other devices a part of them. */
static unsigned stride_of(const struct i965_device *dev)
{
    return strcmp(dev->name, "skl") ? 5 : 1;
}

static void test_random(void **state)
{
    const struct i965_device *dev;
    (void)state;
    for (unsigned i = 0; (dev = i965_device_by_index(i)); i++) {
        for (uint64_t seed = 1; seed <= 100; seed += stride_of(dev))
            assert_int_equal(check_seed(dev, seed, false), 0);
    }
}

/* A device with fewer registers, to force spills. */
static struct i965_device small_device(const struct i965_device *from, unsigned registers)
{
    struct i965_device dev = *from;
    dev.grf_count = registers;
    return dev;
}

static void test_spilling(void **state)
{
    static const unsigned registers[] = {24, 30, 36, 48};
    const struct i965_device *from;
    (void)state;
    for (unsigned i = 0; (from = i965_device_by_index(i)); i++) {
        for (uint64_t seed = 1; seed <= 60; seed += stride_of(from)) {
            struct i965_device dev = small_device(from, registers[seed % ARRAY_SIZE(registers)]);
            assert_int_equal(check_seed(&dev, seed, false), 0);
        }
    }
}

/* A device with one thread per group needs 32 channels. */
static void test_width_32(void **state)
{
    static const unsigned registers[] = {128, 128, 64};
    const struct i965_device *from;
    (void)state;
    for (unsigned i = 0; (from = i965_device_by_index(i)); i++) {
        for (uint64_t seed = 1; seed <= 60; seed += stride_of(from)) {
            struct i965_device dev = small_device(from, registers[seed % ARRAY_SIZE(registers)]);
            dev.max_cs_threads = 1;
            assert_int_equal(check_stage(&dev, seed, &test_stages[TEST_CS], false), 0);
        }
    }
}

static void store_element(nir_builder *b, nir_variable *var, nir_def *index, nir_def *value,
                          unsigned mask)
{
    nir_store_deref(b, nir_build_deref_array(b, nir_build_deref_var(b, var), index), value, mask);
}

static nir_variable *add_levels(nir_builder *b, unsigned location, unsigned length, unsigned slot)
{
    nir_variable *var = add_variable(b, nir_var_shader_out, 0, location, slot);
    var->type = glsl_array_type(b->shader, glsl_float_type(), length, 0);
    var->data.patch = var->data.compact = true;
    return var;
}

/* A control shader that writes halves of vectors and single levels, in an order that mixes them,
 * and reads what its neighbor has written. */
static nir_shader *patch_accesses(void)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_TESS_CTRL, &i965_nir_options, "patch");
    nir_def *id = nir_load_invocation_id(&b), *next = nir_ixor_imm(&b, id, 1);
    nir_def *values = nir_vec4(&b, id, nir_iadd_imm(&b, id, 10), nir_iadd_imm(&b, id, 20),
                               nir_iadd_imm(&b, id, 30)),
            *sum = NULL;
    nir_variable *out[NUM_OUTPUTS];
    b.shader->info.tess.vertices_out = 8;
    for (unsigned i = 0; i < NUM_OUTPUTS; i++)
        out[i] = add_variable(&b, nir_var_shader_out, 8,
                              i ? VARYING_SLOT_VAR0 + i : VARYING_SLOT_POS, i * PATCH_VERTICES);
    nir_variable *inner = add_levels(&b, VARYING_SLOT_TESS_LEVEL_INNER, 2, 60);
    nir_variable *outer = add_levels(&b, VARYING_SLOT_TESS_LEVEL_OUTER, 4, 61);
    nir_variable *patch = add_variable(&b, nir_var_shader_out, 0, VARYING_SLOT_PATCH0, 62);
    for (unsigned i = 0; i < 4; i++)
        store_element(&b, out[2 + i / 2], id, nir_iadd_imm(&b, values, (i / 2) * 100),
                      i % 2 ? 0xa : 0x5);
    for (unsigned i = 2; i < 4; i++) {
        nir_deref_instr *array = nir_build_deref_var(&b, out[i]);
        nir_def *got = nir_load_deref(&b, nir_build_deref_array(&b, array, next));
        sum = sum ? nir_iadd(&b, sum, got) : got;
    }
    store_element(&b, out[1], id, sum, 0xf);
    store_element(&b, out[0], id, values, 0xf);
    for (unsigned i = 0; i < 6; i++) {
        unsigned level = (i + 5) % 6; /* The last inner level first. */
        store_element(&b, level < 4 ? outer : inner, nir_imm_int(&b, (int)level % 4),
                      nir_imm_float(&b, 1.0f + (float)level), 1);
    }
    nir_store_var(&b, patch, nir_imm_zero(&b, 4, 32), 0xf);
    nir_shader_gather_info(b.shader);
    return b.shader;
}

static void check_patch_accesses(const struct i965_device *dev, unsigned primitive)
{
    void *mem_ctx = talloc_new(NULL);
    struct data *d = talloc_zero(mem_ctx, struct data);
    const struct i965_key key = {.tess_primitive = (uint8_t)primitive};
    const struct test_stage stage = {"tcs", NULL, run_tess_control, 8};
    const uint32_t *entry = (const uint32_t *)(const void *)(urb + OUTPUT_HANDLE * 64);
    const char *error = NULL;
    char message[160] = "";
    nir_shader *nir = patch_accesses();
    struct i965_program *program =
        i965_compile(mem_ctx, dev, nir, &key, I965_COMPILE_VALIDATE, &error);
    assert_non_null(program);
    const struct i965_kernel *k = &program->kernels[0];
    struct sim_program *code =
        sim_program_create(dev, k->code, k->code_size, message, sizeof message);
    assert_non_null(code);
    assert_true(run_kernel(&stage, program, k, code, d));
    for (uint32_t v = 0; v < 8; v++) {
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(d->out[v][0][i], v + 10 * i);
            assert_int_equal(d->out[v][1][i], 2 * ((v ^ 1) + 10 * i) + 100);
            assert_int_equal(d->out[v][2][i], v + 10 * i);
            assert_int_equal(d->out[v][3][i], v + 10 * i + 100);
        }
    }
    for (unsigned i = 0; i < 6; i++) {
        unsigned dword =
            i965_level_dword(i < 4 ? VARYING_SLOT_TESS_LEVEL_OUTER : VARYING_SLOT_TESS_LEVEL_INNER,
                             i % 4, primitive);
        const float level = 1.0f + (float)i;
        assert_memory_equal(&entry[dword], &level, 4);
    }
    /* Two slots of outputs, written and read; two more slots; the levels; the patch's slot. */
    assert_in_range(k->stats.sends, 1, 6);
    sim_program_destroy(code);
    talloc_free(mem_ctx);
    nir_shader_destroy(nir);
}

/* Accesses to a patch's slots are merged, and don't pass each other. */
static void test_patch_accesses(void **state)
{
    const struct i965_device *dev;
    (void)state;
    for (unsigned i = 0; (dev = i965_device_by_index(i)); i++) {
        check_patch_accesses(dev, nir_tess_primitive_quads);
        check_patch_accesses(dev, nir_tess_primitive_triangles);
        check_patch_accesses(dev, nir_tess_primitive_isolines);
    }
}

/* Emits a point with a position, a varying, and maybe a size. */
static nir_shader *emit_point(bool sized)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_GEOMETRY, &i965_nir_options, "point");
    nir_shader_info *info = &b.shader->info;
    info->gs.vertices_in = 1;
    info->gs.invocations = 1;
    info->gs.vertices_out = 1;
    info->gs.input_primitive = DRV_PRIM_POINTS;
    info->gs.output_primitive = DRV_PRIM_POINTS;
    for (unsigned i = 0; i < VERTEX_OUTPUTS; i++)
        nir_store_var(&b,
                      add_variable(&b, nir_var_shader_out, 0,
                                   i ? VARYING_SLOT_VAR0 + 3 : VARYING_SLOT_POS, i),
                      nir_imm_zero(&b, 4, 32), 0xf);
    if (sized) {
        nir_variable *size = add_variable(&b, nir_var_shader_out, 0, VARYING_SLOT_PSIZ, 2);
        size->type = glsl_float_type();
        nir_store_var(&b, size, nir_imm_float(&b, 1.0f), 1);
    }
    nir_emit_vertex(&b, .stream_id = 0);
    nir_shader_gather_info(b.shader);
    return b.shader;
}

/* The position and one more slot take one message; with the header, there are three slots. */
static void test_emitted_slots(void **state)
{
    const struct i965_device *dev;
    (void)state;
    for (unsigned i = 0; (dev = i965_device_by_index(i)); i++) {
        for (unsigned sized = 0; sized < 2; sized++) {
            void *mem_ctx = talloc_new(NULL);
            const struct i965_key key = {0};
            const char *error = NULL;
            nir_shader *nir = emit_point(sized);
            struct i965_program *program =
                i965_compile(mem_ctx, dev, nir, &key, I965_COMPILE_VALIDATE, &error);
            assert_non_null(program);
            assert_int_equal(program->kernels[0].stats.sends, 1 + sized);
            talloc_free(mem_ctx);
            nir_shader_destroy(nir);
        }
    }
}

/* Every tessellation level has its own dword, also those that the primitive doesn't have. */
static void test_level_dwords(void **state)
{
    static const struct {
        unsigned primitive, outer[4], inner[2]; /* 0 to 3: any that the tessellator ignores. */
    } rows[] = {{nir_tess_primitive_quads, {7, 6, 5, 4}, {3, 2}},
                {nir_tess_primitive_triangles, {7, 6, 5, 0}, {4, 0}},
                {nir_tess_primitive_isolines, {6, 7, 0, 0}, {0, 0}}};
    (void)state;
    for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
        unsigned used = 0;
        for (unsigned i = 0; i < 6; i++) {
            unsigned want = i < 4 ? rows[r].outer[i] : rows[r].inner[i - 4];
            unsigned dword = i965_level_dword(i < 4 ? VARYING_SLOT_TESS_LEVEL_OUTER
                                                    : VARYING_SLOT_TESS_LEVEL_INNER,
                                              i % 4, rows[r].primitive);
            if (want)
                assert_int_equal(dword, want);
            else
                assert_in_range(dword, 0, 3);
            assert_false(used >> dword & 1);
            used |= 1u << dword;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        uint64_t first = strtoul(argv[1], NULL, 0),
                 last = argc > 2 ? strtoul(argv[2], NULL, 0) : first;
        const char *registers = getenv("REGISTERS");
        const char *target = getenv("TARGET");
        const struct i965_device *from = i965_device_by_name(target ? target : "skl");
        if (!from)
            return 2;
        struct i965_device dev = small_device(from, registers ? strtoul(registers, NULL, 0) : 128);
        dev.max_cs_threads = getenv("ONE_THREAD") ? 1 : dev.max_cs_threads;
        unsigned bad = 0;
        for (uint64_t seed = first; seed <= last; seed++)
            bad += check_seed(&dev, seed, argc == 2);
        printf("%u bad\n", bad);
        return bad != 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),         cmocka_unit_test(test_spilling),
        cmocka_unit_test(test_width_32),       cmocka_unit_test(test_level_dwords),
        cmocka_unit_test(test_patch_accesses), cmocka_unit_test(test_emitted_slots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
