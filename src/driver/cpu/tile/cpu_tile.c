/* SPDX-License-Identifier: MIT */
/* Executes the commands of one tile. Runs on the workers. */
#include "driver/cpu/tile/cpu_scene.h"

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/resource/cpu_fill.h"
#include "driver/cpu/resource/cpu_sparse.h"
#include "driver/cpu/tile/cpu_targets.h"
#include "jit/jit.h"

#include "util/check.h"

#define MAX_QUADS 128
/* Maximum number of quads of a primitive that is drawn as quads: four blocks. */
#define PRIM_QUADS   16
#define VECTOR_QUADS 4 /* maximum number of quads of a vector */
#define DEPTH_BYTES  4 /* maximum size of a depth-stencil texel for bind_depth_copy() */

/* State of a tile's execution. */
struct tile {
    const struct cpu_scene *scene;
    int x, y;       /* first pixel of the tile */
    bool inside;    /* all pixels of the tile are in the framebuffer */
    bool ends_here; /* pixels outside the framebuffer are outside the buffers, too */
    struct cpu_targets targets;
    uint32_t layer;              /* layer whose texels args points to */
    uint32_t uncommitted;        /* mask of targets whose texels in that layer are uncommitted */
    const struct cpu_draw *draw; /* draw whose state is in args; NULL: none */
    struct watchdog_task *outer; /* task of the thread before the first draw */
    struct jit_function kernel;
    struct jit_function quad_kernel; /* NULL: small primitives are shaded one by one */
    unsigned small;                  /* small primitives that were drawn without quad_kernel */
    unsigned num_quads;              /* quads that wait to be shaded */
    unsigned last_quad;              /* quads of a vector minus one */
    uint64_t passed, invocations;    /* counters of the kernel */
    struct cpu_fs_args args;
    const void *arguments[2]; /* kernel arguments: args, and the thread's progress counter */
    struct cpu_block block[CPU_TILE_BLOCKS * CPU_TILE_BLOCKS];
    struct cpu_block_samples samples[2 * CPU_HIGH_SAMPLES];
    struct cpu_quad quad[MAX_QUADS];
    uint32_t planes[CPU_PLANE_WORDS] __attribute__((aligned(64)));
    uint8_t depth[CPU_TILE * CPU_TILE * DEPTH_BYTES] __attribute__((aligned(64)));
};

static uint8_t *target_tile(const struct cpu_target *t, uint32_t x, uint32_t y, uint32_t layer)
{
    uint64_t tile = (uint64_t)(y / CPU_TILE) * t->tiles_x + x / CPU_TILE;
    return t->base + layer * t->layer_stride + tile * t->tile_bytes;
}

static struct cpu_target_tile bind_target(const struct tile *t, const struct cpu_target *target,
                                          uint32_t layer)
{
    return (struct cpu_target_tile){
        .base = target_tile(target, t->x, t->y, MIN2(layer, target->layers - 1)),
        .tile_w = target->tile_w,
        .sample_stride = target->sample_stride,
    };
}

/* Discards what was drawn to the uncommitted targets of the layer that is bound. */
static void discard_uncommitted(struct tile *t)
{
    uint32_t targets = t->uncommitted;
    while (targets) {
        const struct cpu_target *target = cpu_scene_target(t->scene, u_bit_scan(&targets));
        uint8_t *tile = target_tile(target, t->x, t->y, MIN2(t->layer, target->layers - 1));
        for (uint32_t s = 0; s < target->samples; s++)
            cpu_sparse_discard_tile(target->storage, tile + s * target->sample_stride,
                                    target->tile_bytes);
    }
}

static void bind_targets(struct tile *t, uint32_t layer)
{
    const struct cpu_scene *scene = t->scene;
    uint32_t sparse = scene->sparse_targets;
    t->layer = layer;
    t->uncommitted = 0;
    while (sparse) {
        int i = u_bit_scan(&sparse);
        const struct cpu_target *target = cpu_scene_target(scene, i);
        const uint8_t *tile = target_tile(target, t->x, t->y, MIN2(layer, target->layers - 1));
        t->uncommitted |= (uint32_t)!cpu_sparse_is_resident(target->storage, tile) << i;
    }
    for (unsigned i = 0; i < scene->nr_cbufs; i++)
        if (scene->color[i].base)
            t->args.color[i] = bind_target(t, &scene->color[i], layer);
    if (scene->zs.base)
        t->args.zs = bind_target(t, &scene->zs, layer);
}

