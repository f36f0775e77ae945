/* SPDX-License-Identifier: MIT */
/*
 * Setup of LANES triangles at a time: LANES doubles fill a vector of the instruction set TARGET.
 * The results have the same bits as those of cpu_setup.c. Included by cpu_triangles.c once per
 * vector width; defines NAME(set_up). util/simd_each.h defines LANES, TARGET, NAME and WIDEN.
 */

/* One element for each triangle. */
typedef float NAME(floats) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(integers) __attribute__((vector_size(4 * LANES)));
typedef double NAME(doubles) __attribute__((vector_size(8 * LANES)));
typedef int64_t NAME(longs) __attribute__((vector_size(8 * LANES)));
/* x and y of a point for each triangle */
typedef float NAME(pairs) __attribute__((vector_size(8 * LANES)));

/* Conversions of all elements. TO_LONG converts masks, whose elements are 0 or ~0. LOW returns the
 * low 32 bits of 64-bit elements. */
#define WIDE(x)     ((NAME(doubles))WIDEN(x))
#define TO_INT(x)   __builtin_convertvector(x, NAME(integers))
#define TO_FLOAT(x) __builtin_convertvector(x, NAME(floats))
/* SELECT selects the elements of a where the mask is ~0, and those of b where it is 0.
 * SELECT_WIDE does the same for doubles and a mask of 64-bit elements. SMALLER and LARGER return b
 * if the elements are equal. ALL returns whether a mask of 64-bit elements is ~0 in all of them.
 * Where the target has an instruction, it is used directly: compilers need several instructions
 * for the same expression of vector operators. */
#if LANES == 8
#define TO_LONG(mask) ((NAME(longs))_mm512_cvtepi32_epi64((__m256i)(mask)))
#define LOW(x)        ((NAME(integers))_mm512_cvtepi64_epi32((__m512i)(x)))
#define SMALLER(a, b) ((NAME(floats))_mm256_min_ps((__m256)(a), (__m256)(b)))
#define LARGER(a, b)  ((NAME(floats))_mm256_max_ps((__m256)(a), (__m256)(b)))
#define SELECT(condition, a, b)                                                                    \
    ((NAME(floats))_mm256_blendv_ps((__m256)(b), (__m256)(a), (__m256)(condition)))
#define SELECT_WIDE(condition, a, b)                                                               \
    ((NAME(doubles))_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)(condition)), (__m512d)(b), \
                                         (__m512d)(a)))
#define ALL(mask) (_mm512_movepi64_mask((__m512i)(mask)) == 0xff)
#elif LANES == 4
#define TO_LONG(mask) ((NAME(longs))_mm256_cvtepi32_epi64((__m128i)(mask)))
#define LOW(x)                                                                                     \
    ((NAME(integers))_mm_shuffle_ps((__m128)_mm256_castsi256_si128((__m256i)(x)),                  \
                                    (__m128)_mm256_extracti128_si256((__m256i)(x), 1), 0x88))
#define SMALLER(a, b) ((NAME(floats))_mm_min_ps((__m128)(a), (__m128)(b)))
#define LARGER(a, b)  ((NAME(floats))_mm_max_ps((__m128)(a), (__m128)(b)))
#define SELECT(condition, a, b)                                                                    \
    ((NAME(floats))_mm_blendv_ps((__m128)(b), (__m128)(a), (__m128)(condition)))
#define SELECT_WIDE(condition, a, b)                                                               \
    ((NAME(doubles))_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(condition)))
#define ALL(mask) (_mm256_movemask_pd((__m256d)(mask)) == 0xf)
#else
#define ALL(mask)     ((mask)[0] && (mask)[1])
#define TO_LONG(mask) __builtin_convertvector(mask, NAME(longs))
#define LOW(x)        TO_INT(x)
#define SELECT(condition, a, b)                                                                    \
    (NAME(floats))(((condition) & (NAME(integers))(a)) | (~(condition) & (NAME(integers))(b)))
#define SELECT_WIDE(condition, a, b)                                                               \
    (NAME(doubles))(((condition) & (NAME(longs))(a)) | (~(condition) & (NAME(longs))(b)))
