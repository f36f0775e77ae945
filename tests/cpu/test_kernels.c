/* SPDX-License-Identifier: MIT */
/*
 * Vertex and fragment kernels at each vector width, compared with formulas in C and byte for byte
 * with each other.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "driver/cpu/kernel/cpu_nir_format.h"
#include "kernel_test.h"
#include "util/format.h"
#include "util/format_tables.h"

/* ------------------------------------------------------------------------------- shaders --- */

static nir_builder new_shader(enum shader_stage stage)
{
    return nir_builder_init_simple_shader(NULL, stage, &cpu_nir_options, "test");
}

static struct cpu_shader wrap(nir_builder *b)
{
    nir_validate_shader(b->shader, "in the test");
    return (struct cpu_shader){.stage = b->shader->info.stage, .nir = b->shader};
}

static nir_def *input(nir_builder *b, unsigned location, unsigned components)
{
    return nir_load_input(b, components, 32, nir_imm_int(b, 0), .dest_type = nir_type_float32,
                          .io_semantics = {.location = location, .num_slots = 1});
}

static nir_def *varying(nir_builder *b, unsigned location, unsigned components, unsigned mode)
{
    nir_def *weights = nir_load_barycentric_pixel(b, .interp_mode = mode);
    return nir_load_interpolated_input(b, components, 32, weights, nir_imm_int(b, 0),
                                       .dest_type = nir_type_float32,
                                       .io_semantics = {.location = location, .num_slots = 1});
}

static void output(nir_builder *b, unsigned location, nir_def *value)
{
    nir_store_output(b, value, nir_imm_int(b, 0), .src_type = nir_type_float32,
                     .io_semantics = {.location = location, .num_slots = 1});
}

/* -------------------------------------------------------------------------------- vertex --- */

struct vs_run {
    float out[16 * 4 * CPU_BATCH_VERTICES];
    float window[4 * CPU_BATCH_VERTICES];
    uint32_t clip_code[CPU_BATCH_VERTICES];
    struct cpu_vs_variant variant;
};

static void run_vs(struct jit_engine *engine, const struct cpu_shader *shader,
                   const struct cpu_vs_key *key, struct cpu_vs_args *args, struct vs_run *run)
{
    static const struct cpu_stage_state state;

    memset(run, 0, sizeof *run);
    args->state = &state;
    args->out = run->out;
    args->window = run->window;
    args->clip_code = run->clip_code;
    run->variant.kernel = cpu_build_vs(engine, shader, key, &run->variant);
    assert_non_null(run->variant.kernel);
    const void *kernel_args[] = {args, watchdog_progress()};
    jit_run(jit_kernel_function(run->variant.kernel), kernel_args);
    jit_kernel_destroy(run->variant.kernel);
    run->variant.kernel = NULL;
}

static float out_value(const struct vs_run *run, unsigned slot, unsigned c, unsigned v)
{
    unsigned o = run->variant.outputs.index[slot] - 1;
    return run->out[(o * 4 + c) * CPU_BATCH_VERTICES + v];
}

static void test_vertex(void **state)
{
    static struct vs_run runs[3];
    float vertices[20][7];
    uint32_t index[32];
    nir_builder b = new_shader(SHADER_VERTEX);
    nir_def *color = input(&b, VERT_ATTRIB_COLOR0, 3);

    output(&b, VARYING_SLOT_POS, input(&b, VERT_ATTRIB_POS, 4));
    output(&b, VARYING_SLOT_VAR0, nir_fadd(&b, color, color));
    struct cpu_shader shader = wrap(&b);

    for (unsigned v = 0; v < 20; v++) {
        for (unsigned i = 0; i < 7; i++)
            vertices[v][i] = (float)(v * 7 + i) / 50.0f - 1.0f;
        vertices[v][3] = 1.0f + (float)v / 4.0f;
    }
    vertices[3][0] = 5.0f;  /* right of the view volume */
    vertices[4][3] = -1.0f; /* negative w */
    vertices[5][1] = NAN;
    vertices[6][0] = 1e6f; /* outside the guard band */
    for (unsigned i = 0; i < 32; i++)
        index[i] = i; /* 20 and up are outside the buffer */

    struct cpu_vs_key key = {
        .finish_vertices = {.last = 1, .depth_clip_near = 1, .depth_clip_far = 1}};
    static const struct drv_viewport viewport = {{100, 50, 0.5f}, {100, 50, 0.5f}};
    key.attrib[VERT_ATTRIB_POS].format = DRV_FORMAT_R32G32B32A32_FLOAT;
    key.attrib[VERT_ATTRIB_COLOR0].format = DRV_FORMAT_R32G32B32_FLOAT;
    key.attrib[VERT_ATTRIB_COLOR0].stream = 1;
    struct cpu_vs_args args = {
        .index = index,
        .count = 32,
        .viewport = &viewport,
        .stream = {{(const uint8_t *)vertices, 28, 19, 1, 0},
                   {(const uint8_t *)&vertices[0][4], 28, 19, 1, 0}},
    };
    for (unsigned i = 0; i < num_engines; i++) {
        run_vs(engines[i], &shader, &key, &args, &runs[i]);
        assert_memory_equal(&runs[i], &runs[0], sizeof runs[0]);
    }
    const struct vs_run *run = &runs[0];
    assert_int_equal(run->variant.outputs.count, 2);
    for (unsigned v = 0; v < 20; v++) {
        for (unsigned c = 0; c < 3; c++)
            assert_true(out_value(run, VARYING_SLOT_VAR0, c, v) == 2 * vertices[v][4 + c]);
        float inv_w = 1.0f / vertices[v][3];
        if (v == 5)
            continue;
        assert_true(run->window[v] == vertices[v][0] * inv_w * 100.0f + 100.0f);
        assert_true(run->window[3 * CPU_BATCH_VERTICES + v] == inv_w);
    }
    assert_int_equal(run->clip_code[0], 0);
    assert_int_equal(run->clip_code[3], CPU_CLIP_RIGHT);
    assert_true(run->clip_code[4] & CPU_CLIP_W);
    assert_true(run->clip_code[5] & CPU_CLIP_NAN);
    assert_int_equal(run->clip_code[6], CPU_CLIP_RIGHT | CPU_CLIP_GUARD_BAND);
    assert_true(out_value(run, VARYING_SLOT_POS, 0, 21) == 0.0f);
    assert_true(out_value(run, VARYING_SLOT_POS, 3, 21) == 1.0f);
    nir_shader_destroy(b.shader);
}

