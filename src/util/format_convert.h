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

/* A lookup table. A color c selects entry round(c * (size - 1)). A stencil index selects entry
 * index modulo size, a power of two. */
struct util_lookup {
    const float *values;
    unsigned size;
};

/* Pixel transfer state. The maps are borrowed. */
struct util_pixel_transfer {
    float scale[4], bias[4];         /* R, G, B, A */
    bool map_color, map_stencil;     /* whether the maps below are applied */
    struct util_lookup color_map[4]; /* applied to colors clamped to [0, 1] */
    struct util_lookup stencil_map;
    float depth_scale, depth_bias;
    int index_shift, index_offset; /* for stencil indices; a negative shift is to the right */
};

/* What a conversion transfers: colors, or a mask of depth and stencil. */
enum util_convert_aspect {
    UTIL_CONVERT_COLOR = 0,
    UTIL_CONVERT_DEPTH = 1 << 0,
    UTIL_CONVERT_STENCIL = 1 << 1,
};

/* Description of a conversion. */
struct util_conversion_desc {
    enum drv_format dst, src;
    unsigned aspects; /* enum util_convert_aspect */
    /* Colors only, values of enum drv_swizzle. Component c of R, G, B, A is component in[c] of src.
     * Component c of dst is component out[c] of R, G, B, A after the operations below. */
    uint8_t in[4], out[4];
    uint8_t src_swap, dst_swap; /* size in bytes of elements to byte-swap: 2 or 4; 0: no swap */
    bool clamp;                 /* clamp R, G, B, A to [0, 1] at the end; not for integers */
    bool luminance_sum;         /* replace R by R + G + B */
    /* Encoding of 24-bit depths in src and dst. True: 24-bit normalized integers, as in client
     * memory; depths are rounded to them. False: the upper 24 bits of 32-bit normalized integers. */
    bool client_src, client_dst;
    bool any_depth; /* depths that are floats in src and dst aren't clamped to [0, 1] */
    const struct util_pixel_transfer *transfer; /* must outlive the conversion; NULL: none */
};

/* A prepared conversion. util_convert_row() uses the first of these methods that is set:
 * moves_only, has_elements, has_spread, has_fields. Otherwise it decodes channels to planes
 * (util/format_planes.h). */
struct util_conversion {
    struct util_conversion_desc desc; /* without operations that have no effect */
    bool moves_only;                  /* `moves` is used */
    struct util_fields fields;        /* used if has_fields is set */
    struct util_spread spread;        /* used if has_spread is set */
    bool has_fields, has_spread;
    /* Used if has_elements is set: the pixels of both formats are arrays. nr_elements elements per
     * pixel are converted from type from_element to to_element (enum util_element). If
     * arranges_before is set, `before` first rearranges the elements of src. If arranges_after is
     * set, `after` rearranges the converted elements. */
    bool has_elements, arranges_before, arranges_after;
    uint8_t nr_elements, to_element, from_element;
    bool keeps;                   /* dst keeps its old depth or stencil, so dst is read */
    bool integer, src_signed;     /* colors are pure integers; those of src are signed */
    uint8_t src_bytes, dst_bytes; /* size of a pixel */
    uint8_t elements;             /* number of channels, if each is converted separately; else 1 */
    uint8_t needed;               /* bit c: component c of R, G, B, A affects dst */
    uint8_t decoded;              /* bit i: channel i of src is decoded */
    /* Layouts of dst and src, or of one channel if `elements` isn't 1. Channels of the kind
     * UTIL_KIND_BITS are copied. */
    struct util_texel_layout to, from;
    struct util_pixel_moves moves, before, after;
};

/* Initializes *c from a copy of *desc. Pure integer formats convert only to pure integer formats.
 * Returns false if a format has no layout (util_texel_layout_init). */
bool util_conversion_init(struct util_conversion *c, const struct util_conversion_desc *desc);

#define UTIL_CACHED_CONVERSIONS 4

/* The most recently prepared conversions, for reuse: preparing one takes as long as converting some
 * thousand pixels. Initialized with zeros. Used by one thread at a time. */
struct util_conversion_cache {
    unsigned next; /* index of the entry that is replaced next */
    /* dst is DRV_FORMAT_NONE (0) if an entry is unused. */
    struct util_conversion_desc desc[UTIL_CACHED_CONVERSIONS];
    struct util_conversion conversion[UTIL_CACHED_CONVERSIONS];
};

/* Returns the conversion that util_conversion_init() initializes from *desc. The cache owns it. It
 * stays valid until the call after the next one with the same cache. Returns NULL if a format has
 * no layout. */
const struct util_conversion *util_conversion_find(struct util_conversion_cache *c,
                                                   const struct util_conversion_desc *desc);

/* Converts count pixels, less than 2^32. The rows must not overlap; they need no alignment.
 * Thread-safe. */
void util_convert_row(const struct util_conversion *c, void *dst, const void *src, size_t count);

/* Returns whether rows are copied unchanged. */
static inline bool util_conversion_is_copy(const struct util_conversion *c)
{
    return c->moves_only && c->moves.same;
}

#endif
