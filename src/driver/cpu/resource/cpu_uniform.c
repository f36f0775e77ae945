/* SPDX-License-Identifier: MIT */
#include "driver/cpu/resource/cpu_uniform.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cpu/resource/cpu_fill.h"
#include "indium/limits.h"
#include "util/macros.h"
#include "util/thread_pool.h"

enum state { REAL, KNOWN, DEFERRED, LOCKED };

struct cpu_uniform_levels {
    struct cpu_uniform *level[DRV_MAX_TEXTURE_LEVELS]; /* atomic; NULL: all real */
};

static unsigned tiles_of_layer(const struct cpu_uniform *u)
{
    return u->level.tiles_x * u->level.tiles_y;
}

static unsigned tiles_of_level(const struct cpu_uniform *u)
{
    return tiles_of_layer(u) * u->level.layers;
}

/* --- life --- */

static struct cpu_uniform *create(struct cpu_storage *storage,
                                  const struct cpu_level_layout *layout, uint32_t texel_bytes)
{
    size_t tiles = (size_t)layout->tiles_x * layout->tiles_y * layout->layers;
    struct cpu_uniform *u = malloc(sizeof *u + tiles * (CPU_MAX_TEXEL + 1));
    if (!u)
        return NULL;
    *u = (struct cpu_uniform){
        .level = *layout, .texel_bytes = texel_bytes, .storage = storage, .value = (void *)(u + 1)};
    u->state = (uint8_t *)(u->value + tiles);
    memset(u->state, REAL, tiles);
    return u;
}