/* --- quads of small primitives, shaded together --- */

static void run_kernel(struct tile *t, struct jit_function kernel, unsigned count)
{
    t->args.count = count;
    if (kernel.run)
        jit_run(kernel, t->arguments);
    else
        t->draw->fs->runner->fs_run(t->draw->fs->external, &t->args);
    if (t->passed | t->invocations) {
        for (unsigned i = 0; i < t->draw->num_counters; i++) {
            const struct cpu_counter *c = &t->draw->counter[i];
            __atomic_add_fetch(c->sum, c->invocations ? t->invocations : t->passed,
                               __ATOMIC_RELAXED);
        }
        t->passed = t->invocations = 0;
    }
}

/* Runs the kernel for the blocks, at most max_blocks at a time. */
static void run_blocks(struct tile *t, unsigned count)
{
    const unsigned most = t->draw->fs->max_blocks ? t->draw->fs->max_blocks : count;

    for (unsigned first = 0; first < count; first += most) {
        t->args.block = t->block + first;
        t->args.block_samples = t->samples + first;
        run_kernel(t, t->kernel, MIN2(count - first, most));
    }
    t->args.block = t->block;
    t->args.block_samples = t->samples;
}

/* Fills up the last vector with quads that cover no pixel. */
static void pad_quads(struct tile *t)
{
    while (t->num_quads & t->last_quad) {
        DCHECK(t->num_quads && t->num_quads < MAX_QUADS);
        t->quad[t->num_quads] = t->quad[t->num_quads - 1];
        t->quad[t->num_quads++].mask = 0;
    }
}

static void flush_quads(struct tile *t)
{
    if (!t->num_quads)
        return;
    pad_quads(t);
    run_kernel(t, t->quad_kernel, t->num_quads);
    t->num_quads = 0;
}

/* Returns whether one of the waiting quads from `first` to `end` - 1 covers a pixel of the quad. */
static bool quad_collides(const struct tile *t, unsigned first, unsigned end,
                          const struct cpu_quad *quad)
{
    for (unsigned i = first; i < end; i++)
        if (t->quad[i].x == quad->x && t->quad[i].y == quad->y && t->quad[i].mask & quad->mask)
            return true;
    return false;
}

/* Adds the quads of a primitive; `quads` has the lowest bit of each in the masks of up to four
 * blocks. If a quad of the unfinished vector covers the same pixels, the vector is padded first to
 * keep the order. */
static void add_quads(struct tile *t, const struct cpu_prim *prim, const struct cpu_block *block,
                      uint64_t mask, uint64_t quads)
{
    if (t->num_quads > MAX_QUADS - PRIM_QUADS - VECTOR_QUADS)
        flush_quads(t);
    const unsigned end = t->num_quads, first = end & ~t->last_quad;
    unsigned shared =
        first == end ? 0 : first + t->last_quad + 1; /* the end of the unfinished vector */
    for (; quads; quads &= quads - 1) {
        unsigned bit = __builtin_ctzll(quads);
        const struct cpu_block *b = &block[bit / 16];
        const struct cpu_quad quad = {
            .primitive = &prim->p,
            .x = b->x + (bit >> 1 & 2),
            .y = b->y + (bit >> 2 & 2),
            .mask = mask >> bit & 15,
        };
        if (t->num_quads < shared && quad_collides(t, first, end, &quad)) {
            pad_quads(t);
            shared = 0;
        }
        DCHECK(t->num_quads < MAX_QUADS);
        t->quad[t->num_quads++] = quad;
    }
}

/* Returns the lowest bit of each quad that has a covered pixel, for the masks of four blocks. */
static uint64_t covered_quads(uint64_t mask)
{
    uint64_t pairs = mask | mask >> 1;
    return (pairs | pairs >> 2) & 0x1111111111111111;
}

