/* SPDX-License-Identifier: MIT */
/*
 * Rasterization at pixel centers, LANES pixels at a time, in vectors of TARGET's width. Included by
 * cpu_raster.c once per width; defines NAME(raster) and NAME(tiny).
 *
 * A part is 4×4 blocks, or 16×16 pixels, of a tile. The 16 blocks of a part have the same order as
 * the 16 pixels of a block. The increments of an edge function from block to block are therefore
 * four times those from pixel to pixel.
 */
typedef int32_t NAME(vector) __attribute__((vector_size(4 * LANES)));

#define VECTORS (16 / LANES) /* vectors with an element per pixel of a block, or block of a part */

/* Increments of an edge function from the first pixel of a block to each pixel, in the order of
 * cpu_layout_texel_index(). */
struct NAME(edge) {
    NAME(vector) lane[VECTORS];
};

/* Returns the sign bits of 16 integers. */
TARGET static inline __attribute__((always_inline)) uint32_t NAME(signs)(const NAME(vector) * v)
{
#if LANES == 16
    return _mm512_movepi32_mask((__m512i)v[0]);
#elif LANES == 8
    return _mm256_movemask_ps((__m256)v[0]) | _mm256_movemask_ps((__m256)v[1]) << 8;
#else
    return sign_bits16(v);
#endif
}

/* Computes the increments of the edge function with the coefficients a and b. */
TARGET static inline __attribute__((always_inline)) void NAME(init_edge)(struct NAME(edge) * edge,
                                                                         int32_t a, int32_t b)
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < VECTORS; i++) {
        NAME(vector) x, y;
        memcpy(&x, lane_x + i * LANES, sizeof x);
        memcpy(&y, lane_y + i * LANES, sizeof y);
        edge->lane[i] = x * a + y * b;
    }
}

/* Stores the blocks of the part at px, py that the primitive covers within the box, and returns
 * their number, at most 16. px, py and the box are relative to the tile at pixel tile_x, tile_y; the
 * stored blocks have window coordinates. The box starts in the part's first block or before it. e
 * has the values of the edge functions at the part's first pixel. */
TARGET static inline __attribute__((always_inline)) unsigned
NAME(raster_part)(const struct tile_edges *t, const struct NAME(edge) * edge, unsigned edges, v4i e,
                  const struct cpu_rect *box, int px, int py, int tile_x, int tile_y,
                  struct cpu_block *block)
{
    int32_t at[CPU_MAX_EDGES][16] __attribute__((aligned(64)));
    NAME(vector) outside[VECTORS] = {{0}}, cut[VECTORS] = {{0}};
    v4i best = t->best * 3, worst = t->worst * 3;
#pragma GCC unroll 4
    for (unsigned k = 0; k < edges; k++) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < VECTORS; i++) {
            NAME(vector) first = (edge[k].lane[i] << 2) + e[k];
            memcpy(&at[k][i * LANES], &first, sizeof first);
            outside[i] |= first + best[k];
            cut[i] |= first + worst[k];
        }
    }
    struct part_masks masks;
    uint32_t left = part_masks(&masks, box, px, py) & ~NAME(signs)(outside);
    const uint32_t cuts = LANES < 16
                              ? NAME(signs)(cut)
                              : 0xffff; /* with 16 lanes, the test costs more than it saves */
    const uint32_t origin = (tile_x + px) | (uint32_t)(tile_y + py) << 16;
    unsigned count = 0;
    for (; left; left &= left - 1) {
        unsigned n = __builtin_ctz(left);
        uint32_t mask = masks.column[lane_x[n]] & masks.row[lane_y[n]];
        if (cuts >> n & 1) {
            NAME(vector) out[VECTORS] = {{0}};
#pragma GCC unroll 4
            for (unsigned k = 0; k < edges; k++) {
#pragma GCC unroll 4
                for (unsigned i = 0; i < VECTORS; i++)
                    out[i] |= edge[k].lane[i] + at[k][n];
            }
            mask &= ~NAME(signs)(out);
        }
        const uint32_t xy = origin + block_xy[n];
        block[count] = (struct cpu_block){xy & 0xffff, xy >> 16, mask};
        count += mask != 0;
    }
    return count;
}

/* Stores the blocks of the tile at pixel x, y that the primitive covers within the box, and returns
 * their number. The box is relative to the tile. */
TARGET static inline __attribute__((always_inline)) unsigned
NAME(raster_parts)(const struct tile_edges *t, unsigned edges, const struct cpu_rect *box, int x,
                   int y, struct cpu_block *block)
{
    struct NAME(edge) edge[CPU_MAX_EDGES];
    unsigned count = 0;
    const int px0 = box->x0 & ~3, py0 = box->y0 & ~3;
#pragma GCC unroll 4
    for (unsigned k = 0; k < edges; k++)
        NAME(init_edge)(&edge[k], t->a[k], t->b[k]);
    if (box->x1 < px0 + 16 && box->y1 < py0 + 16)
        return NAME(raster_part)(t, edge, edges, t->e + t->a * px0 + t->b * py0, box, px0, py0, x,
                                 y, block);
    for (int py = py0; py <= box->y1; py += 16) {
        for (int px = px0; px <= box->x1; px += 16) {
            v4i e = t->e + t->a * px + t->b * py;
            if (sign_bits(e + t->best * 15))
                continue;
            bool full = !sign_bits(e + t->worst * 15) && box->x0 <= px && box->y0 <= py &&
                        box->x1 >= px + 15 && box->y1 >= py + 15;
            count += full ? full_part(x + px, y + py, block + count)
                          : NAME(raster_part)(t, edge, edges, e, box, px, py, x, y, block + count);
        }
    }
    return count;
}

