/* SPDX-License-Identifier: MIT */
/* Expressions and literals, GLSL 4.60 §4.1, §5.1. */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

#include "glsl/glsl_parser.h"

void parse_fail(struct glsl_parser *p, const char *expected)
{
    const struct glsl_token *t = p->token;
    const char *kind = t->kind == TOK_RESERVED ? "reserved word " : "";
    glsl_fatal(p->c, t->loc, "syntax error, unexpected %s%s, expected %s", kind,
               glsl_token_text(p->c, t), expected);
}

const struct glsl_token *parse_expect(struct glsl_parser *p, enum glsl_token_kind kind,
                                      const char *what)
{
    if (!parse_at(p, kind))
        parse_fail(p, what);
    return parse_take(p);
}

void parse_enter(struct glsl_parser *p)
{
    if (++p->depth > GLSL_MAX_DEPTH)
        glsl_fatal(p->c, p->token->loc, "the shader is nested too deeply here");
}

static unsigned depth_of(const struct ast_expr *e)
{
    return e ? e->depth : 0;
}

static struct ast_expr *make(struct glsl_parser *p, enum ast_op op, struct glsl_loc loc,
                             struct ast_expr *a, struct ast_expr *b, struct ast_expr *c)
{
    struct ast_expr *e = glsl_alloc(p->c, sizeof *e);
    e->op = op;
    e->loc = loc;
    e->a = a;
    e->b = b;
    e->c = c;
    unsigned depth = 1 + MAX2(MAX2(depth_of(a), depth_of(b)), depth_of(c));
    if (depth > GLSL_MAX_DEPTH)
        glsl_fatal(p->c, loc, "the expression is nested too deeply");
    e->depth = depth;
    return e;
}

struct arg_list {
    struct ast_expr **data;
    unsigned count, capacity;
};

static void add_arg(struct glsl_parser *p, struct arg_list *list, struct ast_expr *arg)
{
    glsl_grow(p->c, (void **)&list->data, &list->capacity, list->count, sizeof *list->data);
    list->data[list->count++] = arg;
}

static void set_args(struct glsl_parser *p, struct ast_expr *e, const struct arg_list *list)
{
    e->args = list->data;
    e->num_args = list->count;
    for (unsigned i = 0; i < list->count; i++)
        e->depth = MAX2(e->depth, list->data[i]->depth + 1);
    if (e->depth > GLSL_MAX_DEPTH)
        glsl_fatal(p->c, e->loc, "the expression is nested too deeply");
}

/* ------------------------------------------------------------------------------ literals --- */

