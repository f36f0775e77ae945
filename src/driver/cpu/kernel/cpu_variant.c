/* SPDX-License-Identifier: MIT */
/*
 * Variants and their keys. A shader's list of variants only grows. Readers walk it without a lock;
 * a thread that doesn't find its key creates the variant under the lock and inserts it at the
 * front.
 */
#include "driver/cpu/kernel/cpu_variant.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/kernel/cpu_nir_vertex.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/resource/cpu_screen.h"
#include "driver/cpu/kernel/cpu_variants.h"
#include "util/check.h"
#include "util/format.h"
#include "util/hash_table.h"
#include "util/memory.h"
#include "util/options.h"
#include "util/thread_pool.h"
#include "util/deep_stack.h"

#define QUADS_WANTED 256  /* primitives after which a kernel of quads pays */
#define PARTS_WANTED 8192 /* vertices after which the kernels of cpu_vs_parts pay */

struct variant {
    struct variant *next; /* constant once the variant is in the list */
    uint32_t hash;
    /* Used to compile kernels of quads and the kernels of cpu_vs_parts. */
    const struct cpu_shader *shader;
    struct jit_engine *jit;
    _Atomic uint32_t wanted; /* primitives or vertices that would have used these kernels so far */
    _Atomic(struct jit_kernel *) quads;
    _Atomic(struct jit_kernel *) positions, rest;
    _Atomic bool needs_few; /* the last batch needed few of its vertices */
    struct job_group group; /* jobs that compile these kernels */
    void (*destroy)(void *external);
    union {
        struct cpu_vs_key vs_key;
        struct cpu_tcs_key tcs_key;
        struct cpu_tes_key tes_key;
        struct cpu_gs_key gs_key;
        struct cpu_cs_key cs_key;
        struct cpu_fs_key fs_key;
    };
    union {
        struct cpu_vs_variant vs;
        struct cpu_tcs_variant tcs;
        struct cpu_tes_variant tes;
        struct cpu_gs_variant gs;
        struct cpu_cs_variant cs;
        struct cpu_fs_variant fs;
    };
};

struct cpu_variant_list {
    pthread_mutex_t lock;
    _Atomic(struct variant *) first;
};

struct cpu_variant_list *cpu_variant_list_create(void)
{
    struct cpu_variant_list *variants = calloc(1, sizeof *variants);
    if (variants)
        pthread_mutex_init(&variants->lock, NULL);
    return variants;
}

#define BEGIN_ALIKE(a, b)                                                                          \
    (offsetof(struct a, kernel) == offsetof(struct b, kernel) &&                                   \
     offsetof(struct a, external) == offsetof(struct b, external))
_Static_assert(BEGIN_ALIKE(cpu_vs_variant, cpu_fs_variant) &&
                   BEGIN_ALIKE(cpu_vs_variant, cpu_tcs_variant) &&
                   BEGIN_ALIKE(cpu_vs_variant, cpu_tes_variant) &&
                   BEGIN_ALIKE(cpu_vs_variant, cpu_gs_variant) &&
                   BEGIN_ALIKE(cpu_vs_variant, cpu_cs_variant),
               "destroying relies on it");

static void free_variant(struct variant *v)
{
    thread_pool_wait(&v->group);
    jit_kernel_destroy(atomic_load(&v->quads));
    jit_kernel_destroy(atomic_load(&v->positions));
    jit_kernel_destroy(atomic_load(&v->rest));
    /* all variants start with the same fields */
    jit_kernel_destroy(v->vs.kernel);
    if (v->shader->stage == SHADER_GEOMETRY)
        jit_kernel_destroy(v->gs.finish_vertices);
    if (v->shader->stage == SHADER_TESS_EVAL)
        jit_kernel_destroy(v->tes.finish_vertices);
    if (v->vs.external)
        v->destroy(v->vs.external);
    free(v);
}

void cpu_variant_list_destroy(struct cpu_variant_list *variants)
{
    if (!variants)
        return;
    for (struct variant *v = atomic_load(&variants->first), *next; v; v = next) {
        next = v->next;
        free_variant(v);
    }
    pthread_mutex_destroy(&variants->lock);
    free(variants);
}

