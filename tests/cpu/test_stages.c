/* SPDX-License-Identifier: MIT */
/*
 * Vertex-processing stages through the driver's vtable: layers, viewports and cull distances that
 * the last stage writes, inputs of geometry shaders, and the order in which they draw. Each image
 * is drawn at each vector width and compared with a computed one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/cpu/kernel/cpu_nir.h"
#include "indium/driver.h"

#define SIZE   128 /* two tiles in each direction */
#define LAYERS 3

struct fixture {
    struct drv_screen *screen;
    struct drv_context *ctx;
    struct drv_resource *color;
    void *blend, *depth, *rast, *elements, *vs, *gs, *fs;
};

/* A vertex: position, and a value that the shader passes on as integers or as a cull distance. */
struct vertex {
    float pos[4];
    int32_t layer, viewport;
    float cull, value;
};

static nir_builder new_shader(enum shader_stage stage)
{
    return nir_builder_init_simple_shader(NULL, stage, &cpu_nir_options, "test");
}

static nir_def *input(nir_builder *b, unsigned location, nir_alu_type type)
{
    return nir_load_input(b, 4, 32, nir_imm_int(b, 0), .dest_type = type,
                          .io_semantics = {.location = location, .num_slots = 1});
}

static void output(nir_builder *b, unsigned location, nir_def *value, nir_alu_type type)
{
    nir_store_output(b, value, nir_imm_int(b, 0), .src_type = type,
                     .io_semantics = {.location = location, .num_slots = 1});
}

static void *finish(struct fixture *f, nir_builder *b)
{
    void *shader = f->ctx->ops->create_shader(f->ctx, &(struct drv_shader_desc){.nir = b->shader});
    assert_non_null(shader);
    return shader;
}

/* slots: mask of varyings to write in addition to position and value */
static void *vertex_shader(struct fixture *f, uint64_t slots)
{
    nir_builder b = new_shader(SHADER_VERTEX);
    nir_def *ints = input(&b, VERT_ATTRIB_GENERIC0, nir_type_int32);
    nir_def *floats = input(&b, VERT_ATTRIB_GENERIC0 + 1, nir_type_float32);
    output(&b, VARYING_SLOT_POS, input(&b, VERT_ATTRIB_POS, nir_type_float32), nir_type_float32);
    output(&b, VARYING_SLOT_VAR0, nir_channel(&b, floats, 1), nir_type_float32);
    if (slots & BITFIELD64_BIT(VARYING_SLOT_LAYER))
        output(&b, VARYING_SLOT_LAYER, nir_channel(&b, ints, 0), nir_type_int32);
    if (slots & BITFIELD64_BIT(VARYING_SLOT_VIEWPORT))
        output(&b, VARYING_SLOT_VIEWPORT, nir_channel(&b, ints, 1), nir_type_int32);
    if (slots & BITFIELD64_BIT(VARYING_SLOT_CULL_DIST0))
        output(&b, VARYING_SLOT_CULL_DIST0, nir_channel(&b, floats, 0), nir_type_float32);
    nir_shader_gather_info(b.shader);
    return finish(f, &b);
}

/* Red: the provoking vertex's value. Green: depth. */
static void *fragment_shader(struct fixture *f)
{
    nir_builder b = new_shader(SHADER_FRAGMENT);
    nir_def *value =
        nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .dest_type = nir_type_float32,
                       .io_semantics = {.location = VARYING_SLOT_VAR0, .num_slots = 1});
    nir_def *z = nir_channel(&b, nir_load_frag_coord(&b), 2), *one = nir_imm_float(&b, 1.0f);
    output(&b, FRAG_RESULT_DATA0, nir_vec4(&b, value, z, one, one), nir_type_float32);
    nir_shader_gather_info(b.shader);
    return finish(f, &b);
}

