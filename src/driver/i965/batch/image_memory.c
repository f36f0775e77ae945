/* SPDX-License-Identifier: MIT */
/* Contents of an image: kernels, example data, surface states, samplers. */
#include <string.h>

#include "image_private.h"
#include "util/macros.h"

#define TEXTURE_SIZE   64u     /* Width and height of example textures in texels. */
#define TEXTURE_LAYERS 12u     /* Layers of an example texture, enough for two cubes. */
#define BUFFER_SIZE    0x8000u /* Bytes of a constant or storage buffer. */
#define VERTEX_SIZE    32u     /* Bytes of an attribute: two halves of 4 dwords. */

static void add_kernels(struct image_builder *b)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        const struct i965_program *p = b->programs[s];
        for (unsigned w = 0; p && w < ARRAY_SIZE(p->kernels); w++) {
            const struct i965_kernel *k = &p->kernels[w];
            if (!k->width)
                continue;
            /* The instruction fetcher reads up to 128 bytes ahead. */
            b->kernel[s][w] = image_reserve(b, IMAGE_INSTRUCTION, k->code_size + 128, 64);
            if (!b->error[0])
                memcpy(image_memory(b, IMAGE_INSTRUCTION, b->kernel[s][w]), k->code, k->code_size);
        }
    }
}

/* Adds the vertices. Those of every attribute are (-1, -1), (1, -1), (-1, 1), then the same again;
 * z is 0 and w is 1. */
static void add_vertices(struct image_builder *b)
{
    static const float corners[3][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}};
    const struct i965_program *vs = b->programs[SHADER_VERTEX];
    uint32_t count = b->options->vertices * (vs ? MAX2(vs->data.vs.num_inputs, 1) : 1);
    b->vertex_data = image_reserve(b, IMAGE_DATA, count * VERTEX_SIZE, 64);
    for (uint32_t v = 0; v < count && !b->error[0]; v++)
        memcpy(image_memory(b, IMAGE_DATA, b->vertex_data + v * VERTEX_SIZE),
               corners[v % b->options->vertices % 3], sizeof corners[0]);
}

/* Adds constants: rows of unit matrices, so that a matrix at the start of a program's constants
 * changes nothing. */
static void add_constants(struct image_builder *b)
{
    b->constants = image_reserve(b, IMAGE_DATA, BUFFER_SIZE, 4096);
    for (uint32_t row = 0; row < BUFFER_SIZE / 16 && !b->error[0]; row++) {
        float *values = image_memory(b, IMAGE_DATA, b->constants + row * 16);
        values[row % 4] = 1;
    }
}

/* Adds a texture whose layers have a gradient: red grows to the right, green upwards. Returns its
 * offset. */
static uint32_t add_texture(struct image_builder *b)
{
    const uint32_t texels = TEXTURE_SIZE * TEXTURE_SIZE * TEXTURE_LAYERS;
    uint32_t offset = image_reserve(b, IMAGE_DATA, texels * 4, 4096);
    for (uint32_t i = 0; i < texels && !b->error[0]; i++) {
        uint8_t *texel = (uint8_t *)image_memory(b, IMAGE_DATA, offset) + i * 4;
        texel[0] = (uint8_t)(i % TEXTURE_SIZE * 4);
        texel[1] = (uint8_t)(i / TEXTURE_SIZE % TEXTURE_SIZE * 4);
        texel[2] = 128;
        texel[3] = 255;
    }
    return offset;
}

/* Adds a surface state and stores its pointer as an entry of a binding table. */
static void add_surface(struct image_builder *b, uint32_t table, unsigned entry,
                        const struct i965_render_surface_state *surface, const char *what)
{
    uint32_t at = image_pack(b, IMAGE_SURFACE, I965_RENDER_SURFACE_STATE, surface, 64);
    if (b->error[0])
        return;
    memcpy(image_memory(b, IMAGE_SURFACE, table + entry * 4), &at, sizeof at);
    image_relocate(b, IMAGE_SURFACE, at + 8 * 4, what);
}

