/* SPDX-License-Identifier: MIT */
/* Prints the syntax tree for `indium-compile --dump-ast` and debuggers: one line per statement,
 * expressions in prefix form. */
#include "glsl/ast.h"

#include <inttypes.h>

struct printer {
    struct strbuf *out;
    unsigned indent;
};

static void line(struct printer *p)
{
    strbuf_append_char(p->out, '\n');
    for (unsigned i = 0; i < p->indent; i++)
        strbuf_append(p->out, "  ");
}

static void print_expr(struct printer *p, const struct ast_expr *e);
static void print_type(struct printer *p, const struct ast_type *type);
static void print_members(struct printer *p, const struct ast_member *m);

/* ----------------------------------------------------------------------------- expressions --- */

static const char *const operators[] = {
    [AST_POST_INC] = "post++", [AST_POST_DEC] = "post--", [AST_PRE_INC] = "++",
    [AST_PRE_DEC] = "--",      [AST_PLUS] = "+",          [AST_NEG] = "-",
    [AST_NOT] = "!",           [AST_BIT_NOT] = "~",       [AST_MUL] = "*",
    [AST_DIV] = "/",           [AST_MOD] = "%",           [AST_ADD] = "+",
    [AST_SUB] = "-",           [AST_SHL] = "<<",          [AST_SHR] = ">>",
    [AST_LESS] = "<",          [AST_GREATER] = ">",       [AST_LEQUAL] = "<=",
    [AST_GEQUAL] = ">=",       [AST_EQUAL] = "==",        [AST_NEQUAL] = "!=",
    [AST_BIT_AND] = "&",       [AST_BIT_XOR] = "^",       [AST_BIT_OR] = "|",
    [AST_AND] = "&&",          [AST_XOR] = "^^",          [AST_OR] = "||",
    [AST_CONDITIONAL] = "?:",  [AST_ASSIGN] = "=",        [AST_SEQUENCE] = ",",
    [AST_AGGREGATE] = "{}",    [AST_CALL] = "call",       [AST_CONSTRUCTOR] = "construct",
    [AST_METHOD] = "method",   [AST_FIELD] = ".",         [AST_INDEX] = "[]",
};

/* Prints e if it is a leaf, and returns whether it is. */
static bool print_leaf(struct printer *p, const struct ast_expr *e)
{
    switch (e->op) {
    case AST_IDENT:
        strbuf_append(p->out, e->name->text);
        return true;
    case AST_INT:
        strbuf_printf(p->out, "%" PRId32, e->value.i32);
        return true;
    case AST_UINT:
        strbuf_printf(p->out, "%" PRIu32 "u", e->value.u32);
        return true;
    case AST_INT64:
        strbuf_printf(p->out, "%" PRId64 "l", e->value.i64);
        return true;
    case AST_UINT64:
        strbuf_printf(p->out, "%" PRIu64 "ul", e->value.u64);
        return true;
    case AST_FLOAT:
        strbuf_printf(p->out, "%.9gf", e->value.f32);
        return true;
    case AST_FLOAT16:
        strbuf_printf(p->out, "%.9ghf", e->value.f32);
        return true;
    case AST_DOUBLE:
        strbuf_printf(p->out, "%.17glf", e->value.f64);
        return true;
    case AST_BOOL:
        strbuf_append(p->out, e->value.b ? "true" : "false");
        return true;
    default:
        return false;
    }
}

static void print_operand(struct printer *p, const struct ast_expr *e)
{
    if (!e)
        return;
    strbuf_append_char(p->out, ' ');
    print_expr(p, e);
}

static void print_expr(struct printer *p, const struct ast_expr *e)
{
    if (print_leaf(p, e))
        return;
    bool compound = e->op == AST_ASSIGN && e->binary != AST_ASSIGN;
    strbuf_printf(p->out, "(%s%s", compound ? operators[e->binary] : "", operators[e->op]);
    if (e->op == AST_CONSTRUCTOR) {
        strbuf_append_char(p->out, ' ');
        print_type(p, e->type);
    }
    print_operand(p, e->a);
    print_operand(p, e->b);
    print_operand(p, e->c);
    if (e->op == AST_FIELD || e->op == AST_METHOD)
        strbuf_printf(p->out, " %s", e->name->text);
    for (unsigned i = 0; i < e->num_args; i++)
        print_operand(p, e->args[i]);
    strbuf_append_char(p->out, ')');
}

