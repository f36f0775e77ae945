/* SPDX-License-Identifier: MIT */
/*
 * Vectorized conversion between texels and planes. A plane is an array with a 32-bit value per
 * texel: float, integer, or depth as a 32-bit normalized integer. It is aligned to 64 bytes. A
 * channel is decoded to a plane or encoded from one. Functions may round the number of values up to
 * a multiple of 16. Results have the same bits at every vector width and equal those of
 * util/format.h.
 */
#ifndef UTIL_FORMAT_PLANES_H
#define UTIL_FORMAT_PLANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

#define UTIL_CHUNK 256 /* maximum number of texels per call; planes have this size */

/* How the bits of a channel represent a value. */
enum util_channel_kind {
    UTIL_KIND_NONE, /* padding */
    UTIL_KIND_UNORM,
    /* 8-bit UNORM of a util_format_is_unorm8_array() format. Encoding rounds value * 255 to a float
     * before it rounds it to an integer, as fragment kernels do. */
    UTIL_KIND_UNORM8,
    UTIL_KIND_SNORM,
    UTIL_KIND_UINT,
    UTIL_KIND_SINT,
    UTIL_KIND_FLOAT32,
    UTIL_KIND_FLOAT16,
    UTIL_KIND_SMALL_FLOAT, /* unsigned, 5 bits of exponent */
    UTIL_KIND_SRGB8,
    UTIL_KIND_RGB9E5, /* all three channels */
    UTIL_KIND_DEPTH,  /* unsigned normalized; the plane holds 32-bit normalized integers */
    /* UNORM and SNORM channels as floats that hold the stored integers, not divided by the maximum.
     * Sums of such channels are exact if they have up to 16 bits. */
    UTIL_KIND_UNSCALED,
    UTIL_KIND_UNSCALED_SIGNED,
    UTIL_KIND_BITS, /* the channel's bits, without conversion */
};

/* A channel of a texel. */
struct util_channel {
    uint8_t kind; /* enum util_channel_kind */
    uint8_t bits;
    uint8_t word, shift; /* index of the channel's 32-bit word in the texel; its lowest bit there */
    bool first;          /* first channel in this word; padding does not count and has false */
};

/* The channels of a plain format of up to 16 bytes. */
struct util_texel_layout {
    uint8_t bytes;       /* size of a texel */
    uint8_t num_words;   /* bytes / 4, rounded up */
    uint8_t nr_channels; /* 1 for RGB9E5, whose channel is decoded to three planes */
    struct util_channel channel[4];
    uint8_t swizzle[4]; /* drv_format_desc.swizzle */
    /* [i]: component (0 to 3: R to A) that channel i is written from; 4: padding */
    uint8_t written[4];
};

/* Four planes of at most UTIL_CHUNK texels. */
struct util_planes {
    uint32_t value[4][UTIL_CHUNK] __attribute__((aligned(64)));
};

/* Initializes *l. unscaled: use UNSCALED for normalized channels of up to 16 bits, except sRGB.
 * Returns false for DRV_FORMAT_NONE, for compressed formats and those of more than 16 bytes per
 * texel, and for scaled, fixed-point and 64-bit channels. */
bool util_texel_layout_init(struct util_texel_layout *l, enum drv_format format, bool unscaled);

/* The words of texels. word[i] points to an array that holds word i of each texel. The array may be
 * unaligned. It is part of `buffer` or of the texels, a plane that was passed to
 * util_encode_channel(), or static. */
struct util_words {
    const uint32_t *word[4];
    struct util_planes *buffer; /* borrowed */
    uint8_t *texels;            /* destination of util_store_words(); unused for decoding */
};

/* Loads the words of n texels; n is a multiple of 16, at most UTIL_CHUNK. For texels of 3 or 6
 * bytes, may read up to 16 bytes past the last one, and the unused upper bits of words are
 * unspecified. swap: reverse the bytes of elements of 2 or 4 bytes; 0: don't. */
void util_load_words(const struct util_texel_layout *l, const uint8_t *src, unsigned n,
                     unsigned swap, struct util_planes *buffer, struct util_words *words);
/* Decodes a channel of n texels and returns its plane: *plane (RGB9E5: the first of three), or the
 * channel's array of words if that has the same values. */
const uint32_t *util_decode_channel(const struct util_channel *c, const struct util_words *words,
                                    unsigned n, uint32_t (*plane)[UTIL_CHUNK]);

/* Prepares encoding n texels at dst; n is as for util_load_words(). merge: channels that are not
 * encoded keep their values; otherwise they become 0. Initializes *words, which refers to dst and
 * buffer. */
void util_begin_words(const struct util_texel_layout *l, uint8_t *dst, unsigned n, bool merge,
                      struct util_planes *buffer, struct util_words *words);
