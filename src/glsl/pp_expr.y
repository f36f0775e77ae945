/* SPDX-License-Identifier: MIT */
/*
 * Constant expressions of directives (GLSL 4.60 §3.3). The parser gets the tokens of one line after
 * macro expansion and evaluates during reduction. In an operand that && or || does not evaluate,
 * only syntax errors are reported.
 */
%code requires {
#include "glsl/pp.h"

struct pp_evaluator {
    struct pp *pp;
    const struct glsl_token *tokens;
    unsigned position, count;
    int start; /* selects the start symbol; returned before all other tokens */
    unsigned dead; /* > 0: in an operand that is not evaluated */
    struct glsl_loc end; /* end of the directive */
    int64_t value[2];
    unsigned num_values;
};
}
%define api.pure full
%define api.prefix {pp_expr_}
%define api.token.prefix {EXPR_}
%define api.value.type {struct pp_expr_value}
%define api.location.type {struct glsl_loc}
%define parse.error custom
%locations
%param {struct pp_evaluator *e}
%code requires {
struct pp_expr_value {
    int64_t number;
    struct glsl_atom *name;
};
}
%code {
/* bison counts errors in a variable that it does not read. */
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

#define YYINITDEPTH 64
#define YYMAXDEPTH  1000
#define YYSTACK_ALLOC(size) glsl_alloc(e->pp->c, size)
#define YYLLOC_DEFAULT(current, rhs, n) ((current) = YYRHSLOC(rhs, (n) ? 1 : 0))

static int pp_expr_lex(struct pp_expr_value *value, struct glsl_loc *loc, struct pp_evaluator *e);
static void pp_expr_error(struct glsl_loc *loc, struct pp_evaluator *e, const char *text);
static bool undefined(struct pp_evaluator *e, struct glsl_loc loc);
static bool divide(struct pp_evaluator *e, struct glsl_loc loc, bool rest, struct pp_expr_value a,
                   struct pp_expr_value b, struct pp_expr_value *result);
}

%token IF_START LINE_START
%token NUMBER "a number" NAME "a name" DEFINED "defined" OTHER

%left OROR
%left ANDAND
%left '|'
%left '^'
%left '&'
%left EQUAL NEQUAL
%left '<' '>' LEQUAL GEQUAL
%left LSHIFT RSHIFT
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%%

start:
    IF_START expr           { e->value[0] = $2.number; e->num_values = 1; }
|   LINE_START expr         { e->value[0] = $2.number; e->num_values = 1; }
|   LINE_START expr source  { e->value[0] = $2.number; e->value[1] = $3.number; e->num_values = 2; }
;

primary:
    NUMBER
|   NAME                    { if (undefined(e, @1)) YYABORT; $$.number = 0; }
|   "defined" NAME          { $$.number = $2.name->macro != NULL; }
|   "defined" '(' NAME ')'  { $$.number = $3.name->macro != NULL; }
|   '(' expr ')'            { $$ = $2; }
;

expr:
    primary
|   '+' expr %prec UNARY    { $$ = $2; }
|   '-' expr %prec UNARY    { $$.number = (int64_t)(0 - (uint64_t)$2.number); }
|   '~' expr %prec UNARY    { $$.number = ~$2.number; }
|   '!' expr %prec UNARY    { $$.number = !$2.number; }
|   expr '*' expr           { $$.number = (int64_t)((uint64_t)$1.number * (uint64_t)$3.number); }
|   expr '/' expr           { if (!divide(e, @2, false, $1, $3, &$$)) YYABORT; }
|   expr '%' expr           { if (!divide(e, @2, true, $1, $3, &$$)) YYABORT; }
|   expr '+' expr           { $$.number = (int64_t)((uint64_t)$1.number + (uint64_t)$3.number); }
|   expr '-' expr           { $$.number = (int64_t)((uint64_t)$1.number - (uint64_t)$3.number); }
|   expr LSHIFT expr        { $$.number = (int64_t)((uint64_t)$1.number << ($3.number & 63)); }
|   expr RSHIFT expr        { $$.number = $1.number >> ($3.number & 63); }
|   expr '<' expr           { $$.number = $1.number < $3.number; }
|   expr '>' expr           { $$.number = $1.number > $3.number; }
|   expr LEQUAL expr        { $$.number = $1.number <= $3.number; }
|   expr GEQUAL expr        { $$.number = $1.number >= $3.number; }
|   expr EQUAL expr         { $$.number = $1.number == $3.number; }
|   expr NEQUAL expr        { $$.number = $1.number != $3.number; }
|   expr '&' expr           { $$.number = $1.number & $3.number; }
|   expr '^' expr           { $$.number = $1.number ^ $3.number; }
|   expr '|' expr           { $$.number = $1.number | $3.number; }
|   expr ANDAND             { e->dead += !$1.number; }
    expr                    { e->dead -= !$1.number; $$.number = $1.number && $4.number; }
