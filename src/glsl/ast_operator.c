/* SPDX-License-Identifier: MIT */
/* Operators (GLSL 4.60 §5.8, §5.9). */
#include "glsl/ast_to_hir.h"

static const struct {
    const char *text;
    uint8_t op; /* enum hir_op */
} op_table[] = {
    [AST_POST_INC] = {"++", HIR_OP_ADD},
    [AST_POST_DEC] = {"--", HIR_OP_SUB},
    [AST_PRE_INC] = {"++", HIR_OP_ADD},
    [AST_PRE_DEC] = {"--", HIR_OP_SUB},
    [AST_PLUS] = {"+", 0},
    [AST_NEG] = {"-", HIR_OP_NEG},
    [AST_NOT] = {"!", HIR_OP_LOGIC_NOT},
    [AST_BIT_NOT] = {"~", HIR_OP_BIT_NOT},
    [AST_MUL] = {"*", HIR_OP_MUL},
    [AST_DIV] = {"/", HIR_OP_DIV},
    [AST_MOD] = {"%", HIR_OP_MOD},
    [AST_ADD] = {"+", HIR_OP_ADD},
    [AST_SUB] = {"-", HIR_OP_SUB},
    [AST_SHL] = {"<<", HIR_OP_SHL},
    [AST_SHR] = {">>", HIR_OP_SHR},
    [AST_LESS] = {"<", HIR_OP_LESS},
    [AST_GREATER] = {">", HIR_OP_GREATER},
    [AST_LEQUAL] = {"<=", HIR_OP_LEQUAL},
    [AST_GEQUAL] = {">=", HIR_OP_GEQUAL},
    [AST_EQUAL] = {"==", HIR_OP_ALL_EQUAL},
    [AST_NEQUAL] = {"!=", HIR_OP_ANY_NEQUAL},
    [AST_BIT_AND] = {"&", HIR_OP_BIT_AND},
    [AST_BIT_XOR] = {"^", HIR_OP_BIT_XOR},
    [AST_BIT_OR] = {"|", HIR_OP_BIT_OR},
    [AST_AND] = {"&&", HIR_OP_LOGIC_AND},
    [AST_XOR] = {"^^", HIR_OP_LOGIC_XOR},
    [AST_OR] = {"||", HIR_OP_LOGIC_OR},
    [AST_CONDITIONAL] = {"?:", HIR_OP_SELECT},
    [AST_ASSIGN] = {"=", 0},
};

const char *ast_op_text(enum ast_op op)
{
    return op_table[op].text;
}

static bool is_int32(const struct glsl_type *t)
{
    return glsl_type_is_integer(t);
}

static struct hir_value *mismatch(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                  struct hir_value *b, struct glsl_loc loc)
{
    glsl_error(st->c, loc, "operands of '%s' have the wrong types: %s and %s", op_table[op].text,
               a->type->name, b->type->name);
    return error_value(st);
}

/* Converts one of the values implicitly so that both have the same base type. Returns false if that
 * is not possible. */
static bool unify_bases(struct ast_state *st, struct hir_value **a, struct hir_value **b)
{
    enum glsl_base_type x = (*a)->type->base_type, y = (*b)->type->base_type;
    if (x == y)
        return true;
    if (x > GLSL_TYPE_BOOL || y > GLSL_TYPE_BOOL)
        return false;
    if (can_convert(st, glsl_simple_type(x, 1, 1), glsl_simple_type(y, 1, 1)))
        *a = convert_base(st, *a, y);
    else if (can_convert(st, glsl_simple_type(y, 1, 1), glsl_simple_type(x, 1, 1)))
        *b = convert_base(st, *b, x);
    else
        return false;
    return true;
}

static bool bit_operators(struct ast_state *st, enum ast_op op, struct glsl_loc loc)
{
    if (st_has(st, 130, 300) || st_ext(st, GLSL_EXT_EXT_gpu_shader4))
        return true;
    glsl_error(st->c, loc, "operator '%s' requires GLSL 1.30 or GLSL ES 3.00", op_table[op].text);
    return false;
}

