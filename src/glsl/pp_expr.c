/* SPDX-License-Identifier: MIT */
/* Constant expressions of directives: precedence climbing over expanded tokens. */
#include "glsl/pp.h"

struct evaluator {
    struct pp *pp;
    const struct glsl_token *tokens;
    unsigned position, count, depth;
    unsigned dead; /* > 0: in an operand that && or || does not evaluate */
    struct glsl_loc loc;
    bool failed;
};

static const struct glsl_token *current(const struct evaluator *e)
{
    return e->position < e->count ? &e->tokens[e->position] : NULL;
}

static int64_t fail_at(struct evaluator *e, const struct glsl_token *t, const char *text)
{
    if (!e->failed) {
        glsl_error(e->pp->c, t ? t->loc : e->loc, "%s", text);
    }
    e->failed = true;
    return 0;
}

static int64_t fail(struct evaluator *e, const char *text)
{
    return fail_at(e, current(e), text);
}

static int64_t number_value(struct evaluator *e, const struct glsl_token *t)
{
    uint64_t value = 0;
    unsigned base = 10, i = 0;
    if (t->length > 1 && t->text[0] == '0') {
        base = (t->text[1] | 32) == 'x' ? 16 : 8;
        i = base == 16 ? 2 : 1;
        if (base == 16 && t->length == 2)
            return fail(e, "malformed number");
    }
    for (; i < t->length; i++) {
        char ch = t->text[i];
        unsigned digit = ch >= '0' && ch <= '9'                 ? ch - '0'
                         : (ch | 32) >= 'a' && (ch | 32) <= 'f' ? (ch | 32) - 'a' + 10
                                                                : 99;
        if (digit >= base) {
            if (i + 1 == t->length && (ch | 32) == 'u')
                break;
            return fail(e, "numbers in directives must be integers");
        }
        value = value * base + digit;
    }
    return value;
}

static int64_t evaluate(struct evaluator *e, unsigned least);

static int64_t evaluate_defined(struct evaluator *e)
{
    bool paren = false;
    if (current(e) && current(e)->kind == TOK_LPAREN) {
        paren = true;
        e->position++;
    }
    if (!current(e) || current(e)->kind != TOK_IDENT)
        return fail(e, "expected a name after \"defined\"");
    int64_t value = e->tokens[e->position++].atom->macro != NULL;
    if (paren) {
        if (!current(e) || current(e)->kind != TOK_RPAREN)
            return fail(e, "expected ')' after \"defined\"");
        e->position++;
    }
    return value;
}

static int64_t evaluate_primary(struct evaluator *e)
{
    const struct glsl_token *t = current(e);
    if (!t)
        return fail(e, "unexpected end of the expression");
    if (++e->depth > PP_MAX_NESTING) {
        e->depth--;
        return fail(e, "expression nested too deeply");
    }
    int64_t value = 0;
    e->position++;
    switch (t->kind) {
    case TOK_NUMBER:
        e->position--;
        value = number_value(e, t);
        e->position++;
        break;
    case TOK_IDENT:
        if (!strcmp(t->atom->text, "defined")) {
            value = evaluate_defined(e);
        } else if (e->pp->c->es && !e->dead) {
            /* ESSL 1.00 §3.4: no default value. */
            e->position--;
            fail(e, "undefined macro in an expression");
        }
        break;
    case TOK_LPAREN:
        value = evaluate(e, 0);
        if (!e->failed && (!current(e) || current(e)->kind != TOK_RPAREN))
            fail(e, "expected ')'");
        e->position++;
        break;
    case TOK_PLUS:
        value = evaluate_primary(e);
        break;
    case TOK_MINUS:
        value = (int64_t) - (uint64_t)evaluate_primary(e);
        break;
    case TOK_TILDE:
        value = ~evaluate_primary(e);
        break;
    case TOK_BANG:
        value = !evaluate_primary(e);
        break;
    default:
        e->position--;
        fail(e, "unexpected token in the expression");
    }
    e->depth--;
    return value;
}

static unsigned precedence(enum glsl_token_kind kind)
{
    switch (kind) {
    case TOK_OROR:
        return 1;
    case TOK_ANDAND:
        return 2;
    case TOK_BAR:
        return 3;
    case TOK_CARET:
        return 4;
    case TOK_AMPERSAND:
        return 5;
    case TOK_EQUAL:
    case TOK_NEQUAL:
        return 6;
    case TOK_LESS:
    case TOK_GREATER:
    case TOK_LEQUAL:
    case TOK_GEQUAL:
        return 7;
    case TOK_LSHIFT:
    case TOK_RSHIFT:
        return 8;
    case TOK_PLUS:
    case TOK_MINUS:
        return 9;
    case TOK_STAR:
    case TOK_SLASH:
    case TOK_PERCENT:
        return 10;
    default:
        return 0;
    }
}

static int64_t divide(struct evaluator *e, const struct glsl_token *op, int64_t a, int64_t b)
{
    bool rest = op->kind == TOK_PERCENT;
    if (b == 0)
        return e->dead ? 0 : fail_at(e, op, "division by zero");
    if (b == -1)
        return rest ? 0 : (int64_t) - (uint64_t)a;
    return rest ? a % b : a / b;
}

static int64_t apply(struct evaluator *e, const struct glsl_token *op, int64_t a, int64_t b)
{
    switch (op->kind) {
    case TOK_OROR:
        return a || b;
    case TOK_ANDAND:
        return a && b;
    case TOK_BAR:
        return a | b;
    case TOK_CARET:
        return a ^ b;
    case TOK_AMPERSAND:
        return a & b;
    case TOK_EQUAL:
        return a == b;
    case TOK_NEQUAL:
        return a != b;
    case TOK_LESS:
        return a < b;
    case TOK_GREATER:
        return a > b;
    case TOK_LEQUAL:
        return a <= b;
    case TOK_GEQUAL:
        return a >= b;
    case TOK_LSHIFT:
        return (int64_t)((uint64_t)a << (b & 63));
    case TOK_RSHIFT:
        return a >> (b & 63);
    case TOK_PLUS:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case TOK_MINUS:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case TOK_STAR:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    default:
        return divide(e, op, a, b);
    }
}

/* Operators that bind tighter than least. */
static int64_t evaluate(struct evaluator *e, unsigned least)
{
    int64_t a = evaluate_primary(e);
    while (!e->failed && current(e)) {
        const struct glsl_token *op = current(e);
        unsigned p = precedence(op->kind);
        if (p == 0 || p <= least)
            break;
        e->position++;
        bool dead = (op->kind == TOK_OROR && a) || (op->kind == TOK_ANDAND && !a);
        e->dead += dead;
        int64_t b = evaluate(e, p);
        e->dead -= dead;
        a = e->failed ? 0 : apply(e, op, a, b);
    }
    return a;
}

bool pp_evaluate(struct pp *pp, const struct glsl_token *tokens, unsigned count, unsigned *position,
                 struct glsl_loc loc, int64_t *value)
{
    struct evaluator e = {
        .pp = pp, .tokens = tokens, .position = *position, .count = count, .loc = loc};
    *value = evaluate(&e, 0);
    *position = e.position;
    return !e.failed;
}
