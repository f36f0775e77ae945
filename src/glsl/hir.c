/* SPDX-License-Identifier: MIT */
/* Constructors, copies and simple queries of HIR. */
#include "glsl/hir.h"

#include <assert.h>
#include <talloc.h>

#include "util/hash_table.h"

struct hir_shader *hir_shader_create(void *mem_ctx, enum shader_stage stage)
{
    struct hir_shader *sh = talloc_zero(mem_ctx, struct hir_shader);
    if (!sh)
        return NULL;
    sh->arena = arena_create(sh);
    sh->function_table = hash_table_create_string(sh);
    if (!sh->arena || !sh->function_table) {
        talloc_free(sh);
        return NULL;
    }
    sh->stage = sh->info.stage = stage;
    list_init(&sh->instructions);
    list_init(&sh->subroutine_types);
    list_init(&sh->functions);
    return sh;
}

void *hir_alloc(struct hir_shader *sh, size_t size)
{
    return arena_zalloc(sh->arena, size);
}

char *hir_strdup(struct hir_shader *sh, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = arena_alloc_aligned(sh->arena, n, 1);
    return copy ? memcpy(copy, text, n) : NULL;
}

/* Returns a zeroed node. */
static void *node_create(struct hir_shader *sh, enum hir_kind kind, size_t size)
{
    struct hir_node *node = hir_alloc(sh, size);
    if (node)
        node->kind = kind;
    return node;
}

static void *value_create(struct hir_shader *sh, enum hir_kind kind, size_t size,
                          const struct glsl_type *type)
{
    struct hir_value *value = node_create(sh, kind, size);
    if (value)
        value->type = type;
    return value;
}

struct hir_variable *hir_variable_create(struct hir_shader *sh, const struct glsl_type *type,
                                         const char *name, enum hir_variable_mode mode)
{
    struct hir_variable *var = node_create(sh, HIR_VARIABLE, sizeof *var);
    if (!var)
        return NULL;
    var->type = type;
    var->name = name ? hir_strdup(sh, name) : "";
    var->mode = mode;
    var->location = -1;
    var->max_array_access = -1;
    var->interface_field = -1;
    return var->name ? var : NULL;
}

/* ---------------------------------------------------------------------------- expressions --- */

/* Returns the type of a * b (GLSL 1.20 §5.9). */
static const struct glsl_type *product_type(const struct glsl_type *a, const struct glsl_type *b)
{
    bool ma = glsl_type_is_matrix(a), mb = glsl_type_is_matrix(b);
    if (ma && mb)
        return glsl_simple_type(a->base_type, a->vector_elements, b->matrix_columns);
    if (ma && glsl_type_is_vector(b))
        return glsl_simple_type(a->base_type, a->vector_elements, 1);
    if (mb && glsl_type_is_vector(a))
        return glsl_simple_type(a->base_type, b->matrix_columns, 1);
    return NULL;
}

/* Infers the type of an operation from its operands; NULL if they do not determine it. */
static const struct glsl_type *infer_type(enum hir_op op, struct hir_value *const *operands,
                                          unsigned count)
{
    const struct glsl_type *first = operands[0]->type, *widest = first;
    for (unsigned i = 1; i < count; i++) {
        if (glsl_component_count(operands[i]->type) > glsl_component_count(widest))
            widest = operands[i]->type;
    }
    switch (hir_op_infos[op].type_rule) {
    case HIR_OP_TYPE_SAME: {
        const struct glsl_type *product =
            op == HIR_OP_MUL ? product_type(first, operands[1]->type) : NULL;
        return product ? product : widest;
    }
    case HIR_OP_TYPE_FIRST:
        return first;
    case HIR_OP_TYPE_BOOL:
        return glsl_simple_type(GLSL_TYPE_BOOL, widest->vector_elements, 1);
    case HIR_OP_TYPE_INT:
        return glsl_simple_type(GLSL_TYPE_INT, first->vector_elements, 1);
    case HIR_OP_TYPE_SCALAR:
        return glsl_scalar_of(first);
    case HIR_OP_TYPE_SCALAR_BOOL:
        return glsl_bool_type();
    default:
        return NULL;
    }
}

/* Returns whether an operation accepts half floats as they are. */
static bool accepts_halves(enum hir_op op)
{
    switch (op) {
    case HIR_OP_SELECT:
    case HIR_OP_VECTOR:
    case HIR_OP_MATRIX:
    case HIR_OP_CONVERT:
    case HIR_OP_ALL_EQUAL:
    case HIR_OP_ANY_NEQUAL:
    case HIR_OP_TRANSPOSE:
    case HIR_OP_INTERP_CENTROID:
    case HIR_OP_INTERP_SAMPLE:
    case HIR_OP_INTERP_OFFSET:
        return true;
    default:
        return false;
    }
}

