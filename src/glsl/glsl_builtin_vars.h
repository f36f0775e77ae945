/* SPDX-License-Identifier: MIT */
/* Declarations shared by the tables of built-in variables: availability and array sizes. */
#ifndef GLSL_BUILTIN_VARS_H
#define GLSL_BUILTIN_VARS_H

#include <stddef.h>

#include "glsl/glsl_builtins.h"

/* Condition for a built-in. It is met by the language version or by an extension. */
struct availability {
    uint16_t gl_min, gl_max;       /* desktop versions; gl_min 0: none, gl_max 0: no upper limit */
    uint16_t es_min, es_max;       /* ES versions, in the same way */
    bool compat;                   /* desktop: only with deprecated features */
    int16_t extension, extension2; /* enum glsl_extension + 1; sufficient in any version */
};

#define GL(v)                                                                                      \
    {                                                                                              \
        .gl_min = (v)                                                                              \
    }
#define COMPAT                                                                                     \
    {                                                                                              \
        .gl_min = 110, .compat = true                                                              \
    }
#define ES(v)                                                                                      \
    {                                                                                              \
        .es_min = (v)                                                                              \
    }
/* Deprecated from the start, removed from the core language in 4.20; in ES, only in ESSL 1.00. */
#define BEFORE_420                                                                                 \
    {                                                                                              \
        .gl_min = 110, .gl_max = 410, .es_min = 100, .es_max = 100                                 \
    }
#define COMPAT_420                                                                                 \
    {                                                                                              \
        .gl_min = 420, .compat = true                                                              \
    }
#define GL_ES(v, e)                                                                                \
    {                                                                                              \
        .gl_min = (v), .es_min = (e)                                                               \
    }
#define EXT(name)                                                                                  \
    {                                                                                              \
        .extension = GLSL_EXT_##name + 1                                                           \
    }
#define EXT2(a, b)                                                                                 \
    {                                                                                              \
        .extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1                              \
    }
#define ES_EXT2(e, a, b)                                                                           \
    {                                                                                              \
        .es_min = (e), .extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1               \
    }
#define GL_EXT(v, name)                                                                            \
    {                                                                                              \
        .gl_min = (v), .extension = GLSL_EXT_##name + 1                                            \
    }
#define GL_EXT2(v, a, b)                                                                           \
    {                                                                                              \
        .gl_min = (v), .extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1               \
    }
#define GL_ES_EXT(v, e, name)                                                                      \
    {                                                                                              \
        .gl_min = (v), .es_min = (e), .extension = GLSL_EXT_##name + 1                             \
    }
#define GL_ES_EXT2(v, e, a, b)                                                                     \
    {                                                                                              \
        .gl_min = (v), .es_min = (e), .extension = GLSL_EXT_##a + 1,                               \
        .extension2 = GLSL_EXT_##b + 1                                                             \
    }

bool glsl_builtin_available(const struct availability *a, const struct glsl_builtin_env *env);

/* Array lengths: 0: not an array; LIMIT: a field of struct glsl_limits; FIXED: a number; UNSIZED:
 * the shader declares the size. */
#define LIMIT(field) (uint16_t)(offsetof(struct glsl_limits, field) + 1)
#define FIXED(n)     (uint16_t)(0x8000 | (n))
#define UNSIZED      0xffff

unsigned glsl_builtin_limit(const struct glsl_builtin_env *env, unsigned limit);
/* Returns an array type, or the element type if the length is 0. Returns NULL if there is no
 * memory. */
const struct glsl_type *glsl_builtin_array(struct hir_shader *sh,
                                           const struct glsl_builtin_env *env,
                                           const struct glsl_type *element, unsigned array);

/* Parts of glsl_builtin_variables: constants and uniforms that mirror state. */
void glsl_builtin_constants(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            const struct glsl_builtin_sink *sink);
void glsl_builtin_state(struct hir_shader *sh, const struct glsl_builtin_env *env,
                        const struct glsl_builtin_sink *sink);

static inline bool glsl_builtin_wanted(const struct glsl_builtin_sink *sink, const char *name)
{
    return !sink->wants || sink->wants(sink->data, name);
}

#endif
