/* SPDX-License-Identifier: MIT */
/* Runs the preprocessor over a shader. */
#include "glsl/pp.h"

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

/* Names become keywords with what is enabled where they stand. */
static void classify(struct glsl_compiler *c, struct glsl_token *t)
{
    if (t->kind == TOK_IDENT)
        t->kind = glsl_keyword_kind(c, t->atom);
    else if (t->kind == TOK_OTHER || t->kind == TOK_HASH || t->kind == TOK_PASTE)
        glsl_error(c, t->loc, "unexpected character '%c' (0x%02x)",
                   *t->text >= ' ' && *t->text < 127 ? *t->text : '?', (unsigned char)*t->text);
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
            pp_append(&pp, &tokens, t);
    } while (t.kind != TOK_EOF);
    pp_check_conditions(&pp);
    c->pp = NULL;
    if (out && out->length)
        strbuf_append_char(out, '\n');
    c->tokens = tokens.data;
    c->num_tokens = tokens.count;
}
