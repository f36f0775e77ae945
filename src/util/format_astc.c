/* SPDX-License-Identifier: MIT */
/*
 * Decoder of ASTC blocks of the LDR profile. Section and table numbers are those of
 * KHR_texture_compression_astc_ldr. Results are the UNORM8 values that table C.2.1 allows, computed
 * as for sRGB formats (C.2.19), so that linear and sRGB views of an image share its texels.
 *
 * A block holds, in order: block mode (layout of the weights), partitions, color endpoint modes
 * (CEM), endpoints from the lowest bit up, and weights from the highest bit down.
 */
#include "util/format_astc.h"

#include <stdbool.h>
#include <string.h>

#include "util/macros.h"

#define MAX_WEIGHTS  64
#define MAX_COLORS   18
#define MAX_PARTS    4
#define WEIGHT_SLACK 16 /* infill reads a row and a texel past the grid, times 0 */

/* ------------------------------------------------------------------------------------- bits --- */

struct bits {
    uint64_t low, high;
};

/* Returns `count` bits (<= 32) from `start`; bits past the block are 0. */
static unsigned field(const struct bits *b, unsigned start, unsigned count)
{
    uint64_t v = start >= 128  ? 0
                 : start >= 64 ? b->high >> (start - 64)
                 : start       ? b->low >> start | b->high << (64 - start)
                               : b->low;
    return (unsigned)(v & ((1ull << count) - 1));
}

static uint64_t reverse64(uint64_t v)
{
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}

/* A sequential bit reader; bits at `end` and after are 0. */
struct stream {
    const struct bits *bits;
    unsigned pos, end;
};

static unsigned take(struct stream *s, unsigned count)
{
    unsigned there = s->pos < s->end ? MIN2(s->end - s->pos, count) : 0;
    unsigned v = field(s->bits, s->pos, there);
    s->pos += count;
    return v;
}

/* --------------------------------------------------------------- integer sequences (C.2.12) --- */

/* Range of values 0 to base * 2^bits - 1. base is 1, 3 (trits) or 5 (quints). */
struct range {
    uint8_t base, bits;
};

struct number {
    uint8_t digit, low; /* value: digit * 2^bits + low */
};

static unsigned sequence_bits(struct range r, unsigned count)
{
    unsigned packed = r.base == 3   ? DIV_ROUND_UP(count * 8, 5)
                      : r.base == 5 ? DIV_ROUND_UP(count * 7, 3)
                                    : 0;
    return packed + count * r.bits;
}

static void unpack_trits(unsigned t, struct number v[5])
{
    unsigned c = t & 31;
    if ((t >> 2 & 7) == 7) {
        c = (t >> 5) << 2 | (t & 3);
        v[4].digit = v[3].digit = 2;
    } else if ((t >> 5 & 3) == 3) {
        v[4].digit = 2;
        v[3].digit = t >> 7;
    } else {
        v[4].digit = t >> 7;
        v[3].digit = t >> 5 & 3;
    }
    if ((c & 3) == 3) {
        v[2].digit = 2;
        v[1].digit = c >> 4;
        v[0].digit = (c >> 2 & 2) | (c >> 2 & ~(c >> 3) & 1);
    } else if ((c >> 2 & 3) == 3) {
        v[2].digit = v[1].digit = 2;
        v[0].digit = c & 3;
    } else {
        v[2].digit = c >> 4;
        v[1].digit = c >> 2 & 3;
        v[0].digit = (c & 2) | (c & ~(c >> 1) & 1);
    }
}

static void unpack_quints(unsigned q, struct number v[3])
{
    unsigned c = q & 31;
    if ((q >> 1 & 3) == 3 && !(q >> 5)) {
        unsigned keep = ~q & 1;
        v[2].digit = (q & 1) << 2 | (q >> 4 & keep) << 1 | (q >> 3 & keep);
        v[1].digit = v[0].digit = 4;
        return;
    }
    if ((q >> 1 & 3) == 3) {
        v[2].digit = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
    } else {
        v[2].digit = q >> 5;
    }
    if ((c & 7) == 5) {
        v[1].digit = 4;
        v[0].digit = c >> 3;
    } else {
        v[1].digit = c >> 3;
        v[0].digit = c & 7;
    }
}