/* Every format that can be fetched returns the same as util_format. */
static void test_fetch_formats(void **state)
{
    static struct vs_run runs[3];
    nir_builder b = new_shader(SHADER_VERTEX);
    uint32_t index[16];
    uint8_t data[16 * 32];

    output(&b, VARYING_SLOT_VAR0, input(&b, VERT_ATTRIB_GENERIC0, 4));
    struct cpu_shader shader = wrap(&b);
    for (unsigned i = 0; i < 16; i++)
        index[i] = i;
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 73 + (i >> 3) * 31 + 5);

    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        if (!cpu_format_can_fetch(f) || util_format_is_srgb(f))
            continue;
        struct cpu_vs_key key = {0};
        key.attrib[VERT_ATTRIB_GENERIC0].format = f;
        unsigned stride = drv_format_desc(f)->block_bytes;
        struct cpu_vs_args args = {
            .index = index, .count = 16, .stream = {{data, stride, 15, 1, 0}}};
        run_vs(engines[f % num_engines], &shader, &key, &args, &runs[0]);
        float expected[16][4];
        if (util_format_is_pure_integer(f))
            util_format_unpack_int(f, (uint32_t(*)[4])expected, data, 16);
        else
            util_format_unpack_float(f, expected, data, 16);
        for (unsigned v = 0; v < 64; v++) {
            float got = out_value(&runs[0], VARYING_SLOT_VAR0, v % 4, v / 4);
            float want = expected[v / 4][v % 4];
            bool equal = fui(got) == fui(want) || (got != got && want != want) ||
                         fabsf(got - want) <= 2e-7f * fabsf(want);
            if (!equal)
                fail_msg("%s: vertex %u component %u: %g, not %g", drv_format_desc(f)->name, v / 4,
                         v % 4, (double)got, (double)want);
        }
    }
    nir_shader_destroy(b.shader);
}

/* ------------------------------------------------------------------------------ fragment --- */

#define TILE_BYTES (64 * 64 * 16)

/* A triangle that covers a 16×16 tile, with vertices at (0, 0), (16, 0), (0, 16). */
struct fs_run {
    uint8_t color[TILE_BYTES], zs[TILE_BYTES];
    uint64_t passed;
};

static float vertex_data[3][8 * 4 * CPU_BATCH_VERTICES];

static struct cpu_primitive whole_tile(void)
{
    return (struct cpu_primitive){
        .z = {.c = 0.25f, .dx = 1.0f / 64.0f},
        .b1 = {.dx = 1.0f / 16.0f},
        .b2 = {.dy = 1.0f / 16.0f},
        .inv_w = {1, 1, 1},
        .vertex = {vertex_data[0], vertex_data[1], vertex_data[2]},
        .provoking = vertex_data[2],
        .front_facing = 1,
    };
}

static void set_varying(unsigned c, float v0, float v1, float v2)
{
    unsigned at = c * CPU_BATCH_VERTICES;
    vertex_data[0][at] = v0;
    vertex_data[1][at] = v1;
    vertex_data[2][at] = v2;
}

static void run_fs(struct jit_engine *engine, const struct cpu_shader *shader,
                   const struct cpu_fs_key *key, const struct cpu_stage_state *stage,
                   const struct cpu_fs_state *fs, const struct cpu_primitive *primitive,
                   uint32_t mask, struct fs_run *run)
{
    struct cpu_fs_variant variant = {0};
    struct cpu_block blocks[16];
    static uint32_t planes[CPU_PLANE_WORDS];

    for (unsigned i = 0; i < 16; i++)
        blocks[i] = (struct cpu_block){(uint16_t)(i % 4 * 4), (uint16_t)(i / 4 * 4), mask};
    struct cpu_fs_args args = {
        .state = stage,
        .fs = fs,
        .primitive = primitive,
        .block = blocks,
        .planes = planes,
        .count = 16,
        .samples_passed = &run->passed,
        .color[0] = {.base = run->color, .tile_w = 4},
        .zs = {.base = run->zs, .tile_w = 4},
    };
    variant.kernel = cpu_build_fs(engine, shader, key, &variant);
    assert_non_null(variant.kernel);
    const void *kernel_args[] = {&args, watchdog_progress()};
    jit_run(jit_kernel_function(variant.kernel), kernel_args);
    jit_kernel_destroy(variant.kernel);
}

static struct cpu_fs_key color_key(enum drv_format format)
{
    struct cpu_fs_key key = {.num_color_bufs = 1};
    key.color_format[0] = format;
    key.blend.rt[0].colormask = 15;
    key.input_slot[VARYING_SLOT_VAR0] = 1;
    return key;
}

static struct fs_run *new_runs(void)
{
    return calloc(3, sizeof(struct fs_run));
}

/* Does the same with the kernel of quads; each quad belongs to a different primitive. */
static void run_fs_quads(struct jit_engine *engine, const struct cpu_shader *shader,
                         const struct cpu_fs_key *key, const struct cpu_stage_state *stage,
                         const struct cpu_fs_state *fs, const struct cpu_primitive *primitive,
                         uint32_t mask, struct fs_run *run)
{
    struct cpu_primitive copies[64];
    struct cpu_quad quads[64];

    for (unsigned i = 0; i < 64; i++) {
        copies[i] = *primitive;
        quads[i] = (struct cpu_quad){
            .primitive = &copies[i],
            .x = (uint16_t)(i / 4 % 4 * 4 + i % 2 * 2),
            .y = (uint16_t)(i / 16 * 4 + i / 2 % 2 * 2),
            .mask = mask >> i % 4 * 4 & 15,
        };
    }
    struct cpu_fs_args args = {
        .state = stage,
        .fs = fs,
        .quad = quads,
        .count = 64,
        .samples_passed = &run->passed,
        .color[0] = {.base = run->color, .tile_w = 4},
        .zs = {.base = run->zs, .tile_w = 4},
    };
    struct jit_kernel *kernel = cpu_build_fs_quads(engine, shader, key);
    assert_non_null(kernel);
    const void *kernel_args[] = {&args, watchdog_progress()};
    jit_run(jit_kernel_function(kernel), kernel_args);
    jit_kernel_destroy(kernel);
}

