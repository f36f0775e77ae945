/* SPDX-License-Identifier: MIT */
/* Vector code of gl_feedback_draw.c, for one vector width: see util/simd_each.h, which defines
 * NAME, TARGET and LANES. gl_feedback_draw.c defines the structs and CHUNK_SPACE. */

typedef float NAME(vecf) __attribute__((vector_size(LANES * 4)));
typedef int32_t NAME(veci) __attribute__((vector_size(LANES * 4)));

#define VECF   NAME(vecf)
#define VECI   NAME(veci)
#define INLINE TARGET static inline __attribute__((always_inline))

/* Load and store LANES floats; p need not be aligned. */
INLINE VECF NAME(load)(const float *p)
{
    VECF v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void NAME(store)(void *p, VECF v)
{
    memcpy(p, &v, sizeof v);
}

/* Transforms n positions by matrix m, as gl_matrix_transform does. in and out have an array per
 * component. n is rounded up to whole vectors. */
TARGET static void NAME(transform_positions)(float (*out)[CHUNK_SPACE], float (*in)[CHUNK_SPACE],
                                             const float *m, unsigned n)
{
    for (unsigned i = 0; i < n; i += LANES) {
        const VECF x = NAME(load)(in[0] + i), y = NAME(load)(in[1] + i);
        const VECF z = NAME(load)(in[2] + i), w = NAME(load)(in[3] + i);
        for (unsigned r = 0; r < 4; r++)
            NAME(store)(out[r] + i, m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r] * w);
    }
}

/* Returns, in each lane, bit p if the distance to plane p is negative or NaN, else 0. */
INLINE VECI NAME(outside_bit)(VECF distance, unsigned p)
{
    return ~(VECI)(distance >= 0.0f) & (int32_t)(1u << p);
}

/* Computes k->outside, k->depth and, if s->window is set, k->window (see gl_sw_window) of the first
 * n vertices from k->clip. Bit p of k->outside is set if the vertex is outside of plane p (see
 * gl_sw_plane_distance), for the planes in s->planes. n is rounded up to whole vectors. */
TARGET static void NAME(process_clip)(struct gl_feedback_chunk *k, const struct clip_state *s,
                                      unsigned n)
{
    for (unsigned i = 0; i < n; i += LANES) {
        const VECF x = NAME(load)(k->clip[0] + i), y = NAME(load)(k->clip[1] + i);
        const VECF z = NAME(load)(k->clip[2] + i), w = NAME(load)(k->clip[3] + i);
        const VECI bits = NAME(outside_bit)(w + x, 0) | NAME(outside_bit)(w - x, 1) |
                          NAME(outside_bit)(w + y, 2) | NAME(outside_bit)(w - y, 3) |
                          NAME(outside_bit)(s->zero_to_one ? z : w + z, 4) |
                          NAME(outside_bit)(w - z, 5);
        const VECI zero = w == 0.0f;
        const VECF one = (VECF){0} + 1.0f;
        const VECF divisor = (VECF)(((VECI)w & ~zero) | ((VECI)one & zero));
        NAME(store)(&k->outside[i], (VECF)(bits & s->planes));
        NAME(store)(&k->depth[i], z / divisor);
        if (s->window) {
            NAME(store)(&k->window[0][i], s->x + s->width * (x / divisor + 1.0f) / 2.0f);
            NAME(store)(&k->window[1][i],
                        s->y + s->height * ((s->upper ? -y : y) / divisor + 1.0f) / 2.0f);
        }
    }
}

#undef VECF
#undef VECI
#undef INLINE
