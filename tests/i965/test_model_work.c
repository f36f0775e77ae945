/* SPDX-License-Identifier: MIT */
/*
 * The limit of an execution's work: what the model does without instructions counts, too. Each test
 * runs an operation with exactly the work that it needs, and with one unit less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_command.h"
#include "model_fixture.h"
#include "model_geometry.h"
#include "model_raster.h"
#include "model_sampler.h"
#include "model_strict.h"

#define WIDTH       64u
#define HEIGHT      32u
#define TABLE       0x40000u                                      /* Offset of a binding table. */
#define SURFACE     0x41000u                                      /* Offset of its surface state. */
#define TEXELS_WORK ((uint64_t)WIDTH * HEIGHT * MODEL_WORK_TEXEL) /* Of a surface. */
#define TOO_MUCH    "it executes too many instructions"

/* Calls operation() for a new fixture with an amount of work. Returns whether it succeeds; if not,
 * the error must be the limit. */
static bool with_work(struct fixture *f, bool (*operation)(struct fixture *f), uint64_t work)
{
    fixture_init(f);
    f->ctx.instructions_left = work;
    bool done = operation(f);
    if (!done && !strstr(f->error, TOO_MUCH))
        fail_msg("%s", f->error);
    if (done)
        assert_int_equal(f->ctx.instructions_left, 0);
    return done;
}

static float float_at(const struct fixture *f, uint32_t offset)
{
    float value;

    memcpy(&value, f->bytes + offset, sizeof value);
    return value;
}

static bool clear_depth(struct fixture *f)
{
    struct model_state *s = &f->ctx.state;

    s->seen[I965_3DSTATE_DEPTH_BUFFER / 32] |= 1u << I965_3DSTATE_DEPTH_BUFFER % 32;
    s->depth_buffer = (struct i965_3dstate_depth_buffer){
        .surface_type = I965_SURFACE_TYPE_SURFTYPE_2D,
        .surface_format = I965_DEPTH_FORMAT_D32_FLOAT,
        .depth_write_enable = true,
        .width = WIDTH - 1,
        .height = HEIGHT - 1,
        .surface_pitch = WIDTH * 4 - 1,
        .surface_base_address = FIXTURE_ADDRESS,
    };
    s->clear_params.depth_clear_value = 0.25f;
    s->wm_hz_op.depth_buffer_clear_enable = true;
    s->wm_hz_op.full_surface_depth_and_stencil_clear = true;
    return model_hz_op(&f->ctx);
}

static void test_depth_clear(void **state)
{
    struct fixture f;

    assert_false(with_work(&f, clear_depth, TEXELS_WORK - 1));
    assert_float_equal(float_at(&f, 0), 0, 0);
    fixture_finish(&f);
    assert_true(with_work(&f, clear_depth, TEXELS_WORK));
    assert_float_equal(float_at(&f, 0), 0.25, 0);
    assert_float_equal(float_at(&f, WIDTH * HEIGHT * 4 - 4), 0.25, 0);
    fixture_finish(&f);
}

/* Makes entry 0 of the binding table a surface whose clear color is 0.75. */
static void set_target(struct fixture *f, uint32_t format)
{
    struct i965_render_surface_state d =
        fixture_surface(format, I965_TILE_MODE_LINEAR, WIDTH, HEIGHT, WIDTH * 4);
    const float clear = 0.75f;
    const uint32_t entry = SURFACE;
    struct i965_packet_error error;
    uint32_t dwords[16];

    memcpy(&d.red_clear_color, &clear, sizeof clear);
    assert_int_equal(i965_pack(I965_GENERATION_9, I965_RENDER_SURFACE_STATE, &d, dwords,
                               ARRAY_SIZE(dwords), &error),
                     ARRAY_SIZE(dwords));
    memcpy(f->bytes + SURFACE, dwords, sizeof dwords);
    memcpy(f->bytes + TABLE, &entry, sizeof entry);
}