/* Runs at all widths, which must agree; the result is runs[0]. */
static void run_all(const struct cpu_shader *shader, const struct cpu_fs_key *key,
                    const struct cpu_stage_state *stage, const struct cpu_fs_state *fs,
                    const struct cpu_primitive *primitive, uint32_t mask, struct fs_run *runs)
{
    for (unsigned i = 0; i < num_engines; i++) {
        struct fs_run *quads = malloc(sizeof *quads);
        *quads = runs[i];
        run_fs(engines[i], shader, key, stage, fs, primitive, mask, &runs[i]);
        assert_memory_equal(&runs[i], &runs[0], sizeof runs[0]);
        if (jit_engine_lanes(engines[i]) > 4) {
            run_fs_quads(engines[i], shader, key, stage, fs, primitive, mask, quads);
            assert_memory_equal(quads, &runs[0], sizeof runs[0]);
        }
        free(quads);
    }
}

static const struct cpu_stage_state no_state;
static const struct cpu_fs_state default_fs_state = {
    .stencil_valuemask = {255, 255},
    .stencil_writemask = {255, 255},
    .depth_range[0].max = 1.0f,
    .fb_height = 16,
};

static void test_fragment_formats(void **state)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    output(&b, FRAG_RESULT_DATA0, varying(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH));
    struct cpu_shader shader = wrap(&b);
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *run = calloc(1, sizeof *run);

    for (unsigned c = 0; c < 4; c++)
        set_varying(c, 0.1f * (float)c, 1.3f, -0.2f + 0.1f * (float)c);
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        if (!cpu_format_can_render(f) || util_format_is_pure_integer(f) ||
            drv_format_desc(f)->colorspace == DRV_COLORSPACE_ZS)
            continue;
        struct cpu_fs_key key = color_key(f);
        unsigned bytes = drv_format_desc(f)->block_bytes;
        memset(run, 0, sizeof *run);
        run_fs(engines[f % num_engines], &shader, &key, &no_state, &default_fs_state, &primitive,
               0xffff, run);
        for (unsigned i = 0; i < 256; i++) {
            unsigned x = i % 16, y = i / 16;
            /* barycentric coordinates at the block, plus the pixel's increment: exact */
            float b1 = ((float)(x & 12) + 0.5f) / 16.0f, b2 = ((float)(y & 12) + 0.5f) / 16.0f;
            float lane1 = (float)(x & 3) / 16.0f, lane2 = (float)(y & 3) / 16.0f;
            float color[1][4], want[1][4], got[1][4];
            uint8_t texel[16];
            for (unsigned c = 0; c < 4; c++) {
                float v0 = 0.1f * (float)c, v2 = -0.2f + 0.1f * (float)c;
                float block = v0 + (b1 * (1.3f - v0) + b2 * (v2 - v0));
                color[0][c] = block + (lane1 * (1.3f - v0) + lane2 * (v2 - v0));
            }
            util_format_pack_float(f, texel, color, 1);
            util_format_unpack_float(f, want, texel, 1);
            util_format_unpack_float(f, got, run->color + texel_index(x, y, 4) * bytes, 1);
            for (unsigned c = 0; c < 4; c++) {
                unsigned bits = util_format_component_bits(f, c);
                float unit = util_format_is_float(f) || bits > 16 || !bits
                                 ? 0.02f
                                 : 1.01f / (float)((1 << (bits - 1)) - 1);
                if (bits && !(fabsf(want[0][c] - got[0][c]) <= unit))
                    fail_msg("%s: %u,%u.%u: %g, not %g", drv_format_desc(f)->name, x, y, c,
                             (double)got[0][c], (double)want[0][c]);
            }
        }
    }
    free(run);
    nir_shader_destroy(b.shader);
}

static uint32_t word_at(const uint8_t *image, unsigned x, unsigned y)
{
    uint32_t word;
    memcpy(&word, image + texel_index(x, y, 4) * 4, 4);
    return word;
}

static void test_depth_stencil(void **state)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    output(&b, FRAG_RESULT_DATA0, nir_imm_vec4(&b, 1, 0, 0, 1));
    struct cpu_shader shader = wrap(&b);
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8G8B8A8_UNORM);
    struct cpu_fs_state fs = default_fs_state;

    key.zs_format = DRV_FORMAT_Z24S8_UNORM;
    key.zs.depth_func = 1 + DRV_FUNC_LESS;
    key.zs.depth_write = 1;
    key.zs.stencil[0].enabled = 1;
    key.zs.stencil[0].func = DRV_FUNC_EQUAL;
    key.zs.stencil[0].fail_op = DRV_STENCIL_INVERT;
    key.zs.stencil[0].zfail_op = DRV_STENCIL_DECR;
    key.zs.stencil[0].zpass_op = DRV_STENCIL_INCR;
    key.count_samples = 1;
    fs.stencil_ref[0] = 7;
    /* z goes from 0.25 to 0.5 along x; the stored depth is 0.375; row 0 fails the stencil test */
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned i = 0; i < 256; i++) {
            uint32_t word = 0x600000 | (i / 16 == 0 ? 0x05u : 0x07u) << 24;
            memcpy(runs[r].zs + texel_index(i % 16, i / 16, 4) * 4, &word, 4);
        }
    }
    run_all(&shader, &key, &no_state, &fs, &primitive, 0x7fff, runs);

    unsigned passed = 0;
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        float z = 0.25f + ((float)x + 0.5f) / 64.0f;
        uint32_t want = 0x600000 | (y == 0 ? 0x05u : 0x07u) << 24, color = 0;
        if ((x & 3) != 3 || (y & 3) != 3) { /* covered */
            if (y == 0) {
                want = 0x600000 | 0xfau << 24;
            } else if (z < 0.375f) {
                want = (uint32_t)rint((double)z * 16777215.0) | 8u << 24;
                color = 0xff0000ff;
                passed++;
            } else {
                want = 0x600000 | 6u << 24;
            }
        }
        assert_int_equal(word_at(runs[0].zs, x, y), want);
        assert_int_equal(word_at(runs[0].color, x, y), color);
    }
    assert_int_equal(runs[0].passed, passed);
    free(runs);
    nir_shader_destroy(b.shader);
}

