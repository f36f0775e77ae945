/* SPDX-License-Identifier: MIT */
/* The model's rasterizer, depth and stencil tests: primitives without a pixel shader, whose
 * coverage is counted in a stencil buffer. Expected pixels follow the rules of the hardware: pixel
 * centers, 8 bits of subpixel precision, and the top-left rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"
#include "model_raster.h"

#define SIZE            16u
#define DEPTH_ADDRESS   FIXTURE_ADDRESS
#define STENCIL_ADDRESS (FIXTURE_ADDRESS + 0x10000)

struct raster {
    struct fixture f;
    uint32_t slot[3][2][4]; /* VUEs: header and position. */
};

static uint32_t bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

/* Prepares a depth buffer of 1.0 and a stencil buffer of 0, whose values count the samples that
 * pass. Positions are in screen space. */
static void start(struct raster *r)
{
    struct model_context *ctx = &r->f.ctx;
    struct model_state *s = &ctx->state;

    memset(r, 0, sizeof *r);
    fixture_init(&r->f);
    assert_true(model_pixel_create(ctx));
    s->clip.perspective_divide_disable = true;
    s->multisample.pixel_location = I965_PIXEL_LOCATION_CENTER;
    s->raster.cull_mode = I965_CULL_MODE_NONE;
    s->depth_buffer = (struct i965_3dstate_depth_buffer){
        .surface_type = I965_SURFACE_TYPE_SURFTYPE_2D,
        .surface_format = I965_DEPTH_FORMAT_D32_FLOAT,
        .depth_write_enable = true,
        .stencil_write_enable = true,
        .width = SIZE - 1,
        .height = SIZE - 1,
        .surface_pitch = 127,
        .surface_base_address = DEPTH_ADDRESS,
    };
    s->stencil_buffer = (struct i965_3dstate_stencil_buffer){
        .stencil_buffer_enable = true,
        .surface_pitch = 127,
        .surface_base_address = STENCIL_ADDRESS,
    };
    s->wm_depth_stencil = (struct i965_3dstate_wm_depth_stencil){
        .stencil_test_enable = true,
        .stencil_buffer_write_enable = true,
        .stencil_test_function = I965_COMPARE_FUNCTION_ALWAYS,
        .stencil_pass_depth_pass_op = I965_STENCIL_OP_INCR,
        .stencil_pass_depth_fail_op = I965_STENCIL_OP_KEEP,
        .stencil_test_mask = 0xff,
        .stencil_write_mask = 0xff,
    };
    s->seen[I965_3DSTATE_DEPTH_BUFFER / 32] |= 1u << (I965_3DSTATE_DEPTH_BUFFER % 32);
    s->seen[I965_3DSTATE_STENCIL_BUFFER / 32] |= 1u << (I965_3DSTATE_STENCIL_BUFFER % 32);
    for (unsigned i = 0; i < 0x1000 / 4; i++)
        ((uint32_t *)(void *)r->f.bytes)[i] = bits(1.0f);
    assert_true(model_draw_begin(ctx));
}

/* Applies changes of the state, which the next primitive uses. */
static void restart(struct raster *r)
{
    assert_true(model_draw_end(&r->f.ctx));
    assert_true(model_draw_begin(&r->f.ctx));
}

static void finish(struct raster *r)
{
    assert_true(model_draw_end(&r->f.ctx));
    model_pixel_destroy(&r->f.ctx);
    fixture_finish(&r->f);
}

static void triangle(struct raster *r, const float corner[3][2], float z)
{
    struct model_primitive p = {.kind = MODEL_TRIANGLE, .edge = {true, true, true}};

    for (unsigned i = 0; i < 3; i++) {
        const float position[4] = {corner[i][0], corner[i][1], z, 1.0f};
        memcpy(r->slot[i][1], position, sizeof position);
        p.v[i] = (struct model_vertex){(const uint32_t(*)[4])r->slot[i], 2};
    }
    p.provoking = p.v[0];
    assert_true(model_emit_primitive(&r->f.ctx, &p) && model_queue_flush(&r->f.ctx));
}

/* Two triangles that share the diagonal from (x0, y0) to (x1, y1). */
static void quad(struct raster *r, float x0, float y0, float x1, float y1, float z)
{
    triangle(r, (const float[3][2]){{x0, y0}, {x1, y0}, {x1, y1}}, z);
    triangle(r, (const float[3][2]){{x0, y0}, {x1, y1}, {x0, y1}}, z);
}

static unsigned count_at(struct raster *r, unsigned x, unsigned y)
{
    return *model_surface_texel(&r->f.ctx.pixel->stencil, 0, x, y, 0, 0);
}

