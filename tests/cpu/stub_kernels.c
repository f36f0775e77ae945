/* SPDX-License-Identifier: MIT */
#include "stub_kernels.h"

#include <math.h>
#include <stdlib.h>

#include "driver/cpu/kernel/cpu_variant.h"
#include "jit/jit.h"
#include "nir.h"
#include "util/macros.h"

unsigned stub_bad_barycentrics, stub_vertices, stub_quads, stub_collisions;
bool stub_fails;
unsigned stub_samples;

const struct nir_shader_compiler_options cpu_nir_options;

struct jit_kernel {
    jit_kernel_fn function;
};

struct jit_engine *jit_engine_create(unsigned lanes)
{
    return malloc(1);
}

void jit_engine_destroy(struct jit_engine *engine)
{
    free(engine);
}

const char *jit_engine_description(const struct jit_engine *engine)
{
    return "stub";
}

unsigned jit_engine_lanes(const struct jit_engine *engine)
{
    return 4;
}

bool jit_kernel_is_ready(const struct jit_kernel *kernel)
{
    return true;
}

bool jit_kernel_has_failed(const struct jit_kernel *kernel)
{
    return !kernel->function;
}

struct jit_function jit_kernel_function(struct jit_kernel *kernel)
{
    return (struct jit_function){kernel ? kernel->function : NULL, NULL};
}

static uint32_t clip_code(const struct cpu_vs_args *a, const float p[4], float window[4])
{
    uint32_t code = 0;
    if (p[2] < -p[3])
        code |= CPU_CLIP_NEAR;
    if (p[2] > p[3])
        code |= CPU_CLIP_FAR;
    if (p[0] < -p[3])
        code |= CPU_CLIP_LEFT;
    if (p[0] > p[3])
        code |= CPU_CLIP_RIGHT;
    if (p[1] < -p[3])
        code |= CPU_CLIP_BOTTOM;
    if (p[1] > p[3])
        code |= CPU_CLIP_TOP;
    if (!(p[3] > 0.0f))
        return code | CPU_CLIP_W;
    for (unsigned c = 0; c < 3; c++)
        window[c] = p[c] / p[3] * a->viewport->scale[c] + a->viewport->translate[c];
    window[3] = 1.0f / p[3];
    if (fabsf(window[0]) > 16384.0f || fabsf(window[1]) > 16384.0f)
        code |= CPU_CLIP_GUARD_BAND;
    return code;
}

static void vertex_kernel(const void *const *args, const void *self)
{
    const struct cpu_vs_args *a = args[0];
    __atomic_add_fetch(&stub_vertices, a->count, __ATOMIC_RELAXED);
    for (uint32_t v = 0; v < a->count; v++) {
        const struct cpu_vertex_stream *s = &a->stream[0];
        float p[4] = {0, 0, 0, 1}, window[4] = {0};
        if (s->valid && a->index[v] <= s->max_index)
            memcpy(p, s->base + (size_t)a->index[v] * s->stride, sizeof p);
        a->clip_code[v] = clip_code(a, p, window);
        for (unsigned c = 0; c < 4; c++) {
            a->out[c * CPU_BATCH_VERTICES + v] = p[c];
            a->window[c * CPU_BATCH_VERTICES + v] = window[c];
        }
    }
}

static float plane(const struct cpu_primitive *p, const struct cpu_plane *q, float x, float y)
{
    return q->c + q->dx * (x - p->x_ref) + q->dy * (y - p->y_ref);
}

/* Shades pixel i of the block at block_x, block_y. */
static void fragment(const struct cpu_fs_args *a, const struct cpu_primitive *p, unsigned block_x,
                     unsigned block_y, unsigned i)
{
    uint32_t at = ((block_y >> 2 & 15) * a->color[0].tile_w + (block_x >> 2 & 15)) * 16;
    float x = block_x + (i & 1) + (i >> 2 & 1) * 2 + 0.5f;
    float y = block_y + (i >> 1 & 1) + (i >> 3) * 2 + 0.5f;
    float b1 = plane(p, &p->b1, x, y), b2 = plane(p, &p->b2, x, y);
    if (b1 < -1e-3f || b2 < -1e-3f || b1 + b2 > 1.001f)
        __atomic_add_fetch(&stub_bad_barycentrics, 1, __ATOMIC_RELAXED);
    uint8_t *texel = a->color[0].base + (at + i) * 4;
    texel[0]++;
    texel[1] = p->primitive_id;
    texel[2] = p->front_facing;
    if (a->samples_passed)
        ++*a->samples_passed;
}

static void sample_kernel(const struct cpu_fs_args *a)
{
    for (uint32_t b = 0; b < a->count; b++) {
        uint32_t at = ((a->block[b].y >> 2 & 15) * a->color[0].tile_w + (a->block[b].x >> 2 & 15));
        for (unsigned i = 0; i < 16; i++) {
            uint32_t samples = cpu_covered_samples(&a->block_samples[b], i, stub_samples);
            uint8_t *texel = a->color[0].base + (at * 16 + i) * 4;
            texel[3] |= samples & 0xff;
            texel[2] |= samples >> 8;
            for (unsigned s = 0; s < stub_samples; s++)
                texel[s * a->color[0].sample_stride] += samples >> s & 1;
            if (!samples != !(a->block[b].mask >> i & 1))
                __atomic_add_fetch(&stub_collisions, 1, __ATOMIC_RELAXED);
        }
    }
}