/* Returns whether shading the quads in vectors shared with other primitives takes less time than in
 * their blocks, although vectors of quads need more loads. */
static bool is_sparse(uint64_t quads)
{
    const uint64_t bytes = 0x0101010101010101;
    uint64_t blocks = (quads | quads >> 4) & bytes;
    blocks = (blocks | blocks >> 8) & 0x0001000100010001;
    unsigned num_quads = ((quads + (quads >> 4)) & 3 * bytes) * bytes >> 56;
    return num_quads * 2 <= (blocks * bytes >> 56) * 5;
}

/* Returns the masks of up to four blocks, 16 bits each. */
static uint64_t block_masks(const struct cpu_block *block, unsigned count)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < count; i++)
        mask |= (uint64_t)block[i].mask << 16 * i;
    return mask;
}

/* Adds the quads of a small primitive from its mask. Returns false, and adds nothing, if it is
 * better shaded in blocks. */
static bool add_small(struct tile *t, const struct cpu_prim *prim)
{
    uint64_t mask;
    memcpy(&mask, prim->mask, sizeof mask);
    uint64_t quads = covered_quads(mask);
    if (!is_sparse(quads))
        return false;
    const uint16_t x = prim->box.x0 & ~3, y = prim->box.y0 & ~3;
    const struct cpu_block block[4] = {{x, y}, {x + 4, y}, {x, y + 4}, {x + 4, y + 4}};
    add_quads(t, prim, block, mask, quads);
    return true;
}

/* --- primitives --- */

/* Finishes the bound draw: shades waiting quads and adds counters. */
static void finish_draw(struct tile *t)
{
    flush_quads(t);
    if (t->small)
        cpu_fs_variant_want_quads(t->draw->fs, t->small);
    t->small = 0;
}

static void bind_draw(struct tile *t, const struct cpu_draw *draw)
{
    finish_draw(t);
    struct jit_kernel *quads = cpu_fs_variant_quads(draw->fs);
    t->quad_kernel = jit_kernel_function(quads);
    t->last_quad = draw->fs->quads - 1u;
    if (t->draw)
        watchdog_switch(&draw->task->watchdog);
    else
        t->outer = watchdog_enter(&draw->task->watchdog);
    t->draw = draw;
    t->kernel = jit_kernel_function(draw->fs->kernel);
    t->args.state = draw->state;
    t->args.fs = draw->fs_state;
    t->args.samples_passed = draw->num_counters ? &t->passed : NULL;
    t->args.invocations = draw->num_counters ? &t->invocations : NULL;
}

/* Returns the polygon stipple of a block (GL 2.1 §3.5.2). Rows and bits are numbered from the
 * highest. */
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

/* Applies the stipple and the framebuffer's edges. Returns the number of blocks left. */
static unsigned mask_blocks(struct tile *t, bool polygon, unsigned count)
{
    const struct cpu_draw *draw = t->draw;
    const bool high = cpu_draw_has_high_samples(draw);
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct cpu_block block = t->block[i];
        uint32_t mask = block.mask;
        if (draw->stipple && polygon)
            mask &= stipple_mask(draw->stipple, &block);
        if (draw->samples > 1 || draw->smooth) {
            t->samples[kept] = t->samples[i];
            if (high)
                t->samples[kept + CPU_HIGH_SAMPLES] = t->samples[i + CPU_HIGH_SAMPLES];
            mask = cpu_raster_mask_samples(&t->samples[kept], high, mask);
        }
        if (mask)
            t->block[kept++] = (struct cpu_block){block.x, block.y, mask};
    }
    return kept;
}

/* Sets all samples of the first `count` blocks. */
static void cover_samples(struct tile *t, unsigned count)
{
    const int all = (1 << t->draw->samples) - 1; /* memset() uses the low byte */
    memset(t->samples, all, count * sizeof t->samples[0]);
    if (t->draw->samples > CPU_LOW_SAMPLES)
        memset(t->samples + CPU_HIGH_SAMPLES, all, count * sizeof t->samples[0]);
}

/* Rasterizes the primitive: stores its blocks and their samples or coverage. Returns their
 * number. */
