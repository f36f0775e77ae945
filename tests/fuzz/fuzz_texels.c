/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes decoders of compressed texture formats. Input: two bytes for the format, one each for the
 * image's width and height, then blocks. Allocations have exactly the image's size. For formats
 * with an encoder, the decoded image is encoded and decoded again.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_bytes(enum drv_format format, const uint8_t *blocks, unsigned stride, unsigned width,
                     unsigned height)
{
    uint8_t *texels = malloc((size_t)width * height * 4);
    if (texels)
        util_format_decompress_rgba8(format, texels, width * 4, blocks, stride, width, height);
    free(texels);
}

static void as_floats(enum drv_format format, uint8_t *blocks, unsigned stride, unsigned width,
                      unsigned height)
{
    float(*texels)[4] = malloc((size_t)width * height * sizeof *texels);
    unsigned row = width * (unsigned)sizeof *texels;
    if (texels &&
        util_format_decompress_float(format, texels[0], row, blocks, stride, width, height) &&
        util_format_can_compress(format)) {
        util_format_compress(format, blocks, stride, (const float(*)[4])texels, width, width,
                             height);
        util_format_decompress_float(format, texels[0], row, blocks, stride, width, height);
    }
    free(texels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5)
        return 0;
    enum drv_format format = (enum drv_format)((data[0] | data[1] << 8) % DRV_FORMAT_COUNT);
    unsigned width = data[2] % 40 + 1, height = data[3] % 40 + 1;
    if (!util_format_is_compressed(format))
        return 0;
    const struct drv_format_desc *desc = drv_format_desc(format);
    unsigned stride = util_format_row_bytes(format, width);
    size_t bytes = (size_t)stride * ((height + desc->block_height - 1u) / desc->block_height);
    uint8_t *blocks = malloc(bytes);
    for (size_t i = 0; blocks && i < bytes; i++) /* repeats the input */
        blocks[i] = data[4 + i % (size - 4)];
    if (blocks) {
        as_bytes(format, blocks, stride, width, height);
        as_floats(format, blocks, stride, width, height);
    }
    free(blocks);
    return 0;
}
