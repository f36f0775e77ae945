/* SPDX-License-Identifier: MIT */
/*
 * Random compute shaders that access memory: storage buffers, shared memory and images, 32-bit and
 * 64-bit values, in-range and out-of-range indices. Groups run in the NIR evaluator, in CPU driver
 * kernels at 4, 8 and 16 lanes, as threads in the simulator, and in the evaluator after random
 * passes. All must leave identical bytes in memory.
 *
 * Usage: i965_test_group_memory [COUNT [SEED]]
 *
 * Nothing depends on the order of invocations. Each writes its own places, and reads them and
 * places that no invocation writes. Shared counters are all updated with the same operation and
 * read only at the end. Out-of-range reads return zero, out-of-range writes are dropped; no vector
 * is partly in range.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cpu/resource/cpu_layout.h"
#include "groups_run.h"
#include "nir/nir_builder.h"
#include "nir_fuzz.h"
#include "util/format.h"

/* Storage buffers. In OWN each invocation has OWN_BYTES; those of the last invocations are out of
 * range. */
enum { OWN, NUMBERS, TAIL, COUNTS, ABSENT, BUFFERS };
enum { OWN_BYTES = 64, NUMBERS_BYTES = 32 * 11, TAIL_BYTES = 4 * 37, COUNTS_BYTES = 4 * 29 };
/* Shared memory: the invocations' own parts, followed by counters. */
enum { SHARED_BYTES = 16, SHARED_COUNTS = 12 };
/* Images: the invocations' own texels, read-only ones, counters. */
enum { OWN_IMAGE, NUMBERS_IMAGE, COUNTS_IMAGE, ABSENT_IMAGE, IMAGES };
enum { IMAGE_WIDTH = 13, IMAGE_HEIGHT = 6, IMAGE_LAYERS = 3, SAMPLES = 4, IMAGE_BYTES = 1 << 20 };
enum { LANES = 4, WIDES = 2, DOUBLES = 2 };

static const enum drv_format formats[] = {
    DRV_FORMAT_R32G32B32A32_FLOAT,
    DRV_FORMAT_R16G16B16A16_FLOAT,
    DRV_FORMAT_R32G32_FLOAT,
    DRV_FORMAT_R16G16_FLOAT,
    DRV_FORMAT_R11G11B10_FLOAT,
    DRV_FORMAT_R32_FLOAT,
    DRV_FORMAT_R16_FLOAT,
    DRV_FORMAT_R16G16B16A16_UNORM,
    DRV_FORMAT_R10G10B10A2_UNORM,
    DRV_FORMAT_R8G8B8A8_UNORM,
    DRV_FORMAT_R16G16_UNORM,
    DRV_FORMAT_R8G8_UNORM,
    DRV_FORMAT_R16_UNORM,
    DRV_FORMAT_R8_UNORM,
    DRV_FORMAT_R16G16B16A16_SNORM,
    DRV_FORMAT_R8G8B8A8_SNORM,
    DRV_FORMAT_R16G16_SNORM,
    DRV_FORMAT_R8G8_SNORM,
    DRV_FORMAT_R16_SNORM,
    DRV_FORMAT_R8_SNORM,
    DRV_FORMAT_R32G32B32A32_SINT,
    DRV_FORMAT_R16G16B16A16_SINT,
    DRV_FORMAT_R8G8B8A8_SINT,
    DRV_FORMAT_R32G32_SINT,
    DRV_FORMAT_R16_SINT,
    DRV_FORMAT_R8_SINT,
    DRV_FORMAT_R32G32B32A32_UINT,
    DRV_FORMAT_R16G16B16A16_UINT,
    DRV_FORMAT_R10G10B10A2_UINT,
    DRV_FORMAT_R8G8B8A8_UINT,
    DRV_FORMAT_R32G32_UINT,
    DRV_FORMAT_R16G16_UINT,
    DRV_FORMAT_R8_UINT,
};

static const struct {
    enum drv_target target;
    enum glsl_sampler_dim dim;
    bool array;
} shapes[] = {
    {DRV_TEXTURE_1D, GLSL_SAMPLER_DIM_1D, false},
    {DRV_TEXTURE_2D, GLSL_SAMPLER_DIM_2D, false},
    {DRV_TEXTURE_3D, GLSL_SAMPLER_DIM_3D, false},
    {DRV_TEXTURE_2D_ARRAY, GLSL_SAMPLER_DIM_2D, true},
    {DRV_TEXTURE_1D_ARRAY, GLSL_SAMPLER_DIM_1D, true},
    {DRV_TEXTURE_CUBE, GLSL_SAMPLER_DIM_CUBE, false},
    {DRV_BUFFER, GLSL_SAMPLER_DIM_BUF, false},
    {DRV_TEXTURE_2D, GLSL_SAMPLER_DIM_MS, false},
    {DRV_TEXTURE_2D_ARRAY, GLSL_SAMPLER_DIM_MS, true},
};

struct image {
    enum drv_format format;
    unsigned shape;
    struct cpu_level_layout layout;
};

struct memory {
    uint8_t buffer[BUFFERS][GROUPS_MAX_INVOCATIONS * OWN_BYTES];
    uint8_t image[IMAGES][IMAGE_BYTES];
};

/* Parameters derived from a seed. */
struct setting {
    uint64_t seed;
    uint32_t size[3];
    unsigned n;        /* Number of invocations. */
    bool wide_atomics; /* There are 64-bit atomics, which the EU lacks; no threads run. */
    unsigned bytes[BUFFERS];
    struct image image[IMAGES];
};