static unsigned find_blocks(struct tile *t, const struct cpu_prim *prim, bool full)
{
    const struct cpu_draw *draw = t->draw;
    full = full && t->inside;
    if (draw->smooth)
        return cpu_raster_prim_smooth(prim, t->x, t->y, t->block, t->samples);
    if (full && draw->samples > 1)
        cover_samples(t, CPU_TILE_BLOCKS * CPU_TILE_BLOCKS);
    if (full)
        return cpu_raster_full(t->x, t->y, t->block);
    if (draw->samples > 1)
        return cpu_raster_prim_samples(prim, t->x, t->y, t->block, t->samples);
    return cpu_raster_prim(prim, t->x, t->y, t->block);
}

/* Texels of one block for each target, which replace the tile in a kernel call. */
struct sample_block {
    uint8_t texels[CPU_NUM_TARGETS][CPU_MAX_SAMPLES][16 * CPU_MAX_TEXEL];
};

static struct cpu_target_tile *bound_target(struct tile *t, unsigned i)
{
    return i == CPU_ZS_TARGET ? &t->args.zs : &t->args.color[i];
}

/* Shades one block whose texels have the fast-clear values of the tile. */
static void shade_sample(struct tile *t, const struct cpu_prim *prim, uint32_t targets,
                         struct sample_block *b)
{
    flush_quads(t);
    while (targets) {
        int i = u_bit_scan(&targets);
        const struct cpu_target *target = cpu_scene_target(t->scene, i);
        struct cpu_fill f;
        cpu_fill_init(&f, t->targets.value[i], NULL, target->texel_bytes);
        for (unsigned s = 0; s < target->samples; s++)
            cpu_fill_run(b->texels[i][s], &f, 16);
        *bound_target(t, i) = (struct cpu_target_tile){.base = b->texels[i][0],
                                                       .tile_w = CPU_TILE_BLOCKS,
                                                       .sample_stride = sizeof b->texels[i][0]};
    }
    t->block[0] = (struct cpu_block){t->x, t->y, 0xffff};
    if (t->draw->samples > 1)
        cover_samples(t, 1);
    t->args.primitive = &prim->p;
    run_kernel(t, t->kernel, 1);
    bind_targets(t, t->layer);
}

/* Returns whether all texels of the block are equal. */
static bool is_uniform(const struct cpu_target *target, const uint8_t (*texels)[16 * CPU_MAX_TEXEL])
{
    const uint32_t bytes = target->texel_bytes;
    bool same = !memcmp(texels[0], texels[0] + bytes, 15 * bytes); /* each texel equals the next */
    for (unsigned s = 1; s < target->samples; s++)
        same = same && !memcmp(texels[0], texels[s], 16 * bytes);
    return same;
}

/* Returns the targets of one layer whose texels the draw replaces without reading them, if a
 * primitive covers the tile. Unknown, and therefore 0, for shaders that a runner executes. */
static uint32_t overwritten_targets(const struct tile *t)
{
    const struct cpu_draw *draw = t->draw;
    return draw->stipple || draw->fs->external ? 0 : draw->fs->overwritten & t->scene->flat_targets;
}

/* Draws a primitive that covers a fast-cleared tile and gives all pixels the same value: shades one
 * block and sets the tile's value. Returns false, and draws nothing, if that is not the case. */
static bool shade_uniform_tile(struct tile *t, const struct cpu_prim *prim)
{
    const struct cpu_draw *draw = t->draw;
    const struct cpu_fs_variant *fs = draw->fs;
    const uint32_t touched = t->scene->bound_targets & ~fs->untouched;
    if (!fs->uniform || !t->kernel.run || draw->stipple || draw->smooth || draw->num_counters ||
        touched & ~(t->targets.cleared | overwritten_targets(t)) ||
        touched & ~t->scene->flat_targets)
        return false;
    if (touched >> CPU_ZS_TARGET & 1 && (prim->p.z.dx != 0.0f || prim->p.z.dy != 0.0f))
        return false;
    struct sample_block b;
    shade_sample(t, prim, touched, &b);
    for (uint32_t rest = touched; rest;) {
        int i = u_bit_scan(&rest);
        if (!is_uniform(cpu_scene_target(t->scene, i), b.texels[i]))
            return false;
    }
    for (uint32_t rest = touched; rest;) {
        int i = u_bit_scan(&rest);
        cpu_targets_set_value(&t->targets, i, b.texels[i][0]);
    }
    return true;
}

