/* SPDX-License-Identifier: MIT */
/*
 * Surfaces of the model: addresses of texels in each tiling and layout against values computed by
 * hand from the manuals' pictures, conversion of texels, and errors.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"
#include "model_surface.h"
#include "util/format.h"

static struct model_surface surface(struct fixture *f,
                                    const struct i965_render_surface_state *state)
{
    struct model_surface s;

    assert_true(model_surface_init(&s, &f->ctx, state));
    return s;
}

static void test_tiles(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_LINEAR, 256, 64, 1024);
    struct model_surface s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 0, 5, 3, 0, 0), 3 * 1024 + 20);

    /* X: tiles of 512 bytes by 8 rows; two across. */
    d.tile_mode = I965_TILE_MODE_XMAJOR;
    s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 0, 1, 1, 0, 0), 512 + 4);
    assert_int_equal(model_surface_offset(&s, 0, 128, 0, 0, 0), 4096);
    assert_int_equal(model_surface_offset(&s, 0, 129, 9, 0, 0), 3 * 4096 + 512 + 4);

    /* Y: tiles of 128 bytes by 32 rows in columns of 16 bytes; eight across. */
    d.tile_mode = I965_TILE_MODE_YMAJOR;
    s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 0, 1, 1, 0, 0), 16 + 4);
    assert_int_equal(model_surface_offset(&s, 0, 4, 0, 0, 0), 512);
    assert_int_equal(model_surface_offset(&s, 0, 32, 0, 0, 0), 4096);
    assert_int_equal(model_surface_offset(&s, 0, 37, 33, 0, 0), 9 * 4096 + 512 + 16 + 4);

    /* W: tiles of 64 by 64 bytes; the pitch counts pairs of rows. */
    d = fixture_surface(I965_SURFACE_FORMAT_R8_UINT, I965_TILE_MODE_WMAJOR, 128, 128, 256);
    s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 0, 1, 0, 0, 0), 1);
    assert_int_equal(model_surface_offset(&s, 0, 0, 1, 0, 0), 2);
    assert_int_equal(model_surface_offset(&s, 0, 2, 0, 0, 0), 4);
    assert_int_equal(model_surface_offset(&s, 0, 0, 2, 0, 0), 8);
    assert_int_equal(model_surface_offset(&s, 0, 4, 4, 0, 0), 16 + 32);
    assert_int_equal(model_surface_offset(&s, 0, 0, 8, 0, 0), 64);
    assert_int_equal(model_surface_offset(&s, 0, 8, 0, 0, 0), 512);
    assert_int_equal(model_surface_offset(&s, 0, 63, 63, 0, 0), 4095);
    assert_int_equal(model_surface_offset(&s, 0, 64, 64, 0, 0), 3 * 4096);
    fixture_finish(&f);
}

/* Levels of a 2D array: 1 below 0, 2 at the right of 1, the others below 2. */
static void test_levels(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_LINEAR, 20, 12, 128);
    d.surface_array = true;
    d.depth = 2;
    d.mip_count_lod = 4;
    d.surface_qpitch = 24 / 4;
    struct model_surface s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 1, 0, 0, 0, 0), 12 * 128);
    assert_int_equal(model_surface_offset(&s, 2, 0, 0, 0, 0), 12 * 128 + 12 * 4);
    assert_int_equal(model_surface_offset(&s, 3, 1, 0, 0, 0), 16 * 128 + 13 * 4);
    assert_int_equal(model_surface_offset(&s, 4, 0, 0, 0, 0), 20 * 128 + 12 * 4);
    assert_int_equal(model_surface_offset(&s, 0, 2, 1, 2, 0), (48 + 1) * 128 + 8);

    /* Elements of compressed formats are blocks. */
    d = fixture_surface(I965_SURFACE_FORMAT_BC1_UNORM, I965_TILE_MODE_LINEAR, 32, 32, 128);
    d.mip_count_lod = 2;
    s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 0, 7, 5, 0, 0), 128 + 8);
    assert_int_equal(model_surface_offset(&s, 1, 0, 0, 0, 0), 8 * 128);
    assert_int_equal(model_surface_offset(&s, 2, 0, 0, 0, 0), 8 * 128 + 4 * 8);

    /* Levels of linear 1D surfaces follow one another, aligned to 64 texels. */
    d = fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_LINEAR, 100, 1, 1024);
    d.surface_type = I965_SURFACE_TYPE_SURFTYPE_1D;
    d.surface_array = true;
    d.depth = 1;
    d.mip_count_lod = 1;
    d.surface_qpitch = 256 / 4;
    s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 1, 3, 0, 1, 0), (256 + 128 + 3) * 4);
    fixture_finish(&f);
}

