/* SPDX-License-Identifier: MIT */
/* Life cycle of scenes: recording, execution on the workers, reuse. Also fences. */
#include "driver/cpu/tile/cpu_scene.h"

#include <stdlib.h>

#include "driver/cpu/kernel/cpu_shader_object.h"
#include "driver/cpu/tile/cpu_targets.h"
#include "jit/jit.h"
#include "util/check.h"
#include "util/refcount.h"

static uint64_t next_scene_id;

struct cpu_fence *cpu_fence_create(void)
{
    struct cpu_fence *f = calloc(1, sizeof *f);
    if (f)
        f->refcount = 1;
    return f;
}

void cpu_fence_release(struct cpu_fence *fence)
{
    if (fence && ref_drop(&fence->refcount))
        free(fence);
}

struct cpu_scene *cpu_scene_create(struct arena_pool *pool)
{
    struct cpu_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return NULL;
    list_init(&scene->link);
    scene->pool = pool;
    return scene;
}

static void segment_destroy(struct cpu_segment *s)
{
    if (!s)
        return;
    arena_destroy(s->own);
    free(s->bin);
    free(s);
}

void cpu_scene_destroy(struct cpu_scene *scene)
{
    if (!scene)
        return;
    CHECK(!scene->fence && !scene->uses.count); /* it is idle */
    for (unsigned i = 0; i < scene->segments.count; i++)
        segment_destroy(scene->segments.data[i]);
    dynarray_finish(&scene->segments);
    for (unsigned i = 0; i < scene->arenas.count; i++)
        arena_destroy(scene->arenas.data[i]);
    dynarray_finish(&scene->arenas);
    dynarray_finish(&scene->uses);
    dynarray_finish(&scene->kept);
    free(scene->use_slot);
    dynarray_finish(&scene->shaders);
    dynarray_finish(&scene->kernels);
    dynarray_finish(&scene->tiles);
    dynarray_finish(&scene->bins);
    free(scene);
}

static struct cpu_scene_use *add_use(struct cpu_scene *scene, struct cpu_storage *storage);

/* Initializes a target and adds its storage to the uses. Returns false if out of memory. */
static bool init_target(struct cpu_scene *scene, struct cpu_target *t,
                        const struct drv_surface *surface)
{
    *t = (struct cpu_target){0};
    if (!surface->texture)
        return true;
    const struct cpu_resource *r = cpu_resource(surface->texture);
    const struct cpu_level_layout *l = &r->level[surface->level];
    *t = (struct cpu_target){
        .base = cpu_resource_address(r, surface->level, surface->first_layer),
        .format = surface->format,
        .texel_bytes = r->texel_bytes,
        .tile_w = l->tile_w,
        .tiles_x = l->tiles_x,
        .width = l->width,
        .height = l->height,
        .layers = MAX2(surface->last_layer, surface->first_layer) - surface->first_layer + 1,
        .samples = l->samples,
        .layer_stride = l->layer_stride,
        .sample_stride = l->sample_stride,
        .tile_bytes = (uint64_t)l->tile_w * 16 * 16 * r->texel_bytes,
        .storage = r->storage,
        .fast_clear = cpu_fast_clear_get(r->storage, surface->level, l, r->texel_bytes),
        .first_layer = surface->first_layer,
    };
    struct cpu_scene_use *use = add_use(scene, r->storage);
    if (use)
        use->write = true;
    cpu_storage_note_change();
    return use;
}

/* Limits the framebuffer size to that of a buffer, because rendering must stay inside every
 * buffer. */
static void bound_size(struct cpu_scene *scene, const struct drv_surface *surface)
{
    if (!surface->texture)
        return;
    const struct cpu_level_layout *l = &cpu_resource(surface->texture)->level[surface->level];
    scene->width = MIN2(scene->width, l->width);
    scene->height = MIN2(scene->height, l->height);
}