/* Encodes the plane of channel c. Call this for the channels in the order of l->channel, except for
 * padding. merge: the value passed to util_begin_words(). src_signed: integers are int32_t, not
 * uint32_t, when they are clamped to an integer channel. The plane must remain valid and unchanged
 * until util_store_words(). */
void util_encode_channel(const struct util_texel_layout *l, const struct util_channel *c,
                         const uint32_t *plane, bool src_signed, bool merge, unsigned n,
                         struct util_words *words);
/* Stores the encoded texels at the dst of util_begin_words(). May write up to 16 bytes past the
 * last texel if its size is 3 or 6 bytes. swap: see util_load_words(). */
void util_store_words(const struct util_texel_layout *l, unsigned n, unsigned swap,
                      struct util_words *words);
/* Encodes planes of red, green and blue as the words of RGB9E5 texels, between util_begin_words()
 * and util_store_words(). */
void util_encode_rgb9e5(const float *r, const float *g, const float *b, unsigned n,
                        struct util_words *words);

/* A conversion of texels of at most 4 bytes. A texel is treated as an integer whose channels are
 * bit fields. Fields are shifted to their new position; normalized channels of different sizes are
 * also scaled, by a multiplication and a shift. */
struct util_fields {
    uint32_t constant;     /* bits that do not depend on the source */
    uint8_t scaled, count; /* `count` fields are used; the first `scaled` of them are scaled */
    bool narrow; /* products fit in 16 bits, and no field crosses the middle of a 32-bit texel */
    /* Value in dst: ((((texel & mask) >> right) * factor + half) >> down) << left. Fields that are
     * not scaled omit factor, half and down. */
    struct util_field {
        uint32_t mask, factor, half;
        uint32_t right, down, left;
    } field[4];
};

/* Initializes *f to convert between texels of two layouts. source[i]: channel of src that channel i
 * of dst is converted from, or DRV_SWIZZLE_0 or DRV_SWIZZLE_1. integer: DRV_SWIZZLE_1 stands for
 * the integer 1, otherwise for 1.0. Returns false if a channel can't be converted in this way or a
 * texel has more than 4 bytes. Results equal those of util_decode_channel() and
 * util_encode_channel(). */
bool util_fields_init(struct util_fields *f, const struct util_texel_layout *dst,
                      const struct util_texel_layout *src, const uint8_t source[4], bool integer);
/* Converts n texels, a multiple of 16. dst_bytes and src_bytes are the sizes of a texel, each 1, 2
 * or 4. */
void util_convert_fields(const struct util_fields *f, uint8_t *dst, unsigned dst_bytes,
                         const uint8_t *src, unsigned src_bytes, unsigned n);

/* A conversion of packed texels of up to 4 bytes to texels of four 32-bit elements: floats for
 * normalized channels, otherwise integers. The arrays contain the values for the four elements,
 * repeated four times. */
struct util_spread {
    bool is_float;
    uint32_t shift[16], mask[16]; /* of the channel in the texel */
    uint32_t constant[16];        /* bits of the element if the mask is 0 */
    float high[16], low[16];      /* high + low: factor of a normalized channel, 1 / maximum */
};

/* Initializes *s to convert from layout src to layout dst. source[i]: channel of src that element i
 * of dst is converted from, or DRV_SWIZZLE_0 or DRV_SWIZZLE_1. Returns false if dst is not four
 * 32-bit elements, if a channel can't be converted in this way, or if the CPU lacks the
 * instructions. Results equal those of util_decode_channel() and util_encode_channel(). */
bool util_spread_init(struct util_spread *s, const struct util_texel_layout *dst,
                      const struct util_texel_layout *src, const uint8_t source[4]);
/* Converts n texels of 1, 2 or 4 bytes to 16 bytes each. */
void util_spread_row(const struct util_spread *s, uint8_t *dst, const uint8_t *src,
                     unsigned src_bytes, size_t n);

/* Types of elements: unsigned and signed normalized integers, and floats. */
enum util_element {
    UTIL_ELEMENT_U8,
    UTIL_ELEMENT_U16,
    UTIL_ELEMENT_U32,
    UTIL_ELEMENT_S8,
    UTIL_ELEMENT_S16,
    UTIL_ELEMENT_S32,
    UTIL_ELEMENT_F16,
    UTIL_ELEMENT_F32,
    UTIL_ELEMENTS, /* number of types; also stands for no type */
};

/* Returns the size of an element in bytes: 1, 2 or 4. */
static inline unsigned util_element_bytes(enum util_element type)
{
    return type == UTIL_ELEMENT_U8 || type == UTIL_ELEMENT_S8                                 ? 1
           : type == UTIL_ELEMENT_U32 || type == UTIL_ELEMENT_S32 || type == UTIL_ELEMENT_F32 ? 4
                                                                                              : 2;
}