static void test_discard_and_blend(void **state)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *coord = nir_load_frag_coord(&b);
    nir_discard_if(&b, nir_flt_imm(&b, nir_channel(&b, coord, 1), 4.0));
    nir_def *flat = nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .dest_type = nir_type_float32,
                                   .io_semantics = {.location = VARYING_SLOT_VAR0, .num_slots = 1});
    output(&b, FRAG_RESULT_COLOR,
           nir_vec4(&b, flat, nir_imm_float(&b, 1), nir_imm_float(&b, 0), nir_imm_float(&b, 0.5f)));
    struct cpu_shader shader = wrap(&b);
    b.shader->info.fs.uses_discard = true;
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    struct cpu_fs_key key = color_key(DRV_FORMAT_B8G8R8A8_UNORM);

    set_varying(0, 0, 0, 1);
    key.blend.rt[0].blend_enable = true;
    key.blend.rt[0].rgb_src_factor = key.blend.rt[0].alpha_src_factor = DRV_FACTOR_SRC_ALPHA;
    key.blend.rt[0].rgb_dst_factor = key.blend.rt[0].alpha_dst_factor = DRV_FACTOR_INV_SRC_ALPHA;
    key.blend.rt[0].colormask = 7;
    for (unsigned r = 0; r < 3; r++)
        memset(runs[r].color, 100, sizeof runs[r].color);
    run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
    for (unsigned i = 0; i < 256; i++) {
        /* red: (255 + 100) / 2, green: the same, blue: 50, alpha is masked */
        uint32_t want = i / 16 < 4 ? 0x64646464 : 100u << 24 | 178u << 16 | 178u << 8 | 50u;
        assert_int_equal(word_at(runs[0].color, i % 16, i / 16), want);
    }
    free(runs);
    nir_shader_destroy(b.shader);
}

static unsigned byte_product(unsigned a, unsigned b)
{
    return (a * b * 257 + (1u << 15)) >> 16;
}

/* Returns colors that 8-bit channels round to s, and alpha to a. */
static nir_def *rounded_color(nir_builder *b, unsigned s, unsigned a)
{
    const float color = ((float)s + 0.4f) / 255.0f; /* a float target would keep the fraction */

    return nir_imm_vec4(b, color, color, color, ((float)a - 0.3f) / 255.0f);
}

/* 8-bit channels: colors are rounded, then products; sums are clamped to 0 and 255. */
static void test_blend_bytes(void **state)
{
    /* 173 * 241 is 163.502 times 255, and 163.4996 times 65536/257 */
    static const unsigned sources[][2] = {{200, 77}, {255, 128}, {3, 254}, {131, 1}, {173, 241}};
    struct cpu_primitive primitive = whole_tile();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8G8B8A8_UNORM);
    struct drv_rt_blend *rt = &key.blend.rt[0];

    rt->blend_enable = true;
    rt->rgb_src_factor = DRV_FACTOR_SRC_ALPHA;
    for (unsigned i = 0; i < 4 * ARRAY_SIZE(sources); i++) {
        const unsigned s = sources[i / 4][0], a = sources[i / 4][1];
        nir_builder b = new_shader(SHADER_FRAGMENT);
        struct fs_run *runs = new_runs();

        output(&b, FRAG_RESULT_DATA0, rounded_color(&b, s, a));
        struct cpu_shader shader = wrap(&b);
        rt->rgb_func = i % 4 == 0 ? DRV_BLEND_REVERSE_SUBTRACT : DRV_BLEND_ADD;
        rt->rgb_dst_factor = i % 4 == 3   ? DRV_FACTOR_SRC_COLOR
                             : i % 4 == 2 ? DRV_FACTOR_INV_SRC_ALPHA
                                          : DRV_FACTOR_ONE;
        for (unsigned r = 0; r < 3; r++)
            for (unsigned d = 0; d < 256; d++)
                memset(runs[r].color + d * 4, (int)d, 4);
        run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
        for (unsigned d = 0; d < 256; d++) {
            unsigned product = byte_product(s, a);
            unsigned want = i % 4 == 0   ? d - MIN2(product, d)
                            : i % 4 == 1 ? MIN2(product + d, 255)
                            : i % 4 == 2 ? product + byte_product(d, 255 - a)
                                         : MIN2(product + byte_product(d, s), 255);
            assert_int_equal(runs[0].color[d * 4 + 1], want);
        }
        free(runs);
        nir_shader_destroy(b.shader);
    }
}

