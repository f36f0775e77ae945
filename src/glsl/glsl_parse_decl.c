/* SPDX-License-Identifier: MIT */
/* Qualifiers, types and declarations, GLSL 4.60 §4, §6.1, §9. */
#include "glsl/glsl_parser.h"

/* ---------------------------------------------------------------------------- qualifiers --- */

/* Before GLSL 4.20 and ESSL 3.10 qualifiers had to stand in this order. */
enum rank {
    RANK_INVARIANT,
    RANK_INTERPOLATION,
    RANK_AUXILIARY,
    RANK_STORAGE,
    RANK_PRECISION,
    RANK_ANY
};

static const struct qualifier_word {
    uint8_t token, rank, precision;
    uint32_t flags;
} qualifier_words[] = {
    {TOK_INVARIANT, RANK_INVARIANT, 0, AST_INVARIANT},
    {TOK_PRECISE, RANK_INVARIANT, 0, AST_PRECISE},
    {TOK_SMOOTH, RANK_INTERPOLATION, 0, AST_SMOOTH},
    {TOK_FLAT, RANK_INTERPOLATION, 0, AST_FLAT},
    {TOK_NOPERSPECTIVE, RANK_INTERPOLATION, 0, AST_NOPERSPECTIVE},
    {TOK_CENTROID, RANK_AUXILIARY, 0, AST_CENTROID},
    {TOK_SAMPLE, RANK_AUXILIARY, 0, AST_SAMPLE},
    {TOK_PATCH, RANK_AUXILIARY, 0, AST_PATCH},
    {TOK_CONST, RANK_AUXILIARY, 0, AST_CONST},
    {TOK_ATTRIBUTE, RANK_STORAGE, 0, AST_ATTRIBUTE},
    {TOK_VARYING, RANK_STORAGE, 0, AST_VARYING},
    {TOK_UNIFORM, RANK_STORAGE, 0, AST_UNIFORM},
    {TOK_BUFFER, RANK_STORAGE, 0, AST_BUFFER},
    {TOK_SHARED, RANK_STORAGE, 0, AST_SHARED},
    {TOK_IN, RANK_STORAGE, 0, AST_IN},
    {TOK_OUT, RANK_STORAGE, 0, AST_OUT},
    {TOK_INOUT, RANK_STORAGE, 0, AST_IN | AST_OUT},
    {TOK_SUBROUTINE, RANK_ANY, 0, AST_SUBROUTINE},
    {TOK_COHERENT, RANK_ANY, 0, AST_COHERENT},
    {TOK_VOLATILE, RANK_ANY, 0, AST_VOLATILE},
    {TOK_RESTRICT, RANK_ANY, 0, AST_RESTRICT},
    {TOK_READONLY, RANK_ANY, 0, AST_READONLY},
    {TOK_WRITEONLY, RANK_ANY, 0, AST_WRITEONLY},
    {TOK_LOWP, RANK_PRECISION, GLSL_PRECISION_LOW, 0},
    {TOK_MEDIUMP, RANK_PRECISION, GLSL_PRECISION_MEDIUM, 0},
    {TOK_HIGHP, RANK_PRECISION, GLSL_PRECISION_HIGH, 0},
};

static const struct qualifier_word *find_qualifier(enum glsl_token_kind kind)
{
    for (unsigned i = 0; i < ARRAY_SIZE(qualifier_words); i++)
        if (qualifier_words[i].token == kind)
            return &qualifier_words[i];
    return NULL;
}

static bool starts_qualifier(enum glsl_token_kind kind)
{
    return kind == TOK_LAYOUT || (kind > TOK_TYPE && find_qualifier(kind));
}

/* layout(a, b = 1). Any word may name one, even a keyword (`shared`). */
static void parse_layout(struct glsl_parser *p, struct ast_layout ***tail)
{
    parse_take(p);
    parse_expect(p, TOK_LPAREN, "'('");
    do {
        if (!parse_at(p, TOK_IDENT) && p->token->kind <= TOK_FIRST_KEYWORD)
            parse_fail(p, "a layout qualifier");
        const struct glsl_token *t = parse_take(p);
        struct ast_layout *l = glsl_alloc(p->c, sizeof *l);
        l->loc = t->loc;
        l->name = t->atom;
        if (parse_accept(p, TOK_ASSIGN))
            l->value = parse_conditional(p);
        **tail = l;
        *tail = &l->next;
    } while (parse_accept(p, TOK_COMMA));
    parse_expect(p, TOK_RPAREN, "')' or ','");
}

