/* SPDX-License-Identifier: MIT */
/* What the threads of all stages access: surfaces of the binding table, samplers, images. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "driver/i965/i965_abi.h"
#include "model_pixel.h"
#include "model_sampler.h"
#include "model_strict.h"
#include "util/float_env.h"

#define SURFACE_STATE_BYTES 64
#define SAMPLER_STATE_BYTES 16
/* Surfaces and samplers of one environment that stay decoded. */
#define MAX_SURFACES 256
#define MAX_SAMPLERS 64

/* Decoded state. Entries are allocated when they are first used. */
struct cache {
    struct model_surface *surface[MAX_SURFACES]; /* By binding table index. */
    struct {
        uint64_t address;
        struct model_sampler *sampler;
    } sampler[MAX_SAMPLERS];
    struct model_block_cache *blocks;
};

static struct model_env *env_of(struct sim_env *env)
{
    return (struct model_env *)env;
}

/* Reads the surface state of a binding table entry. Returns a block of malloc() that starts with
 * the surface, or NULL after model_error(). */
static struct model_surface *decode_surface(struct model_env *env, unsigned index)
{
    struct model_context *ctx = env->ctx;
    struct i965_render_surface_state state;
    uint32_t entry;
    uint64_t address;

    model_reads(ctx, MODEL_CACHE_STATE, env->binding_table + index * 4ull, 4);
    if (!model_read_state(ctx, "binding table", env->binding_table + index * 4ull, &entry, 4) ||
        !model_state_address(ctx, "Surface State Pointer", &ctx->state.surface, entry & ~63u,
                             SURFACE_STATE_BYTES, &address) ||
        !model_read_struct(ctx, "RENDER_SURFACE_STATE", I965_RENDER_SURFACE_STATE, address, &state))
        return NULL;
    struct sampled {
        struct model_surface surface, hiz;
    } *pair = malloc(sizeof *pair);
    if (!pair) {
        model_error(ctx, "RENDER_SURFACE_STATE", "memory is exhausted");
        return NULL;
    }
    if (!model_surface_init(&pair->surface, ctx, &state) || !model_surface_expand(&pair->surface)) {
        free(pair);
        return NULL;
    }
    model_sampled_hiz_init(&pair->hiz, &pair->surface, &state);
    if (pair->hiz.type != I965_SURFACE_TYPE_SURFTYPE_NULL)
        pair->surface.hiz = &pair->hiz;
    return &pair->surface;
}

struct model_surface *model_env_surface(struct model_env *env, unsigned index)
{
    struct cache *cache = env->cache;

    if (index >= I965_MAX_BINDING_TABLE_ENTRIES) {
        model_error(env->ctx, "binding table", "index %u is reserved", index);
        return NULL;
    }
    if (!cache->surface[index])
        cache->surface[index] = decode_surface(env, index);
    return cache->surface[index];
}

/* Returns the sampler at an index of the table, or NULL after model_error(). */
static const struct model_sampler *find_sampler(struct model_env *env, unsigned index)
{
    struct cache *cache = env->cache;
    const uint64_t address = env->samplers + (uint64_t)index * SAMPLER_STATE_BYTES;
    const unsigned place = index % MAX_SAMPLERS;
    struct i965_sampler_state state;

    if (cache->sampler[place].sampler && cache->sampler[place].address == address)
        return cache->sampler[place].sampler;
    if (!model_read_struct(env->ctx, "SAMPLER_STATE", I965_SAMPLER_STATE, address, &state))
        return NULL;
    if (!cache->sampler[place].sampler)
        cache->sampler[place].sampler = malloc(sizeof *cache->sampler[place].sampler);
    struct model_sampler *sampler = cache->sampler[place].sampler;
    if (!sampler) {
        model_error(env->ctx, "SAMPLER_STATE", "memory is exhausted");
        return NULL;
    }
    cache->sampler[place].address = address;
    return model_sampler_init(sampler, env->ctx, &state) ? sampler : NULL;
}

