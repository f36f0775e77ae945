/* SPDX-License-Identifier: MIT */
/*
 * Validation before a draw or dispatch: derives variant keys, variants and the state structs that
 * kernels read from the bound state, as far as it changed. The structs live in the recorded scene's
 * arena.
 */
#include <math.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/resource/cpu_screen.h"
#include "driver/cpu/resource/cpu_offsets.h"
#include "jit/jit.h"
#include "util/check.h"
#include "util/format.h"
#include "util/macros.h"

static const uint8_t zero_bytes[64] __attribute__((aligned(64)));

static const uint32_t black_offsets[1 + CPU_OFFSETS_PADDING];

/* The texture of units without a sampler view: one black texel, large enough for any format. */
static const struct cpu_texture black_texture = {
    .level[0] = {.base = zero_bytes,
                 .width = 1,
                 .height = 1,
                 .depth = 1,
                 .tile_w = 1,
                 .tiles_x = 1,
                 .scale = {256.0f, 256.0f},
                 .rows = black_offsets,
                 .columns = black_offsets},
    .num_levels = 1,
    .num_layers = 1,
    .num_samples = 1,
};

static struct cpu_residency residency_of(const struct cpu_storage *s)
{
    _Static_assert(CPU_RESIDENCY_SHIFT == CPU_SPARSE_SHIFT, "kernels use the same units");
    return (struct cpu_residency){s->resident, s->data};
}

/* --- textures and samplers --- */

/* Describes the texels of a buffer texture that are inside the buffer, as a level of one row. */
static struct cpu_level buffer_level(const struct cpu_storage *s, enum drv_format format,
                                     uint64_t offset, uint64_t size)
{
    offset = MIN2(offset, s->size);
    return (struct cpu_level){
        .base = s->data + offset,
        .width = MIN2(size, s->size - offset) / drv_format_desc(format)->block_bytes,
        .height = 1,
        .depth = 1,
    };
}

static bool make_texture(struct cpu_scene *scene, struct cpu_segment *segment,
                         const struct cpu_sampler_view *v, struct cpu_bound_texture *bound)
{
    const struct cpu_resource *r = v->texels, *blocks = cpu_resource(v->view.texture);
    if (bound->storage == r->storage)
        return true;
    struct cpu_texture *t = arena_alloc_aligned(segment->arena, sizeof *t, 64);
    if (!t || !cpu_scene_use(scene, r->storage, false))
        return false;
    /* Writers of the blocks wait for scenes that use the texture's own storage. */
    if (blocks != r && !cpu_scene_use(scene, blocks->storage, false))
        return false;
    bound->texture = t;
    bound->storage = r->storage;
    if (v->view.target == DRV_BUFFER) {
        *t = (struct cpu_texture){
            .level[0] = buffer_level(r->storage, v->view.format, v->view.buffer_offset,
                                     v->view.buffer_size),
            .num_levels = 1,
            .num_layers = 1,
            .num_samples = 1,
        };
        return true;
    }
    const struct cpu_level_offsets *offsets =
        cpu_offsets_get(r->storage, r->level, r->base.last_level, r->texel_bytes);
    if (!offsets)
        return false;
    unsigned last = MIN2(v->view.last_level, r->base.last_level);
    unsigned first = MIN2(v->view.first_level, last);
    bool is_3d = v->view.target == DRV_TEXTURE_3D;
    unsigned layer = is_3d ? 0 : v->view.first_layer;
    t->num_levels = last - first + 1;
    t->num_samples = r->level[first].samples;
    t->num_layers = is_3d ? 1 : MAX2(v->view.last_layer, layer) - layer + 1;
    t->residency = residency_of(r->storage);
    for (unsigned i = 0; i < t->num_levels; i++) {
        const struct cpu_level_layout *l = &r->level[first + i];
        t->level[i] = (struct cpu_level){
            .base = cpu_resource_address(r, first + i, layer),
            .layer_stride = l->layer_stride,
            .sample_stride = l->sample_stride,
            .width = l->width,
            .height = l->height,
            .depth = is_3d ? l->layers : 1,
            .tile_w = l->tile_w,
            .tiles_x = l->tiles_x,
            .scale = {256.0f * (float)l->width, 256.0f * (float)l->height},
            .rows = offsets[first + i].rows,
            .columns = offsets[first + i].columns,
        };
    }
    return true;
}

/* Computes the border color as shaders read it: reduced to the components of the format (GL 4.6
 * §8.14.2, table 8.18), clamped to its range, then swizzled by the view. */
static void border_color(uint32_t out[4], const struct drv_sampler_state *s,
                         const struct drv_sampler_view *v)
{
    const struct drv_format_desc *d = drv_format_desc(v->format);
    bool integer = util_format_is_pure_integer(v->format) || v->sample_stencil;
    uint32_t one = integer ? 1 : fui(1.0f), color[4];
    bool fixed_depth = d->colorspace == DRV_COLORSPACE_ZS && !util_format_is_float(v->format);
    bool normalized = !integer && (fixed_depth || d->channel[0].normalized);
    bool is_signed = util_format_is_snorm(v->format);
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = c;
        if (d->colorspace == DRV_COLORSPACE_ZS) {
            from = 0;
        } else if (d->swizzle[c] >= DRV_SWIZZLE_0) {
            color[c] = d->swizzle[c] == DRV_SWIZZLE_1 ? one : 0;
            continue;
        } else {
            for (from = 0; d->swizzle[from] != d->swizzle[c]; from++)
                ;
        }
        color[c] = s->border_color.u[from];
        if (normalized)
            color[c] = fui(CLAMP(s->border_color.f[from], is_signed ? -1.0f : 0.0f, 1.0f));
    }
    for (unsigned c = 0; c < 4; c++) {
        uint8_t z = v->swizzle[c];
        out[c] = z <= DRV_SWIZZLE_W ? color[z] : z == DRV_SWIZZLE_1 ? one : 0;
    }
}

static const struct drv_sampler_state default_sampler = {.max_lod = 1000.0f};

static void make_sampler(struct cpu_sampler *out, const struct drv_sampler_state *s,
                         const struct drv_sampler_view *v)
{
    out->lod_bias = s->lod_bias;
    out->min_lod = s->min_lod;
    out->max_lod = s->max_lod;
    out->max_anisotropy = s->max_anisotropy;
    border_color(out->border_color, s, v);
}

