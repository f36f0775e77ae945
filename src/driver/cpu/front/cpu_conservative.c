/* SPDX-License-Identifier: MIT */
/*
 * Conservative rasterization (NV_conservative_raster, INTEL_conservative_rasterization): a
 * primitive covers each pixel that it touches, including the pixel's edges and corners.
 *
 * A convex polygon and a square intersect unless an axis separates them: the normal of an edge of
 * the polygon, or an axis of the square. Each edge is therefore moved outward by half the extent of
 * a pixel along its normal, and the bounding box gets the pixels that it touches. Both tests are
 * exact.
 *
 * Positions have CPU_SUBPIXEL_BITS fractional bits plus the bias of the context. Large primitives
 * get fewer, because coefficients of edges are at most 2^23.
 */
#include <math.h>
#include <stdlib.h>

#include "driver/cpu/front/cpu_front.h"
#include "util/check.h"
#include "util/macros.h"

#define MAX_EXTENT (1 << 23)

/* Converts a coordinate to `bits` fractional bits, rounded to a multiple of 1 / 2^precision. */
static int32_t to_grid(double x, unsigned precision, unsigned bits)
{
    precision = MIN2(precision, bits);
    return (int32_t)lrint(ldexp(x, (int)precision)) * (1 << (bits - precision));
}

static void snap_all(struct cpu_outline *o, const double (*at)[2], const uint8_t bias[2])
{
    for (unsigned i = 0; i < o->count; i++) {
        o->p[i].x = to_grid(at[i][0], CPU_SUBPIXEL_BITS + bias[0], o->bits);
        o->p[i].y = to_grid(at[i][1], CPU_SUBPIXEL_BITS + bias[1], o->bits);
    }
}

/* Computes the bounds of all corners. */
static struct cpu_rect bounds(const struct cpu_outline *o)
{
    struct cpu_rect r = {o->p[0].x, o->p[0].y, o->p[0].x, o->p[0].y};
    for (unsigned i = 1; i < o->count; i++) {
        r.x0 = MIN2(r.x0, o->p[i].x);
        r.y0 = MIN2(r.y0, o->p[i].y);
        r.x1 = MAX2(r.x1, o->p[i].x);
        r.y1 = MAX2(r.y1, o->p[i].y);
    }
    return r;
}

bool cpu_conservative_snap(const struct cpu_front *f, struct cpu_outline *o, const double (*at)[2],
                           unsigned count)
{
    const uint8_t *bias = f->rast->subpixel_bias;
    for (unsigned i = 0; i < count; i++)
        if (!(fabs(at[i][0]) <= (double)CPU_GUARD_BAND * 2 &&
              fabs(at[i][1]) <= (double)CPU_GUARD_BAND * 2))
            return false;
    o->count = count;
    o->bits = CPU_SUBPIXEL_BITS + MAX2(bias[0], bias[1]);
    DCHECK(o->bits < 16); /* coordinates are at most 2^15 pixels */
    for (;; o->bits--) {
        snap_all(o, at, bias);
        const struct cpu_rect r = bounds(o);
        const int64_t width = (int64_t)r.x1 - r.x0, height = (int64_t)r.y1 - r.y0;
        if (o->bits == CPU_SUBPIXEL_BITS || (width < MAX_EXTENT && height < MAX_EXTENT))
            return true;
    }
}

double cpu_conservative_area(const struct cpu_outline *o)
{
    const double ux = o->p[1].x - o->p[0].x, uy = o->p[1].y - o->p[0].y;
    const double vx = o->p[2].x - o->p[0].x, vy = o->p[2].y - o->p[0].y;
    return (ux * vy - uy * vx) * ldexp(1.0, 2 * (CPU_SUBPIXEL_BITS - (int)o->bits));
}

bool cpu_conservative_box(const struct cpu_front *f, const struct cpu_outline *o,
                          const struct cpu_rect *limit, struct cpu_rect *box)
{
    const struct cpu_rect r = bounds(o);
    const int32_t most = (1 << o->bits) - 1; /* rounds up in a division by 2^bits */
    /* INTEL_conservative_rasterization enlarges polygons by 1/512 pixel, which has no effect on
     * multiples of 1/256 pixel. */
    const int32_t more = f->rast->conservative_expand && o->bits > 8 ? 1 << (o->bits - 9) : 0;
    box->x0 = MAX2(((r.x0 - more + most) >> o->bits) - 1, limit->x0);
    box->y0 = MAX2(((r.y0 - more + most) >> o->bits) - 1, limit->y0);
    box->x1 = MIN2((r.x1 + more) >> o->bits, limit->x1);
    box->y1 = MIN2((r.y1 + more) >> o->bits, limit->y1);
    return box->x0 <= box->x1 && box->y0 <= box->y1;
}

/* Returns `extent` times half a pixel in units of 1 / 2^bits pixel, plus 1/512 pixel if `expand`;
 * rounded down. */
static int64_t outward(const struct cpu_outline *o, int64_t extent, bool expand)
{
    const int64_t twice = expand ? extent * 257 : extent * 256; /* in 1/512 pixel */
    return o->bits > 8 ? twice * (1 << (o->bits - 9)) : twice >> 1;
}

void cpu_conservative_edges(const struct cpu_front *f, const struct cpu_outline *o, bool clockwise,
                            struct cpu_edges *edges)
{
    memset(edges, 0, sizeof *edges);
    const int32_t half = 1 << (o->bits - 1);
    for (unsigned i = 0; i < o->count; i++) {
        const unsigned next = i + 1 == o->count ? 0 : i + 1;
        const struct cpu_point a = o->p[clockwise ? next : i], b = o->p[clockwise ? i : next];
        const int32_t dx = b.x - a.x, dy = b.y - a.y;
        const int64_t extent = (int64_t)abs(dx) + abs(dy);
        const int64_t at = (int64_t)dx * (half - a.y) - (int64_t)dy * (half - a.x) +
                           outward(o, extent, f->rast->conservative_expand);
        edges->c[i] = at >> o->bits;
        edges->a[i] = -dy;
        edges->b[i] = dx;
    }
}
