/* SPDX-License-Identifier: MIT */
/* ARB assembly programs: bindings and environment parameters of a context. */
#ifndef GL_ASM_TYPES_H
#define GL_ASM_TYPES_H

#include "gl/context/gl_types.h"

struct gl_asm_program;

/* Targets of assembly programs, as array indices. */
enum { GL_ASM_VERTEX, GL_ASM_FRAGMENT, GL_ASM_TARGETS };
/* Limits: GL_ASM_ENV environment parameters per target, GL_ASM_LOCAL local parameters per program,
 * GL_ASM_MATRICES program matrices with stacks of GL_ASM_MATRIX_STACK matrices. */
enum { GL_ASM_ENV = 256, GL_ASM_LOCAL = 1024, GL_ASM_MATRICES = 8, GL_ASM_MATRIX_STACK = 4 };

/* Assembly program state of a context. */
struct gl_asm_state {
    bool enabled[GL_ASM_TARGETS]; /* GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB */
    struct gl_asm_program *current[GL_ASM_TARGETS]; /* referenced, never NULL */
    struct gl_asm_program *initial[GL_ASM_TARGETS]; /* program objects of name 0, referenced */
    float env[GL_ASM_TARGETS][GL_ASM_ENV][4];       /* environment parameters */
    /* byte offset of the error in the last glProgramStringARB's string; -1: no error */
    GLint error_position;
    char *error; /* message of that error, owned; NULL: no error */
};

#endif
