/* SPDX-License-Identifier: MIT */
/*
 * Copies between tiled and linear texels. A row of a block is two pairs of texels in two quads, so
 * whole blocks are copied by pairs. Common texel sizes have separate loops with constant sizes.
 */
#include "driver/cpu/resource/cpu_layout.h"

#include "util/macros.h"
#include "util/pixel_moves.h"
#include "util/simd.h"

void cpu_layout_init(struct cpu_level_layout *l, uint32_t width, uint32_t height, uint32_t layers,
                     uint32_t samples, uint32_t texel_bytes, uint64_t *offset)
{
    *l = (struct cpu_level_layout){
        .offset = *offset,
        .width = width,
        .height = height,
        .layers = layers,
        .samples = samples,
        .tile_w = MIN2(16u, DIV_ROUND_UP(width, 4)),
        .tiles_x = DIV_ROUND_UP(width, 64),
        .tiles_y = DIV_ROUND_UP(height, 64),
    };
    uint64_t tiles = (uint64_t)l->tiles_x * l->tiles_y;
    uint64_t last_rows = height < 64 ? DIV_ROUND_UP(height, 4) : 16;
    uint64_t blocks = (tiles - 1) * 16 * l->tile_w + last_rows * l->tile_w;
    l->sample_stride = ALIGN_POT(blocks * 16 * texel_bytes, 64);
    l->layer_stride = l->sample_stride * samples;
    *offset += l->layer_stride * layers;
}

#define INLINE static inline __attribute__((always_inline))

INLINE void block_to_linear(const uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t n)
{
    for (unsigned y = 0; y < 4; y++) {
        const uint8_t *pair = block + ((y >> 1) * 8 + (y & 1) * 2) * n;
        memcpy(linear, pair, 2 * n);
        memcpy(linear + 2 * n, pair + 4 * n, 2 * n);
        linear += stride;
    }
}

INLINE void block_from_linear(uint8_t *block, const uint8_t *linear, ptrdiff_t stride, uint32_t n)
{
    for (unsigned y = 0; y < 4; y++) {
        uint8_t *pair = block + ((y >> 1) * 8 + (y & 1) * 2) * n;
        memcpy(pair, linear, 2 * n);
        memcpy(pair + 4 * n, linear + 2 * n, 2 * n);
        linear += stride;
    }
}

/* 32-bit texels: bytes of a linear row of a tile, and of a tile of full width. */
#define TILE_ROW   256
#define TILE_BYTES (64 * TILE_ROW)

/* A quad of 32-bit texels is 16 bytes: two rows of a pair of texels. */
typedef uint64_t v2u64 __attribute__((vector_size(16)));

