/* SPDX-License-Identifier: MIT */
/*
 * Precision of interpolation in fragment kernels. Draws random triangles, small, large, thin, far
 * from the origin and with strong perspective, and compares with exact arithmetic. The error limit
 * is that of the usual formula in the same precision, which computes barycentric coordinates per
 * pixel and then each component.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "driver/cpu/kernel/cpu_nir_format.h"
#include "kernel_test.h"

#define SIDE      16 /* pixels of the shaded area in each direction */
#define TRIANGLES 400

/* components of the varying */
enum { SMOOTH, LINEAR, SAME, COMPONENTS };

static float vertices[3][8 * CPU_BATCH_VERTICES];

struct picture { /* two buffers: values at the pixel center, and at an offset of zero from it */
    float color[2][SIDE * SIDE][4];
};

static nir_def *read_input(nir_builder *b, nir_def *where, unsigned component)
{
    return nir_load_interpolated_input(b, 1, 32, where, nir_imm_int(b, 0), .component = component,
                                       .dest_type = nir_type_float32,
                                       .io_semantics = {VARYING_SLOT_VAR0, .num_slots = 1});
}

static nir_def *read_all(nir_builder *b, bool at_offset)
{
    nir_def *where[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned mode = i ? INTERP_MODE_NOPERSPECTIVE : INTERP_MODE_SMOOTH;
        where[i] = at_offset ? nir_load_barycentric_at_offset(b, nir_imm_vec2(b, 0.0f, 0.0f),
                                                              .interp_mode = mode)
                             : nir_load_barycentric_pixel(b, .interp_mode = mode);
    }
    return nir_vec4(b, read_input(b, where[0], SMOOTH), read_input(b, where[1], LINEAR),
                    read_input(b, where[0], SAME), nir_imm_float(b, 1.0f));
}

static struct cpu_shader build_shader(void)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &cpu_nir_options, "planes");
    for (unsigned i = 0; i < 2; i++)
        nir_store_output(&b, read_all(&b, i), nir_imm_int(&b, 0), .src_type = nir_type_float32,
                         .io_semantics = {FRAG_RESULT_DATA0 + i, .num_slots = 1});
    nir_validate_shader(b.shader, "in the test");
    return (struct cpu_shader){.stage = SHADER_FRAGMENT, .nir = b.shader};
}

static struct jit_kernel *kernels[3], *quad_kernels[3];

static void build_kernels(void)
{
    struct cpu_shader shader = build_shader();
    struct cpu_fs_key key = {.num_color_bufs = 2};

    for (unsigned i = 0; i < 2; i++) {
        key.color_format[i] = DRV_FORMAT_R32G32B32A32_FLOAT;
        key.blend.rt[i].colormask = 15;
    }
    key.input_slot[VARYING_SLOT_VAR0] = 1;
    for (unsigned i = 0; i < num_engines; i++) {
        struct cpu_fs_variant variant = {0};
        kernels[i] = cpu_build_fs(engines[i], &shader, &key, &variant);
        assert_non_null(kernels[i]);
        if (jit_engine_lanes(engines[i]) > 4)
            quad_kernels[i] = cpu_build_fs_quads(engines[i], &shader, &key);
    }
    nir_shader_destroy(shader.nir);
}

static void destroy_kernels(void)
{
    for (unsigned i = 0; i < num_engines; i++) {
        jit_kernel_destroy(kernels[i]);
        if (quad_kernels[i])
            jit_kernel_destroy(quad_kernels[i]);
    }
}

/* Shades 16×16 pixels; x, y: the first pixel. */
static void run(const struct cpu_primitive *primitive, unsigned x, unsigned y, bool quads,
                struct jit_kernel *kernel, struct picture *picture)
{
    static const struct cpu_stage_state stage;
    static uint32_t planes[CPU_PLANE_WORDS];
    struct cpu_fs_state fs = {.depth_range[0].max = 1};
    struct cpu_block block[16];
    struct cpu_quad quad[64];

    for (unsigned i = 0; i < 16; i++)
        block[i] = (struct cpu_block){(uint16_t)(x + i % 4 * 4), (uint16_t)(y + i / 4 * 4), 0xffff};
    for (unsigned i = 0; i < 64; i++)
        quad[i] =
            (struct cpu_quad){primitive, (uint16_t)(x + i % 8 * 2), (uint16_t)(y + i / 8 * 2), 15};
    struct cpu_fs_args args = {
        .state = &stage,
        .fs = &fs,
        .primitive = primitive,
        .block = block,
        .quad = quad,
        .planes = planes,
        .count = quads ? 64 : 16,
        .color = {{.base = (uint8_t *)picture->color[0], .tile_w = 4},
                  {.base = (uint8_t *)picture->color[1], .tile_w = 4}},
    };
    const void *argument = &args;
    jit_run(jit_kernel_function(kernel), &argument);
}

