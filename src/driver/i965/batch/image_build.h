/* SPDX-License-Identifier: MIT */
/*
 * Builds an image of GPU memory: a batch and everything that it points to, for shaders that the
 * compiler has compiled. A system that can start a batch needs nothing else to draw with them.
 */
#ifndef IMAGE_BUILD_H
#define IMAGE_BUILD_H

#include "i965_batch.h"
#include "driver/i965/i965_compiler.h"

#define I965_IMAGE_MAX_TEXTURES 32 /* textures per stage */

/* Kind of a texture that a shader samples. */
enum i965_image_texture {
    I965_IMAGE_2D, /* Default, also for textures that no instruction samples. */
    I965_IMAGE_2D_ARRAY,
    I965_IMAGE_1D,
    I965_IMAGE_1D_ARRAY,
    I965_IMAGE_3D,
    I965_IMAGE_CUBE,
    I965_IMAGE_CUBE_ARRAY,
    I965_IMAGE_BUFFER,
};

struct drv_stream_output;

/* What the image draws. */
struct i965_image_options {
    const struct i965_device *device;
    uint64_t address;       /* GPU address of the image, a multiple of 4096. */
    uint32_t width, height; /* Size of the render targets in pixels, 1 to 4096. */
    uint32_t vertices;      /* Vertices of each instance, also if they form patches. */
    uint32_t instances;     /* Number of instances to draw. */
    uint32_t groups[3];     /* Work groups of a compute shader. */
    uint8_t patch_vertices; /* Vertices of a patch, 1 to 32, for tessellation. */
    bool depth;             /* Depth test (less) and stencil (replace) with a buffer for each. */
    bool blend;             /* Blends with the factors source alpha and one minus source alpha. */
    /* Outputs that are also written to buffers in the image; NULL: none. */
    const struct drv_stream_output *stream_output;
    /* Kind of each texture of each stage: enum i965_image_texture. */
    uint8_t textures[SHADER_STAGE_COUNT][I965_IMAGE_MAX_TEXTURES];
};

/* An address in the image, which a loader must change if it moves the image. */
struct i965_relocation {
    uint32_t offset;  /* Offset of the address's low dword in the image, in bytes. */
    const char *what; /* What the address refers to, for listings; static. */
};

/* An image. The arrays belong to the mem_ctx of i965_image_build(). */
struct i965_image {
    uint8_t *bytes; /* Starts with the first packet. */
    uint32_t size;  /* In bytes, a multiple of 4096. */
    struct i965_relocation *relocations;
    unsigned num_relocations;
    /* Render target 0, linear RGBA8 with the lowest row first: offset in the image, bytes between
     * rows, and size in bytes. */
    uint32_t target_offset, target_pitch, target_size;
};

/*
 * Builds an image for the program whose stages are compiled (NULL: no such stage): vertex and
 * fragment shader, optionally with tessellation and geometry, or a compute shader alone. Constant,
 * vertex and texture data are examples: vertices of a triangle that covers half of the target in
 * each attribute, rows of unit matrices in constants, zeros in storage blocks, a gradient in each
 * texture. Returns false and stores a message in error if a shader needs something that the
 * hardware does not have, or more memory than the image provides. The image belongs to mem_ctx.
 * Does not check its allocations: a caller that must survive a lack of memory opens an attempt
 * (util/memory.h).
 */
bool i965_image_build(void *mem_ctx, const struct i965_image_options *options,
                      const struct i965_program *const programs[SHADER_STAGE_COUNT],
                      struct i965_image *image, char error[200]);

#endif
