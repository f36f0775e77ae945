/* SPDX-License-Identifier: MIT */
/* ARB assembly programs: objects, parameters, and what of them draws. */
#ifndef GL_ASM_H
#define GL_ASM_H

#include "asm/asm.h"
#include "gl/context/gl_asm_types.h"
#include "gl/context/gl_get_types.h"

struct gl_context;
struct gl_executable;
struct gl_shared;

struct gl_asm_program {
    int refcount; /* the name, until deleted, and each context that has it bound */
    GLuint name;  /* 0: a context's default program */
    unsigned target;
    char *string; /* of the last that was valid; NULL: none */
    GLsizei length;
    struct asm_counts counts;
    struct gl_executable *exe; /* NULL: there is no valid string */
    float (*local)[4];         /* GL_ASM_LOCAL; NULL: all are 0 */
};

bool gl_asm_init(struct gl_context *ctx); /* false: no memory */
void gl_asm_finish(struct gl_context *ctx);
void gl_asm_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* Selectors: the program that is bound, or that binding it would bind; NULL: error raised. */
struct gl_asm_program *gl_bound_asm(struct gl_context *ctx, GLenum target, const char *call);
struct gl_asm_program *gl_use_asm(struct gl_context *ctx, GLuint program, GLenum target,
                                  const char *call);
/* glGetProgramivARB */
void gl_asm_get_iv(struct gl_context *ctx, const struct gl_asm_program *p, GLenum pname,
                   GLint *params, const char *call);
/* Binds the program, made by this use of its name if need be; false: error raised. The one before, or
 * NULL, is bound again by gl_asm_use_again. */
bool gl_asm_use(struct gl_context *ctx, GLuint program, GLenum target,
                struct gl_asm_program **before, const char *call);
void gl_asm_use_again(struct gl_context *ctx, struct gl_asm_program *before);

/* What draws a stage: the enabled program's, or NULL. */
struct gl_executable *gl_asm_executable(const struct gl_context *ctx, enum shader_stage stage);
/* Whether an enabled program, which no GLSL stage replaces, has no valid string. */
bool gl_asm_invalid(const struct gl_context *ctx);
/* Environment and local parameters, by their state tokens. */
void gl_asm_parameter(const struct gl_context *ctx, const int16_t *tokens, float v[4]);

unsigned gl_asm_get(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);

#endif