/* Figures C.5 and C.6: number of bits of the packed digits that follow the low bits of each
 * value. */
static const uint8_t trit_bits[5] = {2, 2, 1, 2, 1}, quint_bits[3] = {3, 2, 2};

/* Reads a sequence of `count` numbers. v has space for whole groups of three or five. */
static void read_sequence(const struct bits *bits, unsigned start, struct range r, unsigned count,
                          struct number *v)
{
    struct stream s = {bits, start, start + sequence_bits(r, count)};
    unsigned group = r.base == 1 ? 1 : r.base == 3 ? 5 : 3;
    for (unsigned i = 0; i < count; i += group) {
        unsigned packed = 0, shift = 0;
        for (unsigned k = 0; k < group; k++) {
            unsigned n = r.base == 1 ? 0 : r.base == 3 ? trit_bits[k] : quint_bits[k];
            v[i + k] = (struct number){.low = (uint8_t)take(&s, r.bits)};
            packed |= take(&s, n) << shift;
            shift += n;
        }
        if (r.base == 3)
            unpack_trits(packed, v + i);
        else if (r.base == 5)
            unpack_quints(packed, v + i);
    }
}

/* -------------------------------------------------------------------------- unquantization --- */

/* Parameters of tables C.2.16 and C.2.26, indexed by trits or quints and by bits: C, and B as (bits
 * above the lowest) * pattern >> drop. */
struct scale {
    uint8_t c, drop;
    uint16_t pattern;
};

static const struct scale color_scale[2][7] = {
    {{0, 0, 0},
     {204, 0, 0},
     {93, 0, 0x116},
     {44, 0, 0x85},
     {22, 0, 0x41},
     {11, 2, 0x81},
     {5, 4, 0x101}},
    {{0, 0, 0}, {113, 0, 0}, {54, 0, 0x10c}, {26, 1, 0x105}, {13, 1, 0x81}, {6, 3, 0x101}},
};
static const struct scale weight_scale[2][4] = {
    {{0, 0, 0}, {50, 0, 0}, {23, 0, 0x45}, {11, 0, 0x21}},
    {{0, 0, 0}, {28, 0, 0}, {13, 0, 0x42}},
};

/* Expands v from `from` to `to` bits by replicating it from the top down. */
static unsigned replicate(unsigned v, int from, int to)
{
    unsigned r = 0;
    for (int shift = to - from; shift > -from; shift -= from)
        r |= shift >= 0 ? v << shift : v >> -shift;
    return r;
}

/* top: highest bit of the result. */
static unsigned unquantize(struct number n, struct scale s, unsigned top)
{
    unsigned a = n.low & 1 ? 4 * top - 1 : 0;
    unsigned b = (unsigned)(n.low >> 1) * s.pattern >> s.drop;
    unsigned t = (n.digit * s.c + b) ^ a;
    return (a & top) | t >> 2;
}

static unsigned unquantize_color(struct number n, struct range r)
{
    return r.base == 1 ? replicate(n.low, r.bits, 8)
                       : unquantize(n, color_scale[r.base == 5][r.bits], 0x80);
}

static unsigned unquantize_weight(struct number n, struct range r)
{
    static const uint8_t pure[2][5] = {{0, 32, 63}, {0, 16, 32, 47, 63}}; /* table C.2.25 */
    unsigned w = r.base == 1 ? replicate(n.low, r.bits, 6)
                 : !r.bits   ? pure[r.base == 5][n.digit]
                             : unquantize(n, weight_scale[r.base == 5][r.bits], 0x20);
    return w > 32 ? w + 1 : w;
}

/* ------------------------------------------------------------------------------- block mode --- */

