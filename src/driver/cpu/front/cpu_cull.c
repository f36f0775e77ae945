/* SPDX-License-Identifier: MIT */
/*
 * Culling of a batch's triangles, eight at a time: those that face away, that have no area, or that
 * have no pixel's center in the view are left out before anything else is done for them. What it
 * says is what setup would say of each alone: areas are exact, boxes are setup's.
 *
 * Numbers are floats that are integers: positions in sub-pixels are below 2^23, their differences
 * below 2^24. Vectors of vertices have x and y of each, one behind the other.
 */
#include "driver/cpu/front/cpu_batch.h"

#define LANES 8

typedef float pairs __attribute__((vector_size(8 * LANES)));
typedef int32_t pairs_i __attribute__((vector_size(8 * LANES)));
typedef uint32_t pairs_u __attribute__((vector_size(8 * LANES)));
typedef float single __attribute__((vector_size(4 * LANES)));
typedef double wide __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES)));
typedef uint32_t codes __attribute__((vector_size(4 * LANES), may_alias));
typedef int32_t codes_mask __attribute__((vector_size(4 * LANES)));
typedef int8_t bytes __attribute__((vector_size(LANES)));

/* What the draw and the view say of all triangles. */
struct cull {
    pairs last, first;         /* positions that bounds are cut to; of the first pixel negative */
    pairs_u to_last, to_first; /* from such a bound to a pixel's corner */
    mask counterclockwise, clockwise; /* all ones: are seen */
    mask outlined;                    /* all ones: also those without a pixel are */
};

/* Vectors wider than the machine's are no arguments: all that has them is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

INLINE pairs splat_pair(float x, float y)
{
    return (pairs){x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y};
}

static void init_cull(struct cull *c, const struct cpu_front *f)
{
    const struct drv_rasterizer_state *r = f->rast;
    const mask none = {0};
    bool seen_front = !r->cull_front, seen_back = !r->cull_back;
    bool filled = (!seen_front || r->fill_front == DRV_POLYGON_FILL) &&
                  (!seen_back || r->fill_back == DRV_POLYGON_FILL);
    c->last = splat_pair(f->view.limit[0], f->view.limit[1]);
    c->first = splat_pair(f->view.limit[2], f->view.limit[3]);
    c->to_last = (pairs_u){0} + (uint32_t)f->to_pixel[0];
    c->to_first = (pairs_u){0} + (uint32_t)f->to_pixel[2];
    c->counterclockwise = none - (r->front_ccw ? seen_front : seen_back);
    c->clockwise = none - (r->front_ccw ? seen_back : seen_front);
    c->outlined = none - !filled;
}

INLINE pairs larger(pairs a, pairs b)
{
    pairs_i greater = a > b;
    return (pairs)((greater & (pairs_i)a) | (~greater & (pairs_i)b));
}

INLINE pairs smaller(pairs a, pairs b)
{
    pairs_i less = a < b;
    return (pairs)((less & (pairs_i)a) | (~less & (pairs_i)b));
}

INLINE pairs_i to_pixel(pairs bound, pairs_u add)
{
    pairs_u at = (pairs_u) __builtin_convertvector(bound, pairs_i) + add;
    return (pairs_i)at >> CPU_SUBPIXEL_BITS;
}

INLINE wide xs(pairs v)
{
    return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14), wide);
}

INLINE wide ys(pairs v)
{
    return __builtin_convertvector(__builtin_shufflevector(v, v, 1, 3, 5, 7, 9, 11, 13, 15), wide);
}

/* Where triangles with these vertices have an area of the right sign and a pixel. */
INLINE mask is_seen(const struct cull *c, pairs p0, pairs p1, pairs p2)
{
    const wide zero = {0};
    pairs u = p1 - p0, v = p2 - p0;
    wide area = xs(u) * ys(v) - ys(u) * xs(v);
    mask seen = ((area > zero) & c->counterclockwise) | ((area < zero) & c->clockwise);
    pairs last = smaller(larger(larger(p0, p1), p2), c->last);
    pairs first = smaller(-smaller(smaller(p0, p1), p2), c->first);
    mask has_pixel = (mask)(to_pixel(last, c->to_last) + to_pixel(first, c->to_first) < 0) == 0;
    return seen & (has_pixel | c->outlined);
}

