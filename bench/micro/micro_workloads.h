/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of workloads. */
#ifndef MICRO_WORKLOADS_H
#define MICRO_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

#include "micro_gl.h"

#define GLSL120 "#version 120\n"
#define GLSL140 "#version 140\n"
#define GLSL150 "#version 150\n"

/* A vertex shader that passes the position, an attribute vec2, to a varying vec2 v. */
extern const char micro_plain_vs[];

/* Returns a hash of x. */
uint32_t micro_noise(uint32_t x);
/* Returns bytes of noise, allocated with malloc. Exits if there is no memory. */
uint8_t *micro_texels(unsigned bytes);

/* Creates and binds a 2D texture of noise with mipmaps, size × size RGBA8 texels. */
GLuint micro_texture(unsigned size, GLenum min, GLenum mag);

/* Links and uses a program. "place" is attribute 0, "extra" attribute 1. gs may be NULL. */
GLuint micro_program(const char *version, const char *vs, const char *gs, const char *fs);
/* Creates a buffer with the elements of data[], of which there are `floats`, and uses it as
 * attribute `index` with `size` floats per vertex. */
void micro_attribute(GLuint index, GLint size, const float *data, size_t floats);
/* Sets up a triangle strip that covers the target. */
void micro_square(void);

/* Sets up a square that covers a new target, with a fragment shader that receives the position in
 * [-1, 1] as v. */
void micro_fragments(const char *version, const char *fs);

/* micro_formats.c: texture fetches. Each row is the suffix of the setup function and the name. */
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

/* micro_memory.c: workloads that only measure memory; they are not listed. The arguments of F are
 * those of MICRO_PRIMITIVES. */
#define MICRO_KEPT(F)                                                                              \
    F(kept_textures, "kept-textures", kept_textures, 1000)                                         \
    F(kept_vertices, "kept-vertices", kept_vertices, 9999999)                                      \
    F(kept_programs, "kept-programs", kept_programs, 1000)
#define MICRO_KEPT_FUNCTIONS(id, name, frame, units)                                               \
    void micro_setup_##id(unsigned work);                                                          \
    void micro_frame_##frame(unsigned work);
MICRO_KEPT(MICRO_KEPT_FUNCTIONS)
#undef MICRO_KEPT_FUNCTIONS

/* micro_compute.c */
void micro_setup_product(unsigned work);
void micro_setup_reduction(unsigned work);
void micro_setup_histogram(unsigned work);
void micro_setup_particles(unsigned work);
void micro_setup_blur(unsigned work);
void micro_frame_compute(unsigned work);

/* micro_primitives.c: lines, points, small quads and meshes, slices, short-lived textures, selection
 * and feedback. Each row is the suffix of the setup function, the name, the suffix of the frame
 * function, and the units of work. */
#define MICRO_PRIMITIVES(F)                                                                        \
    F(lines, "lines", lines, 16384)                                                                \
    F(line_strip, "line-strip", strip, 32768)                                                      \
    F(line_strip_short, "line-strip-short", strip, 262144)                                         \
    F(line_loop, "line-loop", loop, 32768)                                                         \
    F(line_restart, "line-restart", restart, 32768)                                                \
    F(line_multi, "line-multi-draw", multi, 2048)                                                  \
    F(line_wide, "line-wide", strip, 16384)                                                        \
    F(line_smooth, "line-smooth", strip, 16384)                                                    \
    F(points, "points", points, 131072)                                                            \
    F(points_wide, "points-wide", points, 16384)                                                   \
    F(points_round, "points-round", points, 16384)                                                 \
    F(sprites, "sprites", points, 8192)                                                            \
    F(quads, "glyph-quads", quads, 20000)                                                          \
    F(meshes, "meshes", meshes, 256)                                                               \
    F(slices, "slices-3d", slices, 256)                                                            \
    F(churn_256, "texture-churn-256", churn, 1)                                                    \
    F(churn_512, "texture-churn-512", churn, 1)                                                    \
    F(select, "select", select, 100000)                                                            \
    F(select_names, "select-names", select_names, 4096)                                            \
    F(feedback, "feedback", feedback, 100000)
#define MICRO_PRIMITIVE(id, name, frame, work)                                                     \
    void micro_setup_##id(unsigned units);                                                         \
    void micro_frame_##frame(unsigned units);
MICRO_PRIMITIVES(MICRO_PRIMITIVE)
#undef MICRO_PRIMITIVE

#endif
