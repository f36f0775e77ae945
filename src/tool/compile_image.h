/* SPDX-License-Identifier: MIT */
/* indium-compile --image: a batch that draws with a program, with all memory that it needs. */
#ifndef COMPILE_IMAGE_H
#define COMPILE_IMAGE_H

#include "compile_program.h"

struct drv_stream_output;

/* Compiles the stages of a program for args->device and writes the image to args->image and, if
 * that is set, its relocations to args->relocations. The program must have a vertex and a fragment
 * shader, or a compute shader. name is used in messages. Prints where the render target is. Prints
 * a message and returns false on failure. The shaders are not changed. stream_output: what
 * transform feedback captures, or NULL. */
bool compile_image(const char *name, nir_shader *const stages[SHADER_STAGE_COUNT],
                   const struct drv_stream_output *stream_output,
                   const struct compile_arguments *args);

#endif