static void bind_rasterizer(struct fixture *f, const struct drv_rasterizer_state *state)
{
    void *old = f->rast;
    f->rast = f->ctx->ops->create_rasterizer_state(f->ctx, state);
    f->ctx->ops->bind_rasterizer_state(f->ctx, f->rast);
    if (old)
        f->ctx->ops->delete_rasterizer_state(f->ctx, old);
}

static const struct drv_rasterizer_state plain_rasterizer = {
    .front_ccw = true,
    .depth_clip_near = true,
    .depth_clip_far = true,
    .line_width = 1,
    .point_size = 1,
};

static void set_up(struct fixture *f)
{
    static const struct drv_vertex_element elements[] = {
        {.attrib = VERT_ATTRIB_POS, .src_format = DRV_FORMAT_R32G32B32A32_FLOAT},
        {.attrib = VERT_ATTRIB_GENERIC0,
         .src_format = DRV_FORMAT_R32G32_SINT,
         .src_offset = offsetof(struct vertex, layer)},
        {.attrib = VERT_ATTRIB_GENERIC0 + 1,
         .src_format = DRV_FORMAT_R32G32_FLOAT,
         .src_offset = offsetof(struct vertex, cull)},
    };
    const struct drv_resource templ = {.target = DRV_TEXTURE_2D_ARRAY,
                                       .format = DRV_FORMAT_R32G32B32A32_FLOAT,
                                       .width = SIZE,
                                       .height = SIZE,
                                       .depth = 1,
                                       .array_size = LAYERS};
    const struct drv_blend_state blend = {.rt[0].colormask = 15};
    const struct drv_depth_stencil_state depth = {0};

    *f = (struct fixture){.screen = cpu_screen_create()};
    f->ctx = f->screen->ops->context_create(f->screen);
    const struct drv_context_ops *ops = f->ctx->ops;
    f->color = f->screen->ops->resource_create(f->screen, &templ);
    f->blend = ops->create_blend_state(f->ctx, &blend);
    f->depth = ops->create_depth_stencil_state(f->ctx, &depth);
    f->elements = ops->create_vertex_elements(f->ctx, 3, elements);
    f->fs = fragment_shader(f);
    ops->bind_blend_state(f->ctx, f->blend);
    ops->bind_depth_stencil_state(f->ctx, f->depth);
    ops->bind_vertex_elements(f->ctx, f->elements);
    ops->bind_shader(f->ctx, SHADER_FRAGMENT, f->fs);
    bind_rasterizer(f, &plain_rasterizer);
    ops->set_framebuffer(f->ctx, &(struct drv_framebuffer){.width = SIZE,
                                                           .height = SIZE,
                                                           .layers = LAYERS,
                                                           .nr_cbufs = 1,
                                                           .cbufs[0] = {.texture = f->color,
                                                                        .format = templ.format,
                                                                        .last_layer = LAYERS - 1}});
}

static void bind_vertex_shader(struct fixture *f, uint64_t slots)
{
    f->vs = vertex_shader(f, slots);
    f->ctx->ops->bind_shader(f->ctx, SHADER_VERTEX, f->vs);
}

static void tear_down(struct fixture *f)
{
    const struct drv_context_ops *ops = f->ctx->ops;
    ops->bind_shader(f->ctx, SHADER_VERTEX, NULL);
    ops->bind_shader(f->ctx, SHADER_GEOMETRY, NULL);
    ops->bind_shader(f->ctx, SHADER_FRAGMENT, NULL);
    ops->bind_rasterizer_state(f->ctx, NULL);
    ops->delete_shader(f->ctx, SHADER_VERTEX, f->vs);
    if (f->gs)
        ops->delete_shader(f->ctx, SHADER_GEOMETRY, f->gs);
    ops->delete_shader(f->ctx, SHADER_FRAGMENT, f->fs);
    ops->delete_rasterizer_state(f->ctx, f->rast);
    ops->delete_vertex_elements(f->ctx, f->elements);
    ops->delete_depth_stencil_state(f->ctx, f->depth);
    ops->delete_blend_state(f->ctx, f->blend);
    drv_resource_reference(&f->color, NULL);
    ops->destroy(f->ctx);
    f->screen->ops->destroy(f->screen);
}

