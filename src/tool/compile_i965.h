/* SPDX-License-Identifier: MIT */
#ifndef COMPILE_I965_H
#define COMPILE_I965_H

#include "compile_program.h"

/* Compiles a linked shader, which is lowered in place, for the device named target. Prints and
 * writes what args request. `stages` are the program's stages. Returns false after printing a
 * message if compilation fails. */
bool compile_for_i965(const char *name, const char *target, nir_shader *nir,
                      nir_shader *const stages[SHADER_STAGE_COUNT],
                      const struct compile_arguments *args);

#endif
