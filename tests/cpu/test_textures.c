/* SPDX-License-Identifier: MIT */
/*
 * Texture targets, levels and operations other than plain 2D: a fragment shader samples at a
 * varying coordinate, and the results are compared with a reference in C.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel_test.h"
#include "util/format.h"
#include "util/half.h"

/* --------------------------------------------------------------- a texture of R32_FLOAT --- */

#define LEVELS 5
#define LAYERS 12

/* 16×16 texels at level 0 */
static float storage[LEVELS][LAYERS + 4][16 * 16 + 16];

static float texel(unsigned level, unsigned x, unsigned y, unsigned z)
{
    return (float)level * 100.0f + (float)x + (float)y * 0.25f + (float)z * 3.0f +
           (float)(x * y % 5);
}

static struct cpu_texture make_texture(bool is_3d)
{
    static struct test_offsets offsets[LEVELS];
    struct cpu_texture t = {.num_levels = LEVELS, .num_layers = LAYERS};
    for (unsigned l = 0; l < LEVELS; l++) {
        unsigned size = 16u >> l, tile_w = (size + 3) / 4;
        t.level[l] = test_level(storage[l], size, size, sizeof storage[0][0][0], &offsets[l]);
        t.level[l].layer_stride = sizeof storage[l][0];
        t.level[l].depth = is_3d ? MAX2(size / 2, 1) : 1;
        for (unsigned z = 0; z < LAYERS; z++)
            for (unsigned i = 0; i < size * size; i++)
                storage[l][z][texel_index(i % size, i / size, tile_w)] =
                    texel(l, i % size, i / size, z);
    }
    return t;
}

/* ------------------------------------------------------------------------------- running --- */

struct access {
    nir_texop op;
    enum glsl_sampler_dim dim;
    bool is_array, is_shadow;
    unsigned coord_components;
    nir_tex_src_type extra;  /* source of the fourth varying component, if has_extra is set */
    bool has_extra, integer; /* integer: coordinates are converted to integers */
    unsigned dest;           /* number of result components */
    int offset[2];           /* constant texel offsets */
};

/* Returns an access with four result components at the level in the fourth coordinate. */
static struct access at_level(enum glsl_sampler_dim dim, unsigned coord_components)
{
    return (struct access){.op = nir_texop_txl,
                           .dim = dim,
                           .coord_components = coord_components,
                           .has_extra = true,
                           .extra = nir_tex_src_lod,
                           .dest = 4};
}

static struct cpu_shader build(const struct access *a)
{
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &cpu_nir_options, "test");
    nir_def *weights = nir_load_barycentric_pixel(&b, .interp_mode = INTERP_MODE_NOPERSPECTIVE);
    nir_def *v = nir_load_interpolated_input(
        &b, 4, 32, weights, nir_imm_int(&b, 0), .dest_type = nir_type_float32,
        .io_semantics = {.location = VARYING_SLOT_VAR0, .num_slots = 1});
    nir_def *coord = nir_trim_vector(&b, v, a->coord_components), *extra = nir_channel(&b, v, 3);
    if (a->integer) {
        coord = nir_f2i32(&b, nir_ffloor(&b, coord));
        extra = nir_f2i32(&b, nir_ffloor(&b, extra));
    }
    const bool has_offset = a->offset[0] || a->offset[1];
    nir_tex_instr *tex = nir_tex_instr_create(b.shader, 1 + a->has_extra + has_offset);
    tex->op = a->op;
    tex->sampler_dim = a->dim;
    tex->is_array = a->is_array;
    tex->is_shadow = tex->is_new_style_shadow = a->is_shadow;
    tex->dest_type = nir_type_float32;
    tex->coord_components = (uint8_t)a->coord_components;
    tex->src[0].src_type = nir_tex_src_coord;
    tex->src[0].src = nir_src_for_ssa(coord);
    if (a->has_extra) {
        tex->src[1].src_type = a->extra;
        tex->src[1].src = nir_src_for_ssa(extra);
    }
    if (has_offset) {
        nir_def *offset = nir_imm_ivec2(&b, a->offset[0], a->offset[1]);
        tex->src[1 + a->has_extra].src_type = nir_tex_src_offset;
        tex->src[1 + a->has_extra].src = nir_src_for_ssa(offset);
    }
    nir_def_init(&tex->instr, &tex->def, a->dest, 32);
    nir_builder_instr_insert(&b, &tex->instr);
    nir_store_output(&b, &tex->def, nir_imm_int(&b, 0), .src_type = nir_type_float32,
                     .io_semantics = {.location = FRAG_RESULT_DATA0, .num_slots = 1});
    nir_validate_shader(b.shader, "in the test");
    return (struct cpu_shader){.stage = SHADER_FRAGMENT, .nir = b.shader};
}