/* Sets two viewports, each half as wide as the target: 0 left, 1 right. Their depth ranges are [0,
 * 1/2] and [1/2, 1]. */
static void set_two_viewports(struct fixture *f)
{
    const float q = SIZE / 4.0f, h = SIZE / 2.0f;
    const struct drv_viewport v[2] = {
        {.scale = {q, h, 0.25f}, .translate = {q, h, 0.25f}},
        {.scale = {q, h, 0.25f}, .translate = {3 * q, h, 0.75f}},
    };
    f->ctx->ops->set_viewports(f->ctx, 0, 2, v);
}

static void clear(struct fixture *f)
{
    f->ctx->ops->clear(f->ctx, DRV_CLEAR_COLOR0, NULL, &(union drv_color){.f = {0}}, 0, 0);
}

static void draw(struct fixture *f, enum drv_primitive mode, const struct vertex *v, unsigned count)
{
    const struct drv_vertex_buffer buffer = {
        .stride = sizeof *v, .user = v, .user_size = count * sizeof *v};
    f->ctx->ops->set_vertex_buffers(f->ctx, 1, &buffer);
    const struct drv_draw_info info = {.mode = (uint8_t)mode, .instance_count = 1};
    f->ctx->ops->draw(f->ctx, &info, &(struct drv_draw_range){.count = count}, 1);
}

static void read_layer(struct fixture *f, unsigned layer, float image[SIZE][SIZE][4])
{
    const struct drv_box box = {0, 0, (int)layer, SIZE, SIZE, 1};
    struct drv_transfer *t;
    const uint8_t *p = f->ctx->ops->map(f->ctx, f->color, 0, DRV_MAP_READ, &box, &t);
    assert_non_null(p);
    for (unsigned y = 0; y < SIZE; y++)
        memcpy(image[y], p + (size_t)y * t->stride, sizeof image[y]);
    f->ctx->ops->unmap(f->ctx, t);
}

/* Checks that pixels of the layer inside the box have the value (and depth), and all others are
 * clear. */
static void expect_box(struct fixture *f, unsigned layer, const struct drv_scissor *box,
                       float value, float depth)
{
    static float image[SIZE][SIZE][4];
    read_layer(f, layer, image);
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            bool inside = x >= box->minx && x < box->maxx && y >= box->miny && y < box->maxy;
            if (image[y][x][0] != (inside ? value : 0) || image[y][x][1] != (inside ? depth : 0))
                fail_msg("layer %u, pixel %u,%u: %f at %f", layer, x, y, image[y][x][0],
                         image[y][x][1]);
        }
    }
}

static const struct drv_scissor nothing = {0, 0, 0, 0};

/* Stores the vertices of a strip that fills the viewport. */
static void full_strip(struct vertex v[4], int32_t layer, int32_t viewport, float z, float value)
{
    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){.pos = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, z, 1},
                               .layer = layer,
                               .viewport = viewport,
                               .value = value};
}

/* Draws to each layer through the viewport that the shader selects, with the viewport's scissor and
 * depth range. */
static void test_layers_and_viewports(void **state)
{
    static const struct drv_scissor left = {0, 0, 64, SIZE}, right = {70, 3, 100, 90};
    struct drv_rasterizer_state rast = plain_rasterizer;
    rast.scissor = 2; /* only the second viewport's scissor is enabled */
    struct fixture f;
    struct vertex v[4];
    set_up(&f);
    bind_rasterizer(&f, &rast);
    bind_vertex_shader(&f,
                       BITFIELD64_BIT(VARYING_SLOT_LAYER) | BITFIELD64_BIT(VARYING_SLOT_VIEWPORT));
    set_two_viewports(&f);
    f.ctx->ops->set_scissors(f.ctx, 1, 1, &right);
    clear(&f);
    full_strip(v, 2, 1, 0, 5);
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    full_strip(v, 0, 0, 0.5f, 7);
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    expect_box(&f, 0, &left, 7, 0.375f);
    expect_box(&f, 1, &nothing, 0, 0);
    expect_box(&f, 2, &right, 5, 0.75f);
    tear_down(&f);
}