static bool cannot_compile(struct jit_kernel *kernel)
{
    return kernel && jit_kernel_has_failed(kernel);
}

/* Returns whether compilation has failed. Such variants stay in the list, because draws may refer
 * to them, but are not found: another attempt may have more memory. */
static bool has_failed(const struct variant *v)
{
    switch (v->shader->stage) {
    case SHADER_TESS_EVAL:
        return cannot_compile(v->tes.kernel) || cannot_compile(v->tes.finish_vertices);
    case SHADER_GEOMETRY:
        return cannot_compile(v->gs.kernel) || cannot_compile(v->gs.finish_vertices);
    default:
        return cannot_compile(v->vs.kernel); /* all variants start with the same fields */
    }
}

static struct variant *find_variant(struct cpu_variant_list *variants, uint32_t hash,
                                    const void *key, size_t key_size)
{
    struct variant *v = atomic_load_explicit(&variants->first, memory_order_acquire);
    while (v && (v->hash != hash || memcmp(&v->vs_key, key, key_size) != 0 || has_failed(v)))
        v = v->next;
    return v;
}

/* Adds `change`, which is 1 or -1, to the users of a key's classes. With 1, returns false and adds
 * nothing if one of the classes has another key by now. */
static bool change_users(struct cpu_handle_classes *classes, const struct cpu_units_key *key,
                         int change)
{
    uint64_t newest = 0;

    if (!key->newest_class)
        return true;
    pthread_mutex_lock(&classes->mutex);
    for (unsigned i = 0; i < CPU_HANDLE_CLASSES; i++)
        if (key->classes[i / 64] >> i % 64 & 1)
            newest = MAX2(newest, classes->serial[i]);
    const bool same = newest == key->newest_class;
    CHECK(same || change > 0);
    for (unsigned i = 0; i < CPU_HANDLE_CLASSES && same; i++)
        if (key->classes[i / 64] >> i % 64 & 1)
            classes->users[i] += (uint32_t)change;
    pthread_mutex_unlock(&classes->mutex);
    return same;
}

static void *make_quads_deep(void *data)
{
    struct variant *v = data;
    return cpu_build_fs_quads(v->jit, v->shader, &v->fs_key);
}

static void make_quads(void *data, unsigned unused)
{
    struct variant *v = data;
    if (!change_users(v->shader->classes, &v->fs_key.units, 1))
        return;
    struct jit_kernel *kernel = util_deep_attempt(make_quads_deep, v);
    change_users(v->shader->classes, &v->fs_key.units, -1);
    atomic_store_explicit(&v->quads, kernel, memory_order_release);
}

/* Enables the kernel of quads if the variant may have one. */
static void prepare_quads(struct variant *v)
{
    unsigned lanes = v->fs.kernel ? jit_engine_lanes(v->jit) : 0;
    if (v->fs.no_op || lanes <= 4 || v->fs_key.samples || v->fs_key.smooth ||
        v->fs_key.inner_coverage || v->shader->nir->info.writes_memory)
        return;
    v->fs.quads = lanes / 4;
    if (util_debug(DEBUG_EAGER)) {
        v->wanted = QUADS_WANTED;
        make_quads(v, 0);
    }
}

/* The parameters of make_part. */
struct part_args {
    struct variant *v;
    enum cpu_vs_part part;
};

static void *make_part_deep(void *data)
{
    const struct part_args *a = data;
    return cpu_build_vs_part(a->v->jit, a->v->shader, &a->v->vs_key, a->part);
}

/* Returns NULL if compilation fails. */
static struct jit_kernel *make_part(struct variant *v, enum cpu_vs_part part)
{
    struct part_args args = {v, part};
    return cpu_kernel_wait(util_deep_attempt(make_part_deep, &args));
}

static void make_parts(void *data, unsigned unused)
{
    struct variant *v = data;
    if (!change_users(v->shader->classes, &v->vs_key.units, 1))
        return;
    struct jit_kernel *rest = make_part(v, CPU_VS_REST);
    atomic_store_explicit(&v->rest, rest, memory_order_release);
    if (rest)
        atomic_store_explicit(&v->positions, make_part(v, CPU_VS_POSITIONS), memory_order_release);
    change_users(v->shader->classes, &v->vs_key.units, -1);
}

