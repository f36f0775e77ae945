/* SPDX-License-Identifier: MIT */
/*
 * Values. Vectors are SSA values, matrices are arrays of their columns, and aggregates are
 * variables that are written once. SPIR-V guarantees that values dominate their uses, but NIR
 * control flow with exit codes may not preserve that; nir_repair_ssa runs at the end.
 */
#include "spirv/spirv_private.h"

/* Checks that an aggregate of type t may be copied or filled, and counts the work. */
static void check_copy(struct spv *p, const struct spv_type *t)
{
    spv_fail_if(p, t->opaque || t->unsized, "the type has no values");
    spv_fail_if(p, t->scalars > SPV_MAX_COPY, "the value is too large");
    spv_count_work(p, t->scalars);
}

struct spv_ssa spv_undefined(struct spv *p, const struct spv_type *t)
{
    struct spv_ssa v = {.type = t};
    if (spv_is_aggregate(t)) {
        check_copy(p, t);
        v = spv_temporary(p, t);
        nir_store_zero(&p->b, nir_build_deref_var(&p->b, v.var));
        return v;
    }
    v.n = spv_is_matrix(t) ? t->length : 1;
    const struct spv_type *column = spv_is_matrix(t) ? t->element : t;
    for (unsigned i = 0; i < v.n; i++)
        v.c[i] = nir_imm_zero(&p->b, spv_components(column), spv_bits(column));
    return v;
}

struct spv_ssa spv_temporary(struct spv *p, const struct spv_type *t)
{
    struct spv_ssa v = {.type = t};
    spv_fail_if(p, t->opaque || t->unsized, "the type has no values");
    spv_count_work(p, t->nodes); /* the variable has a copy of the type */
    v.var = nir_local_variable_create(p->impl, glsl_type_clone(p->shader, t->plain), "value");
    return v;
}

struct spv_ssa spv_from_constant(struct spv *p, const nir_constant *c, const struct spv_type *t)
{
    struct spv_ssa v = {.type = t};
    if (spv_is_aggregate(t)) {
        spv_fail_if(p, t->scalars > SPV_MAX_COPY, "the constant is too large");
        v.var = nir_variable_create(p->shader, nir_var_shader_temp,
                                    glsl_type_clone(p->shader, t->plain), "const");
        v.var->data.read_only = true;
        v.var->constant_initializer = spv_constant_clone(p, v.var, c, t);
        return v;
    }
    static const nir_const_value zeros[4];
    v.n = spv_is_matrix(t) ? t->length : 1;
    const struct spv_type *column = spv_is_matrix(t) ? t->element : t;
    for (unsigned i = 0; i < v.n; i++) {
        const nir_constant *part = spv_is_matrix(t) && !c->is_null_constant ? c->elements[i] : c;
        v.c[i] = nir_build_imm(&p->b, spv_components(column), spv_bits(column),
                               part->is_null_constant ? zeros : part->values);
    }
    return v;
}

struct spv_ssa spv_use(struct spv *p, uint32_t id)
{
    struct spv_value *v = spv_id(p, id);
    if (v->kind == SPV_CONSTANT && spv_is_aggregate(v->type)) {
        if (!v->storage)
            v->storage = spv_from_constant(p, v->constant, v->type).var;
        return (struct spv_ssa){.type = v->type, .var = v->storage};
    }
    if (v->kind == SPV_CONSTANT)
        return spv_from_constant(p, v->constant, v->type);
    spv_fail_if(p, v->kind != SPV_RESULT && !(v->kind == SPV_NOTHING && v->offset),
                "id %u is not a value", id);
    spv_fail_if(p, v->kind != SPV_RESULT || v->serial != p->serial,
                "id %u is used before it is defined", id);
    return v->ssa;
}

nir_def *spv_use_vec(struct spv *p, uint32_t id)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, !spv_is_vector(v.type), "id %u is not a scalar or vector", id);
    return v.c[0];
}

