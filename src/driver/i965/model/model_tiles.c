/* SPDX-License-Identifier: MIT */
/*
 * Distributes the pixels of a draw to threads. Polygons wait in a queue. Each worker takes every
 * n-th tile of the screen and shades all polygons there in their order. Pixel shader threads never
 * combine quads of different tiles, so the result is the same with any number of workers.
 */
#include <stdlib.h>
#include <string.h>

#include "model_raster.h"
#include "model_worker.h"
#include "util/thread_pool.h"

#define QUEUE_BYTES  (4u << 20)
#define MIN_PARALLEL 4096u /* Pixels for which it is worth waking other threads. */
#define ENTRY_ALIGN  16u

/* A polygon in the queue, followed by its setup without unused attributes. */
struct entry {
    struct model_polygon polygon;
    uint32_t bytes; /* Of this entry. */
    struct model_setup setup __attribute__((aligned(ENTRY_ALIGN)));
};

struct pixel_worker {
    struct model_worker base;
    struct model_pixel pixel;
};

struct model_queue {
    uint32_t used, count;
    uint64_t area; /* Pixels in the bounds of the polygons. */
    struct model_context *ctx;
    unsigned workers;
    struct pixel_worker *worker[MODEL_MAX_WORKERS];
    uint8_t bytes[QUEUE_BYTES] __attribute__((aligned(ENTRY_ALIGN)));
};

bool model_queue_create(struct model_pixel *p)
{
    p->queue = aligned_alloc(64, (sizeof *p->queue + 63) & ~63ul);
    if (p->queue)
        memset(p->queue, 0, offsetof(struct model_queue, bytes));
    return p->queue;
}

void model_queue_destroy(struct model_pixel *p)
{
    for (unsigned i = 0; p->queue && i < MODEL_MAX_WORKERS; i++) {
        if (p->queue->worker[i])
            free(p->queue->worker[i]->pixel.scratch);
        free(p->queue->worker[i]);
    }
    free(p->queue);
    p->queue = NULL;
}

static const struct entry *entry_at(const struct model_queue *q, uint32_t offset)
{
    return (const struct entry *)(const void *)(q->bytes + offset);
}

/* Shades the polygons in the tiles of one worker. */
static bool shade_tiles(struct model_context *ctx, const struct model_queue *q, unsigned owners,
                        unsigned owner, uint64_t *at)
{
    struct model_fragments f = {.ctx = ctx};
    uint32_t index = 0;

    for (uint32_t offset = 0; offset < q->used; index++) {
        const struct entry *e = entry_at(q, offset);
        uint32_t tile = 0;
        f.setup = &e->setup;
        if (!model_scan_polygon(&f, &e->polygon, owners, owner, &tile)) {
            *at = (uint64_t)index << 32 | tile;
            return false;
        }
        offset += e->bytes;
    }
    return true;
}

/* Makes a worker's copy of the context and of the pixel half. */
static bool begin_worker(struct model_queue *q, struct pixel_worker *w)
{
    uint8_t *scratch = w->pixel.scratch;

    model_worker_begin(&w->base, q->ctx);
    w->pixel = *q->ctx->pixel;
    w->pixel.queue = NULL;
    w->pixel.scratch = scratch;
    memset(&w->pixel.env, 0, sizeof w->pixel.env);
    w->base.ctx.pixel = &w->pixel;
    return model_pixel_env_init(&w->base.ctx);
}

static void run_worker(void *data, unsigned index)
{
    struct model_queue *q = data;
    struct pixel_worker *w = q->worker[index];

    w->base.failed =
        !begin_worker(q, w) || !shade_tiles(&w->base.ctx, q, q->workers, index, &w->base.at);
    model_env_finish(&w->pixel.env);
}

/* Returns how many workers shade the queue: 1 if the context itself does. */
static unsigned prepare_workers(struct model_queue *q, const struct model_pixel *p)
{
    unsigned count = p->parallel && q->area >= MIN_PARALLEL ? model_worker_count(q->ctx) : 1;

    for (unsigned i = 0; i < count && count > 1; i++) {
        if (!q->worker[i])
            q->worker[i] = calloc(1, sizeof *q->worker[i]);
        if (!q->worker[i])
            count = 1;
    }
    return count;
}

bool model_queue_flush(struct model_context *ctx)
{
    struct model_queue *q = ctx->pixel->queue;
    uint64_t at;
    bool ok;

    if (!q->count)
        return true;
    q->ctx = ctx;
    q->workers = prepare_workers(q, ctx->pixel);
    if (q->workers == 1) {
        ok = shade_tiles(ctx, q, 1, 0, &at);
    } else {
        thread_pool_run(run_worker, q, q->workers);
        ok = model_workers_end(ctx, (struct model_worker *const *)(void *)q->worker, q->workers);
    }
    q->used = q->count = 0;
    q->area = 0;
    return ok;
}

bool model_queue_polygon(struct model_context *ctx, const struct model_setup *s,
                         const int32_t (*corner)[2], unsigned corners)
{
    struct model_queue *q = ctx->pixel->queue;
    const size_t setup =
        offsetof(struct model_setup, attribute) + sizeof s->attribute[0] * 4 * s->num_attributes;
    const size_t bytes =
        (offsetof(struct entry, setup) + setup + ENTRY_ALIGN - 1) & ~(size_t)(ENTRY_ALIGN - 1);
    struct model_polygon polygon;

    model_polygon_init(&polygon, ctx->pixel, s, corner, corners);
    const struct model_window *w = &polygon.window;
    if (w->x0 >= w->x1 || w->y0 >= w->y1)
        return true;
    if (q->used + bytes > sizeof q->bytes && !model_queue_flush(ctx))
        return false;
    struct entry *e = (struct entry *)(void *)(q->bytes + q->used);
    e->polygon = polygon;
    e->bytes = (uint32_t)bytes;
    memcpy(&e->setup, s, setup);
    q->used += (uint32_t)bytes;
    q->count++;
    q->area += (uint64_t)(w->x1 - w->x0) * (uint64_t)(w->y1 - w->y0);
    return true;
}
