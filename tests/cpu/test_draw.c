/* SPDX-License-Identifier: MIT */
/*
 * Draws through the driver's vtable: shaders in NIR, a texture, depth, a quad in perspective.
 * Compares the image with a computed one; it must have the same bytes at every vector width.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver/cpu/kernel/cpu_nir.h"
#include "indium/driver.h"
#include "util/cpu_isa.h"
#include "util/macros.h"

#define W   100
#define H   80
#define TEX 16

static nir_builder new_shader(enum shader_stage stage)
{
    return nir_builder_init_simple_shader(NULL, stage, &cpu_nir_options, "test");
}

static nir_def *input(nir_builder *b, unsigned location)
{
    return nir_load_input(b, 4, 32, nir_imm_int(b, 0), .dest_type = nir_type_float32,
                          .io_semantics = {.location = location, .num_slots = 1});
}

static void output(nir_builder *b, unsigned location, nir_def *value)
{
    nir_store_output(b, value, nir_imm_int(b, 0), .src_type = nir_type_float32,
                     .io_semantics = {.location = location, .num_slots = 1});
}

/* Passes position and texture coordinates through; a uniform scales the position. */
static void *vertex_shader(struct drv_context *ctx)
{
    nir_builder b = new_shader(SHADER_VERTEX);
    nir_def *scale = nir_load_uniform(&b, 4, 32, nir_imm_int(&b, 0), .base = 16, .range = 16,
                                      .dest_type = nir_type_float32);
    output(&b, VARYING_SLOT_POS, nir_fmul(&b, input(&b, VERT_ATTRIB_POS), scale));
    output(&b, VARYING_SLOT_VAR0, input(&b, VERT_ATTRIB_GENERIC0));
    return ctx->ops->create_shader(ctx, &(struct drv_shader_desc){.nir = b.shader});
}

static void *fragment_shader(struct drv_context *ctx)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *weights = nir_load_barycentric_pixel(&b, .interp_mode = INTERP_MODE_SMOOTH);
    nir_def *coord = nir_load_interpolated_input(
        &b, 4, 32, weights, nir_imm_int(&b, 0), .dest_type = nir_type_float32,
        .io_semantics = {.location = VARYING_SLOT_VAR0, .num_slots = 1});
    nir_tex_instr *tex = nir_tex_instr_create(b.shader, 1);
    tex->op = nir_texop_tex;
    tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
    tex->dest_type = nir_type_float32;
    tex->coord_components = 2;
    tex->src[0].src_type = nir_tex_src_coord;
    tex->src[0].src = nir_src_for_ssa(nir_channels(&b, coord, 3));
    nir_def_init(&tex->instr, &tex->def, 4, 32);
    nir_builder_instr_insert(&b, &tex->instr);
    output(&b, FRAG_RESULT_DATA0, &tex->def);
    return ctx->ops->create_shader(ctx, &(struct drv_shader_desc){.nir = b.shader});
}

static struct drv_resource *new_texture(struct drv_screen *screen, enum drv_format format,
                                        unsigned width, unsigned height, unsigned levels)
{
    struct drv_resource templ = {.target = DRV_TEXTURE_2D,
                                 .format = format,
                                 .width = width,
                                 .height = height,
                                 .depth = 1,
                                 .array_size = 1,
                                 .last_level = (uint8_t)(levels - 1)};
    struct drv_resource *r = screen->ops->resource_create(screen, &templ);
    assert_non_null(r);
    return r;
}

static uint8_t texel(unsigned x, unsigned y, unsigned c)
{
    return (uint8_t)(x * 11 + y * 5 + c * 60);
}

static void fill_texture(struct drv_context *ctx, struct drv_resource *r)
{
    struct drv_box box = {0, 0, 0, TEX, TEX, 1};
    struct drv_transfer *t;
    uint8_t *p = ctx->ops->map(ctx, r, 0, DRV_MAP_WRITE, &box, &t);
    assert_non_null(p);
    for (unsigned y = 0; y < TEX; y++)
        for (unsigned i = 0; i < TEX * 4; i++)
            p[y * t->stride + i] = texel(i / 4, y, i % 4);
    ctx->ops->unmap(ctx, t);
    ctx->ops->generate_mipmap(ctx, r, r->format, 0, r->last_level, 0, 0);
}

