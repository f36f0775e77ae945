/* SPDX-License-Identifier: MIT */
/*
 * Rules for the arguments of built-in functions beyond types: constants, ranges, memory qualifiers
 * (GLSL 4.60 §8.9 to §8.15, ESSL 3.20 §8.9 to §8.15).
 */
#include "glsl/glsl_builtin_table.h"
#include "indium/format.h"

static bool has(const struct glsl_builtin_env *env, unsigned gl, unsigned es)
{
    return (gl && glsl_env_gl(env, gl)) || (es && glsl_env_es(env, es));
}

/* -------------------------------------------------------------------------------- textures --- */

/* GLSL 4.60 §8.9.2: offsets must be constant, except in textureGather from GLSL 4.00 or gpu_shader5
 * on. */
static bool offset_is_constant(const struct glsl_builtin_env *env, nir_texop op)
{
    return op != nir_texop_tg4 ||
           !(has(env, 400, 320) || glsl_env_ext(env, GLSL_EXT_ARB_gpu_shader5) ||
             glsl_env_ext(env, GLSL_EXT_EXT_gpu_shader5) ||
             glsl_env_ext(env, GLSL_EXT_OES_gpu_shader5));
}

static const char *check_offset(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                const struct glsl_builtin_row *row, const struct hir_value *offset)
{
    const struct hir_constant *c = hir_constant_value(sh, offset);
    if (!c)
        return offset_is_constant(env, row->op) ? "the offset must be a constant expression" : NULL;
    if (!offset_is_constant(env, row->op)) /* out-of-range offsets only make the texels undefined */
        return NULL;
    const struct glsl_limits *limits = &env->options->limits;
    bool gather = row->op == nir_texop_tg4;
    int least =
        gather ? limits->min_program_texture_gather_offset : limits->min_program_texel_offset;
    int most =
        gather ? limits->max_program_texture_gather_offset : limits->max_program_texel_offset;
    for (unsigned k = 0; k < offset->type->vector_elements; k++) {
        if (least < most && (c->value[k].i32 < least || c->value[k].i32 > most))
            return "the offset is outside the supported range";
    }
    return NULL;
}

static const char *check_texture(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                 const struct glsl_builtin_row *row, struct hir_value *const *args,
                                 unsigned *which)
{
    const char *roles = glsl_builtin_roles[row->index], *error = NULL;
    for (unsigned i = 0; roles[i] && !error; i++) {
        *which = i;
        if (roles[i] == 'o') {
            error = check_offset(sh, env, row, args[i]);
        } else if (roles[i] == 'O') {
            if (!hir_constant_value(sh, args[i]))
                error = "the offsets must be a constant expression";
        } else if (roles[i] == 'g') {
            const struct hir_constant *c = hir_constant_value(sh, args[i]);
            if (!c)
                error = "the component must be a constant expression";
            else if (c->value[0].u32 > 3)
                error = "the component must be 0, 1, 2 or 3";
        }
    }
    return error;
}

/* ---------------------------------------------------------------------------------- memory --- */

/* Returns the memory qualifiers of a variable and of the members on the path to the value. */
static unsigned access_of(const struct hir_value *value)
{
    unsigned access = 0;
    for (;;) {
        switch (value->node.kind) {
        case HIR_DEREF_ARRAY:
            value = ((const struct hir_deref_array *)value)->value;
            break;
        case HIR_SWIZZLE:
            value = ((const struct hir_swizzle *)value)->value;
            break;
        case HIR_DEREF_RECORD: {
            const struct hir_deref_record *d = (const struct hir_deref_record *)value;
            const struct glsl_struct_field *f = &d->value->type->fields[d->field];
            access |=
                (f->readonly ? ACCESS_NON_WRITEABLE : 0) | (f->writeonly ? ACCESS_NON_READABLE : 0);
            value = d->value;
            break;
        }
        case HIR_DEREF_VARIABLE:
            return access | ((const struct hir_deref_variable *)value)->var->access;
        default:
            return access;
        }
    }
}

/* Checks the format of the image of an atomic operation (GLSL 4.60 §8.12), if it is a uniform or
 * one of an array. Members of blocks are handles, whose images know their formats. */
static const char *check_atomic_format(const struct hir_value *value)
{
    while (value->node.kind == HIR_DEREF_ARRAY)
        value = ((const struct hir_deref_array *)value)->value;
    if (value->node.kind != HIR_DEREF_VARIABLE)
        return NULL;
    const struct hir_variable *var = ((const struct hir_deref_variable *)value)->var;
    if (var->mode != HIR_VAR_UNIFORM || var->interface_type ||
        !glsl_type_is_image(glsl_without_array(var->type)))
        return NULL;
    switch (var->image_format) {
    case DRV_FORMAT_NONE: /* EXT_shader_image_load_formatted */
        return "this function requires an image with a format layout qualifier";
    case DRV_FORMAT_R32_UINT:
    case DRV_FORMAT_R32_SINT:
    case DRV_FORMAT_R32_FLOAT:
        return NULL;
    default:
        return "this function requires an image with format r32ui, r32i or r32f";
    }
}

