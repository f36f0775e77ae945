/* SPDX-License-Identifier: MIT */
/*
 * The pipeline through the driver's vtable with kernels in C (stub_kernels.c): coverage, by how
 * many primitives and by which; clears, maps, copies and queries.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "driver/cpu/context/cpu_context.h"
#include "indium/driver.h"
#include "stub_kernels.h"
#include "util/macros.h"

#define W 200
#define H 150

struct fixture {
    struct drv_screen *screen;
    struct drv_context *ctx;
    struct drv_resource *color, *zs;
    void *blend, *rast, *depth, *elements, *vs, *fs;
    uint8_t pixel[H][W][4];
};

static struct drv_resource *make_texture(struct drv_screen *screen, enum drv_format format,
                                         unsigned width, unsigned height, unsigned levels)
{
    struct drv_resource templ = {
        .target = DRV_TEXTURE_2D,
        .format = format,
        .width = width,
        .height = height,
        .depth = 1,
        .array_size = 1,
        .last_level = levels - 1,
    };
    return screen->ops->resource_create(screen, &templ);
}

/* Binds a rasterizer state that clips depth. */
static void set_faces(struct fixture *f, const struct drv_rasterizer_state *state)
{
    struct drv_rasterizer_state s = *state;
    s.depth_clip_near = s.depth_clip_far = true;
    void *old = f->rast;
    f->rast = f->ctx->ops->create_rasterizer_state(f->ctx, &s);
    f->ctx->ops->bind_rasterizer_state(f->ctx, f->rast);
    f->ctx->ops->delete_rasterizer_state(f->ctx, old);
}

/* The same, with counterclockwise triangles as front faces. */
static void set_rasterizer(struct fixture *f, const struct drv_rasterizer_state *state)
{
    struct drv_rasterizer_state s = *state;
    s.front_ccw = true;
    set_faces(f, &s);
}

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->screen = cpu_screen_create();
    f->ctx = f->screen->ops->context_create(f->screen);
    const struct drv_context_ops *ops = f->ctx->ops;
    f->color = make_texture(f->screen, DRV_FORMAT_R8G8B8A8_UNORM, W, H, 1);
    f->zs = make_texture(f->screen, DRV_FORMAT_Z24S8_UNORM, W, H, 1);
    f->blend = ops->create_blend_state(f->ctx, &(struct drv_blend_state){0});
    f->depth = ops->create_depth_stencil_state(f->ctx, &(struct drv_depth_stencil_state){0});
    struct drv_vertex_element e = {.src_format = DRV_FORMAT_R32G32B32A32_FLOAT};
    f->elements = ops->create_vertex_elements(f->ctx, 1, &e);
    f->vs = ops->create_shader(f->ctx, &(struct drv_shader_desc){0});
    f->fs = ops->create_shader(f->ctx, &(struct drv_shader_desc){0});
    ops->bind_blend_state(f->ctx, f->blend);
    ops->bind_depth_stencil_state(f->ctx, f->depth);
    ops->bind_vertex_elements(f->ctx, f->elements);
    ops->bind_shader(f->ctx, SHADER_VERTEX, f->vs);
    ops->bind_shader(f->ctx, SHADER_FRAGMENT, f->fs);
    set_rasterizer(f, &(struct drv_rasterizer_state){.line_width = 1, .point_size = 1});
    struct drv_framebuffer fb = {
        .width = W,
        .height = H,
        .nr_cbufs = 1,
        .cbufs[0] = {.texture = f->color, .format = f->color->format},
        .zsbuf = {.texture = f->zs, .format = f->zs->format},
    };
    ops->set_framebuffer(f->ctx, &fb);
    /* vertices are in pixels */
    struct drv_viewport v = {.scale = {W / 2.0f, H / 2.0f, 0.5f},
                             .translate = {W / 2.0f, H / 2.0f, 0.5f}};
    ops->set_viewports(f->ctx, 0, 1, &v);
    stub_samples = 0;
    stub_fails = false;
    stub_bad_barycentrics = stub_vertices = stub_quads = stub_collisions = 0;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    const struct drv_context_ops *ops = f->ctx->ops;
    ops->bind_shader(f->ctx, SHADER_VERTEX, NULL);
    ops->bind_shader(f->ctx, SHADER_FRAGMENT, NULL);
    ops->delete_shader(f->ctx, SHADER_VERTEX, f->vs);
    ops->delete_shader(f->ctx, SHADER_FRAGMENT, f->fs);
    ops->delete_blend_state(f->ctx, f->blend);
    ops->delete_depth_stencil_state(f->ctx, f->depth);
    ops->delete_rasterizer_state(f->ctx, f->rast);
    ops->delete_vertex_elements(f->ctx, f->elements);
    drv_resource_reference(&f->color, NULL);
    drv_resource_reference(&f->zs, NULL);
    ops->destroy(f->ctx);
    f->screen->ops->destroy(f->screen);
    free(f);
    return 0;
}

static void clear(struct fixture *f)
{
    union drv_color zero = {{0}};
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_COLOR0, NULL, &zero, 0, 0);
}

static void read_pixels(struct fixture *f)
{
    struct drv_box box = {0, 0, 0, W, H, 1};
    struct drv_transfer *t;
    const uint8_t *p = f->ctx->ops->map(f->ctx, f->color, 0, DRV_MAP_READ, &box, &t);
    assert_non_null(p);
    for (unsigned y = 0; y < H; y++)
        memcpy(f->pixel[y], p + (size_t)y * t->stride, sizeof f->pixel[y]);
    f->ctx->ops->unmap(f->ctx, t);
}

