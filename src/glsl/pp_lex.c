/* SPDX-License-Identifier: MIT */
/* Bytes → raw tokens. */
#include "glsl/pp.h"

#include <talloc.h>

static bool is_newline(char ch)
{
    return ch == '\n' || ch == '\r';
}

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

static bool is_name_start(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}

static bool is_name(char ch)
{
    return is_name_start(ch) || is_digit(ch);
}

/* Length of the newline at text[i]: 2 for a pair of CR and LF, GLSL 4.60 §3.2. */
static size_t newline_length(const char *text, size_t length, size_t i)
{
    return i + 1 < length && (text[i] ^ text[i + 1]) == ('\r' ^ '\n') ? 2 : 1;
}

void pp_lex_init(struct pp *pp, const char *text, size_t length)
{
    size_t n = 0;
    unsigned num_splices = 0;
    for (size_t i = 0; i + 1 < length; i++)
        num_splices += text[i] == '\\' && is_newline(text[i + 1]);
    char *copy = glsl_alloc(pp->c, length + 1);
    uint32_t *splices = glsl_alloc(pp->c, (num_splices + 1) * sizeof *splices);
    num_splices = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length && is_newline(text[i + 1])) {
            i += newline_length(text, length, i + 1);
            splices[num_splices++] = n;
        } else {
            copy[n++] = text[i];
        }
    }
    pp->text = copy;
    pp->length = n;
    pp->splices = splices;
    pp->num_splices = num_splices;
    pp->line = 1;
    pp->line_begins = true;
}

static char peek(const struct pp *pp, size_t ahead)
{
    return pp->position + ahead < pp->length ? pp->text[pp->position + ahead] : '\0';
}

static void start_line(struct pp *pp, size_t offset)
{
    pp->line_start = offset;
    pp->line++;
    pp->text_line++;
}

/* Counts the continued lines up to the position. */
static void pass_splices(struct pp *pp)
{
    while (pp->next_splice < pp->num_splices && pp->splices[pp->next_splice] <= pp->position)
        start_line(pp, pp->splices[pp->next_splice++]);
}

static struct glsl_loc here(struct pp *pp)
{
    pass_splices(pp);
    return (struct glsl_loc){pp->source, pp->line, pp->position - pp->line_start + 1};
}

static void skip_block_comment(struct pp *pp)
{
    struct glsl_loc loc = here(pp);
    pp->position += 2;
    for (;;) {
        if (pp->position >= pp->length) {
            glsl_error(pp->c, loc, "unterminated comment");
            return;
        }
        char ch = pp->text[pp->position];
        if (ch == '*' && peek(pp, 1) == '/') {
            pp->position += 2;
            return;
        }
        if (is_newline(ch)) {
            pass_splices(pp);
            pp->position += newline_length(pp->text, pp->length, pp->position);
            start_line(pp, pp->position);
        } else {
            pp->position++;
        }
    }
}

/* Skips white space but newlines, and comments. */
static bool skip_space(struct pp *pp)
{
    size_t start = pp->position;
    while (pp->position < pp->length) {
        char ch = pp->text[pp->position];
        if (ch == ' ' || ch == '\t' || ch == '\v' || ch == '\f') {
            pp->position++;
        } else if (ch == '/' && peek(pp, 1) == '/') {
            while (pp->position < pp->length && !is_newline(pp->text[pp->position]))
                pp->position++;
        } else if (ch == '/' && peek(pp, 1) == '*') {
            skip_block_comment(pp);
        } else {
            break;
        }
    }
    return pp->position != start;
}

/* Numbers as the preprocessor sees them; the parser finds out whether they make sense. */
static size_t number_length(const char *text, size_t length)
{
    bool hex = length > 1 && text[0] == '0' && (text[1] | 32) == 'x';
    size_t i = 0;
    while (i < length) {
        char ch = text[i];
        if (!is_name(ch) && ch != '.')
            break;
        i++;
        if (!hex && (ch | 32) == 'e' && i < length && (text[i] == '+' || text[i] == '-'))
            i++;
    }
    return i;
}