/* Enables the kernels of cpu_vs_parts if the variant may have them: the shader has other outputs
 * than positions, and executing it twice, or not at all, has no side effects. */
static void prepare_parts(struct variant *v)
{
    bool more = false;
    for (unsigned slot = 0; slot < CPU_IO_SLOTS; slot++)
        more |= v->vs.outputs.index[slot] && !(CPU_POSITION_SLOTS >> slot & 1);
    if (!v->vs.kernel || !v->vs_key.finish_vertices.last || !more ||
        cpu_masks_idle_lanes(&v->shader->nir->info))
        return;
    v->vs.divided = jit_engine_lanes(v->jit);
    if (util_debug(DEBUG_EAGER)) {
        v->wanted = PARTS_WANTED;
        v->needs_few = true;
        make_parts(v, 0);
    }
}

/* If a runner executes the evaluation shader, vertices have all components of their outputs. */
static bool make_tes_finish_vertices(struct variant *v)
{
    uint8_t component[4 * CPU_IO_SLOTS];
    unsigned count = 4u * v->tes.outputs.count;

    for (unsigned i = 0; i < count; i++)
        component[i] = (uint8_t)i;
    v->tes.finish_vertices = cpu_build_finish_vertices(v->jit, &v->tes.outputs, component, count,
                                                       &v->tes_key.finish_vertices);
    return v->tes.finish_vertices;
}

/* Creates what the stage needs in addition to its kernel. Returns false if out of memory. */
static bool complete_variant(struct cpu_shader *shader, struct variant *v)
{
    switch (shader->stage) {
    case SHADER_VERTEX:
        prepare_parts(v);
        return true;
    case SHADER_FRAGMENT:
        if (v->fs.kernel)
            cpu_fs_describe_targets(shader, &v->fs_key, &v->fs);
        prepare_quads(v);
        return true;
    case SHADER_TESS_EVAL:
        return v->tes.kernel || make_tes_finish_vertices(v);
    case SHADER_GEOMETRY:
        v->gs.finish_vertices = cpu_build_finish_vertices(
            v->jit, &v->gs.outputs, v->gs.component, v->gs.words - 1u, &v->gs_key.finish_vertices);
        return v->gs.finish_vertices;
    default:
        return true;
    }
}

/* Creates the stage's kernel, or the runner's replacement. */
typedef void make_fn(struct cpu_screen *screen, struct cpu_shader *shader, struct variant *v);

/* Returns false if out of memory; v holds whatever was created. */
static bool make_kernels(struct cpu_screen *screen, struct cpu_shader *shader, struct variant *v,
                         make_fn *make)
{
    make(screen, shader, v);
    return (v->vs.kernel || v->vs.external) && complete_variant(shader, v);
}

/* The parameters of make_kernels. */
struct make_args {
    struct cpu_screen *screen;
    struct cpu_shader *shader;
    struct variant *v;
    make_fn *make;
};

static void *make_kernels_deep(void *data)
{
    struct make_args *a = data;
    return make_kernels(a->screen, a->shader, a->v, a->make) ? a : NULL;
}

static bool try_to_make_kernels(struct cpu_screen *screen, struct cpu_shader *shader,
                                struct variant *v, make_fn *make)
{
    struct make_args args = {screen, shader, v, make};
    return util_deep_attempt(make_kernels_deep, &args) != NULL;
}

static struct variant *make_variant(struct cpu_screen *screen, struct cpu_shader *shader,
                                    uint32_t hash, const void *key, size_t key_size, make_fn *make)
{
    struct cpu_variant_list *variants = shader->variants;
    struct variant *v = calloc(1, sizeof *v);

    if (!v)
        return NULL;
    v->hash = hash;
    v->shader = shader;
    v->jit = screen->jit;
    memcpy(&v->vs_key, key, key_size);
    if (!try_to_make_kernels(screen, shader, v, make)) {
        free_variant(v);
        return NULL;
    }
    v->next = atomic_load_explicit(&variants->first, memory_order_relaxed);
    atomic_store_explicit(&variants->first, v, memory_order_release);
    return v;
}