#define SMALLER(a, b) SELECT((a) < (b), a, b)
#define LARGER(a, b)  SELECT((a) > (b), a, b)
#endif
/* Adds `add` to bounds in subpixels and rounds them down to pixels. */
#define TO_PIXEL(bound, add)                                                                       \
    ((__builtin_convertvector(bound, NAME(integers)) + (add)) >> CPU_SUBPIXEL_BITS)
/* Stores a vector in elements first to first + LANES - 1 of `field`, an array in struct set_up. */
#define STORE(field, value)                                                                        \
    do {                                                                                           \
        __typeof__(value) stored = value;                                                          \
        memcpy(&(field)[first], &stored, sizeof stored);                                           \
    } while (0)

/* EACH lists x(0) to x(LANES - 1), one per triangle. GATHER returns a vector of these floats.
 * GATHER_PAIRS does the same for pairs of floats; EVEN and ODD list the indices of their first and
 * second floats. */
#if LANES == 8
#define EACH(x) x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)
#define EVEN    0, 2, 4, 6, 8, 10, 12, 14
#define ODD     1, 3, 5, 7, 9, 11, 13, 15
#elif LANES == 4
#define EACH(x) x(0), x(1), x(2), x(3)
#define EVEN    0, 2, 4, 6
#define ODD     1, 3, 5, 7
#else
#define EACH(x) x(0), x(1)
#define EVEN    0, 2
#define ODD     1, 3
#endif
#define GATHER(x)                                                                                  \
    (NAME(floats))                                                                                 \
    {                                                                                              \
        EACH(x)                                                                                    \
    }
#define GATHER_PAIRS(x)                                                                            \
    (NAME(pairs))(NAME(doubles))                                                                   \
    {                                                                                              \
        EACH(x)                                                                                    \
    }
/* Coordinates of vertex i of triangle k. SNAPPED is for GATHER_PAIRS: x and y in subpixels. The
 * other macros are for GATHER: window coordinates, x and y in pixels. */
#define SNAPPED(k)           *(const pair *)&vertices->snapped[prim[k]->v[i]]
#define WINDOW(component, k) vertices->window[(component) * CPU_BATCH_VERTICES + prim[k]->v[i]]
#define WINDOW_X(k)          WINDOW(0, k)
#define WINDOW_Y(k)          WINDOW(1, k)
#define WINDOW_Z(k)          WINDOW(2, k)
#define WINDOW_W(k)          WINDOW(3, k)

/* Computes edge function i of each triangle and stores it in elements first to first + LANES - 1 of
 * *s. The edge contains the point (x, y). Its direction is (dx, dy), negated in clockwise triangles
 * (turned), so that the inside is to the left. All values are in subpixels. */
TARGET static inline __attribute__((always_inline)) void
NAME(edge)(NAME(integers) turned, NAME(floats) x, NAME(floats) y, NAME(floats) dx, NAME(floats) dy,
           unsigned i, unsigned first, struct set_up *s)
{
    const NAME(floats) zero = {0};
    const NAME(doubles) whole =
        (NAME(doubles)){0} + 0x1.8p52; /* adding and subtracting it rounds to integers */
    const NAME(integers) sign = turned & INT32_MIN;
    dx = (NAME(floats))((NAME(integers))dx ^ sign);
    dy = (NAME(floats))((NAME(integers))dy ^ sign);
    NAME(integers) inclusive = (dy < zero) | ((dy == zero) & (dx > zero));
    NAME(doubles)
    exclusive = (NAME(doubles))(~TO_LONG(inclusive) & (NAME(longs))((NAME(doubles)){0} + 1.0));
    NAME(doubles)
    at = WIDE(dx) * ((double)CPU_SUBPIXEL_HALF - WIDE(y)) -
         WIDE(dy) * ((double)CPU_SUBPIXEL_HALF - WIDE(x)) - exclusive;
    /* floor(at / 256); the rounded value is never halfway between two integers */
    const double half = (CPU_SUBPIXEL_ONE - 1) / 2.0;
    NAME(doubles) quotient = (at - half) * (1.0 / CPU_SUBPIXEL_ONE) + whole;
    NAME(longs) c = (NAME(longs))quotient - (NAME(longs))whole;
    NAME(integers) a = TO_INT(-dy), b = TO_INT(dx), x0, y0;
    memcpy(&x0, &s->x0[first], sizeof x0);
    memcpy(&y0, &s->y0[first], sizeof y0);
    STORE(s->a[i], a);
    STORE(s->b[i], b);
    STORE(s->c[i], c);
    STORE(s->fraction[i], TO_INT(at - (quotient - whole) * (double)CPU_SUBPIXEL_ONE));
    STORE(s->e[i], LOW(c) + a * (x0 & ~3) + b * (y0 & ~3));
}