/* The varying's value at pixel (x, y) of 16×16: corner + (x + ½, y + ½) / 16 * along. */
struct plane {
    float corner[4], along_x[4], along_y[4];
};

static float result[16][16][4];

static void run(const struct access *a, const struct cpu_texture *texture,
                const struct cpu_sampler_key *sampler, const struct plane *plane)
{
    static float vertices[3][4 * CPU_BATCH_VERTICES];
    static uint8_t target[3][16 * 16 * 16];
    static struct cpu_stage_state stage;
    static uint32_t planes[CPU_PLANE_WORDS];
    struct cpu_shader shader = build(a);
    struct cpu_fs_key key = {.num_color_bufs = 1, .units.num_samplers = 1};
    struct cpu_fs_state fs = {.depth_range[0].max = 1, .fb_height = 16};
    struct cpu_block blocks[16];
    struct cpu_primitive primitive = {.b1 = {.dx = 1.0f / 16.0f},
                                      .b2 = {.dy = 1.0f / 16.0f},
                                      .inv_w = {1, 1, 1},
                                      .vertex = {vertices[0], vertices[1], vertices[2]},
                                      .provoking = vertices[2]};

    key.color_format[0] = DRV_FORMAT_R32G32B32A32_FLOAT;
    key.blend.rt[0].colormask = 15;
    key.input_slot[VARYING_SLOT_VAR0] = 1;
    key.units.sampler[0] = *sampler;
    stage.texture[0] = texture;
    stage.sampler[0] = (struct cpu_sampler){.min_lod = -100, .max_lod = 100, .max_anisotropy = 8};
    for (unsigned c = 0; c < 4; c++) {
        vertices[0][c * CPU_BATCH_VERTICES] = plane->corner[c];
        vertices[1][c * CPU_BATCH_VERTICES] = plane->corner[c] + plane->along_x[c];
        vertices[2][c * CPU_BATCH_VERTICES] = plane->corner[c] + plane->along_y[c];
    }
    for (unsigned i = 0; i < 16; i++)
        blocks[i] = (struct cpu_block){(uint16_t)(i % 4 * 4), (uint16_t)(i / 4 * 4), 0xffff};
    for (unsigned i = 0; i < num_engines; i++) {
        struct cpu_fs_variant variant = {0};
        struct cpu_fs_args args = {.state = &stage,
                                   .fs = &fs,
                                   .primitive = &primitive,
                                   .block = blocks,
                                   .planes = planes,
                                   .count = 16,
                                   .color[0] = {.base = target[i], .tile_w = 4}};
        variant.kernel = cpu_build_fs(engines[i], &shader, &key, &variant);
        assert_non_null(variant.kernel);
        const void *kernel_args[] = {&args, watchdog_progress()};
        jit_run(jit_kernel_function(variant.kernel), kernel_args);
        jit_kernel_destroy(variant.kernel);
        assert_memory_equal(target[i], target[0], sizeof target[0]);
    }
    for (unsigned i = 0; i < 256; i++)
        memcpy(result[i / 16][i % 16], target[0] + texel_index(i % 16, i / 16, 4) * 16, 16);
    nir_shader_destroy(shader.nir);
}

static float varying(const struct plane *p, unsigned x, unsigned y, unsigned c)
{
    return p->corner[c] + ((float)x + 0.5f) / 16.0f * p->along_x[c] +
           ((float)y + 0.5f) / 16.0f * p->along_y[c];
}

static struct cpu_sampler_key sampler_key(enum drv_target target, bool linear)
{
    return (struct cpu_sampler_key){
        .format = DRV_FORMAT_R32_FLOAT,
        .fetch_format = DRV_FORMAT_R32_FLOAT,
        .target = (uint8_t)target,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .wrap_s = DRV_WRAP_CLAMP_TO_EDGE,
        .wrap_t = DRV_WRAP_CLAMP_TO_EDGE,
        .wrap_r = DRV_WRAP_CLAMP_TO_EDGE,
        .min_filter = linear,
        .mag_filter = linear};
}

