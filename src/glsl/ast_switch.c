/* SPDX-License-Identifier: MIT */
/*
 * A switch (GLSL 4.60 §6.2) becomes a loop that runs once:
 *
 *   test = expression; running = false
 *   loop {
 *     running = running || test == 1                     case 1:
 *     if (running) { … break; }
 *     running = running || test matches no label         default:
 *     if (running) { … }
 *     break
 *   }
 *
 * A continue inside sets a flag and leaves the switch; the code after the switch then continues the
 * enclosing loop.
 */
#include "glsl/ast_to_hir.h"

#define MAX_LABELS 4096

struct switch_state {
    struct ast_state *st;
    struct ast_node *node;
    struct hir_variable *test, *running;
    struct hir_constant **labels; /* all labels in order, converted to the type of test */
    unsigned num_labels, next_label;
};

static struct hir_value *test_equals(struct switch_state *s, struct hir_constant *label)
{
    struct ast_state *st = s->st;
    return hir_expr(st->sh, HIR_OP_ALL_EQUAL, glsl_bool_type(), hir_deref_var(st->sh, s->test),
                    hir_clone_value(st->sh, &label->base), NULL, NULL);
}

static struct hir_value *either(struct ast_state *st, struct hir_value *a, struct hir_value *b)
{
    return a ? hir_expr(st->sh, HIR_OP_LOGIC_OR, glsl_bool_type(), a, b, NULL, NULL) : b;
}

/* Emits running = running || condition. */
static void run_if(struct switch_state *s, struct hir_value *condition)
{
    struct ast_state *st = s->st;
    emit_assign(st, hir_deref_var(st->sh, s->running),
                either(st, hir_deref_var(st->sh, s->running), condition));
}

static bool label_is_new(struct switch_state *s, const struct hir_constant *label,
                         struct glsl_loc loc)
{
    for (unsigned i = 0; i < s->num_labels; i++) {
        if (s->labels[i]->value[0].u32 == label->value[0].u32) {
            glsl_error(s->st->c, loc, "duplicate case value");
            return false;
        }
    }
    return true;
}

/* Returns the constant of a case label, with the type of test; NULL after an error. */
static struct hir_constant *label_value(struct switch_state *s, struct ast_node *n)
{
    struct ast_state *st = s->st;
    struct list_head scrap, *list = st->list;
    list_init(&scrap);
    st->list = &scrap;
    struct hir_value *v = ast_expr_value(st, n->expr);
    st->list = list;
    if (value_is_error(v))
        return NULL;
    struct hir_constant *c = hir_constant_value(st->sh, v);
    if (!c || !glsl_type_is_scalar(v->type) ||
        (v->type->base_type != GLSL_TYPE_INT && v->type->base_type != GLSL_TYPE_UINT)) {
        glsl_error(st->c, n->expr->loc, "a case value must be a constant integer expression");
        return NULL;
    }
    if (!can_convert(st, v->type, s->test->type) && !can_convert(st, s->test->type, v->type)) {
        glsl_error(st->c, n->loc,
                   "case value of type %s does not match the switch expression of type %s",
                   v->type->name, s->test->type->name);
        return NULL;
    }
    struct hir_constant *label = hir_const_create(st->sh, s->test->type);
    label->value[0].u32 = c->value[0].u32;
    return label;
}

/* Evaluates all labels in order. A label with an error becomes one that is not a duplicate. */
static void collect_labels(struct switch_state *s)
{
    struct ast_state *st = s->st;
    unsigned capacity = 0, defaults = 0;
    for (struct ast_node *n = s->node->body->body; n; n = n->next) {
        if (n->kind != AST_CASE)
            continue;
        if (!n->next) /* GLSL 1.30 §6.2 */
            glsl_error(st->c, n->loc, "a switch must have a statement after the last label");
        if (!n->expr) {
            if (defaults++)
                glsl_error(st->c, n->loc, "more than one \"default\" in a switch");
            continue;
        }
        struct hir_constant *label = label_value(s, n);
        if (label)
            label_is_new(s, label, n->loc);
        else
            label = hir_const_create(st->sh, s->test->type);
        if (s->num_labels == MAX_LABELS)
            glsl_fatal(st->c, n->loc, "too many labels in a switch");
        glsl_grow(st->c, (void **)&s->labels, &capacity, s->num_labels, sizeof *s->labels);
        s->labels[s->num_labels++] = label;
    }
}

