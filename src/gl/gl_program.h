/* SPDX-License-Identifier: MIT */
/* Shader and program objects, fixed-function programs, variants, uniforms. */
#ifndef GL_PROGRAM_H
#define GL_PROGRAM_H

#include "gl/gl_types.h"

struct gl_program_state {
    int unused;
};

#endif