/* What is sampled, and with which coordinates. */
struct sampling {
    enum drv_format format;    /* a format with four bytes per texel */
    uint8_t filter, mip, wrap; /* sampler state */
    /* Change of each coordinate per pixel along its axis, and along the other axis. */
    float along, across;
};

/* Clears and draws two quads, the nearer one first: one fills the lower left quarter, the other is
 * in perspective and behind it. */
static void draw_image(uint8_t image[H][W][4], const struct sampling *sampling)
{
    struct drv_screen *screen = cpu_screen_create();
    assert_non_null(screen);
    struct drv_context *ctx = screen->ops->context_create(screen);
    const struct drv_context_ops *ops = ctx->ops;
    struct drv_resource *color = new_texture(screen, DRV_FORMAT_R8G8B8A8_UNORM, W, H, 1);
    struct drv_resource *zs = new_texture(screen, DRV_FORMAT_Z24S8_UNORM, W, H, 1);
    struct drv_resource *texture = new_texture(screen, sampling->format, TEX, TEX, 5);
    struct drv_blend_state blend_state = {.rt[0].colormask = 15};
    struct drv_depth_stencil_state depth_state = {
        .depth_enabled = true, .depth_writemask = true, .depth_func = DRV_FUNC_LESS};
    struct drv_rasterizer_state rast_state = {.front_ccw = true,
                                              .depth_clip_near = true,
                                              .depth_clip_far = true,
                                              .line_width = 1,
                                              .point_size = 1};
    struct drv_vertex_element elements[] = {
        {.attrib = VERT_ATTRIB_POS, .src_format = DRV_FORMAT_R32G32B32A32_FLOAT},
        {.attrib = VERT_ATTRIB_GENERIC0, .src_format = DRV_FORMAT_R32G32_FLOAT, .src_offset = 16}};
    struct drv_sampler_state sampler_state = {.wrap_s = sampling->wrap,
                                              .wrap_t = sampling->wrap,
                                              .min_filter = sampling->filter,
                                              .mag_filter = sampling->filter,
                                              .mip_filter = sampling->mip,
                                              .max_lod = 100};
    struct drv_sampler_view view_desc = {.texture = texture,
                                         .format = texture->format,
                                         .target = DRV_TEXTURE_2D,
                                         .last_level = texture->last_level,
                                         .swizzle = {0, 1, 2, 3}};
    static const float uniforms[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    float quads[8][6] = {
        {-1, -1, -0.5f, 1, 0, 0}, {0, -1, -0.5f, 1, 1, 0}, {0, 0, -0.5f, 1, 1, 1},
        {-1, 0, -0.5f, 1, 0, 1},  {-3, -1, 0, 1, 0, 0},    {3, -1, 0, 1, 1, 0},
        {3, 3, 0, 3, 1, 1},       {-3, 3, 0, 3, 0, 1},
    };

    for (unsigned i = 0; i < 8; i++) {
        const float s = quads[i][4], t = quads[i][5];
        quads[i][4] = s * sampling->along - t * sampling->across;
        quads[i][5] = t * sampling->along + s * sampling->across;
    }
    fill_texture(ctx, texture);
    void *blend = ops->create_blend_state(ctx, &blend_state);
    void *depth = ops->create_depth_stencil_state(ctx, &depth_state);
    void *rast = ops->create_rasterizer_state(ctx, &rast_state);
    void *velems = ops->create_vertex_elements(ctx, 2, elements);
    void *sampler = ops->create_sampler_state(ctx, &sampler_state);
    void *view = ops->create_sampler_view(ctx, &view_desc);
    void *vs = vertex_shader(ctx), *fs = fragment_shader(ctx);
    ops->bind_blend_state(ctx, blend);
    ops->bind_depth_stencil_state(ctx, depth);
    ops->bind_rasterizer_state(ctx, rast);
    ops->bind_vertex_elements(ctx, velems);
    ops->bind_sampler_states(ctx, SHADER_FRAGMENT, 0, 1, &sampler);
    ops->set_sampler_views(ctx, SHADER_FRAGMENT, 0, 1, &view);
    ops->bind_shader(ctx, SHADER_VERTEX, vs);
    ops->bind_shader(ctx, SHADER_FRAGMENT, fs);
    ops->set_framebuffer(
        ctx, &(struct drv_framebuffer){.width = W,
                                       .height = H,
                                       .nr_cbufs = 1,
                                       .cbufs[0] = {.texture = color, .format = color->format},
                                       .zsbuf = {.texture = zs, .format = zs->format}});
    struct drv_viewport viewport = {.scale = {W / 2.0f, H / 2.0f, 0.5f},
                                    .translate = {W / 2.0f, H / 2.0f, 0.5f}};
    ops->set_viewports(ctx, 0, 1, &viewport);
    ops->set_constant_buffer(
        ctx, SHADER_VERTEX, 0,
        &(struct drv_constant_buffer){.size = sizeof uniforms, .user = uniforms});
    ops->set_vertex_buffers(
        ctx, 1,
        &(struct drv_vertex_buffer){.stride = 24, .user = quads, .user_size = sizeof quads});
    union drv_color background = {.f = {0, 0, 0, 1}};
    ops->clear(ctx, DRV_CLEAR_COLOR0 | DRV_CLEAR_DEPTH | DRV_CLEAR_STENCIL, NULL, &background, 1.0,
               0);
    struct drv_draw_info info = {.mode = DRV_PRIM_QUADS, .instance_count = 1};
    ops->draw(ctx, &info, &(struct drv_draw_range){.count = 8}, 1);

    struct drv_box box = {0, 0, 0, W, H, 1};
    struct drv_transfer *t;
    const uint8_t *p = ops->map(ctx, color, 0, DRV_MAP_READ, &box, &t);
    assert_non_null(p);
    for (unsigned y = 0; y < H; y++)
        memcpy(image[y], p + (size_t)y * t->stride, W * 4);
    ops->unmap(ctx, t);

    void *none = NULL;
    ops->bind_shader(ctx, SHADER_VERTEX, NULL);
    ops->bind_shader(ctx, SHADER_FRAGMENT, NULL);
    ops->set_sampler_views(ctx, SHADER_FRAGMENT, 0, 1, &none);
    ops->bind_sampler_states(ctx, SHADER_FRAGMENT, 0, 1, &none);
    ops->delete_shader(ctx, SHADER_VERTEX, vs);
    ops->delete_shader(ctx, SHADER_FRAGMENT, fs);
    ops->delete_sampler_view(ctx, view);
    ops->delete_sampler_state(ctx, sampler);
    ops->delete_vertex_elements(ctx, velems);
    ops->delete_rasterizer_state(ctx, rast);
    ops->delete_depth_stencil_state(ctx, depth);
    ops->delete_blend_state(ctx, blend);
    drv_resource_reference(&color, NULL);
    drv_resource_reference(&zs, NULL);
    drv_resource_reference(&texture, NULL);
    ops->destroy(ctx);
    screen->ops->destroy(screen);
}

/* Computes the nearest texel at a pixel from the geometry of draw_image(). Returns false if the
 * pixel is too close to a texel's edge. */
static bool expected(unsigned x, unsigned y, unsigned *i, unsigned *j)
{
    float nx = ((float)x + 0.5f) / (W / 2.0f) - 1.0f, ny = ((float)y + 0.5f) / (H / 2.0f) - 1.0f;
    float s, t;
    if (nx < 0 && ny < 0) {
        s = nx + 1;
        t = ny + 1;
    } else { /* w = 1 + 2 t, clip y = -1 + 4 t, clip x = 6 s - 3 */
        t = (1 + ny) / (4 - 2 * ny);
        s = (nx * (1 + 2 * t) + 3) / 6;
    }
    s *= TEX;
    t *= TEX;
    *i = (unsigned)s;
    *j = (unsigned)t;
    return fabsf(s - roundf(s)) > 0.01f && fabsf(t - roundf(t)) > 0.01f;
}

static void test_image(void **state)
{
    static uint8_t image[H][W][4];
    unsigned checked = 0;

    draw_image(image, &(struct sampling){DRV_FORMAT_R8G8B8A8_UNORM, DRV_FILTER_NEAREST,
                                         DRV_MIP_NONE, DRV_WRAP_CLAMP_TO_EDGE, 1, 0});
    for (unsigned y = 0; y < H; y++) {
        for (unsigned x = 0; x < W; x++) {
            unsigned i, j;
            if (!expected(x, y, &i, &j))
                continue;
            checked++;
            for (unsigned c = 0; c < 4; c++)
                if (image[y][x][c] != texel(i, j, c))
                    fail_msg("pixel %u,%u.%u: %u, not %u", x, y, c, image[y][x][c], texel(i, j, c));
        }
    }
    assert_true(checked > W * H * 8 / 10);
}

/* Magnified and minified textures: aligned with the pixels' rows, rotated slightly and strongly;
 * inside a texture and across its edges. */
static const float rates[][2] = {{1, 0}, {0.3f, 0}, {2.2f, 0},  {5, 0},       {0.9f, 0.1f},
                                 {0, 1}, {2, 2},    {-3, 0.5f}, {0.5f, -2.5f}};

static const enum drv_format formats[] = {DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_R8G8B8A8_SRGB};

typedef uint8_t pictures[ARRAY_SIZE(formats)][ARRAY_SIZE(rates)][2][H][W][4];

static void draw_pictures(pictures all)
{
    for (unsigned f = 0; f < ARRAY_SIZE(formats); f++)
        for (unsigned i = 0; i < ARRAY_SIZE(rates); i++)
            for (unsigned mip = 0; mip < 2; mip++)
                draw_image(all[f][i][mip],
                           &(struct sampling){
                               formats[f], DRV_FILTER_LINEAR, mip ? DRV_MIP_LINEAR : DRV_MIP_NONE,
                               (i ^ mip) & 1 ? DRV_WRAP_REPEAT : DRV_WRAP_CLAMP_TO_EDGE,
                               rates[i][0], rates[i][1]});
}

/* Instruction set level (INDIUM_ISA) and options of a process. */
struct variant {
    enum util_isa isa;
    const char *lanes, *debug;
};

static const struct variant variants[] = {
    {UTIL_ISA_AVX512, "4", ""},  {UTIL_ISA_AVX512, "8", ""}, {UTIL_ISA_AVX512, "8", "eager"},
    {UTIL_ISA_AVX512, "16", ""}, {UTIL_ISA_AVX2, "16", ""},  {UTIL_ISA_SSE41, "8", ""},
};

/* Returns whether a variant differs from all before it on this CPU, which may have a lower
 * level. */
static bool is_new(const struct variant *v)
{
    const enum util_isa host = util_cpu_host_isa();
    for (const struct variant *before = variants; before < v; before++)
        if (MIN2(before->isa, host) == MIN2(v->isa, host) && !strcmp(before->lanes, v->lanes) &&
            !strcmp(before->debug, v->debug))
            return false;
    return true;
}

/* The environment is read once per process, so each variant runs in a child process. Nothing may
 * have been drawn before. */
static void test_widths_agree(void **state)
{
    const size_t size = ARRAY_SIZE(variants) * sizeof(pictures);
    pictures *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(all, MAP_FAILED);

    for (unsigned i = 0; i < ARRAY_SIZE(variants); i++) {
        if (!is_new(&variants[i]))
            continue;
        pid_t child = fork();
        assert_int_not_equal(child, -1);
        if (!child) {
            setenv("INDIUM_ISA", util_isa_name(variants[i].isa), 1);
            setenv("INDIUM_LANES", variants[i].lanes, 1);
            setenv("INDIUM_DEBUG", variants[i].debug, 1);
            draw_pictures(all[i]);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_memory_equal(all[i], all[0], sizeof all[0]);
    }
    munmap(all, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths_agree),
        cmocka_unit_test(test_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