static bool make_samplers(struct cpu_scene *scene, struct cpu_segment *segment,
                          struct cpu_stage *stage, struct cpu_stage_state *state)
{
    uint64_t used = stage->shader->shader->samplers_used;
    while (used) {
        int i = u_bit_scan64(&used);
        const struct cpu_sampler_view *v = stage->view[i];
        state->texture[i] = &black_texture;
        if (!v)
            continue;
        if (!make_texture(scene, segment, v, &stage->texture[i]))
            return false;
        state->texture[i] = stage->texture[i].texture;
        const struct drv_sampler_state *s =
            stage->sampler[i] ? stage->sampler[i] : &default_sampler;
        make_sampler(&state->sampler[i], s, &v->view);
    }
    return true;
}

static void fill_sampler_keys(struct cpu_units_key *key, const struct cpu_stage *stage)
{
    uint64_t used = stage->shader->shader->samplers_used;
    key->num_samplers = used ? util_logbase2_64(used) + 1 : 0;
    while (used) {
        int i = u_bit_scan64(&used);
        if (stage->view[i])
            cpu_sampler_key_init(&key->sampler[i],
                                 stage->sampler[i] ? stage->sampler[i] : &default_sampler,
                                 &stage->view[i]->view);
    }
}

/* --- constants and buffers --- */

/* Returns whether the stage's shader writes storage buffers or images. */
static bool writes_memory(const struct cpu_stage *stage)
{
    return stage->shader->shader->writes_memory;
}

/* Returns whether the stage accesses memory after the draw or dispatch has returned: fragment and
 * compute shaders do, other stages have run by then. */
static bool reads_later(const struct cpu_stage *stage)
{
    return stage->shader->shader->stage >= SHADER_FRAGMENT; /* fragment or compute */
}

/* Describes a buffer range. With a scene, adds the buffer to its uses; `scene` may be NULL. */
static bool make_buffer(struct cpu_scene *scene, struct cpu_buffer *out,
                        struct drv_resource *buffer, uint32_t offset, uint32_t size, bool write)
{
    struct cpu_storage *s = cpu_resource(buffer)->storage;
    if (offset >= s->size)
        return true;
    out->base = s->data + offset;
    out->size = MIN2(size, s->size - offset);
    return !scene || cpu_scene_use(scene, s, write);
}

/* Describes constants in user memory: in place if the kernels read them now, otherwise a copy.
 * Returns false if out of memory. */
static bool make_user_constants(struct cpu_segment *segment, struct cpu_buffer *out,
                                const struct drv_constant_buffer *c, bool later)
{
    out->base = (const uint8_t *)c->user + c->offset;
    out->size = c->size;
    if (!later)
        return true;
    void *copy = arena_alloc_aligned(segment->arena, ALIGN_POT(c->size, 16), 64);
    if (copy)
        out->base = memcpy(copy, out->base, c->size);
    return copy;
}

static bool make_constants(struct cpu_scene *scene, struct cpu_segment *segment,
                           struct cpu_stage *stage, struct cpu_stage_state *state)
{
    uint32_t slots = stage->bound_constants | stage->filled_constants;
    while (slots) {
        int i = u_bit_scan(&slots);
        const struct drv_constant_buffer *c = &stage->constant[i];
        struct cpu_buffer *out = &state->constant[i];
        *out = (struct cpu_buffer){.base = zero_bytes};
        bool later = reads_later(stage);
        if (c->buffer
                ? !make_buffer(later ? scene : NULL, out, c->buffer, c->offset, c->size, false)
                : c->size && !make_user_constants(segment, out, c, later))
            return false;
    }
    stage->filled_constants = stage->bound_constants;
    return true;
}

static bool make_storage(struct cpu_scene *scene, const struct cpu_stage *stage,
                         struct cpu_stage_state *state)
{
    bool later = reads_later(stage);
    for (unsigned i = 0; i < stage->shader->shader->num_storage; i++) {
        const struct drv_storage_buffer *b = &stage->storage[i];
        struct cpu_buffer *out = &state->storage[i];
        out->base = zero_bytes;
        if (b->buffer && !make_buffer(later ? scene : NULL, out, b->buffer, b->offset, b->size,
                                      writes_memory(stage)))
            return false;
    }
    return true;
}

/* --- images --- */

/* Describes an image view. Its level and its layers must exist. */
static void make_image(const struct drv_image_view *v, struct cpu_image *out)
{
    const struct cpu_resource *r = cpu_resource(v->resource);
    if (v->target == DRV_BUFFER) {
        *out = (struct cpu_image){
            .level = buffer_level(r->storage, v->format, v->buffer_offset, v->buffer_size),
            .num_layers = 1,
            .num_samples = 1,
            .format = v->format,
            .target = v->target,
        };
        return;
    }
    const struct cpu_level_layout *l = &r->level[v->level];
    *out = (struct cpu_image){
        .level = {.base = cpu_resource_address(r, v->level, v->first_layer),
                  .layer_stride = l->layer_stride,
                  .sample_stride = l->sample_stride,
                  .width = l->width,
                  .height = l->height,
                  .depth = v->last_layer - v->first_layer + 1,
                  .tile_w = l->tile_w,
                  .tiles_x = l->tiles_x},
        .num_layers = v->last_layer - v->first_layer + 1,
        .num_samples = l->samples,
        .format = v->format,
        .target = v->target,
        .residency = residency_of(r->storage),
    };
}

static bool make_images(struct cpu_scene *scene, const struct cpu_stage *stage,
                        struct cpu_stage_state *state)
{
    uint32_t used = stage->shader->shader->images_used;
    bool later = reads_later(stage);
    while (used) {
        int i = u_bit_scan(&used);
        const struct drv_image_view *v = &stage->image[i];
        if (!v->resource)
            continue;
        make_image(v, &state->image[i]);
        if (later &&
            !cpu_scene_use(scene, cpu_resource(v->resource)->storage, writes_memory(stage)))
            return false;
    }
    return true;
}

