/* SPDX-License-Identifier: MIT */
/* Fast clears of the tile being executed, and clears that write texels (cpu_targets.h). */
#include "driver/cpu/tile/cpu_targets.h"

#include "driver/cpu/resource/cpu_fill.h"
#include "driver/cpu/resource/cpu_sparse.h"

static unsigned tile_number(const struct cpu_target *target, int x, int y)
{
    return y / CPU_TILE * target->tiles_x + x / CPU_TILE;
}

void cpu_targets_begin(struct cpu_targets *t, const struct cpu_scene *scene, uint32_t tile)
{
    t->scene = scene;
    t->x = tile % scene->tiles_x * CPU_TILE;
    t->y = tile / scene->tiles_x * CPU_TILE;
    t->cleared = t->changed = t->unknown = 0;
    uint32_t kept = scene->kept_targets;
    while (kept) {
        int i = u_bit_scan(&kept);
        const struct cpu_target *target = cpu_scene_target(scene, i);
        if (target->layers > 1)
            t->unknown |= !cpu_storage_is_resolved(target->fast_clear->storage, true) << i;
        else if (cpu_fast_clear_get_value(target->fast_clear, target->first_layer,
                                          tile_number(target, t->x, t->y), t->value[i]))
            t->cleared |= 1u << i;
    }
}

void cpu_targets_resolve(struct cpu_targets *t, uint32_t targets, uint32_t overwritten)
{
    targets &= cpu_targets_unresolved(t);
    const uint32_t kept = ~targets;
    while (targets) {
        int i = u_bit_scan(&targets);
        const struct cpu_target *target = cpu_scene_target(t->scene, i);
        const unsigned tile = tile_number(target, t->x, t->y);
        const bool changed = t->changed >> i & 1, fill = !(overwritten >> i & 1);
        for (unsigned l = 0; l < target->layers; l++) {
            if (fill && changed)
                cpu_fast_clear_fill(target->fast_clear, target->first_layer + l, tile, t->value[i]);
            else
                cpu_fast_clear_resolve_to_write(target->fast_clear, target->first_layer + l, tile,
                                                fill);
        }
    }
    t->cleared &= kept;
    t->changed &= kept;
    t->unknown &= kept;
}

void cpu_targets_set_value(struct cpu_targets *t, unsigned target,
                           const uint8_t value[CPU_MAX_TEXEL])
{
    const uint32_t bit = 1u << target;
    if (t->cleared & bit &&
        !memcmp(value, t->value[target], cpu_scene_target(t->scene, target)->texel_bytes))
        return;
    memcpy(t->value[target], value, sizeof t->value[target]);
    t->cleared |= bit;
    t->changed |= bit;
    t->unknown &= ~bit;
}

void cpu_targets_end(struct cpu_targets *t)
{
    while (t->changed) {
        int i = u_bit_scan(&t->changed);
        const struct cpu_target *target = cpu_scene_target(t->scene, i);
        for (unsigned l = 0; l < target->layers; l++)
            cpu_fast_clear_set_value(target->fast_clear, target->first_layer + l,
                                     tile_number(target, t->x, t->y), t->value[i]);
    }
}

/* --- clears --- */

/* The part of a clear in one target of the tile. */
struct part {
    const struct cpu_target *target;
    struct cpu_rect box;
    bool all;             /* it covers all texels of the tile */
    const uint8_t *texel; /* value, CPU_MAX_TEXEL bytes */
    const uint8_t *mask;  /* bits that are cleared; NULL: all */
};

static bool is_whole_mask(const uint8_t *mask, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        if (mask[i] != 0xff)
            return false;
    return true;
}

/* Finds the part of the clear in a target of the tile at x, y. Returns false if there is none. */
static bool find_part(struct part *p, const struct cpu_scene *scene, unsigned i,
                      const struct cpu_clear *clear, int x, int y)
{
    const uint32_t buffers =
        i == CPU_ZS_TARGET ? DRV_CLEAR_DEPTH | DRV_CLEAR_STENCIL : DRV_CLEAR_COLOR0 << i;
    const struct cpu_target *target = cpu_scene_target(scene, i);
    if (!(clear->buffers & buffers) || !target->base)
        return false;
    const int w = MIN2(CPU_TILE, (int)target->width - x),
              h = MIN2(CPU_TILE, (int)target->height - y);
    *p = (struct part){
        .target = target,
        .box = {MAX2(clear->box.x0 - x, 0), MAX2(clear->box.y0 - y, 0),
                MIN2(clear->box.x1 - x, w - 1), MIN2(clear->box.y1 - y, h - 1)},
        .texel = i == CPU_ZS_TARGET ? clear->zs : clear->color[i],
        .mask = i == CPU_ZS_TARGET && !is_whole_mask(clear->zs_mask, target->texel_bytes)
                    ? clear->zs_mask
                    : NULL,
    };
    p->all = p->box.x0 == 0 && p->box.y0 == 0 && p->box.x1 == w - 1 && p->box.y1 == h - 1;
    return true;
}

/* Computes the value that texels of value `old` have after the clear. */
static void cleared_value(const struct part *p, const uint8_t *old, uint8_t value[CPU_MAX_TEXEL])
{
    for (unsigned i = 0; i < CPU_MAX_TEXEL; i++) {
        uint8_t mask = p->mask && i < p->target->texel_bytes ? p->mask[i] : 0xff;
        value[i] = (old[i] & ~mask) | (p->texel[i] & mask);
    }
}