static void test_samples(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_YMAJOR, 16, 16, 128);
    d.number_of_multisamples = I965_NUMBER_OF_MULTISAMPLES_MULTISAMPLECOUNT_4;
    d.surface_qpitch = 32 / 4;
    struct model_surface s = surface(&f, &d);
    /* Each sample has its slice. */
    assert_int_equal(model_surface_offset(&s, 0, 0, 0, 1, 2), 6 * 4096);

    /* Interleaved: blocks of 2×2 pixels, then samples 0, 1 across and 2, 3 down. */
    d.multisampled_surface_storage_format = 1;
    d.surface_format = I965_SURFACE_FORMAT_R32_FLOAT;
    s = surface(&f, &d);
    assert_int_equal(model_surface_offset(&s, 0, 1, 0, 0, 0), 4);
    assert_int_equal(model_surface_offset(&s, 0, 0, 0, 0, 1), 8);
    assert_int_equal(model_surface_offset(&s, 0, 0, 1, 0, 0), 16);
    assert_int_equal(model_surface_offset(&s, 0, 0, 0, 0, 2), 32);
    assert_int_equal(model_surface_offset(&s, 0, 2, 0, 0, 0), 512);
    assert_int_equal(model_surface_offset(&s, 0, 3, 3, 0, 3), 512 + 12 + 7 * 16);
    fixture_finish(&f);
}

static void test_texels(void **state)
{
    static const struct {
        uint32_t format;
        uint8_t bytes[16];
        float value[4];
    } cases[] = {
        {I965_SURFACE_FORMAT_R8G8B8A8_UNORM, {255, 0, 51, 102}, {1, 0, 0.2f, 0.4f}},
        {I965_SURFACE_FORMAT_B8G8R8A8_UNORM, {255, 0, 51, 102}, {0.2f, 0, 1, 0.4f}},
        {I965_SURFACE_FORMAT_B8G8R8X8_UNORM, {255, 0, 51, 102}, {0.2f, 0, 1, 1}},
        {I965_SURFACE_FORMAT_R8G8B8A8_SNORM, {0x7f, 0x81, 0, 0x80}, {1, -1, 0, -1}},
        {I965_SURFACE_FORMAT_B5G6R5_UNORM, {0x00, 0xf8}, {1, 0, 0, 1}},
        {I965_SURFACE_FORMAT_R10G10B10A2_UNORM, {0xff, 0x03, 0, 0xc0}, {1, 0, 0, 1}},
        {I965_SURFACE_FORMAT_R16G16_FLOAT, {0, 0x3c, 0, 0xc0}, {1, -2, 0, 1}},
        {I965_SURFACE_FORMAT_A8_UNORM, {255}, {0, 0, 0, 1}},
        {I965_SURFACE_FORMAT_L8A8_UNORM, {51, 255}, {0.2f, 0.2f, 0.2f, 1}},
        {I965_SURFACE_FORMAT_I8_UNORM, {255}, {1, 1, 1, 1}},
        {I965_SURFACE_FORMAT_R24_UNORM_X8_TYPELESS, {0xff, 0xff, 0xff, 3}, {1, 0, 0, 1}},
        {I965_SURFACE_FORMAT_R8G8B8A8_UNORM_SRGB, {255, 0, 255, 255}, {1, 0, 1, 1}},
        {I965_SURFACE_FORMAT_B10G10R10X2_UNORM, {0xff, 0x03, 0, 0}, {0, 0, 1, 1}},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct model_format format = model_format_by_number(cases[i].format);
        uint32_t bits[4];
        float value[4];
        assert_true(format.kind == MODEL_TEXEL_FLOAT || format.kind == MODEL_TEXEL_DEPTH);
        model_texel_unpack(&format, cases[i].bytes, bits);
        memcpy(value, bits, sizeof value);
        for (unsigned c = 0; c < 4; c++)
            assert_float_equal(value[c], cases[i].value[c], 1e-6);
    }
    struct model_format stencil = model_format_by_number(I965_SURFACE_FORMAT_X24_TYPELESS_G8_UINT);
    uint32_t bits[4];
    model_texel_unpack(&stencil, (const uint8_t[]){1, 2, 3, 77}, bits);
    assert_int_equal(bits[0], 0);
    assert_int_equal(bits[1], 77);
    struct model_format bc1 = model_format_by_number(I965_SURFACE_FORMAT_BC1_UNORM);
    struct model_block block;
    model_block_unpack(&bc1, (const uint8_t[]){0, 0xf8, 0x1f, 0, 0x04, 0, 0, 0}, &block);
    assert_float_equal(block.texel[0][0], 1.0f, 1e-6); /* Red, then blue. */
    assert_float_equal(block.texel[1][2], 1.0f, 1e-6);
    assert_float_equal(block.texel[1][0], 0.0f, 1e-6);
    uint8_t mask[16];
    struct model_format rgb565 = model_format_by_number(I965_SURFACE_FORMAT_B5G6R5_UNORM);
    model_texel_write_mask(&rgb565, 2, mask);
    assert_int_equal(mask[0], 0xe0);
    assert_int_equal(mask[1], 0x07);
}

