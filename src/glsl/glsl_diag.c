/* SPDX-License-Identifier: MIT */
/* Messages: "0:12(7): error: …", the source line and a caret below the column; suggestions for
 * unknown names. */
#include "glsl/glsl_compiler.h"

#include <strings.h>

#define MAX_SHOWN_LINE 200 /* maximum bytes of a source line in a message */
/* Maximum size of the log in bytes to which warnings are still added. */
#define MAX_WARNINGS (64u << 10)

void glsl_start_line_run(struct glsl_compiler *c, uint32_t text_line, uint32_t source,
                         uint32_t line)
{
    glsl_grow(c, (void **)&c->runs, &c->runs_capacity, c->num_runs, sizeof *c->runs);
    c->runs[c->num_runs++] =
        (struct glsl_line_run){.source = source, .first_line = line, .first_text_line = text_line};
}

static void index_lines(struct glsl_compiler *c)
{
    unsigned capacity = 0;
    glsl_grow(c, (void **)&c->line_offsets, &capacity, 0, sizeof *c->line_offsets);
    c->line_offsets[0] = 0;
    c->num_lines = 1;
    for (size_t i = 0; i < c->length; i++) {
        char ch = c->text[i];
        if (ch != '\n' && ch != '\r')
            continue;
        if (i + 1 < c->length && (ch ^ c->text[i + 1]) == ('\r' ^ '\n'))
            i++;
        glsl_grow(c, (void **)&c->line_offsets, &capacity, c->num_lines, sizeof *c->line_offsets);
        c->line_offsets[c->num_lines++] = i + 1;
    }
}

/* Returns the line in the text for a location, or -1. */
static int64_t find_text_line(const struct glsl_compiler *c, struct glsl_loc loc)
{
    for (unsigned i = c->num_runs; i-- > 0;) {
        const struct glsl_line_run *run = &c->runs[i];
        if (run->source != loc.source || loc.line < run->first_line)
            continue;
        uint32_t end = i + 1 < c->num_runs ? c->runs[i + 1].first_text_line : c->num_lines;
        uint32_t line = run->first_text_line + (loc.line - run->first_line);
        if (line < end)
            return line;
    }
    return -1;
}

struct glsl_included *glsl_included_of(const struct glsl_compiler *c, uint32_t source)
{
    return source - GLSL_INCLUDE_SOURCE < c->num_included
               ? &c->included[source - GLSL_INCLUDE_SOURCE]
               : NULL;
}

/* Returns the start of a line of an included string, or the string's length if it has no such
 * line. */
static size_t find_included_line(const struct glsl_included *s, uint32_t line)
{
    size_t at = 0;
    for (uint32_t n = 1; n < line && at < s->length; n++) {
        while (at < s->length && s->text[at] != '\n' && s->text[at] != '\r')
            at++;
        bool two = at + 1 < s->length && (s->text[at] ^ s->text[at + 1]) == ('\r' ^ '\n');
        at = MIN2(at + (two ? 2 : 1), s->length);
    }
    return at;
}

/* Prints the line of a text that begins at `start`, with a caret below the column. */
static void show_text(struct glsl_compiler *c, const char *text, size_t length, size_t start,
                      uint32_t column)
{
    size_t end = start;
    while (end < length && text[end] != '\n' && text[end] != '\r')
        end++;
    if (column - 1 > end - start || column > MAX_SHOWN_LINE)
        return;
    end = MIN2(end, start + MAX_SHOWN_LINE);
    for (size_t i = start; i < end; i++)
        strbuf_append_char(&c->log, text[i] ? text[i] : ' ');
    strbuf_append_char(&c->log, '\n');
    for (size_t i = start; i < start + column - 1; i++)
        strbuf_append_char(&c->log, text[i] == '\t' ? '\t' : ' ');
    strbuf_append(&c->log, "^\n");
}

static void show_line(struct glsl_compiler *c, struct glsl_loc loc)
{
    const struct glsl_included *s = glsl_included_of(c, loc.source);
    if (loc.column == 0)
        return;
    if (s) {
        size_t start = find_included_line(s, loc.line);
        if (start < s->length && !s->renumbered)
            show_text(c, s->text, s->length, start, loc.column);
        return;
    }
    if (!c->line_offsets)
        index_lines(c);
    int64_t line = find_text_line(c, loc);
    if (line >= 0)
        show_text(c, c->text, c->length, c->line_offsets[line], loc.column);
}

