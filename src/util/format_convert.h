/* SPDX-License-Identifier: MIT */
/*
 * Conversion of rows of pixels between two plain formats, with the operations of pixel transfer
 * (GL 4.6 compatibility §8.4.4.1). Client pixels are described by formats, too: a client's type and
 * number of components give a format whose component R is the client's first component.
 */
#ifndef UTIL_FORMAT_CONVERT_H
#define UTIL_FORMAT_CONVERT_H

#include <stddef.h>

#include "util/format_planes.h"
#include "util/pixel_moves.h"

/* A table of values. Colors 0 to 1 span the table. Stencil indices wrap at size, a power of two. */
struct util_lookup {
    const float *values;
    unsigned size;
};

/* Pixel transfer state. The maps are borrowed. */
struct util_pixel_transfer {
    float scale[4], bias[4]; /* R, G, B, A */
    bool map_color, map_stencil;
    struct util_lookup color_map[4]; /* applied to colors clamped to [0, 1] */
    struct util_lookup stencil_map;
    float depth_scale, depth_bias;
    int index_shift, index_offset; /* for stencil indices; negative: shift to the right */
};

/* What a conversion transfers. */
enum util_convert_aspect {
    UTIL_CONVERT_COLOR = 0,
    UTIL_CONVERT_DEPTH = 1 << 0,
    UTIL_CONVERT_STENCIL = 1 << 1,
};

struct util_conversion_desc {
    enum drv_format dst, src;
    unsigned aspects; /* enum util_convert_aspect */
    /* For colors, as enum drv_swizzle. R, G, B and A (c = 0 to 3) are read from component in[c] of
     * src. Component c of dst is written from out[c], one of R, G, B and A, or a constant. */
    uint8_t in[4], out[4];
    uint8_t src_swap, dst_swap; /* size of the words whose bytes are swapped: 2 or 4; 0: none */
    bool clamp;                 /* clamp floats to [0, 1] */
    bool luminance_sum;         /* R is R + G + B */
    /* src or dst has client pixels. Their 24-bit depths are normalized integers of 24 bits, and
     * results are rounded to them. Other 24-bit depths are the upper bits of 32-bit ones. */
    bool client_src, client_dst;
    const struct util_pixel_transfer *transfer; /* borrowed; NULL: none */
};

struct util_conversion {
    struct util_conversion_desc desc;
    struct util_pixel_moves moves; /* used if moves_only is set */
    bool moves_only;
    struct util_fields fields; /* used if has_fields is set */
    bool has_fields;
    /* Used if has_elements is set: pixels are arrays of elements, and nr_elements per pixel are
     * converted. The elements are arranged before or after the conversion. */
    bool has_elements, arranges_before, arranges_after;
    uint8_t nr_elements, to_element, from_element; /* to_, from_element: enum util_element */
    struct util_pixel_moves before, after;
    bool keeps;                        /* dst has depth or stencil values that stay unchanged */
    bool integer, src_signed;          /* colors are pure integers; those of src are signed */
    uint8_t src_bytes, dst_bytes;      /* bytes per pixel */
    uint8_t elements;                  /* one-channel pixels that replace a pixel; 1: not split */
    uint8_t needed;                    /* bit c is set if component c of R, G, B, A is needed */
    uint8_t decoded;                   /* bit i is set if channel i of src is decoded */
    struct util_texel_layout to, from; /* channels that are copied have UTIL_KIND_BITS */
};

/* Initializes *c. Integer formats convert only to integer formats. Returns false if a format has no
 * layout (util_texel_layout_init). */
bool util_conversion_init(struct util_conversion *c, const struct util_conversion_desc *desc);

/* Converts count pixels. Needs no alignment; the rows must not overlap. Thread-safe. */
void util_convert_row(const struct util_conversion *c, void *dst, const void *src, size_t count);

/* Returns whether rows are copied unchanged. */
static inline bool util_conversion_is_copy(const struct util_conversion *c)
{
    return c->moves_only && c->moves.same;
}

#endif