/* Every texel of every level and slice of a surface with Yf tiles and a mip tail has its own
 * memory, within the tiles that the pitch and the distance of slices give it. */
static void test_tiled_resource(void **state)
{
    static const uint32_t types[] = {I965_SURFACE_TYPE_SURFTYPE_2D, I965_SURFACE_TYPE_SURFTYPE_3D};

    for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
        static uint8_t used[8 * 96 * 256 / 4]; /* Tiles have eight slices. */
        struct fixture f;
        fixture_init(&f);
        struct i965_render_surface_state d =
            fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_YMAJOR, 64, 64, 256);
        d.surface_type = types[t];
        d.surface_array = types[t] == I965_SURFACE_TYPE_SURFTYPE_2D;
        d.depth = 3;
        d.mip_count_lod = 6;
        d.surface_qpitch = 96 / 4;
        d.tiled_resource_mode = I965_RENDER_SURFACE_STATE_TILED_RESOURCE_MODE_4KB;
        d.mip_tail_start_lod = types[t] == I965_SURFACE_TYPE_SURFTYPE_2D ? 2 : 3;
        struct model_surface s = surface(&f, &d);
        memset(used, 0, sizeof used);
        for (unsigned level = 0; level < 7; level++) {
            const unsigned slices =
                types[t] == I965_SURFACE_TYPE_SURFTYPE_3D ? model_minify(4, level) : 4;
            for (unsigned i = 0; i < slices * (64u >> level) * (64u >> level); i++) {
                uint64_t at = model_surface_offset(&s, level, i % (64u >> level),
                                                   i / (64u >> level) % (64u >> level),
                                                   i / (64u >> level) / (64u >> level), 0);
                assert_true(at % 4 == 0 && at / 4 < ARRAY_SIZE(used));
                assert_int_equal(used[at / 4]++, 0);
            }
        }
        fixture_finish(&f);
    }
}

/* Each of these states is refused, and the error names the field. */
static void test_errors(void **state)
{
    static const struct {
        const char *field;
        uint32_t format, tile, type, pitch, samples, tiled_resource;
        uint64_t address;
    } cases[] = {
        {"Surface Type", 199, 0, 5, 64, 0, 0, FIXTURE_ADDRESS},
        {"Surface Format", 331, 0, 1, 64, 0, 0, FIXTURE_ADDRESS},
        {"Surface Format", 1023, 0, 1, 64, 0, 0, FIXTURE_ADDRESS},
        {"Surface Pitch", 199, 3, 1, 64, 0, 0, FIXTURE_ADDRESS},
        {"Surface Base Address", 199, 3, 1, 128, 0, 0, FIXTURE_ADDRESS + 64},
        {"Tile Mode", 199, 1, 1, 128, 0, 0, FIXTURE_ADDRESS},
        {"Tile Mode", I965_SURFACE_FORMAT_R32G32B32_FLOAT, 3, 1, 128, 0, 0, FIXTURE_ADDRESS},
        {"Number of Multisamples", 199, 3, 1, 128, 7, 0, FIXTURE_ADDRESS},
        {"Tiled Resource Mode", 199, 3, 1, 128, 0, 3, FIXTURE_ADDRESS},
        {"Tiled Resource Mode", 199, 3, 1, 128, 2, 1, FIXTURE_ADDRESS},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct fixture f;
        struct model_surface s;
        fixture_init(&f);
        struct i965_render_surface_state d =
            fixture_surface(cases[i].format, cases[i].tile, 16, 16, cases[i].pitch);
        d.surface_type = cases[i].type;
        d.number_of_multisamples = cases[i].samples;
        d.tiled_resource_mode = cases[i].tiled_resource;
        d.surface_base_address = cases[i].address;
        assert_false(model_surface_init(&s, &f.ctx, &d));
        assert_non_null(strstr(f.error, cases[i].field));
        fixture_finish(&f);
    }
}

