/* SPDX-License-Identifier: MIT */
/* The model's sampler: filters, wrap modes, levels, comparisons, cubes, and integer messages, with
 * values computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"
#include "model_sampler.h"
#include "model_texture.h"

#define SIZE 4u

static uint32_t bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

static float value(const struct sim_sample *m, unsigned component, unsigned lane)
{
    float f;

    memcpy(&f, &m->result[component][lane], sizeof f);
    return f;
}

/* A surface of one float per texel: x + 10·y + 100·(row of the next slice). */
static struct model_surface gradient(struct fixture *f, unsigned slices)
{
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R32_FLOAT, I965_TILE_MODE_LINEAR, SIZE, SIZE, 16);
    struct model_surface s;
    float *texel = (float *)(void *)f->bytes;

    d.surface_array = slices > 1;
    d.depth = slices - 1;
    d.surface_qpitch = SIZE / 4;
    for (unsigned i = 0; i < SIZE * SIZE * slices; i++)
        texel[i] = (float)(i % SIZE + i / SIZE % SIZE * 10 + i / (SIZE * SIZE) * 100);
    assert_true(model_surface_init(&s, &f->ctx, &d));
    return s;
}

static struct model_sampler make_sampler(struct fixture *f, uint32_t filter, uint32_t wrap)
{
    const struct i965_sampler_state state = {
        .min_mode_filter = filter,
        .mag_mode_filter = filter,
        .tcx_address_control_mode = wrap,
        .tcy_address_control_mode = wrap,
        .tcz_address_control_mode = wrap,
        .max_lod = 14,
        .border_color_pointer = 0x8000,
    };
    const float border[4] = {7, 8, 9, 10};
    struct model_sampler sampler;

    memcpy(f->bytes + 0x8000, border, sizeof border);
    assert_true(model_sampler_init(&sampler, &f->ctx, &state));
    return sampler;
}

/* Samples level 0 at (u, v) of slice r. */
static float sample_at(const struct model_surface *s, const struct model_sampler *sampler, float u,
                       float v, float r)
{
    struct sim_sample m = {.type = SIM_SAMPLE_LZ, .channels = 8, .mask = 1, .num_params = 3};

    m.param[0][0] = bits(u);
    m.param[1][0] = bits(v);
    m.param[2][0] = bits(r);
    assert_true(model_sample(s, sampler, NULL, &m));
    return value(&m, 0, 0);
}

static void test_filters(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct model_surface s = gradient(&f, 3);
    struct model_sampler nearest =
        make_sampler(&f, I965_MAP_FILTER_NEAREST, I965_TEXTURE_COORDINATE_MODE_WRAP);
    struct model_sampler linear =
        make_sampler(&f, I965_MAP_FILTER_LINEAR, I965_TEXTURE_COORDINATE_MODE_CLAMP);

    assert_float_equal(sample_at(&s, &nearest, 0.3f, 0.8f, 0), 31, 0);
    assert_float_equal(sample_at(&s, &nearest, 1.3f, -0.2f, 1), 131, 0);
    assert_float_equal(sample_at(&s, &nearest, 0.3f, 0.8f, 9), 231, 0);
    assert_float_equal(sample_at(&s, &linear, 0.5f, 0.5f, 0), 16.5, 1e-5);
    assert_float_equal(sample_at(&s, &linear, 0.4375f, 0.375f, 0), 11.25, 1e-5);
    assert_float_equal(sample_at(&s, &linear, 0.0f, 2.0f, 2), 230, 1e-5);
    fixture_finish(&f);
}

static void test_wrap_modes(void **state)
{
    static const struct {
        uint32_t mode;
        float u, expected;
    } cases[] = {
        {I965_TEXTURE_COORDINATE_MODE_WRAP, -0.1f, 3},
        {I965_TEXTURE_COORDINATE_MODE_MIRROR, -0.3f, 1},
        {I965_TEXTURE_COORDINATE_MODE_MIRROR, 1.1f, 3},
        {I965_TEXTURE_COORDINATE_MODE_CLAMP, 1.7f, 3},
        {I965_TEXTURE_COORDINATE_MODE_CLAMP_BORDER, 1.1f, 7},
        {I965_TEXTURE_COORDINATE_MODE_CLAMP_BORDER, 0.99f, 3},
        {I965_TEXTURE_COORDINATE_MODE_HALF_BORDER, 1.1f, 3},
        {I965_TEXTURE_COORDINATE_MODE_MIRROR_ONCE, -0.3f, 1},
        {I965_TEXTURE_COORDINATE_MODE_MIRROR_ONCE, 5.0f, 3},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct fixture f;
        fixture_init(&f);
        struct model_surface s = gradient(&f, 1);
        struct model_sampler sampler = make_sampler(&f, I965_MAP_FILTER_NEAREST, cases[i].mode);
        assert_float_equal(sample_at(&s, &sampler, cases[i].u, 0.1f, 0), cases[i].expected, 0);
        fixture_finish(&f);
    }
}