static bool sample(struct sim_env *base, struct sim_sample *s)
{
    struct model_env *env = env_of(base);
    struct cache *cache = env->cache;
    const struct model_surface *surface = model_env_surface(env, s->surface);
    const struct model_sampler *sampler = NULL;

    if (!surface)
        return false;
    if (model_sample_uses_sampler(s->type) && !(sampler = find_sampler(env, s->sampler)))
        return false;
    if (!cache->blocks && surface->format.compressed)
        cache->blocks = calloc(1, sizeof *cache->blocks);
    if (!cache->blocks && surface->format.compressed)
        return model_error(env->ctx, "sampler message", "memory is exhausted");
    if (!model_spend(env->ctx, (uint64_t)s->channels * model_sampler_work(sampler)))
        return false;
    const float_env saved = float_env_enter(); /* Not that of the kernel. */
    const bool done = model_sample(surface, sampler, cache->blocks, s);
    float_env_leave(saved);
    return done;
}

/* Checks an access of the data port to a buffer, for a strict model. data: the surface. */
static void watch_buffer(void *data, const uint8_t *at, unsigned bytes, bool write)
{
    const struct model_surface *s = data;
    const uint64_t address = s->address + (uint64_t)(at - s->bytes);

    if (write)
        model_writes(s->ctx, MODEL_CACHE_DATA, address, bytes);
    else
        model_reads(s->ctx, MODEL_CACHE_DATA, address, bytes);
}

/* Buffers, for untyped accesses. */
static bool find_buffer(struct sim_env *base, unsigned index, struct sim_surface *surface)
{
    struct model_env *env = env_of(base);

    if (index == I965_BTI_SLM) {
        *surface = (struct sim_surface){.base = env->shared, .size = env->shared_size};
        return true;
    }
    struct model_surface *s = model_env_surface(env, index);
    if (!s)
        return false;
    *surface =
        (struct sim_surface){.watch = env->ctx->strict ? watch_buffer : NULL, .watch_data = s};
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return true;
    if (s->type != I965_SURFACE_TYPE_SURFTYPE_BUFFER)
        return model_error(env->ctx, "Surface Type",
                           "RENDER_SURFACE_STATE: an untyped access needs a buffer");
    surface->base = s->bytes;
    surface->size = MIN2(model_buffer_size(s), s->mapped);
    return true;
}

/* --------------------------------------------------------------------------------- images --- */

/* Returns the memory of a texel, NULL if it is outside. */
static uint8_t *image_texel(const struct model_surface *s, const struct sim_typed *a, unsigned lane)
{
    const unsigned level = MIN2(s->first_level + 0u, MODEL_MAX_LEVELS - 1u);
    uint32_t x = a->coord[0][lane], y = a->coord[1][lane], z = a->coord[2][lane];

    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER)
        return x < s->entries ? model_surface_texel(s, 0, x, 0, 0, 0) : NULL;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_1D) {
        z = y;
        y = 0;
    }
    if (!s->array && s->type != I965_SURFACE_TYPE_SURFTYPE_3D)
        z = 0;
    const bool volume = s->type == I965_SURFACE_TYPE_SURFTYPE_3D;
    if (x >= model_minify(s->width, level) || y >= model_minify(s->height, level) ||
        z >= (volume ? model_minify(s->depth, level) : s->depth))
        return NULL;
    return model_surface_texel(s, level, x, y, z + s->min_element, 0);
}

static void access_texel(const struct model_surface *s, struct sim_typed *a, unsigned lane)
{
    uint8_t *texel = image_texel(s, a, lane);
    uint32_t rgba[4];

    for (unsigned c = 0; c < 4; c++)
        rgba[c] = a->data[c][lane];
    if (texel && a->operation != SIM_TYPED_WRITE)
        model_surface_reads(s, MODEL_CACHE_DATA, texel);
    if (texel && a->operation != SIM_TYPED_READ)
        model_surface_writes(s, MODEL_CACHE_DATA, texel);
    if (a->operation == SIM_TYPED_WRITE) {
        if (texel)
            model_texel_pack(&s->format, texel, rgba);
        return;
    }
    if (a->operation == SIM_TYPED_READ) {
        if (texel)
            model_texel_unpack(&s->format, texel, rgba);
        else
            memset(rgba, 0, sizeof rgba);
    } else {
        rgba[0] =
            texel && s->format.bytes == 4
                ? sim_atomic_access((uint32_t *)(void *)texel, a->atomic, false, rgba[0], rgba[1])
                : 0;
    }
    for (unsigned c = 0; c < 4; c++)
        a->data[c][lane] = rgba[c];
}