static void check(unsigned x, unsigned y, float want, float tolerance)
{
    float got = result[y][x][0];
    if (!(fabsf(got - want) <= tolerance))
        fail_msg("pixel %u,%u: %g, not %g", x, y, (double)got, (double)want);
}

static unsigned clamp_index(float x, unsigned size)
{
    return (unsigned)CLAMP(floorf(x), 0.0f, (float)size - 1);
}

/* Filters one level of the 2D texture. */
static float filtered(unsigned level, float u, float v, unsigned z, bool linear)
{
    unsigned size = 16u >> level;
    float x = u * (float)size, y = v * (float)size;
    if (!linear)
        return texel(level, clamp_index(x, size), clamp_index(y, size), z);
    x -= 0.5f;
    y -= 0.5f;
    float fx = x - floorf(x), fy = y - floorf(y);
    unsigned i0 = clamp_index(x, size), i1 = clamp_index(x + 1, size);
    unsigned j0 = clamp_index(y, size), j1 = clamp_index(y + 1, size);
    return (texel(level, i0, j0, z) * (1 - fx) + texel(level, i1, j0, z) * fx) * (1 - fy) +
           (texel(level, i0, j1, z) * (1 - fx) + texel(level, i1, j1, z) * fx) * fy;
}

/* --------------------------------------------------------------------------------- tests --- */

static void test_explicit_lod(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct plane p = {{0.01f, 0.02f, 0, -0.7f}, {0.97f, 0, 0, 0}, {0, 0.95f, 0, 6.0f}};
    struct access a = at_level(GLSL_SAMPLER_DIM_2D, 2);

    for (unsigned k = 0; k < 12; k++) {
        bool min_linear = k & 1, mag_linear = k & 2;
        unsigned mip = k >> 2;
        struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, false);
        key.min_filter = min_linear;
        key.mag_filter = mag_linear;
        key.mip_filter = (uint8_t)mip;
        run(&a, &texture, &key, &p);
        for (unsigned i = 0; i < 256; i++) {
            unsigned x = i % 16, y = i / 16;
            float u = varying(&p, x, y, 0), v = varying(&p, x, y, 1), lod = varying(&p, x, y, 3);
            float want;
            if (lod <= 0 || mip == DRV_MIP_NONE) {
                want = filtered(0, u, v, 0, lod <= 0 ? mag_linear : min_linear);
            } else if (mip == DRV_MIP_NEAREST) {
                int level = (int)ceilf(lod + 0.5f) - 1;
                want = filtered(CLAMP(level, 0, LEVELS - 1), u, v, 0, min_linear);
            } else {
                unsigned l0 = MIN2((unsigned)floorf(lod), LEVELS - 1),
                         l1 = MIN2(l0 + 1, LEVELS - 1);
                float f = lod - floorf(lod);
                want = filtered(l0, u, v, 0, min_linear) * (1 - f) +
                       filtered(l1, u, v, 0, min_linear) * f;
            }
            check(x, y, want, 0.01f);
        }
    }
}

/* Levels of detail 1, 1.5, 2, 2.5 … along x, where level 2 is not finite. If the next level has
 * weight zero, it must not affect the result, whatever adjacent pixels read. */
static void test_infinite_level(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct plane p = {{0.01f, 0.02f, 0, 0.75f}, {0.97f, 0, 0, 8.0f}, {0, 0.95f, 0, 0}};
    struct access a = at_level(GLSL_SAMPLER_DIM_2D, 2);
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, false);

    for (unsigned i = 0; i < 16; i++)
        storage[2][0][i] = INFINITY;
    key.mip_filter = DRV_MIP_LINEAR;
    run(&a, &texture, &key, &p);
    for (unsigned y = 0; y < 16; y++) {
        float u = varying(&p, 0, y, 0), v = varying(&p, 0, y, 1);
        check(0, y, filtered(1, u, v, 0, false), 0.0f);
        for (unsigned x = 1; x < 3; x++)
            assert_true(result[y][x][0] == INFINITY);
    }
}