/* HALF_BORDER filters with the border color at the edge, of which half is used. */
static void test_half_border(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct model_surface s = gradient(&f, 1);
    struct model_sampler sampler =
        make_sampler(&f, I965_MAP_FILTER_LINEAR, I965_TEXTURE_COORDINATE_MODE_HALF_BORDER);

    assert_float_equal(sample_at(&s, &sampler, 4.0f, 0.125f, 0), 0.5 * 3 + 0.5 * 7, 1e-5);
    fixture_finish(&f);
}

/* Levels from differences in a quad: 2 texels per pixel select level 1. */
static void test_levels(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R32_FLOAT, I965_TILE_MODE_LINEAR, 8, 8, 64);
    struct model_sampler sampler =
        make_sampler(&f, I965_MAP_FILTER_NEAREST, I965_TEXTURE_COORDINATE_MODE_CLAMP);
    struct sim_sample m = {.type = SIM_SAMPLE, .channels = 8, .mask = 15, .num_params = 2};
    struct model_surface s;
    float *texel = (float *)(void *)f.bytes;

    sampler.state.mip_mode_filter = I965_MIP_MODE_FILTER_NEAREST;
    d.mip_count_lod = 2;
    for (unsigned i = 0; i < 16 * 16; i++)
        texel[i] = i / 16 < 8 ? 1.0f : i % 16 < 4 ? 2.0f : 3.0f;
    assert_true(model_surface_init(&s, &f.ctx, &d));
    for (unsigned i = 0; i < 4; i++) {
        m.param[0][i] = bits(0.25f * (float)(i & 1));
        m.param[1][i] = bits(0.125f * (float)(i >> 1));
    }
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_float_equal(value(&m, 0, 0), 2, 0);
    sampler.state.texture_lod_bias = 1.0f;
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_float_equal(value(&m, 0, 0), 3, 0);
    sampler.state.texture_lod_bias = 0.5f;
    sampler.state.mip_mode_filter = I965_MIP_MODE_FILTER_LINEAR;
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_float_equal(value(&m, 0, 0), 2.5, 1e-3);
    sampler.state.max_lod = 0.0f;
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_float_equal(value(&m, 0, 0), 1, 0);
    m.type = SIM_LOD;
    sampler.state.max_lod = 14.0f;
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_float_equal(value(&m, 1, 0), 1.5, 1e-3);
    fixture_finish(&f);
}

/* The result is 0 where the function holds for texel and reference. */
/* Derivatives whose ratio is not a number give one sample. */
static void test_infinite_derivatives(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct model_surface s = gradient(&f, 1);
    struct model_sampler sampler =
        make_sampler(&f, I965_MAP_FILTER_ANISOTROPIC, I965_TEXTURE_COORDINATE_MODE_CLAMP);
    struct sim_sample m = {.type = SIM_SAMPLE_D, .channels = 8, .mask = 1, .num_params = 5};

    m.param[0][0] = m.param[3][0] = bits(0.375f);
    m.param[1][0] = bits(INFINITY);
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_true(fabsf(value(&m, 0, 0) - 11.0f) < 1e-5f); /* Fails for NaN, too. */
    fixture_finish(&f);
}

