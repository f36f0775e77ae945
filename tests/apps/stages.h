/* SPDX-License-Identifier: MIT */
/*
 * Scenes that use all shader stages and produce the same bytes at every SIMD width and number of
 * threads. Results are written to $FRAME_SHIM_OUT-<frame>.rgba, in the format of frame_shim.c. A
 * buffer is written as an image with one row, whose pixels have four bytes. Vertices are
 * pseudorandom, most counts are not multiples of a SIMD width, and blending makes the order of
 * primitives visible.
 */
#ifndef STAGES_H
#define STAGES_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#include <stdbool.h>

#define STAGES_SIZE 150 /* side of an image in pixels: more than two tiles, the last one partial */

void stages_geometry(void);     /* geometry shaders */
void stages_feedback(void);     /* transform feedback */
void stages_memory(void);       /* order-independent effects of draws on memory */
void stages_tessellation(void); /* all domains and spacings, also with geometry shaders */
void stages_compute(void);      /* shared memory, barriers, indirect dispatches, atomics */
void stages_smooth(void);       /* smooth polygons and lines */
void stages_images(void);       /* formats, targets, sizes, out-of-bounds texels, atomics */

/* Shader texts; NULL: stage not used. */
struct stages_program {
    const char *vertex, *control, *evaluation, *geometry, *fragment, *compute;
    /* Transform feedback: number and names of the outputs, and the buffer mode. */
    unsigned captures;
    const char *const *capture;
    GLenum capture_mode;
};

/* These functions exit with a message on failure. */
_Noreturn void stages_fail(const char *what, const char *why);
GLuint stages_make_program(const struct stages_program *program);
/* Creates a buffer of vec4s with pseudorandom numbers in [0, 1], or with a pattern that marks
 * unwritten bytes. Binds it to GL_ARRAY_BUFFER. */
GLuint stages_make_buffer(unsigned vectors, bool numbers);
/* Creates a buffer of zeros. target 0: don't bind it. */
GLuint stages_make_words(GLenum target, GLuint index, unsigned words);
void stages_set_attribute(GLuint index, GLuint buffer, unsigned divisor); /* vec4 attribute */
/* Creates an index buffer of GLuints and binds it. */
void stages_put_indices(const unsigned *index, unsigned count);
/* Creates, binds and clears a framebuffer with all layers of a new image and depth, and sets the
 * viewport to its size. Returns the image. */
GLuint stages_make_framebuffer(unsigned layers);
/* Creates a texture of zeros and binds it as an image for reading and writing. */
GLuint stages_make_plain_image(GLuint unit, GLenum internal, GLenum format, GLenum type);

/* Writes a frame. Fails if a GL error was raised. */
void stages_write_frame(unsigned width, unsigned height, const void *pixels);
void stages_write_layers(GLuint image, unsigned layers); /* writes each layer as a frame */
void stages_write_buffer(GLuint buffer, unsigned bytes); /* bytes: a multiple of 4 */

extern const char stages_paint[]; /* fragment shader with inputs vec3 color and flat float alpha */

#endif