/* Coordinates that change by 2 texels per pixel: level 1. By 4 in y: level 2. */
static void test_implicit_lod(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct plane p = {{0, 0, 0, 0}, {2.0f, 0, 0, 0}, {0, 1.0f, 0, 0}};
    struct access a = {
        .op = nir_texop_tex, .dim = GLSL_SAMPLER_DIM_2D, .coord_components = 2, .dest = 4};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, false);

    key.mip_filter = DRV_MIP_NEAREST;
    key.wrap_s = key.wrap_t = DRV_WRAP_REPEAT;
    run(&a, &texture, &key, &p);
    assert_true(floorf(result[3][3][0] / 100.0f) == 1.0f);
    p.along_y[1] = 4.0f;
    run(&a, &texture, &key, &p);
    assert_true(floorf(result[3][3][0] / 100.0f) == 2.0f);
    p.along_x[0] = 0.9f;
    p.along_y[1] = 0.9f;
    run(&a, &texture, &key, &p);
    assert_true(floorf(result[3][3][0] / 100.0f) == 0.0f);
}

/* A footprint of 1×4 texels: level 0 with four probes in a row, where an isotropic filter reads
 * level 2. One of 1×16 has eight probes of two texels. */
static void test_anisotropic(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct plane p = {{0, 0, 0, 0}, {1.0f, 0, 0, 0}, {0, 4.0f, 0, 0}};
    struct access a = {
        .op = nir_texop_tex, .dim = GLSL_SAMPLER_DIM_2D, .coord_components = 2, .dest = 4};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, true);

    key.mip_filter = DRV_MIP_LINEAR;
    key.wrap_s = key.wrap_t = DRV_WRAP_REPEAT;
    key.anisotropic = 1;
    run(&a, &texture, &key, &p);
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        float want = 0.0f;
        /* the pixel center is on the edge between two texels in y, so probes are at texel
         * centers */
        for (unsigned k = 0; k < 4; k++)
            want += texel(0, x, (y * 4 + k) % 16, 0) / 4.0f;
        check(x, y, want, 0.01f);
    }
    p.along_y[1] = 16.0f;
    run(&a, &texture, &key, &p);
    assert_true(fabsf(result[3][3][0] - 104.0f) < 8.0f);
    key.anisotropic = 0;
    run(&a, &texture, &key, &p);
    assert_true(result[3][3][0] > 390.0f);
}

static void test_arrays_and_3d(void **state)
{
    struct cpu_texture texture = make_texture(false), volume = make_texture(true);
    struct plane p = {{0.01f, 0.02f, -1.0f, 0}, {0.97f, 0, 9.0f, 0}, {0, 0.95f, 5.0f, 0}};
    struct access a = {.op = nir_texop_tex,
                       .dim = GLSL_SAMPLER_DIM_2D,
                       .is_array = true,
                       .coord_components = 3,
                       .dest = 4};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D_ARRAY, true);

    run(&a, &texture, &key, &p);
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        float layer = CLAMP(rintf(varying(&p, x, y, 2)), 0, LAYERS - 1);
        check(x, y, filtered(0, varying(&p, x, y, 0), varying(&p, x, y, 1), (unsigned)layer, true),
              0.01f);
    }
    a.dim = GLSL_SAMPLER_DIM_3D;
    a.is_array = false;
    p.corner[2] = 0.03f;
    p.along_x[2] = 0.5f;
    p.along_y[2] = 0.4f;
    key = sampler_key(DRV_TEXTURE_3D, true);
    run(&a, &volume, &key, &p);
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        float u = varying(&p, x, y, 0), v = varying(&p, x, y, 1);
        float z = varying(&p, x, y, 2) * 8 - 0.5f, f = z - floorf(z);
        check(x, y,
              filtered(0, u, v, clamp_index(z, 8), true) * (1 - f) +
                  filtered(0, u, v, clamp_index(z + 1, 8), true) * f,
              0.01f);
    }
}

static void test_fetch(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct plane p = {{-2.2f, -1.3f, 0, -1.2f}, {20, 0, 0, 0}, {0, 19, 0, 7.0f}};
    struct access a = {.op = nir_texop_txf,
                       .dim = GLSL_SAMPLER_DIM_2D,
                       .coord_components = 2,
                       .has_extra = true,
                       .extra = nir_tex_src_lod,
                       .integer = true,
                       .dest = 4};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, false);

    run(&a, &texture, &key, &p);
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        int s = (int)floorf(varying(&p, x, y, 0)), t = (int)floorf(varying(&p, x, y, 1));
        int level = (int)floorf(varying(&p, x, y, 3)), size = level < 0 ? 0 : 16 >> level;
        bool inside = level >= 0 && level < LEVELS && s >= 0 && t >= 0 && s < size && t < size;
        check(x, y, inside ? texel(level, s, t, 0) : 0.0f, 0.0f);
    }
}