static bool access_image(struct sim_env *base, struct sim_typed *a)
{
    struct model_env *env = env_of(base);
    const struct model_surface *s = model_env_surface(env, a->surface);

    if (!s)
        return false;
    if (s->type != I965_SURFACE_TYPE_SURFTYPE_NULL &&
        (s->format.compressed || s->format.kind == MODEL_TEXEL_RAW ||
         s->format.kind == MODEL_TEXEL_STENCIL))
        return model_error(env->ctx, "Surface Format",
                           "RENDER_SURFACE_STATE: the format has no typed access");
    if (!model_spend(env->ctx, 8 * MODEL_WORK_TEXEL))
        return false;
    const float_env saved = float_env_enter();
    for (unsigned lane = 0; lane < 8; lane++) {
        if (!(a->mask >> lane & 1))
            continue;
        if (s->type != I965_SURFACE_TYPE_SURFTYPE_NULL) {
            access_texel(s, a, lane);
            continue;
        }
        for (unsigned c = 0; c < 4; c++)
            a->data[c][lane] = 0;
    }
    float_env_leave(saved);
    return true;
}

/* Memory for messages with 64-bit addresses. */
static uint8_t *find_address(struct sim_env *base, uint64_t address, unsigned bytes, bool write)
{
    struct model_context *ctx = env_of(base)->ctx;
    uint8_t *memory = model_pointer(ctx, address, bytes);

    if (memory && write)
        model_writes(ctx, MODEL_CACHE_DATA, address, bytes);
    else if (memory)
        model_reads(ctx, MODEL_CACHE_DATA, address, bytes);
    return memory;
}

/* Finds a byte of a 2D surface. Media blocks take its width as dwords, whatever the format. */
static bool locate(struct sim_env *base, unsigned surface, int32_t x, int32_t y, uint8_t **byte)
{
    const struct model_surface *s = model_env_surface(env_of(base), surface);

    if (!s)
        return false;
    *byte = NULL;
    if (s->type != I965_SURFACE_TYPE_SURFTYPE_2D || x < 0 || y < 0 ||
        (uint64_t)x >= MIN2((uint64_t)s->width * 4, s->pitch) || (uint32_t)y >= s->height)
        return true;
    const uint32_t column = (uint32_t)x / s->format.bytes;
    uint8_t *texel = model_surface_texel(s, 0, column, (uint32_t)y, s->min_element, 0);
    if (texel)
        *byte = texel + (uint32_t)x % s->format.bytes;
    return true;
}

/* ----------------------------------------------------------------------------- environment --- */

bool model_env_init(struct model_env *env, struct model_context *ctx, enum model_stage stage,
                    uint64_t binding_table, uint64_t samplers)
{
    memset(env, 0, sizeof *env);
    env->base.surface = find_buffer;
    env->base.sample = sample;
    env->base.typed = access_image;
    env->base.locate = locate;
    env->base.find = find_address;
    env->base.sampler_address = (uint32_t)samplers;
    env->ctx = ctx;
    env->stage = stage;
    env->binding_table = ctx->state.surface.address + binding_table;
    env->samplers = ctx->state.dynamic.address + samplers;
    env->cache = calloc(1, sizeof(struct cache));
    return env->cache || model_error(ctx, "3DPRIMITIVE", "memory is exhausted");
}

void model_env_finish(struct model_env *env)
{
    struct cache *cache = env->cache;

    if (!cache)
        return;
    for (unsigned i = 0; i < MAX_SURFACES; i++)
        free(cache->surface[i]);
    for (unsigned i = 0; i < MAX_SAMPLERS; i++)
        free(cache->sampler[i].sampler);
    free(cache->blocks);
    free(cache);
    env->cache = NULL;
}
