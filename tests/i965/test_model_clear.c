/* SPDX-License-Identifier: MIT */
/*
 * Fast clears and resolves of render targets by rectangles: which texels get the clear color, and
 * which blocks are marked as cleared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"
#include "model_raster.h"

#define SIZE    256u /* Of the target, in pixels. */
#define TABLE   0xf0000u
#define STATE   0xf1000u
#define CONTROL 0xe0000u
#define VALUE   0.75f

/* A target, and what a pixel of a rectangle stands for. */
struct target {
    uint32_t format;
    unsigned bytes, samples_log2;
    uint32_t width, height;
};

static const struct target targets[] = {
    {I965_SURFACE_FORMAT_R32_FLOAT, 4, 0, 64, 32}, {I965_SURFACE_FORMAT_R32G32_FLOAT, 8, 0, 32, 32},
    {I965_SURFACE_FORMAT_R32_FLOAT, 4, 1, 8, 2},   {I965_SURFACE_FORMAT_R32_FLOAT, 4, 3, 2, 2},
    {I965_SURFACE_FORMAT_R32_FLOAT, 4, 4, 1, 2},
};

struct clear {
    struct fixture f;
    struct model_pixel pixel;
    struct i965_render_surface_state state;
};

/* Makes entry 0 of the binding table a target of `size` by `size` pixels in `layers` layers. */
static void start(struct clear *c, const struct target *t, unsigned size, unsigned layers)
{
    struct i965_packet_error error;
    uint32_t dwords[16], entry = STATE;
    const float value = VALUE;

    memset(c, 0, sizeof *c);
    fixture_init(&c->f);
    assert_true(model_clears_create(&c->f.ctx));
    c->f.ctx.pixel = &c->pixel;
    c->f.ctx.state.clip.perspective_divide_disable = true;
    c->pixel.window[0] = (struct model_window){0, 0, 16384, 16384};
    c->state = fixture_surface(t->format, I965_TILE_MODE_YMAJOR, size, size, size * t->bytes);
    c->state.number_of_multisamples = t->samples_log2;
    c->state.surface_qpitch = size / 4;
    c->state.surface_array = layers > 1;
    c->state.depth = layers - 1;
    c->state.render_target_view_extent = layers - 1;
    c->state.auxiliary_surface_mode = I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_D;
    c->state.auxiliary_surface_base_address = FIXTURE_ADDRESS + CONTROL;
    c->state.auxiliary_surface_pitch = 3;
    memcpy(&c->state.red_clear_color, &value, sizeof value);
    assert_int_equal(i965_pack(I965_GENERATION_9, I965_RENDER_SURFACE_STATE, &c->state, dwords,
                               ARRAY_SIZE(dwords), &error),
                     ARRAY_SIZE(dwords));
    memcpy(c->f.bytes + STATE, dwords, sizeof dwords);
    memcpy(c->f.bytes + TABLE, &entry, sizeof entry);
    assert_true(model_env_init(&c->pixel.env, &c->f.ctx, MODEL_PS, TABLE, 0));
}

static void finish(struct clear *c)
{
    model_env_finish(&c->pixel.env);
    model_clears_destroy(&c->f.ctx);
    fixture_finish(&c->f);
}

static bool draw(struct clear *c, enum model_primitive_kind kind, const float corner[4],
                 uint32_t layer)
{
    const float vertex[3][8] = {
        {0, 0, 0, 0, corner[2], corner[3], 0, 1},
        {0, 0, 0, 0, corner[0], corner[3], 0, 1},
        {0, 0, 0, 0, corner[0], corner[1], 0, 1},
    };
    uint32_t slot[3][2][4];
    struct model_primitive p = {.kind = kind, .layer = layer};

    memcpy(slot, vertex, sizeof slot);
    for (unsigned i = 0; i < 3; i++)
        p.v[i] = (struct model_vertex){(const uint32_t(*)[4])slot[i], 2};
    return model_emit_primitive(&c->f.ctx, &p);
}

static float value_at(const struct model_surface *s, uint32_t x, uint32_t y, uint32_t slice,
                      unsigned sample)
{
    const uint8_t *texel = model_surface_texel(s, 0, x, y, slice, sample);
    float value;

    assert_non_null(texel);
    memcpy(&value, texel, sizeof value);
    return value;
}