/* ------------------------------------------------------------------- qualifiers and types --- */

static const struct {
    uint32_t flag;
    const char *word;
} words[] = {
    {AST_INVARIANT, "invariant"},
    {AST_PRECISE, "precise"},
    {AST_SMOOTH, "smooth"},
    {AST_FLAT, "flat"},
    {AST_NOPERSPECTIVE, "noperspective"},
    {AST_PERVERTEX, "pervertexNV"},
    {AST_CENTROID, "centroid"},
    {AST_SAMPLE, "sample"},
    {AST_PATCH, "patch"},
    {AST_PERPRIMITIVE, "perprimitiveEXT"},
    {AST_CONST, "const"},
    {AST_ATTRIBUTE, "attribute"},
    {AST_VARYING, "varying"},
    {AST_UNIFORM, "uniform"},
    {AST_BUFFER, "buffer"},
    {AST_SHARED, "shared"},
    {AST_TASK_PAYLOAD, "taskPayloadSharedEXT"},
    {AST_IN, "in"},
    {AST_OUT, "out"},
    {AST_SUBROUTINE, "subroutine"},
    {AST_COHERENT, "coherent"},
    {AST_VOLATILE, "volatile"},
    {AST_RESTRICT, "restrict"},
    {AST_READONLY, "readonly"},
    {AST_WRITEONLY, "writeonly"},
};

static void print_layout(struct printer *p, const struct ast_layout *l)
{
    strbuf_append(p->out, "layout(");
    for (; l; l = l->next) {
        strbuf_append(p->out, l->name->text);
        if (l->value) {
            strbuf_append(p->out, " = ");
            print_expr(p, l->value);
        }
        strbuf_append(p->out, l->next ? ", " : ") ");
    }
}

/* Prints each qualifier followed by a space. */
static void print_qualifier(struct printer *p, const struct ast_qualifier *q)
{
    static const char *const precisions[] = {
        [GLSL_PRECISION_NONE] = "",
        [GLSL_PRECISION_LOW] = "lowp ",
        [GLSL_PRECISION_MEDIUM] = "mediump ",
        [GLSL_PRECISION_HIGH] = "highp ",
    };
    if (q->layout)
        print_layout(p, q->layout);
    for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
        if (!(q->flags & words[i].flag))
            continue;
        strbuf_append(p->out, words[i].word);
        for (unsigned k = 0; words[i].flag == AST_SUBROUTINE && k < q->num_subroutines; k++)
            strbuf_printf(p->out, "%c%s%s", k ? ' ' : '(', q->subroutines[k]->text,
                          k + 1 == q->num_subroutines ? ")" : ",");
        strbuf_append_char(p->out, ' ');
    }
    strbuf_append(p->out, precisions[q->precision]);
}

static void print_dims(struct printer *p, const struct ast_dims *dims)
{
    for (unsigned i = 0; i < dims->count; i++) {
        strbuf_append_char(p->out, '[');
        if (dims->size[i])
            print_expr(p, dims->size[i]);
        strbuf_append_char(p->out, ']');
    }
}

static void print_type(struct printer *p, const struct ast_type *type)
{
    if (type->structure) {
        const struct ast_struct *s = type->structure;
        strbuf_printf(p->out, "struct%s%s", s->name ? " " : "", s->name ? s->name->text : "");
        print_members(p, s->members);
    } else {
        strbuf_append(p->out, type->builtin ? type->builtin->name : type->name->text);
    }
    print_dims(p, &type->dims);
}

static void print_declarators(struct printer *p, const struct ast_declarator *d)
{
    for (; d; d = d->next) {
        strbuf_printf(p->out, " %s", d->name->text);
        print_dims(p, &d->dims);
        if (d->init) {
            strbuf_append(p->out, " = ");
            print_expr(p, d->init);
        }
        if (d->next)
            strbuf_append_char(p->out, ',');
    }
}

