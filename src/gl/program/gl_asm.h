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

/* An assembly program object. Shared by the group, reference-counted. */
struct gl_asm_program {
    int refcount; /* one for the name until it is deleted, and one per context that has it bound */
    GLuint name;  /* 0: default program of a context */
    unsigned target;
    char *string; /* last valid program string; NULL: none */
    GLsizei length;
    struct asm_counts counts;
    struct gl_executable *exe; /* NULL: no valid program string */
    float (*local)[4];         /* GL_ASM_LOCAL local parameters; NULL: all are 0 */
};

bool gl_asm_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_asm_finish(struct gl_context *ctx);
void gl_asm_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* --- Selectors: return the bound program, or the one that binding the name would bind. NULL: an
 * error was raised. --- */
struct gl_asm_program *gl_bound_asm(struct gl_context *ctx, GLenum target, const char *call);
struct gl_asm_program *gl_get_or_create_asm(struct gl_context *ctx, GLuint program, GLenum target,
                                            const char *call);
/* Implements glGetProgramivARB. */
void gl_asm_get_iv(struct gl_context *ctx, const struct gl_asm_program *p, GLenum pname,
                   GLint *params, const char *call);
/* Binds a program temporarily, creating it if the name has none. Returns false if an error was
 * raised. Pass *before, which may be NULL, to gl_asm_restore_binding to restore the binding. */
bool gl_asm_bind_temporarily(struct gl_context *ctx, GLuint program, GLenum target,
                             struct gl_asm_program **before, const char *call);
void gl_asm_restore_binding(struct gl_context *ctx, struct gl_asm_program *before);

/* Returns the executable of the enabled program for a stage, or NULL. */
struct gl_executable *gl_asm_executable(const struct gl_context *ctx, enum shader_stage stage);
/* Returns whether an enabled program that no GLSL stage replaces has no valid string. */
bool gl_asm_invalid(const struct gl_context *ctx);
/* Returns an environment or local parameter by its state tokens. */
void gl_asm_parameter(const struct gl_context *ctx, const int16_t *tokens, float v[4]);

/* Implements glGet for assembly program state, see gl_get_types.h. */
unsigned gl_asm_get(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);

#endif