static struct variant *get_variant(struct cpu_screen *screen, struct cpu_shader *shader,
                                   const void *key, size_t key_size, make_fn *make)
{
    struct cpu_variant_list *variants = shader->variants;
    uint32_t hash = hash_data(key, key_size);
    struct variant *v = find_variant(variants, hash, key, key_size);

    if (v)
        return v;
    pthread_mutex_lock(&variants->lock);
    v = find_variant(variants, hash, key, key_size);
    if (!v)
        v = make_variant(screen, shader, hash, key, key_size, make);
    pthread_mutex_unlock(&variants->lock);
    return v;
}

/* Defines the functions that create and get the variants of a stage. */
#define STAGE(stage)                                                                               \
    static void make_##stage(struct cpu_screen *screen, struct cpu_shader *shader,                 \
                             struct variant *v)                                                    \
    {                                                                                              \
        const struct cpu_external *external = screen->external;                                    \
        if (!external) {                                                                           \
            v->stage.kernel = cpu_build_##stage(screen->jit, shader, &v->stage##_key, &v->stage);  \
            return;                                                                                \
        }                                                                                          \
        v->destroy = external->stage##_destroy;                                                    \
        v->stage.external =                                                                        \
            external->stage##_create(external, screen, shader, &v->stage##_key, &v->stage);        \
        v->stage.runner = external;                                                                \
    }                                                                                              \
                                                                                                   \
    const struct cpu_##stage##_variant *cpu_##stage##_variant_get(                                 \
        struct cpu_screen *screen, struct cpu_shader *shader, const struct cpu_##stage##_key *key) \
    {                                                                                              \
        struct variant *v = get_variant(screen, shader, key, sizeof *key, make_##stage);           \
        return v ? &v->stage : NULL;                                                               \
    }

STAGE(vs)
STAGE(tcs)
STAGE(tes)
STAGE(gs)
STAGE(cs)
STAGE(fs)

/* ------------------------------------------------------------------------------------ quads --- */

static struct variant *variant_of(const struct cpu_fs_variant *fs)
{
    return (struct variant *)((char *)fs - offsetof(struct variant, fs));
}

struct jit_kernel *cpu_fs_variant_quads(const struct cpu_fs_variant *fs)
{
    return fs->quads ? atomic_load_explicit(&variant_of(fs)->quads, memory_order_acquire) : NULL;
}

void cpu_fs_variant_want_quads(const struct cpu_fs_variant *fs, unsigned primitives)
{
    struct variant *v = variant_of(fs);
    uint32_t before = atomic_load_explicit(&v->wanted, memory_order_relaxed);
    if (!fs->quads || before >= QUADS_WANTED)
        return;
    before = atomic_fetch_add_explicit(&v->wanted, primitives, memory_order_relaxed);
    if (before < QUADS_WANTED && before + primitives >= QUADS_WANTED)
        thread_pool_submit(&v->group, THREAD_PRIORITY_LOW, make_quads, v, 1);
}

/* ------------------------------------------------------------------------------------ parts --- */

static struct variant *variant_of_vs(const struct cpu_vs_variant *vs)
{
    return (struct variant *)((char *)vs - offsetof(struct variant, vs));
}

bool cpu_vs_variant_parts(const struct cpu_vs_variant *vs, struct cpu_vs_parts *parts)
{
    struct variant *v = variant_of_vs(vs);
    if (!vs->divided || !atomic_load_explicit(&v->needs_few, memory_order_relaxed))
        return false;
    struct jit_kernel *positions = atomic_load_explicit(&v->positions, memory_order_acquire);
    if (!positions)
        return false;
    parts->positions = jit_kernel_function(positions);
    parts->rest = jit_kernel_function(atomic_load_explicit(&v->rest, memory_order_acquire));
    return true;
}

void cpu_vs_variant_note(const struct cpu_vs_variant *vs, unsigned vertices, unsigned needed)
{
    struct variant *v = variant_of_vs(vs);
    bool few = 2 * needed <= vertices;
    if (atomic_load_explicit(&v->needs_few, memory_order_relaxed) != few)
        atomic_store_explicit(&v->needs_few, few, memory_order_relaxed);
    uint32_t before = atomic_load_explicit(&v->wanted, memory_order_relaxed);
    if (!few || before >= PARTS_WANTED)
        return;
    uint32_t spared = vertices - needed;
    before = atomic_fetch_add_explicit(&v->wanted, spared, memory_order_relaxed);
    if (before < PARTS_WANTED && before + spared >= PARTS_WANTED)
        thread_pool_submit(&v->group, THREAD_PRIORITY_LOW, make_parts, v, 1);
}

/* ------------------------------------------------------------------------------------- keys --- */

/* Returns whether the width (or height) of all levels of the view is a power of two. */
static bool levels_are_pot(const struct drv_sampler_view *view, uint32_t size)
{
    return util_is_power_of_two(drv_minify(size, view->first_level)) &&
           (view->first_level == view->last_level || util_is_power_of_two(size));
}

void cpu_sampler_key_init(struct cpu_sampler_key *key, const struct drv_sampler_state *sampler,
                          const struct drv_sampler_view *view)
{
    memset(key, 0, sizeof *key);
    key->format = key->fetch_format = (uint16_t)cpu_store_format(view->format);
    key->target = (uint8_t)view->target;
    memcpy(key->swizzle, view->swizzle, sizeof key->swizzle);
    if (view->target == DRV_BUFFER) /* is not filtered */
        return;
    key->wrap_s = sampler->wrap_s;
    key->wrap_t = sampler->wrap_t;
    key->wrap_r = sampler->wrap_r;
    key->min_filter = sampler->min_filter;
    key->mag_filter = sampler->mag_filter;
    key->mip_filter = sampler->mip_filter;
    key->compare_func = sampler->compare_enabled ? sampler->compare_func + 1 : 0;
    key->unnormalized = sampler->unnormalized_coords || view->target == DRV_TEXTURE_RECT;
    key->seamless = sampler->seamless_cube_map;
    if (sampler->skip_srgb_decode)
        key->format = (uint16_t)util_format_linear(key->format);
    key->reduction = sampler->reduction;
    key->sample_stencil = view->sample_stencil;
    key->anisotropic = sampler->max_anisotropy > 1.0f && sampler->min_filter == DRV_FILTER_LINEAR &&
                       !view->sample_stencil && !util_format_is_pure_integer(view->format);
    key->single_level = view->first_level == view->last_level;
    key->pot_w = levels_are_pot(view, view->texture->width);
    key->pot_h = levels_are_pot(view, view->texture->height);
}

/* Returns the class with that key among `count` classes from `first` on, whose keys are adjacent,
 * and adds a user. If there is none, an unused class gets the key: one that never had a key, or the
 * one that has had its key for the longest time. */
static unsigned use_class(struct cpu_handle_classes *classes, unsigned first, unsigned count,
                          void *keys, const void *key, size_t size)
{
    unsigned found = CPU_NO_CLASS;
    bool equal = false;

    pthread_mutex_lock(&classes->mutex);
    for (unsigned i = 0; i < count && !equal; i++) {
        const unsigned class = first + i;
        equal = classes->serial[class] && !memcmp((char *)keys + i * size, key, size);
        if (equal || (!classes->users[class] &&
                      (found == CPU_NO_CLASS || classes->serial[class] < classes->serial[found])))
            found = class;
    }
    if (found != CPU_NO_CLASS) {
        if (!equal) {
            memcpy((char *)keys + (found - first) * size, key, size);
            classes->serial[found] = ++classes->assigned;
        }
        classes->users[found]++;
    }
    pthread_mutex_unlock(&classes->mutex);
    return found;
}

unsigned cpu_texture_class(struct cpu_handle_classes *classes, const struct cpu_sampler_key *key)
{
    return use_class(classes, 0, ARRAY_SIZE(classes->texture), classes->texture, key, sizeof *key);
}

unsigned cpu_image_class(struct cpu_handle_classes *classes, const struct cpu_image_key *key)
{
    return use_class(classes, CPU_TEXTURE_CLASSES, ARRAY_SIZE(classes->image), classes->image, key,
                     sizeof *key);
}

void cpu_class_release(struct cpu_handle_classes *classes, unsigned class)
{
    pthread_mutex_lock(&classes->mutex);
    CHECK(classes->users[class]);
    classes->users[class]--;
    pthread_mutex_unlock(&classes->mutex);
}

void cpu_blend_key_init(struct cpu_blend_key *key, const struct drv_blend_state *state)
{
    memset(key, 0, sizeof *key);
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++) {
        const struct drv_rt_blend *rt = &state->rt[state->independent ? i : 0];
        key->rt[i].colormask = rt->colormask;
        if (!rt->blend_enable) /* disabled state must not make keys differ */
            continue;
        key->rt[i].blend_enable = true;
        key->rt[i].rgb_func = rt->rgb_func;
        key->rt[i].rgb_src_factor = rt->rgb_src_factor;
        key->rt[i].rgb_dst_factor = rt->rgb_dst_factor;
        key->rt[i].alpha_func = rt->alpha_func;
        key->rt[i].alpha_src_factor = rt->alpha_src_factor;
        key->rt[i].alpha_dst_factor = rt->alpha_dst_factor;
    }
    key->logicop = state->logicop_enable ? state->logicop_func + 1 : 0;
    key->alpha_to_coverage = state->alpha_to_coverage;
    key->alpha_to_coverage_dither = state->alpha_to_coverage && state->alpha_to_coverage_dither;
    key->alpha_to_one = state->alpha_to_one;
}