struct run {
    const struct setting *setting;
    struct memory *memory;
};

struct generator {
    struct fuzz_rng rng;
    const struct setting *setting;
    nir_builder b;
    nir_variable *lane[LANES], *wide[WIDES], *number[DOUBLES];
    nir_def *index;
};

/* ----------------------------------------------------------------------------------- values --- */

static unsigned rnd(struct generator *g, unsigned n)
{
    return fuzz_random(&g->rng, n);
}

static nir_def *lane_value(struct generator *g)
{
    nir_builder *b = &g->b;
    switch (rnd(g, 8)) {
    case 0:
        return nir_imm_int(b, (int)rnd(g, 40));
    case 1:
        return g->index;
    case 2:
        return nir_channel(b, nir_load_local_invocation_id(b), rnd(g, 3));
    case 3:
        return nir_channel(b, nir_load_workgroup_id(b), 0);
    default:
        return nir_load_var(b, g->lane[rnd(g, LANES)]);
    }
}

static nir_def *wide_value(struct generator *g)
{
    nir_builder *b = &g->b;
    switch (rnd(g, 5)) {
    case 0:
        return nir_u2u64(b, lane_value(g));
    case 1:
        return nir_i2i64(b, lane_value(g));
    case 2:
        return nir_pack_64_2x32_split(b, lane_value(g), lane_value(g));
    default:
        return nir_load_var(b, g->wide[rnd(g, WIDES)]);
    }
}

static nir_def *number_value(struct generator *g)
{
    return rnd(g, 4) ? nir_load_var(&g->b, g->number[rnd(g, DOUBLES)])
                     : nir_u2f64(&g->b, lane_value(g));
}

static void set_lane(struct generator *g, nir_def *value)
{
    nir_store_var(&g->b, g->lane[rnd(g, LANES)], value, 1);
}

static void set_wide(struct generator *g, nir_def *value)
{
    nir_store_var(&g->b, g->wide[rnd(g, WIDES)], value, 1);
}

static void set_number(struct generator *g, nir_def *value)
{
    /* Never infinite or NaN. */
    value = nir_fmin(&g->b, nir_fabs(&g->b, value), nir_imm_double(&g->b, 1e15));
    nir_store_var(&g->b, g->number[rnd(g, DOUBLES)], value, 1);
}

static nir_def *integer_operation(struct generator *g, nir_def *x, nir_def *y, nir_def *shift)
{
    nir_builder *b = &g->b;
    switch (rnd(g, 12)) {
    case 0:
        return nir_imul(b, x, y);
    case 1:
        return nir_isub(b, x, y);
    case 2:
        return nir_ixor(b, x, y);
    case 3:
        return nir_umin(b, x, y);
    case 4:
        return nir_imax(b, x, y);
    case 5:
        return nir_ishl(b, x, shift);
    case 6:
        return nir_ishr(b, x, shift);
    case 7:
        return nir_ushr(b, x, shift);
    case 8:
        return nir_bcsel(b, nir_ilt(b, x, y), y, nir_ineg(b, x));
    case 9:
        return nir_udiv(b, x, nir_ior(b, y, nir_imm_intN_t(b, 1, y->bit_size)));
    case 10:
        return nir_umod(b, x, nir_ior(b, y, nir_imm_intN_t(b, 1, y->bit_size)));
    default:
        return nir_iadd(b, x, y);
    }
}

static nir_def *number_operation(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *x = number_value(g), *y = number_value(g);
    switch (rnd(g, 6)) {
    case 0:
        return nir_fmul(b, x, y);
    case 1:
        return nir_fadd(b, x, nir_fneg(b, y));
    case 2:
        return nir_ffloor(b, x);
    case 3:
        return nir_fdiv(b, x, nir_fadd(b, y, nir_imm_double(b, 1.0)));
    case 4:
        return nir_fsqrt(b, x);
    default:
        return nir_fadd(b, x, y);
    }
}

static void compute(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *shift = nir_iand_imm(b, lane_value(g), 31);
    switch (rnd(g, 6)) {
    case 0:
        set_wide(g, integer_operation(g, wide_value(g), wide_value(g), shift));
        break;
    case 1:
        set_number(g, number_operation(g));
        break;
    case 2:
        set_lane(g, rnd(g, 2) ? nir_unpack_64_2x32_split_y(b, wide_value(g))
                              : nir_u2u32(b, wide_value(g)));
        break;
    case 3:
        set_lane(g, nir_u2u32(b, nir_f2u64(b, number_value(g))));
        break;
    default:
        set_lane(g, integer_operation(g, lane_value(g), lane_value(g), shift));
    }
}

/* --------------------------------------------------------------------------------- buffers --- */

/* Returns a random multiple of `align`, often less than `size`. */
static nir_def *any_offset(struct generator *g, unsigned align, unsigned size)
{
    nir_builder *b = &g->b;
    nir_def *x = lane_value(g);
    switch (rnd(g, 8)) {
    case 0: /* Anywhere. */
        return nir_imul_imm(b, x, align);
    case 1: /* Near the end. */
        return nir_iadd_imm(b, nir_imul_imm(b, nir_iand_imm(b, x, 3), align),
                            (int)(size - size % align) - (int)(2 * align));
    case 2: /* Before the start. */
        return nir_imul_imm(b, nir_iadd_imm(b, nir_iand_imm(b, x, 3), -2), align);
    case 3: /* Consecutive. */
        return nir_iadd_imm(b, nir_imul_imm(b, g->index, align), rnd(g, 9) * align);
    case 4: /* Consecutive, backwards or with gaps. */
        return nir_iadd_imm(b, nir_imul_imm(b, g->index, rnd(g, 2) ? 2 * align : -align),
                            rnd(g, 9) * align);
    case 5: /* Uniform. */
        return nir_imm_int(b, (int)(rnd(g, size / align + 3) * align));
    default:
        return nir_imul_imm(b, nir_umod_imm(b, x, size / align + 3), align);
    }
}