/* Subroutine types: subroutine(a, b). */
static void parse_subroutine_types(struct glsl_parser *p, struct ast_qualifier *q)
{
    unsigned capacity = q->num_subroutines;
    if (!parse_accept(p, TOK_LPAREN))
        return;
    do {
        glsl_grow(p->c, (void **)&q->subroutines, &capacity, q->num_subroutines,
                  sizeof *q->subroutines);
        const struct glsl_token *t = parse_expect(p, TOK_IDENT, "the name of a subroutine type");
        q->subroutines[q->num_subroutines++] = t->atom;
    } while (parse_accept(p, TOK_COMMA));
    parse_expect(p, TOK_RPAREN, "')'");
}

static void add_qualifier(struct glsl_parser *p, struct ast_qualifier *q,
                          const struct qualifier_word *word)
{
    struct glsl_compiler *c = p->c;
    struct glsl_loc loc = p->token->loc;
    /* Repetition is an error but for layout and memory qualifiers, GLSL 4.20 §4. */
    if ((q->flags & word->flags && !(word->flags & AST_MEMORY)) ||
        (word->precision && q->precision))
        glsl_error(c, loc, "duplicate or conflicting qualifier %s", glsl_token_text(c, p->token));
    uint32_t storage = q->flags & AST_STORAGE;
    if ((word->flags & AST_STORAGE) && storage &&
        !(storage == AST_CONST && word->flags == AST_IN) &&
        !(storage == AST_IN && word->flags == AST_CONST))
        glsl_error(c, loc, "more than one storage qualifier");
    if ((word->flags & AST_INTERPOLATION) && (q->flags & AST_INTERPOLATION))
        glsl_error(c, loc, "more than one interpolation qualifier");
    if ((word->flags & AST_AUXILIARY) && (q->flags & AST_AUXILIARY & ~word->flags))
        glsl_error(c, loc, "more than one auxiliary storage qualifier");
    q->flags |= word->flags;
    if (word->precision)
        q->precision = word->precision;
}

static struct ast_qualifier parse_qualifier(struct glsl_parser *p)
{
    struct ast_qualifier q = {.loc = p->token->loc};
    struct ast_layout **tail = &q.layout;
    struct glsl_compiler *c = p->c;
    bool ordered =
        !glsl_is_version(c, 420, 310) && !glsl_has_ext(c, GLSL_EXT_ARB_shading_language_420pack);
    unsigned last = 0;
    while (starts_qualifier(p->token->kind)) {
        if (parse_at(p, TOK_LAYOUT)) {
            if (ordered && last > RANK_AUXILIARY)
                glsl_error(c, p->token->loc,
                           "layout qualifiers must come before storage qualifiers");
            parse_layout(p, &tail);
            continue;
        }
        const struct qualifier_word *word = find_qualifier(p->token->kind);
        if (ordered && word->rank < last && word->rank != RANK_ANY)
            glsl_error(c, p->token->loc, "qualifier %s is out of order",
                       glsl_token_text(c, p->token));
        if (word->rank != RANK_ANY)
            last = MAX2(last, word->rank);
        add_qualifier(p, &q, word);
        parse_take(p);
        if (word->flags == AST_SUBROUTINE)
            parse_subroutine_types(p, &q);
    }
    return q;
}

/* --------------------------------------------------------------------------------- types --- */

struct ast_dims parse_dims(struct glsl_parser *p)
{
    struct ast_dims dims = {0};
    unsigned capacity = 0;
    while (parse_accept(p, TOK_LBRACKET)) {
        glsl_grow(p->c, (void **)&dims.size, &capacity, dims.count, sizeof *dims.size);
        dims.size[dims.count++] = parse_at(p, TOK_RBRACKET) ? NULL : parse_conditional(p);
        parse_expect(p, TOK_RBRACKET, "']'");
        if (dims.count > 8)
            glsl_fatal(p->c, p->token->loc, "too many array dimensions");
    }
    return dims;
}

