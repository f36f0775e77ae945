/* SPDX-License-Identifier: MIT */
/* Conversions, constant folding and temporaries. */
#include "glsl/ast_to_hir.h"

struct hir_value *error_value(struct ast_state *st)
{
    return &hir_const_create(st->sh, glsl_error_type())->base;
}

static bool is_constant(const struct hir_value *v)
{
    return v->node.kind == HIR_CONSTANT;
}

/* Returns whether v may be constant: its operands are constants, or it is a deref of a const
 * variable. */
static bool may_fold(const struct hir_value *v)
{
    switch (v->node.kind) {
    case HIR_EXPRESSION: {
        const struct hir_expression *e = (const struct hir_expression *)v;
        for (unsigned i = 0; i < e->num_operands; i++)
            if (!is_constant(e->operands[i]))
                return false;
        return true;
    }
    case HIR_SWIZZLE:
        return is_constant(((const struct hir_swizzle *)v)->value);
    case HIR_DEREF_VARIABLE:
        return ((const struct hir_deref_variable *)v)->var->constant_value != NULL;
    case HIR_DEREF_ARRAY: {
        const struct hir_deref_array *d = (const struct hir_deref_array *)v;
        return is_constant(d->index) && (is_constant(d->value) || may_fold(d->value));
    }
    case HIR_DEREF_RECORD: {
        const struct hir_deref_record *d = (const struct hir_deref_record *)v;
        return is_constant(d->value) || may_fold(d->value);
    }
    default:
        return false;
    }
}

struct hir_value *fold(struct ast_state *st, struct hir_value *v)
{
    if (is_constant(v) || !may_fold(v))
        return v;
    struct hir_constant *c = hir_constant_value(st->sh, v);
    return c ? &c->base : v;
}

struct hir_value *make_expr(struct ast_state *st, enum hir_op op, const struct glsl_type *type,
                            struct hir_value *a, struct hir_value *b, struct hir_value *c,
                            struct glsl_loc loc)
{
    struct hir_value *v = hir_expr(st->sh, op, type, a, b, c, NULL);
    v->node.loc = loc;
    return fold(st, v);
}

/* -------------------------------------------------------------------- implicit conversions --- */

/* GLSL 4.60 §4.1.10, restricted by version and extensions. float16_t only exists if its extension
 * is enabled. */
static bool base_converts(const struct ast_state *st, enum glsl_base_type from,
                          enum glsl_base_type to)
{
    if (from == to)
        return true;
    bool es = st->c->es;
    if (es ? !st_ext(st, GLSL_EXT_EXT_shader_implicit_conversions) : !st_has(st, 120, 0))
        return false;
    bool fp64 = st_has(st, 400, 0) || st_ext(st, GLSL_EXT_ARB_gpu_shader_fp64);
    bool int64 =
        st_ext(st, GLSL_EXT_ARB_gpu_shader_int64) || st_ext(st, GLSL_EXT_AMD_gpu_shader_int64);
    bool to_uint = st_has(st, 400, 0) || es || st_ext(st, GLSL_EXT_ARB_gpu_shader5) ||
                   st_ext(st, GLSL_EXT_MESA_shader_integer_functions);
    bool int32 = from == GLSL_TYPE_INT || from == GLSL_TYPE_UINT;
    switch (to) {
    case GLSL_TYPE_UINT:
        return from == GLSL_TYPE_INT && to_uint;
    case GLSL_TYPE_FLOAT:
        return int32 || from == GLSL_TYPE_FLOAT16;
    case GLSL_TYPE_DOUBLE:
        return fp64 && (int32 || from == GLSL_TYPE_FLOAT || from == GLSL_TYPE_FLOAT16 ||
                        (int64 && (from == GLSL_TYPE_INT64 || from == GLSL_TYPE_UINT64)));
    case GLSL_TYPE_INT64:
        return int64 && from == GLSL_TYPE_INT;
    case GLSL_TYPE_UINT64:
        return int64 && (int32 || from == GLSL_TYPE_INT64);
    default:
        return false;
    }
}