static unsigned pick_components(struct generator *g)
{
    static const unsigned components[] = {1, 1, 1, 2, 3, 4, 4};
    return components[rnd(g, ARRAY_SIZE(components))];
}

static unsigned vector_align(unsigned bytes, unsigned components)
{
    return bytes * (components == 3 ? 4 : components);
}

/* Combines a component of the vector with a variable. */
static void take(struct generator *g, nir_def *vector)
{
    for (unsigned c = 0; c < vector->num_components; c++) {
        nir_def *x = nir_channel(&g->b, vector, c);
        if (vector->bit_size == 64)
            set_wide(g, x);
        else
            set_lane(g, x);
    }
}

static nir_def *some_vector(struct generator *g, unsigned bits, unsigned components)
{
    nir_def *value[4];
    for (unsigned c = 0; c < components; c++)
        value[c] = bits == 64 ? wide_value(g) : lane_value(g);
    return nir_vec(&g->b, value, components);
}

/* Returns an offset in the invocation's own part. */
static nir_def *own_offset(struct generator *g, unsigned part, unsigned align)
{
    nir_builder *b = &g->b;
    nir_def *at = nir_imul_imm(b, g->index, part);
    if (rnd(g, 2))
        return nir_iadd_imm(b, at, rnd(g, part / align) * align);
    return nir_iadd(b, at, nir_imul_imm(b, nir_umod_imm(b, lane_value(g), part / align), align));
}

static nir_def *buffer_index(struct generator *g, unsigned index)
{
    nir_builder *b = &g->b;
    nir_def *zero = nir_channel(b, nir_load_workgroup_id(b), 1);
    return rnd(g, 4) ? nir_imm_int(b, (int)index) : nir_iadd_imm(b, zero, index);
}

static void buffer_load(struct generator *g)
{
    static const uint8_t which[] = {OWN, OWN, NUMBERS, NUMBERS, NUMBERS, TAIL, TAIL, ABSENT};
    unsigned index = which[rnd(g, ARRAY_SIZE(which))];
    unsigned bits = index != TAIL && rnd(g, 4) == 0 ? 64 : 32;
    unsigned n = index == TAIL ? 1 : pick_components(g), align = vector_align(bits / 8, n);
    nir_def *at = index == OWN ? own_offset(g, OWN_BYTES, align)
                               : any_offset(g, align, MAX2(g->setting->bytes[index], 64));
    unsigned neighbors = index == TAIL ? 1 + rnd(g, 3) : 1;
    for (unsigned i = 0; i < neighbors; i++) {
        nir_def *place = i ? nir_iadd_imm(&g->b, at, i * align) : at;
        take(g,
             nir_load_ssbo(&g->b, n, bits, buffer_index(g, index), place, .align_mul = bits / 8));
    }
}

static void buffer_store(struct generator *g)
{
    unsigned bits = rnd(g, 4) ? 32 : 64, n = pick_components(g), align = vector_align(bits / 8, n);
    unsigned mask = rnd(g, 2) ? BITFIELD_MASK(n) : 1 + rnd(g, BITFIELD_MASK(n));
    unsigned index = rnd(g, 12) ? OWN : ABSENT;
    nir_store_ssbo(&g->b, some_vector(g, bits, n), buffer_index(g, index),
                   own_offset(g, OWN_BYTES, align), .write_mask = mask, .align_mul = bits / 8);
}

static const nir_atomic_op count_ops[] = {
    nir_atomic_op_iadd, nir_atomic_op_umax, nir_atomic_op_imin, nir_atomic_op_ixor,
    nir_atomic_op_ior,  nir_atomic_op_iand, nir_atomic_op_umin, nir_atomic_op_imax};

/* Chooses a counter operation and one of the words for that operation. */
static nir_def *count_place(struct generator *g, nir_atomic_op *op, unsigned words)
{
    nir_builder *b = &g->b;
    unsigned kind = rnd(g, ARRAY_SIZE(count_ops));
    nir_def *at = nir_imul_imm(b, nir_umod_imm(b, lane_value(g), words / 8 + 2), 8);
    *op = count_ops[kind];
    if (rnd(g, 6) == 0)
        at = nir_iadd_imm(b, at, (uint64_t)(rnd(g, 2) ? -64 : 0x20000000));
    return nir_iadd_imm(b, at, kind);
}

/* A 64-bit atomic on the invocation's own part of a buffer or of shared memory. */
static void count_wide(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_atomic_op op = count_ops[rnd(g, ARRAY_SIZE(count_ops))];
    nir_def *index = buffer_index(g, OWN), *value = wide_value(g);
    switch (rnd(g, 4)) {
    case 0:
        set_wide(
            g, nir_ssbo_atomic(b, 64, index, own_offset(g, OWN_BYTES, 8), value, .atomic_op = op));
        break;
    case 1:
        set_wide(g, nir_ssbo_atomic_swap(b, 64, index, own_offset(g, OWN_BYTES, 8), wide_value(g),
                                         value, .atomic_op = nir_atomic_op_cmpxchg));
        break;
    case 2:
        set_wide(g,
                 nir_shared_atomic(b, 64, own_offset(g, SHARED_BYTES, 8), value, .atomic_op = op));
        break;
    default:
        set_wide(g, nir_shared_atomic_swap(b, 64, own_offset(g, SHARED_BYTES, 8), wide_value(g),
                                           value, .atomic_op = nir_atomic_op_cmpxchg));
    }
}

