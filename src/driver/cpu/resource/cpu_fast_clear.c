/* SPDX-License-Identifier: MIT */
/* States of tiles whose texels all have one value, and the writing of their texels to memory. */
#include "driver/cpu/resource/cpu_fast_clear.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cpu/resource/cpu_fill.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "indium/limits.h"
#include "util/macros.h"
#include "util/thread_pool.h"

enum state { TEXELS, SAME, CLEARED, LOCKED };

struct cpu_fast_clear_levels {
    struct cpu_fast_clear *level[DRV_MAX_TEXTURE_LEVELS]; /* atomic; NULL: all tiles are TEXELS */
};

static unsigned tiles_of_layer(const struct cpu_fast_clear *f)
{
    return f->level.tiles_x * f->level.tiles_y;
}

static unsigned tiles_of_level(const struct cpu_fast_clear *f)
{
    return tiles_of_layer(f) * f->level.layers;
}

/* --- creation --- */

static struct cpu_fast_clear *create(struct cpu_storage *storage,
                                     const struct cpu_level_layout *layout, uint32_t texel_bytes)
{
    size_t tiles = (size_t)layout->tiles_x * layout->tiles_y * layout->layers;
    struct cpu_fast_clear *f = malloc(sizeof *f + tiles * (CPU_MAX_TEXEL + 1));
    if (!f)
        return NULL;
    *f = (struct cpu_fast_clear){
        .level = *layout, .texel_bytes = texel_bytes, .storage = storage, .value = (void *)(f + 1)};
    f->state = (uint8_t *)(f->value + tiles);
    memset(f->state, TEXELS, tiles);
    return f;
}

/* Stores the new object at *place unless another thread has stored one, and frees it in that case.
 * Returns what is stored at *place, or NULL if `made` is NULL. */