static const struct glsl_type *with_base(const struct glsl_type *t, enum glsl_base_type base)
{
    return glsl_simple_type(base, t->vector_elements, t->matrix_columns);
}

/* Builds an operation on half floats in single precision: converts the operands, and the result to
 * half precision if it is a float. */
static struct hir_value *expr_of_halves(struct hir_shader *sh, enum hir_op op,
                                        const struct glsl_type *type, struct hir_value **o)
{
    for (unsigned i = 0; i < 4 && o[i]; i++) {
        if (glsl_type_is_16bit(o[i]->type))
            o[i] = hir_expr(sh, HIR_OP_CONVERT, with_base(o[i]->type, GLSL_TYPE_FLOAT), o[i], NULL,
                            NULL, NULL);
        if (!o[i])
            return NULL;
    }
    if (type && glsl_type_is_16bit(type))
        type = with_base(type, GLSL_TYPE_FLOAT);
    struct hir_value *v = hir_expr(sh, op, type, o[0], o[1], o[2], o[3]);
    if (!v || v->type->base_type != GLSL_TYPE_FLOAT)
        return v;
    return hir_expr(sh, HIR_OP_CONVERT, with_base(v->type, GLSL_TYPE_FLOAT16), v, NULL, NULL, NULL);
}

struct hir_value *hir_expr(struct hir_shader *sh, enum hir_op op, const struct glsl_type *type,
                           struct hir_value *a, struct hir_value *b, struct hir_value *c,
                           struct hir_value *d)
{
    struct hir_expression *expr = value_create(sh, HIR_EXPRESSION, sizeof *expr, type);
    if (!expr || !a)
        return NULL;
    struct hir_value *operands[4] = {a, b, c, d};
    for (unsigned i = 0; i < 4 && operands[i]; i++)
        if (glsl_type_is_16bit(operands[i]->type) && !accepts_halves(op))
            return expr_of_halves(sh, op, type, operands);
    expr->op = op;
    while (expr->num_operands < 4 && operands[expr->num_operands]) {
        expr->operands[expr->num_operands] = operands[expr->num_operands];
        expr->num_operands++;
    }
    expr->base.node.loc = a->node.loc;
    if (!type)
        expr->base.type = infer_type(op, expr->operands, expr->num_operands);
    if (!expr->base.type)
        expr->base.type = glsl_error_type();
    return &expr->base;
}

struct hir_value *hir_deref_var(struct hir_shader *sh, struct hir_variable *var)
{
    struct hir_deref_variable *deref =
        value_create(sh, HIR_DEREF_VARIABLE, sizeof *deref, var->type);
    if (!deref)
        return NULL;
    deref->var = var;
    return &deref->base;
}

struct hir_value *hir_deref_elem(struct hir_shader *sh, struct hir_value *value,
                                 struct hir_value *index)
{
    struct hir_deref_array *deref =
        value_create(sh, HIR_DEREF_ARRAY, sizeof *deref, glsl_element_of(value->type));
    if (!deref)
        return NULL;
    deref->value = value;
    deref->index = index;
    deref->base.node.loc = value->node.loc;
    return &deref->base;
}

struct hir_value *hir_deref_field(struct hir_shader *sh, struct hir_value *value, unsigned field)
{
    struct hir_deref_record *deref =
        value_create(sh, HIR_DEREF_RECORD, sizeof *deref, value->type->fields[field].type);
    if (!deref)
        return NULL;
    deref->value = value;
    deref->field = field;
    deref->base.node.loc = value->node.loc;
    return &deref->base;
}

struct hir_value *hir_swizzle_of(struct hir_shader *sh, struct hir_value *value,
                                 const uint8_t *component, unsigned count)
{
    struct hir_swizzle *swizzle = value_create(sh, HIR_SWIZZLE, sizeof *swizzle,
                                               glsl_simple_type(value->type->base_type, count, 1));
    if (!swizzle)
        return NULL;
    swizzle->value = value;
    memcpy(swizzle->component, component, count);
    swizzle->base.node.loc = value->node.loc;
    return &swizzle->base;
}