static void fill_image_keys(struct cpu_units_key *key, const struct cpu_stage *stage)
{
    uint32_t used = stage->shader->shader->images_used;
    key->num_images = used ? util_logbase2_64(used) + 1 : 0;
    while (used) {
        int i = u_bit_scan(&used);
        const struct drv_image_view *v = &stage->image[i];
        if (v->resource)
            key->image[i] = (struct cpu_image_key){
                .format = v->format, .target = v->target, .sparse = v->resource->sparse};
    }
}

static void fill_units_key(const struct cpu_context *ctx, struct cpu_units_key *key,
                           const struct cpu_stage *stage)
{
    fill_sampler_keys(key, stage);
    fill_image_keys(key, stage);
    key->far_storage =
        (stage->far_storage & BITFIELD_MASK(stage->shader->shader->num_storage)) != 0;
    if (!stage->shader->shader->uses_handles)
        return;
    memcpy(key->classes, ctx->handles.classes, sizeof key->classes);
    key->newest_class = ctx->handles.newest_class;
}

/* --- handles --- */

static const struct cpu_image no_image;
/* An entry that is not resident. */
static const struct cpu_handle no_handle = {
    .class = CPU_NO_CLASS, .texture = &black_texture, .image = &no_image};

static bool make_handle(struct cpu_scene *scene, struct cpu_segment *segment,
                        const struct cpu_resident *r, struct cpu_handle *out)
{
    *out = no_handle;
    if (!r->generation)
        return true;
    out->generation = r->generation;
    out->class = r->class;
    if (r->view) {
        struct cpu_bound_texture bound = {0};
        if (!make_texture(scene, segment, r->view, &bound))
            return false;
        out->texture = bound.texture;
        make_sampler(&out->sampler, &r->sampler, &r->view->view);
        return true;
    }
    struct cpu_image *image = arena_alloc_aligned(segment->arena, sizeof *image, 64);
    if (!image || !cpu_scene_keep(scene, cpu_resource(r->image.resource)->storage))
        return false;
    make_image(&r->image, image);
    out->image = image;
    return true;
}

/* Builds the table of the resident handles, unless the scene has it already. */
static bool make_handle_table(struct cpu_context *ctx, struct cpu_scene *scene,
                              struct cpu_segment *segment)
{
    struct cpu_handles *h = &ctx->handles;
    if (h->table)
        return true;
    unsigned count = MAX2(h->count, 1);
    const size_t used = arena_used(segment->arena);
    struct cpu_handle *table = arena_alloc_aligned(segment->arena, count * sizeof *table, 64);
    if (!table)
        return false;
    table[0] = no_handle;
    for (uint32_t i = 1; i < h->count; i++)
        if (!make_handle(scene, segment, &h->entry[i], &table[i]))
            return false;
    scene->table_bytes = arena_used(segment->arena) - used;
    h->table = table;
    h->uses = 0;
    return true;
}

/* Sets the table of the resident handles, if the stage's shader uses it. The scene uses the images
 * only for stages that access them later: others could not write an image then without submitting
 * the scene. */
static bool make_handles(struct cpu_context *ctx, struct cpu_scene *scene,
                         struct cpu_segment *segment, const struct cpu_stage *stage,
                         struct cpu_stage_state *state)
{
    struct cpu_handles *h = &ctx->handles;
    state->handle = &no_handle;
    state->num_handles = 1;
    if (!stage->shader->shader->uses_handles)
        return true;
    if (!make_handle_table(ctx, scene, segment))
        return false;
    state->handle = h->table;
    state->num_handles = MAX2(h->count, 1);
    const uint8_t uses = !reads_later(stage) ? 0 : writes_memory(stage) ? 2 : 1;
    if (h->uses >= uses)
        return true;
    for (uint32_t i = 1; i < h->count; i++)
        if (h->entry[i].image.resource &&
            !cpu_scene_use(scene, cpu_resource(h->entry[i].image.resource)->storage, uses == 2))
            return false;
    h->uses = uses;
    return true;
}

/* --- the whole state --- */

/* Returns the size of the stage state without the unused elements at its end. */
static size_t state_size(const struct cpu_shader *shader)
{
    if (shader->images_used)
        return sizeof(struct cpu_stage_state);
    if (shader->num_storage)
        return offsetof(struct cpu_stage_state, image);
    if (shader->samplers_used)
        return offsetof(struct cpu_stage_state, sampler) +
               (util_logbase2_64(shader->samplers_used) + 1) * sizeof(struct cpu_sampler);
    return offsetof(struct cpu_stage_state, texture);
}

static bool has_moved(const struct cpu_buffer *made, struct drv_resource *buffer, uint32_t offset)
{
    return buffer && made->base != cpu_resource(buffer)->storage->data + offset;
}

/* Returns whether another context has replaced the storage of a bound buffer. Only needed for
 * stages that read immediately, because no scene keeps the storage for them. */
static bool buffers_moved(const struct cpu_stage *stage)
{
    uint32_t bound = stage->bound_constants;
    bool moved = false;
    while (bound) {
        int i = u_bit_scan(&bound);
        const struct drv_constant_buffer *c = &stage->constant[i];
        moved |= has_moved(&stage->state->constant[i], c->buffer, c->offset);
    }
    for (unsigned i = 0; i < stage->shader->shader->num_storage; i++) {
        const struct drv_storage_buffer *b = &stage->storage[i];
        moved |= has_moved(&stage->state->storage[i], b->buffer, b->offset);
    }
    return moved;
}

/* Initializes a stage state without any bindings. */
static void init_stage_state(struct cpu_stage *stage, struct cpu_stage_state *state, size_t size)
{
    memset(state, 0, size);
    for (unsigned i = 0; i < DRV_MAX_CONSTANT_BUFFERS; i++)
        state->constant[i] = (struct cpu_buffer){.base = zero_bytes};
    stage->filled_constants = 0;
}

/* Updates the stage state. Stages that read later get a new one, because the recorded commands keep
 * the old one; for other stages it is modified in place. */