/* A single 8-bit channel: a sum with a factor and its complement is rounded once. */
static void test_blend_one_byte(void **state)
{
    static const struct {
        unsigned src, dst; /* blend factors */
    } factors[] = {
        {DRV_FACTOR_SRC_ALPHA, DRV_FACTOR_INV_SRC_ALPHA},
        {DRV_FACTOR_INV_SRC_ALPHA, DRV_FACTOR_SRC_ALPHA},
        {DRV_FACTOR_DST_COLOR, DRV_FACTOR_INV_DST_COLOR},
        /* Not complements: the result is that of formats with more channels. */
        {DRV_FACTOR_SRC_ALPHA, DRV_FACTOR_INV_SRC_COLOR},
    };
    const int s = 131, a = 200;
    struct cpu_primitive primitive = whole_tile();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8_UNORM);
    struct drv_rt_blend *rt = &key.blend.rt[0];

    rt->blend_enable = true;
    for (unsigned i = 0; i < ARRAY_SIZE(factors); i++) {
        nir_builder b = new_shader(SHADER_FRAGMENT);
        struct fs_run *runs = new_runs();

        output(&b, FRAG_RESULT_DATA0, rounded_color(&b, s, a));
        struct cpu_shader shader = wrap(&b);
        rt->rgb_src_factor = factors[i].src;
        rt->rgb_dst_factor = factors[i].dst;
        for (unsigned r = 0; r < 3; r++)
            for (unsigned d = 0; d < 256; d++)
                runs[r].color[d] = (uint8_t)d;
        run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
        for (int d = 0; d < 256; d++) {
            int weight = d + (d >> 7); /* in units of 1/256 */
            int want[] = {
                d + (((s - d) * (a + 1) + 128) >> 8),
                s + (((d - s) * (a + 1) + 128) >> 8),
                d + (((s - d) * weight + 128) >> 8),
                (int)(byte_product(s, a) + byte_product((unsigned)d, 255 - s)),
            };
            assert_int_equal(runs[0].color[d], want[i]);
        }
        free(runs);
        nir_shader_destroy(b.shader);
    }
}

/* Depth from the shader, dual-source blending, a logical operation. */
static void test_outputs(void **state)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *coord = nir_load_frag_coord(&b);
    output(&b, FRAG_RESULT_DEPTH, nir_fmul_imm(&b, nir_channel(&b, coord, 0), 1.0 / 32.0));
    output(&b, FRAG_RESULT_DATA0, nir_imm_vec4(&b, 0.2f, 0.4f, 0.6f, 1.0f));
    nir_store_output(&b, nir_imm_vec4(&b, 1.0f, 0.0f, 0.5f, 0.0f), nir_imm_int(&b, 0),
                     .src_type = nir_type_float32,
                     .io_semantics = {.location = FRAG_RESULT_DATA0,
                                      .num_slots = 1,
                                      .dual_source_blend_index = 1});
    struct cpu_shader shader = wrap(&b);
    b.shader->info.outputs_written =
        BITFIELD64_BIT(FRAG_RESULT_DEPTH) | BITFIELD64_BIT(FRAG_RESULT_DATA0);
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8G8B8A8_UNORM);

    key.zs_format = DRV_FORMAT_Z16_UNORM;
    key.zs.depth_func = 1 + DRV_FUNC_ALWAYS;
    key.zs.depth_write = 1;
    key.blend.rt[0].blend_enable = true;
    key.blend.rt[0].rgb_src_factor = DRV_FACTOR_SRC1_COLOR;
    key.blend.rt[0].rgb_dst_factor = DRV_FACTOR_INV_SRC1_COLOR;
    key.blend.rt[0].alpha_src_factor = DRV_FACTOR_ONE;
    for (unsigned r = 0; r < 3; r++)
        memset(runs[r].color, 200, sizeof runs[r].color);
    run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
    for (unsigned i = 0; i < 256; i++) {
        unsigned x = i % 16, y = i / 16;
        uint16_t z;
        memcpy(&z, runs[0].zs + texel_index(x, y, 4) * 2, 2);
        assert_int_equal(z, (uint16_t)rint(((double)x + 0.5) / 32.0 * 65535.0));
        /* red: source, green: previous value, blue: the mean of 153 and 200 */
        uint32_t color = word_at(runs[0].color, x, y);
        assert_int_equal(color & 0xffff, 51 | 200 << 8);
        assert_in_range(color >> 16 & 255, 176, 177);
        assert_int_equal(color >> 24, 255);
    }

    key.zs_format = 0;
    key.zs = (struct cpu_zs_key){0};
    key.blend.rt[0] = (struct drv_rt_blend){.colormask = 15};
    key.blend.logicop = 1 + DRV_LOGICOP_XOR;
    for (unsigned r = 0; r < 3; r++)
        memset(runs[r].color, 0x55, sizeof runs[r].color);
    run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
    assert_int_equal(word_at(runs[0].color, 5, 5),
                     (51u | 102u << 8 | 153u << 16 | 255u << 24) ^ 0x55555555u);
    free(runs);
    nir_shader_destroy(b.shader);
}

/* Every byte of an sRGB buffer is stored for linear values within 0.45 of a step around it. */
static void test_srgb_encode(void **state)
{
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8G8B8A8_SRGB);
    for (int side = -1; side <= 1; side++) {
        nir_builder b = new_shader(SHADER_FRAGMENT);
        nir_def *coord = nir_load_frag_coord(&b);
        /* byte 16 * y + x, decoded, for the tile's first 16×16 pixels */
        nir_def *x = nir_fadd_imm(&b, nir_channel(&b, coord, 0), -0.5);
        nir_def *y = nir_fadd_imm(&b, nir_channel(&b, coord, 1), -0.5);
        nir_def *byte = nir_fadd(&b, x, nir_fmul_imm(&b, y, 16.0));
        nir_def *c = nir_fmul_imm(&b, nir_fadd_imm(&b, byte, side * 0.45), 1.0 / 255.0);
        nir_def *base = nir_fmul_imm(&b, nir_fadd_imm(&b, c, 0.055), 1.0 / 1.055);
        nir_def *power = nir_fpow(&b, base, nir_imm_float(&b, 2.4f));
        nir_def *low = nir_fge(&b, nir_imm_float(&b, 0.04045f), c);
        nir_def *l = nir_bcsel(&b, low, nir_fmul_imm(&b, c, 1.0 / 12.92), power);
        output(&b, FRAG_RESULT_DATA0, nir_vec4(&b, l, l, l, nir_imm_float(&b, 1.0f)));
        struct cpu_shader shader = wrap(&b);
        run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
        for (unsigned i = 0; i < 256; i++)
            assert_int_equal(word_at(runs[0].color, i % 16, i / 16), 0xff000000u | i * 0x10101u);
        nir_shader_destroy(b.shader);
    }
    free(runs);
}

/* The bytes are those of util/format.h for the floats on both sides of each step, and for a half
 * float whose encoding is 242.49992. */