/* Returns the type of + - * / for values with equal base types; NULL if the shapes do not match
 * (§5.9). */
static const struct glsl_type *arithmetic_type(enum ast_op op, const struct glsl_type *a,
                                               const struct glsl_type *b)
{
    if (!glsl_type_is_numeric(a) || !glsl_type_is_numeric(b))
        return NULL;
    if (glsl_type_is_scalar(a))
        return b;
    if (glsl_type_is_scalar(b))
        return a;
    bool ma = glsl_type_is_matrix(a), mb = glsl_type_is_matrix(b);
    if (!ma && !mb)
        return a->vector_elements == b->vector_elements ? a : NULL;
    if (op != AST_MUL)
        return ma && mb && glsl_type_equal(a, b) ? a : NULL;
    if (ma && mb)
        return a->matrix_columns == b->vector_elements
                   ? glsl_simple_type(a->base_type, a->vector_elements, b->matrix_columns)
                   : NULL;
    if (ma)
        return a->matrix_columns == b->vector_elements
                   ? glsl_simple_type(a->base_type, a->vector_elements, 1)
                   : NULL;
    return a->vector_elements == b->vector_elements
               ? glsl_simple_type(a->base_type, b->matrix_columns, 1)
               : NULL;
}

static struct hir_value *arithmetic(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                    struct hir_value *b, struct glsl_loc loc)
{
    if (!unify_bases(st, &a, &b))
        return mismatch(st, op, a, b, loc);
    const struct glsl_type *type = arithmetic_type(op, a->type, b->type);
    if (!type)
        return mismatch(st, op, a, b, loc);
    return make_expr(st, op_table[op].op, type, a, b, NULL, loc);
}

/* Emits % & | ^ on integers: a scalar with a vector, or equal sizes. */
static struct hir_value *integer_op(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                    struct hir_value *b, struct glsl_loc loc)
{
    if (!bit_operators(st, op, loc))
        return error_value(st);
    if (!is_int32(a->type) || !is_int32(b->type) || !unify_bases(st, &a, &b))
        return mismatch(st, op, a, b, loc);
    if (!glsl_type_is_scalar(a->type) && !glsl_type_is_scalar(b->type) &&
        a->type->vector_elements != b->type->vector_elements)
        return mismatch(st, op, a, b, loc);
    const struct glsl_type *type = glsl_type_is_scalar(a->type) ? b->type : a->type;
    return make_expr(st, op_table[op].op, type, a, b, NULL, loc);
}

static struct hir_value *shift(struct ast_state *st, enum ast_op op, struct hir_value *a,
                               struct hir_value *b, struct glsl_loc loc)
{
    if (!bit_operators(st, op, loc))
        return error_value(st);
    if (!is_int32(a->type) || !is_int32(b->type) ||
        (glsl_type_is_scalar(a->type) && !glsl_type_is_scalar(b->type)) ||
        (glsl_type_is_vector(b->type) && a->type->vector_elements != b->type->vector_elements))
        return mismatch(st, op, a, b, loc);
    return make_expr(st, op_table[op].op, a->type, a, b, NULL, loc);
}

static struct hir_value *compare(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                 struct hir_value *b, struct glsl_loc loc)
{
    if (!glsl_type_is_scalar(a->type) || !glsl_type_is_scalar(b->type) ||
        !glsl_type_is_numeric(a->type) || !glsl_type_is_numeric(b->type) ||
        !unify_bases(st, &a, &b))
        return mismatch(st, op, a, b, loc);
    return make_expr(st, op_table[op].op, glsl_bool_type(), a, b, NULL, loc);
}