/* Memory that is not mapped has no bytes, also where a surface runs past the end of a mapping. */
static void test_unmapped(void **state)
{
    struct fixture f;
    fixture_init(&f);
    struct i965_render_surface_state d =
        fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_LINEAR, 64, 64, 256);
    d.surface_base_address = FIXTURE_ADDRESS + FIXTURE_BYTES - 260;
    struct model_surface s = surface(&f, &d);
    assert_ptr_equal(model_surface_texel(&s, 0, 0, 1, 0, 0), f.bytes + FIXTURE_BYTES - 4);
    assert_null(model_surface_texel(&s, 0, 1, 1, 0, 0));
    d.surface_base_address = 0x1000;
    s = surface(&f, &d);
    assert_null(model_surface_texel(&s, 0, 0, 0, 0, 0));
    d.surface_type = I965_SURFACE_TYPE_SURFTYPE_BUFFER;
    d.surface_format = I965_SURFACE_FORMAT_RAW;
    d.surface_pitch = 0;
    d.width = 0x7f;
    d.height = 0x3fff;
    d.depth = 3;
    s = surface(&f, &d);
    assert_int_equal(model_buffer_size(&s), 0x800000);
    fixture_finish(&f);
}

/* Formats with their own conversions give the same texels as util/format.h. */
static void test_packing(void **state)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, 0.5f, NAN, INFINITY, -INFINITY};
    uint32_t seed = 1;

    for (unsigned number = 0; number < 512; number++) {
        const struct model_format f = model_format_by_number(number);
        if (f.kind != MODEL_TEXEL_FLOAT || f.compressed || f.bytes > 16)
            continue;
        for (unsigned i = 0; i < 500; i++) {
            uint8_t ours[16] = {0}, theirs[16] = {0};
            float color[1][4];
            uint32_t bits[4];
            for (unsigned c = 0; c < 4; c++) {
                seed = seed * 1664525 + 1013904223;
                color[0][c] = seed >> 28 ? (float)(seed >> 8 & 0xffff) / 65280.0f
                                         : special[(seed >> 8) % ARRAY_SIZE(special)];
            }
            memcpy(bits, color, sizeof bits);
            model_texel_pack(&f, ours, bits);
            util_format_pack_float(f.drv, theirs, (const float(*)[4])color, 1);
            if (memcmp(ours, theirs, f.bytes))
                fail_msg("format %u: (%g, %g, %g, %g)", number, (double)color[0][0],
                         (double)color[0][1], (double)color[0][2], (double)color[0][3]);
        }
    }
}

/* The marks of blocks of 8×4 texels are 2 bits each in the control surface. */
static void test_control_surface(void **state)
{
    static const uint32_t at[][2] = {{0, 0},      {8, 0},    {9, 3},  {63, 4},
                                     {1023, 511}, {1024, 0}, {0, 512}};
    const uint32_t control = 0x40000;
    struct fixture f;
    struct model_surface s;

    fixture_init(&f);
    struct i965_render_surface_state surface =
        fixture_surface(I965_SURFACE_FORMAT_R8G8B8A8_UNORM, I965_TILE_MODE_YMAJOR, 2000, 600, 8192);
    surface.auxiliary_surface_mode = I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_E;
    surface.auxiliary_surface_base_address = FIXTURE_ADDRESS + control;
    surface.auxiliary_surface_pitch = 1; /* Two tiles. */
    memset(f.bytes, 0xaa, FIXTURE_BYTES);
    memset(f.bytes + control, 0, 4 * 4096);
    assert_true(model_surface_init(&s, &f.ctx, &surface));
    unsigned bits = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(at); i++) {
        model_surface_mark(&s, at[i][0], at[i][1]);
        unsigned now = 0;
        for (unsigned b = 0; b < 4 * 4096; b++)
            now += (unsigned)__builtin_popcount(f.bytes[control + b]);
        assert_int_equal(now,
                         i == 2 ? bits : bits + 2); /* The third texel is in the second block. */
        bits = now;
    }
    assert_true(f.bytes[control + 4096] && f.bytes[control + 2 * 4096]);
    model_surface_mark(&s, 5000, 5000); /* Outside of the control surface. */
    model_surface_unmark(&s, &(const struct model_region){0, 0, 2000, 600});
    for (unsigned b = 0; b < FIXTURE_BYTES; b++)
        assert_int_equal(f.bytes[b], b >= control && b < control + 4 * 4096 ? 0 : 0xaa);
    fixture_finish(&f);
}

