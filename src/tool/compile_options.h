/* SPDX-License-Identifier: MIT */
/* Compiler options and files of the tools that compile without a GL context. */
#ifndef COMPILE_OPTIONS_H
#define COMPILE_OPTIONS_H

#include "glsl/glsl.h"

/* Enables all extensions and sets generous limits, so that only language rules matter. `version` is
 * the highest #version, of ES if `es` is set. */
void compile_options_fill(struct glsl_options *options, bool es, unsigned version);

/* Returns the stage for a file name's extension, or SHADER_STAGE_NONE. */
enum shader_stage compile_stage_of(const char *file);

/* Reads a whole file into a child of mem_ctx. Returns NULL if it cannot be read. */
char *compile_read_file(void *mem_ctx, const char *path, size_t *length);

#endif