static void test_shadow(void **state)
{
    static float depth[64];
    static struct test_offsets offsets;
    struct cpu_texture texture = {.level[0] = test_level(depth, 4, 4, sizeof depth[0], &offsets),
                                  .num_levels = 1,
                                  .num_layers = 1};
    struct plane p = {{0, 0, 0, 0.1f}, {1, 0, 0, 0.8f}, {0, 1, 0, 0}};
    struct access a = {.op = nir_texop_tex,
                       .dim = GLSL_SAMPLER_DIM_2D,
                       .coord_components = 2,
                       .is_shadow = true,
                       .has_extra = true,
                       .extra = nir_tex_src_comparator,
                       .dest = 1};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, false);

    for (unsigned i = 0; i < 16; i++)
        depth[i] = (float)(i * 5 % 16) / 16.0f;
    key.format = DRV_FORMAT_Z32_FLOAT;
    key.compare_func = 1 + DRV_FUNC_LEQUAL;
    key.single_level = 1;
    run(&a, &texture, &key, &p);
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        check(x, y, varying(&p, x, y, 3) <= depth[texel_index(x / 4, y / 4, 1)] ? 1.0f : 0.0f, 0);
    }
}

/* One texel per pixel, near the edges of a repeating texture; offsets move accesses across them. */
static void test_offsets_around_edges(void **state)
{
    enum { SIZE = 32 };
    static const int moves[] = {-8, -4, -3, 0, 1, 4, 7};
    static uint8_t texels[SIZE * SIZE][4];
    static struct test_offsets offsets;
    struct cpu_texture texture = {.level[0] =
                                      test_level(texels, SIZE, SIZE, sizeof texels[0], &offsets),
                                  .num_levels = 1,
                                  .num_layers = 1};
    struct plane p = {{-5.0f / SIZE, -6.0f / SIZE}, {16.0f / SIZE}, {0, 16.0f / SIZE}};
    struct access a = {
        .op = nir_texop_tex, .dim = GLSL_SAMPLER_DIM_2D, .coord_components = 2, .dest = 4};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, true);

    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        uint8_t *texel = texels[texel_index(i % SIZE, i / SIZE, SIZE / 4)];
        texel[0] = (uint8_t)(i % SIZE * 8);
        texel[1] = (uint8_t)(i / SIZE * 8);
    }
    key.format = DRV_FORMAT_R8G8B8A8_UNORM;
    key.wrap_s = key.wrap_t = DRV_WRAP_REPEAT;
    key.single_level = key.pot_w = key.pot_h = 1;
    for (unsigned m = 0; m < ARRAY_SIZE(moves) * ARRAY_SIZE(moves); m++) {
        a.offset[0] = moves[m % ARRAY_SIZE(moves)];
        a.offset[1] = moves[m / ARRAY_SIZE(moves)];
        run(&a, &texture, &key, &p);
        for (unsigned i = 0; i < 256; i++) {
            const int x = ((int)(i % 16) - 5 + a.offset[0]) & (SIZE - 1);
            const int y = ((int)(i / 16) - 6 + a.offset[1]) & (SIZE - 1);
            const float *got = result[i / 16][i % 16];
            if (fabsf(got[0] * 255.0f - (float)(8 * x)) > 0.01f ||
                fabsf(got[1] * 255.0f - (float)(8 * y)) > 0.01f)
                fail_msg("offset %d, %d at pixel %u: %g, %g, not texel %d, %d", a.offset[0],
                         a.offset[1], i, (double)got[0] * 255 / 8, (double)got[1] * 255 / 8, x, y);
        }
    }
}