/* Returns the values of all edge functions at pixel x, y, limited to ±E_LIMIT, like edges_at(). */
TARGET static inline __attribute__((always_inline)) v4i
NAME(edges_at)(const struct cpu_edges *edges, int x, int y)
{
#if LANES == 4
    return edges_at(edges, x, y);
#else
    const __m256i a = _mm256_cvtepi32_epi64((__m128i)load(edges->a));
    const __m256i b = _mm256_cvtepi32_epi64((__m128i)load(edges->b));
    const __m256i least = _mm256_set1_epi64x(-E_LIMIT), most = _mm256_set1_epi64x(E_LIMIT);
    __m256i e = _mm256_loadu_si256((const __m256i *)edges->c);
    e = _mm256_add_epi64(e, _mm256_mul_epi32(a, _mm256_set1_epi64x(x)));
    e = _mm256_add_epi64(e, _mm256_mul_epi32(b, _mm256_set1_epi64x(y)));
    e = _mm256_blendv_epi8(e, least, _mm256_cmpgt_epi64(least, e));
    e = _mm256_blendv_epi8(e, most, _mm256_cmpgt_epi64(e, most));
    /* the low halves of the elements */
    return (v4i)_mm_shuffle_ps((__m128)_mm256_castsi256_si128(e),
                               (__m128)_mm256_extracti128_si256(e, 1), 0x88);
#endif
}

/* Implements cpu_raster_prim(). */
TARGET static unsigned NAME(raster)(const struct cpu_prim *prim, int x, int y,
                                    struct cpu_block *block)
{
    struct tile_edges t;
    if (!find_edges(&t, NULL, &prim->edges, NAME(edges_at)(&prim->edges, x, y)))
        return 0;
    const struct cpu_rect box = box_in_tile(&prim->box, x, y);
    return t.fourth ? NAME(raster_parts)(&t, 4, &box, x, y, block)
                    : NAME(raster_parts)(&t, 3, &box, x, y, block);
}

#if CPU_RASTER_HAS_TINY
typedef int16_t NAME(shorts) __attribute__((vector_size(4 * LANES)));

#define HALVES (32 / LANES) /* vectors of 16-bit elements, one per pixel of four blocks */

/* Returns x + y, saturated to 16 bits, which keeps the sign of the sum. */
TARGET static inline __attribute__((always_inline)) NAME(shorts)
    NAME(add_saturated)(NAME(shorts) x, NAME(shorts) y)
{
#if LANES == 16
    return (NAME(shorts))_mm512_adds_epi16((__m512i)x, (__m512i)y);
#elif LANES == 8
    return (NAME(shorts))_mm256_adds_epi16((__m256i)x, (__m256i)y);
#elif defined(__aarch64__)
    return (NAME(shorts))vqaddq_s16((int16x8_t)x, (int16x8_t)y);
#else
    return (NAME(shorts))_mm_adds_epi16((__m128i)x, (__m128i)y);
#endif
}

/* Returns the sign bits of 64 integers. */
TARGET static inline __attribute__((always_inline)) uint64_t NAME(signs64)(const NAME(shorts)
                                                                               v[HALVES])
{
#if LANES == 16
    return _mm512_movepi16_mask((__m512i)v[0]) | (uint64_t)_mm512_movepi16_mask((__m512i)v[1])
                                                     << 32;
#else
    uint64_t bits = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALVES; i += 2) {
#if LANES == 8
        /* The 128-bit halves of the operands alternate. */
        __m256i bytes = _mm256_packs_epi16((__m256i)v[i], (__m256i)v[i + 1]);
        bytes = _mm256_permute4x64_epi64(bytes, _MM_SHUFFLE(3, 1, 2, 0));
        bits |= (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << 16 * i;
#elif defined(__aarch64__)
        bits |= (uint64_t)byte_signs((v16c)vuzp2q_s8((int8x16_t)v[i], (int8x16_t)v[i + 1]))
                << 8 * i;
#else
        __m128i bytes = _mm_packs_epi16((__m128i)v[i], (__m128i)v[i + 1]);
        bits |= (uint64_t)_mm_movemask_epi8(bytes) << 8 * i;
#endif
    }
    return bits;
#endif
}

/* Implements cpu_raster_tiny(). */
TARGET static uint64_t NAME(tiny)(const int32_t a[3], const int32_t b[3], const int32_t e[3])
{
    NAME(shorts) outside[HALVES] = {{0}};
#pragma GCC unroll 3
    for (unsigned k = 0; k < 3; k++) {
        const NAME(shorts) none = {0};
        const NAME(shorts) first = none + (int16_t)CLAMP(e[k], INT16_MIN, INT16_MAX);
#pragma GCC unroll 8
        for (unsigned i = 0; i < HALVES; i++) {
            NAME(shorts) x, y;
            memcpy(&x, pixel_x + i * 2 * LANES, sizeof x);
            memcpy(&y, pixel_y + i * 2 * LANES, sizeof y);
            outside[i] |= NAME(add_saturated)(first, x * (int16_t)a[k] + y * (int16_t)b[k]);
        }
    }
    return ~NAME(signs64)(outside);
}

#undef HALVES
#endif

#undef VECTORS
