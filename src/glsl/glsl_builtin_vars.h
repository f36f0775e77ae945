/* SPDX-License-Identifier: MIT */
/* Declarations shared by the tables of built-in variables: availability and array sizes. */
#ifndef GLSL_BUILTIN_VARS_H
#define GLSL_BUILTIN_VARS_H

#include <stddef.h>

#include "glsl/glsl_builtins.h"

/* The languages in which a built-in is available. An enabled extension suffices in any version. */
struct availability {
    /* Desktop versions, both ends included; gl_min 0: none, gl_max 0: no upper limit. */
    uint16_t gl_min, gl_max;
    uint16_t es_min, es_max;       /* range of ESSL versions, in the same way */
    bool compat;                   /* desktop versions: only if deprecated features are available */
    int16_t extension, extension2; /* enum glsl_extension + 1; 0: none */
};

/* Initializers of struct availability: versions v (desktop) and e (ESSL) are minimums; name, a and
 * b are extensions without GL_. COMPAT and COMPAT_420 are for desktop versions with deprecated
 * features: for all, and for 4.20 and later. */
#define GL(v)  {.gl_min = (v)}
#define COMPAT {.gl_min = 110, .compat = true}
#define ES(v)  {.es_min = (v)}
/* For built-ins that are available in desktop GLSL 1.10 to 4.10 and in ESSL 1.00. */
#define BEFORE_420  {.gl_min = 110, .gl_max = 410, .es_min = 100, .es_max = 100}
#define COMPAT_420  {.gl_min = 420, .compat = true}
#define GL_ES(v, e) {.gl_min = (v), .es_min = (e)}
#define EXT(name)   {.extension = GLSL_EXT_##name + 1}
#define EXT2(a, b)  {.extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1}
#define ES_EXT2(e, a, b)                                                                           \
    {.es_min = (e), .extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1}
#define GL_EXT(v, name) {.gl_min = (v), .extension = GLSL_EXT_##name + 1}
#define GL_EXT2(v, a, b)                                                                           \
    {.gl_min = (v), .extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1}
#define GL_ES_EXT(v, e, name) {.gl_min = (v), .es_min = (e), .extension = GLSL_EXT_##name + 1}
#define GL_ES_EXT2(v, e, a, b)                                                                     \
    {.gl_min = (v), .es_min = (e), .extension = GLSL_EXT_##a + 1, .extension2 = GLSL_EXT_##b + 1}

/* Returns whether the condition is met in the environment. */
bool glsl_builtin_available(const struct availability *a, const struct glsl_builtin_env *env);

/* Encodings of array lengths. The length is the value of a field of struct glsl_limits (LIMIT) or a
 * number (FIXED), or the array is unsized and the shader declares its size (UNSIZED). 0 stands for
 * no array. */
#define LIMIT(field) (uint16_t)(offsetof(struct glsl_limits, field) + 1)
#define FIXED(n)     (uint16_t)(0x8000 | (n))
#define UNSIZED      0xffff

/* Returns the length that LIMIT or FIXED encodes. */
unsigned glsl_builtin_limit(const struct glsl_builtin_env *env, unsigned limit);
/* Returns an array of `element` with the encoded length `array`, or `element` if that is 0. Returns
 * NULL if there is no memory. */
const struct glsl_type *glsl_builtin_array(struct hir_shader *sh,
                                           const struct glsl_builtin_env *env,
                                           const struct glsl_type *element, unsigned array);

/* Parts of glsl_builtin_variables. The first declares the gl_Max… constants, the second the
 * uniforms that mirror GL state. */
void glsl_builtin_constants(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            const struct glsl_builtin_sink *sink);
void glsl_builtin_state(struct hir_shader *sh, const struct glsl_builtin_env *env,
                        const struct glsl_builtin_sink *sink);

/* Returns whether the sink wants the variable `name`. */
static inline bool glsl_builtin_wanted(const struct glsl_builtin_sink *sink, const char *name)
{
    return !sink->wants || sink->wants(sink->data, name);
}

#endif
