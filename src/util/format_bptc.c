/* SPDX-License-Identifier: MIT */
/*
 * BPTC blocks (ARB_texture_compression_bptc, appendix; GL 4.6 appendix D.2): eight fixed-point
 * modes, and fourteen half-float modes. Tables have the names used in the extension.
 *
 * Decoders support all modes. Encoders use the mode with one subset and sixteen steps, between the
 * two colors of the block that are farthest apart along the diagonal of its bounding box.
 */
#include "util/format_bptc.h"

#include <math.h>
#include <string.h>

#include "util/half.h"
#include "util/macros.h"

/* Tables P2 and P3: subset of each texel, with 1 and 2 bits per texel. */
static const uint16_t two_subsets[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80,
    0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310,
    0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa,
    0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc,
    0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6,
    0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

static const uint32_t three_subsets[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* Tables A2, A3a and A3b: texels whose indices lack the high bit. In subset 0 it is texel 0. */
static const uint8_t anchor_of_two[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
};

static const uint8_t second_anchor_of_three[64] = {
    3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
    6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
    15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
};

static const uint8_t third_anchor_of_three[64] = {
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
};

/* Weights of the second endpoint in 64ths, by number of index bits and by index. */
static const uint8_t weights[5][16] = {
    [2] = {0, 21, 43, 64},
    [3] = {0, 9, 18, 27, 37, 46, 55, 64},
    [4] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
};

struct bits {
    uint64_t low, high; /* bits that have not been read yet */
};

static unsigned take(struct bits *b, unsigned count)
{
    unsigned value = b->low & ((1u << count) - 1);
    if (count) {
        b->low = b->low >> count | b->high << (64 - count);
        b->high >>= count;
    }
    return value;
}

static unsigned subset_of(unsigned subsets, unsigned partition, unsigned texel)
{
    return subsets == 1   ? 0
           : subsets == 2 ? two_subsets[partition] >> texel & 1
                          : three_subsets[partition] >> (2 * texel) & 3;
}

static void take_indices(struct bits *b, unsigned subsets, unsigned partition, unsigned bits,
                         uint8_t index[16])
{
    unsigned anchors = 1;
    if (subsets == 2)
        anchors |= 1u << anchor_of_two[partition];
    else if (subsets == 3)
        anchors |= 1u << second_anchor_of_three[partition] | 1u << third_anchor_of_three[partition];
    uint64_t left = b->low; /* up to 63 bits */
    unsigned taken = 0;
    for (unsigned i = 0; i < 16; i++) {
        const unsigned count = bits - (anchors >> i & 1);
        index[i] = (uint8_t)(left & ((1u << count) - 1));
        left >>= count;
        taken += count;
    }
    b->low = left | (taken ? b->high << (64 - taken) : 0);
    b->high >>= taken;
}

static int interpolate(int e0, int e1, unsigned bits, unsigned index)
{
    int w = weights[bits][index];
    return (e0 * (64 - w) + e1 * w + 32) >> 6;
}

/* Vectors of four of a block's 16 texels; their operations exist on every CPU. */
typedef float vec __attribute__((vector_size(16)));
typedef int32_t ivec __attribute__((vector_size(16)));

static inline vec all(float x)
{
    return (vec){x, x, x, x};
}

/* Returns a where the mask is set, else b. */
static inline vec choose(ivec mask, vec a, vec b)
{
    return (vec)((mask & (ivec)a) | (~mask & (ivec)b));
}

/* -------------------------------------------------------------------------- fixed point --- */

/* Table M. */
static const struct unorm_mode {
    uint8_t subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits;
    bool endpoint_p, shared_p;
    uint8_t index_bits, second_index_bits;
} unorm_modes[8] = {
    {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
    {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
    {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
    {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

/* Reads the endpoints and expands them to 8 bits by replicating the high bits. */
static void take_endpoints(struct bits *b, const struct unorm_mode *m, uint8_t endpoint[6][4])
{
    unsigned n = 2 * m->subsets;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < n; e++)
            endpoint[e][c] = take(b, c < 3 ? m->color_bits : m->alpha_bits);
    unsigned shared = 0;
    for (unsigned e = 0; e < n && (m->endpoint_p || m->shared_p); e++) {
        if (m->endpoint_p || e % 2 == 0)
            shared = take(b, 1);
        for (unsigned c = 0; c < 4; c++)
            endpoint[e][c] = endpoint[e][c] << 1 | shared;
    }
    unsigned p = m->endpoint_p || m->shared_p;
    for (unsigned e = 0; e < n; e++)
        for (unsigned c = 0; c < 4; c++) {
            unsigned bits = (c < 3 ? m->color_bits : m->alpha_bits) + p;
            unsigned high = endpoint[e][c] << (8 - bits);
            endpoint[e][c] = c == 3 && !m->alpha_bits ? 255 : high | high >> bits;
        }
}

/* Decodes the texels of a mode with one index per texel, two at a time. */
static void interpolate_texels(uint8_t dst[16][4], const uint8_t endpoint[6][4], unsigned subsets,
                               unsigned partition, const uint8_t weight[16],
                               const uint8_t index[16])
{
    typedef uint16_t pair __attribute__((vector_size(16)));
    typedef uint8_t bytes __attribute__((vector_size(8)));
    for (unsigned i = 0; i < 16; i += 2) {
        const uint8_t *a = endpoint[2 * subset_of(subsets, partition, i)],
                      *b = endpoint[2 * subset_of(subsets, partition, i + 1)];
        const uint16_t v = weight[index[i]], w = weight[index[i + 1]];
        const pair first = {a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
        const pair second = {a[4], a[5], a[6], a[7], b[4], b[5], b[6], b[7]};
        const pair weights_of = {v, v, v, v, w, w, w, w};
        const bytes texels = __builtin_convertvector(
            (first * (64 - weights_of) + second * weights_of + 32) >> 6, bytes);
        memcpy(dst[i], &texels, sizeof texels);
    }
}

void util_bptc_decode_unorm(uint8_t dst[16][4], const uint8_t src[16])
{
    struct bits b;
    uint8_t endpoint[6][4], first[16], second[16];
    unsigned mode = 0;

    memcpy(&b, src, sizeof b);
    while (mode < 8 && !take(&b, 1))
        mode++;
    if (mode == 8) { /* reserved */
        memset(dst, 0, 16 * 4);
        return;
    }
    const struct unorm_mode *m = &unorm_modes[mode];
    unsigned partition = take(&b, m->partition_bits), rotation = take(&b, m->rotation_bits);
    bool select = take(&b, m->selection_bits);
    take_endpoints(&b, m, endpoint);
    take_indices(&b, m->subsets, partition, m->index_bits, first);
    if (m->second_index_bits)
        take_indices(&b, m->subsets, partition, m->second_index_bits, second);
    if (!m->second_index_bits) {
        interpolate_texels(dst, (const uint8_t(*)[4])endpoint, m->subsets, partition,
                           weights[m->index_bits], first);
        return;
    }
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t(*e)[4] =
            (const uint8_t(*)[4]) & endpoint[2 * subset_of(m->subsets, partition, i)];
        for (unsigned c = 0; c < 4; c++) {
            bool from_second = (c == 3) != select;
            dst[i][c] =
                interpolate(e[0][c], e[1][c], from_second ? m->second_index_bits : m->index_bits,
                            from_second ? second[i] : first[i]);
        }
        if (rotation) {
            uint8_t alpha = dst[i][3];
            dst[i][3] = dst[i][rotation - 1];
            dst[i][rotation - 1] = alpha;
        }
    }
}

/* ------------------------------------------------------------------------------- floats --- */

enum { R0, G0, B0, R1, G1, B1, R2, G2, B2, R3, G3, B3 };

/* Tables MF and F: bit ranges of the endpoints, from the lowest bit of the block up; a range with
 * low > high is stored in reverse. delta: bits per component of all endpoints but the first. */
static const struct float_mode {
    uint8_t endpoint_bits, delta[3];
    bool transformed, two;
    uint8_t num_fields;
    struct {
        uint8_t value, high, low;
    } field[25];
} float_modes[32] = {
    [0] = {10,
           {5, 5, 5},
           true,
           true,
           19,
           {{G2, 4, 4},
            {B2, 4, 4},
            {B3, 4, 4},
            {R0, 9, 0},
            {G0, 9, 0},
            {B0, 9, 0},
            {R1, 4, 0},
            {G3, 4, 4},
            {G2, 3, 0},
            {G1, 4, 0},
            {B3, 0, 0},
            {G3, 3, 0},
            {B1, 4, 0},
            {B3, 1, 1},
            {B2, 3, 0},
            {R2, 4, 0},
            {B3, 2, 2},
            {R3, 4, 0},
            {B3, 3, 3}}},
    [1] = {7, {6, 6, 6}, true, true, 23, {{G2, 5, 5}, {G3, 4, 4}, {G3, 5, 5}, {R0, 6, 0},
                                          {B3, 0, 0}, {B3, 1, 1}, {B2, 4, 4}, {G0, 6, 0},
                                          {B2, 5, 5}, {B3, 2, 2}, {G2, 4, 4}, {B0, 6, 0},
                                          {B3, 3, 3}, {B3, 5, 5}, {B3, 4, 4}, {R1, 5, 0},
                                          {G2, 3, 0}, {G1, 5, 0}, {G3, 3, 0}, {B1, 5, 0},
                                          {B2, 3, 0}, {R2, 5, 0}, {R3, 5, 0}}},
    [2] = {11,
           {5, 4, 4},
           true,
           true,
           18,
           {{R0, 9, 0},
            {G0, 9, 0},
            {B0, 9, 0},
            {R1, 4, 0},
            {R0, 10, 10},
            {G2, 3, 0},
            {G1, 3, 0},
            {G0, 10, 10},
            {B3, 0, 0},
            {G3, 3, 0},
            {B1, 3, 0},
            {B0, 10, 10},
            {B3, 1, 1},
            {B2, 3, 0},
            {R2, 4, 0},
            {B3, 2, 2},
            {R3, 4, 0},
            {B3, 3, 3}}},
    [6] = {11, {4, 5, 4}, true, true, 20, {{R0, 9, 0},   {G0, 9, 0}, {B0, 9, 0}, {R1, 3, 0},
                                           {R0, 10, 10}, {G3, 4, 4}, {G2, 3, 0}, {G1, 4, 0},
                                           {G0, 10, 10}, {G3, 3, 0}, {B1, 3, 0}, {B0, 10, 10},
                                           {B3, 1, 1},   {B2, 3, 0}, {R2, 3, 0}, {B3, 0, 0},
                                           {B3, 2, 2},   {R3, 3, 0}, {G2, 4, 4}, {B3, 3, 3}}},
    [10] = {11, {4, 4, 5}, true, true, 20, {{R0, 9, 0},   {G0, 9, 0}, {B0, 9, 0}, {R1, 3, 0},
                                            {R0, 10, 10}, {B2, 4, 4}, {G2, 3, 0}, {G1, 3, 0},
                                            {G0, 10, 10}, {B3, 0, 0}, {G3, 3, 0}, {B1, 4, 0},
                                            {B0, 10, 10}, {B2, 3, 0}, {R2, 3, 0}, {B3, 1, 1},
                                            {B3, 2, 2},   {R3, 3, 0}, {B3, 4, 4}, {B3, 3, 3}}},
    [14] = {9,
            {5, 5, 5},
            true,
            true,
            19,
            {{R0, 8, 0},
             {B2, 4, 4},
             {G0, 8, 0},
             {G2, 4, 4},
             {B0, 8, 0},
             {B3, 4, 4},
             {R1, 4, 0},
             {G3, 4, 4},
             {G2, 3, 0},
             {G1, 4, 0},
             {B3, 0, 0},
             {G3, 3, 0},
             {B1, 4, 0},
             {B3, 1, 1},
             {B2, 3, 0},
             {R2, 4, 0},
             {B3, 2, 2},
             {R3, 4, 0},
             {B3, 3, 3}}},
    [18] = {8,
            {6, 5, 5},
            true,
            true,
            19,
            {{R0, 7, 0},
             {G3, 4, 4},
             {B2, 4, 4},
             {G0, 7, 0},
             {B3, 2, 2},
             {G2, 4, 4},
             {B0, 7, 0},
             {B3, 3, 3},
             {B3, 4, 4},
             {R1, 5, 0},
             {G2, 3, 0},
             {G1, 4, 0},
             {B3, 0, 0},
             {G3, 3, 0},
             {B1, 4, 0},
             {B3, 1, 1},
             {B2, 3, 0},
             {R2, 5, 0},
             {R3, 5, 0}}},
    [22] = {8, {5, 6, 5}, true, true, 21, {{R0, 7, 0}, {B3, 0, 0}, {B2, 4, 4}, {G0, 7, 0},
                                           {G2, 5, 5}, {G2, 4, 4}, {B0, 7, 0}, {G3, 5, 5},
                                           {B3, 4, 4}, {R1, 4, 0}, {G3, 4, 4}, {G2, 3, 0},
                                           {G1, 5, 0}, {G3, 3, 0}, {B1, 4, 0}, {B3, 1, 1},
                                           {B2, 3, 0}, {R2, 4, 0}, {B3, 2, 2}, {R3, 4, 0},
                                           {B3, 3, 3}}},
    [26] = {8, {5, 5, 6}, true, true, 21, {{R0, 7, 0}, {B3, 1, 1}, {B2, 4, 4}, {G0, 7, 0},
                                           {B2, 5, 5}, {G2, 4, 4}, {B0, 7, 0}, {B3, 5, 5},
                                           {B3, 4, 4}, {R1, 4, 0}, {G3, 4, 4}, {G2, 3, 0},
                                           {G1, 4, 0}, {B3, 0, 0}, {G3, 3, 0}, {B1, 5, 0},
                                           {B2, 3, 0}, {R2, 4, 0}, {B3, 2, 2}, {R3, 4, 0},
                                           {B3, 3, 3}}},
    [30] = {6, {6, 6, 6}, false, true, 23, {{R0, 5, 0}, {G3, 4, 4}, {B3, 0, 0}, {B3, 1, 1},
                                            {B2, 4, 4}, {G0, 5, 0}, {G2, 5, 5}, {B2, 5, 5},
                                            {B3, 2, 2}, {G2, 4, 4}, {B0, 5, 0}, {G3, 5, 5},
                                            {B3, 3, 3}, {B3, 5, 5}, {B3, 4, 4}, {R1, 5, 0},
                                            {G2, 3, 0}, {G1, 5, 0}, {G3, 3, 0}, {B1, 5, 0},
                                            {B2, 3, 0}, {R2, 5, 0}, {R3, 5, 0}}},
    [3] = {10,
           {10, 10, 10},
           false,
           false,
           6,
           {{R0, 9, 0}, {G0, 9, 0}, {B0, 9, 0}, {R1, 9, 0}, {G1, 9, 0}, {B1, 9, 0}}},
    [7] = {11,
           {9, 9, 9},
           true,
           false,
           9,
           {{R0, 9, 0},
            {G0, 9, 0},
            {B0, 9, 0},
            {R1, 8, 0},
            {R0, 10, 10},
            {G1, 8, 0},
            {G0, 10, 10},
            {B1, 8, 0},
            {B0, 10, 10}}},
    [11] = {12,
            {8, 8, 8},
            true,
            false,
            9,
            {{R0, 9, 0},
             {G0, 9, 0},
             {B0, 9, 0},
             {R1, 7, 0},
             {R0, 10, 11},
             {G1, 7, 0},
             {G0, 10, 11},
             {B1, 7, 0},
             {B0, 10, 11}}},
    [15] = {16,
            {4, 4, 4},
            true,
            false,
            9,
            {{R0, 9, 0},
             {G0, 9, 0},
             {B0, 9, 0},
             {R1, 3, 0},
             {R0, 10, 15},
             {G1, 3, 0},
             {G0, 10, 15},
             {B1, 3, 0},
             {B0, 10, 15}}},
};

static int sign_extend(int x, unsigned bits)
{
    return (int)((unsigned)x << (32 - bits)) >> (32 - bits);
}

static int unquantize(int x, unsigned bits, bool is_signed)
{
    if (!is_signed) {
        if (bits >= 15 || x == 0)
            return x;
        return x == (1 << bits) - 1 ? 0xffff : ((x << 15) + 0x4000) >> (bits - 1);
    }
    if (bits >= 16 || x == 0)
        return x;
    int size = x < 0 ? -x : x;
    size = size >= (1 << (bits - 1)) - 1 ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1);
    return x < 0 ? -size : size;
}

/* Returns the bits of the half float of an interpolated value, negative for a negative one. */
static int finish_bits(int x, bool is_signed)
{
    return !is_signed ? x * 31 >> 6 : x < 0 ? -(-x * 31 >> 5) : x * 31 >> 5;
}

/* Returns the half floats of the bits, signed magnitude, of finite values. */
static inline vec half_values(ivec bits)
{
    const ivec size = bits & 0x7fff;
    const vec small = __builtin_convertvector(size, vec) * all(0x1p-24f);
    const vec value = choose(size < 0x400, small, (vec)((size << 13) + (112 << 23)));
    return (vec)((ivec)value | (bits & 0x8000) << 16);
}

/* Interpolates and finishes the components of an endpoint pair for one texel. */
static inline vec interpolate_half(ivec first, ivec second, int weight, bool is_signed)
{
    const ivec x = (first * (64 - weight) + second * weight + 32) >> 6;
    if (!is_signed)
        return half_values((x * 31) >> 6);
    const ivec negative = x < 0, size = ((negative & -x) | (~negative & x)) * 31 >> 5;
    return half_values(size | (negative & 0x8000));
}

static void take_float_endpoints(struct bits *b, const struct float_mode *m, bool is_signed,
                                 int value[12])
{
    memset(value, 0, 12 * sizeof *value);
    for (unsigned i = 0; i < m->num_fields; i++) {
        unsigned high = m->field[i].high, low = m->field[i].low;
        int step = high >= low ? 1 : -1;
        unsigned count = (high >= low ? high - low : low - high) + 1;
        for (unsigned k = 0, at = low; k < count; k++, at += step)
            value[m->field[i].value] |= (int)take(b, 1) << at;
    }
    unsigned bits = m->endpoint_bits;
    for (unsigned i = 0; i < (m->two ? 12 : 6); i++) {
        unsigned c = i % 3, own = i < 3 || !m->transformed ? bits : m->delta[c];
        if (is_signed || (i >= 3 && m->transformed))
            value[i] = sign_extend(value[i], own);
        if (i >= 3 && m->transformed) {
            value[i] = (value[c] + value[i]) & ((1 << bits) - 1);
            if (is_signed)
                value[i] = sign_extend(value[i], bits);
        }
    }
    for (unsigned i = 0; i < 12; i++)
        value[i] = unquantize(value[i], bits, is_signed);
}

void util_bptc_decode_float(float dst[16][4], const uint8_t src[16], bool is_signed)
{
    struct bits b;
    int value[12];
    uint8_t index[16];

    memcpy(&b, src, sizeof b);
    unsigned mode = take(&b, 2);
    if (mode > 1)
        mode |= take(&b, 3) << 2;
    const struct float_mode *m = &float_modes[mode];
    for (unsigned i = 0; i < 16; i++) {
        dst[i][0] = dst[i][1] = dst[i][2] = 0.0f;
        dst[i][3] = 1.0f;
    }
    if (!m->endpoint_bits) /* reserved */
        return;
    take_float_endpoints(&b, m, is_signed, value);
    unsigned subsets = m->two ? 2 : 1, bits = m->two ? 3 : 4;
    unsigned partition = take(&b, m->two ? 5 : 0);
    take_indices(&b, subsets, partition, bits, index);
    ivec end[2][2];
    for (unsigned k = 0; k < subsets; k++)
        for (unsigned e = 0; e < 2; e++) {
            const int *v = &value[6 * k + 3 * e];
            end[k][e] = (ivec){v[0], v[1], v[2], 0};
        }
    for (unsigned i = 0; i < 16; i++) {
        const ivec *e = end[subset_of(subsets, partition, i)];
        vec color = interpolate_half(e[0], e[1], weights[bits][index[i]], is_signed);
        color[3] = 1.0f;
        memcpy(dst[i], &color, sizeof color);
    }
}

/* ----------------------------------------------------------------------------- encoders --- */

#define UNORM_MODE       6
#define FLOAT_MODE       3
#define ENCODED_INDEX    4 /* bits */
#define ENCODED_ENDPOINT 10

struct bit_writer {
    uint64_t low, high;
    unsigned at;
};

static void put(struct bit_writer *w, unsigned value, unsigned count)
{
    const uint64_t bits = value & ((1u << count) - 1);
    if (w->at >= 64) {
        w->high |= bits << (w->at - 64);
    } else {
        w->low |= bits << w->at;
        if (w->at + count > 64)
            w->high |= bits >> (64 - w->at);
    }
    w->at += count;
}

static inline vec clamp_vec(vec v, float low, float high) /* NaN becomes low */
{
    v = choose(v > all(low), v, all(low));
    return choose(v < all(high), v, all(high));
}

static inline float sum_of(vec v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/* Returns the channels of four texels. */
static inline void load_channels(vec channel[4], const float src[4][4])
{
    vec t[4];
    memcpy(t, src, sizeof t);
    const vec a = __builtin_shufflevector(t[0], t[1], 0, 4, 1, 5),
              b = __builtin_shufflevector(t[2], t[3], 0, 4, 1, 5),
              c = __builtin_shufflevector(t[0], t[1], 2, 6, 3, 7),
              d = __builtin_shufflevector(t[2], t[3], 2, 6, 3, 7);
    channel[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    channel[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    channel[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    channel[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* A block's texels by channel. */
struct block {
    vec value[4][4]; /* [channel][quarter of the texels] */
    unsigned channels;
};

/* Finds the two texels at the ends of the block's extent along an axis: the diagonal of the bounding
 * box, in the direction in which the channels change together with the one of the largest range. */
static inline __attribute__((always_inline)) void find_ends(const struct block *b, unsigned pair[2])
{
    float range[4] = {0}, sign[4], middle[4];
    unsigned main = 0;
    for (unsigned c = 0; c < b->channels; c++) {
        vec low = b->value[c][0], high = low;
        for (unsigned q = 1; q < 4; q++) {
            low = choose(b->value[c][q] < low, b->value[c][q], low);
            high = choose(b->value[c][q] > high, b->value[c][q], high);
        }
        const float least = fminf(fminf(low[0], low[1]), fminf(low[2], low[3]));
        const float most = fmaxf(fmaxf(high[0], high[1]), fmaxf(high[2], high[3]));
        range[c] = most - least;
        middle[c] = (most + least) * 0.5f;
        if (range[c] > range[main])
            main = c;
    }
    for (unsigned c = 0; c < b->channels; c++) {
        vec together = all(0.0f);
        for (unsigned q = 0; q < 4; q++)
            together += (b->value[c][q] - all(middle[c])) * (b->value[main][q] - all(middle[main]));
        sign[c] = sum_of(together) < 0.0f ? -range[c] : range[c];
    }
    /* per lane: the lowest and the highest position, and the quarter that it is in */
    vec low = all(INFINITY), high = all(-INFINITY);
    ivec first = {0}, last = {0};
    for (unsigned q = 0; q < 4; q++) {
        vec along = all(0.0f);
        for (unsigned c = 0; c < b->channels; c++)
            along += (b->value[c][q] - all(middle[c])) * all(sign[c]);
        const ivec lower = along<low, higher = along> high;
        low = choose(lower, along, low);
        high = choose(higher, along, high);
        first = (lower & (int)q) | (~lower & first);
        last = (higher & (int)q) | (~higher & last);
    }
    unsigned l = 0, h = 0;
    for (unsigned i = 1; i < 4; i++) {
        l = low[i] < low[l] ? i : l;
        h = high[i] > high[h] ? i : h;
    }
    pair[0] = 4 * (unsigned)first[l] + l;
    pair[1] = 4 * (unsigned)last[h] + h;
}

/* Chooses for each texel the nearest of the 16 steps between the end points. The weights of table
 * 4 of ARB_texture_compression_bptc are multiples of 64 / 15, rounded. */
static inline __attribute__((always_inline)) void
choose_indices(const struct block *b, const float end[2][4], uint8_t index[16])
{
    float axis[4] = {0}, length = 0.0f;
    for (unsigned c = 0; c < b->channels; c++) {
        axis[c] = end[1][c] - end[0][c];
        length += axis[c] * axis[c];
    }
    const float scale = length > 0.0f ? 15.0f / length : 0.0f;
    for (unsigned q = 0; q < 4; q++) {
        vec at = all(0.0f);
        for (unsigned c = 0; c < b->channels; c++)
            at += (b->value[c][q] - all(end[0][c])) * all(axis[c] * scale);
        const ivec nearest = __builtin_convertvector(clamp_vec(at, 0.0f, 15.0f) + all(0.5f), ivec);
        for (unsigned i = 0; i < 4; i++)
            index[4 * q + i] = (uint8_t)nearest[i];
    }
}

/* Writes the indices; the first one lacks its high bit. flip: the endpoints were exchanged. */
static void put_indices(struct bit_writer *w, const uint8_t index[16], bool flip)
{
    for (unsigned i = 0; i < 16; i++)
        put(w, flip ? 15 - index[i] : index[i], ENCODED_INDEX - (i == 0));
}

/* Quantizes a color to seven bits per component plus a shared low bit, whichever value of it is
 * nearer. */
static unsigned quantize_unorm(const int color[4], uint8_t high[4], int value[4])
{
    int least = INT32_MAX;
    unsigned best = 0;
    for (unsigned p = 0; p < 2; p++) {
        int error = 0, q[4];
        for (unsigned c = 0; c < 4; c++) {
            q[c] = CLAMP((color[c] - (int)p + 1) >> 1, 0, 127);
            int d = (q[c] << 1 | (int)p) - color[c];
            error += d * d;
        }
        if (error >= least)
            continue;
        least = error;
        best = p;
        for (unsigned c = 0; c < 4; c++) {
            high[c] = q[c];
            value[c] = q[c] << 1 | (int)p;
        }
    }
    return best;
}

void util_bptc_encode_unorm(uint8_t dst[16], const float src[16][4])
{
    struct block b = {.channels = 4};
    uint8_t high[2][4], index[16];
    unsigned pair[2], p[2];
    float end[2][4];
    struct bit_writer w = {0};

    for (unsigned q = 0; q < 4; q++) {
        vec channel[4];
        load_channels(channel, src + 4 * q);
        for (unsigned c = 0; c < 4; c++) {
            const vec v = clamp_vec(channel[c], 0.0f, 1.0f) * all(255.0f) + all(0.5f);
            b.value[c][q] = __builtin_convertvector(__builtin_convertvector(v, ivec), vec);
        }
    }
    find_ends(&b, pair);
    for (unsigned e = 0; e < 2; e++) {
        int color[4], value[4];
        for (unsigned c = 0; c < 4; c++)
            color[c] = (int)b.value[c][pair[e] / 4][pair[e] % 4];
        p[e] = quantize_unorm(color, high[e], value);
        for (unsigned c = 0; c < 4; c++)
            end[e][c] = (float)value[c];
    }
    choose_indices(&b, end, index);
    bool flip = index[0] > 7;
    put(&w, 1 << UNORM_MODE, UNORM_MODE + 1);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < 2; e++)
            put(&w, high[e ^ flip][c], 7);
    for (unsigned e = 0; e < 2; e++)
        put(&w, p[e ^ flip], 1);
    put_indices(&w, index, flip);
    memcpy(dst, &w, 16);
}

/* Returns the endpoint that finish() expands to the given half-float bits. */
static int quantize_float(int half, bool is_signed)
{
    int size = half < 0 ? -half : half;
    size = (is_signed ? size * 32 : size * 64) / 31 >> 6;
    size = MIN2(size, is_signed ? 511 : 1023);
    return half < 0 ? -size : size;
}

/* Returns the bits of the nearest half floats, to even, as signed magnitude. Values beyond the
 * largest half float become it, NaN becomes 0; negative values too unless is_signed. */
static inline vec half_bits(vec f, bool is_signed)
{
    const ivec negative = f < all(0.0f);
    const vec size = clamp_vec(choose(negative, -f, f), 0.0f, 65504.0f);
    const ivec bits = (ivec)size;
    /* the exponent's bias is 15 instead of 127; below 2^-14, the sum's last bit is 2^-24 */
    const ivec normal = ((bits + 0xfff + ((bits >> 13) & 1)) >> 13) - (112 << 10);
    const ivec small = (ivec)(size + all(0.5f)) - (ivec)all(0.5f);
    const vec half =
        __builtin_convertvector((ivec)choose(size < all(0x1p-14f), (vec)small, (vec)normal), vec);
    return choose(negative, is_signed ? -half : all(0.0f), half);
}

void util_bptc_encode_float(uint8_t dst[16], const float src[16][4], bool is_signed)
{
    struct block b = {.channels = 3};
    int end[2][3];
    float value[2][4] = {{0}};
    uint8_t index[16];
    unsigned pair[2];
    struct bit_writer w = {0};

    for (unsigned q = 0; q < 4; q++) {
        vec channel[4];
        load_channels(channel, src + 4 * q);
        for (unsigned c = 0; c < 3; c++)
            b.value[c][q] = half_bits(channel[c], is_signed);
    }
    find_ends(&b, pair);
    for (unsigned e = 0; e < 2; e++)
        for (unsigned c = 0; c < 3; c++) {
            end[e][c] = quantize_float((int)b.value[c][pair[e] / 4][pair[e] % 4], is_signed);
            value[e][c] =
                (float)finish_bits(unquantize(end[e][c], ENCODED_ENDPOINT, is_signed), is_signed);
        }
    choose_indices(&b, value, index);
    bool flip = index[0] > 7;
    put(&w, FLOAT_MODE, 5);
    for (unsigned e = 0; e < 2; e++)
        for (unsigned c = 0; c < 3; c++)
            put(&w, (unsigned)end[e ^ flip][c], ENCODED_ENDPOINT);
    put_indices(&w, index, flip);
    memcpy(dst, &w, 16);
}
