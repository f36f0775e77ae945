/* SPDX-License-Identifier: MIT */
/* Compiler options and input files for the tools that compile without a GL context. */
#ifndef COMPILE_OPTIONS_H
#define COMPILE_OPTIONS_H

#include "glsl/glsl.h"

/* Initializes *options with all extensions and high limits, so that only the rules of the language
 * apply. `version` is the highest accepted #version, of GLSL ES if `es` is true, otherwise of
 * desktop GLSL. */
void compile_options_fill(struct glsl_options *options, bool es, unsigned version);

/* Returns the stage for a file name's extension, .vert, .frag and so on (SPIR-V: .vert.spv and so
 * on), or SHADER_STAGE_NONE. */
enum shader_stage compile_stage_of(const char *file);

/* Reads a file into memory allocated in mem_ctx, without a null terminator, and stores its size in
 * bytes in *length. Returns NULL if the file cannot be opened. After a read error, returns the
 * bytes read so far. */
char *compile_read_file(void *mem_ctx, const char *path, size_t *length);

#endif
