/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats. enum drv_format is generated from src/util/format_table.py, which lists every
 * format once. The names are DRV_FORMAT_<channels>_<type>, or for formats with
 * DRV_LAYOUT_COMPRESSED, DRV_FORMAT_<compression>. Channels are named from the lowest bit (or byte)
 * up: R8G8B8A8 has red in its first byte, B5G6R5 has blue in its lowest five bits.
 */
#ifndef INDIUM_FORMAT_H
#define INDIUM_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "indium/format_enum.h" /* enum drv_format, DRV_FORMAT_COUNT */

/* How the bits of a channel are interpreted. */
enum drv_channel_type {
    DRV_CHANNEL_VOID, /* padding, whose contents are ignored */
    DRV_CHANNEL_UNSIGNED,
    DRV_CHANNEL_SIGNED,
    /* IEEE float of 64, 32 or 16 bits, or unsigned float of 11 or 10 bits (GL 4.6 §2.3.4). */
    DRV_CHANNEL_FLOAT,
    DRV_CHANNEL_FIXED, /* signed 16.16 fixed point */
};

/* Meaning of the channels. ZS: depth and stencil. */
enum drv_colorspace { DRV_COLORSPACE_RGB, DRV_COLORSPACE_SRGB, DRV_COLORSPACE_ZS };

/* How texels are stored in a block. */
enum drv_layout {
    DRV_LAYOUT_PLAIN,      /* each channel is a bit field of the block, read as little-endian */
    DRV_LAYOUT_R11G11B10F, /* three unsigned floats in 32 bits (GL 4.6 §2.3.4.3, §2.3.4.4) */
    DRV_LAYOUT_RGB9E5,     /* three 9-bit mantissas with one 5-bit exponent (GL 4.6 §8.5.2) */
    /* S3TC, RGTC, BPTC, ETC, ASTC, FXT1, LATC, or Y'CbCr with 2 × 1 texels in four bytes (YCBCR) */
    DRV_LAYOUT_COMPRESSED,
};

/* Source of a component of the vec4 that a shader sees. In a format description, X to W are the
 * format's channels 0 to 3. In a sampler view, they are the components R to A of the view's format.
 * 0 and 1 are constants. */
enum drv_swizzle {
    DRV_SWIZZLE_X,
    DRV_SWIZZLE_Y,
    DRV_SWIZZLE_Z,
    DRV_SWIZZLE_W,
    DRV_SWIZZLE_0,
    DRV_SWIZZLE_1,
};

/* A channel of a format. */
struct drv_format_channel {
    uint8_t type;      /* enum drv_channel_type */
    bool normalized;   /* an integer that represents a value in [0, 1] or [-1, 1] */
    bool pure_integer; /* shaders see an integer instead of a float */
    uint8_t bits;      /* size in bits */
    uint8_t shift;     /* bit offset from the start of the block */
};

/* Description of a format. */
struct drv_format_desc {
    enum drv_format format;
    const char *name;                     /* for example "R8G8B8A8_UNORM" */
    uint8_t layout;                       /* enum drv_layout */
    uint8_t colorspace;                   /* enum drv_colorspace */
    uint8_t block_width, block_height;    /* texels; 1 × 1 unless compressed */
    uint8_t block_bytes;                  /* size of a block in bytes */
    uint8_t nr_channels;                  /* number of elements of channel in use */
    struct drv_format_channel channel[4]; /* in memory order */
    /* Values of enum drv_swizzle. In color formats, the sources of R, G, B and A. In depth-stencil
     * formats, [0] is the depth channel and [1] the stencil channel, DRV_SWIZZLE_0 if absent. */
    uint8_t swizzle[4];
};

/* Returns the constant description of a format; never NULL. DRV_FORMAT_NONE has block_bytes 0. */
const struct drv_format_desc *drv_format_desc(enum drv_format format);

#endif
