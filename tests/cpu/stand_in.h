/* SPDX-License-Identifier: MIT */
/*
 * Shaders and kernels in C, in place of the JIT, so that the pipeline can be tested alone. The
 * vertex kernel takes the position from vertex stream 0 (four floats). The fragment kernel adds one
 * to byte 0 of each pixel it covers and writes the primitive's number to byte 1 and its facing to
 * byte 2 of a 32-bit color buffer; it checks that barycentrics are in range. The kernel of quads does
 * the same and checks that quads of a vector have no pixel in common.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>

extern unsigned stand_in_bad_barycentrics; /* fragments that were outside of their triangle */
extern unsigned stand_in_quads;            /* shaded by the kernel of quads */
extern unsigned stand_in_collisions;       /* pixels that a vector of quads had twice */
extern unsigned stand_in_vertices;         /* that were shaded */
/* Of the framebuffer, 0: single-sampled. The fragment kernel then adds one to byte 0 of each sample
 * that it covers and sets the samples' bits in byte 3 of the first one. */
extern unsigned stand_in_samples;
/* Fragment kernels that are asked for cannot be compiled, which is known at once. */
extern bool stand_in_fails;

#endif