static void test_srgb_encode_steps(void **state)
{
    static float value[256][4];
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8G8B8A8_SRGB);
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *coord = nir_load_frag_coord(&b);
    nir_def *x = nir_f2i32(&b, nir_channel(&b, coord, 0));
    nir_def *y = nir_f2i32(&b, nir_channel(&b, coord, 1));
    nir_def *pixel = nir_iadd(&b, x, nir_imul_imm(&b, y, 16));
    nir_def *one = nir_imm_float(&b, 1.0f), *half = nir_imm_float(&b, 0.89208984375f);
    nir_def *below = one, *above = one;
    for (unsigned i = 0; i < 256; i++) {
        value[i][0] = i < 255 ? nextafterf(util_srgb_threshold[i], 0.0f) : 1.0f;
        value[i][1] = i < 255 ? util_srgb_threshold[i] : 1.0f;
        value[i][2] = 0.89208984375f;
        value[i][3] = 1.0f;
        nir_def *here = nir_ieq_imm(&b, pixel, i);
        below = nir_bcsel(&b, here, nir_imm_float(&b, value[i][0]), below);
        above = nir_bcsel(&b, here, nir_imm_float(&b, value[i][1]), above);
    }
    output(&b, FRAG_RESULT_DATA0, nir_vec4(&b, below, above, half, one));
    struct cpu_shader shader = wrap(&b);
    run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t want;
        util_format_pack_float(DRV_FORMAT_R8G8B8A8_SRGB, &want, (const float(*)[4]) & value[i], 1);
        assert_int_equal(word_at(runs[0].color, i % 16, i / 16), want);
        assert_int_equal(want >> 16 & 255, 242);
    }
    nir_shader_destroy(b.shader);
    free(runs);
}

/* Half floats are rounded once to channels of 16 bits, as in util/format.h: the products are
 * 32799.4995 and 16399.4995, which floats cannot represent. */
static void test_round_once(void **state)
{
    static const struct {
        enum drv_format format;
        uint32_t want;
    } cases[] = {{DRV_FORMAT_R16G16_UNORM, 32799},
                 {DRV_FORMAT_R16G16_SNORM, 16399 | (0x10000u - 16399) << 16}};
    static const float value[1][4] = {{1025.0f / 2048.0f, -1025.0f / 2048.0f, 0.0f, 1.0f}};
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        uint32_t packed;
        nir_builder b = new_shader(SHADER_FRAGMENT);
        output(&b, FRAG_RESULT_DATA0, nir_imm_vec4(&b, value[0][0], value[0][1], 0.0f, 1.0f));
        struct cpu_shader shader = wrap(&b);
        struct cpu_fs_key key = color_key(cases[i].format);
        run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
        util_format_pack_float(cases[i].format, &packed, value, 1);
        assert_int_equal(packed, cases[i].want);
        assert_int_equal(word_at(runs[0].color, 5, 5), cases[i].want);
        nir_shader_destroy(b.shader);
    }
    free(runs);
}

/* Blending with an sRGB buffer is linear (GL 4.6 §17.3.6.1). */
static void test_srgb_blend(void **state)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    output(&b, FRAG_RESULT_DATA0, nir_imm_vec4(&b, 1.0f, 0.0f, 0.25f, 0.5f));
    struct cpu_shader shader = wrap(&b);
    struct cpu_primitive primitive = whole_tile();
    struct fs_run *runs = new_runs();
    struct cpu_fs_key key = color_key(DRV_FORMAT_R8G8B8A8_SRGB);
    float want[1][4] = {{0.5f, 0.0f, 0.125f, 0.5f}};
    uint8_t texel[4];

    key.blend.rt[0].blend_enable = true;
    key.blend.rt[0].rgb_src_factor = DRV_FACTOR_SRC_ALPHA;
    key.blend.rt[0].rgb_dst_factor = DRV_FACTOR_INV_SRC_ALPHA;
    key.blend.rt[0].alpha_src_factor = DRV_FACTOR_ONE;
    run_all(&shader, &key, &no_state, &default_fs_state, &primitive, 0xffff, runs);
    util_format_pack_float(DRV_FORMAT_R8G8B8A8_SRGB, texel, want, 1);
    for (unsigned c = 0; c < 4; c++)
        assert_in_range(runs[0].color[c], MAX2(texel[c], 1) - 1, texel[c] + 1);
    free(runs);
    nir_shader_destroy(b.shader);
}

/* ------------------------------------------------------------------------------- texture --- */

#define TEX 8

static uint8_t texture_bytes[TEX * TEX * 4 + 64];

static uint8_t texel_value(unsigned x, unsigned y, unsigned c)
{
    return (uint8_t)(x * 29 + y * 13 + c * 57 + x * y * 7);
}

static struct cpu_texture test_texture(void)
{
    static struct test_offsets offsets;
    for (unsigned i = 0; i < TEX * TEX * 4; i++) {
        unsigned x = i / 4 % TEX, y = i / 4 / TEX;
        texture_bytes[texel_index(x, y, TEX / 4) * 4 + i % 4] = texel_value(x, y, i % 4);
    }
    return (struct cpu_texture){
        .level[0] = test_level(texture_bytes, TEX, TEX, 4, &offsets),
        .num_levels = 1,
        .num_layers = 1,
    };
}

static nir_def *sample(nir_builder *b, nir_texop op, nir_def *coord)
{
    nir_tex_instr *tex = nir_tex_instr_create(b->shader, 1);
    tex->op = op;
    tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
    tex->dest_type = nir_type_float32;
    tex->coord_components = 2;
    tex->src[0].src_type = nir_tex_src_coord;
    tex->src[0].src = nir_src_for_ssa(coord);
    nir_def_init(&tex->instr, &tex->def, 4, 32);
    nir_builder_instr_insert(b, &tex->instr);
    return &tex->def;
}

