/* SPDX-License-Identifier: MIT */
/* indium-compile --image: a batch that draws with a program, with all memory that it needs. */
#ifndef COMPILE_IMAGE_H
#define COMPILE_IMAGE_H

#include "compile_program.h"

/* Compiles the stages of a program for args->device and writes the image to args->image and, if that is set, its
 * relocations to args->relocations. name is used in messages. Prints a message and returns false on
 * failure. The shaders are not changed. */
bool compile_image(const char *name, nir_shader *const stages[SHADER_STAGE_COUNT],
                   const struct compile_arguments *args);

#endif