static bool clear_format(struct fixture *f, uint32_t format)
{
    /* A rectangle of one pixel, which stands for the whole target. */
    static const float vertex[3][8] = {{[4] = 1, 1, 0, 1}, {[4] = 0, 1, 0, 1}, {[4] = 0, 0, 0, 1}};
    struct model_pixel pixel = {.window = {{0, 0, WIDTH, HEIGHT}}};
    struct model_primitive rectangle = {.kind = MODEL_RECTANGLE};
    uint32_t slot[3][2][4];

    memcpy(slot, vertex, sizeof slot);
    for (unsigned i = 0; i < 3; i++)
        rectangle.v[i] = (struct model_vertex){(const uint32_t(*)[4])slot[i], 2};
    set_target(f, format);
    f->ctx.pixel = &pixel;
    f->ctx.state.clip.perspective_divide_disable = true;
    f->ctx.state.ps.render_target_fast_clear_enable = true;
    assert_true(model_env_init(&pixel.env, &f->ctx, MODEL_PS, TABLE, 0));
    bool done = model_emit_primitive(&f->ctx, &rectangle);
    model_env_finish(&pixel.env);
    return done;
}

static bool clear_color(struct fixture *f)
{
    return clear_format(f, I965_SURFACE_FORMAT_R32_FLOAT);
}

static void test_fast_clear(void **state)
{
    struct fixture f;

    assert_false(with_work(&f, clear_color, TEXELS_WORK - 1));
    assert_float_equal(float_at(&f, 0), 0, 0);
    fixture_finish(&f);
    assert_true(with_work(&f, clear_color, TEXELS_WORK));
    assert_float_equal(float_at(&f, 0), 0.75, 0);
    assert_float_equal(float_at(&f, WIDTH * HEIGHT * 4 - 4), 0.75, 0);
    fixture_finish(&f);
}

static void test_compressed_clear(void **state)
{
    struct fixture f;

    fixture_init(&f);
    assert_false(clear_format(&f, I965_SURFACE_FORMAT_BC1_UNORM));
    assert_non_null(strstr(f.error, "the format has no fast clear"));
    fixture_finish(&f);
}

/* A triangle whose bounds have four blocks of 16×16 pixels. One of them is outside. */
static bool scan_triangle(struct fixture *f)
{
    static const int32_t corner[3][2] = {{0, 0}, {31 * 256, 0}, {0, 31 * 256}};
    struct model_setup setup = {.kind = MODEL_TRIANGLE};
    struct model_polygon polygon;
    uint32_t tile;
    struct model_pixel pixel = {.samples = 1, .sample_mask = 1, .window = {{0, 0, 64, 64}}};
    struct model_fragments fragments = {.ctx = &f->ctx, .setup = &setup};

    f->ctx.pixel = &pixel;
    model_polygon_init(&polygon, &pixel, &setup, corner, 3);
    return model_scan_polygon(&fragments, &polygon, 1, 0, &tile);
}

static void test_scan(void **state)
{
    struct fixture f;
    const unsigned quads = 3 * 16 * 16 / 4;

    assert_false(with_work(&f, scan_triangle, quads * 4));
    fixture_finish(&f);
    assert_true(with_work(&f, scan_triangle, quads * 4 + 1));
    fixture_finish(&f);
}

/* Writes a kernel of 255 equal instructions and an end of thread. */
static void write_kernel(struct fixture *f, const struct eu_inst *inst)
{
    const struct eu_inst end = {
        .opcode = EU_OPCODE_SEND,
        .exec_size = 8,
        .eot = true,
        .sfid = EU_SFID_THREAD_SPAWNER,
        .desc = 1u << 25,
        .dst = {.file = EU_FILE_ARF, .hstride = 1},
        .src = {{.file = EU_FILE_GRF, .nr = 127}},
    };
    const char *error;
    uint64_t word[2];

    for (unsigned i = 0; i < 256; i++) {
        assert_true(eu_encode(f->ctx.device, i < 255 ? inst : &end, word, &error));
        memcpy(f->bytes + i * 16, word, sizeof word);
    }
}

/* Decodes a kernel. */
static bool decode_kernel(struct fixture *f)
{
    write_kernel(f, &(const struct eu_inst){.opcode = EU_OPCODE_NOP});
    f->ctx.state.instruction = f->ctx.state.dynamic;
    assert_true(model_programs_create(&f->ctx));
    const struct sim_program *program = model_program(&f->ctx, "kernel", 0, NULL);
    if (program) /* It is decoded only once, but compared with memory. */
        assert_ptr_equal(model_program(&f->ctx, "kernel", 0, NULL), program);
    model_programs_destroy(&f->ctx);
    return program;
}

static void test_decode(void **state)
{
    struct fixture f;

    assert_false(with_work(&f, decode_kernel, 256 * 16 - 1));
    fixture_finish(&f);
    assert_true(with_work(&f, decode_kernel, 256 * 16 + 256 * 16 / 64 * MODEL_WORK_LINE));
    fixture_finish(&f);
}