static bool make_stage_state(struct cpu_context *ctx, struct cpu_scene *scene,
                             struct cpu_segment *segment, struct cpu_stage *stage)
{
    bool later = reads_later(stage);
    if (stage->state && !later)
        stage->state_dirty = stage->state_dirty || buffers_moved(stage);
    if (stage->state && !stage->state_dirty && !stage->constants_dirty)
        return true;
    bool all = !stage->state || stage->state_dirty;
    size_t size = state_size(stage->shader->shader);
    struct cpu_stage_state *state = later ? arena_alloc_aligned(segment->arena, size, 64)
                                          : &ctx->vertex_state[stage->shader->shader->stage];
    if (!state)
        return false;
    if (all)
        init_stage_state(stage, state, size);
    else if (later)
        memcpy(state, stage->state, size);
    state->stop = stage->shader->shader->stage < SHADER_FRAGMENT ? &ctx->front_stop : &scene->stop;
    if (!make_constants(scene, segment, stage, state))
        return false;
    if (all && (!make_storage(scene, stage, state) || !make_images(scene, stage, state) ||
                !make_samplers(scene, segment, stage, state) ||
                !make_handles(ctx, scene, segment, stage, state)))
        return false;
    stage->state = state;
    stage->state_dirty = stage->constants_dirty = false;
    return true;
}

static bool make_stage_states(struct cpu_context *ctx, struct cpu_scene *scene,
                              struct cpu_segment *segment)
{
    for (unsigned s = SHADER_VERTEX; s <= SHADER_FRAGMENT; s++)
        if (ctx->stage[s].shader && !make_stage_state(ctx, scene, segment, &ctx->stage[s]))
            return false;
    return true;
}

/* --- hazards --- */

/* Returns whether the stage samples a texture that the recorded scene renders to. */
static bool samples_render_target(const struct cpu_scene *scene, const struct cpu_stage *stage)
{
    uint64_t used = stage->shader->shader->samplers_used;
    while (used) {
        const struct cpu_sampler_view *v = stage->view[u_bit_scan64(&used)];
        if (v && cpu_scene_uses(scene, cpu_resource(v->view.texture)->storage, true))
            return true;
    }
    return false;
}

/* Returns whether images with resident handles may be written by a stage that writes memory. */
static bool has_image_handles(const struct cpu_handles *h)
{
    _Static_assert(CPU_TEXTURE_CLASSES == CPU_HANDLE_CLASSES - 64, "one word for images");
    return h->classes[CPU_TEXTURE_CLASSES / 64];
}

/* Does what is_fenced() does for the resident handles. Only another barrier or other handles change
 * the result, so most draws needn't visit the handles. */
static bool handles_are_fenced(struct cpu_handles *h, const struct cpu_scene *scene, bool write)
{
    const bool writes_images = write && has_image_handles(h);
    if (h->unfenced_scene == scene->id && h->unfenced_count == scene->fences &&
        (h->unfenced_writes || !writes_images))
        return false;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct cpu_resident *r = &h->entry[i];
        struct drv_resource *resource = cpu_resident_resource(r);
        if (resource &&
            cpu_scene_is_fenced(scene, cpu_resource(resource)->storage, !r->view && write))
            return true;
    }
    h->unfenced_scene = scene->id;
    h->unfenced_count = scene->fences;
    h->unfenced_writes = writes_images;
    return false;
}

/* Returns whether the fragment shader depends on memory that the recorded scene's fragments access
 * before a memory barrier. */
static bool is_fenced(struct cpu_context *ctx, const struct cpu_scene *scene,
                      const struct cpu_stage *stage)
{
    const struct cpu_shader *shader = stage->shader->shader;
    uint64_t used = shader->samplers_used;
    uint32_t images = shader->images_used, bound = stage->bound_constants;
    while (images) {
        const struct drv_image_view *v = &stage->image[u_bit_scan(&images)];
        if (v->resource &&
            cpu_scene_is_fenced(scene, cpu_resource(v->resource)->storage, writes_memory(stage)))
            return true;
    }
    for (unsigned i = 0; i < shader->num_storage; i++)
        if (stage->storage[i].buffer &&
            cpu_scene_is_fenced(scene, cpu_resource(stage->storage[i].buffer)->storage,
                                writes_memory(stage)))
            return true;
    while (bound) {
        const struct drv_constant_buffer *c = &stage->constant[u_bit_scan(&bound)];
        if (c->buffer && cpu_scene_is_fenced(scene, cpu_resource(c->buffer)->storage, false))
            return true;
    }
    while (used) {
        const struct cpu_sampler_view *v = stage->view[u_bit_scan64(&used)];
        if (v && cpu_scene_is_fenced(scene, cpu_resource(v->view.texture)->storage, false))
            return true;
    }
    return shader->uses_handles && handles_are_fenced(&ctx->handles, scene, writes_memory(stage));
}

/* Returns whether fragments of the scene write buffers or images. */
static bool shaders_write(const struct cpu_scene *scene)
{
    return scene && scene->shaders_write;
}

/* Synchronizes a resident texture or image. write: images are also written. */
static void sync_resident(struct cpu_context *ctx, const struct cpu_resident *r, bool write)
{
    struct drv_resource *resource = cpu_resident_resource(r);
    if (!resource)
        return;
    cpu_context_sync(ctx, cpu_resource(resource)->storage, !r->view && write);
    if (r->view)
        cpu_storage_resolve(r->view->texels->storage, false);
}

/* Synchronizes the resident resources for a vertex-processing stage, which may access any of them
 * through handles. Does nothing if no storage has changed since the last call. Before the stage
 * writes an image, its readers have to finish, too. They are in submitted scenes, which count as
 * changes, or among the uses of the recorded scene. */
static void sync_handles(struct cpu_context *ctx, bool write)
{
    struct cpu_handles *h = &ctx->handles;
    const uint64_t changes = cpu_storage_changes();
    const bool writes_images = write && has_image_handles(h);
    const bool synced = h->synced == changes;
    const struct cpu_scene *scene = ctx->recording;
    if (synced && (!writes_images || (h->synced_scene == (scene ? scene->id : 0) &&
                                      h->synced_uses == (scene ? scene->uses.count : 0))))
        return;
    for (uint32_t i = 0; i < h->count; i++)
        if (!synced || !h->entry[i].view)
            sync_resident(ctx, &h->entry[i], write);
    h->synced = changes;
    if (writes_images) {
        scene = ctx->recording; /* it may have been submitted */
        h->synced_scene = scene ? scene->id : 0;
        h->synced_uses = scene ? scene->uses.count : 0;
    } else {
        h->synced_uses = CPU_NOT_SYNCED;
    }
}