static void fragment_kernel(const void *const *args, const void *self)
{
    const struct cpu_fs_args *a = args[0];
    if (stub_samples) {
        sample_kernel(a);
        return;
    }
    for (uint32_t b = 0; b < a->count; b++)
        for (unsigned i = 0; i < 16; i++)
            if (a->block[b].mask >> i & 1)
                fragment(a, a->primitive, a->block[b].x, a->block[b].y, i);
}

/* Each four quads form a vector. */
static void quad_kernel(const void *const *args, const void *self)
{
    const struct cpu_fs_args *a = args[0];
    for (uint32_t q = 0; q < a->count; q++) {
        const struct cpu_quad *quad = &a->quad[q];
        unsigned number = (quad->x >> 1 & 1) + (quad->y >> 1 & 1) * 2;
        for (uint32_t other = q & ~3u; other < q; other++)
            if (a->quad[other].x == quad->x && a->quad[other].y == quad->y &&
                a->quad[other].mask & quad->mask)
                __atomic_add_fetch(&stub_collisions, 1, __ATOMIC_RELAXED);
        for (unsigned i = 0; i < 4; i++)
            if (quad->mask >> i & 1)
                fragment(a, quad->primitive, quad->x & ~3u, quad->y & ~3u, number * 4 + i);
        __atomic_add_fetch(&stub_quads, 1, __ATOMIC_RELAXED);
    }
}

static struct jit_kernel kernels[3] = {{vertex_kernel}, {fragment_kernel}, {quad_kernel}};
static struct cpu_vs_variant vs_variant = {
    .kernel = &kernels[0],
    .outputs = {.count = 1, .index[VARYING_SLOT_POS] = 1},
};
static struct cpu_fs_variant fs_variant = {.kernel = &kernels[1], .quads = 4};
static struct cpu_fs_variant fs_variant_of_samples = {.kernel = &kernels[1]};
static struct jit_kernel failed;
static struct cpu_fs_variant fs_variant_that_fails = {.kernel = &failed};

struct cpu_shader *cpu_shader_create(struct cpu_screen *screen, const struct drv_shader_desc *desc)
{
    struct cpu_shader *s = calloc(1, sizeof *s);
    s->inputs_read = 1;
    return s;
}

void cpu_shader_destroy(struct cpu_shader *shader)
{
    free(shader);
}

const struct cpu_vs_variant *cpu_vs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_vs_key *key)
{
    return &vs_variant;
}

const struct cpu_tcs_variant *cpu_tcs_variant_get(struct cpu_screen *screen,
                                                  struct cpu_shader *shader,
                                                  const struct cpu_tcs_key *key)
{
    return NULL;
}

const struct cpu_tes_variant *cpu_tes_variant_get(struct cpu_screen *screen,
                                                  struct cpu_shader *shader,
                                                  const struct cpu_tes_key *key)
{
    return NULL;
}

const struct cpu_gs_variant *cpu_gs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_gs_key *key)
{
    return NULL;
}

const struct cpu_cs_variant *cpu_cs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_cs_key *key)
{
    return NULL;
}

const struct cpu_fs_variant *cpu_fs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_fs_key *key)
{
    return stub_fails     ? &fs_variant_that_fails
           : key->samples ? &fs_variant_of_samples
                          : &fs_variant;
}

struct jit_kernel *cpu_fs_variant_quads(const struct cpu_fs_variant *variant)
{
    return variant->quads ? &kernels[2] : NULL;
}

void cpu_fs_variant_want_quads(const struct cpu_fs_variant *variant, unsigned primitives)
{
}

bool cpu_vs_variant_parts(const struct cpu_vs_variant *variant, struct cpu_vs_parts *parts)
{
    return false;
}

void cpu_vs_variant_note(const struct cpu_vs_variant *variant, unsigned vertices, unsigned needed)
{
}

void cpu_sampler_key_init(struct cpu_sampler_key *key, const struct drv_sampler_state *sampler,
                          const struct drv_sampler_view *view)
{
}

unsigned cpu_texture_class(struct cpu_handle_classes *classes, const struct cpu_sampler_key *key)
{
    return 0;
}

unsigned cpu_image_class(struct cpu_handle_classes *classes, const struct cpu_image_key *key)
{
    return CPU_TEXTURE_CLASSES;
}

void cpu_class_release(struct cpu_handle_classes *classes, unsigned class)
{
}

void cpu_blend_key_init(struct cpu_blend_key *key, const struct drv_blend_state *state)
{
}

void cpu_zs_key_init(struct cpu_zs_key *key, const struct drv_depth_stencil_state *state)
{
}

bool cpu_format_can_sample(enum drv_format format)
{
    return true;
}

bool cpu_format_can_render(enum drv_format format)
{
    return true;
}

bool cpu_format_can_fetch(enum drv_format format)
{
    return true;
}
