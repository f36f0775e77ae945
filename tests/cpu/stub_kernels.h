/* SPDX-License-Identifier: MIT */
/*
 * Stubs for shaders and the JIT, with kernels written in C, so that the pipeline can be tested
 * separately. The vertex kernel reads the position from vertex stream 0 (four floats). The fragment
 * kernel increments byte 0 of each covered pixel of a 32-bit color buffer, stores the primitive ID
 * in byte 1 and the facing in byte 2. It checks that barycentric coordinates are in range. The
 * kernel of quads does the same and checks that the quads of a vector have no pixel in common.
 */
#ifndef STUB_KERNELS_H
#define STUB_KERNELS_H

#include <stdbool.h>

extern unsigned stub_bad_barycentrics; /* fragments outside of their triangle */
extern unsigned stub_quads;            /* quads shaded by the kernel of quads */
/* Number of errors: pixels that a vector of quads contained twice. With stub_samples: pixels whose
 * bit in the block's mask doesn't match their sample mask. */
extern unsigned stub_collisions;
extern unsigned stub_vertices; /* shaded vertices */
/* Samples per pixel of the framebuffer; 0: single-sampled. Otherwise, the fragment kernel
 * increments byte 0 of each covered sample. It sets the bits of all covered samples of a pixel in
 * its first sample: those of samples 0 to 7 in byte 3, of samples 8 to 15 in byte 2. */
extern unsigned stub_samples;
/* Makes cpu_fs_variant_get() return variants whose compilation has failed. */
extern bool stub_fails;

#endif