struct block {
    struct bits bits;
    unsigned width, height;           /* size in texels */
    unsigned grid_width, grid_height; /* size in weights */
    unsigned planes, weight_bits;
    struct range weights;
    unsigned parts, seed;
    uint8_t mode[MAX_PARTS];      /* color endpoint modes (CEM) */
    uint8_t end[MAX_PARTS][2][4]; /* endpoints */
    unsigned selector;            /* component that uses the second plane */
    uint8_t weight[2][MAX_WEIGHTS + WEIGHT_SLACK];
};

/* Decodes the block mode (tables C.2.7, C.2.8). Returns false if it is reserved. */
static bool read_block_mode(struct block *b)
{
    static const struct range ranges[2][8] = {
        {{0, 0}, {0, 0}, {1, 1}, {3, 0}, {1, 2}, {5, 0}, {3, 1}, {1, 3}},
        {{0, 0}, {0, 0}, {5, 1}, {3, 2}, {1, 4}, {5, 2}, {3, 3}, {1, 5}},
    };
    unsigned mode = field(&b->bits, 0, 11);
    unsigned x = mode >> 5 & 3, y = mode >> 7 & 3, high = mode >> 9 & 1;
    unsigned r = mode & 3 ? mode & 3 : mode >> 2 & 3;
    b->planes = 1 + (mode >> 10);
    if (mode & 3) {
        const uint8_t size[4][2] = {{y + 4, x + 2}, {y + 8, x + 2}, {x + 2, y + 8}, {0, 0}};
        unsigned row = mode >> 2 & 3;
        b->grid_width = row < 3 ? size[row][0] : y & 2 ? (y & 1) + 2 : x + 2;
        b->grid_height = row < 3 ? size[row][1] : y & 2 ? x + 2 : (y & 1) + 6;
    } else {
        const uint8_t size[4][2] = {
            {12, x + 2}, {x + 2, 12}, {x + 6, (mode >> 9 & 3) + 6}, {x ? 10 : 6, x ? 6 : 10}};
        if (y == 2) { /* those bits encode the height instead */
            b->planes = 1;
            high = 0;
        }
        if (!r || (y == 3 && x > 1))
            return false;
        b->grid_width = size[y][0];
        b->grid_height = size[y][1];
    }
    b->weights = ranges[high][r << 1 | (mode >> 4 & 1)];
    return true;
}

/* Checks the remaining limits on weights (C.2.24). */
static bool weights_fit(struct block *b)
{
    unsigned count = b->grid_width * b->grid_height * b->planes;
    if (count > MAX_WEIGHTS || b->grid_width > b->width || b->grid_height > b->height)
        return false;
    b->weight_bits = sequence_bits(b->weights, count);
    return b->weight_bits >= 24 && b->weight_bits <= 96;
}

static void read_weights(struct block *b)
{
    struct bits reversed = {reverse64(b->bits.high), reverse64(b->bits.low)};
    struct number v[MAX_WEIGHTS + 4];
    unsigned count = b->grid_width * b->grid_height * b->planes;
    read_sequence(&reversed, 0, b->weights, count, v);
    memset(b->weight, 0, sizeof b->weight);
    for (unsigned i = 0; i < count; i++)
        b->weight[i % b->planes][i / b->planes] = (uint8_t)unquantize_weight(v[i], b->weights);
}

/* -------------------------------------------------------------------------------- endpoints --- */

static void bit_transfer_signed(int *a, int *b)
{
    *b = *b >> 1 | (*a & 0x80);
    *a = *a >> 1 & 0x3f;
    if (*a & 0x20)
        *a -= 0x40;
}

static void set_end(uint8_t end[4], int r, int g, int b, int a)
{
    const int v[4] = {r, g, b, a};
    for (unsigned c = 0; c < 4; c++)
        end[c] = (uint8_t)CLAMP(v[c], 0, 255);
}