/* Checks that only the pixels of a region are cleared and marked. */
static void expect_region(struct clear *c, const struct model_region *r, bool is_resolved)
{
    const struct model_surface *s = model_env_surface(&c->pixel.env, 0);
    const uint32_t size = s->width;

    for (uint32_t y = 0; y < size; y++) {
        for (uint32_t x = 0; x < size; x++) {
            const bool inside = x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
            for (unsigned i = 0; i < 1u << s->samples_log2; i++)
                assert_float_equal(value_at(s, x, y, 0, i), inside ? VALUE : 0, 0);
            assert_int_equal(model_surface_is_clear(s, x, y), inside && !is_resolved);
        }
    }
}

static unsigned size_of(const struct target *t)
{
    return t->samples_log2 > 1 ? SIZE / 8 : SIZE / 2;
}

/* A fast clear changes the part of the target that its rectangle covers, and no other. Both kinds
 * of resolves keep the texels and change the marks of their rectangle only. */
static void test_rectangles(void **state)
{
    static const float corner[4] = {1, 1, 2, 3};

    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
        const struct target *t = &targets[i];
        const struct model_region r = {t->width, t->height, MIN2(2 * t->width, size_of(t)),
                                       MIN2(3 * t->height, size_of(t))};
        for (unsigned type = I965_RENDER_TARGET_RESOLVE_TYPE_RESOLVE_PARTIAL;
             type <= I965_RENDER_TARGET_RESOLVE_TYPE_RESOLVE_FULL; type++) {
            struct i965_3dstate_ps *ps;
            struct clear c;
            start(&c, t, size_of(t), 1);
            ps = &c.f.ctx.state.ps;
            ps->render_target_fast_clear_enable = true;
            assert_true(draw(&c, MODEL_RECTANGLE, corner, 0));
            expect_region(&c, &r, false);
            ps->render_target_fast_clear_enable = false;
            ps->render_target_resolve_type = type;
            assert_true(draw(&c, MODEL_RECTANGLE, (const float[4]){0, 0, 1, 3}, 0));
            expect_region(&c, &r, false);
            assert_true(draw(&c, MODEL_RECTANGLE, corner, 0));
            expect_region(&c, &r, true);
            finish(&c);
        }
    }
}

/* A scissor limits a fast clear; a rectangle may be larger than the target. */
static void test_window(void **state)
{
    struct clear c;

    start(&c, &targets[0], SIZE, 1);
    c.f.ctx.state.ps.render_target_fast_clear_enable = true;
    c.pixel.window[0] = (struct model_window){1, 2, 3, 100};
    assert_true(draw(&c, MODEL_RECTANGLE, (const float[4]){-1000, -0.6f, 1000, 1000}, 0));
    expect_region(&c, &(const struct model_region){64, 64, 192, SIZE}, false);
    finish(&c);
}

/* A fast clear changes one layer. */
static void test_layers(void **state)
{
    struct clear c;
    const struct model_surface *s;

    start(&c, &targets[0], 64, 3);
    c.f.ctx.state.ps.render_target_fast_clear_enable = true;
    assert_true(draw(&c, MODEL_RECTANGLE, (const float[4]){0, 0, 1, 2}, 1));
    s = model_env_surface(&c.pixel.env, 0);
    for (uint32_t slice = 0; slice < 3; slice++) {
        assert_float_equal(value_at(s, 0, 0, slice, 0), slice == 1 ? VALUE : 0, 0);
        assert_float_equal(value_at(s, 63, 63, slice, 0), slice == 1 ? VALUE : 0, 0);
    }
    finish(&c);
}

static void test_triangle(void **state)
{
    struct clear c;

    start(&c, &targets[0], SIZE, 1);
    c.f.ctx.state.ps.render_target_fast_clear_enable = true;
    assert_false(draw(&c, MODEL_TRIANGLE, (const float[4]){0, 0, 1, 1}, 0));
    assert_non_null(strstr(c.f.error, "only possible with RECTLIST"));
    finish(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_triangle),
    };

    return cmocka_run_group_tests_name("model clears", tests, NULL, NULL);
}
