/* SPDX-License-Identifier: MIT */
/*
 * #include of GL_ARB_shading_language_include: named strings that the API stores in a tree
 * (Appendix A of the extension). An included string is scanned in place of the directive. Included
 * strings are numbered from GLSL_INCLUDE_SOURCE on.
 */
#include <talloc.h>

#include "glsl/pp.h"

#define PP_MAX_INCLUDES      64   /* maximum nesting */
#define PP_MAX_INCLUDED      1000 /* maximum in total */
#define PP_MAX_INCLUDED_TEXT (16u << 20)

struct pp_include {
    struct pp_include *outer;
    struct pp saved; /* reading position in the including text */
    struct pp_condition *outer_conditions;
    /* Location of the included string; relative paths are also searched there. */
    const char *directory;
};

/* Returns whether a character may occur in a path: those of the language except quotes, angle
 * brackets and white space other than blanks. */
static bool path_character(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           (ch && strchr("_.+-/*%[](){}^|&~=!:;,? #", ch));
}

bool glsl_path_is_valid(const char *path, size_t length)
{
    if (length == 0 || path[length - 1] == '/')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!path_character(path[i]) || (i && path[i] == '/' && path[i - 1] == '/'))
            return false;
    return true;
}

char *glsl_path_locate(void *mem_ctx, const char *base, const char *path, size_t length)
{
    if (!glsl_path_is_valid(path, length))
        return NULL;
    size_t base_length = path[0] == '/' ? 0 : strlen(base);
    char *out = talloc_size(mem_ctx, base_length + length + 2);
    size_t n = base_length;
    if (!out)
        return NULL;
    memcpy(out, base, base_length);
    if (n && out[n - 1] == '/')
        n--;
    for (size_t i = 0; i < length;) {
        size_t token = 0;
        i += path[i] == '/';
        while (i + token < length && path[i + token] != '/')
            token++;
        if (token == 2 && path[i] == '.' && path[i + 1] == '.') {
            while (n && out[--n] != '/')
                ;
        } else if (token != 1 || path[i] != '.') {
            out[n++] = '/';
            memcpy(out + n, path + i, token);
            n += token;
        }
        i += token;
    }
    if (n == 0)
        out[n++] = '/';
    out[n] = '\0';
    return out;
}

bool glsl_path_is_below(const char *location, const char *path)
{
    size_t n = strlen(location);
    if (strncmp(path, location, n))
        return false;
    return n && location[n - 1] == '/' ? path[n] != '\0' : path[n] == '/';
}

/* ------------------------------------------------------------------------------- searching --- */

struct search {
    struct pp *pp;
    struct glsl_loc loc;
    const char *path;
    size_t path_length;
    char *location; /* location of the string that was found */
    const char *text;
    size_t length;
};

/* Searches below `base`. Returns true if the search is over, with text set or an error reported. */
static bool search_at(struct search *s, const char *base)
{
    struct glsl_compiler *c = s->pp->c;
    s->location = glsl_path_locate(c->mem_ctx, base, s->path, s->path_length);
    if (!s->location)
        glsl_no_memory(c);
    const struct glsl_includes *in = c->includes;
    switch (in ? in->find(in->data, s->location, &s->text, &s->length) : GLSL_INCLUDE_NOT_FOUND) {
    case GLSL_INCLUDE_FOUND:
        return true;
    case GLSL_INCLUDE_NO_STRING:
        s->text = NULL;
        glsl_error(c, s->loc, "\"%s\" is only a prefix of named strings and cannot be included",
                   s->location);
        return true;
    default:
        s->text = NULL;
        return false;
    }
}

