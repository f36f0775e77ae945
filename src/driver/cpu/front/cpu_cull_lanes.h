/* SPDX-License-Identifier: MIT */
/*
 * The culling test of cpu_cull.c for LANES triangles at a time: LANES doubles fill a vector of the
 * instruction set TARGET. Included once per vector width; defines NAME(cull). util/simd_each.h
 * defines LANES, TARGET, NAME and WIDEN.
 */

/* pairs: x and y of one point for each triangle. integers and uints: an integer for each element of
 * pairs. */
typedef float NAME(pairs) __attribute__((vector_size(8 * LANES)));
typedef int32_t NAME(integers) __attribute__((vector_size(8 * LANES)));
typedef uint32_t NAME(uints) __attribute__((vector_size(8 * LANES)));
/* One element for each triangle. */
typedef double NAME(wide) __attribute__((vector_size(8 * LANES)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES)));

/* Indices of the x (EVEN) and y (ODD) elements of pairs. */
#if LANES == 8
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD  1, 3, 5, 7, 9, 11, 13, 15
#elif LANES == 4
#define EVEN 0, 2, 4, 6
#define ODD  1, 3, 5, 7
#else
#define EVEN 0, 2
#define ODD  1, 3
#endif
/* Converts the x or y elements of pairs to doubles. */
#define HALF(v, elements) ((NAME(wide))WIDEN(__builtin_shufflevector(v, v, elements)))
/* Selects the elements of a where the mask is ~0, and those of b where it is 0. */
#define SELECT(condition, a, b)                                                                    \
    (NAME(pairs))(((condition) & (NAME(integers))(a)) | (~(condition) & (NAME(integers))(b)))
#define SMALLER(a, b) SELECT((a) < (b), a, b)
#define LARGER(a, b)  SELECT((a) > (b), a, b)
/* Adds `add` to bounds in subpixels and rounds them down to pixels. */
#define TO_PIXEL(bound, add)                                                                       \
    ((NAME(integers))((NAME(uints)) __builtin_convertvector(bound, NAME(integers)) + (add)) >>     \
     CPU_SUBPIXEL_BITS)

/* Returns the snapped x and y of vertex i of LANES triangles. */
TARGET static inline __attribute__((always_inline)) NAME(pairs)
    NAME(gather)(const cpu_snapped *snapped, const struct cpu_batch_prim *prim, unsigned i)
{
    union {
        uint64_t vertex[LANES];
        NAME(pairs) all;
    } p;
#pragma GCC unroll 8
    for (unsigned k = 0; k < LANES; k++)
        memcpy(&p.vertex[k], &snapped[prim[k].v[i]], sizeof p.vertex[k]);
    return p.all;
}

/* Returns a mask with bit i set if element i of m is ~0; elements are 0 or ~0. */
TARGET static inline __attribute__((always_inline)) uint64_t NAME(bits)(NAME(mask) m)
{
#if LANES == 8
    return _mm512_movepi64_mask((__m512i)m);
#elif LANES == 4
    return _mm256_movemask_pd((__m256d)m);
#else
    return (m[0] & 1) | (m[1] & 2);
#endif
}

/* Sets bit i of the bit set visible[] for each triangle i that has an area, is not culled by its
 * orientation, and has a pixel center in the part of its bounding box that lies in the view (not
 * required if c->outlined). The caller has zeroed visible[]. Handles whole vectors: reads prim[] up
 * to the next multiple of LANES elements, and may set bits from `count` on. */
TARGET static void NAME(cull)(const struct cull *c, const cpu_snapped *snapped,
                              const struct cpu_batch_prim *prim, unsigned count, uint64_t *visible)
{
    const NAME(wide) zero = {0};
    const NAME(mask) none = {0};
    const NAME(mask) counterclockwise = none - (int64_t)c->counterclockwise;
    const NAME(mask) clockwise = none - (int64_t)c->clockwise;
    const NAME(mask) outlined = none - (int64_t)c->outlined;
    const NAME(uints) to_last = (NAME(uints)){0} + c->to_last;
    const NAME(uints) to_first = (NAME(uints)){0} + c->to_first;
    NAME(pairs) limit_last, limit_first;
    for (unsigned k = 0; k < 2 * LANES; k++) {
        limit_last[k] = c->last[k & 1];
        limit_first[k] = c->first[k & 1];
    }
    for (unsigned i = 0; i < count; i += LANES) {
        NAME(pairs) p0 = NAME(gather)(snapped, prim + i, 0);
        NAME(pairs) p1 = NAME(gather)(snapped, prim + i, 1);
        NAME(pairs) p2 = NAME(gather)(snapped, prim + i, 2);
        NAME(pairs) u = p1 - p0, v = p2 - p0;
        NAME(wide) area = HALF(u, EVEN) * HALF(v, ODD) - HALF(u, ODD) * HALF(v, EVEN);
        NAME(pairs) last = LARGER(p0, p1), first = SMALLER(p0, p1);
        last = LARGER(last, p2);
        last = SMALLER(last, limit_last);
        first = -SMALLER(first, p2);
        first = SMALLER(first, limit_first);
        NAME(integers) size = TO_PIXEL(last, to_last) + TO_PIXEL(first, to_first);
        NAME(mask) has_pixel = (NAME(mask))(size < 0) == 0;
        NAME(mask) shown = ((area > zero) & counterclockwise) | ((area < zero) & clockwise);
        visible[i / 64] |= NAME(bits)(shown & (has_pixel | outlined)) << i % 64;
    }
}

#undef EVEN
#undef ODD
#undef HALF
#undef SELECT
#undef SMALLER
#undef LARGER
#undef TO_PIXEL