/* Faces by direction (GL 4.6 table 8.19): a texel's value identifies the face. */
static void test_cube(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct access a = {
        .op = nir_texop_tex, .dim = GLSL_SAMPLER_DIM_CUBE, .coord_components = 3, .dest = 4};
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_CUBE, false);
    static const struct {
        struct plane p;
        unsigned face;
        bool mirror_s, mirror_t, swap;
    } faces[] = {
        {{{2, -1.98f, -1.97f}, {0, 0, 3.9f}, {0, 3.9f, 0}}, 0, true, true, false},
        {{{-2, -1.98f, -1.97f}, {0, 0, 3.9f}, {0, 3.9f, 0}}, 1, false, true, false},
        {{{-1.97f, 2, -1.98f}, {3.9f, 0, 0}, {0, 0, 3.9f}}, 2, false, false, false},
        {{{-1.97f, -2, -1.98f}, {3.9f, 0, 0}, {0, 0, 3.9f}}, 3, false, true, false},
        {{{-1.97f, -1.98f, 2}, {3.9f, 0, 0}, {0, 3.9f, 0}}, 4, false, true, false},
        {{{-1.97f, -1.98f, -2}, {3.9f, 0, 0}, {0, 3.9f, 0}}, 5, true, true, false},
    };
    static const unsigned axis_s[6] = {2, 2, 0, 0, 0, 0}, axis_t[6] = {1, 1, 2, 2, 1, 1};

    for (unsigned k = 0; k < 6; k++) {
        run(&a, &texture, &key, &faces[k].p);
        for (unsigned i = 0; i < 256; i++) {
            unsigned x = i % 16, y = i / 16;
            float s = varying(&faces[k].p, x, y, axis_s[k]) / 2;
            float t = varying(&faces[k].p, x, y, axis_t[k]) / 2;
            s = ((faces[k].mirror_s ? -s : s) + 1) / 2 * 16;
            t = ((faces[k].mirror_t ? -t : t) + 1) / 2 * 16;
            if (fabsf(s - roundf(s)) > 0.01f && fabsf(t - roundf(t)) > 0.01f)
                check(x, y, texel(0, (unsigned)s, (unsigned)t, faces[k].face), 0.0f);
        }
    }
}

/* On a path across an edge, the result of the seamless filter is continuous. Each face is constant,
 * so it changes from one value to the other within a texel's width. */
static void test_seamless_cube(void **state)
{
    struct cpu_texture texture = make_texture(false);
    struct access a = at_level(GLSL_SAMPLER_DIM_CUBE, 3);
    struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_CUBE, true);
    struct plane p = {{1, 0.1f, 0.9f}, {0, 0, 0.2f}, {0, 0, 0}};

    for (unsigned z = 0; z < LAYERS; z++)
        for (unsigned i = 0; i < 256; i++)
            storage[0][z][i] = (float)z;
    key.seamless = 1;
    run(&a, &texture, &key, &p);
    for (unsigned x = 0; x + 1 < 16; x++) {
        float here = result[0][x][0], next = result[0][x + 1][0];
        assert_true(next >= here && next - here < 0.5f);
    }
    assert_true(result[0][0][0] < 0.8f && result[0][15][0] > 3.2f);
}

/* ------------------------------------------------- texels of four floats or halves --- */

/* 80×72 texels in four tiles, and a second level of 40×36 texels in one tile */
static float aos_storage[2][4 * 64 * 64 * 4];

static float rows_texel(unsigned level, unsigned x, unsigned y, unsigned c)
{
    return (float)(level * 16 + (x * 7 + y * 5 + c * 3) % 11) + (float)c * 0.5f;
}

static struct cpu_texture make_rows_texture(bool halves)
{
    static struct test_offsets offsets[2];
    struct cpu_texture t = {.num_levels = 2, .num_layers = 1};
    for (unsigned l = 0; l < 2; l++) {
        const unsigned width = 80 >> l, height = 72 >> l, tile_w = l ? 10 : 16, tiles_x = 2 - l;
        t.level[l] = test_level(aos_storage[l], width, height, halves ? 8 : 16, &offsets[l]);
        for (unsigned i = 0; i < width * height; i++) {
            const unsigned x = i % width, y = i / width;
            const unsigned tile = y / 64 * tiles_x + x / 64;
            const unsigned at = tile * 64 * 64 + texel_index(x % 64, y % 64, tile_w);
            for (unsigned c = 0; c < 4; c++) {
                const float value = rows_texel(l, x, y, c);
                if (halves)
                    ((uint16_t *)aos_storage[l])[at * 4 + c] = util_float_to_half(value);
                else
                    aos_storage[l][at * 4 + c] = value;
            }
        }
    }
    return t;
}

static unsigned wrapped(int i, int size, unsigned wrap)
{
    if (wrap == DRV_WRAP_REPEAT)
        return (unsigned)((i % size + size) % size);
    if (wrap == DRV_WRAP_MIRROR_REPEAT) {
        i = (i % (2 * size) + 2 * size) % (2 * size);
        return (unsigned)MIN2(i, 2 * size - 1 - i);
    }
    return (unsigned)CLAMP(i, 0, size - 1);
}