/* Converts window coordinates to clip coordinates. */
static void vertex(float v[4], float x, float y)
{
    v[0] = x / (W / 2.0f) - 1.0f;
    v[1] = y / (H / 2.0f) - 1.0f;
    v[2] = 0.0f;
    v[3] = 1.0f;
}

static void draw(struct fixture *f, enum drv_primitive mode, const float (*v)[4], unsigned count)
{
    struct drv_vertex_buffer vb = {.stride = 16, .user = v, .user_size = count * 16};
    f->ctx->ops->set_vertex_buffers(f->ctx, 1, &vb);
    struct drv_draw_info info = {.mode = mode, .instance_count = 1};
    struct drv_draw_range range = {.count = count};
    f->ctx->ops->draw(f->ctx, &info, &range, 1);
}

static unsigned covered(const struct fixture *f)
{
    unsigned n = 0;
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            n += f->pixel[y][x][0] != 0;
    return n;
}

/* A map for writing that discards nothing keeps the texels that it does not write, whatever was
 * mapped before. */
static void test_partial_write(void **state)
{
    struct fixture *f = *state;
    struct drv_resource *other = make_texture(f->screen, f->color->format, W, H, 1);
    struct drv_box box = {0, 0, 0, W, H, 1};
    struct drv_transfer *t;
    union drv_color c = {.f = {1.0f, 0.0f, 1.0f, 0.0f}};
    uint8_t *p =
        f->ctx->ops->map(f->ctx, other, 0, DRV_MAP_WRITE | DRV_MAP_DISCARD_RANGE, &box, &t);
    assert_non_null(p);
    for (unsigned y = 0; y < H; y++)
        memset(p + (size_t)y * t->stride, 77, (size_t)4 * W);
    f->ctx->ops->unmap(f->ctx, t);
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_COLOR0, NULL, &c, 0, 0);
    p = f->ctx->ops->map(f->ctx, f->color, 0, DRV_MAP_WRITE, &box, &t);
    assert_non_null(p);
    memset(p + (size_t)20 * t->stride + 30 * 4, 9, 4);
    f->ctx->ops->unmap(f->ctx, t);
    read_pixels(f);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(f->pixel[y][x][i], y == 20 && x == 30 ? 9 : i % 2 ? 0 : 255);
    drv_resource_reference(&other, NULL);
}

static void test_clear(void **state)
{
    struct fixture *f = *state;
    union drv_color c = {.f = {1.0f, 0.5f, 0.0f, 1.0f}};
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_COLOR0, NULL, &c, 0, 0);
    struct drv_scissor s = {10, 20, 75, 130};
    union drv_color d = {.f = {0.0f, 0.0f, 1.0f, 0.0f}};
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_COLOR0, &s, &d, 0, 0);
    read_pixels(f);
    for (unsigned y = 0; y < H; y++) {
        for (unsigned x = 0; x < W; x++) {
            bool in = x >= 10 && x < 75 && y >= 20 && y < 130;
            assert_int_equal(f->pixel[y][x][0], in ? 0 : 255);
            assert_int_equal(f->pixel[y][x][1], in ? 0 : 128);
            assert_int_equal(f->pixel[y][x][2], in ? 255 : 0);
        }
    }
}

static void test_clear_depth_stencil(void **state)
{
    struct fixture *f = *state;
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_DEPTH | DRV_CLEAR_STENCIL, NULL, NULL, 1.0, 0x5a);
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_DEPTH, NULL, NULL, 0.5, 0);
    struct drv_box box = {7, 9, 0, 1, 1, 1};
    struct drv_transfer *t;
    const uint32_t *p = f->ctx->ops->map(f->ctx, f->zs, 0, DRV_MAP_READ, &box, &t);
    assert_int_equal(*p, 0x5a000000 | 0x800000);
    f->ctx->ops->unmap(f->ctx, t);
}