static void count(struct generator *g)
{
    if (g->setting->wide_atomics && rnd(g, 2)) {
        count_wide(g);
        return;
    }
    nir_builder *b = &g->b;
    nir_atomic_op op;
    nir_def *at, *value = lane_value(g);
    switch (rnd(g, 4)) {
    case 0 ... 1:
        at = nir_imul_imm(b, count_place(g, &op, COUNTS_BYTES / 4), 4);
        nir_ssbo_atomic(b, 32, buffer_index(g, rnd(g, 9) ? COUNTS : ABSENT), at, value,
                        .atomic_op = op);
        break;
    case 2:
        at = nir_imul_imm(b, count_place(g, &op, SHARED_COUNTS), 4);
        at = nir_iadd_imm(b, at, g->setting->n * SHARED_BYTES);
        /* The invocations' own parts precede them. */
        at = nir_bcsel(b, nir_ilt_imm(b, at, (int)(g->setting->n * SHARED_BYTES)),
                       nir_imm_int(b, -4), at);
        nir_shared_atomic(b, 32, at, value, .atomic_op = op);
        break;
    default: /* The invocation's own part, where the old value is visible. */
        at = own_offset(g, OWN_BYTES, 4);
        if (rnd(g, 2))
            set_lane(g, nir_ssbo_atomic(b, 32, buffer_index(g, OWN), at, value,
                                        .atomic_op = count_ops[rnd(g, ARRAY_SIZE(count_ops))]));
        else
            set_lane(g, nir_ssbo_atomic_swap(b, 32, buffer_index(g, OWN), at, lane_value(g), value,
                                             .atomic_op = nir_atomic_op_cmpxchg));
    }
}

static void use_shared(struct generator *g)
{
    nir_builder *b = &g->b;
    unsigned bits = rnd(g, 4) ? 32 : 64, n = rnd(g, 2) ? 1 : 2, align = bits / 8 * n;
    nir_def *at = own_offset(g, SHARED_BYTES, align);
    if (rnd(g, 5) == 0) /* Outside. */
        at = nir_ior(b, at, nir_imm_int(b, rnd(g, 2) ? 0x10000 : INT32_MIN));
    if (rnd(g, 2))
        nir_store_shared(b, some_vector(g, bits, n), at, .write_mask = 1 + rnd(g, BITFIELD_MASK(n)),
                         .align_mul = bits / 8);
    else
        take(g, nir_load_shared(b, n, bits, at, .align_mul = bits / 8));
}

/* ---------------------------------------------------------------------------------- images --- */

static bool is_integer(const struct image *image)
{
    return util_format_is_pure_integer(image->format);
}

static bool has_samples(const struct image *image)
{
    return shapes[image->shape].dim == GLSL_SAMPLER_DIM_MS;
}

static unsigned layer_of(const struct image *image)
{
    enum drv_target target = shapes[image->shape].target;
    return target == DRV_TEXTURE_1D_ARRAY ? 1
           : target == DRV_TEXTURE_3D || target == DRV_TEXTURE_CUBE ||
                   target == DRV_TEXTURE_2D_ARRAY
               ? 2
               : 0;
}

static nir_def *coordinates(struct generator *g, nir_def *x, nir_def *y, nir_def *z)
{
    return nir_vec4(&g->b, x, y, z, nir_imm_int(&g->b, 0));
}

/* Returns the invocation's own texel, which is mostly outside of small images. */
static nir_def *own_texel(struct generator *g, const struct image *image)
{
    nir_builder *b = &g->b;
    nir_def *row = nir_udiv_imm(b, g->index, IMAGE_WIDTH);
    nir_def *x = nir_umod_imm(b, g->index, IMAGE_WIDTH);
    if (image->layout.height == 1) {
        if (!layer_of(image))
            x = g->index;
        return coordinates(g, x, row, nir_imm_int(b, 0));
    }
    return coordinates(g, x, nir_umod_imm(b, row, IMAGE_HEIGHT),
                       nir_udiv_imm(b, row, IMAGE_HEIGHT));
}

/* Returns a texel shared by all invocations, possibly outside. */
static nir_def *any_texel(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *c[3];
    for (unsigned i = 0; i < 3; i++) {
        static const unsigned sizes[3] = {IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_LAYERS};
        c[i] = nir_umod_imm(b, lane_value(g), sizes[i] + 1);
        if (rnd(g, 8) == 0)
            c[i] = rnd(g, 2) ? nir_iadd_imm(b, c[i], -2) : lane_value(g);
    }
    return coordinates(g, c[0], c[1], c[2]);
}

static nir_def *any_sample(struct generator *g, const struct image *image)
{
    return has_samples(image) ? nir_umod_imm(&g->b, lane_value(g), SAMPLES + 1)
                              : nir_imm_int(&g->b, 0);
}

static bool is_normalized(const struct image *image)
{
    return image->format && drv_format_desc(image->format)->channel[0].normalized;
}

/* Combines a texel with the variables. Images may contain NaNs of different bits. Normalized
 * formats have an error of one unit in the last place in the kernels, which multiply by a
 * reciprocal (GL 4.6 §2.3.5 allows it); multiplied by 65535, none of the values is half-way between
 * two integers. */