nir_def *spv_use_int(struct spv *p, uint32_t id)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, v.type->op != SpvOpTypeInt, "id %u is not an integer scalar", id);
    return v.type->width == 32 ? v.c[0] : nir_u2uN(&p->b, v.c[0], 32);
}

void spv_set(struct spv *p, const struct spv_instr *in, struct spv_ssa value)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p, !spv_same_type(type, value.type), "the result type does not match the operands");
    struct spv_value *v = spv_define(p, in->w[2], SPV_RESULT);
    v->type = type;
    v->ssa = value;
    v->ssa.type = type;
}

void spv_set_vec(struct spv *p, const struct spv_instr *in, nir_def *def)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p,
                !spv_is_vector(type) || spv_components(type) != def->num_components ||
                    spv_bits(type) != def->bit_size,
                "the result type does not match the operands");
    spv_set(p, in, (struct spv_ssa){.type = type, .n = 1, .c = {def}});
}

nir_deref_instr *spv_aggregate_deref(struct spv *p, const struct spv_ssa *v)
{
    return nir_build_deref_var(&p->b, v->var);
}

/* -------------------------------------------------------------------- memory and variables --- */

/* Loads a vector. Booleans are stored as uint in uniforms and buffers. */
static nir_def *load_vector(struct spv *p, nir_deref_instr *deref, const struct spv_type *t)
{
    nir_def *def = nir_load_deref(&p->b, deref);
    if (spv_bits(t) == 1 && def->bit_size != 1)
        return nir_ine_imm(&p->b, def, 0);
    return def;
}

/* Copies an aggregate. The types are equal except for layout and the representation of booleans. */
static void copy(struct spv *p, nir_deref_instr *dest, nir_deref_instr *src)
{
    const nir_variable_mode memory = nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_uniform;
    const struct glsl_type *t = dest->type;
    if (glsl_type_is_vector_or_scalar(t)) {
        nir_def *def = nir_load_deref(&p->b, src);
        if (t->base_type == GLSL_TYPE_BOOL && def->bit_size != 1)
            def = nir_ine_imm(&p->b, def, 0);
        nir_store_deref(&p->b, dest, def, BITFIELD_MASK(t->vector_elements));
    } else if (!((dest->modes | src->modes) & memory)) {
        nir_copy_deref(&p->b, dest, src);
    } else if (glsl_type_is_struct_or_ifc(t)) {
        for (unsigned i = 0; i < t->length; i++)
            copy(p, nir_build_deref_struct(&p->b, dest, i), nir_build_deref_struct(&p->b, src, i));
    } else {
        for (unsigned i = 0; i < glsl_length_of(t); i++)
            copy(p, nir_build_deref_array_imm(&p->b, dest, i),
                 nir_build_deref_array_imm(&p->b, src, i));
    }
}

struct spv_ssa spv_load_part(struct spv *p, nir_deref_instr *deref, const struct spv_type *t)
{
    struct spv_ssa v = {.type = t, .n = 1};
    if (spv_is_aggregate(t)) {
        check_copy(p, t);
        v = spv_temporary(p, t);
        copy(p, spv_aggregate_deref(p, &v), deref);
    } else if (spv_is_matrix(t)) {
        v.n = t->length;
        for (unsigned i = 0; i < v.n; i++)
            v.c[i] = load_vector(p, nir_build_deref_array_imm(&p->b, deref, i), t->element);
    } else {
        v.c[0] = load_vector(p, deref, t);
    }
    return v;
}

void spv_store_part(struct spv *p, nir_deref_instr *deref, const struct spv_ssa *v)
{
    if (spv_is_aggregate(v->type)) {
        check_copy(p, v->type);
        copy(p, deref, spv_aggregate_deref(p, v));
        return;
    }
    for (unsigned i = 0; i < v->n; i++)
        nir_store_deref(&p->b, v->n > 1 ? nir_build_deref_array_imm(&p->b, deref, i) : deref,
                        v->c[i], BITFIELD_MASK(v->c[i]->num_components));
}
