/* SPDX-License-Identifier: MIT */
/* Binning: finds the tiles that a primitive touches and those that it covers completely. */
#include <stdlib.h>

#include "driver/cpu/tile/cpu_scene.h"

#include "util/check.h"

static void extend(struct cpu_tile_range *r, unsigned x0, unsigned y0, unsigned x1, unsigned y1)
{
    r->x0 = MIN2(r->x0, x0);
    r->y0 = MIN2(r->y0, y0);
    r->x1 = MAX2(r->x1, x1);
    r->y1 = MAX2(r->y1, y1);
}

static void append(struct cpu_segment *segment, uint32_t tile, const void *data,
                   enum cpu_command command)
{
    DCHECK(tile < segment->bins);
    struct cpu_bin *bin = &segment->bin[tile];
    struct cpu_bin_block *block = bin->last;
    if (!block || block->count == CPU_BIN_BLOCK) {
        block = arena_alloc(segment->arena, sizeof *block);
        if (!block) {
            segment->out_of_memory = true;
            return;
        }
        block->next = NULL;
        block->count = 0;
        if (bin->last)
            bin->last->next = block;
        else
            bin->first = block;
        bin->last = block;
    }
    DCHECK(block->count < CPU_BIN_BLOCK && !((uintptr_t)data & CPU_COMMAND_MASK));
    block->command[block->count++] = (uintptr_t)data | command;
}

/* Values of the edge functions in the part of a tile that is in the framebuffer: `most` is the
 * maximum over its pixels, `least` the minimum. `step` is the increment to the next tile of the
 * row. */
struct tile_edges {
    int64_t most[CPU_MAX_EDGES], least[CPU_MAX_EDGES], step[CPU_MAX_EDGES];
};

/* Initializes *t for the tile at pixel x, y; w and h are its width and height in pixels minus
 * one. */
static void begin_edges(struct tile_edges *t, const struct cpu_prim *prim, int x, int y, int w,
                        int h)
{
    const struct cpu_edges *e = &prim->edges;
    const bool samples =
        prim->polygon ? cpu_draw_samples_polygons(prim->draw) : prim->draw->positions != NULL;
    for (unsigned i = 0; i < CPU_MAX_EDGES; i++) {
        const int64_t at = e->c[i] + (int64_t)e->a[i] * x + (int64_t)e->b[i] * y;
        /* samples lie less than half a pixel from the center */
        const int64_t around = samples ? ((int64_t)abs(e->a[i]) + abs(e->b[i]) + 1) / 2 : 0;
        const int64_t span_a = (int64_t)e->a[i] * w, span_b = (int64_t)e->b[i] * h;
        t->most[i] = at + MAX2(span_a, 0) + MAX2(span_b, 0) + around;
        t->least[i] = at + MIN2(span_a, 0) + MIN2(span_b, 0) - around;
        t->step[i] = (int64_t)e->a[i] * CPU_TILE;
    }
}

static void step_edges(struct tile_edges *t)
{
    for (unsigned i = 0; i < CPU_MAX_EDGES; i++) {
        t->most[i] += t->step[i];
        t->least[i] += t->step[i];
    }
}

static bool are_inside(const int64_t edge[CPU_MAX_EDGES])
{
    static_assert(CPU_MAX_EDGES == 4, "");
    return (edge[0] | edge[1] | edge[2] | edge[3]) >= 0;
}

/* Appends a primitive to the tiles of a row, from column tx0 to tx1, that it touches. */
static void bin_row(const struct cpu_scene *scene, struct cpu_segment *segment,
                    const struct cpu_prim *prim, unsigned ty, unsigned tx0, unsigned tx1)
{
    const struct cpu_rect *b = &prim->box;
    const int y = ty * CPU_TILE, h = MIN2(CPU_TILE, (int)scene->height - y) - 1;
    const bool covers = b->y0 <= y && b->y1 >= y + h && (prim->polygon || !prim->radius);
    struct tile_edges edges = {0};
    for (unsigned tx = tx0; tx <= tx1; tx++) {
        const int x = tx * CPU_TILE, w = MIN2(CPU_TILE, (int)scene->width - x) - 1;
        if (tx == tx0 || w < CPU_TILE - 1)
            begin_edges(&edges, prim, x, y, w, h);
        else
            step_edges(&edges);
        if (!are_inside(edges.most))
            continue;
        const bool full = covers && b->x0 <= x && b->x1 >= x + w && are_inside(edges.least);
        append(segment, ty * scene->tiles_x + tx, prim, full ? CPU_COMMAND_FULL : CPU_COMMAND_PRIM);
    }
}

static bool box_fits(const struct cpu_scene *scene, const struct cpu_rect *box)
{
    return box->x0 >= 0 && box->y0 >= 0 && box->x0 <= box->x1 && box->y0 <= box->y1 &&
           box->x1 < (int64_t)scene->width && box->y1 < (int64_t)scene->height;
}

void cpu_bin_prim(const struct cpu_scene *scene, struct cpu_segment *segment,
                  const struct cpu_prim *prim)
{
    DCHECK(box_fits(scene, &prim->box));
    /* unsigned, so that divisions become shifts */
    unsigned x0 = prim->box.x0, y0 = prim->box.y0, x1 = prim->box.x1, y1 = prim->box.y1;
    unsigned tx0 = x0 / CPU_TILE, tx1 = x1 / CPU_TILE, ty0 = y0 / CPU_TILE, ty1 = y1 / CPU_TILE;
    extend(&segment->range, tx0, ty0, tx1, ty1);
    if (tx0 == tx1 && ty0 == ty1) {
        append(segment, ty0 * scene->tiles_x + tx0, prim, CPU_COMMAND_PRIM);
        return;
    }
    /* A small primitive touches most of its up to four tiles and covers none: tests would not
     * pay. */
    const bool look = x1 - x0 >= CPU_TILE - 1 || y1 - y0 >= CPU_TILE - 1;
    for (unsigned ty = ty0; ty <= ty1; ty++) {
        if (look)
            bin_row(scene, segment, prim, ty, tx0, tx1);
        for (unsigned tx = tx0; !look && tx <= tx1; tx++)
            append(segment, ty * scene->tiles_x + tx, prim, CPU_COMMAND_PRIM);
    }
}

void cpu_bin_clear(const struct cpu_scene *scene, struct cpu_segment *segment,
                   const struct cpu_clear *clear)
{
    CHECK(box_fits(scene, &clear->box));
    int tx0 = clear->box.x0 / CPU_TILE, tx1 = clear->box.x1 / CPU_TILE;
    int ty0 = clear->box.y0 / CPU_TILE, ty1 = clear->box.y1 / CPU_TILE;
    extend(&segment->range, tx0, ty0, tx1, ty1);
    for (int ty = ty0; ty <= ty1; ty++)
        for (int tx = tx0; tx <= tx1; tx++)
            append(segment, ty * scene->tiles_x + tx, clear, CPU_COMMAND_CLEAR);
}