#define CLEAR_SIZE 32u

/* Decodes a surface with a clear color for a new draw, and gives its cleared blocks that color. */
static void decode_with_color(struct fixture *f, struct i965_render_surface_state *state,
                              float color, struct model_surface *s)
{
    uint32_t bits;

    memcpy(&bits, &color, sizeof bits);
    state->red_clear_color = bits;
    model_clears_start(&f->ctx);
    assert_true(model_surface_init(s, &f->ctx, state));
    assert_true(model_surface_expand(s));
}

static float texel_value(const struct model_surface *s, uint32_t x, uint32_t y, unsigned sample)
{
    const uint8_t *texel = model_surface_texel(s, 0, x, y, 0, sample);
    float value;

    assert_non_null(texel);
    memcpy(&value, texel, sizeof value);
    return value;
}

/* Returns how many samples have a value. */
static unsigned count_values(const struct model_surface *s, float value)
{
    unsigned count = 0;

    for (uint32_t y = 0; y < CLEAR_SIZE; y++) {
        for (uint32_t x = 0; x < CLEAR_SIZE; x++) {
            for (unsigned i = 0; i < 1u << s->samples_log2; i++)
                count += texel_value(s, x, y, i) == value;
        }
    }
    return count;
}

/* Blocks that are cleared have the clear color of the latest surface state, until a texel is
 * written or the surface is resolved. block: number of texels of a block. */
static void check_clears(unsigned samples_log2, unsigned mode, unsigned block)
{
    const unsigned all = CLEAR_SIZE * CLEAR_SIZE << samples_log2;
    const struct model_region region = {0, 0, CLEAR_SIZE, CLEAR_SIZE};
    const float five = 5.0f;
    struct fixture f;
    struct model_surface s;

    fixture_init(&f);
    assert_true(model_clears_create(&f.ctx));
    struct i965_render_surface_state state =
        fixture_surface(I965_SURFACE_FORMAT_R32_FLOAT, I965_TILE_MODE_YMAJOR, CLEAR_SIZE,
                        CLEAR_SIZE, CLEAR_SIZE * 4);
    state.number_of_multisamples = samples_log2;
    state.surface_qpitch = CLEAR_SIZE / 4;
    state.auxiliary_surface_mode = mode;
    state.auxiliary_surface_base_address = FIXTURE_ADDRESS + 0x40000;
    state.auxiliary_surface_pitch = samples_log2 == 4 ? 1 : 0;
    decode_with_color(&f, &state, 1.0f, &s);
    assert_int_equal(count_values(&s, 1.0f), 0);
    model_surface_mark_clear(&s, &region);
    decode_with_color(&f, &state, 2.0f, &s);
    assert_int_equal(count_values(&s, 2.0f), all);
    memcpy(model_surface_texel(&s, 0, 9, 5, 0, 0), &five, sizeof five);
    model_surface_mark(&s, 9, 5);
    assert_false(model_surface_is_clear(&s, 9, 5));
    assert_true(model_surface_is_clear(&s, 7, 5));
    decode_with_color(&f, &state, 3.0f, &s);
    assert_int_equal(count_values(&s, 3.0f), all - (block << samples_log2));
    assert_int_equal(count_values(&s, 2.0f), (block << samples_log2) - 1);
    assert_float_equal(texel_value(&s, 9, 5, 0), 5, 0);
    model_surface_unmark_clear(&s, &region);
    assert_false(model_surface_is_clear(&s, 7, 5));
    decode_with_color(&f, &state, 4.0f, &s);
    assert_int_equal(count_values(&s, 4.0f), 0);
    assert_int_equal(count_values(&s, 3.0f), all - (block << samples_log2));
    model_clears_destroy(&f.ctx);
    fixture_finish(&f);
}

static void test_clears(void **state)
{
    check_clears(0, I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_E, 32);
    check_clears(0, I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_D, 32);
    for (unsigned samples_log2 = 1; samples_log2 <= 4; samples_log2++)
        check_clears(samples_log2, I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_D, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),        cmocka_unit_test(test_control_surface),
        cmocka_unit_test(test_tiles),          cmocka_unit_test(test_levels),
        cmocka_unit_test(test_samples),        cmocka_unit_test(test_texels),
        cmocka_unit_test(test_errors),         cmocka_unit_test(test_unmapped),
        cmocka_unit_test(test_tiled_resource), cmocka_unit_test(test_clears),
    };

    return cmocka_run_group_tests_name("model surfaces", tests, NULL, NULL);
}