static v2u64 load(const uint8_t *p)
{
    v2u64 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void store(uint8_t *p, v2u64 v)
{
    memcpy(p, &v, sizeof v);
}

static void block4_to_linear(const uint8_t *block, uint8_t *linear, ptrdiff_t stride)
{
    for (unsigned half = 0; half < 2; half++, block += 32, linear += 2 * stride) {
        v2u64 left = load(block), right = load(block + 16);
        store(linear, (v2u64){left[0], right[0]});
        store(linear + stride, (v2u64){left[1], right[1]});
    }
}

static void block4_from_linear(uint8_t *block, const uint8_t *linear, ptrdiff_t stride)
{
    for (unsigned half = 0; half < 2; half++, block += 32, linear += 2 * stride) {
        v2u64 row0 = load(linear), row1 = load(linear + stride);
        store(block, (v2u64){row0[0], row1[0]});
        store(block + 16, (v2u64){row0[1], row1[1]});
    }
}

/* Texels of 1 or 2 bytes: adjacent blocks cover 16 bytes of each linear row. These functions copy
 * as many blocks as fill such rows, and return their number. */
typedef uint32_t v4u32 __attribute__((vector_size(16)));
typedef uint16_t v8u16 __attribute__((vector_size(16)));

static v4u32 load_words(const uint8_t *p)
{
    v4u32 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void store_words(uint8_t *p, v4u32 v)
{
    memcpy(p, &v, sizeof v);
}

/* Swaps the middle pairs of each half: between the order of a block and its rows, if texels are
 * bytes. */
static v4u32 order_bytes(v4u32 v)
{
    return (v4u32)__builtin_shufflevector((v8u16)v, (v8u16)v, 0, 2, 1, 3, 4, 6, 5, 7);
}

static void transpose(v4u32 m[4])
{
    v4u32 a = __builtin_shufflevector(m[0], m[1], 0, 4, 1, 5);
    v4u32 b = __builtin_shufflevector(m[2], m[3], 0, 4, 1, 5);
    v4u32 c = __builtin_shufflevector(m[0], m[1], 2, 6, 3, 7);
    v4u32 d = __builtin_shufflevector(m[2], m[3], 2, 6, 3, 7);
    m[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    m[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    m[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

static uint32_t run_bytes(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                          bool read)
{
    v4u32 m[4];
    for (uint32_t i = 0; i + 4 <= count; i += 4, block += 64, linear += 16) {
        for (unsigned k = 0; k < 4; k++)
            m[k] = read ? order_bytes(load_words(block + 16 * k)) : load_words(linear + k * stride);
        transpose(m);
        for (unsigned k = 0; k < 4; k++)
            if (read)
                store_words(linear + k * stride, m[k]);
            else
                store_words(block + 16 * k, order_bytes(m[k]));
    }
    return count & ~3u;
}

/* Distance in bytes from a block to the block below it in a tile, for texels of n bytes. Code that
 * reads blocks prefetches the ones below, which are read next, because CPUs don't prefetch data
 * that is read in such pieces. */
#define NEXT_ROW(n) (16 * 16 * (n))

static uint32_t run_shorts(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                           bool read)
{
    for (uint32_t i = 0; i + 2 <= count; i += 2, block += 64, linear += 16)
        for (unsigned half = 0; half < 2; half++) {
            uint8_t *left = block + 16 * half, *row = linear + 2 * half * stride;
            v4u32 a = load_words(read ? left : row);
            v4u32 b = load_words(read ? left + 32 : row + stride);
            if (read) {
                __builtin_prefetch(block + NEXT_ROW(2));
                store_words(row, __builtin_shufflevector(a, b, 0, 2, 4, 6));
                store_words(row + stride, __builtin_shufflevector(a, b, 1, 3, 5, 7));
            } else {
                store_words(left, __builtin_shufflevector(a, b, 0, 4, 1, 5));
                store_words(left + 32, __builtin_shufflevector(a, b, 2, 6, 3, 7));
            }
        }
    return count & ~1u;
}

#ifdef __x86_64__
/* Four adjacent blocks cover a cache line of each linear row, two cover half of one. These
 * functions copy up to `count` blocks of a row of blocks in each of several adjacent tiles, and
 * return the number copied in each tile. */
typedef uint64_t v4u64 __attribute__((vector_size(32)));
typedef uint64_t v8u64 __attribute__((vector_size(64)));
#define AT(vector, p) (*(vector##_memory *)(p))
typedef v4u64 v4u64_memory __attribute__((aligned(1), may_alias));
typedef v8u64 v8u64_memory __attribute__((aligned(1), may_alias));
/* The first and the second halves of two vectors. */
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
/* Rows 0 and 1, and rows 2 and 3, of two adjacent blocks; one after the other. */
#define UPPER_ROWS(a, b) __builtin_shufflevector(a, b, 0, 2, 8, 10, 1, 3, 9, 11)
#define LOWER_ROWS(a, b) __builtin_shufflevector(a, b, 4, 6, 12, 14, 5, 7, 13, 15)
/* The left and the right of two blocks, from two rows of them. */
#define LEFT_BLOCK(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define RIGHT_BLOCK(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

SIMD_TARGET_16 static uint32_t to_linear_by_4(const uint8_t *block, uint8_t *linear,
                                              ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                              size_t tile_bytes)
{
    for (; tiles; tiles--, block += tile_bytes, linear += TILE_ROW) {
        const uint8_t *b = block;
        uint8_t *to = linear;
        for (uint32_t i = 0; i + 4 <= count; i += 4, b += 256, to += 64) {
            for (unsigned k = 0; k < 4; k++)
                __builtin_prefetch(b + NEXT_ROW(4) + 64 * k);
            v8u64 b0 = AT(v8u64, b), b1 = AT(v8u64, b + 64);
            v8u64 b2 = AT(v8u64, b + 128), b3 = AT(v8u64, b + 192);
            v8u64 left = UPPER_ROWS(b0, b1), right = UPPER_ROWS(b2, b3);
            AT(v8u64, to) = LOW(left, right);
            AT(v8u64, to + stride) = HIGH(left, right);
            left = LOWER_ROWS(b0, b1);
            right = LOWER_ROWS(b2, b3);
            AT(v8u64, to + 2 * stride) = LOW(left, right);
            AT(v8u64, to + 3 * stride) = HIGH(left, right);
        }
    }
    return count & ~3u;
}

/* Stores a block, or a half of one, which is aligned if the stores bypass the caches. */
SIMD_TARGET_16 static inline void put_line(uint8_t *p, v8u64 v, bool stream)
{
    if (stream)
        _mm512_stream_si512((void *)p, (__m512i)v);
    else
        AT(v8u64, p) = v;
}

SIMD_TARGET_8 static inline void put_half_line(uint8_t *p, v4u64 v, bool stream)
{
    if (stream)
        _mm256_stream_si256((__m256i *)p, (__m256i)v);
    else
        AT(v4u64, p) = v;
}

SIMD_TARGET_16 static uint32_t from_linear_by_4(uint8_t *block, const uint8_t *linear,
                                                ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                                size_t tile_bytes, bool stream)
{
    for (; tiles; tiles--, block += tile_bytes, linear += TILE_ROW) {
        uint8_t *b = block;
        const uint8_t *from = linear;
        for (uint32_t i = 0; i + 4 <= count; i += 4, b += 256, from += 64) {
            v8u64 r0 = AT(v8u64, from), r1 = AT(v8u64, from + stride);
            v8u64 r2 = AT(v8u64, from + 2 * stride), r3 = AT(v8u64, from + 3 * stride);
            v8u64 upper = LEFT_BLOCK(r0, r1), lower = LEFT_BLOCK(r2, r3);
            put_line(b, LOW(upper, lower), stream);
            put_line(b + 64, HIGH(upper, lower), stream);
            upper = RIGHT_BLOCK(r0, r1);
            lower = RIGHT_BLOCK(r2, r3);
            put_line(b + 128, LOW(upper, lower), stream);
            put_line(b + 192, HIGH(upper, lower), stream);
        }
    }
    return count & ~3u;
}

SIMD_TARGET_8 static uint32_t to_linear_by_2(const uint8_t *block, uint8_t *linear,
                                             ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                             size_t tile_bytes)
{
    for (; tiles; tiles--, block += tile_bytes, linear += TILE_ROW) {
        const uint8_t *b = block;
        uint8_t *to = linear;
        for (uint32_t i = 0; i + 2 <= count; i += 2, b += 128, to += 32) {
            __builtin_prefetch(b + NEXT_ROW(4));
            __builtin_prefetch(b + NEXT_ROW(4) + 64);
            for (unsigned half = 0; half < 2; half++) {
                v4u64 left = AT(v4u64, b + 32 * half), right = AT(v4u64, b + 64 + 32 * half);
                uint8_t *row = to + 2 * half * stride;
                AT(v4u64, row) = __builtin_shufflevector(left, right, 0, 2, 4, 6);
                AT(v4u64, row + stride) = __builtin_shufflevector(left, right, 1, 3, 5, 7);
            }
        }
    }
    return count & ~1u;
}

SIMD_TARGET_8 static uint32_t from_linear_by_2(uint8_t *block, const uint8_t *linear,
                                               ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                               size_t tile_bytes, bool stream)
{
    for (; tiles; tiles--, block += tile_bytes, linear += TILE_ROW) {
        uint8_t *b = block;
        const uint8_t *from = linear;
        for (uint32_t i = 0; i + 2 <= count; i += 2, b += 128, from += 32) {
            for (unsigned half = 0; half < 2; half++) {
                const uint8_t *row = from + 2 * half * stride;
                v4u64 r0 = AT(v4u64, row), r1 = AT(v4u64, row + stride);
                put_half_line(b + 32 * half, __builtin_shufflevector(r0, r1, 0, 4, 1, 5), stream);
                put_half_line(b + 64 + 32 * half, __builtin_shufflevector(r0, r1, 2, 6, 3, 7),
                              stream);
            }
        }
    }
    return count & ~1u;
}

static uint32_t run_wide(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                         uint32_t tiles, size_t tile_bytes, bool read, bool stream)
{
    if (simd_lanes() == 16)
        return read ? to_linear_by_4(block, linear, stride, count, tiles, tile_bytes)
                    : from_linear_by_4(block, linear, stride, count, tiles, tile_bytes, stream);
    if (simd_lanes() == 8)
        return read ? to_linear_by_2(block, linear, stride, count, tiles, tile_bytes)
                    : from_linear_by_2(block, linear, stride, count, tiles, tile_bytes, stream);
    return 0;
}
/* Texels of 1 byte: eight adjacent blocks cover 32 bytes of each linear row. The lower half of a
 * vector holds four blocks, the upper half the next four. See run_many(). */
typedef uint32_t v8u32 __attribute__((vector_size(32)));
typedef v8u32 v8u32_memory __attribute__((aligned(1), may_alias));

SIMD_TARGET_8 static inline v8u32 order_bytes_twice(v8u32 v)
{
    const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15, 0,
                                           1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    return (v8u32)_mm256_shuffle_epi8((__m256i)v, order);
}

SIMD_TARGET_8 static inline void transpose_twice(v8u32 m[4])
{
    __m256i a = _mm256_unpacklo_epi32((__m256i)m[0], (__m256i)m[1]);
    __m256i b = _mm256_unpacklo_epi32((__m256i)m[2], (__m256i)m[3]);
    __m256i c = _mm256_unpackhi_epi32((__m256i)m[0], (__m256i)m[1]);
    __m256i d = _mm256_unpackhi_epi32((__m256i)m[2], (__m256i)m[3]);
    m[0] = (v8u32)_mm256_unpacklo_epi64(a, b);
    m[1] = (v8u32)_mm256_unpackhi_epi64(a, b);
    m[2] = (v8u32)_mm256_unpacklo_epi64(c, d);
    m[3] = (v8u32)_mm256_unpackhi_epi64(c, d);
}

SIMD_TARGET_8 static uint32_t bytes_to_linear(const uint8_t *block, uint8_t *linear,
                                              ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                              size_t tile_bytes)
{
    v8u32 m[4];
    for (; tiles; tiles--, block += tile_bytes, linear += 64) {
        const uint8_t *b = block;
        uint8_t *l = linear;
        for (uint32_t i = 0; i + 8 <= count; i += 8, b += 128, l += 32) {
            __builtin_prefetch(b + NEXT_ROW(1));
            __builtin_prefetch(b + NEXT_ROW(1) + 64);
            for (unsigned k = 0; k < 4; k++) {
                const __m128i left = _mm_loadu_si128((const __m128i *)(b + 16 * k));
                const __m128i right = _mm_loadu_si128((const __m128i *)(b + 64 + 16 * k));
                m[k] = order_bytes_twice((v8u32)_mm256_set_m128i(right, left));
            }
            transpose_twice(m);
            for (unsigned k = 0; k < 4; k++)
                AT(v8u32, l + k * stride) = m[k];
        }
    }
    return count & ~7u;
}

SIMD_TARGET_8 static uint32_t bytes_from_linear(uint8_t *block, const uint8_t *linear,
                                                ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                                size_t tile_bytes)
{
    v8u32 m[4];
    for (; tiles; tiles--, block += tile_bytes, linear += 64) {
        uint8_t *b = block;
        const uint8_t *l = linear;
        for (uint32_t i = 0; i + 8 <= count; i += 8, b += 128, l += 32) {
            for (unsigned k = 0; k < 4; k++)
                m[k] = AT(v8u32, l + k * stride);
            transpose_twice(m);
            for (unsigned k = 0; k < 4; k++) {
                const __m256i v = (__m256i)order_bytes_twice(m[k]);
                _mm_storeu_si128((__m128i *)(b + 16 * k), _mm256_castsi256_si128(v));
                _mm_storeu_si128((__m128i *)(b + 64 + 16 * k), _mm256_extracti128_si256(v, 1));
            }
        }
    }
    return count & ~7u;
}

/* Texels of 2 bytes: four adjacent blocks cover 32 bytes of each linear row. The lower half of a
 * vector holds two rows of the first or second block, the upper half those of the third or fourth.
 * See run_many(). */
SIMD_TARGET_8 static uint32_t shorts_to_linear(const uint8_t *block, uint8_t *linear,
                                               ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                               size_t tile_bytes)
{
    for (; tiles; tiles--, block += tile_bytes, linear += 128) {
        const uint8_t *q = block;
        uint8_t *l = linear;
        for (uint32_t i = 0; i + 4 <= count; i += 4, q += 128, l += 32) {
            __builtin_prefetch(q + NEXT_ROW(2));
            __builtin_prefetch(q + NEXT_ROW(2) + 64);
            for (unsigned half = 0; half < 2; half++) {
                const uint8_t *b = q + 16 * half;
                uint8_t *row = l + 2 * half * stride;
                v4u32 first = load_words(b), second = load_words(b + 32);
                v4u32 third = load_words(b + 64), fourth = load_words(b + 96);
                v8u32 even = __builtin_shufflevector(first, third, 0, 1, 2, 3, 4, 5, 6, 7);
                v8u32 odd = __builtin_shufflevector(second, fourth, 0, 1, 2, 3, 4, 5, 6, 7);
                AT(v8u32, row) = __builtin_shufflevector(even, odd, 0, 2, 8, 10, 4, 6, 12, 14);
                AT(v8u32, row + stride) =
                    __builtin_shufflevector(even, odd, 1, 3, 9, 11, 5, 7, 13, 15);
            }
        }
    }
    return count & ~3u;
}

SIMD_TARGET_8 static uint32_t shorts_from_linear(uint8_t *block, const uint8_t *linear,
                                                 ptrdiff_t stride, uint32_t count, uint32_t tiles,
                                                 size_t tile_bytes)
{
    for (; tiles; tiles--, block += tile_bytes, linear += 128) {
        uint8_t *q = block;
        const uint8_t *l = linear;
        for (uint32_t i = 0; i + 4 <= count; i += 4, q += 128, l += 32)
            for (unsigned half = 0; half < 2; half++) {
                const uint8_t *row = l + 2 * half * stride;
                uint8_t *b = q + 16 * half;
                v8u32 r0 = AT(v8u32, row), r1 = AT(v8u32, row + stride);
                v8u32 even = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13);
                v8u32 odd = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15);
                store_words(b, __builtin_shufflevector(even, even, 0, 1, 2, 3));
                store_words(b + 32, __builtin_shufflevector(odd, odd, 0, 1, 2, 3));
                store_words(b + 64, __builtin_shufflevector(even, even, 4, 5, 6, 7));
                store_words(b + 96, __builtin_shufflevector(odd, odd, 4, 5, 6, 7));
            }
    }
    return count & ~3u;
}

/* Copies up to `count` blocks of a row of blocks in each of several adjacent tiles, with texels of n
 * bytes, 1 or 2. Returns the number copied in each tile. */
static uint32_t run_many(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                         uint32_t tiles, bool read, uint32_t n)
{
    const size_t tile_bytes = CPU_TILE * CPU_TILE * n;
    if (simd_lanes() < 8)
        return 0;
    if (n == 2)
        return read ? shorts_to_linear(block, linear, stride, count, tiles, tile_bytes)
                    : shorts_from_linear(block, linear, stride, count, tiles, tile_bytes);
    return read ? bytes_to_linear(block, linear, stride, count, tiles, tile_bytes)
                : bytes_from_linear(block, linear, stride, count, tiles, tile_bytes);
}
#else
static uint32_t run_many(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                         uint32_t tiles, bool read, uint32_t n)
{
    return 0;
}

static uint32_t run_wide(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                         uint32_t tiles, size_t tile_bytes, bool read, bool stream)
{
    return 0;
}
#endif

/* Copies `count` adjacent blocks. */
INLINE void run_n(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count, bool read,
                  uint32_t n)
{
    uint32_t done = n <= 2   ? run_many(block, linear, stride, count, 1, read, n)
                    : n == 4 ? run_wide(block, linear, stride, count, 1, 0, read, false)
                             : 0;
    block += 16 * n * done;
    linear += 4 * n * done;
    if (n <= 2) {
        const uint32_t more = n == 1 ? run_bytes(block, linear, stride, count - done, read)
                                     : run_shorts(block, linear, stride, count - done, read);
        block += 16 * n * more;
        linear += 4 * n * more;
        done += more;
    }
    for (uint32_t i = done; i < count; i++) {
        for (uint32_t k = 0; read && k < 16 * n; k += 64)
            __builtin_prefetch(block + NEXT_ROW(n) + k);
        if (n == 4 && read)
            block4_to_linear(block, linear, stride);
        else if (n == 4)
            block4_from_linear(block, linear, stride);
        else if (read)
            block_to_linear(block, linear, stride, n);
        else
            block_from_linear(block, linear, stride, n);
        block += 16 * n;
        linear += 4 * n;
    }
}

INLINE void run(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count, bool read,
                uint32_t n)
{
    switch (n) {
    case 1:
        run_n(block, linear, stride, count, read, 1);
        break;
    case 2:
        run_n(block, linear, stride, count, read, 2);
        break;
    case 3:
        run_n(block, linear, stride, count, read, 3);
        break;
    case 4:
        run_n(block, linear, stride, count, read, 4);
        break;
    case 6:
        run_n(block, linear, stride, count, read, 6);
        break;
    case 8:
        run_n(block, linear, stride, count, read, 8);
        break;
    case 12:
        run_n(block, linear, stride, count, read, 12);
        break;
    case 16:
        run_n(block, linear, stride, count, read, 16);
        break;
    default:
        run_n(block, linear, stride, count, read, n);
    }
}

INLINE void partial_n(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t x0, uint32_t x1,
                      uint32_t y0, uint32_t y1, bool read, uint32_t n)
{
    for (uint32_t y = y0; y < y1; y++, linear += stride) {
        for (uint32_t x = x0; x < x1; x++) {
            uint8_t *texel = block + cpu_layout_texel_index(x, y) * n;
            uint8_t *l = linear + (x - x0) * n;
            if (read)
                memcpy(l, texel, n);
            else
                memcpy(texel, l, n);
        }
    }
}

/* Copies texels [x0, x1) × [y0, y1) of one block, in coordinates of the block. */
INLINE void partial(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t x0, uint32_t x1,
                    uint32_t y0, uint32_t y1, bool read, uint32_t n)
{
    switch (n) {
    case 1:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 1);
        break;
    case 2:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 2);
        break;
    case 4:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 4);
        break;
    case 8:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 8);
        break;
    case 16:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 16);
        break;
    default:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, n);
    }
}