static float rows_filtered(unsigned level, float u, float v, const struct cpu_sampler_key *key,
                           unsigned c)
{
    const int width = 80 >> level, height = 72 >> level;
    const float x = u * (float)width - 0.5f, y = v * (float)height - 0.5f;
    const float fx = x - floorf(x), fy = y - floorf(y);
    float row[2];

    for (int j = 0; j < 2; j++) {
        const unsigned t = wrapped((int)floorf(y) + j, height, key->wrap_t);
        row[j] = rows_texel(level, wrapped((int)floorf(x), width, key->wrap_s), t, c) * (1 - fx) +
                 rows_texel(level, wrapped((int)floorf(x) + 1, width, key->wrap_s), t, c) * fx;
    }
    return row[0] * (1 - fy) + row[1] * fy;
}

/* Textures that are not rotated, rotated ones, and some where only part of the blocks share columns
 * and rows of texels; across the edges of tiles and of the image, in one level and between two. */
static void test_aos_filters(void **state)
{
    static const struct plane planes[] = {
        {{-0.23f, 0.71f}, {0.17f, 0}, {0, 0.15f}},
        {{0.61f, -0.13f}, {1.4f, 0}, {0, 0.9f}},
        {{1.13f, 0.93f}, {-0.31f, 0}, {0, -0.17f}},
        {{0.7f, 0.8f}, {0.14f, 0.1f}, {-0.1f, 0.16f}},
        {{0.4f, 0.3f}, {0.15f, 1e-4f}, {1.5e-4f, 0.21f}},
        {{0.5f, 0.2f}, {0, 0.16f}, {0.18f, 0}},
    };
    static const uint8_t wraps[][2] = {
        {DRV_WRAP_REPEAT, DRV_WRAP_REPEAT},
        {DRV_WRAP_CLAMP_TO_EDGE, DRV_WRAP_CLAMP_TO_EDGE},
        {DRV_WRAP_REPEAT, DRV_WRAP_CLAMP_TO_EDGE},
        {DRV_WRAP_MIRROR_REPEAT, DRV_WRAP_REPEAT},
    };
    static const float levels[] = {0, 0.3f, 1};
    struct access a = at_level(GLSL_SAMPLER_DIM_2D, 2);

    for (unsigned i = 0; i < ARRAY_SIZE(planes) * ARRAY_SIZE(wraps) * 2; i++) {
        const bool halves = i & 1;
        struct plane p = planes[i / 2 % ARRAY_SIZE(planes)];
        const uint8_t *wrap = wraps[i / 2 / ARRAY_SIZE(planes)];
        struct cpu_texture texture = make_rows_texture(halves);
        struct cpu_sampler_key key = sampler_key(DRV_TEXTURE_2D, true);
        const float lod = levels[i % 3];

        key.format = halves ? DRV_FORMAT_R16G16B16A16_FLOAT : DRV_FORMAT_R32G32B32A32_FLOAT;
        key.wrap_s = wrap[0];
        key.wrap_t = wrap[1];
        key.mip_filter = DRV_MIP_LINEAR;
        p.corner[3] = lod;
        run(&a, &texture, &key, &p);
        for (unsigned k = 0; k < 256 * 4; k++) {
            const unsigned x = k / 4 % 16, y = k / 64, c = k % 4;
            const float u = varying(&p, x, y, 0), v = varying(&p, x, y, 1);
            const float want =
                rows_filtered(0, u, v, &key, c) * (1 - lod) + rows_filtered(1, u, v, &key, c) * lod;
            if (!(fabsf(result[y][x][c] - want) <= 0.01f))
                fail_msg("case %u, pixel %u,%u: %g, not %g", i, x, y, (double)result[y][x][c],
                         (double)want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explicit_lod),   cmocka_unit_test(test_implicit_lod),
        cmocka_unit_test(test_infinite_level), cmocka_unit_test(test_anisotropic),
        cmocka_unit_test(test_arrays_and_3d),  cmocka_unit_test(test_fetch),
        cmocka_unit_test(test_shadow),         cmocka_unit_test(test_offsets_around_edges),
        cmocka_unit_test(test_cube),           cmocka_unit_test(test_seamless_cube),
        cmocka_unit_test(test_aos_filters),
    };
    return cmocka_run_group_tests(tests, create_engines, destroy_engines);
}
