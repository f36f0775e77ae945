/* SPDX-License-Identifier: MIT */
/*
 * Pass-through shaders for the CPU driver kernels that run before and after EU threads. They copy
 * inputs to outputs, so that the kernel performs just the hardware's fixed functions.
 */
#include "driver/cpu/kernel/cpu_lower.h"
#include "i965_driver.h"
#include "nir/nir_builder.h"

static nir_shader *finish(nir_builder *b)
{
    nir_shader_gather_info(b->shader);
    return b->shader;
}

static void store(nir_builder *b, unsigned slot, nir_def *value, nir_alu_type type)
{
    nir_store_output(b, value, nir_imm_int(b, 0), .src_type = type,
                     .io_semantics = {.location = slot, .num_slots = 1});
}

/* --------------------------------------------------------------------------------- vertex --- */

/* Returns the type that the application reads an attribute as; NULL if it does not. */
static const struct glsl_type *attribute_type(const nir_shader *app, unsigned attrib)
{
    nir_foreach_shader_in_variable(var, (nir_shader *)app)
    {
        unsigned slots = MAX2(glsl_count_attribute_slots(var->type, true), 1);
        if (attrib >= (unsigned)var->data.location && attrib < var->data.location + slots)
            return glsl_without_array(var->type);
    }
    return NULL;
}

/* Loads the dwords of half an attribute with 64-bit components. */
static nir_def *load_half(nir_builder *b, unsigned attrib, unsigned half)
{
    nir_def *all = nir_load_input(b, 4, 64, nir_imm_int(b, 0), .dest_type = nir_type_float64,
                                  .io_semantics = {.location = attrib, .num_slots = 1});
    nir_def *words[4];

    for (unsigned i = 0; i < 2; i++) {
        nir_def *component = nir_channel(b, all, 2 * half + i);
        words[2 * i] = nir_unpack_64_2x32_split_x(b, component);
        words[2 * i + 1] = nir_unpack_64_2x32_split_y(b, component);
    }
    return nir_vec(b, words, 4);
}

/* Copies attribute inputs[i] to varying i. */
nir_shader *i965_fetch_shader(const struct i965_prog_data *data, const nir_shader *app)
{
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_VERTEX, &cpu_nir_options, "fetch");

    for (unsigned i = 0; i < data->vs.num_inputs; i++) {
        unsigned attrib = data->vs.inputs[i] / I965_ATTRIB_SLOTS;
        const struct glsl_type *read = attribute_type(app, attrib);
        /* The type determines the default of the fourth component. */
        nir_alu_type type = read && glsl_type_is_integer(read) ? nir_type_int32 : nir_type_float32;
        nir_def *value;
        if (read && glsl_type_is_64bit(read))
            value = load_half(&b, attrib, data->vs.inputs[i] % I965_ATTRIB_SLOTS);
        else
            value = nir_load_input(&b, 4, 32, nir_imm_int(&b, 0), .dest_type = type,
                                   .io_semantics = {.location = attrib, .num_slots = 1});
        store(&b, VARYING_SLOT_VAR0 + i, value, type);
    }
    return finish(&b);
}

/* Loads a slot of a vertex's entry from the attribute of the same index. */
static nir_def *load_slot(nir_builder *b, unsigned slot)
{
    return nir_load_input(b, 4, 32, nir_imm_int(b, 0), .dest_type = nir_type_float32,
                          .io_semantics = {.location = slot, .num_slots = 1});
}

nir_shader *i965_vue_to_outputs_shader(const struct i965_vue_map *map, unsigned first)
{
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_VERTEX, &cpu_nir_options, "vue");

    for (unsigned v = 0; v < 64; v++) {
        int attrib = map->slot[v] - (int)first;
        if (map->slot[v] < 0 || attrib < 0 || attrib >= VERT_ATTRIB_COUNT)
            continue;
        nir_def *value = load_slot(&b, (unsigned)attrib);
        if (v == VARYING_SLOT_PSIZ || v == VARYING_SLOT_LAYER || v == VARYING_SLOT_VIEWPORT) {
            unsigned c = v == VARYING_SLOT_PSIZ ? 3 : v == VARYING_SLOT_LAYER ? 1 : 2;
            value = nir_channel(&b, value, c);
        }
        store(&b, v, value, nir_type_float32);
    }
    return finish(&b);
}

/* ------------------------------------------------------------------------------- fragment --- */

/* Loads the pixel's value from a result plane. */
static nir_def *load_plane(nir_builder *b, nir_def *pixel, unsigned plane)
{
    nir_def *offset = nir_iadd_imm(b, pixel, plane * I965_RESULT_PIXELS * 4);
    return nir_load_ubo(b, 1, 32, nir_imm_int(b, 0), offset, .align_mul = 4, .range = ~0u);
}

/* Stores the color in four result planes to a target; second: the second color of dual-source
 * blending. */