bool can_convert(const struct ast_state *st, const struct glsl_type *from,
                 const struct glsl_type *to)
{
    if (glsl_type_equal(from, to))
        return true;
    return from->base_type <= GLSL_TYPE_BOOL && to->base_type <= GLSL_TYPE_BOOL &&
           from->vector_elements == to->vector_elements &&
           from->matrix_columns == to->matrix_columns &&
           base_converts(st, from->base_type, to->base_type);
}

struct hir_value *convert_base(struct ast_state *st, struct hir_value *v, enum glsl_base_type base)
{
    if (v->type->base_type == base)
        return v;
    const struct glsl_type *type =
        glsl_simple_type(base, v->type->vector_elements, v->type->matrix_columns);
    return make_expr(st, HIR_OP_CONVERT, type, v, NULL, NULL, v->node.loc);
}

struct hir_value *convert_implicitly(struct ast_state *st, struct hir_value *v,
                                     const struct glsl_type *to)
{
    if (!can_convert(st, v->type, to))
        return NULL;
    return glsl_type_equal(v->type, to) ? v : convert_base(st, v, to->base_type);
}

/* --------------------------------------------------------------------------- temporaries --- */

static void insert_after(struct list_head **at, struct hir_node *node)
{
    list_add(&node->link, *at);
    *at = &node->link;
}

static struct hir_variable *new_temporary(struct ast_state *st, const struct glsl_type *type,
                                          const char *name)
{
    struct hir_variable *var = hir_variable_create(st->sh, type, name, HIR_VAR_TEMPORARY);
    var->used = true;
    return var;
}

struct hir_variable *make_temporary(struct ast_state *st, const struct glsl_type *type,
                                    const char *name)
{
    struct hir_variable *var = new_temporary(st, type, name);
    hir_emit(st, &var->node);
    return var;
}

/* Returns the mask of all components of a scalar or vector; 0 for other types. */
static unsigned full_mask(const struct glsl_type *t)
{
    return glsl_type_is_vector_or_scalar(t) ? BITFIELD_MASK(t->vector_elements) : 0;
}

void emit_assign(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs)
{
    struct hir_assign *a = hir_assign_create(st->sh, lhs, rhs, full_mask(lhs->type));
    hir_emit(st, &a->node);
}

bool value_is_stable(const struct hir_value *v)
{
    switch (v->node.kind) {
    case HIR_CONSTANT:
        return true;
    case HIR_DEREF_VARIABLE: {
        const struct hir_variable *var = ((const struct hir_deref_variable *)v)->var;
        return var->mode == HIR_VAR_TEMPORARY || var->mode == HIR_VAR_UNIFORM ||
               var->mode == HIR_VAR_SYSTEM_VALUE || var->mode == HIR_VAR_CONST_IN ||
               var->constant_value || (var->mode == HIR_VAR_SHADER_IN && var->read_only);
    }
    case HIR_SWIZZLE:
        return value_is_stable(((const struct hir_swizzle *)v)->value);
    case HIR_DEREF_ARRAY:
        return value_is_stable(((const struct hir_deref_array *)v)->value) &&
               value_is_stable(((const struct hir_deref_array *)v)->index);
    case HIR_DEREF_RECORD:
        return value_is_stable(((const struct hir_deref_record *)v)->value);
    default:
        return false;
    }
}

struct list_head *list_mark(struct ast_state *st)
{
    return st->list->prev;
}

struct hir_value *keep_value(struct ast_state *st, struct hir_value *v, struct list_head *mark)
{
    const struct hir_variable *root = hir_variable_referenced(v);
    bool opaque = type_contains_opaque(v->type) &&
                  (type_is_no_value(st, v->type) || (root && root->mode == HIR_VAR_UNIFORM));
    if (st->list->prev == mark || value_is_stable(v) || value_is_error(v) || opaque)
        return v;
    struct hir_variable *tmp = new_temporary(st, v->type, "kept");
    struct hir_assign *a =
        hir_assign_create(st->sh, hir_deref_var(st->sh, tmp), v, full_mask(v->type));
    insert_after(&mark, &tmp->node);
    insert_after(&mark, &a->node);
    return hir_deref_var(st->sh, tmp);
}

unsigned type_components(const struct glsl_type *t)
{
    return t->vector_elements * t->matrix_columns;
}