/* Only messages with integer coordinates read buffers, which may have 2^31 texels. */
static void test_large_buffer(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R32_FLOAT, I965_TILE_MODE_LINEAR, 128, 16384, 4);
    struct model_surface s;
    struct model_sampler sampler =
        make_sampler(&f, I965_MAP_FILTER_NEAREST, I965_TEXTURE_COORDINATE_MODE_MIRROR);
    struct sim_sample m = {.type = SIM_SAMPLE_LZ, .channels = 8, .mask = 1, .num_params = 1};
    const float texel = 5;

    d.surface_type = I965_SURFACE_TYPE_SURFTYPE_BUFFER;
    d.depth = 1023;
    memcpy(f.bytes + 12, &texel, sizeof texel);
    assert_true(model_surface_init(&s, &f.ctx, &d));
    assert_int_equal(s.entries, 1ll << 31);
    assert_false(model_sample(&s, &sampler, NULL, &m));
    assert_non_null(strstr(f.error, "Surface Type"));
    m.type = SIM_LD;
    m.param[0][0] = 3;
    assert_true(model_sample(&s, NULL, NULL, &m));
    assert_float_equal(value(&m, 0, 0), 5, 0);
    fixture_finish(&f);
}

static void test_comparisons(void **state)
{
    static const struct {
        uint32_t function;
        float below, equal, above; /* Results for references relative to the texel. */
    } cases[] = {
        {I965_COMPARE_FUNCTION_ALWAYS, 0, 0, 0},  {I965_COMPARE_FUNCTION_NEVER, 1, 1, 1},
        {I965_COMPARE_FUNCTION_LESS, 1, 1, 0},    {I965_COMPARE_FUNCTION_LEQUAL, 1, 0, 0},
        {I965_COMPARE_FUNCTION_GREATER, 0, 1, 1}, {I965_COMPARE_FUNCTION_GEQUAL, 0, 0, 1},
        {I965_COMPARE_FUNCTION_EQUAL, 1, 0, 1},   {I965_COMPARE_FUNCTION_NOTEQUAL, 0, 1, 0},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct fixture f;
        fixture_init(&f);
        struct model_surface s = gradient(&f, 1);
        struct model_sampler sampler =
            make_sampler(&f, I965_MAP_FILTER_NEAREST, I965_TEXTURE_COORDINATE_MODE_CLAMP);
        struct sim_sample m = {.type = SIM_SAMPLE_C_LZ, .channels = 8, .mask = 7, .num_params = 3};
        sampler.state.shadow_function = cases[i].function;
        for (unsigned lane = 0; lane < 3; lane++) {
            m.param[0][lane] = bits(10.0f + (float)lane); /* The texel is 11. */
            m.param[1][lane] = bits(0.3f);
            m.param[2][lane] = bits(0.3f);
        }
        assert_true(model_sample(&s, &sampler, NULL, &m));
        assert_float_equal(value(&m, 0, 0), cases[i].below, 0);
        assert_float_equal(value(&m, 0, 1), cases[i].equal, 0);
        assert_float_equal(value(&m, 0, 2), cases[i].above, 0);
        fixture_finish(&f);
    }
}

static void test_cubes(void **state)
{
    static const float directions[6][3] = {{1, 0.1f, 0.2f},  {-1, 0.1f, 0.2f}, {0.1f, 1, 0.2f},
                                           {0.1f, -1, 0.2f}, {0.1f, 0.2f, 1},  {0.1f, 0.2f, -1}};
    /* Texels (x, y) of each face, from the table in GL 4.6 §8.13. */
    static const float expected[6] = {11, 112, 222, 312, 412, 511};
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R32_FLOAT, I965_TILE_MODE_LINEAR, SIZE, SIZE, 16);
    struct model_sampler sampler =
        make_sampler(&f, I965_MAP_FILTER_NEAREST, I965_TEXTURE_COORDINATE_MODE_CUBE);
    struct model_surface s;

    gradient(&f, 6);
    d.surface_type = I965_SURFACE_TYPE_SURFTYPE_CUBE;
    d.surface_qpitch = SIZE / 4;
    d.cube_face_enable_positive_x = d.cube_face_enable_negative_x = true;
    d.cube_face_enable_positive_y = d.cube_face_enable_negative_y = true;
    d.cube_face_enable_positive_z = d.cube_face_enable_negative_z = true;
    assert_true(model_surface_init(&s, &f.ctx, &d));
    for (unsigned i = 0; i < 6; i++)
        assert_float_equal(
            sample_at(&s, &sampler, directions[i][0], directions[i][1], directions[i][2]),
            expected[i], 0);
    /* Halfway between +x and +z, a linear filter takes texels of both faces. */
    sampler.state.min_mode_filter = sampler.state.mag_mode_filter = I965_MAP_FILTER_LINEAR;
    assert_float_equal(sample_at(&s, &sampler, 1.0f, 0.25f, 1.0f), (10 + 413) * 0.5, 1e-3);
    fixture_finish(&f);
}