static void take_texel(struct generator *g, const struct image *image, nir_def *texel)
{
    nir_builder *b = &g->b;
    for (unsigned c = 0; c < 4; c++) {
        nir_def *x = nir_channel(b, texel, c);
        if (is_normalized(image))
            x = nir_fround_even(b, nir_fmul_imm(b, x, 65535.0));
        else if (!is_integer(image))
            x = nir_bcsel(b, nir_fneu(b, x, x), nir_imm_int(b, 0x7fc00000), x);
        set_lane(g, x);
    }
}

/* Returns floats from -2 to 2, whose products with 16-bit values are exact. */
static nir_def *some_texel(struct generator *g, const struct image *image)
{
    nir_builder *b = &g->b;
    nir_def *value[4];
    for (unsigned c = 0; c < 4; c++) {
        value[c] = lane_value(g);
        if (!is_integer(image)) {
            nir_def *small = nir_iadd_imm(b, nir_iand_imm(b, value[c], 255), -128);
            value[c] = nir_fmul_imm(b, nir_i2f32(b, small), 1.0 / 64);
        }
    }
    return nir_vec(b, value, 4);
}

#define SHAPE(image)                                                                               \
    .image_dim = shapes[(image)->shape].dim, .image_array = shapes[(image)->shape].array

static void use_image(struct generator *g)
{
    nir_builder *b = &g->b;
    static const uint8_t which[] = {OWN_IMAGE, OWN_IMAGE, NUMBERS_IMAGE, COUNTS_IMAGE,
                                    ABSENT_IMAGE};
    unsigned index = which[rnd(g, ARRAY_SIZE(which))];
    const struct image *image = &g->setting->image[index];
    nir_def *number = nir_imm_int(b, (int)index), *zero = nir_imm_int(b, 0), *texel;
    nir_def *sample = any_sample(g, image);
    nir_def *at = index == OWN_IMAGE ? own_texel(g, image) : any_texel(g);
    unsigned size = layer_of(image) == 2 && shapes[image->shape].dim != GLSL_SAMPLER_DIM_CUBE ? 3
                    : image->layout.height > 1 || layer_of(image)                             ? 2
                                                                                              : 1;
    if (index == COUNTS_IMAGE) {
        nir_image_atomic(b, 32, number, at, sample, lane_value(g),
                         .atomic_op = count_ops[g->setting->seed % ARRAY_SIZE(count_ops)],
                         SHAPE(image));
    } else if (has_samples(image) && rnd(g, 6) == 0) {
        set_lane(g, nir_image_samples(b, number, SHAPE(image)));
    } else if (rnd(g, 6) == 0) {
        nir_def *s = nir_image_size(b, size, number, zero, SHAPE(image));
        for (unsigned c = 0; c < size; c++)
            set_lane(g, nir_channel(b, s, c));
    } else if (index == OWN_IMAGE && rnd(g, 2)) {
        nir_image_store(b, number, at, sample, some_texel(g, image), zero, SHAPE(image));
    } else {
        texel = nir_image_load(b, 4, 32, number, at, sample, zero, SHAPE(image));
        take_texel(g, image, texel);
    }
}

/* ---------------------------------------------------------------------------------- shaders --- */

static void statements(struct generator *g, unsigned depth, bool together);

static void nested(struct generator *g, unsigned depth)
{
    nir_builder *b = &g->b;
    if (rnd(g, 2)) {
        nir_push_if(b, nir_ult(b, lane_value(g), lane_value(g)));
        statements(g, depth, false);
        nir_push_else(b, NULL);
        statements(g, depth, false);
        nir_pop_if(b, NULL);
        return;
    }
    nir_variable *i = nir_local_variable_create(b->impl, glsl_uint_type(), "i");
    nir_def *trips = nir_iand_imm(b, lane_value(g), 3);
    nir_store_var(b, i, nir_imm_int(b, 0), 1);
    nir_loop *loop = nir_push_loop(b);
    nir_break_if(b, nir_uge(b, nir_load_var(b, i), trips));
    nir_store_var(b, i, nir_iadd_imm(b, nir_load_var(b, i), 1), 1);
    statements(g, depth, false);
    nir_pop_loop(b, loop);
}

static void statement(struct generator *g, unsigned depth, bool together)
{
    switch (rnd(g, 15)) {
    case 0 ... 2:
        buffer_load(g);
        break;
    case 3 ... 4:
        buffer_store(g);
        break;
    case 5 ... 6:
        count(g);
        break;
    case 7:
        use_shared(g);
        break;
    case 8 ... 10:
        use_image(g);
        break;
    case 11:
        if (depth)
            nested(g, depth - 1);
        break;
    case 12:
        if (together)
            nir_barrier(&g->b, .execution_scope = NIR_SCOPE_WORKGROUP,
                        .memory_scope = NIR_SCOPE_WORKGROUP, .memory_semantics = NIR_MEMORY_ACQ_REL,
                        .memory_modes = nir_var_mem_shared);
        break;
    default:
        compute(g);
    }
}

static void statements(struct generator *g, unsigned depth, bool together)
{
    for (unsigned i = 2 + rnd(g, 6); i--;)
        statement(g, depth, together);
}

static nir_variable *local(struct generator *g, const struct glsl_type *type, nir_def *value)
{
    nir_variable *var = nir_local_variable_create(g->b.impl, type, "value");
    nir_store_var(&g->b, var, value, 1);
    return var;
}

