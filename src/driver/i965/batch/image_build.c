/* SPDX-License-Identifier: MIT */
/* The parts of an image, and the order of its packets. */
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "image_private.h"
#include "util/check.h"
#include "util/macros.h"

#define GPU_PAGE 4096u

uint32_t image_part_offset(enum image_part part)
{
    return (uint32_t)part * IMAGE_PART_SIZE;
}

uint32_t image_reserve(struct image_builder *b, enum image_part part, uint32_t size,
                       uint32_t alignment)
{
    uint32_t limit = part == IMAGE_DATA ? b->data_size : IMAGE_PART_SIZE;
    uint32_t offset = (b->used[part] + alignment - 1) / alignment * alignment;
    if (offset > limit || size > limit - offset) {
        if (!b->error[0])
            snprintf(b->error, 200, "the image has no space for the program's state");
        return 0;
    }
    b->used[part] = offset + size;
    return offset;
}

uint64_t image_address(const struct image_builder *b, enum image_part part, uint32_t offset)
{
    return b->options->address + image_part_offset(part) + offset;
}

void *image_memory(const struct image_builder *b, enum image_part part, uint32_t offset)
{
    return b->image->bytes + image_part_offset(part) + offset;
}

uint32_t image_pack(struct image_builder *b, enum image_part part, enum i965_layout_id id,
                    const void *values, uint32_t alignment)
{
    uint32_t dwords[I965_PACKET_MAX_DWORDS];
    struct i965_packet_error error;
    unsigned count = i965_pack(b->generation, id, values, dwords, ARRAY_SIZE(dwords), &error);
    if (!count) {
        if (!b->error[0])
            snprintf(b->error, 200, "%s", error.text);
        return 0;
    }
    uint32_t offset = image_reserve(b, part, count * 4, alignment);
    if (!b->error[0])
        memcpy(image_memory(b, part, offset), dwords, count * 4ull);
    return offset;
}

void image_relocate(struct image_builder *b, enum image_part part, uint32_t offset,
                    const char *what)
{
    struct i965_image *image = b->image;
    image->relocations = talloc_realloc(b->mem_ctx, image->relocations, struct i965_relocation,
                                        image->num_relocations + 1);
    image->relocations[image->num_relocations++] =
        (struct i965_relocation){image_part_offset(part) + offset, what};
}

bool image_has_field(const struct image_builder *b, enum i965_layout_id id, const char *field)
{
    return i965_field_exists(id, field, b->generation);
}

/* Emits a flush of what was written, or an invalidation of what will be read. */
static void emit_pipe_control(struct image_builder *b, bool flush)
{
    struct i965_pipe_control control = {
        .command_streamer_stall_enable = true,
        .stall_at_pixel_scoreboard = !flush,
        .render_target_cache_flush_enable = flush,
        .depth_cache_flush_enable = flush,
        .dc_flush_enable = flush,
        .texture_cache_invalidation_enable = !flush,
        .constant_cache_invalidation_enable = !flush,
        .state_cache_invalidation_enable = !flush,
        .instruction_cache_invalidate_enable = !flush,
        .vf_cache_invalidation_enable = !flush,
    };
    image_pack(b, IMAGE_BATCH, I965_PIPE_CONTROL, &control, 4);
}

static void emit_start(struct image_builder *b, bool compute)
{
    struct i965_pipeline_select select = {
        .pipeline_selection = compute ? I965_PIPELINE_SELECTION_GPGPU : I965_PIPELINE_SELECTION_3D,
        .mask_bits = image_has_field(b, I965_PIPELINE_SELECT, "Mask Bits") ? 3 : 0,
    };
    struct i965_state_base_address base = {
        .general_state_base_address_modify_enable = true,
        .surface_state_base_address_modify_enable = true,
        .surface_state_base_address = image_address(b, IMAGE_SURFACE, 0),
        .dynamic_state_base_address_modify_enable = true,
        .dynamic_state_base_address = image_address(b, IMAGE_DYNAMIC, 0),
        .indirect_object_base_address_modify_enable = true,
        .instruction_base_address_modify_enable = true,
        .instruction_base_address = image_address(b, IMAGE_INSTRUCTION, 0),
        .general_state_buffer_size_modify_enable = true,
        .general_state_buffer_size = 0xfffff,
        .dynamic_state_buffer_size_modify_enable = true,
        .dynamic_state_buffer_size = IMAGE_PART_SIZE / GPU_PAGE,
        .indirect_object_buffer_size_modify_enable = true,
        .indirect_object_buffer_size = 0xfffff,
        .instruction_buffer_size_modify_enable = true,
        .instruction_buffer_size = IMAGE_PART_SIZE / GPU_PAGE,
    };
    emit_pipe_control(b, true);
    image_pack(b, IMAGE_BATCH, I965_PIPELINE_SELECT, &select, 4);
    uint32_t at = image_pack(b, IMAGE_BATCH, I965_STATE_BASE_ADDRESS, &base, 4);
    image_relocate(b, IMAGE_BATCH, at + 4 * 4, "surface state base address");
    image_relocate(b, IMAGE_BATCH, at + 6 * 4, "dynamic state base address");
    image_relocate(b, IMAGE_BATCH, at + 10 * 4, "instruction base address");
    emit_pipe_control(b, false);
}

