/* SPDX-License-Identifier: MIT */
/* Built-in functions and variables: declarations that the tables and the linker share. The
 * interface for ast_to_hir is in hir.h. */
#ifndef GLSL_BUILTINS_H
#define GLSL_BUILTINS_H

#include "glsl/glsl.h"
#include "glsl/hir.h"

/* Returns whether a #extension directive has enabled the extension. */
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

/* Returns whether the shader is a geometry shader of ARB_geometry_shader4: its inputs are arrays of
 * gl_VerticesIn elements, and the primitive types are parameters of the program object. In GLSL
 * 1.50 and later, layout qualifiers declare them instead. */
static inline bool glsl_has_vertices_in(const struct glsl_builtin_env *env)
{
    return env->stage == SHADER_GEOMETRY && !env->es && env->version < 150 &&
           glsl_env_ext(env, GLSL_EXT_ARB_geometry_shader4);
}
/* Returns the value of gl_VerticesIn; its maximum if the options have none. */
static inline unsigned glsl_vertices_in(const struct glsl_builtin_env *env)
{
    return env->options->vertices_in ? env->options->vertices_in : GLSL_MAX_VERTICES_IN;
}

/* Returns the number of state slots (vec4s) of the built-in uniform `name`, or 0 if no uniform has
 * that name. Writes them to `slots` unless it is NULL. `type` is the type of the uniform; an array
 * may be shorter than its built-in declaration. */
unsigned glsl_builtin_state_slots(const char *name, const struct glsl_type *type,
                                  nir_state_slot *slots);

#endif
