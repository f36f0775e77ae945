/* SPDX-License-Identifier: MIT */
/* Fills runs of texels with one value. A mask can restrict this to some bits of each texel. */
#ifndef CPU_FILL_H
#define CPU_FILL_H

#include <stddef.h>
#include <stdint.h>

/* 64 bytes of texels. May be at any address that is a multiple of 4. */
typedef uint32_t cpu_fill_line __attribute__((vector_size(64), aligned(4), may_alias));

/* A prepared fill. */
struct cpu_fill {
    const uint8_t *texel;  /* the value; borrowed */
    const uint8_t *mask;   /* bits of a texel that are written; NULL: all; borrowed */
    uint32_t bytes;        /* size of a texel, at most 16 */
    cpu_fill_line pattern; /* 64 bytes of repeated texels; only set if `bytes` divides 64 */
};

/* Prepares a fill. texel and mask must live as long as *f. */
void cpu_fill_init(struct cpu_fill *f, const uint8_t *texel, const uint8_t *mask, uint32_t bytes);
/* Fills n consecutive texels. dst must be a multiple of 4 if they take 64 bytes or more, or if
 * texels of 4 bytes are filled with a mask. */
void cpu_fill_run(uint8_t *dst, const struct cpu_fill *f, size_t n);

#endif
