/* SPDX-License-Identifier: MIT */
/* Integer operations on negated and absolute values, in the evaluator and the simulator. */
#include <math.h>
#include <string.h>
#include <talloc.h>

#include "differential.h"
#include "i965_run.h"

enum { MODIFIERS = 4 };

static nir_def *modified(nir_builder *b, nir_def *x, unsigned modifier)
{
    nir_def *magnitude = modifier & 2 ? nir_iabs(b, x) : x;

    return modifier & 1 ? nir_ineg(b, magnitude) : magnitude;
}

static bool is_integer(nir_alu_type type)
{
    nir_alu_type base = nir_alu_type_get_base_type(type);
    unsigned size = nir_alu_type_get_type_size(type);

    return (base == nir_type_int || base == nir_type_uint) &&
           (size == 0 || size == 32 || size == 64);
}

/* The results are undefined if the range of bits is not in the value. */
static bool has_bit_range(nir_op op)
{
    return op == nir_op_ubitfield_extract || op == nir_op_ibitfield_extract ||
           op == nir_op_bitfield_insert;
}

static bool divides(nir_op op)
{
    return op == nir_op_idiv || op == nir_op_udiv || op == nir_op_irem || op == nir_op_imod ||
           op == nir_op_umod;
}

/* Returns whether the operation computes a scalar from scalars of which at least one is an
 * integer. */
static bool is_tested(nir_op op, unsigned bits)
{
    const nir_op_info *info = &nir_op_infos[op];
    bool integer = false, generic = nir_alu_type_get_type_size(info->output_type) == 0;

    if (!differential_takes(op, bits) || info->output_size > 1 || has_bit_range(op))
        return false;
    for (unsigned i = 0; i < info->num_inputs; i++)
        generic |= nir_alu_type_get_type_size(info->input_types[i]) == 0;
    if (bits == 64 && !generic)
        return false;
    for (unsigned i = 0; i < info->num_inputs; i++) {
        integer |= is_integer(info->input_types[i]);
        if (info->input_sizes[i] > 1 ||
            (!is_integer(info->input_types[i]) &&
             nir_alu_type_get_base_type(info->input_types[i]) != nir_type_bool))
            return false;
    }
    return integer && nir_alu_type_get_base_type(info->output_type) != nir_type_invalid;
}

static void store(nir_builder *b, nir_def *result, unsigned slot)
{
    if (result->bit_size == 1)
        result = nir_b2i32(b, result);
    if (result->bit_size == 64)
        result = nir_unpack_64_2x32(b, result);
    nir_store_ssbo(b, result, nir_imm_int(b, 1), run_slot_address(b, slot),
                   .write_mask = BITFIELD_MASK(result->num_components), .align_mul = 4);
}

/* Returns a shader that stores the results for all modifiers of the first two sources. */
static nir_shader *all_modifiers(nir_op op, unsigned bits)
{
    const nir_op_info *info = &nir_op_infos[op];
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &i965_nir_options, "%s", info->name);
    nir_def *in[NIR_ALU_MAX_INPUTS], *src[NIR_ALU_MAX_INPUTS];

    run_set_group(b.shader);
    for (unsigned i = 0; i < info->num_inputs; i++) {
        unsigned size = nir_alu_type_get_type_size(info->input_types[i]);
        nir_def *pair =
            nir_load_ssbo(&b, 2, 32, nir_imm_int(&b, 0), run_slot_address(&b, i), .align_mul = 4);
        in[i] = size == 64 || (size == 0 && bits == 64) ? nir_pack_64_2x32(&b, pair)
                                                        : nir_channel(&b, pair, 0);
        if (i == 1 && divides(op))
            in[i] = nir_ior(&b, in[i], nir_imm_intN_t(&b, 1, in[i]->bit_size));
    }
    for (unsigned m = 0; m < MODIFIERS * MODIFIERS; m++) {
        const unsigned modifiers[] = {m % MODIFIERS, m / MODIFIERS, m % 3, m % 2};
        for (unsigned i = 0; i < info->num_inputs; i++)
            src[i] = is_integer(info->input_types[i])
                         ? modified(&b, in[i], modifiers[i % ARRAY_SIZE(modifiers)])
                         : nir_ine_imm(&b, in[i], 0);
        store(&b, nir_build_alu(&b, op, src), m);
    }
    nir_shader_gather_info(b.shader);
    return b.shader;
}