/* Positions of the triangles' vertex number i. */
INLINE pairs gather(const cpu_snapped *snapped, const struct cpu_batch_prim *prim, unsigned i)
{
    union {
        uint64_t word[LANES];
        pairs v;
    } p;
#pragma GCC unroll 8
    for (unsigned k = 0; k < LANES; k++)
        memcpy(&p.word[k], &snapped[prim[k].v[i]], 8);
    return p.v;
}

/* Leaves out those that clip codes reject; *clip: those that must be clipped, which are seen. */
INLINE mask judge_codes(const uint32_t *code, const struct cpu_batch_prim *prim, mask seen,
                        mask *clip)
{
    union {
        uint32_t word[LANES];
        codes v;
    } any, all;
#pragma GCC unroll 8
    for (unsigned k = 0; k < LANES; k++) {
        uint32_t c0 = code[prim[k].v[0]], c1 = code[prim[k].v[1]], c2 = code[prim[k].v[2]];
        any.word[k] = c0 | c1 | c2;
        all.word[k] = c0 & c1 & c2;
    }
    codes_mask rejected = ((all.v & CPU_REJECT_CODES) | (any.v & CPU_CLIP_NAN)) != 0;
    codes_mask clipped = (any.v & CPU_CLIP_CODES) != 0;
    *clip = __builtin_convertvector(clipped & ~rejected, mask);
    return (seen & ~__builtin_convertvector(clipped | rejected, mask)) | *clip;
}

/* A byte of ones for each that is set. */
INLINE uint64_t to_bytes(mask m)
{
    bytes narrow = __builtin_convertvector(m, bytes);
    uint64_t word;
    memcpy(&word, &narrow, sizeof word);
    return word;
}

INLINE unsigned cull(const struct cull *c, const struct cpu_batch *b,
                     const struct cpu_batch_prim *prim, unsigned count, bool coded, uint16_t *seen)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i += LANES) {
        mask clip = {0},
             m = is_seen(c, gather(b->snapped, prim + i, 0), gather(b->snapped, prim + i, 1),
                         gather(b->snapped, prim + i, 2));
        if (coded)
            m = judge_codes(b->clip_code, prim + i, m, &clip);
        uint64_t set = to_bytes(m), clipped = coded ? to_bytes(clip) : 0;
        if (i + LANES > count)
            set &= ~0ull >> 8 * (i + LANES - count);
        while (set) {
            unsigned k = __builtin_ctzll(set) & ~7u;
            seen[n++] = i + k / 8 + (clipped >> k & 1 ? CPU_SEEN_CLIPPED : 0);
            set &= ~(0xffull << k);
        }
    }
    return n;
}

#define DEFINE_CULL(name, attribute)                                                               \
    attribute static unsigned name(const struct cull *c, const struct cpu_batch *b,                \
                                   const struct cpu_batch_prim *prim, unsigned count, bool coded,  \
                                   uint16_t *seen)                                                 \
    {                                                                                              \
        return coded ? cull(c, b, prim, count, true, seen) : cull(c, b, prim, count, false, seen); \
    }

DEFINE_CULL(cull_any, )
#ifdef __x86_64__
DEFINE_CULL(cull_avx2, __attribute__((target("avx2"))))
DEFINE_CULL(cull_avx512, __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))))

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#endif

/* Of all the vertices' codes, and perhaps some that are none's. */
static uint32_t any_code(const struct cpu_batch *b, unsigned vertices)
{
    codes any = {0};
    union {
        codes v;
        uint32_t word[LANES];
    } u;
    for (unsigned i = 0; i < vertices; i += LANES)
        any |= *(const codes *)&b->clip_code[i];
    u.v = any;
    return u.word[0] | u.word[1] | u.word[2] | u.word[3] | u.word[4] | u.word[5] | u.word[6] |
           u.word[7];
}

unsigned cpu_cull_triangles(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                            unsigned count, unsigned vertices, uint16_t *seen)
{
    struct cull c;
    bool coded = any_code(b, vertices) & (CPU_REJECT_CODES | CPU_CLIP_CODES | CPU_CLIP_NAN);
    init_cull(&c, &b->front);
#ifdef __x86_64__
    if (has_avx512())
        return cull_avx512(&c, b, prim, count, coded, seen);
    if (__builtin_cpu_supports("avx2"))
        return cull_avx2(&c, b, prim, count, coded, seen);
#endif
    return cull_any(&c, b, prim, count, coded, seen);
}