static bool integer_value(const char *text, unsigned length, uint64_t *value)
{
    unsigned base = 10, i = 0;
    *value = 0;
    if (length > 1 && text[0] == '0') {
        base = (text[1] | 32) == 'x' ? 16 : 8;
        i = base == 16 ? 2 : 1;
    }
    if (i == length)
        return false;
    for (; i < length; i++) {
        char ch = text[i], lower = ch | 32;
        unsigned digit = ch >= '0' && ch <= '9'         ? ch - '0'
                         : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                        : 99;
        if (digit >= base)
            return false;
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

static struct ast_expr *integer_literal(struct glsl_parser *p, const struct glsl_token *t,
                                        const char *text)
{
    struct glsl_compiler *c = p->c;
    unsigned length = t->length;
    bool is_unsigned = length > 1 && (text[length - 1] | 32) == 'u';
    uint64_t value;
    if (is_unsigned) {
        length--;
        if (!glsl_is_version(c, 130, 300) && !glsl_has_ext(c, GLSL_EXT_EXT_gpu_shader4))
            glsl_error(c, t->loc, "unsigned literals need GLSL 1.30 or GLSL ES 3.00");
    }
    if (!integer_value(text, length, &value))
        glsl_fatal(c, t->loc, "malformed number \"%.100s\"", text);
    if (value > UINT32_MAX) {
        if (glsl_is_version(c, 130, 300))
            glsl_error(c, t->loc, "literal value does not fit in 32 bits");
        else
            glsl_warning(c, t->loc, "literal value does not fit in 32 bits");
    }
    struct ast_expr *e = make(p, is_unsigned ? AST_UINT : AST_INT, t->loc, NULL, NULL, NULL);
    e->value.u32 = value;
    return e;
}

static struct ast_expr *float_literal(struct glsl_parser *p, const struct glsl_token *t, char *text)
{
    struct glsl_compiler *c = p->c;
    unsigned length = t->length;
    bool is_double = false;
    if (length > 2 &&
        (!memcmp(text + length - 2, "lf", 2) || !memcmp(text + length - 2, "LF", 2))) {
        is_double = true;
        length -= 2;
        if (!glsl_is_version(c, 400, 0) && !glsl_has_ext(c, GLSL_EXT_ARB_gpu_shader_fp64))
            glsl_error(c, t->loc, "double literals need GLSL 4.00");
    } else if ((text[length - 1] | 32) == 'f') {
        length--;
    }
    text[length] = '\0';
    /* The characters are digits, '.', 'e' and signs only, so nothing but a decimal number passes.
     */
    if (strspn(text, "0123456789.eE+-") != length)
        glsl_fatal(c, t->loc, "malformed number \"%.100s\"", text);
    char *end;
    struct ast_expr *e = make(p, is_double ? AST_DOUBLE : AST_FLOAT, t->loc, NULL, NULL, NULL);
    if (is_double)
        e->value.f64 = strtod_l(text, &end, c->c_locale);
    else
        e->value.f32 = strtof_l(text, &end, c->c_locale);
    if (*end)
        glsl_fatal(c, t->loc, "malformed number \"%.100s\"", text);
    return e;
}

static struct ast_expr *number(struct glsl_parser *p)
{
    const struct glsl_token *t = parse_take(p);
    if (t->length > 1000)
        glsl_fatal(p->c, t->loc, "number with too many digits");
    char *text = glsl_arena_strndup(p->c, t->text, t->length);
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    bool decimal = strpbrk(text, ".eE") || (text[t->length - 1] | 32) == 'f';
    return !hex && decimal ? float_literal(p, t, text) : integer_literal(p, t, text);
}

/* -------------------------------------------------------------------------- primary, postfix ---
 */

static void parse_args(struct glsl_parser *p, struct ast_expr *call)
{
    struct arg_list list = {0};
    if (parse_at(p, TOK_TYPE) && p->token->length == 4 && !strcmp(p->token->atom->text, "void") &&
        p->token[1].kind == TOK_RPAREN) {
        parse_take(p); /* f(void) */
    } else if (!parse_at(p, TOK_RPAREN)) {
        do {
            add_arg(p, &list, parse_assignment(p));
        } while (parse_accept(p, TOK_COMMA));
    }
    parse_expect(p, TOK_RPAREN, "')' or ','");
    set_args(p, call, &list);
}

static struct ast_expr *primary(struct glsl_parser *p)
{
    const struct glsl_token *t = p->token;
    struct ast_expr *e;
    switch (t->kind) {
    case TOK_IDENT:
        parse_take(p);
        e = make(p, AST_IDENT, t->loc, NULL, NULL, NULL);
        e->name = t->atom;
        return e;
    case TOK_NUMBER:
        return number(p);
    case TOK_TRUE:
    case TOK_FALSE:
        parse_take(p);
        e = make(p, AST_BOOL, t->loc, NULL, NULL, NULL);
        e->value.b = t->kind == TOK_TRUE;
        return e;
    case TOK_LPAREN:
        parse_take(p);
        e = parse_expression(p);
        parse_expect(p, TOK_RPAREN, "')'");
        return e;
    case TOK_TYPE:
    case TOK_UNSIGNED: {
        struct ast_type *type = parse_type(p);
        parse_expect(p, TOK_LPAREN, "'(' of a constructor");
        e = make(p, AST_CONSTRUCTOR, t->loc, NULL, NULL, NULL);
        e->type = type;
        parse_args(p, e);
        return e;
    }
    default:
        parse_fail(p, "an expression");
    }
}

/* After the dot. */
static struct ast_expr *field_or_method(struct glsl_parser *p, struct ast_expr *a)
{
    if (!parse_at(p, TOK_IDENT))
        parse_fail(p, "the name of a field");
    const struct glsl_token *t = parse_take(p);
    struct ast_expr *e =
        make(p, parse_accept(p, TOK_LPAREN) ? AST_METHOD : AST_FIELD, t->loc, a, NULL, NULL);
    e->name = t->atom;
    if (e->op == AST_METHOD)
        parse_args(p, e);
    return e;
}

static struct ast_expr *postfix(struct glsl_parser *p)
{
    struct ast_expr *e = primary(p);
    for (;;) {
        const struct glsl_token *t = p->token;
        if (parse_accept(p, TOK_LBRACKET)) {
            struct ast_expr *index = parse_at(p, TOK_RBRACKET) ? NULL : parse_expression(p);
            parse_expect(p, TOK_RBRACKET, "']'");
            e = make(p, AST_INDEX, t->loc, e, index, NULL);
        } else if (parse_accept(p, TOK_DOT)) {
            e = field_or_method(p, e);
        } else if (parse_accept(p, TOK_INC)) {
            e = make(p, AST_POST_INC, t->loc, e, NULL, NULL);
        } else if (parse_accept(p, TOK_DEC)) {
            e = make(p, AST_POST_DEC, t->loc, e, NULL, NULL);
        } else if (parse_at(p, TOK_LPAREN) && (e->op == AST_IDENT || e->op == AST_INDEX)) {
            parse_take(p);
            e = make(p, AST_CALL, e->loc, e, NULL, NULL);
            parse_args(p, e);
        } else {
            return e;
        }
    }
}

/* ----------------------------------------------------------------------------- operators --- */

static struct ast_expr *unary(struct glsl_parser *p)
{
    enum ast_op op;
    switch (p->token->kind) {
    case TOK_INC:
        op = AST_PRE_INC;
        break;
    case TOK_DEC:
        op = AST_PRE_DEC;
        break;
    case TOK_PLUS:
        op = AST_PLUS;
        break;
    case TOK_MINUS:
        op = AST_NEG;
        break;
    case TOK_BANG:
        op = AST_NOT;
        break;
    case TOK_TILDE:
        op = AST_BIT_NOT;
        break;
    default:
        return postfix(p);
    }
    struct glsl_loc loc = parse_take(p)->loc;
    parse_enter(p);
    struct ast_expr *a = unary(p);
    parse_leave(p);
    return make(p, op, loc, a, NULL, NULL);
}

/* GLSL 4.60 §5.1; higher binds tighter, 0: no binary operator. */
static const struct {
    uint8_t precedence, op;
} binary_ops[TOK_FIRST_KEYWORD] = {
    [TOK_STAR] = {11, AST_MUL},       [TOK_SLASH] = {11, AST_DIV},
    [TOK_PERCENT] = {11, AST_MOD},    [TOK_PLUS] = {10, AST_ADD},
    [TOK_MINUS] = {10, AST_SUB},      [TOK_LSHIFT] = {9, AST_SHL},
    [TOK_RSHIFT] = {9, AST_SHR},      [TOK_LESS] = {8, AST_LESS},
    [TOK_GREATER] = {8, AST_GREATER}, [TOK_LEQUAL] = {8, AST_LEQUAL},
    [TOK_GEQUAL] = {8, AST_GEQUAL},   [TOK_EQUAL] = {7, AST_EQUAL},
    [TOK_NEQUAL] = {7, AST_NEQUAL},   [TOK_AMPERSAND] = {6, AST_BIT_AND},
    [TOK_CARET] = {5, AST_BIT_XOR},   [TOK_BAR] = {4, AST_BIT_OR},
    [TOK_ANDAND] = {3, AST_AND},      [TOK_XORXOR] = {2, AST_XOR},
    [TOK_OROR] = {1, AST_OR},
};

/* Operators that bind tighter than least. */
static struct ast_expr *binary(struct glsl_parser *p, unsigned least)
{
    struct ast_expr *a = unary(p);
    for (;;) {
        const struct glsl_token *t = p->token;
        unsigned level = t->kind < TOK_FIRST_KEYWORD ? binary_ops[t->kind].precedence : 0;
        if (level <= least)
            return a;
        parse_take(p);
        a = make(p, binary_ops[t->kind].op, t->loc, a, binary(p, level), NULL);
    }
}

struct ast_expr *parse_conditional(struct glsl_parser *p)
{
    parse_enter(p);
    struct ast_expr *a = binary(p, 0);
    const struct glsl_token *t = p->token;
    if (parse_accept(p, TOK_QUESTION)) {
        struct ast_expr *b = parse_expression(p);
        parse_expect(p, TOK_COLON, "':'");
        a = make(p, AST_CONDITIONAL, t->loc, a, b, parse_assignment(p));
    }
    parse_leave(p);
    return a;
}

static const uint8_t assign_ops[TOK_FIRST_KEYWORD] = {
    [TOK_ASSIGN] = AST_ASSIGN,      [TOK_ADD_ASSIGN] = AST_ADD,   [TOK_SUB_ASSIGN] = AST_SUB,
    [TOK_MUL_ASSIGN] = AST_MUL,     [TOK_DIV_ASSIGN] = AST_DIV,   [TOK_MOD_ASSIGN] = AST_MOD,
    [TOK_SHL_ASSIGN] = AST_SHL,     [TOK_SHR_ASSIGN] = AST_SHR,   [TOK_AND_ASSIGN] = AST_BIT_AND,
    [TOK_XOR_ASSIGN] = AST_BIT_XOR, [TOK_OR_ASSIGN] = AST_BIT_OR,
};

struct ast_expr *parse_assignment(struct glsl_parser *p)
{
    parse_enter(p);
    struct ast_expr *a = parse_conditional(p);
    const struct glsl_token *t = p->token;
    if (t->kind < TOK_FIRST_KEYWORD && assign_ops[t->kind]) {
        parse_take(p);
        a = make(p, AST_ASSIGN, t->loc, a, parse_assignment(p), NULL);
        a->binary = assign_ops[t->kind];
    }
    parse_leave(p);
    return a;
}

struct ast_expr *parse_expression(struct glsl_parser *p)
{
    struct ast_expr *first = parse_assignment(p);
    if (!parse_at(p, TOK_COMMA))
        return first;
    struct ast_expr *e = make(p, AST_SEQUENCE, p->token->loc, NULL, NULL, NULL);
    struct arg_list list = {0};
    add_arg(p, &list, first);
    while (parse_accept(p, TOK_COMMA))
        add_arg(p, &list, parse_assignment(p));
    set_args(p, e, &list);
    return e;
}

struct ast_expr *parse_initializer(struct glsl_parser *p)
{
    if (!parse_at(p, TOK_LBRACE))
        return parse_assignment(p);
    parse_enter(p);
    struct ast_expr *e = make(p, AST_AGGREGATE, parse_take(p)->loc, NULL, NULL, NULL);
    struct arg_list list = {0};
    do {
        if (parse_at(p, TOK_RBRACE) && list.count)
            break;
        add_arg(p, &list, parse_initializer(p));
    } while (parse_accept(p, TOK_COMMA));
    parse_expect(p, TOK_RBRACE, "'}' or ','");
    set_args(p, e, &list);
    parse_leave(p);
    return e;
}