static bool search(struct search *s, bool quoted)
{
    struct glsl_compiler *c = s->pp->c;
    bool done = false;
    if (s->path[0] == '/') {
        done = search_at(s, "/");
    } else {
        if (quoted && s->pp->include)
            done = search_at(s, s->pp->include->directory);
        for (unsigned i = 0; !done && c->includes && i < c->includes->num_search; i++)
            done = search_at(s, c->includes->search[i]);
    }
    if (!done)
        glsl_error(c, s->loc, "cannot include \"%.*s\": no such named string",
                   (int)MIN2(s->path_length, 200), s->path);
    return s->text != NULL;
}

/* ------------------------------------------------------------------------------- including --- */

/* Copies the fields of struct pp that pp_lex uses. */
static void copy_position(struct pp *to, const struct pp *from)
{
    to->text = from->text;
    to->length = from->length;
    to->position = from->position;
    to->scanner = from->scanner;
    to->at_end = from->at_end;
    to->splices = from->splices;
    to->num_splices = from->num_splices;
    to->next_splice = from->next_splice;
    to->line_start = from->line_start;
    to->text_line = from->text_line;
    to->line = from->line;
    to->source = from->source;
    to->line_begins = from->line_begins;
}

static void enter(struct search *s)
{
    struct pp *pp = s->pp;
    struct glsl_compiler *c = pp->c;
    unsigned depth = 0;
    for (const struct pp_include *i = pp->include; i; i = i->outer)
        depth++;
    pp->included_text += s->length;
    if (depth >= PP_MAX_INCLUDES || pp->num_included >= PP_MAX_INCLUDED ||
        pp->included_text > PP_MAX_INCLUDED_TEXT)
        glsl_fatal(c, s->loc, "too many included strings");
    struct pp_include *include = glsl_alloc(c, sizeof *include);
    include->outer = pp->include;
    include->outer_conditions = pp->outer_conditions;
    copy_position(&include->saved, pp);
    char *slash = strrchr(s->location, '/');
    include->directory = glsl_arena_strndup(c, s->location, slash - s->location);
    pp->include = include;
    pp->outer_conditions = pp->conditions;
    copy_position(pp, &(struct pp){0});
    pp_lex_init(pp, s->text, s->length);
    pp->source = GLSL_INCLUDE_SOURCE + pp->num_included++;
    glsl_grow(c, (void **)&c->included, &c->included_capacity, c->num_included,
              sizeof *c->included);
    c->included[c->num_included++] = (struct glsl_included){
        glsl_arena_strndup(c, s->location, strlen(s->location)), s->text, s->length, false};
    pp->text_line = 0;
}

/* Skips white space and comments; returns NULL if a comment does not end on this line. */
static const char *skip_space(const char *p, const char *end)
{
    while (p < end) {
        if (*p && strchr(" \t\v\f", *p)) {
            p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
            return end;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            p = memmem(p + 2, end - p - 2, "*/", 2);
            if (!p)
                return NULL;
            p += 2;
        } else {
            break;
        }
    }
    return p;
}

void pp_include(struct pp *pp, const char *line, size_t length, struct glsl_loc loc)
{
    const char *end = line + length, *start = skip_space(line, end);
    char open = start && start < end ? *start : 0, close = open == '<' ? '>' : '"';
    const char *last = open ? memchr(start + 1, close, end - start - 1) : NULL;
    const char *rest = last ? skip_space(last + 1, end) : NULL;
    if ((open != '<' && open != '"') || rest != end) {
        glsl_error(pp->c, loc,
                   "#include requires a path in quotes or angle brackets and nothing else");
        return;
    }
    struct search s = {.pp = pp, .loc = loc, .path = start + 1, .path_length = last - start - 1};
    if (!glsl_path_is_valid(s.path, s.path_length)) {
        glsl_error(pp->c, loc, "malformed path in #include");
        return;
    }
    if (search(&s, open == '"'))
        enter(&s);
}

bool pp_leave_include(struct pp *pp)
{
    struct pp_include *include = pp->include;
    if (!include)
        return false;
    pp_check_conditions(pp);
    pp->outer_conditions = include->outer_conditions;
    copy_position(pp, &include->saved);
    pp->include = include->outer;
    return true;
}