static struct hir_value *no_label_matches(struct switch_state *s)
{
    struct ast_state *st = s->st;
    /* A balanced tree of || keeps the depth small. */
    unsigned n = s->num_labels;
    if (n == 0)
        return &hir_const_bool(st->sh, true)->base;
    struct hir_value **values = glsl_alloc(st->c, n * sizeof *values);
    for (unsigned i = 0; i < n; i++)
        values[i] = test_equals(s, s->labels[i]);
    for (; n > 1; n = (n + 1) / 2)
        for (unsigned i = 0; i < n / 2; i++)
            values[i] = either(st, values[i], values[n - 1 - i]);
    return hir_expr(st->sh, HIR_OP_LOGIC_NOT, glsl_bool_type(), values[0], NULL, NULL, NULL);
}

static void label(struct switch_state *s, struct ast_node *n)
{
    run_if(s, n->expr ? test_equals(s, s->labels[s->next_label++]) : no_label_matches(s));
}

/* Declarations are visible after the next label, too, so they are moved out of the if. */
static void hoist_declarations(struct list_head *from, struct hir_node *before)
{
    list_for_each_entry_safe (struct hir_node, node, from, link) {
        if (node->kind == HIR_VARIABLE) {
            ((struct hir_variable *)node)->initialized = false; /* the write stays in the if */
            list_del(&node->link);
            list_addtail(&node->link, &before->link);
        }
    }
}

static void switch_body(struct switch_state *s, struct hir_node *before)
{
    struct ast_state *st = s->st;
    struct list_head *outer = st->list;
    for (struct ast_node *n = s->node->body->body; n;) {
        if (n->kind == AST_CASE) {
            label(s, n);
            n = n->next;
            continue;
        }
        if (n == s->node->body->body)
            glsl_error(st->c, n->loc, "statement before the first label of a switch");
        struct ast_node *last = n;
        while (last->next && last->next->kind != AST_CASE)
            last = last->next;
        struct ast_node *rest = last->next;
        last->next = NULL;
        struct hir_if *branch = emit_if(st, hir_deref_var(st->sh, s->running));
        st->list = &branch->then_list;
        ast_statements(st, n);
        st->list = outer;
        hoist_declarations(&branch->then_list, before);
        last->next = rest;
        n = rest;
    }
}

void ast_switch(struct ast_state *st, struct ast_node *n)
{
    struct switch_state s = {.st = st, .node = n};
    struct hir_value *test = ast_expr_value(st, n->expr);
    if (!value_is_error(test) &&
        (!glsl_type_is_scalar(test->type) ||
         (test->type->base_type != GLSL_TYPE_INT && test->type->base_type != GLSL_TYPE_UINT))) {
        glsl_error(st->c, n->loc, "a switch expression must be a scalar integer");
        test = error_value(st);
    }
    if (value_is_error(test))
        test = &hir_const_int(st->sh, 0)->base;
    s.test = make_temporary(st, test->type, "switch");
    emit_assign(st, hir_deref_var(st->sh, s.test), test);
    s.running = make_temporary(st, glsl_bool_type(), "running");
    emit_assign(st, hir_deref_var(st->sh, s.running), &hir_const_bool(st->sh, false)->base);

    struct ast_loop loop = {.is_switch = true};
    loop.continue_flag = make_temporary(st, glsl_bool_type(), "continues");
    emit_assign(st, hir_deref_var(st->sh, loop.continue_flag),
                &hir_const_bool(st->sh, false)->base);
    struct hir_loop *hl = emit_loop(st, n->loc);
    struct list_head *outer = st->list;
    enter_loop(st, &loop, n->loc);
    st->list = &hl->body;
    scope_push(st);
    st->control_depth++;
    collect_labels(&s);
    switch_body(&s, &hl->node);
    st->control_depth--;
    scope_pop(st);
    emit_jump(st, HIR_JUMP_BREAK, n->loc);
    st->list = outer;
    st->loop = loop.outer;

    struct ast_loop *around = st->loop;
    if (!around)
        return;
    struct hir_if *branch = emit_if(st, hir_deref_var(st->sh, loop.continue_flag));
    st->list = &branch->then_list;
    emit_jump(st, around->is_switch ? HIR_JUMP_BREAK : HIR_JUMP_CONTINUE, n->loc);
    st->list = outer;
}
