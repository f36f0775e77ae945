/* SPDX-License-Identifier: MIT */
/*
 * Coverage of smooth lines and points (GL 4.6 compatibility §14.4.2, §14.5.4). Coverage increases
 * linearly from 0 at half a pixel outside the edge to 1 at half a pixel inside, measured at the
 * pixel center. Along a line it is the part of a pixel-long interval that the line covers, so that
 * short lines that follow each other cover a pixel like one long line. Setup has enlarged the
 * rectangles of lines and the boxes of points by half a pixel, so that the blocks contain all
 * covered pixels.
 */
#include <math.h>

#include "driver/cpu/tile/cpu_scene.h"

static float saturate(float x)
{
    return x < 0.0f ? 0.0f : x < 1.0f ? x : 1.0f;
}

static uint8_t to_byte(float coverage)
{
    return (uint8_t)(coverage * 255.0f + 0.5f);
}

/* Edge functions scaled to distances in pixels. */
struct line_edges {
    const struct cpu_edges *edges;
    float scale[4];
    float longest; /* maximum coverage along the line: its length, at most 1 pixel */
};

static void init_line(struct line_edges *l, const struct cpu_edges *edges)
{
    l->edges = edges;
    for (unsigned i = 0; i < 4; i++) {
        double a = edges->a[i], b = edges->b[i], length = sqrt(a * a + b * b);
        l->scale[i] = length > 0.0 ? 1.0 / length : 0.0;
        if (i == 0) { /* along the line, which is half a pixel longer at both ends */
            l->longest = saturate((float)(length / 256.0 - 1.0));
        }
    }
}

static void line_block(const struct line_edges *l, const struct cpu_block *block,
                       struct cpu_block_samples *samples)
{
    const struct cpu_edges *e = l->edges;
    float first[4], dx[4], dy[4];
    for (unsigned i = 0; i < 4; i++) {
        int64_t at = e->c[i] + (int64_t)e->a[i] * block->x + (int64_t)e->b[i] * block->y;
        first[i] = ((float)at + e->fraction[i] * (1.0f / 256.0f)) * l->scale[i];
        dx[i] = (float)e->a[i] * l->scale[i];
        dy[i] = (float)e->b[i] * l->scale[i];
    }
    for (unsigned p = 0; p < 16; p++) {
        float d[4], x = cpu_texel_x(p), y = cpu_texel_y(p);
        for (unsigned i = 0; i < 4; i++)
            d[i] = first[i] + dx[i] * x + dy[i] * y;
        float across = saturate(d[0] < d[2] ? d[0] : d[2]);
        float along = saturate(d[1] < d[3] ? d[1] : d[3]);
        samples->pixel[p] = to_byte(across * (along < l->longest ? along : l->longest));
    }
}

static void point_block(const struct cpu_prim *prim, const struct cpu_block *block,
                        struct cpu_block_samples *samples)
{
    float edge = prim->radius / 256.0f + 0.5f;
    for (unsigned p = 0; p < 16; p++) {
        float dx = (float)(block->x + cpu_texel_x(p)) + 0.5f - prim->p.x_ref;
        float dy = (float)(block->y + cpu_texel_y(p)) + 0.5f - prim->p.y_ref;
        samples->pixel[p] = to_byte(saturate(edge - sqrtf(dx * dx + dy * dy)));
    }
}

unsigned cpu_smooth_coverage(const struct cpu_prim *prim, struct cpu_block *block,
                             struct cpu_block_samples *samples, unsigned count)
{
    struct line_edges line = {0};
    unsigned kept = 0;
    if (!prim->radius)
        init_line(&line, &prim->edges);
    for (unsigned i = 0; i < count; i++) {
        const struct cpu_block b = block[i];
        if (prim->radius)
            point_block(prim, &b, &samples[kept]);
        else
            line_block(&line, &b, &samples[kept]);
        uint32_t mask = cpu_raster_mask_samples(&samples[kept], false, b.mask);
        if (mask)
            block[kept++] = (struct cpu_block){b.x, b.y, mask};
    }
    return kept;
}