void cpu_zs_key_init(struct cpu_zs_key *key, const struct drv_depth_stencil_state *state)
{
    memset(key, 0, sizeof *key);
    if (state->depth_enabled) {
        key->depth_func = state->depth_func + 1;
        key->depth_write = state->depth_writemask;
    }
    key->depth_bounds = state->depth_bounds_test;
    for (unsigned i = 0; i < 2; i++) {
        const struct drv_stencil_face *face = &state->stencil[i];
        if (!face->enabled || !state->stencil[0].enabled)
            continue;
        key->stencil[i].enabled = true;
        key->stencil[i].func = face->func;
        key->stencil[i].fail_op = face->fail_op;
        key->stencil[i].zfail_op = face->zfail_op;
        key->stencil[i].zpass_op = face->zpass_op;
    }
}

/* ---------------------------------------------------------------------------------- formats --- */

/* Returns whether images can be stored in the format: 1, 2, 4, 8 or 16 bytes per texel, no 64-bit
 * channels. */
static bool is_image_format(const struct drv_format_desc *desc)
{
    if (desc->layout == DRV_LAYOUT_COMPRESSED || !util_is_power_of_two(desc->block_bytes) ||
        desc->block_bytes > 16)
        return false;
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        const struct drv_format_channel *c = &desc->channel[i];
        if (c->bits == 64 || c->type == DRV_CHANNEL_FIXED)
            return false;
        bool scaled = (c->type == DRV_CHANNEL_UNSIGNED || c->type == DRV_CHANNEL_SIGNED) &&
                      !c->normalized && !c->pure_integer;
        if (scaled)
            return false;
    }
    return true;
}

bool cpu_format_can_sample(enum drv_format format)
{
    enum drv_format stored = cpu_store_format(format);
    return stored && is_image_format(drv_format_desc(stored));
}

bool cpu_format_can_render(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);

    if (!format || !is_image_format(desc))
        return false;
    if (desc->colorspace == DRV_COLORSPACE_ZS)
        return true;
    if (desc->layout == DRV_LAYOUT_RGB9E5)
        return false;
    for (unsigned i = 0; i < desc->nr_channels; i++) {
        if (desc->channel[i].normalized && desc->channel[i].bits == 32)
            return false;
    }
    return true;
}

bool cpu_format_can_fetch(enum drv_format format)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    return format && desc->layout != DRV_LAYOUT_COMPRESSED && desc->colorspace != DRV_COLORSPACE_ZS;
}
