/* SPDX-License-Identifier: MIT */
/*
 * Rasterization: edge functions with 8 bits of subpixel precision and the top-left rule, tested at
 * pixel locations or samples. Blocks of 16×16 pixels outside of an edge are skipped.
 */
#include <math.h>
#include <string.h>

#include "model_raster.h"

#define BLOCK       16
#define CORNERS     4
#define BLOCK_QUADS (BLOCK * BLOCK / 4)
#define WORK_QUAD   3u /* Work of a quad in addition to its positions, in instructions. */

/* value = dx·(y - y0) - dy·(x - x0), in subpixels; at least 0 inside. */
struct edge {
    int64_t dx, dy, c;
};

struct scan {
    struct model_fragments *f;
    struct edge edge[CORNERS];
    unsigned edges;
    unsigned positions; /* Tested per pixel. */
    int32_t position[MODEL_MAX_SAMPLES][2];
    uint32_t all; /* Samples that a covered pixel has if only its location is tested. */
    bool inside;  /* The current block is inside of all edges. */
};

static int64_t edge_value(const struct edge *e, int32_t x, int32_t y)
{
    return e->dx * y - e->dy * x + e->c;
}

static void init_edge(struct edge *e, const int32_t a[2], const int32_t b[2])
{
    e->dx = b[0] - a[0];
    e->dy = b[1] - a[1];
    e->c = e->dy * a[0] - e->dx * a[1];
    /* Points on left and top edges are inside. */
    if (!(e->dy < 0 || (e->dy == 0 && e->dx > 0)))
        e->c--;
}

/* Returns whether a block of pixels is outside of an edge. */
static bool is_outside(const struct scan *s, int32_t x, int32_t y, int32_t size)
{
    for (unsigned i = 0; i < s->edges; i++) {
        const struct edge *e = &s->edge[i];
        int32_t px = e->dy < 0 ? x + size : x, py = e->dx > 0 ? y + size : y;
        if (edge_value(e, px * MODEL_SUBPIXELS, py * MODEL_SUBPIXELS) < 0)
            return true;
    }
    return false;
}

/* Returns whether a block of pixels is inside of all edges. */
static bool is_inside(const struct scan *s, int32_t x, int32_t y, int32_t size)
{
    for (unsigned i = 0; i < s->edges; i++) {
        const struct edge *e = &s->edge[i];
        int32_t px = e->dy < 0 ? x : x + size, py = e->dx > 0 ? y : y + size;
        if (edge_value(e, px * MODEL_SUBPIXELS, py * MODEL_SUBPIXELS) < 0)
            return false;
    }
    return true;
}

static uint32_t pixel_coverage(const struct scan *s, int32_t x, int32_t y)
{
    uint32_t mask = 0;

    if (s->inside)
        return s->all ? s->all : (1u << s->positions) - 1;
    for (unsigned p = 0; p < s->positions; p++) {
        bool inside = true;
        for (unsigned i = 0; i < s->edges && inside; i++)
            inside = edge_value(&s->edge[i], x * MODEL_SUBPIXELS + s->position[p][0],
                                y * MODEL_SUBPIXELS + s->position[p][1]) >= 0;
        mask |= (uint32_t)inside << p;
    }
    return s->all && mask ? s->all : mask;
}

/* Returns the part of a pixel that a smooth point or line covers. */
static float smooth_alpha(const struct model_setup *s, float x, float y)
{
    float alpha;

    if (s->point) {
        const float dx = x - s->center[0], dy = y - s->center[1];
        alpha = s->radius + 0.5f - sqrtf(dx * dx + dy * dy);
    } else {
        const float across = fabsf(s->line[0][0] * x + s->line[0][1] * y + s->line[0][2]);
        const float along = s->line[1][0] * x + s->line[1][1] * y + s->line[1][2];
        alpha = fminf(s->radius + 0.5f - across, 1.0f) *
                fminf(fminf(along, s->reach - along) + 0.5f, 1.0f);
    }
    return fminf(fmaxf(alpha, 0.0f), 1.0f);
}

static bool is_stippled_out(const struct scan *s, int32_t x, int32_t y)
{
    const struct model_setup *setup = s->f->setup;
    const struct model_state *state = &s->f->ctx->state;

    if (setup->stippled) {
        const float at = setup->stipple[0] * ((float)x + 0.5f) +
                         setup->stipple[1] * ((float)y + 0.5f) + setup->stipple[2];
        const unsigned repeat = MAX2(state->line_stipple.line_stipple_repeat_count, 1);
        const unsigned index = (unsigned)fmaxf(floorf(at), 0.0f) / repeat % 16;
        return !(state->line_stipple.line_stipple_pattern >> index & 1);
    }
    if (state->wm.polygon_stipple_enable && setup->kind == MODEL_TRIANGLE) {
        const unsigned row = (unsigned)y + state->poly_stipple_offset.polygon_stipple_y_offset;
        const unsigned column = (unsigned)x + state->poly_stipple_offset.polygon_stipple_x_offset;
        return !(state->poly_stipple_pattern.pattern_row[row & 31] >> (31 - (column & 31)) & 1);
    }
    return false;
}