static void print_members(struct printer *p, const struct ast_member *m)
{
    strbuf_append(p->out, " {");
    p->indent++;
    for (; m; m = m->next) {
        line(p);
        print_qualifier(p, &m->qualifier);
        print_type(p, m->type);
        print_declarators(p, m->declarators);
    }
    p->indent--;
    line(p);
    strbuf_append_char(p->out, '}');
}

/* ------------------------------------------------------------------------------ statements --- */

static void print_node(struct printer *p, const struct ast_node *n);

static void print_nodes(struct printer *p, const struct ast_node *n)
{
    p->indent++;
    for (; n; n = n->next) {
        line(p);
        print_node(p, n);
    }
    p->indent--;
}

static void print_function(struct printer *p, const struct ast_node *n)
{
    strbuf_append(p->out, "function ");
    print_qualifier(p, &n->qualifier);
    print_type(p, n->type);
    strbuf_printf(p->out, " %s(", n->name->text);
    for (const struct ast_param *a = n->params; a; a = a->next) {
        print_qualifier(p, &a->qualifier);
        print_type(p, a->type);
        strbuf_printf(p->out, "%s%s", a->name ? " " : "", a->name ? a->name->text : "");
        print_dims(p, &a->dims);
        strbuf_append(p->out, a->next ? ", " : "");
    }
    strbuf_append_char(p->out, ')');
    if (n->body)
        print_nodes(p, n->body->body);
}

/* Prints a statement: its keyword, its expressions and its bodies. */
static void print_control(struct printer *p, const struct ast_node *n, const char *word)
{
    strbuf_append(p->out, word);
    print_operand(p, n->expr);
    if (n->init) {
        strbuf_append(p->out, " init ");
        print_node(p, n->init);
    }
    if (n->condition) {
        strbuf_append(p->out, " while ");
        print_node(p, n->condition);
    }
    if (n->body)
        print_nodes(p, n->body);
    if (n->else_body) {
        line(p);
        strbuf_append(p->out, "else");
        print_nodes(p, n->else_body);
    }
}

static void print_declaration(struct printer *p, const struct ast_node *n, const char *word)
{
    strbuf_printf(p->out, "%s ", word);
    print_qualifier(p, &n->qualifier);
    if (n->type)
        print_type(p, n->type);
    if (n->name)
        strbuf_append(p->out, n->name->text);
    if (n->members)
        print_members(p, n->members);
    print_declarators(p, n->declarators);
}

static void print_node(struct printer *p, const struct ast_node *n)
{
    static const char *const control[] = {
        [AST_BLOCK] = "block",   [AST_IF] = "if",           [AST_FOR] = "for",
        [AST_WHILE] = "while",   [AST_DO] = "do",           [AST_SWITCH] = "switch",
        [AST_CASE] = "case",     [AST_BREAK] = "break",     [AST_CONTINUE] = "continue",
        [AST_RETURN] = "return", [AST_DISCARD] = "discard", [AST_DEMOTE] = "demote",
    };
    switch ((enum ast_kind)n->kind) {
    case AST_EXPRESSION:
        if (n->expr)
            print_expr(p, n->expr);
        else
            strbuf_append(p->out, "nothing");
        break;
    case AST_VARIABLES:
        print_declaration(p, n, "declare");
        break;
    case AST_FUNCTION:
        print_function(p, n);
        break;
    case AST_PRECISION:
        print_declaration(p, n, "precision");
        break;
    case AST_REQUALIFY:
        print_declaration(p, n, "qualify");
        break;
    case AST_INTERFACE:
        print_declaration(p, n, "interface");
        break;
    case AST_DEFAULT_QUALIFIER:
        print_declaration(p, n, "default");
        break;
    default:
        print_control(p, n, n->kind == AST_CASE && !n->expr ? "default" : control[n->kind]);
    }
}

void ast_print(const struct ast_node *shader, struct strbuf *out)
{
    struct printer p = {.out = out};
    for (; shader; shader = shader->next) {
        print_node(&p, shader);
        strbuf_append_char(out, '\n');
    }
}