static void emit_draw(struct image_builder *b)
{
    const struct i965_image_options *o = b->options;
    struct i965_3dprimitive draw = {
        .vertex_count_per_instance = o->vertices,
        .instance_count = o->instances,
        .primitive_topology_type =
            b->programs[SHADER_TESS_EVAL]
                ? I965_PRIMITIVE_TOPOLOGY_TYPE_PATCHLIST_1 + o->patch_vertices - 1
                : I965_PRIMITIVE_TOPOLOGY_TYPE_TRILIST,
    };
    struct i965_3dstate_vf_topology topology = {.primitive_topology_type =
                                                    draw.primitive_topology_type};
    image_pack(b, IMAGE_BATCH, I965_3DSTATE_VF_TOPOLOGY, &topology, 4);
    image_pack(b, IMAGE_BATCH, I965_3DPRIMITIVE, &draw, 4);
}

/* Sets the error if a shader uses what only the driver's own dispatcher provides (i965_abi.h). */
static void check_hardware(struct image_builder *b)
{
    const struct i965_program *fs = b->programs[SHADER_FRAGMENT];
    const struct i965_program *tcs = b->programs[SHADER_TESS_CTRL],
                              *tes = b->programs[SHADER_TESS_EVAL];
    const char *what = NULL;
    if (fs && fs->data.fs.uses_coverage)
        what = "the fragment shader reads the coverage of smooth primitives";
    else if (fs && fs->data.fs.reads_depth_stencil)
        what = "the fragment shader reads depth or stencil";
    else if (fs && fs->data.fs.uses_height)
        what = "the fragment shader reads gl_FragCoord.y with its origin at the upper left";
    else if ((tcs && tcs->data.tcs.uses_patch_vertices) ||
             (tes && tes->data.tes.uses_patch_vertices))
        what = "a tessellation shader reads gl_PatchVerticesIn";
    if (what)
        snprintf(b->error, 200, "%s, which the hardware does not provide", what);
}

/* Returns an upper bound of the bytes of vertices, textures, buffers and targets. */
static uint32_t data_size(const struct i965_image_options *o)
{
    uint32_t target = ((o->width * 4 + 63) & ~63u) * o->height;
    return (0x200000 + 11 * (target + GPU_PAGE) + GPU_PAGE - 1) / GPU_PAGE * GPU_PAGE;
}

bool i965_image_build(void *mem_ctx, const struct i965_image_options *options,
                      const struct i965_program *const programs[SHADER_STAGE_COUNT],
                      struct i965_image *image, char error[200])
{
    struct image_builder b = {.options = options,
                              .programs = programs,
                              .image = image,
                              .mem_ctx = mem_ctx,
                              .data_size = data_size(options),
                              .error = error};
    CHECK(i965_generation_by_target(options->device->name, &b.generation));
    bool compute = programs[SHADER_COMPUTE] != NULL;
    CHECK(options->width >= 1 && options->width <= 4096 && options->height >= 1 &&
          options->height <= 4096);
    CHECK(options->address % GPU_PAGE == 0);
    error[0] = '\0';
    memset(image, 0, sizeof *image);
    image->size = image_part_offset(IMAGE_DATA) + b.data_size;
    image->bytes = talloc_zero_size(mem_ctx, image->size);
    check_hardware(&b);
    if (error[0])
        return false;
    image_add_memory(&b);
    emit_start(&b, compute);
    if (compute) {
        image_emit_compute(&b);
    } else {
        image_emit_geometry_stages(&b);
        image_emit_pixel_stages(&b);
        emit_draw(&b);
    }
    emit_pipe_control(&b, true);
    image_pack(&b, IMAGE_BATCH, I965_MI_BATCH_BUFFER_END, &(struct i965_mi_batch_buffer_end){0}, 4);
    return error[0] == '\0';
}