/* Stores the variables and shared memory to the invocation's part. */
static void write_results(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *at = nir_imul_imm(b, g->index, OWN_BYTES), *own = nir_imm_int(b, OWN);
    for (unsigned i = 0; i < LANES; i++)
        nir_store_ssbo(b, nir_load_var(b, g->lane[i]), own, nir_iadd_imm(b, at, i * 4),
                       .write_mask = 1, .align_mul = 4);
    for (unsigned i = 0; i < WIDES; i++)
        nir_store_ssbo(b, nir_load_var(b, g->wide[i]), own, nir_iadd_imm(b, at, 16 + i * 8),
                       .write_mask = 1, .align_mul = 8);
    for (unsigned i = 0; i < DOUBLES; i++)
        nir_store_ssbo(b, nir_load_var(b, g->number[i]), own, nir_iadd_imm(b, at, 32 + i * 8),
                       .write_mask = 1, .align_mul = 8);
    nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
                .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_mem_shared);
    nir_def *counts = nir_umod_imm(b, g->index, SHARED_COUNTS);
    counts = nir_iadd_imm(b, nir_imul_imm(b, counts, 4), g->setting->n * SHARED_BYTES);
    nir_store_ssbo(b, nir_load_shared(b, 1, 32, counts, .align_mul = 4), own,
                   nir_iadd_imm(b, at, 48), .write_mask = 1, .align_mul = 4);
}

static nir_shader *make_shader(const struct nir_shader_compiler_options *options,
                               const struct setting *setting)
{
    struct generator gen = {.rng = {setting->seed}, .setting = setting}, *g = &gen;
    nir_builder *b = &g->b;
    *b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, options, "memory");
    for (unsigned i = 0; i < 3; i++)
        b->shader->info.cs.workgroup_size[i] = (uint16_t)setting->size[i];
    b->shader->info.cs.shared_size = setting->n * SHARED_BYTES + SHARED_COUNTS * 4;
    g->index = nir_load_local_invocation_index(b);
    for (unsigned i = 0; i < LANES; i++)
        g->lane[i] = local(g, glsl_uint_type(), nir_imul_imm(b, g->index, 2654435761u * (i + 1)));
    for (unsigned i = 0; i < WIDES; i++)
        g->wide[i] = local(g, glsl_simple_type(GLSL_TYPE_UINT64, 1, 1), nir_u2u64(b, g->index));
    for (unsigned i = 0; i < DOUBLES; i++)
        g->number[i] = local(g, glsl_simple_type(GLSL_TYPE_DOUBLE, 1, 1), nir_u2f64(b, g->index));
    for (unsigned i = 0; i < 3; i++)
        statements(g, 2, true);
    write_results(g);
    b->shader->info.num_ssbos = BUFFERS;
    b->shader->info.num_images = IMAGES;
    nir_shader_gather_info(b->shader);
    return b->shader;
}

/* -------------------------------------------------------------------------------- evaluator --- */

/* Signed operands are sign-extended to 64 bits. */
static uint64_t atomic_result(nir_atomic_op op, uint64_t old, uint64_t x)
{
    switch (op) {
    case nir_atomic_op_iadd:
        return old + x;
    case nir_atomic_op_umax:
        return MAX2(old, x);
    case nir_atomic_op_umin:
        return MIN2(old, x);
    case nir_atomic_op_imax:
        return (uint64_t)MAX2((int64_t)old, (int64_t)x);
    case nir_atomic_op_imin:
        return (uint64_t)MIN2((int64_t)old, (int64_t)x);
    case nir_atomic_op_ixor:
        return old ^ x;
    case nir_atomic_op_ior:
        return old | x;
    default:
        return old & x;
    }
}

/* place is NULL if outside. */
static void evaluate_atomic(const nir_intrinsic_instr *intr, uint8_t *place,
                            nir_const_value *const *data, bool swap, nir_const_value *dest)
{
    nir_atomic_op op = nir_intrinsic_atomic_op(intr);
    unsigned bits = intr->def.bit_size;
    uint64_t old = 0, x = bits == 64 ? data[0]->u64 : data[0]->u32;
    bool is_signed = op == nir_atomic_op_imin || op == nir_atomic_op_imax;
    if (place) {
        memcpy(&old, place, bits / 8);
        if (swap)
            x = old != x ? old : bits == 64 ? data[1]->u64 : data[1]->u32;
        else if (bits == 32 && is_signed)
            x = atomic_result(op, (uint64_t)(int32_t)old, (uint64_t)(int32_t)x);
        else
            x = atomic_result(op, old, x);
        memcpy(place, &x, bits / 8);
    }
    *dest = nir_const_value_for_uint(old, bits);
}

static uint8_t *byte_of(const struct run *r, uint32_t index, uint64_t offset, unsigned bytes)
{
    return offset + bytes <= r->setting->bytes[index] ? r->memory->buffer[index] + offset : NULL;
}

static uint8_t *texel_of(const struct run *r, uint32_t index, const nir_const_value *coord,
                         uint32_t sample)
{
    const struct image *image = &r->setting->image[index];
    const struct cpu_level_layout *l = &image->layout;
    unsigned layer = layer_of(image), bytes = drv_format_desc(image->format)->block_bytes;
    uint32_t x = coord[0].u32, y = l->height > 1 ? coord[1].u32 : 0;
    uint32_t z = layer ? coord[layer].u32 : 0;
    if (!image->format || x >= l->width || y >= l->height || z >= l->layers || sample >= l->samples)
        return NULL;
    uint8_t *base = r->memory->image[index];
    if (shapes[image->shape].target == DRV_BUFFER)
        return base + x * bytes;
    return base + z * l->layer_stride + sample * l->sample_stride +
           cpu_layout_block_offset(l, x, y, bytes) + cpu_layout_texel_index(x, y) * bytes;
}