/* Copies adjacent blocks of texels of n bytes, 8 or 16, with stores that bypass the caches. The
 * blocks are aligned. */
INLINE void stream_blocks(uint8_t *block, const uint8_t *linear, ptrdiff_t stride, uint32_t count,
                          uint32_t n)
{
    for (uint32_t i = 0; i < count; i++, linear += 4 * n)
        for (unsigned quad = 0; quad < 4; quad++) {
            const uint8_t *row = linear + (quad >> 1) * 2 * stride + (quad & 1) * 2 * n;
            for (unsigned y = 0; y < 2; y++, row += stride)
                for (unsigned b = 0; b < 2 * n; b += 16, block += 16)
                    util_stream_16(block, row + b);
        }
}

/* Blocks of a row of a tile, with the largest texels. */
#define STREAM_BUFFER (16 * 16 * 16)

INLINE void copy(const struct cpu_level_layout *l, uint8_t *layer, uint32_t n, uint32_t x,
                 uint32_t y, uint32_t width, uint32_t height, uint8_t *linear, ptrdiff_t stride,
                 bool read, bool stream)
{
    uint8_t buffer[STREAM_BUFFER] __attribute__((aligned(64)));
    uint32_t end_x = x + width, end_y = y + height;
    const bool direct = stream && (uintptr_t)layer % 64 == 0;
    for (uint32_t by = y & ~3u; by < end_y; by += 4) {
        uint32_t y0 = MAX2(by, y) - by, y1 = MIN2(by + 4, end_y) - by;
        uint8_t *row = linear + (ptrdiff_t)(by + y0 - y) * stride;
        uint32_t bx = x & ~3u;
        while (bx < end_x) {
            uint32_t x0 = MAX2(bx, x) - bx, x1 = MIN2(bx + 4, end_x) - bx;
            uint8_t *block = layer + cpu_layout_block_offset(l, bx, by, n);
            uint8_t *at = row + (size_t)(bx + x0 - x) * n;
            if (y1 - y0 < 4 || x1 - x0 < 4) {
                partial(block, at, stride, x0, x1, y0, y1, read, n);
                bx += 4;
                continue;
            }
            uint32_t tiles = bx & 63 ? 0 : (end_x - bx) / 64;
            if (n <= 2 && tiles && !stream &&
                run_many(block, at, stride, CPU_TILE_BLOCKS, tiles, read, n)) {
                bx += tiles * CPU_TILE;
                continue;
            }
            if (n == 4 && tiles && (direct || !stream) &&
                run_wide(block, at, stride, 16, tiles, TILE_BYTES, read, stream)) {
                bx += tiles * 64;
                continue;
            }
            uint32_t tile_end = MIN2((bx | 63) + 1, end_x & ~3u);
            const uint32_t count = (tile_end - bx) / 4;
            if (direct && n == 16) {
                stream_blocks(block, at, stride, count, 16);
            } else if (direct && n == 8) {
                stream_blocks(block, at, stride, count, 8);
            } else if (stream) {
                run(buffer, at, stride, count, false, n);
                util_stream_copy(block, buffer, (size_t)count * 16 * n);
            } else {
                run(block, at, stride, count, read, n);
            }
            bx = tile_end;
        }
    }
}

void cpu_layout_read(const struct cpu_level_layout *l, const uint8_t *layer, uint32_t texel_bytes,
                     uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                     ptrdiff_t stride)
{
    copy(l, (uint8_t *)layer, texel_bytes, x, y, width, height, linear, stride, true, false);
}

void cpu_layout_write(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                      uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const uint8_t *linear, ptrdiff_t stride)
{
    copy(l, layer, texel_bytes, x, y, width, height, (uint8_t *)linear, stride, false, false);
}

void cpu_layout_stream(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                       uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                       const uint8_t *linear, ptrdiff_t stride)
{
    copy(l, layer, texel_bytes, x, y, width, height, (uint8_t *)linear, stride, false, true);
    util_stream_end();
}
