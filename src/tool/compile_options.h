/* SPDX-License-Identifier: MIT */
/* What the tools that compile without a context pretend to support. */
#ifndef COMPILE_OPTIONS_H
#define COMPILE_OPTIONS_H

#include "glsl/glsl.h"

/* All extensions and generous limits, so that shaders are judged by the language alone. version: the
 * highest #version, of ES if es is true. */
void compile_options_fill(struct glsl_options *options, bool es, unsigned version);

/* The stage that the ending of a file's name stands for, SHADER_STAGE_NONE: none. */
enum shader_stage compile_stage_of(const char *file);

/* All of a file, a child of mem_ctx; NULL: it cannot be read. */
char *compile_read_file(void *mem_ctx, const char *path, size_t *length);

#endif
