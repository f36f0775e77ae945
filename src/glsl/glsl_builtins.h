/* SPDX-License-Identifier: MIT */
/* What the built-in tables and the linker tell each other; hir.h has what ast_to_hir needs. */
#ifndef GLSL_BUILTINS_H
#define GLSL_BUILTINS_H

#include "glsl/glsl.h"
#include "glsl/hir.h"

/* The extension is switched on by #extension. */
static inline bool glsl_env_ext(const struct glsl_builtin_env *env, enum glsl_extension ext)
{
    return bitset_test(env->enabled_extensions, ext);
}
/* Desktop language of at least that version; ES language likewise. */
static inline bool glsl_env_gl(const struct glsl_builtin_env *env, unsigned version)
{
    return !env->es && env->version >= version;
}
static inline bool glsl_env_es(const struct glsl_builtin_env *env, unsigned version)
{
    return env->es && env->version >= version;
}

/* State slots of the built-in uniform `name` (of that type: its outermost array may be shorter
 * than declared): their number, 0 if it is none; written to slots unless that is NULL. */
unsigned glsl_builtin_state_slots(const char *name, const struct glsl_type *type,
                                  nir_state_slot *slots);

#endif