/* Checks memory qualifiers (GLSL 4.60 §4.10, §8.12), and the formats of images. */
static const char *check_intrinsic(const struct glsl_builtin_row *row,
                                   struct hir_value *const *args)
{
    bool reads = row->op == HIR_INTRINSIC_IMAGE_LOAD;
    bool writes = row->op == HIR_INTRINSIC_IMAGE_STORE;
    if (row->op >= HIR_INTRINSIC_IMAGE_ATOMIC_ADD && row->op <= HIR_INTRINSIC_ATOMIC_COMP_SWAP)
        reads = writes = true;
    if (!reads && !writes)
        return NULL;
    unsigned access = access_of(args[0]);
    if (reads && access & ACCESS_NON_READABLE)
        return "this function reads its argument, which is writeonly";
    if (writes && access & ACCESS_NON_WRITEABLE)
        return "this function writes its argument, which is readonly";
    return reads && writes ? check_atomic_format(args[0]) : NULL;
}

/* ---------------------------------------------------------------------------------- lvalues --- */

/* Returns whether a chain of derefs selects a member of a struct or block instance. */
static bool selects_member(const struct hir_value *v)
{
    while (v->node.kind == HIR_DEREF_ARRAY)
        v = ((const struct hir_deref_array *)v)->value;
    return v->node.kind == HIR_DEREF_RECORD;
}

static const char *check_first_param(const struct glsl_builtin_env *env,
                                     const struct glsl_builtin_row *row,
                                     const struct hir_value *arg)
{
    const struct hir_variable *var = hir_variable_referenced(arg);
    if (row->first_param_mode == HIR_VAR_BUFFER)
        return var && (var->mode == HIR_VAR_BUFFER || var->mode == HIR_VAR_SHARED)
                   ? NULL
                   : "this function can only modify buffer and shared variables";
    if (!var || var->mode != HIR_VAR_SHADER_IN)
        return "only shader inputs can be interpolated";
    if (var->interpolation == INTERP_MODE_PER_VERTEX)
        return "pervertexNV inputs cannot be interpolated";
    /* GLSL 4.60 §8.13.2 ignores swizzles; earlier versions and ES reject them. */
    if (!has(env, 440, 0) &&
        (arg->node.kind == HIR_SWIZZLE ||
         (arg->node.kind == HIR_DEREF_ARRAY &&
          glsl_type_is_vector(((const struct hir_deref_array *)arg)->value->type))))
        return "a component of a shader input cannot be interpolated";
    return glsl_env_es(env, 310) && selects_member(arg)
               ? "a member of a shader input cannot be interpolated"
               : NULL;
}

/* GLSL 4.60 §8.15: the stream must be constant. The linker checks its range. */
static const char *check_stream(struct hir_shader *sh, const struct glsl_builtin_row *row,
                                struct hir_value *const *args)
{
    builtin_build_fn fn = glsl_builtin_bodies[row->index];
    if (row->num_params != 1 || (fn != glsl_build_emit_vertex && fn != glsl_build_end_primitive))
        return NULL;
    return hir_constant_value(sh, args[0]) ? NULL : "the stream must be a constant expression";
}

static const char *check_sparse_load(const struct glsl_builtin_row *row,
                                     struct hir_value *const *args)
{
    return glsl_builtin_bodies[row->index] == glsl_build_sparse_image_load &&
                   access_of(args[0]) & ACCESS_NON_READABLE
               ? "this function reads its argument, which is writeonly"
               : NULL;
}

/* KHR_shader_subgroup: cluster sizes must be constant powers of two. */
static const char *check_cluster(struct hir_shader *sh, const struct glsl_builtin_row *row,
                                 struct hir_value *const *args)
{
    if (row->op < HIR_INTRINSIC_REDUCE_ADD || row->op > HIR_INTRINSIC_REDUCE_XOR ||
        row->num_params != 2)
        return NULL;
    const struct hir_constant *c = hir_constant_value(sh, args[1]);
    return !c ? "the cluster size must be a constant expression"
           : util_is_power_of_two(c->value[0].u32) ? NULL
                                                   : "the cluster size must be a power of two";
}

const char *glsl_builtin_check(struct hir_shader *sh, const struct glsl_builtin_env *env,
                               unsigned id, struct hir_value *const *args, unsigned num_args,
                               unsigned *which)
{
    *which = 0;
    if (id >= glsl_builtin_row_count || num_args != glsl_builtin_rows[id].num_params)
        return NULL;
    const struct glsl_builtin_row *row = &glsl_builtin_rows[id];
    const char *error = row->first_param_mode ? check_first_param(env, row, args[0]) : NULL;
    if (error)
        return error;
    switch (row->kind) {
    case BUILTIN_TEX:
        return check_texture(sh, env, row, args, which);
    case BUILTIN_INTRINSIC:
        error = check_cluster(sh, row, args);
        *which = error ? 1 : 0;
        return error ? error : check_intrinsic(row, args);
    case BUILTIN_BODY:
        error = check_stream(sh, row, args);
        return error ? error : check_sparse_load(row, args);
    default:
        return NULL;
    }
}