static struct hir_value *equality(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                  struct hir_value *b, struct glsl_loc loc)
{
    struct hir_value *converted;
    if ((converted = convert_implicitly(st, a, b->type)))
        a = converted;
    else if ((converted = convert_implicitly(st, b, a->type)))
        b = converted;
    else
        return mismatch(st, op, a, b, loc);
    if (glsl_type_is_void(a->type) || type_contains_opaque(a->type)) {
        glsl_error(st->c, loc, "values of type %s cannot be compared", a->type->name);
        return error_value(st);
    }
    if (lacks_size(a->type)) {
        glsl_error(st->c, loc, "arrays without a size cannot be compared");
        return error_value(st);
    }
    if (glsl_type_contains(a->type, GLSL_TYPE_ARRAY) && !st_has(st, 120, 300)) {
        glsl_error(st->c, loc, "arrays cannot be compared before GLSL 1.20 and GLSL ES 3.00");
        return error_value(st);
    }
    return make_expr(st, op_table[op].op, glsl_bool_type(), a, b, NULL, loc);
}

static bool is_bool_scalar(const struct hir_value *v)
{
    return glsl_type_is_scalar(v->type) && glsl_type_is_boolean(v->type);
}

struct hir_value *ast_binary_values(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                    struct hir_value *b, struct glsl_loc loc)
{
    if (value_is_error(a) || value_is_error(b))
        return error_value(st);
    switch (op) {
    case AST_MUL:
    case AST_DIV:
    case AST_ADD:
    case AST_SUB:
        return arithmetic(st, op, a, b, loc);
    case AST_MOD:
    case AST_BIT_AND:
    case AST_BIT_XOR:
    case AST_BIT_OR:
        return integer_op(st, op, a, b, loc);
    case AST_SHL:
    case AST_SHR:
        return shift(st, op, a, b, loc);
    case AST_LESS:
    case AST_GREATER:
    case AST_LEQUAL:
    case AST_GEQUAL:
        return compare(st, op, a, b, loc);
    case AST_EQUAL:
    case AST_NEQUAL:
        return equality(st, op, a, b, loc);
    default:
        if (!is_bool_scalar(a) || !is_bool_scalar(b))
            return mismatch(st, op, a, b, loc);
        return make_expr(st, op_table[op].op, glsl_bool_type(), a, b, NULL, loc);
    }
}

struct hir_value *ast_binary(struct ast_state *st, struct ast_expr *e)
{
    struct hir_value *a = ast_expr_value(st, e->a);
    struct list_head *mark = list_mark(st);
    struct hir_value *b = ast_expr_value(st, e->b);
    return ast_binary_values(st, e->op, keep_value(st, a, mark), b, e->loc);
}

struct hir_value *ast_unary(struct ast_state *st, struct ast_expr *e)
{
    struct hir_value *a = ast_expr_value(st, e->a);
    if (value_is_error(a))
        return a;
    bool fits;
    switch (e->op) {
    case AST_NOT:
        fits = is_bool_scalar(a);
        break;
    case AST_BIT_NOT:
        if (!bit_operators(st, e->op, e->loc))
            return error_value(st);
        fits = is_int32(a->type);
        break;
    default:
        fits = glsl_type_is_numeric(a->type);
    }
    if (!fits) {
        glsl_error(st->c, e->loc, "operand of '%s' has the wrong type: %s", op_table[e->op].text,
                   a->type->name);
        return error_value(st);
    }
    if (e->op == AST_PLUS)
        return a;
    return make_expr(st, op_table[e->op].op, a->type, a, NULL, NULL, e->loc);
}

/* ------------------------------------------------------------------ conditional evaluation --- */

/* Evaluates e and stores the instructions in a separate list. */
static struct hir_value *evaluate_to_list(struct ast_state *st, struct ast_expr *e,
                                          struct list_head *list)
{
    struct list_head *outer = st->list;
    list_init(list);
    st->list = list;
    st->control_depth++;
    struct hir_value *v = ast_expr_value(st, e);
    st->control_depth--;
    st->list = outer;
    return v;
}

