/* SPDX-License-Identifier: MIT */
/* Texels that all get the same value, or some bits of it. */
#ifndef CPU_FILL_H
#define CPU_FILL_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t cpu_fill_line __attribute__((vector_size(64), aligned(4), may_alias));

/* A texel's value and the bits that become so; mask NULL: all. texel and mask stay the caller's. */
struct cpu_fill {
    const uint8_t *texel, *mask;
    uint32_t bytes;        /* of a texel, at most 16 */
    cpu_fill_line pattern; /* of texels that fill 64 bytes, if they can */
};

void cpu_fill_init(struct cpu_fill *f, const uint8_t *texel, const uint8_t *mask, uint32_t bytes);
/* n texels that follow each other in memory. */
void cpu_fill_run(uint8_t *dst, const struct cpu_fill *f, size_t n);

#endif