/* If the vertices of a primitive select different viewports, the provoking vertex's is used. A
 * viewport index out of range selects viewport 0. */
static void test_provoking_vertex_chooses(void **state)
{
    static const struct drv_scissor left = {0, 0, 64, SIZE}, right = {64, 0, SIZE, SIZE};
    struct fixture f;
    struct vertex v[4];
    set_up(&f);
    bind_vertex_shader(&f,
                       BITFIELD64_BIT(VARYING_SLOT_LAYER) | BITFIELD64_BIT(VARYING_SLOT_VIEWPORT));
    set_two_viewports(&f);
    clear(&f);
    full_strip(v, 1, 1, 0, 5);
    v[0].viewport = v[1].viewport = 0;
    v[0].layer = v[1].layer = 0;
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    expect_box(&f, 0, &nothing, 0, 0);
    expect_box(&f, 1, &right, 5, 0.75f);
    full_strip(v, 2, 99, 0, 6);
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    expect_box(&f, 2, &left, 6, 0.25f);
    tear_down(&f);
}

/* Clamped depth stays in the depth range of the primitive's viewport. */
static void test_depth_clamp(void **state)
{
    static const struct drv_scissor left = {0, 0, 64, SIZE}, right = {64, 0, SIZE, SIZE};
    struct drv_rasterizer_state rast = plain_rasterizer;
    rast.depth_clip_near = rast.depth_clip_far = false;
    struct fixture f;
    struct vertex v[4];
    set_up(&f);
    bind_rasterizer(&f, &rast);
    bind_vertex_shader(&f,
                       BITFIELD64_BIT(VARYING_SLOT_LAYER) | BITFIELD64_BIT(VARYING_SLOT_VIEWPORT));
    set_two_viewports(&f);
    clear(&f);
    full_strip(v, 0, 0, 9, 5);
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    full_strip(v, 1, 1, -9, 6);
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    expect_box(&f, 0, &left, 5, 0.5f);
    expect_box(&f, 1, &right, 6, 0.5f);
    tear_down(&f);
}

/* GL 4.6 §13.7: a primitive is culled if a cull distance is negative for all of its vertices;
 * otherwise it is not clipped by it. */
static void test_cull_distance(void **state)
{
    static const struct drv_scissor all = {0, 0, SIZE, SIZE};
    const float h = SIZE / 2.0f;
    const struct drv_viewport viewport = {{h, h, 0.5f}, {h, h, 0.5f}};
    struct fixture f;
    struct vertex v[4];
    set_up(&f);
    bind_vertex_shader(&f, BITFIELD64_BIT(VARYING_SLOT_CULL_DIST0));
    f.ctx->ops->set_viewports(f.ctx, 0, 1, &viewport);
    clear(&f);
    full_strip(v, 0, 0, 0, 5);
    for (unsigned i = 0; i < 4; i++)
        v[i].cull = -1;
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    expect_box(&f, 0, &nothing, 0, 0);
    v[1].cull = 0.5f; /* a vertex of both triangles */
    draw(&f, DRV_PRIM_TRIANGLE_STRIP, v, 4);
    expect_box(&f, 0, &all, 5, 0.5f);
    tear_down(&f);
}

/* --- geometry shaders --- */

static nir_def *gl_in(nir_builder *b, unsigned vertex, unsigned location)
{
    return nir_load_per_vertex_input(b, 4, 32, nir_imm_int(b, (int)vertex), nir_imm_int(b, 0),
                                     .dest_type = nir_type_float32,
                                     .io_semantics = {.location = location, .num_slots = 1});
}

