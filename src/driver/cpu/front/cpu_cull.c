/* SPDX-License-Identifier: MIT */
/*
 * Culling of a batch's triangles, several at a time: those that face away, that have no area, or that
 * have no pixel's center in the view are left out before anything else is done for them. What it
 * says is what setup would say of each alone: areas are exact, boxes are setup's.
 *
 * Numbers are floats that are integers: positions in sub-pixels are below 2^23, their differences
 * below 2^24. Vectors of vertices have x and y of each, one behind the other.
 */
#include "driver/cpu/front/cpu_batch.h"
#include "util/simd.h"

/* What the draw and the view say of all triangles. */
struct cull {
    float last[2], first[2];          /* that bounds are cut to; of the first pixel negative */
    uint32_t to_last, to_first;       /* from such a bound to a pixel's corner */
    bool counterclockwise, clockwise; /* are seen */
    bool outlined;                    /* also those without a pixel are */
};

static void init_cull(struct cull *c, const struct cpu_front *f)
{
    const struct drv_rasterizer_state *r = f->rast;
    bool seen_front = !r->cull_front, seen_back = !r->cull_back;
    bool filled = (!seen_front || r->fill_front == DRV_POLYGON_FILL) &&
                  (!seen_back || r->fill_back == DRV_POLYGON_FILL);
    *c = (struct cull){
        .last = {f->view.limit[0], f->view.limit[1]},
        .first = {f->view.limit[2], f->view.limit[3]},
        .to_last = (uint32_t)f->to_pixel[0],
        .to_first = (uint32_t)f->to_pixel[2],
        .counterclockwise = r->front_ccw ? seen_front : seen_back,
        .clockwise = r->front_ccw ? seen_back : seen_front,
        .outlined = !filled,
    };
}

/* Vectors wider than the machine's are no arguments: what has them is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define SIMD_FILE          "driver/cpu/front/cpu_cull_lanes.h"
#define SIMD_LANES_DIVISOR 2
#include "util/simd_each.h"

#define DEMANDING_CODES (CPU_REJECT_CODES | CPU_CLIP_CODES | CPU_CLIP_NAN)

/* Whether a vertex has a code that demands something. */
static bool any_code(const struct cpu_batch *b, unsigned vertices)
{
    typedef uint32_t v4 __attribute__((vector_size(16), may_alias));
    v4 any = {0};
    for (unsigned i = 0; i < vertices; i += 4) /* perhaps with some that are none's */
        any |= *(const v4 *)&b->clip_code[i];
    return (any[0] | any[1] | any[2] | any[3]) & DEMANDING_CODES;
}

/* Drops the triangles that codes reject, and finds those that must be clipped, which are seen. */
static void judge_codes(const uint32_t *code, const struct cpu_batch_prim *prim, unsigned count,
                        uint64_t *seen, uint64_t *clipped)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t c0 = code[prim[i].v[0]], c1 = code[prim[i].v[1]], c2 = code[prim[i].v[2]];
        uint32_t any = c0 | c1 | c2, all = c0 & c1 & c2;
        uint64_t bit = 1ull << i % 64;
        if (all & CPU_REJECT_CODES || any & CPU_CLIP_NAN) {
            seen[i / 64] &= ~bit;
        } else if (any & CPU_CLIP_CODES) {
            seen[i / 64] |= bit;
            clipped[i / 64] |= bit;
        }
    }
}

unsigned cpu_cull_triangles(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                            unsigned count, unsigned vertices, uint16_t *seen)
{
    uint64_t bits[CPU_BATCH_PRIMS / 64] = {0}, clipped[CPU_BATCH_PRIMS / 64] = {0};
    struct cull c;
    unsigned n = 0;
    init_cull(&c, &b->front);
    SIMD_CALL(see, &c, b->snapped, prim, count, bits);
    if (any_code(b, vertices))
        judge_codes(b->clip_code, prim, count, bits, clipped);
    if (count % 64)
        bits[count / 64] &= (1ull << count % 64) - 1;
    for (unsigned i = 0; i < count; i += 64) {
        for (uint64_t left = bits[i / 64]; left; left &= left - 1) {
            unsigned k = __builtin_ctzll(left);
            seen[n++] = (i + k) | (clipped[i / 64] >> k & 1 ? CPU_SEEN_CLIPPED : 0);
        }
    }
    return n;
}
