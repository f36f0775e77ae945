/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: shader objects, and the state of a context. */
#ifndef GL_ATI_TYPES_H
#define GL_ATI_TYPES_H

#include "gl/context/gl_types.h"

struct hash_table;

enum {
    GL_ATI_REGISTERS = 6,
    GL_ATI_CONSTANTS = 8,
    GL_ATI_COORDS = 8,
    GL_ATI_PASSES = 2,
    GL_ATI_PAIRS = 8, /* of instructions, in a pass */
};

/* glPassTexCoordATI, glSampleMapATI: what a register has when its pass begins. */
struct gl_ati_route {
    GLenum source; /* GL_TEXTURE0 …, GL_REG_0_ATI …; 0: there is none */
    GLenum swizzle;
    bool sample;
};

struct gl_ati_argument {
    GLenum source, rep;
    GLbitfield mod;
};

struct gl_ati_op {
    GLenum op;            /* 0: there is none */
    uint8_t dst;          /* register */
    GLbitfield mask, mod; /* mask: of color, 0: all */
    struct gl_ati_argument arg[3];
};

enum { GL_ATI_COLOR, GL_ATI_ALPHA };

struct gl_ati_pass {
    struct gl_ati_route route[GL_ATI_REGISTERS];
    struct gl_ati_op pair[GL_ATI_PAIRS][2]; /* color, alpha */
    unsigned pairs;
};

struct gl_ati_definition {
    struct gl_ati_pass pass[GL_ATI_PASSES];
    unsigned passes;
    uint8_t coord_r, coord_q;            /* texture coordinates whose third component is r, q */
    uint8_t local;                       /* constants that the shader sets */
    float constant[GL_ATI_CONSTANTS][4]; /* of local */
};

struct gl_ati_shader {
    int refcount; /* the name, until deleted, and each context that has it bound */
    bool valid;   /* the definition can draw */
    struct gl_ati_definition definition;
    struct hash_table *programs; /* struct gl_ff_fragment_key → executable; NULL: none yet */
};

struct gl_ati_state {
    bool enabled, defining;
    struct gl_ati_shader *current, *initial; /* referenced, never NULL; initial: of name 0 */
    struct gl_ati_definition draft;          /* while defining */
    float constant[GL_ATI_CONSTANTS][4];     /* where the shader sets none */
};

#endif