/* Returns twice the signed area of a, b, c; exact for subpixel coordinates. */
static int64_t area(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static void test_random_triangles(void **state)
{
    struct fixture *f = *state;
    srand(1);
    for (unsigned n = 0; n < 300; n++) {
        float v[3][4];
        int64_t p[3][2];
        for (unsigned i = 0; i < 3; i++) {
            int spread = n % 3 ? 12 * 256 : 400 * 256;
            p[i][0] = rand() % spread + (n % 3 ? 90 * 256 : -100 * 256);
            p[i][1] = rand() % spread + (n % 3 ? 60 * 256 : -100 * 256);
            vertex(v[i], p[i][0] / 256.0f, p[i][1] / 256.0f);
        }
        clear(f);
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
        read_pixels(f);
        int64_t all = area(p[0], p[1], p[2]);
        for (unsigned y = 0; y < H; y++) {
            for (unsigned x = 0; x < W; x++) {
                int64_t c[2] = {x * 256 + 128, y * 256 + 128}, e[3];
                for (unsigned i = 0; i < 3; i++)
                    e[i] = area(p[i], p[(i + 1) % 3], c) * (all < 0 ? -1 : 1);
                int64_t least = MIN2(MIN2(e[0], e[1]), e[2]);
                if (least > 2048 && all) /* well inside: positions were converted to floats */
                    assert_int_equal(f->pixel[y][x][0], 1);
                else if (least < -2048)
                    assert_int_equal(f->pixel[y][x][0], 0);
                if (f->pixel[y][x][0])
                    assert_int_equal(f->pixel[y][x][2], all > 0);
            }
        }
    }
}

/* A grid with shared, jittered vertices: each pixel inside is covered once. Large enough to be
 * processed by several workers. */
static void test_shared_edges(void **state)
{
    struct fixture *f = *state;
    enum { N = 24 };
    static float grid[N + 1][N + 1][4], v[N * N * 6][4];
    srand(7);
    for (unsigned j = 0; j <= N; j++) {
        for (unsigned i = 0; i <= N; i++) {
            bool edge = i == 0 || j == 0 || i == N || j == N;
            float dx = edge ? 0.0f : rand() % 9 * 0.5f - 2.0f,
                  dy = edge ? 0.0f : rand() % 9 * 0.25f - 1.0f;
            vertex(grid[j][i], i * (W / (float)N) + dx, j * (H / (float)N) + dy);
        }
    }
    unsigned n = 0;
    for (unsigned j = 0; j < N; j++) {
        for (unsigned i = 0; i < N; i++) {
            const unsigned corner[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
            for (unsigned k = 0; k < 6; k++)
                memcpy(v[n++], grid[j + corner[k][1]][i + corner[k][0]], 16);
        }
    }
    clear(f);
    draw(f, DRV_PRIM_TRIANGLES, v, n);
    read_pixels(f);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_int_equal(f->pixel[y][x][0], 1);
    assert_int_equal(stub_bad_barycentrics, 0);
    assert_int_equal(stub_collisions, 0);
    assert_true(stub_quads > 0);
}

/* --- samples --- */

static void set_samples(struct fixture *f, unsigned samples, bool multisample)
{
    struct drv_resource templ = *f->color;
    templ.nr_samples = samples;
    drv_resource_reference(&f->color, NULL);
    f->color = f->screen->ops->resource_create(f->screen, &templ);
    struct drv_framebuffer fb = {
        .width = W,
        .height = H,
        .samples = samples,
        .nr_cbufs = 1,
        .cbufs[0] = {.texture = f->color, .format = f->color->format},
    };
    f->ctx->ops->set_framebuffer(f->ctx, &fb);
    set_rasterizer(f, &(struct drv_rasterizer_state){
                          .line_width = 1, .point_size = 1, .multisample = multisample});
    stub_samples = samples > 1 ? samples : 0;
}

/* Computes the position of a sample of pixel (x, y) in subpixels. */
static void sample_at(struct fixture *f, unsigned samples, unsigned s, int x, int y, int64_t c[2])
{
    float at[2];
    f->screen->ops->sample_position(f->screen, samples, s, false, at);
    c[0] = x * 256 + (int)(at[0] * 256.0f);
    c[1] = y * 256 + (int)(at[1] * 256.0f);
}

/* Returns the mask of the samples that have been covered since the last clear. */
static unsigned covered_samples(const struct fixture *f, unsigned x, unsigned y)
{
    return f->pixel[y][x][3] | (unsigned)f->pixel[y][x][2] << 8;
}

/* Compares each sample with exact arithmetic. Another test checks samples on edges. */
static void test_sample_coverage(void **state)
{
    struct fixture *f = *state;
    srand(3);
    for (unsigned n = 0; n < 240; n++) {
        unsigned samples = 2 << n % 4;
        float v[3][4];
        int64_t p[3][2];
        if (n < 4 || samples != f->color->nr_samples)
            set_samples(f, samples, true);
        for (unsigned i = 0; i < 3; i++) {
            const bool small = n / 4 % 2;
            int spread = small ? 12 * 256 : 400 * 256;
            p[i][0] = rand() % spread + (small ? 90 * 256 : -100 * 256);
            p[i][1] = rand() % spread + (small ? 60 * 256 : -100 * 256);
            vertex(v[i], p[i][0] / 256.0f, p[i][1] / 256.0f);
        }
        clear(f);
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
        read_pixels(f);
        int64_t all = area(p[0], p[1], p[2]);
        for (unsigned i = 0; i < W * H * samples; i++) {
            unsigned x = i / samples % W, y = i / samples / W, s = i % samples;
            int64_t c[2], least = INT64_MAX;
            sample_at(f, samples, s, x, y, c);
            for (unsigned k = 0; k < 3; k++) {
                int64_t e = area(p[k], p[(k + 1) % 3], c) * (all < 0 ? -1 : 1);
                least = MIN2(least, e);
            }
            if (all && least)
                assert_int_equal(covered_samples(f, x, y) >> s & 1, least > 0);
        }
    }
    assert_int_equal(stub_collisions, 0);
}

/* Single-sample rasterization to a framebuffer with samples: all or none of a pixel's samples are
 * covered. */
static void test_multisample_disabled(void **state)
{
    struct fixture *f = *state;
    float v[3][4];
    static uint8_t single[H][W];
    vertex(v[0], 3.3f, 5.1f);
    vertex(v[1], 180.2f, 40.7f);
    vertex(v[2], 60.9f, 140.4f);
    clear(f);
    draw(f, DRV_PRIM_TRIANGLES, v, 3);
    read_pixels(f);
    for (unsigned i = 0; i < W * H; i++)
        single[i / W][i % W] = f->pixel[i / W][i % W][0];
    set_samples(f, 4, false);
    clear(f);
    draw(f, DRV_PRIM_TRIANGLES, v, 3);
    read_pixels(f);
    for (unsigned i = 0; i < W * H; i++)
        assert_int_equal(f->pixel[i / W][i % W][3], single[i / W][i % W] ? 15 : 0);
}

/* Resolves samples to their mean: by blocks, and by rows where the rectangle is not
 * block-aligned. */
static void resolve(struct fixture *f, int x, int y, int width, int height)
{
    struct drv_resource *single = make_texture(f->screen, f->color->format, W, H, 1), *many;
    struct drv_blit_box box = {x, y, 0, width, height, 1};
    f->ctx->ops->blit(f->ctx, &(struct drv_blit_info){
                                  .src = {f->color, 0, f->color->format, box},
                                  .dst = {single, 0, single->format, box},
                                  .mask = 1,
                              });
    many = f->color;
    f->color = single;
    read_pixels(f);
    f->color = many;
    drv_resource_reference(&single, NULL);
}

/* A mesh covers each sample once; a triangle resolves to its coverage of each pixel. */
static void test_sample_resolve(void **state)
{
    struct fixture *f = *state;
    for (unsigned samples = 2; samples <= 16; samples *= 2) {
        float v[6][4];
        set_samples(f, samples, true);
        vertex(v[0], 0, 0);
        vertex(v[1], W, 0);
        vertex(v[2], 77.7f, 41.3f);
        vertex(v[3], W, H);
        vertex(v[4], 0, H);
        vertex(v[5], 0, 0);
        const unsigned fan[6] = {2, 0, 1, 3, 4, 5};
        float around[6][4];
        for (unsigned i = 0; i < 6; i++)
            memcpy(around[i], v[fan[i]], sizeof around[i]);
        clear(f);
        draw(f, DRV_PRIM_TRIANGLE_FAN, around, 6);
        read_pixels(f);
        for (unsigned i = 0; i < W * H; i++) {
            assert_int_equal(covered_samples(f, i % W, i / W), (1 << samples) - 1);
            assert_int_equal(f->pixel[i / W][i % W][0], 1);
        }
        vertex(v[0], 3.25f, 5.75f);
        vertex(v[1], 150.5f, 9.5f);
        vertex(v[2], 20.0f, 120.0f);
        for (unsigned part = 0; part < 2; part++) {
            int x0 = part ? 3 : 0, y0 = part ? 1 : 0;
            int width = part ? W - 10 : W, height = part ? H - 10 : H;
            static uint16_t mask[H][W];
            clear(f);
            draw(f, DRV_PRIM_TRIANGLES, v, 3);
            read_pixels(f);
            for (unsigned i = 0; i < W * H; i++)
                mask[i / W][i % W] = (uint16_t)covered_samples(f, i % W, i / W);
            for (unsigned i = 1; i < 4; i++) /* 4 in a covered sample */
                draw(f, DRV_PRIM_TRIANGLES, v, 3);
            resolve(f, x0, y0, width, height);
            for (int y = y0; y < y0 + height; y++) {
                for (int x = x0; x < x0 + width; x++) {
                    float mean = 4.0f * __builtin_popcount(mask[y][x]) / samples;
                    assert_true(fabsf(f->pixel[y][x][0] - mean) <= 0.5f);
                }
            }
        }
    }
}

/* Vertices far outside and behind the eye: clipping leaves no gaps or overlaps. */
static void test_clipping(void **state)
{
    struct fixture *f = *state;
    float v[4][4];
    vertex(v[0], -1e6f, -1e6f);
    vertex(v[1], 1e6f, -1e6f);
    vertex(v[2], 1e6f, 1e6f);
    vertex(v[3], -1e6f, 1e6f);
    clear(f);
    draw(f, DRV_PRIM_QUADS, v, 4);
    read_pixels(f);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_int_equal(f->pixel[y][x][0], 1);
    /* A floor at y = -1 that reaches behind the eye covers the lower half. */
    static const float floor_[4][4] = {
        {-50, -1, -1.1f, -1}, {50, -1, -1.1f, -1}, {5000, -1, 99.0f, 100}, {-5000, -1, 99.0f, 100}};
    clear(f);
    draw(f, DRV_PRIM_QUADS, floor_, 4);
    read_pixels(f);
    assert_int_equal(f->pixel[H / 2 + 1][W / 2][0], 0);
    for (unsigned x = 0; x < W; x++)
        assert_int_equal(f->pixel[H / 4][x][0], 1);
    /* NaN and infinite positions draw nothing and don't crash. */
    const float bad[3][4] = {{NAN, 0, 0, 1}, {1, 1, 0, 1}, {INFINITY, 0, 0, 0}};
    draw(f, DRV_PRIM_TRIANGLES, bad, 3);
}

static void test_modes(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum drv_primitive mode;
        unsigned count, primitives;
        unsigned at[8][2];
    } cases[] = {
        {DRV_PRIM_TRIANGLE_STRIP, 4, 2, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
        {DRV_PRIM_TRIANGLE_FAN, 4, 2, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
        {DRV_PRIM_POLYGON, 4, 1, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
        {DRV_PRIM_QUADS, 4, 1, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
        {DRV_PRIM_QUAD_STRIP, 4, 1, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
    };
    for (unsigned c = 0; c < ARRAY_SIZE(cases); c++) {
        float v[8][4];
        for (unsigned i = 0; i < cases[c].count; i++)
            vertex(v[i], 10 + 100 * cases[c].at[i][0], 20 + 90 * cases[c].at[i][1]);
        clear(f);
        draw(f, cases[c].mode, v, cases[c].count);
        read_pixels(f);
        assert_int_equal(covered(f), 100 * 90);
        unsigned last = 0;
        for (unsigned y = 20; y < 110; y++) {
            for (unsigned x = 10; x < 110; x++) {
                assert_int_equal(f->pixel[y][x][0], 1);
                assert_int_equal(f->pixel[y][x][2], 1); /* counterclockwise */
                last = MAX2(last, f->pixel[y][x][1]);
            }
        }
        assert_int_equal(last, cases[c].primitives - 1);
    }
}

static void test_lines(void **state)
{
    struct fixture *f = *state;
    static const struct {
        float x0, y0, x1, y1;
        unsigned pixels;
    } cases[] = {
        {2.5f, 3.5f, 7.5f, 3.5f, 5},      {7.5f, 3.5f, 2.5f, 3.5f, 5},
        {2.5f, 3.5f, 2.5f, 63.5f, 60},    {10.5f, 10.5f, 100.5f, 70.5f, 90},
        {10.5f, 90.5f, 80.5f, 10.5f, 80}, {10.7f, 5.5f, 20.7f, 5.5f, 10},
    };
    for (unsigned c = 0; c < ARRAY_SIZE(cases); c++) {
        float v[2][4];
        vertex(v[0], cases[c].x0, cases[c].y0);
        vertex(v[1], cases[c].x1, cases[c].y1);
        clear(f);
        draw(f, DRV_PRIM_LINES, v, 2);
        read_pixels(f);
        assert_int_equal(covered(f), cases[c].pixels);
        assert_int_equal(f->pixel[(int)cases[c].y0][(int)cases[c].x0][0], 1);
        assert_int_equal(f->pixel[(int)cases[c].y1][(int)cases[c].x1][0], 0);
    }
    /* stippled: every second pair of pixels */
    set_rasterizer(f, &(struct drv_rasterizer_state){.line_width = 1,
                                                     .line_stipple_enable = true,
                                                     .line_stipple_factor = 2,
                                                     .line_stipple_pattern = 0x5555});
    float v[2][4];
    vertex(v[0], 10.5f, 10.5f);
    vertex(v[1], 70.5f, 10.5f);
    clear(f);
    draw(f, DRV_PRIM_LINES, v, 2);
    read_pixels(f);
    for (unsigned x = 10; x < 70; x++)
        assert_int_equal(f->pixel[10][x][0], (x - 10) / 2 % 2 == 0);
}

static void test_points(void **state)
{
    struct fixture *f = *state;
    float v[1][4];
    vertex(v[0], 20.3f, 30.8f);
    for (unsigned size = 1; size < 12; size++) {
        set_rasterizer(f, &(struct drv_rasterizer_state){.point_size = size});
        clear(f);
        draw(f, DRV_PRIM_POINTS, v, 1);
        read_pixels(f);
        assert_int_equal(covered(f), size * size);
        assert_int_equal(f->pixel[30][20][0], 1);
    }
}

/* Draws a triangle in both orientations with each face as the front and each selection of faces. */
static void test_culling(void **state)
{
    struct fixture *f = *state;
    float v[3][4];
    for (unsigned i = 0; i < 16; i++) {
        bool front_ccw = i & 1, cull_front = i & 2, cull_back = i & 4, swapped = i & 8;
        vertex(v[0], 10, 10);
        vertex(v[swapped ? 2 : 1], 90, 10);
        vertex(v[swapped ? 1 : 2], 10, 90); /* counterclockwise unless swapped */
        set_faces(f, &(struct drv_rasterizer_state){
                         .front_ccw = front_ccw, .cull_front = cull_front, .cull_back = cull_back});
        clear(f);
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
        read_pixels(f);
        bool is_front = front_ccw != swapped;
        if (is_front ? cull_front : cull_back)
            assert_int_equal(covered(f), 0);
        else
            assert_true(covered(f) > 3000);
    }
}

static void test_polygon_mode(void **state)
{
    struct fixture *f = *state;
    float v[4][4];
    vertex(v[0], 10.5f, 20.5f);
    vertex(v[1], 90.5f, 20.5f);
    vertex(v[2], 90.5f, 70.5f);
    vertex(v[3], 10.5f, 70.5f);
    static const enum drv_primitive modes[] = {DRV_PRIM_QUADS, DRV_PRIM_POLYGON};
    for (unsigned m = 0; m < 2; m++) {
        set_rasterizer(f, &(struct drv_rasterizer_state){.fill_front = DRV_POLYGON_LINE,
                                                         .fill_back = DRV_POLYGON_LINE,
                                                         .line_width = 1});
        clear(f);
        draw(f, modes[m], v, 4);
        read_pixels(f);
        assert_int_equal(covered(f), 2 * (80 + 50));
        for (unsigned x = 10; x <= 90; x++) {
            assert_int_equal(f->pixel[20][x][0], 1);
            assert_int_equal(f->pixel[70][x][0], 1);
        }
        set_rasterizer(
            f, &(struct drv_rasterizer_state){.fill_front = DRV_POLYGON_POINT, .point_size = 1});
        clear(f);
        draw(f, modes[m], v, 4);
        read_pixels(f);
        assert_int_equal(covered(f), 4);
        assert_int_equal(f->pixel[70][90][0], 1);
    }
}

static void test_scissor_and_stipple(void **state)
{
    struct fixture *f = *state;
    float v[4][4];
    vertex(v[0], 0, 0);
    vertex(v[1], W, 0);
    vertex(v[2], W, H);
    vertex(v[3], 0, H);
    set_rasterizer(f, &(struct drv_rasterizer_state){.scissor = true, .poly_stipple_enable = true});
    f->ctx->ops->set_scissors(f->ctx, 0, 1, &(struct drv_scissor){13, 5, 150, 77});
    uint32_t pattern[32];
    for (unsigned i = 0; i < 32; i++)
        pattern[i] = i & 1 ? 0xaaaaaaaa : 0x80000000;
    f->ctx->ops->set_polygon_stipple(f->ctx, pattern);
    clear(f);
    draw(f, DRV_PRIM_QUADS, v, 4);
    read_pixels(f);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            bool on = pattern[y % 32] >> (31 - x % 32) & 1;
            assert_int_equal(f->pixel[y][x][0], on && x >= 13 && x < 150 && y >= 5 && y < 77);
        }
}

static void test_indices(void **state)
{
    struct fixture *f = *state;
    float v[6][4];
    for (unsigned i = 0; i < 6; i++)
        vertex(v[i], 10 + 40 * (i / 2), 20 + 40 * (i % 2));
    const uint16_t index[] = {0, 1, 2, 3, 0xffff, 2, 3, 4, 5};
    struct drv_vertex_buffer vb = {.stride = 16, .user = v, .user_size = sizeof v};
    f->ctx->ops->set_vertex_buffers(f->ctx, 1, &vb);
    struct drv_draw_info info = {
        .mode = DRV_PRIM_TRIANGLE_STRIP,
        .instance_count = 1,
        .index_size = 2,
        .index_user = index,
        .primitive_restart = true,
        .restart_index = 0xffff,
    };
    struct drv_draw_range range = {.count = ARRAY_SIZE(index)};
    clear(f);
    f->ctx->ops->draw(f->ctx, &info, &range, 1);
    read_pixels(f);
    assert_int_equal(covered(f), 80 * 40);
    assert_int_equal(stub_vertices, 6); /* each vertex is shaded once */
    /* Indices outside of the vertex buffer. */
    const uint32_t out_of_range[] = {0, 4000000000u, 77};
    info.index_size = 4;
    info.index_user = out_of_range;
    range.count = 3;
    f->ctx->ops->draw(f->ctx, &info, &range, 1);
}

static void test_occlusion(void **state)
{
    struct fixture *f = *state;
    const struct drv_context_ops *ops = f->ctx->ops;
    struct drv_query *q = ops->create_query(f->ctx, DRV_QUERY_OCCLUSION_COUNTER, 0);
    float v[4][4];
    vertex(v[0], 10, 10);
    vertex(v[1], 110, 10);
    vertex(v[2], 110, 60);
    vertex(v[3], 10, 60);
    clear(f);
    assert_true(ops->begin_query(f->ctx, q));
    draw(f, DRV_PRIM_QUADS, v, 4);
    ops->end_query(f->ctx, q);
    draw(f, DRV_PRIM_QUADS, v, 4);
    union drv_query_result r;
    assert_true(ops->get_query_result(f->ctx, q, true, &r));
    assert_int_equal(r.u64, 5000);
    /* Nothing passes, so conditional rendering drops the draw. */
    ops->begin_query(f->ctx, q);
    ops->end_query(f->ctx, q);
    clear(f);
    ops->render_condition(f->ctx, q, false, true);
    draw(f, DRV_PRIM_QUADS, v, 4);
    ops->render_condition(f->ctx, NULL, false, false);
    read_pixels(f);
    assert_int_equal(covered(f), 0);
    ops->destroy_query(f->ctx, q);
}

static void test_blit_and_mipmap(void **state)
{
    struct fixture *f = *state;
    const struct drv_context_ops *ops = f->ctx->ops;
    struct drv_resource *t = make_texture(f->screen, DRV_FORMAT_R8G8B8A8_UNORM, 64, 32, 7);
    struct drv_box box = {0, 0, 0, 64, 32, 1};
    struct drv_transfer *transfer;
    uint8_t *p = ops->map(f->ctx, t, 0, DRV_MAP_WRITE | DRV_MAP_DISCARD_WHOLE, &box, &transfer);
    for (unsigned y = 0; y < 32; y++)
        for (unsigned x = 0; x < 64; x++)
            memset(p + y * transfer->stride + x * 4, x & 1 ? 100 : 50, 4);
    ops->unmap(f->ctx, transfer);
    ops->generate_mipmap(f->ctx, t, t->format, 0, 6, 0, 0);
    struct drv_blit_info blit = {
        .src = {t, 1, t->format, {0, 0, 0, 32, 16, 1}},
        .dst = {f->color, 0, f->color->format, {10, 20, 0, 64, 32, 1}},
        .mask = 1,
        .filter = DRV_FILTER_LINEAR,
    };
    clear(f);
    ops->blit(f->ctx, &blit);
    read_pixels(f);
    assert_int_equal(covered(f), 64 * 32);
    assert_int_equal(f->pixel[25][30][3], 75);
    drv_resource_reference(&t, NULL);
}

/* Rounds to nearest, ties to even. */
static uint8_t mean(const uint8_t a[4], const uint8_t b[4], const uint8_t c[4], const uint8_t d[4],
                    unsigned channel)
{
    unsigned sum = a[channel] + b[channel] + c[channel] + d[channel];
    return (sum + 1 + (sum >> 2 & 1)) / 4;
}

/* Sizes that halve exactly, blocks that extend beyond the level's edge, an odd size at the end. */
static void test_mipmap_texels(void **state)
{
    enum { WIDTH = 88, HEIGHT = 40, LEVELS = 4 };
    static uint8_t image[LEVELS][HEIGHT][WIDTH][4];
    struct fixture *f = *state;
    const struct drv_context_ops *ops = f->ctx->ops;
    struct drv_resource *t =
        make_texture(f->screen, DRV_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, LEVELS + 1);
    struct drv_box box = {0, 0, 0, WIDTH, HEIGHT, 1};
    struct drv_transfer *transfer;
    uint8_t *p = ops->map(f->ctx, t, 0, DRV_MAP_WRITE | DRV_MAP_DISCARD_WHOLE, &box, &transfer);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned i = 0; i < WIDTH * 4; i++)
            p[y * transfer->stride + i] = image[0][y][i / 4][i % 4] = y * 71 + i * i * 13;
    ops->unmap(f->ctx, transfer);
    ops->generate_mipmap(f->ctx, t, t->format, 0, LEVELS, 0, 0);
    for (unsigned level = 1; level < LEVELS; level++) {
        box = (struct drv_box){0, 0, 0, WIDTH >> level, HEIGHT >> level, 1};
        p = ops->map(f->ctx, t, level, DRV_MAP_READ, &box, &transfer);
        for (unsigned y = 0; y < HEIGHT >> level; y++) {
            for (unsigned i = 0; i < (WIDTH >> level) * 4; i++) {
                unsigned x = i / 4, c = i % 4;
                uint8_t(*from)[WIDTH][4] = &image[level - 1][2 * y];
                uint8_t m =
                    mean(from[0][2 * x], from[0][2 * x + 1], from[1][2 * x], from[1][2 * x + 1], c);
                image[level][y][x][c] = m;
                assert_int_equal(p[y * transfer->stride + i], m);
            }
        }
        ops->unmap(f->ctx, transfer);
    }
    drv_resource_reference(&t, NULL);
}

/* A strip of two triangles into a buffer with space for one and a half. */
static void test_stream_output(void **state)
{
    struct fixture *f = *state;
    const struct drv_context_ops *ops = f->ctx->ops;
    struct drv_stream_output so = {
        .num_outputs = 1,
        .stride[0] = 12,
        .output[0] = {.slot = VARYING_SLOT_POS, .num_components = 2, .dst_offset = 4},
    };
    void *vs = ops->create_shader(f->ctx, &(struct drv_shader_desc){.stream_output = &so});
    ops->bind_shader(f->ctx, SHADER_VERTEX, vs);
    struct drv_resource templ = {.target = DRV_BUFFER,
                                 .format = DRV_FORMAT_R8_UNORM,
                                 .width = 60,
                                 .height = 1,
                                 .depth = 1,
                                 .array_size = 1};
    struct drv_resource *buffer = f->screen->ops->resource_create(f->screen, &templ);
    struct drv_storage_buffer target = {buffer, 0, 60};
    uint32_t offset = 0;
    ops->set_stream_output_targets(f->ctx, 1, &target, &offset);
    struct drv_query *emitted = ops->create_query(f->ctx, DRV_QUERY_PRIMITIVES_EMITTED, 0);
    struct drv_query *generated = ops->create_query(f->ctx, DRV_QUERY_PRIMITIVES_GENERATED, 0);
    ops->begin_query(f->ctx, emitted);
    ops->begin_query(f->ctx, generated);
    static const float v[4][4] = {{0, 0, 0, 1}, {0.5f, 0, 0, 1}, {0, 0.5f, 0, 1}, {1, 1, 0, 1}};
    draw(f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    ops->end_query(f->ctx, emitted);
    ops->end_query(f->ctx, generated);
    ops->set_stream_output_targets(f->ctx, 0, NULL, NULL);
    union drv_query_result r;
    ops->get_query_result(f->ctx, emitted, true, &r);
    assert_int_equal(r.u64, 1);
    ops->get_query_result(f->ctx, generated, true, &r);
    assert_int_equal(r.u64, 2);
    struct drv_box box = {0, 0, 0, 60, 1, 1};
    struct drv_transfer *t;
    const float *p = ops->map(f->ctx, buffer, 0, DRV_MAP_READ, &box, &t);
    static const float expected[15] = {0, 0, 0, 0, 0.5f, 0, 0, 0, 0.5f};
    assert_memory_equal(p, expected, sizeof expected);
    ops->unmap(f->ctx, t);
    ops->destroy_query(f->ctx, emitted);
    ops->destroy_query(f->ctx, generated);
    ops->bind_shader(f->ctx, SHADER_VERTEX, f->vs);
    ops->delete_shader(f->ctx, SHADER_VERTEX, vs);
    drv_resource_reference(&buffer, NULL);
}

/* More than a scene holds, and more than threads process at a time: one-pixel triangles must be
 * drawn in order, between thousands that are culled. */
static void test_large_draw(void **state)
{
    enum { TRIANGLES = 133000, RUN = 5000 };
    struct fixture *f = *state;
    static float v[TRIANGLES * 3][4];
    static uint8_t expected[H][W][2]; /* number of times, and the last triangle's index */
    for (unsigned i = 0; i < TRIANGLES; i++) {
        const unsigned x = i * 7 % W, y = i * 13 % H;
        const bool seen = i / RUN % 3 != 1;
        const float left = seen ? x : x + 3 * W;
        vertex(v[i * 3], left, y);
        vertex(v[i * 3 + 1], left + 1.5f, y);
        vertex(v[i * 3 + 2], left, y + 1.5f);
        if (seen) {
            expected[y][x][0]++;
            expected[y][x][1] = i;
        }
    }
    clear(f);
    draw(f, DRV_PRIM_TRIANGLES, v, TRIANGLES * 3);
    read_pixels(f);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_memory_equal(f->pixel[y][x], expected[y][x], 2);
}

/* Also if the failure was known before the draw referred to the kernel. */
static void test_failed_kernel(void **state)
{
    struct fixture *f = *state;
    float v[3][4];
    vertex(v[0], 10, 10);
    vertex(v[1], 90, 10);
    vertex(v[2], 10, 90);
    for (unsigned i = 0; i < 2; i++) { /* again when memory is available */
        stub_fails = !i;
        f->ctx->out_of_memory = false;
        clear(f);
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
        read_pixels(f);
        assert_true(f->ctx->out_of_memory == stub_fails);
        assert_true(!covered(f) == stub_fails);
    }
}

static void test_fences(void **state)
{
    struct fixture *f = *state;
    float v[3][4];
    vertex(v[0], 10, 10);
    vertex(v[1], 90, 10);
    vertex(v[2], 10, 90);
    struct drv_fence *fence = NULL;
    for (unsigned i = 0; i < 20; i++) {
        clear(f);
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
        f->screen->ops->fence_reference(f->screen, &fence, NULL);
        f->ctx->ops->flush(f->ctx, &fence);
    }
    assert_true(f->screen->ops->fence_finish(f->screen, fence, UINT64_MAX));
    assert_true(f->screen->ops->fence_finish(f->screen, fence, 0));
    f->screen->ops->fence_reference(f->screen, &fence, NULL);
}

/* A large table of resident handles doesn't make each draw submit a scene or visit the handles. */
static void test_many_handles(void **state)
{
    enum { HANDLES = 8000 };
    struct fixture *f = *state;
    struct cpu_context *ctx = cpu_context(f->ctx);
    struct drv_resource *texture = make_texture(f->screen, DRV_FORMAT_R8G8B8A8_UNORM, 4, 4, 1);
    const struct drv_sampler_view view = {
        .texture = texture, .format = texture->format, .target = DRV_TEXTURE_2D};
    const struct drv_sampler_state sampler = {0};
    float v[3][4];
    vertex(v[0], 10, 10);
    vertex(v[1], 90, 10);
    vertex(v[2], 10, 90);
    for (unsigned s = SHADER_VERTEX; s <= SHADER_FRAGMENT; s++)
        if (ctx->stage[s].shader)
            ctx->stage[s].shader->shader->uses_handles = true;
    for (uint64_t i = 1; i <= HANDLES; i++)
        assert_true(f->ctx->ops->make_texture_resident(f->ctx, 1ull << 32 | i, &view, &sampler));
    clear(f);
    draw(f, DRV_PRIM_TRIANGLES, v, 3);
    assert_non_null(ctx->recording);
    const uint64_t id = ctx->recording->id;
    for (unsigned i = 0; i < 4; i++)
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
    assert_non_null(ctx->recording);
    assert_true(ctx->recording->id == id);
    /* another draw wouldn't visit the handles to synchronize them, until the scene is submitted */
    assert_true(ctx->handles.synced == cpu_storage_changes());
    read_pixels(f);
    assert_true(ctx->handles.synced != cpu_storage_changes());
    assert_int_equal(f->pixel[20][20][0], 5);
    drv_resource_reference(&texture, NULL);
}

/* A vertex stage that may write many images through handles doesn't make each draw submit a scene
 * or visit the handles. */
static void test_written_handles(void **state)
{
    enum { HANDLES = 1000 };
    struct fixture *f = *state;
    struct cpu_context *ctx = cpu_context(f->ctx);
    struct drv_resource *texture = make_texture(f->screen, DRV_FORMAT_R8G8B8A8_UNORM, 4, 4, 1);
    const struct drv_image_view view = {
        .resource = texture, .format = texture->format, .target = DRV_TEXTURE_2D};
    float v[3][4];
    vertex(v[0], 10, 10);
    vertex(v[1], 90, 10);
    vertex(v[2], 10, 90);
    ctx->stage[SHADER_VERTEX].shader->shader->uses_handles = true;
    ctx->stage[SHADER_VERTEX].shader->shader->writes_memory = true;
    for (uint64_t i = 1; i <= HANDLES; i++)
        assert_true(f->ctx->ops->make_image_resident(f->ctx, 1ull << 32 | i, &view));
    clear(f);
    draw(f, DRV_PRIM_TRIANGLES, v, 3);
    assert_non_null(ctx->recording);
    const uint64_t id = ctx->recording->id;
    for (unsigned i = 0; i < 4; i++)
        draw(f, DRV_PRIM_TRIANGLES, v, 3);
    assert_non_null(ctx->recording);
    assert_true(ctx->recording->id == id);
    assert_true(ctx->handles.synced == cpu_storage_changes());
    assert_true(ctx->handles.synced_scene == id);
    /* until the scene uses an image: then its commands have to be executed before the next draw */
    assert_true(cpu_scene_use(ctx->recording, cpu_resource(texture)->storage, false));
    draw(f, DRV_PRIM_TRIANGLES, v, 3);
    assert_true(!ctx->recording || ctx->recording->id != id);
    read_pixels(f);
    assert_int_equal(f->pixel[20][20][0], 6);
    for (uint64_t i = 1; i <= HANDLES; i++)
        f->ctx->ops->make_handle_nonresident(f->ctx, 1ull << 32 | i);
    drv_resource_reference(&texture, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_partial_write, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clear, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clear_depth_stencil, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_triangles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shared_edges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sample_coverage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_multisample_disabled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sample_resolve, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clipping, setup, teardown),
        cmocka_unit_test_setup_teardown(test_modes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_points, setup, teardown),
        cmocka_unit_test_setup_teardown(test_culling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_polygon_mode, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scissor_and_stipple, setup, teardown),
        cmocka_unit_test_setup_teardown(test_indices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_occlusion, setup, teardown),
        cmocka_unit_test_setup_teardown(test_blit_and_mipmap, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mipmap_texels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stream_output, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large_draw, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failed_kernel, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_handles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_written_handles, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
