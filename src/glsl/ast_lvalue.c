/* SPDX-License-Identifier: MIT */
/* Lvalues and assignment, including writes through swizzles (GLSL 4.60 §5.8). */
#include "glsl/ast_to_hir.h"

#include "util/check.h"

static bool swizzle_repeats(const struct hir_swizzle *s)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < s->base.type->vector_elements; i++) {
        if (seen & 1u << s->component[i])
            return true;
        seen |= 1u << s->component[i];
    }
    return false;
}

static bool chain_is_lvalue(struct ast_state *st, const struct hir_value *v, struct glsl_loc loc)
{
    while (v->node.kind != HIR_DEREF_VARIABLE) {
        switch (v->node.kind) {
        case HIR_SWIZZLE:
            if (swizzle_repeats((const struct hir_swizzle *)v)) {
                glsl_error(st->c, loc, "a swizzle with repeated components cannot be written");
                return false;
            }
            v = ((const struct hir_swizzle *)v)->value;
            break;
        case HIR_DEREF_ARRAY:
            v = ((const struct hir_deref_array *)v)->value;
            break;
        case HIR_DEREF_RECORD: {
            const struct hir_deref_record *d = (const struct hir_deref_record *)v;
            v = d->value;
            if (v->type->fields[d->field].readonly) {
                glsl_error(st->c, loc, "member \"%s\" is readonly", v->type->fields[d->field].name);
                return false;
            }
            break;
        }
        default:
            glsl_error(st->c, loc, "this expression is not an lvalue");
            return false;
        }
    }
    return true;
}

/* GLSL 1.10 to 1.50 §7.2: a fragment shader may use only one of these kinds of outputs. */
enum ast_frag_output { WROTE_FRAG_COLOR = 1, WROTE_FRAG_DATA = 2, WROTE_USER_OUTPUT = 4 };

static void record_write(struct ast_state *st, struct hir_variable *var, struct glsl_loc loc)
{
    var->assigned = true;
    if (st->c->stage != SHADER_FRAGMENT || var->mode != HIR_VAR_SHADER_OUT)
        return;
    static const struct {
        const char *name;
        enum ast_frag_output kind;
    } builtins[] = {
        {"gl_FragColor", WROTE_FRAG_COLOR},
        {"gl_SecondaryFragColorEXT", WROTE_FRAG_COLOR},
        {"gl_FragData", WROTE_FRAG_DATA},
        {"gl_SecondaryFragDataEXT", WROTE_FRAG_DATA},
    };
    unsigned output = var->builtin ? 0 : WROTE_USER_OUTPUT;
    for (unsigned i = 0; i < ARRAY_SIZE(builtins); i++)
        if (!strcmp(var->name, builtins[i].name))
            output = builtins[i].kind;
    if (output && (st->frag_outputs & ~output))
        glsl_error(st->c, loc,
                   "\"%s\" cannot be written together with another kind of color output",
                   var->name);
    st->frag_outputs |= output;
}

/* GLSL 4.60 §4.3.6: a tessellation control shader may only write its own vertex. */
static bool check_own_vertex(struct ast_state *st, const struct hir_value *v,
                             const struct hir_variable *var, struct glsl_loc loc)
{
    if (st->c->stage != SHADER_TESS_CTRL || var->mode != HIR_VAR_SHADER_OUT ||
        !is_per_vertex(st, var->mode, var->patch, var->interpolation))
        return true;
    const struct hir_value *index = NULL;
    while (v->node.kind != HIR_DEREF_VARIABLE) {
        index = NULL;
        if (v->node.kind == HIR_DEREF_ARRAY) {
            index = ((const struct hir_deref_array *)v)->index;
            v = ((const struct hir_deref_array *)v)->value;
        } else if (v->node.kind == HIR_DEREF_RECORD) {
            v = ((const struct hir_deref_record *)v)->value;
        } else {
            v = ((const struct hir_swizzle *)v)->value;
        }
    }
    if (index && index->node.kind == HIR_DEREF_VARIABLE &&
        !strcmp(((const struct hir_deref_variable *)index)->var->name, "gl_InvocationID"))
        return true;
    glsl_error(st->c, loc, "\"%s\" can only be written at index gl_InvocationID", var->name);
    return false;
}

bool check_lvalue(struct ast_state *st, const struct ast_expr *e, const struct hir_value *v)
{
    struct glsl_loc loc = e->loc;
    if (value_is_error(v))
        return false;
    while (e->op == AST_FIELD || e->op == AST_INDEX)
        e = e->a;
    if (e->op != AST_IDENT) {
        glsl_error(st->c, loc, "this expression is not an lvalue");
        return false;
    }
    if (v->node.kind == HIR_CONSTANT) {
        glsl_error(st->c, loc, "a constant cannot be assigned to");
        return false;
    }
    if (!chain_is_lvalue(st, v, loc))
        return false;
    struct hir_variable *var = hir_variable_referenced(v);
    if (var->mode == HIR_VAR_TEMPORARY) {
        glsl_error(st->c, loc, "this expression is not an lvalue");
        return false;
    }
    if (var->read_only || var->constant_value) {
        glsl_error(st->c, loc, "\"%s\" is read-only and cannot be assigned to", var->name);
        return false;
    }
    if (type_is_no_value(st, v->type)) {
        glsl_error(st->c, loc, "a value of type %s cannot be assigned to", v->type->name);
        return false;
    }
    if (!check_own_vertex(st, v, var, loc))
        return false;
    record_write(st, var, loc);
    var->handle_assigned |= type_contains_handle(v->type);
    return true;
}

