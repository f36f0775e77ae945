/* SPDX-License-Identifier: MIT */
/* Executes one tile's commands: the worker's side of the driver. */
#include "driver/cpu/cpu_scene.h"

#include "jit/jit.h"

/* What a tile's execution carries along. */
struct tile {
    const struct cpu_scene *scene;
    int x, y;                     /* first pixel */
    uint32_t index;
    const struct cpu_draw *draw;  /* whose state is in args */
    jit_kernel_fn kernel;
    uint64_t counter;
    struct cpu_fs_args args;
    struct cpu_block block[CPU_TILE_BLOCKS * CPU_TILE_BLOCKS];
};

static uint8_t *target_tile(const struct cpu_target *t, uint32_t x, uint32_t y, uint32_t layer)
{
    uint64_t tile = (uint64_t)(y / CPU_TILE) * t->tiles_x + x / CPU_TILE;
    return t->base + layer * t->layer_stride + tile * t->tile_bytes;
}

static void bind_targets(struct tile *t, uint32_t layer)
{
    const struct cpu_scene *scene = t->scene;
    for (unsigned i = 0; i < scene->nr_cbufs; i++) {
        const struct cpu_target *c = &scene->color[i];
        if (c->base)
            t->args.color[i] = (struct cpu_target_tile){
                .base = target_tile(c, t->x, t->y, MIN2(layer, c->layers - 1)),
                .tile_w = c->tile_w,
            };
    }
    if (scene->zs.base)
        t->args.zs = (struct cpu_target_tile){
            .base = target_tile(&scene->zs, t->x, t->y, MIN2(layer, scene->zs.layers - 1)),
            .tile_w = scene->zs.tile_w,
        };
}

static void bind_draw(struct tile *t, const struct cpu_draw *draw)
{
    t->draw = draw;
    t->kernel = draw->fs->kernel ? jit_kernel_function(draw->fs->kernel) : NULL;
    t->args.state = draw->state;
    t->args.fs = draw->fs_state;
    t->args.samples_passed = draw->num_counters ? &t->counter : NULL;
}

/* Pixel bits of a block that lie in [x0, x1) × [y0, y1). */
static uint32_t rect_mask(const struct cpu_block *b, const struct drv_scissor *r)
{
    uint32_t mask = 0;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++)
            if (b->x + x >= r->minx && b->x + x < r->maxx && b->y + y >= r->miny &&
                b->y + y < r->maxy)
                mask |= 1u << cpu_layout_texel_index(x, y);
    return mask;
}

static uint32_t window_rects_mask(const struct cpu_draw *draw, const struct cpu_block *b)
{
    uint32_t inside = 0;
    for (unsigned i = 0; i < draw->num_window_rects; i++)
        inside |= rect_mask(b, &draw->window_rects[i]);
    return draw->window_rects_include ? inside : ~inside;
}

/* GL 2.1 §3.5.2: the pattern's bit for window x, y mod 32; rows and bits from the highest. */
static uint32_t stipple_mask(const uint32_t *pattern, const struct cpu_block *b)
{
    uint32_t mask = 0;
    for (unsigned y = 0; y < 4; y++) {
        uint32_t row = pattern[(b->y + y) & 31];
        for (unsigned x = 0; x < 4; x++)
            if (row >> (31 - ((b->x + x) & 31)) & 1)
                mask |= 1u << cpu_layout_texel_index(x, y);
    }
    return mask;
}

/* Applies the masks that setup does not know; returns the number of blocks left. */
static unsigned mask_blocks(const struct cpu_draw *draw, bool polygon, struct cpu_block *block,
                            unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t mask = block[i].mask;
        if (draw->stipple && polygon)
            mask &= stipple_mask(draw->stipple, &block[i]);
        if (draw->window_rects)
            mask &= window_rects_mask(draw, &block[i]);
        if (mask)
            block[kept++] = (struct cpu_block){block[i].x, block[i].y, mask};
    }
    return kept;
}

static void run_prim(struct tile *t, const struct cpu_prim *prim, bool full)
{
    if (prim->draw != t->draw)
        bind_draw(t, prim->draw);
    if (!t->kernel)
        return;
    unsigned count = full ? cpu_raster_full(t->x, t->y, t->block)
                          : cpu_raster_prim(prim, t->x, t->y, t->block);
    if (t->draw->stipple || t->draw->window_rects)
        count = mask_blocks(t->draw, prim->polygon, t->block, count);
    if (!count)
        return;
    if (prim->p.layer)
        bind_targets(t, prim->p.layer);
    t->args.primitive = &prim->p;
    t->args.count = count;
    const void *argument = &t->args;
    t->kernel(&argument);
    if (t->counter) {
        for (unsigned i = 0; i < t->draw->num_counters; i++)
            __atomic_add_fetch(t->draw->counter[i], t->counter, __ATOMIC_RELAXED);
        t->counter = 0;
    }
    if (prim->p.layer)
        bind_targets(t, 0);
}

