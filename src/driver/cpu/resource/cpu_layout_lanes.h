/* SPDX-License-Identifier: MIT */
/*
 * Copies of whole blocks between tiles and linear rows, for cpu_layout.c. Compiled for each vector
 * width (util/simd_each.h); with 4 lanes, nothing is copied.
 *
 * A group is the adjacent blocks whose rows fill a vector. It is four vectors in tiles and four
 * linear rows. Rows of 16-byte texels are longer than a vector of 8 lanes; their group is a block.
 * A block holds pairs of texels: the left pairs of rows 0 and 1, the right pairs of these rows, and
 * the same of rows 2 and 3.
 */
#if LANES > 4
typedef uint64_t NAME(longs) __attribute__((vector_size(4 * LANES)));
typedef uint32_t NAME(words) __attribute__((vector_size(4 * LANES)));
typedef uint16_t NAME(shorts) __attribute__((vector_size(4 * LANES)));
typedef NAME(longs) NAME(longs_memory) __attribute__((aligned(1), may_alias));
#define VECTOR   NAME(longs)
#define BYTES    (4 * LANES) /* of a vector */
#define FUNCTION TARGET static inline __attribute__((always_inline))
#define AT(p)    (*(NAME(longs_memory) *)(p))
/* Shuffles of two vectors in units of 8, 4 and 2 bytes. */
#define LONGS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define WORDS(a, b, ...)                                                                           \
    ((VECTOR)__builtin_shufflevector((NAME(words))(a), (NAME(words))(b), __VA_ARGS__))
#define SHORTS(a, b, ...)                                                                          \
    ((VECTOR)__builtin_shufflevector((NAME(shorts))(a), (NAME(shorts))(b), __VA_ARGS__))

/* Stores a vector. With `stream`, the store bypasses the caches, and p must be aligned to BYTES. */
FUNCTION void NAME(put)(uint8_t *p, VECTOR v, bool stream)
{
    if (!stream)
        AT(p) = v;
    else
#if LANES == 16
        _mm512_stream_si512((void *)p, (__m512i)v);
#else
        _mm256_stream_si256((__m256i *)p, (__m256i)v);
#endif
}

/* Stores a vector by 16 bytes, with stores that bypass the caches. p must be aligned to 16 bytes. */
FUNCTION void NAME(stream_row)(uint8_t *p, VECTOR v)
{
    __m128i *to = (__m128i *)p;
#if LANES == 16
    _mm_stream_si128(to, _mm512_castsi512_si128((__m512i)v));
    _mm_stream_si128(to + 1, _mm512_extracti32x4_epi32((__m512i)v, 1));
    _mm_stream_si128(to + 2, _mm512_extracti32x4_epi32((__m512i)v, 2));
    _mm_stream_si128(to + 3, _mm512_extracti32x4_epi32((__m512i)v, 3));
#else
    _mm_stream_si128(to, _mm256_castsi256_si128((__m256i)v));
    _mm_stream_si128(to + 1, _mm256_extracti128_si256((__m256i)v, 1));
#endif
}

/* Four vectors: of a group in tiles, or of linear rows. */
struct NAME(group) {
    VECTOR a, b, c, d;
};
#define GROUP struct NAME(group)

/* cpu_layout_moves as vectors. */
struct NAME(moves) {
    VECTOR from, fill, at, mask;
    uint32_t unit;
};

FUNCTION struct NAME(moves) NAME(load_moves)(const struct cpu_layout_moves *m)
{
    return (struct NAME(moves)){AT(m->from), AT(m->fill), AT(m->at), AT(m->mask), m->unit};
}

FUNCTION VECTOR NAME(move_bytes)(VECTOR v, const struct NAME(moves) * m)
{
#if LANES == 16
    return (VECTOR)_mm512_shuffle_epi8((__m512i)v, (__m512i)m->from) | m->fill;
#else
    return (VECTOR)_mm256_shuffle_epi8((__m256i)v, (__m256i)m->from) | m->fill;
#endif
}