/* Each pair of these values, whose low dwords are also tested, is in one invocation of one run. */
static const int64_t values[] = {0, 1, 31, INT32_MAX, INT32_MIN, -1, INT64_MIN, INT64_MAX};
enum { RUNS = ARRAY_SIZE(values) * ARRAY_SIZE(values) / RUN_CHANNELS };

/* Any two NaNs are equal. */
static bool same_dword(nir_op op, uint32_t a, uint32_t b)
{
    return a == b ||
           (nir_op_infos[op].output_type == nir_type_float32 && isnan(uif(a)) && isnan(uif(b)));
}

static bool same_results(nir_op op, unsigned bits, const struct run_data *want,
                         const struct run_data *got)
{
    for (unsigned i = 0; i < RUN_CHANNELS * MODIFIERS * MODIFIERS * 4; i++) {
        unsigned channel = i / 4 % RUN_CHANNELS, m = i / 4 / RUN_CHANNELS, c = i % 4;
        const uint32_t(*in)[4] = want->in[channel];
        if (same_dword(op, got->out[channel][m][c], want->out[channel][m][c]))
            continue;
        printf("%s of %u bits (%08x%08x, %08x%08x) with modifiers %u, %u: dword %u is %08x, the "
               "evaluator says %08x\n",
               nir_op_infos[op].name, bits, in[0][1], in[0][0], in[1][1], in[1][0], m % MODIFIERS,
               m / MODIFIERS, c, got->out[channel][m][c], want->out[channel][m][c]);
        return false;
    }
    return true;
}

static void set_input(struct run_data *d, unsigned channel, unsigned source, int64_t value)
{
    d->in[channel][source][0] = (uint32_t)value;
    d->in[channel][source][1] = (uint32_t)((uint64_t)value >> 32);
}

static bool check_op(nir_op op, unsigned bits, const struct i965_device *dev)
{
    void *mem_ctx = talloc_new(NULL);
    struct run_data *want = talloc_zero(mem_ctx, struct run_data);
    struct run_data *got = talloc_zero(mem_ctx, struct run_data);
    nir_shader *nir = all_modifiers(op, bits);
    const struct i965_key key = {0};
    const char *error = NULL;
    struct i965_program *program = i965_compile(mem_ctx, dev, nir_shader_clone(mem_ctx, nir), &key,
                                                I965_COMPILE_VALIDATE, &error);
    bool ok = program;

    if (!program)
        printf("%s: %s\n", nir_op_infos[op].name, error);
    for (unsigned run = 0; run < RUNS && ok; run++) {
        for (unsigned c = 0; c < RUN_CHANNELS; c++) {
            unsigned pair = run * RUN_CHANNELS + c;
            set_input(want, c, 0, values[pair % ARRAY_SIZE(values)]);
            set_input(want, c, 1, values[pair / ARRAY_SIZE(values)]);
            set_input(want, c, 2, values[pair % 5]);
            set_input(want, c, 3, values[pair % 3]);
        }
        memcpy(got->in, want->in, sizeof got->in);
        ok = run_evaluator(nir, want);
        for (unsigned i = 0; i < ARRAY_SIZE(program->kernels) && ok; i++) {
            if (program->kernels[i].width)
                ok = run_simulator(program, &program->kernels[i], got) &&
                     same_results(op, bits, want, got);
        }
    }
    nir_shader_destroy(nir);
    talloc_free(mem_ctx);
    return ok;
}

bool differential_modifiers(const struct i965_device *dev)
{
    unsigned tested = 0, wrong = 0;

    for (nir_op op = 0; op < nir_num_opcodes; op++) {
        for (unsigned bits = 32; bits <= 64; bits *= 2) {
            if (!is_tested(op, bits))
                continue;
            tested++;
            wrong += !check_op(op, bits, dev);
        }
    }
    printf("%u integer operations with source modifiers: %u differ\n", tested, wrong);
    return tested && !wrong;
}