static uint32_t seed = 1;

static double random_between(double low, double high)
{
    seed = seed * 1664525 + 1013904223;
    return low + (high - low) * (seed >> 8) / (1 << 24);
}

static float value_of(unsigned vertex, unsigned component)
{
    return vertices[vertex][component * CPU_BATCH_VERTICES];
}

/* A kind of triangle: size, thinness and range of w. */
struct kind {
    const char *name;
    double size, thickness, most_w;
};

/* Returns a random triangle around a pixel, with planes as setup computes them. */
static struct cpu_primitive random_triangle(const struct kind *kind, double x, double y)
{
    double px[3], py[3], w[3], share[3], turn = random_between(0, 6.28), sum = 0;
    struct cpu_primitive p = {.provoking = vertices[2], .front_facing = 1};
    unsigned first = 0;

    for (unsigned i = 0; i < 3; i++) {
        w[i] = exp(random_between(0, log(kind->most_w)));
        share[i] = random_between(0.1, 1);
        sum += share[i];
    }
    for (unsigned i = 0; i < 2; i++) {
        double along = random_between(-1, 1) * kind->size;
        double across = random_between(0.1, 1) * (i ? 1 : -1) * kind->size * kind->thickness;
        px[i] = x + along * cos(turn) - across * sin(turn);
        py[i] = y + along * sin(turn) + across * cos(turn);
    }
    px[2] = (x * sum - px[0] * share[0] - px[1] * share[1]) / share[2];
    py[2] = (y * sum - py[0] * share[0] - py[1] * share[1]) / share[2];
    for (unsigned i = 1; i < 3; i++)
        first = w[i] > w[first] ? i : first; /* the farthest vertex */
    unsigned v[3] = {first, (first + 1) % 3, (first + 2) % 3};
    if (w[v[2]] < w[v[1]]) { /* the nearest vertex comes second */
        v[1] = (first + 2) % 3;
        v[2] = (first + 1) % 3;
    }
    for (unsigned i = 0; i < 3; i++) {
        p.vertex[i] = vertices[i];
        p.inv_w[i] = (float)(1 / w[v[i]]);
        for (unsigned c = 0; c < COMPONENTS; c++)
            vertices[i][c * CPU_BATCH_VERTICES] =
                c == SAME && i ? value_of(0, c) : (float)random_between(-1, 1);
    }
    double x1 = px[v[1]] - px[v[0]], y1 = py[v[1]] - py[v[0]];
    double x2 = px[v[2]] - px[v[0]], y2 = py[v[2]] - py[v[0]], area = x1 * y2 - x2 * y1;
    p.x_ref = (float)px[v[0]];
    p.y_ref = (float)py[v[0]];
    p.b1 = (struct cpu_plane){0, (float)(y2 / area), (float)(-x2 / area)};
    p.b2 = (struct cpu_plane){0, (float)(-y1 / area), (float)(x1 / area)};
    return p;
}

/* Computes the exact values. Returns false if the pixel is outside the triangle. */
static bool exact(const struct cpu_primitive *p, double x, double y, double value[2])
{
    double dx = x + 0.5 - (double)p->x_ref, dy = y + 0.5 - (double)p->y_ref, b[3], n[3], sum = 0;

    b[1] = dx * (double)p->b1.dx + dy * (double)p->b1.dy;
    b[2] = dx * (double)p->b2.dx + dy * (double)p->b2.dy;
    b[0] = 1 - b[1] - b[2];
    for (unsigned i = 0; i < 3; i++) {
        n[i] = b[i] * (double)p->inv_w[i];
        sum += n[i];
    }
    value[SMOOTH] = value[LINEAR] = 0;
    for (unsigned i = 0; i < 3; i++) {
        value[SMOOTH] += n[i] / sum * (double)value_of(i, SMOOTH);
        value[LINEAR] += b[i] * (double)value_of(i, LINEAR);
    }
    return b[0] >= 0 && b[1] >= 0 && b[2] >= 0;
}

static float plane_at(const struct cpu_primitive *p, const struct cpu_plane *plane, unsigned x,
                      unsigned y)
{
    float dx = (float)(x & ~3u) + 0.5f - p->x_ref, dy = (float)(y & ~3u) + 0.5f - p->y_ref;
    float block = plane->c + (plane->dx * dx + plane->dy * dy);
    return block + (plane->dx * (float)(x & 3) + plane->dy * (float)(y & 3));
}