/* Returns whether a primitive that covers the tile leaves depth and stencil fast-cleared: its depth
 * is constant, so that all fragments pass or all fail, and the test comes before shading. */
static bool leaves_one_depth(const struct tile *t, const struct cpu_prim *prim)
{
    const struct cpu_draw *draw = t->draw;
    const uint32_t needed = t->targets.cleared & t->scene->flat_targets & ~draw->fs->untouched;
    return needed >> CPU_ZS_TARGET & 1 && t->kernel.run && draw->fs->early_z && !draw->stipple &&
           !draw->smooth && t->scene->zs.samples == 1 && t->scene->zs.texel_bytes <= DEPTH_BYTES &&
           prim->p.z.dx == 0.0f && prim->p.z.dy == 0.0f;
}

/* Binds a copy of the fast-cleared depth tile for the kernel; the copy stays in the cache. */
static void bind_depth_copy(struct tile *t)
{
    struct cpu_fill f;
    cpu_fill_init(&f, t->targets.value[CPU_ZS_TARGET], NULL, t->scene->zs.texel_bytes);
    cpu_fill_run(t->depth, &f, (size_t)CPU_TILE * CPU_TILE);
    t->args.zs = (struct cpu_target_tile){.base = t->depth, .tile_w = CPU_TILE_BLOCKS};
}

static void keep_depth_copy(struct tile *t)
{
    uint8_t value[CPU_MAX_TEXEL] = {0};
    memcpy(value, t->depth, t->scene->zs.texel_bytes);
    cpu_targets_set_value(&t->targets, CPU_ZS_TARGET, value);
    t->args.zs = bind_target(t, &t->scene->zs, t->layer);
}

/* Resolves the targets that the draw accesses, except `kept`. `full`: the primitive covers the
 * tile. */
static void resolve_targets(struct tile *t, uint32_t kept, bool full)
{
    const struct cpu_fs_variant *fs = t->draw->fs;
    const uint32_t untouched = kept | (fs->external ? 0 : fs->untouched);
    if (cpu_targets_unresolved(&t->targets) & ~untouched)
        cpu_targets_resolve(&t->targets, ~untouched, full ? overwritten_targets(t) : 0);
}

static void run_prim(struct tile *t, const struct cpu_prim *prim, bool full)
{
    if (prim->draw != t->draw)
        bind_draw(t, prim->draw);
    if (!t->kernel.run && !t->draw->fs->external)
        return;
    full = full && t->ends_here;
    if (full && shade_uniform_tile(t, prim))
        return;
    const bool one_depth = full && leaves_one_depth(t, prim);
    resolve_targets(t, one_depth ? 1u << CPU_ZS_TARGET : 0, full);
    if (prim->p.layer != t->layer) {
        flush_quads(t);
        discard_uncommitted(t);
        bind_targets(t, prim->p.layer);
    }
    const struct cpu_fs_variant *fs = t->draw->fs;
    const uint32_t unread = fs->external ? 0 : (uint32_t)(fs->untouched | fs->overwritten);
    if (t->uncommitted & ~unread) { /* the draw may read them, as zeros */
        flush_quads(t);
        discard_uncommitted(t);
    }
    bool masked = t->draw->stipple;
    if (prim->small && t->quad_kernel.run && !masked && add_small(t, prim))
        return;
    unsigned count = find_blocks(t, prim, full);
    if (masked)
        count = mask_blocks(t, prim->polygon, count);
    if (!count)
        return;
    if (t->draw->inner_coverage)
        cpu_raster_inner(prim, t->draw->conservative_expand, t->block, count);
    if (count <= 4 && t->draw->fs->quads) {
        uint64_t mask = block_masks(t->block, count), quads = covered_quads(mask);
        bool sparse = is_sparse(quads);
        if (sparse && t->quad_kernel.run) {
            add_quads(t, prim, t->block, mask, quads);
            return;
        }
        t->small += sparse;
    }
    flush_quads(t);
    if (one_depth)
        bind_depth_copy(t);
    t->args.primitive = &prim->p;
    run_blocks(t, count);
    if (one_depth)
        keep_depth_copy(t);
}