/* Puts a new object there unless another thread was faster. What is there then; NULL: no memory. */
static void *publish(void *place, void *made)
{
    void **at = place, *there = NULL;
    if (!made ||
        __atomic_compare_exchange_n(at, &there, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return there;
}

struct cpu_uniform *cpu_uniform_get(struct cpu_storage *storage, unsigned level,
                                    const struct cpu_level_layout *layout, uint32_t texel_bytes)
{
    if (storage->memory)
        return NULL;
    struct cpu_uniform_levels *levels = __atomic_load_n(&storage->uniform, __ATOMIC_ACQUIRE);
    if (!levels)
        levels = publish(&storage->uniform, calloc(1, sizeof *levels));
    if (!levels)
        return NULL;
    struct cpu_uniform *u = __atomic_load_n(&levels->level[level], __ATOMIC_ACQUIRE);
    return u ? u : publish(&levels->level[level], create(storage, layout, texel_bytes));
}

const struct cpu_uniform *cpu_uniform_find(const struct cpu_storage *storage, unsigned level)
{
    const struct cpu_uniform_levels *levels = __atomic_load_n(&storage->uniform, __ATOMIC_ACQUIRE);
    return levels ? __atomic_load_n(&levels->level[level], __ATOMIC_ACQUIRE) : NULL;
}

void cpu_uniform_destroy(struct cpu_storage *storage)
{
    if (!storage->uniform)
        return;
    for (unsigned i = 0; i < DRV_MAX_TEXTURE_LEVELS; i++)
        free(storage->uniform->level[i]);
    free(storage->uniform);
}

/* --- one tile --- */

static enum state lock(const struct cpu_uniform *u, unsigned i)
{
    for (;;) {
        enum state s = __atomic_exchange_n(&u->state[i], LOCKED, __ATOMIC_ACQUIRE);
        if (s != LOCKED)
            return s;
        sched_yield();
    }
}

/* With what the tile becomes; before is what lock returned. */
static void unlock(const struct cpu_uniform *u, unsigned i, enum state before, enum state now)
{
    struct cpu_storage *s = u->storage;
    if ((before == REAL) != (now == REAL))
        __atomic_add_fetch(&s->uniform_tiles, now == REAL ? -1u : 1u, __ATOMIC_RELEASE);
    if ((before == DEFERRED) != (now == DEFERRED))
        __atomic_add_fetch(&s->deferred_tiles, now == DEFERRED ? 1u : -1u, __ATOMIC_RELEASE);
    __atomic_store_n(&u->state[i], now, __ATOMIC_RELEASE);
}

static unsigned tile_index(const struct cpu_uniform *u, unsigned layer, unsigned tile)
{
    return layer * tiles_of_layer(u) + tile;
}

static bool is_real(const struct cpu_uniform *u, unsigned i)
{
    return __atomic_load_n(&u->state[i], __ATOMIC_ACQUIRE) == REAL;
}

bool cpu_uniform_value(const struct cpu_uniform *u, unsigned layer, unsigned tile,
                       uint8_t value[CPU_MAX_TEXEL])
{
    const unsigned i = tile_index(u, layer, tile);
    if (is_real(u, i))
        return false;
    enum state s = lock(u, i);
    memcpy(value, u->value[i], sizeof u->value[i]);
    unlock(u, i, s, s);
    return s != REAL;
}

void cpu_uniform_set(struct cpu_uniform *u, unsigned layer, unsigned tile,
                     const uint8_t value[CPU_MAX_TEXEL])
{
    const unsigned i = tile_index(u, layer, tile);
    enum state s = lock(u, i);
    bool same = s != REAL && !memcmp(u->value[i], value, u->texel_bytes);
    memcpy(u->value[i], value, sizeof u->value[i]);
    unlock(u, i, s, same ? s : DEFERRED);
}

/* Gives the tile's texels in memory that value. The tile is locked. */
static void fill_tile(const struct cpu_uniform *u, unsigned layer, unsigned tile,
                      const uint8_t value[CPU_MAX_TEXEL])
{
    const struct cpu_level_layout *l = &u->level;
    /* only tiles of levels that are lower than one have fewer rows (cpu_layout_init) */
    const uint32_t rows = l->tiles_y == 1 ? DIV_ROUND_UP(l->height, 4) : 16;
    uint8_t *base = u->storage->data + l->offset + layer * l->layer_stride +
                    (uint64_t)tile * 16 * l->tile_w * 16 * u->texel_bytes;
    struct cpu_fill f;
    cpu_fill_init(&f, value, NULL, u->texel_bytes);
    for (unsigned s = 0; s < l->samples; s++)
        cpu_fill_run(base + s * l->sample_stride, &f, (size_t)rows * l->tile_w * 16);
}

/* Brings the memory up to date, and makes the tile real if asked to. */
static void resolve(const struct cpu_uniform *u, unsigned layer, unsigned tile, bool fill,
                    bool write)
{
    const unsigned i = tile_index(u, layer, tile);
    if (is_real(u, i))
        return;
    enum state s = lock(u, i);
    if (s == DEFERRED && fill)
        fill_tile(u, layer, tile, u->value[i]);
    unlock(u, i, s, write || s == REAL ? REAL : KNOWN);
}

void cpu_uniform_take(const struct cpu_uniform *u, unsigned layer, unsigned tile, bool fill)
{
    resolve(u, layer, tile, fill, true);
}

void cpu_uniform_take_filled(const struct cpu_uniform *u, unsigned layer, unsigned tile,
                             const uint8_t value[CPU_MAX_TEXEL])
{
    const unsigned i = tile_index(u, layer, tile);
    enum state s = lock(u, i);
    fill_tile(u, layer, tile, value);
    unlock(u, i, s, REAL);
}

/* --- whole storages --- */

struct resolution {
    const struct cpu_uniform *u;
    bool write;
};

#define TILES_OF_JOB 16

static void resolve_tiles(void *data, unsigned index)
{
    const struct resolution *r = data;
    const unsigned tiles = tiles_of_layer(r->u), first = index * TILES_OF_JOB;
    const unsigned end = MIN2(first + TILES_OF_JOB, tiles_of_level(r->u));
    for (unsigned i = first; i < end; i++)
        resolve(r->u, i / tiles, i % tiles, true, r->write);
}

void cpu_storage_resolve(struct cpu_storage *storage, bool write)
{
    if (cpu_storage_is_resolved(storage, write))
        return;
    for (unsigned i = 0; i < DRV_MAX_TEXTURE_LEVELS; i++) {
        struct resolution r = {cpu_uniform_find(storage, i), write};
        if (r.u)
            thread_pool_run(resolve_tiles, &r, DIV_ROUND_UP(tiles_of_level(r.u), TILES_OF_JOB));
    }
}
