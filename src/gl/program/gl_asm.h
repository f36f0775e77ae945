/* SPDX-License-Identifier: MIT */
/* ARB assembly programs: objects, parameters, and their executables. */
#ifndef GL_ASM_H
#define GL_ASM_H

#include "asm/asm.h"
#include "gl/context/gl_asm_types.h"
#include "gl/context/gl_get_types.h"

struct gl_context;
struct gl_executable;
struct gl_shared;

/* An assembly program object. It is shared by the contexts of a group. */
struct gl_asm_program {
    int refcount; /* one for the name until it is deleted, and one per context that has it bound */
    GLuint name;  /* 0: default program of a context and target */
    unsigned target;           /* GL_ASM_VERTEX or GL_ASM_FRAGMENT */
    char *string;              /* last valid program string; NULL: none */
    GLsizei length;            /* bytes of the string, without its terminator */
    struct asm_counts counts;  /* resources that the program of `string` uses */
    struct gl_executable *exe; /* referenced; NULL: no valid program string */
    float (*local)[4];         /* GL_ASM_LOCAL local parameters; NULL: all are 0 */
};

/* Creates the context's default programs. Returns false if out of memory. */
bool gl_asm_init(struct gl_context *ctx);
/* Drops the context's references to programs. Works also after gl_asm_init failed. */
void gl_asm_finish(struct gl_context *ctx);
/* Drops the references that the names of the share group's program objects hold, and frees the
 * names. */
void gl_asm_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* --- Selectors: return the program that a command refers to. If there is none, they return NULL
 * after raising an error for the command `call`. --- */

/* Returns the program bound to a target (GL_VERTEX_PROGRAM_ARB …), or NULL after raising an
 * error. */
struct gl_asm_program *gl_bound_asm(struct gl_context *ctx, GLenum target, const char *call);
/* Returns the program that glBindProgramARB would bind for a name and target, and creates it if
 * needed; name 0 is the context's default program. Returns NULL after raising an error. */
struct gl_asm_program *gl_get_or_create_asm(struct gl_context *ctx, GLuint program, GLenum target,
                                            const char *call);

/* --- Other commands and queries --- */

/* Implements glGetProgramivARB. Raises GL_INVALID_ENUM if there is no such pname. */
void gl_asm_get_iv(struct gl_context *ctx, const struct gl_asm_program *p, GLenum pname,
                   GLint *params, const char *call);
/* Binds a program like glBindProgramARB and stores the previous program in *before. Then
 * gl_asm_restore_binding(ctx, *before) restores the binding. Returns false after raising an error;
 * *before is then NULL, and gl_asm_restore_binding does nothing. */
bool gl_asm_bind_temporarily(struct gl_context *ctx, GLuint program, GLenum target,
                             struct gl_asm_program **before, const char *call);
void gl_asm_restore_binding(struct gl_context *ctx, struct gl_asm_program *before);

/* Returns the executable of the current assembly program for a stage, without a reference. Returns
 * NULL if assembly programs of the stage are disabled or don't exist, or if the program has no
 * valid string. */
struct gl_executable *gl_asm_executable(const struct gl_context *ctx, enum shader_stage stage);
/* Returns whether draws must fail because an enabled assembly program has no valid string and no
 * GLSL shader replaces it. */
bool gl_asm_invalid(const struct gl_context *ctx);
/* Stores in v the environment or local parameter that state tokens denote (nir_state_tokens.h). */
void gl_asm_parameter(const struct gl_context *ctx, const int16_t *tokens, float v[4]);

/* Implements glGet for assembly program state, see gl_get_types.h. */
unsigned gl_asm_get(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);

#endif
