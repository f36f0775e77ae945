/* SPDX-License-Identifier: MIT */
/*
 * Scenes of all shader stages, whose every byte is the same however many lanes and threads there
 * are. What comes out is written as frame_shim.c does, to $FRAME_SHIM_OUT-<frame>.rgba: pictures, and
 * buffers as one row of pixels of four bytes. Vertices are numbers from a generator of our own, and
 * most counts are no multiple of a vector's lanes; blending makes the order of primitives visible.
 */
#ifndef STAGES_H
#define STAGES_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#include <stdbool.h>

#define STAGES_SIZE 150 /* pixels of a picture's side: more than two tiles, in part */

void stages_geometry(void);     /* geometry shaders */
void stages_feedback(void);     /* transform feedback */
void stages_memory(void);       /* effects of draws on memory that do not depend on their order */
void stages_tessellation(void); /* all domains and spacings, also before geometry shaders */
void stages_compute(void);      /* shared memory, barriers, indirect dispatches, atomics */
void stages_smooth(void);       /* smooth polygons and lines */
void stages_images(void);       /* formats, targets, sizes, texels outside, atomics */

/* Texts, NULL: none. */
struct stages_program {
    const char *vertex, *control, *evaluation, *geometry, *fragment, *compute;
    unsigned captures;
    const char *const *capture;
    GLenum capture_mode;
};

/* All of these end the process with a message if they fail. */
_Noreturn void stages_fail(const char *what, const char *why);
GLuint stages_make_program(const struct stages_program *program);
/* vec4s of numbers between 0 and 1, the same everywhere, or bytes that show what was not written.
 * Bound to GL_ARRAY_BUFFER. */
GLuint stages_make_buffer(unsigned vectors, bool numbers);
/* Zeros. target 0: bound to none. */
GLuint stages_make_words(GLenum target, GLuint index, unsigned words);
void stages_set_attribute(GLuint index, GLuint buffer, unsigned divisor); /* a vec4 */
void stages_put_indices(const unsigned *index, unsigned count);
/* A framebuffer of all layers of a new image with depth; bound and cleared. Returns the image. */
GLuint stages_make_framebuffer(unsigned layers);
/* A texture of zeros as an image to read and write. */
GLuint stages_make_plain_image(GLuint unit, GLenum internal, GLenum format, GLenum type);

/* A frame; fails if an error was raised. */
void stages_write_frame(unsigned width, unsigned height, const void *pixels);
void stages_write_layers(GLuint image, unsigned layers); /* a picture of each layer */
void stages_write_buffer(GLuint buffer, unsigned bytes);

extern const char stages_paint[]; /* a fragment shader: in vec3 color; flat in float alpha */

#endif