/* ------------------------------------------------------------------------------- storing --- */

/* Stores to the component of a swizzled vector that a dynamic index selects: emits one conditional
 * write per component. */
static void store_dynamic_component(struct ast_state *st, struct hir_deref_array *d,
                                    struct hir_value *rhs)
{
    struct hir_swizzle *s = (struct hir_swizzle *)d->value;
    struct hir_variable *index = make_temporary(st, d->index->type, "index");
    emit_assign(st, hir_deref_var(st->sh, index), d->index);
    struct hir_variable *value = make_temporary(st, rhs->type, "value");
    emit_assign(st, hir_deref_var(st->sh, value), rhs);
    for (unsigned i = 0; i < s->base.type->vector_elements; i++) {
        struct hir_constant *c = hir_const_create(st->sh, d->index->type);
        c->value[0].u32 = i;
        struct hir_value *same = hir_expr(st->sh, HIR_OP_ALL_EQUAL, glsl_bool_type(),
                                          hir_deref_var(st->sh, index), &c->base, NULL, NULL);
        struct hir_if *branch = emit_if(st, same);
        struct list_head *outer = st->list;
        st->list = &branch->then_list;
        struct hir_value *lvalue = hir_clone_value(st->sh, s->value);
        store_value(st, hir_swizzle_of(st->sh, lvalue, &s->component[i], 1),
                    hir_deref_var(st->sh, value));
        st->list = outer;
    }
}

/* Stores lhs.zx = rhs: the mask contains the written components; rhs has them in ascending
 * order. */
static void store_swizzle(struct ast_state *st, struct hir_swizzle *s, struct hir_value *rhs)
{
    uint8_t component[4], from[4];
    unsigned count = s->base.type->vector_elements, mask = 0, n = 0;
    struct hir_value *lvalue = &s->base;
    for (unsigned i = 0; i < count; i++)
        component[i] = i;
    while (lvalue->node.kind == HIR_SWIZZLE) {
        const struct hir_swizzle *inner = (const struct hir_swizzle *)lvalue;
        for (unsigned i = 0; i < count; i++)
            component[i] = inner->component[component[i]];
        lvalue = inner->value;
    }
    if (glsl_type_is_scalar(lvalue->type)) {
        emit_assign(st, lvalue, rhs);
        return;
    }
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned i = 0; i < count; i++) {
            if (component[i] == k) {
                mask |= 1u << k;
                NEXT_OF(from, n) = i;
            }
        }
    }
    bool in_order = true;
    for (unsigned i = 0; i < n; i++)
        in_order &= from[i] == i;
    if (!in_order)
        rhs = fold(st, hir_swizzle_of(st->sh, rhs, from, n));
    struct hir_assign *a = hir_assign_create(st->sh, lvalue, rhs, mask);
    hir_emit(st, &a->node);
}

void store_value(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs)
{
    if (lhs->node.kind == HIR_SWIZZLE) {
        store_swizzle(st, (struct hir_swizzle *)lhs, rhs);
        return;
    }
    if (lhs->node.kind == HIR_DEREF_ARRAY) {
        struct hir_deref_array *d = (struct hir_deref_array *)lhs;
        if (d->value->node.kind == HIR_SWIZZLE) {
            store_dynamic_component(st, d, rhs);
            return;
        }
    }
    emit_assign(st, lhs, rhs);
}

void keep_lvalue(struct ast_state *st, struct hir_value *v, struct list_head *mark)
{
    while (v->node.kind != HIR_DEREF_VARIABLE) {
        if (v->node.kind == HIR_DEREF_ARRAY) {
            struct hir_deref_array *d = (struct hir_deref_array *)v;
            d->index = keep_value(st, d->index, mark);
            v = d->value;
        } else if (v->node.kind == HIR_DEREF_RECORD) {
            v = ((struct hir_deref_record *)v)->value;
        } else if (v->node.kind == HIR_SWIZZLE) {
            v = ((struct hir_swizzle *)v)->value;
        } else {
            break;
        }
    }
}

struct hir_value *stable_lvalue(struct ast_state *st, struct hir_value *v)
{
    for (struct hir_value *p = v; p->node.kind != HIR_DEREF_VARIABLE;) {
        if (p->node.kind == HIR_DEREF_ARRAY) {
            struct hir_deref_array *d = (struct hir_deref_array *)p;
            if (!value_is_stable(d->index)) {
                struct hir_variable *tmp = make_temporary(st, d->index->type, "index");
                emit_assign(st, hir_deref_var(st->sh, tmp), d->index);
                d->index = hir_deref_var(st->sh, tmp);
            }
            p = d->value;
        } else if (p->node.kind == HIR_DEREF_RECORD) {
            p = ((struct hir_deref_record *)p)->value;
        } else if (p->node.kind == HIR_SWIZZLE) {
            p = ((struct hir_swizzle *)p)->value;
        } else {
            break;
        }
    }
    return v;
}