static struct ast_declarator *parse_declarator(struct glsl_parser *p, bool with_init)
{
    struct ast_declarator *d = glsl_alloc(p->c, sizeof *d);
    const struct glsl_token *t = parse_expect(p, TOK_IDENT, "a name");
    d->loc = t->loc;
    d->name = t->atom;
    d->dims = parse_dims(p);
    if (with_init && parse_accept(p, TOK_ASSIGN))
        d->init = parse_initializer(p);
    return d;
}

static struct ast_declarator *parse_declarators(struct glsl_parser *p, bool with_init)
{
    struct ast_declarator *first = NULL, **tail = &first;
    do {
        *tail = parse_declarator(p, with_init);
        tail = &(*tail)->next;
    } while (parse_accept(p, TOK_COMMA));
    return first;
}

/* { members } */
static struct ast_member *parse_members(struct glsl_parser *p)
{
    struct ast_member *first = NULL, **tail = &first;
    parse_expect(p, TOK_LBRACE, "'{'");
    parse_enter(p);
    while (!parse_accept(p, TOK_RBRACE)) {
        struct ast_member *m = glsl_alloc(p->c, sizeof *m);
        m->qualifier = parse_qualifier(p);
        m->type = parse_type(p);
        m->declarators = parse_declarators(p, false);
        parse_expect(p, TOK_SEMICOLON, "';'");
        *tail = m;
        tail = &m->next;
    }
    parse_leave(p);
    return first;
}

static struct ast_struct *parse_struct(struct glsl_parser *p)
{
    struct ast_struct *s = glsl_alloc(p->c, sizeof *s);
    s->loc = parse_take(p)->loc;
    if (parse_at(p, TOK_IDENT))
        s->name = parse_take(p)->atom;
    s->members = parse_members(p);
    if (!s->members)
        glsl_error(p->c, s->loc, "a struct needs at least one member");
    return s;
}

struct ast_type *parse_type(struct glsl_parser *p)
{
    struct ast_type *type = glsl_alloc(p->c, sizeof *type);
    const struct glsl_token *t = p->token;
    type->loc = t->loc;
    switch (t->kind) {
    case TOK_TYPE:
        parse_take(p);
        type->builtin = glsl_type_by_name(t->atom->text);
        if (!type->builtin)
            glsl_fatal(p->c, t->loc, "type \"%s\" is not supported", t->atom->text);
        break;
    case TOK_UNSIGNED:
        parse_take(p);
        if (!parse_at(p, TOK_TYPE) || strcmp(p->token->atom->text, "int"))
            parse_fail(p, "int");
        parse_take(p);
        type->builtin = glsl_uint_type();
        break;
    case TOK_IDENT:
        parse_take(p);
        type->name = t->atom;
        break;
    case TOK_STRUCT:
        type->structure = parse_struct(p);
        break;
    default:
        parse_fail(p, "a type");
    }
    type->dims = parse_dims(p);
    return type;
}

/* The token after any […] that follow t. */
static const struct glsl_token *skip_brackets(const struct glsl_token *t)
{
    while (t->kind == TOK_LBRACKET) {
        unsigned depth = 0;
        do {
            depth += t->kind == TOK_LBRACKET;
            depth -= t->kind == TOK_RBRACKET;
            if (t->kind == TOK_EOF || t->kind == TOK_SEMICOLON)
                return t;
            t++;
        } while (depth);
    }
    return t;
}

bool parse_starts_declaration(const struct glsl_parser *p)
{
    switch (p->token->kind) {
    case TOK_TYPE:
        return skip_brackets(p->token + 1)->kind != TOK_LPAREN;
    case TOK_UNSIGNED:
        return p->token[1].kind == TOK_TYPE && skip_brackets(p->token + 2)->kind != TOK_LPAREN;
    case TOK_IDENT:
        return skip_brackets(p->token + 1)->kind == TOK_IDENT;
    case TOK_STRUCT:
    case TOK_PRECISION:
        return true;
    default:
        return starts_qualifier(p->token->kind);
    }
}

/* -------------------------------------------------------------------------- declarations --- */

