/* SPDX-License-Identifier: MIT */
/* Memory of an image while it is built. Private to image_*.c. */
#ifndef IMAGE_PRIVATE_H
#define IMAGE_PRIVATE_H

#include "image_build.h"
#include "util/dynarray.h"

/* Parts of an image. Base addresses of STATE_BASE_ADDRESS are those of the parts. */
enum image_part {
    IMAGE_BATCH,
    IMAGE_SURFACE,     /* Binding tables and surface states. */
    IMAGE_DYNAMIC,     /* Samplers, viewports, blending, push constants. */
    IMAGE_INSTRUCTION, /* Kernels. */
    IMAGE_DATA,        /* Vertices, textures, buffers, targets. */
    IMAGE_PARTS,
};

#define IMAGE_PART_SIZE 0x10000u /* Bytes of each part except IMAGE_DATA, which is the last. */

struct image_builder {
    const struct i965_image_options *options;
    enum i965_generation generation; /* Generation that the packets are packed for. */
    const struct i965_program *const *programs;
    struct i965_image *image;
    void *mem_ctx;
    uint32_t used[IMAGE_PARTS]; /* Bytes used in each part. */
    uint32_t data_size;         /* Bytes reserved for IMAGE_DATA. */
    /* Offsets in IMAGE_SURFACE and IMAGE_DYNAMIC. */
    uint32_t binding_table[SHADER_STAGE_COUNT], samplers[SHADER_STAGE_COUNT];
    uint32_t kernel[SHADER_STAGE_COUNT][3]; /* Offset of each width in IMAGE_INSTRUCTION. */
    uint32_t vertex_data, constants, target[8], depth, stencil; /* Offsets in IMAGE_DATA. */
    char *error; /* 200 bytes; empty if there is none. */
};

/* Returns the offset of a part in the image. */
uint32_t image_part_offset(enum image_part part);

/* Reserves bytes in a part. Returns their offset in the part, a multiple of alignment. Sets the
 * error if the part is full. */
uint32_t image_reserve(struct image_builder *b, enum image_part part, uint32_t size,
                       uint32_t alignment);

/* Returns the GPU address of an offset in a part. */
uint64_t image_address(const struct image_builder *b, enum image_part part, uint32_t offset);

/* Returns the memory of an offset in a part. */
void *image_memory(const struct image_builder *b, enum image_part part, uint32_t offset);

/* Packs a packet at the end of the batch, or a structure at the end of another part. Returns its
 * offset in the part. Sets the error if a value is out of range or the part is full. */
uint32_t image_pack(struct image_builder *b, enum image_part part, enum i965_layout_id id,
                    const void *values, uint32_t alignment);

/* Returns whether the packet or structure has that field in the image's generation. */
bool image_has_field(const struct image_builder *b, enum i965_layout_id id, const char *field);

/* Adds the relocation of a 64-bit address at an offset of a part. */
void image_relocate(struct image_builder *b, enum image_part part, uint32_t offset,
                    const char *what);

/* Reserves and fills all data, surface states, samplers and kernels. */
void image_add_memory(struct image_builder *b);

/* Emits the packets of the shader stages, from vertex fetch to stream output. */
void image_emit_geometry_stages(struct image_builder *b);

/* Emits the packets of rasterization, fragment shader and targets. */
void image_emit_pixel_stages(struct image_builder *b);

/* Emits the dispatch of a compute shader. */
void image_emit_compute(struct image_builder *b);

#endif