|   expr OROR               { e->dead += $1.number != 0; }
    expr                    { e->dead -= $1.number != 0; $$.number = $1.number || $4.number; }
;

/* The second expression of #line. It must not begin with an operator, because #line 2 + 2 has only
 * one expression. */
source:
    primary
|   source '*' expr         { $$.number = (int64_t)((uint64_t)$1.number * (uint64_t)$3.number); }
|   source '/' expr         { if (!divide(e, @2, false, $1, $3, &$$)) YYABORT; }
|   source '%' expr         { if (!divide(e, @2, true, $1, $3, &$$)) YYABORT; }
|   source '+' expr         { $$.number = (int64_t)((uint64_t)$1.number + (uint64_t)$3.number); }
|   source '-' expr         { $$.number = (int64_t)((uint64_t)$1.number - (uint64_t)$3.number); }
|   source LSHIFT expr      { $$.number = (int64_t)((uint64_t)$1.number << ($3.number & 63)); }
|   source RSHIFT expr      { $$.number = $1.number >> ($3.number & 63); }
|   source '<' expr         { $$.number = $1.number < $3.number; }
|   source '>' expr         { $$.number = $1.number > $3.number; }
|   source LEQUAL expr      { $$.number = $1.number <= $3.number; }
|   source GEQUAL expr      { $$.number = $1.number >= $3.number; }
|   source EQUAL expr       { $$.number = $1.number == $3.number; }
|   source NEQUAL expr      { $$.number = $1.number != $3.number; }
|   source '&' expr         { $$.number = $1.number & $3.number; }
|   source '^' expr         { $$.number = $1.number ^ $3.number; }
|   source '|' expr         { $$.number = $1.number | $3.number; }
|   source ANDAND           { e->dead += !$1.number; }
    expr                    { e->dead -= !$1.number; $$.number = $1.number && $4.number; }
|   source OROR             { e->dead += $1.number != 0; }
    expr                    { e->dead -= $1.number != 0; $$.number = $1.number || $4.number; }
;

%%

/* Parses a number. Returns false after an error. */
static bool number_value(struct pp_evaluator *e, const struct glsl_token *t, int64_t *value)
{
    uint64_t sum = 0;
    unsigned base = 10, i = 0;
    const char *error = NULL;
    if (t->length > 1 && t->text[0] == '0') {
        base = (t->text[1] | 32) == 'x' ? 16 : 8;
        i = base == 16 ? 2 : 1;
        if (base == 16 && t->length == 2)
            error = "malformed number";
    }
    for (; i < t->length && !error; i++) {
        char ch = t->text[i];
        unsigned digit = ch >= '0' && ch <= '9'                 ? ch - '0'
                         : (ch | 32) >= 'a' && (ch | 32) <= 'f' ? (ch | 32) - 'a' + 10
                                                                : 99;
        if (digit >= base) {
            if (i + 1 == t->length && (ch | 32) == 'u')
                break;
            error = "numbers in directives must be integers";
        }
        sum = sum * base + digit;
    }
    if (error)
        glsl_error(e->pp->c, t->loc, "%s", error);
    *value = sum;
    return !error;
}

static const uint8_t punctuators[TOK_FIRST_KEYWORD] = {
    [TOK_LPAREN] = '(', [TOK_RPAREN] = ')', [TOK_PLUS] = '+',      [TOK_MINUS] = '-',
    [TOK_STAR] = '*',   [TOK_SLASH] = '/',  [TOK_PERCENT] = '%',   [TOK_BANG] = '!',
    [TOK_TILDE] = '~',  [TOK_LESS] = '<',   [TOK_GREATER] = '>',   [TOK_AMPERSAND] = '&',
    [TOK_BAR] = '|',    [TOK_CARET] = '^',
};