static void usual(const struct cpu_primitive *p, unsigned x, unsigned y, float value[2])
{
    float b1 = plane_at(p, &p->b1, x, y), b2 = plane_at(p, &p->b2, x, y);
    float b0 = 1.0f - b1 - b2, n0 = b0 * p->inv_w[0], n2 = b2 * p->inv_w[2];
    float w = 1.0f / (n0 + b1 * p->inv_w[1] + n2);
    bool affine = p->inv_w[0] == p->inv_w[1] && p->inv_w[0] == p->inv_w[2];

    for (unsigned c = 0; c < 2; c++) {
        float v0 = value_of(0, c), v1 = value_of(1, c), v2 = value_of(2, c);
        if (c == SMOOTH && !affine)
            value[c] = v1 + n0 * w * (v0 - v1) + n2 * w * (v2 - v1);
        else
            value[c] = v0 + b1 * (v1 - v0) + b2 * (v2 - v0);
    }
}

static void shade_all(const struct cpu_primitive *p, unsigned x, unsigned y,
                      struct picture *picture)
{
    static struct picture other;

    run(p, x, y, false, kernels[0], picture);
    for (unsigned i = 0; i < num_engines; i++) {
        run(p, x, y, false, kernels[i], &other);
        assert_memory_equal(&other, picture, sizeof other);
        if (!quad_kernels[i])
            continue;
        run(p, x, y, true, quad_kernels[i], &other);
        assert_memory_equal(&other, picture, sizeof other);
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void test_error(void **state)
{
    static const struct kind kinds[] = {
        {"small", 3, 1, 1},
        {"small, perspective", 3, 1, 4},
        {"medium", 100, 1, 1},
        {"medium, perspective", 100, 1, 4},
        {"medium, strong perspective", 100, 1, 10000},
        {"large", 12000, 1, 1},
        {"large, perspective", 12000, 1, 4},
        {"large, strong perspective", 12000, 1, 10000},
        {"thin", 200, 0.002, 1},
        {"thin, perspective", 200, 0.002, 4},
        {"thin and large", 12000, 0.0001, 1},
        {"thin and large, perspective", 12000, 0.0001, 100},
        {"thin and small, perspective", 20, 0.02, 4},
    };
    /* of values up to 1 */
    const double ulp = 1.0 / (1 << 24);

    build_kernels();
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double most[2] = {0}, bar[2] = {0}, sum = 0, bar_sum = 0;
        unsigned pixels = 0;
        for (unsigned t = 0; t < TRIANGLES; t++) {
            static struct picture picture;
            unsigned x0 = (unsigned)random_between(0, 255) * 64;
            unsigned y0 = (unsigned)random_between(0, 255) * 64;
            struct cpu_primitive p =
                random_triangle(&kinds[k], x0 + random_between(1, 15), y0 + random_between(1, 15));
            shade_all(&p, x0, y0, &picture);
            for (unsigned i = 0; i < SIDE * SIDE; i++) {
                unsigned x = x0 + i % SIDE, y = y0 + i / SIDE;
                const float *got = picture.color[0][texel_index(i % SIDE, i / SIDE, 4)];
                double value[2];
                float simple[2];
                if (!exact(&p, x, y, value))
                    continue;
                assert_true(got[SAME] == value_of(0, SAME));
                usual(&p, x, y, simple);
                for (unsigned c = 0; c < 2; c++) {
                    double error = fabs((double)got[c] - value[c]) / ulp;
                    double other = fabs((double)simple[c] - value[c]) / ulp;
                    most[c] = larger(most[c], error);
                    bar[c] = larger(bar[c], other);
                    sum += error;
                    bar_sum += other;
                    pixels++;
                }
            }
            assert_memory_equal(picture.color[0], picture.color[1], sizeof picture.color[0]);
        }
        assert_true(pixels > TRIANGLES);
        printf("%s: largest error %.1f, linear %.1f (usual: %.1f, %.1f), mean %.2f (%.2f) ulps\n",
               kinds[k].name, most[0], most[1], bar[0], bar[1], sum / pixels, bar_sum / pixels);
        for (unsigned c = 0; c < 2; c++)
            assert_true(most[c] <= bar[c] * 1.5 + 4);
        assert_true(sum <= bar_sum * 1.1 + 0.5 * pixels);
    }
    destroy_kernels();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_error)};
    return cmocka_run_group_tests(tests, create_engines, destroy_engines);
}