static void store_color(nir_builder *b, nir_def *pixel, unsigned color, unsigned target,
                        bool second)
{
    nir_def *c[4];

    for (unsigned i = 0; i < 4; i++)
        c[i] = load_plane(b, pixel, I965_RESULT_COLOR + color * 4 + i);
    nir_store_output(b, nir_vec(b, c, 4), nir_imm_int(b, 0), .src_type = nir_type_float32,
                     .io_semantics = {.location = FRAG_RESULT_DATA0 + target,
                                      .num_slots = 1,
                                      .dual_source_blend_index = second});
}

/* Moves bits first to first + count - 1 of value to bit `to`. */
static nir_def *move_bits(nir_builder *b, nir_def *value, unsigned first, unsigned count,
                          unsigned to)
{
    nir_def *field = nir_iand_imm(b, nir_ushr_imm(b, value, first), (1u << count) - 1);
    return nir_ishl_imm(b, field, to);
}

/* Returns the byte offset of a pixel in a plane. In the pixel's index in the tile, bits 11:8 are
 * the row of the block, 7:4 its column, 3 and 1 the row within the block, 2 and 0 the column. */
static nir_def *pixel_offset(nir_builder *b)
{
    nir_def *place = nir_load_frag_coord(b);
    nir_def *x = nir_f2i32(b, nir_channel(b, place, 0));
    nir_def *y = nir_f2i32(b, nir_channel(b, place, 1));
    nir_def *column = nir_ior(b, move_bits(b, x, 0, 1, 0), move_bits(b, x, 1, 1, 2));
    nir_def *row = nir_ior(b, move_bits(b, y, 0, 1, 1), move_bits(b, y, 1, 1, 3));
    nir_def *block = nir_ior(b, move_bits(b, x, 2, 4, 4), move_bits(b, y, 2, 4, 8));

    return nir_ishl_imm(b, nir_ior(b, block, nir_ior(b, column, row)), 2);
}

static void store_plane(nir_builder *b, nir_def *pixel, unsigned plane, nir_def *value)
{
    nir_def *at = nir_iadd_imm(b, pixel, plane * I965_RESULT_PIXELS * 4);
    nir_store_ssbo(b, value, nir_imm_int(b, 0), at, .write_mask = 1, .align_mul = 4);
}

nir_shader *i965_fragment_targets_shader(const struct i965_prog_data *data, unsigned num_targets)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &cpu_nir_options, "targets");
    nir_def *pixel = pixel_offset(&b);

    if (data->fs.reads_depth_stencil) {
        store_plane(&b, pixel, I965_RESULT_DEPTH, nir_load_last_frag_depth(&b));
        store_plane(&b, pixel, I965_RESULT_STENCIL, nir_load_last_frag_stencil(&b));
    }
    for (unsigned i = 0; i < num_targets && data->fs.reads_targets; i++) {
        nir_def *color = nir_load_last_frag_data(&b, nir_imm_int(&b, (int)i));
        for (unsigned c = 0; c < 4; c++)
            store_plane(&b, pixel, I965_RESULT_COLOR + i * 4 + c, nir_channel(&b, color, c));
    }
    return finish(&b);
}

nir_shader *i965_fragment_test_shader(void)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &cpu_nir_options, "tests");

    store_plane(&b, pixel_offset(&b), I965_RESULT_LIVE, nir_load_sample_mask_in(&b));
    nir_shader *nir = finish(&b);
    nir->info.fs.early_fragment_tests = nir->info.fs.post_depth_coverage = true;
    return nir;
}

nir_shader *i965_fragment_results_shader(const struct i965_prog_data *data,
                                         uint64_t outputs_written, unsigned num_targets)
{
    nir_builder b =
        nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &cpu_nir_options, "results");
    bool all = outputs_written >> FRAG_RESULT_COLOR & 1;
    nir_def *pixel = pixel_offset(&b);

    b.shader->info.fs.uses_discard = true;
    nir_discard_if(&b, nir_ieq_imm(&b, load_plane(&b, pixel, I965_RESULT_LIVE), 0));
    for (unsigned i = 0; i < num_targets; i++) {
        if (all || outputs_written >> (FRAG_RESULT_DATA0 + i) & 1)
            store_color(&b, pixel, i, i, false);
    }
    if (data->fs.dual_source)
        store_color(&b, pixel, num_targets, 0, true);
    if (data->fs.writes_depth)
        store(&b, FRAG_RESULT_DEPTH, load_plane(&b, pixel, I965_RESULT_DEPTH), nir_type_float32);
    if (data->fs.writes_stencil)
        store(&b, FRAG_RESULT_STENCIL, load_plane(&b, pixel, I965_RESULT_STENCIL), nir_type_int32);
    if (data->fs.writes_sample_mask)
        store(&b, FRAG_RESULT_SAMPLE_MASK, load_plane(&b, pixel, I965_RESULT_SAMPLE_MASK),
              nir_type_int32);
    nir_shader *nir = finish(&b);
    nir->info.fs.uses_discard = true;
    return nir;
}
