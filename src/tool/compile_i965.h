/* SPDX-License-Identifier: MIT */
/* Compilation of shaders for Intel GPUs by indium-compile. */
#ifndef COMPILE_I965_H
#define COMPILE_I965_H

#include "compile_program.h"

/* Compiles a linked shader for the device named `target` and lowers `nir` in place. Prints what
 * args requests and, if args->output is set, writes the kernels to files. `name` is used in
 * messages. `stages` are all stages of the program; missing ones are NULL. Returns false, after a
 * message, if compilation fails or a file cannot be written. */
bool compile_for_i965(const char *name, const char *target, nir_shader *nir,
                      nir_shader *const stages[SHADER_STAGE_COUNT],
                      const struct compile_arguments *args);

#endif