static void *publish(void *place, void *made)
{
    void **at = place, *there = NULL;
    if (!made ||
        __atomic_compare_exchange_n(at, &there, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return there;
}

struct cpu_fast_clear *cpu_fast_clear_get(struct cpu_storage *storage, unsigned level,
                                          const struct cpu_level_layout *layout,
                                          uint32_t texel_bytes)
{
    if (storage->memory)
        return NULL;
    struct cpu_fast_clear_levels *levels = __atomic_load_n(&storage->fast_clear, __ATOMIC_ACQUIRE);
    if (!levels)
        levels = publish(&storage->fast_clear, calloc(1, sizeof *levels));
    if (!levels)
        return NULL;
    struct cpu_fast_clear *f = __atomic_load_n(&levels->level[level], __ATOMIC_ACQUIRE);
    return f ? f : publish(&levels->level[level], create(storage, layout, texel_bytes));
}

const struct cpu_fast_clear *cpu_fast_clear_find(const struct cpu_storage *storage, unsigned level)
{
    const struct cpu_fast_clear_levels *levels =
        __atomic_load_n(&storage->fast_clear, __ATOMIC_ACQUIRE);
    return levels ? __atomic_load_n(&levels->level[level], __ATOMIC_ACQUIRE) : NULL;
}

void cpu_fast_clear_destroy(struct cpu_storage *storage)
{
    if (!storage->fast_clear)
        return;
    for (unsigned i = 0; i < DRV_MAX_TEXTURE_LEVELS; i++)
        free(storage->fast_clear->level[i]);
    free(storage->fast_clear);
}

/* --- one tile --- */

static enum state lock(const struct cpu_fast_clear *f, unsigned i)
{
    for (;;) {
        enum state s = __atomic_exchange_n(&f->state[i], LOCKED, __ATOMIC_ACQUIRE);
        if (s != LOCKED)
            return s;
        sched_yield();
    }
}

/* Unlocks a tile and sets its state to `now`; `before` is what lock() returned. */
static void unlock(const struct cpu_fast_clear *f, unsigned i, enum state before, enum state now)
{
    struct cpu_storage *s = f->storage;
    if ((before == TEXELS) != (now == TEXELS))
        __atomic_add_fetch(&s->cleared_tiles, now == TEXELS ? -1u : 1u, __ATOMIC_RELEASE);
    if ((before == CLEARED) != (now == CLEARED))
        __atomic_add_fetch(&s->deferred_tiles, now == CLEARED ? 1u : -1u, __ATOMIC_RELEASE);
    __atomic_store_n(&f->state[i], now, __ATOMIC_RELEASE);
}

static unsigned tile_index(const struct cpu_fast_clear *f, unsigned layer, unsigned tile)
{
    return layer * tiles_of_layer(f) + tile;
}

static bool has_texels(const struct cpu_fast_clear *f, unsigned i)
{
    return __atomic_load_n(&f->state[i], __ATOMIC_ACQUIRE) == TEXELS;
}

bool cpu_fast_clear_get_value(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                              uint8_t value[CPU_MAX_TEXEL])
{
    const unsigned i = tile_index(f, layer, tile);
    if (has_texels(f, i))
        return false;
    enum state s = lock(f, i);
    memcpy(value, f->value[i], sizeof f->value[i]);
    unlock(f, i, s, s);
    return s != TEXELS;
}

void cpu_fast_clear_set_value(struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                              const uint8_t value[CPU_MAX_TEXEL])
{
    const unsigned i = tile_index(f, layer, tile);
    enum state s = lock(f, i);
    bool same = s != TEXELS && !memcmp(f->value[i], value, f->texel_bytes);
    memcpy(f->value[i], value, sizeof f->value[i]);
    unlock(f, i, s, same ? s : CLEARED);
}

/* Writes the value to all texels of a locked tile. */
static void fill_tile(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                      const uint8_t value[CPU_MAX_TEXEL])
{
    const struct cpu_level_layout *l = &f->level;
    /* a tile has fewer than 16 rows of blocks only in levels of one row of tiles */
    const uint32_t rows = l->tiles_y == 1 ? DIV_ROUND_UP(l->height, 4) : 16;
    uint8_t *base = f->storage->data + l->offset + layer * l->layer_stride +
                    (uint64_t)tile * 16 * l->tile_w * 16 * f->texel_bytes;
    struct cpu_fill fill;
    cpu_fill_init(&fill, value, NULL, f->texel_bytes);
    for (unsigned s = 0; s < l->samples; s++)
        cpu_fill_run(base + s * l->sample_stride, &fill, (size_t)rows * l->tile_w * 16);
}

/* Updates the memory if `fill` is set; with `write`, the state becomes TEXELS. */
static void resolve(const struct cpu_fast_clear *f, unsigned layer, unsigned tile, bool fill,
                    bool write)
{
    const unsigned i = tile_index(f, layer, tile);
    if (has_texels(f, i))
        return;
    enum state s = lock(f, i);
    if (s == CLEARED && fill)
        fill_tile(f, layer, tile, f->value[i]);
    unlock(f, i, s, write || s == TEXELS ? TEXELS : SAME);
}

void cpu_fast_clear_resolve_to_write(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                                     bool fill)
{
    resolve(f, layer, tile, fill, true);
}

void cpu_fast_clear_fill(const struct cpu_fast_clear *f, unsigned layer, unsigned tile,
                         const uint8_t value[CPU_MAX_TEXEL])
{
    const unsigned i = tile_index(f, layer, tile);
    enum state s = lock(f, i);
    fill_tile(f, layer, tile, value);
    unlock(f, i, s, TEXELS);
}

/* --- whole storages --- */

struct resolution {
    const struct cpu_fast_clear *f;
    bool write;
};

#define TILES_OF_JOB 16

static void resolve_tiles(void *data, unsigned index)
{
    const struct resolution *r = data;
    const unsigned tiles = tiles_of_layer(r->f), first = index * TILES_OF_JOB;
    const unsigned end = MIN2(first + TILES_OF_JOB, tiles_of_level(r->f));
    for (unsigned i = first; i < end; i++)
        resolve(r->f, i / tiles, i % tiles, true, r->write);
}

void cpu_storage_resolve(struct cpu_storage *storage, bool write)
{
    if (__atomic_load_n(&storage->undecoded, __ATOMIC_ACQUIRE))
        cpu_resource_decode(storage);
    if (cpu_storage_is_resolved(storage, write))
        return;
    for (unsigned i = 0; i < DRV_MAX_TEXTURE_LEVELS; i++) {
        struct resolution r = {cpu_fast_clear_find(storage, i), write};
        if (r.f)
            thread_pool_run(resolve_tiles, &r, DIV_ROUND_UP(tiles_of_level(r.f), TILES_OF_JOB));
    }
}