static void test_gather(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct model_surface s = gradient(&f, 1);
    struct model_sampler sampler =
        make_sampler(&f, I965_MAP_FILTER_LINEAR, I965_TEXTURE_COORDINATE_MODE_CLAMP);
    struct sim_sample m = {.type = SIM_GATHER4, .channels = 8, .mask = 1, .num_params = 2};
    static const float expected[4] = {21, 22, 12, 11};

    m.param[0][0] = m.param[1][0] = bits(0.5f);
    assert_true(model_sample(&s, &sampler, NULL, &m));
    for (unsigned c = 0; c < 4; c++)
        assert_float_equal(value(&m, c, 0), expected[c], 0);
    m.offset[0] = 1;
    assert_true(model_sample(&s, &sampler, NULL, &m));
    assert_float_equal(value(&m, 3, 0), 12, 0);
    fixture_finish(&f);
}

static void test_integer_messages(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct model_surface s = gradient(&f, 2);
    struct sim_sample m = {.type = SIM_LD, .channels = 8, .mask = 3, .num_params = 4};

    m.param[0][0] = 2;
    m.param[1][0] = 3;
    m.param[3][0] = 1;
    m.param[0][1] = 4; /* outside */
    m.result[0][1] = 99;
    assert_true(model_sample(&s, NULL, NULL, &m));
    assert_float_equal(value(&m, 0, 0), 132, 0);
    assert_int_equal(m.result[0][1], 0);
    m = (struct sim_sample){.type = SIM_RESINFO, .channels = 8, .mask = 1, .num_params = 1};
    assert_true(model_sample(&s, NULL, NULL, &m));
    assert_int_equal(m.result[0][0], SIZE);
    assert_int_equal(m.result[1][0], SIZE);
    assert_int_equal(m.result[2][0], 2);
    assert_int_equal(m.result[3][0], 1);
    m.type = 31;
    assert_false(model_sample(&s, NULL, NULL, &m));
    assert_non_null(strstr(f.error, "sampler message"));
    fixture_finish(&f);
}

/* Blocks of 8×4 texels that the hierarchical depth buffer does not mark have the clear value. */
static void test_hierarchical_depth(void **state)
{
    static const struct {
        int32_t x, y;
        float value;
    } cases[] = {{0, 0, 0.75f}, {7, 3, 0.75f}, {8, 0, 0.25f}, {15, 3, 0.25f}, {8, 4, 0.75f}};
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R32_FLOAT, I965_TILE_MODE_YMAJOR, 16, 8, 128);
    struct model_surface s, hiz;

    d.auxiliary_surface_base_address = FIXTURE_ADDRESS + 0x10000;
    d.red_clear_color = bits(0.75f);
    for (unsigned i = 0; i < 0x1000 / 4; i++)
        ((float *)(void *)f.bytes)[i] = 0.25f;
    memset(f.bytes + 0x10000, 0, 0x1000);
    f.bytes[0x10000 + 512] = MODEL_HIZ_VALUES; /* Column 1, row 0. */
    for (unsigned aux = 0; aux < 2; aux++) {
        if (aux)
            d.auxiliary_surface_mode = I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_HIZ;
        assert_true(model_surface_init(&s, &f.ctx, &d));
        model_sampled_hiz_init(&hiz, &s, &d);
        assert_int_equal(hiz.type == I965_SURFACE_TYPE_SURFTYPE_NULL, !aux);
        if (aux)
            s.hiz = &hiz;
        for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
            const int32_t at[3] = {cases[i].x, cases[i].y, 0};
            uint32_t rgba[4];
            assert_true(model_texture_load(&s, NULL, 0, at, 0, 0, rgba));
            assert_int_equal(rgba[0], bits(aux ? cases[i].value : 0.25f));
            assert_int_equal(rgba[1], 0);
            assert_int_equal(rgba[3], bits(1.0f));
        }
    }
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_wrap_modes),
        cmocka_unit_test(test_half_border),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_integer_messages),
        cmocka_unit_test(test_infinite_derivatives),
        cmocka_unit_test(test_large_buffer),
        cmocka_unit_test(test_hierarchical_depth),
    };

    return cmocka_run_group_tests_name("model sampler", tests, NULL, NULL);
}