/* Computes elements first to first + LANES - 1 of *s for the triangles with these indices in
 * prim[]. */
TARGET static void NAME(set_up)(const struct cpu_front *f, const struct cpu_vertices *vertices,
                                const struct cpu_batch_prim *const *prim, unsigned first,
                                struct set_up *s)
{
    NAME(floats) x[3], y[3], wx[3], wy[3], wz[3], ww[3];
    prim += first;
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++) {
        const NAME(pairs) snapped = GATHER_PAIRS(SNAPPED);
        x[i] = __builtin_shufflevector(snapped, snapped, EVEN);
        y[i] = __builtin_shufflevector(snapped, snapped, ODD);
        wx[i] = GATHER(WINDOW_X);
        wy[i] = GATHER(WINDOW_Y);
        wz[i] = GATHER(WINDOW_Z);
        ww[i] = GATHER(WINDOW_W);
    }
    /* bounding box */
    const cpu_snapped limit = f->view.limit;
    const NAME(floats) none = {0};
    NAME(floats) right = LARGER(LARGER(x[0], x[1]), x[2]), top = LARGER(LARGER(y[0], y[1]), y[2]);
    NAME(floats) left = -SMALLER(SMALLER(x[0], x[1]), x[2]);
    NAME(floats) bottom = -SMALLER(SMALLER(y[0], y[1]), y[2]);
    STORE(s->cut, (right > limit[0]) | (top > limit[1]) | (left > limit[2]) | (bottom > limit[3]));
    STORE(s->x0, -TO_PIXEL(SMALLER(left, none + limit[2]), f->to_pixel[2]));
    STORE(s->y0, -TO_PIXEL(SMALLER(bottom, none + limit[3]), f->to_pixel[3]));
    STORE(s->x1, TO_PIXEL(SMALLER(right, none + limit[0]), f->to_pixel[0]));
    STORE(s->y1, TO_PIXEL(SMALLER(top, none + limit[1]), f->to_pixel[1]));
    /* edges */
    NAME(floats) ux = x[1] - x[0], uy = y[1] - y[0], vx = x[2] - x[0], vy = y[2] - y[0];
    NAME(doubles) area = WIDE(ux) * WIDE(vy) - WIDE(uy) * WIDE(vx);
    NAME(integers) clockwise = LOW((NAME(longs))(area < 0.0));
    STORE(s->clockwise, clockwise);
    NAME(edge)(clockwise, x[0], y[0], ux, uy, 0, first, s);
    NAME(edge)(clockwise, x[1], y[1], x[2] - x[1], y[2] - y[1], 1, first, s);
    NAME(edge)(clockwise, x[2], y[2], -vx, -vy, 2, first, s);
    /* vertex order: smallest 1/w, then the larger and the smaller 1/w of the other two */
    NAME(integers) second = ww[1] < ww[0];
    NAME(integers) third = ww[2] < SELECT(second, ww[1], ww[0]);
    second &= ~third;
    NAME(integers) initial = ~(second | third);
    NAME(integers)
    swap = (initial & (ww[2] > ww[1])) | (second & (ww[0] > ww[2])) | (third & (ww[1] > ww[0]));
    STORE(s->order, ((second & 1) | (third & 2)) + (swap & 3));
    const NAME(integers)
        from0[3] = {initial, (second & swap) | (third & ~swap), (second & ~swap) | (third & swap)},
        from2[3] = {third, (initial & swap) | (second & ~swap),
                    (initial & ~swap) | (second & swap)};