/* Clears the pixels of the block at x, y that are in the box, in coordinates of the tile. */
static void clear_block(uint8_t *block, const struct cpu_rect *box, int x, int y,
                        const struct cpu_fill *f)
{
    for (int j = MAX2(y, box->y0); j <= MIN2(y + 3, box->y1); j++)
        for (int i = MAX2(x, box->x0); i <= MIN2(x + 3, box->x1); i++)
            cpu_fill_run(block + cpu_layout_texel_index(i, j) * f->bytes, f, 1);
}

/* Clears the box, in coordinates of the tile. Blocks that it covers completely are consecutive in a
 * row. */
static void clear_box(uint8_t *base, uint32_t tile_w, const struct cpu_rect *box,
                      const struct cpu_fill *f)
{
    size_t block_bytes = 16 * f->bytes;
    int full0 = (box->x0 + 3) & ~3,
        full1 = (box->x1 + 1) & ~3; /* columns of completely covered blocks */
    for (int y = box->y0 & ~3; y <= box->y1; y += 4) {
        uint8_t *row = base + (y >> 2) * tile_w * block_bytes;
        bool whole_rows = box->y0 <= y && box->y1 >= y + 3;
        if (whole_rows && full0 < full1)
            cpu_fill_run(row + (full0 >> 2) * block_bytes, f, (size_t)(full1 - full0) * 4);
        for (int x = box->x0 & ~3; x <= box->x1; x += 4) {
            if (whole_rows && x >= full0 && x < full1) {
                x = full1 - 4;
                continue;
            }
            clear_block(row + (x >> 2) * block_bytes, box, x, y, f);
        }
    }
}

/* Extends the box to whole blocks at the image's edges; texels outside the image are unused. */
static struct cpu_rect extend_box(const struct part *p, int x, int y)
{
    struct cpu_rect r = p->box;
    if (x + r.x1 == (int)p->target->width - 1)
        r.x1 |= 3;
    if (y + r.y1 == (int)p->target->height - 1)
        r.y1 |= 3;
    return r;
}

static void clear_texels(const struct part *p, int x, int y)
{
    const struct cpu_target *target = p->target;
    const struct cpu_rect r = extend_box(p, x, y);
    const bool whole = r.x0 == 0 && r.y0 == 0 && r.x1 == CPU_TILE - 1 && r.y1 == CPU_TILE - 1;
    struct cpu_fill f;
    cpu_fill_init(&f, p->texel, p->mask, target->texel_bytes);
    for (uint32_t i = 0; i < target->layers * target->samples; i++) {
        uint8_t *base = target->base + tile_number(target, x, y) * target->tile_bytes +
                        i * target->sample_stride;
        if (target->storage->resident && !cpu_sparse_is_resident(target->storage, base))
            continue;
        if (whole)
            cpu_fill_run(base, &f, (size_t)CPU_TILE * CPU_TILE);
        else
            clear_box(base, target->tile_w, &r, &f);
    }
}

static void clear_target(struct cpu_targets *t, unsigned i, const struct part *p)
{
    const uint32_t bit = 1u << i;
    const bool uniform = t->cleared & bit;
    if (p->target->fast_clear && (uniform || (p->all && !p->mask))) {
        uint8_t value[CPU_MAX_TEXEL];
        cleared_value(p, t->value[i], value);
        if (p->all)
            cpu_targets_set_value(t, i, value);
        if (p->all || !memcmp(value, t->value[i], p->target->texel_bytes))
            return;
    }
    cpu_targets_resolve(t, bit, 0);
    clear_texels(p, t->x, t->y);
}

void cpu_targets_clear(struct cpu_targets *t, const struct cpu_clear *clear)
{
    struct part p;
    for (unsigned i = 0; i < CPU_NUM_TARGETS; i++)
        if (find_part(&p, t->scene, i, clear, t->x, t->y))
            clear_target(t, i, &p);
}

bool cpu_targets_clear_only(const struct cpu_scene *scene, uint32_t tile)
{
    const int x = tile % scene->tiles_x * CPU_TILE, y = tile / scene->tiles_x * CPU_TILE;
    uint8_t value[CPU_NUM_TARGETS][CPU_MAX_TEXEL];
    struct part part[CPU_NUM_TARGETS];
    uint32_t found = 0;
    for (unsigned i = 0; i < CPU_NUM_TARGETS; i++) {
        struct part *p = &part[i];
        if (!find_part(p, scene, i, &scene->clear, x, y))
            continue;
        const struct cpu_target *target = p->target;
        if (!target->fast_clear || !p->all ||
            (p->mask && (target->layers > 1 ||
                         !cpu_fast_clear_get_value(target->fast_clear, target->first_layer,
                                                   tile_number(target, x, y), value[i]))))
            return false;
        found |= 1u << i;
    }
    while (found) {
        int i = u_bit_scan(&found);
        const struct cpu_target *target = part[i].target;
        cleared_value(&part[i], part[i].mask ? value[i] : part[i].texel, value[i]);
        for (unsigned l = 0; l < target->layers; l++)
            cpu_fast_clear_set_value(target->fast_clear, target->first_layer + l,
                                     tile_number(target, x, y), value[i]);
    }
    return true;
}
