/* SPDX-License-Identifier: MIT */
/* Statements (GLSL 4.60 §6). */
#include "glsl/ast_to_hir.h"

static void *emit_node(struct ast_state *st, enum hir_kind kind, size_t size, struct glsl_loc loc)
{
    struct hir_node *node = hir_alloc(st->sh, size);
    node->kind = kind;
    node->loc = loc;
    hir_emit(st, node);
    return node;
}

struct hir_if *emit_if(struct ast_state *st, struct hir_value *condition)
{
    struct hir_if *n = emit_node(st, HIR_IF, sizeof *n, condition->node.loc);
    n->condition = condition;
    list_init(&n->then_list);
    list_init(&n->else_list);
    return n;
}

struct hir_loop *emit_loop(struct ast_state *st, struct glsl_loc loc)
{
    struct hir_loop *n = emit_node(st, HIR_LOOP, sizeof *n, loc);
    list_init(&n->body);
    list_init(&n->continue_list);
    return n;
}

/* Loops in loops take more time to compile than other nested statements. */
#define MAX_LOOPS 1200

void enter_loop(struct ast_state *st, struct ast_loop *loop, struct glsl_loc loc)
{
    loop->outer = st->loop;
    loop->depth = st->loop ? st->loop->depth + 1 : 0;
    if (loop->depth >= MAX_LOOPS)
        glsl_fatal(st->c, loc, "loops and switches are nested too deeply here");
    st->loop = loop;
}

void emit_jump(struct ast_state *st, enum hir_jump_mode mode, struct glsl_loc loc)
{
    struct hir_jump *n = emit_node(st, HIR_JUMP, sizeof *n, loc);
    n->mode = mode;
}

static bool ends_with_jump(const struct list_head *list)
{
    if (list_is_empty(list))
        return false;
    const struct hir_node *last = list_last_entry(list, struct hir_node, link);
    return last->kind == HIR_JUMP || last->kind == HIR_RETURN;
}

static void statement(struct ast_state *st, struct ast_node *n);

/* Translates a list of statements. Statements after a jump are checked, but not kept. */
void ast_statements(struct ast_state *st, struct ast_node *first)
{
    struct list_head *list = st->list, unreachable;
    list_init(&unreachable);
    for (struct ast_node *n = first; n; n = n->next) {
        statement(st, n);
        if (st->list == list && ends_with_jump(list))
            st->list = &unreachable;
    }
    st->list = list;
}

static void scoped_statement(struct ast_state *st, struct ast_node *n, struct list_head *list)
{
    struct list_head *outer = st->list;
    st->list = list;
    scope_push(st);
    if (n->kind == AST_BLOCK)
        ast_statements(st, n->body);
    else
        ast_statements(st, n);
    scope_pop(st);
    st->list = outer;
}

/* ------------------------------------------------------------------------ if, return, jumps --- */

static void statement_if(struct ast_state *st, struct ast_node *n)
{
    struct hir_value *condition =
        ast_condition_value(st, n->expr, "the condition of an if statement");
    if (value_is_error(condition))
        condition = &hir_const_bool(st->sh, false)->base;
    struct hir_if *branch = emit_if(st, condition);
    st->control_depth++;
    scoped_statement(st, n->body, &branch->then_list);
    if (n->else_body)
        scoped_statement(st, n->else_body, &branch->else_list);
    st->control_depth--;
}

static struct hir_value *return_value(struct ast_state *st, struct ast_node *n)
{
    const struct glsl_type *type = st->sig->return_type;
    struct hir_value *v = ast_expr_value(st, n->expr);
    if (value_is_error(v) || glsl_type_is_error(type))
        return NULL;
    if (glsl_type_is_void(type)) {
        glsl_error(st->c, n->loc, "a void function cannot return a value");
        return NULL;
    }
    /* GLSL 4.20 §6.4 introduced implicit conversions of return values. */
    bool converts = st_has(st, 420, 0) || st_ext(st, GLSL_EXT_ARB_shading_language_420pack);
    if (glsl_type_equal(v->type, type))
        return v;
    struct hir_value *converted = converts ? convert_implicitly(st, v, type) : NULL;
    if (!converted)
        glsl_error(st->c, n->loc, "cannot return a value of type %s from a function of type %s",
                   v->type->name, type->name);
    return converted;
}

static void statement_return(struct ast_state *st, struct ast_node *n)
{
    struct hir_value *v = NULL;
    st->has_return |= n->expr != NULL;
    st->returned = true;
    if (n->expr) {
        v = return_value(st, n);
        if (!v)
            return;
    } else if (!glsl_type_is_void(st->sig->return_type)) {
        glsl_error(st->c, n->loc, "\"return\" without a value in a function of type %s",
                   st->sig->return_type->name);
        return;
    }
    struct hir_return *r = emit_node(st, HIR_RETURN, sizeof *r, n->loc);
    r->value = v;
}