static void evaluate_load_texel(const struct image *image, const uint8_t *texel,
                                nir_const_value *dest)
{
    static const uint8_t zeros[16];
    union {
        float f[4];
        uint32_t u[4];
    } value = {{0}};
    if (!image->format)
        ;
    else if (is_integer(image))
        util_format_unpack_int(image->format, &value.u, texel ? texel : zeros, 1);
    else
        util_format_unpack_float(image->format, &value.f, texel ? texel : zeros, 1);
    for (unsigned c = 0; c < 4; c++)
        dest[c] = nir_const_value_for_uint(value.u[c], 32);
}

static void evaluate_store_texel(const struct image *image, uint8_t *texel,
                                 const nir_const_value *src)
{
    union {
        float f[4];
        uint32_t u[4];
    } value;
    if (!texel)
        return;
    for (unsigned c = 0; c < 4; c++)
        value.u[c] = src[c].u32;
    if (is_integer(image))
        util_format_pack_int(image->format, texel, (const uint32_t(*)[4]) & value.u,
                             drv_format_desc(image->format)->channel[0].type == DRV_CHANNEL_SIGNED,
                             1);
    else
        util_format_pack_float(image->format, texel, (const float(*)[4]) & value.f, 1);
}

static void evaluate_image_size(const struct image *image, unsigned n, nir_const_value *dest)
{
    const struct cpu_level_layout *l = &image->layout;
    uint32_t size[3] = {l->width, l->height, l->layers};
    if (layer_of(image) == 1)
        size[1] = l->layers;
    for (unsigned c = 0; c < n; c++)
        dest[c] = nir_const_value_for_uint(image->format ? size[c] : 0, 32);
}

static bool evaluate_image(struct run *r, const nir_intrinsic_instr *intr,
                           nir_const_value *const *srcs, nir_const_value *dest)
{
    uint32_t index = srcs[0]->u32;
    const struct image *image = &r->setting->image[index];
    switch (intr->intrinsic) {
    case nir_intrinsic_image_load:
        evaluate_load_texel(image, texel_of(r, index, srcs[1], srcs[2]->u32), dest);
        return true;
    case nir_intrinsic_image_store:
        evaluate_store_texel(image, texel_of(r, index, srcs[1], srcs[2]->u32), srcs[3]);
        return true;
    case nir_intrinsic_image_atomic:
        evaluate_atomic(intr, texel_of(r, index, srcs[1], srcs[2]->u32), srcs + 3, false, dest);
        return true;
    case nir_intrinsic_image_samples:
        *dest = nir_const_value_for_uint(image->format ? image->layout.samples : 0, 32);
        return true;
    case nir_intrinsic_image_size:
        evaluate_image_size(image, intr->def.num_components, dest);
        return true;
    default:
        return false;
    }
}

static bool evaluate(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                     nir_const_value *const *srcs, nir_const_value *dest)
{
    struct run *r = eval->data;
    bool store = intr->intrinsic == nir_intrinsic_store_ssbo;
    bool swap = intr->intrinsic == nir_intrinsic_ssbo_atomic_swap;
    if (swap || intr->intrinsic == nir_intrinsic_ssbo_atomic) {
        evaluate_atomic(intr, byte_of(r, srcs[0]->u32, srcs[1]->u32, intr->def.bit_size / 8),
                        srcs + 2, swap, dest);
        return true;
    }
    if (!store && intr->intrinsic != nir_intrinsic_load_ssbo)
        return evaluate_image(r, intr, srcs, dest);
    unsigned bytes = (store ? nir_src_bit_size(intr->src[0]) : intr->def.bit_size) / 8;
    for (unsigned c = 0; c < intr->num_components; c++) {
        uint8_t *place =
            byte_of(r, srcs[store]->u32, srcs[store + 1]->u32 + (uint64_t)c * bytes, bytes);
        if (!store)
            dest[c] = (nir_const_value){0};
        if (place && !store)
            memcpy(&dest[c], place, bytes);
        else if (place && nir_intrinsic_write_mask(intr) >> c & 1)
            memcpy(place, &srcs[0][c], bytes);
    }
    return true;
}

/* ------------------------------------------------------------------------------------- runs --- */

static void setup_image(struct image *image, enum drv_format format, unsigned shape)
{
    enum drv_target target = shapes[shape].target;
    bool one_d = target == DRV_TEXTURE_1D || target == DRV_TEXTURE_1D_ARRAY || target == DRV_BUFFER;
    uint64_t offset = 0;
    image->format = format;
    image->shape = shape;
    cpu_layout_init(&image->layout, IMAGE_WIDTH, one_d ? 1 : IMAGE_HEIGHT,
                    layer_of(image) ? IMAGE_LAYERS : 1, has_samples(image) ? SAMPLES : 1,
                    format ? drv_format_desc(format)->block_bytes : 4, &offset);
    if (offset > IMAGE_BYTES)
        abort();
}

