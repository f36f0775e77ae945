/* SPDX-License-Identifier: MIT */
#ifndef COMPILE_I965_H
#define COMPILE_I965_H

#include "compile_program.h"

/* Compiles a linked shader (consumed: lowered in place), one of the program's stages, for the
 * device named target, prints and writes what args ask for. False: it does not compile; a message
 * said why. */
bool compile_for_i965(const char *name, const char *target, nir_shader *nir,
                      nir_shader *const stages[SHADER_STAGES],
                      const struct compile_arguments *args);

#endif
