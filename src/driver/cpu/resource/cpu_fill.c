/* SPDX-License-Identifier: MIT */
#include "driver/cpu/resource/cpu_fill.h"

#include <string.h>

#include "util/simd.h"

void cpu_fill_init(struct cpu_fill *f, const uint8_t *texel, const uint8_t *mask, uint32_t bytes)
{
    f->texel = texel;
    f->mask = mask;
    f->bytes = bytes;
    if (sizeof f->pattern % bytes)
        return; /* texels of three components do not divide 64 bytes */
    uint8_t *pattern = (uint8_t *)&f->pattern;
    memcpy(pattern, texel, bytes);
    for (size_t done = bytes; done < sizeof f->pattern; done *= 2)
        memcpy(pattern + done, pattern, done);
}

/* Stores whole copies of the pattern. Returns the number of bytes stored. */
static inline __attribute__((always_inline)) size_t fill_lines(uint8_t *dst,
                                                               const struct cpu_fill *f,
                                                               size_t bytes)
{
    const cpu_fill_line pattern = f->pattern;
    size_t done = 0;
    for (; done + 64 <= bytes; done += 64)
        *(cpu_fill_line *)(dst + done) = pattern;
    return done;
}

#ifdef __x86_64__
/* A store of a whole cache line does not read the line from memory. */
SIMD_TARGET_16 static size_t fill_lines_16(uint8_t *dst, const struct cpu_fill *f, size_t bytes)
{
    return fill_lines(dst, f, bytes);
}
#endif

static void fill(uint8_t *dst, const struct cpu_fill *f, size_t n)
{
    size_t bytes = f->bytes * n, done = 0;
    if (sizeof f->pattern % f->bytes == 0) {
#ifdef __x86_64__
        done = simd_lanes() == 16 ? fill_lines_16(dst, f, bytes) : fill_lines(dst, f, bytes);
#else
        done = fill_lines(dst, f, bytes);
#endif
    }
    for (; done < bytes; done += f->bytes)
        memcpy(dst + done, f->texel, f->bytes);
}

static void fill_masked32(uint8_t *dst, uint32_t texel, uint32_t mask, size_t n)
{
    texel &= mask;
    for (size_t lines = n / 16; lines; lines--, dst += 64) {
        cpu_fill_line *block = (cpu_fill_line *)dst;
        *block = (*block & ~mask) | texel;
    }
    uint32_t *word = (uint32_t *)dst;
    for (unsigned i = 0; i < n % 16; i++)
        word[i] = (word[i] & ~mask) | texel;
}

static void fill_masked(uint8_t *dst, const struct cpu_fill *f, size_t n)
{
    uint32_t texel, mask;
    if (f->bytes == 4) {
        memcpy(&texel, f->texel, 4);
        memcpy(&mask, f->mask, 4);
        fill_masked32(dst, texel, mask, n);
        return;
    }
    for (size_t i = 0; i < n; i++, dst += f->bytes)
        for (unsigned c = 0; c < f->bytes; c++)
            dst[c] = (dst[c] & ~f->mask[c]) | (f->texel[c] & f->mask[c]);
}

void cpu_fill_run(uint8_t *dst, const struct cpu_fill *f, size_t n)
{
    if (f->mask)
        fill_masked(dst, f, n);
    else
        fill(dst, f, n);
}