/* Tests four pixels and passes them on if a sample is covered. */
static bool scan_quad(const struct scan *s, const struct model_window *w, int32_t x, int32_t y)
{
    const struct model_setup *setup = s->f->setup;
    struct model_quad quad = {.x = x, .y = y};
    uint32_t any = 0;

    for (unsigned i = 0; i < 4; i++) {
        const int32_t px = x + (int32_t)(i & 1), py = y + (int32_t)(i >> 1);
        if (px < w->x0 || px >= w->x1 || py < w->y0 || py >= w->y1)
            continue;
        uint32_t mask = pixel_coverage(s, px, py) & s->f->ctx->pixel->sample_mask;
        quad.alpha[i] = 1.0f;
        if (mask && is_stippled_out(s, px, py))
            mask = 0;
        if (mask && setup->smooth) {
            quad.alpha[i] = smooth_alpha(setup, (float)px + 0.5f, (float)py + 0.5f);
            if (quad.alpha[i] == 0.0f)
                mask = 0;
        }
        quad.mask[i] = (uint16_t)mask;
        any |= mask;
    }
    return !any || model_shade_quad(s->f, &quad);
}

/* Returns the pixels that the polygon may cover. */
static struct model_window bounds(const struct model_window *w, const int32_t (*corner)[2],
                                  unsigned corners)
{
    int32_t low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};

    for (unsigned i = 0; i < corners; i++) {
        for (unsigned c = 0; c < 2; c++) {
            low[c] = MIN2(low[c], corner[i][c]);
            high[c] = MAX2(high[c], corner[i][c]);
        }
    }
    return (struct model_window){
        MAX2(w->x0, low[0] >> 8),
        MAX2(w->y0, low[1] >> 8),
        MIN2(w->x1, (high[0] >> 8) + 1),
        MIN2(w->y1, (high[1] >> 8) + 1),
    };
}

void model_polygon_init(struct model_polygon *polygon, const struct model_pixel *pixel,
                        const struct model_setup *s, const int32_t (*corner)[2], unsigned corners)
{
    memcpy(polygon->corner, corner, corners * sizeof corner[0]);
    polygon->corners = corners;
    polygon->window = bounds(&pixel->window[s->viewport], corner, corners);
}

static void init_scan(struct scan *s, const struct model_polygon *polygon)
{
    const struct model_pixel *pixel = s->f->ctx->pixel;
    const int32_t(*corner)[2] = polygon->corner;
    int64_t area = 0;

    for (unsigned i = 2; i < s->edges; i++)
        area += (int64_t)(corner[i - 1][0] - corner[0][0]) * (corner[i][1] - corner[0][1]) -
                (int64_t)(corner[i][0] - corner[0][0]) * (corner[i - 1][1] - corner[0][1]);
    for (unsigned i = 0; i < s->edges; i++) {
        const unsigned next = (i + 1) % s->edges;
        init_edge(&s->edge[i], corner[area > 0 ? i : next], corner[area > 0 ? next : i]);
    }
    s->position[0][0] = s->position[0][1] = (int32_t)(pixel->pixel_offset * MODEL_SUBPIXELS);
    if (!pixel->pattern) {
        s->all = (1u << pixel->samples) - 1;
        return;
    }
    s->positions = pixel->samples;
    for (unsigned i = 0; i < pixel->samples; i++) {
        for (unsigned c = 0; c < 2; c++)
            s->position[i][c] = (int32_t)(pixel->sample_position[i][c] * MODEL_SUBPIXELS);
    }
}

/* Scans the part of a block that is in the window. */
static bool scan_block(struct scan *s, const struct model_window *w, int32_t bx, int32_t by)
{
    const bool outside = is_outside(s, bx, by, BLOCK);

    if (!model_spend(s->f->ctx, outside ? 1 : BLOCK_QUADS * (WORK_QUAD + s->positions)))
        return false;
    if (outside)
        return true;
    s->inside = is_inside(s, bx, by, BLOCK);
    for (int32_t y = MAX2(by, w->y0 & ~1); y < MIN2(by + BLOCK, w->y1); y += 2) {
        for (int32_t x = MAX2(bx, w->x0 & ~1); x < MIN2(bx + BLOCK, w->x1); x += 2) {
            if (!scan_quad(s, w, x, y))
                return false;
        }
    }
    return true;
}

static bool scan_tile(struct scan *s, const struct model_window *w, int32_t tx, int32_t ty)
{
    if (is_outside(s, tx, ty, MODEL_TILE))
        return model_spend(s->f->ctx, 1);
    for (int32_t by = MAX2(ty, w->y0 & ~(BLOCK - 1)); by < MIN2(ty + MODEL_TILE, w->y1);
         by += BLOCK) {
        for (int32_t bx = MAX2(tx, w->x0 & ~(BLOCK - 1)); bx < MIN2(tx + MODEL_TILE, w->x1);
             bx += BLOCK) {
            if (!scan_block(s, w, bx, by))
                return false;
        }
    }
    return model_shade_flush(s->f);
}

bool model_scan_polygon(struct model_fragments *f, const struct model_polygon *polygon,
                        unsigned owners, unsigned owner, uint32_t *tile)
{
    const struct model_window *w = &polygon->window;
    struct scan s = {.f = f, .edges = polygon->corners, .positions = 1};

    init_scan(&s, polygon);
    for (int32_t y = w->y0 & ~(MODEL_TILE - 1); y < w->y1; y += MODEL_TILE) {
        for (int32_t x = w->x0 & ~(MODEL_TILE - 1); x < w->x1; x += MODEL_TILE) {
            const uint32_t column = (uint32_t)x / MODEL_TILE, row = (uint32_t)y / MODEL_TILE;
            if ((column + row) % owners != owner)
                continue;
            *tile = row << 16 | column;
            if (!scan_tile(&s, w, x, y))
                return false;
        }
    }
    return true;
}