#define TURN(v, i) SELECT(from0[i], v[0], SELECT(from2[i], v[2], v[1]))
    NAME(floats) px[3], py[3], z[3];
#pragma GCC unroll 3
    for (unsigned i = 0; i < 3; i++) {
        px[i] = TURN(wx, i);
        py[i] = TURN(wy, i);
        z[i] = TURN(wz, i);
        STORE(s->inv_w[i], TURN(ww, i));
    }
    /* planes, from the unsnapped positions if snapping did not change the shape much */
    NAME(doubles) x1 = WIDE(px[1]) - WIDE(px[0]), y1 = WIDE(py[1]) - WIDE(py[0]);
    NAME(doubles) x2 = WIDE(px[2]) - WIDE(px[0]), y2 = WIDE(py[2]) - WIDE(py[0]);
    NAME(doubles) own = x1 * y2 - x2 * y1;
    const double pixel = 1.0 / CPU_SUBPIXEL_ONE;
    const NAME(doubles) square = (NAME(doubles)){0} + pixel * pixel;
    area *= SELECT_WIDE(TO_LONG(swap), -square, square);
    NAME(longs) kept = own / area > 0.25;
    NAME(floats) x_ref = px[0], y_ref = py[0];
    NAME(doubles) divisor = own;
    if (unlikely(!ALL(kept))) {
        NAME(integers) kept_short = LOW(kept);
        NAME(floats) qx[3], qy[3];
#pragma GCC unroll 3
        for (unsigned i = 0; i < 3; i++) {
            qx[i] = TURN(x, i);
            qy[i] = TURN(y, i);
        }
        x_ref = SELECT(kept_short, px[0], qx[0] * (float)pixel);
        y_ref = SELECT(kept_short, py[0], qy[0] * (float)pixel);
        x1 = SELECT_WIDE(kept, x1, WIDE(qx[1] - qx[0]) * pixel);
        y1 = SELECT_WIDE(kept, y1, WIDE(qy[1] - qy[0]) * pixel);
        x2 = SELECT_WIDE(kept, x2, WIDE(qx[2] - qx[0]) * pixel);
        y2 = SELECT_WIDE(kept, y2, WIDE(qy[2] - qy[0]) * pixel);
        divisor = SELECT_WIDE(kept, own, area);
    }
#undef TURN
    STORE(s->x_ref, x_ref);
    STORE(s->y_ref, y_ref);
    NAME(doubles) scale = 1.0 / divisor;
    NAME(doubles) b1x = y2 * scale, b1y = -x2 * scale, b2x = -y1 * scale, b2y = x1 * scale;
    NAME(doubles) z1 = WIDE(z[1]) - WIDE(z[0]), z2 = WIDE(z[2]) - WIDE(z[0]);
    STORE(s->b1x, TO_FLOAT(b1x));
    STORE(s->b1y, TO_FLOAT(b1y));
    STORE(s->b2x, TO_FLOAT(b2x));
    STORE(s->b2y, TO_FLOAT(b2y));
    STORE(s->z, z[0]);
    STORE(s->zx, TO_FLOAT(z1 * b1x + z2 * b2x));
    STORE(s->zy, TO_FLOAT(z1 * b1y + z2 * b2y));
}

#undef WIDE
#undef TO_INT
#undef TO_FLOAT
#undef TO_LONG
#undef LOW
#undef SELECT
#undef SELECT_WIDE
#undef ALL
#undef SMALLER
#undef LARGER
#undef TO_PIXEL
#undef STORE
#undef EACH
#undef EVEN
#undef ODD
#undef GATHER
#undef GATHER_PAIRS
#undef SNAPPED
#undef WINDOW
#undef WINDOW_X
#undef WINDOW_Y
#undef WINDOW_Z
#undef WINDOW_W