static int wrap_index(int i, unsigned wrap)
{
    if (wrap == DRV_WRAP_REPEAT)
        return i & (TEX - 1);
    if (wrap == DRV_WRAP_MIRROR_REPEAT) {
        i &= 2 * TEX - 1;
        return i < TEX ? i : 2 * TEX - 1 - i;
    }
    if (wrap == DRV_WRAP_CLAMP_TO_BORDER && (i < 0 || i >= TEX))
        return -1;
    return CLAMP(i, 0, TEX - 1);
}

static float reference_texel(int i, int j, unsigned c, unsigned wrap)
{
    i = wrap_index(i, wrap);
    j = wrap_index(j, wrap);
    return i < 0 || j < 0 ? 0.25f * (float)c : (float)texel_value(i, j, c) / 255.0f;
}

static float reference(float u, float v, unsigned c, unsigned wrap, bool linear)
{
    float x = u * TEX, y = v * TEX;
    if (!linear)
        return reference_texel((int)floorf(x), (int)floorf(y), c, wrap);
    x -= 0.5f;
    y -= 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    float fx = x - floorf(x), fy = y - floorf(y);
    float lower =
        reference_texel(i, j, c, wrap) * (1 - fx) + reference_texel(i + 1, j, c, wrap) * fx;
    float upper =
        reference_texel(i, j + 1, c, wrap) * (1 - fx) + reference_texel(i + 1, j + 1, c, wrap) * fx;
    return lower * (1 - fy) + upper * fy;
}

static void test_texture_filters(void **state)
{
    static const unsigned wraps[] = {DRV_WRAP_REPEAT, DRV_WRAP_CLAMP_TO_EDGE,
                                     DRV_WRAP_CLAMP_TO_BORDER, DRV_WRAP_MIRROR_REPEAT};
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *coord = varying(&b, VARYING_SLOT_VAR0, 2, INTERP_MODE_SMOOTH);
    output(&b, FRAG_RESULT_DATA0, sample(&b, nir_texop_tex, coord));
    struct cpu_shader shader = wrap(&b);
    struct cpu_primitive primitive = whole_tile();
    struct cpu_texture texture = test_texture();
    struct cpu_stage_state *stage = calloc(1, sizeof *stage);
    struct fs_run *runs = new_runs();

    stage->texture[0] = &texture;
    stage->sampler[0].max_lod = 1000;
    for (unsigned c = 0; c < 4; c++)
        stage->sampler[0].border_color[c] = fui(0.25f * (float)c);
    set_varying(0, -1.03f, 2.11f, -1.03f); /* u over three repeats */
    set_varying(1, -0.52f, -0.52f, 1.57f);
    for (unsigned k = 0; k < 16; k++) {
        unsigned wrap_mode = wraps[k / 4];
        bool linear = k & 1, pot = k & 2;
        struct cpu_fs_key key = color_key(DRV_FORMAT_R32G32B32A32_FLOAT);
        key.units.num_samplers = 1;
        key.units.sampler[0] = (struct cpu_sampler_key){
            .format = DRV_FORMAT_R8G8B8A8_UNORM,
            .target = DRV_TEXTURE_2D,
            .swizzle = {0, 1, 2, 3},
            .wrap_s = wrap_mode,
            .wrap_t = wrap_mode,
            .min_filter = linear,
            .mag_filter = linear,
            .single_level = 1,
            .pot_w = pot,
            .pot_h = pot,
        };
        run_all(&shader, &key, stage, &default_fs_state, &primitive, 0xffff, runs);
        for (unsigned i = 0; i < 256; i++) {
            float b1 = ((float)(i % 16) + 0.5f) / 16.0f, b2 = ((float)(i / 16) + 0.5f) / 16.0f;
            float u = -1.03f + b1 * (2.11f + 1.03f), v = -0.52f + b2 * (1.57f + 0.52f), got[4];
            memcpy(got, runs[0].color + texel_index(i % 16, i / 16, 4) * 16, 16);
            for (unsigned c = 0; c < 4; c++) {
                float want = reference(u, v, c, wrap_mode, linear);
                if (!(fabsf(want - got[c]) <= 0.008f))
                    fail_msg("wrap %u linear %u pot %u, %u,%u.%u: %g, not %g", wrap_mode, linear,
                             pot, i % 16, i / 16, c, (double)got[c], (double)want);
            }
        }
    }
    free(runs);
    free(stage);
    nir_shader_destroy(b.shader);
}

static bool is_unorm8(const struct drv_format_desc *desc)
{
    for (unsigned i = 0; i < desc->nr_channels; i++)
        if (desc->channel[i].bits != 8)
            return false;
    return desc->layout == DRV_LAYOUT_PLAIN && desc->colorspace == DRV_COLORSPACE_RGB;
}