/* Primitives lie far apart, in the order in which all tiles' were made. */
static void prefetch_command(uintptr_t command)
{
    const char *data = (const char *)(command & ~(uintptr_t)CPU_COMMAND_MASK);
    for (unsigned i = 0; i < sizeof(struct cpu_prim); i += 64)
        __builtin_prefetch(data + i);
}

void cpu_tile_run(struct cpu_scene *scene, uint32_t tile)
{
    struct tile t;
    t.scene = scene;
    t.index = tile;
    t.x = tile % scene->tiles_x * CPU_TILE;
    t.y = tile / scene->tiles_x * CPU_TILE;
    t.draw = NULL;
    t.kernel = NULL;
    t.counter = 0;
    memset(&t.args, 0, sizeof t.args);
    t.args.block = t.block;
    bind_targets(&t, 0);
    for (unsigned s = 0; s < scene->num_segments; s++) {
        const struct cpu_bin_block *b =
            cpu_scene_tile_bin(scene, s, t.x / CPU_TILE, t.y / CPU_TILE);
        for (; b; b = b->next) {
            for (unsigned i = 0; i < b->count; i++) {
                if (i + 1 < b->count)
                    prefetch_command(b->command[i + 1]);
                uintptr_t c = b->command[i];
                const void *data = (const void *)(c & ~(uintptr_t)CPU_COMMAND_MASK);
                if ((c & CPU_COMMAND_MASK) == CPU_COMMAND_CLEAR)
                    cpu_tile_clear(scene, tile, data);
                else
                    run_prim(&t, data, (c & CPU_COMMAND_MASK) == CPU_COMMAND_FULL);
            }
        }
    }
}

/* --- clears --- */

/* Writes one texel value to n texels. */
static void fill(uint8_t *dst, const uint8_t *texel, uint32_t bytes, size_t n)
{
    memcpy(dst, texel, bytes);
    for (size_t done = bytes, all = bytes * n; done < all;) {
        size_t step = MIN2(MIN2(done, all - done), 4096u / bytes * bytes);
        memcpy(dst + done, dst, step);
        done += step;
    }
}

static void fill_masked(uint8_t *dst, const uint8_t *texel, const uint8_t *mask, uint32_t bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        dst[i] = (dst[i] & ~mask[i]) | (texel[i] & mask[i]);
}

/* box: pixels of the tile, both inclusive. mask: NULL for all bits. */
static void clear_rect(uint8_t *base, uint32_t tile_w, uint32_t bytes, const struct cpu_rect *box,
                       const uint8_t *texel, const uint8_t *mask)
{
    for (int y = box->y0; y <= box->y1; y++) {
        for (int x = box->x0; x <= box->x1; x++) {
            uint32_t block = (y >> 2) * tile_w + (x >> 2);
            uint8_t *at = base + (block * 16 + cpu_layout_texel_index(x, y)) * bytes;
            if (mask)
                fill_masked(at, texel, mask, bytes);
            else
                memcpy(at, texel, bytes);
        }
    }
}

static void clear_target(const struct cpu_target *t, int x, int y,
                         const struct cpu_rect *box, const uint8_t *texel, const uint8_t *mask)
{
    bool whole = box->x0 == 0 && box->y0 == 0 && !mask &&
                 (box->x1 == CPU_TILE - 1 && box->y1 == CPU_TILE - 1);
    for (uint32_t layer = 0; layer < t->layers; layer++) {
        uint8_t *base = target_tile(t, x, y, layer);
        if (whole)
            fill(base, texel, t->texel_bytes, (size_t)CPU_TILE * CPU_TILE);
        else
            clear_rect(base, t->tile_w, t->texel_bytes, box, texel, mask);
    }
}

void cpu_tile_clear(const struct cpu_scene *scene, uint32_t tile, const struct cpu_clear *clear)
{
    int x = tile % scene->tiles_x * CPU_TILE, y = tile / scene->tiles_x * CPU_TILE;
    struct cpu_rect box = {
        MAX2(clear->box.x0 - x, 0),
        MAX2(clear->box.y0 - y, 0),
        MIN2(clear->box.x1 - x, CPU_TILE - 1),
        MIN2(clear->box.y1 - y, CPU_TILE - 1),
    };
    for (unsigned i = 0; i < scene->nr_cbufs; i++)
        if (clear->buffers & DRV_CLEAR_COLOR0 << i && scene->color[i].base)
            clear_target(&scene->color[i], x, y, &box, clear->color[i], NULL);
    if (clear->buffers & (DRV_CLEAR_DEPTH | DRV_CLEAR_STENCIL) && scene->zs.base) {
        uint64_t mask;
        memcpy(&mask, clear->zs_mask, sizeof mask);
        uint64_t all = scene->zs.texel_bytes == 8 ? ~0ull
                                                  : (1ull << scene->zs.texel_bytes * 8) - 1;
        clear_target(&scene->zs, x, y, &box, clear->zs,
                     (mask & all) == all ? NULL : clear->zs_mask);
    }
}
