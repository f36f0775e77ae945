/* SPDX-License-Identifier: MIT */
/*
 * Culling of a batch's triangles, several at a time: removes triangles that are culled by their
 * orientation, have no area, or have no pixel center in the view, before any other work is done for
 * them. The results equal those of setup: areas are exact, and bounding boxes are the same.
 *
 * All values are integers stored as floats: positions in subpixels are below 2^23, their
 * differences below 2^24. Vectors hold x and y of each vertex, one vertex after the other.
 */
#include "driver/cpu/front/cpu_batch.h"
#include "util/simd.h"

/* Culling state that all triangles share. */
struct cull {
    /* Limits of bounding boxes in subpixels; those of the first pixel are negated. */
    float last[2], first[2];
    uint32_t to_last, to_first;       /* added to a bound to get a pixel's corner */
    bool counterclockwise, clockwise; /* orientations that are not culled */
    /* Triangles without a pixel center are visible, too: lines or points are drawn. */
    bool outlined;
};

static void init_cull(struct cull *c, const struct cpu_front *f)
{
    const struct drv_rasterizer_state *r = f->rast;
    bool shows_front = !r->cull_front, shows_back = !r->cull_back;
    bool filled = (!shows_front || r->fill_front == DRV_POLYGON_FILL) &&
                  (!shows_back || r->fill_back == DRV_POLYGON_FILL);
    *c = (struct cull){
        .last = {f->view.limit[0], f->view.limit[1]},
        .first = {f->view.limit[2], f->view.limit[3]},
        .to_last = (uint32_t)f->to_pixel[0],
        .to_first = (uint32_t)f->to_pixel[2],
        .counterclockwise = r->front_ccw ? shows_front : shows_back,
        .clockwise = r->front_ccw ? shows_back : shows_front,
        .outlined = !filled,
    };
}

/* Functions with arguments wider than the machine's vectors are always inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define SIMD_FILE          "driver/cpu/front/cpu_cull_lanes.h"
#define SIMD_LANES_DIVISOR 2
#include "util/simd_each.h"

#define DEMANDING_CODES (CPU_REJECT_CODES | CPU_CLIP_CODES | CPU_CLIP_NAN)

/* Returns whether any vertex has a clip code. */
static bool any_code(const struct cpu_batch *b, unsigned vertices)
{
    typedef uint32_t v4 __attribute__((vector_size(16), may_alias));
    v4 any = {0};
    for (unsigned i = 0; i < vertices; i += 4) /* may include unused elements */
        any |= *(const v4 *)&b->clip_code[i];
    return (any[0] | any[1] | any[2] | any[3]) & DEMANDING_CODES;
}

/* Removes the triangles that clip codes reject, and adds those that must be clipped. */
static void test_codes(const uint32_t *code, const struct cpu_batch_prim *prim, unsigned count,
                       uint64_t *visible, uint64_t *clipped)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t c0 = code[prim[i].v[0]], c1 = code[prim[i].v[1]], c2 = code[prim[i].v[2]];
        uint32_t any = c0 | c1 | c2, all = c0 & c1 & c2;
        uint64_t bit = 1ull << i % 64;
        if (all & CPU_REJECT_CODES || any & CPU_CLIP_NAN) {
            visible[i / 64] &= ~bit;
        } else if (any & CPU_CLIP_CODES) {
            visible[i / 64] |= bit;
            clipped[i / 64] |= bit;
        }
    }
}

unsigned cpu_cull_triangles(const struct cpu_batch *b, const struct cpu_batch_prim *prim,
                            unsigned count, unsigned vertices, uint16_t *visible)
{
    uint64_t bits[CPU_BATCH_PRIMS / 64] = {0}, clipped[CPU_BATCH_PRIMS / 64] = {0};
    struct cull c;
    unsigned n = 0;
    init_cull(&c, &b->front);
    if (b->front.rast->conservative) /* setup culls them: it snaps to a finer grid */
        memset(bits, 0xff, (count + 63) / 64 * sizeof *bits);
    else
        SIMD_CALL(cull, &c, b->snapped, prim, count, bits);
    if (any_code(b, vertices))
        test_codes(b->clip_code, prim, count, bits, clipped);
    if (count % 64)
        bits[count / 64] &= (1ull << count % 64) - 1;
    for (unsigned i = 0; i < count; i += 64) {
        for (uint64_t left = bits[i / 64]; left; left &= left - 1) {
            unsigned k = __builtin_ctzll(left);
            visible[n++] = (i + k) | (clipped[i / 64] >> k & 1 ? CPU_VISIBLE_CLIPPED : 0);
        }
    }
    return n;
}