/* Ends a branch with tmp = value. */
static void finish_branch(struct ast_state *st, struct list_head *branch, struct list_head *from,
                          struct hir_variable *tmp, struct hir_value *value)
{
    struct list_head *outer = st->list;
    list_splicetail(from, branch);
    st->list = branch;
    emit_assign(st, hir_deref_var(st->sh, tmp), value);
    st->list = outer;
}

struct hir_value *ast_logic(struct ast_state *st, struct ast_expr *e)
{
    struct list_head list;
    struct hir_value *a = ast_expr_value(st, e->a);
    struct hir_value *b = evaluate_to_list(st, e->b, &list);
    if (value_is_error(a) || value_is_error(b))
        return error_value(st);
    if (!is_bool_scalar(a) || !is_bool_scalar(b))
        return mismatch(st, e->op, a, b, e->loc);
    if (list_is_empty(&list))
        return make_expr(st, op_table[e->op].op, glsl_bool_type(), a, b, NULL, e->loc);

    bool is_or = e->op == AST_OR;
    struct hir_variable *tmp = make_temporary(st, glsl_bool_type(), is_or ? "or" : "and");
    struct hir_if *branch = emit_if(st, a);
    struct list_head none;
    list_init(&none);
    finish_branch(st, is_or ? &branch->else_list : &branch->then_list, &list, tmp, b);
    finish_branch(st, is_or ? &branch->then_list : &branch->else_list, &none, tmp,
                  &hir_const_bool(st->sh, is_or)->base);
    return hir_deref_var(st->sh, tmp);
}

struct hir_value *ast_conditional(struct ast_state *st, struct ast_expr *e)
{
    struct list_head then_list, else_list;
    struct hir_value *condition = ast_condition_value(st, e->a, "the condition of ?:");
    struct hir_value *a = evaluate_to_list(st, e->b, &then_list);
    struct hir_value *b = evaluate_to_list(st, e->c, &else_list);
    if (value_is_error(condition) || value_is_error(a) || value_is_error(b))
        return error_value(st);

    /* Implicit conversions do not append instructions, so both lists are still complete. */
    struct hir_value *converted;
    if ((converted = convert_implicitly(st, a, b->type)))
        a = converted;
    else if ((converted = convert_implicitly(st, b, a->type)))
        b = converted;
    else
        return mismatch(st, e->op, a, b, e->loc);
    if (type_contains_opaque(a->type) || lacks_size(a->type)) {
        glsl_error(st->c, e->loc, "operands of ?: cannot have type %s", a->type->name);
        return error_value(st);
    }
    if (glsl_type_contains(a->type, GLSL_TYPE_ARRAY) && !st_has(st, 120, 300)) {
        glsl_error(st->c, e->loc, "array operands of ?: require GLSL 1.20 or GLSL ES 3.00");
        return error_value(st);
    }

    bool pure = list_is_empty(&then_list) && list_is_empty(&else_list);
    if (pure && condition->node.kind == HIR_CONSTANT) {
        bool value = ((struct hir_constant *)condition)->value[0].b;
        struct hir_value *taken = value ? a : b, *other = value ? b : a;
        /* The result is only constant if all three operands are. */
        if (taken->node.kind != HIR_CONSTANT || other->node.kind == HIR_CONSTANT)
            return taken;
    }
    if (glsl_type_is_void(a->type)) {
        struct hir_if *branch = emit_if(st, condition);
        list_splicetail(&then_list, &branch->then_list);
        list_splicetail(&else_list, &branch->else_list);
        struct hir_constant *none = hir_const_create(st->sh, glsl_void_type());
        return &none->base;
    }
    if (pure && glsl_type_is_vector_or_scalar(a->type))
        return make_expr(st, HIR_OP_SELECT, a->type, condition, a, b, e->loc);

    struct hir_variable *tmp = make_temporary(st, a->type, "conditional");
    struct hir_if *branch = emit_if(st, condition);
    finish_branch(st, &branch->then_list, &then_list, tmp, a);
    finish_branch(st, &branch->else_list, &else_list, tmp, b);
    return hir_deref_var(st->sh, tmp);
}
