/* SPDX-License-Identifier: MIT */
/* indium-compile --prog-data=json: what a pipeline must know of compiled shaders. */
#ifndef COMPILE_PROG_DATA_H
#define COMPILE_PROG_DATA_H

#include <stdio.h>

#include "driver/i965/i965_compiler.h"

/* Prints one JSON object in a line: the members of struct i965_prog_data under their names, those
 * of the stage in an object named after it, and the kernels. docs/i965.md describes the members.
 * name is the shader's file, target the device's name. */
void compile_print_prog_data(FILE *out, const char *name, const char *target,
                             const struct i965_program *program);

#endif