/* Returns the type of a layout whose channels, except for padding, are an array of one type;
 * otherwise UTIL_ELEMENTS. */
enum util_element util_element_of(const struct util_texel_layout *l);
/* Converts n elements. The types must not be the same unsigned type; copy the bytes in that case.
 * add_zero: adds 0 to the values, which turns -0 into 0. clamp: afterwards clamps them to [0, 1].
 * Results equal those of util_decode_channel(), util_plane_clamp() and util_encode_channel(). */
void util_convert_elements(enum util_element to, uint8_t *dst, enum util_element from,
                           const uint8_t *src, bool add_zero, bool clamp, size_t n);

/* Stores src[i] * scale + bias in dst[i] for n values. */
void util_plane_scale(float *dst, const float *src, float scale, float bias, unsigned n);
/* Stores src[i], clamped to [0, 1], in dst[i] for n values. A NaN stays. */
void util_plane_clamp(float *dst, const float *src, unsigned n);
/* Looks up n values in [0, 1] in a table of `size` entries: stores
 * table[floor(value * (size - 1) + 0.5)]. A NaN selects the first entry. */
void util_plane_look_up(float *dst, const float *src, const float *table, unsigned size,
                        unsigned n);

/* Replaces n unsigned integers, which are less than 2^31, with floats of the same values. */
void util_plane_to_floats(uint32_t *plane, unsigned n);

/* Stores (dst[i] + src[i]) * factor in dst[i] for count values. factor is a power of two. */
void util_plane_add(float *dst, const float *src, float factor, unsigned count);
/* Stores in dst[i] the weighted sum of a[i] and b[i]: a * (1 - weight) + b * weight. */
void util_plane_mix(float *dst, const float *a, const float *b, float weight, unsigned count);
/* Halves a row of texels, which have `size` floats (1, 2 or 4): adds each pair of adjacent texels
 * of src, multiplies the sum by factor, and stores it in dst. count: number of floats to store,
 * rounded up to a multiple of 16. Reads twice as many floats. src need not be aligned. */
void util_plane_halve(float *dst, const float *src, unsigned size, float factor, unsigned count);

/* Stores in dst[i] a linear interpolation of two values of src: a + weight[i] * (b - a), where a is
 * src[at[0][i]] and b is src[at[1][i]]. dst, at[0], at[1] and weight have UTIL_CHUNK entries. The
 * indices in at[] must be valid up to count rounded up to a multiple of 16. */
void util_plane_filter(float *dst, const float *src, const uint32_t at[2][UTIL_CHUNK],
                       const float *weight, unsigned count);
/* Stores src[at[i]] in dst[i]. dst and at are as for util_plane_filter(). */
void util_plane_pick(float *dst, const float *src, const uint32_t *at, unsigned count);

/* Representation of depth in a plane. */
enum util_depth_type {
    UTIL_DEPTH_FLOAT,
    UTIL_DEPTH_U32, /* 32-bit unsigned normalized; narrower formats repeat their upper bits */
    UTIL_DEPTH_U24, /* 24-bit unsigned normalized, in the upper bits of a 32-bit integer */
};
/* Converts n depth values to another representation, through doubles: multiplies by scale, adds
 * bias, and clamps to [0, 1]. Rounds to nearest, ties up, unless the result is a float. exact: must
 * be true if the source may have more than 24 significant bits; false allows a faster
 * conversion. */
void util_plane_depth(uint32_t *dst, enum util_depth_type dst_type, const uint32_t *src,
                      enum util_depth_type src_type, double scale, double bias, bool exact,
                      unsigned n);

/* Texels of a format as planes of components R, G, B, A; for filters. Integer and stencil
 * components are integers, others are floats. Depth is a float, too, unlike in planes of
 * UTIL_KIND_DEPTH. */
struct util_planes_format {
    struct util_texel_layout layout;
    bool zs;            /* depth and stencil; components 0 and 1 are depth and stencil */
    uint8_t components; /* bit c is set if a channel is written from component c */
    uint8_t floats;     /* 1, 2 or 4 if a texel is an array of that many 32-bit floats, else 0 */
};

/* Initializes *f. The parameter `unscaled` and the returned value are those of
 * util_texel_layout_init(). */
bool util_planes_format_init(struct util_planes_format *f, enum drv_format format, bool unscaled);
/* Converts count texels (at most UTIL_CHUNK) to planes of the components in f->components. */
void util_texels_to_planes(const struct util_planes_format *f, const void *src, unsigned count,
                           struct util_planes *planes);
/* Converts planes of the components in f->components to count texels (at most UTIL_CHUNK). Padding
 * becomes 0. */
void util_planes_to_texels(const struct util_planes_format *f, void *dst, unsigned count,
                           const struct util_planes *planes);

#endif