/* Synchronizes the memory that a vertex-processing stage accesses, because it runs now: waits for
 * scenes that write what it reads, or that use what it writes. */
static void sync_stage(struct cpu_context *ctx, const struct cpu_stage *stage)
{
    const struct cpu_shader *shader = stage->shader->shader;
    uint64_t used = shader->samplers_used;
    uint32_t images = shader->images_used, bound = stage->bound_constants;
    while (used) {
        const struct cpu_sampler_view *v = stage->view[u_bit_scan64(&used)];
        if (v) {
            cpu_context_wait(ctx, cpu_resource(v->view.texture)->storage, false, false);
            cpu_storage_resolve(v->texels->storage, false);
        }
    }
    while (images) {
        const struct drv_image_view *v = &stage->image[u_bit_scan(&images)];
        if (v->resource)
            cpu_context_sync(ctx, cpu_resource(v->resource)->storage, writes_memory(stage));
    }
    if (shader->uses_handles)
        sync_handles(ctx, writes_memory(stage));
    for (unsigned i = 0; i < shader->num_storage; i++)
        if (stage->storage[i].buffer)
            cpu_context_sync(ctx, cpu_resource(stage->storage[i].buffer)->storage,
                             writes_memory(stage));
    while (bound && (shaders_write(ctx->recording) || shaders_write(ctx->running))) {
        const struct drv_constant_buffer *c = &stage->constant[u_bit_scan(&bound)];
        if (c->buffer)
            cpu_context_sync(ctx, cpu_resource(c->buffer)->storage, false);
    }
}

/* --- keys --- */

static void fill_finish_vertices_key(struct cpu_finish_vertices_key *key,
                                     const struct drv_rasterizer_state *rast)
{
    key->last = true;
    key->clip_plane_enable = rast->clip_plane_enable;
    key->clip_halfz = rast->clip_halfz;
    key->depth_clip_near = rast->depth_clip_near;
    key->depth_clip_far = rast->depth_clip_far;
}

/* Returns whether a stage needs another variant, because its shader or its key has changed. Stores
 * the new key. */
static bool is_new_key(struct cpu_context *ctx, const struct cpu_shader_object *object, void *old,
                       const void *key, size_t size)
{
    uint64_t *id = &ctx->key_shader[object->shader->stage];
    if (*id == object->id && !memcmp(old, key, size))
        return false;
    memcpy(old, key, size);
    *id = object->id;
    return true;
}

static bool validate_vs(struct cpu_context *ctx)
{
    const struct cpu_shader_object *object = ctx->stage[SHADER_VERTEX].shader;
    struct cpu_shader *shader = object->shader;
    struct cpu_vs_key key;
    memset(&key, 0, sizeof key);
    for (unsigned i = 0; ctx->elements && i < ctx->elements->count; i++) {
        const struct drv_vertex_element *e = &ctx->elements->element[i];
        if (!(shader->inputs_read >> e->attrib & 1))
            continue;
        key.attrib[e->attrib].format = e->src_format;
        key.attrib[e->attrib].stream = i;
        key.attrib[e->attrib].instanced = e->instance_divisor != 0;
        key.instances_share_vectors |= ctx->instances_share_vectors && e->instance_divisor;
    }
    key.instances_share_vectors |= ctx->instances_share_vectors && shader->reads_instance;
    key.far_arrays = ctx->far_arrays;
    if (!ctx->stage[SHADER_TESS_EVAL].shader && !ctx->stage[SHADER_GEOMETRY].shader)
        fill_finish_vertices_key(&key.finish_vertices, ctx->rasterizer);
    fill_units_key(ctx, &key.units, &ctx->stage[SHADER_VERTEX]);
    if (is_new_key(ctx, object, &ctx->vs_key, &key, sizeof key) || !ctx->vs)
        ctx->vs = cpu_vs_variant_get(ctx->screen, shader, &key);
    return ctx->vs;
}

/* Fills in the index of each input among the outputs of the previous stage. */
static void fill_input_slots(uint8_t slot[64], uint64_t inputs,
                             const struct cpu_stage_outputs *outputs)
{
    while (inputs) {
        int i = u_bit_scan64(&inputs);
        slot[i] = outputs->index[i];
    }
}

/* Updates the control stage. Without a control shader, the outputs of the vertex shader are the
 * vertices of the patch. */
static bool validate_tcs(struct cpu_context *ctx)
{
    const struct cpu_shader_object *object = ctx->stage[SHADER_TESS_CTRL].shader;
    struct cpu_tcs_key key;
    if (!object) {
        ctx->tcs = NULL;
        ctx->patch = (struct cpu_patch_outputs){.vertex = ctx->vs->outputs};
        return true;
    }
    memset(&key, 0, sizeof key);
    fill_input_slots(key.input_slot, object->shader->inputs_read, &ctx->vs->outputs);
    fill_units_key(ctx, &key.units, &ctx->stage[SHADER_TESS_CTRL]);
    if (is_new_key(ctx, object, &ctx->tcs_key, &key, sizeof key) || !ctx->tcs)
        ctx->tcs = cpu_tcs_variant_get(ctx->screen, object->shader, &key);
    if (ctx->tcs)
        ctx->patch = ctx->tcs->outputs;
    return ctx->tcs;
}

static bool validate_tes(struct cpu_context *ctx)
{
    const struct cpu_shader_object *object = ctx->stage[SHADER_TESS_EVAL].shader;
    struct cpu_tes_key key;
    if (!object) {
        ctx->tcs = NULL;
        ctx->tes = NULL;
        return true;
    }
    if (!validate_tcs(ctx))
        return false;
    memset(&key, 0, sizeof key);
    fill_input_slots(key.input_slot, object->shader->inputs_read, &ctx->patch.vertex);
    memcpy(key.patch_slot, ctx->patch.index, sizeof key.patch_slot);
    if (!ctx->stage[SHADER_GEOMETRY].shader)
        fill_finish_vertices_key(&key.finish_vertices, ctx->rasterizer);
    fill_units_key(ctx, &key.units, &ctx->stage[SHADER_TESS_EVAL]);
    if (is_new_key(ctx, object, &ctx->tes_key, &key, sizeof key) || !ctx->tes)
        ctx->tes = cpu_tes_variant_get(ctx->screen, object->shader, &key);
    return ctx->tes;
}