bool cpu_scene_begin(struct cpu_scene *scene, const struct drv_framebuffer *fb)
{
    CHECK(!scene->fence && !scene->uses.count); /* it is idle */
    CHECK(!scene->num_segments && !scene->shaders.count);
    scene->id = __atomic_add_fetch(&next_scene_id, 1, __ATOMIC_RELAXED);
    scene->width = fb->width;
    scene->height = fb->height;
    scene->nr_cbufs = fb->nr_cbufs;
    scene->stop = (struct watchdog_stop){0};
    scene->command = 0;
    scene->work.run = NULL;
    scene->read = NULL;
    scene->clear.buffers = 0;
    scene->num_segments = scene->touched_segments = 0;
    scene->counted_segments = scene->checked_segments = 0;
    scene->counted_bytes = scene->table_bytes = 0;
    scene->shaders_write = scene->fenced = false;
    scene->fences = 0;
    for (unsigned i = 0; i < fb->nr_cbufs; i++)
        bound_size(scene, &fb->cbufs[i]);
    bound_size(scene, &fb->zsbuf);
    scene->tiles_x = DIV_ROUND_UP(scene->width, CPU_TILE);
    scene->tiles_y = DIV_ROUND_UP(scene->height, CPU_TILE);
    scene->fence = cpu_fence_create();
    bool ok = scene->fence;
    for (unsigned i = 0; i < fb->nr_cbufs; i++)
        ok = init_target(scene, &scene->color[i], &fb->cbufs[i]) && ok;
    ok = init_target(scene, &scene->zs, &fb->zsbuf) && ok;
    if (!ok)
        cpu_scene_finish(scene);
    return ok;
}

static const struct cpu_tile_range no_tiles = {UINT16_MAX, UINT16_MAX, 0, 0};

/* Returns a segment of an earlier recording, or a new one. */
static struct cpu_segment *take_segment(struct cpu_scene *scene)
{
    if (scene->num_segments < scene->segments.count)
        return scene->segments.data[scene->num_segments];
    struct cpu_segment *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->range = no_tiles;
    /* workers fill many small segments; the first one may hold a whole large scene */
    s->own = arena_create_in(NULL, scene->num_segments ? scene->pool : NULL);
    if (!s->own || !dynarray_append(&scene->segments, s)) {
        segment_destroy(s);
        return NULL;
    }
    return s;
}

/* Makes sure that there is an empty bin for each tile. All bins of an unused segment are empty. */
static bool reserve_bins(struct cpu_segment *s, uint32_t tiles)
{
    if (tiles <= s->bins)
        return true;
    struct cpu_bin *bin = calloc(tiles, sizeof *bin);
    if (!bin)
        return false;
    free(s->bin);
    s->bin = bin;
    s->bins = tiles;
    return true;
}

struct cpu_segment *cpu_scene_new_segment(struct cpu_scene *scene)
{
    CHECK(scene->fence); /* it records */
    struct cpu_segment *s = take_segment(scene);
    if (!s || !reserve_bins(s, scene->tiles_x * scene->tiles_y))
        return NULL;
    if (s->arena != s->own) {
        s->arena = s->own;
        s->slab = (struct cpu_vertex_slab){0};
    }
    CHECK(cpu_segment_is_empty(s) && scene->num_segments < scene->segments.count);
    s->out_of_memory = false;
    scene->num_segments++;
    scene->touched_segments = MAX2(scene->touched_segments, scene->num_segments);
    return s;
}

struct arena *cpu_scene_arena(struct cpu_scene *scene, unsigned i)
{
    while (i >= scene->arenas.count) {
        struct arena *arena = arena_create_in(NULL, scene->pool);
        if (!arena || !dynarray_append(&scene->arenas, arena)) {
            arena_destroy(arena);
            return NULL;
        }
    }
    return scene->arenas.data[i];
}

void cpu_scene_drop_empty(struct cpu_scene *scene)
{
    struct cpu_segment **data = scene->segments.data;
    uint32_t kept = scene->counted_segments;
    CHECK(kept <= scene->num_segments);
    for (uint32_t i = kept; i < scene->num_segments; i++) {
        struct cpu_segment *s = data[i];
        if (cpu_segment_is_empty(s) && !s->out_of_memory)
            continue;
        data[i] = data[kept];
        NEXT_WITHIN(data, kept, scene->num_segments) = s;
    }
    scene->num_segments = kept;
}

struct cpu_segment *cpu_scene_segment(struct cpu_scene *scene)
{
    return scene->num_segments ? scene->segments.data[scene->num_segments - 1]
                               : cpu_scene_new_segment(scene);
}

size_t cpu_scene_memory(struct cpu_scene *scene)
{
    if (!scene->num_segments)
        return 0;
    /* all segments but the last are complete */
    for (; scene->counted_segments + 1 < scene->num_segments; scene->counted_segments++)
        scene->counted_bytes += arena_used(scene->segments.data[scene->counted_segments]->own);
    size_t bytes =
        scene->counted_bytes + arena_used(scene->segments.data[scene->num_segments - 1]->own);
    for (unsigned i = 0; i < scene->arenas.count; i++)
        bytes += arena_used(scene->arenas.data[i]);
    return bytes - MIN2(bytes, scene->table_bytes);
}

