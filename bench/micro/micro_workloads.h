/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of workloads. */
#ifndef MICRO_WORKLOADS_H
#define MICRO_WORKLOADS_H

#include <stdint.h>

/* Returns a hash of x. */
uint32_t micro_noise(uint32_t x);

/* Sets up a square that covers a new target, with a fragment shader that receives the position in
 * [-1, 1] as v. */
void micro_fragments(const char *version, const char *fs);

/* micro_formats.c: texture fetches. */
#define MICRO_FORMATS(F)                                                                           \
    F(r8, "fetch-r8")                                                                              \
    F(rg8, "fetch-rg8")                                                                            \
    F(rgb565, "fetch-rgb565")                                                                      \
    F(rgb10a2, "fetch-rgb10a2")                                                                    \
    F(srgb8, "fetch-srgb8")                                                                        \
    F(r32f, "fetch-r32f")                                                                          \
    F(rgba16f, "fetch-rgba16f")                                                                    \
    F(rgba32f, "fetch-rgba32f")                                                                    \
    F(rg11b10f, "fetch-rg11b10f")                                                                  \
    F(dxt1, "fetch-dxt1")                                                                          \
    F(rgtc, "fetch-rgtc")                                                                          \
    F(dxt1_mipmap, "fetch-dxt1-mipmap")                                                            \
    F(rgba16f_mipmap, "fetch-rgba16f-mipmap")                                                      \
    F(turned_mipmap, "fetch-turned-mipmap")                                                        \
    F(offsets, "fetch-offsets")                                                                    \
    F(shadow, "fetch-shadow")                                                                      \
    F(array, "fetch-array")                                                                        \
    F(cube, "fetch-cube")                                                                          \
    F(3d, "fetch-3d")
#define MICRO_FORMAT(id, name) MICRO_FORMAT_##id,
enum { MICRO_FORMATS(MICRO_FORMAT) };
#undef MICRO_FORMAT
#define MICRO_FORMAT(id, name) void micro_setup_##id(unsigned work);
MICRO_FORMATS(MICRO_FORMAT)
#undef MICRO_FORMAT

/* micro_mesh.c */
void micro_setup_mesh(unsigned work);
void micro_frame_mesh(unsigned work);

/* micro_compute.c */
void micro_setup_product(unsigned work);
void micro_setup_reduction(unsigned work);
void micro_setup_histogram(unsigned work);
void micro_setup_particles(unsigned work);
void micro_setup_blur(unsigned work);
void micro_frame_compute(unsigned work);

#endif