/* ----------------------------------------------------------------------------- operators --- */

static struct hir_value *assignable(struct ast_state *st, struct hir_value *lhs,
                                    struct hir_value *rhs, struct glsl_loc loc)
{
    if (value_is_error(rhs))
        return NULL;
    struct hir_value *converted = convert_implicitly(st, rhs, lhs->type);
    if (!converted) {
        glsl_error(st->c, loc, "cannot assign a value of type %s to type %s", rhs->type->name,
                   lhs->type->name);
        return NULL;
    }
    if (glsl_type_is_void(lhs->type)) {
        glsl_error(st->c, loc, "void values cannot be assigned");
        return NULL;
    }
    if (!array_is_value(st, lhs->type)) {
        glsl_error(st->c, loc, "arrays cannot be assigned before GLSL 1.20 and GLSL ES 3.00");
        return NULL;
    }
    if (glsl_type_is_unsized_array(lhs->type)) {
        glsl_error(st->c, loc, "unsized arrays cannot be assigned");
        return NULL;
    }
    return converted;
}

struct hir_value *ast_assign(struct ast_state *st, struct ast_expr *e, bool want_value)
{
    struct hir_value *lhs =
        e->binary == AST_ASSIGN ? ast_lvalue_value(st, e->a) : ast_expr_value(st, e->a);
    struct list_head *mark = list_mark(st);
    struct hir_value *rhs = ast_expr_value(st, e->b);
    bool writable = check_lvalue(st, e->a, lhs);
    if (!writable || value_is_error(rhs))
        return want_value ? error_value(st) : NULL;
    keep_lvalue(st, lhs, mark);
    /* The target of a compound assignment is read after the right side was evaluated. */
    if (e->binary != AST_ASSIGN)
        rhs = ast_binary_values(st, e->binary, hir_clone_value(st->sh, lhs), rhs, e->loc);
    rhs = assignable(st, lhs, rhs, e->loc);
    if (!rhs)
        return want_value ? error_value(st) : NULL;
    if (!want_value) {
        store_value(st, lhs, rhs);
        return NULL;
    }
    /* The value is what was stored, even if the lvalue or its indices change later. */
    struct hir_variable *tmp = make_temporary(st, rhs->type, "assigned");
    emit_assign(st, hir_deref_var(st->sh, tmp), rhs);
    store_value(st, lhs, hir_deref_var(st->sh, tmp));
    return hir_deref_var(st->sh, tmp);
}

static struct hir_value *one(struct ast_state *st, const struct glsl_type *type)
{
    struct hir_constant *c = hir_const_create(st->sh, glsl_scalar_of(type));
    switch (type->base_type) {
    case GLSL_TYPE_FLOAT:
    case GLSL_TYPE_FLOAT16:
        c->value[0].f32 = 1;
        break;
    case GLSL_TYPE_DOUBLE:
        c->value[0].f64 = 1;
        break;
    case GLSL_TYPE_INT64:
    case GLSL_TYPE_UINT64:
        c->value[0].u64 = 1;
        break;
    default:
        c->value[0].u32 = 1;
    }
    return &c->base;
}

struct hir_value *ast_increment(struct ast_state *st, struct ast_expr *e, bool want_value)
{
    struct hir_value *lvalue = ast_expr_value(st, e->a);
    if (!check_lvalue(st, e->a, lvalue))
        return want_value ? error_value(st) : NULL;
    if (!glsl_type_is_numeric(lvalue->type)) {
        glsl_error(st->c, e->loc, "operand of '%s' has the wrong type: %s", ast_op_text(e->op),
                   lvalue->type->name);
        return want_value ? error_value(st) : NULL;
    }
    bool post = e->op == AST_POST_INC || e->op == AST_POST_DEC;
    enum ast_op op = e->op == AST_POST_INC || e->op == AST_PRE_INC ? AST_ADD : AST_SUB;
    struct hir_value *old = hir_clone_value(st->sh, lvalue);
    if (!want_value) {
        store_value(st, lvalue, ast_binary_values(st, op, old, one(st, lvalue->type), e->loc));
        return NULL;
    }
    struct hir_variable *tmp = make_temporary(st, lvalue->type, "incremented");
    if (post) {
        emit_assign(st, hir_deref_var(st->sh, tmp), old);
        old = hir_deref_var(st->sh, tmp);
        store_value(st, lvalue, ast_binary_values(st, op, old, one(st, lvalue->type), e->loc));
    } else {
        emit_assign(st, hir_deref_var(st->sh, tmp),
                    ast_binary_values(st, op, old, one(st, lvalue->type), e->loc));
        store_value(st, lvalue, hir_deref_var(st->sh, tmp));
    }
    return hir_deref_var(st->sh, tmp);
}
