/* SPDX-License-Identifier: MIT */
/*
 * Rasterization inside a tile: 16×16-pixel parts are rejected, accepted or divided into 4×4 blocks,
 * whose pixels are tested by edge functions. Inside a tile edge functions that cross it fit into 32
 * bits: |a|, |b| < 2^23 (guard band of 2^15 pixels, 8 bits of sub-pixels), 63 steps of each. Edges
 * that do not cross the tile are dropped (or drop the primitive) first.
 */
#include "driver/cpu/cpu_scene.h"

typedef int32_t v4i __attribute__((vector_size(16)));

/* An edge in one tile: value at the tile's first pixel and what the tests need. */
struct tile_edge {
    int32_t e, a, b;
    int32_t reject16, accept16; /* from a part's first pixel to its best and worst pixel */
    int32_t reject4;
    v4i lane[4];                /* from a block's first pixel to each pixel, in lane order */
};

/* Bits of a block's pixels from column / row n on, and up to column / row n. */
static const uint16_t columns_from[4] = {0xffff, 0xfafa, 0xf0f0, 0xa0a0};
static const uint16_t columns_to[4] = {0x0505, 0x0f0f, 0x5f5f, 0xffff};
static const uint16_t rows_from[4] = {0xffff, 0xffcc, 0xff00, 0xcc00};
static const uint16_t rows_to[4] = {0x0033, 0x00ff, 0x33ff, 0xffff};

static uint32_t sign_bits(v4i v)
{
#ifdef __SSE2__
    typedef float v4f __attribute__((vector_size(16)));
    return __builtin_ia32_movmskps((v4f)v);
#else
    return (v[0] < 0) | (v[1] < 0) << 1 | (v[2] < 0) << 2 | (v[3] < 0) << 3;
#endif
}

static void init_edge(struct tile_edge *t, const struct cpu_edge *e, int64_t at)
{
    int32_t a = e->a, b = e->b;
    int32_t best = MAX2(a, 0) + MAX2(b, 0), worst = MIN2(a, 0) + MIN2(b, 0);
    t->e = (int32_t)at;
    t->a = a;
    t->b = b;
    t->reject16 = 15 * best;
    t->accept16 = 15 * worst;
    t->reject4 = 3 * best;
    v4i quad = {0, a, b, a + b};
    t->lane[0] = quad;
    t->lane[1] = quad + 2 * a;
    t->lane[2] = quad + 2 * b;
    t->lane[3] = quad + 2 * (a + b);
}

/* The edges that cross the tile; returns their number, or -1 if one has the tile outside. */
static int tile_edges(struct tile_edge t[CPU_MAX_EDGES], const struct cpu_prim *prim, int x, int y)
{
    int n = 0;
    for (unsigned i = 0; i < prim->num_edges; i++) {
        const struct cpu_edge *e = &prim->edge[i];
        int64_t at = e->c + (int64_t)e->a * x + (int64_t)e->b * y;
        int64_t span_a = (int64_t)e->a * (CPU_TILE - 1), span_b = (int64_t)e->b * (CPU_TILE - 1);
        if (at + MAX2(span_a, 0) + MAX2(span_b, 0) < 0)
            return -1;
        if (at + MIN2(span_a, 0) + MIN2(span_b, 0) < 0)
            init_edge(&t[n++], e, at);
    }
    return n;
}

/* Pixels of the block at bx, by (in the tile) that are inside all edges. */
static uint32_t block_mask(const struct tile_edge *t, int n, int bx, int by)
{
    v4i out[4] = {{0}};
    for (int i = 0; i < n; i++) {
        int32_t e = t[i].e + t[i].a * bx + t[i].b * by;
        for (unsigned q = 0; q < 4; q++)
            out[q] |= t[i].lane[q] + e;
    }
    uint32_t outside = sign_bits(out[0]) | sign_bits(out[1]) << 4 | sign_bits(out[2]) << 8 |
                       sign_bits(out[3]) << 12;
    return outside ^ 0xffff;
}

/* Pixels of a block that are inside the box; all in coordinates of the tile. */
static uint32_t box_mask(const struct cpu_rect *box, int bx, int by)
{
    uint32_t mask = 0xffff;
    if (box->x0 > bx)
        mask &= columns_from[box->x0 - bx];
    if (box->x1 < bx + 3)
        mask &= columns_to[box->x1 - bx];
    if (box->y0 > by)
        mask &= rows_from[box->y0 - by];
    if (box->y1 < by + 3)
        mask &= rows_to[box->y1 - by];
    return mask;
}

enum part { PART_OUT, PART_CROSSED, PART_IN };

static enum part classify16(const struct tile_edge *t, int n, int x, int y)
{
    enum part part = PART_IN;
    for (int i = 0; i < n; i++) {
        int32_t e = t[i].e + t[i].a * x + t[i].b * y;
        if (e + t[i].reject16 < 0)
            return PART_OUT;
        if (e + t[i].accept16 < 0)
            part = PART_CROSSED;
    }
    return part;
}

static bool reject4(const struct tile_edge *t, int n, int x, int y)
{
    for (int i = 0; i < n; i++)
        if (t[i].e + t[i].a * x + t[i].b * y + t[i].reject4 < 0)
            return true;
    return false;
}

/* Blocks of the 16×16 part at px, py. */
static unsigned raster_part(const struct tile_edge *t, int n, const struct cpu_rect *box, int px,
                            int py, int tile_x, int tile_y, struct cpu_block *block)
{
    unsigned count = 0;
    int y0 = MAX2(py, box->y0 & ~3), y1 = MIN2(py + 15, box->y1);
    int x0 = MAX2(px, box->x0 & ~3), x1 = MIN2(px + 15, box->x1);
    for (int y = y0; y <= y1; y += 4) {
        for (int x = x0; x <= x1; x += 4) {
            if (reject4(t, n, x, y))
                continue;
            uint32_t mask = block_mask(t, n, x, y) & box_mask(box, x, y);
            if (mask)
                block[count++] = (struct cpu_block){tile_x + x, tile_y + y, mask};
        }
    }
    return count;
}

unsigned cpu_raster_prim(const struct cpu_prim *prim, int x, int y, struct cpu_block *block)
{
    struct tile_edge t[CPU_MAX_EDGES];
    int n = tile_edges(t, prim, x, y);
    if (n < 0)
        return 0;
    struct cpu_rect box = {
        MAX2(prim->box.x0 - x, 0),
        MAX2(prim->box.y0 - y, 0),
        MIN2(prim->box.x1 - x, CPU_TILE - 1),
        MIN2(prim->box.y1 - y, CPU_TILE - 1),
    };
    unsigned count = 0;
    for (int py = box.y0 & ~15; py <= box.y1; py += 16) {
        for (int px = box.x0 & ~15; px <= box.x1; px += 16) {
            switch (classify16(t, n, px, py)) {
            case PART_OUT:
                break;
            case PART_IN:
                count += raster_part(t, 0, &box, px, py, x, y, block + count);
                break;
            case PART_CROSSED:
                count += raster_part(t, n, &box, px, py, x, y, block + count);
                break;
            }
        }
    }
    return count;
}

unsigned cpu_raster_full(int x, int y, struct cpu_block *block)
{
    unsigned count = 0;
    for (int by = 0; by < CPU_TILE; by += 4)
        for (int bx = 0; bx < CPU_TILE; bx += 4)
            block[count++] = (struct cpu_block){x + bx, y + by, 0xffff};
    return count;
}