struct hir_assign *hir_assign_create(struct hir_shader *sh, struct hir_value *lhs,
                                     struct hir_value *rhs, unsigned write_mask)
{
    struct hir_assign *assign = node_create(sh, HIR_ASSIGN, sizeof *assign);
    if (!assign)
        return NULL;
    assign->lhs = lhs;
    assign->rhs = rhs;
    assign->write_mask = write_mask;
    assign->node.loc = rhs->node.loc;
    return assign;
}

struct hir_variable *hir_variable_referenced(const struct hir_value *value)
{
    while (value) {
        switch (value->node.kind) {
        case HIR_DEREF_VARIABLE:
            return ((const struct hir_deref_variable *)value)->var;
        case HIR_DEREF_ARRAY:
            value = ((const struct hir_deref_array *)value)->value;
            break;
        case HIR_DEREF_RECORD:
            value = ((const struct hir_deref_record *)value)->value;
            break;
        case HIR_SWIZZLE:
            value = ((const struct hir_swizzle *)value)->value;
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

/* -------------------------------------------------------------------------------- copies --- */

struct hir_constant *hir_clone_constant(struct hir_shader *sh, const struct hir_constant *c)
{
    struct hir_constant *copy = value_create(sh, HIR_CONSTANT, sizeof *copy, c->base.type);
    if (!copy)
        return NULL;
    copy->base.node.loc = c->base.node.loc;
    memcpy(copy->value, c->value, sizeof copy->value);
    if (c->elements) {
        unsigned n = c->base.type->length;
        copy->elements = hir_alloc(sh, sizeof *copy->elements * n);
        if (!copy->elements)
            return NULL;
        for (unsigned i = 0; i < n; i++) {
            copy->elements[i] = hir_clone_constant(sh, c->elements[i]);
            if (!copy->elements[i])
                return NULL;
        }
    }
    return copy;
}

static struct hir_value *clone_texture(struct hir_shader *sh, const struct hir_texture *tex)
{
    struct hir_texture *copy = hir_alloc(sh, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *tex;
    struct hir_value **sources[] = {
        &copy->sampler,   &copy->coord,   &copy->projector, &copy->comparator, &copy->lod,
        &copy->bias,      &copy->dPdx,    &copy->dPdy,      &copy->offset,     &copy->sample_index,
        &copy->component, &copy->offsets, &copy->min_lod};
    for (unsigned i = 0; i < ARRAY_SIZE(sources); i++) {
        if (*sources[i] && !(*sources[i] = hir_clone_value(sh, *sources[i])))
            return NULL;
    }
    return &copy->base;
}

struct hir_value *hir_clone_value(struct hir_shader *sh, const struct hir_value *value)
{
    struct hir_value *copy = NULL;
    switch (value->node.kind) {
    case HIR_CONSTANT: {
        struct hir_constant *c = hir_clone_constant(sh, (const struct hir_constant *)value);
        return c ? &c->base : NULL;
    }
    case HIR_EXPRESSION: {
        const struct hir_expression *e = (const struct hir_expression *)value;
        struct hir_value *o[4] = {0};
        for (unsigned i = 0; i < e->num_operands; i++) {
            if (!(o[i] = hir_clone_value(sh, e->operands[i])))
                return NULL;
        }
        copy = hir_expr(sh, e->op, value->type, o[0], o[1], o[2], o[3]);
        break;
    }
    case HIR_SWIZZLE: {
        const struct hir_swizzle *s = (const struct hir_swizzle *)value;
        struct hir_value *inner = hir_clone_value(sh, s->value);
        if (inner)
            copy = hir_swizzle_of(sh, inner, s->component, value->type->vector_elements);
        break;
    }
    case HIR_DEREF_VARIABLE:
        copy = hir_deref_var(sh, ((const struct hir_deref_variable *)value)->var);
        break;
    case HIR_DEREF_ARRAY: {
        const struct hir_deref_array *d = (const struct hir_deref_array *)value;
        struct hir_value *inner = hir_clone_value(sh, d->value);
        struct hir_value *index = hir_clone_value(sh, d->index);
        if (inner && index)
            copy = hir_deref_elem(sh, inner, index);
        break;
    }
    case HIR_DEREF_RECORD: {
        const struct hir_deref_record *d = (const struct hir_deref_record *)value;
        struct hir_value *inner = hir_clone_value(sh, d->value);
        if (inner)
            copy = hir_deref_field(sh, inner, d->field);
        break;
    }
    case HIR_TEXTURE:
        copy = clone_texture(sh, (const struct hir_texture *)value);
        break;
    default:
        assert(!"not a value");
        return NULL;
    }
    if (copy) {
        copy->type = value->type;
        copy->node.loc = value->node.loc;
    }
    return copy;
}