/* Returns the work of a thread that executes an instruction 255 times and ends. */
static uint64_t thread_work(const struct eu_inst *inst)
{
    struct model_env env = {0};
    struct fixture f;
    struct sim_thread t;

    fixture_init(&f);
    write_kernel(&f, inst);
    f.ctx.state.instruction = f.ctx.state.dynamic;
    env.ctx = &f.ctx;
    assert_true(model_programs_create(&f.ctx));
    const struct sim_program *program = model_program(&f.ctx, "kernel", 0, NULL);
    assert_non_null(program);
    sim_thread_init(&t, program, &env.base, 0xff);
    const uint64_t left = f.ctx.instructions_left;
    assert_true(model_run_thread(&f.ctx, &t, "kernel", NULL));
    const uint64_t work = left - f.ctx.instructions_left;
    model_programs_destroy(&f.ctx);
    fixture_finish(&f);
    return work;
}

/* The start of a thread, messages and mathematical functions take more work than other
 * instructions. */
static void test_thread(void **state)
{
    const struct eu_reg grf = {.file = EU_FILE_GRF, .nr = 10, .type = EU_TYPE_F, .hstride = 1};
    const struct eu_inst math = {.opcode = EU_OPCODE_MATH,
                                 .exec_size = 8,
                                 .math = EU_MATH_SIN,
                                 .dst = grf,
                                 .src = {{.file = EU_FILE_GRF,
                                          .nr = 10,
                                          .type = EU_TYPE_F,
                                          .vstride = 8,
                                          .width = 8,
                                          .hstride = 1}}};

    assert_int_equal(thread_work(&(const struct eu_inst){.opcode = EU_OPCODE_NOP}),
                     MODEL_WORK_THREAD + 256 + MODEL_WORK_SLOW);
    assert_int_equal(thread_work(&math), MODEL_WORK_THREAD + 256 + 256 * MODEL_WORK_SLOW);
}

/* A pixel shader writes eight pixels with four samples each, none of which is covered. */
static bool write_pixels(struct fixture *f)
{
    struct model_setup setup = {.kind = MODEL_TRIANGLE};
    struct model_fragments fragments = {.ctx = &f->ctx, .setup = &setup};
    struct model_pixel pixel = {.samples = 4};
    const struct sim_render_write write = {.channels = 8};

    set_target(f, I965_SURFACE_FORMAT_R32_FLOAT);
    f->ctx.pixel = &pixel;
    assert_true(model_env_init(&pixel.env, &f->ctx, MODEL_PS, TABLE, 0));
    pixel.env.pixel = &fragments;
    bool done = model_merge_write(&pixel.env.base, &write);
    model_env_finish(&pixel.env);
    return done;
}

static void test_write(void **state)
{
    const uint64_t work = 8 * 4 * (uint64_t)MODEL_WORK_TEXEL;
    struct fixture f;

    assert_false(with_work(&f, write_pixels, work - 1));
    fixture_finish(&f);
    assert_true(with_work(&f, write_pixels, work));
    fixture_finish(&f);
}

/* Fills a rectangle of 8 by 4 pixels pixel by pixel. */
static bool fill(struct fixture *f)
{
    const struct i965_xy_color_blt blt = {
        .color_depth = I965_BLT_COLOR_DEPTH_32_BIT,
        .write_rgb = true,
        .write_alpha = true,
        .raster_operation = 0xf0, /* the color */
        .destination_pitch = 64,
        .destination_x2 = 8,
        .destination_y2 = 4,
        .destination_base_address = FIXTURE_ADDRESS,
        .solid_pattern_color = 0x3e800000, /* 0.25 */
    };
    struct i965_packet_error error;
    struct model_parser p = {.id = I965_XY_COLOR_BLT};

    p.count = i965_pack(I965_GENERATION_9, p.id, &blt, p.dwords, ARRAY_SIZE(p.dwords), &error);
    assert_int_not_equal(p.count, 0);
    return model_color_blt(&f->ctx, &p);
}

