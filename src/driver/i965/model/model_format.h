/* SPDX-License-Identifier: MIT */
/*
 * Surface formats of Gen9: converts single texels between memory and shader values. Most formats
 * have the layout of a format of indium/format.h and are converted by util/format.h.
 * Source: Skylake PRM, volume 2b, "SURFACE_FORMAT".
 */
#ifndef MODEL_FORMAT_H
#define MODEL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* How a texel is converted. */
enum model_texel_kind {
    MODEL_TEXEL_NONE,    /* The model doesn't support the format. */
    MODEL_TEXEL_FLOAT,   /* Shaders see floats. */
    MODEL_TEXEL_INTEGER, /* Shaders see integers. */
    MODEL_TEXEL_DEPTH,   /* Depth as a float in component R. */
    MODEL_TEXEL_STENCIL, /* Stencil as an integer in component G. */
    MODEL_TEXEL_RAW,     /* Bytes of a buffer; no conversion. */
};

/* A surface format. */
struct model_format {
    uint8_t kind;                      /* enum model_texel_kind */
    uint8_t bytes;                     /* Size of a block of a compressed format, or of a texel. */
    uint8_t block_width, block_height; /* In texels; 1 if not compressed. */
    /* enum drv_format of the same layout (of the first bytes if a texel has stencil, too);
     * DRV_FORMAT_NONE for MODEL_TEXEL_STENCIL and MODEL_TEXEL_RAW. */
    uint16_t drv;
    uint8_t stencil_byte; /* MODEL_TEXEL_STENCIL: offset of the stencil byte. */
    bool compressed;
    bool opaque; /* Alpha reads as 1, whatever drv says. */
};

/* The texels of a decoded block in rows of block_width texels. A block has at most 12 × 12. */
struct model_block {
    float texel[144][4];
};

/* Returns the format with a hardware number (field "Surface Format"). kind is MODEL_TEXEL_NONE if
 * there is no such format, or the model doesn't support it. Thread-safe. */
struct model_format model_format_by_number(unsigned number);

/* Converts a texel of an uncompressed format to R, G, B, A: integers, or the bits of floats.
 * Missing R, G and B are 0, a missing A is 1. src needs no alignment. */
void model_texel_unpack(const struct model_format *format, const uint8_t *src, uint32_t rgba[4]);

/* Converts R, G, B, A to a texel of an uncompressed color or depth format. Values out of range are
 * clamped. */
void model_texel_pack(const struct model_format *format, uint8_t *dst, const uint32_t rgba[4]);

/* Decodes a block of a compressed format to linear floats. */
void model_block_unpack(const struct model_format *format, const uint8_t *src,
                        struct model_block *block);

/* Stores which bits of a texel in memory belong to the components in `mask` (bits 0 to 3: R to A):
 * all bits if the mask is 15 or, with any mask, if the format has a shared exponent. Bits past the
 * end of the texel are unspecified. */
void model_texel_write_mask(const struct model_format *format, unsigned mask, uint8_t bits[16]);

#endif