static void message(struct glsl_compiler *c, struct glsl_loc loc, const char *kind,
                    const char *format, va_list args)
{
    const struct glsl_included *s = glsl_included_of(c, loc.source);
    if (s)
        strbuf_printf(&c->log, "%s:%u(%u): %s: ", s->location, loc.line, loc.column, kind);
    else
        strbuf_printf(&c->log, "%u:%u(%u): %s: ", loc.source, loc.line, loc.column, kind);
    strbuf_vprintf(&c->log, format, args);
    strbuf_append_char(&c->log, '\n');
    show_line(c, loc);
}

void glsl_error(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(c, loc, "error", format, args);
    va_end(args);
    if (++c->num_errors >= GLSL_MAX_ERRORS) {
        strbuf_append(&c->log, "too many errors\n");
        longjmp(c->fatal, 1);
    }
}

void glsl_warning(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
{
    if (c->log.length > MAX_WARNINGS)
        return;
    va_list args;
    va_start(args, format);
    message(c, loc, "warning", format, args);
    va_end(args);
}

void glsl_fatal(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(c, loc, "error", format, args);
    va_end(args);
    c->num_errors++;
    longjmp(c->fatal, 1);
}

void glsl_no_memory(struct glsl_compiler *c)
{
    strbuf_append(&c->log, "0:0(0): error: out of memory\n");
    c->num_errors++;
    longjmp(c->fatal, 1);
}

/* ------------------------------------------------------------------- extensions with `warn` --- */

void glsl_warn_use(struct glsl_compiler *c, struct glsl_loc loc, const char *what,
                   bool (*has)(void *data, const bitset_word *extensions), void *data)
{
    BITSET_DECLARE(set, GLSL_EXT_COUNT);
    if (c->log.length > MAX_WARNINGS)
        return;
    for (unsigned i = 0; i < ARRAY_SIZE(set); i++)
        set[i] = c->ext_enabled[i] & ~c->ext_warn[i];
    if (has(data, set))
        return;
    bitset_foreach_set (i, c->ext_warn, GLSL_EXT_COUNT) {
        bitset_set(set, i);
        if (has(data, set)) {
            glsl_warning(c, loc, "\"%s\" is only available with extension %s", what,
                         glsl_extension_table[i].name);
            return;
        }
        bitset_clear(set, i);
    }
}

/* ------------------------------------------------------------------------------ suggestions --- */

#define MAX_SUGGESTED 40   /* maximum length of a name */
#define MAX_COMPARED  2000 /* maximum number of names considered for one message */

/* Returns the optimal string alignment distance: the number of letters to change, delete, insert or
 * swap with their neighbor to turn a into b. Both have at most MAX_SUGGESTED letters. */
static unsigned distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
    uint8_t rows[3][MAX_SUGGESTED + 1];
    uint8_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= length_b; k++)
        row[k] = (uint8_t)k;
    for (size_t i = 1; i <= length_a; i++) {
        uint8_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
        row[0] = (uint8_t)i;
        for (size_t k = 1; k <= length_b; k++) {
            unsigned n = last[k - 1] + (a[i - 1] != b[k - 1]);
            n = MIN2(n, MIN2(last[k], row[k - 1]) + 1u);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                n = MIN2(n, before[k - 2] + 1u);
            row[k] = (uint8_t)n;
        }
    }
    return row[length_b];
}

void glsl_suggest(struct glsl_suggestion *s, const char *name)
{
    size_t length = strnlen(s->wrong, MAX_SUGGESTED + 1), n = strnlen(name, MAX_SUGGESTED + 1);
    unsigned most = length < 3 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3;
    if (length > MAX_SUGGESTED || n > length + most || n + most < length ||
        ++s->compared > MAX_COMPARED || n > MAX_SUGGESTED)
        return;
    unsigned d = strcasecmp(s->wrong, name) ? distance(s->wrong, length, name, n) : 0;
    if (d > most || (s->best && d >= s->distance))
        return;
    s->best = name;
    s->distance = d;
}

const char *glsl_suggestion_text(struct glsl_compiler *c, const struct glsl_suggestion *s)
{
    struct strbuf sb = STRBUF_INIT(c->mem_ctx);
    if (s->best)
        strbuf_printf(&sb, ", did you mean \"%s\"?", s->best);
    return strbuf_str(&sb);
}