static bool validate_gs(struct cpu_context *ctx)
{
    const struct cpu_shader_object *object = ctx->stage[SHADER_GEOMETRY].shader;
    struct cpu_gs_key key;
    if (!object) {
        ctx->gs = NULL;
        return true;
    }
    memset(&key, 0, sizeof key);
    fill_input_slots(key.input_slot, object->shader->inputs_read,
                     ctx->tes ? &ctx->tes->outputs : &ctx->vs->outputs);
    fill_finish_vertices_key(&key.finish_vertices, ctx->rasterizer);
    fill_units_key(ctx, &key.units, &ctx->stage[SHADER_GEOMETRY]);
    if (is_new_key(ctx, object, &ctx->gs_key, &key, sizeof key) || !ctx->gs)
        ctx->gs = cpu_gs_variant_get(ctx->screen, object->shader, &key);
    return ctx->gs;
}

/* Updates the variants of the stages before rasterization. */
static bool validate_vertex_stages(struct cpu_context *ctx)
{
    if (!(ctx->dirty & CPU_DIRTY_VS_KEY) && ctx->outputs)
        return true;
    ctx->outputs = NULL;
    ctx->dirty |= CPU_DIRTY_FRONT;
    if (!validate_vs(ctx) || !validate_tes(ctx) || !validate_gs(ctx))
        return false;
    ctx->outputs = ctx->gs ? &ctx->gs->outputs : ctx->tes ? &ctx->tes->outputs : &ctx->vs->outputs;
    ctx->dirty &= ~CPU_DIRTY_VS_KEY;
    return true;
}

static bool is_compiled(struct jit_kernel *kernel)
{
    return !kernel || jit_kernel_function(kernel).run;
}

/* Waits for the kernels of the stages before rasterization, which run during the draw; the fragment
 * kernel is needed only when the scene runs. Returns false if one cannot be compiled. */
static bool await_vertex_kernels(struct cpu_context *ctx)
{
    if (is_compiled(ctx->vs->kernel) && (!ctx->tcs || is_compiled(ctx->tcs->kernel)) &&
        (!ctx->tes || (is_compiled(ctx->tes->kernel) && is_compiled(ctx->tes->finish_vertices))) &&
        (!ctx->gs || (is_compiled(ctx->gs->kernel) && is_compiled(ctx->gs->finish_vertices))))
        return true;
    ctx->outputs = NULL; /* makes the next draw look up all variants again */
    ctx->vs = NULL;
    ctx->tcs = NULL;
    ctx->tes = NULL;
    ctx->gs = NULL;
    return false;
}

/* Returns whether all visible primitives are drawn as points, including polygons in point mode. */
static bool draws_points(const struct drv_rasterizer_state *r, enum cpu_kind kind)
{
    return kind == CPU_KIND_POINT ||
           (kind == CPU_KIND_TRIANGLE && (r->cull_front || r->fill_front == DRV_POLYGON_POINT) &&
            (r->cull_back || r->fill_back == DRV_POLYGON_POINT));
}

/* Returns whether visible polygons may be drawn in that mode. */
static bool has_polygon_mode(const struct drv_rasterizer_state *r, enum drv_polygon_mode mode)
{
    return (!r->cull_front && r->fill_front == mode) || (!r->cull_back && r->fill_back == mode);
}

/* Returns whether primitives may be smooth; none is with multisampling (GL 4.6 §14.4.2, §14.5.4,
 * §14.6.6). */
static bool draws_smooth(const struct cpu_context *ctx, enum cpu_kind kind)
{
    const struct drv_rasterizer_state *r = ctx->rasterizer;
    if (r->conservative || (r->multisample && ctx->fb.samples > 1))
        return false;
    if (kind != CPU_KIND_TRIANGLE)
        return kind == CPU_KIND_POINT ? r->point_smooth : r->line_smooth;
    return (r->poly_smooth && has_polygon_mode(r, DRV_POLYGON_FILL)) ||
           (r->line_smooth && has_polygon_mode(r, DRV_POLYGON_LINE)) ||
           (r->point_smooth && has_polygon_mode(r, DRV_POLYGON_POINT));
}

static void fill_fs_key(struct cpu_context *ctx, struct cpu_fs_key *key, enum cpu_kind kind)
{
    const struct drv_rasterizer_state *rast = ctx->rasterizer;
    const struct cpu_stage *stage = &ctx->stage[SHADER_FRAGMENT];
    memset(key, 0, sizeof *key);
    key->num_color_bufs = ctx->fb.nr_cbufs;
    for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++)
        key->color_format[i] = ctx->fb.cbufs[i].texture ? ctx->fb.cbufs[i].format : 0;
    key->zs_format = ctx->fb.zsbuf.texture ? ctx->fb.zsbuf.format : 0;
    key->flatshade_first = rast->flatshade_first;
    key->depth_clamp = !rast->depth_clip_near || !rast->depth_clip_far;
    key->viewports = key->depth_clamp && ctx->outputs->index[VARYING_SLOT_VIEWPORT];
    for (unsigned i = 0; i < ctx->num_counting; i++) {
        if (cpu_query_counter(ctx->counting[i]).invocations)
            key->count_invocations = true;
        else
            key->count_samples = true;
    }
    key->point = draws_points(rast, kind);
    key->smooth = draws_smooth(ctx, kind);
    fill_input_slots(key->input_slot, stage->shader->shader->inputs_read, ctx->outputs);
    /* Fragments read the viewport and layer of their primitive, which differ from the outputs. */
    if (ctx->outputs->viewport_mask)
        key->input_slot[VARYING_SLOT_VIEWPORT] = 0;
    if (ctx->outputs->viewport_relative_layer)
        key->input_slot[VARYING_SLOT_LAYER] = 0;
    key->blend = ctx->blend->key;
    key->samples = ctx->fb.samples > 1 ? ctx->fb.samples : 0;
    /* GL 4.6 §17.3.1: without multisampling, alpha has no effect on coverage */
    key->sample_masks = key->samples && rast->multisample;
    if (!key->sample_masks)
        key->blend.alpha_to_coverage = key->blend.alpha_to_coverage_dither =
            key->blend.alpha_to_one = 0;
    else
        key->sample_shading = ctx->min_samples > 1;
    key->barycentrics = stage->shader->shader->reads_barycentrics;
    key->inner_coverage = rast->conservative && stage->shader->shader->nir->info.fs.inner_coverage;
    key->all_samples = rast->conservative && rast->conservative_expand;
    if (ctx->fb.zsbuf.texture)
        key->zs = ctx->zs->key;
    fill_units_key(ctx, &key->units, stage);
    key->upper_row =
        ctx->fb.window && (key->units.num_samplers || stage->shader->shader->uses_handles);
}