static void test_blit(void **state)
{
    const uint64_t work = 8 * 4 * 2 * (uint64_t)MODEL_WORK_TEXEL;
    struct fixture f;

    assert_false(with_work(&f, fill, work - 1));
    assert_float_equal(float_at(&f, 0), 0, 0);
    fixture_finish(&f);
    assert_true(with_work(&f, fill, work));
    assert_float_equal(float_at(&f, 0), 0.25, 0);
    assert_float_equal(float_at(&f, 3 * 64 + 7 * 4), 0.25, 0);
    fixture_finish(&f);
}

/* The work of a sample depends on how many texels its filter can read. */
static void test_sample(void **state)
{
    struct model_sampler sampler = {
        .state = {.min_mode_filter = I965_MAP_FILTER_LINEAR, .maximum_anisotropy = 7}};

    assert_int_equal(model_sampler_work(NULL), MODEL_WORK_TEXEL);
    assert_int_equal(model_sampler_work(&sampler), MODEL_WORK_TEXEL);
    sampler.state.min_mode_filter = I965_MAP_FILTER_ANISOTROPIC;
    assert_int_equal(model_sampler_work(&sampler), 16 * MODEL_WORK_TEXEL);
}

/* Returns a PIPE_CONTROL that flushes or invalidates one cache. */
static struct i965_pipe_control synchronize(enum model_cache cache)
{
    return (struct i965_pipe_control){
        .render_target_cache_flush_enable = cache == MODEL_CACHE_RENDER,
        .depth_cache_flush_enable = cache == MODEL_CACHE_DEPTH,
        .dc_flush_enable = cache == MODEL_CACHE_DATA,
        .pipe_control_flush_enable = cache == MODEL_CACHE_STREAM,
        .texture_cache_invalidation_enable = cache == MODEL_CACHE_TEXTURE,
        .constant_cache_invalidation_enable = cache == MODEL_CACHE_CONSTANT,
        .state_cache_invalidation_enable = cache == MODEL_CACHE_STATE,
        .vf_cache_invalidation_enable = cache == MODEL_CACHE_VERTEX,
        .instruction_cache_invalidate_enable = cache == MODEL_CACHE_INSTRUCTION,
    };
}

/* Writes by one cache, synchronizes others, and reads by another cache. Returns whether the read is
 * valid. */
static bool is_valid_read(enum model_cache writer, enum model_cache reader, bool flush,
                          bool invalidate)
{
    struct i965_pipe_control pc;
    struct fixture f;

    fixture_init(&f);
    assert_true(model_strict_create(&f.ctx));
    model_strict_start(&f.ctx);
    model_writes(&f.ctx, writer, FIXTURE_ADDRESS + 100, 40);
    if (flush) {
        pc = synchronize(writer);
        model_strict_pipe_control(&f.ctx, &pc);
    }
    if (invalidate) {
        pc = synchronize(reader);
        model_strict_pipe_control(&f.ctx, &pc);
    }
    model_reads(&f.ctx, reader, FIXTURE_ADDRESS + 192, 64); /* The next line, never written. */
    assert_string_equal(f.error, "");
    model_reads(&f.ctx, reader, FIXTURE_ADDRESS, 192);
    const bool valid = !f.error[0];
    model_strict_destroy(&f.ctx);
    fixture_finish(&f);
    return valid;
}

static void test_caches(void **state)
{
    for (unsigned w = 0; w <= MODEL_CACHE_STREAM; w++) {
        for (unsigned r = 0; r < MODEL_CACHES; r++) {
            const bool flushes = w == MODEL_CACHE_COMMAND;
            const bool invalidates = r < MODEL_CACHE_TEXTURE;
            for (unsigned bits = 0; bits < 4 && r != w; bits++) {
                const bool valid = ((bits & 1) || flushes) && ((bits & 2) || invalidates);
                if (is_valid_read((enum model_cache)w, (enum model_cache)r, bits & 1, bits & 2) !=
                    valid)
                    fail_msg("writer %u, reader %u, flush and invalidation %u", w, r, bits);
            }
            if (r == w)
                assert_true(is_valid_read((enum model_cache)w, (enum model_cache)r, false, false));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_clear),      cmocka_unit_test(test_fast_clear),
        cmocka_unit_test(test_compressed_clear), cmocka_unit_test(test_scan),
        cmocka_unit_test(test_decode),           cmocka_unit_test(test_thread),
        cmocka_unit_test(test_caches),           cmocka_unit_test(test_blit),
        cmocka_unit_test(test_sample),           cmocka_unit_test(test_write),
    };

    return cmocka_run_group_tests_name("model work", tests, NULL, NULL);
}
