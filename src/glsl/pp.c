/* SPDX-License-Identifier: MIT */
/* Runs the preprocessor over a shader. */
#include "glsl/pp.h"

#include <talloc.h>

#define LARGE_TEXT (64u << 10) /* bytes */

static void print_token(struct pp *pp, const struct glsl_token *t)
{
    if (t->loc.line != pp->out_line) {
        if (pp->out_line)
            strbuf_append_char(pp->out, '\n');
        pp->out_line = t->loc.line;
    } else if (t->flags & TOKEN_SPACE_BEFORE) {
        strbuf_append_char(pp->out, ' ');
    }
    if (t->kind == TOK_IDENT)
        strbuf_append(pp->out, t->atom->text);
    else
        strbuf_append_n(pp->out, t->text, t->length);
}

struct classified {
    struct glsl_compiler *c;
    const struct glsl_token *token;
};

static bool is_keyword_with(void *data, const bitset_word *extensions)
{
    const struct classified *d = data;
    return glsl_keyword_kind_with(d->c, d->token->atom, extensions) == d->token->kind;
}

/* Classifies a name as a keyword, according to what is enabled at this point. */
static void classify(struct glsl_compiler *c, struct glsl_token *t)
{
    if (t->kind == TOK_IDENT) {
        t->kind = glsl_keyword_kind(c, t->atom);
        if (c->warns && t->kind != TOK_IDENT)
            glsl_warn_use(c, t->loc, t->atom->text, is_keyword_with, &(struct classified){c, t});
    } else if (t->kind == TOK_OTHER || t->kind == TOK_HASH || t->kind == TOK_PASTE) {
        glsl_error(c, t->loc, "unexpected character '%c' (0x%02x)",
                   *t->text >= ' ' && *t->text < 127 ? *t->text : '?', (unsigned char)*t->text);
    }
}

/* Appends a token to the result, the only array that may be large. For a large text, the array is
 * not in the arena, so that its old memory can be freed when it grows. */
static void keep_token(struct pp *pp, struct pp_tokens *list, const struct glsl_token *t)
{
    struct glsl_compiler *c = pp->c;
    if (list->count == list->capacity && c->length > LARGE_TEXT) {
        size_t n = list->capacity ? (size_t)list->capacity * 2 : 256;
        struct glsl_token *data = talloc_realloc(c->mem_ctx, list->data, struct glsl_token, n);
        if (!data)
            glsl_no_memory(c);
        list->data = data;
        list->capacity = n;
    }
    pp_append(pp, list, *t);
}

void glsl_pp_run(struct glsl_compiler *c, struct strbuf *out)
{
    struct pp pp = {.c = c, .version_allowed = true, .out = out};
    struct pp_tokens tokens = {0};
    glsl_start_line_run(c, 0, 0, 1);
    pp_lex_init(&pp, c->text, c->length);
    struct glsl_token t;
    do {
        t = pp_next(&pp);
        if (out && t.kind != TOK_EOF)
            print_token(&pp, &t);
        classify(c, &t);
        if (t.kind != TOK_OTHER && t.kind != TOK_HASH && t.kind != TOK_PASTE)
            keep_token(&pp, &tokens, &t);
    } while (t.kind != TOK_EOF);
    pp_check_conditions(&pp);
    c->pp = NULL;
    if (out && out->length)
        strbuf_append_char(out, '\n');
    c->tokens = tokens.data;
}
