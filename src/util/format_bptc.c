/* SPDX-License-Identifier: MIT */
/*
 * Decoders of BPTC blocks (ARB_texture_compression_bptc, appendix; GL 4.6 appendix D.2): eight
 * fixed-point modes, and fourteen half-float modes. Tables have the names used in the extension.
 * The encoders are in format_encode_lanes.h.
 */
#include "util/format_bptc.h"

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
    unsigned n = MIN2(2u * m->subsets, 6);
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