/* Checks that the pixels from (x0, y0) to below (x1, y1) passed `count` times, and no others. */
static void expect_rectangle(struct raster *r, unsigned x0, unsigned y0, unsigned x1, unsigned y1,
                             unsigned count)
{
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            const bool inside = x >= x0 && x < x1 && y >= y0 && y < y1;
            if (count_at(r, x, y) != (inside ? count : 0))
                fail_msg("pixel (%u, %u) passed %u times", x, y, count_at(r, x, y));
        }
    }
}

/* Pixels whose centers are on a shared edge belong to one of the triangles. */
static void test_shared_edge(void **state)
{
    struct raster r;

    start(&r);
    quad(&r, 0, 0, SIZE, SIZE, 0.5f);
    expect_rectangle(&r, 0, 0, SIZE, SIZE, 1);
    finish(&r);
}

/* Centers on a top or left edge are inside, those on a bottom or right edge outside. */
static void test_top_left(void **state)
{
    struct raster r;

    start(&r);
    quad(&r, 2.5f, 3.5f, 7.5f, 9.5f, 0.5f);
    expect_rectangle(&r, 2, 3, 7, 9, 1);
    finish(&r);
}

/* Edges move by 1/256 of a pixel; smaller distances are rounded. */
static void test_subpixels(void **state)
{
    struct raster r;

    start(&r);
    quad(&r, 2.5f + 1.0f / 256, 3.5f - 1.0f / 256, 7.5f + 1.0f / 256, 9.5f + 1.0f / 1024, 0.5f);
    expect_rectangle(&r, 3, 3, 8, 9, 1);
    finish(&r);
}

/* Clockwise as seen on the screen, whose y axis points down. */
static void test_culling(void **state)
{
    static const float clockwise[3][2] = {{0, 0}, {32, 0}, {0, 32}},
                       counterclockwise[3][2] = {{0, 0}, {0, 32}, {32, 0}};
    struct raster r;

    for (unsigned winding = 0; winding < 2; winding++) {
        for (unsigned cull = 0; cull < 4; cull++) {
            start(&r);
            r.f.ctx.state.raster.front_winding = winding;
            r.f.ctx.state.raster.cull_mode = cull;
            restart(&r);
            const bool front_is_clockwise = winding == I965_FRONT_WINDING_CLOCKWISE;
            const bool front = cull == I965_CULL_MODE_NONE || cull == I965_CULL_MODE_BACK;
            const bool back = cull == I965_CULL_MODE_NONE || cull == I965_CULL_MODE_FRONT;
            triangle(&r, clockwise, 0.5f);
            const unsigned first = front_is_clockwise ? front : back;
            expect_rectangle(&r, 0, 0, SIZE, SIZE, first);
            triangle(&r, counterclockwise, 0.5f);
            expect_rectangle(&r, 0, 0, SIZE, SIZE, first + (front_is_clockwise ? back : front));
            finish(&r);
        }
    }
}

/* Each comparison of a smaller, an equal and a larger depth with 0.5. */
static void test_depth(void **state)
{
    static const struct {
        uint32_t function;
        bool passes[3];
    } cases[] = {
        {I965_COMPARE_FUNCTION_ALWAYS, {true, true, true}},
        {I965_COMPARE_FUNCTION_NEVER, {false, false, false}},
        {I965_COMPARE_FUNCTION_LESS, {true, false, false}},
        {I965_COMPARE_FUNCTION_EQUAL, {false, true, false}},
        {I965_COMPARE_FUNCTION_LEQUAL, {true, true, false}},
        {I965_COMPARE_FUNCTION_GREATER, {false, false, true}},
        {I965_COMPARE_FUNCTION_NOTEQUAL, {true, false, true}},
        {I965_COMPARE_FUNCTION_GEQUAL, {false, true, true}},
    };
    struct raster r;

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        for (unsigned k = 0; k < 3; k++) {
            const float z = 0.25f * (float)(k + 1);
            float stored;
            start(&r);
            struct i965_3dstate_wm_depth_stencil *d = &r.f.ctx.state.wm_depth_stencil;
            d->depth_buffer_write_enable = true;
            restart(&r);
            quad(&r, 0, 0, SIZE, SIZE, 0.5f); /* Without a test. */
            expect_rectangle(&r, 0, 0, SIZE, SIZE, 1);
            d->depth_test_enable = true;
            d->depth_test_function = cases[i].function;
            restart(&r);
            quad(&r, 0, 0, SIZE, SIZE, z);
            expect_rectangle(&r, 0, 0, SIZE, SIZE, 1 + cases[i].passes[k]);
            memcpy(&stored, model_surface_texel(&r.f.ctx.pixel->depth, 0, SIZE - 1, SIZE - 1, 0, 0),
                   4);
            assert_float_equal(stored, cases[i].passes[k] ? z : 0.5f, 0);
            finish(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_edge), cmocka_unit_test(test_top_left),
        cmocka_unit_test(test_subpixels),   cmocka_unit_test(test_culling),
        cmocka_unit_test(test_depth),
    };

    return cmocka_run_group_tests_name("model raster", tests, NULL, NULL);
}