/* Returns the state of a linear 2D surface of RGBA8. */
static struct i965_render_surface_state image_surface(struct image_builder *b, uint32_t offset,
                                                      uint32_t width, uint32_t height,
                                                      uint32_t pitch)
{
    return (struct i965_render_surface_state){
        .surface_type = I965_SURFACE_TYPE_SURFTYPE_2D,
        .surface_format = I965_SURFACE_FORMAT_R8G8B8A8_UNORM,
        .surface_horizontal_alignment = I965_SURFACE_HORIZONTAL_ALIGNMENT_HALIGN_4,
        .surface_vertical_alignment = I965_SURFACE_VERTICAL_ALIGNMENT_VALIGN_4,
        .width = width - 1,
        .height = height - 1,
        .surface_pitch = pitch - 1,
        .mocs = b->options->device->mocs,
        .shader_channel_select_red = I965_SHADER_CHANNEL_SELECT_RED,
        .shader_channel_select_green = I965_SHADER_CHANNEL_SELECT_GREEN,
        .shader_channel_select_blue = I965_SHADER_CHANNEL_SELECT_BLUE,
        .shader_channel_select_alpha = I965_SHADER_CHANNEL_SELECT_ALPHA,
        .surface_base_address = image_address(b, IMAGE_DATA, offset),
    };
}

/* Returns the state of a buffer surface. The elements are bytes if `raw`, else vectors of 16 bytes,
 * as for uniform blocks. Their number minus 1 is split into width (7 bits), height (14 bits) and
 * depth. */
static struct i965_render_surface_state buffer_surface(struct image_builder *b, uint32_t offset,
                                                       uint32_t size, bool raw)
{
    uint32_t last = size / (raw ? 1 : 16) - 1;
    struct i965_render_surface_state s = image_surface(b, offset, 1, 1, raw ? 1 : 16);
    s.surface_type = I965_SURFACE_TYPE_SURFTYPE_BUFFER;
    s.surface_format = raw ? I965_SURFACE_FORMAT_RAW : I965_SURFACE_FORMAT_R32G32B32A32_FLOAT;
    s.surface_horizontal_alignment = s.surface_vertical_alignment = 1;
    s.width = last & 0x7f;
    s.height = last >> 7 & 0x3fff;
    s.depth = last >> 21;
    return s;
}

/* Returns the state of a texture of a kind. All kinds use the same memory, layer after layer. */
static struct i965_render_surface_state texture_surface(struct image_builder *b, uint32_t offset,
                                                        enum i965_image_texture kind)
{
    struct i965_render_surface_state s =
        image_surface(b, offset, TEXTURE_SIZE, TEXTURE_SIZE, TEXTURE_SIZE * 4);
    uint32_t layers = TEXTURE_LAYERS;
    switch (kind) {
    case I965_IMAGE_2D:
        return s;
    case I965_IMAGE_BUFFER:
        return buffer_surface(b, offset, BUFFER_SIZE, false);
    case I965_IMAGE_1D:
    case I965_IMAGE_1D_ARRAY:
        s.surface_type = I965_SURFACE_TYPE_SURFTYPE_1D;
        s.height = 0;
        break;
    case I965_IMAGE_3D:
        s.surface_type = I965_SURFACE_TYPE_SURFTYPE_3D;
        break;
    case I965_IMAGE_CUBE:
    case I965_IMAGE_CUBE_ARRAY:
        s.surface_type = I965_SURFACE_TYPE_SURFTYPE_CUBE;
        s.cube_face_enable_positive_x = s.cube_face_enable_negative_x = true;
        s.cube_face_enable_positive_y = s.cube_face_enable_negative_y = true;
        s.cube_face_enable_positive_z = s.cube_face_enable_negative_z = true;
        layers = kind == I965_IMAGE_CUBE ? 1 : TEXTURE_LAYERS / 6; /* cubes */
        break;
    case I965_IMAGE_2D_ARRAY:
        break;
    }
    s.surface_array = kind != I965_IMAGE_3D && kind != I965_IMAGE_1D;
    s.surface_qpitch = TEXTURE_SIZE / 4;
    s.depth = kind == I965_IMAGE_1D ? 0 : layers - 1;
    s.render_target_view_extent = s.depth;
    return s;
}

static void add_targets(struct image_builder *b)
{
    const struct i965_image_options *o = b->options;
    const struct i965_program *fs = b->programs[SHADER_FRAGMENT];
    struct i965_image *image = b->image;
    unsigned count = fs ? MAX2(fs->data.fs.num_color_outputs, 1) : 0;
    image->target_pitch = (o->width * 4 + 63) & ~63u;
    image->target_size = image->target_pitch * o->height;
    for (unsigned i = 0; i < count; i++)
        b->target[i] = image_reserve(b, IMAGE_DATA, image->target_size, 4096);
    if (count)
        image->target_offset = image_part_offset(IMAGE_DATA) + b->target[0];
}