/* Loads a row from linear memory. m: NULL, or moves to the tile. */
FUNCTION VECTOR NAME(load_row)(const uint8_t *p, const struct NAME(moves) * m)
{
    if (!m)
        return AT(p);
    if (m->unit == 16)
        return NAME(move_bytes)(AT(p), m);
#if LANES == 16
    const __mmask16 mask = 0xffff >> (16 - m->unit);
    const __m512i v = _mm512_permutexvar_epi32((__m512i)m->at, _mm512_maskz_loadu_epi32(mask, p));
#else
    const __m256i words = _mm256_maskload_epi32((const int *)p, (__m256i)m->mask);
    const __m256i v = _mm256_permutevar8x32_epi32(words, (__m256i)m->at);
#endif
    return NAME(move_bytes)((VECTOR)v, m);
}

/* Stores a row in linear memory. m: NULL, or moves from the tile. With `stream`, the stores bypass the
 * caches, m is NULL, and p must be aligned to 16 bytes. */
FUNCTION void NAME(store_row)(uint8_t *p, VECTOR row, bool stream, const struct NAME(moves) * m)
{
    if (stream) {
        NAME(stream_row)(p, row);
        return;
    }
    if (!m) {
        AT(p) = row;
        return;
    }
    const VECTOR moved = NAME(move_bytes)(row, m);
    if (m->unit == 16) {
        AT(p) = moved;
        return;
    }
#if LANES == 16
    _mm512_mask_storeu_epi32(p, 0xffff >> (16 - m->unit),
                             _mm512_permutexvar_epi32((__m512i)m->at, (__m512i)moved));
#else
    const __m256i v = _mm256_permutevar8x32_epi32((__m256i)moved, (__m256i)m->at);
    /* masked stores are slow on some CPUs */
    if (m->unit >= 8)
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
    if (m->unit == 4)
        _mm_storel_epi64((__m128i *)p, _mm256_castsi256_si128(v));
    if (m->unit == 12)
        _mm_storel_epi64((__m128i *)(p + 16), _mm256_extracti128_si256(v, 1));
#endif
}

#if LANES == 16
#define LOW(a, b)  LONGS(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH(a, b) LONGS(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Exchanges the two middle pairs of each half of a block of 1-byte texels. This converts between
 * the order of pairs in a block and the order of rows. */
FUNCTION VECTOR NAME(swap_pairs)(VECTOR v)
{
    return SHORTS(v, v, 0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15, 16, 18, 17, 19, 20,
                  22, 21, 23, 24, 26, 25, 27, 28, 30, 29, 31);
}

/* Return rows 0 and 1, or rows 2 and 3, of the blocks in two vectors, one row after the other.
 * n: bytes of a texel, 1 (after swap_pairs()), 2 or 4. */
FUNCTION VECTOR NAME(upper_rows)(VECTOR a, VECTOR b, uint32_t n)
{
    return n == 1   ? WORDS(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29)
           : n == 2 ? WORDS(a, b, 0, 2, 8, 10, 16, 18, 24, 26, 1, 3, 9, 11, 17, 19, 25, 27)
                    : LONGS(a, b, 0, 2, 8, 10, 1, 3, 9, 11);
}

FUNCTION VECTOR NAME(lower_rows)(VECTOR a, VECTOR b, uint32_t n)
{
    return n == 1   ? WORDS(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31)
           : n == 2 ? WORDS(a, b, 4, 6, 12, 14, 20, 22, 28, 30, 5, 7, 13, 15, 21, 23, 29, 31)
                    : LONGS(a, b, 4, 6, 12, 14, 5, 7, 13, 15);
}

/* a and b: rows 0 and 1, or rows 2 and 3. Return these rows of the blocks in the left or right half
 * of the group, one block after the other. n: bytes of a texel, 1, 2 or 4. */