/* --- commands --- */

struct cursor {
    const struct cpu_bin_block *block; /* NULL at the end */
    unsigned next;
};

/* Returns the next command, or 0 at the end. */
static uintptr_t next_command(struct cursor *c)
{
    if (!c->block)
        return 0;
    DCHECK(c->next < c->block->count && c->block->count <= CPU_BIN_BLOCK);
    uintptr_t command = c->block->command[c->next++];
    if (c->next == c->block->count) {
        watchdog_progress(); /* commands without long loops don't report it */
        c->block = c->block->next;
        c->next = 0;
        if (c->block)
            __builtin_prefetch(c->block->next);
    }
    return command;
}

static const void *command_data(uintptr_t command)
{
    return (const void *)(command & ~(uintptr_t)CPU_COMMAND_MASK);
}

static bool is_prim(uintptr_t command)
{
    return command && (command & CPU_COMMAND_MASK) != CPU_COMMAND_CLEAR;
}

/* Prefetches a primitive. Those of a tile are scattered among the primitives of all tiles. */
static void prefetch_prim(uintptr_t command)
{
    const char *data = command_data(command);
    for (unsigned i = 0; i < sizeof(struct cpu_prim); i += 64)
        __builtin_prefetch(data + i);
}

/* Prefetches the vertex outputs that the kernel reads, mostly the same cache lines for all three
 * vertices. The primitive should have been prefetched. */
static void prefetch_inputs(uintptr_t command)
{
    if (!is_prim(command))
        return;
    const struct cpu_prim *prim = command_data(command);
    const struct cpu_fs_variant *fs = prim->draw->fs;
    for (unsigned i = 0; i < fs->num_inputs; i++)
        __builtin_prefetch(prim->p.vertex[0] + fs->inputs[i] * CPU_BATCH_VERTICES);
}

void cpu_tile_run(struct cpu_scene *scene, uint32_t tile)
{
    struct tile t;
    t.scene = scene;
    cpu_targets_begin(&t.targets, scene, tile);
    t.x = t.targets.x;
    t.y = t.targets.y;
    t.inside = t.x + CPU_TILE <= (int)scene->width && t.y + CPU_TILE <= (int)scene->height;
    t.ends_here = t.inside || scene->targets_match_framebuffer;
    t.draw = NULL;
    t.kernel = t.quad_kernel = (struct jit_function){0};
    t.small = t.num_quads = 0;
    t.passed = t.invocations = 0;
    memset(&t.args, 0, sizeof t.args);
    t.arguments[0] = &t.args;
    t.arguments[1] = &watchdog_self.progress;
    t.args.block = t.block;
    t.args.block_samples = t.samples;
    t.args.planes = t.planes;
    t.args.quad = t.quad;
    bind_targets(&t, 0);
    if (scene->clear.buffers)
        cpu_targets_clear(&t.targets, &scene->clear);
    struct cursor cursor = {scene->bins.data[tile].first, 0};
    uintptr_t command = next_command(&cursor), after = next_command(&cursor);
    while (command && __atomic_load_n(&scene->stop.flag, __ATOMIC_RELAXED) != WATCHDOG_TOTAL) {
        uintptr_t later = next_command(&cursor);
        prefetch_prim(later);
        prefetch_inputs(after);
        if (is_prim(command)) {
            run_prim(&t, command_data(command), (command & CPU_COMMAND_MASK) == CPU_COMMAND_FULL);
        } else {
            flush_quads(&t);
            cpu_targets_clear(&t.targets, command_data(command));
        }
        command = after;
        after = later;
    }
    finish_draw(&t);
    if (t.draw)
        watchdog_leave(t.outer);
    discard_uncommitted(&t);
    cpu_targets_end(&t.targets);
}
