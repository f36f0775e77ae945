/* SPDX-License-Identifier: MIT */
/* Memory of an image while it is built. Private to image_*.c. */
#ifndef IMAGE_PRIVATE_H
#define IMAGE_PRIVATE_H

#include "image_build.h"
#include "util/dynarray.h"

/* Parts of an image, in the order of their addresses. STATE_BASE_ADDRESS points the surface state,
 * dynamic state and instruction bases at the parts of the same names. */
enum image_part {
    IMAGE_BATCH,
    IMAGE_SURFACE,     /* Binding tables and surface states. */
    IMAGE_DYNAMIC,     /* Samplers, viewports, blending, push constants. */
    IMAGE_INSTRUCTION, /* Kernels. */
    IMAGE_DATA,        /* Vertices, textures, buffers, targets. */
    IMAGE_PARTS,
};

#define IMAGE_PART_SIZE 0x10000u /* Bytes of each part except IMAGE_DATA, which is the last. */

/* State of building an image. */
struct image_builder {
    const struct i965_image_options *options;
    enum i965_generation generation; /* Generation that the packets are packed for. */
    const struct i965_program *const *programs;
    struct i965_image *image;
    void *mem_ctx;
    uint32_t used[IMAGE_PARTS]; /* Bytes used in each part. */
    uint32_t data_size;         /* Size of IMAGE_DATA in bytes. */
    /* Offset of each stage's binding table in IMAGE_SURFACE and samplers in IMAGE_DYNAMIC. */
    uint32_t binding_table[SHADER_STAGE_COUNT], samplers[SHADER_STAGE_COUNT];
    /* Offset of each kernel of a stage (i965_program.kernels) in IMAGE_INSTRUCTION. */
    uint32_t kernel[SHADER_STAGE_COUNT][3];
    uint32_t vertex_data, constants, target[8], depth, stencil; /* Offsets in IMAGE_DATA. */
    char *error; /* The caller's buffer of 200 bytes for the first error; empty: no error. */
};

/* Returns the byte offset of a part in the image. All offsets below are in bytes. */
uint32_t image_part_offset(enum image_part part);

/* Reserves `size` bytes in a part. Returns their offset in the part, a multiple of alignment. If
 * the part is full, sets the error and returns 0. */
uint32_t image_reserve(struct image_builder *b, enum image_part part, uint32_t size,
                       uint32_t alignment);

/* Returns the GPU address of an offset in a part. */
uint64_t image_address(const struct image_builder *b, enum image_part part, uint32_t offset);

/* Returns the CPU address of an offset in a part. */
void *image_memory(const struct image_builder *b, enum image_part part, uint32_t offset);

/* Packs a packet at the end of the batch, or a structure at the end of another part. Returns its
 * offset in the part, a multiple of alignment. If i965_pack() fails or the part is full, sets the
 * error and returns 0. */
uint32_t image_pack(struct image_builder *b, enum image_part part, enum i965_layout_id id,
                    const void *values, uint32_t alignment);

/* Returns whether the packet or structure has that field in the image's generation. */
bool image_has_field(const struct image_builder *b, enum i965_layout_id id, const char *field);

/* Records that the 8 bytes at an offset of a part hold a GPU address in the image. `what`, a static
 * string, names what it points to. */
void image_relocate(struct image_builder *b, enum image_part part, uint32_t offset,
                    const char *what);

/* Adds what the packets point to: kernels, vertices, constants, a texture, targets, binding tables,
 * surface states and samplers. Stream output buffers and the push constants of compute shaders are
 * added with their packets. */
void image_add_memory(struct image_builder *b);

/* Emits the packets from vertex fetch to stream output, and the push constants, binding tables and
 * samplers of all stages. */
void image_emit_geometry_stages(struct image_builder *b);

/* Emits the packets of clipping, rasterization, the fragment shader and the targets. */
void image_emit_pixel_stages(struct image_builder *b);

/* Emits the dispatch of a compute shader. */
void image_emit_compute(struct image_builder *b);

#endif
