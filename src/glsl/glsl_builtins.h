/* SPDX-License-Identifier: MIT */
/* Declarations shared by the built-in tables and the linker; hir.h has the interface for
 * ast_to_hir. */
#ifndef GLSL_BUILTINS_H
#define GLSL_BUILTINS_H

#include "glsl/glsl.h"
#include "glsl/hir.h"

/* Returns whether #extension enables the extension. */
static inline bool glsl_env_ext(const struct glsl_builtin_env *env, enum glsl_extension ext)
{
    return bitset_test(env->enabled_extensions, ext);
}
/* Returns whether the language is desktop GLSL of at least this version. */
static inline bool glsl_env_gl(const struct glsl_builtin_env *env, unsigned version)
{
    return !env->es && env->version >= version;
}
/* Returns whether the language is ESSL of at least this version. */
static inline bool glsl_env_es(const struct glsl_builtin_env *env, unsigned version)
{
    return env->es && env->version >= version;
}

/* Returns the number of state slots of the built-in uniform `name`; 0 if there is none. Writes them
 * to `slots` unless it is NULL. `type` is the type of the uniform, whose outermost array may be
 * shorter than declared. */
unsigned glsl_builtin_state_slots(const char *name, const struct glsl_type *type,
                                  nir_state_slot *slots);

#endif