static const struct punctuator {
    char text[4];
    uint8_t kind;
} punctuators[] = {
    /* longest first */
    {"<<=", TOK_SHL_ASSIGN}, {">>=", TOK_SHR_ASSIGN}, {"##", TOK_PASTE},
    {"++", TOK_INC},         {"--", TOK_DEC},         {"<<", TOK_LSHIFT},
    {">>", TOK_RSHIFT},      {"<=", TOK_LEQUAL},      {">=", TOK_GEQUAL},
    {"==", TOK_EQUAL},       {"!=", TOK_NEQUAL},      {"&&", TOK_ANDAND},
    {"||", TOK_OROR},        {"^^", TOK_XORXOR},      {"+=", TOK_ADD_ASSIGN},
    {"-=", TOK_SUB_ASSIGN},  {"*=", TOK_MUL_ASSIGN},  {"/=", TOK_DIV_ASSIGN},
    {"%=", TOK_MOD_ASSIGN},  {"&=", TOK_AND_ASSIGN},  {"^=", TOK_XOR_ASSIGN},
    {"|=", TOK_OR_ASSIGN},   {"(", TOK_LPAREN},       {")", TOK_RPAREN},
    {"[", TOK_LBRACKET},     {"]", TOK_RBRACKET},     {"{", TOK_LBRACE},
    {"}", TOK_RBRACE},       {".", TOK_DOT},          {",", TOK_COMMA},
    {":", TOK_COLON},        {";", TOK_SEMICOLON},    {"?", TOK_QUESTION},
    {"#", TOK_HASH},         {"+", TOK_PLUS},         {"-", TOK_MINUS},
    {"*", TOK_STAR},         {"/", TOK_SLASH},        {"%", TOK_PERCENT},
    {"!", TOK_BANG},         {"~", TOK_TILDE},        {"<", TOK_LESS},
    {">", TOK_GREATER},      {"&", TOK_AMPERSAND},    {"|", TOK_BAR},
    {"^", TOK_CARET},        {"=", TOK_ASSIGN},
};

static const struct punctuator *match_punctuator(const char *text, size_t length)
{
    for (unsigned i = 0; i < ARRAY_SIZE(punctuators); i++) {
        size_t n = strlen(punctuators[i].text);
        if (n <= length && !memcmp(text, punctuators[i].text, n))
            return &punctuators[i];
    }
    return NULL;
}

/* Recognizes the token at text, which is neither white space nor a newline. */
static struct glsl_token recognize(struct pp *pp, const char *text, size_t length)
{
    struct glsl_token t = {.text = text};
    if (is_name_start(text[0])) {
        size_t n = 1;
        while (n < length && is_name(text[n]))
            n++;
        t.kind = TOK_IDENT;
        t.atom = glsl_atom_get(pp->c, text, n);
        t.length = n;
    } else if (is_digit(text[0]) || (text[0] == '.' && length > 1 && is_digit(text[1]))) {
        t.kind = TOK_NUMBER;
        t.length = number_length(text, length);
    } else {
        const struct punctuator *p = match_punctuator(text, length);
        t.kind = p ? p->kind : TOK_OTHER;
        t.length = p ? strlen(p->text) : 1;
    }
    return t;
}

struct glsl_token pp_lex(struct pp *pp)
{
    struct glsl_token t = {0};
    bool space = skip_space(pp);
    struct glsl_loc loc = here(pp);
    bool line_begins = pp->line_begins;
    if (pp->position >= pp->length) {
        t.kind = TOK_EOF;
        t.text = "";
    } else if (is_newline(pp->text[pp->position])) {
        t.kind = TOK_NEWLINE;
        t.text = "";
        pp->position += newline_length(pp->text, pp->length, pp->position);
        start_line(pp, pp->position);
        pp->line_begins = true;
    } else {
        t = recognize(pp, pp->text + pp->position, pp->length - pp->position);
        pp->position += t.length;
        pp->line_begins = false;
    }
    t.loc = loc;
    t.flags = (space ? TOKEN_SPACE_BEFORE : 0) | (line_begins ? TOKEN_LINE_START : 0);
    return t;
}

const char *pp_lex_rest_of_line(struct pp *pp, size_t *length)
{
    size_t start = pp->position;
    while (pp->position < pp->length && !is_newline(pp->text[pp->position]))
        pp->position++;
    size_t end = pp->position;
    while (start < end && (pp->text[start] == ' ' || pp->text[start] == '\t'))
        start++;
    while (end > start && (pp->text[end - 1] == ' ' || pp->text[end - 1] == '\t'))
        end--;
    *length = end - start;
    return pp->text + start;
}

bool pp_lex_string(struct pp *pp, const char *text, size_t length, struct glsl_token *token)
{
    if (length == 0 || text[0] == ' ' || is_newline(text[0]))
        return false;
    *token = recognize(pp, text, length);
    return token->kind != TOK_OTHER && token->length == length;
}