static void setup(struct setting *s, uint64_t seed)
{
    static const uint32_t sizes[][3] = {{1, 1, 1},  {5, 1, 1},  {16, 1, 1}, {8, 4, 1},
                                        {24, 1, 1}, {8, 8, 1},  {5, 3, 2},  {32, 1, 2},
                                        {33, 1, 1}, {16, 4, 2}, {100, 1, 1}};
    struct fuzz_rng rng = {seed ^ 0x1dea};
    *s = (struct setting){.seed = seed};
    memcpy(s->size, sizes[seed % ARRAY_SIZE(sizes)], sizeof s->size);
    s->n = s->size[0] * s->size[1] * s->size[2];
    s->wide_atomics = seed % 3 == 0;
    s->bytes[OWN] =
        (s->n - fuzz_random(&rng, MIN2(s->n, 3))) * OWN_BYTES - 32 * fuzz_random(&rng, 2);
    s->bytes[NUMBERS] = NUMBERS_BYTES;
    s->bytes[TAIL] = TAIL_BYTES;
    s->bytes[COUNTS] = COUNTS_BYTES;
    for (unsigned i = 0; i < ABSENT_IMAGE; i++)
        setup_image(&s->image[i],
                    i == COUNTS_IMAGE ? DRV_FORMAT_R32_UINT
                                      : formats[fuzz_random(&rng, ARRAY_SIZE(formats))],
                    fuzz_random(&rng, ARRAY_SIZE(shapes)));
}

static void fill(struct memory *m, const struct setting *s)
{
    struct fuzz_rng rng = {s->seed};
    uint8_t *bytes = (uint8_t *)m;
    for (size_t i = 0; i < sizeof *m; i++)
        bytes[i] = (uint8_t)fuzz_random(&rng, 256);
}

/* Describes the memory for the drivers. */
static void describe(const struct setting *s, struct memory *m, struct cpu_stage_state *state,
                     struct cpu_cs_key *key)
{
    for (unsigned i = 0; i < BUFFERS; i++)
        state->storage[i] = (struct cpu_buffer){m->buffer[i], s->bytes[i]};
    key->units.num_images = IMAGES;
    for (unsigned i = 0; i < IMAGES; i++) {
        const struct image *image = &s->image[i];
        const struct cpu_level_layout *l = &image->layout;
        enum drv_target target = shapes[image->shape].target;
        if (!image->format)
            continue;
        key->units.image[i] = (struct cpu_image_key){.format = image->format, .target = target};
        state->image[i] = (struct cpu_image){
            .level = {m->image[i], l->layer_stride, l->sample_stride, l->width, l->height,
                      target == DRV_TEXTURE_3D ? l->layers : 1, l->tile_w, l->tiles_x},
            .num_layers = l->layers,
            .num_samples = l->samples,
            .format = image->format,
            .target = target,
        };
    }
}

static bool check(const char *what, const struct setting *s, bool ran, const struct memory *want,
                  const struct memory *have)
{
    static const char *const names[] = {"own", "numbers", "tail", "counts", "absent"};
    const uint8_t *a = (const uint8_t *)want, *b = (const uint8_t *)have;
    size_t i = 0;
    if (ran && !memcmp(want, have, sizeof *want))
        return true;
    printf("seed %llu: %s ", (unsigned long long)s->seed, what);
    if (!ran) {
        puts("does not run");
        return false;
    }
    while (a[i] == b[i])
        i++;
    size_t buffers = sizeof want->buffer, each = sizeof want->buffer[0];
    if (i < buffers)
        printf("differs: buffer '%s', byte %zu: %02x, not %02x\n", names[i / each], i % each, b[i],
               a[i]);
    else
        printf("differs: image %zu (%s), byte %zu: %02x, not %02x\n", (i - buffers) / IMAGE_BYTES,
               drv_format_desc(s->image[(i - buffers) / IMAGE_BYTES].format)->name,
               (i - buffers) % IMAGE_BYTES, b[i], a[i]);
    return false;
}

struct again {
    struct setting *setting;
    const struct cpu_cs_args *args;
};

static bool evaluate_again(nir_shader *nir, unsigned subgroup_size, void *result, void *data)
{
    const struct again *a = data;
    struct run run = {a->setting, result};
    fill(result, a->setting);
    return groups_run_evaluator(nir, a->args, subgroup_size, evaluate, &run);
}

static bool run_seed(struct jit_engine *const engines[GROUPS_WIDTHS], uint64_t seed)
{
    static struct memory want, have;
    struct setting setting;
    struct cpu_stage_state state = {0};
    struct cpu_cs_key key = {0};
    struct watchdog_stop stop = {0};
    struct cpu_cs_args args = {
        .state = &state, .group = {(uint32_t)seed % 5, 0, 0}, .count = 1, .num_groups = {5, 1, 1}};
    struct run run = {&setting, &want};
    bool ok = true;

    setup(&setting, seed);
    state.stop = &stop;
    memcpy(args.group_size, setting.size, sizeof args.group_size);
    describe(&setting, &have, &state, &key);
    nir_shader *nir = make_shader(&cpu_nir_options, &setting);
    fill(&want, &setting);
    if (!groups_run_evaluator(nir, &args, 1, evaluate, &run)) {
        printf("seed %llu: the evaluator does not run\n", (unsigned long long)seed);
        ok = false;
    }
    for (unsigned i = 0; i < GROUPS_WIDTHS; i++) {
        fill(&have, &setting);
        bool ran = groups_run_kernel(engines[i], nir, &key, args) && !watchdog_stopped(&stop);
        ok &= check(groups_kernel_names[i], &setting, ran, &want, &have);
    }
    struct again again = {&setting, &args};
    ok &= groups_run_passes(nir, seed, evaluate_again, sizeof want, &again);
    nir_shader_destroy(nir);
    if (setting.wide_atomics)
        return ok;
    fill(&have, &setting);
    nir = make_shader(&i965_nir_options, &setting);
    ok &= check("the simulator", &setting, groups_run_threads(nir, &args, setting.seed), &want,
                &have);
    nir_shader_destroy(nir);
    return ok;
}

int main(int argc, char **argv)
{
    return groups_main(argc, argv, 6, run_seed);
}