/* Adds the constant arrays of a stage and returns their surface. */
static struct i965_render_surface_state constant_surface(struct image_builder *b,
                                                         const struct i965_prog_data *d)
{
    uint32_t offset = image_reserve(b, IMAGE_DATA, d->constant_size, 64);
    if (!b->error[0])
        memcpy(image_memory(b, IMAGE_DATA, offset), d->constants, d->constant_size);
    return buffer_surface(b, offset, d->constant_size, true);
}

/* Fills the sections of a stage's binding table (i965_abi.h). */
static void add_binding_table(struct image_builder *b, unsigned stage, uint32_t texture)
{
    const struct i965_prog_data *d = &b->programs[stage]->data;
    const unsigned size = d->binding_table.size;
    uint32_t table = image_reserve(b, IMAGE_SURFACE, MAX2(size, 1) * 4, 32);
    b->binding_table[stage] = table;
    for (unsigned i = 0; i < size && !b->error[0]; i++) {
        struct i965_render_surface_state s;
        if (i >= d->binding_table.num_work_groups) {
            s = buffer_surface(b, b->constants, BUFFER_SIZE, true);
            add_surface(b, table, i, &s, "number of work groups");
        } else if (i >= d->binding_table.constants) {
            s = constant_surface(b, d);
            add_surface(b, table, i, &s, "constant arrays");
        } else if (i >= d->binding_table.images) {
            s = image_surface(b, texture, TEXTURE_SIZE, TEXTURE_SIZE, TEXTURE_SIZE * 4);
            add_surface(b, table, i, &s, "image");
        } else if (i >= d->binding_table.storage_blocks) {
            s = buffer_surface(b, image_reserve(b, IMAGE_DATA, BUFFER_SIZE, 64), BUFFER_SIZE, true);
            add_surface(b, table, i, &s, "storage block");
        } else if (i >= d->binding_table.uniform_blocks) {
            s = buffer_surface(b, b->constants, BUFFER_SIZE, false);
            add_surface(b, table, i, &s, "uniform block");
        } else if (i >= d->binding_table.textures) {
            unsigned index = (i - d->binding_table.textures) % I965_IMAGE_MAX_TEXTURES;
            s = texture_surface(b, texture, b->options->textures[stage][index]);
            add_surface(b, table, i, &s, "texture");
        } else {
            s = image_surface(b, b->target[i & 7], b->options->width, b->options->height,
                              b->image->target_pitch);
            add_surface(b, table, i, &s, "render target");
        }
    }
}

static void add_samplers(struct image_builder *b, unsigned stage)
{
    const struct i965_sampler_state sampler = {
        .min_mode_filter = I965_MAP_FILTER_LINEAR,
        .mag_mode_filter = I965_MAP_FILTER_LINEAR,
        .tcx_address_control_mode = I965_TEXTURE_COORDINATE_MODE_WRAP,
        .tcy_address_control_mode = I965_TEXTURE_COORDINATE_MODE_WRAP,
        .tcz_address_control_mode = I965_TEXTURE_COORDINATE_MODE_WRAP,
        .u_address_min_filter_rounding_enable = true,
        .u_address_mag_filter_rounding_enable = true,
        .v_address_min_filter_rounding_enable = true,
        .v_address_mag_filter_rounding_enable = true,
        .r_address_min_filter_rounding_enable = true,
        .r_address_mag_filter_rounding_enable = true,
    };
    for (unsigned i = 0; i < b->programs[stage]->data.sampler_count; i++) {
        uint32_t at = image_pack(b, IMAGE_DYNAMIC, I965_SAMPLER_STATE, &sampler, i ? 16 : 64);
        if (i == 0)
            b->samplers[stage] = at;
    }
}

void image_add_memory(struct image_builder *b)
{
    add_kernels(b);
    add_vertices(b);
    add_constants(b);
    uint32_t texture = add_texture(b);
    add_targets(b);
    if (b->options->depth) {
        /* In Y tiles of 128 bytes by 32 rows; the stencil buffer in W tiles of 64 by 64. */
        uint32_t pitch = (b->options->width * 4 + 127) & ~127u,
                 rows = (b->options->height + 63) & ~63u;
        b->depth = image_reserve(b, IMAGE_DATA, pitch * rows, 4096);
        b->stencil = image_reserve(b, IMAGE_DATA, pitch * rows, 4096);
    }
    /* Pointer 0 of dynamic state means that there is none. */
    image_reserve(b, IMAGE_DYNAMIC, 64, 64);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!b->programs[s])
            continue;
        add_binding_table(b, s, texture);
        add_samplers(b, s);
    }
}