static struct ast_param *parse_param(struct glsl_parser *p)
{
    struct ast_param *param = glsl_alloc(p->c, sizeof *param);
    param->loc = p->token->loc;
    param->qualifier = parse_qualifier(p);
    param->type = parse_type(p);
    if (parse_at(p, TOK_IDENT)) {
        param->loc = p->token->loc;
        param->name = parse_take(p)->atom;
    }
    param->dims = parse_dims(p);
    return param;
}

/* After the '('. */
static struct ast_param *parse_params(struct glsl_parser *p)
{
    struct ast_param *first = NULL, **tail = &first;
    if (parse_accept(p, TOK_RPAREN))
        return NULL;
    if (parse_at(p, TOK_TYPE) && p->token->length == 4 && !strcmp(p->token->atom->text, "void") &&
        p->token[1].kind == TOK_RPAREN) {
        parse_take(p);
        parse_take(p);
        return NULL;
    }
    do {
        *tail = parse_param(p);
        tail = &(*tail)->next;
    } while (parse_accept(p, TOK_COMMA));
    parse_expect(p, TOK_RPAREN, "')' or ','");
    return first;
}

static struct ast_node *parse_function(struct glsl_parser *p, struct ast_node *n, bool global)
{
    const struct glsl_token *t = parse_take(p);
    n->kind = AST_FUNCTION;
    n->loc = t->loc;
    n->name = t->atom;
    parse_take(p);
    n->params = parse_params(p);
    if (parse_at(p, TOK_LBRACE)) {
        if (!global)
            glsl_error(p->c, n->loc, "function definitions are not allowed inside functions");
        n->body = parse_block(p);
    } else {
        parse_expect(p, TOK_SEMICOLON, "';' or '{'");
    }
    return n;
}

static struct ast_node *parse_interface(struct glsl_parser *p, struct ast_node *n)
{
    n->kind = AST_INTERFACE;
    n->loc = p->token->loc;
    n->name = parse_take(p)->atom;
    n->members = parse_members(p);
    if (!n->members)
        glsl_error(p->c, n->loc, "an interface block needs at least one member");
    if (parse_at(p, TOK_IDENT))
        n->declarators = parse_declarator(p, false);
    parse_expect(p, TOK_SEMICOLON, "';'");
    return n;
}

static struct ast_node *parse_precision(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_PRECISION);
    parse_take(p);
    const struct qualifier_word *word = find_qualifier(p->token->kind);
    if (!word || !word->precision)
        parse_fail(p, "lowp, mediump or highp");
    parse_take(p);
    n->qualifier.precision = word->precision;
    n->type = parse_type(p);
    parse_expect(p, TOK_SEMICOLON, "';'");
    return n;
}

/* `invariant a, b;` */
static struct ast_node *parse_requalification(struct glsl_parser *p, struct ast_node *n)
{
    n->kind = AST_REQUALIFY;
    n->declarators = parse_declarators(p, false);
    parse_expect(p, TOK_SEMICOLON, "';'");
    return n;
}

struct ast_node *parse_declaration(struct glsl_parser *p, bool global)
{
    if (parse_at(p, TOK_PRECISION))
        return parse_precision(p);
    struct ast_node *n = parse_node(p, AST_VARIABLES);
    bool qualified = starts_qualifier(p->token->kind);
    n->qualifier = parse_qualifier(p);
    if (qualified && parse_accept(p, TOK_SEMICOLON)) {
        n->kind = AST_DEFAULT_QUALIFIER;
        return n;
    }
    if (qualified && parse_at(p, TOK_IDENT)) {
        enum glsl_token_kind next = p->token[1].kind;
        if (next == TOK_LBRACE)
            return parse_interface(p, n);
        if (next == TOK_SEMICOLON || next == TOK_COMMA)
            return parse_requalification(p, n);
    }
    n->type = parse_type(p);
    if (parse_at(p, TOK_IDENT) && p->token[1].kind == TOK_LPAREN)
        return parse_function(p, n, global);
    if (!parse_at(p, TOK_SEMICOLON))
        n->declarators = parse_declarators(p, true);
    parse_expect(p, TOK_SEMICOLON, "',' or ';'");
    return n;
}

struct ast_node *parse_condition_declaration(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_VARIABLES);
    n->qualifier = parse_qualifier(p);
    n->type = parse_type(p);
    n->declarators = parse_declarator(p, true);
    if (!n->declarators->init)
        parse_fail(p, "'=' and a value");
    return n;
}