static void statement_continue(struct ast_state *st, struct ast_node *n)
{
    struct ast_loop *loop = st->loop;
    while (loop && loop->is_switch)
        loop = loop->outer;
    if (!loop) {
        glsl_error(st->c, n->loc, "\"continue\" outside of a loop");
        return;
    }
    if (!st->loop->is_switch) {
        emit_jump(st, HIR_JUMP_CONTINUE, n->loc);
        return;
    }
    /* Leaves all enclosing switches, then continues the loop. */
    for (struct ast_loop *s = st->loop; s != loop; s = s->outer)
        emit_assign(st, hir_deref_var(st->sh, s->continue_flag),
                    &hir_const_bool(st->sh, true)->base);
    emit_jump(st, HIR_JUMP_BREAK, n->loc);
}

static void statement_discard(struct ast_state *st, struct ast_node *n)
{
    if (st->c->stage != SHADER_FRAGMENT) {
        glsl_error(st->c, n->loc, "\"discard\" is only allowed in fragment shaders");
        return;
    }
    st->sh->uses_discard = true;
    emit_node(st, HIR_DISCARD, sizeof(struct hir_discard), n->loc);
}

/* --------------------------------------------------------------------------------- loops --- */

static void break_unless(struct ast_state *st, struct hir_value *condition)
{
    if (value_is_error(condition))
        return;
    if (condition->node.kind == HIR_CONSTANT && ((struct hir_constant *)condition)->value[0].b)
        return;
    struct hir_value *stop = make_expr(st, HIR_OP_LOGIC_NOT, glsl_bool_type(), condition, NULL,
                                       NULL, condition->node.loc);
    struct hir_if *branch = emit_if(st, stop);
    struct list_head *outer = st->list;
    st->list = &branch->then_list;
    emit_jump(st, HIR_JUMP_BREAK, condition->node.loc);
    st->list = outer;
}

/* Translates the condition of a for or while loop at the start of its body. */
static void loop_condition(struct ast_state *st, struct ast_node *condition)
{
    if (!condition)
        return;
    if (condition->kind == AST_EXPRESSION) {
        break_unless(st, ast_condition_value(st, condition->expr, "the condition of a loop"));
        return;
    }
    ast_variables(st, condition);
    struct glsl_symbol *s = symbol_in_scope(st, condition->declarators->name);
    if (!s || s->kind != SYMBOL_VARIABLE || glsl_type_is_error(s->var->type))
        return;
    if (!glsl_type_equal(s->var->type, glsl_bool_type())) {
        glsl_error(st->c, condition->loc, "the condition of a loop must be a scalar boolean");
        return;
    }
    use_variable(st, s->var);
    struct hir_value *v = hir_deref_var(st->sh, s->var);
    v->node.loc = condition->loc;
    break_unless(st, v);
}

/* Translates the body, which shares the scope of the loop's declarations (GLSL 4.60 §6.3). */
static void loop_body(struct ast_state *st, struct ast_node *body)
{
    ast_statements(st, body->kind == AST_BLOCK ? body->body : body);
}

static void statement_loop(struct ast_state *st, struct ast_node *n)
{
    struct ast_loop loop = {0};
    scope_push(st);
    if (n->init)
        statement(st, n->init);
    struct hir_loop *hl = emit_loop(st, n->loc);
    struct list_head *outer = st->list;
    enter_loop(st, &loop, n->loc);
    st->control_depth++;
    st->list = &hl->body;
    if (n->kind == AST_DO) {
        scope_push(st);
        loop_body(st, n->body);
        scope_pop(st);
        st->list = &hl->continue_list;
        break_unless(st, ast_condition_value(st, n->expr, "the condition of a loop"));
    } else {
        loop_condition(st, n->condition);
        /* Before the body, because it cannot see the body's declarations. */
        st->list = &hl->continue_list;
        if (n->expr)
            ast_expr_discard(st, n->expr);
        st->list = &hl->body;
        loop_body(st, n->body);
    }
    st->control_depth--;
    st->loop = loop.outer;
    st->list = outer;
    scope_pop(st);
}

/* --------------------------------------------------------------------------------- block --- */

static void statement_block(struct ast_state *st, struct ast_node *n)
{
    scope_push(st);
    ast_statements(st, n->body);
    scope_pop(st);
}

static void statement(struct ast_state *st, struct ast_node *n)
{
    switch (n->kind) {
    case AST_EXPRESSION:
        if (n->expr)
            ast_expr_discard(st, n->expr);
        break;
    case AST_BLOCK:
        statement_block(st, n);
        break;
    case AST_IF:
        statement_if(st, n);
        break;
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
        statement_loop(st, n);
        break;
    case AST_SWITCH:
        ast_switch(st, n);
        break;
    case AST_CASE:
        glsl_error(st->c, n->loc,
                   "\"case\" and \"default\" are only allowed directly in a switch body");
        break;
    case AST_BREAK:
        if (st->loop)
            emit_jump(st, HIR_JUMP_BREAK, n->loc);
        else
            glsl_error(st->c, n->loc, "\"break\" outside of a loop or switch");
        break;
    case AST_CONTINUE:
        statement_continue(st, n);
        break;
    case AST_RETURN:
        statement_return(st, n);
        break;
    case AST_DISCARD:
    case AST_DEMOTE:
        statement_discard(st, n);
        break;
    default:
        if (!ast_declaration(st, n))
            glsl_error(st->c, n->loc, "this declaration is only allowed outside of functions");
    }
}
