/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: shader objects and their state in a context. */
#ifndef GL_ATI_TYPES_H
#define GL_ATI_TYPES_H

#include "gl/context/gl_types.h"

struct hash_table;

/* Limits of ATI_fragment_shader. */
enum {
    GL_ATI_REGISTERS = 6,
    GL_ATI_CONSTANTS = 8,
    GL_ATI_COORDS = 8,
    GL_ATI_PASSES = 2,
    GL_ATI_PAIRS = 8, /* maximum of color and alpha instruction pairs in a pass */
};

/* Initial value of a register in a pass (glPassTexCoordATI, glSampleMapATI). */
struct gl_ati_route {
    /* texture coordinate set (GL_TEXTURE0 …) or register (GL_REG_0_ATI …); 0: the register is not
     * set up */
    GLenum source;
    GLenum swizzle; /* GL_SWIZZLE_STR_ATI … */
    /* true: the texture sampled at these coordinates (glSampleMapATI); false: the coordinates
     * themselves (glPassTexCoordATI) */
    bool sample;
};

/* An argument of an instruction. */
struct gl_ati_argument {
    /* source: register, constant, color, GL_ZERO or GL_ONE. rep: component to replicate (GL_RED …),
     * or GL_NONE. */
    GLenum source, rep;
    GLbitfield mod; /* modifiers (GL_COMP_BIT_ATI …) */
};

/* A color or alpha instruction. */
struct gl_ati_op {
    GLenum op;   /* GL_MOV_ATI …; 0: no instruction */
    uint8_t dst; /* index of the destination register */
    /* mask: color channels that are written; 0: all. mod: modifiers of the result
     * (GL_SATURATE_BIT_ATI …). */
    GLbitfield mask, mod;
    struct gl_ati_argument arg[3]; /* the operation determines how many are used */
};

/* Indices of the instructions in a pair. */
enum { GL_ATI_COLOR, GL_ATI_ALPHA };

/* A pass: register setup, followed by pairs of instructions. */
struct gl_ati_pass {
    struct gl_ati_route route[GL_ATI_REGISTERS];
    struct gl_ati_op pair[GL_ATI_PAIRS][2]; /* indexed by GL_ATI_COLOR, GL_ATI_ALPHA */
    unsigned pairs;                         /* number of elements in use in pair */
};

/* The definition of a shader. */
struct gl_ati_definition {
    struct gl_ati_pass pass[GL_ATI_PASSES];
    unsigned passes; /* number of elements in use in `pass` */
    /* Masks of the texture coordinate sets that the shader reads with r (coord_r) or with q
     * (coord_q) as third coordinate. */
    uint8_t coord_r, coord_q;
    uint8_t local;                       /* bit mask of constants that the shader defines itself */
    float constant[GL_ATI_CONSTANTS][4]; /* values of the constants in `local` */
};

/* A shader object. Shared by the group, reference-counted. */
struct gl_ati_shader {
    int refcount; /* one for the name until it is deleted, and one per context that has it bound */
    bool valid;   /* the last glEndFragmentShaderATI found no errors */
    struct gl_ati_definition definition;
    /* executables of the shader: struct gl_ff_fragment_key → gl_executable; NULL: not created
     * yet */
    struct hash_table *programs;
};

/* ATI_fragment_shader state of a context. */
struct gl_ati_state {
    bool enabled, defining; /* defining: a definition was begun and not ended */
    /* Both are referenced and never NULL; `initial` is the object of name 0. */
    struct gl_ati_shader *current, *initial;
    /* definition between glBeginFragmentShaderATI and glEndFragmentShaderATI */
    struct gl_ati_definition draft;
    /* constants set outside definitions; shaders read those that they don't define themselves */
    float constant[GL_ATI_CONSTANTS][4];
};

#endif