bool cpu_scene_lost(struct cpu_scene *scene)
{
    bool lost = false;
    unsigned i = scene->checked_segments;
    for (; i < scene->num_segments; i++) {
        struct cpu_segment *s = scene->segments.data[i];
        lost |= s->out_of_memory;
        s->out_of_memory = false;
    }
    /* the last segment may lose more commands */
    scene->checked_segments = i ? i - 1 : 0;
    return lost;
}

/* Returns the slot of the storage, or the empty slot for it. The table must have an empty slot. */
static uint32_t find_slot(const struct cpu_scene *scene, const struct cpu_storage *storage)
{
    uint32_t mask = scene->use_slots - 1;
    uint32_t slot = (uintptr_t)storage * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
    while (scene->use_slot[slot] && scene->uses.data[scene->use_slot[slot] - 1].storage != storage)
        slot = (slot + 1) & mask;
    return slot;
}

/* Returns the use of a storage, or NULL. */
static struct cpu_scene_use *find_use(const struct cpu_scene *scene,
                                      const struct cpu_storage *storage)
{
    uint32_t found = scene->use_slots ? scene->use_slot[find_slot(scene, storage)] : 0;
    return found ? &scene->uses.data[found - 1] : NULL;
}

/* Makes sure that a use can be added. Half of the slots stay empty. */
static bool reserve_use(struct cpu_scene *scene)
{
    if (!dynarray_reserve(&scene->uses, 1))
        return false;
    if (scene->uses.count < scene->use_slots / 2)
        return true;
    uint32_t slots = MAX2(2 * scene->use_slots, 64);
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(scene->use_slot);
    scene->use_slot = slot;
    scene->use_slots = slots;
    for (uint32_t i = 0; i < scene->uses.count; i++) {
        struct cpu_scene_use *use = &scene->uses.data[i];
        use->slot = find_slot(scene, use->storage);
        slot[use->slot] = i + 1;
    }
    return true;
}

/* Returns the use of a storage, which it adds if necessary, or NULL if out of memory. */
static struct cpu_scene_use *add_use(struct cpu_scene *scene, struct cpu_storage *storage)
{
    struct cpu_scene_use *use = find_use(scene, storage);
    if (use)
        return use;
    if (!reserve_use(scene))
        return NULL;
    uint32_t slot = find_slot(scene, storage);
    CHECK(!scene->use_slot[slot]);
    use = &NEXT_WITHIN(scene->uses.data, scene->uses.count, scene->uses.capacity);
    *use = (struct cpu_scene_use){.storage = storage, .slot = slot};
    scene->use_slot[slot] = scene->uses.count;
    cpu_storage_reference(storage);
    __atomic_add_fetch(&storage->users, 1, __ATOMIC_RELAXED);
    return use;
}

bool cpu_scene_use(struct cpu_scene *scene, struct cpu_storage *storage, bool write)
{
    /* other contexts may have replaced scene_id since, so only an equal id has a meaning */
    if (!write && __atomic_load_n(&storage->scene_id, __ATOMIC_RELAXED) == scene->id)
        return true;
    struct cpu_scene_use *use = add_use(scene, storage);
    if (!use)
        return false;
    use->shader = true;
    if (write && !use->write)
        cpu_storage_note_change();
    use->write |= write;
    use->shader_write |= write;
    __atomic_store_n(&storage->scene_id, scene->id, __ATOMIC_RELAXED);
    return true;
}

bool cpu_scene_keep(struct cpu_scene *scene, struct cpu_storage *storage)
{
    if (!dynarray_append(&scene->kept, storage))
        return false;
    cpu_storage_reference(storage);
    return true;
}

bool cpu_scene_uses(const struct cpu_scene *scene, const struct cpu_storage *storage, bool write)
{
    if (!__atomic_load_n(&storage->users, __ATOMIC_ACQUIRE))
        return false;
    const struct cpu_scene_use *use = find_use(scene, storage);
    return use && (use->write || !write);
}

void cpu_scene_fence(struct cpu_scene *scene)
{
    if (!scene->shaders_write)
        return;
    scene->fenced = true;
    scene->fences++;
    for (unsigned i = 0; i < scene->uses.count; i++) {
        struct cpu_scene_use *use = &scene->uses.data[i];
        use->fenced = true;
        use->fenced_write = use->write;
    }
}

bool cpu_scene_is_fenced(const struct cpu_scene *scene, const struct cpu_storage *storage,
                         bool write)
{
    if (!scene->fenced)
        return false;
    const struct cpu_scene_use *use = find_use(scene, storage);
    return use && (use->fenced_write || (write && use->fenced));
}