static bool validate_fs(struct cpu_context *ctx, enum cpu_kind kind)
{
    const struct cpu_shader_object *object = ctx->stage[SHADER_FRAGMENT].shader;
    struct cpu_shader *shader = object->shader;
    bool point = draws_points(ctx->rasterizer, kind);
    if (!(ctx->dirty & CPU_DIRTY_FS_KEY) && ctx->fs && ctx->fs_key_outputs == ctx->outputs &&
        ctx->fs_key.point == point && ctx->fs_key.smooth == draws_smooth(ctx, kind))
        return true;
    struct cpu_fs_key key;
    fill_fs_key(ctx, &key, kind);
    if (is_new_key(ctx, object, &ctx->fs_key, &key, sizeof key) || !ctx->fs) {
        ctx->fs = cpu_fs_variant_get(ctx->screen, shader, &key);
        ctx->dirty |= CPU_DIRTY_DRAW;
    }
    ctx->fs_key_outputs = ctx->outputs;
    ctx->dirty &= ~CPU_DIRTY_FS_KEY;
    return ctx->fs;
}

/* --- fragment state --- */

/* Returns the positions of the framebuffer's samples, as in cpu_draw.positions. */
static const int8_t (*sample_positions(const struct cpu_context *ctx))[2]
{
    return ctx->has_sample_location ? ctx->sample_location
                                    : cpu_sample_positions(ctx->fb.samples, ctx->fb.window);
}

static void make_sample_state(const struct cpu_context *ctx, struct cpu_fs_state *s)
{
    unsigned samples = MIN2(ctx->fb.samples, CPU_MAX_SAMPLES);
    const int8_t(*position)[2] = sample_positions(ctx);
    s->sample_mask = ctx->sample_mask;
    for (unsigned i = 0; i < samples; i++) {
        s->sample_offset[0][i] = position[i][0] / 16.0f;
        s->sample_offset[1][i] = position[i][1] / 16.0f;
    }
}

static bool make_fs_state(struct cpu_context *ctx, struct cpu_segment *segment)
{
    if (ctx->fs_state && !(ctx->dirty & CPU_DIRTY_FS_STATE))
        return true;
    struct cpu_fs_state *s = arena_alloc_aligned(segment->arena, sizeof *s, 64);
    if (!s)
        return false;
    *s = (struct cpu_fs_state){.sample_mask = ~0u, .fb_height = ctx->fb.height};
    if (ctx->rasterizer->multisample && ctx->fb.samples > 1)
        make_sample_state(ctx, s);
    memcpy(s->blend_color, ctx->blend_color, sizeof s->blend_color);
    s->depth_bounds[0] = ctx->zs->state.depth_bounds_min;
    s->depth_bounds[1] = ctx->zs->state.depth_bounds_max;
    const struct drv_stencil_face *face = ctx->zs->state.stencil;
    for (unsigned i = 0; i < 2; i++) {
        unsigned from = i && face[1].enabled;
        s->stencil_ref[i] = ctx->stencil_ref[i];
        s->stencil_valuemask[i] = face[from].valuemask;
        s->stencil_writemask[i] = face[from].writemask;
    }
    for (unsigned i = 0; i < ctx->num_viewports; i++) {
        const struct drv_viewport *v = &ctx->viewport[i];
        float far = v->translate[2] + v->scale[2];
        float near = ctx->rasterizer->clip_halfz ? v->translate[2] : v->translate[2] - v->scale[2];
        s->depth_range[i].min = CLAMP(fminf(near, far), 0.0f, 1.0f);
        s->depth_range[i].max = CLAMP(fmaxf(near, far), 0.0f, 1.0f);
    }
    ctx->fs_state = s;
    ctx->dirty &= ~CPU_DIRTY_FS_STATE;
    return true;
}

static bool make_draw(struct cpu_context *ctx, struct cpu_segment *segment)
{
    const struct cpu_stage *stage = &ctx->stage[SHADER_FRAGMENT];
    if (ctx->draw && !(ctx->dirty & CPU_DIRTY_DRAW) && ctx->draw->state == stage->state &&
        ctx->draw->fs_state == ctx->fs_state)
        return true;
    struct cpu_draw *d = arena_zalloc(segment->arena, sizeof *d);
    if (!d)
        return false;
    d->task = arena_alloc(segment->arena, sizeof *d->task);
    if (!d->task)
        return false;
    cpu_context_init_task(ctx, d->task, SHADER_FRAGMENT, &ctx->recording->stop);
    d->fs = ctx->fs;
    d->state = stage->state;
    d->fs_state = ctx->fs_state;
    d->samples = ctx->fs_key.samples ? ctx->fs_key.samples : 1;
    d->conservative = ctx->rasterizer->conservative;
    d->conservative_expand = ctx->rasterizer->conservative_expand;
    d->inner_coverage = ctx->fs_key.inner_coverage;
    if (d->samples > 1 && ctx->rasterizer->multisample && !d->conservative) {
        d->positions = sample_positions(ctx);
        if (ctx->has_sample_location) {
            void *copy = arena_alloc(segment->arena, sizeof ctx->sample_location);
            if (!copy)
                return false;
            d->positions = memcpy(copy, ctx->sample_location, sizeof ctx->sample_location);
        }
    }
    d->smooth = ctx->fs_key.smooth;
    d->smooth_polygons = d->smooth && ctx->rasterizer->poly_smooth;
    if (ctx->rasterizer->poly_stipple_enable) {
        uint32_t *pattern = arena_alloc(segment->arena, sizeof ctx->stipple);
        if (!pattern)
            return false;
        d->stipple = memcpy(pattern, ctx->stipple, sizeof ctx->stipple);
    }
    d->num_counters = ctx->num_counting;
    for (unsigned i = 0; i < ctx->num_counting; i++)
        d->counter[i] = cpu_query_counter(ctx->counting[i]);
    if (ctx->fs->kernel && !cpu_scene_use_kernel(ctx->recording, ctx->fs->kernel))
        return false;
    ctx->draw = d;
    ctx->dirty &= ~CPU_DIRTY_DRAW;
    ctx->dirty |= CPU_DIRTY_FRONT;
    return true;
}

