/* SPDX-License-Identifier: MIT */
/*
 * Conversions between pixel formats that only move bytes. They reorder, add or drop channels, or
 * widen unsigned channels: 8-bit normalized integers to 16 bits, pure integers to any larger size.
 */
#ifndef UTIL_PIXEL_MOVES_H
#define UTIL_PIXEL_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "indium/format.h"

#define UTIL_MOVES_NO_BYTE 0x80 /* an index for which pshufb and TBL store 0 */

#define UTIL_MOVES_UNITS   6   /* maximum number of units of a step */
#define UTIL_MOVES_WINDOWS 8   /* maximum number of windows of a unit */
#define UTIL_MOVES_BYTES   192 /* maximum number of bytes that a step stores */

/* A step of the vector loops: one iteration. It stores `units` vectors, called units, which consist
 * of whole destination texels. Each unit gathers its bytes from up to `windows` vectors of the
 * source, called windows. */
struct util_move_step {
    /* units is 0 if there is no step, because the units would not hold whole texels, would need too
     * many windows, or would be slower than a loop with few_from[]. */
    uint8_t units, windows;
    uint8_t unit_bytes; /* size of a unit and of a window: 16 or 64 */
    uint8_t texels;     /* number of texels that a step converts */
    bool adjacent;      /* windows is 1, and the window of unit 2i + 1 follows that of unit 2i */
    uint16_t extent;    /* bytes of the source from its first texel to the end of all windows */
    /* [w * units + u]: byte offset of window w of unit u from the first texel of the source. */
    uint16_t offset[UTIL_MOVES_UNITS * UTIL_MOVES_WINDOWS];
    /* Like util_pixel_moves.from and fill, for all bytes of the units. from[] has an index in a
     * window; the elements for window w of unit u start at (w * units + u) * unit_bytes. */
    uint8_t from[UTIL_MOVES_WINDOWS * UTIL_MOVES_BYTES], fill[UTIL_MOVES_BYTES];
};

/* Which source byte or constant each byte of a destination texel is. */
struct util_pixel_moves {
    /* Size of a texel. dst_bytes is at most 16 unless `same` is set. Bytes of source texels that
     * are not in from[] are dropped. */
    uint8_t src_bytes, dst_bytes;
    bool same;        /* texels are copied unchanged */
    uint8_t from[16]; /* [i]: source byte of destination byte i, or UTIL_MOVES_NO_BYTE */
    uint8_t fill[16]; /* [i]: destination byte i if from[i] is UTIL_MOVES_NO_BYTE; otherwise 0 */
    /* Like from[] and fill[], for a vector of 16 / max(src_bytes, dst_bytes) consecutive texels.
     * few_from[] counts bytes from the first of these texels. */
    uint8_t few_from[16], few_fill[16];
    struct util_move_step step;
};

/* Initializes *m to store zeros in texels of these sizes in bytes. The caller then sets from[] and
 * fill[]. */
void util_pixel_moves_clear(struct util_pixel_moves *m, unsigned dst_bytes, unsigned src_bytes);

/* Initializes *m to convert from format src to format dst. Component c (0 to 3: R to A) of the
 * result is component swizzle[c] (enum drv_swizzle) of the source. Returns false unless that is a
 * copy, or a rearrangement of whole bytes in texels of at most 16 bytes. Returns false for all
 * compressed and depth/stencil formats. */
bool util_pixel_moves_init(struct util_pixel_moves *m, enum drv_format dst, enum drv_format src,
                           const uint8_t swizzle[4]);

/* Changes *m to also reverse the bytes of each unit of src_unit bytes in the source and of dst_unit
 * bytes in the destination. Units have 2 or 4 bytes; 0 reverses nothing. Returns false, with *m
 * unchanged, if texels of the destination are larger than 16 bytes. */
bool util_pixel_moves_swap(struct util_pixel_moves *m, unsigned dst_unit, unsigned src_unit);

/* Initializes few_from, few_fill and step, which are derived from the other members. Call this
 * after all changes and before the first conversion. */
void util_pixel_moves_prepare(struct util_pixel_moves *m);

/* Converts count texels. The rows must not overlap. They need no alignment. Thread-safe. */
void util_pixel_moves_row(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                          uint32_t count);

/* Copies `size` bytes with stores that bypass the caches, for destinations larger than the caches:
 * a normal store would first read the cache line. The pointers need no alignment. Call
 * util_stream_end() before another thread reads the copy. */
void util_stream_copy(void *dst, const void *src, size_t size);
/* Orders the calling thread's stores of util_stream_copy() and util_stream_16() before its later
 * stores. */
void util_stream_end(void);

/* Copies 16 bytes like util_stream_copy(). dst is aligned to 16 bytes. All 64 bytes of a cache line
 * should be stored one after the other. */
static inline void util_stream_16(void *dst, const void *src)
{
#ifdef __x86_64__
    _mm_stream_si128((__m128i *)dst, _mm_loadu_si128((const __m128i *)src));
#else
    memcpy(dst, src, 16);
#endif
}

/* Fills `size` bytes, a multiple of texel_bytes, with copies of a texel. texel_bytes is 1 to 64. */
void util_fill_texels(void *dst, size_t size, const void *texel, unsigned texel_bytes);

#endif