bool cpu_scene_use_shader(struct cpu_scene *scene, struct cpu_shader_object *shader)
{
    if (__atomic_load_n(&shader->scene_id, __ATOMIC_RELAXED) == scene->id)
        return true;
    if (!dynarray_append(&scene->shaders, shader))
        return false;
    cpu_shader_object_reference(shader);
    __atomic_store_n(&shader->scene_id, scene->id, __ATOMIC_RELAXED);
    return true;
}

bool cpu_scene_read(struct cpu_scene *scene, const struct cpu_copy *copy)
{
    if (!copy->width || !copy->height || copy->x + copy->width > scene->width ||
        copy->y + copy->height > scene->height)
        return false;
    for (unsigned i = 0; i < scene->nr_cbufs; i++) {
        if (scene->color[i].base != copy->plane)
            continue;
        scene->read = copy;
        return true;
    }
    return false;
}

static bool reads_tile(const struct cpu_scene *scene, uint32_t tile)
{
    const struct cpu_copy *c = scene->read;
    uint32_t x = tile % scene->tiles_x, y = tile / scene->tiles_x;
    return c && x >= c->x / CPU_TILE && x <= (c->x + c->width - 1) / CPU_TILE &&
           y >= c->y / CPU_TILE && y <= (c->y + c->height - 1) / CPU_TILE;
}

bool cpu_scene_use_kernel(struct cpu_scene *scene, struct jit_kernel *kernel)
{
    const bool compiled = jit_kernel_is_ready(kernel) && !jit_kernel_has_failed(kernel);
    return compiled || dynarray_append(&scene->kernels, kernel);
}

bool cpu_scene_await_kernels(struct cpu_scene *scene)
{
    bool all = true;
    for (unsigned i = 0; i < scene->kernels.count; i++)
        all = jit_kernel_function(scene->kernels.data[i]).run && all;
    scene->kernels.count = 0;
    return all;
}

static void run_tile(void *data, unsigned index)
{
    struct cpu_scene *scene = data;
    CHECK(index < scene->tiles.count);
    uint32_t tile = scene->tiles.data[index];
    if (scene->bins.data[tile].first || scene->clear.buffers)
        cpu_tile_run(scene, tile);
    if (scene->read) {
        uint32_t x = tile % scene->tiles_x * CPU_TILE, y = tile / scene->tiles_x * CPU_TILE;
        cpu_copy_part(scene->read, x, y, x + CPU_TILE, y + CPU_TILE);
    }
}

/* Returns whether the scene contains the tile range of the segment, and the segment has enough bins
 * for all tiles of the scene. */
static bool range_fits(const struct cpu_scene *scene, const struct cpu_segment *s)
{
    return cpu_segment_is_empty(s) ||
           (s->range.x1 < scene->tiles_x && s->range.y1 < scene->tiles_y &&
            s->bins >= scene->tiles_x * scene->tiles_y);
}

/* Appends a segment's bins to the scene's bins. */
static void chain_bins(struct cpu_scene *scene, struct cpu_segment *s)
{
    CHECK(range_fits(scene, s));
    for (uint32_t y = s->range.y0; y <= s->range.y1; y++) {
        for (uint32_t x = s->range.x0; x <= s->range.x1; x++) {
            uint32_t tile = y * scene->tiles_x + x;
            struct cpu_bin *from = &s->bin[tile], *to = &scene->bins.data[tile];
            if (!from->first)
                continue;
            DCHECK(from->last && !from->last->next);
            if (to->last)
                to->last->next = from->first;
            else
                to->first = from->first;
            to->last = from->last;
        }
    }
}

/* Resolves the storages that shaders access, before any tile runs. Targets that shaders also access
 * have no fast clears in this scene. */
static void resolve_uses(struct cpu_scene *scene)
{
    for (unsigned i = 0; i < scene->uses.count; i++) {
        const struct cpu_scene_use *use = &scene->uses.data[i];
        if (use->shader)
            cpu_storage_resolve(use->storage, use->write);
    }
    scene->bound_targets = scene->kept_targets = scene->flat_targets = scene->sparse_targets = 0;
    scene->targets_match_framebuffer = true;
    for (unsigned i = 0; i < CPU_NUM_TARGETS; i++) {
        struct cpu_target *t = i == CPU_ZS_TARGET ? &scene->zs : &scene->color[i];
        if ((i >= scene->nr_cbufs && i != CPU_ZS_TARGET) || !t->base)
            continue;
        if (find_use(scene, t->storage)->shader)
            t->fast_clear = NULL;
        scene->bound_targets |= 1u << i;
        scene->sparse_targets |= (t->storage->resident != NULL) << i;
        scene->kept_targets |= (t->fast_clear != NULL) << i;
        scene->flat_targets |= (t->fast_clear && t->layers == 1) << i;
        scene->targets_match_framebuffer &= t->width == scene->width && t->height == scene->height;
    }
}