struct cpu_rect cpu_draw_rect(const struct cpu_context *ctx, const struct cpu_scene *scene,
                              unsigned viewport)
{
    struct cpu_rect r = {0, 0, (int)scene->width - 1, (int)scene->height - 1};
    if (ctx->rasterizer && ctx->rasterizer->scissor >> viewport & 1) {
        const struct drv_scissor *s = &ctx->scissor[viewport];
        r.x0 = MAX2(r.x0, s->minx);
        r.y0 = MAX2(r.y0, s->miny);
        r.x1 = MIN2(r.x1, (int)s->maxx - 1);
        r.y1 = MIN2(r.y1, (int)s->maxy - 1);
    }
    return r;
}

/* Limits the memory of deleted resources that scenes keep, for applications that stream textures
 * without a flush. Submitting a scene waits for the one before, so two scenes keep memory at most,
 * and the next resources get memory that is still in the caches. */
static void bound_orphans(struct cpu_context *ctx)
{
    const size_t *orphaned = &cpu_screen(ctx->base.screen)->storage_cache.orphaned;
    size_t now = __atomic_load_n(orphaned, __ATOMIC_RELAXED);
    ctx->foreign_orphans = MIN2(ctx->foreign_orphans, now);
    if (now <= ctx->foreign_orphans + CPU_ORPHAN_MEMORY)
        return;
    cpu_context_submit(ctx);
    ctx->foreign_orphans = __atomic_load_n(orphaned, __ATOMIC_RELAXED);
}

/* Makes the transform feedback buffers safe to write. Comes before the draw's scene is chosen,
 * because it may submit the recorded one. */
static void sync_stream_output(struct cpu_context *ctx)
{
    const struct drv_stream_output *desc = &cpu_last_stage(ctx)->shader->stream_output;
    for (unsigned i = 0; i < desc->num_outputs; i++) {
        struct drv_resource *buffer = ctx->stream_target[desc->output[i].buffer].buffer;
        if (buffer)
            cpu_context_sync(ctx, cpu_resource(buffer)->storage, true);
    }
}

/* Updates the derived state for a draw. Returns false if out of memory. */
static bool validate(struct cpu_context *ctx, enum cpu_kind kind)
{
    struct cpu_stage *fs = &ctx->stage[SHADER_FRAGMENT];
    if (!validate_vertex_stages(ctx) || !validate_fs(ctx, kind) || !await_vertex_kernels(ctx))
        return false;
    for (unsigned s = SHADER_VERTEX; s < SHADER_FRAGMENT; s++)
        if (ctx->stage[s].shader)
            sync_stage(ctx, &ctx->stage[s]);
    sync_stream_output(ctx);
    bound_orphans(ctx);
    if (ctx->recording && (cpu_scene_memory(ctx->recording) > CPU_SCENE_MEMORY ||
                           (fs->state_dirty && samples_render_target(ctx->recording, fs)) ||
                           (ctx->recording->fenced && is_fenced(ctx, ctx->recording, fs))))
        cpu_context_submit(ctx);
    struct cpu_scene *scene = cpu_context_scene(ctx);
    struct cpu_segment *segment = scene ? cpu_scene_segment(scene) : NULL;
    if (scene)
        scene->shaders_write |= writes_memory(fs);
    /* submitting a scene resets ctx->fs if the fragment kernel could not be compiled */
    return segment && ctx->fs && cpu_scene_use_shader(scene, fs->shader) &&
           make_stage_states(ctx, scene, segment) && make_fs_state(ctx, segment) &&
           make_draw(ctx, segment);
}

const struct cpu_cs_variant *cpu_validate_compute(struct cpu_context *ctx, struct cpu_scene *scene,
                                                  struct cpu_segment *segment)
{
    struct cpu_stage *stage = &ctx->stage[SHADER_COMPUTE];
    struct cpu_cs_key key;
    memset(&key, 0, sizeof key);
    fill_units_key(ctx, &key.units, stage);
    const struct cpu_cs_variant *cs = cpu_cs_variant_get(ctx->screen, stage->shader->shader, &key);
    scene->shaders_write |= writes_memory(stage);
    return cs && is_compiled(cs->kernel) && cpu_scene_use_shader(scene, stage->shader) &&
                   make_stage_state(ctx, scene, segment, stage)
               ? cs
               : NULL;
}

/* Returns whether everything that a draw needs is up to date. The front end has a separate bit. */
static bool is_valid(const struct cpu_context *ctx)
{
    const uint32_t made = CPU_DIRTY_VS_KEY | CPU_DIRTY_FS_KEY | CPU_DIRTY_FS_STATE | CPU_DIRTY_DRAW;
    for (unsigned s = SHADER_VERTEX; s <= SHADER_FRAGMENT; s++) {
        const struct cpu_stage *stage = &ctx->stage[s];
        if (stage->shader && (!stage->state || stage->state_dirty || stage->constants_dirty))
            return false;
    }
    return !(ctx->dirty & made) && ctx->outputs && ctx->fs && ctx->fs_state && ctx->draw;
}

bool cpu_validate(struct cpu_context *ctx, enum cpu_kind kind)
{
    if (!ctx->stage[SHADER_VERTEX].shader || !ctx->stage[SHADER_FRAGMENT].shader ||
        !ctx->rasterizer || !ctx->blend || !ctx->zs)
        return false;
    if (validate(ctx, kind)) {
        CHECK(is_valid(ctx));
        return true;
    }
    ctx->base.out_of_memory = true;
    return false;
}