FUNCTION VECTOR NAME(left_blocks)(VECTOR a, VECTOR b, uint32_t n)
{
    return n == 4 ? LONGS(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
                  : WORDS(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

FUNCTION VECTOR NAME(right_blocks)(VECTOR a, VECTOR b, uint32_t n)
{
    return n == 4 ? LONGS(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
                  : WORDS(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/* a: rows 0 and 1 of blocks, b: rows 2 and 3 of the same blocks, as left_blocks() and
 * right_blocks() return them. Return the first or the last half of these blocks. */
FUNCTION VECTOR NAME(first_blocks)(VECTOR a, VECTOR b, uint32_t n)
{
    return n == 1   ? NAME(swap_pairs)(LONGS(a, b, 0, 8, 1, 9, 2, 10, 3, 11))
           : n == 2 ? LONGS(a, b, 0, 1, 8, 9, 2, 3, 10, 11)
                    : LOW(a, b);
}

FUNCTION VECTOR NAME(last_blocks)(VECTOR a, VECTOR b, uint32_t n)
{
    return n == 1   ? NAME(swap_pairs)(LONGS(a, b, 4, 12, 5, 13, 6, 14, 7, 15))
           : n == 2 ? LONGS(a, b, 4, 5, 12, 13, 6, 7, 14, 15)
                    : HIGH(a, b);
}

/* Converts a group to rows. n: bytes of a texel, 1, 2, 4, 8 or 16. */
FUNCTION GROUP NAME(to_rows)(GROUP v, uint32_t n)
{
    if (n == 16)
        return (GROUP){LOW(v.a, v.b), HIGH(v.a, v.b), LOW(v.c, v.d), HIGH(v.c, v.d)};
    if (n == 8)
        return (GROUP){
            LONGS(v.a, v.c, 0, 1, 4, 5, 8, 9, 12, 13), LONGS(v.a, v.c, 2, 3, 6, 7, 10, 11, 14, 15),
            LONGS(v.b, v.d, 0, 1, 4, 5, 8, 9, 12, 13), LONGS(v.b, v.d, 2, 3, 6, 7, 10, 11, 14, 15)};
    if (n == 1)
        v = (GROUP){NAME(swap_pairs)(v.a), NAME(swap_pairs)(v.b), NAME(swap_pairs)(v.c),
                    NAME(swap_pairs)(v.d)};
    const VECTOR a = NAME(upper_rows)(v.a, v.b, n), b = NAME(upper_rows)(v.c, v.d, n);
    const VECTOR c = NAME(lower_rows)(v.a, v.b, n), d = NAME(lower_rows)(v.c, v.d, n);
    return (GROUP){LOW(a, b), HIGH(a, b), LOW(c, d), HIGH(c, d)};
}

/* Converts rows to a group: the inverse of to_rows(). */
FUNCTION GROUP NAME(to_blocks)(GROUP v, uint32_t n)
{
    if (n == 16)
        return (GROUP){LOW(v.a, v.b), HIGH(v.a, v.b), LOW(v.c, v.d), HIGH(v.c, v.d)};
    if (n == 8)
        return (GROUP){LONGS(v.a, v.b, 0, 1, 8, 9, 2, 3, 10, 11),
                       LONGS(v.c, v.d, 0, 1, 8, 9, 2, 3, 10, 11),
                       LONGS(v.a, v.b, 4, 5, 12, 13, 6, 7, 14, 15),
                       LONGS(v.c, v.d, 4, 5, 12, 13, 6, 7, 14, 15)};
    const VECTOR a = NAME(left_blocks)(v.a, v.b, n), b = NAME(left_blocks)(v.c, v.d, n);
    const VECTOR c = NAME(right_blocks)(v.a, v.b, n), d = NAME(right_blocks)(v.c, v.d, n);
    return (GROUP){NAME(first_blocks)(a, b, n), NAME(last_blocks)(a, b, n),
                   NAME(first_blocks)(c, d, n), NAME(last_blocks)(c, d, n)};
}

FUNCTION GROUP NAME(load_group)(const uint8_t *block, uint32_t n)
{
    return (GROUP){AT(block), AT(block + 64), AT(block + 128), AT(block + 192)};
}

FUNCTION void NAME(store_group)(uint8_t *block, GROUP v, bool stream, uint32_t n)
{
    NAME(put)(block, v.a, stream);
    NAME(put)(block + 64, v.b, stream);
    NAME(put)(block + 128, v.c, stream);
    NAME(put)(block + 192, v.d, stream);
}
#undef LOW
#undef HIGH
#else
/* Exchanges the two middle pairs of each half of a block of 1-byte texels. This converts between
 * the order of pairs in a block and the order of rows. */
FUNCTION VECTOR NAME(swap_pairs)(VECTOR v)
{
    const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15, 0,
                                           1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    return (VECTOR)_mm256_shuffle_epi8((__m256i)v, order);
}

FUNCTION GROUP NAME(swap_all_pairs)(GROUP v)
{
    return (GROUP){NAME(swap_pairs)(v.a), NAME(swap_pairs)(v.b), NAME(swap_pairs)(v.c),
                   NAME(swap_pairs)(v.d)};
}

/* Transposes matrices of 4-byte units, whose rows are in the halves of the vectors. */
FUNCTION GROUP NAME(transpose)(GROUP v)
{
    const __m256i a = _mm256_unpacklo_epi32((__m256i)v.a, (__m256i)v.b);
    const __m256i b = _mm256_unpacklo_epi32((__m256i)v.c, (__m256i)v.d);
    const __m256i c = _mm256_unpackhi_epi32((__m256i)v.a, (__m256i)v.b);
    const __m256i d = _mm256_unpackhi_epi32((__m256i)v.c, (__m256i)v.d);
    return (GROUP){(VECTOR)_mm256_unpacklo_epi64(a, b), (VECTOR)_mm256_unpackhi_epi64(a, b),
                   (VECTOR)_mm256_unpacklo_epi64(c, d), (VECTOR)_mm256_unpackhi_epi64(c, d)};
}

/* Converts a group, loaded by load_group(), to rows. n: bytes of a texel, 1, 2, 4 or 8. */
FUNCTION GROUP NAME(to_rows)(GROUP v, uint32_t n)
{
    if (n == 1)
        return NAME(transpose)(NAME(swap_all_pairs)(v));
    if (n == 2)
        return (GROUP){
            WORDS(v.a, v.c, 0, 2, 8, 10, 4, 6, 12, 14), WORDS(v.a, v.c, 1, 3, 9, 11, 5, 7, 13, 15),
            WORDS(v.b, v.d, 0, 2, 8, 10, 4, 6, 12, 14), WORDS(v.b, v.d, 1, 3, 9, 11, 5, 7, 13, 15)};
    if (n == 4)
        return (GROUP){LONGS(v.a, v.c, 0, 2, 4, 6), LONGS(v.a, v.c, 1, 3, 5, 7),
                       LONGS(v.b, v.d, 0, 2, 4, 6), LONGS(v.b, v.d, 1, 3, 5, 7)};
    return (GROUP){LONGS(v.a, v.b, 0, 1, 4, 5), LONGS(v.a, v.b, 2, 3, 6, 7),
                   LONGS(v.c, v.d, 0, 1, 4, 5), LONGS(v.c, v.d, 2, 3, 6, 7)};
}

/* Converts rows to a group for store_group(). */
FUNCTION GROUP NAME(to_blocks)(GROUP v, uint32_t n)
{
    if (n == 1)
        return NAME(swap_all_pairs)(NAME(transpose)(v));
    if (n == 2)
        return (GROUP){WORDS(v.a, v.b, 0, 8, 1, 9, 4, 12, 5, 13),
                       WORDS(v.c, v.d, 0, 8, 1, 9, 4, 12, 5, 13),
                       WORDS(v.a, v.b, 2, 10, 3, 11, 6, 14, 7, 15),
                       WORDS(v.c, v.d, 2, 10, 3, 11, 6, 14, 7, 15)};
    if (n == 4)
        return (GROUP){LONGS(v.a, v.b, 0, 4, 1, 5), LONGS(v.c, v.d, 0, 4, 1, 5),
                       LONGS(v.a, v.b, 2, 6, 3, 7), LONGS(v.c, v.d, 2, 6, 3, 7)};
    return (GROUP){LONGS(v.a, v.b, 0, 1, 4, 5), LONGS(v.a, v.b, 2, 3, 6, 7),
                   LONGS(v.c, v.d, 0, 1, 4, 5), LONGS(v.c, v.d, 2, 3, 6, 7)};
}

/* Returns a vector of 16 bytes at p and 16 bytes at p + 64. */
FUNCTION VECTOR NAME(load_halves)(const uint8_t *p)
{
    return (VECTOR)_mm256_loadu2_m128i((const __m128i *)(p + 64), (const __m128i *)p);
}

FUNCTION void NAME(store_halves)(uint8_t *p, VECTOR v)
{
    _mm256_storeu2_m128i((__m128i *)(p + 64), (__m128i *)p, (__m256i)v);
}

/* Load and store the vectors of a group in a tile. n: bytes of a texel. If n is 1 or 2, one half of
 * each vector is from the left half of the group and the other one from the right half. */
FUNCTION GROUP NAME(load_group)(const uint8_t *block, uint32_t n)
{
    if (n <= 2)
        return (GROUP){NAME(load_halves)(block), NAME(load_halves)(block + 16),
                       NAME(load_halves)(block + 32), NAME(load_halves)(block + 48)};
    return (GROUP){AT(block), AT(block + 32), AT(block + 64), AT(block + 96)};
}

FUNCTION void NAME(store_group)(uint8_t *block, GROUP v, bool stream, uint32_t n)
{
    if (n <= 2) {
        NAME(store_halves)(block, v.a);
        NAME(store_halves)(block + 16, v.b);
        NAME(store_halves)(block + 32, v.c);
        NAME(store_halves)(block + 48, v.d);
        return;
    }
    NAME(put)(block, v.a, stream);
    NAME(put)(block + 32, v.b, stream);
    NAME(put)(block + 64, v.c, stream);
    NAME(put)(block + 96, v.d, stream);
}

/* Copies two rows of a block of 16-byte texels: two left pairs and two right ones. half: the rows
 * in the tile. pair: bytes of a pair in linear memory. Otherwise like copy_group(). */
FUNCTION void NAME(copy_pairs)(uint8_t *half, uint8_t *linear, ptrdiff_t stride, uint32_t pair,
                               bool read, bool stream, const struct NAME(moves) * m)
{
    if (read) {
        NAME(store_row)(linear, AT(half), stream, m);
        NAME(store_row)(linear + stride, AT(half + 32), stream, m);
        NAME(store_row)(linear + pair, AT(half + 64), stream, m);
        NAME(store_row)(linear + stride + pair, AT(half + 96), stream, m);
    } else {
        NAME(put)(half, NAME(load_row)(linear, m), stream);
        NAME(put)(half + 32, NAME(load_row)(linear + stride, m), stream);
        NAME(put)(half + 64, NAME(load_row)(linear + pair, m), stream);
        NAME(put)(half + 96, NAME(load_row)(linear + stride + pair, m), stream);
    }
}
#endif

/* Copies a group: from the tile to linear memory if `read`, otherwise from linear memory to the
 * tile. block: the group's first block. linear: the first texel in linear memory, stride: bytes
 * between its rows. With `stream`, the stores bypass the caches. n: bytes of a texel in the
 * tile. m: NULL, or the moves to apply to bytes. */
FUNCTION void NAME(copy_group)(uint8_t *block, uint8_t *linear, ptrdiff_t stride, bool read,
                               bool stream, uint32_t n, const struct NAME(moves) * m)
{
#if LANES == 8
    if (n == 16) {
        const uint32_t pair = m ? 2 * m->unit : 32;
        NAME(copy_pairs)(block, linear, stride, pair, read, stream, m);
        NAME(copy_pairs)(block + 128, linear + 2 * stride, stride, pair, read, stream, m);
        return;
    }
#endif
    if (read) {
        const GROUP v = NAME(to_rows)(NAME(load_group)(block, n), n);
        NAME(store_row)(linear, v.a, stream, m);
        NAME(store_row)(linear + stride, v.b, stream, m);
        NAME(store_row)(linear + 2 * stride, v.c, stream, m);
        NAME(store_row)(linear + 3 * stride, v.d, stream, m);
    } else {
        const GROUP v = {NAME(load_row)(linear, m), NAME(load_row)(linear + stride, m),
                         NAME(load_row)(linear + 2 * stride, m),
                         NAME(load_row)(linear + 3 * stride, m)};
        NAME(store_group)(block, NAME(to_blocks)(v, n), stream, n);
    }
}

/* Copies those of the first s->count blocks of each row of blocks in a tile that form whole groups.
 * Returns how many blocks of each row in a tile it has copied. */
FUNCTION uint32_t NAME(copy_n)(const struct strip *s, enum access access, uint32_t n,
                               const struct NAME(moves) * m)
{
    const bool read = is_read(access), stream = access == STREAM || access == READ_STREAM;
    const uint32_t blocks = MAX2(BYTES / (4 * n), 1), count = s->count & -blocks;
    const uint32_t pixel = m ? m->unit * n / 16 : n; /* bytes in linear memory */
    for (uint32_t y = 0; y < s->rows; y++)
        for (uint32_t t = 0; t < s->tiles; t++) {
            uint8_t *block = s->block + y * s->row_bytes + t * (size_t)(CPU_TILE * CPU_TILE * n);
            uint8_t *linear = s->linear + (ptrdiff_t)(4 * y) * s->stride + t * (CPU_TILE * pixel);
            for (uint32_t i = 0; i < count; i += blocks) {
                for (uint32_t k = 0; access == FETCH && k < blocks * 16 * n; k += CACHE_LINE)
                    __builtin_prefetch(block + NEXT_ROW(n) + k);
                NAME(copy_group)(block, linear, s->stride, read, stream, n, m);
                block += blocks * 16 * n;
                linear += blocks * 4 * pixel;
            }
        }
    return count;
}

#define COPY(n, name, access)                                                                      \
    TARGET static uint32_t NAME(name##_##n)(const struct strip *s)                                 \
    {                                                                                              \
        return NAME(copy_n)(s, access, n, NULL);                                                   \
    }
#define MOVE(n, name, access)                                                                      \
    TARGET static uint32_t NAME(name##_moved_##n)(const struct strip *s)                           \
    {                                                                                              \
        const struct NAME(moves) m = NAME(load_moves)(s->moves);                                   \
        return NAME(copy_n)(s, access, n, &m);                                                     \
    }
#define EACH(macro, ...) macro(1, __VA_ARGS__) macro(2, __VA_ARGS__) LARGE(macro, __VA_ARGS__)
/* blocks are whole cache lines */
#define LARGE(macro, ...) macro(4, __VA_ARGS__) macro(8, __VA_ARGS__) macro(16, __VA_ARGS__)
EACH(COPY, read, READ)
EACH(COPY, fetch, FETCH)
EACH(COPY, write, WRITE)
LARGE(COPY, stream, STREAM)
LARGE(COPY, read_stream, READ_STREAM)
MOVE(2, read, READ)
MOVE(2, write, WRITE)
LARGE(MOVE, read, READ)
LARGE(MOVE, write, WRITE)
LARGE(MOVE, stream, STREAM)
#undef COPY
#undef MOVE
#undef EACH
#undef LARGE

/* [i]: functions for texels of 1 << i bytes. */
#define SMALL(n) [READ] = NAME(read_##n), [FETCH] = NAME(fetch_##n), [WRITE] = NAME(write_##n)
#define MOVED(n) [READ] = NAME(read_moved_##n), [WRITE] = NAME(write_moved_##n)
#define LARGE(n)                                                                                   \
    {                                                                                              \
        {SMALL(n), [STREAM] = NAME(stream_##n), [READ_STREAM] = NAME(read_stream_##n)},            \
        {MOVED(n), [STREAM] = NAME(stream_moved_##n)},                                             \
    }
static const struct strip_functions NAME(strip_functions)[] = {
    {{SMALL(1)}, {NULL}}, {{SMALL(2)}, {MOVED(2)}}, LARGE(4), LARGE(8), LARGE(16),
};
#undef SMALL
#undef MOVED
#undef LARGE
#undef VECTOR
#undef GROUP
#undef BYTES
#undef FUNCTION
#undef AT
#undef LONGS
#undef WORDS
#undef SHORTS
#endif