static void emit(nir_builder *b, float x, float y, nir_def *value, nir_def *layer)
{
    output(b, VARYING_SLOT_POS, nir_imm_vec4(b, x, y, 0, 1), nir_type_float32);
    output(b, VARYING_SLOT_VAR0, value, nir_type_float32);
    output(b, VARYING_SLOT_LAYER, layer, nir_type_int32);
    nir_emit_vertex(b, .stream_id = 0);
}

static void bind_geometry_shader(struct fixture *f, nir_builder *b)
{
    nir_shader_gather_info(b->shader);
    f->gs = finish(f, b);
    f->ctx->ops->bind_shader(f->ctx, SHADER_GEOMETRY, f->gs);
}

static void set_full_viewport(struct fixture *f)
{
    const float h = SIZE / 2.0f;
    const struct drv_viewport viewport = {{h, h, 0.5f}, {h, h, 0.5f}};
    f->ctx->ops->set_viewports(f->ctx, 0, 1, &viewport);
}

#define POINTS 3000 /* more than one batch, so that several workers get some */

/* Each point becomes a strip that fills the layer, in each of two layers; the last one must win. A
 * vertex beyond max_vertices, which would draw to a third layer, is dropped. */
static void test_geometry_order(void **state)
{
    static const struct drv_scissor all = {0, 0, SIZE, SIZE};
    static struct vertex v[POINTS];
    for (unsigned i = 0; i < POINTS; i++)
        v[i] = (struct vertex){.value = (float)(i + 1)};
    struct fixture f;
    set_up(&f);
    bind_vertex_shader(&f, 0);
    nir_builder b = new_shader(SHADER_GEOMETRY);
    b.shader->info.gs.vertices_in = 1;
    b.shader->info.gs.input_primitive = DRV_PRIM_POINTS;
    b.shader->info.gs.output_primitive = DRV_PRIM_TRIANGLE_STRIP;
    b.shader->info.gs.vertices_out = 4;
    b.shader->info.gs.invocations = 2;
    nir_def *value = nir_channel(&b, gl_in(&b, 0, VARYING_SLOT_VAR0), 0);
    nir_def *layer = nir_load_invocation_id(&b);
    for (unsigned i = 0; i < 4; i++)
        emit(&b, i & 1 ? 1 : -1, i & 2 ? 1 : -1, value, layer);
    nir_end_primitive(&b, .stream_id = 0);
    for (unsigned i = 0; i < 3; i++)
        emit(&b, i & 1 ? 1 : -1, i & 2 ? 1 : -1, value, nir_imm_int(&b, 2));
    bind_geometry_shader(&f, &b);
    set_full_viewport(&f);
    clear(&f);
    struct drv_query *q = f.ctx->ops->create_query(f.ctx, DRV_QUERY_PRIMITIVES_GENERATED, 0);
    f.ctx->ops->begin_query(f.ctx, q);
    draw(&f, DRV_PRIM_POINTS, v, POINTS);
    f.ctx->ops->end_query(f.ctx, q);
    union drv_query_result r;
    f.ctx->ops->get_query_result(f.ctx, q, true, &r);
    assert_int_equal(r.u64, POINTS * 2 * 2);
    f.ctx->ops->destroy_query(f.ctx, q);
    expect_box(&f, 0, &all, POINTS, 0.5f);
    expect_box(&f, 1, &all, POINTS, 0.5f);
    expect_box(&f, 2, &nothing, 0, 0);
    tear_down(&f);
}

static bool first_convention; /* used by check_inputs() */

/* Checks which vertices of the draw a geometry shader reads: each primitive combines their values
 * to a number with weights 1, 10, 100 …, and draws it to the layer of its gl_PrimitiveIDIn. */