/* Every format that can be sampled, at texel centers and halfway between two texels. */
static void test_sample_formats(void **state)
{
    static uint8_t bytes[TEX * TEX * 16 + 64];
    static struct test_offsets offsets;
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *coord = varying(&b, VARYING_SLOT_VAR0, 2, INTERP_MODE_NOPERSPECTIVE);
    output(&b, FRAG_RESULT_DATA0, sample(&b, nir_texop_tex, coord));
    struct cpu_shader shader = wrap(&b);
    struct cpu_primitive primitive = whole_tile();
    struct cpu_texture texture = {.num_levels = 1, .num_layers = 1};
    struct cpu_stage_state *stage = calloc(1, sizeof *stage);
    struct fs_run *run = calloc(1, sizeof *run);

    stage->texture[0] = &texture;
    stage->sampler[0].max_lod = 1000;
    /* one texel per pixel over two repeats; pixel x reads the center of texel x, or the edge to the
     * next */
    for (unsigned f = 1; f < DRV_FORMAT_COUNT; f++) {
        const struct drv_format_desc *desc = drv_format_desc(f);
        if (!cpu_format_can_sample(f) || desc->layout == DRV_LAYOUT_COMPRESSED ||
            desc->colorspace == DRV_COLORSPACE_ZS)
            continue;
        bool pure = util_format_is_pure_integer(f);
        float texels[TEX * TEX][4];
        texture.level[0] = test_level(bytes, TEX, TEX, desc->block_bytes, &offsets);
        for (unsigned i = 0; i < TEX * TEX * desc->block_bytes; i++)
            bytes[i] = (uint8_t)(i * 37 + (i >> 4) * 11) & (util_format_is_float(f) ? 0x3b : 0xff);
        for (unsigned i = 0; i < TEX * TEX; i++) {
            const uint8_t *at = bytes + texel_index(i % TEX, i / TEX, TEX / 4) * desc->block_bytes;
            if (pure)
                util_format_unpack_int(f, (uint32_t(*)[4]) & texels[i], at, 1);
            else
                util_format_unpack_float(f, &texels[i], at, 1);
        }
        for (unsigned linear = 0; linear < (pure ? 1 : 2); linear++) {
            float shift = linear ? 0.5f / TEX : 0.0f;
            struct cpu_fs_key key = color_key(DRV_FORMAT_R32G32B32A32_FLOAT);
            key.units.num_samplers = 1;
            key.units.sampler[0] = (struct cpu_sampler_key){.format = f,
                                                            .target = DRV_TEXTURE_2D,
                                                            .swizzle = {0, 1, 2, 3},
                                                            .min_filter = linear,
                                                            .mag_filter = linear,
                                                            .single_level = 1,
                                                            .pot_w = 1,
                                                            .pot_h = 1};
            set_varying(0, shift, 16.0f / TEX + shift, shift);
            set_varying(1, 0, 0, 16.0f / TEX);
            run_fs(engines[f % num_engines], &shader, &key, stage, &default_fs_state, &primitive,
                   0xffff, run);
            for (unsigned i = 0; i < 256; i++) {
                unsigned x = i % 16, y = i / 16;
                const float *here = texels[y % TEX * TEX + x % TEX];
                const float *next = texels[y % TEX * TEX + (x + 1) % TEX];
                float got[4];
                memcpy(got, run->color + texel_index(x, y, 4) * 16, 16);
                for (unsigned c = 0; c < 4; c++) {
                    float want = linear ? (here[c] + next[c]) / 2 : here[c];
                    /* 8-bit channels are filtered with 8 bits; sRGB and others that fit into halves
                     * with 15 bits */
                    float limit = 1e-5f + 1e-4f * fabsf(want);
                    if (linear && is_unorm8(desc))
                        limit += 0.5f / 255.0f;
                    else if (linear && cpu_format_has_halves(f))
                        limit += 1.5f / 32640.0f;
                    if (fui(got[c]) != fui(want) && !(fabsf(got[c] - want) <= limit))
                        fail_msg("%s linear %u, %u,%u.%u: %g, not %g", desc->name, linear, x, y, c,
                                 (double)got[c], (double)want);
                }
            }
        }
    }
    free(run);
    free(stage);
    nir_shader_destroy(b.shader);
}

/* ----------------------------------------------------------------------------------- loops --- */

/* Stores x after `outer` times `inner` iterations of x = x * x + x; 0: a number from an input. */
static struct cpu_shader looping_shader(unsigned outer, unsigned inner)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_function_impl *impl = nir_shader_get_entrypoint(b.shader);
    nir_def *start = varying(&b, VARYING_SLOT_VAR0, 1, INTERP_MODE_SMOOTH);
    nir_variable *x = nir_local_variable_create(impl, glsl_float_type(), "x");
    const unsigned turns[2] = {outer, inner};
    nir_loop *loop[2];
    nir_variable *i[2];

    nir_store_var(&b, x, start, 1);
    for (unsigned k = 0; k < 2; k++) {
        i[k] = nir_local_variable_create(impl, glsl_int_type(), "i");
        nir_store_var(&b, i[k], nir_imm_int(&b, 0), 1);
        loop[k] = nir_push_loop(&b);
        nir_def *most = turns[k] ? nir_imm_int(&b, (int)turns[k]) : nir_f2i32(&b, start);
        nir_push_if(&b, nir_ige(&b, nir_load_var(&b, i[k]), most));
        nir_jump(&b, nir_jump_break);
        nir_pop_if(&b, NULL);
    }
    nir_def *value = nir_load_var(&b, x);
    nir_store_var(&b, x, nir_ffma(&b, value, value, value), 1);
    for (unsigned k = 2; k--;) {
        nir_store_var(&b, i[k], nir_iadd_imm(&b, nir_load_var(&b, i[k]), 1), 1);
        nir_pop_loop(&b, loop[k]);
    }
    nir_def *result = nir_load_var(&b, x);
    output(&b, FRAG_RESULT_COLOR, nir_vec4(&b, result, result, result, result));
    nir_lower_vars_to_ssa(b.shader);
    return wrap(&b);
}

/* Loops that are known to end soon count no work: their kernels are the same as without limits. */
static void test_guarded_loops(void **state)
{
    static const struct {
        unsigned outer, inner, guarded;
    } cases[] = {{1, 32, 0}, {32, 32, 0}, {32, 0, 1}, {0, 32, 1}, {0, 0, 2}, {30000, 30000, 2}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cpu_shader shader = looping_shader(cases[i].outer, cases[i].inner);
        struct cpu_kernel_builder kb;
        assert_true(cpu_kernel_begin(&kb, &shader, 8));
        assert_int_equal(kb.num_unbounded_loops, cases[i].guarded);
        nir_shader_destroy(kb.shader);
        nir_shader_destroy(shader.nir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertex),
        cmocka_unit_test(test_fetch_formats),
        cmocka_unit_test(test_fragment_formats),
        cmocka_unit_test(test_depth_stencil),
        cmocka_unit_test(test_discard_and_blend),
        cmocka_unit_test(test_blend_bytes),
        cmocka_unit_test(test_blend_one_byte),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_srgb_blend),
        cmocka_unit_test(test_srgb_encode),
        cmocka_unit_test(test_srgb_encode_steps),
        cmocka_unit_test(test_round_once),
        cmocka_unit_test(test_texture_filters),
        cmocka_unit_test(test_sample_formats),
        cmocka_unit_test(test_guarded_loops),
    };
    return cmocka_run_group_tests(tests, create_engines, destroy_engines);
}