/* Decodes endpoints from pairs of R, G, B, A values. With `offset`, the second of a pair is an
 * offset. */
static void direct_ends(uint8_t end[2][4], const int v[8], bool offset)
{
    int first = v[0] + v[2] + v[4], second = v[1] + v[3] + v[5];
    int w[8];
    for (unsigned i = 0; i < 8; i += 2) {
        w[i] = v[i];
        w[i + 1] = offset ? v[i] + v[i + 1] : v[i + 1];
    }
    bool swap = offset ? second < 0 : second < first;
    if (!swap) {
        set_end(end[0], w[0], w[2], w[4], w[6]);
        set_end(end[1], w[1], w[3], w[5], w[7]);
    } else { /* blue-contract */
        set_end(end[0], (w[1] + w[5]) >> 1, (w[3] + w[5]) >> 1, w[5], w[7]);
        set_end(end[1], (w[0] + w[4]) >> 1, (w[2] + w[4]) >> 1, w[4], w[6]);
    }
}

static bool is_high_range(unsigned mode)
{
    return 1u << mode & (1u << 2 | 1u << 3 | 1u << 7 | 1u << 11 | 1u << 14 | 1u << 15);
}

/* Decodes endpoints (C.2.14) from the 2 * (mode / 4 + 1) values of an LDR mode. */
static void decode_ends(uint8_t end[2][4], unsigned mode, const int *values)
{
    int v[8] = {[6] = 255, [7] = 255};
    memcpy(v, values, 2 * (mode / 4 + 1) * sizeof *v);
    bool offset = mode == 5 || mode == 9 || mode == 13;
    for (unsigned i = 0; offset && i < 2 * (mode / 4 + 1); i += 2)
        bit_transfer_signed(&v[i + 1], &v[i]);
    if (mode == 9)
        v[7] = 0; /* opaque, no offset */
    switch (mode) {
    case 0:
        set_end(end[0], v[0], v[0], v[0], 255);
        set_end(end[1], v[1], v[1], v[1], 255);
        break;
    case 1: {
        int low = v[0] >> 2 | (v[1] & 0xc0), high = low + (v[1] & 0x3f);
        set_end(end[0], low, low, low, 255);
        set_end(end[1], high, high, high, 255);
        break;
    }
    case 4:
    case 5: {
        int base = mode == 5;
        set_end(end[0], v[0], v[0], v[0], v[2]);
        set_end(end[1], v[1] + base * v[0], v[1] + base * v[0], v[1] + base * v[0],
                v[3] + base * v[2]);
        break;
    }
    case 6:
    case 10:
        set_end(end[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8,
                mode == 10 ? v[4] : 255);
        set_end(end[1], v[0], v[1], v[2], mode == 10 ? v[5] : 255);
        break;
    default:
        direct_ends(end, v, offset);
        break;
    }
}

/* Reads the endpoint modes of all partitions (C.2.11). Returns the number of bits they use in the
 * mode field beyond the lowest; *extra is the number of bits below the weights. */
static unsigned read_modes(struct block *b, unsigned *extra)
{
    *extra = 0;
    if (b->parts == 1) {
        b->mode[0] = (uint8_t)field(&b->bits, 13, 4);
        return 17;
    }
    unsigned selector = field(&b->bits, 23, 2);
    b->seed = field(&b->bits, 13, 10);
    if (!selector) {
        memset(b->mode, (int)field(&b->bits, 25, 4), MAX_PARTS);
        return 29;
    }
    *extra = 3 * b->parts - 4;
    unsigned modes = field(&b->bits, 25, 4) | field(&b->bits, 128 - b->weight_bits - *extra, *extra)
                                                  << 4;
    for (unsigned p = 0; p < b->parts; p++)
        b->mode[p] =
            (uint8_t)((selector - 1 + (modes >> p & 1)) * 4 + (modes >> (b->parts + 2 * p) & 3));
    return 29 + *extra;
}

/* Returns the largest range whose sequence of `count` values fits into `bits` (C.2.22); base 0 if
 * none. */
static struct range color_range(unsigned count, unsigned bits)
{
    static const struct range ranges[] = {
        {1, 8}, {3, 6}, {5, 5}, {1, 7}, {3, 5}, {5, 4}, {1, 6}, {3, 4}, {5, 3},
        {1, 5}, {3, 3}, {5, 2}, {1, 4}, {3, 2}, {5, 1}, {1, 3}, {3, 1},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++)
        if (sequence_bits(ranges[i], count) <= bits)
            return ranges[i];
    return (struct range){0, 0};
}

static bool read_endpoints(struct block *b)
{
    struct number number[MAX_COLORS + 4];
    int value[MAX_COLORS];
    unsigned extra, count = 0, used = read_modes(b, &extra);
    for (unsigned p = 0; p < b->parts; p++)
        count += 2 * (b->mode[p] / 4 + 1);
    if (b->planes == 2) {
        used += 2;
        b->selector = field(&b->bits, 128 - b->weight_bits - extra - 2, 2);
    }
    if (count > MAX_COLORS || used + b->weight_bits > 128)
        return false;
    struct range r = color_range(count, 128 - used - b->weight_bits);
    if (!r.base)
        return false;
    read_sequence(&b->bits, b->parts == 1 ? 17 : 29, r, count, number);
    for (unsigned i = 0; i < count; i++)
        value[i] = (int)unquantize_color(number[i], r);
    const int *v = value;
    for (unsigned p = 0; p < b->parts; v += 2 * (b->mode[p] / 4 + 1), p++)
        if (!is_high_range(b->mode[p]))
            decode_ends(b->end[p], b->mode[p], v);
    return true;
}

/* ------------------------------------------------------------------------------- partitions --- */

struct partitioning {
    uint32_t random;
    uint8_t factor[8]; /* factors of x and y in a, b, c, d */
};

/* Computes the part of the 2D partition function (C.2.21) that doesn't depend on the texel. */
static struct partitioning make_partitioning(unsigned seed, unsigned parts)
{
    struct partitioning out;
    seed += (parts - 1) * 1024;
    uint32_t p = seed;
    p ^= p >> 15, p -= p << 17, p += p << 7, p += p << 4;
    p ^= p >> 5, p += p << 16, p ^= p >> 7, p ^= p >> 3;
    p ^= p << 6, p ^= p >> 17;
    out.random = p;
    unsigned even = seed & 2 ? 4 : 5, odd = parts == 3 ? 6 : 5;
    unsigned shift[2] = {seed & 1 ? even : odd, seed & 1 ? odd : even};
    for (unsigned i = 0; i < 8; i++) {
        unsigned s = p >> (4 * i) & 15;
        out.factor[i] = (uint8_t)(s * s >> shift[i & 1]);
    }
    return out;
}

static unsigned select_partition(const struct partitioning *p, unsigned x, unsigned y,
                                 unsigned parts)
{
    static const uint8_t shift[4] = {14, 10, 6, 2};
    unsigned best = 0, most = 0;
    for (unsigned i = 0; i < parts; i++) {
        unsigned v =
            (p->factor[2 * i] * x + p->factor[2 * i + 1] * y + (p->random >> shift[i])) & 63;
        if (!i || v > most) {
            best = i;
            most = v;
        }
    }
    return best;
}

/* ----------------------------------------------------------------------------------- texels --- */

static const uint8_t magenta[4] = {255, 0, 255, 255};

static void fill(uint8_t (*dst)[4], unsigned texels, const uint8_t color[4])
{
    for (unsigned i = 0; i < texels; i++)
        memcpy(dst[i], color, 4);
}

/* Decodes a void-extent block (C.2.23). Returns NULL if it is invalid. */
static const uint8_t *void_extent(const struct bits *b, uint8_t color[4])
{
    unsigned s0 = field(b, 12, 13), s1 = field(b, 25, 13);
    unsigned t0 = field(b, 38, 13), t1 = field(b, 51, 13);
    bool everywhere = (s0 & s1 & t0 & t1) == 0x1fff;
    if (field(b, 9, 3) != 6 || (!everywhere && (s0 >= s1 || t0 >= t1)))
        return NULL;
    for (unsigned c = 0; c < 4; c++)
        color[c] = (uint8_t)(field(b, 64 + 16 * c, 16) >> 8);
    return color;
}

/* Returns the interpolated weight of texel (s, t) in a plane (C.2.18). */
static unsigned infill(const struct block *b, const uint8_t *weight, unsigned s, unsigned t)
{
    unsigned ds = (1024 + b->width / 2) / (b->width - 1);
    unsigned dt = (1024 + b->height / 2) / (b->height - 1);
    unsigned gs = (ds * s * (b->grid_width - 1) + 32) >> 6;
    unsigned gt = (dt * t * (b->grid_height - 1) + 32) >> 6;
    const uint8_t *w = weight + (gs >> 4) + (gt >> 4) * b->grid_width;
    unsigned fs = gs & 15, ft = gt & 15, w11 = (fs * ft + 8) >> 4;
    return (w[0] * (16 - fs - ft + w11) + w[1] * (fs - w11) + w[b->grid_width] * (ft - w11) +
            w[b->grid_width + 1] * w11 + 8) >>
           4;
}

/* Returns the high byte of the interpolated component (C.2.19). */
static uint8_t interpolate(unsigned c0, unsigned c1, unsigned weight, bool alpha)
{
    c0 = c0 << 8 | (alpha ? c0 : 0x80);
    c1 = c1 << 8 | (alpha ? c1 : 0x80);
    return (uint8_t)((c0 * (64 - weight) + c1 * weight + 32) >> 6 >> 8);
}

static void decode_texels(const struct block *b, uint8_t (*dst)[4])
{
    struct partitioning partitioning = {0};
    unsigned zoom = b->width * b->height < 31; /* small_block */
    if (b->parts > 1)
        partitioning = make_partitioning(b->seed, b->parts);
    for (unsigned t = 0; t < b->height; t++) {
        for (unsigned s = 0; s < b->width; s++, dst++) {
            unsigned part =
                b->parts > 1 ? select_partition(&partitioning, s << zoom, t << zoom, b->parts) : 0;
            if (is_high_range(b->mode[part])) {
                memcpy(*dst, magenta, 4);
                continue;
            }
            unsigned weight = infill(b, b->weight[0], s, t);
            for (unsigned c = 0; c < 4; c++)
                (*dst)[c] = interpolate(b->end[part][0][c], b->end[part][1][c], weight, c == 3);
            if (b->planes == 2) {
                unsigned c = b->selector;
                (*dst)[c] = interpolate(b->end[part][0][c], b->end[part][1][c],
                                        infill(b, b->weight[1], s, t), c == 3);
            }
        }
    }
}

void util_astc_decode(uint8_t dst[UTIL_ASTC_TEXELS][4], const uint8_t src[16], unsigned width,
                      unsigned height)
{
    struct block b = {.width = width, .height = height};
    for (unsigned i = 0; i < 8; i++) {
        b.bits.low |= (uint64_t)src[i] << (8 * i);
        b.bits.high |= (uint64_t)src[8 + i] << (8 * i);
    }
    if (field(&b.bits, 0, 9) == 0x1fc) {
        uint8_t color[4];
        const uint8_t *valid = void_extent(&b.bits, color);
        fill(dst, width * height, valid ? valid : magenta);
        return;
    }
    b.parts = 1 + field(&b.bits, 11, 2);
    if (!read_block_mode(&b) || !weights_fit(&b) || (b.planes == 2 && b.parts == 4) ||
        !read_endpoints(&b)) {
        fill(dst, width * height, magenta);
        return;
    }
    read_weights(&b);
    decode_texels(&b, dst);
}