static void check_inputs(enum drv_primitive mode, unsigned vertices_in, unsigned count,
                         const float expected[], unsigned num_expected)
{
    static const struct drv_scissor all = {0, 0, SIZE, SIZE};
    struct vertex v[16];
    for (unsigned i = 0; i < count; i++)
        v[i] = (struct vertex){.value = (float)(i + 1)};
    struct fixture f;
    set_up(&f);
    bind_vertex_shader(&f, 0);
    nir_builder b = new_shader(SHADER_GEOMETRY);
    b.shader->info.gs.vertices_in = (uint16_t)vertices_in;
    b.shader->info.gs.output_primitive = DRV_PRIM_TRIANGLE_STRIP;
    b.shader->info.gs.vertices_out = 4;
    b.shader->info.gs.invocations = 1;
    nir_def *sum = nir_imm_float(&b, 0);
    float weight = 1;
    for (unsigned i = 0; i < vertices_in; i++, weight *= 10)
        sum = nir_fadd(
            &b, sum, nir_fmul_imm(&b, nir_channel(&b, gl_in(&b, i, VARYING_SLOT_VAR0), 0), weight));
    nir_def *layer = nir_load_primitive_id(&b);
    for (unsigned i = 0; i < 4; i++)
        emit(&b, i & 1 ? 1 : -1, i & 2 ? 1 : -1, sum, layer);
    bind_geometry_shader(&f, &b);
    set_full_viewport(&f);
    struct drv_rasterizer_state rast = plain_rasterizer;
    rast.flatshade_first = first_convention;
    bind_rasterizer(&f, &rast);
    clear(&f);
    draw(&f, mode, v, count);
    for (unsigned i = 0; i < LAYERS; i++)
        expect_box(&f, i, i < num_expected ? &all : &nothing, i < num_expected ? expected[i] : 0,
                   0.5f);
    tear_down(&f);
}

/* GL 4.6 §10.1, table 10.1 */
static void test_geometry_inputs(void **state)
{
    check_inputs(DRV_PRIM_LINE_STRIP, 2, 3, (const float[]){21, 32}, 2);
    check_inputs(DRV_PRIM_TRIANGLES, 3, 7, (const float[]){321, 654}, 2);
    check_inputs(DRV_PRIM_LINES_ADJACENCY, 4, 9, (const float[]){4321, 8765}, 2);
    check_inputs(DRV_PRIM_LINE_STRIP_ADJACENCY, 4, 5, (const float[]){4321, 5432}, 2);
    check_inputs(DRV_PRIM_TRIANGLES_ADJACENCY, 6, 7, (const float[]){654321}, 1);
    check_inputs(DRV_PRIM_TRIANGLE_STRIP_ADJACENCY, 6, 7, (const float[]){456321}, 1);
    check_inputs(DRV_PRIM_TRIANGLE_STRIP_ADJACENCY, 6, 8, (const float[]){457321, 876315}, 2);
    /* vertices 5, 3, 7, 10, 9, 8 */
    check_inputs(DRV_PRIM_TRIANGLE_STRIP_ADJACENCY, 6, 11, (const float[]){457321, 976315, 900735},
                 3);
}

/* With the first vertex convention, the provoking vertex (table 13.2) comes first. */
static void test_first_inputs(void **state)
{
    first_convention = true;
    check_inputs(DRV_PRIM_TRIANGLE_STRIP, 3, 5, (const float[]){321, 342, 543}, 3);
    check_inputs(DRV_PRIM_TRIANGLE_FAN, 3, 5, (const float[]){132, 143, 154}, 3);
    check_inputs(DRV_PRIM_TRIANGLE_STRIP_ADJACENCY, 6, 8, (const float[]){457321, 158763}, 2);
    first_convention = false;
    check_inputs(DRV_PRIM_TRIANGLE_STRIP, 3, 5, (const float[]){321, 423, 543}, 3);
    check_inputs(DRV_PRIM_TRIANGLE_FAN, 3, 5, (const float[]){321, 431, 541}, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_and_viewports),
        cmocka_unit_test(test_provoking_vertex_chooses),
        cmocka_unit_test(test_depth_clamp),
        cmocka_unit_test(test_cull_distance),
        cmocka_unit_test(test_geometry_order),
        cmocka_unit_test(test_geometry_inputs),
        cmocka_unit_test(test_first_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