/* Returns whether the caller can execute the scene sooner than a worker would start. */
static bool is_quick(struct cpu_scene *scene)
{
    return scene->tiles.count <= 1 && cpu_scene_memory(scene) <= CPU_INLINE_SCENE;
}

bool cpu_scene_gather(struct cpu_scene *scene)
{
    const uint32_t tiles = scene->tiles_x * scene->tiles_y;
    scene->tiles.count = 0;
    if (!dynarray_reserve(&scene->bins, tiles) || !dynarray_reserve(&scene->tiles, tiles))
        return false;
    if (tiles) /* a dispatch has no tiles */
        memset(scene->bins.data, 0, tiles * sizeof *scene->bins.data);
    for (unsigned s = 0; s < scene->num_segments; s++)
        chain_bins(scene, scene->segments.data[s]);
    return true;
}

static void start(struct cpu_scene *scene)
{
    resolve_uses(scene);
    if (scene->work.run) {
        thread_pool_submit(&scene->fence->group, THREAD_PRIORITY_NORMAL, scene->work.run,
                           scene->work.data, scene->work.count);
        return;
    }
    const uint32_t tiles = scene->tiles_x * scene->tiles_y;
    for (uint32_t tile = 0; tile < tiles; tile++)
        if (scene->bins.data[tile].first || reads_tile(scene, tile) ||
            (scene->clear.buffers && !cpu_targets_clear_only(scene, tile)))
            NEXT_WITHIN(scene->tiles.data, scene->tiles.count, scene->tiles.capacity) = tile;
    if (is_quick(scene)) {
        for (unsigned i = 0; i < scene->tiles.count; i++)
            run_tile(scene, i);
        return;
    }
    thread_pool_submit(&scene->fence->group, THREAD_PRIORITY_NORMAL, run_tile, scene,
                       scene->tiles.count);
}

void cpu_scene_submit(struct cpu_scene *scene)
{
    CHECK(scene->fence && !scene->starting);
    cpu_order_begin(scene);
    cpu_storage_note_change(); /* other contexts can wait for it now */
    start(scene);
    cpu_order_started(scene);
}

bool cpu_scene_has_no_commands(const struct cpu_scene *scene)
{
    for (unsigned i = 0; i < scene->num_segments; i++)
        if (!cpu_segment_is_empty(scene->segments.data[i]))
            return false;
    return true;
}

static void reset_segment(const struct cpu_scene *scene, struct cpu_segment *s)
{
    CHECK(range_fits(scene, s));
    for (uint32_t y = s->range.y0; y <= s->range.y1; y++)
        for (uint32_t x = s->range.x0; x <= s->range.x1; x++)
            s->bin[y * scene->tiles_x + x] = (struct cpu_bin){NULL, NULL};
    s->range = no_tiles;
    arena_reset(s->own);
    s->slab = (struct cpu_vertex_slab){0};
}

void cpu_scene_finish(struct cpu_scene *scene)
{
    if (scene->fence)
        thread_pool_wait(&scene->fence->group);
    cpu_order_end(scene);
    cpu_fence_release(scene->fence);
    scene->fence = NULL;
    for (unsigned i = 0; i < scene->uses.count; i++) {
        struct cpu_storage *s = scene->uses.data[i].storage;
        scene->use_slot[scene->uses.data[i].slot] = 0;
        CHECK(__atomic_fetch_sub(&s->users, 1, __ATOMIC_RELEASE) > 0);
        cpu_storage_release(s);
    }
    scene->uses.count = 0;
    for (unsigned i = 0; i < scene->kept.count; i++)
        cpu_storage_release(scene->kept.data[i]);
    scene->kept.count = 0;
    for (unsigned i = 0; i < scene->shaders.count; i++)
        cpu_shader_object_release(scene->shaders.data[i]);
    scene->shaders.count = scene->kernels.count = 0;
    for (unsigned i = 0; i < scene->touched_segments; i++) /* dropped segments hold memory, too */
        reset_segment(scene, scene->segments.data[i]);
    for (unsigned i = 0; i < scene->arenas.count; i++)
        arena_reset(scene->arenas.data[i]);
    scene->num_segments = scene->touched_segments = 0;
}