static int word_token(glsl_token_kind kind)
{
    switch (kind) {
    case TOK_ANDAND:
        return EXPR_ANDAND;
    case TOK_OROR:
        return EXPR_OROR;
    case TOK_EQUAL:
        return EXPR_EQUAL;
    case TOK_NEQUAL:
        return EXPR_NEQUAL;
    case TOK_LEQUAL:
        return EXPR_LEQUAL;
    case TOK_GEQUAL:
        return EXPR_GEQUAL;
    case TOK_LSHIFT:
        return EXPR_LSHIFT;
    case TOK_RSHIFT:
        return EXPR_RSHIFT;
    default:
        return EXPR_OTHER;
    }
}

static int pp_expr_lex(struct pp_expr_value *value, struct glsl_loc *loc, struct pp_evaluator *e)
{
    *loc = e->end;
    if (e->start) {
        int start = e->start;
        e->start = 0;
        return start;
    }
    if (e->position == e->count)
        return 0;
    const struct glsl_token *t = &e->tokens[e->position++];
    *loc = t->loc;
    if (t->kind == TOK_NUMBER)
        return number_value(e, t, &value->number) ? EXPR_NUMBER : EXPR_PP_EXPR_error;
    if (t->kind == TOK_IDENT) {
        value->name = t->atom;
        return strcmp(t->atom->text, "defined") ? EXPR_NAME : EXPR_DEFINED;
    }
    return t->kind < TOK_FIRST_KEYWORD && punctuators[t->kind] ? punctuators[t->kind]
                                                               : word_token(t->kind);
}

/* Called only when the parser stack is full. */
static void pp_expr_error(struct glsl_loc *loc, struct pp_evaluator *e, const char *text)
{
    glsl_error(e->pp->c, *loc, "expression is nested too deeply");
}

/* Returns whether a parenthesis is open and could be closed now. */
static bool expects_paren(const yypcontext_t *context)
{
    yysymbol_kind_t expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
    for (int i = 0; i < count; i++)
        if (!strcmp(yysymbol_name(expected[i]), "')'"))
            return true;
    return false;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct pp_evaluator *e)
{
    struct glsl_loc loc = *yypcontext_location(context);
    const struct glsl_token *t = e->position ? &e->tokens[e->position - 1] : NULL;
    const char *expected = expects_paren(context) ? ", expected ')'" : "";
    if (yypcontext_token(context) == YYSYMBOL_YYEOF || !t)
        glsl_error(e->pp->c, loc, "unexpected end of the expression%s", expected);
    else
        glsl_error(e->pp->c, loc, "unexpected %s in the expression%s",
                   glsl_token_text(e->pp->c, t), expected);
    return 0;
}

/* Handles a name that is not a macro: an error in ESSL 1.00 §3.4, 0 in desktop GLSL. Returns true
 * after an error. */
static bool undefined(struct pp_evaluator *e, struct glsl_loc loc)
{
    if (!e->pp->c->es || e->dead)
        return false;
    glsl_error(e->pp->c, loc, "undefined macro in an expression");
    return true;
}

static bool divide(struct pp_evaluator *e, struct glsl_loc loc, bool rest, struct pp_expr_value a,
                   struct pp_expr_value b, struct pp_expr_value *result)
{
    result->number = 0;
    if (b.number == 0) {
        if (!e->dead)
            glsl_error(e->pp->c, loc, "division by zero");
        return e->dead > 0;
    }
    if (b.number == -1)
        result->number = rest ? 0 : (int64_t)(0 - (uint64_t)a.number);
    else
        result->number = rest ? a.number % b.number : a.number / b.number;
    return true;
}

static bool evaluate(struct pp_evaluator *e, struct pp *pp, const struct glsl_token *tokens,
                     unsigned count, struct glsl_loc loc)
{
    e->pp = pp;
    e->tokens = tokens;
    e->count = count;
    e->end = loc;
    return pp_expr_parse(e) == 0;
}

bool pp_evaluate(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                 struct glsl_loc loc, int64_t *value)
{
    struct pp_evaluator e = {.start = EXPR_IF_START};
    if (!evaluate(&e, pp, tokens, count, loc))
        return false;
    *value = e.value[0];
    return true;
}

bool pp_evaluate_line(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                      struct glsl_loc loc, int64_t *number, int64_t *source)
{
    struct pp_evaluator e = {.start = EXPR_LINE_START};
    if (!evaluate(&e, pp, tokens, count, loc))
        return false;
    *number = e.value[0];
    if (e.num_values == 2)
        *source = e.value[1];
    return true;
}
