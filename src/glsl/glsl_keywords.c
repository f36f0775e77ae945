/* SPDX-License-Identifier: MIT */
/* Classifies words according to the language version and the enabled extensions. */
#include <stdlib.h>

#include "glsl/glsl_compiler.h"

#include "glsl_keyword_table.h"

struct word {
    const char *text;
    size_t length;
};

static int compare(const void *key, const void *row)
{
    const struct word *w = key;
    const char *text = ((const struct keyword *)row)->word;
    int order = strncmp(w->text, text, w->length);
    return order ? order : text[w->length] ? -1 : 0;
}

unsigned glsl_keyword_row(const char *text, size_t length)
{
    if (text[0] < 'a')
        return 0; /* all keywords start with a lowercase letter */
    struct word w = {text, length};
    const struct keyword *k =
        bsearch(&w, keywords, ARRAY_SIZE(keywords), sizeof keywords[0], compare);
    return k ? k - keywords + 1 : 0;
}

static glsl_token_kind kind_of(const struct glsl_compiler *c, const struct keyword *k,
                               const bitset_word *extensions)
{
    if (glsl_is_version(c, k->gl, k->es))
        return k->token;
    for (unsigned i = 0; k->ext[i]; i++)
        if (bitset_test(extensions, k->ext[i] - 1))
            return k->token;
    return glsl_is_version(c, k->gl_reserved, k->es_reserved) ? TOK_RESERVED : TOK_IDENT;
}

glsl_token_kind glsl_keyword_kind_with(const struct glsl_compiler *c, const struct glsl_atom *atom,
                                       const bitset_word *extensions)
{
    return atom->keyword ? kind_of(c, &keywords[atom->keyword - 1], extensions) : TOK_IDENT;
}

glsl_token_kind glsl_keyword_kind(const struct glsl_compiler *c, const struct glsl_atom *atom)
{
    return glsl_keyword_kind_with(c, atom, c->ext_enabled);
}

void glsl_suggest_types(const struct glsl_compiler *c, struct glsl_suggestion *s)
{
    for (unsigned i = 0; i < ARRAY_SIZE(keywords); i++)
        if (kind_of(c, &keywords[i], c->ext_enabled) == TOK_TYPE)
            glsl_suggest(s, keywords[i].word);
}
